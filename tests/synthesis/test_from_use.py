"""What the code does with a parameter says what kind it is."""

import pytest

from builder.synthesis.from_use import read_uses
from builder.synthesis.hints import mark_by_name
from builder.synthesis.use import Use, ranked_kinds

SNIPPETS = [
    ("return arg0 % 2", "int"),
    ("return [i for i in range(arg0)]", "int"),
    ("return math.sqrt(arg0)", "int or float"),
    ("return arg0 * 3.14", "int or float"),
    ("return arg0.upper()", "str"),
    ("return arg0 + '!'", "str"),
    ("return 'x' in arg0.strip()", "str"),
    ("return [c for c in arg0 if c.isdigit()]", "str"),
    ("return re.sub('a', 'b', arg0)", "str"),
    ("return arg0 == 'yes'", "str"),
    ("return sum(arg0) / len(arg0)", "list of int"),
    ("arg0.append(1)\n    return arg0", "list of int"),
    ("return ' '.join(sorted(arg0, key=lambda w: w.lower()))", "str"),
    ("arg0.sort()\n    return [w.upper() for w in arg0]", "list of str"),
    ("return [sum(row) for row in arg0]", "list of list of int"),
    ("return arg0[0][1] + 1", "list of list of int"),
    ("return {k: v + 1 for k, v in arg0.items()}", "dict from str to int"),
    ("return arg0['name'].title()", "dict with 'name': str"),
    ("return [p['price'] * 2 for p in arg0]", "list of dict with 'price': int"),
    ("for key in arg0:\n        if arg0[key] > 3:\n            return key", "dict from str to int"),
    ("return [a + 1 for a, b in arg0 if b.isupper()]", "list of tuple of (int, str)"),
    ("return arg0.union({1})", "set of int"),
    ("a, b = arg0\n    return a.split(b)", "tuple of (str, str)"),
    ("n = arg0\n    while n > 0:\n        n //= 10\n    return n", "int"),
    ("return helper(arg0)", "str"),
    ("return -1 if arg0 is None else arg0 // 2", "int or None"),
    ("return arg0.lower() if isinstance(arg0, str) else arg0", "str or int"),
]


def best_kind(code: str, name: str = "thing") -> str:
    use = Use()
    mark_by_name(use, name)
    read_uses(code, {"arg0": use})
    return str(ranked_kinds(use)[0][0])


@pytest.mark.parametrize(("body", "kind"), SNIPPETS)
def test_use_in_the_body_tells_the_kind(body: str, kind: str) -> None:
    helper = "def helper(text):\n    return text.split()\n"
    assert best_kind(f"{helper}def test_func(arg0):\n    {body}\n") == kind


@pytest.mark.parametrize(
    ("name", "kind"),
    [
        ("n", "int"),
        ("word", "str"),
        ("nums", "list of int"),
        ("word_list", "list of str"),
        ("wordList", "list of str"),
        ("test_str", "str"),
        ("matrix", "list of list of int"),
        ("price", "int or float"),
        ("prices", "list of int or float"),
        ("my_dict", "dict from str to int"),
        ("is_open", "bool"),
        ("tup1", "tuple of int"),
        ("words", "list of str"),
    ],
)
def test_where_the_code_is_silent_the_name_tells(name: str, kind: str) -> None:
    assert best_kind("def test_func(arg0):\n    return arg0\n", name) == kind


def test_use_is_stronger_than_the_name() -> None:
    assert best_kind("def test_func(arg0):\n    return arg0.split()\n", "number") == "str"


def test_every_value_of_variadic_arguments_is_of_one_use() -> None:
    use = Use()
    read_uses("def test_func(*arg0):\n    return [x.upper() for x in arg0]\n", {"arg0": use})
    assert str(ranked_kinds(use)[0][0]) == "str"


def test_a_name_that_was_given_another_value_is_no_evidence() -> None:
    code = "def test_func(arg0):\n    arg0 = str(arg0)\n    return arg0.upper()\n"
    assert best_kind(code) == "int"
