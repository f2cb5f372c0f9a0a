"""`pc.detections`: detections of objects that were matched with the true ones elsewhere.

A class is one ranking of its detections in all images, best first, whose hits are those that were
matched; objects without a detection are missed. Its average precision is an area under the curve of
that ranking, as of any other.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import Any, ClassVar, NamedTuple

import numpy as np

from precall.cases import Curve
from precall.cases.ranking_curves import Curves, curves
from precall.cases.scored_cases import column, group_indexes, labels, numbers, refuse_nan
from precall.core.arguments import (
    as_array_like,
    check_choice,
    check_count,
    check_exists,
    check_rows,
    check_whole,
    choose,
    is_number,
    refuse_alike,
    refuse_set,
)
from precall.core.errors import DataError, Fact, Kind, Many, Mistake, Shape, UsageError
from precall.core.notes import Note, Severity, warn_all
from precall.core.notes.of_detections import (
    ClassesWithoutObjects,
    DetectionsBeyond,
    TiesMoveMean,
)
from precall.core.ragged import Bool, Float64, Int64, changes, mean_of_defined, offsets
from precall.core.rng import suggest_our_names
from precall.core.text import as_text, many
from precall.measures import measure
from precall.measures.areas import hundred_and_one_point_by_doubles
from precall.read.distinct_labels import known_categories
from precall.read.values import has_value
from precall.results.equality import Equal
from precall.results.sheets import Presented, Table

#: The averages: areas under the precision-recall curve of a class, by their names in `AreaPR`.
METHODS = ("101-point", "interpolated", "11-point", "step")
#: Their names elsewhere, in the form that `choose` takes.
_ELSEWHERE = {
    **dict.fromkeys(("coco", "map", "ap"), ("101-point",)),
    **dict.fromkeys(("allpoint", "allpoints", "voc2010", "voc2012"), ("interpolated",)),
    "voc2007": ("11-point",),
}
_VOC = "PASCAL VOC took '11-point' until 2009, and 'interpolated' from 2010 on"
#: When a recall of the 101 counts as reached.
_RECALLS = ("exact", "pycocotools")
#: Orders of detections with equal scores.
TIES = ("block", "input")
#: The name of the only class, if none are given.
ONLY = "object"
#: How much a mean may differ by rounding alone.
_ROUNDING = 1e-12


class _Rows(NamedTuple):
    """Detections in the order of their classes, those of a class best first: the class and the
    image of each by number, its score, and by column whether it is matched, and ignored.
    """

    category: Int64
    image: Int64 | None
    score: Any
    matched: Bool
    ignored: Bool

    def select(self, rows: Bool | Int64, columns: slice = slice(None)) -> _Rows:
        """Some of the detections, in this order, and of the columns of matches."""
        image = None if self.image is None else self.image[rows]
        flags = (self.matched[columns, rows], self.ignored[columns, rows])
        return _Rows(self.category[rows], image, self.score[rows], *flags)


class _Objects(NamedTuple):
    """The number of objects of each class; and by image, if that is known: pairs of an image and a
    class by number, and the number of objects of each.
    """

    total: Int64
    image: Int64 | None
    category: Int64
    number: Int64


class Detections(Equal, Presented):
    """Detections against the true objects; `pc.detections` makes them.

    Attributes
    ----------
    categories : the classes, sorted.
    images : names of the images; None if they are not given.
    columns : names of the columns of matches, one for each threshold of overlap.
    ties : how equal scores are ordered, "block" or "input".

    Examples
    --------
    >>> from precall import detections
    >>> found = detections(
    ...     [0.9, 0.8, 0.7, 0.6], [1, 0, 1, 1], ["cat", "cat", "dog", "cat"], missed={"dog": 1}
    ... )
    >>> round(found.ap(), 4), found.by_category("11-point")
    (0.67, {'cat': 0.8484848484848485, 'dog': 0.5454545454545454})
    """

    _instead: ClassVar[Mapping[str, str]] = {
        "map": ".ap()",
        "mAP": ".ap()",
        "mean_average_precision": ".ap()",
        "average_precision": ".ap()",
    }

    def __init__(
        self,
        categories: Sequence[Any],
        images: Sequence[Any] | None,
        columns: Sequence[str],
        rows: _Rows,
        objects: _Objects,
        ties: str,
        notes: tuple[Note, ...] = (),
    ) -> None:
        self.categories: tuple[Any, ...] = tuple(categories)
        self.images: tuple[Any, ...] | None = None if images is None else tuple(images)
        self.columns: tuple[str, ...] = tuple(columns)
        self.ties = ties
        self._rows = rows
        self._objects = objects
        self._curves: dict[int, Curves] = {}
        self._noticed = notes

    def _compared_parts(self) -> list[Any]:
        rows, objects = self._rows, self._objects
        return [
            *(self.categories, self.images, self.columns, self.ties),
            *(list(rows), list(objects)),
        ]

    @property
    def notes(self) -> tuple[Note, ...]:
        """What was noticed: classes without objects, equal scores, detections beyond a limit."""
        return (*self._noticed, *self._of_ties)

    def __repr__(self) -> str:
        return (
            f"<Detections: {many(int(self._objects.total.sum()), 'object')}, "
            f"{many(len(self._rows.score), 'detection')}, "
            f"{many(len(self.categories), 'class', 'classes')}>"
        )

    def ap(self, method: str = "101-point", *, recall: str = "exact") -> float:
        """The mean of the average precisions of classes, mAP; with several columns of matches,
        also over these. Classes without objects are left out; NaN if no class has objects.

        Parameters
        ----------
        method : see `by_category`.
        recall : see `by_category`.
        """
        return mean_of_defined(self.values(method, recall))

    def by_category(self, method: str = "101-point", *, recall: str = "exact") -> dict[Any, float]:
        """The average precision of each class; with several columns of matches their mean. NaN for
        a class without objects.

        Parameters
        ----------
        method : "101-point" (COCO), "interpolated" (all points, PASCAL VOC from 2010 on),
            "11-point" (PASCAL VOC until 2009) or "step", which does not interpolate.
        recall : for "101-point", how to tell whether a recall is reached: by whole numbers of
            objects ("exact"), or by doubles as in pycocotools, where ten of the levels are a little
            too high ("pycocotools").

        Examples
        --------
        >>> from precall import detections
        >>> found = detections([0.9, 0.8, 0.7, 0.6, 0.5, 0.4, 0.3], [1] * 7, missed=3)
        >>> [round(found.ap(recall=rule), 4) for rule in ("exact", "pycocotools")]
        [0.703, 0.6931]
        """
        each = self.values(method, recall).mean(axis=0).tolist()
        return dict(zip(self.categories, each, strict=True))

    def by_column(self, method: str = "101-point", *, recall: str = "exact") -> dict[str, float]:
        """The mean over classes for each column of matches, such as AP50 and AP75.

        Parameters
        ----------
        method : see `by_category`.
        recall : see `by_category`.
        """
        each = map(mean_of_defined, self.values(method, recall))
        return dict(zip(self.columns, each, strict=True))

    def recall(self) -> dict[Any, float]:
        """The share of the objects of each class that were detected; with several columns of
        matches their mean. The mean over classes is COCO's average recall.
        """
        each = self._recalls().mean(axis=0).tolist()
        return dict(zip(self.categories, each, strict=True))

    def curve(self, category: Any = None, column: str | None = None) -> Curve:
        """The curve of a class, with all that curves have.

        Parameters
        ----------
        category : the class; None is the only one.
        column : the column of matches; None is the only one.

        Examples
        --------
        >>> from precall import detections
        >>> found = detections([0.9, 0.8, 0.7], [1, 0, 1], missed=1)
        >>> round(found.curve().area_under_pr("interpolated"), 4)
        0.5556
        """
        place = _one_of("category", category, self.categories, "class")
        which = _one_of("column", column, self.columns, "column of matches")
        every = self._paths(which)
        begin, end = every.start[place : place + 2].tolist()
        return Curve(
            self._threshold(which, every, begin, end),
            every.tp[begin:end],
            every.fp[begin:end],
            every.missed[place].item(),
        )

    @property
    def table(self) -> Table:
        """Per class: its name, its objects, its detections, and the average precisions."""
        columns: dict[str, Any] = {
            "category": [as_text(name) for name in self.categories],
            "objects": self._objects.total,
            "detections": self._detected(),
            "recall": self._recalls().mean(axis=0),
        }
        return Table(
            columns | {name: self.values(name).mean(axis=0) for name in METHODS},
            noticed=self.notes,
        )

    def _detected(self) -> Int64:
        """The number of detections of each class that are not ignored in every column."""
        kept = ~self._rows.ignored.all(axis=0)
        return np.bincount(self._rows.category[kept], minlength=len(self.categories))

    def _recalls(self) -> Float64:
        """Columns x classes: the share of objects with a match; NaN without objects."""
        kept = self._rows.matched & ~self._rows.ignored
        size = len(self.categories)
        found = [np.bincount(self._rows.category[row], minlength=size) for row in kept]
        with np.errstate(invalid="ignore", divide="ignore"):
            return np.asarray(np.array(found) / self._objects.total, np.float64)

    def values(self, method: str = "101-point", recall: str = "exact") -> Float64:
        """Columns x classes: average precisions; NaN without objects.

        Parameters
        ----------
        method : see `by_category`.
        recall : see `by_category`.
        """
        method = method_of(method)
        recall = check_recall(recall, method)
        return np.array(
            [areas_of(self._paths(which), method, recall) for which in range(len(self.columns))]
        )

    def _paths(self, which: int) -> Curves:
        """The curves of all classes for a column of matches, by its number."""
        if which not in self._curves:
            self._curves[which] = self._made(which)
        return self._curves[which]

    def _kept(self, which: int) -> _Rows:
        """The detections that are not ignored in a column of matches, by its number."""
        return self._rows.select(~self._rows.ignored[which], slice(which, which + 1))

    def _made(self, which: int, order: str | None = None) -> Curves:
        """The curves of a column, with equal scores in an order; None is that of the result."""
        rows, order = self._kept(which), order or self.ties
        matched, score = rows.matched[0], np.asarray(rows.score, np.float64)
        if order in ("best", "worst"):
            # Rows are sorted by class and score already, and this sort is stable.
            first = matched if order == "worst" else ~matched
            matched = matched[np.lexsort((first, -score, rows.category))]
        if order != "block":
            score = np.arange(len(score), 0.0, -1.0)
        start = offsets(np.bincount(rows.category, minlength=len(self.categories)))
        return curves(matched, score, start, self._objects.total)

    def _threshold(self, which: int, every: Curves, begin: int, end: int) -> Any:
        """The scores at which a class accepts; in the order of the input, numbered ones are the
        scores of their rows.
        """
        numbered = every.threshold[begin:end]
        if self.ties == "block":
            return numbered
        score = np.asarray(self._kept(which).score, np.float64)
        return np.append(numbered[:1], score[len(score) - numbered[1:].astype(np.int64)])

    @cached_property
    def _of_ties(self) -> tuple[Note, ...]:
        """Between which means other orders of equal scores lie, if they differ; found when it is
        asked for, as both orders are measured.
        """
        if not any(self._has_mixed_ties(which) for which in range(len(self.columns))):
            return ()
        low, high = (
            mean_of_defined(
                [
                    areas_of(self._made(which, order), METHODS[0])
                    for which in range(len(self.columns))
                ]
            )
            for order in ("worst", "best")
        )
        value = self.ap()
        if not high - low > _ROUNDING:
            return ()
        return (TiesMoveMean("", value, low, high, self.ties),)

    def _has_mixed_ties(self, which: int) -> bool:
        """Whether detections of a class with equal scores are matched and not."""
        rows = self._kept(which)
        tied = (rows.category[1:] == rows.category[:-1]) & (rows.score[1:] == rows.score[:-1])
        if not tied.any():
            return False
        block = np.concatenate(([0], np.cumsum(~tied)))
        matched = np.bincount(block, rows.matched[0])
        return bool(np.any((matched > 0) & (matched < np.bincount(block))))


def method_of(method: object, argument: str = "method") -> str:
    """The average that a name means."""
    chosen: str = choose(argument, method, METHODS, _ELSEWHERE, {"voc": _VOC, "pascalvoc": _VOC})
    return chosen


def check_recall(recall: object, method: str) -> str:
    """The rule of a recall, refused if the average has none."""
    check_choice("recall", recall, _RECALLS)
    if recall != "exact" and method != "101-point":
        raise UsageError(
            argument="recall",
            got=recall,
            why=f"and {method} is not of pycocotools",
            remedy="leave it out, or take '101-point'",
        )
    return str(recall)


def areas_of(paths: Any, method: str, recall: str = "exact") -> Float64:
    """The average precision of each path."""
    if recall == "pycocotools":
        return hundred_and_one_point_by_doubles(paths)
    values = measure(f"AreaPR(method={method})").of_paths(paths)
    assert values is not None
    return values


def _one_of(argument: str, value: Any, existing: Sequence[Any], noun: str) -> int:
    if value is None and len(existing) == 1:
        return 0
    check_exists(argument, value, existing, noun)
    return existing.index(value)


@suggest_our_names
def detections(
    score: object,
    matched: object,
    category: object = None,
    *,
    image: object = None,
    missed: Any = None,
    objects: Any = None,
    ignored: object = None,
    ties: str = "block",
    max_per_image: int | None = None,
) -> Detections:
    """Measure detected objects by class: average precision as COCO and PASCAL VOC define it.

    Boxes are matched elsewhere, such as by pycocotools. A row is a detection in an image.

    Parameters
    ----------
    score : the score of each detection; high is good.
    matched : whether each detection was matched with a true object of its class: 1 or 0. If boxes
        were matched at several thresholds of overlap, a column for each: a dict of columns by name,
        such as {"0.50": ..., "0.75": ...}, a data frame, or an array, detections x thresholds.
    category : the class of each detection; None if there is only one.
    image : the image of each detection. Intervals take images as the sample, and counts of objects
        by image need it.
    missed : number of true objects that no detection matched: {class: count}, or for intervals
        {(image, class): count}; a number if there is only one class; 0 if all were found. If it
        does not name a class, all its objects were found.
    objects : instead of `missed`, the number of all true objects, in the same forms. A dict by
        class has to name every class of the detections.
    ignored : whether each detection is left out, as those that matched a crowd or an object of
        another size: 1 or 0, one column or as many as `matched` has.
    ties : detections of a class with equal scores count as one "block", so that their order does
        not matter; or they stand in the order of the "input", as those of other tools do.
    max_per_image : only this number of detections of an image and a class counts, those of the
        greatest scores; COCO's is 100. None is all.

    Returns
    -------
    Detections

    Raises
    ------
    DataError
        A score is NaN, a match is neither 0 nor 1, or more detections are matched than there are
        objects.
    UsageError
        Lengths differ, neither or both of `missed` and `objects` are given, or an argument is not
        allowed.

    Warns
    -----
    PrecallWarning
        Classes have no objects. Notes of the result also say between which means other orders of
        equal scores lie, and how many detections are beyond `max_per_image`.

    Notes
    -----
    `Detections.ap` is the mean over classes with objects (mAP). A class with objects and no
    detections has average precision 0. pycocotools gives a class without objects -1 and leaves it
    out of the mean; here it is NaN, and left out as well, with a note. Equal scores have an order
    in pycocotools: that of the ids of images, then of the list. `ties="input"` with rows in that
    order, and `recall="pycocotools"`, give its numbers.

    References
    ----------
    Everingham, M. et al. (2010). The PASCAL visual object classes (VOC) challenge. IJCV 88,
    303-338. Lin, T.-Y. et al. (2014). Microsoft COCO: common objects in context. ECCV, 740-755.

    Examples
    --------
    >>> found = detections(
    ...     [0.9, 0.8, 0.7, 0.6], [1, 0, 1, 1], ["cat", "cat", "dog", "cat"], missed={"dog": 1}
    ... )
    >>> {name: round(value, 4) for name, value in found.by_category().items()}
    {'cat': 0.835, 'dog': 0.505}
    """
    check_choice("ties", ties, TIES)
    check_rows(score=score, category=category, image=image)
    names, match = _flags("matched", matched, score)
    value = numbers(score, "score")
    refuse_nan(value)
    size = len(value)
    if match.shape[1] != size:
        raise UsageError(
            argument="score and matched",
            allowed="of equal length",
            got=Fact(f"{many(size, 'score')} and {many(match.shape[1], 'match', 'matches')}"),
            remedy="pass detections x thresholds, its .T" if len(names) == size else "",
        )
    ignore = _ignored(ignored, names, size)
    code, classes = _named(category, size, "category", [ONLY])
    pictures = None if image is None else _named(image, size, "image", [])
    counts = _counts(missed, objects, None if category is not None else ONLY, image is not None)
    every = known_categories({*classes, *(pair[1] for pair in counts.by)})
    refuse_alike(every)
    place = {name: number for number, name in enumerate(every)}
    code = np.array([place[name] for name in classes], np.int64)[code]
    notes: list[Note] = []
    shown: tuple[Any, ...] | None = None
    picture: Int64 | None = None
    if pictures is not None:
        # Sorted, so that intervals do not depend on the order of the rows.
        more = (pair[0] for pair in counts.by if counts.images)
        shown = known_categories({*pictures[1], *more})
        refuse_alike(shown, "image")
        number = {name: at for at, name in enumerate(shown)}
        picture = np.array([number[name] for name in pictures[1]], np.int64)[pictures[0]]
    # Stable: equal scores stay in the order of the input.
    order = np.lexsort((-np.asarray(value, np.float64), code))
    rows = _Rows(code, picture, value, match, ignore).select(order)
    if max_per_image is not None:
        rows, beyond = _first_of_images(rows, check_whole("max_per_image", max_per_image, 1))
        notes += [DetectionsBeyond("", beyond, max_per_image)] if beyond else []
    held = _objects_of(counts, rows, every, shown, place)
    empty = (held.total == 0) & (np.bincount(rows.category, minlength=len(every)) > 0)
    if empty.any():
        lost = tuple(as_text(every[row]) for row in np.flatnonzero(empty).tolist())
        notes.append(ClassesWithoutObjects("", lost, int(empty[rows.category].sum())))
    made = Detections(every, shown, names, rows, held, ties, tuple(notes))
    warn_all(note for note in notes if note.severity < Severity.INFORMATIVE)
    return made


def _named(given: object, size: int, argument: str, names: list[Any]) -> tuple[Int64, list[Any]]:
    """The number of the name of each detection, and the names; without a column all have the only
    name.
    """
    if given is None:
        return np.zeros(size, np.int64), names if size else []
    found, code = group_indexes(given, size, argument)
    return code, found


def _columns_of(name: str, given: Any) -> dict[str, Any]:
    """Columns by name: of a dict, a data frame or a matrix; one column has the name itself."""
    given = as_array_like(given)
    refuse_set(name, given)
    if isinstance(given, Mapping):
        return {as_text(key): cells for key, cells in given.items()}
    if hasattr(given, "columns") and hasattr(given, "shape"):
        return {as_text(key): given[key] for key in given.columns}
    array = column(given, name)
    if array.ndim == 1:
        return {name: given}
    if array.ndim != 2 or not array.shape[1]:
        raise UsageError(
            argument=name, allowed="a column, or detections x thresholds", got=Shape(array.shape)
        )
    return {str(number + 1): array[:, number] for number in range(array.shape[1])}


def _flags(name: str, given: object, score: object = None) -> tuple[list[str], Bool]:
    """Names of columns of 0 and 1, and their cells, columns x detections."""
    columns = _columns_of(name, given)
    if not columns:
        raise UsageError("none given", argument=name, remedy="pass at least one column")
    cells = [_flag(name, title, listed, score) for title, listed in columns.items()]
    sizes = {len(each) for each in cells}
    if len(sizes) > 1:
        raise UsageError(
            argument=name,
            allowed="columns of equal length",
            got=Fact(" and ".join(map(str, sorted(sizes)))),
        )
    return list(columns), np.array(cells, np.bool_).reshape(len(columns), -1)


def _flag(name: str, title: str, listed: object, score: object) -> Bool:
    try:
        return labels(listed)
    except (DataError, UsageError) as error:
        if isinstance(error, DataError) and name == "matched" and _are_flags(score):
            raise UsageError(
                argument="score and matched",
                what="they are swapped: score holds 0 and 1, and matched does not",
                remedy="pass the scores first",
            ) from None
        array = column(listed, name)
        if array.ndim != 1:
            raise
        for row, cell in enumerate(array.tolist()):
            if (is_number(cell) or isinstance(cell, bool)) and cell in (0, 1):
                continue
            todo = "write 1 if it is and 0 if not"
            if is_number(cell) and name == "matched" and cell == cell:
                todo = (
                    "an overlap (IoU) is not enough, since another threshold may match other "
                    "objects: give one column of 0 and 1 for each threshold; of ids of matched "
                    "objects write ids > 0"
                )
            facts = {"got": cell, "noun": name, "row": row}
            what = "{noun:s} of detection {row} is neither 0 nor 1: {got}"
            if title == name:
                raise Mistake(what, todo, **facts).error(name) from None
            in_column = "{noun:s} of detection {row} in column {column} is neither 0 nor 1: {got}"
            raise Mistake(in_column, todo, column=title, **facts).error(name) from None
        raise


def _are_flags(score: object) -> bool:
    try:
        return len(labels(score)) > 0
    except (DataError, UsageError):
        return False


def _ignored(given: object, names: list[str], size: int) -> Bool:
    if given is None:
        return np.zeros((len(names), size), np.bool_)
    columns, cells = _flags("ignored", given)
    if cells.shape[1] != size:
        raise UsageError(
            argument="ignored", allowed=f"one per detection ({size})", got=Shape(cells.shape[1:])
        )
    if len(columns) == 1:
        return np.repeat(cells, len(names), axis=0)
    if len(columns) != len(names) or (set(columns) != set(names)):
        raise UsageError(
            argument="ignored",
            allowed="one column, or the columns of matched",
            got=Fact(", ".join(columns)),
        )
    return cells[[columns.index(name) for name in names]]


class _ObjectCounts(NamedTuple):
    """Counts of objects, or of missed ones, by (image, class); the image is None if they are of a
    whole class.
    """

    argument: str
    by: dict[tuple[Any, Any], int]
    images: bool


#: What counts may be.
_BY_CLASS = "counts by class, such as {'car': 3}"


def _counts(missed: Any, objects: Any, only: str | None, has_images: bool) -> _ObjectCounts:
    """The counts that were given."""
    if (missed is None) == (objects is None):
        raise UsageError(
            argument="missed",
            what="give either missed or objects" if missed is None else "both are given",
            remedy="⟨missed=⟩ is the number of objects that no detection matched, 0 if all were "
            "found; ⟨objects=⟩ is the number of all objects"
            if missed is None
            else "leave one out",
        )
    name, given = ("missed", missed) if objects is None else ("objects", objects)
    if not isinstance(given, Mapping) and hasattr(given, "columns"):
        raise UsageError(
            argument=name,
            allowed=_BY_CLASS,
            got=Kind(given),
            remedy="of a data frame with a row for each object pass "
            "frame.groupby(['image', 'class']).size()",
        )
    if not isinstance(given, Mapping) and hasattr(given, "to_dict"):
        given = given.to_dict()  # a column of counts of pandas
    if isinstance(given, Mapping):
        return _counts_by_class(name, given, has_images)
    if not is_number(given):
        raise UsageError(argument=name, allowed=_BY_CLASS, got=Kind(given))
    count = check_count(name, given)
    if only is None and (count or name == "objects"):
        raise UsageError(
            argument=name, allowed=_BY_CLASS, got=given, why="and there are several classes"
        )
    return _ObjectCounts(name, {} if only is None else {(None, only): count}, False)


def _counts_by_class(name: str, given: Mapping[Any, Any], has_images: bool) -> _ObjectCounts:
    """The counts of a dict, by class or by image and class."""
    pairs = [isinstance(key, tuple) and len(key) == 2 for key in given]
    of_images = has_images and all(pairs)
    if any(pairs) and not of_images:
        what = "some are by image and class, others are not" if has_images else "are by image"
        raise UsageError(
            argument=name,
            what=what,
            remedy="give all as {(image, class): count}" if has_images else "pass ⟨image=⟩ as well",
        )
    by: dict[tuple[Any, Any], int] = {}
    for key, count in given.items():
        if not all(map(has_value, key if of_images else [key])):
            raise Mistake("{got} is no class", "name the class of each count", got=key).error(name)
        try:
            by[key if of_images else (None, key)] = check_count(name, count)
        except (UsageError, TypeError):
            raise Mistake(
                "{got} is no number of objects of {key}", "write whole numbers", got=count, key=key
            ).error(name) from None
    return _ObjectCounts(name, by, of_images)


def _first_of_images(rows: _Rows, most: int) -> tuple[_Rows, int]:
    """The best detections of each image and class, and how many others there are."""
    if rows.image is None:
        raise UsageError(
            argument="max_per_image", what="needs the images", remedy="pass ⟨image=⟩ as well"
        )
    # Stable: those of an image and a class stay in the order of their scores.
    order = np.lexsort((rows.image, rows.category))
    first = changes(rows.category[order], rows.image[order])
    begin = np.maximum.accumulate(np.where(first, np.arange(len(order)), 0))
    kept = np.zeros(len(order), np.bool_)
    kept[order] = np.arange(len(order)) - begin < most
    return rows.select(kept), int(np.count_nonzero(~kept))


def _objects_of(
    counts: _ObjectCounts,
    rows: _Rows,
    names: Sequence[Any],
    images: Sequence[Any] | None,
    place: Mapping[Any, int],
) -> _Objects:
    """The objects of each class, checked against the matches."""
    hits = rows.matched & ~rows.ignored
    category = np.array([place[name] for _, name in counts.by], np.int64)
    count = np.array(list(counts.by.values()), np.int64)
    if counts.argument == "missed":
        if (hits != hits[0]).any():
            raise UsageError(
                argument="missed",
                what="the columns of matched differ, and so does what they miss",
                remedy="give the number of all objects, ⟨objects=⟩",
            )
        found = hits[0]
        category = np.concatenate((category, rows.category[found]))
        count = np.concatenate((count, np.ones(int(found.sum()), np.int64)))
        image = None
        if rows.image is not None and (counts.images or count.sum() == found.sum()):
            image = np.concatenate((_places(counts, images), rows.image[found]))
            # Counts of 0 by class have no image.
            known = slice(len(count) - len(image), None)
            category, count = category[known], count[known]
        return _summed(category, image, count, len(names))
    unnamed = [] if counts.images else [name for name in names if (None, name) not in counts.by]
    if unnamed:
        raise UsageError(
            argument="objects",
            what="a class of the detections is not there",
            got=unnamed[0],
            remedy="give the number of its objects, 0 if there are none",
        )
    image = _places(counts, images) if counts.images else None
    made = _summed(category, image, count, len(names))
    for row in hits:
        _refuse_more(rows, row, made, names, images)
    return made


def _summed(category: Int64, image: Int64 | None, count: Int64, size: int) -> _Objects:
    total = np.bincount(category, count, minlength=size).astype(np.int64)
    return _Objects(total, image, category, count)


def _places(counts: _ObjectCounts, images: Sequence[Any] | None) -> Int64:
    """The number of the image of each count; without images of none."""
    number = {name: place for place, name in enumerate(images or ())}
    return np.array([number[image] for image, _ in counts.by if counts.images], np.int64)


def _refuse_more(
    rows: _Rows, hits: Bool, objects: _Objects, names: Sequence[Any], images: Sequence[Any] | None
) -> None:
    """Raise if more detections of a class, or of an image and a class, are matched than there are
    objects.
    """
    size = len(names)
    key, of_objects = rows.category[hits], objects.category
    if objects.image is not None and rows.image is not None:
        key, of_objects = key + rows.image[hits] * size, of_objects + objects.image * size
    own, found = np.unique(key, return_counts=True)
    every, index = np.unique(np.concatenate((own, of_objects)), return_inverse=True)
    there = np.bincount(index[len(own) :], objects.number, minlength=len(every))[index[: len(own)]]
    if not (found > there).any():
        return
    row = int(np.argmax(found > there))
    image, name = divmod(int(own[row]), size)
    facts: dict[str, Any] = {
        "got": Many(int(found[row]), "matched detection"),
        "of": Many(int(there[row]), "object"),
        "name": names[name],
    }
    todo = "was an object matched twice, or does ⟨objects=⟩ hold only a part of them?"
    what = "class {name} has {got}, and {of}"
    if objects.image is not None and images is not None:
        what, facts["image"] = "class {name} of image {image} has {got}, and {of}", images[image]
    raise Mistake(what, todo, **facts).error("matched")
