"""What all tests share: profiles of Hypothesis and the place of the shared data."""

from __future__ import annotations

import os
import signal
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

ROOT = Path(__file__).resolve().parent.parent

# No deadline anywhere: machines are shared and noisy, and a slow draw is not a bug.
# Derandomised, so that two runs of one tree have one result; the search for new examples is `deep`'s work.
settings.register_profile("dev", deadline=None, max_examples=50, derandomize=True, database=None)
# What was tested once already, built or installed otherwise.
settings.register_profile("again", deadline=None, max_examples=25, derandomize=True, database=None)
settings.register_profile("ci", deadline=None, max_examples=60, derandomize=True, database=None)
settings.register_profile(
    "deep", deadline=None, max_examples=5_000, suppress_health_check=[HealthCheck.too_slow]
)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "ci" if os.environ.get("CI") else "dev"))

# A script's background jobs ignore interrupts, and so would every process that the tests start and interrupt.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)


@pytest.fixture(scope="session")
def shared() -> Path:
    """The folder of data too large to commit, beside the checkout; without it a test is skipped, loudly."""
    path = Path(os.environ.get("PRECALL_SHARED") or ROOT.parent / "shared")
    if not path.is_dir():
        pytest.skip(f"shared data not found at {path}; set PRECALL_SHARED to where they are")
    return path
