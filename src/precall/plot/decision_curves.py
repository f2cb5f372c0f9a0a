"""Decision curves: the net benefit of risks at several thresholds, with their bands."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Self

import numpy as np

from precall.cases.decision_curves import net_benefit_band
from precall.core.arguments import check_kind, check_some
from precall.core.errors import UsageError
from precall.core.notes import collect_notes
from precall.core.text import many, percent, printable
from precall.plot import canvas
from precall.plot.canvas import Display
from precall.plot.shared import styles
from precall.stats.intervals.bands import Band

if TYPE_CHECKING:
    from matplotlib.axes import Axes

#: The picture reaches this share of its height below 0: accepting all falls much lower.
_BELOW = 0.25


class DecisionCurve(Display):
    """Net benefit at each threshold with its band, beside accepting all ("treat all") and accepting
    none, whose net benefit is 0.

    Parameters
    ----------
    bands : by name of the risk, what `precall.interval.net_benefit_band` returned; without
        `against`.
    treat_all : the band of accepting all; None leaves it out.

    Examples
    --------
    >>> from precall import interval
    >>> relevant = [1, 1, 1, 0, 1, 0, 0, 0, 0, 0] * 20
    >>> risk = [0.9, 0.8, 0.6, 0.5, 0.4, 0.3, 0.2, 0.2, 0.1, 0.1] * 20
    >>> display = DecisionCurve.from_cases(relevant, {"model": risk}, grid=[0.1, 0.25, 0.5]).plot()
    >>> display.line_.get_ydata().round(3).tolist(), list(display.lines_)
    ([0.333, 0.333, 0.2], ['model', 'model band', 'treat all', 'treat none'])
    """

    def __init__(self, bands: Mapping[str, Band], treat_all: Band | None = None) -> None:
        what = "what pc.interval.net_benefit_band returns"
        check_some("bands", check_kind("bands", bands, Mapping, "{name: band}"))
        for band in (*bands.values(), *(() if treat_all is None else (treat_all,))):
            check_kind("bands", band, Band, what)
            if band.along != "net_benefit":
                raise UsageError(
                    argument="bands",
                    got=band.along,
                    allowed="bands of net benefit",
                    remedy=f"draw {what}, without ⟨against=⟩",
                )
        self.bands: dict[str, Band] = dict(bands)
        self.treat_all: Band | None = treat_all

    @classmethod
    def from_cases(cls, relevant: object, risks: Mapping[str, object], **options: Any) -> Self:
        """Display of risks of the same cases.

        Parameters
        ----------
        relevant : labels, as for `curve`.
        risks : the predicted risks of each case, in 0..1, by name.
        **options : what `precall.interval.net_benefit_band` takes, such as `grid`, `prevalence`
            or `weights`.
        """
        check_some("risks", check_kind("risks", risks, Mapping, "{name: risk of each case}"))
        bands = {name: net_benefit_band(relevant, risk, **options) for name, risk in risks.items()}
        first = next(iter(risks.values()))
        with collect_notes():  # those of the risks were given
            every = net_benefit_band(relevant, np.ones(len(np.asarray(first))), **options)
        return cls(bands, every)

    def __repr__(self) -> str:
        points = many(len(next(iter(self.bands.values())).x), "threshold")
        return printable(f"<DecisionCurve: {', '.join(self.bands)}; {points}>")

    def plot(
        self, ax: Axes | None = None, *, title: str | None = None, legend: bool = True, **line: Any
    ) -> Self:
        """Draw on `ax` or on a new figure. `line` holds looks of matplotlib for the risks."""
        ax, line = self._open(ax, line, title=title)
        ax.set(xlabel="threshold", ylabel="net benefit")
        for place, (name, band) in enumerate(self.bands.items()):
            words = styles.escape_name(name)
            look = styles.stroke(place) | {"marker": "o", "markersize": 3} | line
            drawn = ax.plot(band.x, band.estimate, **look)[0]
            self._line(name, drawn, words)
            tint = canvas.tint(styles.colour(place), place)
            area = ax.fill_between(band.x, band.low, band.high, **tint)
            self._line(f"{name} band", area, f"{words}, {percent(band.level)} {band.kind} band")
        if (every := self.treat_all) is not None:
            look = {"color": styles.guide(), "linewidth": 1.2}
            drawn = ax.plot(every.x, every.estimate, **look)[0]
            self._line("treat all", drawn, "treat all")
        self._line("treat none", canvas.baseline(ax, 0.0), "treat none")
        heights = [band.high for band in self.bands.values()]
        top = float(np.max(np.concatenate(heights), initial=0.01))
        least = min(float(np.min(band.estimate)) for band in self.bands.values())
        ax.set_ylim(min(-_BELOW * top, 1.05 * least), 1.05 * top)
        return self._finish(ax, legend)
