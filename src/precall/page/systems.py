"""Systems measured by topics, from a record to HTML: averages, comparisons, topics, and where the hits are."""

from __future__ import annotations

import base64
from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import compress
from math import nan
from typing import Any

import numpy as np

from precall.conventions import signature
from precall.measures.areas import TENTHS
from precall.page import record_tables
from precall.page.charts import DEPTH, Line, difference_bars, dots, line_chart, strips
from precall.page.markup import Cell, block_table, element, escaped, figure, named, table
from precall.page.record import as_float, numbers
from precall.results import number
from precall.sheet.sheets import Block, beside
from precall.text import many

#: With more systems a picture of means says no more than the table.
_DRAWN = 30
#: With more systems the curves of the two that are compared are drawn.
_CURVES = 4
#: With more pairs of a measure those of the best system are shown.
_LISTED = 120
#: Columns of systems in the table of topics; of more systems the two compared are shown.
COLUMNS = 6
#: Topics whose strips show without a script: the greatest losses, and the greatest gain.
_STRIPS = 3


def averages(section: Mapping[str, Any], key: str) -> str:
    """The table of systems and measures, the picture of the first measure, and the pairs."""
    interval = section["interval"]
    block, letters = record_tables.averages(section), _letters(section)
    bounds = f", with {100 * interval['level']:g} % intervals ({interval['method']})" if interval else ""
    caption = f"Averages over topics{bounds}."
    if any(block.leaders()):
        caption += " The best of a column is bold."
    if letters:
        caption += " Systems that share a letter: no difference shown."
    charts = [_means(section, block, letters, f"{key}-m")] if len(section["systems"]) <= _DRAWN else []
    if section["hits"].get("eleven"):
        charts.append(element("figure", _eleven(section, f"{key}-eleven")))
    notes = list(zip(*letters, strict=True))
    means = block_table(block, caption, f"{key}-means", sortable=True, beside=notes)
    return means + element("div", *charts, class_="charts") + _pairs(section, key)


def _means(section: Mapping[str, Any], block: Block, letters: list[list[str]], key: str) -> str:
    """The averages of the first measure as dots."""
    measure, systems = section["measures"][0]["name"], section["systems"]
    ends = [line.ends[0] if line.ends else None for line in block.lines]
    means = [as_float(line.values[0]) for line in block.lines]
    values = [(mean, *(bounds or (nan, nan))) for mean, bounds in zip(means, ends, strict=True)]
    rows = zip(systems, means, ends, strict=True)
    described = [f"{name} {number(mean)}{beside(bounds)}" for name, mean, bounds in rows]
    title, notes = f"{measure} of the systems", letters[0] if letters else ()
    return element("figure", dots(title, "; ".join(described), systems, values, measure, notes, key=key))


def _eleven(section: Mapping[str, Any], key: str) -> str:
    """The 11-point curves of the systems that are compared first."""
    eleven = section["hits"]["eleven"]
    chosen: Sequence[int] = range(len(eleven))
    if len(eleven) > _CURVES:
        chosen = (section["compared"] or chosen)[:_CURVES]
    lines = []
    for i in chosen:
        mean, *ends = (numbers(eleven[i][name]) for name in ("mean", "low", "high"))
        if np.isfinite(mean).all():
            # Drawn as far as the chart goes; the record has the whole interval. Without any there is the mean alone.
            low, high = (np.clip(np.where(np.isfinite(end), end, mean), 0.0, 1.0).tolist() for end in ends)
            band = (TENTHS, low, high) if np.isfinite(ends).any() else ()
            lines.append(Line(section["systems"][i], TENTHS, mean.tolist(), i, band=band))
    caption = "Interpolated precision at recall 0, .1, ..., 1, means over topics; "
    caption += "the bands are their t intervals, level by level."
    title = "Precision over recall, 11 points"
    chart = line_chart(title, caption, "recall", "interpolated precision", lines, key=key)
    return chart + element("figcaption", escaped(caption), class_="note")


def _letters(section: Mapping[str, Any]) -> list[list[str]]:
    letters = section.get("pairs", {}).get("letters", [])
    return letters if letters and all(letters) else []


def _pairs(section: Mapping[str, Any], key: str) -> str:
    """The tables of comparisons, if there are any."""
    pairs = section.get("pairs")
    if not pairs:
        return ""
    best, tables = section["compared"][0], []
    for i, block in record_tables.pairs_of_systems(section).items():
        caption, every = f"Differences in {pairs['compared'][i]}", len(block.lines)
        if every > _LISTED:
            rows = [row for row, measure in enumerate(pairs["measure"]) if measure == i]
            chosen = [best in (pairs["a"][row], pairs["b"][row]) for row in rows]
            block = replace(block, lines=tuple(compress(block.lines, chosen)))
            caption += f": the {len(block.lines)} pairs of {section['systems'][best]}; "
            caption += f"all {every} are in the record of this page"
        tables.append(block_table(block, caption, f"{key}-pairs{i}", sortable=True))
    count = len(pairs["a"])
    summary = element("summary", escaped(f"Comparisons: {many(count, 'pair')} of systems"))
    note = element("p", escaped(f"* significant. {signature(pairs['conventions'])}"), class_="note")
    return element("details", summary, note, *tables, open="" if count <= 12 else None)


def topics(section: Mapping[str, Any], key: str) -> str:
    """Everything about single topics; of one system the table alone."""
    if not section["topics"]:
        return ""
    difference = _differences(section)
    order = sorted_topics(section, difference)
    parts = []
    if difference is not None:
        parts += [_choices(section, key), _chart(section, difference, order, key)]
    if section.get("hits"):
        parts.append(_strips(section, difference, order, key))
    box = element("input", id=f"{key}-filter", type="search", autocomplete="off")
    shown = element("output", many(len(order), "topic"), id=f"{key}-count")
    filtering = element("label", "Topics that contain ", box)
    parts.append(element("div", filtering, shown, class_="controls scripted", hidden=""))
    return "".join([*parts, _table(section, difference, order, key)])


