"""What results come to, in a sentence; that of comparisons is the `text` of their `Verdict`."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from precall.core.text import many
from precall.results.report import Report, counted, number, ranked
from precall.results.sheet import beside
from precall.stats.tests.verdict import verdict_of

if TYPE_CHECKING:
    from precall.cases import Curve
    from precall.stats.intervals.interval import Interval
    from precall.stats.tests.comparisons import Comparison


class Sentence(NamedTuple):
    """A sentence for the head of a page; it begins with the `lead`, which is bold."""

    text: str
    lead: str = ""


def worded(value: float, interval: Interval | None = None) -> str:
    """A value with its interval.

    Examples
    --------
    >>> worded(0.5)
    '0.5000'
    """
    return number(value) + beside(interval.ends if interval is not None else None)


def of_report(report: Report) -> str:
    """What the best run reaches by the first measure: where runs were not compared, or no p is
    defined.
    """
    best = report.runs[ranked(report)[0]]
    measure = report.measures[0]
    reached = worded(float(best.mean[0]), report.bounds(best.name, measure))
    return f"{best.name} reaches {report.heads[0]} {reached}, {many(best.counts.topics, 'topic')}."


def of_curves(
    curves: Mapping[str, Curve],
    pairs: Sequence[Comparison],
    intervals: Mapping[str, Mapping[str, Interval]],
) -> list[Sentence]:
    """How the score of the greatest average precision differs from the others; what it reaches, if
    they are not compared.
    """

    def known(value: float) -> float:
        return value if value == value else -np.inf

    best = max(curves, key=lambda name: known(curves[name].average_precision()))
    curve = curves[best]
    cases, hits = (curve.tp[-1] + curve.fp[-1]).item(), curve.tp[-1].item()
    # The missed are none of the scored.
    relevant = f"{counted(hits)} of the cases are relevant"
    size = f"{counted(cases)} {'case' if cases == 1 else 'cases'}, {counted(hits)} of them relevant"
    if isinstance(cases, float):
        relevant = size = f"the cases weigh {counted(cases)}, {counted(hits)} of it relevant"
    size += f", and {counted(curve.missed)} relevant never scored" if curve.missed else ""
    rivals = [pair for pair in pairs if best in pair.names and pair.measure == "AP"]
    if len(rivals) == len(curves) - 1 > 0:
        means = {name: each.average_precision() for name, each in curves.items()}
        verdict = verdict_of(rivals, means, unit="cases")
        return (
            [Sentence(f"{text[:-1]}; {relevant}.", verdict.lead)] if (text := verdict.text) else []
        )
    value = curve.average_precision()
    if value != value:
        return [Sentence(f"The average precision of {best} is undefined, {size}.")]
    reached = worded(value, intervals.get(best, {}).get("AP"))
    return [Sentence(f"{best} reaches an average precision of {reached}, {size}.")]


def of_categories(averages: Mapping[str, Mapping[str, float]], count: int) -> str:
    """Average precision of scores of categories, averaged both ways."""
    macro, micro = (number(averages[way]["AP"]) for way in ("macro", "micro"))
    return f"Mean average precision of {count} categories {macro}, of all pairs together {micro}."


def of_decisions(
    body: Mapping[str, Any], interval_at: Callable[[tuple[str, str, str], float], Interval | None]
) -> str:
    """F1 of decisions, averaged both ways where there are categories.

    Parameters
    ----------
    body : of their sheet.
    interval_at : the interval of what stands in a block (its lines, the name of one, a column), if
        there is one.
    """
    values = body["averages"] or body["categories"]
    places = [("average", way, f"{way}-averaged F1") for way in ("micro", "macro")]
    if not body["averages"]:
        places = [("category", name, "F1") for name in values]
    parts = []
    for block, name, words in places:
        value = values[name]["F1"]
        parts.append(f"{words} {worded(value, interval_at((block, name, 'F1'), value))}")
    return ", ".join(parts)
