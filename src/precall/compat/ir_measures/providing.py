"""precall as a provider of the real ir_measures: what goes through that, `pyterrier.Experiment`
too, has our numbers.

ir_measures is imported when a provider is asked for, and not before.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from typing import Any

from precall.compat.ir_measures.calculation import Evaluator
from precall.compat.ir_measures.providers import DefaultPipeline
from precall.core.errors import MissingExtra

NAME = "precall"


def register(*, undefined: str | None = None) -> Any:
    """Make precall the first provider of ir_measures, and return it.

    From then on `ir_measures.calc_aggregate`, `iter_calc` and `evaluator` have our numbers for
    every measure that `precall.compat.ir_measures` has; others, such as those of
    `ir_measures.define`, go where they went. To ask for it by name, use
    `ir_measures.providers.registry["precall"]`.

    Parameters
    ----------
    undefined : what becomes of a topic where a measure is undefined: it counts as "zero"; it is NaN
        and left out of the mean ("omit"); or it is an "error". Default: as in ir_measures; see
        `calc_aggregate`. PyTerrier averages by itself, and its mean is NaN where a topic is.

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
    made = provider_class()(undefined=undefined)
    theirs.providers.registry[NAME] = made
    theirs.DefaultPipeline.providers.insert(0, made)
    return made


def unregister() -> None:
    """Undo `register`; nothing happens where precall is no provider.

    Examples
    --------
    >>> unregister()  # doctest: +SKIP
    """
    theirs = _theirs()
    if (made := theirs.providers.registry.pop(NAME, None)) is not None:
        theirs.DefaultPipeline.providers.remove(made)


def _theirs() -> Any:
    try:
        import ir_measures
    except ImportError:
        todo = "pip install ir_measures, or use precall.compat.ir_measures in its place"
        raise MissingExtra(f"ir_measures is not installed; {todo}") from None
    return ir_measures


@cache
def _evaluator_class() -> Any:
    theirs: Any = _theirs()

    class PrecallEvaluator(theirs.providers.Evaluator):  # type: ignore[misc]
        """What measures several runs; the measures are the objects of ir_measures that were
        given.
        """

        def __init__(self, measures: Any, qrels: Any, undefined: str | None) -> None:
            self._ours = Evaluator(measures, qrels, undefined=undefined)
            super().__init__(self._ours.measures, set(self._ours.qrel_qids))

        def iter_calc(self, run: Any) -> Iterator[Any]:
            for topic, measure, value in self._ours.iter_calc(run):
                yield theirs.Metric(query_id=topic, measure=measure, value=value)

        def calc_aggregate(self, run: Any) -> dict[Any, float]:
            return self._ours.calc_aggregate(run)

        def calc(self, run: Any) -> Any:
            aggregated, metrics = self._ours.calc(run)
            return theirs.CalcResults(aggregated, [theirs.Metric(*metric) for metric in metrics])

    return PrecallEvaluator


@cache
def provider_class() -> Any:
    """`PrecallProvider`: made when it is asked for, as its base is a class of ir_measures."""
    theirs: Any = _theirs()

    class PrecallProvider(theirs.providers.Provider):  # type: ignore[misc]
        """precall"""

        NAME = "precall"

        def __init__(self, *, undefined: str | None = None) -> None:
            super().__init__()
            self._undefined = undefined

        def _evaluator(self, measures: Any, qrels: Any) -> Any:
            return _evaluator_class()(measures, qrels, self._undefined)

        def supports(self, measure: Any) -> bool:
            return not hasattr(measure, "runtime_impl") and DefaultPipeline.supports(repr(measure))

    return PrecallProvider
