"""Sums of precisions at random ranks: by hand, against all placements, native against twin, wrong
arguments.
"""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from precall.stats.null.tail import random_placements
from tests.native.kernels import ABSENT, EITHER, native, same
from tests.peers import peer

stats = peer("scipy.stats")

#: The first words of seed 1234567, as published with SplitMix64.
WORDS = [6457827717110365317, 3203168211198807973, 9817491932198370423]
SEED = np.array([1234567], np.uint64)


@EITHER
def test_one_by_one_by_hand(kernel):
    """Each word is one of ten items: 3, 1 and 5 of 0 to 9."""
    rank = [(10 * word >> 64) + 1 for word in WORDS]
    assert rank == [4, 2, 6]
    assert kernel.place_sums(SEED, 10, 3, 0, 1).tolist() == [1 / 2 + 2 / 4 + 3 / 6]
    # Of seven hits these are the ranks of the others.
    hits = [1, 3, 5, 7, 8, 9, 10]
    lanes = [sum((i + 1) / hits[i] for i in range(k, 7, 4)) for k in range(4)]
    assert kernel.place_sums(SEED, 10, 7, 0, 1).tolist() == [
        (lanes[0] + lanes[1]) + (lanes[2] + lanes[3])
    ]


@EITHER
def test_marked_by_bits_by_hand(kernel):
    """With a chance of a quarter, which is two bits, an item is marked where both of the first
    words have none.
    """
    marked = [i for i in range(64) if not (WORDS[0] | WORDS[1]) >> i & 1]
    others = sorted(set(range(64)) - set(marked))
    assert len(marked) == 18
    assert kernel.place_sums(SEED, 64, 18, 64, 1)[0] == pytest.approx(_sum(marked), rel=1e-14)
    assert kernel.place_sums(SEED, 64, 46, 64, 1)[0] == pytest.approx(_sum(others), rel=1e-14)
    # The next words are items 34, 15, 56, 27 and 37: the first without a mark is 34, the first with
    # one 37.
    assert 64 * WORDS[2] >> 64 == 34 and {34, 15, 56, 27}.isdisjoint(marked) and 37 in marked
    more, less = sorted([*marked, 34]), [place for place in marked if place != 37]
    assert kernel.place_sums(SEED, 64, 19, 64, 1)[0] == pytest.approx(_sum(more), rel=1e-14)
    assert kernel.place_sums(SEED, 64, 17, 64, 1)[0] == pytest.approx(_sum(less), rel=1e-14)


@pytest.mark.nightly
@EITHER
@pytest.mark.parametrize(("items", "relevant"), [(7, 3), (7, 5), (9, 1), (9, 8)])
@pytest.mark.parametrize("bound", [0, 3, 100, 128, 255])
def test_all_placements_are_equally_likely(kernel, items, relevant, bound):
    """Whatever was marked at first: too few, too many, or about as many."""
    draws = 6000
    seed = np.random.default_rng(items * relevant + bound).integers(0, 2**63, draws, np.uint64)
    sums = kernel.place_sums(seed, items, relevant, bound, 1)
    every = np.sort([_sum(chosen) for chosen in combinations(range(items), relevant)])
    value, count = np.unique(np.round(every, 9), return_counts=True)
    place = np.searchsorted(value, np.round(sums, 9) - 1e-8)
    seen = np.bincount(place, minlength=len(value))
    assert np.abs(value[place] - sums).max() < 1e-8
    assert stats.chisquare(seen, draws * count / count.sum()).pvalue > 1e-4


@EITHER
def test_lists_of_no_hit_and_of_hits_alone(kernel):
    for bound in (0, 200):
        assert kernel.place_sums(SEED, 70, 0, bound, 1).tolist() == [0.0]
        assert kernel.place_sums(SEED, 70, 70, bound, 1) == pytest.approx([70.0])
    assert len(kernel.place_sums(SEED[:0], 70, 3, 9, 1)) == 0


