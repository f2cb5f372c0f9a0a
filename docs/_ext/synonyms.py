"""Every word of the glossary, and every name of a measure, has an entry in the index, which the
site's search looks through first.

A search for a name of a measure finds its section in the pages of measures before all else, as
`scorer.js` weighs these pages more than the glossary.
"""

from __future__ import annotations

from typing import Any

from docutils import nodes
from sphinx import addnodes
from sphinx.application import Sphinx

from precall.measures import REGISTRY
from precall.measures.words import words


def setup(app: Sphinx) -> dict[str, Any]:
    app.connect("doctree-read", _indexed)
    return {"parallel_read_safe": True, "parallel_write_safe": True}


def _indexed(app: Sphinx, document: nodes.document) -> None:
    page = app.env.current_document.docname
    if page == "glossary":
        _index_words(document)
    elif page.startswith("measures/"):
        _index_measures(document)


def _index_words(document: nodes.document) -> None:
    # The last table has the words of printed tables, which are more often met than looked for.
    tables = list(document.findall(nodes.table))
    for row in [row for table in tables for row in table.findall(nodes.row)]:
        main = "" if row.parent.parent.parent is tables[-1] else "main"
        if isinstance(row.parent, nodes.thead) or not row.children:
            continue
        cell = row.children[0]
        names = [word.strip() for word in cell.astext().split(",") if word.strip()]
        target = nodes.make_id(f"word-{names[0]}")
        if target in document.ids:
            target = f"{target}-{len(document.ids)}"
        # The row is the target, so that its text is the excerpt that the search shows.
        row["ids"].append(target)
        document.note_explicit_target(row)
        cell.insert(0, _entries(names, target, main))


def _index_measures(document: nodes.document) -> None:
    names = _names()
    for section in document.findall(nodes.section):
        if found := names.get(section.next_node(nodes.title).astext()):
            section.insert(1, _entries(found, section["ids"][0], "main"))


def _entries(names: list[str], target: str, main: str) -> addnodes.index:
    return addnodes.index(entries=[("single", name, target, main, None) for name in names])


def _names() -> dict[str, list[str]]:
    """The names of each measure: its own, and those of its words and of its summary."""
    result = {}
    for declared in REGISTRY:
        meant = [word.names for word in words() if word.is_name and word.measure == declared.name]
        names = [
            declared.name,
            *declared.aliases,
            *[declared.title] * (declared.has_title and len(declared.title.split()) < 5),
            *(name for several in meant for name in several),
        ]
        result[declared.name] = list({name.casefold(): name for name in names}.values())
    return result
