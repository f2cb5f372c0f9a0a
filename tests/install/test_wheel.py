"""What the installed package holds."""

from __future__ import annotations

import importlib.metadata
import os
from pathlib import Path

import pytest

import precall

if not any(importlib.metadata.distributions(name="precall")):
    pytest.skip("precall is not installed, only imported", allow_module_level=True)


def files() -> set[str]:
    found = importlib.metadata.files("precall")
    assert found is not None
    return {str(path) for path in found}


def test_nothing_is_missing_or_superfluous() -> None:
    assert {
        "precall/__init__.py",
        "precall/py.typed",
        "precall/native/twin.py",
        "precall/page/page.js",
        "precall/page/templates/page.html",
    } <= files()
    assert not [path for path in files() if path.endswith((".cpp", ".hpp", ".h", "CMakeLists.txt"))]
    # Nothing beside the package: no `tests` or `bench` in everybody's site-packages.
    tops = {path.split("/")[0] for path in files() if not path.startswith("..")}
    assert {top for top in tops if not top.endswith(".dist-info")} == {"precall"}


def test_licence_is_inside() -> None:
    assert [path for path in files() if path.endswith("LICENSE")]


def test_is_installed_not_beside_the_tests() -> None:
    assert (
        Path(__file__).resolve().parents[2] / "src" not in Path(precall.__file__).resolve().parents
    )


def test_kernel_is_the_expected_one() -> None:
    expected = os.environ.get("PRECALL_EXPECT")
    if expected is None:
        pytest.skip("PRECALL_EXPECT (native or twin) is not set: any kernel will do here")
    assert precall.about()["kernel"] == expected
    compiled = [
        path
        for path in files()
        if path.startswith("precall/native/_kernel.") and not path.endswith(".pyi")
    ]
    assert bool(compiled) == (expected == "native" or os.environ.get("PRECALL_KERNEL") == "twin")
