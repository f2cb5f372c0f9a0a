"""Tests of the tests: faults planted in the null distributions are found by the comparison with
every placement.
"""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest

import precall as pc
from precall.stats.null import average, average_with_ties, distribution, graded, roc_area
from precall.stats.null import hits_and_ranks as counts
from precall.stats.null.tail import (
    block_moments,
    by_rank,
    clusters,
    convolution,
    enumeration,
    fourier,
    in_blocks,
    misses,
    moments,
    staircase,
)
from tests.oracle import random_selection as oracle


def moments_agree():
    for n, m, k in [(7, 3, None), (9, 2, None), (8, 4, 5), (6, 5, None)]:
        law, true = pc.null.average_precision(n, m, cutoff=k), oracle.law(n, m, k)
        expected = oracle.moments(true)
        assert (law.mean, law.var) == pytest.approx(expected[:2])
        assert (law.skewness, law.kurtosis) == pytest.approx(expected[2:])


def tails_agree():
    for n, m in [(9, 4), (7, 1), (7, 6)]:
        law, true = pc.null.average_precision(n, m), oracle.law(n, m)
        for x in true:
            assert law.sf(float(x)) == pytest.approx(oracle.tail(true, x))
    # Too many placements to list them.
    assert pc.null.average_precision(10**7, 10**7 - 1).sf(1) == pytest.approx(1e-7, rel=1e-9)


def convolution_agrees():
    by_rank.tails.cache_clear()
    misses.losses.cache_clear()
    for table, n, m in [(by_rank.tails, 60, 3), (misses.losses, 40, 36)]:
        sums = enumeration.enumerate_placements(n, m, n, "relevant")[0] * m
        s = np.quantile(sums, [0.3, 0.6, 0.9, 0.99]) + 1e-7
        exact = len(sums) - np.searchsorted(sums, s)
        assert table(n, m)(s) * len(sums) == pytest.approx(exact, rel=0.01)
    # 320 of 640: begins with Pearson III laws; expected by 10^6 random rankings, standard error 0.5
    # %.
    assert float(by_rank.tails(640, 320)(np.array([0.54 * 320]))[0]) == pytest.approx(
        0.04223, rel=0.02
    )


def ties_agree():
    for sizes, m in [((1, 3, 2), 2), ((2, 2, 1, 2), 3)]:
        for how in ("expected", "block"):
            law, true = (
                pc.null.average_precision(sum(sizes), m, blocks=sizes, ties=how),
                oracle.tied_law(sizes, m, how),
            )
            assert (law.mean, law.var) == pytest.approx(oracle.moments(true)[:2])
            for x in true:
                assert law.sf(float(x)) == pytest.approx(oracle.tail(true, x))


def runs_agree():
    sizes = np.array([2, 1, 3])
    for ties in ("expected", "block"):
        found = block_moments.coefficients(sizes, ties, rank=7)
        for before, hits in [(0, 2), (3, 2), (5, 4)]:
            expected = oracle.moments(oracle.blocks_after(7, before, sizes.tolist(), hits, ties))
            mean, variance = in_blocks.EqualBlocks(found)(np.array([before]), np.array([hits]))
            assert (mean[0], variance[0]) == pytest.approx(expected[:2], rel=1e-9)
            assert block_moments.cumulants_of(before, hits, found) == pytest.approx(
                expected, rel=1e-6
            )
    # One pair of late equal scores changes nothing that can be seen.
    near = pc.null.average_precision(5000, 1000, blocks=[1] * 4000 + [2] + [1] * 998)
    law = pc.null.average_precision(5000, 1000)
    for x in (0.215, 0.225, 0.23):
        assert near.sf(x) == pytest.approx(law.sf(x), rel=0.01)


def counts_agree():
    assert pc.null.hits(10, 4, 5).sf(4) == pytest.approx(6 / 252)
    assert pc.null.location(8, 3, 2).var == pytest.approx(2 * 9 * 5 * 2 / (16 * 5))
    assert pc.null.location(8, 3, 2).pmf()[Fraction(4)] == Fraction(3 * 4, 56)
    assert pc.null.ndcg(60, [3, 2, 1, 1, 1, 2, 3], permutations=100).sf(1.0) == 1 / 101


def staircase_agrees():
    by_rank.tails.cache_clear()
    for s in (1.03, 0.3):
        assert by_rank.tails(2000, 3)(np.array([s]))[0] == pytest.approx(
            oracle.three_hits(2000, s), rel=1e-3
        )


def area_agrees():
    # One hit among 1, 2 and 1 items: above 3, 1 1/2 and none of the other three.
    law = pc.null.area_under_roc(4, 1, blocks=(1, 2, 1))
    assert law.cdf([0.9, 0.5, 0.0]) == pytest.approx([0.75, 0.75, 0.25])


def fourier_agrees():
    law = fourier.drawn_sum(np.array([1, 2, 1]), np.array([0, 3, 6]), 2)
    assert law(np.array([1.5, 3.0, 4.5])) == pytest.approx([1, 2 / 3, 1 / 3])


def wrong(function, change):
    return lambda *given, **named: change(function(*given, **named))


def doubled(given):
    return block_moments.TiedBlocks(given.size, given.end, 2 * given.a, 2 * given.b, 2 * given.c)


