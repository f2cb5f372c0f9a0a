"""Several runs in one table: refused at every door by the same error, and read apart where the
column is named.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import precall as pc
from precall.cli.main import run as precall
from precall.core.notes.of_reading import NamesOfRuns
from tests.doors.forms import Form, lines
from tests.doors.runs import FORMS
from tests.noticed import noticed

QRELS = {"q1": {"a": 1, "b": 0, "c": 1}, "q2": {"a": 0, "d": 1}}
RUNS = {
    "bm25": {"q1": {"a": 3.0, "b": 2.0, "x": 1.0}, "q2": {"a": 2.0, "d": 1.0}},
    "dense 2": {"q1": {"x": 3.0, "b": 2.5, "a": 1.0}, "q2": {"d": 2.0, "a": 1.5}},
}
ROWS = [
    {"system": name, "topic": topic, "item": item, "score": score}
    for name, run in RUNS.items()
    for topic, items in run.items()
    for item, score in items.items()
]
WANTED = pc.evaluate(QRELS, RUNS, ["AP", "P@1"])


def trec(rows: list[dict[str, Any]]) -> str:
    return "".join(
        f"{row['topic']} Q0 {row['item']} {rank} {row['score']} {row['system'].replace(' ', '-')}\n"
        for rank, row in enumerate(rows, 1)
    )


def written(path: Path, text: str) -> str:
    path.write_text(text, encoding="utf-8")
    return str(path)


class Named(tuple):
    """A row with names."""

    _fields = ("system", "topic", "item", "score")
    __slots__ = ()


#: Doors without names of columns, one with options of its own, and all the others.
NAMELESS = ("dict", "rows", "JSON object", "TREC text", "standard input")


def holding(form: Form) -> Any:
    return lambda rows, path: form(rows, list(rows[0]), path)


DOORS = {name: holding(form) for name, form in FORMS.items() if name not in NAMELESS} | {
    "named tuples": lambda rows, path: [Named(row.values()) for row in rows],
    "quoted csv": lambda rows, path: written(
        path / "q.csv", lines(rows, ",").replace("bm25", '"bm25"')
    ),
}


@pytest.fixture(params=DOORS)
def door(request: pytest.FixtureRequest) -> Any:
    return DOORS[request.param]


@pytest.mark.nightly(keep=8)
@pytest.mark.parametrize(
    "name",
    ["system", "run", "run_id", "tag", "name", "model", "Method", "retriever", "System Name"],
)
def test_a_table_of_several_runs_is_refused_and_the_error_names_the_column(
    door: Any, name: str, tmp_path: Path
) -> None:
    if name != "system" and door in (DOORS["named tuples"], DOORS["NumPy fields"]):
        return
    rows = [{name if key == "system" else key: value for key, value in row.items()} for row in ROWS]
    with pytest.raises(pc.DataError, match="tells several runs apart") as refused:
        pc.evaluate(QRELS, door(rows, tmp_path), ["AP"])
    assert f"run_column={name!r}" in str(refused.value)


def test_each_run_of_a_table_is_measured(door: Any, tmp_path: Path) -> None:
    report = pc.evaluate(QRELS, door(ROWS, tmp_path), ["AP", "P@1"], run_column="system")
    assert {run.name for run in report.runs} == set(RUNS)
    assert dict(report.mean) == pytest.approx(dict(WANTED.mean), abs=0)


def test_what_each_row_of_an_item_or_a_topic_has_is_no_run(door: Any, tmp_path: Path) -> None:
    """The name of a product follows from the item, the split from the topic."""
    for column in ("item", "topic"):
        rows = [
            {
                "system": f"{row[column]} name",
                **{key: row[key] for key in ("topic", "item", "score")},
            }
            for row in ROWS
            if row["system"] == "bm25"
        ]
        report = pc.evaluate(QRELS, door(rows, tmp_path), ["AP"])
        assert report["AP"] == WANTED["bm25", "AP"]


def test_runs_with_other_rows_in_common_are_refused_too(door: Any, tmp_path: Path) -> None:
    """No row is twice, so no duplicate tells that they are two."""
    rows = [row for place, row in enumerate(ROWS) if place in (0, 1, 3, 7, 9)]
    rows[3] = {**rows[3], "item": "y"}
    with pytest.raises(pc.DataError, match="tells several runs apart"):
        pc.evaluate(QRELS, door(rows, tmp_path), ["AP"])


def test_tags_of_trec_text(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = written(tmp_path / "two.run", trec(ROWS))
    qrels = written(tmp_path / "q.qrels", "q1 0 a 1\nq1 0 b 0\nq1 0 c 1\nq2 0 a 0\nq2 0 d 1\n")
    with pytest.raises(
        pc.DataError, match="column 'tag' tells several runs apart; pass run_column='tag'"
    ):
        pc.evaluate(QRELS, path)
    report = pc.evaluate(QRELS, path, ["AP", "P@1"], run_column="tag")
    assert [run.name for run in report.runs] == ["bm25", "dense-2"]
    assert list(report.mean.values()) == list(WANTED.mean.values())
    assert precall(["eval", qrels, path]) == 2
    assert "--run-column tag" in capsys.readouterr().err
    assert precall(["eval", qrels, path, "--run-column", "tag", "-m", "AP"]) == 0
    assert "dense-2" in capsys.readouterr().out
    assert precall(["compare", qrels, path, "--run-column", "tag", "-m", "AP"]) == 0
    assert "dense-2" in capsys.readouterr().out


def test_lines_of_errors_are_those_of_the_file(tmp_path: Path) -> None:
    text = trec(ROWS).splitlines()
    text.insert(7, text[6])
    path = written(tmp_path / "two.run", "\n".join(text))
    with pytest.raises(pc.DataError, match="two.run:8: .*twice|two.run:8"):
        pc.evaluate(QRELS, path, run_column="tag")


def test_comparisons_and_tables_of_several_files(tmp_path: Path) -> None:
    compared = pc.compare(QRELS, ROWS, ["AP"], run_column="system")
    assert set(compared.names) == set(RUNS)
    first = written(tmp_path / "a.csv", lines(ROWS, ","))
    other = [{**row, "system": row["system"] + " again"} for row in ROWS]
    second = written(tmp_path / "b.csv", lines(other, ","))
    assert len(pc.evaluate(QRELS, [first, second], ["AP"], run_column="system").runs) == 4
    with pytest.raises(pc.UsageError, match="two tables have a run 'bm25'"):
        pc.evaluate(
            QRELS, [first, written(tmp_path / "c.csv", lines(ROWS, ","))], run_column="system"
        )


@pytest.mark.parametrize("wrong", [1, "", "nothing"])
def test_columns_that_are_not_there(wrong: Any) -> None:
    with pytest.raises(pc.PrecallError):
        pc.evaluate(QRELS, ROWS, run_column=wrong)
    with pytest.raises(pc.UsageError, match="run_column"):
        pc.evaluate(QRELS, RUNS["bm25"], run_column="system")


@pytest.mark.parametrize("name", ["engine", "experiment", "variant", "config", "anything"])
def test_any_column_that_parts_all_repeated_items_is_offered(
    door: Any, name: str, tmp_path: Path
) -> None:
    """The advice on duplicates=, "first", dropped all runs but one."""
    if door in (DOORS["named tuples"], DOORS["NumPy fields"]):
        return
    rows = [{name if key == "system" else key: value for key, value in row.items()} for row in ROWS]
    with pytest.raises(pc.DataError, match="tells several runs apart") as refused:
        pc.evaluate(QRELS, door(rows, tmp_path), ["AP"])
    assert f"run_column={name!r}" in str(refused.value)
    report = pc.evaluate(QRELS, door(rows, tmp_path), ["AP"], run_column=name)
    assert {run.name for run in report.runs} == set(RUNS)


@pytest.mark.parametrize(
    "cells",
    [
        ["x"] * 4,  # one value
        ["x", "x", "y", "y"],  # an item is twice within one value
        ["1", "1", "2", "2"],  # numbers
        ["x", "y", "z", "w"],  # a text of its own for each row
    ],
)
def test_columns_that_part_no_repeated_items_are_not_offered(cells: list[str]) -> None:
    items = ["a", "a", "b", "b"] if cells[1] == "x" and cells[2] == "y" else ["a", "b", "a", "b"]
    rows = [
        {"topic": "q1", "item": item, "score": 1.0, "engine": cell}
        for item, cell in zip(items, cells, strict=True)
    ]
    with pytest.raises(pc.DataError, match="twice"):
        pc.evaluate(QRELS, rows, ["AP"])


def test_rows_that_can_be_read_only_once_are_refused_as_ever() -> None:
    rows = ({"engine": row["system"]} | row for row in ROWS)
    with pytest.raises(pc.DataError, match="several runs|twice"):
        pc.evaluate(QRELS, ({**row, "system": "x"} for row in rows), ["AP"])


def of_own_keys(key: str, ranked: bool) -> list[dict[str, Any]]:
    """Two runs, each with topics or with items of its own."""
    return [
        {
            "system": run,
            "topic": run if key == "topic" else "q1",
            "item": run + item if key == "item" else item,
            "score": 3.0 - rank,
        }
        | ({"rank": rank} if ranked else {})
        for run in ("x", "y")
        for rank, item in enumerate("ab", 1)
    ]


@pytest.mark.parametrize("key", ["topic", "item"])
def test_runs_with_keys_of_their_own_are_noted(door: Any, key: str, tmp_path: Path) -> None:
    """They were one run, without a word."""
    if door in (DOORS["named tuples"], DOORS["quoted csv"]):
        return
    run = pc.read_run(door(of_own_keys(key, ranked=False), tmp_path))
    (note,) = noticed(run, NamesOfRuns)
    assert (note.column, note.runs, note.per) == ("system", 2, key)


def test_rows_without_a_name_are_no_run() -> None:
    rows = of_own_keys("topic", ranked=False)
    for row in rows[2:]:
        row["system"] = None
    assert not noticed(pc.read_run(rows), NamesOfRuns)


def test_ranks_that_begin_anew_tell_runs_apart(door: Any, tmp_path: Path) -> None:
    """Whatever the items are: one list has each rank once."""
    if door in (DOORS["named tuples"], DOORS["quoted csv"]):
        return
    rows = of_own_keys("item", ranked=True)
    with pytest.raises(pc.DataError, match="run_column='system'"):
        pc.read_run(door(rows, tmp_path))
    numbered = [{**row, "rank": rank, "score": -rank} for rank, row in enumerate(rows, 1)]
    assert not pc.read_run(door(numbered, tmp_path)).notes


def test_ranks_alone_tell_runs_apart(tmp_path: Path) -> None:
    rows = [
        {key: row[key] for key in ("system", "topic", "item", "rank")}
        for row in of_own_keys("item", ranked=True)
    ]
    for source in (rows, written(tmp_path / "x.csv", lines(rows, ","))):
        with pytest.raises(pc.DataError, match="run_column='system'"):
            pc.read_run(source)


def test_names_of_products_with_equal_ranks_are_no_runs() -> None:
    rows = [
        {"name": f"name of {item}", "topic": "q1", "item": item, "score": 1.0, "rank": 1}
        for item in "abc"
    ]
    assert not noticed(pc.read_run(rows), NamesOfRuns)


def test_tags_with_topics_or_items_of_their_own(tmp_path: Path) -> None:
    topics = written(tmp_path / "t.run", trec(of_own_keys("topic", ranked=False)))
    (note,) = noticed(pc.read_run(topics), NamesOfRuns)
    assert (note.column, note.runs, note.per) == ("tag", 2, "topic")
    text = "".join(
        f"{row['topic']} Q0 {row['item']} {row['rank']} {row['score']} {row['system']}\n"
        for row in of_own_keys("item", ranked=True)
    )
    with pytest.raises(pc.DataError, match="run_column='tag'"):
        pc.read_run(written(tmp_path / "i.run", text))


# --- Ranks of TREC text ---


def test_distances_in_trec_text_are_noted(tmp_path: Path) -> None:
    """Ranked by a distance, whose lowest value is the best: RR is .1 in the place of 1."""
    text = "".join(f"q1 Q0 d{rank} {rank} {0.1 * rank:.1f} x\n" for rank in range(1, 11))
    path = written(tmp_path / "x.run", text)
    report = pc.evaluate({"q1": {"d1": 1}}, path, ["RR"])
    (note,) = [note for note in report.notes() if note.kind == "ranks-disagree"]
    assert note.is_reversed and note.disagreeing == 1 and "lower_is_better=True" in str(note)
    turned = pc.evaluate({"q1": {"d1": 1}}, path, ["RR"], lower_is_better=True)
    assert turned["RR"] == 1 and not [
        note for note in turned.notes() if note.kind == "ranks-disagree"
    ]


@pytest.mark.parametrize("shuffled", [False, True])
def test_other_ranks_of_trec_text_are_noted(tmp_path: Path, shuffled: bool) -> None:
    rows = [
        ("q1", "a", 1, 3.0),
        ("q1", "b", 2, 5.0),
        ("q1", "c", 3, 1.0),
        ("q2", "a", 1, 1.0),
        ("q2", "b", 2, 0.5),
    ]
    rows = rows[::-1] if shuffled else rows
    path = written(
        tmp_path / "x.run", "".join(f"{q} Q0 {d} {rank} {score} x\n" for q, d, rank, score in rows)
    )
    notes = pc.read_run(path).notes
    assert [(note.disagreeing, note.topics, note.is_reversed) for note in notes] == [(1, 2, False)]


@pytest.mark.parametrize("ranks", ["0 0 0", "1 2 3", "3 2 1", "a b c", "01 2 10"])
def test_ranks_that_say_nothing_else_are_not_noted(tmp_path: Path, ranks: str) -> None:
    scores = "1 2 3" if ranks == "3 2 1" else "3 2 1"
    rows = zip("xyz", ranks.split(), scores.split(), strict=True)
    path = written(
        tmp_path / "x.run", "".join(f"q1 Q0 {d} {rank} {score} x\n" for d, rank, score in rows)
    )
    assert pc.read_run(path).notes == ()


def test_runs_of_a_dict_of_columns() -> None:
    """The error offered run_column=, which was then refused as for a dict of topics."""
    rows = [(topic, item, run) for run in "xy" for topic in "12" for item in "ab"]
    topics, items, runs = (list(column) for column in zip(*rows, strict=True))
    columns = {"topic": topics, "item": items, "score": [2.0, 1.0] * 4, "system": runs}
    qrels = {"1": {"a": 1}, "2": {"b": 1}}
    with pytest.raises(pc.DataError, match="run_column='system'"):
        pc.evaluate(qrels, columns, ["AP"])
    report = pc.evaluate(qrels, columns, ["AP"], run_column="system")
    assert [run.name for run in report.runs] == ["x", "y"]
    with pytest.raises(pc.UsageError, match="no columns"):
        pc.evaluate(qrels, {"1": {"a": 1.0}}, ["AP"], run_column="system")
