"""Thresholds tuned on the cases, and bands of curves."""

from __future__ import annotations

import math

import numpy as np
import pytest

import precall as pc
from precall.cases.intervals import blocks_of
from precall.core.notes.of_intervals import (
    BoundsThatFollow,
    FewAccepted,
    FewCases,
    UndefinedMeasure,
)
from precall.intervals import TunedInterval
from precall.stats.intervals.bands import Band
from precall.stats.resample.resampling import path_of_data, resample_paths
from tests.noticed import noticed, warned

pytestmark = pytest.mark.filterwarnings("ignore::precall.PrecallWarning")


def cases(n=300, seed=0, tied=False):
    rng = np.random.default_rng(seed)
    relevant = rng.random(n) < 0.3
    score = rng.standard_normal(n) + 1.2 * relevant
    return relevant, np.round(score * 3) / 3 if tied else score


def plain(relevant, score, rule, samples, seed):
    """The optimism bootstrap by loops over resampled cases and `Curve`."""
    rng = np.random.default_rng(seed)
    whole = pc.curve(relevant, score)
    apart = []
    for _ in range(samples):
        pick = rng.integers(0, len(score), len(score))
        here = rule(pc.curve(relevant[pick], score[pick]))
        there = whole.at(threshold=here.threshold)
        apart.append((here, there))
    return apart


class TestTuned:
    @pytest.mark.nightly
    @pytest.mark.parametrize("tied", [False, True])
    @pytest.mark.parametrize("beta", [1.0, 2.0])
    def test_max_f_is_what_resampled_curves_say(self, tied, beta):
        relevant, score = cases(150, 3, tied)
        pairs = plain(relevant, score, lambda c: c.max_f(beta), 600, 1)
        optimism = [here.f(beta) - there.f(beta) for here, there in pairs]
        found = pc.interval.max_f(relevant, score, beta, rng=1, resamples=4000)
        assert isinstance(found, TunedInterval)
        best = pc.curve(relevant, score).max_f(beta)
        assert found.naive.estimate == pytest.approx(best.value)
        assert found.naive.low == pc.interval.f(int(best.tp), int(best.fp), int(best.fn), beta).low
        error = np.std(optimism) / math.sqrt(600)
        assert found.optimism == pytest.approx(np.mean(optimism), abs=4 * error)
        assert found.standard_error == pytest.approx(np.std(optimism), rel=0.12)
        assert 0 < found.optimism < 0.1 and found.low < found.estimate < found.high

    @pytest.mark.nightly(keep=1)
    @pytest.mark.parametrize(
        ("rule", "choice"),
        [({"recall": 0.8}, {"recall": 0.8}), ({"precision": 0.5}, {"precision": 0.5})],
    )
    def test_precision_at_a_chosen_threshold(self, rule, choice):
        relevant, score = cases(300, 4)
        pairs = plain(relevant, score, lambda c: c.at(**choice), 500, 2)
        optimism = [here.precision - there.precision for here, there in pairs]
        found = pc.interval.precision_at_threshold(relevant, score, **rule, rng=1, resamples=4000)
        assert found.naive.estimate == pytest.approx(
            pc.curve(relevant, score).at(**choice).precision
        )
        assert found.optimism == pytest.approx(
            np.mean(optimism), abs=4 * np.std(optimism) / math.sqrt(500)
        )

    def test_choosing_by_f(self):
        relevant, score = cases(300, 4)
        best = pc.curve(relevant, score).max_f()
        found = pc.interval.precision_at_threshold(relevant, score, beta=1, rng=1)
        assert found.naive.estimate == pytest.approx(best.precision)
        assert found.optimism > 0

    def test_a_fixed_threshold_is_a_proportion(self):
        relevant, score = cases()
        found = pc.interval.precision_at_threshold(relevant, score, 0.5)
        accepted = score >= 0.5
        same = pc.interval.proportion(int((relevant & accepted).sum()), int(accepted.sum()))
        assert (found.low, found.high, found.method) == (same.low, same.high, "wilson")
        low = pc.interval.precision_at_threshold(relevant, -score, -0.5, higher_is_better=False)
        assert low.low == found.low

    def test_missed_items_are_part_of_f(self):
        relevant, score = cases()
        found = pc.interval.max_f(relevant, score, missed=20, rng=1)
        assert found.naive.estimate == pytest.approx(
            pc.curve(relevant, score, missed=20).max_f().value
        )

    def test_paths_of_samples_keep_the_numbers(self):
        blocks = blocks_of(*cases(tied=True), missed=4)
        whole = path_of_data(blocks)
        assert whole.tp[-1, 0] == blocks.positive.sum() and whole.other[0] == blocks.other
        for path in resample_paths(blocks, 50, np.random.default_rng(1)):
            assert np.all(path.relevant + path.other == 304)
            assert np.all(np.diff(path.tp, axis=0) >= 0) and np.all(path.fp[-1] <= path.other)

    def test_seeds(self):
        relevant, score = cases()
        one, same, other = (pc.interval.max_f(relevant, score, rng=seed) for seed in (3, 3, 4))
        assert one == same != other and one.seed == 3

    def test_undefined_and_few(self):
        with warned(UndefinedMeasure) as told:
            assert pc.interval.max_f([0, 0, 0], [1, 2, 3]).low is None
        assert [note.reason for note in told] == ["no relevant case was scored"]
        with warned(UndefinedMeasure) as told:
            found = pc.interval.precision_at_threshold(
                [0, 1, 0] * 30, np.arange(90.0), precision=0.99
            )
        assert [note.reason for note in told] == ["no threshold of these cases reaches it"]
        assert math.isnan(found.estimate)
        with warned(FewCases) as few:
            pc.interval.max_f([1, 0, 0] * 20, np.arange(60.0), rng=0)
        assert [note.cases for note in few] == [20]

    @pytest.mark.parametrize(
        ("options", "said"),
        [
            ({}, "exactly one of threshold, recall, precision, beta; got none"),
            ({"recall": 0.5, "beta": 1}, "got recall, beta"),
            ({"threshold": 0.5, "beta": 1}, "got threshold, beta"),
            ({"recall": 1.5}, r"recall: must be in 0\.\.1, got 1.5"),
            ({"precision": 1.5}, r"precision: must be in \(0, 1\], got 1.5"),
            ({"beta": -1}, "beta: must be 0, or a number"),
        ],
    )
    def test_what_is_refused(self, options, said):
        with pytest.raises(pc.UsageError, match=said):
            pc.interval.precision_at_threshold(*cases(), **options)


