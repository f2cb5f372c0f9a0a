"""Intervals for average precision and the area under ROC of one scored list: estimates of their
values over an unlimited sample.

The area under ROC has the variance of DeLong, DeLong & Clarke-Pearson (1988), computed as by Sun &
Xu (2014). If errors are rare, the interval of Newcombe (2006) is used as well. The expected number
of errors is m (1 - AUC) for m cases of the scarcer kind. If it is low, most samples contain none of
the rare bad cases, and DeLong's interval lies above the truth. So the bound on that side moves
towards Newcombe's, by a weight of 1 / (1 + (errors / 4)²), wherever Newcombe's is wider. The other
side is treated alike, with m AUC errors. The 4 was chosen by simulation over eight distributions of
scores (docs/why/intervals.md); in large samples it does not matter.

Newcombe's method 5 is a score interval, so it does not collapse for any sample. It uses Hanley &
McNeil's variance of exponential scores, averaged over both directions. That variance V is a
function of the area θ itself; the interval holds the areas with |estimate - θ| ≤ z √V(θ).
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
    FarGroups,
    FewGroups,
    FewGroupsMatter,
    FewHeavyCases,
    FewOthersAbove,
    FewWithin,
    LoneCase,
    NextToOne,
    PartAtAnEnd,
    SkewedGroups,
)
from precall.core.ragged import Float64
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
from precall.stats.levels_of_groups import heavy_tails
from precall.stats.resample.bootstrap import bounds
from precall.stats.resample.resampling import replicates, resample_paths
from precall.stats.skewness import MUCH as SKEWED
from precall.stats.skewness import skewness

#: With fewer relevant items, or less than one expected miss, coverage leaves 93-97 %
#: (docs/how-to/intervals.md).
FEWEST_OF_AP = 20
#: Uneven groups count as their effective number. With fewer than this, intervals cover up to 98 %.
FEWEST_GROUPS = 8
#: If the bias is more than this share of the standard error, as for scores hardly better than
#: chance, intervals cover up to 99 %.
BIASED = 0.35
#: Number of unseen other cases that are assumed above every relevant one: half a case, as the least
#: bound for a count of 0.
UNSEEN = 0.5
#: The weights of relevant and other cases are unequal if they differ by more than this share.
UNEVEN = 0.05
#: With fewer degrees of freedom over groups the interval is wide: simulated coverage was 97-100 %.
_FEWEST_FREE = 6
#: Fewer groups than this do not show whether a few stand far off. If one in ten does, and lowers an
#: area, 12 % of the intervals of 20 groups missed it, and 11 % of those of average precision, most
#: often because the sample had no such group.
FEWEST_TO_SHOW = 25
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
    grouped = blocks.has_groups
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
    # AP stays the same if blocks without hits are merged; samples are drawn from all blocks.
    all_blocks, blocks = blocks, blocks.thin()
    precision = PrecisionWithBounds.of(blocks, stratified)
    value, error = precision.value, precision.error
    if grouped and blocks.groups() < 2:
        return undefined(AP, "it needs at least two groups", level, method, value)
    resampling = method in ("percentile", "bca")
    if (lone := blocks.lone_kind()) and (value < 1 or resampling):
        return undefined(AP, lone, level, method, value)
    is_small = _warn_of_cases(blocks, value)
    if not error and value < 1:
        return undefined(AP, "its variance is 0, as all scores are equal", level, method, value)
    _warn_of_bias(precision, method)
    if grouped and not is_small:
        _warn_of_groups(precision, all_blocks)
    facts: dict[str, Any] = {"assumptions": assumptions_of(grouped, stratified, blocks.real)}
    if resampling:
        source, seed = generator_and_seed(rng)
        facts |= {"seed": seed, "resamples": resamples}
        samples = replicates(all_blocks, resamples, source, stratified)
        low, high = bounds(
            method,
            samples,
            value,
            level,
            lambda: influence.acceleration_of_cases(blocks, precision.influences),
        )
    elif method == "normal":
        low, high = cut(value, quantiles.z(level) * error)
    else:
        low, high = precision.bounds(level)
    return Interval(value, low, high, level, method, AP, standard_error=error, **facts)


def _warn_of_cases(blocks: Blocks, value: float) -> bool:
    """Warn if an average precision depends on few cases; return whether the sample is small."""
    is_small = warn_of_few(AP, blocks, FEWEST_OF_AP, FEWEST_GROUPS)
    if is_small:
        return True
    if heavy := blocks.few_heavy_relevant():
        warn(FewHeavyCases(AP, heavy, "miss"))
    if (size := min(blocks.sizes())) * (1 - value) < 1:
        warn(NextToOne(AP, value, size))
    return False


def _warn_of_groups(precision: PrecisionWithBounds, all_blocks: Blocks) -> None:
    """Warn if a few groups make most of the error of an average precision, if groups are too few to
    show whether a few score far off, or if a few do.
    """
    blocks = precision.blocks
    if precision.freedom < _FEWEST_FREE:
        warn(FewGroupsMatter(AP, precision.freedom + 1))
    elif len(_sums_of_groups(blocks, precision.influences)) < FEWEST_TO_SHOW:
        warn(FewGroups(AP, blocks.groups(), blocks.effective_groups()))
    elif tails := heavy_tails(all_blocks):
        warn(FarGroups(AP, blocks.groups(), tails))


def _warn_of_bias(precision: PrecisionWithBounds, method: str) -> None:
    """Warn if the bias is large for the standard error, and the method does not correct it or does
    not know its size.
    """
    value, error = precision.value, precision.error
    bias = max(value - (precision.low + precision.high) / 2, precision.shift)
    if precision.has_distant_centres:
        warn(FewOthersAbove(AP, bias, "wide" if method == "logit" else "far less"))
    elif precision.shift > BIASED * error or (method != "logit" and bias > BIASED * error):
        warn(Biased(AP, bias, error, "more" if method == "logit" else "less"))


@dataclass(frozen=True)
class PrecisionWithBounds:
    """Average precision with its standard error and the centres of its bounds.

    Parameters
    ----------
    influences, error, freedom : the value with its influences, the standard error, and its degrees
        of freedom.
    low, high : centres of the two bounds: the value minus its bias. The lower centre assumes
        `UNSEEN` more other cases above every relevant case.
    shift : the bias if all cases had the same weight and were independent.
    low_error : the standard error for the lower bound; see `_level_error`.
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
        """The average precision of cases, at least one of which is relevant and was scored."""
        influences = influence.average_precision(blocks)
        error = math.sqrt(influence.variance(blocks, influences, stratified))
        # Where many items were missed, both are tiny and no rounding errors.
        if error < _ROUNDING * influences.value:
            error = 0.0
        freedom = max(min(blocks.sizes()) - 1, 1.0)
        if blocks.cases is not None and blocks.cases.group is not None:
            each, cases = influence.per_case(blocks, influences), blocks.cases
            sums = influence.sums_of_groups(each, cases.relevant, cases.weight, blocks.cases.group)
            freedom = influence.freedom_of_groups(sums, blocks.effective_groups())
        leave_out = (
            influence.LeaveOut.of(blocks) if blocks.cases is not None and blocks.other else None
        )
        low, high, shift = _centres(blocks, _at_most_one(influences.value), stratified, leave_out)
        low_error = error
        if leave_out is not None and blocks.heavier() - 1 > UNEVEN:
            low_error = math.hypot(error, leave_out.typical * _level_error(blocks))
        return cls(blocks, influences, error, freedom, low, high, shift, low_error)

    @property
    def value(self) -> float:
        """The estimate; sums of real weights can leave a perfect one next to 1."""
        return _at_most_one(self.influences.value)

    @property
    def has_distant_centres(self) -> bool:
        """Whether relevant and other cases have unequal weights, and the two centres are far
        apart.
        """
        uneven = abs(self.blocks.heavier() - 1) > UNEVEN
        return uneven and self.high - self.low > BIASED * self.error

    def bounds(self, level: float) -> tuple[float, float]:
        """Bounds that are symmetric on the log-odds scale, with quantiles of Student's t."""
        value = self.value
        if value >= 1:
            return perfect(_trials(self.blocks), level), 1.0
        quantile = quantiles.t(level, self.freedom)
        low = around(self.low, self.low_error, quantile)[0]
        high = around(self.high, self.error, quantile)[1]
        # The interval always contains the estimate.
        return min(low, value), max(high, value)


