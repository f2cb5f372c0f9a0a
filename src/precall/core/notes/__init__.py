"""Notes: facts about a number, or about the data behind it, that travel with the result.

`pc.notes.KIND` is a kind of note, such as `pc.notes.MissingTopics`; `precall explain` and the
documentation list all of them.
"""

from __future__ import annotations

from typing import Any

from precall.core.notes.catalogue import DamagedNote as DamagedNote
from precall.core.notes.catalogue import catalogue
from precall.core.notes.catalogue import note_from_json as note_from_json
from precall.core.notes.facts import KINDS as KINDS
from precall.core.notes.facts import Meaning, Note, Severity, sentences
from precall.core.notes.facts import Notes as Notes
from precall.core.notes.facts import Quoted as Quoted
from precall.core.notes.facts import Together as Together
from precall.core.notes.facts import group_by_subject as group_by_subject
from precall.core.notes.facts import iterate_notes as iterate_notes
from precall.core.notes.facts import name_of_kind as name_of_kind
from precall.core.notes.facts import note_kind as note_kind
from precall.core.notes.facts import notes_of as notes_of
from precall.core.notes.facts import notes_to_json as notes_to_json
from precall.core.notes.telling import collect_notes as collect_notes
from precall.core.notes.telling import keep_notes as keep_notes
from precall.core.notes.telling import run_and_collect as run_and_collect
from precall.core.notes.telling import run_and_warn as run_and_warn
from precall.core.notes.telling import suggest as suggest
from precall.core.notes.telling import suggest_once as suggest_once
from precall.core.notes.telling import warn as warn
from precall.core.notes.telling import warn_all as warn_all

__all__ = ["Meaning", "Note", "Severity", "catalogue", "sentences"]


def __getattr__(name: str) -> type[Any]:
    # Kinds are imported when they are first used: most processes need few.
    for kind in catalogue().values() if name[:1].isupper() else ():
        if kind.__name__ == name:
            return kind
        # The name in a filter of warnings, such as `-W error::precall.notes.FewValuesWarning` of
        # pytest.
        if kind.warning.__name__ == name:
            return kind.warning
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
