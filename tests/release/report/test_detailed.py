"""What only the view of one row shows."""

from dataclasses import replace

import pytest

from builder.records import Task
from builder.release.report.detailed import detailed_row


def test_branch_arcs_are_told_with_what_became_of_them(extremes: Task) -> None:
    details = detailed_row(extremes)
    assert details["branches"] == [[2, 3, "missed"], [2, 4, "taken"]]
    assert details["runLines"] == [2, 4]
    assert details["missingLines"] == (3,)


def test_what_is_believed_to_be_dead_is_told_apart(extremes: Task) -> None:
    coverage = replace(
        extremes.suite.coverage, dead_lines=(3,), dead_arcs=((2, 3),), why_dead="nothing goes there"
    )
    details = detailed_row(replace(extremes, suite=replace(extremes.suite, coverage=coverage)))
    assert [2, 3, "dead"] in details["branches"]
    assert details["deadLines"] == (3,)
    assert details["whyDead"] == "nothing goes there"
    assert details["arcs"] == {"all": 2, "live": 1, "covered": 1, "reached": 2}


def test_code_of_a_newer_python_is_marked_where_the_release_says_so(extremes: Task) -> None:
    details = detailed_row(replace(extremes, code="def test_func(arg0):\n    if newer syntax\n"))
    assert details["branches"] == [[2, 3, "missed"]]
    assert details["runLines"] == []


def test_examples_have_their_origin_and_what_became_of_their_arguments(appended: Task) -> None:
    assert detailed_row(appended)["context"][0] == ["([],)", "[0]", "corpus", True]


def test_what_a_method_accepts_is_said_in_words(first_large: Task) -> None:
    assert [words.split(":")[0] for words in detailed_row(first_large)["accepts"]] == [
        "arg0",
        "arg1",
    ]


def test_a_row_without_a_domain_accepts_what_nobody_said(first_large: Task) -> None:
    assert detailed_row(replace(first_large, domain=""))["accepts"] == []


@pytest.mark.parametrize(
    ("link", "shown"),
    [
        ("https://example.org/garden", "https://example.org/garden"),
        ("javascript:alert(1)", None),
        ("data:text/html,<b>", None),
        ("", None),
    ],
)
def test_only_an_address_of_the_web_becomes_a_link(
    link: str, shown: str | None, first_large: Task
) -> None:
    assert detailed_row(replace(first_large, link=link))["link"] == shown
