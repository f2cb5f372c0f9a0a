"""Tables with a row per query and lists in their cells, as pipelines of retrieval and generation
log them.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from itertools import pairwise
from os import PathLike, fsdecode
from typing import Any, TypeAlias

from precall.core.arguments import check_choice, check_kind
from precall.core.errors import (
    DataError,
    Fact,
    Kind,
    Mistake,
    Problem,
    UsageError,
    map_problems,
)
from precall.core.rng import suggest_our_names
from precall.core.text import join_in_sentence, many, refuse_folder
from precall.core.vocabulary import LISTS, speaking
from precall.read.column_names import column_of, note_renamed_columns
from precall.read.columns import LIST_ROLES, QRELS, Qrels, Request, Run
from precall.read.formats import WITH_LISTS
from precall.read.id_lists import as_python, is_list
from precall.read.problems import NO_RESULTS, Findings, data_error, no_column, show_text
from precall.read.readers import read_qrels, read_run
from precall.read.runs import LIST_NAME
from precall.read.sources import STANDARD_INPUT, contents, format_of, is_path, label_of, stem
from precall.read.values import Typed, is_missing


@suggest_our_names
def read_lists(
    source: Any,
    *,
    name: str | None = None,
    format: str | None = None,
    columns: Mapping[str, str] | None = None,
    duplicates: str = "error",
    threads: int | None = None,
) -> tuple[Qrels, Run]:
    """Read rows of lists: for each query what is relevant, and what was retrieved, in order.

    Parameters
    ----------
    source : one of

        - a path: JSONL, JSON (a list of objects), Parquet or Arrow, the same compressed by gzip or
          zstd, or `-` for standard input;
        - a data frame of Polars, pandas, PyArrow or DuckDB, or a data set of Hugging Face;
        - dicts, one for each row, or a dict of columns.

        Its columns are `query` (an id or the text itself; without it rows are numbered from 0),
        `retrieved` (a list of ids, best first, or {id: score}), `gold` (a list of ids, or {id:
        grade}) and perhaps `grades` (a list of whole numbers, one for each id of `gold`). Other
        usual names are known, such as `query_id`, `expected_ids`, `retrieved_context_ids`, and a
        note says which were taken.
    name : name of the system (default: from the path, else "retrieved").
    format : "jsonl", "json", "parquet" or "arrow" (default: told from the path's ending).
    columns : what the columns are called, if not so: {"query": "question", "gold": "expected"}.
    duplicates : what to do about an id that a list of `retrieved` has twice: "error", or keep the
        "first", the "last" or the "best" (the first). An id that is twice in `gold` is counted
        once.
    threads : as for `read_run`.

    Returns
    -------
    tuple of Qrels and Run
        As `evaluate` takes them; every query counts there, one without results as an empty ranking.

    Raises
    ------
    DataError
        A cell holds no list, a query is there twice, or an id is twice in a list; all problems are
        listed, up to 20.
    UsageError
        An option is not allowed, or the source is none of the above.

    Examples
    --------
    >>> from precall import evaluate
    >>> rows = [
    ...     {"query": "q1", "retrieved": ["a", "b"], "gold": ["b"]},
    ...     {"query": "q2", "retrieved": [], "gold": ["c"]},
    ... ]
    >>> report = evaluate(*read_lists(rows), ["Recall@5", "MRR"])
    >>> report["Recall@5"], report["MRR"]
    (0.5, 0.25)
    """
    for role in check_kind("columns", columns or {}, Mapping, "{role: column}"):
        check_choice("columns", role, LIST_ROLES)
    if format is not None:
        check_choice("format", format, WITH_LISTS)
    label, unit, names, cells, lines = _table(source, format)
    chosen = _choose_columns(names, dict(columns or {}), label)
    table = _ListRows(label, unit, lines, {role: cells(column) for role, column in chosen.items()})
    gold, retrieved = table.mappings()
    with map_problems(lambda problem: problem._replace(source=label)), speaking(LISTS):
        qrels = read_qrels(gold, duplicates=duplicates, threads=threads)
        run = read_run(retrieved, duplicates=duplicates, threads=threads)
    of_file = is_path(source) and label != STANDARD_INPUT
    origin = fsdecode(source) if of_file else label
    name = name or (stem(source) if of_file else LIST_NAME)
    return (
        replace(qrels, source=origin, notes=note_renamed_columns(chosen), listed=True),
        replace(run, source=origin, name=name, listed=True, ranked=run.ranked or run.listed),
    )


def read_systems(
    paths: Sequence[str], names: Sequence[str], **options: Any
) -> tuple[Qrels, list[Run]]:
    """Tables of lists, one per system, and the names of the systems; DataError if their gold
    differs.
    """
    read = [read_lists(path, name=name, **options) for path, name in zip(paths, names, strict=True)]
    gold = read[0][0]
    for other, run in read[1:]:
        if unequal_queries := _unequal_queries(gold, other):
            there = set(other.topics.tolist())
            lacking = [query for query in unequal_queries if query not in there]
            remedy = (
                f"; {show_text(lacking[0])} is missing: write a row with [] for a query that "
                "retrieved nothing"
                if lacking
                else ""
            )
            mistake = Mistake(
                "the gold differs from that of {other:s} in {count} (such as {got})",
                f"give all systems one gold{remedy}",
                got=unequal_queries[0],
                other=label_of(gold.source),
                count=Fact(many(len(unequal_queries), "query", "queries")),
            )
            raise mistake.error(label_of(run.source))
    return gold, [run for _, run in read]


def _unequal_queries(first: Qrels, second: Qrels) -> list[str]:
    """The queries that two qrels judge differently, in the order of their first appearance."""
    ours, theirs = _judgements(first), _judgements(second)
    return [
        query for query in dict.fromkeys([*ours, *theirs]) if ours.get(query) != theirs.get(query)
    ]


def _judgements(qrels: Qrels) -> dict[str, dict[str, int]]:
    items, grades, start = qrels.items.tolist(), qrels.grade.tolist(), qrels.row_start.tolist()
    rows = zip(qrels.topics.tolist(), pairwise(start), strict=True)
    return {topic: dict(zip(items[a:b], grades[a:b], strict=True)) for topic, (a, b) in rows}


#: What messages call a table and its rows, its columns, a function that gives their cells, and the
#: line of each row.
ListTable: TypeAlias = tuple[str, str, list[str], Callable[[str], Any], Sequence[int]]


def _table(source: object, format: str | None) -> ListTable:
    """The table that a source holds."""
    if is_path(source):
        return _of_file(fsdecode(source), format)
    if (
        isinstance(source, list | tuple)
        and source
        and all(isinstance(row, Mapping) for row in source)
    ):
        return _of_rows(source, range(1, len(source) + 1), "rows", "row")
    if isinstance(source, Mapping) and source and all(map(is_list, source.values())):
        cells = {name: as_python(column) for name, column in source.items()}
        if len(sizes := set(map(len, cells.values()))) == 1:
            return "dict", "row", list(cells), cells.__getitem__, range(1, sizes.pop() + 1)
    if (frame := _frame(source)) is None:
        raise UsageError(
            argument="source",
            got=Kind(source),
            allowed=(
                "a path",
                "a data frame",
                "a list of dicts",
                "or a dict of columns, with query, retrieved and gold",
            ),
        )
    return _of_frame(frame, "frame")


def _of_file(path: str, format: str | None) -> ListTable:
    refuse_folder(path)  # which has no ending that says its format, either
    label, kind = label_of(path), format or format_of(path, None)
    if kind not in WITH_LISTS and label == STANDARD_INPUT:
        raise UsageError(f"name the format of {label}: ⟨format='jsonl'⟩")
    if kind not in WITH_LISTS:
        raise UsageError(
            argument=label,
            what="lists are in files of JSON, JSON lines, Parquet or Arrow",
            remedy=(
                f"write it as {join_in_sentence(WITH_LISTS, 'or')}, and name it with ⟨format=⟩ "
                "if the file name does not"
            ),
        )
    if kind == "jsonl":
        return _of_lines(path, label)
    if kind == "json":
        from precall.read.documents import read_document

        rows = read_document(path, label)[0]
        if not isinstance(rows, list) or not all(isinstance(row, dict) for row in rows):
            todo = 'write [{"query": ..., "retrieved": [...], "gold": [...]}, ...]'
            mistake = Mistake("not a list of objects, one for each query", todo, got=Kind(rows))
            raise mistake.error(label)
        return _of_rows(rows, range(1, len(rows) + 1), label, "row")
    from precall.read.frame_files import frame_of

    return _of_frame(frame_of(path, kind, label, list), label)


def _of_frame(frame: Any, label: str) -> ListTable:
    columns, numbers = list(frame.columns), range(1, len(frame) + 1)
    return label, "row", columns, lambda name: frame[name].to_list(), numbers


def _frame(source: object) -> Any:
    """A data frame, through Narwhals; None for anything else."""
    import narwhals as nw

    from precall.read.arrow_streams import by_polars
    from precall.read.frames import native_of, to_narwhals
    from precall.read.indexes import out_of_index

    table = native_of(source)
    # Queries may stand in the index of pandas.
    if (table_with_index := out_of_index(table, Request(QRELS, "frame", "error", 1))) is not None:
        table = table_with_index
    frame = to_narwhals(table, "frame")
    if not isinstance(frame, nw.DataFrame | nw.LazyFrame) and hasattr(table, "__arrow_c_stream__"):
        need = "reading a table that speaks Arrow only needs Polars"
        frame = nw.from_native(by_polars(table, "frame", need, ""))
    if isinstance(frame, nw.LazyFrame):
        frame = frame.collect()
    return frame if isinstance(frame, nw.DataFrame) else None


def _of_lines(path: str | PathLike[str], label: str) -> ListTable:
    from precall.read.tables import records_of

    def read(data: bytes) -> list[tuple[int, dict[str, Any]]]:
        findings = Findings()
        pairs = list(records_of(data, LIST_ROLES[:3], findings, every=True))
        if findings.total:
            raise data_error(findings.merge(), Request(QRELS, label, "error", 1))
        return pairs

    pairs = read(contents(fsdecode(path), label, read))
    return _of_rows([record for _, record in pairs], [line for line, _ in pairs], label, "line")


def _of_rows(
    records: Sequence[Mapping[str, object]], lines: Sequence[int], label: str, unit: str
) -> ListTable:
    names = list(dict.fromkeys(name for record in records for name in record))
    return label, unit, names, lambda name: [record.get(name) for record in records], lines


def _choose_columns(names: list[str], columns: dict[str, str], label: str) -> dict[str, str]:
    """The column of each role."""
    chosen: dict[str, str] = {}
    for role in LIST_ROLES:
        name = (
            columns[role]
            if role in columns
            else column_of(role, [n for n in names if n not in chosen.values()], label)
        )
        if name is not None:
            chosen[role] = name
    missing = [
        chosen.get(role, role) for role in ("retrieved", "gold") if chosen.get(role) not in names
    ]
    missing += [name for role, name in columns.items() if name not in (*names, *missing)]
    if missing:
        todo = 'name them with ⟨columns={"query": ..., "retrieved": ..., "gold": ...}⟩'
        raise no_column(missing, names, todo).error(label)
    return chosen


class _ListRows:
    """The cells of a table by their roles, and the problems with them."""

    def __init__(
        self, label: str, unit: str, lines: Sequence[int], cells: dict[str, list[Any]]
    ) -> None:
        self.label, self.unit, self.lines, self.cells = label, unit, lines, cells
        self.problems: list[Problem] = []

    def mappings(self) -> tuple[dict[Any, Any], dict[Any, Any]]:
        """Gold and retrieved items by query."""
        queries = self._queries()
        gold, retrieved = self._lists("gold"), self._lists("retrieved")
        if "grades" in self.cells:
            gold = self._with_grades(gold)
        if self.problems:
            raise DataError(self.problems)
        return dict(zip(queries, gold, strict=True)), dict(zip(queries, retrieved, strict=True))

    def _add(self, row: int, mistake: Mistake, kind: str) -> None:
        number = self.lines[row]
        line, row_of = (number, None) if self.unit == "line" else (None, number)
        self.problems.append(mistake.of(self.label, line, row_of, kind))

    def _queries(self) -> list[Any]:
        if "query" not in self.cells:
            return list(map(str, range(len(self.lines))))
        first: dict[Any, int] = {}
        queries = [as_python(query) for query in self.cells["query"]]
        for row, query in enumerate(queries):
            if is_missing(query) or is_list(query) or isinstance(query, Mapping):
                remedy = "give each query an id or its text"
                self._add(row, Mistake("query {got} is no id", remedy, got=Typed(query)), "no id")
            elif first.setdefault(query, row) != row:
                there = self.lines[first[query]]
                remedy = (
                    "give each query one row, queries of one text ids of their own, and each of "
                    "several systems its own table"
                )
                mistake = Mistake(
                    "query {got} is there twice (first at {unit:s} {first})",
                    remedy,
                    got=query,
                    unit=self.unit,
                    first=there,
                )
                self._add(row, mistake, "twice")
        return queries

    def _lists(self, role: str) -> list[Any]:
        cells = [cell if isinstance(cell, list) else as_python(cell) for cell in self.cells[role]]
        for row, cell in enumerate(cells):
            if not (is_list(cell) or isinstance(cell, Mapping)):
                mistake = Mistake(
                    "{role:s} {got} is not a list", NO_RESULTS, got=Typed(cell), role=role
                )
                self._add(row, mistake, role)
        return cells

    def _with_grades(self, gold: list[Any]) -> list[Any]:
        grades_by_item = []
        for row, (ids, grades) in enumerate(zip(gold, self._lists("grades"), strict=True)):
            alike = is_list(ids) and is_list(grades)
            if not alike or len(ids) != len(grades) or len(set(ids)) < len(ids):
                mistake = Mistake(
                    "gold and grades are no two lists of one length without repeated ids: {ids} "
                    "and {got}",
                    "give one grade for each id of gold",
                    got=grades,
                    ids=ids,
                )
                self._add(row, mistake, "unequal")
            else:
                grades_by_item.append(dict(zip(ids, grades, strict=True)))
        return grades_by_item
