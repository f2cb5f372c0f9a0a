"""Data frames of any library, through Narwhals, or through the Arrow capsule interface."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from precall.checks import refuse_broken
from precall.errors import DataError, Problem, UsageError
from precall.native.literals import EXACT
from precall.read.gathering import BATCH, Gathering, object_cells
from precall.read.problems import listed, naming, shown
from precall.read.subjects import RUN, Parsed, Request


def read_frame(source: Any, request: Request) -> Parsed:
    """A run or qrels in a data frame."""
    import narwhals as nw

    gathering = Gathering(request, object_cells(request), "row")
    frame = nw.from_native(source, pass_through=True)
    if isinstance(frame, nw.LazyFrame):
        places(frame.collect_schema().names(), request)
        frame = _collected(frame.select(*dict.fromkeys(request.names)), source)
    if isinstance(frame, nw.DataFrame):
        places(frame.columns, request)
        for name in dict.fromkeys(request.names):
            refuse_broken(frame[name].to_native(), request.label)
        _take_frame(frame, request, gathering)
    elif hasattr(source, "__arrow_c_stream__"):
        _take_stream(source, request, gathering)
    else:
        raise _no_frame(source)
    return gathering.finish()


def _collected(frame: Any, source: Any) -> Any:
    try:
        return frame.collect()
    except ModuleNotFoundError:
        # Narwhals collects DuckDB by way of PyArrow; without that there is still its Arrow stream.
        if not hasattr(source, "__arrow_c_stream__"):
            raise
        return source


def places(columns: Sequence[str], request: Request) -> list[int]:
    """Where the columns asked for stand.

    Raises
    ------
    DataError
        One is not there, or is there twice.
    """
    problems = []
    missing = [name for name in request.names if name not in columns]
    if missing:
        names = " and no column ".join(map(shown, missing))
        what = f"no column {names}, the columns are {listed(columns)}"
        problems.append(Problem(request.label, None, what, naming(request.subject, columns)))
    for name in dict.fromkeys(request.names):
        if (count := columns.count(name)) > 1:
            what = f"{count} columns are called {shown(name)}, one is allowed"
            problems.append(Problem(request.label, None, what, "rename or remove the others"))
    if problems:
        raise DataError(problems)
    return [columns.index(name) for name in request.names]


def _no_frame(source: Any) -> UsageError:
    return UsageError(f"source: got {type(source).__name__}, which is no table; pass a data frame")


def _take_frame(frame: Any, request: Request, gathering: Gathering) -> None:
    import narwhals as nw

    _check_types(frame, request, gathering)
    topic, item, value = request.names
    of_run, kind = request.subject is RUN, frame[value].dtype
    # What float64 or int64 may not hold, booleans, texts and objects are looked at one by one.
    plain = kind in (nw.Int8, nw.Int16, nw.Int32) or (of_run and (kind.is_float() or kind == nw.Int64))
    for begin in range(0, len(frame), BATCH):
        part = frame[begin : begin + BATCH]
        column = part[value]
        values: Any = None
        if plain and column.null_count() == 0:
            values = column.to_numpy().astype("float64" if of_run else "int64")
        if values is None or (kind == nw.Int64 and np.any(np.abs(values) >= EXACT)):
            values = column.to_list()
        rows = range(begin + 1, begin + 1 + len(part))
        gathering.take(_ids(part[topic]), _ids(part[item]), values, rows)


def _ids(column: Any) -> list[Any]:
    cells: list[Any] = column.to_list()
    whole = column.dtype.is_integer() and column.null_count() == 0
    return list(map(str, cells)) if whole else cells


def _check_types(frame: Any, request: Request, gathering: Gathering) -> None:
    """One fact for a column that cannot hold what is asked, rather than one for each row."""
    import narwhals as nw

    # An empty frame has no types worth a word: that it is empty will be said.
    if not len(frame):
        return
    *ids, value = request.names
    open_to_all = (nw.Object, nw.Unknown)
    for name in dict.fromkeys(ids):
        kind = frame[name].dtype
        if not (kind in (nw.String, nw.Categorical, nw.Enum, *open_to_all) or kind.is_integer()):
            gathering.findings.add(0, "column", name, str(kind), "strings or integers")
    kind, of_run = frame[value].dtype, request.subject is RUN
    numbers = kind.is_numeric() or kind in (nw.String, nw.Binary) if of_run else kind.is_integer()
    if not (kind in (nw.Boolean, *open_to_all) or numbers):
        gathering.findings.add(0, "column", value, str(kind), "numbers" if of_run else "integers")
    if gathering.findings.total:
        raise gathering.error()


def _take_stream(source: Any, request: Request, gathering: Gathering) -> None:
    """Batches of an object that only speaks Arrow."""
    import narwhals as nw

    from precall.read import streams

    table = streams.opened(source, request.label)
    if table is None:
        raise _no_frame(source)
    stream, fields = table
    chosen = places([field.name for field in fields], request)
    if any(streams.is_view(fields[place]) for place in chosen):
        frame = nw.from_native(streams.by_polars(stream), eager_only=True)
        return _take_frame(frame, request, gathering)
    begin = 1
    for topics, items, values in streams.cells(stream, chosen, request.label):
        gathering.take(topics, items, values, range(begin, begin + len(topics)))
        begin += len(topics)
    return None
