"""Intervals for the areas of one scored list, average precision and area under ROC, as of ever more
cases.

Of the area under ROC: DeLong, DeLong & Clarke-Pearson (1988) and Sun & Xu (2014) for the variance;
Newcombe (2006) where it knows too little. With few errors expected, m (1 - AUC) of m cases of the
scarcer kind, the sample most often has none of the rare bad ones, and DeLong's interval then lies
above the truth. The bound on that side goes over into Newcombe's, by a weight of 1 / (1 + (errors /
4)²), wherever his is the wider; likewise on the other side, where errors are m AUC. The four was
chosen by simulation over eight distributions of scores (docs/why/intervals.md); in large samples it
does not matter.

Newcombe's method 5 is a score interval, which no sample makes too sure. Hanley & McNeil's variance,
of exponential scores, averaged over both directions, is a function of the area θ itself: it holds
the areas with |estimate - θ| ≤ z √V(θ).
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np

from precall.core.arguments import check_share
from precall.core.counts import by_mcclish
from precall.core.errors import UsageError
from precall.core.notes import warn
from precall.core.notes.of_intervals import (
    AtAnEnd,
    Biased,
    FewGroupsMatter,
    FewHeavyCases,
    FewOthersAbove,
    FewWithin,
    LoneCase,
    NextToOne,
    PartAtAnEnd,
)
from precall.core.rng import Rng, generator_and_seed
from precall.stats import influence, quantiles
from precall.stats.blocks import Blocks
from precall.stats.intervals.interval import (
    Interval,
    around,
    cut,
    estimating,
    expit,
    log_odds,
    undefined,
    warn_of_few,
)
from precall.stats.intervals.proportion import wilson
from precall.stats.resample.bootstrap import bounds
from precall.stats.resample.resampling import replicates, resample_paths

#: With fewer relevant items, or less than one expected miss, coverage leaves 93-97 %
#: (docs/how-to/intervals.md).
FEWEST_OF_AP = 20
#: Groups of uneven size count as so many even ones; with fewer it covers up to 98 %.
FEWEST_GROUPS = 8
#: Where the bias is more than this share of the error, as next to chance, it covers up to 99 %.
BIASED = 0.35
#: So many unseen cases may stand above every relevant one: half of one, as the least bound of a
#: count of 0 would have.
UNSEEN = 0.5
#: Weights of the two kinds of cases that differ by more than this share are unequal.
UNEVEN = 0.05
#: With fewer degrees of freedom over groups the interval is wide: such samples covered 97-100 %.
_FEWEST_FREE = 6
AP = "average precision"


@estimating("AP")
def average_precision(
    blocks: Blocks,
    *,
    level: float = 0.95,
    method: str = "logit",
    stratified: bool = False,
    rng: Rng = 0,
    resamples: int = 2000,
) -> Interval:
    """Interval of average precision of one scored list; see `pc.interval.average_precision`."""
    grouped = blocks.grouped
    if grouped and stratified:
        raise UsageError(
            argument="stratified",
            what="groups hold cases of both kinds",
            remedy="leave ⟨groups=⟩ or stratified=True out",
        )
    if not blocks.relevant:
        return undefined(AP, "nothing is relevant", level, method)
    if not blocks.positive.sum():
        return undefined(AP, "no relevant case was scored", level, method)
    whole, blocks = blocks, blocks.thin()
    found = PrecisionWithBounds.of(blocks, stratified)
    value, error = found.value, found.error
    if grouped and blocks.groups() < 2:
        return undefined(AP, "it needs at least two groups", level, method, value)
    resampling = method in ("percentile", "bca")
    if (lone := blocks.lone_kind()) and (value < 1 or resampling):
        return undefined(AP, lone, level, method, value)
    few = _warn_of_cases(blocks, value)
    if not error and value < 1:
        return undefined(AP, "its variance is 0, as all scores are equal", level, method, value)
    _warn_of_bias(found, method)
    if grouped and not few and found.freedom < _FEWEST_FREE:
        warn(FewGroupsMatter(AP, found.freedom + 1))
    facts: dict[str, Any] = {"assumptions": _assumed(grouped, stratified, blocks.real)}
    if resampling:
        source, seed = generator_and_seed(rng)
        facts |= {"seed": seed, "resamples": resamples}
        drawn = replicates(whole, resamples, source, stratified)
        low, high = bounds(
            method,
            drawn,
            value,
            level,
            lambda: influence.acceleration_of_cases(blocks, found.influences),
        )
    elif method == "normal":
        low, high = cut(value, quantiles.z(level) * error)
    else:
        low, high = found.bounds(level)
    return Interval(value, low, high, level, method, AP, standard_error=error, **facts)


def _warn_of_cases(blocks: Blocks, value: float) -> bool:
    """Warn of the cases that an average precision hangs on; whether there are few of them."""
    few = warn_of_few(AP, blocks, FEWEST_OF_AP, FEWEST_GROUPS)
    if few:
        return True
    if heavy := blocks.few_heavy_relevant():
        warn(FewHeavyCases(AP, heavy, "miss"))
    if (size := min(blocks.sizes())) * (1 - value) < 1:
        warn(NextToOne(AP, value, size))
    return False


def _warn_of_bias(found: PrecisionWithBounds, method: str) -> None:
    """Warn if the estimate is too high by much of its error, and the method does not take it off or
    cannot know how much.
    """
    value, error = found.value, found.error
    less = max(value - (found.low + found.high) / 2, found.shift)
    if found.is_bounded:
        warn(FewOthersAbove(AP, less, "wide" if method == "logit" else "far less"))
    elif found.shift > BIASED * error or (method != "logit" and less > BIASED * error):
        warn(Biased(AP, less, error, "more" if method == "logit" else "less"))


@dataclass(frozen=True)
class PrecisionWithBounds:
    """Average precision with its error, and what its bounds lie around.

    Parameters
    ----------
    influences, error, freedom : the value with its influences, their standard error, and its
        degrees of freedom.
    low, high : what the bounds lie around: the value less its bias, the lower one as if `UNSEEN`
        other cases more stood above every relevant case.
    shift : the bias that cases of one weight have, each by itself.
    low_error : the standard error below the value; see `_of_levels`.
    """

    blocks: Blocks
    influences: influence.Influence
    error: float
    freedom: float
    low: float
    high: float
    shift: float
    low_error: float

    @classmethod
    def of(cls, blocks: Blocks, stratified: bool = False) -> PrecisionWithBounds:
        """Of cases of which some relevant one was scored."""
        influences = influence.average_precision(blocks)
        error = math.sqrt(influence.variance(blocks, influences, stratified))
        freedom = max(min(blocks.sizes()) - 1, 1.0)
        if blocks.cases is not None and blocks.cases.group is not None:
            each, cases = influence.per_case(blocks, influences), blocks.cases
            sums = influence.sums_of_groups(each, cases.relevant, cases.weight, blocks.cases.group)
            freedom = influence.freedom_of_groups(sums, blocks.effective_groups())
        left = influence.LeaveOut.of(blocks) if blocks.cases is not None and blocks.other else None
        low, high, shift = _centres(blocks, influences.value, stratified, left)
        low_error = error
        if left is not None and blocks.heavier() - 1 > UNEVEN:
            low_error = math.hypot(error, left.typical * _of_levels(blocks))
        return cls(blocks, influences, error, freedom, low, high, shift, low_error)

    @property
    def value(self) -> float:
        """The estimate."""
        return self.influences.value

    @property
    def is_bounded(self) -> bool:
        """Whether weights of the kinds differ, and the bounds lie around values that are far
        apart.
        """
        uneven = abs(self.blocks.heavier() - 1) > UNEVEN
        return uneven and self.high - self.low > BIASED * self.error

    def bounds(self, level: float) -> tuple[float, float]:
        """Symmetric on the log-odds scale, with Student's t."""
        value = self.value
        if value >= 1:
            return perfect(_trials(self.blocks), level), 1.0
        quantile = quantiles.t(level, self.freedom)
        low = around(self.low, self.low_error, quantile)[0]
        high = around(self.high, self.error, quantile)[1]
        # What was observed belongs to what it is an estimate of.
        return min(low, value), max(high, value)


