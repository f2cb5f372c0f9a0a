"""Intervals for the area under the ROC curve.

DeLong, DeLong & Clarke-Pearson (1988) and Sun & Xu (2014) for the variance; Newcombe (2006) where it knows too little:
with few errors expected, m (1 - AUC) of m cases of the scarcer kind, the sample most often has none of the rare bad
ones, and DeLong's interval then lies above the truth. The bound on that side goes over into Newcombe's, by a weight
of 1 / (1 + (errors / 4)²), wherever his is the wider; likewise on the other side, where errors are m AUC. The four was
chosen by simulation over eight distributions of scores (docs/intervals.md); in large samples it does not matter.

Newcombe's method 5 is a score interval, which no sample makes too sure. Hanley & McNeil's variance, of exponential scores,
averaged over both directions, is a function of the area θ itself: it holds the areas with |estimate - θ| ≤ z √V(θ).
"""

from __future__ import annotations

import math

from precall.infer import influence, quantiles
from precall.infer.blocks import Blocks, inner
from precall.infer.interval.average_precision import FEWEST_GROUPS, perfect
from precall.infer.interval.interval import Interval, estimating, undefined, warn_of_few
from precall.infer.interval.logit import around, cut, expit, log_odds
from precall.notes import warn

#: With fewer cases of a kind, or less than so many expected errors, coverage can leave 93-97 %.
FEWEST, ERRORS = 25, 3
#: With so many expected errors the bound is half DeLong's, half Newcombe's.
_EVEN = 4
NAME = "area under ROC"
#: Halvings of a stretch of log-odds; more move nothing.
_HALVINGS = 80


def _freedom(blocks: Blocks, influences: influence.Influence, grouped: bool) -> float:
    """Welch's degrees of freedom: of the variance over relevant and that over other cases."""
    if grouped:
        return max(blocks.effective_groups() - 1, 1)
    positive, negative = blocks.squares()
    of_relevant = inner(positive, influences.positive**2) + blocks.missed * influences.missed**2
    of_other = inner(negative, influences.negative**2)
    some, others = (max(size - 1, 1) for size in blocks.sizes())
    return (of_relevant + of_other) ** 2 / (of_relevant**2 / some + of_other**2 / others)


@estimating("AUC")
def interval(blocks: Blocks, *, level: float = 0.95, method: str = "delong-newcombe") -> Interval:
    """Interval of the area under the ROC curve; see `pc.interval.area_under_roc`."""
    if not blocks.relevant or not blocks.other:
        lacking = "nothing is relevant" if blocks.other else "there is no other case"
        return undefined(NAME, lacking, level, method)
    grouped = blocks.grouped
    blocks = blocks.joined()
    influences = influence.area_under_roc(blocks)
    value = influences.value
    if grouped and blocks.groups() < 2:
        return undefined(NAME, "it needs at least two groups", level, method, value)
    error = math.sqrt(influence.variance(blocks, influences, stratified=True))
    if not error and (0 < value < 1 or method == "delong"):
        why = "all scores are equal" if len(blocks.positive) == 1 else "no case differs from its kind"
        return undefined(NAME, f"its variance is 0, as {why}", level, method, value)
    ends = _of_delong(
        blocks, value, error, _freedom(blocks, influences, grouped) if error else 1.0, level, method
    )
    if method in ("delong-newcombe", "newcombe"):
        ends = _of_newcombe(value, ends if method == "delong-newcombe" else None, blocks.sizes(), level)
    least = min(blocks.sizes())
    few = warn_of_few(NAME, blocks, FEWEST, FEWEST_GROUPS, weights=True)
    if not few and least * min(value, 1 - value) < ERRORS:
        warn(
            f"{NAME}: {value:.4f} is at an end of 0..1 for {least:.0f} cases; the interval is wide (covers 97-99 %), but "
            "where a few of them have the very worst scores it can miss its level"
        )
    assumed = "groups of cases drawn independently" if grouped else "cases drawn independently"
    if method in ("delong-newcombe", "newcombe"):
        assumed += "; errors that are too rare for the sample vary as those of exponential scores"
    return Interval(value, *ends, level, method, NAME, assumed, standard_error=error)


def _of_delong(
    blocks: Blocks, value: float, error: float, freedom: float, level: float, method: str
) -> tuple[float, float]:
    """Around the value, or around its log-odds; at 0 and 1 Wilson's for as many trials as cases of the scarcer kind."""
    if method == "delong":
        return cut(value, quantiles.z(level) * error)
    if value <= 0 or value >= 1:
        end = perfect(min(blocks.sizes()), level)
        return (end, 1.0) if value >= 1 else (0.0, 1 - end)
    return around(value, error, quantiles.t(level, freedom))


def _of_newcombe(
    value: float, delong: tuple[float, float] | None, sizes: tuple[float, float], level: float
) -> tuple[float, float]:
    """Newcombe's bounds; or those between his and DeLong's, on the log-odds scale, where his are wider."""
    z = quantiles.z(level)
    low, high = newcombe_lower(value, *sizes, z), 1 - newcombe_lower(1 - value, *sizes, z)
    if delong is None or not 0 < value < 1:
        return low, high
    least = min(sizes)
    return (
        _between(delong[0], min(low, delong[0]), least * (1 - value)),
        1 - _between(1 - delong[1], min(1 - high, 1 - delong[1]), least * value),
    )


def _between(delong: float, newcombe: float, errors: float) -> float:
    weight = 1 / (1 + (errors / _EVEN) ** 2)
    return expit((1 - weight) * log_odds(delong) + weight * log_odds(newcombe))


def newcombe_variance(area: float, relevant: float, other: float) -> float:
    """θ (1 - θ) (1 + N ((1 - θ) / (2 - θ) + θ / (1 + θ))) / (m n), N = (m + n) / 2 - 1: of the estimate, if this is the area.

    Examples
    --------
    >>> round(newcombe_variance(0.9, 10, 100) ** 0.5, 4)
    0.0532
    """
    even = (relevant + other) / 2 - 1
    share = (1 - area) / (2 - area) + area / (1 + area)
    return area * (1 - area) * (1 + even * share) / (relevant * other)


def newcombe_lower(value: float, relevant: float, other: float, z: float) -> float:
    """The least area that the estimate does not exclude; the greatest is 1 - lower(1 - value).

    Examples
    --------
    >>> round(newcombe_lower(1.0, 10, 20_000, 1.96), 4), round(newcombe_lower(0.9, 50, 50, 1.96), 4)
    (0.9023, 0.8159)
    """
    if value <= 0:
        return 0.0
    least, most = -700.0, 40.0 if value >= 1 else math.log(value / (1 - value))
    for _ in range(_HALVINGS):
        middle = (least + most) / 2
        area = 1 / (1 + math.exp(-middle))
        if value - area > z * math.sqrt(newcombe_variance(area, relevant, other)):
            least = middle
        else:
            most = middle
    return 1 / (1 + math.exp(-least))
