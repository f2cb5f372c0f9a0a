"""Measures of counts: functions of a contingency table.

Each is declared once. It applies to decisions, operating points, curves (a value per threshold),
rankings cut at a rank (`F@10`) and the retrieved set (`SetF`).
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Annotated, Any

import numpy as np

from precall.core.counts import Counts
from precall.measures.registry import (
    Alpha,
    Beta,
    Distances,
    Persistence,
    Real,
    Values,
    choice,
    measure,
)
from precall.measures.registry import CountsExample as Example


@measure(
    "P",
    labelings="rising",
    of=Counts,
    sources=["van-rijsbergen-1979"],
    aliases=["Precision", "PPV", "PositivePredictiveValue"],
    range=(0, 1),
    linear=True,
    monotone=True,
    proportion=("tp", "fp"),
    undefined="nothing is accepted",
    trec_eval=["P_{cutoff}", "set_P"],
    sklearn="precision_score",
    example=Example(tp=2, fp=3, fn=1, tn=4, value=2 / 5),
)
def precision(c: Counts) -> Values:
    """Precision: share of the accepted items that are relevant."""
    return c.tp / c.accepted


@measure(
    "R",
    of=Counts,
    sources=["van-rijsbergen-1979"],
    aliases=["Recall", "Sensitivity", "TPR", "TruePositiveRate"],
    range=(0, 1),
    linear=True,
    monotone=True,
    proportion=("tp", "fn"),
    undefined="nothing is relevant",
    trec_eval=["recall_{cutoff}", "set_recall"],
    sklearn="recall_score",
    example=Example(tp=2, fp=3, fn=1, tn=4, value=2 / 3),
)
def recall(c: Counts) -> Values:
    """Recall: share of the relevant items that are accepted."""
    return c.tp / c.relevant


@measure(
    "F",
    of=Counts,
    sources=["van-rijsbergen-1979"],
    range=(0, 1),
    linear=True,
    monotone=True,
    undefined=(
        "nothing is relevant and nothing is accepted; with beta 0, if nothing is accepted; with "
        "alpha 0, if nothing is relevant"
    ),
    trec_eval="set_F",
    sklearn="fbeta_score",
    aliases=["FMeasure", "FScore", "FBeta", "Dice"],
    elsewhere={
        r"(?i:setf)\(.*beta=(?!1(\.0*)?[,)]).*": (
            "beta is van Rijsbergen's here; trec_eval's set_F and ir_measures' "
            "SetF take its square, so their beta=4 is our beta=2"
        )
    },
    example=Example(tp=2, fp=3, fn=1, tn=4, value=1 / 2),
)
def f_measure(c: Counts, *, beta: Beta = 1.0, alpha: Alpha | None = None) -> Values:
    """F: weighted harmonic mean of precision and recall; recall counts `beta` times as much. With
    beta 0 it is precision.

    F = (1 + beta²) P R / (beta² P + R) = (1 + beta²) TP / (beta² relevant + accepted). In the
    second form it is defined, and 0, if precision and recall are both 0. The number in
    trec_eval's `set_F.x` is beta², not beta. So its set_F.0.5 and ir_measures' SetF(beta=0.5) are
    our SetF(beta=0.7071).

    Van Rijsbergen's alpha, the weight of precision, may be given instead of beta: F = 1 / (alpha /
    P + (1 - alpha) / R), with alpha = 1 / (beta² + 1). So F(alpha=0.5) is F1, F(alpha=0.2) is
    F(beta=2), and F(alpha=0) is recall.
    """
    if alpha is not None:
        return c.tp / (alpha * c.accepted + (1 - alpha) * c.relevant)
    return (1 + beta**2) * c.tp / (beta**2 * c.relevant + c.accepted)


@measure(
    "E",
    of=Counts,
    sources=["van-rijsbergen-1979"],
    range=(0, 1),
    direction=-1,
    linear=True,
    undefined=(
        "nothing is relevant and nothing is accepted; with beta 0, if nothing is accepted; with "
        "alpha 0, if nothing is relevant"
    ),
    example=Example(tp=2, fp=3, fn=1, tn=4, value=1 / 2),
)
def e_measure(c: Counts, *, beta: Beta = 1.0, alpha: Alpha | None = None) -> Values:
    """E: effectiveness error, 1 - F; with beta = 1 it is the set overlap error |A Δ B| / (|A| +
    |B|). Low is good.

    E = 1 - 1 / (alpha / P + (1 - alpha) / R), alpha = 1 / (beta² + 1): van Rijsbergen's alpha may
    be given instead of beta.
    """
    return 1 - f_measure(c, beta=beta, alpha=alpha)


@measure(
    "Accuracy",
    of=Counts,
    sources=["sokolova-lapalme-2009"],
    aliases=["SubsetAccuracy"],
    range=(0, 1),
    linear=True,
    monotone=True,
    proportion=("tp tn", "fp fn"),
    undefined="there are no items",
    sklearn="accuracy_score",
    items=lambda c: c.right,
    example=Example(tp=2, fp=3, fn=1, tn=4, value=6 / 10),
)
def accuracy(c: Counts) -> Values:
    """Accuracy: share of the decisions that are right; for decisions in categories, the share of
    items whose labels are all correct.
    """
    return (c.tp + c.tn) / c.total


@measure(
    "Error",
    of=Counts,
    sources=["sokolova-lapalme-2009"],
    range=(0, 1),
    direction=-1,
    linear=True,
    proportion=("fp fn", "tp tn"),
    undefined="there are no items",
    sklearn="zero_one_loss",
    items=lambda c: ~c.right,
    example=Example(tp=2, fp=3, fn=1, tn=4, value=4 / 10),
)
def error(c: Counts) -> Values:
    """Error: share of the decisions that are wrong, 1 - accuracy."""
    return (c.fp + c.fn) / c.total


@measure(
    "Specificity",
    of=Counts,
    sources=["sokolova-lapalme-2009"],
    aliases=["RejectionRecall", "TNR", "TrueNegativeRate", "Selectivity"],
    range=(0, 1),
    linear=True,
    monotone=True,
    proportion=("tn", "fp"),
    undefined="everything is relevant",
    example=Example(tp=2, fp=3, fn=1, tn=4, value=4 / 7),
)
def specificity(c: Counts) -> Values:
    """Specificity: share of the nonrelevant items that are not accepted; LingPipe calls it
    rejection recall.
    """
    return c.tn / c.other


@measure(
    "NPV",
    of=Counts,
    sources=["sokolova-lapalme-2009"],
    aliases=["NegativePredictiveValue", "RejectionPrecision"],
    range=(0, 1),
    linear=True,
    monotone=True,
    proportion=("tn", "fn"),
    undefined="everything is accepted",
    example=Example(tp=2, fp=3, fn=1, tn=4, value=4 / 5),
)
def negative_predictive_value(c: Counts) -> Values:
    """Negative predictive value: share of the items not accepted that are indeed not relevant."""
    return c.tn / c.rejected


@measure(
    "Fallout",
    of=Counts,
    sources=["van-rijsbergen-1979"],
    aliases=["FPR", "FalsePositiveRate", "fall-out"],
    range=(0, 1),
    direction=-1,
    linear=True,
    proportion=("fp", "tn"),
    undefined="everything is relevant",
    example=Example(tp=2, fp=3, fn=1, tn=4, value=3 / 7),
)
def fallout(c: Counts) -> Values:
    """Fallout: share of the nonrelevant items that are accepted, 1 - specificity, the false
    positive rate.
    """
    return c.fp / c.other


@measure(
    "BalancedAccuracy",
    of=Counts,
    sources=["brodersen-2010"],
    aliases=["BA"],
    range=(0, 1),
    linear=True,
    monotone=True,
    undefined="nothing is relevant, or everything is",
    sklearn="balanced_accuracy_score",
    chance_is_zero=False,
    joint=lambda c: np.nanmean(c.tp / c.relevant, axis=-1) if c.relevant.any() else float("nan"),
    example=Example(tp=2, fp=3, fn=1, tn=4, value=(2 / 3 + 4 / 7) / 2),
)
def balanced_accuracy(c: Counts) -> Values:
    """Balanced accuracy: mean of recall and specificity; for single-label decisions, the mean
    recall of the categories.

    Categories that no item belongs to are left out of that mean, as in scikit-learn.
    """
    return (c.tp / c.relevant + c.tn / c.other) / 2


# For the whole table, with n items and margins t and p, the terms n right - Σ t p, n² - Σ t p,
# n² - Σ p² and n² - Σ t² equal sums over categories of products of cells. These sums are used:
# subtracting squares from n² would lose all digits of small weights.
def _joint_mcc(c: Counts) -> Values:
    w = c.wide()
    shared = (w.tp * w.tn - w.fp * w.fn).sum(axis=-1)
    accepted = (w.accepted * w.rejected).sum(axis=-1)
    true = (w.relevant * w.other).sum(axis=-1)
    # One root, as in `matthews`, makes ±1 exact. Two roots are for sums whose product would
    # underflow.
    product, roots = np.float64(accepted) * np.float64(true), np.sqrt(accepted) * np.sqrt(true)
    return shared / np.where(product > 1e-290, np.sqrt(product), roots)


def _joint_kappa(c: Counts, weights: str = "none") -> Values:
    w = c.wide()
    if weights != "none":
        count = (w.tp.shape[-1] + 1) // 2
        observed = w.accepted[..., count:] @ np.arange(1, count) ** POWERS[weights]
        return kappa_by_distance(
            observed, w.relevant[..., :count], w.accepted[..., :count], weights
        )
    return (w.tp * w.tn - w.fp * w.fn).sum(axis=-1) / (w.relevant * w.rejected).sum(axis=-1)


#: The power of the distance by which a mistake counts.
POWERS = {"linear": 1, "quadratic": 2}
#: Squares of numbers below this, and the sum of two such squares, are exact as integers.
_EXACT = 2.0**30


def kappa_by_distance(observed: Values, true: Values, decided: Values, weights: str) -> Values:
    """Weighted kappa, from the summed distances of mistakes and both margins (last axis).

    The margins say how often each category is true, and how often it is decided.
    """
    count = true.shape[-1]
    if float(np.max(true.sum(axis=-1), initial=0)) * count >= _EXACT:
        observed, true, decided = (
            np.asarray(cells, np.float64) for cells in (observed, true, decided)
        )
    total = true.sum(axis=-1)
    if weights == "linear":
        # |i - j| is the number of cuts between i and j: sum over cuts instead of pairs.
        below = (np.cumsum(cells, axis=-1)[..., :-1] for cells in (true, decided))
        a, b = below
        expected = (a * (total[..., None] - b) + b * (total[..., None] - a)).sum(axis=-1)
    else:
        # Counted from the middle category: smaller numbers lose less if cells are not integers.
        offset = np.arange(count) - count // 2
        squares, a, b = (true + decided) @ offset**2, true @ offset, decided @ offset
        expected = total * squares - 2 * a * b
    return (expected - total * observed) / expected


@measure(
    "MCC",
    of=Counts,
    sources=["matthews-1975", "gorodkin-2004"],
    aliases=["Phi", "MatthewsCorrelation"],
    range=(-1, 1),
    linear=True,
    monotone=True,
    undefined="a row or a column of the table is empty",
    sklearn="matthews_corrcoef",
    joint=_joint_mcc,
    example=Example(tp=2, fp=3, fn=1, tn=4, value=(2 * 4 - 3 * 1) / (5 * 5 * 3 * 7) ** 0.5),
)
def matthews(c: Counts) -> Values:
    """Matthews correlation of decisions and truth: (TP TN - FP FN) / √((TP + FP) (TP + FN)
    (TN + FP) (TN + FN)).

    It is 1 if all decisions are right, -1 if all are wrong. For single-label decisions with several
    categories it is Gorodkin's R_K, of the whole table. scikit-learn prints 0 if it is undefined.
    """
    w = c.wide()
    # One root of the product: it is a square if all is right or all is wrong, so ±1 is exact.
    root = np.sqrt((w.accepted * w.relevant).astype(np.float64) * (w.rejected * w.other))
    return (w.tp * w.tn - w.fp * w.fn) / root


@measure(
    "kappa",
    of=Counts,
    sources=["cohen-1960", "cohen-1968"],
    aliases=["CohenKappa", "CohensKappa"],
    range=(-1, 1),
    linear=True,
    monotone=True,
    undefined="all items stand in one cell of the diagonal",
    sklearn="cohen_kappa_score",
    joint=_joint_kappa,
    ordered="weights",
    example=Example(tp=2, fp=3, fn=1, tn=4, value=2 * (2 * 4 - 3 * 1) / (5 * 7 + 3 * 5)),
)
def kappa(c: Counts, *, weights: Distances = "none") -> Values:
    """Cohen's kappa: (p - e) / (1 - e), with accuracy p and the accuracy e expected by chance.

    For single-label decisions with several categories it is computed from the whole table. With
    weights "linear" or "quadratic" a mistake counts by the distance of the two categories in their
    order, |i - j| or (i - j)² (Cohen 1968): kappa is then 1 minus the mean distance over the
    distance expected from the margins. The order comes from `categories`, an ordered Categorical,
    an Enum, or numbers. Texts, also those of a StrEnum, have no known order and are refused. For
    two categories weights change nothing. The mean over categories of their kappas, weighted by
    their items, is another number: average="weighted".
    """
    w = c.wide()
    return 2 * (w.tp * w.tn - w.fp * w.fn) / (w.accepted * w.other + w.relevant * w.rejected)


@measure(
    "Jaccard",
    of=Counts,
    sources=["jaccard-1912"],
    aliases=["IoU", "CSI", "ThreatScore", "JaccardIndex"],
    range=(0, 1),
    monotone=True,
    undefined="nothing is relevant and nothing is accepted",
    sklearn="jaccard_score",
    example=Example(tp=2, fp=3, fn=1, tn=4, value=2 / 6),
)
def jaccard(c: Counts) -> Values:
    """Jaccard index: items both relevant and accepted, over items of either kind, F / (2 - F)."""
    return c.tp / (c.tp + c.fp + c.fn)


@measure(
    "YoudenJ",
    of=Counts,
    sources=["youden-1950"],
    aliases=["Youden", "Informedness", "Bookmaker"],
    range=(-1, 1),
    linear=True,
    monotone=True,
    undefined="nothing is relevant, or everything is",
    example=Example(tp=2, fp=3, fn=1, tn=4, value=2 / 3 - 3 / 7),
)
def youden(c: Counts) -> Values:
    """Youden's J: recall + specificity - 1; 0 for random decisions."""
    return c.tp / c.relevant - c.fp / c.other


