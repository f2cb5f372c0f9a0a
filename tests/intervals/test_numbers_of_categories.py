"""Numbers of the ranking of each category have the intervals of a curve.

A status had those of AP, AUC and the greatest F only: "allowed are AP, AUC, max F on new cases".
"""

from __future__ import annotations

import numpy as np
import pytest

import precall as pc
from tests.peers import peer

RNG = np.random.default_rng(1)
TRUTH = RNG.integers(0, 3, 200)
SCORES = RNG.normal(size=(200, 3)).round(1) + np.eye(3)[TRUTH]
MEASURES = ["BEP", "BEP(method=linear)", "Rprec", "IAP", "P@10", "R@20", "AP@30", "EF@10%"]
MEASURES += ["BEDROC", "PAtRecall(recall=0.5)", "KAtRecall(recall=0.5)", "AUPRG", "RR", "Gini"]


@pytest.mark.filterwarnings("ignore::precall.core.errors.PrecallWarning")
@pytest.mark.parametrize("measure", MEASURES)
@pytest.mark.parametrize("groups", [None, np.arange(200) // 4])
def test_each_is_that_of_a_curve(measure, groups):
    status = pc.categorize(TRUTH.tolist(), SCORES, categories=[0, 1, 2])
    options = {} if groups is None else {"groups": groups}
    found = pc.interval(status, measure, **options)
    values = status.by_category(measure).values
    for place, (name, interval) in enumerate(found.items()):
        curve = pc.curve(place == TRUTH, SCORES[:, place])
        alone = pc.interval(curve, measure, **options)
        assert (name, interval.ends) == (str(place), alone.ends)
        assert interval.estimate == pytest.approx(values[place], abs=1e-12)


@pytest.mark.filterwarnings("ignore::precall.core.errors.PrecallWarning")
def test_relevant_pairs_without_a_score_are_missed():
    sparse = peer("scipy.sparse")
    kept = RNG.random(SCORES.shape) < 0.8
    status = pc.categorize(TRUTH.tolist(), sparse.csr_array(np.where(kept, SCORES + 9, 0.0)))
    for place, interval in enumerate(pc.interval(status, "BEP").values()):
        scored, relevant = kept[:, place], place == TRUTH
        missed = int(np.count_nonzero(relevant & ~scored))
        curve = pc.curve(relevant[scored], SCORES[scored, place] + 9, missed=missed)
        assert interval.ends == pc.interval(curve, "BEP").ends
