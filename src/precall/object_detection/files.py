"""Tables of detections, and of the true objects."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from precall.core.errors import Mistake, map_problems
from precall.object_detection.api import ONLY, Detections, detections
from precall.read.cases import Reader, read_columns
from precall.read.select_columns import choose_by_name
from precall.read.sources import label_of

_FILL = "fill it in"
_MATCHED = (
    "write 1 if the detection is matched and 0 if not; of an overlap (IoU) give one column of 0 "
    "and 1 for each threshold"
)
_IGNORED = "write 1 if the detection is left out and 0 if not"
_COUNT = "write a whole number, 0 for none"
#: Greater counts are not exact as doubles.
_EXACT = 2**53
_NAN = "remove the detection, or count its object with ⟨missed=⟩"


def read_detections(
    path: str,
    score: str,
    matched: Sequence[str],
    *,
    category: str | None = None,
    image: str | None = None,
    ignored: Sequence[str] = (),
    objects: str | None = None,
    count: str | None = None,
    missed: Mapping[str, int] | int | None = None,
    format: str | None = None,
    **choices: Any,
) -> Detections:
    """Read detections, a row for each.

    Parameters
    ----------
    path : path of CSV, TSV, JSON lines, JSON, Parquet or Arrow, perhaps compressed; `-` is standard
        input.
    score, category, image : columns of the score, the class and the image of each detection.
    matched, ignored : columns of 0 and 1; see `pc.detections`.
    objects : path of a table of the true objects, a row for each, with the columns `category` and
        `image`.
    count : column of `objects` with the number of objects of a row.
    missed : see `pc.detections`.
    format : format of the tables (default: from the path's ending).
    choices : further ones of `pc.detections`.

    Raises
    ------
    DataError
        A column or a value is missing or not allowed.
    """
    columns = {"score=": [score], "matched=": matched, "ignored=": ignored}
    names = {"category=": category, "image=": image}
    wanted = [(option, name) for option, several in columns.items() for name in several]
    wanted += [(option, name) for option, name in names.items() if name is not None]

    def build(reader: Reader) -> dict[str, Any]:
        flags = [
            {name: reader.yes_or_no(name, False, todo, _FILL) for name in several}
            for todo, several in ((_MATCHED, matched), (_IGNORED, ignored))
        ]
        read: dict[str, Any] = {
            "score": reader.numbers(score, _NAN),
            "matched": flags[0],
            "ignored": flags[1] or None,
        }
        read |= {
            option[:-1]: None if name is None else reader.texts(name)
            for option, name in names.items()
        }
        reader.check()
        return read

    label = label_of(path)
    read = read_columns(path, choose_by_name(wanted, label), build, {score: "score"}, format)
    if len(read["ignored"] or ()) == 1:
        (read["ignored"],) = read["ignored"].values()
    if objects is not None:
        choices["objects"] = _objects(objects, category, image, count, format)
        if image is None:
            # Each row is an object, so what has no row has none.
            classes = dict.fromkeys(read["category"] or (), 0)
            choices["objects"] = classes | choices["objects"]
    if missed is not None:
        choices["missed"] = missed
    with map_problems(
        lambda problem: problem._replace(source=label) if problem.source == "matched" else problem
    ):
        return detections(**read, **choices)


def _objects(
    path: str, category: str | None, image: str | None, count: str | None, format: str | None
) -> dict[Any, int]:
    """The number of objects of each class, or of each image and class."""
    wanted = [
        (option, name)
        for option, name in (("category=", category), ("image=", image), ("count=", count))
        if name is not None
    ]

    def build(reader: Reader) -> Counter[Any]:
        columns = [
            [ONLY] * len(reader.columns) if name is None else reader.texts(name)
            for name in (category, image)
        ]
        numbers = [1] * len(reader.columns) if count is None else _counts(reader, count)
        reader.check()
        classes, images = columns
        summed: Counter[Any] = Counter()
        for key, number in zip(
            classes if image is None else zip(images, classes, strict=True), numbers, strict=True
        ):
            summed[key] += number
        return summed

    return dict(read_columns(path, choose_by_name(wanted, label_of(path)), build, {}, format))


def _counts(reader: Reader, name: str) -> list[int]:
    """A column of numbers of objects."""
    counts = []
    for row, number in enumerate(reader.numbers(name, _FILL, noun="count").tolist()):
        is_count = 0 <= number <= _EXACT and number == int(number)
        if not is_count:
            reader.add(row, name, Mistake("{got} is no number of objects", _COUNT, got=number))
        counts.append(int(number) if is_count else 0)
    return counts
