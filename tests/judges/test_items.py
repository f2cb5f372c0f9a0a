"""`pc.judge.items`: single labels written out anew, no bias, and what is refused and noted."""

from __future__ import annotations

import json
import math
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import precall as pc
from precall.cli import main
from precall.core.notes import collect_notes
from precall.core.notes.of_judges import JudgeTellsLittle, NotChosenAtRandom
from precall.stats.single_labels import FOLDS, corrected_labels
from tests.coverage import judge_items, judges
from tests.judges.test_means import _collection
from tests.noticed import noticed, warned
from tests.peers import peer

stats = peer("scipy.stats")


def _some(truth: Any, share: float = 0.4, seed: int = 5) -> dict[str, dict[str, int]]:
    """Single labels of topics, each with the same chance."""
    rng = np.random.default_rng(seed)
    drawn = {
        t: {d: g for d, g in items.items() if rng.random() < share} for t, items in truth.items()
    }
    return {topic: items for topic, items in drawn.items() if items}


def _first(run: Any, topic: str, depth: int = 5) -> list[str]:
    return sorted(run[topic], key=lambda d: (-run[topic][d], d))[:depth]


def _written_out(people: Any, judge: Any, runs: Any, chances: Any = None) -> dict[str, list[float]]:
    """P@5 of each topic of each run, item by item."""
    pool = [
        (topic, item)
        for topic in judge
        for item in dict.fromkeys(d for run in runs.values() for d in _first(run, topic))
    ]
    labelled = [(t, d) for t, d in pool if d in people.get(t, {})]
    share = len(labelled) / len(pool)

    def chance(topic: str, item: str) -> float:
        return share if chances is None else float(chances[topic][item])

    order = list(judge)
    values = {}
    for name, run in runs.items():
        values[name] = []
        for place, topic in enumerate(order):
            total = 0.0
            for item in _first(run, topic):
                said = judge[topic][item]
                others = [(t, d) for t, d in labelled if order.index(t) % FOLDS != place % FOLDS]
                weights = [1 / chance(t, d) for t, d in others]
                hits = [w * people[t][d] for w, (t, d) in zip(weights, others, strict=True)]
                same = [judge[t][d] == said for t, d in others]
                one = sum(weights) / len(others)
                ones = sum(h for h, is_same in zip(hits, same, strict=True) if is_same)
                all_ = sum(w for w, is_same in zip(weights, same, strict=True) if is_same)
                m = (ones + one * sum(hits) / sum(weights)) / (all_ + one)
                if item in people.get(topic, {}):
                    m += (people[topic][item] - m) / chance(topic, item)
                total += m / 5
            values[name].append(total)
    return values


def test_values_are_those_written_out() -> None:
    truth, judge, runs = _collection(30, 30)
    people = _some(truth)
    with collect_notes():
        found = pc.judge.items(people, judge, runs, "P@5", topics="qrels")
    wanted = _written_out(people, judge, runs)
    for name, values in wanted.items():
        value = found[name, "P@5"]
        error = np.std(values, ddof=1) / math.sqrt(30)
        half = stats.t.ppf(0.975, 29) * error
        assert value.estimate == pytest.approx(np.mean(values), abs=1e-12)
        assert value.standard_error == pytest.approx(error, abs=1e-12)
        assert value.low == pytest.approx(max(np.mean(values) - half, 0), abs=1e-12)
        assert value.high == pytest.approx(min(np.mean(values) + half, 1), abs=1e-12)
        own = [sum(judge[t][d] for d in _first(runs[name], t)) / 5 for t in judge]
        assert value.judge_alone == pytest.approx(np.mean(own), abs=1e-12)
        assert value.bias.estimate == pytest.approx(np.mean(own) - np.mean(values), abs=1e-12)
    (pair,) = found.pairs
    gaps = np.subtract(wanted["first"], wanted["second"])
    assert pair.difference == pytest.approx(gaps.mean(), abs=1e-12)
    assert pair.p == pytest.approx(stats.ttest_1samp(gaps, 0).pvalue, abs=1e-12)
    assert "items by people" in str(found)


