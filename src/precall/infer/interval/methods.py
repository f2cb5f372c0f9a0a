"""The methods that there are for intervals, by what they are of; the first is the default."""

from __future__ import annotations

METHODS: dict[str, tuple[str, ...]] = {
    "proportion": ("wilson", "clopper-pearson", "jeffreys", "agresti-coull", "wald"),
    "F": ("posterior", "delta", "monte-carlo"),
    "counts": ("posterior", "bca", "percentile"),
    "averages of F": ("logit", "wald"),
    "averages of counts": ("bca", "percentile"),
    "AP": ("logit", "normal", "percentile", "bca"),
    "AUC": ("delong-newcombe", "newcombe", "logit-delong", "delong"),
    "tuned threshold": ("optimism bootstrap",),
    "band": ("bootstrap", "dkw"),
    "mean": ("t", "bca", "percentile"),
    "two-way mean": ("two-way t",),
}
