"""Two systems on the same topics: is the mean difference more than chance?

Signed ranks and signs test other hypotheses: they can be significant in the opposite direction to
the means.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np

from precall.core import ragged
from precall.core.arguments import check_level, check_whole, choose
from precall.core.methods import NO_DIFFERENCE, Method
from precall.core.notes import Note
from precall.core.notes.of_comparisons import (
    DifferencesAlike,
    FewToRedraw,
    LeastP,
    OneTopic,
    RejectsNothing,
    SpeaksForTheOther,
)
from precall.core.ragged import Float64, Int64, mean
from precall.core.rng import Rng, generator_and_seed, seed_of
from precall.core.text import count_drawn, many
from precall.core.vocabulary import VOCABULARY
from precall.native import kernel
from precall.stats import quantiles
from precall.stats.resample.batches import (
    TOLERANCE,
    p_of_samples,
    random_words,
    run_batches,
    to_integers,
)
from precall.stats.scipy import special
from precall.stats.skewness import keep_if_concerned, remark
from precall.stats.tests import ALTERNATIVES, DECLARED, ELSEWHERE, INSTEAD, MOST_RANKS, signflip
from precall.stats.tests.comparisons import (
    Comparison,
    Mirror,
    bounds,
    is_significant,
    notes_on_bounds,
    opposite,
)
from precall.stats.tests.order import bounds_in_call_order
from precall.stats.tests.pairing import (
    align_values,
    check_two,
    differences,
    is_high_good,
    tell_left_out,
)

RESAMPLES = 100_000
#: If fewer topics than this differ, bootstrap means vary visibly less than means do
#: (docs/why/tests.md).
FEW_REDRAWN = 50
_BATCH = 4096


class Result(NamedTuple):
    """Result of a test; `edges` are its own bounds, `spread` is the deviation of the differences if
    it computes that.

    `swapped` has `method` and `statistic` for exchanged systems; None if the method stays and the
    statistic only changes its sign. `resamples` is how many samples the bounds are of; None if none
    were drawn for them.
    """

    p: float
    method: Method
    statistic: float | None = None
    edges: tuple[float, float] | None = None
    seed: int | None = None
    notes: tuple[Note, ...] = ()
    spread: float | None = None
    swapped: tuple[Method, float] | None = None
    resamples: int | None = None


@dataclass(frozen=True, slots=True)
class PairedOptions:
    """Options of a test, checked.

    Parameters
    ----------
    bounded : whether bounds of the difference are also wanted.
    reach : the greatest possible distance of differences from 0; None if it is not known.
    """

    alternative: str = "two-sided"
    level: float = 0.95
    resamples: int = RESAMPLES
    rng: Rng = 0
    bounded: bool = True
    reach: float | None = None

    def __post_init__(self) -> None:
        alternative = choose(
            "alternative",
            self.alternative,
            ALTERNATIVES,
            {"larger": ["greater"], "smaller": ["less"]},
        )
        object.__setattr__(self, "alternative", alternative)
        object.__setattr__(self, "level", check_level(self.level))
        object.__setattr__(self, "resamples", check_whole("resamples", self.resamples, 1))
        object.__setattr__(self, "rng", seed_of(self.rng))


def paired(
    a: object,
    b: object,
    *,
    test: str = "randomization",
    alternative: str = "two-sided",
    level: float = 0.95,
    resamples: int = RESAMPLES,
    rng: Rng = 0,
    names: tuple[str, str] = ("a", "b"),
    measure: str = "value",
    unpaired: str = "error",
    undefined: str = "omit",
    higher_is_better: bool | None = None,
) -> Comparison:
    """Compare two systems by their values per topic.

    Parameters
    ----------
    a : values of the first system per topic: {topic id: value} for both, paired by id, or two
        columns, paired by position.
    b : values of the second system.
    test : which test of no difference:

        - "randomization": how often random signs of the differences give a mean as far from 0
          (Fisher 1935), without any other assumption. It is exact if all exchanges can be counted:
          up to 40 differences of topics, 2^20 exchanges of decisions, and more if all are multiples
          of one unit, such as 0.1. Otherwise signs are sampled: p = (c + 1)/(resamples + 1);
        - "t": Student's paired t, close to randomization from some 25 topics on;
        - "wilcoxon": signed ranks, equal values dropped, exact up to 200 differences, also with
          ties;
        - "sign": wins against losses, equal values dropped, exact;
        - "bootstrap": resampled topics, with the mean shifted to 0.
    alternative : "two-sided", "greater" (a is higher) or "less".
    level : level of the interval, in (0, 1); 1 - level is the significance level.
    resamples : number of draws of "bootstrap", and of "randomization" if it is not exact.
    rng : seed, Generator or SeedSequence, if anything is drawn; None for a fresh seed. The seed is
        printed.
    names : names of the two systems in print.
    measure : name of the values in print.
    unpaired : topics that only one of them has: "error", or "drop" them.
    undefined : topics in which one is NaN: "omit", count as "zero", or "error".
    higher_is_better : False if low values are good; a win is then a lower value. None: as the
        measure of that name says, such as "E@2", and True for other names.

    Returns
    -------
    Comparison
        `difference` is the mean of a - b. Its interval is two-sided for every alternative, and
        `interval` names its method. With "randomization" it holds all differences that this test
        does not reject ("inverted randomization"). So it holds 0 if and only if the two-sided p is
        above 1 - level. The same is true of "bootstrap" ("inverted bootstrap"). All other tests
        have Student's interval.
        There is none (None) if all topics differ by the same amount, or if there is only one topic.
        Systems that are equal on every topic give p = 1.

    Raises
    ------
    DataError
        A topic is missing or undefined and that is an error, or nothing can be paired.
    UsageError
        An argument is not allowed.
    MissingExtra
        SciPy is not installed.

    Notes
    -----
    If all differences are one number other than 0, t is infinite, and SciPy's p is 0; here p is
    that of the signs, 2^(1 - topics), and a note says so. "bootstrap" does the same, because its
    resamples would all be equal. Signs of fewer than 6 topics reject nothing at 5 %. Then the
    interval has all possible differences, for values in 0..1 and for measures with a least and a
    greatest value: [-1, 1] for AP, [-2, 2] for MCC. If differences are skewed, every test of equal
    means rejects too often with few topics (docs/why/tests.md); a note says that as well. SciPy's
    Wilcoxon test is exact only without ties; this one is exact with them.

    References
    ----------
    Smucker, Allan & Carterette, "A comparison of statistical significance tests for information
    retrieval evaluation", CIKM 2007. Urbano, Lima & Hanjalic, SIGIR 2019. Hartigan, "Using
    subsample values as typical values", Journal of the American Statistical Association 64, 1969,
    for the interval of randomization.

    Examples
    --------
    >>> bm25 = {"q1": 0.40, "q2": 0.35, "q3": 0.61, "q4": 0.20, "q5": 0.55, "q6": 0.12}
    >>> dense = {"q1": 0.52, "q2": 0.41, "q3": 0.66, "q4": 0.19, "q5": 0.70, "q6": 0.31}
    >>> found = paired(dense, bm25, names=("dense", "bm25"), measure="AP")
    >>> round(found.difference, 4), found.p, found.how
    (0.0933, 0.0625, 'all 2^6 signs')
    >>> round(found.low, 4), round(found.high, 4), found.interval
    (-0.01, 0.19, 'inverted randomization')
    >>> round(paired(dense, bm25, test="t").p, 4)
    0.0264
    """
    test = choose("test", test, TESTS, ELSEWHERE, INSTEAD)
    choices = PairedOptions(alternative, level, resamples, rng)
    names = check_two(names)
    matrix, _, dropped = align_values(dict(zip(names, (a, b), strict=True)), unpaired, undefined)
    is_high = is_high_good(measure, higher_is_better)
    return compare_columns(
        matrix[:, 0], matrix[:, 1], test, choices, names, measure, dropped, is_high
    )


def compare_columns(
    a: Float64,
    b: Float64,
    test: str,
    choices: PairedOptions,
    names: tuple[str, str],
    measure: str,
    dropped: int = 0,
    higher_is_better: bool = True,
) -> Comparison:
    """The comparison of two columns without NaN."""
    # Sorted, so that nothing depends on the order of the topics.
    difference = np.sort(differences(a, b))
    result = TESTS[test](difference, choices)
    spread = deviation(difference) if result.spread is None else result.spread
    reason = why_no_interval(difference, spread)
    edges = result.edges or t_interval(difference, choices.level, spread)
    value_range = range_of_values(measure, a, b) if math.isinf(edges[0]) else None
    low, high, range_notes = (
        (None, None, ()) if reason else cut_to_reach(*edges, choices, value_range)
    )
    better = difference if higher_is_better else -difference
    wins, losses = int(np.count_nonzero(better > 0)), int(np.count_nonzero(better < 0))
    has_bounds = low is not None and not all(map(math.isinf, edges))
    remarks, swapped = notes_of_both(
        difference, lambda each: notes(each, test, choices, spread, dropped)
    )
    remarks, swapped = (
        keep_if_concerned(each, result.p, choices.level, has_bounds) for each in (remarks, swapped)
    )
    against = notes_against_mean(difference, (low, high), result.p, test, choices)
    bound_notes = (*range_notes, *against)
    return Comparison(
        names=names,
        measure=measure,
        values=(mean(a), mean(b)),
        difference=mean(difference),
        low=low,
        high=high,
        level=choices.level,
        p=result.p,
        test=test,
        method=result.method,
        size=len(difference),
        wins=wins,
        ties=len(better) - wins - losses,
        losses=losses,
        alternative=choices.alternative,
        statistic=result.statistic,
        effect=effect(difference, spread),
        left_out=dropped,
        higher_is_better=higher_is_better,
        notes=(*remarks, *bound_notes),
        mirror=mirror_of(result, (*swapped, *bound_notes)),
        seed=result.seed,
        no_interval="" if low is not None else reason or no_bounds(difference, test, choices),
        interval=DECLARED[test].interval,
        interval_resamples=None if low is None else result.resamples,
        contrary=_is_contrary(difference, test),
    )


def notes_of_both(
    difference: Float64, make: Callable[[Float64], list[Note]]
) -> tuple[tuple[Note, ...], tuple[Note, ...]]:
    """The notes on differences in ascending order, and the notes if the systems are exchanged."""
    remarks = tuple(make(difference))
    return remarks, tuple(make(0.0 - difference[::-1])) if remarks else ()


def notes_against_mean(
    difference: Float64,
    ends: tuple[float | None, float | None],
    p: float,
    test: str,
    choices: PairedOptions,
) -> tuple[Note, ...]:
    """A note if the interval of the mean contradicts a p of signs or ranks, which favours the same
    system.
    """
    if (
        not DECLARED[test].weighs_topics
        or choices.alternative != "two-sided"
        or _is_contrary(difference, test)
    ):
        return ()
    return notes_on_bounds(ends, p, choices.level, holds=False)


def mirror_of(result: Result, notes: tuple[Note, ...]) -> Mirror:
    """The method, statistic and notes of a test if the systems are exchanged."""
    return Mirror(*(result.swapped or (result.method, opposite(result.statistic))), notes)


def range_of_values(measure: str, *columns: Float64) -> tuple[float, float] | None:
    """The least and the greatest value of a measure: as declared, or 0..1 if it is not declared.

    None if an end is not known, as for DCG, or if some values are outside, as percentages are.
    """
    import precall.measures as _  # noqa: F401  (measures are known once their module was imported)
    from precall.measures.registry import range_of

    least, most = range_of(measure) or (0.0, 1.0)
    is_inside = all(bool((column >= least).all() and (column <= most).all()) for column in columns)
    return (least, most) if is_inside and math.isfinite(most - least) else None


def cut_to_reach(
    low: float, high: float, choices: PairedOptions, value_range: tuple[float, float] | None
) -> tuple[float | None, float | None, tuple[Note, ...]]:
    """Bounds cut to the possible differences, and their notes; None if there are no bounds.

    If there are too few topics for the test to reject anything, the interval has all possible
    differences: up to 1 for values in 0..1, and likewise for any other `value_range`.
    """
    reach, range_notes = choices.reach, tuple[Note, ...]()
    if reach is None and math.isinf(low) and value_range is not None:
        reach, range_notes = (
            float(value_range[1] - value_range[0]),
            (RejectsNothing("", *value_range),),
        )
    if reach is not None:
        low, high = max(low, -reach), min(high, reach)
    ends = bounds(low, high) if not (math.isinf(low) or math.isinf(high)) else (None, None)
    return *ends, range_notes


def no_bounds(difference: Float64, test: str, choices: PairedOptions) -> str:
    """Why there is no interval although topics vary."""
    limit = choices.resamples if DECLARED[test].redraws else min(len(difference), choices.resamples)
    sample = (
        many(len(difference), "topic")
        if limit == len(difference)
        else count_drawn(choices.resamples)
    )
    return f"{sample} can rule out no difference at level {choices.level:.12g}"


def effect(difference: Float64, spread: float) -> float | None:
    """Cohen's d of pairs: mean over standard deviation; 0 for no difference, None if differences do
    not vary.
    """
    if spread > 0:
        return mean(difference) / spread
    return None if difference.any() else 0.0


def deviation(difference: Float64) -> float:
    """Standard deviation (n - 1); exactly 0 if differences are equal up to rounding."""
    if len(difference) < 2:
        return float("nan")
    spread = ragged.deviation(difference)
    return spread if spread > TOLERANCE * float(np.abs(difference).max()) else 0.0


def why_no_interval(difference: Float64, spread: float) -> str:
    """Why differences with this deviation have no interval; empty if they have one."""
    if len(difference) < 2:
        return f"one {VOCABULARY.get().word('topic')} has no standard deviation"
    if spread > 0:
        return ""
    topics = VOCABULARY.get().word("topics")
    return f"all {topics} " + ("differ by the same amount" if difference.any() else "are equal")


def notes(
    difference: Float64, test: str, choices: PairedOptions, spread: float, dropped: int = 0
) -> list[Note]:
    """What a reader of this comparison should know."""
    remarks = tell_left_out(dropped)
    size, differ = len(difference), int(np.count_nonzero(difference))
    declared = DECLARED[test]
    # If all topics differ equally, tests without a least p of their own take p from the signs.
    by_signs, skewness_note = differ > 0 and not declared.has_least_p, remark(difference, test)
    if size > 1 and (why := why_no_interval(difference, spread)):
        remarks.append(DifferencesAlike("", why, by_signs))
    elif size == 1 and by_signs:
        remarks.append(OneTopic(""))
    elif declared.redraws and 0 < differ < FEW_REDRAWN:
        # For skewed topics no other test is advised.
        remarks.append(FewToRedraw("", size, differ, instead=skewness_note is None))
    if skewness_note is not None:
        remarks.append(skewness_note)
    if _is_contrary(difference, test):
        remarks.append(SpeaksForTheOther("", test, "means", "topics"))
    least = 2.0 ** (-differ + (choices.alternative == "two-sided")) if differ else 1.0
    if declared.has_least_p and differ and least > 1 - choices.level:
        # What limits p comes before what may be wrong with it.
        remarks.insert(0, LeastP("", differ, least))
    return remarks


def direction(difference: Float64, test: str) -> int:
    """The system that the test favours: 1 the first, -1 the second, 0 neither; signs and ranks need
    not agree with means.
    """
    return int(np.sign(_WEIGHTS.get(test, np.asarray)(difference).sum()))


def _is_contrary(difference: Float64, test: str) -> bool:
    """Whether the test favours the system whose mean is lower."""
    return DECLARED[test].weighs_topics and direction(difference, test) * mean(difference) < 0


def t_interval(
    difference: Float64, level: float, spread: float | None = None
) -> tuple[float, float]:
    """Student's interval of the mean; NaN for one topic. `spread` is the deviation, if known."""
    size, centre = len(difference), mean(difference)
    if size < 2:
        return float("nan"), float("nan")
    spread = deviation(difference) if spread is None else spread
    half = quantiles.t(level, size - 1) * spread / size**0.5
    return centre - half, centre + half


