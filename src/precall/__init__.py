"""precall: precision, recall and everything built on them, exactly, fast, and with what they are worth.

A measure is a function from where the hits are to a number per ranking.
"""

from __future__ import annotations

import sys
from importlib import import_module
from typing import TYPE_CHECKING

from precall.version import __version__

if TYPE_CHECKING:
    from precall.comparison import compare
    from precall.contingency import Decisions, Status, Thresholds, categorize, decisions
    from precall.curves import (
        Bounds,
        Curve,
        OperatingPoint,
        ScoredCases,
        area_under_roc,
        average_precision,
        curve,
        f_versus_break_even,
    )
    from precall.errors import (
        DataError,
        KernelMissing,
        MeasureError,
        MissingExtra,
        NoCommonTopic,
        PrecallError,
        PrecallWarning,
        TiesUnresolved,
        UsageError,
    )
    from precall.evaluation import evaluate
    from precall.infer import null
    from precall.infer.compare.comparisons import Comparison, Comparisons
    from precall.infer.interval.interval import Interval
    from precall.intervals import interval
    from precall.location import Hits, Located, locate
    from precall.machine import about
    from precall.measures import Example, Measure, measure
    from precall.page.writing import report
    from precall.read import Qrels, Run, read_qrels, read_run
    from precall.results import Report

# Public names and where they live; each is imported when it is first asked for (PEP 562), so that
# `precall --help` need not wait for NumPy. No public name is that of a module (decision 0004).
_HOME = {
    "about": "machine",
    "DataError": "errors", "KernelMissing": "errors", "MeasureError": "errors", "MissingExtra": "errors",
    "NoCommonTopic": "errors", "PrecallError": "errors", "PrecallWarning": "errors", "TiesUnresolved": "errors",
    "UsageError": "errors",
    "Decisions": "contingency", "Status": "contingency", "Thresholds": "contingency",
    "categorize": "contingency", "decisions": "contingency",
    "Bounds": "curves", "Curve": "curves", "OperatingPoint": "curves", "ScoredCases": "curves",
    "area_under_roc": "curves", "average_precision": "curves", "curve": "curves",
    "f_versus_break_even": "curves",
    "evaluate": "evaluation",
    "Comparison": "infer.compare.comparisons", "Comparisons": "infer.compare.comparisons", "compare": "comparison",
    "Interval": "infer.interval.interval", "interval": "intervals",
    "Hits": "location", "Located": "location", "locate": "location",
    "Example": "measures", "Measure": "measures", "measure": "measures",
    "report": "page.writing",
    "Qrels": "read", "Run": "read", "read_qrels": "read", "read_run": "read",
    "Report": "results",
}  # fmt: skip
# Public names that are modules.
_SPACES = {"null": "infer.null"}

__all__ = [
    "Bounds", "Comparison", "Comparisons", "Curve", "DataError", "Decisions", "Example", "Hits", "Interval",
    "KernelMissing", "Located", "Measure", "MeasureError", "MissingExtra", "NoCommonTopic", "OperatingPoint",
    "PrecallError", "PrecallWarning", "Qrels", "Report", "Run", "ScoredCases", "Status", "Thresholds",
    "TiesUnresolved", "UsageError", "__version__", "about", "area_under_roc", "average_precision", "categorize",
    "compare", "curve", "decisions", "evaluate", "f_versus_break_even", "interval", "locate", "measure", "null",
    "read_qrels", "read_run", "report",
]  # fmt: skip


def _load() -> None:
    # Where NumPy is loaded already nothing is saved by waiting, and the first call need not.
    for name in ("evaluate", "read_run"):
        __getattr__(name)


def __getattr__(name: str) -> object:
    if name in _SPACES:
        value: object = import_module(f"precall.{_SPACES[name]}")
    elif name in _HOME:
        value = getattr(import_module(f"precall.{_HOME[name]}"), name)
    else:
        raise AttributeError(f"module 'precall' has no attribute {name!r}")
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return list(__all__)


if "numpy" in sys.modules:
    _load()
