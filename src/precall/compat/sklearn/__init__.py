"""scikit-learn 1.9.1's measures of scores and decisions, on top of our own curves and contingency tables.

The signatures are those of `sklearn.metrics`; so are the values wherever they are defined and right.
Replace `from sklearn.metrics import ...` by `from precall.compat.sklearn import ...`. docs/sklearn.md
lists what differs: infinite scores are scores, negative weights are refused, and so are labels that
cannot be told apart from numbers. scikit-learn itself is not imported.
"""

from __future__ import annotations

from precall.compat.sklearn.classification import precision_recall_fscore_support
from precall.compat.sklearn.classification_report import classification_report
from precall.compat.sklearn.ranking import (
    average_precision_score,
    precision_recall_curve,
    roc_auc_score,
    roc_curve,
)
from precall.compat.sklearn.scorers import (
    Scorer,
    average_precision_scorer,
    roc_auc_ovo_scorer,
    roc_auc_ovr_scorer,
    roc_auc_scorer,
)

__all__ = [
    "Scorer",
    "average_precision_score",
    "average_precision_scorer",
    "classification_report",
    "precision_recall_curve",
    "precision_recall_fscore_support",
    "roc_auc_ovo_scorer",
    "roc_auc_ovr_scorer",
    "roc_auc_score",
    "roc_auc_scorer",
    "roc_curve",
]
