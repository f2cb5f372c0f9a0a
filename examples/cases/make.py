"""Make the example: scored cases of two classes, and scores of ten categories, by models that never
saw the case.

Run `python examples/cases/make.py [FOLDER]` with scikit-learn installed; it writes the files that
stand beside it, byte for byte. How they are made and what they show is in README.md beside it.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.datasets import load_breast_cancer, load_digits
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis
from sklearn.model_selection import StratifiedKFold, cross_val_predict
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

FOLDS = 5
#: Models in closed form, so that every machine finds the same scores; each with the decimals they
#: are written with.
MODELS: dict[str, tuple[Any, int]] = {
    "linear": (
        make_pipeline(StandardScaler(), LinearDiscriminantAnalysis("lsqr", shrinkage=0.1)),
        4,
    ),
    "bayes": (GaussianNB(), 4),
    "neighbours": (make_pipeline(StandardScaler(), KNeighborsClassifier(15)), 3),
}


def folds(labels: NDArray[np.int64]) -> list[tuple[NDArray[np.int64], NDArray[np.int64]]]:
    """Training and test cases of each fold."""
    return list(StratifiedKFold(FOLDS, shuffle=True, random_state=7).split(labels, labels))


def tumours() -> Iterator[str]:
    """Breast cancer, Wisconsin: is it malignant? Three models, five folds."""
    data = load_breast_cancer()
    malignant = 1 - data.target  # there 1 is benign
    parts = folds(malignant)
    fold = np.zeros(len(malignant), np.int64)
    for number, (_, test) in enumerate(parts, 1):
        fold[test] = number
    columns = []
    for model, decimals in MODELS.values():
        score = cross_val_predict(model, data.data, malignant, cv=parts, method="predict_proba")[
            :, 1
        ]
        columns.append([f"{one:.{decimals}f}" for one in score])
    yield ",".join(["case", "fold", "label", *MODELS]) + "\n"
    for case, row in enumerate(zip(fold, malignant, *columns, strict=True)):
        yield ",".join([f"t{case:03}", *map(str, row)]) + "\n"


def digits() -> Iterator[str]:
    """Handwritten digits: a score for each of ten categories."""
    data = load_digits()
    model = LinearDiscriminantAnalysis("lsqr", shrinkage=0.1)
    scores = cross_val_predict(
        model, data.data, data.target, cv=folds(data.target), method="predict_proba"
    )
    yield ",".join(["image", "truth", *(f"p{digit}" for digit in range(10))]) + "\n"
    for image, (truth, line) in enumerate(zip(data.target, scores, strict=True)):
        yield ",".join([f"d{image:04}", str(truth), *(f"{score:.4f}" for score in line)]) + "\n"


def main(folder: Path) -> None:
    for name, lines in (("tumours.csv", tumours()), ("digits.csv", digits())):
        (folder / name).write_text("".join(lines), encoding="ascii", newline="\n")


if __name__ == "__main__":
    main(Path(sys.argv[1]) if len(sys.argv) > 1 else Path(__file__).parent)
