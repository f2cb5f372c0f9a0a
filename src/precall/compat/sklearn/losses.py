"""Shares of right or wrong cases or cells: accuracy, zero-one loss, Hamming loss."""

from __future__ import annotations

import numpy as np

from precall.compat.sklearn.compared import Compared, read_both
from precall.compat.sklearn.targets import MULTILABEL
from precall.core.counts import Counts
from precall.measures import of_counts


def accuracy_score(
    y_true: object, y_pred: object, *, normalize: bool = True, sample_weight: object = None
) -> float:
    """Share of the cases whose labels are all right; without `normalize` their number or weight.

    Examples
    --------
    >>> (
    ...     accuracy_score([0, 2, 1, 3], [0, 1, 2, 3]),
    ...     accuracy_score([0, 2, 1, 3], [0, 1, 2, 3], normalize=False),
    ... )
    (0.5, 2.0)
    """
    table = _cases(read_both(y_true, y_pred, sample_weight))
    return float(of_counts("Accuracy").of_table(table)[0]) if normalize else float(table.tp[0])


def zero_one_loss(
    y_true: object, y_pred: object, *, normalize: bool = True, sample_weight: object = None
) -> float:
    """Share of the cases that are not right, 1 - accuracy.

    Without `normalize` it is their number or weight.

    Examples
    --------
    >>> (
    ...     zero_one_loss([2, 2, 3, 4], [1, 2, 3, 4]),
    ...     zero_one_loss([2, 2, 3, 4], [1, 2, 3, 4], normalize=False),
    ... )
    (0.25, 1.0)
    """
    table = _cases(read_both(y_true, y_pred, sample_weight))
    return float(of_counts("Error").of_table(table)[0]) if normalize else float(table.fp[0])


def hamming_loss(y_true: object, y_pred: object, *, sample_weight: object = None) -> float:
    """Share of wrong labels: of all cells of indicator matrices, otherwise of the cases.

    Examples
    --------
    >>> hamming_loss([[0, 1], [1, 1]], [[0, 0], [0, 0]])
    0.75
    """
    both = read_both(y_true, y_pred, sample_weight)
    table = both.counts().sum() if both.kind == MULTILABEL else _cases(both)
    return float(of_counts("Error").of_table(table)[0])


def _cases(both: Compared) -> Counts:
    """Right and wrong cases as one table, in which every case is accepted as right."""
    right = both.right()
    hits = np.array(
        [np.count_nonzero(right) if both.weights is None else both.weights[right].sum()]
    )
    none = np.zeros_like(hits)
    return Counts(
        hits, both.total - hits, none, none, {"other": both.total - hits, "relevant": hits}
    )
