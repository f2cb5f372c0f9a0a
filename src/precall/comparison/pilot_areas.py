"""Sizes of studies that compare two areas under ROC, from a pilot of both scores on the same cases.

The pilot gives what normal scores and a correlation give otherwise: by DeLong's components the
variance of the difference is S₁ / m + S₀ / n, S₁ and S₀ the variances over relevant and over other
cases of the differences of the components. So a study may have another ratio of the two.
"""

from __future__ import annotations

import math
from functools import partial
from typing import NamedTuple

import numpy as np

from precall.cases.scored_cases import check_cases, refuse_nan
from precall.core.arguments import (
    check_count,
    check_level,
    check_number,
    check_positive,
    check_rows,
    choose,
)
from precall.core.errors import Fact, UsageError
from precall.stats import quantiles
from precall.stats.influence import rank_items, roc_influence
from precall.stats.tests.least_size import least_size
from precall.stats.tests.sizes import MOST, others_for

#: What the variance without a difference is: the pilot's own, or, as pROC takes it, that of two
#: areas like the first one.
LAWS = ("delong", "proc")
_least = partial(
    least_size, first=2, most=MOST, remedy="ask for a greater difference or a greater margin"
)


class _Pilot(NamedTuple):
    """The areas of both scores of a pilot; and by class (relevant, other) the variances and
    covariances of DeLong's components.
    """

    areas: tuple[float, float]
    spreads: tuple[np.ndarray, np.ndarray]
    ratio: float

    @classmethod
    def of(cls, relevant: object, score_a: object, score_b: object, positive: object) -> _Pilot:
        check_rows(relevant=relevant, score_a=score_a, score_b=score_b)
        found = []
        for score in (score_a, score_b):
            truth, value = check_cases(relevant, score, positive)
            refuse_nan(value)
            found.append(roc_influence(truth, rank_items(truth, value)))
        sizes = int(truth.sum()), int((~truth).sum())
        if min(sizes) < 2:
            raise UsageError(
                argument="relevant",
                allowed="a pilot of two relevant and two other cases or more",
                got=Fact(f"{sizes[0]} and {sizes[1]}"),
            )
        shares = np.stack([component for _, component in found])
        first, second = (np.cov(shares[:, kind]) for kind in (truth, ~truth))
        return cls((found[0][0], found[1][0]), (first, second), sizes[1] / sizes[0])

    def errors(self, relevant: float, other: float, law: str) -> tuple[float, float]:
        """Standard errors of the difference in a study of this size: if there is none, and as it
        is in the pilot.
        """
        both = self.spreads[0] / relevant + self.spreads[1] / other
        own = both[0, 0] + both[1, 1] - 2 * both[0, 1]
        null = own if law == "delong" else 2 * (both[0, 0] - both[0, 1])
        return math.sqrt(max(float(null), 0.0)), math.sqrt(max(float(own), 0.0))


class _Plan(NamedTuple):
    """A pilot, and the effect to be shown."""

    pilot: _Pilot
    effect: float
    ratio: float
    level: float
    law: str

    @classmethod
    def of(
        cls,
        pilot: _Pilot,
        difference: float | None,
        margin: float,
        ratio: float | None,
        level: float,
        law: str,
    ) -> _Plan:
        own = pilot.areas[0] - pilot.areas[1]
        expected = own if difference is None else check_number("difference", difference)
        check_number("margin", margin)
        effect = expected + margin if margin else abs(expected)
        if margin < 0 or not effect > 0:
            raise UsageError(
                argument="difference and margin",
                allowed="a difference, or one above -margin",
                got=Fact(f"{expected:g}, {margin:g}"),
            )
        wanted = pilot.ratio if ratio is None else ratio
        check_positive(ratio=wanted)
        return cls(pilot, effect, wanted, check_level(level), choose("law", law, LAWS))

    def power(self, relevant: float, other: float) -> float:
        null, own = self.pilot.errors(relevant, other, self.law)
        excess = self.effect - quantiles.z(self.level) * null
        return quantiles.normal_share(excess / own) if own else float(excess > 0)

    def other(self, relevant: int) -> int:
        return others_for(relevant, self.ratio)


