"""What a release says of itself."""

from __future__ import annotations

import re
import tomllib
from itertools import chain
from pathlib import Path

import pytest

from tests.release import api, check, texts

ROOT = Path(__file__).resolve().parents[2]


def test_texts_agree() -> None:
    assert texts.problems() == []
    assert texts.strange_addresses() == []


def test_disagreement_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(texts, "version", lambda: "77.0")
    monkeypatch.setattr(texts, "changelog", lambda: "78.0 (2026-01-01)")
    cited, logged = texts.problems()
    assert "CITATION.cff: version" in cited and "CHANGELOG.md" in logged and "77.0" in logged
    (dateless,) = texts.open_ends()
    assert "CITATION.cff: date-released is missing" in dateless
    read = texts.read
    monkeypatch.setattr(texts, "read", lambda name: f'{read(name)}date-released: "2026-01-01"\n')
    (dated,) = texts.open_ends()
    assert "78.0" in dated and "a release needs '77.0 (" in dated


def test_all_is_every_extra() -> None:
    extras = texts.project()["optional-dependencies"]
    (whole,) = extras.pop("all")
    assert re.fullmatch(r"precall\[(.+)\]", whole)[1].split(",") == list(extras)


def test_no_dependency_has_an_upper_bound() -> None:
    """What is new must be tried; whoever installs precall beside others must not be held back by us.

    What builds it is another matter: pip puts that beside nothing, and a source that was published must build for years.
    """
    ours = texts.project()
    bounds = {
        one: set(re.findall(r"[<>=!~]=?", one.partition(";")[0]))
        for one in chain(ours["dependencies"], *ours["optional-dependencies"].values())
    }
    assert {one for one, found in bounds.items() if found != {">="}} == {
        ours["optional-dependencies"]["all"][0]
    }
    builds = tomllib.loads(texts.read("pyproject.toml"))["build-system"]["requires"]
    assert all(re.fullmatch(r"[\w-]+>=[\d.]+,<\d+", one) for one in builds)


def test_each_tested_python_is_a_classifier() -> None:
    tested = re.search(r"^versions=\((.+)\)$", texts.read("tests/install/pythons.sh"), re.MULTILINE)
    listed = [
        found[1] for one in texts.project()["classifiers"] if (found := re.search(r":: (3\.\d+)$", one))
    ]
    assert tested is not None and tested[1].split() == listed
    builds = tomllib.loads(texts.read("pyproject.toml"))["tool"]["cibuildwheel"]["build"]
    assert {f"cp{version.replace('.', '')}-*" for version in listed} <= set(builds)


@pytest.mark.parametrize(
    "path", sorted((ROOT / ".github/workflows").glob("*.yml")), ids=lambda path: path.name
)
def test_actions_are_pinned_and_permissions_are_none_at_the_top(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    for used in re.findall(r"uses: (\S+.*)", text):
        assert used.startswith("./") or re.fullmatch(r"[\w/-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+", used), used
    assert "\npermissions: {}\n" in text


def test_what_is_missing_is_said(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    def lacks(dist: Path) -> str:
        raise check.Missing("no wheel")

    def cannot(dist: Path) -> str:
        raise check.NotHere("no Python")

    monkeypatch.setattr(
        check, "CHECKS", {"a": lambda dist: "seen", "b": lacks, "c": cannot, "d": lambda dist: 1 / 0}
    )
    assert check.results(tmp_path, ["d"]) == ["b"]
    first, second, third = capsys.readouterr().out.splitlines()
    assert first.endswith("ok           seen") and second.endswith("MISSING      no wheel")
    assert third.endswith("NOT CHECKED  no Python")


PACKAGE = {
    "__init__.py": "from package.parts import C, f, g, unsaid\n__all__ = ['C', 'f', 'g']\n",
    "parts.py": "def f(x, y=1): ...\ndef g(): ...\ndef unsaid(): ...\nclass C:\n    def m(self): ...\n",
}


def changed(folder: Path, **files: str) -> list[str]:
    """What is found after these changes of a package."""
    for name, texts_of in (
        ("before", PACKAGE),
        ("after", PACKAGE | {f"{n}.py": t for n, t in files.items()}),
    ):
        home = folder / name / "package"
        home.mkdir(parents=True)
        for file, text in texts_of.items():
            (home / file).write_text(text, encoding="utf-8")
    return api.breakages(folder / "before", folder / "after", "package")


def test_api_same(tmp_path: Path) -> None:
    assert changed(tmp_path) == []


def test_api_finds_what_is_lost(tmp_path: Path) -> None:
    less = changed(
        tmp_path,
        __init__="from package.parts import C, f\n__all__ = ['C', 'f']\n",
        parts="def f(x): ...\nclass C: ...\n",
    )
    told = "\n".join(less)
    assert "package.g: Public object was removed" in told and "C.m: Public object was removed" in told
    assert "parts.f: Parameter was removed (y)" in told
    assert "unsaid" not in told  # it is not in `__all__`


def test_names_that_are_made_are_looked_for_too() -> None:
    assert api.lost("pc.a(x)\npc.b()\n", "pc.a(x)\npc.c()\n") == ["pc.b()"]


def test_the_changelog_says_nothing_twice() -> None:
    """Merges have left an entry twice, and another cut in two."""
    lines = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8").splitlines()
    long = [line for line in lines if len(line) > 40]
    assert len(long) > 300 and not [line for line in set(long) if long.count(line) > 1]
