"""Planted mistakes in formulas: each a measure's formula with one thing wrong.

A mutant is a formula, taking what the true one takes. Where it helps, the true formula is called
with something spoiled. `test_mutants.py` sees to it that none survives.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np

from precall.core import ragged
from precall.core.counts import Ranks
from precall.location.hits import Hits
from precall.measures import REGISTRY
from precall.measures.gains import ideal_rows


class Mutant(NamedTuple):
    """One mistake: the measure, what is wrong, and the wrong formula."""

    name: str
    mistake: str
    formula: Callable[..., Any]


MUTANTS: list[Mutant] = []
TRUE = {declaration.name: declaration.formula for declaration in REGISTRY.rankings()}


def plant(name: str, mistake: str) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    def add(formula: Callable[..., Any]) -> Callable[..., Any]:
        MUTANTS.append(Mutant(name, mistake, formula))
        return formula

    return add


def spoiled(name: str, mistake: str, spoil: Callable[..., Any]) -> None:
    """The true formula, seeing something else: `spoil(where, parameters)` → (where, parameters)."""

    def formula(where: Any, **parameters: Any) -> Any:
        where, parameters = spoil(where, dict(parameters))
        return TRUE[name](where, **parameters)

    MUTANTS.append(Mutant(name, mistake, formula))


def moved(where: Any, by: int) -> Any:
    """The same hits `by` ranks further down."""
    fields = {"first": where.first + by, "last": where.last + by}
    if hasattr(where, "rank"):
        fields["rank"] = where.rank + by
    return replace(where, **fields)


def with_parameter(key: str, change: Callable[[Any], Any]) -> Callable[..., Any]:
    def spoil(where: Any, parameters: dict[str, Any]) -> Any:
        if parameters[key] is not None:
            parameters[key] = change(parameters[key])
        return where, parameters

    return spoil


def scaled(name: str, mistake: str, factor: Callable[..., Any]) -> None:
    """The true number times something that should not be there."""

    def formula(where: Any, **parameters: Any) -> Any:
        return TRUE[name](where, **parameters) * factor(where, **parameters)

    MUTANTS.append(Mutant(name, mistake, formula))


def retrieved_only(where: Any) -> Any:
    """As if items that were not retrieved did not exist."""
    if hasattr(where, "relevant"):
        return replace(where, relevant=where.found)
    pairs = sorted(zip(where.ranking.tolist(), where.grade.tolist(), strict=True))
    owner, grade = (np.array([pair[side] for pair in pairs], np.int64) for side in (0, 1))
    return replace(
        where, total_ranking=owner, total_grade=grade, total_count=np.ones(len(pairs), np.int64)
    )


def one_more_on_top(path: Ranks) -> Ranks:
    """A path that begins with an item that is not relevant."""
    return replace(path, tp=np.append([0], path.tp), fp=np.append([0], path.fp + 1))


def unmissed(where: Any) -> Any:
    return replace(where, missed=0) if isinstance(where, Ranks) else retrieved_only(where)


#: Mistakes of any measure of rankings: of those that have none of their own below, one must be
#: found.
ANY = {
    "ranks from 2 on": lambda where: (
        one_more_on_top(where) if isinstance(where, Ranks) else moved(where, 1)
    ),
    "missed items are not counted": unmissed,
}

SEEN = (
    "AP",
    "RR",
    "P",
    "R",
    "F",
    "E",
    "Success",
    "RelP",
    "Rprec",
    "IPrec",
    "IAP",
    "yaap",
    "binG",
    "DCG",
    "nDCG",
    "ERR",
    "RBP",
    "RBPResidual",
    "G",
    "infAP",
    "Judged",
)
for _name in SEEN:
    spoiled(_name, "ranks from 2 on", lambda where, parameters: (moved(where, 1), parameters))
SEES_MISSED = (
    "AP",
    "R",
    "F",
    "E",
    "RelP",
    "Rprec",
    "IPrec",
    "IAP",
    "yaap",
    "SetR",
    "SetRelP",
    "SetF",
    "SetAP",
    "NumRel",
    "binG",
    "nDCG",
    "G",
    "Bpref",
    "infAP",
)
for _name in SEES_MISSED:
    spoiled(
        _name,
        "missed items are not counted",
        lambda where, parameters: (retrieved_only(where), parameters),
    )
for _name in (
    "AP",
    "RR",
    "P",
    "R",
    "F",
    "E",
    "Success",
    "RelP",
    "DCG",
    "nDCG",
    "ERR",
    "RBP",
    "Judged",
):
    spoiled(
        _name, "one rank more than the cutoff", with_parameter("cutoff", lambda cutoff: cutoff + 1)
    )
for _name in ("AP", "RR", "DCG", "nDCG", "ERR", "RBP", "Judged"):
    spoiled(_name, "no cutoff", with_parameter("cutoff", lambda _: None))
for _name in ("F", "E", "SetF"):
    spoiled(_name, "beta for its square", with_parameter("beta", lambda beta: beta**0.5))
    spoiled(_name, "beta upside down", with_parameter("beta", lambda beta: 1 / beta))
for _name in ("RBP", "RBPResidual"):
    spoiled(_name, "p for 1 - p", with_parameter("p", lambda p: 1 - p))
for _one in REGISTRY.rankings():
    # The forms of measures of counts: those that see the population, and the others that see what
    # was missed.
    if (
        "population" in _one.parameters
        and _one.name.removeprefix("Set") != "Utility"
        and _one.takes is Hits
    ):
        spoiled(
            _one.name,
            "one item more",
            with_parameter("population", lambda count: count if count is None else count + 1),
        )
for _name in ("Jaccard", "SetJaccard", "FowlkesMallows", "SetFowlkesMallows", "SetE"):
    spoiled(
        _name,
        "missed items are not counted",
        lambda where, parameters: (retrieved_only(where), parameters),
    )
spoiled(
    "AP",
    "norm=min is norm=relevant",
    with_parameter("norm", lambda norm: "relevant" if norm == "min" else norm),
)
spoiled("DCG", "gain=exp is linear", with_parameter("gain", lambda _: "linear"))
spoiled("nDCG", "gains are ignored", with_parameter("gains", lambda _: None))
spoiled("Q", "beta is ignored", with_parameter("beta", lambda _: 1.0))
spoiled("Q", "gain=exp is linear", with_parameter("gain", lambda _: "linear"))
spoiled("ERR", "the scale is one grade longer", with_parameter("max", lambda top: top + 1))

scaled(
    "P", "over what was retrieved", lambda hits, cutoff: cutoff / np.minimum(cutoff, hits.retrieved)
)
scaled(
    "R", "over min(k, R)", lambda hits, cutoff: hits.relevant / np.minimum(cutoff, hits.relevant)
)
scaled("RelP", "over k", lambda hits, cutoff: np.minimum(cutoff, hits.relevant) / cutoff)
scaled("RBP", "without 1 - p", lambda located, p, **_: 1 / (1 - p))
scaled("RBP", "p to the rank", lambda located, p, **_: p)
scaled("DCG", "natural logarithm", lambda located, **_: np.log2(np.e))
scaled("SetAP", "precision alone", lambda hits: hits.relevant / hits.found)
scaled(
    "Judged", "over 5", lambda located, cutoff: np.minimum(located.retrieved, cutoff or 10**9) / 5
)


@plant("AP", "over the hits found")
def _(hits, cutoff, norm):
    return hits.precision_sum(cutoff) / hits.found


@plant("AP", "norm=min at k divides by k")
def _(hits, cutoff, norm):
    return (
        hits.precision_sum(cutoff) / cutoff
        if cutoff and norm == "min"
        else TRUE["AP"](hits, cutoff=cutoff, norm=norm)
    )


@plant("AP", "reciprocal ranks instead of precisions")
def _(hits, cutoff, norm):
    return ragged.sums(1 / hits.location, hits.ranking, len(hits)) / hits.relevant


@plant("RR", "of the last hit")
def _(hits, cutoff):
    result = np.zeros(len(hits))
    result[hits.ranking] = np.where(
        hits.location <= (cutoff or 10**9), 1 / hits.location, result[hits.ranking]
    )
    return result


@plant("IPrec", "floor for ceiling")
def _(hits, recall):
    return interpolated(hits, np.floor(recall * hits.relevant))


@plant("IPrec", "rounded, as trec_eval 10 does")
def _(hits, recall):
    return interpolated(hits, np.floor(recall * hits.relevant + 0.5))


@plant("IPrec", "recall must be exceeded")
def _(hits, recall):
    return interpolated(hits, hits.needed(recall) + 1)


@plant("IPrec", "not interpolated")
def _(hits, recall):
    return hits.precision_at_recall(recall)


def interpolated(hits, need):
    precise = np.where(hits.order >= need[hits.ranking], hits.order / hits.location, 0)
    return np.where(hits.relevant > 0, ragged.maxima(precise, hits.ranking, len(hits)), np.nan)


@plant("IAP", "ten points")
def _(hits):
    return np.mean([TRUE["IPrec"](hits, recall=step / 10) for step in range(1, 11)], axis=0)


@plant("yaap", "decimal logarithm")
def _(hits):
    return TRUE["yaap"](hits) / np.log(10)


@plant("yaap", "without the ones")
def _(hits):
    total = hits.precision_sum()
    return np.log(total / (hits.relevant - total))


@plant("F", "arithmetic mean")
def _(hits, cutoff, beta, alpha):
    return (hits.within(cutoff) / cutoff + hits.within(cutoff) / hits.relevant) / 2


@plant("E", "not subtracted from 1")
def _(hits, cutoff, beta, alpha):
    return TRUE["F"](hits, cutoff=cutoff, beta=beta, alpha=alpha)


@plant("Success", "counts hits")
def _(hits, cutoff):
    return hits.found if cutoff is None else hits.within(cutoff)


@plant("Success", "without a cutoff, of the first 5 ranks")
def _(hits, cutoff):
    return hits.any_within(5 if cutoff is None else cutoff)


@plant("Rprec", "floor for ceiling")
def _(hits, mult):
    cutoff = np.maximum(np.floor(mult * hits.relevant), 1).astype(np.int64)
    return np.where(hits.relevant > 0, hits.within(cutoff) / cutoff, np.nan)


@plant("Rprec", "over what was retrieved")
def _(hits, mult):
    return (
        TRUE["Rprec"](hits, mult=mult) * hits.relevant / np.minimum(hits.relevant, hits.retrieved)
    )


@plant("SetP", "over R")
def _(hits):
    return hits.found / hits.relevant


@plant("SetRelP", "over the greater")
def _(hits):
    return hits.found / np.maximum(hits.retrieved, hits.relevant)


@plant("NumRelRet", "all that is relevant")
def _(hits):
    return hits.relevant


@plant("NumRet", "only what is relevant")
def _(hits):
    return hits.found


@plant("DCG", "discount of 2002: none at ranks 1 and 2")
def _(located, cutoff, gain, gains):
    rank = located.location
    earned = np.maximum(located.grade, 0) / np.maximum(np.log2(rank), 1)
    return located.weighted(np.where(rank <= (cutoff or 10**9), earned, 0))


@plant("DCG", "negative grades cost")
def _(located, cutoff, gain, gains):
    rank = located.location
    return TRUE["DCG"](located, cutoff=cutoff, gain=gain, gains=gains) + located.weighted(
        np.where(rank <= (cutoff or 10**9), np.minimum(located.grade, 0) / np.log2(rank + 1), 0)
    )


@plant("DCG", "2^grade without the 1")
def _(located, cutoff, gain, gains):
    bonus = (
        (located.grade > 0) / np.log2(located.location + 1) if gain == "exp" else 0 * located.grade
    )
    return TRUE["DCG"](located, cutoff=cutoff, gain=gain, gains=gains) + located.weighted(bonus)


@plant("nDCG", "ideal not cut")
def _(located, cutoff, gain, gains):
    cut, whole = (TRUE["DCG"](located, cutoff=k, gain=gain, gains=gains) for k in (cutoff, None))
    return TRUE["nDCG"](located, cutoff=None, gain=gain, gains=gains) * cut / whole


@plant("Q", "over all relevant items where it is cut")
def _(located, cutoff, **others):
    ranking, _ = ideal_rows(located, others["gain"], others["gains"])
    relevant = np.bincount(ranking, minlength=len(located))
    return TRUE["Q"](located, cutoff=cutoff, **others) * (
        1 if cutoff is None else np.minimum(cutoff, relevant) / relevant
    )


@plant("ERR", "each hit as if it were the first")
def _(located, cutoff, max):
    top = max or int(located.total_grade.max(initial=1))
    chance = (np.exp2(np.maximum(located.grade, 0)) - 1) / np.exp2(top)
    return located.weighted(
        np.where(located.location <= (cutoff or 10**9), chance / located.location, 0)
    )


@plant("ERR", "the scale is each topic's own")
def _(located, cutoff, max):
    ours = [
        TRUE["ERR"](located.select(np.array([i])), cutoff=cutoff, max=max)[0]
        if max
        else TRUE["ERR"](alone(located, i), cutoff=cutoff, max=None)[0]
        for i in range(len(located))
    ]
    return np.array(ours)


def alone(located, index):
    return located.select(np.array([index]))


@plant("RBPResidual", "the ranks below the end are forgotten")
def _(located, p):
    return TRUE["RBPResidual"](located, p=p) - p**located.retrieved


@plant("RBPResidual", "negative grades are judgements")
def _(located, p):
    return TRUE["RBPResidual"](replace(located, grade=np.abs(located.grade)), p=p)


@plant("G", "ranks below the ideal cost nothing")
def _(located):
    earned = np.maximum(located.grade, 0)
    ranking, grade = located.ideal()
    so_far = ragged.running(earned, located.ranking, len(located))
    total = ragged.integer_sums(grade, ranking, len(located))
    return located.weighted(earned / np.log2(2 + total[located.ranking] - so_far)) / total


@plant("Bpref", "over R instead of min(N, R)")
def _(located, grade):
    miss = (located.grade >= 0) & (located.grade < grade)
    worse = ragged.running(miss.astype(np.int64), located.ranking, len(located))
    relevant = located.total(grade)
    part = np.where(located.grade >= grade, 1 - np.minimum(worse / relevant[located.ranking], 1), 0)
    return located.weighted(part) / relevant


@plant("Bpref", "negative grades are judgements")
def _(located, grade):
    return TRUE["Bpref"](replace(located, grade=np.maximum(located.grade, 0)), grade=grade)


@plant("infAP", "no smoothing")
def _(located, grade):
    relevant = (located.grade >= grade).astype(np.int64)
    above = ragged.running(relevant, located.ranking, len(located)) - relevant
    return located.weighted(np.where(relevant, (above + 1) / located.location, 0)) / located.total(
        grade
    )


@plant("infAP", "the pool ends where judgements end")
def _(located, grade):
    keep = located.grade >= 0
    fields = {
        name: getattr(located, name)[keep]
        for name in ("ranking", "row", "grade", "rank", "first", "last")
    }
    return TRUE["infAP"](replace(located, **fields), grade=grade)


@plant("Judged", "negative grades are judgements")
def _(located, cutoff):
    return TRUE["Judged"](replace(located, grade=np.abs(located.grade)), cutoff=cutoff)


@plant("binG", "only judged items cost")
def _(hits):
    return ragged.sums(1 / np.log2(1 + hits.order), hits.ranking, len(hits)) / hits.relevant


@plant("SetUtility", "misses are rewarded")
def _(hits, **weights):
    return TRUE["SetUtility"](hits, **{**weights, "missed": -weights["missed"]})


@plant("SetUtility", "the population is what was retrieved")
def _(hits, **weights):
    return TRUE["SetUtility"](hits, **{**weights, "rejected": 0.0})


@plant("NumNonrelRet", "unjudged items are not relevant")
def _(located, grade):
    return located.retrieved - located.hits(grade).found
