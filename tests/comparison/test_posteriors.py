"""Posteriors of two sets of decisions: the Beta and Gamma distributions of the paper, and the
pairing by one Dirichlet.
"""

from __future__ import annotations

import itertools
import math
from functools import cache

import numpy as np
import pytest

import precall as pc
from precall.core.errors import PrecallWarning
from precall.core.notes.of_reading import NoCommonLabel, OtherLabels
from tests.noticed import noticed
from tests.peers import peer

integrate = peer("scipy.integrate")
special = peer("scipy.special")
stats = peer("scipy.stats")

LAMBDA = 0.5


def decided(seed=3, items=240):
    rng = np.random.default_rng(seed)
    truth = rng.random(items) < 0.35
    hard = rng.random(items) < 0.5
    a, b = (truth ^ (hard & (rng.random(items) < share)) for share in (0.3, 0.42))
    return truth, a, b


def table(truth, said):
    return int((truth & said).sum()), int((~truth & said).sum()), int((truth & ~said).sum())


TRUTH, A, B = decided()


@cache
def found_by_items():
    return pc.compare.bayes.decisions(TRUTH, A, B)


def test_margins_are_the_papers():
    for side, said in (("a", A), ("b", B)):
        tp, fp, fn = table(TRUTH, said)
        precision = stats.beta(tp + LAMBDA, fp + LAMBDA)
        recall = stats.beta(tp + LAMBDA, fn + LAMBDA)
        assert getattr(found_by_items().precision, side).mean == pytest.approx(
            precision.mean(), rel=1e-12
        )
        assert getattr(found_by_items().recall, side).mean == pytest.approx(
            recall.mean(), rel=1e-12
        )
        # F = U / (U + V), as the paper draws it.
        rng = np.random.default_rng(1)
        u, v = rng.gamma(tp + LAMBDA, 2, 200_000), rng.gamma(fp + fn + 2 * LAMBDA, 1, 200_000)
        drawn = u / (u + v)
        assert getattr(found_by_items().f, side).mean == pytest.approx(
            drawn.mean(), abs=5 * drawn.std() / 200_000**0.5
        )


def test_independent_probabilities_by_quadrature():
    tables = [table(TRUTH, said) for said in (A, B)]
    first, second = (stats.beta(tp + LAMBDA, fp + LAMBDA) for tp, fp, _ in tables)
    greater = integrate.quad(lambda x: first.pdf(x) * second.cdf(x), 0, 1)[0]
    assert found_by_items().precision.independent.greater == pytest.approx(greater, abs=1e-10)
    # Of F by B / (2 - B), which is monotone: P(F_a > F_b) is that of the Betas.
    first, second = (stats.beta(tp + LAMBDA, fp + fn + 2 * LAMBDA) for tp, fp, fn in tables)
    greater = integrate.quad(lambda x: first.pdf(x) * second.cdf(x), 0, 1)[0]
    assert found_by_items().f.independent.greater == pytest.approx(greater, abs=1e-10)
    assert found_by_items().f.independent.less == pytest.approx(1 - greater, abs=1e-10)


def test_small_probabilities_by_exact_sums():
    # Of whole parameters P(X > Y) of two Betas is a finite sum (Miller, 2015, eq. 6); with prior 1
    # these are whole.
    for (tp, fp), (other_tp, other_fp) in itertools.product(
        [(0, 2), (3, 30), (8, 1), (40, 900)], repeat=2
    ):
        a, b, c, d = tp + 1, fp + 1, other_tp + 1, other_fp + 1
        terms = [
            special.betaln(c + i, b + d)
            - math.log(b + i)
            - special.betaln(1 + i, b)
            - special.betaln(c, d)
            for i in range(a)
        ]
        exact = math.fsum(np.exp(terms))
        first, second = (
            pc.compare.bayes.precision(tp, fp, 1),
            pc.compare.bayes.precision(other_tp, other_fp, 1),
        )
        assert first.greater(second) == pytest.approx(exact, rel=1e-5, abs=1e-13)


@pytest.mark.nightly(keep=1)
@pytest.mark.parametrize(
    ("above", "within", "below"), [(0, 4, 20), (3, 11, 20), (10, 11, 0), (2, 0, 30), (40, 7, 3)]
)
def test_signs_by_quadrature(above, within, below):
    alpha = (above, within + 1, below)
    found = pc.compare.bayes.sign(
        [1.0] * above + [0.0] * within + [-1.0] * below, [0.0] * sum((above, within, below))
    )
    for place, chance in enumerate((found.greater, found.equivalent, found.less)):
        if not alpha[place]:
            assert chance == 0
            continue
        others = [a for i, a in enumerate(alpha) if i != place and a]

        def most(x, place=place, others=others):
            return stats.gamma(alpha[place]).pdf(x) * math.prod(
                special.gammainc(a, x) for a in others
            )

        exact = (
            integrate.quad(most, 0, 20, epsabs=1e-14)[0]
            + integrate.quad(most, 20, 150, epsabs=1e-14)[0]
        )
        assert chance == pytest.approx(exact, rel=1e-7, abs=1e-13)


