"""Data as people have them: the natural calls of rankings, with values computed by hand."""

from __future__ import annotations

import io
import json
import math
import sys

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import precall as pc
from precall.cli.main import run as command
from precall.core.errors import DataError, UsageError
from precall.core.notes.of_reading import AllTopicsCount
from tests.noticed import noticed, shown
from tests.peers import peer

pandas = peer("pandas", "pandas is not installed: no column was read")
polars = peer("polars", "Polars is not installed: no column was read")
pytrec_eval = peer("pytrec_eval", "pytrec_eval is not installed: no peer was asked")
pyarrow = peer("pyarrow", "PyArrow is not installed: no table was read")


#: By hand: q1 finds a at rank 2 and misses b within 2, q2 finds c at rank 1, q3 has no results.
MEASURES = ["Recall@2", "MRR", "HitRate@2", "P@2"]
VALUES = [(1 / 2 + 1 + 0) / 3, (1 / 2 + 1 + 0) / 3, 2 / 3, (1 / 2 + 1 / 2 + 0) / 3]
GOLD = {"q1": ["a", "b"], "q2": ["c"], "q3": ["d"]}
RETRIEVED = {"q1": ["x", "a", "b"], "q2": ["c", "y"], "q3": []}
ROWS = [
    {"query": query, "retrieved": RETRIEVED[query], "gold": GOLD[query], "extra": 1}
    for query in GOLD
]
ALL_COUNT = AllTopicsCount("")
#: Ids as integers, as indices of vectors have them.
NUMBER = {"a": 1, "b": 2, "c": 3, "d": 4, "x": 7, "y": 8}


def numbers(lists):
    return [[NUMBER[item] for item in ids] for ids in lists]


LISTS = {
    "lists": (GOLD, RETRIEVED),
    "sets": ({q: set(ids) for q, ids in GOLD.items()}, RETRIEVED),
    "frozen sets": ({q: frozenset(ids) for q, ids in GOLD.items()}, RETRIEVED),
    "tuples": (
        {q: tuple(ids) for q, ids in GOLD.items()},
        {q: tuple(ids) for q, ids in RETRIEVED.items()},
    ),
    "arrays": (
        {q: np.array(ids) for q, ids in GOLD.items()},
        {q: np.array(ids, dtype=object) for q, ids in RETRIEVED.items()},
    ),
    "keys": (GOLD, {q: dict.fromkeys(ids).keys() for q, ids in RETRIEVED.items()}),
    "grades": ({q: dict.fromkeys(ids, 1) for q, ids in GOLD.items()}, RETRIEVED),
    "other grades": ({q: {**dict.fromkeys(ids, 2), "z": 0} for q, ids in GOLD.items()}, RETRIEVED),
    "scores": (
        GOLD,
        {q: {item: 1 / (i + 1) for i, item in enumerate(ids)} for q, ids in RETRIEVED.items()},
    ),
    "a query without results": (GOLD, {"q1": ["x", "a", "b"], "q2": ["c", "y"]}),
    "a query without judgements": (GOLD, {**RETRIEVED, "q9": ["a"]}),
    "lists of lists": (list(GOLD.values()), list(RETRIEVED.values())),
    "lists of sets": (list(map(set, GOLD.values())), list(RETRIEVED.values())),
    "lists of integers": (numbers(GOLD.values()), numbers(RETRIEVED.values())),
    "lists of grades": ([dict.fromkeys(ids, 1) for ids in GOLD.values()], list(RETRIEVED.values())),
    "tuples of gold": (list(map(tuple, GOLD.values())), list(RETRIEVED.values())),
    "series": (pandas.DataFrame(ROWS)["gold"], pandas.DataFrame(ROWS)["retrieved"]),
    "named series": (pandas.Series(GOLD), pandas.Series(RETRIEVED)),
    "series and lists": (pandas.Series(list(GOLD.values())), list(RETRIEVED.values())),
    "series of polars": (polars.DataFrame(ROWS)["gold"], polars.DataFrame(ROWS)["retrieved"]),
    "numbers by query": (
        dict(enumerate(numbers(GOLD.values()))),
        dict(enumerate(numbers(RETRIEVED.values()))),
    ),
    "read before": (pc.read_qrels(GOLD), pc.read_run(RETRIEVED)),
    "rows": pc.read_lists(ROWS),
    "a frame of pandas": pc.read_lists(pandas.DataFrame(ROWS)),
    "a frame of polars": pc.read_lists(polars.DataFrame(ROWS)),
    "a table of arrow": pc.read_lists(pyarrow.table(polars.DataFrame(ROWS))),
    "rows without queries": pc.read_lists(
        [{"gold": row["gold"], "retrieved": row["retrieved"]} for row in ROWS]
    ),
    "names of ragas": pc.read_lists(
        [
            {
                "user_input": row["query"],
                "retrieved_context_ids": row["retrieved"],
                "reference_context_ids": row["gold"],
            }
            for row in ROWS
        ]
    ),
}


