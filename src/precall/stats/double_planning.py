"""Plans of double sampling: how many of N units people must judge if a judge gives a number to all.

With n of N units by people, s the deviation of people's numbers and r their correlation with the
judge's, the variance of the regression estimator is about

    s² (1 - r²) (1/n - 1/N) (1 + 1/(n - 3)) + s²/N

(Cochran, Sampling Techniques, chapter 12). The last term is the choice of all units from a
population; the factor 1 + 1/(n - 3) is the slope, which n units must tell as well. Half of the
interval is Student's quantile of n - 2 degrees of freedom times the root of it.
"""

from __future__ import annotations

import math
from bisect import bisect_left
from collections.abc import Callable
from dataclasses import dataclass

from precall.stats import quantiles
from precall.stats.noncentral import power_of_t
from precall.stats.scipy import optimize

#: Fewer units by people are not judged by.
LEAST = 10


@dataclass(frozen=True, slots=True)
class Design:
    """Units that a judge labelled, of which people label some.

    Attributes
    ----------
    units : N, how many units the judge labels.
    deviation : the standard deviation of people's numbers.
    correlation : of people's numbers and the judge's.
    these : whether the mean of these units is to be learned, not that of a population.
    level : nominal coverage of the interval, in (0, 1).
    """

    units: int
    deviation: float
    correlation: float
    these: bool
    level: float

    def error(self, labels: int) -> float:
        """The standard error with this many units by people.

        Examples
        --------
        >>> round(Design(200, 0.238, 0.74, False, 0.95).error(40), 4)
        0.0285
        """
        variance = self.deviation**2
        rest = variance * (1 - self.correlation**2)
        by_slope = 1 + 1 / (labels - 3)
        error = rest * max(1 / labels - 1 / self.units, 0.0) * by_slope
        return math.sqrt(error + (0.0 if self.these else variance / self.units))

    def width(self, labels: int) -> float:
        """The width of the interval with this many units by people."""
        error = self.error(labels)
        return 2 * quantiles.t(self.level, labels - 2.0) * error if error else 0.0

    def power(self, labels: int, difference: float) -> float:
        """The chance that a mean of this size is told from 0."""
        error = self.error(labels)
        if not error:
            return 1.0
        return power_of_t(abs(difference) / error, labels - 2.0, self.level)

    def least_difference(self, labels: int, power: float) -> float:
        """The least mean that is told from 0 with this power."""
        error = self.error(labels)
        if not error:
            return 0.0
        if power <= 1 - self.level:  # a test has it without any difference
            return 0.0
        far = 20.0 * error * quantiles.t(self.level, labels - 2.0)
        root: float = optimize().brentq(
            lambda difference: self.power(labels, difference) - power, 0.0, far
        )
        return root

    def labels_for_width(self, width: float) -> int | None:
        """The least number of units by people whose interval is no wider; None if all are too
        few.

        Examples
        --------
        >>> design = Design(200, 0.238, 0.74, False, 0.95)
        >>> design.labels_for_width(0.12), design.labels_for_width(0.06)
        (37, None)
        """
        return self._least(lambda labels: self.width(labels) <= width)

    def labels_for_difference(self, difference: float, power: float) -> int | None:
        """The least number of units by people that tells a mean from 0 with this power; None if
        all are too few.
        """
        return self._least(lambda labels: self.power(labels, difference) >= power)

    def _least(self, enough: Callable[[int], bool]) -> int | None:
        low, high = min(LEAST, self.units), self.units
        if not enough(high):
            return None
        return bisect_left(range(high), True, low, high, key=enough)


def correlation_of_agreement(agreement: float, deviation: float, items: int) -> float:
    """The correlation of means over `items` labels each, if the judge errs in 1 - agreement of the
    labels, whatever they are.

    With ε = 1 - agreement and k items, the judge's mean is (1 - 2ε) times people's, plus noise of
    variance ε (1 - ε) / k.

    Parameters
    ----------
    agreement : the share of labels that are equal, in [0, 1].
    deviation : the standard deviation of people's means.
    items : how many labels each mean has.

    Examples
    --------
    >>> round(correlation_of_agreement(0.9, 0.25, 10), 3)
    0.904
    """
    wrong = 1 - agreement
    signal = abs(1 - 2 * wrong) * deviation
    noise = wrong * (1 - wrong) / items
    total = math.sqrt(signal**2 + noise)
    return signal / total if total else 1.0
