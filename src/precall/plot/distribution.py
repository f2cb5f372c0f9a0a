"""The null distribution of a measure: density or mass, approximations, what was observed."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Self

import numpy as np

from precall.drawing import palette
from precall.errors import UsageError
from precall.infer.null.distribution import NullDistribution
from precall.plot import canvas
from precall.plot.display import Display

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from precall.infer.null.settings import Setting
    from precall.ragged import Float64

#: Random rankings behind the density of a setting that draws none.
_DRAWN = 10_000
#: Up to this many values with a mass are drawn as masses, also of uneven distances.
ATOMS, UNEVEN = 80, 400


class NullDensity(Display):
    """A null distribution as arrays, with what it is compared with.

    Parameters
    ----------
    x, height : values and their density, or their mass where `mass`.
    mass : draw a stem at each value, for distributions of few values.
    normals : name → (mean, standard deviation) of normal approximations.
    drawn : values of random rankings, for a histogram behind.
    observed : a value to mark; what lies at or above it is shaded.
    tail : the probability of `observed` or more, to be said.
    measure : what the values are.

    Examples
    --------
    >>> null = NullDensity([1 / 3, 0.5, 1.0], [1 / 3, 1 / 3, 1 / 3], mass=True, observed=0.5, tail=2 / 3)
    >>> display = null.plot()
    >>> display.line_.get_xdata().tolist(), display.legend_.get_texts()[-1].get_text()
    ([0.3333333333333333, 0.5, 1.0], 'observed 0.5, p = 0.667')
    """

    def __init__(
        self, x: Any, height: Any, *, mass: bool = False, normals: Mapping[str, tuple[float, float]] | None = None,
        drawn: Any = None, observed: float | None = None, tail: float | None = None,
        measure: str = "average precision",
    ) -> None:  # fmt: skip
        self.x, self.height = np.asarray(x, np.float64), np.asarray(height, np.float64)
        if self.x.ndim != 1 or self.x.shape != self.height.shape or len(self.x) < 1:
            raise UsageError(
                f"x, height: must be arrays of one length, got {self.x.shape}, {self.height.shape}"
            )
        if np.any(np.diff(self.x) <= 0):
            raise UsageError("x: must ascend")
        self.mass, self.normals = mass, dict(normals or {})
        for name, (_, deviation) in self.normals.items():
            if not deviation > 0:
                raise UsageError(f"normals: {name!r} must have a standard deviation > 0, got {deviation}")
        self.drawn = None if drawn is None else np.asarray(drawn, np.float64)
        self.observed, self.tail, self.measure = observed, tail, measure

    @classmethod
    def of(
        cls, null: Any, drawn: Any = None, observed: float | None = None, measure: str = "average precision"
    ) -> Self:
        """Of a distribution with `sf`, `mean` and `std`, and perhaps `pmf`, `zhang_su` and `tail`, as `precall.null` has.

        Where `pmf()` has 80 values or fewer in reach they are drawn as masses, where these stand at uneven places
        400 or fewer. Else the density is that of a window
        moved along the values, sf(x - w/2) - sf(x + w/2) over w, which smooths atoms as a histogram does.
        In reach is what lies from 4 standard deviations below the mean to 5 above, and what was observed.
        """
        normals = {"normal of the same mean and variance": (float(null.mean), float(null.std))}
        # Of one relevant item there is no published approximation.
        if hasattr(null, "zhang_su") and getattr(null, "relevant", 2) > 1:
            published = null.zhang_su()
            normals["normal, Zhang & Su (2012)"] = (float(published.mean), float(published.std))
        tail = None
        if observed is not None:
            tail = float(null.tail(observed).p if hasattr(null, "tail") else null.sf(observed))
        beside: Any = {"drawn": drawn, "observed": observed, "tail": tail, "measure": measure}
        reach = [
            null.mean - 4 * null.std,
            null.mean + 5 * null.std,
            *([] if observed is None else [observed]),
        ]
        least, most = null.ppf([0.0, 1.0]) if hasattr(null, "ppf") else (0.0, 1.0)
        low, high = max(float(least), min(reach)), min(float(most), max(reach))
        width = null.std / 8
        atoms = _atoms(null)
        if atoms is not None:
            x, mass = atoms
            near = (x >= low) & (x <= high) if len(x) > ATOMS else np.ones(len(x), np.bool_)
            gaps = np.diff(x[near])
            even = len(gaps) > 0 and float(gaps.max()) < 1.01 * float(gaps.min())
            # Of a few hundred atoms at uneven places a window holds now one, now three: no line goes through them.
            if len(gaps) < (ATOMS if even else UNEVEN):
                return cls(x[near], mass[near], mass=True, **beside)
            if even:
                # As many atoms in every window, or the line would go up and down between them.
                width = float(gaps.min()) * np.ceil(width / float(gaps.min()))
        x = np.linspace(low, high, 400)
        height = (null.sf(x - width / 2) - null.sf(x + width / 2)) / width
        return cls(x, height, normals=normals, **beside)

    #: The older name.
    from_law = of

    @classmethod
    def of_setting(cls, setting: Setting) -> Self:
        """AP of what `precall.null.describe` was asked about, before as many random rankings as it draws, or 10,000."""
        drawn = setting.draws(setting.simulate or _DRAWN)["AP", "drawn"]
        return cls.of(setting.null, drawn, None if setting.outcome is None else setting.outcome.value)

    def plot(self, ax: Axes | None = None, *, legend: bool = True, **line: Any) -> Self:
        """Draw on `ax` or a new figure; `line` goes to matplotlib, for the distribution."""
        ax = self._open(ax)
        line = canvas.spelled(line)
        ax.set_xlabel(canvas.plain(self.measure))
        ax.set_ylabel("probability" if self.mass else "density")
        entries: list[tuple[Any, str]] = []
        lines: dict[Any, Any] = {}
        if self.drawn is not None and not self.mass:
            heights, edges = np.histogram(self.drawn, _bins(self.drawn), density=True)
            tint: dict[str, Any] = {
                "fill": True,
                "facecolor": "#E3E3E3",
                "edgecolor": "#B5B5B5",
                "linewidth": 0.8,
            }
            lines["drawn"] = ax.stairs(heights, edges, **tint)
            entries.append((lines["drawn"], f"{len(self.drawn)} random rankings"))
        style: dict[str, Any] = palette.stroke(0) | {"linewidth": 1.8} | line
        lines = {"null": self._draw(ax, style)} | lines
        entries.insert(0, (lines["null"], "exact mass" if self.mass else "exact density"))
        for place, (name, (mean, deviation)) in enumerate(self.normals.items(), 1):
            lines[name] = ax.plot(
                self.x, normal_density(self.x, mean, deviation), **palette.stroke(place) | {"linewidth": 1.4}
            )[0]
            entries.append((lines[name], canvas.plain(name)))
        if self.observed is not None:
            at = ax.axvline(self.observed, color="black", linewidth=1.2, linestyle=(0, (4, 2)))
            label = f"observed {canvas.number(self.observed)}"
            entries.append((at, label if self.tail is None else f"{label}, p = {canvas.number(self.tail)}"))
        ax.set_ylim(bottom=0)
        return self._finish(ax, lines, entries, legend)

    def _draw(self, ax: Axes, style: dict[str, Any]) -> Any:
        beyond = np.zeros(len(self.x), np.bool_) if self.observed is None else self.x >= self.observed
        if self.mass:
            for chosen, colour in ((~beyond, style["color"]), (beyond, palette.colour(2))):
                ax.vlines(self.x[chosen], 0, self.height[chosen], color=colour, linewidth=2)
            return ax.plot(
                self.x, self.height, **style | {"linestyle": "none", "marker": "o", "markersize": 4}
            )[0]
        if self.observed is not None:
            tint: dict[str, Any] = {
                "facecolor": palette.tint(palette.colour(2), 0.3),
                "hatch": "////",
                "edgecolor": palette.colour(2),
            }
            ax.fill_between(self.x, 0, self.height, where=beyond.tolist(), linewidth=0, **tint)
        return ax.plot(self.x, self.height, **style)[0]


def normal_density(x: Float64, mean: float, deviation: float) -> Float64:
    """The density of a normal distribution."""
    return np.asarray(np.exp(-(((x - mean) / deviation) ** 2) / 2) / (deviation * np.sqrt(2 * np.pi)))


def _bins(values: Float64) -> Any:
    return np.histogram_bin_edges(values, "fd")


def _atoms(null: Any) -> tuple[Float64, Float64] | None:
    """Values and masses, if they can be listed."""
    if not hasattr(null, "pmf"):
        return None
    try:
        mass = null.pmf()
    except UsageError:
        atoms = null._atoms() if isinstance(null, NullDistribution) else None
        if atoms is None:
            return None
        # Sums that are equal but for rounding are one value.
        values, place = np.unique(np.round(atoms[0], 12), return_inverse=True)
        return values, np.asarray(np.bincount(place, atoms[1]), np.float64)
    x, height = (np.array(list(map(float, column))) for column in (mass, mass.values()))
    # As floats: a hundred thousand fractions take seconds to sort.
    order = np.argsort(x, kind="stable")
    return x[order], height[order]


#: The older name.
NullLaw = NullDensity
