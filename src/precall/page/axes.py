"""Axes: from values to places in a picture, with ticks, a grid and titles."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from precall.drawing import looks
from precall.drawing.thinning import FAR
from precall.page.markup import element, label, place


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
        """Round values, about so many."""
        return ticks(self.low, self.high, about)


def ticks(low: float, high: float, about: int = 5) -> list[float]:
    """Round values from `low` to `high`, about so many.

    Examples
    --------
    >>> ticks(0, 1), ticks(-0.31, 0.27, 4)
    ([0.0, 0.2, 0.4, 0.6, 0.8, 1.0], [-0.3, -0.2, -0.1, 0.0, 0.1, 0.2])
    """
    rough = (high - low) / max(about, 1)
    power = 10.0 ** math.floor(math.log10(rough))
    step = min((one * power for one in (1, 2, 5, 10)), key=lambda one: abs(one - rough))
    first, last = math.ceil(low / step - 1e-9), math.floor(high / step + 1e-9)
    digits = max(0, 1 - math.floor(math.log10(step)))
    return [round(i * step, digits) + 0.0 for i in range(first, last + 1)]


def room(values: Sequence[float], share: float = 0.04) -> tuple[float, float]:
    """Ends of an axis that hold all values, with some room; 0..1 where there are none.

    Infinite values and those beyond 1e300, which stand for them, have no place of their own: `Scale` puts them at the edge.

    Examples
    --------
    >>> room([0.0, 10.0], 0.1), room([3.0]), room([])
    ((-1.0, 11.0), (2.5, 3.5), (0.0, 1.0))
    """
    known = [one for one in values if abs(one) < FAR]
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
        cls, across: tuple[float, float], upwards: tuple[float, float], *, left: float = 48, top: float = 10,
        width: float = 280, height: float = 200,
    ) -> Axes:  # fmt: skip
        """Scales over a rectangle of these pixels."""
        return cls(Scale(*across, left, left + width), Scale(*upwards, top + height, top))

    @property
    def bottom(self) -> float:
        """Of the picture, with room for ticks and the title below."""
        return self.y.start + 36

    @property
    def mapping(self) -> str:
        """The scales in eight numbers, for a script: low, high, start, end across; the same upwards."""
        return " ".join(
            f"{one!r}"
            for scale in (self.x, self.y)
            for one in (scale.low, scale.high, scale.start, scale.end)
        )

    def frame(self, across: str, upwards: str, *, ticks_x: int = 5, ticks_y: int = 5) -> list[str]:
        """Grid, ticks and titles, to be painted first."""
        left, right, low, high = self.x.start, self.x.end, self.y.start, self.y.end
        marks_x, marks_y = self.x.ticks(ticks_x), self.y.ticks(ticks_y)
        grid = "".join(f"M{place(self.x(one))} {place(low)}V{place(high)}" for one in marks_x)
        grid += "".join(f"M{place(left)} {place(self.y(one))}H{place(right)}" for one in marks_y)
        return [
            element("path", d=grid, class_="grid", stroke=looks.FAINT, stroke_width="0.6", fill="none"),
            *(label(self.x(one), low + 14, shown(one), "middle") for one in marks_x),
            *(label(left - 5, self.y(one) + 4, shown(one), "end") for one in marks_y),
            element(
                "path", d=f"M{place(left)} {place(high)}V{place(low)}H{place(right)}", class_="axis",
                stroke="currentColor", fill="none",
            ),
            label((left + right) / 2, low + 30, across, "middle"),
            label(0, 0, upwards, "middle", transform=f"translate(10 {place((low + high) / 2)}) rotate(-90)"),
        ]  # fmt: skip
