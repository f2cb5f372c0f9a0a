"""Errors about names of arguments lead to a call that works, whatever is given by place."""

from __future__ import annotations

import numpy as np
import pytest

import precall as pc

Y, A, B = [1, 0, 1, 0, 1], [0.9, 0.1, 0.8, 0.3, 0.2], [0.1, 0.2, 0.3, 0.4, 0.5]
QRELS, RUN = {"q": {"a": 1, "c": 1}}, {"q": {"b": 2.0, "a": 1.0}}


@pytest.mark.parametrize("name", ["metric", "metrics"])
def test_the_measure_of_two_systems(name):
    with pytest.raises(pc.UsageError, match="pass measure='AUC'"):
        pc.compare(Y, A, B, **{name: "AUC"})
    assert pc.compare(Y, A, B, measure="AUC").measure == "AUC"
    with pytest.raises(pc.UsageError, match="pass measures='AP'"):
        pc.compare(QRELS, {"r": RUN, "s": RUN}, **{name: "AP"})


def test_an_argument_that_is_given_twice():
    with pytest.raises(pc.UsageError, match=r"given twice.*pass measure= if"):
        pc.compare(Y, A, B, measures="AUC")


@pytest.mark.parametrize("name", ["beta", "label", "threshold", "average"])
def test_what_there_is_not_is_told_with_what_there_is(name):
    with pytest.raises(TypeError, match=r"It takes qrels, run, measures, ties, topics"):
        pc.evaluate(QRELS, RUN, "AP", **{name: 1})


@pytest.mark.parametrize("given", ["bootstrap", 0.95])
def test_the_method_of_intervals_of_a_report_is_called_interval(given):
    with pytest.raises(pc.UsageError, match=r"^interval: got .*bayesian-bootstrap"):
        pc.evaluate(QRELS, RUN, "AP", interval=given)


@pytest.mark.parametrize(
    ("name", "same"),
    [("MRR", "RR"), ("map", "AP"), ("precision@2", "P@2"), ("P_2", "P@2"), ("auroc", "AUC")],
)
def test_tests_against_chance_take_every_name(name, same):
    hits = pc.locate({"q": {"a": 1}}, {"q": {"b": 2.0, "a": 1.0, "c": 0.5}}).hits()
    assert pc.null.test(hits, name).p == pc.null.test(hits, same).p


@pytest.mark.parametrize("test", ["t", "bootstrap", "randomization"])
@pytest.mark.parametrize("topics", [1, 2, 4, 5])
def test_a_loss_that_passed_would_not_have_failed(test, topics):
    values = np.column_stack([np.full(topics, 1.0), np.full(topics, 0.5), np.full(topics, 0.25)])
    for correction in ("holm", "tukey") if test == "randomization" else ("holm",):
        report = pc.evaluate(
            {f"q{i}": {"a": 1} for i in range(topics)},
            {
                name: {
                    f"q{i}": {f"x{rank}": 9.0 - rank for rank in range(int(1 / value) - 1)}
                    | {"a": 1.0}
                    for i, value in enumerate(column)
                }
                for name, column in zip("abc", values.T, strict=True)
            },
            "RR",
        )
        gates = pc.compare.gates(report, "RR", baseline="a", test=test, correction=correction)
        for gate in gates.gates:
            assert gate.passed
            assert "any loss" not in gate.text and "loss above" not in gate.text


def test_latex_of_thresholds_that_accept_low_scores():
    curve = pc.curve([1, 0, 1, 0], [0.1, 0.7, 0.2, 0.9], higher_is_better=False)
    text = curve.at(recall=1).to_latex() + curve.to_latex()
    assert r"\textless{}=" in text and "<" not in text.replace(r"\textless{}", "")


def test_a_page_does_not_replace_what_it_is_made_of(tmp_path):
    qrels, first, second = (tmp_path / name for name in ("q.qrels", "a.run", "b.run"))
    qrels.write_text("q 0 a 1\n")
    for run in (first, second):
        run.write_text("q Q0 a 1 1 r\n")
    for path in (qrels, first, tmp_path / "b.run"):
        before = path.read_bytes()
        with pytest.raises(pc.UsageError, match="is also an input and would be overwritten"):
            pc.report.runs(qrels, {"a": first, "b": str(second)}, path)
        assert path.read_bytes() == before
