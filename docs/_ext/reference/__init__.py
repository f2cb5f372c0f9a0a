"""The reference as an extension of Sphinx: its pages are written anew, into a folder that git
ignores, before they are read.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

FOLDER = "reference/api"


def setup(app: Any) -> dict[str, Any]:
    """Told by Sphinx to begin."""
    from .anchors import Anchors

    app.add_directive("anchors", Anchors)
    app.connect("builder-inited", _write)
    return {"parallel_read_safe": True, "parallel_write_safe": True}


def _write(app: Any) -> None:
    from .commands import pages as of_commands
    from .forms import pages as of_forms
    from .pages import pages

    write(Path(app.srcdir) / FOLDER, pages() | of_commands() | of_forms())


def write(folder: Path, made: dict[str, str]) -> None:
    """Leave nothing but these pages in a folder; what did not change is not written, so that it is
    not read again.
    """
    folder.mkdir(parents=True, exist_ok=True)
    for path in folder.iterdir():
        if path.name not in made:
            path.unlink()
    for name, text in made.items():
        path = folder / name
        if not path.exists() or path.read_text(encoding="utf-8") != text:
            path.write_text(text, encoding="utf-8")
