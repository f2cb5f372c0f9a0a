"""Rankings → where their hits are, for the strips of a page."""

from __future__ import annotations

import base64
from typing import TYPE_CHECKING, Any

import numpy as np

from precall.measures import measure
from precall.notes import listening

if TYPE_CHECKING:
    from precall.location import Hits

#: So many ranks are drawn; each takes one bit of the record.
DEPTH = 48


def hits_of(parts: list[tuple[list[str], Hits]], topics: list[str]) -> dict[str, Any]:
    """Hits of several systems: the topics of their rankings, and the hits, ties resolved."""
    systems = [marks_of(hits, names, topics) for names, hits in parts]
    relevant = np.max([one.pop("relevant") for one in systems], axis=0).tolist()
    return {"depth": DEPTH, "relevant": relevant, "systems": systems}


def marks_of(hits: Hits, names: list[str], topics: list[str]) -> dict[str, Any]:
    """Hits in the first ranks, topic by topic.

    Parameters
    ----------
    hits : of rankings, ties resolved.
    names : the topic of each ranking.
    topics : the topics of the section; those that the rankings lack have no marks.

    Returns
    -------
    dict
        `marks`: per topic 8 letters, base64 of 48 bits, rank 1 first; `found` and `relevant` items per topic.

    Examples
    --------
    >>> from precall import Hits
    >>> strips = marks_of(Hits.of([1, 3], retrieved=9, relevant=4), ["q1"], ["q0", "q1"])
    >>> strips["marks"], strips["found"], strips["relevant"]
    ('AAAAAAAAoAAAAAAA', [0, 2], [0, 4])
    """
    place = {name: i for i, name in enumerate(names)}
    rows = np.array([place.get(topic, len(names)) for topic in topics], np.int64)
    bits = np.zeros((len(names) + 1, DEPTH), np.bool_)
    location = hits.location
    shown = location <= DEPTH
    bits[hits.ranking[shown], location[shown] - 1] = True
    found, relevant = (np.append(one, 0)[rows].tolist() for one in (hits.found, hits.relevant))
    return {
        "marks": base64.b64encode(np.packbits(bits[rows], axis=1).tobytes()).decode(),
        "found": found, "relevant": relevant,
    }  # fmt: skip


def eleven_points(hits: Hits, level: float) -> dict[str, Any]:
    """Interpolated precision at recall 0, .1, ..., 1: means over the topics that have relevant items, and t intervals."""
    from precall.infer.interval.mean import mean

    with listening():
        # Few or skewed topics are said of the averages.
        values = [measure(f"IPrec(recall={step / 10:g})")(hits) for step in range(11)]
        intervals = [mean(one[one == one], level=level) for one in values]
    ends = {"mean": "estimate", "low": "low", "high": "high"}
    return {
        name: np.array([getattr(one, part) for one in intervals], np.float64) for name, part in ends.items()
    }


def ranks_in(marks: str, topic: int) -> list[int]:
    """The ranks of one topic's hits, read off the marks.

    Examples
    --------
    >>> ranks_in("AAAAAAAAoAAAAAAA", 1)
    [1, 3]
    """
    part = base64.b64decode(marks[8 * topic : 8 * topic + 8])
    return (np.flatnonzero(np.unpackbits(np.frombuffer(part, np.uint8))) + 1).tolist()
