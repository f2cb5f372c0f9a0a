"""Curves of systems, one each or one per fold: precision-recall, ROC and gain."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Self, TypeAlias

import numpy as np

from precall.checks import check_beta, check_choice
from precall.curves import Curve, curve
from precall.drawing import looks, shapes
from precall.drawing.thinning import MANY, grid_rows, kept, part, thin
from precall.errors import UsageError
from precall.plot import canvas
from precall.plot.canvas import Display
from precall.ragged import Float64

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from precall.curves import OperatingPoint

Draw: TypeAlias = Callable[["Axes", Float64, Float64, dict[str, Any]], Any]

FORMS = ("raw", "interpolated", "both")
#: Name → labels of the axes of ROC, whether the first runs from 1 down to 0, and how (false positive rate, recall)
#: become a place on them.
AXES: dict[str, tuple[str, str, bool, Callable[[Any, Any], tuple[Any, Any]]]] = {
    "false positive rate": ("false positive rate", "recall", False, lambda rate, recall: (rate, recall)),
    "rejection recall": ("rejection recall", "recall", True, lambda rate, recall: (1 - rate, recall)),
    "recall": ("recall", "rejection recall", False, lambda rate, recall: (recall, 1 - rate)),
}


def _straight(ax: Axes, x: Float64, y: Float64, style: dict[str, Any]) -> Any:
    return ax.plot(x, y, **style)[0]


class CurveDisplay(Display):
    """A picture of the curves of one system or several.

    Parameters
    ----------
    systems : name → the system's curves: one, or one per fold.
    """

    def __init__(self, systems: Mapping[str, Sequence[Curve]]) -> None:
        if not systems or not all(systems.values()):
            raise UsageError("curves: none given; name at least one")
        self.systems = {str(name): tuple(curves) for name, curves in systems.items()}
        if len(self.systems) < len(systems):
            raise UsageError(f"curves: two have one name; there are {', '.join(map(str, systems))}")
        for name, curves in self.systems.items():
            for drawn in curves:
                checked(drawn, name)

    def __repr__(self) -> str:
        folds = sum(len(curves) for curves in self.systems.values())
        return f"<{type(self).__name__}: {len(self.systems)} systems, {folds} curves>"

    @classmethod
    def from_curve(cls, curve: Curve, name: str = "") -> Self:
        """Of one curve."""
        return cls({name: (curve,)})

    @classmethod
    def from_curves(cls, curves: Mapping[str, Curve] | Iterable[Curve]) -> Self:
        """Of several curves by name; without names they are counted, from 1."""
        if isinstance(curves, Curve):
            return cls.from_curve(curves)
        named = curves if isinstance(curves, Mapping) else {str(i): c for i, c in enumerate(curves, 1)}
        return cls({name: (curve,) for name, curve in named.items()})

    @classmethod
    def from_cases(cls, relevant: Any, score: Any, **options: Any) -> Self:
        """Of scored cases, as `precall.curve` takes them; several scores of the same cases as {name: scores}."""
        scores = score if isinstance(score, Mapping) else {"": score}
        return cls({name: (curve(relevant, column, **options),) for name, column in scores.items()})

    @classmethod
    def from_folds(cls, folds: Iterable[Any], name: str = "", **options: Any) -> Self:
        """Of one system's curves over folds, with their mean; a fold is a curve or (labels, scores)."""
        return cls({name: tuple(_fold(fold, options) for fold in folds)})

    def _shapes(self, of: Callable[[Curve, str], shapes.Line]) -> dict[str, list[shapes.Line]]:
        """Per system the points of its curves."""
        return {name: [of(curve, name) for curve in curves] for name, curves in self.systems.items()}

    def _lines(
        self, ax: Axes, points: Mapping[str, Sequence[shapes.Line]], line: dict[str, Any],
        measured: Callable[[Curve], tuple[str, float]], *, draw: Draw = _straight,
        mean: Callable[[Sequence[shapes.Line]], shapes.Line] = shapes.mean_of_lines,
        raw: Mapping[str, Sequence[shapes.Line]] | None = None,
    ) -> None:  # fmt: skip
        """A line per system, with its entry in the legend; of folds their mean, and thin lines behind it.

        Parameters
        ----------
        points : per system those of its curves.
        measured : what the legend says of a single curve: a measure's name and value.
        mean : of the points of folds.
        raw : of single curves whose interpolated points are `points`, to be drawn behind these.
        """
        for place, (name, curves) in enumerate(self.systems.items()):
            style = looks.stroke(place) | {"linewidth": 1.8, "zorder": 3} | line
            if len(curves) > 1:
                for fold in points[name]:
                    behind = draw(ax, *fold, style | {"linewidth": 0.8, "alpha": 0.45, "linestyle": "-"})
                made = draw(ax, *mean(points[name]), style | {"linewidth": 2.2})
                self._line(name, made, canvas.prefixed(name, "mean of folds"))
                self._say(behind, canvas.prefixed(name, f"{len(curves)} folds"))
                continue
            if raw is not None:
                look = style | {"linewidth": 0.9, "alpha": 0.7, "linestyle": "-"}
                self._say(draw(ax, *raw[name][0], look), canvas.prefixed(name, "raw"))
            words = canvas.prefixed(name, "interpolated")
            if raw is None:
                words = canvas.entitled(name, *measured(curves[0]))
            self._line(name, draw(ax, *points[name][0], style), words)

    def _points(self, points: Any) -> list[tuple[int, str, OperatingPoint]]:
        """(Place of the system, label, point) of what `plot(points=...)` was given."""
        points = listed(points or ())
        nested = isinstance(points, Mapping) and not all(hasattr(p, "threshold") for p in points.values())
        known = list(self.systems)
        labelled = []
        for name, of_system in (points if nested else {known[0]: points}).items():
            if name not in known:
                raise UsageError(f"points: no system {name!r}; there are {', '.join(known)}")
            for label, point in pairs_of(of_system):
                text = canvas.told(looks.plain(label), point.threshold)
                text = canvas.prefixed(name if len(known) > 1 else "", text)
                labelled.append((known.index(name), text, point))
        return labelled


