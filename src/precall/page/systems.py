"""Systems measured by topics, from a record to HTML: their differences, averages, comparisons."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import compress
from math import nan
from typing import Any

import numpy as np

from precall.conventions import signature
from precall.drawing.looks import distinct, shared
from precall.infer.compare.comparisons import p_text
from precall.measures.areas import TENTHS
from precall.page import record_tables
from precall.page.charts import Line, dots, line_chart
from precall.page.differences import Gap, gap_bars
from precall.page.markup import (
    Cell,
    between,
    block_table,
    element,
    escaped,
    figure,
    marked_cells,
    select,
    show_name,
    table,
)
from precall.page.record import as_float, numbers
from precall.results import number
from precall.text import many, percent, signed

#: Of more systems the best so many are drawn; the table has all.
_DRAWN = 30
#: With more systems the curves of the two that are compared are drawn.
_CURVES = 4
#: Of intervals beside p.
_ALONE = "; intervals are of each pair by itself, p is adjusted for all"
#: With more pairs of a measure those of the best system are shown.
_LISTED = 120


def names(section: Mapping[str, Any]) -> list[str]:
    """The names of the systems as the page shows them: without what all of them begin or end with."""
    return distinct([str(name) for name in section["systems"]])


def summary(section: Mapping[str, Any], key: str) -> str:
    """By a measure: how far the systems are from the best or the baseline, and their averages; then the table of all."""
    charts = [_gaps(section, key), _means(section, key)]
    if section["hits"].get("eleven"):
        charts.append(_eleven(section, f"{key}-eleven"))
    drawn = element("div", *charts, class_="charts")
    return (
        choice(section, key) + drawn + _shortened(section) + _averages(section, key) + _definitions(section)
    )


def choice(section: Mapping[str, Any], key: str, place: str = "", *more: str) -> str:
    """Which measure the charts show, hidden until there is a script; each such box moves all of them."""
    measures = [measure["name"] for measure in section["measures"]]
    box = select(f"{key}-measure{place}", "Measure", measures, 0, f"measure-of-{key}")
    boxes = [box] * (len(measures) > 1) + list(more)
    return element("div", *boxes, class_="controls scripted", hidden="") if boxes else ""


def _shortened(section: Mapping[str, Any]) -> str:
    """What was left out of the names, if anything was."""
    head, tail = shared(list(map(str, section["systems"])))
    parts = [f"begin with {head}"] * bool(head) + [f"end with {tail}"] * bool(tail)
    text = f"All names of systems {' and '.join(parts)}; that is left out here."
    return element("p", escaped(text), class_="note") if parts else ""


def _averages(section: Mapping[str, Any], key: str) -> str:
    """The table of systems and measures, letters in columns of their own."""
    interval = section["interval"]
    block, letters = record_tables.averages(section), _letters(section)
    bounds = f", with {percent(interval['level'])} intervals ({interval['method']})" if interval else ""
    caption = f"Averages over topics{bounds}."
    if any(block.leaders()):
        caption += " The best of a column is bold."
    if letters:
        caption += " Systems that share a letter: no difference shown."
    heading, rows = list(block.heading), []
    for i, (name, cells) in enumerate(zip(names(section), marked_cells(block, between), strict=True)):
        # From the right, as each moves what stands behind it.
        for place in range(len(letters), 0, -1):
            cells.insert(place, Cell(letters[place - 1][i], "letters"))
        rows.append([Cell(name, markup=titled(name, section["systems"][i])), *cells])
    for place in range(len(letters), 0, -1):
        heading.insert(place + 1, "letters")
    # A long table scrolls, so that what follows is near.
    tall = len(rows) > _DRAWN
    return table(heading, rows, caption, f"{key}-means", sortable=True, tall=tall, hints=_hints(section))


def titled(name: str, full: str) -> str:
    """A name, the full one for who points at it."""
    return show_name(name) if name == full else element("span", show_name(name), title=full)


def _hints(section: Mapping[str, Any]) -> dict[str, str]:
    """What each measure is, in a sentence."""
    return {measure["name"]: measure["summary"] for measure in section["measures"] if measure.get("summary")}


def _definitions(section: Mapping[str, Any]) -> str:
    """The same as a list, for who has no pointer, and on paper."""
    terms = [
        element("div", element("dt", escaped(name)), element("dd", escaped(text)))
        for name, text in _hints(section).items()
    ]
    if not terms:
        return ""
    title = "What the measures are" if len(terms) > 1 else "What the measure is"
    return element("details", element("summary", title), element("dl", *terms, class_="terms"))


def _gaps(section: Mapping[str, Any], key: str) -> str:
    """How far the others are from the best, or all from the baseline, by the first measure."""
    pairs = section.get("pairs")
    if not pairs or not section.get("comparable", True):
        return ""
    # Pages of earlier versions are told again, too.
    other, base = pairs.get("against", [section["compared"][0]])[0], pairs.get("baseline", False)
    measure = pairs["compared"][0]
    gaps = list(_from(section, other))[:_DRAWN]
    if not gaps:
        return ""
    shown = names(section)[other]
    title = f"{measure}: difference from {shown}" + (", the baseline" if base else ", the best")
    # As verdicts go by p, a bar can be pale whose interval leaves out 0.
    if record_tables.is_corrected(pairs) and pairs["conventions"].get("correction") != "tukey":
        title += _ALONE
    words = [f"{gap.full} {signed(gap.value)}, p {gap.p}" for gap in gaps]
    chart = gap_bars(
        title,
        "; ".join(words),
        gaps,
        f"{measure} minus that of {shown}",
        f"{key}-g",
        behind="adjusted p" if record_tables.is_corrected(pairs) else "p",
        words=("better", "worse") if section["measures"][0]["best"] else ("higher", "lower"),
    )
    return element("figure", _caption(title, section, f"{key}-gaps-said"), chart, id=f"{key}-gaps")


def _caption(title: str, section: Mapping[str, Any], key: str) -> str:
    more = f"; the {_DRAWN} best of {len(section['systems'])}" if len(section["systems"]) > _DRAWN + 1 else ""
    return element("figcaption", escaped(title + more), id=key)


def _from(section: Mapping[str, Any], other: int) -> Iterator[Gap]:
    """How each system that was compared with this one differs from it by the first measure."""
    pairs, shown = section["pairs"], names(section)
    direction = section["measures"][0]["best"] or 1
    columns = zip(*(numbers(pairs[name]).tolist() for name in record_tables.PAIR), strict=True)
    whole = zip(pairs["a"], pairs["b"], pairs["measure"], columns, pairs["significant"], strict=True)
    known = {}
    for a, b, place, (difference, low, high, _, adjusted), sure in whole:
        if place == 0 and other in (a, b):
            i, sign = (a, 1.0) if b == other else (b, -1.0)
            ends = (low, high) if sign > 0 else (-high, -low)
            gain = sign * difference * direction > 0
            known[i] = Gap(
                shown[i],
                section["systems"][i],
                sign * difference + 0.0,
                *ends,
                p_text(adjusted),
                bool(sure),
                gain,
            )
    return (known[i] for i in sorted(known))


def _means(section: Mapping[str, Any], key: str) -> str:
    """The averages of the first measure as dots."""
    measure, shown, full = (
        section["measures"][0]["name"],
        names(section)[:_DRAWN],
        section["systems"][:_DRAWN],
    )
    interval, letters = section["interval"], _letters(section)
    none = [[nan]] * len(shown)
    columns = [section["mean"], *(interval[end] if interval else none for end in ("low", "high"))]
    values = [
        (as_float(mean[0]), as_float(low[0]), as_float(high[0]))
        for mean, low, high in zip(*columns, strict=False)
    ]
    values = values[: len(shown)]
    means = [mean for mean, *_ in values]
    described = [f"{name} {number(mean)}" for name, mean in zip(full, means, strict=True)]
    title, notes = f"{measure} of the systems", letters[0][: len(shown)] if letters else ()
    chart = dots(title, "; ".join(described), shown, values, measure, notes, key=f"{key}-m", full=full)
    caption = _caption(
        f"{measure}: averages" + (f" with {percent(interval['level'])} intervals" if interval else ""),
        section,
        f"{key}-dots-said",
    )
    return element("figure", caption, chart, id=f"{key}-dots")


def _eleven(section: Mapping[str, Any], key: str) -> str:
    """The 11-point curves of the systems that are compared first."""
    eleven = section["hits"]["eleven"]
    chosen: Sequence[int] = range(len(eleven))
    if len(eleven) > _CURVES:
        chosen = (section["compared"] or chosen)[:_CURVES]
    lines, shown = [], names(section)
    for i in chosen:
        mean, *ends = (numbers(eleven[i][name]) for name in ("mean", "low", "high"))
        if np.isfinite(mean).all():
            # Drawn as far as the chart goes; the record has the whole interval. Without any there is the mean alone.
            low, high = (np.clip(np.where(np.isfinite(end), end, mean), 0.0, 1.0).tolist() for end in ends)
            band = (TENTHS, low, high) if np.isfinite(ends).any() else ()
            lines.append(Line(shown[i], TENTHS, mean.tolist(), i, band=band))
    caption = "Precision over recall: interpolated at recall 0, .1, ..., 1, means over topics; "
    caption += "bands are t intervals, level by level"
    title = "Precision over recall, 11 points"
    return figure(caption, line_chart(title, caption, "recall", "interpolated precision", lines, key=key))


def _letters(section: Mapping[str, Any]) -> list[list[str]]:
    letters = section.get("pairs", {}).get("letters", [])
    return letters if letters and all(letters) else []


def comparisons(section: Mapping[str, Any], key: str) -> str:
    """The tables of comparisons, if there are any."""
    pairs = section.get("pairs")
    if not pairs:
        return ""
    best, tables, shown = section["compared"][0], [], {**section, "systems": names(section)}
    for i, block in record_tables.pairs_of_systems(shown, "\u2212").items():
        caption, every = f"Differences in {pairs['compared'][i]}", len(block.lines)
        if every > _LISTED:
            rows = [row for row, measure in enumerate(pairs["measure"]) if measure == i]
            chosen = [best in (pairs["a"][row], pairs["b"][row]) for row in rows]
            block = replace(block, lines=tuple(compress(block.lines, chosen)))
            caption += f": the {many(len(block.lines), 'pair')} of {shown['systems'][best]}; "
            caption += f"all {every} are in the record of this page"
        tables.append(block_table(block, caption, f"{key}-pairs{i}", sortable=True))
    count, of = len(pairs["a"]), len(pairs["compared"])
    by = f", {many(of, 'measure')}" if of > 1 else ""
    title = element("summary", escaped(f"{many(count // of, 'pair')} of systems{by}"))
    note = element("p", escaped(f"* significant. {signature(pairs['conventions'])}"), class_="note")
    return element("details", title, note, *tables, open="" if count <= 12 else None)
