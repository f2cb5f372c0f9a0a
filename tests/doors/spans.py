"""Tags of tokens, and the spans that they make."""

from __future__ import annotations

import math
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

import precall as pc
from precall.core.notes import note_from_json, warn
from precall.spans.files import read_spans
from tests.doors.forms import FILES, MORE_FILES, SERIES, Columns, Form, file, of_rows, of_series
from tests.doors.subject import REFUSED, TAKEN, Difference, Door, Fault, Subject, command

#: Of each type TP, FP and FN.
Values = dict[str, tuple[int, ...]]
_CELLS = ("tp", "fp", "fn")
#: The columns: the true and the predicted tags of each unit, and the names of units.
_NAMES = {"truth": "t", "predicted": "p"}


def _held(hold: Callable[[Columns, Path], Any], named: bool = True) -> Callable[[Fault, Path], Any]:
    """Not at a door where columns and units have no names, if something is about these."""

    def held(fault: Fault, folder: Path) -> Any:
        units = fault.given["u"]
        is_about_names = {"truth", "predicted"} & fault.asked.keys() or (
            None in units or len(set(units)) < len(units)
        )
        return None if is_about_names and not named else hold(fault.given, folder)

    return held


def _by_name(columns: Columns, folder: Path) -> Any:
    """Units by their names; None if two have one name."""
    if len(set(columns["u"])) < len(columns["u"]) or any(
        len(columns[side]) > len(columns["u"]) for side in "tp"
    ):
        return None
    return {side: dict(zip(columns["u"], columns[side], strict=False)) for side in "tp"}


def _held_by_name(fault: Fault, folder: Path) -> Any:
    """Units have names there, and columns have none."""
    return None if {"truth", "predicted"} & fault.asked.keys() else _by_name(fault.given, folder)


def _arrays(columns: Columns, folder: Path) -> Any:
    return {
        side: [np.array(unit, object) if isinstance(unit, list) else unit for unit in columns[side]]
        for side in "tp"
    }


def _tokens(columns: Columns) -> list[tuple[Any, Any, Any]] | None:
    """Unit and both tags of each token; None if a token has only one, or a unit has none."""
    true, predicted = columns["t"], columns["p"]
    if len(true) != len(predicted):
        return None
    rows: list[tuple[Any, Any, Any]] = []
    for unit, *sides in zip(columns["u"], true, predicted, strict=True):
        if any(not isinstance(side, list) for side in sides) or len({*map(len, sides)}) > 1:
            return None
        if not sides[0] or any(isinstance(tag, list) for side in sides for tag in side):
            return None
        rows += [(unit, *tags) for tags in zip(*sides, strict=True)]
    return rows


def _text(columns: Columns, folder: Path) -> Any:
    """As of the CoNLL shared tasks: blanks part columns, so no tag may be empty or have one."""
    rows = _tokens(columns)
    if rows is None:
        return None
    if any(tag in (None, "") or str(tag).split() != [str(tag)] for row in rows for tag in row[1:]):
        return None
    lines, before = [], None
    for unit, true, predicted in rows:
        lines += [""] * (before not in (None, unit)) + [f"w {true} {predicted}"]
        before = unit
    return file(folder, "t.conll", "".join(line + "\n" for line in lines))


def _of_tokens(form: Form) -> Callable[[Columns, Path], Any]:
    def held(columns: Columns, folder: Path) -> Any:
        rows = _tokens(columns)
        if rows is None:
            return None
        return form([dict(zip("utp", row, strict=True)) for row in rows], ["u", "t", "p"], folder)

    return held


def _values(made: pc.decisions.Spans) -> Values:
    for note in made.notes:  # not all are warnings
        warn(note)
    table = made.table.to_dict()
    cells = zip(*(table[name] for name in _CELLS), strict=True)
    return dict(zip(table["category"], cells, strict=True))


def _compared(made: Any, fault: Fault) -> Values:
    return _values(pc.decisions.spans(made["t"], made["p"], **fault.asked))


def _read(path: str, fault: Fault) -> Values:
    return _values(read_spans(path, **({**_NAMES, "unit": "u"} | dict(fault.asked))))


def _read_text(path: str, fault: Fault) -> Values:
    return _values(read_spans(path, **({"truth": "-2", "predicted": "-1"} | dict(fault.asked))))


def _typed(**names: str) -> Callable[[Any, Fault], Values]:
    def taken(path: Any, fault: Fault) -> Values:
        named = names | dict(fault.asked)
        words = [f"--{name}={value}" for name, value in named.items()]
        made = command("decisions", path, "--spans", *words)
        for note in map(note_from_json, made["notes"]):
            warn(note)
        return {
            name: tuple(cells[cell.upper()] for cell in _CELLS)
            for name, cells in made["types"].items()
        }

    return taken


