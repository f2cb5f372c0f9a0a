"""The words of the field: what each means and what it is called here; the words of this project and those it prints, too.

One table, from which come `precall explain`, the names that errors suggest, and docs/glossary.md.
"""

from __future__ import annotations

import math
import re
from dataclasses import dataclass
from functools import cache

#: A word a line: its names (the first is shown) | symbol | meaning | what it is here, or where more is. What is here begins
#: with the name of a measure, if it is one. Indented lines go on; an asterisk begins a part.
_TABLE = """
* project
ranking | | one scored list: a topic's results
topic | | what a ranking belongs to (a query)
item | | what is ranked (a document, a passage, a molecule)
case, sample, instance | | an item with a score and a label | `precall curve`
category, class, label | | what items are put into by decisions | `precall decisions`, `precall categories`
run | | scores by topic and item: what a system returned
qrels | | judgements by topic and item
grade | g | the relevance level of a judgement; negative: in the pool, but unjudged
judged, unjudged | | whether the qrels hold a grade of 0 or more for an item
relevant, positive | R | number of relevant items that exist, found or not
other, negative, nonrelevant | | what is not relevant
retrieved | n | items in the ranking
found | h | relevant items among the retrieved
hit | | a retrieved relevant item
location | L_i | the rank of the i-th hit, from 1
missed | | relevant items that were never retrieved, or never scored
block | | items of equal score; they occupy ranks first..last
cutoff | k | number of ranks looked at
measure, metric | | a function from hits to a number per ranking | `precall measures`
break-even | | where precision equals recall; [three senses](curves.md#choosing-a-point), of which "break-even" alone is the
    nearest | BEP
accuracy, cell accuracy | | share of items that are right, of all their labels; share of right pairs of item and category
    | Accuracy
error, cell error | | share of items that are not right; share of wrong pairs of item and category | Error
conventions, signature | | every choice a number depends on; the same in one line
kernel, twin | | the native code that reads and locates; its equal in NumPy | `precall about`
comparison, pair | | two systems on the same topics or items; the first minus the second | `precall compare`
size, power | | how often a test rejects where there is no difference; where there is one. In a table of comparisons the
    size is the number of topics | `precall power`
margin | | the difference that does not matter | `precall compare --fail-if-worse`
gate | | a comparison that lets a system pass or not | `precall compare --fail-if-worse`

* documents
interpolated BEP, interpolated break-even, BEP, break-even point, PRBEP | | mean of the precision and the recall that are
    nearest to each other, where they are nowhere equal | BEP; `curve.break_even()`
optimal threshold, best threshold | | where F, or another measure, is best
    | MaxF; `curve.max_f()`, `curve.at(max="MCC")`, `precall curve --at max=MCC`
max-E, MaxE, min-E | | E is low for good systems: at its least F is greatest | MaxF; `curve.at(max="E")`
AUC, area under the curve | | under the ROC curve; that under the precision-recall curve is AreaPR, of which there are several
    | AUC; `curve.areas()`
PR AUC, PR curve, precision-recall curve | | precision against recall at every threshold | AreaPR; `precall curve --plot`
ROC, ROC curve | | recall against fallout at every threshold; LingPipe draws it with the rejection recall instead
    | AUC; `precall curve --plot-kind roc`
accuracy of a category, Acc, Acc_i | | (TP + TN) / N of one category's table; high for rare categories, whoever decides
    | Accuracy; `decisions.accuracy("each")`, `precall decisions`
error of a category, Err, Err_i | | (FP + FN) / N of one category's table | Error; `decisions.error("each")`,
    `precall decisions`
micro, micro-average, microaveraging | | of the sum of all categories' tables: frequent categories count most
    | `precall explain micro-F1`, `decisions.f(average="micro")`
macro, macro-average, macroaveraging | | mean of the categories' values: each category counts the same
    | `precall explain macro-F1`, `decisions.f(average="macro")`
weighted, weighted average | | mean of the categories' values, weighted by the items truly in each
    | `decisions.f(average="weighted")`
samples, samples average | | mean over items of a measure of each item's table | `decisions.f(average="samples")`
SCut, score-based thresholding, score-based local optimization | | a threshold for each category, chosen by what is best
    on the items that it is learned from | `precall categories --policy scut`, `status.thresholds("max-f")`
RCut, rank-based thresholding, k-per-doc, fixed thresholding | | the k best categories of each item are accepted
    | `precall categories --policy rcut:1`, `status.thresholds("rank:1")`
PCut, proportion-based assignment, proportional thresholding | | of each category's ranking of the items as many are accepted
    as the category is frequent, times a factor x | `precall categories --policy pcut`, `status.thresholds("proportion")`
CSV threshold, CSV thresholding, CSV, categorization status value, threshold | | the least score (CSV, categorization status
    value) that is accepted; SCut learns one for each category
    | `precall categories --policy fixed:0.5`, `precall curve --at threshold=0.5`
thresholding policy, thresholding strategy, policy | | how scores become decisions: SCut, RCut, PCut, break-even, utility
    | `precall categories --policy`
11-point, eleven-point, 11-point average precision | | mean interpolated precision at recall 0, .1, ..., 1; Yang's six steps
    differ from TREC's | IAP; `precall categories`, `status.eleven_point()`
interpolated precision | | the greatest precision at this recall or more | IPrec; `curve.eleven_point()`
rejection recall | | LingPipe's word for the specificity | Specificity; `curve.rejection_recall`
maximumFMeasure, maximum F-measure, maximal F | | LingPipe's name of the greatest F of any threshold
    | MaxF; `curve.max_f()`
prBreakevenPoint | | LingPipe's break-even: the greatest smaller one of precision and recall, in the order of its curve
    | BEP; `curve.break_even("max-min")`
areaUnderPrCurve, area under the PR curve | | LingPipe's is the step area, interpolated if asked | AreaPR; `curve.areas()`
areaUnderRocCurve, area under the ROC curve | | the chance that a relevant item outranks another one | AUC
rejection precision | | LingPipe's word for the negative predictive value | NPV
R-precision, precision at R | | precision at rank R, the number of relevant items | Rprec
k@recall, k at recall, rank at recall | | how many of the best items reach a recall | KAtRecall; `curve.at(recall=0.8)`
precision@recall, P@recall, precision at a recall | | precision at the least cutoff that reaches a recall
    | PAtRecall; `curve.at(recall=0.8)`
category pivoting, category-pivoted categorization, CPC | | each category ranks the items
    | `precall categories --pivot category`
document pivoting, item pivoting, document-pivoted categorization, DPC | | each item ranks the categories
    | `precall categories --pivot item`
utility, linear utility | | a gain or loss for each cell of the table, summed; the TREC filtering track's
    LF1 is 3 TP - 2 FP | Utility; `curve.at(max="Utility(3,-2)")`
generality | | share of all items that is relevant | Prevalence
effectiveness, effectiveness measure | | van Rijsbergen's E; alpha = 1 / (beta² + 1) | E
alpha, beta, van Rijsbergen's alpha | | how precision and recall weigh in F and E: F(alpha=0.5) is F(beta=1)
    | F; `F(alpha=0.2)`, `F(beta=2)`
F1, F-measure, F-score, F-beta, harmonic mean | | weighted harmonic mean of precision and recall | F
miss rate, false negative rate, FNR | | 1 - recall | R
false discovery rate, FDR | | 1 - precision | P
fall-out, false alarm rate, probability of false alarm | | share of the other items that are accepted | Fallout
detection rate, hit rate of relevant items, probability of detection | | recall | R
noise | | 1 - precision | P
silence | | 1 - recall | R
Hamming loss | | share of wrong pairs of item and category | Error; `decisions.error("micro")`
subset accuracy, exact match, exact match ratio | | share of items all of whose labels are right
    | Accuracy; `decisions.accuracy()`
zero-one loss | | share of items that are not right | Error; `decisions.error()`
hit rate, hit ratio, HR | | share of the topics with a hit in the first k ranks | Success
top-k accuracy | | share of the items whose category is among the k best | Success
MAP, mean average precision | | AP, averaged over topics | AP
reciprocal rank, mean reciprocal rank | | 1 / rank of the first hit | RR
contingency table, confusion matrix, tp, fp, fn, tn | | true and false positives and negatives: relevant and accepted, not
    relevant but accepted, relevant but not accepted, neither | `precall decisions`, `pc.decisions(truth, predicted).table`
trivial rejector, trivial acceptor | | who accepts nothing, or all: a baseline, whose accuracy is high where categories are rare
    | `curve.at(accept=0)`
gold standard, ground truth, truth | | the categories that items truly have | `precall decisions --truth`
random selection, null distribution, by chance | | what measures are where the same items stand in random order
    | `precall null`, `precall curve --null`
location of relevant items | L_i | the rank of the i-th relevant item, by which all measures of rankings can be written
    | `pc.locate(...).hits().location`
posterior | | what is known of a measure after counting | `pc.interval`
paired t test, randomization test, permutation test, signed-rank test, sign test, bootstrap | | whether two systems differ by
    more than chance | `precall compare --test`
McNemar's test | | whether two systems that decide the same items differ | `pc.compare.decisions`

* printed
support | | items that truly belong to a category
cases, items, thresholds | | how many there are
topics | | how many the mean is over
mean | | over topics, groups, categories or items
sum | | over topics or groups; of counts
variance, skewness, excess kurtosis | | moments of a distribution
2.5 %, 50 %, 97.5 % | | quantiles: this share of a distribution lies at or below
low, high | | ends of the interval
interval, level | | where the true value is to be expected; how often intervals hold it
max F on new cases | | what the threshold of the greatest F gives on cases that it was not chosen by; its own F is too high
    | MaxF; `pc.interval.max_f`
difference | | the first minus the second
p, adjusted p, adjusted_p | | chance of a difference as great or greater where there is none; the same corrected for the
    number of comparisons
significant | | whether the (adjusted) p is at most 1 - level
w-t-l, wins, ties, losses | | topics in which the first is better, equal or worse
letters | | systems that share a letter do not differ significantly
effect, superiority | | the difference in standard deviations; the share of topics in which the first is better, ties half
statistic, test, how, alternative, correction, seed | | how a p came about
left_out, notes | | what was not compared; what is to be said about the numbers
sum of squares, df, mean square, systems, residual | | parts of the analysis of variance over systems and topics
comparison | | of two scores of the same cases | `pc.compare.cases`
accepted, rejected | | items that score at least the threshold, or less
cost | | what the chosen point costs by the prices of --at cost= | `curve.at(cost={"fp": 1, "fn": 20})`
precision at recall | | interpolated: the greatest precision at this recall or more | IPrec
yang, trec | | 11 points by Yang's six steps, or after TREC | IAP; `status.eleven_point(form="yang")`
max-f | | the greatest F of the category's ranking, of any threshold | MaxF; `curve.max_f()`
Hand-Till AUC | | mean over pairs of categories | HandTill
least score, score | | the threshold of a category: what scores at least this is accepted | `status.thresholds("max-f")`
categories per item, rank | | how many of an item's best categories are accepted | `status.thresholds("rank:1")`
share of items, proportion | | how many of a category's best items are accepted | `status.thresholds("proportion")`
macro-of-means | | F of the mean precision and the mean recall; another number than the mean of the F
    | `decisions.f(average="macro-of-means")`
exact | | of items all of whose labels are right; of a p: no approximation
drawn, Zhang & Su | | of random rankings that were drawn; by their normal approximation of 2012 | `precall null --published`
asked, value, over chance | | the value in question; how far it exceeds the mean of random selection
geometric | | geometric mean over topics | `precall eval --aggregate geometric`
value_a, value_b | | means of the first and the second
measures, areas, counts, categories, decisions, group, section, aggregate, average, kind, law, quantity, design | | headings: of
    what, and how, the values are
topics needed, items needed, deviation, least difference detected | | the plan of a comparison | `precall power`
pilot topics, pilot difference, only a right, only b right | | what a plan is made from | `precall power`
power of randomization, its standard error, analysis of variance | | what a plan comes to | `precall power`
"""

