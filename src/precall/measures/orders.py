"""The mean of a measure over all orders of tied items, by enumeration.

It serves measures without a closed form. Every distinct order of the judged items of a ranking
becomes a ranking of its own; all are measured in one call and averaged. Orders that only swap items
of equal grade count as one. All distinct orders are equally likely.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from precall.core import ragged
from precall.core.errors import MeasureError, TiesUnresolved
from precall.core.ragged import Float64, Int64
from precall.location import locate
from precall.location.hits import Hits
from precall.location.located import Located

if TYPE_CHECKING:
    from precall.measures.registry import Declaration


#: The most orders of one ranking that are enumerated.
LIMIT = 50_000
#: The number of rows that are built at a time; bounds memory.
BATCH = 4_000_000

#: Rankings with ties by which a declaration is checked: qrels, and a run of equal scores. Cutoffs
#: lie within blocks.
_JUDGED = {
    "half": {"a": 1},
    "four": {"a": 1, "b": 1},
    "seven": {"a": 1, "b": 2, "c": 1},
    "many": {"a": 1, "b": 2, "c": 0, "z": 1},
    "twice": {"a": 1, "b": 2, "c": 1, "d": 3},
}
_TIED = {
    "half": {"a": 1.0, "b": 1.0},
    "four": dict.fromkeys("abxy", 1.0),
    "seven": dict.fromkeys("abcvxyz", 1.0),
    "many": {"x": 3.0, "a": 2.0, "b": 2.0, "c": 2.0, "y": 2.0, "w": 1.0},
    "twice": {"a": 5.0, "x": 5.0, "y": 5.0, "b": 4.0, "c": 3.0, "d": 3.0, "z": 3.0},
}
#: Few hits in long blocks: they show errors that only long blocks have, with few enough orders to
#: enumerate.
_LONG = {"long": {"a": 1}, "longer": {"a": 1, "b": 2}}
_LONG_TIED = {
    name: dict.fromkeys(["a", "b", *map(str, range(size))], 1.0)
    for name, size in (("long", 1500), ("longer", 20))
}
_POPULATION = 2_000
_CUTOFFS = (1, 2, 3, 4, 6)
#: Values to try for parameters that have neither a default nor a value in the example.
_CANDIDATES = (1, 2, 0.5, "relevant", "linear", {1: 1.0})

Placement = tuple[tuple[int, ...], ...]


def mean_over_orders(name: str, values: Callable[[Located], Float64], located: Located) -> Float64:
    """The exact mean over the orders of each ranking; raises `TiesUnresolved` if too many."""
    start = ragged.starts(located.ranking, len(located)).tolist()
    result = np.empty(len(located))
    batch: list[int] = []
    placements: list[Int64] = []
    for index in range(len(located)):
        ranks = _orders(name, located, index, start[index], start[index + 1])
        batch.append(index)
        placements.append(ranks)
        if sum(ranks.size for ranks in placements) > BATCH or index == len(located) - 1:
            result[batch] = _average(values, located, batch, placements)
            batch, placements = [], []
    return result


def mean_over_places(name: str, values: Callable[[Hits], Float64], hits: Hits) -> Float64:
    """The mean over all choices of ranks for the hits of each block.

    Curves have hits only, without the other items.
    """
    start = ragged.starts(hits.ranking, len(hits)).tolist()
    result = np.empty(len(hits))
    for index in range(len(hits)):
        rows = slice(start[index], start[index + 1])
        columns = (column[rows].tolist() for column in (hits.first, hits.last, hits.count))
        blocks = [
            (range(first, last + 1), count) for first, last, count in zip(*columns, strict=True)
        ]
        number = math.prod(math.comb(len(ranks), count) for ranks, count in blocks)
        if number > LIMIT:
            which = "the ranking" if len(hits) == 1 else f"ranking {index}"
            raise _too_many(name, which, "give every hit a rank of its own (first = last)")
        orders = itertools.product(*(itertools.combinations(*block) for block in blocks))
        hits_each = sum(count for _, count in blocks)
        means: list[float] = []
        while some := list(itertools.islice(orders, max(BATCH // max(hits_each, 1), 1))):
            means += values(_laid(hits, index, hits_each, some)).tolist()
        result[index] = math.fsum(means) / number
    return result


def _laid(hits: Hits, index: int, hits_each: int, orders: list[Placement]) -> Hits:
    """One ranking, repeated with each order of its hits."""
    number = len(orders)
    location = np.array([rank for order in orders for ranks in order for rank in ranks], np.int64)
    owner = np.repeat(np.arange(number), hits_each)
    chosen = np.full(number, index)
    population = None if hits.population is None else hits.population[chosen]
    return Hits(
        location,
        location,
        np.ones_like(location),
        owner,
        hits.retrieved[chosen],
        hits.relevant[chosen],
        population,
        ties="docno",
    )


def _too_many(name: str, which: str, todo: str) -> TiesUnresolved:
    return TiesUnresolved(
        f"{name}: {which} has more than {LIMIT} orders of tied items, and no closed form of their "
        f"mean is declared; {todo}"
    )


def examples() -> Located:
    """The rankings with ties by which a declaration is checked."""
    return locate(_JUDGED | _LONG, _TIED | _LONG_TIED, ties="expected")


def parameters_of(declaration: Declaration) -> list[dict[str, Any]]:
    """The parameters to check with: the defaults, and cutoffs inside blocks.

    A parameter without a default has the example's value, or the first candidate it allows.
    """
    example_values = declaration.example.parameters if declaration.example else {}
    first = {
        name: example_values.get(name, parameter.default)
        for name, parameter in declaration.parameters.items()
    }
    first = {
        name: _check_allowed(declaration, name) if value is ... else value
        for name, value in first.items()
    }
    first |= {"population": _POPULATION} if "population" in first else {}
    cut = _CUTOFFS if "cutoff" in first else ()
    return [first, *({**first, "cutoff": cutoff} for cutoff in cut)]


def _check_allowed(declaration: Declaration, name: str) -> Any:
    for value in _CANDIDATES:
        try:
            return declaration.parameters[name].read(value, declaration.name)
        except MeasureError:
            continue
    raise MeasureError(
        measure=declaration.name,
        what=f"give an example= with {name}, by which its mean can be checked",
    )


def _average(
    values: Callable[[Located], Float64],
    located: Located,
    batch: list[int],
    placements: list[Int64],
) -> Float64:
    repeats = np.array([len(ranks) for ranks in placements])
    laid = located.select(np.repeat(np.array(batch), repeats))
    rank = np.concatenate([ranks.ravel() for ranks in placements]) if placements else laid.rank
    order = np.lexsort((rank, laid.ranking))
    fields = {name: getattr(laid, name)[order] for name in ("row", "grade")}
    rank = rank[order]
    resolved = replace(laid, rank=rank, first=rank, last=rank, ties="docno", **fields)
    owner = np.repeat(np.arange(len(batch)), repeats)
    return np.asarray(ragged.sums(values(resolved), owner, len(batch)) / repeats, np.float64)


def _orders(name: str, located: Located, index: int, a: int, b: int) -> Int64:
    """The ranks of the rows a..b of one ranking, a line per distinct order."""
    choices: list[list[Placement]] = []
    columns: list[Int64] = []
    number = 1
    blocks = (
        np.split(np.arange(a, b), np.flatnonzero(np.diff(located.first[a:b])) + 1) if a < b else []
    )
    for rows in blocks:
        first, last, grades = (
            int(located.first[rows[0]]),
            int(located.last[rows[0]]),
            located.grade[rows],
        )
        classes = [rows[grades == level] - a for level in np.unique(grades)]
        sizes = [len(members) for members in classes]
        number *= _count(last - first + 1, sizes)
        if number > LIMIT:
            remedy = "choose ⟨ties='random'⟩ (with several seeds) or another"
            raise _too_many(name, f"topic {located.topics[index]!r}", remedy)
        choices.append(_placements(tuple(range(first, last + 1)), sizes))
        columns.append(np.concatenate(classes))
    ranks = np.empty((number, b - a), np.int64)
    for line, chosen in enumerate(itertools.product(*choices)):
        for column, placement in zip(columns, chosen, strict=True):
            ranks[line, column] = [rank for places in placement for rank in places]
    return ranks


def check_mean(declaration: Declaration, bound: Callable[[dict[str, Any]], Any]) -> None:
    """Raise unless the measure, `bound` to parameters, gives the mean over enumerated orders."""
    located = examples()
    for parameters in parameters_of(declaration):
        measure = bound(parameters)
        values = measure(located)
        exact = mean_over_orders(measure.name, measure._of_located, located)
        wrong = ~np.isclose(values, exact, rtol=1e-9, atol=1e-12, equal_nan=True)
        if wrong.any():
            index = int(np.argmax(wrong))
            claim = "linear" if declaration.linear else f"closed={declaration.closed!r}"
            raise MeasureError(
                measure=measure.name,
                what=(
                    f"declared {claim}, but with ties it gives {values[index]:.6g} where the mean "
                    f"over all orders is {exact[index]:.6g}"
                ),
                remedy="leave that out, and orders are written out",
            )


def _count(size: int, classes: list[int]) -> int:
    left = itertools.accumulate(classes, initial=size, func=int.__sub__)
    return math.prod(map(math.comb, left, classes))


def _placements(free: tuple[int, ...], classes: list[int]) -> list[Placement]:
    """Every assignment of the free ranks to the classes of equal grades."""
    choices = itertools.combinations(free, classes[0])
    if len(classes) == 1:
        return [(chosen,) for chosen in choices]
    return [
        (chosen, *more)
        for chosen in choices
        for more in _placements(tuple(rank for rank in free if rank not in chosen), classes[1:])
    ]
