"""How an expression can be slightly wrong."""

import ast

import pytest

from builder.suite.mutation.operators import changes


def texts(expression: str) -> set[str]:
    node = ast.parse(expression, mode="eval").body

    def text(part: ast.expr | ast.keyword) -> str:
        written = ast.unparse(part)
        return f"({written})" if isinstance(part, ast.BinOp | ast.Compare) else written

    return {new for _, new in changes(node, text)}


@pytest.mark.parametrize(
    ("expression", "expected"),
    [
        ("a < b", {"(a <= b)", "(a != b)"}),
        ("a == b", {"(a != b)", "(a <= b)", "(a >= b)"}),
        ("a < b <= c", {"(a <= b <= c)", "(a != b <= c)", "(a < b < c)", "(a < b == c)"}),
        ("a in b", {"(a not in b)"}),
        ("a is None", {"(a is not None)"}),
        ("a and b", {"(a or b)", "a", "b"}),
        ("a or b or c", {"(a and b and c)", "(b or c)", "(a or c)", "(a or b)"}),
        ("not a", {"a"}),
        ("-a", {"a"}),
        ("a + b", {"(a - b)", "a", "b"}),
        ("a + 1", {"(a - 1)", "(a | 1)", "a", "1"}),
        ("a - 1", {"(a + 1)", "(a ^ 1)", "(1 - a)", "a", "1"}),
        ("a * 2", {"(a + 2)", "(a // 2)", "(a ** 2)", "a", "2"}),
        ("a * 9", {"(a + 9)", "(a // 9)", "a", "9"}),
        ("a % b", {"(a * b)", "(a // b)", "(a - b)", "(b % a)", "a", "b"}),
        ("a & b", {"(a | b)", "(a ^ b)", "a", "b"}),
        ("a // b", {"(a * b)", "(a / b)", "(b // a)", "a", "b"}),
        ("'%s' % a", {"'%s'", "a"}),
        ("5", {"6", "4", "0"}),
        ("0", {"1", "(-1)"}),
        ("2.5", {"(3.5)", "(1.5)"}),
        ("True", {"False"}),
        ("'ab'", {"''", "'abx'"}),
        ("''", {"'x'"}),
        ("None", set()),
        ("a if b else c", {"a", "c"}),
        ("min(a, b)", {"max(a, b)", "min(a)"}),
        ("sorted(a, reverse=True)", {"a", "sorted(reverse=True)", "sorted(a)"}),
        ("a.lower()", {"a", "a.upper()"}),
        ("a.startswith(b)", {"a.endswith(b)"}),
        ("a.append(b)", {"a.extend(b)"}),
        ("a.split(',')", {"a.split()"}),
        ("a.split(',', 1)", {"a.rsplit(',', 1)", "a.split(',')"}),
        ("helper0(a, b)", set()),
        ("range(n)", {"range(0, n + 1)", "range(0, n - 1)", "range(0 + 1, n)", "range(0 - 1, n)"}),
        ("a[i]", {"a[i + 1]", "a[i - 1]"}),
        ("a[0]", set()),
        ("a[:n]", {"a[:]", "a[0 + 1:n]", "a[:n - 1]", "a[:n + 1]"}),
        ("a[::2]", {"a[:]"}),
        ("[]", {"[None]"}),
        ("[a, b, c]", {"[b, c]", "[a, b]"}),
        ("(a, b)", {"(b,)", "(a,)"}),
        ("{a: b}", {"{}"}),
        ("{a}", {"set()"}),
    ],
)
def test_changes_of(expression: str, expected: set[str]) -> None:
    assert texts(expression) == expected


@pytest.mark.parametrize(
    ("expression", "equal"),
    [
        ("len(a) == 0", "(len(a) <= 0)"),
        ("len(a) > 0", "(len(a) != 0)"),
        ("a % 2 != 0", "((a % 2) > 0)"),
        ("a.count(b) <= 0", "(a.count(b) == 0)"),
    ],
)
def test_what_is_equal_at_the_lowest_value_is_left_out(expression: str, equal: str) -> None:
    assert equal not in texts(expression)
    one_more = expression.replace("0", "1")
    assert equal.replace("0", "1") in texts(one_more)
