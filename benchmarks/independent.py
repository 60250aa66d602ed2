"""Mutants by somebody else's operators: those of the package ``cosmic-ray``, if it is installed."""

import ast
import random
from collections.abc import Iterator, Sequence
from importlib.util import find_spec

from builder.sandbox.protocol import Outcome, Verdict
from builder.sandbox.supervisor import Sandbox
from builder.suite.calls import call_all

IS_INSTALLED = find_spec("cosmic_ray") is not None
_NOT_CODE = ("ExceptionReplacer", "RemoveDecorator", "VariableReplacer", "VariableInserter")
"""Operators for other things than what a function computes, and those that need to be told of
a variable."""
_MOST_PLACES = 200


def independent_mutants(code: str, most: int, seed: int) -> list[str]:
    """Return the texts of at most so many mutants, drawn by chance from all of them."""
    same = ast.dump(ast.parse(code))
    found = {ast.dump(tree): text for text in _all(code) if (tree := _parsed(text)) is not None}
    found.pop(same, None)
    texts = sorted(found.values())
    return texts if len(texts) <= most else random.Random(f"{seed}:{code}").sample(texts, most)


def _parsed(text: str) -> ast.Module | None:
    try:
        return ast.parse(text)
    except SyntaxError:
        return None


def _all(code: str) -> Iterator[str]:
    from cosmic_ray.mutating import mutate_code
    from cosmic_ray.plugins import get_operator, operator_names

    for name in sorted(operator_names()):
        if name.rsplit("/", 1)[-1] in _NOT_CODE:
            continue
        operator = get_operator(name)()
        for place in range(_MOST_PLACES):
            text = mutate_code(code, operator, place)
            if text is None:
                break
            yield text


def killed(
    mutants: Sequence[str], code: str, inputs: Sequence[str], sandbox: Sandbox
) -> list[bool]:
    """Tell of each mutant whether some input tells it from the method.

    It does by another value, its type included, or another exception. What becomes of the
    arguments is not looked at.
    """
    wanted = call_all(code, inputs, sandbox)
    pairs = [(text, seen) for text, seen in zip(inputs, wanted, strict=True) if _is_answer(seen)]
    texts = [text for text, _ in pairs]
    answers = [_answer(seen) for _, seen in pairs]
    return [list(map(_answer, call_all(mutant, texts, sandbox))) != answers for mutant in mutants]


def _is_answer(outcome: Outcome) -> bool:
    return outcome.verdict in (Verdict.OK, Verdict.ERROR)


def _answer(outcome: Outcome) -> tuple[str, str, str]:
    return outcome.verdict, outcome.value, outcome.exception
