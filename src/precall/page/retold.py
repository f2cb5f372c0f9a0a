"""A record told again in the forms of the other commands: table, csv, json, markdown, latex; or as a page."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

import numpy as np

from precall.page.record import Record, numbers
from precall.page.sheets import blocks_from, ends_from
from precall.sheet.forms import exact, rendered
from precall.sheet.sheets import Block, Cell, Line, Sheet

COLUMNS = ("section", "system", "topic", "measure", "statistic", "value")


def retold(record: Record, form: str = "table", *, bold: bool = False, width: int = 80) -> str:
    """A record as text.

    Parameters
    ----------
    form : "table", "csv", "json" (the whole record, columns as lists), "markdown", "latex" or "html".
    bold, width : of tables, as `sheet.forms.rendered` takes them.

    Examples
    --------
    >>> from precall.page.record import record
    >>> print(retold(record("Nothing", ["There is nothing."], [], [])).splitlines()[0])
    There is nothing.
    """
    if form == "html":
        from precall.page.document import html

        return html(record)
    if form == "json":
        return json.dumps(exact(_plain(record)), ensure_ascii=False, allow_nan=False, indent=1) + "\n"
    return rendered(sheet_of(record), form, bold=bold, width=width)


def _plain(value: Any) -> Any:
    if isinstance(value, np.ndarray):
        return value.tolist()
    if isinstance(value, Mapping):
        return {key: _plain(one) for key, one in value.items()}
    return [_plain(one) for one in value] if isinstance(value, list | tuple) else value


def sheet_of(record: Record) -> Sheet:
    """The tables of a record."""
    blocks: list[Block] = []
    tidy: list[tuple[Cell, ...]] = []
    for place, section in enumerate(record["sections"]):
        if section["kind"] == "systems":
            blocks += _averages(section)
            tidy += _tidy(section, place)
        else:
            found = [*blocks_from(section["blocks"]), *ends_from(section["blocks"])]
            blocks += found
            tidy += [
                (place, name, None, line.name, block.heading[0], value)
                for block in found
                for line in block.lines
                for name, value in zip(block.heading[1:], line.values, strict=True)
            ]
        worth = _worth(section)
        blocks += [_block(heading, lines) for heading, lines in worth if lines]
        tidy += [
            (place, name, None, measure, what, value)
            for heading, lines in worth
            for name, measure, values in lines
            for what, value in zip(heading[1:], values, strict=True)
        ]
    said = {"page": record["title"], "precall": record["versions"]["precall"], "command": record["command"]}
    conventions = {key: text for key, text in said.items() if text}
    return Sheet(
        record["format"], conventions, tuple(blocks), (*record["headline"], *record["warnings"]), record, COLUMNS,
        tuple(tidy),
    )  # fmt: skip


def _worth(section: Mapping[str, Any]) -> list[tuple[tuple[str, ...], list[tuple[str, str, list[float]]]]]:
    """What numbers are worth: intervals and comparisons of scores, and laws; name, measure, and values under a heading."""
    ends = ("estimate", "low", "high")
    scores = [one for one in section.get("systems", []) if isinstance(one, Mapping)]
    intervals = [
        (one["name"], measure, numbers([found[end] for end in ends]).tolist())
        for one in scores
        for measure, found in one["intervals"].items()
    ]
    difference = ("difference", "low", "high", "p")
    pairs = [
        (f"{one['a']} - {one['b']}", one["measure"], numbers([one[name] for name in difference]).tolist())
        for one in (section.get("pairs") or [] if scores else [])
    ]
    chance = ("observed", "chance", "deviation", "p")
    laws = [
        (law["system"], law["measure"], numbers([law[name] for name in chance]).tolist())
        for law in section.get("laws", [])
    ]
    return [
        (("interval", *ends), intervals), (("comparison", *difference), pairs), (("random selection", *chance), laws),
    ]  # fmt: skip


def _block(heading: tuple[str, ...], rows: list[tuple[str, str, list[float]]]) -> Block:
    from precall.infer.compare.comparisons import p_text

    lines = []
    for name, measure, values in rows:
        told = zip(heading[1:], values, strict=True)
        lines.append(
            Line(f"{measure}: {name}", tuple(p_text(one) if what == "p" else one for what, one in told))
        )
    return Block("", heading, tuple(lines))


def _averages(section: Mapping[str, Any]) -> list[Block]:
    names = [one["name"] for one in section["measures"]]
    lines = [
        Line(name, tuple(numbers(mean).tolist()))
        for name, mean in zip(section["systems"], section["mean"], strict=True)
    ]
    found = [Block("", ("system", *names), tuple(lines))]
    if section["interval"]:
        for end in ("low", "high"):
            columns = section["interval"][end]
            lines = [
                Line(name, tuple(numbers(one).tolist()))
                for name, one in zip(section["systems"], columns, strict=True)
            ]
            found.append(Block("", (f"{end} end", *names), tuple(lines)))
    return found + _pairs(section)


def _pairs(section: Mapping[str, Any]) -> list[Block]:
    from precall.infer.compare.comparisons import p_text

    pairs, systems = section.get("pairs"), section["systems"]
    if not pairs:
        return []
    columns = [numbers(pairs[name]).tolist() for name in ("difference", "low", "high", "p", "adjusted")]
    found = []
    for line, measure in enumerate(pairs["compared"]):
        rows = [i for i, one in enumerate(pairs["measure"]) if one == line]
        lines = []
        for i in rows:
            difference, low, high, p, adjusted = (column[i] for column in columns)
            name = f"{systems[pairs['a'][i]]} - {systems[pairs['b'][i]]}"
            mark = "*" * pairs["significant"][i]
            lines.append(Line(name, (difference, low, high, p_text(p), p_text(adjusted) + mark)))
        found.append(Block("", (measure, "difference", "low", "high", "p", "adjusted p"), tuple(lines)))
    return found


def _tidy(section: Mapping[str, Any], place: int) -> list[tuple[Cell, ...]]:
    systems, measures = section["systems"], [one["name"] for one in section["measures"]]
    rows: list[tuple[Cell, ...]] = []
    for i, system in enumerate(systems):
        for line, measure in enumerate(measures):
            rows.append((place, system, None, measure, "mean", float(numbers(section["mean"][i])[line])))
            for end in ("low", "high") if section["interval"] else ():
                value = float(numbers(section["interval"][end][i])[line])
                rows.append((place, system, None, measure, end, value))
            column = numbers(section["values"][line][i]).tolist()
            rows += [
                (place, system, topic, measure, "value", value)
                for topic, value in zip(section["topics"], column, strict=True)
            ]
    pairs = section.get("pairs") or {"a": []}
    for i, (a, b) in enumerate(zip(pairs["a"], pairs.get("b", []), strict=True)):
        name = f"{systems[a]} - {systems[b]}"
        rows += [
            (place, name, None, pairs["compared"][pairs["measure"][i]], one, float(numbers(pairs[one])[i]))
            for one in ("difference", "low", "high", "p", "adjusted")
        ]
    return rows
