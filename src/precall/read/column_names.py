"""The column of each role, recognised by the names that people and packages use.

Known are the names of BEIR and MTEB (query-id, corpus-id, score), ir_measures and ir_datasets
(query_id, doc_id, relevance), PyTerrier (qid, docno, label, rank, score), Hugging Face data sets
and others. Case, blanks, dots, `-` and `_` do not matter.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from precall.core.errors import Mistake, Several
from precall.core.notes import Note
from precall.core.notes.of_reading import ColumnsRead, NoGrades, NoScores, RankAsScore
from precall.core.text import as_text, letters
from precall.read.columns import NAMES, RUN, Request, lowest_is_best
from precall.read.problems import no_column
from precall.read.run_columns import candidates

#: Names of other columns in such tables, which hold no values; a column without a name, as pandas
#: writes its index, is one of them.
_BESIDE = (
    "iteration iter q0 tag run runid runname system text title body content contents passage "
    "document url lang language name index unnamed:0 subtopic subtopicid"
)


def column_of(role: str, columns: Sequence[object], label: str) -> str | None:
    """The column of a role, by its name; None if there is none.

    DataError if two names differ only in their spelling.
    """
    if role in columns:
        return role
    for usual_name in NAMES[role].split():
        # Names of pandas columns may be numbers.
        alike = [name for name in columns if isinstance(name, str) and letters(name) == usual_name]
        if len(alike) > 1:
            raise Mistake(
                "{got} may all be the column {role:s}",
                f"say which one with ⟨columns={{{role!r}: ...}}¦--columns {role}=...⟩",
                got=Several(alike),
                role=role,
            ).error(label)
        if alike:
            return alike[0]
    return None


def recognise_columns(columns: Sequence[Any], request: Request) -> Request:
    """The request with the recognised columns of a table, and notes about them; explicit columns
    stay.

    Without scores the order of the rows counts, or a column `rank` if there is one; without grades
    each grade is 1. If another column might hold the values, nothing is assumed, and the column is
    missing.
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
    return _without_values(settled, chosen, left) if only_value_lacks else settled


def _columns_of_roles(
    roles: Sequence[str], columns: Sequence[str], explicit: Mapping[str, str], label: str
) -> dict[str, str]:
    """The column of each role that has one; explicit columns unchanged."""
    chosen = dict(explicit)
    for role in roles:
        left = [name for name in columns if name not in chosen.values()]
        if role not in chosen and (name := column_of(role, left, label)) is not None:
            chosen[role] = name
    # Tables that call grades "score" have other names for topics and items; with the names "topic"
    # and "item" it is a run.
    if chosen == {"topic": "topic", "item": "item", "grade": "score"} and "grade" not in explicit:
        del chosen["grade"]
    return chosen


def _systems(left: Sequence[str], columns: Sequence[str], request: Request) -> tuple[str, ...]:
    """The columns that may tell runs apart, or the one that was named for it."""
    run_column = request.run_column
    if request.seeks_runs:
        return tuple(left)
    if run_column is None:
        return candidates(left)
    if run_column not in columns:
        todo = "name the column of runs with ⟨run_column=⟩"
        raise no_column([run_column], columns, todo).error(request.label)
    return (run_column,)


def _only(left: list[str], names: Sequence[str]) -> str | None:
    """The column with one of these names, if there is exactly one."""
    alike = [name for name in left if letters(name) in names]
    return alike[0] if len(alike) == 1 else None


def _without_values(request: Request, chosen: dict[str, str], left: list[str]) -> Request:
    """The request for a table without a column called a score or a grade."""
    if request.subject is RUN:
        lowest = [name for name in left if lowest_is_best(name)] if request.lowest_first else []
        rank = column_of("rank", left, request.label) or (lowest[0] if len(lowest) == 1 else None)
        if rank is not None:
            notes = (*request.notes, RankAsScore("", as_text(rank)))
            return replace(
                request, columns={**chosen, "score": rank}, lowest_first=True, notes=notes
            )
    ignored_names = {"", *_BESIDE.split(), *NAMES["topic"].split(), *NAMES["item"].split()}
    if any(letters(name) not in ignored_names for name in left):
        return request
    note = NoScores("") if request.subject is RUN else NoGrades("")
    return replace(request, valueless=True, lowest_first=False, notes=(*request.notes, note))


def is_row(row: Mapping[object, object]) -> bool:
    """Whether a dict is a row of a table, by its names, and not a ranking of items."""
    return column_of("topic", [name for name in row if isinstance(name, str)], "row") is not None


def note_renamed_columns(chosen: Mapping[str, str]) -> tuple[Note, ...]:
    """A note about columns that were recognised by other names than their own."""
    pairs = tuple((as_text(name), role) for role, name in chosen.items() if name != role)
    return (ColumnsRead("", pairs),) if pairs else ()
