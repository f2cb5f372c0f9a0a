"""Very many missed items: what is drawn again takes memory by the cases, not by the items.

missed=2^31 allocated 16 GB, one number for each item. The old tests missed a handful.
"""

from __future__ import annotations

import tracemalloc
from fractions import Fraction

import numpy as np
import pytest

import precall as pc
from precall.stats.blocks import Blocks, Cases
from precall.stats.resample import multinomial
from precall.stats.resample.multinomial import Cells, _harmonic_gain
from precall.stats.resample.resampling import WeightedCases, replicates

MIB = 1 << 20


@pytest.mark.parametrize("missed", [2**31, 2**52])
@pytest.mark.parametrize("method", ["percentile", "bca"])
@pytest.mark.parametrize("weighted", [False, True])
def test_memory_does_not_depend_on_missed_items(missed: int, method: str, weighted: bool) -> None:
    rng = np.random.default_rng(1)
    relevant = rng.random(300) < 0.3
    score = rng.normal(size=300) + relevant
    weights = rng.random(300) + 0.5 if weighted else None
    tracemalloc.start()
    found = pc.interval.average_precision(
        relevant, score, weights=weights, missed=missed, method=method
    )
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 200 * MIB
    assert 0 < found.low <= found.estimate <= found.high < 1e-5


def test_cell_by_cell_is_the_same_law(monkeypatch: pytest.MonkeyPatch) -> None:
    blocks = Blocks(np.array([2, 0, 1, 1, 0]), np.array([0, 3, 2, 0, 6]), 5)
    for stratified in (False, True):
        tabled = replicates(blocks, 20_000, np.random.default_rng(2), stratified)
        monkeypatch.setattr(multinomial, "MOST_TABLED", 0)
        single = replicates(blocks, 20_000, np.random.default_rng(3), stratified)
        monkeypatch.undo()
        error = np.sqrt((tabled.var() + single.var()) / 20_000)
        assert abs(tabled.mean() - single.mean()) < 4 * error
        assert single.std() == pytest.approx(tabled.std(), rel=0.03)
        grid = np.quantile(tabled, [0.05, 0.25, 0.75, 0.95])
        shares = [(single <= at).mean() - (tabled <= at).mean() for at in grid]
        assert np.abs(shares).max() < 0.02


def test_draws_of_very_many_items() -> None:
    sizes = np.array([1000, 3, 2**40])
    drawn = Cells(sizes).draw(4000, np.random.default_rng(4))
    assert (drawn.sum(axis=1) == sizes.sum()).all()
    assert drawn[:, :2].mean(axis=0) == pytest.approx([1000, 3], rel=0.05)
    assert drawn[:, :2].var(axis=0) == pytest.approx([1000, 3], rel=0.15)


def test_weighted_cases_beside_very_many_missed_items() -> None:
    cases = Cases(np.arange(40), np.arange(40) % 2 == 0, np.full(40, 0.5), None)
    weighed = WeightedCases(cases, 2**40)
    *_, hits, others, missed = weighed.paths(*weighed.streams(3000, np.random.default_rng(5)))
    drawn = 2 * (hits + others)
    assert (drawn + missed == 40 + 2**40).all()
    # As many cases as a Poisson number of mean 40.
    assert drawn.mean() == pytest.approx(40, rel=0.02)
    assert drawn.var() == pytest.approx(40, rel=0.15)


@pytest.mark.parametrize(
    ("before", "hits"),
    [(0, 1), (0, 5), (10, 3), (990, 20), (999, 1), (1000, 1), (5000, 77), (0, 3000)],
)
def test_differences_of_harmonic_numbers(before: int, hits: int) -> None:
    exact = float(sum((Fraction(1, i) for i in range(before + 1, before + hits + 1)), Fraction(0)))
    assert _harmonic_gain(np.array([before]), np.array([hits]))[0] == pytest.approx(
        exact, rel=1e-12
    )
