"""Every interval of fewer than 40 topics by "bca" or "percentile" had a note that it covers too
little.

It had it also where it covers more than Student's. The old test asked for the note, and never
whether it was true.
"""

from __future__ import annotations

import warnings

import numpy as np
import pytest

import precall as pc
from precall.core.notes.of_intervals import FewValues
from precall.stats.intervals.mean import FEWEST_DRAWN
from tests.noticed import noticed
from tests.peers import peer

stats = peer("scipy.stats")


def noted(values, method):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", pc.PrecallWarning)
        return bool(noticed(pc.interval.mean(values, method=method, resamples=200), FewValues))


@pytest.mark.parametrize("method", ["bca", "percentile"])
def test_limits(method):
    # In the middle and evenly about it: not skewed, and of the kurtosis of normal values.
    normal = stats.norm.ppf((np.arange(FEWEST_DRAWN[method]) + 0.5) / FEWEST_DRAWN[method])
    assert not noted(normal, method) and noted(normal[1:], method) and not noted(normal[1:], "t")
    # Of two kinds of topics, as easy and hard ones, ten are enough.
    apart = np.array([0.1, 0.15, 0.2, 0.25, 0.3, 0.7, 0.75, 0.8, 0.85, 0.9])
    assert not noted(apart, method) and noted(apart[1:], method)


@pytest.mark.nightly
@pytest.mark.parametrize(("method", "least"), [("bca", 0.925), ("percentile", 0.925)])
def test_what_has_no_note_covers(method, least):
    """Of means of normal values, and of reciprocal ranks of a first hit, by as many topics as have
    no note.
    """
    rng = np.random.default_rng(5)
    normal = [rng.normal(size=FEWEST_DRAWN[method]) for _ in range(600)]
    first = [1 / rng.geometric(0.5, 12) for _ in range(600)]
    for samples, truth in ((normal, 0.0), (first, np.log(2))):
        held = []
        for values in samples:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore", pc.PrecallWarning)
                found = pc.interval.mean(values, method=method, resamples=400)
            if not found.notes:
                held.append(found.low <= truth <= found.high)
        assert len(held) > 300 and np.mean(held) > least - 2 * np.sqrt(0.05 / len(held))
