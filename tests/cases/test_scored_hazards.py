"""What scored cases and categories were once read wrongly from: each a test that failed."""

from __future__ import annotations

import math
from decimal import Decimal
from typing import Any

import numpy as np
import pytest

from precall.cases import Bounds, ScoredCases, curve
from precall.compat.lingpipe import ScoredPrecisionRecallEvaluation
from precall.core.errors import DataError, TiesUnresolved, UsageError
from precall.hard_decisions import categorize, decisions
from precall.results.sheets import Table


def test_duplicates_of_sparse_matrices_are_summed() -> None:
    sparse = pytest.importorskip(
        "scipy.sparse", reason="SciPy is not installed: sparse matrices were skipped"
    )
    twice = sparse.coo_matrix(([0.5, 0.6, 0.1], ([0, 0, 1], [0, 0, 1])), shape=(2, 2))
    s = categorize(["a", "b"], twice)
    assert s.score.tolist() == [1.1, 0.1] and s.by_category("AP").values.tolist() == [1.0, 1.0]
    assert twice.nnz == 3
    ones = sparse.coo_matrix(([1, 1], ([0, 0], [0, 0])), shape=(2, 2))
    with pytest.raises(DataError, match="is 2"):
        decisions(ones, ones)


def test_tables_are_merged() -> None:
    columns = {
        "score": [0.1, 0.9, -0.0, 0.5, 0.0, 0.1],
        "relevant": [0, 5, 1, 1, 1, 2],
        "other": [3, 0, 0, 1, 0, 0],
    }
    cases = ScoredCases.from_table(
        Table({name: np.array(column) for name, column in columns.items()})
    )
    assert cases.table.to_dict() == {
        "score": [0.9, 0.5, 0.1, 0.0],
        "relevant": [5, 1, 2, 2],
        "other": [0, 1, 3, 0],
    }


@pytest.mark.nightly
def test_bounds_hold_in_spite_of_rounding() -> None:
    def bounded(bins: Any, truth: list[int], score: list[float]) -> tuple[Any, ScoredCases]:
        cases = ScoredCases(bins)
        cases.add(truth, score)
        return curve(truth, score), cases

    examples = [
        (4, [0, 1, 0, 0, 0, 0], [0.875, 0.75, 0.625, 0.875, 0, 0]),
        (8, [1, 1, 1, 0], [0.5, 0.125, 0.875, 0.75]),
    ]
    draw = np.random.default_rng(1)
    for _ in range(300):
        size = int(draw.integers(2, 9))
        examples.append(
            (
                int(draw.integers(1, 9)),
                [1, 0, *draw.integers(0, 2, size).tolist()],
                (draw.integers(0, 8, size + 2) / 8).tolist(),
            )
        )
    for example in examples:
        exact, cases = bounded(*example)
        for truth, found in (
            (exact.average_precision(), cases.average_precision()),
            (exact.area_under_roc(), cases.area_under_roc()),
        ):
            assert isinstance(found, Bounds) and found.lower <= min(truth, found.estimate)
            assert found.upper >= max(truth, found.estimate)
    assert len(ScoredCases(bins=np.int64(5)).edges) == 4  # type: ignore[arg-type]
    missed = ScoredCases(bins=4)
    missed.add_missed(2)
    assert missed.average_precision() == Bounds(0.0, 0.0, pytest.approx(0, abs=1e-13))


def test_thresholds_compare_in_the_scores_own_type() -> None:
    score = np.array([[0.7], [0.1]], np.float32)
    s = categorize([[1], [0]], score)
    assert s.decide(s.thresholds("fixed:0.7")).counts().tp.tolist() == [1]
    assert curve([1, 0], score[:, 0]).at(threshold=0.7).tp == 1


@pytest.mark.parametrize("method", ["max-f", "break-even"])
def test_a_threshold_that_accepts_nothing(method: str) -> None:
    s = categorize(["a", "a"], [[0.9, math.inf], [1, 0.3]], ["a", "b"])
    assert s.decide(s.thresholds(method)).counts().fp.tolist() == [0, 0]


@pytest.mark.parametrize(
    "method", ["rank:nan", "rank:inf", "fixed:nan", "fixed:inf", "proportion:inf"]
)
def test_policies_are_finite(method: str) -> None:
    s = categorize(["a", "b"], [[0.9, 0.1], [0.2, 0.8]])
    with pytest.raises(UsageError, match="must be a finite number|'nan' is not a number"):
        s.thresholds(method)


