"""Tables in JSON documents, as pandas, MLflow and people write them, and CSV with semicolons and
decimal commas.

Why the old tests missed them: a JSON document was refused as no table, so nobody wrote one.
"""

from __future__ import annotations

import gzip
import io
import json
import sys
from pathlib import Path
from typing import Any
from unittest import mock

import pytest

import precall as pc
from precall.cases.table import read_cases
from precall.cli.completion import _heading
from precall.cli.main import run
from precall.hard_decisions.table_io import read_decisions
from tests.peers import peer

Y, S, P = [1, 0, 1, 0, 1], [0.9, 0.75, 0.5, 0.25, 0.125], [1, 1, 1, 0, 0]
COLUMNS: dict[str, list[Any]] = {"y": Y, "s": S, "p": P, "t": [0.5, 0.9, 0.4, 0.25, 0.7]}
ROWS = [dict(zip(COLUMNS, row, strict=True)) for row in zip(*COLUMNS.values(), strict=True)]
DOCUMENTS: dict[str, Any] = {
    "records": ROWS,
    "lists by name": COLUMNS,
    "columns": {name: {str(at): c for at, c in enumerate(of)} for name, of in COLUMNS.items()},
    "index": {str(at): row for at, row in enumerate(ROWS)},
    "index of names": dict(zip("abcde", ROWS, strict=True)),
    "split": {
        "columns": list(COLUMNS),
        "index": [0, 1, 2, 3, 4],
        "data": [list(row.values()) for row in ROWS],
    },
    "MLflow": {"columns": list(COLUMNS), "data": [list(row.values()) for row in ROWS]},
    "table": {"schema": {"fields": []}, "data": [{"index": at} | r for at, r in enumerate(ROWS)]},
}
CURVE = ("--label", "y", "--score", "s", "--format", "json")
WANTED = pc.curve(Y, S).average_precision()


@pytest.fixture(autouse=True)
def _folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def ap(capsys: pytest.CaptureFixture[str], *words: str) -> float:
    assert run(["curve", *words, *CURVE]) == 0, capsys.readouterr().err
    found = json.loads(capsys.readouterr().out)["scores"]["s"]["measures"]["AP"]
    assert isinstance(found, float)
    return found


@pytest.mark.parametrize("form", DOCUMENTS)
def test_every_form_at_every_door(form: str, capsys: pytest.CaptureFixture[str]) -> None:
    text = json.dumps(DOCUMENTS[form], indent=1 if form == "split" else None)
    Path("x.json").write_text(text)
    Path("x.json.gz").write_bytes(gzip.compress(text.encode()))
    Path("x").write_bytes(b"\xef\xbb\xbf" + text.encode())
    for words in (("x.json",), ("x.json.gz",), ("x", "--input-format", "json")):
        for more in ((), ("--memory", "160M")):
            assert ap(capsys, *words, *more) == WANTED
    assert read_cases("x.json", "y", ["s"]).curves()["s"][""].average_precision() == WANTED
    assert pc.ScoredCases.scan("x.json", label="y", score="s").average_precision() == WANTED
    for more in ((), ("--memory", "160M")):
        with mock.patch.object(sys, "stdin", type("", (), {"buffer": io.BytesIO(text.encode())})()):
            assert ap(capsys, "-", "--input-format", "json", *more) == WANTED
    decided = read_decisions("x.json", "y", "p").value("accuracy")
    assert decided == pc.decisions(Y, P).value("accuracy")


def test_two_columns_compared(capsys: pytest.CaptureFixture[str]) -> None:
    Path("x.json").write_text(json.dumps(ROWS))
    Path("x.csv").write_text(
        "y;s;t\n" + "".join(f"{r['y']};{r['s']};{r['t']}\n".replace(".", ",") for r in ROWS)
    )
    told = []
    for path in ("x.json", "x.csv"):
        words = ["compare", path, "--label", "y", "--score", "s", "--score", "t"]
        assert run([*words, "--format", "json"]) == 0
        told.append(json.loads(capsys.readouterr().out))
    for each in told:
        del each["conventions"]["file"]
    assert told[0] == told[1]


