"""The verdict of comparisons by one measure: which system is best, and how the others compare with
it or with a baseline.

Tables, pages, JSON and logs begin with the sentence of a `Verdict`; its fields hold the same facts
as data.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import groupby
from typing import TYPE_CHECKING, Any, NamedTuple

from precall.core.text import (
    MOST_NAMED,
    format_difference,
    format_ends,
    join_in_sentence,
    list_names,
    many,
    number,
    p_text,
    printable,
    span,
)
from precall.results.equality import Equal
from precall.results.sheets import Presented

if TYPE_CHECKING:
    from precall.core.notes import Note
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
    notes : what was noticed about the data and the comparisons.

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
    x has the best AP (0.8000, 8 topics); x is better than y (+0.3250 [0.2333, 0.4000], p = 0.0156); ...
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
    notes: tuple[Note, ...] = field(default=(), repr=False, compare=False)

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
        if self.is_undefined:
            return "", ""
        leaders = self.leaders
        is_alone, base = len(leaders) == 1, self.baseline
        facts = f"({number(self.value)}, {count_units(self.size, self.unit)})"
        if base is None:
            verb = "is" if is_alone else "are"
            head = f"{list_names(leaders, 'systems')} {verb} best by {self.label} {facts}"
        else:
            # With a baseline, the best and the second best need not have been compared.
            verb = "has" if is_alone else "have"
            head = f"{list_names(leaders, 'systems')} {verb} the best {self.label} {facts}"
        groups = self.groups
        if not groups:
            return head, ""
        if self.is_untestable:
            return head, f"one {singular(self.unit)} cannot be tested"
        clauses = [
            words + _facts(group, self.scale)
            for words, group in zip(self._clauses(groups), groups, strict=True)
        ]
        interval_count = sum(len(group) == 1 and group[0].low is not None for group in groups)
        return head, self._join_clauses(clauses) + self._methods(interval_count)

    @property
    def is_undefined(self) -> bool:
        """Whether every p is undefined, so that there is nothing to say."""
        return all(each.outcome == UNDEFINED for each in self.standings)

    @property
    def is_untestable(self) -> bool:
        """Whether there is one topic only, whose difference shows nothing."""
        return self.size == 1 and self.unit in ("topics", "queries")

    @property
    def leaders(self) -> list[str]:
        """The systems with the best value."""
        return [name for name, value in self.means.items() if value == self.value]

    @property
    def groups(self) -> list[list[Standing]]:
        """The standings by outcome, in the order of the sentence. If several systems are best, they
        are not compared with one another.
        """
        leaders = self.leaders
        standings = [
            each
            for each in self.standings
            if self.baseline is not None or each.other not in leaders
        ]
        standings.sort(key=lambda each: _ORDER.index(each.outcome))
        return [list(group) for _, group in groupby(standings, key=lambda each: each.outcome)]

    def _clauses(self, groups: Sequence[Sequence[Standing]], by: str = "") -> list[str]:
        """How the systems of each group compare with the best, or with the baseline.

        Parameters
        ----------
        by : follows the name of the baseline, such as " by AP".
        """
        others, base = len(self.means) - 1, self.baseline
        if base is None:
            return [_tell_of_best(group, others) for group in groups]
        return [
            _tell_of_baseline(group, others, base if index == 0 else "", by * (index == 0))
            for index, group in enumerate(groups)
        ]

    def _join_clauses(self, clauses: Sequence[str]) -> str:
        """Clauses in a sentence; with a baseline each has its own subject."""
        return ("; " if self.baseline is not None else ", ").join(clauses)

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


def singular(unit: str) -> str:
    """One of the units, which are named in the plural."""
    return "query" if unit == "queries" else unit.removesuffix("s")


def count_units(count: int, unit: str) -> str:
    """A number of units, which are named in the plural: "1 topic", "2 queries"."""
    return many(count, singular(unit), unit)


def summary(verdicts: Iterable[Verdict]) -> list[str]:
    """The verdicts in short: a sentence for all measures with the same outcomes. Tables beside it
    have the values. More than two sentences are short: they leave out systems without a significant
    difference, which the letters in the table show, and the interval of a difference.
    """
    families: dict[object, list[Verdict]] = {}
    for verdict in verdicts:
        if not verdict.is_undefined:
            families.setdefault(_outcomes(verdict), []).append(verdict)
    is_brief = len(families) > 2
    return [printable(_tell_family(family, is_brief)) for family in families.values()]


def _outcomes(verdict: Verdict) -> object:
    """What verdicts in one sentence have in common."""
    pairs = [(each.system, each.other, each.outcome) for each in verdict.standings]
    if len(verdict.means) > 2:
        leaders = [] if verdict.baseline is not None else verdict.leaders
        return tuple(leaders), frozenset(pairs)
    ((system, other, outcome),) = pairs
    if outcome in (BETTER, WORSE):
        return (system, other) if outcome == BETTER else (other, system)
    return frozenset((system, other)), outcome


def _tell_family(family: Sequence[Verdict], is_brief: bool = False) -> str:
    """One sentence for verdicts by several measures with the same outcomes."""
    first, groups = family[0], family[0].groups
    labels = [verdict.label for verdict in family]
    # A label may have a comma: "AP, 40 groups".
    has_commas = any("," in label for label in labels)
    by = f" by {', and by '.join(labels) if has_commas else join_in_sentence(labels)}"
    if first.is_untestable:
        unit = singular(first.unit)
        return f"One {unit} cannot be tested; comparing systems{by} takes several."
    scales = [verdict.scale for verdict in family if verdict.scale]
    of = f"differences of {join_in_sentence(scales)}, " if scales else ""
    if len(first.means) == 2:
        return _tell_of_two(family, by, of)
    outcomes = [group[0].outcome for group in groups]
    is_only = is_brief and first.baseline is None and {*outcomes} == {BETTER, NOT_SHOWN}
    facts = [
        _facts(group, first.scale)
        if len(family) == len(group) == 1 and not is_only
        else f" ({of}{_p_of([each for verdict in family for each in verdict.groups[index]])})"
        for index, group in enumerate(groups)
    ]
    clauses = first._join_clauses(
        [
            clause + " only" * is_only + (fact if outcome != UNDEFINED else "")
            for clause, fact, outcome in zip(
                first._clauses(groups, by), facts, outcomes, strict=True
            )
            if not (is_only and outcome == NOT_SHOWN)
        ]
    )
    if first.baseline is not None:
        return f"{clauses}."
    verb = "is" if len(first.leaders) == 1 else "are"
    return f"{list_names(first.leaders, 'systems')} {verb} best{by}{': ' * bool(clauses)}{clauses}."


def _tell_of_two(family: Sequence[Verdict], by: str, of: str) -> str:
    """The sentence for two systems; `by` has the measures and `of` the scales."""
    ((system, other, *_, outcome),) = family[0].standings
    system, other = (other, system) if outcome == WORSE else (system, other)
    words = f"not {_DIFFERENT} " if outcome == NOT_SHOWN else "better than "
    p = _p_of([each for verdict in family for each in verdict.standings])
    return f"{system} is {words}{other}{by} ({of}{p})."


#: What is said of systems that no test could tell apart.
_DIFFERENT = "significantly different from"


def _tell_of_best(group: Sequence[Standing], others: int) -> str:
    """How the best system compares with others; `others` is the number of all."""
    names = list_names([each.other for each in group])
    outcome = group[0].outcome
    if len(group) == others and others > MOST_NAMED:
        # "Not different from all" might still differ from some.
        names = "any other system" if outcome == NOT_SHOWN else f"all {names}"
    words = {BETTER: "better than ", WORSE: "worse than ", NOT_SHOWN: f"not {_DIFFERENT} "}
    return words[outcome] + names if outcome in words else f"p against {names} is undefined"


def _tell_of_baseline(group: Sequence[Standing], others: int, base: str, by: str) -> str:
    """How others compare with the baseline, which is named if it is not empty."""
    names, outcome = list_names([each.system for each in group]), group[0].outcome
    if len(group) == others and others > MOST_NAMED:
        names = f"all {others} other systems"
    verb = "is" if len(group) == 1 else "are"
    if outcome == UNDEFINED:
        return f"p of {names} {f'against {base}{by} ' if base else ''}is undefined"
    if outcome == NOT_SHOWN:
        words = f"not {_DIFFERENT}" if base else f"not {_DIFFERENT.removesuffix(' from')}"
    else:
        words = f"{outcome} than" if base else outcome
    return f"{names} {verb} {words}{' ' * bool(base)}{base}{by}"


def _facts(group: Sequence[Standing], scale: str) -> str:
    """The difference with its interval and p; for several systems the ranges of these."""
    of = f"{scale} " if scale else ""
    p = f", {_p_of(group)}" if group[0].outcome != UNDEFINED else ""
    if len(group) == 1:
        (each,) = group
        ends = "" if each.low is None else f" [{', '.join(format_ends(each.low, each.high))}]"
        return f" ({of}{format_difference(each.difference)}{ends}{p})"
    gaps = [each.difference for each in group]
    range_text = span(gaps, format_difference)
    kind = "differences" if " to " in range_text else "each a difference of"
    return f" ({kind} {of}{range_text}{p})"


def _p_of(standings: Sequence[Standing]) -> str:
    """The weakest p of standings with one outcome; if all are shown with the same digits it holds
    for all.
    """
    p, outcome = [each.p for each in standings], standings[0].outcome
    weakest, sign = (min(p), ">=") if outcome == NOT_SHOWN else (max(p), "<=")
    return _p(weakest, "=" if len({_p(each) for each in p}) == 1 else sign)


def _p(p: float, sign: str = "=") -> str:
    if p < _SMALL:
        # Some of p that show nothing may be that small: of signs that speak against the means.
        return f"p < {_SMALL:g}"
    return f"p {sign} {p_text(p)}"


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
    details : `baseline`, `letters`, `unit`, `head` and `notes`, see `Verdict`.
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
    heads = {name: compared.head_of(name) for name in compared.means}
    return {
        measure: verdict_of(
            pairs,
            compared.means[measure],
            measure=measure,
            letters=compared.letters.get(measure, {}),
            head=heads[measure],
            notes=_notes_by(measure, compared, heads),
            **shared,
        )
        for measure, pairs in compared.families.items()
        if measure not in compared.neutral
    }


def _notes_by(measure: str, compared: Comparisons, heads: Mapping[str, str]) -> tuple[Note, ...]:
    """The notes of comparisons, without those on other measures; `heads` are what measures are
    called in print.
    """
    others = {*heads.values()} - {heads[measure], *compared.names}
    return tuple(note for note in compared.notes if not others.intersection(note.context[:1]))
