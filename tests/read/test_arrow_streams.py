"""Arrow streams that lie about their rows, and honest ones that were read wrong.

A table that begins within its columns was read from their first row; offsets that go back gave
texts that overlap; negative numbers counted from a dictionary's end; texts as views ended the
process. The old tests gave whole columns of libraries that make plain ones.
"""

from __future__ import annotations

import ctypes
from typing import Any

import nanoarrow
import numpy as np
import pytest

import precall as pc
from precall.core.errors import DataError
from tests.fuzz.arrow_streams import Header, Speaker
from tests.peers import peer

pl = peer("polars")

FIELDS = {"topic": nanoarrow.string(), "item": nanoarrow.string(), "score": nanoarrow.float64()}


def texts(start: list[int]) -> Any:
    buffers = [None, np.array(start, np.int32), b"abc"]
    return nanoarrow.c_array_from_buffers(
        nanoarrow.string(), len(start) - 1, buffers, validation_level="none"
    )


def table(topics: Any, **fields: int) -> Speaker:
    items = texts([0, 1, 2, 3])
    scores = nanoarrow.c_array([3.0, 2.0, 1.0], nanoarrow.float64())
    schema = nanoarrow.struct({**FIELDS, "topic": nanoarrow.Schema(topics.schema)})
    found = nanoarrow.c_array_from_buffers(schema, 3, [None], children=[topics, items, scores])
    array = Header.from_address(found._addr())
    for name, value in fields.items():
        setattr(array, name, value)
    return Speaker(nanoarrow.c_array_stream(found))


def test_good_ones() -> None:
    run = pc.read_run(table(texts([0, 1, 2, 3])))
    assert (run.topics.tolist(), run.score.tolist()) == (["a", "b", "c"], [3.0, 2.0, 1.0])


def test_a_table_that_begins_within_its_columns() -> None:
    run = pc.read_run(table(texts([0, 1, 2, 3]), offset=1, length=2))
    assert (run.topics.tolist(), run.items.tolist(), run.score.tolist()) == (
        ["b", "c"],
        ["b", "c"],
        [2.0, 1.0],
    )


@pytest.mark.parametrize(
    "start", [[0, 3, 1, 3], [0, 1, 2**31 - 1, 3], [0, -5, 2, 3], [-1, 1, 2, 3]], ids=str
)
def test_offsets_that_go_back(start: list[int]) -> None:
    with pytest.raises(DataError, match="not a table of Arrow that can be read"):
        pc.read_run(table(texts(start)))


@pytest.mark.parametrize(
    "fields",
    [{"length": 2**40}, {"offset": 2**40}, {"offset": -3}, {"offset": 1}, {"length": 4}],
    ids=str,
)
def test_rows_that_the_columns_do_not_have(fields: dict[str, int]) -> None:
    with pytest.raises(DataError, match="of a column of 3"):
        pc.read_run(table(texts([0, 1, 2, 3]), **fields))


@pytest.mark.parametrize("wrong", [-1, 3, 2**30])
def test_numbers_outside_a_dictionary(wrong: int) -> None:
    class Spoiled:
        """Of Polars' categories, with another number."""

        def __arrow_c_stream__(self, requested_schema: object = None) -> object:
            frame = pl.DataFrame(
                {"topic": ["a", "b", "c"], "item": ["x", "y", "z"], "score": [3.0, 2.0, 1.0]}
            )
            stream = nanoarrow.ArrayStream(frame.to_arrow())
            (batch,) = stream
            whole = nanoarrow.c_array(batch)
            ctypes.c_uint32.from_address(whole.child(0).buffers[1]).value = wrong & 0xFFFFFFFF
            return nanoarrow.c_array_stream(whole).__arrow_c_stream__()

    pytest.importorskip("pyarrow")
    with pytest.raises(DataError, match="not a table of Arrow"):
        pc.read_run(Spoiled())


def test_views_of_long_texts() -> None:
    frame = pl.DataFrame({"topic": ["q" * 30, "q"], "item": ["a" * 40, "b"], "score": [1.0, 2.0]})
    assert pc.read_run(Speaker(frame)).items.tolist() == ["a" * 40, "b"]
    some = frame.with_columns(pl.col("topic").cast(pl.Categorical))
    assert pc.read_run(Speaker(some[1:])).topics.tolist() == ["q"]


def test_tables_of_categories() -> None:
    truth = pl.DataFrame({"one": [1, 0, 1], "two": [0, 0, 1]})
    decided = pl.DataFrame({"two": [0, 0, 1], "one": [1, 0, 1]})
    assert pc.decisions(Speaker(truth), Speaker(decided)).f(average="micro") == 1.0
