"""What the theme leaves to be said for readers who use keys or a screen reader, once the pages are written."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from sphinx.application import Sphinx

#: What scrolls has to be reached by keys; headings have levels, and regions names.
_SAID = (
    ("<pre>", '<pre tabindex="0">'),
    ('<div class="table-wrapper', '<div tabindex="0" class="table-wrapper'),
    ('<div class="math-wrapper', '<div tabindex="0" class="math-wrapper'),
    ('<p class="caption" role="heading">', '<p class="caption" role="heading" aria-level="2">'),
    ('<aside class="sidebar-drawer">', '<aside class="sidebar-drawer" aria-label="All pages">'),
    ('<aside class="toc-drawer', '<aside aria-label="On this page" class="toc-drawer'),
)


def setup(app: Sphinx) -> dict[str, Any]:
    app.connect("build-finished", _say)
    return {"parallel_read_safe": True, "parallel_write_safe": True}


def _say(app: Sphinx, failure: Exception | None) -> None:
    if failure is not None or app.builder.format != "html":
        return
    for path in Path(app.outdir).rglob("*.html"):
        before = text = path.read_text(encoding="utf-8")
        for plain, said in _SAID:
            text = text.replace(plain, said)
        if text != before:
            path.write_text(text, encoding="utf-8")