def test_missing_labels_are_named() -> None:
    pandas = pytest.importorskip(
        "pandas", reason="pandas is not installed: its missing labels were skipped"
    )
    text = pandas.Series(["a", pandas.NA, "b"], dtype="string")
    for truth in (text, text.astype(object), ["a", math.nan, "b"], ["a", None, "b"]):
        with pytest.raises(DataError, match="truth: item 1 has no label"):
            decisions(truth, ["a", "a", "b"])
        with pytest.raises(DataError, match="truth: item 1 has no label"):
            categorize(truth, np.eye(3)[:, :2])


def test_numbers_are_not_their_texts() -> None:
    # They would look alike in every table.
    with pytest.raises(
        UsageError, match="category '1' is there as int and as str; write all of them as one type"
    ):
        decisions([1, "1", "b"], ["a", 1, "b"])
    assert decisions([1, "2", "b"], ["a", 1, "b"]).categories == (1, "2", "a", "b")


def test_columns_of_lists() -> None:
    polars, pandas = pytest.importorskip("polars"), pytest.importorskip("pandas")
    cells = [["a"], ["a", "b"], []]
    wanted = decisions([set(one) for one in cells], [{"a"}, {"b"}, set()]).table.to_dict()
    for column in (polars.Series(cells), pandas.Series(cells)):
        assert decisions(column, [{"a"}, {"b"}, set()]).table.to_dict() == wanted


@pytest.mark.parametrize(
    "score",
    [
        np.array([2**53 + 1, 2**53], object),
        [Decimal(2**53 + 1), Decimal(2**53)],
        np.array([2**53, 1], np.longdouble) + np.array([1, 0], np.longdouble),
        np.array([1 + 2j, 1]),
        [10**400, 1],
    ],
)
def test_scores_that_float64_would_change(score: Any) -> None:
    with pytest.raises(UsageError, match=r"^score: (integers beyond|must be real|must be numbers)"):
        curve([1, 0], score)


def test_decimals_and_small_integers_are_scores() -> None:
    assert curve([1, 0], [Decimal("0.1"), Decimal(2**53)]).threshold.tolist() == [
        math.inf,
        2.0**53,
        0.1,
    ]
    assert curve([1, 0], np.array([3, 2.5], object)).threshold.tolist() == [math.inf, 3.0, 2.5]


def test_coverage_of_what_was_missed() -> None:
    sparse = pytest.importorskip(
        "scipy.sparse", reason="SciPy is not installed: sparse matrices were skipped"
    )
    score = sparse.csr_matrix(np.array([[0.9, 0.0], [0.8, 0.7], [0.0, 0.1]]))
    found = categorize(["a", "b", "b"], score).by_category("coverage")
    assert found.values.tolist() == [1.0, 2.0]
    found = categorize(["a", "b", "a"], score).by_category("coverage")
    assert np.isnan(found.values[0]) and found.values[1] == 1.0


@pytest.mark.parametrize("price", [10**18, 10**20])
def test_costs_are_real(price: int) -> None:
    truth = [1, 0] * 20
    found = curve(truth, range(40)).at(cost={"fp": 1, "fn": price})
    assert (found.fn, found.value) == (0, 20.0)
    with pytest.raises(UsageError, match="must give finite costs"):
        curve(truth, range(40)).at(cost={"fp": 10**400})


def test_ties_of_a_curve() -> None:
    c = curve([1, 0], [1, 1])
    for one, mean in (
        (lambda **k: c.precision_at(1, **k), 0.5),
        (lambda **k: c.recall_at(1, **k), 0.5),
        (c.reciprocal_rank, 0.75),
    ):
        with pytest.raises(TiesUnresolved, match="choose ties='expected', 'best' or 'worst'$"):
            one(ties="block")
        assert one() == mean


def test_lingpipe_at_a_negative_rank() -> None:
    evaluation = ScoredPrecisionRecallEvaluation()
    for _ in range(3):
        evaluation.add_case(True, 1.0)
    assert str(evaluation.precision_at(-1)) == "-0.0"


@pytest.mark.parametrize("kind", [str, object])
def test_texts_are_never_a_number(kind: Any) -> None:
    with pytest.raises(UsageError, match="positive: got 1, but the labels are"):
        curve(np.array(["1", "0"], kind), [2, 1], positive=1)
