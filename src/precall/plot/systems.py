"""Systems side by side: means with letters, differences of pairs, topics of two, 11 points."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Self

import numpy as np

from precall.core.arguments import check_exists, check_kind, check_some
from precall.core.errors import Among, Shape, UsageError
from precall.core.text import as_text, many, printable
from precall.core.vocabulary import VOCABULARY, Vocabulary, speaking, vocabulary_of
from precall.evaluation.report import Report
from precall.measures.areas import TENTHS
from precall.plot import canvas, legends
from precall.plot.canvas import Display
from precall.plot.shared import styles
from precall.stats.tests.pairing import differences

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.lines import Line2D

    from precall.cases import Curve
    from precall.core.ragged import Float64

#: With more topics than this, their names have no room below the bars.
NAMED = 60


class IntervalLines(Display):
    """A row for each name: its value and its interval.

    Parameters
    ----------
    names : of the rows, from the top.
    values, low, high : numbers, one per row; `low` and `high` may be None.
    letters : compact letter display, one string per row: rows that share a letter do not differ
        significantly.
    """

    def __init__(
        self,
        names: Sequence[str],
        values: object,
        low: object = None,
        high: object = None,
        letters: Sequence[str] | None = None,
    ) -> None:
        self.names: list[str] = [as_text(name) for name in names]
        self.values: Float64 = np.asarray(values, np.float64)
        ends = [
            self.values if side is None else np.asarray(side, np.float64) for side in (low, high)
        ]
        self.low: Float64 = ends[0]
        self.high: Float64 = ends[1]
        self.letters: list[str] = (
            [""] * len(self.names) if letters is None else [str(text) for text in letters]
        )
        for field in ("values", "low", "high", "letters"):
            shape, size = np.shape(getattr(self, field)), len(self.names)
            if shape != (size,):
                raise UsageError(
                    argument=field,
                    allowed=f"one for each of {size} names",
                    got=Shape(shape),
                )
        check_some("names", self.names)
        if np.any(self.low > self.values) or np.any(self.high < self.values):
            raise UsageError(argument="low, high", allowed="below and above the values")

    def __repr__(self) -> str:
        return f"<{type(self).__name__}: {many(len(self.names), 'row')}>"

    def _rows(
        self,
        ax: Axes | None,
        look: dict[str, Any],
        order: Sequence[int],
        across: str,
        title: str | None,
    ) -> tuple[Axes, dict[str, Any], Float64]:
        ax, look = self._open(ax, look, (canvas.WIDE[0], 1.1 + 0.3 * len(self.names)), title)
        heights = canvas.list_names(ax, [self.names[row] for row in order], 0.6)
        ax.set_xlabel(styles.escape_name(across))
        return ax, look, heights

    def _whiskers(self, ax: Axes, place: Float64, rows: Any, colour: str) -> None:
        ax.hlines(place, self.low[rows], self.high[rows], color=colour, linewidth=1.6)


class SystemMeans(IntervalLines):
    """Means of systems with their intervals and letters, best first.

    Examples
    --------
    >>> display = SystemMeans(
    ...     ["a", "b"], [0.2, 0.3], [0.1, 0.2], [0.3, 0.4], letters=["x", "x"]
    ... ).plot()
    >>> display.order_, display.line_.get_xdata().tolist()
    (['b', 'a'], [0.3, 0.2])
    """

    order_: list[str]

    @classmethod
    def from_intervals(
        cls, intervals: Mapping[str, Any], letters: Mapping[str, str] | None = None
    ) -> Self:
        """Display of a dict from name to an interval with `value` (or `estimate`), `low` and
        `high`; letters by name.
        """
        check_some("intervals", intervals)
        lacking = [name for name in intervals if letters is not None and name not in letters]
        if lacking:
            remedy = "give one string for each name, or none at all"
            raise UsageError(
                argument="letters", what="none of {got}", got=lacking[0], remedy=remedy
            )
        bounded = intervals.values()
        values = [
            float(interval_.value if hasattr(interval_, "value") else interval_.estimate)
            for interval_ in bounded
        ]
        low, high = ([getattr(interval, end) for interval in bounded] for end in ("low", "high"))
        shown = None if letters is None else [letters[name] for name in intervals]
        return cls(list(intervals), values, low, high, shown)

    def plot(
        self,
        ax: Axes | None = None,
        *,
        measure: str = "mean",
        ascending: bool | None = False,
        title: str | None = None,
        **points: Any,
    ) -> Self:
        """Draw.

        Parameters
        ----------
        ax : as `PrecisionRecall.plot` takes it.
        measure : name of the measure, written below the axis.
        title : above the axes.
        ascending : False: greatest on top; True: least on top; None: in the given order. Undefined
            values stand at the bottom.
        **points : looks of matplotlib for the values.
        """
        order = list(range(len(self.names)))
        if ascending is not None:
            # Undefined values come last.
            order = np.argsort(self.values if ascending else -self.values, kind="stable").tolist()
        self.order_ = [self.names[row] for row in order]
        ax, points, heights = self._rows(ax, points, order, measure, title)
        self._whiskers(ax, heights, order, styles.colour(0))
        artist = ax.plot(self.values[order], heights, **canvas.dots(styles.colour(0)) | points)[0]
        for at, row in zip(heights.tolist(), order, strict=True):
            ax.annotate(
                self.letters[row],
                (1.0, at),
                (6, 0),
                ax.get_yaxis_transform(),
                "offset points",
                va="center",
                family="monospace",
                annotation_clip=False,
            )
        self.lines_["values"] = artist
        return self._finish(ax)


class PairDifferences(IntervalLines):
    """Differences of pairs with simultaneous intervals (Tukey's HSD). Pairs whose interval excludes
    0 are filled.

    Examples
    --------
    >>> display = PairDifferences(["b - a", "c - a"], [0.2, 0.1], [0.1, -0.1], [0.3, 0.3]).plot()
    >>> (
    ...     display.lines_["differs"].get_xdata().tolist(),
    ...     display.lines_["may not"].get_xdata().tolist(),
    ... )
    ([0.2], [0.1])
    """

    @classmethod
    def from_pairs(cls, pairs: Iterable[object]) -> Self:
        """Display of comparisons with `names`, `difference`, `low` and `high`, such as
        `pc.compare(...).pairs`.
        """
        several = canvas.several("pairs", pairs, "comparisons, as pc.compare(...).pairs")
        rows = [
            (" - ".join(map(str, pair.names)), pair.difference, pair.low, pair.high)
            for pair in several
        ]
        check_some("pairs", rows, "")
        return cls(*map(list, zip(*rows, strict=True)))

    def plot(
        self,
        ax: Axes | None = None,
        *,
        measure: str = "difference",
        title: str | None = None,
        legend: bool = True,
        **points: Any,
    ) -> Self:
        """Draw, in the given order; see `SystemMeans.plot`."""
        ax, points, heights = self._rows(ax, points, range(len(self.names)), measure, title)
        ax.axvline(0, color=styles.ink(), linewidth=0.9)
        # A pair without an interval (NaN) must not count as one whose interval contains 0.
        unknown = self.low != self.low
        sure = (self.low > 0) | (self.high < 0)
        kinds = {
            "differs": (sure, "0 is outside", canvas.dots(styles.colour(0))),
            "may not": (
                ~sure & ~unknown,
                "0 is inside",
                canvas.dots(styles.guide()) | {"markerfacecolor": styles.ground()},
            ),
        }
        if unknown.any():
            kinds["no interval"] = (unknown, "no interval", canvas.dots(styles.guide(), "|", 9))
        for name, (chosen, words, look) in kinds.items():
            if name != "no interval":
                self._whiskers(ax, heights[chosen], chosen, look["color"])
            self._line(
                name, ax.plot(self.values[chosen], heights[chosen], **look | points)[0], words
            )
        return self._finish(ax, legend)


class TopicDisplay(Display):
    """Values of two systems, paired by topic.

    Parameters
    ----------
    first, second : topic → value; topics that only one of them has, or whose value is NaN or
        infinite in one, are left out and counted in `left_out`.
    names : names of the systems.
    measure : name of the measure.
    """

    def __init__(
        self,
        first: Mapping[str, float],
        second: Mapping[str, float],
        names: tuple[str, str] = ("A", "B"),
        measure: str = "value",
    ) -> None:
        for values_by_topic in (first, second):
            check_kind("first, second", values_by_topic, Mapping, "{topic: value}")
        both = [topic for topic in first if topic in second]
        pairs = np.array([[first[topic], second[topic]] for topic in both], np.float64).reshape(
            -1, 2
        )
        finite = np.asarray(np.isfinite(pairs).all(axis=1), np.bool_)
        self.topics: list[str] = [
            topic for topic, kept in zip(both, finite.tolist(), strict=True) if kept
        ]
        self.values: tuple[Float64, Float64] = (pairs[finite, 0], pairs[finite, 1])
        self.left_out: int = len(set(first) | set(second)) - len(self.topics)
        self.names: tuple[str, str] = names
        self.measure: str = measure
        self._words: Vocabulary = VOCABULARY.get()
        if not self.topics:
            raise UsageError(
                f"{names[0]} and {names[1]} have no topic in common with a value of {measure}"
            )

    def __repr__(self) -> str:
        description = (
            f"{self._words.count(len(self.topics), 'topic')}, {self.measure} of "
            f"{' and '.join(self.names)}"
        )
        return printable(f"<{type(self).__name__}: {description}>")

    @classmethod
    def from_report(cls, report: Report, measure: str, first: str, second: str) -> Self:
        """Display of two runs of a report, by one of its measures."""
        runs_by_name = {run.name: run for run in report.runs}
        for name in (first, second):
            check_exists("", name, runs_by_name, "run")
        name = report.name_of(measure)
        if name not in report.measures:
            raise UsageError(
                argument="measure",
                what="no measure {got}",
                got=measure,
                allowed=Among("there are", report.measures),
            )
        row = report.measures.index(name)
        runs = (runs_by_name[first], runs_by_name[second])
        a, b = (dict(zip(run.topics, run.values[row].tolist(), strict=True)) for run in runs)
        with speaking(vocabulary_of(report.conventions)):
            return cls(a, b, (first, second), report.head_by(measure))


class TopicDifferences(TopicDisplay):
    """The first system minus the second, topic by topic, greatest first; the sign is that of
    `compare`.

    Topics in which the first is greater are bars upwards; the others are hatched bars downwards. Up
    to 60 topics are named.

    Examples
    --------
    >>> display = TopicDifferences({"q1": 0.5, "q2": 0.5}, {"q1": 0.25, "q2": 1.0}).plot()
    >>> display.differences_.tolist(), display.order_
    ([0.25, -0.5], ['q1', 'q2'])
    """

    differences_: Float64
    order_: list[str]

    def plot(
        self, ax: Axes | None = None, *, title: str | None = None, legend: bool = True, **bars: Any
    ) -> Self:
        """Draw on `ax` or on a new figure. `bars` holds looks of matplotlib."""
        difference = differences(*self.values)
        order = np.argsort(-difference, kind="stable")
        self.differences_, self.order_ = (
            difference[order],
            [self.topics[index] for index in order.tolist()],
        )
        size = len(order)
        ax, bars = self._open(
            ax, bars, (max(canvas.WIDE[0], 0.15 * min(size, NAMED) + 1), canvas.WIDE[1]), title
        )
        first, second = map(styles.escape_name, self.names)
        ax.set_ylabel(f"{styles.escape_name(self.measure)}, {first} - {second}")
        kinds = ((first, self.differences_ > 0), (second, self.differences_ < 0))
        for index, (winner, chosen) in enumerate(kinds):
            colour = styles.colour(index)
            look: dict[str, Any] = {
                "color": styles.tint(colour, 0.55),
                "edgecolor": colour,
                "linewidth": 0.6,
            }
            look |= {"hatch": styles.hatch(index)} | bars
            artist = ax.bar(np.flatnonzero(chosen), self.differences_[chosen], 0.8, **look)
            self._line(self.names[index], artist, f"{winner} is greater: {int(chosen.sum())}")
        ax.axhline(0, color=styles.ink(), linewidth=0.8)
        if ties := int(np.sum(self.differences_ == 0)):
            self._say(_nothing(ax), f"equal: {ties}")
        ax.set_xlim(-0.6, size - 0.4)
        if size > NAMED:
            ax.set(xticks=[], xlabel=self._words.count(size, "topic"))
        else:
            ax.set_xticks(
                range(size),
                list(map(styles.escape_name, self.order_)),
                rotation=90,
                fontsize="x-small",
            )
            ax.set_xlabel(self._words.word("topic"))
        return self._finish(ax, legend)


class TopicScatter(TopicDisplay):
    """Each topic as a point: the first system on the horizontal axis, the second on the vertical
    one. Above the diagonal the second is better.

    Examples
    --------
    >>> display = TopicScatter({"q1": 0.5, "q2": 0.5}, {"q1": 0.25, "q2": 1.0}).plot()
    >>> display.line_.get_offsets().tolist()
    [[0.5, 0.25], [0.5, 1.0]]
    """

    def plot(
        self,
        ax: Axes | None = None,
        *,
        title: str | None = None,
        legend: bool = True,
        **points: Any,
    ) -> Self:
        """Draw on `ax` or on a new figure. `points` holds looks of matplotlib. If all values lie in
        0..1, the axes are the unit square.
        """
        ax, points = self._open(ax, points, canvas.SQUARE, self.measure if title is None else title)
        first, second = map(styles.escape_name, self.names)
        low, high = (float(f(self.values)) for f in (np.min, np.max))
        if low >= 0 and high <= 1:
            canvas.unit(ax, first, second)
            low, high = 0.0, 1.0
        else:
            room = 0.04 * (high - low) or 0.5
            low, high = low - room, high + room
            ax.set(xlabel=first, ylabel=second, xlim=(low, high), ylim=(low, high))
            ax.set_aspect("equal", adjustable="box")
            ax.set_anchor("W")
        equal = ax.plot([low, high], [low, high], color=styles.guide(), linewidth=1.0, zorder=1)[0]
        look: dict[str, Any] = {"s": 24, "color": styles.colour(0), "alpha": 0.7, "linewidth": 0}
        artist = ax.scatter(*self.values, **look | {"zorder": 3, "clip_on": False} | points)
        over = differences(self.values[1], self.values[0])
        self._line("topics", artist, self._words.count(len(self.topics), "topic"))
        self._say(equal, "equal")
        self._say(_nothing(ax), f"above: {int(np.sum(over > 0))}, below: {int(np.sum(over < 0))}")
        return self._finish(ax, legend)


def _nothing(ax: Axes) -> Line2D:
    """An invisible artist, for a line of text in the legend."""
    return ax.plot([], [], linestyle="none")[0]


class ElevenPoint(Display):
    """Interpolated precision at recall 0, .1, ..., 1, as markers. The lines between them only guide
    the eye, as in TREC's reports.

    Parameters
    ----------
    runs : name → the eleven values.

    Examples
    --------
    >>> from precall import evaluate
    >>> report = evaluate({"q": {"a": 1}}, {"q": {"a": 1.0, "b": 2.0}}, ElevenPoint.MEASURES)
    >>> ElevenPoint.from_report(report).plot().line_.get_ydata().tolist()[:3]
    [0.5, 0.5, 0.5]
    """

    #: The measures to give to `evaluate`.
    MEASURES = tuple(f"IPrec(recall={recall:g})" for recall in TENTHS)

    def __init__(self, runs: Mapping[str, object]) -> None:
        check_some("runs", check_kind("runs", runs, Mapping, "{name: the eleven values}"))
        self.runs: dict[str, Float64] = {
            as_text(name): np.asarray(values, np.float64) for name, values in runs.items()
        }
        for name, values in self.runs.items():
            if values.shape != (11,):
                raise UsageError(
                    argument="runs",
                    what=f"eleven values each, {{got}} has the shape {values.shape}",
                    got=name,
                )

    @classmethod
    def from_report(cls, report: Report) -> Self:
        """Display of the averages that `evaluate(qrels, runs, ElevenPoint.MEASURES)` returned."""
        check_kind("report", report, Report, "what pc.evaluate() returns")
        try:
            mean = report.mean
            return cls(
                {run.name: [mean[run.name, key] for key in cls.MEASURES] for run in report.runs}
            )
        except KeyError as error:
            raise UsageError(
                argument="report",
                what="has no 11 points",
                remedy="evaluate with ElevenPoint.MEASURES",
            ) from error

    @classmethod
    def from_curves(cls, curves: Mapping[str, Curve]) -> Self:
        """Display of curves by name."""
        curves_by_name = check_kind("curves", curves, Mapping, "{name: curve}")
        return cls({name: curve.eleven_point() for name, curve in curves_by_name.items()})

    def plot(
        self,
        ax: Axes | None = None,
        *,
        highlight: object = None,
        title: str | None = None,
        legend: bool = True,
        **line: Any,
    ) -> Self:
        """Draw; see `PrecisionRecall.plot`."""
        ax, line = self._open(ax, line, canvas.SQUARE, title)
        canvas.unit(ax, "recall", "interpolated precision")
        places = legends.choose_colours(
            {name: float(values.mean()) for name, values in self.runs.items()}, highlight
        )
        for name, index in places.items():
            look = styles.style_of_markers(index) | {"linewidth": 1.5} | line
            self._line(name, ax.plot(TENTHS, self.runs[name], **look)[0], styles.escape_name(name))
        others = [name for name in self.runs if name not in places]
        for name in others:
            self.lines_[name] = ax.plot(TENTHS, self.runs[name], **line | legends.grey())[0]
        if others:
            self._say(self.lines_[others[0]], many(len(others), "other"))
        return self._finish(ax, legend)
