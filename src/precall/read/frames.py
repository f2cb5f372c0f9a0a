"""Data frames of any library, through Narwhals; what only speaks Arrow, through nanoarrow.

The Arrow interface gives pointers and no sizes. That texts lie one behind another, that numbers point into their dictionary
and that columns are as long as their table can be seen, and is refused where it is not so; a last offset that is
too large cannot be, and the memory behind a column is read.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from itertools import islice
from typing import Any

import numpy as np
import numpy.typing as npt

from precall.checks import sound
from precall.errors import DataError, PrecallError, Problem, UsageError, imported
from precall.native.literals import EXACT, GRADE_HIGH, GRADE_LOW
from precall.ragged import offsets
from precall.read.columns import RUN, Ids, Parsed, Request, fields_of
from precall.read.gathering import BATCH, Gathering
from precall.read.indexes import out_of_index
from precall.read.naming import recognised, systems_of
from precall.read.problems import APART, several_called, shown
from precall.read.tables import places
from precall.text import is_utf8

#: Types of Arrow whose offsets are looked at.
_TEXTS = ("string", "large_string", "binary", "large_binary")


def framed(source: Any, label: str) -> Any:
    """The frame for Narwhals, or the source as it is; DataError if two columns have one name, as pandas allows."""
    import narwhals as nw

    try:
        return nw.from_native(source, pass_through=True)
    except nw.exceptions.DuplicateError:
        names = list(source.columns)
        twice = next(name for name in names if names.count(name) > 1)
        raise DataError([Problem(label, None, *several_called(twice, names.count(twice)))]) from None


def read_frame(source: Any, request: Request) -> Parsed:
    """A run or qrels in a data frame."""
    import narwhals as nw

    source = native_of(source)
    frame = framed(source, request.label)
    if isinstance(frame, nw.LazyFrame):
        columns = frame.collect_schema().names()
        request = recognised(columns, request)
        places(columns, request)
        frame = _collected(frame.select(*dict.fromkeys([*request.read, *systems_of(request)])), source)
    if isinstance(frame, nw.DataFrame):
        known = recognised(frame.columns, request)
        if (
            not set(known.names[:2]) <= set(frame.columns)
            and (whole := out_of_index(source, request)) is not None
        ):
            frame, known = nw.from_native(whole), recognised(list(whole.columns), request)
        request = known
        places(frame.columns, request)
        _check_one_run(frame, request)
        for name in dict.fromkeys(request.names):
            sound(frame[name].to_native(), request.label)
        gathering = Gathering(request, "row")
        _take_frame(frame, request, gathering)
        return gathering.finish()
    if (whole := out_of_index(source, request)) is not None:
        return read_frame(whole, request)
    parsed = _of_stream(source, request) if hasattr(source, "__arrow_c_stream__") else None
    if parsed is None:
        raise UsageError(f"source: got {type(source).__name__}, which is no table; pass a data frame")
    return parsed


def _check_one_run(frame: Any, request: Request) -> None:
    import narwhals as nw

    for name in systems_of(request):
        column = frame[name]
        plain = column.dtype in (nw.String, nw.Categorical, nw.Enum) or column.dtype.is_integer()
        if plain and (count := column.n_unique()) > 1:
            what, todo = f"{shown(name)} has {count} values, a run is one", APART.format(shown(name))
            raise DataError([Problem(request.label, None, what, todo)])


def is_table(given: Any) -> bool:
    """Whether it has columns by name; asked of its type, as a lazy frame warns where it is asked itself."""
    known = ("columns", "column_names", "__arrow_c_stream__")
    has_names = isinstance(given, Mapping) or bool(fields_of(given))
    return has_names or any(hasattr(type(given), name) for name in known)


def native_of(source: Any) -> Any:
    """A frame that Narwhals or Arrow knows: of a data set of Hugging Face, the table of Arrow behind it."""
    if type(source).__module__.partition(".")[0] == "datasets" and hasattr(source, "with_format"):
        # Its rows may be a selection of those of the table, which only this way follows.
        return source.with_format("arrow")[:]
    return source


def _collected(frame: Any, source: Any) -> Any:
    try:
        return frame.collect()
    except ModuleNotFoundError:
        # Narwhals collects DuckDB by way of PyArrow; without that there is still its Arrow stream.
        if not hasattr(source, "__arrow_c_stream__"):
            raise
        return source


def _take_frame(frame: Any, request: Request, gathering: Gathering) -> None:
    import narwhals as nw

    _check_types(frame, request, gathering)
    topic, item, *named = request.read
    if not named:
        gathering.take(_ids(frame[topic]), _ids(frame[item]), [], range(1, 1 + len(frame)))
        return
    value = named[0]
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
        ranks = [_ranks(part[name]) for name in named[1:]]
        gathering.take(_ids(part[topic]), _ids(part[item]), [values, *ranks], rows)


def _ranks(column: Any) -> Any:
    """Ranks beside scores: as an array, if they are plain numbers."""
    plain = column.dtype.is_numeric() and column.null_count() == 0
    return column.to_numpy().astype("float64") if plain else column.to_list()


def _ids(column: Any) -> list[Any] | Ids:
    import narwhals as nw

    whole = column.null_count() == 0
    if whole and column.implementation.is_polars():
        # Polars writes integers and categories as the texts that they are as ids.
        kinds = (nw.String, nw.Categorical, nw.Enum)
        if column.dtype in kinds or column.dtype.is_integer():
            texts = column.cast(nw.String).to_native()
            data, sizes = texts.str.join("").item().encode(), texts.str.len_bytes().to_numpy()
            return Ids(np.frombuffer(data, np.uint8), offsets(sizes))
    native = column.to_native()
    if whole and column.dtype == nw.String and hasattr(native, "__arrow_c_stream__"):
        parts = [_texts(part) for part in _streamed(native)]
        together = [part for part in parts if part is not None]
        if parts and len(together) == len(parts):
            sizes = np.concatenate([np.diff(part.start) for part in together])
            return Ids(np.concatenate([part.data for part in together]), offsets(sizes))
    cells: list[Any] = column.to_list()
    return list(map(str, cells)) if whole and column.dtype.is_integer() else cells  # floats one by one


def _streamed(native: Any) -> Iterable[Any]:
    """The pieces of a column as Arrow has them; none of a pandas column where PyArrow, by which pandas makes them, is not."""
    import nanoarrow

    try:
        stream: Iterable[Any] = nanoarrow.ArrayStream(native)
    except ImportError:
        return ()
    return stream


def _texts(part: Any) -> Ids | None:
    """Texts of Arrow as they lie in memory; None for what is none, has gaps, is no UTF-8 or lies elsewhere."""
    from nanoarrow.c_array import c_array, c_array_view

    column = c_array_view(c_array(part))
    kind = getattr(column, "storage_type", None)
    if kind not in _TEXTS[:2] or column.dictionary is not None or column.null_count:
        return None
    if not column.length:
        return Ids(np.zeros(0, np.uint8), np.zeros(1, np.int64))
    _check(column)
    start = np.asarray(column.buffer(1))[column.offset :][: column.length + 1].astype(np.int64)
    data = np.asarray(column.buffer(2)).view(np.uint8)[start[0] : start[-1]]
    start -= start[0]
    # A text begins with a character, not within it.
    inside = start[:-1][start[:-1] < start[1:]]
    if (
        len(data)
        and data.max() > 127
        and not (is_utf8(data.tobytes()) and np.all(data[inside] & 0xC0 != 0x80))
    ):
        return None
    return Ids(data, start)


def _numbers(part: Any, of_run: bool) -> npt.NDArray[Any] | None:
    """Plain numbers of Arrow as they lie in memory; None for all others, for gaps and for what may be out of range."""
    import nanoarrow
    from nanoarrow.c_array import c_array_view

    kinds = nanoarrow.Type
    whole = (kinds.INT8, kinds.INT16, kinds.INT32, kinds.INT64)
    kind, column = nanoarrow.Schema(part.schema).type, c_array_view(part)
    if kind not in (*whole, kinds.FLOAT, kinds.DOUBLE) or column.null_count or not (of_run or kind in whole):
        return None
    numbers = np.asarray(column.buffer(1))[column.offset :][: column.length]
    low, high = (1 - EXACT, EXACT - 1) if of_run else (GRADE_LOW, GRADE_HIGH)
    if kind in whole and not low <= int(numbers.min(initial=0)) <= int(numbers.max(initial=0)) <= high:
        return None
    return numbers.astype(np.float64 if of_run else np.int64)


def _check_types(frame: Any, request: Request, gathering: Gathering) -> None:
    """One fact for a column that cannot hold what is asked, rather than one for each row."""
    import narwhals as nw

    # An empty frame has no types worth a word: that it is empty will be said.
    if not len(frame):
        return
    ids, value = request.names[:2], request.names[2:]
    open_to_all = (nw.Object, nw.Unknown)
    for name in dict.fromkeys(ids):
        kind = frame[name].dtype
        texts = (nw.String, nw.Categorical, nw.Enum, *open_to_all)
        if kind in (nw.List, nw.Array):
            gathering.findings.add(0, "list", name)
        elif not (kind in texts or kind.is_integer() or kind.is_float()):
            gathering.findings.add(0, "column", name, str(kind), "strings or integers")
    for name in value:
        kind, of_run = frame[name].dtype, request.subject is RUN
        whole = kind.is_integer() or kind.is_float()
        numbers = kind.is_numeric() or kind in (nw.String, nw.Binary) if of_run else whole
        if not (kind in (nw.Boolean, *open_to_all) or numbers):
            gathering.findings.add(0, "column", name, str(kind), "numbers" if of_run else "integers")
    if gathering.findings.total:
        raise gathering.error()


def _of_stream(source: Any, request: Request) -> Parsed | None:
    """Batches of an object that only speaks Arrow; None if what it says is no table."""
    import narwhals as nw

    table = opened(source, request.label)
    if table is None:
        return None
    stream, fields = table
    columns = [field.name for field in fields]
    request = recognised(columns, request)
    chosen, gathering = places(columns, request), Gathering(request, "row")
    if request.rank is not None:
        chosen.append(columns.index(request.rank))
    if any(is_view(fields[place]) for place in chosen):
        _take_frame(nw.from_native(by_polars(stream), eager_only=True), request, gathering)
        return gathering.finish()
    begin, of_run = 1, request.subject is RUN
    for batch in _batches(stream, chosen, request.label):
        at_once = [*map(_texts, batch[:2]), *(_numbers(column, of_run) for column in batch[2:])]
        parts: Iterable[Any] = [at_once]
        if any(part is None for part in at_once):
            parts = _listed(batch, request.label)
        for topics, items, *values in parts:
            lines = range(begin, begin + len(topics))
            gathering.take(topics, items, values, lines)
            begin += len(topics)
    return gathering.finish()


def opened(source: Any, label: str) -> tuple[Any, list[Any]] | None:
    """A stream of Arrow, and the fields of its table; None for one that holds no table."""
    import nanoarrow

    stream = nanoarrow.ArrayStream(source)
    with _refusing(label):
        if stream.schema.type != nanoarrow.Type.STRUCT:
            return None
        fields = list(stream.schema.fields)
        # What has no type that is known says so only now.
        repr([field.type for field in fields])
        return stream, fields


def is_view(field: Any) -> bool:
    """Whether a column holds texts as views."""
    import nanoarrow

    views = (nanoarrow.Type.STRING_VIEW, nanoarrow.Type.BINARY_VIEW)
    return field.type in views or (field.type == nanoarrow.Type.DICTIONARY and field.value_type.type in views)


def by_polars(stream: Any) -> Any:
    """A frame of Polars. nanoarrow 0.9 ends the process where views of long texts are looked at."""
    need = "reading an Arrow column of string views needs Polars"
    return imported("polars", need, ", or cast it to strings").DataFrame(stream)


def cells(stream: Any, chosen: Sequence[int], label: str) -> Iterator[list[list[Any]]]:
    """The cells of the columns chosen of a stream, some ten thousand rows at a time."""
    for batch in _batches(stream, chosen, label):
        yield from _listed(batch, label)


def _batches(stream: Any, chosen: Sequence[int], label: str) -> Iterator[list[Any]]:
    """The columns chosen of each batch of a stream."""
    import nanoarrow

    with _refusing(label):
        for batch in stream:
            yield list(_columns(nanoarrow.c_array(batch), chosen))


def _listed(columns: list[Any], label: str) -> Iterator[list[list[Any]]]:
    """The cells of columns as objects, some ten thousand rows at a time."""
    import nanoarrow

    with _refusing(label):
        columns = [nanoarrow.Array(column).iter_py() for column in columns]
        while (part := [list(islice(column, BATCH)) for column in columns])[0]:
            yield part


@contextmanager
def _refusing(label: str) -> Iterator[None]:
    """What nanoarrow says of broken tables is an error of the data; a KeyError is a type that it does not read."""
    try:
        yield
    except PrecallError:
        raise
    except (RuntimeError, SystemError, LookupError, ValueError) as error:
        what = f"not a table of Arrow that can be read ({reason(error)})"
        raise DataError([Problem(label, None, what, "export it again")]) from None


def reason(error: BaseException) -> str:
    """What an error says, on one line."""
    return " ".join(str(error).split())[:160] or type(error).__name__


def _columns(table: Any, chosen: Sequence[int]) -> Iterator[Any]:
    """Columns of a table's own rows: it may begin and end elsewhere than what it is made of."""
    from nanoarrow.c_array import c_array_view

    begin, end = table.offset, table.offset + table.length
    if table.null_count > 0 or (table.null_count < 0 and table.buffers[0]):
        raise ValueError("whole rows are null")
    for place in chosen:
        column = table.child(place)
        if not 0 <= begin <= end <= column.length:
            raise ValueError(f"rows {begin} to {end} of a column of {column.length}")
        column = column[begin:end]
        _check(c_array_view(column))
        yield column


def _check(column: Any) -> None:
    size = column.length
    if column.dictionary is not None:
        index = np.asarray(column.buffer(1))[column.offset : column.offset + size]
        if column.null_count:
            index = index[np.fromiter(column.buffer(0).elements(column.offset, size), bool, size)]
        if len(index) and not 0 <= index.min() <= index.max() < column.dictionary.length:
            raise ValueError("a number points outside its dictionary")
        _check(column.dictionary)
    elif column.storage_type in _TEXTS and size:
        start = np.asarray(column.buffer(1))[column.offset : column.offset + size + 1]
        if start[0] < 0 or np.any(start[1:] < start[:-1]):
            raise ValueError("offsets of texts do not ascend")
