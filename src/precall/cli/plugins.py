"""The modules of --plugin: whatever happens while they are imported is said with the place."""

from __future__ import annotations

import sys
import traceback
from importlib import import_module
from pathlib import Path

from precall.errors import PrecallError, UsageError

_OURS = str(Path(__file__).resolve().parent.parent)


def load(plugins: tuple[str, ...]) -> None:
    """Import the modules of --plugin; the working directory is searched first."""
    place = str(Path.cwd())
    for name in plugins:
        if not all(part.isidentifier() for part in name.split(".")) or name.endswith(".py"):
            raise UsageError(
                f"--plugin: {name!r} is not a module's name; write it as after 'import', without .py"
            )
        if place not in sys.path:
            sys.path.insert(0, place)
        try:
            import_module(name)
        except ModuleNotFoundError as error:
            raise UsageError(f"--plugin {name}: {_missing(name, error, place)}") from error
        except (Exception, SystemExit) as error:
            raise UsageError(f"--plugin {name}: {_where(error)}{_what(error)}") from error


def _missing(name: str, error: ModuleNotFoundError, place: str) -> str:
    if error.name is not None and f"{name}.".startswith(f"{error.name}."):
        return f"{error}; check the name, it is searched in {place} and among what is installed"
    return f"{_where(error)}no module named {error.name!r}; install it, or correct the plugin"


def _where(error: BaseException) -> str:
    """File and line of the plugin where the error came up, if that can be told."""
    if isinstance(error, SyntaxError) and error.filename:
        return f"{Path(error.filename).name}:{error.lineno}: "
    frames = [
        (Path(frame.filename), frame.lineno)
        for frame in traceback.extract_tb(error.__traceback__)
        if not frame.filename.startswith(("<", _OURS)) and "importlib" not in Path(frame.filename).parts
    ]
    # The first is the plugin; what it calls elsewhere says less than the line that calls it.
    own = [(path, line) for path, line in frames if path.is_relative_to(frames[0][0].parent)]
    return f"{own[-1][0].name}:{own[-1][1]}: " if own else ""


def _what(error: BaseException) -> str:
    if isinstance(error, PrecallError):
        return str(error)
    text = error.msg if isinstance(error, SyntaxError) else str(error)
    kind = type(error).__name__
    return f"{kind}: {text}; correct the plugin" if text else f"{kind}; correct the plugin"
