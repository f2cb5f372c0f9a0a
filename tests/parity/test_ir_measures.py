"""precall.compat.ir_measures and pytrec_eval beside what the tools themselves gave; see
`record_ir_measures`.
"""

from __future__ import annotations

import json
import math
from typing import Any

import pytest

from precall.compat import ir_measures, pytrec_eval
from precall.core.errors import DataError, MeasureError, MissingExtra
from tests.parity.record_ir_measures import CALLS, DATA, MEASURES, text

RECORDED: dict[str, Any] = json.loads((DATA / "recorded.json").read_text())
NAMES = [(tool, name) for tool, names in MEASURES.items() for name in names.split()]
RUN = list(ir_measures.read_trec_run(text("run")))


def tolerance(tool: str) -> float:
    """gdeval prints five decimals."""
    return 5.000001e-6 if tool == "gdeval" else 1e-12


@pytest.mark.nightly(keep=8)
@pytest.mark.parametrize(("tool", "name"), NAMES)
def test_recorded(tool: str, name: str) -> None:
    qrels = ir_measures.read_trec_qrels(text("diversity" if tool == "pyndeval" else "qrels"))
    aggregated, per_query = ir_measures.parse_measure(name).calc(qrels, RUN)
    theirs = RECORDED["ir_measures"][name]
    if name.startswith("nNRBP"):
        # Without a relevant item it is 0/0 there, of all measures of ndeval alone.
        assert [topic for topic, value in theirs["topics"].items() if math.isnan(value)] == ["107"]
        theirs = {"topics": theirs["topics"] | {"107": 0.0}}
        theirs["mean"] = math.fsum(theirs["topics"].values()) / len(theirs["topics"])
    assert {metric.query_id: metric.value for metric in per_query} == pytest.approx(
        theirs["topics"], rel=0, abs=tolerance(tool)
    )
    assert aggregated == pytest.approx(theirs["mean"], rel=0, abs=tolerance(tool))


@pytest.mark.parametrize(
    ("call", "theirs"),
    list(zip(CALLS, RECORDED["pytrec_eval"], strict=True)),
    ids=["all", "judged"],
)
def test_pytrec_eval(
    call: tuple[list[str], int, bool], theirs: dict[str, dict[str, float]]
) -> None:
    qrels = pytrec_eval.parse_qrel(text("qrels").splitlines())
    run = pytrec_eval.parse_run(text("run").splitlines())
    ours = pytrec_eval.RelevanceEvaluator(qrels, *call).evaluate(run)
    assert list(ours) == list(theirs)
    for topic, values in theirs.items():
        assert list(ours[topic]) == list(values)
        assert ours[topic] == pytest.approx(values, rel=0, abs=1e-15)


def test_pytrec_eval_by_hand() -> None:
    qrels = {"q1": {"d1": 0, "d2": 1, "d3": 0}, "q2": {"d2": 1, "d3": 1}, "none": {}}
    evaluator = pytrec_eval.RelevanceEvaluator(
        qrels, ["ndcg_cut", "ndcg_cut.1,4", "P_2", "recip_rank", "runid", "num_q"]
    )
    ours = evaluator.evaluate(
        {"q1": {"d1": 1.0, "d2": 0.0, "d3": 1.5}, "q2": {}, "other": {"x": 1.0}}
    )
    # The depths that are named go before the family's own; d2 is third: 1 / log2(4).
    expected = {
        "runid": 0.0,
        "num_q": 1.0,
        "recip_rank": 1 / 3,
        "P_2": 0.0,
        "ndcg_cut_1": 0.0,
        "ndcg_cut_4": 0.5,
    }
    assert ours == {"q1": expected, "q2": {name: float(name == "num_q") for name in expected}}
    assert evaluator.evaluate({}) == evaluator.evaluate({"other": {"x": 1.0}}) == {}
    assert pytrec_eval.RelevanceEvaluator({}, {"map"}).evaluate({"q1": {"d1": 1.0}}) == {}


