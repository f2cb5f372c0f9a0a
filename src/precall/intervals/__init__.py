"""`pc.interval`: what a number is worth, for whatever the number is of."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from precall.contingency import Decisions
from precall.curves import Curve
from precall.errors import UsageError
from precall.infer import average_precision as _ap
from precall.infer import delong as _auc
from precall.infer import f_measure as _f
from precall.infer import mean as _mean
from precall.infer import proportion as _counts
from precall.infer import tuned as _tuned
from precall.infer.bands import Band
from precall.infer.draws import Rng
from precall.infer.interval import Interval
from precall.infer.tuned import TunedInterval
from precall.intervals import decided, scored, tuning
from precall.intervals.cases import blocks_of_curve
from precall.intervals.reports import of_report
from precall.intervals.table import Intervals
from precall.results import Report

#: Measures of a curve by name.
OF_CURVES: dict[str, Callable[..., Interval]] = {
    "AP": _ap.interval, "AUC": _auc.interval, "max-F": _tuned.max_f,
}  # fmt: skip


class IntervalNamespace:
    """Called, it looks at what it is given; its functions take counts, cases or values by themselves."""

    proportion = staticmethod(_counts.proportion)
    precision = staticmethod(_counts.precision)
    recall = staticmethod(_counts.recall)
    accuracy = staticmethod(_counts.accuracy)
    f = staticmethod(_f.f)
    e = staticmethod(_f.e)
    micro_f = staticmethod(decided.micro_f)
    macro_f = staticmethod(decided.macro_f)
    average_precision = staticmethod(scored.average_precision)
    area_under_roc = staticmethod(scored.area_under_roc)
    max_f = staticmethod(tuning.max_f)
    precision_at_threshold = staticmethod(tuning.precision_at_threshold)
    pr_band = staticmethod(tuning.pr_band)
    roc_band = staticmethod(tuning.roc_band)
    mean = staticmethod(_mean.mean)
    two_way = staticmethod(_mean.two_way)

    def __call__(
        self, given: Any, measure: str | None = None, *, level: float = 0.95, method: str | None = None,
        rng: Rng = None, **options: Any,
    ) -> Interval | Intervals:  # fmt: skip
        """Intervals for what is given.

        Parameters
        ----------
        given : a `Report` (every average over topics), a `Curve` ("AP", "AUC", "max-F"), `Decisions` ("precision",
            "recall", "f", "accuracy", "micro-f", "macro-f"), or one value per topic (their mean).
        measure : which one; without it all that there are, by name.
        level : nominal coverage, in (0, 1).
        method : one of those of the function for that measure (default: its default).
        rng : seed or Generator, for methods that draw random numbers.
        options : what else that function takes, such as `resamples` or `beta`.

        Returns
        -------
        Interval or Intervals
            One interval where `measure` is named or values are given, else several by name; of a report of
            several runs one per run.

        Raises
        ------
        UsageError
            There is no interval for that, or an option is not allowed.

        Examples
        --------
        >>> from precall import curve, interval
        >>> print(interval(curve([1, 0] * 30, list(range(60))), "AUC"))
        area under ROC 0.4833 [0.3376, 0.6320] 95 % logit-delong
        """
        chosen: dict[str, Any] = {"level": level, **options}
        if method is not None:
            chosen["method"] = method
        if isinstance(given, Report):
            found = of_report(given, measure, rng=rng, **chosen)
            return found if measure is None or len(found) != 1 else found[measure]
        if isinstance(given, Curve):
            return _of_curve(given, measure, rng, chosen)
        if isinstance(given, Decisions):
            return decided.of_decisions(given, measure, rng=rng, **chosen)
        if isinstance(given, str | bytes | dict):
            raise UsageError(
                f"interval: got {type(given).__name__}, allowed are a Report, a Curve, Decisions, or one number per topic"
            )
        return _mean.mean(given, rng=rng, measure=measure or "mean", **chosen)


def _of_curve(
    curve: Curve, measure: str | None, rng: Rng, chosen: dict[str, Any]
) -> Interval | Intervals:  # fmt: skip
    blocks = blocks_of_curve(curve)
    if measure is not None and measure not in OF_CURVES:
        raise UsageError(f"measure: got {measure!r}, allowed for a curve are {', '.join(OF_CURVES)}")
    found = {}
    for name, one in OF_CURVES.items():
        if measure in (None, name):
            found[name] = one(blocks, **chosen | ({} if name == "AUC" else {"rng": rng}))
    return Intervals(found) if measure is None else found[measure]


interval = IntervalNamespace()

__all__ = ["Band", "Interval", "IntervalNamespace", "Intervals", "TunedInterval", "interval"]