@pytest.mark.parametrize("name", LISTS)
def test_lists(name):
    gold, retrieved = LISTS[name]
    report = pc.evaluate(gold, retrieved, MEASURES)
    assert [report.mean[measure] for measure in MEASURES] == pytest.approx(VALUES, abs=1e-15)
    assert report.runs[0].counts.topics == 3 and report.conventions["topics"] == "qrels"
    assert noticed(report, AllTopicsCount) and shown(str(report), ALL_COUNT)


def test_columns_of_duckdb():
    duckdb = pytest.importorskip("duckdb")
    relation = duckdb.from_arrow(pyarrow.table(polars.DataFrame(ROWS)))
    assert pc.evaluate(*pc.read_lists(relation), "MRR")["MRR"] == 0.5
    assert pc.evaluate(relation["gold"], relation["retrieved"], "MRR")["MRR"] == 0.5
    scored = duckdb.sql(
        "select * from (values (1, 0.9, 'x'), (0, 0.5, 'y'), (1, 0.3, 'x')) t(y, s, kind)"
    )
    # By hand: hits at ranks 1 and 3.
    assert pc.average_precision(scored["y"], scored["s"]) == pytest.approx((1 + 2 / 3) / 2)
    assert pc.decisions(scored["kind"], scored["kind"]).value("Accuracy") == 1


@pytest.mark.filterwarnings("ignore::precall.core.notes.of_intervals.FewValuesWarning")
def test_three_lines_with_intervals():
    report = pc.evaluate(
        GOLD, RETRIEVED, ["Recall@5", "MRR", "nDCG@10", "HitRate@3"], interval=True
    )
    # q1: hits at ranks 2 and 3; ideal 1 and 2.
    first = (1 / math.log2(3) + 1 / math.log2(4)) / (1 + 1 / math.log2(3))
    assert report["nDCG@10"] == pytest.approx((first + 1 + 0) / 3)
    assert report["Recall@5"] == pytest.approx(2 / 3) and report["HitRate@3"] == pytest.approx(
        2 / 3
    )
    interval = report.bounds("run", "R@5")
    assert interval.low < 2 / 3 < interval.high


IDS = st.lists(st.integers(0, 12), unique=True, max_size=9)


@settings(max_examples=40)
@given(st.lists(st.tuples(IDS.filter(bool), IDS), min_size=1, max_size=6), st.booleans())
def test_lists_are_what_a_peer_makes_of_dicts(pairs, texts):
    of = str if texts else int
    gold = [list(map(of, ids)) for ids, _ in pairs]
    retrieved = [list(map(of, ids)) for _, ids in pairs]
    qrels = {str(i): {str(item): 1 for item in ids} for i, ids in enumerate(gold)}
    run = {
        str(i): {str(item): -float(rank) for rank, item in enumerate(ids)}
        for i, ids in enumerate(retrieved)
        if ids
    }
    theirs = pytrec_eval.RelevanceEvaluator(
        qrels, {"recall.5", "recip_rank", "ndcg_cut.10", "success.3"}
    ).evaluate(run)
    ours = pc.evaluate(gold, retrieved, ["Recall@5", "MRR", "nDCG@10", "HitRate@3"])
    for name, theirs_name in zip(
        ours.asked, ["recall_5", "recip_rank", "ndcg_cut_10", "success_3"], strict=True
    ):
        total = sum(values[theirs_name] for values in theirs.values())
        assert ours[name] == pytest.approx(total / len(gold), abs=1e-12)
    by_query = dict(enumerate(gold)), dict(enumerate(map(tuple, retrieved)))
    assert pc.evaluate(*by_query, list(ours.asked)).mean == ours.mean


