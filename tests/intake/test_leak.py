"""Old names in the anonymised text."""

import pytest

from builder.intake.anonymise import anonymise
from builder.intake.extract import extract
from builder.intake.leak import find_leak
from builder.intake.names import Secrets
from builder.intake.unfit import UnfitError
from builder.reasons import Reason
from tests.intake.golden_cases import candidate

SECRETS = Secrets(
    functions=frozenset({"is_prime", "sieve", "reverse"}),
    parameters=frozenset({"limit", "n"}),
    constants=frozenset({"WHEEL"}),
    documented=frozenset({"composite"}),
)


@pytest.mark.parametrize(
    ("code", "leak"),
    [
        ("def sieve(arg0): return arg0", "the name sieve"),
        ("def test_func(limit): return limit", "the name limit"),
        ("WHEEL = 2", "the name WHEEL"),
        ("def test_func(arg0):\n    primes = arg0\n    return primes", "the name primes"),
        ("def test_func(arg0): return [composite for composite in arg0]", "the name composite"),
        ("class Class0:\n    def is_prime(self): return 1", "the name is_prime"),
        ("x = 'see is_prime for more'", "the name is_prime in the text 'see is_prime for more'"),
        ("x = f'sieve({1})'", "the name sieve in the text 'sieve('"),
    ],
)
def test_an_old_name_is_found(code: str, leak: str) -> None:
    assert find_leak(code, SECRETS) == leak


@pytest.mark.parametrize(
    "code",
    [
        "def test_func(arg0):\n    arg0.reverse()\n    return arg0",
        "from m import sieve\ndef test_func(arg0): return sieve(arg0, limit=3)",
        "def test_func(arg0): return 'sieve' if arg0 else 'prime'",
        "def test_func(arg0): return [n for n in arg0]",
        "def test_func(arg0): return '{limit}'.format(limit=arg0)",
        "class Class0:\n    prime = 3",
        "def test_func(arg0):\n    total = arg0\n    return total",
    ],
)
def test_what_is_behaviour_or_says_nothing_is_no_leak(code: str) -> None:
    assert find_leak(code, SECRETS) is None


def test_a_row_whose_text_says_its_name_is_lost_and_not_altered() -> None:
    code = "def check_sum(x):\n    assert x, 'check_sum needs x'\n    return 1\n"

    with pytest.raises(UnfitError) as caught:
        anonymise(extract(candidate(code)))

    assert caught.value.reason is Reason.LEAK
    assert caught.value.detail == "the name check_sum in the text 'check_sum needs x'"
