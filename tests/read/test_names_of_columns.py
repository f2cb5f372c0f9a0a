"""The names of columns that are known, by the list of them: each can be met, and is in the
documents.
"""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import precall as pc
from precall.cli.main import run
from precall.core.text import letters
from precall.read.columns import GROUP_ROLES, LIST_ROLES, NAMES, ROLES

PAGE = Path(__file__).parents[2] / "docs/how-to/data.md"
VALUES = {"topic": "q", "item": "a", "score": 2.0, "grade": 1}
PAIRS = [(role, name) for role in ROLES[:4] for name in NAMES[role].split()]


@pytest.mark.parametrize("role", NAMES)
def test_a_name_is_written_as_it_is_looked_for(role: str) -> None:
    names = NAMES[role].split()
    assert [name for name in names if letters(name) != name] == [], "without - and _, in lower case"
    assert len(set(names)) == len(names)
    assert role in (*ROLES, *LIST_ROLES, *GROUP_ROLES, "rank")


@pytest.mark.parametrize(("role", "name"), PAIRS)
def test_a_column_of_this_name_is_read(role: str, name: str) -> None:
    value = "grade" if role == "grade" else "score"
    # A table of topic, item and score is a run; with the names of BEIR it may be qrels, too.
    beside = ("query-id", "corpus-id") if name == "score" else ("topic", "item")
    columns = [
        name if role == of else usual for of, usual in zip(("topic", "item"), beside, strict=True)
    ]
    columns.append(name if role == value else value)
    table = [dict(zip(columns, (VALUES["topic"], VALUES["item"], VALUES[value]), strict=True))]
    read = pc.read_qrels(table) if value == "grade" else pc.read_run(table)
    assert (read.topics.tolist(), read.items.tolist()) == (["q"], ["a"])
    assert (read.grade if value == "grade" else read.score).tolist() == [VALUES[value]]


@pytest.mark.parametrize("role", ROLES)
def test_the_page_of_data_has_every_name(role: str) -> None:
    (row,) = re.findall(rf"(?m)^\| {role} \| (.*) \|$", PAGE.read_text(encoding="utf-8"))
    said = {letters(name) for name in re.findall("`([^`]+)`", row)}
    assert [name for name in NAMES[role].split() if name not in said] == []


MOVIELENS = "userId,movieId,rating,timestamp\n1,10,4,100\n1,11,2,101\n2,10,3,102\n"
PREDICTED = "user_id,item_id,prediction\n1,11,0.9\n1,10,0.8\n2,10,0.3\n"


def test_tables_of_recommenders(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Files of MovieLens, and what a recommender predicts, needed --columns."""
    rated, predicted = tmp_path / "ratings.csv", tmp_path / "als.csv"
    rated.write_text(MOVIELENS, encoding="utf-8")
    predicted.write_text(PREDICTED, encoding="utf-8")
    assert pc.evaluate(rated, predicted, "RR(grade=3)")["RR(grade=3)"] == 0.75
    assert run(["eval", str(rated), str(predicted), "-m", "RR(grade=3)"]) == 0
    assert "0.7500" in capsys.readouterr().out


def test_a_query_comes_before_a_user() -> None:
    """A log of queries also has their users, whose names tell no topics apart."""
    rows = [{"user_id": 7, "query_id": q, "doc_id": "a", "score": 1.0} for q in ("q1", "q2")]
    assert pc.read_run(rows).topics.tolist() == ["q1", "q2"]
