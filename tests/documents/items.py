"""Source → item → call → number.

Numbers are the sources' own, where needed corrected as /docs tell, or follow from their definitions by hand; they are written
with as many digits as are compared. `docs/documents.md` is written from this table: `python -m tests.documents.page`.
"""

from __future__ import annotations

from typing import NamedTuple


class Item(NamedTuple):
    """One item of a document: what it is called there, the call, and the number, or several."""

    name: str
    call: str
    number: str


class Source(NamedTuple):
    """A document: its title, the data of its example as lines of Python, and what to type for that, and its items."""

    title: str
    data: str
    command: str
    items: tuple[Item, ...]


LINGPIPE = Source(
    "LingPipe 3.9.2, `ScoredPrecisionRecallEvaluation`: the ten cases of its documentation",
    """\
import precall as pc
scores = [-1.21, -1.27, -1.39, -1.47, -1.60, -1.65, -1.79, -1.80, -2.01, -3.70]
c = pc.curve([0, 1, 0, 1, 1, 0, 0, 0, 1, 0], scores)
""",
    "precall curve cases.csv --label correct --score score --points",
    (
        Item("averagePrecision", "c.average_precision()", "0.5111"),
        Item("areaUnderPrCurve, not interpolated", 'c.area_under_pr("step")', "0.5111"),
        Item("areaUnderPrCurve, interpolated", 'c.area_under_pr("interpolated")', "0.5611"),
        Item("areaUnderRocCurve", "c.area_under_roc()", "0.5833"),
        Item("maximumFMeasure", "c.max_f().value", "0.6667"),
        Item("its precision and recall", "c.max_f().precision, c.max_f().recall", "0.60, 0.75"),
        Item("prBreakevenPoint", 'c.break_even("max-min")', "0.6"),
        Item("precisionAt(5), precisionAt(10)", "c.precision_at(5), c.precision_at(10)", "0.6, 0.4"),
        Item("reciprocalRank", "c.reciprocal_rank()", "0.5"),
        Item("prCurve: precision at recall .25, .5, .75, 1", "[c.at(recall=r).precision for r in (.25, .5, .75, 1)]",
             "0.5, 0.5, 0.6, 0.4444"),
        Item("rocCurve: rejection recall there", "[c.at(recall=r).rejection_recall for r in (.25, .5, .75, 1)]",
             "0.8333, 0.6667, 0.6667, 0.1667"),
        Item("best point: true and false positives, misses, true negatives",
             "[c.max_f().tp, c.max_f().fp, c.max_f().fn, c.max_f().tn]", "3, 2, 1, 4"),
        Item("its accuracy, (TP + TN) / all", "c.max_f().accuracy", "0.7"),
    ),
)  # fmt: skip

NOTES = Source(
    "Notes on precision, recall, AP and R-precision: premises a, b, c in the ranking x a y b c z (its last two rows corrected)",
    """\
import precall as pc
hits = pc.Hits.of([2, 4, 5], retrieved=6, relevant=3)
""",
    "precall ranking relevant.txt ranked.txt",
    (
        Item("precision at each rank", '[pc.measure(f"P@{k}")(hits)[0] for k in range(1, 7)]',
             "0, 0.5, 0.3333, 0.5, 0.6, 0.5"),
        Item("recall at each rank", '[pc.measure(f"R@{k}")(hits)[0] for k in range(1, 7)]',
             "0, 0.3333, 0.3333, 0.6667, 1, 1"),
        Item("average precision", 'pc.measure("AP")(hits)[0]', "0.5333"),
        Item("R-precision", 'pc.measure("R-precision")(hits)[0]', "0.3333"),
        Item("first K with r(K) = 1", 'pc.measure("k@recall(1)")(hits)[0]', "5"),
        Item("precision there", 'pc.measure("precision@recall(1)")(hits)[0]', "0.6"),
        Item("ap@4 over the hits s(4)", 'pc.measure("AP(norm=found)@4")(hits)[0]', "0.5"),
    ),
)  # fmt: skip

