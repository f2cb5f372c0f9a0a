"""Labels that are members of an Enum of texts are their letters for `compat.sklearn`, wherever they
are named.

Why the old tests missed it: only true and predicted labels were members of an Enum, and never those
of `pos_label=` and `labels=`, which NumPy reads as what they print, cut to the width of their
letters.
"""

from __future__ import annotations

from collections.abc import Callable
from enum import Enum, StrEnum
from typing import Any

import numpy as np
import pytest

import precall as pc
from precall.compat import sklearn
from precall.core.errors import UsageError


class Mood(str, Enum):  # noqa: UP042
    GOOD = "good"
    BAD = "bad"
    MIXED = "a mixed one"


class Plain(StrEnum):
    GOOD = "good"
    BAD = "bad"
    MIXED = "a mixed one"


class Other(str):
    """A text that prints another one."""

    def __str__(self) -> str:
        return "other"


KINDS: dict[str, Callable[[str], str]] = {"enum": Mood, "str enum": Plain, "own print": Other}
TRUE = ["good", "bad", "bad", "good", "bad"]
PREDICTED = ["good", "good", "bad", "bad", "bad"]
SCORES = [0.9, 0.8, 0.3, 0.4, 0.1]
ORDER = ["good", "bad"]

#: Measures of a positive label, of labels that are asked for, and of scores.
POSITIVE: dict[str, dict[str, Any]] = {
    "f1_score": {},
    "precision_score": {},
    "recall_score": {},
    "jaccard_score": {},
    "fbeta_score": {"beta": 2},
}
CHOSEN: dict[str, dict[str, Any]] = {
    "f1_score": {"average": None},
    "jaccard_score": {"average": "macro"},
    "confusion_matrix": {},
    "cohen_kappa_score": {},
    "multilabel_confusion_matrix": {},
    "class_likelihood_ratios": {},
    "classification_report": {},
}
SCORED = ["average_precision_score", "roc_curve", "precision_recall_curve", "det_curve"]


def _alike(call: Callable[[Callable[[str], str]], Any], kind: str) -> None:
    """What is called with how labels are written says the same of plain texts."""
    got, expected = (call(form) for form in (KINDS[kind], str))
    if isinstance(expected, str | dict):
        assert got == expected
    else:
        np.testing.assert_equal(got, expected)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("name", POSITIVE)
def test_a_positive_label(name: str, kind: str) -> None:
    measure = getattr(sklearn, name)
    _alike(lambda form: measure(TRUE, PREDICTED, pos_label=form("good"), **POSITIVE[name]), kind)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("name", CHOSEN)
def test_labels_that_are_asked_for(name: str, kind: str) -> None:
    measure = getattr(sklearn, name)
    _alike(
        lambda form: measure(
            [*map(form, TRUE)], PREDICTED, labels=[*map(form, ORDER)], **CHOSEN[name]
        ),
        kind,
    )


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("name", SCORED)
def test_the_positive_label_of_scores(name: str, kind: str) -> None:
    _alike(lambda form: getattr(sklearn, name)(TRUE, SCORES, pos_label=form("good")), kind)


@pytest.mark.parametrize("kind", KINDS)
def test_names_of_classes(kind: str) -> None:
    report, accuracy = sklearn.classification_report, sklearn.top_k_accuracy_score
    _alike(
        lambda form: report(TRUE, PREDICTED, target_names=[*map(form, ORDER)], output_dict=True),
        kind,
    )
    _alike(
        lambda form: accuracy(
            ["good", "bad"], np.eye(3)[:2], labels=[*map(form, ["a mixed one", "bad", "good"])]
        ),
        kind,
    )


@pytest.mark.nightly(keep=1)
@pytest.mark.parametrize("kind", KINDS)
def test_pictures_show_letters(kind: str) -> None:
    pytest.importorskip("matplotlib", reason="matplotlib is not installed: nothing was drawn")
    written = KINDS[kind]
    matrix = sklearn.ConfusionMatrixDisplay.from_predictions(
        TRUE, PREDICTED, labels=list(map(written, ORDER))
    )
    assert [text.get_text() for text in matrix.ax_.get_xticklabels()] == ORDER
    for display in (
        sklearn.PrecisionRecallDisplay,
        sklearn.RocCurveDisplay,
        sklearn.DetCurveDisplay,
    ):
        drawn = display.from_predictions(
            list(map(written, TRUE)), SCORES, pos_label=written("good")
        )
        assert "(Positive label: good)" in drawn.ax_.get_ylabel()


def test_texts_beside_numbers() -> None:
    with pytest.raises(UsageError, match="^labels: Mix of label input types"):
        sklearn.confusion_matrix(TRUE, PREDICTED, labels=["good", 1])


@pytest.mark.parametrize("kind", KINDS)
def test_a_positive_label_beside_plain_texts(kind: str) -> None:
    """`positive=` as a member of an Enum was no label of a list of texts."""
    plain = pc.curve(TRUE, SCORES, positive="good")
    found = pc.curve(TRUE, SCORES, positive=KINDS[kind]("good"))
    assert np.array_equal(found.tp, plain.tp)
    pairs = [
        pc.compare.cases(TRUE, SCORES, SCORES[::-1], "AUC", positive=positive)
        for positive in ("good", KINDS[kind]("good"))
    ]
    assert pairs[0].values == pairs[1].values
