"""Sums, counts, maxima and runs per ranking: the only code that knows how rows belong to rankings.

Rows carry `ranking`, a non-decreasing index; a ranking may have no rows. Every function takes `n`,
the number of rankings, and returns one value per ranking, or per row if it says so.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from math import fsum, isqrt, sqrt
from typing import Any, TypeAlias, TypeVar

import numpy as np
import numpy.typing as npt
from numpy.lib.stride_tricks import sliding_window_view

T = TypeVar("T")
Int64: TypeAlias = npt.NDArray[np.int64]
Float64: TypeAlias = npt.NDArray[np.float64]
Bool: TypeAlias = npt.NDArray[np.bool_]
Bytes: TypeAlias = npt.NDArray[np.uint8]
#: Rounding may change a result by this share of the values that were added and subtracted; if two
#: results are compared, both may be off.
_ROUNDING = 2e-15
#: Below this number, texts are taken byte by byte.
_MANY = 4096
#: From this number on, shares are summed as whole numbers.
_LONG = 1 << 10


def mean(values: npt.ArrayLike) -> float:
    """The correctly rounded sum divided by the number of values, in any order; the mean of equal
    values is their value.

    Examples
    --------
    >>> mean(np.full(11, 0.51875)), float(np.mean(np.full(11, 0.51875)))
    (0.51875, 0.5187499999999999)
    """
    array = np.asarray(values, np.float64)
    if len(array) >= _LONG and (total := _sum_of_shares(array)) is not None:
        return float(array[0]) if array.min() == array.max() else total / len(array)
    listed: list[float] = array.tolist()
    if listed[0] == listed[-1] and min(listed) == max(listed):
        return listed[0]
    try:
        return fsum(listed) / len(listed)
    except (OverflowError, ValueError):  # too great a sum, or infinities of both signs
        return float(np.mean(listed))


def mean_of_defined(values: npt.ArrayLike) -> float:
    """The mean of the values that are not NaN; NaN if there are none.

    Examples
    --------
    >>> mean_of_defined([0.25, np.nan, 0.75]), mean_of_defined([])
    (0.5, nan)
    """
    array = np.asarray(values, np.float64)
    defined = array[~np.isnan(array)]
    return mean(defined) if len(defined) else float("nan")


def _sum_of_shares(values: Float64) -> float | None:
    """The sum of values in 0..1, rounded once, in a third of the time of `fsum`; None if there are
    others, or some have bits below 2^-90.
    """
    if not (values.min() >= 0.0 and values.max() <= 1.0):  # NaN is neither
        return None
    total, rest = 0, values
    for _ in range(3):
        # Whole numbers of 2^-30, 2^-60 and 2^-90; their sums are exact.
        rest = rest * 2.0**30
        units = np.floor(rest)
        rest -= units
        total = (total << 30) + int(units.astype(np.int64).sum())
    return None if rest.any() else total / (1 << 90)


def average(values: Float64) -> float:
    """NumPy's mean of one column, in a third of the time."""
    return float(np.add.reduce(values) / len(values))


def weighted_sum(values: npt.NDArray[Any], weights: npt.NDArray[Any]) -> float:
    """Σ weight x value of one column. Not by `@`: the last digit of BLAS depends on the processor.

    Examples
    --------
    >>> weighted_sum(np.array([1.0, 2.0]), np.array([3, 4]))
    11.0
    """
    return float(np.add.reduce(values * weights))


def deviation(values: Float64, centre: float | None = None) -> float:
    """Standard deviation (n - 1) of one column: the same in any order and with all signs turned.
    `centre` is the mean, if it is known.
    """
    gaps = np.sort(np.abs(values - (mean(values) if centre is None else centre)))
    return sqrt(np.add.reduce(gaps * gaps) / (len(values) - 1))


