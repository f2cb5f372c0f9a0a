"""The threshold slider: what the page shows is what the library says, on every way to a
threshold.
"""

from __future__ import annotations

import numpy as np
import pytest

import precall as pc
from precall.core.text import format_count, number

CELLS = ("tp", "fp", "fn", "tn")


def cells(page):
    return [int(page.locator(f"#s0-{name}").inner_text()) for name in CELLS]


def told(page, *names):
    return [page.locator(f"#s0-{name}").inner_text() for name in names]


def check(page, point):
    assert cells(page) == [getattr(point, name) for name in CELLS]
    values = (point.precision, point.recall, point.f(), point.rejection_recall)
    assert told(page, "precision", "recall", "f", "rejection") == [number(one) for one in values]


def test_the_slider_by_keyboard(opened, scored):
    page = opened(scored.path)
    curve = scored.curves["one"]
    best = curve.max_f()
    check(page, best)
    page.locator("#s0-slider").focus()
    row = int(np.searchsorted(curve.tp + curve.fp, best.tp + best.fp))
    for key, step in (("ArrowRight", 1), ("ArrowRight", 2), ("ArrowLeft", 1)):
        page.keyboard.press(key)
        at = float(curve.threshold[row + step])
        check(page, curve.at(threshold=at))
        assert told(page, "at") == [f"≥ {at:g}"]
    page.keyboard.press("End")
    check(page, curve.at(threshold=float(curve.threshold[-1])))
    page.keyboard.press("Home")
    assert cells(page) == [0, 0, curve.relevant, curve.other]
    assert told(page, "at", "precision", "recall") == ["nothing", "undef", "0.0000"]


def test_markers_move_on_every_chart(opened, scored):
    page = opened(scored.path)
    curve = scored.curves["one"]
    page.locator("#s0-slider").fill("40")
    point = curve.at(threshold=float(curve.threshold[40]))
    wanted = {
        "recall": point.recall,
        "precision": point.precision,
        "rate": point.fp / curve.other,
        "F": point.f(),
        "threshold": point.threshold,
    }
    seen = page.evaluate(
        """() => [...document.querySelectorAll('.moving[data-system="0"]')].map((dot) => {
          const group = dot.closest('[data-map]'), map = group.dataset.map.split(' ').map(Number);
          const back = (at, [a, b, c, d]) => a + (at - c) / (d - c) * (b - a);
          const [x, y] = ['cx', 'cy'].map((one) => +dot.getAttribute(one));
          return [group.dataset.x, back(x, map), group.dataset.y, back(y, map.slice(4))];
        })"""
    )
    assert {(x, y) for x, _, y, _ in seen} == {
        ("recall", "precision"),
        ("rate", "recall"),
        ("threshold", "F"),
    }
    for x, across, y, upwards in seen:
        assert across == pytest.approx(wanted[x]) and upwards == pytest.approx(wanted[y])


def test_costs_and_beta(opened, scored):
    page = opened(scored.path)
    curve = scored.curves["two"]
    page.locator("#s0-system").select_option(label="two")
    check(page, curve.max_f())
    page.locator("#s0-fp-cost").fill("1.5")
    page.locator("#s0-fn-cost").fill("20")
    page.locator("#s0-cheapest").click()
    cheapest = curve.at(cost={"fp": 1.5, "fn": 20})
    assert cells(page) == [getattr(cheapest, name) for name in CELLS]
    assert told(page, "cost") == [format_count(cheapest.value)]
    page.locator("#s0-beta").fill("2")
    assert told(page, "f") == [number(cheapest.f(2))]
    page.locator("#s0-best").click()
    best = curve.max_f(2)
    assert cells(page) == [getattr(best, name) for name in CELLS]
    assert told(page, "f") == [number(best.f(2))]


def test_every_threshold_of_the_page(opened, scored):
    page = opened(scored.path)
    curve = scored.curves["one"]
    found = page.evaluate(
        """() => { const slider = document.getElementById('s0-slider'), rows = [];
          const shown = ['tp', 'fp', 'fn', 'tn', 'precision', 'recall'].map((one) => document.getElementById('s0-' + one));
          for (let i = 0; i <= +slider.max; i += 1) {
            slider.value = i; slider.dispatchEvent(new Event('input'));
            rows.push(shown.map((one) => one.textContent));
          } return rows; }"""  # noqa: E501
    )
    columns = [curve.tp, curve.fp, curve.fn, curve.tn]
    counts = [
        [str(one) for one in row] for row in zip(*(one.tolist() for one in columns), strict=True)
    ]
    shares = zip(
        map(number, curve.precision.tolist()), map(number, curve.recall.tolist()), strict=True
    )
    assert found == [row + list(more) for row, more in zip(counts, shares, strict=True)]


def test_without_scripts_the_best_point_stands_there(opened, scored):
    page = opened(scored.path, script=False)
    check(page, scored.curves["one"].max_f())
    assert not page.locator("#s0-slider").is_visible()
    assert page.locator("svg.chart path").count() > 20


@pytest.mark.parametrize("unit", [1.0, 2.0**-40, 2.0**40])
def test_sums_of_weights(opened, tmp_path, unit):
    rng = np.random.default_rng(1)
    relevant = rng.random(60) < 0.4
    curve = pc.curve(
        relevant, rng.normal(size=60) + relevant, weights=rng.uniform(0.1, 3, 60) * unit
    )
    page = opened(pc.report({"one": curve}, path=tmp_path / "page.html"))
    best = curve.max_f()
    wanted = [format_count(float(getattr(best, name))) for name in CELLS]
    assert told(page, *CELLS) == wanted
    # Elsewhere and back: what the script writes.
    page.locator("#s0-slider").focus()
    page.keyboard.press("ArrowRight")
    assert told(page, *CELLS) != wanted
    page.keyboard.press("ArrowLeft")
    assert told(page, *CELLS) == wanted
