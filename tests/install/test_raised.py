"""What the reference says is raised, is raised: each call that is refused, and the error on the
page of what was called.
"""

from __future__ import annotations

import inspect
import math
from collections.abc import Callable
from typing import Any

import pytest

import precall as pc
from precall import plot
from precall.compat import ir_measures
from precall.compat.lingpipe import ScoredPrecisionRecallEvaluation
from precall.core import errors
from tests.install.test_reference import called, written

QRELS, RUN = {"q": {"a": 1, "b": 0}}, {"q": {"a": 1.0, "b": 1.0}}
CURVE = pc.curve([1, 0, 1], [3.0, 2.0, 1.0])
WEIGHED = pc.curve([1, 0, 1], [3.0, 2.0, 1.0], weights=[0.5, 1, 1])
SCANNED = pc.ScoredCases.scan([([1, 0, 1], [0.9, 0.8, 0.7])])
DECIDED = pc.decisions(["a", "b"], ["a", "a"])
STATUS = pc.categorize(["a", "b", "a"], [[0.9, 0.1], [0.2, 0.8], [0.7, 0.3]])
OTHERS = pc.categorize(["x", "y"], [[0.9, 0.1], [0.2, 0.8]]).thresholds("max-f")
LOCATED = pc.locate(QRELS, RUN, ties="block")
HITS = LOCATED.hits()
CHANCE = pc.null.average_precision(items=2000, relevant=500)
POSTERIOR = pc.compare.bayes.precision(3, 2)

