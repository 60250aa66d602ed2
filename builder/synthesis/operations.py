"""Which operations speak for which kinds: tables for the reader of uses."""

import ast

from builder.synthesis.use import (
    CHANGED_LIST,
    FLAG,
    GROUP,
    INDEX,
    MAPPING,
    NUMBER,
    REAL,
    SEQUENCE,
    TEXT,
    WHOLE,
    Weights,
    weights,
    words,
)

TEXT_METHODS = words("""
    split strip lstrip rstrip lower upper isdigit isalpha isupper islower isalnum isspace
    startswith endswith replace find rfind title capitalize swapcase splitlines encode format
    zfill ljust rjust center partition rpartition translate casefold isnumeric isdecimal
    isidentifier istitle removeprefix removesuffix expandtabs rindex rsplit join isascii
    isprintable
""")
SAME_TEXT_METHODS = TEXT_METHODS - words(
    "split splitlines rsplit partition rpartition find rfind rindex encode"
)
"""Their value is again text made from the text."""
WIDTH_METHODS = words("zfill ljust rjust center format")
"""Their arguments need not be text."""
DICT_METHODS = words("items keys values get setdefault popitem")
METHODS: dict[str, Weights] = {
    **dict.fromkeys(TEXT_METHODS, TEXT),
    **dict.fromkeys(("append", "extend", "insert", "sort", "reverse"), CHANGED_LIST),
    **dict.fromkeys(
        words("""
        add union intersection difference issubset issuperset symmetric_difference discard
        isdisjoint
    """),
        GROUP,
    ),
    **dict.fromkeys(DICT_METHODS, MAPPING),
    **dict.fromkeys(("count", "index"), SEQUENCE),
    "remove": weights(list=2, set=1, str=-5, int=-5, tuple=-5, dict=-5),
    "pop": weights(list=1.5, dict=1, set=0.3, str=-5, int=-5, tuple=-5),
    "copy": weights(list=1, dict=1, set=0.5, str=-5, int=-5, tuple=-5),
    "update": weights(dict=2, set=1, str=-5, int=-5, list=-5, tuple=-5),
    "decode": weights(bytes=5, str=-5),
    "bit_length": INDEX,
    "is_integer": REAL,
}
"""What a method says of its owner."""
WHOLE_FUNCTIONS = words("range chr bin hex oct")
NUMBER_FUNCTIONS = words("abs round pow divmod")
WHOLE_MATH = words("factorial gcd lcm comb perm isqrt")
SAME_ELEMENTS = words("list tuple set sorted reversed frozenset iter deque")
"""Functions that give the elements of an iterable again."""
JOINING = words("sum min max any all Counter")
"""Other functions that take one iterable."""
TYPES: dict[str, Weights] = {
    "int": WHOLE,
    "float": REAL,
    "str": TEXT,
    "list": CHANGED_LIST,
    "dict": MAPPING,
    "set": GROUP,
    "bool": FLAG,
    "tuple": weights(tuple=3, int=-2, str=-2),
    "bytes": weights(bytes=4),
}
OPERATORS: dict[type[ast.operator], Weights] = {
    ast.Div: {**NUMBER, "float": 1.1},
    ast.Pow: {**NUMBER, "float": 1.1},
    ast.Mod: WHOLE,
    ast.FloorDiv: WHOLE,
    ast.LShift: INDEX,
    ast.RShift: INDEX,
    ast.BitXor: INDEX,
    ast.BitAnd: {**INDEX, "set": 1},
    ast.BitOr: {**INDEX, "set": 1},
    ast.Sub: {**NUMBER, "set": 0},
    ast.Mult: {**NUMBER, "str": -0.5, "list": -0.5},
    ast.Add: weights(int=0.5, float=0.4, dict=-5, set=-5),
}
"""What an operator says of an operand whose partner is unknown or a number."""


def constant_weights(node: ast.expr) -> Weights | None:
    """What a value must be, or is likely to be, that is compared with this constant."""
    match node:
        case ast.Constant(value=bool()):
            return FLAG
        case ast.Constant(value=int()) | ast.UnaryOp(operand=ast.Constant(value=int())):
            return WHOLE
        case ast.Constant(value=float()) | ast.UnaryOp(operand=ast.Constant(value=float())):
            return REAL
        case ast.Constant(value=str()) | ast.JoinedStr():
            return TEXT
        case ast.List() | ast.ListComp():
            return CHANGED_LIST
        case ast.Tuple():
            return TYPES["tuple"]
        case ast.Dict() | ast.DictComp():
            return MAPPING
    return None
