"""Scored cases: labels, scores, weights and groups."""

from __future__ import annotations

import math
from collections.abc import Callable
from datetime import date
from decimal import Decimal
from pathlib import Path
from typing import Any
from unittest.mock import patch

import precall as pc
from precall.cases.table import read_cases
from precall.cli import options as cli_options
from precall.core.notes import note_from_json, warn
from precall.read.values import group_name
from tests.doors.forms import (
    FILES,
    FRAMES,
    MORE_FILES,
    SERIES,
    Columns,
    of_rows,
    of_series,
    opened,
    typed_in,
)
from tests.doors.subject import REFUSED, TAKEN, UNDEFINED, Difference, Door, Fault, Subject, command

#: Columns "y" of labels, "s" of scores, and perhaps "w" of weights and "g" of groups → what holds
#: them.
Hold = Callable[[Columns, Path], Any]
#: Average precision by group; without groups that of "".
Values = dict[str, float]
Take = Callable[[Any, Fault], Values]


def _whole(hold: Hold, without: str = "", named: bool = True) -> Callable[[Fault, Path], Any]:
    """All cases at once; not at a door that has no such column, or none with a name."""

    def held(fault: Fault, folder: Path) -> Any:
        if set(without) & set(fault.given) or (not named and fault.asked.keys() - {"positive"}):
            return None
        if not named and fault.given.keys() - set("yswg"):
            return None
        return hold(fault.given, folder)

    return held


def _batches(hold: Hold, without: str = "", named: bool = True) -> Callable[[Fault, Path], Any]:
    """The first half of the rows, and the others."""
    whole = _whole(hold, without, named)

    def held(fault: Fault, folder: Path) -> Any:
        middle = len(fault.given["y"]) // 2
        halves = [
            {name: cells[rows] for name, cells in fault.given.items()}
            for rows in (slice(middle), slice(middle, None))
        ]
        batches = [whole(fault._replace(given=half), folder) for half in halves]
        return None if any(batch is None for batch in batches) else batches

    return held


def _area(made: Any, fault: Fault) -> Values:
    if "g" in made:
        by_group = pc.average_precision(made["y"], made["s"], groups=made["g"], **fault.asked)
        return {group_name(name): value for name, value in by_group.items()}
    return {"": pc.average_precision(made["y"], made["s"], weights=made.get("w"), **fault.asked)}


def _curve(made: Any, fault: Fault) -> Values:
    made = pc.curve(made["y"], made["s"], weights=made.get("w"), **fault.asked)
    return {"": made.average_precision()}


def _added(made: Any, fault: Fault) -> Values:
    cases = pc.ScoredCases()
    cases.add(made["y"], made["s"], weights=made.get("w"), **fault.asked)
    return {"": cases.curve().average_precision()}


def _added_in_parts(batches: Any, fault: Fault) -> Values:
    cases = pc.ScoredCases()
    for labels, scores, *weights in batches:
        cases.add(labels, scores, weights=weights[0] if weights else None, **fault.asked)
    return {"": cases.curve().average_precision()}


def _named(fault: Fault) -> dict[str, Any]:
    """Which column is which."""
    more = {
        option: name for option, name in (("weight", "w"), ("group", "g")) if name in fault.given
    }
    return {"label": "y", "score": "s"} | more | dict(fault.asked)


def _by_group(parts: Any) -> Values:
    (curves,) = parts.values()
    return {name: curve.average_precision() for name, curve in curves.items()}


def _scanned(source: Any, fault: Fault) -> Values:
    with opened(source) as (given, options):
        return _by_group(pc.ScoredCases.scan(given, **_named(fault), **options).parts)


def _scanned_pairs(source: Any, fault: Fault) -> Values:
    return _by_group(pc.ScoredCases.scan(source, **fault.asked).parts)


def _read(source: Any, fault: Fault) -> Values:
    named = _named(fault)
    label, score = named.pop("label"), named.pop("score")
    with opened(source) as (given, options):
        return _by_group(read_cases(given, label, [score], **named, **options).curves())


def _typed(*more: str) -> Take:
    def taken(path: Any, fault: Fault) -> Values:
        options = [part for name, value in _named(fault).items() for part in (f"--{name}", value)]
        with patch.object(cli_options, "LEAST_MEMORY", 1):
            made = command("curve", path, *options, *more)
        groups = made.get("groups", {"": made.get("scores")})
        found = {name: scores["s"]["measures"]["AP"] for name, scores in groups.items()}
        if None in found.values():
            warn(
                next(
                    note_from_json(note) for note in made["notes"] if note["kind"] == "undefined-in"
                )
            )
        return {name: math.nan if value is None else value for name, value in found.items()}

    return taken


