"""What displays of curves share: systems, lines, folds, marked points, and the choice of coloured
systems.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from textwrap import fill
from typing import TYPE_CHECKING, Any, Self, TypeAlias

import numpy as np

from precall.cases import Curve, curve
from precall.core.arguments import check_exists, check_some, is_whole
from precall.core.errors import Among, Fact, Kind, UsageError
from precall.core.ragged import Float64
from precall.core.text import as_text, many, span
from precall.plot import canvas, legends
from precall.plot.canvas import Display
from precall.plot.shared import shapes, styles

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.lines import Line2D

    from precall.cases import OperatingPoint

#: Up to this many folds the legend lists each value; with more folds it shows the least and the
#: greatest.
_LISTED = 10
Draw: TypeAlias = Callable[["Axes", Float64, Float64, dict[str, Any]], Any]


def straight(ax: Axes, x: Float64, y: Float64, style: dict[str, Any]) -> Line2D:
    return ax.plot(x, y, **style)[0]


class CurveDisplay(Display):
    """A picture of the curves of one system or several.

    Parameters
    ----------
    systems : name → the system's curves: one, or one per fold.
    """

    def __init__(self, systems: Mapping[str, Sequence[Curve]]) -> None:
        for names_and_curves in (systems, *systems.values()):
            check_some("curves", names_and_curves)
        self.systems: dict[str, tuple[Curve, ...]] = {
            as_text(name): tuple(curves) for name, curves in systems.items()
        }
        if len(self.systems) < len(systems):
            raise UsageError(
                "two have one name", argument="curves", allowed=Among("there are", systems)
            )
        for name, curves in self.systems.items():
            for drawn in curves:
                check(drawn, name)

    def __repr__(self) -> str:
        folds = sum(len(curves) for curves in self.systems.values())
        return (
            f"<{type(self).__name__}: {many(len(self.systems), 'system')}, {many(folds, 'curve')}>"
        )

    @property
    def _prevalence(self) -> float | None:
        """The share of relevant cases, if all curves have the same one."""
        return shapes.prevalence_of_all(
            (c.relevant, c.other) for curves in self.systems.values() for c in curves
        )

    @classmethod
    def from_curve(cls, curve: Curve, name: str = "") -> Self:
        """Display of one curve."""
        return cls({str(name): (curve,)})

    @classmethod
    def from_curves(cls, curves: Mapping[str, Curve] | Iterable[Curve]) -> Self:
        """Display of several curves by name. Curves without names are numbered from 1."""
        if isinstance(curves, Curve):
            return cls.from_curve(curves)
        if isinstance(curves, Mapping):
            return cls({name: (curve,) for name, curve in curves.items()})
        counted = enumerate(canvas.several("curves", curves, "{name: curve} or curves"), 1)
        named = {str(number): curve for number, curve in counted}
        return cls({name: (curve,) for name, curve in named.items()})

    @classmethod
    def from_cases(cls, relevant: object, score: object, **options: Any) -> Self:
        """Display of scored cases, as `precall.curve` takes them; several scores of the same cases
        are given as {name: scores}.
        """
        scores = score if isinstance(score, Mapping) else {"": score}
        return cls({name: (curve(relevant, column, **options),) for name, column in scores.items()})

    @classmethod
    def from_folds(cls, folds: Iterable[object], name: str = "", **options: Any) -> Self:
        """Display of one system's curves over folds, with their mean. A fold is a curve or (labels,
        scores).
        """
        several = canvas.several("folds", folds, "curves or pairs of labels and scores")
        return cls({name: tuple(_fold(fold, options) for fold in several)})

    def _shapes(self, of: Callable[[Curve, str], shapes.Line]) -> dict[str, list[shapes.Line]]:
        """The points of the curves of each system."""
        return {
            name: [of(curve, name) for curve in curves] for name, curves in self.systems.items()
        }

    def _lines(
        self,
        ax: Axes,
        points: Mapping[str, Sequence[shapes.Line]],
        line: dict[str, Any],
        measured: Callable[[Curve], tuple[str, float]],
        *,
        draw: Draw = straight,
        mean: Callable[[Sequence[shapes.Line]], shapes.Line] = shapes.mean_of_lines,
        raw: Mapping[str, Sequence[shapes.Line]] | None = None,
    ) -> None:
        """A line per system, with its entry in the legend; of folds their mean, and thin lines
        behind it.

        Parameters
        ----------
        points : per system those of its curves.
        measured : what the legend says of a single curve: a measure's name and value.
        mean : of the points of folds.
        raw : of single curves whose interpolated points are `points`, to be drawn behind these.
        """
        others = self._others(ax, points, line, draw, mean)
        for name, index in self._places.items():
            curves = self.systems[name]
            style = styles.stroke(index) | {"linewidth": 1.8, "zorder": 3} | line
            if len(curves) > 1:
                for fold in points[name]:
                    behind = draw(
                        ax, *fold, style | {"linewidth": 0.8, "alpha": 0.45, "linestyle": "-"}
                    )
                artist = draw(ax, *mean(points[name]), style | {"linewidth": 2.2})
                of_mean, of_folds = _of_folds(list(map(measured, curves)))
                self._line(name, artist, canvas.prefix(name, of_mean))
                self._say(behind, canvas.prefix(name, of_folds))
                continue
            if raw is not None:
                look = style | {"linewidth": 0.9, "alpha": 0.7, "linestyle": "-"}
                self._say(draw(ax, *raw[name][0], look), canvas.prefix(name, "raw"))
            words = canvas.prefix(name, "interpolated")
            if raw is None:
                words = canvas.legend_entry(name, *measured(curves[0]))
            self._line(name, draw(ax, *points[name][0], style), words)
        # In the order of the systems, but the highlighted ones first.
        self.lines_.update(others)
        if others:
            self._say(next(iter(others.values())), many(len(others), "other"))

    def _others(
        self,
        ax: Axes,
        points: Mapping[str, Sequence[shapes.Line]],
        line: dict[str, Any],
        draw: Draw,
        mean: Callable[[Sequence[shapes.Line]], shapes.Line],
    ) -> dict[str, Any]:
        """Draw the lines of systems that are not highlighted; of folds, only their mean."""
        drawn = {
            name: of[0] if len(of) == 1 else mean(of)
            for name, of in points.items()
            if name not in self._places
        }
        return {name: draw(ax, *at, line | legends.grey()) for name, at in drawn.items()}

    def _highlight(self, highlight: object, measured: Callable[[Curve], float]) -> None:
        """Which systems have a colour; see `legends.highlighted`."""
        # Values are needed only to choose the best by number. Computing an undefined one would
        # warn.
        by_value = is_whole(highlight) or (highlight is None and len(self.systems) > legends.MANY)
        values = {
            name: float(np.mean([measured(curve) for curve in curves])) if by_value else 0.0
            for name, curves in self.systems.items()
        }
        self._places = legends.choose_colours(values, highlight)

    def _colour(self, place: int) -> str:
        """The colour of a system, by its index among all systems."""
        at = self._places.get(list(self.systems)[place])
        return styles.guide() if at is None else styles.colour(at)

    def _points(self, points: Any) -> list[tuple[int, str, OperatingPoint]]:
        """(Index of the system, label, point) for each point given as `plot(points=...)`."""
        points = list_of_points(points or ())
        nested = isinstance(points, Mapping) and any(
            isinstance(p, Mapping | list | tuple) for p in points.values()
        )
        names = list(self.systems)
        labelled = []
        for name, of_system in (points if nested else {names[0]: points}).items():
            check_exists("points", name, names, "system")
            for label, point in pairs_of(of_system):
                text = canvas.name_point(styles.escape_name(label), point)
                text = canvas.prefix(name if len(names) > 1 else "", text)
                labelled.append((self._places.get(name, names.index(name)), text, point))
        return labelled


def list_of_points(points: object) -> Any:
    """The given points; a single one as a list."""
    return [points] if hasattr(points, "threshold") else points


def pairs_of(points: Any) -> Iterable[tuple[Any, OperatingPoint]]:
    """(Label, point) of points; those without a label have an empty one."""
    points = list_of_points(points)
    allowed = "operating points, as `Curve.at` and `Curve.max_f` return, or {label: point}"
    labelled = isinstance(points, Mapping)
    pairs = (
        list(points.items())
        if labelled
        else [("", point) for point in canvas.several("points", points, allowed)]
    )
    for _, point in pairs:
        if not hasattr(point, "threshold"):
            raise UsageError(argument="points", allowed=allowed, got=Kind(point))
    return pairs


def _of_folds(measured: Sequence[tuple[str, float]]) -> tuple[str, str]:
    """The words of the legend about the mean of folds and about the folds.

    Examples
    --------
    >>> _of_folds([("AP", 0.5), ("AP", 0.625)])
    ('mean of folds (AP 0.562)', '2 folds (AP 0.500, 0.625)')
    """
    name, values = measured[0][0], [value for _, value in measured]
    each = [f"{value:.3f}" for value in values]
    if len(each) > _LISTED:
        each = [span(values, "{:.3f}".format)]
    text = fill(f"{len(values)} folds ({name} {', '.join(each)})", 34)
    return f"mean of folds ({name} {np.mean(values):.3f})", text


def of_name(name: str) -> str:
    return f" of {name!r}" if name else ""


def _fold(fold: object, options: dict[str, Any]) -> Curve:
    if isinstance(fold, Curve):
        return fold
    if not isinstance(fold, tuple | list) or len(fold) != 2:
        raise UsageError(
            argument="folds", what="each must be a curve or (labels, scores)", got=Kind(fold)
        )
    return curve(*fold, **options)


def check(given: object, name: str) -> None:
    """Refuse an object that is no curve, or a curve without anything to draw."""
    if not isinstance(given, Curve):
        raise UsageError(
            argument="curves",
            allowed="a curve from precall.curve()",
            got=Fact(f"{type(given).__name__}{of_name(name)}"),
        )
    if not given.relevant or len(given) < 2:
        lack = "nothing is relevant" if not given.relevant else "no case was scored"
        raise UsageError(
            argument="curves",
            what=f"{lack} in the curve{of_name(name)}, so there is nothing to draw",
        )
