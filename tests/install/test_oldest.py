"""The versions that are tested as the oldest are the least that are allowed."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


def test_oldest_are_the_least_allowed() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    extras = project["optional-dependencies"]
    tested = [*project["dependencies"], *extras["plot"]]
    allowed = {name: least for one in tested for name, least in re.findall(r"(\w+)>=([\d.]+)", one)}
    oldest = Path(__file__).with_name("oldest.txt").read_text(encoding="utf-8")
    assert dict(re.findall(r"^(\w+)==([\d.]+)\.\*$", oldest, re.MULTILINE)) == allowed
