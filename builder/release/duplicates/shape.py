"""The shape of a domain: the types alone, without bounds, sizes and alphabets."""

from builder.synthesis.domain import (
    Bool,
    Collection,
    Dict,
    Domain,
    Float,
    Int,
    Kind,
    Rare,
    Record,
    Str,
    Tuple,
    Union,
)

Shape = tuple[frozenset[str], ...]


def shape(domain: Domain) -> Shape:
    """Return a value that is equal for domains of the same types.

    Numbers are one type, and so are tuples, or dicts, whatever is fixed of them.
    """
    kinds = [*domain.parameters, *([domain.variadic] if domain.variadic else [])]
    return tuple(_types(kind) for kind in kinds)


def _types(kind: Kind) -> frozenset[str]:
    """Return the types that values of a kind have, each with those of its parts."""
    match kind:
        case Union(options=options):
            return frozenset[str]().union(*map(_types, options))
        case Int() | Float():
            return frozenset({"number"})
        case Bool() | Str():
            return frozenset({kind.name})
        case Tuple(elements=elements):
            return _with_parts("tuple", elements)
        case Collection():
            return _with_parts(kind.python_type.__name__, (kind.element,))
        case Dict(key=key, value=value):
            return _with_parts("dict", (key, value))
        case Record(items=items):
            return _with_parts("dict", (Str(), *(item for _, item in items)))
        case Rare(type_name=name):
            return frozenset({name})
    return frozenset({kind.name})


def _with_parts(name: str, parts: tuple[Kind, ...]) -> frozenset[str]:
    inner = frozenset[str]().union(*map(_types, parts))
    return frozenset({f"{name} of {' or '.join(sorted(inner))}"})
