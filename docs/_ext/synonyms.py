"""Every word of the glossary has an anchor, and an entry in the index, which the site's search
looks through first.
"""

from __future__ import annotations

from typing import Any

from docutils import nodes
from sphinx import addnodes
from sphinx.application import Sphinx


def setup(app: Sphinx) -> dict[str, Any]:
    app.connect("doctree-read", _indexed)
    return {"parallel_read_safe": True, "parallel_write_safe": True}


def _indexed(app: Sphinx, document: nodes.document) -> None:
    if app.env.current_document.docname != "glossary":
        return
    # The last table has the words of printed tables, which are more often met than looked for.
    tables = list(document.findall(nodes.table))
    for row in [row for table in tables for row in table.findall(nodes.row)]:
        main = "" if row.parent.parent.parent is tables[-1] else "main"
        if isinstance(row.parent, nodes.thead) or not row.children:
            continue
        cell = row.children[0]
        words = [word.strip() for word in cell.astext().split(",") if word.strip()]
        target = nodes.make_id(f"word-{words[0]}")
        if target in document.ids:
            target = f"{target}-{len(document.ids)}"
        entries = [("single", word, target, main, None) for word in words]
        paragraph = nodes.target("", "", ids=[target])
        document.note_explicit_target(paragraph)
        cell.insert(0, [addnodes.index(entries=entries), paragraph])
