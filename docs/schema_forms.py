"""What each document of precall holds, in the language of docs/schemas.py."""

from __future__ import annotations

from typing import Any

from schemas import NOTE, of_facts, of_fields

from precall.cases.bounds import Bounds
from precall.cases.points import MeanVersusF, OperatingPoint
from precall.comparison.system_orders import Orders
from precall.evaluation.report import RunCounts
from precall.hard_decisions.thresholds import Thresholds
from precall.judges.results import JudgeAgreement, JudgedPair, JudgedValue
from precall.native.installed import versions
from precall.stats.intervals.interval import Interval
from precall.stats.null.distribution import Range, Tail
from precall.stats.null.hits_and_ranks import Locations
from precall.stats.tests.bayes import ThreeWay
from precall.stats.tests.equivalence import Equivalence
from precall.stats.tests.verdict import Standing

BY_NAME = {"*": "value"}
TABLE = {"*": BY_NAME}
COLUMNS = {"columns": {"*": ["cell"]}}
LEVELS = {f"{i / 10:.1f}": "value" for i in range(11)}

STANDING = of_fields(Standing)
VERDICT = {
    "measure": "text",
    "best": "text|null",
    "value": "value",
    "means": BY_NAME,
    "baseline": "text|null",
    "standings": [STANDING],
    "letters": {"*": "text"},
    "size": "count",
    "unit": "text",
    "test": "text",
    "correction": "text",
    "level": "share",
    "alternative": "text",
    "interval": "text",
    "text": "text",
}
METHOD = {
    "name": "text",
    "exact": "flag",
    "drawn?": "text",
    "units?": "count",
    "by?": "text",
    "resamples?": "count",
    "seed?": "whole",
    "counts?": ["count"],
    "freedom?": "value",
    "statistic?": "text",
    "pairs?": "count",
    "undefined?": "text",
}
PAIR = {
    "a": "text",
    "b": "text",
    "measure": "text",
    "value_a": "value",
    "value_b": "value",
    "difference": "value",
    "low": "value",
    "high": "value",
    "level": "share",
    "p": "value",
    "adjusted": "value",
    "significant": "flag",
    "outcome": "text",
    "test": "text",
    "alternative": "text",
    "how": "text",
    "method": METHOD,
    "interval": "text",
    "interval_resamples?": "whole|null",
    "correction": "text",
    "statistic": "value",
    "effect": "value",
    "superiority": "value",
    "size": "count",
    "wins": "count",
    "ties": "count",
    "losses": "count",
    "left_out": "count",
    "notes?": [NOTE],
    "seed": "whole|null",
    "equal_scores": "text",
}
SOURCE = dict.fromkeys(("sum", "freedom", "square", "f", "p"), "value")
RUNS_OF_SYSTEM = {
    "runs": ["text"],
    "topics": "count",
    **dict.fromkeys(
        (
            "mean",
            "low",
            "high",
            "error",
            "sd_topics",
            "sd_runs",
            "sd_rest",
            "share_of_runs",
            "least_error",
        ),
        "value",
    ),
}
ANOVA = dict.fromkeys(("systems", "topics", "residual"), SOURCE)
GATE = {
    "a": "text",
    "b": "text",
    "measure": "text",
    "name": "text",
    "value": "value",
    "bound": "value",
    "margin": "value",
    "passed": "flag",
    "p": "value",
    "text": "text",
    "notes": [NOTE],
    "head?": "text",
}
BETTER = {
    "measure": "text",
    "a": "value",
    "b": "value",
    "difference": "value",
    "low": "value",
    "high": "value",
    "paired": "share",
    "independent": "share",
}
INTERVAL = of_fields(Interval, notes=[NOTE], resamples="count")
# They stand above all intervals.
del INTERVAL["conventions"]
NAMED_INTERVAL = {
    "run?": "text",
    "category?": "text",
    **INTERVAL,
    "naive?": (INTERVAL, "null"),
    "row?": "whole|null",
    "threshold?": "value",
    "higher_is_better?": "flag",
}
AGREEMENT = of_fields(JudgeAgreement)
JUDGED_VALUE = {
    "run?": "text",
    **of_fields(
        JudgedValue,
        notes=[NOTE],
        resamples="count",
        labels=["count"],
        people_alone=INTERVAL,
        bias=INTERVAL,
    ),
}
del JUDGED_VALUE["conventions"], JUDGED_VALUE["shared"]
JUDGED_PAIR = of_fields(
    JudgedPair,
    names=["text"],
    labels=["count"],
    people_alone=INTERVAL,
    favour=INTERVAL,
    notes=[NOTE],
)
del JUDGED_PAIR["shared"]
#: What is read off a curve: sections behind these are of chosen points, intervals, and random
#: selection.
CURVE = {
    "counts": {
        "cases": "value",
        "relevant": "value",
        "missed": "value",
        "thresholds?": "count|null",
    },
    "measures": BY_NAME,
    "areas": BY_NAME,
    "11-point": LEVELS,
    "*": BY_NAME,
}
SCORES = {"*": CURVE}
RUN = {
    "name": "text",
    "counts": of_fields(RunCounts),
    "mean": BY_NAME,
    "undefined": {"*": "count"},
    "notes?": [NOTE],
    "interval?": {
        "*": {
            "low": "value",
            "high": "value",
            "level": "share",
            "method": "text",
            "resamples?": "count",
            "seed?": "whole|null",
            "notes?": [NOTE],
        }
    },
    "per_topic?": TABLE,
    "unjudged?": "count",
    "bounds?": {"*": {"lowest": "value", "highest": "value", "undefined": "count"}},
    "per_topic_bounds?": {"*": {"*": {"lowest": "value", "highest": "value"}}},
}
DECISIONS = {"categories": TABLE, "averages": TABLE, "measures": TABLE}
DECIDED = DECISIONS | {"baselines?": {"*": DECISIONS}, "intervals?": DECISIONS}
SETTING = {
    "items": "count",
    "relevant": "count",
    "level?": "share",
    "laws": [{"*": "cell"}],
    "AP?": BY_NAME,
    "approximate?": "text",
    "asked?": {
        "AP": "value",
        "mean by chance?": "value",
        "over chance": "value",
        "p": BY_NAME,
        "method": "text",
        "relative error": "value",
        "upper bound": "flag",
    },
    "critical?": [{"measure": "text", "value": "value", "p": "value", "p is": "text"}],
    "values?": [
        {
            "measure": "text",
            "value": "value",
            "mean by chance?": "value",
            "over chance": "value",
            "p": "value",
            "p is": "text",
        }
    ],
    "tails?": {"*": "text"},
}
#: Worked examples: of a ranking, of counts, of subtopics and of categories.
TOLD = {"measure": "text", "value": "value"}
EXAMPLES = (
    TOLD
    | {
        "retrieved": "count",
        "hits": ["count"],
        "grades": ["whole"],
        "nonrelevant": ["count"],
        "missed": ["whole"],
        "missed_nonrelevant": "count",
    },
    TOLD | {"tp": "value", "fp": "value", "fn": "value", "tn": "value"},
    TOLD | {"ranked": ["text"], "missed": ["text"]},
    TOLD | {"categories": ["text"], "scores": [["value"]]},
)
MEASURE = {
    "name": "text",
    "of": "text",
    "usage": "text",
    "summary": "text",
    "definition": "text",
    "parameters": [{"name": "text", "allowed": "text", "required": "flag", "default": "text|null"}],
    "range": ["value"],
    "undefined": "text",
    "aggregate": "text",
    "best": "end",
    "averaged": {"*": "text"},
    "intervals": ["text"],
    "interval_methods": {"*": ["text"]},
    "tests": ["text"],
    "averages": ["text"],
    "aliases": ["text"],
    "elsewhere": ["text"],
    "trec_eval": ["text"],
    "sklearn": ["text"],
    "sources": ["text"],
    "example": (*EXAMPLES, "null"),
}
POSTERIORS = (
    {
        "a": "text",
        "b": "text",
        "counts": [[["count"]]],
        "measures": [BETTER],
        "right alone": {"greater": "share", "less": "share"},
    },
    BETTER,
)
STATISTICS = {"*": "value"}

