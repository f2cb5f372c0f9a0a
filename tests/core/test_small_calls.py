"""What was made faster for small calls gives the bits of the plain formulas that were there
before.
"""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from precall.core import ragged
from precall.measures import measure
from precall.stats.blocks import Blocks
from precall.stats.intervals.areas import newcombe_lower, newcombe_variance
from precall.stats.intervals.interval import options_of, refuse_unknown_options
from precall.stats.skewness import skewness

VALUES = st.lists(
    st.sampled_from([0.0, 0.1, -0.25, 1.0, 1 / 3, 1e-9]) | st.floats(-1, 1), min_size=2, max_size=60
)


@given(VALUES)
def test_averages_and_deviations_are_numpys(values):
    column = np.array(values)
    assert ragged.average(column) == float(column.mean())
    # Of equal values ours is 0, and NumPy's the rounding of their mean.
    assert ragged.deviation(column) == pytest.approx(
        float(np.std(column, ddof=1)), rel=1e-14, abs=1e-15 * max(map(abs, values))
    )


@given(st.lists(st.sampled_from([0.1, 0.51875, 1 / 3]) | st.floats(-1, 1), min_size=1, max_size=20))
def test_a_mean_of_equal_values_is_their_value(values):
    listed = [*values]
    assert ragged.mean(values) == (
        values[0] if min(values) == max(values) else math.fsum(listed) / len(listed)
    )


def plain_skewness(columns, counted):
    """As it was, by NumPy's own reductions."""
    counted = np.broadcast_to(counted, columns.shape)
    size = np.maximum(counted.sum(axis=0), 1)
    centred = (columns - (columns * counted).sum(axis=0) / size) * counted
    variance = (centred**2).sum(axis=0) / size
    varies = np.ptp(centred, axis=0) > 1e-12 * np.abs(columns).max(axis=0, initial=0.0)
    skew = (centred**2 * centred).sum(axis=0) / size / np.where(varies, variance, 1.0) ** 1.5
    more = np.where(size > 2, (size * (size - 1.0)) ** 0.5 / np.maximum(size - 2, 1), 1.0)
    return np.where(varies, skew, 0.0) * more


@given(VALUES, st.integers(1, 3))
def test_skewness_is_that_of_the_formula(values, width):
    columns = np.stack([np.roll(values, place) for place in range(width)], axis=1)
    columns[: len(values) // 3, 0] = 0.0
    for counted in (None, columns != 0, np.ones(columns.shape, np.bool_)):
        with np.errstate(all="ignore"):
            wanted = plain_skewness(columns, True if counted is None else counted)
            got = skewness(columns, counted)
        assert got == pytest.approx(wanted, rel=1e-13, abs=1e-300, nan_ok=True)


COUNTS = st.lists(st.tuples(st.integers(0, 3), st.integers(0, 3)), min_size=1, max_size=30)


@given(COUNTS, st.integers(0, 2))
def test_thinned_lists_have_the_others_before_each_relevant_block(counts, missed):
    positive, negative = np.array(counts).T
    rows, below = np.flatnonzero(positive), np.cumsum(negative)
    made = Blocks(positive, negative, missed).thin()
    assert made.positive.tolist() == [*positive[rows].tolist(), 0]
    assert made.negative.tolist() == np.diff(np.append(below[rows], below[-1]), prepend=0).tolist()
    assert (made.missed, made.relevant, made.other) == (
        missed,
        positive.sum() + missed,
        negative.sum(),
    )


def halved(value, relevant, other, z):
    """All eighty halvings."""
    least, most = -700.0, 40.0 if value >= 1 else math.log(value / (1 - value))
    for _ in range(80):
        middle = (least + most) / 2
        area = 1 / (1 + math.exp(-middle))
        if value - area > z * math.sqrt(newcombe_variance(area, relevant, other)):
            least = middle
        else:
            most = middle
    return 1 / (1 + math.exp(-least))


@given(st.floats(1e-9, 1), st.integers(1, 10**6), st.integers(1, 10**6), st.floats(0.01, 6))
def test_newcombes_bound_is_that_of_all_halvings(value, relevant, other, z):
    assert newcombe_lower(value, relevant, other, z) == halved(value, relevant, other, z)


@given(st.lists(st.integers(0, 5), max_size=20), st.data())
def test_sums_per_ranking(ranking, data):
    rows = np.sort(np.array(ranking, np.int64))
    values = np.array(
        data.draw(st.lists(st.integers(-9, 9), min_size=len(rows), max_size=len(rows))), np.int64
    )
    assert ragged.starts(rows, 6).tolist() == [int(np.sum(rows < place)) for place in range(7)]
    assert ragged.integer_sums(values, rows, 6).tolist() == [
        int(values[rows == place].sum()) for place in range(6)
    ]


def test_options_are_read_once_and_are_those_of_the_function():
    def make(given, *, level=0.95, other=None):
        return given, level, other

    assert options_of(make) == {"level", "other"} and options_of(make) is options_of(make)
    refuse_unknown_options({"other": 1}, make)
    with pytest.raises(Exception, match="given: got 1"):
        refuse_unknown_options({"given": 1}, make)


def test_names_are_made_once_and_are_those_of_the_parameters():
    chosen = measure("F(beta=2)@10")
    assert chosen.name is chosen.name and chosen.at_grade(1) is chosen
    assert chosen.at_grade(2).name == "F(beta=2,grade=2)@10" and chosen.name == "F(beta=2)@10"


def test_posteriors_have_the_digits_of_scipys_distributions():
    stats = pytest.importorskip(
        "scipy.stats", reason="SciPy is not installed: nothing was compared"
    )
    from precall.stats.tests import bayes

    share = np.linspace(0, 1, 99)
    for a, b in ((0, 0), (3, 0), (17, 5), (40_000, 123)):
        known, theirs = bayes.precision(a, b), stats.beta(a + 0.5, b + 0.5)
        assert known.cdf(share).tolist() == theirs.cdf(share).tolist()
        assert known.sf(share).tolist() == theirs.sf(share).tolist()
        assert known.ppf(share).tolist() == pytest.approx(theirs.ppf(share).tolist(), rel=1e-14)
