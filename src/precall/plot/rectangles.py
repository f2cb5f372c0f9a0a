"""The rectangles whose area is a measure."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Self

import numpy as np

from precall.core.arguments import check_kind
from precall.core.errors import Kind, UsageError
from precall.core.text import many
from precall.plot import canvas
from precall.plot.canvas import Display
from precall.plot.shared import styles

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from precall.core.ragged import Float64

#: Greatest number of rectangles that are drawn with their edges.
_EDGES = 200


class Rectangles(Display):
    """Rectangles side by side whose area is a measure: precision over recall for AP, recall over
    the false positive rate for the area under ROC.

    Parameters
    ----------
    left : left edge of each rectangle.
    right : right edge of each.
    heights : height of each; or its heights at the left and the right edge, as two lists.
    names : titles of the axes, across and upwards.

    Examples
    --------
    >>> display = Rectangles([0, 0.5], [0.5, 1], [1, 0.6], names=("recall", "precision")).plot()
    >>> display.ax_.get_ylabel(), display.area
    ('precision', 0.8)
    """

    def __init__(
        self,
        left: object,
        right: object,
        heights: object,
        *,
        names: tuple[str, str] = ("", ""),
    ) -> None:
        self.left: Float64 = _numbers("left", left)
        self.right: Float64 = _numbers("right", right)
        given = _numbers("heights", heights)
        if given.ndim > 2 or (given.ndim == 2 and len(given) != 2):
            raise UsageError(
                argument="heights", allowed="a list of numbers, or two such lists", got=heights
            )
        self.heights: Float64 = np.broadcast_to(given, (2, *given.shape[-1:]))
        self.names: tuple[str, str] = check_kind("names", names, tuple, "two titles of axes")
        if not self.left.shape == self.right.shape == self.heights.shape[1:]:
            raise UsageError(
                argument="heights", what="left, right and heights must have the same length"
            )

    @property
    def area(self) -> float:
        """The area of all rectangles."""
        return float(np.sum((self.right - self.left) * self.heights.mean(axis=0)))

    def __repr__(self) -> str:
        return f"<Rectangles: {many(len(self.left), 'rectangle')}>"

    def plot(self, ax: Axes | None = None, *, title: str | None = None, **area: Any) -> Self:
        """Draw on `ax` or on a new figure.

        Parameters
        ----------
        ax : as `PrecisionRecall.plot` takes it.
        title : above the axes.
        **area : looks of matplotlib for the rectangles.
        """
        ax, area = self._open(ax, area, title=title)
        ax.set(xlabel=styles.escape_name(self.names[0]), ylabel=styles.escape_name(self.names[1]))
        wide = self.right > self.left
        left, right = self.left[wide], self.right[wide]
        start, end = self.heights[:, wide]
        # Each rectangle begins and ends at the axis, so that its edges are seen; of many, edges
        # would be all that is seen.
        sides, ends = [left, right], [start, end]
        if len(left) <= _EDGES:
            sides, ends = [left, *sides, right], [0 * left, *ends, 0 * left]
        across, upwards = (np.column_stack(columns).ravel() for columns in (sides, ends))
        look = canvas.tint(styles.colour(0), 0) | area
        drawn = ax.fill_between(across, upwards, **look)
        self._line("rectangles", drawn, "")
        ax.plot(across, upwards, **styles.stroke(0) | {"linewidth": 1.0})
        ax.set_ylim(0, None)
        return self._finish(ax, legend=False)


def _numbers(name: str, given: object) -> Float64:
    """Numbers as an array; an error names the argument."""
    try:
        return np.atleast_1d(np.asarray(given, np.float64))
    except (TypeError, ValueError):
        raise UsageError(argument=name, allowed="numbers", got=Kind(given)) from None
