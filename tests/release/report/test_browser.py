"""The page in a real Chromium: what a reader sees, clicks and types.

These tests are skipped, with the reason, where playwright or chromium is absent
(``make test-browser`` brings the former). Every one of them also fails if the browser tells of an
error or asks for anything but the page.
"""

import socket
from dataclasses import replace
from pathlib import Path

import pytest

from builder.reasons import Reason, Stage
from builder.records import Example, Rejection, Strength, Survivor, Task
from builder.release.assemble import write_release
from builder.release.content import ReleaseInput
from builder.release.report.page import report
from tests.release.report.pages import Reader, Written

EVIL = "</script><img src=x onerror=alert(1)><b>bold</b>"


@pytest.fixture
def small(written: Written, content: ReleaseInput) -> str:
    """Return the page of the small release, with one row more that was lost as a repetition."""
    twin = Rejection(
        "garden", "Garden/4", Stage.RELEASE, Reason.DUPLICATE_METHOD, "duplicate_of garden/2: same"
    )
    return written(sorted(content.tasks, key=lambda t: t.task_id), (*content.rejections, twin))


def _many(task: Task, number: int) -> list[Task]:
    return [
        replace(task, task_id=f"garden/{n}", description=f"Row number {n}.") for n in range(number)
    ]


def _survived(task: Task) -> Task:
    survivors = (
        Survivor(2, "condition", "-    if not arg0:\n+    if arg0 == 1:", "no difference"),
        Survivor(4, "swapped call", "-    a\n+    b"),
    )
    return replace(task, suite=replace(task.suite, strength=Strength(10, 8, 3, survivors)))


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


def test_back_returns_to_the_place_in_the_overview(small: str, reader: Reader) -> None:
    page = reader.open(small)
    page.get_by_role("link", name="garden", exact=True).click()
    page.locator(".number").wait_for()
    page.go_back()
    page.get_by_role("heading", name="Where the rows went").wait_for()
    assert reader.evaluate("scrollY") > 500


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


def test_the_view_of_a_row_tells_everything(
    written: Written, extremes: Task, appended: Task, reader: Reader
) -> None:
    page = reader.open(written([_survived(extremes), appended], ()), "#row/garden/10")
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
        suite=replace(_survived(extremes).suite, context=(example,), tests=(example,)),
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
CONTRAST = """(() => {
  const canvas = new OffscreenCanvas(1, 1).getContext("2d", { willReadFrequently: true });
  const light = (colour) => {
    canvas.fillStyle = colour;
    canvas.fillRect(0, 0, 1, 1);
    const parts = [...canvas.getImageData(0, 0, 1, 1).data].slice(0, 3).map((part) => {
      const share = part / 255;
      return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
    });
    return 0.2126 * parts[0] + 0.7152 * parts[1] + 0.0722 * parts[2];
  };
  const ground = (element) => {
    for (let at = element; at; at = at.parentElement) {
      const { backgroundColor } = getComputedStyle(at);
      if (backgroundColor !== "rgba(0, 0, 0, 0)") return backgroundColor;
    }
  };
  const faults = [];
  for (const element of document.querySelectorAll("body :not(script, svg, svg *)")) {
    const own = [...element.childNodes].some((node) => node.nodeType === 3 && node.data.trim());
    if (!own || !element.checkVisibility() || element.closest("[aria-hidden], .hidden")) continue;
    const [a, b] = [light(getComputedStyle(element).color), light(ground(element))];
    const ratio = (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
    if (ratio < 4.5) faults.push(`${element.className}: ${element.textContent} (${ratio})`);
  }
  return faults;
})()"""


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("address", ["#", "#rows?q=large", "#rows?outcome=all", "#row/garden/10"])
def test_every_text_stands_out_enough_from_its_ground(
    address: str, scheme: str, written: Written, content: ReleaseInput, reader: Reader
) -> None:
    reader.page.emulate_media(color_scheme="dark" if scheme == "dark" else "light")
    tasks = [_survived(task) for task in content.tasks]
    reader.open(written(tasks, content.rejections), address)
    assert reader.evaluate(CONTRAST) == []


def test_the_switch_wins_over_what_the_system_prefers(small: str, reader: Reader) -> None:
    page = reader.open(small)
    ground = "getComputedStyle(document.documentElement).backgroundColor"
    light = reader.evaluate(ground)
    switch = page.get_by_role("button", name="Theme")
    switch.click()
    assert reader.evaluate(ground) == light
    switch.click()
    assert reader.evaluate(ground) != light
    page.reload()
    page.get_by_text("Theme: dark").wait_for()
    assert reader.evaluate(ground) != light


@pytest.mark.parametrize("address", ["#", "#rows", "#reason/constant", "#row/garden/10"])
@pytest.mark.parametrize("width", [320, 400])
def test_a_narrow_window_need_not_be_scrolled_sideways(
    width: int, address: str, small: str, reader: Reader
) -> None:
    reader.page.set_viewport_size({"width": width, "height": 800})
    reader.open(small, address)
    assert reader.evaluate("document.documentElement.scrollWidth") == width


def test_in_a_narrow_window_every_filter_can_be_reached(small: str, reader: Reader) -> None:
    reader.page.set_viewport_size({"width": 320, "height": 800})
    page = reader.open(small, "#rows")
    assert not page.get_by_role("complementary", name="Filters").is_visible()
    page.get_by_role("button", name="Filters").click()
    page.get_by_role("checkbox", name="changed by a call").check()
    assert page.locator("tbody .id a").all_inner_texts() == ["meadow/1"]
    filters = "document.getElementById('filters')"
    assert reader.evaluate(f"{filters}.scrollWidth <= {filters}.clientWidth")


def test_a_low_window_has_room_for_the_list(small: str, reader: Reader) -> None:
    # What is left of a window of 1280 by 1024 to those who magnify it four times.
    reader.page.set_viewport_size({"width": 320, "height": 256})
    page = reader.open(small, "#rows")
    page.keyboard.press("/")
    page.keyboard.press("ArrowDown")
    box = page.locator(":focus").bounding_box()
    assert box is not None
    assert 0 <= box["y"] < 256


def test_an_address_of_nothing_is_told(small: str, reader: Reader) -> None:
    page = reader.open(small, "#row/garden/77")
    assert "Nothing in this release has the address #row/garden/77" in (
        page.get_by_role("alert").inner_text()
    )


def test_a_browser_that_cannot_unpack_is_told(small: str, reader: Reader) -> None:
    reader.page.add_init_script("delete globalThis.DecompressionStream")
    page = reader.open(small)
    assert "too old to unpack" in page.get_by_role("alert").inner_text()


def test_a_damaged_page_is_told(small: str, reader: Reader) -> None:
    start = small.index('id="index">') + 100
    page = reader.open(small[:start] + small[start + 400 :])
    assert "cannot be unpacked" in page.get_by_role("alert").inner_text()
    assert len(reader.troubles) == 1
    reader.troubles.clear()
