"""Items of the article on the evaluation of text categorization."""

from __future__ import annotations

from tests.documents.items import Item, Source

_ITEMS = "precall decisions items.csv --truth t --predicted p --separator ';'"
_ONE = "precall decisions one.csv --truth t --predicted p"
_SCORED = "precall categories scored.csv --truth t --scores 'p*'"
CATEGORIZATION = Source(
    (
        "Article on the evaluation of text categorization: a rare and a frequent category, one "
        "table of counts, and CSVs"
    ),
    """\
import numpy as np
import precall as pc
column = lambda tp, fp, fn, tn: np.repeat([[1, 1], [0, 1], [1, 0], [0, 0]], [tp, fp, fn, tn], axis=0)
rare, frequent = column(10, 10, 10, 970), column(90, 10, 10, 890)
truth, decided = (np.column_stack([rare[:, side], frequent[:, side]]) for side in (0, 1))
names = ["rare", "frequent"]
d = pc.decisions(truth, decided, names)
several = [{"a", "b", "c"}, {"a"}, {"b"}, {"c"}], [set(), {"a"}, {"b"}, {"c"}]
table = column(2, 3, 1, 4).T
one = pc.decisions(*table)
cells = [[";".join(n for n, on in zip(names, row) if on) for row in side] for side in (truth, decided)]
csv_a, csv_b, kind = [.9, .4, .5, .1], [.2, .6, .8, .3], ["a", "a", "b", "b"]
s = pc.categorize(kind, np.column_stack([csv_a, csv_b]), ["a", "b"])
new = pc.categorize(["a", "b"], np.array([[.45, .25], [.2, .35]]), ["a", "b"])
def decide(policy, measure="micro-F1", **how): return s.decide(s.thresholds(policy, **how)).value(measure)
""",  # noqa: E501
    {
        "items.csv": "dict(t=cells[0], p=cells[1])",
        "one.csv": "dict(t=table[0], p=table[1])",
        "scored.csv": "dict(t=kind, pa=csv_a, pb=csv_b)",
        "new.csv": "dict(t=['a', 'b'], pa=[.45, .2], pb=[.25, .35])",
    },
    (
        Item(
            'precision and recall: "the proportion of returned documents that are targets"',
            "precision",
            "one.precision()",
            "0.4",
            _ONE,
            "relevant 0.4000 0.6667 0.5000 3 2 3 1 4",
        ),
        Item(
            'precision and recall: "the proportion of target documents returned"',
            "recall",
            "one.recall()",
            "0.6667",
            _ONE,
            "relevant 0.4000 0.6667 0.5000 3 2 3 1 4",
        ),
        Item(
            "contingency table of a category",
            "TP, FP, FN, TN",
            '[d.table.to_dict()[n][0] for n in ("tp", "fp", "fn", "tn")]',
            "10, 10, 10, 970",
            _ITEMS,
            "rare 0.5000 0.5000 0.5000 20 10 10 10 970",
        ),
        Item(
            "accuracy and error: Acc_i",
            "accuracy of each category",
            'd.accuracy("each")',
            "0.98, 0.98",
            f"{_ITEMS} --all",
            "rare 0.9800 0.0200 / frequent 0.9800 0.0200",
        ),
        Item(
            "accuracy and error: Err_i",
            "error of each category",
            'd.error("each")',
            "0.02, 0.02",
            f"{_ITEMS} --all",
            "rare 0.9800 0.0200",
        ),
        Item(
            "accuracy and error, averaged",
            "macro and micro",
            'd.accuracy("macro"), d.error("micro")',
            "0.98, 0.02",
            f"{_ITEMS} --all",
            "cell error (all cells) 0.0200",
        ),
        Item(
            "accuracy and error: the trivial rejector",
            "its accuracy",
            'd.baselines()["rejector"].accuracy("each")',
            "0.98, 0.9",
            f"{_ITEMS} --baselines --all",
            "rare 0.9800 0.9800 0.0200 / frequent 0.9800 0.9000 0.1000",
        ),
        Item(
            "accuracy and error: the trivial acceptor",
            "its accuracy",
            'd.baselines()["acceptor"].accuracy("each")',
            "0.02, 0.1",
            f"{_ITEMS} --baselines",
            "cell accuracy (all cells) 0.9800 0.9400 0.0600",
        ),
        Item(
            (
                "microaveraging: each decision counts alike, so a document with three categories "
                "counts three times"
            ),
            "micro recall, and the mean of the documents' recall",
            '(m := pc.decisions(*several)).recall("micro"), m.recall("items")',
            "0.5, 0.75",
        ),
        Item(
            "microaveraging: 100 / 120",
            "micro precision and recall",
            'd.precision("micro"), d.recall("micro")',
            "0.8333, 0.8333",
            _ITEMS,
            "micro 0.8333 0.8333 0.8333",
        ),
        Item(
            "macroaveraging: (.5 + .9) / 2",
            "macro precision and recall",
            'd.precision("macro"), d.recall("macro")',
            "0.7, 0.7",
            _ITEMS,
            "macro 0.7000 0.7000 0.7000",
        ),
        Item(
            "macroaveraging of F",
            "macro-F1 and micro-F1",
            'd.value("macro-F1"), d.value("micro-F1")',
            "0.7, 0.8333",
            f"{_ITEMS} --all",
            "macro-F1 (mean of F1) 0.7000",
        ),
        Item("F: 2 P R / (P + R)", "F1", "one.f()", "0.5", _ONE, "0.6667 0.5000 3"),
        Item(
            "F of β = 2, 5 P R / (4 P + R)",
            "F(beta=2)",
            'one.value("F(beta=2)")',
            "0.5882",
            f"{_ONE} -m 'F(beta=2)'",
            "F(beta=2) 0.5882",
        ),
        Item(
            (
                "E: 1 - 2 P R / (P + R) = (FP + FN) / (2 TP + FP + FN); printed with FN + TP, and "
                'without "1 -"'
            ),
            "E",
            "one.e()",
            "0.5",
            f"{_ONE} -m E",
            "E 0.5000",
        ),
        Item(
            "E by van Rijsbergen's alpha: 1 - 1 / (alpha / P + (1 - alpha) / R), alpha = .2",
            "E(alpha=0.2), which is E(beta=2)",
            'one.value("E(alpha=0.2)"), one.value("E(beta=2)")',
            "0.4118, 0.4118",
            f"{_ONE} -m 'E(alpha=0.2)'",
            "E(alpha=0.2) 0.4118",
        ),
        Item(
            (
                'E: "achieves its minimum at P ≃ R"; this is not so: on this curve it is least at '
                "P = .6 and R = 1"
            ),
            "the least E of a curve, P and R there",
            (
                '(x := pc.curve([0, 1, 0, 1, 1, 0], range(6, 0, -1)).at(max="E")).value, '
                "x.precision, x.recall"
            ),
            "0.25, 0.6, 1",
        ),
        Item(
            "the same curve: E where P = R = 1/3",
            "E where precision and recall are equal",
            (
                "(x := pc.curve([0, 1, 0, 1, 1, 0], range(6, 0, -1)).at(accept=3)).e(), "
                "x.precision, x.recall"
            ),
            "0.6667, 0.3333, 0.3333",
        ),
        Item(
            "fallout, FP / (FP + TN)",
            "fallout",
            'one.value("fallout")',
            "0.4286",
            f"{_ONE} -m fallout",
            "fallout 0.4286",
        ),
        Item(
            "generality, the share of relevant items",
            "generality",
            'one.value("generality")',
            "0.3",
            f"{_ONE} -m generality",
            "generality 0.3000",
        ),
        Item(
            "accuracy and error of one table",
            "accuracy, error",
            "one.accuracy(), one.error()",
            "0.6, 0.4",
            f"{_ONE} --all",
            "relevant 0.6000 0.4000",
        ),
        Item(
            "utility: 3 TP - FP",
            "utility",
            'one.value("Utility(3,-1)")',
            "3",
            f"{_ONE} -m 'Utility(3,-1)'",
            "Utility(3,-1) 3.0000",
        ),
        Item(
            'text categorization: "categorization status value"; a CSV threshold of .5',
            "a fixed threshold",
            'decide("fixed:.5")',
            "0.5",
            f"{_SCORED} --policy fixed:.5",
            "micro 0.5000 0.5000 0.5000",
        ),
        Item(
            "thresholding: SCut",
            "thresholds at each category's greatest F",
            's.thresholds("scut").values',
            "0.4, 0.3",
            f"{_SCORED} --policy scut",
            "a 0.4 / b 0.3",
        ),
        Item(
            "thresholding: SCut",
            "macro-F1 by it",
            'decide("scut", "macro-F1")',
            "0.8",
            f"{_SCORED} --policy scut",
            "macro 0.6667 1.0000 0.8000",
        ),
        Item(
            "thresholding: SCut, on a validation set",
            "learned on one file, applied to another",
            'new.decide(new.thresholds("scut", fit_on=s)).value("micro-F1")',
            "1",
            "precall categories new.csv --truth t --scores 'p*' --policy scut --fit-on scored.csv",
            "micro 1.0000 1.0000 1.0000",
        ),
        Item(
            "thresholding: learned thresholds are kept",
            "thresholds in a file",
            's.thresholds("scut").values[0]',
            "0.4",
            f"{_SCORED} --policy scut --save-thresholds t.json && "
            "precall categories new.csv --truth t --scores 'p*' --thresholds t.json",
            "micro 1.0000 1.0000 1.0000",
        ),
        Item(
            "thresholding: RCut, k-per-doc, k = 1",
            "the best category of each item",
            'decide("rcut:1")',
            "0.75",
            f"{_SCORED} --policy rcut:1",
            "micro 0.7500 0.7500 0.7500",
        ),
        Item(
            "thresholding: RCut, k = 2 of 2",
            "all categories",
            'decide("rcut:2")',
            "0.6667",
            f"{_SCORED} --policy rcut:2",
            "micro 0.5000 1.0000 0.6667",
        ),
        Item(
            "thresholding: k tuned",
            "k by macro-F1",
            's.thresholds("rcut", tune="macro-F1").values[0]',
            "1",
            f"{_SCORED} --policy rcut --tune macro-F1",
            "all 1",
        ),
        Item(
            "thresholding: one CSV threshold for all categories",
            "a global threshold by micro-F1",
            's.thresholds("global", tune="micro-F1").number',
            "0.3",
            f"{_SCORED} --policy global --tune micro-F1",
            "micro 0.6667 1.0000 0.8000",
        ),
        Item(
            "thresholding: PCut, x = 1",
            "micro-F1 if each category accepts items by its frequency",
            'decide("pcut:1")',
            "0.5",
            f"{_SCORED} --policy pcut:1",
            "micro 0.5000 0.5000 0.5000",
        ),
        Item(
            "thresholding: utility 3 TP - 2 FP",
            "thresholds by utility",
            's.thresholds("utility:tp=3,fp=-2").values',
            "0.4, 0.3",
            f"{_SCORED} --policy utility:tp=3,fp=-2",
            "a 0.4 / b 0.3",
        ),
        Item(
            "break-even: thresholds where P = R",
            "thresholds by break-even",
            's.thresholds("break-even").values',
            "0.5, 0.6",
            f"{_SCORED} --policy break-even",
            "a 0.5 / b 0.6",
        ),
        Item(
            "break-even point of each category",
            "BEP",
            's.by_category("BEP").values',
            "0.5, 0.5",
            _SCORED,
            "a 2 0.8333 0.7500 0.5000 0.8000 0.8485",
        ),
        Item(
            "break-even: interpolated, where P and R are nearest",
            "interpolated BEP",
            "pc.curve([0, 1, 0, 1, 1], [5, 4, 3, 2, 1]).break_even()",
            "0.3333",
        ),
        Item(
            (
                "break-even and F, case P < R, P = .25, R = 1, β = 3: (P + R) / 2 is less for β > "
                "1/√T, not greater"
            ),
            "(P + R) / 2 against F",
            "(w := pc.f_versus_break_even(.25, 1, 3)).mean, w.f",
            "0.625, 0.7692",
        ),
        Item(
            "break-even and F, case P < R, P = .5, R = .6, β = 2",
            "(P + R) / 2 against F",
            "(w := pc.f_versus_break_even(.5, .6, 2)).mean, w.f",
            "0.55, 0.5769",
        ),
        Item(
            "break-even and F, case P > R, P = .6, R = .5, β = 2",
            "(P + R) / 2 against F",
            "(w := pc.f_versus_break_even(.6, .5, 2)).mean, w.f",
            "0.55, 0.5172",
        ),
        Item(
            (
                "11-point average precision: recall 0, .1, ..., 1; the document prints the "
                "second threshold as 1.0"
            ),
            "eleven points, mean over categories",
            "s.eleven_point()",
            "1, 1, 1, 1, 1, 1, 0.6667, 0.6667, 0.6667, 0.6667, 0.6667",
            f"{_SCORED} --all",
            "0.5 1.0000 1.0000 / 0.6 0.6667 0.6667",
        ),
        Item(
            "11-point average precision, their mean",
            "11-point",
            "s.eleven_point().mean()",
            "0.8485",
            f"{_SCORED} --pivot category --all",
            "mean 0.8485 0.8485",
        ),
        Item(
            "11-point, with a relevant item that was never scored: hits at 2, 4, 5 and 9 of ten",
            "at recall 0, .7 and .9",
            (
                "pc.curve([0, 1, 0, 1, 1, 0, 0, 0, 1, 0], range(10, 0, -1), "
                "missed=1).eleven_point()[[0, 7, 9]]"
            ),
            "0.6, 0.4444, 0",
        ),
        Item(
            "document-pivoted: each item ranks the categories, (1 + 1/2 + 1 + 1) / 4",
            "11-point by items",
            's.eleven_point("item").mean()',
            "0.875",
            f"{_SCORED} --pivot item --all",
            "mean 0.8750 0.8750",
        ),
        Item(
            "category-pivoted: ROC of each category",
            "AUC",
            's.by_category("AUC").values',
            "0.75, 0.75",
            f"{_SCORED} --pivot category",
            "a 2 0.8333 0.7500",
        ),
    ),
)
