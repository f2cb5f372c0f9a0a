"""Figures, axes, legends and files of pictures, without pyplot: drawing needs no window and changes no global state."""

from __future__ import annotations

import io
import math
import os
import sys
import warnings
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self

import numpy as np

from precall.drawing import looks
from precall.errors import MissingExtra, UsageError
from precall.notes import warn
from precall.saving import save

if TYPE_CHECKING:
    from matplotlib.axes import Axes

#: Inches.
SQUARE = (5.0, 4.4)
WIDE = (6.4, 4.0)
#: Where legends begin, in widths of the axes.
GAP = 1.03
#: Dots per inch of PNG, and inches around what is drawn.
DOTS, PAD = 160, 0.1
#: Lines that say where something would be by chance, or that lead the eye.
GUIDE: dict[str, Any] = {"color": looks.GUIDE, "linewidth": 1, "linestyle": (0, (3, 2)), "zorder": 1}
_SHORT = {
    "c": "color", "lw": "linewidth", "ls": "linestyle", "ds": "drawstyle", "ms": "markersize", "mew": "markeredgewidth",
    "mec": "markeredgecolor", "mfc": "markerfacecolor", "ec": "edgecolor", "fc": "facecolor", "aa": "antialiased",
    "linewidths": "linewidth", "edgecolors": "edgecolor", "facecolors": "facecolor",
}  # fmt: skip
_TICKS = (0.0, 0.2, 0.4, 0.6, 0.8, 1.0)
#: No date, and nothing random: a picture made again is the same file.
_METADATA: dict[str, dict[str, Any]] = {
    ".png": {"Software": "precall"},
    ".svg": {"Date": None, "Creator": "precall"},
    ".pdf": {"CreationDate": None, "Creator": "precall"},
}
ENDINGS = tuple(_METADATA)
#: Backends of pyplot that show nothing.
_FILES_ONLY = ("agg", "cairo", "pdf", "pgf", "ps", "svg", "template")


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
    _entries: list[tuple[Any, str]]

    def plot(self, ax: Axes | None = None) -> Self:
        """Draw on `ax`, or on a new figure."""
        raise UsageError(f"{type(self).__name__} is what displays have in common; draw one of them")

    def _open(
        self, ax: Axes | None, look: dict[str, Any], size: tuple[float, float] = WIDE
    ) -> tuple[Axes, dict[str, Any]]:
        """The axes given, or those of a new figure; and looks under their whole names."""
        self._own = ax is None
        self.lines_, self._entries = {}, []
        if ax is None:
            made: Axes = figure(size).add_subplot()
            ax = made
        elif not hasattr(ax, "plot") or not hasattr(ax, "figure"):
            raise UsageError(f"ax: must be the axes of matplotlib or None, got {type(ax).__name__}")
        ax.spines[["top", "right"]].set_visible(False)
        return ax, spelled(look)

    def _line(self, name: Any, made: Any, words: str) -> None:
        """A line of data, or what is there for it."""
        self.lines_[name] = made
        self._say(made, words)

    def _say(self, made: Any, words: str) -> None:
        """What the legend says of something that is drawn."""
        self._entries.append((made, words))

    def _finish(self, ax: Axes, legend: bool = True, gap: float = GAP) -> Self:
        self.ax_, self.figure_ = ax, ax.figure
        self.line_ = next(iter(self.lines_.values()))
        self.legend_ = _legend(ax, self._entries, gap) if legend and self._entries else None
        if self.legend_ is not None and self._own:
            _widen(ax, self.legend_, gap)
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
        form = ending(path)
        self._ensure()
        save(rendered(self.figure_, form), path)

    def _ensure(self) -> None:
        """Draw with defaults what was not drawn yet."""
        if not hasattr(self, "figure_"):
            self.plot()

    def _repr_mimebundle_(self, include: Any = None, exclude: Any = None) -> Any:
        """The picture and its size, as the last line of a cell shows it; see `_repr_png_`."""
        data = self._repr_png_()
        if data is None:
            return None
        width, height = (round(int.from_bytes(data[at : at + 4]) * 96 / DOTS) for at in (16, 20))
        return {"image/png": data}, {"image/png": {"width": width, "height": height}}

    def _repr_png_(self) -> bytes | None:
        """The picture for notebooks, light or dark; nothing where pyplot shows the same figure anyhow."""
        self._ensure()
        return None if shown_by_pyplot(self.figure_) else on_any_ground(self.figure_)


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
    """Both axes from 0 to 1, as a square."""
    span(ax, "x")
    span(ax, "y")
    ax.set_aspect("equal", adjustable="box")
    ax.set_anchor("W")
    ax.set(xlabel=across, ylabel=along)


def span(ax: Axes, side: str) -> None:
    """One axis, "x" or "y", from 0 to 1; a line on the border is seen in its full width."""
    ax.set(**{f"{side}lim": (-0.01, 1.01), f"{side}ticks": _TICKS})
    ax.spines["bottom" if side == "x" else "left"].set_bounds(0, 1)


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


