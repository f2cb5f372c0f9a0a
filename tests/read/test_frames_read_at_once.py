"""Frames whose texts and numbers go to the kernel as they lie in memory: what they give is what
cells one by one give.
"""

from __future__ import annotations

import random
from typing import Any
from unittest.mock import patch

import pytest

from precall.core.errors import DataError
from precall.core.notes.of_reading import RanksDisagree
from precall.read import frames
from precall.read.readers import read_qrels, read_run
from tests.noticed import noticed
from tests.peers import peer

polars = peer("polars")
pyarrow = peer("pyarrow")
peer("pandas")


NAMES = ["a", "é", "名x", "", "b\n", "\0", "q" * 20, "007"]
VALUES = {
    "floats": (polars.Float64, lambda draw: draw.random()),
    "float32": (polars.Float32, lambda draw: draw.random()),
    "nan": (polars.Float64, lambda draw: draw.choice([1.0, float("nan")])),
    "integers": (polars.Int64, lambda draw: draw.randrange(-5, 9)),
    "small": (polars.Int8, lambda draw: draw.randrange(-5, 9)),
    "unsigned": (polars.UInt64, lambda draw: draw.randrange(9)),
    "large": (polars.Int64, lambda draw: 2**53 + draw.randrange(-2, 3)),
    "over 32 bits": (polars.Int64, lambda draw: 2**31 + draw.randrange(-1, 2)),
    "texts": (polars.String, lambda draw: draw.choice(["1.5", "x"])),
    "booleans": (polars.Boolean, lambda draw: draw.random() < 0.5),
    "times": (polars.Datetime("us"), lambda draw: None),
}


class Stream:
    """What speaks Arrow and nothing else."""

    def __init__(self, source: Any) -> None:
        self.source = source

    def __arrow_c_stream__(self, requested_schema: object = None) -> object:
        return self.source.__arrow_c_stream__()


def table(draw: random.Random, kind: str) -> Any:
    rows = draw.randrange(1, 12)
    dtype, value = VALUES[kind]
    topic: list[Any] = [draw.choice(NAMES) for _ in range(rows)]
    item: list[Any] = [
        draw.choice(NAMES) + str(0 if draw.random() < 0.05 else row) for row in range(rows)
    ]
    if draw.random() < 0.2:
        item[draw.randrange(rows)] = None
    if draw.random() < 0.2:
        topic = [draw.randrange(-3, 300) for _ in topic]
    values = [value(draw) for _ in topic]
    frame = polars.DataFrame({"topic": topic, "item": item}).with_columns(
        score=polars.Series(values, dtype=dtype), grade=polars.Series(values, dtype=dtype)
    )
    if frame["topic"].dtype == polars.String and draw.random() < 0.3:
        frame = frame.with_columns(polars.col("topic").cast(polars.Categorical))
    return frame


def sources(frame: Any, draw: random.Random) -> list[Any]:
    whole = frame.to_arrow()
    cut = draw.randrange(len(frame) + 1)
    torn = pyarrow.concat_tables([whole.slice(0, cut), whole.slice(cut)])
    part = whole.slice(1) if len(frame) > 1 else whole
    short = pyarrow.schema(
        [
            (
                field.name,
                pyarrow.string() if pyarrow.types.is_large_string(field.type) else field.type,
            )
            for field in whole.schema
        ]
    )
    made = [frame, frame.to_pandas(), whole, torn, part, whole.cast(short)]
    return [*made, *map(Stream, (whole, torn, part, whole.cast(short), frame))]


def outcome(read: Any, source: Any) -> Any:
    try:
        made = read(source)
    except DataError as error:
        return str(error)
    value = made.score if read is read_run else made.grade
    columns = (
        made.topics.data,
        made.topics.start,
        made.row_start,
        made.items.data,
        made.items.start,
        value,
    )
    return [column.tobytes() for column in columns], value.dtype


def one_by_one(column: Any, begin: int, end: int) -> list[Any]:
    """The cells of a column of ids, as they were read before."""
    part = column[begin:end]
    cells = part.to_list()
    return list(map(str, cells)) if part.dtype.is_integer() and part.null_count() == 0 else cells


@pytest.mark.nightly
@pytest.mark.parametrize("kind", VALUES)
def test_what_is_read_at_once_is_what_is_read_cell_by_cell(kind: str) -> None:
    draw = random.Random(kind)
    for _ in range(12):
        for source in sources(table(draw, kind), draw):
            for read in (read_run, read_qrels):
                with (
                    patch.object(frames, "_ids", lambda column: column),
                    patch.object(frames, "_cells_of_ids", one_by_one),
                    patch.object(frames, "texts_of", lambda part: None),
                ):
                    expected = outcome(read, source)
                assert outcome(read, source) == expected, (type(source), read)


@pytest.mark.parametrize("data", [b"\xff", b"\xe9a", b"\xc3\xa9"])
def test_texts_of_arrow_that_are_no_text(data: bytes) -> None:
    """The offsets part a character, or there is none."""
    start = pyarrow.array([0, 1, len(data)] if len(data) > 1 else [0, 1], pyarrow.int32())
    ids = pyarrow.Array.from_buffers(
        pyarrow.string(), len(start) - 1, [None, start.buffers()[1], pyarrow.py_buffer(data)]
    )
    source = Stream(pyarrow.table({"topic": ids, "item": ids, "score": [1.0] * len(ids)}))
    with pytest.raises(DataError, match="not a table of Arrow that can be read"):
        read_run(source)


def test_texts_lie_as_they_are() -> None:
    """That the short way is taken at all."""
    frame = polars.DataFrame({"topic": ["q", "q"], "item": ["a", "é"], "score": [2.0, 1.0]})
    with patch.object(frames, "list_cells", side_effect=AssertionError):
        assert read_run(Stream(frame.to_arrow())).items.tolist() == ["a", "é"]


@pytest.mark.parametrize("score", [[2.0, 1.0], ["2", "1"]])
@pytest.mark.parametrize("kind", [polars.UInt64, polars.Int8, polars.Float32])
def test_ranks_may_be_numbers_of_any_kind(score: list[Any], kind: Any) -> None:
    """Beside scores that are looked at one by one, too."""
    ranks = (
        polars.Series([2, 1], dtype=kind)
        if kind != polars.UInt64
        else polars.Series([2**63 + 4096, 1], dtype=kind)
    )
    frame = polars.DataFrame(
        {"topic": ["q", "q"], "item": ["a", "b"], "score": score, "rank": ranks}
    )
    assert [
        (note.disagreeing, note.topics) for note in noticed(read_run(frame), RanksDisagree)
    ] == [(1, 1)]
