"""Verification finds whatever differs from what a release promises."""

import json
import shutil
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

import pytest

from builder.errors import PauError
from builder.records import Example, Task
from builder.release.assemble import write_release
from builder.release.content import ReleaseInput
from builder.release.packed import CHECKSUMS, checksums, content_hash, parquet_path, write_parquet
from builder.release.rows import default_row, typed_row
from builder.release.verify import replay, verify_folder
from builder.sandbox.protocol import Call, Job, Level
from builder.sandbox.supervisor import Sandbox


@pytest.fixture(scope="module")
def sandbox() -> Iterator[Sandbox]:
    with Sandbox(allow=Level.PROCESS_ONLY) as sandbox:
        yield sandbox


@pytest.fixture
def copy(release_folder: Path, tmp_path: Path) -> Path:
    return shutil.copytree(release_folder, tmp_path / "copy")


def _sign(folder: Path) -> None:
    (folder / CHECKSUMS).write_text(checksums(folder))


def _with_first_test(task: Task, **changes: object) -> Task:
    first, *others = task.suite.tests
    tests = (replace(first, **changes), *others)  # type: ignore[arg-type]
    return replace(task, suite=replace(task.suite, tests=tests))


def test_a_release_as_it_was_written_has_no_difference(
    release_folder: Path, sandbox: Sandbox
) -> None:
    assert list(verify_folder(release_folder, sandbox)) == []


def test_progress_sees_every_task(release_folder: Path, sandbox: Sandbox) -> None:
    seen: list[Task] = []

    def progress(tasks: Sequence[Task]) -> Sequence[Task]:
        seen.extend(tasks)
        return tasks

    list(verify_folder(release_folder, sandbox, progress))
    assert [task.task_id for task in seen] == ["meadow/1", "garden/2", "garden/10"]


def test_another_output_is_found(first_large: Task, sandbox: Sandbox) -> None:
    wrong = _with_first_test(first_large, output="False")
    assert _replay(wrong, sandbox) == ["garden/2: test_func([], 0) gives None, not False"]


@pytest.mark.parametrize("output", ["2.0", "True", "(2,)"])
def test_an_output_of_another_type_is_another_output(
    first_large: Task, sandbox: Sandbox, output: str
) -> None:
    wrong = _with_first_test(first_large, input="([2], 1)", output=output)
    assert _replay(wrong, sandbox) == [f"garden/2: test_func([2], 1) gives 2, not {output}"]


def test_an_exception_is_found(first_large: Task, sandbox: Sandbox) -> None:
    wrong = _with_first_test(first_large, input="(['a'], 0)")
    assert _replay(wrong, sandbox) == ["garden/2: test_func(['a'], 0) ends with TypeError"]


def test_code_that_does_not_load_is_found(first_large: Task, sandbox: Sandbox) -> None:
    wrong = replace(first_large, code="import nothing_of_that_name\n" + first_large.code)
    assert _replay(wrong, sandbox) == ["garden/2: the code does not load: ModuleNotFoundError"]


def test_a_wrong_note_on_mutation_is_found(
    first_large: Task, appended: Task, sandbox: Sandbox
) -> None:
    assert _replay(_with_first_test(first_large, mutates=True), sandbox) == [
        "garden/2: test_func([], 0) leaves its arguments, unlike before"
    ]
    assert _replay(_with_first_test(appended, mutates=False), sandbox) == [
        "meadow/1: test_func(['a'],) changes its arguments, unlike before"
    ]


def test_a_validator_that_refuses_an_example_is_found(first_large: Task, sandbox: Sandbox) -> None:
    wrong = replace(
        first_large,
        validator="def validate_input_args(arg0, arg1):\n"
        "    if not arg0:\n"
        "        raise ValueError('arg0 must not be empty')\n",
    )
    assert _replay(wrong, sandbox) == [
        "garden/2: behind its validator, test_func([], 0) ends with ValueError"
    ]


def test_output_that_depends_on_the_hash_seed_is_found(first_large: Task, sandbox: Sandbox) -> None:
    code = "def test_func(arg0):\n    return hash(arg0)\n"
    inputs = ["('a',)", "('b',)"]
    built = sandbox.run(Job(code, "test_func", tuple(map(Call, inputs))))
    examples = tuple(
        Example(text, outcome.value, "corpus")
        for text, outcome in zip(inputs, built.outcomes, strict=True)
    )
    task = replace(
        first_large, code=code, suite=replace(first_large.suite, context=(), tests=examples)
    )
    assert len(_replay(task, sandbox)) == 2


def test_long_values_are_cut_in_the_line(first_large: Task, sandbox: Sandbox) -> None:
    wrong = _with_first_test(first_large, output=repr("x" * 10_000))
    (line,) = _replay(wrong, sandbox)
    assert len(line) < 200


def _replay(task: Task, sandbox: Sandbox) -> list[str]:
    return list(replay(task, default_row(task)["test_func_validated"], sandbox))


def test_a_changed_file_is_found(copy: Path, sandbox: Sandbox) -> None:
    with (copy / "rejections.jsonl").open("a") as file:
        file.write("\n")
    assert "rejections.jsonl: was changed" in list(verify_folder(copy, sandbox))