def test_grades_count():
    report = pc.evaluate({"q": {"a": 3, "b": 1}}, {"q": ["b", "a"]}, "nDCG")
    assert report["nDCG"] == pytest.approx((1 + 3 / math.log2(3)) / (3 + 1 / math.log2(3)))
    rows = [{"query": "q", "retrieved": ["b", "a"], "gold": ["a", "b"], "grades": [3, 1]}]
    assert pc.evaluate(*pc.read_lists(rows), "nDCG")["nDCG"] == report["nDCG"]


@pytest.mark.parametrize("third", [1, 2, 100])
def test_a_third_element_is_no_grade(third):
    # By hand: of three relevant items one is found, at rank 1.
    report = pc.evaluate([[1, 2, third + 2]], [[1, 50, 60]], ["Recall@3", "MRR"])
    assert report["Recall@3"] == pytest.approx(1 / 3) and report["MRR"] == 1
    report = pc.evaluate([["a", "b", "c"]], [["a", "x", "y"]], ["Recall@3", "MRR"])
    assert report["Recall@3"] == pytest.approx(1 / 3) and report["MRR"] == 1


def test_matrices_of_ids():
    neighbours = np.array([[7, 1, 2], [3, 8, 9]])
    report = pc.evaluate([[1, 2], [3]], neighbours, ["Recall@2", "MRR"])
    assert (report["Recall@2"], report["MRR"]) == (0.75, 0.75)
    assert pc.evaluate(np.array([[1, 2], [3, 4]]), neighbours, "Recall@2")["Recall@2"] == 0.5


def test_rows_are_still_rows():
    qrels, run = [("q1", "a", 1), ("q1", "b", 0)], [("q1", "b", 2.0), ("q1", "a", 1.0)]
    assert pc.evaluate(qrels, run, "MRR")["MRR"] == 0.5
    assert pc.evaluate(qrels, {"one": run, "two": run}, "MRR")["two", "MRR"] == 0.5


SYSTEMS = {"one": RETRIEVED, "two": {"q1": ["a", "b"], "q2": ["c"], "q3": ["d"]}}


def test_several_systems():
    report = pc.evaluate(GOLD, SYSTEMS, MEASURES)
    assert [report["one", measure] for measure in MEASURES] == pytest.approx(VALUES)
    assert report["two", "Recall@2"] == 1
    by_place = {name: list(lists.values()) for name, lists in SYSTEMS.items()}
    again = pc.evaluate(list(GOLD.values()), by_place, MEASURES)
    assert again.mean == report.mean
    pair = pc.compare(GOLD, SYSTEMS, "MRR").pairs[0]
    assert pair.difference == pytest.approx(0.5 - 1)
    assert noticed(pc.compare(GOLD, SYSTEMS, "MRR"), AllTopicsCount)


def test_a_page_of_lists(tmp_path):
    page = pc.report.runs(GOLD, SYSTEMS, tmp_path / "page.html", "MRR", chance="none")
    assert ALL_COUNT in page.read_text(encoding="utf-8")


def test_topics_as_asked():
    some = {"q1": ["x", "a"], "q2": ["c"]}
    assert pc.evaluate(GOLD, some, "MRR", topics="both")["MRR"] == 0.75
    assert not noticed(pc.evaluate(GOLD, some, "MRR", topics="both"), AllTopicsCount)
    dicts = {"q1": {"a": 1}, "q2": {"b": 1}}
    assert pc.evaluate(dicts, {"q1": {"a": 1.0}}, "MRR").conventions["topics"] == "both"


