"""What values an argument takes: a small recursive language of kinds, and the domain of a call.

A kind says what is *valid*: the exact type, and bounds where the function has been seen to need
them. What is typical inside a kind (short, small) is the business of ``strategies``.
"""

from collections.abc import Iterable
from dataclasses import dataclass, fields
from typing import Any, ClassVar

from builder.literals import NAMESPACE, LiteralError, dumps

RARE_TYPES = (
    "Counter",
    "Decimal",
    "Fraction",
    "OrderedDict",
    "bytearray",
    "defaultdict",
    "deque",
    "range",
)
"""Types that a literal can have and that no kind looks inside."""


@dataclass(frozen=True, slots=True)
class Kind:
    """A set of values, all of ``python_type`` if there is one.

    ``str()`` names the kind for a reader: ``list of int``.
    """

    name: ClassVar[str]
    """Tag in JSON."""
    python_type: ClassVar[Any] = None

    def __str__(self) -> str:
        return self._type_name()

    def violation(self, value: Any, place: str = "the value") -> str | None:
        """Say why ``value`` is outside, as a sentence that starts with ``place``; None: inside."""
        if type(value) is not self.python_type:
            return _wrong_type(value, place, self._type_name())
        return self._fault(value, place)

    def contains(self, value: Any) -> bool:
        """Whether ``value`` is inside."""
        return self.violation(value) is None

    def to_json(self) -> dict[str, Any]:
        """Write as plain JSON types; ``kind_from_json`` reads it back."""
        plain = {field.name: _encode(getattr(self, field.name)) for field in fields(self)}
        return {"kind": self.name, **plain}

    def _type_name(self) -> str:
        return str(self.python_type.__name__)

    def _fault(self, value: Any, place: str) -> str | None:
        """As ``violation``, for a value of the right type."""
        return None


def _wrong_type(value: Any, place: str, wanted: object) -> str:
    return f"{place} must be {wanted}, not {type(value).__name__}"


def _outside(value: Any, low: Any, high: Any, place: str) -> str | None:
    if low is not None and value < low:
        return f"{place} must be at least {low}"
    if high is not None and value > high:
        return f"{place} must be at most {high}"
    return None


@dataclass(frozen=True, slots=True)
class NoneKind(Kind):
    """None."""

    name = "none"
    python_type = type(None)

    def _type_name(self) -> str:
        return "None"


@dataclass(frozen=True, slots=True)
class Bool(Kind):
    """True and False."""

    name = "bool"
    python_type = bool


@dataclass(frozen=True, slots=True)
class Int(Kind):
    """Integers from ``low`` to ``high``, both inside; None: no bound. Not bool."""

    name = "int"
    python_type = int
    low: int | None = None
    high: int | None = None

    def _fault(self, value: Any, place: str) -> str | None:
        return _outside(value, self.low, self.high, place)


@dataclass(frozen=True, slots=True)
class Float(Kind):
    """Floats from ``low`` to ``high``, both inside; None: no bound."""

    name = "float"
    python_type = float
    low: float | None = None
    high: float | None = None
    allow_nan: bool = False
    allow_infinity: bool = False

    def _fault(self, value: Any, place: str) -> str | None:
        if value != value:
            return None if self.allow_nan else f"{place} must not be nan"
        if value in (float("inf"), float("-inf")) and not self.allow_infinity:
            return f"{place} must be finite"
        return _outside(value, self.low, self.high, place)


@dataclass(frozen=True, slots=True)
class Complex(Kind):
    """Complex numbers."""

    name = "complex"
    python_type = complex


@dataclass(frozen=True, slots=True)
class Sized(Kind):
    """Common part of the kinds whose values have a length."""

    min_size: int = 0
    max_size: int | None = None
    """None: no bound."""

    def _size_fault(self, value: Any, place: str) -> str | None:
        size = len(value)
        if size < self.min_size:
            return f"{place} must have a length of at least {self.min_size}"
        if self.max_size is not None and size > self.max_size:
            return f"{place} must have a length of at most {self.max_size}"
        return None


