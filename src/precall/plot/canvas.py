"""Figures, axes, legends and files of pictures, without pyplot: drawing needs no window and changes
no global state.
"""

from __future__ import annotations

import math
import re
import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from difflib import get_close_matches
from functools import wraps
from inspect import signature
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self

import numpy as np

from precall.core.arguments import is_number
from precall.core.errors import Kind, PrecallError, UsageError, require_module
from precall.core.ragged import Float64
from precall.core.saving import save
from precall.plot import files, legends
from precall.plot.shared import logit, styles

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.legend import Legend
    from matplotlib.lines import Line2D

    from precall.cases import OperatingPoint

#: Inches.
SQUARE = (5.0, 4.4)
WIDE = (6.4, 4.0)
#: Where legends begin, as a multiple of the width of the axes.
GAP = 1.03
_SHORT = {
    "c": "color",
    "lw": "linewidth",
    "ls": "linestyle",
    "ds": "drawstyle",
    "ms": "markersize",
    "mew": "markeredgewidth",
    "mec": "markeredgecolor",
    "mfc": "markerfacecolor",
    "ec": "edgecolor",
    "fc": "facecolor",
    "aa": "antialiased",
    "linewidths": "linewidth",
    "edgecolors": "edgecolor",
    "facecolors": "facecolor",
}
_TICKS = (0.0, 0.2, 0.4, 0.6, 0.8, 1.0)


class Display:
    """Something that can be drawn.

    Attributes
    ----------
    ax_ : the axes drawn on, after `plot` was called.
    figure_ : their figure.
    line_ : the first line (bars, points) of data.
    lines_ : all lines, by name.
    legend_ : the legend, or None if there is none.
    """

    def __init_subclass__(cls, **given: Any) -> None:
        """Give every `plot` of a display the colours of its ground, and precall's own errors."""
        super().__init_subclass__(**given)
        if "plot" in vars(cls):
            cls.plot = _in_words(cls.plot)  # type: ignore[method-assign]

    ax_: Axes
    figure_: Any
    line_: Line2D
    lines_: dict[Any, Any]
    legend_: Legend | None
    _own: bool
    _entries: list[tuple[Any, str]]

    def plot(self, ax: Axes | None = None) -> Self:
        """Draw on `ax`, or on a new figure."""
        raise UsageError(
            f"{type(self).__name__} is the base class of displays", remedy="draw one of them"
        )

    def _open(
        self,
        ax: Axes | None,
        look: dict[str, Any],
        size: tuple[float, float] = WIDE,
        title: str | None = None,
    ) -> tuple[Axes, dict[str, Any]]:
        """The given axes, or those of a new figure, with their title; and the looks under
        matplotlib's full names.
        """
        self._own = ax is None
        self.lines_, self._entries = {}, []
        if ax is None:
            axes: Axes = figure(size).add_subplot()
            ax = axes
        elif not hasattr(ax, "plot") or not hasattr(ax, "figure"):
            raise UsageError(argument="ax", allowed="the axes of matplotlib or None", got=Kind(ax))
        ax.spines[["top", "right"]].set_visible(False)
        if title is not None:
            ax.set_title(styles.lines(title), fontsize="medium", loc="left")
        return ax, with_full_names(look)

    def _line(self, name: object, made: object, words: str) -> None:
        """Keep a line of data, or the artist that stands for it, and its words in the legend."""
        self.lines_[name] = made
        self._say(made, words)

    def _say(self, made: object, words: str) -> None:
        """Add an artist and its words to the legend."""
        self._entries.append((made, words))

    def _finish(self, ax: Axes, legend: bool = True, gap: float = GAP) -> Self:
        self.ax_, self.figure_ = ax, ax.figure
        self.line_ = next(iter(self.lines_.values()))
        self.legend_ = (
            legends.place(ax, self._entries, gap, self._own) if legend and self._entries else None
        )
        return self

    def save(self, path: str | Path) -> None:
        """Write the picture, completely or not at all. If it was not drawn yet, draw it with
        defaults.

        Parameters
        ----------
        path : the file's name; its ending, .png, .svg or .pdf, selects the format.

        Raises
        ------
        UsageError
            The file name has another ending.
        MissingExtra
            matplotlib is not installed.
        """
        form = files.ending(path)
        self._ensure()
        save(files.render(self.figure_, form), path)

    def _ensure(self) -> None:
        """Draw with defaults, if nothing was drawn yet."""
        if not hasattr(self, "figure_"):
            self.plot()

    def _repr_mimebundle_(self, include: object = None, exclude: object = None) -> Any:
        """The picture and its size, for the output of a notebook cell; see `_repr_png_`."""
        data = self._repr_png_()
        if data is None:
            return None
        return {"image/png": data}, {"image/png": files.size_of(data)}

    def _repr_png_(self) -> bytes | None:
        """The picture for notebooks, light or dark; None if pyplot shows the same figure anyway."""
        self._ensure()
        return None if files.shown_by_pyplot(self.figure_) else files.on_any_ground(self.figure_)


