"""Intervals for a mean over topics, and for a mean over topics and items."""

from __future__ import annotations

import math
from typing import Any, TypeAlias

import numpy as np

from precall.core import ragged
from precall.core.arguments import check_column, is_number, refuse_mapping
from precall.core.errors import Mistake, NoArray, Shape, UsageError
from precall.core.notes import warn
from precall.core.notes.of_intervals import (
    BeyondRange,
    CutToRange,
    FarEndUnseen,
    FewValues,
    SkewedValues,
    TwoValues,
    WeightsOnFew,
)
from precall.core.ragged import Float64
from precall.core.rng import Rng, generator_and_seed
from precall.stats import quantiles
from precall.stats.intervals.bayesian import quantile
from precall.stats.intervals.interval import Interval, estimating, undefined
from precall.stats.intervals.methods import METHODS
from precall.stats.resample.bootstrap import acceleration, bounds
from precall.stats.skewness import MUCH as SKEWED
from precall.stats.skewness import kurtosis, skewness
from precall.stats.weighted_topics import WeightedMean, effective_number

#: With fewer topics than `FEWEST` (`FEWEST_DRAWN` for methods that draw samples), or than `SKEWED`
#: times the squared skewness, intervals cover less than 93 % (docs/how-to/intervals.md). The
#: variance of bootstrap means of n normal values is too small by a share of 1 / n: intervals cover
#: 92.9 % with 20 values, 93.3 % with 25. Flat distributions lose nothing: with ten values whose
#: kurtosis is at most `FLAT`, that of a uniform distribution, intervals cover 94 %.
FEWEST, FEWEST_DRAWN, FLAT = 10, {"bca": 25, "percentile": 30}, 1.8
#: Means of 10 or 11 values that all are at an end of the range, such as 0 and 1, are covered in as
#: few as 92.1 % of samples; those of 12 to 29 in 92.9 % or more.
FEWEST_AT_ENDS = 12
#: With fewer values than this and a known range, the default method is one that uses the range.
FEWEST_OF_T = 30
#: The method that uses the range of values. It adds one topic at the ends of the range: for each
#: bound a share of `FAR` at the far end and of `NEAR` at the near end. With these shares the
#: intervals cover the means of 15 distributions in at least 93.5 % of samples of 5 to 50 topics
#: (docs/why/intervals.md).
BAYESIAN, FAR, NEAR = "bayesian-bootstrap", 2 / 3, 1 / 3
#: A share of 3 / n of all values may lie at the far end of the range without being seen in a sample
#: of n. There is a note if this moves the mean by more than this number of half widths: t covers
#: 71 % with samples of 30 values if 4 % of all values are 0 and the others in .97..1. Below this
#: limit, t loses at most a few percent.
_UNSEEN = 1.5
_BATCH = 1 << 22
Range: TypeAlias = tuple[float, float]


def mean(
    values: object,
    *,
    level: float = 0.95,
    method: str | None = None,
    range: Range | None = None,
    rng: Rng = 0,
    resamples: int = 10_000,
    measure: str = "mean",
) -> Interval:
    """Interval of the mean of a measure over topics.

    Parameters
    ----------
    values : one number per topic, finite.
    level : nominal coverage, in (0, 1).
    method : "t": mean ± t(n - 1) s / √n. "bayesian-bootstrap", for values whose range is known:
        quantiles of the mean under random weights of the topics and of one more topic at the ends
        of the range; if there are two values only, bounds as of a proportion (at the ends of the
        range those of Clopper & Pearson). "percentile", "bca": bootstrap of the topics, the second
        corrected for bias and skewness (Efron 1987). None: if the range is known,
        "bayesian-bootstrap" for fewer than 30 topics and if the t interval leaves the range;
        otherwise "t".
    range : the least and the greatest value that the measure can have; None if it is not known.
        `pc.interval(values, "AP")` and intervals of reports take it from the measure.
    rng : seed or Generator for "percentile" and "bca".
    resamples : number of samples for "percentile" and "bca".
    measure : name of the averaged measure.

    Returns
    -------
    Interval
        The bounds are undefined (None, with a warning) with fewer than two topics, or if all values
        are equal and their range is not known. With method="t" the interval may leave the range:
        it is not cut, so that it remains the t interval. The default method cuts it; that happens
        only if the range has a single end.

    Warns
    -----
    PrecallWarning
        There are fewer than 10 topics ("bca" 25, "percentile" 30; 10 if the kurtosis is at most
        1.8). Or, for all methods but "bayesian-bootstrap", there are fewer topics than 20 times the
        squared skewness, or only two values occur. The interval can then cover less than 93 %; see
        docs/how-to/intervals.md.

    Raises
    ------
    DataError
        A value is NaN or infinite. Decide first how undefined topics count.
    UsageError
        Level, method or number of samples is not allowed; or a value is outside the range.

    References
    ----------
    Rubin, "The Bayesian bootstrap", Annals of Statistics 9, 1981.

    Examples
    --------
    >>> precision = [0.1, 0.4, 0.35, 0.5, 0.2, 0.3, 0.45, 0.25, 0.15, 0.3, 0.4, 0.35]
    >>> print(mean(precision))
    mean 0.3125 [0.2357, 0.3893] 95 % t
    >>> print(mean(precision, range=(0, 1)))
    mean 0.3125 [0.2309, 0.4628] 95 % bayesian-bootstrap
    """
    return mean_over(
        "topics",
        values,
        level=level,
        method=method,
        range=range,
        rng=rng,
        resamples=resamples,
        measure=measure,
    )


