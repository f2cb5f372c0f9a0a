"""What was observed beside its null distribution: as data of a record, and from a record to HTML."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from precall.drawing.shapes import outline
from precall.drawing.thinning import thinned
from precall.page.charts import Line, line_chart, room, stems
from precall.page.markup import Cell, element, figure, table
from precall.page.record import numbers
from precall.page.record_tables import p_column, p_words
from precall.results import number

if TYPE_CHECKING:
    from precall.infer.null import Outcome

_HEADING = ["system", "measure", "observed", "mean by chance", "standard deviation", "p", "how"]
_CAPTION = (
    "Is it better than chance? The same items in random order; p is the chance of the observed value or more."
)


def chance_of(name: str, measure: str, outcome: Outcome) -> dict[str, Any]:
    """An outcome of `pc.null.test` for a system and a measure, in words, with the outline of its null distribution.

    Examples
    --------
    >>> from precall import Hits, null
    >>> record = chance_of("a", "AP", null.test(Hits.of([1, 2, 4], retrieved=8, relevant=3)).combined)
    >>> record["observed"], round(record["p"], 6), record["mass"], len(record["x"])
    (0.9166666666666666, 0.035714, True, 54)
    """
    x, height, mass = outline(outcome.null, outcome.value)
    if not mass:
        # No more points than a line needs.
        kept = thinned(x.tolist(), height.tolist())
        x, height = x[kept], height[kept]
    return {
        "system": name, "measure": measure, "observed": outcome.value, "chance": float(outcome.null.mean),
        "deviation": float(outcome.null.std), "p": outcome.p, "bound": outcome.tail.bound, "how": str(outcome.tail),
        "mass": mass, "x": x, "height": height,
    }  # fmt: skip


def chance(records: Sequence[Mapping[str, Any]], key: str) -> str:
    """A table of all null distributions, and a chart of each."""
    if not records:
        return ""
    rows = [
        [
            Cell(law["system"]), Cell(law["measure"], "words"),
            *(Cell(number(law[name])) for name in ("observed", "chance", "deviation")),
            Cell(p_column(law)), Cell(law["how"], "words"),
        ]
        for law in records
    ]  # fmt: skip
    charts = [_chart(law, f"{key}-l{i}") for i, law in enumerate(records)]
    return element("div", *charts, class_="charts") + table(_HEADING, rows, _CAPTION, f"{key}-laws")


def _chart(law: Mapping[str, Any], key: str) -> str:
    x, height = numbers(law["x"]).tolist(), numbers(law["height"]).tolist()
    top = 1.06 * max(height, default=1.0) or 1.0
    observed, measure = law["observed"], law["measure"]
    points = stems(x, height) if law["mass"] else (x, height)
    mark = Line(f"observed {number(observed)}, {p_words(law)}", [observed] * 2, [0.0, top], 2)
    title = f"{measure} of {law['system']} under random selection"
    description = (
        f"The distribution of {measure} when the same items stand in random order: mean {number(law['chance'])}, "
        f"standard deviation {number(law['deviation'])}. Observed {number(observed)}, {law['how']}."
    )
    chart = line_chart(
        title, description, measure, "probability" if law["mass"] else "density", [Line("by chance", *points), mark],
        x=room([*x, observed]), y=(0.0, top), height=150, key=key,
    )  # fmt: skip
    return figure(title, chart)
