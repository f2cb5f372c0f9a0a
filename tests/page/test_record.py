"""The record inside a page: exact, read back, refused where it is none; and how large and slow
pages are.
"""

from __future__ import annotations

import json
import warnings
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

import precall as pc
from precall.cases.intervals import blocks_of_curve
from precall.core.notes.of_pages import PointsLeftOut
from precall.evaluation.intervals import intervals_of_report
from precall.page.document import html
from precall.page.record import embed, law_of, page_from, read_record, record_of
from precall.page.runs import eleven_points, hits_of, part_of
from precall.stats.intervals import bands
from tests.noticed import shown
from tests.pages import numbers, page
from tests.processor import timed
from tests.texts import texts


def test_every_digit_comes_back(runs):
    section = read_record(runs.path)["sections"][0]
    for line, _ in enumerate(runs.report.measures):
        for place, part in enumerate(runs.report.runs):
            assert section["topics"] == part.topics
            np.testing.assert_array_equal(
                numbers(section["values"][line][place]), part.values[line]
            )


def test_eleven_points_are_the_library_s(runs):
    levels = [f"IPrec(recall={step / 10:g})" for step in range(11)]
    section = read_record(runs.path)["sections"][0]
    for place, path in enumerate(runs.inputs[1:]):
        report = pc.evaluate(runs.inputs[0], path, levels)
        found = section["hits"]["eleven"][place]
        np.testing.assert_allclose(
            numbers(found["mean"]), [report.mean[name] for name in levels], rtol=1e-12
        )
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", pc.PrecallWarning)
            wanted = pc.interval(report)
        for place_of_end, end in enumerate(("low", "high")):
            ends = [wanted[(report.runs[0].name, name)].ends[place_of_end] for name in levels]
            np.testing.assert_allclose(numbers(found[end]), ends, rtol=1e-9)
    assert "11 points" in Path(runs.path).read_text(encoding="utf-8")


def test_json_of_a_page(runs, asked):
    code, out, _ = asked("--from", runs.path, "--format", "json")
    found = json.loads(out)
    assert code == 0 and found["format"] == "precall.page/2"
    section = found["sections"][0]
    assert section["values"][0][0] == runs.report.runs[0].values[0].tolist()
    assert [one["sha256"] for one in found["files"]] != [] and found["command"].startswith(
        "precall report "
    )
    assert found["versions"]["precall"] == pc.__version__


def test_other_forms_of_a_page(runs, asked, tmp_path):
    for form, said in (
        ("table", "components - pixels"),
        ("markdown", "| pixels |"),
        ("latex", "tabular"),
        ("csv", "P@10"),
    ):
        code, out, _ = asked("--from", runs.path, "--format", form)
        assert code == 0 and said in out
    again = tmp_path / "again.html"
    assert asked("--from", runs.path, "-o", again) == (0, "", "")
    assert again.read_bytes() == runs.path.read_bytes()


def test_a_page_of_cases_where_low_scores_are_good(tmp_path, asked):
    path = tmp_path / "cases.csv"
    rng = np.random.default_rng(2)
    y = rng.random(80) < 0.5
    score = np.round(rng.normal(size=80) - y, 3)
    path.write_text("y,s\n" + "".join(f"{int(a)},{b}\n" for a, b in zip(y, score, strict=True)))
    out = tmp_path / "page.html"
    code, _, err = asked(
        "--cases", path, "--label", "y", "--score", "s", "--lower-is-better", "-o", out
    )
    assert code == 0, err
    one = read_record(out)["sections"][0]["systems"][0]
    threshold, tp = numbers(one["threshold"]), numbers(one["tp"])
    assert threshold[0] == -np.inf and np.all(np.diff(threshold) > 0)
    assert tp.tolist() == [np.count_nonzero(score[y] <= least) for least in threshold]


