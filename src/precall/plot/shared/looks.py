"""Colours, dashes, markers, hatches and names, as pictures and pages have them.

They stay apart on a screen, in grey print and for colour-blind readers. The six colours differ in
lightness by 7 units of CIE L* at least, two by two, and by 15 units of CIE Lab as people without
one kind of cone see them (Machado, Oliveira & Fernandes 2009, severity 1); all have a contrast of
3 : 1 with white. A test computes these distances. Nothing is told by colour alone: the n-th line
has its own dashes, too, and 30 lines pass before a colour comes back with the same dashes.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any, NamedTuple

COLOURS = ("#004488", "#1B9E9E", "#BB5566", "#000000", "#8C510A", "#661100")
#: The same hues on a dark ground, as far apart; contrast 3 : 1 with grounds up to #282c34.
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

#: Lines that say where something would be by chance, or that lead the eye.
GUIDE = "#6E6E6E"
#: Guides that lie behind everything.
FAINT = "#C4C4C4"
#: Longer names are cut in pictures.
LONGEST = 36
#: What stands between the words of a name.
_BETWEEN = re.compile(r"[-_/ :|]|\.(?!\d)")
#: Shorter beginnings and ends that names share are left.
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
    """Colours for what is drawn meanwhile on this ground; None is paper.

    Examples
    --------
    >>> with on("#101010"):
    ...     colour(0), ink(), tint(ink(), 0.5)
    ('#6FB1E6', '#F2F2F2', '#818181')
    >>> colour(0)
    '#004488'
    """
    dark = ground is not None and is_dark(ground)
    # On a light ground that is not white, what is laid below a line is mixed with that ground.
    palette = (
        Palette(ON_DARK, "#F2F2F2", ground, "#A0A0A0", "#4A4A4A") if dark and ground else _LIGHT
    )
    token = _PALETTE.set(palette if ground is None else palette._replace(ground=ground))
    try:
        yield
    finally:
        _PALETTE.reset(token)


def is_dark(colour: str) -> bool:
    """Whether black ink on it would have less contrast than white.

    Examples
    --------
    >>> is_dark("#000000"), is_dark("#282c34"), is_dark("#eeeeee")
    (True, True, False)
    """
    red, green, blue = (int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5))
    # Relative luminance, by a gamma of 2.2; at .18 both contrasts are equal.
    return bool(0.2126 * red**2.2 + 0.7152 * green**2.2 + 0.0722 * blue**2.2 < 0.18)


def colour(place: int) -> str:
    """The colour of the line at this place, from 0."""
    colours = _PALETTE.get().colours
    return colours[place % len(colours)]


def ink() -> str:
    """Black, or what stands for it on a dark ground."""
    return _PALETTE.get().ink


def ground() -> str:
    """White, or what is drawn on."""
    return _PALETTE.get().ground


def guide() -> str:
    """Of lines that say where something would be by chance, or that lead the eye."""
    return _PALETTE.get().guide


def faint() -> str:
    """Of guides that lie behind everything."""
    return _PALETTE.get().faint


def stroke(place: int) -> dict[str, Any]:
    """Colour and dashes of the line at this place.

    Examples
    --------
    >>> stroke(0)
    {'color': '#004488', 'linestyle': '-'}
    """
    return {"color": colour(place), "linestyle": DASHES[place % len(DASHES)]}


def marker(place: int) -> str:
    """The marker at this place."""
    return MARKERS[place % len(MARKERS)]


def marked(place: int) -> dict[str, Any]:
    """Colour, dashes and marker of a line of few points."""
    return {**stroke(place), "marker": marker(place), "markersize": 5}


def hatch(place: int) -> str:
    """The hatching at this place."""
    return HATCHES[place % len(HATCHES)]


def tint(colour: str, share: float) -> str:
    """The colour mixed with the ground, opaque: SVG lays a hatching on the full colour, where it is
    not seen.

    Examples
    --------
    >>> tint("#000000", 0.2)
    '#cccccc'
    """
    parts = ((int(colour[at : at + 2], 16), int(ground()[at : at + 2], 16)) for at in (1, 3, 5))
    return "#" + "".join(f"{round(below - share * (below - part)):02x}" for part, below in parts)


def short(text: str, longest: int) -> str:
    """A name, the middle of a long one left out.

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
    """The words that all names begin with, and end with; none where that leaves nothing of a name,
    or gains little.

    Examples
    --------
    >>> shared(["trec8-bm25-k1.2-v2", "trec8-dense-v2"])
    ('trec8-', '-v2')
    """
    if len(set(names)) < 2:
        return "", ""
    # Whole words only, and no number is cut at its point.
    same = _alike(names)
    first = max((end for end in _places(names[0], 1) if end <= same), default=0)
    rest = [name[first:] for name in names]
    same = len(rest[0]) - _alike([name[::-1] for name in rest])
    last = min((start for start in _places(rest[0], 0) if start >= same), default=len(rest[0]))
    cut = len(rest[0]) - last
    left = all(any(map(str.isalnum, name[: len(name) - cut])) for name in rest)
    return (names[0][:first], rest[0][last:]) if left and first + cut >= _GAIN else ("", "")


def _alike(names: Sequence[str]) -> int:
    """How many letters all names begin with."""
    ends = min(names), max(names)
    return next(
        (place for place, (a, b) in enumerate(zip(*ends, strict=False)) if a != b),
        min(map(len, ends)),
    )


def _places(name: str, side: int) -> list[int]:
    """Where what stands between words begins (0) or ends (1)."""
    return [match.span()[side] for match in _BETWEEN.finditer(name)]


def plain(text: object) -> str:
    """A name for matplotlib: in one line, not too long, and never taken for a formula.

    Examples
    --------
    >>> plain("cost in $, new $"), plain("a" * 50)
    ('cost in \\\\$, new \\\\$', 'aaaaaaaaaaaaaaaaaa…aaaaaaaaaaaaaaaaa')
    """
    shown = "".join(letter if letter.isprintable() else "\ufffd" for letter in str(text))
    return short(shown, LONGEST).replace("$", r"\$")


def lines(text: object) -> str:
    """A title for matplotlib: in as many lines as it was given, and never taken for a formula.

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
    """A value as legends and labels show it: three digits that count."""
    return f"{value:.3g}"
