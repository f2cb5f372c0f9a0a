"""Any bytes as arguments of the kernel's functions of numbers: what `target_python.cpp` calls under
the sanitizers.

Columns of all lengths, good ones and such as are too long, too short, out of order or out of range.
The kernel and its twin must give the same bits, or refuse them in the same words. As a program,
this makes the corpus again: python tests/fuzz/twins.py
"""

from __future__ import annotations

import random
from collections.abc import Callable
from itertools import chain
from pathlib import Path
from typing import Any

import numpy as np
from inputs import Input  # type: ignore[import-not-found]  # this folder is on the path

try:
    import _kernel  # type: ignore[import-not-found]  # made known by target_python.cpp
except ImportError:
    from precall.native import _kernel  # the kernel that is installed does for a first look

from precall.native import twin

CORPUS = Path(__file__).parent / "corpus" / "twins"
Arguments = list[Any]
#: Numbers that are next to where something changes; none makes a valid call long.
WORDS = (0, 1, 2**63 - 1, 2**63, 2**64 - 1, 0x9E3779B97F4A7C15)
WHOLE = (-(2**63), -(2**31) - 1, -1, 0, 1, 2**31, 2**32, 2**62, 2**63 - 1)
REAL = (0.0, -0.0, 1.0, 0.5, 1e-300, 5e-324, 1e300, np.inf, -np.inf, np.nan, -1.0, 1 / 3)


def few(given: Input, most: int) -> int:
    """A number below `most`."""
    return int(given.take() % most)


def real(given: Input) -> float:
    """Mostly a small number, of any bits now and then."""
    kind = given.take()
    if kind < 160:
        return float(given.small()) / 8
    if kind < 220:
        return REAL[given.take() % len(REAL)]
    return float(np.frombuffer(bytes(given.take() for _ in range(8)), np.float64)[0])


def weight(given: Input) -> float:
    """What a case may weigh: checks before the kernel let nothing else through."""
    return (0.0, 1.0, 0.5, 1 / 3, 3.0, 1e-9, 1e9, 7.25)[given.take() % 8]


def column(given: Input, dtype: Any, size: int, pick: Callable[[Input], Any]) -> Any:
    """So many values."""
    with np.errstate(over="ignore"):  # of float32, which they may be too large for
        return np.array([pick(given) for _ in range(size)], dtype)


def starts(given: Input, parts: int, size: int) -> Any:
    """Where so many parts of a column begin, and its end."""
    inner = sorted(few(given, size + 1) for _ in range(parts - 1))
    return np.array([0, *inner, size][: parts + 1] if parts else [0], np.int64)


