"""The null distribution of average precision."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from math import comb, exp, fsum, isfinite, lgamma
from typing import Any, overload

import numpy as np

from precall.core.arguments import check_blocks, check_choice, check_whole
from precall.core.errors import Fact, UsageError
from precall.core.ragged import Float64, Int64
from precall.stats.null.asymptotic import METHOD, Asymptotic, is_smooth
from precall.stats.null.distribution import SMALLEST, Accuracy, Normal, NullDistribution, Tail
from precall.stats.null.tail import enumeration, moments
from precall.stats.null.tail.atoms import Table
from precall.stats.null.tail.by_rank import scipy, tails
from precall.stats.null.tail.enumeration import PLACEMENTS, sets_from_top
from precall.stats.null.tail.hypergeometric import probabilities, spaced, span
from precall.stats.null.tail.in_blocks import at_cutoff, few_early
from precall.stats.null.tail.misses import losses
from precall.stats.null.tail.moments import cumulants
from precall.stats.null.tail.random_placements import precision_sums
from precall.stats.null.tail.staircase import OUTLINE, SHARE, Tails

NORMS = ("relevant", "min", "found")
#: What a convolution leaves out, so that it knows nothing below.
_LEAST = 1e-12
#: Where a tail is that many placements, they are counted one by one.
_COUNTED = 50_000
#: Distributions of a mixture whose hits differ by less than this share are not all made.
_BETWEEN = 0.15
#: The convolution of more items would take unbounded memory.
_LARGEST = 10**8
#: With so few misses counting is tried first, whatever the tail.
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
    blocks: Any = None,
    ties: str = "expected",
) -> NullDistribution:
    """The null distribution of AP when `relevant` of `items` stand at random ranks: all placements
    equally likely.

    AP = (1/m) sum over hits of i / L_i, L_i the rank of the i-th hit.

    Parameters
    ----------
    items : items in the ranking, n >= 1.
    relevant : relevant items among them, 1 <= m <= n; with m = 0 AP is undefined.
    cutoff : count only the hits in the first `cutoff` ranks.
    norm : with a cutoff k, AP over "relevant" (m, as in trec_eval's map_cut), "min" (min(m, k)) or
        "found" (the hits in the first k ranks; a list without any counts as 0).
    blocks : sizes of the blocks of equal score, best first, adding up to `items`: they stay, labels
        are permuted over them. Not with a cutoff.
    ties : with `blocks`: AP is the mean over random orders inside blocks ("expected"), or takes
        each block as a whole ("block", as scikit-learn does).

    Returns
    -------
    NullDistribution
        `mean` and `var` exact in O(1); `skewness` and `kurtosis` exact (in over 500 blocks small
        late ones are joined); `sf(x)` = P(AP >= x); `pmf()` exact up to 200,000 placements, fewer
        of long lists; `approximate` says how good `sf` is.

    Raises
    ------
    UsageError
        A count is out of range or `norm` unknown.

    Notes
    -----
    Tails: closed for one hit or one miss; up to 3 million placements are enumerated, and of larger
    cases those at the top are counted; otherwise convolution from the last rank back to the first.
    The normal distribution with these very moments is wrong by orders of magnitude in the tail: at
    1000 items, 100 relevant it reports p = 1e-3 as 8e-6. The normal limit with the exact skewness
    and kurtosis is `asymptotic()`, by default for lists of more than 10^8 items if its error is
    stated. Zhang & Su (2012) is `zhang_su()`; see docs/why/errata.md for its errata.

    The mean was given by Bestgen (2015) as a sum; mean and variance of AP@k by Manzhos, Ianevych &
    Melnyk (2025).

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
                argument="cutoff", what="not with blocks", remedy="leave one of them out"
            )
        return tied(n, m, check_blocks(blocks, n), ties)
    k = n if cutoff is None else min(check_whole("cutoff", cutoff, 1), n)
    return AveragePrecision(n, m, k, norm if k < n else "relevant")


