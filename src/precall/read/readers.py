"""read_run and read_qrels: whatever holds a run or qrels, read into columns."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from os import fsdecode
from typing import Any

import numpy as np

from precall.errors import PROBLEM_LIMIT, Malformed, UsageError
from precall.ragged import Float64
from precall.read.columns import Qrels, Run
from precall.read.sources import STANDARD_INPUT, format_of, is_path, stem
from precall.read.subjects import QRELS, RUN, Parsed, Request, request
from precall.text import printable

#: Packages whose objects are frames, or no source at all.
_FRAMES = ("polars", "pandas", "pyarrow", "duckdb", "narwhals", "modin", "cudf", "ibis", "dask", "pyspark")


def read_run(
    source: Any,
    *,
    name: str | None = None,
    format: str | None = None,
    columns: Mapping[str, str] | None = None,
    duplicates: str = "error",
    score_dtype: str = "float64",
    threads: int | None = None,
) -> Run:
    """Read a run: scores by topic and item.

    Parameters
    ----------
    source : one of

        - a path: TREC text, CSV, TSV, JSONL, Parquet or Arrow, the same compressed by gzip or zstd, or `-` for
          standard input;
        - a dict {topic: {item: score}};
        - a data frame of Polars, pandas, PyArrow or DuckDB, or any object with the Arrow capsule interface;
        - rows (topic, item, score);
        - a `Run`, which is returned as it is, or under the name given.
    name : name of the run (default: told from the path, else "run").
    format : "trec", "csv", "tsv", "jsonl", "parquet" or "arrow" (default: told from the path's ending; any
        other ending is TREC text).
    columns : what the columns of a table or frame are called, if not topic, item and score: for instance
        {"topic": "qid", "item": "docid"}.
    duplicates : what to do about an item that a topic has twice: "error", or keep the "first", the "last" or
        the "best" (highest score; the first of equal ones).
    score_dtype : "float64", or "float32" to round scores as older tools do (they are still held as float64; one that
        float32 cannot hold but as infinity is refused).
    threads : at most this many (default: PRECALL_THREADS, else the processors granted).

    Returns
    -------
    Run

    Raises
    ------
    DataError
        The input is malformed; all its problems are listed, up to 20.
    UsageError
        An option is not allowed, or the source is none of the above.
    MissingExtra
        A format needs a package that is not installed.
    OSError
        The file cannot be read.

    Notes
    -----
    Fields of TREC text are separated by blanks; lines that are blank or begin with `#` are skipped. CSV and
    TSV have a header. Ids are text: "007" stays "007", and integers in dicts, frames, JSON and rows are
    written as decimals. A score is read by one rule everywhere: decimals, as texts, `Decimal` or numbers of a file, are
    rounded to the nearest float64; integers, written out or of Python, and fractions and long doubles are kept exactly or
    refused, as two of them could become equal; times and complex numbers are refused. Scores may be infinite, not NaN.
    Archives are told by their names (.gz, .zst) or, without those, by the bytes they begin with.

    Examples
    --------
    >>> run = read_run({"q1": {"a": 2.5, "b": 1.0}, "q2": {"c": 3.0}}, name="bm25")
    >>> run
    <Run bm25: 2 topics, 3 items>
    >>> run.items.tolist(), run.score
    (['a', 'b', 'c'], array([2.5, 1. , 3. ]))
    """
    kind = _kind(source, Run, name)
    origin = _said(kind, source, format)
    asked = request(RUN, _label(origin, name), duplicates, threads, score_dtype, columns)
    if isinstance(source, Run):
        return _renamed(source, name, asked)
    parsed = _parsed(kind, source, format, asked)
    columns_read: tuple[Any, Any, Any, Any] = parsed[:4]
    tag = parsed.tag.decode()
    if name is None:
        name = stem(source) if is_path(source) and origin != STANDARD_INPUT else tag or "run"
    return Run(
        *columns_read, name=name, source=origin, dropped=parsed.dropped, score_dtype=score_dtype, tag=tag
    )  # fmt: skip


def read_qrels(
    source: Any,
    *,
    format: str | None = None,
    columns: Mapping[str, str] | None = None,
    duplicates: str = "error",
    threads: int | None = None,
) -> Qrels:
    """Read qrels: judgements (grades) by topic and item.

    Parameters
    ----------
    source, format, columns, threads : as for `read_run`, with grade in place of score; a `Qrels` is returned
        as it is.
    duplicates : what to do about an item judged twice with different grades: "error", or keep the "first",
        the "last" or the "best" (highest). Equal judgements are dropped and counted either way.

    Returns
    -------
    Qrels

    Raises
    ------
    DataError, UsageError, MissingExtra, OSError
        As for `read_run`. Grades are integers of at most 32 bits.

    Examples
    --------
    >>> qrels = read_qrels([("q1", "a", 2), ("q1", "b", 0)])
    >>> qrels
    <Qrels rows: 1 topics, 2 judgements>
    >>> qrels.grade
    array([2, 0])
    """
    kind = _kind(source, Qrels)
    origin = _said(kind, source, format)
    asked = request(QRELS, _label(origin, None), duplicates, threads, columns=columns)
    if isinstance(source, Qrels):
        return source
    parsed = _parsed(kind, source, format, asked)
    columns_read: tuple[Any, Any, Any, Any] = parsed[:4]
    return Qrels(*columns_read, source=origin, dropped=parsed.dropped)


def _narrowed(run: Run, asked: Request) -> Float64:
    from precall.read.problems import data_error
    from precall.read.values import narrowed, written

    score, beyond = narrowed(run.score)
    topic = np.searchsorted(run.row_start, beyond, "right") - 1
    facts: list[tuple[object, ...]] = [
        (0, "float32-range", run.topics[i], run.items[row], written(float(run.score[row])))
        for i, row in zip(topic.tolist(), beyond.tolist(), strict=True)
    ]
    if facts:
        raise data_error(Malformed(facts[:PROBLEM_LIMIT], len(facts)), asked)
    return score


def _renamed(run: Run, name: str | None, asked: Request) -> Run:
    if asked.float32 and run.score_dtype != "float32":
        # Other scores, other ties: what was located before does not hold for them.
        run = replace(run, score=_narrowed(run, asked), score_dtype="float32", located={})
    # The copy shares `located` with the original: another name does not move an item.
    return run if name is None or name == run.name else replace(run, name=name)


def named(source: Any, columns: Mapping[str, str] | None) -> Mapping[str, str] | None:
    """`columns` for a source that has named columns, a table or a frame; None for all others.

    Examples
    --------
    >>> named("run.csv", {"topic": "qid"}), named("bm25.run", {"topic": "qid"})
    ({'topic': 'qid'}, None)
    """
    if is_path(source):
        return None if format_of(fsdecode(source), None) == "trec" else columns
    return columns if hasattr(source, "__arrow_c_stream__") or _is_frame(source) else None


def _kind(source: Any, own: type, name: str | None = None) -> str:
    """What holds the data: "file", "dict", "frame", "rows" or, already read, "read"."""
    place = "source" if name is None else f"run {name!r}"
    if isinstance(source, Run | Qrels):
        if not isinstance(source, own):
            raise UsageError(f"{place}: got {source!r}, expected a {own.__name__} or what can be read as one")
        return "read"
    if is_path(source):
        return "file"
    if isinstance(source, Mapping):
        return "dict"
    if hasattr(source, "__arrow_c_stream__") or _is_frame(source):
        return "frame"
    if isinstance(source, Iterable) and not isinstance(source, bytes | bytearray | memoryview):
        return "rows"
    raise UsageError(
        f"{place}: got {type(source).__name__}, allowed are a path, a dict of dicts, a data frame, "
        "rows (topic, item, value), or what read_run or read_qrels returned"
    )


def _is_frame(source: Any) -> bool:
    # Frames of other libraries are told by the library, without importing any of them.
    return type(source).__module__.partition(".")[0] in _FRAMES


def _said(kind: str, source: Any, format: str | None) -> str:
    """What `Run.source` says, and messages begin with."""
    if kind == "file":
        path = fsdecode(source)
        if not path:
            raise UsageError("source: empty path; name a file, or - for standard input")
        format_of(path, format)
        return STANDARD_INPUT if path == "-" else path
    if format is not None:
        raise UsageError(f"format: got {format!r} for data that is no file; leave it out")
    return kind


def _label(origin: str, name: str | None) -> str:
    return (
        f"{origin} {name!r}"
        if name is not None and origin in ("dict", "rows", "frame")
        else printable(origin)
    )


def _parsed(kind: str, source: Any, format: str | None, asked: Request) -> Parsed:
    # Each reader is imported when it is first needed: most processes need one.
    if kind == "file":
        path = fsdecode(source)
        chosen = format_of(path, format)
        if chosen == "trec":
            from precall.read.trec import read_trec

            return read_trec(path, asked)
        if chosen in ("parquet", "arrow"):
            from precall.read.binaries import read_binary

            return read_binary(path, chosen, asked)
        from precall.read.tables import read_table

        return read_table(path, chosen, asked)
    if kind == "frame":
        from precall.read.frames import read_frame

        return read_frame(source, asked)
    if asked.columns is not None:
        raise UsageError("columns: only tables and frames have named columns; leave it out")
    if kind == "dict":
        from precall.read.dicts import read_dict

        return read_dict(source, asked)
    from precall.read.rows import read_rows

    return read_rows(source, asked)
