"""Comparisons of systems: differences, their tests, equivalence, gates, posteriors and power; every
test and correction is declared here, once.

NumPy is not imported here, so that `--help` is fast. The functions that compute p are listed by the
names of the tests in the module of their data: for values per topic in `paired.py`, for lists in
`lists.py`.
"""

from __future__ import annotations

from dataclasses import dataclass

#: Measures of counts that have matched tests: quotients of sums over items.
QUOTIENTS = ("P", "R", "F")
#: Shares of the relevant items, or of the others: a decision about such an item is right or wrong.
OF_CLASSES = (("tp", "fn"), ("tn", "fp"), ("fp", "tn"))
#: Shares of the accepted items, or of those not accepted.
OF_DECIDED = (("tp", "fp"), ("tn", "fn"))
#: Measures of recall and specificity together, whose test can be of both.
OF_BOTH_CLASSES = ("YoudenJ", "BalancedAccuracy")
#: Intervals of differences of decisions: by the bootstrap of items; of shares of the same items; of
#: any measure of one table.
OF_DIFFERENCES = ("percentile", "bca", "tango", "mover")


@dataclass(frozen=True, slots=True)
class Test:
    """A test of two systems.

    Attributes
    ----------
    name : the name that `test=` and `--test` take.
    caption : its name in a paper.
    of : the data that it takes: "values" per topic, "decisions" by any measure of counts, "right
        decisions", "right decisions in groups", "predictive values", "recall and specificity",
        "matched decisions" by quotients of sums, or two lists by "AP", "AUC", "part of AUC",
        "P@k", "R@k", "R at a threshold", another "number of a list", or a "number of one item";
        "AUC of cohorts" and "AP of cohorts", which is of any measure with an interval; "all pairs"
        is for corrections.
    source : its publication.
    example : a call of `pc.compare` with it, and the p that it gives, to four decimals.
    aliases : its names in SciPy, statsmodels, ranx, PyTerrier and books, in lower case without
        punctuation.
    exact_when : when p has neither an error of sampling nor one of an assumed distribution; empty
        if that is never so.
    draws : whether it draws random numbers, so that `resamples` and a seed matter.
    redraws : whether it draws topics.
    is_of_means : whether strongly skewed differences make its p too small.
    weighs_topics : whether it counts topics instead of differences, and so may favour the system
        with the lower mean.
    has_least_p : whether p comes from the signs of differences, and is never below 2^-n.
    interval : method of the interval of the difference that is shown with it.
    takes_weights : whether it takes weights of topics into account.
    takes_margin : whether differences may be shifted by a margin, as equivalence needs.
    """

    name: str
    caption: str
    of: tuple[str, ...]
    source: str
    example: tuple[str, float]
    aliases: tuple[str, ...] = ()
    exact_when: str = ""
    draws: bool = False
    redraws: bool = False
    is_of_means: bool = False
    weighs_topics: bool = False
    has_least_p: bool = False
    interval: str = ""
    takes_weights: bool = False
    takes_margin: bool = False