def _t(difference: Float64, choices: PairedOptions) -> Result:
    size, spread = len(difference), deviation(difference)
    if not difference.any():
        return Result(1.0, NO_DIFFERENCE, 0.0)
    if size < 2 or spread == 0:
        exact = _randomization(difference, replace(choices, bounded=False))
        return Result(exact.p, exact.method, float(np.sign(difference[0])) * float("inf"))
    value = mean(difference) / (spread / size**0.5)
    p = _symmetric_p(value, choices.alternative, lambda far: special().stdtr(size - 1, far))
    return Result(p, Method("paired t", freedom=size - 1), value, spread=spread)


def _symmetric_p(value: float, alternative: str, below: Callable[[float], float]) -> float:
    """p of a statistic that is symmetric about 0, from its distribution function; never 0."""
    signed_value = {"two-sided": -abs(value), "greater": -value, "less": value}[alternative]
    return max(
        (2 if alternative == "two-sided" else 1) * float(below(signed_value)), signflip.LEAST
    )


def _randomization(difference: Float64, choices: PairedOptions) -> Result:
    """The randomization test; p is exact if that is possible at reasonable cost."""
    centre = mean(difference)
    exact = signflip.exact_tail(difference, choices.alternative)
    if exact is not None and not (
        choices.bounded and why_no_interval(difference, deviation(difference)) == ""
    ):
        return Result(*exact, centre)
    # The draws depend neither on which system comes first nor on the order of the topics.
    sign, oriented = _orient(difference)
    both = np.column_stack((oriented, np.zeros(len(oriented))))
    signs = signflip.RandomSigns.of(both, choices.resamples, choices.rng)
    near = TOLERANCE * float(np.abs(difference).sum())
    sampled, low, high = (
        float(column[0]) for column in signs.pairs([0], [1], np.array([near]), choices.level)
    )
    p, method = exact or (sampled, signs.method)
    if exact is None and choices.alternative != "two-sided":
        side = 1 if choices.alternative == "greater" else -1
        p = max(signs.one_sided_p(0, each, near) for each in ([side * sign] if sign else [1, -1]))
    two_sided = p
    if choices.alternative != "two-sided":
        two_sided = (signflip.exact_tail(difference) or (sampled,))[0]
    low, high = signflip.reconcile_bounds(
        low,
        high,
        is_significant(two_sided, choices.level),
        mean(oriented),
        lambda side: signs.beyond(0, 1, side, near / len(difference)),
    )
    ends = _orient_bounds(low, high, sign)
    return Result(p, method, centre, ends, signs.seed, resamples=signs.method.resamples)


