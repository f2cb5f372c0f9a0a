"""Items of Zhang & Su (2012), Yeh (2000) and Goutte & Gaussier (2005)."""

from __future__ import annotations

from tests.documents.items import Item, Source

_TABLE_2 = "precall curve table2.csv --label hit --score score --points"
_NULL = "precall null --items 1000 --relevant 100"
ZHANG_SU = Source(
    "Zhang & Su (2012): Table II, hits at 1, 2 and 4 of 8; random selection",
    """\
import precall as pc
hits = pc.Hits.of([1, 2, 4], retrieved=8, relevant=3)
hit = [1, 1, 0, 1, 0, 0, 0, 0]
a, b = [8, 7, 6, 5, 4, 3, 2, 1], [1, 2, 8, 3, 7, 6, 5, 4]
""",
    {"table2.csv": "dict(hit=hit, score=a)"},
    (
        Item(
            "Table II: recall",
            "recall at 1 to 8",
            '[pc.measure(f"R@{k}")(hits)[0] for k in range(1, 9)]',
            "0.3333, 0.6667, 0.6667, 1, 1, 1, 1, 1",
            _TABLE_2,
            "2 7 2 0 1 5 1.0000 0.6667",
        ),
        Item(
            "Table II: precision",
            "precision at 1 to 8",
            '[pc.measure(f"P@{k}")(hits)[0] for k in range(1, 9)]',
            "1, 1, 0.6667, 0.75, 0.6, 0.5, 0.4286, 0.375",
            _TABLE_2,
            "3 6 2 1 1 4 0.6667 0.6667",
        ),
        Item(
            "text: precision decreases with t; it rises at a hit, in Table II from t = 3 to 4",
            "precision at 4 less that at 3",
            'pc.measure("P@4")(hits)[0] - pc.measure("P@3")(hits)[0]',
            "0.0833",
        ),
        Item(
            "Table II: h(t), hits among the first t",
            "true positives",
            'pc.curve(hit, a).points()["tp"]',
            "1, 2, 2, 3, 3, 3, 3, 3",
            _TABLE_2,
            "8 1 3 5 0 0 0.3750 1.0000",
        ),
        Item(
            "AP of this ranking, (1/1 + 2/2 + 3/4) / 3",
            "average precision",
            'pc.measure("AP")(hits)[0]',
            "0.916667",
            "precall curve table2.csv --label hit --score score",
            "AP 0.9167",
        ),
        Item(
            "locations L_i of the relevant items", "ranks of the hits", "hits.location", "1, 2, 4"
        ),
        Item(
            "recall 1 is reached at L_m",
            "k at recall 1",
            'pc.measure("KAtRecall(recall=1)")(hits)[0]',
            "4",
        ),
        Item(
            "formulas (1) to (4): mean and variance of recall at 100",
            "recall by chance",
            "(n := pc.null.recall(1000, 100, 100)).mean, n.var",
            "0.1, 0.00081081",
            f"{_NULL} --format csv",
            "at 100,exact,mean,0.1 / at 100,exact,variance,0.0008108108108108109",
        ),
        Item(
            "formulas (1) to (4): mean and variance of precision at 100",
            "precision by chance",
            "(n := pc.null.precision(1000, 100, 100)).mean, n.var",
            "0.1, 0.00081081",
            f"{_NULL} --precision --at 100",
            "precision at 100 exact 0.1",
        ),
        Item(
            "recall at 500 for 2000 items, 500 of them relevant",
            "recall by chance",
            "(n := pc.null.recall(2000, 500, 500)).mean, n.var",
            "0.25, 0.00028139",
            "precall null --items 2000 --relevant 500 --format csv",
            "at 500,exact,mean,0.25 / at 500,exact,variance,0.0002813906953476738",
        ),
        Item(
            "(6), whose denominator must be C(n, m): P(L_2 = 2..7), n = 8, m = 3",
            "distribution of L_i",
            "[float(x) for x in pc.null.location(8, 3, 2).pmf().values()]",
            "0.107143, 0.178571, 0.214286, 0.214286, 0.178571, 0.107143",
        ),
        Item(
            "(7), the same error: P(L_1 = 1, L_2 = 2), C(8, 2) / C(10, 4)",
            "joint distribution of L_i and L_j",
            "float(pc.null.locations(10, 4, 1, 2).probability(1, 2))",
            "0.133333",
        ),
        Item(
            "(8): E L_i is i (n+1) / (m+1), not i n / m; n = 8, m = 3",
            "mean of L_i",
            "[pc.null.location_mean(8, 3, i) for i in (1, 2, 3)]",
            "2.25, 4.5, 6.75",
        ),
        Item(
            "(8), n = 10, m = 4, i = 2: 4.4, not 5",
            "mean of L_i",
            "pc.null.location_mean(10, 4, 2)",
            "4.4",
        ),
        Item(
            "(8) to (11): variance of L_i, corrected: i (n+1)(n-m)(m+1-i) / ((m+1)²(m+2))",
            "variance of L_i",
            "pc.null.location_variance(10, 4, 2)",
            "2.64",
        ),
        Item(
            "(10): covariance of L_i and L_j, corrected with m+1-j",
            "covariance of L_i",
            "pc.null.location_covariance(10, 4, 1, 2)",
            "1.32",
        ),
        Item(
            "(8) to (11): mean of 1/L_1, exactly 341/560",
            "mean of 1/L_i",
            "pc.null.reciprocal_location_mean(8, 3, 1)",
            "0.608929",
        ),
        Item(
            "RR of 100 of 1000, exact",
            "mean of 1/L_1",
            "pc.null.reciprocal_rank(1000, 100).mean",
            "0.256170",
        ),
        Item(
            "Table III: mean of AP, 100 of 1000; printed .1037 twice, exact is .105843",
            "AP by chance",
            "pc.null.average_precision(1000, 100).mean",
            "0.105843",
            _NULL,
            "AP to 2 % 0.105843",
        ),
        Item(
            "(13), Table III: variance of AP; printed .0001392, exact is .00013015",
            "AP by chance",
            "pc.null.average_precision(1000, 100).var",
            "0.00013015",
            f"{_NULL} --format csv",
            "2 %,variance,0.00013015371369317616",
        ),
        Item(
            "Table III: 500 of 2000; printed .2522 and .000142 (theoretical)",
            "AP by chance, exact",
            "(n := pc.null.average_precision(2000, 500)).mean, n.var",
            "0.252693, 0.00009893",
            "precall null --items 2000 --relevant 500",
            "0.252693",
        ),
        Item(
            "Table III, theoretical, as published",
            "their approximation",
            "(n := pc.null.average_precision(1000, 100).zhang_su()).mean, n.var",
            "0.1037, 0.0001392",
            f"{_NULL} --published --format csv",
            "& Su,variance,0.00013923479622513605",
        ),
        Item(
            (
                'abstract: "asymptotic properties"; with p = m / n, the variance of AP tends to '
                "p² (1-p) / m; here n = 1000, m = 100"
            ),
            "variance of AP over its limit",
            "100 * pc.null.average_precision(1000, 100).var / (.1**2 * .9)",
            "1.446",
        ),
        Item(
            "Table III: AP is not yet normal in either setting; its skewness is .787 and .272",
            "skewness",
            "[pc.null.average_precision(*both).skewness for both in ((1000, 100), (2000, 500))]",
            "0.787, 0.272",
        ),
        Item(
            (
                "(13), Table III: the published variance tends to 3/2 of this limit; here 10^5 of "
                "10^6 items are relevant"
            ),
            "published variance over the limit",
            "10**5 * pc.null.average_precision(10**6, 10**5).zhang_su().var / (.1**2 * .9)",
            "1.5001",
        ),
        Item(
            "Table III: quantiles .0876, .1044, .1321",
            "median of AP",
            "pc.null.average_precision(1000, 100).ppf(.5)",
            "0.1044",
            _NULL,
            "0.0876227 0.104432 0.132105",
        ),
        Item(
            "inference: is Table II's ranking better than chance? 2 of C(8, 3) = 56 are as good",
            "p",
            "pc.null.test(hits).p",
            "0.035714",
            "precall null --items 8 --relevant 3 --ap 0.916667",
            "0.0357143 exact",
        ),
        Item(
            "inference, of a curve",
            "p of AP",
            "pc.null.test(pc.curve(hit, a)).p",
            "0.035714",
            "precall curve table2.csv --label hit --score score --null",
            "AP p 0.0357143",
        ),
        Item(
            "R-precision by chance, m/n",
            "mean of R-precision",
            "pc.null.r_precision(200, 20).mean",
            "0.1",
            "precall null --items 200 --relevant 20 --rprec --level 0.99",
            "R-precision exact 0.1",
        ),
        Item(
            "AUC by chance",
            "mean of AUC",
            "pc.null.area_under_roc(200, 20).mean",
            "0.5",
            "precall null --items 200 --relevant 20 --auc",
            "AUC exact 0.5",
        ),
        Item(
            "A better than B: by AP, 11/12 - (1/6 + 2/7 + 3/8) / 3",
            "difference of two rankings",
            'pc.compare.cases(hit, a, b, "AP").difference',
            "0.640873",
        ),
        Item(
            "A better than B: by precision and recall at 4, 3/4 - 0 and 3/3 - 0",
            "difference of P@k, of R@k",
            '[pc.compare.cases(hit, a, b, m).difference for m in ("P@4", "R@4")]',
            "0.75, 1",
        ),
        Item(
            "A better than B: by recall at a threshold, 3/3 - 1/3",
            "difference of recall",
            'pc.compare.cases(hit, a, b, "R", threshold=3).difference',
            "0.666667",
        ),
    ),
)

