"""Devices and pipes that never end were read until memory was full: for minutes, or until the
process was killed.

The old tests of bad inputs gave files, which end; those of memory limited it, so that what was
tested was how it runs out. Later ones gave devices to what is read whole, and none to what is read
in batches, nor to folders, whose files nobody names: a link to /dev/zero filled the disk, a pipe
waited for somebody to write.
"""

from __future__ import annotations

import gzip
import io
import os
import subprocess
import sys
from functools import partial
from pathlib import Path

import pytest

import precall as pc
from precall.core.errors import DataError, Mistake
from precall.page import record
from precall.read import sources
from tests.archives import zstd

LIMITED = (
    "import resource, sys; resource.setrlimit(resource.RLIMIT_AS, (3 << 30,) * 2); "
    "resource.setrlimit(resource.RLIMIT_FSIZE, (1 << 28,) * 2); "
)
RUN = "from precall.cli.main import run; sys.exit(run(sys.argv[1:]))"
pytestmark = pytest.mark.skipif(not Path("/dev/zero").exists(), reason="no /dev/zero")


def words_of(command: str, folder: Path) -> list[str]:
    """A command line with a file of judgements."""
    qrels = folder / "q"
    qrels.write_text("d1\n" if command.startswith("ranking") else "q1 0 d1 1\n")
    return [str(qrels) if word == "QRELS" else word for word in command.split()]


@pytest.mark.nightly
@pytest.mark.parametrize(
    ("command", "why"),
    [
        ("report --from /dev/zero", "no record in it"),
        ("report --from /dev/urandom", "no record in it"),
        ("eval QRELS /dev/zero", "begins with NUL bytes"),
        ("eval /dev/zero QRELS", "begins with NUL bytes"),
        ("trec_eval QRELS /dev/zero", "begins with NUL bytes"),
        ("curve /dev/zero --label y --score s --input-format csv", "begins with NUL bytes"),
        (
            "curve /dev/zero --label y --score s --input-format parquet",
            "begin like a Parquet file",
        ),
        (
            "curve /dev/zero --label y --score s --memory 160M --input-format parquet",
            "begin like a Parquet file",
        ),
        (
            "curve /dev/zero --label y --score s --memory 160M --input-format arrow",
            "does not begin like a Parquet file or an Arrow file or stream",
        ),
        (
            "curve /dev/zero --label y --score s --memory 160M --input-format csv",
            "begins with NUL bytes",
        ),
        (
            "curve /dev/zero --label y --score s --memory 160M --input-format jsonl",
            "begins with NUL bytes",
        ),
        ("eval QRELS /dev/zero --memory 160M", "begins with NUL bytes"),
    ],
)
def test_devices_are_refused_at_their_beginning(command: str, why: str, tmp_path: Path) -> None:
    words = words_of(command, tmp_path)
    done = subprocess.run(
        [sys.executable, "-c", LIMITED + RUN, *words], capture_output=True, text=True, timeout=60
    )
    assert done.returncode == 2 and why in done.stderr and "memory" not in done.stderr


@pytest.mark.nightly
@pytest.mark.parametrize(
    ("command", "why"),
    [
        ("eval QRELS -", "1 field, a line of a run has 6"),
        ("trec_eval QRELS /dev/stdin", "malformed line 1: 1 fields"),
        ("curve - --label y --score s --input-format csv", "standard input:1: no column"),
        ("report --from /dev/stdin", "no record in it"),
        (
            "curve - --label y --score s --input-format parquet",
            "begin like a Parquet file",
        ),
        ("curve - --label y --score s --input-format jsonl", "standard input:1: not JSON"),
        (
            "curve /dev/stdin --label y --score s --memory 160M --input-format jsonl",
            "/dev/stdin:1: not JSON",
        ),
        (
            "curve /dev/stdin --label y --score s --memory 160M --input-format tsv",
            "/dev/stdin:1: no column",
        ),
        ("eval QRELS - --input-format jsonl", "standard input:1: not JSON"),
        ("eval QRELS - --input-format json", "standard input: not JSON"),
        ("eval --lists - --input-format jsonl -m RR", "standard input:1: not JSON"),
        ("ranking QRELS -", "id 'y' is there twice"),
    ],
)
def test_lines_of_no_format_are_refused_at_the_first(
    command: str, why: str, tmp_path: Path
) -> None:
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
        raise Mistake("no run", "").error("pipe")

    with pytest.raises(DataError, match=why):
        sources._read_endless(Endless(piece), "pipe", look)  # type: ignore[arg-type]


class Members(io.RawIOBase):
    """An archive of so many members, or without an end."""

    def __init__(self, member: bytes, count: float = float("inf")) -> None:
        self.member, self.left, self.held, self.given = member, count, b"", 0

    def read(self, size: int = -1) -> bytes:
        assert size >= 0 and self.given < 1 << 27, "read without an end"
        while len(self.held) < size and self.left:
            self.held, self.left = self.held + self.member, self.left - 1
        given, self.held = self.held[:size], self.held[size:]
        self.given += len(given)
        return given


