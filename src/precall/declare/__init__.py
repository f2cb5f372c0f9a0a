"""Declaring measures: the registry, the grammar of names, domains of parameters, worked examples."""
# ruff: noqa: F405

from precall.conventions import AGGREGATES
from precall.counts import Counts, Path
from precall.declare.bound import Measure, averaged, measure, of_counts, weighted
from precall.declare.declaration import *  # noqa: F403 - a line of names, not one for each
from precall.declare.literature import SOURCES
from precall.declare.registry import REGISTRY

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
]  # fmt: skip
