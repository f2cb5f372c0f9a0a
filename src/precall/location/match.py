"""From a run and qrels to where the judged items stand."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from precall.checks import check_choice
from precall.conventions import TIES
from precall.errors import NoCommonTopic, Problem
from precall.location.located import Located
from precall.native import kernel, thread_count
from precall.ragged import Int64, changes
from precall.rng import Rng, by_seed

if TYPE_CHECKING:
    from precall.read.columns import Ids, Qrels, Run

#: Results of `locate` that a run keeps.
KEPT = 4


@by_seed
def locate(
    qrels: Any, run: Any, *, ties: str = "docno", rng: Rng = 0, threads: int | None = None,
    keep_items: bool = False,
) -> Located:  # fmt: skip
    """Find the judged items in the rankings of a run.

    Parameters
    ----------
    qrels, run : whatever `precall.read_qrels` and `precall.read_run` take.
    ties : how items of equal score are ordered:

        - "docno": by item id, descending by bytes; trec_eval's rule and the default;
        - "input": as the run lists them;
        - "best", "worst": by grade, highest or lowest first, unjudged items between relevant and
          not relevant ones: the extremes of every measure in which a better grade earns more;
        - "random": at random, from `rng`;
        - "expected": left open, measures give their mean over all orders, exactly;
        - "block": left open; what needs an order raises `TiesUnresolved`.
    rng : seed, Generator or SeedSequence, for "random" only; None for a fresh seed.
    threads : at most this many (default: PRECALL_THREADS, else the processors granted).
    keep_items : keep which block every item stands in, judged or not, so that two runs can be paired
        item by item (`Located.pairs`).

    Raises
    ------
    DataError
        The input is malformed, or run and qrels have no topic in common (`NoCommonTopic`).

    Examples
    --------
    >>> located = locate({"q1": {"a": 1, "b": 0, "c": 2}}, {"q1": {"b": 3.0, "a": 2.0, "x": 1.0}})
    >>> located.hits(grade=1).location
    array([2])
    >>> located.hits(grade=1).relevant
    array([2])
    """
    from precall.read import read_qrels, read_run

    check_choice("ties", ties, TIES)
    run, qrels = read_run(run, threads=threads), read_qrels(qrels, threads=threads)
    located = _matched(qrels, run, ties == "input", thread_count(threads))
    if keep_items:
        from precall.location.items import items_of

        located = replace(located, items=items_of(run, located))
    if ties in ("docno", "input"):
        return located
    return located.resolve(ties, rng)


def _matched(qrels: Qrels, run: Run, by_input: bool, threads: int) -> Located:
    kept = run.located.get((id(qrels), by_input))
    if kept is not None:
        return kept[1]  # type: ignore[no-any-return]
    columns = kernel().locate(
        run.topics.data, run.topics.start, run.row_start, run.items.data, run.items.start, run.score,
        qrels.topics.data, qrels.topics.start, qrels.row_start, qrels.items.data, qrels.items.start, qrels.grade,
        by_input, threads,
    )  # fmt: skip
    located = _assembled(qrels, run, columns, "input" if by_input else "docno")
    # Kept beside the run, for the qrels that came last; they are kept too, so that their id stays theirs.
    run.located[id(qrels), by_input] = (qrels, located)
    while len(run.located) > KEPT:
        del run.located[next(iter(run.located))]
    return located


def _assembled(qrels: Qrels, run: Run, columns: tuple[Any, ...], ties: str) -> Located:
    run_topic, ranking, row, grade, rank, first, last = columns
    if not np.any(run_topic >= 0):
        raise NoCommonTopic([_no_common_topic(qrels, run)])
    alone = np.ones(len(run.topics), np.bool_)
    alone[run_topic[run_topic >= 0]] = False
    extra = np.flatnonzero(alone)
    size = np.diff(run.row_start)
    retrieved = np.concatenate((np.where(run_topic >= 0, size[run_topic], 0), size[extra]))
    n, judged = len(retrieved), len(qrels.topics)
    total_ranking, total_grade, total_count = _totals(qrels)
    return Located(
        topics=qrels.topics.joined(run.topics.take(extra)) if len(extra) else qrels.topics,
        in_qrels=np.arange(n) < judged,
        in_run=np.concatenate((run_topic >= 0, np.ones(len(extra), np.bool_))),
        retrieved=retrieved, ranking=ranking, row=row, grade=grade, rank=rank, first=first, last=last,
        total_ranking=total_ranking, total_grade=total_grade, total_count=total_count, ties=ties,
    )  # fmt: skip


def _totals(qrels: Qrels) -> tuple[Int64, Int64, Int64]:
    topic = np.arange(len(qrels.topics))
    low = int(qrels.grade.min(initial=0))
    width = int(qrels.grade.max(initial=0)) - low + 1
    if width <= 64:
        # In place: every temporary array of this length costs more than the arithmetic.
        place = np.repeat(topic * width - low, np.diff(qrels.row_start))
        place += qrels.grade
        count = np.bincount(place)
        cell = np.flatnonzero(count)
        return cell // width, cell % width + low, count[cell].astype(np.int64)
    # Grades far apart would make the table above as large as their range: sort instead.
    owner = np.repeat(topic, np.diff(qrels.row_start))
    order = np.lexsort((qrels.grade, owner))
    owner, grade = owner[order], qrels.grade[order]
    lead = np.flatnonzero(changes(owner, grade))
    return owner[lead], grade[lead], np.diff(np.append(lead, len(grade)))


def strangers(qrels: Qrels, run: Run, located: Located) -> str:
    """What is wrong where run and qrels share topics, and no retrieved item is judged; "" where one is.

    Examples
    --------
    >>> from precall.read import read_qrels, read_run
    >>> qrels, run = read_qrels({"q1": {"d1": 1}}), read_run({"q1": {"doc_1": 2.0}})
    >>> strangers(qrels, run, locate(qrels, run))
    "no retrieved item is judged (run: 'doc_1'; qrels: 'd1'); check that item ids are written alike"
    """
    # The topics of the qrels come first, in their order.
    both = (located.retrieved > 0)[: len(qrels)] & (np.diff(qrels.row_start) > 0)
    if len(located.rank) or not both.any():
        return ""
    place = int(np.argmax(both))
    judged = qrels.items[int(qrels.row_start[place])]
    retrieved = run.items[int(run.row_start[run.topics.tolist().index(qrels.topics[place])])]
    return (
        f"no retrieved item is judged (run: {retrieved!r}; qrels: {judged!r}); "
        "check that item ids are written alike"
    )


def _no_common_topic(qrels: Qrels, run: Run) -> Problem:
    def sample(ids: Ids) -> str:
        return ", ".join(repr(ids[i]) for i in range(min(3, len(ids))))

    return Problem(
        run.source, None,
        f"no topic of the run is in the qrels {qrels.source} (run: {sample(run.topics)}; qrels: {sample(qrels.topics)})",
        "check that both are of one collection and write topic ids alike",
    )  # fmt: skip
