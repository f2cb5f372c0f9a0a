"""Archives that expand to more than memory holds. Old tests damaged archives, and had none that is
small and evil.
"""

from __future__ import annotations

import gzip
import resource
import struct
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import click
import pytest

import precall as pc
from precall.cli.commands import SUMMARIES, commands
from precall.cli.main import run
from precall.core.errors import DataError, UsageError
from tests.archives import lz4, zstd

HOME = str(Path(pc.__file__).resolve().parent.parent)
LINE = b"q1 Q0 a 1 2.5 x\n"


def bomb(ending: str, size: int) -> bytes:
    """A run of one line in `size` bytes of blanks."""
    blank = LINE + b"\n" * size
    return {".gz": gzip.compress, ".zst": zstd, ".lz4": lz4}[ending](blank)


def dense(blocks: int) -> bytes:
    """A frame of blocks of one repeated byte each: four bytes for 128 KB, the densest there is."""
    block = struct.pack("<I", (1 << 17) << 3 | 1 << 1)[:3] + b"\n"
    last = struct.pack("<I", (1 << 17) << 3 | 1 << 1 | 1)[:3] + b"\n"
    return b"\x28\xb5\x2f\xfd\x00\x58" + block * (blocks - 1) + last


@pytest.mark.nightly
@pytest.mark.parametrize("ending", [".gz", ".zst", ".lz4"])
def test_what_expands_a_lot_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, ending: str
) -> None:
    path = tmp_path / f"x.run{ending}"
    path.write_bytes(bomb(ending, 20_000_000))
    monkeypatch.setenv("PRECALL_MAX_EXPANSION", "100")
    with pytest.raises(
        DataError, match=r"archive expands to more than 100 times its size \([0-9,]+ bytes read\)"
    ):
        pc.read_run(path)
    monkeypatch.setenv("PRECALL_MAX_EXPANSION", "100000")
    assert len(pc.read_run(path).score) == 1
    for wrong in ("0", "much", "-1"):
        monkeypatch.setenv("PRECALL_MAX_EXPANSION", wrong)
        with pytest.raises(UsageError, match="PRECALL_MAX_EXPANSION: must be an integer >= 1"):
            pc.read_run(path)


@pytest.mark.parametrize("ending", [".gz", ".zst", ".lz4"])
def test_small_ones_may(tmp_path: Path, ending: str) -> None:
    """A megabyte does no harm, whatever the archive's size."""
    path = tmp_path / f"x.run{ending}"
    path.write_bytes(bomb(ending, 1_000_000))
    assert len(pc.read_run(path).score) == 1


def limited() -> None:
    resource.setrlimit(resource.RLIMIT_AS, (3 << 30, 3 << 30))


@pytest.mark.nightly
def test_memory_stays_small(tmp_path: Path) -> None:
    """400 KB become 13 GB: was read whole, then out of memory."""
    path = tmp_path / "x.run.zst"
    path.write_bytes(dense(100_000))
    code = (
        "import sys, precall as pc\n"
        "try: pc.read_run(sys.argv[1])\n"
        "except pc.DataError as error: print(error)\n"
        # Not ru_maxrss, in which the process that started this one counts.
        "print(next(int(line.split()[1]) for line in open('/proc/self/status') if "
        "line.startswith('VmHWM')) // 1024)"
    )
    done = subprocess.run(
        [sys.executable, "-c", code, str(path)],
        env={"PYTHONPATH": HOME, "PRECALL_THREADS": "1"},
        preexec_fn=limited,
        capture_output=True,
        text=True,
        check=True,
        timeout=120,
    )
    said, megabytes = done.stdout.splitlines()
    assert "archive expands to more than 1,000 times its size" in said
    assert int(megabytes) < 900


def test_windows_are_limited(tmp_path: Path) -> None:
    """A frame may ask for 2 GB before it has a byte of text."""
    path = tmp_path / "x.run.zst"
    path.write_bytes(b"\x28\xb5\x2f\xfd\x00\xa8" + struct.pack("<I", 1)[:3])
    with pytest.raises(DataError, match="asks for more than 128 MB of memory") as caught:
        pc.read_run(path)
    assert "--long=28" in str(caught.value)
    path.write_bytes(
        b"\x28\xb5\x2f\xfd\x00\x88" + struct.pack("<I", len(LINE) << 3 | 1)[:3] + LINE
    )  # 128 MB
    assert len(pc.read_run(path).score) == 1


@pytest.mark.nightly
def test_every_command_that_reads_has_the_option(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    known = {name: commands.get_command(click.Context(commands), name) for name in SUMMARIES}
    noted = {
        name for name, one in known.items() if any("--max-expansion" in p.opts for p in one.params)
    }
    takes = {
        name
        for name, one in known.items()
        if any(
            isinstance(p, click.Argument)
            and p.name in ("qrels", "file", "inputs", "relevant", "people", "first")
            for p in one.params
        )
    }
    assert noted == takes | {"explain"}, "which reads the file of --on"
    Path("x.gz").write_bytes(bomb(".gz", 5_000_000))
    Path("x.csv.gz").write_bytes(bomb(".gz", 5_000_000))
    calls: dict[str, list[str]] = {
        "eval": ["x.gz", "x.gz"],
        "overlap": ["x.gz", "a"],
        "compare": ["x.gz", "a", "b"],
        "judge": ["x.gz", "x.gz", "x.gz"],
        "power": ["x.gz", "a", "b"],
        "report": ["x.gz", "a", "-o", "page.html"],
        "curve": ["x.csv.gz", "--label", "y", "--score", "s"],
        "decisions": ["x.csv.gz", "--truth", "t", "--predicted", "p"],
        "explain": ["AP", "--on", "x.csv.gz", "--label", "y", "--score", "s"],
        "detections": ["x.csv.gz", "--matched", "y", "--score", "s", "--missed", "0"],
        "ranking": ["x.gz", "x.gz"],
        "categories": ["x.csv.gz", "--truth", "t", "--scores", "p*"],
    }
    assert set(calls) == noted
    for name, arguments in calls.items():
        assert run([name, *arguments, "--max-expansion", "100"]) == 2, name
        assert "expands to more than 100 times its size" in capsys.readouterr().err, name
        assert run([name, *arguments, "--max-expansion", "2000"]) == 2, name
        assert "expands" not in capsys.readouterr().err, name
    assert run(["eval", "x.gz", "x.gz", "--max-expansion", "0"]) == 2
    assert "--max-expansion" in capsys.readouterr().err


def test_many_members_and_pieces(tmp_path: Path) -> None:
    """Members may end anywhere in what is decompressed at once."""
    pack: dict[str, Callable[[bytes], bytes]] = {
        ".gz": gzip.compress,
        ".zst": zstd,
        ".lz4": lz4,
    }
    lines = [b"q%d Q0 d%d 1 %d x\n" % (i % 7, i, i) for i in range(20_000)]
    for ending, squeeze in pack.items():
        path = tmp_path / f"m.run{ending}"
        path.write_bytes(
            b"".join(squeeze(b"".join(lines[i : i + 9])) for i in range(0, len(lines), 9))
        )
        assert len(pc.read_run(path).score) == len(lines)
