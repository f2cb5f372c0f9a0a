"""Items of LingPipe's documentation, of the notes on ranking, and of the article on precision and
recall.
"""

from __future__ import annotations

from tests.documents.items import Item, Source

_CURVE = "precall curve cases.csv --label correct --score score"
LINGPIPE = Source(
    "LingPipe 3.9.2, `ScoredPrecisionRecallEvaluation`: the ten cases of its documentation",
    """\
import precall as pc
from precall.compat.lingpipe import ScoredPrecisionRecallEvaluation
correct = [0, 1, 0, 1, 1, 0, 0, 0, 1, 0]
scores = [-1.21, -1.27, -1.39, -1.47, -1.60, -1.65, -1.79, -1.80, -2.01, -3.70]
c = pc.curve(correct, scores)
p = c.points()
e, perfect = ScoredPrecisionRecallEvaluation(), ScoredPrecisionRecallEvaluation()
later, negatives = ScoredPrecisionRecallEvaluation(version="4.1"), ScoredPrecisionRecallEvaluation(version="4.1")
for is_correct, score in zip(correct, scores): _ = e.add_case(bool(is_correct), score), later.add_case(bool(is_correct), score)
later.add_misses(1)
missing = ScoredPrecisionRecallEvaluation()
for is_correct, score in zip(correct, scores): missing.add_case(bool(is_correct), score)
missing.add_misses(1)
_ = perfect.add_case(True, 2), perfect.add_case(False, 1)
""",  # noqa: E501
    {"cases.csv": "dict(correct=correct, score=scores)"},
    (
        Item(
            'class, table: "4 -1.60 correct 0.75 0.60 0.67" (ranks from 0)',
            "an operating point as a row",
            '[p[n][4] for n in ("score", "recall", "precision", "specificity")]',
            "-1.60, 0.75, 0.60, 0.67",
            f"{_CURVE} --points",
            "5 -1.6 3 2 1 4 0.6000 0.7500 0.6667 0.6667 0.7000",
        ),
        Item(
            'class, table: "0 -1.21 incorrect 0.00 NaN 0.83"; its precision, 0/1, is 0, not NaN',
            "the first row",
            '[p[n][0] for n in ("recall", "precision", "specificity")]',
            "0.00, 0.00, 0.83",
            f"{_CURVE} --points",
            "1 -1.21 0 1 4 5 0.0000 0.0000 0.8333",
        ),
        Item(
            "class, table: column Rec",
            "recall",
            'p["recall"]',
            "0.00, 0.25, 0.25, 0.50, 0.75, 0.75, 0.75, 0.75, 1.00, 1.00",
        ),
        Item(
            "class, table: column Prec",
            "precision",
            'p["precision"]',
            "0.00, 0.50, 0.33, 0.50, 0.60, 0.50, 0.43, 0.38, 0.44, 0.40",
        ),
        Item(
            "class, table: column Rej Rec",
            "rejection recall",
            'p["specificity"]',
            "0.83, 0.83, 0.67, 0.67, 0.67, 0.50, 0.33, 0.17, 0.17, 0.00",
        ),
        Item(
            'class: "recall is 3/4 and rejection recall is 2/6"; that is 4/6, as in its table',
            "a threshold's point",
            "c.at(accept=5).recall, c.at(accept=5).specificity",
            "0.75, 0.6667",
            f"{_CURVE} --at accept=5 --all",
            "recall 0.7500 / specificity 0.6667",
        ),
        Item(
            'class: "prCurve(false) = { {0.25, 0.50}, ..."',
            "precision-recall curve",
            "zip(*c.pr().to_dict().values())",
            "0.25, 0.50, -1.27, 0.50, 0.50, -1.47, 0.75, 0.60, -1.60, 1.00, 0.44, -2.01",
        ),
        Item(
            'class: "prCurve(true) = { {0.75, 0.60}, {1.00, 0.44} }"',
            "interpolated precision",
            "zip(*c.pr(interpolate=True).to_dict().values())",
            "0.75, 0.60, -1.60, 1.00, 0.44, -2.01",
        ),
        Item(
            'class: "rocCurve(false) = { { 0.25, 0.83 }, ..."',
            "ROC curve",
            'c.roc().to_dict()["rejection_recall"]',
            "0.83, 0.67, 0.67, 0.17",
        ),
        Item(
            'class: "rocCurve(true) = { { 0.25, 0.83 }, ..."',
            "ROC curve, interpolated",
            "zip(*c.roc(interpolate=True).to_dict().values())",
            "0.25, 0.83, -1.27, 0.75, 0.67, -1.60, 1.00, 0.17, -2.01",
        ),
        Item(
            'class: "areaUnderPrCurve(false)"',
            "area under the PR curve",
            'c.area_under_pr("step")',
            "0.51",
            f"{_CURVE} --all",
            "area pr step 0.5111",
        ),
        Item(
            'class: "areaUnderPrCurve(true)"',
            "area, interpolated",
            'c.area_under_pr("interpolated")',
            "0.56",
            f"{_CURVE} --all",
            "area pr interpolated 0.5611",
        ),
        Item(
            'class: "areaUnderRocCurve(false) = 0.58"',
            "area under the ROC curve, AUC",
            "c.area_under_roc()",
            "0.58",
            _CURVE,
            "AUC 0.5833",
        ),
        Item(
            'class: "areaUnderRocCurve(true) = 0.58"',
            "the same, interpolated",
            "e.area_under_roc_curve(True)",
            "0.58",
        ),
        Item(
            'class: "averagePrecision() = (0.50 + 0.50 + 0.60 + 0.44)/4.00"',
            "average precision",
            "c.average_precision()",
            "0.51",
            _CURVE,
            "AP 0.5111",
        ),
        Item(
            (
                'class: "the precision-interpolated values are always higher"; its two areas '
                "under ROC are equal"
            ),
            "the gain by interpolation",
            "e.area_under_roc_curve(True) - e.area_under_roc_curve(False)",
            "0",
        ),
        Item(
            'averagePrecision: "the same as the area under the uninterpolated" graph',
            "AP is an area",
            'c.average_precision() - c.area_under_pr("step")',
            "0",
        ),
        Item(
            "averagePrecision says the same; with a miss it is not so",
            "AP of 3.9.2 with one miss, and the area",
            "missing.average_precision(), missing.area_under_pr_curve(False)",
            "0.5111, 0.4089",
        ),
        Item(
            'rocCurve: "the final entry will have recall equal to one"; with a miss it is 4/5',
            "last recall with one miss",
            "missing.roc_curve(False)[-1][0]",
            "0.8",
        ),
        Item(
            (
                'rocCurve: rows are "those at the end of a run of true positives"; each correct '
                "case has one, in three runs"
            ),
            "rows of the ROC curve",
            "len(e.roc_curve(False))",
            "4",
        ),
        Item(
            'class: "maximumFMeasure() = maximumFMeasure(1) = 0.67"',
            "maximum F-measure",
            "c.max_f().value",
            "0.67",
            _CURVE,
            "max F 0.6667",
        ),
        Item(
            'maximumFMeasure: "corresponding to recall=0.75 and precision=0.60"',
            "where F is greatest",
            "c.max_f().recall, c.max_f().precision",
            "0.75, 0.60",
            _CURVE,
            "max F precision 0.6000 / max F recall 0.7500",
        ),
        Item(
            'maximumFMeasure: "post-hoc optimal acceptance threshold"',
            "best threshold",
            "c.max_f().threshold",
            "-1.60",
            f"{_CURVE} --at max=F",
            "threshold -1.6",
        ),
        Item(
            'maximumFMeasure(double beta): "for a specified β"',
            "maximum F of β = 2 and 1/2",
            "c.max_f(2).value, c.max_f(.5).value",
            "0.8, 0.625",
            f"{_CURVE} -m 'F(beta=2)'",
            "max F(beta=2) 0.8000",
        ),
        Item(
            (
                'maximumFMeasure(double beta): "2*recall*precision/(recall+precision)", '
                "without β; the method computes F of β"
            ),
            "its maximum F of β = 2 and 1",
            "e.maximum_f_measure(2), e.maximum_f_measure(1)",
            "0.8, 0.6667",
        ),
        Item(
            'class: "prBreakevenPoint() = 0.6"',
            "break-even point, BEP",
            'c.break_even("max-min")',
            "0.6",
            f"{_CURVE} --all",
            "break-even max-min 0.6000",
        ),
        Item(
            'class: "less than or equal to the maximum F1-measure"',
            "BEP against max F",
            'c.max_f().value - c.break_even("max-min")',
            "0.0667",
        ),
        Item(
            (
                'prBreakevenPoint: "will return 0.0 if the precision-recall curve never crosses"; '
                "LingPipe gives 0 also to a perfect system"
            ),
            "BEP of a perfect system: LingPipe's and precall's",
            'perfect.pr_breakeven_point(), pc.curve([1, 0], [2, 1]).break_even("max-min")',
            "0, 1",
        ),
        Item(
            'class: "precisionAt(5)() = 0.6"',
            "precision at 5",
            "c.precision_at(5)",
            "0.6",
            f"{_CURVE} -m P@5",
            "P@5 0.6000",
        ),
        Item(
            'class: "precisionAt(10)() = 0.4"',
            "precision at 10",
            "c.precision_at(10)",
            "0.4",
            f"{_CURVE} -m P@10",
            "P@10 0.4000",
        ),
        Item(
            'class: "reciprocalRank() = 0.5"',
            "reciprocal rank, RR",
            "c.reciprocal_rank()",
            "0.5",
            f"{_CURVE} --all",
            "RR 0.5000",
        ),
        Item(
            'class: "the method addMisses(int)"',
            "AP with one miss: LingPipe ignores the miss, precall divides by 5",
            "e.average_precision(), pc.curve(correct, scores, missed=1).average_precision()",
            "0.5111, 0.4089",
            f"{_CURVE} --missed 1",
            "AP 0.4089",
        ),
        Item(
            "4.1.0, class: prCurve(false) has (0.60, 0.38) twice; it is one of eleven points",
            "points of the PR curve of 4.1",
            "len(later.pr_curve(False))",
            "11",
        ),
        Item(
            "4.1.0, its unit test: averagePrecision with one miss",
            "AP of 4.1",
            "later.average_precision()",
            "0.4089",
        ),
        Item(
            "4.1.0, its unit test: rPrecision",
            "R-precision of 4.1",
            "later.r_precision(), pc.curve(correct, scores, missed=1).r_precision()",
            "0.6, 0.6",
            f"{_CURVE} --missed 1 --all",
            "R-precision 0.6000",
        ),
        Item(
            "4.1.0, its unit test: elevenPtInterpPrecision",
            "11-point precision of 4.1",
            "later.eleven_pt_interp_precision()",
            "1.000, 0.600, 0.600, 0.600, 0.600, 0.600, 0.600, 0.444, 0.444, 0, 0",
        ),
        Item(
            "4.1.0, its unit test: precisionAt(20), of ten cases",
            "precision beyond the list",
            "later.precision_at(20), c.precision_at(20)",
            "0.20, 0.20",
            f"{_CURVE} -m P@20",
            "P@20 0.2000",
        ),
        Item(
            '4.1.0, class: "the method addNegativeMisses(int)"',
            "negative cases never scored",
            "negatives.add_negative_misses(4) or negatives.num_negative_ref()",
            "4",
        ),
    ),
)

