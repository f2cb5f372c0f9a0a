"""Pages of unusual results: what they say must hold, and what they draw must lie where it says."""

from __future__ import annotations

import re
from html import unescape

import numpy as np
import pytest

import precall as pc
from precall.cli.main import run
from precall.core.notes import group_by_subject, sentences
from precall.core.notes.of_curves import TurnedScores
from precall.core.notes.of_intervals import FewCases
from precall.core.notes.of_pages import ChartsOfSome
from precall.core.notes.of_runs import UnlikeTopics
from precall.page.document import html
from precall.page.record import read_page, read_record
from precall.page.runs import part_of
from precall.page.scored import bands_of, blocks_to_draw
from precall.stats.tests.comparisons import Comparisons
from tests.noticed import noticed, shown
from tests.pages import page as page_of
from tests.texts import texts


def report_of(values):
    """Systems whose reciprocal ranks per topic are one over these."""
    items = [f"d{i}" for i in range(10)]
    qrels = {f"q{i}": {"d0": 1} for i in range(len(next(iter(values.values()))))}
    runs = {}
    for name, ranks in values.items():
        runs[name] = {}
        for topic, rank in zip(qrels, ranks, strict=True):
            order = [*items[1:rank], items[0], *items[rank:]]
            runs[name][topic] = {item: float(-place) for place, item in enumerate(order)}
    return pc.evaluate(qrels, runs, ["RR"])


def test_letters_stand_beside_their_systems():
    # The first system has the least mean: the comparisons have their letters in the order of the
    # means.
    ranks = {"low": [8, 9, 10] * 6, "high": [1, 1, 2] * 6, "alike": [1, 2, 1] * 6}
    report = report_of(ranks)
    found = pc.compare(report, rng=1)
    assert isinstance(found, Comparisons)
    section = part_of(report, found).section
    letters = dict(zip(section.systems, section.pairs.letters[0], strict=True))
    assert letters == dict(found.letters["RR"]) == {"low": "b", "high": "a", "alike": "a"}
    for pair in found.pairs:
        assert pair.significant == (not set(letters[pair.names[0]]) & set(letters[pair.names[1]]))


def test_nothing_is_best_where_topics_differ():
    qrels = {f"q{i}": {"a": 1} for i in range(3)}
    runs = {
        "x": {"q0": {"a": 1.0}, "q1": {"a": 1.0}},
        "y": {"q0": {"b": 2.0, "a": 1.0}, "q2": {"a": 1.0}},
    }
    report = pc.evaluate(qrels, runs, ["AP"])
    section, headline, notes = part_of(report)
    text = html(page_of(section, headline=headline, notes=notes))
    assert noticed(notes, UnlikeTopics) and shown(unescape(text), UnlikeTopics(""))
    assert "<b>" not in text and "is bold" not in text
    same = part_of(pc.evaluate(qrels, runs, ["AP"], topics="qrels"))
    assert "<b>" in html(page_of(same.section))


def test_one_topic_is_no_plural(tmp_path):
    report = report_of({"x": [1], "y": [2]})
    text = pc.report(report, tmp_path / "page.html").read_text(encoding="utf-8")
    assert "1 topic" in text and "1 topics" not in text and "1 pairs" not in text


@pytest.mark.parametrize("digits", [0, 1, 3])
def test_bands_lie_around_their_line(digits):
    rng = np.random.default_rng(3)
    y = rng.random(1000) < 0.3
    curve = pc.curve(y, np.round((rng.normal(size=1000) + y) / 3, digits))
    roc = bands_of(blocks_to_draw(curve), 0.95, 0)["roc"]
    # The line as it is drawn, also through large blocks of equal score.
    drawn = np.interp(roc.x, curve.fp / curve.other, curve.recall)
    np.testing.assert_allclose(roc.estimate, drawn, rtol=1e-9)
    assert drawn in roc and np.all(roc.high - roc.low > 0.03)


