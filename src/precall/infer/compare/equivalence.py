"""Equivalence and non-inferiority: that a difference is small, shown and not merely not disproved.

Two one-sided tests (Schuirmann 1987): the difference is above -margin and below +margin; not worse is the first alone.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from precall.checks import check_choice, check_positive
from precall.infer.compare.comparisons import bounds, p_text
from precall.infer.compare.paired import RESAMPLES, TESTS, Choices, deviation, t_interval
from precall.infer.compare.pairing import aligned, check_two, differences, mean
from precall.infer.resample.batches import TOLERANCE
from precall.infer.skewness import remark
from precall.presented import Presented
from precall.ragged import Float64
from precall.results import number
from precall.rng import Rng, told
from precall.text import printable

KINDS = ("equivalent", "not worse")
_TESTS = ("t", "randomization", "wilcoxon")


@dataclass(frozen=True, slots=True, eq=False)
class Equivalence(Presented):
    """Whether two systems were shown to be equivalent, or the first to be not worse, within a margin.

    Parameters
    ----------
    difference : mean of first minus second; `gain` of the gate, its sign turned where low is good.
    low, high : the interval at 2·level - 1 (90 % for level .95) that the two t tests are dual to; None where there is
        none, as where all topics differ alike.
    p : the greater of `p_low` (difference above -margin) and `p_high` (below +margin); for "not worse" p_low.
    needed : the least margin for which the t tests would show it.
    seed : where random numbers started; None where none were used.
    notes : what a reader should know.
    """

    names: tuple[str, str]
    measure: str
    kind: str
    margin: float
    difference: float
    low: float | None
    high: float | None
    level: float
    p_low: float
    p_high: float
    test: str
    size: int
    needed: float
    seed: int | None = None
    notes: tuple[str, ...] = ()

    @property
    def p(self) -> float:
        """Of the hypothesis that the difference is not within the margin."""
        return self.p_low if self.kind == "not worse" else max(self.p_low, self.p_high)

    @property
    def shown(self) -> bool:
        """Whether p is at most 1 - level."""
        return bool(self.p <= 1 - self.level + 1e-12)

    def __str__(self) -> str:
        a, b = self.names
        claim = "equivalent to" if self.kind == "equivalent" else "not worse than"
        share = f", {100 * (2 * self.level - 1):g} % interval {number(self.low)} to {number(self.high)}"
        line = (
            f"{self.measure}: {a} was {'' if self.shown else 'not '}shown to be {claim} {b} within {self.margin:g} "
            f"(p {p_text(self.p)}, {self.test}); difference {self.difference:+.4f}{share * (self.low is not None)}; "
            f"least margin {number(self.needed)}{told(self.seed)}"
        )
        return "\n".join(map(printable, [line, *self.notes]))


def equivalence(
    a: Any, b: Any, margin: float, *, kind: str = "equivalent", test: str = "t", level: float = 0.95,
    resamples: int = RESAMPLES, rng: Rng = 0, names: tuple[str, str] = ("a", "b"), measure: str = "value",
    unpaired: str = "error", undefined: str = "omit", higher_is_better: bool = True,
) -> Equivalence:  # fmt: skip
    """Test that two systems differ by less than a margin, or that the first is not worse by more.

    Parameters
    ----------
    a, b, unpaired, undefined : values per topic, see `paired`.
    margin : the greatest difference that does not matter, > 0.
    kind : "equivalent" (TOST) or "not worse" (non-inferiority of the first).
    test : one-sided tests of the differences moved by the margin: "t", "randomization" or "wilcoxon".
    level, resamples, rng, names, measure, higher_is_better : see `paired`.

    Raises
    ------
    DataError, UsageError, MissingExtra
        See `paired`.

    Examples
    --------
    >>> a, b = [0.50, 0.61, 0.42, 0.70, 0.55], [0.51, 0.60, 0.43, 0.69, 0.56]
    >>> found = equivalence(a, b, 0.05)
    >>> found.shown, round(found.p, 5), round(found.needed, 4)
    (True, 0.0003, 0.0124)
    """
    check_choice("kind", kind, KINDS)
    check_two(names)
    check_choice("test", test, _TESTS)
    check_positive(margin=margin)
    matrix, _, _ = aligned(dict(zip(names, (a, b), strict=True)), unpaired, undefined)
    sign = 1 if higher_is_better else -1
    gain = sign * np.sort(differences(matrix[:, 0], matrix[:, 1]))
    choices = Choices("greater", level, resamples, rng)
    above, below, *ends, needed, seed = decided(gain, float(margin), kind, test, choices)
    low, high = bounds(*sorted(sign * end for end in ends))
    return Equivalence(
        names=names, measure=measure, kind=kind, margin=float(margin), difference=sign * mean(gain), low=low, high=high,
        level=level, p_low=above, p_high=below, test=test, size=len(gain), needed=needed, seed=seed,
        notes=tuple(filter(None, [remark(gain, test)])),
    )  # fmt: skip


def decided(
    gain: Float64, margin: float, kind: str, test: str, choices: Choices
) -> tuple[float, float, float, float, float, int | None]:
    """p of "above -margin", p of "below margin", the dual interval, the least margin, and the seed."""
    low, high = t_interval(gain, 2 * choices.level - 1) if choices.level > 0.5 else (float("nan"),) * 2
    above = _one_sided(gain, margin, test, choices)
    below = _one_sided(-gain, margin, test, choices)
    needed = -low if kind == "not worse" else max(-low, high)
    # Python's max(0.0, nan) is 0.0, which would be a claim.
    return above[0], below[0], low, high, needed if needed != needed else max(0.0, needed), above[1]


def _one_sided(gain: Float64, margin: float, test: str, choices: Choices) -> tuple[float, int | None]:
    moved = gain + margin
    moved[np.abs(moved) <= TOLERANCE * margin] = 0.0
    if test == "t" and len(gain) > 1 and deviation(gain) == 0 and not gain.any():
        # No topic differs at all: t is infinite, and what is left is the chance of so many equal signs.
        test = "randomization"
    result = TESTS[test](moved, choices)
    return result.p, result.seed
