"""Where run and qrels share topics and no item, the zeros are explained; and `print(report)` says
all that the command says.

Why the old tests missed it: they looked at runs and qrels without a common topic, which is an
error, and at the notes of the command, never at those of `print(report)` beside them.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

import precall as pc
from precall.cli.main import run as command
from precall.core.notes import sentences
from precall.core.notes.of_reading import NothingJudged
from precall.core.notes.of_runs import UnlikeTopics
from precall.read import large_runs
from tests.noticed import noticed, shown, warned

QRELS = {"q0": {}, "q1": {"d1": 1, "d2": 0}, "q2": {"d3": 1}}
RUN = {"q0": {"doc_9": 1.0}, "q1": {"doc_1": 2.0, "doc_2": 1.0}, "q2": {"doc_3": 1.0}}
SAID = NothingJudged("", "doc_1", "d1")


def written(folder: Path, qrels: Any, run: Any, name: str = "x.run") -> list[str]:
    lines = [
        f"{topic} 0 {item} {grade}"
        for topic, items in qrels.items()
        for item, grade in items.items()
    ]
    (folder / "qrels").write_text("\n".join(lines) + "\n", encoding="utf-8")
    lines = [
        f"{topic} Q0 {item} 0 {score} x"
        for topic, items in run.items()
        for item, score in items.items()
    ]
    (folder / name).write_text("\n".join(lines) + "\n", encoding="utf-8")
    return [str(folder / "qrels"), str(folder / name)]


def test_python_says_so() -> None:
    with pytest.warns(NothingJudged.warning) as caught:
        report = pc.evaluate(QRELS, RUN, ["AP", "nDCG@10"])
    assert [one.filename for one in caught] == [__file__]
    assert noticed(caught) == [SAID.within("run")] == noticed(report, NothingJudged)
    assert report.mean["AP"] == 0 and shown(str(report), SAID.within("run"))


def test_the_command_says_so_once(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    paths = written(tmp_path, QRELS, RUN)
    assert command(["eval", *paths, "-m", "AP"]) == 0
    told = capsys.readouterr()
    assert " ".join(told.out.split()).count(SAID.within("x")) == 1 and told.err == ""
    assert command(["eval", *paths, "-m", "AP", "--format", "json"]) == 0
    assert noticed(json.loads(capsys.readouterr().out)["runs"][0], NothingJudged) == [SAID]


def test_comparisons_say_so() -> None:
    runs = {"a": {"q1": {"d1": 1.0}, "q2": {"d3": 1.0}}, "b": {"q1": {"x": 1.0}, "q2": {"x": 1.0}}}
    with warned(NothingJudged) as told:
        found = pc.compare(QRELS, runs, "AP")
    assert told == [NothingJudged("", "x", "d1").within("b")] and shown(str(found), *told)


@pytest.mark.parametrize(
    "run", [{"q1": {"doc_1": 2.0, "d2": 1.0}, "q2": {"x": 1.0}}, {"q1": {}, "q2": {}}]
)
def test_one_judged_item_or_none_retrieved_is_no_mistake_of_ids(run: Any) -> None:
    assert not noticed(pc.evaluate(QRELS, run, ["AP"]), NothingJudged)


def test_the_report_says_all_that_the_command_says(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Runs over different topics, unjudged, missing, tied and undefined: each line of the command
    is one of the report.
    """
    qrels = {"q1": {"a": 1, "b": 0}, "q2": {"c": 1}, "q3": {"d": 0}, "q4": {"e": 1}}
    runs = {
        "x": {"q1": {"a": 1.0, "b": 1.0}, "q9": {"z": 1.0}},
        "y": {"q2": {"u": 2.0, "c": 1.0}, "q3": {"d": 1.0}},
    }
    paths = [written(tmp_path, qrels, run, f"{name}.run") for name, run in runs.items()]
    assert (
        command(["eval", paths[0][0], paths[0][1], paths[1][1], "-m", "AP", "-m", "RR", "--notes"])
        == 0
    )
    rest = " ".join(
        capsys.readouterr().out.partition("\n\n")[2].split()
    )  # what stands below the table
    report = pc.evaluate(paths[0][0], [one[1] for one in paths], ["AP", "RR"])
    told = sentences(report.notes(), "python")
    assert UnlikeTopics("") in told and "pass --topics qrels" in rest
    typed = sentences(report.notes(), "command")
    for note, line in zip((*told, report.signature), (*typed, report.signature), strict=True):
        assert note in " ".join(str(report.sheet(notes=True)).split()) and line in rest
        rest = rest.replace(line, "")
    assert not rest.strip()


