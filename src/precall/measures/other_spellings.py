"""Names of measures as other libraries spell them: hit_rate@10, roc_auc, f1_macro, ndcg_at_10,
ndcg10, P.10, F0.5, cosine_ndcg@10.

It is used only for names that are unknown here. A name that may mean two measures stays an error,
which suggests both.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from decimal import Decimal
from typing import TYPE_CHECKING

from precall.core.text import letters
from precall.measures.words import word
from precall.native.literals import WEIGHT

if TYPE_CHECKING:
    from precall.measures.registry import Declaration


#: MTEB's cutoffs, ndcg_at_10; and trec_eval's, behind a dot, ndcg_cut.10.
_AT, _DOT = re.compile(r"(.+?)[_-]at[_-]([0-9]+)"), re.compile(r"([A-Za-z_]+)\.([0-9]+)")
#: Averages behind the name, as scikit-learn's scorers and columns have them, f1_macro; and before
#: it, macro_f1, macro F1.
_BEHIND = re.compile(r"(.+?)[_ -](micro|macro|weighted|samples)", re.IGNORECASE)
_BEFORE = re.compile(r"(micro|macro|weighted|support-weighted|samples)[_ -](.+)", re.IGNORECASE)
#: ndcg10, recall_5, P5: a name with its cutoff.
_GLUED = re.compile(r"([A-Za-z][A-Za-z_ -]*?)[_-]?([1-9][0-9]*)")
#: F1_score, F0.5, F2Score@10, E1.
_F = re.compile(rf"([fe])[-_]?{WEIGHT}(?:[-_ ]?(?:score|measure))?(@.*)?", re.IGNORECASE)
#: F05, which may be F0.5 or F5.
_ZERO = re.compile(r"(.*-)?([fe])0([0-9]*[1-9])", re.IGNORECASE)
#: The enrichment factor of a share, which others call lift: EF1%, EF@0.5%, enrichment factor 5 %,
#: Lift@10%.
_EF = re.compile(
    r"(?:ef|lift|enrichment(?:[ _-]?factor)?)[ _]?@?[ _]?([0-9]{0,3}\.?[0-9]+) ?%", re.IGNORECASE
)
#: Lift is also named by the share itself: lift@0.1. EF@0.1 is not read, as it may mean 0.1 %.
_LIFT = re.compile(r"lift[ _]?@[ _]?(0?\.[0-9]*[1-9])", re.IGNORECASE)
#: Names, by their letters, of our measures with an average.
_AVERAGED = dict.fromkeys(("hamming", "hammingloss", "hammingdistance"), "micro-Error")
#: Cohen's kappa with weights.
_KAPPA = re.compile(
    (
        r"(?:(q|quadratic(?:ally)?|l|linear(?:ly)?)[ _-]?(?:w|weighted)[ _-]?(?:k|(?:cohens?[ "
        r"_-]?)?kappa)(?:[ _-]?score)?)"
    ),
    re.IGNORECASE,
)
#: ranx's RBP, whose p stands behind the dot: rbp.95.
_RBP = re.compile(r"rbp\.([0-9]+)", re.IGNORECASE)
#: sentence-transformers' prefixes, which tell how texts are compared: cosine_ndcg@10.
_SIMILARITY = re.compile(
    r"(?:cos_sim|cosine|dot(?:_score)?|euclidean|manhattan)[-_]([A-Za-z].*)", re.IGNORECASE
)
#: Whether there is a hit, which is called accuracy there.
_HIT = re.compile(r"accuracy@(.+)", re.IGNORECASE)
#: torchmetrics' prefixes of measures of rankings, and of labels 0 and 1.
_KINDS = ("retrieval", "binary")
#: Names, by their letters, of what is not a measure here, and what to use. `{0}` is how decisions
#: are averaged, if the name says so: "", or "macro-".
_INSTEAD = {
    "contextprecision": (
        "ragas' is the AP of what was retrieved, over the hits found: AP(norm=found)"
    ),
    "contextrecall": "ragas' is the share of what is relevant that was retrieved: SetR, or R@k",
    "faithfulness": (
        "a language model judges it; pc.judge.values corrects its mean with people's labels. For "
        "what was retrieved, take a measure such as R@5"
    ),
    "top": "did you mean Success@k (whether there is a hit)?",
    "hits": "did you mean Success@k (whether there is a hit), or NumRelRet (how many)?",
    "lift": "it is precision over prevalence, of a share: Lift@10%, Lift@0.1; curve.lift() has all",
    "pauc": "did you mean AUC(max_fpr=0.2), the area up to that false positive rate?",
    "rie": "take BEDROC, which is RIE between its least and its greatest value",
    "ndcgburges": "its gains are 2^grade - 1: nDCG(gain=exp)@k",
    "cg": "take DCG, which discounts gains by rank",
    "lr": "did you mean {0}LR+ or {0}LR-?",
    "logloss": "it is of probabilities; here are measures of rankings and decisions, such as AUC",
    "brier": "it is of probabilities; here are measures of rankings and decisions, such as AUC",
    "brierscore": (
        "it is of probabilities; here are measures of rankings and decisions, such as AUC"
    ),
    "eer": (
        "it is where Fallout is 1 - R, or Specificity R: curve.roc() has both; BEP is where P is R"
    ),
    "lrap": "it is the AP of each item's categories: status.by_item('AP').mean()",
    "labelrankingaverageprecision": (
        "it is the AP of each item's categories: status.by_item('AP').mean()"
    ),
    "topkaccuracy": "it is Success@k of each item's categories: status.by_item('Success@k').mean()",
    "fnr": "it is 1 - {0}R: take {0}R",
    "fdr": "it is 1 - {0}P: take {0}P",
    "for": "it is 1 - {0}NPV: take {0}NPV",
    "prc": "did you mean AreaPR, the area under the precision-recall curve?",
    "numq": "every report says how many topics it is of",
    "detcurve": "it is Fallout against 1 - R: curve.roc() has R and Specificity",
}
for _same, _name in (
    ("answerrelevancy", "faithfulness"),
    ("groundedness", "faithfulness"),
    ("equalerrorrate", "eer"),
):
    _INSTEAD[_same] = _INSTEAD[_name]
_PARTS = re.compile(r"([A-Za-z0-9_ -]+)(.*)")


def respell(text: str, declared: Iterable[Declaration]) -> str:
    """Our name of the one measure that an unknown name can mean; else the name unchanged.

    Examples
    --------
    >>> from precall.measures.registry import REGISTRY
    >>> [
    ...     respell(name, REGISTRY)
    ...     for name in ("ndcg_at_10", "recall5", "f0.5@5", "P.10", "f1_macro", "cosine_map@100")
    ... ]
    ['nDCG@10', 'R@5', 'F(beta=0.5)@5', 'P_10', 'macro-F(beta=1)', 'AP@100']
    """
    plain = text.strip()
    if match := _SIMILARITY.fullmatch(plain):
        plain = match[1]
        if match := _HIT.fullmatch(plain):
            return f"Success@{match[1]}"
    if match := _RBP.fullmatch(plain):
        return f"RBP(p=0.{match[1]})"
    if match := _EF.fullmatch(plain):
        return f"EF(share={Decimal(match[1]) / 100:f})"
    if match := _LIFT.fullmatch(plain):
        return f"EF(share={Decimal(match[1]):f})"
    if match := _AT.fullmatch(plain):
        plain = f"{match[1]}@{match[2]}"
    elif match := _DOT.fullmatch(plain):
        return f"{match[1]}_{match[2]}" if not _F.fullmatch(plain) else _with_weights(plain)
    if match := _BEHIND.fullmatch(plain):
        return f"{match[2].lower()}-{_one(match[1], declared)}"
    if match := _BEFORE.fullmatch(plain):
        return f"{match[1].lower()}-{_one(match[2], declared)}"
    if letters(plain) in _AVERAGED:
        return _AVERAGED[letters(plain)]
    if (match := _GLUED.fullmatch(plain)) and not _F.fullmatch(plain):
        plain = f"{match[1]}@{match[2]}"
    return _one(plain, declared)


def _one(text: str, declared: Iterable[Declaration]) -> str:
    if _F.fullmatch(text):
        return _with_weights(text)
    if kappa := _KAPPA.fullmatch(text):
        return f"kappa(weights={'linear' if kappa[1][0] in 'lL' else 'quadratic'})"
    match = _PARTS.fullmatch(text)
    # A separator between two numbers does not join them: F1_0 is not F10.
    if match is None or re.search("[0-9][_ -]+[0-9]", match[1]):
        return text
    base, rest = _letters_and_sign(match[1]), match[2]
    for kind in _KINDS:
        base = base.removeprefix(kind)
    if weight := _F.fullmatch(base):
        # Parameters behind the name are refused when they are read: F1(beta=2) gives beta twice.
        return text if rest.startswith("(") else f"{weight[1].upper()}(beta={weight[2]}){rest}"
    spelled = {base, base.removesuffix("score")}
    every = list(declared)
    # scikit-learn's names come second: one of them may belong to several measures here.
    for names in (lambda each: (each.name, *each.aliases), lambda each: each.sklearn):
        meant = [each.name for each in every if spelled & set(map(_letters_and_sign, names(each)))]
        if len(meant) == 1:
            return meant[0] + rest
    name, at, cutoff = text.partition("@")
    meaning = word(name)
    return f"{meaning.measure}{at}{cutoff}" if meaning is not None and meaning.is_name else text


def _letters_and_sign(name: str) -> str:
    """The letters of a name, and the minus sign behind them: LR is not LR-."""
    return letters(name) + "-" * name.endswith("-")


def instead(name: str, average: str = "") -> str:
    """What to use instead of a measure of others that is not a measure here; empty if unknown.

    `average` says how it is averaged over categories ("macro-").
    """
    if match := _ZERO.fullmatch(name):
        before, letter = match[1] or "", match[2].upper()
        return (
            f"did you mean {before}{letter}0.{match[3]} or {before}{letter}{match[3].lstrip('0')}?"
        )
    base = letters(name).removeprefix("nonllm").removeprefix("llm").rstrip("0123456789")
    advice = _INSTEAD.get(base) or _INSTEAD.get(base.removesuffix("score"), "")
    return advice.format(average)


def _with_weights(text: str) -> str:
    match = _F.fullmatch(text)
    return text if match is None else f"{match[1].upper()}(beta={match[2]}){match[3] or ''}"
