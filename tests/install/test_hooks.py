"""Hooks of pre-commit need nothing of this checkout's own, and take the tools that `make lint`
takes.
"""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
if not (ROOT / ".pre-commit-config.yaml").is_file():
    pytest.skip("the hooks are not here", allow_module_level=True)
HOOKS = (ROOT / ".pre-commit-config.yaml").read_text(encoding="utf-8")


def test_hooks_run_in_a_fresh_clone() -> None:
    assert ".venv" not in HOOKS and "language: system" not in HOOKS
    assert (
        HOOKS.count("- id:")
        == HOOKS.count("language: python")
        == HOOKS.count("additional_dependencies:")
        > 3
    )


def test_hooks_take_the_tools_of_lint() -> None:
    groups = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))[
        "dependency-groups"
    ]
    asked = set(re.findall(r'"(\w[\w-]*[<>=][^"]*)"', HOOKS))
    assert asked and asked <= {*groups["lint"], *groups["test"]}