DECIMAL = "the topic ids differ in a decimal point"


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("a.csv", "topic,item,score\n1.0,d,2\n"),
        ("a.tsv", "topic\titem\tscore\n1.0\td\t2\n"),
        ("a.run", "1.0 Q0 d 1 2 x\n"),
        ("a.jsonl", '{"topic": "1.0", "item": "d", "score": 2}\n'),
        ("a.json", '{"1.0": {"d": 2}}'),
    ],
)
def test_whole_numbers_with_a_decimal_point(name: str, text: str, tmp_path: Path) -> None:
    """Pandas writes them of a column with gaps; frames and Parquet have numbers, and need no
    advice.
    """
    path = tmp_path / name
    path.write_text(text, encoding="utf-8")
    with pytest.raises(pc.NoCommonTopic) as caught:
        pc.evaluate({"1": {"d": 1}}, path, ["AP"])
    assert caught.value.problems[0].remedy.startswith(DECIMAL)
    with pytest.raises(pc.NoCommonTopic) as caught:
        pc.evaluate({"1.0": {"d": 1}}, {"1": {"d": 1.0}}, ["AP"])
    assert caught.value.problems[0].remedy.startswith(DECIMAL)
    # A version is no number.
    with pytest.raises(pc.NoCommonTopic) as caught:
        pc.evaluate({"v1": {"d": 1}}, {"v1.0": {"d": 1.0}}, ["AP"])
    assert not caught.value.problems[0].remedy.startswith(DECIMAL)


def test_more_than_the_first_ids_are_compared(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What differs is said, also if the first item or the first topics are of another
    collection.
    """
    monkeypatch.setattr(large_runs, "BYTES", 40)
    qrels = {f"q{i}": {"D1": 1} for i in range(9)}
    run = {f"q{i}": {"other" if i < 4 else "d1": 1.0} for i in range(9)}
    path = tmp_path / "a.run"
    path.write_text(
        "".join(f"{topic} Q0 {item} 1 1 x\n" for topic, items in run.items() for item in items),
        encoding="utf-8",
    )
    remedies = set()
    for memory in (None, 1):
        with warned(NothingJudged) as told:
            pc.evaluate(qrels, path, ["AP"], memory=memory)
        remedies.add((told[0].retrieved, told[0].judged, told[0].remedy))
    assert len(remedies) == 1 and NothingJudged.remedy not in remedies.pop()
    with pytest.raises(pc.NoCommonTopic, match="capital letters"):
        pc.evaluate({"Q9": {"d": 1}}, {f"q{i}": {"d": 1.0} for i in range(10)}, ["AP"])


def test_zeros_before_numbers() -> None:
    """Programs that read ids as numbers lose them; the advice was to write ids alike."""
    with pytest.raises(pc.NoCommonTopic) as caught:
        pc.evaluate({"007": {"d": 1}}, {"7": {"d": 1.0}}, ["AP"])
    zeros = caught.value.problems[0].remedy
    assert "zeros before the number" in zeros
    with pytest.raises(pc.NoCommonTopic) as caught:
        pc.evaluate({"0": {"d": 1}}, {"00x": {"d": 1.0}}, ["AP"])
    assert caught.value.problems[0].remedy != zeros
    with warned(NothingJudged) as told:
        pc.evaluate({"q": {"010": 1, "0": 1}}, {"q": {"10": 1.0}}, ["AP"])
    assert "zeros before the number" in told[0].remedy
