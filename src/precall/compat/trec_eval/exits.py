"""How trec_eval ends early: its exit codes, and the exception that carries one."""

from __future__ import annotations

#: An option, a format or a measure is not known.
USAGE = 1
#: A file cannot be read, or a measure's parameters are not allowed.
INPUT = 2
#: A topic cannot be evaluated.
TOPIC = 4
#: No topic is both judged and retrieved.
NO_TOPIC = 7
#: A file of z-scores cannot be read.
ZSCORES = 255


class Exit(Exception):
    """The program is over: exit `code`, with a `message` for standard error."""

    def __init__(self, code: int, message: str = "") -> None:
        super().__init__(message)
        self.code = code
        self.message = message
