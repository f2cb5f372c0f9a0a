"""Weights and counts whose sums or products leave int64, and segments of many relevant cases."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from precall.cases import Bounds, ScoredCases, area_under_roc, average_precision, curve
from precall.compat import sklearn as ours
from precall.core.errors import DataError, UsageError
from precall.results.sheets import Table


def about(value: float) -> Any:
    return pytest.approx(value, rel=1e-12)


def drawn(size: int = 1000) -> tuple[Any, Any]:
    draw = np.random.default_rng(3)
    return draw.random(size) < 0.4, np.round(draw.random(size), 2)


def counted(relevant: list[int], other: list[int], bins: int | None = None) -> ScoredCases:
    columns: dict[str, Any] = {
        "score": np.array([0.9, 0.5, 0.1]),
        "relevant": relevant,
        "other": other,
    }
    return ScoredCases.from_table(
        Table({name: np.array(column) for name, column in columns.items()}), bins
    )


class TestSums:
    @pytest.mark.parametrize("each", [10**7, 10**10, 10**12, 10**15, 10**18, 1e100])
    def test_equal_weights_change_no_area(self, each: float) -> None:
        truth, score = drawn()
        plain, weighted = (
            curve(truth, score),
            curve(truth, score, weights=np.full(len(score), each)),
        )
        for one, two in zip(
            *(c.areas().to_dict()["value"] for c in (plain, weighted)), strict=True
        ):
            # Steps of one true positive are finer, or undefined.
            assert two == about(one) or np.isnan(two) or abs(two - one) < 0.01
        assert weighted.average_precision() == about(plain.average_precision())
        assert weighted.area_under_roc() == about(plain.area_under_roc())
        assert weighted.area_under_roc(max_fpr=0.3) == about(plain.area_under_roc(max_fpr=0.3))
        assert weighted.max_f().value == about(plain.max_f().value)

    def test_two_cases(self) -> None:
        assert area_under_roc([1, 0], [2, 1], weights=[4 * 10**9] * 2) == 1.0
        assert average_precision([1, 0], [2, 1], weights=[2**44, 1]) == 1.0
        assert ours.roc_auc_score([0, 1], [0.1, 0.9], sample_weight=[4e9, 4e9]) == 1.0

    def test_exact_up_to_2_53(self) -> None:
        c = curve([1, 0, 1], [3, 2, 1], weights=[2**52, 1, 2**52 - 1])
        assert c.tp.dtype == np.int64 and c.relevant == 2**53 - 1
        c = curve([1, 0, 1], [3, 2, 1], weights=[2**52, 2, 2**52])
        assert c.tp.dtype == np.float64 and c.relevant == 2.0**53

    def test_counts_beyond_int64(self) -> None:
        assert repr(curve([1] * 8, range(8), weights=np.full(8, 2**61))).startswith(
            "<Curve: 1.84467"
        )
        assert curve([1] * 8, range(8), weights=np.full(8, 2**61)).relevant == 2.0**64
        assert curve([1, 0], [2, 1], weights=np.array([2**63, 1], np.uint64)).relevant == 2.0**63
        with pytest.raises(UsageError, match="sum must be less than 1e"):
            curve([1, 0], [2, 1], weights=[1e308, 1e308])
        with pytest.raises(UsageError, match=r"missed: must be at most 2\*\*53"):
            curve([1, 0], [2, 1], missed=2**70)


class TestAccumulated:
    @pytest.mark.parametrize("bins", [None, 4])
    def test_large_counts(self, bins: int | None) -> None:
        found = counted([4 * 10**9, 10**9, 0], [0, 10**9, 4 * 10**9], bins).area_under_roc()
        assert found == (0.98 if bins is None else Bounds(about(0.96), about(0.98), about(1.0)))  # type: ignore[comparison-overlap]

    def test_too_many(self) -> None:
        for relevant, other in ([2**62] * 3, [2**62] * 3), ([2**53, 0, 0], [0, 2, 0]):
            with pytest.raises(DataError, match=r"more than 2\*\*53 cases"):
                counted(relevant, other)
        cases = counted([2**53, 0, 0], [0, 0, 0])
        with pytest.raises(DataError, match=r"more than 2\*\*53 cases"):
            cases.add([1, 1], [0.5, 0.5])
        cases.add_missed(2**53)
        with pytest.raises(UsageError, match="missed"):
            cases.add_missed(1)


class TestSegments:
    """Time and memory go with the distinct scores, not with the relevant cases between them."""

    @pytest.mark.parametrize("each", [10**4, 10**5])
    def test_davis_goadrich_discrete(self, each: int) -> None:
        weights = np.array([1, 2, 3, 1]) * each
        c = curve([1, 0, 1, 0], [3, 2, 2, 1.0], weights=weights)
        x = np.arange(each, 4 * each + 1)
        y = x / (x + (x - each) * 2 / 3)
        wanted = (each + float(np.sum(y[1:] + y[:-1])) / 2) / (4 * each)
        assert c.area_under_pr("davis-goadrich-discrete") == about(wanted)

    def test_weights_of_billions(self) -> None:
        c = curve([1, 0, 1, 0, 1], [3, 2, 2, 1.0, 1.0], weights=np.array([1, 2, 3, 1, 5]) * 10**12)
        found = dict(zip(*c.areas().to_dict().values(), strict=True))
        assert found["pr davis-goadrich-discrete"] == about(found["pr davis-goadrich"])
        assert (
            c.average_precision("worst")
            < c.average_precision("expected")
            < c.average_precision("best")
        )
        assert c.r_precision("expected") == pytest.approx((1 + 3 + 5 * 3 / 6) / 9)
        assert c.r_precision("best") == pytest.approx((1 + 3 + 3) / 9)
        assert c.reciprocal_rank("expected") == 1.0

    @pytest.mark.parametrize("ties", ["expected", "best", "worst"])
    def test_ties_are_those_of_single_cases(
        self, ties: str, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        weights = np.array([2, 40, 30, 7, 9]) * 1000
        truth, score = [0, 1, 0, 1, 0], [2, 1, 1, 0, 0]
        c = curve(truth, score, weights=weights)
        measures = (c.average_precision, c.r_precision, c.reciprocal_rank)
        short = [one(ties=ties) for one in measures]
        monkeypatch.setattr("precall.location.hits._LONG", 10)
        monkeypatch.setattr("precall.location.hits._SINGLE", 10)
        assert short == pytest.approx([one(ties=ties) for one in measures], rel=1e-12)

    def test_first_hit_of_a_long_block(self) -> None:
        # One hit among b: the harmonic number over b.
        c = curve([1, 0], [1, 1], weights=[1, 10**10 - 1])
        assert c.reciprocal_rank("expected") == about(
            (np.log(1e10) + np.euler_gamma + 5e-11) / 1e10
        )
        c = curve([1, 0], [1, 1], weights=[10**11, 10**11])
        assert c.reciprocal_rank("expected") == pytest.approx(np.log(2), rel=1e-9)

    def test_bounds_of_bins(self) -> None:
        low, middle, high = counted([10**12, 10**12, 0], [0, 10**12, 10**12], 4).average_precision()  # type: ignore[misc]
        assert 0 < low < middle < high == 1.0
