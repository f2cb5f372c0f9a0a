"""Five measures of two systems fit an ordinary screen; the title says what the page is about."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import precall as pc
from precall.cli.main import run

DIGITS = Path(__file__).parents[2] / "examples" / "digits"
MEASURES = ["AP", "P@10", "nDCG@10", "RR", "Rprec"]


@pytest.fixture(scope="module")
def five(tmp_path_factory):
    """A page of two systems by five measures."""
    path = tmp_path_factory.mktemp("page") / "five.html"
    files = [str(DIGITS / name) for name in ("digits.qrels", "components.run", "pixels.run")]
    asked = [word for name in MEASURES for word in ("-m", name)]
    assert run(["report", *files, *asked, "--chance=none", "--resamples=500", "-o", str(path)]) == 0
    return path


def title(text):
    """The heading of a page."""
    return re.search("<h1>(.*?)</h1>", text)[1]


def test_the_table_of_five_measures_needs_no_scrolling(opened, five):
    page = opened(five, width=1344)
    scrolled = page.eval_on_selector_all(
        "main .summary .wide",
        "all => all.map((one) => one.scrollWidth - one.clientWidth)",
    )
    assert scrolled and max(scrolled) <= 0


def test_titles(five, tmp_path):
    assert title(five.read_text(encoding="utf-8")) == (
        "Comparison of components and pixels on digits.qrels"
    )
    qrels = {"q1": {"a": 1}, "q2": {"a": 1}, "q3": {"a": 1}}
    ours = {q: {"a": 1.0} for q in qrels}
    one = pc.report(pc.evaluate(qrels, {"bm25": ours}, ["AP"]), tmp_path / "one.html")
    assert title(Path(one).read_text(encoding="utf-8")) == "Evaluation of bm25"
    curves = {"s": pc.curve([1, 0] * 9, range(18)), "t": pc.curve([1, 0] * 9, range(18, 0, -1))}
    both = pc.report(curves, tmp_path / "c.html", rng=1)
    assert title(Path(both).read_text(encoding="utf-8")) == "Comparison of s and t"
    numbered = pc.evaluate(qrels, {"system-0": ours, "system-1": ours}, ["AP"])
    page = pc.report(numbered, tmp_path / "numbered.html")
    assert title(Path(page).read_text(encoding="utf-8")) == "Comparison of system-0 and system-1"


def test_titles_are_no_names_of_classes(tmp_path):
    """Pages of what a judge labelled and of a screen were called "Judged" and "Sequential"."""
    run, people = (
        {f"q{i}": ["a", "b"] for i in range(60)},
        {f"q{i}": {"a": 1, "b": i % 3 % 2} for i in range(24)},
    )
    judge = {f"q{i}": {"a": 1, "b": i % 2} for i in range(60)}
    titles = {
        "Evaluation with a judge": pc.judge(people, judge, run, "P@2"),
        "Labels needed": pc.judge.plan(deviation=0.3, agreement=0.85, units=200, width=0.12),
        "Agreement of people and judge": pc.judge.agreement([1, 0] * 9, [1, 1, 0] * 6),
        "Sample to label": pc.judge.sample({f"a{i}": i / 20 for i in range(20)}, n=10),
        "Test of a ranking while it is read": pc.null.sequential(items=100, relevant=5, budget=9),
    }
    for expected, result in titles.items():
        result.save(tmp_path / "x.html")
        assert title((tmp_path / "x.html").read_text(encoding="utf-8")) == expected


def test_the_title_of_groups_has_no_joined_names(tmp_path):
    cases, page = tmp_path / "cases.csv", tmp_path / "groups.html"
    rows = [f"{i % 2},{i},{i // 10}" for i in range(30)]
    cases.write_text("\n".join(["y,s,g", *rows, ""]), encoding="utf-8")
    asked = ["curve", str(cases), "--label", "y", "--score", "s", "--group", "g"]
    assert run([*asked, "-o", str(page)]) == 0
    assert title(page.read_text(encoding="utf-8")) == "Evaluation of 3 curves on cases.csv"


def test_a_notebook_shows_the_picture_first_and_folds_the_notes():
    shown = pc.curve([1, 0, 1, 1, 0], [0.9, 0.8, 0.7, 0.3, 0.1])._repr_html_()
    places = [shown.index(part) for part in ("<svg", "<table", "<details>", "ties block")]
    assert places == sorted(places)
