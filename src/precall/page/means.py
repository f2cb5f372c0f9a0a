"""Averages of systems and their pairwise comparisons, from a record to HTML."""

from __future__ import annotations

from collections.abc import Mapping
from math import isfinite
from typing import Any

from precall.infer.compare.comparisons import p_text
from precall.page.bars import Dots
from precall.page.html_tables import Cell, between, table
from precall.page.lines import Line, LineChart
from precall.page.markup import element, escaped
from precall.page.record import numbers
from precall.results import number, shown
from precall.sheet.catalogue import many

#: With more systems a picture of means says no more than the table.
_DRAWN = 30
#: With more systems the curves of the two that are compared are drawn.
_CURVES = 4
#: With more pairs of a measure those of the best system are shown.
_LISTED = 120


def averages(section: Mapping[str, Any], key: str) -> str:
    """The table of systems and measures, the picture of the first measure, and the pairs."""
    first = section["measures"][0]
    interval = section["interval"]
    said = ""
    if interval:
        said = f", with {100 * interval['level']:g} % intervals ({interval['method']})"
    caption = f"Averages over topics{said}."
    if any(_leaders(section)):
        caption += " The best of a column is bold."
    if _letters(section):
        caption += " Systems that share a letter do not differ significantly."
    heading = ["system", *(one["name"] for one in section["measures"]), "topics"]
    parts = [table(heading, _rows(section), caption, f"{key}-means", sortable=True)]
    charts = []
    if len(section["systems"]) <= _DRAWN:
        values = [
            (float(numbers(mean)[0]), *_ends(interval, place)) for place, mean in enumerate(section["mean"])
        ]
        letters = _letters(section)
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
    found = section["hits"]["eleven"]
    chosen = (section["compared"] or list(range(len(found))))[:_CURVES]
    if len(found) <= _CURVES:
        chosen = list(range(len(found)))
    lines = []
    for i in chosen:
        mean, low, high = (numbers(found[i][name]).tolist() for name in ("mean", "low", "high"))
        if all(map(isfinite, mean)):
            # Drawn as far as the chart goes; the record has the whole interval.
            ends = ([max(one, 0.0) for one in low], [min(one, 1.0) for one in high])
            band = (recall, *ends) if all(map(isfinite, [*low, *high])) else ()
            lines.append(Line(section["systems"][i], recall, mean, i, band=band))
    said = "Interpolated precision at recall 0, .1, ..., 1, means over topics; the bands are their t intervals, level by level."
    return LineChart(
        "Precision over recall, 11 points", said, "recall", "interpolated precision", lines
    ).svg(key) + element("figcaption", escaped(said), class_="note")  # fmt: skip


def _ends(interval: Mapping[str, Any], place: int, line: int = 0) -> tuple[float, float]:
    if not interval:
        return float("nan"), float("nan")
    low, high = (float(numbers(interval[end][place])[line]) for end in ("low", "high"))
    return low, high


def _letters(section: Mapping[str, Any]) -> list[list[str]]:
    letters = section.get("pairs", {}).get("letters", [])
    return letters if letters and all(letters) else []


def _described(section: Mapping[str, Any], values: list[tuple[float, float, float]]) -> str:
    pairs = zip(section["systems"], values, strict=True)
    return "; ".join(
        f"{name} {number(value)}" + (f" [{number(low)}, {number(high)}]" if low == low else "")
        for name, (value, low, high) in pairs
    )


def _rows(section: Mapping[str, Any]) -> list[list[Cell]]:
    best = _leaders(section)
    letters = _letters(section)
    rows = []
    for place, name in enumerate(section["systems"]):
        cells = [Cell(name)]
        for line, measure in enumerate(section["measures"]):
            value = float(numbers(section["mean"][place])[line])
            low, high = _ends(section["interval"], place, line)
            text = shown(value, measure["aggregate"])
            said = (f"<b>{text}</b>" if place in best[line] else text) + between(low, high)
            if letters:
                said += f" <i>{escaped(letters[line][place])}</i>"
            cells.append(Cell(markup=said))
        rows.append([*cells, Cell(str(section["counts"][place]["topics"]))])
    return rows


def _leaders(section: Mapping[str, Any]) -> list[set[int]]:
    """Per measure the systems of the best average, if there is something to choose."""
    found = []
    for line, measure in enumerate(section["measures"]):
        values = [float(numbers(mean)[line]) for mean in section["mean"]]
        known = [value for value in values if value == value]
        alike = len(set(known)) < 2 or not measure["best"] or not section.get("comparable", True)
        top = None if alike else max(known, key=lambda value: value * measure["best"])
        found.append({i for i, value in enumerate(values) if value == top})
    return found


def _pairs(section: Mapping[str, Any], key: str) -> str:
    pairs = section["pairs"]
    said = " | ".join(f"{name} {text}" for name, text in pairs["conventions"].items())
    tables = [_pairs_of(section, line, f"{key}-pairs{line}") for line in dict.fromkeys(pairs["measure"])]
    count = len(pairs["a"])
    summary = element("summary", escaped(f"Comparisons: {many(count, 'pair')} of systems"))
    note = element("p", escaped(f"* significant. {said}"), class_="note")
    return element("details", summary, note, *tables, open="" if count <= 12 else None)


def _pairs_of(section: Mapping[str, Any], line: int, key: str) -> str:
    pairs, systems = section["pairs"], section["systems"]
    columns = {name: numbers(pairs[name]).tolist() for name in ("difference", "low", "high", "p", "adjusted")}
    corrected = columns["p"] != columns["adjusted"]
    heading = ["pair", "difference", "interval", "p", *(["adjusted p"] if corrected else [])]
    rows = []
    every = [i for i, one in enumerate(pairs["measure"]) if one == line]
    kept, best = every, section["compared"][0]
    if len(every) > _LISTED:
        kept = [i for i in every if best in (pairs["a"][i], pairs["b"][i])]
    for i in kept:
        mark = "*" if pairs["significant"][i] else ""
        p = [p_text(columns[name][i]) for name in ("p", *(("adjusted",) if corrected else ()))]
        rows.append(
            [
                Cell(f"{systems[pairs['a'][i]]} less {systems[pairs['b'][i]]}"),
                Cell(f"{columns['difference'][i]:+.4f}"),
                Cell(f"[{number(columns['low'][i])}, {number(columns['high'][i])}]"),
                *map(Cell, [*p[:-1], p[-1] + mark]),
            ]
        )
    said = f"Differences in {pairs['compared'][line]}"
    if len(kept) < len(every):
        said += f": the {len(kept)} pairs of {systems[best]}; all {len(every)} are in the record of this page"
    return table(heading, rows, said, key, sortable=True)
