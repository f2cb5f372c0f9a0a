"""Detections → a sheet: a line for each class, their mean, a line for each column of matches."""

from __future__ import annotations

from typing import Any

from precall.core.conventions import describe_conventions
from precall.core.notes.of_detections import DetectionsSeen
from precall.core.ragged import mean_of_defined
from precall.core.text import as_text, many, number
from precall.hard_decisions.categories_sheet import list_categories
from precall.object_detection.api import METHODS, Detections, check_recall
from precall.object_detection.intervals import MEAN
from precall.results.blocks import Block, Cells, Line, Row, block_of, cells_of
from precall.results.sheets import Sheet
from precall.stats.intervals.interval import Intervals

#: Columns behind the averages.
_RECALL = "recall"


def detections_sheet(
    detections: Detections,
    recall: str = "exact",
    conventions: dict[str, str] | None = None,
    intervals: Intervals | None = None,
) -> Sheet:
    """The averages of each class, and their means.

    Parameters
    ----------
    recall : see `Detections.by_category`; of the 101-point averages.
    intervals : those of `pc.interval(detections)`.
    """
    rule = {"101-point": check_recall(recall, "101-point")}
    values = {name: detections.values(name, rule.get(name, "exact")) for name in METHODS}
    values[_RECALL] = detections._recalls()
    objects, detected = detections._objects.total, detections._detected()
    categories: Cells = {
        as_text(name): {
            "objects": int(objects[place]),
            "detections": int(detected[place]),
            **{column: float(each[:, place].mean()) for column, each in values.items()},
        }
        for place, name in enumerate(detections.categories)
    }
    averages: Cells = {MEAN: {column: mean_of_defined(each) for column, each in values.items()}}
    columns: Cells = {
        name: {column: mean_of_defined(each[row]) for column, each in values.items()}
        for row, name in enumerate(detections.columns)
    }
    several = len(columns) > 1
    # A class may be called "all", so that only the fourth cell tells a mean from a class.
    tidy: list[Row] = [
        (name, None, head, None, value) for name, head, value in cells_of(categories)
    ]
    tidy += [("all", None, head, MEAN, value) for _, head, value in cells_of(averages)]
    tidy += [("all", name, head, MEAN, value) for name, head, value in cells_of(columns) if several]
    blocks = [
        *list_categories(block_of("class", categories), [block_of("average", averages)]),
        *([block_of("matched", columns)] if several else []),
    ]
    body: dict[str, Any] = {"classes": categories, "averages": averages, "columns": columns}
    notes = (
        DetectionsSeen(
            "",
            int(objects.sum()),
            int(detected.sum()),
            len(categories),
            len(detections._rows.score) - int(detected.sum()),
        ),
        *detections.notes,
    )
    if intervals is not None:
        bounds: Cells = {
            as_text(name): {"low": each.low, "high": each.high} for name, each in intervals.items()
        }
        body["intervals"] = bounds
        notes = (*notes, *(note for note in intervals.notes if note not in notes))
        blocks.append(_with_ends(intervals))
        tidy += [
            ("all" if name == MEAN else name, None, f"{intervals._of} {end}", way, value)
            for name, end, value in cells_of(bounds)
            for way in [MEAN if name == MEAN else None]
        ]
    return Sheet(
        "precall.detections/2",
        {
            **(describe_conventions() if conventions is None else conventions),
            "ties": detections.ties,
            **({} if recall == "exact" else {"recall": recall}),
        },
        tuple(blocks),
        tuple(dict.fromkeys(notes)),
        body,
        ("class", "matched", "measure", "average", "value"),
        tuple(tidy),
        _verdict(detections, averages[MEAN]["101-point"], int((objects > 0).sum())),
    )


def _with_ends(intervals: Intervals) -> Block:
    lines = [
        Line(as_text(name), (each.estimate,), ends=(None if each.low is None else each.ends,))
        for name, each in intervals.items()
    ]
    return Block("", ("class", str(intervals._of)), tuple(lines))


def _verdict(detections: Detections, value: Any, classes: int) -> str:
    """A sentence on the mean of the 101-point averages."""
    if not classes:
        return ""
    over = many(classes, "class", "classes")
    if len(detections.columns) > 1:
        over += f" and {many(len(detections.columns), 'column')} of matches"
    return f"Mean average precision (101-point) {number(value)} over {over}."
