"""Where text goes: standard output, or a file that appears whole or not at all."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from precall.cli.interrupt import tidied
from precall.errors import UsageError
from precall.saving import discard, save
from precall.text import encoded, file_name, visible

if TYPE_CHECKING:
    from precall.plot.canvas import Display
    from precall.sheet.sheets import Sheet

#: Characters in a line of a table, in a pipe or on a terminal that does not say.
WIDTH = 80


def check(path: str | None, inputs: list[str], option: str = "--output") -> None:
    """Refuse, before any work is done, a path that cannot be written or would overwrite an input."""
    if path is None or path == "-":
        return
    if not path:
        raise UsageError(f"{option}: empty path; name a file, or - for standard output")
    target = Path(file_name(path))
    if target.is_dir():
        raise UsageError(f"{option} {path}: is a directory; name a file")
    folder = Path(os.path.realpath(path)).parent
    if not folder.is_dir():
        raise UsageError(f"{option} {path}: there is no directory {folder}; create it first")
    for given in map(Path, inputs):
        if target.exists() and given.exists() and target.samefile(given):
            raise UsageError(f"{option} {path}: is also an input and would be overwritten; name another file")


def check_table(file: str, output: str | None) -> None:
    """Refuse, before any work is done, paths that cannot be."""
    if not file:
        raise UsageError("empty path; name a file, or - for standard input")
    check(output, [file])


def check_picture(plot: str | None, kind: str | None, inputs: list[str], output: str | None) -> None:
    """Refuse, before any work is done, what cannot be drawn or written."""
    if plot is None:
        if kind is not None:
            raise UsageError("--plot-kind: says what --plot FILE draws; name the file, too")
        return
    from precall.plot import canvas

    if not plot:
        raise UsageError("--plot: empty path; name a file that ends in .png, .svg or .pdf")
    try:
        canvas.ending(plot)
    except UsageError as error:
        raise UsageError(f"--plot {error}") from None
    check(plot, inputs, "--plot")
    if output not in (None, "-") and os.path.realpath(str(output)) == os.path.realpath(plot):
        raise UsageError(f"--plot {plot}: is also the --output; name another file")
    canvas.figure((1, 1))


def draw(display: Display, path: str) -> None:
    """Write a picture, whole or not at all."""
    from precall.plot import canvas

    write_file(canvas.rendered(display.figure_, canvas.ending(path)), path)


def write_sheet(sheet: Sheet, form: str, path: str | None) -> int:
    """Write a sheet in one of its forms; returns the exit code."""
    from precall.sheet.forms import rendered

    bold, width = screen(path)
    write(rendered(sheet, form, bold=bold, width=width), path, bold=bold and form == "table")
    return 0


def screen(path: str | None) -> tuple[bool, int]:
    """Whether what is written there may be bold, and how many columns a line has."""
    if path not in (None, "-") or sys.stdout is None or not sys.stdout.isatty():
        return False, WIDTH
    bold = not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"
    return bold, os.get_terminal_size(sys.stdout.fileno()).columns or WIDTH


def write(text: str, path: str | None, *, bold: bool = False) -> None:
    """Write `text` as UTF-8 to `path`, or to standard output; `bold` says that the text may have such marks."""
    if path is None or path == "-":
        _to_screen(text, bold)
    else:
        write_file(encoded(text), path)


def write_file(data: bytes, path: str) -> None:
    """Write a file whole, or not at all, also if the process is interrupted."""
    with tidied(discard):
        save(data, path)


def _to_screen(text: str, bold: bool) -> None:
    if sys.stdout is None:
        raise UsageError("standard output is closed; use --output FILE")
    sys.stdout.flush()
    # A pipe gets what is there; a terminal would obey it. The marks of a table are ours: its names have none.
    if not bold and sys.stdout.isatty():
        text = visible(text, "\t")
    data = encoded(text)
    if not hasattr(sys.stdout, "buffer"):
        sys.stdout.write(data.decode())  # a notebook's, which takes text only
        return
    # As bytes, so that neither the locale nor the platform changes what is written.
    rest = memoryview(data)
    while rest:
        # Under PYTHONUNBUFFERED this is the bare file, which may take a part only.
        rest = rest[sys.stdout.buffer.write(rest) :]
    sys.stdout.buffer.flush()
