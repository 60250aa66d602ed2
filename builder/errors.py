"""The errors that a user of the toolkit can cause, and the one the toolkit can cause itself.

Every message names what is wrong, where (file, row, option), and how to mend it.
"""


class PauError(Exception):
    """Wrong use or wrong input: shown as one line, exit code 2."""

    exit_code = 2


class BelowBarError(PauError):
    """The work was done, but its result is below a bar that was asked for: exit code 3."""

    exit_code = 3


class HarnessError(Exception):
    """The toolkit itself failed (never the candidate): the run ends, nothing is recorded."""
