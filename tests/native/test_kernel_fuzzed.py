"""Every function of the kernel is fed with what nobody meant: by a target of `tests/fuzz`, and some
of it here.
"""

from __future__ import annotations

import re
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from precall.native import twin
from tests.native.kernels import ABSENT, native

pytestmark = ABSENT
ROOT = Path(__file__).resolve().parents[2]
FUZZ = ROOT / "tests" / "fuzz"
#: By target, the functions that it reaches, directly or what they are made of. Those of `twins` are
#: named there.
REACHED = {
    "text": {"read_run", "read_qrels", "locate"},
    "file": {"read_run", "read_qrels", "columns_from_table"},
    "columns": {"group_run", "group_qrels", "locate"},
    "tables": {"run_from_table", "qrels_from_table", "columns_from_table"},
    "dicts": {"run_from_dict", "qrels_from_dict", "texts_of_lists"},
}


@pytest.fixture
def twins(monkeypatch: pytest.MonkeyPatch) -> Any:
    """The target that gives columns to kernel and twin."""
    monkeypatch.syspath_prepend(str(FUZZ))
    return pytest.importorskip("twins")


def functions(kernel: ModuleType) -> set[str]:
    return {
        name for name in dir(kernel) if not name.startswith("_") and callable(getattr(kernel, name))
    }


def test_every_function_has_a_target_and_a_twin(twins: Any) -> None:
    named = REACHED | {"twins": set(twins.CALLS)}
    assert set().union(*named.values()) == functions(native)
    assert functions(native) <= functions(twin)
    ran = (
        re.findall(r'targets\+?="([^"]*)"', (ROOT / ".ci" / "run").read_text())
        if (ROOT / ".ci").is_dir()
        else [" ".join(named)]
    )
    for target in named:
        assert target in " ".join(ran).split(), f"{target} is not run"
        assert list((FUZZ / "corpus" / target).iterdir()), f"{target} has no corpus"


@pytest.mark.skipif(not (ROOT / ".ci").is_dir(), reason="a copy without what servers run")
def test_every_target_has_an_hour_each_night() -> None:
    ran = " ".join(re.findall(r'targets\+?="([^"]*)"', (ROOT / ".ci" / "run").read_text())).split()
    nights = (ROOT / ".github" / "workflows" / "fuzz.yml").read_text(encoding="utf-8")
    (targets,) = re.findall(r"target: \[(.*)\]", nights)
    assert (
        targets.split(", ")
        == ran
        == [
            path.name
            for path in sorted((FUZZ / "corpus").iterdir(), key=lambda path: ran.index(path.name))
        ]
    )


def test_the_sanitized_tests_call_every_function() -> None:
    texts = "".join(
        path.read_text(encoding="utf-8")
        for path in (ROOT / "tests" / "native").glob("test_kernel_*.py")
        if path != Path(__file__)
    )
    kernels = (ROOT / "tests" / "native" / "kernels.py").read_text(encoding="utf-8")
    assert not [
        name
        for name in functions(native)
        if not re.search(rf'(\.{name}\(|"{name}")', texts + kernels)
    ]


def test_kernel_and_twin_are_one_for_its_corpus(twins: Any) -> None:
    for path in sorted((FUZZ / "corpus" / "twins").iterdir()):
        twins.one_input(path.read_bytes())


def test_a_difference_is_found(twins: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    plain = twin.redraw_sums
    monkeypatch.setattr(twin, "redraw_sums", lambda *given: plain(*given) + 1)
    with pytest.raises(AssertionError, match="kernel and twin are one: redraw_sums"):
        for path in sorted((FUZZ / "corpus" / "twins").glob("redraw_sums*")):
            twins.one_input(path.read_bytes())
