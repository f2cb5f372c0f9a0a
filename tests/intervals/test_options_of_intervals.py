"""`pc.interval(curve, resamples=...)` ended in a TypeError of an inner function, and so did any
option that one measure lacks.

The old tests gave options with one measure only, which knew them; and methods without a measure to
curves only.
"""

from __future__ import annotations

import numpy as np
import pytest

import precall as pc

LABELS = np.array([1] * 60 + [0] * 200)
SCORES = np.random.default_rng(0).normal(size=260) + LABELS
GIVEN = {
    "curve": pc.curve(LABELS, SCORES),
    "decisions": pc.decisions(LABELS, (SCORES > 0.5).astype(int)),
    "report": pc.evaluate(
        {f"q{i}": {"a": 1} for i in range(30)},
        {f"q{i}": {"a": i, "b": 9} for i in range(30)},
        ["RR"],
    ),
    "values": np.linspace(0.2, 0.8, 30),
}


def test_each_measure_has_the_options_that_it_knows():
    found = pc.interval(GIVEN["curve"], resamples=150, beta=2)
    assert found["max F on new cases"].resamples == 150
    assert found["max F on new cases"] == pc.interval(
        GIVEN["curve"], "max-F", resamples=150, beta=2
    )
    assert found["AUC"] == pc.interval(GIVEN["curve"], "AUC")


@pytest.mark.parametrize("given", GIVEN.values(), ids=GIVEN)
def test_an_option_that_nothing_knows_is_a_usage_error(given):
    with pytest.raises(
        pc.UsageError, match="draws: got 9, but it is no option here; allowed are .*level, method"
    ):
        pc.interval(given, draws=9)


def test_an_option_of_another_measure_is_a_usage_error():
    with pytest.raises(
        pc.UsageError,
        match="resamples: got 150, but it is no option here; allowed are groups, level, method",
    ):
        pc.interval(GIVEN["curve"], "AUC", resamples=150)


def test_measures_of_decisions_that_do_not_know_a_method_keep_their_default():
    found = pc.interval(GIVEN["decisions"], method="delta")
    assert (found["f"].method, found["recall"].method) == ("delta", "wilson")
    with pytest.raises(
        pc.UsageError,
        match="precision, recall, accuracy: wilson, .*; f: posterior, delta, monte-carlo",
    ):
        pc.interval(GIVEN["decisions"], method="draws")


@pytest.mark.parametrize("measure", [None, "AUC", "AUC(max_fpr=.5)"])
def test_the_options_that_are_allowed_are_all_listed(measure):
    """Those that `pc.interval` itself takes for a curve or a status were left out."""
    scores = np.column_stack([SCORES, -SCORES])
    for given, own in (
        (GIVEN["curve"], {"groups"}),
        (pc.categorize(LABELS, scores, [0, 1]), {"groups", "average"}),
    ):
        with pytest.raises(pc.UsageError, match="^foo:") as error:
            pc.interval(given, measure, foo=1)
        allowed = str(error.value).rpartition("allowed are ")[2].split(", ")
        assert own | {"level", "method", "rng"} <= set(allowed)
        assert "measure" not in allowed


def test_values_by_topic_are_told_how_to_be_given():
    values = {f"q{i}": i / 20 for i in range(20)}
    for call in (pc.interval, pc.interval.mean, lambda given: pc.interval(given, "AP")):
        with pytest.raises(pc.UsageError, match=r"^values: .*list\(d\.values\(\)\)"):
            call(values)
    assert pc.interval(list(values.values())).estimate == pytest.approx(0.475)
    with pytest.raises(pc.UsageError, match=r"^matrix: .*list\(d\.values\(\)\)"):
        pc.interval.two_way({"q1": [0.1, 0.2], "q2": [0.3, 0.4]})
    for other in ({}, {"q1": {"d1": 1}}):
        with pytest.raises(pc.UsageError, match="^interval: got dict"):
            pc.interval(other)
