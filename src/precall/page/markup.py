"""Converts shapes and text to SVG. Each element carries its look as presentation attributes, so
that it is drawn correctly in a notebook. It also has a class, so that a page's style sheet can
change its colours in dark mode.
"""

from __future__ import annotations

from collections.abc import Sequence

from precall.page.templates import Markup, escape_text
from precall.plot.shared import styles


def element(name: str, *children: str, **attributes: object) -> Markup:
    """An element; `children` are markup already, attributes are escaped here.

    Underscores in an attribute's name become hyphens, a trailing one is dropped; an attribute of
    None is omitted.

    Examples
    --------
    >>> element("text", escape_text("a<b"), class_="name", text_anchor="end", x=1.0)
    Markup('<text class="name" text-anchor="end" x="1">a&lt;b</text>')
    """
    pairs = "".join(
        (
            " "
            f'{key.rstrip("_").replace("_", "-")}="{place(value) if isinstance(value, float) else escape_text(value)}"'  # noqa: E501
        )
        for key, value in attributes.items()
        if value is not None
    )
    return Markup(
        f"<{name}{pairs}>{''.join(children)}</{name}>" if children else f"<{name}{pairs}/>"
    )


def place(value: float) -> str:
    """A coordinate as text, in tenths of a pixel.

    Examples
    --------
    >>> place(12.0), place(0.26), place(-0.01)
    ('12', '0.3', '0')
    """
    text = f"{value:.1f}"
    return "0" if text in ("-0.0", "0.0") else text.removesuffix(".0")


def label(x: float, y: float, text: object, anchor: str = "start", **more: object) -> Markup:
    """A line of text in the colour of its surroundings."""
    anchored = None if anchor == "start" else anchor
    return element("text", escape_text(text), x=x, y=y, text_anchor=anchored, **more)


def stroke(place_: int) -> dict[str, object]:
    """Class, colour and dashes of the line with this index, from 0; those of matplotlib's pictures.

    Examples
    --------
    >>> stroke(0), stroke(1)["stroke_dasharray"]
    ({'class_': 's0', 'stroke': '#004488', 'stroke_dasharray': None}, '8 2.6')
    """
    dashes = styles.DASHES[place_ % len(styles.DASHES)]
    # matplotlib measures dashes in line widths.
    pattern = None if dashes == "-" else " ".join(place(1.6 * length) for length in dashes[1])
    return {
        "class_": f"s{place_ % len(styles.COLOURS)}",
        "stroke": styles.colour(place_),
        "stroke_dasharray": pattern,
    }


def fill(place_: int) -> dict[str, object]:
    """Class and colour of the area with this index, from 0."""
    return {"class_": f"f{place_ % len(styles.COLOURS)}", "fill": styles.colour(place_)}


def polyline(x: Sequence[float], y: Sequence[float], step: str = "") -> str:
    """The `d` of a path through points. With `step` "before" each height holds from the previous
    point on, with "after" up to the next point.

    Consecutive points with equal coordinates are drawn once.

    Examples
    --------
    >>> polyline([0, 5, 9], [1, 2, 3]), polyline([0, 5, 9], [1, 2, 3], "before")
    ('M0 1L5 2L9 3', 'M0 1V2H5V3H9')
    """
    parts: list[str] = []
    before = ("", "")
    for here in zip(map(place, x), map(place, y), strict=True):
        if not parts:
            parts.append(f"M{here[0]} {here[1]}")
        elif here == before:
            continue
        elif not step:
            parts.append(f"L{here[0]} {here[1]}")
        else:
            moves = {"H": here[0] != before[0], "V": here[1] != before[1]}
            order = "VH" if step == "before" else "HV"
            parts += [f"{turn}{here[turn == 'V']}" for turn in order if moves[turn]]
        before = here
    return "".join(parts)


def picture(
    body: Sequence[str], width: float, height: float, title: str, description: str, key: str
) -> Markup:
    """A complete SVG, with a name and a description for screen readers. Its ids begin with a unique
    key.

    Examples
    --------
    >>> str(picture([element("path", d="M0 0H9")], 9.0, 5.0, "A line", "It is level.", "p"))[:66]
    '<svg xmlns="http://www.w3.org/2000/svg" class="chart" viewBox="0 0'
    """
    named = [
        element("title", escape_text(title), id=f"{key}-t"),
        element("desc", escape_text(description), id=f"{key}-d"),
    ]
    return element(
        "svg",
        *named,
        *body,
        xmlns="http://www.w3.org/2000/svg",
        class_="chart",
        viewBox=f"0 0 {place(width)} {place(height)}",
        width=width,
        height=height,
        role="img",
        aria_labelledby=f"{key}-t {key}-d",
        font_family="system-ui, sans-serif",
        font_size="11",
        fill="currentColor",
    )
