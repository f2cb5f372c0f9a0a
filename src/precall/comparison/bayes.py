"""The probability that one system is better: `precall.compare.bayes`.

Posteriors of precision, recall and F (Goutte & Gaussier 2005), from counts or from two sets of
decisions, and posteriors of wins over topics. Decisions are read here; counts are used as they are.

Examples
--------
>>> from precall import compare
>>> outcome = compare.bayes.outcomes(only_a=14, only_b=5)
>>> round(outcome.greater, 3)
0.982
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from precall.core.arguments import check_beta, check_level, check_positive, check_rows, check_whole
from precall.core.errors import UsageError
from precall.core.namespaces import lead_on_calls
from precall.core.ragged import Int64
from precall.core.rng import Rng, suggest_our_names
from precall.core.text import listing
from precall.hard_decisions.two_systems import NO_ITEMS
from precall.stats.tests.bare_counts import CountPosteriors, WinPosterior, counts, wins
from precall.stats.tests.bayes import (
    Posterior,
    ThreeWay,
    f,
    outcomes,
    precision,
    recall,
    sign,
    signed_rank,
)
from precall.stats.tests.joint_posteriors import Better, JointPosteriors

if TYPE_CHECKING:
    from precall.hard_decisions.membership import Membership

__all__ = [
    "Better",
    "CountPosteriors",
    "JointPosteriors",
    "Posterior",
    "ThreeWay",
    "WinPosterior",
    "counts",
    "decisions",
    "f",
    "outcomes",
    "precision",
    "recall",
    "sign",
    "signed_rank",
    "wins",
]
_SAMPLES = 100_000

lead_on_calls(
    __name__,
    "bayes is a module: bayes.decisions(truth, a, b) compares decisions of two systems, "
    "bayes.signed_rank(a, b) values per topic",
)


@suggest_our_names
def decisions(
    truth: object,
    predicted_a: object,
    predicted_b: object,
    *,
    beta: float = 1.0,
    positive: object = None,
    prior: float = 0.5,
    level: float = 0.95,
    samples: int = _SAMPLES,
    rng: Rng = 0,
    names: tuple[str, str] = ("a", "b"),
) -> JointPosteriors:
    """The probability that one system has the higher F, precision or recall, from two systems'
    decisions on the same items.

    For each system P ~ Beta(TP + λ, FP + λ), R ~ Beta(TP + λ, FN + λ) and F = U / (U + V) with U ~
    Gamma(TP + λ, 2h) and V ~ Gamma(FP + FN + 2λ, h), λ the prior (Goutte & Gaussier 2005). The
    paper compares two such F as if each system had decided about its own items: `independent`. But
    the items are the same. So the eight kinds of items (relevant, accepted by the first, by the
    second) have one Dirichlet distribution, with λ/2 for each, whose margins are these posteriors:
    `paired`.

    Parameters
    ----------
    truth : labels 0/1, -1/1 or bool; or any that `precall.decisions` takes, with `positive`.
    predicted_a : the first system's decision about each item, in the order and the form of `truth`.
    predicted_b : the second system's decisions, likewise.
    beta : weight of recall in F, >= 0.
    positive : the label for which precision, recall and F are computed; None if labels are a yes or
        no.
    prior : λ > 0; 1/2 is Jeffreys', 1 is flat.
    level : level of the credible intervals of differences, in (0, 1).
    samples : number of draws for paired precision and F, whose probabilities have a standard error
        of at most .5 / √samples. Those of recall are exact: R_a > R_b if more relevant items are
        accepted by the first only than by the second only.
    rng : seed or NumPy Generator.
    names : names of the systems, for printing.

    Returns
    -------
    JointPosteriors
        `f`, `precision` and `recall`, each with `paired` and `independent` probabilities
        (`greater`: the first is higher; `less`: the second), and the difference with its interval.
        `right` holds the paper's paired outcomes, which system is right if the other is not; exact.

    Raises
    ------
    DataError
        There are no items.
    UsageError
        Lengths or forms differ, no label is `positive`, or labels are of several categories and
        `positive` is not given.

    See Also
    --------
    precall.compare.decisions : tests of the same question.

    Examples
    --------
    >>> truth = [1] * 60 + [0] * 140
    >>> a = [1] * 50 + [0] * 10 + [1] * 12 + [0] * 128
    >>> b = [1] * 44 + [0] * 16 + [1] * 15 + [0] * 125
    >>> posterior = decisions(truth, a, b)
    >>> (
    ...     round(posterior.f.independent.greater, 3),
    ...     round(posterior.f.paired.greater, 2),
    ...     round(posterior.recall.greater, 4),
    ... )
    (0.912, 1.0, 0.9986)
    """
    from precall.hard_decisions import Decisions
    from precall.hard_decisions.membership import memberships
    from precall.hard_decisions.two_systems import columns_of_two, notes_of_labels
    from precall.stats.tests.joint_posteriors import joint
    from precall.stats.tests.pairing import check_two

    names = check_two(names)
    check_rows(truth=truth)
    check_positive(prior=prior)
    samples = check_whole("samples", samples, 1)
    columns = columns_of_two(truth, predicted_a, predicted_b, names)
    true, first, second = every = memberships(columns, positive=positive)
    posteriors = joint(
        _counts(every), check_beta(beta), float(prior), check_level(level), samples, rng, names
    )
    systems = Decisions(true, first), Decisions(true, second)
    return replace(posteriors, notes=(*notes_of_labels(systems, names), *posteriors.notes))


def _counts(every: Sequence[Membership]) -> Int64:
    """Numbers of items by whether they are relevant, accepted by the first, and accepted by the
    second.
    """
    if not every[0].items:
        raise NO_ITEMS.error("truth")
    if every[0].kind != "binary":
        categories = listing(list(every[0].categories))
        raise UsageError(
            argument="positive",
            allowed="the category to measure by P, R and F",
            got=None,
            remedy=f"there are {categories}",
        )
    column = np.zeros((3, every[0].items), np.int64)
    for row, members in zip(column, every, strict=True):
        row[members.item] = 1
    return (
        np.bincount(column[0] * 4 + column[1] * 2 + column[2], minlength=8)
        .reshape(2, 2, 2)
        .astype(np.int64)
    )
