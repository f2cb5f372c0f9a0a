"""Laws under random selection: what precision, recall, AP and others are when hits stand at random ranks.

pc.null.average_precision(items=2000, relevant=500).sf(0.27)
"""

from __future__ import annotations

from precall.infer.null.average import AveragePrecision, average_precision
from precall.infer.null.counts import (
    Locations,
    hits,
    location,
    locations,
    precision,
    r_precision,
    recall,
    reciprocal_rank,
)
from precall.infer.null.graded import ndcg
from precall.infer.null.law import Accuracy, Law, Normal, Range, Tail
from precall.infer.null.roc import area_under_roc
from precall.infer.null.significance import Outcome, Significance, test

__all__ = [
    "Accuracy",
    "AveragePrecision",
    "Law",
    "Locations",
    "Normal",
    "Outcome",
    "Range",
    "Significance",
    "Tail",
    "area_under_roc",
    "average_precision",
    "hits",
    "location",
    "locations",
    "ndcg",
    "precision",
    "r_precision",
    "recall",
    "reciprocal_rank",
    "test",
]
