"""Writing trees: text that Python 3.11 reads, and the same text on every Python."""

import ast

import pytest

from builder.intake.source_text import copy, write


@pytest.mark.parametrize(
    ("text", "written"),
    [
        ("""f"{d['a']} b\"""", """f"{d['a']} b\""""),
        ("""f'plain {x} text'""", """f'plain {x} text'"""),
        ("""f"it's {name}\"""", """f'it\\'s {name}'"""),
        ("""f"it's {d['a']}\"""", """f"it's {d['a']}\""""),
        ("""f'{{x}} {y!r:>{width}.2f}'""", """f'{{x}} {y!r:>{width}.2f}'"""),
        ("""f'{x:%H:%M}'""", """f'{x:%H:%M}'"""),
        ("""f'{ {1: 2}[1] }'""", """f'{ {1: 2}[1]}'"""),
        ("""f'{(lambda y: y)(1)}'""", """f'{(lambda y: y)(1)}'"""),
        ("""f'{(y := 3)}'""", """f'{(y := 3)}'"""),
        ("""f'{(1 if a else lambda: 2)}'""", """f'{(1 if a else lambda: 2)}'"""),
        ("""f'{x=}'""", """f'x={x!r}'"""),
        ("""f"{', '.join(f'{y}' for y in x)}\"""", """f"{', '.join((f'{y}' for y in x))}\""""),
        ("""f'a\\n{x}\\t\\\\'""", """f'a\\n{x}\\t\\\\'"""),
        ("""f'{x}' 'y' "z\"""", """f'{x}yz'"""),
    ],
)
def test_f_strings_keep_their_quotes_apart(text: str, written: str) -> None:
    tree = ast.parse(text, mode="eval")

    assert write(tree) == written
    assert ast.dump(ast.parse(written, mode="eval")) == ast.dump(tree)


def test_an_f_string_that_no_old_python_can_hold_is_written_as_a_call_of_format() -> None:
    line = ast.Constant(value="\n")
    inside = ast.Call(
        func=ast.Attribute(value=line, attr="join", ctx=ast.Load()),
        args=[ast.Name(id="x", ctx=ast.Load())],
        keywords=[],
    )
    width = ast.JoinedStr(
        values=[ast.FormattedValue(value=ast.Name(id="w", ctx=ast.Load()), conversion=-1)]
    )
    tree = ast.Expression(
        ast.JoinedStr(
            values=[
                ast.Constant(value="{a} "),
                ast.FormattedValue(value=inside, conversion=ord("r"), format_spec=width),
            ]
        )
    )

    text = write(tree)

    assert text == "'{{a}} {!r:{}}'.format('\\n'.join(x), w)"
    assert eval(text, {"x": ["b", "c"], "w": 8}) == "{a} 'b\\nc'  "


def test_a_marker_in_the_text_is_no_f_string() -> None:
    tree = ast.parse("f_string_0_ = f'{x}' + 'f_string_0_'")

    assert write(tree) == "f_string_0_ = f'{x}' + 'f_string_0_'"


def test_writing_leaves_the_tree_as_it_was() -> None:
    tree = ast.parse("y = f'{x}'")
    before = ast.dump(tree)

    write(tree)

    assert ast.dump(tree) == before


def test_a_copy_shares_nothing_that_can_be_renamed() -> None:
    tree = ast.parse("def f(x): return x")

    for node in ast.walk(copy(tree)):
        if isinstance(node, ast.Name):
            node.id = "y"

    assert ast.unparse(tree) == ast.unparse(ast.parse("def f(x): return x"))
