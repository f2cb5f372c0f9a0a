"""Files that are saved by several at once, end in the middle, or have no room.

Old tests saved one file at a time, in one thread, and ended it by Ctrl-C only.
"""

from __future__ import annotations

import os
import resource
import signal
import stat
import subprocess
import sys
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import precall as package
from precall.core import saving
from precall.core.saving import save

HOME = str(Path(package.__file__).resolve().parent.parent)
ENVIRONMENT = {**os.environ, "PYTHONPATH": HOME}


def names(folder: Path) -> list[str]:
    return sorted(one.name for one in folder.iterdir())


def test_threads_save_to_one_name(tmp_path: Path) -> None:
    """The name of the part was that of the process: the second thread found the first one's
    part.
    """
    failures: list[BaseException] = []
    start = threading.Barrier(4)

    def work(mark: int) -> None:
        start.wait()
        for _ in range(5):
            try:
                save(bytes([mark]) * 300_000, tmp_path / "page.html")
            except BaseException as error:
                failures.append(error)

    threads = [threading.Thread(target=work, args=(mark,)) for mark in b"abcd"]
    for one in threads:
        one.start()
    for one in threads:
        one.join()
    assert failures == []
    assert names(tmp_path) == ["page.html"]
    data = (tmp_path / "page.html").read_bytes()
    assert len(data) == 300_000
    assert len(set(data)) == 1


def test_parts_of_others_stay(tmp_path: Path) -> None:
    """A part that lay there was an error, and was removed although somebody else had made it."""
    other = tmp_path / f".page.html.{os.getpid()}.part"
    other.write_bytes(b"somebody's")
    save(b"ours", tmp_path / "page.html")
    assert other.read_bytes() == b"somebody's"
    assert names(tmp_path) == [other.name, "page.html"]


