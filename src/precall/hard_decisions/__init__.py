"""Hard decisions and category status values: contingency tables, averages, thresholds."""

from precall.hard_decisions.outcomes import Decisions, decisions
from precall.hard_decisions.per_ranking import PerRanking
from precall.hard_decisions.pivots import Status, categorize
from precall.hard_decisions.thresholds import Thresholds, read_thresholds

__all__ = [
    "Decisions",
    "PerRanking",
    "Status",
    "Thresholds",
    "categorize",
    "decisions",
    "read_thresholds",
]
