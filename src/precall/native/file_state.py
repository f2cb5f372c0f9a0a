"""Detection of writes to a file while it is read."""

from __future__ import annotations

import os
import time
from typing import BinaryIO

#: In seconds: clocks of file systems tick at least 100 times a second, those of Windows 64 times.
_TICK = 0.016 if os.name == "nt" else 0.012


def state_after_tick(file: BinaryIO) -> tuple[int, int, int]:
    """The state of a file, after waiting until every later write will change it: all writes within
    one tick of the file system's clock have the same time.
    """
    before = state(file)
    since = time.time() - before[2] / 1e9
    if 0 <= since < _TICK:
        time.sleep(_TICK - since)
    return before


def state(file: BinaryIO) -> tuple[int, int, int]:
    """What changes when somebody writes to a file: its mode, size and time."""
    status = os.fstat(file.fileno())
    return status.st_mode, status.st_size, status.st_mtime_ns
