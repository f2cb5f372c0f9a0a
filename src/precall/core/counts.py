"""The four cells of contingency tables: `Counts` holds any tables, `Path` the tables of one ranking
at each threshold.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from operator import mul
from typing import Any, TypeAlias, TypeVar

import numpy as np
import numpy.typing as npt

from precall.core.errors import MeasureError
from precall.core.ragged import around, changes

#: Whole numbers, sums of weights, or means over the orders of ties.
Cells: TypeAlias = npt.NDArray[np.int64] | npt.NDArray[np.float64]

#: If sums of four counts are below this, their products are exact in int64.
_EXACT = 2**29
#: Number of rows of a long path that are processed together, or held as Python integers.
ROWS = 1 << 14

_UNKNOWN = (
    "the number of items that were neither relevant nor accepted is unknown; say how many items "
    "exist"
)


class PopulationUnknown(MeasureError):
    """A measure needs the number of existing items, which is not known."""


@dataclass(frozen=True, slots=True, eq=False, init=False)
class Counts:
    """Contingency tables, one per category, item, operating point or ranking, as arrays of one
    shape.

    Parameters
    ----------
    tp : relevant items that were accepted.
    fp : other items that were accepted.
    fn : relevant items that were not.
    tn : other items that were not; None where nobody knows how many exist, as behind a
        ranking.
    margins : `accepted`, `relevant` and `other` where they are known by themselves: cells that are
        means or sums of weights would not add up to the last digit.

    Attributes
    ----------
    known_tn : `tn`, but None where that raises.

    Examples
    --------
    >>> counts = Counts(*(np.array([count]) for count in (2, 3, 1, 4)))
    >>> counts.accepted, counts.relevant, counts.total
    (array([5]), array([3]), array([10]))
    """

    tp: Cells
    fp: Cells
    fn: Cells
    known_tn: Cells | None
    margins: Mapping[str, Cells]

    def __init__(
        self,
        tp: Cells,
        fp: Cells,
        fn: Cells,
        tn: Cells | None = None,
        margins: Mapping[str, Cells] | None = None,
    ) -> None:
        # Set by hand: a field `tn` would hide the property that raises if it is None.
        values = {"tp": tp, "fp": fp, "fn": fn, "known_tn": tn, "margins": margins or {}}
        for name, value in values.items():
            object.__setattr__(self, name, value)

    @property
    def tn(self) -> Cells:
        """Other items that were not accepted; raises if their number is not known."""
        if self.known_tn is None:
            raise PopulationUnknown(_UNKNOWN)
        return self.known_tn

    @property
    def accepted(self) -> Cells:
        """TP + FP."""
        return self.margins["accepted"] if "accepted" in self.margins else self.tp + self.fp

    @property
    def relevant(self) -> Cells:
        """TP + FN."""
        return self.margins["relevant"] if "relevant" in self.margins else self.tp + self.fn

    @property
    def other(self) -> Cells:
        """FP + TN."""
        return self.margins["other"] if "other" in self.margins else self.fp + self.tn

    @property
    def rejected(self) -> Cells:
        """FN + TN."""
        return self.fn + self.tn

    @property
    def total(self) -> Cells:
        """All items."""
        return self.relevant + self.other

    @property
    def right(self) -> npt.NDArray[np.bool_]:
        """Whether no item is wrongly accepted and none is missed."""
        return np.asarray((self.fp == 0) & (self.fn == 0))

    def sum(self) -> Counts:
        """One table: the sum of all."""
        return self._each(lambda cell: np.asarray(cell.sum())[None])

    def __getitem__(self, chosen: Any) -> Counts:
        """Some of the tables."""
        return self._each(lambda cell: cell[chosen])

    def wide(self) -> Counts:
        """The same tables, safe for products of counts: int64 if products are exact, else float64,
        scaled by a power of 2 to at most 1.
        """
        return self._wide()

    def _wide(self, most: float = 0) -> Counts:
        """See `wide`; `most` is another count that must fit."""
        cells = [cell for cell in (self.tp, self.fp, self.fn, self.known_tn) if cell is not None]
        exact = most < _EXACT and all(
            cell.dtype.kind == "i" and float(np.max(cell, initial=0)) < _EXACT for cell in cells
        )
        if exact:
            return self
        # Measures have no unit, so scaling by a power of 2 keeps all digits; products of four cells
        # then neither vanish nor overflow.
        unit = int(np.frexp(max(most, *(float(np.max(cell, initial=0)) for cell in cells)))[1])
        return self._each(lambda cell: np.ldexp(cell.astype(np.float64), -unit))

    def _each(self, change: Callable[[Cells], Cells]) -> Counts:
        tn = None if self.known_tn is None else change(self.known_tn)
        margins = {name: change(margin) for name, margin in self.margins.items()}
        return Counts(change(self.tp), change(self.fp), change(self.fn), tn, margins)


class Path:
    """The tables of one ranking: a row for each threshold; the first row accepts nothing.

    Formulas of counts accept a path as they accept `Counts`. Measures that look along all
    thresholds, such as areas, take the whole path. `missed` relevant items are below every
    threshold.
    """

    __slots__ = ()

    tp: Cells
    fp: Cells
    missed: int | float

    @property
    def tied(self) -> bool:
        """Whether to average over the orders inside blocks; else a block is accepted or rejected as
        a whole.
        """
        return False

    @property
    def relevant(self) -> int | float:
        """Relevant items that exist, ranked or missed."""
        return self.tp[-1].item() + self.missed  # type: ignore[no-any-return]

    @property
    def other(self) -> int | float:
        """Items that are not relevant."""
        return self.fp[-1].item()  # type: ignore[no-any-return]

    @property
    def fn(self) -> Cells:
        """Relevant items not accepted, missed ones included."""
        return np.asarray(self.relevant - self.tp)

    @property
    def tn(self) -> Cells:
        """Other items not accepted."""
        return np.asarray(self.other - self.fp)

    @property
    def accepted(self) -> Cells:
        """TP + FP."""
        return np.asarray(self.tp + self.fp)

    @property
    def rejected(self) -> Cells:
        """FN + TN."""
        return np.asarray(self.fn + self.tn)

    @property
    def total(self) -> int | float:
        """All existing items."""
        return self.relevant + self.other

    def wide(self) -> Counts:
        """See `Counts.wide`; the type is chosen for the whole path, so that parts of a path give
        the same digits.
        """
        return Counts(self.tp, self.fp, self.fn, self.tn)._wide(max(self.relevant, self.other))


@dataclass(frozen=True, slots=True, eq=False)
class Ranks(Path):
    """The path of a ranked list without scores: every rank is a threshold.

    `others` is the number of items that are not relevant; None if nobody knows how many exist.
    """

    tp: Cells
    fp: Cells
    missed: int | float
    others: int | float | None
    tied: bool = False

    @property
    def other(self) -> int | float:
        """Items that are not relevant; raises if their number is not known."""
        if self.others is None:
            raise PopulationUnknown(_UNKNOWN)
        return self.others


def chunks_of_path(path: Path) -> Iterator[tuple[slice, Path]]:
    """The rows of a path in chunks, each with the margins of the whole: a formula of counts gives
    the same digits and needs less memory.
    """
    tp, fp, relevant = path.tp, path.fp, path.relevant
    others = path.others if isinstance(path, Ranks) else path.other
    # Sums of real weights depend on where they are cut, so such a path stays whole.
    size = ROWS if tp.dtype.kind == "i" and fp.dtype.kind == "i" else len(tp)
    for begin in range(0, len(tp), size):
        rows = slice(begin, begin + size)
        left = relevant - tp[rows][-1].item()
        yield rows, Ranks(tp[rows], fp[rows], left, others) if size < len(tp) else path


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Paths:
    """Paths of many rankings, one after another: ranking r has the rows `start[r]` to `start[r +
    1]`; see `Path`.
    """

    tp: Cells
    fp: Cells
    start: npt.NDArray[np.int64]
    missed: Cells

    def __len__(self) -> int:
        return len(self.missed)

    def __iter__(self) -> Iterator[Path]:
        for (begin, end), missed in zip(
            pairwise(self.start.tolist()), self.missed.tolist(), strict=True
        ):
            tp, fp = self.tp[begin:end], self.fp[begin:end]
            yield Ranks(tp, fp, missed, fp[-1].item())

    @property
    def relevant(self) -> Cells:
        """Relevant items of each ranking, ranked or missed."""
        return np.asarray(self.tp[self.start[1:] - 1] + self.missed)

    def along(self, values: npt.NDArray[Any]) -> npt.NDArray[Any]:
        """The value of each ranking, repeated for each of its rows."""
        return np.repeat(values, np.diff(self.start))

    def table(self) -> Counts:
        """One contingency table for each row."""
        relevant, other = self.along(self.relevant), self.along(self.fp[self.start[1:] - 1])
        margins = {"relevant": relevant, "other": other}
        return Counts(self.tp, self.fp, relevant - self.tp, other - self.fp, margins)

    def rises(self) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int64]]:
        """The rows before those that accept more relevant cases, and where those of each ranking
        start among them; see the function `rises`.

        Examples
        --------
        >>> tp, fp = np.array([0, 1, 1, 0, 2]), np.array([0, 0, 1, 0, 0])
        >>> Paths(tp, fp, np.array([0, 3, 5]), np.zeros(2, np.int64)).rises()
        (array([0, 3]), array([0, 1, 2]))
        """
        rising = self.tp[1:] != self.tp[:-1]
        rising[self.start[1:-1] - 1] = False
        rows = np.flatnonzero(rising)
        return rows, np.searchsorted(rows, self.start)

    @property
    def others(self) -> Cells | None:
        """Items of each ranking that are not relevant; None if nobody knows how many exist."""
        return self.fp[self.start[1:] - 1]

    def greatest(
        self, values: npt.NDArray[np.float64], least: bool = False
    ) -> npt.NDArray[np.float64]:
        """The greatest of each ranking's values; NaN if all of them are."""
        return np.asarray((np.fmin if least else np.fmax).reduceat(values, self.start[:-1]))

    def best_rows(
        self,
        values: npt.NDArray[np.float64],
        least: bool = False,
        sizes: npt.NDArray[np.float64] | None = None,
    ) -> npt.NDArray[np.int64]:
        """The first row of each ranking's greatest value; its first row if all are NaN. `sizes` are
        for rounding, see `around`.

        Examples
        --------
        >>> count = np.zeros(5, np.int64)
        >>> Paths(count, count, np.array([0, 2, 5]), count[:2]).best_rows(
        ...     np.array([np.nan, 1, 2, 3, 3])
        ... )
        array([1, 3])
        """
        low, high = around(values, 0.0 if sizes is None else sizes, least)
        rows = np.flatnonzero(high >= self.along(self.greatest(low)))
        owner = np.searchsorted(self.start, rows, "right") - 1
        best, lead = self.start[:-1].copy(), changes(owner)
        best[owner[lead]] = rows[lead]
        return best


