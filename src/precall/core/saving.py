"""Files that are written completely or not at all."""

from __future__ import annotations

import errno
import os
import re
import stat
import sys
import threading
from collections.abc import Iterable, Iterator
from contextlib import suppress
from typing import TYPE_CHECKING

from precall.core.text import encode_utf8, file_name, refuse_folder, visible

if TYPE_CHECKING:
    from pathlib import Path

#: Files that this process has begun and not finished.
_unfinished: set[Path] = set()
#: Reentrant, as a signal handler may run in the thread that holds it.
_guard = threading.RLock()
#: Permissions of a new file, before the umask.
_ANYBODY = 0o666
#: At most this many links are followed, as by Linux.
_LINKS = 40
#: Errors of systems on which a folder cannot be opened or synced to disk; the files in it are
#: complete nevertheless.
_NO_SYNC = (errno.EACCES, errno.EPERM, errno.EINVAL, errno.ENOTSUP, errno.EBADF)


def save(data: bytes, path: str | os.PathLike[str]) -> None:
    """Write a file completely, or not at all; an existing file keeps its permissions.

    Several processes and threads may save to one name: each file is complete, and the last one
    stays.

    Raises
    ------
    OSError
        The file cannot be written. The error names `path`; an existing file is unchanged.
    """
    # Imported late, so that a command that only prints need not wait for it.
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
        # The error of a full disk names no file, and the name of the unfinished file means nothing
        # to the reader.
        raise OSError(error.errno, error.strerror, name) from error


def _names_behind_links(name: str) -> Iterator[str]:
    """The name itself, and the name that each link leads to."""
    for _ in range(_LINKS):
        yield name
        try:
            name = os.path.join(os.path.dirname(name), os.readlink(name))  # noqa: PTH115, PTH118, PTH120
        except (OSError, ValueError):
            return


def resolve(name: str) -> str:
    """The real path of a file, which need not exist, behind all links.

    Raises
    ------
    OSError
        The folder does not exist. `os.path.realpath` would take `missing/../name` for `name`, but
        the system does not, and a file that others read as `name` would be overwritten.
    """
    *_, name = _names_behind_links(name)
    folder, last = os.path.split(name)
    return os.path.join(os.path.realpath(folder or os.curdir, strict=True), last)  # noqa: PTH118


def refuse_inputs(path: str | os.PathLike[str], inputs: Iterable[object]) -> None:
    """Refuse to replace a file that is also read; inputs that are not paths are ignored."""
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
    """Add data to the end of a file in one write.

    Text that others add at the same time stays, before or after it. A blank line separates the data
    from earlier text.

    Raises
    ------
    OSError
        The file cannot be written. The error names `path`; nothing is added, unless others wrote at
        the same time.
    """
    name = file_name(path)
    try:
        # O_APPEND moves to the end and writes in one step. A file that the shell has opened may
        # have its own position, which only writing through it moves on.
        descriptor = _open_already(name)
        is_ours = descriptor is None
        if descriptor is None:
            flags = os.O_WRONLY | os.O_APPEND | os.O_CREAT | getattr(os, "O_BINARY", 0)
            descriptor = os.open(name, flags, _ANYBODY)
        try:
            _append(_missing_line_ends(name) + data, descriptor)
        finally:
            if is_ours:
                os.close(descriptor)
    except OSError as error:
        raise OSError(error.errno, error.strerror, name) from error


def _append(data: bytes, descriptor: int) -> None:
    """Write data to the end of an open file; after an error, remove a part that was written, unless
    others wrote meanwhile.
    """
    with suppress(OSError):
        os.lseek(descriptor, 0, os.SEEK_END)
    count = os.write(descriptor, data)
    if count == len(data):
        return
    try:
        while count < len(data):
            count += os.write(descriptor, data[count:])
    except OSError:
        # A full disk accepted only a part of the data.
        size = os.fstat(descriptor).st_size
        with suppress(OSError):
            if os.lseek(descriptor, 0, os.SEEK_CUR) == size:
                os.ftruncate(descriptor, size - count)
        raise


