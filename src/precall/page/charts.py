"""Charts: curves with bands, guides and marked points; values with intervals as dots; hits as strips."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import chain

from precall.drawing import looks
from precall.drawing.looks import short
from precall.drawing.thinning import FAR
from precall.page.markup import element, escaped, fill, label, picture, place, polyline, stroke

#: About how wide a letter of a legend and of a name beside its value is.
LETTER, WIDE = 6.2, 6.8
#: So many ranks of each topic are in a record, and drawn; each takes one bit.
DEPTH = 48
#: Longer names are cut in legends; tables show them whole.
_LONGEST = 28


@dataclass(frozen=True, slots=True)
class Scale:
    """From values to pixels, in a straight line.

    Examples
    --------
    >>> Scale(0.0, 1.0, 40.0, 240.0)(0.25)
    90.0
    """

    low: float
    high: float
    start: float
    end: float

    def __call__(self, value: float) -> float:
        """Where a value stands; what is outside stands at the edge."""
        share = (value - self.low) / (self.high - self.low)
        return self.start + min(max(share, 0.0), 1.0) * (self.end - self.start)

    def ticks(self, about: int = 5) -> list[float]:
        """Round values, about so many.

        Examples
        --------
        >>> Scale(0, 1, 0, 9).ticks(), Scale(-0.31, 0.27, 0, 9).ticks(4)
        ([0.0, 0.2, 0.4, 0.6, 0.8, 1.0], [-0.3, -0.2, -0.1, 0.0, 0.1, 0.2])
        """
        rough = (self.high - self.low) / about
        power = 10.0 ** math.floor(math.log10(rough))
        step = min((times * power for times in (1, 2, 5, 10)), key=lambda size: abs(size - rough))
        first, last = math.ceil(self.low / step - 1e-9), math.floor(self.high / step + 1e-9)
        digits = max(0, 1 - math.floor(math.log10(step)))
        return [round(i * step, digits) + 0.0 for i in range(first, last + 1)]


def room(values: Sequence[float], share: float = 0.04) -> tuple[float, float]:
    """Ends of an axis that hold all values, with some room; infinite ones (or beyond 1e300) stand at its edge.

    Examples
    --------
    >>> room([0.0, 10.0], 0.1), room([3.0]), room([])
    ((-1.0, 11.0), (2.5, 3.5), (0.0, 1.0))
    """
    known = [value for value in values if abs(value) < FAR]
    if not known:
        return 0.0, 1.0
    low, high = min(known), max(known)
    more = share * (high - low)
    # Numbers so close that a float cannot hold what lies between them have no other scale.
    return (low - more, high + more) if low < high and more > 1e-12 * abs(high) else (low - 0.5, high + 0.5)


def shown(value: float) -> str:
    """A value beside an axis or in a legend: as short as it can be in four digits.

    Examples
    --------
    >>> shown(0.2), shown(1.0), shown(12000.0), shown(-0.05)
    ('0.2', '1', '12000', '\u22120.05')
    """
    text = f"{value:.4g}" if abs(value) < 1e4 or abs(value) >= 1e6 else f"{value:.0f}"
    return text.replace("-", "\u2212")


@dataclass(frozen=True, slots=True)
class Axes:
    """Two scales; the picture's height grows downwards, the vertical one is turned."""

    x: Scale
    y: Scale

    @classmethod
    def of(
        cls, across: tuple[float, float], upwards: tuple[float, float], width: float, height: float, left: float = 48
    ) -> Axes:  # fmt: skip
        """Scales over a rectangle of these pixels."""
        return cls(Scale(*across, left, left + width), Scale(*upwards, 10 + height, 10))

    @property
    def bottom(self) -> float:
        """Of the picture, with room for ticks and the title below."""
        return self.y.start + 36

    @property
    def mapping(self) -> str:
        """The scales in eight numbers, for a script: low, high, start, end across; the same upwards."""
        scales = (self.x, self.y)
        return " ".join(repr(end) for axis in scales for end in (axis.low, axis.high, axis.start, axis.end))

    def path(self, x: Sequence[float], y: Sequence[float], step: str = "") -> str:
        """The `d` of a path through points."""
        return polyline([self.x(value) for value in x], [self.y(value) for value in y], step)

    def frame(self, across: str, upwards: str) -> list[str]:
        """Grid, ticks and titles, to be painted first."""
        left, right, low, high = map(place, (self.x.start, self.x.end, self.y.start, self.y.end))
        marks = self.x.ticks()
        grid = "".join(f"M{place(self.x(mark))} {low}V{high}" for mark in marks) + self.levels()
        edges = f"M{left} {high}V{low}H{right}"
        return [
            element("path", d=grid, class_="grid", stroke=looks.FAINT, stroke_width="0.6", fill="none"),
            *(label(self.x(mark), self.y.start + 14, shown(mark), "middle") for mark in marks),
            *self.heights(),
            element("path", d=edges, class_="axis", stroke="currentColor", fill="none"),
            *self.titles(across, upwards, 30),
        ]

    def levels(self) -> str:
        """Lines of the grid from left to right."""
        left, right = place(self.x.start), place(self.x.end)
        return "".join(f"M{left} {place(self.y(mark))}H{right}" for mark in self.y.ticks())

    def heights(self) -> list[str]:
        """Ticks at the left."""
        return [label(self.x.start - 5, self.y(mark) + 4, shown(mark), "end") for mark in self.y.ticks()]

    def titles(self, across: str, upwards: str, below: float) -> list[str]:
        """What the axes show."""
        middle = place((self.y.start + self.y.end) / 2)
        return [
            label((self.x.start + self.x.end) / 2, self.y.start + below, across, "middle"),
            label(0, 0, upwards, "middle", transform=f"translate(10 {middle}) rotate(-90)"),
        ]