F = TypeVar("F", bound=Callable[..., object])
#: Formulas of one path → functions that compute the same for many paths, with equal digits.
OF_MANY: dict[Callable[..., Any], Callable[..., Any]] = {}


def of_many(formula: Callable[..., object]) -> Callable[[F], F]:
    """Declare that the decorated function computes `formula` for `Paths`; it returns None for
    parameters that it does not handle.
    """

    def declare(function: F) -> F:
        OF_MANY[formula] = function
        return function

    return declare


def of_each(
    formula: Callable[..., object], paths: Sequence[Path] | Paths, parameters: Mapping[str, object]
) -> npt.NDArray[np.float64]:
    """The value of a formula for each of several paths; computed at once if a function for many is
    declared.
    """
    at_once = OF_MANY.get(formula) if isinstance(paths, Paths) else None
    values = at_once and at_once(paths, **parameters)
    if values is None:
        values = [formula(path, **parameters) for path in paths]
    return np.array(values, np.float64)


def dot(a: npt.NDArray[np.int64], b: npt.NDArray[np.int64]) -> int:
    """Σ a b of counts, exact for any size."""
    if not len(a) or float(np.sum(a, dtype=np.float64)) * float(np.max(b)) < 2.0**62:
        return int(a @ b)
    chunks = (slice(i, i + ROWS) for i in range(0, len(a), ROWS))
    return sum(sum(map(mul, a[chunk].tolist(), b[chunk].tolist())) for chunk in chunks)


