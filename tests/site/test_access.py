"""For everyone: axe-core finds nothing moderate or worse on the site's pages, in light and dark,
narrow and wide.
"""

from __future__ import annotations

import pytest

from tests.page.test_access import axe

__all__ = ["axe"]

PAGES = ["index", "start/scores", "how-to/threshold", "measures/counts", "why/definitions"]


@pytest.mark.nightly
@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [375, 1400])
@pytest.mark.parametrize("name", PAGES)
def test_axe_finds_nothing(
    browser, served: str, axe: str, name: str, width: int, scheme: str
) -> None:
    context = browser.new_context(viewport={"width": width, "height": 900}, color_scheme=scheme)
    page = context.new_page()
    page.goto(f"{served}/{name}.html")
    page.evaluate(axe)
    faults = page.evaluate("() => axe.run(document, { resultTypes: ['violations'] })")["violations"]
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    context.close()
    assert [
        (each["id"], each["impact"], [node["target"] for node in each["nodes"]][:3])
        for each in faults
        if each["impact"] != "minor"
    ] == []


#: Of these the widest part that may scroll is a table of columns.
_CUT_OFF = """() => [...document.querySelectorAll("pre:not(.columns)")]
    .filter((one) => one.scrollWidth > one.clientWidth + 1).map((one) => one.textContent.slice(0, 60))"""  # noqa: E501


@pytest.mark.nightly(keep=2)
@pytest.mark.parametrize("name", [*PAGES, "start/runs", "start/lists", "how-to/compare"])
def test_no_line_is_cut_off_on_a_telephone(browser, served: str, name: str) -> None:
    page = browser.new_context(viewport={"width": 375, "height": 900}).new_page()
    page.goto(f"{served}/{name}.html")
    cut = page.evaluate(_CUT_OFF)
    page.context.close()
    assert cut == []
