"""The names of `precall.compat.sklearn` beside scikit-learn's own: seconds of the processor, and
how they compare.

    python -m bench.sklearn_names [1000 1000000]

Each is called in turn with the same data, ours and theirs one after the other; the least of several
times counts.
"""

from __future__ import annotations

import sys
import time
import warnings
from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

import numpy as np
import sklearn.metrics as theirs

from precall.compat import sklearn as ours

#: Columns of matrices.
WIDTH = 10


def data(size: int) -> dict[str, tuple[Any, Any]]:
    """Labels and predictions, or scores, of so many cases, or cells."""
    rng = np.random.default_rng(0)
    binary = rng.integers(0, 2, size)
    score = np.round(binary * 0.5 + rng.normal(size=size), 4)
    said = (score > 0.3).astype(int)
    several = rng.integers(0, WIDTH, size)
    guessed = np.where(rng.random(size) < 0.6, several, rng.integers(0, WIDTH, size))
    words = np.array([f"label {k}" for k in range(WIDTH)])
    rows = size // WIDTH
    cells = rng.integers(0, 2, (rows, WIDTH))
    values = np.round(cells + rng.normal(size=cells.shape), 2)
    return {
        "binary": (binary, said),
        "ten labels": (several, guessed),
        "ten texts": (words[several], words[guessed]),
        "indicators": (cells, (values > 0.5).astype(int)),
        "scores": (binary, score),
        "rows": (cells, values),
        "gains": (cells * rng.integers(0, 4, cells.shape), values),
        "classes": (several[:rows], values),
    }


_LABELS = ("binary", "ten labels", "ten texts")
_TABLES = ("ten labels", "indicators")
_OF_TABLES = (
    "classification_report",
    "multilabel_confusion_matrix",
    "hamming_loss",
    "zero_one_loss",
)
_OF_LABELS = (
    "accuracy_score",
    "balanced_accuracy_score",
    "matthews_corrcoef",
    "cohen_kappa_score",
    "confusion_matrix",
)
_OF_TWO = (
    "precision_score",
    "recall_score",
    "f1_score",
    "jaccard_score",
    "class_likelihood_ratios",
)
_OF_SCORES = (
    "average_precision_score",
    "roc_auc_score",
    "precision_recall_curve",
    "roc_curve",
    "det_curve",
)
_OF_ROWS = ("label_ranking_average_precision_score", "label_ranking_loss", "coverage_error")
CALLS: list[tuple[str, str, dict[str, Any]]] = [
    *((name, kind, {}) for name in _OF_LABELS for kind in _LABELS),
    *((name, "binary", {}) for name in _OF_TWO),
    *(("f1_score", kind, {"average": "macro"}) for kind in (*_LABELS[1:], "indicators")),
    ("f1_score", "indicators", {"average": "samples"}),
    *((name, kind, {}) for name in _OF_TABLES for kind in _TABLES),
    *((name, "scores", {}) for name in _OF_SCORES),
    *((name, "rows", {}) for name in _OF_ROWS),
    *((name, "gains", {}) for name in ("dcg_score", "ndcg_score")),
    ("ndcg_score", "gains", {"k": 5, "ignore_ties": True}),
    ("top_k_accuracy_score", "classes", {"k": 3}),
]


def least(call: Callable[[], Any], times: int) -> float:
    """The least seconds of several calls."""
    taken = []
    for _ in range(times):
        start = time.process_time()
        call()
        taken.append(time.process_time() - start)
    return min(taken)


def measured(size: int) -> Iterator[tuple[str, float, float]]:
    """What is called, and the seconds of ours and theirs."""
    given, times = data(size), 3 if size > 10**5 else 20
    for name, kind, options in CALLS:
        calls = (partial(getattr(tool, name), *given[kind], **options) for tool in (ours, theirs))
        pair = [least(call, times) for call in calls]
        text = ", ".join([kind, *(f"{key}={value}" for key, value in options.items())])
        yield f"{name} ({text})", pair[0], pair[1]


def main() -> None:
    """Print a table for each size."""
    warnings.simplefilter("ignore")
    for size in map(int, sys.argv[1:] or (1000, 1_000_000)):
        print(f"| {size} | ours, ms | scikit-learn, ms | ratio |\n|---|--:|--:|--:|")
        for what, mine, other in measured(size):
            print(
                f"| {what} | {mine * 1e3:.3g} | {other * 1e3:.3g} | {mine / other:.2f} |",
                flush=True,
            )


if __name__ == "__main__":
    main()
