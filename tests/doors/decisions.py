"""Hard decisions: what is true of each item, and what was decided of it."""

from __future__ import annotations

import math
from collections.abc import Callable
from datetime import date
from decimal import Decimal
from pathlib import Path
from typing import Any

import precall as pc
from precall.core.notes import note_from_json, warn
from precall.hard_decisions.table_io import read_decisions
from tests.doors.forms import (
    FILES,
    MORE_FILES,
    SERIES,
    Columns,
    of_rows,
    of_series,
    opened,
    typed_in,
)
from tests.doors.subject import REFUSED, TAKEN, Difference, Door, Fault, Subject, command

#: Of each category TP, FP and FN.
Values = dict[str, tuple[int, ...]]
_CELLS = ("tp", "fp", "fn")


def _held(hold: Callable[[Columns, Path], Any], named: bool = True) -> Callable[[Fault, Path], Any]:
    """The truth "t" and the decisions "p"; not at a door where no column has a name, if one is
    asked for or there are others.
    """

    def held(fault: Fault, folder: Path) -> Any:
        foreign = {"truth", "predicted", "separator"} & set(fault.asked) or fault.given.keys() - {
            *"tp"
        }
        return None if foreign and not named else hold(fault.given, folder)

    return held


def _of_table(made: pc.Decisions) -> Values:
    table = made.table.to_dict()
    cells = zip(*(table[name] for name in _CELLS), strict=True)
    return dict(zip(table["category"], cells, strict=True))


def _decided(made: Any, fault: Fault) -> Values:
    return _of_table(pc.decisions(made["t"], made["p"], **fault.asked))


def _named(fault: Fault) -> dict[str, Any]:
    return {"truth": "t", "predicted": "p"} | dict(fault.asked)


def _read(source: Any, fault: Fault) -> Values:
    with opened(source) as (given, options):
        return _of_table(read_decisions(given, **_named(fault), **options))


def _typed(path: Any, fault: Fault) -> Values:
    named = _named(fault)
    if "categories" in named:
        named["categories"] = ",".join(named["categories"])
    options = [part for name, value in named.items() for part in (f"--{name}", value)]
    made = command("decisions", path, *options)
    # The command says its notes in its result, and warns of none.
    for note in map(note_from_json, made["notes"]):
        if not note.kind.startswith(("items-seen", "undefined")):
            warn(note)
    return {
        name: tuple(cells[cell.upper()] for cell in _CELLS)
        for name, cells in made["categories"].items()
    }


def _joined(columns: Columns, folder: Path) -> Any:
    """CSV in which several labels of an item are parted by semicolons."""
    cells = [cell for cells in columns.values() for cell in cells]
    parts = [part for cell in cells if isinstance(cell, list) for part in cell]
    if not any(isinstance(cell, list) for cell in cells) or {None, ""} & set(parts):
        return None
    texts = {
        name: [";".join(map(str, cell)) if isinstance(cell, list) else cell for cell in cells]
        for name, cells in columns.items()
    }
    return of_rows(FILES["CSV"])(texts, folder)


def _parted(source: Any, fault: Fault) -> Values:
    return _read(source, fault._replace(asked={"separator": ";", **fault.asked}))


_IN_FILES = {
    name: of_rows(form)
    for name, form in (FILES | MORE_FILES | {"standard input": typed_in}).items()
}
DOORS: dict[str, Door] = {
    **{name: Door(_held(of_series(make), named=False), _decided) for name, make in SERIES.items()},
    **{name: Door(_held(hold), _read) for name, hold in _IN_FILES.items()},
    "CSV with a separator": Door(_held(_joined), _parted),
    "`precall decisions`": Door(_held(_IN_FILES["CSV"]), _typed),
}

_FILES = (*_IN_FILES, "CSV with a separator", "`precall decisions`")


def _as_written(outcome: str) -> Difference:
    return Difference(
        _FILES, "files", outcome, "files compare labels as they are written, in every format"
    )


_TWO_CATEGORIES = Difference(
    tuple(SERIES),
    "memory",
    TAKEN,
    "in memory these texts are two categories; files read them as labels 0 and 1, because CSV has "
    "no types",
)
_NO_LABEL = Difference(
    tuple(SERIES),
    "memory",
    TAKEN,
    "lists in memory can be a part of the data without any label; if a whole file has none, the "
    "column is wrong",
)
_AS_IN_CSV = Difference(
    _FILES,
    "files",
    TAKEN,
    "in CSV an empty set is an empty cell, and a set of one is a word; all formats are read alike",
)
_PARTED = Difference(
    ("CSV with a separator",),
    "CSV with a separator",
    REFUSED,
    "with a separator the parts of a cell are labels, and each may occur only once",
)

