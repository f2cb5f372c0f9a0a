"""Charts of values side by side: sorted differences as bars, means with intervals as dots."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from precall.drawing import looks
from precall.drawing.looks import short
from precall.page.axes import Axes, Scale, room, shown
from precall.page.markup import element, escaped, fill, label, picture, place, stroke


@dataclass(frozen=True, slots=True)
class DifferenceBars:
    """Differences in the order given, a bar each: gains upwards, losses downwards and in another colour.

    Gains and losses are one path each, a tenth of the bytes of bars; a script makes bars of them, with names.

    Parameters
    ----------
    upwards, across : titles of the axes.

    Examples
    --------
    >>> bars = DifferenceBars("A - B", "Two topics.", [0.5, -0.25], "AP")
    >>> bars.svg("d").count('stroke="#004488"'), bars.svg("d").count('stroke="#BB5566"')
    (1, 1)
    """

    title: str
    description: str
    values: Sequence[float]
    upwards: str
    across: str = ""
    width: float = 720
    height: float = 190

    def svg(self, key: str) -> str:
        """The picture; `key` begins its ids."""
        low, high = room([0.0, *self.values])
        # Left of the ticks there is room for their title.
        axes = Axes.of(
            (-0.5, len(self.values) - 0.5), (low, high), left=64, width=self.width - 76, height=self.height
        )
        zero = axes.y(0.0)
        wide = (axes.x.end - axes.x.start) / max(len(self.values), 1)
        gap = 0.15 * wide if wide > 3 else 0.0
        bars = self._paths(axes, wide - gap)
        ends = f"M{place(axes.x.start)} {place(zero)}H{place(axes.x.end)}"
        body = [
            *self._frame(axes),
            element("g", *bars, class_="f0", fill=looks.colour(0)) if bars else "",
            element("path", d=ends, class_="axis", stroke="currentColor"),
        ]
        return picture(body, self.width, axes.bottom, self.title, self.description, key)

    def _paths(self, axes: Axes, wide: float) -> list[str]:
        zero = place(axes.y(0.0))
        paths = {True: "", False: ""}
        for i, value in enumerate(self.values):
            if math.isfinite(value):
                paths[value >= 0] += f"M{place(axes.x(i))} {zero}V{place(axes.y(value))}"
        return [
            element(
                "path",
                d=path,
                stroke_width=f"{max(wide, 0.8):.2f}",
                **stroke(0 if gain else 2) | {"stroke_dasharray": None},
            )
            for gain, path in paths.items()
            if path
        ]

    def _frame(self, axes: Axes) -> list[str]:
        left, right = axes.x.start, axes.x.end
        marks = axes.y.ticks()
        grid = "".join(f"M{place(left)} {place(axes.y(one))}H{place(right)}" for one in marks)
        middle = place((axes.y.start + axes.y.end) / 2)
        return [
            element("path", d=grid, class_="grid", stroke=looks.FAINT, stroke_width="0.6"),
            *(label(left - 5, axes.y(one) + 4, shown(one), "end") for one in marks),
            label((left + right) / 2, axes.y.start + 22, self.across, "middle"),
            label(0, 0, self.upwards, "middle", transform=f"translate(10 {middle}) rotate(-90)"),
        ]


@dataclass(frozen=True, slots=True)
class Dots:
    """Values with their intervals, a line each.

    Parameters
    ----------
    names : of the lines, the first on top.
    values : (value, low, high); NaN leaves the value or the interval out.
    notes : behind each line, such as its letters.
    left : where the names end and the scale begins, in pixels.

    Examples
    --------
    >>> dots = Dots("AP", "One system.", ["a"], [(0.5, 0.4, 0.6)], "AP")
    >>> dots.svg("m").count("<circle")
    1
    """

    title: str
    description: str
    names: Sequence[str]
    values: Sequence[tuple[float, float, float]]
    across: str
    notes: Sequence[str] = ()
    zero: bool = False
    width: float = 336
    left: float = 108

    def svg(self, key: str) -> str:
        """The picture; `key` begins its ids."""
        pitch, left, right = 20.0, self.left, 30.0 if self.notes else 14.0
        ends = room([*(one for value in self.values for one in value), *([0.0] if self.zero else [])], 0.06)
        height = pitch * len(self.names)
        x = Scale(*ends, left, self.width - right)
        bottom = 8 + height
        grid = "".join(f"M{place(x(one))} 8V{place(bottom)}" for one in x.ticks(4))
        body = [
            element("path", d=grid, class_="grid", stroke=looks.FAINT, stroke_width="0.6"),
            *(label(x(one), bottom + 14, shown(one), "middle") for one in x.ticks(4)),
            label((x.start + x.end) / 2, bottom + 29, self.across, "middle"),
        ]
        if self.zero:
            path = f"M{place(x(0.0))} 8V{place(bottom)}"
            body.append(element("path", d=path, class_="axis", stroke="currentColor"))
        for i, (name, (value, low, high)) in enumerate(zip(self.names, self.values, strict=True)):
            y = 8 + pitch * (i + 0.5)
            shortened = short(name, int((left - 8) / 6.8))
            full = [element("title", escaped(name))] if shortened != name else []
            body.append(element("g", *full, label(left - 8, y + 4, shortened, "end")))
            look = stroke(0) | {"stroke_width": "1.6"}
            if math.isfinite(low) and math.isfinite(high):
                body.append(element("path", d=f"M{place(x(low))} {place(y)}H{place(x(high))}", **look))
            if math.isfinite(value):
                body.append(element("circle", cx=x(value), cy=y, r="3.6", **fill(0)))
            if self.notes:
                body.append(label(self.width - right + 6, y + 4, self.notes[i]))
        return picture(body, self.width, bottom + 36, self.title, self.description, key)
