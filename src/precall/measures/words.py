"""The words of the field, of this project and of its output: meanings, and names here.

`precall explain`, the names that errors suggest, and docs/glossary.md come from this one table.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache

from precall.core.text import letters

#: Each line is a word: its names (the first is shown) | symbol | meaning | what it is here, or
#: where
#: more is explained. The last field begins with the name of a measure if the word is about one. "="
#: before that name says that the word's names are names of the measure, which is then found by them
#: also (`-m`, `pc.measure`). Indented lines continue a word; an asterisk begins a section.
_TABLE = """
* project
ranking | | one scored list: a topic's results
topic, query | | what a ranking belongs to (a query)
item | | what is ranked (a document, a passage, a molecule)
case, sample, instance | | an item with a score and a label | `precall curve`
category, class, label | | what items are put into by decisions | `precall decisions`,
    `precall categories`
run | | scores by topic and item: what a system returned
qrels, gold, ground truth | | judgements by topic and item
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
ties, tie, ties that matter | | items of equal score, which --ties puts in order; they matter where
    they are not all equally relevant. In a comparison: topics in which both systems are equal
    (w-t-l) | `precall eval --ties`
docno | | the id of a document in TREC files; where scores are equal the greater id stands first, as
    in trec_eval | `precall eval --ties docno`
undef, undefined | | no value, as of 0/0; --undefined says what averages do about it |
    `precall eval --undefined`
