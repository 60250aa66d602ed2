"""Which texts are found to call the target."""

import ast

import pytest

from sources.mining import (
    Function,
    docstring_of,
    functions,
    input_calls,
    module_drivers,
    python_part,
    same_code,
    single_target,
    with_setup,
)


def tree(text: str) -> ast.Module:
    return ast.parse(text)


def function(header: str) -> Function:
    return functions(tree(f"{header}: pass"))[0]


def name_of_target(text: str) -> str | None:
    target = single_target(tree(text))
    return target.name if target else None


def test_the_target_is_the_function_that_no_other_uses() -> None:
    assert name_of_target("def a(x): return x\ndef b(x): return a(x)") == "b"


def test_a_function_handed_on_counts_as_used() -> None:
    assert name_of_target("def key(x): return -x\ndef f(x): return sorted(x, key=key)") == "f"


def test_a_recursive_function_is_its_own_target() -> None:
    assert name_of_target("def f(x): return f(x - 1)") == "f"


def test_of_several_it_is_the_one_that_the_module_calls() -> None:
    assert name_of_target("def a(x): pass\ndef b(x): pass\nprint(b(1))") == "b"


def test_there_is_none_among_functions_of_equal_standing() -> None:
    assert name_of_target("def a(x): pass\ndef b(x): pass") is None


def test_a_module_offers_its_statements_and_each_call_with_the_assignments_before_it() -> None:
    module = tree("import sys\ndef f(x): return x\ny = [1]\nprint(open('no').read())\nprint(f(y))")

    assert module_drivers(module, "f") == [
        "y = [1]\nprint(open('no').read())\nprint(f(y))",
        "y = [1]\nf(y)",
    ]


def test_a_main_guard_is_opened() -> None:
    module = tree("def f(x): return x\nif __name__ == '__main__':\n    f(3)")

    assert module_drivers(module, "f") == ["f(3)", "f(3)"]


def test_a_function_without_parameters_is_no_target_but_calls_it() -> None:
    text = "def f(x): return x\ndef main():\n    y = 2\n    return f(y)\nmain()"

    assert name_of_target(text) == "f"
    assert "y = 2\nf(y)\nmain()" in module_drivers(tree(text), "f")
    assert "y = 2\nf(y)" in module_drivers(tree(text), "f")


def test_a_statement_that_cannot_stand_outside_a_function_is_left_out() -> None:
    text = "def f(x): return x\ndef main():\n    if f(1): return 2\n    f(3)"

    assert module_drivers(tree(text), "f") == ["f(3)", "f(3)"]


def test_a_module_that_never_calls_the_target_offers_nothing() -> None:
    assert module_drivers(tree("def f(x): return x\nLIMIT = 3"), "f") == []


@pytest.mark.parametrize(
    ("text", "header", "call"),
    [
        ("[1, 2], 3", "def f(items, n)", "f([1, 2], 3)"),
        ("a = 3\nb = 4", "def f(a, b)", "f(3, 4)"),
        ("b = 4, a = 3", "def f(a, b)", "f(3, 4)"),
        ("Width: 5, Height: 8", "def f(w, h)", "f(5, 8)"),
        ("A = 2 and B = 4", "def f(x, y)", "f(2, 4)"),
        ("Input list: [1, 6]", "def f(items)", "f([1, 6])"),
        ("String: hello there", "def f(text)", "f('hello there')"),
        ("[1, 2]\n[3, 4]", "def f(a, b)", "f([1, 2], [3, 4])"),
        ("The quick fox.", "def f(text)", "f('The quick fox.')"),
        ("sample.txt", "def f(name)", "f('sample.txt')"),
        ("P@ssw0rd1", "def f(text)", "f('P@ssw0rd1')"),
        ("name, age", "def f(header)", "f('name, age')"),
        ("range(3)", "def f(items)", "f(range(3))"),
    ],
)
def test_an_input_is_read_in_the_way_that_fits(text: str, header: str, call: str) -> None:
    assert call in input_calls(text, function(header))


@pytest.mark.parametrize("text", ["", "def f(x):\n    return x"])
def test_an_input_that_is_empty_or_code_gives_no_call(text: str) -> None:
    assert input_calls(text, function("def f(x)")) == []


def test_each_test_runs_its_set_up_first() -> None:
    assert with_setup(["import math", ""], ["f(1)", "f(2)"]) == [
        "import math\nf(1)",
        "import math\nf(2)",
    ]


def test_a_docstring_is_found_behind_an_import() -> None:
    assert docstring_of("def f(x):\n    import math\n    '''Says.'''\n    return x", "f") == "Says."
    assert docstring_of("def f(x):\n    return x", "f") == ""


def test_code_is_the_same_whatever_its_layout() -> None:
    assert same_code("def f(x): return x", "def f(x):\n  # no change\n  return (x)")
    assert not same_code("def f(x): return x", "def f(y): return y")
    assert not same_code("def f(", "def f(")


CODE = "def f(x):\n    return x\n"


@pytest.mark.parametrize(
    "text", [CODE, f"```python\n{CODE}```\nIt returns x.", f"{CODE}\nOutput:\n3 4\n"]
)
def test_words_around_the_code_of_an_answer_are_cut_off(text: str) -> None:
    assert python_part(text).strip() == CODE.strip()


def test_an_answer_is_never_cut_within_a_function() -> None:
    broken = "def f(x):\n    y = x\n  return y\n"

    assert python_part(broken) == broken
