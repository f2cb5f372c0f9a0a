"""Several runs in one table: the column that tells them apart."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from precall.core.errors import DataError, Malformed, Mistake
from precall.core.notes import Note
from precall.core.notes.of_reading import NamesOfRuns, RankAsScore
from precall.core.ragged import Int64
from precall.core.text import MARK, as_text, letters
from precall.native import kernel, literals
from precall.read.columns import RUN, Ids, Parsed, Request, turn_scores
from precall.read.problems import renumber_facts
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
#: What the tags of TREC text are called.
TAG = "tag"
#: The names that leave no doubt.
SURE = NAMES[:4] + NAMES[4:7]
#: A column that only may tell runs apart has no more values than this.
_MOST = 50


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


def key_of(topics: Ids, items: Ids, labels: Ids) -> str:
    """What determines the value of a column: "" if nothing does, "all" if it has one value only,
    else "topic" or "item".
    """
    if is_constant(labels):
        return "all"
    if determines(topics, labels):
        return "topic"
    return "item" if determines(items, labels) else ""


def check_apart(
    name: str,
    columns: tuple[Ids, Ids, Ids],
    ranks: npt.NDArray[Any] | None,
    request: Request,
) -> tuple[Note, ...]:
    """Raise if a column tells runs apart; `columns` are topics, items and its values.

    It does if neither topic nor item determines its values, or if the ranks beside it are those of
    several lists. A note if topic or item does, but the name of the column is one of runs.
    """
    topics, _, labels = columns
    key = key_of(*columns)
    if not key:
        raise several_runs(name, request)
    if key == "item" and ranks is not None and len(set(ranks.tolist())) > 1:
        if are_ranks_of_each(topics, labels, ranks):
            raise several_runs(name, request)
        return ()
    return note_names_of_runs(name, labels, key)


def note_names_of_runs(name: str, labels: Ids, key: str) -> tuple[Note, ...]:
    """A note on a column whose name is one of runs, though topic or item determines its values."""
    if key == "all" or not (name == TAG or letters(name) in SURE):
        return ()
    runs = len(set(labels.tolist()) - {""})
    return (NamesOfRuns("", name, runs, key),) if 2 <= runs <= _MOST else ()


def is_rank_the_score(request: Request) -> bool:
    """Whether ranks are read as scores, as there are no scores."""
    return any(isinstance(note, RankAsScore) for note in request.notes)


def are_ranks_of_each(topics: Ids, labels: Ids, ranks: npt.NDArray[Any]) -> bool:
    """Whether the ranks in each topic are those of one list for each label: they begin anew, and
    none is twice.

    Examples
    --------
    >>> topics, labels = Ids.of(["1"] * 4), Ids.of(["a", "a", "b", "b"])
    >>> are_ranks_of_each(topics, labels, np.array([1.0, 2.0, 1.0, 2.0]))
    True
    >>> are_ranks_of_each(topics, labels, np.array([1.0, 2.0, 3.0, 4.0]))
    False
    """
    lists: dict[str, dict[str, list[float]]] = {}
    for topic, label, rank in zip(topics.tolist(), labels.tolist(), ranks.tolist(), strict=True):
        lists.setdefault(topic, {}).setdefault(label, []).append(rank)
    of_all = [found for by_label in lists.values() for found in by_label.values()]
    return (
        all(len(set(map(min, by_label.values()))) == 1 for by_label in lists.values())
        and all(len(set(found)) == len(found) for found in of_all)
        # Equal ranks of items that are the only ones of their label are ties.
        and any(len(found) > 1 for found in of_all)
        and any(len(by_label) > 1 for by_label in lists.values())
    )


class PartsRuns(Exception):
    """A column, which is named, has different values wherever an item, or a rank, is twice in a
    topic.
    """


def parts_runs(topics: Ids, items: Ids, labels: Ids, ranks: npt.NDArray[Any] | None) -> bool:
    """Whether a column of texts may be that of runs in a table with items that are twice, or with
    ranks that contradict the scores: within each of its few values none is twice, and neither topic
    nor item determines them. If no item is twice, the ranks tell whether they are those of each.
    """
    names = labels.tolist()
    numbers = Counter(names)
    if not 2 <= len(numbers) <= _MOST or min(numbers.values()) < 2 or "" in numbers:
        return False
    if all(isinstance(literals.score(name), float) for name in numbers):
        return False
    rows = set(zip(topics.tolist(), items.tolist(), names, strict=True))
    if len(rows) < len(names):
        return False
    key = key_of(topics, items, labels)
    if len(set(zip(topics.tolist(), items.tolist(), strict=True))) < len(names):
        return not key
    has_own_ranks = ranks is not None and are_ranks_of_each(topics, labels, ranks)
    return has_own_ranks and key in ("", "item")


def several_runs(column: str, request: Request) -> DataError:
    """The error about a column that tells runs apart, which was not asked for."""
    where = "⟨ to pc.evaluate or pc.compare¦⟩"  # other functions measure one run
    alone = "⟨give the rows of each by themselves¦give each a file of its own⟩"
    remedy = f"pass ⟨run_column={column!r}⟩{where} to measure each, or {alone}"
    return Mistake("column {got} tells several runs apart", remedy, got=column).error(request.label)


def rows_by_run(labels: Ids) -> dict[str, Int64]:
    """The rows of each run, in the order of the first appearance of runs."""
    names = labels.tolist()
    index_of = {name: i for i, name in enumerate(dict.fromkeys(names))}
    run = np.fromiter(map(index_of.__getitem__, names), np.int64, len(names))
    order = np.argsort(run, kind="stable")
    ends = np.searchsorted(run[order], np.arange(len(index_of) + 1))
    return {name: order[ends[i] : ends[i + 1]] for name, i in index_of.items()}


def refuse_tags(source: str | bytes, request: Request) -> tuple[Note, ...]:
    """Raise if the tags of TREC text tell runs apart, else notes on them; malformed lines are left
    to other checks.
    """
    lines = (source if isinstance(source, bytes) else Path(source).read_bytes()).removeprefix(MARK)
    rows = [
        (fields[0], fields[2], fields[5], fields[3])
        for line in lines.split(b"\n")
        if not line.startswith(b"#") and len(fields := _FIELD.findall(line)) == _WIDTH
    ]
    if request.run_column is not None or not rows:
        return ()
    *columns, ranks = zip(*rows, strict=True)
    topics, items, tags = map(Ids.of, columns)
    try:
        numbers = np.array(list(map(float, ranks)))
    except ValueError:  # ranks that are no numbers
        numbers = None
    return check_apart(TAG, (topics, items, tags), numbers, request)


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
