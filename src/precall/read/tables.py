"""Tables: CSV, TSV and JSON lines, into columns that the kernel groups by topic.

A file in which nothing is unusual is read by the kernel. All else is read here, batch by batch: a
batch goes through as a whole when all of it is ordinary; otherwise each row is looked at, and what
is wrong becomes a fact with its line. Polars reads no text, for three things: no extra is needed,
ids are never taken for numbers, and each problem has its line.
"""

from __future__ import annotations

import csv
import io
import json
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import islice
from typing import Any

import numpy as np

from precall.core.errors import DataError, Problem
from precall.core.text import MARK, is_encodable, is_utf8
from precall.native import kernel, kernel_name, literals
from precall.read import values
from precall.read.columns import RUN, Parsed, Request, turn_scores
from precall.read.formats import SEPARATOR
from precall.read.problems import (
    Findings,
    advice_on_columns,
    no_column,
    of_ms_marco,
    show_text,
    words_of_duplicate_column,
)
from precall.read.rank_order import check_against_ranks
from precall.read.run_columns import are_single, several_runs
from precall.read.sources import ARCHIVES, contents


def places(columns: Sequence[str], request: Request) -> list[int]:
    """Where the columns asked for stand; DataError if one is not there, or is there twice."""
    problems = []
    missing = [name for name in request.names if name not in columns]
    if missing:
        what, todo = no_column(missing, columns)
        todo = todo or advice_on_columns(request.subject, columns, missing)
        if len(columns) == request.subject.fields and columns[1] in ("0", "Q0"):
            todo = 'this is TREC text, which has no heading: pass ⟨format="trec"⟩'
        elif _is_of_ms_marco(columns, request):
            todo = f"it has no heading; {of_ms_marco(request.label)}"
        elif len(missing) > 1 and any(map(_is_number, columns)):
            todo = (
                "the first row is taken for a heading and looks like data: write the names of the "
                "columns above it"
            )
        problems.append(Problem(request.label, None, what, todo))
    problems += [
        Problem(request.label, None, *words_of_duplicate_column(name, count))
        for name in dict.fromkeys(request.names)
        if (count := columns.count(name)) > 1
    ]
    if problems:
        raise DataError(problems)
    return [columns.index(name) for name in request.names]


def _is_of_ms_marco(columns: Sequence[str], request: Request) -> bool:
    """Whether a row of numbers in the place of a heading may be query, passage and rank; a score is
    hardly whole.
    """
    row = request.subject is RUN and len(columns) == 3 and all(map(_is_number, columns))
    return (
        row
        and columns[2].isdecimal()
        and int(columns[2]) > 0
        and not request.label.endswith(ARCHIVES)
    )


def _is_number(name: object) -> bool:
    # Frames without names of columns have their numbers.
    return isinstance(name, str) and isinstance(literals.score(name), float)


def read_table(path: str, format: str, request: Request) -> Parsed:
    """A run or qrels in a table."""
    # Scored cases are read by other means of this module.
    from precall.read.naming import recognised

    def look(lines: bytes) -> None:
        if format == "jsonl":
            _row_by_row(lines, format, request)
        elif (first := header_of(lines, SEPARATOR[format])) is not None:
            places(first[0], recognised(first[0], request))

    data = contents(path, request.label, look)
    first = first_names(data) if format == "jsonl" else header_of(data, SEPARATOR[format])
    if first is not None and format == "jsonl" and request.run_column not in (None, *first[0]):
        # A line that lacks the name of its run is told by its number; a column that no line has, by
        # those that are there.
        is_later = any(
            request.run_column in record for _, record in records_of(data, (), Findings())
        )
        first = [*first[0], *[str(request.run_column)] * is_later], first[1]
    if first is not None:
        request = recognised(first[0], request)
    parsed = _at_once(data, format, request)
    return _row_by_row(data, format, request) if parsed is None else parsed


