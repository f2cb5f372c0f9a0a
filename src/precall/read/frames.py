"""Runs and qrels in data frames of any library, through Narwhals; tables that only have the Arrow
interface, batch by batch.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from typing import Any

import numpy as np

from precall.core.arguments import validate_arrow
from precall.core.errors import Kind, UsageError
from precall.core.ragged import offsets
from precall.native.literals import EXACT
from precall.read.arrow_streams import (
    batches,
    by_polars,
    chunks_of,
    is_view,
    list_cells,
    numbers_of,
    open_arrow_stream,
    texts_of,
)
from precall.read.column_names import recognise_columns
from precall.read.columns import RUN, Ids, Parsed, Request, fields_of
from precall.read.gathering import BATCH, Gathering
from precall.read.grades import shown_as_decimals
from precall.read.indexes import out_of_index
from precall.read.problems import refuse_repeated
from precall.read.tables import column_indexes


def to_narwhals(source: Any, label: str) -> Any:
    """The frame as a Narwhals frame, or the source unchanged; DataError if two columns have one
    name, which pandas allows.
    """
    import narwhals as nw

    try:
        return nw.from_native(source, pass_through=True)
    except nw.exceptions.DuplicateError as error:
        refused = error
    # The `columns` of PyArrow are cells, not names.
    refuse_repeated(list(getattr(source, "column_names", source.columns)), label)
    raise refused


def read_frame(source: object, request: Request) -> Parsed:
    """A run or qrels in a data frame."""
    import narwhals as nw

    source = native_of(source)
    frame = to_narwhals(source, request.label)
    if isinstance(frame, nw.LazyFrame):
        columns = frame.collect_schema().names()
        request = recognise_columns(columns, request)
        column_indexes(columns, request)
        frame = _collect(frame.select(*dict.fromkeys(request.read)), source)
    if isinstance(frame, nw.DataFrame):
        recognised_request = recognise_columns(frame.columns, request)
        if (
            not set(recognised_request.names[:2]) <= set(frame.columns)
            and (frame_with_index := out_of_index(source, request)) is not None
        ):
            frame, recognised_request = (
                nw.from_native(frame_with_index),
                recognise_columns(list(frame_with_index.columns), request),
            )
        request = recognised_request
        column_indexes(frame.columns, request)
        for name in dict.fromkeys(request.names):
            validate_arrow(frame[name].to_native(), request.label)
        return gather_table(frame, request).finish()
    if (frame_with_index := out_of_index(source, request)) is not None:
        return read_frame(frame_with_index, request)
    parsed = _of_stream(source, request) if hasattr(source, "__arrow_c_stream__") else None
    if parsed is None:
        raise UsageError(
            argument="source", got=Kind(source), why="which is no table", remedy="pass a data frame"
        )
    return parsed


def gather_table(table: object, request: Request) -> Gathering:
    """The rows of a table with known columns, which are read one by one; it needs `table[name]`,
    `table.schema` and `len(table)`.
    """
    request = _with_systems(table, request)
    gathering = Gathering(request, "row")
    _take_columns(table, request, gathering)
    return gathering


def _with_systems(frame: Any, request: Request) -> Request:
    """The request with only those columns of names of runs that have several values and are no
    numbers or lists.
    """
    import narwhals as nw

    def may(name: str) -> bool:
        column = frame[name]
        plain = (
            column.dtype in (nw.String, nw.Categorical, nw.Enum, nw.Object)
            or column.dtype.is_integer()
        )
        return bool(plain and column.n_unique() > 1)

    if request.run_column is not None:
        return request
    return replace(request, systems=tuple(name for name in request.systems if may(name)))


def is_table(source: object) -> bool:
    """Whether it has columns by name. This is asked of its type, as a lazy frame warns if it is
    asked itself.
    """
    attributes = ("columns", "column_names", "__arrow_c_stream__")
    has_names = isinstance(source, Mapping) or bool(fields_of(source))
    return has_names or any(hasattr(type(source), name) for name in attributes)


def native_of(source: object) -> Any:
    """A frame that Narwhals or Arrow knows: for a data set of Hugging Face, its Arrow table."""
    if type(source).__module__.partition(".")[0] == "datasets" and hasattr(source, "with_format"):
        # Its rows may be a selection of the rows of its table, which only this call applies.
        return source.with_format("arrow")[:]
    return source


def _collect(frame: Any, source: object) -> Any:
    try:
        return frame.collect()
    except ModuleNotFoundError:
        # Narwhals collects DuckDB through PyArrow; without PyArrow the Arrow stream can still be
        # read.
        if not hasattr(source, "__arrow_c_stream__"):
            raise
        return source


def _take_columns(table: Any, request: Request, gathering: Gathering) -> None:
    """Gather all rows at once if ids and numbers are plain, else in parts of `BATCH` rows."""
    _check_types(table, request, gathering)
    topic, item, *named = request.names
    columns = [_ids(table[topic]), _ids(table[item])]
    columns += [_as_array(table[name], request.subject is RUN) for name in named]
    columns += [] if request.rank is None else [_ranks(table[request.rank])]
    columns += [_ids(table[name]) for name in request.systems]
    at_once = all(isinstance(column, Ids | np.ndarray) for column in columns)
    rows, step = len(table), max(len(table), 1) if at_once else BATCH
    for begin in range(0, rows, step):
        end = min(begin + step, rows)
        topics, items = (_cells_of_ids(column, begin, end) for column in columns[:2])
        numbers = [
            (_cells_of_ids if isinstance(column, Ids) else _cells_of_numbers)(column, begin, end)
            for column in columns[2:]
        ]
        gathering.take(topics, items, numbers, range(begin + 1, end + 1))


def _as_array(column: Any, of_run: bool) -> Any:
    """Numbers as an array; a column whose numbers must be checked one by one is returned unchanged.

    These are booleans, texts, objects, and numbers that float64 or int64 may not hold.
    """
    import narwhals as nw

    kind, large = column.dtype, nw.Int64
    plain = kind in (nw.Int8, nw.Int16, nw.Int32) or kind.is_float() or (of_run and kind == large)
    if not plain or column.null_count():
        return column
    numbers = column.to_numpy()
    if kind == large and np.any(np.abs(numbers) >= EXACT):
        return column
    if kind.is_float() and not of_run:
        return shown_as_decimals(numbers)
    return numbers.astype("float64" if of_run else "int64", copy=False)


def _ranks(column: Any) -> Any:
    """Ranks beside scores, as an array if they are numbers of any kind."""
    plain = column.dtype.is_numeric() and column.null_count() == 0
    return column.to_numpy().astype("float64", copy=False) if plain else column


def _cells_of_numbers(column: Any, begin: int, end: int) -> Any:
    cells = column[begin:end]
    return cells if isinstance(cells, np.ndarray) else cells.to_list()


def _cells_of_ids(column: Any, begin: int, end: int) -> list[Any] | Ids:
    if isinstance(column, Ids):
        return column.rows(begin, end)
    cells_of_column = column[begin:end]
    cells: list[Any] = cells_of_column.to_list()
    are_integers = cells_of_column.dtype.is_integer() and cells_of_column.null_count() == 0
    return list(map(str, cells)) if are_integers else cells  # floats are checked one by one


def _ids(column: Any) -> Any:
    """The ids of a column at once; the column itself if it holds objects, has gaps or is unknown to
    Arrow.
    """
    import narwhals as nw

    native = column.to_native()
    # pandas looks for gaps among objects one by one.
    if column.implementation.is_pandas() and native.dtype == np.dtype(object):
        texts = Ids.of_objects(native.to_numpy())
        if texts is not None:
            return texts
    if column.null_count():
        return column
    # Polars casts integers and categories to the texts that are their ids.
    as_texts = column.dtype in (nw.String, nw.Categorical, nw.Enum) or column.dtype.is_integer()
    if as_texts and column.implementation.is_polars():
        return _join_texts(column.cast(nw.String).to_native())
    if column.dtype == nw.String and hasattr(native, "__arrow_c_stream__"):
        chunks = [texts_of(texts) for texts in chunks_of(native)]
        together = [texts for texts in chunks if texts is not None]
        if chunks and len(together) == len(chunks):
            return Ids.concatenate(together)
    return column


def _join_texts(texts: Any) -> Ids:
    """The texts of a column of Polars."""
    import polars

    data = texts.str.join("").cast(polars.Binary).item()
    return Ids(np.frombuffer(data, np.uint8), offsets(texts.str.len_bytes().to_numpy()))


def _check_types(frame: Any, request: Request, gathering: Gathering) -> None:
    """Add one problem for a column whose type cannot be used, instead of one for each row."""
    import narwhals as nw

    # The types of an empty frame do not matter; the error will say that it is empty.
    if not len(frame):
        return
    ids, value = request.names[:2], request.names[2:]
    open_to_all = (nw.Object, nw.Unknown)
    for name in dict.fromkeys(ids):
        kind = frame.schema[name]
        texts = (nw.String, nw.Categorical, nw.Enum, *open_to_all)
        if kind in (nw.List, nw.Array):
            gathering.findings.add(0, "list", name)
        elif not (kind in texts or kind.is_integer() or kind.is_float()):
            gathering.findings.add(0, "column", name, str(kind), "strings or integers")
    for name in value:
        kind = frame.schema[name]
        numbers = kind.is_numeric() or kind in (nw.String, nw.Categorical, nw.Enum, nw.Binary)
        numbers |= kind == nw.Boolean and request.subject is not RUN
        if not (kind in open_to_all or numbers):
            gathering.findings.add(0, "column", name, str(kind), "numbers")
    if gathering.findings.total:
        raise gathering.error()


def _with_arrays(parts: Iterable[list[Any]], at_once: list[Any]) -> Iterator[list[Any]]:
    """Parts of a batch, with numbers as arrays if they are known: floats of fewer bits would not be
    the decimals that they show as Python's floats.
    """
    begin = 0
    for cells in parts:
        end = begin + len(cells[0])
        yield [
            whole[begin:end] if isinstance(whole, np.ndarray) else part
            for part, whole in zip(cells, at_once, strict=True)
        ]
        begin = end


def _of_stream(source: object, request: Request) -> Parsed | None:
    """A run or qrels in an object that only has the Arrow interface; None if it holds no table."""
    import narwhals as nw

    table = open_arrow_stream(source, request.label)
    if table is None:
        return None
    stream, fields = table
    columns = [field.name for field in fields]
    request = recognise_columns(columns, request)
    chosen, gathering = column_indexes(columns, request), Gathering(request, "row")
    chosen += map(columns.index, request.extra_columns)
    if any(is_view(fields[index]) for index in chosen):
        _take_columns(
            nw.from_native(by_polars(stream, request.label), eager_only=True), request, gathering
        )
        return gathering.finish()
    begin, of_run = 1, request.subject is RUN
    for batch in batches(stream, chosen, request.label):
        labels = len(batch) - len(request.systems)
        at_once = [
            *map(texts_of, batch[:2]),
            *(numbers_of(column, of_run) for column in batch[2:labels]),
            *map(texts_of, batch[labels:]),
        ]
        batches_of_cells: Iterable[Any] = [at_once]
        if any(cells is None for cells in at_once):
            batches_of_cells = _with_arrays(list_cells(batch, request.label), at_once)
        for topics, items, *values in batches_of_cells:
            lines = range(begin, begin + len(topics))
            gathering.take(topics, items, values, lines)
            begin += len(topics)
    return gathering.finish()
