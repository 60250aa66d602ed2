"""While a thread waits for a reply another one works: nothing parses Python behind its back."""

import ast
import builtins
import multiprocessing
import sys
from pathlib import Path
from typing import Any

from builder.model.endpoint import Endpoint
from builder.model.settings import ModelSettings, open_model
from tests.model.bench import KEY, QUICK, question
from tests.model.server import Ask, ModelServer, Raw, Reaction, Reset, Say


def count_parses(store: Path, address: str) -> None:
    """Ask, in a process of its own; its exit status is how often Python was parsed meanwhile."""
    parsed: list[object] = []
    real = compile

    def spy(*arguments: Any, **options: Any) -> Any:
        if ast.PyCF_ONLY_AST in (*arguments[3:], options.get("flags")):
            parsed.append(arguments)
        return real(*arguments, **options)

    settings = ModelSettings(
        {"describe": "some-model"}, store, Endpoint(KEY, address), patience=QUICK
    )
    with open_model(settings) as model:
        builtins.compile = spy
        model.ask(question())
    sys.exit(len(parsed))


def test_no_call_parses_python(tmp_path: Path) -> None:
    def react(ask: Ask) -> Reaction:
        faults = (Raw(b"busy", 503), Reset(), Raw(b"{", 200))
        return faults[ask.number] if ask.number < len(faults) else Say('{"number": 7}')

    with ModelServer(react) as server:
        process = multiprocessing.get_context("spawn").Process(
            target=count_parses, args=(tmp_path / "replies.sqlite", server.base_url)
        )
        process.start()
        process.join()
    assert process.exitcode == 0
