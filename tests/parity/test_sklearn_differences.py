"""scikit-learn: where it is wrong or silently odd, one test per line of
docs/coming-from/sklearn.md; and scorers.
"""

from __future__ import annotations

import math
import pickle
import subprocess
import sys
import warnings
from enum import Enum
from typing import Any

import numpy as np
import pytest

from precall.compat import sklearn as ours
from precall.core.errors import DataError, PrecallWarning, UsageError
from tests.peers import peer

theirs = peer("sklearn.metrics", "scikit-learn is not installed: no parity was checked")

pytestmark = pytest.mark.filterwarnings("ignore")


def test_infinite_scores_are_scores() -> None:
    score = [np.inf, 1.0, -np.inf, 0.0]
    with pytest.raises(ValueError, match="infinity"):
        theirs.average_precision_score([1, 0, 0, 1], score)
    assert ours.average_precision_score([1, 0, 0, 1], score) == pytest.approx(5 / 6)


def test_negative_weights_are_refused() -> None:
    assert (
        theirs.average_precision_score([1, 0, 1], [0.9, 0.5, 0.1], sample_weight=[1, -1, 1]) == 1.5
    )
    with pytest.raises(DataError, match="case 1 is -1"):
        ours.average_precision_score([1, 0, 1], [0.9, 0.5, 0.1], sample_weight=[1, -1, 1])


def test_indicators_are_zero_and_one() -> None:
    # Every cell that is not 0 counts as predicted there: -1 is a yes.
    true, said = np.array([[1, -1], [-1, 1]]), np.array([[1, -1], [-1, 1]])
    assert theirs.precision_recall_fscore_support(true, said)[3].tolist() == [2, 2]
    assert ours.precision_recall_fscore_support(true, said)[3].tolist() == [1, 1]
    with pytest.raises(DataError, match="is 2"):
        ours.precision_recall_fscore_support(true * true * 2, said)
    assert theirs.precision_recall_fscore_support(true * true * 2, said * said * 2)[3].tolist() == [
        2,
        2,
    ]
    # And the weights of a "weighted" mean are sums of -1 and 1.
    truth, score = (
        np.array([[1, -1], [1, -1], [-1, 1], [1, 1]]),
        np.array([[4, 1], [3, 2], [2, 3], [1, 4]]),
    )
    zero_one = (truth == 1).astype(int)
    wanted = theirs.average_precision_score(zero_one, score, average="weighted")
    assert theirs.average_precision_score(truth, score, average="weighted") != wanted
    assert ours.average_precision_score(truth, score, average="weighted") == wanted


def test_weights_of_zero_leave_one_class() -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        for tool, category in ((theirs, Warning), (ours, PrecallWarning)):
            with pytest.raises(category, match="No negative samples in y_true"):
                tool.roc_auc_score([0, 1], [0.1, 0.2], sample_weight=[0, 1])
            with pytest.raises(category, match="No positive samples in y_true"):
                tool.roc_auc_score([0, 1], [0.1, 0.2], sample_weight=[1, 0])


@pytest.mark.filterwarnings("default")
def test_warnings() -> None:
    with pytest.warns(PrecallWarning, match="No positive"):
        assert ours.average_precision_score([0, 0], [0.1, 0.2]) == 0.0
    with pytest.warns(PrecallWarning, match="Only one class"):
        assert math.isnan(ours.roc_auc_score([1, 1], [0.1, 0.2]))
    with pytest.warns(
        PrecallWarning,
        match="Precision is ill-defined and being set to 0.0 in labels with no predicted",
    ):
        ours.precision_recall_fscore_support([0, 1], [0, 0])
    with pytest.warns(PrecallWarning, match=r"pos_label \(set to 2\) is ignored"):
        ours.precision_recall_fscore_support([0, 1, 2], [0, 1, 2], pos_label=2, average="macro")


def _fitted() -> tuple[Any, Any, Any]:
    datasets = pytest.importorskip("sklearn.datasets")
    linear = pytest.importorskip("sklearn.linear_model")
    x, y = datasets.make_classification(120, 6, n_informative=4, n_classes=3, random_state=1)
    return linear.LogisticRegression(), x, y


