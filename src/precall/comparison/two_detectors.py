"""`compare.detections`: two detectors on the same images, by average precision of classes and its
mean.

The sample is the images, as for intervals. The variance of a difference is that of the jackknife:
of the differences without each image, or without each of some groups of images if there are many.
"""

from __future__ import annotations

import math
from collections import Counter
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from precall.core.arguments import check_kind, check_level
from precall.core.errors import Fact, Many, Mistake, UsageError
from precall.core.methods import NO_DIFFERENCE, Method
from precall.core.notes import Note
from precall.core.notes.of_comparisons import UndefinedP
from precall.core.notes.of_intervals import FewItems
from precall.core.ragged import Float64, mean_of_defined
from precall.core.text import as_text

if TYPE_CHECKING:
    from precall.object_detection.api import Detections
    from precall.stats.tests.comparisons import Comparison, Comparisons

#: The name of the test.
TEST = "jackknife"
#: What problems are of.
_FIRST, _SECOND = "⟨a¦FILE⟩", "⟨b¦--against⟩"
_SAME = "make both of the same images, with the same objects"
#: Differences that rounding alone can make.
_ROUNDING = 1e-12


def detections(
    a: Detections,
    b: Detections,
    measure: str | None = None,
    *,
    level: float = 0.95,
    names: tuple[str, str] = ("a", "b"),
) -> Comparisons:
    """Compare two detectors on the same images, by the mean over classes of average precision, and
    by the average precision of each class.

    Parameters
    ----------
    a : the detections of the first detector, as `precall.detections` returns them, with the image
        of each detection and of each object.
    b : those of the second, of the same objects.
    measure : the average, see `Detections.by_category`; None is "101-point".
    level : 1 minus the significance level, and nominal coverage of the intervals, in (0, 1).
    names : names of the two detectors.

    Returns
    -------
    Comparisons
        A pair for the mean, and one for each class with objects if there are several. p are not
        adjusted for the number of classes.

    Raises
    ------
    DataError
        The objects of an image differ.
    UsageError
        An argument has another kind, the images are not known, or the columns of matches, or the
        orders of equal scores, differ.

    Notes
    -----
    p and bounds are by the jackknife over images, with Student's t: the difference is computed
    without each image in turn, or without each of 200 groups of images if there are more. How often
    they reject and hold the difference is in docs/how-to/detections.md.

    Examples
    --------
    >>> from precall import compare, detections
    >>> image, score = [k // 3 for k in range(150)], [k * 7 % 101 for k in range(150)]
    >>> objects = {(k, "object"): 3 for k in range(50)}
    >>> a, b = (
    ...     detections(score, [k % 5 < most for k in range(150)], image=image, objects=objects)
    ...     for most in (4, 3)
    ... )
    >>> found = compare.detections(a, b).pairs[0]
    >>> round(found.difference, 4), found.significant, found.test
    (0.2779, True, 'jackknife')
    """
    from precall.object_detection.api import Detections, method_of
    from precall.stats.tests.comparisons import Comparisons
    from precall.stats.tests.pairing import check_two

    for argument, given in (("a", a), ("b", b)):
        check_kind(argument, given, Detections, "what precall.detections(...) returns")
    names, level = check_two(names), check_level(level)
    name = "101-point" if measure is None else method_of(measure, "measure")
    both = _Both.of(a, b, name)
    of_mean = f"mean {name} AP" if len(both.classes) > 1 else f"{name} AP"
    parts = {of_mean: slice(None)}
    if len(both.classes) > 1:
        for at, category in enumerate(both.classes):
            parts[f"{name} AP of {as_text(category)}"] = slice(at, at + 1)
    pairs = [_compared(label, both, part, level, names) for label, part in parts.items()]
    systems = zip(names, (a, b), strict=True)
    shared = [note.within(own) for own, given in systems for note in given.notes]
    notes = (*shared, *(note for pair in pairs for note in pair.notes))
    return Comparisons(
        tuple(pairs),
        names,
        {pair.measure: dict(zip(names, pair.values, strict=True)) for pair in pairs},
        conventions={
            "test": f"{TEST} (Student's t)",
            "bounds": TEST,
            "ties": a.ties,
            "level": f"{level:.12g}",
        },
        notes=tuple(dict.fromkeys(notes)),
        unit="images",
    )