def _missing_line_ends(name: str) -> bytes:
    """The line ends that are still missing for a blank line after the text in a file."""
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


#: Names that stand for files that are open already.
_OPEN = re.compile(r"(?:/dev|/proc/self)/fd/(\d+)|/dev/std(?:out|err)")


def descriptor_of(name: str) -> int | None:
    """The number of the open file that a name stands for, such as that of /dev/stdout; None for all
    other names.

    Examples
    --------
    >>> descriptor_of("/dev/stdout"), descriptor_of("/dev/fd/3"), descriptor_of("report.json")
    (1, 3, None)
    """
    for alias in _names_behind_links(name):
        if match := _OPEN.fullmatch(os.path.normpath(alias)):
            return int(match[1]) if match[1] else 1 + alias.endswith("err")
    return None


def _write_open(data: bytes, descriptor: int) -> None:
    """Write to an open file at its present position: others write to it before and after."""
    for stream in filter(None, (sys.stdout, sys.stderr)):
        stream.flush()
    unwritten = memoryview(_for_terminal(data) if os.isatty(descriptor) else data)
    while unwritten:
        unwritten = unwritten[os.write(descriptor, unwritten) :]


def _for_terminal(data: bytes) -> bytes:
    """The text without control characters that a terminal would obey; a file keeps them."""
    return encode_utf8(visible(data.decode(errors="replace"), "\t"))


def names_folder(name: str) -> bool:
    """Whether only a directory can have such a name.

    Examples
    --------
    >>> names_folder("new/"), names_folder("new/."), names_folder("new")
    (True, True, False)
    """
    return os.path.basename(name) in ("", ".", "..")  # noqa: PTH119


def _mode(path: Path) -> int | None:
    """The mode of an existing file; None if there is none. For links in a circle the system raises
    an error.
    """
    try:
        return path.stat().st_mode
    except FileNotFoundError:
        return None


def discard() -> None:
    """Remove unfinished files and allow no new ones; for a process that ends while it saves."""
    # The wait is limited, as the holder of the guard may be waiting for a dead disk. The guard is
    # not released, so that no file is begun after this.
    if _guard.acquire(timeout=1):
        for path in _unfinished:
            with suppress(OSError):
                path.unlink()


def _replace(data: bytes, target: Path, mode: int | None) -> None:
    """Write a temporary file in the same folder, and give it the name of the target."""
    temporary = _unused_name(target)
    try:
        with _guard:
            # Registered before the file exists, so that the process can remove it at any moment
            # when it ends.
            _unfinished.add(temporary)
        with os.fdopen(_open_new(temporary, mode), "wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        with _guard:
            temporary.replace(target)
            _unfinished.discard(temporary)
    except BaseException as error:
        with _guard, suppress(OSError):
            _unfinished.discard(temporary)
            # An existing file belongs to somebody else.
            if not isinstance(error, FileExistsError):
                temporary.unlink()
        raise
    _sync(target.parent)


def _unused_name(target: Path) -> Path:
    """A name in the folder of the target that no file has."""
    while True:
        # Not the target's name with something appended, which could be too long.
        path = target.with_name(f".{os.urandom(8).hex()}.part")
        if not os.path.lexists(path):
            return path


def _open_new(path: Path, mode: int | None) -> int:
    """Create the temporary file, never readable by more people than the file that it replaces."""
    # O_EXCL: never through a link, and never into a file that somebody else put there.
    flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0)
    with _guard:
        descriptor = os.open(path, flags, _ANYBODY if mode is None else 0o600)
    if mode is not None and hasattr(os, "fchmod"):
        # The umask does not apply to an existing file. A file created by one user must not run as
        # another: no set-id bits. If a file system has no modes, the file stays readable by its
        # owner only.
        with suppress(OSError):
            os.fchmod(descriptor, mode & 0o777)
    return descriptor


def _sync(folder: Path) -> None:
    """Write the folder's new entry to disk, if the system can do so."""
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
