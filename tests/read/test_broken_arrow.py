"""Tables of PyArrow whose buffers do not fit: refused, as those of other libraries are.

Streams were looked through; tables of the library that most people use went another way, and the
process ended. The old tests made streams only.
"""

from __future__ import annotations

import struct

import pytest

import precall as pc


@pytest.mark.parametrize("offsets", [(0, 2**30, 2, 3), (0, -5, 2, 3), (0, 3, 1, 4)])
def test_tables_of_pyarrow(offsets: tuple[int, ...]) -> None:
    arrow = pytest.importorskip(
        "pyarrow", reason="PyArrow is not installed: nobody else makes its tables"
    )
    texts = [None, arrow.py_buffer(struct.pack("<4i", *offsets)), arrow.py_buffer(b"abcdef")]
    items = arrow.Array.from_buffers(arrow.utf8(), 3, texts)
    table = arrow.table(
        {"topic": arrow.array(["t"] * 3), "item": items, "score": arrow.array([1.0, 2.0, 3.0])}
    )
    for read in (
        lambda: pc.read_run(table),
        lambda: pc.curve(table["item"], [1, 2, 3], positive="a"),
        lambda: pc.curve([1, 0, 1], table["item"]),
    ):
        with pytest.raises(pc.DataError, match="the Arrow data is broken: "):
            read()
    numbers = arrow.DictionaryArray.from_arrays(
        arrow.array([0, -1, 1], arrow.int32()), arrow.array(["a", "b"]), safe=False
    )
    with pytest.raises(pc.DataError, match="the Arrow data is broken: "):
        pc.read_run(table.set_column(1, "item", numbers))