_COMPARE = "precall compare --decisions said.csv --truth t --a p --b q"
YEH = Source(
    (
        "Yeh (2000): two systems' decisions about the same items, eight of them relevant; p "
        "counted by hand, t by its formula"
    ),
    """\
import precall as pc
truth = [1, 1, 1, 1, 1, 1, 1, 1, 0, 0]
a, b = [1, 1, 1, 1, 1, 1, 1, 0, 0, 0], [1, 0, 0, 0, 0, 0, 0, 0, 0, 1]
def p(measure, **how): return pc.compare.decisions(truth, a, b, measure, **how).p
""",
    {"said.csv": "dict(t=truth, p=a, q=b)"},
    (
        Item(
            'abstract: "computationally-intensive randomization tests"; recall, 2 of 2^6 swaps',
            "randomization of recall",
            'p("R")',
            "0.03125",
            f"{_COMPARE} -m R",
            "0.7500 / 0.0312",
        ),
        Item(
            'abstract: "recall, precision and balanced F-score"; precision, 2 of 2^7 swaps',
            "randomization of precision",
            'p("P")',
            "0.015625",
            f"{_COMPARE} -m P",
            "0.5000 / 0.0156",
        ),
        Item(
            'abstract: "recall, precision and balanced F-score"; F, 2 of 2^7 swaps',
            "randomization of F",
            'p("F")',
            "0.015625",
            f"{_COMPARE} -m F",
            "0.7333 / 0.0156",
        ),
        Item(
            "the difference of F, 14/15 - 2/10",
            "difference",
            'pc.compare.decisions(truth, a, b, "F").difference',
            "0.733333",
            f"{_COMPARE} -m F",
            "F 0.9333 0.2000 0.7333",
        ),
        Item(
            'conclusions: "matched-pair t"; t = .75 √8 / √(1.5 / 7), 7 degrees of freedom',
            "paired t test of recall",
            'p("R", test="t")',
            "0.002536",
            f"{_COMPARE} -m R --test t",
            "0.7500 / 0.0025",
        ),
        Item(
            'conclusions: "Wilcoxon tests"; 2 of 2^6 signs',
            "signed rank test of recall",
            'p("R", test="wilcoxon")',
            "0.03125",
            f"{_COMPARE} -m R --test wilcoxon",
            "0.7500 / 0.0312",
        ),
        Item(
            'conclusions: "sign"; 6 to 0',
            "sign test of recall",
            'p("R", test="sign")',
            "0.03125",
            f"{_COMPARE} -m R --test sign",
            "0.7500 / 0.0312",
        ),
        Item(
            "McNemar's test of accuracy; 7 to 0",
            "accuracy",
            'p("accuracy", test="mcnemar")',
            "0.015625",
            f"{_COMPARE} -m accuracy --test mcnemar",
            "0.7000 / 0.0156",
        ),
    ),
)

