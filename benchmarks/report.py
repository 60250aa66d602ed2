"""How quick the page of ``pau-build report`` is in a real Chromium.

    python benchmarks/report.py outputs/release.html

Needs the extra ``browser`` and Chromium, named in ``CHROMIUM`` if it is not on the path. The times
are those of the browser's own clock, in milliseconds: from the start of the navigation until the
view can be used, and from a change of a filter until the list is laid out anew.
"""

import json
import os
import shutil
import sys
from pathlib import Path
from statistics import median
from typing import Any

import click

OPTIONS = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
)
VIEWS = ("", "#rows", "#row")
WORDS = ("return", "list of", "fibonacci", "arg0 + 1", '"no such words anywhere"')

# Each change is timed up to the end of a forced layout: what the reader waits for before painting.
TIME_CHANGES = """
(() => {
  const timed = (change) => {
    const start = performance.now();
    change();
    document.body.getBoundingClientRect();
    return performance.now() - start;
  };
  const field = document.getElementById("query");
  const typed = (text) => timed(() => {
    field.value = text;
    field.dispatchEvent(new Event("input"));
  });
  const times = [];
  for (const words of WORDS) {
    for (let end = 1; end <= words.length; end++) {
      times.push(["typing", words.slice(0, end), typed(words.slice(0, end))]);
    }
    typed("");
  }
  for (const outcome of ["all", "lost", "kept"]) {
    const choice = document.querySelector(`[value=${outcome}]`);
    times.push(["outcome", outcome, timed(() => choice.click())]);
  }
  for (const box of document.querySelectorAll(".filters label:not([hidden]) input")) {
    times.push(["facet", box.value, timed(() => box.click())]);
    times.push(["facet", box.value, timed(() => box.click())]);
  }
  const sort = document.getElementById("sort");
  for (const option of sort.options) {
    times.push(["sort", option.value, timed(() => {
      sort.value = option.value;
      sort.dispatchEvent(new Event("change"));
    })]);
  }
  return times;
})()
"""


@click.command()
@click.argument("page", type=click.Path(path_type=Path, exists=True, dir_okay=False))
@click.option("--times", default=5, help="How often each view is opened.")
def main(page: Path, times: int) -> None:
    """Show how long a page takes until it can be used, and how long its filters take."""
    try:
        from playwright.sync_api import sync_playwright
    except ImportError:
        sys.exit("playwright is missing; install it with: pip install -e '.[browser]'")
    program = os.environ.get("CHROMIUM") or shutil.which("chromium")
    if program is None:
        sys.exit("no chromium; install it, or name the program in CHROMIUM")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=program, args=OPTIONS)
        context = browser.new_context(viewport={"width": 1280, "height": 800})
        tab = context.new_page()
        troubles: list[str] = []
        tab.on("console", lambda message: troubles.append(message.text))
        tab.on("pageerror", lambda error: troubles.append(str(error)))
        session = context.new_cdp_session(tab)

        def evaluate(expression: str) -> Any:
            question = {"expression": expression, "returnByValue": True}
            return session.send("Runtime.evaluate", question)["result"].get("value")

        def opened(address: str) -> float:
            tab.goto("about:blank")
            tab.goto(page.resolve().as_uri() + address)
            tab.wait_for_selector("main h1")
            return float(evaluate("performance.getEntriesByName('usable')[0].startTime"))

        opened("#rows")
        first = evaluate("document.querySelector('tbody .id a').hash")
        for view in VIEWS:
            taken = [opened(first if view == "#row" else view) for _ in range(times)]
            _show(f"usable, {view or '#'}", taken)
        opened("#rows")
        click.echo(evaluate("document.querySelector('.number').textContent"))
        changes = evaluate(f"const WORDS = {json.dumps(WORDS)};{TIME_CHANGES}")
        for kind in ("typing", "outcome", "facet", "sort"):
            _show(kind, [taken for name, _, taken in changes if name == kind])
        kind, value, slowest = max(changes, key=lambda change: float(change[2]))
        click.echo(f"slowest: {kind} {value!r} {slowest:.1f} ms")
        click.echo(f"console errors: {len(troubles)}")
        browser.close()


def _show(name: str, taken: list[float]) -> None:
    click.echo(
        f"{name:<16} median {median(taken):7.1f} ms, most {max(taken):7.1f} ms, of {len(taken)}"
    )


if __name__ == "__main__":
    main()
