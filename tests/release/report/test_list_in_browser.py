"""The list of rows: search, facets, order, keyboard and addresses, in a real Chromium.

These tests are skipped, with the reason, where playwright or chromium is absent
(``make test-browser`` brings the former). Every one of them also fails if the browser tells of an
error or asks for anything but the page.
"""

from dataclasses import replace

from builder.records import Task
from tests.release.report.pages import Reader, Written


def _many(task: Task, number: int) -> list[Task]:
    return [
        replace(task, task_id=f"garden/{n}", description=f"Row number {n}.") for n in range(number)
    ]


def test_words_are_found_in_id_description_and_code(small: str, reader: Reader) -> None:
    page = reader.open(small, "#rows")
    for words, found in (
        ("GARDEN/1", ["garden/10"]),
        ("smallest", ["garden/10"]),
        ("append", ["meadow/1"]),
        ("return none", ["garden/2"]),
        ('"none return"', []),
    ):
        page.get_by_role("searchbox").fill(words)
        shown = page.locator("tbody .id a").all_inner_texts()
        assert shown == found, words


def test_a_facet_narrows_and_counts_what_its_other_values_would_give(
    small: str, reader: Reader
) -> None:
    page = reader.open(small, "#rows")
    page.get_by_role("checkbox", name="garden").check()
    assert page.locator(".number").inner_text() == "2 of 3 rows"
    source = page.get_by_role("group", name="Source")
    assert source.inner_text().split() == ["Source", "garden", "2", "meadow", "1"]
    assert page.get_by_role("group", name="Split").inner_text().split() == ["Split", "test", "2"]


def test_the_number_of_rows_is_announced(small: str, reader: Reader) -> None:
    page = reader.open(small, "#rows")
    page.get_by_role("searchbox").fill("smallest")
    assert page.get_by_role("status").inner_text() == "1 of 3 rows"


def test_lost_rows_are_listed_with_their_reason(small: str, reader: Reader) -> None:
    page = reader.open(small, "#rows")
    page.get_by_role("radio", name="Lost").check()
    assert page.locator(".number").inner_text() == "4 of 4 rows"
    assert "always 0" in page.locator("tbody").inner_text()


def test_rows_are_sorted_by_a_column(small: str, reader: Reader) -> None:
    page = reader.open(small, "#rows")
    page.get_by_role("button", name="branches").click()
    assert page.locator("tbody .id a").first.inner_text() == "garden/10"
    sorted_by = page.locator("th[aria-sort=ascending]")
    assert sorted_by.inner_text().startswith("branches")


def test_the_keyboard_alone_opens_a_row_and_comes_back(small: str, reader: Reader) -> None:
    page = reader.open(small, "#rows")
    page.keyboard.press("/")
    page.keyboard.type("garden")
    page.keyboard.press("ArrowDown")
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Enter")
    page.get_by_role("heading", name="garden/2").wait_for()
    page.keyboard.press("ArrowLeft")
    page.get_by_role("heading", name="garden/10").wait_for()
    page.keyboard.press("ArrowRight")
    page.get_by_role("heading", name="garden/2").wait_for()
    page.keyboard.press("Escape")
    page.get_by_role("searchbox").wait_for()
    assert page.get_by_role("searchbox").input_value() == "garden"
    assert page.locator(":focus").inner_text() == "garden/2"


def test_back_returns_to_the_filtered_list(small: str, reader: Reader) -> None:
    page = reader.open(small, "#rows")
    page.get_by_role("checkbox", name="meadow").check()
    page.get_by_role("link", name="meadow/1").click()
    page.get_by_role("heading", name="meadow/1").wait_for()
    page.go_back()
    assert page.locator(".number").inner_text() == "1 of 3 rows"
    assert page.url.endswith("#rows?source=meadow")


def test_a_filter_that_was_just_typed_does_not_change_another_view(
    small: str, reader: Reader
) -> None:
    page = reader.open(small, "#row/garden/10")
    page.get_by_role("link", name="Rows", exact=True).click()
    page.get_by_role("searchbox").fill("append")
    page.go_back()
    page.get_by_role("heading", name="garden/10").wait_for()
    page.wait_for_timeout(500)  # an address that were written late
    assert page.url.endswith("#row/garden/10")


def test_a_view_can_be_shared_by_its_address(small: str, reader: Reader) -> None:
    page = reader.open(small, "#rows?source=garden&q=largest&sort=-lines")
    assert page.locator(".number").inner_text() == "1 of 3 rows"
    assert page.get_by_role("combobox", name="Sort").input_value() == "-lines"


def test_of_many_rows_only_those_in_sight_are_in_the_tree(
    written: Written, extremes: Task, reader: Reader
) -> None:
    page = reader.open(written(_many(extremes, 5_000), ()), "#rows")
    assert page.locator(".number").inner_text() == "5,000 of 5,000 rows"
    assert page.locator("tbody tr").count() < 60
    page.locator("tbody .id a").first.focus()
    page.keyboard.press("End")
    assert page.locator(":focus").inner_text() == "garden/4999"
    assert page.locator("tbody tr").count() < 60
    page.get_by_role("searchbox").fill('"row number 4321."')
    assert page.locator(".number").inner_text() == "1 of 5,000 rows"
    page.get_by_role("link", name="garden/4321").click()
    page.get_by_role("heading", name="garden/4321").wait_for()


# How bright a colour is and how far two are apart, as WCAG 2.2 defines them.
