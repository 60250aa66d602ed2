"""What the normal form of a function leaves out, and what it keeps."""

import pytest

from builder.release.duplicates.normal_form import normal_form

ADD = "def test_func(arg0, arg1):\n    total = arg0 + arg1\n    return total\n"


def test_functions_that_differ_in_the_names_of_variables_alone_are_the_same() -> None:
    other = ADD.replace("total", "result")
    assert normal_form(ADD) == normal_form(other)


def test_swapped_variables_make_a_different_function() -> None:
    subtract = "def test_func(arg0, arg1):\n    return arg0 - arg1\n"
    swapped = "def test_func(arg0, arg1):\n    return arg1 - arg0\n"
    assert normal_form(subtract) != normal_form(swapped)


def test_a_builtin_is_not_a_variable() -> None:
    assert normal_form("def test_func(arg0):\n    return min(arg0)\n") != normal_form(
        "def test_func(arg0):\n    return max(arg0)\n"
    )


def test_names_of_helpers_and_caught_exceptions_do_not_matter() -> None:
    code = (
        "def helper(x):\n    try:\n        return int(x)\n"
        "    except ValueError as e:\n        return str(e)\n"
        "def test_func(arg0):\n    return helper(arg0)\n"
    )
    other = code.replace("helper", "convert").replace(" e:", " error:").replace("(e)", "(error)")
    assert normal_form(code) == normal_form(other)


def test_different_constants_make_different_functions() -> None:
    assert normal_form("def test_func(arg0):\n    return arg0 + 1\n") != normal_form(
        "def test_func(arg0):\n    return arg0 + True\n"
    )


def test_names_that_a_match_statement_or_a_nonlocal_binds_do_not_matter() -> None:
    code = (
        "def test_func(arg0):\n    seen = 0\n    def step():\n        nonlocal seen\n"
        "        seen += 1\n    match arg0:\n        case [first, *others]:\n            step()\n"
        "            return (first, others, seen)\n        case {'a': x, **rest} as whole:\n"
        "            return whole\n"
    )
    other = code.replace("first", "head").replace("others", "tail").replace("seen", "count")
    other = other.replace("whole", "all_of_it").replace("rest", "more")
    assert normal_form(code) == normal_form(other)


SAME = [
    (
        "import math\ndef test_func(arg0):\n    return math.sqrt(arg0)\n",
        "from math import sqrt as root\ndef test_func(arg0):\n    return root(arg0)\n",
    ),
    (
        'def test_func(arg0: int) -> int:\n    """Say."""\n    x: int = arg0\n    return x\n',
        "def test_func(arg0):\n    return arg0\n",
    ),
    (
        "def test_func(arg0):\n    if arg0:\n        return 1\n    else:\n        return 2\n",
        "def test_func(arg0):\n    if arg0:\n        return 1\n    return 2\n",
    ),
    (
        "def test_func(arg0, arg1):\n    return arg0 > arg1\n",
        "def test_func(arg0, arg1):\n    return arg1 < arg0\n",
    ),
    (
        "def test_func(arg0):\n    return not arg0 in (1, 2)\n",
        "def test_func(arg0):\n    return arg0 not in (1, 2)\n",
    ),
    (
        "def test_func(arg0):\n    return 3 == arg0\n",
        "def test_func(arg0):\n    return arg0 == 3\n",
    ),
    (
        "def test_func(arg0):\n    x = 0\n    x = x + 1\n    print(x)\n    return None\n",
        "def test_func(arg0):\n    x = 0\n    x += 1\n    print(x)\n",
    ),
]


@pytest.mark.parametrize(("code", "other"), SAME)
def test_ways_of_writing_do_not_matter(code: str, other: str) -> None:
    assert normal_form(code) == normal_form(other)


DIFFERENT = [
    (  # lists: the first makes a new one, the second changes the old one
        "def test_func(arg0, arg1):\n    arg0 = arg0 + arg1\n    return arg0\n",
        "def test_func(arg0, arg1):\n    arg0 += arg1\n    return arg0\n",
    ),
    (  # both sides are called: their order counts
        "def test_func(arg0):\n    return arg0.pop() > arg0.pop()\n",
        "def test_func(arg0):\n    return arg0.pop() < arg0.pop()\n",
    ),
    (  # ``<`` may be False both ways round
        "def test_func(arg0, arg1):\n    return not arg0 < arg1\n",
        "def test_func(arg0, arg1):\n    return arg0 >= arg1\n",
    ),
    (
        "def test_func(arg0):\n    n = 0\n    def step():\n        nonlocal n\n        n = n * 2\n"
        "        return n\n    return step() + n\n",
        "def test_func(arg0):\n    n = 0\n    def step():\n        return n * 2\n"
        "    return step() + n\n",
    ),
    (
        "from math import floor\ndef test_func(arg0):\n    return floor(arg0)\n",
        "from math import ceil\ndef test_func(arg0):\n    return ceil(arg0)\n",
    ),
]


@pytest.mark.parametrize(("code", "other"), DIFFERENT)
def test_what_changes_the_meaning_is_kept(code: str, other: str) -> None:
    assert normal_form(code) != normal_form(other)


@pytest.mark.parametrize(
    "body",
    [
        "    if arg0:\n        pass\n    return arg0\n",
        "    if arg0:\n        'nothing'\n    else:\n        arg0 = 1\n    return arg0\n",
        "    while arg0:\n        pass\n",
        "    try:\n        pass\n    finally:\n        pass\n    return arg0\n",
        "    pass\n",
    ],
)
def test_a_body_that_does_nothing_has_a_normal_form_too(body: str) -> None:
    code = f"def test_func(arg0):\n{body}"
    assert normal_form(code) == normal_form(code.replace("arg0", "arg1"))
