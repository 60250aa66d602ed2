"""Takes a candidate in: screen, anonymise, mine its own calls, prove the result on them."""

from dataclasses import dataclass

from builder.intake.anonymise import anonymise
from builder.intake.extract import extract
from builder.intake.mine import mine
from builder.intake.prove import prove_equal
from builder.intake.screen import screen
from builder.intake.unfit import UnfitError
from builder.reasons import Reason, Stage
from builder.records import Candidate, Method, Rejection
from builder.sandbox.supervisor import Sandbox


@dataclass(frozen=True, slots=True)
class Intake:
    """A candidate that was taken in."""

    method: Method
    seeds: tuple[str, ...]
    """Calls that the corpus makes: canonical literals of whole argument tuples, in the order of
    ``method.parameters``; shorter where a call left parameters to their defaults."""


def take_in(candidate: Candidate, sandbox: Sandbox) -> Intake | Rejection:
    """Take a candidate as far as an anonymised method that is proven on the corpus' own calls.

    Raises:
        HarnessError: the sandbox failed.
    """
    try:
        return _take_in(candidate, sandbox)
    except UnfitError as unfit:
        return Rejection(
            candidate.source, candidate.source_id, unfit.stage, unfit.reason, unfit.detail
        )


def _take_in(candidate: Candidate, sandbox: Sandbox) -> Intake:
    extracted = extract(candidate)
    finding = screen(extracted.tree, extracted.target)
    if finding is not None:
        raise UnfitError(Stage.SCREEN, *finding)
    method = anonymise(extracted)
    seeds = mine(method, extracted, candidate.drivers, sandbox)
    difference = prove_equal(method, seeds, sandbox)
    if difference is not None:
        raise UnfitError(Stage.PROVE, Reason.CHANGED_BEHAVIOUR, difference)
    return Intake(method, seeds)
