"""Results in notebooks: the library's numbers, a chart that is true to them, and names as text."""

from __future__ import annotations

import re
import subprocess
import sys
import warnings
from collections import Counter
from xml.etree import ElementTree

import numpy as np
import pytest

import precall as pc
from precall.core.notes import collect_notes
from precall.core.text import number
from precall.page import presentations
from precall.results.blocks import format_bounds, show_cell
from precall.results.sheets import Presented
from tests.peers import peer

peer("scipy", "SciPy is not installed: nothing was compared, no interval was made")

HOSTILE = "</script><img src=x onerror='alert(1)'>\"&\u202e"
RNG = np.random.default_rng(5)
LABEL = RNG.random(200) < 0.4
SCORE = RNG.normal(LABEL * 1.0, 1).round(1)
CURVE = pc.curve(LABEL, SCORE)
TOPICS = [f"t{i:02}" for i in range(25)]
QRELS = {topic: {f"d{i}": int(i < 3) for i in range(9)} for topic in TOPICS}
RUNS = {
    name: {topic: {f"d{i}": RNG.normal() + shift * (i < 3) for i in range(9)} for topic in TOPICS}
    for name, shift in ((HOSTILE, 1.5), ("b", 0.0), ("c", 1.4))
}
REPORT = pc.evaluate(QRELS, RUNS, ["AP", "P@3"])
TRUTH = ["x", HOSTILE, "z", "x"] * 5
SAID = ["x", "z", HOSTILE, "x"] * 4 + ["x"] * 4


def made(make):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", pc.PrecallWarning)
        return make()


RESULTS = {
    "curve": CURVE,
    "curve without relevant cases": pc.curve([0, 0], [1, 2]),
    "curve of relevant cases": pc.curve([1, 1], [1, 2]),
    "empty curve": pc.curve([], []),
    "curve of weights": pc.curve([1, 0, 1], [3, 2, 2], weights=[0.5, 1, 2]),
    "report": REPORT,
    "report of one run": pc.evaluate(QRELS, RUNS["b"], "AP"),
    "report of many runs": pc.evaluate(QRELS, {f"r{i}": RUNS["b"] for i in range(50)}, "AP"),
    "decisions": pc.decisions(TRUTH, SAID),
    "binary decisions": pc.decisions([1, 0, 1], [1, 1, 0]),
    "decisions of many categories": pc.decisions([str(i) for i in range(60)], ["1"] * 60),
    "comparison": pc.compare.cases(LABEL, SCORE, -SCORE, rng=1, names=(HOSTILE, "b")),
    "comparisons": made(lambda: pc.compare(REPORT, rng=1)),
    "comparisons with a baseline": made(lambda: pc.compare(REPORT, baseline="b", rng=1)),
    "interval": pc.interval.average_precision(LABEL, SCORE),
    "interval that is undefined": made(lambda: pc.interval.mean([0.5])),
    "intervals": made(lambda: pc.interval(REPORT)),
    "law": pc.null.average_precision(items=200, relevant=20),
    "law of few values": pc.null.average_precision(items=6, relevant=3),
    "law of a location": pc.null.location(500, 100, 20),
    "law of one value": pc.null.average_precision(items=3, relevant=3),
}
WITHOUT_CHART = ("curve without relevant cases", "empty curve", "law of one value")
SVG = "{http://www.w3.org/2000/svg}"
ELEMENTS = {
    *("div", "p", "details", "summary", "table", "thead", "tbody", "tr", "th", "td"),
    "strong",
    *("svg", "title", "desc", "g", "path", "text", "circle", "rect"),
}


def parsed(result):
    return ElementTree.fromstring(result._repr_html_())


def tables(result):
    """Per table the texts of its cells, the heading first."""
    return [
        [["".join(cell.itertext()) for cell in row] for row in one.iter("tr")]
        for one in parsed(result).iter("table")
    ]


def by_name(table):
    """Line → heading → cell."""
    heading, *rows = table
    return {row[0]: dict(zip(heading, row, strict=True)) for row in rows}


@pytest.mark.nightly(keep=8)
@pytest.mark.parametrize("name", RESULTS)
def test_a_table_with_a_chart(name):
    result = RESULTS[name]
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        page = parsed(result)
    charts = list(page.iter(f"{SVG}svg"))
    assert bool(charts) == (name not in WITHOUT_CHART)
    for chart in charts:
        named = {one.get("id"): one.text for one in chart if one.get("id")}
        assert all(named[key] for key in chart.get("aria-labelledby").split()), (
            "told to those who do not see it"
        )
    ids = Counter(one.get("id") for one in page.iter() if one.get("id"))
    assert max(ids.values(), default=1) == 1
    assert result._repr_html_() == result._repr_html_(), "the same result is the same text"
    assert len(result._repr_html_()) < 40_000


@pytest.mark.parametrize("whole", [False, True])
@pytest.mark.parametrize("name", RESULTS)
def test_its_tables_are_those_of_its_sheet(name, whole):
    with collect_notes():
        sheet = RESULTS[name].sheet(all=whole).short()
    found = tables(sheet if whole else RESULTS[name])
    assert len(found) == len(sheet.blocks) > 0
    for (heading, *rows), block in zip(found, sheet.blocks, strict=True):
        width = presentations.COLUMNS
        assert heading == [name.replace("\u202e", "\ufffd") for name in block.heading[:width]]
        assert len(rows) == min(len(block.lines), presentations.ROWS)
        for row, line, best in zip(rows, block.lines, block.leaders(), strict=False):
            wanted = [show_cell(value) for value in line.values]
            if line.ends:
                wanted = [
                    text + format_bounds(ends) for text, ends in zip(wanted, line.ends, strict=True)
                ]
            if line.marks:
                wanted = [
                    f"{text} {mark}".rstrip() for text, mark in zip(wanted, line.marks, strict=True)
                ]
            assert (
                row == [text.replace("\u202e", "\ufffd") for text in [line.name, *wanted]][:width]
            )
            assert best <= set(range(len(line.values)))


