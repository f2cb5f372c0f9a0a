"""Tables in CSV, TSV and JSON lines, read into columns that the kernel groups by topic.

The kernel reads a file in which nothing is unusual. All others are read here, batch by batch: a
batch is added as a whole if all of it is ordinary; otherwise each row is checked, and each problem
becomes a fact with its line. Polars reads no text, for three reasons: no extra is needed, ids are
never taken for numbers, and each problem has its line.
"""

from __future__ import annotations

import csv
import io
import json
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import islice
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np

from precall.core.errors import Cause, DataError, Fact, Kind, Mistake
from precall.core.text import MARK, is_encodable, is_utf8
from precall.native import kernel, kernel_name
from precall.read import values
from precall.read.columns import RUN, Ids, Parsed, Request, turn_scores
from precall.read.formats import SEPARATOR
from precall.read.grades import grades_of
from precall.read.no_heading import begins_with_row, is_number, is_row_of_ms_marco, read_rows
from precall.read.problems import (
    Findings,
    advice_on_columns,
    duplicate_column,
    no_column,
    of_ms_marco,
)
from precall.read.rank_order import check_against_ranks
from precall.read.run_columns import (
    are_single,
    is_constant,
    is_rank_the_score,
    note_names_of_runs,
    several_runs,
)
from precall.read.sources import ARCHIVES, contents

if TYPE_CHECKING:
    from precall.native.twin_columns import QrelsColumns, RunColumns

#: The first byte of the rows, the separator, the number of cells, and which cells are read.
_Layout: TypeAlias = tuple[int, str, int, list[Any]]


def column_indexes(columns: Sequence[str], request: Request) -> list[int]:
    """The indexes of the wanted columns; DataError if one is missing or occurs twice."""
    problems = []
    missing = [name for name in request.names if name not in columns]
    if missing:
        mistake = no_column(missing, columns, advice_on_columns(request.subject, columns, missing))
        # Of TREC text parted by blanks the first line is one name.
        fields = columns[0].split() if len(columns) == 1 else columns
        if len(fields) == request.subject.fields and fields[1] in ("0", "Q0"):
            mistake = mistake.advise(
                'this is TREC text, which has no heading: pass ⟨format="trec"⟩'
            )
        elif is_row_of_ms_marco(columns, request) and not request.label.endswith(ARCHIVES):
            mistake = mistake.advise(f"it has no heading; {of_ms_marco(request.label)}")
        elif len(missing) > 1 and any(map(is_number, columns)):
            mistake = mistake.advise(
                "the first row is taken for a heading and looks like data: write the names of the "
                "columns above it"
            )
        problems.append(mistake.of(request.label))
    problems += [
        duplicate_column(name, count).of(request.label)
        for name in dict.fromkeys(request.names)
        if (count := columns.count(name)) > 1
    ]
    if problems:
        raise DataError(problems)
    return [columns.index(name) for name in request.names]


def read_table(
    path: str, format: str, request: Request, parse: Callable[[bytes, Request], Parsed]
) -> Parsed:
    """A run or qrels in a table. TREC text with tabs is read by `parse`."""
    # Imported here, as reading scored cases uses other parts of this module.
    from precall.read.column_names import recognise_columns

    def look(lines: bytes) -> None:
        if format == "jsonl":
            _row_by_row(lines, format, request)
            return
        first = header_of(lines, SEPARATOR[format])
        if first is not None and not begins_with_row(first[0], request):
            column_indexes(first[0], recognise_columns(first[0], request))

    data = contents(path, request.label, look)
    first = first_names(data) if format == "jsonl" else header_of(data, SEPARATOR[format])
    if first is not None and format != "jsonl" and begins_with_row(first[0], request):
        parsed = read_rows(data, SEPARATOR[format], first[0], request, parse)
        if parsed is not None:
            return parsed
    if first is not None and format == "jsonl" and request.run_column not in (None, *first[0]):
        # If a line lacks the name of its run, the problem gives the line; if no line has the
        # column, the error lists those that exist.
        is_later = any(
            request.run_column in record for _, record in records_of(data, (), Findings())
        )
        first = [*first[0], *[str(request.run_column)] * is_later], first[1]
    if first is not None:
        request = recognise_columns(first[0], request)
    parsed = _read_at_once(data, format, request)
    return _row_by_row(data, format, request) if parsed is None else parsed


