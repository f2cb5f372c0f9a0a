"""How exact and how fast the null distribution of AP is: against weighted simulation, over a grid.

Some minutes; prints markdown tables for docs/why/null.md. `--only timed`, `rare`, `dense`, or, only
when asked for, `large`, `tied` or `area` (an hour each), `limit` (some minutes: the normal limit
against exact distributions): one of them.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path

import numpy as np
import numpy.typing as npt
import record

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from precall.stats.null import average_precision
from precall.stats.null.distribution import NullDistribution
from precall.stats.null.roc_area import area_under_roc
from precall.stats.null.tail.by_rank import tails
from precall.stats.null.tail.misses import losses
from precall.stats.null.tail.moments import _rows
from tests.oracle import characteristic
from tests.oracle.random_selection import weighted_dense, weighted_rare
from tests.oracle.weighted_blocks import Weighted, grouped

TIMED = (
    (10**3, 100),
    (10**6, 3),
    (10**6, 30),
    (10**6, 1000),
    (10**6, 10**5),
    (10**6, 5 * 10**5),
    (10**6, 10**6 - 90),
    (10**7, 5),
    (10**7, 100),
    (10**7, 10**4),
    (10**7, 10**6),
    (10**7, 9 * 10**6),
)
RARE = tuple((n, m) for n in (10**4, 10**6) for m in (2, 3, 5, 10, 20, 30))
DENSE = ((1000, 50), (1000, 100), (2000, 500), (1000, 500), (400, 300), (1000, 900), (1000, 990))
LARGE = tuple((10**7, m) for m in (10**3, 10**4, 10**5, 10**6, 5 * 10**6, 9 * 10**6))
TIED = (
    (3000, 600, 1500),
    (10**4, 500, 200),
    (10**4, 500, 5000),
    (10**4, 800, 9000),
    (10**5, 600, 5000),
)
SHARES = (0.02, 0.1, 0.25, 0.5, 0.6, 0.7, 0.8, 0.9, 0.95)
LIMIT = tuple((n, round(share * n)) for n in (100, 300, 1000, 3000) for share in SHARES)
AREA = tuple(
    (n, j, m)
    for n, j in ((10**4, 50), (10**5, 200), (10**6, 40))
    for m in (5, 30, 60, 1000, n // 2)
)


def main() -> None:
    """Print the tables; times are recorded, too."""
    options = record.arguments(__doc__ or "")
    wanted = options.only or ("timed", "rare", "dense")
    if "timed" in wanted:
        print(
            "record:",
            record.write(options.records, "null_distributions", {"timed": timed()}),
            flush=True,
        )
    if "rare" in wanted or "dense" in wanted:
        print(
            "\n| items | relevant | AP | p | p / simulated | standard error |\n"
            "|---|---|---|---|---|---|"
        )
    for n, m in RARE if "rare" in wanted else ():
        for p in (1e-3, 1e-6, 1e-8):
            compared(n, m, p, lambda n, m, x: weighted_rare(n, m, x, 400_000, 7))
    for n, m in DENSE if "dense" in wanted else ():
        for p in (1e-2, 1e-4, 1e-6):
            compared(n, m, p, dense)
    for name in wanted:
        if name in ("large", "tied", "area"):
            simulated_blocks(name)
        if name == "limit":
            limits()


def limits() -> None:
    """Lines of the normal limit: down to which p its error is stated, and the greatest one of both
    tails down to there.
    """
    print("\n| items | relevant | stated down to p | greatest relative error |\n|---|---|---|---|")
    z = np.arange(-6, 7.01, 0.05)
    for n, m in LIMIT:
        null = average_precision(n, m)
        limit = null.asymptotic()
        least, x = limit.approximate.least, null.mean + z * null.std
        if not np.isfinite(limit.approximate.error):
            print(f"| {n:,} | {m:,} | | |", flush=True)
            continue
        upper = characteristic.average_precision(n, m, z, null.mean, null.std)
        seen = ((upper, limit.sf(x)), (1 - upper, limit.cdf(x)))
        error = max(
            float(np.abs(p / exact - 1)[(exact <= 0.5) & (exact >= least)].max())
            for exact, p in seen
        )
        print(f"| {n:,} | {m:,} | {least:.1e} | {error:.4f} |", flush=True)


def simulated_blocks(name: str) -> None:
    """Lines of distributions of which hits per block are simulated, at p = 1e-6."""
    print("\n| null | value | p | p / simulated | standard error |\n|---|---|---|---|---|")
    cases: list[tuple[NullDistribution, Weighted]] = []
    if name == "large":
        cases = [(average_precision(n, m), Weighted(grouped(n), m, "untied")) for n, m in LARGE]
    elif name == "area":
        for n, j, m in AREA:
            cases.append(
                (area_under_roc(n, m, blocks=parts(n, j)), Weighted(parts(n, j), m, "area"))
            )
    else:
        for n, j, m in TIED:
            for ties in ("expected", "block"):
                null = average_precision(n, m, blocks=parts(n, j), ties=ties)
                cases.append((null, Weighted(parts(n, j), m, ties)))
    for null, simulated in cases:
        x = value_at(null, 1e-6)
        p, (estimate, error, _) = null.sf(x), simulated.tail(x, 400_000, 7)
        print(
            f"| {null.name} | {x:g} | {p:.3g} | {p / estimate:.4f} | {error / estimate:.4f} |",
            flush=True,
        )


def parts(items: int, count: int) -> npt.NDArray[np.int64]:
    """`items` in so many blocks of random size."""
    cut = np.sort(np.random.default_rng(1).choice(items - 1, count - 1, replace=False)) + 1
    return np.diff(np.concatenate(([0], cut, [items])))


def value_at(null: NullDistribution, p: float) -> float:
    """About where the null says p: two digits more than shown, so that it is no atom by
    accident.
    """
    low, high = null.mean, 1.0
    for _ in range(40):
        middle = (low * high) ** 0.5
        low, high = (middle, high) if null.sf(middle) > p else (low, middle)
    return float(f"{high:.5g}")


def timed() -> dict[str, dict[str, float]]:
    """First and second answer, and mean and variance."""
    found = {}
    print("| items | relevant | first p | again | mean and variance |\n|---|---|---|---|---|")
    for n, m in TIMED:
        for cached in (tails, losses, _rows):
            cached.cache_clear()
        null = average_precision(n, m)
        x = null.mean + 3 * null.std
        x = x if x < 1 else 1 - (1 - null.mean) / 3
        tail = partial(null.sf, x)
        first, again, moments = (clock(call) for call in (tail, tail, null._moments))
        found[f"{n} items, {m} relevant"] = {
            "first_s": first,
            "again_s": again,
            "moments_s": moments,
        }
        print(
            f"| {n:,} | {m:,} | {first:.2f} s | {1e3 * again:.1f} ms | {1e6 * moments:.0f} µs |",
            flush=True,
        )
    return found


def clock(call: Callable[[], object]) -> float:
    """Seconds of one call, of the processor: the machine may have other work."""
    start = time.process_time()
    call()
    return time.process_time() - start


def compared(
    items: int, relevant: int, p: float, simulated: Callable[[int, int, float], tuple[float, float]]
) -> None:
    """One line: the null where it says about p, over the simulation there."""
    null = average_precision(items, relevant)
    x = value_at(null, p)
    found = null.sf(x)
    estimate, error = simulated(items, relevant, x)
    if estimate > 0:
        print(
            (
                f"| {items:,} | {relevant} | {x:g} | {found:.3g} | {found / estimate:.4f} | "
                f"{error / estimate:.4f} |"
            ),
            flush=True,
        )


def dense(items: int, relevant: int, x: float) -> tuple[float, float]:
    """Weighted simulation with the tilt that brings x into the middle."""
    low, high = 0.0, 6.0
    for _ in range(8):
        tilt = (low + high) / 2
        reached = weighted_share(items, relevant, x, tilt)
        low, high = (tilt, high) if reached < 0.5 else (low, tilt)
    return weighted_dense(items, relevant, x, 40_000, 7, tilt)


def weighted_share(items: int, relevant: int, x: float, tilt: float) -> float:
    """Share of tilted rankings that reach x: early ranks have odds exp(tilt score) times as
    large.
    """
    rng = np.random.default_rng(1)
    score = np.cumsum(1 / np.arange(items, 0, -1.0))[::-1]
    # The largest keys of a Gumbel race: close to the tilted null, which is enough to choose a tilt.
    keys = tilt * score + rng.gumbel(size=(200, items))
    rank = np.sort(np.argpartition(-keys, relevant - 1, axis=1)[:, :relevant] + 1, axis=1)
    return float(np.mean((np.arange(1, relevant + 1) / rank).mean(axis=1) >= x))


if __name__ == "__main__":
    main()
