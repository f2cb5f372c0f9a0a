"""A confusion matrix as coloured cells with their values."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Self

import numpy as np

from precall.core.arguments import check_choice, check_kind
from precall.core.errors import UsageError
from precall.hard_decisions.confusion import NORMALIZE, Confusion
from precall.hard_decisions.outcomes import Decisions
from precall.plot import files
from precall.plot.canvas import Display
from precall.plot.shared import styles

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.colors import Colormap, Normalize
    from matplotlib.image import AxesImage

#: Inches: size of a cell with its value; least and greatest size of the whole matrix.
_CELL, _LEAST, _MOST = 0.55, 2.2, 8.5
#: Points: largest and smallest font size of values; values that would need a smaller one are not
#: written.
_LARGEST, _SMALLEST = 10.0, 6.0
#: With more categories than this, colours follow the square root of the values.
_EVEN = 25
#: Title of the colour scale.
_SCALE = {
    None: "items",
    "truth": "share of the truth",
    "predicted": "share of the predicted",
    "all": "share of all",
}


class ConfusionMatrix(Display):
    """A confusion matrix: a row for each true category, a column for each predicted one. Each cell
    shows its value and colour.

    Values are written if the cells have room for them. With many categories, some names are left
    out at even distances, and cells have colours only, explained by a scale. With more than 25
    categories the colours follow the square root, so that a few errors are visible. Cells without
    items stay empty. A cell without a share (in a row or column without items) is grey.

    Parameters
    ----------
    confusion : what `Decisions.confusion` returns.

    Attributes
    ----------
    image_ : matplotlib's image of the cells.
    texts_ : the values as written, an array with the rows and columns of the matrix; None if no
        values are written.

    Examples
    --------
    >>> from precall import decisions
    >>> display = ConfusionMatrix.from_decisions(decisions(["a", "b", "b"], ["a", "b", "a"])).plot()
    >>> display.image_.get_array().tolist(), display.texts_[1, 0].get_text()
    ([[1.0, 0.0], [1.0, 1.0]], '1')
    """

    image_: AxesImage
    texts_: Any
    _cells: list[Any]

    def __init__(self, confusion: Confusion) -> None:
        check_kind("confusion", confusion, Confusion, "what Decisions.confusion() returns")
        if not len(confusion.categories):
            raise UsageError(
                argument="confusion", what="there is no category, so there is nothing to draw"
            )
        self.confusion = confusion

    def __repr__(self) -> str:
        return f"<ConfusionMatrix of {self.confusion!r}>"

    @classmethod
    def from_decisions(cls, decisions: Decisions) -> Self:
        """Display of the confusion matrix of decisions."""
        return cls(
            check_kind("decisions", decisions, Decisions, "what pc.decisions() returns").confusion()
        )

    def plot(
        self,
        ax: Axes | None = None,
        *,
        normalize: str | None = None,
        values: bool | None = None,
        title: str | None = None,
        legend: bool = True,
        **cells: Any,
    ) -> Self:
        """Draw.

        Parameters
        ----------
        normalize : show counts (None), or shares of the "truth" (each row sums to 1), of the
            "predicted" categories (each column sums to 1) or of "all".
        values : write the values into the cells; None: if there is room.
        title : above the cells.
        legend : show a scale of the colours.
        ax : as `PrecisionRecall.plot` takes it.
        **cells : looks of matplotlib's `imshow`.
        """
        check_choice("normalize", normalize, NORMALIZE)
        size = len(self.confusion.categories)
        side = min(max(size * _CELL, _LEAST), _MOST)
        names = [styles.escape_name(name) for name in self.confusion.categories]
        letters = min(_LARGEST, max(6.0, 62 * side / size))
        # Names, the scale and titles need room around the matrix.
        wide = 0.62 * letters * max(map(len, names)) / 72
        ax, cells = self._open(
            ax, cells, (side + wide + 1.5, side + min(0.75 * wide, 2.5) + 0.7), title
        )
        shown = np.asarray(
            self.confusion.counts if normalize is None else self.confusion.shares(normalize), float
        )
        most = float(np.nanmax(shown)) if np.isfinite(shown).any() else 0.0
        look: dict[str, Any] = {"cmap": _colours()} | cells
        if "norm" not in look:
            look["norm"] = _scale(look.pop("vmin", 0.0), look.pop("vmax", most or 1.0), size)
        self.image_ = ax.imshow(shown, interpolation="nearest", **look)
        self._name(ax, names, letters, side)
        self._cells = [ax]
        if legend:
            beside = ax.inset_axes((1 + 0.12 / side, 0, 0.16 / side, 1))
            scale = ax.figure.colorbar(self.image_, cax=beside, label=_SCALE[normalize])
            scale.outline.set_visible(False)
            self._cells.append(beside)
        # The size of the cells is known only after names and scale are laid out.
        figure: Any = ax.figure
        figure.draw_without_rendering()
        room = 72 * ax.get_window_extent().width / figure.dpi / size
        self.texts_ = self._write(ax, shown, normalize, room, values)
        self.lines_: dict[Any, Any] = {"cells": self.image_}
        return self._finish(ax, legend=False)

    def _write(
        self, ax: Axes, shown: Any, normalize: str | None, room: float, asked: bool | None
    ) -> Any:
        """Write the values into the cells: dark text on light cells, light text on dark ones."""
        words = np.array(
            [[_value(cell, normalize) for cell in row] for row in shown.tolist()], object
        )
        longest = max(map(len, words.ravel().tolist()))
        letters = min(_LARGEST, 0.92 * room / (0.62 * max(longest, 2)), 0.7 * room)
        if asked is False or (asked is None and letters < _SMALLEST):
            return None
        texts = np.empty(words.shape, object)
        for (i, j), word in np.ndenumerate(words):
            dark = _light(self.image_.cmap(self.image_.norm(shown[i, j])))
            style: dict[str, Any] = {"ha": "center", "va": "center", "fontsize": letters}
            texts[i, j] = ax.text(j, i, word, color="black" if dark else "white", **style)
        return texts

    def _name(self, ax: Axes, names: list[str], letters: float, side: float) -> None:
        """Label both axes with as many categories as there is room for."""
        size = len(names)
        step = max(1, int(np.ceil(size * letters / 50 / side)))
        places = list(range(0, size, step))
        names = [names[index] for index in places]
        ax.set(xlabel="predicted", ylabel="truth", xticks=places, yticks=places)
        upright = max(map(len, names)) * letters * 0.62 > 72 * side * step / size
        turned: dict[str, Any] = (
            {"rotation": 45, "ha": "right", "rotation_mode": "anchor"} if upright else {}
        )
        ax.set_xticklabels(names, fontsize=letters, **turned)
        ax.set_yticklabels(names, fontsize=letters)
        ax.tick_params(length=0 if step == 1 else 3)
        ax.spines[:].set(visible=True, color=styles.faint())

    def _repr_png_(self) -> bytes | None:
        """The picture for notebooks. Its cells keep their ground, because their values are read
        against it.
        """
        self._ensure()
        return (
            None
            if files.shown_by_pyplot(self.figure_)
            else files.on_any_ground(self.figure_, *self._cells)
        )


def _value(cell: float, normalize: str | None) -> str:
    """A count or a share as text for a cell; empty if undefined."""
    if not cell or cell != cell:
        return ""
    if normalize is None:
        return f"{cell:.0f}" if cell < 1e5 else f"{cell / 1000:.4g}k"
    return f"{cell:.2f}" if cell >= 0.005 else "<.01"


def _colours() -> Colormap:
    """Colours from the ground to the first line colour, in even steps of lightness; grey for
    undefined values.
    """
    from matplotlib.colors import LinearSegmentedColormap

    steps = [styles.ground(), styles.tint(styles.colour(0), 0.45), styles.colour(0)]
    return LinearSegmentedColormap.from_list("precall", steps).with_extremes(bad=styles.faint())


def _scale(least: float, most: float, size: int) -> Normalize:
    """Colour scale with even steps; with many categories by the square root, because their few
    errors would not be visible otherwise.
    """
    from matplotlib import colors

    return colors.Normalize(least, most) if size <= _EVEN else colors.PowerNorm(0.5, least, most)


def _light(colour: Any) -> bool:
    """Whether black is more readable on a colour than white."""
    from precall.plot.shared.contrast import luminance

    light = float(luminance(colour[:3]))
    return (light + 0.05) / 0.05 > 1.05 / (light + 0.05)
