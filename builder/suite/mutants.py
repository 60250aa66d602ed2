"""All first-order mutants of a method, compiled and ready to be tried."""

import marshal
import warnings
from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import lru_cache
from types import CodeType
from typing import Any

from builder.suite.mutation.finder import Finder, Mutant

Insertion = tuple[int, str]
"""Offset in bytes, and a text."""


@dataclass(frozen=True, slots=True)
class Mutation:
    """A method and its mutants, each compiled once. The programs are marshalled code."""

    mutants: tuple[Mutant, ...]
    programs: tuple[bytes, ...] = field(repr=False)
    """For each mutant the module. It calls ``tick`` in every turn of a loop or comprehension, and
    in every call of a function."""
    original: bytes = field(repr=False)
    """The method; it also calls ``visit`` with the line of each mutant's place."""
    tick: str
    visit: str


@lru_cache(maxsize=2)
def mutate(code: str) -> Mutation:
    """Make the mutants of a method, in the order of its text.

    A mutant that compiles to the same instructions as the method or as an earlier mutant is left
    out: it is the same program.

    Args:
        code: one statement a line, as the anonymiser writes it.

    Raises:
        SyntaxError: the code does not parse.
    """
    finder = Finder(code)
    tick, visit = _unused("_tick", code), _unused("_visit", code)
    ticks = [_line(finder, body.lineno, f"{tick}()") for body in finder.bodies]
    ticks += [(place, f" if not {tick}()") for place in finder.comprehended]
    places = sorted({mutant.place for mutant in finder.mutants if mutant.place})
    visits = [_line(finder, place, f"{visit}({place})") for place in places]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", SyntaxWarning)
        original = compile(_edited(finder.data, visits + ticks), "mutant", "exec")
        known = {_normal_form(compile(_edited(finder.data, ticks), "mutant", "exec"))}
        mutants: list[Mutant] = []
        programs: list[bytes] = []
        for mutant in finder.mutants:
            try:
                program = compile(_edited(finder.data, ticks, mutant), "mutant", "exec")
            except SyntaxError:
                continue
            form = _normal_form(program)
            if form not in known:
                known.add(form)
                mutants.append(mutant)
                programs.append(marshal.dumps(program))
    return Mutation(tuple(mutants), tuple(programs), marshal.dumps(original), tick, visit)


def _unused(name: str, code: str) -> str:
    while name in code:
        name += "_"
    return name


def _line(finder: Finder, line: int, statement: str) -> Insertion:
    """Return the insertion of a statement before the one on ``line``."""
    return finder.line_start(line), f"{finder.indentation(line)}{statement}\n"


def _edited(data: bytes, insertions: Iterable[Insertion], mutant: Mutant | None = None) -> bytes:
    """Return the code with lines inserted and a fault built in; what it swallows is left out."""
    edits = [(place, place, text) for place, text in insertions]
    if mutant is not None:
        edits = [edit for edit in edits if not mutant.start < edit[0] < mutant.end]
        edits.append((mutant.start, mutant.end, mutant.text))
    parts: list[bytes] = []
    done = 0
    for start, end, text in sorted(edits, key=lambda edit: edit[:2]):
        parts += [data[done:start], text.encode()]
        done = end
    return b"".join([*parts, data[done:]])


def _normal_form(code: CodeType) -> Any:
    """Return what two compiled programs have in common exactly when they do the same steps."""
    constants = tuple(
        _normal_form(value) if isinstance(value, CodeType) else (type(value), repr(value))
        for value in code.co_consts
    )
    names = (code.co_names, code.co_varnames, code.co_freevars, code.co_cellvars)
    return (code.co_code, constants, names, code.co_argcount, code.co_flags, code.co_exceptiontable)
