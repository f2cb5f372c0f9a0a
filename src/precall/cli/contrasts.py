"""What `precall compare --plot` draws: topics of two runs, means of several, or their pairs."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from precall.errors import UsageError

if TYPE_CHECKING:
    from precall.infer.compare.comparisons import Comparison, Comparisons
    from precall.plot.display import Display
    from precall.results import Report


def rendered(found: Comparisons, report: Report, kind: str | None, unpaired: str, path: str) -> bytes:
    """The file of the picture of the first measure."""
    from precall.plot import pictures

    display = KINDS[usual(found) if kind is None else kind](found, report, unpaired)
    return pictures.rendered(display.figure_, pictures.ending(path))


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
            f"--plot-kind {kind}: draws two runs, got {len(found.names)}; name two, or draw means or pairs"
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


KINDS = {"differences": _differences, "scatter": _scatter, "means": _means, "pairs": _pairs}
