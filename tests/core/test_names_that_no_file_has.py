"""Paths that no file can have: with NUL, or with half of a character that the file system does not
encode.

They ended in a UnicodeEncodeError or ValueError of Python, and the command in 70. The old tests had
odd bytes in names, which Python keeps as halves of characters that the file system takes back;
others come from Python only.
"""

from __future__ import annotations

import io
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

import precall as pc
from precall.cli.main import run as command
from precall.compat.trec_eval import main as trec_eval
from precall.testing import assert_not_worse

RUN = {"q": {"a": 2.0, "b": 1.0}}
QRELS = {"q": {"a": 1}}
NAMES = ["a\ud800", "a\0b", "folder\ud800/a"]
ENDINGS = ["", ".csv", ".jsonl", ".parquet", ".arrow", ".gz", ".csv.zst"]


def is_printable(error: BaseException) -> bool:
    return bool(str(error).encode())


@pytest.mark.parametrize("name", NAMES, ids=ascii)
@pytest.mark.parametrize("ending", ENDINGS)
def test_inputs(name: str, ending: str) -> None:
    for given in (name + ending, Path(name + ending)):
        for read in (
            pc.read_run,
            pc.read_qrels,
            lambda path: pc.evaluate(path, RUN),
            lambda path: pc.evaluate(QRELS, {"x": path}),
            lambda path: pc.compare(QRELS, {"x": path, "y": RUN}),
        ):
            with pytest.raises(FileNotFoundError, match="no file can have this name") as caught:
                read(given)
            assert is_printable(caught.value)


@pytest.mark.parametrize("name", NAMES, ids=ascii)
def test_outputs(name: str, tmp_path: Path) -> None:
    report, curve = pc.evaluate(QRELS, RUN), pc.curve([1, 0], [2, 1])
    path = f"{tmp_path}/{name}"
    for write in (
        lambda: report.save(f"{path}.json"),
        lambda: curve.save(f"{path}.html"),
        lambda: pc.report(report, f"{path}.html"),
    ):
        with pytest.raises(FileNotFoundError, match="no file can have this name") as caught:
            write()
        assert is_printable(caught.value)
    with pytest.raises(pc.UsageError, match="the name must end in") as refused:
        report.save(path)
    assert is_printable(refused.value)
    with pytest.raises(pc.UsageError, match="a picture's name must end in"):
        curve.plot().save(path)
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("name", NAMES, ids=ascii)
@pytest.mark.parametrize(
    "line",
    [
        "eval {} run",
        "eval qrels {}",
        "eval qrels run -o {}",
        "compare qrels run {}",
        "compare qrels run run --plot {}.svg",
        "curve {}.csv --label y --score s",
        "decisions {}.csv --truth t --predicted p",
        "categories {}.parquet --truth t --scores a",
        "report qrels run -o {}.html",
        "report --from {}",
        "trec_eval {} run",
        "trec_eval qrels {}",
    ],
)
def test_commands(
    line: str, name: str, tmp_path: Path, monkeypatch: Any, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("qrels").write_text("q 0 a 1\n", encoding="utf-8")
    Path("run").write_text("q Q0 a 1 2.0 x\n", encoding="utf-8")
    assert command([word.replace("{}", name) for word in line.split()]) == 2
    assert "no file can have this name" in capsys.readouterr().err


def test_trec_eval_in_python() -> None:
    for arguments, code in ((["a\ud800", "run"], 2), (["-m", "a\ud800", "q", "r"], 1)):
        says = io.TextIOWrapper(io.BytesIO(), "utf-8")
        assert trec_eval(arguments, says, says) == code
        says.seek(0)
        assert "a\\ud800" in says.read()


@pytest.mark.nightly
@pytest.mark.skipif(os.name == "nt", reason="names are not bytes there")
def test_odd_bytes_that_files_have(tmp_path: Path) -> None:
    name = os.fsdecode(b"a\xff")
    try:
        (tmp_path / name).write_text("q Q0 a 1 2.0 x\n", encoding="utf-8")
    except OSError:
        pytest.skip("this file system takes no such names")
    (tmp_path / "qrels").write_text("q 0 a 1\n", encoding="utf-8")
    (tmp_path / f"{name}.csv").write_text("y,s\n1,2\n0,1\n", encoding="utf-8")
    run = pc.read_run(tmp_path / name)
    assert run.name == name
    for line in (
        f"eval qrels {name} -o {name}.json",
        f"compare qrels {name} {name} -o {name}.tex",
        f"trec_eval qrels {name}",
        f"curve {name}.csv --label y --score s",
        f"report qrels {name} -o {name}.html --title {name}",
        f"report --from {name}.html",
    ):
        done = subprocess.run(
            [sys.executable, "-W", "ignore", "-m", "precall", *line.split()],
            cwd=tmp_path,
            capture_output=True,
            check=False,
        )
        assert (done.returncode, done.stderr) == (0, b"") or "compare" in line, (line, done.stderr)
        assert done.returncode in (0, 2)


@pytest.mark.parametrize("name", ["x" * 5000, "folder/" * 2000 + "x", "q Q0 a 1 0.5 r\n" * 400])
@pytest.mark.parametrize("ending", ["", ".csv", ".parquet", ".gz"])
def test_long_names_are_shortened(name: str, ending: str, tmp_path: Path) -> None:
    """The system's error holds the whole name, which may be the text of a file: 10 MB."""
    path = name + ending
    report = pc.evaluate(QRELS, RUN)
    for call in (
        lambda: pc.read_run(path),
        lambda: pc.read_qrels(Path(path)),
        lambda: pc.evaluate(path, RUN),
        lambda: pc.ranking(path, ["a"]),
        lambda: pc.ScoredCases.scan(path, label="y", score="s"),
        lambda: report.save(f"{tmp_path}/{name}.html"),
        lambda: assert_not_worse(report, f"{tmp_path}/{name}"),
    ):
        with pytest.raises(OSError, match="too long") as caught:
            call()
        assert len(str(caught.value)) < 400 and "characters)" in str(caught.value)
