"""The null distribution of average precision."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from math import comb, exp, fsum, isfinite, lgamma
from typing import overload

import numpy as np

from precall.core.arguments import check_blocks, check_choice, check_whole
from precall.core.errors import Fact, UsageError
from precall.core.ragged import Float64, Int64
from precall.stats.null.asymptotic import METHOD, Asymptotic, is_smooth
from precall.stats.null.distribution import SMALLEST, Accuracy, Normal, NullDistribution, Tail
from precall.stats.null.limit import Limit
from precall.stats.null.tail import enumeration, moments
from precall.stats.null.tail.atoms import AtomTable
from precall.stats.null.tail.by_rank import scipy, tails
from precall.stats.null.tail.enumeration import PLACEMENTS, sets_from_top
from precall.stats.null.tail.hypergeometric import probabilities, space, span
from precall.stats.null.tail.in_blocks import at_cutoff, few_early
from precall.stats.null.tail.misses import losses
from precall.stats.null.tail.moments import cumulants
from precall.stats.null.tail.random_placements import precision_sums
from precall.stats.null.tail.staircase import OUTLINE, SHARE, Tails

NORMS = ("relevant", "min", "found")
#: Convolutions leave out less probable paths, so tails below this are not known.
_LEAST = 1e-12
#: If at most so many placements make up a tail, they are counted one by one.
_COUNTED = 50_000
#: In a mixture, numbers of hits that differ by less than this share are interpolated, not all
#: computed.
_BETWEEN = 0.15
#: Most items that are convolved: the memory for more would have no bound.
_LARGEST = 10**8
#: With at most so many misses, counting is tried first, however large the tail is.
_FEW = 5


@overload
def average_precision(
    items: int,
    relevant: int,
    cutoff: int | None = None,
    norm: str = "relevant",
    *,
    blocks: None = None,
    ties: str = "expected",
) -> AveragePrecision: ...
@overload
def average_precision(
    items: int,
    relevant: int,
    cutoff: int | None = None,
    norm: str = "relevant",
    *,
    blocks: Sequence[int] | Int64,
    ties: str = "expected",
) -> NullDistribution: ...
def average_precision(
    items: int,
    relevant: int,
    cutoff: int | None = None,
    norm: str = "relevant",
    *,
    blocks: object = None,
    ties: str = "expected",
) -> NullDistribution:
    """The null distribution of AP: `relevant` of `items` stand at random ranks, all placements
    equally likely.

    AP = (1/m) sum over hits of i / L_i, where L_i is the rank of the i-th hit.

    Parameters
    ----------
    items : items in the ranking, n >= 1.
    relevant : relevant items among them, 1 <= m <= n; with m = 0 AP is undefined.
    cutoff : count only the hits in the first `cutoff` ranks.
    norm : with a cutoff k, AP over "relevant" (m, as in trec_eval's map_cut), "min" (min(m, k)) or
        "found" (the hits in the first k ranks; a list without any counts as 0).
    blocks : sizes of the blocks of equal score, best first, adding up to `items`. The blocks stay;
        labels are permuted over them. Not allowed with a cutoff.
    ties : with `blocks`: AP is the mean over random orders inside blocks ("expected"), or takes
        each block as a whole ("block", as scikit-learn does).

    Returns
    -------
    NullDistribution
        `mean` and `var` are exact and take O(1). `skewness` and `kurtosis` are exact (if there are
        over 500 blocks, small late ones are joined). `sf(x)` is P(AP >= x). `pmf()` is exact, for
        up to 200,000 placements, fewer in long lists. `approximate` states how accurate `sf` is.

    Raises
    ------
    UsageError
        A count is out of range, or `norm` is unknown.

    Notes
    -----
    How tails are computed: one hit or one miss has a closed form. Up to 3 million placements are
    enumerated; in larger cases the placements at the top are counted. All other tails come from a
    convolution from the last rank back to the first. The normal distribution with the same mean and
    variance is wrong by orders of magnitude in the tail: with 100 of 1000 items relevant it reports
    p = 1e-3 as 8e-6. `asymptotic()` is the normal limit with the exact skewness and kurtosis; lists
    of more than 10^8 items use it by default if its error is stated. `zhang_su()` is the
    approximation of Zhang & Su (2012); docs/why/errata.md lists its errata.

    Bestgen (2015) gave the mean as a sum; Manzhos, Ianevych & Melnyk (2025) gave the mean and
    variance of AP@k.

    Examples
    --------
    >>> null = average_precision(items=2000, relevant=500)
    >>> round(null.mean, 6), round(null.var, 9), round(null.skewness, 4)
    (0.252693, 9.893e-05, 0.2723)
    >>> print(f"{null.sf(0.27):.4f}")
    0.0481
    """
    n = check_whole("items", items, 1)
    m = check_whole("relevant", relevant, 1, n)
    check_choice("norm", norm, NORMS)
    if blocks is not None:
        from precall.stats.null.average_with_ties import tied

        if cutoff is not None:
            raise UsageError(
                argument="cutoff",
                what="cannot be combined with blocks",
                remedy="leave one of them out",
            )
        return tied(n, m, check_blocks(blocks, n), ties)
    k = n if cutoff is None else min(check_whole("cutoff", cutoff, 1), n)
    return AveragePrecision(n, m, k, norm if k < n else "relevant")


@dataclass(frozen=True, repr=False)
class AveragePrecision(NullDistribution):
    """AP of `relevant` of `items` at random ranks, over the first `cutoff` ranks; see
    `average_precision`.
    """

    items: int
    relevant: int
    cutoff: int
    norm: str
    #: True in a mixture or an outline, which tolerate relative errors of a thousandth.
    rough: bool = False
    _known = _LEAST

    @property
    def name(self) -> str:
        return f"{self._quantity}, {self.relevant} of {self.items} items relevant"

    @property
    def _quantity(self) -> str:
        return "AP" if self.cutoff == self.items else f"AP@{self.cutoff} over {self.norm}"

    @property
    def _over(self) -> int:
        return min(self.relevant, self.cutoff) if self.norm == "min" else self.relevant

    @cached_property
    def _parts(self) -> list[tuple[float, AveragePrecision]]:
        """For each number of hits in the first `cutoff` ranks: its probability, and AP of a
        complete list of so many ranks.
        """
        n, m, k = self.items, self.relevant, self.cutoff
        low, high = span(n, m, k)
        chance = probabilities(n, [m], k, low, high)[0]
        return [
            (float(p), AveragePrecision(k, low + i, k, "relevant", rough=True))
            for i, p in enumerate(chance)
            if low + i and p > _LEAST
        ]

    def _moments(self) -> tuple[float, float]:
        if self.norm == "found":
            return self._moments_of_mixture[:2]
        k = None if self.cutoff == self.items else self.cutoff
        counts, scale = (self.items, self.relevant, k), self.relevant / self._over
        return scale * moments.mean(*counts), scale**2 * moments.variance(*counts)

    @cached_property
    def _moments_of_mixture(self) -> tuple[float, float, float, float]:
        raw = np.zeros(5)
        for chance, component in self._parts:
            mean, var = component._moments()
            third, fourth = np.nan_to_num(component._shape())
            mu3, mu4 = third * var**1.5, (fourth + 3) * var**2
            raw += chance * np.array(
                [
                    1,
                    mean,
                    var + mean**2,
                    mu3 + 3 * mean * var + mean**3,
                    mu4 + 4 * mean * mu3 + 6 * mean**2 * var + mean**4,
                ]
            )
        _, one, two, three, four = raw.tolist()
        var, mu3, mu4 = moments.central(one, two, three, four)
        if not var > 1e-15 * two:
            return one, 0.0, float("nan"), float("nan")
        return one, var, mu3 / var**1.5, mu4 / var**2 - 3

    def _shape(self) -> tuple[float, float]:
        if self.norm == "found":
            return self._moments_of_mixture[2:]
        return cumulants(self.items, self.relevant, self.cutoff)[2:]

    def _ends(self) -> tuple[float, float]:
        return 0.0, 1.0 if self.norm == "found" else min(self.relevant, self.cutoff) / self._over

    @property
    def _method(self) -> str:
        n, m, k = self.items, self.relevant, self.cutoff
        if k == n and (m in (1, n) or n - m == 1):
            return "closed form"
        if enumeration.patterns(n, m, k) <= PLACEMENTS:
            return "enumeration"
        if self.norm == "found" or (k < n and few_early(n, m, k)):
            return "mixture over the hits found"
        return METHOD if self._limit is not None else "convolution over ranks"

    @cached_property
    def _limit(self) -> Asymptotic | None:
        """The normal limit, if the list is too long to be convolved and the error of the limit is
        stated.
        """
        limit = self.asymptotic() if self.items > _LARGEST else None
        return limit if limit is not None and isfinite(limit.approximate.error) else None

    @property
    def approximate(self) -> Accuracy:
        """How `sf` is computed and how accurate it is; false if it is exact."""
        method = self._method
        if method in ("closed form", "enumeration"):
            return Accuracy(method)
        if method == METHOD and self._limit is not None:
            return self._limit.approximate
        rare = self.relevant <= 30 and self.items <= 10**6 and self.cutoff == self.items
        # Few hits (and, with a cutoff, many) are followed from the top rank down, so low values are
        # known less accurately.
        lower = 0.1 if self.relevant <= 30 or self.cutoff < self.items else 0.0
        return Accuracy(method, 1e-3, 1e-9, lower) if rare else Accuracy(method, 0.02, 1e-6, lower)

    def tail(self, x: float) -> Tail:
        """P(AP >= x) and how it was computed; an upper bound if it is below what the convolution
        knows.
        """
        convolved = self._method == "convolution over ranks"
        counted = (
            self._count_placements(float(self._between(np.array([x]))[0])) if convolved else None
        )
        if counted is not None:
            return Tail(max(counted, SMALLEST), "placements counted", 0.0, counted < SMALLEST)
        return super().tail(x)

    @property
    def _slack(self) -> float:  # type: ignore[override]
        """The tolerance must stay below the distance of neighbouring values: 1/(n m) with one miss,
        3/(n² m) with two, as far as floats can tell them apart.
        """
        n, m = self.items, self.relevant
        least = 0.25 / (n * m)
        return min(NullDistribution._slack, least, max(1e-15, least / n) if n - m > 1 else 1.0)

    def _tail_without_list(self, x: Float64, above: bool) -> Float64:
        p = np.where(x <= 0, 1.0, 0.0)
        inside = (x > 0) & (x <= self._ends()[1])
        if inside.any():
            p[inside] = np.maximum(self._inside(x[inside]), SMALLEST)
        return p

    def _head_without_list(self, x: Float64) -> Float64:
        # The limit computes its lower tail directly: 1 - P(X > x) would lose its digits.
        below = self._limit if self._method == METHOD else None
        return super()._head_without_list(x) if below is None else below._head_without_list(x)

    def _inside(self, x: Float64) -> Float64:
        n, m, k, method = self.items, self.relevant, self.cutoff, self._method
        if method == METHOD and self._limit is not None:
            return self._limit._tail_without_list(x, False)
        if method != "convolution over ranks":
            return self._closed_form(x) if method == "closed form" else self._mixture(x)
        s, p = x * self._over, self._convolve(x)
        if k < n:
            # The least positive value comes from a single hit at the last rank that counts.
            some = (
                1 - float(probabilities(n, [m], k, *span(n, m, k))[0, 0])
                if not span(n, m, k)[0]
                else 1.0
            )
            p = np.where(s * k <= 1, some, np.minimum(p, some))
        # With few misses counting can work for any number of placements: few of their beginnings
        # may reach s.
        few = (
            (n - m <= _FEW)
            | (p <= _LEAST)
            | (p * exp(min(self._log_placements, 700)) < 2 * _COUNTED)
        )
        for i in np.flatnonzero(few).tolist():
            exact = self._count_placements(float(x[i]))
            p[i] = p[i] if exact is None else exact
        return np.asarray(p, np.float64)

    @cached_property
    def _few(self) -> tuple[frozenset[int], Float64, Float64]:
        """Numbers of hits with few placements; their values of AP, ascending; and the probability
        of each value or more.
        """
        ways = {
            component.relevant: enumeration.patterns(
                component.items, component.relevant, component.cutoff
            )
            for _, component in self._parts
        }
        order = sorted(ways, key=lambda hits: (ways[hits], hits))
        fits = np.cumsum([float(min(ways[hits], 2**62)) for hits in order]) <= PLACEMENTS
        few = frozenset(hits for hits, fit in zip(order, fits.tolist(), strict=True) if fit)
        values, masses = [np.zeros(0)], [np.zeros(0)]
        for chance, component in self._parts:
            if component.relevant in few:
                atoms = component._atoms()
                assert atoms is not None
                values.append(atoms[0] * self._share(component.relevant))
                masses.append(chance * atoms[1])
        value, mass = np.concatenate(values), np.concatenate(masses)
        rising = np.argsort(value, kind="stable")
        return few, value[rising], np.append(np.cumsum(mass[rising][::-1])[::-1], 0.0)

    def _share(self, hits: int) -> float:
        """Factor from AP of a list of the first ranks, with so many hits, to this AP."""
        return 1.0 if self.norm == "found" else hits / self._over

    def _mixture(self, x: Float64) -> Float64:
        """P(AP >= x) as a mixture over the number of hits found.

        Numbers of hits with few placements are listed. Some of the others are convolved, and
        between those the normal quantile of the tail, which is smooth, is interpolated.
        """
        few, values, tails_ = self._few
        listed = tails_[np.searchsorted(values, x)]
        parts = [
            (chance, component)
            for chance, component in self._parts
            if component.relevant not in few
        ]
        if not parts:
            return np.asarray(listed, np.float64)
        chance = np.array([chance for chance, _ in parts])
        hits = np.array([component.relevant for _, component in parts])
        misses = self.cutoff - hits
        # The loss is smoother in the number of misses than the gain is in the number of hits.
        computed_at = space(np.minimum(hits, 1.5 * misses), _BETWEEN)
        # Each has many placements, so it is convolved, even if a single distribution would be
        # listed.
        computed = [parts[i][1] for i in computed_at]
        tail = np.array(
            [component._alone(x / self._share(component.relevant)) for component in computed]
        )
        if len(computed_at) < len(hits):
            special, interpolate = scipy("special"), scipy("interpolate")
            quantile = special.ndtri(np.clip(tail, 1e-18, 1 - 1e-16))
            log_odds = np.log(hits) - np.log(misses)
            curve = interpolate.PchipInterpolator(log_odds[computed_at], quantile)
            tail = special.ndtr(curve(log_odds))
        return np.asarray(listed + chance @ tail, np.float64)

    def _alone(self, x: Float64) -> Float64:
        """P(AP >= x) without a list of values."""
        p = self._closed_form(x) if self._method == "closed form" else self._convolve(x)
        return np.where(x <= 0, 1.0, np.where(x <= 1, p, 0.0))

    def _convolve(self, x: Float64, share: float = SHARE, rough: bool = False) -> Float64:
        n, m, k, s, rough = (
            self.items,
            self.relevant,
            self.cutoff,
            x * self._over,
            rough or self.rough,
        )
        if n > _LARGEST:
            raise UsageError(
                argument="items",
                got=Fact(f"{n:,}"),
                why=f"and beyond {_LARGEST:,} p is known for many relevant items only",
                remedy="simulate: np.mean(null.rvs(100_000) >= x)",
            )
        if k == n and 2 * m > n:
            return np.maximum(losses(n, m, rough)(s), _LEAST)
        table = tails(n, m, None, rough) if k == n else at_cutoff(n, m, k)
        return np.maximum(table(s, share) if isinstance(table, Tails) else table(s), _LEAST)

    def _outline(self, x: Float64) -> Float64:
        convolved = self._method == "convolution over ranks"
        return self._convolve(x, OUTLINE, rough=True) if convolved else self._tails(x)

    def _closed_form(self, x: Float64) -> Float64:
        n, m = self.items, self.relevant
        if m == n:
            return np.ones(len(x))
        if m == 1:
            return np.minimum(np.floor(1 / np.maximum(x, 1e-300)), n) / n
        return np.array([(sets_from_top(n, m, value) or 0) / n for value in x.tolist()])

    @cached_property
    def _all(self) -> tuple[Float64, Float64] | None:
        n, m, k = self.items, self.relevant, self.cutoff
        if k == n and m == n:
            return np.ones(1), np.ones(1)
        if enumeration.patterns(n, m, k) > PLACEMENTS:
            return None
        if k == n and min(m, n - m) == 1:
            inverse = 1 / np.arange(1, n + 1)
            lost = (np.cumsum(inverse[::-1])[::-1] - inverse) / m
            return (inverse[::-1] if m == 1 else 1 - lost), np.full(n, 1 / n)
        return enumeration.enumerate_placements(n, m, k, self.norm)

    def _atoms(self) -> tuple[Float64, Float64] | None:
        return self._all

    def _heavy(self) -> tuple[Float64, Float64] | None:
        if self._method == "mixture over the hits found":
            _, values, above = self._few
            none = 1 - fsum(chance for chance, _ in self._parts)
            return np.append(0.0, values), np.append(max(none, 0.0), -np.diff(above))
        if self.cutoff == self.items:
            return None
        table = at_cutoff(self.items, self.relevant, self.cutoff)
        if isinstance(table, AtomTable):
            values, masses = table.heavy()
            return values / self._over, masses
        return np.zeros(1), np.array([self.cdf(0.0)])

    @property
    def _log_placements(self) -> float:
        n, m = self.items, self.relevant
        return lgamma(n + 1) - lgamma(m + 1) - lgamma(n - m + 1)

    def _count_placements(self, x: float) -> float | None:
        """P(AP >= x) by counting the placements that reach x; None if they are too many."""
        n, m = self.items, self.relevant
        if self.cutoff < n or min(m, n - m) > 64 or x <= 0:
            return None
        few_misses = m > n - m
        number = (
            sets_from_top(n, m, x, _COUNTED)
            if few_misses
            else enumeration.placements_from_top(n, m, x * m, _COUNTED)
        )
        if number is None or (number > _COUNTED and n - m > _FEW):
            return None
        return number / comb(n, m)

    def pmf(self) -> dict[Fraction, Fraction]:
        """Every value of AP and its probability, as exact fractions: up to 200,000 placements,
        fewer in long lists.
        """
        n, m, k = self.items, self.relevant, self.cutoff
        if enumeration.patterns(n, m, k) > (most := enumeration.most_fractions(n, m, k)):
            raise UsageError(
                argument="pmf()",
                what=f"{self.name} has more than {most:,} placements",
                remedy="use sf, cdf or ppf, which need no list",
            )
        return enumeration.fractions(n, m, k, self.norm)

    def _draw(self, size: int, rng: np.random.Generator) -> Float64:
        sums, hits = precision_sums(self.items, self.relevant, self.cutoff, size, rng)
        return np.asarray(
            sums / (np.maximum(hits, 1) if self.norm == "found" else self._over), np.float64
        )

    def asymptotic(self) -> Asymptotic:
        """The normal limit, corrected for the exact skewness and kurtosis, in milliseconds for any
        number of items.

        `approximate` states a relative error of 2 % and the smallest p for which it holds: 1e-6 for
        100,000 of 10^7 items, .028 for 500 of 2000. With few relevant items no error is stated.
        Lists of more than 10^8 items use this limit if its error is stated.

        Raises
        ------
        UsageError
            AP is over the hits found (norm="found"), which has another limit.

        Notes
        -----
        The expansion of Cornish & Fisher (1938). docs/why/errata.md derives the limit, and
        docs/why/null.md has the measured errors.

        Examples
        --------
        >>> null = average_precision(10_000_000, 1_000_000).asymptotic()
        >>> print(null.tail(0.1003))
        p = 0.0008559 (Cornish-Fisher expansion, relative error at most 2 %)
        """
        if self.norm == "found":
            raise UsageError(
                argument="asymptotic()",
                what="is not available for norm='found', which has another limit",
                remedy="take norm='relevant' or 'min'",
            )
        return Asymptotic(self, is_smooth([self.cutoff], [self.var]))

    def limit(self, skewness: bool = True) -> Limit:
        """The limit law of AP for ever longer lists: normal with mean p and variance
        p² (1 - p) / m, where p is the share of relevant items.

        Parameters
        ----------
        skewness : add the term of its skewness, 2 (4 - 5p) / √(m (1 - p)); without it p is far too
            small in the tail.

        Raises
        ------
        UsageError
            AP is over fewer ranks than there are items, which has another limit.

        Notes
        -----
        Its error at x is `null.limit().sf(x) / null.sf(x) - 1`, and `precall null --limit` prints
        it. Do not use it for tests: `asymptotic` has the exact mean, variance, skewness and
        kurtosis, and a stated error. docs/why/errata.md derives the limit.

        Examples
        --------
        >>> null = average_precision(2000, 500)
        >>> [round(one.sf(0.28), 5) for one in (null, null.limit(), null.limit(skewness=False))]
        [0.00617, 0.00272, 0.00097]
        """
        if self.cutoff < self.items:
            raise UsageError(
                argument="limit()", what="is of complete rankings", remedy="leave out cutoff"
            )
        check_choice("skewness", skewness, (False, True))
        return Limit(self.items, self.relevant, bool(skewness))

    def zhang_su(self) -> Normal:
        """The normal approximation of Zhang & Su (2012) as printed, with its own mean and variance.

        It uses equations (12) and (13) of the paper with the moments of locations (8) to (10),
        which belong to other populations. The variance is that of their Table III (see
        docs/why/errata.md). Do not use it for tests.

        Examples
        --------
        >>> normal = average_precision(1000, 100).zhang_su()
        >>> round(normal.mean, 4), round(normal.var, 7)
        (0.1037, 0.0001392)
        """
        if self.cutoff < self.items:
            raise UsageError(
                argument="zhang_su()",
                what="it was published for complete rankings",
                remedy="leave out cutoff",
            )
        from precall.stats.null.published import zhang_su

        return zhang_su(self.items, self.relevant)
