"""The public names as a user's type checker sees them; checked by pyright in strict mode, run as a test."""

from __future__ import annotations

from typing import assert_type

import precall as pc

QRELS = {"q1": {"a": 1, "b": 0}, "q2": {"c": 2}}
RUN = {"q1": {"b": 2.0, "a": 1.0}, "q2": {"c": 1.0}}


def steps() -> float:
    """From data to a number, step by step."""
    run, qrels = pc.read_run(RUN), pc.read_qrels(QRELS)
    assert_type(run, pc.Run)
    assert_type(qrels, pc.Qrels)
    located = pc.locate(qrels, run, ties="docno")
    assert_type(located, pc.Located)
    hits = located.hits(grade=1)
    assert_type(hits, pc.Hits)
    assert_type(pc.measure("AP"), pc.Measure)
    return float(pc.measure("AP")(hits).mean())


def together() -> float:
    """The same in one call."""
    report = pc.evaluate(QRELS, {"one": RUN, "two": RUN}, ["AP", "nDCG@10"], topics="both")
    assert_type(report, pc.Report)
    return report.mean["one", "AP"]


def chance() -> float:
    """Laws under random selection."""
    law = pc.null.average_precision(items=2000, relevant=500)
    assert_type(law, pc.null.AveragePrecision)
    assert_type(law.sf(0.27), float)
    assert_type(law.interval(0.9), pc.null.Range)
    found = pc.null.test(pc.Hits.of([1, 2], retrieved=9, relevant=2))
    assert_type(found, pc.null.Significance)
    return found.p


def errors() -> list[type[Exception]]:
    return [
        pc.PrecallError, pc.UsageError, pc.MeasureError, pc.DataError, pc.NoCommonTopic,
        pc.TiesUnresolved, pc.MissingExtra, pc.KernelMissing, pc.PrecallWarning,
    ]  # fmt: skip


def version() -> tuple[str, dict[str, str]]:
    return pc.__version__, pc.about()
