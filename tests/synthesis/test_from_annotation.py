"""Annotations are read by name; what has no literal gives no kind."""

import pytest

from builder.synthesis.from_annotation import kind_of_annotation


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("int", "int"),
        ("'str'", "str"),
        ("List[int]", "list of int"),
        ("typing.List[float]", "list of float"),
        ("list[tuple[int, str]]", "list of tuple of (int, str)"),
        ("Tuple[int, ...]", "tuple of int"),
        ("Dict[str, List[int]]", "dict from str to list of int"),
        ("Optional[str]", "str or None"),
        ("Union[int, str, None]", "int or str or None"),
        ("int | float", "int or float"),
        ("Set[int]", "set of int"),
        ("Sequence[str]", "list of str"),
        ("Literal['a', 'b']", "str"),
        ("list", "list of any literal"),
        ("dict", "dict from any literal to any literal"),
        ("Any", "any literal"),
        ("[int]", "list of int"),
    ],
)
def test_known_names_give_kinds(text: str, kind: str) -> None:
    assert str(kind_of_annotation(text)) == kind


@pytest.mark.parametrize(
    "text", [None, "", "TreeNode", "Callable[[int], int]", "List[Node]", "a b"]
)
def test_other_names_give_none(text: str | None) -> None:
    assert kind_of_annotation(text) is None
