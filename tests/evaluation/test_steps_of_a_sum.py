"""`precall explain MEASURE --on FILE`: the steps add up to the library's own number."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import precall as pc
from precall.core.errors import DataError, MeasureError
from precall.evaluation.steps import steps_of_curve, steps_of_run
from precall.evaluation.steps_sheet import draw_as_text, sheet_of_steps
from tests.cli.conftest import folder as folder
from tests.cli.conftest import precall as precall
from tests.peers import peer
from tests.release.schemas import problems

Run = Callable[..., Any]
#: The third and the fourth case have one score.
LABEL, SCORE = [1, 0, 1, 0, 1, 0, 0, 1], [9, 8, 7, 7, 5, 4, 3, 2]
CASES = ("--label", "y", "--score", "s")
OF_CASES = [
    "AP",
    "AP@5",
    "AP(norm=min)@3",
    "AP(norm=found)",
    "P@3",
    "R@4",
    "F@3",
    "F(beta=2)@30",
    "F(alpha=.3)@4",
    "RR",
    "RR@2",
    "AUC",
    "IAP",
    "Rprec",
]
OF_RUNS = [
    "AP",
    "AP@5",
    "P@3",
    "R@4",
    "F@3",
    "RR",
    "IAP",
    "Rprec",
    "AP(grade=2)",
    "DCG",
    "nDCG@3",
    "nDCG",
    "nDCG(gain=exp)@5",
]


@pytest.fixture
def cases(folder: Path) -> Path:
    rows = "".join(f"{y},{s}\n" for y, s in zip(LABEL, SCORE, strict=True))
    (folder / "cases.csv").write_text("y,s\n" + rows)
    return folder


@pytest.mark.parametrize("measure", OF_CASES)
def test_the_last_sum_is_the_value_of_the_curve(measure: str) -> None:
    rng = np.random.default_rng(44)
    for number in range(60):
        relevant = rng.integers(0, 2, 12)
        relevant[:2] = 0, 1
        score = rng.integers(0, (3, 8, 100)[number % 3], 12)
        curve = pc.curve(relevant, score, missed=number % 2)
        steps = steps_of_curve(curve, measure)
        assert steps.columns["sum"][-1] == steps.value == curve.value(measure)
        assert sum(steps.columns["term"]) == pytest.approx(steps.value, abs=1e-12)


@pytest.mark.parametrize("measure", OF_RUNS)
def test_the_last_sum_is_the_value_of_the_topic(measure: str) -> None:
    rng = np.random.default_rng(44)
    for _ in range(40):
        qrels = {"q": {item: int(rng.integers(0, 4)) for item in "abcdef"} | {"g": 3}}
        run = {"q": {item: float(rng.integers(0, 5)) for item in "abcdexyz"}, "r": {"a": 1.0}}
        steps = steps_of_run(qrels, run, "q", measure)
        (value,) = pc.evaluate(qrels, run, [measure]).runs[0].values[:, 0].tolist()
        assert steps.columns["sum"][-1] == steps.value == value
        assert len(steps) == (11 if measure == "IAP" else len(run["q"]))


@pytest.mark.parametrize(
    "name", ["alpha_nDCG", "alpha_DCG", "ERR_IA", "nERR_IA", "alpha_nDCG(alpha=.2)"]
)
def test_steps_of_judgements_by_subtopic(name: str) -> None:
    rng = np.random.default_rng(44)
    for _ in range(30):
        rows = [("q", s, item, int(rng.integers(0, 2))) for s in "123" for item in "abcdef"]
        rows.append(("q", "1", "g", 1))
        run = {"q": {item: float(rng.integers(0, 5)) for item in "abcdexyz"}, "r": {"a": 1.0}}
        steps = steps_of_run(rows, run, "q", f"{name}@5")
        (value,) = pc.evaluate(rows, run, [f"{name}@5"]).runs[0].values[:, 0].tolist()
        assert steps.columns["sum"][-1] == steps.value == value
        relevant = {item for *_, item, grade in rows if grade}
        each = zip(steps.columns["item"], steps.columns["subtopics"], strict=True)
        found = [item for item, subtopics in each if subtopics]
        assert set(found) == relevant & run["q"].keys()


def test_terms_are_those_of_the_definition() -> None:
    curve = pc.curve(LABEL, SCORE)
    steps = steps_of_curve(curve, "AP")
    # Four relevant cases; the third and fourth case are one step, with one hit of two.
    assert steps.columns["term"] == pytest.approx(
        [1 / 4, 0, 1 / 4 * 2 / 4, 1 / 4 * 3 / 5, 0, 0, 1 / 4 * 4 / 8]
    )
    assert steps.columns["rank"] == [1, 2, 4, 5, 6, 7, 8]
    assert steps.columns["cases"] == [1, 1, 2, 1, 1, 1, 1]
    # Pairs: 4 below the first; of the block 2 below and half of one; 2 below the fifth case.
    assert steps_of_curve(curve, "AUC").columns["pairs_won"] == [4, 0, 2.5, 2, 0, 0, 0]
    assert steps_of_curve(curve, "P@3").columns["term"] == pytest.approx(
        [1 / 3, 0, 1 / 2 / 3, 0, 0, 0, 0]
    )
    eleven = steps_of_curve(curve, "IAP").columns
    assert eleven["precision"] == pytest.approx([1] * 3 + [0.6] * 5 + [0.5] * 3)
    assert eleven["hits_needed"] == [0, 1, 1, 2, 2, 2, 3, 3, 4, 4, 4]


def test_the_area_of_the_picture_is_the_value() -> None:
    plot = pytest.importorskip("precall.plot")
    curve = pc.curve(LABEL, SCORE)
    for measure in ("AP", "AUC", "IAP"):
        steps = steps_of_curve(curve, measure)
        bars = steps.bars
        assert bars is not None
        drawn = plot.Rectangles(bars.left, bars.right, [bars.start, bars.end])
        assert drawn.area == pytest.approx(steps.value)


def test_rectangles_are_of_numbers() -> None:
    plot = pytest.importorskip("precall.plot")
    for given in (("x", [1], [1]), ([0], [1], object()), ([0], [1], [[1], [1], [1]])):
        with pytest.raises(pc.UsageError, match="must be"):
            plot.Rectangles(*given)
    with pytest.raises(pc.UsageError, match="the same length"):
        plot.Rectangles([0, 1], [1, 2], [1])


def test_the_picture_as_text() -> None:
    bars = steps_of_curve(pc.curve([1, 0, 1, 0], [4, 3, 2, 1]), "AP").bars
    assert bars is not None
    lines = draw_as_text(bars).splitlines()
    assert lines[0].strip() == "precision" and "recall" in lines[-1]
    heights = [
        sum(line[6 + column : 7 + column].strip() != "" for line in lines[1:11])
        for column in (0, 59)
    ]
    assert heights == [10, 7]
    # Rectangles beside each other do not look the same.
    assert lines[10][6] != lines[10][65]


@pytest.mark.parametrize("measure", OF_CASES)
def test_the_command_ends_in_the_number_of_curve(measure: str, cases: Path, precall: Run) -> None:
    found = precall("explain", measure, "--on", "cases.csv", *CASES, "--format", "json")
    assert found.code == 0, found.err
    document = json.loads(found.out)
    assert document["format"] == "precall.steps/2" and problems(document) == []
    printed = json.loads(
        precall("curve", "cases.csv", *CASES, "-m", measure, "--format", "json").out
    )
    values = {**printed["scores"]["s"]["areas"], **printed["scores"]["s"]["measures"]}
    (value,) = {values[name] for name in (document["measure"], measure) if name in values} or {
        pc.curve(LABEL, SCORE).value(measure)
    }
    assert document["value"] == document["steps"][-1]["sum"] == value


def test_a_topic_of_a_run(precall: Run) -> None:
    given = ("--on", "one.run", "--qrels", "news.qrels", "--topic", "q1")
    found = json.loads(precall("explain", "nDCG", *given, "--format", "json").out)
    report = pc.evaluate("news.qrels", "one.run", ["nDCG"])
    assert found["value"] == report.runs[0].values[0, 0]
    # Equal scores stand by id, greatest first.
    assert [step["item"] for step in found["steps"]] == ["b", "c", "a"]
    shown = precall("explain", "nDCG", *given).out
    assert shown.startswith(f"nDCG = {found['value']:.4f}. ") and "topic q1" in shown


def test_many_steps_are_shortened_but_not_in_data(cases: Path, precall: Run) -> None:
    rows = "".join(f"{int(i % 7 == 0)},{-i}\n" for i in range(500))
    Path("long.csv").write_text("y,s\n" + rows)
    given = ("explain", "AP", "--on", "long.csv", *CASES)
    shown = precall(*given).out
    assert "488 of 500 steps" in " ".join(shown.split())
    assert len(json.loads(precall(*given, "--format", "json").out)["steps"]) == 500
    table = list(csv.DictReader(io.StringIO(precall(*given, "--format", "csv").out)))
    assert len([row for row in table if row["rank"]]) == 500
    assert len(precall(*given, "--all").out.splitlines()) > 500
    for form in ("markdown", "latex", "html"):
        assert "488 of 500" in " ".join(precall(*given, "--format", form).out.split()), form


def test_a_block_stands_at_its_ranks(cases: Path, precall: Run) -> None:
    shown = precall("explain", "average precision", "--on", "cases.csv", *CASES).out
    assert any(line.split()[:4] == ["3-4", "7", "2", "1"] for line in shown.splitlines())
    assert shown.startswith("AP = 0.6500") and "█" in shown


def test_options_of_reading(cases: Path, precall: Run) -> None:
    rows = "".join(f"{'ny'[y]},{-s}\n" for y, s in zip(LABEL, SCORE, strict=True))
    Path("turned.csv").write_text("y,s\n" + rows)
    more = ("--positive", "y", "--lower-is-better", "--missed", "2")
    found = precall("explain", "AP", "--on", "turned.csv", *CASES, *more, "--format", "json")
    value = pc.curve(LABEL, SCORE, missed=2).value("AP")
    assert json.loads(found.out)["value"] == value


def test_a_picture_is_written(cases: Path, precall: Run) -> None:
    peer("matplotlib")
    given = ("--on", "cases.csv", *CASES, "--plot", "picture.svg")
    assert precall("explain", "AUC", *given).code == 0
    assert Path("picture.svg").read_text().startswith("<?xml")
    assert "AP, AUC, IAP" in precall("explain", "P@3", *given).err


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["Success@3", *CASES], "P@k, R@k"),
        (["nDCG", *CASES], "a run (--qrels)"),
        (["AUC(max_fpr=.2)", *CASES], "no steps are known for 'AUC(max_fpr=0.2)'"),
        (["AUC", "--qrels", "news.qrels", "--topic", "q1"], "cases (--label)"),
        (["AP", "--label", "y"], "--on: also needs --score"),
        (["AP"], "--on: also needs --label"),
        (["AP", "--topic", "q1"], "--on: also needs --qrels"),
        (["AP", *CASES, "--topic", "q1"], "--label: applies to scored cases"),
        (["cutoff", *CASES], "'cutoff' is no measure"),
        (["nonsense", *CASES], "no measure or word 'nonsense'"),
    ],
)
def test_what_has_no_steps(arguments: list[str], told: str, cases: Path, precall: Run) -> None:
    found = precall("explain", *arguments, "--on", "cases.csv")
    assert found.code == 2
    assert told in found.err


@pytest.mark.parametrize(
    "option", ["--label y", "--topic q1", "--all", "--missed 1", "--plot x.svg"]
)
def test_options_without_a_file(option: str, precall: Run) -> None:
    found = precall("explain", "AP", *option.split())
    assert found.code == 2 and f"{option.split()[0]}: applies to --on FILE" in found.err


def test_a_topic_that_is_not_there() -> None:
    with pytest.raises(DataError, match="got 'z', they have q;"):
        steps_of_run({"q": {"a": 1}}, {"q": {"a": 1.0}}, "z", "AP")


def test_what_is_undefined_has_no_steps() -> None:
    with pytest.raises(MeasureError, match="is undefined here"):
        steps_of_run({"q": {"a": 0}}, {"q": {"a": 1.0}}, "q", "AP")


def test_real_weights_have_no_ranks() -> None:
    curve = pc.curve([1, 0], [2, 1], weights=[0.5, 1.5])
    with pytest.raises(pc.UsageError, match="real weights"):
        steps_of_curve(curve, "AP")


def test_the_sheet_has_a_line_for_each_step() -> None:
    sheet = sheet_of_steps(steps_of_curve(pc.curve(LABEL, SCORE), "AP"), {}, rows=4)
    (block,) = sheet.blocks
    assert [line.name.strip() for line in block.lines] == ["1", "2", "...", "7", "8"]
    assert len(sheet.body["steps"]) == 7
