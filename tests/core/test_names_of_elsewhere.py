"""Names that users of other libraries type: what is meant where that is plain, else the right word
in the error.
"""

from __future__ import annotations

import pytest

import precall as pc
from precall.core.notes import sentences
from precall.core.notes.of_runs import NameOfOthers
from tests.noticed import noticed

pytestmark = pytest.mark.filterwarnings("ignore::precall.PrecallWarning")

FIRST = {f"q{i}": 0.1 * i + 0.01 * (i % 3) for i in range(8)}
SECOND = {f"q{i}": 0.09 * i for i in range(8)}
THIRD = {f"q{i}": 0.05 * i for i in range(8)}

TESTS = {
    "t": [
        "t",
        "ttest",
        "t-test",
        "T",
        "paired t-test",
        "paired_ttest",
        "Student's t-test",
        "student",
        "ttest_rel",
    ],
    "wilcoxon": ["wilcoxon", "Wilcoxon signed-rank test", "signed_rank", "wilcoxon_test", "wsr"],
    "sign": ["sign", "sign test", "sign_test", "binomial", "binom_test"],
    "randomization": [
        "randomization",
        "randomisation",
        "permutation",
        "permutation_test",
        "fisher",
        "Fisher's randomization test",
        "fisher_randomization",
        "approximate_randomization",
        "sign-flip",
    ],
    "bootstrap": ["bootstrap", "paired bootstrap", "paired_bootstrap_test", "bootstrapping"],
}
CORRECTIONS = {
    "holm": ["holm", "Holm", "holm-bonferroni", "Holm correction"],
    "hochberg": ["hochberg", "simes-hochberg"],
    "bh": ["bh", "BH", "fdr_bh", "Benjamini-Hochberg", "fdr"],
    "by": ["by", "fdr_by", "benjamini_yekutieli"],
    "tukey": ["tukey", "tukey_hsd", "HSD"],
    "none": ["none", None, "None", "uncorrected"],
}
AVERAGED = {
    "macro": ["macro", "Macro", "macro avg", "macro-average", "macro_averaged"],
    "micro": ["micro", "micro avg", "global"],
    "weighted": ["weighted", "weighted avg", "support-weighted"],
    "samples": ["samples", "samples avg", "example-based"],
    "each": ["each", "none", "per-class", "classwise"],
}


def spelled(names):
    return [(word, name) for name, words in names.items() for word in words]


@pytest.mark.parametrize(("typed", "test"), spelled(TESTS))
def test_names_of_tests(typed, test):
    assert pc.compare.paired(FIRST, SECOND, test=typed) == pc.compare.paired(
        FIRST, SECOND, test=test
    )
    assert pc.compare(FIRST, SECOND, test=typed).test == test


def test_names_of_tests_of_cases_and_decisions():
    labels = [1, 0, 1, 0]
    listed = {
        "permutation": "permutation",
        "Fisher randomization": "permutation",
        "DeLong's test": "delong",
    }
    for typed, test in listed.items():
        assert pc.compare.cases(labels, [4, 3, 2, 1], [1, 2, 3, 4], "AUC", test=typed).test == test
    for typed, test in {"McNemar's test": "mcnemar", "permutation": "randomization"}.items():
        assert (
            pc.compare.decisions(labels, [1, 1, 1, 0], [1, 0, 0, 1], "accuracy", test=typed).test
            == test
        )
    assert (
        pc.compare.equivalence(FIRST, SECOND, 0.5, test="t-test", kind="TOST").kind == "equivalent"
    )


@pytest.mark.parametrize(("typed", "correction"), spelled(CORRECTIONS))
def test_names_of_corrections(typed, correction):
    systems = {"a": FIRST, "b": SECOND, "c": THIRD}
    got, meant = (
        pc.compare.many(systems, correction=name, resamples=99) for name in (typed, correction)
    )
    assert got == meant and got.conventions["correction"] == correction


@pytest.mark.parametrize(("typed", "average"), spelled(AVERAGED))
def test_names_of_averages(typed, average):
    decided = pc.decisions(list("abcabc"), list("abcabb"))
    for measure in ("F", "P"):
        assert repr(decided.value(measure, typed)) == repr(decided.value(measure, average))
    assert repr(decided.f(average=typed)) == repr(decided.f(average=average))