def _centres(
    blocks: Blocks, value: float, stratified: bool, left: influence.LeaveOut | None
) -> tuple[float, float, float]:
    """The value less a part of its bias, and less what unequal weights and groups add to that; and
    the bias without these.

    The part is the share of other cases: all of the bias if relevant ones are rare, half of it if
    they are as many. That was chosen by simulation (docs/why/intervals.md), and does not matter in
    large samples.
    """
    rare = blocks.other / (blocks.other + blocks.relevant)
    shift = rare * influence.bias(blocks, stratified) if blocks.other else 0.0
    # Never past half the way to 0: with two or three relevant cases the bias is known no better.
    centre = value - min(shift, value / 2)
    if left is None:
        return centre, centre, shift
    alone = influence.LeaveOut.of_cases(blocks) if blocks.grouped else left
    plain = alone.mean(alone.precision(corrected=False)) / blocks.relevant

    def less(unseen: float) -> float:
        # Where all weigh the same, each in a group of its own, both means are one.
        mean = left.mean(left.precision(unseen)) / blocks.relevant
        return min(max(centre + mean - plain, mean, value * 1e-9), (1 + value) / 2)

    return less(UNSEEN), less(0.0), shift


def _of_levels(blocks: Blocks) -> float:
    """What one case more in each level of a few, as of grades, adds to the standard error of AP, by
    the weight of the case.

    Where many relevant cases share a score, the number of heavy others beside and above them is
    that of one draw: few or none say little of how many there are, and lists without ties, where
    many such draws add up, have no such error. A level counts by the square of its share of the
    relevant cases, in tenths.
    """
    assert blocks.cases is not None
    share = blocks.positive / blocks.relevant
    accepted = np.where(blocks.tp > 0, blocks.tp + blocks.fp, 1.0)
    # By how much AP falls with the weight of others in a level, which stand above all levels below
    # it, too.
    falls = np.cumsum((share * blocks.tp / accepted**2)[::-1])[::-1]
    several = np.bincount(blocks.cases.block[blocks.cases.relevant], minlength=len(share)) > 1
    counts = np.where(several, np.minimum(10 * share, 1.0) ** 2, 0.0)
    return math.sqrt(float((counts * falls**2).sum()))


