"""precall.compare of reports and of qrels and runs; gates; what is said where libraries are
absent.
"""

from __future__ import annotations

import re
import sys

import numpy as np
import pytest

import precall as pc
from precall.core.notes.of_comparisons import SpeaksForTheOther
from precall.stats.tests.equivalence import gate
from tests.noticed import noticed


def collection(topics=12, seed=1):
    rng = np.random.default_rng(seed)
    qrels = {f"q{t}": {f"d{i}": int(i < 4) for i in range(20)} for t in range(topics)}
    runs = {
        name: {
            t: {item: float(rng.normal() + shift * grade) for item, grade in items.items()}
            for t, items in qrels.items()
        }
        for name, shift in (("good", 2.0), ("middle", 1.0), ("bad", 0.0))
    }
    return qrels, runs


def test_a_report_is_compared():
    qrels, runs = collection()
    report = pc.evaluate(qrels, runs, ["AP", "P@5", "RR"])
    found = pc.compare(report, measures=["AP", "P@5"], rng=1)
    assert list(found.means) == ["AP", "P@5"] and len(found.pairs) == 6
    one = found.pair("good", "bad", "P@5")
    values = {run.name: dict(zip(run.topics, run.values[1], strict=True)) for run in report.runs}
    alone = pc.compare.paired(values["good"], values["bad"])
    assert (one.p, one.difference, one.how) == (alone.p, alone.difference, alone.how)
    assert one.difference == pytest.approx(report.mean["good", "P@5"] - report.mean["bad", "P@5"])
    again = pc.compare(qrels, runs, ["AP", "P@5"], rng=1)
    assert [pair.adjusted for pair in again.pairs] == [pair.adjusted for pair in found.pairs]
    for said in ("ties docno", "correction holm", "test randomization (exact)", "level 0.95"):
        assert said in str(found)
    assert isinstance(one, pc.Comparison) and isinstance(found, pc.Comparisons)


def test_runs_on_different_topics():
    qrels, runs = collection(6)
    runs["bad"] = {topic: items for topic, items in runs["bad"].items() if topic != "q3"}
    with pytest.raises(
        pc.DataError,
        match="bad: topic 'q3' is missing; pass topics='qrels' to count such topics as empty",
    ):
        pc.compare(qrels, runs, ["AP"])
    dropped = pc.compare(qrels, runs, ["AP"], unpaired="drop")
    assert {pair.size for pair in dropped.pairs} == {5} and "1 topic left out" in str(dropped)
    empty = pc.compare(qrels, runs, ["AP"], topics="qrels")
    assert {pair.size for pair in empty.pairs} == {6}


def test_undefined_values_are_those_of_the_report():
    qrels, runs = collection(6)
    qrels["q0"] = {"d0": 0}
    sizes = {
        undefined: pc.compare(qrels, runs, ["AP"], undefined=undefined).pairs[0].size
        for undefined in ("zero", "omit")
    }
    assert sizes == {"zero": 6, "omit": 5}


def test_low_measures_and_geometric_means():
    qrels, runs = collection()
    report = pc.evaluate(qrels, runs, ["E@5", "GMAP"])
    e, log = pc.compare(report, measures="E@5"), pc.compare(report, measures="GMAP")
    assert e.pair("good", "bad").gain > 0 > e.pair("good", "bad").difference
    assert e.pair("good", "bad").wins > e.pair("good", "bad").losses
    assert log.means["GMAP"]["good"] == report.mean["good", "GMAP"]
    assert log.pairs[0].measure == "log GMAP"


@pytest.mark.parametrize(
    ("arguments", "choices", "said"),
    [
        (("report", "runs"), {}, "a report has its runs and choices already"),
        (("report",), {"topics": "qrels"}, "a report has its runs and choices already"),
        (("qrels",), {}, "runs: none given"),
        (("report",), {"measures": ["RR"]}, "'RR' is not in the report; it has AP"),
        (("report",), {"baseline": "x"}, "baseline: got 'x', the systems are good, middle, bad"),
        (("one",), {}, "two runs or more"),
        (("report",), {"test": "f"}, "test: got 'f'"),
    ],
)
def test_wrong_calls(arguments, choices, said):
    qrels, runs = collection(4)
    known = {
        "qrels": qrels,
        "runs": runs,
        "report": pc.evaluate(qrels, runs, ["AP"]),
        "one": pc.evaluate(qrels, runs["good"], ["AP"]),
    }
    with pytest.raises(pc.UsageError, match=said):
        pc.compare(*(known[name] for name in arguments), **choices)


