"""Common parts of scikit-learn's displays of curves: cases, axes, names, styles of lines."""

from __future__ import annotations

import warnings
from collections.abc import Mapping
from typing import Any

import numpy as np

from precall.compat.sklearn import targets
from precall.compat.sklearn.label_codes import Array
from precall.compat.sklearn.responses import scores_of, size
from precall.compat.sklearn.targets import BINARY, WrongTypeError
from precall.core.errors import UsageError, require_module
from precall.plot.canvas import Display
from precall.read.values import plain_label

#: matplotlib's short names of style properties.
_SHORT = {
    "ls": "linestyle",
    "c": "color",
    "ec": "edgecolor",
    "fc": "facecolor",
    "lw": "linewidth",
    "mec": "markeredgecolor",
    "mfcalt": "markerfacecoloralt",
    "ms": "markersize",
    "mew": "markeredgewidth",
    "mfc": "markerfacecolor",
    "aa": "antialiased",
    "ds": "drawstyle",
    "font": "fontproperties",
    "family": "fontfamily",
    "name": "fontname",
    "size": "fontsize",
    "stretch": "fontstretch",
    "style": "fontstyle",
    "variant": "fontvariant",
    "weight": "fontweight",
    "ha": "horizontalalignment",
    "va": "verticalalignment",
    "ma": "multialignment",
}
#: The default of `y_pred` and `estimator_name`, which are deprecated names.
OLD = "deprecated"


def axes(ax: object) -> Any:
    """The given axes, or new axes of pyplot, which `plt.show()` shows."""
    plt = require_module("matplotlib.pyplot", "pictures need matplotlib")
    return plt.subplots()[1] if ax is None else ax


def style(usual: Mapping[str, object], given: Mapping[str, object] | None) -> dict[str, Any]:
    """Style properties by their full names; given ones replace the usual ones."""
    given = given or {}
    for short, full_name in _SHORT.items():
        if short in given and full_name in given:
            raise WrongTypeError(
                f"Got both {short} and {full_name}, which are aliases of one another"
            )
    return {**usual, **{_SHORT.get(name, name): value for name, value in given.items()}}


def remove_spines(ax: Any) -> None:
    """Remove the frame of the axes at the top and the right."""
    ax.spines[["top", "right"]].set_visible(False)
    for side in ("bottom", "left"):
        ax.spines[side].set_bounds(0, 1)


def positive_in(pos_label: object) -> str:
    """The text about the positive class in the labels of axes."""
    return "" if pos_label is None else f" (Positive label: {plain_label(pos_label)})"


def entries_of(values: object) -> Any:
    """The entries for several curves as a list; the entry of one curve as a list of one."""
    return values if values is None or isinstance(values, list) else [values]


def older(name: str, new: str, given: object, old: object) -> Any:
    """The value of a parameter that was given by its new name or by the old one."""
    if isinstance(old, str) and old == OLD:
        return given
    if given is not None:
        message = (
            f"`{name}` and `{new}` cannot be both specified"
            if new == "y_score"
            else "Cannot provide both"
        )
        raise UsageError(
            f"{message} `{name}` and `{new}`: `{name}` is the older name, deprecated in 1.8; use "
            f"`{new}` only."
        )
    message = f"`{name}` is deprecated in 1.8" if new == "name" else f"{name} was deprecated in 1.8"
    warnings.warn(
        f"{message} and will be removed in 1.10. Use `{new}` instead.", FutureWarning, stacklevel=4
    )
    return old


def checked_cases(
    y_true: object, y_score: object, sample_weight: object, pos_label: object, name: str | None
) -> tuple[Any, str]:
    """The positive label and the name of the curve; raises if the cases are not valid."""
    truth, score = targets.array(y_true, "y_true"), targets.array(y_score, "y_score")
    form = targets.kind(truth, "y_true")
    if form != BINARY:
        raise UsageError(f"The target y is not binary. Got {form} type of target.")
    weights = None if sample_weight is None else np.asarray(sample_weight)
    targets.same_length(y_true=truth, y_score=score, sample_weight=weights)
    pos_label = targets.positive_class(pos_label)
    if pos_label is None:
        targets.positives(targets.column(truth, "y_true"), None)
        pos_label = 1
    return pos_label, "Classifier" if name is None else name


def checked_folds(cv_results: Mapping[str, Any], X: Any, y: Any, sample_weight: Any) -> None:  # noqa: N803
    """Raise unless `cv_results` are results of cross-validation of these cases."""
    needed = {"estimator", "indices"}
    if not needed <= set(cv_results):
        raise UsageError(
            f"`cv_results` does not contain one of the following required keys: {needed}. Set "
            "explicitly the parameters `return_estimator=True` and `return_indices=True` to the "
            "function `cross_validate`."
        )
    total = sum(len(cv_results["indices"][each][0]) for each in ("train", "test"))
    if size(X) != total:
        message = "`X` does not contain the correct number of samples."
        raise UsageError(f"{message} Expected {total}, got {size(X)}.")
    message = targets.kind(targets.array(y, "y"), "y")
    if message != BINARY:
        raise UsageError(f"The target `y` is not binary. Got {message} type of target.")
    sizes = [size(each) for each in (X, y, sample_weight) if each is not None]
    if len(set(sizes)) > 1:
        raise UsageError(f"Found input variables with inconsistent numbers of samples: {sizes}")