def test_pytrec_eval_aggregates() -> None:
    assert pytrec_eval.compute_aggregated_measure("num_rel", [1.0, 2.0]) == 3.0
    assert pytrec_eval.compute_aggregated_measure(
        "gm_map", [math.log(0.5), math.log(0.125)]
    ) == pytest.approx(0.25)
    assert math.isnan(pytrec_eval.compute_aggregated_measure("map", []))


@pytest.mark.parametrize(
    ("measures", "message"),
    [
        ({"nonsense"}, "unsupported measure 'nonsense'; allowed are 11pt_avg"),
        ({"P.0"}, "cutoffs must be above 0"),
        ({"utility_1,0"}, "utility: needs 4 different coefficients, got 0,1"),
        ({"prefs"}, "unsupported measure 'prefs_"),
    ],
)
def test_pytrec_eval_refuses(measures: set[str], message: str) -> None:
    with pytest.raises(MeasureError, match=message):
        pytrec_eval.RelevanceEvaluator({"q": {"d": 1}}, measures)


def test_lines_are_named() -> None:
    with pytest.raises(DataError, match="f_run:2: "):
        pytrec_eval.parse_run(["q1 Q0 d1 1 0.5 t", "q1 Q0 d2 2 t"])
    with pytest.raises(DataError, match="text:2: got 'q1 0 d1'"):
        list(ir_measures.read_trec_qrels("q1 0 d0 1\nq1 0 d1\n"))


def test_measures_are_written_as_there() -> None:
    nDCG, AP, P = ir_measures.nDCG, ir_measures.AP, ir_measures.P  # noqa: N806 - their names
    assert [
        repr(known)
        for known in (nDCG @ 10, AP(rel=2), P(rel=2) @ 5, AP(rel=1), ir_measures.NumRelRet)
    ] == [
        "nDCG@10",
        "AP(rel=2)",
        "P(rel=2)@5",
        "AP",
        "NumRet(rel=1)",
    ]
    assert (
        str(nDCG(dcg="exp-log2", judged_only=True) @ 5) == "nDCG(dcg='exp-log2',judged_only=True)@5"
    )
    assert str(nDCG(gains={2: 3, 1: 1})) == "nDCG(gains={2:3})"
    assert ir_measures.parse_measure("IPrec(rel=2)@0.5") == ir_measures.IPrec(rel=2) @ 0.5
    assert {P @ 5: 1}[P(cutoff=5)] == 1
    assert ir_measures.MRR is ir_measures.RR
    assert ir_measures.parse_trec_measure("ndcg_cut_5,10") == [nDCG @ 5, nDCG @ 10]


@pytest.mark.parametrize(
    ("measure", "message"),
    [
        ("P", "P: cutoff must be an integer; write P@cutoff"),
        ("P(rel='a')@5", "P: rel must be an integer; got 'a'"),
        ("AP(nonsense=1)", "AP: no parameter 'nonsense'; allowed: cutoff, rel, judged_only"),
        ("nDCG(dcg='x')", "dcg must be 'log2' or 'exp-log2'"),
        ("Nonsense@3", "no measure 'Nonsense'; allowed are Accuracy"),
        ("RBP", r"write RBP\(rel=1\)"),
        ("P@5@6", "is not a measure's name"),
    ],
)
def test_measures_that_are_none(measure: str, message: str) -> None:
    with pytest.raises(MeasureError, match=message):
        ir_measures.calc_aggregate([measure], {"q": {"d": 1}}, {"q": {"d": 1.0}})


QRELS = {"a": {"x": 1, "y": 0}, "none": {"x": 0}, "missed": {"x": 1}}
RUNS = {"a": {"y": 2.0, "x": 1.0}, "none": {"x": 1.0}, "unjudged": {"x": 1.0}}


