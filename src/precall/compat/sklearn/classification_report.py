"""The report of precision, recall, F1 and support, as text or as a dictionary."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from precall import notes
from precall.compat.sklearn.classification import (
    Compared,
    columns_of,
    compared,
    measured,
    sums,
    undefined_rule,
)
from precall.compat.sklearn.targets import MULTILABEL, Array
from precall.errors import UsageError

HEADERS = ("precision", "recall", "f1-score", "support")


def classification_report(
    y_true: Any, y_pred: Any, *, labels: Any = None, target_names: Sequence[str] | None = None,
    sample_weight: Any = None, digits: Any = 2, output_dict: bool = False, zero_division: Any = "warn",
) -> Any:  # fmt: skip
    """Precision, recall, F1 and support of each label and averaged; the same text, to the character.

    Parameters
    ----------
    y_true, y_pred : labels in one column, or indicator matrices.
    labels : which labels, in which order (default: all that occur, sorted).
    target_names : what to call them.
    sample_weight : a weight per sample.
    digits : decimals of the text.
    output_dict : return a dictionary instead.
    zero_division : see `precision_recall_fscore_support`.

    Returns
    -------
    str or dict

    Examples
    --------
    >>> classification_report(["a", "b", "b"], ["a", "b", "a"], output_dict=True)["accuracy"]
    0.6666666666666666
    """
    if isinstance(digits, bool | np.timedelta64) or not isinstance(digits, int | np.integer) or digits < 0:
        raise UsageError(f"digits: must be an integer >= 0, got {digits!r}")
    c = compared(y_true, y_pred, labels, sample_weight)
    chosen = c.labels if labels is None else np.asarray(labels)
    known, names = chosen.tolist(), _names(chosen, target_names, labels is not None)
    rule, columns = undefined_rule(zero_division), columns_of(c, labels)
    counts = sums(c, columns)
    each = measured(counts, None, 1.0, rule, c.weights)
    rows: list[tuple[str, Sequence[Any]]] = list(zip(names, zip(*each, strict=True), strict=False))
    support, averages = np.sum(each[3]), {}
    for average in _averages(c):
        part = sums(c, columns, by_item=True) if average == "samples" else counts
        values = measured(part, average, 1.0, rule, c.weights)[:3]
        accuracy = average == "micro" and c.kind != MULTILABEL and set(known) >= set(c.labels.tolist())
        averages["accuracy" if accuracy else f"{average} avg"] = (*values, support)
    return _dictionary(rows, averages) if output_dict else _text(rows, averages, int(digits), names)


def _averages(c: Compared) -> list[str]:
    return ["micro", "macro", "weighted"] + (["samples"] if c.kind == MULTILABEL else [])


def _names(known: Array, target_names: Sequence[str] | None, given: bool) -> list[str]:
    if target_names is None:
        return [str(label) for label in known]
    if len(known) != len(target_names):
        what = f"target_names: {len(target_names)} names for {len(known)} labels"
        if not given:
            raise UsageError(f"{what}; say which with labels=")
        notes.warn(what)
    return list(target_names)


def _dictionary(rows: list[tuple[str, Sequence[Any]]], averages: dict[str, Any]) -> dict[str, Any]:
    made: dict[str, Any] = {
        name: dict(zip(HEADERS, map(float, values), strict=True))
        for name, values in [*rows, *averages.items()]
    }
    if "accuracy" in averages:
        made["accuracy"] = float(averages["accuracy"][0])
    return made


def _text(
    rows: list[tuple[str, Sequence[Any]]], averages: dict[str, Any], digits: int, names: list[str]
) -> str:
    if not names:
        raise UsageError("labels: is empty; name at least one label, or leave it out")
    # Names that no row has count, too.
    width = max(len("weighted avg"), digits, *map(len, names))

    def line(name: str, values: Sequence[Any], only_f: bool = False) -> str:
        shown = [f"{value:.{digits}f}" for value in values[:3]]
        shown = ["", "", shown[2]] if only_f else shown
        return " ".join([f"{name:>{width}} ", *(f"{cell:>9}" for cell in [*shown, values[3]])])

    head = " ".join([f"{'':>{width}} ", *(f"{name:>9}" for name in HEADERS)])
    lines = [head, "", *(line(name, values) for name, values in rows), ""]
    lines += [line(name, values, name == "accuracy") for name, values in averages.items()]
    return "\n".join(lines) + "\n"
