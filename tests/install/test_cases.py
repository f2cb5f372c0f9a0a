"""The committed scored cases are what their script makes."""

from __future__ import annotations

import filecmp
import subprocess
import sys
from pathlib import Path

import pytest

FOLDER = Path(__file__).resolve().parents[2] / "examples" / "cases"
NAMES = ["tumours.csv", "digits.csv"]


@pytest.mark.nightly
def test_script_writes_the_files_byte_for_byte(tmp_path: Path) -> None:
    pytest.importorskip(
        "sklearn", reason="scikit-learn is not installed (pip install --group examples)"
    )
    subprocess.run([sys.executable, str(FOLDER / "make.py"), str(tmp_path)], check=True)
    assert filecmp.cmpfiles(FOLDER, tmp_path, NAMES, shallow=False) == (NAMES, [], [])


def test_is_small_enough_to_commit() -> None:
    assert sum((FOLDER / name).stat().st_size for name in NAMES) < 400_000