def _at_once(data: bytes, format: str, request: Request) -> Parsed | None:
    """The whole table by the kernel, if it finds nothing unusual."""
    if (
        not gains()
        or request.valueless
        or request.run_column is not None
        or (request.lowest_first and request.duplicates == "best")
        or len(set(request.names)) < len(request.names)
        or not all(map(is_encodable, request.names))
    ):
        return None
    given: tuple[Any, ...] = len(MARK) * data.startswith(MARK), "", 0, list(request.names)
    if format != "jsonl":
        if (first := header_of(data, SEPARATOR[format])) is None:
            return None
        header, begin = first
        given = begin, SEPARATOR[format], len(header), places(header, request)
    columns = _by_kernel(data, given, request)
    if columns is None or any(len(ids.empty()) for ids in Parsed.of(*columns)[:3:2]):
        return None
    for name in request.systems:
        place = name if format == "jsonl" else header.index(name)
        is_one = _is_determined(data, given, place, request)
        if is_one is None:
            return None
        if not is_one:
            raise several_runs(name, request)
    parsed = turn_scores(Parsed.of(*columns), request)._replace(notes=request.notes)
    if request.rank is not None and is_encodable(request.rank):
        place = request.rank if format == "jsonl" else header.index(request.rank)
        ranks = _by_kernel(data, (*given[:3], [*given[3][:2], place]), request)
        if ranks is not None:
            return check_against_ranks(np.asarray(Parsed.of(*ranks).value), parsed, request)
    return parsed


def _is_determined(
    data: bytes, given: tuple[Any, ...], place: str | int, request: Request
) -> bool | None:
    """Whether topics or items determine what stands in another column; None if that column has to
    be read with care.
    """
    first = replace(request, duplicates="first")
    topic, item, *value = given[3]
    for known in (topic, item):
        grouped = _by_kernel(data, (*given[:3], [known, place, *value]), first)
        if grouped is None or are_single(Parsed.of(*grouped)):
            return None if grouped is None else True
    return False


def _by_kernel(data: bytes, given: tuple[Any, ...], request: Request) -> Any:
    if request.subject is RUN:
        return kernel().run_from_table(
            data, *given, request.float32, request.duplicates, request.threads
        )
    return kernel().qrels_from_table(data, *given, request.duplicates, request.threads)


def gains() -> bool:
    """Whether to read a table at once is quicker than row by row: it is not for the kernel's
    twin.
    """
    return kernel_name() == "native"


def header_of(data: bytes, separator: str) -> tuple[list[str], int] | None:
    """The names of the columns, and where the rows begin, where the names are all of the first
    line.
    """
    begin, findings = data.find(b"\n") + 1, Findings()
    records = list(_rows_of(data[:begin], separator, findings))
    return None if findings.total or len(records) != 1 else (records[0][1], begin)


def first_names(data: bytes) -> tuple[list[str], int] | None:
    """The keys of the object on the first line, and where that begins."""
    findings = Findings()
    records = list(records_of(data[: data.find(b"\n") + 1 or None], (), findings))
    if findings.total or len(records) != 1 or not all(map(is_encodable, records[0][1])):
        return None
    return list(records[0][1]), len(MARK) * data.startswith(MARK)


