"""Files that appear whole or not at all."""

from __future__ import annotations

import os
import stat
from pathlib import Path


def part_of(path: str | os.PathLike[str]) -> Path:
    """Where the bytes of a file are until all of them are there."""
    # A link stays a link: the file behind it is replaced.
    target = Path(path).resolve()
    return target.with_name(f".{target.name[:100]}.{os.getpid()}.part")


def save(data: bytes, path: str | os.PathLike[str]) -> None:
    """Write a file whole, or not at all; an existing one keeps its permissions.

    Examples
    --------
    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     save(b"abc", Path(folder) / "a")
    ...     [one.name for one in Path(folder).iterdir()]
    ['a']
    """
    target = Path(path)
    if target.exists() and not stat.S_ISREG(target.stat().st_mode):
        # A device or pipe cannot be replaced by a finished file.
        target.write_bytes(data)
        return
    target, temporary = target.resolve(), part_of(path)
    try:
        # "x": never through a link or into a file that somebody else put there.
        with temporary.open("xb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        if target.exists():
            temporary.chmod(stat.S_IMODE(target.stat().st_mode))
        temporary.replace(target)
    except BaseException:
        temporary.unlink(missing_ok=True)
        raise
