"""What is different between two releases."""

from collections.abc import Callable, Iterator
from dataclasses import asdict, replace
from pathlib import Path

import pytest

from builder.errors import PauError
from builder.reasons import Reason, Stage
from builder.records import Rejection, Task
from builder.release.assemble import write_release
from builder.release.content import ReleaseInput
from builder.release.diff import (
    Changed,
    Figure,
    Made,
    Moved,
    Placed,
    ReleaseDiff,
    diff_releases,
)
from builder.release.diff_text import in_words
from builder.release.packed import REJECTIONS, parquet_path, write_parquet
from builder.release.rows import features, typed_row

Compare = Callable[[ReleaseInput], ReleaseDiff]


@pytest.fixture
def compare(release_folder: Path, tmp_path: Path) -> Iterator[Compare]:
    """Compare the usual release with one of other content."""

    def diff(content: ReleaseInput) -> ReleaseDiff:
        write_release(content, tmp_path / "release")
        return diff_releases(release_folder, tmp_path / "release")

    yield diff


def _with(content: ReleaseInput, *tasks: Task) -> ReleaseInput:
    """Return content in which some tasks stand in the place of those with the same id."""
    new = {task.task_id: task for task in tasks}
    return replace(content, tasks=tuple(new.get(task.task_id, task) for task in content.tasks))


def _lose(content: ReleaseInput, task: Task, reason: Reason) -> ReleaseInput:
    lost = Rejection(task.source, task.source_id, Stage.SUITE, reason)
    return replace(
        content,
        tasks=tuple(other for other in content.tasks if other != task),
        rejections=(*content.rejections, lost),
    )


def test_a_release_is_not_different_from_itself(release_folder: Path) -> None:
    diff = diff_releases(release_folder, release_folder)
    assert diff.same_rows
    assert (diff.figures, diff.made_with) == ((), ())
    assert in_words(diff) == (
        "- train: 1 rows (as many as before)\n"
        "- test: 2 rows (as many as before)\n"
        "- the rows are the same\n"
    )


def test_a_row_that_is_gone_is_told_with_the_reason(
    content: ReleaseInput, compare: Compare, extremes: Task
) -> None:
    diff = compare(_lose(content, extremes, Reason.CONSTANT))
    assert diff.removed == (Placed("garden/10", "test", "suite: constant"),)
    assert diff.rows[1] == Figure("test", "rows", 2, 1)


def test_a_row_that_is_new_is_told_with_why_it_was_lost_before(
    content: ReleaseInput, extremes: Task, release_folder: Path, tmp_path: Path
) -> None:
    write_release(_lose(content, extremes, Reason.TOO_SLOW), tmp_path / "release")
    diff = diff_releases(tmp_path / "release", release_folder)
    assert diff.added == (Placed("garden/10", "test", "suite: too_slow"),)
    assert (
        "- 1 row added; of them the earlier release says:\n  - suite: too_slow (1): `garden/10`"
        in (in_words(diff))
    )


def test_a_source_that_is_gone_is_the_reason_of_all_its_rows(
    without_train: ReleaseInput, compare: Compare
) -> None:
    diff = compare(without_train)
    assert diff.removed == (Placed("meadow/1", "train", "meadow is not among its sources"),)
    assert Made("rows of meadow", 3, None) in diff.made_with


def test_a_changed_row_names_its_columns(
    content: ReleaseInput, compare: Compare, first_large: Task
) -> None:
    other = replace(first_large, description="Return the first large one.", link="elsewhere")
    diff = compare(_with(content, other))
    assert diff.changed == (Changed("garden/2", "test", ("description", "link")),)
    assert "- 1 row changed: `description` in 1, `link` in 1\n" in in_words(diff)


def test_a_row_that_changes_its_split_is_moved_not_added(
    content: ReleaseInput, compare: Compare, extremes: Task
) -> None:
    diff = compare(_with(content, replace(extremes, split="train")))
    assert diff.moved == (Moved("garden/10", "test", "train"),)
    assert (diff.added, diff.removed, diff.changed) == ((), (), ())