def test_chances_that_differ_are_given() -> None:
    truth, judge, runs = _collection(30, 30)
    people = _some(truth)
    chances = {t: {d: 0.2 + 0.3 * judge[t][d] for d in items} for t, items in people.items()}
    with collect_notes():
        found = pc.judge.items(
            people, judge, runs["first"], "P@5", topics="qrels", probability=chances
        )
    (values,) = _written_out(people, judge, {"first": runs["first"]}, chances).values()
    assert found.estimate == pytest.approx(np.mean(values), abs=1e-12)
    for odd, match in (
        ({"q0": {"d0": 0.5}}, "has none"),
        ("often", "{topic: {item: p}}"),
        ([0.5], "one number"),
        (1.5, r"\(0, 1\]"),
        ({t: dict.fromkeys(of, 1.5) for t, of in people.items()}, r"\(0, 1\]"),
        ({t: dict.fromkeys(of, "often") for t, of in people.items()}, "probability"),
    ):
        with pytest.raises(pc.UsageError, match=match):
            pc.judge.items(people, judge, runs["first"], "P@5", probability=odd)


def test_one_number_is_the_chance_of_every_item() -> None:
    truth, judge, runs = _collection(30, 30)
    people = _some(truth)
    with collect_notes():
        by_number, by_item = (
            pc.judge.items(
                people, judge, runs["first"], "P@5", topics="qrels", probability=probability
            )
            for probability in (
                np.float32(0.5),
                {topic: dict.fromkeys(items, 0.5) for topic, items in people.items()},
            )
        )
    assert by_number.estimate == by_item.estimate
    assert (by_number.low, by_number.high) == (by_item.low, by_item.high)
    assert by_number.conventions["chosen"] == "with probability 0.5"


def test_all_labels_are_the_mean_of_people() -> None:
    truth, judge, runs = _collection(30, 30)
    with collect_notes():
        found = pc.judge.items(truth, judge, runs, ["P@5", "DCG@5", "RBP@5"])
    report = pc.evaluate(truth, runs, ["P@5", "DCG@5", "RBP@5"])
    for (run, measure), value in found.values.items():
        assert value.estimate == pytest.approx(report.mean[run, measure], abs=1e-12)


def test_a_judge_that_is_always_wrong_has_no_bias() -> None:
    rng = np.random.default_rng(3)
    topic = np.repeat(np.arange(40), 10)
    people = (rng.random(400) < 0.3).astype(float)
    judge = (1 - people).astype(np.int64)
    chance = np.where(judge, 0.2, 0.4)
    means = []
    for _ in range(600):
        seen = rng.random(400) < chance
        means.append(corrected_labels(np.where(seen, people, np.nan), judge, chance, topic).mean())
    assert abs(np.mean(means) - people.mean()) < 3 * np.std(means) / math.sqrt(600)


@pytest.mark.parametrize(
    "measure", ["AP", "nDCG@10", "R@5", "RR@5", "Success@5", "ERR@5", "P", "RBP"]
)
def test_measures_that_are_no_sums_are_refused(measure: str) -> None:
    truth, judge, runs = _collection(30, 30)
    with pytest.raises((pc.UsageError, pc.MeasureError)):
        pc.judge.items(_some(truth), judge, runs, measure)


def test_what_else_is_refused() -> None:
    truth, judge, runs = _collection(30, 30)
    with pytest.raises(pc.UsageError, match="20 items or more"):
        pc.judge.items({"q0": truth["q0"]}, judge, runs, "P@5")
    with pytest.raises(pc.UsageError, match="ties"):
        pc.judge.items(truth, judge, runs, "P@5", ties="expected")
    with pytest.raises(pc.UsageError, match="whole topics"):
        pc.judge.items(truth, judge, runs, "AP@5")
    # Single items of topics are led here.
    with pytest.raises(pc.UsageError, match="pc.judge.items"):
        pc.judge(_some(truth), judge, runs, "P@5")


def test_choices_and_judges_that_tell_little_are_noted() -> None:
    truth, judge, runs = _collection(60, 60)
    rng = np.random.default_rng(1)
    relevant = {
        t: {d: g for d, g in items.items() if judge[t][d] or rng.random() < 0.2}
        for t, items in truth.items()
    }
    with warned(NotChosenAtRandom):
        pc.judge.items(relevant, judge, runs["first"], "P@5")
    noise = {t: {d: int(rng.random() < 0.5) for d in items} for t, items in judge.items()}
    with collect_notes():
        found = pc.judge.items(_some(truth), noise, runs["first"], "P@5")
    assert noticed(found, JudgeTellsLittle)


