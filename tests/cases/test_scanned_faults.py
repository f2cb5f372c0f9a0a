"""What goes wrong in a scan is named by file and row, whichever batch it is in; and nothing is left
on disk.
"""

from __future__ import annotations

import gc
import gzip
import io
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import precall as pc
from precall import ScoredCases
from precall.cases import scanning
from precall.read import sources, table_batches

ROWS, BATCH = 1000, 250
TEXTS = ("csv", "tsv", "jsonl")
FORMATS = (
    *TEXTS,
    "csv.gz",
    "jsonl.gz",
    "csv.zst",
    "parquet",
    "parquet.gz",
    "arrow",
    "stream.arrow",
    "stream.arrow.gz",
)


def cases(wrong: int | None = None) -> tuple[Any, Any]:
    rng = np.random.default_rng(8)
    score = rng.normal(size=ROWS)
    if wrong is not None:
        score[wrong - 1] = np.nan
    return rng.random(ROWS) < 0.2, score


def table(kind: str, wrong: int) -> bytes:
    """A table with one score that is NaN, in batches of 250 rows."""
    truth, score = cases(wrong)
    kind, _, archive = kind.removeprefix("stream.").partition(".")
    if kind in TEXTS:
        # Rows of equal length, so that blocks end behind the same rows whichever is wrong.
        written = ["NaN" if s != s else f"{s:.17f}" for s in score]
        filled = ["x" * (24 - len(cell)) for cell in written]
        cells = list(zip(map(int, truth), written, filled, strict=True))
        if kind == "jsonl":
            lines = [f'{{"y": {y}, "s": {s}, "p": "{p}"}}' for y, s, p in cells]
        else:
            separator = "," if kind == "csv" else "\t"
            lines = [separator.join(row) for row in ("ysp", *((str(y), s, p) for y, s, p in cells))]
        data = ("\n".join(lines) + "\n").encode()
    else:
        data = frames(kind, truth, score)
    if archive == "zst":
        return bytes(pytest.importorskip("zstandard").ZstdCompressor().compress(data))
    return gzip.compress(data) if archive else data


def frames(kind: str, truth: Any, score: Any) -> bytes:
    out = io.BytesIO()
    polars = pytest.importorskip("polars")
    if kind == "parquet":
        polars.DataFrame({"y": truth, "s": score}).write_parquet(out, row_group_size=BATCH)
        return out.getvalue()
    arrow = pytest.importorskip("pyarrow")
    rows = arrow.table({"y": truth, "s": score})
    with arrow.ipc.new_stream(out, rows.schema) as writer:
        for batch in rows.to_batches(max_chunksize=BATCH):
            writer.write_batch(batch)
    return out.getvalue()


def ends(kind: str) -> list[int]:
    """The last row of the first batch, of the third and of all, and the first of the second."""
    base = kind.partition(".")[0]
    if base not in TEXTS:
        return [BATCH, 3 * BATCH, ROWS, BATCH + 1]
    data = table(base, ROWS)
    pieces = (data[at : at + 1000] for at in range(0, len(data), 1000))
    heading = base != "jsonl"
    sizes = [
        rows.count(b"\n") - heading
        for _, rows in table_batches._blocks(pieces, base, lambda names, line: names)
    ]
    assert len(sizes) > 3
    return [sizes[0], sum(sizes[:3]), ROWS, sizes[0] + 1]


@pytest.mark.nightly(keep=2)
@pytest.mark.parametrize("kind", FORMATS)
def test_a_score_that_is_nan_is_named_by_its_row(
    kind: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path / "spool"))
    (tmp_path / "spool").mkdir()
    monkeypatch.setattr(table_batches, "ROWS", BATCH)
    monkeypatch.setattr(table_batches, "BYTES", 6000)
    monkeypatch.setattr(sources, "_PIECE", 1000)
    name = kind.removeprefix("stream.")
    base, path = name.partition(".")[0], tmp_path / f"c.{name}"
    for wrong in ends(name):
        path.write_bytes(table(kind, wrong))
        place = f":{wrong + (base != 'jsonl')}" if base in TEXTS else f", row {wrong}"
        for source, called in ((str(path), str(path)), ("-", "standard input")):
            monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(path.read_bytes())))
            with pytest.raises(pc.DataError) as error:
                ScoredCases.scan(source, label="y", score="s", format=base)
            assert str(error.value).startswith(f"{called}{place}: column 's': score is NaN")
    assert not list((tmp_path / "spool").iterdir())