def _trials(blocks: Blocks) -> float:
    """Relevant cases, or even groups, each of which might have gone wrong; heavier others are so
    many errors at once.
    """
    trials = min(blocks.sizes()[0], blocks.effective_groups() if blocks.grouped else math.inf)
    return trials / max(blocks.heavier(), 1.0)


def perfect(trials: float, level: float) -> float:
    """Lower bound where nothing went wrong: Wilson's for that many trials without a failure."""
    return wilson(max(int(trials), 1), max(int(trials), 1), level)[0]


def _assumed(grouped: bool, stratified: bool, real: bool) -> str:
    if grouped:
        return "groups of cases drawn independently"
    kinds = "; numbers of relevant and other cases fixed" if stratified else ""
    return f"cases drawn independently{', with sampling weights' if real else ''}{kinds}"


#: With fewer cases of a kind, or less than so many expected errors, coverage can leave 93-97 %.
FEWEST, ERRORS = 25, 3
#: Methods of the normal distribution.
_NORMAL = ("delong", "obuchowski")
#: With so many expected errors the bound is half DeLong's, half Newcombe's.
_EVEN = 4
AUC = "area under ROC"
#: Halvings of a stretch of log-odds; more move nothing.
_HALVINGS = 80


def _freedom(blocks: Blocks, influences: influence.Influence, sizes: tuple[float, float]) -> float:
    """Welch's degrees of freedom: of the variance over relevant and that over other cases, of which
    there are so many.
    """
    if blocks.grouped:
        return max(blocks.effective_groups() - 1, 1)
    parts = influence.of_kinds(blocks, influences)
    # Over the greater of both, as their squares can be too small for a number.
    shares = [part / max(parts) for part in parts]
    some, others = (share**2 / max(size - 1, 1) for share, size in zip(shares, sizes, strict=True))
    return (shares[0] + shares[1]) ** 2 / (some + others)