def _differences(section: Mapping[str, Any]) -> Any:
    """By the first measure, the better system less the other, per topic; None where there is one system."""
    if len(section["compared"]) < 2:
        return None
    first, second = section["compared"]
    columns = section["values"][0]
    return numbers(columns[first]) - numbers(columns[second])


def sorted_topics(section: Mapping[str, Any], difference: Any) -> list[int]:
    """Topics in the order of the table: the greatest losses first, undefined ones last."""
    direction = section["measures"][0]["best"] or 1
    values = numbers(section["values"][0][section["compared"][0]]) if difference is None else difference
    keys = np.where(np.isnan(values), np.inf, direction * values)
    order: list[int] = np.argsort(keys, kind="stable").tolist()
    return order


def _choices(section: Mapping[str, Any], key: str) -> str:
    """Which measure and systems are compared; hidden until there is a script."""

    def select(name: str, title: str, options: Sequence[str], chosen: int) -> str:
        listed = [
            element("option", named(text), value=i, selected="" if i == chosen else None)
            for i, text in enumerate(options)
        ]
        return element("label", f"{title} ", element("select", *listed, id=f"{key}-{name}"))

    first, second = section["compared"]
    measures = [measure["name"] for measure in section["measures"]]
    return element(
        "div", select("measure", "Measure", measures, 0), select("first", "System", section["systems"], first),
        select("second", "less", section["systems"], second), class_="controls scripted", hidden="",
    )  # fmt: skip


def _chart(section: Mapping[str, Any], difference: Any, order: list[int], key: str) -> str:
    first, second = (section["systems"][place] for place in section["compared"])
    measure = section["measures"][0]["name"]
    values = [value for value in difference[order].tolist() if value == value]
    above, below = sum(value > 0 for value in values), sum(value < 0 for value in values)
    size = many(len(values), "topic")
    tail = f"{first} is higher in {many(above, 'topic')}, lower in {below}, equal in {len(values) - above - below}."
    bars = difference_bars(
        f"{measure} by topic: {first} less {second}", f"{size}, a bar each, sorted. {tail}", values,
        f"{measure}, difference", f"{size}, sorted", f"{key}-d",
    )  # fmt: skip
    caption = element("figcaption", escaped(f"{first} less {second} in {measure}. {tail}"), id=f"{key}-said")
    hover = element("output", " ", id=f"{key}-hover", class_="scripted", hidden="")
    box = element(
        "div", bars, class_="wide", tabindex=0, role="group", aria_label="Differences by topic"
    )  # fmt: skip
    return element("figure", caption, box, hover, id=f"{key}-bars")


def _table(section: Mapping[str, Any], difference: Any, order: list[int], key: str) -> str:
    measure, hits = section["measures"][0], section.get("hits") or {}
    columns = list(range(len(section["systems"])))
    if len(columns) > COLUMNS:
        columns = section["compared"]
    values = [numbers(section["values"][0][i]).tolist() for i in columns]
    heading = ["topic", *(section["systems"][i] for i in columns)]
    heading += ["difference"] * (difference is not None) + ["relevant"] * bool(hits)
    rows = []
    for topic in order:
        row = [Cell(section["topics"][topic]), *(Cell(number(column[topic])) for column in values)]
        if difference is not None:
            value = float(difference[topic])
            better = value * (measure["best"] or 1)
            kind = "gain" if better > 0 else "loss" if better < 0 else ""
            row.append(Cell(f"{value:+.4f}" if value == value else "undef", kind))
        if hits:
            row.append(Cell(str(hits["relevant"][topic])))
        rows.append(row)
    return table(heading, rows, f"{measure['name']} by topic", f"{key}-topics", sortable=True, tall=True)


def _strips(section: Mapping[str, Any], difference: Any, order: list[int], key: str) -> str:
    # Of many systems a strip is tall, and long in bytes.
    chosen = order[: _STRIPS if len(section["systems"]) <= COLUMNS else 1]
    caption = (
        f"Each bar is a ranking, its first {DEPTH} ranks from left to right, "
        "each mark a relevant item. At the right: relevant items found, of those that exist."
    )
    if difference is not None:
        caption += " Shown are the topics of the greatest losses and the greatest gain."
        last = [topic for topic in order if difference[topic] == difference[topic]][-1:]
        chosen = chosen + [topic for topic in last if topic not in chosen and order[-1] not in chosen]
    shown = []
    for i, topic in enumerate(chosen):
        relevant = section["hits"]["relevant"][topic]
        rows = [
            (name, ranks_in(hits["marks"], topic), f"{hits['found'][topic]}/{relevant}")
            for name, hits in zip(section["systems"], section["hits"]["systems"], strict=True)
        ]
        shown.append(strips(section["topics"][topic], rows, f"{key}-h{i}"))
    chart = figure(caption, element("div", *shown, class_="strips"))
    live = element("div", id=f"{key}-chosen", class_="strips chosen scripted", hidden="", aria_live="polite")
    return element("h3", "Where the hits are") + chart + live


def ranks_in(marks: str, topic: int) -> list[int]:
    """The ranks of one topic's hits, read off the marks.

    Examples
    --------
    >>> ranks_in("AAAAAAAAoAAAAAAA", 1)
    [1, 3]
    """
    part = base64.b64decode(marks[8 * topic : 8 * topic + 8])
    ranks: list[int] = (np.flatnonzero(np.unpackbits(np.frombuffer(part, np.uint8))) + 1).tolist()
    return ranks
