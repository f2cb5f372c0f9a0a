"""Chooses the display of the curves of a case table, or of comparisons, by its kind."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np

from precall import plot
from precall.core.errors import Fact, UsageError
from precall.core.text import percent
from precall.core.vocabulary import speaking, vocabulary_of
from precall.plot.pictures import OF_COMPARISONS, OF_CURVES, choose_kind

if TYPE_CHECKING:
    from precall.cases import Curve
    from precall.cases.decision_curves import DecisionCurves
    from precall.core.ragged import Float64
    from precall.evaluation.report import Report
    from precall.plot.canvas import Display
    from precall.stats.tests.comparisons import Comparisons


def display_of_curve(curve: Curve, kind: str = "pr") -> Display:
    """The display of one curve, not drawn yet."""
    kind = choose_kind(OF_CURVES, kind)
    display: Display = getattr(plot, OF_CURVES[kind].display).from_curve(curve)
    return display


def display_of_cases(
    curves: Mapping[str, Mapping[str, Curve]],
    kind: str = "pr",
    at: Mapping[str, Mapping[str, object]] | None = None,
) -> Display:
    """Display of the precision-recall, ROC and other curves of several scores or groups; or of one
    curve, by thresholds or scores.

    Parameters
    ----------
    curves : by score and group; a single group called "" means that there are no groups.
    kind : "pr", "roc", "gain", "lift", "cumulative-gain", "det", "cost", "ranks", "thresholds" or
        "scores".
    at : conditions of `Curve.at`, by the names of points. Points that are reached are marked,
        unless there are folds.
    """
    marked: dict[str, Any] = {}
    picture = OF_CURVES[kind]
    if picture.of == "curve":
        every = [curve for groups in curves.values() for curve in groups.values()]
        if len(every) > 1:
            raise UsageError(
                argument="plot_kind",
                what=f"{kind} draws one curve",
                remedy="give one score and no group",
            )
        display: Any = getattr(plot, picture.display)(every[0])
        if picture.marks_points:
            marked = _points(every[0], at)
    else:
        alone = len(curves) == 1
        systems = {
            "" if alone else score: tuple(groups.values()) for score, groups in curves.items()
        }
        display = getattr(plot, picture.display)(systems)
        if picture.marks_points:
            for name, of_system in systems.items():
                points = _points(of_system[0], at) if len(of_system) == 1 else {}
                marked |= {name: points} if points else {}
    drawn: Display = display.plot(points=marked) if marked else display.plot()
    return drawn


def _points(curve: Curve, at: Mapping[str, Mapping[str, Any]] | None) -> dict[str, Any]:
    """The points of --at that are reached. The sheet lists those that are not."""
    points: dict[str, Any] = {}
    for label, condition in (at or {}).items():
        with suppress(UsageError):
            points[label] = curve.at(**condition)
    return points


def display_of_decision_curves(curves: DecisionCurves) -> Display:
    """The picture of the decision curves of a table of cases."""
    from precall.cases.decision_curves import NONE, TREAT_ALL

    bands = {
        risk: band
        for (risk, against), band in curves.bands.items()
        if against == NONE and risk != TREAT_ALL
    }
    drawn: Display = plot.DecisionCurve(bands, curves.bands[TREAT_ALL, NONE]).plot()
    return drawn


def display_of_comparisons(
    compared: Comparisons, report: Report, kind: str | None = None, unpaired: str = "error"
) -> Display:
    """The picture of the comparisons by the first measure: topics of two runs, means of several
    runs, or their pairs.

    Parameters
    ----------
    report : the values that were compared.
    kind : "differences" or "scatter" of the topics of two runs, "means" or "pairs" (default: see
        `usual`).
    unpaired : what was done with topics that a run lacks, as for `compare`.
    """
    from precall.stats.tests.pairing import align_values

    kind = usual(compared) if kind is None else kind
    averaged, pairs = next(iter(compared.families.items()))
    measure = pairs[0].label
    share = percent(pairs[0].level)
    if kind == "pairs":
        whose = "Tukey's " if pairs[0].correction == "tukey" else ""
        return plot.PairDifferences.from_pairs(pairs).plot(
            measure=f"difference in {measure}, {whose}{share}"
        )
    values = report._values_by_run(report.measures[0])
    if kind == "means":
        by_topic, topics, _ = align_values(values, unpaired)
        intervals = _intervals(report, by_topic, topics, pairs[0].level, measure)
        means = plot.SystemMeans.from_intervals(intervals, compared.letters.get(averaged))
        return means.plot(
            measure=f"mean {measure}, {share}", ascending=not pairs[0].higher_is_better
        )
    if len(compared.names) != 2:
        count = len(compared.names)
        raise UsageError(
            argument="plot_kind",
            what=f"{kind} draws two runs",
            got=Fact(count),
            remedy="name two, or draw means or pairs",
        )
    first, second = pairs[0].names
    display = getattr(plot, OF_COMPARISONS[kind].display)
    with speaking(vocabulary_of(report.conventions)):
        drawn: Display = display(values[first], values[second], (first, second), measure).plot()
    return drawn


def _intervals(
    report: Report, by_topic: Float64, topics: Sequence[Any], level: float, measure: str
) -> dict[str, Any]:
    """Intervals of the means of all runs, over the compared topics."""
    from precall.core.notes import run_and_collect
    from precall.measures.registry import range_of
    from precall.stats.intervals.mean import mean, weighted

    bounds_of_measure = range_of(measure)
    make: Callable[..., Any] = mean
    if report.weights:
        make = partial(weighted, weights=np.array([report.weights[topic] for topic in topics]))

    # Warnings about few topics belong to `precall eval --interval`, whose table shows these
    # intervals as numbers.
    bounds, _ = run_and_collect(
        lambda: [make(column, level=level, range=bounds_of_measure) for column in by_topic.T]
    )
    return dict(zip((run.name for run in report.runs), bounds, strict=True))


def usual(compared: Comparisons) -> str:
    """The default picture."""
    if len(compared.names) == 2:
        return "differences"
    # Comparisons with a baseline have no letters. Tukey's intervals are simultaneous, those of
    # means are not.
    return "pairs" if not compared.letters or compared.pairs[0].correction == "tukey" else "means"
