"""The view of a row, whatever stands in it, in a real Chromium.

These tests are skipped, with the reason, where playwright or chromium is absent
(``make test-browser`` brings the former). Every one of them also fails if the browser tells of an
error or asks for anything but the page.
"""

import socket
from dataclasses import replace

import pytest

from builder.reasons import Reason, Stage
from builder.records import Example, Rejection, Strength, Survivor, Task
from tests.release.report.pages import Reader, Written, survived

EVIL = "</script><img src=x onerror=alert(1)><b>bold</b>"


def test_the_view_of_a_row_tells_everything(
    written: Written, extremes: Task, appended: Task, reader: Reader
) -> None:
    page = reader.open(written([survived(extremes), appended], ()), "#row/garden/10")
    text = page.locator("main").inner_text()
    for part in (
        "Return the smallest and the largest element.",
        "Origin: corpus.",
        "From line 2 to line 3: never taken",
        "test_func([3, 1])",
        "hypothesis",
        "a gap in the tests",
        "probably equivalent",
        "no difference",
        "1 of 2",
        "sha256:garden",
        "Garden/10",
    ):
        assert part in text, part
    assert page.locator(".line.missed").get_attribute("data-line") == "3"
    assert page.locator(".line.partly").get_attribute("data-line") == "2"
    assert page.locator(".way.taken").get_attribute("data-to") == "4"
    page.get_by_role("link", name="next").click()
    page.get_by_role("heading", name="meadow/1").wait_for()
    assert "changes its arguments" in page.locator("main").inner_text()


def test_no_text_of_a_release_becomes_html(
    written: Written, extremes: Task, reader: Reader
) -> None:
    example = Example(f"({EVIL!r},)", repr(EVIL), EVIL)
    task = replace(
        extremes,
        description=EVIL,
        header=EVIL,
        code=extremes.code + f"# {EVIL}\n",
        validator=f"# {EVIL}\n",
        suite=replace(survived(extremes).suite, context=(example,), tests=(example,)),
        source_id=EVIL,
        license=EVIL,
    )
    lost = Rejection("garden", EVIL, Stage.INGEST, Reason.NOT_PYTHON, EVIL)
    page = reader.open(written([task], [lost]), "#row/garden/10")
    page.get_by_text("Which arguments it refuses").click()
    assert page.locator("main").inner_text().count(EVIL) >= 6
    reader.evaluate("location.hash = '#rows?outcome=all'")
    page.get_by_role("searchbox").fill("onerror")
    assert page.locator(".number").inner_text() == "2 of 2 rows"
    page.locator("tr.lost .id a").click()
    page.get_by_text("not in the release").wait_for()
    assert page.locator("img, b:text('bold')").count() == 0


@pytest.mark.parametrize(
    "deed",
    [
        "fetch('ADDRESS')",
        "document.body.append(Object.assign(new Image(), {src: 'ADDRESS'}))",
        "navigator.sendBeacon('ADDRESS', 'x')",
        "document.body.append(Object.assign(document.createElement('script'), {text: 'alert(1)'}))",
        "document.body.insertAdjacentHTML('beforeend', '<img src=x onerror=alert(1)>')",
    ],
)
def test_the_policy_would_hold_even_foreign_script(deed: str, small: str, reader: Reader) -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:
        server.settimeout(0.3)
        reader.open(small)
        address = f"http://127.0.0.1:{server.getsockname()[1]}/"
        reader.evaluate(f"(() => {{ try {{ {deed.replace('ADDRESS', address)} }} catch {{ }} }})()")
        with pytest.raises(TimeoutError):
            server.accept()
    reader.page.wait_for_timeout(200)  # the browser tells of it a little later
    assert any("violates" in line or "requires 'Trusted" in line for line in reader.troubles)
    assert "a dialog" not in reader.troubles
    reader.troubles.clear()


def test_many_survivors_are_folded_but_for_the_gaps(
    written: Written, extremes: Task, reader: Reader
) -> None:
    survivors = tuple(Survivor(2, "loop", f"-{n}\n+0", "no difference") for n in range(1, 10))
    strength = Strength(20, 10, 3, (*survivors, Survivor(4, "call", "-a\n+gap")))
    task = replace(extremes, suite=replace(extremes.suite, strength=strength))
    page = reader.open(written([task], ()), "#row/garden/10")
    assert page.locator(".survivor:visible").count() == 1
    page.get_by_text("9 probably equivalent").click()
    assert page.locator(".survivor:visible").count() == 10


def test_how_well_code_follows_from_the_description_is_told(
    written: Written, extremes: Task, reader: Reader
) -> None:
    task = replace(extremes, description_origin="model:small", description_code_match=0.75)
    page = reader.open(written([task], ()), "#row/garden/10")
    assert "Origin: model:small. Code that a model wrote from it agrees on 75% of the tests." in (
        page.locator("main").inner_text()
    )


def test_a_long_value_is_folded(written: Written, extremes: Task, reader: Reader) -> None:
    example = Example("(1,)", repr("x" * 5_000), "corpus")
    suite = replace(extremes.suite, tests=(example,))
    page = reader.open(written([replace(extremes, suite=suite)], ()), "#row/garden/10")
    page.get_by_text("all 5,002 characters").click()
    assert repr("x" * 5_000) in page.locator("main").inner_text()


def test_what_cannot_be_seen_is_shown_as_an_escape(
    written: Written, extremes: Task, reader: Reader
) -> None:
    task = replace(extremes, description="a\ud800b \u202ec\x00d")
    page = reader.open(written([task], ()), "#row/garden/10")
    assert page.locator("p.description").inner_text() == r"a\ud800b \u202ec\x00d"


def test_a_row_with_an_odd_id_can_be_opened(
    written: Written, extremes: Task, reader: Reader
) -> None:
    page = reader.open(written([replace(extremes, task_id="garden/a?b#c%\ud800 é")], ()), "#rows")
    page.locator("tbody .id a").click()
    page.locator(".row-head h1").wait_for()
    assert page.locator("h1").inner_text() == r"garden/a?b#c%\ud800 é"