@measure(
    "LR+",
    of=Counts,
    sources=["deeks-altman-2004"],
    aliases=["PositiveLikelihoodRatio"],
    range=(0, np.inf),
    monotone=True,
    zero=1.0,
    undefined="nothing is relevant, everything is, or nothing is accepted",
    sklearn="class_likelihood_ratios",
    example=Example(tp=2, fp=3, fn=1, tn=4, value=(2 / 3) / (3 / 7)),
)
def positive_likelihood_ratio(c: Counts) -> Values:
    """Positive likelihood ratio: recall over fallout; infinite if no other item is accepted.

    With `undefined="zero"` an undefined value counts 1, the value of a test that tells nothing: 0
    would be worse than chance.
    """
    return (c.tp / c.relevant) / (c.fp / c.other)


@measure(
    "LR-",
    labelings="ordered",
    of=Counts,
    sources=["deeks-altman-2004"],
    aliases=["NegativeLikelihoodRatio"],
    range=(0, np.inf),
    direction=-1,
    zero=1.0,
    undefined="nothing is relevant, everything is, or everything is accepted",
    sklearn="class_likelihood_ratios",
    example=Example(tp=2, fp=3, fn=1, tn=4, value=(1 / 3) / (4 / 7)),
)
def negative_likelihood_ratio(c: Counts) -> Values:
    """Negative likelihood ratio: miss rate (1 - recall) over specificity; low is good.

    With `undefined="zero"` an undefined value counts 1, the value of a test that tells nothing: 0
    would be the best value.
    """
    return (c.fn / c.relevant) / (c.tn / c.other)


