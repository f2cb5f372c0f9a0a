"""docs/notes.md, written from the kinds of notes that are declared:
`python docs/note_page.py [FOLDER]`.
"""

from __future__ import annotations

import sys
from inspect import getdoc
from pathlib import Path

from precall.cli.explanations import note_facts
from precall.core.notes import Note, catalogue
from precall.results.forms import pipes

_HEAD = """<!-- Written by `python docs/note_page.py`; do not edit. -->
# Notes

A note is a fact that precall noticed about your data or about a number. It travels with the results: `compare`, gates, pages, JSON
and CSV also show the notes of `evaluate`. `precall explain KIND` prints an entry of this page.

```python
import warnings
import precall as pc

report = pc.evaluate({"q1": {"a": 1}, "q2": {"b": 1}}, {"q1": {"a": 1.0}}, ["AP"], topics="qrels")
for note in report.notes:
    print(note.kind, note.subject, note.values)  # missing-topics run {'missing': 1, 'total': 2}
    print(note)  # its sentence
missing = [note for note in report.notes if isinstance(note, pc.notes.MissingTopics)]
warnings.filterwarnings("ignore", category=pc.notes.FewValues.warning)
```

In JSON a note is an object with `kind`, `subject`, `values` and `text`. If it has `within`, the subject belongs to that run or group.
If it has `vocabulary`, its sentence uses the words of lists of ids: queries, gold, systems.

Each note has one of three severities:

* *wrong*: the number is probably wrong;
* *doubtful*: the number may be unreliable;
* *informative*: anything else.
"""  # noqa: E501


def page() -> str:
    """The text of the page."""
    homes: dict[str, list[type[Note]]] = {}
    for kind in catalogue().values():
        homes.setdefault(kind.__module__, []).append(kind)
    parts = [_HEAD]
    for home, kinds in sorted(homes.items()):
        title = _prose(sys.modules[home]).partition(":")[0]
        title = title.removeprefix("What is noticed ").rstrip(".")
        parts.append(f"## {title[0].upper()}{title[1:]}\n")
        rows = [
            [f"`{name}`", told.pop("Severity"), _prose(kind), told.get("Sentence", "")]
            for kind in kinds
            for name, told in [(kind.__name__, note_facts(kind))]
        ]
        parts += [pipes(["kind", "severity", "what was noticed", "sentence"], rows, "llll"), ""]
    return "\n".join(parts)


def _prose(thing: object) -> str:
    return " ".join((getdoc(thing) or "").split())


if __name__ == "__main__":
    place = Path(sys.argv[1]) if len(sys.argv) > 1 else Path(__file__).parent
    (place / "notes.md").write_text(page(), encoding="utf-8", newline="\n")
