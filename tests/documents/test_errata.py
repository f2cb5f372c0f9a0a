"""docs/why/errata.md: every figure is computed here, and none stands there that is not.

A claim is words of the page with the figures in their places as `{}`, and the figures as they are
computed. When all claims and what is named below are taken out of the page, no digit is left. The
formulas that Zhang & Su print are written from the paper.
"""

from __future__ import annotations

import re
from fractions import Fraction
from functools import cache
from itertools import combinations
from math import comb
from pathlib import Path
from statistics import NormalDist

import numpy as np
import pytest

import precall as pc
from precall.compat.lingpipe import ScoredPrecisionRecallEvaluation

PAGE = Path(__file__).resolve().parents[2] / "docs" / "why" / "errata.md"
SETTINGS = ((1000, 100), (2000, 500))
#: Table III, as it was printed: of the simulation and of the approximation, mean, variance, three
#: quantiles.
PRINTED = {
    (1000, 100): (
        (".1037", "1.286e-4", ".0876", ".1044", ".1321"),
        (".1037", "1.392e-4", ".0806", ".1037", ".1268"),
    ),
    (2000, 500): (
        (".2527", "9.6e-5", ".2347", ".2521", ".2731"),
        (".2522", "1.42e-4", ".2288", ".2522", ".2755"),
    ),
}
#: Digits that are no results: versions, years, numbers of formulas, of pages and settings, powers
#: and indices in formulas.
NAMED = (
    r"1000 / 100|2000 / 500|2000 items, 500 relevant",
    r"10\^\d( / 10\^\d)?",
    r"10,000 rankings|--simulate 10000|--seed 1",
    r"2\.5 %|97\.5 %|50 %",
    r"not to 1|11 points|1/L_j",
    r"\b3\.9\.2\b|\b4\.1(\.0)?\b|9\.0\.8, 10\.0|scikit-learn 1\.9\.1",
    r"#\S+",
    r"\(?(19|20)\d\d\)?",
    r"Statistics 32",
    r"\(\d\d?\)",
    r"F1",
    r"\b[jk]-1\b|class 1",
    r"i\(n\+1\)\S*|n\(n-1\)/\(m\(m-1\)\)|n-[12]|m-[12]|n - h_1|\(n-1\)",
    r"m Var\S*|p²\(1-p\)|p\(1-p\)|2 \(4-5p\)|√\(m\(1-p\)\)",
    r"i \(1-p\) \(1 [-+] j/m\)",
    r"\(1 ?\+ ?β²\)|2 P R|1/√T|1/L_i|Y_1|h_1|1/t|1/n",
)


def decimal(value, digits):
    """Without the 0 before the point."""
    return f"{value:.{digits}f}".removeprefix("0")


def scientific(value, digits):
    """As 1.42e-4."""
    mantissa, _, exponent = f"{value:.{digits}e}".partition("e")
    return f"{mantissa}e{int(exponent)}"


@cache
def null(items, relevant):
    return pc.null.average_precision(items, relevant)


def limit(items, relevant):
    """p²(1-p)/m."""
    p = relevant / items
    return p * p * (1 - p) / relevant


class Published:
    """Formulas (8) to (10), (12) and (13) as printed, for each hit and pair of hits i < j."""

    def __init__(self, n, m):
        i = np.arange(1, m + 1, dtype=float)
        self.mean, self.relevant = i * n / m, m
        variance = i * n * (n - m) * (m - i) / (m * m * (m + 1))
        self.slope = i / self.mean**2
        first, second = np.triu_indices(m, 1)
        one, two = i[first], i[second]
        self.weight = self.slope[first] * self.slope[second]
        product = one * (n - 1) * (two * n + n - m) / (m * (m - 1))
        self.covariance = product - one * two * n * n / (m * m)
        self.right = one * (n + 1) * (n - m) * (m + 1 - two) / ((m + 1) ** 2 * (m + 2))
        # Of 1/L_i, to second order.
        self.single = self.slope**2 * variance * (1 - variance / self.mean**2)

    def variance(self, times=2):
        """(13): each pair counts `times`."""
        return (
            self.single.sum() + times * (self.weight * self.covariance).sum()
        ) / self.relevant**2


