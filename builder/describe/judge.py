"""Whether two descriptions say the same, in the eyes of a model."""

from builder.model.client import Failure, Model, Question
from prompts import answers
from prompts.ask import question

JUDGE = "judge"


def judge(header: str, reference: str, candidate: str, model: Model) -> answers.Judgement | Failure:
    """Rate from 1 (unrelated) to 5 (the same) how well a description says what another one says.

    Args:
        header: first line of the function.
        reference: the description that is right.
        candidate: the one to rate.
        model: has a model for ``judge``.

    Raises:
        WaitingForModelError, PauError: as ``Model.ask``.
    """
    answer = model.ask(judge_question(header, reference, candidate))
    return answer if isinstance(answer, Failure) else answer.value


def judge_question(header: str, reference: str, candidate: str) -> Question[answers.Judgement]:
    """Write the question that ``judge`` asks."""
    return question(
        answers.Judgement, JUDGE, header=header, reference=reference, candidate=candidate
    )
