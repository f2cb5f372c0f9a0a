"""Pictures of what precall returns, by matplotlib (extra `plot`), which is imported when the first is drawn.

Displays are made by `from_curve`, `from_cases` and their like, and drawn by `plot(ax=None)`; nothing here computes a
measure or a test. Without `ax` a figure is made that needs neither pyplot nor a window.
"""

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
