"""The README reads well on PyPI, too: its links are absolute, and what they name is in the
repository.
"""

from __future__ import annotations

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
README = ROOT / "README.md"
LINKS = re.findall(r"\]\(([^)]+)\)", README.read_text(encoding="utf-8"))


SOURCE = "https://github.com/precall/precall/blob/main/"
RAW = "https://raw.githubusercontent.com/precall/precall/main/"
SITE = "https://precall.github.io/precall/"


def file(link: str) -> Path | None:
    """The file in the repository that a link shows; None if it is another link."""
    for start in (SOURCE, RAW):
        if link.startswith(start):
            return ROOT / link.removeprefix(start)
    if link.startswith(SITE):
        page = link.removeprefix(SITE) or "index.html"
        return ROOT / "docs" / page.partition("#")[0].replace(".html", ".md")
    return None


def test_links_are_absolute_and_lead_somewhere() -> None:
    assert LINKS and all(link.startswith("https://") for link in LINKS)
    shown = [file(link) for link in LINKS]
    assert None not in shown and all(path.is_file() for path in shown if path)


def test_pypi_shows_it() -> None:
    markdown = pytest.importorskip(
        "readme_renderer.markdown", reason="readme_renderer is not installed: README"
    )
    html = markdown.render(README.read_text(encoding="utf-8"))
    assert html and html.count("<pre") >= 5 and "<img" in html