@dataclass(frozen=True, repr=False)
class AveragePrecision(NullDistribution):
    """AP of `relevant` of `items` at random ranks, the first `cutoff` counted; see
    `average_precision`.
    """

    items: int
    relevant: int
    cutoff: int
    norm: str
    #: A part of a mixture or an outline, for which a thousandth more or less is none.
    rough: bool = False
    _known = _LEAST

    @property
    def name(self) -> str:
        at = "" if self.cutoff == self.items else f"@{self.cutoff} over {self.norm}"
        return f"AP{at}, {self.relevant} of {self.items} items relevant"

    @property
    def _over(self) -> int:
        return min(self.relevant, self.cutoff) if self.norm == "min" else self.relevant

    @cached_property
    def _parts(self) -> list[tuple[float, AveragePrecision]]:
        """By the hits in the first ranks, what AP is in a complete list of that many ranks."""
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
            return self._mixed[:2]
        k = None if self.cutoff == self.items else self.cutoff
        given, scale = (self.items, self.relevant, k), self.relevant / self._over
        return scale * moments.mean(*given), scale**2 * moments.variance(*given)

    @cached_property
    def _mixed(self) -> tuple[float, float, float, float]:
        raw = np.zeros(5)
        for chance, part in self._parts:
            mean, var = part._moments()
            third, fourth = np.nan_to_num(part._shape())
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
            return self._mixed[2:]
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
        """The limit, for lists that are too long to be convolved, where its error is stated."""
        limit = self.asymptotic() if self.items > _LARGEST else None
        return limit if limit is not None and isfinite(limit.approximate.error) else None

    @property
    def approximate(self) -> Accuracy:
        """How `sf` is found and how good it is: false where it is exact."""
        method = self._method
        if method in ("closed form", "enumeration"):
            return Accuracy(method)
        if method == METHOD and self._limit is not None:
            return self._limit.approximate
        rare = self.relevant <= 30 and self.items <= 10**6 and self.cutoff == self.items
        # Few hits, and many before a cutoff, are followed from the top: what is known of low values
        # is less.
        lower = 0.1 if self.relevant <= 30 or self.cutoff < self.items else 0.0
        return Accuracy(method, 1e-3, 1e-9, lower) if rare else Accuracy(method, 0.02, 1e-6, lower)

    def tail(self, x: float) -> Tail:
        """P(AP >= x) with how it was found; below what the convolution knows, an upper bound."""
        convolved = self._method == "convolution over ranks"
        counted = self._counted(float(self._moved(np.array([x]))[0])) if convolved else None
        if counted is not None:
            return Tail(max(counted, SMALLEST), "placements counted", 0.0, counted < SMALLEST)
        return super().tail(x)

    @property
    def _slack(self) -> float:  # type: ignore[override]
        """The next value is 1/(n m) away if there is one miss, with two of them 3/(n² m), if floats
        go so far.
        """
        n, m = self.items, self.relevant
        least = 0.25 / (n * m)
        return min(NullDistribution._slack, least, max(1e-15, least / n) if n - m > 1 else 1.0)

    def _unlisted(self, x: Float64, above: bool) -> Float64:
        p = np.where(x <= 0, 1.0, 0.0)
        inside = (x > 0) & (x <= self._ends()[1])
        if inside.any():
            p[inside] = np.maximum(self._inside(x[inside]), SMALLEST)
        return p

    def _unlisted_below(self, x: Float64) -> Float64:
        # Its lower tail has digits of its own.
        below = self._limit if self._method == METHOD else None
        return super()._unlisted_below(x) if below is None else below._unlisted_below(x)

    def _inside(self, x: Float64) -> Float64:
        n, m, k, method = self.items, self.relevant, self.cutoff, self._method
        if method == METHOD and self._limit is not None:
            return self._limit._unlisted(x, False)
        if method != "convolution over ranks":
            return self._closed(x) if method == "closed form" else self._mixture(x)
        s, p = x * self._over, self._convolved(x)
        if k < n:
            # The least value over 0 is one hit at the last rank that counts.
            some = (
                1 - float(probabilities(n, [m], k, *span(n, m, k))[0, 0])
                if not span(n, m, k)[0]
                else 1.0
            )
            p = np.where(s * k <= 1, some, np.minimum(p, some))
        # Few misses: however many placements there are, few beginnings of them may reach s.
        few = (
            (n - m <= _FEW)
            | (p <= _LEAST)
            | (p * exp(min(self._log_placements, 700)) < 2 * _COUNTED)
        )
        for i in np.flatnonzero(few).tolist():
            exact = self._counted(float(x[i]))
            p[i] = p[i] if exact is None else exact
        return np.asarray(p, np.float64)

    @cached_property
    def _few(self) -> tuple[frozenset[int], Float64, Float64]:
        """Which numbers of hits have few placements, and their values of AP, ascending, with what
        those and more have.
        """
        ways = {
            part.relevant: enumeration.patterns(part.items, part.relevant, part.cutoff)
            for _, part in self._parts
        }
        order = sorted(ways, key=lambda hits: (ways[hits], hits))
        fits = np.cumsum([float(min(ways[hits], 2**62)) for hits in order]) <= PLACEMENTS
        few = frozenset(hits for hits, fit in zip(order, fits.tolist(), strict=True) if fit)
        values, masses = [np.zeros(0)], [np.zeros(0)]
        for chance, part in self._parts:
            if part.relevant in few:
                atoms = part._atoms()
                assert atoms is not None
                values.append(atoms[0] * self._share(part.relevant))
                masses.append(chance * atoms[1])
        value, mass = np.concatenate(values), np.concatenate(masses)
        rising = np.argsort(value, kind="stable")
        return few, value[rising], np.append(np.cumsum(mass[rising][::-1])[::-1], 0.0)

    def _share(self, hits: int) -> float:
        """By what AP is less than that of so many hits in a list of the first ranks."""
        return 1.0 if self.norm == "found" else hits / self._over

    def _mixture(self, x: Float64) -> Float64:
        """Over the hits found: few placements are listed; of other numbers of hits some are
        convolved.

        Between those the normal quantile of the tail is smooth.
        """
        few, values, tails_ = self._few
        listed = tails_[np.searchsorted(values, x)]
        parts = [(chance, part) for chance, part in self._parts if part.relevant not in few]
        if not parts:
            return np.asarray(listed, np.float64)
        chance = np.array([chance for chance, _ in parts])
        hits = np.array([part.relevant for _, part in parts])
        misses = self.cutoff - hits
        # What misses lose is smoother in their number than what hits add.
        known = spaced(np.minimum(hits, 1.5 * misses), _BETWEEN)
        # They are many placements each: convolved, whatever a single one of them would be.
        made = [parts[place][1] for place in known]
        tail = np.array([part._alone(x / self._share(part.relevant)) for part in made])
        if len(known) < len(hits):
            special, interpolate = scipy("special"), scipy("interpolate")
            quantile = special.ndtri(np.clip(tail, 1e-18, 1 - 1e-16))
            place = np.log(hits) - np.log(misses)
            curve = interpolate.PchipInterpolator(place[known], quantile)
            tail = special.ndtr(curve(place))
        return np.asarray(listed + chance @ tail, np.float64)

    def _alone(self, x: Float64) -> Float64:
        """Without a list of values."""
        p = self._closed(x) if self._method == "closed form" else self._convolved(x)
        return np.where(x <= 0, 1.0, np.where(x <= 1, p, 0.0))

    def _convolved(self, x: Float64, share: float = SHARE, rough: bool = False) -> Float64:
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
                why=f"and beyond {_LARGEST:,} the tails are known of many relevant items only",
                remedy="simulate: np.mean(null.rvs(100_000) >= x)",
            )
        if k == n and 2 * m > n:
            return np.maximum(losses(n, m, rough)(s), _LEAST)
        table = tails(n, m, None, rough) if k == n else at_cutoff(n, m, k)
        return np.maximum(table(s, share) if isinstance(table, Tails) else table(s), _LEAST)

    def _outline(self, x: Float64) -> Float64:
        convolved = self._method == "convolution over ranks"
        return self._convolved(x, OUTLINE, rough=True) if convolved else self._tails(x)

    def _closed(self, x: Float64) -> Float64:
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
        return enumeration.enumerated(n, m, k, self.norm)

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
        if isinstance(table, Table):
            values, masses = table.heavy()
            return values / self._over, masses
        return np.zeros(1), np.array([self.cdf(0.0)])

    @property
    def _log_placements(self) -> float:
        n, m = self.items, self.relevant
        return lgamma(n + 1) - lgamma(m + 1) - lgamma(n - m + 1)

    def _counted(self, x: float) -> float | None:
        """P(AP >= x) by counting the placements that reach it, where they are few."""
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
        """Every value of AP and its probability, as exact fractions; up to 200,000 placements,
        fewer of long lists.
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
        """The normal limit, corrected for the exact skewness and kurtosis: milliseconds for any
        number of items.

        `approximate` states a relative error of 2 % and down to which p it holds: 1e-6 for 100,000
        of 10^7 items, .028 for 500 of 2000. For few relevant items no error is stated. Lists of
        more than 10^8 items use it if an error is stated.

        Raises
        ------
        UsageError
            The AP is over the hits found (norm="found"), and has another limit.

        Notes
        -----
        The expansion of Cornish & Fisher (1938). docs/why/errata.md derives the limit, and
        docs/why/null.md has the measured errors.

        Examples
        --------
        >>> null = average_precision(10_000_000, 1_000_000).asymptotic()
        >>> print(null.tail(0.1003))
        p = 0.0008559 (Cornish-Fisher expansion, relative error <= 0.02)
        """
        if self.norm == "found":
            raise UsageError(
                argument="asymptotic()",
                what="over the hits found AP has another limit",
                remedy="take norm='relevant' or 'min'",
            )
        return Asymptotic(self, is_smooth([self.cutoff], [self.var]))

    def zhang_su(self) -> Normal:
        """The normal approximation published by Zhang & Su (2012), as printed: with its own mean
        and variance.

        Its equations (12) and (13), with the moments of locations (8) to (10) that belong to other
        populations; the variance is the one of their Table III (see docs/why/errata.md). Not to be
        used for tests.

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
