"""A folder in the place of a file is said to be one, whatever reads or writes there and whatever it
is called.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import precall as pc
from precall.core.text import FOLDER
from precall.hard_decisions.table_io import read_decisions, read_status

CASES = "c.csv --label y --score s"
ITEMS = "c.csv --truth y --predicted y"
SCORES = "c.csv --truth y --scores s*"
READ = [
    "eval {} one.run",
    "eval news.qrels {}",
    "eval --lists {}",
    "report news.qrels {} -o x.html",
    "report --lists {} -o x.html",
    "report --from {}",
    "report {} --truth y --scores s* -o x.html",
    "compare news.qrels one.run {}",
    "compare --lists {} --lists other",
    "compare --decisions {} --truth t --a a --b b",
    "compare --cases {} --truth t --a a --b b",
    "decisions {} --truth t --predicted p",
    "decisions {} --truth t --predicted p --input-format csv",
    "categories {} --truth t --scores s*",
    f"categories {SCORES} --policy max-f --fit-on {{}}",
    f"categories {SCORES} --thresholds {{}}",
    "trec_eval {} one.run",
    "trec_eval news.qrels {}",
]
WRITTEN = [
    "eval news.qrels one.run -o {}",
    "report news.qrels one.run -o {}",
    "compare news.qrels one.run two.run --plot {}",
    "compare news.qrels one.run two.run --fail-if-worse P@1 --junit {}",
    f"curve {CASES} -o {{}}",
    f"curve {CASES} --plot {{}}",
    f"decisions {ITEMS} --confusion --plot {{}}",
    f"categories {SCORES} --policy max-f --save-thresholds {{}}",
    "null --ap .5 --items 10 --relevant 2 --plot {}",
]
NAMES = ["folder", "folder.json", "folder.csv", "folder.parquet", "folder.png"]


@pytest.fixture(autouse=True)
def _folders(precall: Any) -> None:
    for name in (*NAMES, "other"):
        Path(name).mkdir()
    Path("c.csv").write_text("y,s1,s0,s\n1,.5,.4,.4\n0,.2,.3,.3\n")


@pytest.mark.parametrize("line", [*READ, *WRITTEN])
def test_a_command_says_that_it_is_a_folder(precall: Any, line: str) -> None:
    for name in NAMES[:2] if line in WRITTEN else NAMES:
        outcome = precall(*line.format(name).split())
        assert outcome.code and FOLDER in outcome.err and name in outcome.err, (name, outcome.err)


@pytest.mark.parametrize("name", NAMES)
def test_so_does_python(name: str) -> None:
    curve = pc.curve([1, 0], [0.2, 0.1])
    calls: list[Any] = [
        lambda: pc.read_qrels(name),
        lambda: pc.read_run(name),
        lambda: pc.read_lists(name),
        lambda: pc.read_thresholds(name),
        lambda: pc.evaluate(name, "one.run"),
        lambda: pc.evaluate("news.qrels", name),
        lambda: read_decisions(name, "t", "p"),
        lambda: read_status(name, "t", "s*"),
        lambda: pc.decisions([1, 0], [1, 0]).save(name),
        lambda: curve.save(name),
        lambda: curve.plot().save(name),
    ]
    for call in calls:
        with pytest.raises(IsADirectoryError) as refused:
            call()
        assert (refused.value.filename, refused.value.strerror) == (name, FOLDER)


def test_a_folder_of_cases_says_so_as_well(precall: Any) -> None:
    outcome = precall("curve", "folder", "--label", "y", "--score", "s")
    assert outcome.code and "is a directory" in outcome.err