def _legend(ax: Axes, entries: list[tuple[Any, str]], gap: float) -> Any:
    """A legend beside the axes, where it covers no data."""
    handles, names = zip(*entries, strict=True)
    made = ax.legend(
        handles, names, loc="upper left", bbox_to_anchor=(gap, 1.0), borderaxespad=0.0, frameon=False,
        handlelength=2.6, fontsize="small",
    )  # fmt: skip
    # matplotlib leaves the names out that begin with an underscore; here they are names like others.
    for text, name in zip(made.get_texts(), names, strict=False):
        text.set_text(name)
    return made


def _widen(ax: Axes, legend: Any, gap: float) -> None:
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


def dots(colour: str, marker: str = "o", size: float = 5) -> dict[str, Any]:
    """Values as points that no line joins."""
    return {"marker": marker, "markersize": size, "color": colour, "linestyle": "none"}


def prefixed(name: str, text: str) -> str:
    """A legend's words about a system, behind its name if it has one."""
    return f"{looks.plain(name)}, {text}" if name else text


def entitled(name: str, measure: str, value: float) -> str:
    """What a legend says of a curve.

    Examples
    --------
    >>> entitled("bm25", "AP", 0.51234), entitled("", "AP", 0.51234)
    ('bm25 (AP 0.512)', 'AP 0.512')
    """
    text = f"{measure} {value:.3f}"
    return f"{looks.plain(name)} ({text})" if name else text


def told(label: str, threshold: float) -> str:
    """What a legend says of an operating point."""
    at = f"threshold {looks.number(threshold)}"
    return f"{label} ({at})" if label else at


def ending(path: str | Path) -> str:
    """The ending of a picture's name, in lower case.

    Examples
    --------
    >>> ending("curve.SVG")
    '.svg'
    """
    suffix = Path(path).suffix.lower()
    if suffix not in ENDINGS:
        raise UsageError(f"{os.fspath(path)}: a picture's name must end in {', '.join(ENDINGS)}")
    return suffix


def shown_by_pyplot(figure: Any) -> bool:
    """Whether the figure is one of pyplot's, and these are shown when the cell ends or in windows."""
    pyplot = sys.modules.get("matplotlib.pyplot")
    number = getattr(figure, "number", None)
    if pyplot is None or number is None or not pyplot.fignum_exists(number):
        return False
    return pyplot.get_backend().lower() not in _FILES_ONLY


def on_any_ground(figure: Any, *cells: Any) -> bytes:
    """A picture as PNG, without a ground of its own; if that is dark by a style of the user's it stays as it is.

    The inside of the axes `cells` keeps its colours.
    """
    from matplotlib.colors import to_rgba
    from PIL import Image

    from precall.drawing import grounds

    ground = to_rgba(figure.get_facecolor())
    if ground[3] and grounds.luminance(ground[:3]) < 0.5:
        return rendered(figure, ".png")
    picture = np.asarray(Image.open(io.BytesIO(rendered(figure, ".png", transparent=True))).convert("RGBA"))
    made = grounds.anywhere(picture)
    for ax in cells:
        left, right, top, bottom = _place(figure, ax)
        made[top:bottom, left:right] = picture[top:bottom, left:right]
    out = io.BytesIO()
    Image.fromarray(made).save(out, "png")
    return out.getvalue()


def _place(figure: Any, ax: Any) -> list[int]:
    """Left, right, top and bottom of axes in the file of their figure, in pixels."""
    dots = figure.dpi
    figure.set_dpi(DOTS)
    try:
        # Letters, and so the layout, differ a little by the dots per inch.
        figure.canvas.draw()
        edge = figure.get_tightbbox(figure.canvas.get_renderer()).padded(PAD)
        box = ax.get_window_extent().transformed(figure.dpi_scale_trans.inverted())
    finally:
        figure.set_dpi(dots)
    across, down = (box.x0 - edge.x0, box.x1 - edge.x0), (edge.y1 - box.y1, edge.y1 - box.y0)
    return [round(inches * DOTS) for inches in (*across, *down)]


def rendered(figure: Any, form: str, transparent: bool = False) -> bytes:
    """The file of a figure; `form` is one of `ENDINGS`. Nothing that was drawn or written is cut off."""
    import matplotlib

    out = io.BytesIO()
    with warnings.catch_warnings(record=True) as caught, matplotlib.rc_context({"svg.hashsalt": "precall"}):
        warnings.simplefilter("always")
        figure.savefig(
            out,
            format=form[1:],
            dpi=DOTS,
            metadata=_METADATA[form],
            bbox_inches="tight",
            pad_inches=PAD,
            transparent=transparent,
        )
    lacking = ["missing from font" in str(warning.message) for warning in caught]
    if any(lacking):
        warn("the font of the picture lacks some characters of its names; boxes stand for them")
    for warning, known in zip(caught, lacking, strict=True):
        if not known:
            warnings.warn_explicit(warning.message, warning.category, warning.filename, warning.lineno)
    return out.getvalue()
