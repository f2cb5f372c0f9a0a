"""Null distributions of a measure with the observed value; coverage and power as measured by
simulation.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Self

import numpy as np

from precall.core.arguments import check_kind, check_level, check_number, check_numbers, check_some
from precall.core.errors import Fact, Shape, UsageError
from precall.core.text import as_text, span
from precall.plot import canvas
from precall.plot.canvas import Display
from precall.plot.shared import styles
from precall.plot.shared.shapes import outline

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.lines import Line2D

    from precall.core.ragged import Float64
    from precall.stats.null.description import Setting

#: Number of random rankings for the density of a setting that draws none itself.
_DRAWN = 10_000


class NullDensity(Display):
    """A null distribution as arrays, with the values it is compared with.

    Parameters
    ----------
    x : values of the measure, ascending.
    height : their density, or their probability mass if `mass` is true.
    mass : draw a stem at each value, for distributions with few values.
    normals : name → (mean, standard deviation) of normal approximations.
    drawn : values of random rankings, drawn as a histogram in the background.
    observed : a value to mark; the part at or above it is shaded.
    tail : the probability of `observed` or more, for the legend.
    measure : name of the measure.

    Examples
    --------
    >>> null = NullDensity(
    ...     [1 / 3, 0.5, 1.0], [1 / 3, 1 / 3, 1 / 3], mass=True, observed=0.5, tail=2 / 3
    ... )
    >>> display = null.plot()
    >>> display.line_.get_xdata().tolist(), display.legend_.get_texts()[-1].get_text()
    ([0.3333333333333333, 0.5, 1.0], 'observed 0.5, p = 0.667')
    """

    def __init__(
        self,
        x: object,
        height: object,
        *,
        mass: bool = False,
        normals: Mapping[str, tuple[float, float]] | None = None,
        drawn: object = None,
        observed: float | None = None,
        tail: float | None = None,
        measure: str = "average precision",
    ) -> None:
        self.x: Float64 = check_numbers("x", x)
        self.height: Float64 = check_numbers("height", height)
        if self.x.ndim != 1 or self.x.shape != self.height.shape or len(self.x) < 1:
            shapes = f"{self.x.shape}, {self.height.shape}"
            raise UsageError(argument="x, height", allowed="arrays of one length", got=Fact(shapes))
        if np.any(np.diff(self.x) <= 0):
            raise UsageError(argument="x", what="must ascend")
        self.mass = mass
        self.normals: dict[str, tuple[float, float]] = dict(
            check_kind("normals", normals or {}, Mapping, "{name: (mean, standard deviation)}")
        )
        for name, (_, deviation) in self.normals.items():
            if not deviation > 0:
                raise UsageError(
                    argument="normals",
                    what=f"{name!r} must have a standard deviation > 0",
                    got=Fact(deviation),
                )
        self.drawn: Float64 | None = None if drawn is None else check_numbers("drawn", drawn)
        self.observed: float | None = observed
        self.tail: float | None = tail
        self.measure: str = measure

    @classmethod
    def of(
        cls,
        null: Any,
        drawn: Any = None,
        observed: float | None = None,
        measure: str = "average precision",
    ) -> Self:
        """Display of a distribution with `sf`, `mean` and `std`, and perhaps `pmf`, `zhang_su` and
        `tail`, such as those of `precall.null`.

        A distribution with few values is drawn as a stem at each value, any other as its density.
        """
        normals = {"normal of the same mean and variance": (float(null.mean), float(null.std))}
        # There is no published approximation for a single relevant item.
        if hasattr(null, "zhang_su") and getattr(null, "relevant", 2) > 1:
            published = null.zhang_su()
            normals["normal, Zhang & Su (2012)"] = (float(published.mean), float(published.std))
        tail = None
        if observed is not None:
            tail = float(null.tail(observed).p if hasattr(null, "tail") else null.sf(observed))
        shape = outline(null, observed)
        return cls(
            shape.x,
            shape.height,
            mass=shape.mass,
            normals=None if shape.mass else normals,
            drawn=drawn,
            observed=observed,
            tail=tail,
            measure=measure,
        )

    #: The former name.
    from_law = of

    @classmethod
    def of_setting(cls, setting: Setting) -> Self:
        """Display of AP in the setting given to `precall.null.describe`, with as many random
        rankings as the setting draws, or 10,000.
        """
        drawn = setting.draws(setting.simulate or _DRAWN)["AP", "drawn"]
        return cls.of(
            setting.null, drawn, None if setting.outcome is None else setting.outcome.value
        )

    def plot(
        self, ax: Axes | None = None, *, title: str | None = None, legend: bool = True, **line: Any
    ) -> Self:
        """Draw on `ax` or on a new figure. `line` holds looks for the distribution."""
        ax, line = self._open(ax, line, title=title)
        ax.set(
            xlabel=styles.escape_name(self.measure),
            ylabel="probability" if self.mass else "density",
        )
        # Entering it first puts the distribution on top of the legend.
        self._line("null", None, "")
        if self.drawn is not None and not self.mass:
            # Number of bins by Freedman & Diaconis.
            heights, edges = np.histogram(
                self.drawn, np.histogram_bin_edges(self.drawn, "fd"), density=True
            )
            tint: dict[str, Any] = {"fill": True, "facecolor": styles.tint(styles.ink(), 0.11)}
            tint["edgecolor"] = styles.tint(styles.ink(), 0.29)
            bars = ax.stairs(heights, edges, linewidth=0.8, **tint)
            self._line("drawn", bars, f"{len(self.drawn)} random rankings")
        self.lines_["null"] = self._draw(ax, styles.stroke(0) | {"linewidth": 1.8} | line)
        self._entries[0] = (self.lines_["null"], "exact mass" if self.mass else "exact density")
        for index, (name, (mean, deviation)) in enumerate(self.normals.items(), 1):
            height = normal_density(self.x, mean, deviation)
            artist = ax.plot(self.x, height, **styles.stroke(index) | {"linewidth": 1.4})[0]
            self._line(name, artist, styles.escape_name(name))
        if self.observed is not None:
            at = ax.axvline(self.observed, color=styles.ink(), linewidth=1.2, linestyle=(0, (4, 2)))
            p = "" if self.tail is None else f", p = {styles.number(self.tail)}"
            self._say(at, f"observed {styles.number(self.observed)}{p}")
        ax.set_ylim(bottom=0)
        return self._finish(ax, legend)

    def _draw(self, ax: Axes, style: dict[str, Any]) -> Line2D:
        beyond = np.zeros(len(self.x), np.bool_)
        if self.observed is not None:
            # The observed value is a value of the distribution up to rounding; `isclose` treats it
            # as such, as the p value does.
            beyond = (self.x >= self.observed) | np.isclose(
                self.x, self.observed, rtol=1e-11, atol=1e-12
            )
        colour = styles.colour(2)
        if self.mass:
            for chosen, shade in ((~beyond, style["color"]), (beyond, colour)):
                ax.vlines(self.x[chosen], 0, self.height[chosen], color=shade, linewidth=2)
            style |= {"linestyle": "none", "marker": "o", "markersize": 4}
        elif self.observed is not None:
            tint: dict[str, Any] = {"facecolor": styles.tint(colour, 0.3), "edgecolor": colour}
            tint |= {"hatch": "////", "linewidth": 0, "where": beyond.tolist()}
            ax.fill_between(self.x, 0, self.height, **tint)
        return ax.plot(self.x, self.height, **style)[0]


#: The former name.
NullLaw = NullDensity


def normal_density(x: Float64, mean: float, deviation: float) -> Float64:
    """The density of a normal distribution."""
    return np.asarray(
        np.exp(-(((x - mean) / deviation) ** 2) / 2) / (deviation * np.sqrt(2 * np.pi))
    )


class Simulated(Display):
    """Shares measured by simulation, by method, over a setting such as the number of topics.

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

    def __init__(self, x: object, shares: Mapping[str, object], errors: object = None) -> None:
        self.x: Float64 = np.asarray(x, np.float64)
        check_kind("shares", shares, Mapping, "{method: share at each setting}")
        self.shares: dict[str, Float64] = {
            as_text(name): np.asarray(values, np.float64) for name, values in shares.items()
        }
        check_some("shares", self.shares, "name at least one method")
        errors_by_method = (
            errors if isinstance(errors, Mapping) else dict.fromkeys(self.shares, errors)
        )
        self.errors: dict[str, Float64] = {}
        for name in self.shares:
            error = np.asarray(
                0.0 if errors_by_method.get(name) is None else errors_by_method[name], np.float64
            )
            self.errors[name] = error
            if error.shape not in ((), self.x.shape):
                raise UsageError(
                    argument="errors",
                    what=f"{name!r} must have one or {self.x.shape}",
                    got=Shape(error.shape),
                )
        for name, values in self.shares.items():
            if self.x.ndim != 1 or values.shape != self.x.shape:
                raise UsageError(
                    argument="shares",
                    what=f"{name!r} must have {self.x.shape} values",
                    got=Shape(values.shape),
                )
            if np.any((values < 0) | (values > 1)):
                raise UsageError(argument="shares", what="{got} must be in 0..1", got=name)

    def _draw_lines(
        self, ax: Axes, line: dict[str, Any], across: str, along: str, log: bool
    ) -> None:
        """Draw the lines of the methods over named axes."""
        for index, (name, values) in enumerate(self.shares.items()):
            error = 1.96 * self.errors[name]
            style = styles.style_of_markers(index) | {"linewidth": 1.4, "capsize": 2.5} | line
            artist = ax.errorbar(self.x, values, error if error.any() else None, **style)
            self._line(name, artist.lines[0], styles.escape_name(name))
        ax.set(xlabel=styles.escape_name(across), ylabel=along)
        if log:
            canvas.powers(ax)


