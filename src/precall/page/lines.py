"""Charts of lines: curves with bands, guides, marked points and a legend."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from precall.drawing import looks
from precall.drawing.looks import short
from precall.page.axes import Axes, Scale
from precall.page.markup import element, escaped, fill, label, picture, polyline, stroke

_LINE = 16
#: Longer names are cut in legends; tables show them whole.
_LONGEST = 28
#: About how wide a letter is.
_LETTER = 6.2


@dataclass(frozen=True, slots=True)
class Line:
    """A named line.

    Parameters
    ----------
    name : in the legend; empty leaves it out there.
    x, y : its points.
    place : which colour and dashes, from 0; guides (`guide`) are thin and grey.
    step : "" joins the points, "before" and "after" hold each height, see `polyline`.
    band : (x, low, high) of an area around it.
    point : (x, y) of a marked point, empty if there is none.
    moving : which system the point and the band belong to, if a script moves it.
    shown : whether the band is; a script shows that of another system.
    """

    name: str
    x: Sequence[float]
    y: Sequence[float]
    place: int = 0
    step: str = ""
    band: tuple[Sequence[float], Sequence[float], Sequence[float]] | tuple[()] = ()
    point: tuple[float, float] | tuple[()] = ()
    moving: int | None = None
    guide: bool = False
    shown: bool = True


@dataclass(frozen=True, slots=True)
class LineChart:
    """Lines over one pair of axes.

    Parameters
    ----------
    title, description : for those who do not see it.
    across, upwards : titles of the axes.
    columns : what the axes show of an operating point, for the script that moves it.

    Examples
    --------
    >>> chart = LineChart("PR", "One curve.", "recall", "precision", [Line("a<b", [0, 1], [1, 0.5])])
    >>> "a&lt;b" in chart.svg("c1"), chart.svg("c1").count("<path")
    (True, 4)
    """

    title: str
    description: str
    across: str
    upwards: str
    lines: Sequence[Line]
    x: tuple[float, float] = (0.0, 1.0)
    y: tuple[float, float] = (0.0, 1.0)
    columns: tuple[str, str] = ("", "")
    width: float = 336
    height: float = 200

    def svg(self, key: str) -> str:
        """The picture; `key` begins its ids."""
        axes = Axes.of(self.x, self.y, width=self.width - 60, height=self.height)
        # Behind all lines, so that no band hides one.
        body = axes.frame(self.across, self.upwards, ticks_x=5)
        body += [_band(axes, line) for line in self.lines]
        body += [_drawn(axes, line) for line in self.lines]
        body += [_marked(axes, line) for line in self.lines]
        legend, bottom = _legend(self.lines, axes.bottom, self.width)
        group = element(
            "g", *body, data_map=axes.mapping if self.columns[0] else None,
            data_x=self.columns[0] or None, data_y=self.columns[1] or None,
        )  # fmt: skip
        return picture([group, *legend], self.width, bottom + 4, self.title, self.description, key)


def _drawn(axes: Axes, line: Line) -> str:
    path = polyline([axes.x(one) for one in line.x], [axes.y(one) for one in line.y], line.step)
    if line.guide:
        look: dict[str, object] = {
            "class_": "guide", "stroke": looks.GUIDE, "stroke_dasharray": "3 2", "stroke_width": "1",
        }  # fmt: skip
    else:
        look = stroke(line.place) | {"stroke_width": "1.6", "stroke_linejoin": "round"}
    return element("path", d=path, fill="none", **look)


def _band(axes: Axes, line: Line) -> str:
    if not line.band:
        return ""
    x, low, high = line.band
    there = polyline([axes.x(one) for one in x], [axes.y(one) for one in high])
    back = polyline([axes.x(one) for one in x][::-1], [axes.y(one) for one in low][::-1])
    look = fill(line.place) | {"visibility": None if line.shown else "hidden"}
    # Thin edges, for grey print, and as a band at one place is an edge alone.
    look |= {"stroke": look["fill"], "stroke_width": "0.6", "stroke_opacity": "0.7"}
    if line.moving is not None:
        look |= {"class_": f"{look['class_']} band", "data_system": line.moving}
    look["class_"] = f"{look['class_']} s{line.place % len(looks.COLOURS)}"
    return element("path", d=there + back.replace("M", "L", 1) + "Z", fill_opacity="0.16", **look)


def _marked(axes: Axes, line: Line) -> str:
    if not line.point:
        return ""
    look = fill(line.place) | {"stroke": "currentColor"}
    if line.moving is not None:
        look["class_"] = f"{look['class_']} moving"
    return element(
        "circle", cx=axes.x(line.point[0]), cy=axes.y(line.point[1]), r="4.5", data_system=line.moving, **look
    )


def _legend(lines: Sequence[Line], top: float, width: float) -> tuple[list[str], float]:
    """Entries in rows below the axes; returns them with where they end."""
    entries: list[str] = []
    x, y = 48.0, top + 12
    for line in lines:
        if not line.name:
            continue
        shortened = short(line.name, _LONGEST)
        wide = 34 + _LETTER * len(shortened)
        if x > 48 and x + wide > width:
            x, y = 48.0, y + _LINE
        sign = _drawn(Axes(Scale(0, 1, x, x + 22), Scale(0, 1, y - 4, y - 5)), _sign(line))
        full = [element("title", escaped(line.name))] if shortened != line.name else []
        entries.append(element("g", *full, sign, label(x + 27, y, shortened)))
        x += wide + 8
    return entries, y if entries else top


def _sign(line: Line) -> Line:
    return Line("", (0, 1), (0, 0), line.place, guide=line.guide)


def stems(x: Sequence[float], height: Sequence[float]) -> tuple[list[float], list[float]]:
    """Points of a line that goes up and down at each value.

    Examples
    --------
    >>> stems([1, 2], [0.5, 0.25])
    ([1, 1, 1, 2, 2, 2], [0.0, 0.5, 0.0, 0.0, 0.25, 0.0])
    """
    return [one for one in x for _ in range(3)], [part for one in height for part in (0.0, one, 0.0)]
