"""Tables as people have them: columns by the names that packages give them, with values computed by
hand.
"""

from __future__ import annotations

import json
import sys
from collections import namedtuple
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest

import precall as pc
from precall.cli.main import run as command
from precall.core.errors import DataError, MissingExtra, UsageError
from precall.core.notes.of_reading import ColumnsRead, NoScores, PartOfFile, RankAsScore
from tests.noticed import noticed
from tests.peers import peer

duckdb = peer("duckdb", "DuckDB is not installed: no relation was read")
pandas = peer("pandas", "pandas is not installed: no frame was read")
polars = peer("polars", "Polars is not installed: no frame was read")
pyarrow = peer("pyarrow", "PyArrow is not installed: no table was read")


#: By hand: in q1 the relevant item a is second, in q2 c is first.
VALUE = (1 / 2 + 1) / 2
QRELS = {"topic": ["q1", "q1", "q2"], "item": ["a", "b", "c"], "grade": [1, 0, 2]}
RUN = {"topic": ["q1", "q1", "q2"], "item": ["b", "a", "c"], "score": [3.0, 2.0, 1.0]}


def of(columns, *names, **more):
    return {
        name: column for name, column in zip(names, columns.values(), strict=True) if name
    } | more


QREL = namedtuple("QREL", "query_id doc_id relevance iteration", defaults=("0",))
SCORED = namedtuple("SCORED", "query_id doc_id score")


def read(*columns):
    """That these columns were read as others."""
    return ColumnsRead("", columns)


#: Qrels and run with columns as others call them, and what is noticed of the run.
NAMES = {
    "beir": (
        of(QRELS, "query-id", "corpus-id", "score"),
        of(RUN, "query-id", "corpus-id", "score"),
        read(("query-id", "topic"), ("corpus-id", "item")),
    ),
    "ir_measures": (
        of(QRELS, "query_id", "doc_id", "relevance", iteration=["0"] * 3),
        of(RUN, "query_id", "doc_id", "score"),
        read(("query_id", "topic"), ("doc_id", "item")),
    ),
    "pyterrier": (
        of(QRELS, "qid", "docno", "label"),
        of(RUN, "qid", "docno", "score", docid=[7, 8, 9], rank=[0, 1, 0], query=["x", "x", "y"]),
        read(("qid", "topic"), ("docno", "item")),
    ),
    "precall": (QRELS, RUN, None),
    "spelled otherwise": (
        of(QRELS, "Query ID", "Doc ID", "Relevance"),
        of(RUN, "queryId", "documentId", "Score"),
        read(("queryId", "topic"), ("documentId", "item"), ("Score", "score")),
    ),
    "floats": (
        of(QRELS, "qid", "docno", "label") | {"label": [1.0, 0.0, 2.0]},
        of(RUN, "qid", "docno", "score"),
        read(("qid", "topic"), ("docno", "item")),
    ),
    "no grades": (
        {"query-id": ["q1", "q2"], "corpus-id": ["a", "c"]},
        RUN,
        None,
    ),
    "no scores": (
        QRELS,
        of(RUN, "qid", "docid", ""),
        NoScores(""),
    ),
    "no scores, texts": (
        QRELS,
        of(RUN, "qid", "docid", "", text=["x"] * 3),
        NoScores(""),
    ),
    "ranks": (
        QRELS,
        {"qid": ["q1", "q1", "q2"], "docid": ["a", "b", "c"], "rank": [2, 1, 1]},
        RankAsScore("", "rank"),
    ),
}


def written(ending):
    def write(columns):
        path = Path(f"{len(list(Path().iterdir()))}.{ending}")
        frame = polars.DataFrame(columns)
        if ending == "parquet":
            frame.write_parquet(path)
        elif ending == "jsonl":
            frame.write_ndjson(path)
        else:
            frame.write_csv(path, separator="\t" if ending == "tsv" else ",")
        return str(path)

    return write


FORMS = {
    "pandas": pandas.DataFrame,
    "polars": polars.DataFrame,
    "lazy": polars.LazyFrame,
    "pyarrow": pyarrow.table,
    "duckdb": lambda columns: duckdb.from_arrow(pyarrow.table(columns)),
    "dicts": lambda columns: polars.DataFrame(columns).to_dicts(),
    **{ending: written(ending) for ending in ("csv", "tsv", "jsonl", "parquet")},
}


