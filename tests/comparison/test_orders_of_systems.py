"""Kendall's tau and AP correlation of two orders of systems: `compare.orders`."""

from __future__ import annotations

from itertools import pairwise
from math import isnan, nan
from typing import Any

import numpy as np
import pytest

import precall as pc
from precall.core.notes.of_comparisons import TiedSystems
from tests.noticed import noticed
from tests.peers import peer

#: Vectors of the tests of the R package ircor (Urbano & Marrero), with the numbers that it gives:
#: tau, tau_ap of x and y; then tau_b and tauAP_b of the rounded ones.
SETS = {
    "alike": (
        [0.897, 0.372, 0.908, 0.898, 0.661, 0.062, 0.177, 0.384, 0.498, 0.992],
        [0.82, 0.406, 0.817, 0.953, 0.673, 0.073, 0.364, 0.547, 0.589, 0.988],
        (0.9111, 0.8519, 0.8333, 0.9398, 0.7321),
    ),
    "unlike": (
        [0.266, 0.573, 0.202, 0.945, 0.629, 0.206, 0.687, 0.77, 0.718, 0.38],
        [0.263, 0.843, 0.728, 0.928, 0.08, 0.114, 0.467, 0.641, 0.973, 0.644],
        (0.2889, 0.2504, 0.2880, 0.3765, 0.297),
    ),
    "reversed": (
        [0.185, 0.573, 0.944, 0.129, 0.468, 0.553, 0.761, 0.405, 0.976, 0.445],
        [0.845, 0.272, 0.275, 0.924, 0.605, 0.334, 0.162, 0.872, 0.018, 0.25],
        (-0.6889, -0.6971, -0.668, -0.6510, -0.7047),
    ),
}


def named(values: Any) -> dict[str, float]:
    return {f"s{place}": value for place, value in enumerate(values)}


@pytest.mark.parametrize("name", SETS)
def test_numbers_of_ircor(name: str) -> None:
    x, y, (tau, tau_ap, both, tau_tied, both_tied) = SETS[name]
    found = pc.compare.orders(named(x), named(y))
    assert found.systems == 10 and not found.notes
    assert (found.kendall, found.tau_ap, found.tau_ap_b) == pytest.approx(
        (tau, tau_ap, both), abs=5e-5
    )
    tied = pc.compare.orders(named(np.round(x, 1)), named(np.round(y, 1)))
    assert (tied.kendall, tied.tau_ap_b) == pytest.approx((tau_tied, both_tied), abs=5e-5)
    assert isnan(tied.tau_ap) and noticed(tied, TiedSystems)


def test_kendall_is_that_of_scipy() -> None:
    draw = np.random.default_rng(1)
    for size in (2, 3, 8, 50):
        for most in (2, 5, 1000):
            x, y = draw.integers(most, size=(2, size))
            theirs = peer("scipy.stats").kendalltau(x, y).statistic
            ours = pc.compare.orders(named(x), named(y)).kendall
            assert ours == pytest.approx(theirs, nan_ok=True, abs=1e-12)


def by_definition(truth: list[str], guess: list[str]) -> float:
    """Yilmaz, Aslam & Robertson 2008, (3): 2 / (N - 1) sum_{i=2}^N C(i) / (i - 1) - 1."""
    shares = []
    for place in range(1, len(guess)):
        above = guess[:place]
        right = sum(truth.index(one) < truth.index(guess[place]) for one in above)
        shares.append(right / place)
    return 2 * sum(shares) / len(shares) - 1


def test_ap_correlation_is_that_of_its_definition() -> None:
    draw = np.random.default_rng(2)
    systems = [f"s{i}" for i in range(9)]
    for _ in range(30):
        truth, guess = draw.permutation(systems).tolist(), draw.permutation(systems).tolist()
        found = pc.compare.orders(truth, guess)
        assert found.tau_ap == pytest.approx(by_definition(truth, guess), abs=1e-12)
        both = (by_definition(truth, guess) + by_definition(guess, truth)) / 2
        assert found.tau_ap_b == pytest.approx(both, abs=1e-12)


def test_errors_near_the_top_count_more() -> None:
    order = list("abcdef")
    swapped = [[*order[:i], order[i + 1], order[i], *order[i + 2 :]] for i in range(5)]
    found = [pc.compare.orders(order, one) for one in swapped]
    assert len({one.kendall for one in found}) == 1
    assert all(one.tau_ap < other.tau_ap for one, other in pairwise(found))