@pytest.mark.nightly
def test_scorers() -> None:
    model, x, y = _fitted()
    select = pytest.importorskip("sklearn.model_selection")
    binary = np.where(y == 0, "no", "yes")
    cases: list[tuple[Any, str, Any]] = [
        (ours.roc_auc_scorer, "roc_auc", binary),
        (ours.roc_auc_ovr_scorer, "roc_auc_ovr", y),
        (ours.roc_auc_ovo_scorer, "roc_auc_ovo", y),
        (ours.average_precision_scorer, "average_precision", y),
        (ours.average_precision_scorer, "average_precision", (y == 0).astype(int)),
    ]
    for scorer, name, labels in cases:
        got = select.cross_val_score(
            model, x, labels, scoring=pickle.loads(pickle.dumps(scorer)), cv=3
        )
        np.testing.assert_allclose(
            got, select.cross_val_score(model, x, labels, scoring=name, cv=3), rtol=1e-12
        )
    made = theirs.make_scorer(ours.average_precision_score, response_method="predict_proba")
    assert len(select.cross_val_score(model, x, (y == 0).astype(int), scoring=made, cv=3)) == 3
    assert set(
        select.cross_validate(model, x, y, scoring={"ap": ours.average_precision_scorer}, cv=3)
    ) >= {"test_ap"}


def test_pairs_of_classes_are_averaged() -> None:
    """scikit-learn has not written this combination; neither have we, and it is an error of
    usage.
    """
    with pytest.raises(RuntimeError):
        theirs.roc_auc_score([0, 1, 2], np.eye(3), multi_class="ovo", average=None)
    with pytest.raises(UsageError, match="average=None is not implemented for multi_class='ovo'"):
        ours.roc_auc_score([0, 1, 2], np.eye(3), multi_class="ovo", average=None)


def test_equal_steps_are_dropped_within_rounding() -> None:
    """Weights of .1 make equal steps that differ in the last bit: scikit-learn keeps those
    points.
    """
    truth, score, weight = [0, 0, 0, 0, 0, 0, 1], [7, 6, 5, 4, 3, 2, 1], [0.1] * 7
    assert len(theirs.roc_curve(truth, score, sample_weight=weight)[0]) > 4
    assert len(ours.roc_curve(truth, score, sample_weight=weight)[0]) == 4
    assert len(ours.roc_curve(truth, score)[0]) == len(theirs.roc_curve(truth, score)[0]) == 4


