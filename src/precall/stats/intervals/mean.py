"""Intervals for a mean over topics, and over topics and items at once."""

from __future__ import annotations

import math
from typing import Any, TypeAlias

import numpy as np

from precall.core import ragged
from precall.core.arguments import check_column, is_number
from precall.core.errors import DataError, Problem, Shape, UsageError
from precall.core.notes import warn
from precall.core.notes.of_intervals import (
    BeyondRange,
    CutToRange,
    FarEndUnseen,
    FewValues,
    SkewedValues,
    TwoValues,
)
from precall.core.ragged import Float64
from precall.core.rng import Rng, seeded
from precall.stats import quantiles
from precall.stats.intervals.bayesian import quantile
from precall.stats.intervals.interval import Interval, estimating, undefined
from precall.stats.intervals.methods import METHODS
from precall.stats.resample.bootstrap import acceleration, bounds
from precall.stats.skewness import MUCH as SKEWED
from precall.stats.skewness import kurtosis, skewness

#: Intervals of fewer topics than FEWEST (FEWEST_DRAWN by method, for methods that draw samples), or
#: than SKEWED times their squared skewness, cover less than 93 % (docs/how-to/intervals.md). The
#: variance of resampled means of n normal values is too small by a share of 1 / n: they cover
#: 92.9 % with 20 values, 93.3 % with 25. Flat distributions lose nothing: ten values whose kurtosis
#: is at most FLAT, that of a uniform distribution, cover 94 %.
FEWEST, FEWEST_DRAWN, FLAT = 10, {"bca": 25, "percentile": 30}, 1.8
#: With fewer values whose range is known, the default is the method that uses the range.
FEWEST_OF_T = 30
#: The method that uses the range, and the shares of one more topic that it puts at the far and at
#: the near end of each bound. With these shares the means of 15 distributions are covered in 93.5 %
#: or more of samples of 5 to 50 topics (docs/why/intervals.md).
BAYESIAN, FAR, NEAR = "bayesian-bootstrap", 2 / 3, 1 / 3
#: A share of 3 / n of all values may lie unseen at the far end of the range. A note says so if that
#: would move the mean by more than this many half widths: for 30 values in .97..1 beside 4 % zeros,
#: t covers 71 %. Below that, t loses at most a few percent.
_UNSEEN = 1.5
_BATCH = 1 << 22
Range: TypeAlias = tuple[float, float]


def mean(
    values: Any,
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
        of the range. "percentile", "bca": bootstrap of the topics, the second corrected for bias
        and skewness (Efron 1987). None is "bayesian-bootstrap" for fewer than 30 topics, and if t
        leaves the range; otherwise, and if the range is not known, it is t.
    range : the least and the greatest value that the measure can have; None if it is not known.
        `pc.interval(values, "AP")`, and intervals of reports, know it from the measure.
    rng : seed or Generator of "percentile" and "bca".
    resamples : number of samples of these two.
    measure : name of the measure that is averaged.

    Returns
    -------
    Interval
        The bounds are undefined (None, with a warning) with fewer than two topics, or if all values
        are equal and their range is not known. A t interval that was requested may leave the range:
        it is not cut, so that it stays a t interval. By default it is cut if the range has only one
        end.

    Warns
    -----
    PrecallWarning
        Fewer than 10 topics ("bca" 25, "percentile" 30, except for values of a kurtosis up to 1.8);
        for all but "bayesian-bootstrap", fewer than 20 times their squared skewness, or only two
        different values. Then the interval can cover less than 93 %; see the table in
        docs/how-to/intervals.md.

    Raises
    ------
    DataError
        A value is NaN or infinite: decide first what undefined topics count as.
    UsageError
        Level, method or number of samples is not allowed; or a value is beyond the range.

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
    values: Any,
    *,
    level: float = 0.95,
    method: str | None = None,
    range: Range | None = None,
    rng: Rng = 0,
    resamples: int = 10_000,
    measure: str = "mean",
) -> Interval:
    """`mean` over topics, or over whatever `noun` names."""
    column = _check_finite(values)
    n, limits = len(column), _check_range(range, column)
    if method == BAYESIAN and not _has_both_ends(limits):
        remedy = "pass range=(0, 1), or what the least and the greatest value can be"
        raise UsageError(
            argument="method",
            what=f"{BAYESIAN!r} needs a range that ends at both ends",
            remedy=remedy,
        )
    if n < 2:
        estimate = float(column[0]) if n else math.nan
        reason = f"an interval needs at least two {noun}, got {n}"
        return undefined(measure, reason, level, method or "t", estimate)
    middle, alike = ragged.mean(column), bool(column.min() == column.max())
    # For equal values, rounding can leave a deviation.
    error = 0.0 if alike else ragged.deviation(column, middle) / math.sqrt(n)
    facts: dict[str, Any] = {"standard_error": error, "assumptions": f"{noun} drawn independently"}
    half = quantiles.t(level, n - 1) * error
    leaves = middle - half < limits[0] or middle + half > limits[1]
    if method == BAYESIAN or (
        method is None and _has_both_ends(limits) and (n < FEWEST_OF_T or alike or leaves)
    ):
        if n < FEWEST:
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
        low, high = _t_bounds(middle, half, limits, measure, other, is_cut=requested is None)
        return Interval(middle, low, high, level, method, measure, **facts)
    source, seed = seeded(rng)
    facts |= {"seed": seed, "resamples": resamples}
    drawn = _draw_means(np.sort(column), source, resamples)
    low, high = bounds(method, drawn, middle, level, lambda: acceleration(np.sort(column) - middle))
    return Interval(middle, low, high, level, method, measure, **facts)


