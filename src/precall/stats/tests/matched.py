"""Matched pairs of two systems' decisions: the paired t test, signed ranks and signs that Yeh
(2000) sets beside randomization.

P, R and F are quotients N / Q of sums over items. If the systems are alike both have the value θ =
(N_a + N_b) / (Q_a + Q_b), and an item's c = (n_a - n_b) - θ (q_a - q_b) is as likely to have one
sign as the other, while θ stays what it is when decisions are exchanged. So the values of c are
differences of matched pairs. For R, whose Q is one for both, they are Yeh's: targets that the first
system found and the second did not, less those the other way round. For P their sum over the root
of the sum of squares is Leisenring, Alonzo & Pepe's (2000) test of predictive values.
"""

from __future__ import annotations

import numpy as np

from precall.core.methods import NO_DIFFERENCE
from precall.core.ragged import Bool, Float64
from precall.stats.tests import paired
from precall.stats.tests.paired import Choices, Result


def differences(
    name: str, beta: float, totals: Float64, change: Float64, relevant: int, has: tuple[Bool, Bool]
) -> Float64:
    """The differences of the units that the measure is of.

    Parameters
    ----------
    name, beta : of the measure.
    totals : (2, 2): true and false positives of either system.
    change : (units, 2): how many more of them the first system has in each unit.
    relevant : relevant items.
    has : whether there are relevant items in a unit, and accepted ones of either system.
    """
    hits, accepted = change[:, 0], change.sum(axis=1)
    if name == "R":
        return hits[has[0]]
    both = totals.sum(axis=0)
    # P is F with β = 0; over 1 + β², whose own square leaves float64 for the greatest β.
    square = beta * beta if name == "F" else 0.0
    of_said, of_true = (1 / (1 + square), square / (1 + square)) if square < np.inf else (0.0, 1.0)
    whole = of_said * both.sum() + of_true * 2 * relevant
    value = both[0] / whole if whole else 0.0
    units = has[1] if square == 0 else has[0] | has[1]
    return np.asarray((hits - value * of_said * accepted)[units])


def tested(difference: Float64, test: str, level: float) -> Result:
    """p of matched differences by a test of `precall.stats.tests.TESTS`."""
    # In order, so that nothing depends on how items are listed.
    difference = np.sort(difference)
    if not len(difference):
        return Result(1.0, NO_DIFFERENCE, 0.0)
    result = paired.TESTS[test](difference, Choices(level=level))
    return count_pairs(result, len(difference))


def count_pairs(result: Result, size: int) -> Result:
    """A result that says how many pairs it is of."""
    swapped = result.swapped and (result.swapped[0].of_pairs(size), result.swapped[1])
    return result._replace(method=result.method.of_pairs(size), swapped=swapped)
