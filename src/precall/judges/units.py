"""A table with a row per topic → how the topics were chosen, and their groups."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from precall.core.errors import DataError, Fact, Mistake, UsageError
from precall.core.text import as_text, is_folder, join_in_sentence
from precall.read.column_names import column_of
from precall.read.formats import TABLES
from precall.read.select_columns import choose_by_name, looks_at
from precall.read.sources import format_of, label_of
from precall.read.values import as_list


def read_units(path: str | None, wanted: Mapping[str, str | None]) -> dict[str, Any]:
    """By argument, a value of each topic.

    Parameters
    ----------
    path : the table; None if there is none.
    wanted : by argument, the name of its column; None if it is not asked for.
    """
    columns = {argument: name for argument, name in wanted.items() if name is not None}
    if path is None:
        if columns:
            first = next(iter(columns))
            raise UsageError(
                argument=f"--{first}",
                what="names a column of a table of topics",
                remedy="give the table with --units FILE",
            )
        return {}
    if not columns:
        raise UsageError(
            argument="--units",
            what="no column of it is named",
            remedy="name one with --probability, --strata or --groups",
        )
    label = label_of(path)
    if not is_folder(path) and format_of(path, None) not in TABLES:
        endings = join_in_sentence([f".{name}" for name in TABLES], "or")
        raise UsageError(
            argument="--units", allowed=f"a file whose name ends in {endings};", got=Fact(label)
        )
    topics: list[str] = []

    def choose(names: list[str]) -> list[str]:
        topics[:] = [column_of("topic", names, label) or names[0]]
        asked = [(f"--{argument}", name) for argument, name in columns.items()]
        return choose_by_name([("topic", topics[0]), *asked], label)(names)

    table = looks_at(path, choose, {}).careful()
    names = [as_text(cell) for cell in as_list(table.cells[topics[0]])]
    if len(set(names)) < len(names):
        twice = next(name for name in names if names.count(name) > 1)
        raise Mistake("topic {got} has two rows", "give each topic one row", got=twice).error(label)
    found: dict[str, Any] = {}
    for argument, column in columns.items():
        cells = as_list(table.cells[column])
        if argument == "probability":
            cells = [
                number_of(cell, label, line) for cell, line in zip(cells, table.lines, strict=True)
            ]
        else:
            cells = [None if cell in (None, "") else as_text(cell) for cell in cells]
        found[argument] = dict(zip(names, cells, strict=True))
    return found


def number_of(cell: Any, label: str, line: int) -> float | None:
    """A cell as a number; None if it is empty.

    Parameters
    ----------
    cell : of the table.
    label : the name of the table.
    line : where the cell stands.
    """
    if cell in (None, ""):
        return None
    try:
        return float(cell)
    except (TypeError, ValueError):
        mistake = Mistake("{got} is no probability", "write a number in (0, 1]", got=as_text(cell))
        raise DataError([mistake.of(label, line)]) from None
