"""Which system is best: what the page says of it by each measure is what the library says, narrow
and wide, light and dark.
"""

from __future__ import annotations

import warnings

import numpy as np
import pytest

import precall as pc
from precall.core.notes.of_pages import OtherOrderOfTies
from precall.core.text import number
from precall.page.document import html
from precall.page.record import read_record
from precall.plot.shared.styles import distinct, shared
from precall.stats.tests.comparisons import p_text
from tests.noticed import noticed
from tests.pages import page

NAMES = [f"trec-{name}-v2" for name in ("bm25", "dense", "hybrid-a-long-name-of-a-system")]


@pytest.fixture(scope="module")
def standing(tmp_path_factory):
    """A page of three runs whose names share words, and the comparisons of the same."""
    rng = np.random.default_rng(5)
    items = [f"d{i}" for i in range(12)]
    qrels = {f"q{i}": {item: int(j < 4) for j, item in enumerate(items)} for i in range(30)}
    runs = {
        name: {
            topic: {
                item: float(np.round(rng.normal() + gain * qrels[topic][item], 1)) for item in items
            }
            for topic in qrels
        }
        for name, gain in zip(NAMES, (0.3, 1.6, 0.6), strict=True)
    }
    path = tmp_path_factory.mktemp("standing") / "page.html"
    pc.report.runs(qrels, runs, path, ["AP", "P@5"], chance="none", resamples=500)
    report = pc.evaluate(qrels, runs, ["AP", "P@5"])
    compared = pc.compare(report, rng=0, resamples=500)
    return path, report, compared, (qrels, runs)


def texts_in(page, id_):
    return page.eval_on_selector_all(
        f"#{id_} svg > text, #{id_} svg > g:not(.legend) text",
        "all => all.map((one) => one.textContent)",
    )


def check_narrow(page):
    """Bars and letters of pictures fit and can be read, and the first column of a table stays."""
    assert (
        page.evaluate("document.querySelector('#s0-bars svg').getBoundingClientRect().width") <= 375
    )
    # Letters of pictures are read without a glass.
    small = "all => Math.min(...all.map((one) => one.getBoundingClientRect().height))"
    assert page.eval_on_selector_all("svg.chart text:not([transform])", small) > 9
    # The first column stays where the others are moved under it.
    left = "document.querySelector('#s0-means tbody th').getBoundingClientRect().left"
    before = page.evaluate(left)
    page.evaluate("document.querySelector('#s0-means').parentElement.scrollLeft = 200")
    assert page.evaluate("document.querySelector('#s0-means').parentElement.scrollLeft") > 100
    assert page.evaluate(left) == before


@pytest.mark.parametrize(("width", "scheme"), [(375, "dark"), (1400, "light")])
def test_numbers_of_every_measure(opened, standing, width, scheme):
    path, report, compared, _ = standing
    page = opened(path, width=width, scheme=scheme)
    for place, measure in enumerate(("AP", "P@5")):
        if place:
            page.locator("#s0-measure").select_option(label=measure)
            assert page.locator("#s0-measure-topics").input_value() == "1"
        mean = {run.name: report.mean[run.name, measure] for run in report.runs}
        best, *others = sorted(mean, key=lambda name: -mean[name])
        shown = texts_in(page, "s0-gaps")
        short = dict(zip(NAMES, distinct(NAMES), strict=True))
        described = page.locator("#s0-gaps svg desc").text_content()
        for name in others:
            pair = compared.pair(name, best, measure)
            difference = pair.difference if pair.names[0] == name else -pair.difference
            assert p_text(pair.adjusted) in shown
            assert f"{name} {number(difference)}" in described.replace("+", "")
        bars = page.eval_on_selector_all(
            "#s0-gaps svg > rect", "all => all.map((one) => one.getAttribute('width') / 1)"
        )
        wanted = np.array([mean[best] - mean[name] for name in others])
        np.testing.assert_allclose(np.array(bars) / max(bars), wanted / max(wanted), atol=2e-3)
        dots = np.array(
            page.eval_on_selector_all(
                "#s0-dots circle", "all => all.map((one) => +one.getAttribute('cx'))"
            )
        )
        reached = np.array([mean[name] for name in (best, *others)])
        np.testing.assert_allclose(
            np.diff(dots) / np.ptp(dots), np.diff(reached) / np.ptp(reached), atol=3e-3
        )
        assert (
            f"{measure}: difference from {short[best]}"
            in page.locator("#s0-gaps-said").inner_text()
        )
        drawn = (
            "all => all.every((one) => getComputedStyle(one).stroke !== 'none' && "
            "one.getAttribute('d').length > 9)"
        )
        assert page.eval_on_selector_all(
            "#s0-gaps path.axis, #s0-dots path.s0, #s0-bars path.axis", drawn
        )
        letters = [compared.letters[measure][name] for name in (best, *others)]
        assert [text for text in texts_in(page, "s0-dots") if text in letters] == letters
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    if width < 500:
        check_narrow(page)


