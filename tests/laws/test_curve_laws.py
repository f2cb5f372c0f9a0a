"""Laws of curves: what must not change them, what must mirror them, and definitions taken
literally.

Literal definitions are written with fractions, case by case, and share nothing with the curve.
"""

from __future__ import annotations

import warnings
from fractions import Fraction
from itertools import pairwise, permutations
from typing import Any

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from precall.cases import Bounds, Curve, ScoredCases, area_under_roc, average_precision, curve
from precall.measures.areas import PR_METHODS, ROC_METHODS
from precall.measures.best_points import BREAK_EVEN

pytestmark = pytest.mark.filterwarnings("ignore::precall.core.errors.PrecallWarning")

COUNTED = ("tp", "fp", "fn", "tn", "precision", "recall", "rejection_recall")


@st.composite
def cases(draw: Any, least: int = 1, most: int = 24) -> tuple[Any, Any]:
    """Labels, and scores of few values (ties) or of any finite ones, in either width."""
    truth = draw(st.lists(st.booleans(), min_size=least, max_size=most))
    cell = draw(st.sampled_from([st.integers(-3, 3).map(float), st.floats(-1e6, 1e6, width=32)]))
    score = draw(st.lists(cell, min_size=len(truth), max_size=len(truth)))
    return np.array(truth), np.array(score, draw(st.sampled_from([np.float32, np.float64])))


MISSED = st.integers(0, 3)


def areas(c: Curve, without: tuple[str, ...] = ()) -> dict[str, float]:
    table = c.areas().to_dict()
    return {a: v for a, v in zip(table["area"], table["value"], strict=True) if a not in without}


def same_points(a: Curve, b: Curve) -> None:
    for name in COUNTED:
        np.testing.assert_array_equal(getattr(a, name), getattr(b, name))


def blocks(truth: Any, score: Any) -> list[tuple[int, int]]:
    """(TP, FP) when every case of at least a score is accepted, best score first."""
    found = []
    for least in sorted(set(score.tolist()), reverse=True):
        accepted = [bool(t) for t, s in zip(truth, score.tolist(), strict=True) if s >= least]
        found.append((sum(accepted), len(accepted) - sum(accepted)))
    return found


def about(value: float) -> Any:
    return pytest.approx(value, rel=1e-12, abs=1e-12, nan_ok=True)


# What changes nothing


@pytest.mark.nightly
@given(cases(), MISSED, st.data())
def test_weights_are_repetition(case: tuple[Any, Any], missed: int, data: Any) -> None:
    truth, score = case
    times = np.array(
        data.draw(st.lists(st.integers(0, 3), min_size=len(truth), max_size=len(truth)))
    )
    repeated = curve(np.repeat(truth, times), np.repeat(score, times), missed)
    weighted = curve(truth, score, missed, weights=times)
    same_points(repeated, weighted)
    np.testing.assert_array_equal(repeated.threshold, weighted.threshold)
    assert areas(repeated) == about(areas(weighted))
    real = curve(truth, score, missed, weights=times.astype(float))
    assert areas(real, ("pr davis-goadrich-discrete",)) == about(
        areas(repeated, ("pr davis-goadrich-discrete",))
    )


@pytest.mark.nightly
@given(cases(), MISSED)
def test_every_case_twice(case: tuple[Any, Any], missed: int) -> None:
    truth, score = case
    # Whole true positives are the unit of one area: it alone may move.
    unit = ("pr davis-goadrich-discrete",)
    once, twice = (
        curve(truth, score, missed),
        curve(np.tile(truth, 2), np.tile(score, 2), 2 * missed),
    )
    assert areas(once, unit) == about(areas(twice, unit))
    assert {m: once.break_even(m) for m in BREAK_EVEN} == about(
        {m: twice.break_even(m) for m in BREAK_EVEN}
    )
    assert once.max_f().value == about(twice.max_f().value)
    np.testing.assert_allclose(once.eleven_point(), twice.eleven_point(), rtol=1e-12)


