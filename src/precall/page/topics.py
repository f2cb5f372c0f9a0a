"""Topics of systems, from a record to HTML: which system won each, all values, and positions of
hits.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from precall.core.ragged import Float64
from precall.core.text import format_difference, number
from precall.page.charts import DEPTH, strips
from precall.page.differences import topic_bars
from precall.page.sections import Marks, SectionHits, Systems
from precall.page.templates import Cell, Markup, macros
from precall.stats.tests.pairing import differences

#: Columns of systems in the table of topics; with more systems, the two compared ones are shown.
COLUMNS = 6
#: Topics whose strips are visible without a script: the greatest losses, and the greatest gain.
_STRIPS = 3
#: Number of topics named as the greatest gains and losses.
_NAMED = 5


def topics(section: Systems, key: str) -> Markup:
    """Everything about single topics; with one system, only the table."""
    markup: Markup = Markup()
    if not section.topics:
        return markup
    difference, parts = _differences(section), macros("systems.html")
    order = sorted_topics(section, difference)
    if difference is not None:
        markup += parts.compared(key, *_chart(section, difference, order, key))
    if section.hits is not None:
        markup += parts.hits(key, *_strips(section, section.hits, difference, order, key))
    return markup + Markup(
        parts.topics(
            key,
            section.words.count(len(order), "topic"),
            _table(section, difference, order, key),
            section.words,
        )
    )


def _differences(section: Systems) -> Float64 | None:
    """By the first measure, the better system minus the other, per topic; None if there is only one
    system.
    """
    if len(section.compared) < 2:
        return None
    first, second = section.compared
    columns = section.values[0]
    return differences(columns[first], columns[second])


def sorted_topics(section: Systems, difference: Float64 | None) -> list[int]:
    """Topics in the order of the table: the greatest losses first, undefined ones last."""
    direction = section.measures[0].best or 1
    values = section.values[0][section.compared[0]] if difference is None else difference
    keys = np.where(np.isnan(values), np.inf, direction * values)
    order: list[int] = np.argsort(keys, kind="stable").tolist()
    return order


def _chart(section: Systems, difference: Float64, order: list[int], key: str) -> tuple[Any, ...]:
    """The choice of measure and systems, the bars of two systems with their legend, and a text
    about the greatest differences.
    """
    first, second = (section.shown[index] for index in section.compared)
    measure = section.measures[0]
    # As in the plots, the greatest gain comes first.
    defined = [topic for topic in reversed(order) if difference[topic] == difference[topic]]
    values = difference[defined].tolist()
    counts = [
        sum(value > 0 for value in values),
        sum(value < 0 for value in values),
        values.count(0.0),
    ]
    words = section.words
    size, title = words.count(len(values), "topic"), f"{first} minus {second} in {measure.name}"
    bars = topic_bars(
        f"{title}, by {words.word('topic')}",
        f"{size}, a bar each, sorted.",
        values,
        f"{measure.name}, difference",
        f"{size}, the greatest gain first",
        f"{key}-d",
    )
    extremes = (
        f"{first} is higher in {words.count(counts[0], 'topic')}",
        f"{second} in {counts[1]}",
        f"equal in {counts[2]}",
    )
    names = [measure.name for measure in section.measures]
    return (
        names,
        section.shown,
        *section.compared,
        title,
        extremes,
        bars,
        _extremes(section, values, defined),
        words.word("topic"),
    )


def _extremes(section: Systems, values: list[float], known: list[int]) -> str:
    """The topics of the greatest gains and losses, as text."""
    better = section.measures[0].best or 1
    listed = [
        (f"{section.topics[topic]} {format_difference(value)}", value * better)
        for topic, value in zip(known, values, strict=True)
    ]
    gains = [text for text, gain in listed if gain > 0][:_NAMED]
    losses = [text for text, gain in reversed(listed) if gain < 0][:_NAMED]
    parts = [f"Greatest gains: {', '.join(gains)}."] * bool(gains) + [
        f"Greatest losses: {', '.join(losses)}."
    ] * bool(losses)
    return " ".join(parts)


def _table(
    section: Systems, difference: Float64 | None, order: list[int], key: str
) -> dict[str, Any]:
    measure, hits = section.measures[0], section.hits
    columns = list(range(len(section.systems)))
    if len(columns) > COLUMNS:
        columns = section.compared
    values = [section.values[0][i].tolist() for i in columns]
    shown = section.shown
    noun = section.words.word("topic")
    heading = [noun, *(shown[i] for i in columns)]
    heading += ["difference"] * (difference is not None) + ["relevant"] * (hits is not None)
    rows = []
    for topic in order:
        row = [Cell(section.topics[topic]), *(Cell(number(column[topic])) for column in values)]
        if difference is not None:
            value = float(difference[topic])
            better = value * (measure.best or 1)
            kind = "gain" if better > 0 else "loss" if better < 0 else ""
            row.append(Cell(format_difference(value) if value == value else "undef", kind))
        if hits is not None:
            row.append(Cell(str(hits.relevant[topic])))
        rows.append(row)
    caption = f"{measure.name} by {noun}" + ", the greatest losses first" * (difference is not None)
    hints = dict(zip(shown, section.systems, strict=True))
    return {
        "heading": heading,
        "rows": rows,
        "caption": caption,
        "key": f"{key}-topics",
        "sortable": True,
        "tall": True,
        "hints": hints,
    }


def _strips(
    section: Systems, hits: SectionHits, difference: Float64 | None, order: list[int], key: str
) -> tuple[str, Markup]:
    """An explanation of strips, and those of some topics."""
    # With many systems, a strip is tall and takes many bytes.
    chosen = order[: _STRIPS if len(section.systems) <= COLUMNS else 1]
    caption = (
        f"Each bar is a ranking, its first {DEPTH} ranks from left to right, "
        "each mark a relevant item. At the right: relevant items found, of those that exist."
    )
    if difference is not None:
        topics_word = section.words.word("topics")
        caption += f" Shown are the {topics_word} of the greatest losses and the greatest gain."
        last = [topic for topic in order if difference[topic] == difference[topic]][-1:]
        chosen = chosen + [
            topic for topic in last if topic not in chosen and order[-1] not in chosen
        ]
    shown = []
    for i, topic in enumerate(chosen):
        relevant = hits.relevant[topic]
        rows = [
            (name, ranks_in(marks, topic), f"{marks.found[topic]}/{relevant}")
            for name, marks in zip(section.shown, hits.systems, strict=True)
        ]
        shown.append(
            strips(section.topics[topic], rows, f"{key}-h{i}", section.words.word("topic"))
        )
    return caption, Markup().join(shown)


def ranks_in(hits: Marks, topic: int) -> list[int]:
    """The ranks of one topic's hits, decoded from the marks.

    Examples
    --------
    >>> ranks_in(Marks(marks="AAAAAAAAoAAAAAAA", found=[0, 2]), 1)
    [1, 3]
    """
    packed = hits.bits[6 * topic : 6 * topic + 6]
    ranks: list[int] = (np.flatnonzero(np.unpackbits(np.frombuffer(packed, np.uint8))) + 1).tolist()
    return ranks
