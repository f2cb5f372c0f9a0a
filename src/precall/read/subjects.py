"""The two things that are read, a run and qrels, and how one wants them read."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from precall.checks import check_choice
from precall.conventions import DUPLICATES, SCORE_DTYPES
from precall.errors import UsageError
from precall.native import thread_count
from precall.ragged import Int64
from precall.read.columns import Ids

ROLES = ("topic", "item", "score", "grade")
#: Names of columns, by what they are, of which the lowest is the best.
_LOWEST = {
    "rank": "ranks?|ranking|position",
    "distance": "distances?|dists?",
    "loss": "loss|losses",
    "cost": "costs?",
    "perplexity": "perplexity|ppl",
    "energy": "energy|energies",
    "p-value": "p[-_ ]?values?|pvals?",
}


class Subject(NamedTuple):
    """What is read: its words in messages, and the column of its values."""

    value: str
    plural: str
    line: str
    layout: str
    fields: int

    @property
    def columns(self) -> tuple[str, str, str]:
        """The columns of a table that holds it."""
        return "topic", "item", self.value


RUN = Subject("score", "a run has", "a line of a run", "topic, ignored, item, ignored, score, tag", 6)
QRELS = Subject("grade", "qrels have", "a judgement", "topic, ignored, item, grade", 4)


class Parsed(NamedTuple):
    """What every reader returns: columns grouped by topic."""

    topics: Ids
    row_start: Int64
    items: Ids
    value: npt.NDArray[np.float64] | Int64
    dropped: int = 0
    tag: bytes = b""


@dataclass(frozen=True, slots=True)
class Request:
    """How a source is to be read; checked once, before anything is opened."""

    subject: Subject
    label: str
    """What messages call the source."""
    duplicates: str
    threads: int
    float32: bool = False
    columns: Mapping[str, str] | None = None

    @property
    def names(self) -> tuple[str, str, str]:
        """What the columns are called in a table."""
        topic, item, value = (dict(self.columns or {}).get(role, role) for role in self.subject.columns)
        return topic, item, value


def request(
    subject: Subject, label: str, duplicates: str, threads: int | None, score_dtype: str = "float64",
    columns: Mapping[str, str] | None = None,
) -> Request:  # fmt: skip
    """A request, its options checked."""
    check_choice("duplicates", duplicates, DUPLICATES)
    check_choice("score_dtype", score_dtype, SCORE_DTYPES)
    float32 = score_dtype == "float32"
    return Request(subject, label, duplicates, thread_count(threads), float32, _checked(subject, columns))


def _checked(subject: Subject, columns: Mapping[str, str] | None) -> Mapping[str, str] | None:
    if columns is None:
        return None
    if not isinstance(columns, Mapping):
        raise UsageError(f"columns: got {columns!r}, allowed is a mapping such as {{'topic': 'qid'}}")
    for role, name in columns.items():
        # Score and grade are both let through: one mapping may serve the run and the qrels.
        check_choice("columns", role, ROLES)
        if not isinstance(name, str):
            raise UsageError(f"columns: the name for {role} must be a str, got {name!r}")
        if role == "score" and subject is RUN and (kind := lowest_is_best(name)):
            raise UsageError(
                f"columns: {name!r} is a {kind} by its name, of which the lowest is the best; as scores, of which the "
                "highest is, it would turn every ranking round; name a column of scores, such as one of negated "
                f"{kind}s"
            )
    return columns


def lowest_is_best(name: str) -> str | None:
    """What a column is, by its name, if the lowest is the best of it: ranks and distances are no scores.

    Examples
    --------
    >>> [lowest_is_best(name) for name in ("rank", "Rank_bm25", "l2-dist", "score", "pagerank")]
    ['rank', 'rank', 'distance', None, None]
    """
    words = (
        kind
        for kind, words in _LOWEST.items()
        if re.search(f"(?:^|[^a-z])(?:{words})(?:$|[^a-z])", name, re.IGNORECASE)
    )
    return next(words, None)


def columns_of(text: str) -> dict[str, str]:
    """The mapping that a text such as `topic=qid,item=docid` says.

    Parameters
    ----------
    text : pairs `column=name in the file`, separated by commas; columns are topic, item, score and grade.

    Raises
    ------
    UsageError
        The text is not of that form, or names a column twice.

    Examples
    --------
    >>> columns_of("topic=qid,item=docid,score=s")
    {'topic': 'qid', 'item': 'docid', 'score': 's'}
    """
    names: dict[str, str] = {}
    for part in text.split(","):
        role, equals, name = (piece.strip() for piece in part.partition("="))
        if not equals or not name or role not in ROLES:
            allowed = ", ".join(f"{role}=NAME" for role in ROLES)
            raise UsageError(f"columns: got {part!r}, allowed are {allowed}, separated by commas")
        if role in names:
            raise UsageError(f"columns: {role} is named twice, {names[role]!r} and {name!r}; name it once")
        names[role] = name
    return names
