"""Every example in the documentation runs and shows what it says."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
DOCUMENTS = sorted([*ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md"), *ROOT.glob("examples/**/*.md")])


# A process of its own for each: a document may declare measures, and those must not reach other
# tests.
@pytest.mark.nightly(keep=6)
@pytest.mark.parametrize("path", DOCUMENTS, ids=lambda path: str(path.relative_to(ROOT)))
def test_examples(path: Path) -> None:
    if "```python" not in (text := path.read_text(encoding="utf-8")) and "```console" not in text:
        return
    runner = str(Path(__file__).with_name("document.py"))
    done = subprocess.run(
        [sys.executable, "-W", "error", runner, str(path)], cwd=ROOT, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stdout + done.stderr


def test_how_to_pages_end_with_what_can_go_wrong() -> None:
    for path in ROOT.glob("docs/how-to/*.md"):
        lines = path.read_text(encoding="utf-8").splitlines()
        assert [line for line in lines if line.startswith("## ")][-1] == "## What can go wrong", (
            path
        )
