"""Probes tell which way each decision went, and change nothing else."""

from typing import Any

import pytest

from builder.sandbox.scales import Scales
from builder.synthesis.probes import insert_probes


def run(code: str, *arguments: Any, budget: int = 1000) -> tuple[Any, set[int]]:
    """Run one of our own functions with probes; give its value and the arcs it took."""
    probed = insert_probes(code)
    hits: set[int] = set()
    turns = 0

    def tick() -> None:
        nonlocal turns
        turns += 1
        if turns > budget:
            raise TimeoutError

    namespace: dict[str, Any] = {probed.probe.hit: hits.add, probed.probe.tick: tick}
    namespace[probed.probe.weigh] = Scales().weigh
    exec(probed.code, namespace)
    return namespace["test_func"](*arguments), hits


def arcs(code: str, *inputs: tuple[Any, ...]) -> set[int]:
    """Every arc that any of the inputs takes."""
    return set().union(*(run(code, *arguments)[1] for arguments in inputs))


TWO_WAYS: dict[str, tuple[Any, ...]] = {
    "if": ("if arg0 > 1:\n        return 1\n    return 2", (2,), (1,)),
    "while": ("while arg0 > 1:\n        arg0 -= 1\n    return arg0", (1,), (2,)),
    "ternary": ("return 'a' if arg0 > 1 else 'b'", (1,), (2,)),
    "and": ("return arg0 and 1 // arg0", (0,), (1,)),
    "comparison joined by or": ("return arg0 == 0 or 1 // arg0", (0,), (2,)),
    "returned comparison": ("return arg0 > 1", (2,), (1,)),
    "returned test": ("return str(arg0).startswith('1')", (1,), (2,)),
    "comprehension": ("return [x for x in [arg0] if x > 1]", (1,), (2,)),
    "set comprehension": ("return {x for x in [arg0] if x > 1}", (1,), (2,)),
    "dict comprehension": ("return {x: x for x in [arg0] if x > 1}", (1,), (2,)),
    "generator": ("return sum(x for x in [arg0] if x > 1)", (1,), (2,)),
    "lambda": ("return (lambda x: 3 if x else 4)(arg0)", (0,), (1,)),
    "one-line loop": ("for x in range(arg0): arg0 += x\n    return arg0", (0,), (3,)),
    "negation": ("return not (arg0 > 1 and arg0 < 5)", (1,), (7,), (3,)),
    "handler": (
        "try:\n        return 1 // arg0\n    except ZeroDivisionError:\n        return 0",
        (1,),
        (0,),
    ),
    "match": (
        "match arg0:\n        case 1:\n            return 2\n        case x if x > 5:\n"
        "            return 3\n    return 4",
        (1,),
        (9,),
        (3,),
    ),
    "nested function": (
        "def inner(x):\n        if x:\n            return 1\n        return 2\n"
        "    return inner(arg0)",
        (0,),
        (1,),
    ),
}


@pytest.mark.parametrize("form", TWO_WAYS)
def test_every_arc_is_taken_by_the_inputs_that_go_every_way(form: str) -> None:
    body, *inputs = TWO_WAYS[form]
    code = f"def test_func(arg0):\n    {body}\n"
    every = insert_probes(code).arcs
    assert every > 0
    assert arcs(code, *inputs) == set(range(every))


@pytest.mark.parametrize("form", [name for name in TWO_WAYS if name != "one-line loop"])
def test_each_way_takes_an_arc_of_its_own(form: str) -> None:
    body, *inputs = TWO_WAYS[form]
    code = f"def test_func(arg0):\n    {body}\n"
    taken = [frozenset(run(code, *arguments)[1]) for arguments in inputs]
    assert len(set(taken)) == len(inputs)


def test_each_operand_of_a_condition_has_two_arcs() -> None:
    code = "def test_func(arg0, arg1):\n    if arg0 and (arg1 or not arg0 > 5):\n        return 1\n"
    assert insert_probes(code).arcs == 6
    assert arcs(code, (0, 0)) == {1}
    assert arcs(code, (9, 0), (0, 0), (1, 1), (1, 0)) == set(range(6))


