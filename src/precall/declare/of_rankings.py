"""Rankings as tables: cut at a rank (F@10), whole (SetF), or at every rank, as a path that areas are read off."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from typing import Any

import numpy as np

from precall import ragged
from precall.counts import Cells, Counts, Ranks
from precall.declare.declaration import Declaration, Parameter, looks_at_others
from precall.declare.domains import Count, Cutoff, domain_of
from precall.declare.example import Example
from precall.errors import MeasureError
from precall.location.hits import Hits

_CUT = """
Of the first `cutoff` ranks of a ranking. Ranks past its end count as items that are not relevant, so a
ranking of two hits has P@5 = .4; some recommender libraries divide by the length of the ranking instead."""
_SET = "\nOf all that was retrieved, whatever its order."
_POPULATION = " `population` is the number of items that exist, retrieved or not."


def cut(declaration: Declaration) -> Declaration:
    """The measure of the first k ranks, NAME@k."""
    templates = [name for name in declaration.trec_eval if "{cutoff}" in name]
    return _form(declaration, declaration.name, templates, _first, _CUT, ranked=True)


def retrieved(declaration: Declaration) -> Declaration:
    """The measure of the retrieved set, SetNAME."""
    templates = [name for name in declaration.trec_eval if "{cutoff}" not in name]
    return _form(declaration, f"Set{declaration.name}", templates, _all, _SET, ranked=False)


def _first(hits: Hits, population: int | None, cutoff: int) -> Counts:
    return _table(hits.within(cutoff), np.full(len(hits), cutoff), hits.relevant, population)


def _all(hits: Hits, population: int | None) -> Counts:
    return _table(hits.found, hits.retrieved, hits.relevant, population)


def _table(tp: Cells, accepted: Cells, relevant: Cells, population: int | None) -> Counts:
    margins = {"accepted": accepted, "relevant": relevant}
    tn = None
    if population is not None:
        margins["other"] = others_of(population, accepted, relevant, tp)
        tn = margins["other"] - accepted + tp
    return Counts(tp, accepted - tp, relevant - tp, tn, margins)


def _form(
    declaration: Declaration, name: str, templates: list[str], table: Callable[..., Counts], text: str, ranked: bool
) -> Declaration:  # fmt: skip
    own = declaration.parameters
    known = {"cutoff": Parameter("cutoff", domain_of(Cutoff), ...)} if ranked else {}
    whole = needs_population(declaration)
    more = {"population": Parameter("population", domain_of(Count), ...)} if whole else {}

    def formula(hits: Hits, **given: Any) -> Any:
        counts = table(
            hits, given.pop("population", None), **({"cutoff": given.pop("cutoff")} if ranked else {})
        )
        return declaration.formula(counts, **given)

    formula.__name__ = declaration.formula.__name__
    formula.__module__ = declaration.formula.__module__
    formula.__doc__ = (inspect.getdoc(declaration.formula) or "") + "\n" + text + _POPULATION * whole
    return Declaration(
        name, formula, sources=declaration.sources, example=_example(declaration, ranked, whole), range=declaration.range,
        undefined=_undefined(declaration, formula, known | more | own), trec_eval=tuple(templates),
        aliases=tuple(declaration.aliases) if ranked else (), linear=declaration.linear and ranked,
        closed="" if ranked else "no order changes it", monotone=declaration.monotone,
        aggregate=declaration.aggregate, direction=declaration.direction,
        cache={"takes": Hits, "parameters": known | own | more | Declaration.grade_alone()},
    )  # fmt: skip


def _undefined(
    declaration: Declaration, formula: Callable[..., Any], parameters: dict[str, Parameter]
) -> str:
    """When the form is undefined, in the words of rankings; cut at a rank, something is always accepted."""
    sizes = np.arange(3)
    none = np.zeros(0, np.int64)
    retrieved, relevant = np.repeat(sizes, 3), np.tile(sizes, 3)
    given = {name: parameter.default for name, parameter in parameters.items()} | declaration.required(
        declaration.parameters
    )
    given |= {
        name: {"cutoff": 1, "population": 4}[name] for name in ("cutoff", "population") if name in parameters
    }
    with np.errstate(all="ignore"):
        values = formula(Hits(none, none, none, none, retrieved, relevant), **given)
    if not np.isnan(values).any():
        return ""
    text = declaration.undefined.replace("nothing is accepted", "nothing was retrieved")
    return text.replace("nothing is relevant", "no item is relevant")


def needs_population(declaration: Declaration) -> bool:
    """Whether the formula looks at what was neither relevant nor accepted."""
    cell = np.ones(1, np.int64)
    given = declaration.required(declaration.parameters)
    return looks_at_others(declaration.formula, Counts(cell, cell, cell), given)


def _example(declaration: Declaration, ranked: bool, whole: bool) -> Example | None:
    """The same table as a ranking: all hits on top."""
    table: Any = declaration.example
    if table is None:
        return None
    more: dict[str, Any] = {"cutoff": table.tp + table.fp} if ranked else {}
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
    others = None if known is None else others_of(known, hits.retrieved, hits.relevant, hits.found)
    start = ragged.starts(hits.ranking, len(hits)).tolist()
    made = []
    for index, (retrieved, relevant) in enumerate(
        zip(hits.retrieved.tolist(), hits.relevant.tolist(), strict=True)
    ):
        rows = slice(start[index], start[index + 1])
        first, last = hits.first[rows], hits.last[rows]
        tp, inside = np.zeros(retrieved + 1, np.int64), np.zeros(retrieved + 2, np.int64)
        tp[last] = hits.count[rows]
        # +1 where the inside of a block begins, -1 at its last rank, which is a threshold.
        np.add.at(inside, first, 1)
        np.add.at(inside, last, -1)
        ranks = np.flatnonzero(np.cumsum(inside[:-1]) == 0)
        tp = np.cumsum(tp)[ranks]
        tied = bool(np.any(first < last))
        made.append(
            Ranks(
                tp, ranks - tp, relevant - int(tp[-1]), None if others is None else int(others[index]), tied
            )
        )
    return made
