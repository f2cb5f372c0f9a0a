"""`read_run` and `read_qrels`: a run or qrels in any form, read into columns."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import replace
from os import fsdecode
from typing import Any

import numpy as np

from precall.core.arguments import check_kind
from precall.core.errors import (
    PROBLEM_LIMIT,
    DataError,
    Fact,
    Kind,
    Malformed,
    Mistake,
    UsageError,
    empty_path,
)
from precall.core.notes import Note
from precall.core.notes.of_reading import LastIsPadding, RankAsScore, RanksDisagree
from precall.core.ragged import Float64
from precall.core.rng import suggest_our_names
from precall.core.text import MARK, letters
from precall.native import kernel, literals
from precall.native.literals import Value
from precall.read.columns import (
    QRELS,
    RUN,
    Parsed,
    Qrels,
    Request,
    Run,
    Subject,
    fields_of,
    refuse_columns,
    turn_scores,
)
from precall.read.columns import request as make_request
from precall.read.formats import OF_COLUMNS
from precall.read.rank_order import contradiction_of_order, contradiction_of_rows
from precall.read.sources import (
    STANDARD_INPUT,
    contents,
    format_of,
    is_data_set,
    is_path,
    is_plain,
    label_of,
    stem,
)

#: Tables of more rows are not read again, row by row, because ranks contradict the scores.
_READ_AGAIN = 1_000_000
#: Packages whose objects are frames, or no source at all.
_FRAMES = (
    "polars",
    "pandas",
    "pyarrow",
    "duckdb",
    "narwhals",
    "modin",
    "cudf",
    "ibis",
    "dask",
    "pyspark",
    "datasets",
)


@suggest_our_names
def read_run(
    source: object,
    *,
    name: str | None = None,
    format: str | None = None,
    columns: Mapping[str, str] | None = None,
    duplicates: str = "error",
    score_dtype: str = "float64",
    lower_is_better: bool = False,
    threads: int | None = None,
) -> Run:
    """Read a run: scores by topic and item.

    Parameters
    ----------
    source : one of

        - a path: TREC text, CSV, TSV, JSONL, JSON, Parquet or Arrow, the same compressed by gzip or
          zstd, or `-` for standard input; `irds:NAME` is a data set of ir_datasets, if that is
          installed;
        - a dict {topic: {item: score}}, or {topic: [item, ...]}, whose items are in order, best
          first;
        - a data frame of Polars, pandas, PyArrow or DuckDB, a data set of Hugging Face, or any
          object with the Arrow capsule interface;
        - rows (topic, item, score), or dicts or tuples with named fields, such as those of
          ir_measures and ir_datasets;
        - a `Run`, which is returned as it is, or under the name given.

        Ids are texts or integers; an empty text is a missing one.
    name : name of the run (default: told from the path, else "run").
    format : "trec", "csv", "tsv", "jsonl", "json", "parquet" or "arrow" (default: told from the
        path's ending; any other ending is TREC text).
    columns : what the columns of a table or frame are called: {"topic": "user", "item": "song"}.
        Usual names are known without (`query-id`, `qid`, `docno`, `corpus-id`, `doc_id`, ...), and
        a note says which were taken; where there is no score, `rank` is (lowest first), or else the
        order of the rows.
    duplicates : what to do about an item that a topic has twice: "error", or keep the "first", the
        "last" or the "best" (highest score; the first of equal ones).
    score_dtype : "float64", or "float32" to round scores as older tools do (they are still held as
        float64; one that float32 cannot hold but as infinity is refused).
    lower_is_better : whether the lowest score is the best, as of distances.
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
    Fields of TREC text are separated by blanks; lines that are blank or begin with `#` are skipped.
    CSV and TSV have a header. Ids are text: "007" stays "007", and integers in dicts, frames, JSON
    and rows are written as decimals. A score is read by one rule everywhere: decimals, as texts,
    `Decimal` or numbers of a file, are rounded to the nearest float64; integers, written out or of
    Python, and fractions and long doubles are kept exactly or refused, as two of them could become
    equal; booleans, times and complex numbers are refused. Scores may be infinite, not NaN.
    Ranks in TREC text are not used, but a note says if they contradict the scores; if the lines do
    not stand by their ranks, only the first 64 KB are looked at.
    Archives are told by their names (.gz, .zst) or, without those, by the bytes they begin with.

    Examples
    --------
    >>> run = read_run({"q1": {"a": 2.5, "b": 1.0}, "q2": {"c": 3.0}}, name="bm25")
    >>> run
    <Run bm25: 2 topics, 3 items>
    >>> run.items.tolist(), run.score
    (['a', 'b', 'c'], array([2.5, 1. , 3. ]))
    """
    kind, origin, request = _check_request(
        source, Run, name, format, RUN, duplicates, threads, score_dtype, columns, lower_is_better
    )
    if isinstance(source, Run):
        return _apply_options(source, name, request)
    return _run_of(_parse(kind, source, format, request), source, kind, name, origin, request)


@suggest_our_names
def read_runs(
    source: object,
    run_column: str,
    *,
    name: str | None = None,
    format: str | None = None,
    columns: Mapping[str, str] | None = None,
    duplicates: str = "error",
    score_dtype: str = "float64",
    lower_is_better: bool = False,
    threads: int | None = None,
) -> dict[str, Run]:
    """The runs of one table, which a column tells apart, by name; in TREC text that is the tag, the
    last field.

    Parameters
    ----------
    source : a path, a frame, or rows with names, as `read_run` takes them.
    run_column : which column; the others are found as `read_run` finds them.
    name, format, columns, duplicates, score_dtype, lower_is_better, threads : as for `read_run`.

    Examples
    --------
    >>> rows = [
    ...     {"system": name, "topic": "q1", "item": item, "score": 1.0}
    ...     for name in ("a", "b")
    ...     for item in "xy"
    ... ]
    >>> read_runs(rows, "system")
    {'a': <Run a: 1 topic, 2 items>, 'b': <Run b: 1 topic, 2 items>}
    """
    check_kind("run_column", run_column, str, "the name of the column that tells runs apart")
    if isinstance(source, Mapping):
        from precall.read.id_lists import rows_of_columns

        source = rows_of_columns(source) or source
    kind, origin, request = _check_request(
        source,
        Run,
        name,
        format,
        RUN,
        duplicates,
        threads,
        score_dtype,
        columns,
        lower_is_better,
        run_column,
    )
    if kind in ("read", "dict"):
        raise UsageError(
            argument="run_column",
            got=Kind(source),
            why="which was read already" if kind == "read" else "which has no columns",
            remedy="pass {name: run, ...}",
        )
    parsed = _parse(kind, source, format, request)
    if parsed.apart is None:
        raise UsageError(
            argument="run_column",
            what=f"rows of {request.label} have no names",
            remedy="pass dicts, or a frame",
        )
    return {
        name: _run_of(parsed_run, source, kind, name, origin, request)
        for name, parsed_run in parsed.apart.items()
    }


def merge_runs(runs: Mapping[str, object], others: Mapping[str, object]) -> dict[str, Any]:
    """Runs of several tables by name; UsageError if a name occurs in two tables."""
    if twice := runs.keys() & others.keys():
        raise UsageError(
            argument="run_column",
            what="two tables have a run {got}",
            got=min(twice),
            remedy="give each run a name of its own",
        )
    return {**runs, **others}


def text_of_run(
    source: object,
    *,
    name: str | None = None,
    format: str | None = None,
    columns: Mapping[str, str] | None = None,
    duplicates: str = "error",
    score_dtype: str = "float64",
    lower_is_better: bool = False,
    threads: int | None = None,
) -> tuple[Request, Callable[[Parsed], Run]]:
    """How `read_run` would read a path of TREC text, and a function that makes a run of its
    rows.
    """
    kind, origin, request = _check_request(
        source, Run, name, format, RUN, duplicates, threads, score_dtype, columns, lower_is_better
    )
    _check_text(request)
    return request, lambda parsed: _run_of(parsed, source, kind, name, origin, request)


def _run_of(
    parsed: Parsed, source: Any, kind: str, name: str | None, origin: str, request: Request
) -> Run:
    tag = parsed.tag.decode()
    if name is None:
        name = stem(source) if kind == "file" and origin != STANDARD_INPUT else tag or "run"
    _refuse_strange_ids(parsed, request)
    score = 0.0 - parsed.value if parsed.negated else parsed.value
    notes = parsed.notes
    # A run that was read in pieces has no scores here.
    has_scores = len(score) == parsed.row_start[-1]
    notes += _padding_at_ends(parsed, score if has_scores else None)
    # The order of the rows does not matter either if there are ranks, which were compared with the
    # scores.
    is_held = parsed.has_ranks or (parsed.ascends and not parsed.dropped)
    by_rank = request.lowest_first or any(isinstance(note, RankAsScore) for note in notes)
    if has_scores and not (is_held or parsed.listed or parsed.ranked or by_rank):
        notes += contradiction_of_rows(parsed.row_start, score)
    return Run(
        *parsed[:3],
        score,
        name,
        origin,
        parsed.dropped,
        "float32" if request.float32 else "float64",
        tag,
        {},
        notes,
        parsed.listed,
        parsed.negated,
        parsed.ranked or parsed.listed,
    )


@suggest_our_names
def read_qrels(
    source: object,
    *,
    format: str | None = None,
    columns: Mapping[str, str] | None = None,
    duplicates: str = "error",
    threads: int | None = None,
) -> Qrels:
    """Read qrels: judgements (grades) by topic and item.

    Parameters
    ----------
    source : one of

        - a path, as for `read_run`, with grades in the place of scores;
        - a dict {topic: {item: grade}}, or {topic: [item, ...]}, whose items are of grade 1 each;
        - a data frame, or any object with the Arrow capsule interface;
        - rows (topic, item, grade), or dicts or tuples with named fields;
        - a `Qrels`, which is returned as it is.
    format : as for `read_run`.
    columns : as for `read_run`: of the grade the usual names are `grade`, `rel`, `relevance`,
        `label` and BEIR's `score`; where there is none, each grade is 1. In tables true and false
        are 1 and 0.
    threads : as for `read_run`.
    duplicates : what to do about an item judged twice with different grades: "error", or keep the
        "first", the "last" or the "best" (highest). Equal judgements are dropped and counted either
        way.

    Returns
    -------
    Qrels

    Raises
    ------
    DataError, UsageError, MissingExtra, OSError
        As for `read_run`. Grades are whole numbers of at most 32 bits, or numbers above 0 with a
        fraction, such as 4.5; or texts that say one as in CSV. A whole number below 0 says that
        nobody judged the item.

    Examples
    --------
    >>> qrels = read_qrels([("q1", "a", 2), ("q1", "b", 0)])
    >>> qrels
    <Qrels rows: 1 topic, 2 judgements>
    >>> qrels.grade
    array([2, 0])
    >>> read_qrels({"user": {"film": 4.5, "other": 3}}).grade
    array([4.5, 3. ])
    """
    kind, origin, request = _check_request(
        source, Qrels, None, format, QRELS, duplicates, threads, "float64", columns
    )
    if isinstance(source, Qrels):
        return source
    parsed = _parse(kind, source, format, request)
    _refuse_strange_ids(parsed, request)
    return Qrels(*parsed[:4], origin, parsed.dropped, parsed.notes, parsed.listed)


def _refuse_strange_ids(parsed: Parsed, request: Request) -> None:
    """Raise if there is an empty id, or an item -1 among whole numbers, which stands for nothing
    but would count as an item.
    """
    facts: list[tuple[object, ...]] = [(0, "dict-topic", repr(""))] * len(parsed.topics.empty())
    for row in parsed.items.empty().tolist():
        topic = parsed.topics[int(np.searchsorted(parsed.row_start, row, "right")) - 1]
        facts.append((0, "dict-item", topic, repr("")))
    if facts:
        from precall.read.problems import data_error

        raise data_error(Malformed(facts[:PROBLEM_LIMIT], len(facts)), request, "topic")
    # A run that was read in pieces has no scores here.
    rows = parsed.items.padding(parsed.value if len(parsed.value) == parsed.row_start[-1] else None)
    if len(rows):
        from precall.read.problems import PADDING

        topic = parsed.topics[int(np.searchsorted(parsed.row_start, rows[0], "right")) - 1]
        more = " ({topics} topics have it)" if len(rows) > 1 else ""
        how = (
            "among ids that are whole numbers from 0 on"
            if len(parsed.items.padding())
            else "with the score {score:.3g}, an end of float32"
        )
        raise Mistake(
            "topic {topic} has the item {got} " + how + more,
            PADDING,
            got="-1",
            topic=topic,
            score=parsed.value[rows[0]],
            topics=len(rows),
        ).error(request.label)


def _padding_at_ends(parsed: Parsed, score: Float64 | None) -> tuple[LastIsPadding, ...]:
    """A note if the last item of topics is -1. Among whole numbers it was refused; texts may be
    called anything.
    """
    start, topics = parsed.row_start, 0
    for row in parsed.items.minus_one().tolist():
        topic = int(np.searchsorted(start, row, "right"))
        begin, end = int(start[topic - 1]), int(start[topic])
        is_last = row == end - 1
        if score is not None and not parsed.listed:
            is_last = float(score[begin:end].min()) == float(score[row])
        topics += is_last and end - begin > 1
    return (LastIsPadding("", topics),) if topics else ()


def _scores_as_float32(run: Run, request: Request) -> Float64:
    from precall.read.problems import data_error
    from precall.read.values import round_to_float32, short_repr

    score, beyond = round_to_float32(run.score)
    topic = np.searchsorted(run.row_start, beyond, "right") - 1
    facts: list[tuple[object, ...]] = [
        (0, "float32-range", run.topics[i], run.items[row], short_repr(float(run.score[row])))
        for i, row in zip(topic.tolist(), beyond.tolist(), strict=True)
    ]
    if facts:
        raise data_error(Malformed(facts[:PROBLEM_LIMIT], len(facts)), request)
    return score


def _apply_options(run: Run, name: str | None, request: Request) -> Run:
    if request.float32 and run.score_dtype != "float32":
        # Rounded scores may have other ties, so earlier results of `locate` are invalid.
        run = replace(
            run, score=_scores_as_float32(run, request), score_dtype="float32", located={}
        )
    if request.lowest_first and not (run.lower_is_better or run.listed or run.ranked):
        run = replace(run, lower_is_better=True, located={})
    # The copy shares `located` with the original: a new name moves no items.
    return run if name is None or name == run.name else replace(run, name=name)


def columns_for_source(
    source: object, columns: Mapping[str, str] | None
) -> Mapping[str, str] | None:
    """`columns` for a source with named columns (a table, a frame or rows with names); None for any
    other source.

    Examples
    --------
    >>> (
    ...     columns_for_source("run.csv", {"topic": "qid"}),
    ...     columns_for_source("bm25.run", {"topic": "qid"}),
    ... )
    ({'topic': 'qid'}, None)
    """
    if columns is None:
        return None
    if is_path(source):
        return None if format_of(fsdecode(source), None) == "trec" else columns
    first = source[0] if isinstance(source, list | tuple) and source else None
    by_name = isinstance(first, Mapping) or hasattr(first, "_fields") or bool(fields_of(source))
    return columns if _is_frame(source) or by_name else None


def _is_frame(source: object) -> bool:
    # Frames are recognised by their library, without importing any.
    if type(source).__name__.startswith("Iterable"):
        return False  # streams of rows, as data sets of Hugging Face may be
    return (
        hasattr(source, "__arrow_c_stream__")
        or type(source).__module__.partition(".")[0] in _FRAMES
    )


def _check_request(
    source: Any, own: type, name: str | None, format: str | None, subject: Subject, *options: Any
) -> tuple[str, str, Request]:
    """The kind of the source, the text for `Run.source` and messages, and how to read it, with
    checked options.
    """
    kind = origin = _kind(source, own, name)
    if kind == "file":
        origin = fsdecode(source)
        if not origin:
            raise empty_path("source")
        format_of(origin, format)
        label = label_of(origin)
        origin = STANDARD_INPUT if origin == "-" else origin
    elif format is not None:
        raise UsageError(
            argument="format",
            got=Fact(f"{format!r} for data that is no file"),
            remedy="leave it out",
        )
    elif isinstance(source, str):
        label = origin = source  # the name of a data set
    else:
        label = kind if name is None or kind == "read" else f"{kind} {name!r}"
    return kind, origin, make_request(subject, label, *options)


def _kind(source: object, own: type, name: str | None) -> str:
    """The kind of the source: "file", "dict", "data set", "frame", "rows", or "read" if it was read
    before.
    """
    argument = "source" if name is None else f"run {name!r}"
    if isinstance(source, Run | Qrels):
        if not isinstance(source, own):
            raise UsageError(
                argument=argument,
                got=source,
                why=f"expected a {own.__name__} or data that can be read as one",
            )
        return "read"
    if is_path(source):
        return "file"
    if isinstance(source, Mapping):
        if _is_frame(next(iter(source.values()), None)):
            names = ", ".join(map(repr, source))
            raise UsageError(
                argument=argument,
                what=f"got several tables ({names})",
                remedy=f"pass one of them, such as data[{next(iter(source))!r}]",
            )
        return "dict"
    if is_data_set(source):
        return "data set"
    if _is_frame(source):
        return "frame"
    if hasattr(source, "read") and hasattr(source, "close"):
        raise UsageError(
            argument=argument,
            what="got an open file",
            remedy="pass its path, or - for standard input",
        )
    if isinstance(source, Iterable) and not isinstance(source, bytes | bytearray | memoryview):
        return "rows"
    raise UsageError(
        argument=argument,
        got=Kind(source),
        allowed=(
            "a path",
            "a dict of dicts or lists",
            "a data frame",
            "rows (topic, item, value)",
            "or a result of read_run or read_qrels",
        ),
    )


def _parse(kind: str, source: Any, format: str | None, request: Request) -> Parsed:
    """The rows of a source; if an item is twice in a topic, or ranks contradict the scores, it is
    asked whether a column tells several runs apart.
    """
    try:
        parsed = _parse_once(kind, source, format, request)
    except DataError as refused:
        is_twice = any(
            isinstance(problem.kind, tuple) and problem.kind[0] == "duplicate"
            for problem in refused.problems
        )
        if is_twice and _can_hold_runs(source, request):
            _refuse_several_runs(kind, source, format, request)
        raise
    disagree = any(isinstance(note, RanksDisagree) for note in parsed.notes)
    if disagree and len(parsed.items) <= _READ_AGAIN and _can_hold_runs(source, request):
        _refuse_several_runs(kind, source, format, request)
    return parsed


def _refuse_several_runs(kind: str, source: Any, format: str | None, request: Request) -> None:
    """Raise if a column tells several runs apart, by which items or ranks are not twice."""
    from precall.read.run_columns import PartsRuns, several_runs

    column = None
    # A source that can be read only once fails in its own way.
    with suppress(Exception):
        try:
            _parse_once(kind, source, format, replace(request, seeks_runs=True))
        except PartsRuns as found:
            column = str(found)
    if column is not None:
        raise several_runs(column, request) from None


def _can_hold_runs(source: object, request: Request) -> bool:
    """Whether a table may be one of several runs that nobody asked for, and can be read again."""
    return (
        request.subject is RUN
        and request.run_column is None
        and not (isinstance(source, Iterator) or (is_path(source) and fsdecode(source) == "-"))
    )


def _parse_once(kind: str, source: Any, format: str | None, request: Request) -> Parsed:
    # Readers are imported when they are needed: most processes need one.
    if kind == "file":
        return _read_file(fsdecode(source), format, request)
    if kind == "frame":
        from precall.read.frames import read_frame

        return read_frame(source, request)
    if kind == "dict":
        refuse_columns(request)
        from precall.read.mappings import is_of_mteb, read_dict

        if is_of_mteb(source):
            from precall.read.documents import run_of_mteb

            run, notes = run_of_mteb(source, request.label)
            parsed = read_dict(run, request)
            return parsed._replace(notes=(*parsed.notes, *notes))
        try:
            return read_dict(source, request)
        except DataError:
            from precall.read.documents import refuse_deep_mapping

            refuse_deep_mapping(source, request.label)
            raise
    from precall.read.rows import read_rows

    if kind == "data set":
        from precall.read.data_sets import rows_of

        source = rows_of(source, request.subject is RUN)
    return read_rows(source, request)


def _read_file(path: str, format: str | None, request: Request) -> Parsed:
    """The content of a file, by its format."""
    file_format = format_of(path, format)
    if file_format == "trec":
        return _read_text(path, request)
    if file_format in OF_COLUMNS:
        from precall.read.frame_files import read_binary

        return read_binary(path, file_format, request)
    if file_format == "json":
        return _read_document(path, request)
    from precall.read.tables import read_table

    return read_table(path, file_format, request, _rows_of_text)


def _read_document(path: str, request: Request) -> Parsed:
    """A run or qrels in JSON: rows, or a mapping, for which names of columns do not apply."""
    from precall.read.documents import read_document
    from precall.read.mappings import read_dict
    from precall.read.rows import read_rows

    document, notes = read_document(path, request.label)
    if isinstance(document, list):
        return read_rows(document, request)
    parsed = read_dict(document, replace(request, columns=None))
    return parsed._replace(notes=(*parsed.notes, *notes))


def _read_text(path: str, request: Request) -> Parsed:
    """A run or qrels in TREC text: lines of fields separated by blanks, read by the kernel."""
    _check_text(request)
    # The kernel gets the name of a plain file: it reads it in pieces and holds no copy.
    try:
        source = (
            path
            if is_plain(path)
            else contents(path, request.label, lambda lines: parse_text(lines, request))
        )
        if request.run_column is not None:
            from precall.read.run_columns import text_apart

            return text_apart(source, request, parse_whole)
        if isinstance(source, bytes) and not source[:1].isascii():
            from precall.read.cbor import is_cbor, read_cbor
            from precall.read.mappings import read_dict

            if is_cbor(source):
                return read_dict(read_cbor(source, request.label), request)
        return _rows_of_text(source, request)
    except Malformed as bad:
        # What text_apart raises.
        raise _data_error(bad, source, request) from None


def _rows_of_text(source: str | bytes, request: Request) -> Parsed:
    """The rows of TREC text, or of lines of query, passage and rank."""
    try:
        return turn_scores(parse_whole(source, request), request)
    except Malformed as bad:
        if (request.subject, bad.problems[0]) in (
            (RUN, (1, "fields", 3)),
            (QRELS, (1, "fields", 2)),
        ):
            from precall.read import no_heading

            lines = contents(source, request.label) if isinstance(source, str) else source
            table = lines.replace(b" ", b"\t")
            cells = table[: table.find(b"\n") + 1 or None].decode("utf-8", "replace").split()
            if request.subject is RUN:
                parsed = no_heading.read_ranks(table, "\t", request)
            elif no_heading.is_relevant_pair(cells, request):
                parsed = no_heading.read_pairs(table, "\t", request)
            else:
                parsed = None
            if parsed is not None:
                return parsed
        raise _data_error(bad, source, request) from None


def _data_error(bad: Malformed, source: str | bytes, request: Request) -> DataError:
    from precall.read.problems import data_error
    from precall.read.run_columns import refuse_tags_of_duplicates

    refuse_tags_of_duplicates(source, request, bad)
    return data_error(bad, request)


def _check_text(request: Request) -> None:
    """Refuse options that do not apply to TREC text."""
    if request.columns is not None:
        raise UsageError(
            argument="columns",
            what="TREC text has no named columns",
            remedy="leave it out, or name a table's format",
        )
    if request.lowest_first and request.duplicates == "best":
        raise UsageError(
            argument="duplicates",
            what='"best" is the highest score of TREC text',
            remedy='pass "first" or "last"',
        )
    from precall.read.run_columns import NAMES

    if request.run_column is not None and letters(request.run_column) not in NAMES:
        raise UsageError(
            argument="run_column",
            what="TREC text has no named columns; its runs differ in 'tag'",
            got=request.run_column,
        )


def parse_whole(source: str | bytes, request: Request) -> Parsed:
    """A run or qrels in TREC text, in memory or in a file, read completely; Malformed for bad
    lines.
    """
    parsed = parse_text(source, request)
    if parsed.ascends or request.subject is QRELS:
        return parsed
    from precall.read.trec_ranks import contradiction_of_beginning

    notes, has_ranks = contradiction_of_beginning(source, request)
    return parsed._replace(notes=(*parsed.notes, *notes), has_ranks=has_ranks)


def _tables(data: bytes) -> Iterator[bytes]:
    """Fields separated by a tab each: as they are if one blank separates them, and else of lines
    that are taken apart. Nothing where a table would have other rules.
    """
    if b'"' in data:
        return
    if b"#" not in data:
        yield data.replace(b" ", b"\t")
    if b"\v" in data or b"\f" in data:  # split() also splits at these, which ids may have
        return
    lines = (b"\t".join(line.split()) for line in data.split(b"\n") if line[:1] != b"#")
    table = b"\n".join(filter(None, lines))
    if b"#" not in table:
        yield table


def _with_fractions(source: str | bytes, asked: Request) -> Parsed:
    """Qrels in TREC text with a grade that is not a whole number, which kernels do not read."""
    from precall.native.twin_text import contents, read_judgements
    from precall.read.grades import array_of_grades
    from precall.read.tables import with_fractions
    from precall.read.values import grade_of_text

    data = contents(source)
    # With one tab between fields it is a table, which is read in a twentieth of the time.
    for table in _tables(data.removeprefix(MARK)):
        columns = with_fractions(table, (0, "\t", 4, [0, 2, 3]), asked)
        if columns is not None:
            return Parsed.of(*columns)

    def read(text: str) -> Value:
        # true and false are grades of tables only.
        whole = literals.grade(text)
        return whole if text.isalpha() else grade_of_text(text)

    rows, grades, dropped = read_judgements(data, asked.duplicates, read)
    return Parsed.of(*rows, array_of_grades(grades), dropped)


def parse_text(source: str | bytes, asked: Request) -> Parsed:
    """The same for any part of a text; its notes about ranks rest on the order of the lines
    alone.
    """
    if asked.subject is QRELS:
        try:
            return Parsed.of(*kernel().read_qrels(source, asked.duplicates, asked.threads))
        except Malformed as bad:
            if all(kind != "grade" for _, kind, *_ in bad.problems):
                raise
            return _with_fractions(source, asked)
    topics, start, row_start, items, item_start, score, tag, dropped, one_tag, ascends = (
        kernel().read_run(source, asked.float32, asked.duplicates, asked.threads)
    )
    notes = tuple[Note, ...]()
    if not one_tag:
        from precall.read.run_columns import refuse_tags

        notes = refuse_tags(source, asked)
    parsed = Parsed.of(topics, start, row_start, items, item_start, score, dropped, tag)
    if ascends:
        notes = (*notes, *contradiction_of_order(turn_scores(parsed, asked), asked))
    return parsed._replace(notes=notes, ascends=ascends)