@pytest.mark.parametrize(
    ("undefined", "mean", "topics"),
    [
        (None, 0.5 / 3, {"a": 0.5, "none": 0.0, "missed": 0.0}),
        ("zero", 0.5 / 3, {"a": 0.5, "none": 0.0, "missed": 0.0}),
        ("omit", 0.25, {"a": 0.5, "none": math.nan, "missed": 0.0}),
    ],
)
def test_undefined_by_a_rule(undefined: str | None, mean: float, topics: dict[str, float]) -> None:
    both = ir_measures.calc([ir_measures.AP], QRELS, RUNS, undefined=undefined)
    assert both.aggregated == {ir_measures.AP: mean}
    values = {metric.query_id: metric.value for metric in both.per_query}
    assert values == pytest.approx(topics, abs=0, nan_ok=True)


def test_undefined_is_an_error() -> None:
    with pytest.raises(DataError, match="AP is undefined for topic 'none'"):
        ir_measures.calc([ir_measures.AP], QRELS, RUNS, undefined="error")


def test_inputs_are_alike() -> None:
    pandas = pytest.importorskip("pandas")
    measures = [ir_measures.AP, ir_measures.nDCG @ 5]
    qrels, run = list(ir_measures.read_trec_qrels(text("qrels"))), RUN
    expected = ir_measures.calc_aggregate(measures, qrels, run)
    judged: dict[str, dict[str, int]] = {}
    scored: dict[str, dict[str, float]] = {}
    for row in qrels:
        judged.setdefault(row.query_id, {})[row.doc_id] = row.relevance
    for item in run:
        scored.setdefault(item.query_id, {})[item.doc_id] = item.score
    forms = [
        (iter(qrels), iter(run)),
        (judged, scored),
        (pandas.DataFrame(qrels), pandas.DataFrame(run)),
    ]
    forms.append((DATA / "qrels.txt", DATA / "run.txt"))
    assert [ir_measures.calc_aggregate(measures, *form) for form in forms] == [expected] * len(
        forms
    )


@pytest.mark.parametrize("empty", [[], {}, {"a": {}}])
def test_empty_inputs(empty: Any) -> None:
    assert list(ir_measures.iter_calc(["P@5"], empty, RUNS)) == []
    assert math.isnan(
        ir_measures.calc_aggregate([ir_measures.P @ 5], empty, RUNS)[ir_measures.P @ 5]
    )
    assert {metric.value for metric in ir_measures.iter_calc(["P@5"], QRELS, empty)} == {0.0}


def test_registering_needs_ir_measures(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(__import__("sys").modules, "ir_measures", None)
    with pytest.raises(MissingExtra, match="pip install ir_measures"):
        ir_measures.register()


def test_provider() -> None:
    theirs = pytest.importorskip("ir_measures", reason="ir_measures is not installed")
    measures = [theirs.AP, theirs.nDCG @ 5, theirs.Judged @ 5]
    provider = ir_measures.register(undefined="omit")
    try:
        assert (
            theirs.DefaultPipeline.providers[0] is provider is theirs.providers.registry["precall"]
        )
        values = theirs.calc_aggregate(measures, QRELS, RUNS)
        each = {
            metric.query_id: metric.value for metric in theirs.iter_calc([theirs.AP], QRELS, RUNS)
        }
        assert each == pytest.approx({"a": 0.5, "none": math.nan, "missed": 0.0}, nan_ok=True)
        assert theirs.calc([theirs.AP], QRELS, RUNS).aggregated == {theirs.AP: 0.25}
    finally:
        ir_measures.unregister()
    expected = {theirs.AP: 0.25, theirs.nDCG @ 5: 0.5 / math.log2(3), theirs.Judged @ 5: 2 / 3}
    assert values == pytest.approx(expected)
    ours = ir_measures.PrecallProvider(undefined="omit")
    assert isinstance(ours, theirs.providers.Provider) and ours.supports(theirs.AP(rel=2) @ 5)
    assert ours.calc_aggregate([theirs.AP], QRELS, RUNS) == {theirs.AP: 0.25}
    assert not ours.supports(theirs.define_byquery(lambda qrels, run: 1.0, name="Own"))
    assert theirs.calc_aggregate([theirs.AP], QRELS, RUNS)[theirs.AP] == pytest.approx(0.5 / 3)
