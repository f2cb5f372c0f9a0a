"""Scored cases with labels: operating points, precision-recall and ROC curves, areas,
thresholds.
"""

from typing import TYPE_CHECKING

from precall import fetching
from precall.cases.curves import Curve
from precall.cases.points import MeanVersusF, OperatingPoint, f_versus_break_even
from precall.cases.tally import area_under_roc, average_precision, curve, from_counts

if TYPE_CHECKING:
    from precall.cases.accumulation import ScoredCases
    from precall.cases.bounds import Bounds

# Imported on first use: curves of cases in memory do not need these modules.
if not TYPE_CHECKING:
    __getattr__, __dir__ = fetching(__name__, {"accumulation": "ScoredCases", "bounds": "Bounds"})

__all__ = [
    "Bounds",
    "Curve",
    "MeanVersusF",
    "OperatingPoint",
    "ScoredCases",
    "area_under_roc",
    "average_precision",
    "curve",
    "f_versus_break_even",
    "from_counts",
]