cutoff | k | number of ranks looked at
measure, metric | | a function from hits to a number per ranking | `precall measures`
break-even | | where precision equals recall; [three
    senses](how-to/threshold.md#what-each-choice-means), of which "break-even" alone is the
    nearest | BEP
accuracy, cell accuracy | | share of items that are right, of all their labels; share of right pairs
    of item and category | Accuracy
error, cell error | | share of items that are not right; share of wrong pairs of item and category |
    Error
conventions, signature | | every choice a number depends on; the same in one line
kernel, twin | | the native code that reads and locates; its equal in NumPy | `precall about`
comparison, pair | | two systems on the same topics or items; the first minus the second |
    `precall compare`
size, power | | how often a test rejects where there is no difference; where there is one. In a
    table of comparisons the size is the number of topics | `precall power`
margin | | the difference that does not matter | `precall compare --fail-if-worse`
gate | | a comparison that lets a system pass or not | `precall compare --fail-if-worse`

* documents
interpolated BEP, interpolated break-even, BEP, break-even point, PRBEP | | mean of the precision
    and the recall that are nearest to each other, where they are nowhere equal | =BEP;
    `curve.break_even()`
optimism | | how much better a threshold looks on the items that it was chosen by than on new ones |
    `precall categories --fit-on FILE`, `pc.interval.max_f`
optimal threshold, best threshold, optimal acceptance threshold, acceptance threshold | | where F,
    or another measure, is best | MaxF; `curve.max_f()`, `curve.at(max="MCC")`,
    `precall curve --at max=MCC`
max-E, MaxE, min-E | | E is low for good systems: at its least F is greatest | MaxF;
    `curve.at(max="E")`
AUC, area under the curve | | under the ROC curve; that under the precision-recall curve is AreaPR,
    of which there are several | =AUC; `curve.areas()`
PR AUC, PR curve, precision-recall curve | | precision against recall at every threshold | AreaPR;
    `precall curve --plot`
ROC, ROC curve | | recall against fallout at every threshold; LingPipe draws it with the rejection
    recall instead | AUC; `precall curve --plot-kind roc`
accuracy of a category, Acc, Acc_i | | (TP + TN) / N of one category's table; high for rare
    categories, whoever decides | =Accuracy; `decisions.accuracy("each")`, `precall decisions`
error of a category, Err, Err_i | | (FP + FN) / N of one category's table | =Error;
    `decisions.error("each")`, `precall decisions`
micro, micro-average, microaveraging | | of the sum of all categories' tables: frequent categories
    count most | `precall explain micro-F1`, `decisions.f(average="micro")`
macro, macro-average, macroaveraging | | mean of the categories' values: each category counts the
    same | `precall explain macro-F1`, `decisions.f(average="macro")`
weighted, weighted average | | mean of the categories' values, weighted by the items truly in each |
    `decisions.f(average="weighted")`
samples, samples average | | mean over items of a measure of each item's table |
    `decisions.f(average="samples")`
SCut, score-based thresholding, score-based local optimization | | a threshold for each category,
    chosen by what is best on the items that it is learned from |
    `precall categories --policy scut`, `status.thresholds("max-f")`
RCut, rank-based thresholding, k-per-doc, fixed thresholding | | the k best categories of each item
    are accepted | `precall categories --policy rcut:1`, `status.thresholds("rank:1")`
PCut, proportion-based assignment, proportional thresholding | | of each category's ranking of the
    items as many are accepted as the category is frequent, times a factor x |
    `precall categories --policy pcut`, `status.thresholds("proportion")`
CSV threshold, CSV thresholding, CSV, categorization status value, threshold, fixed | | the least
    score (CSV, categorization status value) that is accepted; SCut learns one for each category |
    `precall categories --policy fixed:0.5`, `precall curve --at threshold=0.5`
thresholding policy, thresholding strategy, policy | | how scores become decisions: SCut, RCut,
    PCut, break-even, utility; [all of
    them](how-to/categories.md#policies-from-scores-to-decisions) | `precall categories --policy`
global threshold, global | | one threshold, k or x for all categories, chosen by a measure of what
    it decides | `precall categories --policy global --tune macro-F1`,
    `status.thresholds("global", tune="macro-F1")`
11-point, eleven-point, 11-point average precision, elevenPtInterpPrecision, 11-point precision | |
    mean interpolated precision at recall 0, .1, ..., 1; Yang's six steps differ from TREC's | =IAP;
    `precall categories`, `status.eleven_point()`
interpolated precision, recall level | | the greatest precision at this recall or more | IPrec;
    `curve.eleven_point()`
rejection recall, rej. recall | | LingPipe's word for the specificity | Specificity;
    `curve.specificity`
maximumFMeasure, maximum F-measure, maximal F | | LingPipe's name of the greatest F of any
    threshold | =MaxF; `curve.max_f()`
prCurve, prScoreCurve | | LingPipe's points of precision and recall, one for each correct case |
    `curve.pr()`, `curve.points()`
rocCurve | | LingPipe's points of recall and rejection recall | `curve.roc()`,
    `curve.roc(interpolate=True)`
precisionAt, precision at k, precision@k, P@k, prPrecisionAt | | precision of the k best; LingPipe
    calls it precisionAt in all versions we know | P; `curve.precision_at(5)`, `pc.measure("P@5")`
addCase, addMisses, misses, addNegativeMisses, numCases | | LingPipe's way to give cases, and
    relevant ones that were never scored | `pc.curve(labels, scores, missed=2)`, `pc.ScoredCases`
AP@k, MAP@k, average precision at k | | AP of the first k ranks. What it is divided by differs:
    `AP@k` by R, all that is relevant (trec_eval); `AP(norm=min)@k` by min(k, R), so that 1 can be
    reached (recommenders, Kaggle); `AP(norm=found)@k` by the hits within the k (LingPipe,
    torchmetrics) | AP; `AP@10`, `AP(norm=min)@10`, `AP(norm=found)@10`
r(N), r(K), p(K), s(K), ap@K | | the notes' recall, precision and hits of the first K, and AP of
    these over s(K) | AP; `AP(norm=found)@10`, `P@10`, `R@10`
prBreakevenPoint | | LingPipe's break-even: the greatest smaller one of precision and recall, in the
    order of its curve | BEP; `curve.break_even("max-min")`
areaUnderPrCurve, area under the PR curve | | LingPipe's is the step area, interpolated if asked |
    AreaPR; `curve.areas()`
areaUnderRocCurve, area under the ROC curve | | the chance that a relevant item outranks another
    one | =AUC
recall@k, R@k, recall at k | | share of the relevant items that are among the first k | R;
    `pc.measure("R@5")`
operating point | | a threshold, and what is accepted there | `precall curve --points`,
    `curve.at(recall=0.8)`
dominated, dominated point, interpolate | | points that another exceeds in precision and recall are
    left out by interpolation | `curve.pr(interpolate=True)`
hard categorization, hard decision | | a yes or no about an item and a category |
    `precall decisions`
ranking categorization, soft categorization | | scores, by which an item ranks its categories |
    `precall categories`
premise, premise selection | | an item that a proof may need: ids in a ranking, against those that
    it does | `precall ranking`
LingPipe, ScoredPrecisionRecallEvaluation | | a class whose [methods and
    numbers](coming-from/lingpipe.md) are here under their names, beside ours |
    `precall.compat.lingpipe`, `pc.curve(correct, scores)`
rejection precision | | LingPipe's word for the negative predictive value | NPV
R-precision, precision at R, rPrecision | | precision at rank R, the number of relevant items |
    =Rprec
k@recall, k at recall, rank at recall | | how many of the best items reach a recall | =KAtRecall;
    `curve.at(recall=0.8)`
precision@recall, P@recall, precision at a recall | | precision at the least cutoff that reaches a
    recall | =PAtRecall; `curve.at(recall=0.8)`
category pivoting, category-pivoted categorization, CPC | | each category ranks the items |
    `precall categories --pivot category`
pivoting, pivot | | what ranks what: each category the items, or each item the categories |
    `precall categories --pivot category`, `--pivot item`
document pivoting, item pivoting, document-pivoted categorization, DPC | | each item ranks the
    categories | `precall categories --pivot item`
utility, linear utility | | a gain or loss for each cell of the table, summed; the TREC filtering
    track's LF1 is 3 TP - 2 FP | =Utility; `curve.at(max="Utility(3,-2)")`,
    `precall categories --policy utility:tp=3,fp=-2`
generality | | share of all items that is relevant | =Prevalence
effectiveness, effectiveness measure, van Rijsbergen, set overlap | | van Rijsbergen's E; alpha = 1
    / (beta² + 1) | E
E-measure, set overlap error | | van Rijsbergen's E, 1 - F; E1 and E2 are E of beta 1 and 2, as F1
    and F2 are F | =E
alpha, beta, van Rijsbergen's alpha | | how precision and recall weigh in F and E: F(alpha=0.5) is
    F(beta=1) | F; `F(alpha=0.2)`, `F(beta=2)`
F1, F1 score, balanced F-score, F-measure, F-score, F-beta | | weighted harmonic mean of precision
    and recall; F2 is F of beta 2 | =F
harmonic mean | | of precision and recall: F of beta 1 | F
miss rate, false negative rate, FNR | | 1 - recall | R
false discovery rate, FDR | | 1 - precision | P
fall-out, false alarm rate, probability of false alarm | | share of the other items that are
    accepted | =Fallout
detection rate, hit rate of relevant items, probability of detection | | recall | =R
noise | | 1 - precision | P
silence | | 1 - recall | R
Hamming loss | | share of wrong pairs of item and category | Error; `decisions.error("micro")`
subset accuracy, exact match, exact match ratio | | share of items all of whose labels are right |
    =Accuracy; `decisions.accuracy()`
zero-one loss | | share of items that are not right | =Error; `decisions.error()`
hit rate, hit ratio, HR | | share of the topics with a hit in the first k ranks | =Success
top-k accuracy | | share of the items whose category is among the k best | Success
MAP, mean average precision, average precision score, uninterpolated average precision | | AP,
    averaged over topics | =AP
reciprocal rank, mean reciprocal rank | | 1 / rank of the first hit | =RR
confusion matrix, confusions | | items by their true category and the predicted one |
    `precall decisions --confusion`, `pc.decisions(truth, predicted).confusion()`
lift, lift curve | | precision over prevalence, by the share accepted | `curve.lift()`, EF
enrichment, enrichment factor | | precision in the first part of a list over the prevalence of all |
    =EF@1%; `curve.lift()` at every share
early recognition, virtual screening, RIE | | how much of what is relevant stands at the top of a
    long list; RIE is the sum that BEDROC scales to 0..1 | BEDROC, EF, `AUC(max_fpr=0.01)`
class imbalance, imbalanced classes, rare classes | | few items are relevant: whoever accepts
    nothing has a high accuracy, but no recall | `precall decisions --baselines`; F, MCC, AP
reproducible, reproducibility, random state, random seed | | the same call gives the same digits;
    where numbers are drawn from a seed, it is printed with them | `rng=0`, `--seed 0`
cumulative gain, gains chart, lift chart | | recall by the share accepted |
    `curve.cumulative_gain()`
DET, detection error tradeoff, equal error rate, EER | | the miss rate by the false positive rate,
    and where they are equal | `curve.det()`, `curve.plot("det")`
cost curve, probability cost | | the least expected cost of any threshold, by what misses weigh |
    `curve.cost()`
calibration, Brier score, reliability diagram | | whether scores are probabilities; left to
    scikit-learn | `sklearn.calibration`
contingency table, tp, fp, fn, tn, true positive, false positive, false negative, true negative | |
    true and false positives and negatives: relevant and accepted, not relevant but accepted,
    relevant but not accepted, neither | `precall decisions`,
    `pc.decisions(truth, predicted).table`; of rankings `precall ranking`, `curve.points()`
trivial rejector, trivial acceptor, rejector, acceptor, baseline | | who accepts nothing, or all:
    their accuracy is high where categories are rare, or where they are frequent |
    `precall categories --baselines`, `curve.at(accept=0)`
gold standard, ground truth, truth, reference | | the categories that items truly have |
    `precall decisions --truth`
random selection, null distribution, law, by chance, hypergeometric | | what measures are where the
    same items stand in random order | `precall null`, `precall curve --null`
location of relevant items, L_i, L_1, L_m | L_i | the rank of the i-th relevant item, by which all
    measures of rankings can be written | `pc.locate(...).hits().location`
E(L_i), Var(L_i), Cov(L_i), moments of L_i, mean of L_i, variance of L_i, covariance of L_i, 1/L_i,
    1/L_1, mean of 1/L_i, mean of 1/L_1, E(1/L_i), E(1/L_1), variance of 1/L_i | | of the ranks of
    the hits in random order; exact, Zhang & Su's formulas corrected |
    `pc.null.location_mean(n, m, i)`, `pc.null.location_variance`, `pc.null.location_covariance`,
    `pc.null.reciprocal_location_mean`
moments, expected recall, expected precision, variance of recall, variance of precision | | what a
    measure is in the mean of random rankings, and how much it varies |
    `precall null --recall --at 100`, `pc.null.recall(n, m, 100)`
asymptotic, asymptotic normality, normal approximation, normal limit, limiting distribution, central
    limit theorem, Cornish-Fisher | | AP of random rankings tends to a normal distribution as lists
    grow, but most are skewed, and a normal p is wrong |
    `pc.null.average_precision(n, m).asymptotic()`, `pc.null.test(hits, method="asymptotic")`; as
    published in 2012 `precall null --published`
posterior, posterior distribution, Bayesian, Goutte & Gaussier | | what is known of a measure after
    counting, and how probable it is that one system has the greater one | `pc.interval`,
    `pc.compare.bayes.decisions(truth, a, b)`
A better than B, better than, two systems, two models, difference of AP, difference of recall | |
    whether one system is better than another by more than chance | `precall compare`, `pc.compare`;
    of scores of the same cases `precall curve --compare A B`, `pc.compare.cases(y, a, b, "AP")`
recall at a threshold | | share of the relevant items that score at least so much |
    `precall curve --at threshold=0.5`, `pc.compare.cases(y, a, b, "R", threshold=0.5)`
clustered data, cluster, clustered DeLong, Obuchowski | | cases that depend on each other, such as
    those of one patient, are drawn as a whole |
    `precall compare FILE --label COLUMN --groups COLUMN`,
    `pc.compare.cases(y, a, b, "AUC", groups=)`, `pc.interval(curve, "AUC", groups=)`
partial AUC, partial area, pAUC | | area under ROC up to a false positive rate | `AUC(max_fpr=0.2)`,
    `pc.interval.partial_area_under_roc(y, s, 0.2)`,
    `precall compare FILE --label COLUMN -m 'AUC(max_fpr=0.2)'`
break-even and F, F and break-even, f_versus_break_even | | which is greater, F or the mean of
    precision and recall | `pc.f_versus_break_even(precision, recall, beta)`
validation set, fitting, tuning, training set | | the items that thresholds are learned from; on
    them they look too good | `precall categories --policy scut --fit-on FILE`, `pc.interval.max_f`
multi-label, single-label, one-of, any-of, overlapping categories | | whether an item has one
    category, or any number of them | `precall decisions --separator`, `pc.decisions`
true positive rate, TPR, sensitivity | | recall | =R
positive predictive value, PPV | | precision | =P
specificity, true negative rate, TNR, selectivity | | share of what is not relevant that is not
    accepted | =Specificity
IoU, intersection over union | | what both have over what either has | =Jaccard
error rate, misclassification rate | | share of wrong decisions | =Error
overall accuracy | | share of items that are right | =Accuracy
normalized discounted cumulative gain | | DCG over that of the best ranking | =nDCG
Matthews correlation coefficient, phi coefficient | | correlation of decisions and truth | =MCC
Dice, Dice coefficient, Sørensen | | F1 by another name | =F
inter-annotator agreement | | of two people who decide the same items | kappa
AUPRC, area under the precision-recall curve | | there are several, by method | AreaPR;
    `curve.areas()`
confidence interval, credible interval, margin of error | | where the true value is to be expected |
    `pc.interval`, `--interval`
p-value, significance, significance level, null hypothesis, inference, better than chance | | chance
    of so great a value where there is nothing to find; 1 - level | `precall null --ap VALUE`,
    `pc.null`; of two systems `precall compare`, `pc.compare`
Wilcoxon, paired t test, t-test, matched-pair t, randomization test, permutation test, signed-rank
    test, sign test, bootstrap, Yeh, randomization | | whether two systems differ by more than
    chance; of decisions the tests of Yeh (2000) | `precall compare --test`,
    `precall compare FILE --truth`
Holm, Hochberg, Bonferroni, Tukey, Benjamini-Hochberg, multiple comparisons | | corrections of p for
    the number of comparisons | `precall compare --correction`
McNemar's test, McNemar | | whether two systems that decide the same items differ |
    `pc.compare.decisions`

* printed
support | | items that truly belong to a category
cases, items, thresholds | | how many there are
topics | | how many the mean is over
mean | | over topics, groups, categories or items
sum | | over topics or groups; of counts
variance, sd, skewness, excess kurtosis | | moments of a distribution; of differences skewness says
    that few topics differ far more than the others, and which way
2.5 %, 50 %, 97.5 %, quantile, median | | quantiles: this share of a distribution lies at or below
low, high | | ends of the interval
resamples | | how many samples were drawn for an interval, or for a p | `resamples=`
interval, level | | where the true value is to be expected; how often intervals hold it
bounds, inverted randomization | | what intervals of differences are by; all differences that the
    randomization test does not reject | `Comparison.interval`
bayesian-bootstrap | | interval of a mean of few values whose range is known | `pc.interval.mean`,
    `--interval`
max F on new cases | | what the threshold of the greatest F gives on cases that it was not chosen
    by; its own F is too high | MaxF; `pc.interval.max_f`
difference | | the first minus the second
p, adjusted p, adjusted_p | | chance of a difference as great or greater where there is none; the
    same corrected for the number of comparisons
posterior mean, same items, own items, P(higher) | | what is known of measures of two systems after
    counting their decisions, as of the same items, or each by its own; and the chance that the
    first is higher | `pc.compare.bayes.decisions`
significant | | whether the (adjusted) p is at most 1 - level
w-t-l, wins, ties, losses | | topics in which the first is better, equal or worse
letters | | of systems that share a letter no difference was shown
effect, superiority | | the difference in standard deviations; the share of topics in which the
    first is better, ties half
statistic, test, how, alternative, correction, seed | | how a p came about
left_out, notes | | what was not compared; what is to be said about the numbers
sum of squares, df, mean square, systems, residual | | parts of the analysis of variance over
    systems and topics
comparison | | of two scores of the same cases | `pc.compare.cases`
critical value, critical p | | the least value that is significant at the level, and its p |
    `precall null`
p is, exact, approximate, error not bounded | | how exactly a p is known
decided | | what the policy decides, beside the baselines | `precall categories --baselines`
accepted, rejected | | items that score at least the threshold, or less
cost | | what the chosen point costs by the prices of --at cost= |
    `curve.at(cost={"fp": 1, "fn": 20})`
precision at recall | | interpolated: the greatest precision at this recall or more | IPrec
yang, trec | | 11 points by Yang's six steps, or after TREC | IAP;
    `status.eleven_point(form="yang")`
max-f | | the greatest F of the category's ranking, of any threshold | MaxF; `curve.max_f()`
Hand-Till AUC | | mean over pairs of categories | =HandTill
least score, score | | the threshold of a category: what scores at least this is accepted |
    `status.thresholds("max-f")`
categories per item, rank | | how many of an item's best categories are accepted; of operating
    points how many cases or items are | `status.thresholds("rank:1")`, `curve.points()`
operating points, points | | a row for each threshold: what is accepted there, and what follows from
    it | `curve.points()`, `precall curve --points`
expected | | of equal scores: the mean over all their orders | `precall eval --ties expected`
ranked | | how many items are in a ranking | `precall ranking`
hits | | how many of them are relevant | `precall ranking`
column | | of scores, where tables of several stand one below the other
share of items, proportion | | how many of a category's best items are accepted |
    `status.thresholds("proportion")`
macro-of-means | | F of the mean precision and the mean recall; another number than the mean of the
    F | `decisions.f(average="macro-of-means")`
drawn, Zhang & Su | | of random rankings that were drawn; by their normal approximation of 2012 |
    `precall null --published`
asked, asked value, value, over chance | | the value in question; how far it exceeds the mean of
    random selection
geometric | | geometric mean over topics | `precall eval --aggregate geometric`
value_a, value_b | | means of the first and the second
measures, areas, counts, categories, decisions, group, section, aggregate, average, kind, quantity,
    design | | headings: of what, and how, the values are
topics needed, items needed, deviation, least difference detected | | the plan of a comparison |
    `precall power`
pilot topics, pilot difference, only a right, only b right | | what a plan is made from |
    `precall power`
power of randomization, its standard error, analysis of variance | | what a plan comes to |
    `precall power`
"""

#: How printed names are derived from others: a pattern, whose first group is explained in turn, and
#: the meaning of the rest.
_MADE = (
    (
        r"(.+), \d+ groups",
        "of all cases, in so many groups that are drawn as a whole",
    ),
    (
        r"(?:micro|macro|weighted|samples?)(?:-| )?(?:averaged?)?[- ](.+)",
        "averaged over categories or items",
    ),
    (r"(.+) (?:at|@) ?k", "of the first k ranks"),
    (r"(.+?) (?:\(.*\)|each)", "in the sense that the brackets say"),
    (r"(.+), (?:topic|ANOVA|mean over .*)", "with what its rows are"),
    (r"(.+) (?:low|high)", "the lower or the upper end of its interval"),
    (r"(max F on new cases) threshold", "the score from which on a case is accepted"),
    (r"(.+) resamples", "how many samples were drawn for its interval"),
    (r"max (.+?)(?: threshold| precision| recall)?", "at the threshold where it is greatest"),
    (r"min (.+?)(?: threshold)?", "at the threshold where it is least"),
    (r"(break-even) (?:nearest|max-min|linear)", "in one of its senses"),
    (r"(?:area )?(pr|roc) [\w-]+", "by one of several methods"),
    (
        r"(.+) (?:by chance|over chance|p)(?: low| high)?",
        "beside what random selection gives (`precall null`)",
    ),
    (r"(p|P\(higher\)), .+", "how it was computed, and of what"),
    (r"(.+) at \d+", "of so many of the best items"),
    (r"(exact)ly|(?:to|within) [\d.]+ %()", "how far the number may be from the exact one"),
    (
        r"at (threshold|recall|precision|fpr|specificity|cost|max|accept)[=-].*",
        "an operating point chosen by this",
    ),
    (r"(?:compare|log|interval) (.+)", "its comparison, its logarithm, or its interval"),
    (
        r"(?:rejector|acceptor|decided) (.+)",
        "of the trivial rejector, the trivial acceptor, or of what was decided",
    ),
    (
        r"least value with (p) <= .*",
        "the least value that is as unlikely as this under random selection",
    ),
    (r"[\d.]+( %)", "this share of a distribution lies at or below"),
)
_SOUGHT = {" %": "50 %", "pr": "AreaPR", "roc": "AUC", "accept": "accepted", "max": "max-f"}


@dataclass(frozen=True, slots=True)
class Word:
    """A word of the field, or one that is printed."""

    part: str
    names: tuple[str, ...]
    symbol: str
    meaning: str
    here: str
    is_name: bool = False
    """Whether the word's names are names of the measure."""

    @property
    def measure(self) -> str:
        """The measure that the word means or is about; "" if there is none."""
        first = re.match(r"[A-Za-z]\w*", self.here)
        return first[0] if first else ""

    @property
    def plain(self) -> str:
        """The meaning without links."""
        return re.sub(r"\[(.+?)\]\(.+?\)", r"\1", self.meaning)


@cache
def words(part: str = "") -> tuple[Word, ...]:
    """All words, or those of one section: "project", "documents" or "printed"."""
    entries, here = [], ""
    for line in re.sub(r"\n {4}", " ", _TABLE).strip().splitlines():
        if line.startswith("* "):
            here = line[2:]
        elif line:
            names, symbol, meaning, ours = [*map(str.strip, line.split("|")), "", ""][:4]
            is_name = ours.startswith("=")
            entries.append(
                Word(
                    here,
                    tuple(re.split(", ?", names)),
                    symbol,
                    meaning,
                    ours.removeprefix("="),
                    is_name,
                )
            )
    return tuple(each for each in entries if part in ("", each.part))


def word(text: str, *, exactly: bool = False) -> Word | None:
    """The word for a text; if there is none, that with the same letters.

    Case, and characters between letters, are then ignored.

    Examples
    --------
    >>> word("Break_Even Point").measure, word("scut").here, word("abracadabra")
    ('BEP', '`precall categories --policy scut`, `status.thresholds("max-f")`', None)
    """
    exact, spelled = _by_name()
    if (same := exact.get(text.strip())) or exactly:
        return same
    plain = letters(text)
    return next(
        (
            spelled[one]
            for one in (plain, plain.removesuffix("s"), plain.removesuffix("es"))
            if one in spelled
        ),
        None,
    )


@cache
def _by_name() -> tuple[dict[str, Word], dict[str, Word]]:
    """The words by name as it is written, and by its letters; the first of several."""
    pairs = [(name, each) for each in reversed(words()) for name in each.names]
    return dict(pairs), {letters(name): each for name, each in pairs}


def derived_word(text: str) -> tuple[str, str] | None:
    """The name that a printed name is derived from, and the meaning of the rest; None if unknown.

    Examples
    --------
    >>> derived_word("max F threshold")
    ('F', 'at the threshold where it is greatest')
    """
    for pattern, rest in _MADE:
        if match := re.fullmatch(pattern, text):
            core = match[1] or "exact"
            return _SOUGHT.get(core, core), rest
    return None
