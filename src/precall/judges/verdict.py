"""The conclusion of measures whose labels are partly a judge's, in sentences."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from precall.core.text import (
    MOST_NAMED,
    format_difference,
    join_in_sentence,
    list_names,
    number,
    p_text,
    span,
)
from precall.judges.results import ROUNDING, Judged, JudgedPair, JudgedValue, is_shown


class RunsByMeasure(NamedTuple):
    """The runs by one measure, the best first, with the differences of all pairs."""

    head: str
    best: int
    rows: tuple[tuple[str, JudgedValue], ...]
    pairs: tuple[JudgedPair, ...]

    @property
    def first(self) -> str:
        """The best run by people's labels."""
        return self.rows[0][0]

    @property
    def by_judge(self) -> tuple[str, ...]:
        """The best runs by the judge's labels alone, several if they are equal; none if all are."""
        values = {run: value.judge_alone * (self.best or 1) for run, value in self.rows}
        most = max((each for each in values.values() if not math.isnan(each)), default=math.nan)
        best = tuple(run for run, each in values.items() if most - each <= ROUNDING)
        return best if len(best) < len(values) else ()

    @property
    def are_equal(self) -> bool:
        """Whether all runs have the same value by people's labels."""
        first = self.rows[0][1].estimate
        return all(abs(value.estimate - first) <= ROUNDING for _, value in self.rows)

    @property
    def others(self) -> dict[str, JudgedPair]:
        """The difference of each other run and the best, of runs whose value is defined."""
        of_first = {
            next(name for name in pair.names if name != self.first): pair
            for pair in self.pairs
            if self.first in pair.names
        }
        rest = self.rows[1:]
        return {name: of_first[name] for name, value in rest if not math.isnan(value.estimate)}

    @property
    def favour(self) -> JudgedPair | None:
        """The pair whose favour by the judge explains why the judge has another run first, else
        that of the greatest favour; None if none is shown.
        """
        runs = {self.first, *self.by_judge}
        return max(
            (pair for pair in self.pairs if pair.favoured is not None),
            key=lambda pair: (runs == {*pair.names}, abs(pair.favour.estimate)),
            default=None,
        )

    @property
    def most(self) -> str:
        """What the best run has."""
        return f"{'lowest' if self.best < 0 else 'highest'} {self.head}"

    def split(self) -> tuple[list[str], list[str]]:
        """The other runs: those that are shown to be worse than the best, and the rest."""
        worse = [name for name, pair in self.others.items() if pair.better == self.first]
        return worse, [name for name in self.others if name not in worse]


def rankings_of(found: Judged) -> list[RunsByMeasure]:
    """The ranking by each measure."""
    rankings = []
    bests = found.best or (1,) * len(found.measures)
    for measure, head, best in zip(found.measures, found.heads, bests, strict=True):
        rows = [(run, found.values[run, measure]) for run in found.runs]
        rows.sort(key=lambda row: (math.isnan(row[1].estimate), -row[1].estimate * (best or 1)))
        pairs = tuple(pair for pair in found.pairs if pair.measure == head)
        rankings.append(RunsByMeasure(head, best, tuple(rows), pairs))
    return rankings


def tell_rankings(rankings: Sequence[RunsByMeasure]) -> str:
    """Which run is best, and what the judge alone would have said. Measures with the same
    conclusion share a sentence, without numbers that the table has.
    """
    (run, value), *others = rankings[0].rows
    if len(rankings) == 1:
        return _tell_runs(rankings[0]) if others else tell_value(value, run)
    return "\n".join(_tell_by_measures(rankings) if others else _tell_biases(rankings))


def tell_value(value: JudgedValue, run: str = "") -> str:
    """The value with its bounds, and how far the judge alone is off."""
    n, size = value.labels
    unit = f"{value.unit}s"
    of = f" of {run}" if run else ""
    bounds = _bounds(value.low, value.high)
    told = (
        f"{value.measure}{of} is {number(value.estimate)}{bounds}, {n} of {size} {unit} by people."
    )
    bias = value.bias
    if bias is None:
        return told
    judge = f"The judge alone says {number(value.judge_alone)}"
    if math.isnan(bias.estimate):
        return f"{told}\n{judge}; its bias is undefined."
    if not is_shown(bias):
        return f"{told}\n{judge}; no bias is shown."
    way = "much" if bias.estimate > 0 else "little"
    low, high = sorted(map(abs, bias.ends))
    return (
        f"{told}\n{judge}: too {way} by {number(abs(bias.estimate))} "
        f"[{number(low)}, {number(high)}]."
    )


