"""A table with a row per case → the labels of people and of a judge, and what systems say."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np

from precall.core.errors import DataError, Labels, Mistake, Several
from precall.core.ragged import Float64
from precall.core.text import as_text
from precall.read.select_columns import choose_by_name, looks_at
from precall.read.sources import label_of
from precall.read.values import as_list, has_value

#: Names of the columns of labels, if none is named.
LABELS: Mapping[str, tuple[str, ...]] = {
    "people": ("people", "human", "gold", "label"),
    "judge": ("judge", "llm", "prediction", "proxy"),
}
_WORDS = {"true": 1.0, "false": 0.0}


class JudgedCases(NamedTuple):
    """Labels of people, NaN where there is none, and of the judge; a column of each system; and by
    argument how people's cases were chosen.
    """

    people: Float64
    judge: Float64
    systems: dict[str, Float64]
    chosen: dict[str, Any]
    source: str
    names: dict[str, str]


def read_judged_cases(
    path: str,
    labels: Mapping[str, str | None],
    option: str,
    systems: Sequence[str],
    units: Mapping[str, str | None],
    format: str | None,
) -> JudgedCases:
    """The cases of a table.

    Parameters
    ----------
    path : the table: CSV, TSV, JSON lines, JSON, Parquet or Arrow.
    labels : the columns of people's and of the judge's labels; None for one of `LABELS`.
    option : the option that names the columns of systems.
    systems : their columns.
    units : by argument, a column that says how people's cases were chosen.
    format : its format, if its name does not tell.
    """
    label, named = label_of(path), dict(labels)

    def choose(columns: list[str]) -> list[str]:
        for side, name in labels.items():
            if name is None:
                named[side] = _usual(side, columns, label)
        wanted = [(f"--{side}", str(name)) for side, name in named.items()]
        wanted += [(option, name) for name in systems]
        wanted += [(f"--{name}", column) for name, column in units.items() if column is not None]
        return choose_by_name(wanted, label)(columns)

    table = looks_at(path, choose, {}, format)[1]()

    def numbers(name: str, lacking: str = "") -> Float64:
        cells = as_list(table.cells[name])
        found = [_number(*of, label, name) for of in zip(cells, table.lines, strict=True)]
        if lacking:
            _refuse_gaps(found, table.lines, label, name, lacking)
        return np.array(found)

    chosen: dict[str, Any] = {}
    for argument, name in units.items():
        if name is None:
            continue
        if argument == "probability":
            chosen[argument] = numbers(name)
        else:
            cells = as_list(table.cells[name])
            chosen[argument] = [as_text(cell) if _is_there(cell) else None for cell in cells]
    return JudgedCases(
        numbers(str(named["people"])),
        numbers(str(named["judge"]), "let the judge label every case"),
        {name: numbers(name, f"{option} needs a number of every case") for name in systems},
        chosen,
        label,
        {side: str(name) for side, name in named.items()},
    )


class OpenCases(NamedTuple):
    """Labels of cases, NaN where there is none, and their scores."""

    label: Float64
    score: Float64
    source: str


def read_open_cases(
    path: str, label: str, score: str, positive: str | None, format: str | None
) -> OpenCases:
    """The cases of a table, of which some have no label.

    Parameters
    ----------
    path : the table: CSV, TSV, JSON lines, JSON, Parquet or Arrow.
    label : the column of labels: 1, 0 or nothing.
    score : the column of scores.
    positive : the label of relevant cases, if not 1; all others are not relevant.
    format : its format, if its name does not tell.
    """
    source = label_of(path)
    choose = choose_by_name([("--label", label), ("--score", score)], source)
    table = looks_at(path, choose, {}, format)[1]()
    cells = as_list(table.cells[label])
    if positive is not None:
        cells = [float(as_text(each) == positive) if _is_there(each) else None for each in cells]
    labels, scores = (
        np.array(
            [_number(cell, line, source, name) for cell, line in zip(of, table.lines, strict=True)]
        )
        for name, of in ((label, cells), (score, as_list(table.cells[score])))
    )
    _refuse_gaps(scores.tolist(), table.lines, source, score, "give every case a score")
    return OpenCases(labels, scores, source)


def _refuse_gaps(
    numbers: Sequence[float], lines: Sequence[int], label: str, name: str, remedy: str
) -> None:
    for line, number in zip(lines, numbers, strict=True):
        if np.isnan(number):
            mistake = Mistake("column {column}: no number", remedy, column=name)
            raise DataError([mistake.of(label, line)])


def _usual(side: str, columns: list[str], label: str) -> str:
    found = [name for name in columns if name.lower() in LABELS[side]]
    if len(found) == 1:
        return found[0]
    todo = f"name the column by --{side}"
    if found:
        what = "several columns may be the labels of {side:s}: {got}"
        raise Mistake(what, todo, got=Several(found), side=f"--{side}").error(label)
    raise Mistake(
        "no column is called {got}",
        todo,
        got=Several(LABELS[side], " or "),
        allowed=Labels("the columns are", columns),
    ).error(label)


def _is_there(cell: object) -> bool:
    return has_value(cell) and cell != ""


def _number(cell: Any, line: int, label: str, name: str) -> float:
    if not _is_there(cell):
        return np.nan
    text = as_text(cell).strip()
    if text.lower() in _WORDS:
        return _WORDS[text.lower()]
    try:
        return float(text)
    except ValueError:
        mistake = Mistake(
            "column {column}: {got} is no number",
            "write 1 or 0, or a number",
            got=text,
            column=name,
        )
        raise DataError([mistake.of(label, line)]) from None
