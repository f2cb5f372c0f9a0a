"""Cells that are no labels became categories in silence: several labels in a text of a list, bytes
beside texts in files, iterators, and PyTorch's mark of items that do not count.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import precall as pc
from precall.cli.main import run
from precall.core.notes.of_decisions import IgnoredPredicted
from tests.noticed import noticed
from tests.peers import peer

pa = peer("pyarrow")
parquet = peer("pyarrow.parquet")
pl = peer("polars")


@pytest.fixture(autouse=True)
def _folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def _decide(path: str, *more: str) -> int:
    return run(["decisions", path, "--truth", "t", "--predicted", "p", *more])


@pytest.mark.parametrize("form", [list, set, tuple, frozenset])
def test_several_labels_in_a_text_of_a_list(form: Any) -> None:
    truth, predicted = [form(["a;b"]), form(["c"])], [form(["a"]), form(["c"])]
    with pytest.raises(pc.DataError, match=r"holds 'a;b', whose parts are labels, too; split"):
        pc.decisions(truth, predicted)
    named = pc.decisions(truth, predicted, categories=["a", "a;b", "c"])
    assert named.value("micro-F") == 0.5


@pytest.mark.parametrize("suffix", ["jsonl", "parquet"])
def test_several_labels_in_a_text_of_a_file_of_lists(
    suffix: str, capsys: pytest.CaptureFixture[str]
) -> None:
    rows = [{"t": ["a;b"], "p": ["a", "b"]}, {"t": ["c"], "p": ["c"]}]
    path = f"x.{suffix}"
    if suffix == "jsonl":
        Path(path).write_text("".join(json.dumps(row) + "\n" for row in rows))
    else:
        pl.DataFrame(rows).write_parquet(path)
    assert _decide(path) == 2
    err = capsys.readouterr().err
    assert "holds 'a;b', whose parts are labels, too; make each part an element" in err
    assert _decide(path, "--categories", "a,b,a;b,c") == 0


@pytest.mark.parametrize("suffix", ["parquet", "arrow"])
@pytest.mark.parametrize("form", [lambda cells: cells, lambda cells: [[cell] for cell in cells]])
def test_bytes_beside_texts_in_files(
    suffix: str, form: Any, capsys: pytest.CaptureFixture[str]
) -> None:
    texts, letters = ["ham", "spam"], [b"ham", b"spam"]
    path = f"x.{suffix}"
    for truth, predicted, code in (
        (letters, texts, 2),
        (texts, letters, 2),
        (letters, letters, 0),
        (texts, texts, 0),
    ):
        table = pa.table({"t": form(truth), "p": form(predicted)})
        if suffix == "parquet":
            parquet.write_table(table, path)
        else:
            pl.from_arrow(table).write_ipc(path)
        assert _decide(path) == code
        assert ("they never match" in capsys.readouterr().err) == (code == 2)


@pytest.mark.parametrize(
    "make", [lambda: iter(["a"]), lambda: {1: 2}.values(), lambda: map(str, [1]), object]
)
def test_objects_that_equal_only_themselves(make: Any) -> None:
    with pytest.raises(pc.DataError, match="write labels as text, numbers or truth values"):
        pc.decisions([make(), make()], [make(), make()])


@pytest.mark.parametrize("form", [list, np.array, pl.Series, lambda cells: [*map(str, cells)]])
def test_items_that_do_not_count(form: Any, capsys: pytest.CaptureFixture[str]) -> None:
    """Of four tokens the third is padding: accuracy was 1.0 with a category -100."""
    cells = [1, 2, -100, 3]
    with pytest.raises(pc.DataError, match="item 2 has the label -100 among whole numbers"):
        pc.decisions(form(cells), form(cells))
    with pytest.raises(pc.DataError, match="has the label -100"):
        pc.decisions([[1, -100], [2, 3]], [[1, 2], [2, 3]])
    Path("x.csv").write_text("t,p\n" + "".join(f"{cell},{cell}\n" for cell in cells))
    assert _decide("x.csv") == 2 and "has the label -100" in capsys.readouterr().err
    assert _decide("x.csv", "--categories", "1,2,3,-100") == 0
    # Some labels only: it is none of them, and a prediction there counts as in scikit-learn.
    with pytest.warns(IgnoredPredicted.warning):
        some = pc.decisions(form(cells), form([1, 3, 2, 3]), labels=form([1, 2, 3])[:3])
    assert [note.items for note in noticed(some, IgnoredPredicted)] == [1]
    assert some.counts("micro").fp == 2
    assert not pc.decisions(form(cells), form(cells), labels=form([1, 2, 3])[:3]).notes
    Path("y.csv").write_text("t,p\n1,1\n2,3\n-100,2\n3,3\n")
    assert _decide("y.csv", "--labels", "1,2,3") == 0
    assert "-100" in capsys.readouterr().out
    # Other numbers below 0 may be labels.
    assert pc.decisions([-100, -50, 1], [-100, -50, 1]).value("micro-F") == 1
