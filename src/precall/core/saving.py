"""Files that appear whole or not at all."""

from __future__ import annotations

import errno
import os
import re
import stat
import sys
import threading
from collections.abc import Iterable
from contextlib import suppress
from typing import TYPE_CHECKING

from precall.core.text import encoded, file_name, refuse_folder, visible

if TYPE_CHECKING:
    from pathlib import Path

#: Files that this process has made and not finished.
_parts: set[Path] = set()
#: A handler of signals may run in the thread that holds it.
_guard = threading.RLock()
#: What a file made anew may be, before the umask.
_ANYBODY = 0o666
#: As many links as Linux follows.
_LINKS = 40
#: Of these a folder cannot be opened, or told to reach the disk; what is in it is whole
#: nevertheless.
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
    refuse_folder(name)
    if names_folder(name):
        raise IsADirectoryError(
            errno.EISDIR, "is the name of a directory, expected that of a file", name
        )
    try:
        mode = _mode(Path(name))
        if (descriptor := descriptor_of(name)) is not None:
            _write_open(data, descriptor)
        elif mode is not None and not stat.S_ISREG(mode):
            # A device or pipe cannot be replaced by a finished file.
            with Path(name).open("wb") as file:
                file.write(_for_terminal(data) if file.isatty() else data)
        else:
            # A link stays a link: the file behind it is replaced.
            _replace(data, Path(resolve(name)), mode)
    except OSError as error:
        # A full disk has no name, and that of the part means nothing to the reader.
        raise OSError(error.errno, error.strerror, name) from error


def resolve(name: str) -> str:
    """The real path of a file, which need not exist, behind all links.

    Raises
    ------
    OSError
        The folder does not exist. `os.path.realpath` would take `missing/../name` for `name`, which
        the system does not, and a file that others read as `name` would be overwritten.
    """
    for _ in range(_LINKS):
        if not os.path.islink(name):  # noqa: PTH114
            break
        name = os.path.join(os.path.dirname(name), os.readlink(name))  # noqa: PTH115, PTH118, PTH120
    folder, last = os.path.split(name)
    return os.path.join(os.path.realpath(folder or os.curdir, strict=True), last)  # noqa: PTH118


def refuse_inputs(path: str | os.PathLike[str], inputs: Iterable[object]) -> None:
    """Refuse to replace a file that is also read; of the inputs, others than paths are left out."""
    from precall.core.errors import UsageError

    for source in inputs:
        is_same = False
        if isinstance(source, str | os.PathLike):
            with suppress(OSError, ValueError):
                is_same = os.path.samefile(file_name(path), source)  # noqa: PTH121
        if is_same:
            raise UsageError(
                argument="path",
                what=f"{os.fsdecode(path)} is also an input and would be overwritten",
                remedy="name another file",
            )


def append(data: bytes, path: str | os.PathLike[str]) -> None:
    """Add to the end of a file, in one write: what others add meanwhile stays, before it or behind
    it.

    A blank line sets it apart from what is there.

    Raises
    ------
    OSError
        The file cannot be written, which names `path`; nothing is added, unless others wrote at the
        same time.
    """
    name = file_name(path)
    try:
        # O_APPEND moves to the end and writes at once. What the shell has opened may have a place
        # of its own in the file, which only writing there moves on.
        descriptor = _open_already(name)
        is_ours = descriptor is None
        if descriptor is None:
            flags = os.O_WRONLY | os.O_APPEND | os.O_CREAT | getattr(os, "O_BINARY", 0)
            descriptor = os.open(name, flags, _ANYBODY)
        try:
            _append(_apart(name) + data, descriptor)
        finally:
            if is_ours:
                os.close(descriptor)
    except OSError as error:
        raise OSError(error.errno, error.strerror, name) from error


def _append(data: bytes, descriptor: int) -> None:
    with suppress(OSError):
        os.lseek(descriptor, 0, os.SEEK_END)
    count = os.write(descriptor, data)
    if count == len(data):
        return
    try:
        while count < len(data):
            count += os.write(descriptor, data[count:])
    except OSError:
        # A full disk took a part of it.
        size = os.fstat(descriptor).st_size
        with suppress(OSError):
            if os.lseek(descriptor, 0, os.SEEK_CUR) == size:
                os.ftruncate(descriptor, size - count)
        raise


def _apart(name: str) -> bytes:
    """What is still missing of a blank line behind a text."""
    from pathlib import Path

    with suppress(OSError), Path(name).open("rb") as file:
        if size := os.fstat(file.fileno()).st_size:
            file.seek(-min(size, 2), os.SEEK_END)
            end = file.read()
            return b"\n" * (2 - (len(end) - len(end.rstrip(b"\n"))))
    return b""


def _open_already(name: str) -> int | None:
    """Standard output or standard error, if it is this file."""
    with suppress(OSError):
        file = os.stat(name)  # noqa: PTH116
        for stream in filter(None, (sys.stdout, sys.stderr)):
            with suppress(OSError, ValueError, AttributeError):
                if os.path.samestat(file, os.fstat(stream.fileno())):
                    stream.flush()
                    return int(stream.fileno())
    return None


#: Names of files that are open already.
_OPEN = re.compile(r"(?:/dev|/proc/self)/fd/(\d+)|/dev/std(?:out|err)")


def descriptor_of(name: str) -> int | None:
    """The number of the open file that a name stands for, such as that of /dev/stdout; None for all
    other names.

    Examples
    --------
    >>> descriptor_of("/dev/stdout"), descriptor_of("/dev/fd/3"), descriptor_of("report.json")
    (1, 3, None)
    """
    for _ in range(_LINKS):
        if match := _OPEN.fullmatch(os.path.normpath(name)):
            return int(match[1]) if match[1] else 1 + name.endswith("err")
        try:
            name = os.path.join(os.path.dirname(name), os.readlink(name))  # noqa: PTH115, PTH118, PTH120
        except (OSError, ValueError):
            return None
    return None


def _write_open(data: bytes, descriptor: int) -> None:
    """Write to a file that is open, where it is: others write to it before and after."""
    for stream in filter(None, (sys.stdout, sys.stderr)):
        stream.flush()
    rest = memoryview(_for_terminal(data) if os.isatty(descriptor) else data)
    while rest:
        rest = rest[os.write(descriptor, rest) :]


def _for_terminal(data: bytes) -> bytes:
    """Text without what a terminal would obey, and a file keeps."""
    return encoded(visible(data.decode(errors="replace"), "\t"))


def names_folder(name: str) -> bool:
    """Whether only a directory can have such a name.

    Examples
    --------
    >>> names_folder("new/"), names_folder("new/."), names_folder("new")
    (True, True, False)
    """
    return os.path.basename(name) in ("", ".", "..")  # noqa: PTH119


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
        # The umask does not change what is there. Who made it must not run as its owner: no set-id
        # bits. Where a file system has no modes, it stays ours alone.
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
