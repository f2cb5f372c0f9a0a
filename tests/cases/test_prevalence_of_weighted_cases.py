"""Systems that score the same weighted cases agree in their prevalence, and pictures of several
show it.

Weights are summed in the order of the scores, so that the shares of two systems may differ in the
last digit; the lines of prevalence and of perfect scores were left out then, of a third of random
inputs. The old tests had cases without weights.
"""

from __future__ import annotations

import numpy as np
import pytest

from precall import UsageError, curve
from precall.plot import CumulativeGain, Lift, PairDifferences, PrecisionRecall

WEIGHTS = [0.1, 0.2, 0.3, 0.7, 2.5, 0.1, 0.2, 0.3]
LABELS = [1, 1, 1, 1, 1, 0, 0, 0]


@pytest.mark.parametrize(
    ("display", "words"),
    [(PrecisionRecall, "prevalence"), (CumulativeGain, "perfect"), (Lift, "perfect")],
)
def test_the_order_of_the_scores_does_not_matter(display: type, words: str) -> None:
    rng = np.random.default_rng(1)
    curves = {str(i): curve(LABELS, rng.random(8), weights=WEIGHTS) for i in range(6)}
    shares = {c.relevant / (c.relevant + c.other) for c in curves.values()}
    assert len(shares) > 1
    told = [text.get_text() for text in display.from_curves(curves).plot().legend_.get_texts()]
    assert any(text.startswith(words) for text in told)


def test_a_share_that_differs_is_still_left_out() -> None:
    curves = {
        "a": curve([1, 0], [2, 1], weights=[1, 1]),
        "b": curve([1, 0], [2, 1], weights=[1, 1 + 1e-9]),
    }
    told = [
        text.get_text() for text in PrecisionRecall.from_curves(curves).plot().legend_.get_texts()
    ]
    assert not any(text.startswith("prevalence") for text in told)


def test_what_holds_pairs_is_no_list_of_them() -> None:
    with pytest.raises(
        UsageError, match=r"pairs: must be comparisons, as pc.compare\(...\).pairs, got object"
    ):
        PairDifferences.from_pairs(object())
