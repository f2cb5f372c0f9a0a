"""Intervals for the area under the ROC curve (DeLong, DeLong & Clarke-Pearson 1988; Sun & Xu 2014)."""

from __future__ import annotations

import math
from typing import Any

from precall.infer import influence, quantiles
from precall.infer.average_precision import FEWEST_GROUPS, perfect
from precall.infer.blocks import Blocks, inner
from precall.infer.interval import Interval, checked_level, chosen, undefined, warn_of_groups
from precall.infer.logit import around
from precall.notes import noting, warn

METHODS = ("logit-delong", "delong")
#: With fewer cases of a kind, or less than so many expected errors, coverage can leave 93-97 %.
FEWEST, ERRORS = 20, 2
NAME = "area under ROC"


def _freedom(blocks: Blocks, found: influence.Influence, grouped: bool) -> float:
    """Welch's degrees of freedom: of the variance over relevant and that over other cases."""
    if grouped:
        return max(blocks.groups_worth() - 1, 1)
    positive, negative = blocks.squares()
    of_relevant = inner(positive, found.positive**2) + blocks.missed * found.missed**2
    of_other = inner(negative, found.negative**2)
    some, others = (max(size - 1, 1) for size in blocks.sizes())
    return (of_relevant + of_other) ** 2 / (of_relevant**2 / some + of_other**2 / others)


def _warn_few(blocks: Blocks, value: float, error: float, least: float) -> None:
    if blocks.grouped and warn_of_groups(NAME, blocks.groups(), blocks.groups_worth(), FEWEST_GROUPS):
        pass
    elif not error and 0 < value < 1:
        warn(
            f"{NAME}: all scores are equal, so that it is {value:g} whatever the cases; the bounds say no more"
        )
    elif least < FEWEST:
        warn(f"{NAME}: {least:.0f} relevant or other cases are few; the interval can miss its level")
    elif 0 < blocks.heavy() < FEWEST:
        warn(
            f"{NAME}: {blocks.heavy()} cases of much weight are few; the interval can cover less than it says"
        )
    elif least * min(value, 1 - value) < ERRORS:
        warn(f"{NAME}: {value:.4f} is at an end of 0..1 for {least:.0f} cases; it can miss its level")


@noting
def interval(blocks: Blocks, *, level: float = 0.95, method: str = "logit-delong") -> Interval:
    """Interval of the area under the ROC curve; see `pc.interval.area_under_roc`."""
    level = checked_level(level)
    chosen(method, METHODS)
    if not blocks.relevant or not blocks.other:
        lacking = "nothing is relevant" if blocks.other else "there is no other case"
        return undefined(NAME, lacking, level, method)
    grouped = blocks.grouped
    blocks = blocks.joined()
    found = influence.area_under_roc(blocks)
    if grouped and blocks.groups() < 2:
        return undefined(NAME, "it needs at least two groups", level, method, found.value)
    error = math.sqrt(influence.variance(blocks, found, stratified=True))
    least = min(blocks.sizes())
    _warn_few(blocks, found.value, error, least)
    told: dict[str, Any] = {"standard_error": error, "assumptions": "cases drawn independently"}
    if grouped:
        told["assumptions"] = "groups of cases drawn independently"
    if method == "delong":
        half = quantiles.z(level) * error
        low, high = max(found.value - half, 0.0), min(found.value + half, 1.0)
    elif found.value >= 1:
        low, high = perfect(least, level), 1.0
    elif found.value <= 0:
        low, high = 0.0, 1 - perfect(least, level)
    elif not error:
        low = high = found.value
    else:
        low, high = around(found.value, error, quantiles.t(level, _freedom(blocks, found, grouped)))
    return Interval(found.value, low, high, level, method, NAME, **told)
