"""For everyone: axe-core finds nothing moderate or worse, in light and dark, narrow and wide; and
on paper.
"""

from __future__ import annotations

from importlib.util import find_spec
from itertools import pairwise
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture(scope="module")
def axe():
    bundled = find_spec("axe_playwright_python")
    places = [ROOT / "node_modules" / "axe-core" / "axe.min.js"]
    if bundled is not None and bundled.origin is not None:
        places.append(Path(bundled.origin).parent / "axe.min.js")
    for place in places:
        if place.exists():
            return place.read_text(encoding="utf-8")
    pytest.skip("no axe-core: pip install --group browser")


@pytest.mark.nightly(keep=1)
@pytest.mark.parametrize(
    ("which", "width", "scheme"),
    [
        ("scored", 375, "dark"),
        ("scored", 1400, "light"),
        ("runs", 375, "light"),
        ("runs", 1400, "dark"),
        ("several", 1400, "dark"),
    ],
)
def test_axe_finds_nothing(opened, axe, request, which, width, scheme):
    page = opened(request.getfixturevalue(which).path, width=width, scheme=scheme)
    page.evaluate("for (const one of document.querySelectorAll('details')) one.open = true")
    # Of text on a gradient, the shadow of tables that go on, it knows no contrast.
    page.evaluate(
        "for (const one of document.querySelectorAll('.wide')) one.style.background = "
        "'var(--ground)'"
    )
    page.evaluate(axe)
    found = page.evaluate("() => axe.run(document, { resultTypes: ['violations'] })")["violations"]
    assert [
        (one["id"], one["impact"], [node["target"] for node in one["nodes"]][:3])
        for one in found
        if one["impact"] != "minor"
    ] == []


@pytest.mark.parametrize("which", ["scored", "runs", "several"])
def test_one_main_and_headings_in_order(opened, request, which):
    page = opened(request.getfixturevalue(which).path)
    assert page.locator("main").count() == 1
    levels = page.eval_on_selector_all("h1, h2, h3, h4", "all => all.map((one) => +one.tagName[1])")
    assert levels[0] == 1 and levels.count(1) == 1
    assert all(after - before <= 1 for before, after in pairwise(levels))
    named = page.eval_on_selector_all(
        "svg[role=img]",
        (
            "all => all.map((one) => one.getAttribute('aria-labelledby').split(' ').every((id) => "
            "document.getElementById(id)))"
        ),
    )
    assert named and all(named)
    ids = page.eval_on_selector_all("[id]", "all => all.map((one) => one.id)")
    assert len(ids) == len(set(ids))


@pytest.mark.nightly(keep=2)
@pytest.mark.parametrize("width", [360, 1400])
@pytest.mark.parametrize("which", ["scored", "runs"])
def test_the_page_fits_its_width(opened, request, which, width):
    page = opened(request.getfixturevalue(which).path, width=width)
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    cut = page.evaluate(
        """() => [...document.querySelectorAll('svg.chart')].flatMap((svg) => {
          const box = svg.viewBox.baseVal;
          return [...svg.querySelectorAll('text')].filter((one) => {
            const at = one.getBBox(), turned = one.hasAttribute('transform');
            return !turned && (at.x < -1 || at.x + at.width > box.width + 1 || at.y + at.height > box.height + 1);
          }).map((one) => one.textContent);
        })"""  # noqa: E501
    )
    assert cut == []


@pytest.mark.parametrize("which", ["scored", "runs"])
def test_on_paper(opened, request, which):
    page = opened(request.getfixturevalue(which).path, media="print")
    assert not page.locator("nav").is_visible() and not page.locator(".controls").first.is_visible()
    assert page.locator("svg.chart").first.is_visible()
    # The first sheet is a summary; headings with buttons would not be repeated on each sheet.
    style = "(all, name) => [...new Set(all.map((one) => getComputedStyle(one)[name]))]"
    assert page.eval_on_selector_all(".summary", style, "breakAfter") == ["page"]
    assert page.eval_on_selector_all("thead button", style, "display") == ["contents"]
    paper = page.pdf(format="A4")
    assert paper.startswith(b"%PDF") and len(paper) > 20_000
