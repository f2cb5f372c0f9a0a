"""Whether all is there that a release needs: `make release-check`.

python -m tests.release.check [DIST] [--without NAME]...

The source, the wheel for all Pythons from 3.12 on and the wheel without kernel are built into DIST,
the wheels from the source, and looked at as PyPI and pip will. Every check runs; what is missing is
said at the end. Run by a Python that has the group `release`.
"""

from __future__ import annotations

import argparse
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from tests.release import texts

ROOT = Path(__file__).resolve().parents[2]
BIN = Path(sys.executable).parent


class Missing(Exception):
    """What a release lacks."""


class NotHere(Exception):
    """Why something cannot be looked at on this machine."""


#: Name → check, in the order in which they run; each returns what it saw, in a few words.
CHECKS: dict[str, Callable[[Path], str]] = {}


def check(name: str) -> Callable[[Callable[[Path], str]], Callable[[Path], str]]:
    """Register a check."""

    def registered(function: Callable[[Path], str]) -> Callable[[Path], str]:
        CHECKS[name] = function
        return function

    return registered


def as_pip_is_set() -> None:
    """uv asks the index that pip would ask; it knows nothing of pip's settings."""
    done = subprocess.run(
        [sys.executable, "-m", "pip", "config", "get", "global.index-url"],
        capture_output=True,
        text=True,
        check=False,
    )
    index = os.environ.get("PIP_INDEX_URL") or done.stdout.strip()
    if index:
        os.environ.setdefault("UV_DEFAULT_INDEX", index)


def run(*command: str | Path, **variables: str) -> str:
    """What a tool prints; its failure is something that a release lacks."""
    known = BIN / str(command[0])
    words = [str(known if known.exists() else command[0]), *map(str, command[1:])]
    done = subprocess.run(
        words, cwd=ROOT, capture_output=True, text=True, env=os.environ | variables, check=False
    )
    if done.returncode:
        raise Missing(f"{' '.join(map(str, command))}\n{done.stdout}{done.stderr}")
    return done.stdout


def built(dist: Path, pattern: str) -> Path:
    """The file of this kind."""
    files = sorted(dist.glob(pattern))
    if len(files) != 1:
        raise Missing(f"{pattern}: one file is expected in {dist}, there are {len(files)}")
    return files[0]


def later_python() -> str:
    """A Python of which the wheel is that of all later ones, too."""
    for version in ("3.14", "3.13", "3.12"):
        done = subprocess.run(
            [ROOT / "tests/install/pythons.sh", "--where", version],
            capture_output=True,
            text=True,
            check=False,
        )
        if done.returncode == 0:
            return done.stdout.strip()
    raise NotHere("no Python from 3.12 on is here")


@check("texts")
def _texts(dist: Path) -> str:
    """Versions, dates and addresses agree, and the changelog has this version."""
    if problems := texts.problems() + texts.strange_addresses() + texts.open_ends():
        raise Missing("\n".join(problems))
    return f"version {texts.version()}"


@check("citation")
def _citation(dist: Path) -> str:
    run("check-jsonschema", "--builtin-schema", "vendor.citation-file-format", "CITATION.cff")
    return "CITATION.cff, format 1.2.0"


@check("workflows")
def _workflows(dist: Path) -> str:
    """What GitHub runs: forms, known mistakes, and actions that are pinned."""
    forms = sorted((ROOT / ".github/ISSUE_TEMPLATE").glob("[!c]*.yml"))
    files = sorted((ROOT / ".github/workflows").glob("*.yml"))
    run("check-jsonschema", "--builtin-schema", "vendor.github-workflows", *files)
    run("check-jsonschema", "--builtin-schema", "vendor.github-issue-forms", *forms)
    run("check-jsonschema", "--builtin-schema", "vendor.dependabot", ".github/dependabot.yml")
    run("zizmor", "--offline", "--pedantic", "--quiet", ".github")
    if shutil.which("actionlint"):
        run("actionlint")
        return f"{len(files)}, by zizmor and actionlint"
    return f"{len(files)}, by zizmor; actionlint is not installed here"


@check("cibuildwheel")
def _wheels_of_systems(dist: Path) -> str:
    """The wheels that the workflows will build."""
    names = []
    for system, machines in (
        ("linux", "x86_64,aarch64"),
        ("macos", "x86_64,arm64"),
        ("windows", "AMD64"),
    ):
        told = run(
            "cibuildwheel",
            "--platform",
            system,
            "--archs",
            machines,
            "--print-build-identifiers",
            PATH=f"{BIN}:{os.environ['PATH']}",
        )
        names += told.split()
    if len({name.partition("-")[2] for name in names}) != 7:
        raise Missing(f"seven systems are expected, there are {names}")
    return f"{len(names)} builds and tests on 7 systems"


