"""The store of replies: nothing lost, nothing mixed up, readable by others."""

import json
import sqlite3
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from builder.errors import PauError
from builder.model.request import Ending, Message, Record, Request, Sampling, Usage
from builder.model.store import Store

REQUEST = Request(
    task="describe",
    prompt_version=1,
    messages=(Message("system", "You read code."), Message("user", "def test_func(arg0): ...")),
    schema={"type": "object"},
    model="some-model",
    sampling=Sampling(max_tokens=100),
)
RECORD = Record(
    request=REQUEST,
    ending=Ending.ANSWERED,
    sent={"model": "some-model"},
    body='{"choices": []}',
    finish_reason="stop",
    usage=Usage(12, 3),
    served_model="some-model-2026",
    seconds=0.5,
    failed_tries=("the endpoint asked to wait (HTTP 429)",),
    recorded_at=1.0,
)


def test_a_record_comes_back_as_it_was_put_in_another_session(tmp_path: Path) -> None:
    with Store(tmp_path / "model.sqlite") as store:
        store.put(RECORD)
    with Store(tmp_path / "model.sqlite") as store:
        assert store.get(REQUEST.key) == RECORD
        assert store.get("0" * 64) is None


@pytest.mark.parametrize(
    "change",
    [
        {"task": "judge"},
        {"prompt_version": 2},
        {"messages": REQUEST.messages[:1]},
        {"schema": None},
        {"model": "other-model"},
        {"sampling": Sampling(max_tokens=101)},
        {"sampling": Sampling(max_tokens=100, temperature=0.5)},
        {"attempt": 1},
    ],
)
def test_whatever_determines_the_answer_changes_the_key(change: dict[str, object]) -> None:
    assert replace(REQUEST, **change).key != REQUEST.key  # type: ignore[arg-type]


def test_the_key_is_the_same_on_every_machine_and_in_every_version() -> None:
    assert REQUEST.key == "73acd159e57cc2b477872fe1e809a84e2b97750869069ba9669697742a34698f"


@given(st.text(), st.text(), st.dictionaries(st.text(), st.integers() | st.text() | st.none()))
def test_records_survive_json(content: str, body: str, schema: dict[str, object]) -> None:
    request = replace(REQUEST, messages=(Message("user", content),), schema=schema)
    record = replace(RECORD, request=request, body=body)
    assert Record.from_json(json.loads(json.dumps(record.to_json()))) == record


def test_an_exported_conversation_can_be_imported_and_exported_again(tmp_path: Path) -> None:
    with Store(tmp_path / "one.sqlite") as store:
        for attempt in (2, 0, 1):
            store.put(replace(RECORD, request=replace(REQUEST, attempt=attempt)))
        assert store.export_jsonl(tmp_path / "one.jsonl") == 3
    with Store(tmp_path / "two.sqlite") as store:
        assert store.import_jsonl(tmp_path / "one.jsonl") == 3
        assert store.import_jsonl(tmp_path / "one.jsonl") == 0
        store.export_jsonl(tmp_path / "two.jsonl")
    assert (tmp_path / "one.jsonl").read_bytes() == (tmp_path / "two.jsonl").read_bytes()


def test_an_imported_answer_replaces_a_failure_but_no_answer(tmp_path: Path) -> None:
    with Store(tmp_path / "one.sqlite") as store:
        store.put(RECORD)
        store.export_jsonl(tmp_path / "answer.jsonl")
        store.put(replace(RECORD, ending=Ending.TIMEOUT, body=""))
        store.export_jsonl(tmp_path / "failure.jsonl")
        store.import_jsonl(tmp_path / "answer.jsonl")
        assert store.get(REQUEST.key) == RECORD
        store.import_jsonl(tmp_path / "failure.jsonl")
        assert store.get(REQUEST.key) == RECORD


@pytest.mark.parametrize("line", ["", "{", "[]", '{"key": "0"}', "null"])
def test_a_bad_line_of_an_import_is_named(tmp_path: Path, line: str) -> None:
    (tmp_path / "bad.jsonl").write_text(line + "\n")
    with (
        Store(tmp_path / "model.sqlite") as store,
        pytest.raises(PauError, match=r"bad\.jsonl:1: not a line of an exported model store"),
    ):
        store.import_jsonl(tmp_path / "bad.jsonl")


def test_a_line_whose_request_was_changed_by_hand_is_refused(tmp_path: Path) -> None:
    line = json.dumps(RECORD.to_json()).replace("You read code.", "You write code.")
    (tmp_path / "bad.jsonl").write_text(line)
    with (
        Store(tmp_path / "model.sqlite") as store,
        pytest.raises(PauError, match="the key does not belong to the request"),
    ):
        store.import_jsonl(tmp_path / "bad.jsonl")


def test_a_file_of_something_else_is_named_in_one_line(tmp_path: Path) -> None:
    (tmp_path / "model.sqlite").write_text("not a database, " * 100)
    with pytest.raises(PauError, match=r"model\.sqlite: the store of model replies cannot be used"):
        Store(tmp_path / "model.sqlite")


def test_the_file_is_in_write_ahead_mode_and_holds_json_only(tmp_path: Path) -> None:
    with Store(tmp_path / "model.sqlite") as store:
        store.put(RECORD)
    connection = sqlite3.connect(tmp_path / "model.sqlite")
    assert connection.execute("PRAGMA journal_mode").fetchone() == ("wal",)
    ((kind, body),) = connection.execute(
        "SELECT typeof(record), json_extract(record, '$.body') FROM replies"
    )
    connection.close()
    assert (kind, body) == ("text", RECORD.body)


def _claim_elsewhere(path: Path, key: str) -> bool:
    """Try to claim ``key`` in another process, which then ends without giving it back."""
    script = (
        "import sys, pathlib; from builder.model.store import Store;"
        "print(Store(pathlib.Path(sys.argv[1])).claim(sys.argv[2]))"
    )
    command = [sys.executable, "-c", script, str(path), key]
    return subprocess.run(command, check=True, capture_output=True).stdout == b"True\n"


def test_one_process_at_a_time_can_claim_a_key_and_a_dead_one_claims_nothing(
    tmp_path: Path,
) -> None:
    path = tmp_path / "model.sqlite"
    with Store(path) as store:
        assert _claim_elsewhere(path, REQUEST.key)  # and dies
        assert store.claim(REQUEST.key)
        assert not _claim_elsewhere(path, REQUEST.key)
        store.release(REQUEST.key)
        assert _claim_elsewhere(path, REQUEST.key)
