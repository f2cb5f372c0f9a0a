"""Planted mistakes in intervals: each is found by a check that the true formula passes.

The checks are small: an exact value, a numerical derivative, the law of all samples. What they
cannot tell from the truth they do not test.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

import precall as pc
from precall.cases.intervals import blocks_of
from precall.core import ragged
from precall.stats import influence, quantiles
from precall.stats.blocks import Blocks, CountsByPart
from precall.stats.intervals import f_measure, of_tables
from precall.stats.intervals.cell_posterior import Added
from precall.stats.resample import bootstrap, multinomial, resampling
from tests.oracle import counted_intervals, scored_intervals

pytestmark = pytest.mark.filterwarnings("ignore::precall.PrecallWarning")

RELEVANT = np.array([1, 0, 1, 1, 0, 1, 0, 0, 1, 0, 1, 0, 0, 0, 1, 0, 0, 1, 0, 0, 0, 0, 1, 0]) > 0
TIED = np.array([9, 9, 8, 8, 8, 7, 7, 6, 6, 6, 5, 5, 5, 4, 4, 4, 3, 3, 2, 2, 2, 1, 1, 1.0])


def close(ours: Any, theirs: Any, tolerance: float = 1e-6) -> None:
    assert np.allclose(ours, theirs, rtol=tolerance, atol=tolerance)


# -- Checks


def proportions_are_published() -> None:
    for sample, known in counted_intervals.NEWCOMBE.items():
        for method, bounds in known.items():
            found = pc.interval.proportion(*sample, method=method)
            close((found.low, found.high), bounds, 5.1e-5)


def f_is_the_posterior() -> None:
    found = pc.interval.f(10, 10, 0, prior=0.5)
    close((found.low, found.high), (0.4436788853637509, 0.8191624213920835), 2e-5)
    for counts in ((6, 3, 2), (9, 2, 7)):
        found = pc.interval.f(*counts, 2, prior=0.5)
        shares = [
            counted_intervals.f_posterior_cdf(end, *counts, 2, 0.5)
            for end in (found.low, found.high)
        ]
        close(shares, (0.025, 0.975), 1e-4)


def averages_are_takahashis() -> None:
    table = np.array([[30, 5, 2], [4, 40, 1], [1, 3, 14]])
    error = pc.interval.macro_f(table).standard_error
    close(error**2, counted_intervals.takahashi_macro_variance(table))
    share = np.trace(table) / table.sum()
    close(pc.interval.micro_f(table).standard_error ** 2, share * (1 - share) / 100)


def influences_are_derivatives() -> None:
    blocks = blocks_of(RELEVANT, TIED, missed=2)
    block = np.unique(-TIED, return_inverse=True)[1]
    for ours, theirs in (
        (influence.average_precision, scored_intervals.average_precision),
        (influence.area_under_roc, scored_intervals.area_under_roc),
    ):
        found = ours(blocks)
        slopes, missed = scored_intervals.derivatives(theirs, RELEVANT, TIED, np.ones(24), 2)
        close(np.where(RELEVANT, found.positive[block], found.negative[block]), slopes)
        close(found.missed, missed)


def delong_is_over_pairs() -> None:
    value, variance = scored_intervals.delong(RELEVANT, TIED)
    found = pc.interval.area_under_roc(RELEVANT, TIED, method="delong")
    close((found.estimate, found.standard_error**2), (value, variance))
    close(found.high - value, 1.959963984540054 * math.sqrt(variance))


def variance_counts_each_case_once() -> None:
    blocks = blocks_of(RELEVANT, TIED, missed=2)
    slopes, missed = scored_intervals.derivatives(
        scored_intervals.average_precision, RELEVANT, TIED, np.ones(24), 2
    )
    whole = np.append(slopes, [missed, missed])
    kind = np.append(RELEVANT, [True, True])
    found = influence.average_precision(blocks)
    close(influence.variance(blocks, found, False), np.sum(whole**2) * 11 / 10)
    parts = [whole[kind], whole[~kind]]
    close(
        influence.variance(blocks, found, True),
        sum(np.var(part, ddof=1) * len(part) for part in parts),
    )
    close(
        influence.acceleration_of_cases(blocks, found),
        np.sum(whole**3) / 6 / np.sum(whole**2) ** 1.5,
    )


def samples_have_the_right_law() -> None:
    for score in (np.array([5.0, 4, 3, 2, 1]), np.array([4.0, 3, 3, 2, 1])):
        relevant = np.array([True, False, True, True, False])
        exact = scored_intervals.every_sample(relevant, score)
        exact = exact[~np.isnan(exact)]
        drawn = resampling.replicates(blocks_of(relevant, score), 60_000, np.random.default_rng(3))
        close(drawn.mean(), exact.mean(), 5e-3)
        close(drawn.std(), exact.std(), 1e-2)
        assert set(drawn.round(9)) <= set(exact.round(9))


def cells_add_up() -> None:
    drawn = multinomial.Cells(np.array([200, 300, 500])).draw(20_000, np.random.default_rng(0))
    assert (drawn.sum(axis=1) == 1000).all()
    close(drawn.var(axis=0), [160, 210, 250], 0.06)


def ends_are_quantiles() -> None:
    values = np.arange(1.0, 1000.0)
    close(bootstrap.percentile(values, 0.95), (25, 975))
    close(bootstrap.bca(values, 500.0, 0.0, 0.95), (25, 975))
    low, high = bootstrap.bca(values, 600.0, 0.05, 0.95)
    bias = quantiles.normal(600 / 1000)  # the value itself counts half, and half a value is added
    told = [
        bias + (bias + z) / (1 - 0.05 * (bias + z)) for z in (-1.959963984540054, 1.959963984540054)
    ]
    close((low, high), [1000 * quantiles.normal_share(z) for z in told], 1e-3)


def means_are_students() -> None:
    from scipy import stats

    values = np.random.default_rng(0).random(30)
    theirs = stats.ttest_1samp(values, 0).confidence_interval(0.95)
    found = pc.interval.mean(values)
    close((found.low, found.high), (theirs.low, theirs.high))


def logit_is_around_the_unbiased_value() -> None:
    blocks = blocks_of(RELEVANT, TIED)
    found = influence.average_precision(blocks)
    error = math.sqrt(influence.variance(blocks, found, False))
    tp, fp = np.cumsum(blocks.positive), np.cumsum(blocks.negative)
    own = np.sum(blocks.positive * fp / (tp + fp) ** 2) / 9
    share, p = tp / (tp + fp), 9 / 24
    bend = np.sum(blocks.positive * share * (1 - share) * (share - p)) / 9 / (24 * p * (1 - p))
    centre = found.value - 15 / 24 * (own - bend)
    odds = math.log(centre / (1 - centre))
    half = 2.306004135204166 * error / (centre * (1 - centre))
    ours = pc.interval.average_precision(RELEVANT, TIED)
    close((ours.low, ours.high), [1 / (1 + math.exp(-odds + sign * half)) for sign in (1, -1)])


CHECKS = [
    proportions_are_published,
    f_is_the_posterior,
    averages_are_takahashis,
    influences_are_derivatives,
    delong_is_over_pairs,
    variance_counts_each_case_once,
    samples_have_the_right_law,
    cells_add_up,
    ends_are_quantiles,
    means_are_students,
    logit_is_around_the_unbiased_value,
]


@pytest.mark.nightly(keep=5)
@pytest.mark.parametrize("check", CHECKS, ids=lambda check: check.__name__)
def test_the_truth_passes(check: Callable[[], None]) -> None:
    check()


# -- Mutants: a name, where the mistake is planted, and what stands there instead


def without_missed(blocks: Blocks) -> Any:
    return replace(TRUE_AP(blocks), missed=0.0)


def at_the_block_above(blocks: Blocks) -> Any:
    """The wrong tie block: precision before the block instead of at its end."""
    found = TRUE_AP(blocks)
    positive = np.append(found.positive[:1], found.positive[:-1])
    return replace(found, parts=CountsByPart.of(blocks, positive, found.negative))


def ties_all_won(blocks: Blocks) -> Any:
    found = TRUE_AUC(blocks)
    positive = found.positive + 0.5 * blocks.negative / blocks.other / blocks.relevant
    return replace(found, parts=CountsByPart.of(blocks, positive, found.negative))


def over_n(values: Any, centre: float | None = None) -> float:
    return float(np.std(values))


TRUE_AP, TRUE_AUC, TRUE_VARIANCE = (
    influence.average_precision,
    influence.area_under_roc,
    influence.variance,
)
TRUE_SEEDS, TRUE_STEPS, TRUE_BCA = multinomial.Cells._draw_seeds, resampling.steps, bootstrap.bca
TRUE_BIAS, TRUE_CELL_BOUNDS, TRUE_T = influence.bias, f_measure.cell_bounds, quantiles.t
TRUE_INFLUENCES = of_tables._influences


def ties_broken(blocks: Blocks, joined: bool = True) -> Any:
    found = TRUE_STEPS(blocks, joined)
    return replace(
        found, block=np.zeros(len(found.block), np.bool_), rest=found.rest + int(found.tied.sum())
    )


MUTANTS: dict[str, tuple[Callable[[], None], Any, str, Any]] = {
    "one-sided z": (
        proportions_are_published,
        quantiles,
        "z",
        lambda level: quantiles.normal(level),
    ),
    "one-sided t": (means_are_students, quantiles, "t", lambda level, n: TRUE_T(2 * level - 1, n)),
    "t of n": (means_are_students, quantiles, "t", lambda level, n: TRUE_T(level, n + 1)),
    "n for n - 1": (means_are_students, ragged, "deviation", over_n),
    "no prior": (
        f_is_the_posterior,
        f_measure,
        "cell_bounds",
        lambda value, cells, signs, level, added: TRUE_CELL_BOUNDS(
            value, cells, signs, level, Added((0.02,) * 4, (0.02,) * 4)
        ),
    ),
    "beta for its square": (f_is_the_posterior, f_measure, "check_beta", lambda beta: beta**0.5),
    "false positives for misses": (
        f_is_the_posterior,
        f_measure,
        "cell_bounds",
        lambda value, cells, *more: TRUE_CELL_BOUNDS(
            value, (cells[0], cells[2], cells[1], cells[3]), *more
        ),
    ),
    "categories independent": (
        averages_are_takahashis,
        of_tables,
        "_influences",
        lambda *given: (lambda found: (found[0], np.abs(found[1]) + 0.001))(
            TRUE_INFLUENCES(*given)
        ),
    ),
    "missed items do not count": (
        influences_are_derivatives,
        influence,
        "average_precision",
        without_missed,
    ),
    "wrong tie block": (
        influences_are_derivatives,
        influence,
        "average_precision",
        at_the_block_above,
    ),
    "ties are won": (influences_are_derivatives, influence, "area_under_roc", ties_all_won),
    "not stratified": (
        delong_is_over_pairs,
        influence,
        "variance",
        lambda b, f, stratified: TRUE_VARIANCE(b, f, False),
    ),
    "stratified": (
        variance_counts_each_case_once,
        influence,
        "variance",
        lambda b, f, s: TRUE_VARIANCE(b, f, True),
    ),
    "R for R - 1": (
        variance_counts_each_case_once,
        influence,
        "variance",
        lambda b, f, s: TRUE_VARIANCE(b, f, s) * 10 / 11,
    ),
    "skewness for its sixth": (
        variance_counts_each_case_once,
        influence,
        "acceleration_of_cases",
        lambda b, f: 1.0,
    ),
    "ties are broken": (samples_have_the_right_law, resampling, "steps", ties_broken),
    "Poisson for multinomial": (
        cells_add_up,
        multinomial.Cells,
        "draw",
        lambda self, samples, rng: rng.poisson(self.sizes, (samples, len(self.sizes))),
    ),
    "margin not made up for": (
        cells_add_up,
        multinomial.Cells,
        "_draw_seeds",
        lambda self, samples, rng: (TRUE_SEEDS(self, samples, rng)[0], np.full(samples, 995)),
    ),
    "Poisson numbers of twice the spread": (
        cells_add_up,
        multinomial,
        "poisson",
        lambda mean: (
            int(mean - 2 * mean**0.5),
            np.linspace(1, 2**63, int(4 * mean**0.5)).astype(np.uint64),
        ),
    ),
    "one tail": (
        ends_are_quantiles,
        bootstrap,
        "percentile",
        lambda drawn, level: bootstrap.two_quantiles(drawn, 1 - level, level),
    ),
    "bias the other way": (
        ends_are_quantiles,
        bootstrap,
        "bca",
        lambda drawn, estimate, a, level: TRUE_BCA(
            drawn, 2 * np.median(drawn) - estimate, a, level
        ),
    ),
    "acceleration the other way": (
        ends_are_quantiles,
        bootstrap,
        "bca",
        lambda drawn, estimate, a, level: TRUE_BCA(drawn, estimate, -a, level),
    ),
    "no bias": (
        logit_is_around_the_unbiased_value,
        influence,
        "bias",
        lambda blocks, stratified: 0.0,
    ),
    "bias added": (
        logit_is_around_the_unbiased_value,
        influence,
        "bias",
        lambda b, s: -TRUE_BIAS(b, s),
    ),
    "z for t": (
        logit_is_around_the_unbiased_value,
        quantiles,
        "t",
        lambda level, n: quantiles.z(level),
    ),
}


@pytest.mark.nightly(keep=7)
@pytest.mark.parametrize("name", MUTANTS)
def test_a_mutant_is_found(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    check, place, attribute, wrong = MUTANTS[name]
    monkeypatch.setattr(place, attribute, wrong)
    with pytest.raises(AssertionError):
        check()


def test_every_check_has_a_mutant() -> None:
    assert {check for check, *_ in MUTANTS.values()} == set(CHECKS)