@measure(
    "DOR",
    of=Counts,
    sources=["glas-2003"],
    aliases=["DiagnosticOddsRatio", "OddsRatio"],
    range=(0, np.inf),
    monotone=True,
    zero=1.0,
    undefined=(
        "nothing is relevant, everything is, nothing is accepted, or everything is accepted"
    ),
    example=Example(tp=2, fp=3, fn=1, tn=4, value=(2 * 4) / (3 * 1)),
)
def diagnostic_odds_ratio(c: Counts) -> Values:
    """Diagnostic odds ratio: the odds that a relevant item is accepted, over the odds that another
    one is; LR+ / LR-.

    It is 1 for random decisions, and infinite if there are no errors of one kind. With
    `undefined="zero"` an undefined value counts 1, the value of a test that tells nothing: 0 would
    be worse than chance.
    """
    w = c.wide()
    return (w.tp * w.tn) / (w.fp * w.fn)


def _mean_of_logs(c: Counts) -> Values:
    recalls = (c.tp / c.relevant)[np.asarray(c.relevant) > 0]
    return float(np.exp(np.mean(np.log(recalls)))) if len(recalls) else float("nan")


@measure(
    "GMean",
    of=Counts,
    sources=["kubat-matwin-1997"],
    aliases=["G-Mean", "GeometricMean"],
    range=(0, 1),
    monotone=True,
    undefined="nothing is relevant, or everything is",
    chance_is_zero=False,
    joint=_mean_of_logs,
    example=Example(tp=2, fp=3, fn=1, tn=4, value=(2 / 3 * 4 / 7) ** 0.5),
)
def geometric_mean(c: Counts) -> Values:
    """G-mean: geometric mean of recall and specificity; for single-label decisions, that of the
    recalls of the categories.

    It is 0 if a category is never found. Categories that no item belongs to are left out of the
    mean; imbalanced-learn's `geometric_mean_score` counts their recall as 0. The geometric mean of
    precision and recall, which some call G-measure, is FowlkesMallows.
    """
    w = c.wide()
    return np.sqrt((w.tp * w.tn) / (w.relevant * w.other))


