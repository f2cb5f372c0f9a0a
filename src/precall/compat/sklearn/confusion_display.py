"""The display of a confusion matrix, with scikit-learn's name and parameters."""

from __future__ import annotations

from itertools import product
from typing import Any, Self

import numpy as np

from precall.compat.sklearn import displayed, targets
from precall.compat.sklearn.confusion import confusion_matrix
from precall.compat.sklearn.label_codes import Array, unite
from precall.compat.sklearn.responses import is_classifier
from precall.core.arguments import refuse_set
from precall.core.errors import Fact, UsageError
from precall.plot.canvas import Display
from precall.read.values import plain_label


class ConfusionMatrixDisplay(Display):
    """A confusion matrix as a coloured table: true labels downwards, predicted labels across.

    Make it by `from_estimator` or `from_predictions`, or from the result of `confusion_matrix`.

    Examples
    --------
    >>> ConfusionMatrixDisplay.from_predictions([0, 1, 0, 1], [0, 1, 1, 1]).confusion_matrix
    array([[1, 1],
           [0, 2]])
    """

    def __init__(self, confusion_matrix: Any, *, display_labels: Any = None) -> None:
        refuse_set("display_labels", display_labels)
        self.confusion_matrix = confusion_matrix
        self.display_labels = display_labels

    def plot(  # type: ignore[override]
        self,
        *,
        include_values: bool = True,
        cmap: Any = "viridis",
        xticks_rotation: Any = "horizontal",
        values_format: str | None = None,
        ax: Any = None,
        colorbar: bool = True,
        im_kw: Any = None,
        text_kw: Any = None,
    ) -> Self:
        """Draw on `ax`, or on new axes of pyplot."""
        self.ax_: Any = displayed.axes(ax)
        self.figure_: Any = self.ax_.figure
        look = displayed.style({"interpolation": "nearest", "cmap": cmap}, im_kw)
        self.im_: Any = self.ax_.imshow(self.confusion_matrix, **look)
        self.line_: Any = self.im_
        self.lines_: dict[Any, Any] = {}
        self.legend_: Any = None
        self.text_: Array | None = (
            self._texts(values_format, text_kw or {}) if include_values else None
        )
        if colorbar:
            self.figure_.colorbar(self.im_, ax=self.ax_)
        places = np.arange(len(self.confusion_matrix))
        names = places if self.display_labels is None else [*map(plain_label, self.display_labels)]
        ticks = {"xticks": places, "yticks": places, "xticklabels": names, "yticklabels": names}
        self.ax_.set(
            **ticks, ylabel="True label", xlabel="Predicted label", ylim=(len(places) - 0.5, -0.5)
        )
        for text in self.ax_.get_xticklabels():
            text.set_rotation(xticks_rotation)
        return self

    def _texts(self, form: str | None, look: dict[str, Any]) -> Array:
        """Draw the values, dark on light cells and light on dark cells."""
        cells = np.asarray(self.confusion_matrix)
        texts = np.empty(cells.shape, object)
        dark, light = self.im_.cmap(0), self.im_.cmap(1.0)
        middle = (cells.max() + cells.min()) / 2
        for i, j in product(*map(range, cells.shape)):
            usual = {"horizontalalignment": "center", "verticalalignment": "center"}
            style = displayed.style(
                usual | {"color": light if cells[i, j] < middle else dark}, look
            )
            texts[i, j] = self.ax_.text(j, i, _write_cell(cells[i, j], form), **style)
        return texts

    @classmethod
    def from_estimator(
        cls,
        estimator: Any,
        X: Any,  # noqa: N803
        y: object,
        *,
        labels: object = None,
        sample_weight: object = None,
        normalize: str | None = None,
        display_labels: object = None,
        include_values: bool = True,
        xticks_rotation: object = "horizontal",
        values_format: str | None = None,
        cmap: object = "viridis",
        ax: object = None,
        colorbar: bool = True,
        im_kw: object = None,
        text_kw: object = None,
    ) -> Self:
        """Draw the matrix of a fitted classifier."""
        if not is_classifier(estimator):
            raise UsageError(f"{cls.__name__}.from_estimator only supports classifiers")
        return cls.from_predictions(
            y,
            estimator.predict(X),
            labels=labels,
            sample_weight=sample_weight,
            normalize=normalize,
            display_labels=display_labels,
            include_values=include_values,
            xticks_rotation=xticks_rotation,
            values_format=values_format,
            cmap=cmap,
            ax=ax,
            colorbar=colorbar,
            im_kw=im_kw,
            text_kw=text_kw,
        )

    @classmethod
    def from_predictions(
        cls,
        y_true: object,
        y_pred: object,
        *,
        labels: object = None,
        sample_weight: object = None,
        normalize: str | None = None,
        display_labels: object = None,
        include_values: bool = True,
        xticks_rotation: object = "horizontal",
        values_format: str | None = None,
        cmap: object = "viridis",
        ax: object = None,
        colorbar: bool = True,
        im_kw: object = None,
        text_kw: object = None,
    ) -> Self:
        """Draw the matrix of true and predicted labels."""
        if display_labels is None:
            display_labels = _labels(y_true, y_pred) if labels is None else labels
        matrix = confusion_matrix(
            y_true, y_pred, labels=labels, sample_weight=sample_weight, normalize=normalize
        )
        return cls(matrix, display_labels=display_labels).plot(
            include_values=include_values,
            cmap=cmap,
            ax=ax,
            xticks_rotation=xticks_rotation,
            values_format=values_format,
            colorbar=colorbar,
            im_kw=im_kw,
            text_kw=text_kw,
        )


def _labels(y_true: object, y_pred: object) -> Array:
    """All labels that occur."""
    columns = [
        targets.array(values, name) for values, name in ((y_true, "y_true"), (y_pred, "y_pred"))
    ]
    read = [targets.read(values, "y") for values in columns]
    kinds = {kind for kind, *_ in read}
    if not kinds <= {targets.BINARY, targets.MULTICLASS} and len(kinds) > 1:
        raise UsageError("Mix type of y not allowed", got=Fact(f"types {kinds}"))
    return unite(*(labels for _, labels, _ in read))


def _write_cell(value: object, form: str | None) -> str:
    """A value in the given format.

    By default it has two digits; a count has all its digits if that is shorter.
    """
    if form is not None:
        return format(value, form)
    short = format(value, ".2g")
    if isinstance(value, np.integer | int) and len(str(value)) < len(short):
        return str(value)
    return short
