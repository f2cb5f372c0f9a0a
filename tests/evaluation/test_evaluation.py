"""evaluate(): topics averaged, undefined values, aggregates, several runs, what the report says."""

import gc
import math
import weakref
from functools import partial
from typing import Any

import numpy as np
import pytest

import precall as pc
from precall.core.errors import DataError, UsageError
from precall.core.notes.of_runs import TiesThatMatter, UndefinedTopics
from precall.evaluation.per_topic import averages
from tests.noticed import noticed, shown

QRELS = {"q1": {"a": 1, "b": 0}, "q2": {"c": 2}, "q3": {"d": 1}, "q0": {"e": 0}}
RUN = {"q1": {"b": 2.0, "a": 1.0}, "q2": {"c": 1.0}, "q0": {"e": 1.0}, "q9": {"z": 1.0}}


@pytest.mark.parametrize(
    ("topics", "undefined", "mean", "count"),
    [
        ("both", "zero", (0.5 + 1 + 0) / 3, 3),
        ("both", "omit", (0.5 + 1) / 2, 3),
        ("qrels", "zero", (0.5 + 1 + 0 + 0) / 4, 4),
        ("qrels", "omit", (0.5 + 1 + 0) / 3, 4),
        ("run", "zero", (0.5 + 1 + 0 + 0) / 4, 4),
        ("run", "omit", (0.5 + 1) / 2, 4),
    ],
)
def test_which_topics_are_averaged(topics, undefined, mean, count):
    report = pc.evaluate(QRELS, RUN, ["AP"], topics=topics, undefined=undefined)
    assert report.mean["AP"] == pytest.approx(mean)
    counts = report.runs[0].counts
    assert (counts.topics, counts.missing, counts.unjudged) == (count, 1, 1)
    assert counts.without_relevant == (2 if topics == "run" else 1)


def test_undefined_values_stay_nan_per_topic_and_are_counted():
    report = pc.evaluate(QRELS, RUN, ["AP", "P@5"])
    assert report.runs[0].undefined == (1, 0)
    topic, measure, value = (report.per_topic[name] for name in ("topic", "measure", "value"))
    assert math.isnan(value[list(zip(topic, measure, strict=True)).index(("q0", "AP"))])
    (note,) = noticed(report, UndefinedTopics)
    assert (note.measures, note.topics) == (("AP",), 1) and shown(str(report), note)


def test_undefined_error_names_topic_and_reason():
    with pytest.raises(DataError, match="AP is undefined for topic 'q0' .no item is relevant"):
        pc.evaluate(QRELS, RUN, ["AP"], undefined="error")


def test_several_runs_and_names():
    report = pc.evaluate(
        QRELS, {"good": {"q2": {"c": 1.0}}, "bad": {"q2": {"x": 1.0}}}, ["AP", "map_cut_5"]
    )
    assert report.mean["good", "AP"] == 1 and report.mean["bad", "AP"] == 0
    assert report.mean["good", "map_cut_5"] == report.mean["good", "AP@5"] == 1
    assert len(report.mean) == 4
    with pytest.raises(KeyError, match="several runs"):
        report.mean["AP"]
    with pytest.raises(KeyError, match="runs are bad, good"):
        report.mean["ugly", "AP"]


def test_a_list_of_runs_with_one_name_is_refused():
    run = pc.read_run(RUN)
    with pytest.raises(UsageError, match="two runs have one name"):
        pc.evaluate(QRELS, [run, run], ["AP"])


def test_aggregates():
    qrels, run = {"q1": {"a": 1}, "q2": {"a": 1}}, {"q1": {"a": 1.0}, "q2": {"b": 2.0, "a": 1.0}}
    report = pc.evaluate(qrels, run, ["AP", "GMAP", "NumRel"])
    assert report.mean["AP"] == 0.75
    assert report.mean["GMAP"] == pytest.approx(math.sqrt(0.5))
    assert report.mean["NumRel"] == 2
    assert pc.evaluate(qrels, run, ["AP"], aggregate="sum").mean["AP"] == 1.5


