"""Displays of precision-recall, ROC and DET curves, with scikit-learn's names and parameters."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Self

import numpy as np

from precall.compat.sklearn import displayed, targets
from precall.compat.sklearn.displayed import (
    OLD,
    CurvesDisplay,
    checked_cases,
    checked_folds,
    line_looks,
    scores_and_label,
    style,
)
from precall.compat.sklearn.ranking import average_precision_score
from precall.compat.sklearn.responses import part, scores_of
from precall.compat.sklearn.tradeoffs import auc, det_curve, precision_recall_curve, roc_curve
from precall.core.errors import UsageError
from precall.stats.scipy import special

#: The ticks of DET curves.
_TICKS = (0.001, 0.01, 0.05, 0.20, 0.5, 0.80, 0.95, 0.99, 0.999)


def _folds(
    cv_results: Mapping[str, Any],
    X: Any,  # noqa: N803
    y: Any,
    sample_weight: Any,
    method: Any,
    pos_label: Any,
) -> Iterator[tuple[Any, Any, Any, Any]]:
    """Labels, scores, positive label and weights of every fold's test cases."""
    checked_folds(cv_results, X, y, sample_weight)
    for estimator, test in zip(cv_results["estimator"], cv_results["indices"]["test"], strict=True):
        score, positive = scores_of(estimator, part(X, test), method, pos_label)
        yield np.asarray(part(y, test)), score, positive, part(sample_weight, test)