def _orient(difference: Float64) -> tuple[int, Float64]:
    """The sign that makes the mean difference positive, and the differences times this sign, in an
    order that does not depend on which system comes first.

    If the mean is 0, the sign is that of the greatest difference without an equal one of the other
    sign. If there is none, it is 0: nothing distinguishes the systems.
    """
    ordered = [side[np.lexsort((side, np.abs(side)))[::-1]] for side in (difference, -difference)]
    asymmetry = ordered[0] - ordered[1]
    if not asymmetry.any():
        return 0, ordered[0]
    sign = mean(difference) or asymmetry[np.flatnonzero(asymmetry)[0]]
    return (1, ordered[0]) if sign > 0 else (-1, ordered[1])


def _orient_bounds(low: float, high: float, sign: int) -> tuple[float, float]:
    """Bounds in the order of the call, from those of differences that `_orient` returned.

    If nothing distinguishes the systems, the bounds are symmetric about 0.
    """
    if sign == 0:
        reach = max(-low, high)
        return -reach, reach
    return bounds_in_call_order(low, high, sign < 0)


def _wilcoxon(difference: Float64, choices: PairedOptions) -> Result:
    """The signed-rank test: exact for up to `MOST_RANKS` non-zero differences, else approximately
    normal.
    """
    non_zero = difference[difference != 0]
    signed = _signed_ranks(non_zero)
    statistic = float(signed[signed > 0].sum())
    if not len(non_zero):
        return Result(1.0, NO_DIFFERENCE, 0.0)
    exact = (
        signflip.exact_tail(signed, choices.alternative) if len(non_zero) <= MOST_RANKS else None
    )
    if exact is not None:
        p, method = exact[0], replace(exact[1], drawn="signs of ranks")
    else:
        # With or without ties, the sum of signed ranks has mean 0, and its variance is the sum of
        # their squares.
        value = float(signed.sum() / np.sqrt((signed**2).sum()))
        p, method = (
            _symmetric_p(value, choices.alternative, special().ndtr),
            Method("normal approximation"),
        )
    return Result(p, method, statistic, swapped=(method, float(np.abs(signed[signed < 0]).sum())))


