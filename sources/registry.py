"""Finds every source: the files of this folder, then those of installed packages."""

import difflib
import functools
import importlib
import importlib.metadata
import pkgutil
from collections.abc import Callable
from typing import Final

import sources
from builder.errors import PauError
from sources.contract import Source

ENTRY_POINTS: Final = "pau.sources"
"""Group in which another package names its ``Source`` objects."""
_NO_SOURCES: Final = frozenset({"contract", "registry", "mining"})


@functools.cache
def all_sources() -> dict[str, Source]:
    """Return every source by name, those of this folder first.

    Raises:
        PauError: a source cannot be loaded, or two have one name; names the file or package.
    """
    found: dict[str, Source] = {}
    for module in pkgutil.iter_modules(sources.__path__):
        if module.name not in _NO_SOURCES and not module.name.startswith("_"):
            where = f"sources/{module.name}.py"
            _add(found, where, functools.partial(_load_file, module.name))
    for point in sorted(importlib.metadata.entry_points(group=ENTRY_POINTS)):
        package = point.dist.name if point.dist else "unknown package"
        _add(found, f"{package} (entry point {point.name} = {point.value})", point.load)
    return found


def find_source(name: str) -> Source:
    """Return the source called ``name``.

    Raises:
        PauError: there is none; names the nearest.
    """
    known = all_sources()
    if name in known:
        return known[name]
    near = difflib.get_close_matches(name, known, n=1)
    hint = f"did you mean {near[0]}?" if near else f"there are {', '.join(known)}"
    raise PauError(f"unknown source {name!r}: {hint}")


def _load_file(name: str) -> object:
    return importlib.import_module(f"sources.{name}").SOURCE


def _add(found: dict[str, Source], where: str, load: Callable[[], object]) -> None:
    try:
        source = load()
    except Exception as error:  # whatever foreign code may raise while it is imported
        raise PauError(f"{where}: broken source: {type(error).__name__}: {error}") from error
    if not isinstance(source, Source):
        raise PauError(f"{where}: broken source: SOURCE is not a sources.contract.Source")
    if source.name in found:
        other = found[source.name].file
        raise PauError(f"{where}: a source called {source.name!r} exists already: {other}")
    found[source.name] = source
