"""Files of tagged tokens → spans: text as of the CoNLL shared tasks, and tables of
tokens or of lists."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from itertools import groupby
from operator import itemgetter
from typing import Any, NamedTuple, TypeAlias

from precall.core.errors import DataError, Fact, Kind, Many, Mistake, Problem, UsageError
from precall.core.text import MARK, is_folder, is_utf8
from precall.read.cases import Reader, read_columns
from precall.read.formats import WITH_LISTS
from precall.read.problems import NOT_UTF8, nothing_in
from precall.read.select_columns import choose_by_name
from precall.read.sources import contents, format_of, label_of
from precall.read.values import as_list
from precall.spans.api import Spans, spans

#: A column of text that is told by its place, from 1 on, or from the end, -1.
_PLACE = re.compile(r"-?[1-9][0-9]*")
_LINE_END = re.compile(r"\r\n|\r|\n")
#: A line that begins so, where a unit begins, may be a remark, as in CoNLL-U.
_REMARK = "#"


#: The tags or spans of each unit, true and predicted.
_Sides: TypeAlias = tuple[dict[str, list[Any]], dict[str, list[Any]]]


class _Token(NamedTuple):
    unit: str
    truth: str
    predicted: str


def read_spans(
    path: str,
    truth: str,
    predicted: str,
    *,
    unit: str | None = None,
    format: str | None = None,
    **choices: Any,
) -> Spans:
    """Read the true and the predicted tags of tokens, one token a line or row, or one unit a row.

    Parameters
    ----------
    path : text with a blank line after each unit, whose columns are parted by blanks or tabs; a
        table with a row for each token and a column of units; or a table with a row for each unit,
        whose cells are lists of tags or spans. It may be compressed; `-` is standard input.
    truth, predicted : of text the place of the column, 2 is the second one and -1 the last; of a
        table its name.
    unit : column of a table that names the unit of each token, such as its sentence. Tokens of a
        unit stand together, in their order. Of a table with a row for each unit it has the names of
        the units; None numbers them from 1.
    format : format of the table (default: from the path's ending).
    choices : those of `pc.decisions.spans`.

    Raises
    ------
    DataError
        A line has too few columns, a value is missing, or a tag is not allowed.
    UsageError
        Of a table of tokens without `unit`, or one column is told by place and the other by name.
    """
    places = [_PLACE.fullmatch(name) is not None for name in (truth, predicted)]
    if places[0] != places[1]:
        raise UsageError(
            argument="truth",
            what="one column is told by its place and the other by its name",
            got=Fact(f"{truth} and {predicted}"),
            remedy="tell both by place, such as -2 and -1, or both by name",
        )
    tokens: Iterable[_Token]
    if places[0] and unit is None:
        if format is not None:
            raise UsageError(
                argument="format",
                got=format,
                why="and columns told by place are those of text with a token on each line",
                remedy="leave it out, or name the columns of the table and that of the units",
            )
        tokens = list(_of_text(path, int(truth), int(predicted)))
    else:
        read = _of_table(path, truth, predicted, unit, format)
        if isinstance(read, tuple):
            return spans(*read, **choices)
        tokens = read
    sides: _Sides = ({}, {})
    for name, group in groupby(tokens, itemgetter(0)):
        if name in sides[0]:
            todo = "sort the rows by unit, or give units different names"
            raise Mistake("unit {got} begins a second time", todo, got=name).error(label_of(path))
        listed = list(group)
        for side, column in zip(sides, (1, 2), strict=True):
            side[name] = [token[column] for token in listed]
    return spans(*sides, **choices)


def _of_text(path: str, truth: int, predicted: int) -> Iterator[_Token]:
    """The tokens of text with a blank line after each unit."""
    label = label_of(path)
    data = contents(path, label).removeprefix(MARK)
    problems: list[Problem] = []
    if not is_utf8(data):
        lines = data.split(b"\n")
        bad = next(at for at, line in enumerate(lines, 1) if not is_utf8(line))
        raise DataError([NOT_UTF8.of(label, bad)])
    needed = max(place if place > 0 else -place for place in (truth, predicted))
    unit, begins, tokens = 0, True, list[_Token]()
    for line, text in enumerate(_LINE_END.split(data.decode()), 1):
        if not text.strip():
            begins = True
            continue
        cells = text.split("\t") if "\t" in text else text.split()
        cells = [cell.strip() for cell in cells]
        if text.startswith(_REMARK) and begins and not _ends_in_tags(cells, truth, predicted):
            continue
        if len(cells) < needed:
            mistake = Mistake(
                "has {got}",
                "name the columns of the tags by place, -1 is the last one",
                got=Many(len(cells), "column"),
                allowed=f"at least {needed}",
            )
            problems.append(mistake.of(label, line, kind="columns"))
            continue
        unit, begins = unit + begins, False
        pair = (cells[place - 1 if place > 0 else place] for place in (truth, predicted))
        tokens.append(_Token(str(unit), *pair))
    if problems:
        raise DataError(problems, len(problems))
    if not tokens:
        raise DataError([nothing_in("token", "a file has").of(label)])
    yield from tokens


def _ends_in_tags(cells: list[str], truth: int, predicted: int) -> bool:
    """Whether a line that looks like a remark has tags in its columns."""
    places = [place - 1 if place > 0 else place for place in (truth, predicted)]
    return all(
        -len(cells) <= place < len(cells) and re.match(r"O$|[BIESLU]\b|.+[BIESLU]$", cells[place])
        for place in places
    )


def _of_table(
    path: str, truth: str, predicted: str, unit: str | None, format: str | None
) -> list[_Token] | _Sides:
    """The tokens of a table with a column of units; the tags of each unit if cells are lists."""
    if unit is None and not is_folder(path) and format_of(path, format) not in WITH_LISTS:
        raise _no_unit()
    wanted = [("truth=", truth), ("predicted=", predicted)]
    wanted += [] if unit is None else [("unit=", unit)]

    def build(reader: Reader) -> list[_Token] | _Sides:
        if any(map(reader.several, (truth, predicted))):
            return _of_lists(reader, truth, predicted, unit)
        if unit is None:
            raise _no_unit()
        columns = [reader.texts(name) for name in (unit, truth, predicted)]
        reader.check()
        return [_Token(*row) for row in zip(*columns, strict=True)]

    return read_columns(path, choose_by_name(wanted, label_of(path)), build, {}, format)


def _of_lists(reader: Reader, truth: str, predicted: str, unit: str | None) -> _Sides:
    """The lists of both sides by the unit of each row."""
    rows = range(len(reader.columns))
    names = [str(row + 1) for row in rows] if unit is None else reader.texts(unit)
    first: dict[str, int] = {}
    for row, name in enumerate(names):
        if unit is not None and first.setdefault(name, row) != row:
            mistake = Mistake("unit {got} has two rows", "give each unit one row", got=name)
            reader.add(row, unit, mistake, "two rows")
    sides: _Sides = ({}, {})
    for side, column in zip(sides, (truth, predicted), strict=True):
        cells = as_list(reader.columns.cells[column])
        for row, (name, cell) in enumerate(zip(names, cells, strict=True)):
            if not isinstance(cell, list):
                todo = "write the tags or spans of the unit as a list, [] if it has none"
                mistake = Mistake("{got} is no list", todo, got=Kind(cell))
                reader.add(row, column, mistake, type(cell).__name__)
                continue
            side[name] = cell
    reader.check()
    return sides


def _no_unit() -> UsageError:
    return UsageError(
        argument="unit",
        what="a table needs the column of the units, unless its cells are lists",
        remedy="name the column of the sentence of each token; of text with a blank line after "
        "each sentence, tell the columns by place, such as -2 and -1",
    )