@pytest.mark.nightly(keep=8)
@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("names", NAMES)
def test_columns_are_known_by_their_names(names, form, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    qrels, run, note = NAMES[names]
    run = pc.read_run(FORMS[form](run), name="mine")
    report = pc.evaluate(FORMS[form](qrels), run, ["MRR", "AP"])
    assert (report["MRR"], report["AP"]) == (VALUE, VALUE)
    assert note is None or note.within("mine") in noticed(report, type(note))
    assert (note is None) == (not run.notes)


@pytest.mark.parametrize("form", FORMS)
def test_the_order_of_rows_is_that_of_scores(form, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    mixed = {"qid": ["q1", "q2", "q1", "q2", "q1"], "docno": ["c", "z", "b", "y", "a"]}
    run = pc.read_run(FORMS[form](mixed))
    order = {
        t: run.items.tolist()[a:b]
        for t, a, b in zip(run.topics, run.row_start, run.row_start[1:], strict=False)
    }
    assert order == {"q1": ["c", "b", "a"], "q2": ["z", "y"]}
    assert pc.evaluate({"q1": {"a": 1}, "q2": {"z": 1}}, run, "MRR")["MRR"] == pytest.approx(
        (1 / 3 + 1) / 2
    )


def test_rows_with_names():
    qrels = [QREL("q1", "a", 1), QREL("q1", "b", 0), QREL("q2", "c", 2)]
    run = [SCORED("q1", "b", 3.0), SCORED("q1", "a", 2.0), SCORED("q2", "c", 1.0)]
    for judged in (qrels, iter(qrels), tuple(qrels)):
        assert pc.evaluate(judged, iter(run), "MRR")["MRR"] == VALUE
    frame = pandas.DataFrame(of(RUN, "qid", "docno", "score"))
    assert pc.evaluate(qrels, list(frame.itertuples()), "MRR")["MRR"] == VALUE
    triple = namedtuple("triple", "a b c")
    assert pc.read_run([triple("q1", "b", 3.0)]).score.tolist() == [3.0]
    with pytest.raises(DataError, match=r"rows, row 2: got \('q1',\) \(tuple\), a row is"):
        pc.read_run([SCORED("q1", "b", 3.0), ("q1",)])
    rows = [{"user": "q1", "song": "a", "plays": 3}]
    assert pc.read_run(
        rows, columns={"topic": "user", "item": "song", "score": "plays"}
    ).items.tolist() == ["a"]


def test_whole_floats_are_integers():
    qrels = {1.0: {"a": 1.0, "b": np.float32(0)}, 2: {"c": 2}}
    run = {"1": {"b": 3, "a": 2}, 2.0: {"c": 1}}
    assert pc.evaluate(qrels, run, "MRR")["MRR"] == VALUE
    gap = pandas.DataFrame(
        {"qid": [1, 1, None], "docno": ["a", "b", "c"], "label": [1, 0, None]}
    ).dropna()
    assert gap["qid"].dtype == float and pc.read_qrels(gap).topics.tolist() == ["1"]
    assert pc.read_qrels([(1.0, "a", 1.0)]).grade.tolist() == [1]


@pytest.mark.parametrize(
    ("qrels", "expected"),
    [
        (
            {"q": {"a": -0.5}},
            "topic 'q', item 'a': grade -0.5 is below 0 and not whole; write -1 if nobody",
        ),
        ({1.5: {"a": 1}}, "topic 1.5 is neither str nor int; use str(topic) as the key"),
        ({float("nan"): {"a": 1}}, "topic nan is neither str nor int"),
        ({2.0**60: {"a": 1}}, "is neither str nor int; use str(topic) as the key"),
        (
            pandas.DataFrame({"qid": [1.5], "docno": ["a"]}),
            "column 'qid' holds 1.5 (float), an id is a string or",
        ),
        (
            pandas.DataFrame({"qid": [1], "docno": ["a"], "label": [-0.5]}),
            "grade '-0.5' is below 0 and not whole; write -1",
        ),
        (
            {1.0: {"b": 1}, "1": {"c": 1}},
            "topic '1' is there as str and as int, which are one id; remove one or rename it",
        ),
    ],
)
def test_other_floats_are_refused(qrels, expected):
    with pytest.raises(DataError) as caught:
        pc.read_qrels(qrels)
    assert expected in str(caught.value) and len(str(caught.value).splitlines()) == 1


LOWER = {
    "dict": {"q1": {"b": 0.1, "a": 0.2}, "q2": {"c": 5}},
    "rows": [("q1", "b", 0.1), ("q1", "a", 0.2), ("q2", "c", 5)],
    "frame": polars.DataFrame(
        {"qid": ["q1", "q1", "q2"], "docno": ["b", "a", "c"], "distance": [0.1, 0.2, 5.0]}
    ),
    "csv": "qid,docno,distance\nq1,b,0.1\nq1,a,0.2\nq2,c,5\n",
    "run": "q1 Q0 b 1 0.1 t\nq1 Q0 a 1 0.2 t\nq2 Q0 c 1 5 t\n",
    "lists": {"q1": ["b", "a"], "q2": {"c": 5}},
}


@pytest.mark.parametrize("form", LOWER)
def test_lower_is_better(form, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    source = LOWER[form]
    if isinstance(source, str):
        Path(f"mine.{form}").write_text(source, encoding="utf-8")
        source = f"mine.{form}"
    qrels = {"q1": {"a": 1, "b": 0}, "q2": {"c": 2}}
    report = pc.evaluate(qrels, source, "MRR", lower_is_better=True)
    assert report["MRR"] == VALUE and report.conventions["best"] == "lowest score"
    # Read before, it is turned round once.
    run = pc.read_run(source, lower_is_better=True)
    assert pc.evaluate(qrels, run, "MRR")["MRR"] == VALUE
    assert pc.evaluate(qrels, run, "MRR", lower_is_better=True)["MRR"] == VALUE
    assert (
        pc.evaluate(qrels, pc.read_run(LOWER["dict"]), "MRR", lower_is_better=True)["MRR"] == VALUE
    )
    if isinstance(source, str):
        Path("q.tsv").write_text(
            "query-id\tcorpus-id\tscore\nq1\ta\t1\nq1\tb\t0\nq2\tc\t2\n", encoding="utf-8"
        )
        assert (
            command(["eval", "q.tsv", source, "-m", "MRR", "--lower-is-better", "--format", "csv"])
            == 0
        )
        assert (
            capsys.readouterr()
            .out.splitlines()[-1]
            .startswith("precall.report/2,mine,all,MRR,mean,0.75,")
        )


@pytest.mark.parametrize("names", ["ranks", "no scores"])
def test_places_are_turned_round_once(names):
    qrels, run, _ = NAMES[names]
    rows, frame = list(zip(*qrels.values(), strict=True)), polars.DataFrame(run)
    for given in (frame, pc.read_run(frame), pc.read_run(frame, lower_is_better=True)):
        assert pc.evaluate(rows, given, "MRR", lower_is_better=True)["MRR"] == VALUE


def test_the_best_of_duplicates_is_the_lowest(tmp_path):
    rows = {"qid": ["q", "q", "q"], "docno": ["a", "b", "a"], "rank": [3, 2, 1]}
    for source in (polars.DataFrame(rows), polars.DataFrame(rows).to_dicts()):
        run = pc.read_run(source, duplicates="best")
        assert dict(zip(run.items.tolist(), run.score.tolist(), strict=True)) == {
            "a": 1.0,
            "b": 2.0,
        }
    path = tmp_path / "x.csv"
    polars.DataFrame(rows).write_csv(path)
    assert sorted(pc.read_run(path, duplicates="best").score.tolist()) == [1.0, 2.0]
    (tmp_path / "x.run").write_text("q 0 a 1 1 t\n", encoding="utf-8")
    with pytest.raises(UsageError, match='duplicates: "best" is the highest score'):
        pc.read_run(tmp_path / "x.run", duplicates="best", lower_is_better=True)


@pytest.mark.parametrize(
    ("columns", "read", "expected"),
    [
        # It may well be the score, and then the order of rows is another one.
        (
            {"qid": ["q"], "docno": ["a"], "bm25": [1.0]},
            pc.read_run,
            "no column 'score', the columns are 'qid', 'docno', 'bm25'",
        ),
        ({"qid": ["q"], "docno": ["a"], "label": [1]}, pc.read_run, "no column 'score'"),
        (
            {"qid": ["q"], "docno": ["a"], "distance": [1.0]},
            pc.read_run,
            "'distance' the lowest is the best by its name: pass",
        ),
        ({"qid": ["q"], "docno": ["a"], "rank": [1]}, pc.read_qrels, "no column 'grade'"),
        # A run in the place of qrels.
        ({"topic": ["q"], "item": ["a"], "score": [1]}, pc.read_qrels, "no column 'grade'"),
        (
            {"query-id": ["q"], "query_id": ["q"], "item": ["a"]},
            pc.read_qrels,
            (
                "'query-id', 'query_id' may all be the column topic; say which one with "
                "columns={'topic': ...}"
            ),
        ),
        (
            {"user": ["q"], "song": ["a"], "score": [1]},
            pc.read_run,
            "no column 'topic' and no column 'item'",
        ),
    ],
)
@pytest.mark.parametrize("form", ["pandas", "dicts", "csv"])
def test_what_no_name_says(columns, read, expected, form, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    with pytest.raises(DataError) as caught:
        read(FORMS[form](columns))
    assert expected in str(caught.value)


def test_text_of_trec_that_is_called_a_table(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    Path("q.tsv").write_text("q1\t0\ta\t1\n", encoding="utf-8")
    assert pc.read_qrels("q.tsv").items.tolist() == ["a"]
    Path("blanks.tsv").write_text("q1 0 a 1\n", encoding="utf-8")
    with pytest.raises(
        DataError, match='ks.tsv: .*; this is TREC text, which has no heading: pass format="trec"'
    ):
        pc.read_qrels("blanks.tsv")
    assert pc.read_qrels("q.tsv", format="trec").items.tolist() == ["a"]
    # With a heading the same has names.
    Path("h.tsv").write_text("qid\titeration\tdocno\tlabel\nq1\t0\ta\t1\n", encoding="utf-8")
    assert pc.read_qrels("h.tsv").items.tolist() == ["a"]


def test_explicit_names_stay():
    frame = polars.DataFrame(
        {"qid": ["x"], "user": ["q"], "docno": ["a"], "score": [1.0], "other": [2.0]}
    )
    run = pc.read_run(frame, columns={"topic": "user", "score": "other"})
    assert (run.topics.tolist(), run.items.tolist(), run.score.tolist()) == (["q"], ["a"], [2.0])
    assert run.notes == (read(("docno", "item")),) and isinstance(run.notes[0], ColumnsRead)


def test_lines_of_json_that_lack_a_name(tmp_path):
    path = tmp_path / "x.jsonl"
    rows = [{"qid": "q", "docno": "a", "score": 1}, {"docno": "b", "score": 1}]
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    with pytest.raises(DataError, match=r"x\.jsonl:2: no 'qid', there are 'docno', 'score'"):
        pc.read_run(path)


DOCUMENTS = {
    "run": {"q1": {"b": 0.9, "a": 0.8}, "q2": {"c": 0.1}},
    "mteb": {
        "mteb_model_meta": {"model_name": "m", "revision": "r"},
        "default": {"test": {"q1": {"b": 0.9, "a": 0.8}, "q2": {"c": 1}}},
    },
    "lists": {"q1": ["b", "a"], "q2": ["c"]},
    "rows": [
        {"query_id": "q1", "doc_id": "b", "score": 2},
        {"query_id": "q1", "doc_id": "a", "score": 1},
        {"query_id": "q2", "doc_id": "c", "score": 1},
    ],
}


@pytest.mark.parametrize("name", DOCUMENTS)
def test_documents_of_json(name, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    Path(f"{name}.json").write_text(json.dumps(DOCUMENTS[name]), encoding="utf-8")
    Path("q.json").write_text(
        json.dumps({"q1": {"a": 1, "b": 0}, "q2": {"c": 2.0}}), encoding="utf-8"
    )
    report = pc.evaluate("q.json", f"{name}.json", "MRR")
    assert report["MRR"] == VALUE and report.runs[0].name == name
    told = [(note.context, note.names) for note in noticed(report, PartOfFile)]
    assert told == ([(("mteb",), ("'default'", "'test'"))] if name == "mteb" else [])
    assert command(["eval", "q.json", f"{name}.json", "-m", "MRR", "--format", "csv"]) == 0
    assert ",all,MRR,mean,0.75," in capsys.readouterr().out.splitlines()[-1]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (
            '{"q": {"a": 1}, "q": {"b": 1}}',
            "x.json: 'q' is twice in one object; remove or rename one",
        ),
        ('{"q": {"a": 1e999}}', "x.json: topic 'q', item 'a': score 1e999 is beyond float64"),
        ('{"q": {"a": NaN}}', "x.json: topic 'q', item 'a': score is NaN"),
        (
            '{"a": {"q": {"a": 1}}, "b": {"q": {"a": 1}}}',
            "x.json: holds 'a', 'b', one run or one set of judgements is read",
        ),
        ('{"q":', "x.json: not JSON (Expecting value at line 1); write"),
        ("3", "x.json: int at its top, a run or qrels are an object or a list of rows"),
        (
            '{"q": "a"}',
            "x.json: topic 'q' holds an object of type str, allowed is a dict or a list of items",
        ),
        ("{}", "x.json: no topic, a run has at least one"),
    ],
)
def test_what_documents_are_not(text, expected, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    Path("x.json").write_text(text, encoding="utf-8")
    with pytest.raises(DataError) as caught:
        pc.read_run("x.json")
    assert expected in str(caught.value) and len(str(caught.value).splitlines()) == 1


class DataSet:
    """As ir_datasets has them."""

    def __init__(self, qrels):
        self.qrels = qrels

    def has_qrels(self):
        return True

    def has_scoreddocs(self):
        return False

    def qrels_iter(self):
        if self.qrels is None:
            raise RuntimeError("All download sources failed")
        yield from self.qrels


def test_data_sets_of_ir_datasets(monkeypatch):
    known = {
        "mine/test": DataSet([QREL("q1", "a", 1), QREL("q1", "b", 0), QREL("q2", "c", 2)]),
        "far": DataSet(None),
    }
    monkeypatch.setitem(sys.modules, "ir_datasets", SimpleNamespace(load=known.__getitem__))
    run = {"q1": {"b": 3, "a": 2}, "q2": {"c": 1}}
    for qrels in ("irds:mine/test", known["mine/test"]):
        assert pc.evaluate(qrels, run, "MRR")["MRR"] == VALUE
    with pytest.raises(
        UsageError, match="irds:yours: ir_datasets has no data set of that name; see https"
    ):
        pc.read_qrels("irds:yours")
    with pytest.raises(UsageError, match="irds:mine/test: this data set has no run"):
        pc.read_run("irds:mine/test")
    with pytest.raises(
        DataError,
        match=r"irds:far: ir_datasets cannot load it \(All download sources failed\); get its",
    ):
        pc.read_qrels("irds:far")
    monkeypatch.setitem(sys.modules, "ir_datasets", None)
    with pytest.raises(
        MissingExtra, match="reading irds:mine/test needs ir_datasets: pip install ir_datasets"
    ):
        pc.read_qrels("irds:mine/test")


def test_data_sets_of_hugging_face():
    # As `datasets.Dataset` is: rows by with_format("arrow")[:], whatever selection of the table
    # they are.
    class Dataset(SimpleNamespace):
        def with_format(self, kind):
            assert kind == "arrow"
            return Whole(self.columns)

    class Whole:
        def __init__(self, columns):
            self.columns = columns

        def __getitem__(self, rows):
            assert rows == slice(None)
            return pyarrow.table(self.columns)

    Dataset.__module__ = "datasets.arrow_dataset"
    qrels, run = Dataset(columns=NAMES["beir"][0]), Dataset(columns=NAMES["beir"][1])
    assert pc.evaluate(qrels, run, "MRR")["MRR"] == VALUE
    with pytest.raises(
        UsageError,
        match=r"source: got several tables \('test'\); pass one of them, such as data\['test'\]",
    ):
        pc.read_qrels({"test": qrels})