@pytest.mark.nightly
def test_two_scores_of_the_same_cases_are_compared(tmp_path, asked):
    path, out = tmp_path / "cases.csv", tmp_path / "page.html"
    rng = np.random.default_rng(4)
    y = rng.random(60) < 0.5
    a, b = (np.round(rng.normal(size=60) + gain * y, 3) for gain in (2.0, 0.5))
    path.write_text(
        "y,a,b\n" + "".join(f"{int(t)},{x},{z}\n" for t, x, z in zip(y, a, b, strict=True))
    )
    code, _, err = asked(
        "--cases", path, "--label", "y", "--score", "a", "--score", "b", "--seed", 5, "-o", out
    )
    assert code == 0, err
    found = read_record(out)
    for one, measure in zip(found["sections"][0]["pairs"], ("AP", "AUC"), strict=True):
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", pc.PrecallWarning)
            same = pc.compare.cases(y, a, b, measure, rng=5, names=("a", "b"))
        assert (one["difference"], one["low"], one["high"], one["p"]) == (
            same.difference,
            same.low,
            same.high,
            same.p,
        )
    pair = found["sections"][0]["pairs"][0]
    assert pair["p"] < 0.001
    assert texts(found["headline"])[:1] == [
        f"a is best by AP ({pc.average_precision(y, a):.4f}, 60 cases); better than b "
        f"({pair['difference']:+.4f} [{pair['low']:.4f}, {pair['high']:.4f}], p < 0.001); "
        "interval by influence, p by permutation; "
        f"{int(y.sum())} of the cases are relevant."
    ]


def test_many_pairs_are_in_the_record_and_some_on_the_page():
    rng = np.random.default_rng(0)
    qrels = {f"q{i}": {"x": 1} for i in range(12)}
    runs = {
        f"s{j}": {
            topic: {"x": j / 17, **{f"y{k}": rng.random() for k in range(3)}} for topic in qrels
        }
        for j in range(17)
    }
    report = pc.evaluate(qrels, runs, ["AP"])
    pairs = pc.compare(report, rng=0, resamples=200, correction="none")
    section, headline, _ = part_of(report, pairs)
    assert len(section.pairs.a) == 136
    letters = dict(zip(section.systems, section.pairs.letters[0], strict=True))
    assert letters == pairs.letters["AP"] and letters["s0"] > letters["s16"] == "a"
    text = html(page(section, headline=headline))
    shown = text.partition('id="s0-pairs0"')[2].partition("</table>")[0]
    assert shown.count("<tr>") == 1 + 16 and "all 136 are in the record" in text


def test_laws_intervals_and_bands_are_the_library_s(scored):
    section = read_record(scored.path)["sections"][0]
    for one, law in zip(section["systems"], section["laws"], strict=True):
        curve = scored.curves[one["name"]]
        found = pc.null.test(curve, "AP", ties="block")
        assert (law["observed"], law["p"], law["chance"]) == (
            found.combined.value,
            found.p,
            found.law.mean,
        )
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", pc.PrecallWarning)
            worth = pc.interval(curve, "AP", rng=1)
            band = bands.band(blocks_of_curve(curve), "pr", rng=1)
        assert (one["intervals"]["AP"]["low"], one["intervals"]["AP"]["high"]) == (
            worth.low,
            worth.high,
        )
        np.testing.assert_array_equal(numbers(one["bands"]["pr"]["low"]), band.low)


def test_random_selection_of_runs(tmp_path, asked):
    rng = np.random.default_rng(0)
    qrels, run, other = ({} for _ in range(3))
    for topic in ("t1", "t2", "t3"):
        qrels[topic] = {f"d{i}": int(i < 3) for i in range(9)}
        run[topic], other[topic] = (
            dict(zip(qrels[topic], rng.random(9), strict=True)) for _ in range(2)
        )
    (tmp_path / "a.qrels").write_text(
        "".join(f"{t} 0 {d} {g}\n" for t, one in qrels.items() for d, g in one.items())
    )
    for name, one in (("x", run), ("y", other)):
        rows = [
            f"{t} Q0 {d} 1 {s} {name}\n" for t, scores in one.items() for d, s in scores.items()
        ]
        (tmp_path / f"{name}.run").write_text("".join(rows))
    paths = [tmp_path / "a.qrels", tmp_path / "x.run", tmp_path / "y.run"]
    code, _, err = asked(*paths, "-m", "AP", "--chance", "all", "-o", tmp_path / "page.html")
    assert code == 0, err
    laws = {
        law["system"]: law for law in read_record(tmp_path / "page.html")["sections"][0]["laws"]
    }
    for name, one in (("x", run), ("y", other)):
        found = pc.null.test(pc.locate(qrels, one).hits(), "AP")
        assert (laws[name]["observed"], laws[name]["p"]) == (found.combined.value, found.p)