@check("api")
def _api(dist: Path) -> str:
    """No public name is lost since the last tag."""
    done = subprocess.run(
        [sys.executable, "-m", "tests.release.api"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode:
        raise Missing(done.stdout + done.stderr)
    return done.stdout.strip()


@check("source")
def _source(dist: Path) -> str:
    run("uv", "build", "--quiet", "--sdist", "--out-dir", dist, ".")
    file = built(dist, "*.tar.gz")
    return f"{file.name}, {file.stat().st_size / 1e6:.1f} MB"


@check("wheel without kernel")
def _plain_wheel(dist: Path) -> str:
    """The wheel of systems for which there is no other; scikit-build-core asks for no compiler
    then.
    """
    run(
        "uv",
        "build",
        "--quiet",
        "--wheel",
        "--out-dir",
        dist,
        "-C",
        "wheel.cmake=false",
        "-C",
        "wheel.py-api=py3",
        built(dist, "*.tar.gz"),
    )
    return _told(built(dist, "*-py3-none-any.whl"), "twin")


@check("wheel")
def _wheel(dist: Path) -> str:
    """With a kernel, from the source that is published and not from what else lies here."""
    run(
        "uv",
        "build",
        "--quiet",
        "--wheel",
        "--python",
        later_python(),
        "--out-dir",
        dist,
        built(dist, "*.tar.gz"),
        PRECALL_REQUIRE_KERNEL="1",
    )
    file = built(dist, "*-cp312-abi3-*.whl")
    run("abi3audit", "--strict", file)
    seen = run("auditwheel", "show", file) if sys.platform == "linux" else ""
    tags = " ".join(dict.fromkeys(re.findall(r"manylinux_\w+", seen)))
    return f"{_told(file, 'native', later_python())}; auditwheel show: {tags}"


def _told(wheel: Path, kernel: str, python: str = sys.executable) -> str:
    """What the command says of itself, installed from this wheel into nothing."""
    told = run("uvx", "--isolated", "--python", python, "--from", wheel, "precall", "about")
    facts = dict(line.split(maxsplit=1) for line in told.splitlines())
    if facts["kernel"] != kernel or facts["precall"] != texts.version():
        raise Missing(
            f"{wheel.name}: {kernel} {texts.version()} is expected, precall about says\n{told}"
        )
    return (
        f"{wheel.name}, {wheel.stat().st_size / 1e6:.1f} MB, {kernel} on Python {facts['python']}"
    )


@check("contents")
def _contents(dist: Path) -> str:
    """Nothing superfluous; README is shown on PyPI."""
    files = [*dist.glob("*.whl"), *dist.glob("*.tar.gz")]
    run("check-wheel-contents", *dist.glob("*.whl"))
    run("twine", "check", "--strict", *files)
    return f"{len(files)} files, by check-wheel-contents and twine"


@check("no compiler")
def _no_compiler(dist: Path) -> str:
    """The source, where there is no compiler: with a warning, on the twin."""
    with tempfile.TemporaryDirectory() as folder:
        run(sys.executable, "-m", "venv", folder)
        nowhere = {"PATH": f"{folder}/bin", "CC": "/nonexistent/cc", "CXX": "/nonexistent/c++"}
        run(
            f"{folder}/bin/python",
            "-m",
            "pip",
            "install",
            "--quiet",
            built(dist, "*.tar.gz"),
            **nowhere,
        )
        told = run(f"{folder}/bin/precall", "about")
    if "twin" not in told:
        raise Missing(f"the twin is expected without a compiler, precall about says\n{told}")
    return "pip install of the source, on the twin"


def results(dist: Path, left_out: list[str]) -> list[str]:
    """All checks, a line each; those that found something missing."""
    missing = []
    for name, function in CHECKS.items():
        if name in left_out:
            continue
        start = time.monotonic()
        try:
            told = f"ok           {function(dist)}"
        except NotHere as reason:
            told = f"NOT CHECKED  {reason}"
        except Missing as reason:
            told = f"MISSING      {reason}"
            missing.append(name)
        sys.stdout.write(f"{name:<21}{time.monotonic() - start:4.0f} s  {told}\n")
        sys.stdout.flush()
    return missing


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n\n")[0])
    parser.add_argument(
        "dist", nargs="?", type=Path, help="where the files are kept; else they are removed"
    )
    parser.add_argument(
        "--without", action="append", default=[], choices=list(CHECKS), metavar="NAME"
    )
    given = parser.parse_args()
    as_pip_is_set()
    with tempfile.TemporaryDirectory() as folder:
        dist = (given.dist or Path(folder)).resolve()
        dist.mkdir(parents=True, exist_ok=True)
        missing = results(dist, given.without)
    sys.stdout.write(f"\nMissing: {', '.join(missing)}\n" if missing else "\nNothing is missing.\n")
    return 1 if missing else 0


if __name__ == "__main__":
    sys.exit(main())
