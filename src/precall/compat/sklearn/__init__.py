"""scikit-learn 1.9.1's measures of labels, scores and rankings, and its displays.

They are computed with our own counts and curves. Signatures, warnings and errors are those of
`sklearn.metrics`, and so are the values wherever they are defined and right. Replace
`from sklearn.metrics import ...` by `from precall.compat.sklearn import ...`.
docs/coming-from/sklearn.md lists what differs: infinite scores are allowed, negative weights are
refused, and so are labels that cannot be told apart from numbers. scikit-learn itself is not
imported.

Parameters
----------
y_true : true labels in one column, or an indicator matrix, dense or sparse.
y_pred : predicted labels, in the same forms.
y_score : scores of the positive class, or a column of them for every class.
average : None (a value per class), "micro" (of all cells as one list), "macro" and "weighted"
    (means over classes), "samples" (over rows), "binary" (of `pos_label` alone); ignored for scores
    of binary labels.
labels : which labels, in which order (default: all that occur, sorted).
pos_label : the positive class; curves without it need labels 0/1 or -1/1.
sample_weight : a weight per sample; at least one is not 0.
zero_division : the value of 0/0: 0, 1, NaN (left out of averages), or "warn": 0 and a warning.

Raises
------
UsageError, DataError
    Both are `ValueError`s: labels are not classes, have different kinds or lengths, or are missing;
    or the measure does not apply to targets of this form.

Examples
--------
>>> from precall.compat import sklearn
>>> sklearn.roc_auc_score([0, 1, 1, 0], [0.1, 0.8, 0.3, 0.4])
0.75
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from precall import fetching
from precall.compat.sklearn.averaging import (
    f1_score,
    fbeta_score,
    jaccard_score,
    precision_recall_fscore_support,
    precision_score,
    recall_score,
)
from precall.compat.sklearn.classification import classification_report
from precall.compat.sklearn.confusion import (
    balanced_accuracy_score,
    class_likelihood_ratios,
    cohen_kappa_score,
    confusion_matrix,
    matthews_corrcoef,
    multilabel_confusion_matrix,
)
from precall.compat.sklearn.discounting import dcg_score, ndcg_score
from precall.compat.sklearn.label_rankings import (
    coverage_error,
    label_ranking_average_precision_score,
    label_ranking_loss,
    top_k_accuracy_score,
)
from precall.compat.sklearn.losses import accuracy_score, hamming_loss, zero_one_loss
from precall.compat.sklearn.ranking import average_precision_score, roc_auc_score
from precall.compat.sklearn.scorers import (
    Scorer,
    average_precision_scorer,
    roc_auc_ovo_scorer,
    roc_auc_ovr_scorer,
    roc_auc_scorer,
)
from precall.compat.sklearn.tradeoffs import auc, det_curve, precision_recall_curve, roc_curve

if TYPE_CHECKING:
    from precall.compat.sklearn.confusion_display import ConfusionMatrixDisplay
    from precall.compat.sklearn.displays import (
        DetCurveDisplay,
        PrecisionRecallDisplay,
        RocCurveDisplay,
    )

if not TYPE_CHECKING:
    __getattr__, __dir__ = fetching(
        __name__,
        {
            "confusion_display": "ConfusionMatrixDisplay",
            "displays": "DetCurveDisplay PrecisionRecallDisplay RocCurveDisplay",
        },
    )

__all__ = [
    "ConfusionMatrixDisplay",
    "DetCurveDisplay",
    "PrecisionRecallDisplay",
    "RocCurveDisplay",
    "Scorer",
    "accuracy_score",
    "auc",
    "average_precision_score",
    "average_precision_scorer",
    "balanced_accuracy_score",
    "class_likelihood_ratios",
    "classification_report",
    "cohen_kappa_score",
    "confusion_matrix",
    "coverage_error",
    "dcg_score",
    "det_curve",
    "f1_score",
    "fbeta_score",
    "hamming_loss",
    "jaccard_score",
    "label_ranking_average_precision_score",
    "label_ranking_loss",
    "matthews_corrcoef",
    "multilabel_confusion_matrix",
    "ndcg_score",
    "precision_recall_curve",
    "precision_recall_fscore_support",
    "precision_score",
    "recall_score",
    "roc_auc_ovo_scorer",
    "roc_auc_ovr_scorer",
    "roc_auc_score",
    "roc_auc_scorer",
    "roc_curve",
    "top_k_accuracy_score",
    "zero_one_loss",
]