def of_areas_from_pilot(
    relevant: object,
    score_a: object,
    score_b: object,
    cases: int,
    *,
    difference: float | None = None,
    margin: float = 0.0,
    ratio: float | None = None,
    level: float = 0.95,
    law: str = "delong",
    positive: object = None,
) -> float:
    """Power of a study to show that two areas under ROC differ, or that the first is not worse,
    with the variances of a pilot; see `cases_for_areas_from_pilot`.

    Parameters
    ----------
    cases : number of relevant cases of the study.

    Examples
    --------
    >>> relevant = [1, 1, 0, 1, 0, 0, 1, 0] * 5
    >>> a = [8, 7, 6, 5, 4, 3, 2, 1] * 5
    >>> b = [8, 3, 6, 1, 4, 5, 2, 7] * 5
    >>> round(of_areas_from_pilot(relevant, a, b, 10), 3)
    0.945
    """
    pilot = _Pilot.of(relevant, score_a, score_b, positive)
    plan = _Plan.of(pilot, difference, margin, ratio, level, law)
    cases = check_count("cases", cases)
    check_positive(cases=cases)
    return plan.power(cases, plan.other(cases))


def cases_for_areas_from_pilot(
    relevant: object,
    score_a: object,
    score_b: object,
    *,
    difference: float | None = None,
    margin: float = 0.0,
    ratio: float | None = None,
    power: float = 0.8,
    level: float = 0.95,
    law: str = "delong",
    positive: object = None,
) -> tuple[int, int]:
    """Relevant and other cases needed to show that two areas under ROC differ, or that the first is
    not worse, with the variances and the correlation of a pilot.

    Parameters
    ----------
    relevant : labels of the pilot, as for `curve`.
    score_a : scores of the first system.
    score_b : scores of the second, of the same cases.
    difference : the first area minus the second that is expected; None is that of the pilot,
        which is uncertain, and often too great if a study is planned because of it. It is better to
        give the least difference that matters.
    margin : the loss that does not matter; 0 tests whether the areas differ.
    ratio : other cases per relevant case; None is that of the pilot.
    power : chance of showing it, in (0, 1).
    level : the test is two-sided at 1 - level, or with a margin one-sided at half of that.
    law : "delong": the test's variance is the pilot's; "proc": as in `power.roc.test` of pROC,
        which takes that of two areas like the first, so that the order of the scores matters.
    positive : the label of relevant cases, if it is not 1 or true.

    Returns
    -------
    tuple of int
        The relevant and the other cases.

    Raises
    ------
    UsageError
        There is no difference, or none above -margin; the pilot has fewer than two relevant or
        other cases; or an argument is not allowed.
    DataError
        As `curve` says.

    References
    ----------
    Obuchowski & McClish, "Sample size determination for diagnostic accuracy studies involving
    binormal ROC curve indices", Statistics in Medicine 16, 1997; DeLong, DeLong & Clarke-Pearson,
    Biometrics 44, 1988.

    Examples
    --------
    >>> relevant = [1, 1, 0, 1, 0, 0, 1, 0] * 5
    >>> a = [8, 7, 6, 5, 4, 3, 2, 1] * 5
    >>> b = [8, 3, 6, 1, 4, 5, 2, 7] * 5
    >>> cases_for_areas_from_pilot(relevant, a, b)
    (7, 7)
    >>> cases_for_areas_from_pilot(relevant, a, b, difference=0.2)
    (39, 39)
    """
    pilot = _Pilot.of(relevant, score_a, score_b, positive)
    plan = _Plan.of(pilot, difference, margin, ratio, level, law)
    check_level(power, "power", 0.8)
    needed = _least(lambda cases: plan.power(cases, plan.other(cases)) >= power)
    return needed, plan.other(needed)
