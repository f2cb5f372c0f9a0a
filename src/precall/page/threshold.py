"""The choice of a threshold on a page: its controls, what is accepted at it, and what follows, with intervals."""

from __future__ import annotations

import math
from collections.abc import Mapping

import numpy as np

from precall.curves.points import OperatingPoint, point, rounded
from precall.infer import quantiles
from precall.infer.interval.proportion import wilson
from precall.page.markup import element, escaped, select
from precall.page.sections import Curves, KeptPoints
from precall.results import counted, number
from precall.text import percent

#: What is typed beside a button: name, title of its button, and what its numbers are called, with where they begin.
_WAYS: dict[str, tuple[str, dict[str, tuple[str, str]]]] = {
    "best": ("Greatest F", {"beta": ("β", "1")}),
    "recall-least": ("Recall at least", {"least-recall": ("", "0.95")}),
    "precision-least": ("Precision at least", {"least-precision": ("", "0.9")}),
    "cheapest": ("Least cost", {"fp-cost": ("of a false positive", "1"), "fn-cost": ("of a miss", "1")}),
}
#: Shares, which have a greatest value.
_SHARES = ("least-recall", "least-precision")


def show_threshold(points: KeptPoints, row: int, high: bool) -> str:
    """A threshold in as few digits as accept the same cases; `high` scores are good."""
    return write_threshold(rounded(float(points.threshold[row]), int(points.digits[row]), up=not high))


def write_threshold(threshold: float) -> str:
    """All digits of a threshold, and no more than it has.

    Examples
    --------
    >>> write_threshold(0.1), write_threshold(3.0), write_threshold(1 / 3)
    ('0.1', '3', '0.3333333333333333')
    """
    short = f"{threshold:.15g}"
    return short if float(short) == threshold else repr(threshold)


#: The recall that a second sentence is about: many want nearly all.
_MOST = 0.95


def sentences(section: Curves) -> list[str]:
    """What is accepted of the score chosen first at two thresholds: of greatest F, and where nearly all are found."""
    start = section.systems[section.first].points.start
    if not section.systems[section.first].points.relevant:
        return []
    told = [f"Threshold of greatest F: {_accepts(section, start)}."]
    curve = section.curves[section.first]
    reached = np.flatnonzero(curve.recall >= _MOST)
    # Where the first one finds as many, another says nothing new.
    if len(reached) and int(reached[0]) > start:
        told.append(f"To find {100 * _MOST:g} % of the relevant cases: {_accepts(section, int(reached[0]))}.")
    return told


def _accepts(section: Curves, row: int) -> str:
    system = section.systems[section.first]
    at, level = point(section.curves[section.first], row, math.nan), system.level
    sign = "≥" if section.high else "≤"
    shares = [
        f"{name} {number(value)} {_ends(at.tp, missing, level)}".rstrip()
        for name, value, missing in (("precision", at.precision, at.fp), ("recall", at.recall, at.fn))
    ]
    accepted = f"{counted(at.tp + at.fp)} of {counted(at.tp + at.fp + at.fn + at.tn)} cases"
    threshold = f"{sign} {show_threshold(system.points, row, section.high)}"
    return f"{system.name} {threshold} accepts {accepted}, {' and '.join(shares)}"


def slider(section: Curves, key: str) -> str:
    """Controls of a threshold, and what follows from it; without a script the point of greatest F stands there."""
    place = section.first
    if not section.systems[place].points.relevant:
        return ""
    return element(
        "div",
        _controls(section, place, key),
        _outcome(section, place, key),
        role="group", aria_label="Choose a threshold", class_="slider", id=f"{key}-slider-box", data_first=place,
    )  # fmt: skip


def _controls(section: Curves, place: int, key: str) -> str:
    first, names = section.systems[place].points, [system.name for system in section.systems]
    box, last = select(f"{key}-system", "Score", names, place), len(first.tp) - 1
    range_ = element("input", id=f"{key}-slider", type="range", min=0, max=last, step=1, value=first.start)
    slide = element("label", "Threshold ", range_, class_="long")
    ways = [_way(name, title, boxes, key) for name, (title, boxes) in _WAYS.items()]
    first_row = element("div", box, slide, class_="controls scripted", hidden="")
    return first_row + element("div", *ways, class_="controls scripted", hidden="")


