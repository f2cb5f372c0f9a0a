"""Results: what they share, their sheets, and the forms of a sheet."""

from __future__ import annotations

from typing import TYPE_CHECKING

from precall.core.hooks import hook

if TYPE_CHECKING:
    from precall.evaluation.report import Report, RunCounts, RunValues

__all__ = ["Report", "RunCounts", "RunValues"]


def __getattr__(name: str) -> object:
    # The documentation lists these names here.
    attribute = hook(f"results.{name}")
    if attribute is None:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return attribute


def __dir__() -> list[str]:
    return list(__all__)
