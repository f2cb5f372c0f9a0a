"""The picture of comparisons: topics of two runs, means of several, or their pairs."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from precall.errors import UsageError

if TYPE_CHECKING:
    from precall.infer.compare.comparisons import Comparisons
    from precall.plot.display import Display
    from precall.results import Report

KINDS = ("differences", "scatter", "means", "pairs")


def contrast(found: Comparisons, report: Report, kind: str | None = None, unpaired: str = "error") -> Display:
    """The picture of the first measure's comparisons.

    Parameters
    ----------
    found, report : comparisons, and the values that they are of.
    kind : "differences" or "scatter" of the topics of two runs, "means" or "pairs" (default: `usual`).
    unpaired : what was done about topics that a run lacks, as for `compare`.
    """
    from precall import plot
    from precall.compared_runs import topic_values
    from precall.infer.compare.pairing import aligned

    kind = usual(found) if kind is None else kind
    averaged, pairs = next(iter(found.families.items()))
    measure = pairs[0].measure
    share = f"{100 * pairs[0].level:g} %"
    if kind == "pairs":
        whose = "Tukey's " if pairs[0].correction == "tukey" else ""
        return plot.PairDifferences.from_pairs(pairs).plot(measure=f"difference in {measure}, {whose}{share}")
    values = topic_values(report, report.measures[0])
    if kind == "means":
        by_topic, _, _ = aligned(values, unpaired)
        means = plot.SystemMeans.from_intervals(
            _intervals(report, by_topic, pairs[0].level), found.letters.get(averaged)
        )
        return means.plot(measure=f"mean {measure}, {share}", ascending=not pairs[0].higher_is_better)
    if len(found.names) != 2:
        raise UsageError(
            f"plot_kind: {kind} draws two runs, got {len(found.names)}; name two, or draw means or pairs"
        )
    # As the table has it: the first minus the second.
    second, first = pairs[0].names
    topics = plot.TopicDifferences if kind == "differences" else plot.TopicScatter
    return topics(values[first], values[second], (first, second), measure).plot()


def _intervals(report: Report, by_topic: Any, level: float) -> dict[str, Any]:
    """Of the means of all runs, over the topics that are compared."""
    from precall.infer.interval.mean import mean
    from precall.notes import noted

    # Warnings of few topics are for `precall eval --interval`, whose table has these intervals as numbers.
    bounds, _ = noted(lambda: [mean(column, level=level) for column in by_topic.T])
    return dict(zip((run.name for run in report.runs), bounds, strict=True))


def usual(found: Comparisons) -> str:
    """What is drawn if nothing else is asked for."""
    if len(found.names) == 2:
        return "differences"
    # Against a baseline there are no letters; Tukey's intervals hold together, those of means do not.
    return "pairs" if not found.letters or found.pairs[0].correction == "tukey" else "means"
