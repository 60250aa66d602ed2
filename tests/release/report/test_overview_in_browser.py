"""The overview: funnel, reasons and distributions lead to their rows, in a real Chromium.

These tests are skipped, with the reason, where playwright or chromium is absent
(``make test-browser`` brings the former). Every one of them also fails if the browser tells of an
error or asks for anything but the page.
"""

from dataclasses import replace
from pathlib import Path

from builder.reasons import Reason, Stage
from builder.records import Rejection, Task
from builder.release.assemble import write_release
from builder.release.content import ReleaseInput
from builder.release.report.page import report
from tests.release.report.pages import Reader, Written


def test_the_overview_shows_funnel_and_distributions(small: str, reader: Reader) -> None:
    page = reader.open(small)
    assert page.title() == "Python API Understanding · PAU release"
    table = page.get_by_role("region", name="Table of reasons")
    assert "The target takes no argument." in table.inner_text()
    assert "377" in page.get_by_role("figure").filter(has_text="published").inner_text()


def test_a_reason_leads_to_its_rows_and_to_the_row_that_they_repeat(
    written: Written, first_large: Task, reader: Reader
) -> None:
    twin = Rejection(
        "garden", "Garden/4", Stage.RELEASE, Reason.NO_ARGUMENT, "duplicate_of garden/2: same"
    )
    page = reader.open(written([first_large], [twin]))
    page.get_by_role("link", name="no_argument").first.click()
    page.get_by_role("heading", name="Lost: no argument").wait_for()
    page.get_by_role("link", name="garden/4").click()
    page.get_by_role("heading", name="garden/4").wait_for()
    assert "for v0 in arg0" in page.locator("pre.code").inner_text()
    page.get_by_role("link", name="garden/2").click()
    page.get_by_role("heading", name="garden/2").wait_for()
    assert "Stands for 1 row more" in page.locator("aside").inner_text()


def test_a_bar_of_a_distribution_leads_to_its_rows(small: str, reader: Reader) -> None:
    page = reader.open(small)
    bins = page.get_by_role("figure").filter(has_text="Lines of code")
    bins.get_by_role("link").first.click()
    page.get_by_role("heading", name="Rows").wait_for()
    assert page.locator(".number").inner_text() == "1 of 3 rows"
    page.get_by_role("button", name="Lines of code: 3, remove this filter").click()
    assert page.locator(".number").inner_text() == "3 of 3 rows"


def test_a_figure_of_the_table_of_reasons_leads_to_exactly_its_rows(
    written: Written, first_large: Task, reader: Reader
) -> None:
    # The funnel of the small release has one row of meadow that was no Python, lost at ingest.
    lost = [
        Rejection("meadow", "Meadow/2", Stage.INGEST, Reason.NOT_PYTHON),
        Rejection("garden", "Garden/3", Stage.INGEST, Reason.NOT_PYTHON),
    ]
    page = reader.open(written([first_large], lost))
    page.get_by_role("link", name="1 row of meadow lost: not_python").click()
    page.get_by_role("heading", name="Lost: not python").wait_for()
    assert page.locator("tbody .id a").all_inner_texts() == ["meadow/2"]
    page.get_by_role("checkbox", name="meadow").uncheck()
    assert page.locator(".number").inner_text() == "2 of 2 rows"


def test_rows_of_one_reason_can_be_told_by_the_stage_that_lost_them(
    written: Written, first_large: Task, reader: Reader
) -> None:
    lost = [
        Rejection("garden", "Garden/3", Stage.INGEST, Reason.NOT_PYTHON),
        Rejection("garden", "Garden/4", Stage.SCREEN, Reason.NOT_PYTHON),
    ]
    page = reader.open(written([first_large], lost), "#reason/not_python")
    page.get_by_role("group", name="Lost at").get_by_label("screen").check()
    assert page.locator("tbody .id a").all_inner_texts() == ["garden/4"]


def test_a_release_that_lost_nothing_is_shown(
    without_train: ReleaseInput, tmp_path: Path, reader: Reader
) -> None:
    folder = tmp_path / "release"
    garden = without_train.corpora[0]
    corpora = (replace(garden, rows=garden.rows[:2]),)
    write_release(replace(without_train, rejections=(), corpora=corpora), folder)
    page = reader.open(report(folder))
    assert "2 methods, proven and tested, out of 2 rows of 1 corpus." in (
        page.locator("main").inner_text()
    )
    page.get_by_role("link", name="Rows", exact=True).click()
    page.get_by_role("radio", name="Lost").check()
    assert "No row is like that." in page.locator("tbody").inner_text()


def test_back_returns_to_the_place_in_the_overview(small: str, reader: Reader) -> None:
    page = reader.open(small)
    page.get_by_role("link", name="garden", exact=True).click()
    page.locator(".number").wait_for()
    page.go_back()
    page.get_by_role("heading", name="Where the rows went").wait_for()
    assert reader.evaluate("scrollY") > 500