@given(cases(), st.randoms(use_true_random=False))
def test_order_of_cases(case: tuple[Any, Any], random: Any) -> None:
    truth, score = case
    order = list(range(len(truth)))
    random.shuffle(order)
    a, b = curve(truth, score), curve(truth[order], score[order])
    same_points(a, b)
    assert areas(a) == pytest.approx(areas(b), rel=0, abs=0, nan_ok=True)


@pytest.mark.nightly
@given(cases(), st.data())
def test_strictly_monotone_transforms(case: tuple[Any, Any], data: Any) -> None:
    truth, score = case
    _, rank = np.unique(score, return_inverse=True)
    steps = data.draw(st.lists(st.integers(1, 1000), min_size=len(score), max_size=len(score)))
    moved = np.cumsum(steps)[rank].astype(np.float64)
    a, b = curve(truth, score), curve(truth, moved)
    same_points(a, b)
    assert areas(a) == pytest.approx(areas(b), rel=0, abs=0, nan_ok=True)
    same_points(a, curve(truth, -score, higher_is_better=False))


@pytest.mark.nightly
@given(cases(), MISSED, st.data())
def test_parts_merge_in_any_order(case: tuple[Any, Any], missed: int, data: Any) -> None:
    truth, score = case
    part = np.array(
        data.draw(st.lists(st.integers(0, 3), min_size=len(truth), max_size=len(truth)))
    )
    pieces = []
    for k in range(4):
        piece = ScoredCases()
        piece.add(truth[part == k], score[part == k])
        pieces.append(piece)
    pieces[0].add_missed(missed)
    whole, wanted = ScoredCases(), curve(truth, score, missed)
    for k in data.draw(st.permutations(range(4))):
        whole.merge(pieces[k])
    same_points(whole.curve(), wanted)
    assert whole.average_precision() == pytest.approx(
        wanted.average_precision(), rel=0, abs=0, nan_ok=True
    )


# What mirrors


@given(cases())
def test_labels_and_scores_reversed(case: tuple[Any, Any]) -> None:
    truth, score = case
    a, b = curve(truth, score), curve(~truth, -score)
    np.testing.assert_array_equal(a.recall, b.rejection_recall[::-1])
    np.testing.assert_array_equal(a.rejection_recall, b.recall[::-1])
    assert a.area_under_roc() == about(b.area_under_roc())
    assert a.area_under_roc() == about(1 - curve(truth, -score).area_under_roc())


# One number, several ways


@given(cases(), MISSED)
def test_quick_paths(case: tuple[Any, Any], missed: int) -> None:
    truth, score = case
    c = curve(truth, score, missed)
    assert average_precision(truth, score, missed) == pytest.approx(
        c.average_precision(), rel=0, abs=0, nan_ok=True
    )
    assert area_under_roc(truth, score, missed) == pytest.approx(
        c.area_under_roc(), rel=0, abs=0, nan_ok=True
    )


@pytest.mark.nightly
@given(cases(), MISSED, st.integers(1, 8))
def test_bins_bracket(case: tuple[Any, Any], missed: int, bins: int) -> None:
    truth, score = case
    edges = np.linspace(-4, 4, bins + 1)
    binned = ScoredCases(bins=edges)
    binned.add(truth, score)
    binned.add_missed(missed)
    exact = curve(truth, score, missed)
    for bounds, value in (
        (binned.average_precision(), exact.average_precision()),
        (binned.area_under_roc(), exact.area_under_roc()),
    ):
        assert isinstance(bounds, Bounds)
        if value == value:
            assert bounds.lower - 1e-12 <= value <= bounds.upper + 1e-12
            assert bounds.lower - 1e-12 <= bounds.estimate <= bounds.upper + 1e-12
        else:
            assert np.isnan(bounds).all()