def test_scores_of_categories(capsys: pytest.CaptureFixture[str]) -> None:
    rows = [{"t": t, "p_a": a, "p_b": 1 - a} for t, a in zip("aabbab", [*S, 0.5], strict=True)]
    Path("x.json").write_text(json.dumps(rows))
    Path("x.csv").write_text(
        "t;p_a;p_b\n" + "".join(f"{r['t']};{r['p_a']};{r['p_b']}\n".replace(".", ",") for r in rows)
    )
    Path("points.csv").write_text(
        "t,p_a,p_b\n" + "".join(f"{r['t']},{r['p_a']},{r['p_b']}\n" for r in rows)
    )
    told = []
    for path in ("points.csv", "x.json", "x.csv"):
        assert run(["categories", path, "--truth", "t", "--scores", "p_*", "--format", "json"]) == 0
        told.append(json.loads(capsys.readouterr().out)["categories"])
    assert told[0] == told[1] == told[2]


def test_what_pandas_writes() -> None:
    frame = peer("pandas").DataFrame(COLUMNS)
    for orient in ("columns", "records", "split", "index", "table"):
        frame.to_json("x.json", orient=orient)
        found = read_cases("x.json", "y", ["s"]).curves()["s"][""].average_precision()
        assert found == WANTED
    frame.astype({"y": float}).to_csv("x.csv", sep=";", decimal=",", index=False)
    assert read_cases("x.csv", "y", ["s"]).curves()["s"][""].average_precision() == WANTED


def test_columns_whose_rows_are_in_another_order() -> None:
    Path("x.json").write_text('{"y": {"a": 1, "b": 0}, "s": {"b": 0.1, "a": 0.9}}')
    assert read_cases("x.json", "y", ["s"]).curves()["s"][""].average_precision() == 1


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ('[{"y": 1, "s": 0.5}, {"y": 0,', r"x\.json: not JSON \(.* at line 1\); write a list"),
        ('{"y":1,"s":0.5}\n{"y":0,"s":0.4}\n', "Extra data at line 2.*--input-format jsonl"),
        ("[[1, 0.5]]", r"x\.json, row 1: not a JSON object with names \(list\)"),
        ('[{"y": 1, "s": 0.5}, {"y": 0}]', r"x\.json, row 2: no 's', there are 'y'"),
        ('{"y": {"0": 1, "1": 0}, "s": {"0": 0.5}}', r"x\.json, row 2: no 's'"),
        ('{"columns": ["y", "s"], "data": [[1, 0.5], [0]]}', 'row 2: 1 cell, "columns" has 2'),
        ('{"columns": ["y", "s"], "data": [7]}', "row 1: int"),
        ('{"y": [1, 0], "s": [0.5]}', "columns of unequal length: 'y: 2', 's: 1'"),
        ('{"y": 1, "s": 0.5}', "int instead of rows or columns"),
        ("7", "int instead of rows or columns"),
        ("[]", "no data row"),
        ("{}", "no data row"),
        ('{"format": "precall.curve/1"}', r"'precall\.curve/1', a result of precall"),
        ('{"columns": ["y", "s", "s"], "data": [[1, 1, 2]]}', "2 columns are called 's'"),
        ('[{"y": 1, "y": 0, "s": 0.5}]', "'y' is twice in one object"),
        ('[{"y": 1, "s": 1e999}]', r"x\.json, row 1: column 's': score '?1e999'? is beyond"),
        ('[{"y": 1, "s": NaN}, {"y": 0, "s": 1}]', r"x\.json, row 1: column 's': score is NaN"),
        ('[{"y": 1, "s": null}, {"y": 0, "s": 1}]', r"x\.json, row 1: column 's': no value"),
        ('{"0": {"y": 1}, "1": {"y": 0}}', "no column 's', the columns are 'y'"),
    ],
)
def test_what_is_wrong_is_said(text: str, told: str, capsys: pytest.CaptureFixture[str]) -> None:
    Path("x.json").write_text(text)
    for more in ((), ("--memory", "160M")):
        assert run(["curve", "x.json", *CURVE, *more]) == 2
        with pytest.raises(AssertionError, match=told):
            raise AssertionError(capsys.readouterr().err)


