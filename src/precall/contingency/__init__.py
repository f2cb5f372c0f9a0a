"""Hard decisions and category status values: contingency tables, averages, thresholds."""

from precall.contingency.outcomes import Decisions, decisions

__all__ = ["Decisions", "decisions"]
