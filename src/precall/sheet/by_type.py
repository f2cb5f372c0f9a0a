"""The sheet of every result, by its type; results of one table, or of a few numbers, need no more than this."""

from __future__ import annotations

import re
from dataclasses import fields
from importlib import import_module
from typing import TYPE_CHECKING, Any

from precall.presented import Table
from precall.sheet.sheets import Block, Cell, Line, Sheet, Threshold, describe_conventions

if TYPE_CHECKING:
    from precall.infer.interval.interval import Interval
    from precall.intervals.table import Intervals

#: By the name of the class, where its sheet is made: so that printing one result does not import all others.
_SHEETS = {
    "Report": "reports.report_sheet",
    "Comparisons": "comparisons.compare_sheet",
    "Comparison": "comparisons.comparison_sheet",
    "Plan": "comparisons.plan_sheet",
    "Anova": "comparisons.anova_sheet",
    "Interval": "by_type.interval_sheet",
    "Intervals": "by_type.intervals_sheet",
    "Curve": "curves.one_curve_sheet",
    "Decisions": "decisions.decisions_sheet",
    "Summary": "decisions.summary_sheet",
    "Status": "categories.categories_sheet",
    "NullDistribution": "distributions.null_sheet",
    "Posterior": "distributions.posterior_sheet",
    "Description": "distributions.description_sheet",
}


def sheet_of(result: Any, **choices: Any) -> Sheet:
    """The sheet of a result; without a home of its own it is one table, of its columns or of its fields."""
    for kind in type(result).__mro__:
        if kind.__name__ in _SHEETS and kind.__module__.startswith("precall."):
            module, _, name = _SHEETS[kind.__name__].partition(".")
            made: Sheet = getattr(import_module(f"precall.sheet.{module}"), name)(result, **choices)
            break
    else:
        columns = result if isinstance(result, Table) else getattr(result, "table", None)
        made = table_sheet(result, columns) if isinstance(columns, Table) else facts_sheet(result)
    return made if made.source is not None else made.sheet(source=result)


def _format(result: Any) -> str:
    """`OperatingPoint` is "precall.operating-point/1"."""
    return f"precall.{re.sub('(?<=[a-z])(?=[A-Z])', '-', type(result).__name__).lower()}/1"


def _notes(result: Any) -> tuple[str, ...]:
    return tuple(getattr(result, "notes", ()))


def table_sheet(result: Any, table: Table) -> Sheet:
    """The sheet of what is columns.

    Examples
    --------
    >>> table = Table({"topic": ["q1"], "value": ["a"]})
    >>> print(table_sheet(table, table).to_csv(), end="")
    format,topic,value
    precall.table/1,q1,a
    """
    columns = table.to_dict()
    rows = list(zip(*columns.values(), strict=True))
    lines = tuple(Line(str(first), values) for first, *values in rows) if columns else ()
    return Sheet(
        _format(result), describe_conventions(), (Block("", tuple(columns), lines),), _notes(result), {"columns": columns},
        tuple(columns), tuple(rows),
    )  # fmt: skip


def facts_sheet(result: Any) -> Sheet:
    """The sheet of a few numbers and words: the fields of a dataclass or tuple, and the properties of its class.

    Examples
    --------
    >>> from precall.curves import curve
    >>> print(facts_sheet(curve([1, 0], [2.0, 1.0]).max_f()).to_csv().splitlines()[-3])
    precall.operating-point/1,precision,1.0
    """
    names = list(getattr(result, "_fields", ())) or [field.name for field in fields(result)]
    names += [name for name, member in vars(type(result)).items() if isinstance(member, property)]
    cells = {name: _cell(getattr(result, name)) for name in names if name not in ("notes", "table")}
    lines = tuple(
        Line(name, (Threshold(cell) if isinstance(cell, float) else cell,)) for name, cell in cells.items()
    )
    return Sheet(
        _format(result), describe_conventions(), (Block("", ("", "value"), lines),), _notes(result), dict(cells),
        ("name", "value"),
        tuple((name, int(cell) if isinstance(cell, bool) else cell) for name, cell in cells.items()),
    )  # fmt: skip


def _cell(value: Any) -> Cell:
    if isinstance(value, tuple):
        return ", ".join(map(str, value))
    return value if value is None or isinstance(value, float | int | str) else str(value)


def interval_sheet(interval: Interval) -> Sheet:
    """The sheet of one interval, as of several."""
    from precall.intervals.table import Intervals

    return intervals_sheet(Intervals({interval.measure or "value": interval}))


def intervals_sheet(intervals: Intervals) -> Sheet:
    """The sheet of intervals; without runs or categories there is no column for them."""
    table = intervals.table.to_dict()
    rows = list(zip(*table.values(), strict=True))
    first = 0 if any(table[next(iter(table))]) else 1
    lines = [Line(row[first], (*row[first + 1 : 5], Threshold(row[5]), row[6])) for row in rows]
    heading = tuple(table)[first:-1]
    body = {key: value for key, value in intervals.to_dict().items() if key != "notes"}
    return Sheet(
        "precall.intervals/1", describe_conventions(), (Block("", heading, tuple(lines), left=2 - first),),
        intervals.notes, body, tuple(table), tuple(rows),
    )  # fmt: skip
