"""What `precall.spark.evaluate` refuses: with how many rows there are, the first of them, and what
to do.
"""

from __future__ import annotations

from typing import Any

import pytest

import precall as pc
from precall.core.notes.of_reading import NothingJudged
from tests.noticed import warned
from tests.spark.test_runs import QRELS, RUN, frames

NAN = float("nan")
LACKING = [*RUN, ("q1", "n", None), *(("q2", f"m{i}", None) for i in range(30))]
ROWS = {
    "null score": (LACKING, QRELS, 31, "item 'n': the score is null (so are 19 more; 31"),
    "nan": ([*RUN, ("q2", "n", NAN)], QRELS, 1, "run: topic 'q2', item 'n': score is NaN"),
    "null topic": ([*RUN, (None, "n", 1.0)], QRELS, 1, "item 'n': the topic is null"),
    "null item": (
        [*RUN, ("q2", None, 1.0), ("q2", None, 1.0)],
        QRELS,
        2,
        "topic 'q2', item 'null': the item is null",
    ),
    "null grade": (
        RUN,
        [*QRELS, ("q1", "n", None)],
        1,
        "qrels: topic 'q1', item 'n': the grade is null",
    ),
    "twice": (
        [*RUN, RUN[0], RUN[0], RUN[3]],
        QRELS,
        3,
        "'a' twice (so are 2 more; 3 problems in all); remove one",
    ),
    "conflict": (RUN, [*QRELS, ("q2", "c", 1)], 1, "qrels: topic 'q2' has item 'c' with grade"),
    "both": (
        [*RUN, ("q1", "n", NAN)],
        [*QRELS, ("q1", "n", None)],
        2,
        "qrels: topic 'q1', item 'n': the grade is null",
    ),
}


@pytest.mark.parametrize("what", ROWS)
def test_rows(session: Any, what: str) -> None:
    from precall.spark import evaluate

    run, qrels, total, text = ROWS[what]
    with pytest.raises(pc.DataError) as refused:
        evaluate(*frames(session, run, qrels), ["AP"])
    assert refused.value.total == total and text in str(refused.value)


def test_other_values(session: Any) -> None:
    from precall.spark import evaluate

    run, qrels = frames(session)
    with pytest.raises(pc.DataError, match=r"grade 0\.5 is no whole number, and Spark"):
        evaluate(run, qrels.selectExpr("topic", "item", "grade / 2 as grade"), ["AP"])
    with pytest.raises(pc.DataError, match="beyond 32 bits"):
        evaluate(run, qrels.selectExpr("topic", "item", "grade * 3000000000 as grade"), ["AP"])
    with pytest.raises(pc.DataError, match="score 9007199254740994 is not exact"):
        evaluate(
            run.selectExpr("topic", "item", "cast(9007199254740993 as bigint) + 1 as score"),
            qrels,
            ["AP"],
        )
    with pytest.raises(pc.DataError, match="score 9007199254740992 is not exact"):
        evaluate(
            run.selectExpr("topic", "item", "cast(9007199254740993 as decimal(38, 0)) as score"),
            qrels,
            ["AP"],
        )
    with pytest.raises(pc.DataError, match="beyond float32"):
        evaluate(
            run.selectExpr("topic", "item", "score * 1e300 as score"),
            qrels,
            ["AP"],
            score_dtype="float32",
        )


def test_columns_and_choices(session: Any) -> None:
    from precall.spark import evaluate

    run, qrels = frames(session)
    for given, text in {
        "no_item": (run.drop("item"), "no column 'item'"),
        "no_score": (
            run.drop("score"),
            "no column of scores, and the rows of a DataFrame have no order",
        ),
        "texts": (
            run.selectExpr("topic", "item", "'1' as score"),
            "column 'score' holds string, allowed are numbers",
        ),
        "floats": (
            run.selectExpr("1.5D as topic", "item", "score"),
            "column 'topic' holds double, allowed are strings or integers",
        ),
    }.values():
        with pytest.raises(pc.DataError, match=text):
            evaluate(given, qrels, ["AP"])
    with pytest.raises(pc.UsageError, match="allowed is a DataFrame of Spark"):
        evaluate({"q1": {"a": 1.0}}, qrels, ["AP"])
    with pytest.raises(pc.UsageError, match="order: is not known here; allowed are ties"):
        evaluate(run, qrels, ["AP"], order="docno")
    with pytest.raises(pc.TiesUnresolved):
        evaluate(run, qrels, ["nDCG@1", "Bpref"], ties="block")
    with pytest.raises(pc.DataError, match="is undefined for topic 'q0'"):
        evaluate(
            run,
            qrels.unionAll(session.createDataFrame([("q0", "a", 0)], qrels.schema)),
            ["AP"],
            topics="qrels",
            undefined="error",
        )


def test_nothing_in_common(session: Any) -> None:
    from precall.spark import evaluate

    run, qrels = frames(session)
    with pytest.raises(pc.NoCommonTopic, match=r"\(run: 'q1', 'q2', 'q9'; qrels: 'x'\)"):
        evaluate(
            run, qrels.selectExpr("'x' as topic", "concat(topic, item) as item", "grade"), ["AP"]
        )
    with pytest.raises(pc.DataError, match="run: no data row, a run has at least one"):
        evaluate(run.where("false"), qrels, ["AP"])
    with pytest.raises(pc.DataError, match="qrels: no data row"):
        evaluate(run, qrels.where("false"), ["AP"])
    with warned(NothingJudged) as told:
        evaluate(run, qrels.selectExpr("topic", "concat('doc-', item) as item", "grade"), ["AP"])
    assert [(note.retrieved, note.judged) for note in told] == [("a", "doc-a")]
