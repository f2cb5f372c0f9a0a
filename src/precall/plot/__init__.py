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
    from precall.plot.confusion import ConfusionMatrix as ConfusionMatrix
    from precall.plot.curves import ROC as ROC
    from precall.plot.curves import PrecisionRecall as PrecisionRecall
    from precall.plot.curves import PrecisionRecallGain as PrecisionRecallGain
    from precall.plot.decision_curves import DecisionCurve as DecisionCurve
    from precall.plot.differences import CurveDifference as CurveDifference
    from precall.plot.distribution import Coverage as Coverage
    from precall.plot.distribution import NullDensity as NullDensity
    from precall.plot.distribution import NullLaw as NullLaw
    from precall.plot.distribution import Power as Power
    from precall.plot.judged import PeopleAndJudge as PeopleAndJudge
    from precall.plot.rectangles import Rectangles as Rectangles
    from precall.plot.systems import ElevenPoint as ElevenPoint
    from precall.plot.systems import PairDifferences as PairDifferences
    from precall.plot.systems import SystemMeans as SystemMeans
    from precall.plot.systems import TopicDifferences as TopicDifferences
    from precall.plot.systems import TopicScatter as TopicScatter
    from precall.plot.thresholds import AgainstRank as AgainstRank
    from precall.plot.thresholds import AgainstThreshold as AgainstThreshold
    from precall.plot.thresholds import ScoresByClass as ScoresByClass
    from precall.plot.views import DET as DET
    from precall.plot.views import CostCurve as CostCurve
    from precall.plot.views import CumulativeGain as CumulativeGain
    from precall.plot.views import Lift as Lift

if not TYPE_CHECKING:
    __getattr__, __dir__ = fetching(__name__, displays_by_module())
    __all__ = sorted(" ".join(displays_by_module().values()).split())
