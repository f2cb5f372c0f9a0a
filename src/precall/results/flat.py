"""A result as numbers by name, for experiment logs: {"ndcg_at_10": 0.52, "ndcg_at_10_low": 0.47,
...}.

MLflow refuses names such as nDCG@10, and W&B wants letters, digits and underscores. So names here
consist of these only, with a slash after the name of a run, score or category if there are several.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, NamedTuple

from precall.core.errors import Fact, UsageError
from precall.results.blocks import Cell

if TYPE_CHECKING:
    from precall.results.sheets import Sheet


#: MLflow allows 250 characters; a number may be appended to a name.
_LONGEST = 240
#: Sections whose values have no prefix in their names, and the names of "no average".
_PLAIN = ("", "all", "counts", "measures", "areas", "categories")


class _Layout(NamedTuple):
    """Which columns of a sheet name the owner of a number, which ones name the number, and which
    ones hold numbers.
    """

    owners: tuple[str, ...]
    words: tuple[str, ...]
    numbers: tuple[str, ...]
    left_out: str = ""
    """Rows with a value in this column belong to parts, and are left out."""


_LAYOUTS = {
    "precall.report/2": _Layout(
        ("group", "run"), ("measure",), ("value", "low", "high", "lowest", "highest")
    ),
    "precall.curve/2": _Layout(("score", "group"), ("section", "aggregate", "measure"), ("value",)),
    "precall.decisions/2": _Layout(("category",), ("average", "measure"), ("value",)),
    "precall.categories/2": _Layout(("category",), ("section", "average", "measure"), ("value",)),
    "precall.intervals/2": _Layout(("run", "category"), ("measure",), ("estimate", "low", "high")),
    "precall.ranking/2": _Layout((), ("section", "measure"), ("value",), "rank"),
    "precall.compare/2": _Layout(
        ("group", "a", "b"), ("measure",), ("difference", "low", "high", "p")
    ),
}
#: Columns whose numbers are named by the words alone; for others the column's name is appended.
_FIRST = ("value", "estimate")


def flat_name(text: str) -> str:
    """The name of a measure, or any other name, in a log: lower case letters, digits and
    underscores.

    `@` becomes "at", % "percent", a decimal point p, a minus sign "minus", a plus "plus";
    everything else between words becomes an underscore.

    Examples
    --------
    >>> [
    ...     flat_name(name)
    ...     for name in ("nDCG@10", "F(beta=0.5)", "AP(grade=2)@100", "LR+", "break-even max-min")
    ... ]
    ['ndcg_at_10', 'f_beta_0p5', 'ap_grade_2_at_100', 'lr_plus', 'break_even_max_min']
    """
    words = text.replace("@", " at ").replace("+", " plus ").replace("%", " percent ")
    # A hyphen is a minus at the end of a name, or before a number if no word precedes it.
    words = re.sub(r"(?<!\w)-(?=[\d.])|-$", " minus ", words)
    words = re.sub(r"(?<=\d)\.(?=\d)", "p", words)
    return re.sub(r"[\W_]+", "_", words).strip("_").lower() or "value"


def flat(sheet: Sheet) -> dict[str, float]:
    """The numbers of a sheet by name; see `precall.results.sheets.Presented.flat`."""
    layout = _LAYOUTS.get(sheet.format) or _layout(sheet)
    rows = [dict(zip(sheet.columns, row, strict=True)) for row in sheet.tidy]
    owned = [(_owners(row, layout), row) for row in rows if row.get(layout.left_out) is None]
    # A single system needs no name.
    single = len({owners for owners, _ in owned if owners}) == 1
    named: dict[str, float] = {}
    for owners, row in owned:
        for name, value in _numbers(row, layout):
            key = "/".join([*map(flat_name, () if single else owners), name])[-_LONGEST:]
            # With a single category, the value for all items equals that of the category and is
            # left out.
            if not single or named.get(key) != value:
                named[_free(key, named)] = value
    return named


def _owners(row: Mapping[str, Cell], layout: _Layout) -> tuple[str, ...]:
    """The owner of the numbers of a row: run, score or category; averages belong to no category."""
    names = () if row.get("average") is not None else layout.owners
    return tuple(str(row[name]) for name in names if row.get(name) not in ("", None))


def _numbers(row: Mapping[str, Cell], layout: _Layout) -> Iterator[tuple[str, float]]:
    """The numbers of a row with their names."""
    parts = (row[name] for name in layout.words)
    words = [flat_name(str(word)) for word in parts if word is not None and word not in _PLAIN]
    for column in layout.numbers:
        value = row.get(column)
        if isinstance(value, int | float):
            yield (
                "_".join([*words, *([] if column in _FIRST else [flat_name(column)])]) or column,
                float(value),
            )


def _layout(sheet: Sheet) -> _Layout:
    """The layout of any other result: columns of texts are names, all others are numbers."""
    columns = dict(zip(sheet.columns, zip(*sheet.tidy, strict=True), strict=False))
    texts = {
        name: cells
        for name, cells in columns.items()
        if {type(cell) for cell in cells} <= {str, type(None)}
    }
    if (size := len(sheet.tidy)) > 1 and len(set(zip(*texts.values(), strict=True))) < size:
        raise UsageError(
            argument="flat",
            got=Fact(f"a table of {size} rows"),
            why="whose numbers have no names",
            remedy="log the ones you need under your own names, or save all with save()",
        )
    return _Layout((), tuple(texts), tuple(name for name in columns if name not in texts))


def _free(name: str, taken: Mapping[str, float]) -> str:
    """The name, or the first free one with a number appended."""
    number, free = 2, name
    while free in taken:
        number, free = number + 1, f"{name}_{number}"
    return free
