"""The forms that answers to the prompts have, named by their front matter."""

import ast
import json
import re
from functools import cache
from typing import Any, ClassVar, Self

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from builder.intake.nesting import is_too_deep
from builder.model.client import UnusableAnswerError

_BLOCK = re.compile(r"```[a-zA-Z]*[ \t]*\n(.*?)```", re.DOTALL)


@cache
def _schema(form: type[BaseModel]) -> dict[str, Any]:
    return form.model_json_schema()


class Answer(BaseModel):
    """An answer in JSON, with these fields and no others."""

    model_config = ConfigDict(extra="forbid", strict=True, frozen=True)

    @classmethod
    def form(cls) -> dict[str, Any] | None:
        """Return the JSON schema that the answer must have; None: it is free text."""
        return _schema(cls)

    @classmethod
    def read(cls, text: str) -> Self:
        """Read an answer.

        Raises:
            json.JSONDecodeError: it is not JSON.
            UnusableAnswerError: it is, but of another form.
        """
        try:
            return cls.model_validate(json.loads(text))
        except ValidationError as error:
            first = error.errors(include_url=False)[0]
            place = ".".join(str(part) for part in first["loc"]) or "the answer"
            raise UnusableAnswerError(f"{place}: {first['msg']}") from None


class Description(Answer):
    """What a function does."""

    description: str


class Judgement(Answer):
    """How well one description says what another one says."""

    reason: str
    rating: int = Field(ge=1, le=5)


class Code(Answer):
    """A module that defines a function: free text with the code in a fenced block."""

    function: ClassVar[str]
    code: str

    @classmethod
    def form(cls) -> None:
        """See ``Answer``: code inside JSON strings comes out worse."""

    @classmethod
    def read(cls, text: str) -> Self:
        """See ``Answer``; the code is parsed, never run."""
        blocks = _BLOCK.findall(text)
        code = (max(blocks, key=len) if blocks else text).strip("\n") + "\n"
        try:
            tree = ast.parse(code)
        except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
            raise UnusableAnswerError(f"the code is not Python: {error}") from None
        if not any(isinstance(n, ast.FunctionDef) and n.name == cls.function for n in tree.body):
            raise UnusableAnswerError(f"the code does not define {cls.function} at its top level")
        if is_too_deep(tree):
            raise UnusableAnswerError("the code is nested too deeply, or is too long a chain")
        return cls(code=code)


class Function(Code):
    """Code that defines ``test_func``."""

    function = "test_func"


class Validator(Code):
    """Code that defines ``validate_input_args``."""

    function = "validate_input_args"


ANSWERS: dict[str, type[Answer]] = {
    answer.__name__: answer for answer in (Description, Judgement, Function, Validator)
}
"""By name, as the front matter of a prompt gives it."""
