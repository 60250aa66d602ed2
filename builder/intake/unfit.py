"""How the steps of the intake say that a row is lost."""

from builder.reasons import Reason, Stage


class UnfitError(Exception):
    """A row cannot be taken in; the facade turns this into a ``Rejection``."""

    def __init__(self, stage: Stage, reason: Reason, detail: str = "") -> None:
        super().__init__(f"{stage}: {reason}: {detail}")
        self.stage = stage
        self.reason = reason
        self.detail = detail
