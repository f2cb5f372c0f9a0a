"""Every class of result has all forms.

The older tests went through a list of results made by hand, in which posteriors, ranges of null distributions, bounds and
`f_versus_break_even` were not. Here they are whatever public functions say that they return.
"""

from __future__ import annotations

import importlib
import inspect
import pkgutil
import re
from collections.abc import Iterator
from types import ModuleType
from typing import Any

import pytest

import precall as pc
from precall.presented import Presented

#: What public functions return and nobody asks forms of: inputs and steps of the calculation, and parts of results.
NO_RESULTS = {
    "Qrels", "Run", "ScoredCases", "Located", "Hits", "Counts",  # data, read or on the way
    "Measure",  # what is computed, not what came out
    "Means", "Accuracy",  # parts of a Report and of a NullDistribution, told with it
}  # fmt: skip


def ours() -> dict[str, type]:
    """Public classes of the package by module and name."""
    modules = [
        importlib.import_module(found.name)
        for found in pkgutil.walk_packages(pc.__path__, "precall.")
        if not found.name.endswith("__main__") and not found.name.startswith(("precall.cli", "precall.torch"))
    ]
    return {
        f"{value.__module__}.{name}": value
        for module in modules
        for name, value in vars(module).items()
        if inspect.isclass(value) and value.__module__.startswith("precall.")
    }


def functions(owner: Any, seen: set[int]) -> Iterator[Any]:
    """All public functions and methods that can be reached from the front page."""
    if id(owner) in seen:
        return
    seen.add(id(owner))
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
        if not name.startswith("_") and (isinstance(value, property) or str(known).startswith("precall")):
            yield from functions(value, seen)


def returned() -> set[type]:
    """The classes that public functions return, and those that the methods of these return."""
    classes, waiting, found, seen = ours(), [pc, pc.compare.bayes, pc.compare.power], set(), set()
    while waiting:
        for function in functions(waiting.pop(), seen):
            bare = inspect.unwrap(function)
            for name in re.findall(
                r"[A-Za-z]\w+", str(getattr(bare, "__annotations__", {}).get("return", ""))
            ):
                # As the module of the function has it, or for type checkers only.
                here = bare.__globals__.get(name)
                kinds = (
                    [here]
                    if here is not None
                    else [kind for path, kind in classes.items() if path.endswith(f".{name}")]
                )
                new = {kind for kind in kinds if kind in classes.values()} - found
                found |= new
                waiting += new
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
    # A name that only type checkers import may be that of several classes; then one is a result.
    have, lack = (
        {kind.__name__ for kind in results if issubclass(kind, Presented) is wanted}
        for wanted in (True, False)
    )
    assert lack - have == NO_RESULTS


def test_tuples_stay_tuples() -> None:
    bounds = pc.Bounds(0.25, 0.5, 0.75)
    assert bounds == (0.25, 0.5, 0.75) and repr(bounds) == "Bounds(lower=0.25, estimate=0.5, upper=0.75)"
    assert bounds.to_dict()["upper"] == 0.75 and bounds.to_csv().endswith("upper,0.75\n")


def test_a_posterior_tells_its_quantiles() -> None:
    posterior = pc.compare.bayes.precision(8, 2)
    told = posterior.to_dict()["statistics"]
    assert (told["2.5 %"], told["97.5 %"]) == pytest.approx(posterior.interval(), abs=1e-12) and told[
        "mean"
    ] == posterior.mean
