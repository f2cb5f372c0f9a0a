"""Bars of how systems differ from the best or the baseline: sides, colours and intervals, where
high or low is good.

Signs and directions could be turned in the page and in its script, and no test noticed.
"""

from __future__ import annotations

import re

import numpy as np
import pytest

import precall as pc
from precall.page.document import html
from precall.page.runs import section_of_runs
from tests.pages import page
from tests.registries import lend

#: Rank of the only relevant item of each topic.
RANKS = {
    "late": [6, 7, 8, 9, 9, 8, 7, 6, 5, 1],
    "early": [1, 1, 2, 1, 1, 2, 1, 1, 3, 4],
    "middle": [3, 3, 4, 5, 2, 4, 3, 3, 4, 3],
}
ITEMS = [f"d{i}" for i in range(10)]
#: Which end is good.
DIRECTIONS = {"RR": 1, "Wait": -1, "E@3": -1}


def runs():
    """Judgements, and the three runs."""
    qrels = {f"q{i}": {"d0": 1} for i in range(10)}
    runs = {}
    for name, ranks in RANKS.items():
        orders = [[*ITEMS[1:rank], "d0", *ITEMS[rank:]] for rank in ranks]
        runs[name] = {
            topic: {item: -float(place) for place, item in enumerate(order)}
            for topic, order in zip(qrels, orders, strict=True)
        }
    return qrels, runs


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


def expected(report, measure, baseline):
    """Of each other system, the best first: its difference, the interval, whether it is a gain,
    whether that is sure.
    """
    compared = pc.compare(report, rng=0, baseline=baseline)
    base = baseline or compared.verdicts[measure].best
    bars = {}
    for name in compared.verdicts[measure].means:
        if name == base:
            continue
        pair = compared.pair(name, base, measure)
        sign = 1 if pair.names[0] == name else -1
        low, high = sorted((sign * pair.low, sign * pair.high))
        value = sign * pair.difference
        bars[name] = (value, low, high, value * DIRECTIONS[measure] > 0, pair.significant)
    return bars


def check_bars(picture, bars):
    """Bars and intervals go from 0 to where they should, all on one scale; gains and losses have
    their colours.
    """
    drawn, _, legend = picture.partition('class="legend"')
    described = re.search("<desc[^>]*>([^<]*)", drawn)[1]
    assert [text.split(" ")[0] for text in described.split("; ")] == list(bars)
    paths = re.findall(r' d="([^"]*)"', drawn)
    zero = next(
        float(found[1])
        for path in reversed(paths)
        if (found := re.fullmatch(r"M([\d.]+) 20V\d+", path))
    )
    (whiskers,) = (path for path in paths if "v6" in path)
    ends = np.array(re.findall(r"M([\d.]+) [\d.]+H([\d.]+)", whiskers), float) - zero
    looks = [
        dict(re.findall(r'([\w-]+)="([^"]*)"', rect)) for rect in re.findall("<rect[^>]*", drawn)
    ]
    values = np.array([bar[:3] for bar in bars.values()])
    scale = max(float(look["width"]) for look in looks) / np.abs(values[:, 0]).max()
    np.testing.assert_allclose(ends, scale * values[:, 1:], atol=0.3)
    for look, (value, _, _, gain, sure) in zip(looks, bars.values(), strict=True):
        left, width = float(look["x"]) - zero, float(look["width"])
        np.testing.assert_allclose(
            [left, left + width],
            sorted((0.0, max(scale * value, 1.0) if value > 0 else scale * value)),
            atol=0.3,
        )
        assert (
            look["class"].split()[0] == ("f0" if gain else "f1")
            and ("fill-opacity" in look) != sure
        )
    sure = {gain for *_, gain, known in bars.values() if known}
    assert [word in legend for word in ("better", "worse")] == [True in sure, False in sure]


@pytest.mark.parametrize("baseline", [None, "early", "middle", "late"])
@pytest.mark.parametrize("measure", DIRECTIONS)
def test_bars_go_to_the_side_of_their_difference(measure, baseline):
    report = pc.evaluate(*runs(), [measure])
    given = {"baseline": baseline} if baseline else {}
    text = html(page(section_of_runs(report, level=0.95, rng=0, **given).section))
    check_bars(
        text.partition('id="s0-gaps"')[2].partition("</figure>")[0],
        expected(report, measure, baseline),
    )


@pytest.mark.parametrize("baseline", [None, "middle", "late"])
def test_bars_of_the_measure_chosen_do_too(opened, tmp_path, baseline):
    path = tmp_path / "page.html"
    pc.report.runs(*runs(), path, list(DIRECTIONS), chance="none", baseline=baseline)
    report, page = pc.evaluate(*runs(), list(DIRECTIONS)), opened(path)
    for measure in ("Wait", "RR", "E@3"):
        page.locator("#s0-measure").select_option(label=measure)
        picture = page.locator("#s0-gaps svg").evaluate("one => one.outerHTML")
        check_bars(picture, expected(report, measure, baseline))
