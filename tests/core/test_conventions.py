"""Every choice that a number depends on is printed with it, and measures keep what they were
told.
"""

from __future__ import annotations

import pickle

import numpy as np
import pytest

import precall as pc

TIED = {"q": {"a": 2.0, "b": 2.0, "c": 1.0}}


def counts(qrels, run, measures, **choices):
    return pc.evaluate(qrels, run, measures, **choices).runs[0].counts


@pytest.mark.parametrize(
    ("qrels", "measures", "choices", "tied"),
    [
        ({"q": {"a": 1, "b": 0, "c": 2}}, ["nDCG"], {"grade": 2}, 1),
        ({"q": {"a": 1, "b": 0, "c": 2}}, ["AP"], {"grade": 2}, 0),
        ({"q": {"a": 1, "b": 2}}, ["AP"], {}, 0),
        ({"q": {"a": 1, "b": 2}}, ["AP", "nDCG"], {}, 1),
        ({"q": {"b": 0, "c": 1}}, ["AP", "nDCG"], {}, 0),
        ({"q": {"b": 0, "c": 1}}, ["Judged@1"], {}, 1),
        ({"q": {"b": 1, "a": 0}}, ["AP"], {"judged_only": True}, 1),
        ({"q": {"b": 1, "c": 0}}, ["AP"], {"judged_only": True}, 0),
    ],
)
def test_ties_are_counted_where_a_measure_sees_them(qrels, measures, choices, tied):
    assert counts(qrels, TIED, measures, **choices).tied == tied


def test_ties_are_counted_only_where_the_value_changes():
    run = {"q": {"a": 3.0, "b": 2.0, "c": 1.0, "d": 1.0}}
    qrels = {"q": {"a": 1, "d": 1}}
    assert counts(qrels, run, ["P@2", "RR", "SetP", "NumRet", "Success@1"]).tied == 0
    assert counts(qrels, run, ["P@3"]).tied == 1
    assert counts(qrels, run, ["E@3", "RR"]).tied == 1
    assert counts(qrels, run, ["AP"], ties="expected").tied == 1


def test_ties_below_the_depth_do_not_count():
    run = {"q": {"c": 9.0, "a": 1.0, "b": 1.0}}
    assert counts({"q": {"a": 1, "c": 1}}, run, "AP", depth=1).tied == 0
    assert counts({"q": {"a": 1, "c": 1}}, run, "AP", depth=2).tied == 1
    assert counts({"q": {"a": 1, "c": 1}}, run, "AP", depth=10**20).tied == 1


def test_dropped_judgements_are_counted(tmp_path):
    path = tmp_path / "d.qrels"
    path.write_text("q 0 a 1\nq 0 a 0\nq 0 b 0\nq 0 a 2\n")
    report = pc.evaluate(path, {"q": {"a": 1.0}}, "DCG", duplicates="last")
    assert report.mean["DCG"] == 2
    assert report.runs[0].counts.judgements_dropped == 2
    assert "2 repeated judgements dropped" in str(report)
    assert "duplicates last" in report.signature


def test_the_signature_names_every_choice():
    qrels, run = {"q": {"a": 1}}, pc.read_run({"q": {"a": 1.0, "b": 1.0}}, score_dtype="float32")
    report = pc.evaluate(
        qrels,
        run,
        ["AP", "GMAP"],
        aggregate="sum",
        depth=7,
        judged_only=True,
        ties="random",
        rng=5,
        score_dtype="float32",
    )
    for said in (
        "aggregate sum",
        "depth 7",
        "items judged only",
        "ties random (seed 5)",
        "scores float32",
    ):
        assert said in report.signature
    assert report.aggregates == ("sum", "geometric")


def test_a_name_with_an_average_keeps_it():
    qrels, run = {"p": {"a": 1}, "q": {"a": 1}}, {"p": {"a": 1.0}, "q": {"x": 2.0, "a": 1.0}}
    mean = pc.evaluate(qrels, run, ["GMAP", "AP", "GMAP@1", "GMAP(grade=2)"], aggregate="mean").mean
    assert mean["GMAP"] == pytest.approx(0.5**0.5)
    assert mean["AP"] == 0.75
    assert mean["GMAP@1"] == pytest.approx(1e-5**0.5)
    assert pc.evaluate(qrels, run, ["GMAP"], grade=2).measures == ("GMAP(grade=2)",)


