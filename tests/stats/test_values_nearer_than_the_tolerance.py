"""Values that lie nearer to each other than the tolerance of comparisons: tails of very many items
are of single values.

Older tests compared exact tails at lists of up to 10⁶ items, where values are further apart than
1e-12; a tolerance with a floor of 1e-15 joined some thirty values of 10⁸ items.
"""

from math import comb

import numpy as np
import pytest

from precall.stats.null import area_under_roc, average_precision, hits, location
from precall.stats.null.description import value_meant
from precall.stats.null.mean_over_rankings import Mean

MANY = (10**5, 10**7, 2 * 10**7, 3 * 10**7, 10**8)


@pytest.mark.parametrize("items", MANY)
def test_of_one_miss_the_perfect_list_is_one_placement(items: int) -> None:
    null = average_precision(items, items - 1)
    assert null.sf(1.0) == null.tail(1.0).p == pytest.approx(1 / items, rel=1e-12)
    assert null.cdf(1 - 1 / items / (items - 1)) == pytest.approx(1 - 1 / items, rel=1e-12)


@pytest.mark.nightly
@pytest.mark.parametrize("items", MANY)
def test_of_two_misses_as_well(items: int) -> None:
    null = average_precision(items, items - 2)
    assert null.sf(1.0) == null.tail(1.0).p == pytest.approx(1 / comb(items, 2), rel=1e-12)


@pytest.mark.nightly
def test_nearly_equal_values_of_two_misses_are_told_apart() -> None:
    # Misses at ranks n - 2 and n - 1 lose 2/n, at n - 3 and n they lose 1/(n - 1) + 1/(n - 2): in
    # AP 3e-15 more.
    items = 10**5
    null = average_precision(items, items - 2)
    value = 1 - 2 / items / (items - 2)
    assert null.sf(value) == null.tail(value).p == pytest.approx(3 / comb(items, 2), rel=1e-12)


@pytest.mark.parametrize("items", MANY)
@pytest.mark.parametrize("of", ["relevant", "other"])
def test_area_with_one_of_a_class_is_uniform(items: int, of: str) -> None:
    null = area_under_roc(items, 1 if of == "relevant" else items - 1)
    assert not null.approximate
    assert null.sf(1.0) == null.tail(1.0).p == 1 / items
    assert null.sf(1 - 1 / (items - 1)) == 2 / items
    assert null.cdf(0.0) == pytest.approx(1 / items, rel=1e-6)


@pytest.mark.nightly
@pytest.mark.parametrize("relevant", [2, 3])
def test_greatest_areas_of_many_items_are_counted(relevant: int) -> None:
    items = 10**8
    null, pairs = area_under_roc(items, relevant), relevant * (items - relevant)
    for below, ways in enumerate((1, 2, 4)):
        tail = null.tail(1 - below / pairs)
        assert (tail.p, tail.error) == (pytest.approx(ways / comb(items, relevant), rel=1e-9), 0.0)
        assert tail.p == null.sf(1 - below / pairs)


def test_counted_areas_continue_the_approximated_ones() -> None:
    null = area_under_roc(10**7, 20)
    last = len(null._top) - 1
    counted, next_to_it = null.sf(1 - np.array([last, last + 1]) / null._pairs)
    assert next_to_it == pytest.approx(counted, rel=0.02)


@pytest.mark.nightly
def test_far_tails_are_the_same_by_tail_and_by_sf() -> None:
    null = average_precision(10**6, 4)
    for value in (1.0, 0.9, 0.5):
        assert null.sf(value) == null.tail(value).p
    assert null.sf(1.0) == pytest.approx(1 / comb(10**6, 4), rel=1e-12)


def test_counts_and_ranks_of_very_many_items_are_whole_numbers() -> None:
    null = hits(10**10, 10**10 - 2, 10**10 - 1)
    assert null.sf(10**10 - 2) == pytest.approx(2e-10, rel=1e-6)
    rank = location(10**13, 10**13 - 1, 10**13 - 1)
    assert rank.sf(10**13) == pytest.approx(1 - 1e-13, rel=1e-15)
    assert rank.cdf(10**13 - 1) == pytest.approx(1e-13, rel=1e-2)


def test_sums_of_near_values_are_not_one() -> None:
    items = 10**5
    two = Mean((average_precision(items, items - 1), average_precision(2, 2)))
    assert two.sf(1.0) == pytest.approx(1 / items, rel=1e-9)


def test_ties_of_very_many_items_are_told_apart() -> None:
    items = 10**12
    null = area_under_roc(items, 1, blocks=[1, 1, items - 2])
    assert null.sf(1.0) == pytest.approx(1 / items, rel=1e-9)


def test_the_typed_value_is_taken_not_the_one_before_it() -> None:
    assert value_meant(average_precision(10**6, 10**6 - 1), "1.000000000000")[0] == 1.0


@pytest.mark.parametrize("items", [5 * 10**5, 5 * 10**6])
def test_one_miss_in_blocks(items: int) -> None:
    null = average_precision(
        items, items - 1, blocks=[99_999] * (items // 10**5) + [items // 10**5 - 1, 1]
    )
    assert not null.approximate
    assert null.sf(1.0) == null.tail(1.0).p == pytest.approx(1 / items, rel=1e-9)


@pytest.mark.parametrize("ties", ["expected", "block"])
@pytest.mark.parametrize("blocks", [[3, 1, 4, 2, 1], [1, 1, 2], [5, 5], [1, 1, 1, 1], [7, 1]])
def test_one_miss_in_few_blocks_is_as_its_fractions(blocks: list[int], ties: str) -> None:
    null = average_precision(sum(blocks), sum(blocks) - 1, blocks=blocks, ties=ties)
    exact = null.pmf()
    for value in exact:
        above = float(sum(chance for other, chance in exact.items() if other >= value))
        below = float(sum(chance for other, chance in exact.items() if other <= value))
        assert null.sf(float(value)) == pytest.approx(above, rel=1e-12)
        assert null.cdf(float(value)) == pytest.approx(below, rel=1e-12)