def _tuple(columns: Columns, folder: Path) -> Any:
    return tuple(columns.values())


_LISTS = of_series(SERIES["lists"])
_TABLES = {
    f"{name} table": of_rows(form) for name, form in FRAMES.items() if name != "NumPy fields"
}
_IN_FILES = {
    name: of_rows(form)
    for name, form in (FILES | MORE_FILES | {"standard input": typed_in}).items()
}
_TEXTS = ("CSV", "TSV", "CSV, gzip", "CSV with semicolons", "standard input")

DOORS: dict[str, Door] = {
    **{name: Door(_whole(of_series(make), named=False), _area) for name, make in SERIES.items()},
    "lists, `curve`": Door(_whole(_LISTS, "g", named=False), _curve),
    "lists, `ScoredCases`": Door(_whole(_LISTS, "g", named=False), _added),
    **{name: Door(_whole(hold), _scanned) for name, hold in _TABLES.items()},
    "batches of lists": Door(_batches(_tuple, "g", named=False), _scanned_pairs),
    "batches of lists, `ScoredCases`": Door(_batches(_tuple, "g", named=False), _added_in_parts),
    "batches of dicts": Door(_batches(lambda columns, folder: dict(columns)), _scanned),
    "batches of tables": Door(_batches(_TABLES["pandas table"]), _scanned),
    **{name: Door(_whole(hold), _read) for name, hold in _IN_FILES.items()},
    **{f"{name}, scanned": Door(_whole(hold), _scanned) for name, hold in _IN_FILES.items()},
    "`precall curve`": Door(_whole(_IN_FILES["CSV"]), _typed()),
    "`precall curve --memory`": Door(_whole(_IN_FILES["CSV"]), _typed("--memory", "1")),
}
_OTHERS = ("lists, `curve`", "lists, `ScoredCases`", "batches of lists, `ScoredCases`")


def _one_list(outcome: str) -> Difference:
    why = (
        "one list is often one of many, and some of them have only one class, so their value is "
        "undefined"
    )
    return Difference((*SERIES, *_OTHERS), "a list or column in memory", outcome, why)


#: Texts have no types.
_UNTYPED = Difference(
    (
        *(f"{name}{way}" for name in _TEXTS for way in ("", ", scanned")),
        *(name for name in DOORS if name[0] == "`"),
    ),
    "CSV and TSV",
    REFUSED,
    "in CSV and TSV True and False are words, not numbers",
)
_TYPED = Difference(
    (*SERIES, *_OTHERS, *_TABLES, *(name for name in DOORS if name.startswith("batches"))),
    "memory",
    REFUSED,
    'in memory labels have types, and 2 is not the text "2"; files compare labels as they are '
    "written",
)
#: Lists of lists.
_OF_ROWS = Difference(
    ("lists", "NumPy", *_OTHERS, "batches of lists", "batches of dicts"),
    "lists and NumPy",
    "table-as-column",
    "in memory, lists of one are a table with one column; elsewhere each cell would hold a list",
)

Y, S = [1, 0, 1, 1, 0, 0, 1, 0], [0.9, 0.8, 0.7, 0.6, 0.5, 0.4, 0.3, 0.2]
NAN, INF = math.nan, math.inf
WORDS = ["yes" if y else "no" for y in Y]


def _cases(**columns: list[Any]) -> dict[str, list[Any]]:
    return {"y": Y, "s": S} | columns


def _at(cells: list[Any], place: int, value: Any) -> list[Any]:
    return [*cells[:place], value, *cells[place + 1 :]]


