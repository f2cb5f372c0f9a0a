"""Warnings of scikit-learn's names pointed at lines of this package: they counted frames, and some
calls have one more.

The old tests read the text and the class of warnings, never the file.
"""

from __future__ import annotations

import pytest

import precall as pc
from precall.compat import sklearn

NONE, ALL, SCORES = [0, 0, 0], [1, 1, 1], [0.1, 0.2, 0.3]


@pytest.mark.parametrize(
    "call",
    [
        lambda: sklearn.precision_recall_fscore_support([0, 1, 2], NONE, average="macro"),
        lambda: sklearn.classification_report([0, 1, 2], NONE),
        lambda: sklearn.roc_auc_score(NONE, SCORES),
        lambda: sklearn.average_precision_score(NONE, SCORES),
        lambda: sklearn.precision_recall_curve(NONE, SCORES),
        lambda: sklearn.roc_curve(ALL, SCORES),
    ],
)
def test_points_at_the_caller(call):
    with pytest.warns(pc.PrecallWarning) as caught:
        call()
    assert {one.filename for one in caught} == {__file__}
