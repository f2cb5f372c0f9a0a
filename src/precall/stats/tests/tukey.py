"""Randomised Tukey HSD: all pairs of systems at once, studentised.

If the difference of two systems is symmetric about its mean, a topic's departure from that mean is
as likely to have one sign as the other. So each topic gets one random sign for all pairs, and the
greatest |t| of any pair's signed departures is what the t of every pair is held against: a
difference is significant if few of these reach it, with no further correction. Systems may differ
in how much they vary, and some of them in their means: every pair has a standard error of its own.
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
    """The greatest t of any pair by choice of signs, as the share r of the greatest that a pair can
    have: t = r √((n - 1)/(1
    - r²)).

    `shares` are sorted; where all topics have the same sign, t is infinite: that is what was seen,
    as far as signs tell.
    """

    shares: Float64
    topics: int
    seed: int | None

    @property
    def method(self) -> Method:
        """How p of them is found."""
        signs = signflip.method_of_signs(self.topics, len(self.shares), self.seed)
        return replace(signs, statistic="the greatest t of all pairs")

    def p(self, difference: Float64, spread: Float64) -> Float64:
        """Per pair the p-value that holds for all pairs together, of its mean difference and the
        deviation of its topics.
        """
        far = np.abs(difference) * self.topics**0.5
        size = np.sqrt((self.topics - 1) * spread**2 + far**2)
        share = np.divide(far, size, out=np.zeros(len(far)), where=size > 0)
        reached = len(self.shares) - np.searchsorted(self.shares, share * (1 - TOLERANCE), "left")
        return np.asarray((reached + 1) / (len(self.shares) + 1), np.float64)

    def quantile(self, level: float) -> float:
        """The t that a pair's must exceed for p to be at most 1 - level; infinite where none
        can.
        """
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
    """The greatest t of pairs of columns of topics x systems; `spread` is the deviation of their
    differences, 0 for no t.
    """
    topics = len(values)
    lively = spread > 0
    pairs = [np.ascontiguousarray(side[lively], np.int32) for side in (first, second)]
    # The sum of signed departures is twice that over the topics whose sign is turned.
    weight = 2 / (spread[lively] * (topics * (topics - 1)) ** 0.5)
    table = np.column_stack((values - values.mean(axis=0), np.ones(topics)))

    def largest(subsets: signflip.Subsets) -> Float64:
        sums = signflip.sums_of(table, subsets)
        found: Float64 = kernel().greatest_gaps(sums.ravel(), len(sums), *pairs, weight)
        return np.where((sums[-1] == 0) | (sums[-1] == topics), math.inf, found)

    found, seed = signflip.draw_subsets(largest, topics, resamples, rng)
    return Greatest(np.sort(np.concatenate(found)), topics, seed)


def unlike(spread: Float64, topics: int) -> float:
    """How many times as much some pair varies as another, if that is more than chance makes of
    equal ones; else 0.

    Of normal differences of equal spread fewer than one in twenty families has such a ratio.
    """
    from precall.stats import quantiles

    some = spread[spread > 0]
    if len(some) < 2 or topics < 2:
        return 0.0
    ratio = float(some.max() / some.min())
    chance = math.exp(2 * quantiles.z(1 - 0.05 / len(some)) / (2 * (topics - 1)) ** 0.5)
    return ratio if ratio > max(2.0, chance) else 0.0
