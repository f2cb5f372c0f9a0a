"""The files, read as trec_eval reads them: leniently where it is, and refusing what it refuses.

Well-formed files take precall's kernel. What the kernel refuses, or trec_eval may see otherwise (repeated
items, words for numbers, comments), is read once more line by line by trec_eval's rules.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import groupby, pairwise
from pathlib import Path

import numpy as np

from precall.compat.trec_eval.exits import INPUT, ZSCORES, Exit
from precall.compat.trec_eval.preferences import Judgement
from precall.compat.trec_eval.trec_numbers import real, whole
from precall.errors import DataError, Malformed, MissingExtra
from precall.native import kernel, thread_count
from precall.ragged import Bytes, Int64
from precall.read.columns import Ids, Qrels, Run
from precall.read.sources import contents, is_plain

#: Bytes of a file that are looked at together.
_PIECE = 1 << 20
#: The least depth (-M) at which a topic shows the same item twice.
Repeats = dict[bytes, int]


@dataclass(frozen=True)
class Results:
    """A run, its tag, and the topics that retrieve an item twice."""

    run: Run
    tag: bytes
    repeats: Repeats


@dataclass(frozen=True)
class Judged:
    """Qrels, how many grades in them are above 0, and the topics that judge an item twice."""

    qrels: Qrels
    positive: int
    repeats: frozenset[bytes]


def bytes_of(path: str, what: str, code: int = INPUT) -> bytes:
    """All of a file, decompressed; `Exit` if it cannot be read or is empty."""
    try:
        data = contents(path, path)
    except (OSError, DataError, MissingExtra) as error:
        raise Exit(code, f"trec_eval: cannot read {what} file '{path}' ({error})") from None
    if not data:
        raise Exit(code, f"trec_eval: cannot read {what} file '{path}' (it is empty)")
    if b"\0" in data:
        raise Exit(code, f"trec_eval: {what} file '{path}' holds a NUL byte")
    return data


def fields_of(data: bytes, number: int, path: str, version: str, code: int = INPUT) -> Iterator[list[bytes]]:
    """The fields of each line; every line must have exactly `number`.

    10.0 takes a line that begins with # for a comment, but not two in a row: so do we.
    """
    lines = data.split(b"\n")
    if not lines[-1]:
        lines.pop()
    read, skipped = 0, False
    for line in lines:
        if version == "10.0" and code == INPUT and line.startswith(b"#") and not skipped:
            skipped = True
            continue
        skipped = False
        read += 1
        fields = line.split()
        if len(fields) != number:
            what = f"malformed line {read}: {len(fields)} fields, expected {number}"
            raise Exit(code, f"trec_eval: {path}: {what}")
        yield fields


def read_results(path: str, version: str) -> Results:
    """The run, its scores rounded to float32 for 9.0.8."""
    if version == "10.0" and path.startswith("-"):
        path = "-"
    elif path == "-":
        raise Exit(INPUT, "trec_eval: 9.0.8 does not read standard input; use --as 10.0, or a file")
    try:
        source = path if is_plain(path) else bytes_of(path, "results")
    except OSError as error:
        raise Exit(INPUT, f"trec_eval: cannot read results file '{path}' ({error.strerror})") from None
    narrow = version == "9.0.8"
    try:
        columns = (
            None
            if _commented(source, version)
            else kernel().read_run(source, narrow, "error", thread_count())
        )
    except Malformed:
        columns = None
    if columns is None or _suspect(columns[0], columns[1]):
        data = bytes_of(path, "results") if isinstance(source, str) else source
        return _lenient_results(data, path, version)
    topics, topic_start, row_start, items, item_start, score, tag, _ = columns
    dtype = "float32" if narrow else "float64"
    run = Run(Ids(topics, topic_start), row_start, Ids(items, item_start), score, score_dtype=dtype)
    return Results(run, tag, {})


def _commented(source: str | bytes, version: str) -> bool:
    """Whether a run may hold what the kernel reads otherwise."""
    if isinstance(source, bytes):
        return _odd(source, version)
    with Path(source).open("rb") as file:
        if not os.fstat(file.fileno()).st_size:
            raise Exit(INPUT, f"trec_eval: cannot read results file '{source}' (it is empty)")
        # In pieces: a mapped file that others cut short ends the process.
        last = b""
        while piece := file.read(_PIECE):
            if _odd(piece, version, last):
                return True
            last = piece[-1:]
    return False


def _odd(data: bytes, version: str, last: bytes = b"") -> bool:
    """A byte-order mark, blanks that are none to the kernel, comments, which are none to 9.0.8.

    `last` is the byte before the data, if there is one.
    """
    if (not last and data.startswith(b"\xef\xbb\xbf")) or b"\v" in data or b"\f" in data:
        return True
    begins_line = last in (b"", b"\n")
    return version == "9.0.8" and ((begins_line and data.startswith(b"#")) or b"\n#" in data)


def _suspect(topics: Bytes, start: Int64) -> bool:
    """Whether a topic begins with #: an indented comment, to trec_eval."""
    return bool(np.any(topics[start[:-1]] == ord("#")))


def _narrowed(score: float) -> float:
    # What float32 cannot hold is infinite.
    with np.errstate(over="ignore"):
        return float(np.float32(score))


