"""Exact hypergeometric probabilities, whose digits are counted when they are asked for."""

from __future__ import annotations

import copy
import itertools
import pickle
from fractions import Fraction
from math import comb

import pytest

import precall as pc
from precall.stats.null.tail import exact_chances
from precall.stats.null.tail.exact_chances import ExactChances
from tests.processor import timed


def truth(n: int, m: int, t: int) -> dict[Fraction, Fraction]:
    """By the definition, next from the one before."""
    low = max(0, t - (n - m))
    chance, result = Fraction(comb(m, low) * comb(n - m, t - low), comb(n, t)), {}
    for h in range(low, min(m, t) + 1):
        result[Fraction(h)] = chance
        chance *= Fraction((m - h) * (t - h), (h + 1) * (n - m - t + h + 1))
    return result


SMALL = [
    (n, m, t)
    for n, m, t in itertools.product(range(1, 13), range(13), range(1, 13))
    if max(m, t) <= n
]


def test_all_of_few_items() -> None:
    for n, m, t in SMALL:
        true, listed = truth(n, m, t), pc.null.hits(n, m, t).pmf()
        # Floats first: fractions are not counted yet.
        assert [float(chance) for chance in listed.values()] == [
            float(chance) for chance in true.values()
        ]
        assert listed == true and list(listed) == list(true)


@pytest.mark.parametrize(
    ("n", "m", "t"),
    [(2000, 1000, 1000), (3000, 700, 900), (5000, 4990, 2500), (20_000, 60, 10_000)],
)
def test_floats_are_the_nearest_ones(n: int, m: int, t: int) -> None:
    true = truth(n, m, t)
    floats = [float(chance) for chance in pc.null.hits(n, m, t).pmf().values()]
    assert floats == [float(chance) for chance in true.values()]
    # Some of them below the least normal one, some nothing, and none lost that is not.
    assert n != 2000 or (0.0 in floats and any(0 < one < 2.2e-308 for one in floats))


def test_fractions_in_any_order() -> None:
    n, m, t = 3000, 1200, 700
    true = truth(n, m, t)
    for order in (
        list(true),
        list(true)[::-1],
        list(true)[::97],
        [*list(true)[5:400:3], *list(true)[350:2:-7]],
    ):
        listed = pc.null.hits(n, m, t).pmf()
        assert all(listed[hits] == true[hits] for hits in order)


def test_they_are_fractions() -> None:
    listed, true = (law(9, 4, 5) for law in (lambda *of: pc.null.hits(*of).pmf(), truth))
    assert repr(listed) == repr(true) and sum(listed.values()) == 1
    assert {hash(chance) for chance in listed.values()} == {
        hash(chance) for chance in true.values()
    }
    assert all(isinstance(chance, Fraction) for chance in listed.values())
    for again in (copy.copy(listed), copy.deepcopy(listed), pickle.loads(pickle.dumps(listed))):
        assert again == true
    one = pc.null.hits(9, 4, 5).pmf()[Fraction(2)]
    assert one + 1 == Fraction(31, 21) and one < 1 and not hasattr(one, "_nothing")
    assert 0.47 < one < 0.48 and one != 0.5 and type(one.from_float(0.5)) is type(-one) is Fraction
    assert (
        round(one, 2) == Fraction(12, 25)
        and one.limit_denominator(3) == Fraction(1, 2)
        and int(one) == 0
    )


def test_where_both_bounds_differ_the_fraction_decides(monkeypatch: pytest.MonkeyPatch) -> None:
    # So few bits leave most floats open.
    monkeypatch.setattr(exact_chances, "_BITS", 40)
    true, chances = truth(60, 20, 30), ExactChances(60, 20, 30)
    assert [chances.nearest_float(int(hits)) for hits in true] == [
        float(chance) for chance in true.values()
    ]


@pytest.mark.nightly
def test_a_hundred_thousand_items_take_no_seconds() -> None:
    # All fractions took 6 s and a gigabyte.
    listed, taken = timed(lambda: pc.null.precision(100_000, 50_000, 50_000).pmf())
    floats, also = timed(lambda: [float(chance) for chance in listed.values()])
    exact, one = timed(lambda: listed[Fraction(1, 2)])
    assert len(listed) == 50_001 and sum(floats) == pytest.approx(1, abs=1e-12)
    assert exact.numerator / exact.denominator == max(floats)
    assert taken + also + one < 2