@cache
def published(items, relevant):
    return Published(items, relevant)


def table(items, relevant):
    """The rows of the page that are of one setting."""
    exact, theirs = null(items, relevant), null(items, relevant).zhang_su()
    drawn = exact.rvs(10_000, rng=1)

    def row(mean, variance, quantiles, digits=6, of_variance=4):
        ends = " | ".join(decimal(one, 5) for one in quantiles)
        return f"{decimal(mean, digits)} | {scientific(variance, of_variance)} | {ends}"

    share = [0.025, 0.5, 0.975]
    simulated, approximated = (" | ".join(line) for line in PRINTED[items, relevant])
    return [
        f"| {items} / {relevant} | exact | {row(exact.mean, exact.var, exact.ppf(share))} |",
        (
            "| | drawn, 10,000 rankings (`--seed 1`) | "
            f"{row(drawn.mean(), drawn.var(ddof=1), np.quantile(drawn, share))} |"
        ),
        f"| | published, 10,000 rankings | {simulated} |",
        f"| | their approximation, computed | {row(theirs.mean, theirs.var, theirs.ppf(share))} |",
        f"| | published approximation | {approximated} |",
    ]


@cache
def share_of_ten(items, relevant):
    """Of the variance of AP, the part of the first ten hits, their own and with their covariances
    with all other hits.

    Rank by rank, for every number of hits so far: the probability, and means over it of the first
    ten's sum A of i / L_i, of A², of the whole sum S, and of A S.
    """
    hits = np.arange(relevant + 1)
    moments = np.zeros((5, relevant + 1))
    moments[0, 0] = 1
    for rank in range(1, items + 1):
        left = items - rank + 1
        hit = moments[:, :-1] * ((relevant - hits[:-1]) / left)
        moments = moments * np.maximum((left - relevant + hits) / left, 0.0)
        amount = hits[1:] / rank
        early = np.where(hits[1:] <= 10, amount, 0.0)
        one, a, square, s, both = hit
        moments[:, 1:] += (
            one,
            a + early * one,
            square + 2 * early * a + early**2 * one,
            s + amount * one,
            both + early * s + amount * a + early * amount * one,
        )
    _, a, square, s, both = moments[:, relevant]
    variance = null(items, relevant).var * relevant**2
    return (square - a * a) / variance, (both - a * s) / variance


def towards_the_limit(items, relevant):
    exact, p = null(items, relevant), relevant / items
    normal = NormalDist(exact.mean, exact.std)
    skewness = 2 * (4 - 5 * p) / (relevant * (1 - p)) ** 0.5
    wrong = 1 - normal.cdf(exact.ppf(1 - 0.001))
    power = (
        f"{items} / {relevant}"
        if items == 1000
        else f"10^{len(str(items)) - 1} / 10^{len(str(relevant)) - 1}"
    )
    figures = (
        f"{exact.var / limit(items, relevant):.3f} | {decimal(exact.skewness, 4)} | "
        f"{decimal(skewness, 4)}"
    )
    return f"| {power} | {figures} | {decimal(wrong, 7 if wrong < 1e-4 else 5)} |"


@cache
def lingpipe(misses=0, version="3.9.2"):
    found = ScoredPrecisionRecallEvaluation(version=version)
    for rank in range(1, 11):
        found.add_case(rank in (2, 4, 5, 9), -float(rank))
    found.add_misses(misses)
    return found


CURVE = pc.curve([0, 1, 0, 1, 1, 0], range(6, 0, -1))
NOTES = pc.Hits.of([2, 4, 5], retrieved=6, relevant=3)


def fraction(value):
    part = Fraction(value).limit_denominator(20)
    return f"{part.numerator}/{part.denominator}"