class PrecisionRecall(CurveDisplay):
    """Precision over recall, of one system or several, or of folds with their mean.

    Drawn are the rows of `Curve.pr()`, as steps that hold up to each recall: the area under the line is average
    precision, and no straight line promises what no threshold delivers. Curves of many points are thinned by
    `Curve.simplify`, no area moving by more than 0.001. scikit-learn joins the steps the same way, and adds a point
    (0, 1) that no threshold has; here the first step begins at recall 0.

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
        check_choice("form", form, FORMS)
        marks = self._points(points)
        tinted = shapes.bands_by_system(bands, list(self.systems))
        ax, line = self._open(ax, line, canvas.SQUARE)
        canvas.unit(ax, "recall", "precision")
        _iso_lines(ax, iso_f, beta)
        areas = [
            ax.fill_between(band.x, band.low, band.high, **canvas.tint(looks.colour(place), number))
            for number, (place, band) in enumerate(tinted)
        ]
        self._forms(ax, form, line)
        for area, (_, band) in zip(areas, tinted, strict=True):
            self._say(area, band.label)
        shares = {c.relevant / (c.relevant + c.other) for curves in self.systems.values() for c in curves}
        if prevalence and len(shares) == 1:
            share = shares.pop()
            self._say(canvas.baseline(ax, share), f"prevalence {looks.number(share)}")
        for number, (place, label, point) in enumerate(marks):
            self._say(mark(ax, number, place, point.recall, point.precision), label)
        # Lines of equal F are named between the axes and the legend.
        return self._finish(ax, legend, canvas.GAP + 0.12 * bool(iso_f))

    def _forms(self, ax: Axes, form: str, line: dict[str, Any]) -> None:
        """The lines of the systems, raw or interpolated; of single curves both, if asked for."""
        few = {name: [thin(curve) for curve in curves] for name, curves in self.systems.items()}
        raw = {name: [shapes.steps(curve) for curve in curves] for name, curves in few.items()}
        points = dict(raw)
        for name, curves in few.items():
            # Of folds the raw ones have a mean.
            if form == "interpolated" or (form == "both" and len(curves) == 1):
                points[name] = [shapes.steps(curve, True) for curve in curves]

        def area(curve: Curve) -> tuple[str, float]:
            if form == "interpolated":
                return "interpolated area", curve.area_under_pr("interpolated")
            return "AP", curve.average_precision()

        self._lines(
            ax, points, line, area, draw=_stairs, mean=shapes.mean_of_steps,
            raw=raw if form == "both" else None,
        )  # fmt: skip


class ROC(CurveDisplay):
    """Recall against the other cases that are accepted or rejected, of systems or folds.

    Points are joined by straight lines: a threshold between two of them can be had by chance, and ties are slopes.
    The area under the line is the area under the ROC curve.

    Examples
    --------
    >>> from precall import curve
    >>> display = ROC.from_curve(curve([0, 1, 0, 1], [0.9, 0.8, 0.4, 0.3])).plot()
    >>> display.line_.get_xdata().tolist(), display.line_.get_ydata().tolist()
    ([0.0, 0.5, 0.5, 1.0, 1.0], [0.0, 0.0, 0.5, 0.5, 1.0])
    """

    def plot(
        self, ax: Axes | None = None, *, axes: str = "false positive rate", chance: bool = True,
        points: Any = (), bands: Any = (), legend: bool = True, **line: Any,
    ) -> Self:  # fmt: skip
        """Draw.

        Parameters
        ----------
        axes : "false positive rate" (upwards recall; the convention of most tools), "rejection recall" (the
            same picture, the axis named by its complement and running from 1 to 0; R's pROC) or "recall"
            (upwards rejection recall; LingPipe).
        chance : draw the diagonal of random acceptance.
        ax, points, bands, legend, **line : as `PrecisionRecall.plot` takes them; bands are over the false positive
            rate, as `precall.interval.roc_band` returns them, also where the axes are others.
        """
        check_choice("axes", axes, AXES)
        across, along, reverse, turn = AXES[axes]
        marks = self._points(points)
        tinted = shapes.bands_by_system(bands, list(self.systems))
        places = self._shapes(_roc)
        ax, line = self._open(ax, line, canvas.SQUARE)
        canvas.unit(ax, across, along)
        if reverse:
            ax.set_xlim(1.01, -0.01)
        self._lines(
            ax, places, line, lambda curve: ("AUC", curve.area_under_roc()),
            draw=lambda ax, x, y, style: _straight(ax, *turn(x, y), style),
        )  # fmt: skip
        for number, (place, band) in enumerate(tinted):
            area = ax.fill(*turn(*band.outline()), **canvas.tint(looks.colour(place), number))[0]
            self._say(area, band.label)
        if chance:
            ends = np.array([0.0, 1.0])
            self._say(_straight(ax, *turn(ends, ends), canvas.GUIDE), "chance")
        for number, (place, label, point) in enumerate(marks):
            self._say(mark(ax, number, place, *turn(1 - point.rejection_recall, point.recall)), label)
        return self._finish(ax, legend)


class PrecisionRecallGain(CurveDisplay):
    """Precision gain over recall gain (Flach & Kull 2015), of systems or folds: the rows of `Curve.gain()`.

    Points are joined by straight lines, which here are what thresholds taken by chance deliver. The square
    shows gains from 0 to 1; a precision gain below 0 (worse than accepting everything) is below it and not shown.

    Examples
    --------
    >>> from precall import curve
    >>> display = PrecisionRecallGain.from_curve(curve([1, 0, 1, 0], [4, 3, 2, 1])).plot()
    >>> display.line_.get_xdata().tolist(), display.line_.get_ydata().tolist()
    ([0.0, 0.0, 1.0, 1.0], [1.0, 0.0, 0.5, 0.0])
    """

    def plot(self, ax: Axes | None = None, *, legend: bool = True, **line: Any) -> Self:
        """Draw; see `PrecisionRecall.plot`."""
        places = self._shapes(_gain)
        ax, line = self._open(ax, line, canvas.SQUARE)
        canvas.unit(ax, "recall gain", "precision gain")
        self._lines(ax, places, line, lambda curve: ("area", curve.area_under_pr("gain")))
        return self._finish(ax, legend)


def _roc(curve: Curve, name: str) -> shapes.Line:
    if not curve.other:
        raise UsageError(f"curves: everything is relevant in the curve{_of(name)}, so it has no ROC curve")
    return shapes.roc(thin(curve))


def _gain(curve: Curve, name: str) -> shapes.Line:
    # Gains magnify low recall, where the areas' bound says little; the grid has lines of equal ratios there.
    table = (part(curve, grid_rows(curve)) if len(curve) > MANY else curve).gain()
    x, y = np.asarray(table["recall_gain"]), np.asarray(table["precision_gain"])
    if not len(x):
        lack = "everything is relevant, or too few were found"
        raise UsageError(f"curves: the curve{_of(name)} has no gain: {lack}")
    rows = kept(x, (y,))
    return x[rows], y[rows]


def _stairs(ax: Axes, x: Float64, y: Float64, style: dict[str, Any]) -> Any:
    look = {"drawstyle": "steps-pre", "solid_joinstyle": "miter"} | style
    return _straight(ax, *shapes.from_zero(x, y), look)


def mark(ax: Axes, number: int, place: int, x: float, y: float) -> Any:
    """An operating point: the system's colour, a form of its own."""
    look = canvas.dots(looks.colour(place), looks.marker(number), 8)
    return ax.plot([x], [y], markeredgecolor="white", markeredgewidth=1.2, zorder=5, **look)[0]


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
        ax.plot(recall, precision, color=looks.FAINT, linewidth=0.9, zorder=0, gid=f"iso-f {f:g}")
        name = "F" if beta == 1 else f"F{beta:g}"
        ax.annotate(
            f"{name} {f:g}", (1.0, precision[-1]), xytext=(5, 0), textcoords="offset points", ha="left",
            va="center", fontsize="x-small", color=looks.GUIDE, annotation_clip=False,
        )  # fmt: skip


def listed(points: Any) -> Any:
    """Points as they were given, a single one in a list."""
    return [points] if hasattr(points, "threshold") else points


def pairs_of(points: Any) -> Iterable[tuple[Any, OperatingPoint]]:
    """(Label, point) of points; those without a label have an empty one."""
    points = listed(points)
    return points.items() if isinstance(points, Mapping) else [("", point) for point in points]


def _of(name: str) -> str:
    return f" of {name!r}" if name else ""


def _fold(fold: Any, options: dict[str, Any]) -> Curve:
    if isinstance(fold, Curve):
        return fold
    if not isinstance(fold, tuple | list) or len(fold) != 2:
        raise UsageError(f"folds: each must be a curve or (labels, scores), got {type(fold).__name__}")
    return curve(*fold, **options)


def checked(given: Any, name: str) -> None:
    """Refuse what is no curve, or one without anything to draw."""
    if not isinstance(given, Curve):
        raise UsageError(
            f"curves: must be what precall.curve() returns, got {type(given).__name__}{_of(name)}"
        )
    if not given.relevant or len(given) < 2:
        lack = "nothing is relevant" if not given.relevant else "no case was scored"
        raise UsageError(f"curves: {lack} in the curve{_of(name)}, so there is nothing to draw")
