"""The bootstrap of AP on hits and gaps: the same law as resampling the cases themselves."""

from __future__ import annotations

import inspect
from itertools import product

import numpy as np
import pytest

import precall as pc
from precall.cases.intervals import blocks_of
from precall.native.twin_resampling import precisions
from precall.stats.blocks import Blocks
from precall.stats.resample import multinomial
from precall.stats.resample.bootstrap import bca, percentile, quantiles_of
from precall.stats.resample.multinomial import Cells, poisson
from precall.stats.resample.resampling import make_ladder, replicates, resample_best, steps
from tests.oracle import scored_intervals as oracle
from tests.peers import peer

stats = peer("scipy.stats")

# Small samples are warned of; tests of that name the warning.
pytestmark = pytest.mark.filterwarnings("ignore::precall.PrecallWarning")


def cases(n, seed, tied):
    rng = np.random.default_rng(seed)
    relevant = rng.random(n) < 0.5
    score = rng.integers(0, n // 2, n).astype(float) if tied else rng.permutation(n).astype(float)
    return relevant, score


@pytest.mark.parametrize("tied", [False, True])
@pytest.mark.parametrize("missed", [0, 2])
def test_a_sample_is_measured_as_its_list(tied, missed):
    """Numbers per case are put into cells; the value is that of the list with copies in it."""
    rng = np.random.default_rng(5)
    for seed in range(30):
        relevant, score = cases(24, seed, tied)
        blocks = blocks_of(relevant, score, missed=missed)
        path = steps(blocks)
        times = rng.multinomial(24 + missed, np.full(24 + missed, 1 / (24 + missed)), 5)
        drawn = np.stack(
            [by_cell(path, relevant, score, one[:24], one[24:].sum()) for one in times]
        )
        ours = precisions(drawn.astype(np.int32), path.block, 24 + missed)
        theirs = [
            oracle.resampled_ap(relevant, score, one[:24].tolist(), one[24:].sum()) for one in times
        ]
        assert ours == pytest.approx(theirs, rel=1e-12)


def by_cell(path, relevant, score, times, missed):
    """Counts per cell: the list, best first and relevant cases first in a block, is cut into the
    cells.
    """
    order = np.lexsort((~relevant, -score))
    sizes = np.stack([path.gap, path.hits, np.where(path.block, path.tied, 0)], axis=1).ravel()
    owner = np.repeat(np.arange(len(sizes) + 1), [*sizes, path.rest])
    assert len(owner) == len(order)
    sums = np.bincount(owner, weights=times[order], minlength=len(sizes) + 1).astype(int)
    gap, hits, tied = sums[:-1].reshape(-1, 3).T
    assert all(relevant[order][owner == 3 * i + 1].all() for i in range(len(path.gap)))
    return np.concatenate((gap, hits, tied[path.block], [sums[-1], missed]))


@pytest.mark.parametrize("tied", [False, True])
def test_the_law_is_that_of_all_samples(tied):
    """Five cases have 3125 samples, all equally likely: the values' shares agree."""
    relevant = np.array([True, False, True, True, False])
    score = np.array([4.0, 3, 3, 2, 1] if tied else [5.0, 4, 3, 2, 1])
    exact = oracle.every_sample(relevant, score)
    exact = exact[~np.isnan(exact)]
    drawn = replicates(blocks_of(relevant, score), 200_000, np.random.default_rng(3))
    values, counts = np.unique(exact.round(9), return_counts=True)
    place = np.searchsorted(values, drawn.round(9))
    assert np.array_equal(values[place], drawn.round(9))
    seen = np.bincount(place, minlength=len(values))
    expected = counts / counts.sum() * len(drawn)
    assert expected.min() >= 5
    assert stats.chisquare(seen, expected).pvalue > 1e-3


def accepted(relevant, score, times, missed, square):
    """Of samples x cases what the threshold of greatest F accepts, by loops over thresholds: the
    first of equal ones.
    """
    hits, others = times[:, relevant], times[:, ~relevant]
    all_hits = hits.sum(axis=1) + missed
    found = np.zeros((len(times), 3))
    for threshold in sorted(set(score[relevant]), reverse=True):
        tp = hits[:, score[relevant] >= threshold].sum(axis=1)
        fp = others[:, score[~relevant] >= threshold].sum(axis=1)
        f = (1 + square) * tp / np.maximum(square * all_hits + tp + fp, 1e-300)
        better = f > found[:, 0] + 1e-12
        found[better] = np.stack((f, tp, fp), axis=1)[better]
    return found[:, 1:].astype(int)


@pytest.mark.nightly(keep=1)
@pytest.mark.parametrize("tied", [False, True])
@pytest.mark.parametrize("length", [1, 2, 3])
@pytest.mark.parametrize("square", [0.25, 1.0])
def test_the_law_of_the_greatest_f_is_that_of_all_samples(tied, length, square):
    """Six units, one of them missed, have 46,656 samples, all equally likely: what is accepted
    comes as often as it must.
    """
    relevant = np.array([True, False, True, False, True])
    score = np.array([4.0, 3, 3, 2, 1] if tied else [5.0, 4, 3, 2, 1])
    every = np.array(list(product(range(6), repeat=6)))
    times = np.stack([(every == unit).sum(axis=1) for unit in range(6)], axis=1)
    exact = accepted(relevant, score, times[:, :5], times[:, 5], square)
    ladder, sizes = make_ladder(blocks_of(relevant, score, missed=1).thin(), length)
    _, tp, fp, _ = Cells(sizes).best(ladder, square, 300_000, np.random.default_rng(3))
    expected = np.bincount(exact @ [7, 1], minlength=49) / len(exact) * 300_000
    seen = np.bincount(tp * 7 + fp, minlength=49)
    some = expected > 0
    assert expected[some].min() >= 5 and not seen[~some].any()
    assert stats.chisquare(seen[some], expected[some]).pvalue > 1e-3


@pytest.mark.nightly
@pytest.mark.parametrize("tabled", [True, False])
@pytest.mark.parametrize("tied", [False, True])
def test_the_greatest_f_of_stretches_is_that_of_all_steps(tied, tabled, monkeypatch):
    """Against resampling the cases with NumPy: the greatest F, and the threshold."""
    if not tabled:
        monkeypatch.setattr(multinomial, "MOST_TABLED", 0)
    rng = np.random.default_rng(8)
    relevant = rng.random(1000) < 0.4
    score = rng.normal(size=1000) + relevant
    score = score.round(2) if tied else score
    times = rng.multinomial(1000, np.full(1000, 1 / 1000), 2000)
    theirs = accepted(relevant, score, times, 0, 1.0)
    row, path = resample_best(
        blocks_of(relevant, score).thin(), 1.0, 10_000, np.random.default_rng(1)
    )
    values = (
        2 * theirs[:, 0] / (times[:, relevant].sum(axis=1) + theirs.sum(axis=1)),
        path.f(1.0)[0],
    )
    assert stats.ks_2samp(*values).pvalue > 1e-3
    assert stats.ks_2samp(theirs.sum(axis=1), (path.tp + path.fp)[0]).pvalue > 1e-3
    assert len(np.unique(row)) > 30


WEIGHTS, THREE = [0.5, 2.0, 1.0, 0.25, 3.0, 1.0], [0, 1, 0, 2, 2, 1]


@pytest.mark.nightly(keep=1)
@pytest.mark.parametrize(
    ("weights", "groups", "missed"),
    [
        (None, THREE, 0),
        (WEIGHTS, THREE, 0),
        (None, [0, 1, 2, 3, 4, 4], 0),
        (WEIGHTS, None, 0),
        (WEIGHTS, None, 1),
    ],
)
def test_the_law_of_groups_and_weights_is_that_of_all_samples(weights, groups, missed):
    """Every sample of as many groups, or weighed cases, is as likely: AP by loops over cases, all
    copies being one block.
    """
    relevant = np.array([True, False, True, True, False, False])
    score = np.array([5.0, 4, 3, 3, 2, 1])
    # One missed item is a unit of its own; of seven units' 7^7 samples some will do.
    unit = np.arange(6) if groups is None else np.array(groups)
    units = int(unit.max()) + 1 + missed
    chosen = (
        np.array(list(product(range(units), repeat=units)))
        if units < 6
        else (np.random.default_rng(1).integers(0, units, (15_000, units)))
    )
    weight = np.ones(6) if weights is None else np.array(weights)

    def value(sample):
        times = np.bincount(sample, minlength=units)
        mass = times[unit] * weight
        all_hits = mass[relevant].sum() + (times[-1] if missed else 0)
        gain = sum(
            mass[i]
            * mass[(score >= score[i]) & relevant].sum()
            / max(mass[score >= score[i]].sum(), 1e-9)
            for i in np.flatnonzero(relevant)
        )
        return gain / all_hits if all_hits else np.nan

    exact = np.array([value(sample) for sample in chosen])
    exact = exact[~np.isnan(exact)]
    blocks = blocks_of(relevant, score, missed=missed, weights=weights, groups=groups)
    drawn = replicates(blocks, 60_000, np.random.default_rng(3))
    assert stats.ks_2samp(exact.round(9), drawn.round(9)).statistic < 0.018
    assert set(drawn.round(9)) >= set(exact[:200].round(9))


@pytest.mark.nightly
def test_stratified_keeps_the_numbers_of_both_kinds():
    """Against resampling the cases of each kind with NumPy."""
    relevant, score = cases(30, 2, tied=False)
    rng = np.random.default_rng(9)
    kinds = [np.flatnonzero(relevant), np.flatnonzero(~relevant)]
    theirs = []
    for _ in range(2000):
        pick = np.concatenate([rng.choice(kind, len(kind)) for kind in kinds])
        theirs.append(
            oracle.resampled_ap(relevant, score, np.bincount(pick, minlength=30).tolist())
        )
    ours = replicates(blocks_of(relevant, score), 40_000, np.random.default_rng(1), stratified=True)
    assert stats.ks_2samp(theirs, ours).pvalue > 1e-3
    free = replicates(blocks_of(relevant, score), 40_000, np.random.default_rng(1))
    assert stats.ks_2samp(free, ours).pvalue < 1e-6


@pytest.mark.nightly
def test_groups_are_drawn_whole():
    relevant, score = cases(30, 3, tied=False)
    group = np.arange(30) // 5
    rng = np.random.default_rng(2)
    theirs = []
    for _ in range(800):
        times = np.bincount(rng.integers(0, 6, 6), minlength=6)[group]
        if times[relevant].sum():
            theirs.append(oracle.average_precision(relevant, score, times))
    ours = replicates(blocks_of(relevant, score, groups=group), 3000, np.random.default_rng(1))
    assert stats.ks_2samp(theirs, ours).pvalue > 1e-3


class TestMultinomial:
    @pytest.mark.parametrize("size", [1, 7, 16, 90, 300, 5000])
    def test_cells_are_binomial(self, size):
        """One cell against the rest: a binomial number, by the chi-squared test."""
        cells = Cells(np.array([size, 3, 40, 1, 777, 12_345]))
        drawn = cells.draw(20_000, np.random.default_rng(size)).T
        total = int(cells.sizes.sum())
        assert (drawn.sum(axis=0) == total).all()
        law = stats.binom(total, size / total)
        edges = np.unique(law.ppf(np.linspace(0, 1, 21)[1:-1]))
        seen = np.bincount(np.searchsorted(edges, drawn[0]), minlength=len(edges) + 1)
        chance = np.diff(np.concatenate(([0], law.cdf(edges), [1])))
        assert stats.chisquare(seen, chance * len(drawn[0])).pvalue > 1e-3

    def test_two_cells_vary_together_as_they_must(self):
        cells = np.array([200, 300, 500])
        drawn = Cells(cells).draw(40_000, np.random.default_rng(0))
        share = cells / 1000
        assert np.cov(drawn.T) == pytest.approx(
            1000 * (np.diag(share) - np.outer(share, share)), rel=0.05
        )

    @pytest.mark.parametrize("mean", [0.3, 1.0, 15.5, 900.0, 4096.0])
    def test_thresholds_hold_the_poisson_law(self, mean):
        """A random word reaches the k-th with the probability of more than k."""
        least, below = poisson(mean)
        law = stats.poisson(mean)
        assert law.cdf(least - 1) < 1e-15 and law.sf(least + len(below)) < 1e-15
        assert below / 2**64 == pytest.approx(law.cdf(least + np.arange(len(below))), abs=1e-10)

    def test_every_multinomial_count_comes_as_often_as_it_must(self):
        """Six draws from cells of 1, 2 and 3 items have 28 outcomes; twelve items of two strata, 7
        x 3.
        """
        for sizes, strata in (
            ([1, 2, 3], None),
            ([4, 2, 2, 4], [np.array([0, 1]), np.array([2, 3])]),
        ):
            cells = np.array(sizes)
            groups = [np.arange(len(cells))] if strata is None else strata
            drawn, seen = np.unique(
                Cells(cells, strata).draw(40_000, np.random.default_rng(7)),
                axis=0,
                return_counts=True,
            )
            chance = np.ones(len(drawn))
            for group in groups:
                own = cells[group]
                chance *= stats.multinomial.pmf(drawn[:, group], own.sum(), own / own.sum())
            assert chance.sum() == pytest.approx(1, abs=1e-3)
            often = chance * 40_000 >= 5
            rest = 40_000 - seen[often].sum(), 40_000 * (1 - chance[often].sum())
            assert (
                stats.chisquare(
                    [*seen[often], rest[0]], [*(chance[often] * 40_000), rest[1]]
                ).pvalue
                > 1e-3
            )

    def test_strata_keep_their_sizes(self):
        cells = np.array([5, 300, 7, 5000, 0])
        strata = [np.array([0, 2]), np.array([1, 3, 4])]
        drawn = Cells(cells, strata).draw(500, np.random.default_rng(1))
        assert (drawn[:, strata[0]].sum(axis=1) == 12).all() and (
            drawn[:, strata[1]].sum(axis=1) == 5300
        ).all()
        assert drawn[:, 1].std() == pytest.approx((5300 * 300 / 5300 * 5000 / 5300) ** 0.5, rel=0.1)

    def test_nothing_and_little(self):
        assert Cells(np.array([0, 0])).draw(3, np.random.default_rng(0)).tolist() == [[0, 0]] * 3
        assert Cells(np.array([0, 2])).draw(2, np.random.default_rng(0)).tolist() == [[0, 2]] * 2


class TestEnds:
    def test_percentile_is_by_order(self):
        values = np.random.default_rng(0).permutation(np.arange(1.0, 1000.0))
        assert percentile(values, 0.95) == pytest.approx((25.0, 975.0))

    @pytest.mark.parametrize("size", [1, 2, 3, 40, 1001])
    def test_quantiles_are_numpys_to_the_last_digit(self, size):
        rng = np.random.default_rng(size)
        for values in (rng.normal(size=size), rng.integers(0, 3, size) / 7):
            for share in (
                0.0,
                0.01,
                0.025,
                (1 - 0.9) / 2,
                0.5,
                (1 + 0.9) / 2,
                0.975,
                1.0,
                *rng.random(50),
            ):
                expected = np.quantile(values, [share, 0.5], method="weibull")
                assert quantiles_of(values, (share, 0.5)) == expected.tolist()

    def test_bca_without_bias_and_acceleration_is_percentile(self):
        values = np.arange(1.0, 1000.0)
        assert bca(values, 500.0, 0.0, 0.95) == pytest.approx((25.0, 975.0), abs=1e-9)

    @pytest.mark.nightly
    def test_bca_is_scipys(self):
        """Means of a skewed sample: the same ends within what two sets of samples differ by."""
        values = np.random.default_rng(1).exponential(size=40)
        # SciPy before 1.15 called it otherwise.
        seed = {
            "rng" if "rng" in inspect.signature(stats.bootstrap).parameters else "random_state": 1
        }
        theirs = stats.bootstrap(
            (values,), np.mean, n_resamples=200_000, method="BCa", **seed
        ).confidence_interval
        ours = pc.interval.mean(values, method="bca", rng=2, resamples=200_000)
        assert (ours.low, ours.high) == pytest.approx((theirs.low, theirs.high), abs=0.01)
        plain = pc.interval.mean(values, method="percentile", rng=2, resamples=200_000)
        assert ours.low - plain.low > 0.01


class TestRandomNumbers:
    def test_a_seed_gives_the_same_digits_and_is_told(self):
        relevant, score = cases(60, 1, tied=False)
        one, same, other = (
            pc.interval.average_precision(relevant, score, method="bca", rng=seed, resamples=300)
            for seed in (5, np.random.default_rng(5), 6)
        )
        assert one == same != other
        assert (one.seed, one.resamples) == (5, 300)
        again = pc.interval.average_precision(relevant, score, method="bca", resamples=300)
        told = pc.interval.average_precision(
            relevant, score, method="bca", rng=again.seed, resamples=300
        )
        assert again == told

    def test_batches_and_threads_do_not_matter(self, monkeypatch):
        """Every sample has a random stream of its own."""
        from precall.native import twin_resampling

        blocks = blocks_of(*cases(3000, 1, tied=True))
        whole = replicates(blocks, 300, np.random.default_rng(1))
        monkeypatch.setenv("PRECALL_THREADS", "3")
        monkeypatch.setattr(twin_resampling, "_BATCH", 1 << 14)
        assert np.array_equal(replicates(blocks, 300, np.random.default_rng(1)), whole)

    def test_samples_without_a_relevant_case_are_drawn_again(self):
        drawn = replicates(
            Blocks(np.array([0, 1]), np.array([2, 0])), 500, np.random.default_rng(0)
        )
        assert len(drawn) == 500 and not np.isnan(drawn).any()
