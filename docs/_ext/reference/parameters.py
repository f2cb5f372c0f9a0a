"""What parameters mean that many functions share: as of another function, or as `parameters.ini`
says.
"""

from __future__ import annotations

from configparser import ConfigParser
from fnmatch import fnmatchcase
from functools import cache
from pathlib import Path

from .docstrings import Item

#: Functions whose parameters are those of others; what those lack is in `parameters.ini`.
LIKE = {
    "*.count": "",  # of tuples
    "*.index": "",
    "average_precision": "curve",
    "area_under_roc": "curve",
    "ScoredCases.add": "curve",
    "plot.*.from_cases": "curve",
    "interval.pr_band": "curve",
    "interval.roc_band": "interval.pr_band curve",
    "interval.net_benefit_band": "interval.net_benefit",
    "interval.precision": "interval.proportion",
    "interval.recall": "interval.proportion",
    "interval.accuracy": "interval.proportion",
    "interval.e": "interval.f",
    "interval.macro_f": "interval.micro_f",
    "compare.bayes.signed_rank": "compare.bayes.decisions",
    "plot.Power.plot": "plot.Coverage.plot plot.PrecisionRecall.plot",
    "plot.PairDifferences.plot": "plot.SystemMeans.plot plot.PrecisionRecall.plot",
    "plot.NullDensity.plot": "plot.PrecisionRecall.plot",
    "plot.NullDensity.*": "plot.NullDensity",
    "plot.*.plot": "plot.PrecisionRecall.plot",
    "Display.plot": "plot.PrecisionRecall.plot",
    "torch.*": "torch.CurveMeasure",
    "compat.sklearn.*": "compat.sklearn",
    "compat.ir_measures.Provider.*calc*": "compat.ir_measures.calc_aggregate",
    "compat.ir_measures.*calc*": "compat.ir_measures.calc_aggregate",
    "compat.ir_measures.*evaluator": "compat.ir_measures.calc_aggregate",
    "Decisions.*": "Decisions.value",
    "ScoredCategories.by_category": "Status.by_category",
    "ScoredCategories.micro": "Status.by_category",
    "Status.by_item": "Status.by_category",
    "Status.micro": "Status.by_category",
    "Curve.*": "Curve.value",
    "null.AveragePrecision": "null.average_precision",
    "null.Locations": "null.average_precision",
    "null.*": "null.hits",
    "Status": "categorize",
}


def sources(owner: str) -> list[str]:
    """The names whose docstrings have the parameters of this one."""
    name = owner.removeprefix("precall.")
    given = LIKE.get(name) or next(
        (there for pattern, there in LIKE.items() if fnmatchcase(name, pattern)), ""
    )
    return [f"precall.{one}" for one in given.split() if one != name]


def shared(owner: str, parameter: str) -> Item:
    """What a parameter means, wherever it stands; nothing where that is said nowhere."""
    return Item(
        (parameter,), tuple(_held("parameters", owner.removeprefix("precall."), parameter)[:1])
    )


def typed_as(owner: str, parameter: str) -> str:
    """The type of a parameter whose annotation says nothing; "" where that is said nowhere."""
    return next(iter(_held("types", owner.removeprefix("precall."), parameter)), "")


def _held(table: str, name: str, parameter: str) -> list[str]:
    held = _table(table)
    patterns = [name] * (name in held) + [pattern for pattern in held if fnmatchcase(name, pattern)]
    return [held[pattern][parameter] for pattern in patterns if parameter in held[pattern]]


def exact(owner: str, parameter: str) -> bool:
    """Whether the parameter of just this name is described."""
    return parameter in _table("parameters").get(owner.removeprefix("precall."), {})


@cache
def _table(name: str) -> dict[str, dict[str, str]]:
    parser = ConfigParser(delimiters=(": ",), comment_prefixes=("#",), interpolation=None)
    parser.optionxform = str  # type: ignore[assignment,method-assign]
    parser.read(Path(__file__).with_name(f"{name}.ini"), encoding="utf-8")
    held: dict[str, dict[str, str]] = {}
    for patterns in parser.sections():
        for pattern in patterns.split():
            held.setdefault(pattern, {}).update(parser[patterns])
    return held
