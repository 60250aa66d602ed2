"""Finding out what a run would ask, without asking."""

from builder.model.budget import Budget
from builder.model.client import WaitingForModelError
from builder.model.request import Record, Request


class Estimate:
    """The back end of a dry run: it counts what is missing from the store.

    What would be asked next depends on the answers, so only the first question of each row that
    the store cannot answer is seen.
    """

    def __init__(self, budget: Budget) -> None:
        """Count in the ledger of ``budget``."""
        self._budget = budget

    def fetch(self, request: Request) -> Record:
        """See ``BackEnd``."""
        self._budget.foresee(request)
        raise WaitingForModelError("a dry run asks nothing")

    def close(self) -> None:
        """See ``BackEnd``."""
