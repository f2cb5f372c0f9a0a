"""The declarations of all displays, one per line: what each draws, and the name of its kind in
`--plot-kind` and `curve.plot`. A new display needs a class and a line here; `precall.plot` and the
commands read this list.
"""

from __future__ import annotations

from typing import NamedTuple


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
    """

    display: str
    module: str
    of: str = ""
    kind: str = ""
    words: str = ""
    marks_points: bool = False
    needs_scores: bool = False


PICTURES = (
    Picture("PrecisionRecall", "curves", "curves", "pr", "precision-recall", marks_points=True),
    Picture("ROC", "curves", "curves", "roc", "ROC", marks_points=True),
    Picture("PrecisionRecallGain", "curves", "curves", "gain", "precision-recall-gain"),
    Picture("Lift", "views", "curves", "lift", "lift", marks_points=True),
    Picture(
        "CumulativeGain", "views", "curves", "cumulative-gain", "cumulative gain", marks_points=True
    ),
    Picture("DET", "views", "curves", "det", "DET", marks_points=True),
    Picture("CostCurve", "views", "curves", "cost", "cost", marks_points=True),
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