@estimating("mean")
def mean_over(
    noun: str,
    values: object,
    *,
    level: float = 0.95,
    method: str | None = None,
    range: Range | None = None,
    rng: Rng = 0,
    resamples: int = 10_000,
    measure: str = "mean",
) -> Interval:
    """Interval of the mean as by `mean`; `noun` names the units of the values, such as "topics"."""
    column = _finite(values)
    n, limits = len(column), check_range(range, column)
    _refuse_open_range(method, BAYESIAN, limits)
    if n < 2:
        only = float(column[0]) if n else math.nan
        message = f"an interval needs at least two {noun}, got {n}"
        return undefined(measure, message, level, method or "t", only)
    middle, alike = ragged.mean(column), bool(column.min() == column.max())
    # Rounding gives equal values a small deviation.
    error = 0.0 if alike else ragged.deviation(column, middle) / math.sqrt(n)
    facts: dict[str, Any] = {"standard_error": error, "assumptions": f"{noun} drawn independently"}
    half = quantiles.t(level, n - 1) * error
    if _takes_bayesian(method, BAYESIAN, n, middle, half, limits):
        if n < (FEWEST_AT_ENDS if np.isin(column, limits).all() else FEWEST):
            warn(FewValues(measure, n, noun, "wide"))
        facts["assumptions"] += f"; values within {limits[0]:g}..{limits[1]:g}"
        low, high = bayesian_bounds(column, np.ones(n), level, limits)
        return Interval(
            middle, min(low, middle), max(high, middle), level, BAYESIAN, measure, **facts
        )
    requested, method = method, method or "t"
    if alike:
        return undefined(
            measure, f"its variance is 0, as all {n} values are equal", level, method, middle
        )
    fewest = FEWEST_DRAWN.get(method, FEWEST)
    if fewest > n and kurtosis(column) <= FLAT:
        fewest = FEWEST
    if not _warn_small(column, measure, noun, fewest, bounded=_has_both_ends(limits)):
        _warn_of_ends(column, measure, limits, noun)
    if method == "t":
        other = BAYESIAN if _has_both_ends(limits) else "bca"
        low, high = student_bounds(middle, half, limits, measure, other, is_cut=requested is None)
        return Interval(middle, low, high, level, method, measure, **facts)
    source, seed = generator_and_seed(rng)
    facts |= {"seed": seed, "resamples": resamples}
    samples = _means(np.sort(column), source, resamples)
    low, high = bounds(
        method, samples, middle, level, lambda: acceleration(np.sort(column) - middle)
    )
    return Interval(middle, low, high, level, method, measure, **facts)