def _above(x):
    return math.erfc(x / math.sqrt(2)) / 2


class TestBands:
    @pytest.mark.parametrize("curve", ["pr_band", "roc_band"])
    def test_pointwise_lies_in_simultaneous_lies_in_dkw(self, curve):
        make = getattr(pc.interval, curve)
        relevant, score = cases(2000, 2)
        point, whole, sure = (
            make(relevant, score, grid=[0.2, 0.4, 0.6], rng=1, **options)
            for options in ({"kind": "pointwise"}, {}, {"method": "dkw"})
        )
        assert isinstance(whole, Band) and str(whole).startswith("band of")
        for inner, outer in ((point, whole), (whole, sure)):
            assert np.mean(outer.high - outer.low) > np.mean(inner.high - inner.low)
            assert np.array_equal(inner.estimate, outer.estimate)
        for band in (point, whole, sure):
            assert band.estimate in band
            assert np.all((band.low >= 0) & (band.high <= 1))
        assert list(whole.table.columns) == [whole.across, whole.along, "low", "high"]

    def test_heights_are_those_of_the_curve(self):
        relevant, score = cases(500, 5)
        path = pc.curve(relevant, score)
        band = pc.interval.pr_band(relevant, score, grid=[0.1, 0.35, 0.9], rng=1, resamples=100)
        assert band.estimate == pytest.approx(
            [path.at(recall=x).precision for x in (0.1, 0.35, 0.9)]
        )
        rates = 1 - path.rejection_recall
        roc = pc.interval.roc_band(relevant, score, grid=[0.1, 0.35, 0.9], rng=1, resamples=100)
        assert roc.estimate == pytest.approx(
            [path.recall[rates <= x + 1e-12].max() for x in (0.1, 0.35, 0.9)]
        )

    @pytest.mark.parametrize(
        ("method", "weighted"), [("bootstrap", False), ("bootstrap", True), ("dkw", False)]
    )
    def test_through_ties_a_roc_curve_is_straight(self, method, weighted):
        """Its heights are those of the line that is drawn: they were of whole thresholds alone,
        beside it.
        """
        relevant, score = cases(600, 8)
        score, heavy = np.round(score), np.where(np.arange(600) % 3, 1.0, 2.5)
        weights = heavy if weighted else None
        band = pc.interval.roc_band(
            relevant,
            score,
            grid=[0.01, 0.2, 0.45, 0.8],
            method=method,
            rng=1,
            weights=weights,
            resamples=200,
        )
        path = pc.curve(relevant, score, weights=weights)
        assert band.estimate == pytest.approx(np.interp(band.x, path.fp / path.other, path.recall))
        assert band.estimate in band

    def test_a_band_of_tied_scores_holds_the_line(self):
        """It held it in no sample when it was of whole thresholds alone."""
        rng, held = np.random.default_rng(11), 0
        cuts = np.array([-0.5, 0.5, 1.5])
        rate, recall = (
            np.array([0, *(_above(cut - shift) for cut in cuts[::-1]), 1]) for shift in (0, 1)
        )
        for _ in range(60):
            relevant = rng.random(600) < 0.4
            score = np.digitize(rng.standard_normal(600) + relevant, cuts)
            band = pc.interval.roc_band(relevant, score, rng=rng, resamples=200)
            held += np.interp(band.x, rate, recall) in band
        assert held >= 52

    def test_dkw_of_tied_scores(self):
        """Massart's bounds around the line, written out."""
        relevant, score = cases(4000, 6)
        score = np.round(score)
        band = pc.interval.roc_band(relevant, score, grid=[0.3], method="dkw", level=0.9)
        up, along = (
            math.sqrt(math.log(40) / (2 * size)) for size in (relevant.sum(), (~relevant).sum())
        )
        path = pc.curve(relevant, score)
        low, high = np.interp([0.3 - along, 0.3 + along], path.fp / path.other, path.recall)
        assert (band.low[0], band.high[0]) == pytest.approx((low - up, high + up))

    def test_pointwise_roc_is_about_the_binomial_where_it_is_steep(self):
        """At a far threshold of few false positives recall varies like a proportion, and more."""
        relevant, score = cases(4000, 6)
        band = pc.interval.roc_band(relevant, score, grid=[0.5], kind="pointwise", rng=1)
        share = pc.interval.proportion(
            round(band.estimate[0] * relevant.sum()), int(relevant.sum())
        )
        assert 0.98 * share.width < band.high[0] - band.low[0] < 1.5 * share.width

    def test_dkw_bounds(self):
        """Massart's constant, written out, at one place of the ROC curve."""
        relevant, score = cases(4000, 6)
        band = pc.interval.roc_band(relevant, score, grid=[0.3], method="dkw", level=0.9)
        m, n = relevant.sum(), (~relevant).sum()
        up, along = (math.sqrt(math.log(40) / (2 * size)) for size in (m, n))
        path = pc.curve(relevant, score)
        rates = path.fp / n
        assert band.low[0] == pytest.approx(path.recall[rates <= 0.3 - along].max() - up)
        assert band.high[0] == pytest.approx(path.recall[rates <= 0.3 + along].max() + up)

    def test_grid_of_roc_samples_no_thin_places(self):
        relevant, score = cases(400, 7)
        band = pc.interval.roc_band(relevant, score, rng=1)
        assert len(band.x) == 19
        (note,) = noticed(band, BoundsThatFollow)
        assert note.across == "false_positive_rate" and note.places.startswith("0.05 to ")
        assert band.high[-1] == 1
        with warned(FewAccepted) as told:
            pc.interval.roc_band(relevant, score, grid=[0.99], rng=1)
        assert [note.fewest for note in told] == [5]

    @pytest.mark.parametrize(
        ("options", "said"),
        [
            ({"kind": "both"}, "kind: got 'both', allowed are simultaneous, pointwise"),
            ({"method": "x"}, "method: got 'x', allowed are bootstrap, dkw"),
            ({"method": "dkw", "kind": "pointwise"}, "is simultaneous"),
            ({"grid": [0.5, 0.2]}, "grid: must be ascending"),
            ({"grid": [0.0]}, "grid: must be ascending"),
        ],
    )
    def test_what_is_refused(self, options, said):
        with pytest.raises(pc.UsageError, match=said):
            pc.interval.pr_band(*cases(), **options)
        with pytest.raises(pc.UsageError, match="of one kind"):
            pc.interval.pr_band([1, 1], [1, 2])

    def test_heights_of_another_grid_are_refused(self):
        band = pc.interval.pr_band(*cases(), grid=[0.5], rng=1, resamples=100)
        with pytest.raises(pc.UsageError, match="one per place of the grid"):
            [0.5, 0.5] in band  # noqa: B015


def test_normal_theory_is_near_for_many_cases():
    """The corrected interval of a smooth rule is about as wide as the naive one."""
    relevant, score = cases(3000, 8)
    found = pc.interval.precision_at_threshold(relevant, score, recall=0.7, rng=1)
    assert found.width == pytest.approx(found.naive.width, rel=0.35)
