"""ir_measures' `Provider` and `DefaultPipeline`; the only provider here is precall.

Examples
--------
>>> from precall.compat.ir_measures import P, providers
>>> providers.DefaultPipeline.supports(P@5), sorted(providers.registry)
(True, ['precall', 'runtime'])
"""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from typing import Any, ClassVar

from precall.compat.ir_measures.calculation import Evaluator
from precall.compat.ir_measures.defining import QREL_INPUTS, RUN_INPUTS
from precall.compat.ir_measures.names import parse_measure
from precall.compat.ir_measures.objects import Measure
from precall.compat.ir_measures.origins import origin
from precall.compat.ir_measures.records import CalcResults, Metric
from precall.core.arguments import check_kind
from precall.core.errors import MeasureError

__all__ = ["DefaultPipeline", "Evaluator", "Provider", "RuntimeProvider", "register", "registry"]


class Provider:
    """The provider that computes measures; a derived class computes them by its `_evaluator`.

    Examples
    --------
    >>> from precall.compat.ir_measures import P
    >>> DefaultPipeline.calc_aggregate([P@5], {"q1": {"d1": 1}}, {"q1": {"d1": 1.0}})
    {P@5: 0.2}
    """

    NAME: ClassVar[str] = "precall"
    SUPPORTED_MEASURES: ClassVar[list[Any]] = []

    def _evaluator(self, measures: Iterable[object], qrels: object) -> Evaluator:
        return Evaluator(measures, qrels)

    def evaluator(self, measures: Iterable[object], qrels: object) -> Evaluator:
        """An evaluator of several runs; see the function of that name."""
        return self._evaluator(measures, qrels)

    def iter_calc(self, measures: Iterable[object], qrels: object, run: object) -> Iterator[Metric]:
        """The values of all topics; see the function of that name."""
        values: Iterator[Metric] = self.evaluator(measures, qrels).iter_calc(run)
        return values

    def calc_aggregate(
        self, measures: Iterable[object], qrels: object, run: object
    ) -> dict[Any, float]:
        """One number per measure; see the function of that name."""
        numbers: dict[Any, float] = self.evaluator(measures, qrels).calc_aggregate(run)
        return numbers

    def calc(self, measures: Iterable[object], qrels: object, run: object) -> CalcResults:
        """Aggregated numbers and values by topic; see the function of that name."""
        both: CalcResults = self.evaluator(measures, qrels).calc(run)
        return both

    @contextmanager
    def calc_ctxt(
        self, measures: Iterable[object], qrels: object
    ) -> Iterator[Callable[[Any], Iterator[Metric]]]:
        """A function of runs; since 0.2.0 ir_measures has `evaluator` instead.

        Examples
        --------
        >>> import warnings
        >>> warnings.simplefilter("ignore", DeprecationWarning)
        >>> with DefaultPipeline.calc_ctxt(["P@5"], {"q1": {"d1": 1}}) as values:
        ...     next(values({"q1": {"d1": 1.0}})).value
        0.2
        """
        warnings.warn(
            "calc_ctxt is deprecated; use evaluator(measures, qrels)",
            DeprecationWarning,
            stacklevel=3,
        )
        yield self.evaluator(measures, qrels).iter_calc

    def supports(self, measure: object) -> bool:
        """Whether a measure, given as an object or by name, can be computed."""
        if hasattr(measure, "runtime_impl"):
            return True
        try:
            origin(parse_measure(measure if isinstance(measure, str) else repr(measure)))
        except (MeasureError, NameError):
            return False
        return True

    def is_available(self) -> bool:
        """True: it needs no other package."""
        return True

    def initialize(self) -> None:
        """Do nothing: no preparation is needed."""

    def install_instructions(self) -> str | None:
        """None: nothing needs to be installed."""
        return None

    def run_inputs(self, measures: Iterable[Measure]) -> list[str]:
        """The columns of a run that these measures need.

        Examples
        --------
        >>> DefaultPipeline.run_inputs(["AP"])
        ['query_id', 'doc_id', 'score']
        """
        return _inputs(measures, "RUN_INPUTS", RUN_INPUTS)

    def qrel_inputs(self, measures: Iterable[Measure]) -> list[str]:
        """The columns of qrels that these measures need.

        Examples
        --------
        >>> DefaultPipeline.qrel_inputs(["AP"])
        ['query_id', 'doc_id', 'relevance']
        """
        return _inputs(measures, "QREL_INPUTS", QREL_INPUTS)


def _inputs(measures: Iterable[Measure], name: str, usual: Iterable[str]) -> list[str]:
    return list(
        dict.fromkeys(column for measure in measures for column in getattr(measure, name, usual))
    )


#: Measures defined by functions are computed by the same provider.
RuntimeProvider = Provider
DefaultPipeline: Provider = Provider()
#: Providers by name.
registry: dict[str, Any] = {Provider.NAME: DefaultPipeline, "runtime": DefaultPipeline}


def register(provider: object) -> Any:
    """Keep a provider under its name, and return it; `DefaultPipeline` stays precall.

    Examples
    --------
    >>> register(DefaultPipeline).NAME
    'precall'
    """
    name = check_kind(
        "provider",
        getattr(provider, "NAME", None),
        str,
        "an object with a NAME, as ir_measures has them",
    )
    registry[name] = provider
    return provider