def _lenient_results(data: bytes, path: str, version: str) -> Results:
    rows: list[tuple[bytes, bytes, float]] = []
    tag = b""
    for line in data.split(b"\n"):
        fields = line.split()
        if not fields or (version == "10.0" and fields[0].startswith(b"#")):
            continue
        if len(fields) < 6:
            what = f"malformed line {len(rows) + 1}: {len(fields)} fields, expected 6"
            raise Exit(INPUT, f"trec_eval: {path}: {what}")
        score = real(fields[4])
        score = _narrowed(score) if version == "9.0.8" else score
        if score != score:
            what = f"line {len(rows) + 1}: the score is NaN, which has no place in a ranking"
            raise Exit(INPUT, f"trec_eval: {path}: {what}")
        rows.append((fields[0], fields[2], score))
        tag = fields[5]
    if not rows:
        raise Exit(INPUT, f"trec_eval: cannot read results file '{path}' (no line holds a result)")
    return _grouped_results(rows, tag)


def _grouped_results(rows: list[tuple[bytes, bytes, float]], tag: bytes) -> Results:
    topics: list[bytes] = []
    items: list[bytes] = []
    scores: list[float] = []
    row_start = [0]
    repeats: Repeats = {}
    for topic, some in groupby(sorted(rows, key=lambda row: row[0]), key=lambda row: row[0]):
        best: dict[bytes, float] = {}
        by_item = sorted(some, key=lambda row: row[1], reverse=True)
        for place, (_, item, score) in enumerate(sorted(by_item, key=lambda row: -row[2]), 1):
            if item in best:
                repeats.setdefault(topic, place)
            best.setdefault(item, score)
        topics.append(topic)
        items += best
        scores += best.values()
        row_start.append(len(items))
    run = Run(Ids.of(topics), np.array(row_start), Ids.of(items), np.array(scores))
    return Results(run, tag, repeats)


def read_judged(path: str, version: str) -> Judged:
    """The qrels."""
    data = bytes_of(path, "qrels")
    try:
        columns = None if _odd(data, version) else kernel().read_qrels(data, "error", thread_count())
    except Malformed:
        columns = None
    if columns is not None:
        topics, topic_start, row_start, items, item_start, grade, dropped = columns
        # As many rows as lines: no comment, no blank line (fatal to trec_eval), no repetition.
        if not dropped and len(grade) == data.count(b"\n") + (not data.endswith(b"\n")):
            qrels = Qrels(Ids(topics, topic_start), row_start, Ids(items, item_start), grade)
            return Judged(qrels, int((grade > 0).sum()), frozenset())
    rows = [(fields[0], fields[2], whole(fields[3])) for fields in fields_of(data, 4, path, version)]
    if not rows:
        raise Exit(INPUT, f"trec_eval: cannot read qrels file '{path}' (no line holds a judgement)")
    return judged_rows(rows)


def judged_rows(rows: list[tuple[bytes, bytes, int]]) -> Judged:
    """Qrels from rows (topic, item, grade)."""
    repeats = set()
    grades: dict[bytes, dict[bytes, int]] = {}
    for topic, item, grade in rows:
        known = grades.setdefault(topic, {})
        if item in known:
            repeats.add(topic)
        known.setdefault(item, grade)
    items = [item for known in grades.values() for item in known]
    column = np.array([grade for known in grades.values() for grade in known.values()], np.int64)
    row_start = np.concatenate(([0], np.cumsum([len(known) for known in grades.values()])))
    positive = sum(grade > 0 for *_, grade in rows)
    return Judged(Qrels(Ids.of(list(grades)), row_start, Ids.of(items), column), positive, frozenset(repeats))


def read_judged_groups(path: str, version: str) -> tuple[dict[bytes, list[Judged]], int]:
    """Each topic's groups, in the order of their names, and how many grades are above 0."""
    data = bytes_of(path, "qrels")
    rows = sorted(
        (fields[0], fields[1], fields[2], whole(fields[3])) for fields in fields_of(data, 4, path, version)
    )  # fmt: skip
    result: dict[bytes, list[Judged]] = {}
    for (topic, _), some in groupby(rows, key=lambda row: row[:2]):
        judged = judged_rows([(topic, item, grade) for _, _, item, grade in some])
        if judged.repeats:
            name = topic.decode(errors="replace")
            raise Exit(INPUT, f"trec_eval: {path}: topic '{name}': an item twice in one group")
        result.setdefault(topic, []).append(judged)
    return result, sum(grade > 0 for *_, grade in rows)


def read_preferences(path: str, version: str, grouped: bool) -> dict[bytes, list[Judgement]]:
    """Each topic's judgements, with subgroups (prefs) or in one subgroup each (qrels_prefs)."""
    result: dict[bytes, list[Judgement]] = {}
    for fields in fields_of(bytes_of(path, "prefs"), 5 if grouped else 4, path, version):
        part = fields[2] if grouped else b"0"
        result.setdefault(fields[0], []).append((fields[1], part, real(fields[-1]), fields[-2]))
    return result


def read_zscores(path: str) -> dict[tuple[bytes, str], tuple[float, float]]:
    """(topic, printed name) → mean and standard deviation."""
    lines = fields_of(bytes_of(path, "zscores", ZSCORES), 4, path, "10.0", ZSCORES)
    return {(line[0], line[1].decode(errors="replace")): (real(line[2]), real(line[3])) for line in lines}


def ranked_items(run: Run) -> dict[bytes, list[bytes]]:
    """Each topic's items by score, equal scores by id (ascending: so trec_eval ranks for preferences)."""
    items, scores, row_start = run.items.encoded(), (-run.score).tolist(), run.row_start.tolist()
    return {
        topic: [item for _, item in sorted(zip(scores[first:last], items[first:last], strict=True))]
        for topic, (first, last) in zip(run.topics.encoded(), pairwise(row_start), strict=True)
    }
