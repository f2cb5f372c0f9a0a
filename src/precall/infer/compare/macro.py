"""Yeh's randomization of macro-averages: categories do not add up to one table, so their totals go together."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from precall.checks import check_beta
from precall.errors import UsageError
from precall.infer.compare import signflip
from precall.infer.compare.comparisons import Comparison
from precall.infer.compare.paired import RESAMPLES
from precall.infer.interval.interval import checked_level
from precall.infer.resample.batches import TOLERANCE, checked, counted, sampled_p
from precall.ragged import Float64, Int64
from precall.rng import Rng, seeded

MEASURES = ("F", "P", "R")
#: Units on which decisions differ, of which all exchanges are gone through; so many of them at a time.
ENUMERATED = 20
_AT_ONCE = 10
_BATCH = 512


@dataclass(frozen=True, slots=True, eq=False)
class Tables:
    """Counts per unit and category: what each system got right and wrong there.

    Parameters
    ----------
    hits, alarms : (systems, units, categories): true and false positives.
    relevant : units' true pairs per category.
    """

    hits: Int64
    alarms: Int64
    relevant: Int64


def value(measure: str, hits: Float64, alarms: Float64, relevant: Int64, beta: float) -> Float64:
    """Mean over categories (the last axis); a category of which the measure is 0/0 counts as 0."""
    over, under = {
        "P": (hits, hits + alarms),
        "R": (hits, relevant + np.zeros(hits.shape)),
        "F": ((1 + beta**2) * hits, beta**2 * relevant + hits + alarms),
    }[measure]
    found = np.zeros(np.shape(hits))
    np.divide(over, under, out=found, where=under > 0)
    return np.asarray(found.mean(axis=-1), np.float64)


def swapped(
    tables: Tables, *, measure: str = "F", beta: float = 1.0, level: float = 0.95, resamples: int = RESAMPLES,
    rng: Rng = 0, names: tuple[str, str] = ("a", "b"),
) -> Comparison:  # fmt: skip
    """Compare two systems' macro-averages; see `precall.infer.compare.swapping.swapped`.

    All exchanges are gone through where the systems differ on 20 units or fewer, else sampled.

    Examples
    --------
    >>> hits = np.array([[[1, 0]] * 6, [[0, 0]] * 6])
    >>> found = swapped(Tables(hits, np.zeros_like(hits), np.array([6, 2])), measure="R")
    >>> found.difference, found.p
    (0.5, 0.03125)
    """
    if measure not in MEASURES:
        raise UsageError(f"measure: got {measure!r}; macro-averaged are {', '.join(MEASURES)}")
    beta = check_beta(beta)
    checked_level(level)
    checked(resamples)
    total = np.stack((tables.hits, tables.alarms)).sum(axis=2)
    observed = value(measure, total[0], total[1], tables.relevant, beta)
    change = np.concatenate((tables.hits[0] - tables.hits[1], tables.alarms[0] - tables.alarms[1]), axis=1)
    change = _in_order(change[change.any(axis=1)]).astype(np.float64)
    whole = total.sum(axis=1).reshape(-1).astype(np.float64)

    def far(signed: Float64) -> Int64:
        # Half of what both have, and half of what the first gets more of under these signs.
        parts = [np.split((whole + side * signed) / 2, 2, axis=1) for side in (1, -1)]
        first, second = (value(measure, hits, alarms, tables.relevant, beta) for hits, alarms in parts)
        reached = np.abs(first - second) >= abs(float(observed[0] - observed[1])) - TOLERANCE
        return np.asarray(np.count_nonzero(reached), np.int64)

    p, how, seed = _chance(change, far, resamples, rng)
    right = (tables.hits - tables.alarms).sum(axis=2)
    wins, losses = int((right[0] > right[1]).sum()), int((right[0] < right[1]).sum())
    label = measure if measure != "F" or beta == 1 else f"F(beta={beta:g})"
    difference = float(observed[0] - observed[1])
    return Comparison(
        names=names, measure=f"macro-{label}", values=(float(observed[0]), float(observed[1])), difference=difference,
        low=None, high=None, level=level, p=p, test="randomization", how=how, size=right.shape[1],
        wins=wins, ties=right.shape[1] - wins - losses, losses=losses, statistic=difference, seed=seed,
    )  # fmt: skip


def _in_order(change: Int64) -> Int64:
    """Units by what they change, either system first: what is drawn does not depend on how they are listed."""
    if not len(change):
        return change
    lead = change[np.arange(len(change)), (change != 0).argmax(axis=1)]
    turned = change * np.sign(lead)[:, None]
    return np.asarray(turned[np.lexsort(turned.T)], np.int64)


def _chance(
    change: Float64, far: Callable[[Float64], Int64], resamples: int, rng: Rng
) -> tuple[float, str, int | None]:
    if not len(change):
        return 1.0, "no difference", None
    if len(change) <= ENUMERATED:
        # One unit stays: with all of them exchanged the difference is as far from 0 again.
        inner, outer = _signed(change[1 : _AT_ONCE + 1]), _signed(change[_AT_ONCE + 1 :])
        reached = sum(int(far(inner + (change[0] + one))) for one in outer)
        return reached / (len(inner) * len(outer)), f"all 2^{len(change)} swaps", None
    made, seed = seeded(rng)
    table = signflip.tables(change)
    count = counted(lambda one, size: far(signflip.signed_sums(table, one, size)), made, resamples, _BATCH)
    return float(sampled_p(count, resamples)), f"{resamples:,} sampled swaps", seed


def _signed(change: Float64) -> Float64:
    """Sums of the rows with all choices of signs."""
    found = np.zeros((1, change.shape[1]))
    for one in change:
        found = np.concatenate((found + one, found - one))
    return found
