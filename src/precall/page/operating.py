"""Curves of a record as HTML: their charts, the tables of measures and differences, and the choice
of a threshold.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, ClassVar

import numpy as np

from precall.cases import Curve
from precall.cases.thinning import part
from precall.core.notes import Note
from precall.core.notes.of_comparisons import StarOfSignificance
from precall.core.notes.of_pages import BandsShown, ChartsOfSome, PointsLeftOut
from precall.core.text import number, percent
from precall.page import tables
from precall.page.axes import Scale, room
from precall.page.charts import ChartLine, line_chart
from precall.page.sections import CurvesSection, Scored
from precall.page.templates import Markup, macros
from precall.page.threshold import slider
from precall.plot.shared import logit, shapes
from precall.stats.intervals.interval import LEAST, MAX_F

#: Greatest number of charts against the threshold, one per system.
AGAINST = 4
#: More bands than this would hide each other; then only the band of the chosen score is visible.
_TINTED = 3
#: Columns of operating points: the page's names → the measures of counts.
_COLUMNS = {"precision": "P", "recall": "R", "F": "F", "rate": "Fallout"}
#: Legend of the point that moves.
_CHOSEN = "threshold chosen"
#: Charts of all scores: title, the measure in the legend, the horizontal axis, and the columns of
#: the point that moves.
_CURVES = {
    "pr": ("Precision over recall", "AP", "recall", ("recall", "precision")),
    "roc": (
        "Recall over false positive rate (ROC)",
        "AUC",
        "false positive rate",
        ("rate", "recall"),
    ),
}


@dataclass(frozen=True, slots=True)
class Logit(Scale):
    """A scale from shares to pixels, linear in log(p / (1 - p)); see `drawing.logit`.

    Examples
    --------
    >>> round(Logit(0.01, 0.99, 0.0, 200.0)(0.5), 9)
    100.0
    """

    kind: ClassVar[str | None] = "logit"

    def __call__(self, value: float) -> float:
        """The position of a share."""
        low, high, here = (
            logit.place(at, self.low, self.high) for at in (self.low, self.high, value)
        )
        return self.start + (here - low) / (high - low) * (self.end - self.start)

    def marks(self) -> list[tuple[float, str]]:
        """Ticks with their labels."""
        return logit.ticks(self.low, self.high)


def measures(section: CurvesSection, key: str) -> dict[str, Any]:
    """The table of scores and measures."""
    every = [interval for system in section.systems for interval in system.intervals.values()]
    caption = "Measures of the scores. The best is bold."
    caption += f" In brackets {percent(every[0].level)} intervals." if every else ""
    block = tables.scores(section)
    if MAX_F in block.heading:
        caption += " The threshold of max F was chosen on these cases, so max F is too high; "
        caption += f"{MAX_F} is what to expect."
    return tables.show(block, caption, f"{key}-measures", sortable=True)


def pairs(section: CurvesSection, key: str) -> list[dict[str, Any]]:
    """The tables of differences between two scores; empty if none were compared."""
    differences = section.pairs
    caption = "Differences of two scores of the same cases"
    correction = differences[0].correction if differences else "none"
    if stars := [pair for pair in differences if pair.significant]:
        caption += f". {StarOfSignificance('', correction != 'none', 1 - stars[0].level)}"
    if len({pair.names for pair in differences}) > 1:
        caption += f". Correction {correction}, of the pairs of one measure; "
        caption += "intervals are of each pair by itself"
    blocks = tables.pairs_of_scores(section)
    return [tables.show(block, f"{caption}.", f"{key}-pairs", sortable=True) for block in blocks]


def curves(section: CurvesSection, key: str) -> Markup:
    """The choice of a threshold; precision-recall, ROC, and precision, recall and F against the
    threshold; notes.
    """
    systems = section.systems
    charts = [_over_systems(section, kind, f"{key}-{kind}") for kind in _CURVES]
    first = section.first
    chosen = sorted([first, *(i for i in range(len(systems)) if i != first)][:AGAINST])
    against = [_against(section, i, f"{key}-t{i}") for i in chosen]
    notes: list[Note] = [*_notes_of_bands(systems), *_tell_left_out(systems)]
    if len(systems) > AGAINST:
        notes.append(ChartsOfSome("", tuple(systems[i].name for i in chosen), len(systems)))
    markup: Markup = macros("curves.html").curves(key, slider(section, key), charts, against, notes)
    return markup


def _tell_left_out(systems: Sequence[Scored]) -> list[Note]:
    """Notes about the operating points that the page leaves out, and their possible effect."""
    fewer = [system for system in systems if system.points.bound]
    if not fewer:
        return []
    kept = tuple(len(system.points.tp) for system in fewer)
    total = tuple(system.points.thresholds + 1 for system in fewer)
    bound = max(system.points.bound for system in fewer)
    return [PointsLeftOut("", tuple(system.name for system in fewer), kept, total, bound)]


def points(curve: Curve) -> dict[str, Any]:
    """Columns of the operating points; precision is NaN if nothing is accepted."""
    columns = {name: curve.values(measure) for name, measure in _COLUMNS.items()}
    return {**columns, "threshold": curve.threshold}


def _points_to_draw(section: CurvesSection, place: int) -> Curve:
    """The points for precision-recall and ROC: those that were kept for the areas."""
    curve, drawn = section.curves[place], section.systems[place].points.drawn
    return curve if drawn is None else part(curve, drawn.astype(np.int64))


def _finite(columns: shapes.Line) -> list[list[float]]:
    kept = np.logical_and.reduce([np.isfinite(column) for column in columns])
    return [column[kept].tolist() for column in columns]


def _point(columns: Mapping[str, Any], row: int, x: str, y: str) -> tuple[float, float] | tuple[()]:
    coordinates = (float(columns[x][row]), float(columns[y][row]))
    return coordinates if all(map(np.isfinite, coordinates)) else ()


def _notes_of_bands(systems: Sequence[Scored]) -> list[Note]:
    bands = [band for system in systems for band in system.bands.values()]
    if not bands:
        return []
    first = bands[0]
    return [BandsShown("", first.kind, first.level, first.method, LEAST, len(systems) > _TINTED)]


def _over_systems(section: CurvesSection, kind: str, key: str) -> dict[str, Any]:
    """A chart of the curves of all scores, with their bands and chosen points, and the line of
    random acceptance.
    """
    systems, (title, measure, across, columns) = section.systems, _CURVES[kind]
    # The initial state, before a script changes it: with many bands, only that of the chosen score
    # is visible.
    first = section.first
    lines = []
    for i, system in enumerate(systems):
        curve, band = _points_to_draw(section, i), system.bands.get(kind)
        x, y = _finite(
            shapes.from_zero(*shapes.steps(curve)) if kind == "pr" else shapes.roc(curve)
        )
        lines.append(
            ChartLine(
                system.name,
                x,
                y,
                i,
                "before" if kind == "pr" else "",
                moving=i,
                band=()
                if band is None
                else (band.x.tolist(), band.low.tolist(), band.high.tolist()),
                point=_point(points(section.curves[i]), system.points.start, *columns),
                shown=len(systems) <= _TINTED or i == first,
            )
        )
    lines += (
        _guide(systems)
        if kind == "pr"
        else [ChartLine("random", [0.0, 1.0], [0.0, 1.0], guide=True)]
    )
    banded = [line for line in lines if line.band]
    lines += [ChartLine(_CHOSEN, (), (), sign="dot")] if systems[first].points.relevant else []
    lines += [ChartLine("band", (), (), sign="area")] if banded else []
    values = [f"{system.name} {number(float(system.measures[measure]))}" for system in systems]
    described = f"{measure}: {'; '.join(values)}."
    chart = line_chart(title, described, across, columns[1], lines, columns=columns, key=key)
    return {"caption": title, "body": chart}


def _guide(systems: Sequence[Scored]) -> list[ChartLine]:
    """A line at the precision of random acceptance, if it is the same for all scores."""
    share = shapes.prevalence_of_all(
        (system.points.relevant, system.points.other) for system in systems
    )
    if not share:
        return []
    return [ChartLine(f"random {number(share)}", [0.0, 1.0], [share, share], guide=True)]


def _against(section: CurvesSection, place: int, key: str) -> dict[str, Any]:
    system = section.systems[place]
    columns = points(section.curves[place])
    lines = []
    for i, name in enumerate(("precision", "recall", "F")):
        x, y = _finite((columns["threshold"], columns[name]))
        at = _point(columns, system.points.start, "threshold", "F") if name == "F" else ()
        # "after": a threshold accepts the same cases up to the next score.
        lines.append(ChartLine(name, x, y, i, "after", point=at, moving=place))
    across = [value for line in lines for value in line.x]
    crowded = system.points.logit
    ends = room(across) if crowded is None else (float(crowded[0]), float(crowded[1]))
    if len(set(across)) == 1:
        # Any threshold below the only score (above it, if low scores are good) accepts the same
        # cases.
        edge = ends[0] if section.high else ends[1]
        lines = [
            replace(line, x=[*line.x, edge], y=[*line.y, *line.y[-1:]]) if line.y else line
            for line in lines
        ]
    lines.append(ChartLine(_CHOSEN, (), (), sign="dot"))
    direction = "at or above" if section.high else "at or below"
    title = f"{system.name}: precision, recall and F against the threshold"
    greatest = number(float(system.measures["max F"]))
    description = f"Accepted is what scores {direction} the threshold. Greatest F {greatest}."
    shown = ("threshold", "F")
    chart = line_chart(
        title,
        description,
        shown[0],
        "",
        lines,
        x=ends,
        columns=shown,
        scale=Logit if crowded else Scale,
        key=key,
    )
    return {"caption": title, "body": chart, "of": place}
