"""Pages in a real browser: Debian's Chromium, driven by Playwright; without them one skipped test
stands for all.
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest

import precall as pc

CHROMIUM = shutil.which("chromium")
LACKING = (
    "no chromium: apt-get install chromium"
    if CHROMIUM is None
    else "no playwright: pip install --group browser"
    if find_spec("playwright") is None
    else ""
)
ROOT = Path(__file__).resolve().parents[2]
QUIET = (
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
)


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Without a browser, one skipped test says how many were not run; with PRECALL_BROWSER=only
    nothing else is run.
    """
    needing = [item for item in items if "browser" in getattr(item, "fixturenames", ())]
    if os.environ.get("PRECALL_BROWSER") == "only":
        rest = [item for item in items if item not in set(needing)]
        config.hook.pytest_deselected(items=rest)
        items[:] = needing
    if not LACKING or not needing:
        return
    needing[0].add_marker(pytest.mark.skip(reason=f"{len(needing)} tests in a browser: {LACKING}"))
    config.hook.pytest_deselected(items=needing[1:])
    items[:] = [item for item in items if item not in set(needing[1:])]


@pytest.fixture(scope="session")
def browser() -> Iterator[object]:
    from playwright.sync_api import sync_playwright

    with sync_playwright() as driver:
        found = driver.chromium.launch(executable_path=CHROMIUM, args=list(QUIET))
        yield found
        found.close()


@pytest.fixture
def opened(browser):
    """A page in the browser, and at the end: nothing was requested, and nothing was complained
    of.
    """
    contexts, asked, said = [], [], []

    def open_(path, *, width=1000, scheme="light", script=True, media=None):
        context = browser.new_context(
            viewport={"width": width, "height": 900},
            color_scheme=scheme,
            java_script_enabled=script,
        )
        contexts.append(context)
        page = context.new_page()
        page.on("request", lambda one: asked.append(one.url))
        page.on("console", lambda one: said.append(one.text))
        page.on("pageerror", lambda one: said.append(str(one)))
        if media is not None:
            page.emulate_media(media=media)
        page.goto(Path(path).as_uri())
        asked.remove(Path(path).as_uri())
        return page

    yield open_
    for context in contexts:
        context.close()
    assert not asked, asked
    assert not said, said


@pytest.fixture(scope="session")
def scored(tmp_path_factory):
    """A page of two scores, made once, with the curves that it is of."""
    rng = np.random.default_rng(3)
    y = rng.random(400) < 0.3
    one = np.round(rng.normal(size=400) + 1.5 * y, 2)
    two = np.round(rng.normal(size=400) + 0.8 * y, 1)
    curves = {"one": pc.curve(y, one), "two": pc.curve(y, two)}
    path = pc.report(curves, tmp_path_factory.mktemp("page") / "cases.html", rng=1)
    return SimpleNamespace(path=path, curves=curves)


@pytest.fixture(scope="session")
def runs(tmp_path_factory):
    """A page of `precall report` about the example's three runs, and the report of the same."""
    from precall.cli.main import run

    folder = ROOT / "examples" / "digits"
    given = [
        str(folder / "digits.qrels"),
        *(str(folder / f"{name}.run") for name in ("pixels", "components", "profiles")),
    ]
    # The page has the best first.
    inputs = [given[0], given[2], given[1], given[3]]
    path = tmp_path_factory.mktemp("page") / "runs.html"
    asked = ["-m", "AP", "-m", "P@10", "--chance", "none", "--resamples", "2000", "-o", str(path)]
    assert run(["report", *given, *asked]) == 0
    report = pc.evaluate(inputs[0], inputs[1:], ["AP", "P@10"])
    return SimpleNamespace(path=path, report=report, inputs=inputs)


@pytest.fixture(scope="session")
def several(tmp_path_factory):
    """A page of a report, of its comparisons twice, of a curve and of categories."""
    qrels = {f"q{i}": {"a": 1, "b": 0} for i in range(4)}
    runs = {
        "x": {q: {"a": 2.0, "b": 1.0} for q in qrels},
        "y": {q: {"a": 1.0, "b": 2.0} for q in qrels},
    }
    report = pc.evaluate(qrels, runs, ["RR", "P@1"])
    found = pc.compare(report, rng=1)
    curve = pc.curve([1, 0] * 30, range(60))
    status = pc.categorize(["a", "b"], [[0.9, 0.1], [0.3, 0.7]])
    path = tmp_path_factory.mktemp("page") / "several.html"
    return SimpleNamespace(path=pc.report([report, found, found, curve, status], path, rng=1))


@pytest.fixture
def asked(capsys):
    """`precall report` with these words: its exit code, output and complaints."""

    def ask(*typed):
        from precall.cli.main import run

        code = run(["report", *map(str, typed)])
        said = capsys.readouterr()
        return code, said.out, said.err

    return ask
