"""The choice of a threshold: controls for a script, and the contingency table at the point of greatest F."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

from precall.curves.points import point
from precall.page.markup import element, escaped, named
from precall.page.operating import curve_of
from precall.results import counted, number

_COSTS = (("fp", "Cost of a false positive"), ("fn", "Cost of a miss"))


def slider(section: Mapping[str, Any], key: str) -> str:
    """Controls, the live table, and what follows from it; without a script the point of greatest F stands there."""
    known = [i for i, one in enumerate(section["systems"]) if one["relevant"]]
    if not known:
        return ""
    first = section["systems"][known[0]]
    return element(
        "div",
        element("h3", "Choose a threshold", id=f"{key}-choose"),
        _controls(section, first, key),
        _table(section, first, key),
        role="group", aria_labelledby=f"{key}-choose", class_="slider", id=f"{key}-slider-box",
    )  # fmt: skip


def _controls(section: Mapping[str, Any], first: Mapping[str, Any], key: str) -> str:
    options = [element("option", named(one["name"]), value=i) for i, one in enumerate(section["systems"])]
    select = element("label", "Score ", element("select", *options, id=f"{key}-system"))
    last = len(first["tp"]) - 1
    range_ = element("input", id=f"{key}-slider", type="range", min=0, max=last, step=1, value=first["start"])
    numbers_ = [("beta", "β of F", 1), *((f"{name}-cost", title, 1) for name, title in _COSTS)]
    boxes = [
        element(
            "label",
            f"{title} ",
            element("input", id=f"{key}-{name}", type="number", min=0, step="any", value=value),
        )
        for name, title, value in numbers_
    ]
    buttons = [
        element("button", title, id=f"{key}-{name}", type="button")
        for name, title in (("best", "Greatest F"), ("cheapest", "Least cost"))
    ]
    slide = element("label", "Threshold ", range_, class_="long")
    return element("div", select, slide, *boxes, *buttons, class_="controls scripted", hidden="")


def _table(section: Mapping[str, Any], first: Mapping[str, Any], key: str) -> str:
    at = point(curve_of(first), first["start"], math.nan)
    direction = "≥" if section["good"] == "high" else "≤"

    def cell(name: str, value: float) -> str:
        return element("td", escaped(counted(value)), id=f"{key}-{name}")

    rows = [
        element("tr", element("th", "relevant", scope="row"), cell("tp", at.tp), cell("fn", at.fn)),
        element("tr", element("th", "other", scope="row"), cell("fp", at.fp), cell("tn", at.tn)),
    ]
    head = "".join(element("th", one, scope="col") for one in ("truth", "accepted", "rejected"))
    caption = element("caption", "Contingency table at this threshold", class_="quiet")
    whole = element("table", caption, element("thead", element("tr", head)), element("tbody", *rows))
    told = [
        ("accepts score", "at", f"{direction} {at.threshold!r}"), ("precision", "precision", number(at.precision)),
        ("recall", "recall", number(at.recall)), ("F", "f", number(at.f())),
        ("rejection recall", "rejection", number(at.rejection_recall)), ("cost", "cost", counted(at.fp + at.fn)),
    ]  # fmt: skip
    pairs = [
        element("div", element("dt", escaped(name)), element("dd", escaped(value), id=f"{key}-{id_}"))
        for name, id_, value in told
    ]
    live = element("p", "", id=f"{key}-live", class_="quiet", aria_live="polite")
    return element("div", whole, element("dl", *pairs), live, class_="outcome")
