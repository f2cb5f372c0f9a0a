"""Two systems' hard decisions on the same items: Yeh's randomization, and McNemar's test.

If the systems are alike, the two decisions on an item could as well be exchanged (Yeh 2000). Only
items on which they differ matter, and of these only how many of each kind there are: so many items
on which an exchange adds so many true and false positives. The chance of every pair of totals is
then a product of binomials, convolved on a grid, and the p-value exact, where the grid is affordable.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from precall.checks import check_beta
from precall.errors import UsageError
from precall.infer.compare.comparisons import Comparison
from precall.infer.compare.paired import RESAMPLES
from precall.infer.compare.signflip import LEAST
from precall.infer.interval.interval import checked_level
from precall.infer.libraries import stats
from precall.infer.resample.batches import TOLERANCE, checked, counted, sampled_p
from precall.ragged import Float64, Int64
from precall.rng import Rng, seeded

MEASURES = ("F", "P", "R", "accuracy")
AFFORDABLE = 2 * 10**8
_BATCH = 4096


@dataclass(frozen=True, slots=True, eq=False)
class Outcomes:
    """Counts per unit (item, or group of items): what each system got right and wrong there.

    Parameters
    ----------
    hits, alarms : (units, 2): true and false positives of the first and the second system.
    relevant : true pairs in all, found or not.
    decisions : decisions in all, for accuracy.
    """

    hits: Int64
    alarms: Int64
    relevant: int
    decisions: int


def value(measure: str, hits: Any, alarms: Any, outcomes: Outcomes, beta: float = 1.0) -> Float64:
    """A measure of totals; 0 where it is 0/0.

    Examples
    --------
    >>> some = Outcomes(np.array([[1, 0]]), np.array([[0, 1]]), relevant=4, decisions=10)
    >>> value("F", 2, 1, some).item(), value("P", 0, 0, some).item()
    (0.5714285714285714, 0.0)
    """
    hits, alarms = np.asarray(hits, np.float64), np.asarray(alarms, np.float64)
    if measure == "accuracy":
        right = outcomes.decisions - outcomes.relevant + hits - alarms
        return np.asarray(right / outcomes.decisions, np.float64)
    over, under = {
        "P": (hits, hits + alarms),
        "R": (hits, np.full(hits.shape, float(outcomes.relevant))),
        "F": ((1 + beta**2) * hits, beta**2 * outcomes.relevant + hits + alarms),
    }[measure]
    found = np.zeros(np.shape(over))
    np.divide(over, under, out=found, where=under > 0)
    return found


def swapped(
    outcomes: Outcomes, *, measure: str = "F", beta: float = 1.0, test: str = "randomization", level: float = 0.95,
    resamples: int = RESAMPLES, rng: Rng = 0, names: tuple[str, str] = ("a", "b"),
) -> Comparison:  # fmt: skip
    """Compare two systems' decisions.

    Parameters
    ----------
    outcomes : counts of both systems per unit; units are what is exchanged as a whole, so items that
        depend on each other (sentences of a document) belong to one.
    measure : "F", "P", "R" or "accuracy" of all decisions together (micro-averaged).
    beta : of F.
    test : "randomization" (Yeh 2000), or "mcnemar": exact, of accuracy only, and of single decisions.
    level, resamples, rng : see `paired`.

    Returns
    -------
    Comparison
        Wins and losses are units on which the first made more right decisions, or fewer. The exact p
        is used where the grid of totals is affordable, else (c + 1)/(resamples + 1). No interval.

    Notes
    -----
    P without a positive decision, and F without a positive decision or truth, is 0/0 and counts as 0.
    R's randomization is McNemar's test on the relevant items.

    References
    ----------
    Yeh, "More accurate tests for the statistical significance of result differences", COLING 2000.

    Examples
    --------
    >>> hits, alarms = np.array([[1, 0]] * 6 + [[1, 1]] * 4), np.zeros((10, 2), np.int64)
    >>> found = swapped(Outcomes(hits, alarms, relevant=12, decisions=20), measure="R")
    >>> found.difference, round(found.p, 12)
    (0.5, 0.03125)
    """
    _check(measure, test, outcomes)
    beta = check_beta(beta)
    checked_level(level)
    checked(resamples)
    right = outcomes.hits - outcomes.alarms
    better = right[:, 0] - right[:, 1]
    wins, losses = int((better > 0).sum()), int((better < 0).sum())
    totals = outcomes.hits.sum(axis=0), outcomes.alarms.sum(axis=0)
    values = value(measure, *totals, outcomes, beta)
    seed: int | None = None
    if test == "mcnemar":
        tail = 2 * float(stats().binom.cdf(min(wins, losses), wins + losses, 0.5)) if wins + losses else 1.0
        p = max(min(1.0, tail), LEAST)
        how = f"binomial, {wins} to {losses}"
    else:
        kinds, count = _kinds(outcomes)
        exact = _exact(kinds, count, outcomes, measure, beta)
        if exact is None:
            made, seed = seeded(rng)
            p, how = (
                _sampled(kinds, count, outcomes, measure, beta, made, resamples),
                f"{resamples:,} sampled swaps",
            )
        else:
            p, how = exact, f"all 2^{count.sum()} swaps" if len(count) else "no difference"
    name = measure if measure != "F" or beta == 1 else f"F(beta={beta:g})"
    return Comparison(
        names=names, measure=name, values=(float(values[0]), float(values[1])),
        difference=float(values[0] - values[1]), low=None, high=None, level=level, p=p, test=test,
        how=how, size=len(better), wins=wins, ties=len(better) - wins - losses, losses=losses,
        statistic=float(values[0] - values[1]), notes=_notes(measure, totals, outcomes.relevant), seed=seed,
    )  # fmt: skip


def _check(measure: str, test: str, outcomes: Outcomes) -> None:
    if measure not in MEASURES:
        raise UsageError(f"measure: got {measure!r}, allowed are {', '.join(MEASURES)}")
    if test not in ("randomization", "mcnemar"):
        raise UsageError(f"test: got {test!r}, allowed are randomization, mcnemar")
    if test == "mcnemar" and measure != "accuracy":
        raise UsageError(f"test='mcnemar' is of accuracy; for {measure} pass test='randomization'")
    if test == "mcnemar" and np.any(np.abs(outcomes.hits - outcomes.alarms) > 1):
        raise UsageError("test='mcnemar' takes one decision per item; pass test='randomization'")


def _notes(measure: str, totals: tuple[Int64, Int64], relevant: int) -> tuple[str, ...]:
    if measure == "R" and not relevant:
        return ("R is 0/0, as nothing is relevant; counted as 0",)
    if measure not in ("P", "F") or (totals[0] + totals[1] + (relevant if measure == "F" else 0)).all():
        return ()
    lacking = "decision" if measure == "P" else "decision or truth"
    return (f"{measure} is 0/0 for a system without a positive {lacking}; counted as 0",)


def _kinds(outcomes: Outcomes) -> tuple[Int64, Int64]:
    """What an exchange adds to the first system's true and false positives, and on how many units."""
    change = np.stack(
        (outcomes.hits[:, 1] - outcomes.hits[:, 0], outcomes.alarms[:, 1] - outcomes.alarms[:, 0]), axis=1
    )
    change = change[change.any(axis=1)]
    if not len(change):
        return change, np.zeros(0, np.int64)
    # Exchanging one way on x of n units is exchanging the other way on n - x: kinds and their opposites are one.
    sign = np.where((change[:, 0] < 0) | ((change[:, 0] == 0) & (change[:, 1] < 0)), -1, 1)
    kinds, count = np.unique(change * sign[:, None], axis=0, return_counts=True)
    return kinds, count.astype(np.int64)


