"""Numbers and files as trec_eval reads them: as lenient and as strict, with its exit codes.

Well-formed files are read by precall's kernel. A file that the kernel refuses, or that trec_eval
may read differently (repeated items, words for numbers, comments), is read again line by line by
trec_eval's rules.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import groupby, pairwise
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from precall.core.errors import (
    DataError,
    Malformed,
    MissingExtra,
    PrecallError,
    name_file_in_errors,
)
from precall.native import kernel, thread_count
from precall.read.columns import Ids, Qrels, Run
from precall.read.sources import contents, is_plain

#: Exit codes. An option, a format or a measure is not known.
USAGE = 1
#: A file cannot be read, or a measure's parameters are not allowed.
INPUT = 2
#: A topic cannot be evaluated.
TOPIC = 4
#: No topic is both judged and retrieved.
NO_TOPIC = 7
#: A file of z-scores cannot be read.
ZSCORES = 255

_WHOLE = re.compile(rb"[ \t\n\v\f\r]*([+-]?)0*([0-9]+)")
_HEXADECIMAL = rb"0[xX](?:[0-9a-fA-F]+\.?[0-9a-fA-F]*|\.[0-9a-fA-F]+)(?:[pP][+-]?[0-9]+)?"
_DECIMAL = rb"(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]+)?"
_REAL = re.compile(
    rb"[ \t\n\v\f\r]*([+-]?(?:" + _HEXADECIMAL + rb"|" + _DECIMAL + rb"|(?i:infinity|inf|nan)))"
)
_LONGEST = 2**63
#: Only this many digits of a number are read. With the first not 0 they already exceed a long, so
#: the result is clamped anyway; and Python's int refuses texts of several thousand digits.
_BEYOND_LONG = 20
#: The number of bytes of a file that are checked at a time.
_PIECE = 1 << 20
#: One judgement of preferences: group, subgroup, level, item.
Judgement = tuple[bytes, bytes, float, bytes]


class Exit(Exception):
    """The end of the program, with an exit `code` and a `message` for standard error."""

    def __init__(self, code: int, message: str = "", reason: str = "") -> None:
        super().__init__(message)
        self.code = code
        self.message: str = f"trec_eval: {reason}" if reason else message
        self.reason = reason


class Results(NamedTuple):
    """A run, its tag, and the least depth (-M) at which a topic retrieves an item twice."""

    run: Run
    tag: bytes
    repeats: dict[bytes, int]


class ReadQrels(NamedTuple):
    """Qrels, how many grades in them are above 0, and the topics that judge an item twice."""

    qrels: Qrels
    positive: int
    repeats: frozenset[bytes]


def whole(text: str | bytes) -> int:
    """The number that C's atol reads: `23.4` is 23, `rel` is 0; clamped to the range of a long."""
    match = _WHOLE.match(_raw(text))
    if match is None:
        return 0
    sign, digits = match.groups()
    return max(-_LONGEST, min(_LONGEST - 1, int(sign + digits[:_BEYOND_LONG])))


def real(text: str | bytes) -> float:
    """The number that C's atof reads: `0.5x` is .5, `score` is 0.

    Hexadecimal numbers, infinity and NaN are read also.
    """
    match = _REAL.match(_raw(text))
    number = match[1].decode() if match else "0"
    if "x" not in number.lower():
        return float(number)
    try:
        return float.fromhex(number)
    except OverflowError:
        return float("-inf") if number.startswith("-") else float("inf")


def _raw(text: str | bytes) -> bytes:
    return text.encode(errors="surrogateescape") if isinstance(text, str) else text


def show_topic(topic: bytes) -> str:
    """A topic as messages name it."""
    return f"topic '{topic.decode(errors='replace')}'"


#: The least number of fields in a line of any file.
_FIELDS = 4


def bytes_of(path: str, what: str, code: int = INPUT) -> bytes:
    """The content of a file, decompressed; `Exit` if it cannot be read or is empty."""

    def look(lines: bytes) -> None:
        fields = lines.partition(b"\n")[0].split()
        if 0 < len(fields) < _FIELDS and not fields[0].startswith(b"#"):
            raise _bad_line(path, 1, fields, _FIELDS, code)

    try:
        data = contents(path, path, look)
    except (OSError, DataError, MissingExtra) as error:
        raise _unreadable(path, what, _reason(error), code) from None
    if not data:
        raise _unreadable(path, what, "it is empty", code)
    if b"\0" in data:
        raise Exit(code, f"trec_eval: {what} file '{path}' holds a NUL byte")
    return data


def _unreadable(path: str, what: str, why: str, code: int = INPUT) -> Exit:
    return Exit(code, f"trec_eval: cannot read {what} file '{path}' ({why})")