def _signed_ranks(non_zero: Float64) -> Float64:
    return np.asarray(np.sign(non_zero) * midranks(np.abs(non_zero)), np.float64)


def midranks(values: Float64) -> Float64:
    """Ranks from 1; values that are equal up to rounding share the mean of their ranks."""
    if not len(values):
        return np.zeros(0)
    order = np.argsort(values, kind="stable")
    ranked = values[order]
    is_new = np.concatenate(([True], np.diff(ranked) > TOLERANCE * ranked[1:]))
    block = np.cumsum(is_new) - 1
    size = np.bincount(block)
    last = np.cumsum(size)
    rank = np.empty(len(values))
    rank[order] = (last - (size - 1) / 2)[block]
    return rank


def _sign(difference: Float64, choices: PairedOptions) -> Result:
    """The sign test: a binomial test of wins against losses."""
    wins, losses = int((difference > 0).sum()), int((difference < 0).sum())
    if not wins + losses:
        return Result(1.0, NO_DIFFERENCE, 0.0)
    side = {"two-sided": min(wins, losses), "greater": losses, "less": wins}[choices.alternative]
    tail = float(special().bdtr(side, wins + losses, 0.5))
    p = min(1.0, 2 * tail) if choices.alternative == "two-sided" else tail
    method, swapped = (
        Method("binomial", exact=True, counts=counts) for counts in ((wins, losses), (losses, wins))
    )
    return Result(max(p, signflip.LEAST), method, float(wins), swapped=(swapped, float(losses)))


