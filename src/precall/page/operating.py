"""Curves of a record to HTML: their charts, the table of measures, and the choice of a threshold."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from precall.curves import Curve
from precall.drawing import steps
from precall.drawing.thinning import part
from precall.infer.interval.bands import LEAST
from precall.page import record_tables
from precall.page.axes import room
from precall.page.html_tables import block_table
from precall.page.lines import Line, LineChart
from precall.page.markup import element, escaped
from precall.page.record import numbers
from precall.page.record_tables import as_float
from precall.results import number

#: Charts against the threshold, a system each.
AGAINST = 4
#: Bands of more scores would hide each other: then that of the score chosen shows.
_TINTED = 3
#: Columns of operating points by what the page calls them, and the measures of counts that they are.
_COLUMNS = {"precision": "P", "recall": "R", "F": "F", "rate": "Fallout"}

#: Charts of all scores: title, the measure that describes it, axes, and the columns of the point that moves.
_CURVES = {
    "pr": ("Precision over recall", "AP", ("recall", "precision"), ("recall", "precision")),
    "roc": (
        "Recall over false positive rate (ROC)", "AUC", ("false positive rate", "recall"), ("rate", "recall"),
    ),
}  # fmt: skip


def measures(section: Mapping[str, Any], key: str) -> str:
    """The table of scores and measures."""
    every = [interval for one in section["systems"] for interval in one["intervals"].values()]
    caption = "Measures of the scores. The best is bold."
    caption += f" In brackets {100 * every[0]['level']:g} % intervals." if every else ""
    return block_table(record_tables.scores(section), caption, f"{key}-measures", sortable=True)


def pairs(section: Mapping[str, Any], key: str) -> str:
    """The table of differences of two scores; nothing where none were compared."""
    known = section["pairs"]
    caption = "Differences of two scores of the same cases. * significant"
    if known and (correction := known[0].get("correction", "none")) != "none":
        caption += f": adjusted p at most {1 - known[0]['level']:.3g}"
    if len({(one["a"], one["b"]) for one in known}) > 1:
        caption += (
            f". Correction {correction}, of the pairs of one measure; intervals are of each pair by itself"
        )
    tables = record_tables.pairs_of_scores(section)
    return "".join(block_table(block, f"{caption}.", f"{key}-pairs", sortable=True) for block in tables)


def curves(section: Mapping[str, Any], key: str) -> str:
    """Precision-recall, ROC, and precision, recall and F against the threshold."""
    charts = [_over_systems(section, kind, f"{key}-{kind}") for kind in _CURVES]
    shown = section["systems"][:AGAINST]
    charts += [_against(section, i, f"{key}-t{i}") for i, _ in enumerate(shown)]
    notes = _banded(section)
    notes += [
        f"{one['name']}: {len(one['tp'])} of {one['thresholds'] + 1} operating points are in this page; those left "
        f"out move no area by more than {one['bound']:g}, and no line against the threshold by more than its width."
        for one in section["systems"]
        if one["bound"]
    ]
    if len(section["systems"]) > len(shown):
        every = len(section["systems"])
        notes.append(
            f"Charts against the threshold are of the first {len(shown)} of {every}; the slider goes through all {every}."
        )
    return element("div", *charts, class_="charts") + "".join(
        element("p", escaped(one), class_="note") for one in notes
    )


def curve_of(one: Mapping[str, Any]) -> Curve:
    """The curve of a score, of those thresholds that the record has."""
    return Curve(numbers(one["threshold"]), numbers(one["tp"]), numbers(one["fp"]), as_float(one["missed"]))


def points(one: Mapping[str, Any]) -> dict[str, Any]:
    """Columns of the operating points: precision is NaN where nothing is accepted."""
    curve = curve_of(one)
    columns = {name: curve.values(measure) for name, measure in _COLUMNS.items()}
    return {**columns, "threshold": curve.threshold}


def _drawn(one: Mapping[str, Any]) -> Curve:
    """The points of precision-recall and ROC: those that were kept for the areas."""
    curve, drawn = curve_of(one), one.get("drawn")
    return curve if drawn is None else part(curve, numbers(drawn).astype(np.int64))


def _finite(columns: steps.Line) -> list[list[float]]:
    kept = np.logical_and.reduce([np.isfinite(column) for column in columns])
    return [column[kept].tolist() for column in columns]


def _point(columns: Mapping[str, Any], row: int, x: str, y: str) -> tuple[float, float] | tuple[()]:
    place = (float(columns[x][row]), float(columns[y][row]))
    return place if all(map(np.isfinite, place)) else ()


def _band(one: Mapping[str, Any], kind: str) -> tuple[Any, ...]:
    band = one["bands"].get(kind)
    return () if band is None else tuple(numbers(band[name]).tolist() for name in ("x", "low", "high"))


def _tinted(section: Mapping[str, Any], place: int) -> bool:
    """Whether a band shows before a script picks one: of many, that of the first score with a curve alone."""
    systems = section["systems"]
    first = next((i for i, one in enumerate(systems) if one["relevant"]), 0)
    return len(systems) <= _TINTED or place == first


def _banded(section: Mapping[str, Any]) -> list[str]:
    bands = [band for one in section["systems"] for band in one["bands"].values()]
    if not bands:
        return []
    note = f"Bands: {bands[0]['kind']}, {100 * bands[0]['level']:g} %, {bands[0]['method']}"
    note += (
        f"; where fewer than {LEAST} relevant cases are accepted or rejected, those of a ROC curve only follow from its other "
        "places, as it rises"
    )
    return [
        f"{note}; shown is that of the score chosen." if len(section["systems"]) > _TINTED else f"{note}."
    ]


def _figure(chart: LineChart, key: str) -> str:
    return element("figure", element("figcaption", escaped(chart.title)), chart.svg(key))


def _over_systems(section: Mapping[str, Any], kind: str, key: str) -> str:
    """A curve of each score with its band, its chosen point, and where random acceptance would be."""
    title, measure, axes, columns = _CURVES[kind]
    lines = []
    for i, one in enumerate(section["systems"]):
        curve = _drawn(one)
        x, y = _finite(steps.from_zero(*steps.steps(curve)) if kind == "pr" else steps.roc(curve))
        lines.append(
            Line(one["name"], x, y, i, "before" if kind == "pr" else "", band=_band(one, kind),
                 point=_point(points(one), one["start"], *columns), moving=i, shown=_tinted(section, i))
        )  # fmt: skip
    lines += _guide(section) if kind == "pr" else [Line("random", [0.0, 1.0], [0.0, 1.0], guide=True)]
    values = [f"{one['name']} {number(as_float(one['measures'][measure]))}" for one in section["systems"]]
    return _figure(LineChart(title, f"{measure}: {'; '.join(values)}.", *axes, lines, columns=columns), key)


def _guide(section: Mapping[str, Any]) -> list[Line]:
    """The precision of random acceptance, if all scores have the same."""
    shares = {one["relevant"] / max(one["relevant"] + one["other"], 1) for one in section["systems"]}
    if len(shares) > 1 or not section["systems"][0]["relevant"]:
        return []
    share = shares.pop()
    return [Line(f"random {number(share)}", [0.0, 1.0], [share, share], guide=True)]


def _against(section: Mapping[str, Any], place: int, key: str) -> str:
    one = section["systems"][place]
    columns = points(one)
    lines = []
    for i, name in enumerate(("precision", "recall", "F")):
        x, y = _finite((columns["threshold"], columns[name]))
        point = _point(columns, one["start"], "threshold", "F") if name == "F" else ()
        # "after": a threshold accepts the same cases up to the next score.
        lines.append(Line(name, x, y, i, "after", point=point, moving=place))
    ends = room([value for line in lines for value in line.x])
    direction = "at or above" if section["good"] == "high" else "at or below"
    title = f"{one['name']}: precision, recall and F against the threshold"
    greatest = number(as_float(one["measures"]["max F"]))
    description = f"Accepted is what scores {direction} the threshold. Greatest F {greatest}."
    chart = LineChart(title, description, "threshold", "", lines, x=ends, columns=("threshold", "F"))
    return _figure(chart, key)
