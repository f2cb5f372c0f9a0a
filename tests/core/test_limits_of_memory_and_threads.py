"""Little address space, and no thread to be had: a clear line and the right exit code.

OpenBLAS ended the process with exit code 1, which means that a check failed, and a refused thread
was a traceback. The old tests ran without limits.
"""

from __future__ import annotations

import os
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from precall.cli import interrupt, main

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="limits of Linux")


@pytest.mark.parametrize("megabytes", [100, 200, 300])
def test_little_address_space(tmp_path: Path, megabytes: int) -> None:
    script = "import sys; from precall.cli.main import main; sys.exit(main())"
    limited = f'ulimit -v {megabytes * 1000}; exec "$@"'
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))}
    command = ["sh", "-c", limited, "sh", sys.executable, "-c", script, "measures"]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=60)
    size = megabytes * 1024 // 1000
    assert (done.returncode, done.stdout, done.stderr) == (
        2,
        "",
        f"precall: error: the address space is limited to {size} MB (ulimit -v), the least is "
        f"{main.LEAST_ROOM // 10**6}; raise the limit\n",
    )


def test_no_thread_for_the_watch(monkeypatch: pytest.MonkeyPatch) -> None:
    import signal

    def refuse(self: threading.Thread) -> None:
        raise RuntimeError("can't start new thread")

    before = signal.pthread_sigmask(signal.SIG_BLOCK, set())
    monkeypatch.setattr(threading.Thread, "start", refuse)
    interrupt.watch()
    assert signal.pthread_sigmask(signal.SIG_BLOCK, set()) == before
