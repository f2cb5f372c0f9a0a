"""Standard input that does not fit into memory is scanned without being asked; what fits is read as ever."""

from __future__ import annotations

import gzip
import io
import sys
from pathlib import Path

import numpy as np
import pytest

from precall.cli.main import run
from precall.read import sizes, sources


def text(rows: int = 3000) -> str:
    rng = np.random.default_rng(4)
    truth = rng.random(rows) < 0.2
    score = np.round(rng.normal(size=rows) + truth, 3)
    return "y,s\n" + "".join(f"{int(y)},{s}\n" for y, s in zip(truth, score, strict=True))


class Typed:
    """Standard input of some bytes."""

    def __init__(self, data: bytes) -> None:
        self.buffer = io.BytesIO(data)


def printed(
    words: str, data: bytes, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> list[str]:
    monkeypatch.setattr(sys, "stdin", Typed(data))
    assert run(words.split()) == 0
    return capsys.readouterr().out.splitlines()


@pytest.mark.parametrize("form", ["csv", "gz", "parquet", "arrow"])
def test_what_does_not_fit_is_scanned_to_the_same_numbers(
    form: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    data, kind = text().encode(), "csv" if form == "gz" else form
    if form == "gz":
        data = gzip.compress(data)
    elif form != "csv":
        polars = pytest.importorskip("polars")
        frame, out = polars.read_csv(data), io.BytesIO()
        (frame.write_parquet if form == "parquet" else frame.write_ipc)(out)
        data = out.getvalue()
    monkeypatch.setattr(sizes, "_PIECE", 1000)
    words = f"curve - --input-format {kind} --label y --score s --at accept=100 --at threshold=0.25"
    whole = printed(words, data, monkeypatch, capsys)
    assert "in batches" not in "".join(whole)
    # A bound that is named holds for standard input as for a file: what fits is read whole.
    assert printed(words + " --memory 1G", data, monkeypatch, capsys) == whole
    monkeypatch.setattr(sizes, "free_memory", lambda: 60_000)
    scanned = printed(words, data, monkeypatch, capsys)
    assert any("read in batches" in line for line in scanned)
    # How many distinct scores there are nobody counted; beside that, only how the file was read differs.
    other = [line for line in whole if line not in scanned]
    assert [line.split()[0] for line in other] == ["thresholds", "|"]


def test_archives_become_larger(tmp_path: Path) -> None:
    path = tmp_path / "c.csv.gz"
    path.write_bytes(bytes(1000))
    for memory, large in ((1000 * 8 * 4, False), (1000 * 8 * 4 - 40, True)):
        with sizes.outgrows(str(path), memory) as told:
            assert told is large


def test_what_was_read_ahead_comes_again() -> None:
    data = bytes(range(256)) * 40
    for most in (0, 1, 255, 10_239, 10_240, 20_000):
        ahead = sizes._Ahead(io.BytesIO(data), most, len)
        assert ahead.goes_on is (most < len(data))
        assert b"".join(iter(lambda: ahead.read(300), b"")) == data  # noqa: B023
    assert sources.read_ahead.get() is None
