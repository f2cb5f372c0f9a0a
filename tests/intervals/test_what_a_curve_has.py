"""Measures of a scored list that follow from others, or have no interval: credit's Gini and KS,
and measures of counts.
"""

from __future__ import annotations

import json

import numpy as np
import pytest

import precall as pc
from precall.cases.intervals import blocks_of_curve
from precall.cli.main import run
from precall.measures.registry import find
from precall.stats.intervals import tuned

DRAWN = np.random.default_rng(5)
TRUTH = (DRAWN.random(300) < 0.3).astype(int)
SCORE = DRAWN.normal(size=300) + TRUTH
CURVE = pc.curve(TRUTH, SCORE)
#: Of KS of so few cases: the threshold's optimism is a large part of the width.
rough = pytest.mark.filterwarnings("ignore::precall.PrecallWarning")


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


@rough
def test_ks_is_that_of_a_tuned_threshold_on_new_cases() -> None:
    """It was refused: the threshold is chosen on the same cases."""
    found = pc.interval(CURVE, "KS", rng=1)
    best = CURVE.at(max="YoudenJ")
    assert (found.measure, found.method) == ("KS on new cases", "optimism bootstrap")
    assert found.threshold == best.threshold
    assert found.naive.estimate == pytest.approx(CURVE.value("KS"), abs=1e-12)
    cells = pc.decisions(TRUTH, best.threshold <= SCORE)
    fixed = pc.interval(cells, "YoudenJ")
    assert (found.naive.low, found.naive.high) == (fixed.low, fixed.high)
    assert found.low < found.estimate < found.naive.estimate and found.estimate < found.high
    named = pc.interval(CURVE, "KolmogorovSmirnov", rng=1, level=0.8)
    assert found.low < named.low < named.high < found.high


@rough
def test_optimism_of_ks_is_what_resampled_curves_say() -> None:
    drawn, optimism = np.random.default_rng(2), []
    for _ in range(400):
        rows = drawn.integers(0, len(TRUTH), len(TRUTH))
        here = pc.curve(TRUTH[rows], SCORE[rows]).at(max="YoudenJ")
        there = CURVE.at(threshold=here.threshold)
        optimism.append(here.value - (there.recall + there.specificity - 1))
    found = pc.interval(CURVE, "KS", rng=1, resamples=4000)
    assert found.optimism == pytest.approx(np.mean(optimism), abs=4 * np.std(optimism) / 20)


@rough
def test_ks_of_a_long_list_draws_only_near_its_best_threshold() -> None:
    """Thresholds that are the best one of no sample are joined; what is drawn stays the same."""
    drawn = np.random.default_rng(4)
    truth = drawn.random(20_000) < 0.4
    curve = pc.curve(truth, drawn.normal(size=20_000) + truth)
    blocks = blocks_of_curve(curve)
    near = tuned._near_best(blocks)
    assert len(near.positive) < len(blocks.thin().positive) / 3
    assert (near.relevant, near.other) == (blocks.relevant, blocks.other)
    found = pc.interval(curve, "KS", resamples=200)
    assert found.threshold == curve.at(max="YoudenJ").threshold
    assert found.naive.estimate == pytest.approx(curve.value("KS"), abs=1e-12)


@rough
def test_ks_in_groups_with_weights_and_without_a_class() -> None:
    grouped = pc.interval(CURVE, "KS", groups=np.arange(300) // 5)
    assert "groups" in grouped.assumptions and grouped.low < grouped.high
    heavy = pc.interval(pc.curve(TRUTH, SCORE, weights=1.5 + 0 * SCORE), "KS", resamples=100)
    assert heavy.naive.estimate == pytest.approx(CURVE.value("KS"), abs=1e-12)
    for labels in ([1, 1], [0, 0]):
        with pytest.warns(pc.PrecallWarning):
            none = pc.interval(pc.curve(labels, [0.1, 0.2]), "KS")
        assert none.low is None and none.high is None


@rough
def test_the_command_has_ks(tmp_path, capsys) -> None:
    rows = [f"{y},{s}" for y, s in zip(TRUTH.tolist(), SCORE.tolist(), strict=True)]
    (tmp_path / "cases.csv").write_text("\n".join(["y,s", *rows]) + "\n")
    asked = ["curve", str(tmp_path / "cases.csv"), "--label", "y", "--score", "s", "-m", "KS"]
    assert run([*asked, "--interval", "--format", "json"]) == 0
    intervals = json.loads(capsys.readouterr().out)["scores"]["s"]["interval"]
    assert intervals["KS on new cases low"] == pc.interval(CURVE, "KS").low


@rough
@pytest.mark.parametrize("measure", ["AUC", "KS", "Gini", "EF@10%", ["AP", "BEDROC"]])
def test_a_population_that_is_not_ranked_has_no_interval(measure) -> None:
    """The value was of the population, and the interval of the ranked items: .72 and .5."""
    items = [f"d{place}" for place in range(40)]
    some = pc.ranking(items[::3], items, ["AP"], population=60)
    with pytest.raises(pc.UsageError, match="of 60 items, and an interval is of those"):
        pc.interval(some, measure)
    assert pc.interval(some, "AP").low is not None
    whole = pc.ranking(items[::3], items, ["AP"], population=40)
    assert pc.interval(whole, measure) is not None
