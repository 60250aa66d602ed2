"""A whole build: corpora to a release folder, resumable, every lost row counted."""

import platform
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial
from importlib.metadata import version
from pathlib import Path
from typing import Any, Protocol

from builder.config import Settings
from builder.errors import BelowBarError, PauError
from builder.intake.corpus import Corpus, CorpusUnavailableError, ingest, open_corpus
from builder.reasons import Reason, Stage
from builder.records import Candidate, Rejection, Task
from builder.release.assemble import ReleaseInput, write_release
from builder.release.duplicates.drop import Distinct, drop_duplicates
from builder.release.duplicates.elsewhere import OtherDataset, read_dataset
from builder.release.duplicates.kept import compare_once
from builder.release.funnel import Funnel, build_funnel
from builder.release.licenses import LicenseChoice, refuse_looser
from builder.release.place import check_target
from builder.sandbox.probe import isolation
from builder.sandbox.protocol import Level
from builder.sandbox.supervisor import Sandbox
from builder.store import Result, Store, open_store, result_key
from builder.workers import build_rows
from sources.contract import Source
from sources.registry import all_sources


class Watcher(Protocol):
    """What is told how a build goes on."""

    def note(self, line: str) -> None:
        """Take one line for the reader."""

    def start(self, source: str, rows: int) -> None:
        """Learn that ``rows`` rows of ``source`` will be worked on."""

    def advance(self, source: str, result: Result) -> None:
        """Learn that one row is finished."""


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
        BelowBarError: not one row was kept; no release was written.
        HarnessError: the toolkit failed; finished rows are kept.
    """
    check_target(request.output)
    others = _other_datasets(request.against, watcher)
    corpora = _open_corpora(request, watcher)
    level = _isolation_level(request.allow, watcher)
    candidates, lost = _ingest(corpora, request.licenses, watcher)
    if request.license is not None:
        refuse_looser(request.license, (candidate.license for candidate in candidates))
    with open_store(request.output.parent / "store.sqlite") as store:
        results = _results(candidates, request, level, store, watcher)
        tasks = [result for result in results if isinstance(result, Task)]
        distinct = _distinct(tasks, others, request, store, watcher)
    lost += [result for result in results if isinstance(result, Rejection)]
    lost += distinct.dropped
    tasks = list(distinct.tasks)
    rows_in = {corpus.source.name: len(corpus.rows) for corpus in corpora}
    funnel = build_funnel(rows_in, lost, tasks)
    if not tasks:
        raise BelowBarError(f"no row was kept, so no release was written\n{funnel.table()}")
    content = ReleaseInput(
        tasks=tuple(tasks),
        rejections=tuple(lost),
        corpora=tuple(corpora),
        settings=_recorded_settings(request, others),
        level=level,
        versions=_versions(),
        license=request.license,
    )
    write_release(content, request.output)
    return BuildReport(funnel, f"{len(tasks)} rows of {sum(rows_in.values())} in {request.output}")


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


def _results(
    candidates: Sequence[Candidate],
    request: Request,
    level: Level,
    store: Store,
    watcher: Watcher,
) -> list[Result]:
    """Return one result for each candidate, from the store or built now."""
    keys = [result_key(candidate, request.settings, level) for candidate in candidates]
    found: dict[str, Result] = {}
    missing: dict[str, Candidate] = {}
    for key, candidate in zip(keys, candidates, strict=True):
        result = None if request.fresh else store.get(key)
        if result is None:
            missing[key] = candidate
        else:
            found[key] = result
            watcher.advance(candidate.source, result)
    key_of = {candidate.task_id: key for key, candidate in missing.items()}
    for candidate, result in build_rows(
        list(missing.values()), request.settings, request.allow, request.workers
    ):
        key = key_of[candidate.task_id]
        store.put(key, result)
        found[key] = result
        watcher.advance(candidate.source, result)
    return [found[key] for key in keys]


def _distinct(
    tasks: Sequence[Task],
    others: Sequence[OtherDataset],
    request: Request,
    store: Store,
    watcher: Watcher,
) -> Distinct:
    """Keep one of each function, and none of the other data sets."""
    watcher.note(f"comparing {len(tasks)} functions")
    with Sandbox(allow=request.allow) as sandbox:
        elsewhere = [function for other in others for function in other.functions]
        compare = partial(compare_once, sandbox=sandbox, keeper=store)
        return drop_duplicates(tasks, elsewhere, compare)


def _versions() -> dict[str, str]:
    packages = ("pau-toolkit", "coverage", "hypothesis", "datasets")
    return {"python": platform.python_version(), **{name: version(name) for name in packages}}
