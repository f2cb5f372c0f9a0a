"""Intervals of average precision of detected objects; the sample is the images.

Objects of one image depend on each other, and so do its detections. The variance is that of the
jackknife, of the values without each image, or without each of some groups of images if there are
many. Average precision is too high in small samples, since every object counts in the precision at
its own rank and the greatest precision behind it is taken: the lower bound allows for that.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from precall.core.counts import Paths
from precall.core.errors import UsageError
from precall.core.notes import collect_notes, notes_of, warn
from precall.core.notes.of_intervals import FewItems
from precall.core.ragged import Bool, Float64, Int64, mean, mean_of_defined
from precall.core.rng import Rng
from precall.core.text import as_text
from precall.hard_decisions.intervals import at_once
from precall.object_detection.api import Detections, areas_of, method_of
from precall.stats import quantiles
from precall.stats.intervals.areas import blend
from precall.stats.intervals.interval import Interval, Intervals, around, estimating, undefined
from precall.stats.intervals.proportion import wilson

#: The name of the mean over classes among the intervals.
MEAN = "mean"
#: Most groups of images that are left out in turn.
_GROUPS = 200
#: With fewer images that have objects, coverage can leave 93-97 % (tests/coverage).
FEWEST = 20
#: The lower bound is lowered by the bias, at most by this number of standard errors.
_MOST_BIAS = 0.5
#: Cells that are computed together, groups x detections.
_CELLS = 1 << 22
_ROUNDING = 1e-12
_ASSUMED = "images drawn independently"


def interval_of_detections(
    given: Detections,
    measure: Any = None,
    *,
    level: float = 0.95,
    method: str = "logit",
    rng: Rng = 0,
) -> Intervals:
    """Intervals of the average precision of each class, and of "mean", the mean over classes; see
    `pc.interval`.

    Parameters
    ----------
    measure : the average, see `Detections.by_category`; None is "101-point".
    method : "logit", the only one: symmetric on the log-odds scale, with Student's t.
    rng : accepted as in every interval; nothing is drawn here.

    Examples
    --------
    >>> from precall import detections
    >>> images = [number // 3 for number in range(150)]
    >>> score = [number * 7 % 101 for number in range(150)]
    >>> matched = [int(number % 5 < 3) for number in range(150)]
    >>> found = detections(score, matched, image=images, missed=0)
    >>> print(interval_of_detections(found)["object"])
    101-point AP 0.6120 [0.5372, 0.6683] 95 % logit
    """
    name = "101-point" if measure is None else method_of(measure, "measure")
    if MEAN in map(as_text, given.categories):
        raise UsageError(
            argument="interval",
            what="a class has the name of the mean over classes",
            got=MEAN,
            remedy="call the class otherwise",
        )
    groups, images_with = groups_of(given)
    # Columns x classes, and groups x columns x classes.
    values, left = given.values(name), values_without(given, groups, name)
    several: dict[Any, Interval] = {}
    label = f"{name} AP"
    with collect_notes():
        for place, category in enumerate(given.categories):
            several[as_text(category)] = _interval(
                float(values[:, place].mean()),
                left[:, :, place].mean(axis=1),
                label,
                len(np.unique(images_with[place])),
                level=level,
                method=method,
                rng=rng,
            )
        every = np.unique(np.concatenate([np.zeros(0, np.int64), *images_with]))
        several[MEAN] = _interval(
            given.ap(name),
            np.array([mean_of_defined(each) for each in left]),
            f"mean {label}",
            len(every),
            level=level,
            method=method,
            rng=rng,
        )
    notes = [note for key, each in several.items() for note in notes_of(key, each.notes)]
    made = Intervals(several, notes=notes, over="category", of=label).aloud()
    return made.with_notes(*at_once(len(given.categories), level))


def groups_of(given: Detections, argument: str = "interval") -> tuple[Int64, list[Int64]]:
    """The group of each image, left out together; and of each class the images with its objects."""
    objects = given._objects
    if given.images is None:
        raise UsageError(
            argument=argument,
            what="the images are the sample, and these detections have none",
            remedy="name the image of each detection with ⟨image=⟩",
        )
    if objects.image is None:
        raise UsageError(
            argument=argument,
            what="the images are the sample, and those of the objects are not known",
            remedy=(
                "⟨give missed= or objects= as {(image, class): count}"
                "¦name a table of them with --objects⟩"
            ),
        )
    there = objects.number > 0
    with_objects = [
        objects.image[there & (objects.category == place)] for place in range(len(given.categories))
    ]
    return groups_of_images(len(given.images)), with_objects


def groups_of_images(images: int) -> Int64:
    """The group of each image, left out together."""
    return np.arange(images) % _GROUPS


def values_without(
    given: Detections, groups: Int64, name: str, number: int | None = None
) -> Float64:
    """Groups x columns x classes: the average precisions without each group of images. `number` is
    that of the groups, if some have none of these images.
    """
    number = int(groups.max(initial=-1)) + 1 if number is None else number
    columns = range(len(given.columns))
    return np.stack([_without_each(given, which, groups, name, number) for which in columns], 1)


def _without_each(given: Detections, which: int, groups: Int64, name: str, number: int) -> Float64:
    """Groups x classes: the average precisions without each group of images."""
    rows, objects = given._kept(which), given._objects
    assert rows.image is not None and objects.image is not None
    result = np.full((number, len(given.categories)), math.nan)
    of_objects = groups[objects.image]
    for place in range(len(given.categories)):
        mine = rows.category == place
        matched, group = rows.matched[0][mine], groups[rows.image[mine]]
        own = objects.category == place
        all_of = int(objects.number[own].sum())
        relevant = all_of - np.bincount(
            of_objects[own], objects.number[own], minlength=number
        ).astype(np.int64)
        ends = _ends(rows.score[mine], matched, given.ties)
        size = ends[-1] + 1 if len(ends) else 0
        step = max(1, _CELLS // max(size, 1))
        for begin in range(0, number, step):
            some = slice(begin, begin + step)
            kept = group[:size] != np.arange(number)[some, None]
            result[some, place] = areas_of(_paths(kept, matched[:size], ends, relevant[some]), name)
    return result


def _ends(score: Any, matched: Bool, ties: str) -> Int64:
    """The last rows of the blocks of equal scores that hold a match: precision is greatest there,
    and recall rises nowhere else.
    """
    is_end = np.ones(len(score), np.bool_)
    if ties == "block":
        is_end[:-1] = score[1:] != score[:-1]
    ends = np.flatnonzero(is_end)
    return ends[np.unique(np.searchsorted(ends, np.flatnonzero(matched)))]


def _paths(kept: Bool, matched: Bool, ends: Int64, relevant: Int64) -> Paths:
    """The paths of a class, for each choice of the detections that are kept."""
    counts = []
    for side in (matched, ~matched):
        total = np.zeros((len(kept), len(ends) + 1), np.int64)
        total[:, 1:] = np.cumsum(kept & side, axis=1)[:, ends]
        counts.append(total)
    tp, fp = counts
    start = np.arange(len(kept) + 1) * (len(ends) + 1)
    return Paths(tp.ravel(), fp.ravel(), start, relevant - tp[:, -1])


def jackknife_error(without: Float64) -> float:
    """The standard error of a value, from the values without each group."""
    size = len(without)
    return math.sqrt((size - 1) / size * float(np.sum((without - mean(without)) ** 2)))


@estimating("AP of detections")
def _interval(
    value: float,
    without: Float64,
    label: str,
    images: int,
    *,
    level: float = 0.95,
    method: str = "logit",
    rng: Rng = 0,
) -> Interval:
    """The interval of a value, from the values without each group of images; `images` have
    objects.
    """
    if math.isnan(value):
        return undefined(label, "there are no objects", level, method)
    without = without[~np.isnan(without)]
    if images < 2 or len(without) < 2:
        return undefined(label, "it needs at least two images with objects", level, method, value)
    if images < FEWEST:
        warn(FewItems(label, images, "image"))
    size = len(without)
    centre, error = mean(without), jackknife_error(without)
    if not _ROUNDING < value < 1 - _ROUNDING:
        low, high = wilson(round(value) * images, images, level)
        return Interval(value, low, high, level, method, label, _ASSUMED)
    quantile = quantiles.t(level, min(size, images) - 1)
    low, high = around(value, error, quantile)
    bias = min(max((size - 1) * (centre - value), 0.0), _MOST_BIAS * error, value / 2)
    low = min(low, around(value - bias, error, quantile)[0])
    # If errors or hits are rare, the bounds are nearly Wilson's, of as many trials as images tell.
    ends = wilson(value * images, images, level)
    low = blend(low, min(low, ends[0]), images * (1 - value))
    high = 1 - blend(1 - high, min(1 - high, 1 - ends[1]), images * value)
    return Interval(value, low, high, level, method, label, _ASSUMED, standard_error=error)
