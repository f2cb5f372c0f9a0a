"""What all displays have in common: axes, lines by name, and saving."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any, Self

from precall.errors import UsageError
from precall.plot import canvas, pictures
from precall.saving import save

if TYPE_CHECKING:
    from matplotlib.axes import Axes


class Display:
    """Something that can be drawn.

    Attributes
    ----------
    ax_, figure_ : the axes drawn on and their figure, once `plot` was called.
    line_ : the first line (bars, points) of data.
    lines_ : all of them, by name.
    legend_ : the legend, or None where there is none.
    """

    ax_: Any
    figure_: Any
    line_: Any
    lines_: dict[Any, Any]
    legend_: Any
    _own: bool

    def plot(self, ax: Axes | None = None) -> Self:
        """Draw on `ax`, or on a new figure."""
        raise UsageError(f"{type(self).__name__} is what displays have in common; draw one of them")

    def _open(self, ax: Axes | None, size: tuple[float, float] = canvas.WIDE) -> Axes:
        self._own = ax is None
        return canvas.axes(ax, size)

    def _finish(
        self, ax: Axes, lines: dict[Any, Any], entries: list[tuple[Any, str]], legend: bool, gap: float = canvas.GAP
    ) -> Self:  # fmt: skip
        self.ax_, self.figure_ = ax, ax.figure
        self.lines_ = lines
        self.line_ = next(iter(lines.values()))
        self.legend_ = canvas.legend(ax, entries, gap) if legend else None
        if self.legend_ is not None and self._own:
            canvas.widen(ax, self.legend_, gap)
        return self

    def save(self, path: str | Path) -> None:
        """Write the picture, whole or not at all; it is drawn with its defaults if it was not yet.

        Parameters
        ----------
        path : the file's name; its ending, .png, .svg or .pdf, says the form.

        Raises
        ------
        UsageError
            The ending is another one.
        """
        ending = pictures.ending(path)
        if not hasattr(self, "figure_"):
            self.plot()
        save(pictures.rendered(self.figure_, ending), path)
