"""A column of ranks beside scores: the scores decide, and where the ranks say otherwise, a note
does.
"""

from __future__ import annotations

import json
from collections import namedtuple
from pathlib import Path

import numpy as np
import pytest

import precall as pc
from precall.core.notes.of_reading import LowestFirst, RanksDisagree
from precall.evaluation.api import evaluate
from tests.noticed import noticed
from tests.peers import peer

pd = peer("pandas")
polars = peer("polars")
pyarrow = peer("pyarrow")
duckdb = peer("duckdb", "DuckDB is not installed: no relation was read")


TABLE = {
    "qid": ["q1", "q2", "q1", "q2", "q3"],
    "docno": ["a", "b", "b", "c", "a"],
    "score": [2.0, 1.0, 1.0, 2.0, 5.0],
    "rank": [0, 0, 1, 1, 7],
}
OTHERS = RanksDisagree("", "'rank'", "'score'", 1, 3, is_reversed=False)
QRELS = {"q1": {"a": 1}, "q2": {"b": 1}, "q3": {"a": 1}}


class Stream:
    """What only speaks Arrow."""

    def __init__(self, table):
        self.table = table

    def __arrow_c_stream__(self, requested_schema=None):
        return self.table.__arrow_c_stream__(requested_schema)


def rows(table):
    return [dict(zip(table, row, strict=True)) for row in zip(*table.values(), strict=True)]


