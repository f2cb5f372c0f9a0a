"""Chooses the lines that a legend names, and its position: an empty corner, else beside the axes or
below them.
"""

from __future__ import annotations

import math
import warnings
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from precall.core.arguments import check_whole, is_whole
from precall.core.errors import Among, Kind, UsageError
from precall.plot.shared import styles

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.legend import Legend

    Entries = list[tuple[Any, str]]

#: Nobody can tell more lines than this apart. With more, only as many as there are colours are
#: coloured.
MANY, _COLOURED = 12, 6
_CORNERS = ("lower right", "upper right", "lower left", "upper left")
#: A legend inside the axes takes at most these shares of their width and height.
_WIDE, _HIGH = 0.8, 0.5
#: Pixels at 72 dots per inch kept free around a legend inside the axes.
_ROOM = 5
#: A legend wider than this share of the axes stands below them: for a figure that grows, and for
#: one of fixed size.
_NARROW, _TAKEN = 0.8, 0.5
#: In a figure of fixed size, a legend with one column takes at most this share of the height.
_LOW = 0.4


def choose_colours(values: Mapping[str, float], highlight: object) -> dict[str, int]:
    """Names that have a colour → index of their colour; all others are grey.

    Parameters
    ----------
    values : value of each name, greatest best; highlighting by number takes the first ones.
    highlight : names, or one name; a number; "all"; None: all if there are at most 12, else the
        first 6.

    Examples
    --------
    >>> (
    ...     choose_colours({"a": 0.1, "b": 0.3, "c": 0.2}, 2),
    ...     choose_colours({"a": 0.1, "b": 0.3, "c": 0.2}, ["a"]),
    ... )
    ({'b': 0, 'c': 1}, {'a': 0})
    """
    names = list(values)
    if highlight is None:
        highlight = _COLOURED if len(names) > MANY else "all"
    if isinstance(highlight, str):
        highlight = names if highlight == "all" and "all" not in names else [highlight]
    if is_whole(highlight):
        best = sorted(names, key=lambda name: -np.nan_to_num(values[name], nan=-np.inf))
        wanted = best[: check_whole("highlight", highlight, 0)]
    elif isinstance(highlight, Iterable):
        wanted = list(map(str, highlight))
    else:
        raise UsageError(
            argument="highlight", allowed="names, a number of them or 'all'", got=Kind(highlight)
        )
    unknown = [name for name in wanted if name not in values]
    if unknown:
        raise UsageError(
            "no {got}", argument="highlight", got=unknown[0], allowed=Among("there are", names)
        )
    # Colours follow the order of the legend, which is the order of the names.
    return {name: index for index, name in enumerate(name for name in names if name in wanted)}


def grey() -> dict[str, Any]:
    """Looks of lines that are not highlighted."""
    return {
        "color": styles.guide(),
        "linewidth": 0.8,
        "alpha": 0.45,
        "linestyle": "-",
        "zorder": 2,
        "marker": None,
    }


def place(ax: Axes, entries: Entries, gap: float, own: bool) -> Legend:
    """A legend of these lines. `gap` is the distance at which it begins beside the axes, as a
    multiple of their width. Figures that are `own` grow with it.
    """
    legend = _draw_legend(
        ax, entries, loc="upper left", bbox_to_anchor=(gap, 1.0), borderaxespad=0.0
    )
    # A square shape leaves part of the place of the axes empty; `apply_aspect` updates their real
    # limits.
    ax.apply_aspect()
    ax.get_xlim(), ax.get_ylim()
    box = _extent(legend)
    extent = ax.get_window_extent()
    room = _ROOM * _figure(ax).dpi / 72
    if box.width <= _WIDE * extent.width and box.height <= _HIGH * extent.height:
        corner = _empty(ax, box.width + 2 * room, box.height + 2 * room)
        if corner is not None:
            # If the ground of the axes differs from that of the figure, the colour of the text
            # differs as well.
            return _draw_legend(ax, entries, loc=corner, borderaxespad=0.6, labelcolor=styles.ink())
    free = _free(ax)
    if box.width > free + _greatest_width(ax, own) * extent.width:
        return _below(ax, entries, box, own)
    if own:
        _widen(ax, box, gap)
    return legend


def _draw_legend(ax: Axes, entries: Entries, **place: Any) -> Legend:
    handles, names = zip(*entries, strict=True)
    legend = ax.legend(handles, names, frameon=False, handlelength=2.6, fontsize="small", **place)
    # matplotlib omits names that begin with an underscore; here they are ordinary names.
    for text, name in zip(legend.get_texts(), names, strict=False):
        text.set_text(name)
    return legend


