"""Posteriors of precision, recall and F of two systems that decided about the same items (Goutte &
Gaussier 2005).

Each item is of one of eight kinds: relevant or not, accepted by the first or not, by the second or
not. Their shares have a Dirichlet distribution with half the prior in each kind. Summed over the
other system's decisions they give the paper's Beta and Gamma posteriors of either system, and the
pairing gives their dependence.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TypeAlias

import numpy as np

from precall.core.methods import Method
from precall.core.notes import Note
from precall.core.ragged import Float64, Int64
from precall.core.rng import Rng, generator_and_seed
from precall.results.equality import Equal
from precall.results.sheets import Presented
from precall.stats.resample.bootstrap import notes_on_level
from precall.stats.tests import bayes
from precall.stats.tests.bayes import Posterior, ThreeWay
from precall.stats.tests.order import bounds_in_call_order

#: Numbers of items by whether they are relevant, accepted by the first, and by the second system.
_Pair: TypeAlias = tuple[tuple[int, int], tuple[int, int]]
Kinds: TypeAlias = tuple[_Pair, _Pair]


@dataclass(frozen=True, slots=True, eq=False)
class Better(Equal, Presented):
    """The probability that one of two systems has the higher precision, recall or F.

    Attributes
    ----------
    name : name of the measure.
    a : the posterior of the measure of the first system.
    b : that of the second.
    paired : probabilities for the same items, on which both systems' decisions are dependent.
    independent : probabilities as if each system had its own items (the paper's P(F_a > F_b)).
    difference : posterior mean of the first minus the second, on the same items.
    low : the lower end of its credible interval.
    high : the upper end.
    level : level of the interval.
    """

    name: str
    a: Posterior
    b: Posterior
    paired: ThreeWay
    independent: ThreeWay
    difference: float
    low: float
    high: float
    level: float

    @property
    def greater(self) -> float:
        """P(first > second), the items being the same."""
        return self.paired.greater

    @property
    def less(self) -> float:
        """P(second > first), the items being the same."""
        return self.paired.less

    def swap(self) -> Better:
        """The same with the second system first."""
        low, high = bounds_in_call_order(self.low, self.high, True)
        return replace(
            self,
            a=self.b,
            b=self.a,
            paired=self.paired.swap(),
            independent=self.independent.swap(),
            difference=0.0 - self.difference,
            low=low,
            high=high,
        )


@dataclass(frozen=True, slots=True, eq=False)
class JointPosteriors(Equal, Presented):
    """Precision, recall and F of two systems on the same items after counting; see
    `precall.compare.bayes.decisions`.

    Attributes
    ----------
    names : the first system and the second.
    precision : posteriors of precision.
    recall : posteriors of recall.
    f : posteriors of F.
    right : which system is right if the other is not (the paper's three outcomes): exact, whatever
        the measure.
    counts : items of each kind: relevant, accepted by the first, accepted by the second, each no or
        yes.
    prior : pseudo-counts of each system's true positives, false positives and false negatives.
    samples : number of draws from the Dirichlet distribution.
    seed : seed of the draws.
    notes : what was noticed about the labels and the samples.
    """

    names: tuple[str, str]
    precision: Better
    recall: Better
    f: Better
    right: ThreeWay
    counts: Kinds
    prior: float
    samples: int
    seed: int
    notes: tuple[Note, ...] = field(default=(), compare=False)

    def swap(self) -> JointPosteriors:
        """The same with the second system first."""
        of_p, of_r, of_f = (better.swap() for better in self.measures)
        counts = _nest(np.array(self.counts).transpose(0, 2, 1))
        return replace(
            self,
            names=self.names[::-1],
            precision=of_p,
            recall=of_r,
            f=of_f,
            right=self.right.swap(),
            counts=counts,
        )

    @property
    def measures(self) -> tuple[Better, Better, Better]:
        """Precision, recall and F."""
        return self.precision, self.recall, self.f


def joint(
    counts: Int64,
    beta: float,
    prior: float,
    level: float,
    samples: int,
    rng: Rng,
    names: tuple[str, str],
) -> JointPosteriors:
    """The posteriors from counts of items by kind: counts[relevant, accepted by the first, accepted
    by the second].
    """
    swapped = counts.transpose(0, 2, 1)
    listed, listed_swapped = counts.ravel().tolist(), swapped.ravel().tolist()
    if listed > listed_swapped:
        # So the draws do not depend on which system is first.
        return _draw_joint(swapped, beta, prior, level, samples, rng, names[::-1]).swap()
    return _draw_joint(
        counts, beta, prior, level, samples, rng, names, even=listed == listed_swapped
    )


def _draw_joint(
    counts: Int64,
    beta: float,
    prior: float,
    level: float,
    samples: int,
    rng: Rng,
    names: tuple[str, str],
    even: bool = False,
) -> JointPosteriors:
    """The posteriors with the systems in this order; `even` counts are symmetric, so neither system
    is better.
    """
    sides = [_posteriors_of_system(counts.sum(axis=axis), beta, prior) for axis in (2, 1)]
    source, seed = generator_and_seed(rng)
    drawn = source.standard_gamma(counts + prior / 2, (samples, 2, 2, 2))
    values = [_values(drawn.sum(axis=axis), beta) for axis in (3, 2)]
    better, size = [], int(counts.sum())
    sampled = Method("Dirichlet", resamples=samples, seed=seed)
    only_one_found = counts[1, 1, 0], counts[1, 0, 1]
    for index, (a, b) in enumerate(zip(*sides, strict=True)):
        difference = values[0][index] - values[1][index]
        # Half a sample is added to either count, so that no sampled probability is 0 or 1.
        shares = [
            (float(np.count_nonzero(side)) + 0.5) / (samples + 1)
            for side in (difference > 0, difference < 0)
        ]
        shares = [(shares[0] + shares[1]) / 2] * 2 if even else shares
        paired = ThreeWay(shares[0], 0.0, shares[1], 0.0, sampled, size, seed)
        if a.name == "R":
            greater, less = bayes.exceeding(
                only_one_found[0] + prior / 2, only_one_found[1] + prior / 2
            )
            paired = ThreeWay(greater, 0.0, less, 0.0, Method("Dirichlet", exact=True), size)
        independent = ThreeWay(
            a.greater(b), 0.0, b.greater(a), 0.0, Method("independent posteriors"), size
        )
        low, high = np.quantile(difference, [(1 - level) / 2, (1 + level) / 2]).tolist()
        low, high = bounds_in_call_order(low, high, None if even else False)
        better.append(Better(a.name, a, b, paired, independent, a.mean - b.mean, low, high, level))
    right = counts[1, 1, 0] + counts[0, 0, 1], counts[1, 0, 1] + counts[0, 1, 0]
    outcomes = bayes.outcomes(int(right[0]), int(right[1]), size - int(sum(right)), prior)
    of_p, of_r, of_f = better
    notes = notes_on_level("", samples, level)
    return JointPosteriors(
        names, of_p, of_r, of_f, outcomes, _nest(counts), prior, samples, seed, notes
    )


def _posteriors_of_system(
    table: Int64, beta: float, prior: float
) -> tuple[Posterior, Posterior, Posterior]:
    """The posteriors of one system, from its table relevant x accepted."""
    (_, fp), (fn, tp) = table.tolist()
    return (
        bayes.precision(tp, fp, prior),
        bayes.recall(tp, fn, prior),
        bayes.f(tp, fp, fn, beta, prior),
    )


def _values(tables: Float64, beta: float) -> tuple[Float64, Float64, Float64]:
    """Precision, recall and F of tables samples x relevant x accepted."""
    tp, fp, fn = tables[:, 1, 1], tables[:, 0, 1], tables[:, 1, 0]
    # Divided by 1 + β², whose square would overflow for the greatest β.
    of_fn = beta * beta / (1 + beta * beta) if beta < 1e150 else 1.0
    return tp / (tp + fp), tp / (tp + fn), tp / (tp + of_fn * fn + (1 - of_fn) * fp)


def _nest(counts: Int64) -> Kinds:
    a, b, c, d, e, f, g, h = counts.ravel().tolist()
    return ((a, b), (c, d)), ((e, f), (g, h))
