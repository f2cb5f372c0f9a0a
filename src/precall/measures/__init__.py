"""Measures: from where the hits are to a number per ranking. Importing this declares the built-in ones."""

from precall.measures import averages, cutoffs, gains, judgements
from precall.measures.declare import AGGREGATES, Declaration, Measure, PerRanking, measure
from precall.measures.domains import (
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
from precall.measures.example import Example
from precall.measures.registry import REGISTRY
from precall.measures.sources import SOURCES

__all__ = [
    "AGGREGATES", "REGISTRY", "SOURCES", "Beta", "Count", "Cutoff", "Declaration", "Example", "Gain", "Gains", "Grade",
    "Measure", "Norm", "PerRanking", "Persistence", "Positive", "Real", "Share", "averages", "cutoffs", "gains",
    "judgements", "measure",
]  # fmt: skip
