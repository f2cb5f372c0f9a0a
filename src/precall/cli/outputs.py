"""Writes results to standard output or completely to a file, and messages and progress to standard
error.
"""

from __future__ import annotations

import os
import sys
import threading
from collections.abc import Callable
from contextlib import suppress
from typing import TYPE_CHECKING, Any

from precall.cli.files import check_place
from precall.cli.interrupt import tidy_up
from precall.core.errors import UsageError, name_file_in_errors
from precall.core.saving import discard, save
from precall.core.text import WIDTH, encode_utf8, printable, visible

if TYPE_CHECKING:
    from precall.page.sections import File, SectionPart
    from precall.plot.canvas import Display
    from precall.results.sheets import Sheet

#: Its name in messages.
STANDARD_OUTPUT = "standard output"
#: Seconds without a progress bar; most evaluations take less.
PATIENCE = 1.0


def check_picture(plot: str | None, kind: str | None) -> None:
    """Refuse, before any work is done, pictures that cannot be drawn."""
    if plot is None:
        if kind is not None:
            raise UsageError(
                argument="--plot-kind",
                what="applies to --plot FILE",
                remedy="also give --plot FILE",
            )
        return
    from precall.plot import canvas, files

    if not plot:
        raise UsageError(
            argument="--plot",
            what="empty path",
            remedy="name a file that ends in .png, .svg or .pdf",
        )
    check_place("--plot", plot)
    try:
        files.ending(plot)
    except UsageError as error:
        raise UsageError(f"--plot {error.marked}") from None
    canvas.figure((1, 1))


def draw(display: Display, path: str) -> None:
    """Write a picture, completely or not at all."""
    from precall.plot import files

    write_file(files.render(display.figure_, files.ending(path)), path)


def write_sheet(
    sheet: Sheet,
    form: str,
    path: str | None,
    section: Callable[[], SectionPart[Any]] | None = None,
    text: Callable[[], str] | None = None,
) -> int:
    """Write a sheet in one of its forms, as short or long as `--all` and `--notes` say; returns the
    exit code.

    Parameters
    ----------
    section : makes the section of its page, if that is not the one of its result.
    text : makes the text for the terminal, if that is not the table of the sheet.
    """
    from precall.cli.options import length_of_output

    if form == "html":
        write(page_text(sheet, section), path)
        return 0
    if form == "table" and text is not None:
        write(text(), path)
        return 0
    bold, width = screen(path)
    sheet = sheet.sheet(**length_of_output())
    write(render(sheet, form, bold=bold, width=width), path, bold=bold and form == "table")
    return 0


def render(sheet: Sheet, form: str, *, bold: bool = False, width: int = WIDTH) -> str:
    """A sheet as text, in the layout that the options of the command ask for."""
    from precall.cli.options import as_options, check_layout
    from precall.results import forms

    layout = check_layout()
    with as_options():
        return forms.render(sheet, form, bold=bold, width=width, layout=layout)


def page_text(sheet: Sheet, section: Callable[[], SectionPart[Any]] | None = None) -> str:
    """The page of a sheet, with the command line and the files that were read."""
    from precall.core.notes import run_and_collect
    from precall.page.writing import page_of_sheet

    part = None
    if section is not None:
        part, remarks = run_and_collect(section)
        part = part._replace(notes=[*part.notes, *remarks])
    return page_of_sheet(sheet, part, command_line(), described_inputs())


def command_line() -> str:
    """The command line, if it is known."""
    from shlex import join

    import click

    context = click.get_current_context(silent=True)
    words = context.find_root().obj if context else None
    return join(["precall", *words]) if words else ""


def described_inputs() -> list[File]:
    """The files that the command has read, as a page lists them."""
    from precall.cli.files import read_by_command
    from precall.page.record import describe_files
    from precall.read.sources import is_data_set

    on_disk = (path for path in read_by_command() if path != "-" and not is_data_set(path))
    return [facts for path in on_disk for facts in describe_files(path)]