@pytest.mark.parametrize("named", [False, True])
@pytest.mark.parametrize("again", [False, True])
def test_batches_of_an_iterator_are_named_by_their_number(named: bool, again: bool) -> None:
    for wrong in ends("arrow"):
        truth, score = cases(wrong)
        parts = [slice(begin, begin + BATCH) for begin in range(0, ROWS, BATCH)]
        batches: Any = [
            {"y": truth[p], "s": score[p]} if named else (truth[p], score[p]) for p in parts
        ]
        asked = {"label": "y", "score": "s"} if named else {}
        with pytest.raises(pc.DataError) as error:
            ScoredCases.scan(batches if again else iter(batches), **asked)
        (problem,) = error.value.problems
        assert problem.source == f"batch {(wrong - 1) // BATCH}: score"
        assert problem.wrong == f"case {(wrong - 1) % BATCH} is NaN"


@pytest.mark.nightly
@pytest.mark.parametrize("step", [1, 2])
@pytest.mark.parametrize("again", [False, True])
def test_an_interrupt_in_any_pass_leaves_nothing(
    step: int, again: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    monkeypatch.setattr(scanning, "LEAST", 20)
    truth, score = cases()
    batches = [(truth[rows], score[rows]) for rows in np.array_split(np.arange(ROWS), 5)]

    def interrupt(number: int, read: int) -> None:
        if number == step and read > ROWS // 2:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        ScoredCases.scan(batches if again else iter(batches), memory=1, progress=interrupt)
    gc.collect()
    assert not list(tmp_path.iterdir())
    fds = Path("/proc/self/fd")
    if fds.exists():
        assert not [fd for fd in fds.iterdir() if str(tmp_path) in _target(fd)]


def _target(link: Path) -> str:
    try:
        return str(link.readlink())
    except OSError:  # that of the listing itself
        return ""


KILLED = """
import os, signal, sys
import numpy as np
from precall import ScoredCases

def batches():
    for _ in range(3):
        yield np.arange(1000) % 2, np.random.default_rng(0).normal(size=1000)
    os.kill(os.getpid(), signal.SIGKILL)

ScoredCases.scan(batches())
"""


@pytest.mark.nightly
@pytest.mark.skipif(os.name != "posix", reason="kills")
def test_a_scan_that_is_killed_leaves_nothing(tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-c", KILLED], env=os.environ | {"TMPDIR": str(tmp_path)}
    )
    assert done.returncode < 0
    assert not list(tmp_path.iterdir())


def test_an_iterator_that_fails_fails_as_it_does(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """An error of reading is no error of spooling."""
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))

    def failing() -> Iterator[Any]:
        yield [0, 1], [1.0, 2.0]
        raise OSError(5, "the tape broke")

    with pytest.raises(OSError, match="the tape broke") as error:
        ScoredCases.scan(failing())
    assert "TMPDIR" not in str(error.value)
    assert not list(tmp_path.iterdir())


def test_an_archive_that_gives_nothing_for_a_while_is_not_at_its_end(tmp_path: Path) -> None:
    pyarrow = pytest.importorskip("pyarrow")
    zstandard = pytest.importorskip("zstandard")
    rng = np.random.default_rng(2)
    table = pyarrow.table({"y": rng.integers(0, 2, 2100), "s": rng.normal(size=2100)})
    ends = []
    with pyarrow.BufferOutputStream() as sink, pyarrow.ipc.new_stream(sink, table.schema) as writer:
        for begin, size in ((0, 100), (100, 2000)):
            writer.write_table(table.slice(begin, size))
            ends.append(sink.tell())
    text = sink.getvalue().to_pybytes()
    path = tmp_path / "cases.arrow.zst"
    path.write_bytes(zstandard.compress(text[: ends[0]]) + zstandard.compress(text[ends[0] :]))
    scanned = pc.ScoredCases.scan(str(path), label="y", score="s", memory=100)
    assert scanned.average_precision() == pc.average_precision(
        table["y"].to_numpy(), table["s"].to_numpy()
    )