def test_ends_and_forms_of_orders() -> None:
    order = list("abcd")
    same, turned = pc.compare.orders(order, order), pc.compare.orders(order, order[::-1])
    for found, value in ((same, 1), (turned, -1)):
        assert (found.kendall, found.tau_ap, found.tau_ap_b) == (value, value, value)
    pandas = peer("pandas")
    errors = {"a": 0.1, "b": 0.2, "c": 0.4, "d": 0.3}
    given = ("abdc", errors), (dict(zip("abdc", (4, 3, 2, 1), strict=True)), errors)
    for first, second in given:
        first = list(first) if isinstance(first, str) else first
        assert pc.compare.orders(first, second, higher_is_better=True).kendall == -1
    of_errors = pc.compare.orders(errors, pandas.Series(errors), higher_is_better=False)
    assert of_errors.tau_ap == 1
    top = pc.compare.orders(errors, {**errors, "a": 0.25}, higher_is_better=False).tau_ap
    assert top < pc.compare.orders(errors, {**errors, "a": 0.25}).tau_ap
    assert pc.compare.orders({"a": 1, "b": 1}, {"a": 1, "b": 2}).to_dict()["kendall"] is None


@pytest.mark.parametrize(
    ("a", "b", "kind", "text"),
    [
        (["x", "y"], ["x", "z"], pc.DataError, "b: only one order has the system 'y'"),
        ({"x": 1}, {"x": 1, "y": 2}, pc.DataError, "a: only one order has the system 'y'"),
        (["x"], ["x"], pc.UsageError, "two systems or more, got 1 system"),
        (["x", "x"], ["x"], pc.UsageError, "a system is there twice.*'x'"),
        ("xy", ["x", "y"], pc.UsageError, "a: got .*, allowed .*best first"),
        ({"x": 1, "y": nan}, ["x", "y"], pc.UsageError, "a: a value is undefined"),
        ({"x": "good", "y": 1}, ["x", "y"], pc.UsageError, "a: .*'good'"),
    ],
)
def test_what_is_no_order(a: Any, b: Any, kind: type[Exception], text: str) -> None:
    with pytest.raises(kind, match=text):
        pc.compare.orders(a, b)


@pytest.mark.parametrize("seed", range(20))
def test_pairs_one_by_one(seed: int) -> None:
    rng = np.random.default_rng(seed)
    x, y = rng.integers(0, rng.integers(2, 40), (2, 33)).astype(float)
    signs = [np.sign(np.subtract.outer(values, values)) for values in (x, y)]
    found = pc.compare.orders(dict(enumerate(x)), dict(enumerate(y)))
    loose = np.prod([np.abs(sign).sum() for sign in signs])
    assert found.kendall == pytest.approx((signs[0] * signs[1]).sum() / np.sqrt(loose))
    parts: list[float] = []
    for truth, guess in (signs, signs[::-1]):
        above = (guess < 0).sum(1)
        right = ((guess < 0) & (truth < 0)).sum(1)
        parts.append(float(2 * np.mean(right[above > 0] / above[above > 0]) - 1))
    assert found.tau_ap_b == pytest.approx(np.mean(parts))


def test_many_systems() -> None:
    """The square of the number of pairs is no number of 64 bits, and pairs one by one are slow."""
    order = list(range(100_000))
    found = pc.compare.orders(order, [*order[1:], 0])
    assert found.kendall == pytest.approx(1 - 4 / 1e5)
    with pytest.raises(pc.UsageError, match="a system is there twice.*'?99999"):
        pc.compare.orders([*order, 99_999], order)


def test_what_has_no_order_or_two_values_of_a_system_is_refused() -> None:
    """A set was an order by chance, and of two values of a system in a Series the last one counted:
    only lists and dicts were tried.
    """
    order = {"a": 1, "b": 2}
    with pytest.raises(pc.UsageError, match="set"):
        pc.compare.orders({"a", "b"}, order)
    twice = peer("pandas").Series([1, 2, 3], index=["a", "a", "b"])
    with pytest.raises(pc.UsageError, match="twice"):
        pc.compare.orders(order, twice)
