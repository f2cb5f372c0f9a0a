"""Counts at and between relevant scores: batches in any order and merged in any way give the
numbers of the whole data.
"""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import precall as pc
from precall.cases import between_scores
from precall.cases.between_scores import Gaps, RelevantScores

SCORES = st.sampled_from([-np.inf, -2.0, -0.0, 0.0, 0.25, 0.5, 1.0, 1.5, 3.0, np.inf])
CASES = st.lists(st.tuples(st.booleans(), SCORES, st.integers(0, 3)), min_size=2, max_size=40)
OF_COUNTS = (
    "P",
    "R",
    "F(beta=2)",
    "MCC",
    "kappa",
    "Accuracy",
    "YoudenJ",
    "LR+",
    "LR-",
    "NPV",
    "Utility(3,-2)",
)


def gaps_of(cases: list[Any], thresholds: tuple[float, ...] = (), weighted: bool = False) -> Gaps:
    """Pass 1 and 2, each part by an object of its own, merged from the last to the first."""
    batches: list[tuple[Any, ...]] = []
    for part in sorted({part for _, _, part in cases}):
        chosen = [case for case in cases if case[2] == part]
        truth, score = np.array([c[0] for c in chosen]), np.array([c[1] for c in chosen])
        batches.append(
            (truth, score, np.array([1 + i % 3 for i in range(len(chosen))]))
            if weighted
            else (truth, score)
        )
    known = [RelevantScores() for _ in batches]
    for one, batch in zip(known, batches, strict=True):
        one.add(*batch)
    all_known = known.pop()
    while known:
        all_known.merge(known.pop())
    parts = [Gaps.of(all_known, thresholds) for _ in batches]
    for one, batch in zip(parts, batches, strict=True):
        one.add(*batch)
    merged = parts.pop()
    while parts:
        merged.merge(parts.pop())
    return merged


def numbers(curve: pc.Curve) -> dict[str, Any]:
    """What depends on counts at and between relevant scores."""
    values: dict[str, Any] = dict(zip(*curve.areas().columns.values(), strict=True))
    values["gain"] = curve.area_under_pr("gain")
    values["part"] = curve.area_under_roc(max_fpr=0.3, mcclish=True)
    values["eleven"] = curve.eleven_point().tolist()
    values |= {method: curve.break_even(method) for method in ("max-min", "linear")}
    for name in OF_COUNTS:
        try:
            best = curve.at(max=name)
        except pc.UsageError as error:
            values[name] = str(error)
        else:
            values[name] = (best.value, best.threshold, best.tp, best.fp)
    return values


@pytest.mark.nightly
@given(CASES)
def test_the_numbers_are_those_of_the_whole_data(cases: list[Any]) -> None:
    truth, score = np.array([c[0] for c in cases]), np.array([c[1] for c in cases])
    gaps = gaps_of(cases)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        whole, counted = pc.curve(truth, score), gaps.curve()
        np.testing.assert_equal(numbers(counted), numbers(whole))
        if truth.any():
            ties = [
                (measure, how)
                for measure in ("AP", "P@3", "Rprec", "RR")
                for how in ("expected", "best", "worst")
            ]
            for measure, how in ties:
                assert counted.value(measure, how) == whole.value(measure, how)


@given(CASES, st.lists(SCORES | st.floats(-3, 3), max_size=3))
def test_thresholds_that_were_asked_for_are_exact(
    cases: list[Any], thresholds: list[float]
) -> None:
    truth, score = np.array([c[0] for c in cases]), np.array([c[1] for c in cases])
    curve = gaps_of(cases, tuple(thresholds)).curve()
    for threshold in thresholds:
        assert curve.at(threshold=threshold) == pc.curve(truth, score).at(threshold=threshold)


@given(CASES)
def test_whole_weights_are_repetitions(cases: list[Any]) -> None:
    order = sorted(cases, key=lambda case: case[2])
    counted = gaps_of(order, weighted=True).curve()
    repeated = []
    for part in {part for _, _, part in order}:
        chosen = [case for case in order if case[2] == part]
        repeated += [case for i, case in enumerate(chosen) for _ in range(1 + i % 3)]
    assert counted == gaps_of(repeated).curve()


@given(CASES, st.integers(1, 60), st.sampled_from([np.float32, np.float64]))
def test_whenever_cases_are_counted_the_scores_are_the_same(
    cases: list[Any], waiting: int, dtype: Any
) -> None:
    """Batches wait to be counted together; weighted ones and parts of others come between them."""
    truth = np.array([case[0] for case in cases])
    score = np.array([case[1] for case in cases], dtype)
    known, other = RelevantScores(), RelevantScores()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(between_scores, "WAITING", waiting)
        known._room = waiting
        for at, (_, _, kind) in enumerate(cases):
            part = slice(at, at + 1 + kind)
            weights = np.arange(1, 1 + len(truth[part])) / 3 if kind == 3 else None
            known.add(truth[part], score[part], weights)
            if kind == 2:
                other.add(truth[part], score[part])
        assert known.size >= len(np.unique(score[truth]))
        known.merge(other)
    distinct, count = known.distinct_scores()
    expected = dict[float, Any]()
    parts = [(at, kind) for at, (_, _, kind) in enumerate(cases)]
    for at, kind in (*parts, *((at, 2) for at, kind in parts if kind == 2)):
        part = slice(at, at + 1 + kind)
        own = dict[float, Any]()
        for place, (true, value) in enumerate(zip(truth[part], score[part], strict=True)):
            if true:
                heavy = (place + 1) / 3 if kind == 3 else 1
                own[float(value)] = own.get(float(value), 0) + heavy
        for value, heavy in own.items():
            expected[value] = expected.get(value, 0) + heavy
    assert distinct.tolist() == sorted(expected)
    assert not np.signbit(distinct[distinct == 0]).any()
    if count.dtype.kind == "f":  # in which parts they are summed depends on when that is done
        np.testing.assert_allclose(count, [expected[value] for value in distinct], rtol=1e-14)
    else:
        assert count.tolist() == [expected[value] for value in distinct]
    assert known.dtype == dtype


def test_float32_scores_widen_exactly() -> None:
    known = RelevantScores()
    known.add(np.array([True]), np.array([0.1], np.float32))
    assert known.distinct_scores()[0].tolist() == [float(np.float32(0.1))]


def test_only_counts_between_the_same_scores_merge() -> None:
    one, other = (Gaps(np.array([edge]), np.array([1])) for edge in (0.5, 0.25))
    with pytest.raises(pc.UsageError, match="same relevant scores"):
        one.merge(other)


def test_a_score_that_is_nan_is_refused() -> None:
    with pytest.raises(pc.DataError, match="NaN"):
        RelevantScores().add(np.array([True]), np.array([np.nan]))