def test_all_results_have_a_page(tmp_path):
    qrels = {f"q{i}": {"x": 1} for i in range(8)}
    good = {topic: {"x": 2.0, "y": 1.0} for topic in qrels}
    bad = {topic: {"y": 2.0, "x": 1.0} for topic in qrels}
    results = [
        pc.evaluate(qrels, {"good": good, "bad": bad}, ["AP"]),
        pc.compare(qrels, {"good": good, "bad": bad}, ["AP"]),
        pc.compare.paired([0.5, 0.7, 0.9, 0.4], [0.4, 0.5, 0.9, 0.3]),
        pc.categorize(["a", "b"], [[0.9, 0.1], [0.2, 0.8]]),
        pc.decisions(["a", "b", "b"], ["a", "b", "a"]),
        pc.curve([1, 0, 1, 0], [4, 3, 2, 1], weights=[0.5, 1.25, 2.0, 1.0]),
        pc.curve([1, 1], [2.0, 1.0]),
    ]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", pc.PrecallWarning)
        for i, one in enumerate([*results, results]):
            path = pc.report(one, tmp_path / f"{i}.html")
            found = read_record(path)
            assert len(found["sections"]) == (len(results) if one is results else 1)
    assert texts(found["headline"])[0].startswith(
        "good is best by AP (1.0000, 8 topics); better than bad (+0.5000"
    )
    assert not list(tmp_path.glob(".*"))


@pytest.mark.parametrize(
    ("label", "score"),
    [
        ([0, 0], [1.0, 2.0]),
        ([1], [1.0]),
        ([1, 0, 1], [float("inf"), 0.0, float("-inf")]),
        ([1, 0, 1, 0], [1.0] * 4),
        ([1, 0], [2.0, 1.0]),
    ],
)
def test_curves_of_next_to_nothing_have_a_page(tmp_path, label, score):
    path = pc.report(pc.curve(label, score), tmp_path / "page.html")
    text = path.read_text()
    assert (
        read_record(path)["sections"][0]["systems"][0]["relevant"] == sum(label)
        and "nan" not in text.partition("<main>")[2]
    )


@pytest.mark.nightly
def test_thinned_curves_say_so(tmp_path):
    rng = np.random.default_rng(0)
    y = rng.random(20_000) < 0.2
    curve = pc.curve(y, rng.normal(size=20_000) + y)
    path = pc.report(curve, tmp_path / "page.html")
    one = read_record(path)["sections"][0]["systems"][0]
    assert (
        len(one["drawn"]) < 1500 < len(one["tp"]) < one["thresholds"] / 4
        and 0 < one["bound"] <= 0.016
    )
    assert path.stat().st_size < 200_000
    # What is there is exact.
    for i in range(0, len(one["tp"]), 50):
        point = curve.at(threshold=numbers(one["threshold"])[i])
        assert (point.tp, point.fp) == (numbers(one["tp"])[i], numbers(one["fp"])[i])
    best = curve.max_f()
    assert numbers(one["threshold"])[one["start"]] == best.threshold
    note = PointsLeftOut("", ("score",), (len(one["tp"]),), (one["thresholds"] + 1,), one["bound"])
    assert shown(path.read_text(), note)


