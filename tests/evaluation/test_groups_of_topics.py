"""Groups of topics: a report of each, with intervals and comparisons."""

from __future__ import annotations

import csv
import io
import json
import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import precall as pc
from precall.cli.main import run
from precall.core.errors import DataError, UsageError
from precall.core.notes.of_comparisons import CorrectionOverGroups
from precall.core.notes.of_intervals import UndefinedIntervalWarning
from precall.core.notes.of_runs import NoGroup
from precall.stats.tests.comparisons import adjust
from tests.noticed import noticed

RNG = np.random.default_rng(3)
TOPICS = [f"q{number}" for number in range(30)]
QRELS = {topic: {f"d{i}": int(i < 3) for i in range(9)} for topic in TOPICS}
RUNS = {
    name: {topic: {f"d{i}": RNG.normal() + shift * (i < 3) for i in range(9)} for topic in TOPICS}
    for name, shift in (("a", 0.5), ("b", 1.5))
}
BY = {topic: "even" if int(topic[1:]) % 2 == 0 else "odd" for topic in TOPICS}
MEASURES = ["AP", "P@3", "RR", "GMAP", "NumRet"]


def test_each_group_is_what_its_topics_alone_give() -> None:
    report = pc.evaluate(QRELS, RUNS, MEASURES, by=BY)
    assert list(report.groups) == ["even", "odd"]
    for name, part in report.groups.items():
        alone = pc.evaluate(
            {topic: QRELS[topic] for topic in TOPICS if BY[topic] == name}, RUNS, MEASURES
        )
        assert dict(part.mean) == pytest.approx(dict(alone.mean))
        assert part.runs[0].topics == alone.runs[0].topics
        assert part.conventions["group"] == name
    assert dict(report.mean) == dict(pc.evaluate(QRELS, RUNS, MEASURES).mean)


def test_groups_have_intervals_and_comparisons() -> None:
    report = pc.evaluate(QRELS, RUNS, ["AP"], by=BY, interval=True)
    part = report.groups["odd"]
    assert part.intervals is not None
    of_values = pc.interval.mean([*part.values_by_run("AP")["a"].values()], range=(0, 1))
    assert part.intervals["a", "AP"].ends == of_values.ends
    found = pc.compare(part)
    assert found.pairs[0].wins + found.pairs[0].ties + found.pairs[0].losses == 15


def test_undefined_values_count_as_in_the_whole() -> None:
    qrels = {"x": {"a": 1}, "y": {"a": 0}}
    ranked = {"x": {"a": 1.0}, "y": {"a": 1.0}}
    by = {"x": "g", "y": "g"}
    assert pc.evaluate(qrels, ranked, "AP", by=by).groups["g"].mean["AP"] == 0.5
    omitted = pc.evaluate(qrels, ranked, "AP", by=by, undefined="omit")
    assert omitted.groups["g"].mean["AP"] == 1


def test_topics_without_a_group_are_told() -> None:
    report = pc.evaluate(QRELS, RUNS["a"], "AP", by={topic: BY[topic] for topic in TOPICS[:20]})
    (note,) = noticed(report, NoGroup)
    assert (note.without, note.total) == (10, 30)
    assert sum(part.runs[0].counts.topics for part in report.groups.values()) == 20


@pytest.mark.parametrize(
    "by",
    [
        {},
        {"q1": "g", "zz": "h"},
        ["g"],
        {"nobody": "g"},
        {"q1": float("nan")},
        {"q1": None},
        {"q1": ""},
        {"q1": ["g"]},
    ],
)
def test_groups_that_are_refused(by: Any) -> None:
    if by == {"q1": "g", "zz": "h"}:  # topics that are not averaged may have a group
        assert list(pc.evaluate(QRELS, RUNS["a"], "AP", by=by).groups) == ["g"]
        return
    with pytest.raises((UsageError, DataError)):
        pc.evaluate(QRELS, RUNS["a"], "AP", by=by)


def test_forms() -> None:
    report = pc.evaluate(QRELS, RUNS, ["AP", "RR"], by=BY)
    text = str(report)
    assert text.index("even") < text.index("odd")
    data = json.loads(report.to_json())
    assert data["groups"]["odd"][1]["mean"]["AP"] == report.groups["odd"].mean["b", "AP"]
    rows = list(csv.DictReader(io.StringIO(report.to_csv())))
    of_odd = {
        (row["run"], row["measure"]): float(row["value"]) for row in rows if row["group"] == "odd"
    }
    assert of_odd == dict(report.groups["odd"].mean)
    assert sum(not row["group"] for row in rows) == 4


