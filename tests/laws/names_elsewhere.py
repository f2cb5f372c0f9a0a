"""What other tools and books call tests, corrections and methods of intervals, in their spelling.

These names come from their documentation, not from the declarations, so a name that a declaration
lacks is noticed.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Mapping
from typing import Any

from precall.core.arguments import choose

_EXCHANGES = (
    "fisher",  # ranx
    "Fisher's",
    "Fisher randomization test",
    "Fisher's randomization test",
    "randomisation",
    "approximate randomization",  # sacreBLEU: ar
    "perm",
    "rand",
)
#: Names of tests elsewhere, by ours.
TESTS: Mapping[str, tuple[str, ...]] = {
    "randomization": (
        *_EXCHANGES,
        "permutation_test",  # SciPy
        "ar",
        "Yeh",
        "sign-flip",
        "sign flipping",
    ),
    "permutation": (*_EXCHANGES, "randomization test", "Venkatraman"),  # pROC
    "t": (
        "student",
        "Student t",
        "students",
        "Student's t-test",
        "ttest_rel",
        "t_rel",
    ),  # ranx, SciPy
    "wilcoxon": ("signed rank", "Wilcoxon signed-rank test", "Wilcoxon signed", "WSR"),
    "sign": ("binomial test", "signs", "binom_test"),
    "mcnemar": ("McNemar's test", "binom_test"),
    "mcnemar-chi2": ("McNemar chi-squared", "McNemar asymptotic"),
    "mcnemar-both": ("generalized McNemar", "gen_mcnemar"),  # DTComPair
    "wgs": ("weighted generalized score", "Kosinski"),  # DTComPair
    "delong": ("DeLong's test",),
    "bootstrap": ("bootstrapping",),
}
#: Names of corrections elsewhere, by ours.
CORRECTIONS: Mapping[str, tuple[str, ...]] = {
    "holm": ("Holm-Bonferroni", "Holm's", "step-down"),
    "hochberg": ("simes-hochberg", "step-up"),  # statsmodels
    "bh": ("Benjamini-Hochberg", "fdr_bh", "fdr"),  # statsmodels; R
    "by": ("Benjamini-Yekutieli", "fdr_by"),
    "none": ("no", "uncorrected", "raw"),
    "tukey": ("tukey_hsd", "HSD", "randomised Tukey HSD", "randomized Tukey HSD"),  # SciPy
}
#: Names of methods of intervals elsewhere, by ours.
INTERVALS: Mapping[str, tuple[str, ...]] = {
    "wilson": ("score", "Wilson score", "Wilson's"),
    "clopper-pearson": ("exact", "beta", "Clopper"),  # SciPy and R; statsmodels
    "jeffreys": ("Jeffrey",),
    "agresti-coull": ("agresti_coull", "ac"),  # statsmodels; binom of R
    "wald": ("normal", "asymptotic"),  # statsmodels; binom of R
    "log": ("Simel", "Woolf", "Katz", "log-Wald"),  # epiR
    "rao-scott": ("raoscott", "design effect"),  # aod
    "monte-carlo": ("MC",),
    "logit": ("log-odds",),
    "logit-delong": ("delong-logit",),
    "delong": ("DeLong's",),
    "t": ("Student", "Student t", "Students", "Student's t"),
    "bayesian-bootstrap": ("bayesboot",),
    "bca": ("BCa", "bias-corrected accelerated", "bias-corrected and accelerated"),  # SciPy, R
    "percentile": ("perc", "quantile"),  # boot of R
    "normal": ("Wald",),
    "optimism bootstrap": ("optimism",),
    "dkw": ("Massart", "Dvoretzky-Kiefer-Wolfowitz"),
}
#: Names of charts elsewhere, by our kind.
CHARTS: Mapping[str, tuple[str, ...]] = {
    "pr": ("precision-recall", "precision_recall_curve", "PRC", "PR curve"),
    "roc": ("roc_curve", "receiver operating characteristic"),
    "gain": ("precision-recall-gain", "PRG"),
    "lift": ("lift curve",),
    "cumulative-gain": ("cumulative gains",),
    "det": ("det_curve", "detection error tradeoff"),
    "cost": ("cost curve",),
}


def check_names(
    names: Mapping[str, tuple[str, ...]],
    declared: Mapping[str, Any],
    elsewhere: Mapping[str, Any],
    choices: Callable[[str], Collection[str]],
) -> None:
    """Each of these names leads to ours, and no other name is declared."""
    lost = [
        (name, ours)
        for ours, spellings in names.items()
        for name in spellings
        if choose("name", name, (*choices(ours), ours), elsewhere) != ours
    ]
    assert lost == [], "declare them as aliases"
    unknown = [
        (alias, ours)
        for ours, each in declared.items()
        for alias in each.aliases
        if alias not in {form for name in names.get(ours, ()) for form in _forms(name)}
    ]
    assert unknown == [], "write in this file how another tool or book spells them"


def _forms(name: str) -> tuple[str, str]:
    letters = re.sub("[^a-z0-9]", "", name.lower())
    return letters, re.sub("tests?$", "", letters)
