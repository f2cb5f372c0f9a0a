"""The map in docs/develop/how-it-works.md names all rooms, and files that there are."""

from __future__ import annotations

import re
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PAGE = (ROOT / "docs/develop/how-it-works.md").read_text(encoding="utf-8")
PACKAGE = ROOT / "src/precall"
QUOTED = re.findall(r"`([^`\n]+)`", PAGE)


def test_every_room_is_on_the_map() -> None:
    table = PAGE.split("## The rooms")[1].split("\n## ")[0]
    rooms = {path.parent.name for path in PACKAGE.glob("*/__init__.py")}
    assert rooms == set(re.findall(r"`(\w+)`", "".join(re.findall(r"^\|([^|]*)\|", table, re.M))))


def test_every_file_is_there() -> None:
    files = [name for name in QUOTED if re.fullmatch(r"(?!tests)[\w/]+\.py", name)]
    homes = [PACKAGE, *sorted(path for path in PACKAGE.rglob("*") if path.is_dir())]
    assert len(files) > 40
    assert [name for name in files if not any((home / name).is_file() for home in homes)] == []


def test_every_test_that_is_named_is_there() -> None:
    paths = [word for name in QUOTED for word in re.findall(r"(?<![\w/])tests/[\w/.]*\w", name)]
    assert len(paths) > 15
    assert [path for path in paths if not (ROOT / path).exists() and "ROOM" not in path] == []
