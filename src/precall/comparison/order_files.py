"""Orders of systems in files: `precall overlap --orders`."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any, NamedTuple

from precall.core.errors import Fact, Kind, Labels, Many, Mistake
from precall.core.text import MARK
from precall.native import literals
from precall.native.literals import NUMBER
from precall.read.documents import parse_document
from precall.read.formats import DOCUMENT
from precall.read.group_tables import Grouping, groups_of_lines, read_groups
from precall.read.id_files import ids_of_lines
from precall.read.sources import contents, format_of, label_of

_VALUES = Grouping("system", "value", ("system", "run"), "name the column, FILE:COLUMN, or ")
_REMEDY = (
    'write {"system": 0.5} or a list of systems, best first, or name what `precall eval --format '
    "json` printed"
)
_REPORT = "precall.report/"


class Order(NamedTuple):
    """An order of systems.

    Attributes
    ----------
    systems : their values, or their names, best first.
    higher_is_better : whether high values are good; None if that is not told.
    """

    systems: Mapping[str, float] | list[str]
    higher_is_better: bool | None = None


def read_order(path: str, measure: str | None = None) -> Order:
    """An order of systems: a system and its value on each line, or a table of them; the names
    alone, one a line, best first; a JSON object of values or a list of names; or the means of what
    `precall eval --format json` printed.

    Parameters
    ----------
    path : where the file is; it may be compressed.
    measure : the measure of a report; None is its only one.

    Raises
    ------
    DataError
        The file holds no such order, or a value is no number.
    """
    label = label_of(path)
    kind = format_of(path, None)
    if kind == DOCUMENT:
        return _of_document(parse_document(contents(path, label), label, _REMEDY), label, measure)
    if measure is not None:
        raise Mistake(
            "no measure {got}, as it is no report",
            "leave -m out, or name what `precall eval --format json` printed",
            got=measure,
        ).error(label)
    if kind == "trec":
        # Read once, as standard input can be.
        data = contents(path, label)
        if _has_names_only(data):
            return Order(ids_of_lines(label, data))
        texts = groups_of_lines(data, label, _VALUES)
    else:
        texts = read_groups(path, _VALUES)
    return Order({system: _number(text, system, label) for system, text in texts.items()})


def _has_names_only(data: bytes) -> bool:
    lines = data.removeprefix(MARK).split(b"\n")
    return all(len(line.split()) < 2 for line in lines)


def _number(text: Any, system: str, label: str) -> float:
    value = literals.score(text) if isinstance(text, str) else text
    if isinstance(value, bool) or not isinstance(value, int | float):
        mistake = Mistake("the value of {system} is {got}", NUMBER, got=text, system=system)
        raise mistake.error(label)
    return float(value)


def _of_document(document: Any, label: str, measure: str | None) -> Order:
    """The order in a JSON document."""
    if isinstance(document, dict) and str(document.get("format", "")).startswith(_REPORT):
        try:
            return _of_report(document, label, measure)
        except (KeyError, TypeError) as error:
            raise Mistake("is damaged", "write it again", got=Fact(error)).error(label) from None
    if measure is not None:
        raise Mistake("no measure {got}, as it is no report", "leave -m out", got=measure).error(
            label
        )
    if isinstance(document, list) and all(isinstance(name, str) for name in document):
        return Order(document)
    if isinstance(document, dict):
        return Order({name: _number(value, name, label) for name, value in document.items()})
    raise Mistake("{got} is no order of systems", _REMEDY, got=Kind(document)).error(label)


def _of_report(document: Mapping[str, Any], label: str, measure: str | None) -> Order:
    """The order by the means of a measure."""
    measures = {entry["name"]: entry for entry in document["measures"]}
    found = [
        name
        for name, entry in measures.items()
        if measure is None or measure in (name, *entry["asked"])
    ]
    if len(found) != 1:
        raise _no_measure(measure, list(measures)).error(label)
    values = {run["name"]: run["mean"][found[0]] for run in document["runs"]}
    numbers = {name: math.nan if value is None else value for name, value in values.items()}
    return Order(numbers, measures[found[0]]["best"] != "low")


def _no_measure(measure: str | None, measures: list[str]) -> Mistake:
    known = Labels("its measures are", measures)
    if measure is None:
        got = Many(len(measures), "measure")
        return Mistake("it has {got}", "name one with -m", got=got, allowed=known)
    return Mistake("no measure {got}", "name one of them with -m", got=measure, allowed=known)
