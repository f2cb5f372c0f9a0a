"""Cells such as "c1;c2" were categories of their own if nobody said what stands between: .333 for
.75, with exit code 0.

Older tests had a separator in the data only where the option was given.
"""

from __future__ import annotations

from pathlib import Path

import pytest

import precall as pc
from precall.cli.main import run
from precall.hard_decisions.table_io import read_decisions
from precall.read.label_rows import find_joined_label
from tests.peers import peer

pd = peer("pandas")
pl = peer("polars")
pa = peer("pyarrow")

DECIDED = ["decisions", "x.csv", "--truth", "t", "--predicted", "p"]


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)


@pytest.mark.parametrize("mark", [";", "|", ","])
def test_the_option_is_named(mark, capsys):
    rows = [(f"c1{mark}c2", "c1"), ("c1", "c1"), ("c3", f"c3{mark}c1")]
    Path("x.csv").write_text("t,p\n" + "".join(f'"{a}","{b}"\n' for a, b in rows))
    assert run(DECIDED) == 2
    assert (
        f"column 't': holds 'c1{mark}c2', whose parts are labels, too; say --separator '{mark}'"
        in capsys.readouterr().err
    )
    assert run(["compare", "--decisions", "x.csv", "--truth", "t", "--a", "p", "--b", "t"]) == 2
    capsys.readouterr()
    assert run([*DECIDED, "--separator", mark]) == 0
    assert read_decisions("x.csv", "t", "p", separator=mark) == pc.decisions(
        [{"c1", "c2"}, {"c1"}, {"c3"}], [{"c1"}, {"c1"}, {"c3", "c1"}]
    )
    # Unless it is said that a cell is one label.
    assert run([*DECIDED, "--separator", "none"]) == 0
    whole = read_decisions("x.csv", "t", "p", separator="none")
    assert f"c1{mark}c2" in whole.categories and whole.truth.kind == "single"
    Path("s.csv").write_text(f't,pc1,pc2\n"c1{mark}c2",.5,.6\nc1,.1,.7\n')
    capsys.readouterr()
    assert run(["categories", "s.csv", "--truth", "t", "--scores", "p*"]) == 2
    assert (
        f"has no column of scores, there are those of 'c1', 'c2'; say --separator '{mark}'"
        in capsys.readouterr().err
    )


def test_one_line_about_all_categories_without_scores(capsys):
    """There was one of each cell, and only those whose parts all had scores named the option."""
    cells = ["a|x", "y|z|a", "x|z", "b|y", "z|b|a", "y", "x", "w|v|u"]
    Path("s.csv").write_text("t,pa,pb\n" + "".join(f"{cell},.5,.6\n" for cell in cells))
    line = ["categories", "s.csv", "--truth", "t", "--scores", "p*"]
    assert run(line) == 2
    (told,) = capsys.readouterr().err.splitlines()
    assert "s.csv:2: column 't': categories 'a|x', 'y|z|a', 'x|z' and 5 more have no" in told
    assert told.endswith("say --separator '|', or name the columns with --scores")
    assert run([*line, "--separator", "|"]) == 2
    (told,) = capsys.readouterr().err.splitlines()
    assert "categories 'x', " in told and "--separator" not in told
    Path("x.csv").write_text("t,p\n" + "".join(f"{cell},a\n" for cell in cells))
    assert run([*DECIDED, "--categories", "a,b,x,y,z"]) == 2
    told = capsys.readouterr().err.splitlines()
    assert len(told) == 1 and "labels 'a|x', 'y|z|a', 'x|z' and 3 more are none of" in told[0]
    assert "; say --separator '|', or name it with --categories" in told[0]


@pytest.mark.parametrize("door", [list, pd.Series, pl.Series, pa.array])
def test_texts_of_python(door):
    cells, said = door(["c1;c2", "c1", "c3"]), door(["c1", "c1", "c3"])
    with pytest.raises(
        pc.DataError,
        match=(
            r"truth: holds 'c1;c2', .*; pass lists of labels, \[cell.split\(';'\) for cell in "
            r"...\]"
        ),
    ):
        pc.decisions(cells, said)
    with pytest.raises(pc.DataError, match="holds 'c1;c2'"):
        pc.compare.decisions(said, said, cells)
    assert pc.decisions(cells, said, ["c1", "c1;c2", "c3"]).accuracy() == pytest.approx(2 / 3)


@pytest.mark.parametrize(
    "cell", ["['a', 'b']", '["a"]', "{'a'}", "[]", "set()", "('a',)", "[a, b]"]
)
def test_lists_that_were_written_as_text(cell, capsys):
    """As pandas writes lists to CSV."""
    pd.DataFrame({"t": [cell, "['b']"], "p": ["['b']", cell]}).to_csv("x.csv", index=False)
    assert run(DECIDED) == 2
    told = capsys.readouterr().err
    assert (
        "a list of labels that was written as text; write JSON lines, or labels with a separator"
        in told
    )
    with pytest.raises(
        pc.DataError,
        match=r"written as text; pass lists of labels, \[(ast.literal_eval\(cell\)|re.findall)",
    ):
        pc.decisions([cell, "x"], ["x", "y"])


@pytest.mark.parametrize(
    "labels",
    [
        ["Korea, South", "Korea, North", "Trinidad, Tobago"],
        ["Smith; John", "Roe; Jane"],
        ["a|b"],
        ["[CLS]", "[UNK]"],
        [";", ";;", "|"],
        ["a;", ";b"],
        ["(left)", "{x}"],
        [1, 2.5, None, b"a;b", b"a"],
    ],
)
def test_names_may_hold_such_marks(labels):
    assert find_joined_label(labels) is None
