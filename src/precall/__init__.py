"""precall: precision, recall and everything built on them, exactly, fast, and with what they are
worth.

A measure is a function from where the hits are to a number per ranking.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping
from importlib import import_module
from typing import TYPE_CHECKING

from precall.core.hooks import hook, register
from precall.core.moved import keep_old_names
from precall.version import __version__

if TYPE_CHECKING:
    from precall.cases import (
        Curve,
        OperatingPoint,
        area_under_roc,
        average_precision,
        curve,
        f_versus_break_even,
    )
    from precall.cases.accumulation import ScoredCases
    from precall.cases.bounds import Bounds
    from precall.cases.scan import ScannedCases
    from precall.comparison.api import compare
    from precall.core import notes as notes
    from precall.core.errors import (
        DataError,
        KernelMissing,
        MeasureError,
        MissingExtra,
        NoCommonTopic,
        PrecallError,
        PrecallWarning,
        TiesUnresolved,
        UsageError,
    )
    from precall.evaluation.api import evaluate
    from precall.evaluation.hit_lists import ranking
    from precall.evaluation.report import Report
    from precall.evaluation.single_ranking import Ranking
    from precall.hard_decisions import (
        Decisions,
        Status,
        Thresholds,
        categorize,
        read_thresholds,
    )
    from precall.hard_decisions.scored_categories import ScoredCategories
    from precall.intervals import interval
    from precall.judges import extremes
    from precall.location import Hits, Located, locate
    from precall.location.subtopics import Subtopics, locate_subtopics
    from precall.measures import Example, Measure, measure
    from precall.native.installed import about
    from precall.object_detection.api import detections
    from precall.page.writing import report
    from precall.read.columns import Qrels, Run
    from precall.read.list_tables import read_lists
    from precall.read.readers import read_qrels, read_run
    from precall.spans.deciding import decisions
    from precall.stats import null
    from precall.stats.intervals.interval import Interval
    from precall.stats.tests.comparisons import Comparison, Comparisons


#: Measures and scikit-learn's functions are what people look for here; and there what is of
#: probabilities or numbers.
_LACKED = {
    "precall.plot": "; a curve draws itself: curve.plot(), curve.plot('roc')",
    "precall": (
        "; measures are names, such as 'nDCG@10'; functions of scikit-learn are in "
        "precall.compat.sklearn"
    ),
    "precall.compat.sklearn": (
        "; what it does not have, dir() lists what it has, take from sklearn.metrics"
    ),
}
#: What names are that people look for here.
_HINTS = {
    "plot": (
        "; a curve draws itself, curve.plot(); displays are imported, from precall.plot import "
        "PrecisionRecall, AgainstRank, CumulativeGain"
    ),
    "precision": (
        "; of decisions it is pc.decisions(truth, predicted).precision(), of scores "
        "pc.curve(labels, scores).at(...), of ids pc.ranking(relevant, ranked, 'P@10')['P@10']"
    ),
    "recall": (
        "; of decisions it is pc.decisions(truth, predicted).recall(), of scores pc.curve(labels, "
        "scores).at(...), of ids pc.ranking(relevant, ranked, 'R@10')['R@10']"
    ),
    "RelevanceEvaluator": "; it is in precall.compat.pytrec_eval",
    **dict.fromkeys(("read_trec_qrels", "load_qrels"), "; pc.read_qrels(path) reads qrels"),
    **dict.fromkeys(("read_trec_run", "load_run"), "; pc.read_run(path) reads a run"),
    "load": (
        "; nothing is loaded by a name: pc.decisions(references, predictions) and "
        "pc.curve(references, scores) have the measures"
    ),
    **dict.fromkeys(
        ("metrics", "metric", "list_measures"),
        "; pc.measure(name) is a measure, and `precall measures` lists them",
    ),
    "power": "; it is pc.compare.power",
    **dict.fromkeys(
        ("bootstrap", "confidence_interval", "ci"), "; intervals are pc.interval(report)"
    ),
    **dict.fromkeys(
        ("ttest", "t_test", "wilcoxon", "randomization", "mcnemar", "paired"),
        "; tests are pc.compare(report, test='t'), of decisions pc.compare.decisions",
    ),
    "trec_eval": "; import precall.compat.trec_eval, or run `precall trec_eval QRELS RUN`",
    **dict.fromkeys(
        ("calc_aggregate", "iter_calc", "parse_measure"), "; it is in precall.compat.ir_measures"
    ),
    **{
        name: f"; it is imported by its whole name, such as {called}"
        for name, called in {
            "compat": "import precall.compat.sklearn",
            "spark": "import precall.spark",
            "testing": "import precall.testing",
            "torch": "import precall.torch",
        }.items()
    },
    "threshold": (
        "; one that is best for a measure is pc.curve(labels, scores).max_f().threshold, of "
        "categories status.thresholds(...)"
    ),
}


def _lead_on(package: str, name: str) -> str:
    """What to do instead of asking a package for a name that it lacks."""
    if package != __name__:
        return _LACKED.get(package, "")
    if name in _HINTS:
        return _HINTS[name]
    if name in import_module("precall.compat.sklearn").__all__:
        return f"; from precall.compat.sklearn import {name}"
    way = hook("way from the package")(name)
    return _LACKED[package] if way is None else f"; write {way}"


def fetching(
    package: str, homes: Mapping[str, str]
) -> tuple[Callable[[str], object], Callable[[], list[str]]]:
    """`__getattr__` and `__dir__` of a package whose names are imported when they are first asked
    for (PEP 562).

    `homes` are modules, as seen from the package, with the names in each; a name that its module
    lacks is the module.
    """
    home = {name: module for module, names in homes.items() for name in names.split()}

    def fetch(name: str) -> object:
        if name not in home:
            todo = "" if name.startswith("_") else _lead_on(package, name)
            raise AttributeError(f"module {package!r} has no attribute {name!r}{todo}")
        module = import_module(f".{home[name]}", package)
        value: object = getattr(module, name, module)
        setattr(sys.modules[package], name, value)
        return value

    return fetch, lambda: list(sys.modules[package].__all__)


#: Modules that documents or examples told people to import, and where they are now.
_MOVED = {
    "precall.case_tables": "precall.cases.table",
    "precall.contingency": "precall.hard_decisions",
    "precall.curves": "precall.cases",
    "precall.errors": "precall.core.errors",
    "precall.item_tables": "precall.hard_decisions.table_io",
    "precall.methods": "precall.core.methods",
    "precall.notes": "precall.core.notes",
    "precall.presented": "precall.results.sheets",
    "precall.sheet": "precall.results",
}

keep_old_names(_MOVED)

# What results ask of the rooms above them (decision 0018).
register(
    {
        "html": "precall.page.presentations:html",
        "page": "precall.page.writing:page_of_sheet",
        "trec": "precall.evaluation.report_sheet:trec_lines",
        "results.Report": "precall.evaluation.report:Report",
        "results.RunCounts": "precall.evaluation.report:RunCounts",
        "results.RunValues": "precall.evaluation.report:RunValues",
        "name among names of measures": "precall.measures.lookup:name_among",
        "way to a measure": "precall.measures.lookup:way_to_measure",
        "way from the package": "precall.measures.lookup:way_from_package",
        "is a correction": "precall.stats.tests:is_correction",
        "plan of a pilot": "precall.judges.plans:plan",
        "sheet of Report": "precall.evaluation.report_sheet:report_sheet",
        "sheet of Ranking": "precall.evaluation.ranking_sheet:ranking_sheet",
        "sheet of Curve": "precall.cases.curve_sheet:one_curve_sheet",
        "sheet of MeasuredCases": "precall.cases.curve_sheet:measured_sheet",
        "sheet of ScannedCases": "precall.cases.curve_sheet:scanned_sheet",
        "sheet of OperatingPoint": "precall.cases.points_sheet:operating_point_sheet",
        "sheet of OperatingPoints": "precall.cases.points_sheet:operating_points_sheet",
        "sheet of Decisions": "precall.hard_decisions.categories_sheet:decisions_sheet",
        "sheet of Spans": "precall.spans.sheet:spans_sheet",
        "sheet of Detections": "precall.object_detection.sheet:detections_sheet",
        "sheet of Summary": "precall.hard_decisions.categories_sheet:summary_sheet",
        "sheet of Status": "precall.hard_decisions.categories_sheet:categories_sheet",
        "sheet of Thresholds": "precall.hard_decisions.categories_sheet:thresholds_sheet",
        "sheet of CrossValidation": "precall.hard_decisions.folds_sheet:cross_validation_sheet",
        "sheet of Confusion": "precall.hard_decisions.confusion_sheet:confusion_sheet",
        "sheet of Interval": "precall.stats.intervals.sheet:interval_sheet",
        "sheet of Intervals": "precall.stats.intervals.sheet:intervals_sheet",
        "sheet of NullDistribution": "precall.stats.null.sheet:null_sheet",
        "sheet of Significance": "precall.stats.null.sheet:significance_sheet",
        "sheet of Outcome": "precall.stats.null.sheet:outcome_sheet",
        "sheet of Description": "precall.stats.null.sheet:description_sheet",
        "sheet of SequentialTest": "precall.stats.null.sheet:sequential_sheet",
        "sheet of SequentialOutcome": "precall.stats.null.sheet:sequential_outcome_sheet",
        "sheet of Posterior": "precall.stats.tests.posterior_sheet:posterior_sheet",
        "sheet of JointPosteriors": "precall.stats.tests.posterior_sheet:joint_sheet",
        "sheet of CurveComparison": "precall.stats.tests.curve_sheet:curves_sheet",
        "sheet of CountPosteriors": "precall.stats.tests.posterior_sheet:counts_sheet",
        "sheet of WinPosterior": "precall.stats.tests.posterior_sheet:wins_sheet",
        "sheet of Better": "precall.stats.tests.posterior_sheet:better_sheet",
        "sheet of Judged": "precall.judges.sheets:judged_sheet",
        "sheet of JudgedValue": "precall.judges.sheets:judged_value_sheet",
        "sheet of JudgedPair": "precall.judges.sheets:judged_pair_sheet",
        "sheet of JudgePlan": "precall.judges.plan_sheets:plan_sheet",
        "sheet of JudgeSample": "precall.judges.plan_sheets:sample_sheet",
        "sheet of LabelBounds": "precall.judges.extremes:bounds_sheet",
        "sheet of Comparisons": "precall.stats.tests.comparison_sheet:compare_sheet",
        "sheet of Comparison": "precall.stats.tests.comparison_sheet:comparison_sheet",
        "sheet of Verdict": "precall.stats.tests.comparison_sheet:verdict_sheet",
        "sheet of Equivalence": "precall.stats.tests.equivalence:equivalence_sheet",
        "sheet of Plan": "precall.stats.tests.comparison_sheet:plan_sheet",
        "sheet of Overlap": "precall.comparison.run_overlap:overlap_sheet",
        "sheet of Anova": "precall.stats.tests.comparison_sheet:anova_sheet",
        "sheet of Gates": "precall.stats.tests.gate_sheet:gates_sheet",
        "sheet of Gate": "precall.stats.tests.gate_sheet:gate_sheet",
    }
)

# Where public names live. But for `null` and `notes`, which are modules, none is that of a module
# (decision 0004). `precall --help` need not wait for NumPy.
_fetched, _names = fetching(
    __name__,
    {
        "native.installed": "about",
        "core.errors": (
            "DataError KernelMissing MeasureError MissingExtra NoCommonTopic PrecallError "
            "PrecallWarning TiesUnresolved UsageError"
        ),
        "hard_decisions": "Decisions Status Thresholds categorize read_thresholds",
        "spans.deciding": "decisions",
        "object_detection.api": "detections",
        "hard_decisions.scored_categories": "ScoredCategories",
        "cases.accumulation": "ScoredCases",
        "cases.bounds": "Bounds",
        "cases": "Curve OperatingPoint area_under_roc average_precision curve f_versus_break_even",
        "evaluation.api": "evaluate",
        "stats.tests.comparisons": "Comparison Comparisons",
        "comparison.api": "compare",
        "stats.intervals.interval": "Interval",
        "intervals": "interval",
        "judges.api": "judge",
        "judges.extremes": "extremes",
        "stats.null": "null",
        "location": "Hits Located locate",
        "location.subtopics": "Subtopics locate_subtopics",
        "measures": "Example Measure measure",
        "core.notes": "notes",
        "page.writing": "report",
        "evaluation.single_ranking": "Ranking",
        "evaluation.hit_lists": "ranking",
        "read.columns": "Qrels Run",
        "read.list_tables": "read_lists",
        "read.readers": "read_qrels read_run",
        "evaluation.report": "Report",
        "cases.scan": "ScannedCases",
    },
)

if not TYPE_CHECKING:
    __getattr__, __dir__ = _fetched, _names

__all__ = [
    "Bounds",
    "Comparison",
    "Comparisons",
    "Curve",
    "DataError",
    "Decisions",
    "Example",
    "Hits",
    "Interval",
    "KernelMissing",
    "Located",
    "Measure",
    "MeasureError",
    "MissingExtra",
    "NoCommonTopic",
    "OperatingPoint",
    "PrecallError",
    "PrecallWarning",
    "Qrels",
    "Ranking",
    "Report",
    "Run",
    "ScannedCases",
    "ScoredCases",
    "ScoredCategories",
    "Status",
    "Subtopics",
    "Thresholds",
    "TiesUnresolved",
    "UsageError",
    "__version__",
    "about",
    "area_under_roc",
    "average_precision",
    "categorize",
    "compare",
    "curve",
    "decisions",
    "detections",
    "evaluate",
    "extremes",
    "f_versus_break_even",
    "interval",
    "judge",
    "locate",
    "locate_subtopics",
    "measure",
    "null",
    "ranking",
    "read_lists",
    "read_qrels",
    "read_run",
    "read_thresholds",
    "report",
]

# Where NumPy is loaded already nothing is saved by waiting, and the first call need not.
if "numpy" in sys.modules:
    for _name in ("evaluate", "read_run"):
        _fetched(_name)