@given(cases(), MISSED)
def test_step_area_literally(case: tuple[Any, Any], missed: int) -> None:
    truth, score = case
    relevant = int(truth.sum()) + missed
    assume(relevant)
    total, before = Fraction(0), 0
    for tp, fp in blocks(truth, score):
        total += Fraction(tp - before, relevant) * Fraction(tp, tp + fp)
        before = tp
    assert curve(truth, score, missed).area_under_pr("step") == about(float(total))


@pytest.mark.nightly
@given(cases(most=7))
def test_expected_best_and_worst_over_all_orders(case: tuple[Any, Any]) -> None:
    truth, score = case
    c, relevant = curve(truth, score), int(truth.sum())
    assume(relevant)
    values = []
    for order in permutations(range(len(truth))):
        if all(score[a] >= score[b] for a, b in pairwise(order)):
            found = [k + 1 for k, i in enumerate(order) if truth[i]]
            values.append(sum(Fraction(i + 1, rank) for i, rank in enumerate(found)) / relevant)
    assert c.average_precision("expected") == about(float(sum(values) / len(values)))
    assert c.average_precision("best") == about(float(max(values)))
    assert c.average_precision("worst") == about(float(min(values)))
    assert c.average_precision("worst") <= c.average_precision() + 1e-12


@given(cases(most=12), MISSED)
def test_continuous_area_by_quadrature(case: tuple[Any, Any], missed: int) -> None:
    integrate = pytest.importorskip(
        "scipy.integrate", reason="SciPy is not installed: no quadrature"
    )
    truth, score = case
    relevant = int(truth.sum()) + missed
    assume(relevant)
    total, tp0, fp0 = 0.0, 0, 0
    for tp, fp in blocks(truth, score):
        if tp > tp0:
            slope = (fp - fp0) / (tp - tp0)
            below = lambda x, a=tp0, b=fp0, s=slope: x / (x + b + s * (x - a)) if x else 1 / (1 + s)  # noqa: E731
            total += integrate.quad(below, tp0, tp, epsabs=1e-12)[0]
        tp0, fp0 = tp, fp
    assert curve(truth, score, missed).area_under_pr("davis-goadrich") == pytest.approx(
        total / relevant, abs=1e-9
    )


@given(cases(), MISSED)
def test_gain_literally(case: tuple[Any, Any], missed: int) -> None:
    """Flach & Kull: (x - π) / ((1 - π) x), of precision and of recall, where recall is at least
    π.
    """
    truth, score = case
    c = curve(truth, score, missed)
    assume(c.relevant and c.other)
    share = Fraction(c.relevant, c.relevant + c.other)

    def gain(x: Fraction) -> float:
        return float((x - share) / ((1 - share) * x))

    wanted = [
        (gain(Fraction(tp, c.relevant)), gain(Fraction(tp, tp + fp)))
        for tp, fp in blocks(truth, score)
        if Fraction(tp, c.relevant) >= share
    ]
    got = list(zip(c.gain()["recall_gain"], c.gain()["precision_gain"], strict=True))
    assert got[len(got) - len(wanted) :] == [(about(x), about(y)) for x, y in wanted]
    assert len(got) - len(wanted) in (0, 1)
    if len(got) > len(wanted):
        assert got[0][0] == about(0.0)


@pytest.mark.nightly
@given(cases(most=40), MISSED, st.sampled_from([0.0, 1e-3, 0.02, 0.1]))
def test_simplified_curves_keep_areas(case: tuple[Any, Any], missed: int, tolerance: float) -> None:
    truth, score = case
    c = curve(truth, score, missed)
    thin = c.simplify(tolerance)
    assert len(thin) <= len(c)
    assert thin.relevant == c.relevant and thin.other == c.other
    for name, value in areas(c, ("pr gain",)).items():
        after = areas(thin)[name]
        assert np.isnan(value) == np.isnan(after)
        assert np.isnan(value) or abs(after - value) <= tolerance + 1e-12, name


# Break-even points, each by its own words