def _bootstrap(difference: Float64, choices: PairedOptions) -> Result:
    """The bootstrap test: resampled topics, with the mean shifted to 0."""
    size, centre = len(difference), mean(difference)
    if size < 2 or deviation(difference) == 0:
        # All bootstrap samples would have the same mean, so none would be as far from 0.
        return _randomization(difference, replace(choices, bounded=False))
    rng, seed = generator_and_seed(choices.rng)
    # The draws do not depend on which system comes first.
    sign, oriented = _orient(difference)
    units, unit = to_integers(np.sort(oriented), size)

    def sums(generator: np.random.Generator, count: int) -> Int64:
        batch: Int64 = kernel().redraw_sums(units, int(random_words(generator, 1)[0]), count)
        return batch

    samples = np.concatenate(list(run_batches(sums, rng, choices.resamples, _BATCH)))
    means = np.ldexp(samples.astype(np.float64), unit) / size
    shifted = (sign or 1) * means - centre
    near = TOLERANCE * float(np.abs(difference).max())
    half = _bootstrap_half_width(np.abs(shifted), abs(centre), near, choices.level)
    is_as_far = {
        "two-sided": np.abs(shifted) >= abs(centre) - near,
        "greater": shifted >= centre - near,
        "less": shifted <= centre + near,
    }
    # If nothing distinguishes the systems, p is the same for either direction.
    sides = (
        ("greater", "less")
        if sign == 0 and choices.alternative != "two-sided"
        else (choices.alternative,)
    )
    p = float(
        p_of_samples(max(np.count_nonzero(is_as_far[side]) for side in sides), choices.resamples)
    )
    method = Method("resampled", resamples=choices.resamples, seed=seed)
    ends = (centre - half, centre + half)
    return Result(p, method, centre, ends, seed, resamples=choices.resamples)


def _bootstrap_half_width(distances: Float64, centre: float, near: float, level: float) -> float:
    """The greatest distance from the mean at which the bootstrap does not reject a difference."""
    rejected_count = math.floor((1 - level) * (len(distances) + 1) + 1e-9) - 1
    if rejected_count < 0:
        return math.inf
    half = float(np.sort(distances)[len(distances) - 1 - rejected_count])
    # If the two are equal up to rounding, the bound agrees with p.
    return half if half < centre - near else max(half, centre)


#: The functions that compute p, by the name of the test.
TESTS: dict[str, Callable[[Float64, PairedOptions], Result]] = {
    "randomization": _randomization,
    "t": _t,
    "wilcoxon": _wilcoxon,
    "sign": _sign,
    "bootstrap": _bootstrap,
}
#: Weights of topics in the tests that weigh topics instead of differences.
_WEIGHTS: dict[str, Callable[[Float64], Float64]] = {"wilcoxon": _signed_ranks, "sign": np.sign}
