"""Random placements of hits, for draws from null distributions and for simulations."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import log1p

import numpy as np

from precall.ragged import Float64, Int64

#: Numbers drawn at a time; and ranks, where rankings are drawn one by one: with fewer each array is memory asked for anew.
_AT_ONCE, _NEAR = 2**22, 2**20
#: In longer lists hits are drawn, not orders of all items.
LONG = 2**14
#: A smaller share of them is drawn one by one.
_RARE = 1 / 32


def draw(items: int, relevant: int, size: int, rng: np.random.Generator) -> Iterator[Int64]:
    """Ascending ranks of the hits, a row per placement, in batches; the batches depend on the counts only."""
    if 2 * relevant > items:
        # The misses are fewer: draw those, and take what is left.
        for misses in draw(items, items - relevant, size, rng):
            rank = np.empty((len(misses), relevant), np.int64)
            for row, missed in zip(rank, misses, strict=True):
                hit = np.ones(items, np.bool_)
                hit[missed - 1] = False
                np.add(np.flatnonzero(hit), 1, out=row)
            yield rank
        return
    sparse = relevant * relevant < items
    thinned = items > LONG and not sparse
    batch = max(1, _NEAR // relevant if thinned else _AT_ONCE // (max(relevant, 1) if sparse else items))
    while size > 0:
        now = min(batch, size)
        if sparse:
            rank = np.sort(rng.integers(1, items + 1, (now, relevant)), axis=1)
            # Placements with a rank twice are drawn again: the rest is uniform.
            rank = rank[(np.diff(rank, axis=1) > 0).all(axis=1)]
        elif thinned:
            rank = np.array([_thinned(items, relevant, rng) for _ in range(now)])
        else:
            keys = rng.random((now, items))
            rank = np.sort(np.argpartition(keys, relevant - 1, axis=1)[:, :relevant] + 1, axis=1)
        size -= len(rank)
        yield rank


def draw_by_block(
    sizes: Sequence[int] | Int64, relevant: int, size: int, rng: np.random.Generator
) -> Iterator[Int64]:
    """How many hits each block has, a row per placement, in batches; these depend on the number of blocks only."""
    for begin in range(0, size, batch := max(1, _AT_ONCE // len(sizes))):
        now = min(batch, size - begin)
        yield rng.multivariate_hypergeometric(sizes, relevant, now, method="marginals")


def _thinned(items: int, relevant: int, rng: np.random.Generator) -> Int64:
    """Ascending ranks of the hits of one placement: some more are drawn than there are, and the surplus is taken away.

    Given their number, ranks that are drawn independently are a random set; and so are those that are left.
    """
    share = relevant / items
    more = share + 5 * (share * (1 - share) / items) ** 0.5
    rank = np.zeros(0, np.int64)
    while len(rank) < relevant:
        if share < _RARE:
            rank = np.unique(rng.integers(1, items + 1, int(-items * log1p(-more)) + 1))
        else:
            # A random byte for each item, eight of them at a time.
            eight = rng.integers(0, 2**64 - 1, -(-items // 8), np.uint64, endpoint=True)
            bytes_ = eight.astype("<u8", copy=False).view(np.uint8)[:items]
            rank = np.flatnonzero(bytes_ < int(256 * more) + 1) + 1
    kept = np.zeros(len(rank), np.bool_)
    fewer = min(relevant, len(rank) - relevant)
    kept[rng.choice(len(rank), fewer, replace=False, shuffle=False)] = True
    return rank[kept if fewer == relevant else ~kept]


def precision_sums(
    items: int, relevant: int, cutoff: int, size: int, rng: np.random.Generator
) -> tuple[Float64, Int64]:
    """S = m AP@cutoff of `size` random placements, and the hits among the first `cutoff` ranks."""
    sums: list[Float64] = [np.empty(0)]
    hits: list[Int64] = [np.empty(0, np.int64)]
    order = np.arange(1.0, relevant + 1)
    for rank in draw(items, relevant, size, rng):
        precision = order / rank
        if cutoff == items:
            sums.append(precision.sum(axis=1))
            hits.append(np.full(len(rank), relevant))
            continue
        inside = rank <= cutoff
        sums.append((precision * inside).sum(axis=1))
        hits.append(inside.sum(axis=1))
    return np.concatenate(sums), np.concatenate(hits)