def step_sum(size: npt.NDArray[Any], tp: npt.NDArray[Any], fp: npt.NDArray[Any]) -> float:
    """Σ over rows of the weight of its relevant cases times the precision there."""
    return float(np.sum(size * (tp / (tp + fp))))


def roc_sum(
    size: npt.NDArray[Any], twice: npt.NDArray[Any], relevant: float, others: float
) -> float:
    """Σ over rows of the share of relevant cases times twice the share of the others below; equal
    scores count half.
    """
    return float(np.sum(size / relevant * (twice / others)))


#: With this many relevant items or more, a sum in units of 2^-20 exceeds int64.
EXACT_STEPS = 2**43


def step_units(size: Cells, hits: Cells, others: Cells) -> Iterator[npt.NDArray[np.int64]]:
    """Each size x hits / (hits + others) as whole numbers of 2^-20, 2^-50 and 2^-80: these sums are
    exact in any order.
    """
    rest = size * (hits / (hits + others)) * 2.0**20
    for _ in range(3):
        units = np.floor(rest)
        yield units.astype(np.int64)
        rest = (rest - units) * 2.0**30


def step_parts(size: Cells, hits: Cells, others: Cells) -> tuple[int, int, int]:
    """Σ size x hits / (hits + others), in the units of `step_units`."""
    high, middle, low = (int(units.sum()) for units in step_units(size, hits, others))
    return high, middle, low