T, P = ["a", "b", "c", "a", "b", "c"], ["a", "b", "a", "a", "c", "c"]
Y, Z = [1, 0, 1, 1, 0, 0], [1, 0, 0, 1, 1, 0]
NAN = math.nan


def _at(cells: list[Any], place: int, value: Any) -> list[Any]:
    return [*cells[:place], value, *cells[place + 1 :]]


def _labels(t: list[Any] = T, p: list[Any] = P) -> dict[str, list[Any]]:
    return {"t": t, "p": p}


SETS = [["a", "b"], ["b"], ["c"], ["a", "c"]], [["a"], ["b", "c"], ["c"], ["a", "c"]]
FAULTS: dict[str, Fault] = {
    "nothing wrong": Fault(_labels(), TAKEN),
    "labels 0 and 1": Fault(_labels(Y, Z), TAKEN),
    "labels -1 and 1": Fault(_labels([2 * y - 1 for y in Y], [2 * y - 1 for y in Z]), TAKEN),
    "labels that are booleans": Fault(_labels([y == 1 for y in Y], [y == 1 for y in Z]), TAKEN),
    'labels that are the texts "0" and "1"': Fault(
        _labels(list(map(str, Y)), list(map(str, Z))), TAKEN
    ).but(_TWO_CATEGORIES),
    "labels 0.0 and 1.0": Fault(_labels([float(y) for y in Y], [float(y) for y in Z]), TAKEN),
    "labels that are booleans beside labels 0 and 1": Fault(_labels([y == 1 for y in Y], Z), TAKEN),
    "labels 0 and 1 beside -1 and 1": Fault(
        _labels(Y, [2 * y - 1 for y in Z]), "two-ways-of-labels"
    ),
    "labels that are numbers": Fault(_labels([3, 5, 7, 3, 5, 7], [3, 5, 3, 3, 7, 7]), TAKEN),
    "labels that are decimals": Fault(
        _labels([Decimal(y) for y in Y], [Decimal(y) for y in Z]), TAKEN
    ),
    "labels that are dates": Fault(
        _labels(*([date(2020, 1, ord(cell) - 96) for cell in cells] for cells in (T, P))), TAKEN
    ),
    "labels that are bytes": Fault(
        _labels([cell.encode() for cell in T], [cell.encode() for cell in P]), TAKEN
    ),
    "a true category that is missing": Fault(_labels(_at(T, 1, None)), REFUSED),
    "a decided category that is missing": Fault(_labels(p=_at(P, 1, None)), REFUSED),
    "a category that is NaN": Fault(_labels([3.0, NAN, 7.0], [3.0, 5.0, 7.0]), REFUSED),
    "a category that is an empty text": Fault(_labels(_at(T, 1, "")), REFUSED),
    'a category called "NA"': Fault(_labels(_at(T, 1, "NA")), TAKEN),
    "a label 0 or 1 that is missing": Fault(_labels(_at(Y, 1, None), Z), REFUSED),
    "a label 0 or 1 that is NaN": Fault(_labels(_at([float(y) for y in Y], 1, NAN), Z), REFUSED),
    "a missing category, another named as positive": Fault(
        _labels(_at(T, 1, None)), REFUSED, {"positive": "a"}
    ),
    'a category "NA", another named': Fault(_labels(_at(T, 1, "NA")), REFUSED, {"positive": "a"}),
    "two categories, one of them named as positive": Fault(
        _labels([*"abbaba"], [*"abaabb"]), TAKEN, {"positive": "a"}
    ),
    "three categories, one of them named as positive": Fault(
        _labels(), "other-labels", {"positive": "a"}
    ),
    "a named category that nobody has": Fault(_labels(), REFUSED, {"positive": "A"}),
    "no category in common": Fault(_labels(p=["x", "y", "z"] * 2), "no-common-label"),
    "capital letters in some decisions": Fault(
        _labels(p=["A", "b", "A", "A", "c", "c"]), "labels-unlike"
    ),
    'decisions "A" and "a", in the truth only "a"': Fault(
        _labels(p=["A", "b", "a", "a", "c", "c"]), "labels-unlike"
    ),
    "capital letters in all decisions": Fault(_labels(p=[p.upper() for p in P]), "no-common-label"),
    "a blank behind a category": Fault(
        _labels(p=["a ", "b", "a ", "a ", "c", "c"]), "labels-unlike"
    ),
    "numbers against texts": Fault(_labels([3, 5, 7, 3, 5, 7], P), REFUSED),
    "numbers against the same numbers as texts": Fault(
        _labels([3, 5, 7, 3, 5, 7], list("353377")), REFUSED
    ).but(_as_written(TAKEN)),
    "one category as a number and as a text": Fault(
        _labels([3, "3", 7, 5], [3, 5, 3, 7]), REFUSED
    ).but(_as_written(TAKEN)),
    'the texts "1" and "1.0"': Fault(
        _labels(["1.0", "2", "3"], ["1", "2", "3"]), "one-number-twice"
    ),
    "scores instead of decisions": Fault(_labels(Y, [0.9, 0.1, 0.4, 0.8, 0.6, 0.2]), REFUSED),
    "soft labels instead of the truth": Fault(_labels([0.9, 0.1, 0.4, 0.8, 0.6, 0.2], Z), REFUSED),
    "a category that is not among those named": Fault(
        _labels(), REFUSED, {"categories": ["a", "b"]}
    ),
    "a named category that no item has": Fault(
        _labels(), TAKEN, {"categories": ["a", "b", "c", "d"]}
    ),
    "a category named twice": Fault(_labels(), REFUSED, {"categories": ["a", "b", "c", "a"]}),
    "one category only": Fault(_labels(["a"] * 6, ["a"] * 6), TAKEN),
    "one decision fewer than items": Fault(_labels(p=P[:-1]), REFUSED),
    "one item fewer than decisions": Fault(_labels(t=T[:-1]), REFUSED),
    "no item": Fault(_labels([], []), REFUSED).but(_NO_LABEL),
    "a column that is not there": Fault(_labels(), REFUSED, {"truth": "z"}),
    "sets of categories": Fault(_labels(*SETS), TAKEN),
    "token tags: lists with repeats": Fault(
        _labels([["O", "O", "B"], ["O", "B"]], [["O", "B", "B"], ["O", "O"]]), REFUSED
    ),
    "a set that is missing": Fault(
        _labels([["a"], None, ["b"]], [["a"], ["b"], ["b"]]), REFUSED
    ).but(_AS_IN_CSV),
    "a set with a missing category": Fault(_labels([["a"], ["b", None]], [["a"], ["b"]]), REFUSED),
    "a set with an empty text": Fault(_labels([["a"], ["b", ""]], [["a"], ["b"]]), REFUSED),
    "an empty set": Fault(_labels([["a"], [], ["b"]], [["a"], ["b"], ["b"]]), TAKEN),
    "empty sets only": Fault(_labels([[], []], [[], []]), REFUSED).but(_NO_LABEL),
    "sets against one category an item": Fault(
        _labels([["a"], ["b"], ["a", "c"]], ["a", "b", "c"]), REFUSED
    ).but(_AS_IN_CSV),
    "a matrix of 0 and 1": Fault(
        _labels([[1, 0], [0, 1], [1, 1]], [[1, 0], [1, 1], [0, 1]]), TAKEN
    ).but(_PARTED),
    "a matrix with a 2": Fault(
        _labels([[1, 0], [0, 2], [1, 1]], [[1, 0], [1, 1], [0, 1]]), REFUSED
    ),
    "matrices of unequal widths": Fault(_labels([[1, 0], [0, 1]], [[1, 0, 0], [0, 1, 1]]), REFUSED),
    "a matrix with a short row": Fault(
        _labels([[1, 0, 1], [0, 1], [1, 1, 0]], [[1, 0, 0], [1, 1, 0], [0, 1, 0]]), REFUSED
    ),
    "two systems in one column": Fault(
        _labels() | {"system": ["a"] * 3 + ["b"] * 3, "id": [1, 2, 3] * 2}, REFUSED
    ),
    "two systems in one column, cases without names": Fault(
        _labels() | {"system": ["a"] * 3 + ["b"] * 3}, "names-of-systems"
    ),
    "cells of several categories": Fault(_labels(["a", "a;b", "b"], ["a", "b", "b"]), REFUSED),
}

_TEXT = (
    "The true and the decided categories of each item, as labels, sets of labels or rows of a "
    "matrix.\n\n"
)
DECISIONS = Subject("Decisions", _TEXT, DOORS, FAULTS)
