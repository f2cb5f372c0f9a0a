"""Lists whose items exchange their ranks at random, in NumPy: the work of `exchanging.cpp`, many
draws at once.
"""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import numpy as np
import numpy.typing as npt

from precall.core.ragged import divides_whole
from precall.native.twin_resampling import Float64, Int32, Int64

_MOST = 2**31 - 1


def exchange_differences(
    moved: Int32,
    start: Int64,
    base: Int32,
    every: Int32,
    slot: Int32,
    coin: Int32,
    coins: int,
    area: bool,
) -> Float64:
    """The measure of one list minus that of another, added up over pairs, for each draw; `moved` is
    how many of each coin are up.

    `moved` is coins x draws. The places of each pair, best first, have two slots: one for other
    items, one for relevant ones, which stand at odd places only. Those of pair i are start[i] to
    start[i + 1]. A slot of the first list holds its `base` when no coin is up. Each change of a
    `slot` adds the number of its `coin`, or subtracts it if the coin is written as -1 - coin. The
    second list has the rest of `every`. If `area`, the measure is the area under ROC, else average
    precision.
    """
    if not divides_whole(start, len(base)):
        raise ValueError("starts do not divide the column")
    if len(every) != len(base) or len(coin) != len(slot):
        raise ValueError("columns differ in length")
    if np.any(np.diff(start) % 4 != 2):
        raise ValueError("slots: must be two for each of an odd number of places")
    if not 1 <= coins <= _MOST or len(moved) % coins:
        raise ValueError("coins: too many, or not of one length")
    if np.any(slot < 0) or np.any(slot >= len(base)):
        raise ValueError("there is no such cell")
    if np.any(coin >= coins) or np.any(coin < -coins):
        raise ValueError("there is no such coin")
    number = moved.reshape(coins, -1)
    first = fill_slots(number, base, slot, coin)
    value, total = _area if area else _precision, np.zeros(number.shape[1])
    for begin, end in pairwise(start.tolist()):
        both, one = every[begin:end], first[begin:end]
        others, hits = (int(both[kind::2].sum(dtype=np.int64)) // 2 for kind in (0, 1))
        with np.errstate(invalid="ignore", divide="ignore"):
            total += value(one, hits, others) - value(both[:, None] - one, hits, others)
    return total


def exchange_weights(
    moved: Int32, base: Float64, slot: Int32, coin: Int32, weight: Float64, units: Int32, area: bool
) -> Float64:
    """The same for one pair of lists whose items have weights: places hold sums of weights.

    `units` is the number of items of each coin, and `base` what stays at each slot in both lists. A
    change has the `weight` of an item. The first list has as many of them at its `slot` as are up
    of its `coin`, or as are not up if it is written as -1 - coin; the second list has the others.
    Nothing is subtracted, so that a slot without items weighs exactly 0.
    """
    if len(base) % 4 != 2:
        raise ValueError("slots: must be two for each of an odd number of places")
    if len(coin) != len(slot) or len(weight) != len(slot):
        raise ValueError("columns differ in length")
    coins = len(units)
    if coins < 1 or len(moved) % coins:
        raise ValueError("coins: too many, or not of one length")
    if np.any(slot < 0) or np.any(slot >= len(base)):
        raise ValueError("there is no such cell")
    if np.any(coin >= coins) or np.any(coin < -coins):
        raise ValueError("there is no such coin")
    up = moved.reshape(coins, -1)
    which, down = np.where(coin < 0, -1 - coin, coin), coin < 0
    still = units[:, None] - up
    none = np.zeros((coins, 1), np.int32)
    value = _area if area else _weighed_precision
    with np.errstate(all="ignore"):
        at_rest = _weigh(
            base, slot, weight, np.where(down[:, None], (units[:, None] - none)[which], none[which])
        )
        others, hits = (float(_sum(at_rest[kind::2])[0]) for kind in (0, 1))
        here, there = (
            _weigh(base, slot, weight, np.where(down[:, None], other[which], one[which]))
            for one, other in ((up, still), (still, up))
        )
        return value(here, hits, others) - value(there, hits, others)


def _weigh(base: Float64, slot: Int32, weight: Float64, number: Int32) -> Float64:
    """The weights in the slots of a list, slots x draws, added in the order of the changes."""
    sums, draws = np.repeat(base, number.shape[1]), np.arange(number.shape[1])
    places = slot[:, None].astype(np.int64) * number.shape[1] + draws
    np.add.at(sums, places.ravel(), (weight[:, None] * number).ravel())
    return sums.reshape(len(base), -1)


def fill_slots(number: Int32, base: Int32, slot: Int32, coin: Int32) -> Int64:
    """What the slots of the first list hold, slots x draws, if `number` of each coin (coins x
    draws) are up.
    """
    first = np.repeat(base[:, None].astype(np.int64), number.shape[1], axis=1)
    order = np.argsort(slot, kind="stable")
    lead = np.flatnonzero(np.diff(slot[order], prepend=-1))
    down = coin[order] < 0
    change = number[np.where(down, -1 - coin[order], coin[order])] * np.where(down, -1, 1)[:, None]
    if len(lead):
        first[slot[order][lead]] += np.add.reduceat(change, lead, axis=0)
    return first


def _area(slots: npt.NDArray[Any], hits: float, others: float) -> Float64:
    placed = slots[::2]
    below = (others - np.cumsum(placed, axis=0) + placed / 2)[1::2]
    return np.asarray(_sum(slots[3::4] * below) / np.float64(float(hits) * float(others)))


def _precision(slots: Int64, hits: int, others: int) -> Float64:
    hits_at_place = slots[3::4]
    items = np.cumsum(slots[::2] + slots[1::2], axis=0)[1::2]
    return np.asarray(
        _sum(hits_at_place * (np.cumsum(hits_at_place, axis=0) / np.maximum(items, 1)))
        / np.float64(hits)
    )


def _weighed_precision(slots: Float64, hits: float, others: float) -> Float64:
    weight_of_hits = slots[3::4]
    items = np.cumsum(slots[::2] + slots[1::2], axis=0)[1::2]
    share = np.divide(
        np.cumsum(weight_of_hits, axis=0), items, out=np.zeros_like(items), where=items > 0
    )
    return np.asarray(_sum(weight_of_hits * share) / np.float64(hits))


def _sum(values: Float64) -> Float64:
    """The sum of the rows, added from the top down."""
    return np.asarray(
        np.cumsum(np.concatenate((np.zeros((1, values.shape[1])), values)), axis=0)[-1]
    )
