"""Long tables of numbers go to the page as they are: read cell by cell, those of coverage alone
took a sixth of the time.
"""

from __future__ import annotations

import re
from html import escape
from typing import Any

from sphinx.application import Sphinx

#: A head, a line of dashes, and ten rows or more.
_TABLE = re.compile(r"^\|.*\|\n\|[ :|-]+\|\n(?:\|.*\|\n){10,}", re.MULTILINE)
#: What only a parser of Markdown can tell.
_MARKED = re.compile(r"[`\[$<\\]|(?<!\*)\*(?!\*)")


def setup(app: Sphinx) -> dict[str, Any]:
    app.connect("source-read", _plain, priority=900)
    return {"parallel_read_safe": True, "parallel_write_safe": True}


def _plain(app: Sphinx, page: str, source: list[str]) -> None:
    # What stands so in a page is not searched for: none looks for a number.
    if page.startswith("why/"):
        source[0] = _TABLE.sub(
            lambda found: found[0] if _MARKED.search(found[0]) else _html(found[0]), source[0]
        )


def _html(table: str) -> str:
    head, dashes, *rows = (
        [cell.strip() for cell in line.strip("|").split("|")] for line in table.splitlines()
    )
    right = [cell.endswith(":") and not cell.startswith(":") for cell in dashes]
    lines = [_row("th", head, right), "</thead><tbody>", *(_row("td", row, right) for row in rows)]
    body = "\n".join(lines)
    return (
        '````{raw} html\n<div class="table-wrapper"><table class="docutils align-default"><thead>\n'
        f"{body}\n</tbody></table></div>\n````\n"
    )


def _row(tag: str, cells: list[str], right: list[bool]) -> str:
    bold = (
        re.sub(r"\*\*(.*?)\*\*", r"<strong>\1</strong>", escape(cell, quote=False))
        for cell in cells
    )
    shown = (
        f'<{tag} class="text-{"right" if end else "left"}">{cell or "&nbsp;"}</{tag}>'
        for cell, end in zip(bold, right, strict=True)
    )
    return f"<tr>{''.join(shown)}</tr>"
