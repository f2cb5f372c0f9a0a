"""What all tests share: profiles of Hypothesis and the place of the data."""

from __future__ import annotations

import builtins
import gc
import os
import signal
import sys
from contextlib import suppress
from pathlib import Path
from types import FunctionType
from typing import Any
from zlib import crc32

import numpy as np
import pytest
from _pytest.assertion import rewrite
from _pytest.mark import ParameterSet
from hypothesis import HealthCheck, settings

ROOT = Path(__file__).resolve().parent.parent

# No deadline anywhere: machines are shared and noisy, and a slow draw is not a bug.
# Derandomised, so that two runs of one tree have one result; the search for new examples is
# `deep`'s work.
settings.register_profile("dev", deadline=None, max_examples=50, derandomize=True, database=None)
# What was tested once already, built or installed otherwise.
settings.register_profile("again", deadline=None, max_examples=15, derandomize=True, database=None)
settings.register_profile("ci", deadline=None, max_examples=40, derandomize=True, database=None)
settings.register_profile(
    "deep", deadline=None, max_examples=5_000, suppress_health_check=[HealthCheck.too_slow]
)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "ci" if os.environ.get("CI") else "dev"))

# A script's background jobs ignore interrupts, and so would every process that the tests start and
# interrupt.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)

# Nothing that collecting makes is thrown away: looking for it again and again takes a fifth of it.
gc.disable()


def pytest_collection_finish() -> None:
    # Nor is it frozen: Hypothesis asks who refers to a generator, and the frozen do not count.
    gc.enable()


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    """With `-m nightly` files without a nightly test are not even imported."""
    if config.option.markexpr == "nightly" and collection_path.suffix == ".py":
        return b"mark.nightly" not in collection_path.read_bytes() or None
    return None


def _is_nightly_asked(config: pytest.Config) -> bool | None:
    """Whether nightly tests alone are asked for, or the others alone; None if neither."""
    return {"nightly": True, "not nightly": False}.get(config.option.markexpr)


#: Functions from whose rows those that are not asked for were left out.
_THINNED: set[tuple[object, str]] = set()


@pytest.hookimpl(trylast=True)
def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """No tests are made of rows that are not asked for: they were a third of all tests."""
    asked, function = _is_nightly_asked(metafunc.config), metafunc.definition
    # Of inside pytest: one call for each test. Without it tests are made, and deselected.
    calls = getattr(metafunc, "_calls", [])
    if asked is None or any(mark.name == "nightly" for mark in function.parent.iter_markers()):
        return
    nightly = [mark for mark in function.own_markers if mark.name == "nightly"]
    # Without `keep` all rows of a nightly function are nightly.
    keep = nightly[0].kwargs.get("keep", 0) if nightly else len(calls)
    kept = _evenly_spaced(len(calls), keep)
    wanted = [
        call
        for number, call in enumerate(calls)
        if (number not in kept or any(mark.name == "nightly" for mark in call.marks)) is asked
    ]
    # From a function without any call, pytest makes a test without parameters.
    if wanted and len(wanted) < len(calls):
        calls[:] = wanted
        _THINNED.add((function.parent, function.name))