@pytest.fixture(scope="module")
def five(tmp_path_factory):
    """A page of five scores, the best of which stands in the middle."""
    folder = tmp_path_factory.mktemp("five")
    rng = np.random.default_rng(7)
    y = rng.random(120) < 0.4
    gains = {"a": 0.2, "b": 0.4, "d": 2.5, "e": 0.1, "g": 1.5}
    columns = {name: (rng.normal(size=120) + gain * y).round(3) for name, gain in gains.items()}
    lines = [",".join(["y", "fold", *columns])]
    lines += [
        ",".join(map(str, [int(y[i]), "uv"[i % 2], *(one[i] for one in columns.values())]))
        for i in range(120)
    ]
    (folder / "cases.csv").write_text("\n".join(lines) + "\n")
    scores = [part for name in columns for part in ("--score", name)]
    page = folder / "page.html"
    assert (
        run(
            [
                "report",
                "--cases",
                str(folder / "cases.csv"),
                "--label",
                "y",
                *scores,
                "-o",
                str(page),
            ]
        )
        == 0
    )
    return page


@pytest.mark.nightly
def test_of_many_scores_the_best_is_compared_with_each(five):
    found = read_record(five)
    section = found["sections"][0]
    ap = {one["name"]: one["measures"]["AP"] for one in section["systems"]}
    first, second = sorted(ap, key=lambda name: -ap[name])[:2]
    assert (first, second) == ("d", "g")
    assert {(one["a"], one["b"]) for one in section["pairs"]} == {
        ("d", name) for name in ap if name != "d"
    }
    (first, *_) = texts(found["headline"])
    assert " d " in f" {first} " and " g " in first.replace(":", " ")
    assert shown(five.read_text(encoding="utf-8"), ChartsOfSome("", ("a", "b", "d", "e"), 5))


@pytest.mark.nightly
def test_p_of_several_pairs_are_corrected(five):
    """As `compare` does: by measure, Holm if nothing else is asked for."""
    pairs = read_record(five)["sections"][0]["pairs"]
    for measure in ("AP", "AUC"):
        some = [one for one in pairs if one["measure"] == measure]
        assert len(some) == 4 and {one["correction"] for one in some} == {"holm"}
        ordered = sorted(some, key=lambda one: one["p"])
        wanted = np.maximum.accumulate([one["p"] * (4 - i) for i, one in enumerate(ordered)])
        assert [one["adjusted"] for one in ordered] == pytest.approx(np.minimum(wanted, 1))
        assert all(one["significant"] == (one["adjusted"] <= 0.05) for one in some)
    text = five.read_text(encoding="utf-8")
    assert (
        "<th scope=col>adjusted p" in text
        and "Correction holm, of the pairs of one measure" in text
    )
    page = five.with_name("none.html")
    scores = [part for name in "abd" for part in ("--score", name)]
    asked = ["report", "--cases", str(five.with_name("cases.csv")), "--label", "y", *scores]
    assert run([*asked, "--correction", "none", "-o", str(page)]) == 0
    text = page.read_text(encoding="utf-8")
    assert "<th scope=col>adjusted p" not in text and "Correction none" in text


@pytest.mark.nightly
def test_a_warning_is_said_once_with_all_names(five):
    notes = noticed(read_record(five), FewCases)
    # 48 relevant cases are few for the greatest F of every score.
    few = [note for note in notes if "max F on new cases" in (note.subject, *note.context)]
    assert len(few) == 5 and len(group_by_subject(few)) == 1
    assert sentences(few)[0].startswith("a, b, d, e and 1 more: ")


def test_scores_and_groups_that_could_have_one_name(tmp_path):
    rows = [
        'y,score,"score, a",g',
        *(f"{i % 2},{i},{-i},{['b', 'a, b'][i // 8]}" for i in range(16)),
    ]
    (tmp_path / "cases.csv").write_text(
        "\n".join(row.replace("a, b", '"a, b"') if i else row for i, row in enumerate(rows)) + "\n"
    )
    page = tmp_path / "page.html"
    asked = [
        "--label",
        "y",
        "--score",
        "score",
        "--score",
        "score, a",
        "--group",
        "g",
        "-o",
        str(page),
    ]
    assert run(["report", "--cases", str(tmp_path / "cases.csv"), *asked]) == 0
    systems = read_record(page)["sections"][0]["systems"]
    assert [one["name"] for one in systems] == [
        "'score', 'a, b'",
        "'score', 'b'",
        "'score, a', 'a, b'",
        "'score, a', 'b'",
    ]
    assert [one["tp"][1] for one in systems] == [1, 1, 0, 0]


