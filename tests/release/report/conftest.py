"""The page of small releases, and a browser that looks at it."""

import os
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from builder.release.packed import read_funnel, read_manifest, read_rows
from builder.release.report.overview import overview
from builder.release.report.page import page
from tests.release.report.pages import Reader, Written

if TYPE_CHECKING:
    from playwright.sync_api import Browser

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


@pytest.fixture(scope="session")
def written(release_folder: Path) -> Written:
    """Return a writer of pages of given rows, with the overview of the small release."""
    whole = overview(
        read_manifest(release_folder), read_rows(release_folder), read_funnel(release_folder)
    )
    return lambda tasks, rejections: page(whole, tasks, rejections)


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