def test_repeated_ids():
    gold, retrieved = {"q": ["a", "a", "b"]}, {"q": ["x", "a", "x", "b"]}
    with pytest.raises(
        DataError,
        match=r"topic 'q' has item 'x' twice \(at ranks 1 and 3\); remove one or pass dup",
    ):
        pc.evaluate(gold, retrieved)
    # x a b | a x b
    assert pc.evaluate(gold, retrieved, "AP", duplicates="first")["AP"] == pytest.approx(
        (1 / 2 + 2 / 3) / 2
    )
    assert pc.evaluate(gold, retrieved, "AP", duplicates="best")["AP"] == pytest.approx(
        (1 / 2 + 2 / 3) / 2
    )
    assert pc.evaluate(gold, retrieved, "AP", duplicates="last")["AP"] == pytest.approx(
        (1 + 2 / 3) / 2
    )
    counts = pc.evaluate(gold, retrieved, "AP", duplicates="last").runs[0].counts
    assert (counts.dropped, counts.judgements_dropped) == (1, 1)


@pytest.mark.parametrize(
    ("gold", "retrieved", "expected"),
    [
        (
            GOLD,
            {"q1": {"a", "b"}},
            "what was retrieved is a set, which has no order; give its items in a list",
        ),
        (
            GOLD,
            {"q1": [("a", 0.5), ("b", 0.4)]},
            "pass {id: score} for ids with scores, or the ids alone in order",
        ),
        (GOLD, {"q1": [{"id": "a"}]}, "give the id of each, in order, such as [hit['id'] for hit"),
        # What semantic_search of sentence-transformers returns.
        (GOLD, {"q1": [{"corpus_id": "a", "score": 0.5}]}, "[hit['corpus_id'] for hit in hits]"),
        (GOLD, {"q1": ["a", None]}, "holds None (NoneType); give ids, which are texts or integers"),
        (
            GOLD,
            {"q1": "a", "q2": "c"},
            "run: topic 'q1' holds the text 'a'; give each topic a list of items, best first",
        ),
        (
            {"q1": "a"},
            RETRIEVED,
            "topic 'q1' holds an object of type str, allowed is a dict or a list of items",
        ),
        (
            ["a", "b"],
            [["a"], ["b"]],
            "the gold is a list of ids such as 'a' (str), each query needs a list of its own",
        ),
        (
            [["a"], ["b"]],
            ["a", "b"],
            "run 'a' is 'a' (str), which is read as a path; pass [[id] for id in run]",
        ),
        (
            "news.qrels",
            [["a"], ["b"]],
            "run 'run' is one, and the gold is 'news.qrels' (str), which is read as a path",
        ),
        ([["a"]], [["a"], ["b"]], "the gold has 1, run 'run' has 2; give every query a list"),
        ([["q1", "a", 1]], [["q1", "a", 5]], "rows (topic, item, value) are tuples in a list"),
        (
            {"q1": [1.5]},
            RETRIEVED,
            "topic 'q1': a list of ids holds 1.5 (float); give ids, which are texts or integers",
        ),
        (
            GOLD,
            {"q1": [1j, "a"]},
            "a list of ids holds 1j (complex); give the id of each, in order, such as [hit.id",
        ),
    ],
)
def test_what_lists_are_not(gold, retrieved, expected):
    with pytest.raises((DataError, UsageError)) as caught:
        pc.evaluate(gold, retrieved, "MRR")
    assert expected in str(caught.value) and len(str(caught.value).splitlines()) == 1


def test_quick_and_careful_agree():
    quick = pc.read_run(RETRIEVED)
    careful = pc.read_run({query: np.array(ids, object) for query, ids in RETRIEVED.items()})
    for field in ("row_start", "score"):
        assert np.array_equal(getattr(quick, field), getattr(careful, field))
    assert (
        quick.topics.tolist() == careful.topics.tolist()
        and quick.items.tolist() == careful.items.tolist()
    )
    umlauts = pc.read_run({"ü": ["ä", "b", "é"]})
    assert (umlauts.topics.tolist(), umlauts.items.tolist()) == (["ü"], ["ä", "b", "é"])


def test_files_of_lists(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "rag.jsonl").write_text(
        "".join(json.dumps(row) + "\n" for row in ROWS), encoding="utf-8"
    )
    polars.DataFrame(ROWS).write_parquet("rag.parquet")
    (tmp_path / "rag.json").write_text(json.dumps(ROWS), encoding="utf-8")
    for path in ("rag.jsonl", "rag.json", "rag.parquet"):
        gold, run = pc.read_lists(path)
        assert (gold.source, run.name) == (path, "rag")
        assert [pc.evaluate(gold, run, MEASURES)[name] for name in MEASURES] == pytest.approx(
            VALUES
        )