def test_measures_travel():
    for name in (
        "AP@5",
        "GMAP",
        "nDCG(gains={1:3})@10",
        "RR(judged_only=true)",
        "AP(grade=1)",
        "macro-F1",
        "AUC(population=9)",
    ):
        found = pc.measure(name)
        again = pickle.loads(pickle.dumps(found))
        assert again == found
        assert hash(again) == hash(found)
        assert again.given == again.said == found.given


def test_gains_of_steep_grades():
    where = pc.locate({"q": {"a": 2000, "b": 1, "c": 0}}, {"q": {"a": 2.0, "b": 1.0}})
    assert pc.measure("nDCG(gain=exp)@3")(where).tolist() == [1.0]
    swapped = pc.locate({"q": {"a": 2000, "b": 1, "c": 0}}, {"q": {"a": 1.0, "b": 2.0}})
    assert pc.measure("nDCG(gain=exp)")(swapped).tolist() == [pytest.approx(1 / np.log2(3))]
    with pytest.raises(pc.MeasureError, match=r"2\^2000 is beyond float64"):
        pc.measure("DCG(gain=exp)")(where)


def test_blocks_of_a_constant_scorer_are_spread_once():
    # 300 judged items in one block of 200,000: per judged item it would take gigabytes.
    run = {"q": {f"d{i}": 1.0 for i in range(200_000)}}
    qrels = {"q": {f"d{i}": 1 for i in range(300)}}
    value = pc.evaluate(qrels, run, ["DCG"], ties="expected").mean["DCG"]
    rank = np.arange(1, 200_001)
    assert value == pytest.approx(300 * np.mean(1 / np.log2(rank + 1)))


def test_rbp_has_a_cutoff():
    hits = {"q": {"a": 1, "c": 1}}
    assert pc.evaluate(hits, TIED, ["RBP(p=0.5)@2"]).mean["RBP(p=0.5)@2"] == 0.25
    assert pc.evaluate(hits, TIED, ["RBP(p=0.5)@1"], ties="expected").mean["RBP(p=0.5)@1"] == 0.25


@pytest.mark.parametrize(
    ("asked", "said"),
    [
        ("rbp", "precall trec_eval -m rbp"),
        ("F(beta=1e200)@5", "from 1e-100 to 1e\\+100, got 1e200"),
        ("Rprec(mult=1e30)", "<= 1e6"),
        ("Utility(population=99999999999999999999999)", "population is too large"),
    ],
)
def test_numbers_that_cannot_be_are_refused(asked, said):
    with pytest.raises(pc.MeasureError, match=said):
        pc.measure(asked)


@pytest.mark.parametrize(
    ("choices", "said"),
    [
        ({"depth": "x"}, "depth: must be an integer"),
        ({"measures": [5]}, "measures: must be names"),
        ({"threads": "2"}, "threads: must be an integer >= 1, got '2'"),
        ({"threads": 1.5}, "threads: must be"),
        ({"ties": "random", "rng": "x"}, "rng: must be a seed"),
        ({"ties": "random", "rng": -1}, "rng: must be a seed"),
        ({"grade": "2"}, "grade: must be .* got '2'"),
    ],
)
def test_wrong_choices_are_usage_errors(choices, said):
    with pytest.raises(pc.UsageError, match=said):
        pc.evaluate({"q": {"a": 1}}, {"q": {"a": 1.0}}, **choices)


@pytest.mark.parametrize("recall", [float("nan"), float("inf"), -0.1, 1.5, "x", True])
def test_recall_levels_are_numbers(recall):
    with pytest.raises(pc.UsageError, match=r"recall: must be (a number )?in 0\.\.1, got"):
        pc.Hits.of([1], retrieved=2, relevant=1).k_at_recall(recall)


def test_a_declaration_without_keywords_says_so():
    with pytest.raises(pc.MeasureError, match="choose a new name"):
        pc.measure("AP")(lambda hits: hits)
    with pytest.raises(pc.MeasureError, match="no keyword 'bogus'"):
        pc.measure("Mine", bogus=1)


def test_matching_is_kept_for_several_qrels(monkeypatch):
    from precall.location import located

    calls = []
    kernel = located.kernel()
    monkeypatch.setattr(located, "kernel", lambda: calls.append(1) or kernel)
    run = pc.read_run({"q": {"a": 1.0}})
    several = [pc.read_qrels({"q": {"a": grade}}) for grade in (1, 2)]
    for _ in range(3):
        for qrels in several:
            pc.evaluate(qrels, run, "AP")
    assert len(calls) == 2
