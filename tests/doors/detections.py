"""Detected objects: scores, matches, classes and images."""

from __future__ import annotations

import math
from collections.abc import Callable
from decimal import Decimal
from pathlib import Path
from typing import Any

import precall as pc
from precall.core.notes import note_from_json, warn
from precall.object_detection.files import read_detections
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

#: The 101-point average of each class.
Values = dict[str, str]
_CHOICES = ("missed", "ties", "max_per_image")
_COLUMNS = {"score": "s", "matched": "m", "category": "c", "image": "i", "ignored": "x"}


def _held(hold: Callable[[Columns, Path], Any], named: bool = True) -> Callable[[Fault, Path], Any]:
    """Not at a door where no column has a name, if one is asked for."""

    def held(fault: Fault, folder: Path) -> Any:
        if fault.asked.keys() - {*_CHOICES} and not named:
            return None
        return hold(fault.given, folder)

    return held


def _values(made: pc.Detections) -> Values:
    for note in made.notes:  # not all are warnings
        warn(note)
    return {name: repr(value) for name, value in made.by_category().items()}


def _detected(made: Any, fault: Fault) -> Values:
    given = {role: made[name] for role, name in _COLUMNS.items() if name in made}
    return _values(pc.detections(**given, **fault.asked))


def _named(fault: Fault) -> dict[str, Any]:
    names = {role: name for role, name in _COLUMNS.items() if name in fault.given}
    return names | dict(fault.asked)


def _read(source: Any, fault: Fault) -> Values:
    named = _named(fault)
    for role in ("matched", "ignored"):
        if role in named:
            named[role] = [named[role]]
    with opened(source) as (given, options):
        return _values(read_detections(given, **named, **options))


def _typed(path: Any, fault: Fault) -> Values:
    named = _named(fault)
    missed = named.pop("missed")
    words = [f"--{role.replace('_', '-')}={value}" for role, value in named.items()]
    words += [f"--missed={name}={count}" for name, count in missed.items()]
    made = command("detections", path, *words)
    for note in map(note_from_json, made["notes"]):
        warn(note)
    found = {name: cells["101-point"] for name, cells in made["classes"].items()}
    return {name: repr(math.nan if value is None else value) for name, value in found.items()}


_IN_FILES = {
    name: of_rows(form)
    for name, form in (FILES | MORE_FILES | {"standard input": typed_in}).items()
}
DOORS: dict[str, Door] = {
    **{name: Door(_held(of_series(make), named=False), _detected) for name, make in SERIES.items()},
    **{name: Door(_held(hold), _read) for name, hold in _IN_FILES.items()},
    "`precall detections`": Door(_held(_IN_FILES["CSV"]), _typed),
}

_S, _M = [0.9, 0.8, 0.7, 0.6], [1, 0, 1, 1]
_C, _I = ["cat", "cat", "dog", "cat"], ["x", "y", "x", "z"]
_MISSED: dict[str, Any] = {"missed": {"dog": 1, "cat": 0}}


def _of(asked: dict[str, Any] | None = None, **columns: list[Any]) -> tuple[Columns, Any]:
    return {"s": _S, "m": _M, "c": _C, "i": _I} | columns, _MISSED | (asked or {})


def _fault(outcome: str, asked: dict[str, Any] | None = None, **columns: list[Any]) -> Fault:
    given, more = _of(asked, **columns)
    return Fault(given, outcome, more)


def _at(cells: list[Any], value: Any) -> list[Any]:
    return [cells[0], value, *cells[2:]]


_NOTHING = Difference(
    tuple(SERIES),
    "memory",
    TAKEN,
    "a detector may find nothing, but a file without a row is more often a mistake",
)
FAULTS: dict[str, Fault] = {
    "nothing wrong": _fault(TAKEN),
    "a score that is missing": _fault(REFUSED, s=_at(_S, None)),
    "a score that is NaN": _fault(REFUSED, s=_at(_S, math.nan)),
    "a score that is infinite": _fault(TAKEN, s=[math.inf, *_S[1:]]),
    "a score that is a word": _fault(REFUSED, s=_at(_S, "high")),
    "scores that are numbers as texts": _fault(TAKEN, s=list(map(str, _S))),
    "scores that are decimals": _fault(TAKEN, s=[Decimal(str(score)) for score in _S]),
    "integers beyond 2**53 as scores": _fault(
        REFUSED, s=[2**53 + 9, 2**53 + 7, 2**53 + 5, 2**53 + 3]
    ),
    "equal scores, matched and not": _fault("ties-move-mean", s=[0.9, 0.9, 0.7, 0.6]),
    "equal scores in the order of the rows": _fault(
        "ties-move-mean", {"ties": "input"}, s=[0.9, 0.9, 0.7, 0.6]
    ),
    "a match that is missing": _fault(REFUSED, m=_at(_M, None)),
    "a match that is NaN": _fault(REFUSED, m=_at([1.0, 0.0, 1.0, 1.0], math.nan)),
    "a match that is 2": _fault(REFUSED, m=_at(_M, 2)),
    "a match that is one half": _fault(REFUSED, m=_at([1.0, 0.0, 1.0, 1.0], 0.5)),
    "matches that are booleans": _fault(TAKEN, m=[match == 1 for match in _M]),
    "matches that are words": _fault(REFUSED, m=["tp", "fp", "tp", "tp"]),
    "scores and matches swapped": _fault(REFUSED, s=_M, m=_S),
    "no detection is matched": _fault(TAKEN, {"missed": {"dog": 1, "cat": 2}}, m=[0] * 4),
    "a class that is missing": _fault(REFUSED, c=_at(_C, None)),
    "a class that is an empty text": _fault(REFUSED, c=_at(_C, "")),
    "classes that are numbers": _fault(TAKEN, {"missed": {"2": 1, "1": 0}}, c=["1", "1", "2", "1"]),
    "an image that is missing": _fault(REFUSED, i=_at(_I, None)),
    "an image that is an empty text": _fault(REFUSED, i=_at(_I, "")),
    "detections that are left out": _fault(TAKEN, x=[0, 1, 0, 0]),
    "a missing cell in the column of those left out": _fault(REFUSED, x=[0, None, 0, 0]),
    "a class without objects": _fault(
        "classes-without-objects", m=[1, 0, 0, 1], asked={"missed": {"cat": 0}}
    ),
    "a class that only missed objects have": _fault(TAKEN, {"missed": {"dog": 1, "bus": 2}}),
    "a negative number of missed objects": _fault(REFUSED, {"missed": {"dog": -1}}),
    "half a missed object": _fault(REFUSED, {"missed": {"dog": 0.5}}),
    "more detections of an image than count": _fault(
        "detections-beyond", {"max_per_image": 1}, i=["x", "x", "x", "z"]
    ),
    "a limit of 0": _fault(REFUSED, {"max_per_image": 0}),
    "one score fewer than matches": _fault(REFUSED, s=_S[:-1]),
    "one match fewer than scores": _fault(REFUSED, m=_M[:-1]),
    "one class fewer than scores": _fault(REFUSED, c=_C[:-1]),
    "no detection": _fault(REFUSED, s=[], m=[], c=[], i=[]).but(_NOTHING),
    "a column that is not there": _fault(REFUSED, {"score": "z"}),
}

_TEXT = "The score, the match, the class and the image of each detection.\n\n"
DETECTIONS = Subject(
    "Detections",
    _TEXT,
    DOORS,
    FAULTS,
    ("ties-move-mean", "classes-without-objects", "detections-beyond"),
)
