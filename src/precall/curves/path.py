"""A curve: the operating points of one scored list, from the threshold that accepts nothing down.

One table of equal-length columns is all there is; precision-recall, ROC, gain and score curves are
views of it, and areas, break-even points and choices of a threshold are read off it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from importlib import import_module
from typing import TYPE_CHECKING, Any

import numpy as np

from precall.checks import check_choice, check_rows, check_whole
from precall.curves import points, ranked
from precall.curves.cases import EXACT, Scores, labelled, missed_count, weight
from precall.curves.measured import Measured
from precall.curves.points import OperatingPoint
from precall.curves.tally import Count, path, weighted_tally
from precall.errors import UsageError
from precall.measures import Measure, areas, best_points
from precall.notes import warn
from precall.ragged import Float64
from precall.results import Presented, Table

if TYPE_CHECKING:
    from precall.location.hits import Hits

COLUMNS = ("threshold", "tp", "fp", "fn", "tn", "precision", "recall", "rejection_recall")


def curve(
    relevant: Any, score: Any, missed: int | float = 0, weights: Any = None, positive: Any = None,
    higher_is_better: bool = True,
) -> Curve:  # fmt: skip
    """The operating points of one scored list.

    Parameters
    ----------
    relevant : label of each case: bool, 0/1 or -1/1; anything else needs `positive`.
    score : number of each case; ±inf are ordinary, NaN is refused. Never transformed.
    missed : relevant items that exist but were never scored: they count in every recall.
    weights : of each case, finite and >= 0; integer weights equal repetition, 0 equals removal (but a
        NaN score is refused also where the weight is 0).
    positive : the label that counts as relevant.
    higher_is_better : False where low scores are good; thresholds are then negated scores.

    Returns
    -------
    Curve

    Raises
    ------
    DataError
        A label or score is missing or not allowed; the message names the first case.
    UsageError
        An argument is not allowed.

    Examples
    --------
    >>> c = curve([0, 1, 0, 1], [0.9, 0.8, 0.4, 0.3])
    >>> c.recall, c.precision[1:]
    (array([0. , 0. , 0.5, 0.5, 1. ]), array([0.        , 0.5       , 0.33333333, 0.5       ]))
    >>> c.average_precision()
    0.5
    """
    check_rows(relevant=relevant, weights=weights)
    truth, value = labelled(relevant, score, positive, higher_is_better)
    missed = missed_count(missed, weights is not None)
    if weights is None:
        return Curve(*path(truth, value), missed)
    return from_counts(*weighted_tally(truth, value, weight(weights, len(value))), missed)


def from_counts(score: Scores, positive: Count, negative: Count, missed: int | float = 0) -> Curve:
    """A curve from distinct scores, best first, and the relevant and other cases of each.

    Whole counts that add up to more than 2^53 are summed as float64.
    """
    if positive.dtype.kind != "f" and np.sum(positive, dtype=float) + np.sum(negative, dtype=float) > EXACT:
        positive, negative = positive.astype(np.float64), negative.astype(np.float64)
    threshold = np.concatenate((np.array([np.inf], score.dtype), score))
    none = np.zeros(1, positive.dtype)
    tp: Any = np.concatenate((none, np.cumsum(positive)))
    fp: Any = np.concatenate((none, np.cumsum(negative)))
    return Curve(threshold, tp, fp, missed)


@dataclass(frozen=True, slots=True, eq=False)
class Curve(Measured, Presented):
    """Operating points of one scored list, as columns of equal length.

    The first row accepts nothing (threshold +inf, precision undefined); the i-th accepts every case
    that scores at least `threshold[i]`. Counts are int64; with real weights, or whole ones whose sum exceeds
    2^53, they are sums, float64.

    Parameters
    ----------
    threshold : distinct scores, best first, behind the +inf that accepts nothing.
    tp, fp : relevant and other cases accepted.
    missed : relevant items that were never scored; they are part of `fn`.
    """

    threshold: Scores
    tp: Count
    fp: Count
    missed: int | float = 0

    def __len__(self) -> int:
        return len(self.threshold)

    def __repr__(self) -> str:
        hits, other = self.tp[-1].item(), self.fp[-1].item()
        misses = f", {self.missed} missed" if self.missed else ""
        return f"<Curve: {hits} relevant and {other} other cases{misses}, {len(self) - 1} thresholds>"

    @property
    def table(self) -> Table:
        """All columns."""
        return Table({name: getattr(self, name) for name in COLUMNS})

    def to_dict(self) -> dict[str, list[Any]]:
        """Column name → list of Python values."""
        return self.table.to_dict()

    def warn_undefined(self, what: str, needs: str = "relevant") -> None:
        """Say that `what` is NaN because there is no relevant (or no other) case."""
        if not getattr(self, needs):
            lacking = "nothing is relevant" if needs == "relevant" else "everything is relevant"
            warn(f"{what} is undefined (NaN): {lacking}")

    def average_precision(self, ties: str = "block") -> float:
        """Average precision: the area under the steps, sum of (R_i - R_{i-1}) P_i.

        Cases of equal score are one block, accepted or rejected together ("block", the default);
        `ties="expected"` is the mean over random orders inside blocks, "best" and "worst" the extremes.
        Missed items count in the denominator. Undefined (NaN, with a warning) when nothing is relevant.

        Examples
        --------
        >>> curve([1, 0, 1, 0], [4, 3, 2, 1], missed=1).average_precision()
        0.5555555555555556
        """
        return self._value("AP", ties, "average precision")

    def area_under_pr(self, method: str = "step") -> float:
        """Area under the precision-recall curve, by one of the methods of `precall explain AreaPR`, or "gain" (AUPRG).

        They are different numbers; none is "the" area. Undefined (NaN, with a warning) when nothing is
        relevant.

        Examples
        --------
        >>> c = curve([0, 1, 0, 1], [4, 3, 2, 1])
        >>> c.area_under_pr("step"), c.area_under_pr("interpolated"), round(c.area_under_pr("trapezoid"), 6)
        (0.5, 0.5, 0.333333)
        """
        check_choice("method", method, areas.METHODS)
        name = "AUPRG" if method == "gain" else f"AreaPR(method={method})"
        return self._value(name, "block", "area under the precision-recall curve")

    def areas(self) -> Table:
        """Every area under the precision-recall curve and the ROC curve, by name; NaN is undefined.

        "davis-goadrich-discrete" is undefined for real weights: it goes by whole true positives.
        """
        self.warn_undefined("areas")
        self.warn_undefined("areas under the ROC curve", "other")
        names = [f"pr {name}" for name in areas.METHODS] + [f"roc {name}" for name in areas.ROC_METHODS]
        nan = float("nan")
        values = [nan if _lacking(self, name) else method(self) for name, method in areas.METHODS.items()]
        values += [float(areas.area_under_roc(self, method=name)) for name in areas.ROC_METHODS]
        return Table({"area": names, "value": np.array(values, np.float64)})

    def area_under_roc(
        self, max_fpr: float | None = None, mcclish: bool = False, method: str = "trapezoid"
    ) -> float:
        """Area under the ROC curve: the chance that a relevant case outscores another one (ties count half).

        Parameters
        ----------
        max_fpr : only the part up to this false positive rate, as an area (not rescaled).
        mcclish : rescale the part to .5 (chance) .. 1 (perfect), McClish (1989).
        method : "trapezoid", or "step": sum of (R_i - R_{i-1}) times the rejection recall there.
        """
        check_choice("method", method, areas.ROC_METHODS)
        self.warn_undefined("area under the ROC curve")
        self.warn_undefined("area under the ROC curve", "other")
        if max_fpr is not None and not 0 < max_fpr <= 1:
            raise UsageError(f"max_fpr: must be in (0, 1], got {max_fpr}")
        return float(areas.area_under_roc(self, method=method, max_fpr=max_fpr, mcclish=mcclish))

    def pr(self, interpolate: bool = False) -> Table:
        """Recall, precision and threshold where relevant cases were accepted.

        With `interpolate`, points are removed that another one with more recall and at least as much
        precision dominates.
        """
        return self._at_hits("precision", interpolate)

    def roc(self, interpolate: bool = False) -> Table:
        """Recall, rejection recall and threshold where relevant cases were accepted; see `pr`."""
        return self._at_hits("rejection_recall", interpolate)

    def _at_hits(self, name: str, interpolate: bool) -> Table:
        rows = areas.hit_rows(self)
        height = getattr(self, name)[rows]
        if interpolate:
            keep = areas.undominated(height)
            rows, height = rows[keep], height[keep]
        return Table({"recall": self.recall[rows], name: height, "threshold": self.threshold[rows]})

    def gain(self) -> Table:
        """Precision-recall-gain curve (Flach & Kull 2015): recall gain, precision gain and threshold.

        (x - π) / ((1 - π) x) for x = recall and precision, π the share of relevant cases. Points of
        recall gain below 0 are left out, the crossing of 0 is put in.
        """
        recall_gain, precision_gain, rows = areas.gain_points(self)
        threshold = np.asarray(self.threshold[rows], np.float64)
        return Table({"recall_gain": recall_gain, "precision_gain": precision_gain, "threshold": threshold})

    def max_f(self, beta: float = 1.0) -> OperatingPoint:
        """The operating point of greatest F; among equals the one that accepts least."""
        return points.max_f(self, beta)

    def break_even(self, method: str = "nearest") -> float:
        """Where precision equals recall, in one of three senses; they are different numbers.

        Parameters
        ----------
        method : "nearest" (also "interpolated-bep", as the literature calls it): mean of P and R at the threshold
            with a hit where they are nearest, of equals the greatest, which is where the policy "break-even" decides;
            "max-min" (once called "interpolated"; LingPipe's sense): the greatest min(P, R), where the interpolated
            (step) curve crosses P = R; "linear": the highest crossing of the straight lines between points.

        Examples
        --------
        >>> c = curve([0, 1, 0, 1, 1], [5, 4, 3, 2, 1])
        >>> [round(c.break_even(method), 4) for method in ("nearest", "max-min", "linear")]
        [0.3333, 0.6, 0.3333]
        """
        check_choice("method", method, [*best_points.BREAK_EVEN, *best_points.BREAK_EVEN_ALIASES])
        if method == "interpolated":
            warn(
                "break-even: 'interpolated' is 'max-min'; the literature's interpolated one is 'interpolated-bep'"
            )
        return self._value(f"BEP(method={method})", "block", "break-even")

    def eleven_point(self, *, from_one: bool = False) -> Float64:
        """Interpolated precision (the greatest at this recall or more) at recall 0, .1, ..., 1.

        Parameters
        ----------
        from_one : count a point (0, 1), accepting nothing, among the thresholds: tools that read the points off
            scikit-learn's curve do. The value at recall 0 is then 1, whatever the first block is.

        Examples
        --------
        >>> c = curve([1, 0, 1, 0], [0.9, 0.9, 0.8, 0.1])
        >>> print(c.eleven_point().mean().round(4), c.eleven_point(from_one=True).mean().round(4))
        0.6667 0.697
        """
        self.warn_undefined("interpolated precision")
        values = areas.eleven_points(self) if self.relevant else np.full(11, np.nan)
        return np.append(1.0, values[1:]) if from_one and self.relevant else values

    def at(
        self, *, threshold: float | None = None, recall: float | None = None, precision: float | None = None,
        cost: Mapping[str, float] | None = None, accept: int | None = None, max: str | Measure | None = None,
    ) -> OperatingPoint:  # fmt: skip
        """Choose an operating point by exactly one condition.

        Parameters
        ----------
        threshold : accept the cases that score at least this.
        recall : accept as few as reach this recall, but at least one block of equal scores.
        precision : the greatest recall at which precision is at least this.
        cost : {"fp": 1, "fn": 20}: least total cost; among equals the one that accepts least.
        accept : accept as many as possible, but at most this many.
        max : a measure of counts, at its best: "F(beta=2)", "MCC"; least where low is good.

        Raises
        ------
        UsageError
            The recall or precision is never reached, or not exactly one condition is given.

        Examples
        --------
        >>> curve([0, 1, 0, 1], [0.9, 0.8, 0.4, 0.3]).at(recall=0.5).threshold
        0.8
        """
        return points.choose(
            self, threshold=threshold, recall=recall, precision=precision, cost=cost, accept=accept, max=max
        )

    def hits(self, ties: str = "block") -> Hits:
        """The same as `Hits` of one ranking, for measures of ranked lists: `measure("P@10")(c.hits())`."""
        return ranked.hits(self, ties)

    def precision_at(self, k: int, ties: str = "block") -> float:
        """Precision among the k best; fewer than k cases: the missing ranks are misses."""
        check_whole("k", k, 1)
        return self._value(f"P@{k}", ties, "precision")

    def recall_at(self, k: int, ties: str = "block") -> float:
        """Recall among the k best."""
        check_whole("k", k, 1)
        return self._value(f"R@{k}", ties, "recall")

    def r_precision(self, ties: str = "block") -> float:
        """Precision among the R best, R being the number of relevant items, missed ones included."""
        return self._value("Rprec", ties, "R-precision")

    def reciprocal_rank(self, ties: str = "block") -> float:
        """1 / rank of the best relevant case; 0 when none was scored."""
        return self._value("RR", ties, "reciprocal rank")

    def simplify(self, tolerance: float = 1e-3) -> Curve:
        """Fewer points for drawing: no area of `areas()` but the gain's moves by more than `tolerance`.

        With `tolerance=0` only points go that lie on a straight line of both curves.
        """
        few: Curve = import_module("precall.drawing.thinning").simplified(self, tolerance)
        return few


def _lacking(curve: Curve, method: str) -> bool:
    """Whether an area is undefined for want of relevant or of whole cases."""
    real = not isinstance(curve.relevant, int) and method == "davis-goadrich-discrete"
    return not curve.relevant or real