_RANKING = "precall ranking relevant.txt ranked.txt"
NOTES = Source(
    "Notes on precision, recall, AP and R-precision: premises a, b, c in the ranking x a y b c z",
    """\
import precall as pc
relevant, ranked = ["a", "b", "c"], ["x", "a", "y", "b", "c", "z"]
def of(measure): return pc.evaluate({"g": relevant}, {"g": ranked}, [measure])[measure]
""",
    {"relevant.txt": "relevant", "ranked.txt": "ranked"},
    (
        Item(
            (
                "table: Rank, Val, Prec; its last two rows are rank 5 with 3/4 and again with "
                "3/5, for 5 with 3/5 and 6 with 3/6"
            ),
            "precision@k",
            '[of(f"P@{k}") for k in range(1, 7)]',
            "0, 0.5, 0.3333, 0.5, 0.6, 0.5",
            f"{_RANKING} --all",
            "5 c yes 3 2 0 0.6000 1.0000 0.7500 / 6 z no 3 3 0 0.5000 1.0000 0.6667",
        ),
        Item(
            "table: Rec",
            "recall@k",
            '[of(f"R@{k}") for k in range(1, 7)]',
            "0, 0.3333, 0.3333, 0.6667, 1, 1",
            f"{_RANKING} --points",
            "4 b yes 2 2 1 0.5000 0.6667 0.5714",
        ),
        Item(
            (
                'formulae: s(N), N "the total number of correct premises", later "the size of the '
                'dataset", which is right'
            ),
            "s(3) and s(6)",
            '[3 * of(f"R@{n}") for n in (3, 6)]',
            "1, 3",
        ),
        Item(
            "formulae: k@recall(r)",
            "the least k with recall 1/2",
            'of("k@recall(0.5)")',
            "4",
            f"{_RANKING} -m 'k@recall(0.5)'",
            "k@recall(0.5) 4.0000",
        ),
        Item(
            "formulae: precision@recall(r) = precision@k(k@recall(r))",
            "precision at recall 1/2",
            'of("precision@recall(0.5)")',
            "0.5",
            f"{_RANKING} -m 'precision@recall(0.5)'",
            "precision@recall(0.5) 0.5000",
        ),
        Item(
            "AP: (1/2 + 2/4 + 3/5) / 3",
            "average precision",
            'of("AP")',
            "0.5333",
            _RANKING,
            "AP 0.5333",
        ),
        Item(
            "AP, of a plain ranking",
            "the same from lists of ids",
            'pc.evaluate({"g": relevant}, {"g": ranked}, ["AP"])["AP"]',
            "0.5333",
        ),
        Item(
            "ap@K with s(K) for a denominator",
            "AP@3 and @4 over the hits so far",
            '[of(f"AP(norm=found)@{k}") for k in (3, 4)]',
            "0.5, 0.5",
            f"{_RANKING} -m 'AP(norm=found)@4'",
            "AP(norm=found)@4 0.5000",
        ),
        Item(
            "ap@K with s(N) for a denominator",
            "AP@3 and @4 over all relevant",
            '[of(f"AP@{k}") for k in (3, 4)]',
            "0.1667, 0.3333",
            f"{_RANKING} -m AP@4",
            "AP@4 0.3333",
        ),
        Item(
            "R-precision: precision at K = s(N)",
            "R-precision",
            'of("R-precision")',
            "0.3333",
            _RANKING,
            "Rprec 0.3333",
        ),
        Item(
            (
                'R-precision, at the end: "the first index K such that r(K) = 1", which is '
                "another quantity"
            ),
            "k@recall(1)",
            'of("k@recall(1)")',
            "5",
            f"{_RANKING} -m 'k@recall(1)'",
            "k@recall(1) 5.0000",
        ),
        Item(
            "precision there",
            "precision@recall(1)",
            'of("precision@recall(1)")',
            "0.6",
            f"{_RANKING} -m 'precision@recall(1)'",
            "precision@recall(1) 0.6000",
        ),
        Item(
            "where precision and recall are equal: K = 3",
            "they are equal at R",
            'of("P@3") - of("R@3")',
            "0",
            f"{_RANKING} --points",
            "3 y no 1 2 2 0.3333 0.3333",
        ),
    ),
)