NetScale = Annotated[str, choice("net", "standardized", "avoided")]


@measure(
    "NetBenefit",
    of=Counts,
    sources=["vickers-elkin-2006", "kerr-2016"],
    aliases=["net-benefit"],
    range=(-np.inf, 1),
    linear=True,
    shown="threshold",
    least=lambda given: {
        "net": -given["threshold"] / (1 - given["threshold"]),
        "standardized": -math.inf,
        "avoided": 1 - 1 / given["threshold"],
    }[given["scale"]],
    undefined="there are no items; standardized, nothing is relevant",
    example=Example(tp=2, fp=3, fn=1, tn=4, threshold=0.2, value=2 / 10 - 0.2 / 0.8 * 3 / 10),
)
def net_benefit(c: Counts, *, threshold: Persistence = 0.5, scale: NetScale = "net") -> Values:
    """Net benefit: true positives per item, minus false positives per item times the odds of a
    threshold.

    It is TP / A - w FP / A for A items, with w = t / (1 - t). The threshold t is the risk at which
    accepting does as much good as harm: at t = 0.2 a missed item costs as much as four false
    alarms, at the default 0.5 as much as one. Accepting nothing has net benefit 0; a rule is of use
    at t if its net benefit is greater than that and than the net benefit of accepting everything.
    Here t only weighs the counts. For scores that are probabilities, `Curve.net_benefit` accepts
    the cases whose risk is at least t as well.

    - net: In units of true positives per item.
    - standardized: Divided by prevalence, so that 1 is the most that can be reached. It is recall -
      w FP / relevant.
    - avoided: The gain over accepting everything, in units of false positives: TN / A - FN / (w A).
      Decision curves print 100 of it as the interventions avoided per 100 items.
    """
    odds = threshold / (1 - threshold)
    if scale == "avoided":
        return c.tn / c.total - c.fn / (odds * np.float64(c.total))
    if scale == "standardized":
        # Two quotients, so that it is undefined, not infinite, if nothing is relevant.
        return c.tp / c.relevant - odds * c.fp / c.relevant
    return (c.tp - odds * c.fp) / c.total


