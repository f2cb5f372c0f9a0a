"""Declaring measures: the registry, the grammar of names, domains of parameters, worked examples."""

from precall.conventions import AGGREGATES
from precall.counts import Counts, Path
from precall.declare.bound import Measure
from precall.declare.declaration import Declaration, PerRanking, Values
from precall.declare.declaring import measure
from precall.declare.domains import (
    Beta,
    Count,
    Cutoff,
    Flag,
    Gain,
    Gains,
    Grade,
    Norm,
    Part,
    Persistence,
    Positive,
    Real,
    Share,
    choice,
)
from precall.declare.example import CategoryExample, CountsExample, Example
from precall.declare.literature import SOURCES
from precall.declare.registry import REGISTRY, of_counts, weighted

__all__ = [
    "AGGREGATES", "REGISTRY", "SOURCES", "Beta", "CategoryExample", "Count", "Counts", "CountsExample", "Cutoff", "Declaration",
    "Example", "Flag", "Gain", "Gains", "Grade", "Measure", "Norm", "Part", "Path", "PerRanking", "Persistence", "Positive",
    "Real", "Share", "Values", "choice", "measure", "of_counts", "weighted",
]  # fmt: skip
