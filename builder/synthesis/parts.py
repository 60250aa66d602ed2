"""The kinds inside a kind, and a kind made anew around others."""

from dataclasses import replace

from builder.synthesis.domain import Collection, Dict, Kind, Record, Tuple, Union
from builder.synthesis.from_values import union


def parts(kind: Kind) -> tuple[Kind, ...]:
    """Give the kinds that a kind is made of; none for a scalar."""
    match kind:
        case Union(options=inner) | Tuple(elements=inner):
            return inner
        case Collection(element=element):
            return (element,)
        case Dict(key=key, value=value):
            return (key, value)
        case Record(items=items):
            return tuple(inner for _, inner in items)
    return ()


def with_parts(kind: Kind, inner: tuple[Kind, ...]) -> Kind:
    """Make the same kind around other parts, as many as it has."""
    match kind:
        case Union():
            return union(inner)
        case Tuple():
            return Tuple(inner)
        case Collection():
            return replace(kind, element=inner[0])
        case Dict():
            return replace(kind, key=inner[0], value=inner[1])
        case Record(items=items):
            names = (name for name, _ in items)
            return Record(tuple(zip(names, inner, strict=True)))
    return kind