def _in_words(plot: Callable[..., object]) -> Callable[..., Any]:
    """A drawing method that uses the colours of its ground, and turns matplotlib's errors into
    precall's own.
    """

    @wraps(plot)
    def drawn(self: object, *places: Any, **given: Any) -> Any:
        # `ax` can be given by name only, as scikit-learn's confusion matrices require.
        with styles.on(ground_of(places[0] if places else given.get("ax"))):
            try:
                return plot(self, *places, **given)
            except PrecallError:
                raise
            except (AttributeError, TypeError, ValueError) as error:
                if not _of_matplotlib(error):
                    raise
                parameters = [name for name in signature(plot).parameters if name != "self"]
                raise UsageError(
                    _refusal(type(self).__name__, str(error), parameters, given)
                ) from error

    return drawn


def _of_matplotlib(error: Exception) -> bool:
    """Whether matplotlib raised this error."""
    trace = error.__traceback__
    while trace is not None and trace.tb_next is not None:
        trace = trace.tb_next
    return trace is not None and "matplotlib" in trace.tb_frame.f_globals.get("__name__", "")


def _refusal(name: str, message: str, known: list[str], given: Mapping[str, object]) -> str:
    """A message that names the argument matplotlib refused, and the allowed ones."""
    looks_at = "looks of matplotlib such as color, linewidth, linestyle, alpha, marker"
    allowed = f"{', '.join(known[:-1])}, and {looks_at}"
    unknown = re.search(r"unexpected keyword argument '(\w+)'", message)
    if unknown is None:
        # matplotlib's message says which value is wrong.
        return (
            f"{name}.plot: {message[:1].lower()}{message[1:].rstrip('.')}; give another look, or "
            "leave it out"
        )
    word = next(
        (short for short, full in _SHORT.items() if full == unknown[1] and short in given),
        unknown[1],
    )
    near = get_close_matches(word, [*known, *_SHORT.values(), "alpha", "marker", "zorder"], 1, 0.75)
    meant = f"; did you mean {near[0]}?" if near else ""
    return f"{word}: is no argument of {name}.plot; allowed are {allowed}{meant}"


def ground_of(ax: object) -> str | None:
    """The background colour of the axes, their figure, or the style in use; None if none of them is
    set.
    """
    matplotlib = sys.modules.get("matplotlib")
    if matplotlib is None:
        return None
    from matplotlib.colors import to_hex, to_rgba

    rc = matplotlib.rcParams
    figure_: Any = getattr(ax, "figure", None)
    grounds = [rc["axes.facecolor"], rc["figure.facecolor"]]
    if hasattr(ax, "get_facecolor") and hasattr(figure_, "get_facecolor"):
        grounds = [ax.get_facecolor(), figure_.get_facecolor()]
    for ground in map(to_rgba, grounds):
        if ground[3] > 0.5:
            return to_hex(ground)
    # Without a background, the colour of the text tells whether the picture is for a dark one.
    return "#1e1e1e" if not styles.is_dark(to_hex(rc["text.color"])) else None


def figure(size: tuple[float, float]) -> Any:
    """An empty figure whose layout makes room for labels and legends.

    Raises
    ------
    MissingExtra
        matplotlib is not installed.
    """
    figures, agg = (
        require_module(f"matplotlib.{module}", "pictures need matplotlib")
        for module in ("figure", "backends.backend_agg")
    )
    empty = figures.Figure(figsize=size, layout="constrained")
    agg.FigureCanvasAgg(empty)
    return empty


def with_full_names(look: dict[str, Any]) -> dict[str, Any]:
    """Looks under matplotlib's full names. Short names would be passed twice, beside precall's own.

    Examples
    --------
    >>> with_full_names({"lw": 2, "alpha": 0.5})
    {'linewidth': 2, 'alpha': 0.5}
    """
    twice = [short for short, full in _SHORT.items() if short in look and full in look]
    if twice:
        raise UsageError(
            argument=f"{twice[0]}, {_SHORT[twice[0]]}",
            what="are the same",
            remedy="give one of them",
        )
    return {_SHORT.get(name, name): value for name, value in look.items()}


def several(name: str, given: object, what: str) -> list[Any]:
    """The given names or numbers as a list; a single one is allowed. `what` says which are allowed.

    Examples
    --------
    >>> (
    ...     several("budgets", 10, "ranks"),
    ...     several("measures", "recall", "names"),
    ...     several("iso_f", (0.2, 0.4), "numbers"),
    ... )
    ([10], ['recall'], [0.2, 0.4])
    """
    if isinstance(given, str) or is_number(given):
        return [given]
    if not isinstance(given, Iterable):
        raise UsageError(argument=name, allowed=what, got=Kind(given))
    return list(given)


