"""Intervals: means of many systems with their letters, and differences of pairs."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Self

import numpy as np

from precall.drawing import labels, palette
from precall.errors import UsageError
from precall.plot import canvas
from precall.plot.display import Display

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from precall.ragged import Float64


class Intervals(Display):
    """A row for each name: its value, and from where to where it may lie.

    Parameters
    ----------
    names : of the rows, from the top.
    values, low, high : numbers, one per row; the whole of `low` and `high` may be None.
    letters : compact letter display, one string per row: rows that share a letter do not differ.
    """

    def __init__(
        self, names: Sequence[str], values: Any, low: Any = None, high: Any = None,
        letters: Sequence[str] | None = None,
    ) -> None:  # fmt: skip
        self.names = [str(name) for name in names]
        self.values = np.asarray(values, np.float64)
        self.low, self.high = (
            self.values if side is None else np.asarray(side, np.float64) for side in (low, high)
        )
        self.letters = [""] * len(self.names) if letters is None else [str(one) for one in letters]
        sizes = {
            "values": self.values.shape, "low": self.low.shape, "high": self.high.shape,
            "letters": (len(self.letters),),
        }  # fmt: skip
        for what, shape in sizes.items():
            if shape != (len(self.names),):
                raise UsageError(
                    f"{what}: must be one for each of {len(self.names)} names, got the shape {shape}"
                )
        if not self.names:
            raise UsageError("names: none given; name at least one")
        if np.any(self.low > self.values) or np.any(self.high < self.values):
            raise UsageError("low, high: must be below and above the values")

    def __repr__(self) -> str:
        return f"<{type(self).__name__}: {len(self.names)} rows>"

    def _rows(self, ax: Axes | None, order: Sequence[int], across: str) -> tuple[Axes, Float64]:
        ax = self._open(ax, (canvas.WIDE[0], 1.1 + 0.3 * len(self.names)))
        place = np.arange(len(self.names), dtype=np.float64)
        ax.set_yticks(place, [labels.plain(self.names[row]) for row in order])
        ax.set_ylim(len(self.names) - 0.4, -0.6)
        ax.tick_params(axis="y", length=0)
        ax.spines["left"].set_visible(False)
        ax.grid(axis="x", color=palette.FAINT, linewidth=0.5)
        ax.set_axisbelow(True)
        ax.set_xlabel(labels.plain(across))
        return ax, place


class SystemMeans(Intervals):
    """Means of systems with their intervals and letters, best first.

    Examples
    --------
    >>> display = SystemMeans(["a", "b"], [0.2, 0.3], [0.1, 0.2], [0.3, 0.4], letters=["x", "x"]).plot()
    >>> display.order_, display.line_.get_xdata().tolist()
    (['b', 'a'], [0.3, 0.2])
    """

    order_: list[str]

    @classmethod
    def from_intervals(cls, intervals: Mapping[str, Any], letters: Mapping[str, str] | None = None) -> Self:
        """Of name → interval with `value` (or `estimate`), `low` and `high`; letters by name."""
        if not intervals:
            raise UsageError("intervals: none given; name at least one")
        lacking = [name for name in intervals if letters is not None and name not in letters]
        if lacking:
            raise UsageError(
                f"letters: none of {lacking[0]!r}; give one string for each name, or none at all"
            )
        rows = [(_value(one), one.low, one.high) for one in intervals.values()]
        value, low, high = (list(column) for column in zip(*rows, strict=True))
        shown = None if letters is None else [letters[name] for name in intervals]
        return cls(list(intervals), value, low, high, shown)

    def plot(
        self, ax: Axes | None = None, *, measure: str = "mean", ascending: bool | None = False, **points: Any
    ) -> Self:
        """Draw.

        Parameters
        ----------
        ax : axes to draw on (default: those of a new figure, made without pyplot).
        measure : what the values are, to be written below.
        ascending : False: greatest on top; True: least; None: as given.
        **points : of matplotlib, for the values.
        """
        size = range(len(self.names))
        order = (
            list(size)
            if ascending is None
            else sorted(size, key=self.values.__getitem__, reverse=not ascending)
        )
        self.order_ = [self.names[row] for row in order]
        ax, place = self._rows(ax, order, measure)
        points = canvas.spelled(points)
        self._whiskers(ax, place, order, palette.colour(0))
        look: dict[str, Any] = {
            "marker": "o",
            "markersize": 5,
            "color": palette.colour(0),
            "linestyle": "none",
        }
        lines = {"values": ax.plot(self.values[order], place, **look | points)[0]}
        for at, row in zip(place.tolist(), order, strict=True):
            ax.annotate(
                self.letters[row], (1.0, at), (6, 0), ax.get_yaxis_transform(), "offset points", va="center",
                family="monospace", annotation_clip=False,
            )  # fmt: skip
        return self._finish(ax, lines, [], False)

    def _whiskers(self, ax: Axes, place: Float64, order: Sequence[int], colour: str) -> None:
        rows = list(order)
        ax.hlines(place, self.low[rows], self.high[rows], color=colour, linewidth=1.6)


class PairDifferences(Intervals):
    """Differences of pairs with simultaneous intervals (Tukey's HSD); those that leave out 0 are filled.

    Examples
    --------
    >>> display = PairDifferences(["b - a", "c - a"], [0.2, 0.1], [0.1, -0.1], [0.3, 0.3]).plot()
    >>> display.lines_["differs"].get_xdata().tolist(), display.lines_["may not"].get_xdata().tolist()
    ([0.2], [0.1])
    """

    @classmethod
    def from_pairs(cls, pairs: Iterable[Any]) -> Self:
        """Of comparisons with `names`, `difference`, `low` and `high`, such as `precall.compare` returns."""
        rows = [(" - ".join(map(str, one.names)), one.difference, one.low, one.high) for one in pairs]
        if not rows:
            raise UsageError("pairs: none given")
        names, value, low, high = (list(column) for column in zip(*rows, strict=True))
        return cls(names, value, low, high)

    def plot(
        self, ax: Axes | None = None, *, measure: str = "difference", legend: bool = True, **points: Any
    ) -> Self:
        """Draw, in the order given; see `SystemMeans.plot`."""
        order = range(len(self.names))
        ax, place = self._rows(ax, order, measure)
        points = canvas.spelled(points)
        ax.axvline(0, color="black", linewidth=0.9)
        sure = (self.low > 0) | (self.high < 0)
        lines: dict[Any, Any] = {}
        # Where there is no interval 0 is not inside of it.
        inside = ~sure & (self.low == self.low)
        for number, (name, chosen) in enumerate({"differs": sure, "may not": inside}.items()):
            colour = palette.colour(0) if number == 0 else palette.GUIDE
            ax.hlines(place[chosen], self.low[chosen], self.high[chosen], color=colour, linewidth=1.6)
            look: dict[str, Any] = {"marker": "o", "markersize": 5, "color": colour, "linestyle": "none"}
            look |= {"markerfacecolor": "white"} if number else {}
            lines[name] = ax.plot(self.values[chosen], place[chosen], **look | points)[0]
        entries = [(lines["differs"], "0 is outside"), (lines["may not"], "0 is inside")]
        unknown = self.low != self.low
        if unknown.any():
            look = {"marker": "|", "markersize": 9, "color": palette.GUIDE, "linestyle": "none"}
            lines["no interval"] = ax.plot(self.values[unknown], place[unknown], **look | points)[0]
            entries.append((lines["no interval"], "no interval"))
        return self._finish(ax, lines, entries, legend)


def _value(interval: Any) -> float:
    return float(interval.value if hasattr(interval, "value") else interval.estimate)
