"""The report of precision, recall, F1 and support, by label and averaged."""

from __future__ import annotations

from collections.abc import Sequence, Sized
from typing import Any

import numpy as np

from precall.compat.sklearn.averaging import Averaged, Rule, f_of, prf
from precall.compat.sklearn.compared import Compared, label_column, read_both
from precall.compat.sklearn.label_codes import Array
from precall.compat.sklearn.targets import MULTILABEL
from precall.core import notes
from precall.core.arguments import check_kind, is_whole, refuse_set
from precall.core.errors import UsageError
from precall.core.notes.of_reading import OfScikitLearn
from precall.read.values import plain_label

HEADERS = ("precision", "recall", "f1-score", "support")


def classification_report(
    y_true: object,
    y_pred: object,
    *,
    labels: object = None,
    target_names: Sequence[str] | None = None,
    sample_weight: object = None,
    digits: object = 2,
    output_dict: bool = False,
    zero_division: object = "warn",
) -> Any:
    """Precision, recall, F1 and support of each label and averaged.

    The text equals scikit-learn's to the character. `target_names` are names of the labels,
    `digits` is the number of decimals; with `output_dict` the result is a dictionary.

    Examples
    --------
    >>> classification_report(["a", "b", "b"], ["a", "b", "a"], output_dict=True)["accuracy"]
    0.6666666666666666
    """
    if not is_whole(digits) or digits < 0:
        raise UsageError(argument="digits", allowed="an integer >= 0", got=digits)
    rule = Rule.of(zero_division, ("precision", "recall", "f-score"))
    both = read_both(y_true, y_pred, sample_weight)
    chosen = both.labels if labels is None else label_column(labels)
    names = _names(chosen, target_names, labels is not None)
    of, f = Averaged.of(both, None, labels, rule), f_of(1.0)
    support = of.counts.relevant
    rows: list[tuple[str, Sequence[Any]]] = list(
        zip(names, zip(*prf(of, f), support, strict=True), strict=False)
    )
    averages: dict[str, Any] = {}
    for average in (
        "micro",
        "macro",
        "weighted",
        *(["samples"] if both.kind == MULTILABEL else []),
    ):
        name = _heading(average, both, chosen)
        averages[name] = (*prf(Averaged.of(both, average, labels, rule), f), np.sum(support))
    return _dictionary(rows, averages) if output_dict else _text(rows, averages, int(digits), names)


def _heading(average: str, both: Compared, chosen: Array) -> str:
    covers_all = set(both.labels.tolist()) <= set(chosen.tolist())
    is_accuracy = average == "micro" and both.kind != MULTILABEL and covers_all
    return "accuracy" if is_accuracy else f"{average} avg"


def _names(known: Array, target_names: Sequence[str] | None, given: bool) -> list[str]:
    if target_names is None:
        return [str(label) for label in known]
    refuse_set("target_names", target_names)
    sizes = len(known), len(check_kind("target_names", target_names, Sized, "a list of names"))
    if not all(isinstance(name, str) for name in target_names):
        raise UsageError(argument="target_names", allowed="a list of texts", got=target_names)
    if sizes[0] != sizes[1] and given:
        notes.warn(
            OfScikitLearn(
                "", f"labels size, {sizes[0]}, does not match size of target_names, {sizes[1]}"
            )
        )
    elif sizes[0] != sizes[1]:
        message = f"Number of classes, {sizes[0]}, does not match size of target_names, {sizes[1]}"
        raise UsageError(f"{message}. Try specifying the labels parameter")
    return list(map(plain_label, target_names))


def _dictionary(rows: list[tuple[str, Sequence[Any]]], averages: dict[str, Any]) -> dict[str, Any]:
    lines: dict[str, Any] = {
        name: dict(zip(HEADERS, map(float, values), strict=True))
        for name, values in [*rows, *averages.items()]
    }
    if "accuracy" in averages:
        lines["accuracy"] = float(averages["accuracy"][0])
    return lines


def _text(
    rows: list[tuple[str, Sequence[Any]]], averages: dict[str, Any], digits: int, names: list[str]
) -> str:
    if not names:
        raise UsageError(
            argument="labels", what="is empty", remedy="name at least one label, or leave it out"
        )
    # All names count for the width, also those without a row.
    width = max(len("weighted avg"), digits, *map(len, names))

    def line(name: str, values: Sequence[object], only_f: bool = False) -> str:
        shown = [f"{value:.{digits}f}" for value in values[:3]]
        shown = ["", "", shown[2]] if only_f else shown
        return " ".join([f"{name:>{width}} ", *(f"{cell:>9}" for cell in [*shown, values[3]])])

    head = " ".join([f"{'':>{width}} ", *(f"{name:>9}" for name in HEADERS)])
    lines = [head, "", *(line(name, values) for name, values in rows), ""]
    lines += [line(name, values, name == "accuracy") for name, values in averages.items()]
    return "\n".join(lines) + "\n"
