"""Figures and axes: made without pyplot, so that drawing needs no window and changes no global state."""

from __future__ import annotations

import math
import warnings
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from precall.drawing import palette
from precall.drawing.labels import number as number
from precall.drawing.labels import plain as plain
from precall.errors import MissingExtra, UsageError

if TYPE_CHECKING:
    from matplotlib.axes import Axes

#: Inches.
SQUARE = (5.0, 4.4)
WIDE = (6.4, 4.0)
#: Where legends begin, in widths of the axes.
GAP = 1.03
_SHORT = {
    "c": "color", "lw": "linewidth", "ls": "linestyle", "ds": "drawstyle", "ms": "markersize", "mew": "markeredgewidth",
    "mec": "markeredgecolor", "mfc": "markerfacecolor", "ec": "edgecolor", "fc": "facecolor", "aa": "antialiased",
    "linewidths": "linewidth", "edgecolors": "edgecolor", "facecolors": "facecolor",
}  # fmt: skip
#: Lines that say where something would be by chance, or that lead the eye.
GUIDE: dict[str, Any] = {"color": palette.GUIDE, "linewidth": 1, "linestyle": (0, (3, 2)), "zorder": 1}
_TICKS = (0.0, 0.2, 0.4, 0.6, 0.8, 1.0)


def figure(size: tuple[float, float]) -> Any:
    """An empty figure whose layout makes room for labels and legends.

    Raises
    ------
    MissingExtra
        matplotlib is not installed.
    """
    try:
        from matplotlib.backends.backend_agg import FigureCanvasAgg
        from matplotlib.figure import Figure
    except ImportError as error:
        raise MissingExtra("pictures need matplotlib: pip install matplotlib") from error
    made = Figure(figsize=size, layout="constrained")
    FigureCanvasAgg(made)
    return made


def axes(ax: Axes | None, size: tuple[float, float] = WIDE) -> Axes:
    """The axes given, or those of a new figure."""
    if ax is None:
        made: Axes = figure(size).add_subplot()
        ax = made
    elif not hasattr(ax, "plot") or not hasattr(ax, "figure"):
        raise UsageError(f"ax: must be the axes of matplotlib or None, got {type(ax).__name__}")
    ax.spines[["top", "right"]].set_visible(False)
    return ax


def spelled(look: dict[str, Any]) -> dict[str, Any]:
    """Looks under matplotlib's whole names: short ones would be told twice, beside ours.

    Examples
    --------
    >>> spelled({"lw": 2, "alpha": 0.5})
    {'linewidth': 2, 'alpha': 0.5}
    """
    twice = [short for short, whole in _SHORT.items() if short in look and whole in look]
    if twice:
        raise UsageError(f"{twice[0]}, {_SHORT[twice[0]]}: are the same; give one of them")
    return {_SHORT.get(name, name): value for name, value in look.items()}


def unit(ax: Axes, across: str, along: str) -> None:
    """Both axes from 0 to 1, as a square; a line on the border is seen in its full width."""
    span(ax, "x")
    span(ax, "y")
    ax.set_aspect("equal", adjustable="box")
    ax.set_anchor("W")
    ax.set_xlabel(across)
    ax.set_ylabel(along)


def span(ax: Axes, side: str) -> None:
    """One axis, "x" or "y", from 0 to 1."""
    if side == "x":
        ax.set_xlim(-0.01, 1.01)
        ax.set_xticks(_TICKS)
        ax.spines["bottom"].set_bounds(0, 1)
    else:
        ax.set_ylim(-0.01, 1.01)
        ax.set_yticks(_TICKS)
        ax.spines["left"].set_bounds(0, 1)


def powers(ax: Axes) -> None:
    """The horizontal axis in powers of ten, with small ticks at twice and five times them."""
    # Formulas for numbers, and nine ticks to a power, take longer than all the rest of a picture.
    from matplotlib.ticker import FuncFormatter, LogLocator, NullFormatter

    ax.set_xscale("log")
    ax.xaxis.set_major_formatter(FuncFormatter(lambda value, _: power(value)))
    ax.xaxis.set_minor_locator(LogLocator(subs=(2.0, 5.0), numticks=40))
    ax.xaxis.set_minor_formatter(NullFormatter())


def power(value: float) -> str:
    """A power of ten as it is read.

    Examples
    --------
    >>> power(1.0), power(1000.0), power(1e5), power(1e-3)
    ('1', '1000', '10⁵', '0.001')
    """
    exponent = round(math.log10(value))
    if -4 < exponent < 5:
        return f"{value:g}"
    return "10" + str(exponent).translate(str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹"))


def legend(ax: Axes, entries: Sequence[tuple[Any, str]], gap: float = GAP) -> Any:
    """A legend beside the axes, where it covers no data; None if there is nothing to say."""
    if not entries:
        return None
    made = ax.legend(
        [handle for handle, _ in entries], [words for _, words in entries],
        loc="upper left", bbox_to_anchor=(gap, 1.0), borderaxespad=0.0, frameon=False, handlelength=2.6,
        fontsize="small",
    )  # fmt: skip
    # matplotlib leaves the names out that begin with an underscore; here they are names like others.
    for text, (_, words) in zip(made.get_texts(), entries, strict=False):
        text.set_text(words)
    return made


def widen(ax: Axes, legend: Any, gap: float) -> None:
    """Make a figure as much wider as its legend is, so that the axes keep their size."""
    whole: Any = ax.figure
    with warnings.catch_warnings():
        # Letters that the font lacks are said when the picture is written.
        warnings.filterwarnings("ignore", "Glyph .* missing from")
        box = legend.get_window_extent(whole.canvas.get_renderer())
    width, height = whole.get_size_inches()
    more = box.width / whole.dpi + (gap - 1) * width * 0.8
    whole.set_size_inches(width + more, max(height, box.height / whole.dpi + 0.6))


def baseline(ax: Axes, height: float) -> Any:
    """A thin dashed line from left to right."""
    return ax.axhline(height, **GUIDE)


def tint(colour: str, number: int) -> dict[str, Any]:
    """An area with thin edges, which grey print shows, too; the second is darker and its edges dashed."""
    area = {"facecolor": (colour, 0.14 + 0.16 * (number % 3)), "edgecolor": (colour, 0.7)}
    return area | {"linewidth": 0.8, "linestyle": ("-", "--", ":")[number % 3], "zorder": 1 + number / 10}
