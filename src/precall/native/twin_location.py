"""Locating: which judged items a run found, at which ranks, and in which blocks of equal scores."""

from __future__ import annotations

import numpy as np

from precall.core.ragged import Bytes, Float64, Int64, changes
from precall.native.twin_columns import divides, unpack_texts

#: run_topic; ranking, row, grade, rank, first, last
Location = tuple[Int64, Int64, Int64, Int64, Int64, Int64, Int64]


def locate(
    run_topic_bytes: Bytes,
    run_topic_start: Int64,
    run_row_start: Int64,
    run_item_bytes: Bytes,
    run_item_start: Int64,
    run_score: Float64,
    qrels_topic_bytes: Bytes,
    qrels_topic_start: Int64,
    qrels_row_start: Int64,
    qrels_item_bytes: Bytes,
    qrels_item_start: Int64,
    qrels_grade: Int64,
    by_input: bool,
    threads: int,
) -> Location:
    """Find the judged items of the qrels among the items of the run.

    Items stand by score, largest first; those of equal score (0.0 equals -0.0) by id, descending by
    bytes, or `by_input` in the order of the run.

    Returns
    -------
    run_topic : per topic of the qrels, its index in the run, or -1.
    ranking, row, grade, rank, first, last : per judged item found, in the order of ranking and rank:
        the index of its topic in the qrels, its row in the run, its grade, its rank (from 1), and
        the ranks at which the block of items of its score begins and ends.

    Examples
    --------
    >>> from precall.native.twin import qrels_from_dict, run_from_dict
    >>> run = run_from_dict({"q": {"a": 2.0, "b": 3.0, "c": 2.0}}, False)
    >>> qrels = qrels_from_dict({"q": {"a": 1}})
    >>> [column.tolist() for column in locate(*run, *qrels, False, 1)]
    [[0], [0], [0], [1], [3], [2], [3]]
    """  # noqa: E501
    items, run_topics = (
        unpack_texts(run_item_bytes, run_item_start),
        unpack_texts(run_topic_bytes, run_topic_start),
    )
    judged, qrels_topics = (
        unpack_texts(qrels_item_bytes, qrels_item_start),
        unpack_texts(qrels_topic_bytes, qrels_topic_start),
    )
    _check_rows(run_topics, run_row_start, items, run_score)
    _check_rows(qrels_topics, qrels_row_start, judged, qrels_grade)
    if np.isnan(run_score).any():
        raise ValueError("score: NaN has no place in an order")
    topic_of = {topic: i for i, topic in enumerate(run_topics)}
    topics = [topic_of.get(topic, -1) for topic in qrels_topics]
    run_topic = np.array(topics, np.int64)
    order, first, last = _rank(run_row_start, run_score, items, by_input)
    ranking, position, grade = _match(
        topics,
        run_row_start,
        [items[row] for row in order.tolist()],
        qrels_row_start,
        judged,
        qrels_grade,
    )
    before = run_row_start[run_topic[ranking]] - 1
    columns = (position - before, first[position] - before, last[position] - before)
    return run_topic, ranking, order[position], grade, *columns


def _check_rows(
    topics: list[bytes], row_start: Int64, items: list[bytes], value: Float64 | Int64
) -> None:
    if len(items) != len(value):
        raise ValueError("columns differ in length")
    fits = len(row_start) == len(topics) + 1 and row_start[0] == 0 and row_start[-1] == len(items)
    if not (fits and divides(row_start, len(items))):
        raise ValueError("topics and rows differ in length")


def _match(
    topics: list[int],
    run_row_start: Int64,
    ranked: list[bytes],
    row_start: Int64,
    judged: list[bytes],
    grade: Int64,
) -> Int64:
    """Three rows: ranking, position among the ranked items of all topics, grade."""
    start, bounds, grades = run_row_start.tolist(), row_start.tolist(), grade.tolist()
    matches: list[tuple[int, int, int]] = []
    for ranking, topic in enumerate(topics):
        if topic >= 0:
            begin, end = bounds[ranking : ranking + 2]
            grade_of = dict(zip(judged[begin:end], grades[begin:end], strict=True))
            places = range(start[topic], start[topic + 1])
            matches += [
                (ranking, at, grade_of[ranked[at]]) for at in places if ranked[at] in grade_of
            ]
    return np.array(matches, np.int64).reshape(-1, 3).T.copy()


def _rank(
    row_start: Int64, score: Float64, items: list[bytes], by_input: bool
) -> tuple[Int64, Int64, Int64]:
    """Rows by topic and rank; and, for each position in that order, where its block begins and
    ends.
    """
    owner = np.repeat(np.arange(len(row_start) - 1), np.diff(row_start))
    # Stable, and 0.0 equals -0.0: rows of equal scores stay in the order of the input.
    order = np.lexsort((-score, owner))
    ranked = score[order]
    lead = np.flatnonzero(changes(ranked, owner))
    size = np.diff(np.append(lead, len(order)))
    if not by_input:
        for begin, length in zip(lead[size > 1].tolist(), size[size > 1].tolist(), strict=True):
            rows = order[begin : begin + length].tolist()
            order[begin : begin + length] = sorted(rows, key=items.__getitem__, reverse=True)
    return order, np.repeat(lead, size), np.repeat(lead + size - 1, size)
