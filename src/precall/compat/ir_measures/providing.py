"""precall as a provider of the real ir_measures.

Everything that uses ir_measures, such as `pyterrier.Experiment`, then has our numbers. ir_measures
is imported only when a provider is asked for.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from types import ModuleType
from typing import Any

from precall.compat.ir_measures.calculation import Evaluator
from precall.compat.ir_measures.providers import DefaultPipeline
from precall.core.errors import MissingExtra

NAME = "precall"


def register(*, undefined: str | None = None) -> Any:
    """Make precall the first provider of ir_measures, and return it.

    From then on `ir_measures.calc_aggregate`, `iter_calc` and `evaluator` have our numbers for
    every measure that `precall.compat.ir_measures` has. Other measures, such as those of
    `ir_measures.define`, are computed as before. `ir_measures.providers.registry["precall"]` is the
    provider by name.

    Parameters
    ----------
    undefined : how a topic is treated if the measure is undefined for it: it counts as "zero"; it
        is NaN and left out of the mean ("omit"); or it is an "error". Default: as in ir_measures;
        see `calc_aggregate`. PyTerrier averages by itself; its mean is NaN if the value of a topic
        is.

    Raises
    ------
    MissingExtra
        ir_measures is not installed.

    Examples
    --------
    >>> import ir_measures  # doctest: +SKIP
    >>> register().NAME  # doctest: +SKIP
    'precall'
    """
    theirs = _theirs()
    unregister()
    provider = provider_class()(undefined=undefined)
    theirs.providers.registry[NAME] = provider
    theirs.DefaultPipeline.providers.insert(0, provider)
    return provider


def unregister() -> None:
    """Undo `register`; do nothing if precall is not registered.

    Examples
    --------
    >>> unregister()  # doctest: +SKIP
    """
    theirs = _theirs()
    if (provider := theirs.providers.registry.pop(NAME, None)) is not None:
        theirs.DefaultPipeline.providers.remove(provider)


def _theirs() -> ModuleType:
    try:
        import ir_measures
    except ImportError:
        remedy = "pip install ir_measures, or use precall.compat.ir_measures in its place"
        raise MissingExtra(f"ir_measures is not installed; {remedy}") from None
    return ir_measures


@cache
def _evaluator_class() -> Any:
    theirs: Any = _theirs()

    class PrecallEvaluator(theirs.providers.Evaluator):  # type: ignore[misc]
        """An evaluator of several runs; its results name the given objects of ir_measures."""

        def __init__(self, measures: Any, qrels: Any, undefined: str | None) -> None:
            self._ours = Evaluator(measures, qrels, undefined=undefined)
            super().__init__(self._ours.measures, set(self._ours.qrel_qids))

        def iter_calc(self, run: object) -> Iterator[Any]:
            for topic, measure, value in self._ours.iter_calc(run):
                yield theirs.Metric(query_id=topic, measure=measure, value=value)

        def calc_aggregate(self, run: object) -> dict[Any, float]:
            return self._ours.calc_aggregate(run)

        def calc(self, run: object) -> Any:
            aggregated, metrics = self._ours.calc(run)
            return theirs.CalcResults(aggregated, [theirs.Metric(*metric) for metric in metrics])

    return PrecallEvaluator


@cache
def provider_class() -> Any:
    """`PrecallProvider`, made on first use because its base is a class of ir_measures."""
    theirs: Any = _theirs()

    class PrecallProvider(theirs.providers.Provider):  # type: ignore[misc]
        """precall"""

        NAME = "precall"

        def __init__(self, *, undefined: str | None = None) -> None:
            super().__init__()
            self._undefined = undefined

        def _evaluator(self, measures: object, qrels: object) -> Any:
            return _evaluator_class()(measures, qrels, self._undefined)

        def supports(self, measure: object) -> bool:
            return not hasattr(measure, "runtime_impl") and DefaultPipeline.supports(repr(measure))

    return PrecallProvider