class PrecisionRecallDisplay(CurvesDisplay):
    """Precision over recall, in steps, of one scored list or of folds.

    Make it by `from_estimator`, `from_predictions` or `from_cv_results`, or from the result of
    `precision_recall_curve`.

    Examples
    --------
    >>> round(
    ...     PrecisionRecallDisplay.from_predictions(
    ...         [0, 1, 0, 1], [0.1, 0.9, 0.8, 0.7]
    ...     ).average_precision,
    ...     4,
    ... )
    0.8333
    """

    def __init__(
        self,
        precision: Any,
        recall: Any,
        *,
        average_precision: Any = None,
        name: object = None,
        pos_label: Any = None,
        prevalence_pos_label: Any = None,
        estimator_name: object = OLD,
    ) -> None:
        self.precision = precision
        self.recall = recall
        self.average_precision = average_precision
        self.name: Any = displayed.older("estimator_name", "name", name, estimator_name)
        self.pos_label = pos_label
        self.prevalence_pos_label = prevalence_pos_label

    def _validate_plot_params(self, *, ax: object, name: object) -> tuple[Any, ...]:
        needed, optional = ("precision", "recall"), ("average_precision", "prevalence_pos_label")
        columns = self._columns(ax, name, needed, optional)
        return tuple(
            columns[key] for key in (*needed, "average_precision", "name", "prevalence_pos_label")
        )

    def plot(
        self,
        ax: object = None,
        *,
        name: object = None,
        curve_kwargs: object = None,
        plot_chance_level: bool = False,
        chance_level_kw: object = None,
        despine: bool = False,
        **kwargs: Any,
    ) -> Self:
        """Draw on `ax`, or on new axes of pyplot."""
        precision, recall, areas, name, prevalence = self._validate_plot_params(ax=ax, name=name)
        step = {"drawstyle": "steps-post"}
        looks = line_looks(len(precision), name, areas, "AP", curve_kwargs, step, kwargs)
        self._draw(recall, precision, looks)
        self._frame("Recall", "Precision", despine)
        self.chance_level_: Any = None
        if plot_chance_level:
            self._chance(prevalence, chance_level_kw)
        self._legend(looks[0].get("label") is not None or plot_chance_level, "lower left")
        return self

    def _chance(self, prevalence: Any, look: Any) -> None:
        """Draw lines at the precision of random acceptance."""
        if self.prevalence_pos_label is None:
            raise UsageError(
                "You must provide prevalence_pos_label when constructing the "
                "PrecisionRecallDisplay object in order to plot "
                "the chance level line. Alternatively, you may use "
                "PrecisionRecallDisplay.from_estimator or "
                "PrecisionRecallDisplay.from_predictions to automatically set prevalence_pos_label"
            )
        usual = {"color": "k", "linestyle": "--"} | ({"alpha": 0.3} if len(prevalence) > 1 else {})
        line_style = style(usual, look)
        lines = [self.ax_.plot((0, 1), (share, share), **line_style)[0] for share in prevalence]
        if "label" not in line_style:
            deviation = f" +/- {np.std(prevalence):0.2f}" if len(lines) > 1 else ""
            lines[0].set_label(f"Chance level (AP = {np.mean(prevalence):0.2f}{deviation})")
        self.chance_level_ = lines[0] if len(lines) == 1 else lines

    @classmethod
    def from_estimator(
        cls,
        estimator: object,
        X: object,  # noqa: N803
        y: object,
        *,
        sample_weight: object = None,
        drop_intermediate: bool = False,
        response_method: object = "auto",
        pos_label: object = None,
        name: str | None = None,
        ax: object = None,
        curve_kwargs: object = None,
        plot_chance_level: bool = False,
        chance_level_kw: object = None,
        despine: bool = False,
        **kwargs: Any,
    ) -> Self:
        """Draw the curve of a fitted classifier of two classes."""
        score, pos_label, name = scores_and_label(estimator, X, response_method, pos_label, name)
        return cls.from_predictions(
            y,
            score,
            sample_weight=sample_weight,
            drop_intermediate=drop_intermediate,
            pos_label=pos_label,
            name=name,
            ax=ax,
            curve_kwargs=curve_kwargs,
            plot_chance_level=plot_chance_level,
            chance_level_kw=chance_level_kw,
            despine=despine,
            **kwargs,
        )

    @classmethod
    def from_predictions(
        cls,
        y_true: object,
        y_score: object = None,
        *,
        sample_weight: object = None,
        drop_intermediate: bool = False,
        pos_label: object = None,
        name: str | None = None,
        ax: object = None,
        curve_kwargs: object = None,
        plot_chance_level: bool = False,
        chance_level_kw: object = None,
        despine: bool = False,
        y_pred: object = OLD,
        **kwargs: Any,
    ) -> Self:
        """Draw the curve of labels and scores."""
        y_score = displayed.older("y_pred", "y_score", y_score, y_pred)
        pos_label, name = checked_cases(y_true, y_score, sample_weight, pos_label, name)
        display = cls._of(
            [(targets.array(y_true, "y_true"), y_score, pos_label, sample_weight)],
            name,
            drop_intermediate,
            alone=True,
        )
        return display.plot(
            ax=ax,
            curve_kwargs=curve_kwargs,
            plot_chance_level=plot_chance_level,
            chance_level_kw=chance_level_kw,
            despine=despine,
            **kwargs,
        )

    @classmethod
    def from_cv_results(
        cls,
        cv_results: Mapping[str, object],
        X: object,  # noqa: N803
        y: object,
        *,
        sample_weight: object = None,
        drop_intermediate: bool = True,
        response_method: object = "auto",
        pos_label: object = None,
        name: object = None,
        ax: object = None,
        curve_kwargs: object = None,
        plot_chance_level: bool = False,
        chance_level_kwargs: object = None,
        despine: bool = False,
    ) -> Self:
        """Draw the curves of results of cross-validation.

        `cross_validate(..., return_estimator=True, return_indices=True)` returns them.
        """
        folds = list(_folds(cv_results, X, y, sample_weight, response_method, pos_label))
        return cls._of(folds, name, drop_intermediate).plot(
            ax=ax,
            curve_kwargs=curve_kwargs,
            plot_chance_level=plot_chance_level,
            chance_level_kw=chance_level_kwargs,
            despine=despine,
        )

    @classmethod
    def _of(
        cls, folds: list[tuple[Any, Any, Any, Any]], name: object, drop: bool, alone: bool = False
    ) -> Self:
        """A display of curves, each from (labels, scores, positive label, weights).

        `alone` means one list of cases, which is not a fold.
        """
        rows = []
        for truth, score, positive, weights in folds:
            options = {"pos_label": positive, "sample_weight": weights}
            points = precision_recall_curve(truth, score, drop_intermediate=drop, **options)
            rows.append(
                (
                    *points[:2],
                    average_precision_score(truth, score, **options),
                    np.mean(truth == positive),
                )
            )
        columns: list[Any] = [list(column) for column in zip(*rows, strict=True)]
        precision, recall, areas, shares = (column[0] for column in columns) if alone else columns
        return cls(
            precision,
            recall,
            average_precision=areas,
            name=name,
            pos_label=folds[-1][2],
            prevalence_pos_label=shares,
        )


