"""Declaring measures: the registry, the grammar of names, domains of parameters, worked examples."""

from precall.conventions import AGGREGATES
from precall.declare.bound import Measure
from precall.declare.declaration import Declaration, PerRanking, Values
from precall.declare.declaring import measure
from precall.declare.domains import (
    Beta,
    Count,
    Cutoff,
    Gain,
    Gains,
    Grade,
    Norm,
    Persistence,
    Positive,
    Real,
    Share,
)
from precall.declare.example import CountsExample, Example
from precall.declare.literature import SOURCES
from precall.declare.registry import REGISTRY, of_counts, weighted

__all__ = [
    "AGGREGATES", "REGISTRY", "SOURCES", "Beta", "Count", "CountsExample", "Cutoff", "Declaration", "Example", "Gain", "Gains",
    "Grade", "Measure", "Norm", "PerRanking", "Persistence", "Positive", "Real", "Share", "Values",
    "measure", "of_counts", "weighted",
]  # fmt: skip
