"""Putting a finished folder where it belongs, in one step, or leaving everything as it was."""

import ctypes
import fcntl
import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from builder.errors import PauError
from builder.release.packed import is_release

_AT_FDCWD = -100
_RENAME_EXCHANGE = 2


def check_target(folder: Path) -> None:
    """Refuse a folder that a release may not be written to.

    Raises:
        PauError: it is a file, holds something else, or its parent cannot be written.
    """
    try:
        if folder.exists() and not folder.is_dir():
            raise PauError(f"{folder}: is a file; name a folder for the release")
        if folder.is_dir() and any(folder.iterdir()) and not is_release(folder):
            raise PauError(
                f"{folder}: holds something other than a release of pau-build;"
                " name another folder, or empty this one"
            )
        parent = next(above for above in folder.resolve().parents if above.exists())
    except OSError as error:
        raise cannot_write(folder, error) from None
    if not parent.is_dir() or not os.access(parent, os.W_OK | os.X_OK):
        raise PauError(f"{parent}: cannot be written; name another folder for the release")


def cannot_write(folder: Path, error: OSError) -> PauError:
    """Return what to tell the user when the system refuses to write a release."""
    cause = os.strerror(error.errno) if error.errno else str(error)
    return PauError(
        f"{folder}: the release cannot be written ({cause});"
        " free some space or name another folder; what stood there before is unchanged"
    )


@contextmanager
def building_beside(folder: Path) -> Iterator[Path]:
    """Give an empty folder beside ``folder``; put it in its place if the block succeeds.

    An earlier release at ``folder`` is replaced in one step of the file system. Whatever fails,
    ``folder`` is as before and nothing is left beside it; what a killed run left is cleared.
    Of two runs one waits for the other.

    Raises:
        PauError: the folder may not or cannot be written.
    """
    check_target(folder)
    place = folder.resolve()
    building = place.with_name(f".{place.name}.building")
    try:
        place.parent.mkdir(parents=True, exist_ok=True)
        with _locked(place.parent):
            try:
                building.mkdir(exist_ok=True)
                _empty(building)
                yield building
                check_target(folder)
                _put_in_place(building, place)
            finally:
                shutil.rmtree(building, ignore_errors=True)
    except OSError as error:
        raise cannot_write(folder, error) from None


@contextmanager
def _locked(parent: Path) -> Iterator[None]:
    """Hold the lock of a folder; the system releases it if this process is killed."""
    handle = os.open(parent, os.O_RDONLY)
    try:
        fcntl.flock(handle, fcntl.LOCK_EX)
        yield
    finally:
        os.close(handle)


def _empty(folder: Path) -> None:
    for entry in folder.iterdir():
        if entry.is_dir():
            shutil.rmtree(entry)
        else:
            entry.unlink()


def _put_in_place(building: Path, folder: Path) -> None:
    """Rename ``building`` to ``folder``; an earlier release ends up as ``building``."""
    if not folder.is_dir() or not any(folder.iterdir()):
        building.rename(folder)
    elif not _exchange(building, folder):
        # The file system cannot exchange: for a moment there is no release, never half of one.
        earlier = folder.with_name(f".{folder.name}.earlier")
        folder.rename(earlier)
        building.rename(folder)
        shutil.rmtree(earlier, ignore_errors=True)


def _exchange(first: Path, second: Path) -> bool:
    """Swap two folders in one step; False where the system cannot."""
    rename = getattr(ctypes.CDLL(None, use_errno=True), "renameat2", None)
    if rename is None:
        return False
    names = os.fsencode(first), os.fsencode(second)
    return bool(rename(_AT_FDCWD, names[0], _AT_FDCWD, names[1], _RENAME_EXCHANGE) == 0)
