"""evaluate(..., unjudged="bounds"): bounds of topics and averages over all labels."""

from __future__ import annotations

import copy
import csv
import io
import json
import pickle
from itertools import product
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import precall as pc
from precall.cli.main import run as precall
from precall.core.errors import DataError, MeasureError, UsageError
from precall.core.notes.of_runs import (
    JudgeNext,
    LabelsUndefined,
    NothingJudgedNegative,
    UnjudgedItems,
)
from tests.noticed import noticed

QRELS = {"q1": {"a": 1, "b": 0, "c": 2}, "q2": {"a": 1, "d": 0}}
RUN = {
    "q1": {"a": 5.0, "x": 4.0, "c": 3.0, "b": 2.0, "y": 1.0},
    "q2": {"z": 3.0, "a": 1.0},
}
MEASURES = ["AP", "nDCG@10", "P@2", "RR", "Rprec"]


def labelled(qrels: dict[str, dict[str, int]], run: dict[str, dict[str, float]]):
    """The qrels with every combination of labels of what nobody judged."""
    judged = {
        topic: {item: grade for item, grade in items.items() if grade >= 0}
        for topic, items in qrels.items()
    }
    open_items = [
        (topic, item)
        for topic in qrels
        for item in dict.fromkeys([*run.get(topic, {}), *qrels[topic]])
        if item not in judged[topic]
    ]
    for chosen in product((0, 1, 2), repeat=len(open_items)):
        found = {topic: dict(items) for topic, items in judged.items()}
        for (topic, item), grade in zip(open_items, chosen, strict=True):
            found[topic][item] = grade
        yield found


@pytest.mark.parametrize("undefined", ["zero", "omit"])
@pytest.mark.parametrize("aggregate", [None, "geometric", "sum"])
def test_averages_are_bounded_by_those_of_all_labels(undefined: str, aggregate: str | None) -> None:
    qrels = {"q1": {"b": 0, "p": -1}, "q2": {"a": 1, "d": 0}, "q3": {"a": 2, "x": 0}}
    run = {
        "q1": {"x": 2.0, "b": 1.0},
        "q2": {"z": 3.0, "a": 1.0, "y": 0.5},
        "q3": {"x": 2.0, "a": 1.0},
    }
    how = {"undefined": undefined, "aggregate": aggregate}
    measures = ["AP", "nDCG", "P@2", "F@2", "E@2"]
    report = pc.evaluate(qrels, run, measures, unjudged="bounds", **how)
    values = [pc.evaluate(labels, run, measures, **how).mean for labels in labelled(qrels, run)]
    for name in measures:
        every = [mean[name] for mean in values]
        assert report.lowest[name] == pytest.approx(np.nanmin(every), abs=1e-12)
        assert report.highest[name] == pytest.approx(np.nanmax(every), abs=1e-12)


@given(st.integers(0, 10**6))
def test_the_value_without_labels_is_within(seed: int) -> None:
    rng = np.random.default_rng(seed)
    qrels, run = {}, {}
    for topic in ("q1", "q2"):
        items = [f"i{n}" for n in range(int(rng.integers(1, 30)))]
        qrels[topic] = {item: int(rng.integers(-1, 4)) for item in items if rng.random() < 0.5}
        qrels[topic]["known"] = 3
        run[topic] = dict(zip(items, rng.random(len(items)).tolist(), strict=True))
    measures = ["AP", "nDCG", "nDCG@5", "P@5", "RR", "Rprec", "F@3", "ERR", "BEDROC", "binG"]
    report = pc.evaluate(qrels, run, measures, unjudged="bounds")
    table = report.per_topic
    # Undefined values, which are NaN, are not compared.
    assert not (table["lowest"] > table["value"] + 1e-12).any()
    assert not (table["value"] > table["highest"] + 1e-12).any()
    for name in measures:
        assert report.lowest[name] <= report[name] + 1e-12 <= report.highest[name] + 2e-12


def test_what_everybody_judged_has_no_width() -> None:
    qrels = {topic: dict.fromkeys(items, 0) | QRELS[topic] for topic, items in RUN.items()}
    report = pc.evaluate(qrels, RUN, MEASURES, unjudged="bounds")
    assert dict(report.lowest) == dict(report.highest) == dict(report.mean)
    assert not noticed(report, UnjudgedItems)
    assert report.judge_next("AP") is None


