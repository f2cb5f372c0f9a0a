"""Intervals for a mean over topics, and over topics and items at once."""

from __future__ import annotations

import math
from typing import Any, TypeAlias

import numpy as np

from precall.core import ragged
from precall.core.arguments import check_column, is_number, refuse_mapping
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
from precall.core.rng import Rng, generator_and_seed
from precall.stats import quantiles
from precall.stats.intervals.bayesian import quantile
from precall.stats.intervals.interval import Interval, estimating, undefined
from precall.stats.intervals.methods import METHODS
from precall.stats.resample.bootstrap import acceleration, bounds
from precall.stats.skewness import MUCH as SKEWED
from precall.stats.skewness import kurtosis, skewness

#: Fewer topics than these, the second where samples are drawn, or than SKEWED times their squared
#: skewness, cover less than 93 % (docs/how-to/intervals.md). Redrawn means of n normal values vary
#: by a share 1 / n too little: they cover 92.9 % with 20, 93.3 % with 25. Values that keep to both
#: ends lose nothing: ten of a kurtosis up to a uniform distribution's cover 94 %.
FEWEST, FEWEST_DRAWN, FLAT = 10, {"bca": 25, "percentile": 30}, 1.8
#: Fewer values of a known range than this have by default the interval that knows their range.
FEWEST_OF_T = 30
#: The method that knows the range of values, and how much of one topic more it has at the far and
#: at the near end of each bound: so that means of 15 laws are covered in 93.5 % of samples and more
#: of 5 to 50 topics (docs/why/intervals.md).
BAYESIAN, FAR, NEAR = "bayesian-bootstrap", 2 / 3, 1 / 3
#: Values of which 3 / n may lie at the far end of their range unseen are named if that moves the
#: mean by more than so many half widths: of 30 values in .97..1 beside 4 % zeros t covers 71 %.
#: Where it is less, t loses at most a few percent.
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
    method : "t": mean ± t(n - 1) s / √n. "bayesian-bootstrap", of values whose range is known:
        quantiles of the mean under random weights of the topics and of one topic more at the ends
        of the range. "percentile", "bca": bootstrap of the topics, the second corrected for bias
        and skewness (Efron 1987). None is "bayesian-bootstrap" of fewer than 30 topics, and where t
        leaves the range; else, and where the range is not known, t.
    range : the least and the greatest value that the measure can have; None if it is not known.
        `pc.interval(values, "AP")`, and intervals of reports, know it from the measure.
    rng : seed or Generator of "percentile" and "bca".
    resamples : samples of the same.
    measure : what the mean is of.

    Returns
    -------
    Interval
        The bounds are undefined (None, with a warning) with fewer than two topics, or where all
        values are equal and their range is not known. A t interval that was asked for may leave the
        range: it is not cut, so that it stays what it says. By default it is cut where the range
        has one end only.

    Warns
    -----
    PrecallWarning
        Fewer than 10 topics ("bca" 25, "percentile" 30, but for values of a kurtosis up to 1.8); of
        all but "bayesian-bootstrap" fewer than 20 times their squared
        skewness, or only two values occur: the interval can cover less than 93 %, see the table in
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
    values: object,
    *,
    level: float = 0.95,
    method: str | None = None,
    range: Range | None = None,
    rng: Rng = 0,
    resamples: int = 10_000,
    measure: str = "mean",
) -> Interval:
    """`mean` over topics, or what else `noun` says that values are of."""
    known = _finite(values)
    n, limits = len(known), _check_range(range, known)
    _check_bounded(method, BAYESIAN, limits)
    if n < 2:
        only = float(known[0]) if n else math.nan
        what = f"an interval needs at least two {noun}, got {n}"
        return undefined(measure, what, level, method or "t", only)
    middle, alike = ragged.mean(known), bool(known.min() == known.max())
    # Of equal values rounding leaves a deviation.
    error = 0.0 if alike else ragged.deviation(known, middle) / math.sqrt(n)
    facts: dict[str, Any] = {"standard_error": error, "assumptions": f"{noun} drawn independently"}
    half = quantiles.t(level, n - 1) * error
    if _takes_bayesian(method, BAYESIAN, n, middle, half, limits):
        if n < FEWEST:
            warn(FewValues(measure, n, noun, "wide"))
        facts["assumptions"] += f"; values within {limits[0]:g}..{limits[1]:g}"
        low, high = bayesian_bounds(known, np.ones(n), level, limits)
        return Interval(
            middle, min(low, middle), max(high, middle), level, BAYESIAN, measure, **facts
        )
    asked, method = method, method or "t"
    if alike:
        return undefined(
            measure, f"its variance is 0, as all {n} values are equal", level, method, middle
        )
    fewest = FEWEST_DRAWN.get(method, FEWEST)
    if fewest > n and kurtosis(known) <= FLAT:
        fewest = FEWEST
    if not _warn_small(known, measure, noun, fewest, bounded=_is_bounded(limits)):
        _warn_of_ends(known, measure, limits, noun)
    if method == "t":
        other = BAYESIAN if _is_bounded(limits) else "bca"
        low, high = _student(middle, half, limits, measure, other, is_cut=asked is None)
        return Interval(middle, low, high, level, method, measure, **facts)
    source, seed = generator_and_seed(rng)
    facts |= {"seed": seed, "resamples": resamples}
    drawn = _means(np.sort(known), source, resamples)
    low, high = bounds(method, drawn, middle, level, lambda: acceleration(np.sort(known) - middle))
    return Interval(middle, low, high, level, method, measure, **facts)


