"""How quick the page of ``pau-build report`` is in a real Chromium.

    python benchmarks/report.py outputs/release [--rows 5000]

Needs the extra ``browser`` and Chromium, named in ``CHROMIUM`` if it is not on the path. The times
are those of the browser's own clock, in milliseconds: from the start of the navigation until the
view can be used, and from a change of a filter until the list is laid out anew. Beside them stands
the processor time of the page's own thread, which says the same on a machine that is busy.
``--rows`` repeats the rows of the release under new ids up to a number, to see how a larger one
would do.
"""

import json
import os
import shutil
import sys
import tempfile
import time
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from statistics import median
from typing import Any

import click

from builder.release.packed import (
    read_funnel,
    read_manifest,
    read_rejections,
    read_rows,
    read_tasks,
)
from builder.release.report.overview import overview
from builder.release.report.page import page, report
from tests.release.report.pages import CHROMIUM_OPTIONS

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
@click.argument("release", type=click.Path(path_type=Path))
@click.option("--rows", type=click.IntRange(min=1), help="Repeat the rows up to this number.")
@click.option("--times", default=5, show_default=True, help="How often each view is opened.")
def main(release: Path, rows: int | None, times: int) -> None:
    """Show how long a page takes until it can be used, and how long its filters take."""
    try:
        from playwright.sync_api import sync_playwright
    except ImportError:
        sys.exit("playwright is missing; install it with: pip install -e '.[browser]'")
    program = os.environ.get("CHROMIUM") or shutil.which("chromium")
    if program is None:
        sys.exit("no chromium; install it, or name the program in CHROMIUM")
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        file = Path(folder) / "report.html"
        start = time.perf_counter()
        file.write_text(_page(release, rows), "utf-8")
        written = time.perf_counter() - start
        click.echo(f"written in {written:.1f} s, {file.stat().st_size / 1e6:.1f} MB")
        browser = playwright.chromium.launch(executable_path=program, args=CHROMIUM_OPTIONS)
        _measure(browser, file.as_uri(), times)
        browser.close()


def _page(release: Path, rows: int | None) -> str:
    if rows is None:
        return report(release)
    members = read_rows(release)
    whole = overview(read_manifest(release), members, read_funnel(release))
    tasks = read_tasks(release)
    repeated = [
        replace(task, task_id=f"{task.task_id}-{turn}") if turn else task
        for turn in range(-(-rows // len(tasks)))
        for task in tasks
    ]
    return page(whole, repeated[:rows], read_rejections(release))


def _measure(browser: Any, file: str, times: int) -> None:
    context = browser.new_context(viewport={"width": 1280, "height": 800})
    tab = context.new_page()
    troubles: list[str] = []
    tab.on("console", lambda message: troubles.append(message.text))
    tab.on("pageerror", lambda error: troubles.append(str(error)))
    session = context.new_cdp_session(tab)

    def evaluate(expression: str) -> Any:
        question = {"expression": expression, "returnByValue": True}
        return session.send("Runtime.evaluate", question)["result"].get("value")

    def busy() -> float:
        metrics = session.send("Performance.getMetrics")["metrics"]
        return float({each["name"]: each["value"] for each in metrics}["TaskDuration"]) * 1000

    def opened(address: str) -> tuple[float, float]:
        tab.goto("about:blank")
        before = busy()
        tab.goto(file + address)
        tab.wait_for_selector("main h1")
        after = busy()
        return evaluate("performance.getEntriesByName('usable')[0].startTime"), after - before

    session.send("Performance.enable", {"timeDomain": "threadTicks"})
    opened("#rows")
    first = evaluate("document.querySelector('tbody .id a').hash")
    for view in VIEWS:
        loads = [opened(first if view == "#row" else view) for _ in range(times)]
        _show(
            f"usable, {view or '#'}",
            [taken for taken, _ in loads],
            median(thread for _, thread in loads),
        )
    opened("#rows")
    click.echo(evaluate("document.querySelector('.number').textContent"))
    before = busy()
    changes = evaluate(f"const WORDS = {json.dumps(WORDS)};{TIME_CHANGES}")
    _show("any change", [taken for _, _, taken in changes], (busy() - before) / len(changes))
    for kind in ("typing", "outcome", "facet", "sort"):
        _show(kind, [taken for name, _, taken in changes if name == kind])
    kind, value, slowest = max(changes, key=lambda change: float(change[2]))
    click.echo(f"slowest: {kind} {value!r} {slowest:.1f} ms")
    click.echo(f"console errors: {len(troubles)}")


def _show(name: str, taken: Sequence[float], thread: float | None = None) -> None:
    processor = "" if thread is None else f"; processor {thread:.1f} ms each"
    click.echo(
        f"{name:<16} median {median(taken):7.1f} ms, most {max(taken):7.1f} ms, of {len(taken)}"
        f"{processor}"
    )


if __name__ == "__main__":
    main()