def test_the_page_has_the_record_of_items() -> None:
    cells = json.loads(judge_items.RECORD.read_text(encoding="utf-8"))["cells"]
    assert [cell["name"] for cell in cells] == [each.name for each in judge_items.SITUATIONS]
    assert "\n".join(judge_items.table(cells)) in judges.PAGE.read_text(encoding="utf-8")
    for cell in cells:
        assert cell["held"]["corrected"] > 0.935
        assert abs(cell["off"]) < 0.004
        assert cell["width"]["corrected"] <= 1.02 * cell["width"]["people"]


@pytest.mark.nightly
def test_coverage_of_items_is_still_that_of_the_record() -> None:
    cells = json.loads(judge_items.RECORD.read_text(encoding="utf-8"))["cells"]
    for cell, situation in list(zip(cells, judge_items.SITUATIONS, strict=True))[::3]:
        held = judge_items.simulate(situation, 300)["held"]["corrected"]
        assert abs(held - cell["held"]["corrected"]) < 0.045


# --- Files and the command ---


@pytest.fixture
def files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> dict[str, dict[str, float]]:
    """Files of people, with a column of probabilities, of the judge and of a run."""
    monkeypatch.chdir(tmp_path)
    rng = np.random.default_rng(4)
    rows, said, ranked = ["topic,item,grade,probability"], [], []
    chances: dict[str, dict[str, float]] = {}
    for topic in range(30):
        for item in range(10):
            truth = int(rng.random() < 0.5)
            judge = truth if rng.random() < 0.85 else 1 - truth
            chance = 0.5 if judge else 0.2
            said.append(f"q{topic} 0 d{item} {judge}")
            ranked.append(f"q{topic} Q0 d{item} {item + 1} {10 - item} x")
            if rng.random() < chance:
                rows.append(f"q{topic},d{item},{truth},{chance}")
                chances.setdefault(f"q{topic}", {})[f"d{item}"] = chance
    for name, lines in (("label.csv", rows), ("llm.qrels", said), ("dense.run", ranked)):
        Path(name).write_text("\n".join(lines) + "\n", encoding="utf-8")
    return chances


def test_a_column_of_probabilities_counts_without_being_asked_for(
    files: dict[str, dict[str, float]],
) -> None:
    """The file that says how items were drawn gave the numbers of a choice of all alike."""
    asked: tuple[Any, ...] = ("llm.qrels", "dense.run", "P@5")
    found = pc.judge.items("label.csv", *asked)
    rows = [line.split(",") for line in Path("label.csv").read_text().splitlines()[1:]]
    people: dict[str, dict[str, int]] = {}
    for topic, item, grade, _ in rows:
        people.setdefault(topic, {})[item] = int(grade)
    assert found.estimate == pc.judge.items(people, *asked, probability=files).estimate
    with collect_notes():
        assert found.estimate != pc.judge.items(people, *asked).estimate
    frame = peer("pandas").read_csv("label.csv")
    assert pc.judge.items(frame, *asked).estimate == found.estimate
    renamed = frame.rename(columns={"item": "passage"})
    named = {"item": "passage"}
    with collect_notes():
        by_name = pc.judge.items(renamed, *asked, columns=named)
    assert by_name.estimate == found.estimate


def test_the_command_has_the_numbers_of_python(
    files: dict[str, dict[str, float]], capsys: pytest.CaptureFixture[str]
) -> None:
    asked = ["judge", "label.csv", "llm.qrels", "dense.run", "-m", "P@5", "--items"]
    assert main.run([*asked, "--level", "0.9", "--format", "json"]) == 0
    (value,) = json.loads(capsys.readouterr().out)["values"]
    found = pc.judge.items("label.csv", "llm.qrels", "dense.run", "P@5", level=0.9)
    assert (value["estimate"], value["low"]) == (found.estimate, found.low)


@pytest.mark.parametrize(
    ("more", "message"),
    [
        (["-m", "P@5", "--of", "these"], "--of"),
        (["-m", "P@5", "--strata", "s", "--units", "u.csv"], "--units"),
        (["-m", "P@5", "--width", "0.1"], "--width"),
        (["-m", "P@5", "--next", "20"], "--items"),
        ([], "--measure"),
        (["-m", "AP"], "'AP'"),
    ],
)
def test_the_command_refuses_what_single_items_do_not_read(
    files: dict[str, dict[str, float]],
    more: list[str],
    message: str,
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert main.run(["judge", "label.csv", "llm.qrels", "dense.run", "--items", *more]) == 2
    assert message in capsys.readouterr().err
