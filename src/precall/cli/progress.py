"""A progress bar on a terminal, once the work has taken a second; nothing anywhere else."""

from __future__ import annotations

import sys
import threading
from contextlib import suppress
from types import TracebackType
from typing import Any

from precall.cli.interrupt import tidied
from precall.text import printable

#: Seconds of silence: most evaluations are done by then.
PATIENCE = 1.0


class Progress:
    """Called before each run; shows itself from a timer's thread.

    The first run may take the whole second, so the bar must be able to appear between two calls.
    """

    def __init__(self, total: int) -> None:
        self.active = sys.stderr is not None and sys.stderr.isatty()
        self._lock = threading.Lock()
        self._total = total
        self._done = 0
        self._name = ""
        self._bar: Any = None
        self._timer = threading.Timer(PATIENCE, self._show)
        self._timer.daemon = True
        self._guard = tidied(self.close)

    def __enter__(self) -> Progress:
        if self.active:
            self._guard.__enter__()
            # Without a thread to be had there is no bar, and all else goes on.
            with suppress(RuntimeError):
                self._timer.start()
        return self

    def __call__(self, done: int, name: str) -> None:
        with self._lock:
            self._done, self._name = done, name
            if self._bar is not None:
                self._draw()

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self.active:
            self._timer.cancel()
            with self._lock:
                self.close()
            self._guard.__exit__(None, None, None)

    def _show(self) -> None:
        import click

        with self._lock:
            if not self.active:
                return
            self._bar = click.progressbar(
                length=self._total, label="precall", file=sys.stderr, show_eta=False, show_pos=True,
                item_show_func=lambda name: None if name is None else printable(name),
            )  # fmt: skip
            self._draw()

    def _draw(self) -> None:
        self._bar.current_item = self._name
        self._bar.pos = self._done
        self._bar.render_progress()

    def close(self) -> None:
        """Wipe the bar, so that only the report stays, and give the cursor back."""
        self.active = False
        if self._bar is not None:
            sys.stderr.write("\r\033[K\033[?25h")
            sys.stderr.flush()
            self._bar = None
