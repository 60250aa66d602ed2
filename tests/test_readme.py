"""The README says what the program says. ``PAU_UPDATE_README=1 pytest`` rewrites the parts."""

import os
import re
from pathlib import Path

import click
import pytest

from builder.commands.run import run
from builder.reasons import Reason

README = Path(__file__).parent.parent / "README.md"


def help_page() -> str:
    context = click.Context(run, info_name="pau-build run", max_content_width=90, terminal_width=90)
    return f"```\n{run.get_help(context)}\n```"


def reasons_table() -> str:
    rows = [f"| `{reason}` | {reason.sentence} |" for reason in Reason]
    return "\n".join(["| reason | what it means |", "| --- | --- |", *rows])


@pytest.mark.parametrize(
    ("mark", "part"), [("run --help", help_page()), ("reasons", reasons_table())]
)
def test_the_readme_holds_what_the_program_says(mark: str, part: str) -> None:
    text = README.read_text("utf-8")
    pattern = re.compile(rf"(<!-- {re.escape(mark)} -->\n).*?(<!-- end -->)", re.DOTALL)
    if os.environ.get("PAU_UPDATE_README"):
        text = pattern.sub(lambda match: f"{match[1]}{part}\n{match[2]}", text)
        README.write_text(text, "utf-8")
    match = pattern.search(text)
    assert match is not None
    assert match[0] == f"<!-- {mark} -->\n{part}\n<!-- end -->"
