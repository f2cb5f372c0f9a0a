"""The public names as a user's type checker sees them; checked by pyright in strict mode, run as a
test.
"""

from __future__ import annotations

from pathlib import Path
from typing import assert_type

import precall as pc
from precall.testing import assert_not_worse

QRELS = {"q1": {"a": 1, "b": 0}, "q2": {"c": 2}}
RUN = {"q1": {"b": 2.0, "a": 1.0}, "q2": {"c": 1.0}}


def steps() -> float:
    """From data to a number, step by step."""
    run, qrels = pc.read_run(RUN), pc.read_qrels(QRELS)
    assert_type(run, pc.Run)
    assert_type(qrels, pc.Qrels)
    located = pc.locate(qrels, run, ties="docno")
    assert_type(located, pc.Located)
    subtopics = [("q1", "1", "a", 1)]
    assert_type(pc.locate_subtopics(subtopics, run), pc.Subtopics)
    hits = located.hits(grade=1)
    assert_type(hits, pc.Hits)
    assert_type(pc.measure("AP"), pc.Measure)
    return float(pc.measure("AP")(hits).mean())


def together() -> float:
    """The same in one call."""
    report = pc.evaluate(QRELS, {"one": RUN, "two": RUN}, ["AP", "nDCG@10"], topics="both")
    assert_type(report, pc.Report)
    return report.mean["one", "AP"]


def listed() -> float:
    """One ranking of ids."""
    ranking = pc.ranking(["a", "b"], ["x", "a"], population=10)
    assert_type(ranking, pc.Ranking)
    return ranking["AP"] + float(ranking.points("MCC").table["F"][1])


def scored() -> float:
    """Scored cases: a curve, its areas, a point of it, cases that are accumulated."""
    curve = pc.curve([1, 0, 1], [3.0, 1.0, 2.0])
    assert_type(curve, pc.Curve)
    assert_type(curve.max_f(), pc.OperatingPoint)
    assert_type(curve.average_precision(), float)
    cases = pc.ScoredCases()
    cases.add([1, 0, 1], [3.0, 1.0, 2.0])
    assert_type(pc.area_under_roc([1, 0], [2.0, 1.0]), float)
    return pc.average_precision([1, 0, 1], [3.0, 1.0, 2.0])


def decided() -> float:
    """Hard decisions, and scores of categories that become decisions."""
    status = pc.categorize(["a", "b"], [[0.9, 0.1], [0.2, 0.8]])
    assert_type(status, pc.Status)
    thresholds = status.thresholds("max-f")
    assert_type(thresholds, pc.Thresholds)
    assert_type(status.decide(thresholds), pc.Decisions)
    found = pc.decisions(["a", "b"], ["a", "a"])
    assert_type(found.f(2.0, "macro"), float)
    assert_type(found.accuracy(), float)
    return assert_type(found.precision(average="micro"), float)


def compared() -> float:
    """What the difference is worth."""
    found = pc.compare(QRELS, {"one": RUN, "two": RUN}, ["AP"])
    assert_type(found, pc.Comparisons)
    a, b = (
        pc.curve([1, 0, 1, 0], scores) for scores in ([3.0, 1.0, 2.0, 1.5], [2.0, 2.5, 3.0, 1.0])
    )
    assert_type(pc.compare(a, b, "AP", resamples=50, groups=[1, 1, 2, 2]), pc.Comparison)
    yes, no = (pc.decisions([1, 0, 1, 0], answers) for answers in ([1, 0, 1, 1], [1, 0, 0, 0]))
    assert_type(pc.compare(yes, no, beta=2.0, resamples=50), pc.Comparison)
    one = pc.compare.paired({"q1": 0.5, "q2": 0.25}, {"q2": 0.5, "q1": 0.25})
    assert_type(one, pc.Comparison)
    assert_type(pc.compare.cases([1, 0], [2.0, 1.0], [1.0, 2.0], "AP"), pc.Comparison)
    assert_type(pc.compare.power.topics(0.5, 1.0), int)
    return one.p * found.pairs[0].p


def bounded() -> float:
    """How far numbers may be off, each kind of thing with its options."""
    curve = pc.curve([1, 0, 1, 0], [3.0, 1.0, 2.0, 1.5])
    assert_type(pc.interval(curve, "AP", resamples=50, groups=[1, 1, 2, 3]), pc.Interval)
    assert_type(pc.interval(curve, beta=2.0)["AP"], pc.Interval)
    decided = pc.decisions([1, 0, 1], [1, 1, 1])
    assert_type(pc.interval(decided, beta=2.0, average="micro")["f"], pc.Interval)
    report = pc.evaluate(QRELS, RUN, ["AP"])
    assert_type(pc.interval(report, resamples=50)["AP"], pc.Interval)
    values = pc.interval([0.25, 0.5, 1.0], "AP", method="t")
    assert_type(values, pc.Interval)
    return values.estimate


def gated(path: Path) -> bool:
    """May one take the place of the other, and is it not worse than it was?"""
    report = pc.evaluate(QRELS, {"one": RUN, "two": RUN}, ["AP"])
    assert_type(report.flat(), dict[str, float])
    (gate,) = pc.compare.gates(report, {"AP": 0.1}).gates
    assert_type(gate.bound, float | None)
    return assert_not_worse(report, path, 0.1, update=True).passed and gate.value == 0


def worth() -> float:
    """What the numbers are worth."""
    found = pc.interval.precision(30, 10)
    assert_type(found, pc.Interval)
    assert_type(pc.interval.mean([0.1, 0.2, 0.3, 0.4] * 25, method="t"), pc.Interval)
    assert_type(found.low, float | None)
    low, high = found.ends
    return low + high


def chance() -> float:
    """Laws under random selection."""
    law = pc.null.average_precision(items=2000, relevant=500)
    assert_type(law, pc.null.AveragePrecision)
    assert_type(law.sf(0.27), float)
    assert_type(law.interval(0.9), pc.null.Range)
    found = pc.null.test(pc.Hits.of([1, 2], retrieved=9, relevant=2))
    assert_type(found, pc.null.Significance)
    return found.p


def shown(path: Path) -> Path:
    """A page to pass on."""
    return assert_type(pc.report(pc.curve([1, 0], [2.0, 1.0]), path), Path)


def errors() -> list[type[Exception]]:
    return [
        pc.PrecallError,
        pc.UsageError,
        pc.MeasureError,
        pc.DataError,
        pc.NoCommonTopic,
        pc.TiesUnresolved,
        pc.MissingExtra,
        pc.KernelMissing,
        pc.PrecallWarning,
    ]


def version() -> tuple[str, dict[str, str]]:
    return pc.__version__, pc.about()