@dataclass(frozen=True, slots=True)
class Line:
    """A line through points, in the legend if it has a name; its `place`, from 0, says colour and dashes."""

    name: str
    x: Sequence[float]
    y: Sequence[float]
    place: int = 0
    #: See `polyline`.
    step: str = ""
    #: x, low, high.
    band: tuple[Sequence[float], Sequence[float], Sequence[float]] | tuple[()] = ()
    #: A marked place.
    point: tuple[float, float] | tuple[()] = ()
    #: Which system point and band belong to, if a script moves them; and whether the band shows before.
    moving: int | None = None
    shown: bool = True
    #: Thin and grey.
    guide: bool = False


def line_chart(
    title: str, description: str, across: str, upwards: str, lines: Sequence[Line], *, key: str,
    x: tuple[float, float] = (0.0, 1.0), y: tuple[float, float] = (0.0, 1.0), height: float = 200,
    columns: tuple[str, str] | tuple[()] = (),
) -> str:  # fmt: skip
    """Lines over one pair of named axes with these ends; `columns` is what they show of a point that a script moves.

    Examples
    --------
    >>> chart = line_chart("PR", "One.", "recall", "precision", [Line("a<b", [0, 1], [1, 0.5])], key="c1")
    >>> "a&lt;b" in chart, chart.count("<path")
    (True, 4)
    """
    width = 336
    axes = Axes.of(x, y, width - 60, height)
    # Bands behind all lines, so that none hides one.
    parts = (_band, _path, _marked)
    body = axes.frame(across, upwards) + [part(axes, line) for part in parts for line in lines]
    legend, bottom = _legend(lines, axes.bottom, width)
    shows = dict(zip(("data_x", "data_y"), columns, strict=False))
    group = element("g", *body, data_map=axes.mapping if columns else None, **shows)
    return picture([group, *legend], width, bottom + 4, title, description, key)


def _path(axes: Axes, line: Line) -> str:
    look = stroke(line.place) | {"stroke_width": "1.6", "stroke_linejoin": "round"}
    if line.guide:
        look = {"class_": "guide", "stroke": looks.GUIDE, "stroke_dasharray": "3 2", "stroke_width": "1"}
    return element("path", d=axes.path(line.x, line.y, line.step), fill="none", **look)


def _band(axes: Axes, line: Line) -> str:
    if not line.band:
        return ""
    x, low, high = line.band
    there, back = axes.path(x, high), axes.path(x[::-1], low[::-1])
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
    x, y = axes.x(line.point[0]), axes.y(line.point[1])
    return element("circle", cx=x, cy=y, r="4.5", data_system=line.moving, **look)


def _legend(lines: Sequence[Line], top: float, width: float) -> tuple[list[str], float]:
    """Entries in rows below the axes; returns them with where they end."""
    entries: list[str] = []
    x, y = 48.0, top + 12
    for line in lines:
        if not line.name:
            continue
        wide = 34 + LETTER * min(len(line.name), _LONGEST)
        if x > 48 and x + wide > width:
            x, y = 48.0, y + 16
        sample = Line("", (0, 1), (0, 0), line.place, guide=line.guide)
        sign = _path(Axes(Scale(0, 1, x, x + 22), Scale(0, 1, y - 4, y - 5)), sample)
        entries.append(name_of(line.name, _LONGEST, x + 27, y, sign=sign))
        x += wide + 8
    return entries, y if entries else top