def test_the_namespace():
    assert set(dir(pc.compare)) == {
        "paired",
        "many",
        "decisions",
        "cases",
        "detections",
        "unpaired",
        "curves",
        "seeds",
        "equivalence",
        "gates",
        "orders",
        "rbo",
        "bayes",
        "power",
        "plan",
    }
    assert all(getattr(pc.compare, name).__doc__ for name in dir(pc.compare))
    with pytest.raises(AttributeError, match="has no function 'anova'"):
        _ = pc.compare.anova
    assert "paired" in repr(pc.compare)


class SpeaksArrow:
    """A table of which nothing but the Arrow stream is known."""

    def __arrow_c_stream__(self, requested_schema=None):
        return (
            pc.evaluate({"q": {"d": 1}}, {"q": {"d": 1.0}}, ["AP"]).to_table().__arrow_c_stream__()
        )


@pytest.mark.parametrize(
    ("library", "call"),
    [
        ("scipy", lambda: pc.compare.many(np.random.default_rng(1).random((5, 3)), level=0.9123)),
        ("scipy", lambda: pc.interval.proportion(3, 7, method="jeffreys")),
        ("polars", lambda: pc.read_lists(SpeaksArrow())),
    ],
)
def test_a_missing_library_is_named(monkeypatch, library, call):
    for name in [name for name in sys.modules if name.partition(".")[0] == library]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, library, None)
    with pytest.raises(pc.MissingExtra, match=rf"pip install ({library}|'precall\[stats\]')"):
        call()


def gated(shift, margin=None, spread=0.05, topics=30, **choices):
    gain = np.random.default_rng(2).normal(shift, spread, topics)
    comparison = pc.compare.paired(
        gain, np.zeros(topics), names=("new", "old"), measure="AP", rng=1, **choices
    )
    return gate(comparison, gain, margin, rng=1)


def test_only_a_significant_loss_fails():
    assert not gated(-0.1).passed and gated(-0.005).passed and gated(0.1).passed
    assert "worse. It would have passed with a loss below" in str(gated(-0.1))
    assert "not significantly worse. It would have failed with a loss above" in str(gated(-0.01))
    assert "what is found with power .8 is a loss of" in str(gated(-0.01))
    assert "not worse. It would have failed" in str(gated(0.1))


def test_what_a_gate_says_would_decide_otherwise():
    gain = np.random.default_rng(3).normal(-0.03, 0.05, 30)
    said = gate(pc.compare.paired(gain, np.zeros(30), test="t", measure="AP"), gain)
    edge = float(str(said).rpartition(" ")[2])
    for loss, passes in ((edge + 1e-4, False), (edge - 1e-4, True)):
        moved = gain - gain.mean() - loss
        assert gate(pc.compare.paired(moved, np.zeros(30), test="t"), moved).passed == passes


def test_with_a_margin_the_loss_must_be_shown_to_be_less():
    assert (
        gated(0.0, 0.05).passed and not gated(-0.05, 0.05).passed and not gated(0.0, 0.001).passed
    )
    failed = gated(-0.01, 0.02, test="t")
    words = str(failed)
    assert not failed.passed and "It would have needed a margin of" in words
    margin = float(words.partition("a margin of ")[2].split(",")[0])
    assert (
        gated(-0.01, margin + 1e-4, test="t").passed
        and not gated(-0.01, margin - 1e-4, test="t").passed
    )
    assert "topics like these" in str(gated(0.0, 0.01, test="t"))
    with pytest.raises(pc.UsageError, match="margin: must be"):
        gated(0.0, -1.0)