def test_the_geometric_mean_has_a_floor():
    assert averages(np.array([0.0, 1.0]), "geometric", "zero") == pytest.approx(math.sqrt(1e-5))
    assert math.isnan(averages(np.array([np.nan]), "mean", "omit"))
    assert averages(np.array([0.1] * 10), "mean", "zero") == 0.1


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"ties": "fair"}, "ties: got 'fair', allowed are"),
        ({"topics": "all"}, "topics: got 'all', allowed are both, qrels, run"),
        ({"undefined": "nan"}, "undefined: got 'nan'"),
        ({"aggregate": "median"}, "aggregate: got 'median'"),
        ({"depth": 0}, "depth: must be an integer >= 1"),
        ({"measures": []}, "measures: none given"),
        ({"threads": 0}, "threads: must be"),
    ],
)
def test_wrong_options_say_what_is_allowed(options, said):
    with pytest.raises(UsageError, match=said):
        pc.evaluate(QRELS, RUN, **{"measures": ["AP"], **options})


def test_grade_applies_where_none_was_said():
    report = pc.evaluate(QRELS, RUN, ["AP", "AP(grade=1)", "nDCG", "R@5"], grade=2, topics="both")
    assert report.measures == ("AP(grade=2)", "AP", "nDCG", "R(grade=2)@5")
    assert report.conventions["grade"] == ">=2"


def test_judged_only_and_depth():
    qrels, run = {"q": {"a": 1, "b": 0}}, {"q": {"x": 9.0, "b": 3.0, "a": 1.0}}
    assert pc.evaluate(qrels, run, ["RR"]).mean["RR"] == pytest.approx(1 / 3)
    assert pc.evaluate(qrels, run, ["RR"], judged_only=True).mean["RR"] == 0.5
    assert pc.evaluate(qrels, run, ["RR(judged_only=true)"]).mean["RR(judged_only=true)"] == 0.5
    assert pc.evaluate(qrels, run, ["RR"], depth=2).mean["RR"] == 0


def test_the_report_prints_conventions_and_counts_ties():
    report = pc.evaluate({"q": {"a": 1}}, {"q": {"a": 1.0, "b": 1.0}}, ["AP"], ties="expected")
    assert report.runs[0].counts.tied == 1
    text = str(report)
    assert "ties expected" in text and shown(text, TiesThatMatter("run", 1))
    assert "AP" in text and "0.7500" in text


def test_per_topic_is_a_table_for_other_libraries():
    report = pc.evaluate(QRELS, RUN, ["RR", "P@1"])
    table = report.per_topic
    assert table.to_dict()["topic"] == ["q1", "q1", "q2", "q2", "q0", "q0"]
    assert table.to_dict()["measure"] == ["RR", "P@1"] * 3
    assert table.to_dict()["value"] == [0.5, 0.0, 1.0, 1.0, 0.0, 0.0]
    for name, convert in (("pandas", table.to_pandas), ("polars", table.to_polars)):
        pytest.importorskip(name)
        assert list(convert().columns) == ["run", "topic", "measure", "value"]
    polars = pytest.importorskip("polars")
    assert polars.DataFrame(table).equals(table.to_polars())


def test_progress_is_told_before_each_run():
    seen = []
    pc.evaluate(QRELS, {"a": RUN, "b": RUN}, ["AP"], progress=lambda *step: seen.append(step))
    assert seen == [(0, 2, "a"), (1, 2, "b")]


def test_columns_are_those_of_tables_and_frames():
    polars = pytest.importorskip("polars")
    names = {"topic": "qid", "item": "docid", "score": "s"}
    run = polars.DataFrame({"qid": ["q1", "q1"], "docid": ["b", "a"], "s": [2.0, 1.0]})
    assert pc.evaluate({"q1": {"a": 1}}, run, "AP", columns=names).mean["AP"] == 0.5
    qrels = polars.DataFrame({"qid": ["q1"], "docid": ["a"], "grade": [1]})
    assert pc.evaluate(qrels, run, "AP", columns=names).mean["AP"] == 0.5
    with pytest.raises(DataError, match="columns="):
        pc.evaluate({"q1": {"a": 1}}, run, "AP")


@pytest.mark.nightly
def test_a_run_is_let_go_before_the_next_is_read() -> None:
    held: list[Any] = []

    def of(name: str) -> pc.Run:
        gc.collect()
        assert all(value() is None for value in held), name
        run = pc.read_run({"q": {"a": 2.0, "b": 1.0}}, name=name)
        held.append(weakref.ref(run.score))
        return run

    report = pc.evaluate({"q": {"a": 1}}, {name: partial(of, name) for name in "abc"}, ["AP"])
    assert [run.name for run in report.runs] == ["a", "b", "c"] and len(held) == 3
