"""Evidence from outside the code: the corpus' name of a parameter, and kinds that were seen.

The names stay inside the pipeline; released code calls every parameter ``arg0`` and so on.
"""

import re

from builder.synthesis.domain import (
    Dict,
    FrozenSet,
    Kind,
    List,
    Record,
    Set,
    Tuple,
    Union,
    VariableTuple,
)
from builder.synthesis.use import Use, weights, words

_TEXT = words("""
    s str string text word sentence char character ch letter substring sub substr prefix suffix
    name message msg paragraph phrase line url email password pattern title filename language
    symbol delimiter separator sep strr txt content expression planet color colour vowel token
    regex html date filepath path extension bracket brackets paren operator operation op country
    city address username label tag article document doc
""")
_WHOLE = words("""
    n num number k i j m x y z a b c count index idx size length limit start end low high year
    month day hour minute second age target value val position pos digit integer int exponent
    power nth term step base p q r l row col column lower upper left right element elem capacity
    minimum maximum bit
""")
_REAL = words("""
    radius price rate temp temperature celsius fahrenheit weight height principal amount distance
    speed time salary cost area balance interest percent percentage discount total tax mass angle
    degree radian threshold side float kilometer mile volume width inch meter decimal tolerance
    precision income velocity bill score mark grade
""")
_LISTS = words("list lst arr array seq sequence li data stack queue vector collection")
_TABLES = words("matrix mat grid board image maze matrices")
_PAIRS = words("interval point coordinate pair edge tuple")
_DICTS = words("d dic dict dictionary mapping map hash inventory hashmap person student")


def mark_by_name(use: Use, name: str) -> None:
    """Add to the evidence what a name says: ``word_list``, ``nums``, ``matrix``, ``is_open``."""
    tokens = [token for token in re.split(r"[_\d\W]+", _split_camel_case(name)) if token]
    if not tokens:
        return
    if tokens[0] in ("is", "has", "should") or tokens[-1] in ("flag", "reverse", "verbose"):
        use.mark(weights(bool=1.5))
    last = tokens[-1]
    others = [token for token in tokens if token not in _LISTS and token not in ("test", "of")]
    if any(token in _LISTS for token in tokens):
        use.mark(weights(list=1.5, str=-0.5, int=-1))
        _mark_scalar(use.get_element(), _singular(others[-1]) if others else "")
    elif last in _TABLES:
        use.mark(weights(list=2)).get_element().mark(weights(list=2))
    elif any(token in _DICTS for token in tokens):
        use.mark(weights(dict=2))
    elif last in ("tuple", "tup"):
        use.mark(weights(tuple=2))
    elif last == "set":
        use.mark(weights(set=1.5))
    elif last not in _TEXT and last.endswith("s") and len(last) > 2:
        _mark_plural(use, _singular(last))
    else:
        _mark_scalar(use, last)


def _split_camel_case(name: str) -> str:
    return re.sub(r"(?<=[a-z])(?=[A-Z])", "_", name).lower()


def _singular(word: str) -> str:
    if word.endswith("ies"):
        return word[:-3] + "y"
    return word[:-1] if word.endswith("s") and len(word) > 2 else word


def _mark_plural(use: Use, word: str) -> None:
    if word in _PAIRS:
        use.mark(weights(list=1.5)).get_element().mark(weights(tuple=1, list=1))
    elif word in _TEXT | _WHOLE | _REAL | {"item", "integer", "weight"}:
        use.mark(weights(list=1.2, int=-0.5, str=-0.5))
        _mark_scalar(use.get_element(), word)


def _mark_scalar(use: Use, word: str) -> None:
    if word in _TEXT:
        use.mark(weights(str=1.2))
    elif word in _WHOLE:
        use.mark(weights(int=0.8 if len(word) > 1 or word == "n" else 0.4))
    elif word in _REAL:
        use.mark(weights(float=1.5, int=0.8))


def mark_by_kind(use: Use, kind: Kind, weight: float = 4) -> None:
    """Add to the evidence that a value is of a kind, and the values inside it as well."""
    match kind:
        case Union(options=options):
            for option in options:
                mark_by_kind(use, option, weight / len(options))
        case List(element=element) | VariableTuple(element=element):
            use.mark({"list" if isinstance(kind, List) else "tuple": weight})
            mark_by_kind(use.get_element(), element, weight)
        case Set() | FrozenSet():
            use.mark(weights(set=weight))
            mark_by_kind(use.get_element(), kind.element, weight)
        case Tuple(elements=elements):
            use.mark(weights(tuple=weight))
            for place, element in zip(use.get_places(len(elements)), elements, strict=True):
                mark_by_kind(place, element, weight)
        case Dict(key=key, value=value):
            use.mark(weights(dict=weight))
            mark_by_kind(use.get_key(), key, weight)
            mark_by_kind(use.get_value(), value, weight)
        case Record(items=items):
            use.mark(weights(dict=weight))
            for name, inner in items:
                mark_by_kind(use.get_field(name), inner, weight)
        case _:
            use.mark({kind.name: weight})
