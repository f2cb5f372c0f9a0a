"""Systems measured by topics, from a record to HTML: their differences, averages and
comparisons.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import compress
from math import nan
from typing import Any

import numpy as np

from precall.core.conventions import signature
from precall.core.notes.of_comparisons import StarOfSignificance
from precall.core.text import format_difference, many, number, percent
from precall.measures.areas import TENTHS
from precall.page import tables
from precall.page.charts import ChartLine, dots, line_chart
from precall.page.differences import Gap, gap_bars
from precall.page.sections import Systems
from precall.page.templates import Cell, Markup, macros
from precall.plot.shared.styles import shared
from precall.stats.tests.comparisons import p_text

#: Charts show at most this many systems, the best ones; the table shows all.
_DRAWN = 30
#: With more systems, only the curves of the two compared systems are drawn.
_CURVES = 4
#: Remark on intervals beside p.
_ALONE = "; intervals are of each pair by itself, p is adjusted for all"
#: Beyond this many pairs of a measure, only those of the best system are listed.
_LISTED = 120


def summary(section: Systems, key: str) -> Markup:
    """By a measure: the distance of the systems from the best or the baseline, and their averages;
    then the table of all.
    """
    eleven = section.hits is not None and section.hits.eleven
    hints = {measure.name: measure.summary for measure in section.measures if measure.summary}
    markup: Markup = macros("systems.html").summary(
        key,
        [measure.name for measure in section.measures],
        _gaps(section, key),
        _means(section, key),
        _eleven_points(section, f"{key}-eleven") if eleven else None,
        _left_out(section),
        _averages(section, key, hints),
        hints,
    )
    return markup


def _left_out(section: Systems) -> str:
    """The parts that were left out of the names, if any."""
    head, tail = shared(section.systems)
    parts = [f"begin with {head}"] * bool(head) + [f"end with {tail}"] * bool(tail)
    return f"All names of systems {' and '.join(parts)}; that is left out here." if parts else ""


def _averages(section: Systems, key: str, hints: dict[str, str]) -> dict[str, Any]:
    """The table of systems and measures, with letters in columns of their own."""
    interval = section.interval
    block, letters = tables.averages(section), section.letters
    bounds = f", with {percent(interval.level)} intervals ({interval.method})" if interval else ""
    topics = section.words.word("topics")
    caption = f"Averages over {topics}{bounds}."
    if any(block.leaders()):
        caption += " The best of a column is bold."
    if letters:
        caption += " Systems that share a letter do not differ significantly."
    heading, rows = list(block.heading), []
    for i, (name, full, (_, *cells)) in enumerate(
        zip(section.shown, section.systems, tables.cells_of(block), strict=True)
    ):
        # From the right, because each new column moves those after it.
        for index in range(len(letters), 0, -1):
            cells.insert(index, Cell(letters[index - 1][i], "letters"))
        rows.append([Cell(name, title=full if full != name else ""), *cells])
    for index in range(len(letters), 0, -1):
        heading.insert(index + 1, "letters")
    # A long table scrolls, so that the next parts stay near.
    return {
        "heading": heading,
        "rows": rows,
        "caption": caption,
        "key": f"{key}-means",
        "sortable": True,
        "tall": len(rows) > _DRAWN,
        "hints": hints,
    }


def _gaps(section: Systems, key: str) -> dict[str, Any] | None:
    """The distance of the others from the best, or of all from the baseline, by the first
    measure.
    """
    pairs = section.pairs
    if pairs is None or not section.comparable:
        return None
    other, base, measure = pairs.against[0], pairs.baseline, pairs.compared[0]
    gaps = list(_from(section, other))[:_DRAWN]
    if not gaps:
        return None
    shown = section.shown[other]
    title = f"{measure}: difference from {shown}" + (", the baseline" if base else ", the best")
    # Significance goes by the corrected p, so a bar can be pale although its interval excludes 0.
    if pairs.has_corrections and pairs.conventions.get("correction") != "tukey":
        title += _ALONE
    words = [f"{gap.full} {format_difference(gap.value)}, p {gap.p}" for gap in gaps]
    chart = gap_bars(
        title,
        "; ".join(words),
        gaps,
        f"{measure} minus that of {shown}",
        f"{key}-g",
        behind="adjusted p" if pairs.has_corrections else "p",
        words=("better", "worse") if section.measures[0].best else ("higher", "lower"),
    )
    return _draw(section, f"{key}-gaps", f"{key}-gaps-said", title, chart)


def _draw(section: Systems, id_: str, said: str, caption: str, chart: Markup) -> dict[str, Any]:
    more = (
        f"; the {_DRAWN} best of {len(section.systems)}"
        if len(section.systems) > _DRAWN + 1
        else ""
    )
    return {"id": id_, "said": said, "caption": caption + more, "chart": chart}


def _from(section: Systems, other: int) -> Iterator[Gap]:
    """The difference of each system that was compared with this one, by the first measure."""
    shown, direction, gaps = section.shown, section.measures[0].best or 1, {}
    for pair in section.pairs.rows if section.pairs is not None else ():
        if pair.measure == 0 and other in (pair.a, pair.b):
            i, sign = (pair.a, 1.0) if pair.b == other else (pair.b, -1.0)
            ends = (pair.low, pair.high) if sign > 0 else (-pair.high, -pair.low)
            value, p = sign * pair.difference + 0.0, p_text(pair.adjusted)
            gaps[i] = Gap(
                shown[i],
                section.systems[i],
                value,
                *ends,
                p,
                pair.significant,
                value * direction > 0,
            )
    return (gaps[i] for i in sorted(gaps))


def _means(section: Systems, key: str) -> dict[str, Any]:
    """The averages of the first measure as dots."""
    measure, shown, full = (
        section.measures[0].name,
        section.shown[:_DRAWN],
        section.systems[:_DRAWN],
    )
    interval, letters = section.interval, section.letters
    low, high = (
        (interval.low, interval.high)
        if interval is not None
        else ([[nan]] * len(section.systems),) * 2
    )
    values = [
        (float(mean[0]), low[0], high[0])
        for mean, low, high in zip(section.mean[: len(shown)], low, high, strict=False)
    ]
    means = [mean for mean, *_ in values]
    described = [f"{name} {number(mean)}" for name, mean in zip(full, means, strict=True)]
    title, notes = f"{measure} of the systems", letters[0][: len(shown)] if letters else ()
    chart = dots(
        title, "; ".join(described), shown, values, measure, notes, key=f"{key}-m", full=full
    )
    caption = f"{measure}: averages" + (
        f" with {percent(interval.level)} intervals" if interval else ""
    )
    return _draw(section, f"{key}-dots", f"{key}-dots-said", caption, chart)


def _eleven_points(section: Systems, key: str) -> dict[str, Any]:
    """The 11-point curves of the systems that are compared first."""
    eleven = section.hits.eleven if section.hits is not None else []
    chosen: Sequence[int] = range(len(eleven))
    if len(eleven) > _CURVES:
        chosen = section.compared[:_CURVES]
    lines, shown = [], section.shown
    for i in chosen:
        mean, *ends = eleven[i].mean, eleven[i].low, eleven[i].high
        if np.isfinite(mean).all():
            # The band is drawn as far as the chart goes; the record has the whole interval. Without
            # intervals, only the mean is drawn.
            low, high = (
                np.clip(np.where(np.isfinite(end), end, mean), 0.0, 1.0).tolist() for end in ends
            )
            band = (TENTHS, low, high) if np.isfinite(ends).any() else ()
            lines.append(ChartLine(shown[i], TENTHS, mean.tolist(), i, band=band))
    topics = section.words.word("topics")
    caption = f"Precision over recall: interpolated at recall 0, .1, ..., 1, means over {topics}; "
    caption += "bands are t intervals, level by level"
    title = "Precision over recall, 11 points"
    chart = line_chart(title, caption, "recall", "interpolated precision", lines, key=key)
    return {"caption": caption, "body": chart}


def comparisons(section: Systems, key: str) -> str:
    """The tables of comparisons, if there are any."""
    pairs = section.pairs
    if pairs is None:
        return ""
    best, tables_shown, shown = section.compared[0], [], section.shown
    most = 1 - float(pairs.conventions["level"]) if "level" in pairs.conventions else None
    star = StarOfSignificance("", pairs.has_corrections, most)
    for i, block in tables.pairs_of_systems(section, shown, "\u2212").items():
        caption, every = f"Differences in {pairs.compared[i]}", len(block.lines)
        if every > _LISTED:
            chosen = [best in (pair.a, pair.b) for pair in pairs.rows if pair.measure == i]
            block = replace(block, lines=tuple(compress(block.lines, chosen)))
            caption += f": the {many(len(block.lines), 'pair')} of {shown[best]}; "
            caption += f"all {every} are in the record of this page"
        if any(pair.significant for pair in pairs.rows if pair.measure == i):
            caption += f". {star}"
        tables_shown.append(tables.show(block, caption, f"{key}-pairs{i}", sortable=True))
    count, of = len(pairs.a), len(pairs.compared)
    by = f", {many(of, 'measure')}" if of > 1 else ""
    title = f"{many(count // of, 'pair')} of systems{by}"
    markup: Markup = macros("systems.html").comparisons(
        title, signature(pairs.conventions), tables_shown, count <= 12
    )
    return markup