#: Signs of this many differences can all be counted, whatever the values are.
MOST_SIGNS = 40
#: Signed ranks are counted for up to this many differences.
MOST_RANKS = 200
#: All exchanges of up to this many items or groups of two lists are enumerated.
MOST_EXCHANGES = 20
_COUNTED = (
    f"if all exchanges can be counted: up to {MOST_SIGNS} differences of topics, 2^20 exchanges of "
    "decisions, and more if all are multiples of one unit, such as 0.1"
)
#: Data of the examples.
_NEW, _OLD = "[0.52, 0.41, 0.66, 0.19, 0.70, 0.31]", "[0.40, 0.35, 0.61, 0.20, 0.55, 0.12]"
_LABELS, _SCORES = "[0, 0, 1, 0, 1, 1] * 3", "[5 * k % 18 for k in range(18)]"
_BY_TWO = '"AUC", groups=[k // 2 for k in range(18)]'
_THREE = f"list(zip({_NEW}, {_OLD}, [0.3] * 6))"
#: Names elsewhere of all tests that exchange the systems at random.
_EXCHANGES = (
    "fisher",
    "fishers",
    "fisherrandomization",
    "fishersrandomization",
    "randomisation",
    "approximaterandomization",
    "perm",
    "rand",
)
DECLARED = {
    test.name: test
    for test in (
        Test(
            "randomization",
            "the randomization test",
            ("values", "decisions"),
            "Fisher 1935; Smucker, Allan, Carterette 2007; of decisions Yeh 2000",
            aliases=(*_EXCHANGES, "permutation", "ar", "yeh", "signflip", "signflipping"),
            draws=True,
            is_of_means=True,
            has_least_p=True,
            interval="inverted randomization",
            takes_weights=True,
            takes_margin=True,
            example=(f'pc.compare.paired({_NEW}, {_OLD}, test="randomization")', 0.0625),
            exact_when=_COUNTED,
        ),
        Test(
            "permutation",
            "the permutation test",
            (
                "AP",
                "AUC",
                "P@k",
                "R@k",
                "R at a threshold",
                "number of a list",
                "number of one item",
            ),
            "Venkatraman, Begg 1996",
            aliases=(*_EXCHANGES, "randomization", "venkatraman"),
            draws=True,
            is_of_means=True,
            example=(
                f'pc.compare.cases({_LABELS}, range(18), {_SCORES}, "AP", test="permutation")',
                0.3259,
            ),
            exact_when=f"up to {MOST_EXCHANGES} items or groups that the lists rank differently",
        ),
        Test(
            "t",
            "the paired t test",
            ("values", "matched decisions", "R at a threshold"),
            "Student 1908",
            aliases=("student", "studentt", "students", "studentst", "ttestrel", "trel"),
            is_of_means=True,
            interval="t",
            takes_weights=True,
            takes_margin=True,
            example=(f'pc.compare.paired({_NEW}, {_OLD}, test="t")', 0.0264),
        ),
        Test(
            "wilcoxon",
            "Wilcoxon's signed-rank test",
            ("values", "matched decisions"),
            "Wilcoxon 1945",
            aliases=("signedrank", "wilcoxonsignedrank", "wilcoxonsigned", "wsr"),
            is_of_means=True,
            weighs_topics=True,
            has_least_p=True,
            interval="t",
            takes_margin=True,
            example=(f'pc.compare.paired({_NEW}, {_OLD}, test="wilcoxon")', 0.0625),
            exact_when=f"up to {MOST_RANKS} differences, also with ties",
        ),
        Test(
            "sign",
            "the sign test",
            ("values", "matched decisions", "R at a threshold"),
            "Arbuthnott 1710; Dixon, Mood 1946",
            aliases=("binomial", "signs", "binom"),
            weighs_topics=True,
            has_least_p=True,
            interval="t",
            example=(f'pc.compare.paired({_NEW}, {_OLD}, test="sign")', 0.2188),
            exact_when="always",
        ),
        Test(
            "mcnemar",
            "McNemar's test",
            ("right decisions",),
            "McNemar 1947",
            aliases=("mcnemars", "binom"),
            example=(
                f'pc.compare.decisions({_LABELS}, [1] * 18, {_LABELS}, "accuracy", test="mcnemar")',
                0.0039,
            ),
            exact_when="always",
        ),
        Test(
            "mcnemar-chi2",
            "McNemar's chi-squared test",
            ("right decisions",),
            "McNemar 1947",
            aliases=("mcnemarchisquared", "mcnemarasymptotic"),
            example=(
                f"pc.compare.decisions({_LABELS}, [1] * 18, {_LABELS}, 'accuracy', "
                "test='mcnemar-chi2')",
                0.0027,
            ),
        ),
        Test(
            "mcnemar-both",
            "McNemar's chi-squared test of both classes",
            ("recall and specificity",),
            "Lachenbruch, Lynch 1998",
            aliases=("generalizedmcnemar", "genmcnemar"),
            example=(
                f"pc.compare.decisions({_LABELS}, [1] * 18, {_LABELS}, 'Youden', "
                "test='mcnemar-both')",
                0.0111,
            ),
        ),
        Test(
            "wgs",
            "the weighted generalized score test",
            ("predictive values",),
            "Kosinski 2013",
            aliases=("weightedgeneralizedscore", "kosinski"),
            example=(
                f"pc.compare.decisions({_LABELS}, [1] * 18, {_LABELS}, 'P', test='wgs')",
                0.0015,
            ),
        ),
        Test(
            "delong",
            "DeLong's test",
            ("AUC", "part of AUC", "AUC of cohorts"),
            "DeLong, DeLong, Clarke-Pearson 1988",
            aliases=("delongs",),
            is_of_means=True,
            example=(
                f'pc.compare.cases({_LABELS}, range(18), {_SCORES}, "AUC", test="delong")',
                0.4042,
            ),
        ),
        Test(
            "fisher",
            "Fisher's exact test",
            ("P@k", "R@k"),
            "Fisher 1922",
            example=(
                f'pc.compare.cases({_LABELS}, {_LABELS}, {_SCORES}, "P@9", test="fisher")',
                0.0079,
            ),
            exact_when="always",
        ),
        Test(
            "influence",
            "the test of influences",
            ("AP", "AUC", "P@k", "R@k", "number of a list"),
            "Hampel 1974",
            is_of_means=True,
            example=(
                f'pc.compare.cases({_LABELS}, range(18), {_SCORES}, "AP", test="influence")',
                0.216,
            ),
        ),
        Test(
            "bootstrap",
            "the bootstrap test",
            ("values", "AP", "AUC", "part of AUC"),
            "Efron, Tibshirani 1993; Sakai 2006",
            aliases=("bootstrapping",),
            draws=True,
            redraws=True,
            is_of_means=True,
            interval="inverted bootstrap",
            example=(f'pc.compare.paired({_NEW}, {_OLD}, test="bootstrap", rng=0)', 0.0002),
        ),
        Test(
            "obuchowski",
            "Obuchowski's test",
            ("AUC", "part of AUC", "right decisions in groups"),
            "Obuchowski 1997; of decisions Obuchowski 1998",
            is_of_means=True,
            example=(
                f'pc.compare.cases({_LABELS}, range(18), {_SCORES}, {_BY_TWO}, test="obuchowski")',
                0.3866,
            ),
        ),
        Test(
            "mover",
            "the test of both intervals",
            ("AUC of cohorts", "AP of cohorts"),
            "Zou, Donner 2008",
            is_of_means=True,
            interval="mover",
            example=(
                f"pc.compare.unpaired(pc.curve({_LABELS}, range(18)), "
                f'pc.curve({_LABELS}, {_SCORES}), "AP")',
                0.4342,
            ),
        ),
        Test(
            "jackknife",
            "the jackknife test",
            ("AP of detections",),
            "Efron, Stein 1981",
            is_of_means=True,
            interval="jackknife",
            example=(
                "pc.compare.detections(*(pc.detections(range(18), [k % n > 0 for k in range(18)], "
                'image=[k // 2 for k in range(18)], objects={(k, "object"): 2 for k in range(9)}) '
                'for n in (2, 3))).pair("a", "b")',
                0.163,
            ),
        ),
        Test(
            "randomised Tukey HSD",
            "randomised Tukey HSD",
            ("all pairs",),
            "Carterette 2012",
            draws=True,
            is_of_means=True,
            has_least_p=True,
            example=(
                f'pc.compare.many({_THREE}, correction="tukey").pairs[0]',
                0.0938,
            ),
            exact_when="up to 17 topics",
        ),
    )
}


