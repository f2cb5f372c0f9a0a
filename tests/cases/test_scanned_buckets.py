"""Relevant scores that memory does not hold go to disk in ranges: equal numbers, and nothing is
left on disk.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import warnings
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import precall as pc
from precall import ScoredCases
from precall.cases import scanning

SCORES = st.sampled_from([-np.inf, -2.0, -0.0, 0.0, 0.25, 0.5, 1.0, 1.5, 3.0, np.inf]) | st.floats(
    -3, 3
)
CASES = st.lists(st.tuples(st.booleans(), SCORES, st.integers(0, 5)), min_size=2, max_size=60)


@pytest.fixture(autouse=True, scope="module")
def few() -> Any:
    """Five scores are too many for memory."""
    patch = pytest.MonkeyPatch()
    patch.setattr(scanning, "LEAST", 5)
    yield
    patch.undo()


def numbers(curve: Any) -> list[Any]:
    return [
        curve.threshold.dtype,
        curve.average_precision(),
        curve.area_under_roc(),
        curve.areas().to_dict(),
        curve.eleven_point().tolist(),
        curve.break_even(),
        curve.max_f(),
        curve.at(max="MCC"),
        curve.at(threshold=0.5),
        curve.at(accept=7),
        curve.measured(pc.measure("Rprec"), "expected"),
    ]


@pytest.mark.nightly
@given(CASES, st.sampled_from([np.float64, np.float32]), st.booleans(), st.booleans())
def test_the_numbers_are_those_of_the_whole_data(
    cases: list[Any], dtype: Any, weighted: bool, once: bool
) -> None:
    truth, part = np.array([c[0] for c in cases]), np.array([c[2] for c in cases])
    truth[:2] = [True, False]
    score = np.array([c[1] for c in cases], dtype)
    weights = (1 + np.arange(len(cases)) % 3) if weighted else None
    batches = [
        (
            truth[part == each],
            score[part == each],
            *([] if weights is None else [weights[part == each]]),
        )
        for each in np.unique(part)
    ]
    asked = {"thresholds": [0.5], "accept": [7]}
    in_buckets = ScoredCases.scan(iter(batches) if once else batches, memory=1, **asked).curve()
    in_memory = ScoredCases.scan(batches, **asked, memory=1 << 20).curve()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        whole = pc.curve(truth, score, weights=weights)
        if not weighted:
            assert numbers(in_buckets) == numbers(whole)
        else:
            assert in_buckets.average_precision() == whole.average_precision()
    for column in ("threshold", "tp", "fp"):
        one, other = getattr(in_buckets, column), getattr(in_memory, column)
        assert one.dtype == other.dtype
        assert one.tobytes() == other.tobytes()


def test_groups_scores_and_real_weights(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    rng = np.random.default_rng(2)
    table = {
        "y": rng.random(4000) < 0.3,
        "s": rng.normal(size=4000),
        "t": np.round(rng.normal(size=4000), 1),
        "g": rng.choice(["a", "b"], 4000),
        "w": rng.random(4000),
    }
    batches = [
        {name: column[rows] for name, column in table.items()}
        for rows in np.array_split(np.arange(4000), 7)
    ]
    scanned = ScoredCases.scan(iter(batches), label="y", score=["s", "t"], group="g", memory=1)
    heavy = ScoredCases.scan(batches, label="y", score="s", weight="w", memory=1)
    for group in "ab":
        rows = table["g"] == group
        for name in "st":
            whole = pc.curve(table["y"][rows], table[name][rows])
            made = scanned.curve(name, group)
            assert made.areas().to_dict() == whole.areas().to_dict()
            assert made.break_even() == whole.break_even()
    whole = pc.curve(table["y"], table["s"], weights=table["w"])
    assert heavy.average_precision() == pytest.approx(whole.average_precision(), rel=1e-12)
    assert heavy.curve().break_even() == pytest.approx(whole.break_even(), rel=1e-12)
    assert not list(tmp_path.iterdir())


FULL = """
import resource, signal, sys
import numpy as np
import precall.cases.scanning as scanning
from precall import ScoredCases
scanning.LEAST = 1000
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
resource.setrlimit(resource.RLIMIT_FSIZE, (int(sys.argv[2]),) * 2)
rng = np.random.default_rng(0)
batches = [(rng.random(5000) < 0.5, rng.normal(size=5000)) for _ in range(8)]
try:
    ScoredCases.scan(iter(batches) if sys.argv[1] == "once" else batches, memory=1)
except OSError as error:
    print(error)
"""


@pytest.mark.nightly
@pytest.mark.skipif(os.name != "posix", reason="limits the size of files")
@pytest.mark.parametrize(("how", "size"), [("once", 30_000), ("again", 30_000), ("again", 200_000)])
def test_a_full_disk_is_an_error_and_leaves_nothing(how: str, size: int, tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-c", FULL, how, str(size)],
        capture_output=True,
        text=True,
        check=True,
        env=os.environ | {"TMPDIR": str(tmp_path)},
    )
    assert "spooling cases; set TMPDIR to a folder with room" in done.stdout, done.stdout
    assert str(tmp_path) in done.stdout
    assert not list(tmp_path.iterdir())
