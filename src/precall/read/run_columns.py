"""Several runs in one table: the column that tells them apart."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np

from precall.core.errors import DataError, Malformed, Problem
from precall.core.ragged import Int64
from precall.core.text import MARK, as_text, letters
from precall.native import kernel
from precall.read.columns import RUN, Ids, Parsed, Request, turn_scores
from precall.read.problems import renumber_facts, show_text
from precall.read.values import is_missing, is_whole_float

#: Fields of TREC text, separated by blanks, and their number in a row of a run.
_FIELD = re.compile(rb"[^ \t\r]+")
_WIDTH = 6

#: Usual names of columns that tell runs apart.
NAMES = (
    "run",
    "runid",
    "runname",
    "runtag",
    "system",
    "systemname",
    "systemid",
    "tag",
    "name",
    "model",
    "modelname",
    "method",
    "retriever",
)
#: The names that leave no doubt.
SURE = NAMES[:4] + NAMES[4:7]


def candidates(columns: Sequence[str]) -> tuple[str, ...]:
    """The columns that may tell runs apart, by their names.

    Examples
    --------
    >>> candidates(["text", "run_id", "model"])
    ('run_id', 'model')
    """
    return tuple(name for name in columns if letters(name) in NAMES)


def ids_of_labels(cells: Sequence[object] | Ids) -> Ids:
    """The names of runs as ids, of any type. 1.0, which pandas makes of 1 in a column with gaps, is
    1; a missing name is empty.
    """
    if isinstance(cells, Ids):
        return cells
    return Ids.of(list(cells if set(map(type, cells)) <= {str} else map(_name, cells)))  # type: ignore[arg-type]


def _name(label: object) -> str:
    if is_missing(label) or label != label:
        return ""
    return str(int(label)) if is_whole_float(label) else as_text(label)  # type: ignore[call-overload]


def is_constant(labels: Ids) -> bool:
    """Whether all names are equal."""
    size = np.diff(labels.start)
    if not len(size):
        return True
    if np.any(size != size[0]):
        return False
    letters_of = labels.data[labels.start[0] : labels.start[-1]].reshape(len(size), int(size[0]))
    return bool(np.all(letters_of == letters_of[0]))


def determines(ids: Ids, labels: Ids) -> bool:
    """Whether each id has only one label."""
    rows = np.zeros(len(labels.start) - 1)
    grouped = kernel().group_run(ids.data, ids.start, labels.data, labels.start, rows, "first", 1)
    return are_single(Parsed.of(*grouped))


def are_single(grouped: Parsed) -> bool:
    """Whether each group has one member."""
    return bool(np.all(np.diff(grouped.row_start) == 1))


def tells_runs_apart(topics: Ids, items: Ids, labels: Ids) -> bool:
    """Whether a column has several values that neither the topic nor the item of a row
    determines.
    """
    return not (is_constant(labels) or determines(topics, labels) or determines(items, labels))


def several_runs(column: str, request: Request) -> DataError:
    """The error about a column that tells runs apart, which was not asked for."""
    message = f"column {show_text(column)} tells several runs apart"
    where = "⟨ to pc.evaluate or pc.compare¦⟩"  # other functions measure one run
    alone = "⟨give the rows of each by themselves¦give each a file of its own⟩"
    remedy = f"pass ⟨run_column={column!r}⟩{where} to measure each, or {alone}"
    return DataError([Problem(request.label, None, message, remedy)])


def rows_by_run(labels: Ids) -> dict[str, Int64]:
    """The rows of each run, in the order of the first appearance of runs."""
    names = labels.tolist()
    index_of = {name: i for i, name in enumerate(dict.fromkeys(names))}
    run = np.fromiter(map(index_of.__getitem__, names), np.int64, len(names))
    order = np.argsort(run, kind="stable")
    ends = np.searchsorted(run[order], np.arange(len(index_of) + 1))
    return {name: order[ends[i] : ends[i + 1]] for name, i in index_of.items()}


def refuse_tags(source: str | bytes, request: Request) -> None:
    """Raise if the tags of TREC text tell runs apart; malformed lines are left to other checks."""
    lines = (source if isinstance(source, bytes) else Path(source).read_bytes()).removeprefix(MARK)
    rows = [
        (fields[0], fields[2], fields[5])
        for line in lines.split(b"\n")
        if not line.startswith(b"#") and len(fields := _FIELD.findall(line)) == _WIDTH
    ]
    topics, items, tags = (
        (Ids.of(column) for column in zip(*rows, strict=True)) if rows else [Ids.of([])] * 3
    )
    if request.run_column is None and tells_runs_apart(topics, items, tags):
        raise several_runs("tag", request)


def refuse_tags_of_duplicates(source: str | bytes, request: Request, bad: Malformed) -> None:
    """The same, if an item occurs twice in a topic, as it would in two runs."""
    if request.subject is RUN and any(kind == "duplicate" for _, kind, *_ in bad.problems):
        refuse_tags(source, request)


def text_apart(
    source: str | bytes, request: Request, parse: Callable[[bytes, Request], Parsed]
) -> Parsed:
    """The runs in TREC text, by their tags."""
    lines = (
        (source if isinstance(source, bytes) else Path(source).read_bytes())
        .removeprefix(MARK)
        .split(b"\n")
    )
    rows: dict[bytes, list[int]] = {}
    for number, line in enumerate(lines):
        fields = [] if line.startswith(b"#") else _FIELD.findall(line)
        if fields:
            rows.setdefault(fields[-1], []).append(number)
    apart = {}
    for tag, numbers in rows.items():
        try:
            parsed = parse(b"\n".join(lines[number] for number in numbers), request)
        except Malformed as bad:
            raise renumber_facts(bad, [number + 1 for number in numbers].__getitem__) from None
        apart[tag.decode()] = turn_scores(parsed, request)
    if not apart:
        raise Malformed([(0, "empty")], 1)
    return Parsed(Ids.of([]), np.zeros(1, np.int64), Ids.of([]), np.zeros(0), apart=apart)