ARTICLE = Source(
    "Article on precision, recall and average precision: two models of eight cases",
    """\
import precall as pc
truth = [1, 1, 0, 0, 1, 1, 0, 0]
a = pc.curve(truth, [.95, .85, .73, .62, .48, .39, .12, .04])
b = pc.curve(truth, [.55, .59, .88, .97, .20, .09, .43, .32])
""",
    "precall curve models.csv --label truth --score a --score b --at threshold=.5",
    (
        Item("AP of both", "a.average_precision(), b.average_precision()", "0.816667, 0.440476"),
        Item("precision, recall and F at .5, of both",
             "[x for m in (a, b) for p in [m.at(threshold=.5)] for x in (p.precision, p.recall, p.f())]",
             "0.5, 0.5, 0.5, 0.5, 0.5, 0.5"),
        Item("AP@3, two hits on top, four relevant",
             'pc.measure("AP(norm=min)@3")(pc.Hits.of([1, 2], retrieved=9, relevant=4))[0]', "0.6667"),
        Item("P@5 of two items, both hits",
             'pc.measure("P@5")(pc.Hits.of([1, 2], retrieved=2, relevant=4))[0]', "0.4"),
    ),
)  # fmt: skip

CATEGORIZATION = Source(
    "Evaluation of text categorization: contingency tables of a rare and a frequent category, and an item list of one table",
    """\
import numpy as np
import precall as pc
column = lambda tp, fp, fn, tn: np.repeat([[1, 1], [0, 1], [1, 0], [0, 0]], [tp, fp, fn, tn], axis=0)
rare, frequent = column(10, 10, 10, 970), column(90, 10, 10, 890)
truth, decided = (np.column_stack([rare[:, side], frequent[:, side]]) for side in (0, 1))
d = pc.decisions(truth, decided, ["rare", "frequent"])
one = pc.decisions(*column(2, 3, 1, 4).T)
s = pc.categorize([{"a"}, {"b"}, {"a", "b"}, set()], [[.9, .1], [.6, .5], [.4, .5], [.7, .2]], ["a", "b"])
""",
    "precall decisions items.csv --truth t --predicted p",
    (
        Item("precision and recall of each category", "[*d.precision(), *d.recall()]", "0.5, 0.9, 0.5, 0.9"),
        Item("microaveraged precision, 100 / 120", 'd.precision("micro")', "0.8333"),
        Item("macroaveraged precision", 'd.precision("macro")', "0.7"),
        Item("Acc_i", 'd.accuracy("each")', "0.98, 0.98"),
        Item("Err_i", 'd.error("each")', "0.02, 0.02"),
        Item("averaged accuracy and error", 'd.accuracy("macro"), d.error("micro")', "0.98, 0.02"),
        Item("accuracy of the trivial rejector", 'd.baselines()["rejector"].accuracy("each")', "0.98, 0.9"),
        Item("precision, recall", "one.precision(), one.recall()", "0.4, 0.6667"),
        Item("F1", "one.f()", "0.5"),
        Item("E, (FP + FN) / (2 TP + FP + FN)", "one.e()", "0.5"),
        Item("E of alpha .2: 1 - 1 / (.2 / P + .8 / R)", 'one.value("E(alpha=0.2)")', "0.4118"),
        Item("the same by beta = 2", 'one.value("E(beta=2)")', "0.4118"),
        Item("fallout, 3 / 7", 'one.value("fallout")', "0.4286"),
        Item("generality, 3 / 10", 'one.value("generality")', "0.3"),
        Item("accuracy and error", "one.accuracy(), one.error()", "0.6, 0.4"),
        Item("utility 3 TP - FP", 'one.value("Utility(3,-1)")', "3"),
        Item("the best threshold by utility, its value",
             'pc.curve([1, 1, 0, 1, 0], [5, 4, 3, 2, 1]).at(max="Utility(3,-1)").value', "8"),
        Item("(P + R) / 2 against F: P = .25, R = 1, β = 3",
             "(w := pc.f_versus_break_even(.25, 1, 3)).mean, w.f", "0.625, 0.7692"),
        Item("break-even, where P and R are nearest", "pc.curve([0, 1, 0, 1, 1], [5, 4, 3, 2, 1]).break_even()", "0.3333"),
        Item("accuracy of the trivial acceptor", 'd.baselines()["acceptor"].accuracy("each")', "0.02, 0.1"),
        Item("RCut, k = 1: micro-F1", 's.decide(s.thresholds("rcut:1")).value("micro-F1")', "0.5"),
        Item("PCut, x = 1: micro-F1", 's.decide(s.thresholds("pcut:1")).value("micro-F1")', "0.75"),
        Item("SCut: CSV thresholds of each category", 's.thresholds("scut").values', "0.9, 0.5"),
        Item("its micro-F1", 's.decide(s.thresholds("scut")).value("micro-F1")', "0.8571"),
        Item("one CSV threshold for all", 's.thresholds("global", tune="micro-F1").number', "0.4"),
        Item("k that is best by macro-F1", 's.thresholds("rcut", tune="macro-F1").number', "2"),
        Item("11 points: at recall 0, .7 and .9, hits at 2, 4, 5 and 9 of ten, one missed",
             "pc.curve([0, 1, 0, 1, 1, 0, 0, 0, 1, 0], range(10, 0, -1), missed=1).eleven_point()[[0, 7, 9]]",
             "0.6, 0.4444, 0"),
    ),
)  # fmt: skip

