"""Modules are found by the names that documents gave them once, however they are asked for."""

from __future__ import annotations

import importlib
import importlib.util
import pickle
import subprocess
import sys

import pytest

import precall
from precall import _MOVED


@pytest.mark.parametrize("old", _MOVED)
def test_it_is_the_same_module(old: str) -> None:
    module = importlib.import_module(old)
    assert module is importlib.import_module(_MOVED[old])
    assert importlib.util.find_spec(old) is not None


@pytest.mark.nightly(keep=2)
@pytest.mark.parametrize("old", _MOVED)
def test_it_can_be_reloaded(old: str) -> None:
    code = (
        f"import importlib; m = importlib.import_module('{old}'); assert importlib.reload(m) is m"
    )
    subprocess.run([sys.executable, "-c", code], check=True)


def test_what_a_package_holds_is_there_once() -> None:
    outcomes = importlib.import_module("precall.contingency.outcomes")
    assert outcomes is importlib.import_module("precall.hard_decisions.outcomes")


def test_pickles_that_name_an_old_module() -> None:
    curve = precall.curve([1, 0], [2.0, 1.0])
    new = pickle.dumps(curve, protocol=2)
    old = new.replace(b"precall.cases.curves\nCurve", b"precall.curves\nCurve")
    assert old != new
    assert pickle.loads(old) == curve


def test_it_runs_as_a_module() -> None:
    code = "import runpy; assert 'UsageError' in runpy.run_module('precall.errors')"
    subprocess.run([sys.executable, "-W", "ignore", "-c", code], check=True)


def test_categories_of_warnings() -> None:
    from _pytest.config import parse_warning_filter

    action, _, category, _, _ = parse_warning_filter(
        "error::precall.notes.FewValuesWarning", escape=False
    )
    assert (action, category) == ("error", precall.notes.FewValues.warning)
