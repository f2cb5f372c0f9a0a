"""Names that people look for in results and modules, and what the error tells them to write: it is
tried here.
"""

from __future__ import annotations

import pickle

import numpy as np
import pytest

import precall as pc
from precall.compat import sklearn as compat
from precall.core.notes.of_intervals import FewCases
from tests.noticed import warned

LABELS, SCORES = [1, 0, 1, 0, 0, 1], [0.9, 0.8, 0.7, 0.6, 0.5, 0.4]
CURVE, DECISIONS = pc.curve(LABELS, SCORES), pc.decisions(LABELS, [1, 1, 1, 0, 0, 0])
#: 5 of the 9 pairs are in order; 2 of 3 accepted are relevant, and 2 of 3 relevant accepted.
INSTEAD = [
    (CURVE, "roc_auc", ".value('AUC')", 5 / 9),
    (CURVE, "average_precision_score", ".value('AP')", (1 + 2 / 3 + 3 / 6) / 3),
    (DECISIONS, "f1", ".value('F')", 2 / 3),
    (DECISIONS, "balanced_accuracy", ".value('BalancedAccuracy')", 2 / 3),
]


@pytest.mark.parametrize(("result", "name", "instead", "value"), INSTEAD)
def test_measures_are_asked_by_value(result, name, instead, value):
    with pytest.raises(AttributeError) as caught:
        getattr(result, name)
    assert (
        str(caught.value)
        == f"'{type(result).__name__}' object has no attribute '{name}'; write {instead}"
    )
    assert eval(f"result{instead}") == pytest.approx(value)


def test_columns_are_called_otherwise():
    assert np.array_equal(CURVE.recall, eval("CURVE" + _told(CURVE, "tpr")))
    curve = CURVE
    assert eval(_told(curve, "fpr")).tolist() == [0, 0, 1 / 3, 1 / 3, 2 / 3, 1, 1]
    assert eval("curve" + _told(curve, "thresholds"))[1:].tolist() == SCORES
    assert eval("curve" + _told(curve, "best_threshold")) == 0.7
    assert _told(DECISIONS, "confusion_matrix").startswith(".table;") and len(DECISIONS.table) == 1


def _told(result, name):
    with pytest.raises(AttributeError) as caught:
        getattr(result, name)
    return str(caught.value).partition("; write ")[2]


def test_measures_of_counts_are_of_each_threshold():
    with pytest.raises(pc.MeasureError) as caught:
        CURVE.value("F1")
    each, best = str(caught.value).removeprefix("F is of each threshold: ").split("; the best is ")
    known = {"pc": pc, "curve": CURVE}
    assert np.nanmax(eval(each, known)) == eval(best.partition(",")[0], known) == 2 / 3


def test_what_nobody_looks_for_is_plainly_absent():
    for name in ("nothing_of_the_kind", "_private", "__array_interface__"):
        assert not hasattr(CURVE, name)
        with pytest.raises(AttributeError, match=f"'Curve' object has no attribute '{name}'$"):
            getattr(CURVE, name)
    assert pickle.loads(pickle.dumps(CURVE)) == CURVE


def test_intervals_are_found_by_names_of_measures():
    for name, function in (
        ("roc_auc", "area_under_roc"),
        ("average_precision_score", "average_precision"),
    ):
        asked = {"rng": 1}
        with warned(FewCases):
            assert getattr(pc.interval, name)(LABELS, SCORES, **asked) == getattr(
                pc.interval, function
            )(LABELS, SCORES, **asked)
    with pytest.raises(
        AttributeError, match=r"no 'f1'; it has .*; of decisions write pc.interval\(pc.decisions"
    ):
        pc.interval.f1(LABELS, SCORES)
    with pytest.raises(
        pc.UsageError,
        match=r"measure: must be a name, got ndarray; .* pc.interval\(pc.curve\(y, s\), 'AUC'\)",
    ):
        pc.interval(np.array(LABELS), np.array(SCORES))


def test_columns_are_no_runs():
    for pair in ((LABELS, SCORES), (np.array(LABELS), np.array(SCORES))):
        with pytest.raises(
            pc.UsageError,
            match=r"numbers such as 0.9, not rankings; labels and scores of cases go to pc.curve",
        ):
            pc.evaluate(*pair)


def test_what_is_not_here_is_there():
    with pytest.raises(
        AttributeError,
        match=(
            "'log_loss'; what it does not have, dir.. lists what it has, take from sklearn.metrics"
        ),
    ):
        compat.log_loss  # noqa: B018


def test_tests_of_other_measures_name_these():
    with pytest.raises(pc.UsageError, match=r"by accuracy or error: .*measure='accuracy'"):
        pc.compare(LABELS, [1, 1, 1, 0, 0, 0], [1, 0, 1, 0, 1, 0], test="mcnemar")
    with pytest.raises(pc.UsageError, match=r"by the area under ROC: .*measure='AUC'"):
        pc.compare(LABELS, SCORES, SCORES[::-1], test="delong")