class _Both(NamedTuple):
    """Average precisions of both detectors.

    Parameters
    ----------
    classes : the classes with objects.
    values : of each detector columns x classes.
    without : of each detector groups x columns x classes, without each group of images.
    images : the images with objects of each class.
    """

    classes: list[Any]
    values: list[Float64]
    without: list[Float64]
    images: list[set[Any]]

    @classmethod
    def of(cls, a: Detections, b: Detections, name: str) -> _Both:
        """Both by an average, if they are of the same images and objects."""
        from precall.object_detection.intervals import groups_of_images, values_without
        from precall.read.distinct_labels import known_categories

        objects = [_objects_of(argument, given) for argument, given in ((_FIRST, a), (_SECOND, b))]
        _refuse_other_objects(*objects)
        _refuse_other_choices(a, b)
        every = known_categories({*(a.images or ()), *(b.images or ())})
        groups = groups_of_images(len(every))
        number = int(groups.max(initial=-1)) + 1
        group_of = dict(zip(every, groups.tolist(), strict=True))
        classes = list(known_categories({category for _, category in objects[0]}))
        values, without = [], []
        for given in (a, b):
            group = np.array([group_of[image] for image in given.images or ()], np.int64)
            at = [given.categories.index(category) for category in classes]
            values.append(given.values(name)[:, at])
            without.append(values_without(given, group, name, number)[:, :, at])
        images = [{image for image, kind in objects[0] if kind == each} for each in classes]
        return cls(classes, values, without, images)


def _objects_of(argument: str, given: Detections) -> Counter[tuple[Any, Any]]:
    """The number of objects by the names of the image and the class."""
    from precall.object_detection.intervals import groups_of

    groups_of(given, argument)  # refuses unknown images
    objects, images = given._objects, given.images or ()
    assert objects.image is not None
    counts: Counter[tuple[Any, Any]] = Counter()
    rows = zip(
        objects.image.tolist(), objects.category.tolist(), objects.number.tolist(), strict=True
    )
    for image, category, number in rows:
        if number:
            counts[images[image], given.categories[category]] += number
    return counts


def _refuse_other_objects(a: Counter[tuple[Any, Any]], b: Counter[tuple[Any, Any]]) -> None:
    """Raise if an image does not have the same objects in both."""
    for key in a | b:
        if a[key] != b[key]:
            what = "image {image} has {of} of class {name} in the first detector's, and {got} here"
            facts = {"image": key[0], "name": key[1], "of": Many(a[key], "object")}
            raise Mistake(what, _SAME, got=b[key], **facts).error("b")


def _refuse_other_choices(a: Detections, b: Detections) -> None:
    """Raise if columns of matches or the order of equal scores differ."""
    if a.columns != b.columns and (len(a.columns), len(b.columns)) != (1, 1):
        raise UsageError(
            argument=_SECOND,
            what="the columns of matches differ",
            got=Fact(", ".join(b.columns)),
            allowed=", ".join(a.columns),
            remedy="pass both the same thresholds of overlap",
        )
    if a.ties != b.ties:
        raise UsageError(
            argument=_SECOND,
            what="equal scores have another order",
            got=b.ties,
            allowed=a.ties,
            remedy="make both with the same ⟨ties=⟩",
        )


def _compared(
    label: str, both: _Both, classes: slice, level: float, names: tuple[str, str]
) -> Comparison:
    """The comparison by the mean over some classes, or by one."""
    from precall.object_detection.intervals import FEWEST, jackknife_error
    from precall.stats import quantiles
    from precall.stats.scipy import special
    from precall.stats.tests.comparisons import Comparison, bounds
    from precall.stats.tests.signflip import LEAST

    first, second = (mean_of_defined(each[:, classes].ravel()) for each in both.values)
    left = [
        np.array([mean_of_defined(row.ravel()) for row in each[:, :, classes]])
        for each in both.without
    ]
    difference, apart = first - second, left[0] - left[1]
    apart = apart[~np.isnan(apart)]
    images = len(set().union(*both.images[classes]))
    notes: list[Note] = []
    why = "" if both.classes else "there are no objects"
    if not why and (images < 2 or len(apart) < 2):
        why = "it needs at least two images with objects"
    error = math.nan if why else jackknife_error(apart)
    freedom = min(len(apart), images) - 1
    low, high, p, method = math.nan, math.nan, math.nan, Method("undefined", undefined=why)
    if not why and error > _ROUNDING:
        half = quantiles.t(level, freedom) * error
        low, high = max(difference - half, -1.0), min(difference + half, 1.0)
        p = max(float(2 * special().stdtr(freedom, -abs(difference) / error)), LEAST)
        method = Method("Student's t", freedom=freedom)
        notes += [FewItems(label, images, "image")] if images < FEWEST else []
    elif not why and abs(difference) <= _ROUNDING:
        p, method = 1.0, NO_DIFFERENCE
    elif not why:
        why = "the difference is the same without each image"
        method = Method("undefined", undefined=why)
    if p != p:
        notes.append(UndefinedP(label, why, False))
    ends = bounds(low, high)
    return Comparison(
        names=names,
        measure=label,
        values=(first, second),
        difference=difference,
        low=ends[0],
        high=ends[1],
        level=level,
        p=p,
        test=TEST,
        method=method,
        size=images,
        statistic=difference / error if error > _ROUNDING else None,
        notes=tuple(notes),
        no_interval="" if ends[0] is not None else why or "no variance",
        interval=TEST,
        unit="images",
    )
