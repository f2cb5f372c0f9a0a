"""A measure by people's labels, by a judge's, and corrected by both."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, Self

import numpy as np

from precall.core.arguments import check_kind, check_some
from precall.core.errors import UsageError
from precall.core.text import many, percent, printable
from precall.judges.results import Judged, JudgedValue
from precall.measures.lookup import name_among
from precall.plot import canvas
from precall.plot.canvas import Display
from precall.plot.shared import styles

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from precall.core.ragged import Float64

#: How far the three values of a system stand from its line, which is one high.
_APART = 0.24


class PeopleAndJudge(Display):
    """For each system: the corrected value with its interval, people's labels alone with theirs,
    and the judge alone.

    Parameters
    ----------
    values : by name, what `precall.judge` found.

    Examples
    --------
    >>> from precall import judge
    >>> people = [1, 0, 0, 1, None, None, None, None] * 10
    >>> found = judge.values(people, [1, 1, 0, 1, 0, 1, 1, 0] * 10)
    >>> display = PeopleAndJudge.from_judged(found).plot()
    >>> [round(float(display.lines_[name].get_xdata()[0]), 3) for name in display.lines_]
    [0.417, 0.5, 0.625]
    """

    def __init__(self, values: Mapping[str, JudgedValue]) -> None:
        check_some("values", check_kind("values", values, Mapping, "{name: judged value}"))
        for value in values.values():
            check_kind("values", value, JudgedValue, "what pc.judge() found")
        self.values: dict[str, JudgedValue] = dict(values)

    @classmethod
    def from_judged(cls, found: Judged | JudgedValue, measure: str | None = None) -> Self:
        """Display of what `precall.judge` returned, by one measure.

        Parameters
        ----------
        found : what `precall.judge` returned, or one of its values.
        measure : which of its measures; None is the first.
        """
        check_kind("found", found, (Judged, JudgedValue), "what pc.judge() returns")
        if isinstance(found, JudgedValue):
            return cls({"mean": found})
        chosen = found.measures[0]
        if measure is not None:
            name = name_among(measure, found.measures, found.asked)
            if name is None:
                raise UsageError(argument="measure", got=measure, allowed=list(found.heads))
            chosen = name
        return cls({run: found[run, chosen] for run in found.runs})

    def __repr__(self) -> str:
        first = next(iter(self.values.values()))
        return printable(f"<PeopleAndJudge: {first.measure} of {many(len(self.values), 'system')}>")

    def plot(
        self,
        ax: Axes | None = None,
        *,
        title: str | None = None,
        legend: bool = True,
        **points: Any,
    ) -> Self:
        """Draw, the greatest corrected value on top.

        Parameters
        ----------
        ax : as `PrecisionRecall.plot` takes it.
        title : above the axes.
        legend : say which value is which.
        **points : looks of matplotlib for the corrected values.
        """
        size = (canvas.WIDE[0], 1.3 + 0.6 * len(self.values))
        ax, points = self._open(ax, points, size, title)
        order = sorted(self.values, key=lambda name: -self.values[name].estimate)
        values = [self.values[name] for name in order]
        heights = canvas.list_names(ax, order, 0.5)
        first = values[0]
        ax.set_xlabel(styles.escape_name(f"{first.measure}, {percent(first.level)} intervals"))
        alone = [value.people_alone for value in values]
        kinds = {
            "corrected": (
                [(value.estimate, *value.ends) for value in values],
                canvas.dots(styles.colour(0)) | points,
            ),
            "people alone": (
                [(np.nan,) * 3 if each is None else (each.estimate, *each.ends) for each in alone],
                canvas.dots(styles.guide()) | {"markerfacecolor": styles.ground()},
            ),
            "judge alone": (
                [(value.judge_alone, np.nan, np.nan) for value in values],
                canvas.dots(styles.colour(1), "D"),
            ),
        }
        for place, (name, (triples, look)) in enumerate(kinds.items()):
            at = heights + _APART * (place - 1)
            value, low, high = _columns(triples)
            known = np.isfinite(low)
            ax.hlines(at[known], low[known], high[known], color=look["color"], linewidth=1.6)
            self._line(name, ax.plot(value, at, **look)[0], name)
        return self._finish(ax, legend)


def _columns(triples: Sequence[tuple[float, ...]]) -> tuple[Float64, Float64, Float64]:
    value, low, high = np.array(triples, np.float64).T
    return value, low, high
