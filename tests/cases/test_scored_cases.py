"""Scored cases in parts: adding, merging, bins, and the way to Parquet and back."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from precall.cases import Bounds, ScoredCases, curve
from precall.core.errors import DataError, UsageError
from precall.core.notes.of_intervals import UndefinedMeasure
from precall.results.sheets import Table
from tests.noticed import warned

TRUTH, SCORE = [1, 0, 1, 1, 0, 0], [0.9, 0.8, 0.8, 0.3, 0.3, 0.1]


def filled(bins: Any = None) -> ScoredCases:
    cases = ScoredCases(bins)
    cases.add(TRUTH, SCORE)
    cases.add_missed(2)
    return cases


def test_one_by_one_and_at_once() -> None:
    single = ScoredCases()
    for truth, score in zip(TRUTH, SCORE, strict=True):
        single.add(truth, score)
    single.add_missed()
    single.add_missed(1)
    for cases in (single, filled()):
        assert cases.curve().to_dict()["tp"] == [0, 1, 2, 3, 3]
        assert cases.average_precision() == curve(TRUTH, SCORE, missed=2).average_precision()
        assert cases.area_under_roc() == curve(TRUTH, SCORE, missed=2).area_under_roc()
        assert repr(cases) == "<ScoredCases: 3 relevant, 3 other, 2 missed, 4 distinct scores>"


def test_widths_of_scores_mix() -> None:
    """float32 widens exactly: .1 in single precision is another score than .1 in double."""
    cases = ScoredCases()
    cases.add([1, 0], np.array([0.1, 0.5], np.float32))
    cases.add([1, 0], [0.1, 0.5])
    assert cases.table.to_dict()["score"] == [0.5, float(np.float32(0.1)), 0.1]


def test_labels_and_direction() -> None:
    cases = ScoredCases()
    cases.add(["spam", "ham"], [1.0, 2.0], positive="spam", higher_is_better=False)
    assert cases.average_precision() == 1.0
    with pytest.raises(DataError, match="label 2 of case 1"):
        cases.add([0, 2], [1, 2])
    with pytest.raises(DataError, match="case 0 is NaN"):
        cases.add([0], [math.nan])
    with pytest.raises(UsageError, match="missed: must be a count"):
        cases.add_missed(-1)
    assert len(cases.curve()) == 3


def test_memory_goes_with_distinct_scores() -> None:
    cases = ScoredCases()
    rng = np.random.default_rng(0)
    for _ in range(30):
        cases.add(rng.random(10_000) < 0.5, rng.integers(0, 100, 10_000).astype(float))
    assert cases._waiting < 1 << 17 and sum(map(len, cases._parts)) < 1 << 17
    assert len(cases.table) == 100
    assert sum(cases.table.to_dict()["relevant"]) + sum(cases.table.to_dict()["other"]) == 300_000


def test_merge_leaves_the_other_alone() -> None:
    a, b = filled(), filled()
    a.merge(b)
    assert a.curve().to_dict()["tp"] == [0, 2, 4, 6, 6] and a.missed == 4
    assert b.curve().to_dict()["tp"] == [0, 1, 2, 3, 3] and b.missed == 2
    a.merge(a)
    assert a.curve().tp[-1] == 12 and a.missed == 8


def test_merge_needs_equal_bins() -> None:
    for one, other in ((None, 4), (4, None), (4, 5), ([0.0, 1.0], [0.0, 2.0])):
        with pytest.raises(UsageError, match="merge: both must have the same bins"):
            ScoredCases(one).merge(ScoredCases(other))
    a, b = ScoredCases(4), filled(4)
    a.merge(b)
    assert a.average_precision() == b.average_precision()


def test_nothing() -> None:
    empty = ScoredCases()
    with warned(UndefinedMeasure) as told:
        assert math.isnan(empty.average_precision())
    assert [note.reason for note in told] == ["nothing is relevant"]
    with warned(UndefinedMeasure) as told:
        assert np.isnan(ScoredCases(3).average_precision()).all()
    assert [note.reason for note in told] == ["nothing is relevant"]
    assert len(empty.table) == 0


def test_bins_of_one_block() -> None:
    """All in one bin: anything from all hits last to all hits first is possible."""
    cases = ScoredCases(bins=1)
    cases.add([1, 1, 0, 0], [0.9, 0.2, 0.8, 0.1])
    found = cases.average_precision()
    assert isinstance(found, Bounds) and found == pytest.approx(
        ((1 / 3 + 2 / 4) / 2, 0.5, 1.0), rel=1e-13
    )
    assert found.lower <= (1 / 3 + 2 / 4) / 2 and {type(value) for value in found} == {float}
    assert cases.area_under_roc() == Bounds(0.0, 0.5, 1.0)


def test_bins_shut_around_the_truth() -> None:
    rng = np.random.default_rng(5)
    truth = rng.random(2_000) < 0.2
    score = 1 / (1 + np.exp(-rng.normal(truth, 1)))
    exact, widths = curve(truth, score).average_precision(), []
    for bins in (4, 32, 256):
        cases = ScoredCases(bins)
        cases.add(truth, score)
        found = cases.average_precision()
        assert isinstance(found, Bounds) and found.lower <= exact <= found.upper
        widths.append(found.upper - found.lower)
        assert len(cases.table) <= bins
    assert widths[0] > 4 * widths[1] > 16 * widths[2]


def test_edges() -> None:
    """A score on an edge belongs above it; the curve rounds down to lower edges."""
    cases = ScoredCases(bins=[0.0, 1.0])
    cases.add([1, 0, 1, 0], [1.0, 0.5, 0.0, -3.0])
    assert cases.curve().threshold.tolist() == [math.inf, 1.0, 0.0, -math.inf]
    assert cases.table.to_dict() == {
        "score": [1.0, 0.0, -math.inf],
        "relevant": [1, 1, 0],
        "other": [0, 1, 1],
    }
    for bins in (0, [1.0, 1.0], [2.0, 1.0], [0.0, math.nan], [[0.0], [1.0]]):
        with pytest.raises(UsageError, match="bins: "):
            ScoredCases(bins)


@pytest.mark.parametrize("bins", [None, 4])
def test_parquet_and_back(tmp_path: Path, bins: int | None) -> None:
    polars = pytest.importorskip("polars")
    cases = filled(bins)
    path = tmp_path / "cases.parquet"
    cases.to_parquet(str(path))
    for source in (str(path), path, cases.table, polars.DataFrame(cases)):
        again = ScoredCases.from_table(source, bins)
        assert again.missed == 2
        assert again.average_precision() == cases.average_precision()
        assert again.curve().to_dict()["tp"] == cases.curve().to_dict()["tp"]
        again.merge(cases)
        assert again.missed == 4


def test_infinite_scores_go_to_parquet_and_back(tmp_path: Path) -> None:
    pytest.importorskip("polars")
    cases = ScoredCases()
    cases.add([1, 0], [math.inf, -math.inf])
    cases.to_parquet(str(tmp_path / "c.parquet"))
    assert (
        ScoredCases.from_table(str(tmp_path / "c.parquet")).table.to_dict() == cases.table.to_dict()
    )


def test_tables_that_are_not_ours() -> None:
    pytest.importorskip("polars")
    with pytest.raises(
        DataError,
        match="no column 'other' and no column 'relevant', the columns are 'score', 'label'; pass",
    ):
        ScoredCases.from_table({"score": [1.0], "label": [1]})
    for wrong in ([-1], [0.5]):
        with pytest.raises(DataError, match="column 'relevant' holds .*, allowed are counts >= 0"):
            ScoredCases.from_table({"score": [1.0], "relevant": wrong, "other": [1]})
    made = ScoredCases.from_table(
        Table({"score": np.ones(1), "relevant": np.ones(1, int), "other": np.ones(1, int)})
    )
    assert made.area_under_roc() == 0.5


@pytest.mark.parametrize("bins", [None, 10, [0.0, 0.5, 0.7]])
@pytest.mark.parametrize("kind", ["distinct", "few", "zeros", "float32"])
def test_parts_of_any_size_are_counted_as_one(monkeypatch, bins, kind) -> None:
    """Parts that are kept as they came, counted or merged, and read in between."""
    monkeypatch.setattr("precall.cases.accumulation.FEW", 64)
    rng = np.random.default_rng(1)
    draw = {
        "distinct": rng.random,
        "few": lambda size: rng.integers(0, 40, size) / 40,
        "zeros": lambda size: rng.choice([0.0, -0.0, math.inf, -math.inf, 0.6], size),
        "float32": lambda size: rng.random(size).astype(np.float32),
    }[kind]
    cases, other, labels, scores = ScoredCases(bins), ScoredCases(bins), [], []
    for size in (1, 0, 50, 200, 7, 1000, 3, 300, 64, 63):
        label, score = rng.random(size) < 0.3, draw(size)
        labels.append(label.copy())
        scores.append(score.astype(np.float64))
        (other if size == 300 else cases).add(label, score)
        # What was added is counted, whatever becomes of it.
        label[:], score[:] = True, 0.25
        if size == 7:
            assert len(cases.curve()) > 1
    cases.merge(other)
    whole, every = np.concatenate(scores), np.concatenate(labels)
    if bins is not None:
        edges = np.arange(1, bins) / bins if isinstance(bins, int) else np.array(bins)
        whole = np.append(-math.inf, edges)[np.searchsorted(edges, whole, side="right")]
    expected, made = curve(every, whole), cases.curve()
    for name in ("threshold", "tp", "fp"):
        a, b = getattr(made, name), getattr(expected, name)
        assert a.tobytes() == b.tobytes() and a.dtype == b.dtype


def test_curves_that_were_given_away_cannot_change_what_is_held() -> None:
    cases = ScoredCases()
    cases.add([1, 0, 1], [3, 2, 1])
    with pytest.raises(ValueError, match="read-only"):
        cases.curve().tp[-1] = 0


def test_cases_in_bins_are_not_kept() -> None:
    cases = ScoredCases(10)
    cases.add(np.arange(300_000) % 3 == 0, np.arange(300_000) / 300_000)
    assert not cases._cases and not cases._parts and len(cases.table) == 10