#: What names that are printed are made of: a pattern, whose first group is explained in turn, and what the rest says.
_MADE = (
    (r"(.+?) (?:\(.*\)|each)", "in the sense that the brackets say"),
    (r"(.+), (?:topic|ANOVA|mean over .*)", "with what its rows are"),
    (r"(.+) (?:low|high)", "the lower or the upper end of its interval"),
    (r"max (.+?)(?: threshold| precision| recall)?", "at the threshold where it is greatest"),
    (r"min (.+?)(?: threshold)?", "at the threshold where it is least"),
    (r"(break-even) (?:nearest|max-min|linear)", "in one of its senses"),
    (r"(?:area )?(pr|roc) [\w-]+", "by one of several methods"),
    (r"(.+) (?:by chance|over chance|p)(?: low| high)?", "beside what random selection gives"),
    (r"(p), .+", "how it was computed, and how exactly"),
    (r"(.+) at \d+", "of so many of the best items"),
    (r"(exact)ly|(?:to|within) [\d.]+ %()", "how far the number may be from the exact one"),
    (r"at (threshold|recall|precision|cost|max|accept)[=-].*", "an operating point chosen by this"),
    (r"(?:compare|log) (.+)", "its comparison, or its logarithm"),
)
_SOUGHT = {"pr": "AreaPR", "roc": "AUC", "accept": "accepted", "max": "max-f"}