def test_a_document_on_one_long_line_of_standard_input(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Text without a line end is refused as endless; a document needs none."""
    monkeypatch.setattr("precall.read.sources.LONG", 64)
    text = json.dumps(ROWS).encode()
    with mock.patch.object(sys, "stdin", type("", (), {"buffer": io.BytesIO(text)})()):
        assert ap(capsys, "-", "--input-format", "json") == WANTED
    with mock.patch.object(sys, "stdin", type("", (), {"buffer": io.BytesIO(b"x" * 99)})()):
        assert run(["curve", "-", "--input-format", "json", *CURVE]) == 2
    assert "no object and no list at its beginning" in capsys.readouterr().err


def _semicolons(rows: list[dict[str, Any]] = ROWS) -> str:
    lines = [";".join(rows[0]), *(";".join(map(str, row.values())) for row in rows)]
    return "\n".join(lines).replace(".", ",") + "\n"


@pytest.mark.parametrize("commas", [True, False])
def test_semicolons_part_cells(commas: bool, capsys: pytest.CaptureFixture[str]) -> None:
    """With decimal commas and with points."""
    text = _semicolons() if commas else _semicolons().replace(",", ".")
    Path("x.csv").write_text(text)
    Path("x.csv.gz").write_bytes(gzip.compress(text.encode()))
    for path in ("x.csv", "x.csv.gz"):
        for more in ((), ("--memory", "160M")):
            assert ap(capsys, path, *more) == WANTED
    with mock.patch.object(sys, "stdin", type("", (), {"buffer": io.BytesIO(text.encode())})()):
        assert ap(capsys, "-", "--input-format", "csv") == WANTED
    decided = read_decisions("x.csv", "y", "p").value("accuracy")
    assert decided == pc.decisions(Y, P).value("accuracy")
    assert _heading(Path("x.csv")) == list(COLUMNS)


def test_semicolons_in_batches_with_line_ends_in_cells(monkeypatch: pytest.MonkeyPatch) -> None:
    """A batch was cut within quotes if they follow a semicolon."""
    monkeypatch.setattr("precall.read.table_batches.BYTES", 32)
    monkeypatch.setattr("precall.read.sources._PIECE", 16)
    rows = enumerate(zip(Y, S, strict=True))
    lines = [f'"note\n{at}";{y};{s}'.replace(".", ",") for at, (y, s) in rows]
    Path("x.csv").write_text("n;y;s\n" + "\n".join(lines) + "\n")
    assert pc.ScoredCases.scan("x.csv", label="y", score="s").average_precision() == WANTED
    Path("x.csv").write_text("n;y;s\n" + "\n".join(lines).replace("0,5", "x") + "\n")
    with pytest.raises(pc.DataError, match=r"x\.csv:6: column 's': score 'x'"):
        pc.ScoredCases.scan("x.csv", label="y", score="s")


def test_weights_with_decimal_commas() -> None:
    Path("x.csv").write_text("y;s;w\n1;0,9;1,5\n0;0,5;2\n1;0,1;0,5\n")
    found = read_cases("x.csv", "y", ["s"], weight="w").curves()["s"][""]
    assert (
        found.average_precision()
        == pc.curve([1, 0, 1], [0.9, 0.5, 0.1], weights=[1.5, 2, 0.5]).average_precision()
    )


def test_columns_between_commas_come_first() -> None:
    """A header may have semicolons in its names."""
    Path("x.csv").write_text("y,s;t,s\n1,9,0.9\n0,8,0.1\n")
    assert read_cases("x.csv", "y", ["s"]).curves()["s"][""].average_precision() == 1
    Path("x.csv").write_text('y;s;"a,b"\n1;0,9;1\n0;0,1;2\n')
    assert read_cases("x.csv", "y", ["s"]).curves()["s"][""].average_precision() == 1


def test_points_beside_decimal_commas_are_refused(capsys: pytest.CaptureFixture[str]) -> None:
    """1.234 beside 0,5 may be a thousand and more."""
    Path("x.csv").write_text("y;s\n1;0,9\n0;1.234\n1;2.345,5\n")
    assert run(["curve", "x.csv", *CURVE]) == 2
    told = capsys.readouterr().err
    assert "x.csv:3: column 's': score '1.234' has a point" in told and "'2.345,5'" in told


def test_a_column_that_is_not_there_between_semicolons(capsys: pytest.CaptureFixture[str]) -> None:
    Path("x.csv").write_text("y;z\n1;0,9\n")
    assert run(["curve", "x.csv", *CURVE]) == 2
    assert "no column 's', the columns are 'y', 'z'" in capsys.readouterr().err
