"""Makes new argument tuples from old ones. Runs in the sandbox behind ``trial``.

Every value keeps its type. Nothing is known here of the domain: whoever asks for a tuple checks
it. It imports nothing of ours, and depends on its source of random choices alone.
"""

from collections.abc import Callable, Sequence
from random import Random
from typing import Any, ClassVar, TypeVar

Value = TypeVar("Value")

LETTERS = "abcxyzABC 0123456789.,-_!?"
FARTHEST = 10**6
"""Numbers beyond it are made smaller, not larger."""


class Breeder:
    """Changes argument tuples."""

    def __init__(
        self,
        source: Random,
        pools: Sequence[Sequence[Any]],
        numbers: Sequence[float],
        texts: Sequence[str],
    ) -> None:
        """Take what new values are made of.

        Args:
            source: of all choices.
            pools: for each place of an argument typical values; they are not changed.
            numbers: constants of the code and their neighbours.
            texts: the same for texts.
        """
        self._random = source.random
        self._pools = pools
        self._known: dict[type, list[Any]] = {
            int: [value for value in numbers if type(value) is int] or [0],
            float: [value for value in numbers if type(value) is float] or [0.0],
            str: list(texts),
        }
        self._parent: Sequence[Any] = ()
        self._near: dict[type, list[Any]] | None = None

    def pick(self, values: Sequence[Value]) -> Value:
        """Choose one of some values."""
        return values[int(self._random() * len(values))]

    def child(self, parent: Sequence[Any], other: Callable[[], Sequence[Any]]) -> tuple[Any, ...]:
        """Make a tuple out of ``parent``, now and then with an argument of another tuple.

        The child may share parts with both.
        """
        self._parent, self._near = parent, None
        values = list(parent)
        if not values:
            return tuple(other())
        for _ in range(1 if self._random() < 0.6 else 2):
            place = int(self._random() * len(values))
            way = self._random()
            if way < 0.1:
                values[place : place + 1] = other()[place : place + 1] or [values[place]]
            elif way < 0.2 and place < len(self._pools) and self._pools[place]:
                values[place] = self.pick(self._pools[place])
            elif way < 0.25:
                values[place] = self.pick(values)
            elif way < 0.28:
                self._shift(values, place)
            else:
                values[place] = self.changed(values[place])
        return tuple(values)

    def _shift(self, values: list[Any], place: int) -> None:
        """Take from one int what another is given, since a method may ask for their sum."""
        other, amount = int(self._random() * len(values)), self.pick((1, 1, 2, 5, 10, 40))
        if other != place and type(values[place]) is type(values[other]) is int:
            values[place] += amount
            values[other] -= amount
        else:
            values[place] = self.changed(values[place])

    def _scalars(self, kind: type) -> list[Any]:
        """Return the scalars of a type in the tuple that is being changed."""
        if self._near is None:
            self._near = {int: [], float: [], str: []}
            _sort_scalars(list(self._parent), self._near)
        return self._near[kind]

    def changed(self, value: Any) -> Any:
        """Return another value of the same type, if there is a way to one."""
        kind = type(value)
        change = self._WAYS.get(kind)
        return value if change is None else change(self, value)

    def _boolean(self, value: bool) -> bool:
        return not value

    def _integer(self, value: int) -> int:
        way = self._random()
        if not -FARTHEST < value < FARTHEST:
            return value // 1000
        if way < 0.4:
            return value + self.pick((1, -1))
        if way < 0.7:
            near = self._scalars(int) if way < 0.55 else self._known[int]
            return int(self.pick(near or [0])) + self.pick((0, 0, 1, -1))
        if way < 0.85:
            return int(self._random() * 10 ** self.pick((1, 2, 3, 4, 4)))
        return self.pick((-value, 2 * value, value // 2, value + 10, value - 7))

    def _real(self, value: float) -> float:
        way = self._random()
        if not -FARTHEST < value < FARTHEST:
            return 1.5
        if way < 0.5:
            return round(value + self.pick((1.0, -1.0, 0.5, -0.5, 0.25)), 4)
        if way < 0.7:
            return float(self.pick(self._scalars(float) or self._known[float]))
        if way < 0.8:
            return round(self._random() * self.pick((2, 20, 200)), 1)
        return round(self.pick((-value, value * 2, value / 2, float(round(value)))), 4)

    def _text(self, value: str) -> str:
        way = self._random()
        if way < 0.25 and self._known[str]:
            place = int(self._random() * (len(value) + 1))
            skipped = self._random() < 0.5
            return value[:place] + str(self.pick(self._known[str])) + value[place + skipped :]
        if way < 0.33:
            near = str(self.pick(self._scalars(str) or [""]))
            return self.pick((near, value + near, near + value, near[::-1]))
        if way < 0.38:
            return self.pick((value.upper(), value.lower(), value.swapcase(), value.title()))
        if way < 0.5 and " " in value:
            return " ".join(self._rearranged(value.split(" "), self._element))
        return "".join(self._rearranged(list(value), self._character))

    def _character(self, characters: list[Any]) -> str:
        return str(self.pick(characters if characters and self._random() < 0.5 else LETTERS))

    def _element(self, items: list[Any]) -> Any:
        return self.changed(self.pick(items)) if items else 0

    def _list(self, value: list[Any]) -> list[Any]:
        return self._rearranged(list(value), self._element)

    def _set(self, value: set[Any]) -> set[Any]:
        return set(self._list(sorted(value, key=repr)))

    def _frozen_set(self, value: frozenset[Any]) -> frozenset[Any]:
        return frozenset(self._list(sorted(value, key=repr)))

    def _tuple(self, value: tuple[Any, ...]) -> tuple[Any, ...]:
        if value and self._random() < 0.7:
            place = int(self._random() * len(value))
            return (*value[:place], self.changed(value[place]), *value[place + 1 :])
        return tuple(self._list(list(value)))

    def _dict(self, value: dict[Any, Any]) -> dict[Any, Any]:
        items = list(value.items())
        if not items:
            return {}
        place = int(self._random() * len(items))
        key, inner = items[place]
        way = self._random()
        if way < 0.25:
            del items[place]
        elif way < 0.5:
            items[place] = (key, self.changed(inner))
        elif way < 0.75:
            items[place] = (self.changed(key), inner)
        else:
            items.append((self.changed(key), self.pick(items)[1]))
        return dict(items)

    def _rearranged(self, items: list[Any], element: Callable[[list[Any]], Any]) -> list[Any]:
        """Insert, delete, replace, repeat, swap, cut, turn round or sort."""
        if not items:
            return [element(items)]
        way = self._random()
        place, other = int(self._random() * len(items)), int(self._random() * len(items))
        if way < 0.3:
            items[place] = element([items[place]]) if way < 0.2 else element(items)
        elif way < 0.45:
            items.insert(place, element(items))
        elif way < 0.6:
            del items[place]
        elif way < 0.7:
            items.insert(other, items[place])
        elif way < 0.8:
            items[place], items[other] = items[other], items[place]
        elif way < 0.87:
            items[place] = items[other]
        elif way < 0.94:
            items = items[min(place, other) : max(place, other) + 1]
        else:
            items = items[::-1] if way < 0.97 else sorted(items, key=repr)
        return items

    _WAYS: ClassVar[dict[type, Any]] = {
        bool: _boolean,
        int: _integer,
        float: _real,
        str: _text,
        list: _list,
        tuple: _tuple,
        dict: _dict,
        set: _set,
        frozenset: _frozen_set,
    }


def _sort_scalars(value: Any, found: dict[type, list[Any]]) -> None:
    """Collect the scalars inside lists, tuples and dicts by their types."""
    kind = type(value)
    if kind in found:
        found[kind].append(value)
    elif kind in (list, tuple):
        for item in value:
            _sort_scalars(item, found)
    elif kind is dict:
        for pair in value.items():
            _sort_scalars(pair, found)
