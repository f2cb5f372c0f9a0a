"""Precision and recall that are equal but for rounding.

`f_versus_break_even(.9, .1, 1/3)` said "f" although both are .5, because β² P was 2e-17 less than
R. Curves with real weights were said to have no threshold where precision equals recall although
they had one. Old tests took fractions whose floats are exact, or left such cases out, and whole
weights.
"""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

import precall as pc
from precall.measures.best_points import is_left_early

SHARE = st.fractions(Fraction(1, 60), 1, max_denominator=60)


@pytest.mark.parametrize(
    ("precision", "recall", "beta", "why"),
    [
        (0.9, 0.1, 1 / 3, "P > R and β = 1/√T = 0.3333"),
        (0.1, 0.9, 3.0, "P < R and β = 1/√T = 3"),
        (0.2, 0.6, 3**0.5, "P < R and β = 1/√T = 1.732"),
        (0.1 + 0.2, 0.3, 2.0, "P = R: both are P"),
        (0.3, 1 - 0.7, 0.5, "P = R: both are P"),
    ],
)
def test_neither_is_greater(precision, recall, beta, why):
    found = pc.f_versus_break_even(precision, recall, beta)
    assert (found.greater, found.why) == ("neither", why)
    assert found.mean == pytest.approx(found.f, rel=1e-12)


@given(SHARE, st.fractions(Fraction(1, 9), 9, max_denominator=12))
def test_the_turn_of_every_pair(precision, beta):
    """At β = 1/√T, R = β² P, both are equal; a thousandth beside it they are not."""
    recall = beta**2 * precision
    assume(recall <= 1 and recall != precision)
    assert pc.f_versus_break_even(float(precision), float(recall), float(beta)).greater == "neither"
    for moved, greater in ((1.001, "mean"), (0.999, "f")):
        found = pc.f_versus_break_even(float(precision), float(recall), float(beta) * moved)
        assert found.greater == (
            greater if precision > recall else {"mean": "f", "f": "mean"}[greater]
        )
        assert (found.mean > found.f) == (found.greater == "mean")


def test_precision_and_recall_of_real_weights_meet():
    # Accepted are .1 + .2, which is 0.30000000000000004, and relevant .2 + .05 + .05, which is 0.3.
    curve = pc.curve([0, 1, 1, 1], [4, 3, 2, 1], weights=[0.1, 0.2, 0.05, 0.05])
    assert curve.tp[2] + curve.fp[2] != curve.relevant
    assert not is_left_early(curve)
    assert is_left_early(pc.curve([0, 1, 1, 1], [4, 3, 2, 1], weights=[0.1, 0.5, 0.05, 0.02]))


@pytest.mark.parametrize("beta", [1e-100, 0.5, 1.0, 2.0, 1e100])
@pytest.mark.parametrize("scale", [1e-300, 5e-324, 2.0**-600, 1.0])
def test_f_of_shares_whose_product_underflows(beta: float, scale: float) -> None:
    """F of P = R is P; it was 0 for 1e-300."""
    assert pc.f_versus_break_even(scale, scale, beta).f == pytest.approx(scale, rel=1e-15)
    if scale > 1e-310:
        found = pc.f_versus_break_even(scale, scale / 4, beta).f / scale
        assert found == pytest.approx(pc.f_versus_break_even(1.0, 0.25, beta).f, rel=1e-15)
