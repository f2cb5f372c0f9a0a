"""Curves of systems: one each, or one per fold; what precision-recall, ROC and gain pictures are made from."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Self, TypeAlias

from precall.curves import Curve, curve
from precall.drawing import labels, palette
from precall.errors import UsageError
from precall.plot.display import Display
from precall.ragged import Float64

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from precall.curves import OperatingPoint

#: Places across and upwards.
Shape: TypeAlias = tuple[Float64, Float64]
#: Lines of a legend: what they are the sign of, and their words.
Entries: TypeAlias = list[tuple[Any, str]]
Draw: TypeAlias = Callable[["Axes", Float64, Float64, dict[str, Any]], Any]


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
            for one in curves:
                checked(one, name)

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
        return cls({name: (one,) for name, one in named.items()})

    @classmethod
    def from_cases(cls, relevant: Any, score: Any, **options: Any) -> Self:
        """Of scored cases, as `precall.curve` takes them; several scores of the same cases as {name: scores}."""
        scores = score if isinstance(score, Mapping) else {"": score}
        return cls({name: (curve(relevant, one, **options),) for name, one in scores.items()})

    @classmethod
    def from_folds(cls, folds: Iterable[Any], name: str = "", **options: Any) -> Self:
        """Of one system's curves over folds, with their mean; a fold is a curve or (labels, scores)."""
        return cls({name: tuple(_fold(one, options) for one in folds)})

    def _lines(
        self, ax: Axes, shapes: Mapping[str, Sequence[Shape]], line: Mapping[str, Any], entries: Entries, *,
        mean: Callable[[Sequence[Shape]], Shape], measured: Callable[[Curve], tuple[str, float]], draw: Draw,
        raw: Mapping[str, Sequence[Shape]] | None = None,
    ) -> dict[Any, Any]:  # fmt: skip
        """A line per system, with its entry in the legend; of folds their mean, and thin lines behind it.

        Parameters
        ----------
        shapes : per system the points of its curves.
        mean : of the points of folds.
        measured : what the legend says of a single curve: a measure's name and value.
        draw : (axes, x, y, style) to a line.
        raw : of single curves whose interpolated points are `shapes`, to be drawn behind these.
        """
        lines: dict[Any, Any] = {}
        for place, (name, curves) in enumerate(self.systems.items()):
            style = palette.stroke(place) | {"linewidth": 1.8, "zorder": 3} | dict(line)
            if len(curves) == 1 and raw is not None:
                look = style | {"linewidth": 0.9, "alpha": 0.7, "linestyle": "-"}
                entries.append((draw(ax, *raw[name][0], look), prefixed(name, "raw")))
                lines[name] = draw(ax, *shapes[name][0], style)
                entries.append((lines[name], prefixed(name, "interpolated")))
                continue
            if len(curves) == 1:
                lines[name] = draw(ax, *shapes[name][0], style)
                entries.append((lines[name], entitled(name, *measured(curves[0]))))
                continue
            for fold in shapes[name]:
                behind = draw(ax, *fold, style | {"linewidth": 0.8, "alpha": 0.45, "linestyle": "-"})
            lines[name] = draw(ax, *mean(shapes[name]), style | {"linewidth": 2.2})
            entries.append((lines[name], prefixed(name, "mean of folds")))
            entries.append((behind, prefixed(name, f"{len(curves)} folds")))
        return lines

    def _points(self, points: Any) -> list[tuple[int, str, OperatingPoint]]:
        """(Place of the system, label, point) of what `plot(points=...)` was given."""
        points = listed(points)
        nested = points if _nested(points) else {next(iter(self.systems)): points}
        known = list(self.systems)
        labelled = []
        for name, of_system in nested.items():
            if name not in known:
                raise UsageError(f"points: no system {name!r}; there are {', '.join(known)}")
            of_system = listed(of_system)
            pairs = of_system.items() if isinstance(of_system, Mapping) else [("", p) for p in of_system]
            for label, point in pairs:
                text = told(labels.plain(label), point.threshold)
                labelled.append((known.index(name), prefixed(name if len(known) > 1 else "", text), point))
        return labelled


def draw_lines(ax: Axes, x: Float64, y: Float64, style: dict[str, Any]) -> Any:
    """Points joined by straight lines."""
    return ax.plot(x, y, **style)[0]


def prefixed(name: str, text: str) -> str:
    """A legend's words about a system, behind its name if it has one."""
    return f"{labels.plain(name)}, {text}" if name else text


def entitled(name: str, measure: str, value: float) -> str:
    """What a legend says of a curve.

    Examples
    --------
    >>> entitled("bm25", "AP", 0.51234), entitled("", "AP", 0.51234)
    ('bm25 (AP 0.512)', 'AP 0.512')
    """
    text = f"{measure} {value:.3f}"
    return f"{labels.plain(name)} ({text})" if name else text


def told(label: str, threshold: float) -> str:
    """What a legend says of an operating point."""
    at = f"threshold {labels.number(threshold)}"
    return f"{label} ({at})" if label else at


def listed(points: Any) -> Any:
    """Points as they were given, a single one in a list."""
    return [points] if hasattr(points, "threshold") else points


def _nested(points: Any) -> bool:
    return isinstance(points, Mapping) and any(not hasattr(one, "threshold") for one in points.values())


def _fold(one: Any, options: dict[str, Any]) -> Curve:
    if isinstance(one, Curve):
        return one
    if not isinstance(one, tuple | list) or len(one) != 2:
        raise UsageError(f"folds: each must be a curve or (labels, scores), got {type(one).__name__}")
    return curve(*one, **options)


def checked(one: Any, name: str) -> None:
    """Refuse what is no curve, or one without anything to draw."""
    of = f" of {name!r}" if name else ""
    if not isinstance(one, Curve):
        raise UsageError(f"curves: must be what precall.curve() returns, got {type(one).__name__}{of}")
    if not one.relevant or len(one) < 2:
        lack = "nothing is relevant" if not one.relevant else "no case was scored"
        raise UsageError(f"curves: {lack} in the curve{of}, so there is nothing to draw")
