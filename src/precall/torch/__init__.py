"""Metrics for training loops in the manner of torchmetrics: exact, with bounded state.

It needs `pip install precall[torch]` (PyTorch and torchmetrics). The state of metrics of scores
grows only with the number of distinct scores. Scores are never transformed: logits and their
probabilities give the same ranking. All metrics are `torchmetrics.Metric`: they are updated,
computed, reset, merged, moved, pickled, synchronised over torch.distributed and logged as those of
torchmetrics are.

Examples
--------
>>> import torch
>>> import precall.torch
>>> metric = precall.torch.AveragePrecision()
>>> metric.update(torch.tensor([0.9, 0.8, 0.7]), torch.tensor([1, 0, 1]))
>>> round(float(metric.compute()), 4)
0.8333
"""

from precall.core.errors import MissingExtra

try:
    import torch as _torch  # noqa: F401
    import torchmetrics as _torchmetrics  # noqa: F401
except ImportError as _error:
    raise MissingExtra(
        "precall.torch needs PyTorch and torchmetrics: pip install 'precall[torch]', or pip "
        "install torch torchmetrics"
    ) from _error

from precall.torch.curves import AreaUnderROC, AveragePrecision, CurveMeasure, PrecisionRecallCurve
from precall.torch.decision_counts import CountsMeasure
from precall.torch.ranked_lists import ListMeasure

__all__ = [
    "AreaUnderROC",
    "AveragePrecision",
    "CountsMeasure",
    "CurveMeasure",
    "ListMeasure",
    "PrecisionRecallCurve",
]
