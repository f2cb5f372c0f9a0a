"""Natural calls of a search engineer and of one of retrieval for generation, who have not read the
documents: what is taken, with the expected value (by hand), and of what is not, the one line that
says what to do.
"""

from __future__ import annotations

import io
from pathlib import Path

import numpy as np
import pytest

import precall as pc
from precall.cli.main import run as command
from tests.peers import peer

pd = peer("pandas")
polars = peer("polars")

GOLD = {"q1": ["a"], "q2": ["b", "c"], "q3": ["z"]}
FOUND = {"q1": ["x", "a"], "q2": ["b", "y", "c"], "q3": ["y"]}
#: Reciprocal ranks are 1/2, 1 and 0.
MRR = 1 / 2
QRELS = pd.DataFrame(
    [(q, d, 1) for q, ids in GOLD.items() for d in ids], columns=["query_id", "doc_id", "relevance"]
)
RUN = pd.DataFrame(
    [(q, d, -float(i)) for q, ids in FOUND.items() for i, d in enumerate(ids)],
    columns=["query_id", "doc_id", "score"],
)
RAG = pd.DataFrame(
    {"question": list(GOLD), "contexts": list(FOUND.values()), "ground_truths": list(GOLD.values())}
)

TAKEN = {
    "lists": lambda: (GOLD, FOUND),
    "sets of gold": lambda: ({q: set(ids) for q, ids in GOLD.items()}, FOUND),
    "columns of lists": lambda: (RAG["ground_truths"], RAG["contexts"]),
    "columns of polars": lambda: (
        polars.Series(list(GOLD.values())),
        polars.Series(list(FOUND.values())),
    ),
    "grouped": lambda: (
        QRELS.groupby("query_id")["doc_id"].agg(set),
        RUN.groupby("query_id")["doc_id"].agg(list),
    ),
    "a frame of lists": lambda: pc.read_lists(RAG),
    "rows of lists": lambda: pc.read_lists(RAG.to_dict("records")),
    "a dict of lists": lambda: pc.read_lists(RAG.to_dict("list")),
    "a frame of lists by question": lambda: pc.read_lists(RAG.set_index("question")),
    "frames": lambda: (QRELS, RUN),
    "frames in any order": lambda: (
        QRELS.sample(frac=1, random_state=1),
        RUN.sample(frac=1, random_state=2),
    ),
    "an index of topics and items": lambda: (
        QRELS.set_index(["query_id", "doc_id"]),
        RUN.set_index(["query_id", "doc_id"]),
    ),
    "series of topics and items": lambda: (
        QRELS.set_index(["query_id", "doc_id"])["relevance"],
        RUN.set_index(["query_id", "doc_id"])["score"],
    ),
    "records": lambda: (QRELS.to_records(), RUN.to_records(index=False)),
    "numbers of NumPy": lambda: (
        QRELS.astype({"relevance": np.int8}),
        RUN.astype({"score": np.float32}),
    ),
    "polars": lambda: (
        polars.DataFrame(QRELS.to_dict("list")),
        polars.LazyFrame(RUN.to_dict("list")),
    ),
    "rows of polars": lambda: (QRELS, polars.DataFrame(RUN.to_dict("list")).iter_rows()),
    "tuples with names": lambda: (list(QRELS.itertuples()), RUN.itertuples(index=False)),
    "tuples": lambda: (
        [tuple(row) for row in QRELS.to_numpy()],
        list(map(tuple, RUN.to_numpy().tolist())),
    ),
    "dicts of rows": lambda: (QRELS.to_dict("records"), RUN.to_dict("records")),
    "dicts of columns": lambda: (QRELS.to_dict("list"), RUN.to_dict("list")),
    "pairs": lambda: (QRELS, RUN.set_index(["query_id", "doc_id"])["score"].to_dict()),
    "one run beside its name": lambda: (QRELS, RUN.assign(system="bm25")),
    "one run beside its name, lazy": lambda: (
        QRELS,
        polars.LazyFrame(RUN.assign(run="bm25").to_dict("list")),
    ),
    "items of several retrievers": lambda: (QRELS, RUN.assign(retriever=["bm25", "dense"] * 3)),
    "grades called relevant": lambda: (
        QRELS.rename(columns={"relevance": "relevant"}).astype({"relevant": bool}),
        RUN,
    ),
    "ranks only": lambda: (QRELS, RUN.assign(rank=-RUN["score"] + 1).drop(columns="score")),
    "distances": lambda: (QRELS, RUN.assign(distance=-RUN["score"]).drop(columns="score"), True),
}


