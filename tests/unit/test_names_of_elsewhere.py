"""Names that users of other libraries type: what is meant where that is plain, else the right word in the error."""

from __future__ import annotations

import pytest

import precall as pc

pytestmark = pytest.mark.filterwarnings("ignore::precall.PrecallWarning")

FIRST = {f"q{i}": 0.1 * i + 0.01 * (i % 3) for i in range(8)}
SECOND = {f"q{i}": 0.09 * i for i in range(8)}
THIRD = {f"q{i}": 0.05 * i for i in range(8)}

TESTS = {
    "t": ["t", "ttest", "t-test", "T", "paired t-test", "paired_ttest", "Student's t-test", "student", "ttest_rel"],
    "wilcoxon": ["wilcoxon", "Wilcoxon signed-rank test", "signed_rank", "wilcoxon_test", "wsr"],
    "sign": ["sign", "sign test", "sign_test", "binomial", "binom_test"],
    "randomization": [
        "randomization", "randomisation", "permutation", "permutation_test", "fisher", "Fisher's randomization test",
        "fisher_randomization", "approximate_randomization", "sign-flip",
    ],
    "bootstrap": ["bootstrap", "paired bootstrap", "paired_bootstrap_test", "bootstrapping"],
}  # fmt: skip
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
    assert pc.compare.paired(FIRST, SECOND, test=typed) == pc.compare.paired(FIRST, SECOND, test=test)
    assert pc.compare(FIRST, SECOND, test=typed).test == test


def test_names_of_tests_of_cases_and_decisions():
    labels = [1, 0, 1, 0]
    listed = {"permutation": "permutation", "Fisher randomization": "permutation", "DeLong's test": "delong"}
    for typed, test in listed.items():
        assert pc.compare.cases(labels, [4, 3, 2, 1], [1, 2, 3, 4], "AUC", test=typed).test == test
    for typed, test in {"McNemar's test": "mcnemar", "permutation": "randomization"}.items():
        assert pc.compare.decisions(labels, [1, 1, 1, 0], [1, 0, 0, 1], "accuracy", test=typed).test == test
    assert pc.compare.equivalence(FIRST, SECOND, 0.5, test="t-test", kind="TOST").kind == "equivalent"


@pytest.mark.parametrize(("typed", "correction"), spelled(CORRECTIONS))
def test_names_of_corrections(typed, correction):
    systems = {"a": FIRST, "b": SECOND, "c": THIRD}
    got, meant = (pc.compare.many(systems, correction=name, resamples=99) for name in (typed, correction))
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
        (lambda: pc.compare.many([FIRST, SECOND], correction="bonferroni"), "take 'holm', which keeps the same"),
        (lambda: pc.compare.many({"a": FIRST, "b": SECOND}, correction="Bonferroni"), "take 'holm', which keeps the same"),
        (lambda: pc.compare.many({"a": FIRST, "b": SECOND}, correction="sidak"), "take 'holm'"),
        (lambda: pc.compare.paired(FIRST, SECOND, test="mannwhitneyu"), "which are of pairs"),
        (lambda: pc.compare.paired(FIRST, SECOND, test="ttest_ind"), "which are of pairs"),
        (lambda: pc.compare.paired(FIRST, SECOND, test="rndomization"), "did you mean 'randomization'?"),
        (lambda: pc.compare.paired(FIRST, SECOND, test="anova"), "correction='tukey'"),
        (lambda: pc.compare.paired(FIRST, SECOND, test="psychic"), "got 'psychic', allowed are randomization, t, "),
        (lambda: pc.decisions(list("abc"), list("abb")).f(average="mcro"), "did you mean 'micro'?"),
    ],
)  # fmt: skip
def test_or_the_right_word_is_said(call, said):
    with pytest.raises(pc.UsageError) as caught:
        call()
    assert said in str(caught.value) and "\n" not in str(caught.value)
