"""Scored cases with labels: operating points, precision-recall and ROC curves, areas, choices of a threshold."""

from precall.curves.accumulation import Bounds, ScoredCases
from precall.curves.path import Curve, curve, from_counts
from precall.curves.points import OperatingPoint
from precall.curves.quick import area_under_roc, average_precision

__all__ = [
    "Bounds",
    "Curve",
    "OperatingPoint",
    "ScoredCases",
    "area_under_roc",
    "average_precision",
    "curve",
    "from_counts",
]
