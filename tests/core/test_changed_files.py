"""A file that others cut or rewrite while it is read.

A mapped file that was cut ended the process with SIGBUS; one that was rewritten, with SIGSEGV, as
fields were taken by separators that were there no longer. The old tests read files that nobody else
had open.
"""

from __future__ import annotations

import os
import subprocess
import sys
import threading
from pathlib import Path
from typing import BinaryIO

import pytest

import precall as pc
from precall.core.errors import DataError
from precall.native import twin_text
from tests.native.kernels import ABSENT

# Sixty processes read again and again for a second; what they do not survive shows in their status.
# They say how often they read a run and how often the file had changed.
READERS = """
import collections, os, signal, sys, time
from precall.core.errors import Malformed
from precall.native import kernel

path, processes = sys.argv[1], int(sys.argv[2])
read, children = kernel().read_run, []
for number in range(processes):
    if child := os.fork():
        children.append(child)
        continue
    signal.alarm(60)
    seen, end = collections.Counter(), time.monotonic() + 1
    while time.monotonic() < end:
        try:
            # Repeated items are lines to look up: what was read is read again.
            read(path, False, "error", 1 + number % 2, chunk=100_000)
            seen["read"] += 1
        except Malformed as error:
            assert error.problems
            seen[error.problems[0][1]] += 1
    os.write(1, ("\\n".join(seen) + "\\n").encode())
    os._exit(0)
print(sorted({os.waitpid(child, 0)[1] for child in children}), flush=True)
"""


def lines(first: int, size: int, rows: int) -> bytes:
    """Rows of a run; `size` digits in each id."""
    return b"".join(
        b"t%d Q0 d%0*d 1 %d.5 tag\n" % (i // 1000, size, first + i, i) for i in range(rows)
    )


class Rewriter(threading.Thread):
    """Cuts a file and writes it anew, with lines of another length, until told to stop."""

    def __init__(self, path: Path) -> None:
        super().__init__()
        self.path, self.over = path, threading.Event()
        long, short = lines(0, 30, 20_000), lines(7, 5, 30_000)
        self.texts = long, short, short + short, b"\n" * len(long), b"x" * len(long)

    def run(self) -> None:
        file = os.open(self.path, os.O_RDWR)
        while not self.over.is_set():
            for text in self.texts:
                os.pwrite(file, text, 0)
                os.truncate(file, len(text) // 3)
                os.pwrite(file, text, 0)
        os.close(file)


@pytest.mark.nightly
@ABSENT
def test_sixty_processes_outlive_a_file_that_is_rewritten_all_the_time(tmp_path: Path) -> None:
    path = tmp_path / "a.run"
    path.write_bytes(lines(0, 30, 20_000))
    rewriter = Rewriter(path)
    rewriter.start()
    try:
        command = [sys.executable, "-c", READERS, str(path), "60"]
        readers = subprocess.run(command, capture_output=True, text=True, timeout=120)
    finally:
        rewriter.over.set()
        rewriter.join()
    assert readers.returncode == 0, readers.stderr
    assert readers.stderr == ""
    *seen, statuses = readers.stdout.splitlines()
    assert statuses == "[0]"
    assert "changed" in seen


def test_the_error_says_that_the_file_changed(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    path = tmp_path / "a.run"
    path.write_bytes(lines(0, 5, 10))
    state = twin_text.state_after_tick

    def grown(file: BinaryIO) -> tuple[int, int, int]:
        found = state(file)
        with path.open("ab") as other:
            other.write(b"t9 Q0 late 1 1 tag\n")
        return found

    monkeypatch.setattr(twin_text, "state_after_tick", grown)
    monkeypatch.setattr("precall.read.readers.kernel", lambda: twin_text)
    with pytest.raises(
        DataError, match="a.run: the file changed while read; read it again"
    ) as caught:
        pc.read_run(path)
    assert caught.value.total == 1
