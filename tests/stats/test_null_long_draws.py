"""Random draws of null distributions of long lists, where hits are drawn and not orders of all
items.
"""

from __future__ import annotations

import numpy as np
import pytest

import precall as pc


@pytest.mark.nightly
def test_ndcg_is_drawn_by_places_in_long_lists(monkeypatch):
    monkeypatch.setattr("precall.stats.null.graded.LONG", 5)
    null = pc.null.ndcg(8, [1, 2, 1, 3, 2])
    values, _ = null._mass
    drawn = null.rvs(40_000, rng=3)
    for value in np.quantile(values, [0.05, 0.25, 0.5, 0.75, 0.95]).tolist():
        known = float(null.sf(value))
        assert np.mean(drawn >= value - 1e-12) == pytest.approx(
            known, abs=4 * (known * (1 - known) / 40_000) ** 0.5
        )
    assert set(drawn.round(9)) <= set(values.round(9))
    different = pc.null.ndcg(30, list(range(1, 21)))  # more gains than are placed one by one
    drawn = different.rvs(20_000, rng=4)
    assert drawn.mean() == pytest.approx(different.mean, abs=4 * different.std / 20_000**0.5)
    assert drawn.std() == pytest.approx(different.std, rel=0.03)


@pytest.mark.parametrize("relevant", [400, 6_000, 12_000, 19_000])
def test_locations_in_long_lists(relevant):
    null = pc.null.average_precision(20_000, relevant)
    drawn = null.rvs(1_000, rng=5)
    assert drawn.mean() == pytest.approx(null.mean, abs=4 * null.std / 1_000**0.5)
    assert drawn.std() == pytest.approx(null.std, rel=0.1)


@pytest.mark.nightly
def test_few_misses_of_many_items():
    # What each miss takes was looked up among sums of 1/k of all ranks: 15 GB, and 40 seconds.
    null = pc.null.average_precision(10**9, 10**9 - 10)
    drawn = null.rvs(2_000, rng=2)
    assert drawn.mean() == pytest.approx(null.mean, abs=4 * null.std / 2_000**0.5)
    assert drawn.std() == pytest.approx(null.std, rel=0.2)
    exact = pc.null.average_precision(20_000, 19_998)
    worth = np.mean([exact.sf(value) for value in exact.rvs(400, rng=4)])
    assert worth == pytest.approx(0.5, abs=4 * (1 / 12 / 400) ** 0.5)


@pytest.mark.nightly(keep=4)
@pytest.mark.parametrize("norm", ["relevant", "found", "min"])
@pytest.mark.parametrize(("items", "relevant", "cutoff"), [(12, 4, 5), (30, 20, 6), (40, 3, 39)])
def test_draws_at_a_cutoff_are_as_frequent_as_their_values(items, relevant, cutoff, norm):
    null, size = pc.null.average_precision(items, relevant, cutoff, norm), 20_000
    drawn = null.rvs(size, rng=6).round(12)
    known: dict[float, float] = {}
    for value, chance in null.pmf().items():
        known[round(float(value), 12)] = known.get(round(float(value), 12), 0.0) + float(chance)
    assert set(drawn.tolist()) <= known.keys()
    common = [value for value, chance in known.items() if chance * size >= 5]
    found = np.array([np.count_nonzero(drawn == value) for value in common])
    expected = size * np.array([known[value] for value in common])
    rest, left = size - found.sum(), size - expected.sum()
    square = ((found - expected) ** 2 / expected).sum() + (rest - left) ** 2 / max(left, 1)
    assert square < len(common) + 4.5 * (2 * len(common)) ** 0.5


def test_draws_at_a_cutoff_of_many_items():
    # All hits were drawn, also those behind the cutoff: of half of 10^9 items gigabytes, and
    # seconds for each.
    null = pc.null.average_precision(10**9, 5 * 10**8, 10)
    drawn = null.rvs(4_000, rng=7)
    assert drawn.mean() == pytest.approx(null.mean, abs=4 * null.std / 4_000**0.5)
    assert drawn.std() == pytest.approx(null.std, rel=0.05)


def test_hits_of_more_items_than_numpy_draws_from():
    # It was NumPy's error, of balls and urns.
    for items, relevant, ranks in [
        (10**12, 10**6, 10**6),
        (2 * 10**9, 10**9, 10),
        (10**10, 9 * 10**9, 10**5),
    ]:
        null = pc.null.hits(items, relevant, ranks)
        drawn = null.rvs(4_000, rng=8)
        assert drawn.mean() == pytest.approx(null.mean, abs=4 * null.std / 4_000**0.5)
        assert drawn.std() == pytest.approx(null.std, rel=0.1)
    for call, said in [
        (pc.null.hits(10**15, 5 * 10**14, 5 * 10**14).rvs, "too many to draw from"),
        (
            pc.null.area_under_roc(2 * 10**9, 9, blocks=[10**9, 10**9]).rvs,
            "fewer than 1,000,000,000 items with ties",
        ),
        (lambda: pc.null.ndcg(10**10, [1, 2]), "n: must be"),
    ]:
        with pytest.raises(pc.UsageError, match=said):
            call()
