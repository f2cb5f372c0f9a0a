"""One curve against its thresholds and by its scores; several curves against rank."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from itertools import product
from typing import TYPE_CHECKING, Any, Self

import numpy as np

from precall.cases import Curve, curve
from precall.cases.scored_cases import orient
from precall.cases.thinning import FAR, part, rows_to_draw
from precall.core.arguments import check_choice, is_number, is_whole
from precall.core.errors import UsageError, needs_cases_in_memory
from precall.core.ragged import Float64
from precall.core.text import format_count, many
from precall.measures import Measure, of_counts, weighted
from precall.plot import canvas, legends
from precall.plot.canvas import Display
from precall.plot.curve_display import CurveDisplay, check, pairs_of
from precall.plot.shared import logit, styles

if TYPE_CHECKING:
    import numpy.typing as npt
    from matplotlib.axes import Axes
    from matplotlib.lines import Line2D

    from precall.cases import OperatingPoint


def _every_score(curve: Curve) -> None:
    """Refuse a curve that has no rows for scores between relevant ones, if these rows would change
    the picture.
    """
    if curve.asked is not None:
        raise needs_cases_in_memory("view", "by thresholds, ranks or scores it ")


class OneCurve(Display):
    """A picture of one curve.

    Parameters
    ----------
    curve : a result of `precall.curve`.
    """

    def __init__(self, curve: Curve) -> None:
        check(curve, "")
        _every_score(curve)
        self.curve = curve

    def __repr__(self) -> str:
        return f"<{type(self).__name__} of {self.curve!r}>"

    @classmethod
    def from_curve(cls, curve: Curve) -> Self:
        """Display of a curve."""
        return cls(curve)

    @classmethod
    def from_cases(cls, relevant: object, score: object, **options: Any) -> Self:
        """Display of scored cases, as `precall.curve` takes them."""
        return cls(curve(relevant, score, **options))

    def _rows_before(self, threshold: float, or_at: bool = False) -> int:
        """Number of rows with a better threshold, or with one at least as good; found by bisection,
        without copying all thresholds.
        """
        beyond, low = bisect_right if or_at else bisect_left, not self.curve.higher_is_better
        return beyond(
            self.curve.threshold,
            orient(threshold, low),
            key=lambda score: orient(float(score), low),
        )

    def _finite(self) -> slice:
        """Rows whose threshold fits on an axis: neither infinite nor beyond 1e300, which stands for
        infinite.
        """
        best, worst = (orient(end, self.curve.higher_is_better) for end in (FAR, -FAR))
        return slice(self._rows_before(best, True), self._rows_before(worst))

    def _ends(self, scale: str | None) -> tuple[float, float] | None:
        """Ends of a logit axis; None for a linear one."""
        check_choice("scale", scale, (None, "linear", "logit"))
        if scale == "linear":
            return None
        threshold = np.asarray(self.curve.threshold[self._finite()], np.float64)
        if scale is None:
            return logit.ends(threshold)
        inner = threshold[(threshold > 0) & (threshold < 1)]
        if not len(inner) or threshold.min() < 0 or threshold.max() > 1:
            raise UsageError(
                argument="scale",
                what='"logit" needs scores in 0..1 that are not all 0 or 1',
                remedy="leave it out",
            )
        return logit.reach(inner)


class AgainstThreshold(OneCurve):
    """Precision, recall and F, or other measures of counts, if every case is accepted whose score
    is at least the threshold.

    If low scores are good, cases with a score of at most the threshold are accepted. The line is
    drawn in steps: each is as long as the threshold can move before another case is accepted.
    Beyond the best score nothing is accepted and nothing drawn. Infinite scores have no position on
    the axis.

    Examples
    --------
    >>> from precall import curve
    >>> display = AgainstThreshold.from_curve(curve([0, 1, 0, 1], [0.9, 0.8, 0.4, 0.3])).plot()
    >>> display.lines_["recall"].get_xdata().tolist(), display.lines_["recall"].get_ydata().tolist()
    ([0.3, 0.4, 0.8, 0.9], [1.0, 0.5, 0.5, 0.0])
    """

    def plot(
        self,
        ax: Axes | None = None,
        *,
        measures: Sequence[str] = ("precision", "recall", "F"),
        beta: float = 1.0,
        points: object = (),
        scale: str | None = None,
        title: str | None = None,
        legend: bool = True,
        **line: Any,
    ) -> Self:
        """Draw.

        Parameters
        ----------
        measures : any measures of counts, such as "specificity", "MCC" or "F(beta=2)".
        beta : of "F".
        points : {label: operating point} or points; each is a vertical line at its threshold.
        scale : "linear"; or "logit", even in log(p / (1 - p)), for scores in 0..1, with 0 and 1 at
            its ends; None: logit if at least half of the thresholds lie within .05 of 0 or 1, as is
            usual for rare cases.
        ax, title, legend, **line : as `PrecisionRecall.plot` takes them.
        """
        chosen = _find_measures(measures, beta)
        finite = self._finite()
        if not len(self.curve.threshold[finite]):
            raise UsageError(
                argument="curve",
                what="all scores are infinite, so no threshold can be drawn",
            )
        ends = self._ends(scale)
        few = self._few(list(chosen.values()), finite, ends)
        x = np.asarray(few.threshold[-2::-1], np.float64)
        ax, line = self._open(ax, line, title=title)
        if ends is not None:
            canvas.shares(ax, ends)
            x = np.clip(x, *ends)
        _shares(ax, chosen)
        ax.set_xlabel("threshold")
        for index, (name, measure) in enumerate(chosen.items()):
            style = styles.stroke(index) | {"drawstyle": "steps-pre", "linewidth": 1.8} | line
            artist = ax.plot(x, few.values(measure)[-2::-1], **style)[0]
            self._line(name, artist, f"F{beta:g}" if name == "F" else name)
        for number, (label, point) in enumerate(pairs_of(points)):
            words = canvas.name_point(styles.escape_name(label), point)
            self._say(self._mark(ax, point, number), words)
        return self._finish(ax, legend)

    def _few(self, chosen: list[Measure], finite: slice, ends: tuple[float, float] | None) -> Curve:
        """A curve of the rows to draw, and the last row, which holds the total number of cases."""
        # R and Specificity are monotonic, so their rows can be thinned without looking for
        # extremes.
        others = [measure for measure in chosen if measure.name not in ("R", "Specificity")]
        turning = [np.nan_to_num(self.curve.values(measure)[finite]) for measure in others]
        threshold = np.asarray(self.curve.threshold[finite], np.float64)
        even = threshold if ends is None else logit.along(threshold, *ends)
        return part(
            self.curve, np.append(finite.start + rows_to_draw(even, turning), len(self.curve) - 1)
        )

    def _mark(self, ax: Axes, point: OperatingPoint, number: int) -> Line2D:
        at = point.threshold
        style: dict[str, Any] = {"marker": styles.marker(number), "markevery": [1], "markersize": 7}
        return ax.plot([at, at], [0, 1], color=styles.guide(), linewidth=1, clip_on=False, **style)[
            0
        ]


class ScoresByClass(OneCurve):
    """The distribution of the scores of relevant and of other cases: two histograms with the same
    bins.

    Heights are shares of the cases of each kind (`share=True`), so that few relevant cases are
    visible beside many others; or counts. They are computed from the curve, so 10⁷ cases take no
    longer than a thousand. Cases with infinite scores are in no bin, but count in the total.

    Examples
    --------
    >>> from precall import curve
    >>> display = ScoresByClass.from_curve(curve([0, 1, 0, 1], [0.9, 0.8, 0.4, 0.1])).plot(bins=2)
    >>> display.heights_["relevant"].tolist(), display.edges_.tolist()
    ([0.5, 0.5], [0.1, 0.5, 0.9])
    """

    heights_: dict[str, Float64]
    edges_: Float64

    def plot(
        self,
        ax: Axes | None = None,
        *,
        bins: int | Sequence[float] = 40,
        share: bool = True,
        scale: str | None = None,
        title: str | None = None,
        legend: bool = True,
        **bars: Any,
    ) -> Self:
        """Draw.

        Parameters
        ----------
        bins : how many bins of equal width, or their edges, ascending. All but the last are open
            above.
        scale : as `AgainstThreshold.plot` takes it; bins have equal width on this scale.
        share : heights are shares of each kind's cases; False: counts (sums of weights).
        ax, title, legend : as `PrecisionRecall.plot` takes them.
        **bars : of matplotlib's `stairs`.
        """
        ends = None if np.ndim(bins) else self._ends(scale)
        edges = self._edges(bins) if ends is None else logit.edges(*ends, _bins(bins))
        ax, bars = self._open(ax, bars, title=title)
        if ends is not None:
            canvas.shares(ax, ends)
        ax.set(xlabel="score", ylabel="share of its cases" if share else "cases")
        self.heights_, self.edges_ = {}, edges
        kinds = {
            "other": (self.curve.fp, self.curve.other),
            "relevant": (self.curve.tp, self.curve.tp[-1]),
        }
        for index, (name, (below, total)) in enumerate(kinds.items()):
            # 0 and 1 have no position on a logit axis; their cases are in the outer bins.
            outer = edges if ends is None else np.concatenate(([0.0], edges[1:-1], [1.0]))
            height = self._counts(below, outer)
            if share:
                height = height / total if total else height * 0.0
            self.heights_[name] = height
            style: dict[str, Any] = (
                styles.stroke(1 - index) | {"linewidth": 1.6, "zorder": 3 + index} | bars
            )
            hatch, colour = styles.hatch(1 - index), style.pop("color")
            # A hatched area lies behind and is opaque, see `styles.tint`.
            face = styles.tint(styles.colour(1 - index), 0.18) if hatch else (colour, 0.18)
            tint: dict[str, Any] = {
                "fill": True,
                "facecolor": face,
                "edgecolor": colour,
                "hatch": hatch,
            }
            self._line(
                name,
                ax.stairs(height, edges, **tint | style),
                f"{name}, {format_count(total)} case{'s' * bool(total != 1)}",
            )
        ax.set_ylim(bottom=0)
        self.lines_: dict[Any, Any] = {name: self.lines_[name] for name in ("relevant", "other")}
        self._entries.reverse()
        return self._finish(ax, legend)

    def _counts(self, accepted: npt.NDArray[Any], edges: Float64) -> Float64:
        """Number of cases in each bin: accepted at one edge, but not at the other."""
        at = self.curve.higher_is_better
        rows = [self._rows_before(edge, at) for edge in edges.tolist()]
        rows[-1] = self._rows_before(float(edges[-1]), not at)
        # The first row has an infinite threshold and accepts nothing.
        return np.abs(np.diff(np.asarray(accepted[np.maximum(np.array(rows) - 1, 0)], np.float64)))

    def _edges(self, bins: int | Sequence[float]) -> Float64:
        if np.ndim(bins):
            edges = np.asarray(bins, np.float64)
            if edges.ndim != 1 or len(edges) < 2 or not np.all(np.diff(edges) > 0):
                raise UsageError(
                    argument="bins", what="edges must be two numbers or more, ascending"
                )
            return edges
        count = _bins(bins)
        finite = self._finite()
        if finite.start >= finite.stop:
            raise UsageError(argument="bins", what="all scores are infinite", remedy="give edges")
        ends = self.curve.threshold[finite][[0, -1]]
        low, high = sorted(np.asarray(ends, np.float64).tolist())
        return np.linspace(low - 0.5 * (low == high), high + 0.5 * (low == high), count + 1)


class AgainstRank(CurveDisplay):
    """Recall and precision, or other measures of counts, of the best k cases, over k: the result of
    a given budget.

    Cases of equal score are accepted together. Between two thresholds the line stays at the value
    of `Curve.at(accept=k)`, the greatest acceptance of at most k cases.

    Examples
    --------
    >>> from precall import curve
    >>> display = AgainstRank.from_curve(curve([1, 0, 0, 1], [4, 3, 3, 1])).plot()
    >>> line = display.lines_["", "recall"]
    >>> line.get_xdata().tolist(), line.get_ydata().tolist()
    ([1, 3, 4], [0.5, 0.5, 1.0])
    """

    def plot(
        self,
        ax: Axes | None = None,
        *,
        measures: Sequence[str] = ("recall", "precision"),
        log: bool | None = None,
        budgets: Sequence[int] = (),
        highlight: object = None,
        title: str | None = None,
        legend: bool = True,
        **line: Any,
    ) -> Self:
        """Draw. Each system has a colour and a marker; measures differ in their dashes.

        Parameters
        ----------
        measures : any measures of counts, such as "F" or "MCC".
        log : show ranks in powers of ten (default: for more than 1000 cases).
        budgets : ranks to mark by vertical lines.
        ax, highlight, title, legend, **line : as `PrecisionRecall.plot` takes them.
        """
        chosen = _find_measures(measures)
        measures = list(chosen)
        ranks = _ranks(budgets)
        self._check()
        self._highlight(highlight, lambda curve: curve.average_precision())
        deepest = max((c[0].tp[-1] + c[0].fp[-1]).item() for c in self.systems.values())
        log = deepest > 1000 if log is None else log
        ax, line = self._open(ax, line, title=title)
        _shares(ax, chosen)
        ax.set(xlabel="rank", ylabel=measures[0] if len(measures) == 1 else "")
        if log:
            canvas.powers(ax)
        for name, index in self._places.items():
            for number, measure in enumerate(measures):
                alone = len(self.systems) == 1
                look = styles.stroke(number) if alone else _look(index, number, len(measures))
                style = look | {"linewidth": 1.8, "drawstyle": "steps-post"} | line
                artist = ax.plot(*self._by_rank(name, chosen[measure], log), **style)[0]
                words = [styles.escape_name(name), measure if len(measures) > 1 or not name else ""]
                self._line((name, measure), artist, ", ".join(filter(None, words)))
        grey = {"drawstyle": "steps-post"} | line | legends.grey()
        others = [name for name in self.systems if name not in self._places]
        for name, measure in product(others, measures):
            self.lines_[name, measure] = ax.plot(
                *self._by_rank(name, chosen[measure], log), **grey
            )[0]
        if others:
            self._say(self.lines_[others[0], measures[0]], many(len(others), "other"))
        for k in ranks:
            ax.axvline(k, **canvas.guide())
            ax.annotate(
                f"{k:g}",
                (k, 1),
                (0, 4),
                ("data", "axes fraction"),
                "offset points",
                ha="center",
                fontsize="small",
                color=styles.guide(),
            )
        if not log:
            ax.set_xlim(left=0)
        return self._finish(ax, legend)

    def _check(self) -> None:
        for curves in self.systems.values():
            _every_score(curves[0])
            if len(curves) > 1:
                raise UsageError(
                    argument="folds",
                    what="have no common ranks",
                    remedy="draw one of them, or several by from_curves",
                )

    def _by_rank(self, name: str, measure: Measure, log: bool) -> tuple[Any, Any]:
        curve = self.systems[name][0]
        rank = (curve.tp + curve.fp)[1:]
        # Recall is monotonic.
        turning = () if measure.name == "R" else (np.nan_to_num(curve.values(measure)[1:]),)
        rows = rows_to_draw(rank, turning, log=log)
        return rank[rows], part(curve, rows + 1).values(measure)


def _bins(bins: object) -> int:
    if not is_whole(bins) or bins < 1:
        raise UsageError(argument="bins", allowed="an integer >= 1 or edges", got=bins)
    return int(bins)


def _ranks(budgets: object) -> list[float]:
    ranks = canvas.several("budgets", budgets, "ranks")
    for k in ranks:
        if not is_number(k) or k <= 0:
            raise UsageError(argument="budgets", allowed="ranks > 0", got=k)
    return ranks


def _look(place: int, number: int, measures: int) -> dict[str, Any]:
    """Looks of a system's line for a measure. If dashes distinguish measures, only markers
    distinguish systems in grey print.
    """
    look: dict[str, Any] = styles.stroke(place)
    if measures > 1:
        look |= {"linestyle": styles.DASHES[number], "marker": styles.marker(place)}
        look |= {"markevery": (0.03 * (place + 1), 0.15), "markersize": 5}
    return look


def _find_measures(measures: Sequence[str], beta: float = 1.0) -> dict[str, Measure]:
    """Measures of counts by name; `beta` is that of "F"."""
    if not measures:
        raise UsageError(
            argument="measures", what="got none", remedy="name one measure of counts or several"
        )
    names = canvas.several("measures", measures, "names of measures of counts")
    return {name: weighted("F", beta) if name == "F" else of_counts(name) for name in names}


def _shares(ax: Axes, measures: dict[str, Measure]) -> None:
    """Let the vertical axis run from 0 to 1, if all measures lie there."""
    if all(measure.declaration.range == (0, 1) for measure in measures.values()):
        canvas.span(ax, "y")
