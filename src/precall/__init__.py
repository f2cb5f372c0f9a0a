"""precall: precision, recall and everything built on them, exactly, fast, and with what they are
worth.

A measure is a function from where the hits are to a number per ranking.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping
from importlib import import_module
from typing import TYPE_CHECKING

from precall.core.moved import keep_old_names
from precall.version import __version__

if TYPE_CHECKING:
    from precall.cases import (
        Curve,
        OperatingPoint,
        area_under_roc,
        average_precision,
        curve,
        f_versus_break_even,
    )
    from precall.cases.accumulation import ScoredCases
    from precall.cases.bounds import Bounds
    from precall.cases.scan import ScannedCases
    from precall.comparison.api import compare
    from precall.core import notes as notes
    from precall.core.errors import (
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
    from precall.evaluation.api import evaluate
    from precall.evaluation.single_ranking import Ranking, ranking
    from precall.hard_decisions import (
        Decisions,
        Status,
        Thresholds,
        categorize,
        decisions,
        read_thresholds,
    )
    from precall.hard_decisions.scored_categories import ScoredCategories
    from precall.intervals import interval
    from precall.location import Hits, Located, locate
    from precall.location.subtopics import Subtopics, locate_subtopics
    from precall.measures import Example, Measure, measure
    from precall.native.installed import about
    from precall.page.writing import report
    from precall.read import Qrels, Run, read_qrels, read_run
    from precall.read.list_tables import read_lists
    from precall.results.report import Report
    from precall.stats import null
    from precall.stats.intervals.interval import Interval
    from precall.stats.tests.comparisons import Comparison, Comparisons


#: Measures and scikit-learn's functions are what people look for here; and there what is of
#: probabilities or numbers.
_LACKED = {
    "precall": (
        "; measures are names, such as 'nDCG@10'; functions of scikit-learn are in "
        "precall.compat.sklearn"
    ),
    "precall.compat.sklearn": (
        "; what it does not have, dir() lists what it has, take from sklearn.metrics"
    ),
}
#: What names are that people look for here.
_HINTS = {
    "precision": (
        "; of decisions it is pc.decisions(truth, predicted).precision(), of scores "
        "pc.curve(labels, scores).at(...)"
    ),
    "recall": (
        "; of decisions it is pc.decisions(truth, predicted).recall(), of scores pc.curve(labels, "
        "scores).at(...)"
    ),
    "threshold": (
        "; one that is best for a measure is pc.curve(labels, scores).max_f().threshold, of "
        "categories status.thresholds(...)"
    ),
}


def fetching(
    package: str, homes: Mapping[str, str]
) -> tuple[Callable[[str], object], Callable[[], list[str]]]:
    """`__getattr__` and `__dir__` of a package whose names are imported when they are first asked
    for (PEP 562).

    `homes` are modules, as seen from the package, with the names in each; a name that its module
    lacks is the module.
    """
    home = {name: module for module, names in homes.items() for name in names.split()}

    def fetched(name: str) -> object:
        if name not in home:
            todo = "" if name.startswith("_") else _HINTS.get(name) or _LACKED.get(package, "")
            raise AttributeError(f"module {package!r} has no attribute {name!r}{todo}")
        module = import_module(f".{home[name]}", package)
        value: object = getattr(module, name, module)
        setattr(sys.modules[package], name, value)
        return value

    return fetched, lambda: list(sys.modules[package].__all__)


keep_old_names()

# Where public names live. But for `null` and `notes`, which are modules, none is that of a module
# (decision 0004). `precall --help` need not wait for NumPy.
__getattr__, __dir__ = fetching(
    __name__,
    {
        "native.installed": "about",
        "core.errors": (
            "DataError KernelMissing MeasureError MissingExtra NoCommonTopic PrecallError "
            "PrecallWarning TiesUnresolved UsageError"
        ),
        "hard_decisions": "Decisions Status Thresholds categorize decisions read_thresholds",
        "hard_decisions.scored_categories": "ScoredCategories",
        "cases.accumulation": "ScoredCases",
        "cases.bounds": "Bounds",
        "cases": "Curve OperatingPoint area_under_roc average_precision curve f_versus_break_even",
        "evaluation.api": "evaluate",
        "stats.tests.comparisons": "Comparison Comparisons",
        "comparison.api": "compare",
        "stats.intervals.interval": "Interval",
        "intervals": "interval",
        "stats.null": "null",
        "location": "Hits Located locate",
        "location.subtopics": "Subtopics locate_subtopics",
        "measures": "Example Measure measure",
        "core.notes": "notes",
        "page.writing": "report",
        "evaluation.single_ranking": "Ranking ranking",
        "read": "Qrels Run read_qrels read_run",
        "read.list_tables": "read_lists",
        "results.report": "Report",
        "cases.scan": "ScannedCases",
    },
)

__all__ = [
    "Bounds",
    "Comparison",
    "Comparisons",
    "Curve",
    "DataError",
    "Decisions",
    "Example",
    "Hits",
    "Interval",
    "KernelMissing",
    "Located",
    "Measure",
    "MeasureError",
    "MissingExtra",
    "NoCommonTopic",
    "OperatingPoint",
    "PrecallError",
    "PrecallWarning",
    "Qrels",
    "Ranking",
    "Report",
    "Run",
    "ScannedCases",
    "ScoredCases",
    "ScoredCategories",
    "Status",
    "Subtopics",
    "Thresholds",
    "TiesUnresolved",
    "UsageError",
    "__version__",
    "about",
    "area_under_roc",
    "average_precision",
    "categorize",
    "compare",
    "curve",
    "decisions",
    "evaluate",
    "f_versus_break_even",
    "interval",
    "locate",
    "locate_subtopics",
    "measure",
    "null",
    "ranking",
    "read_lists",
    "read_qrels",
    "read_run",
    "read_thresholds",
    "report",
]

# Where NumPy is loaded already nothing is saved by waiting, and the first call need not.
if "numpy" in sys.modules:
    for _name in ("evaluate", "read_run"):
        __getattr__(_name)