def at_a_glance():
    small, large = null(1000, 100), null(2000, 500)
    yield (
        (
            "variance of AP {} (2000 items, 500 relevant) | {}; as n grows, their variance "
            "tends to {} of the right one"
        ),
        (
            scientific(large.zhang_su().var, 2),
            scientific(large.var, 3),
            fraction(tends(1)),
        ),
    )
    yield "mean of 10,000 rankings .1037 | {} |", (decimal(small.mean, 5),)
    perfect = ScoredPrecisionRecallEvaluation()
    perfect.add_case(True, 1.0)
    yield (
        "{} for a perfect ranking | {} |",
        (
            f"{perfect.pr_breakeven_point():.0f}",
            f"{pc.curve([1, 0], [2, 1]).break_even('max-min'):.0f}",
        ),
    )
    point = pc.curve([0, 1, 0, 1, 1, 0, 0, 0, 1, 0], range(10, 0, -1)).at(accept=5)
    yield "2/6 | {:.0f}/{:.0f}, as in its table", (point.tn, point.tn + point.fp)
    areas = {decimal(lingpipe().area_under_roc_curve(way), 4) for way in (True, False)}
    yield "both ROC areas of its example are {}", tuple(areas)
    yield (
        "the last recall is 1 | not with misses: {} with one",
        (fraction(lingpipe(1).roc_curve(False)[-1][0]),),
    )
    yield "not with misses: {}, and the area is {}", missed()
    yield "two of three lists", ()
    yield (
        "precision 3/4 and 3/5 at ranks 5 and 5 | {} and 3/6 at ranks 5 and 6",
        (fraction(precision(5)),),
    )
    assert precision(6) == 3 / 6
    yield (
        "precision at the first K with recall 1: {} | precision at K = R: {}",
        (
            fraction(precision(int(pc.measure("k@recall(1)")(NOTES)[0]))),
            fraction(precision(3)),
        ),
    )
    yield "not in general: E is {} at P = {}, R = {:.0f}, and {} at P = R = {}", least_e()
    yield "thresholds 0.0, 1.0, ... | 0.0, 0.1, ...", ()
    yield "negative weights give an average precision of 1.5", ()


def precision(rank):
    return float(pc.measure(f"P@{rank}")(NOTES)[0])


def missed():
    """Average precision and area of LingPipe's ten cases and a miss."""
    return decimal(lingpipe(1).average_precision(), 4), decimal(
        lingpipe(1).area_under_pr_curve(False), 4
    )


def least_e():
    best, equal = CURVE.at(max="E"), CURVE.at(accept=3)
    assert best.value == min(CURVE.at(accept=k).e() for k in range(1, 7))
    assert equal.precision == equal.recall
    return (
        f"{best.value:.2f}".lstrip("0"),
        decimal(best.precision, 1),
        best.recall,
        decimal(equal.e(), 4),
        fraction(equal.recall),
    )


def tends(times):
    """What (13) tends to, relative to p²(1-p)/m; pairs counted once as in Table III or twice as
    printed: at 10^5 of 10^6.
    """
    n, m = 10**6, 10**5
    j, p = np.arange(1, m + 1) / m, m / n
    # Sum over i < j of slope_i slope_j Cov, as m grows: slope_i Cov / slope_j is p² (1-p) (1 +
    # j/m).
    found = times * p * p * (1 - p) * (1 + j).sum() / m**2 / limit(n, m)
    assert null(n, m).zhang_su().var / limit(n, m) == pytest.approx(found / times, rel=3e-4)
    return round(found, 3)


