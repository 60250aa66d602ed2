"""Static rules: a reason for what running could not judge, and none for the rest."""

import pytest

from builder.intake.extract import extract
from builder.intake.screen import screen
from builder.reasons import Reason
from tests.intake.golden_cases import CASES, GoldenCase, candidate


def finding(code: str) -> tuple[Reason, str] | None:
    extracted = extract(candidate(code))
    return screen(extracted.tree, extracted.target)


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_golden_cases_pass(case: GoldenCase) -> None:
    assert finding(case.corpus) is None


@pytest.mark.parametrize(
    "code",
    [
        "import sys\ndef f(x): return min(x, sys.maxsize)",
        "from sys import maxsize\ndef f(x): return min(x, maxsize)",
        "import operator\ndef f(x): return operator.neg(x)",
        "from urllib.parse import urlparse\ndef f(x): return urlparse(x).netloc",
        "import datetime\ndef f(x): return datetime.date(2020, 1, x).isoformat()",
        "import random\ndef f(x):\n    random.seed(3)\n    return random.random()",
        "from random import Random\ndef f(x): return Random(x).random()",
        "def f(input): return input",
        "def f(x):\n    open = x\n    return open",
        "def f(x, *, y): return x.eval(y)",
        "def f(x, y=1, *, z=2): return x",
        "def f(x):\n    print(x)\n    return x",
        "def f(x):\n    def g():\n        yield x\n    return list(g())",
        "def f(x): return vars(x)",
        "def f(x):\n    global g\n    return x",
        "import requests\ndef f(x): return x\nrequests.post(f(1))",
        "import functools\n@functools.cache\ndef f(x): return x",
        "from typing import final\n@final\ndef f(x): return x",
        "def f(x):\n    try:\n        return int(x)\n    except ValueError:\n        return None",
    ],
)
def test_what_is_pure_passes(code: str) -> None:
    assert finding(code) is None


@pytest.mark.parametrize(
    ("code", "reason"),
    [
        ("async def f(x): return x", Reason.COROUTINE),
        ("def f(x): yield x", Reason.GENERATOR),
        ("def f(x):\n    y = yield from x\n    return y", Reason.GENERATOR),
        ("@app.route('/')\ndef f(x): return x", Reason.DECORATED),
        ("def f(x): return x\nf = staticmethod(f)", Reason.DECORATED),
        ("def f(): return 1", Reason.NO_ARGUMENT),
        ("def f(**options): return options", Reason.NO_ARGUMENT),
        ("def f(x): print(x)", Reason.NO_RETURN_VALUE),
        ("def f(x):\n    x.sort()\n    return None", Reason.NO_RETURN_VALUE),
        ("def f(x):\n    def g():\n        return x\n    g()", Reason.NO_RETURN_VALUE),
        ("def f(*x, y=1): return x", Reason.UNSUPPORTED_SIGNATURE),
        ("def f(x=1, *, y): return x", Reason.UNSUPPORTED_SIGNATURE),
        ("def f(*, x=1, y): return x", Reason.UNSUPPORTED_SIGNATURE),
        ("import numpy as np\ndef f(x): return np.sum(x)", Reason.IMPORT_NOT_ALLOWED),
        ("from numpy import *\ndef f(x): return array(x)", Reason.IMPORT_NOT_ALLOWED),
        ("from . import g\ndef f(x): return g(x)", Reason.IMPORT_NOT_ALLOWED),
        ("def f(x): return swap(x)", Reason.UNDEFINED_NAME),
        ("def f(x):\n    global g\n    return g + x", Reason.UNDEFINED_NAME),
        ("def f(x): return open(x).read()", Reason.TOUCHES_FILES),
        ("from os.path import exists\ndef f(x): return exists(x)", Reason.TOUCHES_FILES),
        ("def f(x):\n    from pathlib import Path\n    return Path(x)", Reason.TOUCHES_FILES),
        ("import io\ndef f(x): return io.open(x)", Reason.TOUCHES_FILES),
        ("def f(x): return input(x)", Reason.TOUCHES_INPUT),
        ("import sys\ndef f(x): return sys.stdin.read()", Reason.TOUCHES_INPUT),
        ("import os\ndef f(x): return os.environ[x]", Reason.TOUCHES_PROCESS),
        (
            "import urllib.request\ndef f(x): return urllib.request.urlopen(x)",
            Reason.TOUCHES_PROCESS,
        ),
        ("def f(x):\n    exit()\n    return x", Reason.TOUCHES_PROCESS),
        ("from sys import exit\ndef f(x): return exit(x)", Reason.TOUCHES_PROCESS),
        ("import time\ndef f(x): return time.time() + x", Reason.READS_CLOCK),
        ("from datetime import date\ndef f(x): return date.today().year - x", Reason.READS_CLOCK),
        ("import datetime\ndef f(x): return datetime.datetime.now()", Reason.READS_CLOCK),
        ("import random\ndef f(x): return random.choice(x)", Reason.RANDOMNESS),
        ("from random import shuffle\ndef f(x): return shuffle(x)", Reason.RANDOMNESS),
        (
            "import random\ndef f(x):\n    random.seed()\n    return random.random()",
            Reason.RANDOMNESS,
        ),
        ("import uuid\ndef f(x): return uuid.uuid4()", Reason.RANDOMNESS),
        ("def f(x): return eval(x)", Reason.DYNAMIC_CODE),
        ("def f(x): return __import__(x)", Reason.DYNAMIC_CODE),
        ("def f(x): return globals()[x]", Reason.INTROSPECTION),
        ("def f(x): return vars()", Reason.INTROSPECTION),
        ("def f(x): return f.__code__", Reason.INTROSPECTION),
        ("def f(x): return ().__class__.__mro__[1].__subclasses__()", Reason.INTROSPECTION),
        ("import inspect\ndef f(x): return inspect.stack()", Reason.INTROSPECTION),
        ("import sys\ndef f(x): return sys.getsizeof(x)", Reason.INTROSPECTION),
    ],
)
def test_what_is_not_is_rejected_with_its_reason(code: str, reason: Reason) -> None:
    found = finding(code)

    assert found is not None
    assert found[0] is reason


def test_the_finding_names_what_is_at_fault() -> None:
    assert finding("def f(x): return swap(x, other)") == (
        Reason.UNDEFINED_NAME,
        "other, swap",
    )
    assert finding("import os\ndef f(x): return os.getcwd()") == (Reason.TOUCHES_PROCESS, "os")


def test_an_undefined_name_that_is_never_come_to_does_no_harm() -> None:
    assert finding("def f(x):\n    return x\n    return swap(x)") is None
    assert (
        finding("def f(x):\n    for i in x:\n        break\n        swap(i)\n    return x") is None
    )
    found = finding("def f(x):\n    if x:\n        return x\n    return swap(x)")
    assert found == (Reason.UNDEFINED_NAME, "swap")


def test_only_the_needed_part_is_judged() -> None:
    assert finding("def f(x): return x\ndef main():\n    print(f(input()))\nmain()") is None
