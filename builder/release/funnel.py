"""Where the rows went: how many entered each stage, how many were lost there, and why."""

import textwrap
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from builder.errors import HarnessError
from builder.reasons import Reason, Stage
from builder.records import Rejection, Task

_NARROWEST_SENTENCE = 30
"""Characters below which a reason's sentence is left out of the table."""


@dataclass(frozen=True, slots=True)
class Step:
    """One stage of one corpus."""

    stage: Stage
    entered: int
    rejected: Mapping[Reason, int]
    """Rows lost here, by reason, in the order of ``Reason``."""

    @property
    def kept(self) -> int:
        """Rows that went on to the next stage."""
        return self.entered - sum(self.rejected.values())


@dataclass(frozen=True, slots=True)
class Funnel:
    """For each corpus, in alphabetical order, its steps in the order of the stages."""

    steps: Mapping[str, tuple[Step, ...]]

    def rows_in(self, source: str) -> int:
        """Return how many rows of a corpus entered the first stage."""
        return self.steps[source][0].entered

    def kept(self, source: str) -> int:
        """Return how many rows of a corpus are in the release."""
        return self.steps[source][-1].kept

    def entered(self, source: str, stage: Stage) -> int:
        """Return how many rows of a corpus came to a stage."""
        return next(step.entered for step in self.steps[source] if step.stage is stage)

    def lost(self, source: str, stage: Stage, reason: Reason) -> int:
        """Return how many rows of a corpus were lost at a stage for a reason."""
        step = next(step for step in self.steps[source] if step.stage is stage)
        return step.rejected.get(reason, 0)

    def reasons(self) -> Iterator[tuple[Stage, Reason]]:
        """Yield each stage and reason that cost some corpus a row, in order."""
        for stage in Stage:
            for reason in Reason:
                if any(self.lost(source, stage, reason) for source in self.steps):
                    yield stage, reason

    @classmethod
    def from_json(cls, content: Mapping[str, Any]) -> "Funnel":
        """Return the funnel that ``to_json`` wrote."""

        def step(fields: Mapping[str, Any]) -> Step:
            rejected = {r: fields["rejected"][r] for r in Reason if r in fields["rejected"]}
            return Step(Stage(fields["stage"]), fields["entered"], rejected)

        sources = content["sources"].items()
        return cls({name: tuple(map(step, source["stages"])) for name, source in sources})

    def to_json(self) -> dict[str, Any]:
        """Return the funnel as plain JSON values."""
        return {
            "sources": {
                source: {
                    "rows": self.rows_in(source),
                    "kept": self.kept(source),
                    "stages": [
                        {
                            "stage": step.stage.value,
                            "entered": step.entered,
                            "kept": step.kept,
                            "rejected": {reason.value: n for reason, n in step.rejected.items()},
                        }
                        for step in steps
                    ],
                }
                for source, steps in self.steps.items()
            },
            "reasons": {reason.value: reason.sentence for _, reason in self.reasons()},
        }

    def table(self, width: int = 80) -> str:
        """Return the funnel as text for a terminal, a reason a line.

        The reasons' sentences are shown where ``width`` leaves room for them.
        """
        sources = list(self.steps)
        names = [*sources, "total"] if len(sources) > 1 else sources
        columns = [max(len(name), 7) for name in names]
        label_width = 2 + max((len(reason) for _, reason in self.reasons()), default=10)
        room = width - label_width - sum(column + 2 for column in columns) - 2

        def line(label: str, counts: Sequence[int], sentence: str = "") -> str:
            numbers = [*counts, sum(counts)] if len(sources) > 1 else counts
            text = label.ljust(label_width)
            for number, column in zip(numbers, columns, strict=True):
                text += "  " + (f"{number:,}" if number else ".").rjust(column)
            if sentence and room >= _NARROWEST_SENTENCE:
                text += "  " + textwrap.shorten(sentence, room, placeholder=" ...")
            return text

        header = "".join(f"  {name:>{w}}" for name, w in zip(names, columns, strict=True))
        lines = [" " * label_width + header, line("rows in", [self.rows_in(s) for s in sources])]
        stage_shown = None
        for stage, reason in self.reasons():
            if stage is not stage_shown:
                if stage is Stage.RELEASE:
                    lines.append(line("finished", [self.entered(s, stage) for s in sources]))
                lines.append(f"lost at {stage}")
                stage_shown = stage
            counts = [self.lost(source, stage, reason) for source in sources]
            lines.append(line(f"  {reason}", counts, reason.sentence))
        lines.append(line("kept", [self.kept(source) for source in sources]))
        return "\n".join(lines)


def build_funnel(
    rows_in: Mapping[str, int], rejections: Sequence[Rejection], tasks: Sequence[Task]
) -> Funnel:
    """Count what became of every row.

    Args:
        rows_in: for each corpus how many rows were read.
        rejections: every row that was lost.
        tasks: every row that is in the release.

    Raises:
        HarnessError: a row was lost from sight or counted twice.
    """
    _check_each_row_once(rejections, tasks)
    lost = Counter((r.source, r.stage, r.reason) for r in rejections)
    kept = Counter(task.source for task in tasks)
    strangers = ({r.source for r in rejections} | set(kept)) - set(rows_in)
    if strangers:
        raise HarnessError(f"rows of a corpus that was never read: {', '.join(sorted(strangers))}")
    funnel = Funnel({source: _steps(source, rows_in[source], lost) for source in sorted(rows_in)})
    for source in funnel.steps:
        if funnel.kept(source) != kept[source]:
            raise HarnessError(
                f"the rows of {source} do not add up: {rows_in[source]} in,"
                f" {rows_in[source] - funnel.kept(source)} rejected, {kept[source]} kept"
            )
    return funnel


def _steps(
    source: str, rows: int, lost: Mapping[tuple[str, Stage, Reason], int]
) -> tuple[Step, ...]:
    steps: list[Step] = []
    for stage in Stage:
        rejected = {r: lost[source, stage, r] for r in Reason if lost[source, stage, r]}
        steps.append(Step(stage, steps[-1].kept if steps else rows, rejected))
    return tuple(steps)


def _check_each_row_once(rejections: Sequence[Rejection], tasks: Sequence[Task]) -> None:
    # A repeated row has the id of the row that it repeats.
    lost = [(r.source, r.source_id) for r in rejections if r.reason is not Reason.DUPLICATE]
    rows = Counter(lost + [(task.source, task.source_id) for task in tasks])
    for (source, source_id), times in rows.items():
        if times > 1:
            raise HarnessError(f"row {source_id} of {source} was counted {times} times")
