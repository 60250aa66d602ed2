"""How each corpus is understood: its counts, and the rows that are hard to read."""

import importlib
from collections import Counter
from dataclasses import replace

import pytest

from builder.errors import PauError
from builder.intake.corpus import open_corpus
from builder.records import Candidate, Rejection
from sources.contract import Row
from sources.registry import find_source
from tests.corpora import corpus_files, real_candidates, real_corpus, real_results


def outcomes(name: str) -> Counter[str]:
    return Counter(
        "candidate" if isinstance(item, Candidate) else item.reason.value
        for item in real_results(name)
    )


def test_humaneval_gives_all_its_problems() -> None:
    assert outcomes("humaneval") == {"candidate": 164}


def test_humaneval_calls_through_its_tests_and_its_docstring() -> None:
    candidate = real_candidates("humaneval")["HumanEval/0"]

    assert candidate.task_id == "humaneval/0"
    assert candidate.drivers[0].endswith("check(has_close_elements)\n")
    assert candidate.drivers[1] == "has_close_elements([1.0, 2.0, 3.0], 0.5)"


def test_humaneval_reads_a_docstring_that_stands_behind_an_import() -> None:
    description = real_candidates("humaneval")["HumanEval/115"].description

    assert description is not None
    assert description.startswith("You are given a rectangular grid")


def test_cruxeval_gives_all_its_functions_one_call_each() -> None:
    assert outcomes("cruxeval") == {"candidate": 800}
    assert all(len(c.drivers) == 1 for c in real_candidates("cruxeval").values())


def test_mbpp_joins_its_two_files_into_974_rows() -> None:
    assert outcomes("mbpp") == {"candidate": 974}
    variants = Counter(c.variant for c in real_candidates("mbpp").values())
    assert variants == {"sanitized": 424, "full": 550}


def test_mbpp_takes_code_and_text_of_one_problem_from_the_same_part() -> None:
    candidate = real_candidates("mbpp")["57"]  # the sanitized part drops a parameter

    assert candidate.variant == "sanitized"
    assert "def find_Max_Num(arr) :" in candidate.code
    assert all(driver.count("],") == 0 for driver in candidate.drivers)


def test_mbpp_takes_the_full_part_where_the_sanitized_code_returns_match_objects() -> None:
    candidate = real_candidates("mbpp")["737"]

    assert candidate.variant == "full"
    assert 'return ("Valid")' in candidate.code


def test_mbpp_adds_the_tests_of_the_full_part_where_the_code_is_the_same() -> None:
    candidate = real_candidates("mbpp")["2"]

    assert any(driver.startswith("assert set(") for driver in candidate.drivers)
    assert any(driver.startswith("assert similar_elements(") for driver in candidate.drivers)


def test_mbpp_takes_the_function_that_the_tests_call_not_the_last_one() -> None:
    candidates = real_candidates("mbpp")

    assert candidates["223"].entry_point == "is_majority"
    assert candidates["70"].entry_point == "get_equal"


@pytest.mark.parametrize(("part", "rows"), [(0, 974), (1, 427)])
def test_mbpp_reads_either_file_alone(part: int, rows: int) -> None:
    source = find_source("mbpp")

    corpus = open_corpus(source, [corpus_files("mbpp")[part]])

    assert len(corpus.rows) == rows
    assert isinstance(source.convert(corpus.rows[0]), Candidate)


def test_mbpp_gives_the_same_rows_for_either_order_of_its_files() -> None:
    source = find_source("mbpp")
    there, back = (
        {row.id: source.convert(replace(row, revision="")) for row in corpus.rows}
        for corpus in (
            open_corpus(source, corpus_files("mbpp")),
            open_corpus(source, corpus_files("mbpp")[::-1]),
        )
    )

    assert there == back


def test_mbpp_refuses_one_file_twice() -> None:
    full = corpus_files("mbpp")[0]

    with pytest.raises(PauError, match=r"line 1: task_id 1 again, first in mbpp\.jsonl, line 1"):
        open_corpus(find_source("mbpp"), [full, full])


def test_mbpp_needs_a_text_in_every_row() -> None:
    row = replace(real_corpus("mbpp").rows[0], fields={"code": "", "test_list": [], "task_id": 1})

    with pytest.raises(PauError, match="has neither a text 'text'"):
        find_source("mbpp").convert(row)


def test_codealpaca_keeps_what_looks_like_a_python_function() -> None:
    assert outcomes("codealpaca") == {
        "candidate": 1323,
        "not_python": 4499,
        "no_function": 695,
        "duplicate": 35,
    }


def test_codealpaca_rows_have_one_id_whichever_files_are_read() -> None:
    both = {row.id for row in real_corpus("codealpaca").rows}

    alone = open_corpus(find_source("codealpaca"), corpus_files("codealpaca")[1:])

    assert {row.id for row in alone.rows} <= both


def _convert_codealpaca(**fields: str) -> Candidate | Rejection:
    source = find_source("codealpaca")
    complete = {"instruction": "Add one.", "input": "", "output": "", **fields}
    return source.convert(Row(source, 0, "own.json, row 1", complete, "1"))


def test_codealpaca_keeps_code_of_another_language_for_the_screen_to_name() -> None:
    result = _convert_codealpaca(output="def f(x)\n  x + 1\nend")

    assert isinstance(result, Candidate)
    assert result.entry_point is None


def test_codealpaca_calls_what_answer_and_input_call() -> None:
    result = _convert_codealpaca(
        output='def f(x):\n    """Adds: f(9)"""\n    return x + 1\n\nprint(f(2))', input="x = 5"
    )

    assert isinstance(result, Candidate)
    assert result.drivers == ("print(f(2))", "f(2)", "f(9)", "f(5)")


def test_the_template_is_a_source_that_works() -> None:
    template = importlib.import_module("sources._template").SOURCE
    fields = {
        "id": "first",
        "question": "Write a function to take the square root.",
        "solution": "import math\n\ndef root(x):\n    return math.sqrt(x)\n",
        "function": "root",
        "tests": ["assert root(4) == math.sqrt(4)"],
    }

    result = template.convert(Row(template, 0, "own.json, row 1", fields, "1"))
    broken = template.convert(Row(template, 0, "", {**fields, "solution": "def ("}, "1"))

    assert isinstance(result, Candidate)
    assert result.task_id == "template/first"
    assert result.drivers == ("import math\nassert root(4) == math.sqrt(4)",)
    assert isinstance(broken, Rejection)
