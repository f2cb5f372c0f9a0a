"""Files of pictures, and pictures for notebooks, light or dark."""

from __future__ import annotations

import io
import os
import sys
import warnings
from pathlib import Path
from typing import Any

import numpy as np

from precall.core.arguments import check_path
from precall.core.errors import UsageError
from precall.core.notes import warn
from precall.core.notes.of_pages import FontLacksCharacters
from precall.core.text import refuse_folder

#: Dots per inch of PNG files, and the margin around the drawing in inches.
DOTS, PAD = 160, 0.1
#: No date and nothing random, so that the same picture gives the same file.
_METADATA: dict[str, dict[str, Any]] = {
    ".png": {"Software": "precall"},
    ".svg": {"Date": None, "Creator": "precall"},
    ".pdf": {"CreationDate": None, "Creator": "precall"},
}
ENDINGS = tuple(_METADATA)
#: Backends of pyplot that open no window.
_FILES_ONLY = ("agg", "cairo", "pdf", "pgf", "ps", "svg", "template")


def ending(path: str | Path) -> str:
    """The ending of a picture's name, in lower case.

    Examples
    --------
    >>> ending("curve.SVG")
    '.svg'
    """
    refuse_folder(check_path(path))
    suffix = Path(path).suffix.lower()
    if suffix not in ENDINGS:
        raise UsageError(f"{os.fspath(path)}: a picture's name must end in {', '.join(ENDINGS)}")
    return suffix


def shown_by_pyplot(figure: object) -> bool:
    """Whether the figure belongs to pyplot, and pyplot shows its figures, in windows or at the end
    of a cell.
    """
    pyplot = sys.modules.get("matplotlib.pyplot")
    number = getattr(figure, "number", None)
    if pyplot is None or number is None or not pyplot.fignum_exists(number):
        return False
    return pyplot.get_backend().lower() not in _FILES_ONLY


def size_of(data: bytes) -> dict[str, int]:
    """Width and height at which a PNG is shown, in pixels of the browser."""
    width, height = (round(int.from_bytes(data[at : at + 4], "big") * 96 / DOTS) for at in (16, 20))
    return {"width": width, "height": height}


def on_any_ground(figure: Any, *cells: Any) -> bytes:
    """A picture as PNG with a transparent ground. A ground that is dark by the user's style stays
    as it is.

    The inside of the axes `cells` keeps its colours.
    """
    from matplotlib.colors import to_rgba
    from PIL import Image

    from precall.plot.shared import contrast

    ground = to_rgba(figure.get_facecolor())
    if ground[3] and contrast.luminance(ground[:3]) < 0.5:
        return render(figure, ".png")
    picture = np.asarray(
        Image.open(io.BytesIO(render(figure, ".png", transparent=True))).convert("RGBA")
    )
    converted = contrast.anywhere(picture)
    for ax in cells:
        left, right, top, bottom = _place(figure, ax)
        converted[top:bottom, left:right] = picture[top:bottom, left:right]
    out = io.BytesIO()
    Image.fromarray(converted).save(out, "png")
    return out.getvalue()


def _place(figure: Any, ax: Any) -> list[int]:
    """Left, right, top and bottom of axes in the file of their figure, in pixels."""
    dots = figure.dpi
    figure.set_dpi(DOTS)
    try:
        # The size of letters, and so the layout, depends slightly on the dots per inch.
        figure.canvas.draw()
        edge = figure.get_tightbbox(figure.canvas.get_renderer()).padded(PAD)
        box = ax.get_window_extent().transformed(figure.dpi_scale_trans.inverted())
    finally:
        figure.set_dpi(dots)
    across, down = (box.x0 - edge.x0, box.x1 - edge.x0), (edge.y1 - box.y1, edge.y1 - box.y0)
    return [round(inches * DOTS) for inches in (*across, *down)]


def render(figure: Any, form: str, transparent: bool = False) -> bytes:
    """The bytes of a figure's file; `form` is one of `ENDINGS`. The file is large enough for
    everything that is drawn or written.
    """
    import matplotlib

    out = io.BytesIO()
    with (
        warnings.catch_warnings(record=True) as caught,
        matplotlib.rc_context({"svg.hashsalt": "precall"}),
    ):
        warnings.simplefilter("always")
        figure.savefig(
            out,
            format=form[1:],
            dpi=DOTS,
            metadata=_METADATA[form],
            bbox_inches="tight",
            pad_inches=PAD,
            transparent=transparent,
        )
    lacking = ["missing from font" in str(warning.message) for warning in caught]
    if any(lacking):
        warn(FontLacksCharacters(""))
    for warning, is_known in zip(caught, lacking, strict=True):
        if not is_known:
            warnings.warn_explicit(
                warning.message, warning.category, warning.filename, warning.lineno
            )
    return out.getvalue()
