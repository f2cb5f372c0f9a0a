"""The 11-point curves of runs: interpolated precision at recall 0, .1, ..., 1."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Self

import numpy as np

from precall.drawing import labels, palette
from precall.errors import UsageError
from precall.plot import canvas
from precall.plot.display import Display

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from precall.curves import Curve
    from precall.results import Report

LEVELS = tuple(level / 10 for level in range(11))


class ElevenPoint(Display):
    """Eleven values per run, with markers; the lines between them only lead the eye, as in TREC's reports.

    Parameters
    ----------
    runs : name → the eleven values.

    Examples
    --------
    >>> from precall import evaluate
    >>> report = evaluate({"q": {"a": 1}}, {"q": {"a": 1.0, "b": 2.0}}, ElevenPoint.MEASURES)
    >>> ElevenPoint.from_report(report).plot().line_.get_ydata().tolist()[:3]
    [0.5, 0.5, 0.5]
    """

    #: What to ask `evaluate` for.
    MEASURES = tuple(f"IPrec(recall={level:g})" for level in LEVELS)

    def __init__(self, runs: Mapping[str, Any]) -> None:
        if not runs:
            raise UsageError("runs: none given; name at least one")
        self.runs = {str(name): np.asarray(values, np.float64) for name, values in runs.items()}
        for name, values in self.runs.items():
            if values.shape != (11,):
                raise UsageError(f"runs: eleven values each, {name!r} has the shape {values.shape}")

    @classmethod
    def from_report(cls, report: Report) -> Self:
        """Of the averages that `evaluate(qrels, runs, ElevenPoint.MEASURES)` returned."""
        try:
            values = {run.name: [report.mean[key] for key in _keys(report, run.name)] for run in report.runs}
        except KeyError as error:
            raise UsageError("report: has no 11 points; evaluate with ElevenPoint.MEASURES") from error
        return cls(values)

    @classmethod
    def from_curves(cls, curves: Mapping[str, Curve]) -> Self:
        """Of curves by name."""
        return cls({name: curve.eleven_point() for name, curve in curves.items()})

    def plot(self, ax: Axes | None = None, *, legend: bool = True, **line: Any) -> Self:
        """Draw; see `PrecisionRecall.plot`."""
        ax = self._open(ax, canvas.SQUARE)
        line = canvas.spelled(line)
        canvas.unit(ax, "recall", "interpolated precision")
        lines: dict[Any, Any] = {}
        for place, (name, values) in enumerate(self.runs.items()):
            style = palette.marked(place) | {"linewidth": 1.5}
            lines[name] = ax.plot(LEVELS, values, **style | line)[0]
        return self._finish(ax, lines, [(made, labels.plain(name)) for name, made in lines.items()], legend)


def _keys(report: Report, run: str) -> list[Any]:
    return [name if len(report.runs) == 1 else (run, name) for name in ElevenPoint.MEASURES]
