"""The interval of an area of a million cases took longer beyond the sort than the sort: the old bench timed the whole only."""

from __future__ import annotations

import numpy as np
import pytest

import precall as pc
from precall.native import kernel
from tests.processor import ratio
from tests.unit.kernels import ABSENT

pytestmark = ABSENT


@pytest.mark.parametrize("share", [0.5, 0.01])
def test_the_sort_takes_most_of_it(share, monkeypatch):
    monkeypatch.setenv("PRECALL_THREADS", "1")
    rng = np.random.default_rng(0)
    relevant = rng.random(10**6) < share
    score = rng.standard_normal(10**6) + relevant

    def whole():
        pc.interval.area_under_roc(relevant, score)

    def sort():
        kernel().path(relevant, score, 1)

    # 1.2 to 1.9 where it is quiet.
    assert ratio(whole, sort, 2.5) < 2.5