def _reason(error: OSError | PrecallError) -> str:
    """Why a file cannot be read, without its name."""
    if isinstance(error, OSError):
        return error.strerror or str(error)
    if isinstance(error, DataError):
        return "; ".join(f"{problem.wrong}; {problem.remedy}" for problem in error.problems)
    return str(error)


def fields_of(
    data: bytes, number: int, path: str, version: str, code: int = INPUT
) -> Iterator[list[bytes]]:
    """The fields of each line; every line must have exactly `number`.

    10.0 takes a line that begins with # as a comment, but not two in a row; this does the same.
    """
    read, skipped = 0, False
    for line in data.removesuffix(b"\n").split(b"\n"):
        skipped = version == "10.0" and code == INPUT and line.startswith(b"#") and not skipped
        if skipped:
            continue
        read += 1
        fields = line.split()
        if len(fields) != number:
            raise _bad_line(path, read, fields, number, code)
        yield fields


def _bad_line(path: str, line: int, fields: list[bytes], number: int, code: int = INPUT) -> Exit:
    return Exit(
        code, f"trec_eval: {path}: malformed line {line}: {len(fields)} fields, expected {number}"
    )


def read_results(path: str, version: str) -> Results:
    """Read a run; for 9.0.8 its scores are rounded to float32."""
    if version == "10.0" and path.startswith("-"):
        path = "-"
    elif path == "-":
        raise Exit(INPUT, "trec_eval: 9.0.8 does not read standard input; use --as 10.0, or a file")
    try:
        source = path if is_plain(path) else bytes_of(path, "results")
    except OSError as error:
        raise _unreadable(path, "results", _reason(error)) from None
    narrow = version == "9.0.8"
    if not _has_comments(source, version):
        try:
            topics, start, row_start, items, item_start, score, tag, _, _, _ = kernel().read_run(
                source, narrow, "error", thread_count()
            )
        except Malformed:
            pass
        else:
            # For trec_eval a topic that begins with # is an indented comment.
            if not np.any(topics[start[:-1]] == ord("#")):
                dtype = "float32" if narrow else "float64"
                run = Run(
                    Ids(topics, start), row_start, Ids(items, item_start), score, score_dtype=dtype
                )
                return Results(run, tag, {})
    return _lenient_results(
        bytes_of(path, "results") if isinstance(source, str) else source, path, version
    )


def _has_comments(source: str | bytes, version: str) -> bool:
    """Whether a run may hold anything that the kernel reads differently."""
    if isinstance(source, bytes):
        return _is_odd(source, version)
    with name_file_in_errors(source), Path(source).open("rb") as file:
        # Read in pieces, not mapped: if a mapped file is truncated, access to it ends the process.
        last = b""
        while piece := file.read(_PIECE):
            if _is_odd(piece, version, last):
                return True
            last = piece[-1:]
        # The size is no test: files that the operating system generates may have size 0.
        if not last:
            raise _unreadable(source, "results", "it is empty")
    return False


def _is_odd(data: bytes, version: str, last: bytes = b"") -> bool:
    """Whether the data has anything that our kernel reads differently.

    That is a byte-order mark, a blank that is none to the kernel, or for 9.0.8 a line that begins
    with #, which is no comment there. `last` is the byte before the data.
    """
    if (not last and data.startswith(b"\xef\xbb\xbf")) or b"\v" in data or b"\f" in data:
        return True
    begins_line = last in (b"", b"\n")
    return version == "9.0.8" and ((begins_line and data.startswith(b"#")) or b"\n#" in data)


def _lenient_results(data: bytes, path: str, version: str) -> Results:
    rows: list[tuple[bytes, bytes, float]] = []
    tag = b""
    for line in data.split(b"\n"):
        fields = line.split()
        if not fields or (version == "10.0" and fields[0].startswith(b"#")):
            continue
        if len(fields) < 6:
            raise _bad_line(path, len(rows) + 1, fields, 6)
        score = real(fields[4])
        if version == "9.0.8":
            # A score that overflows float32 becomes infinite.
            with np.errstate(over="ignore"):
                score = float(np.float32(score))
        if score != score:
            message = f"line {len(rows) + 1}: the score is NaN, which has no place in a ranking"
            raise Exit(INPUT, f"trec_eval: {path}: {message}")
        rows.append((fields[0], fields[2], score))
        tag = fields[5]
    if not rows:
        raise _unreadable(path, "results", "no line holds a result")
    return _grouped_results(rows, tag)


def _grouped_results(rows: list[tuple[bytes, bytes, float]], tag: bytes) -> Results:
    scores: dict[bytes, dict[bytes, float]] = {}
    repeats: dict[bytes, int] = {}
    for topic, some in groupby(sorted(rows, key=lambda row: row[0]), key=lambda row: row[0]):
        best = scores[topic] = {}
        by_item = sorted(some, key=lambda row: row[1], reverse=True)
        for rank, (_, item, score) in enumerate(sorted(by_item, key=lambda row: -row[2]), 1):
            if item in best:
                repeats.setdefault(topic, rank)
            best.setdefault(item, score)
    topics, row_start, items, values = _columns(scores)
    return Results(Run(topics, row_start, items, np.array(values)), tag, repeats)


