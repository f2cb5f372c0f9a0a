"""Null distributions: what precision, recall, AP and other measures are when hits stand at random ranks.

pc.null.average_precision(items=2000, relevant=500).sf(0.27)
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from precall.infer.null.average import AveragePrecision, average_precision
    from precall.infer.null.distribution import Accuracy, Law, Normal, NullDistribution, Range, Tail
    from precall.infer.null.graded import ndcg
    from precall.infer.null.hits_and_ranks import (
        Locations,
        hits,
        location,
        locations,
        precision,
        r_precision,
        recall,
        reciprocal_rank,
    )
    from precall.infer.null.roc_area import area_under_roc
    from precall.infer.null.settings import Description, describe
    from precall.infer.null.significance import Outcome, Significance, test

# As in `precall` itself: imported when first asked for.
_NAMES = {
    "average": ("AveragePrecision", "average_precision"),
    "distribution": ("Accuracy", "Law", "Normal", "NullDistribution", "Range", "Tail"),
    "graded": ("ndcg",),
    "hits_and_ranks": (
        "Locations", "hits", "location", "locations", "precision", "r_precision", "recall", "reciprocal_rank",
    ),
    "roc_area": ("area_under_roc",),
    "settings": ("Description", "describe"),
    "significance": ("Outcome", "Significance", "test"),
}  # fmt: skip
_HOME = {name: module for module, names in _NAMES.items() for name in names}

__all__ = [
    "Accuracy", "AveragePrecision", "Description", "Law", "Locations", "Normal", "NullDistribution", "Outcome", "Range",
    "Significance", "Tail", "area_under_roc", "average_precision", "describe", "hits", "location", "locations", "ndcg",
    "precision", "r_precision", "recall", "reciprocal_rank", "test",
]  # fmt: skip


def __getattr__(name: str) -> object:
    if name not in _HOME:
        raise AttributeError(f"module 'precall.infer.null' has no attribute {name!r}")
    value = getattr(import_module(f"precall.infer.null.{_HOME[name]}"), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return list(__all__)