def spoilt(given: Input, arguments: Arguments) -> Arguments:
    """The same, or one column longer, shorter or with another value."""
    if given.take() < 160:
        return arguments
    columns = [i for i, one in enumerate(arguments) if isinstance(one, np.ndarray)]
    which = columns[given.take() % len(columns)]
    old, kind = arguments[which], few(given, 3)
    if kind == 0:
        new = old[: len(old) // 2]
    elif kind == 1 or not len(old):
        new = np.append(old, old[-1:] if len(old) else np.zeros(1, old.dtype))
    else:
        new, place = old.copy(), given.take() % len(old)
        if old.dtype.kind == "f":
            # Checks before the kernel let no weight through that is negative or infinite; scores
            # have others as well.
            value = abs(real(given))
            new[place] = value if value < 1e38 else 1e38
        else:
            values = WORDS if old.dtype == np.uint64 else WHOLE
            bounds = (
                (0, 1) if old.dtype == bool else (np.iinfo(old.dtype).min, np.iinfo(old.dtype).max)
            )
            new[place] = min(max(values[given.take() % len(values)], bounds[0]), bounds[1])
    return [*arguments[:which], new, *arguments[which + 1 :]]


def drawn(given: Input, cells: int) -> Arguments:
    """Seeds, draws, and urns of so many cells, which strata do not share."""
    strata, samples = 1 + few(given, 2), few(given, 5)
    places: list[int] = []
    owners: list[int] = []
    place_start, owner_start, stratum, below, below_start = [0], [0], [0], list[int](), [0]
    for s in range(strata):
        own = [cell for cell in range(cells) if cell % strata == s]
        for _ in range(few(given, 3)):
            places += [own[few(given, len(own))] for _ in range(few(given, 6) if own else 0)]
            place_start.append(len(places))
            words = [
                int.from_bytes(bytes(given.take() for _ in range(8)), "little")
                for _ in range(few(given, 5))
            ]
            below += sorted(words)
            below_start.append(len(below))
        owners += [own[few(given, len(own))] for _ in range(1 + few(given, 9) if own else 0)]
        owner_start.append(len(owners))
        stratum.append(len(place_start) - 1)
    seed = column(given, np.uint64, samples, lambda g: WORDS[few(g, 6)] ^ g.take() << 8 * few(g, 8))
    target = column(given, np.int64, samples * strata, lambda g: few(g, 60))
    return [
        seed,
        target,
        np.array(places, np.int32),
        np.array(place_start, np.int64),
        column(given, np.int32, len(place_start) - 1, lambda g: few(g, 3)),
        np.array(below, np.uint64),
        np.array(below_start, np.int64),
        np.array(owners, np.int32),
        np.array(owner_start, np.int64),
        np.array(stratum, np.int64),
    ]


def laddered(given: Input) -> Arguments:
    """The same of a list of steps in stretches; whatever can be drawn has cases, but where it is
    spoilt.
    """
    length, count = 1 + few(given, 3), few(given, 9)
    start = np.append(np.arange(0, count, length), count).astype(np.int64)
    kinds = [column(given, np.int32, count, lambda g: few(g, 4)) for _ in range(2)]
    for kind in kinds:
        kind[start[:-1]] += given.take() > 40
    return [*drawn(given, 2 * len(start)), start, *kinds]


def listed(given: Input) -> Arguments:
    """The same, and a list of weighed cases of these cells, with stops."""
    cells, cases = few(given, 9), few(given, 12)
    cases = cases if cells else 0
    ends = sorted(few(given, cases + 1) for _ in range(2 * few(given, 4)))
    return [
        *drawn(given, cells),
        cells,
        column(given, np.int32, cases, lambda g: few(g, cells)),
        column(given, np.float64, cases, weight),
        column(given, np.float64, cases, weight),
        np.array(ends[::2], np.int64),
        np.array(ends[1::2], np.int64),
    ]


def exchanged(given: Input) -> Arguments:
    """Pairs of lists and coins; relevant items stand at odd places only, which is in every fourth
    slot.
    """
    sizes = [2 * (2 * few(given, 4) + 1) for _ in range(few(given, 4))]
    coins, start = 1 + few(given, 4), np.cumsum([0, *sizes]).astype(np.int64)
    free = np.concatenate(
        [np.zeros(0, np.int64), *(np.arange(size) % 4 != 1 for size in sizes)]
    ).astype(np.int32)
    slots = np.flatnonzero(free)
    changes = few(given, 8) if len(slots) else 0
    return [
        column(given, np.int32, coins * few(given, 5), lambda g: few(g, 6)),
        start,
        column(given, np.int32, len(free), lambda g: few(g, 4)) * free,
        column(given, np.int32, len(free), lambda g: few(g, 8)) * free,
        column(given, np.int32, changes, lambda g: slots[few(g, len(slots))]),
        column(given, np.int32, changes, lambda g: few(g, 2 * coins) - coins),
        coins,
        bool(given.take() & 1),
    ]


def weighed_exchanges(given: Input) -> Arguments:
    """One pair of lists of items with weights."""
    places, coins = 2 * few(given, 4) + 1, 1 + few(given, 4)
    changes = few(given, 8)
    return [
        column(given, np.int32, coins * few(given, 12), lambda g: few(g, 6)),
        column(given, np.float64, 2 * places, weight),
        column(given, np.int32, changes, lambda g: few(g, 2 * places)),
        column(given, np.int32, changes, lambda g: few(g, 2 * coins) - coins),
        column(given, np.float64, changes, weight),
        column(given, np.int32, coins, lambda g: few(g, 6)),
        bool(given.take() & 1),
    ]


def swapped(given: Input) -> Arguments:
    """Totals with entries of ascending kinds, their changes, units of each kind, a seed, and
    draws.
    """
    kinds = few(given, 9) if given.take() < 220 else 30 + given.take()
    chosen = [[kind for kind in range(kinds) if given.take() & 1] for _ in range(few(given, 5))]
    start, kind = (
        np.cumsum([0, *map(len, chosen)]).astype(np.int64),
        list(chain.from_iterable(chosen)),
    )
    large = given.take() > 200
    return [
        start,
        np.array(kind, np.int32),
        column(
            given,
            np.int32,
            int(start[-1]),
            lambda g: few(g, 5) - 2 if not large else int(g.small()) * 2**22,
        ),
        column(
            given, np.int32, kinds, lambda g: 1 + few(g, 3) if g.take() < 200 else 1 + 16 * g.take()
        ),
        WORDS[few(given, 6)] ^ given.take(),
        whole(given) if given.take() < 160 else given.take() * 9,
    ]


def won(given: Input) -> Arguments:
    """How often units were drawn, units of cases, and stops with relevant cases."""
    units, cases = 1 + few(given, 9), few(given, 30)
    large = given.take() > 200
    ends = sorted(few(given, cases + 1) for _ in range(3 * few(given, 6)))
    return [
        column(
            given,
            np.int32,
            units * few(given, 70),
            lambda g: few(g, 4) if not large else g.take() * 2**22,
        ),
        units,
        column(given, np.int32, cases, lambda g: few(g, units)),
        *(np.array(ends[i::3], np.int64) for i in range(3)),
        threads(given),
    ]


def whole(given: Input) -> int:
    """A count, mostly few."""
    return few(given, 20) if given.take() < 220 else WHOLE[few(given, 6)]


def values(given: Input, size: int) -> Any:
    """Whole numbers, whose sums may wrap around."""
    return column(
        given, np.int64, size, lambda g: g.small() if g.take() < 200 else WHOLE[few(g, len(WHOLE))]
    )


def redrawn(given: Input) -> Arguments:
    """Values, a seed, and how many samples."""
    return [values(given, few(given, 40)), WORDS[few(given, 6)] ^ given.take(), whole(given)]


def subsets(given: Input) -> Arguments:
    """A table, how many columns it has, and subsets of its rows."""
    columns, rows = 1 + few(given, 19), 1 + few(given, 20)
    table = column(given, np.float64, columns * rows, real)
    wide = columns if given.take() < 220 else whole(given)
    return [table, wide, column(given, np.uint8, -(-rows // 8) * few(given, 40), Input.take)]


def pairs(given: Input) -> Arguments:
    """Sums of columns, how many there are, and pairs of them, perhaps with columns that there are
    not.
    """
    columns, draws, count = 1 + few(given, 6), few(given, 40), few(given, 6)
    sums = column(given, np.float64, columns * draws, real)
    sides = [column(given, np.int32, count, lambda g: few(g, columns)) for _ in "ab"]
    return [sums, columns if given.take() < 220 else whole(given), *sides]


def gaps(given: Input) -> Arguments:
    """Of `greatest_gaps`."""
    sums, columns, first, second = pairs(given)
    return [sums, columns, first, second, column(given, np.float64, len(first), real)]


def means(given: Input) -> Arguments:
    """Of `rank_means`."""
    sums, columns, first, second = pairs(given)
    draws, rows = len(sums) // columns if columns > 0 else 0, 1 + few(given, 20)
    size = column(
        given, np.float64, draws, lambda g: few(g, rows + 1) if g.take() < 250 else real(g)
    )
    facts = [column(given, np.float64, len(first), real) for _ in "ab"]
    rank = few(given, 9) - 1 if given.take() < 220 else whole(given)
    return [
        sums,
        columns,
        first,
        second,
        size,
        rows if given.take() < 240 else whole(given),
        *facts,
        rank,
        threads(given),
    ]


def scored(given: Input) -> Arguments:
    """Labels and scores; a few cases may be repeated until they are many."""
    size, dtype = few(given, 40), (np.float32, np.float64)[few(given, 2)]
    with np.errstate(all="ignore"):
        score = column(
            given, np.float64, size, real if given.take() < 99 else lambda g: g.small() / 8
        ).astype(dtype)
    relevant, times = (
        column(given, bool, size, lambda g: g.take() & 1),
        1 + 999 * (given.take() > 240),
    )
    return [np.tile(relevant, times), np.tile(score, times)]


def weighed(given: Input) -> Arguments:
    """The same with weights."""
    relevant, score = scored(given)
    few_weights = column(given, np.float64, 1 + few(given, 9), weight)
    return [relevant, score, np.resize(few_weights, len(score))]


def several(given: Input) -> Arguments:
    """The same, divided into rankings."""
    relevant, score = scored(given)
    return [relevant, score, starts(given, few(given, 5), len(score))]


def threads(given: Input) -> int:
    """Of a call."""
    return 1 + few(given, 3)


def best(given: Input) -> Arguments:
    """Of `draw_best`."""
    return [*laddered(given), (0.0, 1.0, 0.25, 4.0, 1e-300, 1e300)[few(given, 6)], threads(given)]


def precisions(given: Input) -> Arguments:
    """Of `draw_precisions`."""
    block = column(given, bool, few(given, 8), lambda g: g.take() & 1)
    return [*drawn(given, 2 * len(block) + int(block.sum()) + 2), block, threads(given)]


def heights(given: Input) -> Arguments:
    """Of `draw_heights`."""
    *drawn_, block, _ = precisions(given)
    share = column(given, np.float64, few(given, 6), lambda g: g.take() / 128)
    if given.take() < 200:
        share.sort()
    return [*drawn_, block, share, bool(given.take() & 1), threads(given)]


def cells(given: Input) -> Arguments:
    """Of `draw_cells`."""
    count = few(given, 9)
    return [
        *drawn(given, count),
        count if given.take() < 220 else (-1, 2**31)[few(given, 2)],
        threads(given),
    ]


def placed(given: Input) -> Arguments:
    """Seeds of draws from a list, perhaps with numbers that none has."""
    seed = column(given, np.uint64, few(given, 4), lambda g: WORDS[g.take() % len(WORDS)])
    items = 1 + few(given, 200)
    relevant, bound = few(given, items + 1), given.take()
    if given.take() < 40:
        items, relevant, bound = (
            (0, 0, 0),
            (items, -1, 0),
            (items, items + 1, 0),
            (items, 0, 256),
            (2**31, 1, 1),
        )[given.take() % 5]
    return [seed, items, relevant, bound, threads(given)]


def distinct(given: Input, most: int) -> Any:
    """Distinct scores, ascending; none is NaN, nor -0."""
    scores = column(given, np.float64, few(given, most), real)
    return np.unique(scores[~np.isnan(scores)] + 0.0)


def between(given: Input) -> Arguments:
    """Of `count_between`."""
    edges, kind = distinct(given, 30), (np.float32, np.float64)[given.take() % 2]
    ordered = np.sort(column(given, kind, few(given, 40), real))
    sizes = (len(edges), len(edges) + 1)
    counts = [column(given, np.int64, size, lambda g: few(g, 9)) for size in sizes]
    return [edges, ordered[~np.isnan(ordered)], *counts, np.full(sizes[1], np.inf)]


def written(given: Input) -> Arguments:
    """Of `rows_between`: counts, places inside gaps, and columns that are written."""
    edges, kind = distinct(given, 20), (np.float32, np.float64)[given.take() % 2]
    size = len(edges)

    def counts(length: int) -> Any:
        wide = given.take() > 220
        return column(given, np.int64, length, whole if wide else lambda g: few(g, 5))

    gap = np.sort(column(given, np.int64, few(given, 5), lambda g: few(g, size + 1)))[::-1].copy()
    inside = [column(given, np.float64, len(gap), real), counts(len(gap))]
    least = column(given, np.float64, size + 1, real)
    room = few(given, 4 * size + 9) if given.take() > 200 else 2 * size + len(gap) + 2
    places = [np.zeros(room, kind), np.zeros(room, np.int64), np.zeros(room, np.int64)]
    return [edges, counts(size), counts(size), counts(size + 1), least, gap, *inside, *places]


def merged(given: Input) -> Arguments:
    """Of `merge_counts`."""
    parts: Arguments = []
    for score in (distinct(given, 30), distinct(given, 30)):
        parts += [score, column(given, np.int64, len(score), lambda g: few(g, 9))]
    return parts


#: Columns that must ascend, by function and place, with the least step from one value to the next.
ASCENDING = {
    "count_between": {0: np.nextafter(0, 1), 1: 0.0},
    "merge_counts": {0: np.nextafter(0, 1), 2: np.nextafter(0, 1)},
}
#: By function: its arguments. They are given by place.
CALLS: dict[str, Callable[[Input], Arguments]] = {
    "draw_cells": cells,
    "draw_precisions": precisions,
    "draw_best": best,
    "draw_heights": heights,
    "draw_paths": lambda g: [*listed(g), threads(g)],
    "draw_gains": lambda g: [*listed(g), bool(g.take() & 1), threads(g)],
    "exchange_differences": exchanged,
    "redraw_sums": redrawn,
    "sum_subsets": subsets,
    "areas": lambda g: [*scored(g), threads(g)],
    "areas_each": lambda g: [*several(g), threads(g)],
    "path": lambda g: [*scored(g), threads(g)],
    "path_each": lambda g: [*several(g), threads(g)],
    "blocks": lambda g: [*scored(g), threads(g)],
    "weigh": lambda g: [*weighed(g), threads(g), bool(g.take() & 1)],
    "weigh_area": lambda g: [*weighed(g), weight(g), bool(g.take() & 1), threads(g)],
    "exchange_totals": swapped,
    "count_wins": won,
    "place_sums": placed,
    "exchange_weights": weighed_exchanges,
    "greatest_gaps": gaps,
    "rank_means": means,
    "count_between": between,
    "merge_counts": merged,
    "rows_between": written,
}
#: How many columns, the last of its arguments, a function writes as many rows of as it returns.
WRITTEN = {"rows_between": 3}


def told(kernel: Any, name: str, arguments: Arguments) -> Any:
    """What a kernel gives, or puts into columns, by its bits but for those of NaN; or what it
    says.
    """
    arguments = [one.copy() if isinstance(one, np.ndarray) else one for one in arguments]
    with np.errstate(all="ignore"):
        try:
            result = getattr(kernel, name)(*arguments)
        except ValueError as error:
            return str(error)
    if result is None:
        result = tuple(arguments)
    if name in WRITTEN:
        result = tuple(one[:result] for one in arguments[-WRITTEN[name] :])
    parts = [np.asarray(part) for part in (result if isinstance(result, tuple) else (result,))]
    for part in parts:
        if part.dtype.kind == "f" and np.isnan(part).any():
            part[...] = np.where(np.isnan(part), np.nan, part)
    return [(part.dtype.str, part.shape, part.tobytes()) for part in parts]


def is_disordered(scores: Any, step: float) -> bool:
    """Whether scores do not ascend by this step at least, or one is NaN."""
    with np.errstate(invalid="ignore"):  # from infinity to infinity
        return bool(np.isnan(scores).any() or not (np.diff(scores) >= step).all())


def one_input(data: bytes) -> None:
    """One input of the fuzzer: its first byte chooses the function."""
    given = Input(data)
    name = list(CALLS)[given.take() % len(CALLS)]
    arguments = spoilt(given, CALLS[name](given))
    native = told(_kernel, name, arguments)
    # Where numbers are not what they should be, they wrap around in the kernel: it must not break,
    # and no more.
    if name == "exchange_differences" and any(
        abs(one).max(initial=0) > 2**20 for one in map(np.int64, arguments[:4])
    ):
        return
    # The order of scores is sorted before the kernel, which must not break without it.
    ascending = ASCENDING.get(name, {})
    if any(is_disordered(arguments[place], step) for place, step in ascending.items()):
        return
    plain = told(twin, name, arguments)
    if native != plain:
        raise AssertionError(
            f"broken law: kernel and twin are one: {name}{tuple(arguments)}: {native}, {plain}"
        )


def main() -> None:
    """Make the corpus: three inputs for each function."""
    CORPUS.mkdir(exist_ok=True)
    for place, name in enumerate(CALLS):
        for turn in range(3):
            body = random.Random(f"{name} {turn}").randbytes(100 + 150 * turn)
            (CORPUS / f"{name}-{turn}").write_bytes(bytes([place]) + body)


if __name__ == "__main__":
    main()
