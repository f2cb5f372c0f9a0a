"""Scored cases with weights, collected in parts: whole weights are repetitions, real ones are those
of `curve`.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import precall as pc
from precall import ScoredCases

CASE = st.tuples(
    st.booleans(),
    st.sampled_from([-1.0, -0.0, 0.0, 0.5, np.inf]),
    st.integers(0, 3),
    st.integers(0, 3),
)


def columns(cases: list[Any]) -> list[Any]:
    return [np.array(column) for column in zip(*cases, strict=True)]


@given(st.lists(CASE, min_size=1, max_size=30), st.permutations(range(4)))
def test_parts_in_any_order_are_repetitions(cases: list[Any], order: list[int]) -> None:
    truth, score, weights, part = columns(cases)
    collected = ScoredCases()
    for each in order:
        chosen, other = part == each, ScoredCases()
        other.add(truth[chosen], score[chosen], weights=weights[chosen])
        collected.merge(other)
    repeated = pc.curve(np.repeat(truth, weights), np.repeat(score, weights))
    made = collected.curve()
    assert made.weighted
    for column in ("threshold", "tp", "fp"):
        assert getattr(made, column).tobytes() == getattr(repeated, column).tobytes()


def test_real_weights_are_those_of_the_curve_but_for_the_order_of_sums() -> None:
    rng = np.random.default_rng(6)
    truth, score, weights = (
        rng.random(2000) < 0.3,
        np.round(rng.normal(size=2000), 2),
        rng.random(2000),
    )
    weights[::7] = 1e-9
    collected = ScoredCases()
    for rows in np.array_split(rng.permutation(2000), 9):
        collected.add(truth[rows], score[rows], weights=weights[rows])
    whole = pc.curve(truth, score, weights=weights)
    assert collected.average_precision() == pytest.approx(whole.average_precision(), rel=1e-13)
    assert collected.area_under_roc() == pytest.approx(whole.area_under_roc(), rel=1e-13)
    # Small weights behind large ones stay what they are: counts are not told from sums.
    assert collected.table.columns["other_weight"].min() >= 0


def test_cases_without_weights_weigh_one() -> None:
    mixed = ScoredCases()
    mixed.add([1, 0], [0.5, 0.25])
    mixed.add(True, 0.25, weights=2.5)
    assert mixed.curve().tp.tolist() == [0, 1, 3.5]
    assert mixed.table.to_dict() == {
        "score": [0.5, 0.25],
        "relevant_weight": [1.0, 2.5],
        "other_weight": [0.0, 1.0],
    }


@pytest.mark.parametrize("weights", [[2, 0, 3], [0.5, 1.5, 0.25]])
def test_to_parquet_and_back(weights: list[float], tmp_path: Path) -> None:
    pytest.importorskip("polars")
    cases = ScoredCases()
    cases.add([1, 0, 0], [0.5, 0.25, 0.125], weights=weights)
    cases.add_missed(2)
    cases.to_parquet(str(tmp_path / "c.parquet"))
    again = ScoredCases.from_table(str(tmp_path / "c.parquet"))
    assert again.curve() == cases.curve()
    assert ScoredCases.from_table(cases.table).curve() == cases.curve()


def test_what_is_refused() -> None:
    with pytest.raises(pc.UsageError, match="bins hold counts of cases"):
        ScoredCases(10).add([1], [0.5], weights=[2])
    cases = ScoredCases()
    with pytest.raises(pc.UsageError, match="weights: must be one per case"):
        cases.add([1, 0], [0.5, 0.25], weights=[2])
    with pytest.raises(pc.DataError, match="weights: case 0 is -1"):
        cases.add([1, 0], [0.5, 0.25], weights=[-1, 2])
    cases.add([1], [0.5], weights=[2])
    with pytest.raises(pc.UsageError, match="bins: .*weights; leave bins= out"):
        ScoredCases.from_table(cases.table, bins=10)


def test_merging_counts_nothing_yet(monkeypatch: pytest.MonkeyPatch) -> None:
    """It counted all cases of the other one at once, and its sums again and again: 16 times what
    keeping them takes.
    """
    parts = [ScoredCases() for _ in range(50)]
    for seed, part in enumerate(parts):
        rng = np.random.default_rng(seed)
        part.add(rng.random(100) < 0.5, rng.random(100))
    monkeypatch.setattr("precall.cases.accumulation.path", None)
    collected = ScoredCases()
    for part in parts:
        collected.merge(part)
    monkeypatch.undo()
    again = ScoredCases()
    for part in reversed(parts):
        again.merge(part)
    assert collected.curve() == again.curve()
    assert len(collected.curve()) == 5001
