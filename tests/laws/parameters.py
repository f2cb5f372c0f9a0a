"""Which parameters each measure is tried with, and how a name says them."""

from __future__ import annotations

from itertools import product
from typing import Any

from precall.core.errors import MeasureError
from precall.measures import REGISTRY, Declaration
from precall.measures.registry import Parameter
from tests.oracle.declared import COUNTED

Parameters = dict[str, Any]

#: precall's own measures of rankings; those of counts in both of their forms.
OURS = [one for one in REGISTRY.rankings() if one.formula.__module__.startswith("precall.")]


def grid(**choices: tuple[Any, ...]) -> list[Parameters]:
    """Every combination; a choice of None leaves the parameter out."""
    combined = [dict(zip(choices, chosen, strict=True)) for chosen in product(*choices.values())]
    return [{key: value for key, value in one.items() if value is not None} for one in combined]


CUTOFFS = (1, 2, 3, 5, 12)
GRADES = (None, 2, 3)
GAINS = (None, {1: 3.0, 2: 9.0}, {1: 0.25, 2: 0.5, 3: 0.75}, {0: 0.5, 2: 1.0}, {1: 0.5, 3: 4.0})
SHARES = (0.0, 0.1, 0.3, 0.34, 0.5, 0.6, 0.7, 1.0)

#: Forms of measures of counts that every law is tried with.
FORMS = ("P", "R", "F", "E", "Jaccard", "MCC", "SetP", "SetR", "SetF", "SetUtility")

#: Measures that every law is tried with; of the forms of measures of counts some, as all have one
#: formula around them.
SOME = [one for one in OURS if one.name.removeprefix("Set") not in COUNTED or one.name in FORMS]

#: What is tried of parameters whose values nobody chose for one measure; of a choice of words each.
USUAL: dict[str, tuple[Any, ...]] = {
    "cutoff": CUTOFFS,
    "grade": (None, 2),
    "beta": (None, 0.5, 2.0),
    "alpha": (None, 0.0, 0.2, 0.5, 1.0),
    "population": (25, 40),
    "recall": SHARES,
    "max_rel": (1, 2, 4),
}


def usual(declaration: Declaration) -> list[Parameters]:
    """Every combination of usual values; of other parameters their words, or numbers that they
    allow.
    """
    known = {} if declaration.example is None else declaration.example.parameters
    choices = {}
    for name, one in declaration.parameters.items():
        tried = [*([] if one.default is ... else [None]), *([known[name]] if name in known else [])]
        choices[name] = (
            tuple(n for n in USUAL.get(name, ()) if n is None or permitted(one, n))
            or one.domain.words
            or (*tried, *(n for n in (2, 0.5) if allowed(one, n)))
        )
    return [one for one in grid(**choices) if not {"alpha", "beta"} <= one.keys()]


def allowed(parameter: Parameter, value: float) -> bool:
    """A value that is not the default."""
    return permitted(parameter, value) and bool(parameter.read(value, "") != parameter.default)


def permitted(parameter: Parameter, value: float) -> bool:
    try:
        parameter.read(value, "")
    except MeasureError:
        return False
    return True


#: name → the parameters to try, where the usual ones are not enough.
CHOSEN: dict[str, list[Parameters]] = {
    "AUC": [
        *grid(population=(25, 40), grade=(None, 2), method=(None, "step")),
        *grid(population=(25,), max_fpr=(0.1, 0.34, 1.0), mcclish=(None, True)),
    ],
    "AP": grid(cutoff=(None, 1, 3, 12), norm=(None, "min", "found"), grade=(None, 2)),
    "RR": grid(cutoff=(None, *CUTOFFS), grade=GRADES),
    "EF": grid(share=(None, 0.1, 0.5), population=(None, 25, 40), grade=(None, 2)),
    "BEDROC": grid(alpha=(None, 2, 0.5), population=(None, 25, 40), grade=(None, 2)),
    "IPrec": grid(recall=SHARES, grade=(None, 2)),
    "IAP": grid(grade=GRADES),
    "yaap": grid(grade=GRADES),
    "Success": grid(cutoff=(None, *CUTOFFS), grade=GRADES),
    "RelP": grid(cutoff=CUTOFFS, grade=GRADES),
    "Rprec": grid(mult=(None, 0.2, 0.7, 1.5, 2.0), grade=GRADES),
    "SetRelP": grid(grade=GRADES),
    "SetAP": grid(grade=GRADES),
    "NumRet": grid(grade=(None,)),
    "NumRel": grid(grade=GRADES),
    "NumRelRet": grid(grade=GRADES),
    "Compat": grid(p=(None, 0.5), normalize=(None, False)),
    "NumNonrelRet": grid(grade=GRADES),
    "SetUtility": [
        *grid(grade=GRADES),
        {"found": 3.0, "nonrelevant": -2.0},
        {"missed": -1.5, "grade": 2},
        {"found": 0.5, "rejected": 0.25, "population": 40},
        {"nonrelevant": 0.0, "missed": 1.0, "rejected": 1.0, "population": 25},
    ],
    "Utility": [
        *grid(cutoff=CUTOFFS, found=(None, 3.0), nonrelevant=(None, -2.0), missed=(None, -1.5)),
        *grid(cutoff=(2, 12), rejected=(0.25, 1.0), population=(25, 40), grade=(None, 2)),
    ],
    "DCG": grid(cutoff=(None, 1, 3, 12), gain=(None, "exp"), gains=GAINS),
    "nDCG": grid(cutoff=(None, 1, 3, 12), gain=(None, "exp"), gains=GAINS),
    "Q": [
        *grid(cutoff=(None, 1, 3, 12), gain=(None, "exp"), gains=GAINS),
        *grid(cutoff=(None, 3), beta=(0.0, 0.5, 10.0), gains=(None, GAINS[1])),
    ],
    "ERR": grid(cutoff=(None, 1, 3, 12), max=(None, 3, 4)),
    "RBP": grid(cutoff=(None, 1, 3), p=(None, 0.5, 0.95), grade=(None, 2)),
    "RBPResidual": grid(p=(None, 0.5, 0.95)),
    "G": [{}],
    "Bpref": grid(grade=GRADES),
    "infAP": grid(grade=GRADES),
    "Judged": grid(cutoff=(None, *CUTOFFS)),
    "binG": grid(grade=GRADES),
}


#: name of each measure of rankings → the parameters to try.
VARIANTS: dict[str, list[Parameters]] = {
    one.name: CHOSEN.get(one.name) or usual(one) for one in OURS
}


def said(name: str, parameters: Parameters, condensed: bool = False) -> str:
    """The measure's name as a user would type it."""
    inside = [f"{key}={_text(value)}" for key, value in parameters.items() if key != "cutoff"]
    inside += ["judged_only=true"] if condensed else []
    at = f"@{parameters['cutoff']}" if "cutoff" in parameters else ""
    return name + (f"({','.join(inside)})" if inside else "") + at


def _text(value: Any) -> str:
    if isinstance(value, dict):
        return "{" + ",".join(f"{key}:{one}" for key, one in value.items()) + "}"
    return str(value).lower() if isinstance(value, bool) else str(value)