def test_a_missing_and_an_extra_file_are_found(copy: Path, sandbox: Sandbox) -> None:
    (copy / "LICENSE.md").rename(copy / "COPYING.md")
    assert list(verify_folder(copy, sandbox)) == [
        "COPYING.md: is not part of the release",
        "LICENSE.md: is missing",
    ]


def test_missing_checksums_are_found(copy: Path, sandbox: Sandbox) -> None:
    (copy / CHECKSUMS).unlink()
    assert list(verify_folder(copy, sandbox)) == ["SHA256SUMS: cannot be read"]


@pytest.mark.parametrize("config", ["default", "typed"])
def test_a_damaged_file_is_found(copy: Path, sandbox: Sandbox, config: str) -> None:
    path = copy / parquet_path(config, "test")
    path.write_bytes(path.read_bytes()[:-100])
    lines = list(verify_folder(copy, sandbox))
    assert lines[0] == f"{parquet_path(config, 'test')}: was changed"
    assert f"datasets cannot load the config {config}" in lines[1]
    assert len(lines) == 2


def test_rows_that_the_manifest_does_not_describe_are_found(
    copy: Path, sandbox: Sandbox, first_large: Task, extremes: Task
) -> None:
    swapped = [default_row(extremes), default_row(first_large)]
    write_parquet(swapped, "default", copy / parquet_path("default", "test"))
    _sign(copy)
    assert list(verify_folder(copy, sandbox))[:3] == [
        "default/test: the rows are not those of the manifest",
        "garden/2: config default does not hold the same task in this row",
        "garden/10: config default does not hold the same task in this row",
    ]


def test_other_words_in_the_prompts_are_no_difference(
    copy: Path, sandbox: Sandbox, content: ReleaseInput
) -> None:
    manifest = json.loads((copy / "manifest.json").read_text())
    rows = [
        default_row(task) | {"direct_prompt": "Guess."}
        for task in content.tasks
        if task.split == "train"
    ]
    write_parquet(rows, "default", copy / parquet_path("default", "train"))
    manifest["splits"]["train"]["content_sha256"]["default"] = content_hash(rows)
    (copy / "manifest.json").write_text(json.dumps(manifest))
    _sign(copy)
    assert list(verify_folder(copy, sandbox)) == []


def test_a_funnel_that_does_not_count_the_rows_is_found(copy: Path, sandbox: Sandbox) -> None:
    lines = (copy / "rejections.jsonl").read_text().splitlines(keepends=True)
    (copy / "rejections.jsonl").write_text("".join(lines[1:]))
    _sign(copy)
    assert list(verify_folder(copy, sandbox)) == [
        "the rows of garden do not add up: 3 in, 0 rejected, 2 kept"
    ]


def test_a_funnel_with_other_counts_is_found(copy: Path, sandbox: Sandbox) -> None:
    text = (copy / "funnel.json").read_text()
    (copy / "funnel.json").write_text(text.replace('"constant": 1', '"constant": 2'))
    _sign(copy)
    assert list(verify_folder(copy, sandbox)) == [
        "funnel.json: does not count what rejections.jsonl and the rows hold"
    ]


@pytest.mark.parametrize(
    ("tests", "fault"),
    [
        ("([2], 01) -> 2", "not a literal"),
        ("([ 2], 1) -> 2", "not in canonical form: ([ 2], 1)"),
        ("[[2], 1] -> 2", "not a tuple of arguments: [[2], 1]"),
        ("([1, 5], 3) -> 5", "an input stands twice"),
    ],
)
def test_a_row_that_breaks_the_format_is_found(
    first_large: Task,
    content: ReleaseInput,
    sandbox: Sandbox,
    tmp_path: Path,
    tests: str,
    fault: str,
) -> None:
    input_, output = tests.split(" -> ")
    wrong = _with_first_test(first_large, input=input_, output=output)
    tasks = (wrong, *(task for task in content.tasks if task.task_id != wrong.task_id))
    write_release(replace(content, tasks=tasks), tmp_path / "release")
    lines = list(verify_folder(tmp_path / "release", sandbox))
    assert lines[0].startswith("garden/2: ")
    assert fault in lines[0]


def test_context_with_one_output_is_found(
    first_large: Task, content: ReleaseInput, sandbox: Sandbox, tmp_path: Path
) -> None:
    same = (Example("([4], 3)", "4", "corpus"), Example("([4, 4], 3)", "4", "corpus"))
    wrong = replace(first_large, suite=replace(first_large.suite, context=same))
    tasks = (wrong, *(task for task in content.tasks if task.task_id != wrong.task_id))
    write_release(replace(content, tasks=tasks), tmp_path / "release")
    assert list(verify_folder(tmp_path / "release", sandbox)) == [
        "garden/2: its context is not two examples with different outputs"
    ]


def test_a_row_in_both_splits_is_found(copy: Path, content: ReleaseInput, sandbox: Sandbox) -> None:
    twice = [typed_row(task) for task in content.tasks if task.split == "train"]
    twice[0]["task_id"] = "garden/2"
    write_parquet(twice, "typed", copy / parquet_path("typed", "train"))
    _sign(copy)
    assert "garden/2: stands twice, as train row 0 and test row 0" in list(
        verify_folder(copy, sandbox)
    )


def test_a_folder_without_a_release_is_wrong_use(tmp_path: Path, sandbox: Sandbox) -> None:
    with pytest.raises(PauError, match="not a release"):
        list(verify_folder(tmp_path, sandbox))
