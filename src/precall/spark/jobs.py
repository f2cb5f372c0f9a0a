"""Jobs on Spark by its DataFrame API alone, and clear messages for its errors."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from precall.core.errors import UsageError
from precall.spark.passes import OTHER_VERSION
from precall.spark.serialize import Row

#: Texts in errors of workers with another interpreter, or one that lacks a package.
_OTHER_PYTHON = (
    "No module named",
    "PYTHON_VERSION_MISMATCH",
    "Python in worker has different version",
    OTHER_VERSION,
    "Cannot run program",
)
#: Texts in errors about a message that is too large for Spark Connect.
_TOO_LARGE = (
    "Task serialization failed",
    "larger than max",
    "RESOURCE_EXHAUSTED",
    "exceeds maximum size",
    "exceeds the maximum",
)


def collect(frame: Any) -> list[Row]:
    """The rows of a job."""
    with translate_errors():
        return [_row(row) for row in frame.collect()]


def stream(frame: Any) -> Iterator[Row]:
    """The rows of a job, some at a time, if they are too many for one answer."""
    with translate_errors():
        for row in frame.toLocalIterator(prefetchPartitions=True):
            yield _row(row)


def _row(given: Any) -> Row:
    kind, score, part, position, size, state = given
    return Row(kind, score, part, position, size, bytes(state))


@contextmanager
def translate_errors() -> Iterator[None]:
    """Replace errors of Spark with a known cause by errors that say what to do."""
    try:
        yield
    except Exception as error:
        text = str(error)
        if any(sign in text for sign in _OTHER_PYTHON):
            raise UsageError(_of_workers(text)) from error
        if any(sign in text for sign in _TOO_LARGE):
            raise UsageError(
                argument="route",
                what="the relevant scores make a task larger than Spark takes",
                remedy="use route='range', or give the driver more memory",
            ) from error
        raise


def _of_workers(text: str) -> str:
    """The line of a worker's error that says what is wrong with its interpreter."""
    lines = [
        line.strip() for line in text.splitlines() if any(sign in line for sign in _OTHER_PYTHON)
    ]
    reason = lines[-1].removesuffix(".")
    return (
        "PYSPARK_PYTHON: the workers run another Python than this one, or it lacks precall, "
        f"NumPy or PyArrow ({reason}); set PYSPARK_PYTHON={sys.executable} before the session is "
        "made, or spark.pyspark.python to an interpreter of the "
        "cluster with the same Python and precall[spark]"
    )


def is_remote(frame: object) -> bool:
    """Whether it is a frame of Spark Connect."""
    return ".connect." in type(frame).__module__
