"""Exit codes where links run in a circle, numbers have thousands of digits, and standard error takes nothing.

The first two were defects (exit code 70), the last looked like a failed check (1). The old tests of paths and
limits gave ordinary links and numbers, and always read what was said.
"""

from __future__ import annotations

import gzip
import subprocess
import sys
from pathlib import Path

import pytest

import precall as pc
from precall.saving import save
from tests.regress.test_saving import ENVIRONMENT

FULL = Path("/dev/full")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "a.qrels").write_text("q 0 a 1\n")
    (tmp_path / "a.run").write_text("q Q0 a 1 1 x\n")
    (tmp_path / "a.run.gz").write_bytes(gzip.compress(b"q Q0 a 1 1 x\n"))
    (tmp_path / "one").symlink_to("two")
    (tmp_path / "two").symlink_to("one")
    return tmp_path


def ran(folder: Path, *arguments: str, **environment: str) -> tuple[int, str]:
    command = [sys.executable, "-m", "precall", *arguments]
    done = subprocess.run(
        command, cwd=folder, env={**ENVIRONMENT, **environment}, capture_output=True, text=True, check=False,
        timeout=60,
    )  # fmt: skip
    return done.returncode, done.stderr


@pytest.mark.parametrize("command", [["eval", "a.qrels", "a.run"], ["report", "a.qrels", "a.run"]])
def test_links_in_a_circle(folder: Path, command: list[str]) -> None:
    code, said = ran(folder, *command, "-o", "one")
    assert code == 2
    assert said.startswith("precall: error: one: Too many levels of symbolic links")
    assert (folder / "one").is_symlink()


def test_links_in_a_circle_from_python(folder: Path) -> None:
    with pytest.raises(OSError, match="Too many levels") as caught:
        save(b"x", folder / "one")
    assert caught.value.filename == str(folder / "one")


def test_an_expansion_of_thousands_of_digits(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    code, said = ran(folder, "eval", "a.qrels", "a.run.gz", PRECALL_MAX_EXPANSION="9" * 5000)
    assert code == 2
    assert "PRECALL_MAX_EXPANSION: must be an integer" in said
    monkeypatch.setenv("PRECALL_MAX_EXPANSION", "9" * 18)
    assert len(pc.read_run(folder / "a.run.gz")) == 1


def test_standard_error_that_takes_nothing(folder: Path) -> None:
    if not FULL.exists():
        pytest.skip("there is no /dev/full")
    with FULL.open("w") as full:
        for name, code in (("none", 2), ("a.run", 0)):
            command = [sys.executable, "-m", "precall", "eval", "a.qrels", name]
            done = subprocess.run(
                command,
                cwd=folder,
                env=ENVIRONMENT,
                stdout=subprocess.PIPE,
                stderr=full,
                check=False,
                timeout=60,
            )
            assert done.returncode == code