def test_pages_and_tables_for_papers_have_groups(tmp_path: Path) -> None:
    """They left groups out, and nothing said so: printed tables, JSON and CSV had been tried."""
    report = pc.evaluate(QRELS, RUNS, ["AP"], by=BY)
    pc.report(report, tmp_path / "page.html")
    page = (tmp_path / "page.html").read_text(encoding="utf-8")
    for text in (report.to_markdown(), report.to_latex(), report.to_html(), page):
        assert all(re.search(rf"(^|\W){name}\W", text, re.MULTILINE) for name in BY.values())
    alone = report.groups["odd"]
    assert "even" not in alone.to_markdown()


THREE = {**RUNS, "c": RUNS["a"] | {"q0": RUNS["b"]["q0"]}}


@pytest.mark.parametrize("runs", [RUNS, THREE], ids=["two systems", "three systems"])
@pytest.mark.parametrize("correction", ["holm", "bh", "none", "tukey"])
def test_groups_are_compared_as_their_reports_are(runs: dict[str, Any], correction: str) -> None:
    """But for p, which is adjusted for the pairs of all groups; Tukey's is of each group."""
    found = pc.compare(QRELS, runs, ["AP", "RR"], by=BY, correction=correction)
    report = pc.evaluate(QRELS, runs, ["AP", "RR"], by=BY)
    assert pc.compare(report, correction=correction).groups == found.groups
    assert [*found.groups] == ["even", "odd"]
    for name, part in report.groups.items():
        alone = pc.compare(part, correction="tukey" if correction == "tukey" else "none")
        for pair, other in zip(found.groups[name].pairs, alone.pairs, strict=True):
            assert (pair.p, pair.low, pair.high, pair.size) == (
                other.p,
                other.low,
                other.high,
                15,
            )
    for measure in ("AP", "RR"):
        pairs = [pair for each in found.groups.values() for pair in each.families[measure]]
        if correction not in ("none", "tukey"):
            wanted = adjust([pair.p for pair in pairs], correction).tolist()
            assert [pair.adjusted for pair in pairs] == wanted
        assert {pair.correction for pair in pairs} == {correction} or len(runs) == 2
    for each in found.groups.values():
        for measure, letters in each.letters.items():
            for pair in each.families[measure]:
                shared = {*letters[pair.names[0]]} & {*letters[pair.names[1]]}
                assert bool(shared) != pair.significant
    (note,) = noticed(found, CorrectionOverGroups)
    assert (note.groups, note.pairs) == (2, 2 * len(found.families["AP"]))
    assert not noticed(pc.compare(QRELS, runs, "AP"), CorrectionOverGroups)


def test_pages_and_papers_have_compared_groups(tmp_path: Path) -> None:
    found = pc.compare(QRELS, THREE, ["AP"], by=BY)
    found.save(tmp_path / "page.html")
    page = (tmp_path / "page.html").read_text(encoding="utf-8")
    for text in (str(found), found.to_markdown(), found.to_latex(), found.to_html(), page):
        assert all(re.search(rf"(^|\W){name}\W", text, re.MULTILINE) for name in BY.values())
    rows = [*csv.DictReader(io.StringIO(found.to_csv()))]
    assert [row["group"] for row in rows] == [""] * 3 + ["even"] * 3 + ["odd"] * 3
    assert "group" not in pc.compare(QRELS, THREE, ["AP"]).to_csv().split("\n")[0].split(",")


def test_groups_mark_systems_that_differ_from_the_baseline() -> None:
    """Groups had letters only, so against a baseline nothing was marked."""
    found = pc.compare(QRELS, THREE, ["AP"], by=BY, baseline="a", correction="none")
    block = next(block for block in found.sheet().blocks if block.title.startswith("groups"))
    for line in block.lines:
        for name, mark in zip(block.heading[2:], line.marks[1:], strict=True):
            pair = next(
                (each for each in found.groups[line.name].pairs if each.names == (name, "a")), None
            )
            assert (mark == "*") == bool(pair and pair.significant)
    assert any("*" in line.marks for line in block.lines)


