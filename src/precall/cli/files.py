"""The files of a command: inputs, outputs, and names that mean the same file.

All files are compared with each other before any work is done, including those that do not exist
yet. Existing files are compared by device and inode. This also finds links, hard links and files
that the shell has opened as standard input or output.
"""
# ruff: noqa: PTH112, PTH113, PTH116, PTH120

from __future__ import annotations

import io
import os
import stat
import sys
from collections.abc import Iterable, Iterator
from contextlib import suppress
from typing import Any, Literal

from precall.core.errors import DataError, UsageError, empty_path, read_again
from precall.core.saving import descriptor_of, names_folder, resolve
from precall.core.text import FOLDER, file_name, is_folder, printable

#: The name of standard input or standard output.
STANDARD = "-"
#: The key under which a command's context keeps the files of modules imported by --plugin.
PLUGINS = "precall.plugins"
#: The key of the names of its inputs.
_INPUTS = "precall.inputs"


def check(
    inputs: Iterable[str],
    output: str | None,
    append: str | None = None,
    *,
    folders: bool = False,
    **others: str | None,
) -> None:
    """Refuse, before any work is done, paths that cannot be written, and outputs that are the same
    file as another.

    Parameters
    ----------
    inputs : paths that are read; `-` is standard input.
    output : the file of --output; None and `-` are standard output.
    append : a file to which --github-summary appends.
    folders : whether the command also reads folders. The files below one may be anywhere in the
        system, and many.
    others : outputs of other options, by the names of their parameters, such as `plot` and
        `save_thresholds`.
    """
    inputs = list(inputs)
    _keep(inputs)
    inputs = [*_of_plugins(), *inputs]
    if "" in inputs:
        raise empty_path()
    if (times := inputs.count(STANDARD)) > 1:
        raise read_again(times)
    written = {"--output": STANDARD if output is None else output}
    written |= {
        f"--{name.replace('_', '-')}": path for name, path in others.items() if path is not None
    }
    written |= {} if append is None else {"--github-summary": append}
    for option, path in written.items():
        check_place(option, path)
    read = {key: path for path in _files(inputs, folders) if (key := _identity(path, "stdin"))}
    if (error_stream := _identity(STANDARD, "stderr")) in read:
        # The error message must not be written into that file or another input.
        sys.stderr = io.StringIO() if _identity(STANDARD, "stdout") in read else sys.stdout
        raise UsageError(
            argument="standard error",
            what=f"is also {read[error_stream]}, so messages would be written into it",
            remedy="redirect it to another file",
        )
    _check_outputs(written, read)


def _check_outputs(written: dict[str, str], read: dict[object, str]) -> None:
    """Refuse an output that is an input, another output or a standard stream."""
    taken: dict[object, str] = {}
    for option, path in written.items():
        key = _identity(path, "stdout")
        is_standard = option == "--output" and path == STANDARD
        called = "standard output" if is_standard else f"{option} {path}"
        if key in read:
            other = (
                "standard input"
                if read[key] == STANDARD
                else read[key]
                if is_standard
                else "an input"
            )
            raise UsageError(
                argument=called,
                what=f"is also {other} and would be overwritten",
                remedy="name another file",
            )
        if key in taken:
            raise UsageError(
                argument=called, what=f"is also {taken[key]}", remedy="name another file"
            )
        if not is_standard and option != "--github-summary" and (name := _standard_stream(path)):
            raise UsageError(argument=called, what=f"is also {name}", remedy="name another file")
        if key is not None:
            taken[key] = "standard output" if is_standard and key != "stdout" else f"the {option}"


def check_any(arguments: Iterable[str]) -> None:
    """Check a command whose arguments are not parsed yet: those that are files, or options with
    one, may be inputs.
    """
    words = [word for argument in arguments for word in _with_values(argument)]
    check([path for path in dict.fromkeys(words) if path == STANDARD or os.path.isfile(path)], None)


def _of_plugins() -> list[str]:
    """The files of modules that --plugin has imported; empty if click was never imported."""
    click = sys.modules.get("click")
    context = click and click.get_current_context(silent=True)
    return context.meta.get(PLUGINS, []) if context else []


