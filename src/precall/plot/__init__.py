"""Pictures of the results of precall, drawn by matplotlib (extra `plot`). matplotlib is imported
when the first picture is drawn.

`from_curve`, `from_cases` and similar functions make displays, and `plot(ax=None)` draws them.
Nothing here computes a measure or a test. Without `ax` a new figure is made, which needs neither
pyplot nor a window.

Examples
--------
>>> from precall import curve, plot
>>> display = plot.PrecisionRecall.from_curve(curve([1, 0, 1, 0], [4, 3, 2, 1])).plot()
>>> display.ax_.get_xlabel(), display.ax_.get_ylabel()
('recall', 'precision')
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from precall import fetching
from precall.plot.pictures import displays_by_module

if TYPE_CHECKING:
    from precall.plot.confusion import ConfusionMatrix
    from precall.plot.curves import ROC, PrecisionRecall, PrecisionRecallGain
    from precall.plot.distribution import Coverage, NullDensity, NullLaw, Power
    from precall.plot.systems import (
        ElevenPoint,
        PairDifferences,
        SystemMeans,
        TopicDifferences,
        TopicScatter,
    )
    from precall.plot.thresholds import AgainstRank, AgainstThreshold, ScoresByClass
    from precall.plot.views import DET, CostCurve, CumulativeGain, Lift

if not TYPE_CHECKING:
    __getattr__, __dir__ = fetching(__name__, displays_by_module())

__all__ = [
    "DET",
    "ROC",
    "AgainstRank",
    "AgainstThreshold",
    "ConfusionMatrix",
    "CostCurve",
    "Coverage",
    "CumulativeGain",
    "ElevenPoint",
    "Lift",
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