def around(values: Float64, sizes: Any, least: bool = False) -> tuple[Float64, Float64]:
    """The worst and the best that each value may be, within rounding. Ascending is better; if the
    least is best, values get a minus.

    `sizes` are the magnitudes from which each value was computed by adding and subtracting. A value
    is known to a share of that only, as 2/3 - 1/3 and 1/3 differ in floating point.
    """
    values = -values if least else values
    near = np.where(np.isfinite(values), _ROUNDING * sizes, 0.0)
    return values - near, values + near


def best_row(values: Float64, sizes: object, least: bool = False) -> int:
    """The first row with the greatest or least value, within rounding; see `around`."""
    low, high = around(values, sizes, least)
    return int((high >= low.max()).argmax())


def total(values: Float64) -> float:
    """The sum, added one by one, so that its digits are those of a plain loop."""
    return float(np.cumsum(values)[-1]) if len(values) else 0.0


def counts(ranking: Int64, n: int) -> Int64:
    """Rows per ranking."""
    return np.bincount(ranking, minlength=n).astype(np.int64, copy=False)


def sums(values: npt.NDArray[Any], ranking: Int64, n: int) -> Float64:
    """Sum of `values` per ranking, added in the order of the rows."""
    # bincount, not add.reduceat: reduceat would give an empty ranking the sum of its neighbour.
    # bincount adds one by one in the order of the rows, so that the digits equal those of a plain
    # loop.
    return np.asarray(np.bincount(ranking, weights=values, minlength=n), np.float64)


def sums_of_parts(values: Float64, start: Int64) -> Float64:
    """The sum of each part from `start[i]` to `start[i + 1]`, with the digits of `np.sum` of that
    part alone.

    Examples
    --------
    >>> sums_of_parts(np.array([1.0, 2.0, 4.0]), np.array([0, 2, 2, 3]))
    array([3., 0., 4.])
    """
    size = np.diff(start)
    result = np.zeros(len(size))
    # NumPy adds in pairs, so the digits depend on the length: parts of one length are rows of a
    # table, each of which is added as it would be alone.
    order = np.argsort(size, kind="stable")
    for parts in np.split(order, np.flatnonzero(np.diff(size[order])) + 1):
        if len(parts) and (length := int(size[parts[0]])):
            result[parts] = sliding_window_view(values, length)[start[parts]].sum(axis=1)
    return result


def integer_sums_of_parts(values: Int64, start: Int64) -> Int64:
    """The exact sum of each part from `start[i]` to `start[i + 1]`."""
    total = offsets(values)
    return np.asarray(total[start[1:]] - total[start[:-1]])


def integer_sums(values: Int64, ranking: Int64, n: int) -> Int64:
    """Sum of integer `values` per ranking, exact."""
    result = np.zeros(n, np.int64)
    np.add.at(result, ranking, values)
    return result


def starts(ranking: Int64, n: int) -> Int64:
    """First row of each ranking, and one past the last row: n + 1 offsets."""
    return offsets(counts(ranking, n))


def offsets(sizes: npt.NDArray[np.integer[Any]]) -> Int64:
    """Where parts of these sizes start, one after another, and where the last one ends."""
    start = np.zeros(len(sizes) + 1, np.int64)
    sizes.cumsum(out=start[1:])
    return start


def encode_labels(labels: Sequence[T]) -> tuple[list[T], Int64]:
    """The distinct labels in the order of their first appearance, and the index of each label among
    them.
    """
    index = {label: code for code, label in enumerate(dict.fromkeys(labels))}
    return list(index), np.fromiter(map(index.__getitem__, labels), np.int64, len(labels))


def by_name(labels: Sequence[Any], code: Int64) -> Int64:
    """Codes in the order of their labels; "9" precedes "10", as for numbers. If the labels cannot
    be sorted, codes stay as they are.

    Examples
    --------
    >>> (
    ...     by_name(["b", "a"], np.array([0, 1, 1])).tolist(),
    ...     by_name(["p10", "p9"], np.array([0, 1])).tolist(),
    ... )
    ([1, 0, 0], [1, 0])
    """
    try:
        order = sorted(range(len(labels)), key=labels.__getitem__)
    except TypeError:  # of several kinds
        return code
    if all(isinstance(label, str) for label in labels):
        order.sort(key=lambda position: len(labels[position]))
    position = np.empty(len(labels), np.int64)
    position[order] = np.arange(len(labels))
    return np.asarray(position[code])


