"""Results in notebooks: a line, a table and a small chart, as HTML without scripts that stands by itself.

Each kind of result says its rows and charts; how they look is said once, in `html`.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import singledispatch
from typing import Any, Protocol

import numpy as np

from precall.contingency import Decisions
from precall.curves import Curve
from precall.infer.compare.comparisons import Comparison, Comparisons, p_text
from precall.infer.interval.interval import Interval
from precall.infer.null.distribution import Law
from precall.intervals.table import Intervals
from precall.notes import listening
from precall.page.axes import room
from precall.page.bars import Dots
from precall.page.lines import Line, LineChart, stems
from precall.page.markup import element, escaped
from precall.plot.distribution import NullLaw
from precall.plot.precision_recall import steps
from precall.plot.thinning import thin
from precall.results import Presented, Report, counted, number, shown
from precall.sheet.sheets import Block
from precall.sheet.sheets import shown as cell_text

#: More rows or columns than these are not shown, and their number is said.
ROWS, COLUMNS = 40, 12
#: More lines than these have a chart of their means.
LINES = 6
#: A chart of this size moves no area by more than that.
_COARSE = 2e-3


class Chart(Protocol):
    """What draws itself; `key` begins the ids inside."""

    def svg(self, key: str) -> str: ...


@dataclass(frozen=True, slots=True)
class View:
    """What there is to show: a table with its first column flush left, charts, and lines of text below."""

    heading: Sequence[str]
    rows: Sequence[Sequence[str]]
    charts: Sequence[Chart] = ()
    notes: Sequence[str] = ()
    below: Sequence[View] = ()
    """Further tables."""


def html(result: Presented) -> str:
    """A result as HTML; names from outside are shown as text.

    Examples
    --------
    >>> html(Interval(0.5, 0.25, 0.75, 0.95, "wilson", "a<b"))[:72]
    '<div class="precall"><p>Interval: a&lt;b 0.5000 [0.2500, 0.7500] 95 % wi'
    """
    with listening():
        # The table says undef where something is undefined; a warning for each would say no more.
        view = presented(result)
    more = [
        f"{len(given) - most} more {what}"
        for given, most, what in ((view.rows, ROWS, "rows"), (view.heading, COLUMNS, "columns"))
        if len(given) > most
    ]
    notes = "".join(element("p", escaped(note)) for note in [*more, *view.notes] if note)
    said = repr(result).removeprefix("<").removesuffix(">")
    charts = "".join(map(_drawn, view.charts))
    # White below charts, whose colours are made for it, also where the notebook is dark.
    box = "display:flex;flex-wrap:wrap;gap:12px;background:#fff;color:#1a1a1a"
    parts = [
        element("p", escaped(said)),
        *map(_table, (view, *view.below)),
        element("div", charts, style=box) if charts else "",
        notes,
    ]
    return element("div", *parts, class_="precall")


def _drawn(chart: Chart) -> str:
    """With ids that no other chart of the notebook has, unless it is the same chart."""
    return chart.svg("precall-" + hashlib.sha256(chart.svg("").encode()).hexdigest()[:12])


def _table(view: View) -> str:
    flush = ("text-align:left", "text-align:right")
    head = [
        element("th", escaped(name), scope="col", style=flush[place > 0])
        for place, name in enumerate(view.heading[:COLUMNS])
    ]
    rows = [
        element("tr", element("th", escaped(row[0]), scope="row", style=flush[0]), *_cells(row[1:COLUMNS]))
        for row in view.rows[:ROWS]
    ]
    whole = element("table", element("thead", element("tr", *head)), element("tbody", *rows))
    # To be scrolled by keyboard, too.
    return element("div", whole, style="overflow-x:auto", tabindex=0, role="group", aria_label="Table")


def _cells(row: Sequence[str]) -> Iterable[str]:
    return (element("td", escaped(cell), style="text-align:right") for cell in row)


@singledispatch
def presented(result: Any) -> View:
    """What there is to show of a result; without more said of its type, its sheet."""
    made = result.sheet()
    tables = [View(block.heading, _texts(block)) for block in made.blocks]
    notes = (made.verdict, *made.notes, _signature(made.conventions))
    return replace(tables[0], notes=notes, below=tables[1:])


def _texts(block: Block) -> list[list[str]]:
    return [[line.name, *map(cell_text, line.values)] for line in block.lines]


@presented.register
def _of_interval(result: Interval) -> View:
    return _of_intervals(Intervals({result.measure or "value": result}))


@presented.register
def _of_intervals(result: Intervals) -> View:
    names = [" ".join(key) if isinstance(key, tuple) else str(key) for key in result]
    found = list(result.values())
    rows = [
        [name, number(one.estimate), number(one.low), number(one.high), f"{100 * one.level:g} %", one.method]
        for name, one in zip(names, found, strict=True)
    ]
    values = [(one.estimate, one.low, one.high) for one in found]
    chart = _dots("Intervals", names, values, "value with interval")
    assumed = dict.fromkeys(one.assumptions for one in found)
    return View(
        ("measure", "estimate", "low", "high", "level", "method"), rows, [chart], [*assumed, *result.notes]
    )


@presented.register
def _of_comparison(result: Comparison) -> View:
    pairs = f"{result.size} pairs: {result.wins} wins, {result.ties} ties, {result.losses} losses"
    how = f"{result.test}, {result.alternative}, {result.how}"
    return _of_pairs(
        [result], [], [how, pairs if result.wins or result.ties or result.losses else "", *result.notes]
    )


@presented.register
def _of_comparisons(result: Comparisons) -> View:
    measure = next(iter(result.means))
    letters = result.letters.get(measure, {})
    means = [(value, np.nan, np.nan) for value in result.means[measure].values()]
    chart = _dots(
        f"Means of {measure}",
        list(result.names),
        means,
        measure,
        [letters.get(one, "") for one in result.names],
    )
    shared = "systems that share a letter do not differ significantly" if letters else ""
    return _of_pairs(result.pairs, [chart], [shared, *result.notes, _signature(result.conventions)])


def _of_pairs(pairs: Sequence[Comparison], charts: list[Chart], notes: list[str]) -> View:
    corrected = any(one.correction != "none" for one in pairs)
    rows = [
        [
            _names(one), one.measure, *map(number, one.values), f"{one.difference:+.4f}", number(one.low),
            number(one.high), p_text(one.p), *([p_text(one.adjusted)] if corrected else []),
            "yes" if one.significant else "no",
        ]
        for one in pairs
    ]  # fmt: skip
    heading: tuple[str, ...] = ("a \u2212 b", "measure", "of a", "of b", "difference", "low", "high", "p")
    heading += ("adjusted p",) * corrected
    first = [one for one in pairs if one.measure == pairs[0].measure]
    names = list(map(_names, first))
    title = f"Differences in {first[0].measure}"
    chart = _dots(title, names, [(one.difference, *_drawable(one)) for one in first], title, zero=True)
    return View((*heading, "significant"), rows, [*charts, chart], notes)


def _drawable(pair: Comparison) -> tuple[float, float]:
    """The bounds as charts take them; NaN for none."""
    return (np.nan, np.nan) if pair.low is None or pair.high is None else (pair.low, pair.high)


def _names(pair: Comparison) -> str:
    return " \u2212 ".join(pair.names)


@presented.register
def _of_report(result: Report) -> View:
    rows = [
        [run.name, *map(shown, run.mean.tolist(), result.aggregates), str(run.counts.topics)]
        for run in result.runs
    ]
    # Topics first: what is left out of a wide table are measures.
    rows = [[row[0], row[-1], *row[1:-1]] for row in rows]
    measure = result.measures[0]
    charts: list[Chart]
    if len(result.runs) > LINES:
        values = [(float(run.mean[0]), np.nan, np.nan) for run in result.runs]
        charts = [_dots(f"Averages of {measure}", [run.name for run in result.runs], values, measure)]
    else:
        charts = [_sorted_topics(result, measure)]
    return View(("run", "topics", *result.measures), rows, charts, [*result.notes(), result.signature])


def _sorted_topics(report: Report, measure: str) -> Chart:
    lines, every = [], []
    for place, run in enumerate(report.runs):
        value = np.sort(run.values[0][np.isfinite(run.values[0])])[::-1].tolist()
        lines.append(Line(run.name, range(1, len(value) + 1), value, place))
        every += value
    ends = (0.0, 1.0) if every and min(every) >= 0 and max(every) <= 1 else room(every)
    longest = max((len(line.x) for line in lines), default=1)
    title = f"{measure} by topic"
    said = (
        f"A line per run: its values of {measure}, from the topic with the greatest to that with the least."
    )
    return LineChart(title, said, "topics, each run's best first", measure, lines, (0.5, longest + 0.5), ends)


@presented.register
def _of_decisions(result: Decisions) -> View:
    count = result.counts()
    tables = [
        map(str, table)
        for table in zip(
            count.tp.tolist(), count.fp.tolist(), count.fn.tolist(), count.tn.tolist(), strict=True
        )
    ]
    summary = result.report()
    rows = [
        [
            name,
            *(tables[place] if place < len(tables) else ("", "", "", "")),
            number(p),
            number(r),
            number(f),
            str(size),
        ]
        for place, (name, p, r, f, size) in enumerate(summary.rows)
    ]
    if len(tables) == 1:
        names, values = ["precision", "recall", "F1"], list(summary.rows[0][1:4])
    else:
        names, values = (
            [row[0] for row in rows[: len(tables)]],
            [row[3] for row in summary.rows[: len(tables)]],
        )
    title = "Precision, recall and F1" if len(tables) == 1 else "F1 by category"
    chart = _dots(
        title, names, [(float(one), np.nan, np.nan) for one in values], "value" if len(tables) == 1 else "F1"
    )
    # Averages are below the categories, and many categories would hide them.
    cut = rows if len(rows) <= ROWS else [*rows[len(tables) :], *rows[: len(tables)]]
    heading = ("category", "TP", "FP", "FN", "TN", "precision", "recall", "F1", "support")
    return View(heading, cut, [chart], [summary.note])


@presented.register
def _of_curve(result: Curve) -> View:
    best = result.max_f()
    rows = [
        ["cases", counted((result.tp[-1] + result.fp[-1]).item())], ["relevant", counted(result.relevant)],
        ["missed", counted(result.missed)], ["thresholds", str(len(result) - 1)],
        ["average precision", number(result.average_precision())],
        ["area under ROC", number(result.area_under_roc())], ["break-even (nearest)", number(result.break_even())],
        ["max F1", number(best.value)], ["max F1, threshold", f"{best.threshold:g}"],
    ]  # fmt: skip
    few = thin(result).simplify(_COARSE) if len(result) > 2 else result
    charts: list[Chart] = []
    if result.relevant and len(result) > 1:
        x, y = steps(few)
        pr = Line(
            "",
            [0.0, *x.tolist()],
            [*y[:1].tolist(), *y.tolist()],
            step="before",
            point=(best.recall, best.precision),
        )
        share = result.relevant / (result.relevant + result.other)
        level = Line(f"prevalence {share:.3g}", (0.0, 1.0), (share, share), guide=True)
        said = f"Precision at each recall, {len(x)} points. The point is where F1 is greatest."
        charts.append(LineChart("Precision-recall curve", said, "recall", "precision", [pr, level]))
    if result.relevant and result.other:
        rate = (few.fp / few.other).tolist()
        point = (1 - best.rejection_recall, best.recall)
        roc = Line("", rate, few.recall.tolist(), point=point)
        level = Line("chance", (0.0, 1.0), (0.0, 1.0), guide=True)
        said = "Recall against the share of other cases accepted. The point is where F1 is greatest."
        charts.append(LineChart("ROC curve", said, "false positive rate", "recall", [roc, level]))
    return View(("measure", "value"), rows, charts)


@presented.register
def _of_law(result: Law) -> View:
    middle = result.interval()
    rows = [[
        result.name, f"{result.mean:.6g}", f"{result.std:.4g}",
        "undef" if result.skewness != result.skewness else f"{result.skewness:.4g}", f"{middle.low:.4g}",
        f"{middle.high:.4g}",
    ]]  # fmt: skip
    charts: list[Chart] = [_outline(NullLaw.from_law(result), result.name)] if result.std > 0 else []
    heading = ("law", "mean", "sd", "skewness", "2.5 %", "97.5 %")
    return View(heading, rows, charts, [str(result.approximate)])


def _outline(shape: NullLaw, name: str) -> Chart:
    x, height = shape.x.tolist(), shape.height.tolist()
    ends, most = room(x), max(height)
    what = "probability" if shape.mass else "density"
    said = f"The {what} of each value under random selection."
    # Named in the legend: beside the axis small numbers leave no room for a word.
    line = Line(what, *(stems(x, height) if shape.mass else (x, height)))
    return LineChart(f"Law of {name}", said, "value", "", [line], ends, (0.0, 1.05 * most))


def _dots(
    title: str, names: Sequence[str], values: Sequence[tuple[float, float, float]], across: str,
    notes: Sequence[str] = (), zero: bool = False,
) -> Dots:  # fmt: skip
    said = f"A line for each of {len(names)}: value and interval; the table has them as numbers."
    # Names in full, if the scale is left as much room as they take.
    left = min(max(108.0, 6.8 * max(map(len, names[:ROWS])) + 16), 220.0)
    shown_notes = notes[:ROWS] if any(notes) else ()
    return Dots(
        title, said, names[:ROWS], values[:ROWS], across, shown_notes, zero, width=left + 228, left=left
    )


def _signature(conventions: Any) -> str:
    return " | ".join(f"{key} {value}" for key, value in conventions.items())
