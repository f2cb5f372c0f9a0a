"""What lies below a folder is looked at only by commands that read folders: every command walked
through all of it.
"""

from __future__ import annotations

import pytest

from precall.cli.main import run
from precall.read import folders


@pytest.fixture
def walked(tmp_path, monkeypatch):
    """A folder, and which ones were walked through."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "large").mkdir()
    (tmp_path / "q.qrels").write_text("1 0 a 1\n")
    (tmp_path / "c.csv").write_text("t,p,pa,pb\na,b,1,0\nb,a,0,1\n")
    seen = []
    below = folders._below
    monkeypatch.setattr(folders, "_below", lambda source: seen.append(source) or below(source))
    return seen


@pytest.mark.parametrize(
    "line",
    [
        "eval q.qrels large",
        "eval large large/a.run",
        "compare q.qrels large q.qrels",
        "categories large --truth t --scores p*",
        "categories c.csv --truth t --scores p* --thresholds large",
        "categories c.csv --truth t --scores p* --policy scut --fit-on large",
        "decisions large --truth t --predicted p",
        "ranking large large",
        "power q.qrels large q.qrels",
        "report q.qrels large -o x.html",
        "report --from large",
    ],
)
def test_folders_that_no_command_reads(line, walked, capsys):
    assert run(line.split()) == 2
    assert walked == [] and "irectory" in capsys.readouterr().err


@pytest.mark.parametrize(
    "line",
    ["curve large --label y --score s", "report --cases large --label y --score s -o x.html"],
)
def test_folders_that_are_read(line, walked, capsys):
    assert run(line.split()) == 2
    assert set(walked) == {"large"} and "no Parquet file" in capsys.readouterr().err
