"""Comparisons of systems: differences, their tests, equivalence, gates, posteriors and power; names of tests, once.

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
    "AUC": ("permutation", "delong", "influence", "bootstrap"),
}
#: The same of precision and recall at rank k.
OF_TOPS = {"P": ("permutation", "fisher", "influence"), "R": ("permutation", "fisher", "influence")}
#: Of recall at a threshold; exchanges of scores are exchanges of decisions there.
OF_THRESHOLD = ("permutation", "sign", "t")
ALTERNATIVES = ("two-sided", "greater", "less")
#: Corrections for the number of pairs.
CORRECTIONS = ("holm", "hochberg", "bh", "by", "none", "tukey")