def rows_of(labels: Sequence[T], code: npt.NDArray[np.integer[Any]]) -> dict[T, Int64]:
    """The rows of each label, in ascending order; `code` is the index of the label of each row."""
    ends = np.cumsum(np.bincount(code, minlength=len(labels)))
    return dict(zip(labels, np.split(np.argsort(code, kind="stable"), ends)[:-1], strict=True))


def running(values: Int64, ranking: Int64, n: int) -> Int64:
    """Per row: sum of integer `values` over this row and the earlier rows of its ranking."""
    total = offsets(values)
    return total[1:] - total[starts(ranking, n)[:-1]][ranking]


def running_sums(values: Float64) -> Float64:
    """Running sums of non-negative values: rounding errors for a million values are those of some
    thousand.

    Examples
    --------
    >>> values = np.full(10**6, 1e-6)
    >>> float(np.cumsum(values)[-1]), float(running_sums(values)[-1])
    (1.000000000007918, 1.0000000000000062)
    """
    if len(values) <= 1000:
        return np.cumsum(values)
    width = isqrt(len(values) - 1) + 1
    rows = np.zeros((width, width))
    rows.ravel()[: len(values)] = values
    np.cumsum(rows, axis=1, out=rows)
    rows[1:] += np.cumsum(rows[:-1, -1])[:, None]
    return rows.ravel()[: len(values)]


def running_floats(values: Float64, ranking: Int64, n: int) -> Float64:
    """Per row: sum of `values` over this row and the earlier rows of its ranking, added one by
    one.

    Examples
    --------
    >>> running_floats(np.array([0.5, 1.0, 2.0]), np.array([0, 0, 1]), 2)
    array([0.5, 1.5, 2. ])
    """
    return _accumulate(np.add, values, starts(ranking, n))


def products_before(values: Float64, ranking: Int64, n: int) -> Float64:
    """Per row: product of `values` over the earlier rows of its ranking; 1 for the first."""
    start, before = starts(ranking, n), np.ones(len(values))
    before[1:] = values[:-1]
    before[start[:-1][np.diff(start) > 0]] = 1
    return _accumulate(np.multiply, before, start)


def _accumulate(operation: np.ufunc, values: Float64, start: Int64) -> Float64:
    """Per row: this row and the earlier rows of its ranking, put together one by one."""
    result = np.array(values, np.float64)
    size, n = np.diff(start), len(start) - 1
    # One cumulative product or sum over all rows would need divisions or differences, and a value
    # may be 0, or small beside those of another ranking. So it goes position by position over all
    # rankings, or ranking by ranking, whichever takes fewer steps.
    if size.max(initial=0) <= n:
        for position in range(1, int(size.max(initial=0))):
            row = (start[:-1] + position)[size > position]
            result[row] = operation(result[row - 1], values[row])
    else:
        for a, b in zip(start[:-1].tolist(), start[1:].tolist(), strict=True):
            result[a:b] = operation.accumulate(values[a:b])
    return result


def positions(ranking: Int64, n: int) -> Int64:
    """Per row: its position among the rows of its ranking, from 1."""
    return np.arange(1, len(ranking) + 1, dtype=np.int64) - starts(ranking, n)[:-1][ranking]


def changes(*keys: npt.NDArray[Any]) -> Bool:
    """Per row: whether any of `keys` differs from the row before (the first row does)."""
    new = np.ones(len(keys[0]), np.bool_)
    if len(new):
        new[1:] = False
        for key in keys:
            new[1:] |= key[1:] != key[:-1]
    return new


