"""Items that are the query itself, as where queries are documents of the collection: they are no
result.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from precall.core.notes.of_runs import SelfRetrieved, SelvesDropped
from precall.core.ragged import Int64, offsets
from precall.read.columns import Ids, Run

#: Ids of users and items that are both numbers are equal now and then. So many topics must begin
#: with themselves before that is told, and this share of them.
_FEWEST, _SHARE = 2, 0.1


def without_selves(run: Run) -> Run:
    """The run without the items whose id is that of their topic, and with a note on how many.

    Examples
    --------
    >>> from precall.read.readers import read_run
    >>> kept = without_selves(read_run({"a": {"a": 2.0, "b": 1.0}}))
    >>> kept.items.tolist(), kept.row_start.tolist()
    (['b'], [0, 1])
    """
    sizes = np.diff(run.row_start)
    topic = np.repeat(np.arange(len(run.topics)), sizes)
    selves = _equal(run.items, run.topics, topic)
    if not len(selves):
        return run
    kept = np.setdiff1d(np.arange(len(topic)), selves, assume_unique=True)
    left = np.bincount(topic[kept], minlength=len(sizes)).astype(np.int64)
    note = SelvesDropped("", len(selves), len(np.unique(topic[selves])))
    return replace(
        run,
        items=run.items.take(kept),
        score=run.score[kept],
        row_start=offsets(left),
        located={},
        notes=(*run.notes, note),
    )


def note_selves(run: Run) -> Run:
    """The run with a note if many of its topics begin with an item that is the topic itself."""
    filled = np.flatnonzero(np.diff(run.row_start))
    if not len(filled) or not isinstance(run.items, Ids):
        return run
    if len(run.items) < int(run.row_start[-1]):
        return run  # of a run that is larger than memory
    firsts = run.items.take(run.row_start[filled])
    count = len(_equal(firsts, run.topics, filled))
    if count < max(_FEWEST, _SHARE * len(run)):
        return run
    return replace(run, notes=(*run.notes, SelfRetrieved("", count, len(run))))


def _equal(items: Ids, topics: Ids, topic: Int64) -> Int64:
    """The rows whose item is equal to the topic with this index."""
    alike = np.flatnonzero(np.diff(items.start) == np.diff(topics.start)[topic])
    ours, theirs = items.take(alike), topics.take(topic[alike])
    if not len(ours.data):
        return alike[:0]
    same = np.logical_and.reduceat(ours.data == theirs.data, ours.start[:-1])
    return np.asarray(alike[same], np.int64)
