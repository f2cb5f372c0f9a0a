"""Scores beside labels 0/1 are refused as decisions by the commands, as in Python, and with
`positive=`.

Older tests gave scores to `pc.decisions` only; in a table each was a category of its own.
"""

from pathlib import Path

import pytest

import precall as pc
from precall.cli.main import run
from precall.core.notes.of_reading import OneNumberTwice
from tests.noticed import shown

WRONG = "scores beside labels are no decisions; decide first, such as by scores >= 0.5"


@pytest.mark.parametrize(
    "arguments",
    [
        "decisions pr.csv --truth t --predicted p",
        "decisions pr.csv --truth t --predicted p --positive 1",
        "compare --decisions pr.csv --truth t --a p --b q",
        "compare --decisions pr.csv --truth t --a q --b p",
    ],
)
def test_tables(arguments, tmp_path, monkeypatch, capsys) -> None:
    monkeypatch.chdir(tmp_path)
    Path("pr.csv").write_text("t,p,q\n1,0.9,1\n0,0.2,0\n1,0.4,1\n")
    assert run(arguments.split()) == 2
    assert f"pr.csv: column 'p': {WRONG}" in capsys.readouterr().err


@pytest.mark.filterwarnings("default")
def test_numbers_of_categories_are_none(tmp_path, monkeypatch, capsys) -> None:
    monkeypatch.chdir(tmp_path)
    Path("pr.csv").write_text("t,p\n1,2.0\n0,0.0\n1,1.0\n")
    assert run(["decisions", "pr.csv", "--truth", "t", "--predicted", "p"]) == 0
    printed = capsys.readouterr()
    assert not printed.err and shown(printed.out, OneNumberTwice("", "0", "0.0"))


def test_with_a_positive_label() -> None:
    with pytest.raises(pc.UsageError, match=f"predicted: {WRONG}"):
        pc.decisions([1, 0, 1], [0.9, 0.2, 0.4], positive=1)
    assert pc.decisions([1, 0], [1, 0.5], categories=[0, 0.5, 1]).accuracy() == 0.5
