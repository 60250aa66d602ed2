"""The command line: ``run`` by default, options from three places, one line for every mistake."""

import subprocess
import sys
from pathlib import Path

import pytest

from builder.commands.main import COMMANDS

PAU_BUILD = [sys.executable, "-c", "from builder.commands.main import main; main()"]


def pau_build(*arguments: str, cwd: Path, **environment: str) -> "subprocess.CompletedProcess[str]":
    return subprocess.run(
        [*PAU_BUILD, *arguments],
        capture_output=True,
        text=True,
        timeout=60,
        cwd=cwd,
        env={"PATH": "/usr/bin:/bin", **environment},
    )


def assert_one_clear_line(done: "subprocess.CompletedProcess[str]", *parts: str) -> None:
    assert done.returncode == 2, done
    line, *more = done.stderr.splitlines()
    assert not more, done.stderr
    assert line.startswith("pau-build: error: ")
    for part in parts:
        assert part in line


def test_the_list_of_commands_names_each_of_them(tmp_path: Path) -> None:
    done = pau_build("--help", cwd=tmp_path)
    assert done.returncode == 0
    for name in COMMANDS:
        assert f"  {name} " in done.stdout


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_has_a_help_page(command: str, tmp_path: Path) -> None:
    done = pau_build(command, "--help", cwd=tmp_path)
    assert done.returncode == 0
    assert f"pau-build {command}" in done.stdout or "Usage:" in done.stdout


def test_an_unknown_command_is_refused(tmp_path: Path) -> None:
    done = pau_build("bild", cwd=tmp_path)
    assert done.returncode == 2
    assert "No such command 'bild'" in done.stderr


@pytest.mark.parametrize(
    ("arguments", "parts"),
    [
        (["--source", "nope"], ["nope", "no such source", "humaneval"]),
        (["--corpus", "nope=a.jsonl"], ["nope", "no such source"]),
        (["--corpus", "mbpp"], ["--corpus mbpp", "NAME=PATH"]),
        (["--corpus", "mbpp=missing.jsonl"], ["missing.jsonl"]),
        (["--source", "humaneval", "--corpus", "mbpp=x"], ["--corpus mbpp", "--source"]),
        (["--tests", "9:3"], ["--tests 9:3", "MIN <= MAX"]),
        (["--tests", "many"], ["--tests many", "MIN:MAX"]),
        (["--config", "missing.toml"], ["missing.toml", "--config"]),
        (["--max-cost", "3"], ["--max-cost", "--model"]),
        (["--dry-run"], ["--dry-run", "--model"]),
        (["--model", "one", "--model", "two"], ["--model two", "one"]),
        (["--model", "rhyme=one"], ["--model rhyme=", "describe"]),
        (["--model", "one"], ["OPENAI_API_KEY", "OPENAI_BASE_URL"]),
        (["replies", "export", "a.jsonl"], ["replies.sqlite", "--model"]),
    ],
    ids=lambda value: "-".join(value) if isinstance(value, list) else None,
)
def test_wrong_use_gives_one_line_that_says_what_to_mend(
    arguments: list[str], parts: list[str], tmp_path: Path
) -> None:
    assert_one_clear_line(pau_build(*arguments, cwd=tmp_path), *parts)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("[run]\nsead = 1\n", ["[run] sead", "pau-build run --help"]),
        ("[build]\nseed = 1\n", ["[build]", "run, sources"]),
        ("run = 3\n", ["[run]"]),
        ("[model]\nbase = 1\n", ["[model] base", "base_url"]),
        ("[model]\nattempts = 0\n", ["[model] attempts", "greater than or equal to 1"]),
        ("model = 3\n", ["[model]", "base_url"]),
        ("[run\n", ["TOML"]),
        ("\udcff", ["UTF-8"]),
    ],
)
def test_a_wrong_options_file_gives_one_line_that_names_it(
    text: str, parts: list[str], tmp_path: Path
) -> None:
    file = tmp_path / "build.toml"
    file.write_bytes(text.encode("utf-8", "surrogateescape"))
    assert_one_clear_line(pau_build("--config", "build.toml", cwd=tmp_path), "build.toml", *parts)


def test_an_option_is_taken_from_the_file(tmp_path: Path) -> None:
    (tmp_path / "build.toml").write_text('[run]\nsource = ["nope"]\n')
    assert_one_clear_line(pau_build("--config", "build.toml", cwd=tmp_path), "nope")


def test_the_environment_wins_over_the_file(tmp_path: Path) -> None:
    (tmp_path / "build.toml").write_text('[run]\ntests = "0:0"\n')
    done = pau_build("--config", "build.toml", cwd=tmp_path, PAU_RUN_TESTS="1:1")
    assert_one_clear_line(done, "--tests 1:1")


def test_the_command_line_wins_over_the_environment(tmp_path: Path) -> None:
    done = pau_build("--tests", "2:1", cwd=tmp_path, PAU_RUN_TESTS="1:1")
    assert_one_clear_line(done, "--tests 2:1")


@pytest.mark.parametrize(
    ("option", "value", "complaint"),
    [("model", "dream=x", "--model dream=...: no such task"),
     ("license", "CC0-1.0", "CC0-1.0: some rows are under MIT")],
)  # fmt: skip
def test_an_option_has_one_name_wherever_it_is_given(
    option: str, value: str, complaint: str, tmp_path: Path
) -> None:
    listed = f'["{value}"]' if option == "model" else f'"{value}"'
    (tmp_path / "build.toml").write_text(f"[run]\nlimit = 1\n{option} = {listed}\n")
    only = ("--source", "humaneval")
    by_file = pau_build("--config", "build.toml", "run", *only, cwd=tmp_path)
    by_line = pau_build(f"--{option}", value, "--limit", "1", *only, cwd=tmp_path)
    environment = {f"PAU_RUN_{option.upper()}": value}
    by_environment = pau_build("--limit", "1", *only, cwd=tmp_path, **environment)
    assert complaint in by_line.stderr
    assert by_file.stderr == by_environment.stderr == by_line.stderr