class RocCurveDisplay(CurvesDisplay):
    """True positive rate over false positive rate, of one scored list or of folds.

    Make it by `from_estimator`, `from_predictions` or `from_cv_results`, or from the result of
    `roc_curve`.

    Examples
    --------
    >>> RocCurveDisplay.from_predictions([0, 1, 0, 1], [0.1, 0.9, 0.8, 0.7]).roc_auc
    0.75
    """

    def __init__(
        self, *, fpr: object, tpr: Any, roc_auc: Any = None, name: Any = None, pos_label: Any = None
    ) -> None:
        self.fpr: Any = fpr
        self.tpr = tpr
        self.roc_auc = roc_auc
        self.name = name
        self.pos_label = pos_label

    def _validate_plot_params(self, *, ax: object, name: object) -> tuple[Any, ...]:
        columns = self._columns(ax, name, ("fpr", "tpr"), ("roc_auc",))
        return tuple(columns[key] for key in ("fpr", "tpr", "roc_auc", "name"))

    def plot(
        self,
        ax: object = None,
        *,
        name: object = None,
        curve_kwargs: object = None,
        plot_chance_level: bool = False,
        chance_level_kw: Any = None,
        despine: bool = False,
    ) -> Self:
        """Draw on `ax`, or on new axes of pyplot."""
        fpr, tpr, areas, name = self._validate_plot_params(ax=ax, name=name)
        looks = line_looks(len(fpr), name, areas, "AUC", curve_kwargs, {}, {})
        usual = {"label": "Chance level (AUC = 0.5)", "color": "k", "linestyle": "--"}
        chance = style(usual, chance_level_kw)
        self._draw(fpr, tpr, looks)
        self._frame("False Positive Rate", "True Positive Rate", despine)
        self.chance_level_: Any = (
            self.ax_.plot((0, 1), (0, 1), **chance)[0] if plot_chance_level else None
        )
        shown = looks[0].get("label") is not None or (
            plot_chance_level and chance.get("label") is not None
        )
        self._legend(shown, "lower right")
        return self

    @classmethod
    def from_estimator(
        cls,
        estimator: object,
        X: object,  # noqa: N803
        y: object,
        *,
        sample_weight: object = None,
        drop_intermediate: bool = True,
        response_method: object = "auto",
        pos_label: object = None,
        name: str | None = None,
        ax: object = None,
        curve_kwargs: object = None,
        plot_chance_level: bool = False,
        chance_level_kw: object = None,
        despine: bool = False,
    ) -> Self:
        """Draw the curve of a fitted classifier of two classes."""
        score, pos_label, name = scores_and_label(estimator, X, response_method, pos_label, name)
        return cls.from_predictions(
            y,
            score,
            sample_weight=sample_weight,
            drop_intermediate=drop_intermediate,
            pos_label=pos_label,
            name=name,
            ax=ax,
            curve_kwargs=curve_kwargs,
            plot_chance_level=plot_chance_level,
            chance_level_kw=chance_level_kw,
            despine=despine,
        )

    @classmethod
    def from_predictions(
        cls,
        y_true: object,
        y_score: object = None,
        *,
        sample_weight: object = None,
        drop_intermediate: bool = True,
        pos_label: object = None,
        name: str | None = None,
        ax: object = None,
        curve_kwargs: object = None,
        plot_chance_level: bool = False,
        chance_level_kw: object = None,
        despine: bool = False,
    ) -> Self:
        """Draw the curve of labels and scores."""
        pos_label, name = checked_cases(y_true, y_score, sample_weight, pos_label, name)
        fpr, tpr, _ = roc_curve(
            y_true,
            y_score,
            pos_label=pos_label,
            sample_weight=sample_weight,
            drop_intermediate=drop_intermediate,
        )
        return cls(fpr=fpr, tpr=tpr, roc_auc=auc(fpr, tpr), name=name, pos_label=pos_label).plot(
            ax=ax,
            curve_kwargs=curve_kwargs,
            plot_chance_level=plot_chance_level,
            chance_level_kw=chance_level_kw,
            despine=despine,
        )

    @classmethod
    def from_cv_results(
        cls,
        cv_results: Mapping[str, object],
        X: object,  # noqa: N803
        y: object,
        *,
        sample_weight: object = None,
        drop_intermediate: bool = True,
        response_method: object = "auto",
        pos_label: object = None,
        ax: object = None,
        name: object = None,
        curve_kwargs: object = None,
        plot_chance_level: bool = False,
        chance_level_kwargs: object = None,
        despine: bool = False,
    ) -> Self:
        """Draw the curves of results of cross-validation.

        `cross_validate(..., return_estimator=True, return_indices=True)` returns them.
        """
        fpr, tpr, areas, positive = [], [], [], pos_label
        for truth, score, positive, weights in _folds(
            cv_results, X, y, sample_weight, response_method, pos_label
        ):
            options = {
                "pos_label": positive,
                "sample_weight": weights,
                "drop_intermediate": drop_intermediate,
            }
            points = roc_curve(truth, score, **options)
            fpr.append(points[0])
            tpr.append(points[1])
            areas.append(auc(*points[:2]))
        return cls(fpr=fpr, tpr=tpr, roc_auc=areas, name=name, pos_label=positive).plot(
            ax=ax,
            curve_kwargs=curve_kwargs,
            plot_chance_level=plot_chance_level,
            chance_level_kw=chance_level_kwargs,
            despine=despine,
        )


