"""Spreadsheets, arrays and pickles are refused with what to do, by their names or first bytes.

Only names of spreadsheets were known, and only where a table was asked for; as runs they were
archives, or text with NUL bytes.
"""

from __future__ import annotations

import pickle
import zipfile
from pathlib import Path

import numpy as np
import pytest

import precall as pc
from precall.cli.main import run
from precall.read.formats import NOT_READ
from precall.read.id_files import read_ids

KINDS = [".xlsx", ".xls", ".npy", ".npz", ".pkl", ".pickle"]


def write(path: Path) -> str:
    kind = path.suffix
    if kind == ".npy":
        np.save(path, np.arange(3.0))
    elif kind in (".pkl", ".pickle"):
        path.write_bytes(pickle.dumps({"q1": {"a": 1.0}}))
    elif kind == ".npz":
        np.savez(path, a=np.arange(3.0))
    elif kind == ".xls":
        path.write_bytes(bytes.fromhex("d0cf11e0a1b11ae1") + bytes(600))
    else:
        with zipfile.ZipFile(path, "w") as archive:
            archive.writestr("xl/workbook.xml", "<workbook/>")
    return str(path)


@pytest.mark.parametrize("kind", KINDS)
def test_every_door_says_what_to_do(kind, tmp_path, capsys):
    path = write(tmp_path / f"x{kind}")
    for command in (
        ["eval", path, path + ".run"],
        ["curve", path, "--label", "y", "--score", "s"],
        ["curve", path, "--input-format", "csv", "--label", "y", "--score", "s"],
        ["decisions", path, "--truth", "t", "--predicted", "p"],
        ["categories", path, "--truth", "t", "--scores", "p*"],
        ["ranking", path, path + ".txt"],
        ["eval", "--lists", path],
    ):
        assert run(command) == 2
        error = capsys.readouterr().err
        assert f"x{kind}: {kind} is not read; " in error
        # In Python an array is given itself.
        assert "CSV" in error and "np.load" not in error
    for read in (pc.read_qrels, pc.read_run):
        with pytest.raises((pc.UsageError, pc.DataError), match="is not read") as caught:
            read(path)
        assert ("np.load" in str(caught.value)) == ("np.load" in NOT_READ[kind])


@pytest.mark.parametrize("kind", [".xls", ".npy"])
def test_a_name_that_tells_nothing(kind, tmp_path):
    path = tmp_path / "bm25.run"
    path.write_bytes(Path(write(tmp_path / f"x{kind}")).read_bytes())
    for read in (pc.read_run, read_ids):
        with pytest.raises(pc.DataError, match=rf"bm25\.run: \{kind} is not read"):
            read(str(path))


def test_a_format_that_is_named_is_believed(tmp_path):
    path = tmp_path / "x.xlsx"
    path.write_text("q1 Q0 a 1 2.0 t\n", encoding="utf-8")
    assert pc.read_run(path, format="trec").topics.tolist() == ["q1"]


def test_a_pickle_by_its_bytes(tmp_path):
    path = tmp_path / "bm25.run"
    path.write_bytes(pickle.dumps({"q1": {"a": 1.0}}))
    with pytest.raises(pc.DataError, match=r"\.pkl is not read; .* and pass what it holds"):
        pc.read_run(path)
    # The oldest format is text, and is told by its name.
    path = tmp_path / "bm25.pkl"
    path.write_bytes(pickle.dumps({"q1": {"a": 1.0}}, 0))
    with pytest.raises(pc.UsageError, match=r"\.pkl is not read"):
        pc.read_run(path)