def step_area(parts: tuple[int, int, int], relevant: int) -> float:
    """The sum of `step_parts` over the relevant items, rounded once."""
    high, middle, low = parts
    return ((high << 60) + (middle << 30) + low) / (relevant << 80)


def hit_rows(path: Path) -> npt.NDArray[np.int64]:
    """Rows that accept more relevant cases than the row above."""
    return np.asarray((path.tp[1:] != path.tp[:-1]).nonzero()[0] + 1)


def rises(tp: Cells, fp: Cells, kind: type = np.float64) -> Iterator[list[npt.NDArray[Any]]]:
    """TP and FP before and at the rows that accept more relevant cases; yielded in chunks of
    rows.
    """
    for begin in range(0, len(tp) - 1, ROWS):
        here = [column[begin : begin + ROWS + 1] for column in (tp, fp)]
        rows = (here[0][1:] != here[0][:-1]).nonzero()[0]
        if len(rows):
            yield [
                column[at].astype(kind, copy=False) for at in (rows, rows + 1) for column in here
            ]


def step_under(path: Path) -> float:
    """The area of steps under a precision-recall curve: Σ (R_i - R_{i-1}) P_i over rows that accept
    more relevant cases.
    """
    if isinstance(path.relevant, int) and path.relevant < EXACT_STEPS:
        each = [
            step_parts(tp - tp0, tp, fp) for tp0, _, tp, fp in rises(path.tp, path.fp, np.int64)
        ]
        high, middle, low = (sum(units) for units in zip(*each, strict=True)) if each else (0, 0, 0)
        return step_area((high, middle, low), path.relevant)
    rows = hit_rows(path)
    tp, fp = path.tp[rows], path.fp[rows]
    return step_sum(tp - path.tp[rows - 1], tp, fp) / path.relevant


def under_roc(path: Path, step: bool = False) -> float:
    """The area under a ROC curve of straight lines, or of steps."""

    def twice(fp0: npt.NDArray[Any], fp: npt.NDArray[Any]) -> npt.NDArray[Any]:
        return path.other - fp + (path.other - (fp if step else fp0))

    # Rows without a new hit add nothing.
    if path.tp.dtype.kind == "f":
        rows = hit_rows(path)
        new, both = path.tp[rows] - path.tp[rows - 1], twice(path.fp[rows - 1], path.fp[rows])
        return roc_sum(new, both, path.relevant, path.other) / 2
    # Whole counts are summed exactly: 2 U = Σ ΔTP (TN + TN before).
    total = sum(
        dot(tp - tp0, twice(fp0, fp)) for tp0, fp0, tp, fp in rises(path.tp, path.fp, np.int64)
    )
    return float(total / (2 * path.relevant * path.other))


def part_under_roc(path: Path, max_fpr: float) -> float:
    """The area under a ROC curve of straight lines, up to a false positive rate."""
    limit = max_fpr * path.other
    stop = int(np.searchsorted(path.fp, limit, side="right"))
    fp, tp = path.fp[:stop].astype(np.float64), path.tp[:stop].astype(np.float64)
    if stop < len(path.tp):
        last = path.tp[stop - 1] + (limit - fp[-1]) / (path.fp[stop] - fp[-1]) * (
            path.tp[stop] - tp[-1]
        )
        fp, tp = np.append(fp, limit), np.append(tp, last)
    # Only rows with new hits are used, as for the whole area, so that others between two hits, or
    # not retrieved, change no digit.
    rows = (tp[1:] != tp[:-1]).nonzero()[0]
    new, both = tp[rows + 1] - tp[rows], (limit - fp[rows]) + (limit - fp[rows + 1])
    return float(np.sum(new * both)) / 2 / path.other / path.relevant


def by_mcclish(area: float, max_fpr: float) -> float:
    """The partial area on McClish's (1989) scale: chance is 0.5, the maximum 1."""
    least = max_fpr**2 / 2
    return 0.5 * (1 + (area - least) / (max_fpr - least))