def test_binary_is_the_one_category_of_binary_labels():
    decided = pc.decisions([1, 0, 1], [1, 1, 1])
    # 2 of 3 accepted are relevant, and all relevant ones are accepted.
    assert decided.precision("binary") == 2 / 3 and decided.f(average="binary") == 0.8
    compared = pc.compare.decisions([1, 0, 1], [1, 1, 1], [1, 0, 0], average="binary")
    assert compared.difference == pytest.approx(0.8 - 2 / 3)
    with pytest.raises(pc.UsageError, match="'binary' is of labels 0/1, -1/1 or bool"):
        pc.decisions(list("abc"), list("abb")).f(average="binary")


@pytest.mark.parametrize(
    ("call", "said"),
    [
        (
            lambda: pc.compare.many({"a": FIRST, "b": SECOND}, correction="bonferroni"),
            "take correction='holm', which keeps",
        ),
        (
            lambda: pc.compare.many({"a": FIRST, "b": SECOND}, correction="Bonferroni"),
            "take correction='holm', which keeps",
        ),
        (
            lambda: pc.compare.many({"a": FIRST, "b": SECOND}, correction="sidak"),
            "take correction='holm'",
        ),
        (lambda: pc.compare.paired(FIRST, SECOND, test="mannwhitneyu"), "which are of pairs"),
        (lambda: pc.compare.paired(FIRST, SECOND, test="ttest_ind"), "which are of pairs"),
        (
            lambda: pc.compare.paired(FIRST, SECOND, test="rndomization"),
            "did you mean 'randomization'?",
        ),
        (lambda: pc.compare.paired(FIRST, SECOND, test="anova"), "correction='tukey'"),
        (
            lambda: pc.compare.paired(FIRST, SECOND, test="psychic"),
            "got 'psychic', allowed are randomization, t, ",
        ),
        (lambda: pc.decisions(list("abc"), list("abb")).f(average="mcro"), "did you mean 'micro'?"),
    ],
)
def test_or_the_right_word_is_said(call, said):
    with pytest.raises(pc.UsageError) as caught:
        call()
    assert said in str(caught.value) and "\n" not in str(caught.value)


#: Measures as users of scikit-learn, ir_measures, ranx, pytrec_eval, trec_eval, MTEB, torchmetrics
#: and ragas type them.
MEASURES = {
    "AP": [
        "map",
        "MAP",
        "mAP",
        "average_precision",
        "average_precision_score",
        "mean_average_precision",
        "RetrievalMAP",
    ],
    "AP@100": [
        "map@100",
        "MAP@100",
        "map_at_100",
        "map_cut_100",
        "map_cut.100",
        "map100",
        "MAP_100",
    ],
    "RR": ["mrr", "MRR", "reciprocal_rank", "recip_rank", "mean_reciprocal_rank", "RetrievalMRR"],
    "RR@10": ["mrr@10", "MRR@10", "mrr_at_10", "mrr10", "MRR10", "rr10"],
    "nDCG": [
        "ndcg",
        "NDCG",
        "ndcg_score",
        "normalized_discounted_cumulative_gain",
        "RetrievalNormalizedDCG",
    ],
    "nDCG@10": [
        "ndcg@10",
        "NDCG@10",
        "ndcg_at_10",
        "ndcg_cut_10",
        "ndcg_cut.10",
        "ndcg10",
        "NDCG_10",
        "nDCG10",
    ],
    "DCG": ["dcg", "dcg_score", "discounted_cumulative_gain"],
    "Success": ["hit_rate", "HitRate", "HR", "RetrievalHitRate"],
    "Success@10": [
        "hit_rate@10",
        "HitRate@10",
        "hit_rate_at_10",
        "success@10",
        "success_10",
        "success.10",
        "hit@10",
    ],
    "Success@5": ["hit5", "hitrate5", "success5", "HitRate_5"],
    "P@5": [
        "precision@5",
        "Precision@5",
        "precision_at_5",
        "P_5",
        "P.5",
        "p@5",
        "P5",
        "p5",
        "precision5",
    ],
    "R@100": [
        "recall@100",
        "Recall@100",
        "recall_at_100",
        "recall_100",
        "recall.100",
        "recall100",
        "R100",
    ],
    "Rprec": ["r_precision", "R-precision", "rprecision", "RetrievalRPrecision"],
    "RBP(p=0.95)": ["rbp.95", "RBP(p=.95)"],
    "AUC": ["auc", "auroc", "roc_auc", "ROC-AUC", "roc_auc_score", "BinaryAUROC", "area_under_roc"],
    "AreaPR(method=step)": ["pr_auc", "PR-AUC", "auprc", "AUPRC", "aucpr", "area_under_pr"],
    "P": ["precision", "precision_score", "ppv", "BinaryPrecision", "positive_predictive_value"],
    "R": ["recall", "recall_score", "sensitivity", "tpr", "true_positive_rate", "BinaryRecall"],
    "F": ["f1", "F1", "f1_score", "F1-score", "f_score", "f_measure", "dice", "BinaryF1Score"],
    "F@10": ["F1@10", "f1@10", "f1_score@10", "F1Score@10", "f1_at_10"],
    "F(beta=0.5)": ["f0.5", "F0.5", "F_0.5", "f0.5_score"],
    "F(beta=0.5)@10": ["F0.5@10", "f0.5@10"],
    "F(beta=2)": ["f2", "F2", "f2_score"],
    "macro-F": ["f1_macro", "macro_f1", "macro F1", "macro-F1"],
    "weighted-P": ["precision_weighted", "weighted precision"],
    "Specificity": ["specificity", "tnr", "true_negative_rate", "BinarySpecificity"],
    "Fallout": ["fpr", "false_positive_rate", "fall-out", "fall_out", "RetrievalFallOut"],
    "Accuracy": ["accuracy", "accuracy_score", "BinaryAccuracy"],
    "BalancedAccuracy": ["balanced_accuracy", "balanced_accuracy_score"],
    "MCC": ["mcc", "matthews_corrcoef", "BinaryMatthewsCorrCoef", "phi"],
    "kappa": ["cohen_kappa", "cohen_kappa_score", "cohens_kappa", "BinaryCohenKappa"],
    "Jaccard": ["jaccard", "jaccard_score", "iou", "jaccard_index", "BinaryJaccardIndex"],
    "FowlkesMallows": ["fowlkes_mallows", "fowlkes_mallows_score"],
    "YoudenJ": ["youden", "informedness", "bookmaker"],
    "Error": ["zero_one_loss"],
    "Coverage": ["coverage_error"],
    "RankingLoss": ["label_ranking_loss"],
}


