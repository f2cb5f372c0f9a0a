"""`pc.compare.plan`: what `precall power` prints, in Python, and every form of it."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

import precall as pc
from precall.cli.main import run

QRELS = {f"q{i}": {"x": 1} for i in range(12)}
RUNS = {
    "a": {f"q{i}": {"x": 2.0, "y": 1.0} for i in range(12)},
    "b": {f"q{i}": {"x": 1.0, "y": 2.0 * (i % 3 > 0)} for i in range(12)},
}


def test_what_is_not_given_is_computed() -> None:
    power = pc.compare.power
    found = pc.compare.plan(
        difference=0.03, deviation=0.1, topics=50, width=0.05, power=0.9, level=0.9
    )
    assert found.designs["paired t test"] == {
        "deviation": 0.1,
        "width": 0.05,
        "topics for the width": power.topics_for_interval(0.05, 0.01, 0.9),
        "difference": 0.03,
        "topics needed": power.topics(0.03, 0.1, 0.9, 0.9),
        "topics": 50,
        "least difference detected": power.detectable(50, 0.1, 0.9, 0.9),
        "power": power.of_t(50, 0.03, 0.1, 0.9),
    }
    found = pc.compare.plan(systems=10, variance=0.05, difference=0.1)
    assert found.designs["analysis of variance"]["topics needed"] == 158 and found.seed is None
    assert (
        pc.compare.plan(only_a=0.15, only_b=0.05).designs["McNemar's test"]["items needed"] == 168
    )


def test_a_pilot_says_what_the_deviation_is() -> None:
    report = pc.evaluate(QRELS, RUNS, ["AP", "RR"])
    found = pc.compare.plan(report, difference=0.1, rng=3)
    assert list(found.designs) == ["AP", "RR"] and found.seed == 3
    apart = report.runs[0].values[0] - report.runs[1].values[0]
    assert found.designs["AP"]["deviation"] == pytest.approx(np.std(apart, ddof=1))
    again = pc.compare.plan(QRELS, RUNS, ["AP"], difference=0.1, rng=3)
    assert dict(again.designs["AP"]) == dict(found.designs["AP"])
    other = pc.compare.plan(QRELS, RUNS, difference=0.1, rng=4)
    assert other.designs["AP"]["topics needed"] == again.designs["AP"]["topics needed"]


def test_every_form() -> None:
    found = pc.compare.plan(difference=0.02, deviation=0.1)
    assert "topics needed     199" in str(found) and str(found) == str(found.sheet())
    assert json.loads(found.to_json()) == found.to_dict()
    assert found.to_dict()["designs"] == {"paired t test": dict(found.designs["paired t test"])}
    assert "precall.power/2,paired t test,topics needed,199" in found.to_csv()
    assert found.to_pandas()["quantity"].tolist() == list(found.designs["paired t test"])
    assert "| topics needed | 199 |" in found.to_markdown() and "199" in found.to_latex()


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({}, "give deviation=, or QRELS and two runs"),
        ({"deviation": 1.0}, "give a target: difference=, topics= or width="),
        ({"only_a": 0.1}, "only_a= and only_b= belong together"),
        ({"systems": 3}, "systems= needs variance="),
        (
            {"deviation": 1.0, "difference": 1.0, "only_b": 0.1},
            "leave difference= and deviation= out",
        ),
        (
            {"deviation": 1.0, "difference": 1.0, "power": 1.0},
            "power: must be a number between 0 and 1",
        ),
        ({"deviation": 1.0, "difference": 1.0, "level": 0}, "level: must be"),
        ({"deviation": 1.0, "difference": 1.0, "rng": -1}, "rng: must be a seed"),
        ({"deviation": 1.0, "difference": 1.0, "seed": 1}, "it is called rng here"),
        ({"report": QRELS, "runs": {"a": RUNS["a"]}}, "a pilot needs two runs, got a"),
        (
            {"report": QRELS, "runs": {**RUNS, "c": RUNS["a"]}},
            "a pilot needs two runs, got a, b, c; plan each pair by itself",
        ),
    ],
)
def test_what_is_no_plan_is_refused(given: dict, said: str) -> None:
    with pytest.raises(pc.UsageError, match=said):
        pc.compare.plan(**given)


@pytest.mark.parametrize(
    ("given", "title", "facts"),
    [
        (
            {"only_a": 0.05, "only_b": 0.05, "margin": 0.05, "prevalence": 0.2},
            "Tango's test",
            {"items needed": 339, "patients needed": 1695},
        ),
        (
            {"proportion": 0.9, "lowest": 0.8, "prevalence": 0.1, "cases": 112},
            "Wilson's interval",
            {"cases needed": 112, "patients needed": 1120, "power": 0.8506},
        ),
        ({"proportion": 0.9, "width": 0.1}, "Wilson's interval", {"cases for the width": 139}),
        (
            {"area": 0.73, "power": 0.95, "ratio": 1.7},
            "area under ROC",
            {"relevant cases needed": 29, "pROC's relevant cases, for ratings": 30},
        ),
        (
            {"area": 0.85, "than": 0.85, "margin": 0.1, "prevalence": 0.5, "cases": 100},
            "area under ROC",
            {"relevant cases needed": 59, "other cases needed": 59, "power": 0.9594},
        ),
    ],
)
def test_studies_of_accuracy(given: dict, title: str, facts: dict) -> None:
    found = pc.compare.plan(**given).designs[title]
    assert {name: found[name] for name in facts} == pytest.approx(facts, abs=1e-4)


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"proportion": 0.9}, "proportion: needs a target"),
        ({"proportion": 0.9, "width": 0.1, "cases": 9}, "cases: needs lowest="),
        ({"area": 0.9, "margin": 0.1}, "than="),
        ({"area": 0.9, "than": 0.8, "lowest": 0.5}, "lowest: is of one area"),
        ({"area": 0.9, "ratio": 2, "prevalence": 0.3}, "ratio: prevalence= says"),
        ({"area": 0.9, "topics": 9}, "leave topics= out"),
        ({"screen": "R", "prevalence": 0.1, "area": 0.7, "margin": 0.1}, "leave margin= out"),
        ({"screen": "R", "prevalence": 0.1, "area": 0.7, "odds": 3}, "got 2 of them"),
        ({"screen": "X", "prevalence": 0.1, "area": 0.7}, "screen: got 'X'"),
        ({"screen": "R", "prevalence": 0.1, "area": 0.7, "read": 5}, "read: must be in"),
        ({"screen": "AP", "prevalence": 0.1, "area": 0.7, "read": 0.1}, "read: AP reads"),
        ({"screen": "R", "prevalence": 0.1, "area": 0.5001}, "20,000 relevant items"),
    ],
)
def test_studies_that_are_no_plan(given: dict, said: str) -> None:
    with pytest.raises(pc.UsageError, match=said):
        pc.compare.plan(**given)


def test_a_plan_from_a_pilot_names_its_test() -> None:
    """It named the measure only, and so it was open what the topics are needed for."""
    found = pc.compare.plan(QRELS, RUNS, ["AP"], difference=0.1)
    assert str(found).startswith("AP, paired t test: ")


def test_rows_that_are_there_twice(tmp_path: Path) -> None:
    """The error named `duplicates=`, and `--duplicates`, which plans did not have."""
    rows = [
        f"q{i} Q0 {item} 1 {2 - place} x\n" for i in range(6) for place, item in enumerate("ab")
    ]
    files = [tmp_path / name for name in ("q.txt", "one.run", "two.run")]
    files[0].write_text("".join(f"q{i} 0 a 1\n" for i in range(6)), "utf-8")
    files[1].write_text("".join(rows), "utf-8")
    others = [row.replace(" 2 x", " 0 x") if "q1" in row else row for row in rows]
    files[2].write_text("".join([*others, others[0]]), "utf-8")
    qrels, *runs = map(str, files)
    with pytest.raises(pc.DataError, match='duplicates="first"'):
        pc.compare.plan(qrels, runs, difference=0.1)
    assert pc.compare.plan(qrels, runs, difference=0.1, duplicates="first").designs
    assert run(["power", qrels, *runs, "--difference", ".1", "--duplicates", "first"]) == 0
    report = pc.evaluate(qrels, runs, ["AP"], duplicates="first")
    for given in (report, None):
        with pytest.raises(pc.UsageError) as refused:
            pc.compare.plan(given, difference=0.1, deviation=0.1, duplicates="first")
        assert refused.value.argument == "duplicates"


@pytest.mark.parametrize(
    ("line", "option"),
    [
        ("--proportion 1.2 --lowest .5", "--proportion"),
        ("--area 1 --lowest .8", "--area"),
        ("--area 2 --than .8", "--area"),
        ("--area .9 --than 2", "--than"),
        ("--screen P@10 --prevalence .01 --separation .5", "--screen"),
    ],
)
def test_the_command_names_its_options(
    line: str, option: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """It named the arguments of the functions below it, such as `expected`."""
    assert run(["power", *line.split()]) == 2
    assert f"{option}: " in capsys.readouterr().err


def test_a_screen_by_another_spelling_of_its_measure() -> None:
    """ "ap" was planned by simulation, but the plan had a share that is read, and no seed."""
    plan = pc.compare.plan(screen="ap", prevalence=0.1, area=0.9, items=100)
    assert plan == pc.compare.plan(screen="AP", prevalence=0.1, area=0.9, items=100)
    assert plan.seed == 0 and "read" not in plan.designs["screen"]
