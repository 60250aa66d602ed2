"""Evidence on one value: weights for shapes, gathered from what the code does with it."""

from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from builder.synthesis.domain import (
    Bool,
    Bytes,
    Dict,
    Float,
    Int,
    Kind,
    List,
    NoneKind,
    Record,
    Set,
    Str,
    Tuple,
    VariableTuple,
)
from builder.synthesis.from_values import union
from builder.synthesis.parts import parts

Weights = Mapping[str, float]
"""How much an event speaks for each shape; negative: against it."""

DEEPEST = 3
"""Elements of elements of elements are looked at, not more."""
_ABSENT = -3.0
"""Shapes with a lower weight contradict the code."""
MIXED_BONUS = 0.3
"""How much likelier than the best kind alone is the one that also answers the code's tests."""


def weights(**shapes: float) -> Weights:
    """Write weights as keywords."""
    return shapes


def words(text: str) -> frozenset[str]:
    """Write a set of words as text."""
    return frozenset(text.split())


NUMBER = weights(int=1, float=0.9, bool=-2, str=-2, list=-2, tuple=-2, dict=-4, set=-3)
WHOLE: Weights = {**NUMBER, "int": 2, "float": 0.5}
REAL: Weights = {**NUMBER, "float": 2}
INDEX: Weights = {**NUMBER, "int": 3, "float": -3}
TEXT = weights(str=3, int=-4, float=-4, list=-3, tuple=-3, dict=-4, set=-4, bool=-4, bytes=-1)
ITERATED: Weights = {
    **weights(list=1, str=0.8, tuple=0.6, dict=0.2, set=0.4, bytes=-1),
    **weights(int=-5, float=-5, bool=-5),
}
SIZED: Weights = {**ITERATED, "dict": 0.3}
INDEXED: Weights = {**ITERATED, "set": -5, "dict": 0.3}
SEQUENCE: Weights = {**ITERATED, "set": -5, "dict": -5}
CHANGED_LIST: Weights = {**SEQUENCE, "list": 3, "str": -5, "tuple": -5}
MAPPING = weights(dict=4, list=-3, str=-4, tuple=-4, set=-4, int=-5, float=-5)
GROUP = weights(set=3, list=-1, str=-3, tuple=-3, int=-4, float=-4, dict=-3)
FLAG = weights(bool=2)
TRUTH = weights(bool=0.3)


@dataclass(eq=False, slots=True)
class Use:
    """What the code does with one value, and with the values inside it."""

    weights: dict[str, float] = field(default_factory=lambda: defaultdict(float))
    element: "Use | None" = None
    """What iterating or indexing by a number gives."""
    key: "Use | None" = None
    value: "Use | None" = None
    """What looking up by a key gives."""
    fields: dict[str, "Use"] = field(default_factory=dict)
    """What looking up by a constant string gives."""
    places: "list[Use]" = field(default_factory=list)
    """What unpacking into several names gives."""
    peers: "list[Use]" = field(default_factory=list)
    """Values that it is compared or added to, so that they are of its kind."""
    tested: set[str] = field(default_factory=set)
    """Shapes that the code asks for by ``isinstance`` or ``is None``."""

    def mark(self, weights: Weights, times: float = 1) -> "Use":
        """Add an event."""
        for shape, weight in weights.items():
            self.weights[shape] += weight * times
        return self

    def get_element(self) -> "Use":
        """What iterating gives; made when it is first asked for."""
        if self.element is None:
            self.element = self.key or Use()
        return self.element

    def get_key(self) -> "Use":
        """What the keys of a dict are; the same as its elements."""
        if self.key is None:
            self.key = self.element or Use()
        return self.key

    def get_value(self) -> "Use":
        """What the values of a dict are."""
        if self.value is None:
            self.value = Use()
        return self.value

    def get_field(self, name: str) -> "Use":
        """What looking up a constant string gives."""
        return self.fields.setdefault(name, Use())

    def get_places(self, count: int) -> "list[Use]":
        """What unpacking into ``count`` names gives."""
        while len(self.places) < count:
            self.places.append(Use())
        return self.places[:count]

    def pair_with(self, other: "Use") -> None:
        """Note that two values are of one kind."""
        self.peers.append(other)
        other.peers.append(self)

    def total(self, shape: str) -> float:
        """Weight of a shape, that of the peers included at half."""
        return self.weights.get(shape, 0) + sum(
            0.5 * peer.weights.get(shape, 0) for peer in self.peers if peer is not self
        )


