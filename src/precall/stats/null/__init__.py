"""Null distributions: precision, recall, AP and other measures of rankings whose hits stand at
random ranks.

Examples
--------
>>> from precall import null
>>> chance = null.average_precision(items=2000, relevant=500)
>>> round(chance.mean, 4), round(chance.sf(0.27), 4)
(0.2527, 0.0481)
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from precall import fetching
from precall.core.namespaces import lead_on_calls

if TYPE_CHECKING:
    from precall.stats.null.average import AveragePrecision, average_precision
    from precall.stats.null.description import Description, describe
    from precall.stats.null.distribution import Accuracy, Law, Normal, NullDistribution, Range, Tail
    from precall.stats.null.early_stops import SequentialOutcome, SequentialTest, sequential
    from precall.stats.null.graded import ndcg
    from precall.stats.null.hits_and_ranks import (
        Locations,
        hits,
        location,
        locations,
        precision,
        r_precision,
        recall,
        reciprocal_rank,
    )
    from precall.stats.null.location_moments import (
        location_covariance,
        location_mean,
        location_product,
        location_variance,
        reciprocal_location_covariance,
        reciprocal_location_mean,
        reciprocal_location_variance,
    )
    from precall.stats.null.of_ranks import (
        bedroc,
        break_even,
        eleven_point,
        enrichment,
        max_f,
        recall_at_precision,
    )
    from precall.stats.null.roc_area import area_under_roc
    from precall.stats.null.several_queries import mean_average_precision
    from precall.stats.null.significance import Outcome, Significance, test

if not TYPE_CHECKING:
    __getattr__, __dir__ = fetching(
        __name__,
        {
            "average": "AveragePrecision average_precision",
            "graded": "ndcg",
            "of_ranks": "bedroc break_even eleven_point enrichment max_f recall_at_precision",
            "roc_area": "area_under_roc",
            "several_queries": "mean_average_precision",
            "distribution": "Accuracy Law Normal NullDistribution Range Tail",
            "hits_and_ranks": (
                "Locations hits location locations precision r_precision recall reciprocal_rank"
            ),
            "location_moments": (
                "location_mean location_variance location_product location_covariance "
                "reciprocal_location_mean reciprocal_location_variance "
                "reciprocal_location_covariance"
            ),
            "early_stops": "SequentialOutcome SequentialTest sequential",
            "description": "Description describe",
            "significance": "Outcome Significance test",
        },
    )

lead_on_calls(
    __name__,
    "null is a module: null.test(ranking, 'AP') tests whether a ranking is better than chance, and "
    "null.average_precision(items=2000, relevant=500) is the null distribution of AP",
)

__all__ = [
    "Accuracy",
    "AveragePrecision",
    "Description",
    "Law",
    "Locations",
    "Normal",
    "NullDistribution",
    "Outcome",
    "Range",
    "SequentialOutcome",
    "SequentialTest",
    "Significance",
    "Tail",
    "area_under_roc",
    "average_precision",
    "bedroc",
    "break_even",
    "describe",
    "eleven_point",
    "enrichment",
    "hits",
    "location",
    "location_covariance",
    "location_mean",
    "location_product",
    "location_variance",
    "locations",
    "max_f",
    "mean_average_precision",
    "ndcg",
    "precision",
    "r_precision",
    "recall",
    "recall_at_precision",
    "reciprocal_location_covariance",
    "reciprocal_location_mean",
    "reciprocal_location_variance",
    "reciprocal_rank",
    "sequential",
    "test",
]