def their_study():
    for setting in SETTINGS:
        for line in table(*setting):
            yield line, ()
    small, large = published(1000, 100), published(2000, 500)
    ratio = small.covariance / small.right
    weighted = [
        (one.weight * one.covariance).sum() / (one.weight * one.right).sum()
        for one in (small, large)
    ]
    yield (
        "is {:.2f} to {:.0f} times\n  the right one, with a median of {:.0f}",
        (ratio.min(), ratio.max(), np.median(ratio)),
    )
    yield "is {:.1f} times the right one, and {:.1f} times at 2000 / 500", tuple(weighted)
    yield (
        (
            "gives {} and {} as printed. The published 1.392e-4 and 1.42e-4 come out without the "
            "factor 2"
        ),
        tuple(scientific(one.variance(), 2) for one in (small, large)),
    )
    theirs, right = null(2000, 500).zhang_su().var, null(2000, 500).var
    yield (
        "the result is {:.0f} % too large ({:.0f} % from their rounded numbers)",
        (
            100 * (theirs / right - 1),
            100 * (1.42e-4 / float(f"{right:.3g}") - 1),
        ),
    )
    yield (
        "tends to {} of the right one, and (13) as printed to {:.0f} times",
        (fraction(tends(1)), tends(2)),
    )
    far = null(10**6, 10**5)
    yield (
        "gives {:.4f} p²(1-p)/m, where p = m/n; the right variance is {:.4f} p²(1-p)/m",
        (
            far.zhang_su().var / limit(10**6, 10**5),
            far.var / limit(10**6, 10**5),
        ),
    )
    j = np.arange(1, 10**5 + 1) / 10**5
    yield (
        (
            "the right covariances contribute {} and theirs {}. The right variance counts each "
            "pair twice, which makes {:.0f}. The published\n  one counts it once, which makes {}"
        ),
        (
            fraction((1 - j).mean()),
            fraction((1 + j).mean()),
            round(2 * (1 - j).mean(), 3),
            fraction((1 + j).mean()),
        ),
    )
    exact = null(1000, 100)
    yield "The empirical mean .1037", ()
    hits = pc.Hits.of([1, 2, 4], retrieved=8, relevant=3)
    table_2 = [pc.measure(f"P@{t}")(hits)[0] for t in (3, 4)]
    assert table_2[0] < table_2[1]
    yield (
        "from {} at t = 3\n  to {} at t = 4",
        (
            decimal(table_2[0], 4),
            decimal(table_2[1], 2),
        ),
    )
    yield (
        "The true mean {} is {:.0f} standard errors away",
        (
            decimal(exact.mean, 5),
            (exact.mean - 0.1037) / (exact.std / 10_000**0.5),
        ),
    )


