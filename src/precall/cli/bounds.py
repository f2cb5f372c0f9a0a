"""Intervals as the command line gives them: warnings become notes, and the choices are printed."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING, TypeVar

from precall.errors import PrecallWarning

if TYPE_CHECKING:
    from precall.infer.blocks import Blocks
    from precall.infer.interval import Interval
    from precall.intervals.table import Intervals
    from precall.results import Report

T = TypeVar("T")


def noted(make: Callable[[], T]) -> tuple[T, tuple[str, ...]]:
    """What `make` returns, and what it warned of, each text once."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        found = make()
    said = [str(one.message) for one in caught if issubclass(one.category, PrecallWarning)]
    return found, tuple(dict.fromkeys(said))


def of_cases(blocks: Blocks, method: str, level: float, seed: int) -> dict[str, Interval]:
    """The intervals of one scored list; weights that are no counts have none for the greatest F."""
    from precall.infer import average_precision, delong, tuned

    found = {
        "AP": average_precision.interval(blocks, level=level, method=method, rng=seed),
        "AUC": delong.interval(blocks, level=level),
    }
    if blocks.cases is None:
        found["max F on new cases"] = tuned.max_f(blocks, level=level, rng=seed)
    return found


def of_averages(report: Report, method: str, level: float, seed: int | None) -> tuple[Report, Intervals]:
    """Every average's interval, and the report with the choice among its conventions."""
    from precall.intervals import Intervals
    from precall.intervals.reports import of_report

    seed = 0 if seed is None else seed
    found, notes = noted(lambda: of_report(report, level=level, method=method, rng=seed))
    said = f"{method} {100 * level:g} %" + (f" (seed {seed})" if method != "t" else "")
    conventions = {**report.conventions, "interval": said}
    return replace(report, conventions=conventions), Intervals(dict(found), report.asked, notes)
