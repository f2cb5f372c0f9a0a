"""Runs and qrels."""

from __future__ import annotations

import json
import math
from collections.abc import Callable
from decimal import Decimal
from pathlib import Path
from typing import Any

import precall as pc
from precall.core.notes import warn
from tests.doors.forms import FILES, FRAMES, Form, Rows, cell, file, opened, typed_in
from tests.doors.subject import REFUSED, TAKEN, Difference, Door, Fault, Subject


def _object(rows: Rows) -> dict[str, dict[str, Any]] | None:
    if any(key not in ("topic", "item", "score", "grade") for row in rows for key in row):
        return None
    made: dict[str, dict[str, Any]] = {}
    for row in rows:
        of_topic = made.setdefault(row["topic"], {})
        if row["item"] in of_topic:
            return None
        of_topic[row["item"]] = list(row.values())[-1]
    return made


def _json_object(rows: Rows) -> str | None:
    """Names of JSON are texts."""
    made = (
        None
        if any(row[name] is None for row in rows for name in ("topic", "item"))
        else _object(rows)
    )
    return json.dumps(made) if made else None


def _trec(rows: Rows) -> str | None:
    ids = [cell(row[name]) for row in rows for name in ("topic", "item")]
    # Blanks, and carriage returns, part fields.
    if {"name", "engine"} & set(rows[0]) or any(text == "" or text != text.strip() for text in ids):
        return None
    if "grade" in rows[0]:
        return "".join(f"{row['topic']} 0 {row['item']} {cell(row['grade'])}\n" for row in rows)
    return "".join(
        (
            f"{row['topic']} Q0 {row['item']} {row.get('rank', 0)} {cell(row['score'])} "
            f"{row.get('system', 'x')}\n"
        )
        for row in rows
    )


FORMS: dict[str, Form] = {
    "dict": lambda rows, names, folder: _object(rows),
    "rows": lambda rows, names, folder: (
        [tuple(row.values()) for row in rows] if len(rows[0]) == 3 else None
    ),
    "dicts": lambda rows, names, folder: rows,
    **FRAMES,
    **FILES,
    "JSON rows": lambda rows, names, folder: file(folder, "t.json", json.dumps(rows)),
    "JSON object": lambda rows, names, folder: file(folder, "o.json", _json_object(rows)),
    "TREC text": lambda rows, names, folder: file(
        folder, "t.run" if "score" in rows[0] else "t.qrels", _trec(rows)
    ),
    "standard input": typed_in,
}


#: What is asked for where it is read as the other of the two.
SWAPPED = {"read as": "the other"}


def _held(form: Form) -> Callable[[Fault, Path], Any]:
    return lambda fault, folder: form(fault.given, list(fault.given[0]), folder)


def _evaluated(given: Any, fault: Fault) -> Any:
    of_qrels = ("grade" in fault.given[0]) != (fault.asked == SWAPPED)
    with opened(given) as (source, options):
        qrels = pc.read_qrels(source, **options) if of_qrels else pc.read_qrels(QRELS)
        run = pc.read_run(RUN) if of_qrels else pc.read_run(source, **options)
        report = pc.evaluate(qrels, run, ["AP"])
    for note in report.notes():  # not all are warnings
        warn(note)
    return report["AP"]


RUN: Rows = [
    {"topic": topic, "item": item, "score": score}
    for topic, items in {
        "q1": {"a": 4.0, "b": 3.0, "x": 2.0},
        "q2": {"a": 4.0, "d": 1.5, "x": 1.0},
    }.items()
    for item, score in items.items()
]
QRELS: Rows = [
    {"topic": topic, "item": item, "grade": grade}
    for topic, item, grade in [("q1", "a", 1), ("q1", "b", 0), ("q2", "d", 2), ("q2", "a", 0)]
]
#: The same with floats, as frames of Polars have columns of one type.
_FLOATS: Rows = [row | {"grade": float(row["grade"])} for row in QRELS]


def _with(rows: Rows, place: int, **cells: Any) -> Rows:
    return [row | cells if at == place else row for at, row in enumerate(rows)]


_ENDS_LINE = Difference(
    ("CSV", "TSV", "CSV, gzip", "standard input"),
    "text",
    REFUSED,
    "a carriage return ends a line of text, and the rest of the row is missing",
)
_ONCE = Difference(
    ("standard input",),
    "standard input",
    "ranks-disagree",
    "the table is read again if ranks contradict the scores, and standard input cannot be",
)
_NAMELESS = Difference(
    ("dict", "rows", "JSON object"),
    "without names",
    TAKEN,
    "grades are numbers, and so are scores: only a name tells them apart",
)
_UNTYPED = Difference(
    ("TREC text",),
    "TREC text",
    REFUSED,
    "grades in TREC text must be numbers; CSV has True and False as words, as pandas writes them",
)