def _lowest(outcomes: Outcomes) -> tuple[Int64, Int64]:
    """The first system's totals if every unit is exchanged that `_kinds` counts upwards."""
    first, second = outcomes.hits, outcomes.alarms
    up = (first[:, 1] > first[:, 0]) | ((first[:, 1] == first[:, 0]) & (second[:, 1] > second[:, 0]))
    side = np.where(up, 0, 1)
    rows = np.arange(len(side))
    return np.asarray(first[rows, side].sum()), np.asarray(second[rows, side].sum())


def _apart(hits: Any, alarms: Any, outcomes: Outcomes, measure: str, beta: float) -> Float64:
    """The difference of the measure, given the first system's totals: the second has the rest."""
    rest = outcomes.hits.sum() - hits, outcomes.alarms.sum() - alarms
    return np.abs(value(measure, hits, alarms, outcomes, beta) - value(measure, *rest, outcomes, beta))


def _observed(outcomes: Outcomes, measure: str, beta: float) -> float:
    hits, alarms = outcomes.hits[:, 0].sum(), outcomes.alarms[:, 0].sum()
    return float(_apart(hits, alarms, outcomes, measure, beta)) - TOLERANCE


def _exact(kinds: Int64, count: Int64, outcomes: Outcomes, measure: str, beta: float) -> float | None:
    if not len(kinds):
        return 1.0
    # Hits never go down within a kind, false alarms may: the grid reaches from their least to their greatest total.
    down = int((np.minimum(kinds[:, 1], 0) * count).sum())
    shape = int((kinds[:, 0] * count).sum()) + 1, int((np.abs(kinds[:, 1]) * count).sum()) + 1
    if shape[0] * shape[1] * float(count.sum() + len(kinds)) > AFFORDABLE:
        return None
    law = np.zeros(shape)
    law[0, -down] = 1.0
    for (more_hits, more_alarms), times in zip(kinds.tolist(), count.tolist(), strict=True):
        chance = stats().binom.pmf(np.arange(times + 1), times, 0.5)
        found = np.zeros(shape)
        for step, weight in enumerate(chance.tolist()):
            found += weight * _shifted(law, step * more_hits, step * more_alarms)
        law = found
    low_hits, low_alarms = _lowest(outcomes)
    hits = low_hits + np.arange(shape[0])[:, None] + np.zeros(shape[1])
    alarms = low_alarms + down + np.arange(shape[1]) + np.zeros((shape[0], 1))
    far = (law > 0) & (_apart(hits, alarms, outcomes, measure, beta) >= _observed(outcomes, measure, beta))
    # Of a thousand items and more the least chances are no float64 any more, and still not 0.
    return max(float(min(1.0, law[far].sum())), LEAST)


def _shifted(law: Float64, down: int, right: int) -> Float64:
    """The grid moved; what is moved out is 0, since no total lies there."""
    found = np.zeros(law.shape)
    rows, columns = law.shape
    if down >= rows or abs(right) >= columns:
        return found
    source = law[: rows - down, max(0, -right) : columns - max(0, right)]
    found[down:, max(0, right) : columns + min(0, right)] = source
    return found


def _sampled(
    kinds: Int64, count: Int64, outcomes: Outcomes, measure: str, beta: float, rng: np.random.Generator, resamples: int
) -> float:  # fmt: skip
    low_hits, low_alarms = _lowest(outcomes)
    observed = _observed(outcomes, measure, beta)

    def far(one: np.random.Generator, size: int) -> Int64:
        drawn = one.binomial(count, 0.5, size=(size, len(count)))
        hits, alarms = low_hits + drawn @ kinds[:, 0], low_alarms + drawn @ kinds[:, 1]
        return np.asarray(
            np.count_nonzero(_apart(hits, alarms, outcomes, measure, beta) >= observed), np.int64
        )

    return float(sampled_p(counted(far, rng, resamples, _BATCH), resamples))
