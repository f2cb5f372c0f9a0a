"""The law under random selection with what was observed, from a record to HTML."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from precall.page.axes import room
from precall.page.html_tables import Cell, table
from precall.page.lines import Line, LineChart, stems
from precall.page.markup import element, escaped
from precall.page.record import numbers
from precall.results import number


def chance(laws: Sequence[Mapping[str, Any]], key: str) -> str:
    """A table of all laws, and a chart of each."""
    if not laws:
        return ""
    rows = [
        [
            Cell(law["system"]), Cell(law["measure"], words=True), Cell(number(law["observed"])), Cell(number(law["chance"])),
            Cell(number(law["deviation"])), Cell(_p(law).removeprefix("p ").removeprefix("= ")), Cell(law["how"], words=True),
        ]
        for law in laws
    ]  # fmt: skip
    heading = ["system", "measure", "observed", "mean by chance", "standard deviation", "p", "how"]
    caption = "Is it better than chance? The same items in random order; p is the chance of the observed value or more."
    charts = [_chart(law, f"{key}-l{i}") for i, law in enumerate(laws)]
    return element("div", *charts, class_="charts") + table(heading, rows, caption, f"{key}-laws")


def _p(law: Mapping[str, Any]) -> str:
    """p in the words of its law: "p = ...", or "p <= ..." where that is all that is known."""
    return str(law["how"]).partition(" (")[0]


def _chart(law: Mapping[str, Any], key: str) -> str:
    x, height = numbers(law["x"]).tolist(), numbers(law["height"]).tolist()
    top = 1.06 * max(height, default=1.0) or 1.0
    observed = law["observed"]
    kind = "probability" if law["mass"] else "density"
    points = stems(x, height) if law["mass"] else (x, height)
    lines = [
        Line("by chance", *points),
        Line(f"observed {number(observed)}, {_p(law)}", [observed] * 2, [0.0, top], 2),
    ]
    title = f"{law['measure']} of {law['system']} under random selection"
    said = (
        f"The law of {law['measure']} when the same items stand in random order: mean {number(law['chance'])}, "
        f"standard deviation {number(law['deviation'])}. Observed {number(observed)}, {law['how']}."
    )
    chart = LineChart(
        title, said, law["measure"], kind, lines, x=room([*x, observed]), y=(0.0, top), height=150
    )
    return element("figure", element("figcaption", escaped(title)), chart.svg(key))