@estimating("AUC")
def area_under_roc(
    blocks: Blocks, *, level: float = 0.95, method: str = "delong-newcombe"
) -> Interval:
    """Interval of the area under the ROC curve; see `pc.interval.area_under_roc`."""
    if not blocks.relevant or not blocks.other:
        lacking = "nothing is relevant" if blocks.other else "there is no other case"
        return undefined(AUC, lacking, level, method)
    grouped = blocks.grouped
    blocks = blocks.join()
    influences = influence.area_under_roc(blocks)
    value = influences.value
    if grouped and blocks.groups() < 2:
        return undefined(AUC, "it needs at least two groups", level, method, value)
    lone = blocks.lone_kind()
    if lone and (grouped or not method.endswith("newcombe")):
        return undefined(AUC, lone, level, method, value)
    if lone:
        return _of_lone_kind(blocks, value, level, method, lone)
    error = _whole(_error(blocks, influences, method))
    # At an end but for rounding, too, the bound is that of an end.
    within = _whole(value)
    if not error and (0 < within < 1 or method in _NORMAL):
        kinds = "groups are alike" if grouped else "no case differs from its kind"
        why = "all scores are equal" if len(blocks.positive) == 1 else kinds
        return undefined(AUC, f"its variance is 0, as {why}", level, method, value)
    ends = _ends(blocks, influences, error, level, method)
    least = min(blocks.sizes())
    few = warn_of_few(AUC, blocks, FEWEST, FEWEST_GROUPS, weights=True)
    if not few and least * min(value, 1 - value) < ERRORS:
        warn(AtAnEnd(AUC, value, least))
    assumed = "groups of cases drawn independently" if grouped else "cases drawn independently"
    if method.endswith("newcombe"):
        assumed += "; errors that are too rare for the sample vary as those of exponential scores"
    return Interval(value, *ends, level, method, AUC, assumed, standard_error=error)


def _ends(
    blocks: Blocks, influences: influence.Influence, error: float, level: float, method: str
) -> tuple[float, float]:
    """Bounds of the area by the method."""
    value, sizes = influences.value, blocks.sizes()
    if method in _NORMAL:
        return cut(value, quantiles.z(level) * error)
    freedom = _freedom(blocks, influences, sizes) if error else 1.0
    ends = _of_delong(_whole(value), error, min(sizes), freedom, level)
    if not method.endswith("newcombe"):
        return ends
    return _of_newcombe(value, ends if method == "delong-newcombe" else None, sizes, level)


def _of_lone_kind(blocks: Blocks, value: float, level: float, method: str, lone: str) -> Interval:
    """Newcombe's interval, whose variance needs no second case of a kind."""
    warn(LoneCase(AUC, lone))
    assumed = "cases drawn independently; scores are exponential"
    return Interval(
        value, *_of_newcombe(value, None, blocks.sizes(), level), level, method, AUC, assumed
    )


def _error(blocks: Blocks, influences: influence.Influence, method: str) -> float:
    """Of an area, by DeLong's variance or Obuchowski's."""
    cases = blocks.cases
    if method == "obuchowski" and cases is not None and cases.group is not None:
        each = influence.per_case(blocks, influences)
        return math.sqrt(influence.obuchowski(each, cases.relevant, cases.group))
    # Of a part rounding can take it below 0.
    return math.sqrt(max(influence.variance(blocks, influences, stratified=True), 0.0))


#: Sums of whole shares are whole but for this.
_WHOLE = 1e-12


def _whole(share: float) -> float:
    """A share, or a standard error of one; 0 or 1 where it is that but for rounding."""
    near = float(np.rint(share))
    return near if abs(share - near) < _WHOLE else share


#: Of a part of the area: with fewer other cases within it coverage can leave 93-97 %.
FEWEST_WITHIN = 15