@pytest.mark.nightly(keep=1)
@pytest.mark.parametrize("beta", [1.0, 2.0])
def test_paired_probabilities_by_another_simulation(beta):
    kinds = [
        [[((t == TRUTH) & (a == A) & (b == B)).sum() for b in (False, True)] for a in (False, True)]
        for t in (False, True)
    ]
    found = pc.compare.bayes.decisions(TRUTH, A, B, beta=beta, names=("new", "old"))
    assert found.counts == tuple(tuple(map(tuple, np.array(pair).tolist())) for pair in kinds)
    share = (
        np.random.default_rng(9)
        .dirichlet(np.ravel(kinds) + LAMBDA / 2, 200_000)
        .reshape(-1, 2, 2, 2)
    )
    tp = share[:, 1, 1].sum(axis=1), share[:, 1, :, 1].sum(axis=1)
    said = share[:, :, 1].sum(axis=(1, 2)), share[:, :, :, 1].sum(axis=(1, 2))
    relevant = share[:, 1].sum(axis=(1, 2))
    f = [
        (1 + beta**2) * hits / (yes + beta**2 * relevant)
        for hits, yes in zip(tp, said, strict=True)
    ]
    near = 4 * (0.25 / 100_000 + 0.25 / 200_000) ** 0.5
    assert found.f.greater == pytest.approx(np.mean(f[0] > f[1]), abs=near)
    assert found.precision.greater == pytest.approx(
        np.mean(tp[0] / said[0] > tp[1] / said[1]), abs=near
    )
    assert found.recall.greater == pytest.approx(np.mean(tp[0] > tp[1]), abs=near)
    apart = np.quantile(f[0] - f[1], [0.025, 0.975])
    assert (found.f.low, found.f.high) == pytest.approx(apart, abs=0.003)


def test_right_alone_is_the_papers_outcomes():
    first, second = ((TRUTH == A) & (TRUTH != B)).sum(), ((TRUTH == B) & (TRUTH != A)).sum()
    assert found_by_items().right.greater == pytest.approx(
        stats.beta.sf(0.5, first + LAMBDA, second + LAMBDA), rel=1e-12
    )


def test_pairing_says_more():
    # Systems that agree mostly: paired probabilities are further from one half.
    assert abs(found_by_items().f.greater - 0.5) > abs(found_by_items().f.independent.greater - 0.5)


def test_either_may_be_the_first():
    turned = pc.compare.bayes.decisions(TRUTH, B, A)
    for name in ("precision", "recall", "f"):
        mine, theirs = getattr(found_by_items(), name), getattr(turned, name)
        assert (mine.greater, mine.less) == pytest.approx((theirs.less, theirs.greater), abs=1e-12)
        assert (mine.low, mine.high) == pytest.approx((-theirs.high, -theirs.low), abs=1e-12)
    assert pc.compare.bayes.decisions(TRUTH[::-1], A[::-1], B[::-1]) == found_by_items()


def test_equal_systems_are_even():
    found = pc.compare.bayes.decisions(TRUTH, A, A)
    assert found.recall.greater == 0.5 and found.f.independent.greater == pytest.approx(
        0.5, abs=1e-9
    )
    assert found.f.greater == pytest.approx(0.5, abs=0.01)


def test_labels_of_several_categories():
    kinds = np.array(["ham", "spam"])
    found = pc.compare.bayes.decisions(
        *(kinds[column.astype(int)].tolist() for column in (TRUTH, A, B)), positive="spam"
    )
    assert found == found_by_items()
    sets = [[{"spam"} if yes else set() for yes in column.tolist()] for column in (TRUTH, A, B)]
    assert pc.compare.bayes.decisions(*sets, positive="spam") == found_by_items()


@pytest.mark.parametrize(
    ("call", "said"),
    [
        (
            lambda: pc.compare.bayes.decisions(["a", "b"], ["a", "a"], ["b", "b"]),
            "positive: must be the category",
        ),
        (
            lambda: pc.compare.bayes.decisions([1, 0], [1, 1], [0, 1], positive="x"),
            "positive: no label is 'x'; the labels are 0, 1",
        ),
        (lambda: pc.compare.bayes.decisions([1, 0], [1, 1], [0]), "unequal length"),
        (lambda: pc.compare.bayes.decisions([1, 0], [1, 1], [0, 1], prior=0), "prior"),
        (lambda: pc.compare.bayes.decisions([1, 0], [1, 1], [0, 1], level=2), "level"),
        (lambda: pc.compare.bayes.decisions([1, 0], [1, 1], [0, 1], names=("x", "x")), "names"),
    ],
)
def test_what_is_refused(call, said):
    with pytest.raises(pc.UsageError, match=said):
        call()


def test_nothing_to_compare_on():
    with pytest.raises(pc.DataError, match="no items"):
        pc.compare.bayes.decisions([], [], [])


def test_posteriors_keep_what_was_noticed_of_the_labels():
    """Only tests of significance had been asked for notes of labels."""
    truth, first, second = ["a", "b", "c"] * 4, ["x", "y", "x"] * 4, ["a", "b", "z"] * 4
    with pytest.warns(PrecallWarning):
        compared = pc.compare.decisions(truth, first, second, positive="a")
    with pytest.warns(PrecallWarning):
        posteriors = pc.compare.bayes.decisions(truth, first, second, positive="a")
    labels = [note for note in posteriors.notes if note in compared.notes]
    assert noticed(labels, NoCommonLabel) and noticed(labels, OtherLabels)
    assert posteriors.notes == tuple(labels)
    assert noticed(posteriors.to_dict(), NoCommonLabel) == noticed(labels, NoCommonLabel)
    assert posteriors.swap().notes == posteriors.notes