class CurvesDisplay(Display):
    """Curves of one scored list, or of the folds of a cross-validation."""

    name: Any
    pos_label: Any
    chance_level_: Any

    def _axes(self, ax: object, name: object) -> Any:
        """The axes, and the name for the legend."""
        self.ax_: Any = axes(ax)
        self.figure_: Any = self.ax_.figure
        self.lines_: dict[Any, Any] = {}
        self.legend_: Any = None
        return (
            getattr(self, "estimator_name", getattr(self, "name", None)) if name is None else name
        )

    def _columns(
        self, ax: object, name: object, needed: tuple[str, ...], optional: tuple[str, ...]
    ) -> dict[str, Any]:
        """The attributes and the name as lists, one entry per curve.

        Optional attributes may be None.
        """
        called = entries_of(self._axes(ax, name))
        columns = {key: entries_of(getattr(self, key)) for key in (*needed, *optional)}
        sizes = {
            f"self.{key}": len(columns[key])
            for key in (*needed, *optional)
            if isinstance(columns[key], list)
        }
        or_plot = ""
        if isinstance(called, list) and len(called) != 1:
            sizes["'name' (or self.name)"], or_plot = len(called), " (or `plot`)"
        if len(set(sizes.values())) > 1:
            *first, last = sizes
            got = ", ".join(f"{key}: {count}" for key, count in sizes.items())
            raise UsageError(
                f"{', '.join(first)} and {last} from `{type(self).__name__}` "
                f"initialization{or_plot}, should all be lists of "
                f"the same length. Got: {got}"
            )
        return columns | {"name": called}

    def _draw(self, across: list[Array], along: list[Array], looks: list[dict[str, Any]]) -> None:
        """Draw the lines: one, or a list of several."""
        lines = [
            self.ax_.plot(x, y, **look)[0] for x, y, look in zip(across, along, looks, strict=True)
        ]
        self.lines_ = dict(enumerate(lines))
        self.line_: Any = lines[0] if len(lines) == 1 else lines

    def _frame(self, xlabel: str, ylabel: str, despine: bool) -> None:
        info = positive_in(self.pos_label)
        square: dict[str, Any] = {"xlim": (-0.01, 1.01), "ylim": (-0.01, 1.01), "aspect": "equal"}
        self.ax_.set(xlabel=xlabel + info, ylabel=ylabel + info, **square)
        if despine:
            remove_spines(self.ax_)

    def _legend(self, shown: bool, place: str) -> None:
        if shown:
            self.legend_ = self.ax_.legend(loc=place)


def scores_and_label(
    estimator: object,
    X: object,  # noqa: N803
    response_method: object,
    pos_label: object,
    name: str | None,
) -> tuple[Array, Any, str]:
    """The scores, the positive label, and the name of an estimator's curve."""
    score, pos_label = scores_of(estimator, X, response_method, pos_label)
    return score, pos_label, type(estimator).__name__ if name is None else name


def line_looks(
    count: int,
    name: Any,
    values: Any,
    measure: str,
    given: Any,
    usual: Mapping[str, Any],
    old: Mapping[str, Any],
) -> list[dict[str, Any]]:
    """The style of every line, with its entry in the legend.

    `old` has properties that were given as single keywords.
    """
    removed = (
        "is deprecated and will be removed in 1.11. Pass all matplotlib arguments to `curve_kwargs`"
    )
    if given and old:
        raise UsageError(
            f"Cannot provide both `curve_kwargs` and `kwargs`. `**kwargs` {removed} as a "
            "dictionary."
        )
    if old:
        warnings.warn(f"`**kwargs` {removed} as a dictionary instead.", FutureWarning, stacklevel=3)
        given = old
    if isinstance(given, list) and len(given) != count:
        raise UsageError(
            f"`curve_kwargs` must be None, a dictionary or a list of length {count}. Got: {given}."
        )
    if isinstance(name, list) and len(name) != 1 and not isinstance(given, list):
        raise UsageError(
            "To avoid labeling individual curves that have the same appearance, `curve_kwargs` "
            f"should be a list of {count} dictionaries. Alternatively, set `name` to `None` or a "
            "single string to label a single legend entry for all "
            "curves."
        )
    names = [None] * count if name is None else name * count if len(name) == 1 else name
    if count > 1:
        usual = {**usual, "alpha": 0.5, "linestyle": "--", "color": "blue"}
    if count > 1 and not isinstance(given, list):
        labels = [_entry(names[0], measure, values), *[None] * (count - 1)]
    else:
        each = [None] * count if values is None else values
        labels = [
            _entry(*pair, [value])
            for pair, value in zip(((n, measure) for n in names), each, strict=True)
        ]
    looks = given if isinstance(given, list) else [given] * count
    return [
        style({"label": label, **usual}, look) for label, look in zip(labels, looks, strict=True)
    ]


def _entry(name: Any, measure: str, values: Any) -> Any:
    """The legend's text: a name, and a value or the mean of several with their deviation."""
    if not values or values[0] is None:
        return name
    text = f"{measure} = {np.mean(values):0.2f}"
    if len(values) > 1:
        text += f" +/- {np.std(values):0.2f}"
    return text if name is None else f"{name} ({text})"