@dataclass(frozen=True, slots=True)
class Word:
    """A word of the field, or one that is printed."""

    part: str
    names: tuple[str, ...]
    symbol: str
    meaning: str
    here: str

    @property
    def measure(self) -> str:
        """The measure that it is; "" if it is none."""
        first = re.match(r"[A-Za-z]\w*", self.here)
        return first[0] if first else ""

    @property
    def plain(self) -> str:
        """The meaning without links."""
        return re.sub(r"\[(.+?)\]\(.+?\)", r"\1", self.meaning)


@cache
def words(part: str = "") -> tuple[Word, ...]:
    """All words, or those of one part: "project", "documents" or "printed"."""
    known, here = [], ""
    for line in re.sub(r"\n {4}", " ", _TABLE).strip().splitlines():
        if line.startswith("* "):
            here = line[2:]
        elif line:
            names, symbol, meaning, ours = [*map(str.strip, line.split("|")), "", ""][:4]
            known.append(Word(here, tuple(re.split(", ?", names)), symbol, meaning, ours))
    return tuple(each for each in known if part in ("", each.part))


def word(text: str, *, exactly: bool = False) -> Word | None:
    """The word that a text is, or else its letters, whatever their case and what stands between them.

    Examples
    --------
    >>> word("Break_Even Point").measure, word("scut").here, word("abracadabra")
    ('BEP', '`precall categories --policy scut`, `status.thresholds("max-f")`', None)
    """
    exact, spelled = _by_name()
    return exact.get(text.strip()) or (None if exactly else spelled.get(_letters(text)))


