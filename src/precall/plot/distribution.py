"""The law of a measure under random selection: density or mass, approximations, what was observed."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Self

import numpy as np

from precall.drawing import palette
from precall.errors import UsageError
from precall.infer.null.distribution import Law
from precall.plot import canvas
from precall.plot.display import Display

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from precall.ragged import Float64

#: Up to this many values with a mass are drawn as masses, also of uneven distances.
ATOMS, UNEVEN = 80, 400


class NullLaw(Display):
    """A law as arrays, with what it is compared with.

    Parameters
    ----------
    x, height : values and their density, or their mass where `mass`.
    mass : draw a stem at each value, for laws of few values.
    normals : name → (mean, standard deviation) of normal approximations.
    drawn : values of random rankings, for a histogram behind.
    observed : a value to mark; what the law puts at or above it is shaded.
    tail : the probability of `observed` or more, to be said.
    measure : what the values are.

    Examples
    --------
    >>> law = NullLaw([1 / 3, 0.5, 1.0], [1 / 3, 1 / 3, 1 / 3], mass=True, observed=0.5, tail=2 / 3)
    >>> display = law.plot()
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
    def from_law(
        cls, law: Any, drawn: Any = None, observed: float | None = None, measure: str = "average precision"
    ) -> Self:
        """Of a law with `sf`, `mean` and `std`, and perhaps `pmf`, `zhang_su` and `tail`, as `precall.null` has.

        Where `pmf()` has 80 values or fewer in reach they are drawn as masses, where these stand at uneven places
        400 or fewer. Else the density is that of a window
        moved along the law, sf(x - w/2) - sf(x + w/2) over w, which smooths atoms as a histogram does.
        In reach is what lies from 4 standard deviations below the mean to 5 above, and what was observed.
        """
        normals = {"normal of the same mean and variance": (float(law.mean), float(law.std))}
        # Of one relevant item there is no published approximation.
        if hasattr(law, "zhang_su") and getattr(law, "relevant", 2) > 1:
            published = law.zhang_su()
            normals["normal, Zhang & Su (2012)"] = (float(published.mean), float(published.std))
        tail = None
        if observed is not None:
            tail = float(law.tail(observed).p if hasattr(law, "tail") else law.sf(observed))
        said: Any = {
            "normals": normals,
            "drawn": drawn,
            "observed": observed,
            "tail": tail,
            "measure": measure,
        }
        reach = [law.mean - 4 * law.std, law.mean + 5 * law.std, *([] if observed is None else [observed])]
        least, most = law.ppf([0.0, 1.0]) if hasattr(law, "ppf") else (0.0, 1.0)
        low, high = max(float(least), min(reach)), min(float(most), max(reach))
        width = law.std / 8
        atoms = _atoms(law)
        if atoms is not None:
            x, mass = atoms
            near = (x >= low) & (x <= high) if len(x) > ATOMS else np.ones(len(x), np.bool_)
            apart = np.diff(x[near])
            even = len(apart) > 0 and float(apart.max()) < 1.01 * float(apart.min())
            # Of a few hundred atoms at uneven places a window holds now one, now three: no line goes through them.
            if len(apart) < (ATOMS if even else UNEVEN):
                return cls(x[near], mass[near], mass=True, **said | {"normals": {}})
            if even:
                # As many atoms in every window, or the line would go up and down between them.
                width = float(apart.min()) * np.ceil(width / float(apart.min()))
        x = np.linspace(low, high, 400)
        return cls(x, (law.sf(x - width / 2) - law.sf(x + width / 2)) / width, **said)

    def plot(self, ax: Axes | None = None, *, legend: bool = True, **line: Any) -> Self:
        """Draw on `ax` or a new figure; `line` goes to matplotlib, for the law."""
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
        lines = {"law": self._law(ax, style)} | lines
        entries.insert(0, (lines["law"], "exact mass" if self.mass else "exact density"))
        for place, (name, (mean, deviation)) in enumerate(self.normals.items(), 1):
            lines[name] = ax.plot(
                self.x, normal_density(self.x, mean, deviation), **palette.stroke(place) | {"linewidth": 1.4}
            )[0]
            entries.append((lines[name], canvas.plain(name)))
        if self.observed is not None:
            at = ax.axvline(self.observed, color="black", linewidth=1.2, linestyle=(0, (4, 2)))
            said = f"observed {canvas.number(self.observed)}"
            entries.append((at, said if self.tail is None else f"{said}, p = {canvas.number(self.tail)}"))
        ax.set_ylim(bottom=0)
        return self._finish(ax, lines, entries, legend)

    def _law(self, ax: Axes, style: dict[str, Any]) -> Any:
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
    """The density of a normal law."""
    return np.asarray(np.exp(-(((x - mean) / deviation) ** 2) / 2) / (deviation * np.sqrt(2 * np.pi)))


def _bins(values: Float64) -> Any:
    return np.histogram_bin_edges(values, "fd")


def _atoms(law: Any) -> tuple[Float64, Float64] | None:
    """Values and masses, if the law can list them."""
    if not hasattr(law, "pmf"):
        return None
    try:
        mass = law.pmf()
    except UsageError:
        found = law._atoms() if isinstance(law, Law) else None
        if found is None:
            return None
        # Sums that are equal but for rounding are one value.
        values, place = np.unique(np.round(found[0], 12), return_inverse=True)
        return values, np.asarray(np.bincount(place, found[1]), np.float64)
    x, height = (np.array([float(one) for one in column]) for column in (mass, mass.values()))
    # As floats: a hundred thousand fractions take seconds to sort.
    order = np.argsort(x, kind="stable")
    return x[order], height[order]
