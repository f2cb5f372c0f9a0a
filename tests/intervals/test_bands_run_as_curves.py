"""The lower bound of a precision-recall band fell and rose again; the ROC band of a good scorer was
one point or too sure.

The old tests looked at coverage, at the estimate inside the band and at single places; none looked
at how neighbouring places run, and all had curves that are still climbing at a false positive rate
of .1. The band of a good scorer then had five points or more, and ended at .05 without a word: no
test asked for the places that were left out.
"""

from __future__ import annotations

import csv
from pathlib import Path

import numpy as np
import pytest

import precall as pc
from precall.core.notes.of_intervals import BoundsThatFollow

TUMOURS = Path(__file__).resolve().parents[2] / "examples" / "cases" / "tumours.csv"


def rare(seed):
    """300 relevant cases of 20,000; half of them are plain to see."""
    rng = np.random.default_rng(seed)
    relevant = np.arange(20_000) < 300
    score = rng.standard_normal(20_000) + 3 * relevant
    return relevant, score + 2 * (relevant & (rng.random(20_000) < 0.5))


@pytest.mark.parametrize("kind", ["simultaneous", "pointwise"])
@pytest.mark.parametrize("seed", [0, 1, 2])
def test_false_positives_rise_with_recall(seed, kind):
    """x (1 - precision) / precision, the false positives of each relevant case, falls for no curve,
    and so for no bound.
    """
    band = pc.interval.pr_band(*rare(seed), kind=kind, rng=0)
    for bound in (band.low, band.estimate, band.high):
        rate = band.x * (1 - bound) / bound
        assert np.all(np.diff(rate) >= -1e-9)
    assert np.all((band.low <= band.estimate) & (band.estimate <= band.high))


def test_no_cliff_in_the_lower_bound():
    """It was .874, .730, .833 at recalls .55, .6, .65."""
    low = pc.interval.pr_band(*rare(0), rng=0).low
    top = int(np.argmax(low))
    assert np.all(np.diff(low[: top + 1]) > 0)
    assert np.all(np.diff(low[top:]) < 0)


@pytest.mark.parametrize("kind", ["simultaneous", "pointwise"])
@pytest.mark.parametrize(("seed", "apart"), [(3, 0.0), (8, 0.0), (13, 0.0), (1, 2.5), (4, 2.5)])
def test_bounds_rise_only_where_the_estimate_does(seed, apart, kind):
    """The test above looked at one seed: at others the lower bound rose by .09 after it had fallen,
    the upper by .04.
    """
    relevant, score = rare(seed)
    if apart:
        score = np.random.default_rng(seed).standard_normal(20_000) + apart * relevant
    band = pc.interval.pr_band(relevant, score, kind=kind, rng=1)
    falling = np.diff(band.estimate) <= 0
    first = int(np.argmax(np.diff(band.low) < 0))
    assert np.all(np.diff(band.low)[first:][falling[first:]] <= 0)
    assert np.all(np.diff(band.high)[falling] <= 0)


@pytest.mark.parametrize("column", ["linear", "bayes", "neighbours"])
def test_roc_band_of_a_good_scorer(column):
    rows = list(csv.DictReader(TUMOURS.read_text(encoding="utf-8").splitlines()))
    labels, score = ([float(row[name]) for row in rows] for name in ("label", column))
    band = pc.interval.roc_band(labels, score, rng=0)
    assert band.x[-1] == 0.95
    (note,) = band.notes
    assert note in str(band)
    assert isinstance(note, BoundsThatFollow)
    assert note.values == {"across": "false_positive_rate", "places": "0.015 to 0.05", "fewest": 5}
    inside = pc.interval.roc_band(labels, score, rng=0, grid=band.x[band.x <= 0.05])
    assert not inside.notes
    after = band.x > 0.05
    # What is sure of a curve that rises.
    assert np.all(band.low[after] == inside.low[-1])
    assert np.all(band.high[after] == 1)
    assert np.array_equal(band.low[~after], inside.low)
    for bound in (band.low, band.high):
        assert np.all(np.diff(bound) >= 0)


@pytest.mark.filterwarnings("ignore::precall.PrecallWarning")
def test_a_perfect_list_is_not_sure():
    """With 100 of 100 the band was .992 to 1: all samples are alike, and the reach was 0."""
    band = pc.interval.roc_band([1] * 100 + [0] * 1000, -np.arange(1100.0), rng=0)
    # Clopper and Pearson's at one place.
    assert np.all(band.low <= 0.025 ** (1 / 100))