_OF_LISTS = {
    f"{name}, lists": of_rows(form)
    for name, form in (FILES | MORE_FILES).items()
    if name in ("JSON lines", "Parquet", "Arrow file", "JSON records")
}
_OF_TOKENS = {f"{name}, tokens": _of_tokens(form) for name, form in FILES.items()}
DOORS: dict[str, Door] = {
    **{
        name: Door(_held(of_series(make), named=False), _compared)
        for name, make in SERIES.items()
        if name != "NumPy"
    },
    "lists of NumPy arrays": Door(_held(_arrays, named=False), _compared),
    "dicts by unit": Door(_held_by_name, _compared),
    "text with blank lines": Door(_held(_text, named=False), _read_text),
    **{name: Door(_held(hold), _read) for name, hold in (_OF_LISTS | _OF_TOKENS).items()},
    "`precall decisions --spans`, text": Door(
        _held(_text, named=False), _typed(truth="-2", predicted="-1")
    ),
    "`precall decisions --spans`, lists": Door(
        _held(_OF_LISTS["JSON lines, lists"]), _typed(**_NAMES, unit="u")
    ),
    "`precall decisions --spans`, tokens": Door(
        _held(_OF_TOKENS["CSV, tokens"]), _typed(**_NAMES, unit="u")
    ),
}

_NOTHING = Difference(
    (*(name for name in SERIES if name != "NumPy"), "lists of NumPy arrays", "dicts by unit"),
    "memory",
    TAKEN,
    "in memory there may be nothing to compare yet; a file without a token is a mistake",
)
_ANY_KEY = Difference(
    ("dicts by unit",), "dicts", TAKEN, "a key of a dict is a name, whatever it is, None as well"
)

_T = [["B-PER", "I-PER", "O"], ["O", "B-LOC"], ["B-ORG"]]
_P = [["B-PER", "I-PER", "O"], ["O", "O"], ["B-LOC"]]


def _tags(t: list[Any] = _T, p: list[Any] = _P, u: list[Any] | None = None) -> Columns:
    return {"t": t, "p": p, "u": [f"s{at}" for at in range(len(t))] if u is None else u}


def _with(tag: Any) -> list[Any]:
    return [["B-PER", "I-PER", "O"], ["O", tag], ["B-ORG"]]


FAULTS: dict[str, Fault] = {
    "nothing wrong": Fault(_tags(), TAKEN),
    "a tag that is missing": Fault(_tags(_with(None)), REFUSED),
    "a tag that is an empty text": Fault(_tags(_with("")), REFUSED),
    "a tag that is NaN": Fault(_tags(_with(math.nan)), REFUSED),
    "a tag without a prefix": Fault(_tags(_with("LOC")), REFUSED),
    "a tag with an unknown prefix": Fault(_tags(_with("X-LOC")), REFUSED),
    "another separator": Fault(_tags(_with("B_LOC")), REFUSED),
    "a small prefix": Fault(_tags(_with("b-LOC")), REFUSED),
    "tags that are numbers": Fault(_tags([[1, 2, 0], [0, 3]], [[1, 2, 0], [0, 0]]), REFUSED),
    "prefixes without types": Fault(
        _tags([["B", "I", "O"], ["O", "B"]], [["B", "I", "O"], ["B", "O"]]), TAKEN
    ),
    "a span that begins with I": Fault(
        _tags(_T, [_P[0], ["O", "I-LOC"], ["B-LOC"]]), "illegal-tags"
    ),
    "a span that begins with I, refused": Fault(
        _tags(_T, [_P[0], ["O", "I-LOC"], ["B-LOC"]]), REFUSED, {"illegal": "error"}
    ),
    "a tag that the scheme does not have": Fault(
        _tags(_T, [_P[0], ["O", "S-LOC"], ["B-LOC"]]), REFUSED, {"scheme": "IOB2"}
    ),
    "a scheme of unknown name": Fault(_tags(), REFUSED, {"scheme": "BIOX"}),
    "a match of unknown name": Fault(_tags(), REFUSED, {"match": "exactly"}),
    "a type that is only predicted": Fault(
        _tags(_T, [_P[0], ["O", "B-GPE"], ["B-LOC"]]), "types-only-predicted"
    ),
    "no true span": Fault(_tags([["O"] * 3, ["O"] * 2, ["O"]]), "types-only-predicted"),
    "no span at all": Fault(_tags([["O", "O"], ["O"]], [["O", "O"], ["O"]]), TAKEN),
    "one predicted tag fewer than tokens": Fault(_tags(_T, [_P[0][:-1], *_P[1:]]), REFUSED),
    "one unit fewer predicted": Fault(_tags(_T, _P[:-1]), REFUSED),
    "a unit without tokens": Fault(_tags([*_T[:2], []], [*_P[:2], []]), TAKEN),
    "a unit that is missing": Fault(_tags(_T, [*_P[:2], None]), REFUSED),
    "a unit that is one text": Fault(_tags([*_T[:2], "B-ORG"], [*_P[:2], "O"]), REFUSED),
    "no unit": Fault(_tags([], []), REFUSED).but(_NOTHING),
    "two units of one name": Fault(_tags(u=["s0", "s1", "s0"]), REFUSED),
    "a unit whose name is missing": Fault(_tags(u=["s0", None, "s2"]), REFUSED).but(_ANY_KEY),
    "a column that is not there": Fault(_tags(), REFUSED, {"truth": "z"}),
}

_TEXT = "The true and the predicted tags of the tokens of each unit, such as a sentence.\n\n"
SPANS = Subject(
    "Spans", _TEXT, DOORS, FAULTS, ("illegal-tags", "types-only-predicted", "same-span-twice")
)
