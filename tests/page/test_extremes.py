"""Pages of what is rare: sizes beyond a million, nothing relevant, names without letters, the
greatest float.
"""

from __future__ import annotations

import csv
import io
import json
import warnings

import numpy as np
import pytest

import precall as pc
from precall.cli.main import run
from precall.core.notes.of_curves import EqualScores
from precall.page.document import html
from precall.page.document import write_page as told_again
from precall.page.record import embed, read_page, read_record
from precall.page.scored import part_of
from precall.results.sentence import Sentence
from tests.noticed import noticed
from tests.pages import page, record_about
from tests.processor import timed
from tests.texts import texts


def page_of(given, path):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return pc.report(given, path)


class TestSentences:
    """What stands at the head of a page, in words."""

    def test_large_counts_have_all_their_digits(self):
        # They stood there as 1.23457e+06, in the table, too.
        relevant = np.zeros(1_234_567, np.bool_)
        relevant[:3] = True
        curve = pc.curve(relevant, relevant * 1.0)
        section, headline, notes = part_of({"s": curve})
        assert "1234567 cases, 3 of them relevant" in headline[0].text
        (note,) = noticed(notes, EqualScores)
        assert (note.cases, note.scores) == (1_234_567, 2) and "1234567" in str(note)
        assert "<td>1234567<td>3<td>0" in html(page(section))
        assert "1234567" in curve._repr_html_() and "e+06" not in curve._repr_html_()

    def test_the_missed_are_not_among_the_scored(self):
        said = part_of({"s": pc.curve([1, 0] * 10, range(20), missed=7)}).headline[0].text
        assert said.endswith("20 cases, 10 of them relevant, and 7 relevant never scored.")

    def test_one_case(self):
        assert (
            ", 1 case, 1 of them relevant."
            in texts(record_about(pc.curve([1], [0.5]))["headline"])[0]
        )

    def test_what_is_undefined_is_said_so(self):
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            said = texts(record_about(pc.curve([0, 0], [1.0, 2.0]))["headline"])
        assert said == ["The average precision of score is undefined, 2 cases, 0 of them relevant."]

    def test_equal_systems_are_best_together(self):
        pair = pc.compare.paired([0.5, 0.7], [0.5, 0.7], names=("A", "B"), measure="AP", rng=0)
        assert texts(record_about(pair)["headline"]) == [
            "A and B are best by AP (0.6000, 2 pairs)."
        ]


def test_what_a_name_without_letters_is_called(opened, tmp_path):
    # The button of such a topic had no name for those who do not see it.
    qrels = {topic: {"a": 1, "b": 0} for topic in (" ", "q1")}
    runs = {name: {topic: {"a": 1.0, "b": 0.0} for topic in qrels} for name in ("", "x")}
    page = opened(page_of(pc.evaluate(qrels, runs, ["AP"]), tmp_path / "page.html"))
    named = page.locator("button, option").evaluate_all(
        "all => all.map((one) => one.textContent.trim())"
    )
    assert "(empty)" in named and all(named)
    page.locator("#s0-first").select_option(index=1)
    page.locator("#s0-topics tbody th button", has_text="(empty)").click()
    assert all(page.locator("th button").all_text_contents())


@pytest.mark.parametrize(
    "score", [[1e308, -1e308, 0.0], [np.finfo(float).max, 1.0, np.finfo(float).min]]
)
def test_floats_that_stand_for_infinity(opened, tmp_path, score):
    page = opened(page_of(pc.curve([1, 0, 1], score), tmp_path / "page.html"))
    paths = page.locator("svg path").evaluate_all(
        "all => all.map((one) => one.getAttribute('d')).join()"
    )
    assert "nan" not in paths and "inf" not in paths


def test_columns_of_few_values_are_short_and_exact():
    column = np.tile([0.1, -0.0, 0.0, np.nan, np.inf, 1 / 3], 50)
    text = embed({"format": "precall.page/1", "x": column})
    assert len(text) < 600
    page = f'<script type="application/json" id="record">{text}</script>'
    assert np.array_equal(_read(page)["x"].view(np.int64), column.view(np.int64))


def _read(page):
    import tempfile
    from pathlib import Path

    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "page.html"
        path.write_text(page, encoding="utf-8")
        return read_record(path)


