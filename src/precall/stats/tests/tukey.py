"""Randomised Tukey HSD: all pairs of systems at once, studentised.

If the difference of two systems is symmetric about its mean, a topic's deviation from that mean has
either sign with equal probability. So each topic gets one random sign for all pairs. The t of every
pair is compared with the greatest |t| of any pair's signed deviations: a difference is significant
if few of these reach it, with no further correction. Systems may have different variances, and some
different means: every pair has its own standard error.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

import numpy as np

from precall.core.methods import Method
from precall.core.ragged import Float64, Int64
from precall.core.rng import Rng
from precall.native import kernel
from precall.stats.resample.batches import TOLERANCE
from precall.stats.tests import signflip

NAME = "randomised Tukey HSD"


@dataclass(frozen=True, slots=True, eq=False)
class Greatest:
    """The greatest t of any pair for each choice of signs.

    It is stored as r in t = r √((n - 1)/(1 - r²)), sorted in `shares`. If all topics have the same
    sign, t is infinite: to the signs, this is the observed arrangement.
    """

    shares: Float64
    topics: int
    seed: int | None

    @property
    def method(self) -> Method:
        """How p is found from them."""
        signs = signflip.method_of_signs(self.topics, len(self.shares), self.seed)
        return replace(signs, statistic="the greatest t of all pairs")

    def p(self, difference: Float64, spread: Float64) -> Float64:
        """The p-value of each pair, which holds for all pairs together, from its mean difference
        and the deviation of its topics.
        """
        scaled_difference = np.abs(difference) * self.topics**0.5
        size = np.sqrt((self.topics - 1) * spread**2 + scaled_difference**2)
        share = np.divide(
            scaled_difference, size, out=np.zeros(len(scaled_difference)), where=size > 0
        )
        reached = len(self.shares) - np.searchsorted(self.shares, share * (1 - TOLERANCE), "left")
        return np.asarray((reached + 1) / (len(self.shares) + 1), np.float64)

    def quantile(self, level: float) -> float:
        """The t that a pair must exceed for p to be at most 1 - level; infinite if none can."""
        rank = math.floor((1 - level) * (len(self.shares) + 1) + 1e-9)
        share = self.shares[-rank] if rank else math.inf
        return (
            float(share * ((self.topics - 1) / (1 - share**2)) ** 0.5)
            if share < 1 - TOLERANCE
            else math.inf
        )


def greatest(
    values: Float64, first: Int64, second: Int64, spread: Float64, resamples: int, rng: Rng
) -> Greatest:
    """The distribution of the greatest t of pairs of columns of topics x systems.

    `spread` is the deviation of the differences of each pair; a pair with 0 has no t.
    """
    topics = len(values)
    varies = spread > 0
    firsts, seconds = (np.ascontiguousarray(side[varies], np.int32) for side in (first, second))
    # In absolute value, the sum of signed deviations is twice that over the topics whose sign is
    # flipped, because deviations add up to 0.
    weight = 2 / (spread[varies] * (topics * (topics - 1)) ** 0.5)
    table = np.column_stack((values - values.mean(axis=0), np.ones(topics)))

    def largest(subsets: signflip.Subsets) -> Float64:
        sums = signflip.sums_of(table, subsets)
        by_batch = kernel().greatest_gaps(sums.ravel(), len(sums), firsts, seconds, weight)
        return np.where((sums[-1] == 0) | (sums[-1] == topics), math.inf, by_batch)

    by_batch, seed = signflip.draw_subsets(largest, topics, resamples, rng)
    return Greatest(np.sort(np.concatenate(by_batch)), topics, seed)


def unlike(spread: Float64, topics: int) -> float:
    """Ratio of the greatest to the least deviation of pairs, if that is more than by chance with
    equal deviations; else 0.

    With normal differences of equal spread, fewer than one in twenty families has such a ratio.
    """
    from precall.stats import quantiles

    positive = spread[spread > 0]
    if len(positive) < 2 or topics < 2:
        return 0.0
    ratio = float(positive.max() / positive.min())
    chance = math.exp(2 * quantiles.z(1 - 0.05 / len(positive)) / (2 * (topics - 1)) ** 0.5)
    return ratio if ratio > max(2.0, chance) else 0.0