def names_of(kind: str) -> tuple[str, ...]:
    """The tests of one kind of data (see `Test.of`), the default first.

    Examples
    --------
    >>> names_of("values")
    ('randomization', 't', 'wilcoxon', 'sign', 'bootstrap')
    """
    return tuple(test.name for test in DECLARED.values() if kind in test.of)


#: Tests of two systems by values per topic.
TESTS = names_of("values")
#: Tests of hard decisions: by any measure of counts; by the number of right decisions; and Yeh's
#: (2000) tests of matched pairs, by precision, recall, F, accuracy and error.
OF_COUNTS, OF_RIGHTS, MATCHED = map(names_of, ("decisions", "right decisions", "matched decisions"))
OF_GROUPS = names_of("right decisions in groups")
OF_PREDICTIVE, OF_BOTH = map(names_of, ("predictive values", "recall and specificity"))
#: Tests whose p depends on the joint table of both systems, or on its groups.
ON_TABLES = ("mcnemar-chi2", *OF_GROUPS, *OF_PREDICTIVE, *OF_BOTH)
OF_DECISIONS = (*OF_COUNTS, *OF_RIGHTS, *OF_GROUPS, *OF_PREDICTIVE, *OF_BOTH)
#: Tests of two scored lists of the same items, by measure: of areas; of a part of an area,
#: AUC(max_fpr=.2); of precision and recall at rank k; of recall at a threshold, where exchanging
#: scores exchanges decisions.
OF_LISTS = {name: names_of(name) for name in ("AP", "AUC")}
OF_PARTS, OF_THRESHOLD = names_of("part of AUC"), names_of("R at a threshold")
OF_TOPS = {"P": names_of("P@k"), "R": names_of("R@k")}
#: Tests of two cohorts by the whole area under ROC, and by any other measure.
OF_COHORTS = {"AUC": names_of("AUC of cohorts"), "AP": names_of("AP of cohorts")}
#: Tests by other numbers of a list, such as break-even; one item decides of some, such as RR.
OF_NUMBERS, OF_ONE_ITEM = names_of("number of a list"), names_of("number of one item")
#: Tests of two scores of the same cases, by any measure.
OF_CASES = tuple(
    name for name in DECLARED if name in (*OF_LISTS["AP"], *OF_LISTS["AUC"], *OF_TOPS["P"])
)