def _read_at_once(data: bytes, format: str, request: Request) -> Parsed | None:
    """The whole table, read by the kernel; None if the kernel finds anything unusual."""
    if not gains() or _needs_care(request):
        return None
    layout: _Layout = len(MARK) * data.startswith(MARK), "", 0, list(request.names)
    if format != "jsonl":
        if (first := header_of(data, SEPARATOR[format])) is None:
            return None
        header, begin = first
        layout = begin, SEPARATOR[format], len(header), column_indexes(header, request)
    columns = _read_by_kernel(data, layout, request)
    if columns is None or any(len(ids.empty()) for ids in Parsed.of(*columns)[:3:2]):
        return None
    notes = request.notes
    for name in request.systems:
        column = name if format == "jsonl" else header.index(name)
        rows = len(Parsed.of(*columns).items)
        key, labels = _key_of(data, layout, column, request, rows)
        if key is None:
            return None
        if not key:
            raise several_runs(name, request)
        if key == "topic" or request.rank is None:
            notes += note_names_of_runs(name, labels, key)
    parsed = turn_scores(Parsed.of(*columns), request)._replace(notes=notes)
    if request.rank is not None and is_encodable(request.rank):
        column = request.rank if format == "jsonl" else header.index(request.rank)
        ranks = _read_by_kernel(data, (*layout[:3], [*layout[3][:2], column]), request)
        if ranks is None:
            return None  # texts, perhaps of numbers
        return check_against_ranks(np.asarray(Parsed.of(*ranks).value), parsed, request)
    return parsed


def _needs_care(request: Request) -> bool:
    """Whether this request needs the rows read one by one, whatever is in them."""
    return (
        request.valueless
        or request.run_column is not None
        or request.seeks_runs
        or (request.lowest_first and request.duplicates == "best")
        or len(set(request.names)) < len(request.names)
        or not all(map(is_encodable, request.names))
    )


def _key_of(
    data: bytes, layout: _Layout, column: str | int, request: Request, rows: int
) -> tuple[str | None, Ids]:
    """What determines the values of another column, as `key_of` says it, and values; None if that
    column must be read with care.
    """
    first = replace(request, duplicates="first")
    topic, item, *value = layout[3]
    labels = Ids.of([])
    for key, key_column in (("topic", topic), ("item", item)):
        grouped = _read_by_kernel(data, (*layout[:3], [key_column, column, *value]), first)
        if grouped is None:
            return None, labels
        _, _, labels, *_ = parsed = Parsed.of(*grouped)
        if are_single(parsed):
            if is_constant(labels):
                return "all", labels
            # Whether ranks begin anew with each value is looked at with care.
            is_unclear = key == "item" and _repeats_ranks(data, layout, request, rows)
            return None if is_unclear else key, labels
    return "", labels


def _repeats_ranks(data: bytes, layout: _Layout, request: Request, rows: int) -> bool:
    """Whether a rank is twice in a topic of so many rows, or may be."""
    if request.rank is None:
        return is_rank_the_score(request)
    topic, _, *value = layout[3]
    rank: str | int = request.rank
    if layout[1]:
        header, _ = header_of(data, layout[1]) or ([], 0)
        rank = header.index(request.rank)
    first = replace(request, duplicates="first")
    ranks = _read_by_kernel(data, (*layout[:3], [topic, rank, *value]), first)
    return ranks is None or len(Parsed.of(*ranks).items) < rows


def _read_by_kernel(
    data: bytes, layout: _Layout, request: Request
) -> RunColumns | QrelsColumns | None:
    if request.subject is RUN:
        return kernel().run_from_table(
            data, *layout, request.float32, request.duplicates, request.threads
        )
    columns = kernel().qrels_from_table(data, *layout, request.duplicates, request.threads)
    return columns or with_fractions(data, layout, request)


def with_fractions(data: bytes, layout: _Layout, request: Request) -> RunColumns | None:
    """The same if grades have fractions, which kernels read as scores; else None."""
    found = kernel().run_from_table(data, *layout, False, request.duplicates, request.threads)
    if found is None:
        return None
    *columns, number, dropped = found
    if dropped:  # some with a score that is no grade, maybe
        return None
    grades = grades_of(number)
    return None if grades is None else (*columns, grades, dropped)  # type: ignore[return-value]


