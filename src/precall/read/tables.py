"""Files that hold a table as text: CSV, TSV and JSON lines.

Read here rather than by Polars, for three things: they need no extra, ids are never taken for numbers,
and each problem has its line.
"""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Callable, Iterator, Sequence
from itertools import islice
from typing import Any

from precall.native.twin_text import MARK, is_utf8
from precall.read.frames import places
from precall.read.gathering import BATCH, Gathering, object_cells, text_cells
from precall.read.problems import Findings
from precall.read.sources import contents
from precall.read.subjects import Parsed, Request
from precall.read.values import Beyond

SEPARATOR = {"csv": ",", "tsv": "\t"}


def read_table(path: str, format: str, request: Request) -> Parsed:
    """A run or qrels in a table."""
    data = contents(path, request.label)
    cells = object_cells(request) if format == "jsonl" else text_cells(request)
    gathering = Gathering(request, cells, "line")
    rows = (
        _objects(data, request.names, gathering.findings)
        if format == "jsonl"
        else cells_of(data, SEPARATOR[format], lambda header, _: places(header, request), gathering.findings)
    )
    while batch := list(islice(rows, BATCH)):
        topics, items, values, lines = map(list, zip(*batch, strict=True))
        gathering.take(topics, items, values, lines)
    return gathering.finish()


def cells_of(
    data: bytes, separator: str, choose: Callable[[list[str], int], Sequence[int]], findings: Findings
) -> Iterator[tuple[Any, ...]]:
    """The cells of CSV or TSV in the columns chosen, by the header and its line, and the line of each row.

    A cell may be quoted, and then hold separators and line ends. What cannot be read becomes a fact.
    """
    records = rows_of(data, separator, findings)
    line, header = next(records, (0, []))
    if findings.total or not header:
        return
    chosen = choose(header, line)
    for line, record in records:
        if len(record) != len(header):
            findings.add(line, "cells", len(record), len(header))
        else:
            yield *[record[place] for place in chosen], line


def rows_of(data: bytes, separator: str, findings: Findings) -> Iterator[tuple[int, list[str]]]:
    """The rows that can be read, with the lines on which they begin; what cannot becomes a fact."""
    damaged = b"\0" in data or not is_utf8(data)
    text = io.TextIOWrapper(io.BytesIO(data), "utf-8-sig", errors="surrogateescape", newline="")
    reader = csv.reader(text, delimiter=separator, strict=True)
    while True:
        line = reader.line_num + 1
        try:
            for record in reader:
                if damaged and (kind := _damage(record)):
                    findings.add(line, kind)
                elif record:
                    yield line, record
                line = reader.line_num + 1
            return
        except csv.Error as error:
            what = f"not a row of cells ({error})"
            findings.add(line, "said", what, "quote cells that hold quotes, and double the quotes")


def _damage(record: list[str]) -> str | None:
    text = "".join(record)
    if "\0" in text:
        return "nul"
    try:
        text.encode()
    except UnicodeEncodeError:
        return "utf8"
    return None


def _objects(data: bytes, names: tuple[str, str, str], findings: Findings) -> Iterator[tuple[Any, ...]]:
    """The values of JSON lines, an object on each, by their names, and the line; lines of blanks are skipped."""
    decode = decoder()
    for line, text in lines_of(data):
        try:
            record = decode(text.decode())
            yield record[names[0]], record[names[1]], record[names[2]], line
        except (ValueError, RecursionError, KeyError, TypeError) as error:
            if text.strip():
                findings.add(line, *refusal(text, error, names))


def lines_of(data: bytes) -> Iterator[tuple[int, bytes]]:
    """Lines with their numbers, without a byte order mark."""
    return enumerate(io.BytesIO(data.removeprefix(MARK)), 1)


def decoder() -> Callable[[str], Any]:
    """From JSON to objects; numbers that float64 does not hold are kept as they were written."""
    return json.JSONDecoder(parse_float=_number).decode


def _number(text: str) -> float | Beyond:
    number = float(text)
    return Beyond(text) if number in (float("inf"), float("-inf")) else number


def refusal(text: bytes, error: Exception, names: Sequence[str]) -> tuple[object, ...]:
    """What is wrong with a line that is no object with these names."""
    example = "{" + ", ".join(f'"{name}": ...' for name in names) + "}"
    todo = f"write {example} on each line"
    if b"\0" in text:
        return ("nul",)
    if isinstance(error, UnicodeDecodeError):
        return ("utf8",)
    if isinstance(error, KeyError):
        there = json.loads(text)
        return "absent", str(error.args[0]), list(there)
    if isinstance(error, TypeError):
        return "said", f"not a JSON object ({type(json.loads(text)).__name__})", todo
    if isinstance(error, json.JSONDecodeError):
        return "said", f"not JSON ({error.msg} at character {error.pos + 1})", todo
    return "said", "not JSON that can be read (too deep, or a number too long)", todo
