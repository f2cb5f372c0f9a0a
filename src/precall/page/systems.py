"""Systems measured by topics → a section of a record: means, intervals, comparisons, values per topic."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np

from precall.notes import merged
from precall.results import number
from precall.sheet.comparisons import sentence
from precall.sheet.forms import beside
from precall.text import many

if TYPE_CHECKING:
    from precall.infer.compare.comparisons import Comparison, Comparisons
    from precall.results import Report, RunCounts

_PAIR = ("difference", "low", "high", "p", "adjusted")


@dataclass(frozen=True, slots=True)
class Systems:
    """What is known about some systems; all but the report may be missing.

    Parameters
    ----------
    report : of one run or several.
    comparisons : of the pairs of runs.
    hits : what `rankings.hits_of` made: where the hits are.
    laws : what `chance.chance_of` made, one for each system that has one.
    """

    report: Report
    comparisons: Comparisons | None = None
    hits: Mapping[str, Any] = field(default_factory=dict)
    laws: Sequence[Mapping[str, Any]] = ()

    def section(self) -> dict[str, Any]:
        """As data."""
        report, runs = self.report, self.report.runs
        topics = self.topics()
        best = report.best or (0,) * len(report.measures)
        section: dict[str, Any] = {
            "kind": "systems",
            "systems": [run.name for run in runs],
            "measures": [
                {"name": name, "aggregate": aggregate, "best": direction}
                for name, aggregate, direction in zip(report.measures, report.aggregates, best, strict=True)
            ],
            "counts": [_counts(run.counts) for run in runs],
            "topics": topics,
            "mean": [run.mean for run in runs],
            "interval": self._intervals(),
            "values": [
                [_aligned(run.topics, run.values[line], topics) for run in runs]
                for line in range(len(report.measures))
            ],
            "compared": self.compared(),
            "comparable": report.comparable,
            "signature": report.signature,
        }
        if self.comparisons is not None:
            section["pairs"] = self._pairs(self.comparisons)
        return section | {"hits": dict(self.hits), "laws": [dict(law) for law in self.laws]}

    def topics(self) -> list[str]:
        """Topics of all runs, in the order in which they are first met."""
        return list(dict.fromkeys(topic for run in self.report.runs for topic in run.topics))

    def compared(self) -> list[int]:
        """The two systems whose topics are compared: the best by the first measure, and the next after it."""
        order = self.order()
        return order[:2]

    def order(self) -> list[int]:
        """Systems, the best by the first measure first; in their order where neither end is good."""
        direction = (self.report.best or (0,))[0]
        mean = np.array([run.mean[0] for run in self.report.runs])
        if len(mean) == 2 or not direction:
            turned = len(mean) == 2 and direction and mean[1] * direction > mean[0] * direction
            return [1, 0] if turned else list(range(len(mean)))
        keys = -direction * np.nan_to_num(mean, nan=-np.inf * direction)
        return [int(one) for one in np.argsort(keys, kind="stable")]

    def warnings(self) -> list[str]:
        """What a reader of the numbers should know."""
        notes = merged(self.report.notes())
        return [*notes, *(self.comparisons.notes if self.comparisons is not None else ())]

    def headline(self) -> list[str]:
        """The result in words."""
        report = self.report
        first, *rest = self.compared()
        best = report.runs[first]
        name, size = report.measures[0], many(best.counts.topics, "topic")
        interval = report.bounds(best.name, name)
        between = beside(interval.ends if interval else None)
        alone = f"{best.name} reaches {name} {number(float(best.mean[0]))}{between}, {size}."
        if not rest or self.comparisons is None or not report.comparable:
            return [alone]
        pair = self.pair(report.runs[first].name, report.runs[rest[0]].name)
        return [alone] if pair is None else [sentence(pair, best.name, many(pair.size, "topic"))]

    def pair(self, first: str, second: str) -> Comparison | None:
        """The comparison of two systems by the first measure, if it was made."""
        if self.comparisons is None:
            return None
        try:
            return self.comparisons.pair(first, second, self.comparisons.pairs[0].measure)
        except KeyError:
            return None

    def _intervals(self) -> dict[str, Any]:
        report = self.report
        known = [[report.bounds(run.name, name) for name in report.measures] for run in report.runs]
        every = [one for line in known for one in line if one is not None]
        if not every:
            return {}
        nan = float("nan")
        ends = {
            end: [[nan if one is None else getattr(one, end) for one in line] for line in known]
            for end in ("low", "high")
        }
        return {
            "level": every[0].level,
            "method": "/".join(dict.fromkeys(one.method for one in every)),
            **ends,
        }

    def _pairs(self, comparisons: Comparisons) -> dict[str, Any]:
        place = {run.name: i for i, run in enumerate(self.report.runs)}
        # What is compared: of geometric means the logarithms.
        compared = [pairs[0].measure for pairs in comparisons.families.values()]
        lines = {name: i for i, name in enumerate(compared)}
        columns = {name: np.array([getattr(one, name) for one in comparisons.pairs]) for name in _PAIR}
        return {
            "a": [place[one.names[0]] for one in comparisons.pairs],
            "b": [place[one.names[1]] for one in comparisons.pairs],
            "measure": [lines[one.measure] for one in comparisons.pairs],
            **columns,
            "significant": [int(one.significant) for one in comparisons.pairs],
            "compared": compared,
            "letters": [
                # By name: they come in the order of the means.
                [of_measure[run.name] for run in self.report.runs]
                if (of_measure := comparisons.letters.get(name))
                else []
                for name in comparisons.means
            ],
            "conventions": dict(comparisons.conventions),
        }


def _counts(counts: RunCounts) -> dict[str, int]:
    from dataclasses import asdict

    return asdict(counts)


def _aligned(own: list[str], values: Any, topics: list[str]) -> Any:
    """A run's values over all topics; NaN where it lacks one."""
    if own == topics:
        return np.asarray(values)
    known = dict(zip(own, values.tolist(), strict=True))
    return np.array([known.get(topic, np.nan) for topic in topics])