@dataclass(frozen=True, slots=True)
class Str(Sized):
    """Strings."""

    name = "str"
    python_type = str
    alphabet: str | None = None
    """The characters that may occur, sorted; None: any."""

    def _fault(self, value: Any, place: str) -> str | None:
        if self.alphabet is not None and not set(value) <= set(self.alphabet):
            return f"{place} must hold no other characters than {self.alphabet!r}"
        return self._size_fault(value, place)


@dataclass(frozen=True, slots=True)
class Bytes(Sized):
    """Byte strings."""

    name = "bytes"
    python_type = bytes

    def _fault(self, value: Any, place: str) -> str | None:
        return self._size_fault(value, place)


@dataclass(frozen=True, slots=True, kw_only=True)
class Collection(Sized):
    """Common part of the kinds that hold any number of elements of one kind."""

    element: Kind

    def __str__(self) -> str:
        return f"{self._type_name()} of {self.element}"

    def _fault(self, value: Any, place: str) -> str | None:
        wrong = self._size_fault(value, place)
        return wrong or _first_violation(self.element, value, f"an element of {place}")


def _first_violation(kind: Kind, values: Iterable[Any], place: str) -> str | None:
    for value in values:
        wrong = kind.violation(value, place)
        if wrong:
            return wrong
    return None


@dataclass(frozen=True, slots=True, kw_only=True)
class List(Collection):
    """Lists of any length."""

    name = "list"
    python_type = list


@dataclass(frozen=True, slots=True, kw_only=True)
class VariableTuple(Collection):
    """Tuples of any length whose elements are all of one kind."""

    name = "variable_tuple"
    python_type = tuple


@dataclass(frozen=True, slots=True, kw_only=True)
class Set(Collection):
    """Sets."""

    name = "set"
    python_type = set


@dataclass(frozen=True, slots=True, kw_only=True)
class FrozenSet(Collection):
    """Frozen sets."""

    name = "frozenset"
    python_type = frozenset


@dataclass(frozen=True, slots=True, kw_only=True)
class Dict(Sized):
    """Dicts of any length whose keys are of one kind, and whose values are of one kind."""

    name = "dict"
    python_type = dict
    key: Kind
    value: Kind

    def __str__(self) -> str:
        return f"dict from {self.key} to {self.value}"

    def _fault(self, value: Any, place: str) -> str | None:
        return (
            self._size_fault(value, place)
            or _first_violation(self.key, value, f"a key of {place}")
            or _first_violation(self.value, value.values(), f"a value of {place}")
        )


@dataclass(frozen=True, slots=True)
class Tuple(Kind):
    """Tuples of a fixed length; each place has its own kind."""

    name = "tuple"
    python_type = tuple
    elements: tuple[Kind, ...]

    def __str__(self) -> str:
        return f"tuple of ({', '.join(str(element) for element in self.elements)})"

    def _fault(self, value: Any, place: str) -> str | None:
        if len(value) != len(self.elements):
            return f"{place} must have a length of {len(self.elements)}"
        for index, (kind, item) in enumerate(zip(self.elements, value, strict=True)):
            wrong = kind.violation(item, f"element {index} of {place}")
            if wrong:
                return wrong
        return None


@dataclass(frozen=True, slots=True)
class Record(Kind):
    """Dicts with fixed keys, all strings; each key has its own kind of value."""

    name = "record"
    python_type = dict
    items: tuple[tuple[str, Kind], ...]

    def __str__(self) -> str:
        return f"dict with {', '.join(f'{key!r}: {kind}' for key, kind in self.items)}"

    def _fault(self, value: Any, place: str) -> str | None:
        if set(value) != {key for key, _ in self.items}:
            return f"{place} must have the keys {', '.join(repr(key) for key, _ in self.items)}"
        for key, kind in self.items:
            wrong = kind.violation(value[key], f"{key!r} of {place}")
            if wrong:
                return wrong
        return None


