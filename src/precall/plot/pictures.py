"""Figures → bytes of a file: the same bytes for the same picture and version of matplotlib."""

from __future__ import annotations

import io
import os
import warnings
from pathlib import Path
from typing import Any

from precall.errors import UsageError
from precall.notes import warn

ENDINGS = (".png", ".svg", ".pdf")
#: Dots per inch of PNG.
DOTS = 160
#: No date, and nothing random: a picture made again is the same file.
_METADATA: dict[str, dict[str, Any]] = {
    ".png": {"Software": "precall"},
    ".svg": {"Date": None, "Creator": "precall"},
    ".pdf": {"CreationDate": None, "Creator": "precall"},
}


def ending(path: str | Path) -> str:
    """The ending of a picture's name, in lower case.

    Examples
    --------
    >>> ending("curve.SVG")
    '.svg'
    """
    suffix = Path(path).suffix.lower()
    if suffix not in ENDINGS:
        raise UsageError(f"{os.fspath(path)}: a picture's name must end in {', '.join(ENDINGS)}")
    return suffix


def rendered(figure: Any, form: str) -> bytes:
    """The file of a figure; `form` is one of `ENDINGS`. Nothing that was drawn or written is cut off."""
    import matplotlib

    out = io.BytesIO()
    with warnings.catch_warnings(record=True) as caught, matplotlib.rc_context({"svg.hashsalt": "precall"}):
        warnings.simplefilter("always")
        figure.savefig(
            out, format=form[1:], dpi=DOTS, metadata=_METADATA[form], bbox_inches="tight", pad_inches=0.1
        )
    missing = [one for one in caught if "missing from font" in str(one.message)]
    if missing:
        text = "the font of the picture lacks some characters of its names; boxes stand for them"
        warn(text)
    for one in caught:
        if one not in missing:
            warnings.warn_explicit(one.message, one.category, one.filename, one.lineno)
    return out.getvalue()
