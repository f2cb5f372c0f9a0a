"""The interval of an area of a million cases took longer beyond the sort than the sort: the old
bench timed the whole only.
"""

from __future__ import annotations

import numpy as np
import pytest

import precall as pc
from precall.native import kernel
from tests.native.kernels import ABSENT
from tests.processor import ratio

pytestmark = ABSENT


@pytest.mark.nightly
@pytest.mark.parametrize("share", [0.5, 0.01])
def test_the_sort_takes_most_of_it(share, monkeypatch):
    monkeypatch.setenv("PRECALL_THREADS", "1")
    rng = np.random.default_rng(0)
    relevant = rng.random(10**6) < share
    score = rng.standard_normal(10**6) + relevant

    def whole():
        pc.interval.area_under_roc(relevant, score)

    def sort_and_few_passes():
        # Of both, as neighbours lengthen passes over memory more than the sort: beside that alone
        # it was 1.2 to 2.8.
        kernel().path(relevant, score, 1)
        for _ in range(4):
            np.cumsum(np.diff(score)) * 2.0

    # .7 and 1.4, and 1.8 where processors sort quickly; one more sort by argsort would be 3.
    assert ratio(whole, sort_and_few_passes, 2.2) < 2.2
