"""Links to files of the repository that are no pages, such as examples and tests, lead to the
repository's site.

In the sources they are relative, so that they work there, too.
"""

from __future__ import annotations

import os
import re
from pathlib import Path
from typing import Any

from sphinx.application import Sphinx

_LINK = re.compile(r"\]\((?!https?:|mailto:|#)([^)\s#]+)(#[^)\s]*)?\)")
_DOCS = Path(__file__).resolve().parents[1]
_ROOT = _DOCS.parent
#: Files outside of docs that pages include: their links are taken from where they stand, and links
#: to them are to the page.
PAGES = {
    "bench/README.md": "why/speed.md",
    "CHANGELOG.md": "develop/changelog.md",
    "CONTRIBUTING.md": "develop/contributing.md",
    "SECURITY.md": "develop/security.md",
}


def setup(app: Sphinx) -> dict[str, Any]:
    app.connect("source-read", _read)
    app.connect("include-read", _included)
    return {"parallel_read_safe": True, "parallel_write_safe": True}


def _read(app: Sphinx, page: str, source: list[str]) -> None:
    place = Path(app.env.doc2path(page)).parent
    source[0] = _linked(source[0], place, place, app.config.repository)


def _included(app: Sphinx, path: Path, page: str, source: list[str]) -> None:
    file = (app.srcdir / path).resolve()
    if shown := PAGES.get(file.relative_to(_ROOT).as_posix()):
        source[0] = _linked(source[0], file.parent, (_DOCS / shown).parent, app.config.repository)


def _linked(text: str, stands: Path, page: Path, repository: str) -> str:
    """The text of a file that stands in one folder, shown on a page of another."""

    def link(match: re.Match[str]) -> str:
        path, part = match[1], match[2] or ""
        target = Path(os.path.normpath(stands / path))
        if not target.is_relative_to(_ROOT):
            return match[0]
        name = target.relative_to(_ROOT).as_posix()
        if name in PAGES:
            target = _DOCS / PAGES[name]
        if target.is_relative_to(_DOCS) and target.is_file():
            return f"]({os.path.relpath(target, page)}{part})"
        kind = "tree" if target.is_dir() else "blob"
        return f"]({repository}/{kind}/main/{name}{part})"

    return _LINK.sub(link, text)
