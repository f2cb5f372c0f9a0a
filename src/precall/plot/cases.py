"""The picture of the curves of a table of cases."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any, cast

from precall.errors import UsageError

if TYPE_CHECKING:
    from precall.curves import Curve
    from precall.plot.display import Display

    #: Score → group → curve; one group called "" is no group.
    Curves = Mapping[str, Mapping[str, Curve]]
    #: By the names of points, conditions of `Curve.at`.
    Conditions = Mapping[str, Mapping[str, Any]]


def picture(
    curves: Curves, kind: str = "pr", at: Conditions | None = None, higher_is_better: bool = True
) -> Display:
    """Precision-recall, ROC, gain or rank curves, of several scores or of groups; or one curve by thresholds or scores.

    Parameters
    ----------
    kind : "pr", "roc", "gain", "ranks", "thresholds" or "scores".
    at : conditions of `Curve.at`: the points that are reached are marked.
    """
    return _KINDS[kind](curves, at or {}, higher_is_better)


def _over_systems(name: str) -> Callable[[Curves, Conditions, bool], Display]:
    """Several scores are several systems, groups are folds; points are marked where there are no folds."""

    def draw(curves: Curves, at: Conditions, higher_is_better: bool) -> Display:
        from precall import plot

        alone = len(curves) == 1
        systems = {"" if alone else score: tuple(groups.values()) for score, groups in curves.items()}
        display: Any = getattr(plot, name)(systems)
        if name in ("PrecisionRecall", "ROC"):
            points = {
                score: _points(of_system[0], at, higher_is_better)
                for score, of_system in systems.items()
                if len(of_system) == 1
            }
            display.plot(points={score: found for score, found in points.items() if found})
            return cast("Display", display)
        display.plot()
        return cast("Display", display)

    return draw


def _of_one_curve(name: str) -> Callable[[Curves, Conditions, bool], Display]:
    def draw(curves: Curves, at: Conditions, higher_is_better: bool) -> Display:
        from precall import plot

        found = [curve for groups in curves.values() for curve in groups.values()]
        if len(found) > 1:
            kind = next(kind for kind, maker in _KINDS.items() if maker is draw)
            raise UsageError(f"plot_kind: {kind} draws one curve; give one score and no group")
        display: Any = getattr(plot, name)(found[0], higher_is_better)
        points = {"points": _points(found[0], at, higher_is_better)} if name == "AgainstThreshold" else {}
        display.plot(**points)
        return cast("Display", display)

    return draw


def _points(curve: Curve, at: Conditions, higher_is_better: bool) -> dict[str, Any]:
    """The points of --at that are reached; the sheet says which are not."""
    found: dict[str, Any] = {}
    for label, condition in at.items():
        given = dict(condition)
        if "threshold" in given and not higher_is_better:
            given["threshold"] = -given["threshold"]
        try:
            found[label] = curve.at(**given)
        except UsageError:
            continue
    return found


_KINDS: dict[str, Callable[..., Display]] = {
    "pr": _over_systems("PrecisionRecall"),
    "roc": _over_systems("ROC"),
    "gain": _over_systems("PrecisionRecallGain"),
    "ranks": _over_systems("AgainstRank"),
    "thresholds": _of_one_curve("AgainstThreshold"),
    "scores": _of_one_curve("ScoresByClass"),
}
