"""Random small programs that try every rule of scoping, for Hypothesis."""

import ast
import warnings
from random import Random

from hypothesis import HealthCheck, settings
from hypothesis import strategies as st

LAW = settings(
    derandomize=True,
    database=None,
    deadline=None,
    suppress_health_check=list(HealthCheck),
)
"""Settings of the laws that run over programs."""

_NAMES = ["a", "b", "alpha", "beta", "arg0", "helper0", "var0", "test_func", "inner", "other"]
_FUNCTIONS = ["inner", "other", "alpha", "helper0"]


class _Author:
    """Writes one program."""

    def __init__(self, seed: int) -> None:
        self.random = Random(seed)

    def name(self) -> str:
        return self.random.choice(_NAMES)

    def expression(self, depth: int = 2) -> str:
        if depth == 0 or self.random.random() < 0.4:
            return self.random.choice([self.name(), self.name(), str(self.random.randrange(9))])
        one, two = self.expression(depth - 1), self.expression(depth - 1)
        name, other, function = self.name(), self.name(), self.random.choice(_FUNCTIONS)
        return self.random.choice(
            [
                f"({name} := {one})",
                f"[{one} for {name} in ({two}, 5)]",
                f"[({name}, {one}) for {name} in [1, 2] for {other} in [{name}] if {two}]",
                f"{{{name}: ({other} := {one}) for {name} in (1, 2)}}",
                f"(lambda {name}, x={one}: ({name}, {two}))({one})",
                f"(lambda {name}: {one})({name}={two})",
                f"f'{{{name}}}-{{{other}!r:>{{9}}}}'",
                f"({one}, {two})",
                f"{function}({one}, {name}={two})",
                f"{function}({one})",
            ]
        )

    def simple(self) -> str:
        name, value = self.name(), self.expression()
        return self.random.choice(
            [
                f"{name} = {value}",
                f"{name} = {value}",
                f"{name}, {self.name()} = {value}, 1",
                f"{name} += {value}",
                f"{name}: {self.name()} = {value}",
                f"del {name}",
                f"import math as {name}",
                f"return {value}",
                value,
            ]
        )

    def block(self, depth: int, outer: list[str]) -> str:
        """Write statements inside functions whose parameters are ``outer``."""
        lines: list[str] = []
        for _ in range(self.random.randint(1, 3)):
            is_simple = depth == 0 or self.random.random() < 0.3
            lines.append(self.simple() if is_simple else self.compound(depth - 1, outer))
        return "\n".join(lines)

    def function(self, name: str, depth: int, outer: list[str]) -> str:
        own = self.random.sample(_NAMES, 2)
        lines: list[str] = []
        for kind, known in (("nonlocal", outer), ("global", _NAMES)):
            free = [one for one in known if one not in own + "".join(lines).split()]
            if free and self.random.random() < 0.4:
                lines.append(f"{kind} {self.random.choice(free)}")
        lines.append(self.block(depth, [*outer, *own]))
        lines.append(f"return ({own[0]}, {self.name()}, {self.expression()})")
        signature = self.random.choice(
            [
                f"{own[0]}, {own[1]}={self.expression()}",
                f"{own[0]}, *, {own[1]}={self.expression()}",
                f"{own[0]}, *{own[1]}, **more",
            ]
        )
        return f"def {name}({signature}):\n{_indent(chr(10).join(lines))}"

    def compound(self, depth: int, outer: list[str]) -> str:
        name, function = self.name(), self.random.choice(_FUNCTIONS)
        inside = _indent(self.block(depth, outer))
        other = _indent(self.block(depth, outer))
        kind = self.random.randrange(7)
        if kind <= 2:
            return self.function(function, depth, outer)
        if kind == 3:
            return f"class {function}:\n{_indent(self.name() + ' = 5')}\n{inside}"
        if kind == 4:
            return f"for {name} in (1, 2):\n{inside}\nelse:\n{other}"
        if kind == 5:
            return f"try:\n{inside}\nexcept Exception as {name}:\n{other}"
        patterns = f"case [{name}, *{self.name()}]:\n        pass\n    case {{'k': 1, **{name}}}"
        return f"match {self.expression()}:\n    {patterns}:\n{_indent(inside)}"


def _indent(block: str) -> str:
    return "\n".join("    " + line for line in block.split("\n"))


def _compiles(text: str) -> bool:
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            compile(ast.parse(text), "<program>", "exec")
    except SyntaxError:
        return False
    return True


def _program(seed: int) -> str:
    author = _Author(seed)
    while not _compiles(text := _module(author)):
        pass
    return text


def _module(author: _Author) -> str:
    lines = [f"{name} = {number}" for number, name in enumerate(_NAMES)]
    lines += [author.function(author.random.choice(_FUNCTIONS), 1, [])]
    lines += [author.function("target", 2, [])]
    return "\n".join(lines) + "\n"


PROGRAMS = st.integers(min_value=0, max_value=2**32).map(_program)
"""Modules with variables, a helper and the function ``target``; no name is undefined."""
