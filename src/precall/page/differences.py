"""Differences as bars: of systems from the best or the baseline, with intervals; of two systems by
topic.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import NamedTuple

from precall.page.axes import Axes, Scale, below_rows, room, zero_of_rows
from precall.page.charts import LETTER, WIDE, name_of
from precall.page.markup import element, fill, label, picture, place, stroke
from precall.page.templates import Markup
from precall.plot.shared import styles

#: Colours of bars, for gains and losses; those of `precall.plot.TopicDifferences`.
GAIN, LOSS = 0, 1
#: Opacity of a bar whose difference is not significant.
_PALE = "0.3"


class Gap(NamedTuple):
    """The difference of a system from another and its interval (NaN: none), and p as text."""

    name: str
    full: str
    value: float
    low: float
    high: float
    p: str
    #: Whether the difference is significant, and whether it is a gain.
    sure: bool
    gain: bool


def gap_bars(
    title: str,
    description: str,
    gaps: Sequence[Gap],
    across: str,
    key: str,
    *,
    behind: str = "p",
    words: tuple[str, str] = ("better", "worse"),
) -> Markup:
    """A bar for each system from 0 to its difference, with its interval and p. Bars of differences
    that are not significant are pale.

    `behind` is the name of p, `words` describe gains and losses.

    Examples
    --------
    >>> gap = Gap("a", "run-a", -0.5, -0.75, -0.25, "0.01", True, False)
    >>> bars = gap_bars("AP", "One system.", [gap], "AP minus that of b", "g")
    >>> "<title>run-a</title>" in bars, "worse" in bars, "better" in bars
    (True, True, False)
    """
    left, right, width, pitch, top = 108.0, 58.0, 336.0, 20.0, 20.0
    bottom = top + pitch * len(gaps)
    x = Scale(*room([0.0, *(end for gap in gaps for end in gap[2:5])], 0.06), left, width - right)
    body = [
        *below_rows(x, top, bottom, across, 3),
        label(width - 2, 13.0, behind, "end")
        if len(behind) > 9
        else label(width - right + 6, 13.0, behind),
    ]
    whiskers = ""
    for i, gap in enumerate(gaps):
        y = top + pitch * (i + 0.5)
        body.append(
            name_of(gap.name, int((left - 8) / WIDE), left - 8, y + 4, "end", full=gap.full)
        )
        body.append(label(width - right + 6, y + 4, gap.p))
        if math.isfinite(gap.value):
            ends = sorted((x(0.0), x(gap.value)))
            size = {"width": max(ends[1] - ends[0], 1.0), "height": 12}
            body.append(
                element(
                    "rect", x=ends[0], y=y - 6, **size, **_look(_colour(gap), pale=not gap.sure)
                )
            )
        if math.isfinite(gap.low) and math.isfinite(gap.high):
            low, high = place(x(gap.low)), place(x(gap.high))
            whiskers += f"M{low} {place(y)}H{high}M{low} {place(y - 3)}v6M{high} {place(y - 3)}v6"
    body.append(
        element("path", d=whiskers, class_="axis", stroke="currentColor", stroke_width="1.2")
    )
    body.append(zero_of_rows(x, top, bottom))
    legend, bottom = swatches(_kinds(gaps, words), bottom + 48, left - 84, width)
    return picture(
        [*body, element("g", *legend, class_="legend")], width, bottom + 6, title, description, key
    )


def _colour(gap: Gap) -> int:
    return GAIN if gap.gain else LOSS


def _look(colour: int, pale: bool) -> dict[str, object]:
    """Looks of a bar, or of its sign in the legend. A pale one has an edge."""
    look = fill(colour)
    edge = (
        {"class_": f"{look['class_']} s{colour}", "stroke": look["fill"], "fill_opacity": _PALE}
        if pale
        else {}
    )
    return look | edge


def _kinds(gaps: Sequence[Gap], words: tuple[str, str]) -> list[tuple[str, int, bool]]:
    """The kinds of bars in the chart: words, colour, and whether they are pale."""
    sure = {gap.gain: _colour(gap) for gap in gaps if gap.sure}
    kinds = [
        (word, sure[gain], False)
        for word, gain in zip(words, (True, False), strict=True)
        if gain in sure
    ]
    return kinds + [("not significantly different", LOSS, True)] * any(not gap.sure for gap in gaps)


def swatches(
    kinds: Sequence[tuple[str, int, bool]], top: float, left: float, width: float
) -> tuple[list[str], float]:
    """A legend of areas, from words, colours and whether they are pale; and the position at which
    it ends.
    """
    entries: list[str] = []
    x, y = left, top
    for words, colour, pale in kinds:
        wide = 18 + LETTER * len(words)
        if x > left and x + wide > width:
            x, y = left, y + 16
        entries.append(element("rect", x=x, y=y - 9, width=12, height=10, **_look(colour, pale)))
        entries.append(label(x + 17, y, words))
        x += wide + 14
    return entries, y


def topic_bars(
    title: str, description: str, values: Sequence[float], upwards: str, across: str, key: str
) -> Markup:
    """Differences in the given order, one bar each: gains upwards, losses downwards and in another
    colour.

    All gains are one path, and all losses another, which takes a tenth of the bytes of single bars.
    A script splits them into bars with names.

    Examples
    --------
    >>> bars = topic_bars("A minus B", "Two topics.", [0.5, -0.25], "AP", "topics", "d")
    >>> bars.count('stroke="#004488"'), bars.count('stroke="#1B9E9E"')
    (1, 1)
    """
    width, count = 720, len(values)
    # The title of the axis needs room to the left of the ticks.
    axes = Axes.of((-0.5, count - 0.5), room([0.0, *values]), width - 76, 190, left=64)
    wide = (axes.x.end - axes.x.start) / max(count, 1)
    wide -= 0.15 * wide if wide > 3 else 0.0
    zero = place(axes.y(0.0))
    paths = {GAIN: "", LOSS: ""}
    for i, value in enumerate(values):
        if math.isfinite(value):
            paths[GAIN if value >= 0 else LOSS] += (
                f"M{place(axes.x(i))} {zero}V{place(axes.y(value))}"
            )
    bars = [
        element(
            "path",
            d=path,
            stroke_width=f"{max(wide, 0.8):.2f}",
            **stroke(colour) | {"stroke_dasharray": None},
        )
        for colour, path in paths.items()
        if path
    ]
    level = f"M{place(axes.x.start)} {zero}H{place(axes.x.end)}"
    body = [
        element("path", d=axes.levels(), class_="grid", stroke=styles.FAINT, stroke_width="0.6"),
        *axes.heights(),
        *axes.titles(across, upwards, 22),
        element("g", *bars) if bars else "",
        element("path", d=level, class_="axis", stroke="currentColor"),
    ]
    return picture(body, width, axes.bottom, title, description, key)