GOUTTE_GAUSSIER = Source(
    (
        "Goutte & Gaussier (2005): posteriors of (TP, FP, FN) = (10, 10, 0) and (3, 2, 7); paired "
        "outcomes"
    ),
    """\
import precall as pc
bayes = pc.compare.bayes
truth = [1] * 10 + [0] * 20
a, b = [1] * 20 + [0] * 10, [1] * 3 + [0] * 7 + [1] * 2 + [0] * 18
""",
    {"said.csv": "dict(t=truth, p=a, q=b)"},
    (
        Item(
            'abstract: "posterior distributions on these performance indicators"',
            "P(second precision > first)",
            "bayes.precision(3, 2).greater(bayes.precision(10, 10))",
            "0.652222",
        ),
        Item(
            'abstract: "results, in terms of precision, recall and F-score"',
            "P(first F > second)",
            "bayes.f(10, 10, 0).greater(bayes.f(3, 2, 7))",
            "0.922778",
        ),
        Item(
            "F: the middle 95 % of its posterior",
            "interval of F",
            "bayes.f(10, 10, 0).interval(.95)",
            "0.443679, 0.819162",
        ),
        Item(
            "F: the median of its posterior",
            "median of F",
            "bayes.f(10, 10, 0).ppf(.5)",
            "0.655918",
        ),
        Item(
            "the same from two sets of decisions",
            "P(F_a > F_b)",
            "bayes.decisions(truth, a, b).f.independent.greater",
            "0.922778",
            f"{_COMPARE} -m F",
            "0.9228",
        ),
        Item(
            "the same from two sets of decisions",
            "P(precision of b > of a)",
            "bayes.decisions(truth, a, b).precision.independent.less",
            "0.652222",
            f"{_COMPARE} -m P",
            "0.3478",
        ),
        Item(
            (
                'abstract: "competing results are obtained on the same data"; counts of items '
                "that only one system gets right"
            ),
            "paired outcomes (17, 4), (1, 4), (3, 1)",
            "[bayes.outcomes(x, y).greater for x, y in ((17, 4), (1, 4), (3, 1))]",
            "0.998302, 0.087713, 0.839531",
        ),
    ),
)