def _figure(ax: Axes) -> Any:
    """The figure of the axes, even if they stand in a subfigure."""
    figure: Any = ax.figure
    return (
        figure.get_figure(root=True)
        if hasattr(figure, "get_figure") and figure.get_figure()
        else figure
    )


def _extent(artist: Any) -> Any:
    with warnings.catch_warnings():
        # Letters that the font lacks are reported when the picture is written.
        warnings.filterwarnings("ignore", "Glyph .* missing from")
        return artist.get_window_extent()


def _empty(ax: Axes, width: float, height: float) -> str | None:
    """The first corner that nothing is drawn in; None if there is none."""
    from matplotlib.transforms import Bbox

    extent = ax.get_window_extent()
    for corner in _CORNERS:
        x = extent.x1 - width if "right" in corner else extent.x0
        y = extent.y1 - height if "upper" in corner else extent.y0
        if not _is_drawn_in(ax, Bbox.from_bounds(x, y, width, height)):
            return corner
    return None


def _is_drawn_in(ax: Axes, box: Any) -> bool:
    """Whether a line, an area, a point or a text lies in a box of pixels."""
    for line in ax.lines:
        path = line.get_transform().transform_path(line.get_path())
        if path.intersects_bbox(box, filled=False) or _points_in(path.vertices, box):
            return True
    for patch in ax.patches:
        path = patch.get_transform().transform_path(patch.get_path())
        if path.intersects_bbox(box, filled=bool(patch.get_fill())):
            return True
    for drawn in ax.collections:
        offsets = drawn.get_offset_transform().transform(drawn.get_offsets())
        if len(offsets) > 1 and _points_in(offsets, box):
            return True
        for path in drawn.get_paths() if len(offsets) <= 1 else ():
            filled = len(drawn.get_facecolor()) > 0
            if drawn.get_transform().transform_path(path).intersects_bbox(box, filled=filled):
                return True
    return any(box.overlaps(_extent(text)) for text in ax.texts)


def _points_in(points: Any, box: Any) -> bool:
    """Whether a marker may lie in the box. A path of one point has no line to cross it."""
    inside = (points[:, 0] >= box.x0) & (points[:, 0] <= box.x1)
    return bool((inside & (points[:, 1] >= box.y0) & (points[:, 1] <= box.y1)).any())


def _free(ax: Axes) -> float:
    """Empty pixels to the right of the axes, such as those beside a square in a wide figure."""
    position = ax.get_position(original=True).transformed(ax.figure.transSubfigure)
    return max(0.0, float(position.x1 - ax.get_window_extent().x1))


def _greatest_width(ax: Axes, own: bool) -> float:
    """Greatest width of a legend beside the axes, as a share of their width. Without a layout, a
    legend has no room below either.
    """
    return _NARROW if own else _TAKEN if _figure(ax).get_layout_engine() is not None else math.inf


def _below(ax: Axes, entries: Entries, box: Any, own: bool) -> Legend:
    """Draw the legend below the axis, in as many columns as fit."""
    from matplotlib.transforms import ScaledTranslation

    figure, extent = _figure(ax), ax.get_window_extent()
    axis = ax.xaxis.get_tightbbox()
    down = extent.y0 - (extent.y0 if axis is None else axis.y0)
    # In inches, because the axes may become lower, but the text below them does not.
    under = ScaledTranslation(0.0, -down / figure.dpi - _ROOM / 72, figure.dpi_scale_trans)
    columns = max(1, min(len(entries), int(extent.width / box.width)))
    most = figure.get_window_extent().width - extent.x0
    if not own:
        columns = max(
            columns, min(3, math.ceil(box.height / (_LOW * figure.get_window_extent().height)))
        )
        most /= columns
    legend = _draw_legend(
        ax,
        entries,
        loc="upper left",
        bbox_to_anchor=(0.0, 0.0),
        bbox_transform=ax.transAxes + under,
        borderaxespad=0.0,
        ncols=columns,
    )
    if not own and box.width > most:
        for text in legend.get_texts():
            # Keep the end of a name, because it holds the value.
            text.set_text(
                styles.short(
                    text.get_text(), max(8, int(len(text.get_text()) * 0.9 * most / box.width))
                )
            )
    if own:
        width, height = figure.get_size_inches()
        lower = _extent(legend)
        wider = max(0.0, (lower.width - extent.width) / figure.dpi)
        figure.set_size_inches(width + wider, height + lower.height / figure.dpi + 0.1)
    return legend


def _widen(ax: Axes, box: Any, gap: float) -> None:
    """Widen a figure by the width of its legend, so that the axes keep their size."""
    figure = _figure(ax)
    width, height = figure.get_size_inches()
    more = box.width / figure.dpi + (gap - 1) * width * 0.8
    figure.set_size_inches(width + more, max(height, box.height / figure.dpi + 0.6))