def _centres(
    blocks: Blocks, value: float, stratified: bool, leave_out: influence.LeaveOut | None
) -> tuple[float, float, float]:
    """Centres of the lower and of the upper bound, and the bias without weights and groups.

    The centres are the value minus a part of its bias, and minus the bias that unequal weights and
    groups add. The part is the share of other cases: nearly all of the bias if relevant cases are
    rare, half of it if both kinds are equally frequent. This was chosen by simulation
    (docs/why/intervals.md), and does not matter in large samples.
    """
    rare = blocks.other / (blocks.other + blocks.relevant)
    shift = rare * influence.bias(blocks, stratified) if blocks.other else 0.0
    # At most half of the value: with two or three relevant cases the bias is not known precisely.
    centre = value - min(shift, value / 2)
    if leave_out is None:
        return centre, centre, shift
    independent = influence.LeaveOut.of_cases(blocks) if blocks.has_groups else leave_out
    plain_mean = independent.mean(independent.precision(corrected=False)) / blocks.relevant

    def centre_with(unseen: float) -> float:
        # If all weights are equal and every case is its own group, both means are equal.
        mean = leave_out.mean(leave_out.precision(unseen)) / blocks.relevant
        return min(max(centre + mean - plain_mean, mean, value * 1e-9), (1 + value) / 2)

    return centre_with(UNSEEN), centre_with(0.0), shift


