"""Handling of Ctrl-C, SIGTERM and SIGHUP: end the process at once, even while the kernel works, and
leave nothing behind.

Python runs signal handlers between its own instructions, so a handler would wait until the kernel
has read its gigabyte. Here a separate thread waits for the signal instead.
"""

from __future__ import annotations

import os
import signal
from collections.abc import Callable, Iterator
from contextlib import contextmanager

#: Functions that run before an interrupted process ends: remove temporary files, restore the
#: cursor.
_duties: list[Callable[[], None]] = []


def watch() -> None:
    """From now on, these signals run the duties and end the process with exit code 128 + signal
    (Ctrl-C: 130).
    """
    # Windows has no signal masks.
    if not hasattr(signal, "pthread_sigmask"):
        return
    # A shell starts background jobs with SIGINT ignored, and nohup ignores SIGHUP; ignored signals
    # stay ignored.
    signals = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
    watched = {wanted for wanted in signals if signal.getsignal(wanted) is not signal.SIG_IGN}
    if not watched:
        return
    import threading

    signal.pthread_sigmask(signal.SIG_BLOCK, watched)
    try:
        threading.Thread(target=_wait, args=(watched,), name="interrupt", daemon=True).start()
    except RuntimeError:
        # If no thread can be started, use Python's handlers, which run between its instructions.
        for number in watched:
            signal.signal(number, lambda caught, _: _end(caught))
        signal.pthread_sigmask(signal.SIG_UNBLOCK, watched)


def _wait(watched: set[signal.Signals]) -> None:
    _end(signal.sigwait(watched))


def _end(caught: int) -> None:
    for duty in reversed(_duties):
        try:
            duty()
        except OSError:
            continue  # the others must still run
    os._exit(128 + caught)


@contextmanager
def tidy_up(duty: Callable[[], None]) -> Iterator[None]:
    """Within this block, `duty` runs if the process is interrupted."""
    _duties.append(duty)
    try:
        yield
    finally:
        _duties.remove(duty)