def the_limit():
    yield "m Var(AP) / (p²(1-p)) tends to 1", ()
    yield "if p tends to 0 or to 1", ()
    yield "be 1 if rank t holds a hit and 0 otherwise", ()
    yield "with 10 % relevant", ()
    for items in (10**3, 10**4, 10**5, 10**6):
        yield towards_the_limit(items, items // 10), ()
    yield "where the true one is .001", ()
    yield (
        "cause {:.1f} % of the variance at 2000 / 500. (With these covariances it is {:.1f} %.)",
        (*(100 * share for share in share_of_ten(2000, 500)),),
    )
    yield (
        "it is {:.0f} % at 1000 / 100 and {:.1f} % at 10^4 / 10^3",
        (
            100 * share_of_ten(1000, 100)[0],
            100 * share_of_ten(10**4, 10**3)[0],
        ),
    )
    yield "its skewness is {} and {}", tuple(decimal(null(*one).skewness, 2) for one in SETTINGS)
    exact = null(1000, 100)
    wrong = exact.sf(0.1556) / (1 - NormalDist(exact.mean, exact.std).cdf(0.1556))
    normal = "P(AP >= .1556) from a normal distribution with the *exact* mean and variance"
    yield normal + " is wrong by a factor of {:.0f}", (wrong,)


def documentation():
    point = pc.curve([0, 1, 0, 1, 1, 0, 0, 0, 1, 0], range(10, 0, -1)).at(accept=5)
    yield '"After the rank 4 response ... rejection recall is 2/6"', ()
    yield "so it is {:.0f}/{:.0f}, as its table", (point.tn, point.tn + point.fp)
    yield "that it has just listed are {}", (decimal(lingpipe().area_under_roc_curve(True), 4),)
    yield (
        "{} for β = 2, where F1 is {}",
        (
            decimal(lingpipe().maximum_f_measure(2), 1),
            decimal(lingpipe().maximum_f_measure(1), 4),
        ),
    )
    yield (
        "the last recall is {}. Average precision is then {}, but the area is {}",
        (
            fraction(lingpipe(1).roc_curve(False)[-1][0]),
            *missed(),
        ),
    )
    hits = {2, 4, 5, 9}
    yield (
        "There are {} runs and {} rows",
        (
            sum(rank - 1 not in hits for rank in hits),
            len(lingpipe().roc_curve(False)),
        ),
    )
    points = [tuple(round(one, 2) for one in row) for row in lingpipe(1, "4.1").pr_curve(False)]
    assert points.count((0.6, 0.38)) == 1
    yield (
        "lists the point (.60, .38) twice. Among the {} points of the curve it occurs once",
        (len(points),),
    )


def notes():
    yield (
        (
            "with rank 5 twice, with precisions 3/4 and 3/5. The ranks should be 5 and 6, and the "
            "precisions {} and 3/6"
        ),
        (fraction(precision(5)),),
    )
    found = [round(3 * float(pc.measure(f"R@{n}")(NOTES)[0])) for n in (6, 3)]
    yield "s(6) = {}, but s(3) = {}", tuple(found)
    yield "which is {} here", (fraction(precision(3)),)
    first = int(pc.measure("k@recall(1)")(NOTES)[0])
    yield (
        "at the first K with r(K) = 1. That\n  is K = {}, with precision {}",
        (first, fraction(precision(first))),
    )


PARTS = {
    part.__name__: part for part in (at_a_glance, their_study, the_limit, documentation, notes)
}


@cache
def claims(name):
    return [words.format(*figures) for words, figures in PARTS[name]()]


@pytest.fixture(scope="module")
def page():
    if not PAGE.is_file():
        pytest.skip("the docs are not here")
    # Its examples run with those of all pages.
    return re.sub(r"```python.*?```", "", PAGE.read_text(encoding="utf-8"), flags=re.S)


@pytest.mark.nightly(keep=1)
@pytest.mark.parametrize("name", PARTS)
def test_the_figures_are_those_that_are_computed(page, name):
    for words in claims(name):
        assert words in page, words


@pytest.mark.nightly
def test_there_is_no_other_figure(page):
    for name in PARTS:
        for words in claims(name):
            page = page.replace(words, "")
    for pattern in NAMED:
        page = re.sub(pattern, "", page)
    left = [line.strip() for line in page.splitlines() if re.search(r"\d", line)]
    assert left == []


def test_precision_at_random_is_the_same_at_every_rank():
    means = [float(pc.null.precision(30, 9, t).mean) for t in range(1, 31)]
    assert means == pytest.approx([0.3] * 30)


def test_the_other_hits_stand_in_the_other_ranks():
    """Of n ranks with m hits the j-th at k: j-1 before it, and m-j behind, as in the formula."""
    n, m, j = 9, 4, 2
    found = [
        sum(1 for hits in combinations(range(1, n + 1), m) if hits[j - 1] == k)
        for k in range(1, n + 1)
    ]
    assert found == [comb(k - 1, j - 1) * comb(n - k, m - j) for k in range(1, n + 1)]
    assert found != [comb(k - 1, j - 1) * comb(k - 1, m - j) for k in range(1, n + 1)]


def test_what_the_distributions_as_printed_sum_to():
    n, m = 10, 4
    one = sum(
        Fraction(comb(s - 1, 1) * comb(n - s, m - 2), comb(n - 1, m - 1)) for s in range(2, n)
    )
    # P(L_2 = s) = C(s-1, 1) C(n-s, 2) / C(n, m): with the printed denominator they sum to n/m.
    assert one == Fraction(n, m)
    two = sum(
        Fraction(comb(s - 1, 0) * comb(t - s - 1, 0) * comb(n - t, m - 2), comb(n - 2, m - 2))
        for s in range(1, n)
        for t in range(s + 1, n + 1)
    )
    assert two == Fraction(n * (n - 1), m * (m - 1))
    for i in range(1, m + 1):
        mean = sum(s * p for s, p in pc.null.location(n, m, i).pmf().items())
        assert mean == Fraction(i * (n + 1), m + 1) != Fraction(i * n, m)
        # As printed the last hit would always be the last item.
        assert i < m or Fraction(i * n, m) == n
        assert pc.null.location_mean(n, m, i) == pytest.approx(float(mean))
    # (8) is right for n - 1 items and m - 1 hits.
    assert pc.null.location_mean(n - 1, m - 1, 2) == 2 * n / m


def reciprocal_covariance(n, m, i, j):
    if i == j:
        return pc.null.reciprocal_location_variance(n, m, i)
    return pc.null.reciprocal_location_covariance(n, m, i, j)


def test_the_covariance_that_is_right():
    n, m = 12, 5
    for i, j in ((1, 3), (2, 5), (4, 5)):
        both = pc.null.locations(n, m, i, j)
        assert both.covariance == pytest.approx(
            i * (n + 1) * (n - m) * (m + 1 - j) / ((m + 1) ** 2 * (m + 2))
        )
    total = sum(
        i * j * reciprocal_covariance(n, m, i, j) for i in range(1, m + 1) for j in range(1, m + 1)
    )
    assert total / m**2 == pytest.approx(null(n, m).var)


def test_the_share_of_the_first_hits():
    """The same by the covariances of 1/L_i."""
    for n, m in ((60, 15), (1000, 100)):
        own = sum(
            i * j * reciprocal_covariance(n, m, i, j) for i in range(1, 11) for j in range(1, 11)
        )
        assert share_of_ten(n, m)[0] == pytest.approx(own / m**2 / null(n, m).var)


def test_ap_is_the_sum_of_three_parts():
    """The derivation: m AP = m p + p Σ (Y_t - p) h_t + Σ (Y_t - p) (H_t - p t) / t, and the
    variance of the first sum.
    """
    n, m = 40, 12
    p, t = m / n, np.arange(1, n + 1)
    scores = np.cumsum(1 / t[::-1])[::-1]
    rng = np.random.default_rng(6)
    for _ in range(20):
        hit = rng.permutation(np.arange(n) < m)
        seen = np.cumsum(hit)
        parts = m * p, p * ((hit - p) * scores).sum(), ((hit - p) * (seen - p * t) / t).sum()
        assert sum(parts) == pytest.approx((hit * seen / t).sum())
    # Sampling without replacement: p (1-p) n/(n-1) times the sum of squared centred scores.
    assert ((scores - scores.mean()) ** 2).sum() == pytest.approx(n - scores[0])


@pytest.mark.nightly
def test_the_second_sum_vanishes():
    """Its variance grows like log n, that of the first like m: of AP in the limit only the first is
    left.
    """
    left = []
    for n in (200, 2000, 20_000):
        m, t = n // 4, np.arange(1, n + 1)
        hit = np.random.default_rng(2).permuted(np.broadcast_to(np.arange(n) < m, (400, n)), axis=1)
        rest = ((hit - m / n) * (np.cumsum(hit, axis=1) - t * m / n) / t).sum(axis=1)
        left.append(rest.var() / (limit(n, m) * m * m))
    assert left[0] > 3 * left[1] > 9 * left[2] and left[2] < 0.01
    assert null(10**7, 10**6).var / limit(10**7, 10**6) == pytest.approx(1, abs=3e-4)
    # With a few hits in very many items it is not so.
    assert null(10**8, 100).var / limit(10**8, 100) > 1000


def test_each_bullet_of_the_articles():
    assert (
        pc.f_versus_break_even(0.25, 1, 3).greater == "f"
        and pc.f_versus_break_even(0.25, 1).greater == "mean"
    )
    # E and its numerator: TP 2, FP 3, FN 1.
    one = pc.decisions([1, 1, 0, 0, 0, 1], [1, 1, 1, 1, 1, 0])
    assert (
        one.e()
        == pytest.approx((3 + 1) / (2 * 2 + 3 + 1))
        != pytest.approx((1 + 2) / (2 * 2 + 3 + 1))
    )
    assert one.e() == pytest.approx(1 - one.f())
    # Microaverages weight decisions: a document of three categories counts three times.
    several = pc.decisions([{"a", "b", "c"}, {"a"}, {"b"}, {"c"}], [set(), {"a"}, {"b"}, {"c"}])
    assert (several.recall("micro"), several.recall("items")) == (0.5, 0.75)
    later, wrong = lingpipe(0, "4.1"), ScoredPrecisionRecallEvaluation(version="4.1")
    assert later.r_precision() == 0.5
    for rank, hit in enumerate([1, 1, 0, 0, 1]):
        wrong.add_case(bool(hit), -float(rank))
    assert wrong.r_precision() != pc.curve([1, 1, 0, 0, 1], range(5, 0, -1)).r_precision()
