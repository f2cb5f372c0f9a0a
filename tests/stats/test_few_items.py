"""Few items: a sampled exchange test gave p below the least that all exchanges can give; AUC p was
"undef" without why.

The old tests compared the sampled p with the enumerated one within five standard errors, which
hides a p that no enumeration can give; and they asked whether an undefined p was NaN, not whether
the table says why.
"""

from __future__ import annotations

import math

import numpy as np
import pytest

import precall as pc
from precall.core.notes.of_comparisons import LeastOfExchanges, UndefinedP
from precall.stats.tests import exchange
from precall.stats.tests.comparison_sheet import pairs_block
from tests.comparison import oracle
from tests.noticed import noticed

RELEVANT = [1, 1, 1, 1, 0, 0, 0, 0]
BEST, WORST = [8, 7, 6, 5, 4, 3, 2, 1], [1, 2, 3, 4, 5, 6, 7, 8]


def test_eight_items_give_two_of_256() -> None:
    for seed in range(5):
        found = pc.compare.cases(RELEVANT, BEST, WORST, "AUC", test="permutation", rng=seed)
        assert found.p == 2 / 256 and found.how == "all 2^8 exchanges of ranks"
    assert not noticed(found, LeastOfExchanges)


@pytest.mark.parametrize("measure", ["AP", "AUC"])
@pytest.mark.parametrize("ties", [20, 3])
def test_all_exchanges_of_nine_items_are_the_oracle_s(measure: str, ties: int) -> None:
    drawn = np.random.default_rng(1)
    relevant = [True, False, *(drawn.random(7) < 0.5).tolist()]
    a, b = (drawn.integers(0, ties, 9).tolist() for _ in range(2))
    found = pc.compare.cases(relevant, a, b, measure, test="permutation")
    assert found.p == float(oracle.exchanged(relevant, a, b, measure))


def test_up_to_twenty_items_are_gone_through_and_no_more() -> None:
    drawn = np.random.default_rng(2)
    for size in (20, 30):
        relevant = np.arange(size) % 2 == 0
        found = pc.compare.cases(
            relevant, drawn.normal(size=size), drawn.normal(size=size), resamples=200
        )
        assert found.how.startswith("all 2^" if size == 20 else "200 sampled")
        assert (found.seed is None) == (size == 20)


def test_sampled_exchanges_agree_with_all_of_them(monkeypatch: pytest.MonkeyPatch) -> None:
    drawn = np.random.default_rng(3)
    relevant = np.arange(16) % 4 == 0
    a, b, groups = drawn.integers(0, 9, 16), drawn.integers(0, 9, 16), drawn.integers(0, 6, 16)
    for within in ({}, {"groups": groups}, {"topics": np.arange(16) // 8}):
        exact = pc.compare.cases(relevant, a, b, **within).p
        with monkeypatch.context() as patched:
            patched.setattr(exchange, "ENUMERATED", 0)
            sampled = pc.compare.cases(relevant, a, b, resamples=20_000, **within)
        assert "sampled" in sampled.how
        assert sampled.p == pytest.approx(exact, abs=4 * (0.25 / 20_000) ** 0.5)


def test_twenty_decisions_of_categories_are_gone_through(monkeypatch: pytest.MonkeyPatch) -> None:
    drawn = np.random.default_rng(4)
    truth, a = (drawn.integers(0, 3, 40) for _ in range(2))
    b = a.copy()
    b[:16] = (b[:16] + 1) % 3
    every = pc.compare.decisions(truth.tolist(), a.tolist(), b.tolist(), average="macro")
    assert every.how == "all 2^16 swaps" and (every.p * 2**15) % 1 == 0
    monkeypatch.setattr(exchange, "_CELLS", 300)
    assert (
        pc.compare.decisions(truth.tolist(), a.tolist(), b.tolist(), average="macro").p == every.p
    )


def test_why_there_is_no_p_is_in_the_table() -> None:
    found = pc.compare.cases(RELEVANT, BEST, WORST, "AUC")
    assert math.isnan(found.p) and (found.low, found.high) == (None, None)
    cells = pairs_block("AUC", [found]).lines[0].values
    assert "undef (no variance, as the items of a class all have one value)" in cells
    (note,) = noticed(found, UndefinedP)
    assert (
        note.permutation
        and note.reason == "no variance, as the items of a class all have one value"
    )


@pytest.mark.parametrize("test", ["delong", "permutation"])
def test_an_interval_of_no_length_is_none(test: str) -> None:
    # A constant score has the area 1/2; .5000 to .5000 was its difference from a perfect one.
    found = pc.compare.cases(RELEVANT, BEST, [1] * 8, "AUC", test=test)
    assert found.difference == 0.5 and (found.low, found.high) == (None, None)
