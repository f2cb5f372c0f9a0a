"""Ctrl-C: ends the process at once, also while the kernel works, and leaves nothing behind.

Python runs signal handlers between its own instructions, so a handler would wait until the kernel
has read its gigabyte. Here a thread of its own waits for the signal instead.
"""

from __future__ import annotations

import os
import signal
from collections.abc import Callable, Iterator
from contextlib import contextmanager

#: What to put right before an interrupted process ends: temporary files, the cursor.
_duties: list[Callable[[], None]] = []


def watch() -> None:
    """From now on, SIGINT runs the duties and ends the process with exit code 130."""
    # A shell starts background jobs with SIGINT ignored: then it stays so. Windows has no masks.
    if not hasattr(signal, "pthread_sigmask") or signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
        return
    import threading

    signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        threading.Thread(target=_wait, name="interrupt", daemon=True).start()
    except RuntimeError:
        # No thread to be had: Python's own handler does, between its instructions.
        signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGINT})


def _wait() -> None:
    signal.sigwait({signal.SIGINT})
    for duty in reversed(_duties):
        try:
            duty()
        except OSError:
            continue  # the others must still run
    os._exit(130)


@contextmanager
def tidied(duty: Callable[[], None]) -> Iterator[None]:
    """Within this block, `duty` runs if the process is interrupted."""
    _duties.append(duty)
    try:
        yield
    finally:
        _duties.remove(duty)
