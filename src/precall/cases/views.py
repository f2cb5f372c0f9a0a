"""Views of a curve: tables for drawing, each with two columns and the threshold."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from precall.core.counts import Path, hit_rows
from precall.core.errors import UsageError
from precall.core.ragged import Bool, Float64, Int64
from precall.measures import areas, of_counts
from precall.results.sheets import Table

if TYPE_CHECKING:
    from precall.cases.scored_cases import Scores
    from precall.stats.turned_scores import NotesOfScores

#: Number of vectorized passes over a hull, after which the remaining points are processed one by
#: one.
_PASSES = 60


class Views(Path):
    """Precision-recall, ROC, gain, lift, cumulative gain, DET and cost curves of one path with
    thresholds.
    """

    __slots__ = ()
    threshold: Scores
    higher_is_better: bool

    if TYPE_CHECKING:

        def _notes_of_scores(self) -> NotesOfScores: ...

    def _of(self, name: str) -> Float64:
        """A measure of counts at every threshold."""
        return of_counts(name).of_table(self)

    def _table(self, columns: dict[str, Any]) -> Table:
        """A table that knows on which side of its thresholds scores are accepted, and has the
        notes.
        """
        return Table(columns, self.higher_is_better, self._notes_of_scores().read)

    def pr(self, interpolate: bool = False) -> Table:
        """Recall, precision and threshold at the thresholds that accept further relevant cases.

        With `interpolate`, points are left out if another point has more recall and at least as
        much precision.
        """
        return self._at_hits("precision", "P", interpolate)

    def roc(self, interpolate: bool = False) -> Table:
        """Recall, specificity (`rejection_recall` in data) and threshold at the thresholds that
        accept further relevant cases; see `pr`.
        """
        return self._at_hits("rejection_recall", "Specificity", interpolate)

    def _at_hits(self, name: str, measure: str, interpolate: bool) -> Table:
        rows = hit_rows(self)
        height = self._of(measure)[rows]
        if interpolate:
            keep = areas.is_undominated(height)
            rows, height = rows[keep], height[keep]
        return self._table(
            {"recall": self._of("R")[rows], name: height, "threshold": self.threshold[rows]}
        )

    def gain(self) -> Table:
        """Precision-recall-gain curve (Flach & Kull 2015): recall gain, precision gain and
        threshold.

        (x - π) / ((1 - π) x) for x = recall and precision, π the share of relevant cases. Points
        with a recall gain below 0 are left out; the crossing of 0 is added. For the gain used in
        marketing see `cumulative_gain`.
        """
        recall_gain, precision_gain, rows = areas.gain_points(self)
        threshold = np.asarray(self.threshold[rows], np.float64)
        return self._table(
            {"recall_gain": recall_gain, "precision_gain": precision_gain, "threshold": threshold}
        )

    def lift(self) -> Table:
        """Lift curve (Provost & Fawcett 2013): precision divided by prevalence, by the share
        accepted.

        Columns are accepted, (TP + FP) / all; lift, precision / prevalence = recall / accepted,
        from 0 to 1 / prevalence; and threshold. Random acceptance has lift 1. Each threshold has a
        row, except the one that accepts nothing, which has no lift. `all` includes missed relevant
        items. Lift is undefined (NaN) if nothing is relevant.

        Examples
        --------
        >>> from precall import curve
        >>> lift = curve([0, 1, 0, 1], [0.9, 0.8, 0.4, 0.3]).lift()
        >>> lift["accepted"], lift["lift"].round(4)
        (array([0.25, 0.5 , 0.75, 1.  ]), array([0.    , 1.    , 0.6667, 1.    ]))
        """
        with np.errstate(divide="ignore", invalid="ignore"):
            lift = (self._of("P") / self._of("Prevalence"))[1:]
        return self._table(
            {"accepted": self._accepted[1:], "lift": lift, "threshold": self.threshold[1:]}
        )

    def cumulative_gain(self) -> Table:
        """Cumulative gain (gains chart, lift chart; Provost & Fawcett 2013): recall by the share of
        all items that is accepted.

        Columns are accepted, (TP + FP) / all; recall; and threshold. It begins at (0, 0), where
        nothing is accepted. Random acceptance is the diagonal. A perfect order rises straight to
        recall 1, reached when as many are accepted as are relevant. Points of equal score are
        joined by straight lines. Undefined (NaN) if nothing is relevant.

        Examples
        --------
        >>> from precall import curve
        >>> curve([0, 1, 0, 1], [0.9, 0.8, 0.4, 0.3]).cumulative_gain()["recall"]
        array([0. , 0. , 0.5, 0.5, 1. ])
        """
        return self._table(
            {"accepted": self._accepted, "recall": self._of("R"), "threshold": self.threshold}
        )

    @property
    def _accepted(self) -> Float64:
        """The share of all that is accepted at each threshold."""
        with np.errstate(divide="ignore", invalid="ignore"):
            return np.asarray(self.accepted / np.float64(self.total), np.float64)

    def det(self) -> Table:
        """Detection error tradeoff (Martin et al. 1997): the rate of misses by the rate of false
        alarms.

        Columns are false_positive_rate, FP / other; miss_rate, FN / relevant = 1 - recall; and
        threshold. It begins at (0, 1), where nothing is accepted. Both rates are drawn on the scale
        of normal deviates, on which the scores of two normal distributions give a straight line.
        `sklearn.metrics.det_curve` has the same points, the lowest threshold first, without those
        beyond the first of rate 0. Undefined (NaN) if nothing is relevant, or everything.

        Examples
        --------
        >>> from precall import curve
        >>> det = curve([0, 1, 0, 1], [0.9, 0.8, 0.4, 0.3]).det()
        >>> det["false_positive_rate"], det["miss_rate"]
        (array([0. , 0.5, 0.5, 1. , 1. ]), array([1. , 1. , 0.5, 0.5, 0. ]))
        """
        rates = {"false_positive_rate": self._of("Fallout"), "miss_rate": self._misses}
        return self._table({**rates, "threshold": self.threshold})

    @property
    def _misses(self) -> Float64:
        """FN / relevant."""
        with np.errstate(divide="ignore", invalid="ignore"):
            return np.asarray(self.fn / np.float64(self.relevant), np.float64)

    def cost(self) -> Table:
        """Cost curve (Drummond & Holte 2006): the least expected cost of any threshold, by the
        weight of misses.

        A threshold has the rates FN / relevant of misses and FP / other of false alarms. Its
        normalized expected cost is x FN / relevant + (1 - x) FP / other. Here x, the probability
        cost, is p c / (p c + (1 - p) d), with p the share of relevant cases, c the cost of a miss
        and d that of a false alarm. So each threshold is a straight line over x. The curve is the
        lower envelope of these lines; it corresponds to the convex hull of the ROC curve. The rows
        are its corners, with columns probability_cost, cost, and the threshold that is best from
        there to the next corner (+inf accepts nothing). Accepting nothing costs x, accepting
        everything 1 - x, so a useful threshold costs less than min(x, 1 - x). Undefined if nothing
        is relevant, or everything.

        Raises
        ------
        UsageError
            Nothing is relevant, or everything is.

        Examples
        --------
        >>> from precall import curve
        >>> cost = curve([1, 1, 0, 1, 0, 0], [6, 5, 4, 3, 2, 1]).cost()
        >>> cost["probability_cost"], cost["cost"].round(4), cost["threshold"]
        (array([0. , 0.5, 1. ]), array([0.    , 0.1667, 0.    ]), array([5., 3., 3.]))
        """
        if not self.relevant or not self.other:
            lacking = "everything is relevant" if self.relevant else "nothing is relevant"
            raise UsageError(
                argument="cost",
                what="a curve without both kinds of cases has no cost curve",
                remedy=lacking,
            )
        rows = hull(self.fp, self.tp)
        false, misses = self._of("Fallout")[rows], self._misses[rows]
        with np.errstate(divide="ignore", invalid="ignore"):
            more, fewer = np.diff(false), -np.diff(misses)
            turns = more / (more + fewer)
        begin, end = np.append(0.0, turns), np.append(turns, 1.0)
        # A threshold that is best at a single x is no corner; accepting nothing is one if some hits
        # come first.
        best = np.flatnonzero(end > begin)
        x, at = np.append(begin[best], 1.0), np.append(best, best[-1])
        cost = x * misses[at] + (1 - x) * false[at]
        return self._table(
            {"probability_cost": x, "cost": cost, "threshold": self.threshold[rows[at]]}
        )


def hull(x: Int64 | Float64, y: Int64 | Float64) -> Int64:
    """The rows of the corners of the upper convex hull of points whose x and y both ascend.

    Examples
    --------
    >>> hull(np.array([0, 0, 1, 1, 2]), np.array([0, 1, 1, 2, 2])).tolist()
    [0, 1, 3, 4]
    """
    kept = np.arange(len(x))
    wide = float(x[-1]) * float(y[-1]) > 2.0**61
    x, y = (np.asarray(column, np.float64) if wide else column for column in (x, y))
    for _ in range(_PASSES):
        under = _under(x[kept], y[kept])
        if not under.any():
            return kept
        # A point below the line of two others is no corner, whatever else is removed in the same
        # pass.
        kept = kept[~np.concatenate(([False], under, [False]))]
    corners: list[int] = []
    for row in kept.tolist():
        while len(corners) > 1 and _under(x[[*corners[-2:], row]], y[[*corners[-2:], row]])[0]:
            corners.pop()
        corners.append(row)
    return np.array(corners)


def _under(x: Int64 | Float64, y: Int64 | Float64) -> Bool:
    """Whether each point except the ends lies on or below the line of its two neighbours."""
    if len(x) < 3:
        return np.zeros(0, np.bool_)
    across, along = np.diff(x), np.diff(y)
    return along[:-1] * across[1:] <= along[1:] * across[:-1]