def test_without_bounds_there_are_none() -> None:
    report = pc.evaluate(QRELS, RUN, MEASURES)
    assert report.lowest is None and report.highest is None
    assert "lowest" not in report.per_topic.to_dict()
    with pytest.raises(UsageError, match="unjudged"):
        report.judge_next("AP")


def test_several_runs_have_their_own() -> None:
    other = {"q1": {"a": 1.0}, "q2": {"a": 1.0}}
    report = pc.evaluate(QRELS, {"one": RUN, "two": other}, ["AP"], unjudged="bounds")
    alone = pc.evaluate(QRELS, RUN, ["AP"], unjudged="bounds")
    assert report.highest["one", "AP"] == alone.highest["AP"] == 1
    assert report.lowest["two", "AP"] == report.highest["two", "AP"] == 0.75
    assert report.judge_next("AP", "one") == alone.judge_next("AP")
    assert report.judge_next("AP", "two") is None
    with pytest.raises(UsageError, match="three"):
        report.judge_next("AP", "three")


@pytest.mark.parametrize("ties", ["docno", "input", "random", "best", "worst", "expected"])
def test_items_beyond_the_depth_stay_out(ties: str) -> None:
    report = pc.evaluate(QRELS, RUN, ["R@1"], depth=1, ties=ties, unjudged="bounds")
    assert report.runs[0].extremes.unjudged.tolist() == [0, 1]
    assert (report.lowest["R@1"], report.highest["R@1"]) == (0.25, 0.5)


def test_items_of_the_pool_may_be_relevant() -> None:
    qrels = {"q": {"a": 1, "b": 0, "p": -1}}
    report = pc.evaluate(qrels, {"q": ["a", "b"]}, "R@2", unjudged="bounds")
    assert (report.lowest["R@2"], report["R@2"]) == (0.5, 1.0)


def test_the_next_item_leaves_the_narrowest_bounds() -> None:
    qrels = {"q": {"a": 1, "b": 0}}
    run = {"q": ["x", "a", "y", "z"]}
    for name in ("AP", "RR", "P@3", "nDCG"):
        report = pc.evaluate(qrels, run, name, unjudged="bounds")
        widths = {}
        for item in ("x", "y", "z"):
            ends = []
            for grade in (0, 1):
                judged = {"q": {**qrels["q"], item: grade}}
                again = pc.evaluate(judged, run, name, unjudged="bounds")
                ends.append(again.highest[name] - again.lowest[name])
            widths[item] = max(ends)
        found = report.judge_next(name)
        assert found.item == min(widths, key=widths.__getitem__)
        assert found.at_most == pytest.approx(min(widths.values()))
        assert found.width == pytest.approx(report.highest[name] - report.lowest[name])


def test_names_of_items_follow_the_order_of_ties() -> None:
    qrels = {"q": {"a": 1, "b": 0}}
    run = {"q": {"x": 1.0, "y": 1.0, "a": 0.5}}
    first = pc.evaluate(qrels, run, "RR", unjudged="bounds").judge_next("RR")
    assert first.item == "y"  # trec_eval's order: the greatest id
    first = pc.evaluate(qrels, run, "RR", ties="input", unjudged="bounds").judge_next("RR")
    assert first.item == "x"


def test_undefined_labels_are_noted_and_refused() -> None:
    qrels, run = {"q": {"b": 0}, "r": {"a": 1}}, {"q": ["x", "b"], "r": ["a"]}
    report = pc.evaluate(qrels, run, ["AP"], unjudged="bounds")
    assert noticed(report, LabelsUndefined)
    assert report.runs[0].extremes.undefined == (1,)
    assert (report.lowest["AP"], report.highest["AP"]) == (0.5, 1.0)
    with pytest.raises(DataError, match="labels"):
        pc.evaluate(
            {"q": {"a": 1, "p": -1}},
            {"q": ["a"]},
            "KAtRecall(recall=1)",
            undefined="error",
            unjudged="bounds",
        )


