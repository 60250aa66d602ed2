"""Type-aware mutation and crossover of argument tuples.

Every operation keeps types; whoever calls checks the result against the domain.
"""

import random
from collections.abc import Callable, Iterator
from typing import Any, TypeVar

from builder.literals import dumps
from builder.synthesis.compose import Arguments, draw, related
from builder.synthesis.constants import Constants
from builder.synthesis.domain import (
    Bool,
    Bytes,
    Collection,
    Dict,
    Domain,
    Float,
    Int,
    Kind,
    Record,
    Str,
    Tuple,
    Union,
)

Scalar = TypeVar("Scalar", int, float, str)
LONGEST_DOUBLED = 12
"""Longer sequences are not made twice as long."""
_CHARACTER = Str(1, 1)
_LETTERS = "abcxyzABCXYZ"
_SIGNS = " 0123456789.,!?-_()[]{}"


class Mutator:
    """Makes new argument tuples from old ones; its choices come from ``source`` alone."""

    def __init__(self, domain: Domain, constants: Constants, source: random.Random) -> None:
        self.domain = domain
        self.constants = constants
        self.source = source
        self.nearby: list[Any] = []
        """Scalars of the arguments that are being changed."""
        self._turn = 0

    def mutate(self, arguments: Arguments) -> Arguments:
        """Change one or two arguments, or the number of them where that is free."""
        if self.source.random() < 0.15:
            changed = self._change_count(arguments)
            if changed != arguments:
                return changed
        values = list(arguments)
        self.nearby = list(_scalars(arguments))
        if len(values) > 1 and self.source.random() < 0.1:
            first, second = self.source.sample(range(len(values)), 2)
            values[first], values[second] = values[second], values[first]
            if self.domain.contains(tuple(values)):
                return tuple(values)
            values = list(arguments)
        for _ in range(1 if self.source.random() < 0.7 else 2):
            if values:
                index = self.source.randrange(len(values))
                kind = self.domain.kind_at(index)
                if self.source.random() < 0.2:
                    values[index] = related(values, index, kind, self.source)
                else:
                    values[index] = self.value(values[index], kind)
        return tuple(values)

    def cross(self, first: Arguments, second: Arguments) -> Arguments:
        """Take each argument from one of two parents, and splice those of the same type."""
        child = list(self.source.choice((first, second)))
        for index, (left, right) in enumerate(zip(first, second, strict=False)):
            if type(left) is type(right) and self.source.random() < 0.5:
                child[index] = self._splice(left, right)
            elif index < len(child):
                child[index] = self.source.choice((left, right))
        return tuple(child)

    def fresh(self, kind: Kind) -> Any:
        """A value of the kind's pool, or one that occurs elsewhere in the arguments."""
        if self.nearby and self.source.random() < 0.2:
            value = self.source.choice(self.nearby)
            if kind.contains(value):
                return value
        return draw(kind, self.source)

    def constant(self, kind: Kind) -> Any:
        """A value made of the constants of the code where there are any of its type."""
        source = self.source
        match kind:
            case Int() if self.constants.ints:
                return self._next(self.constants.ints)
            case Float() if self.constants.floats:
                return self._next(self.constants.floats)
            case Str() if self.constants.texts:
                return self._constant_text()
            case Union(options=options):
                return self.constant(source.choice(options))
            case Tuple(elements=elements):
                return tuple(self.constant(element) for element in elements)
            case Collection(element=element):
                count = kind.min_size + source.randint(0, 4)
                items = [self.constant(element) for _ in range(count)]
                return kind.python_type(items)
            case Dict(key=key, value=value):
                count = kind.min_size + source.randint(0, 3)
                return {self.constant(key): self.constant(value) for _ in range(count)}
            case Record(items=items):
                return {name: self.constant(inner) for name, inner in items}
        return self.fresh(kind)

    def _constant_text(self) -> str:
        """One constant, or several joined, or one inside a drawn text."""
        source, texts = self.source, self.constants.texts
        shape = source.randrange(4)
        if shape == 0:
            return self._next(texts)
        if shape == 1:
            joint = source.choice(("", "", " "))
            return joint.join(self._next(texts) for _ in range(source.randint(2, 4)))
        around = str(self.fresh(Str()))
        place = source.randint(0, len(around))
        return around[:place] + self._next(texts) + around[place:]

    def _next(self, constants: tuple[Scalar, ...]) -> Scalar:
        """Go through the constants in turn, so that each comes up; now and then jump ahead."""
        self._turn += self.source.choice((1, 1, 1, 2))
        return constants[self._turn % len(constants)]

    def _change_count(self, arguments: Arguments) -> Arguments:
        domain = self.domain
        most = len(domain.parameters) if domain.variadic is None else len(arguments) + 1
        choices = []
        if len(arguments) > max(domain.required, 1):
            choices.append(arguments[:-1])
        if len(arguments) < most:
            choices.append((*arguments, self.fresh(domain.kind_at(len(arguments)))))
        return self.source.choice(choices) if choices else arguments

    def value(self, value: Any, kind: Kind) -> Any:
        """Change one value a little, or replace it."""
        if isinstance(kind, Union):
            options = [option for option in kind.options if option.contains(value)]
            if not options or self.source.random() < 0.2:
                return self.fresh(kind)
            kind = options[0]
        if self.source.random() < 0.1 or not kind.contains(value):
            return self.fresh(kind)
        if isinstance(kind, Int | Float | Str) and self.source.random() < 0.15:
            same = [other for other in self.nearby if kind.contains(other)]
            if same:
                return self.source.choice(same)
        match kind:
            case Bool():
                return not value
            case Int():
                return self._int(value)
            case Float():
                return self._float(value)
            case Str():
                return self._text(value)
            case Bytes():
                return bytes(item % 256 for item in self._items(list(value), Int(0, 255)))
            case Tuple(elements=elements) if elements:
                place = self.source.randrange(len(elements))
                items = list(value)
                items[place] = self.value(items[place], elements[place])
                return tuple(items)
            case Collection():
                items = list(value) if isinstance(value, list | tuple) else sorted(value, key=dumps)
                return kind.python_type(self._items(items, kind.element))
            case Dict():
                return self._dict(value, kind)
            case Record(items=fields) if fields:
                key, inner = self.source.choice(fields)
                return {**value, key: self.value(value[key], inner)}
        return self.fresh(kind)

    def _int(self, value: int) -> int:
        pick = self.source.choice
        if self.constants.ints and self.source.random() < 0.3:
            return self._next(self.constants.ints)
        step = pick((1, 1, 2, 3, 10, 100))
        return pick(
            (value + step, value - step, -value, value * 2, value // 2, value * 10, value // 10)
        )

    def _float(self, value: float) -> float:
        pick = self.source.choice
        if self.constants.floats and self.source.random() < 0.3:
            return self._next(self.constants.floats)
        step = pick((0.5, 1.0, 0.25, 10.0))
        if abs(value) > 1e12:
            return step
        changed = (value + step, value - step, -value, value * 2, value / 2, float(round(value)))
        return round(pick(changed), 6)

    def _text(self, value: str) -> str:
        source = self.source
        if self.constants.texts and source.random() < 0.3:
            piece = self._next(self.constants.texts)
            if source.random() < 0.2:
                return piece
            place = source.randint(0, len(value))
            keep = place + source.randint(0, 1)
            return value[:place] + piece + value[keep:]
        if " " in value and source.random() < 0.3:
            return " ".join(self._items(value.split(" "), Str(1)))
        characters = self._items(list(value), _CHARACTER)
        if source.random() < 0.15:
            change: Callable[[str], str] = source.choice(
                (str.upper, str.lower, str.swapcase, str.title, str.strip)
            )
            return change(value)
        return "".join(characters)

    def _element(self, items: list[Any], kind: Kind) -> Any:
        if kind == _CHARACTER:
            near = items or ["a"]
            return self.source.choice(
                (self.source.choice(near), self.source.choice(_LETTERS + _SIGNS))
            )
        if items and self.source.random() < 0.5:
            return self.value(self.source.choice(items), kind)
        return self.fresh(kind)

    def _items(self, items: list[Any], kind: Kind) -> list[Any]:
        """Change a sequence: insert, delete, replace, repeat, swap, reverse, sort, cut."""
        source = self.source
        if not items:
            return [self._element(items, kind) for _ in range(source.randint(1, 3))]
        place, other = source.randrange(len(items)), source.randrange(len(items))
        match source.randrange(11):
            case 0 | 1:
                items.insert(place, self._element(items, kind))
            case 2:
                del items[place]
            case 3 | 4:
                items[place] = (
                    self._element(items, kind)
                    if kind == _CHARACTER
                    else self.value(items[place], kind)
                )
            case 5:
                items.insert(other, _reversed_or_same(items[place], source))
            case 6:
                items[place], items[other] = items[other], items[place]
            case 7:
                items[place] = items[other]
            case 8 if len(items) <= LONGEST_DOUBLED:
                items = items + items[place:] + items[:place]
            case 8 | 9:
                items = items[min(place, other) : max(place, other) + 1]
            case _:
                items = items[::-1] if source.random() < 0.5 else sorted(items, key=_order)
        return items

    def _dict(self, value: dict[Any, Any], kind: Dict) -> dict[Any, Any]:
        source = self.source
        items = list(value.items())
        choice = source.randrange(4) if items else 0
        if choice == 0:
            near = items[0][1] if items and source.random() < 0.5 else self.fresh(kind.value)
            return {**value, self.fresh(kind.key): near}
        place = source.randrange(len(items))
        key, inner = items[place]
        if choice == 1:
            del items[place]
        elif choice == 2:
            items[place] = (key, self.value(inner, kind.value))
        else:
            items[place] = (self.value(key, kind.key), inner)
        return dict(items)

    def _splice(self, left: Any, right: Any) -> Any:
        if isinstance(left, str | list | tuple):
            return (
                left[: self.source.randint(0, len(left))]
                + right[self.source.randint(0, len(right)) :]
            )
        if isinstance(left, dict):
            return {**left, **right}
        return (
            left | right if isinstance(left, set | frozenset) else self.source.choice((left, right))
        )


def _reversed_or_same(value: Any, source: random.Random) -> Any:
    is_sequence = isinstance(value, list | tuple | str)
    return value[::-1] if is_sequence and source.random() < 0.5 else value


def _scalars(value: Any) -> Iterator[Any]:
    if isinstance(value, list | tuple):
        for item in value:
            yield from _scalars(item)
    elif isinstance(value, dict):
        yield from value
        yield from _scalars(list(value.values()))
    elif not isinstance(value, set | frozenset):
        yield value


def _order(value: Any) -> tuple[str, Any]:
    """A total order over mixed values: numbers by size, all else by text."""
    if isinstance(value, int | float):
        return ("", value)
    return (type(value).__name__, value if isinstance(value, str) else dumps(value))
