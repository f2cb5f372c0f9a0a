"""Hard decisions and category status values: contingency tables, averages, thresholds."""

from precall.contingency.outcomes import Decisions, decisions
from precall.contingency.pivots import PerRanking, Status, categorize
from precall.contingency.policies import Thresholds

__all__ = ["Decisions", "PerRanking", "Status", "Thresholds", "categorize", "decisions"]
