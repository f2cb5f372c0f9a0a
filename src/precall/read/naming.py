"""Which column holds what, told by the names that people and packages give them.

BEIR and MTEB (query-id, corpus-id, score), ir_measures and ir_datasets (query_id, doc_id, relevance), PyTerrier (qid, docno,
label, rank, score), Hugging Face data sets and others are known. Case, blanks, dots, `-` and `_` do not matter.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from precall.errors import DataError, Problem
from precall.read.columns import NAMES, RUN, Request, lowest_is_best
from precall.read.problems import listed, show_text
from precall.text import letters

#: What tells runs apart that stand in one table.
_SYSTEMS = ("run", "runid", "runname", "system", "systemname", "systemid")
#: What may: items of one run may also have been retrieved by several models.
_MODELS = (*_SYSTEMS, "tag", "model", "retriever")
#: What may stand beside topics and items, and holds no value; so may a column without a name, as pandas writes its index.
_BESIDE = (
    "iteration iter q0 tag run runid runname system text title body content contents passage document url lang language "
    "name index unnamed:0 subtopic subtopicid"
)


def column_of(role: str, columns: Sequence[Any], label: str) -> str | None:
    """The column that holds this, by its name; None if there is none.

    DataError if two columns have one name but for its spelling.
    """
    if role in columns:
        return role
    for known in NAMES[role].split():
        # Columns of pandas may be numbers.
        alike = [name for name in columns if isinstance(name, str) and letters(name) == known]
        if len(alike) > 1:
            what = f"{listed(alike)} may all be the column {role}"
            raise DataError([Problem(label, None, what, f"say which one with columns={{{role!r}: ...}}")])
        if alike:
            return alike[0]
    return None


def recognised(columns: Sequence[Any], request: Request) -> Request:
    """The request with the columns of a table that are meant, and what to say of them; explicit ones stay.

    Without scores the order of rows is theirs, or `rank` where that is a column; without grades each is 1. Where another
    column might hold them none is assumed, and the column is missing.
    """
    if request.recognised:
        return request
    columns = [name for name in columns if isinstance(name, str)]
    explicit = {
        role: name for role, name in (request.columns or {}).items() if role in request.subject.columns
    }
    chosen = dict(explicit)
    for role in request.subject.columns:
        if role not in chosen:
            left = [name for name in columns if name not in chosen.values()]
            if (name := column_of(role, left, request.label)) is not None:
                chosen[role] = name
    # Those who call grades scores call topics and items by other names; with ours it is a run.
    if chosen == {"topic": "topic", "item": "item", "grade": "score"}:
        del chosen["grade"]
    notes = tell_renamed({role: name for role, name in chosen.items() if role not in explicit})
    settled = replace(request, columns=chosen, recognised=True, notes=notes)
    if request.subject is RUN:
        left = [name for name in columns if name not in chosen.values()]
        settled = replace(settled, several=_only(left, _SYSTEMS) or _only(left, _MODELS))
        if len(chosen) == len(request.subject.columns):
            return replace(settled, rank=_only(left, ("rank",)))
    if request.subject.value in chosen or "topic" not in chosen or "item" not in chosen:
        return settled
    return _valueless(settled, chosen, [name for name in columns if name not in chosen.values()])


def _only(left: list[str], known: Sequence[str]) -> str | None:
    """The one column of these that has such a name."""
    alike = [name for name in left if letters(name) in known]
    return alike[0] if len(alike) == 1 else None


def _valueless(request: Request, chosen: dict[str, str], left: list[str]) -> Request:
    """The same of a table that has no column called a score or a grade."""
    if request.subject is RUN:
        lowest = [name for name in left if lowest_is_best(name)] if request.lowest_first else []
        rank = column_of("rank", left, request.label) or (lowest[0] if len(lowest) == 1 else None)
        if rank is not None:
            note = f"{show_text(rank)} read as score, the lowest first"
            columns = {**chosen, "score": rank}
            return replace(request, columns=columns, lowest_first=True, notes=(*request.notes, note))
    known = {"", *_BESIDE.split(), *NAMES["topic"].split(), *NAMES["item"].split()}
    if any(letters(name) not in known for name in left):
        return request
    note = (
        "no column of scores: items are in the order of the rows"
        if request.subject is RUN
        else "no column of grades: each is 1"
    )
    return replace(request, valueless=True, lowest_first=False, notes=(*request.notes, note))


def systems_of(request: Request) -> list[str]:
    """The column that tells runs apart for sure, if there is one."""
    name = request.several
    return [name] if name is not None and letters(name) in _SYSTEMS else []


def is_row(row: Mapping[object, object]) -> bool:
    """Whether a dict is a row of a table, by its names, and no ranking of items."""
    return column_of("topic", [name for name in row if isinstance(name, str)], "row") is not None


def tell_renamed(chosen: Mapping[str, str]) -> tuple[str, ...]:
    """What to say of columns that were recognised by other names than their own."""
    pairs = [f"{show_text(name)} as {role}" for role, name in chosen.items() if name != role]
    return (f"columns read: {', '.join(pairs)}",) if pairs else ()