class DetCurveDisplay(CurvesDisplay):
    """False negative rate over false positive rate, both on the scale of normal quantiles.

    Make it by `from_estimator` or `from_predictions`, or from the result of `det_curve`. It needs
    SciPy.

    Examples
    --------
    >>> DetCurveDisplay.from_predictions([0, 1, 0, 1], [0.1, 0.9, 0.8, 0.7]).fpr.round(4)
    array([0.5, 0.5, 0. ])
    """

    def __init__(
        self, *, fpr: object, fnr: object, estimator_name: Any = None, pos_label: Any = None
    ) -> None:
        self.fpr: Any = fpr
        self.fnr: Any = fnr
        self.estimator_name = estimator_name
        self.pos_label = pos_label

    @classmethod
    def from_estimator(
        cls,
        estimator: object,
        X: object,  # noqa: N803
        y: object,
        *,
        sample_weight: object = None,
        drop_intermediate: bool = True,
        response_method: object = "auto",
        pos_label: object = None,
        name: str | None = None,
        ax: object = None,
        **kwargs: Any,
    ) -> Self:
        """Draw the curve of a fitted classifier of two classes."""
        score, pos_label, name = scores_and_label(estimator, X, response_method, pos_label, name)
        return cls.from_predictions(
            y,
            score,
            sample_weight=sample_weight,
            drop_intermediate=drop_intermediate,
            name=name,
            ax=ax,
            pos_label=pos_label,
            **kwargs,
        )

    @classmethod
    def from_predictions(
        cls,
        y_true: object,
        y_score: object = None,
        *,
        sample_weight: object = None,
        drop_intermediate: bool = True,
        pos_label: object = None,
        name: str | None = None,
        ax: object = None,
        y_pred: object = OLD,
        **kwargs: Any,
    ) -> Self:
        """Draw the curve of labels and scores."""
        y_score = displayed.older("y_pred", "y_score", y_score, y_pred)
        positive, name = checked_cases(y_true, y_score, sample_weight, pos_label, name)
        fpr, fnr, _ = det_curve(
            y_true,
            y_score,
            pos_label=pos_label,
            sample_weight=sample_weight,
            drop_intermediate=drop_intermediate,
        )
        return cls(fpr=fpr, fnr=fnr, estimator_name=name, pos_label=positive).plot(
            ax=ax, name=name, **kwargs
        )

    def plot(self, ax: object = None, *, name: object = None, **kwargs: Any) -> Self:
        """Draw on `ax`, or on new axes of pyplot."""
        name = self._axes(ax, name)
        look = ({} if name is None else {"label": name}) | kwargs
        # Quantiles of 0 and 1 are infinite, so rates are kept within (0, 1).
        least = np.finfo(np.float64).eps
        self.fpr, self.fnr = (
            np.clip(self.fpr, least, 1 - least),
            np.clip(self.fnr, least, 1 - least),
        )
        quantile = special().ndtri
        self._draw([quantile(self.fpr)], [quantile(self.fnr)], [look])
        info, places = displayed.positive_in(self.pos_label), quantile(np.array(_TICKS))
        names = [f"{tick:.0%}" if (100 * tick).is_integer() else f"{tick:.1%}" for tick in _TICKS]
        for side, rate in (("x", "False Positive Rate"), ("y", "False Negative Rate")):
            ticks: dict[str, Any] = {
                f"{side}ticks": places,
                f"{side}ticklabels": names,
                f"{side}lim": (-3, 3),
            }
            self.ax_.set(**ticks, **{f"{side}label": rate + info})
        self._legend("label" in look, "lower right")
        return self
