"""Signals and interrupts at every line of saving, and where no thread can wait for them.

A part was known only some lines after it was there; the handler of a signal waited for a lock that
its own thread held; where no thread could be had, SIGTERM and SIGHUP ended the process as if nobody
had made anything. The old tests sent their signal while the part was being written, with a thread
waiting for it.
"""

from __future__ import annotations

import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from types import FrameType
from typing import Any

import pytest

from precall.core import saving
from tests.core.test_saving import ENVIRONMENT, names


class Stopped(BaseException):
    """Nothing that saving knows of."""


def stopped_at(line: int, act: Callable[[], None], path: Path) -> bool:
    """Save, and act at this line of what `saving` does; whether there was such a line."""
    left = line

    def trace(frame: FrameType, event: str, _: Any) -> Any:
        nonlocal left
        if frame.f_code.co_filename != saving.__file__:
            return None
        if event == "line":
            left -= 1
            if left == 0:
                act()
        return trace

    before = sys.gettrace()
    sys.settrace(trace)
    try:
        saving.save(b"new", path)
    except Stopped:
        return True
    finally:
        sys.settrace(before)
    return left <= 0


def interrupt() -> None:
    raise Stopped


# An interrupt before `with` leaves the closing to the collector, which says so.
@pytest.mark.filterwarnings(
    "ignore::pytest.PytestUnraisableExceptionWarning", "ignore::ResourceWarning"
)
def test_an_interrupt_at_any_line_leaves_no_part(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    line = 1
    # One that comes where `with` ends leaves the lock closed: that is Python's.
    monkeypatch.setattr(saving, "_guard", type(saving._guard)())
    while stopped_at(line, interrupt, tmp_path / "file"):
        assert set(names(tmp_path)) <= {"file"}, line
        assert not saving._unfinished, line
        line += 1
        monkeypatch.setattr(saving, "_guard", type(saving._guard)())
    assert line > 15
    assert (tmp_path / "file").read_bytes() == b"new"


@pytest.mark.filterwarnings(
    "ignore::pytest.PytestUnraisableExceptionWarning", "ignore::ResourceWarning"
)
def test_a_handler_at_any_line_removes_the_part(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As one of Python does, which runs in the thread that saves."""

    def end() -> None:
        saving.discard()
        assert set(names(tmp_path)) <= {"file"}
        raise Stopped

    line = 1
    monkeypatch.setattr(saving, "_guard", type(saving._guard)())
    while stopped_at(line, end, tmp_path / "file"):
        line += 1
        monkeypatch.setattr(saving, "_guard", type(saving._guard)())
    assert line > 15


@pytest.mark.parametrize(
    "one", [signal.SIGTERM, signal.SIGHUP, signal.SIGINT], ids=lambda one: one.name
)
def test_signals_without_a_thread(tmp_path: Path, one: signal.Signals) -> None:
    script = (
        "import os, signal, threading\n"
        "from precall.cli import interrupt, outputs\n"
        "def none(self):\n"
        '    raise RuntimeError("can\'t start new thread")\n'
        "threading.Thread.start = none\n"
        "interrupt.watch()\n"
        f"os.fsync = lambda descriptor: os.kill(os.getpid(), {int(one)})\n"
        "outputs.write('text', 'report.txt')\n"
    )
    command = [sys.executable, "-c", script]
    done = subprocess.run(
        command, cwd=tmp_path, env=ENVIRONMENT, capture_output=True, check=False, timeout=60
    )
    assert done.returncode == 128 + one
    assert done.stderr == b""
    assert names(tmp_path) == []
