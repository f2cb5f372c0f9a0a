"""The verdict of comparisons by one measure: which system is best, and how the others compare with
it or with a baseline.

Tables, pages, JSON and logs begin with the sentence of a `Verdict`; its fields are the same as
data.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import groupby
from typing import TYPE_CHECKING, Any, NamedTuple

from precall.core.text import (
    format_difference,
    format_ends,
    list_names,
    many,
    number,
    p_text,
    printable,
    span,
)
from precall.results.base import Presented
from precall.results.equality import Equal

if TYPE_CHECKING:
    from precall.stats.tests.comparisons import Comparison, Comparisons

#: Outcomes of a comparison for the first system. No test can show that systems are equal.
BETTER, WORSE, NOT_SHOWN, UNDEFINED = "better", "worse", "no difference shown", "undefined"
#: The order of the outcomes in the sentence.
_ORDER = (BETTER, WORSE, NOT_SHOWN, UNDEFINED)
#: Smaller p-values are shown as "p < 0.001" in the sentence; tables have the values.
_SMALL = 0.001


class Standing(NamedTuple):
    """How one system compares with another: their difference with its interval, the adjusted p, and
    the outcome.

    `difference` is the first minus the second; `outcome` is for the first: "better", "worse", "no
    difference shown" or "undefined".
    """

    system: str
    other: str
    difference: float
    low: float | None
    high: float | None
    p: float
    outcome: str

    @classmethod
    def of(cls, pair: Comparison, system: str) -> Standing:
        """A comparison from the side of one of its systems."""
        pair = pair if pair.names[0] == system else pair.swap()
        return cls(*pair.names, pair.difference, pair.low, pair.high, pair.adjusted, pair.outcome)


@dataclass(frozen=True, slots=True, eq=False)
class Verdict(Equal, Presented):
    """The verdict of comparisons by one measure; as text it is one sentence.

    Parameters
    ----------
    measure : the measure by which the systems were compared.
    means : the value of every system, the best first; equal ones by name.
    standings : how the best compares with each other system; with a baseline, how each other system
        compares with that. Ordered as `means`.
    baseline : the system that all others were compared with; None if every pair was compared.
    letters : letters by system; systems that share a letter do not differ significantly. Empty if
        there are none.
    size, unit : how many values of each system were compared, and their unit: "topics", "items",
        "pairs".
    test, correction, level : how they were compared; p is adjusted by the correction, intervals are
        for each pair separately (except for "tukey").
    alternative : the alternative hypothesis of p; intervals are two-sided.
    interval : method of the intervals; the sentence ends with it, and with the method of p if that
        is different.
    scale : the quantity of the differences, if it is not the measure itself: "log GMAP".
    head : name of the measure in print; "" is `measure`.

    Examples
    --------
    >>> from precall import compare
    >>> values = {
    ...     "x": [0.9, 0.8, 0.7, 0.9, 0.8, 0.9, 0.6, 0.8],
    ...     "y": [0.5, 0.4, 0.5, 0.6, 0.5, 0.4, 0.3, 0.6],
    ...     "z": [0.4, 0.5, 0.6, 0.5, 0.4, 0.5, 0.3, 0.7],
    ... }
    >>> verdict = compare.many(values, measure="AP").verdicts["AP"]
    >>> verdict.best, [(each.other, each.outcome) for each in verdict.standings]
    ('x', [('z', 'better'), ('y', 'better')])
    >>> print(compare.many(values, measure="AP", baseline="y").verdicts["AP"].text)
    x has the best AP (0.8000, 8 topics); compared with y only: x is better (+0.3250 [0.2333, 0.4000], p 0.0156), ...
    """  # noqa: E501

    measure: str
    means: Mapping[str, float]
    standings: tuple[Standing, ...]
    baseline: str | None = None
    letters: Mapping[str, str] = field(default_factory=dict)
    size: int = 0
    unit: str = "pairs"
    test: str = ""
    correction: str = "none"
    level: float = 0.95
    scale: str = ""
    alternative: str = "two-sided"
    interval: str = ""
    head: str = field(default="", compare=False)

    @property
    def label(self) -> str:
        """Name of the measure in print."""
        return self.head or self.measure

    @property
    def best(self) -> str:
        """The system with the best value; among equal ones the first by name."""
        return next(iter(self.means))

    @property
    def value(self) -> float:
        """The best value."""
        return self.means[self.best]

    @property
    def text(self) -> str:
        """One sentence, best system first; empty if every p is undefined."""
        pieces = "; ".join(filter(None, self.pieces))
        # A name may contain a line end, or characters that move the cursor.
        return printable(f"{pieces}.") if pieces else ""

    @property
    def lead(self) -> str:
        """The beginning of the sentence: which system is best."""
        return printable(self.pieces[0])

    @property
    def pieces(self) -> tuple[str, str]:
        """The two parts of the sentence: which system is best, and how the others compare; empty if
        there is nothing to say.
        """
        if all(each.outcome == UNDEFINED for each in self.standings):
            return "", ""
        leaders = [name for name, value in self.means.items() if value == self.value]
        is_alone, base = len(leaders) == 1, self.baseline
        size = count_units(self.size, self.unit)
        facts = f"({number(self.value)}, {size})"
        if base is None:
            head, other = (
                f"{list_names(leaders)} {'is' if is_alone else 'are'} best by {self.label} {facts}",
                "",
            )
        else:
            # With a baseline, the best and the second best need not have been compared.
            verb = "has" if is_alone else "have"
            head = f"{list_names(leaders)} {verb} the best {self.label} {facts}"
            other = (
                "compared with "
                f"{'it' if leaders == [base] else base}{' only' * (len(self.means) > 2)}: "
            )
        rank_of = _ORDER.index
        # If several are best, they are not compared with one another.
        standings = [
            each for each in self.standings if base is not None or each.other not in leaders
        ]
        if not standings:
            return head, ""
        ordered = sorted(standings, key=lambda each: rank_of(each.outcome))
        groups = [
            (outcome, list(group))
            for outcome, group in groupby(ordered, key=lambda each: each.outcome)
        ]
        sentence = _tell_of_best if base is None else _tell_of_baseline
        interval_count = sum(len(group) == 1 and group[0].low is not None for _, group in groups)
        clauses = ", ".join(sentence(outcome, group, self.scale) for outcome, group in groups)
        return head, other + clauses + self._methods(interval_count)

    def _methods(self, intervals: int) -> str:
        """The method of the intervals, and that of p if it is different."""
        if not intervals or not self.interval:
            return ""
        text = f"; interval{'s' * (intervals > 1)} by {self.interval}"
        adjusted = (
            f", adjusted by {self.correction}" if self.correction not in ("none", "tukey") else ""
        )
        side = "" if self.alternative == "two-sided" else f" ({self.alternative})"
        agrees = self.interval in (self.test, f"inverted {self.test}") and not side
        return text + (f", p by {self.test}{side}{adjusted}" if adjusted or not agrees else "")

    def to_dict(self) -> dict[str, Any]:
        """As plain data, for JSON."""
        return {
            "measure": self.measure,
            "best": self.best,
            "value": self.value,
            "means": dict(self.means),
            "baseline": self.baseline,
            "standings": [each._asdict() for each in self.standings],
            "letters": dict(self.letters),
            "size": self.size,
            "unit": self.unit,
            "test": self.test,
            "correction": self.correction,
            "level": self.level,
            "alternative": self.alternative,
            "interval": self.interval,
            "text": self.text,
        }

    def __repr__(self) -> str:
        return f"<Verdict: {self.text or f'{self.label}, undefined'}>"

    def __str__(self) -> str:
        return self.text


def count_units(count: int, unit: str) -> str:
    """A number of units, which are named in the plural: "1 topic", "2 queries"."""
    return many(count, "query" if unit == "queries" else unit.removesuffix("s"), unit)


def _tell_of_best(outcome: str, group: Sequence[Standing], scale: str) -> str:
    """How the best system compares with others."""
    names, facts = list_names([standing.other for standing in group]), _facts(group, scale)
    words = {BETTER: "better than ", WORSE: "worse than ", NOT_SHOWN: "no difference shown from "}
    return words[outcome] + names + facts if outcome in words else f"p against {names} is undefined"


def _tell_of_baseline(outcome: str, group: Sequence[Standing], scale: str) -> str:
    """How others compare with the baseline."""
    names, facts = list_names([standing.system for standing in group]), _facts(group, scale)
    if outcome == UNDEFINED:
        return f"p of {names} is undefined"
    if outcome == NOT_SHOWN:
        return f"no difference shown for {names}{facts}"
    return f"{names} {'is' if len(group) == 1 else 'are'} {outcome}{facts}"


def _facts(group: Sequence[Standing], scale: str) -> str:
    """The difference with its interval and p; for several systems the ranges of these."""
    of = f"{scale} " if scale else ""
    if len(group) == 1:
        (each,) = group
        ends = "" if each.low is None else f" [{', '.join(format_ends(each.low, each.high))}]"
        return f" ({of}{format_difference(each.difference)}{ends}, {_p(each.p)})"
    gaps, p = [each.difference for each in group], [each.p for each in group]
    range_text = span(gaps, format_difference)
    kind = "differences" if " to " in range_text else "each a difference of"
    # The weakest p of the group; if all are shown with the same digits it holds for all.
    least, bound = (max(p), " or less") if group[0].outcome != NOT_SHOWN else (min(p), " or more")
    is_exact = least < _SMALL or len({_p(each) for each in p}) == 1
    return f" ({kind} {of}{range_text}, {_p(least)}{'' if is_exact else bound})"


def _p(p: float) -> str:
    return f"p < {_SMALL:g}" if p < _SMALL else f"p {p_text(p)}"


def verdict_of(
    pairs: Sequence[Comparison],
    means: Mapping[str, float],
    *,
    measure: str | None = None,
    **details: Any,
) -> Verdict:
    """The verdict of the comparisons of one family.

    Parameters
    ----------
    pairs : comparisons by one measure: every pair, or each other system with the baseline.
    means : the value of every system.
    measure : name of the measure of the means (default: the one that was compared).
    details : `baseline`, `letters`, `unit` and `head`, see `Verdict`.
    """
    first, baseline = pairs[0], details.get("baseline")
    high = 1 if first.higher_is_better else -1
    # An undefined value comes last.
    order = sorted(means, key=lambda name: (means[name] != means[name], -high * means[name], name))
    reference = order[0] if baseline is None else baseline
    # Only pairs with the reference system: thousands of systems have millions of pairs.
    pair_of = {
        pair.names[pair.names[0] == reference]: pair for pair in pairs if reference in pair.names
    }
    others = [name for name in order if name != reference]
    standings = tuple(
        Standing.of(pair_of[name], reference if baseline is None else name) for name in others
    )
    return Verdict(
        measure or first.measure,
        {name: means[name] for name in order},
        standings,
        size=first.size,
        test=first.test,
        correction=first.correction,
        level=first.level,
        alternative=first.alternative,
        interval=first.interval,
        scale=first.label if measure not in (None, first.measure) else "",
        **{"head": first.head} | details,
    )


def verdicts_of(compared: Comparisons) -> dict[str, Verdict]:
    """The verdicts by measure; see `Comparisons.verdicts`."""
    shared = {"baseline": compared.conventions.get("baseline"), "unit": compared.unit}
    return {
        measure: verdict_of(
            pairs,
            compared.means[measure],
            measure=measure,
            letters=compared.letters.get(measure, {}),
            head=compared.head_of(measure),
            **shared,
        )
        for measure, pairs in compared.families.items()
        if measure not in compared.neutral
    }
