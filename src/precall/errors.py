"""Every exception and warning of precall."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import NamedTuple

from precall.text import visible

#: Problems of one file are reported together, this many at most.
PROBLEM_LIMIT = 20


class PrecallError(Exception):
    """Base of every error that precall raises on purpose."""

    def __str__(self) -> str:
        # Messages name files, columns and measures, and end up on terminals.
        return visible(super().__str__())


class UsageError(PrecallError, ValueError):
    """An argument or option is not allowed: the message says what is."""


class MeasureError(UsageError):
    """A measure's name or parameter is not known or not allowed."""


class Problem(NamedTuple):
    """One thing wrong with an input: where, what, and what to do about it."""

    source: str
    line: int | None
    what: str
    todo: str

    def __str__(self) -> str:
        place = self.source if self.line is None else f"{self.source}:{self.line}"
        return visible(f"{place}: {self.what}; {self.todo}")


class DataError(PrecallError, ValueError):
    """The input itself is bad.

    Parameters
    ----------
    problems : the first problems, in the order of the input, at most `PROBLEM_LIMIT`.
    total : how many there are in all (default: as many as are listed).
    """

    def __init__(self, problems: list[Problem], total: int | None = None) -> None:
        self.problems = tuple(problems)
        self.total = len(problems) if total is None else total
        lines = [str(problem) for problem in self.problems]
        if self.total > len(lines):
            lines.append(f"... and {self.total - len(lines)} more problems")
        super().__init__("\n".join(lines))

    def __reduce__(self) -> tuple[object, ...]:
        return type(self), (list(self.problems), self.total)


@contextmanager
def retold(change: Callable[[Problem], Problem]) -> Iterator[None]:
    """Problems that are found inside, each as `change` tells it."""
    try:
        yield
    except DataError as error:
        raise DataError(list(map(change, error.problems)), error.total) from None


class NoCommonTopic(DataError):
    """Run and qrels share no topic, so there is nothing to measure."""


class TiesUnresolved(PrecallError):
    """A location was asked for inside a block of equal scores: choose `ties=` first."""


class MissingExtra(PrecallError, ImportError):
    """An optional dependency is not installed: the message says what to install."""


class KernelMissing(PrecallError, ImportError):
    """The native kernel was demanded (PRECALL_KERNEL=native) and is not there."""


class Malformed(Exception):
    """What a kernel found wrong, as facts: `problems` are tuples (line, kind, *details)."""

    def __init__(self, problems: list[tuple[object, ...]], total: int) -> None:
        super().__init__(problems, total)
        self.problems, self.total = problems, total


class PrecallWarning(UserWarning):
    """A number was given, and something about it should be known."""

    def __str__(self) -> str:
        return visible(super().__str__())
