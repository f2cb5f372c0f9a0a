"""Which column holds what, told by the names that people and packages give them.

BEIR and MTEB (query-id, corpus-id, score), ir_measures and ir_datasets (query_id, doc_id,
relevance), PyTerrier (qid, docno, label, rank, score), Hugging Face data sets and others are known.
Case, blanks, dots, `-` and `_` do not matter.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from precall.core.errors import DataError, Problem
from precall.core.notes import Note
from precall.core.notes.of_reading import ColumnsRead, NoGrades, NoScores, RankAsScore
from precall.core.text import letters
from precall.read.columns import NAMES, RUN, Request, lowest_is_best
from precall.read.problems import listed, no_column, show_text
from precall.read.run_columns import candidates

#: What may stand beside topics and items, and holds no value; so may a column without a name, as
#: pandas writes its index.
_BESIDE = (
    "iteration iter q0 tag run runid runname system text title body content contents passage "
    "document url lang language name index unnamed:0 subtopic subtopicid"
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
            todo = f"say which one with ⟨columns={{{role!r}: ...}}¦--columns {role}=...⟩"
            raise DataError([Problem(label, None, what, todo)])
        if alike:
            return alike[0]
    return None


def recognised(columns: Sequence[Any], request: Request) -> Request:
    """The request with the columns of a table that are meant, and what to say of them; explicit
    ones stay.

    Without scores the order of rows is theirs, or `rank` where that is a column; without grades
    each is 1. Where another column might hold them none is assumed, and the column is missing.
    """
    if request.recognised:
        return request
    columns = [name for name in columns if isinstance(name, str)]
    roles = request.subject.columns
    explicit = {role: name for role, name in (request.columns or {}).items() if role in roles}
    chosen = _columns_of_roles(roles, columns, explicit, request.label)
    left = [name for name in columns if name not in chosen.values()]
    notes = note_renamed_columns(
        {role: name for role, name in chosen.items() if role not in explicit}
    )
    settled = replace(request, columns=chosen, recognised=True, notes=notes)
    if request.subject is RUN:
        rank = _only(left, ("rank",)) if len(chosen) == len(roles) else None
        settled = replace(settled, systems=_systems(left, columns, request), rank=rank)
    only_value_lacks = {"topic", "item"} <= chosen.keys() and request.subject.value not in chosen
    return _valueless(settled, chosen, left) if only_value_lacks else settled


def _columns_of_roles(
    roles: Sequence[str], columns: Sequence[str], explicit: Mapping[str, str], label: str
) -> dict[str, str]:
    """The column of each role that has one, explicit ones as they are."""
    chosen = dict(explicit)
    for role in roles:
        left = [name for name in columns if name not in chosen.values()]
        if role not in chosen and (name := column_of(role, left, label)) is not None:
            chosen[role] = name
    # Those who call grades scores call topics and items by other names; with ours it is a run.
    if chosen == {"topic": "topic", "item": "item", "grade": "score"} and "grade" not in explicit:
        del chosen["grade"]
    return chosen


def _systems(left: Sequence[str], columns: Sequence[str], request: Request) -> tuple[str, ...]:
    """The columns that may tell runs apart, or the one that is said to."""
    asked = request.run_column
    if asked is None:
        return candidates(left)
    if asked not in columns:
        what, todo = no_column([asked], columns)
        raise DataError(
            [
                Problem(
                    request.label, None, what, todo or "name the column of runs with ⟨run_column=⟩"
                )
            ]
        )
    return (asked,)


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
            notes = (*request.notes, RankAsScore("", show_text(rank)))
            return replace(
                request, columns={**chosen, "score": rank}, lowest_first=True, notes=notes
            )
    known = {"", *_BESIDE.split(), *NAMES["topic"].split(), *NAMES["item"].split()}
    if any(letters(name) not in known for name in left):
        return request
    note = NoScores("") if request.subject is RUN else NoGrades("")
    return replace(request, valueless=True, lowest_first=False, notes=(*request.notes, note))


def is_row(row: Mapping[object, object]) -> bool:
    """Whether a dict is a row of a table, by its names, and no ranking of items."""
    return column_of("topic", [name for name in row if isinstance(name, str)], "row") is not None


def note_renamed_columns(chosen: Mapping[str, str]) -> tuple[Note, ...]:
    """What to say of columns that were recognised by other names than their own."""
    pairs = tuple((show_text(name), role) for role, name in chosen.items() if name != role)
    return (ColumnsRead("", pairs),) if pairs else ()
