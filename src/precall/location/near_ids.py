"""Ids of a run that differ from ids of the qrels only in blanks at their ends, or in the Unicode
form of their letters.

Most ids have plain letters only; the bytes of all ids together show whether any has others. Only
then, ids are compared one by one, topic by topic, up to a maximum number of ids.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable
from typing import TYPE_CHECKING

import numpy as np

from precall.core.notes.of_reading import IdsUnlike
from precall.core.text import without_invisible
from precall.read.problems import advice_on_spelling, show_text

if TYPE_CHECKING:
    from precall.location.located import Located
    from precall.read.columns import Ids, Qrels, Run

#: Bytes of blanks and control characters are at most the first; those of letters beyond ASCII are
#: at least the second.
_BLANK, _BEYOND = 0x20, 0x80
#: At most this many ids are compared one by one.
_MOST = 1 << 16


def note_unlike_ids(qrels: Qrels, run: Run, located: Located) -> IdsUnlike | None:
    """A note on the first topic or item of a run that differs from one of the qrels only in
    blanks, in characters that are not seen or in its Unicode form; None if there is none.
    """
    return _note_topics(qrels, run, located) or _note_items(qrels, run, located)


def _note_topics(qrels: Qrels, run: Run, located: Located) -> IdsUnlike | None:
    """A note on the first topic that is only in the run or only in the qrels, and has a similar id
    in the other.
    """
    if not _may_be_odd(qrels.topics, run.topics):
        return None
    # A topic may be in both, while some of its rows have the other id.
    others, missing = (
        located.topics.take(np.flatnonzero(in_one & ~in_other)[:_MOST]).tolist()
        for in_one, in_other in (
            (located.in_run, located.in_qrels),
            (located.in_qrels, located.in_run),
        )
    )
    like_others = _find_alike("topic", others, qrels.topics.tolist()) if others else None
    return like_others or (_find_alike("topic", run.topics.tolist(), missing) if missing else None)


def _note_items(qrels: Qrels, run: Run, located: Located) -> IdsUnlike | None:
    """A note on the first unjudged item whose id is similar to a judged one of its topic."""
    if not _may_be_odd(qrels.items, run.items):
        return None
    topic_index = {topic: run_index for run_index, topic in enumerate(qrels.topics.tolist())}
    compared = 0
    for run_index, topic in enumerate(run.topics.tolist() if len(run.items) else []):
        if topic not in topic_index:
            continue
        compared += _item_count(qrels, topic_index[topic]) + _item_count(run, run_index)
        if compared > _MOST:
            return None
        judged, retrieved = (
            _items_of_topic(qrels, topic_index[topic]),
            _items_of_topic(run, run_index),
        )
        judged_set = set(judged)
        if note := _find_alike(
            "item", (item for item in retrieved if item not in judged_set), judged
        ):
            return note
    return None


def _item_count(rows: Qrels | Run, topic: int) -> int:
    return int(rows.row_start[topic + 1] - rows.row_start[topic])


def _items_of_topic(rows: Qrels | Run, topic: int) -> list[str]:
    begin, end = rows.row_start[topic : topic + 2].tolist()
    return rows.items.take(np.arange(begin, end)).tolist()


def _find_alike(kind: str, ids: Iterable[str], judged: list[str]) -> IdsUnlike | None:
    """A note on the first id that is almost equal to a judged one; no id is in both."""
    judged_by_text = {_plain(judged_id): judged_id for judged_id in judged}
    for id_ in ids:
        if (judged_id := judged_by_text.get(_plain(id_))) is not None:
            return IdsUnlike(
                "",
                kind,
                show_text(id_),
                show_text(judged_id),
                advice_on_spelling([id_], [judged_id], kind),
            )
    return None


def _plain(text: str) -> str:
    """An id without characters that are not seen and blanks at its ends, in the composed form of
    Unicode (NFC).
    """
    if not text.isascii():
        text = unicodedata.normalize("NFC", without_invisible(text))
    return text.strip()


def _may_be_odd(*columns: Ids) -> bool:
    """Whether some ids may have blanks at their ends, characters that are not seen, or letters with
    several forms in Unicode.
    """
    return any(map(_is_odd, columns))


def _is_odd(ids: Ids) -> bool:
    """Whether some ids may be odd, from the bytes of all of them together."""
    data, start = ids.data, ids.start
    if not len(data):
        return False
    # Where no byte is a blank, none stands at an end.
    if data.min() <= _BLANK:
        ends = np.minimum(np.concatenate((start[:-1], start[1:] - 1)), len(data) - 1)
        if data[ends].min() <= _BLANK:
            return True
    if data.max() < _BEYOND:
        return False
    text = data.tobytes().decode()
    return not (text.isprintable() and unicodedata.is_normalized("NFC", text))