@estimating("mean")
def weighted(
    values: object,
    weights: Float64,
    *,
    level: float = 0.95,
    method: str | None = None,
    range: Range | None = None,
    rng: Rng = 0,
    resamples: int = 10_000,
    measure: str = "mean",
) -> Interval:
    """Interval of a mean over topics with weights as by `mean`, whose methods are "t" and
    "bayesian-bootstrap".

    Student's interval has the standard error and the degrees of freedom of `WeightedMean`. The
    Bayesian bootstrap gives each topic its share of the weights, of as many topics as give its mean
    that standard error; of no more than Kish's effective number, because a few topics of much
    weight that are alike make the standard error too small.

    Examples
    --------
    >>> print(weighted([0.2, 0.5, 0.9, 0.4] * 4, np.array([1.0, 2, 1, 1] * 4), range=(0, 1)))
    mean 0.5000 [0.3702, 0.6417] 95 % bayesian-bootstrap
    """
    column = _finite(values)
    n = len(column)
    if n < 2 or weights.min() == weights.max():
        return mean_over("topics", column, level=level, method=method, range=range, measure=measure)
    limits = check_range(range, column)
    _refuse_open_range(method, BAYESIAN, limits)
    found, effective = WeightedMean.of(column, weights), effective_number(weights)
    facts: dict[str, Any] = {
        "standard_error": found.error,
        "assumptions": "topics drawn independently; weights known",
    }
    half = quantiles.t(level, found.freedom) * found.error
    few = effective < FEWEST
    if _takes_bayesian(method, BAYESIAN, round(effective), found.mean, half, limits):
        if few:
            warn(WeightsOnFew(measure, n, effective, effect="wide"))
        facts["assumptions"] += f"; values within {limits[0]:g}..{limits[1]:g}"
        share = weights / math.fsum(weights.tolist())
        count = effective
        if found.error:
            count = min((found.deviation / found.error) ** 2, effective)
        low, high = bayesian_bounds(column, share * count, level, limits)
        low, high = min(low, found.mean), max(high, found.mean)
        return Interval(found.mean, low, high, level, BAYESIAN, measure, **facts)
    requested, method = method, method or "t"
    if not found.error:
        why = f"its variance is 0, as all {n} values are equal"
        return undefined(measure, why, level, method, found.mean)
    if few:
        warn(WeightsOnFew(measure, n, effective, effect="miss"))
    elif not _warn_small(column, measure, bounded=_has_both_ends(limits)):
        _warn_of_ends(column, measure, limits)
    other = BAYESIAN if _has_both_ends(limits) else ""
    low, high = student_bounds(found.mean, half, limits, measure, other, is_cut=requested is None)
    return Interval(found.mean, low, high, level, method, measure, **facts)


def student_bounds(
    centre: float, half: float, limits: Range, measure: str, other: str, is_cut: bool
) -> tuple[float, float]:
    """Bounds centre ± half. If they leave the range, they are cut to it if `is_cut`; otherwise they
    stay, with a note that names the method `other`.
    """
    low, high = centre - half, centre + half
    if limits[0] <= low and high <= limits[1]:
        return low, high
    if is_cut:
        warn(CutToRange(measure, *limits))
        return max(low, limits[0]), min(high, limits[1])
    warn(BeyondRange(measure, *limits, f"; the method {other} stays within" if other else ""))
    return low, high


def bayesian_bounds(
    values: Float64, weights: Float64, level: float, limits: Range
) -> tuple[float, float]:
    """Bounds of the mean by the Bayesian bootstrap with one more topic, most of which lies at the
    far end of the range for each bound.

    `weights` are the numbers of topics that the values stand for. Nothing is drawn, so neither
    order nor seed changes a digit.

    If only two values occur, the mean is a proportion on another scale. The additional topic is
    then wholly at the far end, which gives Clopper & Pearson's exact bounds at the ends of the
    range, and wider ones elsewhere. With 2/3 and 1/3 of it 16 topics of 0 and 1 would cover 90.8 %,
    and 10 of 0 and .1 as little as 89.3 %. The same holds for equal values within the range.
    """
    distinct, index = np.unique(values, return_inverse=True)
    is_proportion = len(distinct) == 2 or (len(distinct) == 1 and distinct[0] not in limits)
    far, near = (1.0, 0.0) if is_proportion else (FAR, NEAR)
    ends = np.concatenate(([limits[0]], distinct, [limits[1]]))
    shapes = np.bincount(index, weights)
    low, high = (
        _quantile_of_weighted(ends, np.concatenate(([first], shapes, [last])), share)
        for first, last, share in ((far, near, (1 - level) / 2), (near, far, (1 + level) / 2))
    )
    return low, high


def _quantile_of_weighted(values: Float64, shapes: Float64, share: float) -> float:
    """Quantile of the mean of values under random weights; values of weight 0 are left out."""
    has_weight = shapes > 0
    return quantile(values[has_weight], shapes[has_weight], share)


def _has_both_ends(limits: Range) -> bool:
    """Whether both ends of the range are known."""
    return math.isfinite(limits[0]) and math.isfinite(limits[1])


def _refuse_open_range(method: str | None, bayesian: str, limits: Range) -> None:
    """Refuse the Bayesian bootstrap if the range of the values is not known at both ends.

    `bayesian` is the name of the method in the caller.
    """
    if method == bayesian and not _has_both_ends(limits):
        raise UsageError(
            argument="method",
            what="{got} needs a range with two finite ends",
            got=bayesian,
            remedy="pass range=(0, 1), or the least and the greatest possible value",
        )


