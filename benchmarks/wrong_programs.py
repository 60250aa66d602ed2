"""How many wrong programs of a real model the tests of a suite tell from the method.

Run it from the checkout: ``python -m benchmarks.wrong_programs``. A small model of the package
registry (about 1.1 GB) writes programs from the descriptions of HumanEval problems, again and
again; those that give another answer than the method on any input at hand are wrong. The inputs
at hand are the corpus' own calls, a thousand drawn from the domain, a thousand mutated from the
corpus' calls with nothing to guide them, and all that the search for the suite has observed. Plan
an hour; running it again asks nothing that was answered.
"""

import argparse
import random
import re
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from itertools import islice
from pathlib import Path

from tqdm import tqdm

from benchmarks.model_demo import MODEL, Draft, drafts
from builder.describe.model import code_question
from builder.literals import dumps, loads
from builder.model.client import Answer, Model, Question
from builder.model.endpoint import Endpoint
from builder.model.live import Patience
from builder.model.request import Sampling
from builder.model.settings import ModelSettings, models_by_task, open_model
from builder.sandbox.protocol import Outcome, Verdict
from builder.sandbox.supervisor import Sandbox
from builder.suite.calls import call_all
from builder.synthesis.compose import compose
from builder.synthesis.constants import mine
from builder.synthesis.mutate import Mutator
from prompts.answers import Function
from tests.model.live.served import ServedModel

TEMPERATURE = 1.0
MOST_TOKENS = 400
AT_ONCE = 2
"""Questions that the server works on."""
DRAWN = 1000
_FLOAT = re.compile(r"\d+\.\d+(e[+-]?\d+)?|\d+e[+-]?\d+")
OWN, RANDOM, MUTATED, OURS = "the corpus' own calls", "drawn", "mutated", "E_test"


@dataclass(frozen=True, slots=True)
class Wrong:
    """A wrong program, and which inputs show it."""

    task_id: str
    share: float
    """Of all inputs at hand, how many show it."""
    told_by: frozenset[str]


@dataclass(frozen=True, slots=True)
class Inputs:
    """Argument tuples as canonical literals, by where they come from, and all answers."""

    by_kind: dict[str, list[str]]
    answers: dict[str, tuple[str, str, str]]