def tell_pair(pair: JudgedPair) -> str:
    """The difference with its bounds, and which of both the judge favours."""
    first, other = pair.names
    told = f"{first} - {other} is {format_difference(pair.difference)} by {pair.measure}"
    told += _bounds(pair.low, pair.high) + "."
    if pair.favoured is None:
        return told
    return f"{told} The judge favours {pair.favoured}."


def _bounds(low: float | None, high: float | None) -> str:
    return "" if low is None or high is None else f" [{number(low)}, {number(high)}]"


# --- One measure ---


def _tell_runs(ranking: RunsByMeasure) -> str:
    value = ranking.rows[0][1]
    n, size = value.labels
    if math.isnan(value.estimate):
        labelled = f"{n} of {size} {value.unit}s by people"
        return f"{ranking.head} is undefined for every run, {labelled}."
    best = f"{ranking.first} has the {ranking.most}"
    if ranking.are_equal:
        best = f"All runs have the same {ranking.head}"
    clauses = [
        f"{best}, {number(value.estimate)}{_bounds(value.low, value.high)}, "
        f"{n} of {size} {value.unit}s by people"
    ]
    for words, names in zip(_OUTCOMES, ranking.split(), strict=True):
        if ranking.are_equal:
            break
        told = [f"{name} ({_difference(ranking.others[name], ranking.first)})" for name in names]
        many = len(told) > MOST_NAMED
        gaps = (
            span((abs(ranking.others[name].difference) for name in names), number) if many else ""
        )
        told = [f"{len(told)} others (by {gaps})"] if many else told
        if words != _OUTCOMES[0] and any(
            ranking.others[name].low > 0 or ranking.others[name].high < 0 for name in names
        ):
            words = f"corrected for {len(ranking.pairs)} comparisons, {words}"
        clauses += [f"{words} {join_in_sentence(told)}"] if told else []
    return f"{'; '.join(clauses)}.\n{_tell_judge(ranking)}"


#: How the best run compares with those that are shown to be worse, and with the rest.
_OUTCOMES = ("better than", "not shown to be better than")


def _tell_judge(ranking: RunsByMeasure) -> str:
    """Which run the judge alone has first, and which it favours."""
    judge = f"The judge alone has {_first_by_judge(ranking)}"
    if (pair := ranking.favour) is None:
        return f"{judge}; it favours no run significantly."
    low, high = sorted(map(abs, pair.favour.ends))
    favoured, other = _favoured(pair)
    return (
        f"{judge}: it favours {favoured} over {other} by "
        f"{number(abs(pair.favour.estimate))} [{number(low)}, {number(high)}]."
    )


def _first_by_judge(ranking: RunsByMeasure) -> str:
    if all(math.isnan(value.judge_alone) for _, value in ranking.rows):
        return "no run first"
    best = ranking.by_judge
    return f"{list_names(best)} first" if best else "all runs equal"


def _favoured(pair: JudgedPair) -> tuple[str, str]:
    """The run that the judge favours, and the other."""
    first, second = pair.names
    return (first, second) if pair.favoured == first else (second, first)


def _difference(pair: JudgedPair, first: str) -> str:
    """The difference with its bounds, of this system minus the other."""
    is_first = pair.names[0] == first
    sign = 1 if is_first else -1
    low, high = (pair.low, pair.high) if is_first else (-pair.high, -pair.low)
    return format_difference(sign * pair.difference) + _bounds(low, high)


# --- Several measures ---


