"""Data frames of any library, through Narwhals, or through the Arrow capsule interface."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import islice
from typing import Any

from precall.errors import DataError, Problem, UsageError
from precall.read.gathering import BATCH, Gathering, object_cells
from precall.read.problems import shown
from precall.read.subjects import RUN, Parsed, Request


def read_frame(source: Any, request: Request, label: str | None = None) -> Parsed:
    """A run or qrels in a data frame.

    `label` is what messages call it, when it stands for a file.
    """
    import narwhals as nw

    names = request.names
    gathering = Gathering(request, object_cells(request), names, rows=True, label=label)
    frame = nw.from_native(source, pass_through=True)
    if isinstance(frame, nw.LazyFrame):
        present(frame.collect_schema().names(), request, label)
        frame = frame.select(*dict.fromkeys(names)).collect()
    if isinstance(frame, nw.DataFrame):
        present(frame.columns, request, label)
        _take_frame(frame, request, gathering)
    elif hasattr(source, "__arrow_c_stream__"):
        _take_stream(source, request, gathering)
    else:
        raise UsageError(f"source: got {type(source).__name__}, which is no data frame; pass one with columns {names}")
    return gathering.finish()


def present(columns: Sequence[str], request: Request, label: str | None = None) -> list[int]:
    """Where the columns asked for stand; DataError if one is not there, or twice."""
    problems = []
    missing = [name for name in request.names if name not in columns]
    if missing:
        there = ", ".join(map(shown, columns[:20])) + (", ..." if len(columns) > 20 else "")
        wanted = ",".join(f"{role}=..." for role in request.subject.columns)
        problems.append(
            Problem(
                request.label if label is None else label,
                None,
                f"no column {' and no column '.join(map(shown, missing))}, the columns are {there or 'none'}",
                f"name them with --columns {wanted}",
            )
        )
    for name in dict.fromkeys(request.names):
        if columns.count(name) > 1:
            what = f"column {shown(name)} is there {columns.count(name)} times"
            problems.append(Problem(request.label if label is None else label, None, what, "rename or remove the others"))
    if problems:
        raise DataError(problems)
    return [columns.index(name) for name in request.names]


def _take_frame(frame: Any, request: Request, gathering: Gathering) -> None:
    import narwhals as nw

    topic, item, number = request.names
    of_run = request.subject is RUN
    kind = frame[number].dtype
    _typed(frame, request, gathering)
    # Unsigned and 128-bit integers may be beyond int64: these are looked at one by one.
    plain = kind in (nw.Int8, nw.Int16, nw.Int32) or (of_run and (kind.is_float() or kind == nw.Int64))
    for begin in range(0, len(frame), BATCH):
        part = frame[begin : begin + BATCH]
        topics, items, numbers = part[topic], part[item], part[number]
        values: Any = numbers.to_list()
        if plain and numbers.null_count() == 0:
            values = numbers.to_numpy().astype("float64" if of_run else "int64")
        gathering.take(topics.to_list(), items.to_list(), values, range(begin + 1, begin + 1 + len(part)))


def _typed(frame: Any, request: Request, gathering: Gathering) -> None:
    """Columns that cannot hold what is asked: one fact for the column rather than one for each row."""
    import narwhals as nw

    topic, item, number = request.names
    texts = (nw.String, nw.Categorical, nw.Enum, nw.Object, nw.Unknown)
    for name in dict.fromkeys((topic, item)):
        kind = frame[name].dtype
        if not (kind in texts or kind.is_integer()) and len(frame):
            gathering.findings.add(0, "column", name, str(kind), "strings or integers", "string")
    kind = frame[number].dtype
    of_run = request.subject is RUN
    allowed = kind.is_numeric() if of_run else kind.is_integer()
    if not (allowed or kind in (nw.Boolean, nw.Object, nw.Unknown)) and len(frame):
        gathering.findings.add(0, "column", number, str(kind), "numbers" if of_run else "integers", "number" if of_run else "integer")
    if gathering.findings.total:
        raise gathering.fail()


def _take_stream(source: Any, request: Request, gathering: Gathering) -> None:
    """Batches of an object that only speaks Arrow."""
    import nanoarrow

    stream = nanoarrow.ArrayStream(source)
    fields = [field.name for field in stream.schema.fields]
    places = present(fields, request)
    begin = 1
    for batch in stream:
        cells = [batch.child(place).iter_py() for place in places]
        while topics := list(islice(cells[0], BATCH)):
            items, values = list(islice(cells[1], BATCH)), list(islice(cells[2], BATCH))
            gathering.take(topics, items, values, range(begin, begin + len(topics)))
            begin += len(topics)