@pytest.mark.nightly(keep=8)
@pytest.mark.parametrize(("typed", "name"), spelled(MEASURES))
def test_names_of_measures(typed, name):
    assert pc.measure(typed).name == name


#: Those that are no measure here by themselves, and what is said of them.
INSTEAD = {
    "context_precision": "AP(norm=found)",
    "context_recall": "SetR",
    "llm_context_recall": "SetR",
    "faithfulness": "language model",
    "hits@10": "Success@k (whether there is a hit)",
    "hits10": "NumRelRet",
    "acc@1": "Success@k",
    "accuracy@1": "others call accuracy@k, is Success@k",
    "NERR7": "NERR8",
    "top5": "Success@k",
    "log_loss": "probabilities",
    "brier_score": "probabilities",
    "EER": "Specificity",
    "lrap": "status.by_item('AP').mean()",
    "lift": "prevalence",
    "label_ranking_average_precision_score": "status.by_item('AP').mean()",
    "ndcg_burges@10": "nDCG(gain=exp)@k",
    "num_q": "how many topics",
    "precison@5": "Precision",
    "top_k_accuracy_score": "by_item('Success@k')",
}


@pytest.mark.parametrize("typed", INSTEAD)
def test_or_what_to_take_is_said(typed):
    with pytest.raises(pc.MeasureError) as caught:
        pc.measure(typed)
    assert INSTEAD[typed] in str(caught.value) and "?;" not in str(caught.value)


QRELS = {"q1": {"a": 1, "b": 1, "c": 0}, "q2": {"d": 1}}
RUN = {"q1": {"a": 3.0, "c": 2.0, "b": 1.0}, "q2": {"e": 2.0, "d": 1.0}}


def test_they_are_asked_of_runs():
    report = pc.evaluate(
        QRELS, RUN, ["hit_rate@1", "mrr", "precision_at_2", "recall@2", "f1@2", "map"]
    )
    # Hits at ranks 1 and 3 of two relevant items, and at rank 2 of one.
    expected = {
        "hit_rate@1": (1 + 0) / 2,
        "mrr": (1 + 1 / 2) / 2,
        "precision_at_2": (1 / 2 + 1 / 2) / 2,
        "recall@2": (1 / 2 + 1) / 2,
        "f1@2": (2 / 4 + 2 / 3) / 2,
        "map": ((1 + 2 / 3) / 2 + 1 / 2) / 2,
    }
    for name, value in expected.items():
        assert report[name] == pytest.approx(value, abs=1e-12), name
    assert not noticed(report, NameOfOthers)


