"""Cases that arrive in parts: counted per distinct score, merged in any order with equal results."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from precall.counts import dot
from precall.curves.cases import EXACT, column, labelled, missed_count, never, scores
from precall.curves.path import Curve
from precall.curves.tally import from_counts, tally
from precall.errors import DataError, MissingExtra, Problem, UsageError
from precall.location.series import ratios
from precall.ragged import Float64, Int64
from precall.results import Equal, Presented, Table

#: Parts are merged when they hold more rows than this and than the distinct scores known so far.
_SMALL = 1 << 16
#: Labels of a part that are looked at, for an error.
_LABELS = 1000
_COLUMNS = ("score", "relevant", "other")


class _Ends(NamedTuple):
    lower: float
    estimate: float
    upper: float


class Bounds(Equal, Presented, _Ends):
    """What a number is known to lie between, and an estimate of it."""

    __slots__ = ()


class ScoredCases:
    """Scored cases collected in parts; memory grows with the distinct scores, not with the cases.

    Counts are whole numbers, so that parts may be added and merged in any order and the results are
    identical, digit by digit; more than 2^53 cases are refused.

    Parameters
    ----------
    bins : None keeps every distinct score: exact. A number of bins of equal width between 0 and 1,
        or the edges between bins, ascending, bounds the memory: then `average_precision` and
        `area_under_roc` give `Bounds` that hold for any scores inside the bins.

    Examples
    --------
    >>> cases = ScoredCases()
    >>> cases.add([1, 0], [0.9, 0.8])
    >>> cases.add(True, 0.7)
    >>> cases.add_missed(1)
    >>> cases.curve().average_precision()
    0.5555555555555556
    """

    def __init__(self, bins: int | Sequence[float] | npt.NDArray[Any] | None = None) -> None:
        self.edges = None if bins is None else _edges(bins)
        self.missed = 0
        none = np.zeros(0, np.int64)
        self._parts: list[tuple[Float64, Int64, Int64]] = [(none.astype(np.float64), none, none)]
        self._rows = self._distinct = self._total = 0
        #: Labels beside which none was relevant, by what was asked for: whether it ever occurs is known at the end.
        self._lacking: dict[str, tuple[Any, dict[str, Any]]] = {}

    def __repr__(self) -> str:
        score, positive, negative = self._counted()
        kind = "bins" if self.edges is not None else "distinct scores"
        counts = f"{positive.sum()} relevant, {negative.sum()} other, {self.missed} missed"
        return f"<ScoredCases: {counts}, {len(score)} {kind}>"

    def add(self, relevant: Any, score: Any, positive: Any = None, higher_is_better: bool = True) -> None:
        """Add one case, or arrays of cases; labels and scores as `curve` takes them."""
        if np.ndim(score) == 0:
            relevant, score = [relevant], [score]
        truth, value = labelled(relevant, score, positive, higher_is_better, part=True)
        # float32 scores widen exactly, so that ties stay as they are.
        if positive is not None and len(truth) and not truth.any():
            _, labels = self._lacking.setdefault(repr(positive), (positive, {}))
            labels |= {repr(label): label for label in column(relevant, "relevant")[:_LABELS].tolist()}
        known, hits, rest = tally(truth, value)
        self._append(known.astype(np.float64), hits, rest)

    def add_missed(self, count: int = 1) -> None:
        """Count relevant items that were never scored."""
        self.missed = int(missed_count(self.missed + missed_count(count, False), False))

    def merge(self, other: ScoredCases) -> None:
        """Add all that another one holds."""
        mine, theirs = self.edges, other.edges
        if mine is not theirs and (mine is None or theirs is None or not np.array_equal(mine, theirs)):
            raise UsageError("merge: both must have the same bins")
        self.add_missed(other.missed)
        for asked, (positive, labels) in other._lacking.items():
            self._lacking.setdefault(asked, (positive, {}))[1].update(labels)
        self._append(*other._counted(), binned=True)

    def _append(self, score: Float64, positive: Int64, negative: Int64, binned: bool = False) -> None:
        if self.edges is not None and not binned:
            # A bin is known by its index, highest first as scores are.
            score = np.searchsorted(self.edges, score, side="right").astype(np.float64)
        self._total += _total(positive, negative, self._total)
        self._parts.append((score, positive, negative))
        self._rows += len(score)
        if self._rows > max(_SMALL, 2 * self._distinct):
            self._counted()

    def _counted(self) -> tuple[Float64, Int64, Int64]:
        """Distinct scores (or bins), best first, with their counts."""
        if len(self._parts) > 1:
            score, *kinds = (np.concatenate(column) for column in zip(*self._parts, strict=True))
            known, place = np.unique(score, return_inverse=True)
            totals = np.zeros((2, len(known)), np.int64)
            for total, kind in zip(totals, kinds, strict=True):
                np.add.at(total, place, kind)
            # Adding 0 turns -0 into 0.
            self._parts = [(known[::-1] + 0.0, totals[0, ::-1], totals[1, ::-1])]
        self._rows = self._distinct = len(self._parts[0][0])
        return self._parts[0]

    def _scored(self) -> tuple[Float64, Int64, Int64]:
        """The same, bins as their lower edge."""
        score, positive, negative = self._counted()
        if self.edges is not None:
            score = np.append(-np.inf, self.edges)[score.astype(np.int64)]
        return score, positive, negative

    def curve(self) -> Curve:
        """The curve of all cases; with bins, that of scores rounded down to their bin's lower edge.

        Refused where a label was `positive` that no case has.
        """
        score, positive, negative = self._scored()
        if self._lacking and not positive.any():
            raise never(*next(iter(self._lacking.values())))
        return from_counts(score, positive, negative, self.missed)

    def average_precision(self) -> float | Bounds:
        """Average precision; with bins the bounds that scores inside them can reach, and the binned value."""
        exact = self.curve().average_precision()
        if self.edges is None:
            return exact
        _, positive, negative = self._counted()
        total = int(positive.sum()) + self.missed
        if not total:
            return Bounds(exact, exact, exact)
        tp, fp = np.cumsum(positive), np.cumsum(negative)
        # Best: a bin's hits tied above its other cases. Worst: one by one below all of them.
        with np.errstate(invalid="ignore"):
            best = np.where(positive > 0, positive * (tp / (tp + fp - negative)), 0.0)
        upper = float(np.sum(best)) / total
        before, step = (tp - positive).astype(np.float64), np.ones(len(tp))
        lower = float(np.sum(ratios(before + 1, step, before + 1 + fp, step, positive))) / total
        return _outwards(lower, exact, upper, len(tp) + min(int(positive.max(initial=0)), 1 << 12))

    def area_under_roc(self) -> float | Bounds:
        """Area under the ROC curve; with bins its bounds and the value with bins as ties."""
        exact = self.curve().area_under_roc()
        if self.edges is None or exact != exact:
            return exact if self.edges is None else Bounds(exact, exact, exact)
        _, positive, negative = self._counted()
        pairs = 2 * (int(positive.sum()) + self.missed) * int(negative.sum())
        spread = dot(positive, negative) / pairs
        return _outwards(exact - spread, exact, exact + spread, 1)

    @property
    def table(self) -> Table:
        """Columns score, relevant, other, best score first; missed items as a row of score NaN."""
        columns: Sequence[Any] = self._scored()
        if self.missed:
            columns = list(map(np.append, columns, (np.nan, self.missed, 0)))
        return Table(dict(zip(_COLUMNS, columns, strict=True)))

    def __arrow_c_stream__(self, requested_schema: object = None) -> object:
        """The table as an Arrow stream; `from_table` reads it back."""
        return self.table.__arrow_c_stream__(requested_schema)

    def to_parquet(self, path: str) -> None:
        """Write the table to a Parquet file; `from_table(path)` reads it back."""
        self.table.to_polars().write_parquet(path)

    @classmethod
    def from_table(
        cls, source: Any, bins: int | Sequence[float] | npt.NDArray[Any] | None = None
    ) -> ScoredCases:
        """From what `table` gave: a Parquet path, or any object with Arrow data or columns by name."""
        columns = _columns(source)
        made = cls(bins)
        score = scores(columns["score"]).astype(np.float64)
        counts = [np.asarray(columns[name]) for name in _COLUMNS[1:]]
        for name, cells in zip(_COLUMNS[1:], counts, strict=True):
            if cells.dtype.kind not in "iu" or (len(cells) and cells.min() < 0):
                raise _problem(f"column {name!r} must hold counts >= 0", "check the file")
        _total(counts[0], counts[1])
        missing = np.isnan(score)
        if counts[1][missing].any():
            what = "there are other cases without a score; only relevant ones can be missed"
            raise _problem(what, "give each a score, or remove the row")
        made.add_missed(int(counts[0][missing].sum()))
        keep = ~missing
        made._append(score[keep], counts[0][keep].astype(np.int64), counts[1][keep].astype(np.int64))
        return made


def _total(positive: npt.NDArray[Any], negative: npt.NDArray[Any], before: int = 0) -> int:
    """How many cases there are, refused where they would not be exact."""
    if float(np.sum(positive, dtype=np.float64) + np.sum(negative, dtype=np.float64)) + before > EXACT:
        what = "there are more than 2**53 cases, beyond which sums of counts are not exact"
        raise _problem(what, "check the counts, or divide all by one number")
    return int(positive.sum()) + int(negative.sum())


def _problem(what: str, todo: str) -> DataError:
    return DataError([Problem("scored cases", None, what, todo)])


def _outwards(lower: float, estimate: float, upper: float, terms: int) -> Bounds:
    """Bounds that rounding of their sums cannot violate; bounds that are equal, as all bins are pure, too."""
    slack = (terms + 16) * float(np.finfo(np.float64).eps)
    low, high = max(float(lower) - slack, 0.0), min(float(upper) + slack, 1.0)
    return Bounds(low, min(max(estimate, low), high), high)


def _edges(bins: Any) -> Float64:
    if not isinstance(bins, np.timedelta64) and isinstance(bins, int | np.integer) and bins >= 1:
        return np.arange(1, bins) / bins
    try:
        edges = np.asarray(bins, np.float64)
    except (TypeError, ValueError):
        edges = np.zeros(())
    if edges.ndim != 1 or not np.all(edges[1:] > edges[:-1]) or np.isnan(edges).any():
        raise UsageError(f"bins: must be a whole number >= 1, or edges that ascend strictly, got {bins!r}")
    return edges


def _columns(source: Any) -> dict[str, Any]:
    if isinstance(source, Table):
        return dict(source.columns)
    try:
        import polars
    except ImportError as error:
        raise MissingExtra("from_table() needs Polars: pip install polars") from error
    is_path = isinstance(source, str) or hasattr(source, "__fspath__")
    frame = polars.read_parquet(source) if is_path else polars.DataFrame(source)
    lacking = set(_COLUMNS) - set(frame.columns)
    if lacking:
        what = f"no column {', '.join(sorted(lacking))}; there are {', '.join(frame.columns)}"
        raise _problem(what, "pass what `table` or `to_parquet` gave")
    return {name: frame[name].to_numpy() for name in _COLUMNS}
