"""Measures of a scored list that follow from others, or have no interval: credit's Gini and KS,
and measures of counts.
"""

from __future__ import annotations

import json

import numpy as np
import pytest

import precall as pc
from precall.cli.main import run
from precall.measures.registry import find

DRAWN = np.random.default_rng(5)
TRUTH = (DRAWN.random(300) < 0.3).astype(int)
SCORE = DRAWN.normal(size=300) + TRUTH
CURVE = pc.curve(TRUTH, SCORE)


@pytest.mark.parametrize("options", [{}, {"method": "delong", "level": 0.9}])
def test_ginis_interval_is_that_of_the_area(options) -> None:
    """It was refused, and the command left it out without a word."""
    area, gini = (pc.interval(CURVE, name, **options) for name in ("AUC", "Gini"))
    expected = [2 * value - 1 for value in (area.estimate, area.low, area.high)]
    assert [gini.estimate, gini.low, gini.high] == expected
    assert (gini.measure, gini.method, gini.level) == ("Gini", area.method, area.level)
    assert gini.standard_error == pytest.approx(2 * area.standard_error)
    assert gini.estimate == pytest.approx(CURVE.measured(find("Gini")))


def test_gini_in_groups_and_without_a_class() -> None:
    member = np.arange(300) // 5
    area, gini = (pc.interval(CURVE, name, groups=member) for name in ("AUC", "AccuracyRatio"))
    assert (gini.low, gini.high) == (2 * area.low - 1, 2 * area.high - 1)
    with pytest.warns(pc.PrecallWarning):
        none = pc.interval(pc.curve([1, 1], [0.1, 0.2]), "Gini")
    assert none.low is None and none.high is None


def test_the_command_has_it(tmp_path, capsys) -> None:
    rows = [f"{y},{s}" for y, s in zip(TRUTH.tolist(), SCORE.tolist(), strict=True)]
    (tmp_path / "cases.csv").write_text("\n".join(["y,s", *rows]) + "\n")
    asked = ["curve", str(tmp_path / "cases.csv"), "--label", "y", "--score", "s", "-m", "Gini"]
    assert run([*asked, "--interval", "--format", "json"]) == 0
    intervals = json.loads(capsys.readouterr().out)["scores"]["s"]["interval"]
    assert intervals["Gini low"] == pc.interval(CURVE, "Gini").low


@pytest.mark.parametrize("measure", ["DOR", "YoudenJ", "MCC"])
def test_measures_of_counts_need_decisions(measure) -> None:
    with pytest.raises(pc.UsageError, match=rf"pc.decisions\(...\), '{measure}'"):
        pc.interval(CURVE, measure)


def test_ks_is_that_of_a_tuned_threshold() -> None:
    with pytest.raises(pc.UsageError, match="best for these cases"):
        pc.interval(CURVE, "KS")