@measure(
    "Prevalence",
    of=Counts,
    sources=["van-rijsbergen-1979"],
    aliases=["Generality", "BaseRate"],
    range=(0, 1),
    direction=0,
    linear=True,
    proportion=("tp fn", "fp tn"),
    undefined="there are no items",
    example=Example(tp=2, fp=3, fn=1, tn=4, value=3 / 10),
)
def prevalence(c: Counts) -> Values:
    """Prevalence: share of all items that are relevant, whatever was accepted; retrieval calls it
    generality.
    """
    # For a curve both are Python numbers, which raise an error when divided by 0; np.divide
    # returns NaN.
    return np.divide(c.relevant, c.total)


@measure(
    "FowlkesMallows",
    of=Counts,
    sources=["fowlkes-mallows-1983"],
    aliases=["FM"],
    range=(0, 1),
    linear=True,
    monotone=True,
    undefined="nothing is relevant, or nothing is accepted",
    example=Example(tp=2, fp=3, fn=1, tn=4, value=2 / (5 * 3) ** 0.5),
)
def fowlkes_mallows(c: Counts) -> Values:
    """Fowlkes-Mallows index: geometric mean of precision and recall."""
    w = c.wide()
    return w.tp / np.sqrt(w.accepted * w.relevant)


def _greatest_utility(given: Mapping[str, Any], sign: int) -> float:
    """The greatest utility with these weights times a sign, if a cutoff or the number of all items
    is given; infinite if cases that count are not limited.
    """
    accepted, rejected = (
        max(sign * given.get(first, 0.0), sign * given.get(second, 0.0), 0.0)
        for first, second in (("found", "nonrelevant"), ("missed", "rejected"))
    )
    items = [
        math.inf if given.get(name) is None else int(given[name])
        for name in ("cutoff", "population")
    ]
    # 0 of infinitely many is 0.
    return float((accepted and accepted * min(items)) + (rejected and rejected * items[1]))


