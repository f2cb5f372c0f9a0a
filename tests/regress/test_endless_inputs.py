"""Devices and pipes that never end were read until memory was full: for minutes, or until the process was killed.

The old tests of bad inputs gave files, which end; those of memory limited it, so that what was tested was how it runs out.
"""

from __future__ import annotations

import io
import subprocess
import sys
from pathlib import Path

import pytest

from precall.errors import DataError
from precall.page import record
from precall.read import sources

LIMITED = "import resource, sys; resource.setrlimit(resource.RLIMIT_AS, (3 << 30,) * 2); "
RUN = "from precall.cli.main import run; sys.exit(run(sys.argv[1:]))"
pytestmark = pytest.mark.skipif(not Path("/dev/zero").exists(), reason="no /dev/zero")


def words_of(command: str, folder: Path) -> list[str]:
    """A command line with a file of judgements."""
    qrels = folder / "q"
    qrels.write_text("q1 0 d1 1\n")
    return [str(qrels) if word == "QRELS" else word for word in command.split()]


@pytest.mark.parametrize(("command", "why"), [
    ("report --from /dev/zero", "no record in it"),
    ("report --from /dev/urandom", "no record in it"),
    ("eval QRELS /dev/zero", "begins with NUL bytes"),
    ("eval /dev/zero QRELS", "begins with NUL bytes"),
    ("trec_eval QRELS /dev/zero", "begins with NUL bytes"),
    ("curve /dev/zero --label y --score s --input-format csv", "begins with NUL bytes"),
    ("curve /dev/zero --label y --score s --input-format parquet", "begins as no Parquet"),
])  # fmt: skip
def test_devices_are_refused_at_their_beginning(command: str, why: str, tmp_path: Path) -> None:
    words = words_of(command, tmp_path)
    done = subprocess.run(
        [sys.executable, "-c", LIMITED + RUN, *words], capture_output=True, text=True, timeout=60
    )
    assert done.returncode == 2 and why in done.stderr and "memory" not in done.stderr


@pytest.mark.parametrize(("command", "why"), [
    ("eval QRELS -", "1 field, a line of a run has 6"),
    ("trec_eval QRELS /dev/stdin", "malformed line 1: 1 fields"),
    ("curve - --label y --score s --input-format csv", "standard input:1: no column"),
    ("report --from /dev/stdin", "no record in it"),
])  # fmt: skip
def test_lines_of_no_format_are_refused_at_the_first(command: str, why: str, tmp_path: Path) -> None:
    words = words_of(command, tmp_path)
    with subprocess.Popen(["yes"], stdout=subprocess.PIPE) as endless:
        done = subprocess.run(
            [sys.executable, "-c", LIMITED + RUN, *words],
            stdin=endless.stdout,
            capture_output=True,
            text=True,
            timeout=60,
        )
        endless.kill()
    assert done.returncode == 2 and why in done.stderr and "memory" not in done.stderr, done.stderr


class Endless(io.RawIOBase):
    """One piece again and again."""

    def __init__(self, piece: bytes) -> None:
        self.piece, self.given = piece * (1 << 16), 0

    def read(self, size: int = -1) -> bytes:
        assert size >= 0 and self.given < 1 << 27, "read without an end"
        self.given += size
        return (self.piece * (size // len(self.piece) + 1))[:size]


@pytest.mark.parametrize(
    ("piece", "why"), [(b"\0", "NUL bytes"), (b"a", "longer than 64 MB"), (b"y\n", "no run")]
)
def test_pipes_are_looked_at_before_all_is_read(piece: bytes, why: str) -> None:
    def look(lines: bytes) -> None:
        assert lines.endswith(b"\n") and len(lines) <= 1 << 20
        raise DataError([sources.Problem("pipe", None, "no run", "")])

    with pytest.raises(DataError, match=why):
        sources._unsized(Endless(piece), "pipe", look)  # type: ignore[arg-type]


@pytest.mark.parametrize("size", [0, 100, 4096, 5000])
def test_what_ends_is_read_whole(size: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sources, "LONG", 4096)
    data = b"a b c\n" * (size // 6)
    assert sources._unsized(io.BytesIO(data), "pipe", len) == data


def test_pages_have_a_greatest_size(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(record, "_MOST", 2 << 20)
    (tmp_path / "page.html").write_text("<" * (3 << 20))
    with pytest.raises(DataError, match="longer than 2 MB, which no page is"):
        record.read_record(tmp_path / "page.html")