def ranked_kinds(use: Use | None, depth: int = 0, most: int = 6) -> list[tuple[Kind, float]]:
    """Kinds that agree with the evidence, likeliest first, with their weights."""
    use = use or Use()
    found = sorted(_scored_kinds(use, depth), key=lambda scored: -scored[1])
    ranked = {kind: score for kind, score, _ in reversed(found)}
    if use.tested and found:
        ranked[_mixed(found, use.tested)] = found[0][1] + MIXED_BONUS
    return sorted(ranked.items(), key=lambda pair: -pair[1])[:most]


def plain_kinds(shapes: set[str]) -> list[Kind]:
    """Give a plain kind for each shape, in alphabetical order."""
    return [_PLAIN_KINDS[shape] for shape in sorted(shapes)]


def _mixed(found: list[tuple[Kind, float, str]], tested: set[str]) -> Kind:
    """Best kind, those that the code asks for, and one that is none of these."""
    others = [kind for kind, score, shape in found if shape not in tested and score > 0][:1]
    if not others and "none" not in tested:
        others = plain_kinds({"str" if "int" in tested else "int"})
    asked = [
        next((kind for kind, _, shape in found if shape == asked), _PLAIN_KINDS[asked])
        for asked in sorted(tested)
    ]
    return union((found[0][0], *others, *asked))


def _scored_kinds(use: Use, depth: int) -> Iterator[tuple[Kind, float, str]]:
    for shape, bonus in _SHAPES.items():
        weight = use.total(shape)
        if shape == "str" and use.element is not None:
            of_characters = use.element.total("str")  # what it holds is text again
            weight += 1 if of_characters >= 1 else min(of_characters, 0)
        if weight > _ABSENT:
            for rank, kind in enumerate(_kinds_of_shape(use, shape, depth)):
                yield kind, weight + bonus - 1.0 * rank, shape


# The bonus is the order in which shapes are tried where the code says nothing.
_SHAPES = weights(
    int=0.7,
    str=0.6,
    list=0.5,
    float=0,
    dict=-0.2,
    tuple=-0.3,
    bool=-0.5,
    set=-0.6,
    bytes=-2.5,
)
_PLAIN_KINDS: dict[str, Kind] = {
    "int": Int(),
    "float": Float(),
    "str": Str(),
    "bool": Bool(),
    "bytes": Bytes(),
    "none": NoneKind(),
    "list": List(element=Int()),
    "tuple": VariableTuple(element=Int()),
    "set": Set(element=Int()),
    "dict": Dict(key=Str(), value=Int()),
}


def _kinds_of_shape(use: Use, shape: str, depth: int) -> list[Kind]:
    match shape:
        case "int":
            return [Int()]
        case "float":
            return [union((Int(), Float())), Float()]
        case "str":
            return [Str()]
        case "bool":
            return [Bool()]
        case "bytes":
            return [Bytes()]
    if depth >= DEEPEST:
        return []
    if shape == "dict":
        return _dicts(use, depth)
    if shape == "tuple" and use.places:
        return [Tuple(tuple(_best(place, depth + 1) for place in use.places))]
    elements = _elements(use, depth)
    if shape == "list":
        return [List(element=element) for element in elements]
    if shape == "set":
        return [Set(element=element) for element in elements if _is_hashable(element)]
    return [VariableTuple(element=element) for element in elements]


def _best(use: Use | None, depth: int) -> Kind:
    ranked = ranked_kinds(use, depth, most=1)
    return ranked[0][0] if ranked else Int()


def _elements(use: Use, depth: int) -> list[Kind]:
    element = use.element
    if element is None and use.places:
        element = use.places[0]
    kinds = [kind for kind, _ in ranked_kinds(element, depth + 1, most=3)]
    return [kind for kind in kinds if kind != Bool()] or [Int()]


def _dicts(use: Use, depth: int) -> list[Kind]:
    if use.fields and use.key is None:
        items = tuple((name, _best(each, depth + 1)) for name, each in use.fields.items())
        return [Record(items)]
    key = _best_key(use.key, depth)
    values = [kind for kind, _ in ranked_kinds(use.value, depth + 1, most=3)]
    keys = key if _is_hashable(key) else Str()
    return [Dict(key=keys, value=value) for value in values or [Int()]]


def _best_key(use: Use | None, depth: int) -> Kind:
    """Keys are text unless the code says otherwise."""
    ranked = dict(ranked_kinds(use, depth + 2))
    ranked[Str()] = ranked.get(Str(), -1.0) + 0.5
    return max(ranked, key=lambda kind: ranked[kind])


def _is_hashable(kind: Kind) -> bool:
    return not isinstance(kind, List | Set | Dict | Record) and all(map(_is_hashable, parts(kind)))
