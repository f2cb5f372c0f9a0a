"""The declarations of all displays, one per line: what each draws, and the name of its kind in
`--plot-kind` and `curve.plot`. A new display needs a class and a line here; `precall.plot` and the
commands read this list.
"""

from __future__ import annotations

from collections.abc import Collection
from typing import Any, NamedTuple


class Picture(NamedTuple):
    """A display of `precall.plot`.

    Attributes
    ----------
    display : its class.
    module : its module in `precall.plot`.
    of : "curves" (several scores or groups), "curve" (one score), "two runs", "runs", or "" if no
        command draws it.
    kind : the name that commands use.
    words : description for help texts.
    marks_points : whether operating points are marked.
    needs_scores : whether it needs every score, so that it cannot be drawn for scanned cases.
    aliases : other names of the kind, in lower case without punctuation.
    """

    display: str
    module: str
    of: str = ""
    kind: str = ""
    words: str = ""
    marks_points: bool = False
    needs_scores: bool = False
    aliases: tuple[str, ...] = ()


PICTURES = (
    Picture(
        "PrecisionRecall",
        "curves",
        "curves",
        "pr",
        "precision-recall",
        marks_points=True,
        aliases=("precisionrecall", "precisionrecallcurve", "prc", "prcurve"),
    ),
    Picture(
        "ROC",
        "curves",
        "curves",
        "roc",
        "ROC",
        marks_points=True,
        aliases=("roccurve", "receiveroperatingcharacteristic"),
    ),
    Picture(
        "PrecisionRecallGain",
        "curves",
        "curves",
        "gain",
        "precision-recall-gain",
        aliases=("precisionrecallgain", "prg"),
    ),
    Picture("Lift", "views", "curves", "lift", "lift", marks_points=True, aliases=("liftcurve",)),
    Picture(
        "CumulativeGain",
        "views",
        "curves",
        "cumulative-gain",
        "cumulative gain",
        marks_points=True,
        aliases=("cumulativegains",),
    ),
    Picture(
        "DET",
        "views",
        "curves",
        "det",
        "DET",
        marks_points=True,
        aliases=("detcurve", "detectionerrortradeoff"),
    ),
    Picture(
        "CostCurve", "views", "curves", "cost", "cost", marks_points=True, aliases=("costcurve",)
    ),
    Picture("AgainstRank", "thresholds", "curves", "ranks", "rank", needs_scores=True),
    Picture(
        "AgainstThreshold",
        "thresholds",
        "curve",
        "thresholds",
        "precision, recall and F against thresholds",
        marks_points=True,
        needs_scores=True,
    ),
    Picture(
        "ScoresByClass",
        "thresholds",
        "curve",
        "scores",
        "histograms of the scores",
        needs_scores=True,
    ),
    Picture("TopicDifferences", "systems", "two runs", "differences", "differences of each topic"),
    Picture("TopicScatter", "systems", "two runs", "scatter", "topics as points"),
    Picture("SystemMeans", "systems", "runs", "means", "means with intervals and letters"),
    Picture("PairDifferences", "systems", "runs", "pairs", "intervals of the pairs' differences"),
    Picture("CurveDifference", "differences"),
    Picture("Rectangles", "rectangles"),
    Picture("DecisionCurve", "decision_curves"),
    Picture("ElevenPoint", "systems"),
    Picture("PeopleAndJudge", "judged"),
    Picture("ConfusionMatrix", "confusion"),
    Picture("NullDensity", "distribution"),
    Picture("Coverage", "distribution"),
    Picture("Power", "distribution"),
)
#: Former names of displays, which still work, with their modules.
FORMER = {"NullLaw": "distribution"}
#: By the kinds of `curve.plot` and `precall curve`, and by those of `precall compare`.
OF_CURVES = {each.kind: each for each in PICTURES if each.of in ("curves", "curve")}
OF_COMPARISONS = {each.kind: each for each in PICTURES if each.of in ("two runs", "runs")}
#: Other names of kinds, as `arguments.choose` reads them.
ELSEWHERE = {alias: [each.kind] for each in PICTURES for alias in each.aliases}


def choose_kind(allowed: Collection[object], value: object, argument: str = "view") -> Any:
    """The kind of picture that a value means among those allowed, in any spelling; else an error.

    Parameters
    ----------
    allowed : kinds.
    value : what was passed.
    argument : the argument that it was passed for.

    Examples
    --------
    >>> choose_kind(OF_CURVES, "ROC"), choose_kind(OF_CURVES, "precision-recall")
    ('roc', 'pr')
    """
    # Not at the top, because help must not wait for NumPy.
    from precall.core.arguments import choose

    return choose(argument, value, allowed, ELSEWHERE)


def list_words(of: str) -> list[str]:
    """The descriptions of all pictures of such a thing."""
    return [each.words for each in PICTURES if each.of == of]


def displays_by_module() -> dict[str, str]:
    """The names of displays, separated by blanks, by module."""
    names: dict[str, list[str]] = {}
    modules = {each.display: each.module for each in PICTURES} | FORMER
    for display, module in modules.items():
        names.setdefault(module, []).append(display)
    return {module: " ".join(displays) for module, displays in names.items()}