_MODELS = "precall curve models.csv --label truth --score a --score b"
ARTICLE = Source(
    "Article on precision, recall and average precision: two models of eight cases",
    """\
import precall as pc
truth = [1, 1, 0, 0, 1, 1, 0, 0]
scores_a = [.95, .85, .73, .62, .48, .39, .12, .04]
scores_b = [.55, .59, .88, .97, .20, .09, .43, .32]
a, b = pc.curve(truth, scores_a), pc.curve(truth, scores_b)
top = pc.Hits.of([1, 2], retrieved=9, relevant=4)
d = pc.decisions([1, 1, 1, 0, 0, 0, 1, 1], [1, 1, 1, 1, 1, 1, 0, 0])
""",
    {"models.csv": "dict(truth=truth, a=scores_a, b=scores_b)"},
    (
        Item(
            "two models: AP of A",
            "average precision",
            "a.average_precision()",
            "0.816667",
            _MODELS,
            "AP 0.8167 0.4405",
        ),
        Item("two models: AP of B", "average precision", "b.average_precision()", "0.440476"),
        Item(
            "two models: the same contingency table at .5",
            "TP, FP, FN, TN of both",
            "[n for m in (a, b) for p in [m.at(threshold=.5)] for n in (p.tp, p.fp, p.fn, p.tn)]",
            "2, 2, 2, 2, 2, 2, 2, 2",
            f"{_MODELS} --at threshold=.5",
            "tp 2 2 / fp 2 2 / fn 2 2 / tn 2 2",
        ),
        Item(
            "two models: precision at .5",
            "precision",
            "[m.at(threshold=.5).precision for m in (a, b)]",
            "0.5, 0.5",
            f"{_MODELS} --at threshold=.5",
            "precision 0.5000 0.5000",
        ),
        Item(
            "two models: recall at .5",
            "recall",
            "[m.at(threshold=.5).recall for m in (a, b)]",
            "0.5, 0.5",
            f"{_MODELS} --at threshold=.5",
            "recall 0.5000 0.5000",
        ),
        Item(
            "two models: F at .5",
            "F1",
            "[m.at(threshold=.5).f() for m in (a, b)]",
            "0.5, 0.5",
            f"{_MODELS} --at threshold=.5",
            "F 0.5000 0.5000",
        ),
        Item(
            "which of them is better: by AP",
            "difference of AP",
            'pc.compare.cases(truth, scores_a, scores_b, "AP").difference',
            "0.376190",
            "precall curve models.csv --label truth --compare a b",
            "AP: a - b 0.3762",
        ),
        Item(
            "F_β = (1+β²) P R / (β² P + R), of P = .5 and R = .6",
            "F of β = 1/2, 1, 2",
            "d.f(.5), d.f(), d.f(2)",
            "0.5172, 0.5455, 0.5769",
        ),
        Item(
            "AP@3 = 2.00 / min(3, 4)",
            "AP@k over min(k, R)",
            'pc.measure("AP(norm=min)@3")(top)[0]',
            "0.6667",
        ),
        Item("AP@3 over all four", "AP@k over R", 'pc.measure("AP@3")(top)[0]', "0.5"),
        Item(
            "fewer than k retrieved: the missing ranks are misses",
            "P@5 of two items, both hits",
            'pc.measure("P@5")(pc.Hits.of([1, 2], retrieved=2, relevant=4))[0]',
            "0.4",
        ),
    ),
)