def test_they_are_asked_of_decisions_and_curves():
    metrics = pytest.importorskip(
        "sklearn.metrics", reason="scikit-learn is not installed, whose values these are"
    )
    true, predicted = list("abcabcab"), list("abcabbba")
    decided = pc.decisions(true, predicted)
    for name, value in {
        "f1_macro": metrics.f1_score(true, predicted, average="macro"),
        "precision_weighted": metrics.precision_score(true, predicted, average="weighted"),
        "matthews_corrcoef": metrics.matthews_corrcoef(true, predicted),
        "cohen_kappa_score": metrics.cohen_kappa_score(true, predicted),
        "balanced_accuracy": metrics.balanced_accuracy_score(true, predicted),
        "accuracy_score": metrics.accuracy_score(true, predicted),
    }.items():
        assert decided.value(name) == pytest.approx(value, abs=1e-12), name
    labels, scores = [1, 0, 1, 0, 0, 1] * 5, [(i * 7) % 30 for i in range(30)]
    path = pc.curve(labels, scores)
    for name, theirs in {
        "roc_auc": metrics.roc_auc_score,
        "average_precision": metrics.average_precision_score,
    }.items():
        value = pytest.approx(theirs(labels, scores), abs=1e-12)
        assert path.value(name) == value and pc.interval(path, name).estimate == value
        assert pc.compare(path, path, name).values == (value, value)


NOTED = {
    "11pt_avg": "each version of trec_eval rounds",
    "iprec_at_recall_0.5": "each version of trec_eval rounds",
    "ERR@20": "ERR(max=4)",
    "SetF(beta=4)": "its square, so their beta=4 is our beta=2",
    "aucpr": "method=trapezoid",
    "pr_auc": "method=davis-goadrich",
}
UNNOTED = [
    "IAP",
    "11pt",
    "IPrec(recall=0.5)",
    "ERR(max=4)@20",
    "SetF",
    "SetF(beta=1)",
    "AreaPR",
    "aucpr(method=trapezoid)",
]


def test_names_of_other_numbers_have_one_note():
    for name, note in NOTED.items():
        report = pc.evaluate(QRELS, RUN, [name])
        assert [text for text in report.notes() if text.startswith(f"{name}: ")] == [
            text for text in report.notes() if note in text
        ]
        assert len(report.notes()) == 1
        for form in (str(report), report.to_json(), report._repr_html_()):
            assert f"{name}: " in form
    assert pc.evaluate(QRELS, RUN, UNNOTED).notes() == []
    both = pc.evaluate(QRELS, RUN, ["11pt_avg", "iprec_at_recall_0.5", "AP"]).notes()
    (told,) = sentences(both)
    assert len(both) == 2 and told.startswith(
        "11pt_avg, iprec_at_recall_0.5: a recall needs a whole number"
    )
    compared = pc.compare(QRELS, {"a": RUN, "b": {"q1": {"c": 1.0}, "q2": {"d": 1.0}}}, ["ERR@20"])
    assert [note.subject for note in noticed(compared, NameOfOthers)] == ["ERR@20"]


@pytest.mark.parametrize("name", ["k", "cutoff", "top_k"])
@pytest.mark.parametrize(
    ("call", "remedy"),
    [
        (lambda **more: pc.evaluate(QRELS, RUN, ["nDCG"], **more), "'nDCG@10'"),
        (lambda **more: pc.compare(QRELS, {"a": RUN, "b": RUN}, **more), "'nDCG@10'"),
        (lambda **more: pc.ranking(["a"], ["a"], **more), "'nDCG@10'"),
        (lambda **more: pc.measure("P", **more), "'P@10'"),
    ],
)
def test_a_cutoff_as_an_argument_leads_to_the_name(call, name, remedy):
    """Python's own error listed the arguments, none of which has the cutoff."""
    with pytest.raises(pc.UsageError) as error:
        call(**{name: 10})
    assert name in str(error.value) and remedy in str(error.value)


def test_parameters_of_a_measure_as_arguments_lead_to_the_name():
    with pytest.raises(pc.MeasureError, match=r"F\(beta=2\)"):
        pc.measure("F", beta=2)


def test_names_of_other_modules_lead_to_these():
    with pytest.raises(AttributeError, match="precall.compat.pytrec_eval"):
        pc.RelevanceEvaluator  # noqa: B018