def gains() -> bool:
    """Whether reading a table at once is quicker than row by row; with the NumPy twin it is not."""
    return kernel_name() == "native"


def header_of(data: bytes, separator: str) -> tuple[list[str], int] | None:
    """The names of the columns, and where the rows begin; None if the header is not exactly the
    first line.
    """
    begin, findings = data.find(b"\n") + 1, Findings()
    records = list(_rows_of(data[:begin], separator, findings))
    return None if findings.total or len(records) != 1 else (records[0][1], begin)


def first_names(data: bytes) -> tuple[list[str], int] | None:
    """The keys of the object on the first line, and where that line begins."""
    findings = Findings()
    records = list(records_of(data[: data.find(b"\n") + 1 or None], (), findings))
    if findings.total or len(records) != 1 or not all(map(is_encodable, records[0][1])):
        return None
    return list(records[0][1]), len(MARK) * data.startswith(MARK)


def _row_by_row(data: bytes, format: str, request: Request) -> Parsed:
    """The same with all rules, and all problems by their lines."""
    from precall.read.column_names import recognise_columns
    from precall.read.gathering import BATCH, Gathering

    gathering = Gathering(request, "line", textual=format != "jsonl")
    if format == "jsonl":
        rows = _objects(data, request, gathering.findings)
    else:

        def choose_indexes(header: list[str], line: int) -> list[int]:
            gathering.request = recognise_columns(header, request)
            return [
                *column_indexes(header, gathering.request),
                *map(header.index, gathering.request.extra_columns),
            ]

        rows = cells_of(data, SEPARATOR[format], choose_indexes, gathering.findings)
    while batch := list(islice(rows, BATCH)):
        topics, items, *numbers, lines = map(list, zip(*batch, strict=True))
        gathering.take(topics, items, numbers, lines)
    return gathering.finish()


def cells_of(
    data: bytes,
    separator: str,
    choose: Callable[[list[str], int], Sequence[int]],
    findings: Findings,
) -> Iterator[tuple[Any, ...]]:
    """The cells of CSV or TSV in the chosen columns, and the line of each row; `choose` gets the
    header and its line.

    A quoted cell may hold separators and line ends. Rows that cannot be read become facts.
    """
    records = _rows_of(data, separator, findings)
    line, header = next(records, (0, []))
    if findings.total or not header:
        return
    chosen = choose(header, line)
    for line, record in records:
        if len(record) != len(header):
            findings.add(line, "cells", len(record), len(header))
        else:
            yield *[record[index] for index in chosen], line


def _rows_of(data: bytes, separator: str, findings: Findings) -> Iterator[tuple[int, list[str]]]:
    """The readable rows, with the lines on which they begin; others become facts."""
    damaged = b"\0" in data or not is_utf8(data)
    text = io.TextIOWrapper(io.BytesIO(data), "utf-8-sig", errors="surrogateescape", newline="")
    reader = csv.reader(text, delimiter=separator, strict=True)
    while True:
        line = reader.line_num + 1
        try:
            for record in reader:
                cells = "".join(record) if damaged else ""
                # Bytes that are not UTF-8 appear as lone surrogates.
                if cells and ("\0" in cells or not is_encodable(cells)):
                    findings.add(line, "nul" if "\0" in cells else "utf8")
                elif record:
                    yield line, record
                line = reader.line_num + 1
            return
        except csv.Error as error:
            if "field limit" in str(error):
                mistake = Mistake(
                    "a cell of more than {most:,} characters",
                    "shorten it, or close its quotes; TREC files, .jsonl and .parquet have no "
                    "such limit",
                    most=csv.field_size_limit(),
                )
            else:
                mistake = Mistake(
                    "not a row of cells ({got})",
                    "quote cells that hold quotes, and double the quotes",
                    got=Cause(error),
                )
            findings.add(line, "said", mistake, str(error))


def _objects(data: bytes, request: Request, findings: Findings) -> Iterator[tuple[Any, ...]]:
    names, beside = request.names, request.read[len(request.names) :]
    for line, record in records_of(data, names, findings):
        try:
            yield *[record[name] for name in names], *map(record.get, beside), line
        except KeyError as error:
            findings.add(line, "absent", str(error.args[0]), list(record))


