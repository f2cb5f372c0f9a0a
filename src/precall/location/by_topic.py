"""Runs that are larger than memory: they are located while they are read.

The file is read in pieces of whole topics, and only the judged items of each piece are kept.
Measures need only the ranks of the judged items and the number of items of each topic.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field, fields
from functools import partial
from os import fsdecode
from typing import TYPE_CHECKING, Any

import numpy as np

from precall.core.errors import Malformed
from precall.core.notes import Note
from precall.core.ragged import offsets
from precall.core.text import is_small_file
from precall.location.located import build_located, run_kernel
from precall.read.columns import Ids, Parsed, Qrels, Request, Run
from precall.read.rank_order import contradiction_of_parts
from precall.read.readers import parse_text, read_run, text_of_run
from precall.read.sources import format_of, is_path, is_plain

if TYPE_CHECKING:
    from precall.read.large_runs import Piece, Text


#: In place of a memory: a run that is read as a whole, whatever its size.
WHOLE = -1
#: The ending of runs that ranx saves, which have no lines to be read piece by piece.
_OF_RANX = ".lz4"


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class RunOutline(Run):
    """A run that holds only its topics, their sizes and the first item of each; it is already
    located.
    """

    first: Ids = field(default_factory=lambda: Ids.of([]))

    def first_item(self, topic: int) -> str:
        """Id of the first item of the topic with this index."""
        return self.first[topic]


def read_run_for(
    qrels: Qrels, source: object, by_input: bool, memory: int | None, **reading: Any
) -> Run:
    """`read_run`, but a file of TREC text that is larger than memory becomes an outline.

    The outline is located in these qrels and cannot be measured with others.
    """
    if not is_path(source) or format_of(fsdecode(source), reading.get("format")) != "trec":
        return read_run(source, **reading)
    if fsdecode(source).lower().endswith(_OF_RANX):
        return read_run(source, **reading)
    if memory == WHOLE or (memory is None and is_small_file(source)):
        return read_run(source, **reading)
    from precall.read.sizes import outgrows

    path, (request, build) = fsdecode(source), text_of_run(source, **reading)
    try:
        with outgrows(path, memory, partial(parse_text, asked=request)) as is_large:
            return (
                _read_large(path, request, qrels, by_input, build)
                if is_large
                else read_run(source, **reading)
            )
    except Malformed as bad:
        from precall.read.problems import data_error
        from precall.read.run_columns import refuse_tags_of_duplicates

        if is_plain(path):
            refuse_tags_of_duplicates(path, request, bad)
        raise data_error(bad, request) from None


def _read_large(
    path: str, request: Request, qrels: Qrels, by_input: bool, build: Callable[[Parsed], Run]
) -> Run:
    """The outline of a large file; if it has problems, the errors of reading it as a whole."""
    from precall.read.large_runs import Text, text_of

    with text_of(path, request) as file:
        text = Text(file, request)
        try:
            return _outline(text, qrels, by_input, build)
        except Malformed:
            # Only a check of all rows together finds every problem, with its line.
            return build(text.whole())


def _outline(text: Text, qrels: Qrels, by_input: bool, build: Callable[[Parsed], Run]) -> Run:
    from precall.read.large_runs import Scattered

    try:
        return _join_outlines(text, text.pieces(), qrels, by_input, build)
    except Scattered:
        return _join_outlines(text, text.buckets(), qrels, by_input, build)


def _join_outlines(
    text: Text,
    pieces: Iterable[Piece],
    qrels: Qrels,
    by_input: bool,
    build: Callable[[Parsed], Run],
) -> Run:
    """The outline of a run, located piece by piece."""
    topic_of = np.full(len(qrels), -1, np.int64)
    columns_by_piece, outlines, topics, rows = [], [], 0, 0
    notes: list[tuple[Note, ...]] = []
    ascends = True
    for parsed, order in pieces:
        notes.append(parsed.notes)
        ascends &= parsed.ascends
        run_topic, ranking, row, *rest = run_kernel(
            qrels, Run(*parsed[:4]), by_input, text.request.threads
        )
        located_topics = np.flatnonzero(run_topic >= 0)
        topic_of[located_topics] = run_topic[located_topics] + topics
        columns_by_piece.append((ranking, row + rows, *rest))
        first = parsed.items.take(parsed.row_start[:-1])
        outlines.append((order, np.diff(parsed.row_start), parsed.topics, first))
        topics, rows = topics + len(order), rows + len(parsed.value)
    if not outlines:
        raise Malformed([(0, "empty")], 1)
    order, sizes = (np.concatenate(column) for column in list(zip(*outlines, strict=True))[:2])
    names, firsts = (Ids.concatenate(column) for column in list(zip(*outlines, strict=True))[2:])
    by_order = np.argsort(order)
    parsed = Parsed(
        names.take(by_order),
        offsets(sizes[by_order]),
        Ids.of([]),
        np.zeros(0),
        text.dropped,
        text.tag,
        contradiction_of_parts(notes, len(names)) if ascends else text.contradiction(),
    )
    full_run = build(parsed)
    run = RunOutline(
        **{column.name: getattr(full_run, column.name) for column in fields(Run)},
        first=firsts.take(by_order),
    )
    is_located = topic_of >= 0
    topic_of[is_located] = np.argsort(by_order)[topic_of[is_located]]
    columns = [np.concatenate(column) for column in zip(*columns_by_piece, strict=True)]
    by_ranking = np.argsort(columns[0], kind="stable")
    ranking, row, grade, rank, begin, end = (column[by_ranking] for column in columns)
    build_located(qrels, run, by_input, (topic_of, ranking, row, grade, rank, begin, end))
    return run
