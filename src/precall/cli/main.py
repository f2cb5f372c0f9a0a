"""The end of the process: exit codes (`commands.EXIT_CODES`; 141: the reader of the output has
closed it), error messages, interrupts.

A defect of precall shows its traceback, because it must be reported. Nothing slow is imported at
the top: Ctrl-C must end the process quietly from the first moment.
"""

from __future__ import annotations

import errno
import os
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress

TYPE_CHECKING = False  # typing takes as long to import as all of this
if TYPE_CHECKING:
    from typing import TextIO

INTERRUPTED = 130
UNREAD = 141
DEFECT = 70
USAGE = 2
NO_MEMORY = (
    "out of memory; use a machine with more, or give fewer runs, cases or categories at a time"
)
#: Least address space, in bytes, in which Python, NumPy and SciPy can be loaded. With less,
#: OpenBLAS may wait forever for more.
LEAST_ROOM = 500 * 10**6
#: Number of new objects after which Python looks for garbage. Imports make fewer; they take a few
#: megabytes.
LEAST_GARBAGE = 50_000


def main() -> int:
    """The command `precall`."""
    import gc

    from precall.cli import interrupt

    # Imported objects stay until the end. Searching them for garbage repeatedly, and again at the
    # end, took a seventh of the time of a short command.
    gc.set_threshold(LEAST_GARBAGE)
    interrupt.watch()
    _occupy()
    # OpenBLAS threads have no work here, and starting them took a third of the processor time of a
    # short command. Each also takes memory; if there is none, OpenBLAS ends the process.
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    room = _address_space()
    if room is not None and room < LEAST_ROOM:
        fail(
            f"the address space is limited to {room // 10**6} MB (ulimit -v), the least is "
            f"{LEAST_ROOM // 10**6}; raise the limit"
        )
        _finish_errors()
        return USAGE
    status = run(sys.argv[1:])
    gc.freeze()
    return status


def _occupy() -> None:
    """Occupy the descriptors of closed standard streams, so that no file opened later is mistaken
    for one.
    """
    for number in range(3):
        try:
            os.fstat(number)
        except OSError:
            os.open(os.devnull, os.O_RDONLY if number else os.O_WRONLY)


def _address_space() -> int | None:
    """The address space limit of this process; None if there is none."""
    try:
        import resource
    except ImportError:  # no POSIX system
        return None
    limit: int = resource.getrlimit(resource.RLIMIT_AS)[0]
    return None if limit == resource.RLIM_INFINITY else limit


def run(arguments: Sequence[str]) -> int:
    """Run one command line in this process and return its exit code."""
    with _streams():
        status = _answer(arguments)
        _finish_errors()
        return status


def _finish_errors() -> None:
    """Write the buffer of standard error. Python would try it at its end, and exit with 120 if that
    fails.
    """
    if sys.stderr is not None:
        try:
            sys.stderr.flush()
        except (OSError, ValueError):
            _silence(sys.stderr)


@contextmanager
def _streams() -> Iterator[None]:
    """Handle missing standard streams. Writing to a missing standard output is an error; messages
    to a missing standard error are dropped.
    """
    before = sys.stdout, sys.stderr
    opened = []
    for name, flags in (("stdout", os.O_RDONLY), ("stderr", os.O_WRONLY)):
        if getattr(sys, name) is None:
            stream = os.fdopen(os.open(os.devnull, flags), "w", encoding="utf-8")
            opened.append(stream)
            setattr(sys, name, stream)
    try:
        yield
    finally:
        sys.stdout, sys.stderr = before
        for stream in opened:
            with suppress(OSError):
                stream.close()


def _answer(arguments: Sequence[str]) -> int:
    """Run a command, report errors, and return the exit code."""
    from precall.core.errors import PrecallError, name_file_in_errors
    from precall.core.text import encode_name

    try:
        for argument in arguments:
            encode_name(argument)  # from Python may come what no process is given
        status = _invoke(list(arguments))
        with name_file_in_errors("standard output"):
            sys.stdout.flush()
        return status
    except BrokenPipeError:
        _silence(sys.stdout)
        return UNREAD
    except KeyboardInterrupt:
        return INTERRUPTED
    except PrecallError as error:
        return fail(error.words("command"))
    except OSError as error:
        message = _of_system(error)
        _silence(sys.stdout)
        return fail(message)
    except MemoryError:
        return fail(NO_MEMORY)
    except Exception:
        import traceback

        from precall.cli.outputs import tell
        from precall.core.text import visible

        tell(visible(traceback.format_exc()))
        fail(
            "this is a defect of precall, or of a --plugin named above; please report it with the "
            "lines above"
        )
        return DEFECT


