"""Matrices whose columns have names, as data frames have: matched by these names, never by position."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from precall.checks import check_rows, is_numbered, listing
from precall.errors import UsageError


@dataclass(frozen=True, slots=True, eq=False)
class Named:
    """An items x categories matrix and the names of its columns; None where the frame only numbers them."""

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
    >>> truth, said = polars.DataFrame({"a": [1, 0], "b": [0, 1]}), polars.DataFrame({"b": [0, 1], "a": [1, 0]})
    >>> found, names = matched({"truth": truth, "predicted": said}, None)
    >>> found["predicted"].tolist(), names
    ([[1, 0], [0, 1]], ('a', 'b'))
    """
    check_rows(**given)
    frames = {name: frame for name, value in given.items() if (frame := _frame(value)) is not None}
    origin, order = "categories", None if categories is None else tuple(categories)
    # Numbers are names where another frame has the same ones in its own order.
    numbers = any(set(one.names or ()) == set(range(one.cells.shape[1])) for one in frames.values())
    ordered = {}
    for name, frame in frames.items():
        names = tuple(range(frame.cells.shape[1])) if frame.names is None and numbers else frame.names
        if names is None:
            ordered[name] = frame.cells
            continue
        _refuse_twice(names, name)
        if order is None:
            origin, order = name, names
        _refuse_others(order, origin, names, name)
        ordered[name] = frame.cells[:, [names.index(one) for one in order]]
    return given | ordered, order if categories is None else categories


def _refuse_twice(names: tuple[Any, ...], frame: str) -> None:
    twice = [one for i, one in enumerate(names) if one in names[:i]]
    if twice:
        raise UsageError(f"{frame}: several columns are called {twice[0]!r}; rename or remove the others")


def _refuse_others(order: tuple[Any, ...], origin: str, names: tuple[Any, ...], frame: str) -> None:
    lost = [one for one in order if one not in names]
    more = [one for one in names if one not in order]
    if lost or more:
        said = [
            f"only {place} has {listing(some)}" for place, some in ((origin, lost), (frame, more)) if some
        ]
        raise UsageError(
            f"{frame}: its columns are not the categories of {origin}: {', '.join(said)}; "
            "rename or select columns, or pass arrays to match them by position"
        )


def _frame(value: Any) -> Named | None:
    """The frame as a matrix; None for what is none, so that arrays and lists need no library of frames."""
    kind = type(value)
    if isinstance(value, np.ndarray) and value.dtype.names:
        return Named(np.array([value[name] for name in value.dtype.names]).T, value.dtype.names)
    if isinstance(value, np.ndarray | list | tuple) or not (
        hasattr(kind, "columns") or hasattr(kind, "__arrow_c_stream__")
    ):
        return None
    if hasattr(kind, "columns") and hasattr(kind, "iloc"):  # pandas, whose names of columns need not be texts
        columns = value.columns
        return Named(value.to_numpy(), None if is_numbered(columns) else tuple(columns.tolist()))
    import narwhals as nw

    frame = nw.from_native(value, pass_through=True)
    if isinstance(frame, nw.LazyFrame):
        frame = frame.collect()
    if isinstance(frame, nw.DataFrame):
        return Named(frame.to_numpy(), tuple(frame.columns))
    return _of_stream(value) if hasattr(kind, "__arrow_c_stream__") else None


def _of_stream(value: Any) -> Named | None:
    """A table that only speaks Arrow; None for a column that does."""
    import nanoarrow

    stream = nanoarrow.ArrayStream(value)
    if stream.schema.type != nanoarrow.Type.STRUCT:
        return None
    names = tuple(field.name for field in stream.schema.fields)
    parts = [[batch.child(place).to_pylist() for place in range(len(names))] for batch in stream]
    columns = [[cell for part in parts for cell in part[place]] for place in range(len(names))]
    return Named(np.array(columns).reshape(len(names), -1).T, names)