def records_of(
    data: bytes, names: Sequence[str], findings: Findings, every: bool = False
) -> Iterator[tuple[int, dict[str, Any]]]:
    """The objects of JSON lines, and their lines. Other lines, except blank ones, become facts with
    an example object that has these names.

    Numbers that float64 does not hold are kept as they were written. A key that occurs twice in an
    object becomes a fact if it is one of the names or lies within their values, or for any key if
    `every`. The caller may add to the names when it takes the first object.
    """
    repeating: list[Repeating] = []

    def make_object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        record = dict(pairs)
        if len(record) < len(pairs):
            record = Repeating(pairs)
            repeating.append(record)
        return record

    decode = json.JSONDecoder(parse_float=values.json_number, object_pairs_hook=make_object).decode
    for line, text in enumerate(io.BytesIO(data.removeprefix(MARK)), 1):
        try:
            record = decode(text.decode())
        except (ValueError, RecursionError) as error:
            if text.strip():
                findings.add(line, *_refusal(text, error, names))
            continue
        if isinstance(record, dict):
            yield line, record
            for key in _twice(record, list(record) if every else names) if repeating else ():
                findings.add(line, "said", key_twice(key), "twice")
            repeating.clear()
        else:
            kind = type(record).__name__
            mistake = Mistake("not a JSON object ({got})", _example(names), got=Kind(record))
            findings.add(line, "said", mistake, kind)


class Repeating(dict[str, Any]):
    """An object of JSON with repeated keys."""

    def __init__(self, pairs: list[tuple[str, Any]]) -> None:
        super().__init__(pairs)
        times = Counter(key for key, _ in pairs)
        self.twice: list[str] = [key for key, count in times.items() if count > 1]


def key_twice(key: str) -> Mistake:
    """The mistake that an object has a key twice."""
    return Mistake("{got} is twice in one object", "remove or rename one", got=key)


def unique_keys(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """An object of JSON, for `object_pairs_hook`; raises if a key is repeated."""
    record = dict(pairs)
    if len(record) < len(pairs):
        raise NotJSON(key_twice(Repeating(pairs).twice[0]).of("").wrong)
    return record


def _twice(record: Mapping[str, object], names: Sequence[str]) -> Iterator[str]:
    """The repeated keys of an object, or within its values under these names."""
    yield from (key for key in getattr(record, "twice", ()) if key in names)
    values = [record[name] for name in names if name in record]
    while values:
        value = values.pop()
        yield from getattr(value, "twice", ())
        if isinstance(value, dict | list):
            values += value.values() if isinstance(value, dict) else value


def _example(names: Sequence[str]) -> str:
    example = ", ".join(f'"{name}": ...' for name in names or ["column"])
    return f"write {{{example}}} on each line"


def _refusal(text: bytes, error: Exception, names: Sequence[str]) -> tuple[object, ...]:
    if b"\0" in text:
        return ("nul",)
    if isinstance(error, UnicodeDecodeError):
        return ("utf8",)
    why, remedy = why_no_json(error), _example(names)
    at = error.pos + 1 if isinstance(error, json.JSONDecodeError) else None
    return "said", no_json(error, "character", at, remedy), why, remedy


def no_json(error: Exception, unit: str, at: int | None, todo: str) -> Mistake:
    """The mistake that a text is not JSON, from this character or line on if that is known."""
    where = "" if at is None else " at {unit:s} {at}"
    what = "not JSON ({got}" + where + ")"
    return Mistake(what, todo, got=Fact(why_no_json(error)), unit=unit, at=at)


class NotJSON(ValueError):
    """A text that Python reads as JSON, but that is not JSON."""


def why_no_json(error: Exception) -> str:
    """What is wrong with a text that is not JSON, from the error of Python's reader or ours."""
    if isinstance(error, NotJSON):
        return str(error)
    if isinstance(error, json.JSONDecodeError):
        return error.msg
    if isinstance(error, UnicodeDecodeError):
        return "not UTF-8"
    # An integer with more digits than Python reads raises a plain ValueError.
    return "too deep" if isinstance(error, RecursionError) else "a number is too long"
