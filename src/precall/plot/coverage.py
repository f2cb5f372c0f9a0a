"""Coverage of intervals and power of tests, as measured by simulation."""

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


class Simulated(Display):
    """Shares that were measured by simulation, by method, over a setting such as the number of topics.

    Parameters
    ----------
    x : the settings.
    shares : method → share at each setting, in 0..1.
    errors : standard errors: one number, or method → one per setting.

    Raises
    ------
    UsageError
        Lengths differ or a share is outside 0..1.
    """

    def __init__(self, x: Any, shares: Mapping[str, Any], errors: Any = None) -> None:
        self.x = np.asarray(x, np.float64)
        self.shares = {str(name): np.asarray(values, np.float64) for name, values in shares.items()}
        if not self.shares:
            raise UsageError("shares: none given; name at least one method")
        given = errors if isinstance(errors, Mapping) else dict.fromkeys(self.shares, errors)
        self.errors = {
            name: np.asarray(0.0 if given.get(name) is None else given[name], np.float64)
            for name in self.shares
        }
        for name, error in self.errors.items():
            if error.shape not in ((), self.x.shape):
                raise UsageError(f"errors: {name!r} must have one or {self.x.shape}, got {error.shape}")
        for name, values in self.shares.items():
            if self.x.ndim != 1 or values.shape != self.x.shape:
                raise UsageError(f"shares: {name!r} must have {self.x.shape} values, got {values.shape}")
            if np.any((values < 0) | (values > 1)):
                raise UsageError(f"shares: {name!r} must be in 0..1")

    def _drawn(self, ax: Axes, line: dict[str, Any]) -> tuple[dict[Any, Any], list[tuple[Any, str]]]:
        lines: dict[Any, Any] = {}
        for place, (name, values) in enumerate(self.shares.items()):
            style = palette.marked(place) | {"linewidth": 1.4}
            error = 1.96 * self.errors[name]
            made = ax.errorbar(self.x, values, error if error.any() else None, capsize=2.5, **style | line)
            lines[name] = made.lines[0]
        return lines, [(made, labels.plain(name)) for name, made in lines.items()]


class Coverage(Simulated):
    """Coverage of intervals beside what they promise, with 95 % bars of simulation.

    Examples
    --------
    >>> display = Coverage([10, 50], {"logit": [0.945, 0.958]}, errors=0.007).plot()
    >>> display.line_.get_ydata().tolist()
    [0.945, 0.958]
    """

    def plot(
        self, ax: Axes | None = None, *, level: float = 0.95, accepted: tuple[float, float] | None = (0.93, 0.97),
        across: str = "relevant cases", log: bool = False, legend: bool = True, **line: Any,
    ) -> Self:  # fmt: skip
        """Draw.

        Parameters
        ----------
        ax : axes to draw on (default: those of a new figure, made without pyplot).
        level : the nominal coverage.
        accepted : coverage that is good enough, as a tint.
        across : what the settings are.
        log : settings in powers of ten.
        legend, **line : as `PrecisionRecall.plot` takes them.
        """
        ax = self._open(ax)
        line = canvas.spelled(line)
        lines, entries = self._drawn(ax, line)
        if accepted is not None:
            entries.append(
                (ax.axhspan(*accepted, color="#E8E8E8", zorder=0), "{:g} to {:g}".format(*accepted))
            )
        entries.append((canvas.baseline(ax, level), f"nominal {level:g}"))
        _labelled(ax, across, "coverage", log)
        ax.set_ylim(top=1.005)
        return self._finish(ax, lines, entries, legend)


class Power(Simulated):
    """How often tests reject, over the size of the difference or of the sample.

    Examples
    --------
    >>> Power([0.0, 0.1], {"t": [0.05, 0.8]}).plot().line_.get_xdata().tolist()
    [0.0, 0.1]
    """

    def plot(
        self, ax: Axes | None = None, *, size: float | None = 0.05, across: str = "topics", log: bool = False,
        legend: bool = True, **line: Any,
    ) -> Self:  # fmt: skip
        """Draw; `size` is the nominal level of the tests, see `Coverage.plot` for the rest."""
        ax = self._open(ax)
        line = canvas.spelled(line)
        lines, entries = self._drawn(ax, line)
        if size is not None:
            entries.append((canvas.baseline(ax, size), f"level {size:g}"))
        canvas.span(ax, "y")
        _labelled(ax, across, "share rejected", log)
        return self._finish(ax, lines, entries, legend)


def _labelled(ax: Axes, across: str, along: str, log: bool) -> None:
    ax.set_xlabel(labels.plain(across))
    ax.set_ylabel(along)
    if log:
        canvas.powers(ax)
