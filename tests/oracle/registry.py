"""Name of a measure → its oracle."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import Any

from tests.oracle import averages, cutoffs, gains, judgements, sets
from tests.oracle.ranking import Grades, Ranked, judged_only

Value = Fraction | float | None

ORACLES: dict[str, Callable[..., Value]] = {
    "AP": averages.average_precision,
    "RR": averages.reciprocal_rank,
    "IPrec": averages.interpolated_precision,
    "IAP": averages.eleven_point,
    "yaap": averages.yaap,
    "P": cutoffs.precision,
    "R": cutoffs.recall,
    "F": cutoffs.f_measure,
    "E": cutoffs.e_measure,
    "Success": cutoffs.success,
    "RelP": cutoffs.relative_precision,
    "Rprec": cutoffs.r_precision,
    "SetP": sets.set_precision,
    "SetR": sets.set_recall,
    "SetRelP": sets.set_relative_precision,
    "SetF": sets.set_f,
    "SetAP": sets.set_average_precision,
    "NumRet": sets.number_retrieved,
    "NumRel": sets.number_relevant,
    "NumRelRet": sets.number_found,
    "NumNonrelRet": sets.number_nonrelevant,
    "Utility": sets.utility,
    "DCG": gains.dcg,
    "nDCG": gains.ndcg,
    "ERR": gains.expected_reciprocal_rank,
    "RBP": gains.rank_biased_precision,
    "RBPResidual": gains.rbp_residual,
    "G": gains.g_measure,
    "Bpref": judgements.binary_preference,
    "infAP": judgements.inferred_average_precision,
    "Judged": judgements.judged_share,
    "binG": judgements.binary_g,
}


def value(
    name: str, ranked: Ranked, judged: Grades, *, highest: int = 0, condensed: bool = False, **parameters: Any
) -> Value:
    """One oracle's number; `highest` is the greatest grade of the collection, ERR's default scale."""
    if condensed:
        ranked = judged_only(ranked, judged)
    if name == "ERR" and parameters.get("max") is None:
        parameters["max"] = max(highest, 1)
    return ORACLES[name](ranked, judged, **parameters)
