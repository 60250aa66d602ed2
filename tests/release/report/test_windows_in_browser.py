"""Every window, theme and browser: what can be read and reached, in a real Chromium.

These tests are skipped, with the reason, where playwright or chromium is absent
(``make test-browser`` brings the former). Every one of them also fails if the browser tells of an
error or asks for anything but the page.
"""

import pytest

from builder.release.content import ReleaseInput
from tests.release.report.pages import Reader, Written, survived

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
    tasks = [survived(task) for task in content.tasks]
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
