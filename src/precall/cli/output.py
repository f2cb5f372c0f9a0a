"""Where text goes: standard output, or a file that appears whole or not at all."""

from __future__ import annotations

import os
import stat
import sys

from precall.cli.interrupt import tidied
from precall.errors import UsageError


def check(path: str | None, inputs: list[str]) -> None:
    """Refuse, before any work is done, a path that cannot be written or would overwrite an input."""
    if path is None or path == "-":
        return
    folder = os.path.dirname(os.path.realpath(path))
    if not os.path.isdir(folder):
        raise UsageError(f"--output {path}: there is no directory {folder}; create it first")
    if os.path.isdir(path):
        raise UsageError(f"--output {path}: is a directory; name a file")
    for one in inputs:
        if os.path.exists(path) and os.path.exists(one) and os.path.samefile(path, one):
            raise UsageError(f"--output {path}: is also an input and would be overwritten; name another file")


def write(text: str, path: str | None) -> None:
    """Write `text` as UTF-8 to `path`, or to standard output."""
    if path is None or path == "-":
        _to_screen(text.encode())
    elif os.path.exists(path) and not stat.S_ISREG(os.stat(path).st_mode):
        # A device or pipe has no name to put a finished file at.
        with open(path, "wb") as file:
            file.write(text.encode())
    else:
        # A link stays a link: the file behind it is replaced.
        _replace(os.path.realpath(path), text.encode())


def _to_screen(data: bytes) -> None:
    # As bytes, so that neither the locale nor the platform changes what is written.
    stream = getattr(sys.stdout, "buffer", None)
    if stream is None:
        if sys.stdout is None:
            raise UsageError("standard output is closed; use --output FILE")
        sys.stdout.write(data.decode())
        return
    sys.stdout.flush()
    stream.write(data)
    stream.flush()


def _replace(path: str, data: bytes) -> None:
    folder, name = os.path.split(path)
    temporary = os.path.join(folder, f".{name}.{os.getpid()}.part")
    with tidied(lambda: os.unlink(temporary)):
        try:
            # 0o666 without the umask, as any new file; an existing one keeps its permissions.
            descriptor = os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0), 0o666)
            with os.fdopen(descriptor, "wb") as file:
                file.write(data)
                file.flush()
                os.fsync(file.fileno())
            if os.path.exists(path):
                os.chmod(temporary, stat.S_IMODE(os.stat(path).st_mode))
            os.replace(temporary, path)
        except BaseException:
            if os.path.exists(temporary):
                os.unlink(temporary)
            raise
