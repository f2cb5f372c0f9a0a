"""Laws that tie measures to one another: F and break-even, micro averages, two categories and one
area.
"""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from precall.cases import area_under_roc, f_versus_break_even
from precall.core.errors import UsageError
from precall.hard_decisions import categorize, decisions

SHARE = st.fractions(0, 1, max_denominator=50)
BETA = st.fractions(Fraction(1, 10), 10, max_denominator=20)


@given(SHARE, SHARE, BETA)
def test_f_against_the_break_even_average(
    precision: Fraction, recall: Fraction, beta: Fraction
) -> None:
    """(P + R) / 2 - F has the sign of (T - 1)(β² T - 1), T = P / R; here times R² > 0."""
    whole = beta**2 * precision + recall
    f = (1 + beta**2) * precision * recall / whole if whole else Fraction(0)
    mean = (precision + recall) / 2
    got = f_versus_break_even(float(precision), float(recall), float(beta))
    assert (got.mean, got.f) == (pytest.approx(float(mean)), pytest.approx(float(f)))
    product = (precision - recall) * (beta**2 * precision - recall)
    assert (mean > f) == (product > 0) and (mean < f) == (product < 0)
    assert got.greater == ("mean" if product > 0 else "f" if product < 0 else "neither")
    if beta == 1:
        assert got.greater != "f"


def test_the_three_cases() -> None:
    """Sources: P < R at β = 3 (where the printed statement is wrong), P < R at β = 2, P > R at
    β = 2.
    """
    wrong = f_versus_break_even(0.25, 1.0, 3.0)
    assert (wrong.mean, round(wrong.f, 4), wrong.greater) == (0.625, 0.7692, "f")
    assert wrong.why == "P < R and β > 1/√T = 2"
    assert f_versus_break_even(0.25, 1.0, 1.5).greater == "mean"
    assert f_versus_break_even(0.25, 1.0, 2.0).greater == "neither"
    second, third = f_versus_break_even(0.5, 0.6, 2.0), f_versus_break_even(0.6, 0.5, 2.0)
    assert (round(second.f, 6), second.greater) == (0.576923, "f")
    assert (round(third.f, 6), third.greater) == (0.517241, "mean")
    assert f_versus_break_even(0.4, 0.4, 5.0).why == "P = R: both are P"
    assert f_versus_break_even(0.4, 0.0).why == "P > R and one of them is 0, so F is 0"
    assert f_versus_break_even(0.0, 0.0).greater == "neither"


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ((1.5, 0.5), "precision: must be in 0..1, got 1.5"),
        ((0.5, -1), "recall: must be in 0..1, got -1"),
        ((0.5, 0.5, -1), "beta: must be 0, or a number from .*, got -1"),
        ((0.5, float("nan")), "recall: must be in 0..1, got nan"),
    ],
)
def test_refused(arguments: tuple[Any, ...], message: str) -> None:
    with pytest.raises(UsageError, match=message):
        f_versus_break_even(*arguments)


LABELS = st.lists(st.integers(0, 3), min_size=1, max_size=20)


@given(LABELS, st.data())
def test_micro_of_single_labels_is_the_share_of_right_ones(truth: list[int], data: Any) -> None:
    said = data.draw(st.lists(st.integers(0, 3), min_size=len(truth), max_size=len(truth)))
    d = decisions(truth, said, categories=range(4))
    right = sum(a == b for a, b in zip(truth, said, strict=True)) / len(truth)
    assert d.precision("micro") == d.recall("micro") == pytest.approx(right)
    assert d.f(2.0, "micro") == pytest.approx(right)
    assert d.accuracy("exact") == pytest.approx(right)
    assert d.recall("weighted") == pytest.approx(right)


@given(LABELS, st.data())
def test_error_and_e_complement(truth: list[int], data: Any) -> None:
    said = data.draw(st.lists(st.integers(0, 3), min_size=len(truth), max_size=len(truth)))
    d = decisions(truth, said, categories=range(4))
    np.testing.assert_allclose(d.e(0.5) + d.f(0.5), np.where(np.isnan(d.f(0.5)), np.nan, 1.0))
    np.testing.assert_allclose(d.error() + d.accuracy(), 1.0)
    # E with β = 1 is the overlap error of the two sets of pairs.
    a = {(i, c) for i, c in enumerate(truth)}
    b = {(i, c) for i, c in enumerate(said)}
    assert d.e(1.0, "micro") == pytest.approx(len(a ^ b) / (len(a) + len(b)))


@given(st.lists(st.tuples(st.booleans(), st.integers(0, 4)), min_size=2, max_size=20))
def test_hand_till_of_two_categories(pairs: list[tuple[bool, int]]) -> None:
    """Two categories whose scores are one score and its complement: the area under the ROC
    curve.
    """
    truth, score = np.array([t for t, _ in pairs]), np.array([s for _, s in pairs]) / 4
    assume(0 < truth.sum() < len(truth))
    s = categorize(truth.astype(int), np.stack((1 - score, score), axis=1))
    assert s.hand_till() == pytest.approx(area_under_roc(truth, score), abs=1e-12)
    assert s.by_category("AUC").mean() == pytest.approx(area_under_roc(truth, score), abs=1e-12)


@given(LABELS, st.integers(0, 3))
def test_dense_and_sparse_decisions_agree(truth: list[int], shift: int) -> None:
    sparse = pytest.importorskip(
        "scipy.sparse", reason="SciPy is not installed: no sparse decisions"
    )
    true, said = np.eye(4, dtype=int)[truth], np.eye(4, dtype=int)[np.array(truth) - shift]
    a = decisions(true, said)
    b = decisions(sparse.csr_array(true), sparse.csc_array(said))
    c = decisions(
        [{one} for one in truth], [{(one - shift) % 4} for one in truth], categories=range(4)
    )
    assert a.table.to_dict() == b.table.to_dict() == c.table.to_dict()


@given(st.lists(st.tuples(st.booleans(), st.integers(0, 5)), min_size=1, max_size=30))
def test_yang_and_trec_agree_where_recall_1_is_reached(pairs: list[tuple[bool, int]]) -> None:
    s = categorize(np.array([[t] for t, _ in pairs]), np.array([[s] for _, s in pairs], float))
    np.testing.assert_allclose(s.eleven_point(form="yang"), s.eleven_point(form="trec"), rtol=1e-12)
