"""Curves of a record to HTML: their charts, the table of measures, and the choice of a threshold."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from precall.infer.compare.comparisons import p_text
from precall.infer.interval.bands import LEAST
from precall.infer.interval.tuned import MAX_F
from precall.page.axes import room
from precall.page.html_tables import Cell, between, table
from precall.page.lines import Line, LineChart
from precall.page.markup import element, escaped
from precall.page.record import numbers
from precall.results import counted, number

#: Charts against the threshold, a system each.
AGAINST = 4
#: Bands of more scores would hide each other: then that of the score chosen shows.
_TINTED = 3
_MEASURES = ("AP", "AUC", "max F", "break-even nearest", "R-precision")


def measures(section: Mapping[str, Any], key: str) -> str:
    """The table of scores and measures."""
    tuned = any(MAX_F in one["intervals"] for one in section["systems"])
    heading = ["score", "cases", "relevant", "missed", *_MEASURES, *([MAX_F] if tuned else [])]
    known = [one["measures"] for one in section["systems"]]
    best = {
        name: max(
            (one[name] for one in known if one[name] is not None and one[name] == one[name]), default=None
        )
        for name in _MEASURES
    }
    rows = []
    for one in section["systems"]:
        values = one["measures"]
        row = [Cell(one["name"]), *(Cell(counted(values[name])) for name in ("cases", "relevant", "missed"))]
        for name in _MEASURES:
            value = float("nan") if values[name] is None else float(values[name])
            text = number(value)
            text = f"<b>{text}</b>" if len(known) > 1 and value == best[name] else text
            row.append(Cell(markup=text + _between(one["intervals"].get(name))))
        if tuned:
            found = one["intervals"].get(MAX_F)
            row.append(
                Cell() if found is None else Cell(markup=number(_float(found["estimate"])) + _between(found))
            )
        rows.append(row)
    every = [found for one in section["systems"] for found in one["intervals"].values()]
    said = f" In brackets {100 * every[0]['level']:g} % intervals." if every else ""
    return table(
        heading,
        rows,
        f"Measures of the scores. The best is bold.{said}",
        f"{key}-measures",
        sortable=True,
    )


def _between(found: Mapping[str, Any] | None) -> str:
    return "" if found is None else between(_float(found["low"]), _float(found["high"]))


def _float(value: Any) -> float:
    return float("nan") if value is None else float(value)


def pairs(section: Mapping[str, Any], key: str) -> str:
    """The table of comparisons, if there are any."""
    if not section["pairs"]:
        return ""
    correction = section["pairs"][0].get("correction", "none")
    corrected = correction != "none"
    rows = []
    for one in section["pairs"]:
        p = [p_text(_float(one[name])) for name in ("p", *["adjusted"] * corrected)]
        rows.append([
            Cell(f"{one['a']} less {one['b']}"), Cell(one["measure"], words=True), Cell(f"{_float(one['difference']):+.4f}"),
            Cell(f"[{number(_float(one['low']))}, {number(_float(one['high']))}]"),
            *map(Cell, [*p[:-1], p[-1] + "*" * bool(one["significant"])]), Cell(f"{one['test']}, {one['how']}", words=True),
        ])  # fmt: skip
    heading = ["pair", "measure", "difference", "interval", "p", *["adjusted p"] * corrected, "test"]
    said = "Differences of two scores of the same cases. * significant"
    said += f": adjusted p at most {1 - section['pairs'][0]['level']:.3g}" if corrected else ""
    if len({(one["a"], one["b"]) for one in section["pairs"]}) > 1:
        said += (
            f". Correction {correction}, of the pairs of one measure; intervals are of each pair by itself"
        )
    return table(heading, rows, f"{said}.", f"{key}-pairs")


def curves(section: Mapping[str, Any], key: str) -> str:
    """Precision-recall, ROC, and precision, recall and F against the threshold."""
    charts = [_precision_recall(section, f"{key}-pr"), _roc(section, f"{key}-roc")]
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


def points(one: Mapping[str, Any]) -> dict[str, Any]:
    """Columns of the operating points: precision is NaN where nothing is accepted."""
    tp, fp = numbers(one["tp"]), numbers(one["fp"])
    with np.errstate(invalid="ignore", divide="ignore"):
        precision, recall = tp / (tp + fp), tp / one["relevant"]
        f = 2 * tp / (one["relevant"] + tp + fp)
        rate = fp / one["other"]
    return {
        "precision": precision,
        "recall": recall,
        "F": f,
        "rate": rate,
        "threshold": numbers(one["threshold"]),
    }


def _drawn(one: Mapping[str, Any], columns: Mapping[str, Any]) -> dict[str, Any]:
    """The points of precision-recall and ROC: those that were kept for the areas."""
    drawn = one.get("drawn")
    rows = slice(None) if drawn is None else numbers(drawn).astype(np.int64)
    return {name: column[rows] for name, column in columns.items()}


def _finite(*columns: Any) -> list[list[float]]:
    kept = np.logical_and.reduce([np.isfinite(one) for one in columns])
    return [one[kept].tolist() for one in columns]


def _point(columns: Mapping[str, Any], row: int, x: str, y: str) -> tuple[float, float] | tuple[()]:
    found = (float(columns[x][row]), float(columns[y][row]))
    return found if all(map(np.isfinite, found)) else ()


def _band(one: Mapping[str, Any], kind: str) -> tuple[Any, ...]:
    found = one["bands"].get(kind)
    return () if found is None else tuple(numbers(found[name]).tolist() for name in ("x", "low", "high"))


def _tinted(section: Mapping[str, Any], place: int) -> bool:
    """Whether a band shows before a script picks one: of many, that of the first score with a curve alone."""
    systems = section["systems"]
    first = next((i for i, one in enumerate(systems) if one["relevant"]), 0)
    return len(systems) <= _TINTED or place == first


def _described(section: Mapping[str, Any], name: str) -> str:
    told = [f"{one['name']} {number(_float(one['measures'][name]))}" for one in section["systems"]]
    return f"{name}: " + "; ".join(told) + "."


def _banded(section: Mapping[str, Any]) -> list[str]:
    known = [band for one in section["systems"] for band in one["bands"].values()]
    if not known:
        return []
    said = f"Bands: {known[0]['kind']}, {100 * known[0]['level']:g} %, {known[0]['method']}"
    said += f"; of a ROC curve where {LEAST} relevant cases or more are accepted, and as many rejected"
    return [
        f"{said}; shown is that of the score chosen." if len(section["systems"]) > _TINTED else f"{said}."
    ]


def _figure(chart: LineChart, key: str) -> str:
    return element("figure", element("figcaption", escaped(chart.title)), chart.svg(key))


def _precision_recall(section: Mapping[str, Any], key: str) -> str:
    lines = []
    for i, one in enumerate(section["systems"]):
        columns = points(one)
        drawn = _drawn(one, columns)
        # Of nothing relevant there is no recall, and it does not grow.
        hits = np.append(False, np.diff(drawn["recall"]) > 0)
        x, y = _finite(drawn["recall"][hits], drawn["precision"][hits])
        point = _point(columns, one["start"], "recall", "precision")
        lines.append(
            Line(one["name"], [0.0, *x] if x else [], [*y[:1], *y], i, "before", band=_band(one, "pr"),
                 point=point, moving=i, shown=_tinted(section, i))
        )  # fmt: skip
    first = section["systems"][0]
    shares = {one["relevant"] / max(one["relevant"] + one["other"], 1) for one in section["systems"]}
    if len(shares) == 1 and first["relevant"]:
        share = shares.pop()
        lines.append(Line(f"random {number(share)}", [0.0, 1.0], [share, share], guide=True))
    title, said = "Precision over recall", _described(section, "AP")
    chart = LineChart(title, said, "recall", "precision", lines, columns=("recall", "precision"))
    return _figure(chart, key)


def _roc(section: Mapping[str, Any], key: str) -> str:
    lines = []
    for i, one in enumerate(section["systems"]):
        columns = points(one)
        drawn = _drawn(one, columns)
        x, y = _finite(drawn["rate"], drawn["recall"])
        point = _point(columns, one["start"], "rate", "recall")
        lines.append(
            Line(
                one["name"], x, y, i, band=_band(one, "roc"), point=point, moving=i, shown=_tinted(section, i)
            )
        )
    lines.append(Line("random", [0.0, 1.0], [0.0, 1.0], guide=True))
    chart = LineChart(
        "Recall over false positive rate (ROC)", _described(section, "AUC"), "false positive rate", "recall", lines,
        columns=("rate", "recall"),
    )  # fmt: skip
    return _figure(chart, key)


def _against(section: Mapping[str, Any], place: int, key: str) -> str:
    one = section["systems"][place]
    columns = points(one)
    lines = []
    for i, name in enumerate(("precision", "recall", "F")):
        x, y = _finite(columns["threshold"], columns[name])
        point = _point(columns, one["start"], "threshold", "F") if name == "F" else ()
        # "after": a threshold accepts the same cases up to the next score.
        lines.append(Line(name, x, y, i, "after", point=point, moving=place))
    ends = room([value for line in lines for value in line.x])
    direction = "at or above" if section["good"] == "high" else "at or below"
    title = f"{one['name']}: precision, recall and F against the threshold"
    said = f"Accepted is what scores {direction} the threshold. Greatest F {number(_float(one['measures']['max F']))}."
    chart = LineChart(title, said, "threshold", "", lines, x=ends, columns=("threshold", "F"))
    return _figure(chart, key)
