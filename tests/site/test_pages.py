"""Links of the built site lead somewhere, nothing is asked of the network, and notebooks show what
they compute.
"""

from __future__ import annotations

import re
from functools import cache
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit

import pytest


class _Page(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.ids: set[str] = set()
        self.links: list[str] = []
        self.loaded: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = dict(attrs)
        self.ids |= {value for name in ("id", "name") if (value := given.get(name))}
        if tag == "a" and (link := given.get("href")):
            self.links.append(link)
        if tag in ("script", "img", "iframe") and (source := given.get("src")):
            self.loaded.append(source)
        if tag == "link" and given.get("rel") == "stylesheet" and (source := given.get("href")):
            self.loaded.append(source)


@cache
def read(path: Path) -> _Page:
    page = _Page()
    page.feed(path.read_text(encoding="utf-8"))
    return page


def pages(site: Path) -> list[Path]:
    return [path for path in site.rglob("*.html") if "_static" not in path.parts]


def test_every_link_leads_somewhere(site: Path) -> None:
    broken = []
    for path in pages(site):
        for link in read(path).links:
            parts = urlsplit(link)
            if parts.scheme or parts.netloc:
                continue
            target = (path.parent / unquote(parts.path)).resolve() if parts.path else path
            if target.is_dir():
                target /= "index.html"
            part = unquote(parts.fragment) if target.suffix == ".html" else ""
            if not target.is_file() or (part and part not in read(target).ids):
                broken.append((path.name, link))
    assert broken == []


def test_nothing_is_asked_of_the_network(site: Path) -> None:
    asked = {
        (path.name, source)
        for path in pages(site)
        for source in read(path).loaded
        if "//" in source
    }
    assert asked == set()
    styles = "\n".join(path.read_text(encoding="utf-8") for path in site.rglob("*.css"))
    assert not re.search(r"(url\(|@import )[\"']?https?:", styles)


def test_the_site_is_small(site: Path) -> None:
    # A page of the reference has some 24 kB, most of them the list of pages beside it.
    size = sum(path.stat().st_size for path in site.rglob("*") if path.is_file())
    pages = sum(1 for _ in site.rglob("*.html"))
    assert size < 48_000 * pages and pages < 500


@pytest.mark.parametrize("name", ["runs", "scores", "lists"])
def test_notebooks_show_what_they_compute(site: Path, name: str) -> None:
    text = (site / "start" / f"{name}.html").read_text(encoding="utf-8")
    assert text.count('class="cell_output') >= 3
    assert "stderr" not in text and "Traceback" not in text


def test_formulas_are_drawn_by_the_browser(site: Path) -> None:
    text = (site / "why" / "definitions.html").read_text(encoding="utf-8")
    assert text.count("<math") > 10 and "MathJax" not in text
    for path in (site / "measures").glob("[a-z]*.html"):
        text = path.read_text(encoding="utf-8")
        assert text.count('<div class="formula"') == text.count("<li><p>Range:") > 0, path


PARTS = ["Start", "How to", "Coming from", "Measures", "Reference", "Why", "Develop"]


@pytest.mark.parametrize(
    "name", ["index", "how-to/threshold", "reference/index", "reference/api/precall.evaluate"]
)
def test_every_page_leads_to_every_part(site: Path, name: str) -> None:
    text = (site / f"{name}.html").read_text(encoding="utf-8")
    beside = text.partition('<div class="sidebar-tree">')[2].partition("</div>")[0]
    words = [word for word in re.findall(r">([A-Z][^<]*)<", beside) if word in PARTS]
    assert list(dict.fromkeys(words)) == PARTS
    if name != "index":
        assert beside.count("current-page") == 1


def test_every_page_has_one_title(site: Path) -> None:
    for path in pages(site):
        assert len(re.findall(r"<h1\b", path.read_text(encoding="utf-8"))) <= 1, path
