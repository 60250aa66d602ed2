"""``pau-build show``: one row, readable in a terminal of 80 columns."""

from dataclasses import replace
from pathlib import Path

import click
import pytest
from click.testing import CliRunner

from builder.commands.show import describe, describe_survivors, show
from builder.errors import PauError
from builder.model.settings import TASKS
from builder.records import Example, Strength, Survivor, Task


def _lines(task: Task, width: int = 80) -> list[str]:
    return [click.unstyle(line) for line in describe(task, width)]


def test_a_row_is_found_by_its_id(release_folder: Path) -> None:
    result = CliRunner().invoke(show, ["garden/10", "--release", str(release_folder)])
    assert result.exit_code == 0
    assert "garden/10" in result.output
    assert "Return the smallest and the largest element." in result.output


def test_output_that_goes_to_no_terminal_is_plain(release_folder: Path) -> None:
    result = CliRunner().invoke(show, ["garden/10", "--release", str(release_folder)])
    assert "\x1b" not in result.output


def test_a_terminal_gets_colours(release_folder: Path) -> None:
    result = CliRunner().invoke(show, ["garden/10", "--release", str(release_folder)], color=True)
    assert "\x1b[" in result.output


def test_lines_that_no_test_runs_are_marked(extremes: Task) -> None:
    lines = _lines(extremes)
    assert "  1  def test_func(arg0):" in lines
    assert "~ 2      if not arg0:" in lines
    assert "! 3          return set()" in lines
    assert "  4      return (min(arg0), max(arg0))" in lines
    assert "  never taken: from line 2 to line 3" in lines


def test_examples_are_shown_as_calls_with_their_origin(extremes: Task, appended: Task) -> None:
    assert "   1  test_func([3, 1]) => (1, 3) # hypothesis" in _lines(extremes)
    assert "   1  test_func([]) => [0] # corpus, changes its arguments" in _lines(appended)


def test_figures_are_counts_and_shares(extremes: Task) -> None:
    assert "    statements   2 of 3 (66.7%)" in _lines(extremes)
    assert "    branch arcs  1 of 2 (50.0%)" in _lines(extremes)


def test_difficulty_is_told_where_it_was_measured(first_large: Task, extremes: Task) -> None:
    assert "    rivals       2 of 7 fit the context" in _lines(first_large)
    assert not any(line.strip().startswith("rivals") for line in _lines(extremes))


def test_what_is_believed_to_be_dead_is_told_apart(extremes: Task) -> None:
    coverage = replace(
        extremes.suite.coverage, dead_lines=(3,), dead_arcs=((2, 3),), why_dead="nothing goes there"
    )
    lines = _lines(replace(extremes, suite=replace(extremes.suite, coverage=coverage)))
    assert "  never taken: from line 2 to line 3, believed to be dead" in lines
    assert "    branch arcs  1 of 1 (100.0%), 1 believed to be dead" in lines
    assert "    why dead: nothing goes there" in lines


def test_mutants_that_live_are_shown_with_their_difference_and_the_reason(extremes: Task) -> None:
    survivors = (
        Survivor(2, "condition", "-    if not arg0:\n+    if False:", "no difference"),
        Survivor(4, "swapped call", "-    a\n+    b"),
    )
    strength = Strength(10, 8, 3, survivors)
    task = replace(extremes, suite=replace(extremes.suite, strength=strength))
    lines = [click.unstyle(line) for line in describe_survivors(task, 80)]
    assert "garden/10  8 of 10 mutants killed, 1 probably equivalent (88.9%)" in lines
    start = lines.index("Line 2  (condition)")
    assert lines[start + 1 : start + 4] == [
        "    -    if not arg0:",
        "    +    if False:",
        "    probably equivalent: no difference",
    ]
    assert lines[-1] == "    a gap in the tests"
    assert "    by context   3 of 9 (33.3%); --mutants shows those that live" in _lines(task)


@pytest.mark.parametrize("width", [60, 80])
def test_no_line_is_wider_than_the_terminal(first_large: Task, width: int) -> None:
    long = Example(f"({'a' * 150!r}, 1)", repr("b" * 150), "corpus")
    suite = replace(first_large.suite, tests=(*first_large.suite.tests, long))
    task = replace(first_large, description="word " * 100, suite=suite, validator="pass")
    assert max(map(len, _lines(task, width))) <= width


def test_a_long_value_is_cut_and_says_by_how_much(first_large: Task) -> None:
    long = Example("(1, 1)", repr("b" * 10_000), "corpus")
    task = replace(first_large, suite=replace(first_large.suite, tests=(long,)))
    assert "      ... 9,635 more characters" in [line.split(" #")[0] for line in _lines(task)]


def test_a_missing_description_is_said(appended: Task) -> None:
    assert "    (none)" in _lines(appended)


def test_text_of_a_corpus_cannot_steer_the_terminal(first_large: Task) -> None:
    task = replace(first_large, description="red \x1b[31malert\x07\r\u202e")
    assert "    red \\x1b[31malert\\x07\\r\\u202e" in list(describe(task, 80))


def test_an_unknown_id_gets_a_hint(release_folder: Path) -> None:
    result = CliRunner().invoke(show, ["gardn/10", "--release", str(release_folder)])
    assert isinstance(result.exception, PauError)
    assert "gardn/10: no such row" in str(result.exception)
    assert "did you mean garden/10" in str(result.exception)


def test_a_row_that_was_lost_is_told_with_its_reason(release_folder: Path) -> None:
    result = CliRunner().invoke(show, ["meadow/12", "--release", str(release_folder)])
    assert isinstance(result.exception, PauError)
    assert str(result.exception).endswith(
        "it was lost at the stage suite, reason constant:"
        " It gave one and the same output on every input tried. always 0"
    )


def test_a_folder_without_a_release_is_wrong_use(tmp_path: Path) -> None:
    result = CliRunner().invoke(show, ["garden/10", "--release", str(tmp_path)])
    assert isinstance(result.exception, PauError)
    assert "not a release" in str(result.exception)


@pytest.mark.parametrize("task", TASKS)
def test_a_prompt_is_shown_as_it_would_be_sent(task: str, release_folder: Path) -> None:
    options = ["garden/10", "--release", str(release_folder), "--prompt", task]
    result = CliRunner().invoke(show, options)
    assert result.exit_code == 0, result.output
    assert result.output.startswith("[system]\n")
    assert "\n[user]\n" in result.output


def test_the_prompt_for_inputs_names_what_the_tests_leave_open(release_folder: Path) -> None:
    options = ["garden/10", "--release", str(release_folder), "--prompt", "propose"]
    shown = CliRunner().invoke(show, options).output
    assert "line 3: return set()" in shown
