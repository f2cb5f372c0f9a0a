"""What was observed against its law under random selection → data of a record."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from precall.page.axes import thinned
from precall.plot.distribution import NullLaw

if TYPE_CHECKING:
    from precall.infer.null import Outcome
    from precall.ragged import Float64


def law_of(name: str, measure: str, outcome: Outcome) -> dict[str, Any]:
    """An outcome of `pc.null.test`, with the outline of its law.

    Parameters
    ----------
    name : of the system.
    measure : of which the outcome is, in words.

    Examples
    --------
    >>> from precall import Hits, null
    >>> found = law_of("a", "AP", null.test(Hits.of([1, 2, 4], retrieved=8, relevant=3)).combined)
    >>> found["observed"], round(found["p"], 6), found["mass"], len(found["x"])
    (0.9166666666666666, 0.035714, True, 54)
    """
    x, height, mass = _outline(outcome)
    return {
        "system": name, "measure": measure, "observed": outcome.value, "chance": float(outcome.law.mean),
        "deviation": float(outcome.law.std), "p": outcome.p, "how": str(outcome.tail), "mass": mass,
        "x": x, "height": height,
    }  # fmt: skip


def _outline(outcome: Outcome) -> tuple[Float64, Float64, bool]:
    """Values, their mass or density, and which of both; no more points than a line needs."""
    if not outcome.law.std:
        # All orders are alike, as where every score is the same.
        return np.array([float(outcome.law.mean)]), np.ones(1), True
    shape = NullLaw.from_law(outcome.law, observed=outcome.value)
    if shape.mass:
        return shape.x, shape.height, True
    kept = thinned(shape.x.tolist(), shape.height.tolist())
    return shape.x[kept], shape.height[kept], False
