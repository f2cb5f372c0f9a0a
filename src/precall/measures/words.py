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
#: also (`-m`, `pc.measure`). Indented lines continue a word; an asterisk begins a section. Spelling
#: variants need no names of their own: see `word` and `similar_word`.
_TABLE = """
* project
ranking | | a list of items, best first: the results for one topic. In text categorization, ranking
    means that scores order the categories of a document, without a decision | `precall eval`,
    `precall ranking`
system, retriever, retrieval system, search engine, recommender, recommender system | | a program
    that ranks items for a topic, a question or a user; its output is a run, or lists of ids |
    `precall eval`, `precall ranking`
topic, query, queries | | the question, the query or the user that a ranking is made for. Runs have
    topics, and lists of ids have queries
item | | a thing that is ranked: a document, a passage, a molecule
case, sample, instance | | an item with a score and a label | `precall curve`
category, categories, class, label | | a group that items belong to; a classifier decides which
    items are in it | `precall decisions`, `precall categories`
classifier | | a program that assigns categories to items, by a yes or no or by scores. With two
    categories it accepts or rejects items | `precall decisions`, `precall categories`,
    `precall curve`
text categorization, text classification, document categorization | | assigning categories to
    documents. It is either hard (a yes or no) or a ranking (scores) | `precall decisions` for a yes
    or no, `precall categories` for scores
target function | | in text categorization, the true assignment of categories to documents, which a
    classifier should reproduce | `precall decisions --truth COLUMN`
run | | the output of a system: scores by topic and item
qrels, gold | | the judgements: grades by topic and item
grade, fractional grades | g | the level of relevance that a judgement gives, a whole number or one
    with a fraction, such as 4.5. A negative grade means that the item is in the pool, but unjudged
judged, unjudged, unjudged items | | an item is judged if the qrels give it a grade of 0 or more,
    else unjudged
lowest, highest, bounds over labels | | the least and the greatest value that a measure can have,
    whatever the labels of unjudged items are; no interval | `precall eval --unjudged bounds`,
    `pc.extremes`
relevant, relevant items, relevant documents, positive, positive case, positive reference case, true
    instances | R | the items that should be found or accepted, according to judgements or labels;
    also their number, found or not
other, negative, negative case, negative reference case, nonrelevant | | the items or cases that are
    not relevant
retrieved | n | the items that a system returned, relevant or not; also their number
found | h | relevant items among the retrieved
hit, hits | | a relevant item that was retrieved or accepted. In tables "hits" is their number |
    `precall ranking`
hit function, h(t), hits among the first t | | the number of hits among the first t ranks. With m
    relevant items, precision at t is h(t) / t and recall at t is h(t) / m | `precall ranking`; in
    random order `pc.null.hits(n, m, t)`
indicator, indicator function, rel, rel(k) | | 1 if the item at rank k is relevant, else 0. In
    average precision it selects the ranks of the hits. In ir_measures `rel=` is the least relevant
    grade, here `grade=` | `precall ranking`
location, location of hits, location of relevant items, L_i, L_1, L_m | L_i | the rank of the i-th
    hit, counted from 1. Measures that ignore grades can be computed from these ranks |
    `pc.locate(...).hits().location`; in random order `pc.null.location(n, m, i)`
missed, misses, missing cases | | relevant items that were never retrieved, or never scored. They
    count in recall and AP | `pc.curve(labels, scores, missed=2)`, `precall curve --missed 2`
block | | items of equal score; together they occupy the ranks from the first to the last of the
    block
ties, tie, ties that matter | | items of equal score; --ties sets their order. They matter if they
    are not all equally relevant. In a comparison: topics in which both systems are equal (w-t-l) |
    `precall eval --ties`
docno | | the id of a document in TREC files. If scores are equal, the greater id comes first, as in
    trec_eval | `precall eval --ties docno`
undef, undefined, NaN | | without a value, such as 0/0; --undefined sets how averages treat it |
    `precall eval --undefined`
cutoff | k | the number of ranks that a measure looks at, as in P@10
truncation, truncate, truncated ranking | | cutting a ranking after some rank. Later items then
    count as not retrieved, and R stays the same. A cutoff does this for one measure |
    `precall eval --depth 100`; `P@10`
padding | | a ranking shorter than the cutoff k is read as if it were filled with items that are not
    relevant. So P@5 of two items, both relevant, is 0.4 | `pc.measure("P@5")`
budget, top Q, top k | | the number of items that somebody can look at, best first. Precision and
    recall at this cutoff show the yield | `curve.at(accept=100)`, `P@100`, `R@100`
measure, metric | | a function that gives each ranking a number, from its hits | `precall measures`
break-even, break-even point, PRBEP, precision-recall break-even point | | the point where precision
    equals recall. It has [three senses](how-to/threshold.md#what-each-choice-means); "break-even"
    alone means the point where the two are nearest | =BEP; `curve.break_even()`
accuracy, cell accuracy | | the share of items whose labels are all correct; cell accuracy is the
    share of correct pairs of item and category | Accuracy
error, cell error | | the share of items with at least one wrong label; cell error is the share of
    wrong pairs of item and category | Error
conventions, signature | | conventions: every choice that a number depends on. Signature: these
    choices in one line
kernel, twin | | kernel: the native code that reads files and locates hits. Twin: the same in NumPy,
    with equal results | `precall about`
comparison, pair | | two systems on the same topics or items; differences are the first minus the
    second | `precall compare`
size, power | | size: how often a test rejects if there is no difference. Power: how often it
    rejects if there is one. In a table of comparisons, size is the number of topics |
    `precall power`
margin | | the greatest difference that does not matter | `precall compare --fail-if-worse`
gate | | a comparison that decides whether a system passes | `precall compare --fail-if-worse`

* documents
interpolated BEP, interpolated break-even | | the break-even point if precision never equals recall:
    the mean of both at the point where they are nearest | =BEP; `curve.break_even()`
optimism, post-hoc, post-hoc optimal | | a threshold chosen by the labels of some items (post hoc)
    looks better on these items than on new ones | `precall categories --fit-on FILE`,
    `pc.interval.max_f`
optimal threshold, best threshold, optimal acceptance threshold | | the threshold at which F or
    another measure is best | MaxF; `curve.max_f()`, `curve.at(max="MCC")`,
    `precall curve --at max=MCC`
max-E, MaxE, min-E | | E is low for good systems. F is greatest where E is least | MaxF;
    `curve.at(max="E")`
AUC, area under the curve | | the area under the ROC curve. The area under the precision-recall
    curve is AreaPR, which has several forms | =AUC; `curve.areas()`
precision-recall curve, PR curve, recall-precision curve, precision-recall function | | precision
    against recall at every threshold, or at every rank | AreaPR; `precall curve --plot FILE`,
    `curve.pr()`
tradeoff, precision-recall tradeoff | | a lower threshold accepts more relevant items, but usually
    also more of the others. So recall rises and precision tends to fall. The precision-recall curve
    shows all choices | `precall curve --plot FILE`, `curve.at(recall=0.8)`
ROC, ROC curve, receiver operating characteristic | | recall against fallout (the false positive
    rate) at every threshold. LingPipe uses rejection recall, 1 - fallout, instead of fallout | AUC;
    `precall curve --plot-kind roc`
accuracy of a category, Acc, Acc_i | | (TP + TN) / N of one category's table. For rare categories it
    is high, however good the decisions are | =Accuracy; `decisions.accuracy("each")`,
    `precall decisions`
error of a category, Err, Err_i | | (FP + FN) / N of one category's table | =Error;
    `decisions.error("each")`, `precall decisions`
micro, micro-average, microaveraging | | computed from the sum of all categories' tables, so
    frequent categories count most | `precall explain micro-F1`, `decisions.f(average="micro")`
global contingency table | | the sum of all categories' contingency tables; micro-averages are
    computed from it | `precall explain micro-F1`, `decisions.f(average="micro")`
average, averaging | | one number for several topics or categories: the mean over topics; over
    categories micro, macro, weighted or samples | `precall eval`, `precall explain macro`,
    `precall explain micro`
macro, macro-average, macroaveraging | | mean of the categories' values: each category counts the
    same | `precall explain macro-F1`, `decisions.f(average="macro")`
weighted, weighted average | | the mean of the categories' values, weighted by the number of items
    that truly belong to each | `decisions.f(average="weighted")`
samples, samples average | | the mean over items: the measure is computed from the table of each
    item | `decisions.f(average="samples")`
SCut, score-based thresholding, score-based local optimization | | a threshold for each category:
    the best one on the items used for learning | `precall categories --policy scut`,
    `status.thresholds("max-f")`
RCut, rank-based thresholding, k-per-doc, fixed thresholding | | the k best categories of each item
    are accepted | `precall categories --policy rcut:1`, `status.thresholds("rank:1")`
PCut, proportion-based assignment, proportional thresholding | | each category accepts its
    best-scored items. The more frequent a category is, the more it accepts: its frequency times a
    factor x | `precall categories --policy pcut`, `status.thresholds("proportion")`
threshold, acceptance threshold, classification threshold, fixed | | the least score that is
    accepted: items with this score or more are a yes, all others a no |
    `precall curve --at threshold=0.5`, `precall categories --policy fixed:0.5`
CSV threshold, CSV thresholding | | the least score (categorization status value, CSV) at which an
    item is put into a category. SCut learns one for each category |
    `precall categories --policy fixed:0.5`, `precall categories --policy scut`
CSV, categorization status value | | a classifier's score of an item for a category: the higher, the
    more the item belongs to it. CSV is also a file format, comma-separated values, which commands
    read and write | `precall categories`, `--format csv`
tau, threshold tau | | in text categorization, the threshold of a category: an item with a score of
    at least tau is put into it. Kendall's tau is something else, a rank correlation: see
    `pc.compare.orders` | `precall categories --policy scut`
thresholding policy, thresholding strategy, policy | | how scores become decisions: SCut, RCut,
    PCut, break-even, utility; [all of
    them](how-to/categories.md#policies-from-scores-to-decisions) | `precall categories --policy`
span, entity, named entity, NER, chunk, chunking, conlleval, seqeval, nervaluate | | a stretch of
    text with a type, such as a name. Spans are compared as wholes: a predicted one is right if its
    type, start and end are those of a true one; [other
    rules](how-to/spans.md#spans-that-are-nearly-right) count what is nearly right |
    `pc.decisions.spans(truth, predicted)`, `precall decisions --spans`
IOB, BIO, IOB2, BIOES, BILOU, IOE, token tags | | schemes of tags, which mark spans token by token:
    B begins one, I goes on, E or L ends one, S or U is a whole one, O is outside |
    `pc.decisions.spans(truth, predicted, scheme="IOB2")`
global threshold, global | | one threshold, k or x for all categories, chosen by a measure of the
    resulting decisions | `precall categories --policy global --tune macro-F1`,
    `status.thresholds("global", tune="macro-F1")`
11-point, eleven-point, 11-point average precision, elevenPtInterpPrecision, 11-point precision | |
    mean interpolated precision at recall 0, .1, ..., 1. Yang computes it in six steps, which differ
    from TREC's rule | =IAP; `precall categories`, `status.eleven_point()`
101-point, COCO AP, AP50, mAP50, VOC AP, object detection, detections, detected objects,
    pycocotools | | average precision of [detected objects](how-to/detections.md), best score
    first. COCO averages the interpolated precision at 101 levels of recall, PASCAL VOC at 11 levels
    until 2009 and at all points since. mAP is the mean over classes. Objects that were not detected
    are `missed` |
    `pc.detections(score, matched, category, missed={"car": 3})`, `precall detections`
representative precision, representative | | in Yang's 11-point precision: the greatest precision
    inside an interval of recall, such as [.1, .2), which stands for all of it |
    `status.eleven_point(form="yang")`
default precision | | in Yang's 11-point precision: 0, the value of an interval of recall without
    any point. Interpolation then raises it to the greatest value at a higher recall |
    `status.eleven_point(form="yang")`
per-interval averaging | | in Yang's 11-point precision: the mean over all rankings, separately at
    each of the 11 levels of recall | `status.eleven_point(form="yang")`
global averaging | | in Yang's 11-point precision: the mean of the 11 averages, which is the
    11-point average precision | `status.eleven_point(form="yang").mean()`
interpolated precision, recall level | | the greatest precision at a given recall or a higher one |
    IPrec; `curve.eleven_point()`
interpolation, interpolate, precision interpolation | | replaces the precision at a recall by the
    greatest precision at this recall or a higher one. On a curve, this removes the dominated
    points | `curve.pr(interpolate=True)`, `precall explain IPrec`
uninterpolated | | precision as it is at each threshold or rank, without interpolation.
    Uninterpolated average precision is AP | `curve.pr()`, `precall explain AP`
rejection recall, rej. recall | | LingPipe's word for specificity | Specificity; `curve.specificity`
maximumFMeasure, maximum F-measure, maximal F | | LingPipe's name for the greatest F at any
    threshold | =MaxF; `curve.max_f()`
prCurve, prScoreCurve | | LingPipe's points of precision and recall, one for each correct case |
    `curve.pr()`, `curve.points()`
printPrecisionRecallCurve | | LingPipe's method that prints the points of a curve |
    `print(curve.points())`, `precall curve --points`
toString | | LingPipe's method that gives all its numbers as a text | `print(curve)`,
    `precall curve`
rocCurve | | LingPipe's points of recall and rejection recall | `curve.roc()`,
    `curve.roc(interpolate=True)`
precisionAt, precision at k, precision@k, P@k, prPrecisionAt | | the precision of the k best items.
    LingPipe calls it precisionAt in all versions we know | P; `curve.precision_at(5)`,
    `pc.measure("P@5")`
addCase | | LingPipe's method that adds one scored case, correct or not |
    `pc.curve(labels, scores)`; in parts `pc.ScoredCases`
addMisses | | LingPipe's method that adds relevant cases without a score. AP of LingPipe 3.9.2
    ignores them; version 4.1 and precall count them | `pc.curve(labels, scores, missed=2)`
addNegativeMisses | | LingPipe's method, in version 4.1, that adds other cases without a score |
    `precall.compat.lingpipe`; otherwise give these cases the least score
numCases | | LingPipe's number of cases. Only version 4.1 includes the misses |
    `curve.relevant + curve.other`
mean precision, mean recall, average recall | | the mean over topics of precision or recall, of the
    first k items of each. Average precision (AP) is something else: a mean within one ranking |
    `precall eval -m P@10 -m R@10`, `precall explain AP`
recall@precision, recall at precision, recall at a precision | | the greatest recall that a
    threshold has while precision is at least a given one | =RAtPrecision;
    `curve.at(precision=0.9)`, `precall curve --at precision=0.9`
mean rank, median rank, first relevant, rank of the first relevant item | | the rank of the first
    hit, over topics. It has no value if nothing relevant is found; RR, 1 / rank, is 0 then | RR
AP@k, MAP@k, average precision at k | | AP of the first k ranks. Tools divide it by different
    numbers: `AP@k` by R, all relevant items (trec_eval); `AP(norm=min)@k` by min(k, R), so that 1
    can be reached (recommenders, Kaggle); `AP(norm=found)@k` by the hits among the first k
    (LingPipe, torchmetrics) | AP; `AP@10`, `AP(norm=min)@10`, `AP(norm=found)@10`
r(N), r(K), p(K), s(K), ap@K | | recall r, precision p and hits s of the first K ranks, and their
    AP, which is divided by s(K) | `R@10`, `P@10`, `AP(norm=found)@10`
average of P@k, mean of precisions at k | | average precision is the mean of the precisions at the
    ranks of the relevant items, not at all ranks. A relevant item that was not retrieved adds 0 |
    AP
prBreakevenPoint | | LingPipe's break-even point. precall computes it as the greatest min(precision,
    recall) at any threshold; LingPipe 3.9.2 gives 0 for a perfect ranking | BEP;
    `curve.break_even("max-min")`
areaUnderPrCurve | | LingPipe's area under the precision-recall curve: by steps, or interpolated if
    the caller asks | AreaPR; `curve.area_under_pr("step")`, `curve.area_under_pr("interpolated")`
areaUnderRocCurve, area under the ROC curve | | the chance that a relevant item scores higher than
    an item that is not relevant; ties count half | =AUC
recall@k, R@k, recall at k | | share of the relevant items that are among the first k | R;
    `pc.measure("R@5")`
operating point, operating points, points | | a threshold, and the precision and recall there. In a
    table of points each threshold has a row | `precall curve --points`, `curve.at(recall=0.8)`,
    `curve.points()`
dominated, dominated point, dominance, dominant operating point, pruning | | a point of a curve is
    dominated if another has more recall and at least as much precision (on a ROC curve:
    specificity). Pruning leaves out such points, and the dominant ones stay |
    `curve.pr(interpolate=True)`, `curve.roc(interpolate=True)`
step function | | a curve that is constant between its points and jumps at them, such as
    interpolated precision by recall | `curve.area_under_pr("step")`
Riemann sum, Riemann, rectangles | | the area under a step function, as a sum of rectangles. Average
    precision is one: each hit adds a rectangle of width 1/R whose height is the precision there |
    `curve.area_under_pr("step")`
convex hull, convex, convex closure | | the smallest convex shape around the points of a ROC curve.
    Each corner is the best point for some cost of misses. Interpolation is not the hull: it leaves
    out dominated points only | `curve.cost()`
hard categorization, hard decision, hard, hard classification | | a yes or no about an item and a
    category, without a score | `precall decisions`
ranking categorization, soft categorization | | scores that order the categories of an item, or the
    items of a category, instead of decisions | `precall categories`
premise, premise selection | | a premise is a statement that a proof may need. Premise selection
    ranks premises, and its result is compared with those that the proof does need |
    `precall ranking`
LingPipe, ScoredPrecisionRecallEvaluation | | a Java library. Its class
    ScoredPrecisionRecallEvaluation measures scored cases. The documentation lists [its methods and
    numbers](coming-from/lingpipe.md) next to ours | `precall.compat.lingpipe`,
    `pc.curve(correct, scores)`
rejection precision | | LingPipe's word for the negative predictive value | NPV
R-precision, precision at R, rPrecision | | precision at rank R, the number of relevant items |
    =Rprec
k@recall, k at recall, rank at recall | | the number of best items that is needed to reach a
    recall | =KAtRecall; `curve.at(recall=0.8)`
precision@recall, P@recall, precision at a recall | | precision at the least cutoff that reaches a
    recall | =PAtRecall; `curve.at(recall=0.8)`
category pivoting, category-pivoted categorization, category-pivoted, CPC | | each category ranks
    the items | `precall categories --pivot category`
pivoting, pivot | | which side ranks the other: each category ranks the items, or each item ranks
    the categories | `precall categories --pivot category`, `--pivot item`
document pivoting, item pivoting, document-pivoted categorization, document-pivoted, DPC | | each
    item ranks the categories | `precall categories --pivot item`
utility, linear utility | | a gain or loss for each cell of the table, summed. LF1 of the TREC
    filtering track is 3 TP - 2 FP | =Utility; `curve.at(max="Utility(3,-2)")`,
    `precall categories --policy utility:tp=3,fp=-2`
generality | | share of all items that is relevant | =Prevalence
effectiveness, effectiveness measure, van Rijsbergen | | van Rijsbergen's measure E is 1 - F, so
    good systems have a low E. His alpha is 1 / (beta² + 1) | E
overlap, set overlap | | the items that two sets have in common, such as the relevant and the
    retrieved items. F1 (Dice) is twice their number divided by the sum of both sizes; Jaccard is
    their number divided by the size of the union | `precall explain F1`, `precall explain Jaccard`
symmetric difference | | the items that are in only one of two sets. E with beta 1 is their number
    divided by the sum of both sizes | E
E-measure, E_beta, set overlap error | | van Rijsbergen's E is 1 - F. E1 and E2 are E with beta 1
    and 2, as F1 and F2 are F | =E
alpha, beta, van Rijsbergen's alpha | | the weights of precision and recall in F and E: F(alpha=0.5)
    is F(beta=1) | F; `F(alpha=0.2)`, `F(beta=2)`
F1, F1 score, balanced F-score, balanced F | | the harmonic mean of precision and recall, 2 P R / (P
    + R) | =F
F-measure, F-score, F-beta, FBScore, generalized F-score | | weighted harmonic mean of precision and
    recall, in which recall counts beta times as much. F1 weighs both alike; F2 favours recall, F0.5
    precision | =F
harmonic mean | | the number of values, divided by the sum of their reciprocals; it is near the
    smallest value. The harmonic mean of precision and recall is F1 | F
miss rate, false negative rate, FNR | | 1 - recall | R
false discovery rate, FDR | | 1 - precision | P
fall-out, false alarm rate, probability of false alarm | | share of the other items that are
    accepted | =Fallout
detection rate, hit rate of relevant items, probability of detection | | recall | =R
noise | | 1 - precision | P
silence | | 1 - recall | R
Hamming loss | | share of wrong pairs of item and category: the error of cells, micro-Error. With
    one label for each item, scikit-learn's is the error of items | Error;
    `decisions.value("HammingLoss")`
subset accuracy, exact match, exact match ratio | | the share of items whose labels are all
    correct | =Accuracy; `decisions.accuracy()`
zero-one loss | | the share of items with a wrong decision | =Error; `decisions.error()`
capped recall, R_cap, recall cap | | recall as BEIR caps it: hits in the first k ranks over
    min(k, relevant), so that 1 can be reached | =RelP
hit rate, hit ratio, HR | | share of the topics with a hit in the first k ranks | =Success
top-k accuracy | | share of the items whose category is among the k best | Success
MAP, mean average precision | | the mean over topics of the average precision (AP) | =AP
AveP, average precision score, uninterpolated average precision | | average precision of one
    ranking: the mean of the precisions at the ranks of all relevant items | =AP
reciprocal rank, mean reciprocal rank | | 1 / rank of the first hit | =RR
confusion matrix, confusions | | the number of items by their true and their predicted category |
    `precall decisions --confusion`, `pc.decisions(truth, predicted).confusion()`
lift, lift curve | | precision divided by prevalence: how many times more frequent relevant items
    are among the accepted items than among all. The lift curve shows it against the share of
    accepted items. Lift@10%, of the best 10 %, is the enrichment factor EF@10% | EF; `Lift@10%`,
    `curve.lift()`
c-index, concordance index, c-statistic | | the share of pairs, one item relevant and one not, that
    scores have in the right order; for two classes it is AUC | AUC
number needed to read, number needed to evaluate | | how many accepted items people must look at for
    each relevant one: 1 / precision | P
odds ratio | | LR+ / LR-, which is TP TN / (FP FN) | =DOR
number needed to diagnose | | 1 / (sensitivity + specificity - 1) | YoudenJ
decision curve, decision curve analysis | | net benefit against the threshold, when scores are
    probabilities, beside that of accepting all and of accepting none | NetBenefit;
    `curve.net_benefit()`, `precall curve --net-benefit`
risk | | the probability that a case is relevant; a score in 0..1 that says how likely that is |
    `precall curve --net-benefit`
treat all, treat none | | in decision curves, accepting all cases, or none; what a rule must surpass
    | NetBenefit; `curve.net_benefit()`
split-dirichlet | | the method of intervals of net benefit: quantiles under a Dirichlet distribution
    of the kinds of cases, whose counts are raised by 1/2 on the side of the bound and by 1/6 on the
    other | `pc.interval.net_benefit`
sd topics, sd runs, share of runs | | for a system with several runs, such as one for each seed:
    standard deviations of topics and of runs, from the analysis of variance, and the share of the
    squared error of the mean that comes from the runs | `pc.compare.seeds`,
    `precall compare --systems`
MOVER | | an interval of a sum or difference from the intervals of its terms: the distances of their
    bounds are squared, added, and the root is taken | `pc.interval.net_benefit`
interventions avoided | | the net benefit beyond that of accepting all, in units of false positives
    | NetBenefit; `NetBenefit(threshold=0.2,scale=avoided)`
G-measure | | the geometric mean of precision and recall | =FowlkesMallows
diversity, diversification, novelty | | results that cover several meanings of a query, and do not
    repeat one another. Its measures need judgements by subtopic | alpha_nDCG;
    `pc.locate_subtopics`, `precall explain NRBP`
subtopic, subtopics | | one meaning or part of a topic. Measures of diversity take judgements of
    each | alpha_nDCG; `pc.locate_subtopics`
topic weights, traffic | | how much each topic counts in averages, such as the share of a query in
    the traffic, or how many a sampled one stands for. Averages are weighted means, and intervals
    and tests know it | `precall eval --topic-weights`, `pc.evaluate(..., topic_weights={"q1":
    900})`
groups of topics | | topics of one language, type or fold, with averages and comparisons of their
    own | `precall eval --by`, `pc.evaluate(..., by={"q1": "en"}).groups`
drop-self, identical ids, ignore_identical_ids | | where queries are documents of the collection,
    the query itself is found first and is no result; BEIR and MTEB remove it |
    `precall eval --drop-self`, `pc.evaluate(..., drop_self=True)`
answerable, unanswerable, unanswerable queries | | a topic is answerable if the qrels have a
    relevant item of it | `precall eval --topics answerable`
pool, pooling, pooling bias, judgement pool | | the items that people judge: the first items of some
    runs. Other items count as not relevant, which is unfair to systems outside the pool |
    `precall eval --judged-only`, `precall explain bpref`
enrichment, enrichment factor | | the precision in the first part of a list, divided by the
    prevalence in the whole list | EF; `EF@1%`, `curve.lift()` at every share
early recognition, early enrichment, virtual screening, drug discovery | | how many of the relevant
    items are at the top of a long list, as in screening molecules for drugs | BEDROC; `EF@1%`,
    `AUC(max_fpr=0.01)`
RIE, robust initial enhancement, Boltzmann-enhanced discrimination | | a sum over the hits that
    counts early ranks most; BEDROC scales it to 0..1 | BEDROC
class imbalance, imbalanced classes, rare classes, rare, accuracy paradox | | few items are
    relevant. A system that accepts nothing then has a high accuracy, but no recall | `precall
    decisions --baselines`; F, MCC, AP
rare target detection, rare target, fraud detection | | finding the few relevant cases among very
    many, such as frauds. People can check only the cases with the best scores. So measure precision
    and recall of these, or AP or lift, but not accuracy | `precall curve`, `curve.at(accept=100)`,
    `curve.lift()`
reproducible, reproducibility, random state, random seed | | the same call gives the same digits. If
    numbers are drawn at random, their seed is printed with the result | `rng=0`, `--seed 0`
cumulative gain, gains chart, lift chart | | recall against the share of accepted items |
    `curve.cumulative_gain()`
gain | | of a curve: the recall that a share of the items yields (cumulative gain), or precision and
    recall rescaled by the prevalence (precision-recall gain). Of an item: the amount that its grade
    adds to DCG | `curve.cumulative_gain()`, `curve.gain()`, `nDCG(gain=exp)@10`
DET, detection error tradeoff, equal error rate, EER | | DET: the miss rate against the false
    positive rate. Equal error rate: the value at which both are equal | `curve.det()`,
    `curve.plot("det")`
cost curve, probability cost | | the least expected cost at any threshold, against the weight of
    misses | `curve.cost()`
calibration, calibrated, expected calibration error, ECE, Brier score, Brier, reliability diagram |
    | whether scores are right as probabilities: of the cases with score 0.8, 80 % should be
    relevant. precall measures the order of scores, and decisions; scikit-learn measures calibration
    | `sklearn.calibration`, `sklearn.metrics.brier_score_loss`
probability | | how likely something is, from 0 to 1. Scores need not be probabilities, because only
    their order and the threshold count. Calibration tells whether they are. The chance of a value
    in random order is its p-value | `precall null`, `precall explain p-value`
confidence | | of a classifier: how sure it is, given as a score. Of an interval: its level, the
    share of such intervals that hold the true value | `precall curve --score COLUMN`,
    `--level 0.95`
contingency table | | the four counts of decisions about a category: TP, FP, FN and TN |
    `precall decisions`, `pc.decisions(truth, predicted).table`; of rankings `precall ranking`,
    `curve.points()`
true positive, TP | TP | relevant and accepted; also the number of such items | `precall decisions`,
    `pc.decisions(truth, predicted).table`, `curve.points()`
false positive, FP, type I error | FP | not relevant, but accepted; also the number of such items |
    `precall decisions`, `pc.decisions(truth, predicted).table`, `curve.points()`
false alarm | | a false positive: an item that is accepted, but not relevant. The share of the other
    items that are false alarms is the fallout | Fallout; `precall decisions`, `curve.points()`
false negative, FN, type II error | FN | relevant, but not accepted; also the number of such items |
    `precall decisions`, `pc.decisions(truth, predicted).table`, `curve.points()`
true negative, TN | TN | neither relevant nor accepted; also the number of such items |
    `precall decisions`, `pc.decisions(truth, predicted).table`, `curve.points()`
trivial rejector, trivial acceptor, rejector, acceptor, baseline | | two baselines: the rejector
    accepts nothing, the acceptor everything. The rejector is accurate if a category is rare, the
    acceptor if it is frequent | `precall categories --baselines`, `curve.at(accept=0)`
ground truth, gold standard, truth, reference | | the correct answers: the judgements of a topic,
    the labels of cases, or the true categories of items | `precall eval QRELS RUN`,
    `precall curve --label COLUMN`, `precall decisions --truth COLUMN`
response | | the answers of a system: its decisions or scores. They are compared with the reference,
    the truth | `precall decisions --predicted COLUMN`, `precall curve --score COLUMN`
random selection, random ranking, chance, by chance | | the same items in random order, each order
    as likely as any other. A useful system must be better than this | `precall null`,
    `precall curve --null`
null distribution, law | | the distribution of a measure if the items stand in random order |
    `precall null`, `pc.null.average_precision(n, m)`
hypergeometric, hypergeometric distribution | | the distribution of the number of hits among the
    first k ranks in random order | `pc.null.hits(n, m, k)`, `precall null --recall --at 100`
marginal distribution | | the distribution of one quantity alone, such as one location L_i, whatever
    the other quantities are | `pc.null.location(n, m, i)`
joint distribution | | the distribution of several quantities together, such as the locations L_i
    and L_j of two hits | `pc.null.locations(n, m, i, j)`
E(L_i), Var(L_i), Cov(L_i), moments of L_i, mean of L_i, variance of L_i, covariance of L_i, 1/L_i,
    1/L_1, mean of 1/L_i, mean of 1/L_1, E(1/L_i), E(1/L_1), variance of 1/L_i | | mean, variance
    and covariance of the ranks of the hits, or of their reciprocals, in random order. They are
    exact; the errors of Zhang & Su's formulas are corrected | `pc.null.location_mean(n, m, i)`,
    `pc.null.location_variance`, `pc.null.location_covariance`, `pc.null.reciprocal_location_mean`
moments, expected recall, expected precision, variance of recall, variance of precision | | the mean
    (expected value) and the variance of a measure over random rankings |
    `precall null --recall --at 100`, `pc.null.recall(n, m, 100)`
expected average precision, expected AP, variance of AP | | the mean and the variance of AP over
    random rankings, both exact. If scores are tied, ties="expected" is the mean over the orders of
    equal items | `pc.null.average_precision(n, m).mean`, `pc.null.average_precision(n, m).var`,
    `precall null`
asymptotic, asymptotic normality, normal approximation, normal limit, limiting distribution, central
    limit theorem, Cornish-Fisher | | AP of random rankings tends to a normal distribution as the
    lists and the number of relevant items grow. In lists of usual size it is skewed, so a p-value
    by the normal distribution is wrong | `pc.null.average_precision(n, m).asymptotic()`,
    `pc.null.test(hits, method="asymptotic")`; as published in 2012 `precall null --published`
Taylor expansion, Taylor, delta method | | a way to approximate the mean and variance of a function
    of random quantities, by its derivatives at their means. Zhang & Su (2012) approximate AP in
    this way; precall computes its mean and variance exactly | `pc.null.average_precision(n, m)`,
    `precall null --published`; for F `pc.interval.f(tp, fp, fn, method="delta")`
Zhang & Su | | Zhang and Su (2012) approximate AP under random selection by a normal distribution.
    precall computes it exactly and [lists the errors of the paper](why/errata.md) |
    `precall null --published`, `pc.null.average_precision(n, m).zhang_su()`
limit law, limit of AP, limit, limit with skewness | | what AP under random selection tends to in
    ever longer lists: normal with mean s and variance s²(1-s)/m, where s is the share and m the
    number of relevant items; its skewness tends to 2(4-5s)/√(m(1-s)) |
    `precall null --limit`, `pc.null.average_precision(n, m).limit()`
Bestgen | | author of an exact formula for the expected AP of a random ranking (2015). That formula
    is a sum; precall's is closed | `pc.null.average_precision(n, m).mean`
Yilmaz & Aslam | | Yilmaz and Aslam (2006) define inferred AP, which estimates AP if only a sample
    of the items was judged | infAP
posterior, posterior distribution, Bayesian, Goutte & Gaussier | | what the counts say about the
    true value of a measure, as a distribution. The posteriors of two systems give the probability
    that one is better (Goutte & Gaussier 2005) | `pc.interval`,
    `pc.compare.bayes.decisions(truth, a, b)`
cross-validation, apparent, held out, optimism, sd over folds, fold, learned, of all items, least,
    greatest | | how good the decisions of learned thresholds are about new items. apparent: learned
    from all items and measured on the same. held out: each item decided by thresholds learned from
    other folds. optimism: the difference. least, greatest: of the thresholds over folds |
    `precall categories --policy scut --cross-validate 5`, `status.cross_validate("scut")`; of one
    list `curve.cross_validate()`
wins ties losses, first better, second better, practically equal, greater, equivalent, less, share
    of wins - losses, the greatest share has, most wins, most ties, most losses, rope, region of
    practical equivalence | | what counts of wins, ties and losses tell of two systems: how probable
    it is that the share of wins exceeds that of losses by more than a region of practical
    equivalence (rope), that it does not, and which of the three has the greatest share |
    `precall posterior --wins 30 --ties 50 --losses 20 --rope 0.02`,
    `pc.compare.bayes.wins(30, 50, 20, rope=0.02)`
prior, Beta prior, conjugate prior, Jeffreys, Jeffreys prior | | what is assumed about a measure
    before items are counted. A Beta prior adds a number to each count: 1/2 for Jeffreys' prior, 1
    for a flat one. It is conjugate: the posterior of precision or recall is again a Beta
    distribution. The prior of a category is its prevalence |
    `pc.interval.f(tp, fp, fn, prior=0.5)`, `pc.interval.proportion(hits, total, method="jeffreys")`
multinomial, multinomial distribution | | the distribution of the numbers of several kinds of items,
    such as TP, FP, FN and TN, if items are drawn at random | `pc.interval.f(tp, fp, fn)`
Dirichlet, Dirichlet distribution | | the distribution of several shares that add up to 1; with two
    shares it is the Beta distribution. It is the posterior of the shares of TP, FP, FN and TN |
    `pc.interval.f(tp, fp, fn)`, `pc.compare.bayes.outcomes(a, b)`
A better than B, better than, two systems, two models, difference of AP, difference of recall | |
    whether one system is better than another by more than chance | `precall compare`, `pc.compare`;
    of scores of the same cases `precall curve --compare A B`, `pc.compare.cases(y, a, b, "AP")`
recall at a threshold | | the share of the relevant items whose score is at least the threshold |
    `precall curve --at threshold=0.5`, `pc.compare.cases(y, a, b, "R", threshold=0.5)`
clustered data, cluster, clustered DeLong, Obuchowski | | cases that depend on each other, such as
    those of one patient. Resampling draws each such group as a whole |
    `precall compare FILE --label COLUMN --groups COLUMN`, `precall curve --groups COLUMN`,
    `pc.compare.cases(y, a, b, "AUC", groups=)`, `pc.interval(curve, "AUC", groups=)`
partial AUC, partial area, pAUC | | area under ROC up to a false positive rate | `AUC(max_fpr=0.2)`,
    `pc.interval.partial_area_under_roc(y, s, 0.2)`,
    `precall compare FILE --label COLUMN -m 'AUC(max_fpr=0.2)'`
break-even and F, F and break-even, f_versus_break_even | | whether F or the mean of precision and
    recall is greater | `pc.f_versus_break_even(precision, recall, beta)`
validation set, fitting, tuning, training set | | choosing thresholds by the labels of some items.
    On these items they look too good, so choose them on a validation set and judge them on other
    items | `precall categories --policy scut --fit-on FILE`, `pc.interval.max_f`
multi-label, any-of, overlapping categories | | an item may have any number of categories, or none |
    `precall decisions --separator ';'`, `pc.decisions`
multiclass, single-label, one-of | | each item has exactly one of several categories |
    `precall decisions`, `pc.decisions`
binary | | with two values: relevant or not, accepted or not. Binary measures ignore the level of
    relevance | `precall curve`, `precall decisions --positive LABEL`, `precall eval --grade 1`
true positive rate, TPR, sensitivity | | recall | =R
positive predictive value, positive prediction value, PPV | | precision | =P
specificity, true negative rate, TNR, selectivity | | the share of the other items (those that are
    not relevant) that are rejected | =Specificity
IoU, intersection over union | | the size of the intersection of two sets, divided by the size of
    their union | =Jaccard
error rate, misclassification rate | | share of wrong decisions | =Error
overall accuracy | | the share of items with a correct decision | =Accuracy
normalized discounted cumulative gain | | DCG divided by the DCG of the best possible ranking |
    =nDCG
Matthews correlation coefficient, phi coefficient | | correlation of decisions and truth | =MCC
Dice, Dice coefficient, Sørensen | | F1 by another name | =F
judge, LLM judge, LLM as a judge, automatic judge, proxy labels | | a program, such as a language
    model, that labels what people would have to label | `precall judge`, `pc.judge`
prediction-powered inference, PPI, PPI++, double sampling, regression estimator | | correcting a
    mean by people's labels of some units with a judge's labels of all | `pc.judge`
people alone, people_alone, people_alone_low, people_alone_high | | the measure of the topics or
    cases that people labelled, with its interval | `pc.judge`
judge alone, judge_alone | | the measure of all topics or cases by the judge's labels | `pc.judge`
mass, masses | | how relevant a case is taken to be if people labelled only some: what a model says,
    and where there is a label, its correction | `pc.judge.cases`
post-stratification, post-stratified estimate | | cases fall into cells, such as judge's label x
    decision; the share of relevant ones in each is estimated from people's labels, and its size is
    known of all cases | `pc.judge.decisions`
estimate | | a value that was learned from a sample
correlation | | of the numbers by people and by a judge: 1 if one follows the other on a line, 0
    if it tells nothing of it | `pc.judge`
agreement | | the share of labels that are equal by people and by a judge | `pc.judge.agreement`
units, people | | headings: the number of topics or other units that the judge labelled, and of
    those that people did
bias, bias of the judge, bias_low, bias_high, favour | | how much the judge alone says too much;
    for a difference, how much it favours the first system | `pc.judge`
worth | | how many times as many units people would have to label for the same interval without the
    judge | `pc.judge`
labels for the width, labels for the difference, without the judge, without the judge for the
    width, without the judge for the difference, units for the width, units for the difference,
    topics by people, cases by people, units by people, topics in all, cases in all, units in all,
    pilot labels, expected width,
    least difference seen | | what `pc.judge.plan` says: how many topics or other
    units people must label for a wanted interval, or to see a difference; how many without the
    judge; how many units the judge must label if no number of labels is enough; and what labels of
    a given number show | `precall judge`, `pc.judge.plan`
width | | the upper minus the lower bound of an interval, twice what stands behind ±
stratum, strata | | a part of the topics or other units from which some are drawn by themselves
inter-annotator agreement | | the agreement of two people who label the same items | kappa
AUPRC, PR AUC, area under the precision-recall curve, area under the PR curve | | the area under the
    precision-recall curve. It has several forms, which join the points of the curve in different
    ways; the form with steps equals the AP of the curve | AreaPR; `curve.areas()`
Kendall's tau, Kendall tau, kendall, tau-b, rank correlation | | how alike two orders of systems
    are: the pairs in the same order, less the others, as a share of all pairs; 1 if the orders are
    equal | `pc.compare.orders(a, b).kendall`, `precall overlap --orders`
AP correlation, tau_ap, tau AP, tau_ap_b | | a rank correlation of two orders of systems in which
    errors near the top count more. tau_ap takes the first order for the truth; tau_ap_b is the mean
    of both directions, with ties | `pc.compare.orders(a, b).tau_ap`, `precall overlap --orders`
rank-biased overlap, RBO, RBO_EXT, rank similarity | | how alike two rankings are, without
    judgements: the mean share of common items of a reader who goes on from each depth with
    probability p | `precall overlap`, `pc.compare.rbo`
least RBO, RBO_MIN, residual, RBO_RES | | the least overlap that two rankings can have, because
    the ranks below their ends are unknown, and by how much it can be exceeded | `precall overlap`,
    `pc.compare.rbo`
confidence interval, margin of error | | a range around an estimate, by a method that covers the
    true value in, say, 95 % of samples | `pc.interval`, `--interval`
credible interval | | a range that holds the true value with, say, 95 % probability, by its
    posterior | `pc.interval.f(tp, fp, fn, prior=0.5)`,
    `pc.compare.bayes.f(tp, fp, fn).interval(0.95)`
p-value | | the probability of a value at least this good, or of a difference at least this great,
    if there is no effect. No effect means that the ranking is random, or that the systems are
    equal | `precall null --ap VALUE`, `pc.null`; of two systems `precall compare`, `pc.compare`
significance, significance level | | a result is significant if its p-value is at most 1 - level,
    0.05 by default | `precall compare`, `--level`
sequential test, sequential analysis, optional stopping, alpha spending, group sequential, e-value |
    | a test that looks at the data while they come in and may stop at each look. A usual test that
    is repeated finds p < 0.05 too often by chance; this one spreads its level over the looks |
    `precall null --sequential`, `pc.null.sequential`
by rank, by_rank | | the last rank at which this number of hits shows that the ranking is better
    than chance | `precall null --sequential`, `pc.null.sequential`
chance of a stop until then, chance_of_a_stop | | the probability that a ranking in random order has
    stopped the test by this rank; at most alpha | `precall null --sequential`,
    `pc.null.sequential`
items read, read | | how many items of a ranking were checked when the test stopped, or so far |
    `precall null --sequential --hits`, `pc.null.sequential`
shown | | whether the items read so far show that the ranking is better than chance |
    `precall null --sequential --hits`, `pc.null.sequential`
evidence | | the stake of a test without a budget, which bets on each item. In random order it is 1
    on average; 1 / alpha or more stops the test | `precall null --sequential`,
    `pc.null.sequential`
hypothesis test, null hypothesis, inference, better than chance | | a test assumes that there is no
    effect (the null hypothesis) and computes the p-value of the observed value. Precision, recall
    and AP are tested against random order; two systems are tested against each other |
    `precall null --ap VALUE`, `pc.null.test`; of two systems `precall compare`, `pc.compare`
randomization test, randomization, permutation test, permutation | | tests whether two systems
    differ. Their values are exchanged at random in each topic or item, and p is the share of
    exchanges with a difference at least as great. It is exact if there are not too many exchanges |
    `precall compare --test randomization`, `precall compare FILE --truth COLUMN --decision COLUMN`;
    of scored cases `precall compare FILE --label COLUMN --test permutation`
paired t test, paired t, matched-pair t, t-test, t | | tests whether the mean difference of pairs,
    such as topics, is 0. It assumes that this mean is normally distributed, nearly so with many
    pairs | `precall compare --test t`
Wilcoxon, signed-rank test, signed rank | | tests whether the differences of pairs are symmetric
    around 0, by the ranks of their sizes | `precall compare --test wilcoxon`
sign test, sign | | tests whether each system is better in half of the pairs that differ; the size
    of the differences does not matter | `precall compare --test sign`
bootstrap | | draws topics or items again from the data, with replacement. The variation of a
    measure over such samples gives its interval, or a test | `pc.interval`,
    `precall compare --test bootstrap`
Yeh | | author of a paper (2000) on tests for differences of precision, recall and F that do not
    assume independent results, such as the randomization test |
    `precall compare FILE --truth COLUMN --decision COLUMN`, `pc.compare.decisions`
Monte Carlo, simulation, simulated | | drawing at random many times instead of computing exactly.
    The same seed draws the same | `precall null --simulate 10000`, `--seed 0`
sampling distribution | | the distribution of a measure over repeated samples of items or topics;
    intervals are made from it. In random order it is the null distribution | `pc.interval`,
    `precall null`
empirical | | computed from data or from simulated rankings, not from a formula |
    `precall null --simulate 10000`
standard error | | the standard deviation of an estimate over repeated samples. Intervals are made
    from it | `pc.interval`
Holm, Bonferroni, Tukey, randomised Tukey HSD, Benjamini-Hochberg, multiple comparisons | |
    corrections of p for the number of comparisons | `precall compare --correction`
McNemar's test, McNemar | | whether two systems that decide the same items differ |
    `pc.compare.decisions`

* printed
support | | items that truly belong to a category
labelled | | items whose truth is known: in a category or not
match, strict, boundary, partial, type | | when a predicted span is right: if it is a true one
    ("strict"), has its start and end ("boundary"), half if it only overlaps one ("partial"), or
    overlaps one of its type ("type") | `precall decisions --spans --match`
cor, inc, par, mis, spu, SemEval | | how many spans are correct, incorrect, partly correct, missing
    and spurious, as SemEval 2013 counts them | `precall decisions --spans --all`
class, objects, matched | | of detections: a kind of object, the number of true objects of it, and
    the column that says which detections were matched with one | `precall detections`
step, 101-point AP, 11-point AP, interpolated AP, step AP, 101-point AP low, 101-point AP high | |
    average precision of detected objects, and its bounds: step is the area under the curve without
    interpolation | `precall detections --interval`
cases, items, thresholds | | the number of cases, items or thresholds
topics | | the number of topics in the mean
mean | | over topics, groups, categories or items
sum | | the sum over topics or groups, or of counts
variance, sd, excess kurtosis | | moments of a distribution: the mean squared deviation from the
    mean, its root, and how heavy the tails are
skewness | | how asymmetric a distribution is: 0 if symmetric, above 0 with a long tail to the
    right. Strongly skewed differences mean that few topics differ far more than the others
2.5 %, 50 %, 97.5 %, quantile, median | | a quantile: this share of a distribution lies at or below
    it. The median is the quantile of 50 %
names | | of what was compared: the first, and the second
needed | | the least margin that the test would show
p_low, p_high | | p of the hypotheses that a difference is not above minus the margin, and not below
    the margin
Wilson's interval, cases needed, patients needed, relevant cases needed, other cases needed | | a
    plan: so many cases of the class, patients, or cases of both classes are needed |
    `precall power --proportion 0.9 --width 0.1`
by Connor's formula | | items that McNemar's test without a correction needs (Connor 1987) |
    `precall power --only-a 0.15 --only-b 0.05`
screen, separation | | screen: a ranked list of which a share is read. separation: by how many
    standard deviations the scores of its relevant items are higher | `precall power --screen R`
than | | the area of the second system | `precall power --area 0.85 --than 0.8`
low, high | | ends of the interval
resamples | | the number of samples that were drawn for an interval or for a p | `resamples=`
interval, level | | a range in which the true value is expected; the level is the share of such
    intervals that hold it, 95 % by default | `pc.interval`, `--interval`, `--level`
bounds, inverted randomization | | bounds: the method that an interval of a difference comes from.
    Inverted randomization: the interval holds all differences that the randomization test does not
    reject | `Comparison.interval`
bayesian-bootstrap | | interval of a mean of few values whose range is known | `pc.interval.mean`,
    `--interval`
wilson, Wilson interval | | interval of a proportion, such as precision or recall, from the normal
    test of a proportion; it stays within 0..1 | `pc.interval`, `precall categories --interval`
clopper-pearson, Clopper-Pearson interval | | interval of a proportion that never covers less than
    its level; it is wider than Wilson's | `pc.interval.proportion(..., method="clopper-pearson")`
agresti-coull, Agresti-Coull interval | | interval of a proportion: Wald's interval after about two
    successes and two failures are added (half the squared normal quantile of each) |
    `pc.interval.proportion(..., method="agresti-coull")`
wald, Wald interval, normal | | interval of an estimate by its standard error and the normal
    distribution; too short near 0 and 1 | `pc.interval.proportion(..., method="wald")`
woodruff, Woodruff's interval | | interval of precision or depth at a recall, of recall at a
    precision, and of P@k of one list, by the ranks of relevant cases between which the score of the
    recall lies (Woodruff 1952), and by the other cases above these |
    `pc.interval(curve, "PAtRecall(recall=0.8)")`
logit | | interval by the standard error of log(x / (1 - x)), so that it stays within 0..1; the
    default of AP | `precall curve --interval`
delta, delta method | | interval of F; its standard error follows from the standard errors of
    precision and recall | `pc.interval.f(..., method="delta")`
delong, DeLong's test, logit-delong | | the variance of AUC from the share of pairs that each case
    wins (DeLong, DeLong & Clarke-Pearson 1988). It gives a test of two AUC of the same cases, and
    an interval, also of log(AUC / (1 - AUC)) | `precall compare FILE --label COLUMN -m AUC`
newcombe, delong-newcombe | | newcombe: interval of AUC by Newcombe's (2006) variance, which is not
    0 at a perfect AUC. delong-newcombe: the wider of this interval and DeLong's | `pc.interval`
mover, MOVER | | method of variance estimates recovery (Zou & Donner 2008): the interval of a
    difference from the intervals of both values | `pc.compare.unpaired`, `pc.compare.seeds`
jackknife | | variance of a value, or of a difference, from its values without each image or group
    of images (Efron & Stein 1981). Of two detectors it gives the test and the interval |
    `pc.compare.detections`, `precall detections --against`
tango, Tango's test | | score test and interval of the difference of two shares of the same items
    (Tango 1998); one-sided it shows that a loss is below a margin | `pc.compare.equivalence`
bca, percentile | | interval from the quantiles of a bootstrap; bca corrects them for bias and
    skewness (Efron 1987) | `--interval bca`
optimism bootstrap | | interval of the greatest F on new cases: the best threshold of each sample is
    applied to all cases, and the loss is subtracted | `pc.interval.max_f`
log | | interval of a ratio, such as a likelihood ratio, by the standard error of its logarithm: as
    Simel, Samsa & Matchar (1991) and Woolf (1955) | `pc.interval(decisions, "LR+", method="log")`
rao-scott | | interval of a measure of one table whose items are in groups: that of as many
    independent items as would have the error of the groups (Rao & Scott 1992) |
    `pc.interval(decisions, "MCC", groups=)`
tango, Tango interval | | interval of the difference of two shares of the same items, such as two
    recalls: the differences that the score test does not reject (Tango 1998); the default of
    `pc.compare.decisions` | `pc.compare.decisions(truth, a, b, "R")`
mover, MOVER | | interval of a difference, from the intervals of both values and their correlation
    (Zou & Donner 2008) | `pc.compare.decisions(truth, a, b, "P")`
mcnemar-chi2 | | McNemar's test by the chi-squared distribution, without correction for continuity |
    `precall compare --test mcnemar-chi2`
mcnemar-both | | McNemar's tests of recall and of specificity at once: their statistics are added
    (2 degrees of freedom) | `precall compare -m Youden --test mcnemar-both`
wgs, weighted generalized score test | | tests whether two systems have equal precision, or NPV, on
    the same items (Kosinski 2013) | `precall compare -m P --test wgs`
at prevalence, stated prevalence | | the value in a population in which this share of the items is
    relevant, with the recall and specificity of the items at hand | `pc.interval(decisions, "P",
    prevalence=0.02)`, `precall decisions --prevalence`
dkw | | bands of a distribution function that hold at all thresholds at once (Massart 1990)
two-way t, two-way bayesian-bootstrap | | intervals of a mean over topics and systems
local precision, precision at the cut | | the share of relevant items among those around a rank. It
    tells how much a number changes if the cut moves by one item | `pc.interval(curve, "P@20")`
influence, influence function | | how much each case changes a measure. The variance of these values
    gives an interval and a test, which are reliable if there are many cases of both kinds |
    `precall compare FILE --label COLUMN --test influence`
fisher, Fisher's exact test | | tests whether two lists have equally many hits at the top, given all
    hits | `precall compare FILE --label COLUMN --test fisher`
hochberg, bh, by | | corrections of p for several comparisons. Hochberg's correction bounds the
    chance of any false rejection, as Holm's does. The corrections of Benjamini & Hochberg (bh) and
    Benjamini & Yekutieli (by) bound the share of false rejections among all rejections |
    `--correction bh`
dagger, daggers | | a mark in tables for papers. A dagger marks systems that are significantly worse
    than the baseline; an asterisk marks those that are better | `precall compare --format latex`
max F on new cases | | the F to expect on new cases at the threshold that had the greatest F. On the
    cases that chose this threshold, F is too high | MaxF; `pc.interval.max_f`
KS on new cases | | the recall minus false positive rate to expect on new cases at the threshold
    where it was greatest. On the cases that chose this threshold, KS is too high | KS;
    `pc.interval(curve, "KS")`
difference | | the first minus the second
first | | of a ranking: the number of items, best first, that a threshold accepts
effect size d, effect size, Cohen's d | | the mean of the differences divided by their standard
    deviation (Cohen's d)
least gain | | of a gate: the least difference that passes, which is the margin with its sign
against | | of a gate: the system to compare with, the baseline
passed | | of a gate: yes if the system is not worse than the gate allows; of many gates, the number
    of those that passed
failed | | of a gate: it did not pass; of many gates, the number of those that failed
lowest | | of many gates: the system with the least gain over the baseline. If any gate failed, only
    failed gates count
verdict | | the conclusion of a comparison or a gate
mean by chance | | the mean of a measure over random orders of the same items
more measures | | measures of a curve besides those of the short answer
p, adjusted p, adjusted_p | | p: the chance of a difference at least as great if there is no true
    difference. Adjusted p: the same, corrected for the number of comparisons
posterior mean, same items, own items, P(higher) | | results of a Bayesian comparison of two systems
    by their decisions. posterior mean: the mean of a measure's posterior. P(higher): the chance
    that the first system is higher. same items: both systems decided the same items. own items: as
    if each system had decided its own items | `pc.compare.bayes.decisions`
significant | | the (adjusted) p is at most 1 - level: 0.05, unless another level is asked for
w-t-l, wins, ties, losses | | the numbers of topics in which the first system is better, equal or
    worse
letters | | systems that share a letter do not differ significantly
effect, superiority | | effect: the difference divided by the standard deviation. superiority: the
    share of topics in which the first system is better; ties count half
statistic, test, how, alternative, correction, seed | | how p was computed
left_out, notes | | left_out: the topics that were not compared. notes: remarks on the numbers
sum of squares, df, mean square, systems, residual | | parts of the analysis of variance over
    systems and topics
comparison | | a comparison of two scores of the same cases | `pc.compare.cases`
critical value, critical p | | the least value that is significant at the level, and its p |
    `precall null`
p is, exact, approximate, error not bounded | | how exactly p is known
decided | | what the policy decides, next to the decisions of the baselines |
    `precall categories --baselines`
accepted, rejected | | accepted: items whose score is at least the threshold. rejected: items with a
    lower score
cost | | the cost of the chosen point, at the prices of --at cost= |
    `curve.at(cost={"fp": 1, "fn": 20})`
precision at recall | | interpolated precision: the greatest precision at this recall or a higher
    one | IPrec
Yang, trec | | Yang (1999) defines 11-point precision in six steps, TREC by another rule; both are
    equal if all relevant items are ranked | IAP; `status.eleven_point(form="yang")`
max-f | | the greatest F at any threshold of the category's ranking | MaxF; `curve.max_f()`
Hand-Till AUC | | the mean AUC over pairs of categories | =HandTill
least score | | the threshold of a category: items with this score or more are accepted |
    `status.thresholds("max-f")`
score, prediction score, relevance score, relevant score | | the number by which a system orders
    items; high is good unless you say otherwise. In a table of thresholds, the least score that is
    accepted. The degree of relevance that a judge gives is the grade |
    `precall curve --score COLUMN`, `precall curve --lower-is-better`
categories per item, rank | | rank: an item's place in a ranking, from 1. categories per item: the
    number of best categories that the policy "rank" accepts for each item |
    `status.thresholds("rank:1")`, `curve.points()`
expected | | of equal scores: the mean over all their orders | `precall eval --ties expected`
ranked | | the number of items in a ranking | `precall ranking`
column | | the column of scores that a table is about, if there are several
share of items, proportion | | the share of a category's best items that are accepted |
    `status.thresholds("proportion")`
macro-of-means | | F of the mean precision and the mean recall, which is not the mean of the
    categories' F | `decisions.f(average="macro-of-means")`
drawn | | in a table of simulations: the values of random rankings that were drawn |
    `precall null --simulate 10000`
asked, asked value, value, over chance, share of possible | | asked, value: the value whose chance
    is asked for. over chance: how far it exceeds the mean of random selection; share of possible:
    the same as a share of the greatest possible excess
geometric | | geometric mean over topics | `precall eval --aggregate geometric`
value_a, value_b | | the means of the first and the second system
measures, areas, counts, decisions, group, section, aggregate, kind, quantity, design | | headings:
    they say what the values belong to, and how they are computed
topics needed, items needed, deviation, least difference detected | | numbers in the plan of a
    comparison | `precall power`
pilot topics, pilot difference, only a right, only b right | | the results of a pilot study, from
    which a plan is made | `precall power`
power of randomization, its standard error, analysis of variance | | results of the plan of a
    comparison | `precall power`
"""