#: Results: name, what it is of, its body.
FORMS: dict[str, tuple[str, Any]] = {
    "anova": ("Analysis of variance of systems and topics", ANOVA),
    "band": (
        "A band around a curve",
        {
            "columns": tuple(
                {name: ["value"] for name in (*axes, "low", "high")}
                for axes in (
                    ("recall", "precision"),
                    ("false_positive_rate", "recall"),
                    ("threshold", "net_benefit"),
                    ("threshold", "net_benefit_over_all"),
                    ("threshold", "net_benefit_difference"),
                )
            ),
        },
    ),
    "bounds": ("What a number is known to lie between", of_facts(Bounds)),
    "categories": (
        "Scores of several categories, and what a policy decides",
        {
            "categories": TABLE,
            "averages": TABLE,
            "eleven_point": {
                "yang": LEVELS | {"mean": "value"},
                "trec": LEVELS | {"mean": "value"},
            },
            "hand_till": "value",
            "intervals?": TABLE,
            "thresholds?": {
                "policy": "text",
                "kind": "text",
                "values": BY_NAME,
                "tuned": "text|null",
                "number": "value",
                "learned_from": "text|null",
            },
            "decisions?": (DECIDED, {"baselines": {"*": DECISIONS}}),
        },
    ),
    "compare": (
        "Systems compared pair by pair",
        {
            "systems?": ["text"],
            "means?": TABLE,
            "verdicts": {"*": VERDICT},
            "pairs": [PAIR],
            "letters?": {"*": {"*": "text"}},
            "anova?": {"*": ANOVA},
            "gates?": [GATE],
            "topics?": {"*": TABLE},
            "posteriors?": [BETTER],
            "seeds?": {"*": {"*": RUNS_OF_SYSTEM}},
            "groups?": {
                "*": {
                    "systems": ["text"],
                    "means": TABLE,
                    "verdicts": {"*": VERDICT},
                    "pairs": [PAIR],
                    "letters": {"*": {"*": "text"}},
                    "anova": {"*": ANOVA},
                    "seeds?": {"*": {"*": RUNS_OF_SYSTEM}},
                    "heads?": {"*": "text"},
                }
            },
            "heads?": {"*": "text"},
        },
    ),
    "confusion": (
        "Items by true and predicted category",
        {
            "categories": ["text"],
            "items": "count",
            "right": "count",
            "counts": [["count"]],
            "normalize?": "text",
            "shares?": [["value"]],
        },
    ),
    "curve": (
        "Curves of scored cases",
        {"scores?": SCORES, "groups?": {"*": SCORES}, "mean?": SCORES, "comparisons?": [PAIR]},
    ),
    "decisions": ("Decisions about categories", DECIDED),
    "distribution": (
        "A distribution under random selection",
        {
            "distribution": "text",
            "statistics": STATISTICS,
            "approximate": "text",
        },
    ),
    "count-posteriors": (
        "What is known of measures after counting one table",
        {
            "counts": dict.fromkeys(("tp", "fp", "fn", "tn"), "value"),
            "prior": "value",
            "level": "share",
            "measures": [
                {"measure": "text"} | dict.fromkeys(("value", "low", "median", "high"), "value")
            ],
        },
    ),
    "cross-validation": (
        "How good the decisions of learned thresholds are about held-out items",
        {
            "policy": "text",
            "measure": "text",
            "seed": "whole|null",
            **dict.fromkeys(("apparent", "held_out", "optimism", "sd_over_folds"), "value"),
            "kind": "text",
            "thresholds": [
                {"category": "text"} | dict.fromkeys(("all", "least", "greatest", "sd"), "value")
            ],
            "folds": [{"items": "count", "learned": "value", "held_out": "value"}],
        },
    ),
    "curves": (
        "Where the curve of one score lies above that of another, with the band of the difference",
        {
            "curve": "text",
            "a": "text",
            "b": "text",
            "size": "count",
            "across": "text",
            "along": "text",
            "level": "share",
            "grid": [
                {"at": "share"} | dict.fromkeys(("a", "b", "difference", "low", "high"), "value")
            ],
            "above": "share",
            "significantly_above": "share",
            "below": "share",
            "significantly_below": "share",
        },
    ),
    "equivalence": ("Whether two systems are as good as each other", of_facts(Equivalence)),
    "explain": (
        "A measure, or a word, explained",
        {
            "name": "text",
            "meanings": [
                {
                    "name": "text",
                    "meaning": "text",
                    "symbol": "text",
                    "here": "text",
                    "also": ["text"],
                }
            ],
            "measure": (MEASURE | {"average?": "text"}, "null"),
            "note?": {"*": "text"},
            "inference?": [{"*": "text"}],
        },
    ),
    "steps": (
        "The sum behind a value of a measure, step by step",
        {
            "measure": "text",
            "value": "value",
            "rule": "text",
            "facts": {"*": "value"},
            "steps": [{"term": "value", "sum": "value", "*": "cell"}],
        },
    ),
    "gates": (
        "Whether a system may take the place of another",
        {"passed": "flag", "gates": [GATE]},
    ),
    "intervals": ("Intervals", {"intervals": [NAMED_INTERVAL]}),
    "extremes": (
        "Bounds of measures over all labels of what nobody judged",
        {
            "unjudged": "count",
            "total": "count",
            "bounds": {"*": {"lowest": "value", "highest": "value", "is_undefined": "flag"}},
        },
    ),
    "judge-agreement": ("How a judge's labels agree with people's", of_facts(JudgeAgreement)),
    "judge-plan": (
        "How many units people must label",
        {"designs": {"*": {"*": "value"}}, "unit": "text"},
    ),
    "judge-sample": (
        "What people label next, with its probability",
        {
            "drawn": ["text"],
            "probability": {"*": "share"},
            "stratum": {"*": "text"},
            "items": ({"*": ["text"]}, "null"),
            "by": "text",
            "unit": "text",
            "measure": "text",
        },
    ),
    "judged": (
        "Measures of people's labels, learned with a judge's",
        {"values": [JUDGED_VALUE], "pairs": [JUDGED_PAIR], "agreement": (AGREEMENT, "null")},
    ),
    "locations": ("Mean and covariance of the places of relevant items", of_facts(Locations)),
    "mean-versus-f": ("The mean of precision and recall beside F", of_facts(MeanVersusF)),
    "measures": ("All measures", {"measures": [MEASURE]}),
    "null": ("Distributions under random selection", {"settings": [SETTING]}),
    "operating-point": ("A point of a curve", of_facts(OperatingPoint)),
    "decision-curves": ("Decision curves of risks", COLUMNS),
    "operating-points": ("All points of curves", COLUMNS),
    "orders": ("How alike two orders of systems are", of_facts(Orders)),
    "overlap": (
        "Rank-biased overlap of two runs",
        {
            "runs": ["text"],
            "p": "share",
            "rbo": "value",
            "least": "value",
            "residual": "value",
            "per_topic": {
                "topic": ["text"],
                "rbo": ["value"],
                "least": ["value"],
                "residual": ["value"],
            },
        },
    ),
    "per-ranking": ("Values by ranking", COLUMNS),
    "posterior": (
        "What is known of a measure after counting",
        {"posterior": "text", "statistics": STATISTICS},
    ),
    "posteriors": ("How probable it is that one of two systems is better", POSTERIORS),
    "power": ("What a comparison can find", {"designs": TABLE}),
    "range": ("A range under random selection", of_facts(Range)),
    "ranking": (
        "One ranking",
        {
            "counts": dict.fromkeys(("ranked", "relevant", "hits", "missed"), "count"),
            "measures": BY_NAME,
            "intervals": {
                "*": {
                    "value": "value",
                    "low": "value",
                    "high": "value",
                    "threshold?": "value",
                    "resamples?": "count",
                    "first?": "count",
                }
            },
            "11-point": LEVELS,
            "missed": ["text"],
            "points": {"*": ["cell"]},
        },
    ),
    "report": (
        "Runs evaluated",
        {
            "measures": [{"name": "text", "asked": ["text"], "aggregate": "text", "best": "end"}],
            "runs": [RUN],
            "weights?": BY_NAME,
            "groups?": {"*": [RUN]},
        },
    ),
    "sequential": (
        "When reading may stop, and what the items read so far show",
        {
            "items": "count",
            "relevant": "count",
            "at_most": "flag",
            "budget": "count|null",
            "alpha": "share",
            "spending": "text|null",
            "size": "share",
            "steps": [{"hits": "count", "by_rank": "count"}],
            "boundary": ["count|null"],
            "spent": ["share"],
            "outcome?": {
                "read": "count",
                "hits": "count",
                "shown": "flag",
                "p": "share|null",
                "bound": "flag",
                "evidence": "value",
                "sentence": "text",
            },
        },
    ),
    "significance": (
        "Values beside what random selection gives",
        {
            "measure": "text",
            "missed": "count",
            "rankings": [
                {
                    "ranking": "text",
                    "value": "value",
                    "chance": "value",
                    "over_chance": "value",
                    "p": "value",
                    "share_of_possible": "value",
                    "p_is": "text",
                }
            ],
        },
    ),
    "scored-categories": (
        "Average precision and area under ROC of many categories",
        {
            "columns": {
                "category": ["cell"],
                **{name: ["value"] for name in ("relevant", "AP", "AUC")},
            },
        },
    ),
    "summary": ("Precision, recall and F of categories", {"rows": {"*": ["cell"]}}),
    "detections": (
        "Average precision of detected objects, by class",
        {
            "classes": TABLE,
            "averages": TABLE,
            "columns": TABLE,
            "intervals?": TABLE,
        },
    ),
    "spans": (
        "Predicted spans against the true ones",
        {
            "types": TABLE,
            "averages": TABLE,
            "outcomes": {"*": ["cell"]},
            "intervals?": {"types": TABLE, "averages": TABLE},
        },
    ),
    "table": ("Columns of equal length", COLUMNS),
    "tail": ("A tail probability, and how right it is", of_facts(Tail)),
    "three-way": (
        "How probable it is that one is greater, equivalent or less",
        of_facts(ThreeWay) | {"method": METHOD},
    ),
    "thresholds": (
        "Thresholds of categories; the file of --save-thresholds",
        {
            **of_fields(
                Thresholds, categories=["cell"], values=["value"], items="count", notes=[NOTE]
            ),
        },
    ),
    "verdict": ("What comparisons by one measure come to", VERDICT),
    "wins": (
        "What is known of two systems after counting wins, ties and losses",
        {
            "counts": dict.fromkeys(("wins", "ties", "losses"), "value"),
            "prior": ["value"],
            "rope": "value",
            "level": "share",
            **dict.fromkeys(("difference", "low", "high"), "value"),
            "better": dict.fromkeys(("greater", "equivalent", "less"), "share"),
            "most": dict.fromkeys(("wins", "ties", "losses"), "share"),
        },
    ),
}

#: Documents that are no results.
FILES: dict[str, tuple[str, Any]] = {
    "about": (
        "What is installed, of `precall about`; an empty text where something is not",
        {
            **dict.fromkeys((*versions(), "wheel", "implementation", "gil"), "text"),
            "*": "text",
        },
    ),
    "baseline": (
        "The values of a report by topic, with which later ones are compared",
        {
            "precall": "text",
            "conventions": {"*": "text"},
            "measures": {
                "*": {
                    "aggregate": "text",
                    "best": "end",
                    "undefined": "value",
                    "asked?": ["text"],
                }
            },
            "notes": [NOTE],
            "runs": {"*": {"*": ["value"]}},
        },
    ),
    "page": (
        "The record of a page; what sections hold is read by `precall report --from`",
        {
            "title": "text",
            "headline": [{"text": "text", "lead": "text"}],
            "notes": [NOTE],
            "date": "text",
            "command": "text",
            "versions": {"*": "text"},
            "files": [{"name": "text", "bytes": "count", "sha256": "text"}],
            "sections": [{"kind": "text", "conventions?": {"*": "text"}, "*": "any"}],
        },
    ),
}
