"""Locating: which judged items a run found, at which rank, and in which block of equal scores."""

from __future__ import annotations

from itertools import pairwise

import numpy as np

from precall.native.twin_columns import Bytes, Float64, Int64, unpacked

#: run_topic; ranking, row, grade, rank, first, last
Location = tuple[Int64, Int64, Int64, Int64, Int64, Int64, Int64]


def locate(
    run_topic_bytes: Bytes, run_topic_start: Int64, run_row_start: Int64, run_item_bytes: Bytes,
    run_item_start: Int64, run_score: Float64,
    qrels_topic_bytes: Bytes, qrels_topic_start: Int64, qrels_row_start: Int64, qrels_item_bytes: Bytes,
    qrels_item_start: Int64, qrels_grade: Int64,
    by_input: bool, threads: int,
) -> Location:  # fmt: skip
    """Find the judged items: one row each, by ranking, then by rank."""
    items = unpacked(run_item_bytes, run_item_start)
    order, first, last = _ranked(run_row_start, run_score, items, by_input)
    topic_of = {topic: i for i, topic in enumerate(unpacked(run_topic_bytes, run_topic_start))}
    run_topic = np.array(
        [topic_of.get(topic, -1) for topic in unpacked(qrels_topic_bytes, qrels_topic_start)], np.int64
    )
    judged = unpacked(qrels_item_bytes, qrels_item_start)
    grades = qrels_grade.tolist()
    found: list[tuple[int, int, int]] = []
    bounds = pairwise(qrels_row_start.tolist())
    for ranking, (topic, (begin, end)) in enumerate(zip(run_topic.tolist(), bounds, strict=True)):
        if topic < 0:
            continue
        grade_of = dict(zip(judged[begin:end], grades[begin:end], strict=True))
        start, stop = run_row_start[topic], run_row_start[topic + 1]
        for place, row in enumerate(order[start:stop].tolist(), int(start)):
            grade = grade_of.get(items[row])
            if grade is not None:
                found.append((ranking, place, grade))
    ranking_, place_, grade_ = np.array(found, np.int64).reshape(-1, 3).T.copy()
    base = run_row_start[run_topic[ranking_]]
    return (
        run_topic, ranking_, order[place_], grade_,
        place_ - base + 1, first[place_] - base + 1, last[place_] - base + 1,
    )  # fmt: skip


def _ranked(
    row_start: Int64, score: Float64, items: list[bytes], by_input: bool
) -> tuple[Int64, Int64, Int64]:
    """Rows by topic and rank; and, for each place in that order, where its block begins and ends."""
    owner = np.repeat(np.arange(len(row_start) - 1), np.diff(row_start))
    # Stable, and 0.0 equals -0.0: rows of equal scores stay in the order of the input.
    order = np.lexsort((-score, owner))
    ranked = score[order]
    new = np.ones(len(order), np.bool_)
    new[1:] = (ranked[1:] != ranked[:-1]) | (owner[1:] != owner[:-1])
    lead = np.flatnonzero(new)
    size = np.diff(np.append(lead, len(order)))
    if not by_input:
        for begin, length in zip(lead[size > 1].tolist(), size[size > 1].tolist(), strict=True):
            rows = order[begin : begin + length].tolist()
            order[begin : begin + length] = sorted(rows, key=items.__getitem__, reverse=True)
    return order, np.repeat(lead, size), np.repeat(lead + size - 1, size)