#: How printed names are derived from others: a pattern, whose first group is explained in turn, and
#: the meaning of the rest.
_MADE = (
    (
        r"(.+), \d+ groups",
        "of all cases, in this number of groups; each group is drawn as a whole",
    ),
    (
        r"(?:micro|macro|weighted|samples?)(?:-| )?(?:averaged?)?[- ](.+)",
        "averaged over categories or items",
    ),
    (r"(.+) (?:at|@) ?k", "of the first k ranks"),
    (r"(.+?) (?:\(.*\)|each)", "in the sense given in brackets"),
    (
        r"(?:strict|boundary|partial|type) (cor|inc|par|mis|spu|precision|recall|f1)",
        "by this match",
    ),
    (r"(.+), (?:topic|ANOVA|mean over .*)", "with what its rows are"),
    (r"(.+) (?:low|high)", "the lower or the upper end of its interval"),
    (r"((?:101-point|interpolated|11-point|step) AP) of .+", "of one class"),
    (r"mean ((?:101-point|interpolated|11-point|step) AP)", "its mean over classes"),
    (r"(max F on new cases|KS on new cases) threshold", "the least score that is accepted"),
    (r"(.+) resamples", "the number of samples that were drawn for its interval"),
    (r"max (.+?)(?: threshold| precision| recall)?", "at the threshold where it is greatest"),
    (r"min (.+?)(?: threshold)?", "at the threshold where it is least"),
    (r"(break-even) (?:nearest|max-min|linear)", "in one of its senses"),
    (r"(?:area )?(pr|roc) [\w-]+", "by one of several methods"),
    (
        r"(.+) (?:by chance|over chance|p)(?: low| high)?",
        "compared with random selection (`precall null`)",
    ),
    (r"(p|P\(higher\)), .+", "how it was computed, and for what"),
    (r"(.+) jointly", "with an interval that holds together with those beside it"),
    (
        r"(.+) at prevalence [\d.e-]+",
        "where this share of the items is relevant",
    ),
    (r"(.+) at \d+", "of this number of best items"),
    (r"(exact)ly|(?:to|within) [\d.]+ %()", "how far the number may be from the exact one"),
    (
        r"at (threshold|recall|precision|fpr|specificity|cost|max|accept)[=-].*",
        "an operating point chosen by this",
    ),
    (r"(?:compare|log|interval) (.+)", "its comparison, its logarithm, or its interval"),
    (
        r"(?:rejector|acceptor|decided) (.+)",
        "of the trivial rejector, of the trivial acceptor, or of the decisions",
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
    def without_links(self) -> str:
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

    Case, and characters between letters, are then ignored; @ is "at" and & is "and".

    Examples
    --------
    >>> word("Break_Even Point").measure, word("scut").here, word("abracadabra")
    ('BEP', '`precall categories --policy scut`, `status.thresholds("max-f")`', None)
    """
    exact, spelled = _by_name()
    if (same := exact.get(text.strip())) or exactly:
        return same
    plain = _key(text)
    return next(
        (
            spelled[one]
            for one in (plain, plain.removesuffix("s"), plain.removesuffix("es"))
            if one in spelled
        ),
        None,
    )


def similar_word(text: str) -> Word | None:
    """The word for a text whose words end otherwise or stand in brackets: a name as a reader may
    write it, but not that of a measure.

    Examples
    --------
    >>> similar_word("micro-averaged").names[0], similar_word("Average (Precision @ K)").names[0]
    ('micro', 'AP@k')
    """
    text = re.sub(r"[()]", " ", text)
    return word(text) or _by_stems().get(_stems(text))


@cache
def _by_name() -> tuple[dict[str, Word], dict[str, Word]]:
    """The words by name as it is written, and by its letters; the first of several."""
    pairs = [(name, each) for each in reversed(words()) for name in each.names]
    return dict(pairs), {_key(name): each for name, each in pairs}


@cache
def _by_stems() -> dict[str, Word]:
    """The words by the stems of their names, and by each author of a pair; the first of several."""
    return {
        _stems(one): each
        for each in reversed(words())
        for name in each.names
        for one in (*name.split(" & ")[" & " not in name :], name)
    }


def _key(text: str) -> str:
    """The letters of a text, with signs spelled out."""
    return letters(text.replace("@", "at").replace("&", "and"))


#: Endings of words: the first that leaves at least three letters is removed.
_ENDINGS = ("ing", "ed", "ion", "es", "s", "e")


def _stems(text: str) -> str:
    """The letters of a text without articles and the endings of its words."""
    return "".join(
        next(
            (
                one.removesuffix(end)
                for end in _ENDINGS
                if one.endswith(end) and len(one) >= len(end) + 3
            ),
            one,
        )
        for part in re.split(r"[\s_.-]+", text)
        if (one := _key(part)) not in ("a", "an", "the")
    )


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
