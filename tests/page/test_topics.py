"""Topics of a page of runs: numbers, sorting, filtering, the chart that leads to a row, where the
hits are.
"""

from __future__ import annotations

import math

import pytest

import precall as pc
from precall.core.text import number
from precall.page.charts import DEPTH


def column(page, place, table="s0-topics"):
    return page.eval_on_selector_all(
        f"#{table} tbody tr",
        "(rows, place) => rows.map((row) => row.cells[place].textContent)",
        place,
    )


def values(report, run, measure="AP"):
    line = report.measures.index(measure)
    return dict(zip(report.runs[run].topics, report.runs[run].values[line].tolist(), strict=True))


def test_numbers_are_those_of_the_library(opened, runs):
    page = opened(runs.path)
    report = runs.report
    assert column(page, 0, "s0-means") == [run.name for run in report.runs]
    # Behind the values of each measure stand its letters.
    for place, measure in zip((1, 3), report.measures, strict=True):
        for run, text in zip(report.runs, column(page, place, "s0-means"), strict=True):
            assert text.startswith(number(report.mean[run.name, measure]))
    for place, run in enumerate(report.runs):
        by_topic = values(report, place)
        shown = dict(zip(column(page, 0), column(page, place + 1), strict=True))
        assert shown == {topic: number(value) for topic, value in by_topic.items()}, run.name


def test_worst_losses_come_first_and_columns_sort(opened, runs):
    page = opened(runs.path)
    first, second = values(runs.report, 0), values(runs.report, 1)
    apart = {topic: first[topic] - second[topic] for topic in first}
    assert column(page, 0) == sorted(apart, key=lambda topic: apart[topic])
    page.locator("#s0-topics thead th button", has_text="pixels").click()
    assert column(page, 0) == sorted(second, key=lambda topic: -second[topic])
    assert page.locator("#s0-topics thead th").nth(2).get_attribute("aria-sort") == "descending"
    page.locator("#s0-topics thead th button", has_text="pixels").click()
    assert [second[one] for one in column(page, 0)] == sorted(second.values())
    page.locator("#s0-topics thead th button", has_text="topic").click()
    assert column(page, 0) == sorted(first)


def test_another_measure_and_pair(opened, runs):
    page = opened(runs.path)
    page.locator("#s0-measure-topics").select_option(label="P@10")
    assert page.locator("#s0-measure").input_value() == "1"
    page.locator("#s0-first").select_option(label="profiles")
    first, second = values(runs.report, 2, "P@10"), values(runs.report, 1, "P@10")
    shown = dict(zip(column(page, 0), column(page, 4), strict=True))
    assert shown == {topic: f"{first[topic] - second[topic]:+.4f}" for topic in first}
    bars = page.locator("#s0-bars svg rect")
    assert bars.count() == len(first)
    assert "profiles minus pixels in P@10" in page.locator("#s0-said").inner_text()
    assert (
        page.locator("#s0-topics-said").inner_text() == "P@10 by topic, the greatest losses first"
    )


def test_filtering(opened, runs):
    page = opened(runs.path)
    page.locator("#s0-filter").fill("q09")
    seen = page.locator("#s0-topics tbody tr:visible")
    wanted = [topic for topic in runs.report.runs[0].topics if "q09" in topic]
    assert seen.count() == len(wanted) > 0
    assert page.locator("#s0-count").inner_text() == f"{len(wanted)} of 100 topics"


def test_a_bar_leads_to_its_topic(opened, runs):
    page = opened(runs.path)
    worst = column(page, 0)[0]
    # The greatest gain comes first, as in the plots.
    bar = page.locator("#s0-bars svg rect").last
    bar.hover()
    assert page.locator("#s0-hover").inner_text().startswith(f"{worst}: -")
    bar.click()
    assert page.evaluate("document.activeElement.textContent") == worst
    assert page.locator("#s0-topics tr.chosen").count() == 1
    assert (
        page.locator("#s0-chosen svg title")
        .first.text_content()
        .startswith(f"Hits of topic {worst} ")
    )


@pytest.mark.parametrize("script", [True, False])
def test_strips_show_where_the_hits_are(opened, runs, script):
    page = opened(runs.path, script=script)
    worst = column(page, 0)[0] if script else page.locator("#s0-topics tbody th").first.inner_text()
    said = page.locator(".strips svg desc").first.text_content()
    hits = pc.locate(runs.inputs[0], runs.inputs[1]).hits(1)
    place = runs.report.runs[0].topics.index(worst)
    ranks = [one for one in hits.location[hits.ranking == place].tolist() if one <= DEPTH]
    assert f"components: {', '.join(map(str, ranks))};" in said


def test_the_page_rounds_as_the_library_does(opened, runs):
    page = opened(runs.path)
    # Ties in four decimals: Python goes to the even digit.
    ties = [k / 32 for k in range(-40, 41)] + [
        0.1,
        1 / 3,
        0.00005,
        1e-9,
        123.0,
        99.0,
        0.99995,
        math.inf,
        -math.inf,
    ]
    source = runs.path.read_text()
    start = source.index("const value="), source.index("const signed=")
    shown = page.evaluate(
        (
            f"(given) => {{ {source[start[0] : start[1]]} return given.map((one) => "
            f"number(value(one))); }}"
        ),
        [str(one) if math.isinf(one) else one for one in ties],
    )
    assert shown == [number(one) if math.isfinite(one) else str(one) for one in ties]
