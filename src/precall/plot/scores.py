"""Histograms of the scores of relevant and of other cases."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Self

import numpy as np

from precall.drawing import palette
from precall.errors import UsageError
from precall.plot import canvas
from precall.plot.one_curve import OneCurve
from precall.results import counted

if TYPE_CHECKING:
    from collections.abc import Sequence

    from matplotlib.axes import Axes

    from precall.ragged import Float64


class ScoresByClass(OneCurve):
    """How the scores of relevant and of other cases lie: two histograms with the same bins.

    Heights are shares of the cases of each kind (`share=True`), so that few relevant cases are seen beside many
    others, or counts. Counted from the curve, so that 10⁷ cases take no longer than a thousand. Infinite
    scores are in no bin, but in the whole.

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
        self, ax: Axes | None = None, *, bins: int | Sequence[float] = 40, share: bool = True,
        legend: bool = True, **bars: Any,
    ) -> Self:  # fmt: skip
        """Draw.

        Parameters
        ----------
        ax : axes to draw on (default: those of a new figure, made without pyplot).
        bins : how many bins of equal width, or their edges, ascending. All but the last are open above.
        share : heights are shares of each kind's cases; False: counts (sums of weights).
        legend : say beside the axes what is what.
        **bars : of matplotlib's `stairs`.
        """
        edges = self._edges(bins)
        ax = self._open(ax)
        bars = canvas.spelled(bars)
        ax.set_xlabel("score")
        ax.set_ylabel("share of its cases" if share else "cases")
        lines: dict[Any, Any] = {}
        entries: list[tuple[Any, str]] = []
        self.heights_, self.edges_ = {}, edges
        kinds = {"other": (self.curve.fp, self.curve.other), "relevant": (self.curve.tp, self.curve.tp[-1])}
        for place, (name, (below, total)) in enumerate(kinds.items()):
            height = self._counts(below, edges)
            if share:
                height = height / total if total else height * 0.0
            self.heights_[name] = height
            style: dict[str, Any] = palette.stroke(1 - place) | {"linewidth": 1.6, "zorder": 3 + place} | bars
            hatch = palette.hatch(1 - place)
            tint: dict[str, Any] = {
                "fill": True,
                # What is hatched lies behind and is opaque, see `palette.tint`.
                "facecolor": palette.tint(palette.colour(1 - place), 0.18)
                if hatch
                else (style["color"], 0.18),
                "edgecolor": style["color"],
                "hatch": hatch,
            }
            style.pop("color")
            lines[name] = ax.stairs(height, edges, **tint | style)
            entries.append((lines[name], f"{name}, {counted(total)} cases"))
        ax.set_ylim(bottom=0)
        lines = {name: lines[name] for name in ("relevant", "other")}
        return self._finish(ax, lines, entries[::-1], legend)

    def _counts(self, accepted: Any, edges: Float64) -> Float64:
        """Cases in each bin: what is accepted at one edge and not yet at the other."""
        if self.higher_is_better:
            rows = [self._rows_above(edge, True) for edge in edges.tolist()]
            rows[-1] = self._rows_above(float(edges[-1]))
        else:
            rows = [self._rows_above(-edge) for edge in edges.tolist()]
            rows[-1] = self._rows_above(-float(edges[-1]), True)
        # The first row, of threshold +inf, accepts nothing.
        counted = np.asarray(accepted[np.maximum(np.array(rows) - 1, 0)], np.float64)
        return np.abs(np.diff(counted))

    def _edges(self, bins: int | Sequence[float]) -> Float64:
        if np.ndim(bins):
            edges = np.asarray(bins, np.float64)
            if edges.ndim != 1 or len(edges) < 2 or not np.all(np.diff(edges) > 0):
                raise UsageError("bins: edges must be two numbers or more, ascending")
            return edges
        if isinstance(bins, bool | np.timedelta64) or not isinstance(bins, int | np.integer) or bins < 1:
            raise UsageError(f"bins: must be an integer >= 1 or edges, got {bins!r}")
        finite = self._finite()
        if finite.start >= finite.stop:
            raise UsageError("bins: all scores are infinite; give edges")
        ends = self.curve.threshold[finite][[0, -1]]
        low, high = sorted(self._shown(np.asarray(ends, np.float64)).tolist())
        return np.linspace(low - 0.5 * (low == high), high + 0.5 * (low == high), int(bins) + 1)
