"""Every public function with a wrong kind of each argument: what is refused is refused in words,
not by what failed inside.

A call of each function is that of its docstring's examples, seen while they run; then each argument
is replaced in turn.
"""

from __future__ import annotations

import contextlib
import copy
import doctest
import importlib
import inspect
import io
import os
import sys
import warnings
import zlib
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from precall.core.errors import PrecallError
from tests.install.test_docstrings import MODULES, NOT_IMPORTED
from tests.install.test_reference import called

#: What is no argument of most.
WRONG = {
    "3": 3,
    "None": None,
    "text": "x",
    "list": [],
    "object": object(),
    "NaN": float("nan"),
    "-1": -1,
}
#: What fails inside where nobody looked at an argument.
INSIDE = (
    AttributeError,
    TypeError,
    IndexError,
    ZeroDivisionError,
    RecursionError,
    NameError,
    UnboundLocalError,
    KeyError,
)
#: Names of other libraries, whose errors they have; what needs another machine.
ELSEWHERE = (
    "compat.ir_measures",
    "compat.pytrec_eval",
    "compat.sklearn",
    "spark",
    "torch",
    "pytest_plugin",
)
#: What formulas of measures and results are made of: it is called in loops, with what this package
#: made.
PARTS = {
    "Example",
    "Located.select",
    "Located.weighted",
    "Measure.of_path",
    "Measure.of_paths",
    "Measure.of_table",
    "OperatingPoints.columns_of",
    "Table.of_rows",
    "Curve.warn_undefined",
    "Subtopics.measured",
    "Report.bounds",
}


class Call(NamedTuple):
    """A call that an example made."""

    name: str
    value: Any
    arguments: dict[str, Any]
    by_place: int
    rest: tuple[Any, ...]
    named: dict[str, Any]


def _code(entry: Any) -> Any:
    """The code that runs when an entry is called; of a class, how it is made, if it says so
    itself.
    """
    value = type(entry.value).__call__ if entry.kind == "namespace" else entry.value
    if inspect.isclass(value):
        value = vars(value).get("__init__")
        if value is None or (
            "__dataclass_fields__" in vars(entry.value)
            and value.__qualname__.startswith("__create_fn__")
        ):
            return None
    value = inspect.unwrap(value)
    return getattr(getattr(value, "__func__", value), "__code__", None)


@cache
def calls() -> list[Call]:
    """The first call of each public function in an example."""
    entries: dict[Any, Any] = {}
    for entry in called():
        name = entry.name.removeprefix("precall.")
        if (
            not name.startswith(ELSEWHERE)
            and name not in PARTS
            and (code := _code(entry)) is not None
        ):
            entries.setdefault(code, entry)
    seen: dict[Any, Call] = {}

    def see(frame: Any, event: str, _: Any) -> None:
        code = frame.f_code
        if event != "call" or code not in entries or code in seen:
            return
        names = code.co_varnames[: code.co_argcount + code.co_kwonlyargcount]
        more = list(code.co_varnames[len(names) : len(names) + 2])
        rest = frame.f_locals[more.pop(0)] if code.co_flags & inspect.CO_VARARGS else ()
        named = frame.f_locals[more.pop(0)] if code.co_flags & inspect.CO_VARKEYWORDS else {}
        given = {name: _kept(frame.f_locals[name]) for name in names}
        entry = entries[code]
        by_place = code.co_argcount if rest else code.co_posonlyargcount
        seen[code] = Call(entry.name, entry.value, given, by_place, tuple(rest), dict(named))

    for module in (importlib.import_module(name) for name in MODULES if not _is_left_out(name)):
        for test in doctest.DocTestFinder().find(module):
            runner = doctest.DocTestRunner(
                optionflags=doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE
            )
            sys.setprofile(see)
            try:
                runner.run(test, out=lambda _: None)
            finally:
                sys.setprofile(None)
    return sorted(seen.values(), key=lambda call: call.name)


def _is_left_out(module: str) -> bool:
    return module in NOT_IMPORTED or module.removeprefix("precall.").startswith(ELSEWHERE)


def _kept(value: Any) -> Any:
    """A copy of what a call may change or use up."""
    return copy.deepcopy(value) if isinstance(value, list | dict | set) else value


def tried(call: Call) -> Iterator[tuple[str, str, Callable[[], Any]]]:
    """The call with each wrong value in the place of each argument."""
    for name in call.arguments:
        # Of each argument every second, other ones of the next: all of them take a minute.
        begin = zlib.crc32(f"{call.name}.{name}".encode()) % 2
        for label, wrong in list(WRONG.items())[begin :: 2 if "CI" in os.environ else 1]:
            if name not in ("self", "cls"):
                yield name, label, changed_call(call, name, wrong)


def changed_call(call: Call, changed: str, wrong: Any) -> Callable[[], Any]:
    given = {name: _kept(value) for name, value in call.arguments.items()} | {changed: wrong}
    owner = [given.pop("self")] if "self" in given else []
    given.pop("cls", None)
    if (
        inspect.isclass(call.value)
        or hasattr(call.value, "__self__")
        or not inspect.isroutine(call.value)
    ):
        owner = []
    names = list(given)[: max(call.by_place - (len(call.arguments) - len(given)), 0)]
    places = [given.pop(name) for name in names]

    def run() -> Any:
        made = call.value(*owner, *places, *call.rest, **given, **call.named)
        return list(made) if inspect.isgenerator(made) else made

    return run


@pytest.mark.nightly
def test_what_fails_inside(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    failed, tries = [], 0
    with warnings.catch_warnings(), contextlib.redirect_stdout(io.StringIO()):
        warnings.simplefilter("ignore")
        for call in calls():
            for name, label, run in tried(call):
                tries += 1
                try:
                    run()
                except (PrecallError, OSError):
                    pass
                except INSIDE as error:
                    failed.append(f"{call.name}({name}={label}): {type(error).__name__}: {error}")
                except ValueError as error:
                    failed.append(f"{call.name}({name}={label}): {type(error).__name__}: {error}")
    assert failed == [], "\n".join(failed)
    # The examples were seen, and what they call was tried.
    assert len(calls()) > 150 and tries > 1500
