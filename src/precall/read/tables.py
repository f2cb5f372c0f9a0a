"""Files that hold a table as text: CSV, TSV and JSON lines.

Read here rather than by Polars, for three things: they need no extra, ids are never taken for numbers,
and each problem has its line.
"""

from __future__ import annotations

import codecs
import csv
import io
import json
from collections.abc import Callable, Iterator, Sequence
from typing import Any

from precall.read.frames import places
from precall.read.gathering import BATCH, Gathering, object_cells, text_cells
from precall.read.problems import Findings
from precall.read.sources import contents
from precall.read.subjects import Parsed, Request
from precall.read.values import Beyond

_MARK = b"\xef\xbb\xbf"
SEPARATOR = {"csv": ",", "tsv": "\t"}


def read_table(path: str, format: str, request: Request) -> Parsed:
    """A run or qrels in a table."""
    data = contents(path, request.label)
    if format == "jsonl":
        return _read_lines(data, request)
    return _read_cells(data, SEPARATOR[format], request)


def _read_cells(data: bytes, separator: str, request: Request) -> Parsed:
    """CSV or TSV with a header; a cell may be quoted, and then hold separators and line ends."""
    gathering = Gathering(request, text_cells(request), "line")
    records = rows_of(data, separator, gathering.findings)
    line, header = next(records, (0, []))
    if gathering.findings.total:
        raise gathering.error()
    if not header:
        return gathering.finish()
    topic, item, value = places(header, request)
    batch: tuple[list[str], list[str], list[str], list[int]] = ([], [], [], [])
    for line, record in records:
        if len(record) != len(header):
            gathering.findings.add(line, "cells", len(record), len(header))
            continue
        batch[0].append(record[topic])
        batch[1].append(record[item])
        batch[2].append(record[value])
        batch[3].append(line)
        if len(batch[3]) == BATCH:
            gathering.take(*batch)
            batch = ([], [], [], [])
    gathering.take(*batch)
    return gathering.finish()


def rows_of(data: bytes, separator: str, findings: Findings) -> Iterator[tuple[int, list[str]]]:
    """The rows that can be read, with the lines on which they begin; what cannot becomes a fact."""
    damaged = b"\0" in data or not _decodable(data)
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


def _decodable(data: bytes) -> bool:
    # In pieces: the text of a large file is not needed a second time.
    decoder = codecs.getincrementaldecoder("utf-8")()
    view = memoryview(data)
    try:
        for begin in range(0, len(view), 1 << 20):
            decoder.decode(view[begin : begin + (1 << 20)])
        decoder.decode(b"", final=True)
    except UnicodeDecodeError:
        return False
    return True


def _read_lines(data: bytes, request: Request) -> Parsed:
    """JSON lines: an object on each; lines of blanks are skipped."""
    gathering = Gathering(request, object_cells(request), "line")
    decode = decoder()
    names = request.names
    batch: list[tuple[Any, ...]] = []
    for line, text in lines_of(data):
        try:
            record = decode(text.decode())
            batch.append((record[names[0]], record[names[1]], record[names[2]], line))
        except (ValueError, RecursionError, KeyError, TypeError) as error:
            if text.strip():
                gathering.findings.add(line, *refusal(text, error, names))
        if len(batch) == BATCH:
            gathering.take(*(list(column) for column in zip(*batch, strict=True)))
            batch = []
    if batch:
        gathering.take(*(list(column) for column in zip(*batch, strict=True)))
    return gathering.finish()


def lines_of(data: bytes) -> Iterator[tuple[int, bytes]]:
    """Lines with their numbers, without a byte order mark."""
    return enumerate(io.BytesIO(data.removeprefix(_MARK)), 1)


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