@pytest.mark.filterwarnings("ignore::precall.PrecallWarning")
@pytest.mark.parametrize("name", TAKEN)
def test_taken(name):
    gold, run, *lowest = TAKEN[name]()
    report = pc.evaluate(gold, run, ["mrr"], lower_is_better=bool(lowest))
    assert report["mrr"] == pytest.approx(MRR) and report.runs[0].counts.topics == 3


FILES = {
    "run.csv": lambda path: RUN.to_csv(path, index=False),
    "indexed.csv": RUN.to_csv,
    "run.tsv": lambda path: RUN.to_csv(path, index=False, sep="\t"),
    "run.jsonl": lambda path: RUN.to_json(path, orient="records", lines=True),
    "rows.json": lambda path: RUN.to_json(path, orient="records"),
    "run.parquet": lambda path: polars.DataFrame(RUN.to_dict("list")).write_parquet(path),
    "run.arrow": lambda path: polars.DataFrame(RUN.to_dict("list")).write_ipc(path),
}


@pytest.mark.parametrize("name", FILES)
def test_files_taken(name, tmp_path):
    FILES[name](tmp_path / name)
    assert pc.evaluate(QRELS, tmp_path / name, "MRR@10")["MRR@10"] == pytest.approx(MRR)


TOLD = {
    "two runs in a frame": (
        lambda: pc.evaluate(QRELS, pd.concat([RUN.assign(system="a"), RUN.assign(system="b")])),
        (
            r"column 'system' tells several runs apart; pass run_column='system' to pc.evaluate "
            r"or pc.compare"
        ),
    ),
    "two runs in a lazy frame": (
        lambda: pc.evaluate(
            QRELS,
            polars.LazyFrame(pd.concat([RUN.assign(system=name) for name in "ab"]).to_dict("list")),
        ),
        r"column 'system' tells several runs apart",
    ),
    "two runs in rows": (
        lambda: pc.evaluate(
            QRELS, pd.concat([RUN.assign(run="a"), RUN.assign(run="b")]).to_dict("records")
        ),
        r"column 'run' tells several runs apart; pass run_column='run'",
    ),
    "two models in a frame": (
        lambda: pc.evaluate(QRELS, pd.concat([RUN.assign(model="a"), RUN.assign(model="b")])),
        r"column 'model' tells several runs apart; pass run_column='model'",
    ),
    "metrics=": (
        lambda: pc.evaluate(GOLD, FOUND, metrics=["mrr"]),
        r"it is called measures here; pass measures=",
    ),
    "y_true=": (
        lambda: pc.curve(y_true=[0, 1], y_score=[0.1, 0.2]),
        (
            r"^y_score: it is called score here; pass score=; y_true: it is called relevant here; "
            r"pass relevant=$"
        ),
    ),
    "y_pred=": (
        lambda: pc.decisions([0, 1], y_pred=[0, 1]),
        r"^y_pred: it is called predicted here; pass predicted=$",
    ),
    "sample_weight=": (
        lambda: pc.average_precision([0, 1], [1, 2], sample_weight=[1, 2]),
        r"pass weights=",
    ),
    "pos_label=": (
        lambda: pc.area_under_roc([0, 1], [1, 2], pos_label=1),
        r"got 1, .* pass positive=1",
    ),
    "lower_is_better=": (
        lambda: pc.curve([0, 1], [1, 2], lower_is_better=True),
        r"pass higher_is_better=False",
    ),
    "higher_is_better=": (
        lambda: pc.evaluate(GOLD, FOUND, higher_is_better=False),
        r"pass lower_is_better=True",
    ),
    "confidence=": (
        lambda: pc.interval(pc.curve([0, 1], [1, 2]), "AP", confidence=0.9),
        r"pass level=0\.9",
    ),
    "alpha=": (
        lambda: pc.compare.cases([0, 1], [1, 2], [2, 1], alpha=0.1),
        r"pass level=1 - alpha",
    ),
    "n_resamples=": (
        lambda: pc.interval.max_f([0, 1], [1, 2], n_resamples=100),
        r"pass resamples=100",
    ),
    "one query": (
        lambda: pc.evaluate(["a"], ["x", "a"]),
        r"belong to one query; pass \[gold\] and \[retrieved\], a list for each",
    ),
    "a frame of lists": (
        lambda: pc.evaluate(RAG, ["MRR"]),
        r"rows of lists are read by pc\.read_lists \(--lists\)",
    ),
    "lists beside qrels": (
        lambda: pc.evaluate(QRELS, polars.DataFrame({"query_id": ["q1"], "doc_id": [["x", "a"]]})),
        r"frame\.explode\('doc_id'\)",
    ),
    "rows as lists": (
        lambda: pc.evaluate([("q", "a", 1)], [["q", "a", 2.0], ["q", "b", 1.0]]),
        r"list\(map\(tuple, rows\)\)",
    ),
    "ids with scores": (
        lambda: pc.evaluate(GOLD, {"q1": [("x", 0.9), ("a", 0.8)]}),
        r"pass \{id: score\} for ids with scores",
    ),
    "decisions": (
        lambda: pc.evaluate([0, 1], [1, 0], ["precision", "F1"]),
        r"decisions to pc\.decisions\(truth, predicted",
    ),
    "scores of cases": (
        lambda: pc.evaluate([0, 1], np.array([0.1, 0.2]), "f1"),
        r"go to pc\.curve\(labels, scores",
    ),
    "topics beside a list": (
        lambda: pc.evaluate(GOLD, list(FOUND.values())),
        r"give both as \{topic: \[ids\]\}, or both as",
    ),
    "a list beside topics": (
        lambda: pc.evaluate(list(GOLD.values()), FOUND),
        r"give both as \{topic: \[ids\]\}, or both as",
    ),
    "a column twice": (
        lambda: pc.evaluate(QRELS, pd.concat([RUN, RUN["score"]], axis=1)),
        r"2 columns are called 'score', one is allowed; rename or remove",
    ),
    "a column of lists twice": (
        lambda: pc.read_lists(pd.concat([RAG, RAG["contexts"]], axis=1)),
        r"2 columns are called 'contexts', one is allowed",
    ),
    "hits": (
        lambda: pc.evaluate(GOLD, {"q1": [{"id": "x"}]}),
        r"such as \[hit\['id'\] for hit in hits\]",
    ),
    "an open file": (
        lambda: pc.evaluate(GOLD, io.StringIO("q1 Q0 a 1 1 x")),
        r"got an open file; pass its path",
    ),
    "accuracy@1": (
        lambda: pc.evaluate(GOLD, FOUND, "accuracy@1"),
        r"whether there is a hit, .*, is Success@k",
    ),
    "distances": (
        lambda: pc.evaluate(QRELS, RUN.rename(columns={"score": "distance"})),
        r"pass lower_is_better=True to rank by it",
    ),
    "columns without names": (
        lambda: pc.evaluate(GOLD, pd.DataFrame([("q1", "a", 1.0)])),
        r"name them with columns=",
    ),
}


