"""A whole build: corpora to a release folder, resumable, every lost row counted."""

import platform
from collections.abc import Sequence
from contextlib import ExitStack, suppress
from dataclasses import dataclass, replace
from functools import partial
from importlib.metadata import version
from pathlib import Path
from typing import Any

from builder.config import Settings
from builder.errors import BelowBarError, PauError
from builder.intake.corpus import Corpus, CorpusUnavailableError, ingest, open_corpus
from builder.model.settings import ModelSettings
from builder.reasons import Reason, Stage
from builder.records import Candidate, Rejection, Task
from builder.release.assemble import ReleaseInput, write_release
from builder.release.duplicates.drop import Distinct, drop_duplicates, with_rivals
from builder.release.duplicates.elsewhere import OtherDataset, read_dataset
from builder.release.duplicates.kept import compare_once
from builder.release.funnel import Funnel, build_funnel
from builder.release.licenses import LicenseChoice, refuse_looser
from builder.release.place import check_target
from builder.results import RowsWaitError, Work, obtain_results
from builder.sandbox.probe import isolation
from builder.sandbox.protocol import Level
from builder.sandbox.supervisor import Sandbox
from builder.store import Result, Store, open_store
from builder.watcher import NotesOnly, Watcher
from sources.contract import Source
from sources.registry import all_sources

NO_MODEL = (
    "No model (--model): descriptions come from the corpora, inputs from the search,"
    " and validators from the domains alone."
)


@dataclass(frozen=True, slots=True)
class Request:
    """What a user asks of a build."""

    names: tuple[str, ...]
    """Sources asked for by name; empty for all."""
    paths: dict[str, list[Path]]
    """Files of sources, by name."""
    limit: int | None
    """Most rows of each source."""
    against: tuple[str, ...]
    """Folders and repositories of data sets that may share no function with the release."""
    licenses: LicenseChoice
    """Which rows are wanted."""
    license: str | None
    """Licence that the release is declared to be under; None: computed from its rows."""
    settings: Settings
    models: ModelSettings | None
    """Who is asked for what no corpus has; None: nobody."""
    output: Path
    allow: Level
    workers: int
    fresh: bool
    """Whether to build every row anew."""


@dataclass(frozen=True, slots=True)
class BuildReport:
    """What a build came to."""

    funnel: Funnel
    closing_line: str


def build(request: Request, watcher: Watcher) -> BuildReport:
    """Build the release that ``request`` asks for.

    Raises:
        PauError: wrong use or input; nothing was written.
        BelowBarError: not one row was kept, a row waits for a model, or a budget is spent; no
            release was written.
        HarnessError: the toolkit failed; finished rows are kept.
    """
    check_target(request.output)
    others = _other_datasets(request.against, watcher)
    start = _start(request, watcher)
    lost = start.lost
    if request.models is None:
        watcher.note(NO_MODEL)
    with open_store(_store(request)) as store:
        results = obtain_results(start.work, store, watcher, request.allow, request.workers)
        tasks = [result for result in results if isinstance(result, Task)]
        distinct = _distinct(tasks, others, request, store, watcher)
        told_apart = _told_apart(distinct, start.work, request, store, watcher)
    lost += [result for result in results if isinstance(result, Rejection)]
    lost += distinct.dropped
    lost += [result for result in told_apart if isinstance(result, Rejection)]
    tasks = [result for result in told_apart if isinstance(result, Task)]
    rows_in = {corpus.source.name: len(corpus.rows) for corpus in start.corpora}
    funnel = build_funnel(rows_in, lost, tasks)
    if not tasks:
        raise BelowBarError(f"no row was kept, so no release was written\n{funnel.table()}")
    content = ReleaseInput(
        tasks=tuple(tasks),
        rejections=tuple(lost),
        corpora=tuple(start.corpora),
        settings=_recorded_settings(request, others),
        level=start.work.level,
        versions=_versions(),
        license=request.license,
    )
    write_release(content, request.output)
    return BuildReport(funnel, f"{len(tasks)} rows of {sum(rows_in.values())} in {request.output}")


def estimate(request: Request, watcher: Watcher) -> None:
    """Find out what models would be asked first by the rows that are not finished.

    Nothing is asked and no release written; the ledger of the run holds what was found.

    Raises:
        PauError: wrong use or input.
        HarnessError: the toolkit failed.
    """
    work = _start(request, watcher).work
    with open_store(_store(request)) as store, suppress(RowsWaitError):
        obtain_results(work, store, watcher, request.allow, request.workers)
        watcher.note("no model would be asked anything: every row is finished")


@dataclass(frozen=True, slots=True)
class _Start:
    """What there is before the first row is built."""

    corpora: list[Corpus]
    work: Work
    lost: list[Rejection]


def _start(request: Request, watcher: Watcher) -> _Start:
    corpora = _open_corpora(request, watcher)
    level = _isolation_level(request.allow, watcher)
    candidates, lost = _ingest(corpora, request.licenses, watcher)
    if request.license is not None:
        refuse_looser(request.license, (candidate.license for candidate in candidates))
    work = Work(candidates, request.settings, request.models, level, request.fresh)
    return _Start(corpora, work, lost)


