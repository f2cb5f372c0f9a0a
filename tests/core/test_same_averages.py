"""`eval` and `compare` printed averages of the same values that differed in the last bit.

One summed exactly, the other by NumPy; the old tests compared each with its own expectation, within
a tolerance. Of geometric means `compare` printed the logarithms: the old tests turned them back
before they looked.
"""

from __future__ import annotations

import json
import math
from typing import Any

import numpy as np
import pytest

import precall as pc
from precall.core.notes.of_comparisons import OfLogarithms
from precall.core.ragged import mean
from precall.results.forms import names
from tests.noticed import shown


@pytest.mark.nightly
@pytest.mark.parametrize("seed", range(5))
def test_to_the_last_bit_in_any_order(seed: int) -> None:
    drawn = np.random.default_rng(seed)
    qrels = {f"q{t}": {f"d{i}": int(drawn.random() < 0.4) for i in range(9)} for t in range(37)}
    runs = {name: {t: {f"d{i}": drawn.random() for i in range(9)} for t in qrels} for name in "xyz"}
    report = pc.evaluate(qrels, runs, ["AP", "RR", "nDCG"])
    for chosen in ("xyz", "xy"):
        found = pc.compare(
            pc.evaluate(qrels, {name: runs[name] for name in chosen}, ["AP", "RR", "nDCG"])
        )
        for measure, means in found.means.items():
            assert means == {name: report.mean[name, measure] for name in chosen}
        for one in found.pairs:
            assert one.values == tuple(report.mean[name, one.measure] for name in one.names)
    values = {name: run.values[0].tolist() for name, run in zip("xyz", report.runs, strict=True)}
    one = pc.compare.paired(values["x"], values["y"])
    other = pc.compare.paired(values["x"][::-1], values["y"][::-1])
    assert json.dumps(one.to_dict()) == json.dumps(other.to_dict())


@pytest.mark.parametrize("form", names("precall.compare/2"))
def test_geometric_means_are_printed_as_they_are_evaluated(form: str) -> None:
    drawn = np.random.default_rng(1)
    qrels = {f"q{t}": {f"d{i}": int(drawn.random() < 0.4) for i in range(9)} for t in range(20)}
    runs = {name: {t: {f"d{i}": drawn.random() for i in range(9)} for t in qrels} for name in "xyz"}
    report = pc.evaluate(qrels, runs, ["GMAP", "AP"])
    compared = pc.compare(report)
    for measure, means in compared.means.items():
        assert means == {name: report.mean[name, measure] for name in "xyz"}
        assert set(compared.letters[measure]) == set("xyz") and compared.anova[measure].residual > 0
    assert [pair.measure for pair in compared.pairs] == ["log GMAP"] * 3 + ["AP"] * 3
    logs = {run.name: np.log(np.maximum(run.values[0], 1e-5)) for run in report.runs}
    first = compared.families["GMAP"][0]
    assert first.difference == pytest.approx(np.mean(logs[first.names[0]] - logs[first.names[1]]))
    text = str(compared.sheet()) if form == "table" else getattr(compared.sheet(), f"to_{form}")()
    assert shown(text, OfLogarithms("", "GMAP"))
    if form not in ("csv", "json"):
        assert all(f"{report.mean[name, 'GMAP']:.4f}" in text for name in "xyz")
        assert all(f"{logs[name].mean():.4f}" not in text for name in "xyz")


def test_pages_and_pictures_of_geometric_means(tmp_path: Any) -> None:
    drawn = np.random.default_rng(2)
    qrels = {f"q{t}": {f"d{i}": int(drawn.random() < 0.4) for i in range(9)} for t in range(20)}
    runs = {name: {t: {f"d{i}": drawn.random() for i in range(9)} for t in qrels} for name in "xyz"}
    report = pc.evaluate(qrels, runs, "GMAP")
    page = pc.report(report, tmp_path / "page.html").read_text(encoding="utf-8")
    assert "log GMAP" in page and f"{report.mean['x', 'GMAP']:.4f}" in page
    assert "log GMAP" in pc.compare(report).sheet().verdict


@pytest.mark.parametrize("count", [1_024, 5_000, 100_000])
def test_means_of_many_shares_are_rounded_once(count: int) -> None:
    rng = np.random.default_rng(count)
    shares = rng.random(count)
    kinds = {
        "shares": shares,
        "with small ones": shares**9,
        "tiny": shares * 1e-40,
        "fractions": 1 / rng.integers(1, 1_000, count),
        "zeros and ones": (shares < 0.3).astype(float),
        "equal": np.full(count, 0.51875),
        "beyond": shares * 3 - 1,
    }
    for name, values in kinds.items():
        expected = 0.51875 if name == "equal" else math.fsum(values) / count
        assert mean(values) == expected, name
