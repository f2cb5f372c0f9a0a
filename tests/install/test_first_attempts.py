"""What users of other libraries write first leads on, with the call that is meant; some of it ended
in a list of everything, or in nothing.
"""

from __future__ import annotations

import re
from typing import Any

import pytest

import precall as pc
from precall.cli.main import run

QRELS = {"q1": {"a": 1, "b": 0}, "q2": {"d": 2, "a": 0}, "q3": {"x": 1, "a": 0}}
A = {topic: {"a": 3.0, "b": 2.0, "d": 1.0, "x": 0.5} for topic in QRELS}
B = {topic: {"a": 1.0, "b": 2.0, "d": 3.0, "x": 0.7} for topic in QRELS}
Y, S, P = [1, 0, 1, 0], [0.9, 0.8, 0.7, 0.1], [1, 0, 0, 0]
#: What the advice is about.
GIVEN: dict[str, Any] = {
    "pc": pc,
    "qrels": QRELS,
    "run": A,
    "labels": Y,
    "truth": Y,
    "references": Y,
    "correct": True,
    "scores": S,
    "score": 0.5,
    "predicted": P,
    "predictions": P,
    "k": 3,
    "curve": pc.curve(Y, S),
    "cases": pc.ScoredCases(),
    "report": pc.evaluate(QRELS, {"A": A, "B": B}, ["AP"]),
    "decisions": pc.decisions(Y, P),
    "result": pc.decisions(Y, P),
}
GIVEN["cases"].add(Y, S)

#: What is written → a call that its error must contain.
PYTHON = {
    # LingPipe
    "cases.addCase(True, .5)": ".add(correct, score)",
    "cases.prCurve()": ".curve().pr() or .curve().points()",
    "cases.averagePrecision()": ".curve().average_precision()",
    "cases.numCases()": "whose .relevant + .other",
    "curve.prCurve(True)": ".pr() or .points()",
    "curve.rocCurve(True)": ".roc(interpolate=True)",
    "curve.averagePrecision()": ".average_precision()",
    "curve.maximumFMeasure()": ".value('MaxF')",
    "curve.prBreakevenPoint()": '.break_even("max-min")',
    "curve.areaUnderPrCurve(True)": '.area_under_pr("interpolated")',
    "curve.precisionAt(10)": ".precision_at(k)",
    # scikit-learn
    "pc.roc_auc_score": "from precall.compat.sklearn import roc_auc_score",
    "pc.decisions(truth, predicted, average='macro')": ".f(average='macro', beta=1)",
    "pc.decisions(truth, scores, threshold=.5)": "pc.curve(labels, scores).at(threshold=0.5)",
    "pc.area_under_roc(labels, scores, max_fpr=.1)": ".value('AUC(max_fpr=0.1)')",
    "curve.plot_roc()": ".plot('roc')",
    # ranx, ir_measures, pytrec_eval
    "pc.compare(qrels, {'A': run}, gains={1: 1})": "measures=['nDCG(gains={1:0.5,2:1})@10']",
    "pc.compare(qrels, [run, run], max_p=.05)": "level=0.95",
    "pc.evaluate(qrels, run, make_comparable=True)": "topics='qrels'",
    "pc.evaluate(qrels, run, return_mean=False)": "report.per_topic",
    "pc.nDCG @ 10": "pc.evaluate(qrels, run, ['nDCG'])",
    "pc.read_trec_run('x')": "pc.read_run(path)",
    # torchmetrics, Hugging Face evaluate
    "cases.update(labels, scores)": ".add(labels, scores)",
    "cases.compute()": ".curve()",
    "pc.RetrievalMAP()": "pc.evaluate(qrels, run, ['MAP'])",
    "pc.BinaryAveragePrecision()": "pc.curve(labels, scores).value('AveragePrecision')",
    "pc.load('f1')": "pc.decisions(references, predictions)",
    "pc.evaluate(predictions=predicted, references=truth)": "pc.decisions(truth, predicted)",
    # names of ours, called otherwise
    "pc.compare.bayes(report, report)": "bayes.decisions(truth, a, b)",
    "pc.compare.ttest(report)": "precall.compare(report, test='t')",
    "pc.null([1, 0, 1])": "null.average_precision(items=2000, relevant=500)",
    "pc.interval.f1(result)": "pc.interval(pc.decisions(truth, predicted), 'f1')",
    "pc.report.html('x')": "precall.report(result, 'page.html')",
    "pc.judge(qrels, qrels)": "pc.judge(people, judge, run)",
}


@pytest.mark.parametrize("written", PYTHON)
def test_python_leads_on(written: str) -> None:
    with pytest.raises((AttributeError, TypeError, pc.UsageError)) as refused:
        eval(written, {**GIVEN})
    assert PYTHON[written] in str(refused.value)


#: Those that are whole calls.
CALLS = [
    advice
    for advice in PYTHON.values()
    if re.match(r"(pc|curve|cases|from)\b", advice)
    and "people" not in advice
    and "path" not in advice
]


@pytest.mark.filterwarnings("ignore::precall.PrecallWarning")
@pytest.mark.parametrize("advice", CALLS)
def test_the_advice_is_a_call_that_works(advice: str) -> None:
    exec(advice, {**GIVEN})


#: What is typed → what the advice must contain.
TYPED = {
    "eval -J q r": "--judged-only",
    "eval -M 100 q r": "--depth 100",
    "eval --complete q r": "--topics qrels",
    "eval --by-query q r": "-q",
    "compare q r r --max-p .05": "--level 0.95",
    "compare q r r --gains 1=1": "nDCG(gains={1:0.5,2:1})@10",
    "ndcg q r": "precall eval -m ndcg QRELS RUN",
    "-m map q r": "precall eval -m AP QRELS RUN",
    "{file}": "precall eval QRELS RUN",
}


@pytest.mark.parametrize("typed", TYPED)
def test_the_command_line_leads_on(typed: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(typed.format(file=__file__).split()) == 2
    assert TYPED[typed] in capsys.readouterr().err


def test_names_that_nobody_knows_have_no_advice() -> None:
    for given in (GIVEN["curve"], GIVEN["cases"], pc):
        with pytest.raises(AttributeError) as refused:
            given.abracadabra  # noqa: B018
        assert "write" not in str(refused.value)
        assert not hasattr(given, "_abracadabra")