def screen(path: str | None) -> tuple[bool, int]:
    """Whether text written to the path may be bold, and the number of columns of a line."""
    if path not in (None, "-") or sys.stdout is None or not sys.stdout.isatty():
        return False, WIDTH
    bold = not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"
    return bold, os.get_terminal_size(sys.stdout.fileno()).columns or WIDTH


def write(text: str, path: str | None, *, bold: bool = False) -> None:
    """Write `text` as UTF-8 to `path`, or to standard output. `bold` says that the text may contain
    ANSI codes for bold.
    """
    if path not in (None, "-"):
        write_file(encode_utf8(text), str(path))
        return
    with name_file_in_errors(STANDARD_OUTPUT):
        _print(text, bold)


def _print(text: str, bold: bool) -> None:
    sys.stdout.flush()
    # A pipe gets all characters, but a terminal would obey control characters. The codes of a bold
    # table are precall's own, and its names contain none.
    data = encode_utf8(visible(text, "\t") if not bold and sys.stdout.isatty() else text)
    if not hasattr(sys.stdout, "buffer"):
        sys.stdout.write(data.decode())  # a notebook's, which takes text only
        return
    # As bytes, so that neither the locale nor the platform changes the output.
    rest = memoryview(data)
    while rest:
        # With PYTHONUNBUFFERED this is the raw file, which may write only a part.
        rest = rest[sys.stdout.buffer.write(rest) :]
    sys.stdout.buffer.flush()


def write_file(data: bytes, path: str) -> None:
    """Write a file, completely or not at all, even if the process is interrupted."""
    with tidy_up(discard):
        save(data, path)


def github_summary() -> str:
    """The file to which a step of GitHub Actions appends its summary."""
    path = os.environ.get("GITHUB_STEP_SUMMARY")
    if not path:
        raise UsageError(
            argument="--github-summary",
            what="GITHUB_STEP_SUMMARY is not set; GitHub Actions sets it in every step",
            remedy="leave the option out here",
        )
    return path


def say(kind: str, message: str) -> None:
    """Write lines of a kind, such as "error", to standard error."""
    tell("".join(f"precall: {kind}: {line}\n" for line in visible(message).splitlines()))


def tell(text: str) -> None:
    """Write text to standard error. A failure to write must neither change the exit code nor hide
    the output.
    """
    if sys.stderr is not None:
        with suppress(OSError):
            sys.stderr.write(text)


class Progress:
    """A progress bar on a terminal, after one second of work; nothing anywhere else.

    It is called before each run. A timer thread shows it, because the first run alone may take
    longer than that second.
    """

    def __init__(self, total: int) -> None:
        self.active = sys.stderr is not None and sys.stderr.isatty()
        self._lock = threading.Lock()
        self.total = total
        self._done, self._name = 0, ""
        self._bar: Any = None
        self._timer = threading.Timer(PATIENCE, self._show)
        self._timer.daemon = True
        self._guard = tidy_up(self.close)

    def __enter__(self) -> Progress:
        if self.active:
            self._guard.__enter__()
            # If no thread can be started there is no bar, but the work goes on.
            with suppress(RuntimeError):
                self._timer.start()
        return self

    def __call__(self, done: int, name: str) -> None:
        with self._lock:
            self._done, self._name = done, name
            if self._bar is not None:
                self._draw()

    def __exit__(self, *error: object) -> None:
        if self.active:
            self._timer.cancel()
            with self._lock:
                self.close()
            self._guard.__exit__(None, None, None)

    def _show(self) -> None:
        import click

        with self._lock:
            if self.active:
                self._bar = click.progressbar(
                    length=self.total,
                    label="precall",
                    file=sys.stderr,
                    show_eta=False,
                    show_pos=True,
                    item_show_func=lambda name: None if name is None else printable(name),
                )
                self._draw()

    def _draw(self) -> None:
        self._bar.current_item = self._name
        self._bar.pos = self._done
        self._bar.length = self.total
        self._bar.render_progress()

    def close(self) -> None:
        """Erase the bar, so that only the report stays, and show the cursor again."""
        self.active = False
        if self._bar is not None:
            sys.stderr.write("\r\033[K\033[?25h")
            sys.stderr.flush()
            self._bar = None
