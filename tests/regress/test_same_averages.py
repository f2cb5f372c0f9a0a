"""`eval` and `compare` printed averages of the same values that differed in the last bit.

One summed exactly, the other by NumPy; the old tests compared each with its own expectation, within a tolerance.
"""

from __future__ import annotations

import json

import numpy as np
import pytest

import precall as pc


@pytest.mark.parametrize("seed", range(5))
def test_to_the_last_bit_in_any_order(seed: int) -> None:
    drawn = np.random.default_rng(seed)
    qrels = {f"q{t}": {f"d{i}": int(drawn.random() < 0.4) for i in range(9)} for t in range(37)}
    runs = {name: {t: {f"d{i}": drawn.random() for i in range(9)} for t in qrels} for name in "xyz"}
    report = pc.evaluate(qrels, runs, ["AP", "RR", "nDCG"])
    for names in ("xyz", "xy"):
        found = pc.compare(pc.evaluate(qrels, {name: runs[name] for name in names}, ["AP", "RR", "nDCG"]))
        for measure, means in found.means.items():
            assert means == {name: report.mean[name, measure] for name in names}
        for one in found.pairs:
            assert one.values == tuple(report.mean[name, one.measure] for name in one.names)
    values = {name: run.values[0].tolist() for name, run in zip("xyz", report.runs, strict=True)}
    one = pc.compare.paired(values["x"], values["y"])
    other = pc.compare.paired(values["x"][::-1], values["y"][::-1])
    assert json.dumps(one.to_dict()) == json.dumps(other.to_dict())
