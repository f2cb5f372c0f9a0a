"""Memory that runs out at any request of the kernel: a MemoryError, and the next call is as if
nothing had been.

Where there was no memory for a second thread, the first was never waited for and the process ended.
The old tests never ran out of memory.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.native.kernels import ABSENT

FUZZ = Path(__file__).parent.parent / "fuzz"
COMPILER = shutil.which("cc")


@pytest.mark.nightly
@ABSENT
@pytest.mark.skipif(
    COMPILER is None or not Path("/proc/self/exe").exists(),
    reason="refusing memory takes Linux and a C compiler",
)
def test_every_request_for_memory_is_refused_once_and_for_good(tmp_path: Path) -> None:
    library = str(tmp_path / "failing.so")
    subprocess.run(
        [COMPILER or "", "-shared", "-fPIC", "-o", library, FUZZ / "failing.c", "-ldl"], check=True
    )
    environment = {
        **os.environ,
        "LD_PRELOAD": library,
        "PYTHONPATH": os.pathsep.join(filter(None, sys.path)),
    }
    done = subprocess.run(
        [sys.executable, FUZZ / "failing.py", library],
        env=environment,
        capture_output=True,
        text=True,
        timeout=300,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert ", 0 wrong\n" in done.stdout
