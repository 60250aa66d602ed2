"""Keeping what the target needs, and nothing else."""

import ast

import pytest

from builder.intake.extract import Extract, extract
from tests.intake.golden_cases import candidate


def extracted(code: str, entry_point: str = "f") -> Extract:
    return extract(candidate(code, entry_point=entry_point))


def kept(code: str, entry_point: str = "f") -> str:
    return ast.unparse(extracted(code, entry_point).tree)


F = "def f(x):\n    return x + size"


@pytest.mark.parametrize(
    "statement",
    [
        "size = 3",
        "size, other = (3, 4)",
        "size: int = 3",
        "for size in (1, 2):\n    pass",
        "try:\n    size = 1\nexcept ValueError:\n    size = 2",
        "if True:\n    size = 1",
        "with open('size') as size:\n    pass",
        "import size",
        "from sizes import size",
        "class size:\n    pass",
        "def size(x):\n    return x",
        "while (size := 1) > 2:\n    pass",
    ],
)
def test_what_binds_a_needed_name_stays(statement: str) -> None:
    assert kept(f"{statement}\n{F}") == f"{statement}\n\n{F}"


@pytest.mark.parametrize(
    "statement",
    [
        "size.append(3)",
        "size[0] = 3",
        "del size[0]",
        "size += [3]",
        "size.field = 3",
        "size.field.append(3)",
        "from random import shuffle\nshuffle(size)",
        "import random\nrandom.shuffle(size)",
        "for i in range(3):\n    size.append(i)",
        "def fill(n):\n    size.append(n)\nfill(3)",
        "def fill(n):\n    global size\n    size = n\nfill(3)",
        "def fill(n):\n    return fill_all([n])\ndef fill_all(ns):\n    size.extend(ns)\nfill(3)",
    ],
)
def test_what_changes_a_needed_variable_stays(statement: str) -> None:
    assert statement.replace("\n", "") in kept(f"size = []\n{statement}\n{F}").replace("\n", "")


@pytest.mark.parametrize(
    "statement",
    [
        "other = 3",
        "print(size)",
        "print(f(3))",
        "result = f(size)",
        "f = f(3)",
        "size.append(f(3))",
        "for i in range(3):\n    f(i)",
        "if __name__ == '__main__':\n    size = 4",
        "def main():\n    f(1)\nmain()",
        "import os",
        "class Other:\n    pass",
        "'A text.'",
        "assert f(1) == 4",
    ],
)
def test_driver_code_and_what_nobody_needs_go(statement: str) -> None:
    assert kept(f"size = 3\n{F}\n{statement}\n") == f"size = 3\n\n{F}"


def test_of_an_import_only_the_needed_names_stay() -> None:
    code = "import math, os\nfrom a import b, c as d\ndef f(x): return math.floor(d)\n"
    assert kept(code).startswith("import math\nfrom a import c as d\n")


def test_a_helper_brings_what_it_needs_in_turn() -> None:
    code = "def f(x): return g(x)\ndef g(x): return x * rate\nrate = base + 1\nbase = 2\n"
    assert "base = 2" in kept(code)


def test_a_recursion_limit_is_felt_by_every_call_and_stays() -> None:
    code = "import sys\nsys.setrecursionlimit(9999)\ndef f(x): return x\n"
    assert kept(code).startswith("import sys\nsys.setrecursionlimit(9999)")


def test_a_seed_stays_with_the_module_that_it_sets() -> None:
    code = "import random\nrandom.seed(0)\ndef f(x): return {}\n"
    assert "random.seed(0)" in kept(code.format("random.random()"))
    assert "random" not in kept(code.format("x"))


def test_a_definition_that_a_later_one_replaces_goes() -> None:
    code = (
        "def g(x): return 1\ndef g(x): return 2\ndef f(x): return g(x)\ndef f(x): return g(x) + 1\n"
    )
    assert kept(code) == "def g(x):\n    return 2\n\ndef f(x):\n    return g(x) + 1"


def test_a_definition_that_is_wrapped_later_stays() -> None:
    code = "def g(x): return 1\ng = str(g)\ndef f(x): return g\n"
    assert kept(code).startswith("def g(x):\n    return 1\ng = str(g)\n")


def test_the_text_is_what_the_corpus_wrote() -> None:
    code = (
        "import os, math\n\n@cache\ndef f(x):\n    # a comment\n    return g(x,\n"
        "             math.pi)\n\n\ng = max; print(f(1))\n"
    )
    assert extracted(code).text == (
        "import math\n@cache\ndef f(x):\n    # a comment\n    return g(x,\n"
        "             math.pi)\ng = max\n"
    )


def test_the_rest_is_kept_for_the_drivers_with_the_main_guard_opened() -> None:
    code = (
        "def f(x): return x\ndef main(): f(1)\nif __name__ == '__main__':\n    main()\n    f(2)\n"
    )
    rest = [ast.unparse(statement) for statement in extracted(code).leftovers]
    assert rest == ["def main():\n    f(1)", "main()", "f(2)"]
