"""Any bytes as a table in Arrow capsules: what `target_python.cpp` calls under libFuzzer and the
sanitizers.

Offsets of texts that go anywhere, rows that begin and end elsewhere than their columns, gaps,
columns of all types. The memory behind a column is always as large as its length and last offset
say, as nobody can see where it is not (SECURITY.md). Nothing may end the process; an honest table
must be read as its rows are.
"""

from __future__ import annotations

import sys
from typing import Any

import nanoarrow
import numpy as np

# this folder is on the path
from arrow_streams import Header, Speaker  # type: ignore[import-not-found]
from inputs import Input  # type: ignore[import-not-found]

try:
    import _kernel  # type: ignore[import-not-found]  # made known by target_python.cpp
except ImportError:
    pass  # the kernel that is installed does for a first look
else:
    sys.modules["precall.native._kernel"] = _kernel

import precall
from precall.core.errors import PrecallError

TEXTS = (nanoarrow.string(), nanoarrow.large_string(), nanoarrow.binary())
NUMBERS = (
    (nanoarrow.float64(), np.float64),
    (nanoarrow.float32(), np.float32),
    (nanoarrow.int64(), np.int64),
    (nanoarrow.uint8(), np.uint8),
    (nanoarrow.int16(), np.int16),
    (nanoarrow.uint64(), np.uint64),
)
BYTES = b"abcdefgh\xc3\xa9\xff\x001.5e3,9007199254740993"


def bits(given: Input, rows: int) -> bytes | None:
    """Which rows are there; None where all are."""
    return None if given.take() < 200 else bytes(given.take() for _ in range(rows // 8 + 1))


def texts(given: Input, rows: int, honest: bool) -> Any:
    """A column of texts: honest ones are one or two letters each."""
    kind = TEXTS[given.take() % (1 if honest else len(TEXTS))]
    wide = np.int64 if kind.type == nanoarrow.Type.LARGE_STRING else np.int32
    if honest:
        start = np.arange(rows + 1) * (1 + given.take() % 2)
        data = bytes(97 + given.take() % 26 for _ in range(int(start[-1])))
        return nanoarrow.c_array_from_buffers(kind, rows, [None, start.astype(wide), data])
    start = np.array([given.small() for _ in range(rows + 1)], wide)
    start[-1] = min(start[-1], len(BYTES))
    return nanoarrow.c_array_from_buffers(
        kind, rows, [bits(given, rows), start, BYTES], validation_level="none"
    )


def numbers(given: Input, rows: int, honest: bool) -> Any:
    """A column of numbers, or texts that may be some."""
    choice = given.take()
    if not honest and choice > 220:
        return texts(given, rows, False)
    kind, dtype = NUMBERS[choice % len(NUMBERS)]
    values = np.array([given.take() for _ in range(rows)], dtype)
    if not honest and choice % 7 == 0:
        values = np.frombuffer(bytes(given.take() for _ in range(8 * rows)), np.int64).astype(dtype)
    gaps = None if honest else bits(given, rows)
    return nanoarrow.c_array_from_buffers(kind, rows, [gaps, values], validation_level="none")


def table(given: Input, honest: bool) -> Any:
    """Columns of a table, whose own rows may be others."""
    rows = given.take() % 20
    lengths = [rows if honest else max(rows + given.small() % 3 - 1, 0) for _ in range(3)]
    columns = [
        texts(given, lengths[0], honest),
        texts(given, lengths[1], honest),
        numbers(given, lengths[2], honest),
    ]
    schema = nanoarrow.struct(
        dict(
            zip(
                ("topic", "item", "score"),
                (nanoarrow.Schema(one.schema) for one in columns),
                strict=True,
            )
        )
    )
    made = nanoarrow.c_array_from_buffers(
        schema, rows, [None], children=columns, validation_level="none"
    )
    if not honest:
        header = Header.from_address(made._addr())
        for name in ("length", "null_count", "offset"):
            if given.take() > 180:
                setattr(header, name, given.small())
    return made


def told(source: Any) -> Any:
    """The run, or that it was refused."""
    try:
        run = precall.read_run(source, duplicates="first", threads=1)
    except PrecallError:
        return None
    return run.topics.tolist(), run.row_start.tolist(), run.items.tolist(), run.score.tolist()


def one_input(data: bytes) -> None:
    """One input of the fuzzer."""
    given = Input(data)
    honest = given.take() % 4 == 0
    made = table(given, honest)
    found = told(Speaker(nanoarrow.c_array_stream(made)))
    if honest:
        rows = [tuple(row.values()) for row in nanoarrow.Array(made).iter_py()]
        if found != told(rows):
            raise AssertionError(f"broken law: a table is its rows: {rows}, {found}")
