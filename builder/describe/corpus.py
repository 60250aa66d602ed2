"""The gold description that a corpus itself gives, cleaned and checked."""

from dataclasses import dataclass

from builder.describe.contradiction import contradiction
from builder.describe.examples import without_examples
from builder.describe.fitness import unfit_description, unfit_request
from builder.describe.names import leaked_name, names_of, replace_names
from builder.describe.wording import as_statement, without_links
from builder.reasons import Reason, Stage
from builder.records import Candidate, Method, Rejection
from builder.sandbox.supervisor import Sandbox


@dataclass(frozen=True, slots=True)
class Description:
    """What a function does, in words that stand alone."""

    text: str
    origin: str
    """Who wrote it: ``corpus``, or ``errata`` where these replace the corpus' words."""


def corpus_description(
    candidate: Candidate, method: Method, sandbox: Sandbox
) -> Description | Rejection | None:
    """Return the description of a candidate, why it cannot be used, or None if it has none.

    Raises:
        HarnessError: the sandbox failed.
    """
    raw = (candidate.description or "").strip()
    if not raw:
        return None
    if unfit := unfit_request(raw):
        return _reject(candidate, Reason.DESCRIPTION_UNFIT, unfit)
    if wrong := contradiction(raw, method, sandbox):
        return _reject(candidate, Reason.DESCRIPTION_CONTRADICTED, wrong)
    names = names_of(method)
    words = without_links(without_examples(raw, names.target))
    text = as_statement(replace_names(words, names))
    if unfit := unfit_description(text):
        return _reject(candidate, Reason.DESCRIPTION_UNFIT, unfit)
    if leaked := leaked_name(text, names):
        return _reject(candidate, Reason.DESCRIPTION_UNFIT, f"it holds the old name {leaked}")
    return Description(text, candidate.description_origin)


def _reject(candidate: Candidate, reason: Reason, detail: str) -> Rejection:
    return Rejection(candidate.source, candidate.source_id, Stage.DESCRIBE, reason, detail)
