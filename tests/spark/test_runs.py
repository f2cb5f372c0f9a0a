"""`precall.spark.evaluate`: real runs, their columns and ids, and what comes back."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import precall as pc
from precall.core.notes.of_intervals import FewValues
from precall.core.notes.of_reading import ColumnsRead, NoGrades
from tests.noticed import noticed, warned
from tests.spark.collections import MEASURES, assert_same

DIGITS = Path(__file__).resolve().parents[2] / "examples/digits"
QRELS = [("q1", "a", 1), ("q1", "b", 0), ("q2", "c", 2), ("q3", "a", 1)]
#: q3 is missing, q9 is not judged; a and b are tied.
RUN = [("q1", "a", 1.0), ("q1", "b", 1.0), ("q2", "x", 3.0), ("q2", "c", 2.0), ("q9", "a", 1.0)]


def frames(session: Any, run: Any = RUN, qrels: Any = QRELS) -> tuple[Any, Any]:
    return (
        session.createDataFrame(run, "topic string, item string, score double").repartition(3),
        session.createDataFrame(qrels, "topic string, item string, grade int"),
    )


def read(session: Any, name: str) -> Any:
    fields = "topic string, z string, item string, " + (
        "grade int" if "qrels" in name else "r int, score double, tag string"
    )
    return session.read.csv(str(DIGITS / name), sep=" ", schema=fields)


@pytest.fixture(scope="module")
def evaluated(session: Any) -> Any:
    from precall.spark import evaluate

    with warned(FewValues) as told:
        found = evaluate(*frames(session), ["AP", "nDCG@10"], topics="qrels", interval=True)
    assert {(note.values_seen, note.noun) for note in told} == {(3, "topics")}
    return found


@pytest.mark.parametrize("ties", ["docno", "random"])
def test_runs_of_digits(session: Any, ties: str) -> None:
    from precall.spark import evaluate

    names = ["pixels", "profiles"]
    runs = {name: read(session, f"{name}.run").drop("z", "r", "tag") for name in names}
    qrels = read(session, "digits.qrels").drop("z").repartition(3)
    made = evaluate(runs, qrels, MEASURES, ties=ties, topics="qrels", judged_only=True, rng=7)
    paths = {name: str(DIGITS / f"{name}.run") for name in names}
    wanted = pc.evaluate(
        str(DIGITS / "digits.qrels"),
        paths,
        MEASURES,
        ties=ties,
        topics="qrels",
        judged_only=True,
        rng=7,
    )
    assert_same(made, wanted)
    assert pc.compare(made, measures="AP").to_csv() == pc.compare(wanted, measures="AP").to_csv()


def test_counts_notes_and_forms_are_those_of_a_report(evaluated: Any) -> None:
    with warned(FewValues):
        wanted = pc.evaluate(QRELS, RUN, ["AP", "nDCG@10"], topics="qrels", interval=True)
    counts = evaluated.runs[0].counts
    assert (counts.topics, counts.missing, counts.unjudged, counts.tied) == (3, 1, 1, 1)
    assert str(evaluated).replace("qrels qrels", "") == str(wanted).replace("qrels rows", "")
    assert evaluated.to_csv() == wanted.to_csv() and evaluated["AP"] == wanted["AP"]
    assert evaluated.notes() == wanted.notes() and evaluated.bounds("run", "AP") == wanted.bounds(
        "run", "AP"
    )


def test_topics_come_back_as_a_data_frame(evaluated: Any) -> None:
    rows = {row["topic"]: row.asDict() for row in evaluated.topics.collect()}
    assert list(rows) == ["q1", "q2", "q3", "q9"] and {row["run"] for row in rows.values()} == {
        "run"
    }
    of = {name: [row[name] for row in rows.values()] for name in rows["q1"]}
    assert of["in_qrels"] == of["averaged"] == [True, True, True, False]
    assert of["in_run"] == [True, True, False, True] and of["tied"] == [True, False, False, False]
    assert (
        of["retrieved"] == [2, 2, 0, 1]
        and of["relevant"] == [1, 1, 1, 0]
        and of["found"] == [2, 1, 0, 0]
    )
    assert of["AP"] == [*evaluated.runs[0].values[0].tolist(), None]


def test_a_column_tells_runs_apart_and_integers_are_ids(session: Any) -> None:
    from precall.spark import evaluate

    scored = [("b", 1, 7, 2), ("b", 1, 8, 1), ("a", 1, 8, 3), ("a", 20, 7, 1)]
    runs = session.createDataFrame(
        scored, "system string, `query.id` int, docno bigint, score bigint"
    )
    qrels = session.createDataFrame(
        [("1", "8", 1.0), ("20", "7", 0.0), ("20", "9", 2.0)],
        "qid string, docno string, relevance double",
    )
    made = evaluate(runs, qrels, ["AP", "Bpref"], topics="qrels")
    by_name = {
        name: [
            (str(topic), str(item), float(score))
            for run, topic, item, score in scored
            if run == name
        ]
        for name in ("a", "b")
    }
    wanted = pc.evaluate(
        [("1", "8", 1), ("20", "7", 0), ("20", "9", 2)], by_name, ["AP", "Bpref"], topics="qrels"
    )
    assert_same(made, wanted)
    assert any(("query.id", "topic") in note.columns for note in noticed(made, ColumnsRead))
    columns = {"topic": "query.id", "item": "docno", "score": "score"}
    named = evaluate(
        runs, qrels.toDF("query.id", "docno", "grade"), ["AP"], run="system", columns=columns
    )
    assert named.mean["b", "AP"] == 0.5


@pytest.mark.parametrize("policy", ["first", "last", "best"])
def test_duplicates_are_kept_as_on_one_machine(session: Any, policy: str) -> None:
    from precall.spark import evaluate

    scored = [*RUN, ("q1", "b", 5.0), ("q1", "a", 0.5), ("q2", "c", 2.0)]
    graded = [("q1", "a", 0), ("q1", "a", 3), ("q2", "c", 1), ("q2", "c", 1), ("q1", "b", 1)]
    run, _ = frames(session, scored)
    qrels = session.createDataFrame(graded, "topic string, item string, grade int")
    measures = ["ERR", "nDCG", "AP"]
    made = evaluate(run, qrels, measures, duplicates=policy, ties="input")
    rows = [tuple(row) for row in run.collect()]
    assert_same(
        made,
        pc.evaluate(
            [tuple(row) for row in qrels.collect()], rows, measures, duplicates=policy, ties="input"
        ),
    )
    assert made.runs[0].counts.dropped == 3 and made.runs[0].counts.judgements_dropped == 2


def test_distances_ranks_and_qrels_without_grades(session: Any) -> None:
    from precall.spark import evaluate

    near = session.createDataFrame(RUN, "topic string, item string, distance float")
    qrels = session.createDataFrame([row[:2] for row in QRELS], "topic string, item string")
    made = evaluate(near, qrels, ["AP"], lower_is_better=True, columns={"score": "distance"})
    wanted = pc.evaluate([(*row[:2], 1) for row in QRELS], RUN, ["AP"], lower_is_better=True)
    assert made.mean["AP"] == wanted.mean["AP"]
    assert noticed(made, NoGrades)
    ranked = session.createDataFrame(
        [("q1", "a", 2), ("q1", "b", 1)], "topic string, item string, rank int"
    )
    assert evaluate(ranked, qrels.where("item = 'b'"), ["RR"]).mean["RR"] == 1.0


def test_many_rows_of_one_topic(session: Any) -> None:
    from precall.spark import evaluate

    count = 300_000
    text = (
        "select 'big' topic, cast(id as string) item, cast(pmod(hash(id), 1000) as double) score "
        f"from range({count})"
    )
    graded = [("big", str(item), 1 + item % 3) for item in range(0, count, 9973)]
    run, (_, qrels) = session.sql(text), frames(session, qrels=[*graded, ("small", "a", 1)])
    made = evaluate(run, qrels, ["AP", "nDCG@1000"])
    items = np.arange(count).astype(str).tolist()
    scores = [row[2] for row in run.orderBy(run["item"].cast("int")).collect()]
    wanted = pc.evaluate(
        graded, list(zip(["big"] * count, items, scores, strict=True)), ["AP", "nDCG@1000"]
    )
    assert made.runs[0].values.tobytes() == wanted.runs[0].values.tobytes()
