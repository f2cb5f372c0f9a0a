"""Intervals for average precision as an estimate of what it would be on ever more cases."""

from __future__ import annotations

import math
from typing import Any

from precall.errors import UsageError
from precall.infer import influence, quantiles
from precall.infer.blocks import Blocks
from precall.infer.interval.interval import Interval, estimating, undefined, warn_of_few
from precall.infer.interval.logit import around, cut
from precall.infer.interval.proportion import wilson
from precall.infer.resample.bootstrap import bounds
from precall.infer.resample.resampling import replicates
from precall.notes import warn
from precall.rng import Rng, seeded

#: With fewer relevant items, or less than one expected miss, coverage leaves 93-97 % (docs/intervals.md).
FEWEST = 20
#: Groups of uneven size count as so many even ones; with fewer it covers up to 98 %.
FEWEST_GROUPS = 8
#: Where the bias is more than this share of the error, as next to chance, it covers up to 99 %.
BIASED = 0.35
NAME = "average precision"


@estimating("AP")
def interval(
    blocks: Blocks, *, level: float = 0.95, method: str = "logit", stratified: bool = False, rng: Rng = 0,
    resamples: int = 2000,
) -> Interval:  # fmt: skip
    """Interval of average precision of one scored list; see `pc.interval.average_precision`."""
    grouped = blocks.grouped
    if grouped and stratified:
        raise UsageError("stratified: groups hold cases of both kinds; leave groups= or stratified=True out")
    if not blocks.relevant:
        return undefined(NAME, "nothing is relevant", level, method)
    if not blocks.positive.sum():
        return undefined(NAME, "no relevant case was scored", level, method)
    whole, blocks = blocks, blocks.thinned()
    influences = influence.average_precision(blocks)
    value = influences.value
    if grouped and blocks.groups() < 2:
        return undefined(NAME, "it needs at least two groups", level, method, value)
    size = min(blocks.sizes())
    if not warn_of_few(NAME, blocks, FEWEST, FEWEST_GROUPS, weights=True) and size * (1 - value) < 1:
        warn(f"{NAME}: {value:.4f} is next to 1 for {size:.0f} cases; the interval can miss its level")
    error = math.sqrt(influence.variance(blocks, influences, stratified))
    if not error and value < 1:
        return undefined(NAME, "its variance is 0, as all scores are equal", level, method, value)
    facts: dict[str, Any] = {"assumptions": _assumed(grouped, stratified, blocks.real)}
    if method in ("percentile", "bca"):
        source, seed = seeded(rng)
        facts |= {"seed": seed, "resamples": resamples}
        drawn = replicates(whole, resamples, source, stratified)
        low, high = bounds(method, drawn, value, level, lambda: influence.third_power(blocks, influences))
    elif method == "normal":
        low, high = cut(value, quantiles.z(level) * error)
    else:
        low, high = _logit(blocks, value, error, level, stratified, grouped)
    return Interval(value, low, high, level, method, NAME, standard_error=error, **facts)


def _logit(
    blocks: Blocks, value: float, error: float, level: float, stratified: bool, grouped: bool
) -> tuple[float, float]:  # fmt: skip
    """Around the value less a part of its bias, on the log-odds scale, with Student's t.

    The degrees of freedom are those of the relevant cases (or of the groups). The part is the share of other
    cases: all of the bias where relevant ones are rare, half of it where they are as many. Both were chosen by
    simulation (docs/intervals.md), and neither matters in large samples.
    """
    if value >= 1:
        return perfect(blocks.relevant, level), 1.0
    size = blocks.effective_groups() if grouped else min(blocks.sizes())
    centre = value
    if not grouped and blocks.other:
        rare = blocks.other / (blocks.other + blocks.relevant)
        # Never past half the way to 0: with two or three relevant cases the bias is known no better.
        shift = rare * influence.bias(blocks, stratified)
        if shift > BIASED * error:
            warn(
                f"{NAME}: bias {shift:.4f} is much beside an error of {error:.4f}; the interval can cover more than it says"
            )
        centre -= min(shift, value / 2)
    low, high = around(centre, error, quantiles.t(level, max(size - 1, 1)))
    # What was observed belongs to what it is an estimate of.
    return min(low, value), max(high, value)


def perfect(trials: float, level: float) -> float:
    """Lower bound where nothing went wrong: Wilson's for that many trials without a failure."""
    return wilson(max(int(trials), 1), max(int(trials), 1), level)[0]


def _assumed(grouped: bool, stratified: bool, real: bool) -> str:
    if grouped:
        return "groups of cases drawn independently"
    kinds = "; numbers of relevant and other cases fixed" if stratified else ""
    return f"cases drawn independently{', with sampling weights' if real else ''}{kinds}"