@pytest.mark.parametrize("test", ["sign", "wilcoxon"])
def test_a_test_that_speaks_for_a_system_does_not_fail_it(test):
    # Thirty small gains and two great losses: signs and ranks are significant, in favour of the one
    # that loses.
    gain = np.array([0.01] * 30 + [-0.5, -0.6])
    comparison = pc.compare.paired(gain, np.zeros(32), test=test, names=("new", "old"))
    assert comparison.significant and comparison.difference < 0
    (note,) = noticed(comparison, SpeaksForTheOther)
    assert (note.test, note.values_of, note.units) == (test, "means", "topics")
    found = gate(comparison, gain)
    assert found.passed and f"({test}) speaks for new: not significantly worse" in str(found)
    turned = gate(pc.compare.paired(-gain, np.zeros(32), test=test, names=("new", "old")), -gain)
    assert turned.passed
    both = np.array([-0.01] * 30 + [-0.5, 0.6])
    assert not gate(pc.compare.paired(both - 0.01, np.zeros(32), test=test), both - 0.01).passed


def test_a_gate_draws_as_often_as_it_is_told():
    gain = np.random.default_rng(4).normal(0, 0.1, 60)
    comparison = pc.compare.paired(gain, np.zeros(60), rng=1, resamples=99)
    assert gate(comparison, gain, 0.5, rng=1, resamples=99).p == 0.01


@pytest.mark.parametrize("test", ["randomization", "wilcoxon", "t"])
def test_what_a_gate_says_agrees_with_what_it_decides(test):
    # "worse ... would have passed with a loss below .38" was said of a loss of .15, and "needed a
    # margin of 0".
    rng = np.random.default_rng(5)
    number = re.compile(r"(below|above|a margin of)(?: about)? (\d\.\d{4})")
    for size in (3, 4, 6, 9, 30):
        for gain in (
            rng.normal(-0.05, 0.05, size),
            -(rng.exponential(0.1, size) ** 3),
            rng.standard_t(1, size) / 20,
        ):
            plain = gate(pc.compare.paired(gain, np.zeros(size), test=test), gain)
            for word, value in number.findall(str(plain)):
                assert (float(value) < -gain.mean()) == (word == "below"), str(plain)
            for margin in (0.01, 0.1):
                found = gate(pc.compare.paired(gain, np.zeros(size), test=test), gain, margin)
                for word, value in number.findall(str(found)):
                    assert (float(value) <= margin) == (word == "below") == found.passed, str(found)


def test_a_gate_of_few_topics_says_that_no_loss_fails():
    gain = np.array([-0.05, -0.051, -0.049, -0.05])
    comparison = pc.compare.paired(gain, np.zeros(4), names=("new", "old"))
    assert "With 4 topics no loss could have failed" in str(gate(comparison, gain))
    assert str(gate(comparison, gain + 0.1, 0.01)).endswith("It would have needed more topics")


def test_columns_by_name_with_a_measure():
    """With a measure they were read as qrels and runs."""
    rng = np.random.default_rng(0)
    y, a, b = [0, 1, 1] * 20, rng.random(60), rng.random(60)
    expected = pc.compare.cases(y, a, b, "AUC", names=("new", "old"))
    for measure in ("AUC", ["AUC"], pc.measure("AUC")):
        assert pc.compare(y, {"new": a, "old": b}, measure) == expected
    drawn = pc.compare(y, {"new": a, "old": b}, "AUC", "bootstrap", resamples=200)
    assert (drawn.test, drawn.names) == ("bootstrap", ("new", "old"))
    decided = {"new": a > 0.5, "old": b > 0.5}
    assert pc.compare(y, decided, "R").label == pc.compare(y, *decided.values(), "R").label
    with pytest.raises(pc.UsageError, match="got 2 of them"):
        pc.compare(y, {"new": a, "old": b}, ["AP", "AUC"])
    with pytest.raises(pc.UsageError, match="got 3 systems"):
        pc.compare(y, {"new": a, "old": b, "third": b}, "AUC")


def test_no_measure_is_refused() -> None:
    """An empty list failed inside, and a gate of no measure passed."""
    qrels = {f"q{i}": {"x": 1} for i in range(8)}
    runs = {name: {q: {"x": 1.0} for q in qrels} for name in "ab"}
    with pytest.raises(pc.UsageError, match="measures: none given"):
        pc.compare(pc.evaluate(qrels, runs, ["AP"]), measures=[])
