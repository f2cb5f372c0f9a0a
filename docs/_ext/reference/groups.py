"""Which public names stand together in the reference: the one declaration of it."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Group:
    """Names of one page of the reference.

    `names` are public names, without the first `precall.`; `MODULE.*` is every public name of a
    module. `forms` are classes that users meet as results and do not make: those that the functions
    of the group return.
    """

    title: str
    lead: str
    names: str
    forms: str = ""

    @property
    def page(self) -> str:
        """The name of its file."""
        return self.title.lower().replace(",", "").replace("'", "").replace(" ", "-")


GROUPS = (
    Group(
        "Evaluate",
        "Rankings against judgements: runs in files, dictionaries or frames, and lists of ids.",
        "evaluate Report ranking ranking.* Ranking",
    ),
    Group(
        "Curves and cases",
        (
            "Cases with a score and a label: precision-recall and ROC curves, their areas and "
            "points, and more cases than fit into memory."
        ),
        (
            "curve Curve OperatingPoint average_precision area_under_roc f_versus_break_even "
            "ScoredCases ScannedCases Bounds"
        ),
    ),
    Group(
        "Decisions and categories",
        (
            "Decisions about categories and about spans of text, detected objects, scores of "
            "several categories, and the thresholds that make decisions of scores."
        ),
        (
            "decisions Decisions decisions.* detections categorize Status ScoredCategories "
            "Thresholds read_thresholds"
        ),
        "precall.spans.api.Spans precall.object_detection.api.Detections",
    ),
    Group(
        "Intervals",
        (
            "How far an estimate may be from the truth, for what you have: counts, labels and "
            "scores, values per topic."
        ),
        "interval interval.* Interval",
    ),
    Group(
        "Comparing",
        (
            "Whether systems differ by more than chance, whether one may take the place of "
            "another, and how many topics it takes."
        ),
        (
            "compare compare.* compare.power.* compare.bayes.* Comparison Comparisons testing "
            "testing.* pytest_plugin pytest_plugin.*"
        ),
    ),
    Group(
        "Judges",
        (
            "What a measure is by people's labels, if people labelled some units and a judge, such "
            "as a language model, all of them; and what it is at least and at most if nobody did."
        ),
        "judge judge.* judge.compare.* extremes extremes.*",
        (
            "precall.judges.results.Judged precall.judges.results.JudgedValue "
            "precall.judges.results.JudgedPair precall.judges.results.JudgeAgreement "
            "precall.judges.plans.JudgePlan precall.judges.sampling.JudgeSample "
            "precall.judges.extremes.LabelBounds precall.judges.extremes.LabelRange "
            "precall.judges.extremes.NextCase"
        ),
    ),
    Group(
        "Null distributions",
        "What measures are when the hits stand at random ranks, and how surprising a value is.",
        "null null.*",
    ),
    Group(
        "Plots and pages",
        "Pictures by matplotlib, and pages of HTML to pass on.",
        "report report.* plot plot.*",
    ),
    Group(
        "Reading",
        (
            "Files, frames and dictionaries as runs, judgements and lists; and where the relevant "
            "items stand in them."
        ),
        "read_run read_qrels read_lists Run Qrels locate Located Hits locate_subtopics Subtopics",
    ),
    Group("Measures", "Measures by name, and measures of your own.", "measure Measure Example"),
    Group(
        "Results' forms",
        (
            "What every result has: it prints, shows itself in notebooks, and is exported and "
            "saved. And the classes of results that functions return and nobody makes by hand."
        ),
        "",
        (
            "precall.results.sheets.Presented=result precall.core.methods.Method "
            "precall.core.notes.facts.Note precall.results.sheets.Table "
            "precall.results.sheets.Sheet precall.evaluation.report.RunValues "
            "precall.evaluation.extremes.Extremes "
            "precall.evaluation.extremes.NextLabel precall.stats.intervals.interval.Intervals "
            "precall.cases.operating_points.OperatingPoints precall.core.counts.Counts "
            "precall.cases.points.MeanVersusF precall.hard_decisions.confusion.Confusion "
            "precall.hard_decisions.outcomes.Summary "
            "precall.hard_decisions.per_ranking.PerRanking precall.stats.intervals.bands.Band "
            "precall.stats.tests.equivalence.Equivalence precall.stats.tests.gating.Gates "
            "precall.stats.tests.equivalence.Gate precall.stats.tests.planning.Plan "
            "precall.stats.tests.comparisons.Anova "
            "precall.stats.tests.comparisons.SeveralRuns "
            "precall.stats.tests.curve_bands.CurveComparison "
            "precall.comparison.system_orders.Orders precall.comparison.run_overlap.Overlap "
            "precall.hard_decisions.cross_validation.CrossValidation precall.plot.canvas.Display"
        ),
    ),
    Group("Training", "Metrics for training loops.", "torch torch.*"),
    Group("Spark", "Where the data outgrow one machine.", "spark spark.*"),
    Group(
        "Compatibility",
        "Other tools' names and conventions, to be imported in the place of theirs.",
        (
            "compat.sklearn compat.sklearn.* compat.ir_measures compat.ir_measures.* "
            "compat.ir_measures.providers.* compat.pytrec_eval compat.pytrec_eval.* "
            "compat.lingpipe compat.lingpipe.ScoredPrecisionRecallEvaluation "
            "compat.lingpipe.Writer compat.lingpipe.Curve compat.lingpipe.curve "
            "compat.lingpipe.Table compat.lingpipe.UsageError"
        ),
    ),
    Group(
        "Errors",
        (
            "Everything that precall raises by intent, and its warning; and what belongs into a "
            "report of a defect."
        ),
        (
            "PrecallError UsageError MeasureError DataError NoCommonTopic TiesUnresolved "
            "MissingExtra KernelMissing PrecallWarning about __version__"
        ),
    ),
)