@pytest.mark.nightly
def test_ten_systems_and_250_topics_are_small_and_quick():
    rng = np.random.default_rng(0)
    topics = [f"query-{i}" for i in range(250)]
    qrels = pc.read_qrels(
        {topic: {f"d{j}": 1 for j in range(int(rng.integers(3, 60)))} for topic in topics}
    )
    runs = [
        pc.read_run(
            {
                topic: dict(zip([f"d{j}" for j in range(100)], rng.normal(size=100), strict=True))
                for topic in topics
            },
            name=f"system {i}",
        )
        for i in range(10)
    ]
    report = pc.evaluate(qrels, {one.name: one for one in runs}, ["AP", "P@10", "nDCG@10"])
    pairs = pc.compare(report, rng=0, resamples=500)
    parts = [(topics, pc.locate(qrels, one).hits()) for one in runs]
    # All that `precall report` adds: 11 points, intervals of the averages, a law.
    eleven = [eleven_points(one, 0.95) for _, one in parts]
    drawn = pc.null.test(pc.Hits.of([1, 2, 5], retrieved=60, relevant=9), "AP").combined
    laws = [law_of(runs[0].name, "AP among the items retrieved", drawn)]
    intervals = intervals_of_report(report, level=0.95, rng=0)

    def made():
        hits = replace(hits_of([(one[0], one[1]) for one in parts], topics), eleven=eleven)
        section, headline, notes = part_of(replace(report, intervals=intervals), pairs, hits, laws)
        return html(page(section, headline=headline, notes=notes))

    text, taken = timed(made)
    assert len(text.encode()) < 200_000
    assert taken < 2


@pytest.mark.parametrize(
    ("typed", "said"),
    [
        (["a.qrels", "b.run"], "--output: is missing; name the file of the page"),
        (["a.qrels", "-o", "x.html"], "QRELS and a RUN or more are needed"),
        (["--cases", "a.csv", "-o", "x.html"], "--label COLUMN and --score COLUMN belong together"),
        (["a.csv", "--score", "s", "-o", "x.html"], "--score COLUMN belong together; give both"),
        (
            ["--cases", "a.csv", "b", "--label", "y", "--score", "s"],
            "of one FILE, got 2 files; name one",
        ),
        (
            ["a.csv", "--label", "y", "--score", "s", "--truth", "t", "--scores", "p*"],
            "leave out one of the two",
        ),
        (["--truth", "t", "a.csv", "-o", "x"], "belong together"),
        (
            ["a.qrels", "b.run", "--label", "y", "--score", "s", "-o", "x"],
            "--label and --score name columns of one FILE, got 2",
        ),
        (["a.qrels", "b.run", "--format", "json", "-o", "x"], "--format: applies to --from"),
        (["--from", "x.html", "a.qrels"], "leave the inputs out"),
        (["a.qrels", "b.run", "--policy", "rank:1", "-o", "x"], "applies to scores of categories"),
        (
            [
                "--cases",
                "a.csv",
                "--label",
                "y",
                "--score",
                "s",
                "--correction",
                "tukey",
                "-o",
                "x",
            ],
            "applies to runs",
        ),
        (
            ["--from", str(Path(__file__).with_name("conftest.py"))],
            "no record in it; name a page that precall",
        ),
        (["--from", "/nonexistent.html"], "check the path"),
        (["a.qrels", "b.run", "-o", "/nonexistent/x.html"], "there is no directory"),
    ],
)
def test_errors_say_what_to_do(asked, typed, said):
    code, out, err = asked(*typed)
    assert code == 2 and out == "" and said in err


def test_damaged_and_later_records(tmp_path, asked):
    path = tmp_path / "page.html"
    for inside, said in (
        ("{", "damaged"),
        (embed({"format": "precall.page/9"}), "reads 'precall.page/1', 'precall.page/2'"),
    ):
        path.write_text(f'<script type="application/json" id="record">{inside}</script>')
        code, _, err = asked("--from", path)
        assert code == 2 and said in err


def test_what_has_no_page(tmp_path):
    with pytest.raises(pc.UsageError, match=r"report: got int, allowed are a Report"):
        pc.report(3, tmp_path / "x.html")
    with pytest.raises(pc.UsageError, match="the list is empty"):
        pc.report([], tmp_path / "x.html")
    with pytest.raises(FileNotFoundError):
        pc.report(pc.curve([1, 0], [2.0, 1.0]), tmp_path / "none" / "x.html")


def test_a_failed_page_leaves_the_old_one(tmp_path, monkeypatch):
    from precall.page import document

    path = tmp_path / "x.html"
    path.write_text("old")
    monkeypatch.setattr(document, "html", lambda page: 1 / 0)
    with warnings.catch_warnings(), pytest.raises(ZeroDivisionError):
        warnings.simplefilter("ignore", pc.PrecallWarning)
        pc.report(pc.curve([1, 0], [2.0, 1.0]), path)
    assert path.read_text() == "old" and list(tmp_path.iterdir()) == [path]