def _invoke(arguments: list[str]) -> int:
    import warnings

    from precall.core.spelling import STYLE

    shown = warnings.showwarning
    warnings.showwarning = _warn(shown)
    token = STYLE.set("command")
    try:
        if arguments[:1] == ["trec_eval"] and "_PRECALL_COMPLETE" not in os.environ:
            # This command parses its arguments itself, and does not wait for click.
            from precall.cli import files
            from precall.compat.trec_eval import main as trec_eval

            files.check_any(arguments[1:])
            return trec_eval(arguments[1:], sys.stdout, sys.stderr)
        return _by_click(arguments)
    finally:
        warnings.showwarning = shown
        STYLE.reset(token)


def _by_click(arguments: list[str]) -> int:
    import click

    from precall.cli.commands import commands

    if "_PRECALL_COMPLETE" in os.environ:
        from precall.cli.completion import register

        register()
        try:
            commands.main(arguments, prog_name="precall")
        except SystemExit as end:
            return int(end.code or 0)
    try:
        with commands.make_context("precall", arguments, obj=tuple(arguments)) as context:
            return int(commands.invoke(context) or 0)
    except click.exceptions.Exit as end:
        return end.exit_code
    except click.Abort:
        return INTERRUPTED
    except click.UsageError as error:
        path = error.ctx.command_path if error.ctx else "precall"
        from precall.cli.suggestions import meant, said

        return fail(f"{said(error)}; {meant(error)}see '{path} --help'")


def fail(message: str) -> int:
    """Write each line of `message` as an error, and return the exit code of invalid input."""
    from precall.cli.outputs import say
    from precall.core.text import shorten_quotations

    say("error", shorten_quotations(message))
    return USAGE


def _warn(others: Callable[..., None]) -> Callable[..., None]:
    from precall.core.errors import PrecallWarning

    shown: set[str] = set()

    def show(
        message: Warning | str, category: type[Warning], *place: object, **more: object
    ) -> None:
        if not issubclass(category, PrecallWarning):
            others(message, category, *place, **more)
            return
        from precall.cli.outputs import say

        # By getattr, so that the class of notes need not be imported if there is no note.
        words = getattr(getattr(message, "note", None), "sentence", None)
        text = words("command") if words is not None else str(message)
        if text not in shown:
            shown.add(text)
            say("warning", text)

    return show


#: Advice for errors of the system, by their class, else by their number.
_ADVICE = {
    FileNotFoundError: "check the path",
    NotADirectoryError: "check the path",
    IsADirectoryError: "name a file",
    PermissionError: "check who may read or write it",
}
_OF_NUMBERS = {
    errno.ENOSPC: "free some or use another",
    errno.EDQUOT: "free some or use another",
    errno.ELOOP: "name another file",
    errno.ENAMETOOLONG: "name another file",
}


def _of_system(error: OSError) -> str:
    from precall.core.text import printable

    if error.errno == errno.ENOMEM:
        return NO_MEMORY
    filename = error.filename
    name = (
        os.fsdecode(filename)
        if isinstance(filename, str | bytes)
        else "standard output" * _is_output(error)
    )
    if name == "standard output" and error.errno == errno.EBADF:
        return "standard output is closed; open it, or use --output FILE where there is that option"
    advice = _ADVICE.get(type(error), _OF_NUMBERS.get(error.errno or 0, "check the device"))
    if isinstance(error, FileNotFoundError) and _is_measure(name):
        advice = f"if the measure is meant: -m {name}"
    return f"{printable(name)}{': ' * bool(name)}{error.strerror or error}; {advice}"


def _is_output(error: OSError) -> bool:
    """Whether an error without a file name comes from standard output (click writes help there)."""
    try:
        sys.stdout.flush()
    except OSError:
        return True  # what could not be written waits there
    return error.errno in (errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EBADF)


def _is_measure(text: str) -> bool:
    from precall.core.errors import PrecallError
    from precall.measures import measure

    try:
        return bool(measure(text))
    except PrecallError:
        return False


def _silence(stream: TextIO) -> None:
    # Buffered output would fail again when Python flushes at its end.
    try:
        target = stream.fileno()
    except (AttributeError, OSError, ValueError):
        return
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, target)
    os.close(nowhere)