def name_of(
    name: str, longest: int, x: float, y: float, anchor: str = "start", sign: str = "", full: str = ""
) -> str:
    """A name, cut where it is long; if that is not the full one, all of it is shown to who points at it."""
    cut, full = short(name, longest), full or name
    told = [element("title", escaped(full))] if cut != full else []
    return element("g", *told, sign, label(x, y, cut, anchor))


def stems(x: Sequence[float], height: Sequence[float]) -> tuple[list[float], list[float]]:
    """Points of a line that goes up and down at each value.

    Examples
    --------
    >>> stems([1, 2], [0.5, 0.25])
    ([1, 1, 1, 2, 2, 2], [0.0, 0.5, 0.0, 0.0, 0.25, 0.0])
    """
    return [value for value in x for _ in range(3)], [end for value in height for end in (0.0, value, 0.0)]


def dots(
    title: str, description: str, names: Sequence[str], values: Sequence[tuple[float, float, float]], across: str,
    notes: Sequence[str] = (), *, key: str, zero: bool = False, left: float = 108, full: Sequence[str] = (),
) -> str:  # fmt: skip
    """Values with their bounds, a line each, the first on top; NaN leaves a value or an interval out.

    Parameters
    ----------
    notes : behind each line, such as its letters.
    zero : draw a line there.
    left : where the names end and the scale begins, in pixels.
    full : the names in full, for who points at them.

    Examples
    --------
    >>> dots("AP", "One system.", ["a"], [(0.5, 0.4, 0.6)], "AP", key="m").count("<circle")
    1
    """
    width, pitch, right = left + 228, 20.0, 30.0 if notes else 14.0
    bottom = 8 + pitch * len(names)
    x = Scale(*room([*chain(*values), *[0.0] * zero], 0.06), left, width - right)
    marks = x.ticks(4)
    grid = "".join(f"M{place(x(mark))} 8V{place(bottom)}" for mark in marks)
    body = [
        element("path", d=grid, class_="grid", stroke=looks.FAINT, stroke_width="0.6"),
        *(label(x(mark), bottom + 14, shown(mark), "middle") for mark in marks),
        label((x.start + x.end) / 2, bottom + 29, across, "middle"),
    ]
    if zero:
        path = f"M{place(x(0.0))} 8V{place(bottom)}"
        body.append(element("path", d=path, class_="axis", stroke="currentColor"))
    for i, (name, (value, low, high)) in enumerate(zip(names, values, strict=True)):
        y = 8 + pitch * (i + 0.5)
        body.append(
            name_of(name, int((left - 8) / WIDE), left - 8, y + 4, "end", full=full[i] if full else "")
        )
        if math.isfinite(low) and math.isfinite(high):
            path = f"M{place(x(low))} {place(y)}H{place(x(high))}"
            body.append(element("path", d=path, **stroke(0), stroke_width="1.6"))
        if math.isfinite(value):
            body.append(element("circle", cx=x(value), cy=y, r="3.6", **fill(0)))
        if notes:
            body.append(label(width - right + 6, y + 4, notes[i]))
    return picture(body, width, bottom + 36, title, description, key)


def strips(topic: str, rows: Sequence[tuple[str, Sequence[int], str]], key: str) -> str:
    """The rankings of one topic: for each system a bar with its hits in the first ranks, and how many it found."""
    left, pitch, height, wide = 96.0, 15.0, 9.0, 4.0
    body = [label(0, 12, short(f"topic {topic}", 40), font_weight="600")]
    for i, (name, ranks, share) in enumerate(rows):
        y = 20 + pitch * i
        body.append(label(left - 6, y + 8.5, short(name, 14), "end"))
        body.append(
            element("rect", x=left, y=y, width=wide * DEPTH, height=height, class_="ground", fill=looks.FAINT,
                    fill_opacity="0.45")
        )  # fmt: skip
        if ranks:
            marks = "".join(
                f"M{place(left + wide * (first - 1))} {place(y + height / 2)}h{wide * length:g}"
                for first, length in runs_of(ranks)
            )
            body.append(element("path", d=marks, stroke_width=f"{height:g}", **stroke(0)))
        body.append(label(left + wide * DEPTH + 6, y + 8.5, share))
    title = f"Hits of topic {topic} in the first {DEPTH} ranks"
    told = "; ".join(f"{name}: {', '.join(map(str, ranks)) or 'none'}" for name, ranks, _ in rows)
    return picture(body, 336, 24 + pitch * len(rows), title, f"Ranks of hits. {told}.", key)


def runs_of(ranks: Sequence[int]) -> list[tuple[int, int]]:
    """Neighbouring ranks together: the first of them, and how many there are.

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
