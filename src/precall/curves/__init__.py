"""Scored cases with labels: operating points, precision-recall and ROC curves, areas, thresholds."""

from precall.curves.path import Curve
from precall.curves.points import MeanVersusF, OperatingPoint, f_versus_break_even
from precall.curves.tally import area_under_roc, average_precision, curve, from_counts

__all__ = [
    "Curve",
    "MeanVersusF",
    "OperatingPoint",
    "area_under_roc",
    "average_precision",
    "curve",
    "f_versus_break_even",
    "from_counts",
]
