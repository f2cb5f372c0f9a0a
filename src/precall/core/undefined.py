"""What means do about undefined values: count them as "zero", "omit" them, or raise an "error"."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from precall.core.arguments import check_choice
from precall.core.conventions import UNDEFINED as POLICIES
from precall.core.errors import Mistake
from precall.core.ragged import Float64


def check_undefined(policy: str) -> None:
    """Raise unless it is one of the three policies."""
    check_choice("undefined", policy, POLICIES)


#: What to do about undefined values.
COUNT_THEM = "pass ⟨undefined='zero' or 'omit'⟩"


def undefined_for_topic(measure: str, topic: object, reason: str = "") -> Mistake:
    """The mistake that a measure is undefined for a topic."""
    why = " ({reason:s})" if reason else ""
    return Mistake(
        "{measure:s} is undefined for topic {topic}" + why,
        f"remove the topic, or {COUNT_THEM}",
        measure=measure,
        topic=topic,
        reason=reason,
    )


def apply_undefined(
    values: Float64,
    policy: str,
    *,
    zero: float = 0.0,
    source: str = "",
    what: Callable[[int, int], Mistake] | None = None,
) -> Float64:
    """The values to average: NaN replaced by `zero`, or left out.

    `what` makes the mistake from the first undefined place and the number of them; without
    it, the caller has handled the policy "error" before.
    """
    missing = np.isnan(values)
    if not np.count_nonzero(missing):
        return values
    if policy == "error" and what is not None:
        raise what(int(np.argmax(missing)), int(missing.sum())).error(source)
    return values[~missing] if policy == "omit" else np.where(missing, zero, values)
