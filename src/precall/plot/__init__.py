"""Pictures of what precall returns, by matplotlib (extra `plot`), which is imported when the first is drawn.

Displays are made by `from_curve`, `from_cases` and their like, and drawn by `plot(ax=None)`; nothing here computes a
measure or a test. Without `ax` a figure is made that needs neither pyplot nor a window.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from precall.plot.coverage import Coverage, Power
    from precall.plot.distribution import NullDensity, NullLaw
    from precall.plot.eleven_point import ElevenPoint
    from precall.plot.gain import PrecisionRecallGain
    from precall.plot.means import PairDifferences, SystemMeans
    from precall.plot.precision_recall import PrecisionRecall
    from precall.plot.ranks import AgainstRank
    from precall.plot.roc import ROC
    from precall.plot.scores import ScoresByClass
    from precall.plot.thresholds import AgainstThreshold
    from precall.plot.topics import TopicDifferences, TopicScatter

# Where displays live; each is imported when it is first asked for, as a page or a command draws one of them.
_HOME = {
    "Coverage": "coverage",
    "Power": "coverage",
    "NullDensity": "distribution",
    "NullLaw": "distribution",
    "ElevenPoint": "eleven_point",
    "PrecisionRecallGain": "gain",
    "PairDifferences": "means",
    "SystemMeans": "means",
    "PrecisionRecall": "precision_recall",
    "AgainstRank": "ranks",
    "ROC": "roc",
    "ScoresByClass": "scores",
    "AgainstThreshold": "thresholds",
    "TopicDifferences": "topics",
    "TopicScatter": "topics",
}

__all__ = [
    "ROC",
    "AgainstRank",
    "AgainstThreshold",
    "Coverage",
    "ElevenPoint",
    "NullDensity",
    "NullLaw",
    "PairDifferences",
    "Power",
    "PrecisionRecall",
    "PrecisionRecallGain",
    "ScoresByClass",
    "SystemMeans",
    "TopicDifferences",
    "TopicScatter",
]


def __getattr__(name: str) -> object:
    if name not in _HOME:
        raise AttributeError(f"module 'precall.plot' has no attribute {name!r}")
    return getattr(import_module(f"precall.plot.{_HOME[name]}"), name)