@cache
def _by_name() -> tuple[dict[str, Word], dict[str, Word]]:
    """By name as it is written, and by its letters; the first of several."""
    pairs = [(name, each) for each in reversed(words()) for name in each.names]
    return dict(pairs), {_letters(name): each for name, each in pairs}


def _letters(text: str) -> str:
    return re.sub(r"[\s_.-]+", "", text).casefold()


def made(text: str) -> tuple[str, str] | None:
    """A name that is printed, made of another: that one, and what the rest says; None if it is not known to be made so.

    Examples
    --------
    >>> made("max F threshold")
    ('F', 'at the threshold where it is greatest')
    """
    for pattern, rest in _MADE:
        if match := re.fullmatch(pattern, text):
            core = match[1] or "exact"
            return _SOUGHT.get(core, core), rest
    return None


#: Words that say nothing by themselves.
_EMPTY = frozenset(
    (
        "an",
        "and",
        "are",
        "as",
        "at",
        "by",
        "for",
        "in",
        "is",
        "it",
        "its",
        "of",
        "on",
        "or",
        "per",
        "than",
        "the",
        "to",
    )
)
#: The least share of a text's weight that a suggestion has in common with it.
_SHARED = 0.5


def nearest(text: str, names: dict[str, tuple[str, str]]) -> list[str]:
    """Measures that a text which names none may mean, nearest in meaning first; at most three.

    `names` has for each name of a measure, in small letters, what is to be suggested and the measure's summary.
    """
    import difflib

    if (same := word(text)) is not None and same.measure:
        return [same.measure]
    if spelled := [shown for name, (shown, _) in names.items() if _letters(name) == _letters(text)]:
        return spelled[:1]
    # A slip of the pen has nearly all letters; short names that have most are other names.
    near = difflib.get_close_matches(text.lower(), names, 3, 0.75)
    return list(dict.fromkeys(names[name][0] for name in near)) or _alike(text, names)


def _alike(text: str, names: dict[str, tuple[str, str]]) -> list[str]:
    """Measures in whose names and summaries, or in those of words for them, rare words of the text stand."""
    told: dict[str, set[str]] = {}
    for name, (shown, summary) in names.items():
        told.setdefault(shown, set()).update(_parts(f"{name} {summary}"))
    for each in words("documents"):
        if each.measure and each.measure.lower() in names:
            told[names[each.measure.lower()][0]] |= _parts(f"{' '.join(each.names)} {each.meaning}")
    asked = _parts(text)
    weight = {part: 1 / (1 + sum(part in parts for parts in told.values())) for part in asked}
    shares = {shown: math.fsum(weight[part] for part in asked & parts) for shown, parts in told.items()}
    best = sorted(shares, key=lambda shown: -shares[shown])[:3]
    return [
        shown for shown in best if shares[shown] > 0 and shares[shown] >= _SHARED * math.fsum(weight.values())
    ]


def _parts(text: str) -> set[str]:
    """The words of a text or of a name such as HitRate, in small letters."""
    parts = re.findall(r"[A-Z]?[a-z]+|[A-Z]+|\d+", text)
    return {part.lower().removesuffix("s") for part in parts if part.lower() not in _EMPTY and len(part) > 1}
