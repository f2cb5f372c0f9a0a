"""Whether others write to a file while it is read."""

from __future__ import annotations

import os
import time
from typing import BinaryIO

#: Seconds: clocks of file systems tick at least 100 times in one, those of Windows 64 times.
_TICK = 0.016 if os.name == "nt" else 0.012


def state_after_tick(file: BinaryIO) -> tuple[int, int, int]:
    """Its state, once every later write shows: what is written within one tick of the file system's
    clock has one time.
    """
    before = state(file)
    since = time.time() - before[2] / 1e9
    if 0 <= since < _TICK:
        time.sleep(_TICK - since)
    return before


def state(file: BinaryIO) -> tuple[int, int, int]:
    """What is another when others write to a file: its mode, size and time."""
    status = os.fstat(file.fileno())
    return status.st_mode, status.st_size, status.st_mtime_ns
