"""Results of `max_f` and `precision_at_threshold` had the number of a row, and nobody could tell
which score that was.

Old tests looked the row up in sorted scores, as only they knew how it was counted: with ties that
was another one.
"""

from __future__ import annotations

import json
import re
from typing import Any

import numpy as np
import pytest

import precall as pc

RNG = np.random.default_rng(3)
Y = RNG.random(400) < 0.3
SCORE = np.round(RNG.normal(size=400) + 1.2 * Y, 1)
GROUP, WEIGHT = RNG.integers(0, 60, 400), RNG.integers(1, 4, 400)
OPTIONS: list[dict[str, Any]] = [
    {},
    {"groups": GROUP},
    {"weights": WEIGHT},
    {"weights": WEIGHT + 0.5},
    {"missed": 5},
]

pytestmark = pytest.mark.filterwarnings("ignore::precall.PrecallWarning")


def counted(threshold: float, weight: Any = 1, good: int = 1) -> tuple[float, float]:
    """F1 and precision of what scores as well, counted out."""
    accepted = good * SCORE >= good * threshold
    hits, all_accepted = (np.sum(weight * part) for part in (accepted & Y, accepted))
    return 2 * hits / (all_accepted + np.sum(weight * Y)), hits / all_accepted


@pytest.mark.parametrize("options", OPTIONS, ids=lambda given: ", ".join(given))
def test_the_score_that_was_chosen(options):
    found = pc.interval.max_f(Y, SCORE, resamples=100, **options)
    weight = options.get("weights", 1)
    if not options.get("missed"):
        assert counted(found.threshold, weight)[0] == pytest.approx(found.naive.estimate)
        best = max(counted(threshold, weight)[0] for threshold in SCORE)
        assert found.naive.estimate == pytest.approx(best)
    for rule in ({"recall": 0.6}, {"precision": 0.5}, {"beta": 2}):
        found = pc.interval.precision_at_threshold(Y, SCORE, resamples=100, **rule, **options)
        assert counted(found.threshold, weight)[1] == pytest.approx(found.naive.estimate)


@pytest.mark.parametrize("kind", [float, int])
def test_low_scores_are_shown_as_given(kind):
    score = (10 * SCORE).astype(int) if kind is int else SCORE
    high = pc.interval.max_f(Y, score, resamples=100)
    low = pc.interval.max_f(Y, -score, resamples=100, higher_is_better=False)
    assert low.threshold == -high.threshold
    assert (low.estimate, low.low, low.high) == (high.estimate, high.low, high.high)
    fixed = pc.interval.precision_at_threshold(Y, -score, -2, higher_is_better=False)
    assert fixed.threshold == -2 and fixed.naive is None and fixed.row == -1


def test_curves_and_categories_have_it_too():
    curve = pc.curve(Y, SCORE)
    direct = pc.interval.max_f(Y, SCORE)
    assert (
        pc.interval(curve, "max F on new cases").threshold
        == direct.threshold
        == curve.max_f().threshold
    )
    status = pc.categorize(np.where(Y, "a", "b"), np.column_stack((SCORE, -SCORE)))
    each = pc.interval(status, "max F on new cases", resamples=100)
    assert each["a"].threshold == direct.threshold and each["b"].threshold == pytest.approx(
        pc.curve(~Y, -SCORE).max_f().threshold
    )


def test_it_is_printed_and_exported():
    found = pc.interval.max_f(Y, SCORE, rng=1)
    shown = f"{found.threshold:g}"
    assert (
        str(found)
        .partition("\n")[0]
        .endswith(f"optimism bootstrap, 1,000 resamples, seed 1, threshold {shown}")
    )
    assert found.to_dict()["threshold"] == found.threshold
    told = json.loads(found.to_json())["intervals"][0]
    assert told["threshold"] == found.threshold and told["resamples"] == 1000
    several = pc.interval(pc.curve(Y, SCORE))
    assert list(several.table["resamples"]) == [0, 0, 1000, *[0] * 5]
    assert (
        np.isnan(several.table["threshold"][:2]).all()
        and several.table["threshold"][2] == found.threshold
    )
    block = several.sheet().blocks[-1]
    assert block.heading[-2:] == ("resamples", "threshold")
    assert [line.values for line in block.lines] == [(1000, found.threshold)]
    assert "resamples" in str(several) and shown in str(several.sheet(all=True))
    # A fixed one is in the name already.
    assert (
        str(pc.interval.precision_at_threshold(Y, SCORE, 0.5))
        .partition("\n")[0]
        .endswith("95 % wilson")
    )


def test_pages_commands_and_rankings_have_it(tmp_path):
    found = pc.interval.max_f(Y, SCORE)
    page = pc.report(pc.curve(Y, SCORE), tmp_path / "page.html").read_text(encoding="utf-8")
    told = re.search(r'"max F on new cases": ?({[^}]*})', page)
    assert told is not None
    fields = json.loads(told[1])
    assert fields["threshold"] == found.threshold and fields["resamples"] == 1000
    items = [f"i{i}" for i in range(60)]
    sheet = pc.ranking(items[::3], items, interval=True).sheet()
    assert sheet.body["intervals"]["max F on new cases"].keys() >= {"threshold", "resamples"}
    heading = next(block.heading for block in sheet.blocks if block.heading[0] == "interval")
    assert heading == ("interval", "value", "low", "high", "resamples", "first")


def test_none_where_there_is_none():
    nothing = pc.interval.max_f([0] * 9, range(9))
    unreached = pc.interval.precision_at_threshold([0, 1] * 9, range(18, 0, -1), precision=0.9)
    assert (nothing.threshold, unreached.threshold) == (None, None) and unreached.low is None