@pytest.mark.parametrize(
    ("row", "expected"),
    [
        ({"query": "q1"}, "rag.jsonl:2: query 'q1' is there twice (first at line 1)"),
        ({"query": None}, "rag.jsonl:2: query None (NoneType) is no id"),
        (
            {"gold": "a"},
            'rag.jsonl:2: gold \'a\' (str) is not a list; write a list of ids such as ["d1", "d2"]',
        ),
        ({"retrieved": None}, "rag.jsonl:2: retrieved None (NoneType) is not a list"),
        ({"retrieved": ["a", "a"]}, "rag.jsonl: query 'q2' has item 'a' twice (at ranks 1 and 2)"),
        ({"grades": [1, 2]}, "gold and grades are no two lists of one length"),
    ],
)
def test_what_rows_of_lists_are_not(tmp_path, monkeypatch, row, expected):
    monkeypatch.chdir(tmp_path)
    rows = [dict(part) for part in ROWS]
    if "grades" in row:
        rows = [{**part, "grades": [1] * len(part["gold"])} for part in rows]
    rows[1] |= row
    (tmp_path / "rag.jsonl").write_text(
        "".join(json.dumps(part) + "\n" for part in rows), encoding="utf-8"
    )
    with pytest.raises(DataError) as caught:
        pc.read_lists("rag.jsonl")
    assert expected in str(caught.value) and len(str(caught.value).splitlines()) == 1


def test_a_column_without_lists_is_one_problem(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    rows = [{**row, "gold": str(row["gold"])} for row in ROWS]
    with pytest.raises(
        DataError,
        match="rows, row 1: gold .* is not a list .as on rows 2, 3; 3 problems in all.; write",
    ) as caught:
        pc.read_lists(rows)
    assert len(str(caught.value).splitlines()) == 1
    (tmp_path / "rag.json").write_text(json.dumps({"q1": ["a"]}), encoding="utf-8")
    with pytest.raises(DataError, match="rag.json: not a list of objects, one for each query"):
        pc.read_lists("rag.json")


def test_columns_of_lists_by_name():
    rows = [{"id": 1, "hits": ["a"], "truth": ["a"]}]
    with pytest.raises(
        DataError, match="no column 'retrieved' and no column 'gold', the columns are 'id', 'hits'"
    ):
        pc.read_lists(rows)
    gold, run = pc.read_lists(rows, columns={"retrieved": "hits", "gold": "truth"}, name="mine")
    assert (gold.topics.tolist(), run.name) == (["1"], "mine")
    assert [note.columns for note in noticed(gold)] == [
        (("id", "query"), ("hits", "retrieved"), ("truth", "gold"))
    ]
    with pytest.raises(UsageError, match="columns"):
        pc.read_lists(rows, columns={"item": "hits"})
    with pytest.raises(
        UsageError, match="lists are in files of JSON, JSON lines, Parquet or Arrow"
    ):
        pc.read_lists("rag.csv")
    with pytest.raises(UsageError, match="^name the format of standard input: format='jsonl'$"):
        pc.read_lists("-")


@pytest.mark.parametrize(
    ("typed", "expected"),
    [
        (["--lists", "rag.jsonl", "-m", "MRR"], None),
        (["--lists", "-", "--input-format", "jsonl", "-m", "MRR"], None),
        (["--lists", "rag.jsonl", "-m", "MRR", "--columns", "query=query,gold=gold"], None),
        (
            ["--lists", "rag.jsonl", "a.qrels", "b.run"],
            "--lists FILE: has both the gold and the retrieved ids; leave QRELS and",
        ),
        (
            ["--lists", "rag.jsonl", "--input-format", "csv"],
            "--input-format: of --lists must be jsonl, json, parquet or arrow",
        ),
        (
            ["--lists", "rag.jsonl", "--qrels-format", "tsv"],
            "--qrels-format: --lists has one table",
        ),
        (
            ["--lists", "rag.jsonl", "--qrels-columns", "topic=q"],
            "--qrels-columns: --lists has one table",
        ),
        (
            ["--lists", "rag.jsonl", "--columns", "topic=query"],
            "--columns: got 'topic', allowed are query, retrieved,",
        ),
        (
            ["--lists", "rag.jsonl", "--columns", "gold=golden"],
            "no column 'golden', the columns are 'query', 'retrieved',",
        ),
        (["rag.jsonl"], "QRELS and a RUN or more are needed; name them, or give --lists FILE"),
    ],
)
def test_the_command(typed, expected, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    text = "".join(json.dumps(row) + "\n" for row in ROWS)
    (tmp_path / "rag.jsonl").write_text(text, encoding="utf-8")
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(text.encode())))
    code = command(["eval", *typed])
    printed = capsys.readouterr()
    if expected is None:
        assert code == 0 and "0.5000" in printed.out and ALL_COUNT in printed.out
    else:
        assert code == 2 and expected in printed.err and len(printed.err.splitlines()) == 1


