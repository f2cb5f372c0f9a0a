"""What a judge labelled, on a page: the section of a result, and its charts."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence

import numpy as np

from precall.core.text import percent
from precall.judges.results import Judged, JudgedValue
from precall.page.axes import Scale, below_rows, room
from precall.page.charts import LETTER, WIDE, name_of
from precall.page.markup import element, fill, label, picture, place, stroke
from precall.page.sections import Labelled, SectionPart, Tables
from precall.page.tables import tables_of, without_marks
from precall.page.templates import Markup
from precall.plot.shared import styles
from precall.results.sentence import Sentence

#: Pixels between systems, and between the three values of one.
_PITCH, _APART = 42.0, 10.0
#: What is drawn of each system, from the top.
_KINDS = ("corrected", "people alone", "judge alone")


def labelled_of(found: Judged | JudgedValue) -> list[Labelled]:
    """What charts show of a result: by measure, the values of all systems, the best first."""
    if isinstance(found, JudgedValue):
        return [_labelled({"mean": found})]
    return [
        _labelled({run: found.values[run, measure] for run in found.runs})
        for measure in found.measures
    ]


def _labelled(values: dict[str, JudgedValue]) -> Labelled:
    order = sorted(values, key=lambda name: -values[name].estimate)
    rows = []
    for name in order:
        value = values[name]
        alone = value.people_alone
        people = (math.nan,) * 3 if alone is None else (alone.estimate, *alone.ends)
        rows.append((value.estimate, *value.ends, *people, value.judge_alone))
    columns = np.array(rows, np.float64).T
    first = values[order[0]]
    return Labelled(
        measure=first.measure,
        level=first.level,
        systems=order,
        corrected=columns[0],
        low=columns[1],
        high=columns[2],
        people=columns[3],
        people_low=columns[4],
        people_high=columns[5],
        judge=columns[6],
    )


def section_of_judged(found: Judged | JudgedValue) -> SectionPart[Tables]:
    """The section of what `judge` returned."""
    sheet = found.sheet()
    section = Tables(
        title="Evaluation with a judge",
        blocks=tables_of(sheet),
        labelled=labelled_of(found),
        signature=sheet.signature,
        conventions=dict(sheet.conventions),
    )
    headline = [Sentence(line) for line in sheet.verdict.split("\n") if line]
    return SectionPart(section, headline, without_marks(sheet))


def chart_of(labelled: Labelled, *, key: str) -> Markup:
    """For each system its corrected value, people's alone and the judge's alone.

    Parameters
    ----------
    labelled : the values.
    key : begins the ids inside.

    Examples
    --------
    >>> from precall import judge
    >>> found = judge.values([1, 0, 0, 1, None] * 10, [0.9, 0.6, 0.2, 0.4, 0.5] * 10)
    >>> chart = chart_of(labelled_of(found)[0], key="j")
    >>> chart.count("<circle"), chart.count("judge alone")
    (4, 2)
    """
    systems = labelled.systems
    left = min(max(84.0, WIDE * max(map(len, systems)) + 16), 220.0)
    width = left + 320.0
    bottom = 8 + _PITCH * len(systems)
    columns = (
        (labelled.corrected, labelled.low, labelled.high),
        (labelled.people, labelled.people_low, labelled.people_high),
        (labelled.judge, np.full(len(systems), np.nan), np.full(len(systems), np.nan)),
    )
    every = [value for triple in columns for column in triple for value in column.tolist()]
    scale = Scale(*room([value for value in every if math.isfinite(value)], 0.06), left, width - 14)
    across = f"{labelled.measure}, {percent(labelled.level)} intervals"
    body: list[str] = [*below_rows(scale, 8, bottom, across, 5)]
    for row, name in enumerate(systems):
        middle = 8 + _PITCH * (row + 0.5)
        body.append(name_of(name, int((left - 8) / WIDE), left - 8, middle + 4, "end"))
        for kind, (value, low, high) in enumerate(columns):
            y = middle + _APART * (kind - 1)
            body += _mark(scale, y, (value[row], low[row], high[row]), kind)
    body += _legend(left, bottom + 48)
    title = f"{labelled.measure} by people and by the judge"
    description = (
        "Three values for each system: corrected with its interval, people's labels alone with "
        "theirs, and the judge alone; the table has them as numbers."
    )
    return picture(body, width, bottom + 56, title, description, key)


def _mark(scale: Scale, y: float, numbers: Sequence[float], kind: int) -> Iterator[str]:
    """A value with its bounds; NaN omits what it is."""
    value, low, high = map(float, numbers)
    if math.isfinite(low) and math.isfinite(high):
        path = f"M{place(scale(low))} {place(y)}H{place(scale(high))}"
        yield element("path", d=path, **_line(kind), stroke_width="1.6")
    if math.isfinite(value):
        yield _sign(scale(value), y, kind)


def _line(kind: int) -> dict[str, object]:
    if kind == 0:
        return stroke(0)
    return {"class_": "guide", "stroke": styles.GUIDE}


def _sign(x: float, y: float, kind: int) -> Markup:
    """The sign of a kind of value at a place."""
    if kind == 0:
        return element("circle", cx=x, cy=y, r="3.6", **fill(0))
    if kind == 1:
        return element("circle", cx=x, cy=y, r="3.2", fill="none", stroke_width="1.4", **_line(1))
    path = f"M{place(x)} {place(y - 4)}l4 4l-4 4l-4 -4z"
    return element("path", d=path, **fill(1))


def _legend(left: float, y: float) -> Iterator[str]:
    x = left
    for kind, words in enumerate(_KINDS):
        yield _sign(x + 5, y - 4, kind)
        yield label(x + 14, y, words)
        x += 28 + LETTER * len(words)