def _student(
    centre: float, half: float, limits: Range, measure: str, other: str, is_cut: bool
) -> tuple[float, float]:
    """Bounds by t: cut to the range where no method was asked for; else as they are, with a note of
    another method.
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
    """Bounds of the mean by the Bayesian bootstrap with one topic more, the most of it at the far
    end of each bound.

    `weights` are how many topics each value stands for. Nothing is drawn, so that no order and no
    seed changes a digit.

    If values are at both ends of the range and nowhere else, the mean is a proportion. The topic
    more is then wholly at the far end, which gives Clopper & Pearson's exact interval; with 2/3 of
    it 16 topics cover 90.8 %.
    """
    distinct, place = np.unique(values, return_inverse=True)
    far, near = (1.0, 0.0) if np.array_equal(distinct, limits) else (FAR, NEAR)
    ends = np.concatenate(([limits[0]], distinct, [limits[1]]))
    shapes = np.bincount(place, weights)
    low, high = (
        _quantile_of_weighted(ends, np.concatenate(([first], shapes, [last])), share)
        for first, last, share in ((far, near, (1 - level) / 2), (near, far, (1 + level) / 2))
    )
    return low, high


def _quantile_of_weighted(values: Float64, shapes: Float64, share: float) -> float:
    """Quantile of the mean of values under random weights; values of no weight are left out."""
    has_weight = shapes > 0
    return quantile(values[has_weight], shapes[has_weight], share)


def _is_bounded(limits: Range) -> bool:
    return math.isfinite(limits[0]) and math.isfinite(limits[1])


def _check_bounded(method: str | None, bayesian: str, limits: Range) -> None:
    """Refuse the Bayesian bootstrap, by its name here, of values without a known range."""
    if method == bayesian and not _is_bounded(limits):
        raise UsageError(
            argument="method",
            what=f"{bayesian!r} needs a range that ends at both ends",
            remedy="pass range=(0, 1), or what the least and the greatest value can be",
        )


def _takes_bayesian(
    method: str | None, bayesian: str, size: int, centre: float, half: float, limits: Range
) -> bool:
    """Whether the interval is that of the Bayesian bootstrap: if it is asked for, and by default of
    few values, of equal ones, and where t, which goes `half` to either side, leaves the range.
    """
    if method is not None or not _is_bounded(limits):
        return method == bayesian
    return size < FEWEST_OF_T or not half or centre - half < limits[0] or centre + half > limits[1]


def _check_range(range: object, known: Float64) -> Range:
    """The range of values, checked; without ends where it is not known."""
    if range is None:
        return -math.inf, math.inf
    pair = tuple(range) if isinstance(range, list | tuple) else ()
    if len(pair) != 2 or not all(is_number(end) for end in pair) or not pair[0] < pair[1]:
        raise UsageError(
            argument="range", allowed="the least and the greatest value, such as (0, 1)", got=range
        )
    least, most = map(float, pair)
    beyond = (known < least) | (known > most)
    if beyond.any():
        place = int(np.argmax(beyond))
        what = f"value {place} is {known[place]:g}, beyond {least:g}..{most:g}"
        raise UsageError(
            argument="range",
            what=what,
            remedy="leave range= out, or give the one that the values have",
        )
    return least, most


def _finite(values: object) -> Float64:
    column = check_column("values", values)
    bad = ~np.isfinite(column)
    if bad.any():
        place = int(np.argmax(bad))
        what = f"value {place} is {column[place]}"
        raise DataError(
            [Problem("values", None, what, "leave undefined topics out, or count them as 0")]
        )
    return column


def _warn_small(
    known: Float64, measure: str, unit: str = "topics", fewest: int = FEWEST, bounded: bool = False
) -> bool:
    """Warn of what is known of few values, of two, or of skewed ones; whether there was such."""
    # Which there is where values have a range.
    n, other = len(known), BAYESIAN if bounded else ""
    if n < fewest:
        warn(FewValues(measure, n, unit, "skewed" if n < FEWEST else "drawn"))
    elif ((known == known.min()) | (known == known.max())).all():
        warn(TwoValues(measure, other or "proportion"))
    elif n < SKEWED * (much := abs(float(skewness(known[:, None])[0]))) ** 2:
        warn(SkewedValues(measure, much, n, unit, other))
    else:
        return False
    return True


def _warn_of_ends(known: Float64, measure: str, limits: Range, unit: str = "topics") -> None:
    """Warn of values that stray little, beside how far an end of their range is: a few of all may
    lie there, unseen.

    Of a kind that is 3 / n of all, n values have none in one sample of twenty.
    """
    n, ends = len(known), [end for end in limits if math.isfinite(end)]
    if n < FEWEST or not ends:
        return
    middle = ragged.mean(known)
    half = 2 * ragged.deviation(known, middle) / math.sqrt(n)
    far, end = max((abs(middle - end), end) for end in ends)
    if 3 * far / n > _UNSEEN * half:
        warn(FarEndUnseen(measure, n, unit, end, 3 * far / n))


def _means(known: Float64, rng: np.random.Generator, resamples: int) -> Float64:
    """Means of samples of the topics, drawn with replacement, in batches of bounded size."""
    n, means = len(known), np.empty(resamples)
    step = max(1, _BATCH // n)
    for batch in (means[start : start + step] for start in range(0, resamples, step)):
        batch[:] = known[rng.integers(0, n, (len(batch), n))].mean(axis=1)
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
    """Interval of the mean of topics x items, where both are samples.

    A t interval counts topics as the only source of chance. Here the items (or queries of a topic,
    judges, training runs: whatever the columns are) are a sample, too: the variance of the grand
    mean is (MS_topics + MS_items - MS_residual) / (T I), with Satterthwaite's degrees of freedom.

    Parameters
    ----------
    matrix : T x I finite numbers, a row per topic, T and I at least 2.
    level : nominal coverage, in (0, 1).
    method : "two-way t"; "two-way bayesian-bootstrap", of values whose range is known: that of
        `mean`, of the means of topics or of items, whichever vary more, which count as so many as
        would have the variance of the grand mean. None is the second of fewer than 30 of these, and
        where t leaves the range; else, and where the range is not known, the first.
    range : see `mean`.
    rng : taken as by every interval; nothing is drawn here.
    measure : what the mean is of.

    Returns
    -------
    Interval

    Warns
    -----
    PrecallWarning
        As `mean` does, of the means of topics or of items, whichever vary more.

    Raises
    ------
    UsageError, DataError
        The matrix is too small, no matrix, or has values that are not finite, or beyond the range.

    Notes
    -----
    Searle, Casella & McCulloch (1992), Variance Components: the two-way random model without
    replication. It never falls below the lesser mean square over T I, as it would by negative
    estimates of components.

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
        given = np.asarray(matrix, np.float64)
    except (TypeError, ValueError, OverflowError) as problem:
        raise UsageError(
            argument="matrix", allowed=f"numbers, topics x items ({problem})"
        ) from None
    if given.ndim != 2 or min(given.shape) < 2:
        raise UsageError(
            argument="matrix",
            allowed="topics x items, at least 2 x 2",
            got=Shape(given.shape),
        )
    limits = _check_range(range, _finite(given.ravel()))
    bounded = _is_bounded(limits)
    _check_bounded(method, _TWO_WAY[1], limits)
    t, i = given.shape
    rows, columns = (np.array([ragged.mean(line) for line in side]) for side in (given, given.T))
    grand = ragged.mean(given.ravel())
    rest = np.sort((given - rows[:, None] - columns + grand).ravel() ** 2)
    topics = i * float(np.sum(np.sort((rows - grand) ** 2))) / (t - 1)
    items = t * float(np.sum(np.sort((columns - grand) ** 2))) / (i - 1)
    residual = float(np.sum(rest)) / ((t - 1) * (i - 1))
    # The side that most of the error comes from.
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
        # Of equal values as many as there are of the fewer.
        count = min(ragged.deviation(side) ** 2 / error**2, len(side)) if error else min(t, i)
        low, high = bayesian_bounds(side, np.full(len(side), count / len(side)), level, limits)
        return Interval(
            grand, min(low, grand), max(high, grand), level, _TWO_WAY[1], measure, **facts
        )
    if not _warn_small(side, measure, unit):
        _warn_of_ends(side, measure, limits, unit)
    facts["assumptions"] = "topics and items drawn independently; effects add up to a normal value"
    other = _TWO_WAY[1] if bounded else ""
    low, high = _student(grand, half, limits, measure, other, is_cut=method is None)
    return Interval(grand, low, high, level, _TWO_WAY[0], measure, **facts)


_TWO_WAY = METHODS["two-way mean"]


def _components(
    topics: float, items: float, residual: float, t: int, i: int
) -> tuple[float, float]:
    """Standard error of the grand mean, and its degrees of freedom."""
    parts = [(topics, t - 1), (items, i - 1), (-residual, (t - 1) * (i - 1))]
    total = math.fsum(part for part, _ in parts)
    if total < min(topics, items):
        # Estimated components below 0 would make the mean surer than either mean square alone says.
        parts = [min(parts[0], parts[1])]
        total = parts[0][0]
    if total <= 0:
        return 0.0, 1.0
    freedom = total**2 / math.fsum(part**2 / degrees for part, degrees in parts)
    return math.sqrt(total / (t * i)), freedom