def test_qrels_of_relevant_items_alone_are_noted() -> None:
    report = pc.evaluate({"q": {"a": 1}}, {"q": ["a", "x"]}, "AP", unjudged="bounds")
    assert noticed(report, NothingJudgedNegative)
    other = pc.evaluate(QRELS, RUN, "AP", unjudged="bounds")
    assert not noticed(other, NothingJudgedNegative)


@pytest.mark.parametrize(
    "measure", ["Bpref", "infAP", "Judged@5", "Compat", "INST(max_rel=1)", "P(judged_only=true)@5"]
)
def test_measures_without_bounds_are_refused(measure: str) -> None:
    with pytest.raises(MeasureError, match="no bounds over labels"):
        pc.evaluate(QRELS, RUN, ["AP", measure], unjudged="bounds")


def test_what_has_no_unjudged_items_is_refused() -> None:
    with pytest.raises(UsageError, match="judged_only"):
        pc.evaluate(QRELS, RUN, "AP", judged_only=True, unjudged="bounds")
    with pytest.raises(UsageError, match="lists"):
        pc.evaluate([["a"]], [["a", "x"]], "AP", unjudged="bounds")
    with pytest.raises(UsageError, match="unjudged"):
        pc.evaluate(QRELS, RUN, "AP", unjudged="judge")
    with pytest.raises(UsageError, match="bounds"):
        pc.evaluate(QRELS, RUN, "AP", unjudged="bounds").to_trec()
    with pytest.raises(UsageError, match="comparisons do not have"):
        pc.compare(QRELS, {"a": RUN, "b": RUN}, ["AP"], unjudged="bounds")


def test_they_are_copied_and_pickled() -> None:
    report = pc.evaluate(QRELS, RUN, MEASURES, unjudged="bounds")
    assert pickle.loads(pickle.dumps(report)) == report == copy.deepcopy(report)
    assert report != pc.evaluate(QRELS, RUN, MEASURES)


def test_forms_have_them(tmp_path: Path) -> None:
    report = pc.evaluate(QRELS, RUN, ["AP"], unjudged="bounds")
    sheet = report.sheet(per_topic=True)
    rows = list(csv.DictReader(io.StringIO(sheet.to_csv())))
    assert [float(row["highest"]) for row in rows] == [1.0, 1.0, 1.0]
    assert float(rows[-1]["lowest"]) == report.lowest["AP"]
    (run,) = json.loads(sheet.to_json())["runs"]
    assert run["bounds"]["AP"] == {
        "lowest": report.lowest["AP"],
        "highest": report.highest["AP"],
        "undefined": 0,
    }
    assert run["per_topic_bounds"]["q2"]["AP"] == {"lowest": 0.5, "highest": 1.0}
    assert run["unjudged"] == 3
    assert noticed(report.sheet(), JudgeNext)
    report.save(tmp_path / "page.html")
    assert "over all labels of unjudged items" in (tmp_path / "page.html").read_text("utf-8")


def test_the_command_has_them(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "q").write_text("q 0 a 1\nq 0 b 0\n", "utf-8")
    (tmp_path / "r").write_text("q Q0 x 1 3 r\nq Q0 a 2 2 r\nq Q0 b 3 1 r\n", "utf-8")
    files = [str(tmp_path / "q"), str(tmp_path / "r")]
    assert precall(["eval", *files, "-m", "AP", "--unjudged", "bounds"]) == 0
    assert "AP       0.5000  0.5000   1.0000" in capsys.readouterr().out
    assert precall(["eval", *files, "--unjudged", "bounds", "--format", "trec"]) == 2
    assert "trec" in capsys.readouterr().err


def test_a_run_larger_than_memory_has_the_same(tmp_path: Path) -> None:
    rows = [f"q{t} Q0 d{t}-{i} {i} {50 - i} r\n" for t in range(20) for i in range(40)]
    path = tmp_path / "large.run"
    path.write_text("".join(rows), "utf-8")
    qrels = {f"q{t}": {f"d{t}-{i}": int(i % 3 == 0) for i in range(0, 40, 2)} for t in range(20)}
    whole = pc.evaluate(qrels, str(path), ["AP", "nDCG@10"], unjudged="bounds")
    part = pc.evaluate(qrels, str(path), ["AP", "nDCG@10"], unjudged="bounds", memory=1)
    assert dict(whole.lowest) == dict(part.lowest)
    assert dict(whole.highest) == dict(part.highest)