MUTANTS = {
    "mean: n + 1 items": (
        moments,
        "mean",
        lambda n, m, k=None: TRUE_MEAN(n + 1, m, k),
        moments_agree,
    ),
    "variance: n - 1 for n": (
        moments,
        "variance",
        lambda n, m, k=None: TRUE_VARIANCE(n, m, k) * n / (n - 1),
        moments_agree,
    ),
    "cumulants: with replacement": (
        moments,
        "products",
        lambda n, m, order: [np.longdouble(m / n) ** i for i in range(order + 1)],
        moments_agree,
    ),
    "kurtosis: not the excess": (
        average,
        "cumulants",
        wrong(moments.cumulants, lambda c: (*c[:3], c[3] + 3)),
        moments_agree,
    ),
    "sf: P(X > x)": (distribution.NullDistribution, "_slack", -1e-9, tails_agree),
    "enumeration: a placement lost": (
        enumeration,
        "enumerate_placements",
        wrong(enumeration.enumerate_placements, lambda atoms: (atoms[0][1:], atoms[1][1:])),
        tails_agree,
    ),
    "one miss: counted from 0": (
        average,
        "sets_from_top",
        wrong(enumeration.sets_from_top, lambda c: c - 1),
        tails_agree,
    ),
    "convolution: shifted by a cell": (
        convolution,
        "weights",
        lambda part, variance, smooth: np.roll(TRUE_WEIGHTS(part, variance, smooth), 1, 0),
        convolution_agrees,
    ),
    "convolution: hits before forgotten": (
        by_rank,
        "_amount",
        lambda r, g, h, q: moments.block(r, 0 * h, g, q),
        convolution_agrees,
    ),
    "losses: misses before forgotten": (
        misses,
        "_amount",
        lambda n, r, g, b, q: TRUE_LOSS(n, r, g, 0 * b, q),
        convolution_agrees,
    ),
    "remainder: skewness off by 1": (
        by_rank,
        "pearson",
        lambda z, skewness: TRUE_PEARSON(z, skewness + 1),
        convolution_agrees,
    ),
    "staircase: hits before forgotten": (
        staircase.Tails,
        "_children",
        lambda self, hits, *given: TRUE_CHILDREN(self, 0, *given),
        staircase_agrees,
    ),
    "roc_area: whole blocks win": (
        roc_area.TiedAreaUnderRoc,
        "_scores",
        property(
            lambda self: (
                self.items - np.cumsum(np.array(self.blocks, float)) + np.array(self.blocks) - 1
            )
        ),
        area_agrees,
    ),
    "ties: block ends where it begins": (
        average_with_ties,
        "coefficients",
        lambda sizes, ties: doubled(TRUE_COEFFICIENTS(sizes, ties)),
        ties_agree,
    ),
    "ties: expected for block": (
        average_with_ties,
        "coefficients",
        lambda sizes, ties: TRUE_COEFFICIENTS(sizes, "expected"),
        ties_agree,
    ),
    "runs: hits before forgotten": (
        in_blocks.EqualBlocks,
        "__call__",
        lambda self, before, hits: TRUE_RUN(self, 0 * before, hits),
        runs_agree,
    ),
    "runs: variance forgotten": (
        in_blocks.EqualBlocks,
        "__call__",
        lambda self, before, hits: (
            TRUE_RUN(self, before, hits)[0],
            0 * TRUE_RUN(self, before, hits)[1],
        ),
        runs_agree,
    ),
    "remainder: skewness of blocks forgotten": (
        in_blocks,
        "cumulants_of",
        lambda *given: (0, 1, 0, 0),
        runs_agree,
    ),
    "fourier: with replacement": (
        clusters,
        "_factors",
        lambda items, most: [np.eye(1, k)[0] for k in range(most + 1)],
        fourier_agrees,
    ),
    "hits: with replacement": (
        counts,
        "probabilities",
        lambda n, m, t, low, high: np.array([[0.1**5 * 5, 0.2, 0.3, 0.3, 0.19995]]),
        counts_agree,
    ),
    "permutations: no + 1": (
        graded.Graded,
        "_tail_without_list",
        lambda self, x, above: np.mean(self._sample >= x[:, None], axis=1),
        counts_agree,
    ),
}
TRUE_MEAN, TRUE_VARIANCE, TRUE_WEIGHTS = moments.mean, moments.variance, convolution.weights
TRUE_RUN = in_blocks.EqualBlocks.__call__
TRUE_CHILDREN = staircase.Tails._children
TRUE_LOSS, TRUE_PEARSON, TRUE_COEFFICIENTS = (
    misses._amount,
    by_rank.pearson,
    average_with_ties.coefficients,
)


@pytest.mark.nightly(keep=3)
@pytest.mark.parametrize(
    "check",
    [
        moments_agree,
        tails_agree,
        convolution_agrees,
        ties_agree,
        runs_agree,
        counts_agree,
        area_agrees,
        staircase_agrees,
        fourier_agrees,
    ],
)
def test_the_truth_survives(check):
    check()


@pytest.mark.nightly(keep=5)
@pytest.mark.parametrize("name", MUTANTS)
def test_a_fault_is_found(name, monkeypatch):
    module, attribute, fault, check = MUTANTS[name]
    monkeypatch.setattr(module, attribute, fault)
    with pytest.raises(AssertionError):
        check()


@pytest.fixture(autouse=True)
def forgotten():
    """What a mutant has left in the caches must not reach other tests."""
    yield
    for cached in (by_rank.tails, misses.losses, moments._rows, enumeration.enumerate_placements):
        getattr(cached, "cache_clear", lambda: None)()
