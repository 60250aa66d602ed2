"""Imports that a careless text forgot or left open."""

import ast

import pytest

from builder.intake.imports import complete_imports, is_pure_import


def completed(code: str) -> str:
    tree = ast.parse(code)
    complete_imports(tree)
    return ast.unparse(tree)


@pytest.mark.parametrize(
    ("code", "added"),
    [
        ("def f(x): return math.floor(x)", "import math"),
        ("def f(x): return Counter(x)", "from collections import Counter"),
        ("def f(x: List[int]): return x", "from typing import List"),
        ("def f(x): return reduce(max, x)", "from functools import reduce"),
    ],
)
def test_a_name_with_one_meaning_is_imported(code: str, added: str) -> None:
    assert completed(code) == added + "\n\n" + ast.unparse(ast.parse(code))


@pytest.mark.parametrize(
    "code",
    [
        "def f(math): return math.floor(1)",
        "def f(x): return random",
        "def f(x): return sqrt(x)",
        "def f(x): return np.sum(x)",
        "import math\ndef f(x): return math.floor(x)",
    ],
)
def test_a_name_with_another_or_no_certain_meaning_is_left(code: str) -> None:
    assert completed(code) == ast.unparse(ast.parse(code))


def test_an_import_is_added_behind_what_has_to_come_first() -> None:
    code = "'Words.'\nfrom __future__ import annotations\ndef f(x): return math.floor(x)"
    assert completed(code).split("\n")[2] == "import math"


def test_a_star_becomes_the_names_that_are_used() -> None:
    code = "from math import *\ndef f(x): return sqrt(x) + pi + unknown"
    assert completed(code).startswith("from math import pi, sqrt\n")


def test_a_star_of_an_unknown_module_is_left() -> None:
    assert completed("from numpy import *\ndef f(x): return array(x)").startswith(
        "from numpy import *"
    )


def test_an_import_is_pure_if_all_its_modules_are() -> None:
    assert is_pure_import(ast.parse("import math, re").body[0])
    assert is_pure_import(ast.parse("from collections import Counter").body[0])
    assert not is_pure_import(ast.parse("import math, os").body[0])
    assert not is_pure_import(ast.parse("from . import math").body[0])
    assert not is_pure_import(ast.parse("math = 3").body[0])
