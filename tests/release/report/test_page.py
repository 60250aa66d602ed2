"""The text of the page: everything is in it, and nothing of a release is HTML."""

import base64
import hashlib
import re
import shutil
from dataclasses import replace
from pathlib import Path

import pytest

from builder.reasons import Reason, Stage
from builder.records import Rejection, Task
from builder.release.report.page import report
from tests.release.report.pages import Written, unpacked

EVIL = "</script><img src=x onerror=alert(1)>"


@pytest.fixture(scope="module")
def text(release_folder: Path) -> str:
    return report(release_folder)


def _policy(text: str) -> dict[str, list[str]]:
    match = re.search(r'http-equiv="Content-Security-Policy" content="([^"]*)"', text)
    assert match is not None
    return {name: values for name, *values in map(str.split, match[1].split("; "))}


def _hash(content: str) -> str:
    return f"'sha256-{base64.b64encode(hashlib.sha256(content.encode()).digest()).decode()}'"


def test_every_row_and_every_lost_row_is_in_the_page(text: str) -> None:
    index, details = unpacked(text)
    assert [row["id"] for row in index["rows"]] == ["meadow/1", "garden/2", "garden/10"]
    assert [lost["id"] for lost in index["lost"]] == ["garden/3", "meadow/2", "meadow/12"]
    assert [row["sourceId"] for row in details] == ["Meadow/1", "Garden/2", "Garden/10"]


def test_details_stand_in_parts_that_can_be_found_by_the_place_of_a_row(
    written: Written, first_large: Task
) -> None:
    tasks = [replace(first_large, source_id=str(n), task_id=f"garden/{n}") for n in range(150)]
    text = written(tasks, ())
    index, details = unpacked(text)
    assert text.count('class="part"') == -(-150 // index["rowsAPart"])
    assert [row["sourceId"] for row in details] == [str(n) for n in range(150)]


def test_the_same_release_gives_the_same_bytes_wherever_it_stands(
    text: str, release_folder: Path, tmp_path: Path
) -> None:
    assert report(shutil.copytree(release_folder, tmp_path / "elsewhere")) == text


def test_the_policy_lets_nothing_in_but_the_own_script_and_style(text: str) -> None:
    policy = _policy(text)
    style = re.search(r"<style>(.*?)</style>", text, re.DOTALL)
    script = re.search(r'<script type="module">(.*?)</script>', text, re.DOTALL)
    assert style is not None
    assert script is not None
    assert policy["default-src"] == ["'none'"]
    assert policy["script-src"] == [_hash(script[1])]
    assert policy["style-src"] == [_hash(style[1])]
    assert policy["require-trusted-types-for"] == ["'script'"]
    assert not any("http" in value for values in policy.values() for value in values)


def test_no_text_of_a_release_stands_in_the_html(written: Written, first_large: Task) -> None:
    task = replace(
        first_large, description=EVIL, code=f"{first_large.code}# {EVIL}\n", source_id=EVIL
    )
    lost = Rejection("garden", EVIL, Stage.INGEST, Reason.NOT_PYTHON, EVIL)
    text = written([task], [lost])
    assert EVIL not in text
    index, details = unpacked(text)
    assert index["rows"][0]["description"] == EVIL
    assert index["lost"][0]["detail"] == EVIL
    assert details[0]["sourceId"] == EVIL


def test_lone_surrogates_and_control_characters_travel(written: Written, extremes: Task) -> None:
    odd = "\ud800 \x00 \u202e \u2028"
    lost = Rejection("garden", "Garden/3", Stage.INGEST, Reason.NOT_PYTHON, odd)
    text = written([replace(extremes, description=odd)], [lost])
    index, _ = unpacked(text)
    text.encode("utf-8")
    assert index["rows"][0]["description"] == odd
    assert index["lost"][0]["detail"] == odd
