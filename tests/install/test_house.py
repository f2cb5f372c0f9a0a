"""House rules that a program can check."""

from __future__ import annotations

import re
from pathlib import Path

import precall

ROOT = Path(__file__).resolve().parents[2]
PACKAGE = ROOT / "src" if (ROOT / "src").is_dir() else Path(precall.__file__).parent
FILES = sorted(
    path
    for folder in (PACKAGE, *(ROOT / name for name in ("tests", "bench", "examples")))
    for path in folder.rglob("*")
    if path.suffix in (".py", ".cpp", ".hpp", ".sh")
    and "data" not in path.relative_to(folder).parts
)
MODULES = [path for path in FILES if path.suffix == ".py" and PACKAGE in path.parents]
NO_SUBJECT = {"utils", "util", "helpers", "helper", "common", "misc"}
# With brackets, or this file would find itself.
UNFINISHED = re.compile("TO[D]O|FIX[M]E|X[X]X|NotImplemented[E]rror")


def test_nothing_is_left_for_later() -> None:
    assert not [path for path in FILES if UNFINISHED.search(path.read_text(encoding="utf-8"))]


def test_file_names_say_what_is_inside() -> None:
    assert not [path for path in FILES if path.stem in NO_SUBJECT]


def test_modules_begin_with_prose() -> None:
    assert len(MODULES) > 100
    for path in MODULES:
        text = path.read_text(encoding="utf-8")
        assert re.match('"""[^"]', text) or not text.strip(), path
        if re.search(r"^ *def \w+\(", text, re.MULTILINE):
            assert "from __future__ import annotations" in text, path
