"""Random placements of hits, for draws from null distributions and for simulations."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from precall.ragged import Float64, Int64

#: Numbers drawn at a time.
_AT_ONCE = 2**22


def draw(items: int, relevant: int, size: int, rng: np.random.Generator) -> Iterator[Int64]:
    """Ascending ranks of the hits, a row per placement, in batches; the batches depend on the counts only."""
    if 2 * relevant > items:
        # The misses are fewer: draw those, and take what is left.
        for misses in draw(items, items - relevant, size, rng):
            hit = np.ones((len(misses), items), np.bool_)
            np.put_along_axis(hit, misses - 1, False, axis=1)
            yield (np.flatnonzero(hit.ravel()) % items + 1).reshape(len(misses), relevant)
        return
    sparse = relevant * relevant < items
    batch = max(1, _AT_ONCE // (max(relevant, 1) if sparse else items))
    while size > 0:
        now = min(batch, size)
        if sparse:
            rank = np.sort(rng.integers(1, items + 1, (now, relevant)), axis=1)
            # Placements with a rank twice are drawn again: the rest is uniform.
            rank = rank[(np.diff(rank, axis=1) > 0).all(axis=1)]
        else:
            keys = rng.random((now, items))
            rank = np.sort(np.argpartition(keys, relevant - 1, axis=1)[:, :relevant] + 1, axis=1)
        size -= len(rank)
        yield rank


def precision_sums(
    items: int, relevant: int, cutoff: int, size: int, rng: np.random.Generator
) -> tuple[Float64, Int64]:
    """S = m AP@cutoff of `size` random placements, and the hits among the first `cutoff` ranks."""
    sums: list[Float64] = [np.empty(0)]
    hits: list[Int64] = [np.empty(0, np.int64)]
    order = np.arange(1, relevant + 1)
    for rank in draw(items, relevant, size, rng):
        inside = rank <= cutoff
        sums.append(((order / rank) * inside).sum(axis=1))
        hits.append(inside.sum(axis=1))
    return np.concatenate(sums), np.concatenate(hits)