def files(folder, table):
    pd.DataFrame(table).to_csv(folder / "run.csv", index=False)
    pd.DataFrame(table).to_csv(folder / "run.tsv", index=False, sep="\t")
    polars.DataFrame(table).write_parquet(folder / "run.parquet")
    (folder / "run.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows(table)))
    (folder / "run.json").write_text(json.dumps(rows(table)))
    return [folder / f"run.{ending}" for ending in ("csv", "tsv", "parquet", "jsonl", "json")]


def sources(folder, table):
    row = namedtuple("row", table)
    connection = duckdb.connect()
    connection.register("run", pd.DataFrame(table))
    yield from files(folder, table)
    yield from (
        pd.DataFrame(table),
        polars.DataFrame(table),
        polars.LazyFrame(table),
        pyarrow.table(table),
        table,
    )
    yield from (Stream(pyarrow.table(table)), rows(table), [row(**each) for each in rows(table)])
    yield connection.table("run")


@pytest.mark.parametrize("as_written", [int, str])
def test_every_reader_says_it(as_written: type, tmp_path: Path) -> None:
    table = TABLE | {"rank": list(map(as_written, TABLE["rank"]))}
    for source in sources(tmp_path, table):
        run = pc.read_run(source)
        assert run.notes[-1] == OTHERS, type(source)
        assert pc.evaluate(QRELS, run, "RR")["RR"] == pytest.approx(
            5 / 6
        )  # q2: b is second by score


@pytest.mark.parametrize(
    ("change", "expected"),
    [
        ({"score": [2.0, 2.0, 1.0, 1.0, 5.0]}, None),
        ({"score": [2.0, 1.0, 2.0, 1.0, 5.0]}, None),  # of equal scores any rank may come first
        ({"rank": [1] * 5}, None),
        ({"rank": ["first"] * 5}, None),
        ({"rank": [0, None, 1, 1, 2]}, None),
        (
            {"score": [1.0, 1.0, 2.0, 2.0, 5.0]},
            RanksDisagree("", "'rank'", "'score'", 2, 3, is_reversed=True),
        ),
    ],
)
def test_what_ranks_say(change, expected, tmp_path):
    table = TABLE | change
    for source in (
        pd.DataFrame(table),
        polars.DataFrame(table),
        rows(table),
        *files(tmp_path, table),
    ):
        assert noticed(pc.read_run(source), RanksDisagree) == (
            [] if expected is None else [expected]
        )


def test_turned_round_and_chosen_by_name():
    turned = TABLE | {"score": [1.0, 1.0, 2.0, 2.0, 5.0]}
    assert len(pc.read_run(turned, lower_is_better=True).notes) == 1
    run = pc.read_run(pd.DataFrame(TABLE), columns={"score": "rank"}, lower_is_better=True)
    assert not noticed(run, RanksDisagree)


def test_any_order_of_rows_against_pairs():
    rng = np.random.default_rng(5)
    for _ in range(40):
        table = {
            "topic": rng.choice(["q1", "q2", "q3"], 9).tolist(),
            "item": [f"d{i}" for i in range(9)],
            "score": rng.integers(3, size=9).tolist(),
            "rank": rng.integers(4, size=9).tolist(),
        }
        whole = list(zip(table["topic"], table["score"], table["rank"], strict=True))
        against = {t for t, s, r in whole for u, z, q in whole if t == u and s > z and r > q}
        notes = pc.read_run(pd.DataFrame(table)).notes
        told = [(note.disagreeing, note.topics) for note in noticed(notes, RanksDisagree)]
        assert told == [(len(against), len(set(table["topic"])))] * bool(against) and len(
            notes
        ) == len(told)


def test_repeated_items(tmp_path):
    table = {
        "topic": ["q"] * 3,
        "item": ["a", "a", "b"],
        "score": [1.0, 3.0, 2.0],
        "rank": [1, 3, 2],
    }
    for source in (pd.DataFrame(table), *files(tmp_path, table)):
        (note,) = noticed(pc.read_run(source, duplicates="last"), RanksDisagree)
        assert (note.disagreeing, note.topics) == (1, 1)
        assert not pc.read_run(source, duplicates="best").notes


def read_of(note: RanksDisagree) -> tuple[int, int, bool]:
    return note.disagreeing, note.topics, note.is_reversed


def text_and_table(rows: list[tuple[str, str, object, float]], folder: Path) -> tuple[Path, Path]:
    """The same rows in TREC text and in CSV."""
    text, table = folder / "t.run", folder / "t.csv"
    text.write_text("# a comment\n" + "".join(f"{t}\tQ0 {i}  {r} {s} x\n" for t, i, r, s in rows))
    table.write_text(
        "topic,item,rank,score\n" + "".join(f"{t},{i},{r},{s}\n" for t, i, r, s in rows)
    )
    return text, table


DISTANCES = [(f"q{t}", f"d{i}", i + 1, i / 2) for t in range(3) for i in range(20)]


@pytest.mark.parametrize("in_pieces", [False, True])
@pytest.mark.parametrize(
    ("rows", "expected"),
    [
        ([("q", x, 3 - i, 3.0 - i) for i, x in enumerate("abc")], (1, 1, True)),
        (
            [("q", x, r, 3.0 - i) for i, (x, r) in enumerate(zip("abc", (2, 1, 3), strict=True))],
            (1, 1, False),
        ),
        (DISTANCES, (3, 3, True)),
        (DISTANCES[::-1], (3, 3, True)),
        (sorted(DISTANCES, key=lambda row: row[:2]), (3, 3, True)),
        (sorted(DISTANCES, key=lambda row: (row[2] * 7 % 20, row[0])), (3, 3, True)),
        ([(t, i, r, -s) for t, i, r, s in DISTANCES[::-1]], None),
        ([(t, i, 0, s) for t, i, _, s in DISTANCES[::3]], None),
        ([(t, i, f"r{r}", s) for t, i, r, s in DISTANCES[::-1]], None),
    ],
)
def test_text_in_any_order_says_what_its_table_says(rows, expected, in_pieces, tmp_path):
    told, memory = [], 1 if in_pieces else 1 << 40
    for path in text_and_table(rows, tmp_path):
        report = evaluate({rows[0][0]: {"a": 1, "d0": 1}}, str(path), "AP", memory=memory)
        told.append(
            [(*read_of(note), note.is_beginning) for note in noticed(report, RanksDisagree)]
        )
    assert told == [[] if expected is None else [(*expected, False)]] * 2


def test_of_long_text_the_beginning_is_looked_at(tmp_path):
    rows = [(f"q{t}", f"d{i}", 100 - i, float(99 - i)) for t in range(60) for i in range(100)]
    text, table = text_and_table(rows, tmp_path)
    (of_text,), (of_table,) = (noticed(pc.read_run(path), RanksDisagree) for path in (text, table))
    assert (of_table.disagreeing, of_table.topics, of_table.is_beginning) == (60, 60, False)
    assert (
        of_text.is_beginning
        and of_text.is_reversed
        and 20 < of_text.disagreeing == of_text.topics < 60
    )
    assert not noticed(pc.read_run(text, lower_is_better=True), RanksDisagree)


def doors(rows_of_run, folder):
    """The same rows in every form that has names for a rank and a score."""
    table = dict(
        zip(("topic", "item", "rank", "score"), zip(*rows_of_run, strict=True), strict=True)
    )
    table = {name: list(column) for name, column in table.items()}
    text, _ = text_and_table(rows_of_run, folder)
    frames = pd.DataFrame(table), polars.DataFrame(table), pyarrow.table(table)
    return [text, *files(folder, table), *frames, rows(table)]


@pytest.mark.parametrize(
    ("rank_of", "says_order"),
    [
        (lambda place: 12 - place, False),  # as the scores say
        (lambda place: 30 - 2 * place, False),
        (lambda place: 0, True),  # nobody wrote any, and so the order of rows is all there is
    ],
)
def test_the_order_of_rows_says_nothing_beside_ranks(rank_of, says_order, tmp_path):
    ascending = [(f"q{t}", f"d{i}", rank_of(i), i / 4) for t in range(2) for i in range(12)]
    for source in doors(ascending, tmp_path):
        run = pc.read_run(source)
        told = noticed(run, LowestFirst) + noticed(run, RanksDisagree)
        assert told == ([LowestFirst("", 2)] if says_order else []), source


def test_the_order_of_rows_says_nothing_beside_ranks_of_rows_that_repeat(tmp_path):
    ascending = [("q", f"d{i}", 12 - i, i / 4) for i in range(12)]
    for source in doors([*ascending, ("q", "d0", 40, -1.0)], tmp_path):
        for kept in ("first", "best"):
            assert not noticed(pc.read_run(source, duplicates=kept), LowestFirst), source
