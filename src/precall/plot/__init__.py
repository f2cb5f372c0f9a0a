"""Pictures of what precall returns, by matplotlib (extra `plot`), which is imported when the first is drawn.

Displays are made by `from_curve`, `from_cases` and their like, and drawn by `plot(ax=None)`; nothing here computes a
measure or a test. Without `ax` a figure is made that needs neither pyplot nor a window.
"""

from precall.plot.gain import PrecisionRecallGain
from precall.plot.precision_recall import PrecisionRecall
from precall.plot.roc import ROC

__all__ = [
    "ROC",
    "PrecisionRecall",
    "PrecisionRecallGain",
]