class Coverage(Simulated):
    """Coverage of intervals beside their nominal level, with 95 % error bars of the simulation.

    Examples
    --------
    >>> display = Coverage([10, 50], {"logit": [0.945, 0.958]}, errors=0.007).plot()
    >>> display.line_.get_ydata().tolist()
    [0.945, 0.958]
    """

    def plot(
        self,
        ax: Axes | None = None,
        *,
        level: float = 0.95,
        accepted: tuple[float, float] | None = (0.93, 0.97),
        across: str = "relevant cases",
        log: bool = False,
        title: str | None = None,
        legend: bool = True,
        **line: Any,
    ) -> Self:
        """Draw.

        Parameters
        ----------
        level : the nominal coverage.
        accepted : range of coverage that is acceptable, drawn as a tint.
        across : label of the settings.
        log : show settings in powers of ten.
        ax, title, legend, **line : as `PrecisionRecall.plot` takes them.
        """
        level = check_level(level)
        if accepted is not None and np.shape(accepted) != (2,):
            raise UsageError(
                argument="accepted", allowed="two shares, from and to, or None", got=accepted
            )
        ax, line = self._open(ax, line, title=title)
        self._draw_lines(ax, line, across, "coverage", log)
        if accepted is not None:
            tint = ax.axhspan(*accepted, color=styles.tint(styles.ink(), 0.09), zorder=0)
            self._say(tint, span(accepted, "{:g}".format))
        self._say(canvas.baseline(ax, level), f"nominal {level:.12g}")
        ax.set_ylim(top=1.005)
        return self._finish(ax, legend)


class Power(Simulated):
    """How often tests reject, over the size of the difference or of the sample.

    Examples
    --------
    >>> Power([0.0, 0.1], {"t": [0.05, 0.8]}).plot().line_.get_xdata().tolist()
    [0.0, 0.1]
    """

    def plot(
        self,
        ax: Axes | None = None,
        *,
        size: float | None = 0.05,
        across: str = "topics",
        log: bool = False,
        title: str | None = None,
        legend: bool = True,
        **line: Any,
    ) -> Self:
        """Draw. `size` is the nominal level of the tests; see `Coverage.plot` for the other
        parameters.
        """
        if size is not None:
            check_number("size", size)
        ax, line = self._open(ax, line, title=title)
        self._draw_lines(ax, line, across, "share rejected", log)
        if size is not None:
            self._say(canvas.baseline(ax, size), f"level {size:g}")
        canvas.span(ax, "y")
        return self._finish(ax, legend)
