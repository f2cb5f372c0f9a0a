"""`make demo` says first which kernel it runs on: without a compiler it took a glance at the end of
a footer to notice.

Tests of an install without compiler asked `precall about`, not what somebody sees who tries it.
"""

from __future__ import annotations

import os
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.core.test_saving import ENVIRONMENT

ROOT = Path(__file__).resolve().parent.parent.parent


@pytest.mark.nightly
@pytest.mark.skipif(
    not (ROOT / "Makefile").exists() or shutil.which("make") is None,
    reason="no make, or no Makefile",
)
@pytest.mark.parametrize("kernel", ["twin", "auto"])
def test_the_first_line_of_the_demo(kernel: str, tmp_path: Path) -> None:
    # An environment that is installed, whose command is this precall.
    command = tmp_path / "bin" / "precall"
    command.parent.mkdir()
    command.write_text(
        f'#!/bin/sh\nexec {shlex.quote(sys.executable)} -m precall "$@"\n', encoding="utf-8"
    )
    command.chmod(0o755)
    for name in ("created", "installed"):
        (tmp_path / name).touch()
    (tmp_path / "installed").touch()
    done = subprocess.run(
        ["make", "--no-print-directory", f"VENV={tmp_path}", "demo"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
        env={**ENVIRONMENT, "PRECALL_KERNEL": kernel, "MAKEFLAGS": ""},
        timeout=120,
    )
    about = subprocess.run(
        [sys.executable, "-m", "precall", "about"],
        capture_output=True,
        text=True,
        check=True,
        env={**ENVIRONMENT, "PRECALL_KERNEL": kernel},
        cwd=os.fspath(tmp_path),
    )
    (line,) = (line for line in about.stdout.splitlines() if line.startswith("kernel"))
    assert done.stdout.splitlines()[0] == line and (
        kernel != "twin" or line.split() == ["kernel", "twin"]
    )
    assert "components" in done.stdout