def test_means_are_compared_for_each_split(
    content: ReleaseInput, compare: Compare, extremes: Task
) -> None:
    suite = replace(extremes.suite, tests=extremes.suite.tests[:2])
    diff = compare(_with(content, replace(extremes, suite=suite)))
    assert diff.figures == (Figure("test", "tests", 4.0, 3.0),)
    assert "  - test `tests`: 4.0000 → 3.0000\n" in in_words(diff)


def test_what_it_was_made_with_is_compared(content: ReleaseInput, compare: Compare) -> None:
    diff = compare(
        replace(
            content,
            settings={"seed": 1, "limit": None, "model": "m"},
            versions={"python": "3.11", "pau-toolkit": "0.2.0"},
        )
    )
    assert diff.same_rows
    assert diff.made_with == (
        Made("version of pau-toolkit", "0.1.0", "0.2.0"),
        Made("setting seed", 0, 1),
        Made("setting model", None, "m"),
    )


def test_columns_that_one_release_lacks_are_no_change_of_every_row(
    content: ReleaseInput,
    release_folder: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    import datasets

    write_release(content, tmp_path / "release")
    fewer = datasets.Features(
        {name: kind for name, kind in features("typed").items() if name != "link"}
    )
    monkeypatch.setattr("builder.release.packed.features", lambda _: fewer)
    for split in ("train", "test"):
        rows = [typed_row(task) for task in content.tasks if task.split == split]
        for row in rows:
            del row["link"]
        write_parquet(rows, "typed", tmp_path / "release" / parquet_path("typed", split))
    diff = diff_releases(tmp_path / "release", release_folder)
    assert diff.columns_added == ("link",)
    assert diff.changed == ()
    assert "- new columns: `link`\n" in in_words(diff)


def test_reasons_of_another_version_are_no_obstacle(
    content: ReleaseInput, release_folder: Path, tmp_path: Path, extremes: Task
) -> None:
    write_release(_lose(content, extremes, Reason.CONSTANT), tmp_path / "release")
    path = tmp_path / "release" / REJECTIONS
    path.write_text(path.read_text().replace('"constant"', '"too_dull"'))
    diff = diff_releases(tmp_path / "release", release_folder)
    assert diff.added[0].why == "suite: too_dull"


def test_long_lists_are_cut_on_demand(release_folder: Path, compare: Compare) -> None:
    rows = tuple(Placed(f"garden/{n}", "test", "suite: constant") for n in range(5))
    diff = replace(diff_releases(release_folder, release_folder), removed=rows)
    assert "(5): `garden/0`, `garden/1` and 3 more\n" in in_words(diff, most_rows=2)
    assert "more" not in in_words(diff)


def test_an_id_cannot_break_a_line(release_folder: Path) -> None:
    row = Placed("garden/`1`\n## v9.9.9", "test", "suite: constant")
    diff = replace(diff_releases(release_folder, release_folder), removed=(row,))
    assert "`garden/'1' ## v9.9.9`\n" in in_words(diff)


def test_the_differences_are_plain_values(content: ReleaseInput, compare: Compare) -> None:
    diff = compare(replace(content, settings={"seed": 1, "limit": None}))
    assert asdict(diff)["made_with"] == ({"name": "setting seed", "before": 0, "after": 1},)


def test_a_folder_without_a_release_is_wrong_use(release_folder: Path, tmp_path: Path) -> None:
    with pytest.raises(PauError, match="not a release"):
        diff_releases(release_folder, tmp_path)


def test_rejections_that_cannot_be_read_are_wrong_input(
    content: ReleaseInput, release_folder: Path, tmp_path: Path
) -> None:
    write_release(content, tmp_path / "release")
    (tmp_path / "release" / REJECTIONS).write_text("[]\n")
    with pytest.raises(PauError, match="cannot be read as rejections"):
        diff_releases(tmp_path / "release", release_folder)