@pytest.fixture
def modes(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """Modes of what is on its way to the disk, in this order."""
    seen: list[int] = []
    fsync: Callable[[int], None] = os.fsync

    def looked(descriptor: int) -> None:
        seen.append(os.fstat(descriptor).st_mode)
        fsync(descriptor)

    monkeypatch.setattr(os, "fsync", looked)
    return seen


@pytest.mark.parametrize(("umask", "wanted"), [(0o077, 0o600), (0o022, 0o644), (0o002, 0o664)])
def test_new_files_have_the_mode_of_the_umask(
    tmp_path: Path, modes: list[int], umask: int, wanted: int
) -> None:
    before = os.umask(umask)
    try:
        save(b"x", tmp_path / "new")
    finally:
        os.umask(before)
    assert stat.S_IMODE((tmp_path / "new").stat().st_mode) == wanted
    assert stat.S_IMODE(modes[0]) == wanted
    # The name must be on the disk, too: the folder is synchronised last.
    assert [stat.S_ISDIR(one) for one in modes] == [False, True]


@pytest.mark.parametrize(("mode", "wanted"), [(0o600, 0o600), (0o666, 0o666), (0o4755, 0o755)])
def test_existing_files_keep_their_mode_from_the_start(
    tmp_path: Path, modes: list[int], mode: int, wanted: int
) -> None:
    """What replaced a private file could be read by all until it was finished; old tests looked at
    the end.
    """
    target = tmp_path / "old"
    target.write_bytes(b"old")
    target.chmod(mode)
    save(b"new", target)
    assert stat.S_IMODE(modes[0]) == wanted
    assert stat.S_IMODE(target.stat().st_mode) == wanted


def test_parts_are_made_private_where_something_is_replaced(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    made: list[int] = []
    chmod: Callable[[int, int], None] = os.fchmod

    def looked(descriptor: int, mode: int) -> None:
        made.append(stat.S_IMODE(os.fstat(descriptor).st_mode))
        chmod(descriptor, mode)

    monkeypatch.setattr(os, "fchmod", looked)
    (tmp_path / "old").write_bytes(b"old")
    save(b"new", tmp_path / "old")
    assert made == [0o600]


@pytest.mark.parametrize(
    "one", [signal.SIGTERM, signal.SIGHUP, signal.SIGINT], ids=lambda one: one.name
)
def test_signals_remove_what_is_half_written(tmp_path: Path, one: signal.Signals) -> None:
    """Only Ctrl-C was waited for: SIGTERM and SIGHUP left the part."""
    script = (
        "import os, time\n"
        "from precall.cli import interrupt, outputs\n"
        "interrupt.watch()\n"
        "def slow(descriptor):\n"
        "    print(os.listdir('.'), flush=True)\n"
        "    time.sleep(60)\n"
        "os.fsync = slow\n"
        "outputs.write('text', 'report.txt')\n"
    )
    (tmp_path / ".0123456789abcdef.part").write_bytes(b"somebody's")
    process = subprocess.Popen(
        [sys.executable, "-c", script],
        cwd=tmp_path,
        env=ENVIRONMENT,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    with process:
        assert process.stdout is not None
        assert process.stderr is not None
        assert process.stdout.readline().count(b".part") == 2
        process.send_signal(one)
        assert process.wait(10) == 128 + one
        assert process.stderr.read() == b""
    assert names(tmp_path) == [".0123456789abcdef.part"]


def test_nohup_stays(tmp_path: Path) -> None:
    """What ignores SIGHUP from the beginning goes on."""
    script = (
        "import os, signal\n"
        "signal.signal(signal.SIGHUP, signal.SIG_IGN)\n"
        "from precall.cli import interrupt, outputs\n"
        "interrupt.watch()\n"
        "os.kill(os.getpid(), signal.SIGHUP)\n"
        "outputs.write('text', 'report.txt')\n"
    )
    subprocess.run(
        [sys.executable, "-c", script], cwd=tmp_path, env=ENVIRONMENT, check=True, timeout=60
    )
    assert names(tmp_path) == ["report.txt"]


def no_room(monkeypatch: pytest.MonkeyPatch) -> None:
    import errno

    def full(descriptor: int) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(os, "fsync", full)


def test_a_full_disk_is_of_a_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The error of a write has no name, so that the message was of standard output."""
    no_room(monkeypatch)
    (tmp_path / "old").write_bytes(b"old")
    with pytest.raises(OSError, match="No space left") as caught:
        save(b"new", tmp_path / "old")
    assert caught.value.filename == str(tmp_path / "old")
    assert names(tmp_path) == ["old"]
    assert (tmp_path / "old").read_bytes() == b"old"
    assert not saving._unfinished


def limited() -> None:
    resource.setrlimit(resource.RLIMIT_FSIZE, (50, 50))


@pytest.mark.nightly
@pytest.mark.parametrize("target", ["out.json", "/dev/full"])
def test_the_command_names_the_file_that_has_no_room(tmp_path: Path, target: str) -> None:
    if not Path("/dev/full").exists():
        pytest.skip("there is no /dev/full")
    (tmp_path / "a.qrels").write_text("q 0 a 1\n")
    (tmp_path / "a.run").write_text("q Q0 a 1 1 x\n")
    command: list[Any] = [
        sys.executable,
        "-m",
        "precall",
        "eval",
        "a.qrels",
        "a.run",
        "--format",
        "json",
        "-o",
        target,
    ]
    environment = {**ENVIRONMENT, "PYTHONDONTWRITEBYTECODE": "1"}
    done = subprocess.run(
        command,
        cwd=tmp_path,
        env=environment,
        preexec_fn=limited,
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
    )
    assert done.returncode == 2
    assert done.stderr.startswith(f"precall: error: {target}: ")
    assert names(tmp_path) == ["a.qrels", "a.run"]


def test_names_may_be_as_long_as_the_system_takes(tmp_path: Path) -> None:
    """A part had the target's name and more behind it: 100 characters may be 400 bytes."""
    target = tmp_path / ("\u4e2d" * 85)
    save(b"x", target)
    assert target.read_bytes() == b"x"