def test_curves_of_one_name_as_text_are_refused(tmp_path):
    one = pc.curve([1, 0], [2.0, 1.0])
    with pytest.raises(pc.UsageError, match="two curves have the same name"):
        pc.report({1: one, "1": one}, tmp_path / "x.html")


def test_of_many_scores_one_band_shows(opened, five):
    page = opened(five)
    seen = (
        "all => all.filter((one) => one.getAttribute('visibility') !== 'hidden').map((one) => "
        "one.dataset.system)"
    )
    assert page.eval_on_selector_all(".band", seen) == ["2", "2"]
    page.locator("#s0-system").select_option(label="a")
    assert page.eval_on_selector_all(".band", seen) == ["0", "0"]
    assert opened(five, script=False).locator(".band:visible").count() == 2


@pytest.mark.nightly
def test_groups_are_curves_of_their_own(five):
    page = five.with_name("groups.html")
    asked = [
        "report",
        "--cases",
        str(five.with_name("cases.csv")),
        "--label",
        "y",
        "--score",
        "d",
        "--score",
        "g",
    ]
    assert run([*asked, "--group", "fold", "-o", str(page)]) == 0
    section = read_record(page)["sections"][0]
    assert [one["name"] for one in section["systems"]] == ["d, u", "d, v", "g, u", "g, v"]
    assert section["pairs"] == [] and "group fold" in section["signature"]
    cases = [one["measures"]["cases"] for one in section["systems"]]
    assert cases == [60, 60, 60, 60]


def test_weights_have_no_law(five):
    page = five.with_name("weights.html")
    text = five.with_name("cases.csv").read_text()
    head, *lines = text.splitlines()
    weighted = five.with_name("weighted.csv")
    weighted.write_text(
        "\n".join([f"{head},w", *(f"{one},{1 + i % 2}" for i, one in enumerate(lines))]) + "\n"
    )
    asked = ["report", "--cases", str(weighted), "--label", "y", "--score", "d", "--weight", "w"]
    assert run([*asked, "-o", str(page)]) == 0
    section = read_record(page)["sections"][0]
    assert section["laws"] == [] and section["systems"][0]["measures"]["cases"] == 180


def test_several_results_on_a_page_are_told_apart(opened, several):
    page = opened(several.path)
    titles = page.locator("h2").all_text_contents()
    assert len(titles) == len(set(titles)) and "Comparisons (2)" in titles
    # Boxes that scroll are no landmarks, which would need names of their own.
    assert page.locator("[role=region]").count() == 0 and page.locator("[role=group]").count() > 9
    assert page.locator("#s1-b1-said").inner_text() == "Measure"


def test_a_page_of_a_command_names_its_options(tmp_path):
    """Its notes told Python's arguments; its record already had the options."""
    cases, page = tmp_path / "cases.csv", tmp_path / "page.html"
    rows = [f"{int(score < 30)},{score}\n" for score in range(90)]
    cases.write_text("".join(["y,s\n", *rows]), encoding="utf-8")
    assert run(
        ["report", "--cases", str(cases), "--label", "y", "--score", "s", "-o", str(page)]
    ) in (0, None)
    (turned,) = noticed(read_record(str(page)), TurnedScores)
    of_command = _without_record(page.read_text(encoding="utf-8"))
    assert turned.sentence("command") in of_command
    assert turned.sentence("python") not in of_command
    # The same record, as Python shows it.
    assert turned.sentence("python") in _without_record(html(read_page(str(page))))


def _without_record(markup):
    return re.sub('<script type="application/json".*?</script>', "", markup, flags=re.DOTALL)
