"""Kinds as Hypothesis values."""

from hypothesis import strategies as st

from builder.synthesis.domain import (
    Bool,
    Bytes,
    Complex,
    Dict,
    Float,
    FrozenSet,
    Int,
    Kind,
    List,
    NoneKind,
    Rare,
    Record,
    Set,
    Str,
    Tuple,
    Union,
    VariableTuple,
)

_SCALARS: st.SearchStrategy[Kind] = st.sampled_from(
    [
        NoneKind(),
        Bool(),
        Int(),
        Int(low=0),
        Int(low=1, high=12),
        Int(high=-5),
        Float(),
        Float(low=0.0),
        Float(low=0.1, high=0.2),
        Str(),
        Str(min_size=2),
        Str(alphabet="01"),
        Str(min_size=1, max_size=1),
    ]
)
_HASHABLE: st.SearchStrategy[Kind] = st.sampled_from([Int(), Str(), Tuple((Int(), Str()))])
_LEAVES = _SCALARS | st.sampled_from([Bytes(), Complex(), Rare("Counter"), Rare("range")])

KINDS: st.SearchStrategy[Kind] = st.recursive(
    _LEAVES,
    lambda inner: st.one_of(
        st.builds(
            lambda element, least: List(element=element, min_size=least), inner, st.integers(0, 2)
        ),
        st.builds(lambda element: VariableTuple(element=element), inner),
        st.builds(lambda element: Set(element=element), _HASHABLE),
        st.builds(lambda element: FrozenSet(element=element, min_size=1), _HASHABLE),
        st.builds(lambda key, value: Dict(key=key, value=value), _HASHABLE, inner),
        st.lists(inner, min_size=1, max_size=3).map(lambda parts: Tuple(tuple(parts))),
        st.builds(lambda value: Record((("a", value), ("b", Int()))), inner),
        st.just(Union((Int(), Str()))),
    ),
    max_leaves=3,
)