def main() -> None:
    """Ask for programs, run them, and print the table."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--problems", type=int, default=40, help="rows of HumanEval")
    parser.add_argument("--first", type=int, default=0, help="row to begin with")
    parser.add_argument("--every", type=int, default=4, help="take one row of so many")
    parser.add_argument("--programs", type=int, default=10, help="programs a row")
    parser.add_argument("--store", type=Path, default=Path("outputs/wrong-programs.sqlite"))
    options = parser.parse_args()
    with Sandbox() as sandbox:
        rows = list(islice(_described(sandbox, options.first, options.every), options.problems))
        programs = _programs(rows, options.programs, options.store)
        inputs = {row.task_id: _inputs(row, sandbox) for row in rows}
        wrong = [
            found
            for row, codes in zip(rows, programs, strict=True)
            for code in codes
            if (found := _judged(row.task_id, code, inputs[row.task_id], sandbox)) is not None
        ]
    _print_table(list(inputs.values()), sum(map(len, programs)), wrong)


def _described(sandbox: Sandbox, first: int, every: int) -> Iterator[Draft]:
    return (row for row in islice(drafts(sandbox), first, None, every) if row.own is not None)


def _programs(rows: Sequence[Draft], count: int, store: Path) -> list[list[str]]:
    """Return for each row the different programs that the model wrote."""
    served = ServedModel(MODEL)
    settings = ModelSettings(
        models_by_task(served.name, {}),
        store,
        Endpoint("none", served.address),
        most_tokens=MOST_TOKENS,
        attempts=1,
        concurrency=AT_ONCE,
        patience=Patience(sending=600.0),
    )
    questions = [_question(row, number) for row in rows for number in range(count)]
    try:
        with open_model(settings) as model, ThreadPoolExecutor(AT_ONCE) as threads:
            asked = threads.map(lambda question: _written(model, question), questions)
            written = list(tqdm(asked, total=len(questions), unit="program"))
    finally:
        served.stop()
    starts = range(0, len(written), count)
    return [sorted(set(filter(None, written[start : start + count]))) for start in starts]


def _question(row: Draft, number: int) -> Question[Function]:
    assert row.own is not None
    asked = code_question(row.method.header, row.own.text)
    return replace(asked, sampling=Sampling(MOST_TOKENS, temperature=TEMPERATURE, seed=number))


def _written(model: Model, question: Question[Function]) -> str:
    answer = model.ask(question)
    return answer.value.code if isinstance(answer, Answer) else ""


def _inputs(row: Draft, sandbox: Sandbox) -> Inputs:
    """Gather the inputs at hand; those on which the method does not return are left out."""
    observed = [seen.example.input for seen in row.exploration.observations]
    own = [text for text in row.seeds if text in set(observed)]
    by_kind = {
        OWN: own,
        RANDOM: _drawn(row),
        MUTATED: _mutated(row, own or observed[:5]),
        OURS: [test.input for test in row.suite.tests],
        "all": observed,
    }
    every = list(dict.fromkeys(text for texts in by_kind.values() for text in texts))
    outcomes = call_all(row.method.code, every, sandbox)
    answers = {
        text: _answer(seen)
        for text, seen in zip(every, outcomes, strict=True)
        if seen.verdict is Verdict.OK
    }
    kept = {kind: [text for text in texts if text in answers] for kind, texts in by_kind.items()}
    return Inputs(kept, answers)


def _drawn(row: Draft) -> list[str]:
    source = random.Random(row.method.code)
    kinds = row.exploration.domain.parameters
    return list(dict.fromkeys(dumps(compose(kinds, source, 1)) for _ in range(DRAWN)))


def _mutated(row: Draft, parents: Sequence[str]) -> list[str]:
    domain, source = row.exploration.domain, random.Random(row.method.code)
    mutator = Mutator(domain, mine(row.method.code), source)
    found = dict.fromkeys(parents)
    for _ in range(DRAWN):
        child = mutator.mutate(loads(source.choice(list(found))))
        if domain.contains(child):
            found[dumps(child)] = None
    return list(found)


def _judged(task_id: str, code: str, inputs: Inputs, sandbox: Sandbox) -> Wrong | None:
    """Run a program; None if it answers like the method wherever anything is known."""
    outcomes = call_all(code, list(inputs.answers), sandbox)
    different = {
        text
        for text, seen in zip(inputs.answers, outcomes, strict=True)
        if _answer(seen) != inputs.answers[text]
    }
    if not different:
        return None
    told = {kind for kind, texts in inputs.by_kind.items() if not different.isdisjoint(texts)}
    return Wrong(task_id, len(different) / len(inputs.answers), frozenset(told))


def _answer(outcome: Outcome) -> tuple[str, str, str]:
    """Return what is compared; programs that round otherwise are not wrong for that."""
    value = _FLOAT.sub(lambda match: f"{float(match.group()):.9g}", outcome.value)
    return outcome.verdict, value, outcome.exception


def _print_table(inputs: Sequence[Inputs], programs: int, wrong: Sequence[Wrong]) -> None:
    subtle = [each for each in wrong if each.share <= 0.5]
    print(f"{programs} different programs, {len(wrong)} wrong, {len(subtle)} on half or less")
    print("| inputs | inputs, mean | wrong programs told | of those wrong on half or less |")
    print("| --- | ---: | ---: | ---: |")
    for kind in (OWN, RANDOM, MUTATED, OURS):
        mean = sum(len(each.by_kind[kind]) for each in inputs) / len(inputs)
        print(f"| {kind} | {mean:.1f} | {_told(wrong, kind)} | {_told(subtle, kind)} |")
    for each in wrong:
        if OURS not in each.told_by:
            print(f"not told: {each.task_id}, wrong on {each.share:.1%} of all inputs at hand")


def _told(wrong: Sequence[Wrong], kind: str) -> str:
    told = sum(kind in each.told_by for each in wrong)
    return f"{told} of {len(wrong)} ({told / len(wrong):.1%})" if wrong else "0 of 0"


if __name__ == "__main__":
    main()
