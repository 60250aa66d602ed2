"""The page of small releases, and a browser that looks at it."""

import os
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from builder.reasons import Reason, Stage
from builder.records import Rejection
from builder.release.content import ReleaseInput
from builder.release.packed import read_funnel, read_manifest, read_rows
from builder.release.report.overview import overview
from builder.release.report.page import page
from tests.release.report.pages import CHROMIUM_OPTIONS, Reader, Written

if TYPE_CHECKING:
    from playwright.sync_api import Browser


@pytest.fixture(scope="session")
def written(release_folder: Path) -> Written:
    """Return a writer of pages of given rows, with the overview of the small release."""
    whole = overview(
        read_manifest(release_folder), read_rows(release_folder), read_funnel(release_folder)
    )
    return lambda tasks, rejections: page(whole, tasks, rejections)


@pytest.fixture
def small(written: Written, content: ReleaseInput) -> str:
    """Return the page of the small release, with one row more that was lost as a repetition."""
    twin = Rejection(
        "garden", "Garden/4", Stage.RELEASE, Reason.DUPLICATE_METHOD, "duplicate_of garden/2: same"
    )
    return written(sorted(content.tasks, key=lambda t: t.task_id), (*content.rejections, twin))


@pytest.fixture(scope="session")
def _browser() -> "Iterator[Browser]":
    api = pytest.importorskip(
        "playwright.sync_api", reason="no playwright: make test-browser installs it"
    )
    program = os.environ.get("CHROMIUM") or shutil.which("chromium")
    if program is None:
        pytest.skip("no chromium: install it, or name the program in CHROMIUM")
    with api.sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=program, args=CHROMIUM_OPTIONS)
        yield browser
        browser.close()


@pytest.fixture
def reader(_browser: "Browser", tmp_path: Path) -> Iterator[Reader]:
    """Return a reader before a wide window; whatever went wrong fails the test at its end."""
    context = _browser.new_context(viewport={"width": 1280, "height": 800}, color_scheme="light")
    reader = Reader(context, tmp_path)
    yield reader
    context.close()
    assert reader.troubles == []
