"""The picture of comparisons: topics of two runs, means of several, or their pairs."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from precall.errors import UsageError

if TYPE_CHECKING:
    from precall.infer.compare.comparisons import Comparison, Comparisons
    from precall.plot.display import Display
    from precall.results import Report


def contrast(found: Comparisons, report: Report, kind: str | None = None, unpaired: str = "error") -> Display:
    """The picture of the first measure's comparisons.

    Parameters
    ----------
    found, report : comparisons, and the values that they are of.
    kind : "differences" or "scatter" of the topics of two runs, "means" or "pairs" (default: `usual`).
    unpaired : what was done about topics that a run lacks, as for `compare`.
    """
    return _KINDS[usual(found) if kind is None else kind](found, report, unpaired)


def usual(found: Comparisons) -> str:
    """What is drawn if nothing else is asked for."""
    if len(found.names) == 2:
        return "differences"
    # Against a baseline there are no letters; Tukey's intervals hold together, those of means do not.
    return "pairs" if not found.letters or found.pairs[0].correction == "tukey" else "means"


def _differences(found: Comparisons, report: Report, unpaired: str) -> Display:
    return _topics(found, report, "differences", "TopicDifferences")


def _scatter(found: Comparisons, report: Report, unpaired: str) -> Display:
    return _topics(found, report, "scatter", "TopicScatter")


def _topics(found: Comparisons, report: Report, kind: str, name: str) -> Display:
    from precall import plot
    from precall.compared_runs import topic_values

    if len(found.names) != 2:
        raise UsageError(
            f"plot_kind: {kind} draws two runs, got {len(found.names)}; name two, or draw means or pairs"
        )
    measure, pairs = _first(found)
    # As the table has it: the first minus the second.
    second, first = pairs[0].names
    values = topic_values(report, report.measures[0])
    display: Any = getattr(plot, name)(values[first], values[second], (first, second), measure)
    made: Display = display.plot()
    return made


def _means(found: Comparisons, report: Report, unpaired: str) -> Display:
    from precall.compared_runs import topic_values
    from precall.infer.compare.pairing import aligned
    from precall.infer.interval.mean import mean
    from precall.notes import noted
    from precall.plot import SystemMeans

    measure, pairs = _first(found)
    values, _, _ = aligned(topic_values(report, report.measures[0]), unpaired)
    # Warnings of few topics are for `precall eval --interval`, whose table has these intervals as numbers.
    bounds, _ = noted(lambda: [mean(column, level=pairs[0].level) for column in values.T])
    intervals = dict(zip((run.name for run in report.runs), bounds, strict=True))
    display = SystemMeans.from_intervals(intervals, found.letters.get(measure))
    return display.plot(measure=f"mean {measure}, {_share(pairs)}", ascending=not pairs[0].higher_is_better)


def _pairs(found: Comparisons, report: Report, unpaired: str) -> Display:
    from precall.plot import PairDifferences

    measure, pairs = _first(found)
    whose = "Tukey's " if pairs[0].correction == "tukey" else ""
    return PairDifferences.from_pairs(pairs).plot(measure=f"difference in {measure}, {whose}{_share(pairs)}")


def _first(found: Comparisons) -> tuple[str, list[Comparison]]:
    measure = next(iter(found.means))
    return measure, [one for one in found.pairs if one.measure == measure]


def _share(pairs: list[Comparison]) -> str:
    return f"{100 * pairs[0].level:g} %"


_KINDS = {"differences": _differences, "scatter": _scatter, "means": _means, "pairs": _pairs}