def test_pages_of_the_first_format_are_read(tmp_path):
    """Their notes, headlines and p were sentences, which are taken apart once."""
    law = {
        "system": "a",
        "measure": "AP",
        "observed": 0.9,
        "chance": 0.5,
        "deviation": 0.2,
        "p": 1e-9,
        "mass": False,
        "how": "p <= 1e-09 (series (two), upper bound)",
        "x": [0.1, 0.5, 0.9],
        "height": [1.0, 2.0, 1.0],
    }
    report = pc.evaluate({"q": {"d": 1, "e": 0}}, {"a": {"q": {"d": 1.0, "e": 0.5}}}, ["AP"])
    new = record_of(page(part_of(report).section, title="Old"))
    old = {
        **new,
        "sections": [new["sections"][0] | {"laws": [law]}],
        "format": "precall.page/1",
        "warnings": ["a: 3 topics are few"],
        "headline": [
            "Failed: AP of a is worse than that of b.",
            "a is best by AP (1.0000, 1 topic); better than b.",
            "a; b",
        ],
    }
    del old["notes"]
    path = tmp_path / "old.html"
    path.write_text(
        f'<html><script type="application/json" id="record">{embed(old)}</script></html>'
    )
    found = read_record(path)
    assert (
        found["format"] == "precall.page/2"
        and [note["text"] for note in found["notes"]] == old["warnings"]
    )
    assert [sentence["lead"] for sentence in found["headline"]] == [
        "Failed",
        "a is best by AP (1.0000, 1 topic)",
        "a",
    ]
    assert [sentence["text"] for sentence in found["headline"]] == old["headline"]
    text = html(page_from(found))
    assert '<strong class="loss">Failed</strong>: AP of a' in text
    assert "<td>&lt;= 1e-09<td class=words>series (two), upper bound" in text
    assert "p &lt;= 1e-09 (series (two), upper bound)." in text


def test_a_record_that_was_printed_is_read(runs, tmp_path, asked):
    """It was refused as no page."""
    printed, again = tmp_path / "record.json", tmp_path / "again.html"
    assert asked("--from", runs.path, "--format", "json", "-o", printed)[0] == 0
    assert asked("--from", printed) == asked("--from", runs.path)
    assert asked("--from", printed, "-o", again)[0] == 0
    assert again.read_bytes() == Path(runs.path).read_bytes()
    with_mark = tmp_path / "mark.json"
    with_mark.write_text(printed.read_text(encoding="utf-8"), encoding="utf-8-sig")
    assert read_record(with_mark)["sections"] == read_record(printed)["sections"]


def test_pages_and_records_of_standard_input(runs, tmp_path, asked, monkeypatch):
    """A dash was the name of a file."""
    expected = asked("--from", runs.path)
    for name, said in (("x.html", ""), ("x.txt", "standard input: there is no record in it")):
        given = tmp_path / name
        given.write_bytes(b"no page" if said else Path(runs.path).read_bytes())
        with given.open(encoding="utf-8") as stream:
            monkeypatch.setattr("sys.stdin", stream)
            found = asked("--from", "-")
        assert (said in found[2] and found[0] == 2) if said else found == expected


def test_what_has_no_record_says_what_to_do(runs, tmp_path, asked):
    fragment = tmp_path / "fragment.html"
    result, other, later = (tmp_path / f"{name}.json" for name in ("result", "other", "later"))
    fragment.write_text(runs.report._repr_html_(), encoding="utf-8")
    runs.report.save(result)
    other.write_text('{"a": 1}', encoding="utf-8")
    later.write_text('{"format": "precall.page/9"}', encoding="utf-8")
    for path, said in (
        (fragment, "a view of a result, which has no record; write the page with precall report"),
        (result, "a result, of the format 'precall.report/2', and no page; its numbers are in it"),
        (other, "there is no record in it; name a page"),
        (later, "this version reads 'precall.page/1', 'precall.page/2'"),
    ):
        code, out, err = asked("--from", path)
        assert code == 2 and out == "" and said in err
