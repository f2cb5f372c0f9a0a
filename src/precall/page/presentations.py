"""Results in notebooks: a small chart and their sheet, as self-contained HTML without scripts.

Each kind of result has its charts, which come first. The tables are those of every other form;
conventions and the notes that matter least are folded.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from functools import partial, singledispatch
from itertools import islice
from typing import Any, TypeAlias

import numpy as np

from precall.cases import Curve
from precall.cases.thinning import thin
from precall.core.errors import UsageError
from precall.core.notes import collect_notes
from precall.core.vocabulary import vocabulary_of
from precall.evaluation.report import Report
from precall.hard_decisions import Decisions, Status
from precall.judges.results import Judged, JudgedValue
from precall.page.axes import room
from precall.page.charts import ChartLine, dots, line_chart, stems
from precall.page.judged import chart_of, labelled_of
from precall.page.tables import cells_of
from precall.page.templates import Markup, environment
from precall.plot.shared import shapes
from precall.plot.shared.contrast import readable
from precall.results.blocks import Block
from precall.results.forms import notes_to_show, what_else
from precall.results.sheets import Presented
from precall.stats.intervals.bands import Band
from precall.stats.intervals.interval import Interval, Intervals
from precall.stats.null.distribution import NullDistribution
from precall.stats.null.significance import Outcome, Significance
from precall.stats.tests.comparisons import Comparison, Comparisons

#: A function that draws a chart; its key begins the ids inside.
Chart: TypeAlias = Callable[..., str]

#: More rows or columns than these are not shown; their number is given instead.
ROWS, COLUMNS = 40, 12
#: Charts with more lines than this show their mean.
LINES = 6
#: Thinning for a chart of this size moves no area by more than this.
_COARSE = 2e-3
_NAN = float("nan")


def html(result: Presented) -> str:
    """A result as HTML; names from the data are escaped.

    Examples
    --------
    >>> print(html(Interval(0.5, 0.25, 0.75, 0.95, "wilson", "a<b"))[:72])
    <div class="precall">
    <p>Interval: a&lt;b 0.5000 [0.2500, 0.7500] 95 % w
    """
    with collect_notes():
        # The table says undef for each undefined value, so warnings would add nothing.
        full_sheet = result.sheet()
        sheet, source = (
            full_sheet.short(),
            full_sheet if full_sheet.source is None else full_sheet.source,
        )
        pictures = "".join(map(_with_own_ids, charts(source)))
    legends, notes, folded = notes_to_show(sheet)
    # A result without words of its own is headed by its class; its fields are in the table.
    first = repr(source) if repr(source).startswith("<") else type(source).__name__
    first = first.removeprefix("<").removesuffix(">")
    # The page cannot know if the notebook is light or dark: text inherits its colour, and lines
    # have colours readable on both.
    pictures = re.sub(r"(?<=\")#[0-9A-Fa-f]{6}(?=\")", lambda colour: readable(colour[0]), pictures)
    return (
        environment()
        .get_template("notebook.html")
        .render(
            first=[text for text in (first, *sheet.verdict.split("\n")) if text],
            tables=map(_table, sheet.blocks),
            pictures=Markup(pictures),
            notes=[*legends, *notes],
            folded=[
                text
                for text in (*folded, *what_else(full_sheet.details(), 0), sheet.signature)
                if text
            ],
        )
    )


def _with_own_ids(chart: Chart) -> str:
    """A chart with ids that no other chart of the notebook has, unless it is the same chart."""
    return chart(key="precall-" + hashlib.sha256(chart(key="").encode()).hexdigest()[:12])


def _table(block: Block) -> dict[str, Any]:
    few = (
        block
        if len(block.lines) <= ROWS
        else replace(block, lines=tuple(islice(block.lines, ROWS)))
    )
    # The best values are chosen among all rows, not only the shown ones.
    rows = cells_of(few, block.leaders())
    hidden = [
        f"{count - most} more {noun}"
        for count, most, noun in (
            (len(block.lines), ROWS, "rows"),
            (len(block.heading), COLUMNS, "columns"),
        )
        if count > most
    ]
    return {
        "title": block.title,
        "heading": block.heading[:COLUMNS],
        "left": block.left,
        "hidden": hidden,
        "rows": [row[:COLUMNS] for row in rows],
    }


@singledispatch
def charts(result: object) -> Iterator[Chart]:
    """The charts above the tables of a result."""
    return iter(())


@charts.register
def _of_interval(result: Interval) -> Iterator[Chart]:
    return _of_intervals(Intervals({result.measure or "value": result}))


@charts.register(Judged)
@charts.register(JudgedValue)
def _of_judged(result: Judged | JudgedValue) -> Iterator[Chart]:
    for labelled in labelled_of(result)[:1]:
        yield partial(chart_of, labelled)


@charts.register
def _of_intervals(result: Intervals) -> Iterator[Chart]:
    names = [" ".join(key) if isinstance(key, tuple) else str(key) for key in result]
    values = [(interval.estimate, *interval.ends) for interval in result.values()]
    yield _dots("Intervals", names, values, "value with interval")


@charts.register
def _of_band(result: Band) -> Iterator[Chart]:
    x, estimate, low, high = (
        column.tolist() for column in (result.x, result.estimate, result.low, result.high)
    )
    line = ChartLine(result.along, x, estimate, band=(x, low, high))
    across = result.across.replace("_", " ")
    description = f"{result.along} at each {across} with its band; the table has the numbers."
    yield partial(line_chart, f"Band of {result.along}", description, across, result.along, [line])


@charts.register
def _of_status(result: Status) -> Iterator[Chart]:
    values = result.by_category("AP")
    yield _means("AP by category", list(map(str, values.names)), values.values.tolist(), "AP")


@charts.register(Significance)
@charts.register(Outcome)
def _of_outcome(result: Significance | Outcome) -> Iterator[Chart]:
    return _of_null(result.null)


@charts.register
def _of_comparison(result: Comparison) -> Iterator[Chart]:
    yield _differences([result])


@charts.register
def _of_comparisons(result: Comparisons) -> Iterator[Chart]:
    measure, means = next(iter(result.means.items()))
    letters = result.letters.get(measure, {})
    notes = [letters.get(name, "") for name in result.names]
    head = result.head_of(measure)
    yield _means(f"Means of {head}", result.names, means.values(), head, notes)
    yield _differences(result.families[measure])


def _differences(pairs: Sequence[Comparison]) -> Chart:
    values = [
        (
            pair.difference,
            _NAN if pair.low is None else pair.low,
            _NAN if pair.high is None else pair.high,
        )
        for pair in pairs
    ]
    title = f"Differences in {pairs[0].label}"
    return _dots(title, [" \u2212 ".join(pair.names) for pair in pairs], values, title, zero=True)


@charts.register
def _of_report(result: Report) -> Iterator[Chart]:
    measure = result.heads[0]
    if len(result.runs) > LINES:
        means = [run.mean[0] for run in result.runs]
        yield _means(f"Averages of {measure}", [run.name for run in result.runs], means, measure)
        return
    lines, every = [], []
    for index, run in enumerate(result.runs):
        value = np.sort(run.values[0][np.isfinite(run.values[0])])[::-1].tolist()
        lines.append(ChartLine(run.name, range(1, len(value) + 1), value, index))
        every += value
    ends = (0.0, 1.0) if every and min(every) >= 0 and max(every) <= 1 else room(every)
    # If a measure is undefined in every topic, the lines have no points.
    longest = max(1, *(len(line.x) for line in lines))
    word = vocabulary_of(result.conventions).word
    noun, topic, topics = map(word, ("run", "topic", "topics"))
    description = (
        f"A line per {noun}: its values of {measure}, from the {topic} with the greatest to that "
        "with the least."
    )
    across = f"{topics}, each {noun}'s best first"
    chart = partial(line_chart, f"{measure} by {topic}", description, across, measure, lines)
    yield partial(chart, x=(0.5, longest + 0.5), y=ends)


@charts.register
def _of_decisions(result: Decisions) -> Iterator[Chart]:
    table = result.report()
    rows = table.rows[: table.categories]
    if len(rows) > 1:
        yield _means(
            "F1 by category", [str(row[0]) for row in rows], [row[3] for row in rows], "F1"
        )
    elif rows:
        title = "Precision, recall and F1"
        yield _means(title, ["precision", "recall", "F1"], rows[0][1:4], "value")


@charts.register
def _of_curve(result: Curve) -> Iterator[Chart]:
    few = thin(result).simplify(_COARSE) if len(result) > 2 else result
    best = result.max_f()
    if result.relevant and len(result) > 1:
        x, y = (column.tolist() for column in shapes.from_zero(*shapes.steps(few)))
        share = result.relevant / (result.relevant + result.other)
        lines = [
            ChartLine("", x, y, step="before", point=(best.recall, best.precision)),
            ChartLine(f"prevalence {share:.3g}", (0.0, 1.0), (share, share), guide=True),
        ]
        description = (
            f"Precision at each recall, {len(x) - 1} points. The point is where F1 is greatest."
        )
        yield partial(
            line_chart, "Precision-recall curve", description, "recall", "precision", lines
        )
    if result.relevant and result.other:
        x, y = (column.tolist() for column in shapes.roc(few))
        lines = [
            ChartLine("", x, y, point=(1 - best.specificity, best.recall)),
            ChartLine("chance", (0.0, 1.0), (0.0, 1.0), guide=True),
        ]
        description = (
            "Recall against the share of other cases accepted. The point is where F1 is greatest."
        )
        yield partial(line_chart, "ROC curve", description, "false positive rate", "recall", lines)


@charts.register
def _of_null(result: NullDistribution) -> Iterator[Chart]:
    try:
        if not result.std > 0:
            return
        shape = shapes.outline(result)
    except UsageError:  # too many values to list
        return
    x, height = shape.x.tolist(), shape.height.tolist()
    name = "probability" if shape.mass else "density"
    description = f"The {name} of each value under random selection."
    # The name is in the legend, because long tick labels leave no room for it beside the axis.
    line = ChartLine(name, *(stems(x, height) if shape.mass else (x, height)))
    title, ends = f"Null distribution of {result.name}", (0.0, 1.05 * max(height))
    yield partial(line_chart, title, description, "value", "", [line], x=room(x), y=ends)


def _means(
    title: str, names: Sequence[str], means: Iterable[Any], across: str, notes: Sequence[str] = ()
) -> Chart:
    """Values without intervals."""
    return _dots(title, names, [(float(mean), _NAN, _NAN) for mean in means], across, notes)


def _dots(
    title: str,
    names: Sequence[str],
    values: Sequence[tuple[float, float, float]],
    across: str,
    notes: Sequence[str] = (),
    zero: bool = False,
) -> Chart:
    description = (
        f"A line for each of {len(names)}: value and interval; the table has them as numbers."
    )
    # Full names, if they leave the scale enough room.
    left = min(max(108.0, 6.8 * max(map(len, names[:ROWS])) + 16), 220.0)
    notes = notes[:ROWS] if any(notes) else ()
    return partial(
        dots, title, description, names[:ROWS], values[:ROWS], across, notes, zero=zero, left=left
    )
