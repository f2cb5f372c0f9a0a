"""The page of cases: ways to a threshold, how it is written, what steps back, and sentences in the
place of far spikes.
"""

from __future__ import annotations

import warnings
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import precall as pc
from precall.cases.points import least_digits, round_threshold
from precall.core.text import number
from precall.page.document import html
from precall.page.kept_points import operating_points
from precall.page.scored import part_of
from precall.page.sections import Law
from precall.stats.null.distribution import Tail
from tests.pages import page

CELLS = ("tp", "fp", "fn", "tn")


def cells(page):
    return [int(page.locator(f"#s0-{name}").inner_text()) for name in CELLS]


def test_least_recall_and_precision_by_keyboard(opened, scored):
    page, curve = opened(scored.path), scored.curves["one"]
    for kind, share in [
        (kind, share) for kind in ("recall", "precision") for share in (0.0, 0.5, 0.8, 0.97, 1.0)
    ]:
        box = page.locator(f"#s0-least-{kind}")
        box.fill(str(share))
        box.press("Enter")
        wanted = curve.at(**{kind: share})
        assert cells(page) == [getattr(wanted, name) for name in CELLS]
        assert page.locator("#s0-reached").text_content() == ""
        assert f"{kind} {number(getattr(wanted, kind))}" in page.locator("#s0-live").text_content()


def test_what_is_never_reached_is_said(opened, tmp_path):
    curve = pc.curve([0, 1, 0, 1, 0], [5.0, 4.0, 3.0, 2.0, 1.0])
    page = opened(pc.report(curve, tmp_path / "page.html"))
    page.locator("#s0-precision-least").click()
    assert (
        page.locator("#s0-reached").inner_text()
        == "No threshold has a precision of 0.9; the greatest is 0.5000."
    )
    assert page.locator("#s0-live").text_content() == page.locator("#s0-reached").inner_text()
    page.locator("#s0-recall-least").click()
    assert page.locator("#s0-reached").text_content() == "" and cells(page) == [2, 2, 0, 1]


def test_intervals_of_the_shares_are_the_library_s(opened, scored):
    page = opened(scored.path)
    page.locator("#s0-slider").fill("30")
    at = scored.curves["one"].at(threshold=float(scored.curves["one"].threshold[30]))
    for name, missing in (("precision", at.fp), ("recall", at.fn)):
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            found = pc.interval.proportion(int(at.tp), int(at.tp + missing))
        assert (
            page.locator(f"#s0-{name}-ends").inner_text()
            == f"[{number(found.low)}, {number(found.high)}]"
        )
    whole = at.tp + at.fp + at.fn + at.tn
    assert page.locator("#s0-accepted").inner_text() == f"{at.tp + at.fp} of {whole}"


def test_thresholds_are_rounded_as_python_rounds_them_and_accept_the_same(opened, tmp_path):
    rng = np.random.default_rng(5)
    y = rng.random(300) < 0.3
    score = np.concatenate(
        (rng.random(150), rng.normal(size=100) * 1e-6, rng.normal(size=50) * 1e6)
    )
    for high in (True, False):
        curve = pc.curve(y, score, higher_is_better=high)
        page = opened(pc.report(curve, tmp_path / f"{high}.html"))
        rows = page.evaluate(
            """() => { const slider = document.getElementById('s0-slider'), rows = [];
              for (let i = 1; i <= +slider.max; i += 1) {
                slider.value = i; slider.dispatchEvent(new Event('input'));
                rows.push(['at', 'exact', 'accepted'].map((one) => document.getElementById('s0-' + one).textContent));
              } return rows; }"""  # noqa: E501
        )
        shown = [float(row[0].split()[1]) for row in rows]
        assert [int(row[2].split()[0]) for row in rows] == [
            int(np.sum(score >= one if high else score <= one)) for one in shown
        ]
        assert [float(row[1]) for row in rows] == curve.threshold[1:].tolist()
        digits = least_digits(curve, range(1, len(curve)))
        assert shown == [
            round_threshold(one, count, up=not high)
            for one, count in zip(curve.threshold[1:].tolist(), digits, strict=True)
        ]
        assert (
            np.median([len(row[0]) for row in rows]) < np.median([len(row[1]) for row in rows]) / 2
        )