def _way(name: str, title: str, boxes: Mapping[str, tuple[str, str]], key: str) -> str:
    """A button that finds a threshold, with the numbers that it goes by."""
    parts = [element("button", title, id=f"{key}-{name}", type="button")]
    for box, (words, begin) in boxes.items():
        share = {"max": 1, "step": "0.01"} if box in _SHARES else {"step": "any"}
        made = element("input", id=f"{key}-{box}", type="number", min=0, value=begin, **share,
                       aria_label=None if words else title, data_for=f"{key}-{name}")  # fmt: skip
        parts.append(element("label", f"{words} ", made) if words else made)
    return element("span", *parts, class_="way")


def _outcome(section: Curves, place: int, key: str) -> str:
    """What is accepted at a threshold, and what follows from it."""
    first, points = section.systems[place], section.systems[place].points
    at = point(section.curves[place], points.start, math.nan)
    sign, level = "≥" if section.high else "≤", first.level
    whole = at.tp + at.fp + at.fn + at.tn
    accepted = f"{counted(at.tp + at.fp)} of {counted(whole)}"
    exact = element("code", escaped(write_threshold(at.threshold)), id=f"{key}-exact")
    copy = element("button", "Copy", id=f"{key}-copy", type="button", class_="scripted", hidden="")
    told = [
        ("accepts scores", "at", f"{sign} {show_threshold(points, points.start, section.high)}",
         element("span", "exactly ", exact, " ", copy, class_="ends", id=f"{key}-exactly")),
        ("accepted", "accepted", accepted, _below(key, "share", _percent(at.tp + at.fp, whole))),
        ("precision", "precision", number(at.precision), _below(key, "precision-ends", _ends(at.tp, at.fp, level))),
        ("recall", "recall", number(at.recall), _below(key, "recall-ends", _ends(at.tp, at.fn, level))),
        ("F", "f", number(at.f()), ""), ("specificity", "rejection", number(at.specificity), ""),
        ("cost", "cost", counted(at.fp + at.fn), ""),
    ]  # fmt: skip
    terms = [
        element("div", element("dt", escaped(name)),
                element("dd", element("span", escaped(value), id=f"{key}-{id_}"), more))
        for name, id_, value, more in told
    ]  # fmt: skip
    level = next(filter(None, (system.level for system in section.systems)), None)
    z = None if level is None else repr(quantiles.z(level))
    live = element("p", "", id=f"{key}-live", class_="quiet", aria_live="polite")
    reached = element("p", "", id=f"{key}-reached", class_="note")
    made = element(
        "div", element("dl", *terms), _table(at, key), class_="outcome", id=f"{key}-outcome", data_z=z
    )
    return reached + made + live + _tell_intervals(level)


def _below(key: str, name: str, text: str) -> str:
    return " " + element("span", escaped(text), class_="ends", id=f"{key}-{name}")


def _percent(part: float, whole: float) -> str:
    percent = 100 * part / whole if whole else 0.0
    return f"{percent:.1f} %" if percent >= 10 else f"{percent:.2g} %"


def _ends(hits: float, misses: float, level: float | None) -> str:
    """Wilson's interval of a share, as it stands beside its value."""
    if level is None or not hits + misses:
        return ""
    low, high = wilson(hits, hits + misses, level)
    return f"[{number(low)}, {number(high)}]"


def _tell_intervals(level: float | None) -> str:
    if level is None:
        return ""
    note = f"In brackets {percent(level)} intervals (Wilson) of the threshold as it is; chosen on these same cases, it "
    note += "looks a little better here than it will on new ones. With fewer than 5 of either kind they can miss their level."
    return element("p", escaped(note), class_="note")


def _table(at: OperatingPoint, key: str) -> str:
    """The contingency table."""

    def cell(name: str) -> str:
        return element("td", escaped(counted(getattr(at, name))), id=f"{key}-{name}")

    rows = [
        element("tr", element("th", "relevant", scope="row"), cell("tp"), cell("fn")),
        element("tr", element("th", "other", scope="row"), cell("fp"), cell("tn")),
    ]
    head = "".join(element("th", name, scope="col") for name in ("truth", "accepted", "rejected"))
    caption = element("caption", "Contingency table at this threshold", class_="quiet")
    return element("table", caption, element("thead", element("tr", head)), element("tbody", *rows))
