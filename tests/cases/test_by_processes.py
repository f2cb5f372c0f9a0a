"""Cases that other engines count: what `docs/how-to/spark.md` says of them, as it stands there, and
parts that were sent.
"""

from __future__ import annotations

import pickle
import re
import subprocess
import sys
from functools import reduce
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import precall as pc
from precall.cases.between_scores import Gaps, RelevantScores
from tests.conftest import ROOT


def cases() -> tuple[Any, Any]:
    """Labels and scores, some tied."""
    rng = np.random.default_rng(4)
    truth = rng.random(3000) < 0.2
    return truth, (rng.normal(size=3000) + truth).round(2)


@pytest.mark.nightly
def test_the_pool_of_the_documents(tmp_path: Path) -> None:
    pytest.importorskip("pyarrow")
    polars = pytest.importorskip("polars")
    text = (ROOT / "docs/how-to/spark.md").read_text(encoding="utf-8")
    (program,) = re.findall(r"^```py\n(import sys\n.*?)^```$", text, re.MULTILINE | re.DOTALL)
    (tmp_path / "program.py").write_text(program, encoding="utf-8")
    truth, score = cases()
    for part in range(5):
        own = np.arange(3000) % 5 == part
        polars.DataFrame({"label": truth[own], "score": score[own]}).write_parquet(
            tmp_path / f"{part}.parquet"
        )
    command = [sys.executable, tmp_path / "program.py", tmp_path]
    done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=600)
    whole = pc.curve(truth, score)
    assert done.stdout.split() == [repr(whole.average_precision()), repr(whole.area_under_roc())], (
        done.stderr
    )


def sent(part: Any) -> Any:
    """As Ray sends it: arrays are views of what must not be written to."""
    buffers: list[pickle.PickleBuffer] = []
    data = pickle.dumps(part, 5, buffer_callback=buffers.append)
    return pickle.loads(data, buffers=[memoryview(bytes(buffer.raw())) for buffer in buffers])


def merged(one: Any, other: Any) -> Any:
    """Both in the first."""
    one.merge(other)
    return one


def test_parts_that_only_can_be_read_are_merged() -> None:
    truth, score = cases()
    parts = [(truth[begin::3], score[begin::3]) for begin in range(3)]
    several = []
    for part in parts:
        several.append(pc.ScoredCases())
        several[-1].add(*part)
    whole = pc.curve(truth, score)
    made = reduce(merged, map(sent, several)).curve()
    assert made.fp.tobytes() == whole.fp.tobytes() and made.tp.tobytes() == whole.tp.tobytes()

    relevant = [RelevantScores() for _ in parts]
    for known, part in zip(relevant, parts, strict=True):
        known.add(*part)
    edges = reduce(merged, map(sent, relevant))
    gaps = [sent(Gaps.of(edges)) for _ in parts]
    for gap, part in zip(gaps, parts, strict=True):
        gap.equal, gap.between, gap.least = gap.equal.copy(), gap.between.copy(), gap.least.copy()
        gap.add(*part)
    assert reduce(merged, map(sent, gaps)).curve().average_precision() == whole.average_precision()
