"""Which column holds what, told by the names that people and packages give them.

BEIR and MTEB (query-id, corpus-id, score), ir_measures and ir_datasets (query_id, doc_id, relevance), PyTerrier (qid, docno,
label, rank, score), Hugging Face data sets and others are known. Case, blanks, dots, `-` and `_` do not matter.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from precall.errors import DataError, Problem
from precall.read.problems import listed, shown

#: By what a column holds its names; of several that are there the first is meant.
NAMES = {
    "topic": "topic topicid queryid qid questionid query question",
    "item": "item itemid corpusid docno docid documentid did pid passageid chunkid doc document passage",
    "score": "score scores similarity sim",
    "grade": "grade relevance label rel judgment judgement rating gain score",
    "query": "queryid qid questionid topic topicid query question userinput id",
    "retrieved": "retrieved retrievedids retrieveddocids retrievedcontextids results ranking predictions predicted",
    "gold": "gold goldids relevant relevantids expected expectedids referencecontextids reference groundtruth positives",
    "grades": "grades grade relevance",
}


def plain(name: str) -> str:
    """A name without what writers differ in."""
    return re.sub(r"[-_. ]", "", name.lower())


def column_of(role: str, columns: Sequence[str], label: str) -> str | None:
    """The column that holds this, by its name; None if there is none.

    DataError if two columns have one name but for its spelling.
    """
    if columns.count(role) == 1:
        return role
    for known in NAMES[role].split():
        alike = [name for name in columns if plain(name) == known]
        if len(alike) > 1:
            what = f"{listed(alike)} may all be the column {role}"
            raise DataError([Problem(label, None, what, f"say which one with columns={{{role!r}: ...}}")])
        if alike:
            return alike[0]
    return None


def told(chosen: Mapping[str, str]) -> tuple[str, ...]:
    """What to say of columns that were recognised by other names than their own."""
    pairs = [f"{shown(name)} as {role}" for role, name in chosen.items() if name != role]
    return (f"columns read: {', '.join(pairs)}",) if pairs else ()
