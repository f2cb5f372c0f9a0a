"""What the theme leaves to be said for readers who use keys or a screen reader, once the pages are
written.
"""

from __future__ import annotations

import re
from html import unescape
from pathlib import Path
from typing import Any

from sphinx.application import Sphinx

#: What scrolls has to be reached by keys; headings have levels, and regions names.
_SAID = (
    ('<div class="table-wrapper', '<div tabindex="0" class="table-wrapper'),
    ('<div class="formula">', '<div class="formula" tabindex="0">'),
    ('<p class="caption" role="heading">', '<p class="caption" role="heading" aria-level="2">'),
    ('<aside class="sidebar-drawer">', '<aside class="sidebar-drawer" aria-label="All pages">'),
    ('<aside class="toc-drawer', '<aside aria-label="On this page" class="toc-drawer'),
)
#: Words that stand below words, three lines or more of three: broken, they would not be read.
_COLUMNS = re.compile(r"(?:^.*\S {2,}\S.* {2,}\S.*$\n?){3}", re.MULTILINE)


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
        text = re.sub(r"<pre>(.*?)</pre>", _scrolled, text, flags=re.DOTALL)
        if text != before:
            path.write_text(text, encoding="utf-8")


def _scrolled(found: re.Match[str]) -> str:
    columns = _COLUMNS.search(unescape(re.sub("<[^>]+>", "", found[1])))
    return f'<pre class="columns" tabindex="0">{found[1]}</pre>' if columns else found[0]
