"""Ids of a run that differ from ids of the qrels only in spelling: in blanks at their ends, in the
Unicode form of their letters, in capital letters or in zeros before a number.

Most ids can be spelled in one way only. The bytes of all ids together show whether any id may have
another spelling. Only if so, ids are compared one by one, topic by topic, up to a maximum number.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Callable, Collection, Iterable
from typing import TYPE_CHECKING

import numpy as np

from precall.core.notes.of_reading import IdsUnlike
from precall.core.text import without_invisible
from precall.native import kernel, thread_count
from precall.read.grades import codes
from precall.read.problems import advice_on_spelling, without_zeros

if TYPE_CHECKING:
    from precall.core.ragged import Bool, Bytes, Int64
    from precall.location.located import Located
    from precall.read.columns import Ids, Qrels, Run

#: Bytes of blanks and control characters are at most the first; those of letters beyond ASCII are
#: at least the second.
_BLANK, _BEYOND = 0x20, 0x80
#: Bytes that are looked at before all are.
_FEW = 1 << 10
#: Bytes, or ids, that are looked at together: what is found of them stays in the cache. Of all at
#: once it would take new memory for each, which takes longer than to look.
_BLOCK = 1 << 16
#: At most this many ids are compared one by one.
_MOST = 1 << 16


def note_unlike_ids(qrels: Qrels, run: Run, located: Located) -> IdsUnlike | None:
    """A note on the first topic or item of a run that differs from one of the qrels only in
    spelling; None if there is none.
    """
    return _note_topics(qrels, run, located) or _note_items(qrels, run, located)


def _note_topics(qrels: Qrels, run: Run, located: Located) -> IdsUnlike | None:
    """A note on the first topic that is only in the run or only in the qrels, and has a similar id
    in the other.
    """
    spellings = _spellings(qrels.topics, run.topics)
    if not spellings:
        return None
    # A topic may be in both, while some of its rows have the other id.
    others, missing = (
        located.topics.take(np.flatnonzero(in_one & ~in_other)[:_MOST]).tolist()
        for in_one, in_other in (
            (located.in_run, located.in_qrels),
            (located.in_qrels, located.in_run),
        )
    )
    judged = qrels.topics.tolist() if others else []
    # Nobody calls two topics q1 and Q1, though two items may be called so.
    like_others = _find_alike("topic", spellings, others, judged, set(judged))
    if like_others or not missing:
        return like_others
    return _find_alike("topic", spellings, run.topics.tolist(), missing)


def _note_items(qrels: Qrels, run: Run, located: Located) -> IdsUnlike | None:
    """A note on the first unjudged item whose id is similar to a judged one of its topic."""
    spellings = _spellings(qrels.items, run.items)
    if not spellings or not len(run.items):
        return None
    rankings = (
        range(len(qrels))
        if spellings[0][0] is _normalize
        else _topics_with_alike(qrels, run, located).tolist()
    )
    names = qrels.topics.tolist() if len(rankings) else []
    run_index = {topic: index for index, topic in enumerate(run.topics.tolist())} if names else {}
    compared = 0
    for ranking in rankings:
        if (index := run_index.get(names[ranking])) is None:
            continue
        compared += _item_count(qrels, ranking) + _item_count(run, index)
        if compared > _MOST:
            return None
        judged, retrieved = _items_of_topic(qrels, ranking), _items_of_topic(run, index)
        judged_set = set(judged)
        unjudged = [item for item in retrieved if item not in judged_set]
        missed = judged_set.difference(retrieved) if unjudged else ()
        if note := _find_alike("item", spellings, unjudged, judged, missed):
            return note
    return None


def _topics_with_alike(qrels: Qrels, run: Run, located: Located) -> Int64:
    """The topics of the qrels of which more items would be judged if capitals and zeros in front
    did not count. All ids are compared by the kernel: as texts of Python they would take longer
    than the evaluation.
    """
    folded = kernel().locate(
        run.topics.data,
        run.topics.start,
        run.row_start,
        *_fold(run.items),
        # Falling scores need not be sorted.
        -np.arange(len(run.items), dtype=np.float64),
        qrels.topics.data,
        qrels.topics.start,
        qrels.row_start,
        *_fold(qrels.items),
        codes(qrels.grade),
        True,
        thread_count(None),
    )
    counts = (
        np.bincount(ranking, minlength=len(located.topics))[: len(qrels)]
        for ranking in (folded[1], located.ranking)
    )
    return np.flatnonzero(np.greater(*counts))


def _fold(ids: Ids) -> tuple[Bytes, Int64]:
    """Ids with small letters, or numbers without zeros in front, as bytes and where they begin."""
    data, start = ids.data[ids.start[0] : ids.start[-1]], ids.start - ids.start[0]
    if not _between(data, "09").all():
        return data + np.uint8(ord("a") - ord("A")) * _between(data, "AZ"), start
    # How many characters other than 0 come before each, in all ids.
    before = np.concatenate(([0], np.cumsum(data != ord("0"))))
    kept = before[1:] > np.repeat(before[start[:-1]], np.diff(start))
    kept[start[1:] - 1] = True
    return data[kept], np.concatenate(([0], np.cumsum(kept)))[start]


def _item_count(rows: Qrels | Run, topic: int) -> int:
    return int(rows.row_start[topic + 1] - rows.row_start[topic])


def _items_of_topic(rows: Qrels | Run, topic: int) -> list[str]:
    begin, end = rows.row_start[topic : topic + 2].tolist()
    return rows.items.take(np.arange(begin, end)).tolist()


#: A form of ids that several spellings share, and whether ids that have it may still be two: an id
#: and the same one with a capital letter can both be in a collection, and then both are retrieved
#: or judged.
_Spelling = tuple[Callable[[str], str], bool]


def _find_alike(
    kind: str,
    spellings: Iterable[_Spelling],
    ids: Collection[str],
    judged: Iterable[str],
    missed: Collection[str] = (),
) -> IdsUnlike | None:
    """A note on the first id that is almost equal to a judged one; no id is in both.

    `missed` are the judged ids that the run does not have.
    """
    for plain, may_be_two in spellings if ids else ():
        judged_by_text = {plain(id_): id_ for id_ in judged if not may_be_two or id_ in missed}
        if judged_by_text.keys().isdisjoint(map(plain, ids)):
            continue
        for id_ in ids:
            if (judged_id := judged_by_text.get(plain(id_))) is not None:
                return IdsUnlike(
                    "",
                    kind,
                    id_,
                    judged_id,
                    advice_on_spelling([id_], [judged_id], kind),
                )
    return None


def _normalize(text: str) -> str:
    """An id without characters that are not seen and blanks at its ends, in the composed form of
    Unicode (NFC).
    """
    if not text.isascii():
        text = unicodedata.normalize("NFC", without_invisible(text))
    return text.strip()


def _spellings(first: Ids, second: Ids) -> list[_Spelling]:
    """The forms in which ids of the two may be alike without being equal, from the bytes of all."""
    forms: list[_Spelling] = []
    is_odd = _is_odd(first) or _is_odd(second)
    if is_odd:
        forms.append((_normalize, False))
    if any(
        _has_between(one.data, "AZ") and _has_between(other.data, "az")
        for one, other in ((first, second), (second, first))
    ):
        forms.append(((lambda text: _normalize(text).casefold()) if is_odd else str.casefold, True))
    if _has_leading_zero(first) or _has_leading_zero(second):
        forms.append(
            ((lambda text: without_zeros(_normalize(text))) if is_odd else without_zeros, True)
        )
    return forms


def _between(data: Bytes, ends: str) -> Bool:
    """Which bytes are characters of ASCII between two."""
    least, greatest = ends.encode()
    return data - np.uint8(least) <= greatest - least


def _has_between(data: Bytes, ends: str) -> bool:
    """Whether some bytes are characters of ASCII between two."""
    if not len(data) or data.max() < ord(ends[0]):
        return False
    return any(
        bool(_between(data[begin : begin + _BLOCK], ends).any())
        for begin in range(0, len(data), _BLOCK)
    )


def _has_leading_zero(ids: Ids) -> bool:
    """Whether some ids begin with 0 and a further character, and all are whole numbers."""
    # Most ids are no numbers, which the first ones show.
    if not _between(ids.data[:_FEW], "09").all():
        return False
    for begin in range(0, len(ids), _BLOCK):
        ends = ids.start[begin : begin + _BLOCK + 1]
        if (ids.data[ends[:-1][np.diff(ends) > 1]] == ord("0")).any():
            return bool(_between(ids.data, "09").all())
    return False


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
