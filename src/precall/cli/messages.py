"""Lines on standard error."""

from __future__ import annotations

import sys


def say(kind: str, message: str) -> None:
    """Write lines of a kind, such as "error", to standard error."""
    from contextlib import suppress

    from precall.text import visible

    if sys.stderr is not None:
        # What cannot be said must not change the exit code, nor hide the output.
        with suppress(OSError):
            for line in visible(message).splitlines():
                sys.stderr.write(f"precall: {kind}: {line}\n")
