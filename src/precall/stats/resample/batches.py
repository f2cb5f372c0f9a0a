"""Random batches: the digits depend on the seed, not on the number of threads.

Each batch has its own generator, spawned from the given one, and a size that depends only on the
work. Counts are integers, so their sum is the same in any order.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, TypeAlias, TypeVar

import numpy as np
import numpy.typing as npt

from precall.core.ragged import Float64, Int64
from precall.native import thread_count

#: Statistics that differ by less than this share of their scale are equal.
TOLERANCE = 1e-12

#: Batches: the generator of each, and the number of samples drawn from it.
# As text, so that numpy.random is not imported before something is drawn.
Streams: TypeAlias = "list[tuple[np.random.Generator, int]]"
T = TypeVar("T")


def run_batches(
    work: Callable[[np.random.Generator, int], T],
    rng: np.random.Generator,
    resamples: int,
    batch: int,
) -> Iterator[T]:
    """The results of `work(generator, size)` for all batches, in order."""
    yield from run_groups(lambda streams: work(*streams[0]), rng, resamples, batch, 1)


def run_groups(
    work: Callable[[Streams], T],
    rng: np.random.Generator,
    resamples: int,
    batch: int,
    together: int,
) -> Iterator[T]:
    """The results of `work` for groups of `together` batches (their generators and sizes), in
    order.

    The batches are those of `run_batches`.
    """
    sizes = [min(batch, resamples - begin) for begin in range(0, resamples, batch)]
    bits = rng.bit_generator
    streams = list(zip(bits.seed_seq.spawn(len(sizes)), sizes, strict=True))  # type: ignore[attr-defined]
    batch_groups = [streams[begin : begin + together] for begin in range(0, len(streams), together)]

    def run(group: list[tuple[Any, int]]) -> T:
        return work([(np.random.Generator(type(bits)(seed)), size) for seed, size in group])

    workers = min(thread_count(), len(batch_groups))
    if workers <= 1:
        yield from map(run, batch_groups)
        return
    from concurrent.futures import ThreadPoolExecutor

    with ThreadPoolExecutor(workers) as pool:
        try:
            results = pool.map(run, batch_groups)
        except RuntimeError:
            # The system has no thread left: all the work is done in this one. The seeds are the
            # same, and so are the digits.
            pool.shutdown(cancel_futures=True)
            results = map(run, batch_groups)
        yield from results


def sum_batches(
    count: Callable[[np.random.Generator, int], Int64],
    rng: np.random.Generator,
    resamples: int,
    batch: int,
) -> Int64:
    """The sum of the results of `count` over all batches."""
    return np.asarray(sum(run_batches(count, rng, resamples, batch)), np.int64)


def random_words(rng: np.random.Generator, shape: int | tuple[int, ...]) -> npt.NDArray[np.uint64]:
    """Random words of 64 bits; each can seed a random stream of the kernel."""
    return rng.integers(0, 2**64 - 1, shape, dtype=np.uint64, endpoint=True)


def to_integers(values: Float64, count: int) -> tuple[Int64, int]:
    """Values as integers of a common unit, and its exponent: an integer n stands for n 2^unit.

    The unit is the finest for which the sum of `count` integers fits in 64 bits. Such sums are
    exact, and so the same in any order.

    Examples
    --------
    >>> units, unit = to_integers(np.array([0.5, -0.1]), 2)
    >>> np.ldexp(units, unit)
    array([ 0.5, -0.1])
    """
    unit = int(np.frexp(np.abs(values).max(initial=0.0))[1]) + count.bit_length() - 62
    return np.rint(np.ldexp(values, -unit)).astype(np.int64), unit


def p_of_samples(count: object, resamples: int) -> Float64:
    """The p-value (c + 1)/(B + 1) of c out of B samples; never 0, because the observed arrangement
    counts as one that chance might have given.
    """
    return np.asarray((np.asarray(count) + 1) / (resamples + 1), np.float64)
