"""Tests whether rankings are better than chance: their values against their null distributions."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any, TypeAlias

import numpy as np

from precall.core.arguments import check_choice, check_kind
from precall.core.errors import (
    Fact,
    Kind,
    MeasureError,
    UsageError,
    needs_cases_in_memory,
)
from precall.core.notes import Note
from precall.core.notes.of_null import ChanceWithMissed
from precall.core.ragged import Int64, mean, spread, total
from precall.core.text import format_difference, many, printable
from precall.location.hits import Hits, ceiling, others_of
from precall.measures.areas import part_of
from precall.measures.registry import Measure, find
from precall.results.forms import short_notes
from precall.results.sheets import Presented, curve_in
from precall.stats.null.asymptotic import Asymptotic, is_smooth
from precall.stats.null.average import AveragePrecision, average_precision
from precall.stats.null.average_with_ties import TIES, Tied
from precall.stats.null.distribution import NullDistribution, Tail
from precall.stats.null.hits_and_ranks import Hypergeometric, reciprocal_rank
from precall.stats.null.mean_over_rankings import Enriched, Mean, Scaled
from precall.stats.null.of_labels import OfLabels
from precall.stats.null.of_ranks import LAWS, law_of
from precall.stats.null.tail.block_moments import coefficients

#: A value and its null distribution.
ValueAndNull: TypeAlias = tuple[float, NullDistribution]

#: What a part of the area under ROC is called.
_PART = "AUC(max_fpr=x)"
#: Measures of curves alone, as other items count by their number.
_OF_CURVES = ("AUPRG", _PART)
TESTED = ("AP", "AP@k", "P@k", "R@k", "Rprec", "RR", "AUC", "EF@x%", *LAWS, *_OF_CURVES)
METHODS = ("auto", "asymptotic")


@dataclass(frozen=True, slots=True)
class Outcome(Presented):
    """One value against its null distribution.

    Parameters
    ----------
    value : the value of the measure.
    null : the distribution of that value when the same items stand in random order; `law` is its
        older name.
    tail : P(X >= value), with its method and accuracy.
    """

    value: float
    null: NullDistribution
    tail: Tail

    @classmethod
    def of(cls, value: float, null: NullDistribution) -> Outcome:
        """The outcome of the value against this distribution."""
        check_kind(
            "null", null, NullDistribution, "a null distribution, as of pc.null.average_precision"
        )
        return cls(value, null, null.tail(value))

    @property
    def law(self) -> NullDistribution:
        """The older name of `null`."""
        return self.null

    @property
    def p(self) -> float:
        """The p-value: P(X >= value), never 0."""
        return self.tail.p

    @property
    def effect(self) -> float:
        """The value minus its mean under random selection."""
        return self.value - self.null.mean

    @property
    def share(self) -> float:
        """The effect as a share of the greatest possible one: 0 is chance, 1 perfect; NaN if all
        orders give the same value.
        """
        room = self.null._ends()[1] - self.null.mean
        return self.effect / room if room > 0 else float("nan")

    def __str__(self) -> str:
        return (
            f"{self.value:.4f}, {format_difference(self.effect)} over chance "
            f"({self.null.mean:.4f}), {self.tail}"
        )


@dataclass(frozen=True, slots=True)
class Significance(Presented):
    """The result of `test`: an outcome per ranking, and that of their mean.

    Attributes
    ----------
    measure : the measure that was tested.
    rankings : the outcome of each ranking; None if the measure is undefined. It is undefined if
        nothing is relevant (except P@k and RR, which are then 0), and AUC also if nothing else was
        retrieved. Such rankings are not in the mean.
    combined : the outcome of the mean over rankings.
    missed : relevant items that were not retrieved, over all rankings: they lower values and their
        null distributions alike.
    notes : notes about the labels and scores that were tested.
    """

    measure: str
    rankings: tuple[Outcome | None, ...]
    combined: Outcome
    missed: int = 0
    notes: tuple[Note, ...] = field(default=(), repr=False)

    @property
    def p(self) -> float:
        """The p-value of the mean over rankings."""
        return self.combined.p

    @property
    def effect(self) -> float:
        """The mean minus its expectation under random selection."""
        return self.combined.effect

    @property
    def null(self) -> NullDistribution:
        """The null distribution of the mean; `law` is its older name."""
        return self.combined.null

    @property
    def law(self) -> NullDistribution:
        """The older name of `null`."""
        return self.null

    def __str__(self) -> str:
        undefined = self.rankings.count(None)
        more = f", {undefined} undefined" if undefined else ""
        more += f", {many(self.missed, 'relevant item')} missed" if self.missed else ""
        line = f"{self.measure} of {many(len(self.rankings), 'ranking')}{more}: {self.combined}"
        return "\n".join([printable(line), *short_notes(self.notes)])


@dataclass(frozen=True, slots=True)
class _Ranking:
    """One ranking to test: sizes and hits of its blocks, best first, over all its items; and the
    number of `relevant` items, retrieved or not.
    """

    size: Int64
    hits: Int64
    relevant: int
    #: The curve that it is of, if it is one: it tells a measure of other labels.
    curve: Any = None

    def has_ties(self, cut: int | None = None, inside: bool = True) -> bool:
        """Whether other labels would have an open order: in any rank, or in the first `cut`.

        A block that ends there matters only to measures that depend on the order `inside` the cut.
        """
        end = np.cumsum(self.size)
        start = end - self.size
        of_cut = slice(None) if cut is None else (start < cut) & (inside | (end > cut))
        return bool((self.size[of_cut] > 1).any())

    @property
    def items(self) -> int:
        return int(self.size.sum())

    @property
    def retrieved(self) -> int:
        """Relevant items that were retrieved."""
        return int(self.hits.sum())

    @property
    def location(self) -> Int64:
        start, rows = np.cumsum(self.size) - self.size, np.flatnonzero(self.hits)
        return spread(start[rows] + 1, self.hits[rows])[1]


def test(
    hits_or_curve: object, measure: str = "AP", *, ties: str = "expected", method: str = "auto"
) -> Significance:
    """Test whether rankings are better than chance.

    The null hypothesis is random selection: the retrieved items of each ranking stand in random
    order, and it is fixed which of them are relevant. Values are those of the measure: relevant
    items that were missed count in the cutoff of Rprec, and in the denominators of Rprec, R@k, AP
    and AUC. A greater denominator lowers a value and its null distribution alike, so p of one
    ranking does not change; the cutoff and means over rankings do change p. This is not a test
    between two systems.

    Parameters
    ----------
    hits_or_curve : `Hits` of any number of rankings, without ties; a `Curve` (one ranking, ties
        allowed); or a `Ranking`.
    measure : "AP", "AP@k", "P@k", "R@k", "Rprec", "RR", "AUC" or "EF@x%"; in AUC missed items stand
        below all others. EF@x% is a precision times a constant, and has its p. Of a curve, or if no
        relevant item is missed, also "IAP" (11-point), "BEP", "MaxF", "KS",
        "BEDROC", "RAtPrecision(precision=p)" and "PAtRecall(recall=r)"; of a curve "AUPRG" and
        "AUC(max_fpr=x)".
    ties : for a curve with equal scores: AP is the mean over orders inside blocks ("expected"), or
        takes each block as a whole ("block"). Blocks stay and labels are permuted; without ties the
        distribution would be different. Other measures than AP and AUC have the values of
        `Curve.value`, and random orders of the labels unless there are few.
    method : "auto": exact, or within the error that each p states. "asymptotic", for AP and AP@k
        without ties: the normal limit with the exact skewness and kurtosis. For hundreds of
        rankings the limit takes less than a second, "auto" a minute.

    Returns
    -------
    Significance
        `rankings`, an outcome each (value, p, effect over chance, `null`), and `combined`, the
        outcome of their mean, as of independent rankings.

    Raises
    ------
    TiesUnresolved
        Hits with ties: hits do not know the blocks without hits.
    UsageError
        The measure is unknown, undefined in every ranking, or has no asymptotic p here. Or the
        curve has weights, even integer ones: a case that counts twice is not two cases.

    Examples
    --------
    >>> from precall.location import Hits
    >>> result = test(Hits.of([1, 2, 4], retrieved=8, relevant=3))
    >>> result.rankings[0].value, round(result.p, 6), round(result.effect, 4)
    (0.9166666666666666, 0.035714, 0.3883)
    """
    check_choice("ties", ties, TIES)
    check_choice("method", method, METHODS)
    kind, k = _of_population(*_parse(measure), getattr(hits_or_curve, "population", None))
    rankings = list(_rankings(hits_or_curve))
    pairs = [_reach(kind, k, ranking, ties) for ranking in rankings]
    defined = [each for each in pairs if each is not None]
    if not defined:
        raise _undefined(measure)
    missed = sum(ranking.relevant - ranking.retrieved for ranking in rankings)
    if method == "asymptotic":
        _refuse_no_limit(defined, measure)
        pairs = [None if each is None else (each[0], _limit(each[1])) for each in pairs]
    outcomes = tuple(None if each is None else Outcome.of(*each) for each in pairs)
    if method == "asymptotic" and len(defined) > 1:
        mean_of = _limit_of_mean(defined)
    else:
        mean_of = combined([each for each in outcomes if each is not None])
    relevant = sum(ranking.relevant for ranking in rankings)
    notes = _notes_of_missed(kind, k, measure, (missed, relevant), mean_of.null.mean)
    return Significance(measure, outcomes, mean_of, missed, (*notes, *_notes_of(hits_or_curve)))


#: The mean by chance that readers expect, if nothing is missed.
_USUAL = {"AUC": 0.5, "EF": 1.0}


def _notes_of_missed(
    kind: str, k: int | Measure | None, measure: str, sizes: tuple[int, int], chance: float
) -> tuple[Note, ...]:
    """A note on missed items for measures with a mean by chance that readers know by heart."""
    of_population = isinstance(k, Measure) and k.parameters.get("population") is not None
    if kind not in _USUAL or of_population or not sizes[0]:
        return ()
    return (ChanceWithMissed(measure, *sizes, chance, _USUAL[kind]),)


def _notes_of(hits_or_curve: object) -> tuple[Note, ...]:
    """The notes of a curve, or of the ranking that has it; hits have no notes."""
    path = curve_in(hits_or_curve)
    return path.notes if hasattr(path, "tp") else ()


def _refuse_no_limit(pairs: Sequence[ValueAndNull], measure: str) -> None:
    """Refuse the normal limit unless every measure is AP or AP@k of a ranking without ties."""
    for _, null in pairs:
        inner = null.null if isinstance(null, Scaled) else null
        # AP of a list without hits is always 0, and needs no limit.
        if inner.var > 0 and not isinstance(inner, AveragePrecision):
            refused = "tied scores" if isinstance(inner, Tied) else measure
            raise UsageError(
                argument="method",
                what="asymptotic applies to AP and AP@k without ties",
                got=Fact(refused),
                remedy="leave it out",
            )


def _limit(null: NullDistribution) -> NullDistribution:
    """The normal limit of AP in one ranking."""
    if isinstance(null, Scaled):
        return Scaled(_limit(null.null), null.retrieved, null.relevant)
    return null.asymptotic() if isinstance(null, AveragePrecision) and null.var > 0 else null


def _limit_of_mean(pairs: Sequence[ValueAndNull]) -> Outcome:
    """The mean of AP over rankings, against its normal limit."""
    nulls = [null for _, null in pairs]
    inner = [null.null if isinstance(null, Scaled) else null for null in nulls]
    ranks = [one.cutoff if isinstance(one, AveragePrecision) else 0 for one in inner]
    smooth = is_smooth(ranks, [null.var for null in nulls])
    return Outcome.of(
        mean([value for value, _ in pairs]), Asymptotic(Mean(tuple(nulls)), smooth, True)
    )


def outcome_of_mean(hits: object, measure: str) -> Outcome:
    """The outcome of `test` for the mean alone: a p for each ranking would double the time."""
    kind, k = _parse(measure)
    pairs = [_reach(kind, k, ranking, TIES[0]) for ranking in _rankings(hits)]
    defined = [outcome for outcome in pairs if outcome is not None]
    if not defined:
        raise _undefined(measure)
    return _of_mean(defined)


def _undefined(measure: str) -> UsageError:
    return UsageError(
        argument=measure,
        what="undefined in every ranking: no item is relevant, or no other is retrieved",
    )


def outcome_of_curve(curve: object, measure: str, ties: str) -> Outcome | None:
    """The outcome of one curve; None if the measure is undefined."""
    (ranking,) = _rankings(curve)
    pair = _reach(*_parse(measure), ranking, ties)
    return None if pair is None else Outcome.of(*pair)


def combined(outcomes: Sequence[Outcome]) -> Outcome:
    """The mean of outcomes, against the null distribution of the mean of independent rankings."""
    if len(outcomes) == 1:
        return outcomes[0]
    return _of_mean([(outcome.value, outcome.null) for outcome in outcomes])


def _of_mean(pairs: Sequence[ValueAndNull]) -> Outcome:
    if len(pairs) == 1:
        return Outcome.of(*pairs[0])
    return Outcome.of(mean([value for value, _ in pairs]), Mean(tuple(null for _, null in pairs)))


def _rankings(source: Any) -> Iterator[_Ranking]:
    source = curve_in(source)
    if hasattr(source, "tp") and hasattr(source, "fp"):
        tp, fp = np.asarray(source.tp), np.asarray(source.fp)
        if getattr(source, "asked", None) is not None:
            raise needs_cases_in_memory("null")
        if tp.dtype.kind not in "iu" or getattr(source, "weighted", False):
            raise UsageError(
                argument="hits_or_curve",
                what="a curve with weights has no null distribution",
                remedy="use counts",
            )
        yield _Ranking(np.diff(tp + fp), np.diff(tp), int(source.relevant), source)
        return
    if not (hasattr(source, "location") and hasattr(source, "retrieved")):
        raise UsageError(argument="hits_or_curve", allowed="Hits or a Curve", got=Kind(source))
    location = source.location
    for i, (items, relevant) in enumerate(
        zip(source.retrieved.tolist(), source.relevant.tolist(), strict=True)
    ):
        hits = np.zeros(items, np.int64)
        hits[location[source.ranking == i] - 1] = 1
        yield _Ranking(np.ones(items, np.int64), hits, relevant)


def _parse(measure: str) -> tuple[str, int | Measure | None]:
    """The name of a measure and its cutoff, or the measure itself if it has a share."""
    with suppress(MeasureError):
        # By any name that the measure has.
        named = find(str(measure))
        name = named.name
        if named.declaration.name == "EF" and named.parameters["grade"] == 1:
            return "EF", named
        if parts := re.fullmatch(r"(AP|P|R)@([1-9][0-9]*)|AP|Rprec|RR|AUC", name):
            return (parts[1], int(parts[2])) if parts[2] else (name, None)
        if part_of(named) is not None:
            return _PART, named
        if named.declaration.name in (*LAWS, "AUPRG"):
            return named.declaration.name, named
        if named.declaration.name == "KAtRecall":
            raise UsageError(
                argument="measure",
                what=f"the less {name}, the better",
                remedy=f"test {name.replace('K', 'P', 1)}, which has its p, or take "
                "pc.null.location, its distribution",
            )
        if named.declaration.name == "Gini":
            raise UsageError(
                argument="measure",
                got=measure,
                remedy="take AUC: Gini is 2 AUC - 1, and has the same p",
            )
    raise UsageError(argument="measure", got=measure, allowed=TESTED)


def is_tested(measure: str) -> bool:
    """Whether a measure has a null distribution here."""
    try:
        _parse(measure)
    except UsageError:
        return False
    return True


def _of_population(
    kind: str, k: int | Measure | None, population: object
) -> tuple[str, int | Measure | None]:
    """The measure with the population of a `Ranking`, if it takes one and has none."""
    if isinstance(k, Measure) and "population" in k.parameters and isinstance(population, int):
        k = replace(k, parameters={"population": population} | _parameters_given(k))
    return kind, k


def _parameters_given(measure: Measure) -> dict[str, Any]:
    return {name: value for name, value in measure.parameters.items() if value is not None}


def _reach(kind: str, k: int | Measure | None, ranking: _Ranking, ties: str) -> ValueAndNull | None:
    """The value of a ranking and its null distribution; None if the measure is undefined."""
    n, m, relevant = ranking.items, ranking.retrieved, ranking.relevant
    # Without relevant items P@k and RR are 0; measures that divide by their number are undefined.
    if (not relevant and kind not in ("P", "RR")) or (kind == "AUC" and m == n):
        return None
    named = k if isinstance(k, Measure) else find(f"{kind}@{k}" if k else kind)
    if kind in _OF_CURVES and (ranking.curve is None or named.parameters.get("population")):
        raise UsageError(
            argument="measure",
            what="counts the items that are not relevant, which only a curve knows",
            got=named.name,
            remedy="pass pc.curve(labels, scores), or test AP",
        )
    if ranking.curve is not None and _needs_labels(kind, k, ranking):
        return _of_labels(named, ranking)
    if isinstance(k, Measure) and kind in LAWS:
        return _over_all_ranks(k, ranking)
    if not m:
        return 0.0, Hypergeometric(n, 0, n, 1, kind)
    if isinstance(k, Measure):
        return _enrichment(k, ranking)
    if kind == "RR":
        return float(1 / ranking.location[0]), reciprocal_rank(n, m)
    if kind == "P" and k is not None:
        value = int((ranking.location <= k).sum()) / k
        return value, Hypergeometric(n, m, min(k, n), k, f"precision at {k}")
    value, null = _over_relevant(kind, k, ranking, ties)
    return value, null if m == relevant else Scaled(null, m, relevant)


def _needs_labels(kind: str, k: int | Measure | None, ranking: _Ranking) -> bool:
    """Whether the law is known by dealing labels alone: that of a measure of ranks with ties, or of
    one that needs all items ranked.
    """
    if kind == "AUC" or (kind == "AP" and k is None):
        return False
    is_missing = kind in LAWS and ranking.relevant > ranking.retrieved
    if is_missing or kind in _OF_CURVES:
        return True
    if kind == "EF" and isinstance(k, Measure):
        return ranking.has_ties(_cut_of_enrichment(k, ranking)[0], inside=False)
    cut = ranking.relevant if kind == "Rprec" else k if isinstance(k, int) else None
    return ranking.has_ties(cut, inside=kind not in ("P", "R", "Rprec"))


def _of_labels(measure: Measure, ranking: _Ranking) -> ValueAndNull | None:
    """The value of a curve and its null distribution, with the labels of its cases dealt at
    random.
    """
    value_of = partial(_with_hits, ranking.curve, measure, ranking.size)
    value = value_of(ranking.hits)
    if value != value:
        return None
    return value, OfLabels(measure.name, ranking.size, ranking.retrieved, value_of)


def _with_hits(curve: Any, measure: Measure, size: Int64, hits: Int64) -> float:
    """The measure of a curve if its blocks had these hits."""
    tp, fp = (np.concatenate(([0], np.cumsum(cases))) for cases in (hits, size - hits))
    return float(replace(curve, tp=tp, fp=fp, cases=None).measured(measure))


def _enrichment(measure: Measure, ranking: _Ranking) -> ValueAndNull:
    """An enrichment factor and its null distribution: precision at a rank, times a constant."""
    n, m, relevant = ranking.items, ranking.retrieved, ranking.relevant
    k, every = _cut_of_enrichment(measure, ranking)
    hits = int((ranking.location <= k).sum())
    null = Hypergeometric(n, m, min(k, n), k, f"enrichment in {k} ranks")
    return hits * every / (k * relevant), Enriched(null, every, relevant)


def _cut_of_enrichment(measure: Measure, ranking: _Ranking) -> tuple[int, int]:
    """The number of ranks of an enrichment factor, and of all items."""
    n, m, relevant = ranking.items, ranking.retrieved, ranking.relevant
    every = n + relevant - m
    if (population := measure.parameters["population"]) is not None:
        every = relevant + int(others_of(population, n, relevant, m))
    return int(ceiling(measure.parameters["share"], np.array([every]))[0]), every


def _over_all_ranks(measure: Measure, ranking: _Ranking) -> ValueAndNull | None:
    """A measure whose null distribution is known if all relevant items are ranked."""
    n, m = ranking.items, ranking.relevant
    missed = m - ranking.retrieved
    population = measure.parameters.get("population") or n
    if missed or population != n:
        raise UsageError(
            argument="hits_or_curve",
            what=f"{measure.name} has a null distribution if all items are ranked",
            got=Fact(f"{many(missed or population - n, 'unranked item')}"),
            remedy="rank them all, test AP, EF@1% or P@100, or pass a curve",
        )
    if measure.declaration.name == "MaxF" and measure.parameters["alpha"] is not None:
        raise UsageError(argument="measure", got=measure.name, remedy="give beta instead of alpha")
    if measure.declaration.name in ("KS", "BEDROC") and m == n:
        return None
    law = law_of(measure, n, m)
    if "population" in measure.parameters:
        measure = replace(measure, parameters={**measure.parameters, "population": n})
    value = measure(Hits.of(ranking.location.tolist(), retrieved=n, relevant=m))
    return float(np.asarray(value).ravel()[0]), law


def _over_relevant(kind: str, k: int | None, ranking: _Ranking, ties: str) -> ValueAndNull:
    """A measure that divides by all relevant items, and its null distribution that divides by the
    retrieved ones.
    """
    n, m, relevant = ranking.items, ranking.retrieved, ranking.relevant
    if kind == "AUC":
        from precall.stats.null.roc_area import area_under_roc

        other = ranking.size - ranking.hits
        # Twice the pairs in the right order; a pair of the same block counts half.
        twice = int((ranking.hits * (2 * (n - m - np.cumsum(other)) + other)).sum())
        return twice / (2 * relevant * (n - m)), area_under_roc(n, m, blocks=ranking.size)
    if kind == "AP" and k is None and ranking.size.max() > 1:
        blocks = coefficients(ranking.size, ties)
        value = float(blocks.precisions(ranking.hits.astype(np.float64)) / relevant)
        return value, Tied(n, m, blocks, ties)
    location = ranking.location
    if kind == "AP":
        value = total((np.arange(1, m + 1) / location)[location <= (k or n)]) / relevant
        return value, average_precision(n, m, k)
    label, k = (f"recall at {k}", k) if k else ("R-precision", relevant)
    return int((location <= k).sum()) / relevant, Hypergeometric(n, m, min(k, n), m, label)
