"""Measures of which low values are good: on pages, in notebooks and in every form the least is
best.

Mutants of signs and directions survived all earlier tests, whose measures were better where they
were high.
"""

from __future__ import annotations

import re

import numpy as np
import pytest

import precall as pc
from precall.core.text import number
from precall.evaluation.report import order_of_runs
from precall.page.document import html
from precall.page.runs import part_of
from precall.page.topics import sorted_topics
from precall.page.writing import page_about
from tests.pages import page, record_about
from tests.registries import lend
from tests.texts import texts

#: Ranks of the only relevant item, by topic; late ranks make errors.
RANKS = {
    "late": [6, 7, 8, 9, 9, 8, 7, 6, 5, 1],
    "early": [1, 1, 2, 1, 1, 2, 1, 1, 3, 4],
    "middle": [3, 3, 4, 3, 2, 4, 3, 3, 4, 3],
}
ITEMS = [f"d{i}" for i in range(10)]


def report_of(names, measures=("E@3", "RR")):
    qrels = {f"q{i}": {"d0": 1} for i in range(10)}
    runs = {}
    for name in names:
        orders = [[*ITEMS[1:rank], "d0", *ITEMS[rank:]] for rank in RANKS[name]]
        runs[name] = {
            topic: {item: -float(place) for place, item in enumerate(order)}
            for topic, order in zip(qrels, orders, strict=True)
        }
    return pc.evaluate(qrels, runs, list(measures))


@pytest.fixture(autouse=True)
def wait(monkeypatch):
    """A measure of this module alone: the rank of the first relevant item, of which low values are
    good.
    """
    lend(monkeypatch)

    @pc.measure("Wait", range=(1, 10), direction=-1, undefined="nothing is relevant")
    def first_rank(hits):
        """Rank of the first relevant item."""
        return hits.location.astype(float)


@pytest.mark.parametrize(
    "names",
    [
        ("late", "early"),
        ("early", "late"),
        ("late", "early", "middle"),
        ("middle", "late", "early"),
    ],
)
@pytest.mark.parametrize("measure", ["E@3", "Wait"])
def test_the_least_comes_first(names, measure):
    report = report_of(names, [measure, "RR"])
    (verdict,) = texts(
        record_about(pc.compare(report, measures=[measure], rng=0, resamples=500))["headline"]
    )
    mean = {run.name: run.mean[0] for run in report.runs}
    wanted = sorted(names, key=lambda name: mean[name])
    assert [names[i] for i in order_of_runs(report)] == wanted and wanted[0] == "early"
    first, second, *_ = wanted
    assert verdict.startswith(f"{first} is best by {measure} ({number(mean[first])}, 10 topics); ")
    assert re.search(
        rf"(better than|not significantly different from) [^(]*{second}[^(]* \((differences )?-",
        verdict,
    )


def test_the_greatest_comes_first_where_high_is_good():
    for names in (("late", "early"), ("late", "early", "middle")):
        assert names[order_of_runs(report_of(names, ["RR"]))[0]] == "early"


@pytest.mark.parametrize(("measure", "best"), [("Wait", -1), ("RR", 1)])
def test_gains_and_losses_of_topics(measure, best):
    report = report_of(("late", "early"), [measure])
    section = part_of(report).section
    text = html(page(section))
    table = text.partition('id="s0-topics"')[2].partition("</table>")[0]
    first, second = (section.values[0][i] for i in section.compared)
    looks = dict(re.findall(r"<tr><th scope=row>(q\d)(?:<td>[^<]*)*<td class=(gain|loss)>", table))
    for topic, better in zip(section.topics, np.sign(first - second) * best, strict=True):
        assert looks.get(topic) == {1: "gain", -1: "loss", 0: None}[int(better)]
    # The greatest losses of the better system come first.
    order = sorted_topics(section, first - second)
    assert order[0] == 9 and np.all(np.diff(best * (first - second)[order]) >= 0)


def test_marks_of_every_form():
    report = report_of(("late", "early", "middle"))
    least, greatest = (f([run.mean[0] for run in report.runs]) for f in (min, max))
    said = number(least)
    assert (
        least < greatest and f"{said}*" in str(report) and f"{number(greatest)}*" not in str(report)
    )
    assert f"**{said}**" in report.to_markdown() and rf"\textbf{{{said}}}" in report.to_latex()
    assert f"<strong>{said}</strong>" in report._repr_html_()
    assert [one["best"] for one in report.to_dict()["measures"]] == ["low", "high"]
    text = html(page(part_of(report).section))
    assert f"<b>{said}</b>" in text and f"<b>{number(greatest)}</b>" not in text


def test_sentences_of_low_values():
    report = report_of(("early", "late"), ["Wait"])
    found = pc.compare(report, rng=0)
    (pair,) = found.pairs
    assert pair.difference < 0 and not pair.higher_is_better
    ends = f"{pair.difference:+.4f} [{pair.low:.4f}, {pair.high:.4f}]"
    (said,) = texts(record_about(found)["headline"])
    assert said.startswith(
        f"early is best by Wait ({number(pair.values[0])}, 10 topics); better than late ({ends}, "
    )
    # The same of the pair in the other order.
    turned = record_about(pc.compare(report_of(("late", "early"), ["Wait"]), rng=0))
    assert texts(turned["headline"]) == [said]


def test_scores_of_which_low_ones_are_good():
    rng = np.random.default_rng(0)
    y = rng.random(200) < 0.4
    score = np.round(rng.normal(size=200) - 2 * y, 2)
    curve = pc.curve(y, score, higher_is_better=False)
    (section,) = page_about(curve).sections
    (one,) = section.systems
    assert (
        section.good == "low" and one.points.threshold[one.points.start] == curve.max_f().threshold
    )
    text = html(page(section))
    assert f"≤ {curve.max_f().threshold!r}" in text and "at or below the threshold" in text
