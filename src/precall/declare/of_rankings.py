"""Rankings as tables: cut at a rank (F@10), whole (SetF), or at every rank, as a path that areas are read off."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping
from dataclasses import replace
from itertools import pairwise, starmap
from typing import Any

import numpy as np

from precall import ragged
from precall.counts import Cells, Counts, Ranks
from precall.declare.declaration import BINARY, COUNT, RANK, Declaration, Example, Parameter
from precall.errors import MeasureError
from precall.location.hits import Hits

_CUT = """
Of the first `cutoff` ranks of a ranking. Ranks past its end count as items that are not relevant, so a
ranking of two hits has P@5 = .4; some recommender libraries divide by the length of the ranking instead."""
_SET = "\nOf all that was retrieved, whatever its order."
_POPULATION = " `population` is the number of items that exist, retrieved or not."
_CELL = np.ones(1, np.int64)


def ranked_form(declaration: Declaration, cut: bool) -> Declaration:
    """The form of a measure of counts that rankings have: of the first k ranks, NAME@k, or of the retrieved set, SetNAME."""
    own = declaration.parameters
    whole = declaration.needs_population(Counts(_CELL, _CELL, _CELL), own)
    known = {"cutoff": Parameter("cutoff", RANK, ...)} if cut else {}
    more = {"population": Parameter("population", COUNT, ...)} if whole else {}

    def formula(hits: Hits, **given: Any) -> Any:
        population = given.pop("population", None)
        if cut:
            cutoff = given.pop("cutoff")
            counts = _table(hits.within(cutoff), np.full(len(hits), cutoff), hits.relevant, population)
        else:
            counts = _table(hits.found, hits.retrieved, hits.relevant, population)
        return declaration.formula(counts, **given)

    formula.__name__ = declaration.formula.__name__
    formula.__module__ = declaration.formula.__module__
    formula.__doc__ = (
        (inspect.getdoc(declaration.formula) or "") + "\n" + (_CUT if cut else _SET) + _POPULATION * whole
    )
    return replace(
        declaration, name=declaration.name if cut else f"Set{declaration.name}", formula=formula, of=Hits,
        example=_example(declaration.example, cut, whole), undefined=_undefined(declaration, formula, known | more | own),
        trec_eval=tuple(name for name in declaration.trec_eval if ("{cutoff}" in name) == cut),
        aliases=declaration.aliases if cut else (), linear=declaration.linear and cut,
        closed="" if cut else "no order changes it", sklearn=(), proportion=None, joint=None, items=None,
        cache={"takes": Hits, "parameters": known | own | more | BINARY},
    )  # fmt: skip


def _table(tp: Cells, accepted: Cells, relevant: Cells, population: int | None) -> Counts:
    margins = {"accepted": accepted, "relevant": relevant}
    tn = None
    if population is not None:
        margins["other"] = others_of(population, accepted, relevant, tp)
        tn = margins["other"] - accepted + tp
    return Counts(tp, accepted - tp, relevant - tp, tn, margins)


def _undefined(
    declaration: Declaration, formula: Callable[..., Any], parameters: Mapping[str, Parameter]
) -> str:
    """When the form is undefined, in the words of rankings; cut at a rank, something is always accepted."""
    none, sizes = np.zeros(0, np.int64), np.arange(3)
    given = {name: parameter.default for name, parameter in parameters.items()}
    usual = {name: value for name, value in (("cutoff", 1), ("population", 4)) if name in parameters}
    with np.errstate(all="ignore"):
        values = formula(
            Hits(none, none, none, none, np.repeat(sizes, 3), np.tile(sizes, 3)),
            **given | declaration.required(declaration.parameters) | usual,
        )
    if not np.isnan(values).any():
        return ""
    text = declaration.undefined.replace("nothing is accepted", "nothing was retrieved")
    return text.replace("nothing is relevant", "no item is relevant")


def _example(table: Any, cut: bool, whole: bool) -> Example | None:
    """The same table as a ranking: all hits on top."""
    if table is None:
        return None
    more = {"cutoff": table.tp + table.fp} if cut else {}
    more |= {"population": table.tp + table.fp + table.fn + table.tn} if whole else {}
    return Example(
        hits=range(1, table.tp + 1), retrieved=table.tp + table.fp, relevant=table.tp + table.fn, value=table.value,
        **table.parameters, **more,
    )  # fmt: skip


def others_of(population: Any, retrieved: Any, relevant: Any, found: Any) -> Any:
    """Items that are not relevant, of a population that holds all that was retrieved or is relevant."""
    least = retrieved + relevant - found
    if np.any(population < least):
        raise MeasureError(
            f"population: got {np.min(population)}, but {int(np.max(least))} items were retrieved or are relevant; it "
            "counts all that exist"
        )
    return population - relevant


def paths(hits: Hits, population: int | None = None) -> list[Ranks]:
    """The path of each ranking: every rank is a threshold but those inside a block of hits, whose order is open.

    Examples
    --------
    >>> [path] = paths(Hits.of([2, 3], retrieved=4, relevant=3))
    >>> path.tp, path.fp, path.missed
    (array([0, 0, 1, 2, 2]), array([0, 1, 1, 1, 2]), 1)
    """
    known = hits.population if population is None else np.full(len(hits), population)
    others = [None] * len(hits)
    if known is not None:
        others = others_of(known, hits.retrieved, hits.relevant, hits.found).tolist()
    rows = starmap(slice, pairwise(ragged.starts(hits.ranking, len(hits)).tolist()))
    made = []
    columns = (rows, hits.retrieved.tolist(), hits.relevant.tolist(), others)
    for here, retrieved, relevant, other in zip(*columns, strict=True):
        first, last = hits.first[here], hits.last[here]
        tp, inside = np.zeros(retrieved + 1, np.int64), np.zeros(retrieved + 2, np.int64)
        tp[last] = hits.count[here]
        # +1 where the inside of a block begins, -1 at its last rank, which is a threshold.
        np.add.at(inside, first, 1)
        np.add.at(inside, last, -1)
        ranks = np.flatnonzero(np.cumsum(inside[:-1]) == 0)
        tp = np.cumsum(tp)[ranks]
        made.append(Ranks(tp, ranks - tp, relevant - int(tp[-1]), other, bool(np.any(first < last))))
    return made
