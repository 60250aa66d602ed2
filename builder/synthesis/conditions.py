"""Kinds of values as Python expressions: what a validator tests, and with which words."""

import builtins

from builder.synthesis.domain import (
    AnyLiteral,
    Collection,
    Dict,
    Domain,
    Float,
    Int,
    Kind,
    NoneKind,
    Rare,
    Record,
    Sized,
    Str,
    Tuple,
    Union,
)


def type_name(kind: Kind) -> str:
    """Return the name of the one type that the values of a kind have; not for unions."""
    if isinstance(kind, Collection):
        return str(kind.python_type.__name__)
    if isinstance(kind, Dict | Record):
        return "dict"
    return "tuple" if isinstance(kind, Tuple) else str(kind)


def type_test(kind: Kind, value: str, wanted: bool = True) -> str:
    """Write the test whether the expression ``value`` has, or has not, the type of ``kind``."""
    if isinstance(kind, NoneKind):
        return f"{value} is None" if wanted else f"{value} is not None"
    name = type_name(kind)
    if isinstance(kind, Rare) and not hasattr(builtins, name):
        return f"type({value}).__name__ {'==' if wanted else '!='} {name!r}"
    return f"type({value}) is {name}" if wanted else f"type({value}) is not {name}"


def faults(kind: Kind, value: str) -> list[tuple[str, str]]:
    """Return what can be wrong with a value of the right type, its parts left aside.

    Returns:
        Pairs of a test that is true of a wrong value, and how "the value ..." goes on.
    """
    found: list[tuple[str, str]] = []
    if isinstance(kind, Float):
        if not kind.allow_nan:
            found.append((f"{value} != {value}", "must not be nan"))
        if not kind.allow_infinity:
            found.append((f"{value} in (float('inf'), float('-inf'))", "must be finite"))
    if isinstance(kind, Int | Float):
        if kind.low is not None:
            found.append((f"{value} < {kind.low}", f"must be at least {kind.low}"))
        if kind.high is not None:
            found.append((f"{value} > {kind.high}", f"must be at most {kind.high}"))
    if isinstance(kind, Str) and kind.alphabet is not None:
        test = f"not set({value}) <= set({kind.alphabet!r})"
        found.append((test, f"must hold no other characters than {kind.alphabet!r}"))
    if isinstance(kind, Sized):
        if kind.min_size > 0:
            words = f"must have a length of at least {kind.min_size}"
            found.append((f"len({value}) < {kind.min_size}", words))
        if kind.max_size is not None:
            words = f"must have a length of at most {kind.max_size}"
            found.append((f"len({value}) > {kind.max_size}", words))
    if isinstance(kind, Tuple):
        size = len(kind.elements)
        found.append((f"len({value}) != {size}", f"must have a length of {size}"))
    if isinstance(kind, Record):
        keys = ", ".join(repr(key) for key, _ in kind.items)
        test = f"set({value}) != {{{keys}}}" if keys else value
        found.append((test, f"must have the keys {keys}"))
    return found


def loops(kind: Kind, value: str) -> list[tuple[Kind, str, str, str]]:
    """Return what has to hold for any number of parts.

    Returns:
        Tuples of the kind of the parts, an expression that gives them, a name for one of them,
        and what one is called in words.
    """
    if isinstance(kind, Collection):
        return [(kind.element, value, "item", "an element")]
    if isinstance(kind, Dict):
        return [
            (kind.key, value, "key", "a key"),
            (kind.value, f"{value}.values()", "item", "a value"),
        ]
    return []


def fixed_parts(kind: Kind, value: str) -> list[tuple[Kind, str, str]]:
    """Return the kinds of single parts, expressions that give them, and their names in words."""
    if isinstance(kind, Tuple):
        return [
            (element, f"{value}[{index}]", f"element {index}")
            for index, element in enumerate(kind.elements)
        ]
    if isinstance(kind, Record):
        return [(part, f"{value}[{key!r}]", repr(key)) for key, part in kind.items]
    return []


def value_test(kind: Kind, value: str, depth: int = 0) -> str:
    """Write the test whether a value of the right type is inside; empty if every one is."""
    tests = [_negated(test) for test, _ in faults(kind, value)]
    for part, values, name, _ in loops(kind, value):
        one = numbered(name, depth)
        inner = full_test(part, one, depth + 1)
        if inner:
            tests.append(f"all({inner} for {one} in {values})")
    for part, expression, _ in fixed_parts(kind, value):
        inner = full_test(part, expression, depth)
        if inner:
            tests.append(inner)
    return " and ".join(tests)


def _negated(test: str) -> str:
    return test.removeprefix("not ") if test.startswith("not ") else f"not {test}"


def full_test(kind: Kind, value: str, depth: int = 0) -> str:
    """Write the test whether any value is inside; empty if every one is."""
    if isinstance(kind, AnyLiteral):
        return ""
    if isinstance(kind, Union):
        options = [full_test(option, value, depth) for option in kind.options]
        return f"({' or '.join(options)})" if all(options) else ""
    tests = [type_test(kind, value), value_test(kind, value, depth)]
    return " and ".join(test for test in tests if test)


def numbered(name: str, depth: int) -> str:
    """Return a name for a loop's variable that differs from those of the loops around it."""
    return name if depth == 0 else f"{name}{depth + 1}"


def domain_test(domain: Domain, arguments: str) -> str:
    """Write the test whether a tuple of arguments is inside; ``arguments`` is its name."""
    count, required = len(domain.parameters), domain.required
    tests = [f"len({arguments}) >= {required}"]
    if domain.variadic is None:
        tests.append(f"len({arguments}) <= {count}")
    else:
        inner = full_test(domain.variadic, "one")
        tests += [f"all({inner} for one in {arguments}[{count}:])"] if inner else []
    for index, kind in enumerate(domain.parameters):
        inner = full_test(kind, f"{arguments}[{index}]")
        optional = f"len({arguments}) <= {index} or " if index >= required else ""
        tests += [f"({optional}{inner})"] if inner else []
    return " and ".join(tests)
