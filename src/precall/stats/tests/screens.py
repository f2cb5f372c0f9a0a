"""How large a screen must be: the power of "better than chance" for a ranked list of which a share
is read.

A screen has `items`, of which some are relevant. Recall and enrichment at the share follow from the
number of hits there, which has a hypergeometric distribution by chance, and Fisher's noncentral one
if the ranking is good. Average precision is simulated. `precall.compare.power` has these functions.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import partial

import numpy as np

from precall.core.arguments import (
    check_count,
    check_level,
    check_number,
    check_share,
    check_whole,
    choose,
)
from precall.core.errors import Fact, UsageError
from precall.core.ragged import Float64
from precall.core.rng import Rng, generator_and_seed, seed_of, suggest_our_names
from precall.stats import quantiles
from precall.stats.scipy import special
from precall.stats.tests.least_size import least_size, too_many

#: Measures of a screen, and other names of each.
MEASURES: dict[str, tuple[str, ...]] = {
    "R": ("recall", "sensitivity"),
    "EF": ("enrichment", "lift"),
    "AP": ("ap",),
}
_ALSO: dict[str, list[str]] = {name: [ours] for ours, others in MEASURES.items() for name in others}
#: Power by counts rises and falls a little from one size to the next, so this number of sizes in a
#: row must have it.
_IN_A_ROW = 5
#: If a screen needs more relevant items than this, it is hopeless.
_MOST = 20_000
_REMEDY = "ask for a greater effect, or read more of the list"
_NOUN = "relevant items"
_bisect = partial(least_size, first=2, most=_MOST, remedy=_REMEDY, noun=_NOUN)
#: Simulated random lists per list with an effect: their high quantile has the greater error.
_MORE = 4


@suggest_our_names
def of_screen(
    items: int,
    relevant: int,
    share: float = 0.1,
    measure: str = "R",
    *,
    separation: float | None = None,
    area: float | None = None,
    odds: float | None = None,
    level: float = 0.95,
    simulations: int = 5000,
    rng: Rng = 0,
) -> float:
    """Power of a screen to show that its ranking is better than chance, one-sided at 1 - level.

    Parameters
    ----------
    items : how many items the list has.
    relevant : how many of them are relevant.
    share : the share of the list that is read; AP reads all of it.
    measure : "R" (recall at the share) or "EF" (enrichment there), which have the same power, as
        both follow from the number of hits; or "AP".
    separation : the effect: by so many standard deviations the normal scores of relevant items are
        higher.
    area : the effect, instead: the area under ROC of such scores.
    odds : the effect, instead, for R and EF: how many times greater the odds of a relevant item are
        to be in the share that is read.
    simulations : simulated lists, for AP.

    Examples
    --------
    >>> round(of_screen(9000, 90, 0.05, separation=0.5), 3)
    0.807
    >>> round(of_screen(2100, 21, 0.05, "EF", area=0.76), 3)
    0.821
    """
    items, relevant = check_count("items", items), check_count("relevant", relevant)
    if not 0 < relevant < items:
        raise UsageError(argument="relevant", allowed=f"from 1 to {items - 1}", got=Fact(relevant))
    level = check_level(level)
    chosen, effect = _choose(measure, separation, area, odds)
    simulations = check_whole("simulations", simulations, 1)
    if chosen == "AP":
        return _power_of_precision(items, relevant, effect, level, simulations, rng)
    return _power_of_hits(items, relevant, _read(items, share), effect, level, odds is not None)


@suggest_our_names
def screen(
    prevalence: float,
    share: float = 0.1,
    measure: str = "R",
    *,
    separation: float | None = None,
    area: float | None = None,
    odds: float | None = None,
    power: float = 0.8,
    level: float = 0.95,
    simulations: int = 5000,
    rng: Rng = 0,
) -> tuple[int, int]:
    """Items that a screen needs to be shown to be better than chance, and the relevant items among
    them.

    This number of relevant items and the next four have the power, which rises in steps. For AP the
    power is simulated, and the numbers have an error of some percent.

    Parameters
    ----------
    prevalence : the share of relevant items in the list.
    share, measure, separation, area, odds, simulations : see `of_screen`.

    Examples
    --------
    >>> screen(0.01, 0.05, separation=0.5), screen(0.01, 0.05, separation=1)
    ((9000, 90), (2100, 21))
    """
    prevalence = check_level(prevalence, "prevalence", 0.01)
    level = check_level(level)
    check_level(power, "power", 0.8)
    chosen, effect = _choose(measure, separation, area, odds)
    if not effect > 0:
        raise UsageError(
            argument="the effect",
            what="no screen shows that a random ranking is better than chance",
            remedy="give a ⟨separation=⟩ above 0, an ⟨area=⟩ above .5 or ⟨odds=⟩ above 1",
        )

    def items_of(relevant: int) -> int:
        return max(round(relevant / prevalence), relevant + 1)

    if chosen == "AP":
        seed = seed_of(rng)
        relevant = _bisect(
            lambda hits: (
                _power_of_precision(items_of(hits), hits, effect, level, simulations, seed) >= power
            )
        )
        return items_of(relevant), relevant

    def enough(relevant: int) -> bool:
        items = items_of(relevant)
        found = _power_of_hits(
            items, relevant, _read(items, share), effect, level, odds is not None
        )
        return found >= power

    relevant = _first_in_a_row(enough)
    return items_of(relevant), relevant


def measure_of_screen(argument: str, measure: str) -> str:
    """The measure of a screen that is meant, in any spelling; `argument` names it in errors."""
    return str(choose(argument, measure, tuple(MEASURES), _ALSO))


def _choose(
    measure: str, separation: float | None, area: float | None, odds: float | None
) -> tuple[str, float]:
    """The measure, and the effect: a separation, or the logarithm of odds."""
    chosen = measure_of_screen("measure", measure)
    given = sum(effect is not None for effect in (separation, area, odds))
    if given != 1:
        raise UsageError(
            argument="the effect",
            allowed="one of ⟨separation=⟩, ⟨area=⟩ and ⟨odds=⟩",
            got=Fact(f"{given or 'none'} of them"),
        )
    if odds is not None:
        if not odds > 0 or math.isinf(odds):
            raise UsageError(argument="odds", allowed="a number > 0", got=odds)
        if chosen == "AP":
            raise UsageError(
                argument="odds",
                what="apply to the share that is read, and AP reads the whole list",
                remedy="give ⟨separation=⟩ or ⟨area=⟩",
            )
        return chosen, math.log(odds)
    if area is not None:
        return chosen, math.sqrt(2) * quantiles.normal(check_level(area, "area", 0.75))
    size = check_number("separation", separation)
    if not abs(size) < 20:
        raise UsageError(argument="separation", allowed="a number below 20", got=separation)
    return chosen, size


def _read(items: int, share: float) -> int:
    """The number of items that are read."""
    return max(1, round(check_share("share", share, nonzero=True) * items))


# --- Hits in the share that is read ---


def _power_of_hits(
    items: int, relevant: int, read: int, effect: float, level: float, is_odds: bool
) -> float:
    """Power by the number of hits among the items that are read."""
    hits = np.arange(max(0, relevant + read - items), min(relevant, read) + 1, dtype=np.float64)
    logarithm = _ways(relevant, hits) + _ways(items - relevant, read - hits)
    tail = np.cumsum(_shares(logarithm)[::-1])[::-1]
    # The least number of hits with a p of 1 - level.
    shown = tail <= 1 - level + 1e-12
    if not shown.any():
        return 0.0
    bend = effect if is_odds else _bend_of(items, relevant, read, effect, hits, logarithm)
    return float(_shares(logarithm + bend * hits)[shown].sum())


def _ways(size: int, drawn: Float64) -> Float64:
    """Logarithm of the number of ways to draw so many of `size` items."""
    log_factorial = special().gammaln
    return np.asarray(
        log_factorial(size + 1) - log_factorial(drawn + 1) - log_factorial(size - drawn + 1)
    )


def _shares(logarithm: Float64) -> Float64:
    """Probabilities, from their logarithms but for a constant."""
    weight = np.exp(logarithm - logarithm.max())
    return np.asarray(weight / weight.sum())


def _bend_of(
    items: int,
    relevant: int,
    read: int,
    separation: float,
    hits: Float64,
    logarithm: Float64,
) -> float:
    """Logarithm of the odds for which the mean number of hits is that of normal scores."""
    if read >= items:
        return 0.0
    prevalence, share, accepted = relevant / items, read / items, quantiles.normal_share
    low, high = -40.0, 40.0
    for _ in range(80):
        # The threshold above which the share of all items lies.
        cut = (low + high) / 2
        above = prevalence * accepted(separation - cut) + (1 - prevalence) * accepted(-cut)
        low, high = (cut, high) if above > share else (low, cut)
    mean = relevant * accepted(separation - low)
    low, high = -60.0, 60.0
    for _ in range(60):
        bend = (low + high) / 2
        is_low = float(_shares(logarithm + bend * hits) @ hits) < mean
        low, high = (bend, high) if is_low else (low, bend)
    return low


def _first_in_a_row(enough: Callable[[int], bool]) -> int:
    """The first size from which on a row of sizes is enough."""
    # Steps are less than a third of the power, so that a size far below a good one is not enough.
    last = _bisect(enough)
    first, row = max(1, last // 2), 0
    for size in range(first, _MOST):
        row = row + 1 if enough(size) else 0
        if row == _IN_A_ROW:
            return size - _IN_A_ROW + 1
    raise too_many(_MOST, _REMEDY, _NOUN)


# --- Average precision ---


def _power_of_precision(
    items: int, relevant: int, separation: float, level: float, simulations: int, rng: Rng
) -> float:
    """Simulated power of average precision."""
    generator, _ = generator_and_seed(rng)
    draw = partial(_precisions, items, relevant, generator=generator)
    random = np.sort(draw(0.0, size=_MORE * simulations))
    # p is (c + 1) / (B + 1), with c the random lists that are as good.
    most = math.floor((1 - level) * (len(random) + 1) + 1e-9) - 1
    if most < 0:
        return 0.0
    # More than this value has at most `most` random lists as good.
    edge = random[len(random) - most - 1]
    return float((draw(separation, size=simulations) > edge).mean())


def _precisions(
    items: int, relevant: int, separation: float, *, size: int, generator: np.random.Generator
) -> Float64:
    """Average precisions of simulated lists."""
    scores = np.sort(generator.normal(separation, 1, (size, relevant)), axis=1)[:, ::-1]
    left = np.full(size, items - relevant)
    above, chance, total = np.zeros(size), np.zeros(size), np.zeros(size)
    for hit in range(relevant):
        # Of the others not yet above a hit, each is above the next one with this probability.
        reached = quantiles.normal_shares(-scores[:, hit])
        step = np.clip((reached - chance) / np.maximum(1 - chance, 1e-300), 0, 1)
        drawn = generator.binomial(left, step)
        left, above, chance = left - drawn, above + drawn, reached
        total += (hit + 1) / (hit + 1 + above)
    return np.asarray(total / relevant)
