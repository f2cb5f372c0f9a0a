"""Skewed topics: if most lose a little and few win much, tests of equal means reject too often.

Random signs are exact if the systems could be exchanged topic by topic. As a test of equal means
they keep their level only if differences are nearly symmetric, or topics are many. Example: nine of
ten topics lose .04 and one wins .36. Then samples of ten topics reject equal means in 35 % of
cases, most often because none of the winners is in the sample.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import Any

import numpy as np

from precall.core.notes import Note
from precall.core.notes.of_comparisons import (
    FewToShowSkewness,
    NoSkewnessShown,
    OfSkewness,
    SkewedDifferences,
)
from precall.core.ragged import Bool, Float64, Int64
from precall.stats.resample.batches import TOLERANCE
from precall.stats.tests import DECLARED

#: Fewer topics that differ show too little of their distribution; t needs more, because it also
#: assumes a normal distribution.
FEWEST, FEWEST_OF_T = 15, 25
#: Skewness is strong for n topics if n is less than MUCH times its square. False rejections are
#: mostly on the side of the mean that is opposite to the long tail. There MUCH_AGAINST applies to a
#: skewness above 1, and above .5 if the mean is two standard errors or more from 0. With these
#: factors, rejections on one side without a note are at most 2.9 % of all samples
#: (tests/stats/test_skewed_topics.py), and hardly more samples of normal and uniform values have a
#: note.
MUCH, MUCH_AGAINST = 20, 60
#: Differences whose standard deviation is at most this share of their mean do not show whether they
#: are skewed.
ALIKE = 0.6


def skewness(columns: Float64, counted: Bool | None = None) -> Float64:
    """Skewness of the `counted` values per column: third moment over the 1.5th power of the second,
    with a correction for small samples, which understate it.
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
    # NumPy's power would take 30 times as long.
    cubes = np.multiply(squares, centred, out=squares)
    skew: Float64 = np.divide(
        total(cubes) / size, variance**1.5, out=np.zeros(len(variance)), where=varies
    )
    return np.asarray(
        skew
        * (
            _small_sample_factor(size)
            if isinstance(size, int)
            else [*map(_small_sample_factor, size.tolist())]
        )
    )


def kurtosis(values: Float64) -> float:
    """Fourth moment over the squared second: 1 for values at two ends, 1.8 for a uniform
    distribution, 3 for a normal one.

    Examples
    --------
    >>> kurtosis(np.array([0.0, 1.0] * 5)), round(kurtosis(np.arange(1000.0)), 4)
    (1.0, 1.8)
    """
    gaps = values - np.add.reduce(values) / len(values)
    # Divided by the greatest, because fourth powers can overflow.
    squares = (gaps / np.abs(gaps).max()) ** 2
    variance = float(np.add.reduce(squares)) / len(values)
    return float(np.add.reduce(squares**2)) / len(values) / variance**2


def _small_sample_factor(size: int) -> float:
    return math.sqrt(size * (size - 1.0)) / (size - 2) if size > 2 else 1.0


def remarkable(columns: Float64, test: str) -> Bool:
    """Whether the non-zero differences of each column are too few, or too skewed for their number.

    Topics without a difference say nothing about skewness, and their sign does not change p. A rule
    that holds for the others also holds for all topics: zeros bring the mean and the spread nearer
    to 0, the mean more so.
    """
    if test in DECLARED and not DECLARED[test].is_of_means:
        return np.zeros(columns.shape[1], np.bool_)
    differs = columns != 0
    count = np.add.reduce(differs, dtype=np.int64)
    is_few: Bool = count < fewest(test)
    if is_few.all():
        return np.asarray(count > 0, np.bool_)
    moments = _moments(columns, differs, count)
    return np.asarray(
        (
            is_few
            | _are_nearly_equal(*moments)
            | _are_strong(skewness(columns, differs), count, *moments)
        )
        & (count > 0),
        np.bool_,
    )


def fewest(test: str) -> int:
    """Number of differences that are needed to show whether they are skewed."""
    return FEWEST_OF_T if test == "t" else FEWEST