def _keep(inputs: list[str]) -> None:
    """Keep the names of the inputs for the page of the result."""
    click = sys.modules.get("click")
    if inputs and click and (context := click.get_current_context(silent=True)):
        context.meta[_INPUTS] = inputs


def read_by_command() -> list[str]:
    """The inputs of the command that runs."""
    click = sys.modules.get("click")
    context = click and click.get_current_context(silent=True)
    return context.meta.get(_INPUTS, []) if context else []


def _with_values(argument: str) -> tuple[str, ...]:
    """An argument, and its possible value in the same word: `-Zfile`, `--columns=file`."""
    if not argument.startswith("-") or argument == STANDARD:
        return (argument,)
    return argument, argument.partition("=")[2] if argument.startswith("--") else argument[2:]


def _files(inputs: Iterable[str], folders: bool) -> Iterator[str]:
    """The files to be read; for folders, if allowed, the files below them."""
    from precall.read.folders import files_of

    for path in inputs:
        yield path
        if folders and is_folder(path):
            # Errors about a folder are reported when it is read.
            with suppress(DataError, OSError):
                yield from files_of(path)


def one_file(inputs: Iterable[str]) -> tuple[str, str] | None:
    """The first two names of the same input file; None if all are different files.

    Examples
    --------
    >>> one_file(["a.run", "b.run", "./b.run"]), one_file(["a.run", "b.run"])
    (('b.run', './b.run'), None)
    """
    seen: dict[object, str] = {}
    for path in inputs:
        key = _identity(path, "stdin") or path
        if key in seen:
            return seen[key], path
        seen[key] = path
    return None


def check_place(option: str, path: str) -> None:
    """Refuse a path at which no file can be written."""
    if path == STANDARD:
        return
    if not path:
        raise empty_path(option, "standard output")
    if is_folder(path):
        raise UsageError(argument=f"{option} {path}", what=FOLDER, remedy="name a file")
    if names_folder(path):
        raise UsageError(
            argument=f"{option} {path}", what="is the name of a directory", remedy="name a file"
        )
    folder, is_there = os.path.realpath(os.path.dirname(path) or os.curdir), False
    with suppress(OSError):
        folder, is_there = os.path.dirname(resolve(file_name(path))), True
    if not (is_there and os.path.isdir(folder)):
        # `missing/..` is no folder, though its real path is.
        folder = folder if not os.path.isdir(folder) else os.path.dirname(path)
        raise UsageError(
            argument=f"{option} {path}",
            what=f"there is no directory {printable(folder)}",
            remedy="create it first",
        )


def _standard_stream(path: str) -> str:
    """The stream of the shell that is this file. Replacing the file would make all output to that
    stream unreachable.
    """
    key = _identity(path, "stdin")
    if key is None or descriptor_of(path) is not None:
        return ""
    streams: tuple[Literal["stdout", "stderr"], ...] = ("stdout", "stderr")
    names = {"stdout": "standard output", "stderr": "standard error"}
    return next((names[name] for name in streams if _identity(STANDARD, name) == key), "")


def _identity(path: str, stream: Literal["stdin", "stdout", "stderr"]) -> object:
    """A key shared by all names of a file; None for devices, which several names may share.

    A pipe counts as one file if it is written to; its reading end is another.
    """
    nameless = stream if path == STANDARD else None
    try:
        status = (
            os.stat(file_name(path))
            if nameless is None
            else os.fstat(_descriptor(getattr(sys, stream)))
        )
    except FileNotFoundError:
        return _absent(path)
    except (OSError, ValueError):
        return nameless
    is_file = stat.S_ISREG(status.st_mode) or (stat.S_ISFIFO(status.st_mode) and stream == "stdout")
    return (status.st_dev, status.st_ino) if is_file else nameless


def _descriptor(stream: Any) -> int:
    """The descriptor of a stream; ValueError if it is no file, as in a notebook, or closed."""
    try:
        return int(stream.fileno())
    except AttributeError:
        raise ValueError("no file") from None


def _absent(path: str) -> object:
    """What the names of a file have in common that is not there: its folder, and its name in
    that.
    """
    try:
        folder, name = os.path.split(resolve(file_name(path)))
        status = os.stat(folder)
    except OSError:
        return path
    name = name.casefold() if sys.platform in ("darwin", "win32") else name
    return status.st_dev, status.st_ino, name
