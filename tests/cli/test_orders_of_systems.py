"""`precall overlap --orders`: how alike two orders of systems are."""

from __future__ import annotations

import io
import json
import sys
from pathlib import Path
from typing import Any

import pytest

import precall as pc
from precall.cli.main import run

VALUES = {"dense": 0.61, "hybrid": 0.58, "bm25": 0.52, "random": 0.10}
JUDGE = ["hybrid", "dense", "bm25", "random"]
#: `VALUES` in the forms that are read.
FILES = {
    "lines.txt": "".join(f"{name}\t{value}\n" for name, value in VALUES.items()),
    "names.txt": "".join(f"{name}\n" for name in VALUES),
    "table.csv": "system,AP\n" + "".join(f"{name},{value}\n" for name, value in VALUES.items()),
    "several.csv": "run,mean,n\n"
    + "".join(f"{name},{value},9\n" for name, value in VALUES.items()),
    "lines.jsonl": "".join(json.dumps({"model": n, "score": v}) + "\n" for n, v in VALUES.items()),
    "object.json": json.dumps(VALUES),
    "list.json": json.dumps(list(VALUES)),
}


@pytest.fixture(autouse=True)
def _folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("judge.txt").write_text("".join(f"{name}\n" for name in JUDGE))


def _told(capsys: pytest.CaptureFixture[str], *words: str) -> dict[str, Any]:
    assert run(["overlap", "--orders", *words, "--format", "json"]) == 0, capsys.readouterr().err
    told: dict[str, Any] = json.loads(capsys.readouterr().out)
    return told


@pytest.mark.parametrize("name", FILES)
def test_files(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    Path(name).write_text(FILES[name])
    found = pc.compare.orders(VALUES, JUDGE)
    told = _told(capsys, name, "judge.txt")
    assert told["format"] == "precall.orders/2"
    assert [told[one] for one in ("systems", "kendall", "tau_ap", "tau_ap_b")] == [
        found.systems,
        found.kendall,
        found.tau_ap,
        found.tau_ap_b,
    ]


@pytest.mark.parametrize("name", ["lines.txt", "names.txt"])
def test_an_order_from_standard_input(
    name: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """It was read twice, and the second time it was empty."""
    Path(name).write_text(FILES[name])
    wanted = _told(capsys, name, "judge.txt")
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(FILES[name].encode())))
    assert _told(capsys, "-", "judge.txt")["tau_ap"] == wanted["tau_ap"]


def test_reports(capsys: pytest.CaptureFixture[str]) -> None:
    runs = {
        "a": {"q1": ["x", "y", "z"], "q2": ["y", "x", "z"]},
        "b": {"q1": ["y", "x", "z"], "q2": ["z", "x", "y"]},
        "c": {"q1": ["z", "y", "x"], "q2": ["x", "y", "z"]},
    }
    report = pc.evaluate({"q1": {"x": 1}, "q2": {"y": 2, "x": 1}}, runs, ["RR", "nDCG@2"])
    report.save("r.json")
    for first, second in (("RR", "nDCG@2"), ("nDCG@2", "RR")):
        expected = pc.compare.orders(
            *({n: report.mean[n, m] for n in runs} for m in (first, second))
        )
        assert _told(capsys, "r.json", "r.json", "-m", first, "-m", second)["kendall"] == (
            pytest.approx(expected.kendall)
        )
    pc.evaluate({"q1": {"x": 1}}, runs, "RR").save("one.json")
    assert _told(capsys, "one.json", "one.json", "-m", "RR", "-m", "RR")["kendall"] == 1
    assert run(["overlap", "--orders", "r.json", "one.json"]) == 2
    assert "name one with -m" in capsys.readouterr().err


def test_low_values_may_be_good(capsys: pytest.CaptureFixture[str]) -> None:
    """A list of names was reversed as well: none of its tests had values beside it."""
    Path("loss.txt").write_text("".join(f"{name} {1 - value}\n" for name, value in VALUES.items()))
    found = pc.compare.orders(VALUES, JUDGE)
    losses = {name: 1 - value for name, value in VALUES.items()}
    assert pc.compare.orders(losses, JUDGE, higher_is_better=False) == found
    told = _told(capsys, "loss.txt", "judge.txt", "--lower-is-better")
    assert (told["kendall"], told["tau_ap"]) == (found.kendall, found.tau_ap)
    # A report tells which values are good.
    document = {
        "format": "precall.report/2",
        "measures": [{"name": "E", "asked": ["E"], "best": "low"}],
        "runs": [{"name": name, "mean": {"E": value}} for name, value in losses.items()],
    }
    Path("loss.json").write_text(json.dumps(document))
    assert _told(capsys, "loss.json", "judge.txt")["kendall"] == found.kendall
    assert run(["overlap", "--orders", "loss.json", "judge.txt", "--lower-is-better"]) == 2


@pytest.mark.parametrize(
    ("files", "words", "message"),
    [
        ({"a.txt": "x 1\ny 2\n", "b.txt": "x 1\n"}, ("a.txt", "b.txt"), "'y'"),
        ({"a.txt": "x 1\ny two\n"}, ("a.txt", "judge.txt"), "'two'"),
        ({"a.txt": "x 1\ny\n"}, ("a.txt", "judge.txt"), "a.txt:2"),
        ({"a.txt": "x\nx\n"}, ("a.txt", "judge.txt"), "a.txt:2"),
        ({"a.json": '{"x": "1e999", "y": true}'}, ("a.json", "judge.txt"), "a.json"),
        ({"a.json": '{"x": {"AP": 1}}'}, ("a.json", "judge.txt"), "a.json"),
        ({"a.json": "3"}, ("a.json", "judge.txt"), "no order of systems"),
        ({"a.json": '{"format": "precall.report/2"}'}, ("a.json", "judge.txt"), "damaged"),
        ({}, ("judge.txt", "judge.txt"), "judge.txt"),
        ({}, ("none.txt", "judge.txt"), "none.txt"),
        ({"a.txt": "x\n"}, ("judge.txt", "a.txt"), "a.txt: only one order has"),
        ({"a.txt": "x\n"}, ("a.txt", "judge.txt", "-p", "0.5"), "--persistence"),
        ({"a.txt": "x\n"}, ("a.txt", "judge.txt", "-q"), "--per-topic"),
        ({"a.txt": "x\n"}, ("a.txt", "judge.txt", "-m", "AP"), "'AP'"),
        ({"a.txt": "x\n"}, ("a.txt", "judge.txt", *("-m", "AP") * 3), "3 measures"),
    ],
)
def test_what_is_refused(
    files: dict[str, str],
    words: tuple[str, ...],
    message: str,
    capsys: pytest.CaptureFixture[str],
) -> None:
    for name, text in files.items():
        Path(name).write_text(text)
    assert run(["overlap", "--orders", *words]) == 2
    assert message in capsys.readouterr().err


def test_measures_are_of_orders(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["overlap", "judge.txt", "b.txt", "-m", "AP"]) == 2
    assert "--orders" in capsys.readouterr().err
