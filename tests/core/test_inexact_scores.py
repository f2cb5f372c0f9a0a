"""Scores and weights that float64 does not hold, or that are no numbers at all.

Dates were scores, fractions and long doubles were rounded until they were equal, texts were read by
float(), and the products of tiny weights were 0. The old tests looked at integers beyond 2^53 only,
and at weights of ordinary size.
"""

from __future__ import annotations

from datetime import datetime
from decimal import Decimal
from fractions import Fraction
from types import ModuleType
from typing import Any

import numpy as np
import pytest

import precall as pc
from precall.core.errors import DataError, UsageError
from tests.native.kernels import EITHER, problems

TRUTH = [1, 0, 1]
WIDE = np.finfo(np.longdouble).nmant > np.finfo(np.float64).nmant
REFUSED = {
    "dates": np.array(["2022-01-01", "2020-01-01", "2021-01-01"], "M8[D]"),
    "NaT": np.array(["NaT", "2020-01-01", "2021-01-01"], "M8[D]"),
    "times": np.array([1, 2, 3], "m8[s]"),
    "datetimes": [datetime(2020, 1, day) for day in (1, 2, 3)],
    "one date among numbers": np.array([1.0, np.datetime64("2020-01-01"), 2.0], object),
    "fractions": [Fraction(1, 3), Fraction(1, 3) + Fraction(1, 10**30), Fraction(2, 3)],
    "a large decimal": [Decimal("1e999"), Decimal(1), Decimal(2)],
    "underscores": ["1_0", "2", "3"],
    "blanks": [" 1", "2", "3"],
    "other digits": ["\u0661", "2", "3"],
    "beyond": ["1e999", "2", "3"],
    "bytes": [b"0x1", b"2", b"3"],
}
if WIDE:
    REFUSED["long doubles"] = np.array([1, 2, 3], np.longdouble) + np.longdouble(2) ** -60
    REFUSED["a large long double"] = np.array(["1e4000", "1", "2"]).astype(np.longdouble)


@pytest.mark.parametrize("kind", REFUSED)
def test_what_cannot_be_kept_is_refused(kind: str) -> None:
    with pytest.raises(UsageError, match=r"^score: must be numbers, got "):
        pc.average_precision(TRUTH, REFUSED[kind])


@pytest.mark.parametrize(
    "score",
    [
        [Fraction(3, 4), Fraction(1, 4), Fraction(1, 2)],
        np.array([0.75, 0.25, 0.5], np.longdouble),
        ["0.75", "25e-2", ".5"],
        [b"0.75", b"0.25", b"0.5"],
        [Decimal("0.75"), Decimal("0.25"), Decimal("0.5")],
        np.array(["inf", 0.25, 2], object),
    ],
)
def test_what_can_be_kept_is_kept(score: Any) -> None:
    assert pc.average_precision(TRUTH, score) == 1.0


@EITHER
@pytest.mark.parametrize(
    "odd", [np.datetime64("2020-01-01"), np.timedelta64(5, "s"), np.datetime64("NaT", "s")]
)
def test_times_are_no_scores_of_a_run(kernel: ModuleType, odd: Any) -> None:
    [(_, kind, *_)] = problems(kernel.run_from_dict, {"q": {"d": odd}}, False)
    assert kind == "dict-score"


@EITHER
def test_fractions_of_a_run_are_kept_or_refused(kernel: ModuleType) -> None:
    assert kernel.run_from_dict({"q": {"d": Fraction(1, 4)}}, False)[5].tolist() == [0.25]
    found = problems(kernel.run_from_dict, {"q": {"d": Fraction(1, 3)}}, False)
    assert found == [(0, "inexact", "q", "d", "Fraction(1, 3)")]


def test_the_error_of_a_run_says_what_to_do() -> None:
    with pytest.raises(
        DataError, match=r"score Fraction\(1, 3\) is not exact as float64; give ranks, or round it"
    ):
        pc.read_run({"q": {"d": Fraction(1, 3)}})


@pytest.mark.parametrize("weights", [[5e-324] * 3, [1e-310, 1, 1], [1.0, 5e-324, 1.0]])
def test_weights_whose_products_are_zero(weights: list[float]) -> None:
    # Of equal weights it is 7/12; it was 1/2 and, with a weight of 0 among them, 1.
    with pytest.raises(
        DataError, match=r"weights: case \d is [^;]+, allowed are 0 and numbers >= 1e-150"
    ):
        pc.average_precision(TRUTH, [3.0, 4.0, 1.0], weights=weights)
    with pytest.raises(DataError, match="weights"):
        pc.area_under_roc(TRUTH, [3.0, 4.0, 1.0], weights=weights)


def test_the_least_weights_that_are_allowed() -> None:
    assert pc.average_precision(TRUTH, [3.0, 4.0, 1.0], weights=[1e-150] * 3) == pytest.approx(
        7 / 12
    )
