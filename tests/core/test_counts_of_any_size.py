"""Integers that no float holds, and of thousands of digits: OverflowError, a failing message,
categories that became one.

The old tests of great counts went to 10^18, and gave each argument alone a number too great for it.
"""

from __future__ import annotations

import warnings

import numpy as np
import pytest

import precall as pc
from precall.core.notes.of_intervals import UndefinedInterval
from tests.noticed import noticed

HUGE = 10**5000
CURVE = pc.curve([1, 0, 1], [3.0, 2.0, 1.0])
CALLS = {
    "recall": lambda n: pc.interval.recall(n, 3),
    "f": lambda n: pc.interval.f(10, n, 5),
    "proportion": lambda n: pc.interval.proportion(n, n),
    "posterior": lambda n: pc.compare.bayes.recall(n, 3),
    "describe": lambda n: pc.null.describe(n, 3, ap=0.5),
    "ap": lambda n: pc.null.describe(10, 3, ap=n),
    "cutoff": lambda n: pc.null.average_precision(100, 5, cutoff=-n),
    "blocks": lambda n: pc.null.average_precision(100, 5, blocks=[n]),
    "x": lambda n: pc.null.average_precision(10, 3).sf(n),
    "hits": lambda n: pc.Hits.of([1], retrieved=n, relevant=2),
    "relevant": lambda n: pc.Hits.of([1], retrieved=2, relevant=n),
    "missed": lambda n: pc.curve([1, 0], [1, 2], missed=n),
    "score": lambda n: pc.curve([1, 0], [n, 2]),
    "label": lambda n: pc.curve([n, 0], [1, 2]),
    "recall of a point": lambda n: CURVE.at(recall=n),
    "precision": lambda n: CURVE.at(precision=n),
    "threshold": lambda n: CURVE.at(threshold=n),
    "cost": lambda n: CURVE.at(cost={"fp": n, "fn": 1}),
    "best": lambda n: CURVE.at(max=n),
    "level": lambda n: pc.compare.paired([1, 2], [2, 4], level=n),
    "seed": lambda n: pc.compare.paired([1, 2], [2, 4], rng=-n),
    "topic": lambda n: pc.compare.paired([n, 2], [2, 4]),
    "margin": lambda n: pc.compare.equivalence([1, 2], [2, 4], n),
    "difference": lambda n: pc.compare.power.of_t(5, n, 1),
    "threads": lambda n: pc.evaluate({"q": {"a": 1}}, {"q": {"a": 1}}, ["AP"], threads=n),
}


@pytest.mark.parametrize("call", CALLS)
@pytest.mark.parametrize("count", [HUGE, 10**400], ids=["5000 digits", "400 digits"])
def test_no_number_is_too_great_to_be_refused(call: str, count: int) -> None:
    with pytest.raises(pc.PrecallError) as refused:
        CALLS[call](count)
    assert (
        len(str(refused.value)) < 400
        and "int too large" not in str(refused.value).partition("(")[0]
    )


@pytest.mark.parametrize(
    "count", [2**63, 2**64, 2**53 + 1, -1, True, False, 1.5, float("nan"), float("inf")]
)
def test_counts_of_intervals_are_exact_ones(count: object) -> None:
    for call in (pc.interval.recall, pc.interval.precision):
        with pytest.raises(pc.UsageError, match="tp: must be"):
            call(count, 3)


def test_bounds_that_rounding_makes_one_are_called_so() -> None:
    # It said that the variance is 0, which 3 errors do not have.
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", pc.PrecallWarning)
        without = pc.interval.recall(2**52, 3)
        found = pc.interval.recall(10**13, 3, method="clopper-pearson")
    assert without.low is None
    assert [note.reason for note in noticed(without, UndefinedInterval)] == [
        "float64 does not tell its bounds apart"
    ]
    assert 0 < 1 - found.high < 1 - found.low < 1e-12


def test_scores_beyond_float64_are_named_by_their_case() -> None:
    with pytest.raises(pc.UsageError, match=r"401 digits\) for case 1; beyond float64"):
        pc.curve([1, 0], [1, 10**400])


def test_labels_that_cannot_be_written_are_refused() -> None:
    with pytest.raises(pc.UsageError, match="labels: integers of thousands of digits"):
        pc.decisions([HUGE, 0], [HUGE, 0])


def test_great_labels_beside_floats_stay_apart() -> None:
    truth, guess = [2**53 + 1, 2**53], [2**53 + 1, float(2**53)]
    for given in (truth, np.array(truth)):
        assert pc.decisions(given, guess).accuracy() == 1.0
    assert pc.decisions([2.0**53, 1.0], [2**53, 1]).accuracy() == 1.0