def tests_of_counts(
    name: str, proportion: tuple[str, str] | None, of_items: bool, one_table: bool, matched: bool
) -> tuple[str, ...]:
    """The tests of two systems' decisions by a measure of counts.

    Parameters
    ----------
    name, proportion : of the measure's declaration.
    of_items : whether it is a mean over items, each right or wrong.
    one_table : whether it is of a yes or no about each item.
    matched : whether it has tests of matched pairs.

    Examples
    --------
    >>> tests_of_counts("NPV", ("tn", "fn"), False, True, False)
    ('randomization', 'wgs')
    """
    of_class = one_table and proportion in OF_CLASSES
    more: tuple[str, ...] = OF_RIGHTS + OF_GROUPS if of_items or of_class else ()
    if one_table and proportion in OF_DECIDED:
        more += OF_PREDICTIVE
    if one_table and name in OF_BOTH_CLASSES:
        more += OF_BOTH
    return OF_COUNTS + more + MATCHED * matched


ALTERNATIVES = ("two-sided", "greater", "less")


@dataclass(frozen=True, slots=True)
class Correction:
    """A correction for the number of pairs; its fields are as those of `Test`."""

    name: str
    caption: str = ""
    aliases: tuple[str, ...] = ()
    draws: bool = False
    source: str = ""


DECLARED_CORRECTIONS = {
    correction.name: correction
    for correction in (
        Correction(
            "holm", "Holm's correction", ("holmbonferroni", "holms", "stepdown"), source="Holm 1979"
        ),
        Correction(
            "hochberg", "Hochberg's correction", ("simeshochberg", "stepup"), source="Hochberg 1988"
        ),
        Correction(
            "bh",
            "Benjamini and Hochberg's correction",
            ("benjaminihochberg", "fdrbh", "fdr"),
            source="Benjamini, Hochberg 1995",
        ),
        Correction(
            "by",
            "Benjamini and Yekutieli's correction",
            ("benjaminiyekutieli", "fdrby"),
            source="Benjamini, Yekutieli 2001",
        ),
        Correction("none", aliases=("no", "uncorrected", "raw")),
        Correction(
            "tukey",
            aliases=("tukeyhsd", "hsd", "randomisedtukeyhsd", "randomizedtukeyhsd"),
            draws=True,
            source="Carterette 2012",
        ),
    )
}
CORRECTIONS = tuple(DECLARED_CORRECTIONS)