def test_few_values_in_the_browser(opened, tmp_path):
    # Precision at 10 of many topics stands in the page by its different values.
    rng = np.random.default_rng(1)
    qrels = {f"q{i}": {f"d{j}": j % 2 for j in range(12)} for i in range(80)}
    runs = {
        name: {q: {f"d{j}": float(rng.random()) for j in range(12)} for q in qrels} for name in "ab"
    }
    report = pc.evaluate(qrels, runs, ["P@10"])
    path = page_of(report, tmp_path / "page.html")
    assert '"at":"' in path.read_text(encoding="utf-8")
    page = opened(path)
    shown = dict(
        zip(
            page.locator("#s0-topics tbody th").all_text_contents(),
            page.locator("#s0-topics tbody tr td:nth-child(2)").all_text_contents(),
            strict=True,
        )
    )
    best = max(report.runs, key=lambda run: run.mean[0])
    values = dict(zip(best.topics, best.values[0].tolist(), strict=True))
    assert shown == {topic: f"{value:.4f}" for topic, value in values.items()}


@pytest.fixture(scope="module")
def known(tmp_path_factory):
    folder = tmp_path_factory.mktemp("back")
    rng = np.random.default_rng(2)
    y = rng.random(80) < 0.4
    rows = [f"{int(one)},{rng.normal() + one},{rng.normal()}" for one in y]
    (folder / "cases.csv").write_text("\n".join(["y,a,b", *rows]) + "\n")
    path = folder / "page.html"
    typed = [
        "report",
        "--cases",
        str(folder / "cases.csv"),
        "--label",
        "y",
        "--score",
        "a",
        "--score",
        "b",
    ]
    assert run([*typed, "-o", str(path)]) == 0
    return read_page(path)


def test_tables_read_back_have_intervals_comparisons_and_laws(known):
    # `precall report --from` of scored cases told their measures alone.
    told = told_again(known, "markdown")
    (section,) = known.sections
    for heading in ("score", "comparison", "random selection"):
        assert f"| {heading} " in told
    assert f"{section.pairs[0].difference:.4f}" in told
    assert f"{section.systems[1].intervals['AUC'].low:.4f}" in told


def test_every_digit_is_in_csv(known):
    rows = list(csv.DictReader(io.StringIO(told_again(known, "csv"))))
    found = {(one["system"], one["measure"], one["statistic"]): one["value"] for one in rows}
    (section,) = known.sections
    for one in section.systems:
        for measure, interval in one.intervals.items():
            for end in ("estimate", "low", "high"):
                assert float(found[one.name, measure, end]) == getattr(interval, end)
    for pair in section.pairs:
        for name in ("difference", "low", "high", "p"):
            assert float(found[" - ".join(pair.names), pair.measure, name]) == getattr(pair, name)
    for law in section.laws:
        assert float(found[law.system, law.measure, "p"]) == law.tail.p


def test_a_mark_that_turns_letters_is_not_shown():
    text = html(page(title="a\u061cb", headline=[Sentence("Nothing.")]))
    assert "<h1>a\ufffdb</h1>" in text


def test_boxes_of_a_notebook_are_scrolled_by_keyboard():
    shown = pc.curve([1, 0], [2.0, 1.0])._repr_html_()
    assert 'style="overflow-x:auto" tabindex="0" role="group"' in shown


def test_random_selection_where_everything_is_relevant(capsys, tmp_path):
    # The normal approximation has no spread there, and ended in a traceback.
    picture = tmp_path / "law.svg"
    assert (
        run(
            [
                "null",
                "--items",
                "5",
                "--relevant",
                "5",
                "--ap",
                "1",
                "--plot",
                str(picture),
                "--format",
                "json",
            ]
        )
        == 0
    )
    assert picture.stat().st_size > 1000
    assert json.loads(capsys.readouterr().out)


@pytest.mark.nightly
def test_the_law_of_a_few_cases_is_drawn_at_once():
    # A list of 130,000 fractions was sorted three times: half a minute for 20 cases of which 7 were
    # never scored.
    made, taken = timed(lambda: record_about(pc.curve([1, 0] * 10, range(20), missed=7)))
    assert taken < 6
    (law,) = made["sections"][0]["laws"]
    assert law["x"][0] < law["chance"] < law["x"][-1]