@pytest.mark.parametrize("name", RESULTS)
def test_it_stands_by_itself_and_names_are_text(name):
    html = RESULTS[name]._repr_html_()
    for one in ElementTree.fromstring(html).iter():
        assert one.tag.removeprefix(SVG) in ELEMENTS
        for key, value in one.attrib.items():
            assert not key.startswith("on") and key not in ("href", "src") and "url(" not in value
    assert set(re.findall(r"https?://[^\"]*", html)) <= {"http://www.w3.org/2000/svg"}
    assert "\u202e" not in html
    if HOSTILE in str(getattr(RESULTS[name], "__dict__", "")) or name in (
        "decisions",
        "comparison",
        "report",
    ):
        assert "&lt;/script&gt;&lt;img src=x" in html


@pytest.mark.parametrize("name", RESULTS)
def test_plain_text_is_one_line(name):
    said = repr(RESULTS[name])
    assert "\n" not in said and len(said) < 250 and said.startswith("<") and said.endswith(">")


def test_numbers_are_the_library_s():
    curve = {name: row["curve"] for name, row in by_name(tables(CURVE)[0]).items()}
    assert curve["AP"] == number(CURVE.average_precision())
    assert curve["AUC"] == number(CURVE.area_under_roc())
    assert curve["max F"] == number(CURVE.max_f().value)
    report = by_name(tables(REPORT)[0])
    assert report["b"]["AP"] == number(REPORT.mean["b", "AP"]) and report["b"]["topics"] == "25"
    found = RESULTS["comparisons"]
    pairs = [by_name(table) for table in tables(found.sheet(all=True)) if "difference" in table[0]]
    for pair in found.pairs:
        (row,) = (
            of_measure[" - ".join(pair.names).replace("\u202e", "\ufffd")]
            for of_measure in pairs
            if pair.measure in next(iter(of_measure.values()))
        )
        assert (row["difference"], row["low"]) == (number(pair.difference), number(pair.low))
        assert row["adjusted p"].endswith("*") == (pair.adjusted <= 0.05)
    one = RESULTS["interval"]
    (row,) = by_name(tables(one)[0]).values()
    assert (row["estimate"], row["low"], row["high"]) == tuple(
        map(number, (one.estimate, one.low, one.high))
    )
    first, second, *_ = tables(RESULTS["decisions"])
    decided, averages = by_name(first), by_name(second)
    for place, name in enumerate(RESULTS["decisions"].categories):
        row = [column[place] for column in RESULTS["decisions"].table.to_dict().values()][1:]
        cells = decided[name.replace("\u202e", "\ufffd")]
        assert [cells[count] for count in ("TP", "FP", "FN", "TN")] == list(map(str, row))
    assert averages["macro"]["F1"] == number(RESULTS["decisions"].f(average="macro"))


def outline(path):
    """Corners of a path of straight parts."""
    x = y = 0.0
    found = []
    for turn, numbers in re.findall(r"([MLHV])([-0-9. ]+)", path):
        given = list(map(float, numbers.split()))
        x = given[0] if turn != "V" else x
        y = given[-1] if turn != "H" else y
        found.append((x, y))
    return np.array(found).T


def test_charts_have_the_areas_that_are_printed():
    charts = [chart.find(f"{SVG}g") for chart in parsed(CURVE).iter(f"{SVG}svg")]
    for chart, area in zip(
        charts, (CURVE.average_precision(), CURVE.area_under_roc()), strict=True
    ):
        frame, line = (
            "".join(path.get("d") for path in chart.iter(f"{SVG}path") if path.get("class") == kind)
            for kind in ("axis", "s0")
        )
        (left, right), (bottom, top) = ((min(side), max(side)) for side in outline(frame))
        bottom, top = top, bottom
        x, y = outline(line)
        x, y = (x - left) / (right - left), (bottom - y) / (bottom - top)
        assert np.trapezoid(y, x) == pytest.approx(area, abs=0.004)


def test_many_rows_are_counted_not_shown():
    report, decided = RESULTS["report of many runs"], RESULTS["decisions of many categories"]
    assert (
        len(tables(report)[0]) == presentations.ROWS + 1 and "10 more rows" in report._repr_html_()
    )
    assert "micro" in by_name(tables(decided)[0]), "averages are seen though the categories are not"
    assert "20 more rows" in decided.sheet(all=True)._repr_html_()
    assert "the 60 categories" in decided._repr_html_()


def test_large_curves_have_small_charts():
    label = RNG.random(100_000) < 0.3
    assert len(pc.curve(label, RNG.normal(label, 1))._repr_html_()) < 60_000


def test_what_has_no_table_says_so():
    with pytest.raises(TypeError, match="Other has no table"):
        type("Other", (Presented,), {})()._repr_html_()


@pytest.mark.nightly
def test_the_page_is_loaded_when_a_notebook_asks():
    code = """
import sys
import precall as pc
found = pc.curve([1, 0], [2, 1])
assert "precall.page" not in sys.modules
found._repr_html_()
assert "precall.page.presentations" in sys.modules
assert not {"matplotlib", "scipy"} & set(sys.modules)
"""
    done = subprocess.run(
        [sys.executable, "-W", "error", "-c", code], capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr
