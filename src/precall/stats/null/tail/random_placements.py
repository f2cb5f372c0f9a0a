"""Random placements of hits, for draws from null distributions and for simulations."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import log1p

import numpy as np

from precall.core.errors import Fact, UsageError
from precall.core.ragged import Bytes, Float64, Int64
from precall.native import kernel, thread_count
from precall.stats.null.tail.hypergeometric import probabilities, span
from precall.stats.resample.batches import random_words
from precall.stats.scipy import special

#: Numbers drawn at a time; ranks at a time, if rankings are drawn one by one. With fewer of them,
#: new memory would be requested for each array.
_AT_ONCE, _NEAR = 2**22, 2**20
#: In longer lists hits are drawn, not orders of all items.
LONG = 2**14
#: If hits have a smaller share of the items, they are drawn one by one.
_RARE = 1 / 32
#: NumPy's hypergeometric draws take fewer items of either kind.
_OF_A_KIND = 10**9
#: The kernel takes at most this many items; and this many of all lists per call, some tenths of a
#: second, as Ctrl+C is not heard before a call ends.
_MOST, _HEARD = 2**31 - 1, 2**28


def draw(items: int, relevant: int, size: int, rng: np.random.Generator) -> Iterator[Int64]:
    """Ascending ranks of the hits, a row per placement; batches only depend on the counts."""
    if 2 * relevant > items:
        # Misses are fewer: draw these, and take the other ranks.
        for misses in draw(items, items - relevant, size, rng):
            for start in range(0, len(misses), rows := max(1, _AT_ONCE // relevant)):
                yield _other_ranks(items, misses[start : start + rows])
        return
    sparse = relevant * relevant < items
    one_by_one = items > LONG and not sparse
    batch = max(
        1, _NEAR // relevant if one_by_one else _AT_ONCE // (max(relevant, 1) if sparse else items)
    )
    while size > 0:
        now = min(batch, size)
        if sparse:
            rank = np.sort(rng.integers(1, items + 1, (now, relevant)), axis=1)
            # Placements with a repeated rank are drawn again: the others are uniform.
            rank = rank[(np.diff(rank, axis=1) > 0).all(axis=1)]
        elif one_by_one:
            rank, chosen = (
                np.empty((now, relevant), np.int64),
                _few if relevant < _RARE * items else _many,
            )
            for row in rank:
                np.add(chosen(items, relevant, rng), 1, out=row)
        else:
            keys = rng.random((now, items))
            rank = np.sort(np.argpartition(keys, relevant - 1, axis=1)[:, :relevant] + 1, axis=1)
        size -= len(rank)
        yield rank


def _other_ranks(items: int, missed: Int64) -> Int64:
    """Ascending ranks of all other items, row by row."""
    rank = np.empty((len(missed), items - missed.shape[1]), np.int64)
    for row, misses in zip(rank, missed, strict=True):
        hit = np.ones(items, np.bool_)
        hit[misses - 1] = False
        np.add(np.flatnonzero(hit), 1, out=row)
    return rank


def draw_by_block(
    sizes: Sequence[int] | Int64, relevant: int, size: int, rng: np.random.Generator
) -> Iterator[Int64]:
    """The number of hits in each block, a row per placement, in batches that only depend on the
    number of blocks.
    """
    if sum(sizes) >= _OF_A_KIND:
        raise UsageError(
            argument="rvs()",
            what=f"draws from fewer than {_OF_A_KIND:,} items with ties",
            got=Fact(f"{sum(sizes):,}"),
        )
    for begin in range(0, size, batch := max(1, _AT_ONCE // len(sizes))):
        now = min(batch, size - begin)
        yield rng.multivariate_hypergeometric(sizes, relevant, now, method="marginals")


def _few(items: int, number: int, rng: np.random.Generator) -> Int64:
    """A random set of `number` of 0 ... items - 1, ascending: some more are drawn, and the surplus
    is removed at random.
    """
    # This many draws have at least `number` different values, by a margin of five standard
    # deviations or more.
    draws = int(-items * log1p(-number / items) + 5 * number**0.5) + 1
    values = np.zeros(0, np.int64)
    while len(values) < number:
        values = np.sort(rng.integers(0, items, draws))
        values = values[np.append(True, values[1:] > values[:-1])]
    return np.delete(
        values, rng.choice(len(values), len(values) - number, replace=False, shuffle=False)
    )


def _many(items: int, number: int, rng: np.random.Generator) -> Int64:
    """The same for a large share: items are drawn independently of each other, somewhat too few,
    and then others are added.

    Given their number, items that are drawn independently are a random set. They still are one with
    random others added.
    """
    share = number / items
    bound = max(0, int(256 * (share - 5 * (share * (1 - share) / items) ** 0.5)))
    # If up to a tenth of the items are marked, NumPy looks for the next one each time, which takes
    # twice as long. So marks are appended.
    marked = np.ones(items + items // 8, np.bool_)
    front = marked[:items]
    while True:
        np.less(_bytes(items, rng), bound, out=front)
        if (missing := number - int(np.count_nonzero(front))) >= 0:
            break
    while missing:
        # Some of these are marked already, or are repeated.
        others = rng.integers(0, items, int(1.1 * missing / (1 - share)) + 16)
        front[others[~front[others]][:missing]] = True
        missing = number - int(np.count_nonzero(front))
    return np.flatnonzero(marked)[:number]


def _bytes(number: int, rng: np.random.Generator) -> Bytes:
    """Random bytes, drawn eight at a time, the same on every machine."""
    eight = rng.integers(0, 2**64 - 1, -(-number // 8), np.uint64, endpoint=True)
    return eight.astype("<u8", copy=False).view(np.uint8)[:number]


def draw_hits(items: int, relevant: int, ranks: int, size: int, rng: np.random.Generator) -> Int64:
    """The number of hits in the first `ranks` ranks, for `size` placements.

    Examples
    --------
    >>> draw_hits(10**12, 10**11, 10, 5, np.random.default_rng(1)).tolist()
    [1, 3, 0, 3, 0]
    """
    if max(relevant, items - relevant) < _OF_A_KIND:
        return rng.hypergeometric(relevant, items - relevant, ranks, size)
    low, high = span(items, relevant, ranks)
    if high - low > _AT_ONCE:
        raise UsageError(
            argument="rvs()",
            what=f"{items:,} items, {ranks:,} of them seen, are too many to draw from",
        )
    chance = probabilities(items, [relevant], ranks, low, high)[0]
    return np.asarray(
        low + np.searchsorted(np.cumsum(chance)[:-1], rng.random(size), "right"), np.int64
    )


def precision_sums(
    items: int, relevant: int, cutoff: int, size: int, rng: np.random.Generator
) -> tuple[Float64, Int64]:
    """S = m AP@cutoff of `size` random placements, and the hits among the first `cutoff` ranks."""
    if cutoff == items:
        return _sums(items, relevant, size, rng), np.full(size, relevant)
    hits, sums = draw_hits(items, relevant, cutoff, size, rng), np.zeros(size)
    # Given their number, the hits among the first ranks are a random placement there.
    for number in np.unique(hits[hits > 0]).tolist():
        some = hits == number
        sums[some] = _sums(cutoff, number, int(np.count_nonzero(some)), rng)
    return sums, hits


def _sums(items: int, relevant: int, size: int, rng: np.random.Generator) -> Float64:
    """S = m AP over all ranks, of `size` random placements."""
    if items > LONG and (sums_of_all := _whole_sums(items, relevant, size, rng)) is not None:
        return sums_of_all
    order = np.arange(1.0, relevant + 1)
    sums = [(order / rank).sum(axis=1) for rank in draw(items, relevant, size, rng)]
    return np.concatenate([np.empty(0), *sums])


def _whole_sums(items: int, relevant: int, size: int, rng: np.random.Generator) -> Float64 | None:
    """The same for long lists; None if a few hits are best drawn one by one."""
    fewer = min(relevant, items - relevant)
    if fewer * fewer < items or items > _MOST:
        return _sums_by_misses(items, relevant, size, rng) if 2 * relevant > items else None
    # For a share below a sixteenth, drawing all of them one by one takes less time.
    bound = round(256 * fewer / items) if 16 * fewer > items else 0
    seed, step = random_words(rng, size), max(thread_count(), _HEARD // items)
    some = (seed[begin : begin + step] for begin in range(0, size, step))
    sums = [kernel().place_sums(one, items, relevant, bound, thread_count()) for one in some]
    return np.concatenate([np.empty(0), *sums])


def _sums_by_misses(items: int, relevant: int, size: int, rng: np.random.Generator) -> Float64:
    """The same from the losses by misses: at rank k, behind j misses, precision is 1 - j/k."""
    # Up to a constant, the sum of 1/k over the ranks up to n is this function at n + 1.
    harmonic, before = special().digamma, np.arange(0.0, items - relevant)
    sums = [np.empty(0)]
    for rank in draw(items, items - relevant, size, rng):
        # 1/k at all ranks behind a miss, minus that at the ranks of other misses.
        loss = (harmonic(items + 1) - harmonic(rank + 1)).sum(axis=1) - (before / rank).sum(axis=1)
        sums.append(relevant - loss)
    return np.concatenate(sums)
