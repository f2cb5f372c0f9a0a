"""Files that appear whole or not at all."""

from __future__ import annotations

import errno
import os
import stat
import threading
from contextlib import suppress
from pathlib import Path

#: Files that this process has made and not finished.
_parts: set[Path] = set()
_guard = threading.Lock()
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

    Examples
    --------
    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     save(b"abc", Path(folder) / "a")
    ...     [one.name for one in Path(folder).iterdir()]
    ['a']
    """
    try:
        mode = Path(path).stat().st_mode if Path(path).exists() else None
        if mode is not None and not stat.S_ISREG(mode):
            # A device or pipe cannot be replaced by a finished file.
            Path(path).write_bytes(data)
        else:
            # A link stays a link: the file behind it is replaced.
            _replace(data, Path(path).resolve(), mode)
    except OSError as error:
        # A full disk has no name, and that of the part means nothing to the reader.
        raise OSError(error.errno, error.strerror, os.fspath(path)) from error


def discard() -> None:
    """Remove what is unfinished, and begin nothing more: for a process that ends while it saves."""
    # Who holds the guard may wait for a dead disk; and nobody shall have it after this.
    if _guard.acquire(timeout=1):
        for part in _parts:
            with suppress(OSError):
                part.unlink()


def _replace(data: bytes, target: Path, mode: int | None) -> None:
    descriptor, part = _made(target, mode)
    try:
        with os.fdopen(descriptor, "wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        with _guard:
            part.replace(target)
            _parts.discard(part)
    except BaseException:
        with _guard, suppress(OSError):
            _parts.discard(part)
            part.unlink()
        raise
    _sync(target.parent)


def _made(target: Path, mode: int | None) -> tuple[int, Path]:
    """A new file beside the target, open, and never readable by more people than the target."""
    while True:
        # Not the target's name: with more behind it, that could be too long.
        part = target.with_name(f".{os.urandom(8).hex()}.part")
        # O_EXCL: never through a link or into a file that somebody else put there.
        flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0)
        with _guard:
            try:
                descriptor = os.open(part, flags, _ANYBODY if mode is None else 0o600)
            except FileExistsError:
                continue
            _parts.add(part)
        if mode is not None and hasattr(os, "fchmod"):
            # The umask does not change what is there. Who made it must not run as its owner: no set-id bits.
            # Where a file system has no modes, it stays ours alone.
            with suppress(OSError):
                os.fchmod(descriptor, mode & 0o777)
        return descriptor, part


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
