"""`positive=False` says which cases are relevant wherever `positive=True` does.

Why the old tests missed it: the positive label of a file was a text in them, spelled as there.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import precall as pc
from precall.cases.table import measure_cases, read_cases
from precall.cli.main import run
from precall.hard_decisions.table_io import compare_cases, read_decisions

pandas = pytest.importorskip("pandas", reason="pandas is not installed: a door of labels")
polars = pytest.importorskip("polars", reason="Polars is not installed: a door of labels")
pyarrow = pytest.importorskip("pyarrow", reason="PyArrow is not installed: a door of labels")

TRUTH, SCORES = [True, False, True, False, False], [0.9, 0.8, 0.3, 0.7, 0.1]
DECIDED = [True, True, True, False, False]
COLUMNS: dict[str, Callable[[list[bool]], Any]] = {
    "list": list,
    "NumPy": np.array,
    "objects": lambda labels: np.array(labels, object),
    "pandas": pandas.Series,
    "pandas Categorical": lambda labels: pandas.Series(pandas.Categorical(labels)),
    "Polars": polars.Series,
    "Arrow": pyarrow.array,
    "Arrow dictionary": lambda labels: pyarrow.array(labels).dictionary_encode(),
}
FRAME = polars.DataFrame({"y": TRUTH, "s": SCORES, "p": DECIDED})
FILES: dict[str, Callable[[str], Any]] = {
    "x.parquet": FRAME.write_parquet,
    "x.arrow": FRAME.write_ipc,
    "x.csv": FRAME.write_csv,
    "x.jsonl": FRAME.write_ndjson,
    "pandas.csv": lambda path: FRAME.to_pandas().to_csv(path, index=False),
}


def expected(positive: bool) -> tuple[float, float]:
    """The average precision and the precision of decisions of labels 0 and 1."""
    truth = [int(label is positive) for label in TRUTH]
    decided = [int(label is positive) for label in DECIDED]
    return pc.average_precision(truth, SCORES), pc.decisions(truth, decided).precision()


@pytest.mark.parametrize("door", COLUMNS)
@pytest.mark.parametrize("positive", [True, False, np.bool_(False), 0])
def test_columns_in_memory(door: str, positive: Any) -> None:
    made = COLUMNS[door]
    found = (
        pc.average_precision(made(TRUTH), SCORES, positive=positive),
        pc.decisions(made(TRUTH), made(DECIDED), positive=positive).precision(),
    )
    assert found == expected(bool(positive))


@pytest.mark.parametrize("name", FILES)
@pytest.mark.parametrize("positive", [True, False, np.bool_(False), 0, "True", "False", "false"])
def test_files(name: str, positive: Any, tmp_path: Path) -> None:
    FILES[name](str(path := tmp_path / name))
    is_true = positive == "True" or positive is True
    scanned = pc.ScoredCases.scan(path, label="y", score="s", positive=positive)
    whole = read_cases(str(path), "y", ["s"], positive=positive)
    decided = read_decisions(str(path), "y", "p", positive=positive)
    assert (scanned.average_precision(), decided.precision()) == expected(is_true)
    assert measure_cases(whole).curves["s"][""].average_precision() == scanned.average_precision()


def test_the_command_takes_either_spelling(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    FRAME.write_parquet(path := tmp_path / "x.parquet")
    line = f"curve {path} --label y --score s -m AP --format json --positive".split()
    texts = []
    for spelling in ("False", "false", "True"):
        assert not run([*line, spelling])
        texts.append(capsys.readouterr().out)
    assert texts[0].replace('"False"', '"false"') == texts[1] != texts[2]


def test_two_scores_of_a_file(tmp_path: Path) -> None:
    FRAME.with_columns(b=-polars.col("s")).write_parquet(path := tmp_path / "x.parquet")
    found = compare_cases(str(path), "y", "s", "b", ["AP"], positive=False)  # type: ignore[arg-type]
    assert found.means["AP"]["s"] == expected(False)[0]


def test_other_labels_are_what_they_were(tmp_path: Path) -> None:
    """Only where all labels are truth values is one of them another spelling of a label."""
    path = tmp_path / "x.csv"
    path.write_text("y,s\ntrue,1\nTRUE,2\nno,3\n")
    with pytest.raises(pc.DataError):
        pc.ScoredCases.scan(path, label="y", score="s", positive="True")
    path.write_text("y,s\ntrue,1\nTRUE,2\nfalse,3\n")
    with pytest.raises(pc.DataError):
        pc.ScoredCases.scan(path, label="y", score="s", positive="True")
