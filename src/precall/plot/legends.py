"""Which lines a legend names, and where it goes: into a corner that is empty, else beside the axes
or below them.
"""

from __future__ import annotations

import math
import warnings
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from precall.core.arguments import check_whole, is_whole
from precall.core.errors import Among, Kind, UsageError
from precall.plot.shared import looks

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    Entries = list[tuple[Any, str]]

#: More lines than this nobody tells apart; then so many have a colour, which is how many colours
#: there are.
MANY, _COLOURED = 12, 6
_CORNERS = ("lower right", "upper right", "lower left", "upper left")
#: Of the axes' width and height, at most this much may be a legend inside.
_WIDE, _HIGH = 0.8, 0.5
#: Pixels at 72 dots per inch that stay free around a legend inside.
_ROOM = 5
#: A legend wider than this share of the axes stands below them: of a figure that grows, and of one
#: that does not.
_NARROW, _TAKEN = 0.8, 0.5
#: Of a figure that does not grow at most this share of the height is a legend of one column.
_LOW = 0.4


def highlighted(values: Mapping[str, float], highlight: Any) -> dict[str, int]:
    """Names that have a colour, with its place; all others are grey.

    Parameters
    ----------
    values : what each is worth, greatest best; those that are highlighted by number are the first.
    highlight : names, or one; how many; "all"; None: all up to 12, of more the first 6.

    Examples
    --------
    >>> (
    ...     highlighted({"a": 0.1, "b": 0.3, "c": 0.2}, 2),
    ...     highlighted({"a": 0.1, "b": 0.3, "c": 0.2}, ["a"]),
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
            f"no {unknown[0]!r}", argument="highlight", allowed=Among("there are", names)
        )
    # Colours in the order of the legend, which is that of the names.
    return {name: place for place, name in enumerate(name for name in names if name in wanted)}


def grey() -> dict[str, Any]:
    """Looks of lines that are not highlighted."""
    return {
        "color": looks.guide(),
        "linewidth": 0.8,
        "alpha": 0.45,
        "linestyle": "-",
        "zorder": 2,
        "marker": None,
    }


def placed(ax: Axes, entries: Entries, gap: float, own: bool) -> Any:
    """A legend of these lines; `gap` is where it begins beside the axes, in their width; `own`
    figures grow with it.
    """
    made = _draw_legend(ax, entries, loc="upper left", bbox_to_anchor=(gap, 1.0), borderaxespad=0.0)
    # What a square leaves empty belongs to no axes; limits that wait for a drawing are asked for.
    ax.apply_aspect()
    ax.get_xlim(), ax.get_ylim()
    box = _extent(made)
    whole = ax.get_window_extent()
    room = _ROOM * _figure(ax).dpi / 72
    if box.width <= _WIDE * whole.width and box.height <= _HIGH * whole.height:
        corner = _empty(ax, box.width + 2 * room, box.height + 2 * room)
        if corner is not None:
            # Where the ground of the axes is not that of the figure, its ink is another, too.
            return _draw_legend(ax, entries, loc=corner, borderaxespad=0.6, labelcolor=looks.ink())
    free = _free(ax)
    if box.width > free + _beside(ax, own) * whole.width:
        return _below(ax, entries, box, own)
    if own:
        _widen(ax, box, gap)
    return made


def _draw_legend(ax: Axes, entries: Entries, **place: Any) -> Any:
    handles, names = zip(*entries, strict=True)
    made = ax.legend(handles, names, frameon=False, handlelength=2.6, fontsize="small", **place)
    # matplotlib leaves the names out that begin with an underscore; here they are names like
    # others.
    for text, name in zip(made.get_texts(), names, strict=False):
        text.set_text(name)
    return made


def _figure(ax: Axes) -> Any:
    """The whole figure of axes, which may stand in a part of one."""
    figure: Any = ax.figure
    return (
        figure.get_figure(root=True)
        if hasattr(figure, "get_figure") and figure.get_figure()
        else figure
    )


def _extent(artist: Any) -> Any:
    with warnings.catch_warnings():
        # Letters that the font lacks are said when the picture is written.
        warnings.filterwarnings("ignore", "Glyph .* missing from")
        return artist.get_window_extent()


def _empty(ax: Axes, width: float, height: float) -> str | None:
    """The first corner in which nothing is drawn."""
    from matplotlib.transforms import Bbox

    whole = ax.get_window_extent()
    for corner in _CORNERS:
        x = whole.x1 - width if "right" in corner else whole.x0
        y = whole.y1 - height if "upper" in corner else whole.y0
        if not _is_drawn_in(ax, Bbox.from_bounds(x, y, width, height)):
            return corner
    return None


def _is_drawn_in(ax: Axes, box: Any) -> bool:
    """Whether a line, an area, a point or a word is in a box of pixels."""
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
    """Whether a marker may be in the box; a path of one point has no line that could cross it."""
    inside = (points[:, 0] >= box.x0) & (points[:, 0] <= box.x1)
    return bool((inside & (points[:, 1] >= box.y0) & (points[:, 1] <= box.y1)).any())


def _free(ax: Axes) -> float:
    """Pixels at the right of the axes that their place in the figure leaves empty, as beside a
    square in a wide one.
    """
    place = ax.get_position(original=True).transformed(ax.figure.transSubfigure)
    return max(0.0, float(place.x1 - ax.get_window_extent().x1))


def _beside(ax: Axes, own: bool) -> float:
    """How wide a legend beside the axes may be, in their width; without a layout nothing could
    stand below, either.
    """
    return _NARROW if own else _TAKEN if _figure(ax).get_layout_engine() is not None else math.inf


def _below(ax: Axes, entries: Entries, box: Any, own: bool) -> Any:
    """The legend below the axis, in as many columns as fit."""
    from matplotlib.transforms import ScaledTranslation

    figure, whole = _figure(ax), ax.get_window_extent()
    axis = ax.xaxis.get_tightbbox()
    down = whole.y0 - (whole.y0 if axis is None else axis.y0)
    # In inches: the axes may become lower, but not what stands below them.
    under = ScaledTranslation(0.0, -down / figure.dpi - _ROOM / 72, figure.dpi_scale_trans)
    columns = max(1, min(len(entries), int(whole.width / box.width)))
    most = figure.get_window_extent().width - whole.x0
    if not own:
        columns = max(
            columns, min(3, math.ceil(box.height / (_LOW * figure.get_window_extent().height)))
        )
        most /= columns
    made = _draw_legend(
        ax,
        entries,
        loc="upper left",
        bbox_to_anchor=(0.0, 0.0),
        bbox_transform=ax.transAxes + under,
        borderaxespad=0.0,
        ncols=columns,
    )
    if not own and box.width > most:
        for text in made.get_texts():
            # The end of a name, which has its value, stays.
            text.set_text(
                looks.short(
                    text.get_text(), max(8, int(len(text.get_text()) * 0.9 * most / box.width))
                )
            )
    if own:
        width, height = figure.get_size_inches()
        lower = _extent(made)
        wider = max(0.0, (lower.width - whole.width) / figure.dpi)
        figure.set_size_inches(width + wider, height + lower.height / figure.dpi + 0.1)
    return made


def _widen(ax: Axes, box: Any, gap: float) -> None:
    """Make a figure as much wider as its legend is, so that the axes keep their size."""
    whole = _figure(ax)
    width, height = whole.get_size_inches()
    more = box.width / whole.dpi + (gap - 1) * width * 0.8
    whole.set_size_inches(width + more, max(height, box.height / whole.dpi + 0.6))
