"""Matrices whose columns have names, as data frames have: matched by these names, never by position."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from precall.checks import check_rows, is_numbered, listing, refuse_broken
from precall.curves.cases import EXACT
from precall.errors import UsageError


@dataclass(frozen=True, slots=True, eq=False)
class Named:
    """An items x categories matrix and the names of its columns; None where the frame numbers them."""

    cells: npt.NDArray[Any]
    names: tuple[Any, ...] | None


def matched(
    given: dict[str, Any], categories: Sequence[Any] | None
) -> tuple[dict[str, Any], Sequence[Any] | None]:
    """Frames as matrices in one order of columns: that of `categories`, else of the first frame; and that order.

    Parameters
    ----------
    given : by name, for errors; what is no frame is left as it is.
    categories : the names asked for (default: those of the frames; None if there are none).

    Raises
    ------
    UsageError
        A frame has other names, or one twice.

    Examples
    --------
    >>> import polars
    >>> truth = polars.DataFrame({"a": [1, 0], "b": [0, 1]})
    >>> matrices, names = matched({"truth": truth, "predicted": truth.select("b", "a")}, None)
    >>> matrices["predicted"].tolist(), names
    ([[1, 0], [0, 1]], ('a', 'b'))
    """
    for name, value in {**given, "categories": categories}.items():
        refuse_broken(value, name)
    check_rows(**given)
    frames = {name: frame for name, value in given.items() if (frame := _frame(value)) is not None}
    origin, order = "categories", None if categories is None else tuple(categories)
    known = [frame.names for frame in frames.values() if frame.names is not None]
    ordered = {}
    for name, frame in frames.items():
        names = _numbers(frame.cells.shape[1], known, categories) if frame.names is None else frame.names
        if names is None:
            ordered[name] = frame.cells
            continue
        twice = [column for i, column in enumerate(names) if column in names[:i]]
        if twice:
            raise UsageError(f"{name}: several columns are called {twice[0]!r}; rename or remove the others")
        if order is None:
            origin, order = name, names
        _refuse_others(order, origin, names, name)
        ordered[name] = frame.cells[:, [names.index(column) for column in order]]
    return given | ordered, order if categories is None else categories


def _numbers(
    columns: int, known: list[tuple[Any, ...]], asked: Sequence[Any] | None
) -> tuple[Any, ...] | None:
    """What columns are called that pandas numbered, or a user called 0, 1, ...: that, where others have names."""
    numbers, texts = tuple(range(columns)), tuple(map(str, range(columns)))
    for names in [*known, *([] if asked is None else [asked])]:
        if set(names) in (set(numbers), set(texts)):
            return numbers if 0 in names else texts
    # Names that were asked for are those of the columns in their order.
    return numbers if known and asked is None else None


def _refuse_others(order: tuple[Any, ...], origin: str, names: tuple[Any, ...], frame: str) -> None:
    lost = [name for name in order if name not in names]
    more = [name for name in names if name not in order]
    if lost or more:
        sides = [
            f"only {place} has {listing(some)}" for place, some in ((origin, lost), (frame, more)) if some
        ]
        raise UsageError(
            f"{frame}: its columns are not the categories of {origin}: {', '.join(sides)}; "
            "rename or select columns, or pass arrays to match them by position"
        )


def _frame(value: Any) -> Named | None:
    """The frame as a matrix; None for what is none, so that arrays and lists need no library of frames."""
    kind = type(value)
    if isinstance(value, np.ndarray) and value.dtype.names:
        return Named(_matrix([value[name] for name in value.dtype.names]), value.dtype.names)
    if isinstance(value, np.ndarray | list | tuple) or not (
        hasattr(kind, "columns") or hasattr(kind, "__arrow_c_stream__")
    ):
        return None
    if hasattr(kind, "columns") and hasattr(kind, "iloc"):  # pandas, whose names of columns need not be texts
        names = None if is_numbered(value.columns) else tuple(value.columns.tolist())
        cells = value.to_numpy()
        return Named(value.astype(object).to_numpy() if _is_rounded(cells) else cells, names)
    import narwhals as nw

    from precall.read.values import matrix_of

    frame = nw.from_native(value, pass_through=True, allow_series=True)
    if isinstance(frame, nw.Series):
        return None
    if isinstance(frame, nw.LazyFrame):
        frame = frame.collect()
    if isinstance(frame, nw.DataFrame):
        cells = matrix_of(frame)
        if _is_rounded(cells):
            cells = np.array([column.to_list() for column in frame.iter_columns()], object).T
        return Named(cells, tuple(frame.columns))
    return _of_stream(value) if hasattr(kind, "__arrow_c_stream__") else None


def _is_rounded(cells: npt.NDArray[Any]) -> bool:
    """Whether there may be integers that became other floats, because other columns hold floats."""
    return cells.dtype == np.float64 and bool(np.any(np.abs(cells) >= EXACT))


def _matrix(columns: list[Any]) -> npt.NDArray[Any]:
    """Columns side by side; as they are, where floats beside them would change them."""
    cells = np.array(columns)
    if _is_rounded(cells):
        listed = [column if isinstance(column, list) else column.tolist() for column in columns]
        cells = np.array(listed, object)
    return cells.T


def _of_stream(value: Any) -> Named | None:
    """A table that only speaks Arrow; None for a column that does."""
    from precall.read import streams

    opened = streams.opened(value, "table")
    if opened is None:
        return None
    stream, fields = opened
    names = tuple(field.name for field in fields)
    if any(map(streams.is_view, fields)):
        return Named(streams.by_polars(stream).to_numpy(), names)
    parts = list(streams.cells(stream, range(len(names)), "table"))
    columns = [[cell for part in parts for cell in part[place]] for place in range(len(names))]
    return Named(_matrix(columns).reshape(-1, len(names)), names)
