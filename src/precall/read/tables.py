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
from math import isinf
from typing import Any

from precall.native.twin_text import MARK, is_utf8
from precall.read.columns import Parsed, Request
from precall.read.frames import places
from precall.read.problems import Findings
from precall.read.rows import BATCH, Gathering
from precall.read.sources import contents
from precall.read.values import Beyond

SEPARATOR = {"csv": ",", "tsv": "\t"}


def read_table(path: str, format: str, request: Request) -> Parsed:
    """A run or qrels in a table."""
    data = contents(path, request.label)
    gathering = Gathering(request, "line", textual=format != "jsonl")
    if format == "jsonl":
        rows = _objects(data, request.names, gathering.findings)
    else:
        rows = cells_of(
            data, SEPARATOR[format], lambda header, _: places(header, request), gathering.findings
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
    topic, item, value = names
    for line, record in records_of(data, names, findings):
        try:
            yield record[topic], record[item], record[value], line
        except KeyError as error:
            findings.add(line, "absent", str(error.args[0]), list(record))


def records_of(data: bytes, names: Sequence[str], findings: Findings) -> Iterator[tuple[int, dict[str, Any]]]:
    """The objects of JSON lines, and their lines; what is none, but blanks, becomes a fact that shows one with these names.

    Numbers that float64 does not hold are kept as they were written.
    """
    decode = json.JSONDecoder(parse_float=_number).decode
    for line, text in enumerate(io.BytesIO(data.removeprefix(MARK)), 1):
        try:
            record = decode(text.decode())
        except (ValueError, RecursionError) as error:
            if text.strip():
                findings.add(line, *_refusal(text, error, names))
            continue
        if isinstance(record, dict):
            yield line, record
        else:
            findings.add(line, "said", f"not a JSON object ({type(record).__name__})", _example(names))


def _number(text: str) -> float | Beyond:
    number = float(text)
    return Beyond(text) if isinf(number) else number


def _example(names: Sequence[str]) -> str:
    example = ", ".join(f'"{name}": ...' for name in names or ["column"])
    return f"write {{{example}}} on each line"


def _refusal(text: bytes, error: Exception, names: Sequence[str]) -> tuple[object, ...]:
    if b"\0" in text:
        return ("nul",)
    if isinstance(error, UnicodeDecodeError):
        return ("utf8",)
    what = "not JSON that can be read (too deep, or a number too long)"
    if isinstance(error, json.JSONDecodeError):
        what = f"not JSON ({error.msg} at character {error.pos + 1})"
    return "said", what, _example(names)
