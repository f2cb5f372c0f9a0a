"""Matched pairs of two systems' decisions: the paired t test, signed ranks and signs, which Yeh
(2000) compares with randomization.

P, R and F are quotients N / Q of sums over items. If the systems are equal, both have the value
θ = (N_a + N_b) / (Q_a + Q_b), which does not change when decisions are exchanged. Then
c = (n_a - n_b) - θ (q_a - q_b) of an item has either sign with equal probability. So the values of
c are differences of matched pairs. For R, whose Q is the same for both, they are Yeh's: targets
that only the first system found, minus those that only the second found. For P their sum over the
root of the sum of squares is Leisenring, Alonzo & Pepe's (2000) test of predictive values.
"""

from __future__ import annotations

import numpy as np

from precall.core.methods import NO_DIFFERENCE
from precall.core.ragged import Bool, Float64
from precall.stats.tests import paired
from precall.stats.tests.paired import PairedOptions, Result


def differences(
    name: str, beta: float, totals: Float64, change: Float64, relevant: int, has: tuple[Bool, Bool]
) -> Float64:
    """The differences of the units that count in the measure.

    Parameters
    ----------
    name, beta : name and β of the measure.
    totals : (2, 2): true and false positives of either system.
    change : (units, 2): how many more of them the first system has in each unit.
    relevant : number of relevant items.
    has : whether a unit has relevant items, and items that either system accepted.
    """
    hits, accepted = change[:, 0], change.sum(axis=1)
    if name == "R":
        return hits[has[0]]
    both = totals.sum(axis=0)
    # P is F with β = 0; divided by 1 + β², whose square would overflow for the greatest β.
    square = beta * beta if name == "F" else 0.0
    of_accepted, of_true = (
        (1 / (1 + square), square / (1 + square)) if square < np.inf else (0.0, 1.0)
    )
    denominator = of_accepted * both.sum() + of_true * 2 * relevant
    value = both[0] / denominator if denominator else 0.0
    units = has[1] if square == 0 else has[0] | has[1]
    return np.asarray((hits - value * of_accepted * accepted)[units])


def run_matched_test(difference: Float64, test: str, level: float) -> Result:
    """The result of a test of `precall.stats.tests.TESTS` on matched differences."""
    # Sorted, so that nothing depends on the order of the items.
    difference = np.sort(difference)
    if not len(difference):
        return Result(1.0, NO_DIFFERENCE, 0.0)
    result = paired.TESTS[test](difference, PairedOptions(level=level))
    return count_pairs(result, len(difference))


def count_pairs(result: Result, size: int) -> Result:
    """The result with the number of its pairs in the method."""
    swapped = result.swapped and (result.swapped[0].of_pairs(size), result.swapped[1])
    return result._replace(method=result.method.of_pairs(size), swapped=swapped)