def test_topics_by_measure_pair_and_keys(opened, standing):
    page = opened(standing[0])
    page.locator("#s0-measure").select_option(label="P@5")
    page.locator("#s0-first").select_option(label="bm25")
    topics = page.locator("#s0-topics tbody th").all_text_contents()
    shown = page.eval_on_selector_all(
        "#s0-hits svg", "all => all.map((one) => one.querySelector('text').textContent)"
    )
    assert shown == [f"topic {topic}" for topic in (*topics[:3], topics[-1])]
    # What pointing at a bar shows, by keys.
    page.locator("#s0-bars .wide").focus()
    page.keyboard.press("ArrowRight")
    best = (
        page.locator("#s0-extremes").inner_text().removeprefix("Greatest gains: ").partition(",")[0]
    )
    assert page.locator("#s0-hover").inner_text().startswith(best.replace(" ", ": ", 1))
    page.keyboard.press("Enter")
    assert page.evaluate("document.activeElement.textContent") == best.partition(" ")[0]


def test_names_lack_what_they_share_and_measures_are_explained(opened, standing):
    assert shared(NAMES) == ("trec-", "-v2")
    page = opened(standing[0])
    heads = page.locator("#s0-means tbody th")
    assert heads.all_text_contents() == ["dense", "hybrid-a-long-name-of-a-system", "bm25"]
    assert heads.first.locator("span").get_attribute("title") == "trec-dense-v2"
    assert (
        "All names of systems begin with trec- and end with -v2"
        in page.locator("main").inner_text()
    )
    assert "trec-" not in page.locator("header").inner_text()
    assert read_record(standing[0])["sections"][0]["systems"] == [NAMES[1], NAMES[2], NAMES[0]]
    # Measures are explained to who points at them, in a list, and on paper.
    wanted = [pc.measure(name).declaration.summary for name in ("AP", "P@5")]
    assert [
        page.locator("#s0-means th").nth(place).get_attribute("title") for place in (1, 3)
    ] == wanted
    assert not page.locator(".terms").is_visible() and not page.locator("#versions").is_visible()
    page.locator("summary", has_text="What the measures are").click()
    assert page.locator(".terms dd").all_inner_texts() == wanted


def test_ties_say_what_they_move(standing):
    (note,) = noticed(read_record(standing[0]), OtherOrderOfTies)
    assert note.measures[0] == "AP" and len(note.measures) > 1 and note.widest
    name, *numbers = note.runs[0], *(number(each[0]) for each in (note.low, note.high, note.here))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", pc.PrecallWarning)
        wanted = [
            number(pc.evaluate(*standing[3], ["AP"], ties=ties).mean[name, "AP"])
            for ties in ("worst", "best", "docno")
        ]
    assert numbers == wanted


def test_a_page_bears_its_date(monkeypatch):
    made = []
    for epoch, date in (("86400", "1970-01-02"), ("86401", "1970-01-02"), ("172800", "1970-01-03")):
        monkeypatch.setenv("SOURCE_DATE_EPOCH", epoch)
        empty = page()
        made.append(html(empty))
        assert empty.date == date and f"{date}, precall" in made[-1]
    assert made[0] == made[1] != made[2]
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "today")
    with pytest.raises(
        pc.UsageError, match="SOURCE_DATE_EPOCH: got 'today', allowed are seconds since"
    ):
        page()


def test_names_share_whole_words_only():
    assert distinct(["lambda0.1", "lambda0.2"]) == ["lambda0.1", "lambda0.2"]
    assert distinct(["run-x-1-x", "run-x-x"]) == ["1-x", "x"]
    assert distinct(["same"]) == ["same"] and distinct(["a/b/c", "a/b/"]) == ["a/b/c", "a/b/"]
