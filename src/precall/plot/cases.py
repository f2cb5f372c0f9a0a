"""The picture of the curves of a table of cases."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from precall.errors import UsageError

if TYPE_CHECKING:
    from precall.curves import Curve
    from precall.plot.display import Display

    #: Score → group → curve; one group called "" is no group.
    Curves = Mapping[str, Mapping[str, Curve]]
    #: By the names of points, conditions of `Curve.at`.
    Conditions = Mapping[str, Mapping[str, Any]]

#: Displays of several scores, which are systems, and their groups, which are folds.
_OF_SYSTEMS = {"pr": "PrecisionRecall", "roc": "ROC", "gain": "PrecisionRecallGain", "ranks": "AgainstRank"}
_OF_ONE = {"thresholds": "AgainstThreshold", "scores": "ScoresByClass"}


def picture(
    curves: Curves, kind: str = "pr", at: Conditions | None = None, higher_is_better: bool = True
) -> Display:
    """Precision-recall, ROC, gain or rank curves, of several scores or of groups; or one curve by thresholds or scores.

    Parameters
    ----------
    kind : "pr", "roc", "gain", "ranks", "thresholds" or "scores".
    at : conditions of `Curve.at`: the points that are reached are marked, where there are no folds.
    """
    from precall import plot

    marked: dict[str, Any] = {}
    if kind in _OF_ONE:
        every = [curve for groups in curves.values() for curve in groups.values()]
        if len(every) > 1:
            raise UsageError(f"plot_kind: {kind} draws one curve; give one score and no group")
        display: Any = getattr(plot, _OF_ONE[kind])(every[0], higher_is_better)
        if kind == "thresholds":
            marked = _points(every[0], at, higher_is_better)
    else:
        alone = len(curves) == 1
        systems = {"" if alone else score: tuple(groups.values()) for score, groups in curves.items()}
        display = getattr(plot, _OF_SYSTEMS[kind])(systems)
        if kind in ("pr", "roc"):
            each = {
                name: _points(one[0], at, higher_is_better) for name, one in systems.items() if len(one) == 1
            }
            marked = {name: points for name, points in each.items() if points}
    drawn: Display = display.plot(points=marked) if marked else display.plot()
    return drawn


def _points(curve: Curve, at: Conditions | None, higher_is_better: bool) -> dict[str, Any]:
    """The points of --at that are reached; the sheet says which are not."""
    points: dict[str, Any] = {}
    for label, condition in (at or {}).items():
        given = dict(condition)
        if "threshold" in given and not higher_is_better:
            given["threshold"] = -given["threshold"]
        try:
            points[label] = curve.at(**given)
        except UsageError:
            continue
    return points
