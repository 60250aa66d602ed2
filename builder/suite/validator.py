"""The text of ``validate_input_args``: a domain written out as plain Python.

It imports nothing, says the same as ``Domain.violation``, and raises TypeError for a wrong type
and ValueError for a wrong value.
"""

import ast
import copy
from collections.abc import Sequence

from builder.intake.source_text import write
from builder.literals import LiteralError, loads
from builder.records import Parameter
from builder.synthesis.conditions import (
    faults,
    fixed_parts,
    loops,
    numbered,
    type_name,
    type_test,
    value_test,
)
from builder.synthesis.domain import AnyLiteral, Domain, Kind, Union

TARGET = "test_func"
VALIDATOR = "validate_input_args"
_INDENT = "    "


def write_validator(domain: Domain, parameters: Sequence[Parameter]) -> str:
    """Write a function that takes what the method takes and raises unless it is in the domain.

    Args:
        domain: what the arguments may be.
        parameters: those of the method. A default is always allowed, also outside the domain.
    """
    signature: list[str] = []
    body: list[str] = []
    for index, parameter in enumerate(parameters):
        name, default = parameter.name, parameter.default
        kind = domain.kind_at(index)
        if parameter.variadic:
            signature.append(f"*{name}")
            body += _checks_of_each(kind, name, "item", f"an argument of *{name}", 0)
            continue
        checks = _checks(kind, name, name, 0)
        if default is not None and checks and not _is_inside(default, kind):
            checks = [_unless_default(name, default), *_indented(checks)]
        signature.append(name if default is None else f"{name}={default}")
        body += checks
    header = f"def {VALIDATOR}({', '.join(signature)}):"
    return "\n".join([header, *_indented(body or ["pass"])]) + "\n"


def _is_inside(literal: str, kind: Kind) -> bool:
    try:
        return kind.contains(loads(literal))
    except LiteralError:
        return False


def _unless_default(name: str, default: str) -> str:
    different = "is not" if default in ("None", "True", "False") else "!="
    return f"if {name} {different} {default}:"


def _checks(kind: Kind, value: str, place: str, depth: int) -> list[str]:
    """Write statements that raise unless the expression ``value`` is of ``kind``."""
    if isinstance(kind, AnyLiteral):
        return []
    if isinstance(kind, Union):
        return _checks_of_union(kind, value, place, depth)
    wrong_type = _raise_type(value, place, type_name(kind))
    test = f"if {type_test(kind, value, wanted=False)}:"
    return [test, *_indented(wrong_type), *_value_checks(kind, value, place, depth)]


def _value_checks(kind: Kind, value: str, place: str, depth: int) -> list[str]:
    """Write the statements for a value that is known to have the right type."""
    lines: list[str] = []
    for test, words in faults(kind, value):
        lines += [f"if {test}:", *_indented([f"raise ValueError({f'{place} {words}'!r})"])]
    for part, values, name, words in loops(kind, value):
        lines += _checks_of_each(part, values, name, f"{words} of {place}", depth)
    for part, expression, words in fixed_parts(kind, value):
        lines += _checks(part, expression, f"{words} of {place}", depth)
    return lines


def _checks_of_each(kind: Kind, values: str, name: str, place: str, depth: int) -> list[str]:
    one = numbered(name, depth)
    checks = _checks(kind, one, place, depth + 1)
    return [f"for {one} in {values}:", *_indented(checks)] if checks else []


def _checks_of_union(kind: Union, value: str, place: str, depth: int) -> list[str]:
    """Write one branch for each type that needs a closer look, and one for all wrong types."""
    if any(isinstance(option, AnyLiteral) for option in kind.options):
        return []
    by_type: dict[str, list[Kind]] = {}
    for option in kind.options:
        by_type.setdefault(type_name(option), []).append(option)
    lines: list[str] = []
    word, wrong = "if", []
    for options in by_type.values():
        checks = _checks_of_options(options, value, place, depth)
        if checks:
            lines += [f"{word} {type_test(options[0], value)}:", *_indented(checks)]
            word = "elif"
        else:
            wrong.append(type_test(options[0], value, wanted=False))
    final = f"{word} {' and '.join(wrong)}:" if wrong else "else:"
    return [*lines, final, *_indented(_raise_type(value, place, str(kind)))]


def _checks_of_options(options: list[Kind], value: str, place: str, depth: int) -> list[str]:
    """Write the statements for a value of the one type that all ``options`` have."""
    if len(options) == 1:
        return _value_checks(options[0], value, place, depth)
    tests = [value_test(option, value, depth) for option in options]
    if not all(tests):
        return []
    words = f"{place} must be {' or '.join(map(str, options))}"
    return [f"if not ({' or '.join(tests)}):", *_indented([f"raise ValueError({words!r})"])]


def _raise_type(value: str, place: str, wanted: str) -> list[str]:
    return [f"raise TypeError({f'{place} must be {wanted}, not '!r} + type({value}).__name__)"]


def _indented(lines: list[str]) -> list[str]:
    return [_INDENT + line for line in lines]


def validated_code(code: str, validator: str) -> str:
    """Join validator and method: the first statement of ``test_func`` calls the validator.

    A recursive method validates only what it is called with from outside: its inner calls may
    leave the domain. So its definition, and that of helpers through which it calls itself, moves
    inside the function that validates.
    """
    module = ast.parse(code)
    functions = [node for node in module.body if isinstance(node, ast.FunctionDef)]
    target = next(node for node in functions if node.name == TARGET)
    arguments = _forwarded(target.args)
    if any(_mentions_target(node) for node in functions if node is not target):
        inner = functions
    else:
        inner = [target] if _mentions_target(target) else []
    outer = copy.copy(target)
    outer.body = ast.parse(f"{VALIDATOR}({arguments})").body
    outer.body += (
        [*inner, *ast.parse(f"return {TARGET}({arguments})").body] if inner else target.body
    )
    place = module.body.index(target)
    above = [node for node in module.body[:place] if node not in inner]
    below = [node for node in module.body[place + 1 :] if node not in inner]
    module.body = [*above, *ast.parse(validator).body, outer, *below]
    return write(ast.fix_missing_locations(module)) + "\n"


def _mentions_target(node: ast.AST) -> bool:
    return any(isinstance(part, ast.Name) and part.id == TARGET for part in ast.walk(node))


def _forwarded(arguments: ast.arguments) -> str:
    names = [argument.arg for argument in arguments.posonlyargs + arguments.args]
    if arguments.vararg:
        names.append(f"*{arguments.vararg.arg}")
    return ", ".join(names)
