"""Every class of result has all forms.

The older tests went through a list of results made by hand, in which posteriors, ranges of null
distributions, bounds and `f_versus_break_even` were not. Here they are whatever public functions
say that they return.
"""

from __future__ import annotations

import ast
import importlib
import inspect
import pkgutil
import re
import sys
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

import precall as pc
from precall.core.notes import Note
from precall.results.sheets import Presented

#: What public functions return and nobody asks forms of: inputs and steps of the calculation, and
#: parts of results.
NO_RESULTS = {
    "Qrels",
    "Run",
    "ScoredCases",
    "Blocks",
    "Located",
    "Subtopics",
    "Hits",
    "Counts",  # data, read or on the way
    "Measure",  # what is computed, not what came out
    "Display",  # a picture; its form is a file
    "Means",
    "NextLabel",  # an item to judge
    "NextCase",  # a case to label
    "Standing",  # a part of a verdict
    "Accuracy",
    "Paper",
    "Notes",
    "Note",  # parts of a Report, of a NullDistribution and of a Sheet, told with it
}


def ours() -> dict[str, type]:
    """Public classes of the package by module and name."""
    modules = [
        importlib.import_module(found.name)
        for found in pkgutil.walk_packages(pc.__path__, "precall.")
        if not found.name.endswith("__main__")
        and not found.name.startswith(("precall.cli", "precall.spark", "precall.torch"))
    ]
    return {
        f"{value.__module__}.{name}": value
        for module in modules
        for name, value in vars(module).items()
        if inspect.isclass(value) and value.__module__.startswith("precall.")
    }


@cache
def for_checkers(module: str) -> dict[str, str]:
    """Name → module of what a module imports for type checkers only."""
    tree = ast.parse(inspect.getsource(sys.modules[module]))
    tests = [
        node
        for node in tree.body
        if isinstance(node, ast.If) and "TYPE_CHECKING" in ast.unparse(node.test)
    ]
    imports = [line for test in tests for line in test.body if isinstance(line, ast.ImportFrom)]
    return {name.asname or name.name: str(line.module) for line in imports for name in line.names}


def meant(name: str, function: Any) -> Any:
    """What a name in the annotations of a function means: as its module has it, or as type checkers
    have it.
    """
    home = for_checkers(function.__module__).get(name, "")
    ours = home.startswith("precall")
    return (
        getattr(importlib.import_module(home), name, None)
        if ours
        else function.__globals__.get(name)
    )


def functions(owner: Any, seen: dict[int, Any]) -> Iterator[Any]:
    """All public functions and methods that can be reached from the front page; what was seen is
    kept: ids return.
    """
    if id(owner) in seen:
        return
    seen[id(owner)] = owner
    if inspect.isroutine(owner):
        yield owner
        return
    if isinstance(owner, property):
        yield owner.fget
        return
    if callable(owner) and not inspect.isclass(owner):
        yield type(owner).__call__
    module = owner if isinstance(owner, ModuleType) else None
    for name in getattr(owner, "__all__", None) or dir(owner):
        value = getattr(owner, name) if module else inspect.getattr_static(owner, name, None)
        value = getattr(value, "__func__", value)
        known = getattr(value, "__module__", getattr(value, "__name__", None)) or ""
        if module and known != owner.__name__ and not hasattr(owner, "__all__"):
            continue
        if not name.startswith("_") and (
            isinstance(value, property) or str(known).startswith("precall")
        ):
            yield from functions(value, seen)


def returned() -> set[type]:
    """The classes that public functions return, and those that the methods of these return."""
    classes, waiting, found, seen = (
        set(ours().values()),
        [pc, pc.compare.bayes, pc.compare.power],
        set(),
        {},
    )
    while waiting:
        for function in functions(waiting.pop(), seen):
            bare = inspect.unwrap(function)
            for name in re.findall(
                r"[A-Za-z]\w+", str(getattr(bare, "__annotations__", {}).get("return", ""))
            ):
                kind = meant(name, bare)
                if inspect.isclass(kind) and kind in classes - found:
                    found.add(kind)
                    waiting.append(kind)
    return found


def test_every_result_has_every_form() -> None:
    results = returned()
    assert {
        pc.Report,
        pc.Curve,
        pc.Interval,
        pc.compare.bayes.Posterior,
        pc.compare.bayes.ThreeWay,
    } <= results
    # Which kinds of notes are found depends on the modules that are loaded.
    others = {kind for kind in results if not issubclass(kind, Presented)}
    others -= {kind for kind in others if issubclass(kind, Note) and kind is not Note}
    assert {kind.__name__ for kind in others} == NO_RESULTS


def test_tuples_stay_tuples() -> None:
    bounds = pc.Bounds(0.25, 0.5, 0.75)
    assert (
        bounds == (0.25, 0.5, 0.75)
        and repr(bounds) == "Bounds(lower=0.25, estimate=0.5, upper=0.75)"
    )
    assert bounds.to_dict()["upper"] == 0.75 and bounds.to_csv().endswith("upper,0.75,\n")


def test_a_posterior_tells_its_quantiles() -> None:
    posterior = pc.compare.bayes.precision(8, 2)
    told = posterior.to_dict()["statistics"]
    assert (told["2.5 %"], told["97.5 %"]) == pytest.approx(
        posterior.interval(), abs=1e-12
    ) and told["mean"] == posterior.mean


def test_every_sheet_is_registered() -> None:
    """The sheet of `LabelBounds` could be taken off the list, and no test failed: a result without
    a sheet becomes one table of its fields.
    """
    home = Path(pc.__file__).parent
    codes = {path: path.read_text(encoding="utf-8") for path in home.rglob("*.py")}
    registered = set(re.findall(r':(\w+_sheet)",$', codes[home / "__init__.py"], re.MULTILINE))
    assert len(registered) > 30
    made = {
        name
        for path, code in codes.items()
        if not {"cli", "results"} & set(path.relative_to(home).parts)
        for name in re.findall(r"^def ([a-z]\w*_sheet)\(\s*\w+: [A-Z]\w+[,)]", code, re.MULTILINE)
    }
    assert made == registered
