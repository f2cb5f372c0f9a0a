"""Names in pictures: cut in their middle where they are long, in one line."""

from __future__ import annotations

#: Longer names are cut in pictures.
LONGEST = 36


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


def plain(text: object) -> str:
    """A name for matplotlib: in one line, not too long, and never taken for a formula.

    Examples
    --------
    >>> plain("cost in $, new $"), plain("a" * 50)
    ('cost in \\\\$, new \\\\$', 'aaaaaaaaaaaaaaaaaa…aaaaaaaaaaaaaaaaa')
    """
    shown = "".join(letter if letter.isprintable() else "\ufffd" for letter in str(text))
    return short(shown, LONGEST).replace("$", r"\$")


def number(value: float) -> str:
    """A value as legends and labels show it: three digits that count."""
    return f"{value:.3g}"
