"""Precision-recall, ROC and gain curves of systems, one each or one per fold."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, Self

import numpy as np

from precall.cases import Curve
from precall.cases.thinning import MANY, grid_rows, part, rows_to_draw, thin
from precall.core.arguments import check_beta, check_choice, choose, is_number
from precall.core.errors import UsageError
from precall.core.ragged import Float64
from precall.plot import canvas
from precall.plot.curve_display import CurveDisplay, of_name, straight
from precall.plot.shared import shapes, styles

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.lines import Line2D


FORMS = ("raw", "interpolated", "both")
#: Name → labels of the axes of ROC, whether the first axis runs from 1 down to 0, and the function
#: from (false positive rate, recall) to coordinates.
AXES: dict[str, tuple[str, str, bool, Callable[[Any, Any], tuple[Any, Any]]]] = {
    "false positive rate": (
        "false positive rate",
        "recall",
        False,
        lambda rate, recall: (rate, recall),
    ),
    "specificity": ("specificity", "recall", True, lambda rate, recall: (1 - rate, recall)),
    "recall": ("recall", "specificity", False, lambda rate, recall: (recall, 1 - rate)),
}


class PrecisionRecall(CurveDisplay):
    """Precision over recall, of one system, of several systems, or of folds with their mean.

    The rows of `Curve.pr()` are drawn as steps that hold up to each recall. The area under the line
    is average precision, and the steps show no precision that no threshold reaches. Curves of many
    points are thinned by `Curve.simplify`, which moves no area by more than 0.001. scikit-learn
    joins the steps the same way, but adds a point (0, 1) that belongs to no threshold; here the
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
        self,
        ax: Axes | None = None,
        *,
        form: str = "raw",
        prevalence: bool = True,
        iso_f: Sequence[float] = (),
        beta: float = 1.0,
        points: object = (),
        bands: object = (),
        highlight: object = None,
        title: str | None = None,
        legend: bool = True,
        **line: Any,
    ) -> Self:
        """Draw.

        Parameters
        ----------
        ax : axes to draw on (default: those of a new figure, made without pyplot).
        form : "raw", "interpolated" (at each recall the greatest precision there or at more) or
            "both".
        prevalence : draw the precision of random acceptance; with several systems, only if it is
            the same for all.
        iso_f : values of F, in (0, 1); for each a line of equal F is drawn in the background.
        beta : beta of these F.
        points : {label: operating point} or points, of the first system; or a dict of these by
            system.
        bands : the result of `precall.interval.pr_band`, or (recall, low, high); a list of several,
            such as one pointwise and one simultaneous; or a dict of these by system.
        highlight : systems drawn in colour, by name, or their number, best first; the others are
            grey. "all": all; None: all if there are at most 12, else the best 6.
        title : above the axes.
        legend : show a legend, in an empty corner if there is one, else beside the axes, or below
            narrow ones.
        **line : looks of matplotlib for the lines of the systems.

        Raises
        ------
        UsageError
            An argument is not allowed, or matplotlib refuses a look.
        MissingExtra
            matplotlib is not installed.
        """
        check_choice("form", form, FORMS)
        self._highlight(highlight, lambda curve: curve.average_precision())
        marks = self._points(points)
        tinted = shapes.bands_by_system(bands, list(self.systems))
        ax, line = self._open(ax, line, canvas.SQUARE, title)
        canvas.unit(ax, "recall", "precision")
        _iso_lines(ax, iso_f, beta)
        areas = [
            ax.fill_between(
                band.x, band.low, band.high, **canvas.tint(self._colour(system), number)
            )
            for number, (system, band) in enumerate(tinted)
        ]
        self._forms(ax, form, line)
        for area, (_, band) in zip(areas, tinted, strict=True):
            self._say(area, band.label)
        share = self._prevalence
        if prevalence and share is not None:
            self._say(canvas.baseline(ax, share), f"prevalence {styles.number(share)}")
        for number, (system, label, point) in enumerate(marks):
            self._say(mark(ax, number, system, point.recall, point.precision), label)
        # The labels of the lines of equal F stand between the axes and the legend.
        return self._finish(ax, legend, canvas.GAP + 0.12 * bool(iso_f))

    def _forms(self, ax: Axes, form: str, line: dict[str, Any]) -> None:
        """Draw the lines of the systems, raw or interpolated; single curves in both forms, if asked
        for.
        """
        few = {name: [thin(curve) for curve in curves] for name, curves in self.systems.items()}
        raw = {name: [shapes.steps(curve) for curve in curves] for name, curves in few.items()}
        points = dict(raw)
        for name, curves in few.items():
            # With folds, the raw curves have a mean.
            if form == "interpolated" or (form == "both" and len(curves) == 1):
                points[name] = [shapes.steps(curve, True) for curve in curves]

        def area(curve: Curve) -> tuple[str, float]:
            if form == "interpolated":
                return "interpolated area", curve.area_under_pr("interpolated")
            return "AP", curve.average_precision()

        self._lines(
            ax,
            points,
            line,
            area,
            draw=_stairs,
            mean=shapes.mean_of_steps,
            raw=raw if form == "both" else None,
        )


