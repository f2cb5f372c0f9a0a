"""Curves of a record to HTML: their charts, the tables of measures and differences, and the choice of a threshold."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

import numpy as np

from precall.curves import Curve
from precall.curves.points import point
from precall.drawing import shapes
from precall.drawing.thinning import part
from precall.infer.interval.interval import LEAST
from precall.page import record_tables
from precall.page.charts import Line, line_chart, room
from precall.page.markup import block_table, element, escaped, figure, named
from precall.page.record import as_float, numbers
from precall.results import counted, number

#: Charts against the threshold, a system each.
AGAINST = 4
#: Bands of more scores would hide each other: then that of the score chosen shows.
_TINTED = 3
#: Columns of operating points by what the page calls them, and the measures of counts that they are.
_COLUMNS = {"precision": "P", "recall": "R", "F": "F", "rate": "Fallout"}
#: Charts of all scores: title, the measure that describes it, the axis across, and the columns of the point that moves.
_CURVES = {
    "pr": ("Precision over recall", "AP", "recall", ("recall", "precision")),
    "roc": ("Recall over false positive rate (ROC)", "AUC", "false positive rate", ("rate", "recall")),
}
#: What is typed for the slider.
_NUMBERS = {"beta": "β of F", "fp-cost": "Cost of a false positive", "fn-cost": "Cost of a miss"}


def measures(section: Mapping[str, Any], key: str) -> str:
    """The table of scores and measures."""
    every = [interval for system in section["systems"] for interval in system["intervals"].values()]
    caption = "Measures of the scores. The best is bold."
    caption += f" In brackets {100 * every[0]['level']:g} % intervals." if every else ""
    return block_table(record_tables.scores(section), caption, f"{key}-measures", sortable=True)


def pairs(section: Mapping[str, Any], key: str) -> str:
    """The table of differences of two scores; nothing where none were compared."""
    known = section["pairs"]
    caption = "Differences of two scores of the same cases. * significant"
    if known and (correction := known[0].get("correction", "none")) != "none":
        caption += f": adjusted p at most {1 - known[0]['level']:.3g}"
    if len({(pair["a"], pair["b"]) for pair in known}) > 1:
        caption += f". Correction {correction}, of the pairs of one measure; "
        caption += "intervals are of each pair by itself"
    tables = record_tables.pairs_of_scores(section)
    return "".join(block_table(block, f"{caption}.", f"{key}-pairs", sortable=True) for block in tables)


def curves(section: Mapping[str, Any], key: str) -> str:
    """The choice of a threshold; precision-recall, ROC, and precision, recall and F against the threshold; notes."""
    systems = section["systems"]
    charts = [_over_systems(section, kind, f"{key}-{kind}") for kind in _CURVES]
    charts += [_against(section, i, f"{key}-t{i}") for i, _ in enumerate(systems[:AGAINST])]
    notes = _banded(systems)
    notes += [
        f"{system['name']}: {len(system['tp'])} of {system['thresholds'] + 1} operating points are in this page; those left "
        f"out move no area by more than {system['bound']:g}, and no line against the threshold by more than its width."
        for system in systems
        if system["bound"]
    ]
    if len(systems) > AGAINST:
        shown = f"of the first {AGAINST} of {len(systems)}; the slider goes through all {len(systems)}"
        notes.append(f"Charts against the threshold are {shown}.")
    told = [element("p", escaped(note), class_="note") for note in notes]
    drawn = element("div", *charts, class_="charts")
    return element("div", _slider(section, key), drawn, *told, id=f"{key}-curves")


def curve_of(system: Mapping[str, Any]) -> Curve:
    """The curve of a score, of those thresholds that the record has."""
    threshold, tp, fp = (numbers(system[name]) for name in ("threshold", "tp", "fp"))
    return Curve(threshold, tp, fp, as_float(system["missed"]))


def points(system: Mapping[str, Any]) -> dict[str, Any]:
    """Columns of the operating points: precision is NaN where nothing is accepted."""
    curve = curve_of(system)
    columns = {name: curve.values(measure) for name, measure in _COLUMNS.items()}
    return {**columns, "threshold": curve.threshold}


def _drawn(system: Mapping[str, Any]) -> Curve:
    """The points of precision-recall and ROC: those that were kept for the areas."""
    curve, drawn = curve_of(system), system.get("drawn")
    return curve if drawn is None else part(curve, numbers(drawn).astype(np.int64))


def _finite(columns: shapes.Line) -> list[list[float]]:
    kept = np.logical_and.reduce([np.isfinite(column) for column in columns])
    return [column[kept].tolist() for column in columns]


def _point(columns: Mapping[str, Any], row: int, x: str, y: str) -> tuple[float, float] | tuple[()]:
    place = (float(columns[x][row]), float(columns[y][row]))
    return place if all(map(np.isfinite, place)) else ()


def _banded(systems: list[Mapping[str, Any]]) -> list[str]:
    bands = [band for system in systems for band in system["bands"].values()]
    if not bands:
        return []
    note = f"Bands: {bands[0]['kind']}, {100 * bands[0]['level']:g} %, {bands[0]['method']}"
    note += f"; where fewer than {LEAST} relevant cases are accepted or rejected, those of a ROC curve only follow from "
    note += "its other places, as it rises"
    return [f"{note}; shown is that of the score chosen." if len(systems) > _TINTED else f"{note}."]


def _over_systems(section: Mapping[str, Any], kind: str, key: str) -> str:
    """A curve of each score with its band and its chosen point, and where random acceptance would be."""
    systems, (title, measure, across, columns) = section["systems"], _CURVES[kind]
    # Before a script picks one: of many bands, that of the first score with a curve alone.
    first = next((i for i, system in enumerate(systems) if system["relevant"]), 0)
    lines = []
    for i, system in enumerate(systems):
        curve, band = _drawn(system), system["bands"].get(kind, {})
        x, y = _finite(shapes.from_zero(*shapes.steps(curve)) if kind == "pr" else shapes.roc(curve))
        lines.append(
            Line(system["name"], x, y, i, "before" if kind == "pr" else "", moving=i,
                 band=tuple(numbers(band[name]).tolist() for name in ("x", "low", "high") if band),
                 point=_point(points(system), system["start"], *columns), shown=len(systems) <= _TINTED or i == first)
        )  # fmt: skip
    lines += _guide(systems) if kind == "pr" else [Line("random", [0.0, 1.0], [0.0, 1.0], guide=True)]
    values = [f"{system['name']} {number(as_float(system['measures'][measure]))}" for system in systems]
    described = f"{measure}: {'; '.join(values)}."
    return figure(title, line_chart(title, described, across, columns[1], lines, columns=columns, key=key))


def _guide(systems: list[Mapping[str, Any]]) -> list[Line]:
    """The precision of random acceptance, if all scores have the same."""
    shares = {system["relevant"] / max(system["relevant"] + system["other"], 1) for system in systems}
    if len(shares) > 1 or not systems[0]["relevant"]:
        return []
    share = shares.pop()
    return [Line(f"random {number(share)}", [0.0, 1.0], [share, share], guide=True)]


def _against(section: Mapping[str, Any], place: int, key: str) -> str:
    system = section["systems"][place]
    columns = points(system)
    lines = []
    for i, name in enumerate(("precision", "recall", "F")):
        x, y = _finite((columns["threshold"], columns[name]))
        at = _point(columns, system["start"], "threshold", "F") if name == "F" else ()
        # "after": a threshold accepts the same cases up to the next score.
        lines.append(Line(name, x, y, i, "after", point=at, moving=place))
    ends = room([value for line in lines for value in line.x])
    direction = "at or above" if section["good"] == "high" else "at or below"
    title = f"{system['name']}: precision, recall and F against the threshold"
    greatest = number(as_float(system["measures"]["max F"]))
    description = f"Accepted is what scores {direction} the threshold. Greatest F {greatest}."
    shown = ("threshold", "F")
    chart = line_chart(title, description, shown[0], "", lines, x=ends, columns=shown, key=key)
    return figure(title, chart)


def _slider(section: Mapping[str, Any], key: str) -> str:
    """Controls of a threshold, the live table, and what follows; without a script the point of greatest F stands there."""
    first = next((system for system in section["systems"] if system["relevant"]), None)
    if first is None:
        return ""
    return element(
        "div",
        element("h3", "Choose a threshold", id=f"{key}-choose"),
        _controls(section, first, key),
        _outcome(section, first, key),
        role="group", aria_labelledby=f"{key}-choose", class_="slider", id=f"{key}-slider-box",
    )  # fmt: skip


def _controls(section: Mapping[str, Any], first: Mapping[str, Any], key: str) -> str:
    names = [system["name"] for system in section["systems"]]
    options = [element("option", named(name), value=i) for i, name in enumerate(names)]
    select = element("label", "Score ", element("select", *options, id=f"{key}-system"))
    last = len(first["tp"]) - 1
    range_ = element("input", id=f"{key}-slider", type="range", min=0, max=last, step=1, value=first["start"])
    slide = element("label", "Threshold ", range_, class_="long")
    boxes = []
    for name, title in _NUMBERS.items():
        box = element("input", id=f"{key}-{name}", type="number", min=0, step="any", value=1)
        boxes.append(element("label", f"{title} ", box))
    buttons = [
        element("button", title, id=f"{key}-{name}", type="button")
        for name, title in (("best", "Greatest F"), ("cheapest", "Least cost"))
    ]
    return element("div", select, slide, *boxes, *buttons, class_="controls scripted", hidden="")


def _outcome(section: Mapping[str, Any], first: Mapping[str, Any], key: str) -> str:
    """The contingency table at a threshold, and what follows from it."""
    at = point(curve_of(first), first["start"], math.nan)
    direction = "≥" if section["good"] == "high" else "≤"

    def cell(name: str) -> str:
        return element("td", escaped(counted(getattr(at, name))), id=f"{key}-{name}")

    rows = [
        element("tr", element("th", "relevant", scope="row"), cell("tp"), cell("fn")),
        element("tr", element("th", "other", scope="row"), cell("fp"), cell("tn")),
    ]
    head = "".join(element("th", name, scope="col") for name in ("truth", "accepted", "rejected"))
    caption = element("caption", "Contingency table at this threshold", class_="quiet")
    whole = element("table", caption, element("thead", element("tr", head)), element("tbody", *rows))
    told = [
        ("accepts score", "at", f"{direction} {at.threshold!r}"), ("precision", "precision", number(at.precision)),
        ("recall", "recall", number(at.recall)), ("F", "f", number(at.f())),
        ("rejection recall", "rejection", number(at.rejection_recall)), ("cost", "cost", counted(at.fp + at.fn)),
    ]  # fmt: skip
    terms = [
        element("div", element("dt", escaped(name)), element("dd", escaped(value), id=f"{key}-{id_}"))
        for name, id_, value in told
    ]
    live = element("p", "", id=f"{key}-live", class_="quiet", aria_live="polite")
    return element("div", whole, element("dl", *terms), live, class_="outcome")
