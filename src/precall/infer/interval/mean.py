"""Intervals for a mean over topics, and over topics and items at once."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from precall import ragged
from precall.checks import check_column
from precall.errors import DataError, Problem, UsageError
from precall.infer import quantiles
from precall.infer.interval.interval import Interval, estimating, undefined
from precall.infer.resample.bootstrap import acceleration, bounds
from precall.infer.skewness import MUCH as SKEWED
from precall.infer.skewness import kurtosis, skewness
from precall.notes import warn
from precall.ragged import Float64
from precall.rng import Rng, seeded

#: Fewer topics than these, the second where samples are drawn, or than SKEWED times their squared skewness, cover less than
#: 93 % (docs/how-to/intervals.md). Redrawn means of n normal values vary by a share 1 / n too little: they cover 92.9 % with
#: 20, 93.3 % with 25. Values that keep to both ends lose nothing: ten of a kurtosis up to a uniform distribution's cover 94 %.
FEWEST, FEWEST_DRAWN, FLAT = 10, {"bca": 25, "percentile": 30}, 1.8
_BATCH = 1 << 22


@estimating("mean")
def mean(
    values: Any, *, level: float = 0.95, method: str = "t", rng: Rng = 0, resamples: int = 10_000,
    measure: str = "mean",
) -> Interval:  # fmt: skip
    """Interval of the mean of a measure over topics.

    Parameters
    ----------
    values : one number per topic, finite.
    level : nominal coverage, in (0, 1).
    method : "t" (default): mean ± t(n - 1) s / √n. "percentile", "bca": bootstrap of the topics, the second
        corrected for bias and skewness (Efron 1987).
    rng : seed or Generator of the bootstrap.
    resamples : samples of the bootstrap.
    measure : what the mean is of.

    Returns
    -------
    Interval
        The bounds are undefined (None, with a warning) with fewer than two topics, or where all values are equal. The t
        interval may leave the range of a bounded measure: it is not cut, so that it stays what it says.

    Warns
    -----
    PrecallWarning
        Fewer than 10 topics ("bca" 25, "percentile" 30, but for values of a kurtosis up to 1.8), or than 20 times their squared
        skewness, or only two values occur: the interval can cover less than 93 %, see the table in docs/how-to/intervals.md.

    Raises
    ------
    DataError
        A value is NaN or infinite: decide first what undefined topics count as.
    UsageError
        Level, method or number of samples is not allowed.

    Examples
    --------
    >>> print(mean([0.1, 0.4, 0.35, 0.5, 0.2, 0.3, 0.45, 0.25, 0.15, 0.3, 0.4, 0.35]))
    mean 0.3125 [0.2357, 0.3893] 95 % t
    """
    known = _finite(values)
    n = len(known)
    if n < 2:
        only = float(known[0]) if n else math.nan
        return undefined(measure, f"an interval needs at least two topics, got {n}", level, method, only)
    middle = ragged.mean(known)
    # Of equal values NumPy's deviation is not quite 0.
    if known.min() == known.max():
        return undefined(measure, f"its variance is 0, as all {n} values are equal", level, method, middle)
    fewest = FEWEST_DRAWN.get(method, FEWEST)
    _warn_small(known, measure, fewest=FEWEST if fewest > n and kurtosis(known) <= FLAT else fewest)
    error = ragged.deviation(known) / math.sqrt(n)
    facts: dict[str, Any] = {"standard_error": error, "assumptions": "topics drawn independently"}
    if method == "t":
        half = quantiles.t(level, n - 1) * error
        return Interval(middle, middle - half, middle + half, level, method, measure, **facts)
    source, seed = seeded(rng)
    facts |= {"seed": seed, "resamples": resamples}
    drawn = _means(np.sort(known), source, resamples)
    low, high = bounds(method, drawn, middle, level, lambda: acceleration(known - middle))
    return Interval(middle, low, high, level, method, measure, **facts)


def _finite(values: Any) -> Float64:
    column = check_column("values", values)
    bad = ~np.isfinite(column)
    if bad.any():
        place = int(np.argmax(bad))
        what = f"value {place} is {column[place]}"
        raise DataError([Problem("values", None, what, "leave undefined topics out, or count them as 0")])
    return column


def _warn_small(known: Float64, measure: str, unit: str = "topics", fewest: int = FEWEST) -> None:
    n = len(known)
    if n < fewest:
        skewed = "with skewed values the interval covers less than it says"
        drawn = "an interval of drawn samples covers less than it says; method='t' is made for few"
        warn(f"{measure}: {n} {unit} are few; {skewed if n < FEWEST else drawn}")
        return
    if ((known == known.min()) | (known == known.max())).all():
        warn(f"{measure}: only two values occur; pc.interval.proportion is made for the share of one of them")
        return
    much = abs(float(skewness(known[:, None])[0]))
    if n < SKEWED * much**2:
        what = f"skewness {much:.2f} is much for {n} {unit}"
        warn(f"{measure}: {what}; the interval can cover less than it says")


def _means(known: Float64, rng: np.random.Generator, resamples: int) -> Float64:
    """Means of samples of the topics, drawn with replacement, in batches of bounded size."""
    n, means = len(known), np.empty(resamples)
    step = max(1, _BATCH // n)
    for batch in (means[start : start + step] for start in range(0, resamples, step)):
        batch[:] = known[rng.integers(0, n, (len(batch), n))].mean(axis=1)
    return means


@estimating("two-way mean")
def two_way(
    matrix: Any, *, level: float = 0.95, method: str = "two-way t", rng: Rng = 0, measure: str = "mean"
) -> Interval:  # fmt: skip
    """Interval of the mean of topics x items, where both are samples.

    A t interval counts topics as the only source of chance. Here the items (or queries of a topic, judges,
    training runs: whatever the columns are) are a sample, too: the variance of the grand mean is
    (MS_topics + MS_items - MS_residual) / (T I), with Satterthwaite's degrees of freedom.

    Parameters
    ----------
    matrix : T x I finite numbers, a row per topic, T and I at least 2.
    level : nominal coverage, in (0, 1).
    method : "two-way t", the only one.
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
        The matrix is too small, no matrix, or has values that are not finite.

    Notes
    -----
    Searle, Casella & McCulloch (1992), Variance Components: the two-way random model without replication.
    It never falls below the lesser mean square over T I, as it would by negative estimates of components.

    Examples
    --------
    >>> print(two_way([[topic / 20 + item / 50 + topic * item % 7 / 30 for item in range(5)] for topic in range(12)]))
    mean 0.3900 [0.2540, 0.5260] 95 % two-way t
    """
    try:
        given = np.asarray(matrix, np.float64)
    except (TypeError, ValueError, OverflowError) as problem:
        raise UsageError(f"matrix: must be numbers, topics x items ({problem})") from None
    if given.ndim != 2 or min(given.shape) < 2:
        raise UsageError(f"matrix: must be topics x items, at least 2 x 2, got shape {given.shape}")
    _finite(given.ravel())
    t, i = given.shape
    grand = float(given.mean())
    rows, columns = given.mean(axis=1), given.mean(axis=0)
    rest = given - rows[:, None] - columns + grand
    topics = i * float(np.sum((rows - grand) ** 2)) / (t - 1)
    items = t * float(np.sum((columns - grand) ** 2)) / (i - 1)
    residual = float(np.sum(rest**2)) / ((t - 1) * (i - 1))
    # Of the side that most of the error comes from.
    _warn_small(rows if topics >= items else columns, measure, "topics" if topics >= items else "items")
    error, freedom = _components(topics, items, residual, t, i)
    half = quantiles.t(level, freedom) * error if error else 0.0
    assumed = "topics and items drawn independently; effects add up to a normal value"
    return Interval(grand, grand - half, grand + half, level, method, measure, assumed, standard_error=error)


def _components(topics: float, items: float, residual: float, t: int, i: int) -> tuple[float, float]:
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
