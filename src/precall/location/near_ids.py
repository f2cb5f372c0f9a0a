"""Ids of a run that the qrels have but for blanks at their ends, or for how Unicode writes their
letters.

Most ids are of plain letters; what is not is seen in the bytes of all of them at once, and only
then ids are looked at one by one, of topics as long as they are few.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable
from typing import TYPE_CHECKING

import numpy as np

from precall.core.notes.of_reading import IdsUnlike
from precall.read.problems import alike, show_text

if TYPE_CHECKING:
    from precall.location.located import Located
    from precall.read.columns import Ids, Qrels, Run

#: Blanks and control characters are no greater, letters beyond ASCII no less.
_BLANK, _BEYOND = 0x20, 0x80
#: Ids that are looked at one by one, at most.
_MOST = 1 << 16


def unlike_ids(qrels: Qrels, run: Run, located: Located) -> IdsUnlike | None:
    """The first topic or item of a run that only such a difference keeps from one of the qrels;
    None if there is none.
    """
    return _topics(qrels, run, located) or _items(qrels, run, located)


def _topics(qrels: Qrels, run: Run, located: Located) -> IdsUnlike | None:
    if not _are_odd(qrels.topics, run.topics):
        return None
    # A topic may be in both, and some rows of it under the other id.
    others, lacking = (
        located.topics.take(np.flatnonzero(some & ~known)[:_MOST]).tolist()
        for some, known in ((located.in_run, located.in_qrels), (located.in_qrels, located.in_run))
    )
    like_others = _found("topic", others, qrels.topics.tolist()) if others else None
    return like_others or (_found("topic", run.topics.tolist(), lacking) if lacking else None)


def _items(qrels: Qrels, run: Run, located: Located) -> IdsUnlike | None:
    if not _are_odd(qrels.items, run.items):
        return None
    place_in = {topic: place for place, topic in enumerate(qrels.topics.tolist())}
    looked_at = 0
    for place, topic in enumerate(run.topics.tolist() if len(run.items) else []):
        if topic not in place_in:
            continue
        looked_at += _size(qrels, place_in[topic]) + _size(run, place)
        if looked_at > _MOST:
            return None
        judged, retrieved = _of_topic(qrels, place_in[topic]), _of_topic(run, place)
        known = set(judged)
        if told := _found("item", (item for item in retrieved if item not in known), judged):
            return told
    return None


def _size(rows: Qrels | Run, place: int) -> int:
    return int(rows.row_start[place + 1] - rows.row_start[place])


def _of_topic(rows: Qrels | Run, place: int) -> list[str]:
    begin, end = rows.row_start[place : place + 2].tolist()
    return rows.items.take(np.arange(begin, end)).tolist()


def _found(what: str, some: Iterable[str], judged: list[str]) -> IdsUnlike | None:
    """The first of some ids that is like one of those judged; none is in both."""
    like = {_plain(known): known for known in judged}
    for given in some:
        if (known := like.get(_plain(given))) is not None:
            return IdsUnlike(
                "", what, show_text(given), show_text(known), alike([given], [known], what)
            )
    return None


def _plain(text: str) -> str:
    text = text.strip()
    return text if text.isascii() else unicodedata.normalize("NFC", text)


def _are_odd(*parts: Ids) -> bool:
    """Whether there may be ids with blanks at their ends, or with letters that Unicode writes in
    several ways.
    """
    return any(map(_is_odd, parts))


def _is_odd(ids: Ids) -> bool:
    data, start = ids.data, ids.start
    if not len(data):
        return False
    ends = np.minimum(np.concatenate((start[:-1], start[1:] - 1)), len(data) - 1)
    if data[ends].min() <= _BLANK:
        return True
    if data.max() < _BEYOND:
        return False
    text = data.tobytes().decode()
    return not (text.isprintable() and unicodedata.is_normalized("NFC", text))