def _t_bounds(
    centre: float, half: float, limits: Range, measure: str, other: str, is_cut: bool
) -> tuple[float, float]:
    """Bounds by t: cut to the range if `is_cut`, as when no method was chosen; else as they are,
    with a note on another method.
    """
    low, high = centre - half, centre + half
    if limits[0] <= low and high <= limits[1]:
        return low, high
    if is_cut:
        warn(CutToRange(measure, *limits))
        return max(low, limits[0]), min(high, limits[1])
    warn(BeyondRange(measure, *limits, f"; method {other} stays within" if other else ""))
    return low, high


def bayesian_bounds(
    values: Float64, weights: Float64, level: float, limits: Range
) -> tuple[float, float]:
    """Bounds of the mean by the Bayesian bootstrap with one more topic, most of which lies at the
    far end of each bound.

    `weights` are the numbers of topics that each value stands for. Nothing is drawn, so neither the
    order nor a seed changes a digit.
    """
    distinct, index = np.unique(values, return_inverse=True)
    ends = np.concatenate(([limits[0]], distinct, [limits[1]]))
    shapes = np.bincount(index, weights)
    low = quantile(ends, np.concatenate(([FAR], shapes, [NEAR])), (1 - level) / 2)
    high = quantile(ends, np.concatenate(([NEAR], shapes, [FAR])), (1 + level) / 2)
    return low, high


def _has_both_ends(limits: Range) -> bool:
    return math.isfinite(limits[0]) and math.isfinite(limits[1])


def _check_range(range: Any, column: Float64) -> Range:
    """The range of values, checked; infinite at both ends if it is not known."""
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
        problem = f"value {index} is {column[index]:g}, beyond {least:g}..{most:g}"
        raise UsageError(
            argument="range",
            what=problem,
            remedy="leave range= out, or give the one that the values have",
        )
    return least, most


def _check_finite(values: Any) -> Float64:
    column = check_column("values", values)
    bad = ~np.isfinite(column)
    if bad.any():
        index = int(np.argmax(bad))
        problem = f"value {index} is {column[index]}"
        raise DataError(
            [Problem("values", None, problem, "leave undefined topics out, or count them as 0")]
        )
    return column


def _warn_small(
    column: Float64, measure: str, unit: str = "topics", fewest: int = FEWEST, bounded: bool = False
) -> bool:
    """Warn if the interval is known to cover less: with few values, with only two different ones,
    or with skewed ones. Return whether it is.
    """
    # The method for values with a range can only be recommended if there is a range.
    n, other = len(column), BAYESIAN if bounded else ""
    if n < fewest:
        warn(FewValues(measure, n, unit, "skewed" if n < FEWEST else "drawn"))
    elif ((column == column.min()) | (column == column.max())).all():
        warn(TwoValues(measure, other or "proportion"))
    elif n < SKEWED * (amount := abs(float(skewness(column[:, None])[0]))) ** 2:
        warn(SkewedValues(measure, amount, n, unit, other))
    else:
        return False
    return True


def _warn_of_ends(column: Float64, measure: str, limits: Range, unit: str = "topics") -> None:
    """Warn if the values vary little compared with their distance from an end of the range: some
    values may lie there unseen.

    If a share of 3 / n of all values lies there, one sample of n values in twenty has none of them.
    """
    n, ends = len(column), [end for end in limits if math.isfinite(end)]
    if n < FEWEST or not ends:
        return
    middle = ragged.mean(column)
    half = 2 * ragged.deviation(column, middle) / math.sqrt(n)
    distance, end = max((abs(middle - end), end) for end in ends)
    if 3 * distance / n > _UNSEEN * half:
        warn(FarEndUnseen(measure, n, unit, end, 3 * distance / n))


