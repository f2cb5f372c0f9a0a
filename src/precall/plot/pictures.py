"""The displays, one a line: what each draws, and the kind by which `--plot-kind` and `curve.plot`
ask for it. A new display is a class and a line here; `precall.plot` and the commands read this.
"""

from __future__ import annotations

from typing import NamedTuple


class Picture(NamedTuple):
    """A display of `precall.plot`.

    Attributes
    ----------
    display : its class.
    module : of `precall.plot`.
    of : "curves" of several scores or of groups, "curve" of one score, "two runs", "runs", or ""
        if no command draws it.
    kind : what commands call it.
    words : what is drawn, in help.
    marks_points : whether operating points are marked.
    needs_scores : whether every score is needed, so that it cannot be drawn of cases that were
        scanned.
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
    Picture("ConfusionMatrix", "confusion"),
    Picture("NullDensity", "distribution"),
    Picture("Coverage", "distribution"),
    Picture("Power", "distribution"),
)
#: Names that displays had, which go on working, with their modules.
FORMER = {"NullLaw": "distribution"}
#: By the kind that `curve.plot` and `precall curve` take, and those of `precall compare`.
OF_CURVES = {each.kind: each for each in PICTURES if each.of in ("curves", "curve")}
OF_COMPARISONS = {each.kind: each for each in PICTURES if each.of in ("two runs", "runs")}


def list_words(of: str) -> list[str]:
    """What the pictures of such a thing draw."""
    return [each.words for each in PICTURES if each.of == of]


def displays_by_module() -> dict[str, str]:
    """The names of displays by the module that has them, parted by blanks."""
    names: dict[str, list[str]] = {}
    known = {each.display: each.module for each in PICTURES} | FORMER
    for display, module in known.items():
        names.setdefault(module, []).append(display)
    return {module: " ".join(displays) for module, displays in names.items()}