def test_numbers_for_logs_name_their_group() -> None:
    """Those of groups ended in `_2` and `_3`, whichever group that was."""
    report = pc.evaluate(QRELS, RUNS, ["AP"], by=BY)
    assert report.flat()["odd/a/ap"] == report.groups["odd"]["a", "AP"]
    found = pc.compare(report)
    assert found.flat()["odd/a/b/ap_p"] == found.groups["odd"].pairs[0].p


def _write_files() -> None:
    rows = [f"{q} 0 {d} {grade}\n" for q, of in QRELS.items() for d, grade in of.items()]
    Path("q.qrels").write_text("".join(rows))
    for name, ranked in RUNS.items():
        rows = [f"{q} Q0 {d} 1 {s!r} r\n" for q, of in ranked.items() for d, s in of.items()]
        Path(f"{name}.run").write_text("".join(rows))
    Path("by.txt").write_text("".join(f"{topic} {group}\n" for topic, group in BY.items()))


def test_the_command_compares_groups(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    _write_files()
    assert (
        run(
            [
                "compare",
                "q.qrels",
                "a.run",
                "b.run",
                "-m",
                "AP",
                "--by",
                "by.txt",
                "--format",
                "json",
            ]
        )
        == 0
    )
    told = json.loads(capsys.readouterr().out)
    pairs = pc.compare(QRELS, RUNS, ["AP"], by=BY).groups
    for name, each in pairs.items():
        assert told["groups"][name]["pairs"][0]["adjusted"] == each.pairs[0].adjusted
    assert run(["compare", "q.qrels", "a.run", "b.run", "--by", "by.txt", "-o", "x.html"]) == 0
    assert "even" in Path("x.html").read_text(encoding="utf-8")
    assert "groups of topics" in Path("x.html").read_text(encoding="utf-8")
    assert run(["compare", "q.qrels", "a.run", "b.run", "--by", "none.txt"]) == 2
    assert "none.txt" in capsys.readouterr().err


def test_the_command(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("q").write_text("q1 0 a 1\nq2 0 c 1\n")
    Path("r").write_text("q1 Q0 a 1 2 x\nq2 Q0 b 1 2 x\n")
    Path("g").write_text("q1\ten\n\nq2 de AT\n")
    assert run(["eval", "q", "r", "-m", "AP", "--by", "g"]) == 0
    shown = capsys.readouterr().out
    assert "de AT" in shown and "group" in shown
    assert run(["eval", "q", "r", "-m", "AP", "--by", "g", "--format", "json"]) == 0
    assert json.loads(capsys.readouterr().out)["groups"]["en"][0]["mean"]["AP"] == 1
    assert run(["eval", "q", "r", "-m", "AP", "--by", "g", "--format", "trec"]) == 2
    for text, words in (("q1\n", "without a group"), ("q1 a\nq1 b\n", "twice"), ("\n", "no topic")):
        Path("g").write_text(text)
        capsys.readouterr()
        assert run(["eval", "q", "r", "-m", "AP", "--by", "g"]) == 2
        assert words in capsys.readouterr().err


def test_pages_have_groups_with_intervals(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Pages of the command left groups out in silence, and those of Python their intervals: the
    test of a page looked for a word that its command line has as well.
    """
    monkeypatch.chdir(tmp_path)
    _write_files()
    command = ["eval", "q.qrels", "a.run", "-m", "RR", "--by", "by.txt", "--interval"]
    assert run([*command, "-o", "x.html"]) == 0
    report = pc.evaluate(QRELS, RUNS["a"], ["RR"], by=BY, interval=True)
    report.save("y.html")
    for group in report.groups.values():
        assert group.intervals is not None
        low, high = group.intervals["RR"].ends
        for page in ("x.html", "y.html"):
            assert f"[{low:.4f}, {high:.4f}]" in Path(page).read_text(encoding="utf-8")


def test_intervals_of_groups_have_their_notes() -> None:
    """A group of one topic had no interval, and nothing said why."""
    by = {topic: "one" if topic == "q0" else "others" for topic in TOPICS}
    with pytest.warns(UndefinedIntervalWarning):
        report = pc.evaluate(QRELS, RUNS, ["AP"], by=by, interval=True)
    told = [str(note) for note in report.notes()]
    part = report.groups["one"].intervals
    assert part is not None and part.notes
    assert {str(note.within("one")) for note in part.notes} <= set(told)
