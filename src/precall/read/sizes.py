"""How large inputs are, and how much memory there is for them."""

from __future__ import annotations

import stat
from pathlib import Path

#: Of the memory that is free, what distinct relevant scores may take where nothing is said.
_SHARE = 4
#: Where it is not known how much is free.
_SOME = 1 << 30
#: How many times its size a file takes in memory when it is read whole.
_TIMES = 8


def is_regular(path: str) -> bool:
    """Whether it is a file that can be read again."""
    return path != "-" and stat.S_ISREG(Path(path).stat().st_mode)


def outgrows(path: str, memory: int | None) -> bool:
    """Whether a file is too large to be read whole into so much memory, by default a share of what is free.

    Of standard input nothing is known, and it is if some memory is named.
    """
    if path == "-":
        return memory is not None
    try:
        return is_regular(path) and Path(path).stat().st_size * _TIMES > (memory or free_memory())
    except OSError:
        return False  # which reading it says better


def free_memory() -> int:
    """Bytes that may be used: a quarter of what is free."""
    try:
        with Path("/proc/meminfo").open() as lines:
            free = next(int(line.split()[1]) for line in lines if line.startswith("MemAvailable"))
    except (OSError, StopIteration, ValueError):
        return _SOME
    return free * 1024 // _SHARE