@pytest.mark.nightly
@ABSENT
@settings(max_examples=60, deadline=None)
@given(st.integers(1, 3000), st.floats(0, 1), st.integers(0, 255), st.integers(0, 2**32))
def test_native_adds_what_the_twin_adds(items, share, bound, seed):
    seeds = np.random.default_rng(seed).integers(0, 2**64 - 1, 3, np.uint64, endpoint=True)
    for threads in (1, 3):
        assert same("place_sums", seeds, items, round(share * items), bound, threads)


@ABSENT
def test_long_lists_by_several_threads():
    seeds = np.random.default_rng(1).integers(0, 2**64 - 1, 9, np.uint64, endpoint=True)
    alone = native.place_sums(seeds, 200_003, 70_001, 90, 1)
    assert np.array_equal(alone, native.place_sums(seeds, 200_003, 70_001, 90, 4))
    assert same("place_sums", seeds[:2], 200_003, 140_001, 77, 1)


@EITHER
@pytest.mark.parametrize(
    ("given_", "said"),
    [
        ((0, 0, 0), "counts: must be of a list below 2\\^31"),
        ((2**31, 1, 0), "counts: must be of a list below 2\\^31"),
        ((5, -1, 0), "counts: must be of a list below 2\\^31"),
        ((5, 6, 0), "counts: must be of a list below 2\\^31"),
        ((5, 2, -1), "bound: must be 0 to 255"),
        ((5, 2, 256), "bound: must be 0 to 255"),
    ],
)
def test_wrong_arguments_are_refused(kernel, given_, said):
    with pytest.raises(ValueError, match=said):
        kernel.place_sums(SEED, *given_, 1)


def test_draws_are_asked_for_some_at_a_time(monkeypatch):
    """All draws were one call of the kernel, and Ctrl+C was heard after the last: of 8000 rankings
    of a million items, 10 s.
    """
    given, items, at_once = (20_000, 9_000, 20_000, 50), 20_000, []
    whole = random_placements.precision_sums(*given, np.random.default_rng(3))[0]
    kernel = random_placements.kernel()

    class Heard:
        def place_sums(self, seed, *of):
            at_once.append(len(seed) * items)
            return kernel.place_sums(seed, *of)

    monkeypatch.setattr(random_placements, "kernel", Heard)
    monkeypatch.setattr(random_placements, "thread_count", lambda: 2)
    monkeypatch.setattr(random_placements, "_HEARD", 7 * items)
    assert np.array_equal(
        random_placements.precision_sums(*given, np.random.default_rng(3))[0], whole
    )
    assert len(at_once) == 8 and max(at_once) <= 7 * items
    # Of lists that are longer than that, a thread has one each.
    monkeypatch.setattr(random_placements, "_HEARD", 1)
    assert np.array_equal(
        random_placements.precision_sums(*given, np.random.default_rng(3))[0], whole
    )
    assert len(at_once) == 8 + 25
    assert len(random_placements.precision_sums(*given[:3], 0, np.random.default_rng(3))[0]) == 0


@pytest.mark.nightly(keep=2)
@pytest.mark.parametrize("relevant", [400, 1500, 9_000, 12_000, 19_000, 19_700, 19_990])
def test_draws_of_long_lists_have_the_exact_mean_and_variance(relevant):
    """By single hits, by the kernel from none, from bits, of hits and of others, and by few
    others.
    """
    from precall import null

    law = null.average_precision(20_000, relevant)
    drawn = random_placements.precision_sums(
        20_000, relevant, 20_000, 4000, np.random.default_rng(relevant)
    )[0]
    gap = (drawn / relevant - law.mean) / law.std
    assert abs(gap.mean()) < 4 / 4000**0.5
    assert abs((gap**2).mean() - 1) < 0.15


def _sum(places):
    return sum((i + 1) / (place + 1) for i, place in enumerate(places))
