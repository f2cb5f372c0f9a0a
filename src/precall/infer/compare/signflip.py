"""The distribution of a sum of differences whose signs are random: the heart of randomization and signed ranks.

If two systems are alike, a topic's difference is as likely to have one sign as the other. So the sum over topics is
compared with the sums of all 2^n choices of signs, or of some that are drawn.
"""

from __future__ import annotations

from math import gcd

import numpy as np

from precall.infer.resample.batches import TOLERANCE, counted, sampled_p
from precall.ragged import Float64, Int64

ENUMERATED = 20
HALVED = 40
#: Additions that an exact answer may cost: well under a second.
AFFORDABLE = 3 * 10**8
#: Decimal units that are tried before common fractions.
_DECIMALS = (1, 10, 100, 1000, 10**4, 10**5)
_DENOMINATOR = 1000
_LARGEST = 10**6
LEAST = float(np.finfo(np.float64).smallest_subnormal)
_BATCH = 4096


def exact_tail(
    difference: Float64, alternative: str = "two-sided", affordable: int = AFFORDABLE
) -> tuple[float, str] | None:
    """The exact p-value of the sum of differences, and how it was found; None where that is not affordable.

    "two-sided" counts sums at least as far from 0, "greater" sums at least as great, "less" sums at most as great. Equal
    sums count, equality being within 1e-12 of the scale. Zeros change nothing, whatever sign they get.
    """
    moved = difference[difference != 0]
    size = len(moved)
    if not size:
        return 1.0, "no difference"
    if alternative == "less":
        moved = -moved
    scale = float(np.abs(moved).sum())
    observed = float(moved.sum())
    if size <= ENUMERATED and 2**size <= affordable:
        return _share(_sums(moved), observed, scale, alternative), f"all 2^{size} signs"
    units = _on_grid(moved, affordable)
    if units is not None:
        # Beyond a thousand topics the least p-values are no float64 any more, and still not 0.
        return max(_by_convolution(units, alternative), LEAST), f"all 2^{size} signs, by convolution"
    if size <= HALVED and 40 * 2 ** (size // 2 + 1) <= affordable:
        return _by_halves(moved, observed, scale, alternative), f"all 2^{size} signs, by halves"
    return None


def _sums(moved: Float64) -> Float64:
    total = np.zeros(1)
    for gap in moved.tolist():
        total = np.concatenate((total + gap, total - gap))
    return total


def _share(sums: Float64, observed: float, scale: float, alternative: str) -> float:
    if alternative == "two-sided":
        sums, observed = np.abs(sums), abs(observed)
    return float(np.count_nonzero(sums >= observed - TOLERANCE * scale) / len(sums))


def _by_halves(moved: Float64, observed: float, scale: float, alternative: str) -> float:
    """By meeting in the middle: the sums of two halves, one of them sorted."""
    first, second = _sums(moved[::2]), np.sort(_sums(moved[1::2]))
    near = TOLERANCE * scale
    reach = abs(observed) if alternative == "two-sided" else observed
    least = np.sort(reach - near - first)
    count = len(first) * len(second) - int(np.searchsorted(second, least, "left").sum())
    if alternative != "two-sided":
        return float(count / 2 ** len(moved))
    # The distribution is symmetric about 0; where the observed sum is 0, both tails meet and all of it counts.
    return 1.0 if reach <= near else float(2 * count / 2 ** len(moved))


def _on_grid(moved: Float64, affordable: int) -> Int64 | None:
    """The differences as multiples of their unit, if they have one and the grid is affordable."""
    size, total = len(moved), float(np.abs(moved).sum())
    for unit in _DECIMALS:
        if size * total * unit > affordable:
            break
        if (units := _multiples(moved, unit)) is not None:
            return units
    from fractions import Fraction

    common = 1
    for gap in set(np.abs(moved).tolist()):
        part = Fraction(gap).limit_denominator(_DENOMINATOR).denominator
        common = common * part // gcd(common, part)
        if common > _LARGEST or size * total * common > affordable:
            return None
    return _multiples(moved, common)


def _multiples(moved: Float64, unit: int) -> Int64 | None:
    # The first alone tells most often that there is no such unit.
    first = float(moved[0])
    if abs(first * unit - round(first * unit)) > TOLERANCE * max(abs(first), 1) * unit:
        return None
    scaled = moved * unit
    whole = np.rint(scaled)
    if np.any(np.abs(scaled - whole) > TOLERANCE * np.maximum(np.abs(moved), 1) * unit) or np.any(whole == 0):
        return None
    return whole.astype(np.int64)


def _by_convolution(units: Int64, alternative: str) -> float:
    """The distribution of the sum is built one topic after another on a grid of integers."""
    units = units // np.gcd.reduce(units)
    total, observed = int(np.abs(units).sum()), int(units.sum())
    # chance[k]: chance that the differences with a plus sign add up to k; the sum is 2k - total.
    chance = np.zeros(total + 1)
    chance[0] = 1.0
    reached = 0
    for step in np.abs(units).tolist():
        shifted = chance[: reached + 1].copy()
        chance[step : reached + step + 1] += shifted
        reached += step
        chance[: reached + 1] *= 0.5
    if alternative != "two-sided":
        return float(min(1.0, chance[(observed + total) // 2 :].sum()))
    return 1.0 if observed == 0 else float(min(1.0, 2 * chance[(abs(observed) + total) // 2 :].sum()))


def tables(values: Float64) -> Float64:
    """Sums of eight signed rows for each byte of signs: (groups, 256, columns). So no sign is ever stored as a number."""
    rows, columns = values.shape
    padded = np.zeros((-(-rows // 8), 8, columns))
    padded.reshape(-1, columns)[:rows] = values
    sums = np.zeros((len(padded), 1, columns))
    for place in range(8):
        row = padded[:, place : place + 1]
        sums = np.concatenate((sums + row, sums - row), axis=1)
    return sums


def signed_sums(table: Float64, rng: np.random.Generator, size: int) -> Float64:
    """Sums over all rows with random signs: (size, columns)."""
    byte = rng.integers(0, 256, size=(len(table), size), dtype=np.uint8)
    total = np.zeros((size, table.shape[2]))
    drawn = np.empty_like(total)
    for group, signs in zip(table, byte, strict=True):
        np.take(group, signs, axis=0, out=drawn, mode="clip")
        total += drawn
    return total


def sampled_tail(
    differences: Float64, rng: np.random.Generator, resamples: int, alternative: str = "two-sided"
) -> Float64:
    """Sampled p-values of several columns of differences (pairs x columns), the same signs for all."""
    # What signs were given says nothing under random ones: in this order neither that of the topics nor that of
    # the systems matters.
    size = np.sort(np.abs(differences), axis=0)
    observed = differences.sum(axis=0) * (-1 if alternative == "less" else 1)
    near = TOLERANCE * size.sum(axis=0)
    table = tables(size)
    far = np.abs(observed) - near if alternative == "two-sided" else observed - near

    def count(made: np.random.Generator, size: int) -> Int64:
        total = signed_sums(table, made, size)
        if alternative == "two-sided":
            np.abs(total, out=total)
        return np.asarray(np.count_nonzero(total >= far, axis=0), np.int64)

    return sampled_p(counted(count, rng, resamples, _BATCH), resamples)
