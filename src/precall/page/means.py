"""Averages of systems and their pairwise comparisons, from a record to HTML."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from itertools import compress
from math import isfinite, nan
from typing import Any

from precall.page import blocks
from precall.page.bars import Dots
from precall.page.blocks import as_float
from precall.page.html_tables import block_table
from precall.page.lines import Line, LineChart
from precall.page.markup import element, escaped
from precall.page.record import numbers
from precall.results import number
from precall.sheet.catalogue import many
from precall.sheet.sheets import Block

#: With more systems a picture of means says no more than the table.
_DRAWN = 30
#: With more systems the curves of the two that are compared are drawn.
_CURVES = 4
#: With more pairs of a measure those of the best system are shown.
_LISTED = 120
#: No interval.
_NONE = (nan, nan)


def averages(section: Mapping[str, Any], key: str) -> str:
    """The table of systems and measures, the picture of the first measure, and the pairs."""
    first, interval = section["measures"][0], section["interval"]
    block, letters = blocks.averages(section), _letters(section)
    with_intervals = (
        f", with {100 * interval['level']:g} % intervals ({interval['method']})" if interval else ""
    )
    caption = f"Averages over topics{with_intervals}."
    if any(block.leaders()):
        caption += " The best of a column is bold."
    if letters:
        caption += " Systems that share a letter do not differ significantly."
    beside = list(zip(*letters, strict=True))
    parts = [block_table(block, caption, f"{key}-means", sortable=True, beside=beside)]
    charts = []
    if len(section["systems"]) <= _DRAWN:
        known = [(line.values[0], *(line.ends[0] or _NONE if line.ends else _NONE)) for line in block.lines]
        values = [(as_float(value), low, high) for value, low, high in known]
        dots = Dots(
            f"{first['name']} of the systems", _described(section, values), section["systems"], values, first["name"],
            letters[0] if letters else (),
        )  # fmt: skip
        charts.append(element("figure", dots.svg(f"{key}-m")))
    if section["hits"].get("eleven"):
        charts.append(element("figure", _eleven(section, f"{key}-eleven")))
    parts.append(element("div", *charts, class_="charts"))
    if section.get("pairs"):
        parts.append(_pairs(section, key))
    return "".join(parts)


def _eleven(section: Mapping[str, Any], key: str) -> str:
    """The 11-point curves of the systems that are compared first."""
    recall = [step / 10 for step in range(11)]
    eleven = section["hits"]["eleven"]
    chosen = (section["compared"] or list(range(len(eleven))))[:_CURVES]
    if len(eleven) <= _CURVES:
        chosen = list(range(len(eleven)))
    lines = []
    for i in chosen:
        mean, low, high = (numbers(eleven[i][name]).tolist() for name in ("mean", "low", "high"))
        if all(map(isfinite, mean)):
            # Drawn as far as the chart goes; the record has the whole interval. Without any there is the mean alone.
            band = (
                (recall, _drawable(low, mean), _drawable(high, mean))
                if any(map(isfinite, [*low, *high]))
                else ()
            )
            lines.append(Line(section["systems"][i], recall, mean, i, band=band))
    caption = "Interpolated precision at recall 0, .1, ..., 1, means over topics; "
    caption += "the bands are their t intervals, level by level."
    return LineChart(
        "Precision over recall, 11 points", caption, "recall", "interpolated precision", lines
    ).svg(key) + element("figcaption", escaped(caption), class_="note")  # fmt: skip


def _drawable(ends: list[float], mean: list[float]) -> list[float]:
    return [
        min(max(end if isfinite(end) else middle, 0.0), 1.0) for end, middle in zip(ends, mean, strict=True)
    ]


def _letters(section: Mapping[str, Any]) -> list[list[str]]:
    letters = section.get("pairs", {}).get("letters", [])
    return letters if letters and all(letters) else []


def _described(section: Mapping[str, Any], values: list[tuple[float, float, float]]) -> str:
    pairs = zip(section["systems"], values, strict=True)
    return "; ".join(
        f"{name} {number(value)}" + (f" [{number(low)}, {number(high)}]" if low == low else "")
        for name, (value, low, high) in pairs
    )


def _pairs(section: Mapping[str, Any], key: str) -> str:
    pairs = section["pairs"]
    conventions = " | ".join(f"{name} {text}" for name, text in pairs["conventions"].items())
    tables = [
        _pairs_of(section, place, block, f"{key}-pairs{place}")
        for place, block in blocks.pairs_of_systems(section).items()
    ]
    count = len(pairs["a"])
    summary = element("summary", escaped(f"Comparisons: {many(count, 'pair')} of systems"))
    note = element("p", escaped(f"* significant. {conventions}"), class_="note")
    return element("details", summary, note, *tables, open="" if count <= 12 else None)


def _pairs_of(section: Mapping[str, Any], place: int, block: Block, key: str) -> str:
    pairs, best = section["pairs"], section["compared"][0]
    caption, every = f"Differences in {pairs['compared'][place]}", len(block.lines)
    if every > _LISTED:
        rows = [i for i, measure in enumerate(pairs["measure"]) if measure == place]
        chosen = [best in (pairs["a"][i], pairs["b"][i]) for i in rows]
        block = replace(block, lines=tuple(compress(block.lines, chosen)))
        caption += f": the {len(block.lines)} pairs of {section['systems'][best]}; all {every} are in the record of this page"
    return block_table(block, caption, key, sortable=True)
