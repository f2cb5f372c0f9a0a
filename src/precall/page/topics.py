"""Topics of a record to HTML: the chart of differences, the table, and strips of where the hits are."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from precall.drawing import looks
from precall.drawing.looks import short
from precall.page.bars import DifferenceBars
from precall.page.html_tables import Cell, table
from precall.page.markup import element, escaped, label, named, picture, place, stroke
from precall.page.record import numbers
from precall.page.strips import DEPTH, ranks_in
from precall.results import number
from precall.text import many

#: Columns of systems in the table of topics; of more systems the two compared are shown.
COLUMNS = 6
#: Topics whose strips show without a script: the greatest losses, and the greatest gain.
_STRIPS = 3


def topics(section: Mapping[str, Any], key: str) -> str:
    """Everything about single topics; of one system the table alone."""
    names = section["topics"]
    if not names:
        return ""
    difference = differences(section)
    order = sorted_topics(section, difference)
    parts = []
    if difference is not None:
        parts += [_choices(section, key), _chart(section, difference, order, key)]
    if section.get("hits"):
        parts.append(_strips(section, difference, order, key))
    parts.append(_filter(key, len(names)))
    parts.append(_table(section, difference, order, key))
    return "".join(parts)


def differences(section: Mapping[str, Any]) -> Any:
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
    return [
        int(one) for one in np.argsort(np.where(np.isnan(values), np.inf, direction * values), kind="stable")
    ]


def _choices(section: Mapping[str, Any], key: str) -> str:
    """Which measure and systems are compared; hidden until there is a script."""

    def select(name: str, title: str, options: Sequence[str], chosen: int) -> str:
        listed = [
            element("option", named(one), value=i, selected="" if i == chosen else None)
            for i, one in enumerate(options)
        ]
        box = element("select", *listed, id=f"{key}-{name}")
        return element("label", f"{title} ", box)

    first, second = section["compared"]
    measures = [one["name"] for one in section["measures"]]
    return element(
        "div", select("measure", "Measure", measures, 0), select("first", "System", section["systems"], first),
        select("second", "less", section["systems"], second), class_="controls scripted", hidden="",
    )  # fmt: skip


def _chart(section: Mapping[str, Any], difference: Any, order: list[int], key: str) -> str:
    first, second = (section["systems"][one] for one in section["compared"])
    measure = section["measures"][0]["name"]
    known = [one for one in order if difference[one] == difference[one]]
    values = [float(difference[one]) for one in known]
    above, below = sum(one > 0 for one in values), sum(one < 0 for one in values)
    tail = f"{first} is higher in {many(above, 'topic')}, lower in {below}, equal in {len(values) - above - below}."
    bars = DifferenceBars(
        f"{measure} by topic: {first} less {second}", f"{many(len(values), 'topic')}, a bar each, sorted. {tail}",
        values, f"{measure}, difference", f"{many(len(values), 'topic')}, sorted",
    )  # fmt: skip
    caption = element("figcaption", escaped(f"{first} less {second} in {measure}. {tail}"), id=f"{key}-said")
    hover = element("output", " ", id=f"{key}-hover", class_="scripted", hidden="")
    box = element(
        "div",
        bars.svg(f"{key}-d"),
        class_="wide",
        tabindex=0,
        role="group",
        aria_label="Differences by topic",
    )
    return element("figure", caption, box, hover, id=f"{key}-bars")


def _filter(key: str, count: int) -> str:
    shown = element("output", many(count, "topic"), id=f"{key}-count")
    box = element("input", id=f"{key}-filter", type="search", autocomplete="off")
    return element(
        "div", element("label", "Topics that contain ", box), shown, class_="controls scripted", hidden=""
    )


def _table(section: Mapping[str, Any], difference: Any, order: list[int], key: str) -> str:
    measure, hits = section["measures"][0], section.get("hits") or {}
    columns = list(range(len(section["systems"])))
    if len(columns) > COLUMNS:
        columns = section["compared"]
    values = [numbers(section["values"][0][i]).tolist() for i in columns]
    heading = ["topic", *(section["systems"][i] for i in columns)]
    if difference is not None:
        heading.append("difference")
    if hits:
        heading.append("relevant")
    rows = []
    for topic in order:
        row = [Cell(section["topics"][topic]), *(Cell(number(column[topic])) for column in values)]
        if difference is not None:
            value = float(difference[topic])
            sign = int(np.sign(value)) * (measure["best"] or 1) if value == value else 0
            row.append(Cell(f"{value:+.4f}" if value == value else "undef", sign=sign))
        if hits:
            row.append(Cell(str(hits["relevant"][topic])))
        rows.append(row)
    caption = f"{measure['name']} by topic"
    return table(heading, rows, caption, f"{key}-topics", sortable=True, tall=True)


def _strips(section: Mapping[str, Any], difference: Any, order: list[int], key: str) -> str:
    # Of many systems a strip is tall, and long in bytes.
    chosen = order[: _STRIPS if len(section["systems"]) <= COLUMNS else 1]
    if difference is not None and order[-1] not in chosen:
        known = [one for one in order if difference[one] == difference[one]]
        chosen = [*chosen, *known[-1:]] if known and known[-1] not in chosen else chosen
    figures = [strips(section, topic, f"{key}-h{i}") for i, topic in enumerate(chosen)]
    caption = (
        f"Each bar is a ranking, its first {DEPTH} ranks from left to right, "
        "each mark a relevant item. At the right: relevant items found, of those that exist."
    )
    if difference is not None:
        caption += " Shown are the topics of the greatest losses and the greatest gain."
    chart = element(
        "figure", element("figcaption", escaped(caption)), element("div", *figures, class_="strips")
    )
    live = element("div", id=f"{key}-chosen", class_="strips chosen scripted", hidden="", aria_live="polite")
    return element("h3", "Where the hits are") + chart + live


def strips(section: Mapping[str, Any], topic: int, key: str) -> str:
    """The rankings of one topic, a bar for each system."""
    hits, systems = section["hits"], section["systems"]
    left, pitch, height, wide = 96.0, 15.0, 9.0, 4.0
    name = section["topics"][topic]
    body = [label(0, 12, short(f"topic {name}", 40), font_weight="600")]
    told = []
    for i, system in enumerate(systems):
        y = 20 + pitch * i
        one = hits["systems"][i]
        ranks = ranks_in(one["marks"], topic)
        body.append(label(left - 6, y + 8.5, short(system, 14), "end"))
        body.append(
            element("rect", x=left, y=y, width=wide * DEPTH, height=height, class_="ground", fill=looks.FAINT,
                    fill_opacity="0.45")
        )  # fmt: skip
        if ranks:
            marks = "".join(
                f"M{place(left + wide * (first - 1))} {place(y + height / 2)}h{wide * length:g}"
                for first, length in runs_of(ranks)
            )
            body.append(element("path", d=marks, stroke_width=f"{height:g}", **stroke(0)))
        body.append(
            label(left + wide * DEPTH + 6, y + 8.5, f"{one['found'][topic]}/{hits['relevant'][topic]}")
        )
        told.append(f"{system}: {', '.join(map(str, ranks)) or 'none'}")
    title = f"Hits of topic {name} in the first {DEPTH} ranks"
    return picture(
        body, 336, 24 + pitch * len(systems), title, "Ranks of hits. " + "; ".join(told) + ".", key
    )


def runs_of(ranks: Sequence[int]) -> list[tuple[int, int]]:
    """Neighbouring ranks together: the first of them, and how many there are.

    Examples
    --------
    >>> runs_of([1, 2, 5])
    [(1, 2), (5, 1)]
    """
    runs: list[tuple[int, int]] = []
    for rank in ranks:
        if runs and sum(runs[-1]) == rank:
            runs[-1] = (runs[-1][0], runs[-1][1] + 1)
        else:
            runs.append((rank, 1))
    return runs