def maxima(values: Float64, ranking: Int64, n: int) -> Float64:
    """Largest of `values` per ranking; 0 for a ranking without rows."""
    result = np.zeros(n)
    if len(values):
        first = np.flatnonzero(changes(ranking))
        result[ranking[first]] = np.maximum.reduceat(values, first)
    return result


def divides_whole(start: Int64, size: int) -> bool:
    """Whether these starts divide a column of this size completely, from 0 to its end."""
    return bool(
        len(start) and start[0] == 0 and start[-1] == size and np.all(start[:-1] <= start[1:])
    )


def spread(start: Int64, length: Int64) -> tuple[Int64, Int64]:
    """Expand intervals: for each of `length[i]` steps from `start[i]`, (i, value)."""
    owner = np.repeat(np.arange(len(start), dtype=np.int64), length)
    before = np.cumsum(length) - length
    return owner, np.arange(len(owner), dtype=np.int64) - before[owner] + start[owner]


def take_texts(data: Bytes, start: Int64, chosen: Int64) -> tuple[Bytes, Int64]:
    """The texts with these numbers, in this order, from texts in one blob as `pack_texts` makes it.

    Examples
    --------
    >>> data, start = take_texts(*pack_texts([b"ab", b"", b"cde"]), np.array([2, 0, 2]))
    >>> data.tobytes(), start
    (b'cdeabcde', array([0, 3, 5, 8]))
    """
    begin = start[chosen]
    size = start[1:][chosen] - begin
    ends = offsets(size)
    if len(size) < _MANY or size.max() >= 2**16:
        return data[spread(begin, size)[1]], ends
    result = np.empty(ends[-1], np.uint8)
    # Texts of one length are copied together: indexes of single bytes would take eight times the
    # memory.
    order = np.argsort(size.astype(np.uint16), kind="stable")
    for rows in np.split(order, np.flatnonzero(np.diff(size[order])) + 1):
        if length := int(size[rows[0]]):
            texts = sliding_window_view(data, length)[begin[rows]]
            sliding_window_view(result, length, writeable=True)[ends[rows]] = texts
    return result, ends


def alike(label: Int64, ranking: Int64, n: int) -> Int64:
    """A number per ranking, equal for rankings with equal labels. Numbers are in the order of the
    labels; a ranking counts as if a 0, which is no label, followed.
    """
    position, low = positions(ranking, n), min(int(label.min(initial=0)), 0)
    width, most = int(label.max(initial=0)) - low + 1, 1
    numbers = np.zeros(n, np.int64)
    for step in range(1, int(position.max(initial=0)) + 1):
        if most * width >= 2**63:
            numbers = np.unique(numbers, return_inverse=True)[1]
            most = int(numbers.max()) + 1
        numbers *= width
        numbers -= low
        now = position == step
        numbers[ranking[now]] += label[now]
        most *= width
    return numbers


def pack_texts(texts: Sequence[bytes]) -> tuple[Bytes, Int64]:
    """Texts as one blob of bytes, and where each one starts in it."""
    sizes = np.fromiter(map(len, texts), np.int64, len(texts))
    return np.frombuffer(b"".join(texts), np.uint8), offsets(sizes)


def materialize(source: object) -> Any:
    """A mapping of iterators as a mapping of lists, as iterators could be read only once; all else
    unchanged.

    Examples
    --------
    >>> materialize({"q1": iter("ab")}), materialize({"q1": {"a": 1}})
    ({'q1': ['a', 'b']}, {'q1': {'a': 1}})
    """
    if not isinstance(source, Mapping) or not source:
        return source
    first = next(iter(source.values()))
    if isinstance(first, Iterator):
        return {
            key: list(value) if isinstance(value, Iterator) else value
            for key, value in source.items()
        }
    if isinstance(first, Mapping) and first and isinstance(next(iter(first.values())), Iterator):
        return {key: materialize(value) for key, value in source.items()}
    return source
