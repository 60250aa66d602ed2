"""Weights count the work of builtins, and change nothing else."""

import ast
from copy import deepcopy
from itertools import repeat
from typing import Any

import pytest

from builder.sandbox.scales import Scales
from builder.synthesis.weights import insert_weights

LOTS = 10**7


def run(code: str, *arguments: Any, weighed: bool = True) -> tuple[tuple[object, object], int]:
    """Run one of our own functions; give its answer and the turns that were weighed."""
    tree = ast.parse(code)
    if weighed:
        insert_weights(tree, "_weigh")
    scales, turns = Scales(), repeat(None, LOTS)
    names: dict[str, Any] = {"_weigh": scales.weigh}
    exec(ast.unparse(tree), names)
    scales.turns = turns
    try:
        value = names["test_func"](*arguments)
    except (TypeError, ValueError) as error:
        value = repr(error)
    return (type(value).__name__, value), LOTS - turns.__length_hint__()


def cost(body: str, size: int) -> int:
    return run(f"from math import *\ndef test_func(n):\n    {body}\n", size)[1]


@pytest.mark.parametrize(
    "body",
    [
        "return sum(range(n))",
        "return max(sorted(set(range(n))))",
        "a = list(range(n))\n    return a[1:]",
        "a = list(range(n))\n    return a + a",
        "a = list(range(n))\n    return -1 in a",
        "a = list(range(n))\n    return a.index(n - 1)",
        "a = list(range(n))\n    a.sort()\n    return a",
        "a = set(range(n))\n    return a - {1}",
        "a = set(range(n))\n    return a.union([1])",
        "return 'ab' * n",
        "return ('ab' * n).upper()",
        "return 'b' in 'a' * n",
        "return ''.join(map(str, range(n)))",
        "return print(*range(n))",
        "return dict(zip(range(n), range(n)))",
        "return 3 ** n",
        "return 1 << n",
        "return factorial(n)",
        "a = 1\n    for _ in 'ab':\n        a <<= n * 8\n    return a.bit_length()",
        "return (lambda a: a[::-1])(range(n))[0]",
    ],
)
def test_work_of_a_builtin_costs_more_for_more(body: str) -> None:
    assert cost(body, 5) == 0
    assert 0 < cost(body, 20_000) < cost(body, 50_000)


@pytest.mark.parametrize(
    "body",
    [
        "return len(n)",
        "return n[5]",
        "n.append(1)\n    return n.pop()",
        "return [x for x in n if x > 3]",
        "return any(x > 3 for x in n)",
        "return isinstance(n, list)",
        "return n[-1] + 1",
    ],
)
def test_what_takes_the_same_time_for_everything_costs_nothing(body: str) -> None:
    code = f"def test_func(n):\n    {body}\n"
    assert run(code, list(range(50_000)))[1] == 0


FORMS = [
    "return sorted(arg0, key=lambda x: -x) + [max(arg0)]",
    "return [*map(str, arg0), *arg0[::-1]]",
    "return max(*arg0, *arg1)",
    "return '-'.join(str(x) for x in arg0).split('-', 1)",
    "return arg0 * 2, arg1 in arg0, 2 not in arg0 in [arg0]",
    "arg0 *= 2\n    arg0 += arg1\n    return arg0",
    "x = {1: arg0}\n    x[1] *= 2\n    return x",
    "return (x := sum(arg0)) ** 2 << x",
    "rest = iter(arg0)\n    return 2 in rest, list(rest)",
    "return f'{sum(arg0):>9}', 'abc'.center(20, '*'), '%s' % arg1",
    "return dict(a=1, **dict(zip('bc', arg0))) | {'d': 2}",
    "sum = len\n    return sum(arg0)",
    "def max(a):\n        return 'mine'\n    return max(arg0)",
    "return arg0.index(77)",
    "return arg0 - arg1",
    "del arg0[1:]\n    arg0[5:] = [1, 2][:1]\n    return arg0",
    "class A(list):\n        def size(self):\n            return super().__len__()\n"
    "    return A(arg0).size()",
    "return next(x for x in zip(arg0, arg0[1:]))",
]


@pytest.mark.parametrize("body", FORMS)
def test_value_type_and_exception_stay_as_they_were(body: str) -> None:
    code = f"def test_func(arg0, arg1):\n    {body}\n"
    for arguments in (([3, 1, 2], [5]), ([3, 1, 2], 2), ((2, 77), (1,)), ([4, 4], [])):
        plain, _ = run(code, *deepcopy(arguments), weighed=False)
        assert run(code, *deepcopy(arguments))[0] == plain


def test_operands_are_evaluated_once_and_in_order() -> None:
    code = (
        "def test_func(log):\n"
        "    def note(name, value):\n"
        "        log.append(name)\n"
        "        return value\n"
        "    note('a', [1]).index(note('b', 1))\n"
        "    note('c', 1) in note('d', [1])\n"
        "    note('e', [1])[note('f', 0):note('g', 1)]\n"
        "    note('h', [1]) + note('i', [2])\n"
        "    return max(note('j', 1), *note('k', [2])), log\n"
    )
    assert run(code, [])[0] == ("tuple", (2, list("abcdefghijk")))


def test_code_that_runs_when_the_module_is_loaded_is_not_limited() -> None:
    code = "TABLE = sorted(range(9000))\ndef test_func(arg0):\n    return TABLE[arg0]\n"
    assert run(code, 3) == (("int", 3), 0)