def _takes_bayesian(
    method: str | None, bayesian: str, size: int, centre: float, half: float, limits: Range
) -> bool:
    """Whether the interval comes from the Bayesian bootstrap.

    It does if `method` names it. By default, with a known range, it does for few values, for equal
    ones, and if the t interval, centre ± `half`, leaves the range.
    """
    if method is not None or not _has_both_ends(limits):
        return method == bayesian
    return size < FEWEST_OF_T or not half or centre - half < limits[0] or centre + half > limits[1]


def check_range(range: object, column: Float64) -> Range:
    """The checked range of values; infinite ends if it is not known."""
    if range is None:
        return -math.inf, math.inf
    pair = tuple(range) if isinstance(range, list | tuple) else ()
    if len(pair) != 2 or not all(is_number(end) for end in pair) or not pair[0] < pair[1]:
        raise UsageError(
            argument="range", allowed="the least and the greatest value, such as (0, 1)", got=range
        )
    least, most = map(float, pair)
    beyond = (column < least) | (column > most)
    if beyond.any():
        index = int(np.argmax(beyond))
        message = f"value {index} is {column[index]:g}, beyond {least:g}..{most:g}"
        raise UsageError(
            argument="range",
            what=message,
            remedy="leave range= out, or give a range that holds all values",
        )
    return least, most


def _finite(values: object) -> Float64:
    column = check_column("values", values)
    bad = ~np.isfinite(column)
    if bad.any():
        index = int(np.argmax(bad))
        raise Mistake(
            "value {index} is {got}",
            "leave undefined topics out, or count them as 0",
            got=column[index],
            index=index,
        ).error("values")
    return column


def _warn_small(
    column: Float64, measure: str, unit: str = "topics", fewest: int = FEWEST, bounded: bool = False
) -> bool:
    """Warn of few values, of two distinct values, or of skewed values; return whether it warned."""
    # Only values with a known range have the other method.
    n, other = len(column), BAYESIAN if bounded else ""
    if n < fewest:
        warn(FewValues(measure, n, unit, "skewed" if n < FEWEST else "drawn"))
    elif ((column == column.min()) | (column == column.max())).all():
        warn(TwoValues(measure, other or "proportion"))
    elif n < SKEWED * (skew := abs(float(skewness(column[:, None])[0]))) ** 2:
        warn(SkewedValues(measure, skew, n, unit, other))
    else:
        return False
    return True


def _warn_of_ends(column: Float64, measure: str, limits: Range, unit: str = "topics") -> None:
    """Warn if values vary little compared with their distance from an end of the range: a few of
    all values may lie there, unseen.

    A kind of values with a share of 3 / n is missing in one of twenty samples of n values.
    """
    n, ends = len(column), [end for end in limits if math.isfinite(end)]
    if n < FEWEST or not ends:
        return
    middle = ragged.mean(column)
    half = 2 * ragged.deviation(column, middle) / math.sqrt(n)
    far, end = max((abs(middle - end), end) for end in ends)
    if 3 * far / n > _UNSEEN * half:
        warn(FarEndUnseen(measure, n, unit, end, 3 * far / n))


