"""What all tests share: profiles of Hypothesis and the place of the data."""

from __future__ import annotations

import builtins
import gc
import os
import signal
import sys
from pathlib import Path
from typing import Any
from zlib import crc32

import numpy as np
import pytest
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
    gc.enable()


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
    for rows in grids.values():
        keep = next(mark for mark in rows[0].own_markers if mark.name == "nightly").kwargs["keep"]
        for row in {i * len(rows) // keep for i in range(keep)}:
            marks = rows[row].own_markers
            marks[:] = [mark for mark in marks if mark.name != "nightly"]
    others = {item for item in items if not _is_of_the_part(item)}
    if others:
        config.hook.pytest_deselected(items=list(others))
        items[:] = [item for item in items if item not in others]


def _is_of_the_part(item: pytest.Item) -> bool:
    is_nightly = item.get_closest_marker("nightly") is not None
    asked = os.environ.get("PRECALL_NIGHTLY_PART" if is_nightly else "PRECALL_PART")
    if not asked or (not is_nightly and "native" in item.path.parts):
        return True
    part, parts = map(int, asked.split("/"))
    name = getattr(item, "originalname", item.name)
    return crc32(f"{item.path.name}::{name}".encode()) % parts == part


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
