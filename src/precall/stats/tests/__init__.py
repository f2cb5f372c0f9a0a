"""Comparisons of systems: differences, their tests, equivalence, gates, posteriors and power; names
of tests, once.

Nothing is imported here, so that help need not wait for NumPy.
"""

#: Tests of two systems by values per topic.
TESTS = ("randomization", "t", "wilcoxon", "sign", "bootstrap")
#: Tests of hard decisions; McNemar's is of how many are right.
OF_DECISIONS = ("randomization", "mcnemar")
#: Yeh's (2000) tests of matched pairs: of decisions by precision, recall, F, accuracy and error.
MATCHED = ("t", "wilcoxon", "sign")
#: Measures of counts that these are of: quotients of sums over items.
QUOTIENTS = ("P", "R", "F")
#: Bootstrap intervals of differences of decisions.
OF_DIFFERENCES = ("percentile", "bca")
#: Tests of two scored lists of the same items, by measure.
OF_LISTS = {
    "AP": ("permutation", "influence", "bootstrap"),
    "AUC": ("permutation", "delong", "influence", "bootstrap", "obuchowski"),
}
#: Of a part of an area under ROC: AUC(max_fpr=.2).
OF_PARTS = ("delong", "bootstrap", "obuchowski")
#: The same of precision and recall at rank k.
OF_TOPS = {"P": ("permutation", "fisher", "influence"), "R": ("permutation", "fisher", "influence")}
#: Of two scores of the same cases, by the one measure or the other.
OF_CASES = ("permutation", "delong", "obuchowski", "influence", "fisher", "bootstrap")
#: Of recall at a threshold; exchanges of scores are exchanges of decisions there.
OF_THRESHOLD = ("permutation", "sign", "t")
ALTERNATIVES = ("two-sided", "greater", "less")
#: Corrections for the number of pairs.
CORRECTIONS = ("holm", "hochberg", "bh", "by", "none", "tukey")
#: What tests and corrections are called elsewhere (SciPy, statsmodels, ranx, PyTerrier, books), as
#: `checks.choose` reads it.
ELSEWHERE = {
    "student": ["t"],
    "studentt": ["t"],
    "students": ["t"],
    "studentst": ["t"],
    "ttestrel": ["t"],
    "trel": ["t"],
    "fisher": ["randomization", "permutation"],
    "fishers": ["randomization", "permutation"],
    "fisherrandomization": ["randomization", "permutation"],
    "fishersrandomization": ["randomization", "permutation"],
    "randomisation": ["randomization", "permutation"],
    "randomization": ["permutation"],
    "permutation": ["randomization"],
    "approximaterandomization": ["randomization", "permutation"],
    "ar": ["randomization"],
    "yeh": ["randomization"],
    "perm": ["randomization", "permutation"],
    "rand": ["randomization"],
    "signflip": ["randomization"],
    "signflipping": ["randomization"],
    "signedrank": ["wilcoxon"],
    "wilcoxonsignedrank": ["wilcoxon"],
    "wilcoxonsigned": ["wilcoxon"],
    "wsr": ["wilcoxon"],
    "binomial": ["sign"],
    "signs": ["sign"],
    "binom": ["sign", "mcnemar"],
    "mcnemars": ["mcnemar"],
    "bootstrapping": ["bootstrap"],
    "delongs": ["delong"],
    "venkatraman": ["permutation"],
    "holmbonferroni": ["holm"],
    "holms": ["holm"],
    "stepdown": ["holm"],
    "simeshochberg": ["hochberg"],
    "stepup": ["hochberg"],
    "benjaminihochberg": ["bh"],
    "fdrbh": ["bh"],
    "fdr": ["bh"],
    "benjaminiyekutieli": ["by"],
    "fdrby": ["by"],
    "tukeyhsd": ["tukey"],
    "hsd": ["tukey"],
    "randomisedtukeyhsd": ["tukey"],
    "randomizedtukeyhsd": ["tukey"],
    "no": ["none"],
    "uncorrected": ["none"],
    "raw": ["none"],
}
_PAIRED = (
    "systems are compared on the same topics: take 't', 'wilcoxon' or 'randomization', which are "
    "of pairs"
)
#: What is of several systems and not of one pair.
_SEVERAL = (
    "it is of several runs on the same topics, as is "
    "⟨pc.compare(qrels, runs, correction='tukey')¦precall compare QRELS RUN... --correction tukey⟩"
)
#: What there is not, and what to take instead.
INSTEAD = {
    "bonferroni": (
        "take ⟨correction='holm'⟩, which keeps the same chance of any false alarm and rejects all "
        "that Bonferroni does, and more"
    ),
    "sidak": "take ⟨correction='holm'⟩, which assumes less",
    "holmsidak": "take ⟨correction='holm'⟩, which assumes less",
    "hommel": "take ⟨correction='hochberg'⟩, which is close to it",
    "dunnett": "take ⟨baseline=⟩ with ⟨correction='holm'⟩",
    **dict.fromkeys(("tukey", "nemenyi", "scheffe", "anova", "friedman"), _SEVERAL),
    "mcnemar": (
        "it is of decisions (pc.compare.decisions), by accuracy or error: "
        "⟨measure='accuracy'¦--measure accuracy⟩"
    ),
    "ttestind": _PAIRED,
    "welch": _PAIRED,
    "mannwhitney": _PAIRED,
    "mannwhitneyu": _PAIRED,
    "ranksum": _PAIRED,
    "ranksums": _PAIRED,
    "chi2": "take 'mcnemar' of decisions (pc.compare.decisions)",
    "chisquare": "take 'mcnemar' of decisions (pc.compare.decisions)",
    "delong": "it is of the area under ROC: ⟨measure='AUC'¦--measure AUC⟩",
}
#: The same of several systems, where corrections are taken for tests.
INSTEAD_OF_SEVERAL = INSTEAD | {
    **{
        name: f"it is a correction here: take ⟨correction='{name}'⟩"
        for name in CORRECTIONS
        if name != "none"
    },
    "scheffe": "take ⟨correction='tukey'⟩, which is of pairs",
    "nemenyi": "take ⟨correction='tukey'⟩, which compares means",
    "anova": "the result has it, `.anova`; ⟨correction='tukey'⟩ tells pairs apart",
    "friedman": "take ⟨correction='tukey'⟩",
}
