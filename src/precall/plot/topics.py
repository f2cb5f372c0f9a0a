"""Two systems topic by topic: sorted bars of differences, and a scatter with the diagonal."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Self

import numpy as np

from precall.drawing import labels, palette
from precall.errors import UsageError
from precall.plot import canvas
from precall.plot.display import Display
from precall.text import printable

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from precall.ragged import Float64
    from precall.results import Report

#: With more topics their names have no room below the bars.
NAMED = 60


class TopicDisplay(Display):
    """Values of two systems, paired by topic.

    Parameters
    ----------
    first, second : topic → value; topics that only one of them has, or whose value is NaN or infinite in one, are
        left out and counted in `left_out`.
    names : of the systems.
    measure : what the values are.
    """

    def __init__(
        self, first: Mapping[str, float], second: Mapping[str, float], names: tuple[str, str] = ("A", "B"),
        measure: str = "value",
    ) -> None:  # fmt: skip
        both = [topic for topic in first if topic in second]
        pairs = np.array([[first[topic], second[topic]] for topic in both], np.float64).reshape(-1, 2)
        known = np.asarray(np.isfinite(pairs).all(axis=1), np.bool_)
        self.topics = [topic for topic, kept in zip(both, known.tolist(), strict=True) if kept]
        self.values: tuple[Float64, Float64] = (pairs[known, 0], pairs[known, 1])
        self.left_out = len(set(first) | set(second)) - len(self.topics)
        self.names, self.measure = names, measure
        if not self.topics:
            raise UsageError(f"{names[0]} and {names[1]} have no topic in common with a value of {measure}")

    def __repr__(self) -> str:
        return printable(
            f"<{type(self).__name__}: {len(self.topics)} topics, {self.measure} of {' and '.join(self.names)}>"
        )

    @classmethod
    def from_report(cls, report: Report, measure: str, first: str, second: str) -> Self:
        """Of two runs of what `evaluate` returned, in one of its measures."""
        known = {run.name: run for run in report.runs}
        for name in (first, second):
            if name not in known:
                raise UsageError(f"no run {name!r}; there are {', '.join(known)}")
        name = report.asked.get(measure, measure)
        if name not in report.measures:
            raise UsageError(f"no measure {measure!r}; there are {', '.join(report.measures)}")
        row = report.measures.index(name)
        values = [
            dict(zip(known[run].topics, known[run].values[row].tolist(), strict=True))
            for run in (first, second)
        ]
        return cls(values[0], values[1], (first, second), name)


class TopicDifferences(TopicDisplay):
    """The second system minus the first, topic by topic, greatest gain first.

    Gains are bars upwards, losses downwards and hatched. Up to 60 topics are named.

    Examples
    --------
    >>> display = TopicDifferences({"q1": 0.5, "q2": 0.5}, {"q1": 0.25, "q2": 1.0}).plot()
    >>> display.differences_.tolist(), display.order_
    ([0.5, -0.25], ['q2', 'q1'])
    """

    differences_: Float64
    order_: list[str]

    def plot(self, ax: Axes | None = None, *, legend: bool = True, **bars: Any) -> Self:
        """Draw on `ax` or a new figure; `bars` goes to matplotlib."""
        difference = self.values[1] - self.values[0]
        order = np.argsort(-difference, kind="stable")
        self.differences_, self.order_ = difference[order], [self.topics[place] for place in order.tolist()]
        size = len(order)
        ax = self._open(ax, (max(canvas.WIDE[0], 0.15 * min(size, NAMED) + 1), canvas.WIDE[1]))
        bars = canvas.spelled(bars)
        first, second = (labels.plain(name) for name in self.names)
        ax.set_ylabel(f"{labels.plain(self.measure)}, {second} - {first}")
        lines: dict[Any, Any] = {}
        entries: list[tuple[Any, str]] = []
        kinds = {second: self.differences_ > 0, first: self.differences_ < 0}
        for place, (winner, chosen) in enumerate(kinds.items()):
            look: dict[str, Any] = {
                "color": palette.tint(palette.colour(place), 0.55),
                "hatch": palette.hatch(place),
                "linewidth": 0.6,
            }
            look["edgecolor"] = palette.colour(place)
            made = ax.bar(np.flatnonzero(chosen), self.differences_[chosen], 0.8, **look | bars)
            lines[self.names[1 - place]] = made
            entries.append((made, f"{winner} is greater: {int(chosen.sum())}"))
        ax.axhline(0, color="black", linewidth=0.8)
        ties = int(np.sum(self.differences_ == 0))
        if ties:
            entries.append((_nothing(ax), f"equal: {ties}"))
        self._name_topics(ax, size)
        return self._finish(ax, lines, entries, legend)

    def _name_topics(self, ax: Axes, size: int) -> None:
        ax.set_xlim(-0.6, size - 0.4)
        if size > NAMED:
            ax.set_xticks([])
            ax.set_xlabel(f"{size} topics")
            return
        ax.set_xticks(
            range(size), [labels.plain(topic) for topic in self.order_], rotation=90, fontsize="x-small"
        )
        ax.set_xlabel("topic")


class TopicScatter(TopicDisplay):
    """Each topic as a point: the first system across, the second upwards; above the diagonal the second wins.

    Examples
    --------
    >>> display = TopicScatter({"q1": 0.5, "q2": 0.5}, {"q1": 0.25, "q2": 1.0}).plot()
    >>> display.line_.get_offsets().tolist()
    [[0.5, 0.25], [0.5, 1.0]]
    """

    def plot(self, ax: Axes | None = None, *, legend: bool = True, **points: Any) -> Self:
        """Draw on `ax` or a new figure; `points` goes to matplotlib. Values in 0..1 get the unit square."""
        ax = self._open(ax, canvas.SQUARE)
        points = canvas.spelled(points)
        first, second = (labels.plain(name) for name in self.names)
        ax.set_xlabel(first)
        ax.set_ylabel(second)
        low, high = (float(f(self.values)) for f in (np.min, np.max))
        if low >= 0 and high <= 1:
            canvas.unit(ax, first, second)
            low, high = 0.0, 1.0
        else:
            room = 0.04 * (high - low) or 0.5
            low, high = low - room, high + room
            ax.set(xlim=(low, high), ylim=(low, high))
            ax.set_aspect("equal", adjustable="box")
            ax.set_anchor("W")
        ax.set_title(labels.plain(self.measure), fontsize="medium")
        guide: dict[str, Any] = {"color": palette.GUIDE, "linewidth": 1.0, "zorder": 1}
        equal = ax.plot([low, high], [low, high], **guide)[0]
        look: dict[str, Any] = {
            "s": 24,
            "color": palette.colour(0),
            "alpha": 0.7,
            "linewidth": 0,
            "zorder": 3,
            "clip_on": False,
        }
        made = ax.scatter(*self.values, **look | points)
        a, b = self.values
        entries = [(made, f"{len(self.topics)} topics"), (equal, "equal")]
        entries.append((_nothing(ax), f"above: {int(np.sum(b > a))}, below: {int(np.sum(b < a))}"))
        return self._finish(ax, {"topics": made}, entries, legend)


def _nothing(ax: Axes) -> Any:
    """A legend's line of text without a sign."""
    return ax.plot([], [], linestyle="none")[0]
