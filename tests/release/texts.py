"""What is said in several files of a release, and must be the same: the version, its date, the
address.
"""

from __future__ import annotations

import re
import tomllib
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]


def read(name: str) -> str:
    return (ROOT / name).read_text(encoding="utf-8")


def project() -> dict[str, Any]:
    table: dict[str, Any] = tomllib.loads(read("pyproject.toml"))["project"]
    return table


def version() -> str:
    """Read as the build reads it: what is installed may be another one."""
    (number,) = re.findall(r'^__version__ = "(.+)"$', read("src/precall/version.py"), re.MULTILINE)
    return str(number)


def problems() -> list[str]:
    """What does not agree."""
    known, ours = version(), project()
    cited = dict(re.findall(r'^([a-z-]+): "?([^"\n]+?)"?$', read("CITATION.cff"), re.MULTILINE))
    wrong = [
        f"CITATION.cff: {key} is {cited.get(key)!r}, {where} says {value!r}"
        for key, where, value in (
            ("version", "src/precall/version.py", known),
            ("license", "pyproject.toml", ours["license"]),
            ("repository-code", "pyproject.toml", ours["urls"]["Source"]),
            ("url", "pyproject.toml", ours["urls"]["Documentation"]),
        )
        if cited.get(key) != value
    ]
    heading = changelog()
    if heading != "Unreleased" and not heading.startswith(f"{known} "):
        wrong.append(
            f"CHANGELOG.md: the first version is {heading!r}, src/precall/version.py says {known}"
        )
    return wrong


def changelog() -> str:
    """The first version of the changelog."""
    (heading, *_) = re.findall(r"^## (.+)$", read("CHANGELOG.md"), re.MULTILINE)
    return str(heading)


def open_ends() -> list[str]:
    """What a release lacks beyond that: between releases the changelog begins with what is not
    released.
    """
    date = re.search(r'^date-released: "(.+)"$', read("CITATION.cff"), re.MULTILINE)
    if date is None:  # nothing is published yet
        return [
            (
                "CITATION.cff: date-released is missing, a release needs it; the changelog "
                f"begins with {changelog()!r}"
            )
        ]
    expected = f"{version()} ({date[1]})"
    if changelog() == expected:
        return []
    return [f"CHANGELOG.md: the first version is {changelog()!r}, a release needs {expected!r}"]


def strange_addresses() -> list[str]:
    """Addresses of the project that are not of the place that pyproject.toml names."""
    address = project()["urls"]["Source"]
    files = [*ROOT.glob("*.md"), *ROOT.glob("*.cff"), *(ROOT / ".github").rglob("*.yml")]
    return [
        f"{path.relative_to(ROOT)}: {found}"
        for path in files
        for found in re.findall(
            r"https://github\.com/[\w-]+/precall\b", path.read_text(encoding="utf-8")
        )
        if found != address
    ]