def _evenly_spaced(rows: int, keep: int) -> set[int]:
    """The rows of a grid that `nightly(keep=N)` keeps."""
    return {number * rows // keep for number in range(keep)}


@pytest.hookimpl(tryfirst=True)
def pytest_pycollect_makeitem(
    collector: pytest.Module | pytest.Class, name: str, obj: object
) -> list[pytest.Item] | None:
    """Of functions of which no test is asked for none are made: they would be thousands, in each
    worker.
    """
    asked = _is_nightly_asked(collector.config)
    if asked is None or not isinstance(obj, FunctionType) or not name.startswith("test"):
        return None
    marks = [*getattr(obj, "pytestmark", ()), *collector.iter_markers()]
    nightly = [mark for mark in marks if mark.name == "nightly"]
    both = any(mark.kwargs for mark in nightly) or any(
        isinstance(row, ParameterSet) and row.marks
        for mark in marks
        if mark.name == "parametrize" and isinstance(mark.args[1], list | tuple)
        for row in mark.args[1]
    )
    if (not both and bool(nightly) is not asked) or not _is_of_the_part(collector, name, asked):
        return []
    return None


@pytest.hookimpl(tryfirst=True)
def pytest_collection(session: pytest.Session) -> None:
    """In a fresh clone each worker compiles its share of the tests, and finds the others compiled:
    with what pytest makes of every `assert` that is most of a start.
    """
    worker = getattr(session.config, "workerinput", None)
    if worker is None or sys.dont_write_bytecode:
        return
    number, workers = int(worker["workerid"].removeprefix("gw")), worker["workercount"]
    asked = [Path(session.config.invocation_params.dir, arg) for arg in session.config.args]
    folders = [path for path in asked if path.is_dir()]
    files = sorted(file for folder in folders for file in folder.rglob("test_*.py"))
    # Of inside pytest: where that is other, or nothing can be written, each compiles all.
    with suppress(AttributeError, KeyError, OSError, TypeError, ValueError):
        state = session.config.stash[rewrite.assertstate_key]
        for file in files[number::workers]:
            compiled = rewrite.get_cache_dir(file) / (file.stem + rewrite.PYC_TAIL)
            if not compiled.exists() and not pytest_ignore_collect(file, session.config):
                compiled.parent.mkdir(parents=True, exist_ok=True)
                source, code = rewrite._rewrite_test(file, session.config)
                rewrite._write_pyc(state, code, source, compiled)


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Rows that `nightly(keep=N)` keeps lose the marker: N of a grid, evenly spaced.

    PRECALL_NIGHTLY_PART, 0/6 to 5/6, takes a part of the nightly tests, by the names of files and
    tests. PRECALL_PART takes one of the others, but all of tests/native: what another kernel or
    another Python changes is tested there.
    """
    grids: dict[tuple[object, str], list[pytest.Item]] = {}
    for item in items:
        if any(mark.name == "nightly" and mark.kwargs for mark in item.own_markers):
            grids.setdefault((item.parent, item.originalname), []).append(item)
    is_nightly_asked = _is_nightly_asked(config)
    for function, rows in grids.items():
        keep = next(mark for mark in rows[0].own_markers if mark.name == "nightly").kwargs["keep"]
        kept = _evenly_spaced(len(rows), keep)
        if function in _THINNED:
            kept = set() if is_nightly_asked else {*range(len(rows))}
        for row in kept:
            marks = rows[row].own_markers
            marks[:] = [mark for mark in marks if mark.name != "nightly"]
    others = {
        item
        for item in items
        if not _is_of_the_part(
            item,
            getattr(item, "originalname", item.name),
            item.get_closest_marker("nightly") is not None,
        )
    }
    if others:
        config.hook.pytest_deselected(items=list(others))
        items[:] = [item for item in items if item not in others]


def _is_of_the_part(node: pytest.Item | pytest.Collector, name: str, is_nightly: bool) -> bool:
    asked = os.environ.get("PRECALL_NIGHTLY_PART" if is_nightly else "PRECALL_PART")
    if not asked or (not is_nightly and "native" in node.path.parts):
        return True
    part, parts = map(int, asked.split("/"))
    return crc32(f"{node.path.name}::{name}".encode()) % parts == part


_plain_sum = builtins.sum


def _sum_of_no_floats(values: Any, /, start: Any = 0) -> Any:
    """Builtin sum of floats is compensated from Python 3.12 on, so precall must not print one: fsum
    is the same everywhere.
    """
    if sys._getframe(1).f_globals.get("__name__", "").startswith("precall"):
        values = list(values)
        assert not any(isinstance(one, float) for one in [start, *values]), (
            "builtin sum of floats: use math.fsum"
        )
    return _plain_sum(values, start)


builtins.sum = _sum_of_no_floats


#: Generators of modules, and how each was before its module's first test.
_FRESH: dict[int, dict[str, Any]] = {}


@pytest.fixture(autouse=True)
def _draws_of_its_own(request: pytest.FixtureRequest) -> None:
    """A generator that a module's tests share begins anew for each: what a test draws does not hang
    on which ran before.
    """
    for value in vars(getattr(request, "module", None) or object).values():
        if isinstance(value, np.random.Generator):
            generator = value.bit_generator
            generator.state = _FRESH.setdefault(id(generator), generator.state)


@pytest.fixture(scope="session")
def facts() -> Path:
    """What is known of data that others made, and the data: tests/data, in every clone."""
    return ROOT / "tests" / "data"


@pytest.fixture
def any_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    """`--memory` takes less than the program does, so that small inputs are read in parts."""
    from precall.cli import options

    monkeypatch.setattr(options, "LEAST_MEMORY", 1)
