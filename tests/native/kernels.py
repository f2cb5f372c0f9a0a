"""Both kernels, and how to compare what they give: bit for bit, errors included."""

from __future__ import annotations

import os
from collections.abc import Callable
from itertools import pairwise
from types import ModuleType
from typing import Any

import numpy as np
import pytest

from precall.core.errors import PROBLEM_LIMIT, Malformed
from precall.native import twin

try:
    from precall.native import _kernel as native
except ImportError:
    # Where the native kernel is demanded, its absence is a failure of every test that wants it.
    if os.environ.get("PRECALL_KERNEL") == "native":
        raise
    native = None

ABSENT = pytest.mark.skipif(
    native is None, reason="the native kernel is not built: only its twin is tested"
)

#: For `pytestmark`: every test of a file, with either kernel.
EITHER = pytest.mark.parametrize(
    "kernel", [pytest.param(twin, id="twin"), pytest.param(native, id="native", marks=ABSENT)]
)


def bits(result: tuple[Any, ...]) -> list[object]:
    """A result in a form in which equal means equal bits: -0.0 is not 0.0, int32 is not int64."""
    return [
        (value.dtype.str, value.shape, value.tobytes())
        if isinstance(value, np.ndarray)
        else (type(value), value)
        for value in result
    ]


def outcome(function: Callable[..., tuple[Any, ...]], *given: Any, **named: Any) -> object:
    """What comes of a call: the bits of its result, or the facts of its error and their types."""
    try:
        return bits(function(*given, **named))
    except Malformed as error:
        types = [
            (type(problem), [type(detail) for detail in problem]) for problem in error.problems
        ]
        return error.problems, types, error.total
    except OSError as error:
        return type(error), error.errno


def problems(
    function: Callable[..., tuple[Any, ...]], *given: Any, **named: Any
) -> list[tuple[object, ...]]:
    """The problems of a malformed input, which must be all of them."""
    with pytest.raises(Malformed) as caught:
        function(*given, **named)
    assert type(caught.value.problems) is list
    assert {type(problem) for problem in caught.value.problems} == {tuple}
    assert len(caught.value.problems) == min(caught.value.total, PROBLEM_LIMIT)
    return caught.value.problems


def texts(blob: Any, start: Any) -> list[str]:
    """The texts of a blob, after a look at its form."""
    assert (blob.dtype, start.dtype) == (np.uint8, np.int64)
    assert start[0] == 0 and start[-1] == len(blob) and (np.diff(start) >= 0).all()
    return [blob[a:b].tobytes().decode() for a, b in pairwise(start)]


def table(result: tuple[Any, ...]) -> dict[str, list[tuple[str, Any]]]:
    """Columns as {topic: [(item, value), ...]}, in their order."""
    topic_bytes, topic_start, row_start, item_bytes, item_start, value = result[:6]
    topics, items, values = (
        texts(topic_bytes, topic_start),
        texts(item_bytes, item_start),
        value.tolist(),
    )
    assert row_start.dtype == np.int64
    assert row_start[0] == 0 and row_start[-1] == len(items) == len(values)
    assert len(row_start) == len(topics) + 1 and len(set(topics)) == len(topics)
    rows = list(zip(items, values, strict=True))
    return {topic: rows[row_start[i] : row_start[i + 1]] for i, topic in enumerate(topics)}


def run(
    kernel: ModuleType, text: bytes | str, duplicates: str = "error", *, float32: bool = False
) -> Any:
    """Read a run from its contents, with one thread."""
    return kernel.read_run(
        text if isinstance(text, bytes) else text.encode(), float32, duplicates, 1
    )[:8]


def qrels(kernel: ModuleType, text: bytes | str, duplicates: str = "error") -> Any:
    """Read qrels from their contents, with one thread."""
    return kernel.read_qrels(text if isinstance(text, bytes) else text.encode(), duplicates, 1)


def same(name: str, *given: Any) -> bool:
    """Both kernels give the same bits, or the same error."""
    results: list[object] = []
    for kernel in (twin, native):
        try:
            made = getattr(kernel, name)(*given)
            results.append(bits(made if isinstance(made, tuple) else (made,)))
        except ValueError as error:
            results.append(str(error))
    return results[0] == results[1]