def _level_error(blocks: Blocks) -> float:
    """Effect on the standard error of AP of one more case in each of a few score levels, such as
    grades; per unit of the weight of the case.

    If many relevant cases share a score, the number of heavy other cases at that score or above
    comes from one draw. If few or none were drawn, that says little about how many there are. Lists
    without ties have no such error, as many such draws add up. A level counts by the square of ten
    times its share of the relevant cases, at most 1.
    """
    assert blocks.cases is not None
    share = blocks.positive / blocks.relevant
    accepted = np.where(blocks.tp > 0, blocks.tp + blocks.fp, 1.0)
    # How much AP falls per weight of other cases in a level, as they also stand above all lower
    # levels.
    falls = np.cumsum((share * blocks.tp / accepted**2)[::-1])[::-1]
    has_several = np.bincount(blocks.cases.block[blocks.cases.relevant], minlength=len(share)) > 1
    counts = np.where(has_several, np.minimum(10 * share, 1.0) ** 2, 0.0)
    return math.sqrt(float((counts * falls**2).sum()))


def _trials(blocks: Blocks) -> float:
    """The number of relevant cases or effective groups, each of which could have been an error. One
    heavy other case makes several errors at once, so the number is divided by its weight.
    """
    trials = min(blocks.sizes()[0], blocks.effective_groups() if blocks.has_groups else math.inf)
    return trials / max(blocks.heavier(), 1.0)


def perfect(trials: float, level: float) -> float:
    """Lower bound of a value of 1: Wilson's bound for this number of trials without a failure."""
    return wilson(max(int(trials), 1), max(int(trials), 1), level)[0]


def assumptions_of(grouped: bool, stratified: bool, real: bool) -> str:
    if grouped:
        return "groups of cases drawn independently"
    kinds = "; numbers of relevant and other cases fixed" if stratified else ""
    return f"cases drawn independently{', with sampling weights' if real else ''}{kinds}"


#: With fewer cases of a kind, or fewer expected errors, coverage can leave 93-97 %.
FEWEST, ERRORS = 25, 3
#: Methods that use the normal distribution.
_NORMAL = ("delong", "obuchowski")
#: With this number of expected errors the bound is half DeLong's, half Newcombe's.
_EVEN = 4
AUC = "area under ROC"
#: Bisection steps on the log-odds scale; further ones change nothing.
_HALVINGS = 80


def _freedom(blocks: Blocks, influences: influence.Influence, sizes: tuple[float, float]) -> float:
    """Welch's degrees of freedom, from the variances over relevant and over other cases.

    `sizes` are the numbers of these cases.
    """
    if blocks.has_groups:
        return max(blocks.effective_groups() - 1, 1)
    variances = influence.of_kinds(blocks, influences)
    # Divided by the greater of both, as their squares could underflow.
    shares = [variance / max(variances) for variance in variances]
    of_relevant, of_other = (
        share**2 / max(size - 1, 1) for share, size in zip(shares, sizes, strict=True)
    )
    return (shares[0] + shares[1]) ** 2 / (of_relevant + of_other)