def _draw_means(column: Float64, rng: np.random.Generator, resamples: int) -> Float64:
    """Means of samples of the topics, drawn with replacement, in batches of bounded size."""
    n, means = len(column), np.empty(resamples)
    step = max(1, _BATCH // n)
    for batch in (means[start : start + step] for start in range(0, resamples, step)):
        batch[:] = column[rng.integers(0, n, (len(batch), n))].mean(axis=1)
    return means


@estimating("two-way mean")
def two_way(
    matrix: Any,
    *,
    level: float = 0.95,
    method: str | None = None,
    range: Range | None = None,
    rng: Rng = 0,
    measure: str = "mean",
) -> Interval:
    """Interval of the mean of topics x items, where both are samples.

    A t interval treats topics as the only random sample. Here the items (or queries of a topic,
    judges, training runs: whatever the columns are) are also a sample. The variance of the grand
    mean is (MS_topics + MS_items - MS_residual) / (T I), with Satterthwaite's degrees of freedom.

    Parameters
    ----------
    matrix : T x I finite numbers, a row per topic, T and I at least 2.
    level : nominal coverage, in (0, 1).
    method : "two-way t"; or "two-way bayesian-bootstrap", for values whose range is known: the
        method of `mean` for the means of topics or of items, whichever vary more. They are weighted
        to have the variance of the grand mean. None is the second for fewer than 30 of these means,
        and if t leaves the range; otherwise, and if the range is not known, it is the first.
    range : see `mean`.
    rng : accepted as by every interval; nothing is drawn here.
    measure : name of the measure that is averaged.

    Returns
    -------
    Interval

    Warns
    -----
    PrecallWarning
        As for `mean`, with the means of topics or of items, whichever vary more.

    Raises
    ------
    UsageError, DataError
        The matrix is too small or no matrix, or has values that are not finite or beyond the range.

    Notes
    -----
    Searle, Casella & McCulloch (1992), Variance Components: the two-way random model without
    replication. The variance is never less than the smaller mean square over T I, which negative
    estimates of components would allow.

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
    try:
        cells = np.asarray(matrix, np.float64)
    except (TypeError, ValueError, OverflowError) as problem:
        raise UsageError(
            argument="matrix", allowed=f"numbers, topics x items ({problem})"
        ) from None
    if cells.ndim != 2 or min(cells.shape) < 2:
        raise UsageError(
            argument="matrix",
            allowed="topics x items, at least 2 x 2",
            got=Shape(cells.shape),
        )
    limits = _check_range(range, _check_finite(cells.ravel()))
    is_bounded = _has_both_ends(limits)
    if method == _TWO_WAY[1] and not is_bounded:
        raise UsageError(
            argument="method",
            what=f"{method!r} needs a range that ends at both ends",
            remedy="pass range=(0, 1), or what it is",
        )
    t, i = cells.shape
    rows, columns = (np.array([ragged.mean(line) for line in side]) for side in (cells, cells.T))
    grand = ragged.mean(cells.ravel())
    residuals = np.sort((cells - rows[:, None] - columns + grand).ravel() ** 2)
    topics = i * float(np.sum(np.sort((rows - grand) ** 2))) / (t - 1)
    items = t * float(np.sum(np.sort((columns - grand) ** 2))) / (i - 1)
    residual = float(np.sum(residuals)) / ((t - 1) * (i - 1))
    # The side that contributes most of the error.
    side, unit = (rows, "topics") if topics >= items else (columns, "items")
    error, freedom = _components(topics, items, residual, t, i)
    half = quantiles.t(level, freedom) * error if error else 0.0
    facts: dict[str, Any] = {"standard_error": error}
    leaves = grand - half < limits[0] or grand + half > limits[1]
    if method == _TWO_WAY[1] or (
        method is None and is_bounded and (len(side) < FEWEST_OF_T or not error or leaves)
    ):
        if len(side) < FEWEST:
            warn(FewValues(measure, len(side), unit, "wide"))
        facts["assumptions"] = (
            f"topics and items drawn independently; values within {limits[0]:g}..{limits[1]:g}"
        )
        # If all values are equal, the number of topics or of items, whichever is smaller.
        count = min(ragged.deviation(side) ** 2 / error**2, len(side)) if error else min(t, i)
        low, high = bayesian_bounds(side, np.full(len(side), count / len(side)), level, limits)
        return Interval(
            grand, min(low, grand), max(high, grand), level, _TWO_WAY[1], measure, **facts
        )
    if not _warn_small(side, measure, unit):
        _warn_of_ends(side, measure, limits, unit)
    facts["assumptions"] = "topics and items drawn independently; effects add up to a normal value"
    other = _TWO_WAY[1] if is_bounded else ""
    low, high = _t_bounds(grand, half, limits, measure, other, is_cut=method is None)
    return Interval(grand, low, high, level, _TWO_WAY[0], measure, **facts)


_TWO_WAY = METHODS["two-way mean"]


def _components(
    topics: float, items: float, residual: float, t: int, i: int
) -> tuple[float, float]:
    """Standard error of the grand mean, and its degrees of freedom, from the mean squares."""
    terms = [(topics, t - 1), (items, i - 1), (-residual, (t - 1) * (i - 1))]
    total = math.fsum(term for term, _ in terms)
    if total < min(topics, items):
        # A negative estimate of a component would make the error smaller than either mean square
        # alone allows.
        terms = [min(terms[0], terms[1])]
        total = terms[0][0]
    if total <= 0:
        return 0.0, 1.0
    freedom = total**2 / math.fsum(term**2 / degrees for term, degrees in terms)
    return math.sqrt(total / (t * i)), freedom
