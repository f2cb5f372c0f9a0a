"""The built-in measures. Importing this declares them; what declares lives in `precall.declare`."""

from precall.declare import (
    AGGREGATES,
    REGISTRY,
    SOURCES,
    Beta,
    Count,
    CountsExample,
    Cutoff,
    Declaration,
    Example,
    Gain,
    Gains,
    Grade,
    Measure,
    Norm,
    PerRanking,
    Persistence,
    Positive,
    Real,
    Share,
    Values,
    measure,
    of_counts,
    weighted,
)
from precall.measures import averages, counts, cutoffs, gains, judgements

__all__ = [
    "AGGREGATES", "REGISTRY", "SOURCES", "Beta", "Count", "CountsExample", "Cutoff", "Declaration", "Example", "Gain", "Gains",
    "Grade", "Measure", "Norm", "PerRanking", "Persistence", "Positive", "Real", "Share", "Values", "averages", "counts",
    "cutoffs", "gains", "judgements", "measure", "of_counts", "weighted",
]  # fmt: skip