VALUES = [0, 1, 7, "", "a", [], [0, 1], None, True, 2.5]
VALUE_FORMS = [
    "return arg0 and arg1",
    "return arg0 or arg1",
    "return arg0 and arg1 or [arg0]",
    "return not arg0 or arg1",
    "return not arg0",
    "return arg0 == arg1",
    "return str(arg0).isdigit() or arg1",
    "return str(arg0).endswith('1')",
    "return arg0 == arg1 and arg0 is not None",
    "return (arg0 == 1) or (arg1 == 1)",
    "return 'yes' if arg0 or arg1 else 'no'",
    "return [x for x in VALUES if x and not x == arg0 or x is arg1]",
    "while arg0 and arg1:\n        arg0 = None\n    else:\n        return 'else'",
    "return f'{arg0 if arg1 else arg1!r:>9}'",
    "return (y := arg0) and y",
    "return [y for x in [arg0, arg1] if (y := x)]",
    "for x in [arg0]:\n        if x:\n            break\n    else:\n        return 'none'\n"
    "    return x",
    "return (lambda x, y=arg1 or 3: x and y)(arg0)",
    "assert arg0 or not arg1\n    return arg0",
    "match arg0:\n        case int() if arg1:\n            return 'int'\n"
    "        case [] | None:\n            return 'empty'\n        case other:\n"
    "            return other",
]


@pytest.mark.parametrize("body", VALUE_FORMS)
def test_value_type_and_exception_stay_as_they_were(body: str) -> None:
    code = f"VALUES = {VALUES!r}\ndef test_func(arg0, arg1):\n    {body}\n"
    plain: dict[str, Any] = {}
    exec(code, plain)

    def seen(function: Any, *arguments: Any) -> tuple[str, str]:
        try:
            value = function(*arguments)
        except AssertionError as error:
            return ("raised", repr(error))
        return (type(value).__name__, repr(value))

    for first in VALUES:
        for second in VALUES:
            bare = seen(plain["test_func"], first, second)
            assert bare == seen(lambda *both: run(code, *both)[0], first, second)


def test_operands_are_evaluated_once_and_in_order() -> None:
    code = (
        "def test_func(log):\n"
        "    def note(name, value):\n"
        "        log.append(name)\n"
        "        return value\n"
        "    if note('a', 1) and (note('b', 0) or note('c', 1)) and not note('d', 0):\n"
        "        return log\n"
    )
    assert run(code, [])[0] == ["a", "b", "c", "d"]


@pytest.mark.parametrize(
    "body",
    [
        "while True:\n        pass",
        "for x in iter(int, 1):\n        pass",
        "return [x for x in iter(int, 1)]",
        "return all(x == 0 for x in iter(int, 1) if not x)",
        "return test_func(arg0)",
        "f = lambda: f()\n    return f()",
    ],
)
def test_the_loop_budget_ends_what_would_not_end(body: str) -> None:
    with pytest.raises(TimeoutError):
        run(f"def test_func(arg0):\n    {body}\n", 0, budget=100)


def test_probe_names_do_not_clash_with_names_in_the_code() -> None:
    code = (
        "def test_func(_hit, _tick, _weigh):\n    _hit_ = _hit\n"
        "    return 1 if _hit_ > min(_tick, _weigh) else 2\n"
    )
    assert run(code, 3, 2, 4) == (1, {0})


def test_code_that_runs_when_the_module_is_loaded_has_no_arcs() -> None:
    code = (
        "TABLE = [x for x in range(9) if x % 2]\n"
        "if TABLE:\n"
        "    def test_func(arg0):\n"
        "        return TABLE[arg0] if arg0 else None\n"
    )
    assert insert_probes(code).arcs == 2
    assert run(code, 1) == (3, {0})


def test_comparisons_that_a_class_may_overload_keep_their_value() -> None:
    code = (
        "class Odd:\n"
        "    def __eq__(self, other):\n"
        "        return 'equal'\n"
        "def test_func(arg0):\n"
        "    return Odd() == arg0 and arg0 > 3\n"
    )
    assert run(code, 4)[0] is True
    assert (
        run(
            "class Odd:\n    def __eq__(self, o):\n        return 'e'\n"
            "def test_func(arg0):\n    return arg0 and Odd() == 1\n",
            4,
        )[0]
        == "e"
    )


def test_a_long_chain_of_elif_can_still_be_parsed() -> None:
    chain = "".join(
        f"    {'el' if number else ''}if arg0 == {number}:\n        return {number}\n"
        for number in range(200)
    )
    assert run(f"def test_func(arg0):\n{chain}", 150)[0] == 150
