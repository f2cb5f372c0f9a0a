"""`precall report --by FILE --topic-weights FILE` and `report.runs(..., by=, topic_weights=)`:
averages of groups of topics, and with weights, as those of `evaluate`.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import precall as pc
from precall.cli.main import run

TOPICS = [f"q{place}" for place in range(12)]
QRELS = {topic: {"a": 1, "b": place % 3} for place, topic in enumerate(TOPICS)}
RUNS = {
    name: {
        topic: {item: (place * k + at) % 7 for at, item in enumerate("xabyz")}
        for place, topic in enumerate(TOPICS)
    }
    for name, k in (("one", 3), ("two", 5))
}
BY = {topic: "long" if place % 2 else "short" for place, topic in enumerate(TOPICS)}


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    lines = [f"{t} 0 {d} {g}" for t, items in QRELS.items() for d, g in items.items()]
    Path("qrels").write_text("\n".join(lines) + "\n")
    for name, of_topics in RUNS.items():
        rows = [f"{t} Q0 {d} 1 {s} x" for t, items in of_topics.items() for d, s in items.items()]
        Path(f"{name}.run").write_text("\n".join(rows) + "\n")
    Path("by").write_text("".join(f"{topic}\t{group}\n" for topic, group in BY.items()))
    return tmp_path


@pytest.mark.filterwarnings("ignore::precall.PrecallWarning")
@pytest.mark.parametrize("door", ["command", "python"])
def test_a_page_has_the_averages_of_groups(door: str, folder: Path, capsys: Any) -> None:
    """Only pages of `eval --by` and `compare --by` had them."""
    if door == "command":
        asked = ["report", "qrels", "one.run", "two.run", "-m", "AP", "--by", "by"]
        assert run([*asked, "-o", "page.html"]) == 0
    else:
        pc.report.runs(QRELS, RUNS, "page.html", ["AP"], by=BY)
    capsys.readouterr()
    report = pc.evaluate(QRELS, RUNS, ["AP"], by=BY)
    assert run(["report", "--from", "page.html"]) == 0
    printed = capsys.readouterr().out
    for group, part in report.groups.items():
        for name in RUNS:
            of_group = f"{part[name, 'AP']:.4f}"
            assert any(
                line.split()[:3] == [group, name, of_group] for line in printed.splitlines()
            ), (group, name, of_group)


def test_groups_are_of_runs(folder: Path, capsys: Any) -> None:
    Path("x.csv").write_text("y,s\n1,2\n0,1\n")
    asked = ["report", "x.csv", "--label", "y", "--score", "s", "--by", "by", "-o", "page.html"]
    assert run(asked) == 2
    assert "--by: applies to runs" in capsys.readouterr().err
    with pytest.raises(pc.UsageError, match="by: must be"):
        pc.report.runs(QRELS, RUNS, "page.html", ["AP"], by=3)
    assert not Path("page.html").exists()


@pytest.mark.filterwarnings("ignore::precall.PrecallWarning")
@pytest.mark.parametrize("door", ["command", "python"])
def test_a_page_weighs_topics(door: str, folder: Path, capsys: Any) -> None:
    """`report` had no weights of topics, which `eval -o page.html` had."""
    weights = {topic: 1 + place for place, topic in enumerate(TOPICS)}
    if door == "command":
        Path("w.csv").write_text("".join(f"{topic},{w}\n" for topic, w in weights.items()))
        asked = ["report", "qrels", "one.run", "two.run", "-m", "AP", "--by", "by"]
        assert run([*asked, "--topic-weights", "w.csv", "-o", "page.html"]) == 0
    else:
        pc.report.runs(QRELS, RUNS, "page.html", ["AP"], by=BY, topic_weights=weights)
    capsys.readouterr()
    weighted = pc.evaluate(QRELS, RUNS, ["AP"], by=BY, topic_weights=weights)
    assert weighted["one", "AP"] != pc.evaluate(QRELS, RUNS, ["AP"])["one", "AP"]
    assert run(["report", "--from", "page.html"]) == 0
    rows = [line.split() for line in capsys.readouterr().out.splitlines()]
    for name in RUNS:
        assert any(row[:2] == [name, f"{weighted[name, 'AP']:.4f}"] for row in rows), name
        of_group = f"{weighted.groups['long'][name, 'AP']:.4f}"
        assert any(row[:3] == ["long", name, of_group] for row in rows), name
