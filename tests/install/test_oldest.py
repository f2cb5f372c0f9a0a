"""The versions that are tested as the oldest are the least that are allowed."""

from __future__ import annotations

import re
import tomllib
from itertools import chain
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))


def least(requirements: list[str]) -> set[tuple[str, str]]:
    """Names and least versions; one of our own extras has none."""
    return {
        (name, f"{least}{'.0' * (2 - least.count('.'))}")
        for one in requirements
        for name, least in re.findall(r"^([\w-]+)(?:\[\w+\])?>=([\d.]+)", one)
    }


def pinned(name: str) -> set[tuple[str, str]]:
    text = Path(__file__).with_name(name).read_text(encoding="utf-8")
    return set(re.findall(r"^([\w-]+)==([\d.]+)$", text, re.MULTILINE))


def test_oldest_are_the_least_allowed() -> None:
    extras = PROJECT["project"]["optional-dependencies"]
    allowed = least([*PROJECT["project"]["dependencies"], *chain(*extras.values())])
    assert len(allowed) == 15
    assert pinned("oldest.txt") | pinned("oldest-large.txt") == allowed
    assert {name for name, _ in pinned("oldest-large.txt")} == {"pyspark", "torch", "torchmetrics"}


def test_groups_ask_for_no_less() -> None:
    """Else what is tested could be older than what is promised."""
    extras = dict(least([*chain(*PROJECT["project"]["optional-dependencies"].values())]))
    for name, group in PROJECT["dependency-groups"].items():
        for package, version in least(group):
            assert extras.get(package, version) == version, (name, package)
