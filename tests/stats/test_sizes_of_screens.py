"""How large a screen must be: worked figures, and lists that are simulated here."""

from __future__ import annotations

import numpy as np
import pytest

import precall as pc

POWER = pc.compare.power


def _lists(items: int, relevant: int, separation: float, size: int, seed: int) -> np.ndarray:
    """Ranks of the relevant items of simulated lists, best first."""
    scores = np.random.default_rng(seed).normal(size=(size, items))
    scores[:, :relevant] += separation
    ranks = (-scores).argsort(axis=1).argsort(axis=1)[:, :relevant] + 1
    return np.sort(ranks, axis=1)


def test_worked_sizes() -> None:
    assert POWER.screen(0.01, 0.05, separation=0.5) == (9000, 90)
    assert POWER.screen(0.01, 0.05, separation=1) == (2100, 21)
    assert POWER.screen(0.05, 0.1, "EF", separation=0.5) == (1480, 74)
    area = 0.5 + 0.2602499
    assert POWER.screen(0.01, 0.05, area=area) == (2100, 21)


def test_this_size_and_the_next_four_suffice() -> None:
    _, relevant = POWER.screen(0.01, 0.05, separation=1)
    powers = [
        POWER.of_screen(100 * (relevant + more), relevant + more, 0.05, separation=1)
        for more in range(-1, 5)
    ]
    assert powers[0] < 0.8 <= min(powers[1:])


@pytest.mark.parametrize(
    ("items", "relevant", "share", "separation"),
    [(500, 10, 0.1, 1.0), (600, 60, 0.1, 0.5), (1000, 20, 0.05, 1.0), (400, 40, 0.2, 0.5)],
)
def test_power_of_recall_is_that_of_simulated_lists(
    items: int, relevant: int, share: float, separation: float
) -> None:
    read = round(share * items)
    hits = (_lists(items, relevant, separation, 3000, 1) <= read).sum(axis=1)
    hypergeometric = pytest.importorskip("scipy.stats").hypergeom
    p = hypergeometric.sf(hits - 1, items, relevant, read)
    found = POWER.of_screen(items, relevant, share, separation=separation)
    assert found == pytest.approx((p <= 0.05).mean(), abs=0.035)
    assert found == POWER.of_screen(items, relevant, share, "enrichment", separation=separation)


def test_odds_are_fishers_law() -> None:
    items, relevant, read, odds = 300, 30, 30, 3.0
    stats = pytest.importorskip("scipy.stats")
    edge = next(h for h in range(31) if stats.hypergeom.sf(h - 1, items, relevant, read) <= 0.05)
    power = stats.nchypergeom_fisher.sf(edge - 1, items, relevant, read, odds)
    assert POWER.of_screen(items, relevant, 0.1, odds=odds) == pytest.approx(power, rel=1e-6)
    # Without an effect, power is the exact size of the test.
    size = stats.hypergeom.sf(edge - 1, items, relevant, read)
    assert POWER.of_screen(items, relevant, 0.1, odds=1) == pytest.approx(size)
    assert POWER.of_screen(items, relevant, 0.1, separation=0.0) == pytest.approx(size, rel=1e-6)


def test_power_of_average_precision_is_that_of_simulated_lists() -> None:
    items, relevant, separation = 400, 20, 0.6
    ranks = np.arange(1, relevant + 1)
    good, random = (
        (ranks / _lists(items, relevant, apart, 3000, seed)).mean(axis=1)
        for apart, seed in ((separation, 2), (0.0, 3))
    )
    power = (good > np.quantile(random, 0.95)).mean()
    found = POWER.of_screen(items, relevant, measure="AP", separation=separation)
    assert found == pytest.approx(power, abs=0.05)
    assert found == POWER.of_screen(items, relevant, measure="AP", separation=separation, rng=0)
    assert POWER.of_screen(items, relevant, measure="AP", separation=0.0) == pytest.approx(
        0.05, abs=0.02
    )


@pytest.mark.nightly
def test_a_screen_for_average_precision_has_the_power() -> None:
    items, relevant = POWER.screen(0.05, measure="AP", area=0.7)
    assert items == 20 * relevant
    power = POWER.of_screen(items, relevant, measure="AP", area=0.7, simulations=20_000, rng=7)
    assert power == pytest.approx(0.8, abs=0.03)


def test_a_plan() -> None:
    found = pc.compare.plan(screen="R", read=0.05, prevalence=0.01, separation=0.5)
    assert list(found.designs["screen"].values())[-2:] == [9000, 90] and found.seed is None
    given = pc.compare.plan(screen="EF", items=9000, prevalence=0.01, read=0.05, area=0.63817)
    assert given.designs["screen"]["power"] == pytest.approx(0.807, abs=0.001)
    simulated = pc.compare.plan(screen="AP", items=400, prevalence=0.05, area=0.7, rng=3)
    assert simulated.seed == 3


@pytest.mark.parametrize(
    ("call", "argument"),
    [
        (lambda: POWER.screen(0.01), "separation"),
        (lambda: POWER.screen(0.01, area=0.7, odds=2), "area= and odds"),
        (lambda: POWER.screen(0.01, area=0.5), "random ranking"),
        (lambda: POWER.screen(0.01, measure="AP", odds=2), "odds"),
        (lambda: POWER.screen(0.01, measure="RR", area=0.7), "measure"),
        (lambda: POWER.screen(0.01, 0, area=0.7), "share"),
        (lambda: POWER.screen(0.3, separation=0.001), "20,000"),
        (lambda: POWER.of_screen(10, 10, area=0.7), "relevant"),
        (lambda: POWER.of_screen(10, 2, odds=0), "odds"),
        (lambda: POWER.of_screen(10, 2, separation=99), "separation"),
        (lambda: pc.compare.plan(screen="R", area=0.7), "prevalence"),
    ],
)
def test_refused(call: object, argument: str) -> None:
    with pytest.raises(pc.UsageError, match=argument):
        call()  # type: ignore[operator]
