"""Skewed topics: where most lose a little and few win much, tests of no mean difference reject too
often.

Random signs are exact if the systems could be exchanged topic by topic. Of means alone they say
what they promise only where differences are near symmetric, or topics many: where nine of ten
topics lose .04 and one wins .36, ten topics reject equal means in 35 % of samples, most often
because none of the winners is in them.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from precall.core.notes.of_comparisons import (
    FewToShowSkewness,
    NoSkewnessShown,
    OfSkewness,
    SkewedDifferences,
)
from precall.core.ragged import Bool, Float64, Int64
from precall.stats.resample.batches import TOLERANCE
from precall.stats.tests import DECLARED

#: Fewer topics that differ than this show too little of their distribution; t needs more, as it
#: trusts a normal one, too.
FEWEST, FEWEST_OF_T = 15, 25
#: Skewness is much for n topics where n is less than this many times its square. False rejections
#: are most often on the other side of the mean than the long tail: there skewness above 1 is much
#: for more topics, and above .5 where the mean is two standard errors or more from 0. Then the
#: rejections on one side of which nothing is said are at most 2.9 % of all samples
#: (tests/stats/test_skewed_topics.py), and of normal and uniform ones hardly more have a note.
MUCH, MUCH_AGAINST = 20, 60
#: Differences that stray less than this share of their mean do not show whether they are skewed.
ALIKE = 0.6


def skewness(columns: Float64, counted: Bool | None = None) -> Float64:
    """Third moment over the 1.5th power of the second of those `counted`, per column, made up for
    what few understate.
    """
    total = np.add.reduce
    if counted is None or counted.all():
        size: Any = max(len(columns), 1)
        centred = columns - total(columns) / size
    else:
        size = np.maximum(total(counted, dtype=np.int64), 1)
        centred = (columns - total(columns * counted) / size) * counted
    squares = centred * centred
    variance, varies = total(squares) / size, _varies(columns, centred)
    cubes = np.multiply(squares, centred, out=squares)  # a power of NumPy takes 30 times as long
    skew: Float64 = np.divide(
        total(cubes) / size, variance**1.5, out=np.zeros(len(variance)), where=varies
    )
    return np.asarray(
        skew
        * (_understated(size) if isinstance(size, int) else [*map(_understated, size.tolist())])
    )


def kurtosis(values: Float64) -> float:
    """Fourth moment over the squared second: 1 of values at two ends, 1.8 of a uniform
    distribution, 3 of a normal one.

    Examples
    --------
    >>> kurtosis(np.array([0.0, 1.0] * 5)), round(kurtosis(np.arange(1000.0)), 4)
    (1.0, 1.8)
    """
    gaps = values - np.add.reduce(values) / len(values)
    # Over the greatest: fourth powers leave float64.
    squares = (gaps / np.abs(gaps).max()) ** 2
    variance = float(np.add.reduce(squares)) / len(values)
    return float(np.add.reduce(squares**2)) / len(values) / variance**2


def _understated(size: int) -> float:
    return math.sqrt(size * (size - 1.0)) / (size - 2) if size > 2 else 1.0


def remarkable(columns: Float64, test: str) -> Bool:
    """Which columns of differences are too few, or too skewed for their number: of those that are
    not 0.

    Topics without a difference say nothing of skewness, and change no p by signs, whatever sign
    they get. A rule that holds of the others holds of all topics, too: zeros bring the mean and the
    spread nearer to 0, the mean more so.
    """
    if test in DECLARED and not DECLARED[test].is_of_means:
        return np.zeros(columns.shape[1], np.bool_)
    moved = columns != 0
    count = np.add.reduce(moved, dtype=np.int64)
    few: Bool = count < fewest(test)
    if few.all():
        return np.asarray(count > 0, np.bool_)
    moments = _moments(columns, moved, count)
    return np.asarray(
        (few | _alike(*moments) | _much(columns, moved, count, *moments)) & (count > 0), np.bool_
    )


def fewest(test: str) -> int:
    """How many differences show whether they are skewed."""
    return FEWEST_OF_T if test == "t" else FEWEST


def _much(columns: Float64, moved: Bool, count: Int64, centre: Float64, deviation: Float64) -> Bool:
    """Which columns are too skewed for their number."""
    skew = skewness(columns, moved)
    if (count >= MUCH_AGAINST * skew**2).all():  # as mostly, whatever the means
        return np.zeros(len(skew), np.bool_)
    far = np.abs(centre) * np.maximum(count - 1, 1) ** 0.5 > 2 * deviation
    size = np.abs(skew)
    against = (skew * centre < 0) & ((size > 1) | far & (size > 0.5))
    factor = MUCH + (MUCH_AGAINST - MUCH) * against
    return np.asarray(count < factor * skew**2, np.bool_)


def _alike(centre: Float64, deviation: Float64) -> Bool:
    return np.asarray(deviation <= ALIKE * np.abs(centre), np.bool_)


def _moments(columns: Float64, moved: Bool, count: Int64) -> tuple[Float64, Float64]:
    """Means and standard deviations of what is not 0; NumPy's own take three times as long for few
    topics.
    """
    size = np.maximum(count, 1)
    centre = np.add.reduce(columns) / size
    gaps = (columns - centre) * moved
    return centre, np.sqrt(np.add.reduce(gaps * gaps) / size)


def _varies(columns: Float64, values: Float64) -> Bool:
    """Whether values, which are these columns but for a shift, differ by more than rounding."""
    width = np.maximum.reduce(values) - np.minimum.reduce(values)
    return np.asarray(width > TOLERANCE * np.maximum.reduce(np.abs(columns), initial=0.0), np.bool_)


def remark(difference: Float64, test: str, noun: str = "topics") -> OfSkewness | None:
    """What to know of a test of these differences, if there is something; `noun` says what they are
    of.

    Examples
    --------
    >>> remark(np.array([0.1, -0.1] * 20), "randomization")
    >>> print(remark(np.array([-0.04] * 39 + [1.56]), "t"))
    skewness 6.3 is much for 40 topics: t rejects equal means too often; more topics help, another test does not
    >>> remark(np.array([0.1, -0.1] * 4 + [0.0] * 32), "t")
    FewToShowSkewness(subject='', topics=40, differ=8, test='t', noun='topics')
    """  # noqa: E501
    size, column = len(difference), difference[:, None]
    if size < 2 or not remarkable(column, test)[0]:
        return None
    moved = column != 0
    count = np.add.reduce(moved, dtype=np.int64)
    differ, few = int(count[0]), bool(count[0] < fewest(test))
    moments = _moments(column, moved, count)
    if _alike(*moments)[0] and (differ == size or not few):
        only = difference[difference != 0][:, None]
        return NoSkewnessShown("", size, differ, bool(_varies(only, only)[0]), noun)
    skew = float(skewness(column, moved)[0])
    if (differ >= FEWEST or abs(skew) > 1) and _much(column, moved, count, *moments)[0]:
        return SkewedDifferences("", size, differ, skew, test, noun)
    return FewToShowSkewness("", size, differ, test, noun)
