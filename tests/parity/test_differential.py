"""A few hundred random collections through trec_eval itself, where it is installed."""

from __future__ import annotations

import os

import pytest

from tests.parity.differential import run
from tests.parity.recording import BINARIES


def test_random_collections() -> None:
    missing = [variable for variable in BINARIES.values() if variable not in os.environ]
    if missing:
        pytest.skip(f"trec_eval is not at hand: set {' and '.join(missing)} to its binaries")
    assert set(run(300, 0)) <= {"same", "crash", "undefined"}