def _names_elsewhere() -> dict[str, list[str]]:
    names = [(test.name, test.aliases) for test in DECLARED.values()]
    names += [(correction.name, correction.aliases) for correction in DECLARED_CORRECTIONS.values()]
    names_by_alias: dict[str, list[str]] = {}
    for name, aliases in names:
        for alias in aliases:
            names_by_alias.setdefault(alias, []).append(name)
    return names_by_alias


#: Names of tests and corrections elsewhere, as `arguments.choose` reads them.
ELSEWHERE = _names_elsewhere()


def is_correction(name: object) -> bool:
    """Whether this is the name of a correction, here or elsewhere.

    Examples
    --------
    >>> is_correction("fdr_bh"), is_correction("wilcoxon")
    (True, False)
    """
    from precall.core.arguments import choose
    from precall.core.errors import UsageError

    try:
        choose("correction", name, CORRECTIONS, ELSEWHERE)
    except UsageError:
        return False
    return True


_PAIRED = (
    "systems are compared on the same topics: take 't', 'wilcoxon' or 'randomization', which are "
    "of pairs"
)
#: Advice for tests of several systems, not of one pair.
_SEVERAL = (
    "it is of several runs on the same topics, as is "
    "⟨pc.compare(qrels, runs, correction='tukey')¦precall compare QRELS RUN... --correction tukey⟩"
)
_CHI_SQUARED = (
    "take 'mcnemar' of decisions, "
    "⟨pc.compare.decisions¦precall compare FILE --truth --decision --measure accuracy⟩"
)


def _of_several(correction: str, baseline: str = "") -> str:
    baseline_options = (
        f"baseline='{baseline}', " if baseline else "",
        f"--baseline {baseline} " * bool(baseline),
    )
    return (
        "one pair needs no correction; of several runs there is "
        f"⟨pc.compare(qrels, runs, {baseline_options[0]}correction='{correction}')¦"
        f"precall compare QRELS RUN... {baseline_options[1]}--correction {correction}⟩"
    )


#: Advice for tests that two systems do not have, by name: what to take instead.
INSTEAD = {
    **{name: _of_several(name) for name in CORRECTIONS if name not in ("none", "tukey")},
    **dict.fromkeys(("bonferroni", "sidak", "holmsidak"), _of_several("holm")),
    "hommel": _of_several("hochberg"),
    "dunnett": _of_several("holm", "NAME"),
    **dict.fromkeys(("tukey", "nemenyi", "scheffe", "anova", "friedman"), _SEVERAL),
    "mcnemar": (
        "it is of decisions, by accuracy or error: "
        "⟨pc.compare.decisions(truth, a, b, measure='accuracy')¦"
        "precall compare FILE --truth --decision --measure accuracy⟩"
    ),
    **dict.fromkeys(
        ("ttestind", "welch", "mannwhitney", "mannwhitneyu", "ranksum", "ranksums"), _PAIRED
    ),
    **dict.fromkeys(("chi2", "chisquare"), _CHI_SQUARED),
    "delong": (
        "it is of two scores of the same cases, by the area under ROC: "
        "⟨pc.compare.cases(labels, a, b, measure='AUC')¦"
        "precall compare FILE --label --score --measure AUC⟩"
    ),
}
#: The same advice for several systems, which also covers corrections given as tests.
INSTEAD_OF_SEVERAL = INSTEAD | {
    **{
        name: f"it is a correction here: take ⟨correction='{name}'⟩"
        for name in CORRECTIONS
        if name != "none"
    },
    "bonferroni": (
        "take ⟨correction='holm'⟩, which keeps the same chance of any false alarm and rejects all "
        "that Bonferroni does, and more"
    ),
    **dict.fromkeys(("sidak", "holmsidak"), "take ⟨correction='holm'⟩, which assumes less"),
    "hommel": "take ⟨correction='hochberg'⟩, which is close to it",
    "dunnett": "take ⟨baseline=⟩ with ⟨correction='holm'⟩",
    "scheffe": "take ⟨correction='tukey'⟩, which is of pairs",
    "nemenyi": "take ⟨correction='tukey'⟩, which compares means",
    "anova": "the result has it, `.anova`; ⟨correction='tukey'⟩ tells pairs apart",
    "friedman": "take ⟨correction='tukey'⟩",
}
