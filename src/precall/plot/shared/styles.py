"""Colours, dashes, markers, hatches and names of pictures and pages.

Lines can be told apart on a screen, in grey print and by colour-blind readers. Any two of the six
colours differ in lightness by at least 7 units of CIE L*. They differ by at least 15 units of CIE
Lab for people without one kind of cone (Machado, Oliveira & Fernandes 2009, severity 1). All have a
contrast of 3 : 1 with white. A test computes these distances. Colour is never the only difference:
the n-th line also has its own dashes, and a colour comes back with the same dashes only after 30
lines.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any, NamedTuple

COLOURS = ("#004488", "#1B9E9E", "#BB5566", "#000000", "#8C510A", "#661100")
#: The same hues on a dark ground, with the same distances; contrast 3 : 1 with grounds up to
#: #282c34.
ON_DARK = ("#6FB1E6", "#5CEDB6", "#B56583", "#F2F2F2", "#D9BD4A", "#E27258")
DASHES: tuple[Any, ...] = (
    "-",
    (0, (5, 1.6)),
    (0, (1.2, 1.2)),
    (0, (6, 1.5, 1.2, 1.5)),
    (0, (9, 2.5)),
)
MARKERS = ("o", "s", "^", "D", "v", "P", "X", "*")
HATCHES = ("", "////", "....", "xxxx", "\\\\\\\\", "----")

#: Lines that show random selection or that guide the eye.
GUIDE = "#6E6E6E"
#: Guides in the background.
FAINT = "#C4C4C4"
#: Longer names are cut in pictures.
LONGEST = 36
#: Characters between the words of a name.
_BETWEEN = re.compile(r"[-_/ :|]|\.(?!\d)")
#: A shared beginning or end shorter than this is kept.
_GAIN = 4


class Palette(NamedTuple):
    """Colours on one ground."""

    colours: tuple[str, ...] = COLOURS
    ink: str = "#000000"
    ground: str = "#FFFFFF"
    guide: str = GUIDE
    faint: str = FAINT


_LIGHT = Palette()
_PALETTE: ContextVar[Palette] = ContextVar("palette", default=_LIGHT)


@contextmanager
def on(ground: str | None) -> Iterator[None]:
    """Use the colours for this ground inside the `with` block; None is paper.

    Examples
    --------
    >>> with on("#101010"):
    ...     colour(0), ink(), tint(ink(), 0.5)
    ('#6FB1E6', '#F2F2F2', '#818181')
    >>> colour(0)
    '#004488'
    """
    dark = ground is not None and is_dark(ground)
    # On a light ground that is not white, tints are mixed with that ground.
    palette = (
        Palette(ON_DARK, "#F2F2F2", ground, "#A0A0A0", "#4A4A4A") if dark and ground else _LIGHT
    )
    token = _PALETTE.set(palette if ground is None else palette._replace(ground=ground))
    try:
        yield
    finally:
        _PALETTE.reset(token)


def is_dark(colour: str) -> bool:
    """Whether black ink on this colour would have less contrast than white ink.

    Examples
    --------
    >>> is_dark("#000000"), is_dark("#282c34"), is_dark("#eeeeee")
    (True, True, False)
    """
    red, green, blue = (int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5))
    # Relative luminance with a gamma of 2.2; at .18 both contrasts are equal.
    return bool(0.2126 * red**2.2 + 0.7152 * green**2.2 + 0.0722 * blue**2.2 < 0.18)


def colour(place: int) -> str:
    """The colour of the line with this index, from 0."""
    colours = _PALETTE.get().colours
    return colours[place % len(colours)]


def ink() -> str:
    """The colour of text: black, or its counterpart on a dark ground."""
    return _PALETTE.get().ink


def ground() -> str:
    """The colour of the ground: white, or the one in use."""
    return _PALETTE.get().ground


def guide() -> str:
    """The colour of lines that show random selection or that guide the eye."""
    return _PALETTE.get().guide


def faint() -> str:
    """The colour of guides in the background."""
    return _PALETTE.get().faint


def stroke(place: int) -> dict[str, Any]:
    """Colour and dashes of the line with this index.

    Examples
    --------
    >>> stroke(0)
    {'color': '#004488', 'linestyle': '-'}
    """
    return {"color": colour(place), "linestyle": DASHES[place % len(DASHES)]}


def marker(place: int) -> str:
    """The marker with this index."""
    return MARKERS[place % len(MARKERS)]


def style_of_markers(place: int) -> dict[str, Any]:
    """Colour, dashes and marker of a line with few points."""
    return {**stroke(place), "marker": marker(place), "markersize": 5}


def hatch(place: int) -> str:
    """The hatching with this index."""
    return HATCHES[place % len(HATCHES)]


def tint(colour: str, share: float) -> str:
    """The colour mixed with the ground, opaque. SVG would draw hatching in the full colour, where
    it is invisible.

    Examples
    --------
    >>> tint("#000000", 0.2)
    '#cccccc'
    """
    parts = ((int(colour[at : at + 2], 16), int(ground()[at : at + 2], 16)) for at in (1, 3, 5))
    return "#" + "".join(
        f"{round(below - share * (below - channel)):02x}" for channel, below in parts
    )


def short(text: str, longest: int) -> str:
    """A name, with the middle left out if it is long.

    Examples
    --------
    >>> short("a" * 20 + "b" * 20, 11)
    'aaaaa…bbbbb'
    """
    if len(text) <= longest:
        return text
    half = (longest - 1) // 2
    return f"{text[: longest - 1 - half]}…{text[-half:]}"


def distinct(names: Sequence[str]) -> list[str]:
    """Names without the words that all of them begin or end with; see `shared`.

    Examples
    --------
    >>> distinct(["trec8-bm25-k1.2-v2", "trec8-dense-v2"]), distinct(["lambda0.1", "lambda0.2"])
    (['bm25-k1.2', 'dense'], ['lambda0.1', 'lambda0.2'])
    """
    head, tail = map(len, shared(names))
    return [name[head : len(name) - tail] for name in names]


def shared(names: Sequence[str]) -> tuple[str, str]:
    """The words that all names begin with, and those that they end with. Both are empty if a name
    would be left without a letter, or if little would be gained.

    Examples
    --------
    >>> shared(["trec8-bm25-k1.2-v2", "trec8-dense-v2"])
    ('trec8-', '-v2')
    """
    if len(set(names)) < 2:
        return "", ""
    # Only whole words are removed, and no number is cut at its decimal point.
    same = _alike(names)
    first = max((end for end in _places(names[0], 1) if end <= same), default=0)
    rest = [name[first:] for name in names]
    same = len(rest[0]) - _alike([name[::-1] for name in rest])
    last = min((start for start in _places(rest[0], 0) if start >= same), default=len(rest[0]))
    cut = len(rest[0]) - last
    left = all(any(map(str.isalpha, name[: len(name) - cut])) for name in rest)
    return (names[0][:first], rest[0][last:]) if left and first + cut >= _GAIN else ("", "")


def _alike(names: Sequence[str]) -> int:
    """Number of letters that all names begin with."""
    ends = min(names), max(names)
    return next(
        (index for index, (a, b) in enumerate(zip(*ends, strict=False)) if a != b),
        min(map(len, ends)),
    )


def _places(name: str, side: int) -> list[int]:
    """Positions at which the separators between words begin (side 0) or end (side 1)."""
    return [match.span()[side] for match in _BETWEEN.finditer(name)]


def escape_name(text: object) -> str:
    """A name for matplotlib: in one line, not too long, and never parsed as a formula.

    Examples
    --------
    >>> escape_name("cost in $, new $"), escape_name("a" * 50)
    ('cost in \\\\$, new \\\\$', 'aaaaaaaaaaaaaaaaaa…aaaaaaaaaaaaaaaaa')
    """
    shown = "".join(letter if letter.isprintable() else "\ufffd" for letter in str(text))
    return short(shown, LONGEST).replace("$", r"\$")


def lines(text: object) -> str:
    """A title for matplotlib: with its own line breaks, and never parsed as a formula.

    Examples
    --------
    >>> lines("a, $ per day")
    'a, \\\\$ per day'
    """
    shown = "".join(
        letter if letter.isprintable() or letter == "\n" else "\ufffd" for letter in str(text)
    )
    return shown.replace("$", r"\$")


def number(value: float) -> str:
    """A value for legends and labels, with three significant digits."""
    return f"{value:.3g}"