@measure(
    "Utility",
    of=Counts,
    sources=["lewis-1995", "hull-robertson-1999", "trec_eval"],
    aliases=["LinearUtility"],
    linear=True,
    shown=("found", "nonrelevant"),
    least=lambda given: -_greatest_utility(given, -1),
    most=lambda given: _greatest_utility(given, 1),
    trec_eval="utility",
    example=Example(tp=2, fp=3, fn=1, tn=4, found=3, rejected=0.5, value=3 * 2 - 3 + 0.5 * 4),
)
def utility(
    c: Counts,
    *,
    found: Real = 1.0,
    nonrelevant: Real = -1.0,
    missed: Real = 0.0,
    rejected: Real = 0.0,
) -> Values:
    """Linear utility: a weight for each cell of the contingency table, summed.

    It is found x TP + nonrelevant x FP + missed x FN + rejected x TN. Weights may be named or given
    in this order: the TREC filtering track's LF1, 3 TP - 2 FP, is Utility(3,-2). The weights are
    also called tp, fp, fn and tn. Without a weight for rejected items the number of all items is
    not needed. For a ranking, Utility without a cutoff is SetUtility, the utility of the retrieved
    set, as in trec_eval. It is never undefined: if no cell counts, it is 0.
    """
    value = found * c.tp + nonrelevant * c.fp + missed * c.fn
    return value + rejected * c.tn if rejected else value
