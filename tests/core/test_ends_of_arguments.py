"""Arguments at their ends that were taken in silence, or ended in an error from inside: the tests
had none so far out.
"""

from __future__ import annotations

import math

import numpy as np
import pytest

import precall as pc
from precall.compat.ir_measures import providers
from precall.compat.lingpipe import ScoredPrecisionRecallEvaluation
from precall.core.notes.of_reading import NanScore
from tests.noticed import warned


def test_a_level_without_an_interval():
    """It was looked at only where an interval was asked for."""
    with pytest.raises(pc.UsageError, match="level: must be a number between 0 and 1"):
        pc.evaluate({"q": {"a": 1}}, {"q": {"a": 1.0}}, "AP", level=1)


@pytest.mark.parametrize(
    ("given", "told"),
    [
        ({"lower_is_better": "False"}, "lower_is_better: got 'False', allowed are False, True"),
        ({"judged_only": []}, r"judged_only: got \[\], allowed are False, True"),
        ({"columns": "topic"}, "columns: must be {what it holds: the name of the column}, got str"),
    ],
)
def test_flags_and_columns(given, told):
    """They were taken for true, or looked at only by files."""
    with pytest.raises(pc.UsageError, match=told):
        pc.evaluate({"q": {"a": 1}}, {"q": {"a": 1.0}}, "AP", **given)
    assert (
        pc.evaluate({"q": {"a": 1}}, {"q": {"a": 1.0}}, "AP", judged_only=np.bool_(True))["AP"] == 1
    )


def test_a_text_is_no_flag():
    """Any text was taken for true, "False" too."""
    with pytest.raises(
        pc.UsageError, match="higher_is_better: got 'False', allowed are False, True"
    ):
        pc.curve([1, 0], [0.5, 0.25], higher_is_better="False")


def test_a_negative_weight_of_recall():
    evaluation = ScoredPrecisionRecallEvaluation()
    evaluation.add_case(True, 0.5)
    with pytest.raises(pc.UsageError, match="beta: must be 0, or a number"):
        evaluation.maximum_f_measure(-1)


def test_a_score_that_is_nan_for_lingpipe():
    with warned(NanScore) as told:
        ScoredPrecisionRecallEvaluation().add_case(True, math.nan)
    assert "add_misses" in told[0]


@pytest.mark.parametrize("method", ["t", "percentile", "bca"])
def test_values_whose_squares_are_infinite(method):
    """By "bca" it was a ValueError of SciPy, by "t" a variance of 0."""
    with pytest.raises(
        pc.UsageError, match=r"values: 1e\+308 is beyond 1e\+100; divide all by one number"
    ):
        pc.interval.mean([1.0, 2.0, 1e308, 4.0] * 4, method=method)
    assert pc.interval.mean([-1e99, 1e99, 3e99] * 4).high > 1e99


@pytest.mark.parametrize(
    "weights", [[1e-150, 1e149, 1.0], [1e-150, 1e148, 1e-150], [1e149, 1e-150, 1e149]]
)
def test_gain_of_extreme_weights(weights):
    """The square of the weight of all relevant cases was 0, and divided by."""
    with np.errstate(all="raise", under="ignore"):
        areas = [pc.curve([1, 0, 1], [3.0, 2.0, 1.0], weights=weights).area_under_pr("gain")]
        areas.append(
            pc.curve([1, 0, 1], [3.0, 2.0, 1.0], weights=np.array(weights) * 4.0).area_under_pr(
                "gain"
            )
        )
    assert math.isfinite(areas[0]) and areas[0] == areas[1]


def test_gain_of_a_unit():
    """The unit of weights, a power of 2, is no part of any digit."""
    weights = np.array([0.5, 0.3, 0.25, 0.7, 0.1])
    areas = {
        pc.curve([1, 0, 1, 0, 1], range(5), weights=weights * 2.0**k).area_under_pr("gain")
        for k in range(-9, 9)
    }
    assert len(areas) == 1


def test_a_system_is_found_by_its_name_only():
    """A list was looked up in a dictionary."""
    with pytest.raises(pc.UsageError, match="baseline: must be the name of a system, got list"):
        pc.compare.many({"a": [0.1, 0.2, 0.4], "b": [0.2, 0.1, 0.3]}, baseline=[])


@pytest.mark.parametrize("provider", [3, None, object()])
def test_a_provider_without_a_name(provider):
    with pytest.raises(pc.UsageError, match="provider: must be an object with a NAME"):
        providers.register(provider)
