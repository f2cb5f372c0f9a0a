"""Random batches: the same digits for a seed, however many threads there are.

A batch has a generator of its own, spawned from the one given, and a size that depends on nothing
but the work. Counts are integers, so that adding them up in any order gives the same sum.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

from precall.core.ragged import Float64, Int64
from precall.native import thread_count

#: Statistics that differ by less than this share of their scale are equal.
TOLERANCE = 1e-12

#: Batches: the generator of each, and how many are drawn of it.
Streams: TypeAlias = list[tuple[np.random.Generator, int]]


def parts(
    work: Callable[[np.random.Generator, int], Any],
    rng: np.random.Generator,
    resamples: int,
    batch: int,
) -> Iterator[Any]:
    """What `work(generator, size)` returns for every batch, in order."""
    yield from groups(lambda streams: work(*streams[0]), rng, resamples, batch, 1)


def groups(
    work: Callable[[Streams], Any],
    rng: np.random.Generator,
    resamples: int,
    batch: int,
    together: int,
) -> Iterator[Any]:
    """What `work` returns for the generators and sizes of every so many batches, in order; the
    batches are those of `parts`.
    """
    sizes = [min(batch, resamples - begin) for begin in range(0, resamples, batch)]
    bits = rng.bit_generator
    streams = list(zip(bits.seed_seq.spawn(len(sizes)), sizes, strict=True))  # type: ignore[attr-defined]
    some = [streams[begin : begin + together] for begin in range(0, len(streams), together)]

    def drawn(group: list[tuple[Any, int]]) -> Any:
        return work([(np.random.Generator(type(bits)(seed)), size) for seed, size in group])

    workers = min(thread_count(), len(some))
    if workers <= 1:
        yield from map(drawn, some)
        return
    from concurrent.futures import ThreadPoolExecutor

    with ThreadPoolExecutor(workers) as pool:
        try:
            results = pool.map(drawn, some)
        except RuntimeError:
            # The system has no thread left: all is done in this one, from the same seeds and so
            # with the same digits.
            pool.shutdown(cancel_futures=True)
            results = map(drawn, some)
        yield from results


def counted(
    count: Callable[[np.random.Generator, int], Int64],
    rng: np.random.Generator,
    resamples: int,
    batch: int,
) -> Int64:
    """The sum of what `count` returns for every batch."""
    return np.asarray(sum(parts(count, rng, resamples, batch)), np.int64)


def random_words(rng: np.random.Generator, shape: int | tuple[int, ...]) -> npt.NDArray[np.uint64]:
    """Random words of 64 bits; each can begin a random stream of the kernel."""
    return rng.integers(0, 2**64 - 1, shape, dtype=np.uint64, endpoint=True)


def whole(values: Float64, count: int) -> tuple[Int64, int]:
    """Values as whole numbers, so fine that `count` of them still add up in 64 bits; a number n
    stands for n 2^unit.

    Such sums are exact, and so the same in any order.

    Examples
    --------
    >>> units, unit = whole(np.array([0.5, -0.1]), 2)
    >>> np.ldexp(units, unit)
    array([ 0.5, -0.1])
    """
    unit = int(np.frexp(np.abs(values).max(initial=0.0))[1]) + count.bit_length() - 62
    return np.rint(np.ldexp(values, -unit)).astype(np.int64), unit


def sampled_p(count: Any, resamples: int) -> Float64:
    """(c + 1)/(B + 1): the observed arrangement is one of those that chance might have given, so
    never 0.
    """
    return np.asarray((np.asarray(count) + 1) / (resamples + 1), np.float64)