@estimating("AUC")
def area_under_roc(
    blocks: Blocks, *, level: float = 0.95, method: str = "delong-newcombe"
) -> Interval:
    """Interval of the area under the ROC curve; see `pc.interval.area_under_roc`."""
    if not blocks.relevant or not blocks.other:
        reason = "nothing is relevant" if blocks.other else "there is no other case"
        return undefined(AUC, reason, level, method)
    grouped = blocks.has_groups
    blocks = blocks.join()
    influences = influence.area_under_roc(blocks)
    value = influences.value
    if grouped and blocks.groups() < 2:
        return undefined(AUC, "it needs at least two groups", level, method, value)
    lone = blocks.lone_kind()
    if lone and (grouped or not method.endswith("newcombe")):
        return undefined(AUC, lone, level, method, value)
    if lone:
        return _interval_of_lone_kind(blocks, value, level, method, lone)
    error = _snap(_standard_error(blocks, influences, method))
    # A value that is 0 or 1 except for rounding is treated as 0 or 1.
    within = _snap(value)
    if not error and (0 < within < 1 or method in _NORMAL):
        kinds = "groups are alike" if grouped else "no case differs from its kind"
        why = "all scores are equal" if len(blocks.positive) == 1 else kinds
        return undefined(AUC, f"its variance is 0, as {why}", level, method, value)
    ends = _bounds_by_method(blocks, influences, error, level, method)
    least = min(blocks.sizes())
    is_small = warn_of_few(AUC, blocks, FEWEST, FEWEST_GROUPS, weights=True)
    is_small = is_small or warn_of_skewed_groups(AUC, blocks, influences)
    if not is_small and least * min(value, 1 - value) < ERRORS:
        warn(AtAnEnd(AUC, value, least))
    assumption = "groups of cases drawn independently" if grouped else "cases drawn independently"
    if method.endswith("newcombe"):
        assumption += (
            "; errors that are too rare for the sample vary as those of exponential scores"
        )
    return Interval(value, *ends, level, method, AUC, assumption, standard_error=error)


def _bounds_by_method(
    blocks: Blocks, influences: influence.Influence, error: float, level: float, method: str
) -> tuple[float, float]:
    """Bounds of the area by the method."""
    value, sizes = influences.value, blocks.sizes()
    if method in _NORMAL:
        return cut(value, quantiles.z(level) * error)
    freedom = _freedom(blocks, influences, sizes) if error else 1.0
    ends = delong_bounds(_snap(value), error, min(sizes), freedom, level)
    if not method.endswith("newcombe"):
        return ends
    return _newcombe_bounds(value, ends if method == "delong-newcombe" else None, sizes, level)


def _interval_of_lone_kind(
    blocks: Blocks, value: float, level: float, method: str, lone: str
) -> Interval:
    """Newcombe's interval; its variance needs only one case of each kind."""
    warn(LoneCase(AUC, lone))
    assumption = "cases drawn independently; scores are exponential"
    return Interval(
        value, *_newcombe_bounds(value, None, blocks.sizes(), level), level, method, AUC, assumption
    )


def warn_of_skewed_groups(name: str, blocks: Blocks, influences: influence.Influence) -> bool:
    """Warn if a few groups stand far off, or if groups are too few to show that; return whether a
    warning was given.

    Groups are judged by what they contribute to the area: their sums of influences.
    """
    sums = _sums_of_groups(blocks, influences)
    count = len(sums)
    if not count:
        return False
    if count < FEWEST_TO_SHOW:
        warn(FewGroups(name, blocks.groups(), blocks.effective_groups()))
    elif count < SKEWED * (skew := float(skewness(sums[:, None])[0])) ** 2:
        warn(SkewedGroups(name, blocks.groups(), skew))
    else:
        return False
    return True


def _sums_of_groups(blocks: Blocks, influences: influence.Influence) -> Float64:
    """Sums of the influences of the groups that have one; empty if there are no groups."""
    cases = blocks.cases
    if cases is None or cases.group is None:
        return np.zeros(0)
    each = influence.per_case(blocks, influences)
    sums = influence.sums_of_groups(each, cases.relevant, cases.weight, cases.group)
    return sums[np.abs(sums) > _ROUNDING * float(np.abs(sums).max(initial=0.0))]


def _standard_error(blocks: Blocks, influences: influence.Influence, method: str) -> float:
    """Standard error of an area, by DeLong's variance or Obuchowski's."""
    cases = blocks.cases
    if method == "obuchowski" and cases is not None and cases.group is not None:
        each = influence.per_case(blocks, influences)
        return math.sqrt(influence.obuchowski(each, cases.relevant, cases.group))
    # The variance of a partial area can be negative by rounding.
    return math.sqrt(max(influence.variance(blocks, influences, stratified=True), 0.0))


#: A number this close to an integer differs from it by rounding only.
_ROUNDING = 1e-12


def _snap(share: float) -> float:
    """A share or its standard error, rounded to 0 or 1 if it differs only by rounding errors."""
    near = float(np.rint(share))
    return near if abs(share - near) < _ROUNDING else share


def _at_most_one(share: float) -> float:
    """A share, rounded to 1 if it differs from it only by rounding errors."""
    return 1.0 if share > 1 - _ROUNDING else share


