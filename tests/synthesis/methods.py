"""Methods made from our own code."""

import ast

from builder.records import Method, Parameter


def method_of(code: str, names: tuple[str, ...] = (), annotations: tuple[str, ...] = ()) -> Method:
    """Make a method of a module that defines ``test_func``.

    Args:
        code: the module.
        names: the corpus' names of the first parameters.
        annotations: those of the first parameters.
    """
    tree = ast.parse(code)
    target = next(
        node for node in tree.body if isinstance(node, ast.FunctionDef) and node.name == "test_func"
    )
    arguments = target.args.args
    defaults = [None] * (len(arguments) - len(target.args.defaults)) + list(target.args.defaults)
    parameters = [
        Parameter(
            argument.arg,
            names[index] if index < len(names) else "thing",
            annotations[index] if index < len(annotations) else None,
            None if default is None else ast.unparse(default),
        )
        for index, (argument, default) in enumerate(zip(arguments, defaults, strict=True))
    ]
    if target.args.vararg:
        parameters.append(Parameter(target.args.vararg.arg, "things", variadic=True))
    return Method(
        code,
        f"def test_func({', '.join(p.name for p in parameters)}):",
        tuple(parameters),
        code,
        "test_func",
    )
