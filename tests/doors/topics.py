"""Topics with weights, and groups of topics."""

from __future__ import annotations

import json
import math
from collections.abc import Callable
from pathlib import Path
from typing import Any

import precall as pc
from precall.core.notes import note_from_json, warn
from precall.read.group_tables import read_groups
from tests.doors.forms import FILES, FRAMES, MORE_FILES, Columns, file, of_rows
from tests.doors.subject import REFUSED, TAKEN, Difference, Door, Fault, Subject, command
from tests.peers import peer

pd = peer("pandas")

#: Columns of topics and of what each has → what holds them.
Hold = Callable[[Columns, Path], Any]
_TOPICS = ["q1", "q2", "q3"]
_QRELS = {"q1": {"a": 1}, "q2": {"c": 1}, "q3": {"d": 1}}
_RUN = {"q1": {"a": 2.0}, "q2": {"x": 2.0, "c": 1.0}, "q3": {"x": 2.0}}
#: A note that a group, or a topic, is left over.
_KINDS = ("no-group",)


def _pairs(columns: Columns) -> list[tuple[Any, Any]] | None:
    """None if a topic or its value has no other."""
    topics, values = columns.values()
    return list(zip(topics, values, strict=True)) if len(topics) == len(values) else None


def _dict(columns: Columns, folder: Path) -> Any:
    made = _pairs(columns)
    return dict(made) if made is not None and len(dict(made)) == len(made) else None


def _series(columns: Columns, folder: Path) -> Any:
    topics, values = columns.values()
    return pd.Series(values, index=topics, dtype=None if values else float)


def _object(columns: Columns, folder: Path) -> Any:
    made = _dict(columns, folder)
    # Names of JSON are texts.
    if made is None or not all(isinstance(topic, str) for topic in made):
        return None
    return file(folder, "o.json", json.dumps(made))


def _lines(columns: Columns, folder: Path) -> Any:
    """Lines without a heading, which may lack a value but no topic."""
    made = _pairs(columns)
    if made is None or any(topic in (None, "") for topic, _ in made):
        return None
    text = "".join(f"{topic} {'' if value is None else value}\n" for topic, value in made)
    return file(folder, "t.txt", text)


def _held(hold: Hold, named: bool = False) -> Callable[[Fault, Path], Any]:
    """Not at a door where no column has a name, if the fault is in the names."""
    usual = ({"topic", "weight"}, {"topic", "group"})
    return lambda fault, folder: (
        None if not named and set(fault.given) not in usual else hold(fault.given, folder)
    )


def _weighed(weights: Any, fault: Fault) -> float:
    return pc.evaluate(_QRELS, _RUN, ["RR"], topic_weights=weights)["RR"]


def _grouped(by: Any, fault: Fault) -> dict[str, float]:
    report = pc.evaluate(_QRELS, _RUN, ["RR"], by=by)
    for note in report.notes():  # not all are warnings
        warn(note)
    return {name: part["RR"] for name, part in report.groups.items()}


def _of_file(path: Any, fault: Fault) -> dict[str, float]:
    return _grouped(read_groups(path), fault)


def _typed(option: str) -> Callable[[Any, Fault], Any]:
    def taken(path: Any, fault: Fault) -> Any:
        inputs = {name: str(Path(path).parent / name) for name in ("q.json", "r.json")}
        for name, given in zip(inputs.values(), (_QRELS, _RUN), strict=True):
            Path(name).write_text(json.dumps(given), encoding="utf-8")
        made = command("eval", *inputs.values(), "-m", "RR", option, path)
        for note in map(note_from_json, made.get("notes", [])):
            warn(note)
        groups = made.get("groups")
        if groups is None:
            return made["mean"]["RR"] if "mean" in made else made["runs"][0]["mean"]["RR"]
        return {name: parts[0]["mean"]["RR"] for name, parts in groups.items()}

    return taken


_FRAMES = {name: of_rows(form) for name, form in FRAMES.items() if name != "NumPy fields"}
_TABLES = {
    name: of_rows(form)
    for name, form in {
        **FILES,
        **{f"JSON {orient}": MORE_FILES[f"JSON {orient}"] for orient in ("records", "split")},
    }.items()
}
_NAMELESS = {"dict": _dict, "pandas Series": _series}
_TEXTS = {"lines of text": _lines, "JSON object": _object}


def _doors(take: Any, of_file: Any, option: str, more: dict[str, Hold]) -> dict[str, Door]:
    return {
        **{name: Door(_held(hold), take) for name, hold in (_NAMELESS | more).items()},
        **{name: Door(_held(hold, named=True), take) for name, hold in _FRAMES.items()},
        **{name: Door(_held(hold), of_file) for name, hold in _TEXTS.items()},
        **{name: Door(_held(hold, named=True), of_file) for name, hold in _TABLES.items()},
        f"`precall eval {option}`": Door(_held(_TABLES["CSV"], named=True), _typed(option)),
        f"`precall eval {option}`, lines": Door(_held(_lines), _typed(option)),
    }


_OF_WEIGHTS = _doors(
    _weighed, _weighed, "--topic-weights", {"pairs": lambda columns, folder: _pairs(columns)}
)
_OF_GROUPS = _doors(_grouped, _of_file, "--by", {})
_COMMANDS = tuple(name for name in _OF_GROUPS if name[0] == "`")