@settings(max_examples=60, deadline=None)
@given(
    st.lists(
        st.floats(allow_nan=False, width=32) | st.floats(allow_nan=False), min_size=2, max_size=9
    ),
    st.booleans(),
)
def test_rounded_thresholds_accept_the_same_cases(scores, single):
    with np.errstate(over="ignore"):
        scores = np.array(scores, np.float32 if single else np.float64)
    curve = pc.curve([1, 0] * (len(scores) // 2) + [1] * (len(scores) % 2), scores)
    for row, digits in enumerate(least_digits(curve, range(len(curve)))):
        if row:
            near = round_threshold(float(curve.threshold[row]), digits)
            assert np.array_equal(scores >= curve.threshold[row], scores >= scores.dtype.type(near))


def test_thinned_curves_keep_the_points_of_whole_percents():
    rng = np.random.default_rng(2)
    y = rng.random(20_000) < 0.05
    curve = pc.curve(y, np.round(rng.normal(size=20_000) + 2 * y, 4))
    kept = operating_points(curve, 150)
    assert len(kept.tp) < len(curve) / 5
    there = set(zip(kept.tp.tolist(), kept.fp.tolist(), strict=True))
    for percent in range(101):
        for kind in ("recall", "precision"):
            try:
                point = curve.at(**{kind: percent / 100})
            except pc.UsageError:
                continue
            assert (point.tp, point.fp) in there or (kind == "precision" and percent == 0)


def test_the_other_curves_step_back_while_one_moves(opened, scored):
    page = opened(scored.path)
    faded = (
        "all => all.filter((one) => one.classList.contains('faded')).map((one) => "
        "one.dataset.system)"
    )
    seen = lambda: set(page.eval_on_selector_all("[data-system]", faded))  # noqa: E731
    assert seen() == set()
    page.locator("#s0-slider").press("ArrowRight")
    assert seen() == {"1"}
    page.locator("#s0-slider").blur()
    assert seen() == set()
    assert page.locator(".against:visible").count() == 1
    page.locator("#s0-system").select_option(label="two")
    assert "two" in page.locator(".against:visible figcaption").inner_text()
    assert opened(scored.path, script=False).locator(".against:visible").count() == 2


def test_the_exact_threshold_is_copied(opened, scored):
    page = opened(scored.path)
    page.locator("#s0-copy").click()
    assert page.evaluate("getSelection().toString()") == page.locator("#s0-exact").inner_text()
    assert page.locator("#s0-live").text_content() == "copied"


@pytest.mark.nightly
def test_the_headline_says_the_threshold(scored):
    best = scored.curves["one"].max_f()
    headline = part_of(scored.curves).headline[1].text
    accepted = f"one ≥ {best.threshold:g} accepts {best.tp + best.fp} of 400 cases, "
    assert (
        accepted + f"precision {number(best.precision)} and recall {number(best.recall)}."
        in headline
    )


def test_crowded_scores_have_an_axis_of_logits(opened, tmp_path):
    rng = np.random.default_rng(1)
    y = rng.random(400) < 0.1
    score = 1 / (1 + np.exp(5 - 2 * rng.normal(size=400) - 3 * y))
    curve = pc.curve(y, score)
    page = opened(pc.report(curve, tmp_path / "page.html"))
    group = page.locator(".against [data-map]")
    assert group.get_attribute("data-scale") == "logit"
    low, high, left, right = map(float, group.get_attribute("data-map").split()[:4])
    page.locator("#s0-slider").fill("20")
    logit = lambda p: np.log(p / (1 - p))  # noqa: E731
    share = (logit(float(curve.threshold[20])) - logit(low)) / (logit(high) - logit(low))
    at = float(page.locator(".against .moving").get_attribute("cx"))
    assert at == pytest.approx(left + share * (right - left), abs=0.01)
    assert "0.01" in group.text_content()


def test_a_spike_far_away_is_a_sentence():
    law = Law(
        system="a",
        measure="AP",
        observed=0.9,
        chance=0.1,
        deviation=0.01,
        tail=Tail(1e-12, "bound", 0.0, True),
        mass=False,
        x=np.array([0.05, 0.1, 0.15]),
        height=np.array([0.1, 9.0, 0.1]),
    )
    section = part_of({"a": pc.curve([1, 0], [2.0, 1.0])}).section
    said = html(page(replace(section, laws=[law])))
    assert (
        "a: AP 0.9000, by chance 0.1000 with a standard deviation of 0.0100: 80 standard "
        "deviations above"
    ) in said
    assert "AP of a under random selection" not in said
    near = replace(law, observed=0.16)
    assert "AP of a under random selection" in html(page(replace(section, laws=[near])))


def test_weights_have_no_intervals_at_a_threshold(opened, tmp_path):
    path = pc.report.cases(
        [1, 0] * 20, {"a": range(40)}, tmp_path / "page.html", weights=np.linspace(0.5, 1.6, 40)
    )
    page = opened(path)
    assert (
        page.locator("#s0-precision-ends").inner_text()
        == page.locator("#s0-recall-ends").inner_text()
        == ""
    )
    page.locator("#s0-slider").press("ArrowLeft")
    assert page.locator("#s0-precision-ends").inner_text() == ""
