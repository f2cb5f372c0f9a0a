"""Each test is nightly or runs every time, whatever `-m` leaves out while tests are collected."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
#: Some files with grids of which `keep` rows run every time, and with rows that are marked.
FILES = (
    "tests/intervals/test_interval_counts.py",
    "tests/intervals/test_interval_means.py",
    "tests/laws/test_mutants.py",
    "tests/native/test_kernel_counting.py",
)


def _collected(*more: str) -> list[str]:
    command = [sys.executable, "-m", "pytest", "--collect-only", "-q", *FILES, *more]
    done = subprocess.run(command, cwd=ROOT, check=True, capture_output=True, text=True)
    return [line for line in done.stdout.splitlines() if "::" in line]


@pytest.mark.nightly
def test_a_test_is_nightly_or_not() -> None:
    every, nightly, others = (
        _collected(),
        _collected("-m", "nightly"),
        _collected("-m", "not nightly"),
    )
    assert nightly
    assert others
    assert sorted(nightly + others) == sorted(every)
    # By way of another expression, the same are found among all.
    assert sorted(_collected("-m", "not (nightly)")) == sorted(others)