def _columns(
    known: dict[bytes, dict[bytes, float]],
) -> tuple[Ids, np.ndarray[Any, Any], Ids, list[float]]:
    """Topics, row_start, items and values of {topic: {item: value}}."""
    row_start = np.concatenate(([0], np.cumsum([len(values) for values in known.values()])))
    items = Ids.of([item for values in known.values() for item in values])
    return (
        Ids.of(list(known)),
        row_start,
        items,
        [v for values in known.values() for v in values.values()],
    )


def read_judgements(path: str, version: str) -> ReadQrels:
    """Read qrels."""
    data = bytes_of(path, "qrels")
    try:
        columns = (
            None if _is_odd(data, version) else kernel().read_qrels(data, "error", thread_count())
        )
    except Malformed:
        columns = None
    if columns is not None:
        topics, topic_start, row_start, items, item_start, grade, dropped = columns
        # As many rows as lines: no comment, no blank line (fatal to trec_eval), no repetition.
        if not dropped and len(grade) == data.count(b"\n") + (not data.endswith(b"\n")):
            qrels = Qrels(Ids(topics, topic_start), row_start, Ids(items, item_start), grade)
            return ReadQrels(qrels, int((grade > 0).sum()), frozenset())
    rows = [
        (fields[0], fields[2], whole(fields[3])) for fields in fields_of(data, 4, path, version)
    ]
    if not rows:
        raise _unreadable(path, "qrels", "no line holds a judgement")
    return judged_rows(rows)


def judged_rows(rows: list[tuple[bytes, bytes, int]]) -> ReadQrels:
    """Qrels from rows (topic, item, grade)."""
    repeats = set()
    grades: dict[bytes, dict[bytes, float]] = {}
    for topic, item, grade in rows:
        grade_by_item = grades.setdefault(topic, {})
        if item in grade_by_item:
            repeats.add(topic)
        grade_by_item.setdefault(item, grade)
    topics, row_start, items, values = _columns(grades)
    positive = sum(grade > 0 for *_, grade in rows)
    return ReadQrels(
        Qrels(topics, row_start, items, np.array(values, np.int64)), positive, frozenset(repeats)
    )


def read_judged_groups(path: str, version: str) -> tuple[dict[bytes, list[ReadQrels]], int]:
    """Each topic's groups in the order of their names, and the number of grades above 0."""
    lines = fields_of(bytes_of(path, "qrels"), 4, path, version)
    rows = sorted((topic, group, item, whole(grade)) for topic, group, item, grade in lines)
    result: dict[bytes, list[ReadQrels]] = {}
    for (topic, _), some in groupby(rows, key=lambda row: row[:2]):
        judged = judged_rows([(topic, item, grade) for _, _, item, grade in some])
        if judged.repeats:
            raise Exit(INPUT, f"trec_eval: {path}: {show_topic(topic)}: an item twice in one group")
        result.setdefault(topic, []).append(judged)
    return result, sum(grade > 0 for *_, grade in rows)


def read_preferences(path: str, version: str, grouped: bool) -> dict[bytes, list[Judgement]]:
    """Each topic's judgements, with subgroups (prefs) or in one subgroup each (qrels_prefs)."""
    result: dict[bytes, list[Judgement]] = {}
    for fields in fields_of(bytes_of(path, "prefs"), 5 if grouped else 4, path, version):
        subgroup = fields[2] if grouped else b"0"
        result.setdefault(fields[0], []).append((fields[1], subgroup, real(fields[-1]), fields[-2]))
    return result


def read_zscores(path: str) -> dict[tuple[bytes, str], tuple[float, float]]:
    """(topic, printed name) → mean and standard deviation."""
    lines = fields_of(bytes_of(path, "zscores", ZSCORES), 4, path, "10.0", ZSCORES)
    return {
        (line[0], line[1].decode(errors="replace")): (real(line[2]), real(line[3]))
        for line in lines
    }


def ranked_items(run: Run) -> dict[bytes, list[bytes]]:
    """Each topic's items by score; ties by ascending id, as trec_eval does for preferences."""
    items, scores, row_start = (
        run.items.bytes_of_each(),
        (-run.sort_key).tolist(),
        run.row_start.tolist(),
    )
    return {
        topic: [item for _, item in sorted(zip(scores[first:last], items[first:last], strict=True))]
        for topic, (first, last) in zip(
            run.topics.bytes_of_each(), pairwise(row_start), strict=True
        )
    }
