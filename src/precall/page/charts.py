"""Charts: curves with bands, guides and marked points; values with intervals as dots; hits as
strips.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import chain

from precall.page.axes import Axes, Scale, below_rows, room, zero_of_rows
from precall.page.markup import element, fill, label, picture, place, stroke
from precall.page.templates import Markup, escape_text
from precall.plot.shared import styles
from precall.plot.shared.styles import short

#: Approximate width of a letter in a legend, and in a name beside its value.
LETTER, WIDE = 6.2, 6.8
#: Number of ranks per topic that a record holds and a strip shows; each takes one bit.
DEPTH = 48
#: Longer names are cut in legends; tables show them in full.
_LONGEST = 34


@dataclass(frozen=True, slots=True)
class ChartLine:
    """A line through points; in the legend if it has a name. Its `place`, from 0, selects colour
    and dashes.
    """

    name: str
    x: Sequence[float]
    y: Sequence[float]
    place: int = 0
    #: See `polyline`.
    step: str = ""
    #: x, low, high.
    band: tuple[Sequence[float], Sequence[float], Sequence[float]] | tuple[()] = ()
    #: A marked point.
    point: tuple[float, float] | tuple[()] = ()
    #: Index of the system whose point and band a script moves; and whether the band is visible
    #: before.
    moving: int | None = None
    shown: bool = True
    #: Thin and grey.
    guide: bool = False
    #: Sign for an entry in the legend without a line: "dot" or "area".
    sign: str = ""


def line_chart(
    title: str,
    description: str,
    across: str,
    upwards: str,
    lines: Sequence[ChartLine],
    *,
    key: str,
    x: tuple[float, float] = (0.0, 1.0),
    y: tuple[float, float] = (0.0, 1.0),
    height: float = 200,
    columns: tuple[str, str] | tuple[()] = (),
    scale: type[Scale] = Scale,
) -> Markup:
    """Lines over one pair of named axes with these ends. `columns` are the values that the chart
    shows of a point moved by a script.

    `scale` is the scale of the horizontal axis.

    Examples
    --------
    >>> chart = line_chart(
    ...     "PR", "One.", "recall", "precision", [ChartLine("a<b", [0, 1], [1, 0.5])], key="c1"
    ... )
    >>> "a&lt;b" in chart, chart.count("<path")
    (True, 4)
    """
    width = 336
    axes = Axes.of(x, y, width - 60, height)
    axes = Axes(scale(*x, axes.x.start, axes.x.end), axes.y)
    # Bands are drawn before all lines, so that none hides a line.
    parts = (_band, _path, _mark)
    body = axes.frame(across, upwards) + [draw(axes, line) for draw in parts for line in lines]
    legend, bottom = _legend(lines, axes.bottom, width)
    shows = dict(zip(("data_x", "data_y"), columns, strict=False))
    group = element(
        "g", *body, data_map=axes.mapping if columns else None, data_scale=scale.kind, **shows
    )
    return picture([group, *legend], width, bottom + 4, title, description, key)


def _path(axes: Axes, line: ChartLine) -> Markup:
    if not line.x:
        return Markup()
    look = (
        stroke(line.place)
        | {"data_system": line.moving}
        | {"stroke_width": "1.6", "stroke_linejoin": "round"}
    )
    if line.guide:
        look = {
            "class_": "guide",
            "stroke": styles.GUIDE,
            "stroke_dasharray": "3 2",
            "stroke_width": "1",
        }
    return element("path", d=axes.path(line.x, line.y, line.step), fill="none", **look)


def _band(axes: Axes, line: ChartLine) -> Markup:
    if not line.band:
        return Markup()
    x, low, high = line.band
    there, back = axes.path(x, high), axes.path(x[::-1], low[::-1])
    look = fill(line.place) | {"visibility": None if line.shown else "hidden"}
    # Thin edges for grey print; a band at a single x has no area, only an edge.
    look |= {"stroke": look["fill"], "stroke_width": "0.6", "stroke_opacity": "0.7"}
    if line.moving is not None:
        look |= {"class_": f"{look['class_']} band", "data_system": line.moving}
    look["class_"] = f"{look['class_']} s{line.place % len(styles.COLOURS)}"
    return element("path", d=there + back.replace("M", "L", 1) + "Z", fill_opacity="0.16", **look)


def _mark(axes: Axes, line: ChartLine) -> Markup:
    if not line.point:
        return Markup()
    look = fill(line.place) | {"stroke": "currentColor"}
    if line.moving is not None:
        look["class_"] = f"{look['class_']} moving"
    x, y = axes.x(line.point[0]), axes.y(line.point[1])
    return element("circle", cx=x, cy=y, r="4.5", data_system=line.moving, **look)


def _legend(lines: Sequence[ChartLine], top: float, width: float) -> tuple[list[str], float]:
    """Entries in rows below the axes, and the height at which they end."""
    entries: list[str] = []
    x, y = 48.0, top + 12
    for line in lines:
        if not line.name:
            continue
        wide = 34 + LETTER * min(len(line.name), _LONGEST)
        if x > 48 and x + wide > width:
            x, y = 48.0, y + 16
        entries.append(name_of(line.name, _LONGEST, x + 27, y, sign=_sign(line, x, y)))
        x += wide + 8
    return entries, y if entries else top


def _sign(line: ChartLine, x: float, y: float) -> Markup:
    """The sign that precedes a name in the legend."""
    if line.sign == "dot":
        return element("circle", cx=x + 11, cy=y - 4, r="4", class_="sign", fill="currentColor")
    if line.sign == "area":
        look = {
            "fill_opacity": "0.16",
            "stroke": "currentColor",
            "stroke_width": "0.6",
            "stroke_opacity": "0.7",
        }
        return element(
            "rect", x=x, y=y - 9, width=22, height=10, class_="sign", fill="currentColor", **look
        )
    sample = ChartLine("", (0, 1), (0, 0), line.place, guide=line.guide)
    return _path(Axes(Scale(0, 1, x, x + 22), Scale(0, 1, y - 4, y - 5)), sample)


def name_of(
    name: str,
    longest: int,
    x: float,
    y: float,
    anchor: str = "start",
    sign: str = "",
    full: str = "",
) -> Markup:
    """A name, cut if it is long. If it is not the full name, a tooltip shows that."""
    cut, full = short(name, longest), full or name
    tooltip = [element("title", escape_text(full))] if cut != full else []
    return element("g", *tooltip, sign, label(x, y, cut, anchor))


def stems(x: Sequence[float], height: Sequence[float]) -> tuple[list[float], list[float]]:
    """Points of a line that goes up and down at each value.

    Examples
    --------
    >>> stems([1, 2], [0.5, 0.25])
    ([1, 1, 1, 2, 2, 2], [0.0, 0.5, 0.0, 0.0, 0.25, 0.0])
    """
    return [value for value in x for _ in range(3)], [
        end for value in height for end in (0.0, value, 0.0)
    ]


def dots(
    title: str,
    description: str,
    names: Sequence[str],
    values: Sequence[tuple[float, float, float]],
    across: str,
    notes: Sequence[str] = (),
    *,
    key: str,
    zero: bool = False,
    left: float = 108,
    full: Sequence[str] = (),
) -> Markup:
    """Values with their bounds, one per row, the first on top. NaN omits a value or an interval.

    Parameters
    ----------
    notes : texts after the rows, such as letters.
    zero : draw a line at 0.
    left : pixels at which the names end and the scale begins.
    full : the full names, for tooltips.

    Examples
    --------
    >>> dots("AP", "One system.", ["a"], [(0.5, 0.4, 0.6)], "AP", key="m").count("<circle")
    1
    """
    width, pitch, right = left + 228, 20.0, 30.0 if notes else 14.0
    bottom = 8 + pitch * len(names)
    x = Scale(*room([*chain(*values), *[0.0] * zero], 0.06), left, width - right)
    body = below_rows(x, 8, bottom, across, 4) + [zero_of_rows(x, 8, bottom)] * zero
    for i, (name, (value, low, high)) in enumerate(zip(names, values, strict=True)):
        y = 8 + pitch * (i + 0.5)
        body.append(
            name_of(
                name, int((left - 8) / WIDE), left - 8, y + 4, "end", full=full[i] if full else ""
            )
        )
        if math.isfinite(low) and math.isfinite(high):
            path = f"M{place(x(low))} {place(y)}H{place(x(high))}"
            body.append(element("path", d=path, **stroke(0), stroke_width="1.6"))
        if math.isfinite(value):
            body.append(element("circle", cx=x(value), cy=y, r="3.6", **fill(0)))
        if notes:
            body.append(label(width - right + 6, y + 4, notes[i]))
    return picture(body, width, bottom + 36, title, description, key)


def strips(
    topic: str, rows: Sequence[tuple[str, Sequence[int], str]], key: str, noun: str = "topic"
) -> Markup:
    """The rankings of one topic: for each system a bar with its hits in the first ranks, and their
    number.
    """
    left, pitch, height, wide = 96.0, 15.0, 9.0, 4.0
    body = [label(0, 12, short(f"{noun} {topic}", 40), font_weight="600")]
    for i, (name, ranks, share) in enumerate(rows):
        y = 20 + pitch * i
        body.append(label(left - 6, y + 8.5, short(name, 14), "end"))
        body.append(
            element(
                "rect",
                x=left,
                y=y,
                width=wide * DEPTH,
                height=height,
                class_="ground",
                fill=styles.FAINT,
                fill_opacity="0.45",
            )
        )
        if ranks:
            marks = "".join(
                f"M{place(left + wide * (first - 1))} {place(y + height / 2)}h{wide * length:g}"
                for first, length in runs_of(ranks)
            )
            body.append(element("path", d=marks, stroke_width=f"{height:g}", **stroke(0)))
        body.append(label(left + wide * DEPTH + 6, y + 8.5, share))
    title = f"Hits of {noun} {topic} in the first {DEPTH} ranks"
    description = "; ".join(
        f"{name}: {', '.join(map(str, ranks)) or 'none'}" for name, ranks, _ in rows
    )
    return picture(body, 336, 24 + pitch * len(rows), title, f"Ranks of hits. {description}.", key)


def runs_of(ranks: Sequence[int]) -> list[tuple[int, int]]:
    """Runs of consecutive ranks: the first rank and the length of each.

    Examples
    --------
    >>> runs_of([1, 2, 5])
    [(1, 2), (5, 1)]
    """
    runs: list[tuple[int, int]] = []
    for rank in ranks:
        if runs and sum(runs[-1]) == rank:
            runs[-1] = (runs[-1][0], runs[-1][1] + 1)
        else:
            runs.append((rank, 1))
    return runs