def _means(column: Float64, rng: np.random.Generator, resamples: int) -> Float64:
    """Means of bootstrap samples of the topics, drawn in batches of bounded size."""
    n, means = len(column), np.empty(resamples)
    step = max(1, _BATCH // n)
    for batch in (means[start : start + step] for start in range(0, resamples, step)):
        batch[:] = column[rng.integers(0, n, (len(batch), n))].mean(axis=1)
    return means


@estimating("two-way mean")
def two_way(
    matrix: object,
    *,
    level: float = 0.95,
    method: str | None = None,
    range: Range | None = None,
    rng: Rng = 0,
    measure: str = "mean",
) -> Interval:
    """Interval of the mean over topics x items if both are samples.

    For a t interval over topics, only topics vary by chance. Here the columns, such as items,
    queries of a topic, judges or training runs, are a sample as well. The variance of the grand
    mean is (MS_topics + MS_items - MS_residual) / (T I), with Satterthwaite's degrees of freedom.

    Parameters
    ----------
    matrix : T x I finite numbers, a row per topic, T and I at least 2.
    level : nominal coverage, in (0, 1).
    method : "two-way t"; or "two-way bayesian-bootstrap" for values whose range is known. The
        latter is the method of `mean` for the means of topics or of items, whichever vary more.
        Their number is set to the one that gives the variance of the grand mean. None: if the range
        is known, the second for fewer than 30 such means and if the t interval leaves the range;
        otherwise the first.
    range : see `mean`.
    rng : accepted as by every interval; nothing is drawn here.
    measure : name of the averaged measure.

    Returns
    -------
    Interval

    Warns
    -----
    PrecallWarning
        As `mean`, for the means of topics or of items, whichever vary more.

    Raises
    ------
    UsageError, DataError
        The argument is no matrix or too small, or has values that are not finite or outside the
        range.

    Notes
    -----
    Searle, Casella & McCulloch (1992), Variance Components: the two-way random model without
    replication. The variance is never less than the lesser mean square over T I; negative estimates
    of components would make it so.

    Examples
    --------
    >>> print(
    ...     two_way(
    ...         [
    ...             [topic / 20 + item / 50 + topic * item % 7 / 30 for item in range(5)]
    ...             for topic in range(12)
    ...         ]
    ...     )
    ... )
    mean 0.3900 [0.2540, 0.5260] 95 % two-way t
    """
    refuse_mapping("matrix", matrix, "numbers, topics x items")
    try:
        table = np.asarray(matrix, np.float64)
    except (TypeError, ValueError, OverflowError) as problem:
        raise UsageError(
            argument="matrix", allowed="numbers, topics x items", got=NoArray(matrix, problem)
        ) from None
    if table.ndim != 2 or min(table.shape) < 2:
        raise UsageError(
            argument="matrix",
            allowed="topics x items, at least 2 x 2",
            got=Shape(table.shape),
        )
    limits = check_range(range, _finite(table.ravel()))
    bounded = _has_both_ends(limits)
    _refuse_open_range(method, _TWO_WAY[1], limits)
    t, i = table.shape
    rows, columns = (np.array([ragged.mean(line) for line in side]) for side in (table, table.T))
    grand = ragged.mean(table.ravel())
    squares = np.sort((table - rows[:, None] - columns + grand).ravel() ** 2)
    topics = i * float(np.sum(np.sort((rows - grand) ** 2))) / (t - 1)
    items = t * float(np.sum(np.sort((columns - grand) ** 2))) / (i - 1)
    residual = float(np.sum(squares)) / ((t - 1) * (i - 1))
    # The side that contributes more to the error.
    side, unit = (rows, "topics") if topics >= items else (columns, "items")
    error, freedom = _components(topics, items, residual, t, i)
    half = quantiles.t(level, freedom) * error if error else 0.0
    facts: dict[str, Any] = {"standard_error": error}
    if _takes_bayesian(method, _TWO_WAY[1], len(side), grand, half, limits):
        if len(side) < FEWEST:
            warn(FewValues(measure, len(side), unit, "wide"))
        facts["assumptions"] = (
            f"topics and items drawn independently; values within {limits[0]:g}..{limits[1]:g}"
        )
        # If the error is 0, all values are equal: count the smaller side.
        count = min(ragged.deviation(side) ** 2 / error**2, len(side)) if error else min(t, i)
        low, high = bayesian_bounds(side, np.full(len(side), count / len(side)), level, limits)
        return Interval(
            grand, min(low, grand), max(high, grand), level, _TWO_WAY[1], measure, **facts
        )
    if not _warn_small(side, measure, unit):
        _warn_of_ends(side, measure, limits, unit)
    facts["assumptions"] = "topics and items drawn independently; effects add up to a normal value"
    other = _TWO_WAY[1] if bounded else ""
    low, high = student_bounds(grand, half, limits, measure, other, is_cut=method is None)
    return Interval(grand, low, high, level, _TWO_WAY[0], measure, **facts)


_TWO_WAY = METHODS["two-way mean"]


def _components(
    topics: float, items: float, residual: float, t: int, i: int
) -> tuple[float, float]:
    """Standard error of the grand mean, and its degrees of freedom by Satterthwaite."""
    terms = [(topics, t - 1), (items, i - 1), (-residual, (t - 1) * (i - 1))]
    total = math.fsum(term for term, _ in terms)
    if total < min(topics, items):
        # Negative estimates of components would make the error less than by either mean square.
        terms = [min(terms[0], terms[1])]
        total = terms[0][0]
    if total <= 0:
        return 0.0, 1.0
    freedom = total**2 / math.fsum(term**2 / degrees for term, degrees in terms)
    return math.sqrt(total / (t * i)), freedom
