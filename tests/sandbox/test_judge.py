"""The one verdict on a call."""

import pytest

from builder.sandbox.judge import judge
from builder.sandbox.protocol import Call, Verdict
from builder.sandbox.supervisor import Sandbox


@pytest.mark.parametrize(
    ("body", "verdict"),
    [
        ("return x", Verdict.OK),
        ("return {'b', 'a'}", Verdict.OK),
        ("raise ValueError", Verdict.ERROR),
        ("return list({'ash', 'oak', 'elm', 'fir', 'yew'})", Verdict.NONDETERMINISTIC),
        ("return random.randint(1, 2)", Verdict.NONDETERMINISTIC),
        ("return random.Random().randint(1, 2)", Verdict.NONDETERMINISTIC),
        ("return os.urandom(1)[0] % 2", Verdict.NONDETERMINISTIC),
        ("return datetime.datetime.now().second % 2", Verdict.NONDETERMINISTIC),
        ("random.seed(x)\n    return random.random()", Verdict.OK),
        ("seen.append(x)\n    return len(seen)", Verdict.STATEFUL),
        ("seen.append(x)\n    return len(seen) > 5", Verdict.STATEFUL),
        ("return object()", Verdict.UNSERIALISABLE),
        ("while True:\n        pass", Verdict.TIMEOUT),
        (
            "try:\n        open('/etc/passwd')\n    except OSError:\n        return 1",
            Verdict.FORBIDDEN,
        ),
    ],
)
def test_the_verdict_names_the_cause(sandbox: Sandbox, body: str, verdict: Verdict) -> None:
    code = f"import datetime, os, random\nseen = []\ndef test_func(x):\n    {body}\n"
    assert judge(sandbox, code, Call("(1,)"), "test_func").verdict is verdict


def test_an_attempt_while_loading_counts(sandbox: Sandbox) -> None:
    code = "from urllib.request import urlopen\ndef test_func(x):\n    return 1\n"
    assert judge(sandbox, code, Call("(1,)"), "test_func").verdict is Verdict.FORBIDDEN


def test_a_good_call_brings_its_value(sandbox: Sandbox) -> None:
    code = "def test_func(xs):\n    xs.sort()\n    return xs[0]\n"
    outcome = judge(sandbox, code, Call("([3, 1],)"), "test_func")
    assert (outcome.value, outcome.arguments_after) == ("1", "([1, 3],)")
