"""Jobs on Spark by its DataFrame API alone, and what its errors mean where they can be told."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from precall.core.errors import UsageError
from precall.spark.carrying import Row
from precall.spark.passes import OTHER_VERSION

#: Of a worker whose interpreter is another one, or lacks what it needs.
_OTHER_PYTHON = (
    "No module named",
    "PYTHON_VERSION_MISMATCH",
    "Python in worker has different version",
    OTHER_VERSION,
    "Cannot run program",
)
#: Of a message that Spark Connect does not take.
_TOO_LARGE = (
    "Task serialization failed",
    "larger than max",
    "RESOURCE_EXHAUSTED",
    "exceeds maximum size",
    "exceeds the maximum",
)


def collected(frame: Any) -> list[Row]:
    """The rows of a job."""
    with told():
        return [_row(row) for row in frame.collect()]


def streamed(frame: Any) -> Iterator[Row]:
    """The same, some at a time, where they are too many for one answer."""
    with told():
        for row in frame.toLocalIterator(prefetchPartitions=True):
            yield _row(row)


def _row(given: Any) -> Row:
    kind, score, part, place, size, state = given
    return Row(kind, score, part, place, size, bytes(state))


@contextmanager
def told() -> Iterator[None]:
    """Errors of Spark that have one cause are told by what to do."""
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
    """What is wrong with the interpreter of the workers, in a line of their own words."""
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


def is_remote(frame: Any) -> bool:
    """Whether it is one of Spark Connect."""
    return ".connect." in type(frame).__module__