def unit(ax: Axes, across: str, along: str) -> None:
    """Let both axes run from 0 to 1, as a square."""
    span(ax, "x")
    span(ax, "y")
    ax.set_aspect("equal", adjustable="box")
    ax.set_anchor("W")
    ax.set(xlabel=across, ylabel=along)


def list_names(ax: Axes, names: Sequence[str], margin: float) -> Float64:
    """The heights of a line for each name, the first at the top; a margin above and below."""
    heights = np.arange(len(names), dtype=np.float64)
    ax.set_yticks(heights, [styles.escape_name(name) for name in names])
    ax.set_ylim(len(names) - 1 + margin, -margin)
    ax.tick_params(axis="y", length=0)
    ax.spines["left"].set_visible(False)
    ax.grid(axis="x", color=styles.faint(), linewidth=0.5)
    ax.set_axisbelow(True)
    return heights


def span(ax: Axes, side: str) -> None:
    """Let one axis, "x" or "y", run from 0 to 1. Lines on the border keep their full width."""
    ax.set(**{f"{side}lim": (-0.01, 1.01), f"{side}ticks": _TICKS})
    ax.spines["bottom" if side == "x" else "left"].set_bounds(0, 1)


def powers(ax: Axes) -> None:
    """Show the horizontal axis in powers of ten, with small ticks at their two- and fivefold."""
    # Labels as formulas, and nine ticks per power of ten, would take longer than the rest of the
    # picture.
    from matplotlib.ticker import FuncFormatter, LogLocator, NullFormatter

    ax.set_xscale("log")
    ax.xaxis.set_major_formatter(FuncFormatter(lambda value, _: power(value)))
    ax.xaxis.set_minor_locator(LogLocator(subs=(2.0, 5.0), numticks=40))
    ax.xaxis.set_minor_formatter(NullFormatter())


def shares(ax: Axes, ends: tuple[float, float]) -> None:
    """Make the x axis even in log(p / (1 - p)) between these ends; see `drawing.logit`."""
    from matplotlib.ticker import NullLocator

    ax.set_xscale("logit", nonpositive="clip")
    ax.set_xlim(*ends)
    # A label takes about half an inch, including some space.
    width = ax.get_window_extent().transformed(ax.figure.dpi_scale_trans.inverted()).width
    values, names = zip(*logit.ticks(*ends, most=max(2, int(1.5 * width))), strict=True)
    ax.set_xticks(values, names)
    ax.xaxis.set_minor_locator(NullLocator())


def power(value: float) -> str:
    """A power of ten as text for a label.

    Examples
    --------
    >>> power(1.0), power(1000.0), power(1e5), power(1e-3)
    ('1', '1000', '10⁵', '0.001')
    """
    exponent = round(math.log10(value))
    if -4 < exponent < 5:
        return f"{value:g}"
    return "10" + str(exponent).translate(str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹"))


def guide() -> dict[str, Any]:
    """Looks of lines that show random selection or that guide the eye."""
    return {"color": styles.guide(), "linewidth": 1, "linestyle": (0, (3, 2)), "zorder": 1}


def baseline(ax: Axes, height: float) -> Line2D:
    """A thin dashed line from left to right."""
    return ax.axhline(height, **guide())


def tint(colour: str, number: int) -> dict[str, Any]:
    """Looks of an area with thin edges, which are visible in grey print as well. The second area is
    darker and its edges are dashed.
    """
    area = {"facecolor": (colour, 0.14 + 0.16 * (number % 3)), "edgecolor": (colour, 0.7)}
    return area | {
        "linewidth": 0.8,
        "linestyle": ("-", "--", ":")[number % 3],
        "zorder": 1 + number / 10,
    }


def dots(colour: str, marker: str = "o", size: float = 5) -> dict[str, Any]:
    """Looks of values drawn as points without a line."""
    return {"marker": marker, "markersize": size, "color": colour, "linestyle": "none"}


def prefix(name: str, text: str) -> str:
    """Words of a legend about a system, preceded by the system's name if it has one."""
    return f"{styles.escape_name(name)}, {text}" if name else text


def legend_entry(name: str, measure: str, value: float) -> str:
    """The words of a legend about a curve.

    Examples
    --------
    >>> legend_entry("bm25", "AP", 0.51234), legend_entry("", "AP", 0.51234)
    ('bm25 (AP 0.512)', 'AP 0.512')
    """
    text = f"{measure} {value:.3f}"
    return f"{styles.escape_name(name)} ({text})" if name else text


def name_point(label: str, point: OperatingPoint) -> str:
    """The words of a legend about an operating point."""
    sign = "" if point.higher_is_better else "\u2264 "
    at = f"threshold {sign}{styles.number(point.threshold)}"
    return f"{label} ({at})" if label else at
