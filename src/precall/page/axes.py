"""Axes of charts: scales from values to pixels, linear or other, with ticks, a grid and titles."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from precall.cases.thinning import FAR
from precall.page.markup import element, label, place, polyline
from precall.page.templates import Markup
from precall.plot.shared import styles


@dataclass(frozen=True, slots=True)
class Scale:
    """A linear scale from values to pixels.

    Examples
    --------
    >>> Scale(0.0, 1.0, 40.0, 240.0)(0.25)
    90.0
    """

    #: Name of the scale for a script that moves points; None if linear.
    kind: ClassVar[str | None] = None

    low: float
    high: float
    start: float
    end: float

    def __call__(self, value: float) -> float:
        """The position of a value; values outside the ends stand at the edge."""
        share = (value - self.low) / (self.high - self.low)
        return self.start + min(max(share, 0.0), 1.0) * (self.end - self.start)

    def ticks(self, about: int = 5) -> list[float]:
        """Round values, about as many as asked for.

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

    def marks(self) -> list[tuple[float, str]]:
        """Ticks with their labels."""
        return [(mark, show_value(mark)) for mark in self.ticks()]


def below_rows(x: Scale, top: float, bottom: float, across: str, about: int) -> list[str]:
    """For a chart with a row per name: the grid behind the rows, and ticks and title below them."""
    marks = x.ticks(about)
    grid = "".join(f"M{place(x(mark))} {place(top)}V{place(bottom)}" for mark in marks)
    return [
        element("path", d=grid, class_="grid", stroke=styles.FAINT, stroke_width="0.6"),
        *(label(x(mark), bottom + 14, show_value(mark), "middle") for mark in marks),
        label((x.start + x.end) / 2, bottom + 29, across, "middle"),
    ]


def zero_of_rows(x: Scale, top: float, bottom: float) -> Markup:
    """The vertical line at 0."""
    path = f"M{place(x(0.0))} {place(top)}V{place(bottom)}"
    return element("path", d=path, class_="axis", stroke="currentColor")


def room(values: Sequence[float], share: float = 0.04) -> tuple[float, float]:
    """Ends of an axis that hold all values, with a margin. Infinite values (or those beyond 1e300)
    stand at its edge.

    Examples
    --------
    >>> room([0.0, 10.0], 0.1), room([3.0]), room([])
    ((-1.0, 11.0), (2.5, 3.5), (0.0, 1.0))
    """
    finite = [value for value in values if abs(value) < FAR]
    if not finite:
        return 0.0, 1.0
    low, high = min(finite), max(finite)
    more = share * (high - low)
    # If values are so close together that floats hardly separate them, the axis reaches 0.5 beyond
    # them.
    return (
        (low - more, high + more)
        if low < high and more > 1e-12 * abs(high)
        else (low - 0.5, high + 0.5)
    )


def show_value(value: float) -> str:
    """A value for an axis or a legend, with at most four digits.

    Examples
    --------
    >>> show_value(0.2), show_value(1.0), show_value(12000.0), show_value(-0.05)
    ('0.2', '1', '12000', '\u22120.05')
    """
    text = f"{value:.4g}" if abs(value) < 1e4 or abs(value) >= 1e6 else f"{value:.0f}"
    return text.replace("-", "\u2212")


@dataclass(frozen=True, slots=True)
class Axes:
    """Two scales. Pixels count downwards, so the vertical scale is reversed."""

    x: Scale
    y: Scale

    @classmethod
    def of(
        cls,
        across: tuple[float, float],
        upwards: tuple[float, float],
        width: float,
        height: float,
        left: float = 48,
    ) -> Axes:
        """Scales over a rectangle given in pixels."""
        return cls(Scale(*across, left, left + width), Scale(*upwards, 10 + height, 10))

    @property
    def bottom(self) -> float:
        """The bottom of the picture, with room for ticks and the title."""
        return self.y.start + 36

    @property
    def mapping(self) -> str:
        """The scales in eight numbers, for a script: low, high, start and end of the horizontal
        scale, then those of the vertical one.
        """
        scales = (self.x, self.y)
        return " ".join(
            repr(end) for axis in scales for end in (axis.low, axis.high, axis.start, axis.end)
        )

    def path(self, x: Sequence[float], y: Sequence[float], step: str = "") -> str:
        """The `d` of a path through points."""
        return polyline([self.x(value) for value in x], [self.y(value) for value in y], step)

    def frame(self, across: str, upwards: str) -> list[str]:
        """Grid, ticks and titles, to be painted first."""
        left, right, low, high = map(place, (self.x.start, self.x.end, self.y.start, self.y.end))
        marks = self.x.marks()
        grid = "".join(f"M{place(self.x(mark))} {low}V{high}" for mark, _ in marks) + self.levels()
        edges = f"M{left} {high}V{low}H{right}"
        return [
            element(
                "path", d=grid, class_="grid", stroke=styles.FAINT, stroke_width="0.6", fill="none"
            ),
            *(self._below(mark, words) for mark, words in marks),
            *self.heights(),
            element("path", d=edges, class_="axis", stroke="currentColor", fill="none"),
            *self.titles(across, upwards, 30),
        ]

    def _below(self, mark: float, words: str) -> Markup:
        """A tick's label, moved to the left if it would leave the picture at the right."""
        x = self.x(mark)
        # A digit is about 6 pixels wide.
        over = x + 3.0 * len(words) - self.x.end - 10
        return label(x - max(over, 0.0), self.y.start + 14, words, "middle")

    def levels(self) -> str:
        """Horizontal lines of the grid."""
        left, right = place(self.x.start), place(self.x.end)
        return "".join(f"M{left} {place(self.y(mark))}H{right}" for mark in self.y.ticks())

    def heights(self) -> list[str]:
        """Ticks on the left."""
        return [
            label(self.x.start - 5, self.y(mark) + 4, show_value(mark), "end")
            for mark in self.y.ticks()
        ]

    def titles(self, across: str, upwards: str, below: float) -> list[str]:
        """Titles of the axes."""
        middle = place((self.y.start + self.y.end) / 2)
        return [
            label((self.x.start + self.x.end) / 2, self.y.start + below, across, "middle"),
            label(0, 0, upwards, "middle", transform=f"translate(10 {middle}) rotate(-90)"),
        ]
