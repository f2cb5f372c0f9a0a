"""Runs on Spark equal those of one machine: however rows are spread over tasks and batches, and by
every convention.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from precall.core.conventions import Conventions
from precall.evaluation.api import measures_of, report_of
from tests.spark.collections import (
    MEASURES,
    Collection,
    asked_of,
    assert_same,
    collections,
    conventions,
    on_one_machine,
    outcome,
)

pa = pytest.importorskip("pyarrow", reason="NOT TESTED: precall.spark, as PyArrow is not installed")


def by_parts(collection: Collection, parts: int, size: int, chosen: dict[str, Any]) -> Any:
    """What tasks and driver make of it: topics spread over tasks, the rows of each in batches of
    some size.
    """
    from precall.spark.topic_answers import Answers
    from precall.spark.topic_parts import Work

    scored, graded = collection
    known = replace(Conventions(**chosen).with_topics(False), lower_is_better=False)
    sign = -1.0 if chosen["lower_is_better"] else 1.0
    rows = [(topic, item, float(grade), True, None) for topic, item, grade in graded]
    rows += [(topic, item, 0.0 + sign * score, False, run) for run, topic, item, score in scored]
    measures, asked, remarks = measures_of(asked_of(chosen), known.grade)
    work = Work(measures, known, max([0, *(grade for *_, grade in graded)]), None, False)
    columns = ("topic", "item", "value", "judged", "run")
    tables = []
    for part in range(parts):
        # Sorted by topic only, which keeps the order of rows.
        own = sorted(
            (row for row in rows if sum(row[0].encode()) % parts == part),
            key=lambda row: row[0].encode(),
        )
        # As Spark may be set to send them.
        text = pa.large_string() if size % 2 else pa.string()
        types = (text, text, pa.float64(), pa.bool_(), text)
        batches = [
            pa.RecordBatch.from_arrays(
                [*map(pa.array, zip(*own[at : at + size], strict=True), types)], columns
            )
            for at in range(0, len(own), size)
        ]
        tables += list(work(batches))
    answers = Answers(pa.Table.from_batches(tables), work, 0)
    runs = [answers.of_run(name, ()) for name in answers.names]
    said = {
        "qrels": "qrels",
        **Conventions(**chosen).with_topics(False).describe(0),
        "scores": known.score_dtype,
    }
    return report_of(runs, measures, asked, known, said, remarks)


@settings(
    deadline=None, max_examples=150, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(
    collections(),
    conventions(),
    st.integers(1, 4),
    st.integers(1, 20),
    st.sampled_from([1, 7, 1 << 18]),
)
def test_parts_make_the_report_of_the_whole(
    monkeypatch: pytest.MonkeyPatch,
    collection: Collection,
    chosen: dict[str, Any],
    parts: int,
    size: int,
    rows: int,
) -> None:
    from precall.spark import topic_parts

    monkeypatch.setattr(topic_parts, "ROWS", rows)
    wanted = outcome(lambda: on_one_machine(collection, asked_of(chosen), **chosen))
    made = outcome(lambda: by_parts(collection, parts, size, chosen))
    if isinstance(wanted, type):
        assert made is wanted
    else:
        assert_same(made, wanted)


@settings(deadline=None, max_examples=5, suppress_health_check=list(HealthCheck), derandomize=True)
@given(collections(), conventions(), st.integers(1, 3))
def test_spark_makes_the_report_of_one_machine(
    session: Any, collection: Collection, chosen: dict[str, Any], parts: int
) -> None:
    from precall.spark import evaluate

    scored, graded = collection
    runs = session.createDataFrame(
        scored, "run string, topic string, item string, score double"
    ).coalesce(parts)
    qrels = session.createDataFrame(graded, "topic string, item string, grade int").repartition(
        parts
    )
    wanted = outcome(lambda: on_one_machine(collection, asked_of(chosen), **chosen))
    made = outcome(lambda: evaluate(runs, qrels, asked_of(chosen), **chosen))
    if isinstance(wanted, type):
        assert made is wanted
    else:
        assert_same(made, wanted)


def test_measures_of_the_law_are_known() -> None:
    assert len(measures_of(MEASURES, 1)[0]) == len(MEASURES)