class ROC(CurveDisplay):
    """Recall against the share of negatives that is accepted (or rejected), of systems or folds.

    Points are joined by straight lines: random choice between two thresholds reaches any point
    between them, and ties are slopes. The area under the line is the area under the ROC curve.

    Examples
    --------
    >>> from precall import curve
    >>> display = ROC.from_curve(curve([0, 1, 0, 1], [0.9, 0.8, 0.4, 0.3])).plot()
    >>> display.line_.get_xdata().tolist(), display.line_.get_ydata().tolist()
    ([0.0, 0.5, 0.5, 1.0, 1.0], [0.0, 0.0, 0.5, 0.5, 1.0])
    """

    def plot(
        self,
        ax: Axes | None = None,
        *,
        axes: str = "false positive rate",
        chance: bool = True,
        points: object = (),
        bands: object = (),
        highlight: object = None,
        title: str | None = None,
        legend: bool = True,
        **line: Any,
    ) -> Self:
        """Draw.

        Parameters
        ----------
        axes : "false positive rate" (upwards recall; the convention of most tools), "specificity"
            (the same picture, the axis named by its complement and running from 1 to 0; R's pROC)
            or "recall" (upwards specificity; LingPipe, which calls it rejection recall).
        chance : draw the diagonal of random acceptance.
        ax, points, highlight, title, legend, **line : as `PrecisionRecall.plot` takes them.
        bands : as `PrecisionRecall.plot` takes them; but over the false positive rate, as
            `precall.interval.roc_band` returns them. This holds for other `axes` as well.
        """
        axes = choose("axes", axes, AXES, {"rejectionrecall": ["specificity"]})
        across, along, reverse, turn = AXES[axes]
        self._highlight(highlight, lambda curve: curve.area_under_roc())
        marks = self._points(points)
        tinted = shapes.bands_by_system(bands, list(self.systems))
        places = self._shapes(_roc)
        ax, line = self._open(ax, line, canvas.SQUARE, title)
        canvas.unit(ax, across, along)
        if reverse:
            ax.set_xlim(1.01, -0.01)
        self._lines(
            ax,
            places,
            line,
            lambda curve: ("AUC", curve.area_under_roc()),
            draw=lambda ax, x, y, style: straight(ax, *turn(x, y), style),
        )
        for number, (system, band) in enumerate(tinted):
            area = ax.fill(*turn(*band.outline()), **canvas.tint(self._colour(system), number))[0]
            self._say(area, band.label)
        if chance:
            ends = np.array([0.0, 1.0])
            self._say(straight(ax, *turn(ends, ends), canvas.guide()), "chance")
        for number, (system, label, point) in enumerate(marks):
            self._say(mark(ax, number, system, *turn(1 - point.specificity, point.recall)), label)
        return self._finish(ax, legend)


