"""Hard decisions and category status values: contingency tables, averages, thresholds."""

from precall.contingency.outcomes import Decisions, decisions
from precall.contingency.per_ranking import PerRanking
from precall.contingency.pivots import Status, categorize
from precall.contingency.thresholds import Thresholds, read_thresholds

__all__ = ["Decisions", "PerRanking", "Status", "Thresholds", "categorize", "decisions", "read_thresholds"]
