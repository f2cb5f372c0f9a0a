"""Name of a measure of rankings → its oracle: those that say so, and of counts two forms each."""

from __future__ import annotations

import importlib
import inspect
import pkgutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

from tests.oracle.declared import COUNTED, RANKED, Value
from tests.oracle.ranking import Grades, Ranked, judged_only, relevance, relevant


def needs_population(oracle: Callable[..., Value]) -> bool:
    """Whether its number depends on how many items there are that nobody accepted or found
    relevant.
    """
    return len({oracle(2, 3, 1, rest, **required(oracle)) for rest in (4, 40)}) > 1


def required(oracle: Callable[..., Value]) -> dict[str, float]:
    """A value for each parameter that has no default."""
    more = list(inspect.signature(oracle).parameters.values())[4:]
    return {one.name: 1.0 for one in more if one.default is inspect.Parameter.empty}


def _form(oracle: Callable[..., Value], cut: bool) -> Callable[..., Value]:
    """The oracle of the first k ranks (past its end stand items that are not relevant), or of all
    that was retrieved.
    """

    def form(
        ranked: Ranked,
        judged: Grades,
        *,
        cutoff: int = 0,
        population: int | None = None,
        grade: int = 1,
        **rest: Any,
    ) -> Value:
        accepted = cutoff if cut else len(ranked)
        tp = sum(relevance(ranked, judged, grade)[:accepted])
        fn = relevant(judged, grade) - tp
        return oracle(
            tp, accepted - tp, fn, 0 if population is None else population - accepted - fn, **rest
        )

    keyword = inspect.Parameter.KEYWORD_ONLY
    own = list(inspect.signature(oracle).parameters.values())[4:]
    population = inspect.Parameter("population", keyword)
    if not needs_population(oracle):
        # A weight of what was rejected needs it; who gives none need not say.
        population = population.replace(default=None)
    may = needs_population(oracle) or "rejected" in {one.name for one in own}
    parameters = [
        *list(inspect.signature(form).parameters.values())[:2],
        *[inspect.Parameter("cutoff", keyword)] * cut,
        *[population] * may,
        *own,
        inspect.Parameter("grade", keyword, default=1),
    ]
    form.__signature__ = inspect.Signature(parameters)  # type: ignore[attr-defined]
    form.__doc__ = oracle.__doc__
    return form


# Importing them is what fills the tables.
for _module in pkgutil.iter_modules([str(Path(__file__).parent)]):
    if not _module.name.startswith("test_"):
        importlib.import_module(f"tests.oracle.{_module.name}")

ORACLES: dict[str, Callable[..., Value]] = {
    **RANKED,
    **{name: _form(oracle, cut=True) for name, oracle in COUNTED.items()},
    **{f"Set{name}": _form(oracle, cut=False) for name, oracle in COUNTED.items()},
}


def value(
    name: str,
    ranked: Ranked,
    judged: Grades,
    *,
    highest: int = 0,
    condensed: bool = False,
    **parameters: Any,
) -> Value:
    """One oracle's number; `highest` is the greatest grade of the collection, ERR's default
    scale.
    """
    if condensed:
        ranked = judged_only(ranked, judged)
    if name == "ERR" and parameters.get("max") is None:
        parameters["max"] = max(highest, 1)
    return ORACLES[name](ranked, judged, **parameters)
