"""What speaks Arrow and nothing else, and the head of its arrays: for targets of the fuzzer and for
tests.
"""

from __future__ import annotations

import ctypes
from typing import Any


class Header(ctypes.Structure):
    """The first fields of an ArrowArray."""

    _fields_ = [(name, ctypes.c_int64) for name in ("length", "null_count", "offset")]


class Speaker:
    """Speaks Arrow and nothing else."""

    def __init__(self, stream: Any) -> None:
        self.stream = stream

    def __arrow_c_stream__(self, requested_schema: object = None) -> object:
        return self.stream.__arrow_c_stream__(requested_schema)