class PrecisionRecallGain(CurveDisplay):
    """Precision gain over recall gain (Flach & Kull 2015), of systems or folds: the rows of
    `Curve.gain()`.

    Points are joined by straight lines, because random choice between two thresholds reaches the
    points between them. The square shows gains from 0 to 1; a precision gain below 0 (worse than
    accepting everything) lies below it and is not shown.

    Examples
    --------
    >>> from precall import curve
    >>> display = PrecisionRecallGain.from_curve(curve([1, 0, 1, 0], [4, 3, 2, 1])).plot()
    >>> display.line_.get_xdata().tolist(), display.line_.get_ydata().tolist()
    ([0.0, 0.0, 1.0, 1.0], [1.0, 0.0, 0.5, 0.0])
    """

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
        self._highlight(highlight, lambda curve: curve.area_under_pr("gain"))
        places = self._shapes(_gain)
        ax, line = self._open(ax, line, canvas.SQUARE, title)
        canvas.unit(ax, "recall gain", "precision gain")
        self._lines(ax, places, line, lambda curve: ("area", curve.area_under_pr("gain")))
        return self._finish(ax, legend)


def _roc(curve: Curve, name: str) -> shapes.Line:
    if not curve.other:
        raise UsageError(
            argument="curves",
            what=f"everything is relevant in the curve{of_name(name)}, so it has no ROC curve",
        )
    return shapes.roc(thin(curve))


def _gain(curve: Curve, name: str) -> shapes.Line:
    # Gains magnify low recall, where the bound on areas gives no guarantee. The grid has lines of
    # equal ratios there.
    table = (part(curve, grid_rows(curve)) if len(curve) > MANY else curve).gain()
    x, y = np.asarray(table["recall_gain"]), np.asarray(table["precision_gain"])
    if not len(x):
        lack = "everything is relevant, or too few were found"
        raise UsageError(argument="curves", what=f"the curve{of_name(name)} has no gain: {lack}")
    rows = rows_to_draw(x, (y,))
    return x[rows], y[rows]


def _stairs(ax: Axes, x: Float64, y: Float64, style: dict[str, Any]) -> Line2D:
    look = {"drawstyle": "steps-pre", "solid_joinstyle": "miter"} | style
    return straight(ax, *shapes.from_zero(x, y), look)


def mark(ax: Axes, number: int, place: int, x: float, y: float) -> Line2D:
    """Draw an operating point in the system's colour, with a marker of its own."""
    look = canvas.dots(styles.colour(place), styles.marker(number), 8)
    return ax.plot(
        [x], [y], markeredgecolor=styles.ground(), markeredgewidth=1.2, zorder=5, **look
    )[0]


def _iso_lines(ax: Axes, values: Sequence[float], beta: float) -> None:
    """Draw lines of equal F: P = F R / ((1 + β²) R - β² F)."""
    beta = check_beta(beta)
    for f in canvas.several("iso_f", values, "numbers in (0, 1)"):
        if not is_number(f) or not 0 < f < 1:
            raise UsageError(argument="iso_f", allowed="in (0, 1)", got=f)
        # From precision 1 to recall 1.
        least = beta**2 * f / (1 + beta**2 - f)
        recall = np.linspace(least, 1, 200)
        under = (1 + beta**2) * recall - beta**2 * f
        # F with β = 0 is precision, including at recall 0.
        precision = np.divide(f * recall, under, out=np.full(200, f, np.float64), where=under > 0)
        ax.plot(
            recall, precision, color=styles.faint(), linewidth=0.9, zorder=0, gid=f"iso-f {f:g}"
        )
        name = "F" if beta == 1 else f"F{beta:g}"
        ax.annotate(
            f"{name} {f:g}",
            (1.0, precision[-1]),
            xytext=(5, 0),
            textcoords="offset points",
            ha="left",
            va="center",
            fontsize="x-small",
            color=styles.guide(),
            annotation_clip=False,
        )