@dataclass(frozen=True, slots=True)
class Rare(Kind):
    """All values of one of the types in ``RARE_TYPES``."""

    name = "rare"
    type_name: str

    def __str__(self) -> str:
        return self.type_name

    def violation(self, value: Any, place: str = "the value") -> str | None:
        """See ``Kind``."""
        if type(value) is not NAMESPACE[self.type_name]:
            return _wrong_type(value, place, self)
        return None


@dataclass(frozen=True, slots=True)
class AnyLiteral(Kind):
    """Whatever has a literal form."""

    name = "any"

    def __str__(self) -> str:
        return "any literal"

    def violation(self, value: Any, place: str = "the value") -> str | None:
        """See ``Kind``."""
        try:
            dumps(value)
        except LiteralError:
            return f"{place} must be a value with a literal form"
        return None


@dataclass(frozen=True, slots=True)
class Union(Kind):
    """The values of two or more kinds, none of them a union."""

    name = "union"
    options: tuple[Kind, ...]

    def __str__(self) -> str:
        return " or ".join(str(option) for option in self.options)

    def violation(self, value: Any, place: str = "the value") -> str | None:
        """See ``Kind``."""
        wrong = [option.violation(value, place) for option in self.options]
        if None in wrong:
            return None
        # The reader is helped most by the option that has the right type but a wrong part.
        typed = [text for text in wrong if text and not text.startswith(f"{place} must be ")]
        return typed[0] if len(typed) == 1 else _wrong_type(value, place, self)


_KINDS: dict[str, type[Kind]] = {
    kind.name: kind
    for kind in (
        NoneKind,
        Bool,
        Int,
        Float,
        Complex,
        Str,
        Bytes,
        List,
        VariableTuple,
        Set,
        FrozenSet,
        Dict,
        Tuple,
        Record,
        Rare,
        AnyLiteral,
        Union,
    )
}


def _encode(value: Any) -> Any:
    if isinstance(value, Kind):
        return value.to_json()
    return [_encode(item) for item in value] if isinstance(value, tuple) else value


def _decode(value: Any) -> Any:
    if isinstance(value, dict):
        return kind_from_json(value)
    return tuple(_decode(item) for item in value) if isinstance(value, list) else value


def kind_from_json(plain: dict[str, Any]) -> Kind:
    """Read what ``Kind.to_json`` wrote."""
    values = {key: _decode(value) for key, value in plain.items() if key != "kind"}
    return _KINDS[plain["kind"]](**values)


@dataclass(frozen=True, slots=True)
class Domain:
    """What argument tuples a function takes."""

    parameters: tuple[Kind, ...]
    """Kinds of the arguments in order, without those of ``*args``."""
    required: int
    """Fewest arguments; the parameters behind have defaults."""
    variadic: Kind | None = None
    """Kind of every argument that ``*args`` takes up; None: there is no ``*args``."""

    def violation(self, arguments: tuple[Any, ...]) -> str | None:
        """Say why the argument tuple is outside, naming the argument; None: inside."""
        count = len(arguments)
        if count < self.required:
            return f"at least {self.required} arguments are needed, not {count}"
        if self.variadic is None and count > len(self.parameters):
            return f"at most {len(self.parameters)} arguments are taken, not {count}"
        for index, value in enumerate(arguments):
            wrong = self.kind_at(index).violation(value, f"arg{index}")
            if wrong:
                return wrong
        return None

    def contains(self, arguments: tuple[Any, ...]) -> bool:
        """Whether the argument tuple is inside."""
        return self.violation(arguments) is None

    def kind_at(self, index: int) -> Kind:
        """Kind of the argument at a place that the function has."""
        if index < len(self.parameters):
            return self.parameters[index]
        if self.variadic is None:
            raise IndexError(f"the function has no argument {index}")
        return self.variadic

    def to_json(self) -> dict[str, Any]:
        """Write as plain JSON types."""
        return {
            "parameters": _encode(self.parameters),
            "required": self.required,
            "variadic": _encode(self.variadic),
        }

    @classmethod
    def from_json(cls, plain: dict[str, Any]) -> "Domain":
        """Read what ``to_json`` wrote."""
        return cls(_decode(plain["parameters"]), plain["required"], _decode(plain["variadic"]))
