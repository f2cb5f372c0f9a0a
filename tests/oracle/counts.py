"""Measures of contingency tables, from the four cells, as fractions.

Textbook forms, on purpose not those of the code: F from precision and recall, MCC as the
correlation of two columns of 0 and 1, kappa from observed and expected agreement.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from math import inf, prod, sqrt

from tests.oracle.declared import counted, joint

Table = Sequence[Sequence[int]]


def ratio(part: int | Fraction, whole: int | Fraction) -> Fraction | None:
    return None if whole == 0 else Fraction(part) / Fraction(whole)


@counted("P")
def precision(tp: int, fp: int, fn: int, tn: int) -> Fraction | None:
    """van Rijsbergen 1979, ch. 7, table 7.1: |A and B| / |B|."""
    return ratio(tp, tp + fp)


@counted("R")
def recall(tp: int, fp: int, fn: int, tn: int) -> Fraction | None:
    """van Rijsbergen 1979, ch. 7, table 7.1: |A and B| / |A|."""
    return ratio(tp, tp + fn)


@counted("F")
def f_measure(
    tp: int, fp: int, fn: int, tn: int, *, beta: float = 1.0, alpha: float | None = None
) -> Fraction | None:
    """1 - E of van Rijsbergen 1979, ch. 7: (1 + beta^2) P R / (beta^2 P + R), and 0 where P =
    R = 0.
    """
    if alpha is not None:
        effectiveness = e_measure(tp, fp, fn, tn, alpha=alpha)
        return None if effectiveness is None else 1 - effectiveness
    weight = Fraction(repr(float(beta))) ** 2
    if tp + fp + (fn if weight else 0) == 0:
        return None
    if tp == 0:
        return Fraction(0)
    p, r = Fraction(tp, tp + fp), Fraction(tp, tp + fn)
    return (1 + weight) * p * r / (weight * p + r)


@counted("E")
def e_measure(
    tp: int, fp: int, fn: int, tn: int, *, beta: float = 1.0, alpha: float | None = None
) -> Fraction | None:
    """van Rijsbergen 1979, ch. 7: E = 1 - 1 / (alpha/P + (1 - alpha)/R), alpha = 1/(beta^2 + 1)."""
    weight = (
        1 / (Fraction(repr(float(beta))) ** 2 + 1)
        if alpha is None
        else Fraction(repr(float(alpha)))
    )
    if tp + (fp if weight else 0) + (fn if weight < 1 else 0) == 0:
        return None
    if tp == 0:
        return Fraction(1)
    return 1 - 1 / (weight * Fraction(tp + fp, tp) + (1 - weight) * Fraction(tp + fn, tp))


@counted("Accuracy")
def accuracy(tp: int, fp: int, fn: int, tn: int) -> Fraction | None:
    """Sokolova & Lapalme 2009, table 2."""
    return ratio(tp + tn, tp + fp + fn + tn)


@counted("Error")
def error(tp: int, fp: int, fn: int, tn: int) -> Fraction | None:
    """Sokolova & Lapalme 2009, table 3: error rate."""
    return ratio(fp + fn, tp + fp + fn + tn)


@counted("Specificity")
def specificity(tp: int, fp: int, fn: int, tn: int) -> Fraction | None:
    """Sokolova & Lapalme 2009, table 2."""
    return ratio(tn, fp + tn)


@counted("NPV")
def negative_predictive_value(tp: int, fp: int, fn: int, tn: int) -> Fraction | None:
    """Altman & Bland 1994: proportion of those with negative results who are healthy."""
    return ratio(tn, fn + tn)


@counted("Fallout")
def fallout(tp: int, fp: int, fn: int, tn: int) -> Fraction | None:
    """van Rijsbergen 1979, ch. 7, table 7.1: |not A and B| / |not A|."""
    return ratio(fp, fp + tn)


@counted("BalancedAccuracy")
def balanced_accuracy(tp: int, fp: int, fn: int, tn: int) -> Fraction | None:
    """Brodersen et al. 2010: mean of the accuracies of the two classes."""
    if tp + fn == 0 or fp + tn == 0:
        return None
    return (Fraction(tp, tp + fn) + Fraction(tn, fp + tn)) / 2


@counted("MCC")
def matthews(tp: int, fp: int, fn: int, tn: int) -> float | None:
    """Matthews 1975: the product-moment correlation of decision and truth, both 0 or 1."""
    n = tp + fp + fn + tn
    if 0 in (tp + fp, fn + tn, tp + fn, fp + tn):
        return None
    x, y = Fraction(tp + fp, n), Fraction(tp + fn, n)
    covariance = Fraction(tp, n) - x * y
    return float(covariance) / sqrt(x * (1 - x) * y * (1 - y))


@counted("kappa")
def kappa(tp: int, fp: int, fn: int, tn: int, *, weights: str = "none") -> Fraction | None:
    """Cohen 1960, (1): (p_o - p_e) / (1 - p_e); of two categories every weight is that of a
    mistake.
    """
    table = [[tp, fn], [fp, tn]]
    return cohen(table) if weights == "none" else weighted_cohen(table, weights)


@counted("Jaccard")
def jaccard(tp: int, fp: int, fn: int, tn: int) -> Fraction | None:
    """Jaccard 1912: common to both over all in either."""
    return ratio(tp, tp + fp + fn)


@counted("YoudenJ")
def youden(tp: int, fp: int, fn: int, tn: int) -> Fraction | None:
    """Youden 1950: (a d - b c) / ((a + b) (c + d))."""
    return ratio(tp * tn - fn * fp, (tp + fn) * (fp + tn))


@counted("LR+")
def positive_likelihood_ratio(tp: int, fp: int, fn: int, tn: int) -> Fraction | float | None:
    """Altman & Bland 1994: sensitivity / (1 - specificity)."""
    if tp + fn == 0 or fp + tn == 0 or tp + fp == 0:
        return None
    return inf if fp == 0 else Fraction(tp, tp + fn) / (1 - Fraction(tn, fp + tn))


@counted("LR-")
def negative_likelihood_ratio(tp: int, fp: int, fn: int, tn: int) -> Fraction | float | None:
    """Altman & Bland 1994: (1 - sensitivity) / specificity."""
    if tp + fn == 0 or fp + tn == 0 or fn + tn == 0:
        return None
    return inf if tn == 0 else (1 - Fraction(tp, tp + fn)) / Fraction(tn, fp + tn)


@counted("DOR")
def diagnostic_odds_ratio(tp: int, fp: int, fn: int, tn: int) -> Fraction | float | None:
    """Glas et al. 2003: (TP / FN) / (FP / TN), infinite without errors of one kind."""
    if 0 in (tp + fn, fp + tn, tp + fp, fn + tn):
        return None
    return inf if 0 in (fp, fn) else Fraction(tp, fn) / Fraction(fp, tn) if tn else Fraction(0)


@counted("GMean")
def geometric_mean(tp: int, fp: int, fn: int, tn: int) -> float | None:
    """Kubat & Matwin 1997: the square root of the accuracy on positives times that on negatives."""
    if 0 in (tp + fn, fp + tn):
        return None
    return sqrt(Fraction(tp, tp + fn) * Fraction(tn, fp + tn))


@counted("NetBenefit")
def net_benefit(
    tp: int, fp: int, fn: int, tn: int, *, threshold: float = 0.5, scale: str = "net"
) -> Fraction | None:
    """Vickers & Elkin 2006: TP / n - FP / n p / (1 - p); Kerr et al. 2016 divide by prevalence, and
    interventions avoided are the gain over treating all, times (1 - p) / p.
    """
    risk = Fraction(repr(threshold))
    odds, total = risk / (1 - risk), tp + fp + fn + tn
    if total == 0:
        return None
    net, treat_all = (
        Fraction(hits, total) - Fraction(others, total) * odds
        for hits, others in ((tp, fp), (tp + fn, fp + tn))
    )
    if scale == "avoided":
        return (net - treat_all) / odds
    return ratio(net, Fraction(tp + fn, total)) if scale == "standardized" else net


@counted("Prevalence")
def prevalence(tp: int, fp: int, fn: int, tn: int) -> Fraction | None:
    """van Rijsbergen 1979, ch. 7: generality, |A| / N."""
    return ratio(tp + fn, tp + fp + fn + tn)


@counted("FowlkesMallows")
def fowlkes_mallows(tp: int, fp: int, fn: int, tn: int) -> float | None:
    """Fowlkes & Mallows 1983: geometric mean of TP / (TP + FP) and TP / (TP + FN)."""
    if tp + fp == 0 or tp + fn == 0:
        return None
    return sqrt(Fraction(tp, tp + fp) * Fraction(tp, tp + fn))


@joint("Accuracy")
def share_right(table: Table) -> Fraction | None:
    """Share of items on the diagonal."""
    return ratio(sum(row[place] for place, row in enumerate(table)), sum(map(sum, table)))


@joint("Error")
def share_wrong(table: Table) -> Fraction | None:
    """Share of items off the diagonal."""
    right = share_right(table)
    return None if right is None else 1 - right


@joint("BalancedAccuracy")
def mean_recall(table: Table) -> Fraction | None:
    """scikit-learn 1.9, balanced_accuracy_score: mean recall of the categories that occur in the
    truth.
    """
    recalls = [Fraction(row[place], sum(row)) for place, row in enumerate(table) if sum(row)]
    return sum(recalls, Fraction(0)) / len(recalls) if recalls else None


@joint("GMean")
def root_of_recalls(table: Table) -> float | None:
    """imbalanced-learn, geometric_mean_score: the product of the recalls to the power of one over
    their number, of the categories that occur in the truth.
    """
    recalls = [Fraction(row[place], sum(row)) for place, row in enumerate(table) if sum(row)]
    return float(prod(recalls)) ** (1 / len(recalls)) if recalls else None


@joint("kappa")
def cohen(table: Table) -> Fraction | None:
    """Cohen 1960, (1), of any number of categories."""
    n = sum(map(sum, table))
    if n == 0:
        return None
    observed = Fraction(sum(row[place] for place, row in enumerate(table)), n)
    columns = [sum(row[place] for row in table) for place in range(len(table))]
    expected = sum(
        Fraction(sum(row) * column, n * n) for row, column in zip(table, columns, strict=True)
    )
    return ratio(observed - expected, 1 - expected)


def weighted_cohen(table: Table, weights: str) -> Fraction | None:
    """Cohen 1968, (3): 1 - sum of v_ij p_oij over sum of v_ij p_cij, v_ij the distance of
    categories i and j, or its square.
    """
    n = sum(map(sum, table))
    if n == 0:
        return None
    columns = [sum(row[place] for row in table) for place in range(len(table))]
    observed = expected = Fraction(0)
    for i, row in enumerate(table):
        for j, cell in enumerate(row):
            weight = abs(i - j) if weights == "linear" else (i - j) ** 2
            observed += weight * Fraction(cell, n)
            expected += weight * Fraction(sum(row) * columns[j], n * n)
    loss = ratio(observed, expected)
    return None if loss is None else 1 - loss


@joint("MCC")
def gorodkin(table: Table) -> float | None:
    """Gorodkin 2004, (8): R_K from the triple sums over the confusion matrix."""
    k = range(len(table))
    above = sum(
        table[a][a] * table[b][c] - table[a][b] * table[c][a] for a in k for b in k for c in k
    )
    rows = [sum(table[a]) for a in k]
    columns = [sum(table[b][a] for b in k) for a in k]
    n = sum(rows)
    left = sum(row * (n - row) for row in rows)
    right = sum(column * (n - column) for column in columns)
    return above / sqrt(left) / sqrt(right) if left and right else None


@counted("Utility")
def utility(
    tp: int,
    fp: int,
    fn: int,
    tn: int,
    *,
    found: float = 1.0,
    nonrelevant: float = -1.0,
    missed: float = 0.0,
    rejected: float = 0.0,
) -> float:
    """Lewis 1995: u_TP TP + u_FP FP + u_FN FN + u_TN TN; Hull & Robertson 1999, LF1: 3 TP - 2 FP;
    trec_eval utility.
    """
    return found * tp + nonrelevant * fp + missed * fn + rejected * tn
