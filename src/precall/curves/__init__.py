"""Scored cases with labels: operating points, precision-recall and ROC curves, areas, thresholds."""

from precall.curves.accumulation import Bounds, ScoredCases
from precall.curves.path import Curve, curve, from_counts
from precall.curves.points import OperatingPoint
from precall.curves.quick import area_under_roc, average_precision
from precall.curves.relations import MeanVersusF, f_versus_break_even

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