ZHANG_SU = Source(
    "Zhang & Su (2012): Table II, hits at 1, 2 and 4 of 8; random selection (formulas (6) to (13) corrected)",
    """\
import precall as pc
hits = pc.Hits.of([1, 2, 4], retrieved=8, relevant=3)
""",
    "precall null --items 1000 --relevant 100",
    (
        Item("Table II: recall at 1, 2, 3, 4", '[pc.measure(f"R@{k}")(hits)[0] for k in (1, 2, 3, 4)]',
             "0.3333, 0.6667, 0.6667, 1"),
        Item("Table II: precision at 5, 6, 7, 8", '[pc.measure(f"P@{k}")(hits)[0] for k in (5, 6, 7, 8)]',
             "0.6, 0.5, 0.4286, 0.375"),
        Item("AP, (1/1 + 2/2 + 3/4) / 3", 'pc.measure("AP")(hits)[0]', "0.916667"),
        Item("locations L_i", "hits.location", "1, 2, 4"),
        Item("L_3, the rank at recall 1", 'pc.measure("KAtRecall(recall=1)")(hits)[0]', "4"),
        Item("E(L_2), n = 10, m = 4", "pc.null.location_mean(10, 4, 2)", "4.4"),
        Item("Var(L_2), i (n+1)(n-m)(m+1-i) / ((m+1)²(m+2))", "pc.null.location_variance(10, 4, 2)", "2.64"),
        Item("Cov(L_1, L_2)", "pc.null.location_covariance(10, 4, 1, 2)", "1.32"),
        Item("Table III: mean of AP, 100 of 1000", "pc.null.average_precision(1000, 100).mean", "0.105843"),
        Item("its variance", "pc.null.average_precision(1000, 100).var", "0.00013015"),
        Item("500 of 2000: mean and variance",
             "(n := pc.null.average_precision(2000, 500)).mean, n.var", "0.252693, 0.00009893"),
        Item("mean and variance of recall at 100", "(n := pc.null.recall(1000, 100, 100)).mean, n.var", "0.1, 0.00081081"),
        Item("is the first ranking better than chance: p", "pc.null.test(hits).p", "0.0357"),
    ),
)  # fmt: skip

SOURCES = (LINGPIPE, NOTES, ARTICLE, CATEGORIZATION, ZHANG_SU)
