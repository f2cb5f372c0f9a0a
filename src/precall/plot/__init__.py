"""Pictures of what precall returns, by matplotlib (extra `plot`), which is imported when the first is drawn.

Displays are made by `from_curve`, `from_cases` and their like, and drawn by `plot(ax=None)`; nothing here computes a
measure or a test. Without `ax` a figure is made that needs neither pyplot nor a window.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from precall.plot.curves import ROC, PrecisionRecall, PrecisionRecallGain
    from precall.plot.distribution import Coverage, NullDensity, NullLaw, Power
    from precall.plot.systems import ElevenPoint, PairDifferences, SystemMeans, TopicDifferences, TopicScatter
    from precall.plot.thresholds import AgainstRank, AgainstThreshold, ScoresByClass

# Where displays live; each is imported when it is first asked for, as a page or a command draws one of them.
_HOME = {
    "curves": ("ROC", "PrecisionRecall", "PrecisionRecallGain"),
    "distribution": ("Coverage", "NullDensity", "NullLaw", "Power"),
    "systems": ("ElevenPoint", "PairDifferences", "SystemMeans", "TopicDifferences", "TopicScatter"),
    "thresholds": ("AgainstRank", "AgainstThreshold", "ScoresByClass"),
}

__all__ = [
    "ROC", "AgainstRank", "AgainstThreshold", "Coverage", "ElevenPoint", "NullDensity", "NullLaw", "PairDifferences",
    "Power", "PrecisionRecall", "PrecisionRecallGain", "ScoresByClass", "SystemMeans", "TopicDifferences", "TopicScatter",
]  # fmt: skip


def __getattr__(name: str) -> object:
    for home, displays in _HOME.items():
        if name in displays:
            return getattr(import_module(f"precall.plot.{home}"), name)
    raise AttributeError(f"module 'precall.plot' has no attribute {name!r}")
