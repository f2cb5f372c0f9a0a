"""Measures: the registry of their names, and the built-in ones, which this import declares."""

from __future__ import annotations

from precall.measures import binary, counts, gains, registry
from precall.measures.registry import *  # noqa: F403 - its names are listed once, there
from precall.measures.registry import REGISTRY


@REGISTRY.expect
def _declare_others() -> None:
    from precall.measures import (  # noqa: F401
        areas,
        at_recall,
        best_points,
        diversity,
        early_recognition,
        separation,
        user_models,
    )


__all__ = [*registry.__all__, "binary", "counts", "gains"]
