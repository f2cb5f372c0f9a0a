"""Hits: verbs on locations, with and without blocks, against plain enumeration."""

import itertools
from fractions import Fraction
from math import ceil

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from precall.core.errors import TiesUnresolved, UsageError
from precall.location.hits import Hits, ceiling


def blocks(sizes_and_counts, relevant=None, ties="expected"):
    """One ranking of blocks, each (items, hits)."""
    first, rows = 1, []
    for size, count in sizes_and_counts:
        if count:
            rows.append((first, first + size - 1, count))
        first += size
    columns = np.array(rows, np.int64).reshape(-1, 3).T
    total = int(columns[2].sum())
    return Hits(
        columns[0],
        columns[1],
        columns[2],
        np.zeros(len(rows), np.int64),
        np.array([first - 1]),
        np.array([relevant or total]),
        ties=ties,
    )


def orders(sizes_and_counts):
    """Every distinct order of hits and misses, as tuples of 0 and 1."""
    parts = [
        sorted(set(itertools.permutations([1] * c + [0] * (s - c)))) for s, c in sizes_and_counts
    ]
    return [sum(order, ()) for order in itertools.product(*parts)]


SHAPES = st.lists(
    st.integers(1, 4).flatmap(lambda size: st.tuples(st.just(size), st.integers(0, size))),
    min_size=1,
    max_size=4,
)


def mean(values):
    values = list(values)
    return float(sum(values, Fraction(0)) / len(values))


@given(SHAPES, st.integers(1, 12))
def test_expected_values_are_means_over_all_orders(shape, cutoff):
    hits, every = blocks(shape), orders(shape)
    assert hits.within(cutoff)[0] == pytest.approx(
        mean(Fraction(sum(y[:cutoff])) for y in every), abs=1e-12
    )
    assert hits.any_within(cutoff)[0] == pytest.approx(
        mean(Fraction(int(any(y[:cutoff]))) for y in every), abs=1e-12
    )

    def precision_sum(y, k):
        return sum(
            (Fraction(sum(y[:t]), t) for t in range(1, min(k, len(y)) + 1) if y[t - 1]), Fraction(0)
        )

    def reciprocal(y, k):
        return next((Fraction(1, t) for t in range(1, min(k, len(y)) + 1) if y[t - 1]), Fraction(0))

    for k in (cutoff, None):
        limit = 99 if k is None else k
        assert hits.precision_sum(k)[0] == pytest.approx(
            mean(precision_sum(y, limit) for y in every), abs=1e-12
        )
        assert hits.reciprocal_first(k)[0] == pytest.approx(
            mean(reciprocal(y, limit) for y in every), abs=1e-12
        )


@pytest.mark.parametrize("verb", ["precision_sum", "reciprocal_first"])
def test_an_unresolved_block_is_refused(verb):
    with pytest.raises(TiesUnresolved, match="choose ties="):
        getattr(blocks([(2, 1)], ties="block"), verb)()


def test_a_cutoff_at_the_end_of_a_block_needs_no_order():
    hits = blocks([(2, 1), (3, 2)], ties="block")
    assert hits.within(2).tolist() == [1]
    assert hits.within(5).tolist() == [3]
    with pytest.raises(TiesUnresolved):
        hits.within(3)


def test_location_raises_on_ties_rather_than_picking_an_order():
    with pytest.raises(TiesUnresolved):
        _ = blocks([(2, 1)]).location


def test_several_rankings_and_an_empty_one_between():
    one = np.ones(3, np.int64)
    hits = Hits(
        np.array([1, 3, 2]),
        np.array([1, 3, 2]),
        one,
        np.array([0, 0, 2]),
        np.array([5, 0, 4]),
        np.array([2, 1, 3]),
    )
    assert hits.found.tolist() == [2, 0, 1]
    assert hits.order.tolist() == [1, 2, 1]
    assert hits.within(2).tolist() == [1, 0, 1]
    assert hits.within(np.array([3, 1, 1])).tolist() == [2, 0, 0]
    assert hits.reciprocal_first().tolist() == [1, 0, 0.5]
    assert hits.precision_sum().tolist() == [1 + 2 / 3, 0, 0.5]
    assert len(hits) == 3


def test_k_at_recall_and_precision_there():
    hits = Hits.of([2, 4, 5], retrieved=6, relevant=3)
    assert [hits.k_at_recall(r)[0] for r in (0, 1 / 3, 0.34, 2 / 3, 1)] == [1, 2, 4, 4, 5]
    assert hits.precision_at_recall(1)[0] == 3 / 5
    missed = Hits.of([2], retrieved=6, relevant=3)
    assert missed.k_at_recall(0.5)[0] == 0
    assert np.isnan(missed.precision_at_recall(0.5)[0])
    assert np.isnan(Hits.of([], retrieved=3, relevant=0).precision_at_recall(0.5)[0])


@given(st.integers(0, 3000), st.integers(0, 100))
def test_the_ceiling_is_exact(relevant, percent):
    share = percent / 100
    assert ceiling(share, np.array([relevant]))[0] == ceil(Fraction(percent, 100) * relevant)


def test_the_ceiling_of_large_numbers_does_not_overflow():
    assert ceiling(0.123456789012345, np.array([10**12]))[0] == 123456789013


def test_a_negative_share_is_refused():
    with pytest.raises(UsageError, match=">= 0"):
        ceiling(-0.1, np.array([1]))