def _are_strong(skew: Float64, count: Int64, centre: Float64, deviation: Float64) -> Bool:
    """Whether the skewness of each column is too great for its number of differences."""
    if (count >= MUCH_AGAINST * skew**2).all():  # the common case, for any means
        return np.zeros(len(skew), np.bool_)
    is_far = np.abs(centre) * np.maximum(count - 1, 1) ** 0.5 > 2 * deviation
    size = np.abs(skew)
    is_against = (skew * centre < 0) & ((size > 1) | is_far & (size > 0.5))
    factor = MUCH + (MUCH_AGAINST - MUCH) * is_against
    return np.asarray(count < factor * skew**2, np.bool_)


def _are_nearly_equal(centre: Float64, deviation: Float64) -> Bool:
    return np.asarray(deviation <= ALIKE * np.abs(centre), np.bool_)


def _moments(columns: Float64, differs: Bool, count: Int64) -> tuple[Float64, Float64]:
    """Means and standard deviations of the non-zero differences; NumPy's functions take three times
    as long for few topics.
    """
    size = np.maximum(count, 1)
    centre = np.add.reduce(columns) / size
    gaps = (columns - centre) * differs
    return centre, np.sqrt(np.add.reduce(gaps * gaps) / size)


def _varies(columns: Float64, values: Float64) -> Bool:
    """Whether values, which are the columns up to a shift, differ by more than rounding."""
    width = np.maximum.reduce(values) - np.minimum.reduce(values)
    return np.asarray(width > TOLERANCE * np.maximum.reduce(np.abs(columns), initial=0.0), np.bool_)


def keep_if_concerned(
    notes: Iterable[Note], p: float, level: float, has_bounds: bool
) -> tuple[Note, ...]:
    """Notes on skewness as they concern a result, and all others.

    An interval is made of what its test does not reject, and misses the mean if the test rejects
    falsely. So the notes concern every result that has bounds. One without bounds they only concern
    if p is at most 1 - level: what is not rejected is no false rejection.

    Parameters
    ----------
    has_bounds : whether the interval leaves out some possible differences.
    """
    if has_bounds:
        return tuple(
            note.with_interval() if isinstance(note, OfSkewness) else note for note in notes
        )
    rejects_nothing = p > 1 - level + 1e-12
    return tuple(note for note in notes if not (rejects_nothing and isinstance(note, OfSkewness)))


def remark(difference: Float64, test: str, noun: str = "topics") -> OfSkewness | None:
    """The note on the skewness of these differences for a test, or None; `noun` names what they
    belong to.

    Examples
    --------
    >>> remark(np.array([0.1, -0.1] * 20), "randomization")
    >>> print(remark(np.array([-0.04] * 39 + [1.56]), "t"))
    The differences of 40 topics are strongly skewed (skewness 6.3), so p may be too small. More topics would help; another test would not.
    >>> remark(np.array([0.1, -0.1] * 4 + [0.0] * 32), "t")
    FewToShowSkewness(subject='', topics=40, differ=8, test='t', noun='topics', interval=False)
    """  # noqa: E501
    size, column = len(difference), difference[:, None]
    if size < 2 or not remarkable(column, test)[0]:
        return None
    differs = column != 0
    count = np.add.reduce(differs, dtype=np.int64)
    differ, is_few = int(count[0]), bool(count[0] < fewest(test))
    moments = _moments(column, differs, count)
    if _are_nearly_equal(*moments)[0] and (differ == size or not is_few):
        non_zero = difference[difference != 0][:, None]
        return NoSkewnessShown("", size, differ, bool(_varies(non_zero, non_zero)[0]), noun)
    skews = skewness(column, differs)
    skew = float(skews[0])
    if (differ >= FEWEST or abs(skew) > 1) and _are_strong(skews, count, *moments)[0]:
        return SkewedDifferences("", size, differ, skew, test, noun)
    return FewToShowSkewness("", size, differ, test, noun)
