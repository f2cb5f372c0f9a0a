"""What intervals of means do about undefined values is what their means do: all shown bounds are
around their value.
"""

from __future__ import annotations

import json
import warnings

import numpy as np
import pytest

import precall as pc
from precall.cli.main import run


@pytest.fixture
def cases(tmp_path):
    """Five groups, one of which has no case that is not relevant: its area under ROC is
    undefined.
    """
    rng = np.random.default_rng(3)
    rows = ["y,s,g"]
    for group in range(5):
        for i in range(20):
            relevant = group == 4 or i % 2 == 0
            rows.append(f"{int(relevant)},{rng.normal() + relevant:.3f},{group}")
    path = tmp_path / "cases.csv"
    path.write_text("\n".join(rows) + "\n")
    return path


@pytest.mark.parametrize("undefined", ["zero", "omit"])
def test_intervals_of_means_over_groups(cases, undefined, capsys):
    asked = ["--label", "y", "--score", "s", "--group", "g", "--interval", "--undefined", undefined]
    assert run(["curve", str(cases), *asked, "--format", "json"]) == 0
    found = json.loads(capsys.readouterr().out)
    each = [found["groups"][group]["s"]["interval"]["AUC"] for group in "01234"]
    assert each[4] is None and None not in each[:4]
    # By chance an area is .5: what is undefined is left out, whatever is asked for.
    values = each[:4]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", pc.PrecallWarning)
        wanted = pc.interval.mean(values, range=(0, 1))
    mean = found["mean"]["s"]
    shown = [mean["interval"][name] for name in ("AUC", "AUC low", "AUC high")]
    assert shown == pytest.approx([wanted.estimate, wanted.low, wanted.high], rel=1e-12)
    assert mean["measures"]["AUC"] == pytest.approx(wanted.estimate)


@pytest.mark.parametrize("undefined", ["zero", "omit"])
def test_intervals_of_averages_of_a_report(undefined):
    """A topic without relevant items has no AP."""
    qrels = {f"q{i}": {"a": int(i > 1), "b": 0} for i in range(8)}
    scored = {topic: {"a": float(i % 3), "b": 1.5} for i, topic in enumerate(qrels)}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", pc.PrecallWarning)
        report = pc.evaluate(qrels, scored, ["AP"], undefined=undefined, interval=True)
        values = report.runs[0].values[0]
        assert np.isnan(values).sum() == 2
        kept = np.nan_to_num(values) if undefined == "zero" else values[~np.isnan(values)]
        wanted = pc.interval.mean(kept, range=(0, 1))
    bounds = report.bounds("run", "AP")
    assert (bounds.estimate, bounds.low, bounds.high) == (wanted.estimate, wanted.low, wanted.high)
    assert bounds.estimate == pytest.approx(report.mean["AP"])
    assert f"[{wanted.low:.4f}, {wanted.high:.4f}]" in str(report)
