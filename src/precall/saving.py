"""Files that appear whole or not at all."""

from __future__ import annotations

import errno
import os
import stat
import threading
from contextlib import suppress
from typing import TYPE_CHECKING

from precall.text import encoded, file_name, visible

if TYPE_CHECKING:
    from pathlib import Path

#: Files that this process has made and not finished.
_parts: set[Path] = set()
#: A handler of signals may run in the thread that holds it.
_guard = threading.RLock()
#: What a file made anew may be, before the umask.
_ANYBODY = 0o666
#: Of these a folder cannot be opened, or told to reach the disk; what is in it is whole nevertheless.
_NO_SYNC = (errno.EACCES, errno.EPERM, errno.EINVAL, errno.ENOTSUP, errno.EBADF)


def save(data: bytes, path: str | os.PathLike[str]) -> None:
    """Write a file whole, or not at all; an existing one keeps its permissions.

    Several processes and threads may save to one name: each file is whole, and the last one stays.

    Raises
    ------
    OSError
        The file cannot be written; it names `path`, and what lay there is unchanged.
    """
    # Not at the top: a command that prints must not wait for it.
    from pathlib import Path

    name = file_name(path)
    try:
        mode = _mode(Path(name))
        if mode is not None and not stat.S_ISREG(mode):
            # A device or pipe cannot be replaced by a finished file.
            with Path(name).open("wb") as file:
                # A terminal would obey what a file keeps.
                file.write(encoded(visible(data.decode(errors="replace"), "\t")) if file.isatty() else data)
        else:
            # A link stays a link: the file behind it is replaced.
            _replace(data, Path(os.path.realpath(name)), mode)
    except OSError as error:
        # A full disk has no name, and that of the part means nothing to the reader.
        raise OSError(error.errno, error.strerror, name) from error


def _mode(path: Path) -> int | None:
    """Of what is there; None for nothing. Links in a circle are an error of the system."""
    try:
        return path.stat().st_mode
    except FileNotFoundError:
        return None


def discard() -> None:
    """Remove what is unfinished, and begin nothing more: for a process that ends while it saves."""
    # Who holds the guard may wait for a dead disk; and nobody shall have it after this.
    if _guard.acquire(timeout=1):
        for part in _parts:
            with suppress(OSError):
                part.unlink()


def _replace(data: bytes, target: Path, mode: int | None) -> None:
    part = _free(target)
    try:
        with _guard:
            # Before it is there: whoever ends the process knows of it at any moment.
            _parts.add(part)
        with os.fdopen(_opened(part, mode), "wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        with _guard:
            part.replace(target)
            _parts.discard(part)
    except BaseException as error:
        with _guard, suppress(OSError):
            _parts.discard(part)
            # What was there already is somebody else's.
            if not isinstance(error, FileExistsError):
                part.unlink()
        raise
    _sync(target.parent)


def _free(target: Path) -> Path:
    """A name beside the target that nobody has."""
    while True:
        # Not the target's name: with more behind it, that could be too long.
        part = target.with_name(f".{os.urandom(8).hex()}.part")
        if not os.path.lexists(part):
            return part


def _opened(part: Path, mode: int | None) -> int:
    """The part made anew, never readable by more people than what it replaces."""
    # O_EXCL: never through a link or into a file that somebody else put there.
    flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0)
    with _guard:
        descriptor = os.open(part, flags, _ANYBODY if mode is None else 0o600)
    if mode is not None and hasattr(os, "fchmod"):
        # The umask does not change what is there. Who made it must not run as its owner: no set-id bits.
        # Where a file system has no modes, it stays ours alone.
        with suppress(OSError):
            os.fchmod(descriptor, mode & 0o777)
    return descriptor


def _sync(folder: Path) -> None:
    """Have a folder's new name on the disk, where the system can do so."""
    if os.name == "nt":
        return
    try:
        descriptor = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)
    except OSError as error:
        if error.errno not in _NO_SYNC:
            raise
