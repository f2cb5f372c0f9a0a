"""The probability that one system is better: posteriors of P, R and F, and of wins over topics.

Everything here is exact or by quadrature, except signed ranks, which are sampled.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cache
from typing import Any

import numpy as np

from precall.core.arguments import (
    check_beta,
    check_kind,
    check_level,
    check_number,
    check_numbers,
    check_positive,
    check_whole,
    is_number,
)
from precall.core.errors import UsageError
from precall.core.methods import Method
from precall.core.notes import Note, sentences
from precall.core.ragged import Float64, Int64, weighted_sum
from precall.core.rng import Rng, generator_and_seed, suggest_our_names
from precall.core.text import many, printable
from precall.results.equality import Equal
from precall.results.sheets import Presented
from precall.stats.resample.batches import TOLERANCE, run_batches
from precall.stats.scipy import special
from precall.stats.tests.order import is_second_first
from precall.stats.tests.pairing import align_values, differences, tell_left_out

#: Number of nodes of quadratures over quantiles, and the end of their substitution, which is 1e-17
#: from either end of the quantiles.
_NODES, _END = 81, 3.2
#: Nodes over the share of a kind of errors.
_ERROR_NODES = 256
_SAMPLES = 50_000
#: Number of weights at one time, few enough to stay in the processor's caches.
_CELLS = 2**16


@dataclass(frozen=True, slots=True, eq=False)
class Posterior(Equal, Presented):
    """The posterior of a precision, recall or F after counting.

    It is the distribution of g B / (g B + c (1 - B)) with B ~ Beta(a, b): g = c = 1 is Beta; F1 has
    g = 2, c = 1; another F has a c that is itself uncertain, here nodes `cost` with their `weight`.

    Attributes
    ----------
    name : name of the measure.
    a : the first parameter of the distribution of B.
    b : its second parameter.
    gain : g above.
    cost : the nodes of c above.
    weight : weight of each node; they sum to 1.
    """

    name: str
    a: float
    b: float
    gain: float
    cost: Float64
    weight: Float64

    def cdf(self, value: object) -> Float64:
        """Probability of at most `value`."""
        return np.asarray(
            (special().betainc(self.a, self.b, self._share(value)) * self.weight).sum(axis=-1)
        )

    def sf(self, value: object) -> Float64:
        """Probability of more than `value`."""
        return np.asarray(
            (special().betaincc(self.a, self.b, self._share(value)) * self.weight).sum(axis=-1)
        )

    def _share(self, value: object) -> Float64:
        """The B that gives this value, for every cost."""
        x = np.clip(check_numbers("value", value), 0, 1)[..., None]
        return np.asarray(self.cost * x / (self.gain * (1 - x) + self.cost * x), np.float64)

    def _value(self, share: Float64) -> Float64:
        """The value that this B gives, for every cost."""
        return np.asarray(
            self.gain * share / (self.gain * share + self.cost * (1 - share)), np.float64
        )

    def ppf(self, q: object) -> Float64:
        """Quantiles, by the inverse of Beta if the cost is certain, else by bisection."""
        q = check_numbers("q", q)
        if len(self.cost) == 1:
            return np.asarray(
                self._value(special().betaincinv(self.a, self.b, q)[..., None])[..., 0]
            )
        low, high = np.zeros(q.shape), np.ones(q.shape)
        for _ in range(48):
            middle = (low + high) / 2
            under = self.cdf(middle) < q
            low, high = np.where(under, middle, low), np.where(under, high, middle)
        return (low + high) / 2

    def _moments(self) -> tuple[float, float]:
        """Expected value and variance."""
        nodes, _, weight = quantile_nodes()
        value = self._value(special().betaincinv(self.a, self.b, nodes)[:, None])
        mean = float((weight @ value) @ self.weight)
        return mean, float((weight @ (value - mean) ** 2) @ self.weight)

    @property
    def mean(self) -> float:
        """Expected value."""
        return self._moments()[0]

    def interval(self, level: float = 0.95) -> tuple[float, float]:
        """Credible interval with equal tails."""
        tail = (1 - check_level(level)) / 2
        return float(self.ppf(tail)), float(self.ppf(1 - tail))

    def greater(self, other: Posterior) -> float:
        """Probability that this value is greater than the other, if the two were counted on
        different items.
        """
        # Integrate over the quantiles of the one with the smaller variance: there the distribution
        # of the other is smooth, not a step.
        check_kind("other", other, Posterior, "what a function of pc.compare.bayes returns")
        nodes, _, weight = quantile_nodes()
        surer = self._moments()[1] <= other._moments()[1]
        chances = other.cdf(self.ppf(nodes)) if surer else self.sf(other.ppf(nodes))
        return float(np.clip(weight @ chances, 0, 1))

    def __str__(self) -> str:
        low, high = self.interval()
        return printable(
            f"{self.name}: mean {self.mean:.4f}, 95 % between {low:.4f} and {high:.4f}"
        )


@cache
def quantile_nodes() -> tuple[Float64, Float64, Float64]:
    """Nodes on 0..1, their distance from 1, and weights, of tanh-sinh quadrature.

    It suits integrands that behave like powers at both ends (Takahasi & Mori, Publ. RIMS 9, 1974).
    Polynomial rules need far more nodes: 200 Gauss-Legendre nodes were wrong by 4e-6.
    """
    t = np.linspace(-_END, _END, _NODES)
    logit = np.pi * np.sinh(t)
    node, rest = special().expit(logit), special().expit(-logit)
    weight = (t[1] - t[0]) * np.pi * np.cosh(t) * node * rest
    return node, rest, weight / weight.sum()


def certain(name: str, a: float, b: float, gain: float = 1.0) -> Posterior:
    """The posterior of g B / (g B + 1 - B) with B ~ Beta(a, b): Beta itself if the gain g is 1."""
    return Posterior(name, a, b, gain, np.ones(1), np.ones(1))


def check_counted(prior: float, **given: Any) -> float:
    """The prior, checked together with the counts."""
    for name, count in given.items():
        if not is_number(count) or not 0 <= count <= 2**53:
            raise UsageError(argument=name, allowed="a count in 0..2**53", got=count)
    check_positive(prior=prior)
    # NumPy's narrower floats keep fewer digits of a sum.
    return float(prior)


def precision(tp: float, fp: float, prior: float = 0.5) -> Posterior:
    """Precision after tp right and fp wrong positive decisions: Beta(tp + prior, fp + prior).

    Examples
    --------
    >>> [round(end, 4) for end in precision(8, 2).interval()]
    [0.4972, 0.9559]
    """
    prior = check_counted(prior, tp=tp, fp=fp)
    return certain("P", tp + prior, fp + prior)


def recall(tp: float, fn: float, prior: float = 0.5) -> Posterior:
    """Recall after tp relevant items found and fn not: Beta(tp + prior, fn + prior).

    Examples
    --------
    >>> [round(end, 4) for end in recall(8, 2).interval()]
    [0.4972, 0.9559]
    """
    prior = check_counted(prior, tp=tp, fn=fn)
    return certain("R", tp + prior, fn + prior)


def f(tp: float, fp: float, fn: float, beta: float = 1.0, prior: float = 0.5) -> Posterior:
    """F after counting (Goutte & Gaussier 2005): exact for beta = 1, and for beta = 0, which is
    precision; else by quadrature.

    (1 + β²) U / ((1 + β²) U + V + β² W) with U, V, W ~ Gamma of tp, fp, fn + prior.

    Examples
    --------
    >>> posterior = f(8, 2, 4)
    >>> round(posterior.mean, 4), round(posterior.greater(f(8, 2, 4)), 6)
    (0.7, 0.5)
    """
    prior = check_counted(prior, tp=tp, fp=fp, fn=fn)
    beta = check_beta(beta)
    if beta == 0:
        return certain("F(beta=0)", tp + prior, fp + prior)
    if beta == 1:
        return certain("F", tp + prior, fp + fn + 2 * prior, 2.0)
    # The shares of the two kinds of errors are independent of the number of errors.
    share, weight = _error_shares(fp + prior, fn + prior)
    cost = share + beta**2 * (1 - share)
    return Posterior(
        f"F(beta={beta:g})", tp + prior, fp + fn + 2 * prior, 1 + beta**2, cost, weight
    )


def _error_shares(fp: float, fn: float) -> tuple[Float64, Float64]:
    """FP's share of the errors, at equally spaced log-odds, and the weight of each.

    On that scale the density falls off exponentially on both sides, so the trapezoid rule is as
    good as exact.
    """
    low = special().logit(special().betaincinv(fp, fn, 1e-16))
    high = -special().logit(special().betaincinv(fn, fp, 1e-16))
    odds = np.linspace(low, high, _ERROR_NODES)
    share = special().expit(odds)
    logs = fp * special().log_expit(odds) + fn * special().log_expit(-odds)
    weight = np.exp(logs - logs.max())
    return share, weight / weight.sum()


@dataclass(frozen=True, slots=True)
class ThreeWay(Presented):
    """Probabilities that the first is better, that neither is, and that the second is.

    "Better" means by more than the region of practical equivalence (`rope`).

    Attributes
    ----------
    greater : probability that the first is better.
    equivalent : probability that neither is.
    less : probability that the second is better.
    rope : differences up to this count as none.
    method : how the probabilities were found; `how` is the same in words.
    size : pairs that were compared.
    seed : seed of the random numbers; None if none were drawn.
    notes : notes on the comparison, such as topics that were left out.
    """

    greater: float
    equivalent: float
    less: float
    rope: float
    method: Method
    size: int
    seed: int | None = None
    notes: tuple[Note, ...] = ()

    @property
    def how(self) -> str:
        """How the probabilities were found, in words."""
        return str(self.method)

    def swap(self) -> ThreeWay:
        """The same with the second system first."""
        return replace(self, greater=self.less, less=self.greater)

    def __str__(self) -> str:
        same = (
            f", practically equal (within {self.rope:g}) {self.equivalent:.4f}" if self.rope else ""
        )
        first = (
            f"first better {self.greater:.4f}{same}, second better {self.less:.4f} ({self.how}, "
            f"{many(self.size, 'pair')})"
        )
        return "\n".join([first, *sentences(self.notes)])


def outcomes(only_a: float, only_b: float, same: float = 0, prior: float = 0.5) -> ThreeWay:
    """P(π1 > π2) of paired outcomes: only the first is right, only the second, or both or neither.

    The three shares have a Dirichlet distribution; π1/(π1 + π2) ~ Beta(only_a + prior, only_b +
    prior) whatever `same` is, so the probability is exact (Goutte & Gaussier 2005, section 5).

    Examples
    --------
    >>> round(outcomes(12, 4, 84).greater, 4)
    0.979
    """
    prior = check_counted(prior, only_a=only_a, only_b=only_b, same=same)
    greater, less = exceeding(only_a + prior, only_b + prior)
    return ThreeWay(
        greater, 0.0, less, 0.0, Method("Dirichlet", exact=True), int(only_a + only_b + same)
    )


def exceeding(first: float, second: float) -> tuple[float, float]:
    """The probabilities that the first of two gamma variables of these shapes is greater, and that
    the second is.
    """
    return tuple(
        float(special().betaincc(*shapes, 0.5)) for shapes in ((first, second), (second, first))
    )  # type: ignore[return-value]


def _pair_differences(
    a: object, b: object, rope: float, prior: float, unpaired: str
) -> tuple[Float64, tuple[Note, ...]]:
    """Differences of topics, and the notes on topics that were left out."""
    check_number("rope", rope, 0)
    check_positive(prior=prior)
    matrix, _, dropped = align_values({"a": a, "b": b}, unpaired)
    return differences(matrix[:, 0], matrix[:, 1]), tuple(tell_left_out(dropped))


def sign(
    a: object, b: object, rope: float = 0.01, prior: float = 1.0, unpaired: str = "error"
) -> ThreeWay:
    """Bayesian sign test: which of three outcomes of a topic is the most probable one.

    Differences above `rope`, within it and below have a Dirichlet distribution; one pseudo-topic of
    weight `prior` lies within. The probabilities are those of being the greatest of the three
    shares; with rope 0 differences of 0 are left out.

    References
    ----------
    Benavoli, Corani, Demšar & Zaffalon, JMLR 18, 2017.

    Examples
    --------
    >>> outcome = sign([0.6, 0.7, 0.8, 0.5, 0.9, 0.7], [0.5, 0.5, 0.8, 0.4, 0.7, 0.6])
    >>> round(outcome.greater, 3), round(outcome.equivalent, 3), round(outcome.less, 3)
    (0.891, 0.109, 0.0)
    """
    difference, notes = _pair_differences(a, b, rope, prior, unpaired)
    edge = rope * (1 + TOLERANCE)
    above, below = float((difference > edge).sum()), float((difference < -edge).sum())
    if rope == 0:
        greater, less = exceeding(above + prior / 2, below + prior / 2)
        chances = greater, 0.0, less
    else:
        chances = greatest_share([above, len(difference) - above - below + prior, below])
    return ThreeWay(*chances, rope, Method("Bayesian sign test"), len(difference), notes=notes)


def greatest_share(alpha: list[float]) -> tuple[float, float, float]:
    """The probability of each share of a Dirichlet distribution to be the greatest; 0 for a share
    without weight.
    """
    nodes, rest, weight = quantile_nodes()
    half, chances, gamma = len(nodes) // 2, [], special()
    for index, concentration in enumerate(alpha):
        if concentration == 0:
            chances.append(0.0)
            continue
        lower = gamma.gammaincinv(concentration, nodes[:half])
        at = np.concatenate((lower, gamma.gammainccinv(concentration, rest[half:])))
        others = [
            gamma.gammainc(other, at) for i, other in enumerate(alpha) if i != index and other
        ]
        chances.append(weighted_sum(np.multiply.reduce(others), weight) if others else 1.0)
    total = math.fsum(chances)
    return chances[0] / total, chances[1] / total, chances[2] / total


@suggest_our_names
def signed_rank(
    a: object,
    b: object,
    rope: float = 0.01,
    prior: float = 0.5,
    samples: int = _SAMPLES,
    rng: Rng = 0,
    unpaired: str = "error",
) -> ThreeWay:
    """Bayesian signed-rank test: on which side the mean of two topics' differences mostly lies.

    A Dirichlet process: topics have random weights, and a pseudo-topic without difference has
    weight `prior`. The probabilities are how often pairs of topics whose mean difference is above
    `rope`, within it, or below it have the greatest share.

    References
    ----------
    Benavoli, Corani, Mangili, Zaffalon & Ruggeri, ICML 2014; Benavoli et al., JMLR 18, 2017.

    Examples
    --------
    >>> outcome = signed_rank([0.6, 0.7, 0.8, 0.5, 0.9, 0.7], [0.5, 0.5, 0.8, 0.4, 0.7, 0.6], rng=1)
    >>> outcome.greater > 0.9
    True
    """
    difference, notes = _pair_differences(a, b, rope, prior, unpaired)
    samples = check_whole("samples", samples, 1)
    generator, seed = generator_and_seed(rng)
    # The draws do not depend on which system comes first.
    is_swapped = is_second_first(difference, -difference)
    z = np.append(np.sort(-difference if is_swapped else difference), 0.0)
    alpha = np.append(np.ones(len(difference)), prior)
    order = np.argsort(z, kind="stable")
    shares = _shares(z[order], 2 * rope)

    def wins(stream: np.random.Generator, size: int) -> Float64:
        total, rows = np.zeros(3), max(1, _CELLS // len(z))
        for begin in range(0, size, rows):
            weight = stream.dirichlet(alpha, min(rows, size - begin)).take(order, axis=1)
            total += _greater(*shares(weight), rope)
        return total

    chances = (np.asarray(sum(run_batches(wins, generator, samples, 2000))) / samples).tolist()
    method = Method("Bayesian signed-rank test", resamples=samples, seed=seed)
    if is_swapped is None:
        chances[0] = chances[2] = (chances[0] + chances[2]) / 2
    result = ThreeWay(
        chances[0], chances[1], chances[2], rope, method, len(difference), seed, notes
    )
    return result.swap() if is_swapped else result


def _greater(high: Float64, low: Float64, rope: float) -> Float64:
    """The number of samples whose greatest share is above the region, within it, and below it."""
    if rope == 0:
        # Equal shares, as for equal systems, favour neither.
        even = np.isclose(high, low, rtol=0, atol=TOLERANCE)
        first = float(np.where(even, 0.5, high > low).sum())
        return np.array([first, 0.0, len(high) - first])
    shares = np.stack((high, 1 - high - low, low), axis=1)
    return np.bincount(shares.argmax(axis=1), minlength=3).astype(np.float64)


def _shares(z: Float64, edge: float) -> Callable[[Float64], tuple[Float64, Float64]]:
    """Function that maps weights (samples x values) to the shares of pairs whose sum is above the
    edge, and below -edge; pairs on the edge count half.

    Values must ascend: then the values that are great enough to be partners of one are the last
    ones, and weights are summed only once.
    """
    near = TOLERANCE * max(2 * float(np.abs(z).max()), edge)
    above = _partners(z, edge + near, strict=True), _partners(z, edge - near, strict=False)
    below = _partners(z, -edge - near, strict=False), _partners(z, near - edge, strict=True)

    def shares(weight: Float64) -> tuple[Float64, Float64]:
        before = np.zeros((len(weight), len(z) + 1))
        np.cumsum(weight, axis=1, out=before[:, 1:])
        up, down = (_mean(before, *first) for first in (above, below))
        return np.einsum("ij,ij->i", weight, before[:, -1:] - up), np.einsum(
            "ij,ij->i", weight, down
        )

    return shares


def _partners(z: Float64, edge: float, strict: bool) -> Int64:
    """For each of ascending values, the index of the first value whose sum with it is above the
    edge, or on it if not `strict`.
    """
    first, end = np.zeros(len(z), np.int64), np.full(len(z), len(z))
    while np.any(first < end):
        middle = (first + end) // 2
        sums = z + z[np.minimum(middle, len(z) - 1)]
        is_enough = (middle == end) | (sums > edge if strict else sums >= edge)
        first, end = np.where(is_enough, first, middle + 1), np.where(is_enough, middle, end)
    return first


def _mean(before: Float64, first: Int64, second: Int64) -> Float64:
    """The means of two selections of columns, which mostly are the same."""
    if np.array_equal(first, second):
        return before.take(first, axis=1)
    return (before.take(first, axis=1) + before.take(second, axis=1)) / 2