_WRITTEN = Difference(
    (*(name for name in _TABLES if name[:3] in ("CSV", "TSV")), "lines of text", *_COMMANDS),
    "text",
    TAKEN,
    "in text nan is a name as others are",
)
_HEADLESS = Difference(
    (*(name for name in _TABLES if name[:3] in ("CSV", "TSV")), *_COMMANDS),
    "CSV and TSV",
    TAKEN,
    "CSV and TSV may lack a heading, and then their first line is a topic and its group",
)


def _weights(weight: list[Any], topic: list[Any] = _TOPICS) -> Columns:
    return {"topic": topic, "weight": weight}


def _groups(group: list[Any], topic: list[Any] = _TOPICS) -> Columns:
    return {"topic": topic, "group": group}


_WEIGHT_FAULTS: dict[str, Fault] = {
    "nothing wrong": Fault(_weights([1, 2, 3]), TAKEN),
    "weights with fractions": Fault(_weights([0.5, 2.0, 3.0]), TAKEN),
    "a topic more than there are": Fault(_weights([1, 2, 3, 4], [*_TOPICS, "q4"]), TAKEN),
    "a topic without a weight": Fault(_weights([1, 2], ["q1", "q2"]), REFUSED),
    "a weight that is missing": Fault(_weights([1, None, 3]), REFUSED),
    "a weight that is NaN": Fault(_weights([1.0, math.nan, 3.0]), REFUSED),
    "an infinite weight": Fault(_weights([1.0, math.inf, 3.0]), REFUSED),
    "a weight of 0": Fault(_weights([1, 0, 3]), REFUSED),
    "a weight that is negative": Fault(_weights([1, -2, 3]), REFUSED),
    "a weight that is a word": Fault(_weights(["1", "much", "3"]), REFUSED),
    "a weight that is an empty text": Fault(_weights(["1", "", "3"]), REFUSED),
    'a weight that is the text "1_0"': Fault(_weights(["1", "1_0", "3"]), REFUSED),
    "weights that are booleans": Fault(_weights([True, True, True]), REFUSED),
    "a weight that changes no digit": Fault(_weights([1e-30, 2.0, 3.0]), REFUSED),
    "two weights of one topic": Fault(_weights([1, 2, 3, 4], [*_TOPICS, "q1"]), REFUSED),
    "no topic": Fault(_weights([], []), REFUSED),
    "a topic that is missing": Fault(_weights([1, 2, 3], ["q1", None, "q3"]), REFUSED),
    "an empty text as topic": Fault(_weights([1, 2, 3], ["q1", "", "q3"]), REFUSED),
    "other topics": Fault(_weights([1, 2, 3], ["x", "y", "z"]), REFUSED),
    "a column of unknown name for the topics": Fault(
        {"which": _TOPICS, "weight": [1, 2, 3]}, REFUSED
    ),
    "two columns that may be weights": Fault(
        {"topic": _TOPICS, "first": [1, 2, 3], "second": [1, 2, 3]}, REFUSED
    ),
    "one weight fewer than topics": Fault(_weights([1, 2]), REFUSED),
}
_GROUP_FAULTS: dict[str, Fault] = {
    "nothing wrong": Fault(_groups(["en", "de", "de"]), TAKEN),
    "groups that are numbers": Fault(_groups([1, 2, 2]), TAKEN),
    "a topic more than there are": Fault(_groups(["a", "b", "b", "b"], [*_TOPICS, "q4"]), TAKEN),
    "a topic without a group": Fault(_groups(["en", "de"], ["q1", "q2"]), "no-group"),
    "a group that is missing": Fault(_groups(["en", None, "de"]), REFUSED),
    "a group that is an empty text": Fault(_groups(["en", "", "de"]), REFUSED),
    "a group that is NaN": Fault(_groups([1.0, math.nan, 2.0]), REFUSED).but(_WRITTEN),
    "two groups of one topic": Fault(_groups(["a", "b", "b", "b"], [*_TOPICS, "q1"]), REFUSED),
    "no topic": Fault(_groups([], []), REFUSED),
    "a topic that is missing": Fault(_groups(["a", "b", "b"], ["q1", None, "q3"]), REFUSED),
    "an empty text as topic": Fault(_groups(["a", "b", "b"], ["q1", "", "q3"]), REFUSED),
    "other topics": Fault(_groups(["a", "b", "b"], ["x", "y", "z"]), REFUSED),
    "a column of unknown name for the topics": Fault(
        {"which": _TOPICS, "group": ["a", "b", "b"]}, REFUSED
    ).but(_HEADLESS),
    "two columns that may be groups": Fault(
        {"topic": _TOPICS, "first": ["a", "b", "b"], "second": ["a", "b", "b"]}, REFUSED
    ),
    "one group fewer than topics": Fault(_groups(["a", "b"]), REFUSED),
}

TOPIC_WEIGHTS = Subject(
    "Weights of topics", "The weight of each topic of three.\n\n", _OF_WEIGHTS, _WEIGHT_FAULTS, ()
)
TOPIC_GROUPS = Subject(
    "Groups of topics", "The group of each topic of three.\n\n", _OF_GROUPS, _GROUP_FAULTS, _KINDS
)
