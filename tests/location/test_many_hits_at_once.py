"""Hits of several rankings from their locations, and p of their mean where it is as small as
numbers get.

The old tests gave one list of ranks that are right, and means of a few rankings.
"""

from __future__ import annotations

import numpy as np
import pytest

import precall as pc
from tests.processor import ratio


@pytest.mark.nightly
def test_locations_of_many_rankings():
    """70 lists of 3 were one ranking of 70 hits, whose tests ended in NumPy's "maximum supported
    dimension for an ndarray".
    """
    hits = pc.Hits.of([[3, 1, 2]] * 70, retrieved=[60] * 70, relevant=3)
    assert len(hits) == 70 and hits.location.tolist() == [1, 2, 3] * 70
    one = pc.Hits.of([1, 2, 3], retrieved=60, relevant=3)
    for measure in ("AP", "AP@5", "P@3", "R@3", "Rprec", "RR", "AUC"):
        result = pc.null.test(hits, measure)
        assert result.combined.value == pc.null.test(one, measure).combined.value
        assert result.combined.tail.bound and 0 < result.p <= 1e-12 and "p <= " in str(result)


@pytest.mark.parametrize(
    "locations", [[0, 1], [61], [2, 2], [1.5], ["a"], [True], [[1, [2]]], [3, [1]]]
)
def test_locations_that_are_no_ranks(locations):
    with pytest.raises(pc.UsageError, match=r"locations: must be different ranks in 1\.\.60, got"):
        pc.Hits.of(locations, retrieved=60, relevant=3)


def test_counts_that_do_not_fit():
    with pytest.raises(
        pc.UsageError, match=r"must be one per ranking \(2\), or one for all; got 3 and 2"
    ):
        pc.Hits.of([[1], [2]], retrieved=[5, 5, 5], relevant=1)
    with pytest.raises(pc.UsageError, match="relevant: must be an integer >= 2"):
        pc.Hits.of([1, 2], retrieved=5, relevant=1)
    with pytest.raises(pc.UsageError, match="retrieved: must be an integer >= 0"):
        pc.Hits.of([], retrieved=-1, relevant=1)


@pytest.mark.nightly
def test_permutations_of_many_graded_items_are_drawn_once():
    # 700 of 700 items took 2.0-2.1 s: keys, a partition of them, and then a permutation all the
    # same.
    ranks, rng = np.arange(700.0), np.random.default_rng(1)
    grades = [1, 2, 3, 1, 2, 3, 1] * 100

    def once():
        rng.permuted(np.broadcast_to(ranks, (5000, 700)), axis=1)

    def ndcg():
        pc.null.ndcg(700, grades, permutations=5000).sf(0.9)

    assert ratio(ndcg, once, 1.8) < 1.8
