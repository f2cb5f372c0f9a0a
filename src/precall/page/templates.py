"""The only template environment: it makes all HTML of pages and notebooks, and escapes text from
outside.

Only this module imports Jinja2, when the first page or result is shown.
"""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup as Markup
from markupsafe import escape

from precall.page.record import digest, embed

#: Invisible characters that would change the order of the letters around them, or control how they
#: are shown.
UNSEEN = "\u061c\u200e\u200f\u2028-\u202e\u2066-\u206f\ufff9-\ufffb\U000e0000-\U000e007f"
#: Characters that HTML or SVG may not hold, and the invisible ones.
_FORBIDDEN = re.compile(f"[\x00-\x08\x0b-\x1f\x7f-\x9f{UNSEEN}\ud800-\udfff\ufffe\uffff]")


class Cell(NamedTuple):
    """A cell of a table. The `kind` "loss" and "gain" have colours; "words" and "letters" are no
    numbers.

    The best of a column is bold. `mark` and the bounds `ends` follow the value; `title` is a
    tooltip.
    """

    text: str
    kind: str = ""
    best: bool = False
    mark: str = ""
    ends: str = ""
    title: str = ""


def allowed(text: object) -> Any:
    """A text with the characters replaced that HTML may not hold; markup unchanged."""
    if isinstance(text, Markup):
        return text
    string = str(text)
    # None of these characters is printable, and `isprintable` is faster than the pattern.
    return string if string.isprintable() else _FORBIDDEN.sub("\ufffd", string)


def escape_text(text: object) -> Markup:
    """Text that is shown literally, also inside an attribute.

    Examples
    --------
    >>> escape_text("</script><img src=x onerror='a&b'>")
    Markup('&lt;/script&gt;&lt;img src=x onerror=&#39;a&amp;b&#39;&gt;')
    """
    return escape(allowed(text))


@cache
def environment() -> Environment:
    """The environment."""
    jinja = Environment(
        loader=FileSystemLoader(Path(__file__).parent / "templates"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        finalize=allowed,
        auto_reload=False,
    )
    jinja.filters.update(embedded=lambda record: Markup(embed(record)), digest=digest)
    return jinja


@cache
def macros(name: str) -> Any:
    """The macros of a template, as functions that return markup."""
    return environment().get_template(name).module