#: What is called → a call that is refused, and how.
REFUSED: dict[str, tuple[Callable[[], Any], type[Exception]]] = {
    "evaluate": (lambda: pc.evaluate(QRELS, RUN, ["AP"], ties="x"), pc.UsageError),
    "curve": (lambda: pc.curve([1], [math.nan]), pc.DataError),
    "average_precision": (lambda: pc.average_precision([1], [math.nan]), pc.DataError),
    "area_under_roc": (lambda: pc.area_under_roc([1, 0], [1.0]), pc.UsageError),
    "compare": (lambda: pc.compare(pc.evaluate(QRELS, RUN, ["AP"])), pc.UsageError),
    "interval": (lambda: pc.interval(CURVE, "x"), pc.UsageError),
    "decisions": (lambda: pc.decisions(["a"], ["b"], categories=["a"]), pc.DataError),
    "report": (lambda: pc.report(3, "page.html"), pc.UsageError),
    "locate": (lambda: pc.locate(QRELS, RUN, ties="x"), pc.UsageError),
    "locate_subtopics": (
        lambda: pc.locate_subtopics([("q", "1", "a", 1)], RUN, ties="x"),
        pc.UsageError,
    ),
    "Ranking.points": (lambda: pc.ranking(["a", "b"], ["a"]).points("x"), pc.MeasureError),
    "Curve.hits": (WEIGHED.hits, pc.UsageError),
    "Curve.points": (lambda: CURVE.points("x"), pc.MeasureError),
    "Curve.measured": (
        lambda: pc.curve([1, 0], [1, 1]).measured(pc.measure("RR"), "block"),
        pc.TiesUnresolved,
    ),
    "Curve.plot": (lambda: CURVE.plot("x"), pc.UsageError),
    "ScoredCases": (lambda: pc.ScoredCases(bins=0), pc.UsageError),
    "ScoredCases.add": (lambda: pc.ScoredCases().add([1], [math.nan]), pc.DataError),
    "ScoredCases.add_missed": (lambda: pc.ScoredCases().add_missed(-1), pc.UsageError),
    "ScoredCases.from_table": (lambda: pc.ScoredCases.from_table(3), pc.UsageError),
    "ScoredCases.merge": (lambda: pc.ScoredCases(bins=2).merge(pc.ScoredCases()), pc.UsageError),
    "ScannedCases.curve": (lambda: SCANNED.curve("x"), pc.UsageError),
    "ScannedCases.in_memory": (lambda: SCANNED.in_memory("points"), pc.UsageError),
    "Decisions.undefined_in": (lambda: DECIDED.undefined_in("x"), pc.MeasureError),
    "Decisions.report": (lambda: DECIDED.report("x"), pc.UsageError),
    "Status.eleven_point": (lambda: STATUS.eleven_point("x"), pc.UsageError),
    "Status.curves": (lambda: list(STATUS.curves("x")), pc.UsageError),
    "Status.decide": (lambda: STATUS.decide(OTHERS), pc.UsageError),
    "Status.measured": (lambda: STATUS.measured(pc.measure("MCC")), pc.MeasureError),
    "Status.by_category": (lambda: STATUS.by_category("x"), pc.MeasureError),
    "ScoredCategories": (lambda: pc.ScoredCategories(["a", "a"]), pc.UsageError),
    "ScoredCategories.curve": (lambda: pc.ScoredCategories(["a"]).curve("x"), pc.UsageError),
    "ScoredCategories.merge": (
        lambda: pc.ScoredCategories(["a"]).merge(pc.ScoredCategories(["x"])),
        pc.UsageError,
    ),
    "ScoredCategories.thresholds": (
        lambda: pc.ScoredCategories(["a"]).thresholds("x"),
        pc.UsageError,
    ),
    "Located.resolve": (lambda: LOCATED.resolve("docno"), pc.UsageError),
    "Located.truncated": (lambda: LOCATED.truncated(1), pc.TiesUnresolved),
    "Hits.within": (lambda: HITS.within(1), pc.TiesUnresolved),
    "Hits.any_within": (lambda: HITS.any_within(1), pc.TiesUnresolved),
    "Hits.needed": (lambda: HITS.needed(2), pc.UsageError),
    "Hits.k_at_recall": (lambda: HITS.k_at_recall(0.5), pc.TiesUnresolved),
    "Hits.precision_at_recall": (lambda: HITS.precision_at_recall(0.5), pc.TiesUnresolved),
    "Hits.precision_sum": (HITS.precision_sum, pc.TiesUnresolved),
    "Hits.reciprocal_first": (HITS.reciprocal_first, pc.TiesUnresolved),
    "null.NullDistribution.cdf": (lambda: CHANCE.cdf("x"), pc.UsageError),
    "null.AveragePrecision.pmf": (CHANCE.pmf, pc.UsageError),
    "null.AveragePrecision.limit": (
        pc.null.average_precision(items=9, relevant=2, cutoff=3).limit,
        pc.UsageError,
    ),
    "null.AveragePrecision.tail": (lambda: CHANCE.tail(math.nan), pc.UsageError),
    "null.AveragePrecision.zhang_su": (
        pc.null.average_precision(items=9, relevant=2, cutoff=3).zhang_su,
        pc.UsageError,
    ),
    "null.Outcome.of": (lambda: pc.null.Outcome.of(math.nan, CHANCE), pc.UsageError),
    "null.SequentialTest.read": (
        lambda: pc.null.sequential(100, 5, 10).read([1], 11),
        pc.UsageError,
    ),
    "compare.power.of_t": (
        lambda: pc.compare.power.of_t(topics=1, difference=0.1, deviation=1),
        pc.UsageError,
    ),
    "compare.bayes.precision": (lambda: pc.compare.bayes.precision(-1, 2), pc.UsageError),
    "compare.bayes.sign": (lambda: pc.compare.bayes.sign([1], [1, 2]), pc.UsageError),
    "compare.bayes.Posterior.interval": (lambda: POSTERIOR.interval(2), pc.UsageError),
    "plot.ROC.from_curve": (lambda: plot.ROC.from_curve(3), pc.UsageError),
    "plot.ROC.from_curves": (lambda: plot.ROC.from_curves([]), pc.UsageError),
    "plot.ROC.from_folds": (lambda: plot.ROC.from_folds([]), pc.UsageError),
    "plot.ConfusionMatrix": (lambda: plot.ConfusionMatrix(3), pc.UsageError),
    "plot.ElevenPoint": (lambda: plot.ElevenPoint({}), pc.UsageError),
    "plot.NullDensity": (lambda: plot.NullDensity([1, 2], [1]), pc.UsageError),
    "plot.SystemMeans.from_intervals": (lambda: plot.SystemMeans.from_intervals({}), pc.UsageError),
    "plot.PairDifferences.from_pairs": (lambda: plot.PairDifferences.from_pairs([]), pc.UsageError),
    "Confusion.shares": (lambda: DECIDED.confusion().shares("x"), pc.UsageError),
    "PerRanking.mean": (lambda: STATUS.by_category("AP").mean("x"), pc.UsageError),
    "compat.ir_measures.Evaluator": (lambda: ir_measures.Evaluator(["x"], QRELS), pc.MeasureError),
    "compat.ir_measures.Measure.validate_params": (
        ir_measures.P(x=3).validate_params,
        pc.MeasureError,
    ),
    "compat.lingpipe.ScoredPrecisionRecallEvaluation.add_misses": (
        lambda: ScoredPrecisionRecallEvaluation().add_misses(-1),
        pc.UsageError,
    ),
    "result.save": (lambda: CURVE.save("curve.x"), pc.UsageError),
}
ERRORS = {name: value for name, value in vars(errors).items() if inspect.isclass(value)}


@pytest.mark.nightly
@pytest.mark.parametrize("name", REFUSED)
def test_what_is_refused_is_said(name: str) -> None:
    refuse, kind = REFUSED[name]
    with pytest.raises(kind) as raised:
        refuse()
    entry = next(one for one in called() if one.name.removeprefix("precall.") == name)
    items = written()[0].results(entry, "Raises")
    said = [ERRORS[word] for item in items for word in item.names[0].split(", ") if word in ERRORS]
    assert any(isinstance(raised.value, one) for one in said), items