def _tell_by_measures(rankings: Sequence[RunsByMeasure]) -> list[str]:
    """A sentence for all measures with the same outcomes; then what the judge alone says."""
    outcome: tuple[object, ...] | None
    families: dict[object, list[RunsByMeasure]] = {}
    for ranking in rankings:
        worse, rest = map(frozenset, ranking.split())
        is_defined = not math.isnan(ranking.rows[0][1].estimate)
        outcome = (ranking.first, ranking.best < 0, worse, rest) if is_defined else None
        if is_defined and ranking.are_equal:
            outcome = ()
        families.setdefault(outcome, []).append(ranking)
    return [*map(_tell_family, families.values()), *_tell_judge_by_measures(rankings)]


def _tell_family(family: Sequence[RunsByMeasure]) -> str:
    first = family[0]
    if math.isnan(first.rows[0][1].estimate):
        heads = [ranking.head for ranking in family]
        be = "is" if len(heads) == 1 else "are"
        return f"{join_in_sentence(heads)} {be} undefined for every run."
    if first.are_equal:
        return f"All runs have the same {join_in_sentence([each.head for each in family])}."
    heads = [first.most, *(ranking.head for ranking in family[1:])]
    clauses = []
    for words, names in zip(_OUTCOMES, first.split(), strict=True):
        if names:
            p = [ranking.others[name].adjusted for ranking in family for name in names]
            # The weakest p holds for all.
            least = words != _OUTCOMES[0]
            sign = "=" if len(set(map(p_text, p))) == 1 else ">=" if least else "<="
            weakest = p_text(min(p) if least else max(p))
            clauses.append(f"{words} {list_names(names)} (p {sign} {weakest})")
    told = f"{first.first} has the {join_in_sentence(heads)}"
    return f"{told}: {', '.join(clauses)}." if clauses else f"{told}."


def _tell_judge_by_measures(rankings: Sequence[RunsByMeasure]) -> list[str]:
    firsts: dict[str, list[str]] = {}
    favours: dict[tuple[str, str], list[RunsByMeasure]] = {}
    for ranking in rankings:
        if any(not math.isnan(value.judge_alone) for _, value in ranking.rows):
            firsts.setdefault(_first_by_judge(ranking), []).append(ranking.head)
        if ranking.favour is not None:
            favours.setdefault(_favoured(ranking.favour), []).append(ranking)
    if not firsts:
        return ["The judge alone has no run first."]
    told = [f"{first} by {join_in_sentence(heads)}" for first, heads in firsts.items()]
    judge = f"The judge alone has {', and '.join(told)}"
    if not favours:
        return [f"{judge}; it favours no run significantly."]
    clauses = [
        f"{favoured} over {other} by {join_in_sentence([ranking.head for ranking in family])} "
        f"({_span(ranking.favour.favour.estimate for ranking in family if ranking.favour)})"
        for (favoured, other), family in favours.items()
    ]
    return [f"{judge}: it favours {', and '.join(clauses)}."]


def _tell_biases(rankings: Sequence[RunsByMeasure]) -> list[str]:
    """How far the judge alone is off by several measures, for one run."""
    (run, value), *_ = rankings[0].rows
    n, size = value.labels
    of = f" of {run}" if run else ""
    ways = "overstates", "understates", "none", "undefined"
    biases: dict[str, dict[str, float]] = {way: {} for way in ways}
    for ranking in rankings:
        bias = ranking.rows[0][1].bias
        if bias is None:
            continue
        if math.isnan(bias.estimate):
            way = "undefined"
        else:
            way = (
                "none"
                if not is_shown(bias)
                else "overstates"
                if bias.estimate > 0
                else "understates"
            )
        biases[way][ranking.head] = bias.estimate
    unbiased, undefined = biases.pop("none"), biases.pop("undefined")
    clauses = [
        f"{way} {join_in_sentence(list(found))} (by {_span(found.values())})"
        for way, found in biases.items()
        if found
    ]
    told = [f"The judge alone {' and '.join(clauses)}"] if clauses else []
    told += [f"no bias is shown for {join_in_sentence(list(unbiased))}"] if unbiased else []
    told += [f"the bias in {join_in_sentence(list(undefined))} is undefined"] if undefined else []
    text = "; ".join(told)
    labelled = f"People labelled {n} of {size} {value.unit}s{of}."
    return [labelled, f"{text[0].upper()}{text[1:]}."] if told else [labelled]


def _span(values: Iterable[float]) -> str:
    return span(map(abs, values), number)
