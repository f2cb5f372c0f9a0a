"""Results: what they have in common, their sheets, and the forms that a sheet takes."""

from __future__ import annotations

from typing import TYPE_CHECKING

from precall import fetching

if TYPE_CHECKING:
    from precall.results.report import Report, RunCounts, RunValues

__getattr__, __dir__ = fetching(__name__, {"report": "Report RunCounts RunValues"})

__all__ = ["Report", "RunCounts", "RunValues"]