@given(cases(), MISSED)
def test_break_even_literally(case: tuple[Any, Any], missed: int) -> None:
    truth, score = case
    c, relevant = curve(truth, score, missed), int(truth.sum()) + missed
    assume(relevant)
    points = [(Fraction(tp, tp + fp), Fraction(tp, relevant)) for tp, fp in blocks(truth, score)]
    # The interpolated curve at recall r is the best precision at r or more; it meets the diagonal
    # where both are as great as they can be.
    assert c.break_even("max-min") == about(float(max(min(p, r) for p, r in points)))
    hit = [(p, r) for p, r in points if r]
    closest = min((abs(p - r) for p, r in hit), default=Fraction(0))
    near = max(((p + r) / 2 for p, r in hit if abs(p - r) == closest), default=Fraction(0))
    assert c.break_even("nearest") == about(float(near))
    line = [(points[0][0], Fraction(0)), *points]
    crossings = [Fraction(0)]
    for (p0, r0), (p1, r1) in pairwise(line):
        a, b = p0 - r0, p1 - r1
        crossings += [r for e, r in ((a, r0), (b, r1)) if e == 0]
        if a * b < 0:
            crossings.append(r0 + a / (a - b) * (r1 - r0))
    assert c.break_even("linear") == about(float(max(crossings)))


@given(cases(), MISSED, st.sampled_from([0.5, 1.0, 2.0]))
def test_max_f_literally(case: tuple[Any, Any], missed: int, beta: float) -> None:
    truth, score = case
    relevant = int(truth.sum()) + missed
    assume(relevant)
    square = Fraction(beta) ** 2
    values = [(1 + square) * tp / (square * relevant + tp + fp) for tp, fp in blocks(truth, score)]
    best = curve(truth, score, missed).max_f(beta)
    assert best.value == about(float(max(values)))
    assert best.f(beta) == about(best.value)
    assert (
        best.value == 0
        or best.threshold == sorted(set(score.tolist()), reverse=True)[values.index(max(values))]
    )


@given(cases(), MISSED)
def test_eleven_points_literally(case: tuple[Any, Any], missed: int) -> None:
    truth, score = case
    relevant = int(truth.sum()) + missed
    assume(relevant)
    points = [(Fraction(tp, tp + fp), Fraction(tp, relevant)) for tp, fp in blocks(truth, score)]
    c = curve(truth, score, missed)

    def at_levels(steps: int) -> list[float]:
        best = (
            max((p for p, r in points if r >= Fraction(k, steps)), default=Fraction(0))
            for k in range(steps + 1)
        )
        return [float(one) for one in best]

    np.testing.assert_allclose(c.eleven_point(), at_levels(10), rtol=1e-12)
    assert c.area_under_pr("101-point") == pytest.approx(np.mean(at_levels(100)), rel=1e-12)


@given(cases(), st.integers(0, 30))
def test_choices_keep_their_word(case: tuple[Any, Any], accept: int) -> None:
    truth, score = case
    c = curve(truth, score)
    within = c.at(accept=accept)
    assert within.tp + within.fp <= accept
    assert not np.any((c.tp + c.fp <= accept) & (c.tp + c.fp > within.tp + within.fp))
    cheapest = c.at(cost={"fp": 1, "fn": 3})
    assert cheapest.value == min(
        fp + 3 * fn for fp, fn in zip(c.fp.tolist(), c.fn.tolist(), strict=True)
    )
    for least in score.tolist():
        there = c.at(threshold=least)
        assert (there.tp, there.fp) == (
            np.sum(truth & (score >= least)),
            np.sum(~truth & (score >= least)),
        )


def test_every_method_is_checked() -> None:
    assert set(PR_METHODS) == {
        "step",
        "interpolated",
        "trapezoid",
        "davis-goadrich",
        "davis-goadrich-discrete",
        "11-point",
        "101-point",
        "gain",
    }
    assert ROC_METHODS == ("trapezoid", "step")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        assert all(np.isnan(value) for value in areas(curve([0, 0], [1, 2])).values())
