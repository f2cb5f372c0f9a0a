"""The picture of people alone, judge alone and corrected: in Python, on pages, by the command."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import precall as pc
from precall.cli.main import run
from precall.core.notes import collect_notes
from precall.page.record import read_page
from precall.page.sections import Tables
from tests.judges.test_means import _collection
from tests.peers import peer

peer("matplotlib")


@pytest.fixture(scope="module")
def found() -> Any:
    people, judge, runs = _collection()
    with collect_notes():
        return pc.judge(people, judge, runs, ["P@5", "AP"], topics="qrels", unjudged="judge")


def test_it_draws_the_numbers(found: Any) -> None:
    display = found.plot("AP")
    order = sorted(found.runs, key=lambda name: -found[name, "AP"].estimate)
    assert [label.get_text() for label in display.ax_.get_yticklabels()] == order
    values = [found[name, "AP"] for name in order]
    drawn = {name: line.get_xdata().tolist() for name, line in display.lines_.items()}
    assert drawn == {
        "corrected": [value.estimate for value in values],
        "people alone": [value.people_alone.estimate for value in values],
        "judge alone": [value.judge_alone for value in values],
    }
    ends = [
        tuple(path.vertices[:, 0].tolist())
        for group in display.ax_.collections
        for path in group.get_paths()
    ]
    assert ends == [
        *(value.ends for value in values),
        *(value.people_alone.ends for value in values),
    ]


def test_a_value_alone_has_a_picture(found: Any) -> None:
    display = found["first", "P@5"].plot(title="first")
    assert display.ax_.get_title("left") == "first"
    assert [line.get_xdata().tolist() for line in display.lines_.values()][2] == [
        found["first", "P@5"].judge_alone
    ]


def test_a_measure_that_is_not_there_is_refused(found: Any) -> None:
    with pytest.raises(pc.UsageError, match="P@5"):
        found.plot("nDCG")


@pytest.mark.parametrize(
    ("call", "match"),
    [
        (lambda: pc.plot.PeopleAndJudge({}), "values"),
        (lambda: pc.plot.PeopleAndJudge({"a": 0.5}), "what pc.judge"),  # type: ignore[dict-item]
        (lambda: pc.plot.PeopleAndJudge.from_judged(0.5), "what pc.judge"),  # type: ignore[arg-type]
    ],
)
def test_what_cannot_be_drawn_is_refused(call: Any, match: str) -> None:
    with pytest.raises(pc.UsageError, match=match):
        call()


def test_the_page_has_the_same_and_reads_it_back(found: Any, tmp_path: Path) -> None:
    found.save(tmp_path / "x.html")
    page = read_page(tmp_path / "x.html")
    (section,) = page.sections
    assert isinstance(section, Tables)
    assert section.labelled is not None
    first, second = section.labelled
    assert (first.measure, second.measure) == ("P@5", "AP")
    value = found[first.systems[0], "P@5"]
    assert (first.corrected[0], first.low[0], first.high[0]) == (value.estimate, *value.ends)
    assert first.judge[0] == value.judge_alone
    assert np.all(np.diff(first.corrected) <= 0)
    text = (tmp_path / "x.html").read_text(encoding="utf-8")
    assert text.count("<svg") == 2
    pc.report(found, tmp_path / "y.html")
    assert (tmp_path / "y.html").read_text(encoding="utf-8").count("<svg") == 2
    assert found._repr_html_().count("<svg") == 1
    assert found["first", "P@5"]._repr_html_().count("<svg") == 1


def test_the_command_draws_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    people, judge, runs = _collection()
    for name, labels in (("people", people), ("judge", judge)):
        rows = [f"{t} 0 {i} {g}\n" for t, items in labels.items() for i, g in items.items()]
        Path(f"{name}.qrels").write_text("".join(rows), encoding="utf-8")
    rows = [f"{t} Q0 {i} 1 {s} x\n" for t, items in runs["first"].items() for i, s in items.items()]
    Path("first.run").write_text("".join(rows), encoding="utf-8")
    line = ["judge", "people.qrels", "judge.qrels", "first.run", "-m", "P@5", "--plot", "x.svg"]
    assert run(line) == 0
    assert "people alone" in Path("x.svg").read_text(encoding="utf-8")
    assert "first" in capsys.readouterr().out
    assert run([*line, "--width", "0.1"]) == 2
    assert "--plot" in capsys.readouterr().err