#: With fewer other cases within a partial area, its coverage can leave 93-97 %.
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
        reason = "nothing is relevant" if blocks.other else "there is no other case"
        return undefined(name, reason, level, method)
    influences = influence.area_under_roc(blocks, most)
    # As a share of the greatest possible area.
    value = _snap(influences.value / most)
    rescale: Callable[[float], float] = partial(by_mcclish, max_fpr=most) if mcclish else float
    estimate = rescale(influences.value)
    if blocks.has_groups and blocks.groups() < 2:
        return undefined(name, "it needs at least two groups", level, method, estimate)
    if lone := blocks.lone_kind():
        return undefined(name, lone, level, method, estimate)
    error = _snap(_standard_error(blocks, influences, method) / most)
    if not error > 0 and (0 < value < 1 or method in _NORMAL):
        return undefined(name, "its variance is 0", level, method, estimate)
    _warn_of_part(name, blocks, influences, most, value)
    facts: dict[str, Any] = {"assumptions": assumptions_of(blocks.has_groups, False, blocks.real)}
    facts |= {"standard_error": error * abs(rescale(most) - rescale(0.0))}
    if method in ("percentile", "bca"):
        source, seed = generator_and_seed(rng)
        samples = (
            np.concatenate([path.area(most) for path in resample_paths(blocks, resamples, source)])
            / most
        )
        samples = samples[~np.isnan(samples)]
        ends = bounds(
            method,
            samples,
            value,
            level,
            lambda: influence.acceleration_of_cases(blocks, influences),
        )
        facts |= {"seed": seed, "resamples": resamples}
    elif method in _NORMAL:
        ends = cut(value, quantiles.z(level) * error)
    else:
        relevant, other = blocks.sizes()
        within = relevant, most * other
        freedom = max(_freedom(blocks, influences, within), 1) if 0 < value < 1 else 1.0
        ends = delong_bounds(value, error, min(within), freedom, level)
    low, high = (rescale(end * most) for end in ends)
    return Interval(estimate, min(low, estimate), max(high, estimate), level, method, name, **facts)


def _warn_of_part(
    name: str, blocks: Blocks, influences: influence.Influence, most: float, value: float
) -> None:
    within = most * blocks.sizes()[1]
    if warn_of_few(name, blocks, FEWEST, FEWEST_GROUPS, weights=True):
        return
    if warn_of_skewed_groups(name, blocks, influences):
        return
    if within < FEWEST_WITHIN:
        warn(FewWithin(name, within))
    elif (least := min(blocks.sizes()[0], within)) * min(value, 1 - value) < ERRORS:
        warn(PartAtAnEnd(name, value, least))


def delong_bounds(
    value: float, error: float, trials: float, freedom: float, level: float
) -> tuple[float, float]:
    """Bounds around the log-odds of the value. For values of 0 and 1 they are Wilson's with as many
    trials as there are cases of the scarcer kind.
    """
    if 0 < value < 1:
        return around(value, error, quantiles.t(level, freedom))
    end = perfect(trials, level)
    return (end, 1.0) if value >= 1 else (0.0, 1 - end)


def _newcombe_bounds(
    value: float, delong: tuple[float, float] | None, sizes: tuple[float, float], level: float
) -> tuple[float, float]:
    """Newcombe's bounds; if DeLong's are given, bounds between both on the log-odds scale, on each
    side where Newcombe's is wider.
    """
    z = quantiles.z(level)
    low, high = newcombe_lower(value, *sizes, z), 1 - newcombe_lower(1 - value, *sizes, z)
    if delong is None or not 0 < value < 1:
        return low, high
    least = min(sizes)
    return (
        blend(delong[0], min(low, delong[0]), least * (1 - value)),
        1 - blend(1 - delong[1], min(1 - high, 1 - delong[1]), least * value),
    )


def blend(delong: float, newcombe: float, errors: float) -> float:
    """Bound between DeLong's and Newcombe's, on the log-odds scale: near the latter if few errors
    are expected.
    """
    weight = 1 / (1 + (errors / _EVEN) ** 2)
    return expit((1 - weight) * log_odds(delong) + weight * log_odds(newcombe))


def newcombe_variance(area: float, relevant: float, other: float) -> float:
    """Variance of the estimate of an area θ, by Newcombe's formula.

    It is θ (1 - θ) (1 + N ((1 - θ) / (2 - θ) + θ / (1 + θ))) / (m n) with N = (m + n) / 2 - 1.
    """
    even = (relevant + other) / 2 - 1
    share = (1 - area) / (2 - area) + area / (1 + area)
    return area * (1 - area) * (1 + even * share) / (relevant * other)


def newcombe_lower(value: float, relevant: float, other: float, z: float) -> float:
    """Newcombe's lower bound: the least area that the estimate does not exclude.

    The upper bound is 1 - newcombe_lower(1 - value, ...).
    """
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