WEIGHTS, GROUPS = [1, 2, 1, 3, 1, 2, 1, 1], ["a", "a", "a", "a", "b", "b", "b", "b"]
SYSTEMS, TWICE = ["bm25"] * 4 + ["dense"] * 4, ["c1", "c2", "c3", "c4"] * 2
FAULTS: dict[str, Fault] = {
    "nothing wrong": Fault(_cases(), TAKEN),
    "labels that are booleans": Fault(_cases(y=[y == 1 for y in Y]), TAKEN),
    "labels that are decimals": Fault(_cases(y=[Decimal(y) for y in Y]), TAKEN),
    "labels that are dates": Fault(_cases(y=[date(2020, 1, 1 + y) for y in Y]), REFUSED),
    "labels -1 and 1": Fault(_cases(y=[2 * y - 1 for y in Y]), TAKEN),
    "labels 0.0 and 1.0": Fault(_cases(y=[float(y) for y in Y]), TAKEN),
    "a label that is missing": Fault(_cases(y=_at(Y, 2, None)), REFUSED),
    "a label that is missing, of booleans": Fault(
        _cases(y=_at([y == 1 for y in Y], 2, None)), REFUSED
    ),
    "a label that is NaN": Fault(_cases(y=_at([float(y) for y in Y], 2, NAN)), REFUSED),
    "a label that is 2": Fault(_cases(y=_at(Y, 2, 2)), REFUSED),
    "a label that is -1 beside 0": Fault(_cases(y=_at(Y, 1, -1)), REFUSED),
    "a label that is one half": Fault(_cases(y=_at([float(y) for y in Y], 2, 0.5)), REFUSED),
    "labels 0 and -1 in different halves": Fault(_cases(y=[1, 0, 1, 1, -1, -1, 1, -1]), REFUSED),
    'labels "0" and "-1" in different halves': Fault(
        _cases(y=list(map(str, [1, 0, 1, 1, -1, -1, 1, -1]))), REFUSED
    ),
    'a label that is the text "nan"': Fault(_cases(y=_at(list(map(str, Y)), 2, "nan")), REFUSED),
    'a label that is the text "2"': Fault(_cases(y=_at(list(map(str, Y)), 2, "2")), REFUSED),
    "a label that is infinite": Fault(_cases(y=_at([float(y) for y in Y], 2, INF)), REFUSED),
    "labels that are words": Fault(_cases(y=WORDS), REFUSED),
    "labels that are words, the positive one named": Fault(
        _cases(y=WORDS), TAKEN, {"positive": "yes"}
    ),
    "labels 1 and 2": Fault(_cases(y=[1 + y for y in Y]), REFUSED),
    'labels 1 and 2, the text "2" named': Fault(
        _cases(y=[1 + y for y in Y]), TAKEN, {"positive": "2"}
    ).but(_TYPED),
    'a label that is the text "1" among numbers': Fault(_cases(y=_at(Y, 0, "1")), TAKEN).but(
        _TYPED
    ),
    "a positive label that never occurs": Fault(_cases(y=WORDS), REFUSED, {"positive": "Yes"}),
    "three words, the positive one named": Fault(
        _cases(y=_at(WORDS, 1, "maybe")), "other-labels", {"positive": "yes"}
    ),
    "a missing word, the positive one named": Fault(
        _cases(y=_at(WORDS, 2, None)), REFUSED, {"positive": "yes"}
    ),
    "an empty word, the positive one named": Fault(
        _cases(y=_at(WORDS, 2, "")), REFUSED, {"positive": "yes"}
    ),
    'the word "NA", the positive one named': Fault(
        _cases(y=_at(WORDS, 2, "NA")), REFUSED, {"positive": "yes"}
    ),
    'labels that are the texts "0" and "1"': Fault(_cases(y=list(map(str, Y))), TAKEN),
    'labels that are the texts "true" and "false"': Fault(
        _cases(y=["true" if y else "false" for y in Y]), TAKEN
    ),
    "relevant cases only": Fault(_cases(y=[1] * 8), REFUSED).but(_one_list(TAKEN)),
    "no relevant case": Fault(_cases(y=[0] * 8), REFUSED).but(_one_list(UNDEFINED)),
    "a score that is missing": Fault(_cases(s=_at(S, 2, None)), REFUSED),
    "a score that is NaN": Fault(_cases(s=_at(S, 2, NAN)), REFUSED),
    "a score that is infinite": Fault(_cases(s=_at(S, 0, INF)), TAKEN),
    "a score that is minus infinity": Fault(_cases(s=_at(S, 7, -INF)), TAKEN),
    "a score that is a word": Fault(_cases(s=_at(S, 2, "high")), REFUSED),
    "scores that are words": Fault(_cases(s=["high", "low"] * 4), REFUSED),
    "scores that are numbers as texts": Fault(_cases(s=list(map(str, S))), TAKEN),
    "scores that are decimals": Fault(_cases(s=[Decimal(str(s)) for s in S]), TAKEN),
    "scores that are dates": Fault(_cases(s=[date(2020, 1, 9 - at) for at in range(8)]), REFUSED),
    "complex scores": Fault(_cases(s=[complex(s, 1) for s in S]), REFUSED),
    'a score that is the text "nan"': Fault(_cases(s=_at(list(map(str, S)), 2, "nan")), REFUSED),
    "a score that is an empty text": Fault(_cases(s=_at(list(map(str, S)), 2, "")), REFUSED),
    'a score that is the text "1_0"': Fault(_cases(s=_at(list(map(str, S)), 2, "1_0")), REFUSED),
    'a score that is the text "0x1"': Fault(_cases(s=_at(list(map(str, S)), 2, "0x1")), REFUSED),
    'a score that is the text "0.7 "': Fault(_cases(s=_at(list(map(str, S)), 2, "0.7 ")), REFUSED),
    'a score that is the text "1e999"': Fault(
        _cases(s=_at(list(map(str, S)), 2, "1e999")), REFUSED
    ),
    "scores that are booleans": Fault(_cases(s=[s > 0.5 for s in S]), TAKEN).but(_UNTYPED),
    "scores that are integers": Fault(_cases(s=[8, 7, 6, 5, 4, 3, 2, 1]), TAKEN),
    "integers beyond 2**53 as scores": Fault(
        _cases(s=[2**53 + 1 + 2 * at for at in range(8)]), REFUSED
    ),
    "an integer beyond float64 as a score": Fault(
        _cases(s=_at([8, 7, 6, 5, 4, 3, 2, 1], 0, 10**400)), REFUSED
    ),
    "labels and scores swapped": Fault({"y": S, "s": Y}, REFUSED),
    "labels and scores swapped, labels are words": Fault({"y": S, "s": WORDS}, REFUSED),
    "labels and scores swapped, the positive one named": Fault(
        {"y": S, "s": WORDS}, REFUSED, {"positive": "yes"}
    ),
    "one score fewer than labels": Fault({"y": Y, "s": S[:-1]}, REFUSED),
    "one label fewer than scores": Fault({"y": Y[:-1], "s": S}, REFUSED),
    "no case": Fault({"y": [], "s": []}, REFUSED).but(_one_list(UNDEFINED)),
    "whole weights": Fault(_cases(w=WEIGHTS), TAKEN),
    "weights with fractions": Fault(_cases(w=[w / 2 for w in WEIGHTS]), TAKEN),
    "a weight that is 0": Fault(_cases(w=_at(WEIGHTS, 1, 0)), TAKEN),
    "all weights 0": Fault(_cases(w=[0] * 8), REFUSED).but(_one_list(UNDEFINED)),
    "relevant cases all of weight 0": Fault(_cases(w=[1 - y for y in Y]), REFUSED).but(
        _one_list(UNDEFINED)
    ),
    "a weight that is negative": Fault(_cases(w=_at(WEIGHTS, 1, -1)), REFUSED),
    "a weight that is NaN": Fault(_cases(w=_at([float(w) for w in WEIGHTS], 1, NAN)), REFUSED),
    "a weight that is missing": Fault(_cases(w=_at(WEIGHTS, 1, None)), REFUSED),
    "a weight that is infinite": Fault(_cases(w=_at([float(w) for w in WEIGHTS], 1, INF)), REFUSED),
    "a weight that is a word": Fault(_cases(w=_at(WEIGHTS, 1, "much")), REFUSED),
    "weights that are numbers as texts": Fault(_cases(w=list(map(str, WEIGHTS))), TAKEN),
    "weights that are booleans": Fault(_cases(w=[w > 1 for w in WEIGHTS]), TAKEN).but(_UNTYPED),
    "a weight beyond 2**53": Fault(_cases(w=_at(WEIGHTS, 1, 2**53 + 1)), REFUSED),
    "a weight next to 0": Fault(_cases(w=_at([float(w) for w in WEIGHTS], 1, 1e-200)), REFUSED),
    "weights that together are beyond 1e150": Fault(_cases(w=[0.3e150] * 8), REFUSED),
    "weights whose sum is beyond 1e150": Fault(
        _cases(w=_at([float(w) for w in WEIGHTS], 1, 1e200)), REFUSED
    ),
    "one weight fewer than labels": Fault(_cases(w=WEIGHTS[:-1]), REFUSED),
    "groups": Fault(_cases(g=GROUPS), TAKEN),
    "groups that are numbers": Fault(_cases(g=[1, 1, 1, 1, 2, 2, 2, 2]), TAKEN),
    "groups that are numbers as texts": Fault(_cases(g=list("11112222")), TAKEN),
    "groups that are dates": Fault(
        _cases(g=[date(2020, 1, 1)] * 4 + [date(2020, 1, 2)] * 4), TAKEN
    ),
    "groups that are bytes": Fault(_cases(g=[b"a"] * 4 + [b"b"] * 4), TAKEN),
    "groups of one number as a number and as a text": Fault(
        _cases(g=[1, "1", 1, 1, 2, 2, 2, 2]), TAKEN
    ),
    "a group that is missing": Fault(_cases(g=_at(GROUPS, 1, None)), REFUSED),
    "a group that is an empty text": Fault(_cases(g=_at(GROUPS, 1, "")), REFUSED),
    'a group called "NA" among words': Fault(_cases(g=_at(GROUPS, 0, "NA")), TAKEN),
    'a group called "nan" among numbers as texts': Fault(
        _cases(g=_at(list("11112222"), 1, "nan")), REFUSED
    ),
    "a group that is NaN": Fault(_cases(g=_at([1.0] * 4 + [2.0] * 4, 1, NAN)), REFUSED),
    "one group fewer than labels": Fault(_cases(g=GROUPS[:-1]), REFUSED),
    "a group of relevant cases only": Fault(
        _cases(g=["a", "b", "a", "a", "b", "b", "b", "b"]), TAKEN
    ),
    "a group without a relevant case": Fault(
        _cases(g=["b", "a", "b", "b", "b", "b", "b", "a"]), UNDEFINED
    ),
    "scores that are lists of one": Fault(_cases(s=[[s] for s in S]), REFUSED).but(_OF_ROWS),
    "scores that are lists of two": Fault(_cases(s=[[s, 1 - s] for s in S]), REFUSED),
    "labels that are lists of one": Fault(_cases(y=[[y] for y in Y]), REFUSED).but(_OF_ROWS),
    "labels that are lists of two": Fault(_cases(y=[[y, 1 - y] for y in Y]), REFUSED),
    "weights that are lists of one": Fault(_cases(w=[[w] for w in WEIGHTS]), REFUSED).but(_OF_ROWS),
    "groups that are lists of one": Fault(_cases(g=[[g] for g in GROUPS]), REFUSED).but(_OF_ROWS),
    "a no-break space at the end of a group": Fault(
        _cases(g=["a\u00a0", *GROUPS[1:]]), "groups-unlike"
    ),
    "the header twice": Fault(
        {"y": ["y", *map(str, Y)], "s": ["s", *map(str, S)]}, REFUSED, {"positive": "1"}
    ),
    "two systems in one column": Fault(_cases(system=SYSTEMS, id=TWICE), REFUSED),
    "two systems in one column called model": Fault(_cases(model=SYSTEMS, case=TWICE), REFUSED),
    "two systems in one column, some cases of both": Fault(
        _cases(run=SYSTEMS, id=[*TWICE[:6], "c5", "c6"]), REFUSED
    ),
    "two systems in one column, some cases of both, called model": Fault(
        _cases(model=SYSTEMS, id=[*TWICE[:6], "c5", "c6"]), TAKEN
    ),
    "two systems in one column, cases of topics and items": Fault(
        _cases(system=SYSTEMS, topic=["q1", "q1", "q2", "q2"] * 2, item=["d1", "d2"] * 4), REFUSED
    ),
    "a system for each topic": Fault(
        _cases(system=SYSTEMS, topic=["q1"] * 4 + ["q2"] * 4, item=TWICE), "names-of-systems"
    ),
    "a system for each item": Fault(
        _cases(system=SYSTEMS, topic=["q1", "q2"] * 4, item=[f"d{at}" for at in range(8)]),
        "names-of-systems",
    ),
    "two systems in one column, cases without names": Fault(
        _cases(system=SYSTEMS), "names-of-systems"
    ),
    "two systems in one column, a name missing": Fault(
        _cases(system=SYSTEMS, id=_at(TWICE, 3, None)), "names-of-systems"
    ),
    "a column of systems with one system": Fault(
        _cases(system=["bm25"] * 8, id=[f"c{at}" for at in range(8)]), TAKEN
    ),
    "a column of labels that is not there": Fault(_cases(), REFUSED, {"label": "z"}),
    "a column of scores that is not there": Fault(_cases(), REFUSED, {"score": "z"}),
    "a column of weights that is not there": Fault(_cases(), REFUSED, {"weight": "z"}),
    "a column of groups that is not there": Fault(_cases(), REFUSED, {"group": "z"}),
}


_TEXT = """\
Labels, scores, weights and groups, measured by AP. A door called "table" passes a table and the names of its columns to
`ScoredCases.scan`. A file is read whole, or in batches if it is "scanned". Spark has tests of its own, which run if PySpark is installed
(tests/spark).

"""  # noqa: E501
CASES = Subject("Scored cases", _TEXT, DOORS, FAULTS)
