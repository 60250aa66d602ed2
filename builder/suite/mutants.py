"""All first-order mutants of a method, compiled and ready to be tried."""

import ast
import marshal
import warnings
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from functools import lru_cache
from types import CodeType
from typing import Any

from builder.sandbox.scales import COPIED
from builder.suite.mutation.finder import Finder, Mutant
from builder.synthesis.probes import unused
from builder.synthesis.weights import grown_name, heavy_values

Insertion = tuple[int, str]
"""Offset in bytes, and a text."""
Weight = tuple[int, int, int]
"""Where an expression starts and ends, in bytes, and by which shift it is weighed."""
_CLOSING, _BETWEEN, _OPENING, _INSIDE = range(4)
"""The order of what is written at one and the same place."""


@dataclass(frozen=True, slots=True)
class Mutation:
    """A method and its mutants, each compiled once. The programs are marshalled code."""

    mutants: tuple[Mutant, ...]
    programs: tuple[bytes, ...] = field(repr=False)
    """For each mutant the module. It calls ``tick`` in every turn of a loop or comprehension, and
    in every call of a function, and ``weigh`` with what builtins work on."""
    original: bytes = field(repr=False)
    """The method; it also calls ``visit`` with the line of each mutant's place."""
    tick: str
    visit: str
    weigh: str


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
    tick, visit, weigh = (unused(name, code) for name in ("_tick", "_visit", "_weigh"))
    editor = _Editor(finder, weigh, _weights(finder))
    probes = [editor.line(body.lineno, f"{tick}()") for body in finder.bodies]
    probes += [(place, f" if not {tick}()") for place in finder.comprehended]
    probes += [
        editor.line(node.lineno, f"{weigh}({name}, {COPIED})")
        for node in ast.walk(finder.tree)
        if isinstance(node, ast.stmt) and (name := grown_name(node))
    ]
    places = sorted({mutant.place for mutant in finder.mutants if mutant.place})
    visits = [editor.line(place, f"{visit}({place})") for place in places]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", SyntaxWarning)
        original = compile(editor.edited(visits + probes), "mutant", "exec")
        known = {_normal_form(compile(editor.edited(probes), "mutant", "exec"))}
        mutants: list[Mutant] = []
        programs: list[bytes] = []
        for mutant in finder.mutants:
            try:
                program = compile(editor.edited(probes, mutant), "mutant", "exec")
            except SyntaxError:
                continue
            form = _normal_form(program)
            if form not in known:
                known.add(form)
                mutants.append(mutant)
                programs.append(marshal.dumps(program))
    return Mutation(tuple(mutants), tuple(programs), marshal.dumps(original), tick, visit, weigh)


class _Editor:
    """Writes probes and faults into the text of a method."""

    def __init__(self, finder: Finder, weigh: str, weights: Iterable[Weight]) -> None:
        self._finder, self._weigh = finder, weigh
        self._weights = tuple(weights)

    def line(self, line: int, statement: str) -> Insertion:
        """Return the insertion of a statement before the one on ``line``."""
        return self._finder.line_start(line), f"{self._finder.indentation(line)}{statement}\n"

    def edited(self, insertions: Iterable[Insertion], mutant: Mutant | None = None) -> bytes:
        """Return the code with probes and a fault built in; what that swallows is left out."""
        edits = [(place, _BETWEEN, 0, place, text) for place, text in insertions]
        weights: Iterable[Weight] = self._weights
        if mutant is not None:
            edits = [edit for edit in edits if not mutant.start < edit[0] < mutant.end]
            weights = [weight for weight in weights if not _is_torn(weight, mutant)]
            rank = _BETWEEN if mutant.start == mutant.end else _INSIDE
            edits.append((mutant.start, rank, 0, mutant.end, self._text(mutant)))
        for start, end, shift in weights:
            edits.append((start, _OPENING, 0, start, f"{self._weigh}("))
            edits.append((end, _CLOSING, -start, end, f", {shift})"))
        parts: list[bytes] = []
        done = 0
        for start, _, _, end, text in sorted(edits):
            parts += [self._finder.data[done:start], text.encode()]
            done = end
        return b"".join([*parts, self._finder.data[done:]])

    def _text(self, mutant: Mutant) -> str:
        """Return what a mutant puts in, weighed where numbers may grow as the method's do not."""
        if mutant.operator not in ("arithmetic", "swapped operands"):
            return mutant.text
        if mutant.text.startswith("("):
            return f"{self._weigh}({mutant.text}, {COPIED})"
        name = mutant.text.partition(" ")[0]
        if not name.isidentifier():
            return mutant.text
        return (
            f"{self._weigh}({name}, {COPIED})\n{self._finder.indentation(mutant.line)}{mutant.text}"
        )


def _weights(finder: Finder) -> Iterator[Weight]:
    """Yield what is to be weighed, but for parts of f-strings, whose places are not known."""
    unplaced = {
        part
        for node in ast.walk(finder.tree)
        if isinstance(node, ast.JoinedStr)
        for part in ast.walk(node)
    }
    for value, shift in heavy_values(finder.tree).items():
        if value not in unplaced:
            yield *finder.span(value), shift


def _is_torn(weight: Weight, mutant: Mutant) -> bool:
    """Whether a fault replaces a weighed expression, or only one end of it."""
    start, end, _ = weight
    is_apart = end <= mutant.start or mutant.end <= start
    is_around = start <= mutant.start and mutant.end <= end and (start, end) != mutant.span
    return not is_apart and not is_around


def _normal_form(code: CodeType) -> Any:
    """Return what two compiled programs have in common exactly when they do the same steps."""
    constants = tuple(
        _normal_form(value) if isinstance(value, CodeType) else (type(value), repr(value))
        for value in code.co_consts
    )
    names = (code.co_names, code.co_varnames, code.co_freevars, code.co_cellvars)
    return (code.co_code, constants, names, code.co_argcount, code.co_flags, code.co_exceptiontable)
