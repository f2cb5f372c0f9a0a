"""What a release says of itself."""

from __future__ import annotations

import re
import subprocess
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
    """What is new must be tried; whoever installs precall beside others must not be held back by
    us.

    What builds it is another matter: pip puts that beside nothing, and a source that was published
    must build for years.
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
        found[1]
        for one in texts.project()["classifiers"]
        if (found := re.search(r":: (3\.\d+)$", one))
    ]
    assert tested is not None and tested[1].split() == listed
    builds = tomllib.loads(texts.read("pyproject.toml"))["tool"]["cibuildwheel"]["build"]
    assert {f"cp{version.replace('.', '')}-*" for version in listed} <= set(builds)


def listed(*arguments: str) -> list[str]:
    """Which Pythons the script would test, and those that a wheel is not for."""
    script = ROOT / "tests/install/pythons.sh"
    done = subprocess.run(
        [script, "--list", *arguments], capture_output=True, text=True, check=True, timeout=60
    )
    return done.stdout.splitlines()


@pytest.mark.parametrize(
    ("tag", "not_for"),
    [
        ("cp312-abi3", {"3.11"}),
        ("cp311-cp311", {"3.12", "3.13", "3.14"}),
        ("cp314-cp314", {"3.11", "3.12", "3.13"}),
        ("cp314-cp314t", {"3.11", "3.12", "3.13", "3.14"}),
        ("py3-none", set()),
    ],
)
def test_a_wheel_is_tested_on_the_pythons_that_it_is_for(tag: str, not_for: set[str]) -> None:
    """That of all later Pythons was installed on 3.11, too, which counted as a failure of 3.11."""
    wheel = f"precall-1.0-{tag}-linux_x86_64.whl"
    shown = listed("--wheel", f"/somewhere/{wheel}")
    assert {line.split()[0] for line in shown if line.endswith(f" not {wheel}")} == not_for
    assert [line.split()[0] for line in shown] == listed() == ["3.11", "3.12", "3.13", "3.14"]


@pytest.mark.nightly
def test_every_later_python_has_its_turn() -> None:
    """CI tried the oldest and the newest: what 3.12 and 3.13 do otherwise nobody saw."""
    turns = [listed("--turn", str(number)) for number in range(7)]
    assert all(len(one) == 1 for one in turns) and turns[:3] == turns[3:6] and turns[0] == turns[6]
    # One that cannot be had gives its turn to the newest.
    assert {version for (version,) in turns} | {"3.12"} == {"3.12", "3.13", "3.14"} and [
        "3.13"
    ] in turns
    assert listed("--newest") == ["3.14"]
    run = texts.read(".ci/run")
    assert "part=$(($(git rev-list --count HEAD) % parts))" in run
    assert all(f"on_python {which}" in run for which in ("--newest", "--turn 0", "--turn 1"))
    assert listed("--turn", "1") == ["3.13"]


@pytest.mark.parametrize(
    "path", sorted((ROOT / ".github/workflows").glob("*.yml")), ids=lambda path: path.name
)
def test_actions_are_pinned_and_permissions_are_none_at_the_top(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    for used in re.findall(r"uses: (\S+.*)", text):
        assert used.startswith("./") or re.fullmatch(
            r"[\w/-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+", used
        ), used
    assert "\npermissions: {}\n" in text


def test_what_is_missing_is_said(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    def lacks(dist: Path) -> str:
        raise check.Missing("no wheel")

    def cannot(dist: Path) -> str:
        raise check.NotHere("no Python")

    monkeypatch.setattr(
        check,
        "CHECKS",
        {"a": lambda dist: "seen", "b": lacks, "c": cannot, "d": lambda dist: 1 / 0},
    )
    assert check.results(tmp_path, ["d"]) == ["b"]
    first, second, third = capsys.readouterr().out.splitlines()
    assert first.endswith("ok           seen") and second.endswith("MISSING      no wheel")
    assert third.endswith("NOT CHECKED  no Python")


PACKAGE = {
    "__init__.py": "from package.parts import C, f, g, unsaid\n__all__ = ['C', 'f', 'g']\n",
    "parts.py": (
        "def f(x, y=1): ...\ndef g(): ...\ndef unsaid(): ...\nclass C:\n    def m(self): ...\n"
    ),
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
    assert (
        "package.g: Public object was removed" in told and "C.m: Public object was removed" in told
    )
    assert "parts.f: Parameter was removed (y)" in told
    assert "unsaid" not in told  # it is not in `__all__`


def test_names_that_are_made_are_looked_for_too() -> None:
    assert api.lost("pc.a(x)\npc.b()\n", "pc.a(x)\npc.c()\n") == ["pc.b()"]


def test_the_changelog_says_nothing_twice() -> None:
    """Merges have left an entry twice, and another cut in two."""
    lines = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8").splitlines()
    long = [line for line in lines if len(line) > 40]
    assert len(long) > 300 and not [line for line in set(long) if long.count(line) > 1]