def _row_by_row(data: bytes, format: str, request: Request) -> Parsed:
    """The same with every rule, and every problem by its line."""
    from precall.read.gathering import BATCH, Gathering
    from precall.read.naming import recognised

    gathering = Gathering(request, "line", textual=format != "jsonl")
    if format == "jsonl":
        rows = _objects(data, request, gathering.findings)
    else:

        def chosen(header: list[str], line: int) -> list[int]:
            gathering.request = recognised(header, request)
            return [
                *places(header, gathering.request),
                *map(header.index, gathering.request.beside),
            ]

        rows = cells_of(data, SEPARATOR[format], chosen, gathering.findings)
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
    """The cells of CSV or TSV in the columns chosen, by the header and its line, and the line of
    each row.

    A cell may be quoted, and then hold separators and line ends. What cannot be read becomes a
    fact.
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
            yield *[record[place] for place in chosen], line


def _rows_of(data: bytes, separator: str, findings: Findings) -> Iterator[tuple[int, list[str]]]:
    """The rows that can be read, with the lines on which they begin; what cannot becomes a fact."""
    damaged = b"\0" in data or not is_utf8(data)
    text = io.TextIOWrapper(io.BytesIO(data), "utf-8-sig", errors="surrogateescape", newline="")
    reader = csv.reader(text, delimiter=separator, strict=True)
    while True:
        line = reader.line_num + 1
        try:
            for record in reader:
                cells = "".join(record) if damaged else ""
                # What was no UTF-8 stands there as halves of characters.
                if cells and ("\0" in cells or not is_encodable(cells)):
                    findings.add(line, "nul" if "\0" in cells else "utf8")
                elif record:
                    yield line, record
                line = reader.line_num + 1
            return
        except csv.Error as error:
            if "field limit" in str(error):
                what, kind = f"a cell of more than {csv.field_size_limit():,} characters", "long"
                todo = (
                    "shorten it, or close its quotes; TREC files, .jsonl and .parquet have no "
                    "such limit"
                )
            else:
                what, kind = f"not a row of cells ({error})", str(error)
                todo = "quote cells that hold quotes, and double the quotes"
            findings.add(line, "said", what, todo, kind)


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
    """The objects of JSON lines, and their lines; what is none, but blanks, becomes a fact that
    shows one with these names.

    Numbers that float64 does not hold are kept as they were written. So is a key a fact that is
    twice in an object, if it is one of the names or within their values, or `every` one is; what
    takes the first object may be what finds the names.
    """
    repeating: list[Repeating] = []

    def made_of(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        made = dict(pairs)
        if len(made) < len(pairs):
            made = Repeating(pairs)
            repeating.append(made)
        return made

    decode = json.JSONDecoder(parse_float=values.json_number, object_pairs_hook=made_of).decode
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
                findings.add(line, "said", *key_twice(key), "twice")
            repeating.clear()
        else:
            kind = type(record).__name__
            findings.add(line, "said", f"not a JSON object ({kind})", _example(names), kind)


class Repeating(dict[str, Any]):
    """An object of JSON in which keys are twice."""

    def __init__(self, pairs: list[tuple[str, Any]]) -> None:
        super().__init__(pairs)
        times = Counter(key for key, _ in pairs)
        self.twice = [key for key, count in times.items() if count > 1]


def key_twice(key: str) -> tuple[str, str]:
    """What is wrong with an object that has a key twice, and what to do."""
    return f"{show_text(key)} is twice in one object", "remove or rename one"


def unique_keys(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """An object of JSON, for `object_pairs_hook`: a key that is twice in it is no JSON."""
    made = dict(pairs)
    if len(made) < len(pairs):
        raise NotJSON(key_twice(Repeating(pairs).twice[0])[0])
    return made


def _twice(record: Mapping[str, Any], names: Sequence[str]) -> Iterator[str]:
    """Keys that are twice, of an object or in what it holds under these names."""
    yield from (key for key in getattr(record, "twice", ()) if key in names)
    parts = [record[name] for name in names if name in record]
    while parts:
        part = parts.pop()
        yield from getattr(part, "twice", ())
        if isinstance(part, dict | list):
            parts += part.values() if isinstance(part, dict) else part


def _example(names: Sequence[str]) -> str:
    example = ", ".join(f'"{name}": ...' for name in names or ["column"])
    return f"write {{{example}}} on each line"


def _refusal(text: bytes, error: Exception, names: Sequence[str]) -> tuple[object, ...]:
    if b"\0" in text:
        return ("nul",)
    if isinstance(error, UnicodeDecodeError):
        return ("utf8",)
    where = f" at character {error.pos + 1}" if isinstance(error, json.JSONDecodeError) else ""
    why, todo = why_no_json(error), _example(names)
    return "said", f"not JSON ({why}{where})", todo, why, todo


class NotJSON(ValueError):
    """What Python takes as JSON, and is none."""


def why_no_json(error: Exception) -> str:
    """What is wrong with a text that is no JSON, by the error of Python's reader or ours."""
    if isinstance(error, NotJSON):
        return str(error)
    if isinstance(error, json.JSONDecodeError):
        return error.msg
    if isinstance(error, UnicodeDecodeError):
        return "not UTF-8"
    # An integer of more digits than Python reads is a bare ValueError.
    return "too deep" if isinstance(error, RecursionError) else "a number is too long"