def test_scikit_learn_is_not_imported() -> None:
    code = (
        "import sys, precall.compat.sklearn; print(sorted({'sklearn', 'scipy', 'pandas'} & "
        "set(sys.modules)))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "[]\n"


def test_weights_of_zero_only() -> None:
    nothing = {"sample_weight": [0, 0]}
    for name in ("roc_curve", "precision_recall_curve", "average_precision_score", "roc_auc_score"):
        with pytest.raises((ValueError, IndexError)):
            getattr(theirs, name)([0, 1], [0.1, 0.2], **nothing)
        with pytest.raises(UsageError, match="at least one non-zero number"):
            getattr(ours, name)([0, 1], [0.1, 0.2], **nothing)
    for tool in (theirs, ours):
        with pytest.raises(ValueError, match="at least one non-zero number"):
            tool.precision_recall_fscore_support([0, 1], [0, 1], **nothing)
    rows = [[1, 0, 1], [0, 1, 1]], [[0.1, 0.2, 0.3], [0.3, 0.2, 0.1]]
    assert math.isnan(theirs.label_ranking_average_precision_score(*rows, **nothing))
    assert theirs.top_k_accuracy_score([0, 1], [0.1, 0.9], k=1, normalize=False, **nothing) == 0
    with pytest.raises(ZeroDivisionError):
        theirs.coverage_error(*rows, **nothing)
    for name in ("label_ranking_average_precision_score", "coverage_error"):
        with pytest.raises(UsageError, match="at least one non-zero number"):
            getattr(ours, name)(*rows, **nothing)
    with pytest.raises(UsageError, match="at least one non-zero number"):
        ours.top_k_accuracy_score([0, 1], [0.1, 0.9], k=1, normalize=False, **nothing)


def test_one_text_is_no_one() -> None:
    assert theirs.precision_score(["a", "a"], ["a", "a"]) == 0
    for label in (["a", "a"], ["a", "b"]):
        with pytest.raises(
            UsageError, match="pos_label=1 is not a valid label. It should be one of"
        ):
            ours.precision_score(label, label)


def test_jaccard_of_nothing_may_be_left_out() -> None:
    pair = [0, 0], [0, 0]
    with pytest.raises(ValueError, match="zero_division"):
        theirs.jaccard_score(*pair, zero_division=math.nan)
    assert math.isnan(ours.jaccard_score(*pair, zero_division=math.nan))


def test_single_numbers_are_floats() -> None:
    for name in ("zero_one_loss", "hamming_loss"):
        pair = [[0, 1], [1, 1]], [[0, 0], [0, 1]]
        assert isinstance(getattr(theirs, name)(*pair), np.float64 | float)
        assert type(getattr(ours, name)(*pair)) is float


@pytest.mark.filterwarnings("default")
def test_divisions_on_the_way_are_not_warned_of() -> None:
    pair, options = ([0, 1], [0.1, 0.2]), {"sample_weight": [0, 1]}
    with pytest.warns(RuntimeWarning, match="invalid value"):
        wanted = theirs.det_curve(*pair, **options)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        np.testing.assert_equal(ours.det_curve(*pair, **options), wanted)


def test_integers_that_float64_changes() -> None:
    score = np.array([2**53, 2**53 + 1, 5, 4])
    theirs.average_precision_score([1, 0, 0, 0], score)
    with pytest.raises(UsageError, match="not exact"):
        ours.average_precision_score([1, 0, 0, 0], score)


def test_sparse_indicators() -> None:
    sparse = pytest.importorskip("scipy.sparse")
    truth, score = (
        np.array([[1, 0], [0, 1], [1, 1]]),
        np.array([[0.1, 0.2], [0.3, 0.4], [0.2, 0.1]]),
    )
    for name in ("average_precision_score", "roc_auc_score"):
        with pytest.raises(ValueError, match="must be an array-like"):
            getattr(theirs, name)(sparse.csr_matrix(truth), score)
        assert getattr(ours, name)(sparse.csr_matrix(truth), score) == getattr(ours, name)(
            truth, score
        )
    stored, whole = sparse.csr_matrix(truth), sparse.csr_matrix(truth)
    stored.data[0] = 0
    assert theirs.precision_recall_fscore_support(stored, whole)[3].tolist() == [2, 2]
    assert ours.precision_recall_fscore_support(stored, whole)[3].tolist() == [1, 2]
    twice = sparse.csr_matrix(
        (np.array([1, 1, 1, 1]), np.array([0, 0, 1, 1]), np.array([0, 2, 3, 4])), shape=(3, 2)
    )
    with pytest.raises(DataError, match="is 2"):
        ours.precision_recall_fscore_support(twice, whole)


def test_one_class_of_two_columns() -> None:
    probability = [[0.1, 0.9], [0.2, 0.8]]
    assert math.isnan(theirs.roc_auc_score([1, 1], probability))
    with pytest.raises(ValueError, match="1d array"):
        theirs.average_precision_score([1, 1], probability)
    for measure in (ours.roc_auc_score, ours.average_precision_score):
        with pytest.raises(UsageError, match="1d array"):
            measure([1, 1], probability)


def test_numbers_among_labels_of_text() -> None:
    pair = ["a", "b"], ["b", "a"]
    assert theirs.precision_recall_fscore_support(*pair, labels=[1])[3].tolist() == [0]
    with pytest.raises(UsageError, match="strings and numbers do not compare"):
        ours.precision_recall_fscore_support(*pair, labels=[1])


def test_reports_of_more_names_than_labels_and_of_none() -> None:
    pair, names = ([1, 0, 1], [1, 1, 1]), ["x", "a name that is long", "z"]
    for options in ({"labels": [1], "target_names": names}, {"labels": [], "target_names": names}):
        for as_dict in (False, True):
            wanted = theirs.classification_report(*pair, output_dict=as_dict, **options)
            np.testing.assert_equal(
                ours.classification_report(*pair, output_dict=as_dict, **options), wanted
            )
    wanted = theirs.precision_recall_fscore_support(*pair, labels=[], average="macro")
    np.testing.assert_equal(
        ours.precision_recall_fscore_support(*pair, labels=[], average="macro"), wanted
    )


def test_masked_arrays_that_hide_a_value() -> None:
    hidden, plain = np.ma.masked_array([0, 1, 1, 0, 1], [1, 0, 0, 0, 0]), [0, 1, 0, 0, 1]
    assert theirs.roc_auc_score(hidden, plain) == theirs.roc_auc_score(hidden.data, plain)
    with pytest.raises(TypeError, match="MaskedConstant"):
        theirs.precision_score(hidden, plain)
    for measure in (ours.roc_auc_score, ours.precision_score):
        with pytest.raises(ValueError, match="case 0 is masked"):
            measure(hidden, plain)


def test_members_of_an_enum_and_zeros_at_the_end() -> None:
    mood = Enum("Mood", {"LOW": "low", "LESS": "less"}, type=str)
    pair = [mood.LOW, mood.LESS], [mood.LESS, mood.LOW]
    assert theirs.accuracy_score([mood.LOW, mood.LESS], ["low", "less"]) == 0
    assert ours.accuracy_score([mood.LOW, mood.LESS], ["low", "less"]) == 1
    assert ours.accuracy_score(*pair) == 0 and ours.confusion_matrix(
        *pair, labels=["low", "less"]
    ).tolist() == [[0, 1], [1, 0]]
    zero = ["a", "a\0"], ["a\0", "a"]
    assert theirs.accuracy_score(*zero) == 1 and ours.accuracy_score(*zero) == 0
