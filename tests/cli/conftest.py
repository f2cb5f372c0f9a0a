"""The command line, run in this process or in one of its own, in a folder with two small runs."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import pytest

import precall as package
from precall.cli.main import run

#: Where this process found precall, so that others find the same.
HOME = str(Path(package.__file__).resolve().parent.parent)

QRELS = """\
q1 0 a 1
q1 0 b 0
q1 0 c 2
q2 0 d 1
q3 0 e 0
q4 0 x 1
"""
ONE = """\
q1 Q0 b 1 3.0 one
q1 Q0 a 2 2.0 one
q1 Q0 c 3 2.0 one
q2 Q0 d 1 1.0 one
q3 Q0 e 1 1.0 one
q9 Q0 e 1 1.0 one
"""
TWO = """\
q1 Q0 a 1 3.0 two
q2 Q0 z 1 2.0 two
q2 Q0 d 2 1.0 two
q3 Q0 e 1 1.0 two
"""


class Outcome(NamedTuple):
    code: int
    out: str
    err: str


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A working directory with news.qrels, one.run and two.run."""
    monkeypatch.chdir(tmp_path)
    for name, text in (("news.qrels", QRELS), ("one.run", ONE), ("two.run", TWO)):
        Path(name).write_text(text, encoding="utf-8")
    return tmp_path


@pytest.fixture
def precall(folder: Path, capsys: pytest.CaptureFixture[str]) -> Callable[..., Outcome]:
    """`precall("eval", ...)` in this process."""

    def call(*arguments: str) -> Outcome:
        capsys.readouterr()
        code = run(arguments)
        return Outcome(code, *capsys.readouterr())

    return call


def command(*arguments: str) -> list[str]:
    """`precall ...` for a process of its own."""
    return [sys.executable, "-m", "precall", *arguments]


@pytest.fixture
def process(folder: Path) -> Callable[..., Outcome]:
    """`process("eval", ...)` in a process of its own, standard input given as `stdin`."""

    def call(*arguments: str, stdin: str = "", **environment: str) -> Outcome:
        done = subprocess.run(
            command(*arguments),
            input=stdin.encode(),
            capture_output=True,
            timeout=60,
            env={**os.environ, "PYTHONPATH": HOME, **environment},
            check=False,
        )
        return Outcome(done.returncode, done.stdout.decode(), done.stderr.decode())

    return call
