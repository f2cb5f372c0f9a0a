"""The precision-recall curve, in steps: no straight line promises what no threshold delivers."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Self

import numpy as np

from precall.checks import check_beta
from precall.curves import Curve
from precall.drawing import bands as tints
from precall.drawing import labels, palette, steps
from precall.drawing.thinning import thin
from precall.errors import UsageError
from precall.plot import canvas
from precall.plot.systems import CurveDisplay

if TYPE_CHECKING:
    from collections.abc import Sequence

    from matplotlib.axes import Axes

    from precall.ragged import Float64

FORMS = ("raw", "interpolated", "both")


class PrecisionRecall(CurveDisplay):
    """Precision over recall, of one system or several, or of folds with their mean.

    Drawn are the rows of `Curve.pr()`, as steps that hold up to each recall: the area under the line is
    average precision. Curves of many points are thinned by `Curve.simplify`, no area moving by more than
    0.001. scikit-learn joins the steps the same way, and adds a point (0, 1) that no threshold has; here the
    first step begins at recall 0.

    Examples
    --------
    >>> from precall import curve
    >>> display = PrecisionRecall.from_curve(curve([0, 1, 0, 1], [0.9, 0.8, 0.4, 0.3])).plot()
    >>> display.line_.get_xdata().tolist(), display.line_.get_ydata().tolist()
    ([0.0, 0.5, 1.0], [0.5, 0.5, 0.5])
    >>> display.line_.get_drawstyle()
    'steps-pre'
    """

    def plot(
        self, ax: Axes | None = None, *, form: str = "raw", prevalence: bool = True,
        iso_f: Sequence[float] = (), beta: float = 1.0, points: Any = (), bands: Any = (),
        legend: bool = True, **line: Any,
    ) -> Self:  # fmt: skip
        """Draw.

        Parameters
        ----------
        ax : axes to draw on (default: those of a new figure, made without pyplot).
        form : "raw", "interpolated" (at each recall the greatest precision there or at more) or "both".
        prevalence : draw the precision of random acceptance; of several systems, where they agree in it.
        iso_f : values of F, in (0, 1), whose lines of equal F are drawn behind.
        beta : of these F.
        points : {label: operating point} or points, of the first system, or {system: such}.
        bands : what `precall.interval.pr_band` returned, or (recall, low, high); a list of several, as one
            pointwise and one simultaneous; or {system: such}.
        legend : say beside the axes what is what.
        **line : of matplotlib, for the lines of the systems.

        Raises
        ------
        UsageError
            An argument is not allowed.
        MissingExtra
            matplotlib is not installed.
        """
        if form not in FORMS:
            raise UsageError(f"form: got {form!r}, allowed are {', '.join(FORMS)}")
        marks = self._points(points) if points else []
        tinted = tints.by_system(bands, list(self.systems)) if bands else []
        ax = self._open(ax, canvas.SQUARE)
        line = canvas.spelled(line)
        canvas.unit(ax, "recall", "precision")
        entries: list[tuple[Any, str]] = []
        _iso_lines(ax, iso_f, beta)
        for number, (place, band) in enumerate(tinted):
            area = ax.fill_between(band.x, band.low, band.high, **canvas.tint(palette.colour(place), number))
            entries.append((area, band.label))
        drawn: list[tuple[Any, str]] = []
        lines = self._forms(ax, form, line, drawn)
        entries = [*drawn, *entries]
        shares = {
            curve.relevant / (curve.relevant + curve.other) for c in self.systems.values() for curve in c
        }
        if prevalence and len(shares) == 1:
            share = shares.pop()
            entries.append((canvas.baseline(ax, share), f"prevalence {labels.number(share)}"))
        for number, (place, label, point) in enumerate(marks):
            entries.append((mark(ax, number, place, point.recall, point.precision), label))
        # Lines of equal F are named between the axes and the legend.
        return self._finish(ax, lines, entries, legend, canvas.GAP + 0.12 * bool(iso_f))

    def _forms(
        self, ax: Axes, form: str, line: dict[str, Any], entries: list[tuple[Any, str]]
    ) -> dict[Any, Any]:
        """The lines of the systems, raw or interpolated; of single curves both, if asked for."""
        thinned = {name: [thin(curve) for curve in curves] for name, curves in self.systems.items()}
        # Of folds the raw ones have a mean.
        wanted = {name: form == "interpolated" or (form == "both" and len(curves) == 1)
                  for name, curves in thinned.items()}  # fmt: skip
        shapes = {
            name: [steps.steps(one, wanted[name]) for one in curves] for name, curves in thinned.items()
        }
        raw = {name: [steps.steps(one) for one in curves] for name, curves in thinned.items()}

        def area(curve: Curve) -> tuple[str, float]:
            if form == "interpolated":
                return "interpolated area", curve.area_under_pr("interpolated")
            return "AP", curve.average_precision()

        return self._lines(
            ax, shapes, line, entries, mean=steps.mean_of_steps, measured=area, draw=_stairs,
            raw=raw if form == "both" else None,
        )  # fmt: skip


def mark(ax: Axes, number: int, place: int, x: float, y: float) -> Any:
    """An operating point: the system's colour, a form of its own."""
    return ax.plot(
        [x], [y], linestyle="none", marker=palette.marker(number), markersize=8, color=palette.colour(place),
        markeredgecolor="white", markeredgewidth=1.2, zorder=5,
    )[0]  # fmt: skip


def _stairs(ax: Axes, x: Float64, y: Float64, style: dict[str, Any]) -> Any:
    return ax.plot(*steps.from_zero(x, y), **{"drawstyle": "steps-pre", "solid_joinstyle": "miter"} | style)[
        0
    ]


def _iso_lines(ax: Axes, values: Sequence[float], beta: float) -> None:
    """Where F is the same: P = F R / ((1 + β²) R - β² F)."""
    beta = check_beta(beta)
    for f in values:
        if not 0 < f < 1:
            raise UsageError(f"iso_f: must be in (0, 1), got {f}")
        # From where precision is 1 to recall 1.
        least = beta**2 * f / (1 + beta**2 - f)
        recall = np.linspace(least, 1, 200)
        under = (1 + beta**2) * recall - beta**2 * f
        # F of β = 0 is precision, at recall 0 as well.
        precision = np.divide(f * recall, under, out=np.full(200, f, np.float64), where=under > 0)
        ax.plot(recall, precision, color=palette.FAINT, linewidth=0.9, zorder=0, gid=f"iso-f {f:g}")
        name = "F" if beta == 1 else f"F{beta:g}"
        ax.annotate(
            f"{name} {f:g}", (1.0, precision[-1]), xytext=(5, 0), textcoords="offset points", ha="left",
            va="center", fontsize="x-small", color=palette.GUIDE, annotation_clip=False,
        )  # fmt: skip
