"""Declaring measures: the registry, the grammar of names, domains of parameters, worked
examples.
"""
# ruff: noqa: F405

from precall.core.conventions import AGGREGATES
from precall.core.counts import Counts, Path
from precall.measures.bound import Measure, averaged, measure, of_counts, weighted
from precall.measures.declaration import *  # noqa: F403 - a line of names, not one for each
from precall.measures.literature import SOURCES
from precall.measures.registry import REGISTRY

__all__ = [
    "AGGREGATES",
    "REGISTRY",
    "SOURCES",
    "Alpha",
    "Beta",
    "CategoryExample",
    "Count",
    "Counts",
    "CountsExample",
    "Cutoff",
    "Declaration",
    "Distances",
    "Example",
    "Flag",
    "Gain",
    "Gains",
    "Grade",
    "Measure",
    "Norm",
    "Part",
    "Path",
    "PerRanking",
    "Persistence",
    "Positive",
    "Real",
    "Share",
    "SubtopicExample",
    "Values",
    "averaged",
    "choice",
    "measure",
    "of_counts",
    "weighted",
]