def _store(request: Request) -> Path:
    """Return where finished rows are kept."""
    return request.output.parent / "store.sqlite"


def _other_datasets(places: Sequence[str], watcher: Watcher) -> list[OtherDataset]:
    """Read the data sets that the release has to keep clear of."""
    others: list[OtherDataset] = []
    for place in places:
        other = read_dataset(place, watcher.note)
        watcher.note(f"keeping clear of {len(other.functions)} functions of {other.name}")
        others.append(other)
    return others


def _recorded_settings(request: Request, others: Sequence[OtherDataset]) -> dict[str, Any]:
    """Return the options that determine the release, as the manifest states them."""
    return {
        **request.settings.to_json(),
        "models": request.models and request.models.to_json(),
        "limit": request.limit,
        "only_license": list(request.licenses.only),
        "exclude_license": list(request.licenses.exclude),
        "license": request.license,
        "against": [{"name": other.name, "sha256": other.sha256} for other in others],
    }


def _open_corpora(request: Request, watcher: Watcher) -> list[Corpus]:
    """Open every source that can be had; one asked for by name must be."""
    known = all_sources()
    for name in (*request.names, *request.paths):
        if name not in known:
            raise PauError(f"{name}: no such source; there are {', '.join(known)}")
    chosen = [known[name] for name in known if not request.names or name in request.names]
    for name in request.paths:
        if known[name] not in chosen:
            raise PauError(f"--corpus {name}=...: --source leaves it out; name it there too")
    # Files that the user named come first, so that a mistake in one is told before any waiting.
    opened = {
        source.name: _open_one(source, request, watcher)
        for source in sorted(chosen, key=lambda source: source.name not in request.paths)
    }
    corpora = [corpus for source in chosen if (corpus := opened[source.name]) is not None]
    if not corpora:
        raise PauError("no source can be had; give one with --corpus NAME=PATH")
    request.licenses.check(corpus.source.license for corpus in corpora)
    return corpora


def _open_one(source: Source, request: Request, watcher: Watcher) -> Corpus | None:
    try:
        corpus = open_corpus(source, request.paths.get(source.name, []))
    except CorpusUnavailableError as error:
        if source.name in request.names or source.name in request.paths:
            raise
        watcher.note(f"left out: {error}")
        return None
    return replace(corpus, rows=corpus.rows[: request.limit])


def _isolation_level(allow: Level, watcher: Watcher) -> Level:
    with Sandbox(allow=allow) as sandbox:
        watcher.note(isolation().line)
        return sandbox.level


def _ingest(
    corpora: Sequence[Corpus], licenses: LicenseChoice, watcher: Watcher
) -> tuple[list[Candidate], list[Rejection]]:
    candidates: list[Candidate] = []
    rejections: list[Rejection] = []
    for corpus in corpora:
        before = len(candidates)
        for item in ingest(corpus):
            if isinstance(item, Rejection):
                rejections.append(item)
            elif licenses.allows(item.license):
                candidates.append(item)
            else:
                rejections.append(_unwanted(item))
        watcher.start(corpus.source.name, len(candidates) - before)
    return candidates, rejections


def _unwanted(candidate: Candidate) -> Rejection:
    return Rejection(
        candidate.source,
        candidate.source_id,
        Stage.INGEST,
        Reason.LICENSE_NOT_WANTED,
        candidate.license,
    )


def _distinct(
    tasks: Sequence[Task],
    others: Sequence[OtherDataset],
    request: Request,
    store: Store,
    watcher: Watcher,
) -> Distinct:
    """Keep one of each function, and none of the other data sets."""
    watcher.note(f"comparing {len(tasks)} functions")
    with ExitStack() as stack:
        sandboxes = [
            stack.enter_context(Sandbox(allow=request.allow)) for _ in range(request.workers)
        ]
        elsewhere = [function for other in others for function in other.functions]
        compare = partial(compare_once, sandboxes=sandboxes, keeper=store)
        return drop_duplicates(tasks, elsewhere, compare)


def _told_apart(
    distinct: Distinct, work: Work, request: Request, store: Store, watcher: Watcher
) -> list[Result]:
    """Build those rows again whose tests another row passes, with tests that it does not pass."""
    telling = distinct.telling
    if not telling:
        return list(distinct.tasks)
    watcher.note(f"telling {len(telling)} rows from others that pass all their tests")
    again = [
        replace(candidate, further=telling[candidate.task_id])
        for candidate in work.candidates
        if candidate.task_id in telling
    ]
    results = obtain_results(
        replace(work, candidates=again), store, NotesOnly(watcher), request.allow, request.workers
    )
    anew = {candidate.task_id: result for candidate, result in zip(again, results, strict=True)}
    return [_with_same_rivals(anew.get(task.task_id, task), task) for task in distinct.tasks]


def _with_same_rivals(result: Result, task: Task) -> Result:
    """Take over who fits the context of a row: that is the same after it was built again."""
    if isinstance(result, Rejection) or task.difficulty is None:
        return result
    return with_rivals(result, task.difficulty.rivals, task.difficulty.agreeing_rivals)


def _versions() -> dict[str, str]:
    packages = ("pau-toolkit", "coverage", "hypothesis", "datasets")
    return {"python": platform.python_version(), **{name: version(name) for name in packages}}