FAULTS: dict[str, Fault] = {
    "nothing wrong (a run)": Fault(RUN, TAKEN),
    "nothing wrong (qrels)": Fault(QRELS, TAKEN),
    "an infinite score": Fault(_with(RUN, 0, score=math.inf), TAKEN),
    "an item twice in a topic": Fault([*RUN, RUN[0] | {"score": 0.5}], REFUSED),
    "a score that is NaN": Fault(_with(RUN, 1, score=math.nan), REFUSED),
    "no score": Fault(_with(RUN, 1, score=None), REFUSED),
    "a score that is a word": Fault(_with(RUN, 1, score="high"), REFUSED),
    "an integer score that float64 does not hold": Fault(
        [row | {"score": 2**53 + 1} for row in RUN], REFUSED
    ),
    "no item": Fault(_with(RUN, 1, item=None), REFUSED),
    "no topic": Fault(_with(RUN, 1, topic=None), REFUSED),
    "two runs in one table": Fault(
        [{"system": name, **row} for name in ("a", "b") for row in RUN], REFUSED
    ),
    "two runs in one table, each with topics of its own": Fault(
        [{"system": f"of-{row['topic']}", **row} for row in RUN], "names-of-runs"
    ),
    "two runs in one table, each with items and ranks of its own": Fault(
        [
            {"system": name, **row, "item": name + str(row["item"]), "rank": 1 + place % 3}
            for name in ("a", "b")
            for place, row in enumerate(RUN)
        ],
        REFUSED,
    ),
    "two runs in one table, parted by a column called engine": Fault(
        [{"engine": name, **row} for name in ("a", "b") for row in RUN], REFUSED
    ),
    "two runs in one table, parted by engine, each with items and ranks of its own": Fault(
        [
            {
                "engine": name,
                **row,
                "item": row["item"] + end,
                "score": row["score"] * of_score,
                "rank": 1 + place % 3,
            }
            for name, end, of_score in (("a", "", 1), ("b", "2", 0.5))
            for place, row in enumerate(RUN)
        ],
        REFUSED,
    ).but(_ONCE),
    "one list of items that several engines found": Fault(
        [{"engine": "ab"[place % 2], **row} for place, row in enumerate(RUN)], TAKEN
    ),
    "a column with a name for each item": Fault(
        [{"name": f"the {row['item']}", **row} for row in RUN], TAKEN
    ),
    "ranks that contradict the scores": Fault(
        [row | {"score": 9 - row["score"], "rank": 1 + place % 3} for place, row in enumerate(RUN)],
        "ranks-disagree",
    ),
    "ranks that contradict the scores, the last one first": Fault(
        [row | {"rank": 3 - place % 3} for place, row in enumerate(RUN)], "ranks-disagree"
    ),
    "ranks that contradict the scores, in no order": Fault(
        [row | {"rank": (2, 1, 3)[place % 3]} for place, row in enumerate(RUN)], "ranks-disagree"
    ),
    "the lowest scores first, in many rows": Fault(
        [
            {"topic": "q1", "item": item, "score": float(place)}
            for place, item in enumerate("abcdefghij")
        ],
        "lowest-first",
    ),
    "a run of other items": Fault(
        [row | {"item": f"{row['item']} "[:1] + "0"} for row in RUN], "nothing-judged"
    ),
    "a run of other topics": Fault([row | {"topic": row["topic"] + "0"} for row in RUN], REFUSED),
    "a grade of one half": Fault([row | {"grade": row["grade"] / 2} for row in QRELS], TAKEN),
    "a grade of 4.5": Fault(_with(_FLOATS, 0, grade=4.5), TAKEN),
    'a grade that is the text "4.50"': Fault(
        [row | {"grade": f"{row['grade']}.50"} for row in QRELS], TAKEN
    ),
    'a grade that is the text "4,5"': Fault(
        [row | {"grade": f"{row['grade']},5"} for row in QRELS], REFUSED
    ),
    "a grade that is NaN": Fault(_with(_FLOATS, 0, grade=math.nan), REFUSED),
    "an infinite grade": Fault(_with(_FLOATS, 0, grade=math.inf), REFUSED),
    "a fraction below 0 as grade": Fault(_with(_FLOATS, 0, grade=-0.5), REFUSED),
    "a grade of 1e300": Fault(_with(_FLOATS, 0, grade=1e300), REFUSED),
    "a grade of -0.0 beside a fraction": Fault(
        [row | {"grade": row["grade"] / 2 or -0.0} for row in QRELS], TAKEN
    ),
    "grades that are decimals": Fault(
        [row | {"grade": Decimal(row["grade"])} for row in QRELS], TAKEN
    ),
    "decimals with fractions as grades": Fault(
        [row | {"grade": Decimal(row["grade"]) / 2} for row in QRELS], TAKEN
    ),
    "grades that are numbers as texts": Fault(
        [row | {"grade": str(row["grade"])} for row in QRELS], TAKEN
    ),
    'grades that are texts such as "1.0"': Fault(
        [row | {"grade": f"{row['grade']}.0"} for row in QRELS], TAKEN
    ),
    'a grade that is the text "1_0"': Fault(
        [row | {"grade": "1_0" if row["grade"] else "0"} for row in QRELS], REFUSED
    ),
    "a grade that is a word": Fault([row | {"grade": "good"} for row in QRELS], REFUSED),
    "a grade beyond 32 bits": Fault(_with(QRELS, 0, grade=2**40), REFUSED),
    "no grade": Fault(_with(QRELS, 0, grade=None), REFUSED),
    "an item judged twice, with different grades": Fault(
        [*QRELS, QRELS[0] | {"grade": 3}], REFUSED
    ),
    "an item judged twice, with equal grades": Fault([*QRELS, QRELS[0]], "judgements-dropped"),
    "an empty text as topic": Fault(_with(RUN, 1, topic=""), REFUSED),
    "an empty text as item": Fault(_with(RUN, 1, item=""), REFUSED),
    "an empty text as topic, in qrels": Fault(_with(QRELS, 1, topic=""), REFUSED),
    "an empty text as item, in qrels": Fault(_with(QRELS, 1, item=""), REFUSED),
    "a blank at the end of an item": Fault(_with(RUN, 0, item="a "), "ids-unlike"),
    "a blank at the end of a topic, in one row": Fault(_with(RUN, 0, topic="q1 "), "ids-unlike"),
    "a blank at the end of a topic, in one row of qrels": Fault(
        _with(QRELS, 0, topic="q1 "), "ids-unlike"
    ),
    "a capital letter in an item": Fault(_with(RUN, 0, item="A"), "ids-unlike"),
    "a capital letter in a topic, in one row": Fault(_with(RUN, 0, topic="Q1"), "ids-unlike"),
    "a character of no width at the end of an item": Fault(
        _with(RUN, 0, item="a\u200b"), "ids-unlike"
    ),
    "a carriage return at the end of an item": Fault(_with(RUN, 0, item="a\r"), "ids-unlike").but(
        _ENDS_LINE
    ),
    "a no-break space at the end of an item": Fault(_with(RUN, 0, item="a\u00a0"), "ids-unlike"),
    "the header twice": Fault(
        [
            {"topic": "topic", "item": "item", "score": "score"},
            *[row | {"score": str(row["score"])} for row in RUN],
        ],
        REFUSED,
    ),
    "ranks that are words": Fault([row | {"rank": "first"} for row in RUN], TAKEN),
    'scores that are the texts "True" and "False"': Fault(
        [row | {"score": str(row["score"] > 2)} for row in RUN], REFUSED
    ),
    "scores that are booleans": Fault([row | {"score": row["score"] > 2} for row in RUN], REFUSED),
    "grades that are booleans": Fault(
        [row | {"grade": row["grade"] > 0} for row in QRELS], TAKEN
    ).but(_UNTYPED),
    "a run where qrels are wanted": Fault(
        [row | {"score": row["score"] * 1.37} for row in RUN], REFUSED, SWAPPED
    ).but(_NAMELESS),
    "qrels where a run is wanted": Fault(QRELS, REFUSED, SWAPPED).but(_NAMELESS),
}

RUNS = Subject(
    "Runs and qrels",
    "",
    {name: Door(_held(form), _evaluated) for name, form in FORMS.items()},
    FAULTS,
    (
        "ranks-disagree",
        "lowest-first",
        "names-of-runs",
        "nothing-judged",
        "judgements-dropped",
        "ids-unlike",
    ),
)