@pytest.mark.parametrize(
    ("typed", "code", "expected"),
    [
        ("eval --lists old.jsonl --lists new.jsonl -m MRR", 0, "old     0.5000"),
        ("compare --lists old.jsonl --lists new.jsonl -m MRR", 0, "old - new"),
        ("report --lists old.jsonl -m MRR --chance none -o page.html", 0, ""),
        (
            "compare --lists old.jsonl",
            2,
            "there must be two systems or more to compare, got old.jsonl; repeat --lists FILE",
        ),
        (
            "compare --lists old.jsonl --lists old.jsonl",
            2,
            "old.jsonl was given 2 times; name each file once",
        ),
        (
            "compare --lists old.jsonl --lists less.jsonl",
            2,
            (
                "less.jsonl: the gold differs from that of old.jsonl in 2 queries (such as 'q2'); "
                "give all systems one gold; 'q3' is missing: write a row with [] for a query "
                "that retrieved nothing"
            ),
        ),
        (
            "compare --lists old.jsonl a.qrels b.run",
            2,
            "--lists FILE: has both the gold and the retrieved ids; leave QRELS and",
        ),
        (
            "compare --lists old.jsonl --decisions d.csv --truth t --a a --b b",
            2,
            "--lists: applies to runs; this command compares decisions",
        ),
        (
            "report --lists old.jsonl a.qrels -o page.html",
            2,
            "--lists FILE: has both the gold and the retrieved ids; leave",
        ),
        (
            "report --lists old.jsonl --test t -o page.html",
            2,
            "--test: applies to comparisons, but there is one run",
        ),
        (
            "report --lists old.jsonl --cases c.csv --label y --score s -o page.html",
            2,
            "leave other files out",
        ),
    ],
)
def test_systems_of_one_gold(typed, code, expected, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    less = [ROWS[0], {**ROWS[1], "gold": ["other"]}, *ROWS[3:]]
    turned = [{**row, "retrieved": row["retrieved"][::-1]} for row in ROWS]
    for name, rows in (("old", ROWS), ("new", turned[::-1]), ("less", less)):
        text = "".join(json.dumps(row) + "\n" for row in rows)
        (tmp_path / f"{name}.jsonl").write_text(text, encoding="utf-8")
    assert command(typed.split()) == code
    printed = capsys.readouterr()
    assert expected in (printed.err if code else printed.out)
    assert not code or len(printed.err.splitlines()) == 1


def test_levels_of_duckdb():
    """A column of an ENUM has an order, and levels that no row has."""
    duckdb = pytest.importorskip("duckdb")
    values = "values ('hi', 'mid'), ('lo', 'lo'), ('mid', 'hi')"
    table = duckdb.sql(
        "select t::enum('lo', 'mid', 'hi', 'top') t, p::enum('lo', 'mid', 'hi', 'top') p from "
        f"({values}) v(t, p)"
    )
    assert pc.decisions(table["t"], table["p"]).categories == ("lo", "mid", "hi", "top")


def test_gold_of_autorag() -> None:
    """Its retrieval_gt is a list of lists, of which the advice was for pairs of ids and scores."""
    row = {"qid": "1", "query": "what?", "retrieval_gt": ["a", "b"], "retrieved_ids": ["a", "c"]}
    assert pc.evaluate(*pc.read_lists([row]), "Recall")["Recall"] == 0.5
    with pytest.raises(DataError, match="give one flat list of ids"):
        pc.read_lists([row | {"retrieval_gt": [["a", "b"]]}])