@estimating("part of AUC")
def partial_area_under_roc(
    blocks: Blocks,
    max_fpr: float,
    mcclish: bool = False,
    *,
    level: float = 0.95,
    method: str = "logit-delong",
    rng: Rng = 0,
    resamples: int = 2000,
) -> Interval:
    """Interval of the area under ROC up to a false positive rate; see
    `pc.interval.partial_area_under_roc`.
    """
    most = check_share("max_fpr", max_fpr, nonzero=True)
    name = f"area under ROC up to {most:g}{', McClish' * bool(mcclish)}"
    if not blocks.relevant or not blocks.other:
        lacking = "nothing is relevant" if blocks.other else "there is no other case"
        return undefined(name, lacking, level, method)
    influences = influence.area_under_roc(blocks, most)
    # Of the greatest area there can be.
    value = _whole(influences.value / most)
    moved: Callable[[float], float] = partial(by_mcclish, max_fpr=most) if mcclish else float
    estimate = moved(influences.value)
    if blocks.grouped and blocks.groups() < 2:
        return undefined(name, "it needs at least two groups", level, method, estimate)
    if lone := blocks.lone_kind():
        return undefined(name, lone, level, method, estimate)
    error = _whole(_error(blocks, influences, method) / most)
    if not error > 0 and (0 < value < 1 or method in _NORMAL):
        return undefined(name, "its variance is 0", level, method, estimate)
    _warn_of_part(name, blocks, most, value)
    facts: dict[str, Any] = {"assumptions": _assumed(blocks.grouped, False, blocks.real)}
    facts |= {"standard_error": error * abs(moved(most) - moved(0.0))}
    if method in ("percentile", "bca"):
        source, seed = generator_and_seed(rng)
        drawn = (
            np.concatenate([path.area(most) for path in resample_paths(blocks, resamples, source)])
            / most
        )
        drawn = drawn[~np.isnan(drawn)]
        ends = bounds(
            method, drawn, value, level, lambda: influence.acceleration_of_cases(blocks, influences)
        )
        facts |= {"seed": seed, "resamples": resamples}
    elif method in _NORMAL:
        ends = cut(value, quantiles.z(level) * error)
    else:
        relevant, other = blocks.sizes()
        within = relevant, most * other
        freedom = max(_freedom(blocks, influences, within), 1) if 0 < value < 1 else 1.0
        ends = _of_delong(value, error, min(within), freedom, level)
    low, high = (moved(end * most) for end in ends)
    return Interval(estimate, min(low, estimate), max(high, estimate), level, method, name, **facts)


def _warn_of_part(name: str, blocks: Blocks, most: float, value: float) -> None:
    within = most * blocks.sizes()[1]
    if warn_of_few(name, blocks, FEWEST, FEWEST_GROUPS, weights=True):
        return
    if within < FEWEST_WITHIN:
        warn(FewWithin(name, within))
    elif (least := min(blocks.sizes()[0], within)) * min(value, 1 - value) < ERRORS:
        warn(PartAtAnEnd(name, value, least))


def _of_delong(
    value: float, error: float, trials: float, freedom: float, level: float
) -> tuple[float, float]:
    """Around the log-odds of the value; at 0 and 1 Wilson's for as many trials as cases of the
    scarcer kind.
    """
    if 0 < value < 1:
        return around(value, error, quantiles.t(level, freedom))
    end = perfect(trials, level)
    return (end, 1.0) if value >= 1 else (0.0, 1 - end)


def _of_newcombe(
    value: float, delong: tuple[float, float] | None, sizes: tuple[float, float], level: float
) -> tuple[float, float]:
    """Newcombe's bounds; or those between his and DeLong's, on the log-odds scale, where his are
    wider.
    """
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
    """θ (1 - θ) (1 + N ((1 - θ) / (2 - θ) + θ / (1 + θ))) / (m n), N = (m + n) / 2 - 1: of the
    estimate of an area θ.
    """
    even = (relevant + other) / 2 - 1
    share = (1 - area) / (2 - area) + area / (1 + area)
    return area * (1 - area) * (1 + even * share) / (relevant * other)


def newcombe_lower(value: float, relevant: float, other: float, z: float) -> float:
    """The least area that the estimate does not exclude; the greatest is 1 - lower(1 - value)."""
    if value <= 0:
        return 0.0
    least, most = -700.0, 40.0 if value >= 1 else math.log(value / (1 - value))
    for _ in range(_HALVINGS):
        middle = (least + most) / 2
        area = 1 / (1 + math.exp(-middle))
        done = middle in (least, most)
        if value - area > z * math.sqrt(newcombe_variance(area, relevant, other)):
            least = middle
        else:
            most = middle
        if done:
            break
    return 1 / (1 + math.exp(-least))
