"""What was observed against its law under random selection → data of a record."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

from precall.page.axes import thinned
from precall.plot.law import NullLaw

if TYPE_CHECKING:
    from precall.infer.null import Outcome


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
    shape = NullLaw.from_law(outcome.law, observed=outcome.value, measure=measure)
    x, height = shape.x, shape.height
    kept = thinned(x.tolist(), height.tolist())
    return {
        "system": name, "measure": measure, "observed": outcome.value, "chance": float(outcome.law.mean),
        "deviation": float(outcome.law.std), "p": outcome.p, "how": _how(outcome), "mass": shape.mass,
        "x": x if shape.mass else x[kept], "height": height if shape.mass else height[kept],
    }  # fmt: skip


def _how(outcome: Outcome) -> str:
    tail = outcome.tail
    if math.isfinite(tail.error):
        return str(tail)
    return f"p about {tail.p:.3g} ({tail.method}; so far out its error is not bounded)"
