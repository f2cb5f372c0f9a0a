"""The pictures of README and docs show what would be drawn now, and a change of any number is
found.
"""

from __future__ import annotations

import importlib.util
import json
import re
import shutil
from pathlib import Path

import pytest

from tests.peers import peer

for package in ("matplotlib", "scipy"):
    peer(package, f"{package} is not installed: no picture of the docs was compared")

ROOT = Path(__file__).resolve().parents[2]
#: As the README shows them, for PyPI.
SHOWN = "https://raw.githubusercontent.com/precall/precall/main/"


@pytest.fixture(scope="module")
def script():
    found = importlib.util.spec_from_file_location("docs_pictures", ROOT / "docs" / "pictures.py")
    module = importlib.util.module_from_spec(found)
    found.loader.exec_module(module)
    return module


@pytest.mark.nightly
def test_they_are_what_would_be_drawn_now(script):
    assert script.check() == []


@pytest.mark.nightly
def test_a_change_is_found(script, tmp_path, monkeypatch):
    shutil.copytree(script.FOLDER, tmp_path, dirs_exist_ok=True)
    monkeypatch.setattr(script, "FOLDER", tmp_path)
    monkeypatch.setattr(script, "DRAWN", {"eleven": script.eleven, "means": script.means})
    stored = {
        name: one
        for name, one in json.loads((tmp_path / script.NUMBERS).read_text("utf-8")).items()
        if name in script.DRAWN
    }
    for path in tmp_path.glob("*.svg"):
        if path.stem not in stored:
            path.unlink()

    def checked(change):
        found = json.loads(json.dumps(stored))
        change(found)
        (tmp_path / script.NUMBERS).write_text(json.dumps(found), encoding="utf-8")
        return script.check()

    assert checked(lambda found: None) == []
    corners = [one for one in stored["eleven"]["corners"] if len(one) == 22]
    assert len(corners) == 3, "eleven points of three runs"

    def moved(found):
        found["eleven"]["corners"][0][3] += 0.01

    assert checked(moved) == [
        "eleven: 1 of 66 numbers",
        "eleven.svg: was not drawn from numbers.json",
    ]
    said = checked(lambda found: found["eleven"]["words"].append("more"))
    assert said[0].startswith("eleven: words")
    assert checked(lambda found: found.pop("means"))[0].startswith("pictures: ['eleven']")
    checked(lambda found: None)
    (tmp_path / "eleven.svg").write_bytes((tmp_path / "means.svg").read_bytes())
    assert script.check() == ["eleven.svg: was not drawn from numbers.json"]


def test_every_picture_is_shown_and_every_link_leads_to_one(script):
    documents = [ROOT / "README.md", *(ROOT / "docs").glob("**/*.md")]
    shown = {
        (path.parent / link.removeprefix(SHOWN)).resolve()
        for path in documents
        for link in re.findall(r"!\[[^\]]+\]\(([^)]+\.svg)\)", path.read_text(encoding="utf-8"))
    }
    assert shown == {(script.FOLDER / f"{name}.svg").resolve() for name in script.DRAWN}


def test_the_readme_begins_with_one():
    first = (ROOT / "README.md").read_text(encoding="utf-8").splitlines()[:45]
    assert any(line.startswith("![") for line in first)
