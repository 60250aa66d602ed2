"""What a failed request to the Hub means: no for good, or worth another try."""

import errno
import os
import re
import time
from collections.abc import Callable, Iterator, Mapping

from huggingface_hub import get_token
from huggingface_hub.errors import HfHubHTTPError

from builder.errors import HarnessError, PauError

MOST_FAILURES = 8
"""Failed requests that are forgiven between two deeds that succeed."""
LONGEST_PAUSE_SECONDS = 30.0
LONGEST_ASKED_PAUSE_SECONDS = 330.0
"""The Hub counts requests in windows of five minutes."""

_NOT_NOW = (408, 409, 412, 425, 429)
_SURELY_WITHOUT_EFFECT = (409, 412, 425, 429)
_DISK = (errno.ENOSPC, errno.EDQUOT, errno.EROFS, errno.EACCES, errno.EFBIG)
"""Faults of the disk here, not of the Hub."""
_HTTP_LIBRARIES = ("httpx", "httpx2")
"""Whichever the client uses; its errors have no common class of the client's own."""
_LOOKS_LIKE_TOKEN = re.compile(r"hf_\w{6,}")


class UnsettledError(Exception):
    """A request failed for now; whether it took effect shows only in the state of the Hub.

    Args:
        cause: a few words for people.
        pause: seconds that the Hub asks to wait, or None.
        had_no_effect: whether the Hub said that it did nothing.
    """

    def __init__(self, cause: str, pause: float | None = None, had_no_effect: bool = False) -> None:
        super().__init__(cause)
        self.pause = pause
        self.had_no_effect = had_no_effect


class Patience:
    """Waits between tries, longer each time, and gives up in the end."""

    def __init__(self, say: Callable[[str], None]) -> None:
        """Tell each wait to ``say``."""
        self._say = say
        self._failures = 0

    def recover(self) -> None:
        """Be as patient as at first: something went well."""
        self._failures = 0

    def wait(self, trouble: UnsettledError) -> None:
        """Wait as long as the Hub asks, or else twice as long as the last time.

        Raises:
            PauError: too much has failed already.
        """
        self._failures += 1
        if self._failures > MOST_FAILURES:
            raise PauError(
                f"the Hub still fails after {MOST_FAILURES} tries ({trouble}); run the same"
                " command again later, it goes on where it stopped"
            )
        pause = min(2.0 ** (self._failures - 1), LONGEST_PAUSE_SECONDS)
        if trouble.pause is not None:
            pause = min(trouble.pause, LONGEST_ASKED_PAUSE_SECONDS)
        self._say(f"the Hub: {trouble}; looking again in {pause:g} s")
        time.sleep(pause)


def meaning(error: Exception, what: str) -> Exception:
    """Return what an error of the client means, as an error of ours to raise.

    An ``UnsettledError`` where another try may help, a ``PauError`` where the user can mend it, a
    ``HarnessError`` for all else.

    Neither tells more of the request than its status and the Hub's own words, and never a token.

    Args:
        error: what the client raised.
        what: what was tried, for people.
    """
    for cause in _chain(error):
        if isinstance(cause, HfHubHTTPError):
            return _of_answer(cause, what)
    for cause in _chain(error):
        if type(cause).__module__.partition(".")[0] in _HTTP_LIBRARIES:
            return UnsettledError(f"no answer ({type(cause).__name__})")
    if isinstance(error, PauError):
        return error
    if isinstance(error, ValueError):
        return PauError(f"{what}: the Hub's client refuses: {one_line(str(error))}")
    if isinstance(error, OSError) and error.errno in _DISK:
        return PauError(f"{what}: {os.strerror(error.errno)}; free some space, or set TMPDIR")
    if isinstance(error, OSError | RuntimeError):  # from the upload in chunks, among others
        return UnsettledError(f"no answer ({type(error).__name__})")
    return HarnessError(f"{what}: {type(error).__name__}: {one_line(str(error))}")


def _chain(error: BaseException) -> Iterator[BaseException]:
    cause: BaseException | None = error
    while cause is not None:
        yield cause
        cause = cause.__cause__ or cause.__context__


def _of_answer(error: HfHubHTTPError, what: str) -> Exception:
    status = error.response.status_code
    words = one_line(error.server_message or "")
    told = f"status {status}" + (f": {words}" if words else "")
    if status in _NOT_NOW or status >= 500:
        pause = _asked_pause(error.response.headers)
        return UnsettledError(told, pause, status in _SURELY_WITHOUT_EFFECT)
    if status == 401:
        cure = "; it does not know your token: log in with `hf auth login`, or set HF_TOKEN"
    elif status == 404:
        cure = "; there is no such dataset, or your token may not see it"
    elif status == 403:
        cure = "; your token lacks the right to do this: take one that may write there"
    else:
        cure = ""
    return PauError(f"{what}: the Hub refuses ({told}){cure}")


def _asked_pause(headers: Mapping[str, str]) -> float | None:
    """Return the seconds of ``RateLimit: ...;t=55`` or ``Retry-After: 55``."""
    asked = re.search(r"\bt=(\d+)", headers.get("ratelimit", "")) or re.fullmatch(
        r"\s*(\d+)\s*", headers.get("retry-after", "")
    )
    return float(asked[1]) if asked else None


def one_line(text: str) -> str:
    """Return foreign text as one printable line, cut if long, without any token."""
    token = get_token()
    if token:
        text = text.replace(token, "<token>")
    text = _LOOKS_LIKE_TOKEN.sub("<token>", text)
    text = "".join(c if c.isprintable() else " " for c in text)
    text = " ".join(text.split())
    return text if len(text) <= 300 else text[:297] + "..."
