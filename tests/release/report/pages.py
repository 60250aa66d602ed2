"""Reading a page back: its packed rows, and what a browser makes of it."""

import base64
import gzip
import json
import re
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from builder.records import Rejection, Strength, Survivor, Task

if TYPE_CHECKING:
    from playwright.sync_api import BrowserContext, Page

# Debian's Chromium asks its maker for updates unless it is told not to.
CHROMIUM_OPTIONS = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
)

Written = Callable[[Sequence[Task], Sequence[Rejection]], str]
"""Writes the page of given rows, with the overview of the small release."""


def unpacked(text: str) -> tuple[dict[str, Any], list[dict[str, Any]]]:
    """Return what is known of all rows of a page, and the details of each."""

    def parts(mark: str) -> list[Any]:
        packed = re.findall(rf"<script [^>]*{mark}>([^<]*)</script>", text)
        return [json.loads(gzip.decompress(base64.b64decode(each))) for each in packed]

    [index] = parts('id="index"')
    return index, [row for part in parts('class="part"') for row in part]


def survived(task: Task) -> Task:
    """Return the row with two mutants that pass all its tests."""
    survivors = (
        Survivor(2, "condition", "-    if not arg0:\n+    if arg0 == 1:", "no difference"),
        Survivor(4, "swapped call", "-    a\n+    b"),
    )
    return replace(task, suite=replace(task.suite, strength=Strength(10, 8, 3, survivors)))


class Reader:
    """A reader with the page of a release open, who notes every error and request."""

    def __init__(self, context: "BrowserContext", folder: Path) -> None:
        self.page: Page = context.new_page()
        self.troubles: list[str] = []
        self._file = folder / "report.html"
        self._session = context.new_cdp_session(self.page)
        self.page.on("console", lambda message: self.troubles.append(message.text))
        self.page.on("pageerror", lambda error: self.troubles.append(str(error)))
        self.page.on("dialog", lambda dialog: self.troubles.append("a dialog"))
        self.page.on("request", self._note)
        self.page.set_default_timeout(60_000)

    def _note(self, request: Any) -> None:
        if request.url.split("#")[0] != self._file.as_uri() and not request.url.startswith("data:"):
            self.troubles.append(f"a request for {request.url}")

    def open(self, text: str, address: str = "") -> "Page":
        """Open a page at an address in it."""
        self._file.write_text(text, "utf-8")
        self.page.goto(self._file.as_uri() + address)
        self.page.wait_for_selector("main h1, main [role=alert]")
        return self.page

    def evaluate(self, expression: str) -> Any:
        """Return the value of an expression; the page's policy forbids the usual way to ask."""
        answer = self._session.send(
            "Runtime.evaluate", {"expression": expression, "returnByValue": True}
        )
        assert "exceptionDetails" not in answer, answer
        return answer["result"].get("value")