@pytest.mark.nightly
@pytest.mark.parametrize("pack", [gzip.compress, zstd], ids=["gzip", "zstd"])
@pytest.mark.parametrize(
    "read",
    [sources._read_endless, partial(sources.beginning, most=1 << 30)],
    ids=["whole", "ahead"],
)
@pytest.mark.parametrize(
    ("piece", "why"), [(b"\0", "NUL bytes"), (b"a", "longer than 64 MB"), (b"y\n", "no run")]
)
def test_archives_are_looked_at_as_they_are_decompressed(
    pack, read, piece: bytes, why: str
) -> None:
    """Their first bytes said that they are archives, and all else was read."""

    def look(lines: bytes) -> None:
        raise Mistake("no run", "").error("pipe")

    noise = b"" if piece == b"\0" else os.urandom(1 << 12).hex().encode()
    member = pack(noise + piece * (1 << 20))
    with pytest.raises(DataError, match=why):
        read(file=Members(member), label="pipe", look=look)


@pytest.mark.parametrize("count", [1, 3, 100])
def test_archives_that_end_are_read_whole(count: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sources, "LONG", 4096)
    member = gzip.compress(b"a b c\n" * 100)
    assert sources._read_endless(Members(member, count), "pipe", len) == b"a b c\n" * 100 * count
    for most in (10, 1 << 20):
        first = sources.beginning(Members(member, count), most, "pipe", len)
        assert first == (member * count)[: len(first)] and len(first) == min(
            most, len(member * count)
        )


@pytest.mark.nightly
@pytest.mark.parametrize(
    ("endless", "command"),
    [
        ("cat /dev/zero", "eval QRELS -"),
        ("yes", "eval QRELS -"),
        ("yes", "trec_eval QRELS /dev/stdin"),
        ("cat /dev/zero", "eval --lists - -m RR --input-format jsonl"),
    ],
)
def test_compressed_pipes_are_refused_at_their_beginning(
    command: str, endless: str, tmp_path: Path
) -> None:
    words = words_of(command, tmp_path)
    script = f'{endless} | gzip -1 | "{sys.executable}" -c "$0" "$@"; exit ${{PIPESTATUS[2]}}'
    done = subprocess.run(
        ["bash", "-c", script, LIMITED + RUN, *words], capture_output=True, text=True, timeout=60
    )
    assert done.returncode == 2 and "memory" not in done.stderr, done.stderr


@pytest.mark.parametrize("size", [0, 100, 4096, 5000])
def test_what_ends_is_read_whole(size: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sources, "LONG", 4096)
    data = b"a b c\n" * (size // 6)
    assert sources._read_endless(io.BytesIO(data), "pipe", len) == data


def test_pages_have_a_greatest_size(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(record, "_MOST", 2 << 20)
    (tmp_path / "page.html").write_text("<" * (3 << 20))
    with pytest.raises(DataError, match="longer than 2 MB, which no page is"):
        record.read_record(tmp_path / "page.html")


def device(path: Path) -> None:
    path.symlink_to("/dev/zero")


@pytest.mark.nightly
@pytest.mark.parametrize(("make", "kind"), [(os.mkfifo, "a pipe"), (device, "a device")])
def test_folders_hold_files_only(make, kind: str, tmp_path: Path) -> None:
    polars = pytest.importorskip("polars")
    folder = tmp_path / "cases" / "site=a"
    folder.mkdir(parents=True)
    for name in ("a", "c"):
        polars.DataFrame({"y": [1, 0], "s": [2.0, 1.0]}).write_parquet(folder / f"{name}.parquet")
    (folder / "link.parquet").symlink_to("a.parquet")
    whole = pc.ScoredCases.scan(tmp_path / "cases", label="y", score="s")
    assert whole.cases == 6, "a link to a file is one"
    make(folder / "b.parquet")
    with pytest.raises(
        pc.DataError,
        match=rf"site=a/b\.parquet: is {kind}, expected a file; remove it from the folder",
    ):
        pc.ScoredCases.scan(tmp_path / "cases", label="y", score="s")
    words = ["curve", str(tmp_path / "cases"), "--label", "y", "--score", "s"]
    done = subprocess.run(
        [sys.executable, "-c", LIMITED + RUN, *words], capture_output=True, text=True, timeout=60
    )
    assert done.returncode == 2 and f"b.parquet: is {kind}" in done.stderr


@pytest.mark.nightly
def test_a_pipe_that_was_read_is_not_described(tmp_path: Path) -> None:
    """Its digest was asked for once more, and nobody wrote to it again."""
    (tmp_path / "q").write_text("q1 0 d1 1\n")
    (tmp_path / "r").write_text("q1 Q0 d1 1 2 x\n")
    line = """precall() { "$PYTHON" -m precall "$@"; }
        precall report q <(cat r) -m AP -o page.html && precall report --from page.html"""
    done = subprocess.run(
        ["bash", "-c", line],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
        env={
            **os.environ,
            "PYTHON": sys.executable,
            "PYTHONPATH": os.pathsep.join(filter(None, sys.path)),
        },
    )
    assert done.returncode == 0, done.stderr
    text = (tmp_path / "page.html").read_text()
    assert '"name":"q"' in text and "e3b0c44298fc1c149afbf4c8996fb924" not in text, (
        "the digest of nothing"
    )


def test_long_pipes_of_tables_are_read_whole(tmp_path: Path) -> None:
    """What is held back to be looked at comes first, and all of it."""
    rows = b"y,s\n" + b"1,0.5\n0,0.25\n" * 40
    given = [rows[at : at + 7] for at in range(0, len(rows), 7)]
    for least in (1, 100, len(rows), len(rows) + 1):
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(sources, "LONG", least)
            assert b"".join(sources._check_pieces(iter(given), "pipe", len)) == rows
