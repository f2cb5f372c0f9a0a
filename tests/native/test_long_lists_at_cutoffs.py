"""AP at short cutoffs of long lists mostly relevant: each answer made a list for every relevant
item, 3 to 4 s of 9 million.

Old tests timed the first answer only, which is slow for better reasons, and of lists with few
relevant items.
"""

from __future__ import annotations

import pytest

import precall as pc
from tests.processor import timed


def test_the_next_answers_are_quick():
    law = pc.null.average_precision(10**7, 9 * 10**6, 300)
    mean = law.mean
    # With a list for every relevant item, too.
    assert law.sf(mean) == pytest.approx(0.5096367354023494, rel=1e-12)
    answers, taken = timed(lambda: [law.sf(1.01 * mean), law.cdf(law.ppf(0.5))])
    assert answers[0] == pytest.approx(0.4157328863156239, rel=1e-12)
    assert answers[1] == pytest.approx(0.5, abs=1e-3)
    assert taken < 0.5