@pytest.mark.parametrize("name", TOLD)
def test_or_told_what_to_do(name):
    call, expected = TOLD[name]
    with pytest.raises(pc.PrecallError, match=expected) as caught:
        call()
    assert len(str(caught.value).splitlines()) == 1


def test_a_table_without_a_heading(tmp_path: Path):
    path = tmp_path / "run.tsv"
    path.write_text("q1\td1\t1\nq1\td2\t2\n")
    with pytest.raises(
        pc.DataError,
        match="the first row is taken for a heading and looks like data: write the names",
    ):
        pc.evaluate(GOLD, path)


def test_values_of_a_report():
    report = pc.evaluate(GOLD, FOUND, "MRR")
    for name in ("MRR", "scores", "per_query"):
        with pytest.raises(
            AttributeError, match=r"values are report\[measure\], \.mean and \.per_topic"
        ):
            getattr(report, name)
    assert not hasattr(report, "_nothing") and "RR" in report.to_csv()


@pytest.mark.parametrize(
    ("typed", "expected"),
    [
        (
            "eval g.json r.json --metrics MRR",
            "name each measure by -m, such as -m AP -m nDCG@10; see",
        ),
        ("eval g.json r.json -k 5", "a cutoff stands in the measure's name, such as -m P@10; see"),
        ("eval --qrels g.json --run r.json", "files stand without an option: QRELS RUN...; see"),
        ("compare g.json r.json --json", "write --format json, csv, ...; see"),
        (
            "evaluate g.json r.json",
            "No such command 'evaluate'; perhaps eval is meant; see 'precall --help'",
        ),
        ("score g.json", "No such command 'score'; see 'precall --help'"),
        ("eval rag.jsonl rag.jsonl", "rows of lists are read by pc.read_lists (--lists)"),
        (
            "eval qrels.csv systems.csv",
            "column 'system' tells several runs apart; pass --run-column system",
        ),
        (
            "eval qrels.csv run.csv --columns score=distance",
            "pass --lower-is-better, or name a column of scores",
        ),
        ("compare g.json r.json r.json", "r.json was given 2 times; name each file once"),
    ],
)
def test_typed(typed, expected, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    QRELS.to_csv("qrels.csv", index=False)
    RUN.assign(distance=1.0).to_csv("run.csv", index=False)
    pd.concat([RUN.assign(system=name) for name in "ab"]).to_csv("systems.csv", index=False)
    RAG[:1].to_json("rag.jsonl", orient="records", lines=True)
    assert command(typed.split()) == 2
    printed = capsys.readouterr().err
    assert expected in printed and len(printed.splitlines()) == 1
