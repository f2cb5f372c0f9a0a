"""Numbers of threads beyond what the kernel's arguments hold.

`--threads 9223372036854775808` reached the native kernel, which could not take it: a traceback and
exit code 70. The old tests asked for too few threads only.
"""

from __future__ import annotations

import threading
from pathlib import Path

import numpy as np
import pytest

import precall as pc
from precall.cli.main import run
from precall.core.errors import UsageError
from precall.native import thread_count


@pytest.mark.parametrize("threads", [1025, 2**31, 2**63, 10**400])
def test_too_many_threads(threads: int) -> None:
    with pytest.raises(UsageError, match=r"^threads: must be at most 1024, got "):
        thread_count(threads)
    assert thread_count(1024) == 1024


def test_the_command_says_so(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    for name, text in (("a.qrels", "1 0 d 1\n"), ("a.run", "1 Q0 d 1 1 x\n")):
        (tmp_path / name).write_text(text)
    assert (
        run(["eval", str(tmp_path / "a.qrels"), str(tmp_path / "a.run"), "--threads", str(2**63)])
        == 2
    )
    assert (
        capsys.readouterr().err == f"precall: error: --threads: must be at most 1024, got {2**63}\n"
    )


def test_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PRECALL_THREADS", str(2**63))
    with pytest.raises(UsageError, match=rf"^PRECALL_THREADS: must be at most 1024, got {2**63}$"):
        thread_count()


@pytest.mark.parametrize("left", [0, 1, 2])
def test_no_thread_is_to_be_had(monkeypatch: pytest.MonkeyPatch, left: int) -> None:
    # Comparisons drew in a pool of threads, and ended with a traceback; the old tests had threads
    # enough, or none at all: then one was tried first, and where just that one was to be had the
    # pool failed as before.
    monkeypatch.setenv("PRECALL_THREADS", "4")
    rng = np.random.default_rng(0)
    a, b = rng.random((2, 60))
    usual = pc.compare.paired(a, b, resamples=20_000)

    start, started = threading.Thread.start, []

    def hardly_any(thread: threading.Thread) -> None:
        if len(started) == left:
            raise RuntimeError("can't start new thread")
        started.append(thread)
        start(thread)

    monkeypatch.setattr(threading.Thread, "start", hardly_any)
    again = pc.compare.paired(a, b, resamples=20_000)
    assert (again.p, again.how) == (usual.p, usual.how) and "sampled" in usual.how
