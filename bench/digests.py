"""Digests of the numbers that public functions and commands give, so that a change of form can show
that none of them moved.

Every call that an example of a docstring makes of a public function, and some commands over the
data of the tests, has one digest: SHA-256 of the numbers in its result, in order. Names, notes,
methods, seeds and texts are not in it. `python bench/digests.py > FILE` writes them,
`python bench/digests.py --against FILE` names those that differ.
"""

from __future__ import annotations

import argparse
import contextlib
import csv
import dataclasses
import doctest
import hashlib
import importlib
import inspect
import io
import json
import os
import pkgutil
import re
import struct
import sys
import tempfile
import warnings
from collections import Counter
from collections.abc import Iterator, Mapping
from pathlib import Path
from types import CodeType, FrameType
from typing import Any

import numpy as np

import precall
from precall.cli.main import run

DATA = Path(__file__).resolve().parents[1] / "tests" / "data"
DIGITS = Path(__file__).resolve().parents[1] / "examples" / "digits"
#: What is said of numbers, not a number; and what differs from machine to machine.
NOT_NUMBERS = {
    "notes",
    "said",
    "method",
    "how",
    "assumptions",
    "conventions",
    "seed",
    "interval_resamples",
    "format",
    "precall",
    "version",
    "software",
    "kernel",
    "created",
    "date",
    "warnings",
}
#: What needs another library or machine, and what starts a program.
LEFT_OUT = ("spark", "torch", "pytest_plugin", "cli", "native", "__main__")
#: A result that holds more numbers than this is cut.
MOST = 200_000


def numbers(value: Any, depth: int = 0) -> Iterator[float]:
    """Every number in a result, in order: of its JSON where it has one, else of its fields, items
    and cells.
    """
    if depth > 12 or value is None or isinstance(value, str | bytes | type):
        return
    if isinstance(value, bool | int | float | np.number | np.bool_):
        yield float(value) if abs(value) < 2**1023 else float("inf")
    elif isinstance(value, np.ndarray):
        if value.dtype.kind in "biuf":
            yield from value.ravel()[:MOST].astype(np.float64).tolist()
        elif value.dtype == object:
            for item in value.ravel()[:MOST]:
                yield from numbers(item, depth + 1)
    elif isinstance(value, Mapping):
        for name, item in value.items():
            if name not in NOT_NUMBERS:
                yield from numbers(item, depth + 1)
    elif isinstance(value, list | tuple | set | frozenset) and not hasattr(value, "_fields"):
        for item in sorted(value, key=repr) if isinstance(value, set | frozenset) else value:
            yield from numbers(item, depth + 1)
    elif callable(getattr(value, "to_json", None)):
        yield from numbers(json.loads(value.to_json()), depth + 1)
    elif callable(getattr(value, "to_dict", None)):
        yield from numbers(value.to_dict(), depth + 1)
    elif hasattr(value, "_fields"):
        yield from numbers(dict(zip(value._fields, value, strict=True)), depth + 1)
    elif dataclasses.is_dataclass(value):
        fields = {field.name: getattr(value, field.name) for field in dataclasses.fields(value)}
        yield from numbers(
            {name: item for name, item in fields.items() if not name.startswith("_")}, depth + 1
        )


def digest(value: Any) -> tuple[str, int]:
    """SHA-256 of the numbers of a result, every NaN alike and no minus before a zero; and how many
    there are.
    """
    found = [
        0.0 if number == 0 else float("nan") if number != number else number
        for number in numbers(value)
    ]
    return hashlib.sha256(struct.pack(f"<{len(found)}d", *found)).hexdigest(), len(found)


def public_names() -> dict[str, Any]:
    """What users import, by its dotted name: functions, namespaces that are called, and methods of
    both and of classes.
    """
    names = {}
    for line in (DATA / "public-names.txt").read_text(encoding="utf-8").splitlines():
        path = re.split(r"[(: ]", line)[0].removeprefix("precall.")
        owner: Any = precall
        for part in path.split("."):
            static = inspect.getattr_static(owner, part, None)
            owner = (
                static
                if isinstance(static, property | classmethod | staticmethod)
                else getattr(owner, part, None)
            )
            owner = owner.__func__ if isinstance(owner, classmethod | staticmethod) else owner
        if owner is not None and path.partition(".")[0] not in LEFT_OUT:
            names[path] = owner
    return names


def codes() -> dict[CodeType, str]:
    """The code that runs when a public name is called, or read."""
    found: dict[CodeType, str] = {}
    for name, value in public_names().items():
        value = value.fget if isinstance(value, property) else value
        if not inspect.isroutine(value):
            value = type(value).__dict__.get("__call__")
        code = getattr(inspect.unwrap(value), "__code__", None) if value is not None else None
        if code is not None:
            found.setdefault(code, name)
    return found


def of_examples() -> Iterator[tuple[str, Any]]:
    """Every call of a public function in the examples of docstrings, with what it gave: NAME,
    NAME #2, ...
    """
    known, calls, seen = codes(), [], {}  # type: ignore[var-annotated]

    def see(frame: FrameType, event: str, result: Any) -> None:
        if event != "return" or frame.f_code not in known:
            return
        caller = frame.f_back
        while caller is not None and caller.f_code not in known:
            if caller.f_code.co_filename.startswith("<doctest"):
                calls.append((known[frame.f_code], result))
                return
            caller = caller.f_back

    modules = [found.name for found in pkgutil.walk_packages(precall.__path__, "precall.")]
    for module in ("precall", *sorted(modules)):
        if module.removeprefix("precall.").partition(".")[0] in LEFT_OUT:
            continue
        for test in doctest.DocTestFinder().find(importlib.import_module(module)):
            runner = doctest.DocTestRunner(
                optionflags=doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE
            )
            sys.setprofile(see)
            try:
                runner.run(test, out=lambda _: None)
            finally:
                sys.setprofile(None)
    for name, result in sorted(calls, key=lambda call: call[0]):
        seen[name] = seen.get(name, 0) + 1
        yield name if seen[name] == 1 else f"{name} #{seen[name]}", result


#: Commands over the data of the tests; {data} and {digits} are folders, {cases} and {decided}
#: tables made here.
COMMANDS = """
eval {digits}/digits.qrels {digits}/components.run {digits}/pixels.run
eval {digits}/digits.qrels {digits}/components.run {digits}/pixels.run -m AP -m P@5 -m nDCG@10 -q
eval {digits}/digits.qrels {digits}/components.run -m AP -m RR --interval bca
eval {digits}/digits.qrels {digits}/components.run -m AP -m RR --topics qrels --ties expected
eval {digits}/digits.qrels {digits}/pixels.run -m GMAP -m bpref -m infAP -m RBP(p=.8) -q
compare {digits}/digits.qrels {digits}/components.run {digits}/pixels.run -m AP -m nDCG@10
compare {digits}/digits.qrels {digits}/profiles.run {digits}/components.run {digits}/pixels.run -m AP -m P@10 --correction tukey
compare {digits}/digits.qrels {digits}/profiles.run {digits}/components.run {digits}/pixels.run -m AP --test t --baseline pixels
compare {digits}/digits.qrels {digits}/components.run {digits}/pixels.run -m AP --test bootstrap
compare {digits}/digits.qrels {digits}/components.run {digits}/pixels.run -m AP --test wilcoxon
compare {digits}/digits.qrels {digits}/components.run {digits}/pixels.run -m AP --test sign
curve {cases} --label y --score s
curve {cases} --label y --score s --interval bca
curve {cases} --label y --score s --score t --at recall=.8 --at max=MCC --at cost=fp:1,fn:20
curve {cases} --label y --score s --weight w
curve {cases} --label y --score s --group g
curve {cases} --label y --score s --lower-is-better --at threshold=.5
curve {cases} --label y --score s -m AP -m AUC -m EF@10% -m BEDROC
curve {cases} --label y --score s --memory 200M
curve {cases} --label y --score s --points
curve {cases} --label y --compare s t
compare --cases {cases} --truth y --a s --b t -m AP
compare --cases {cases} --truth y --a s --b t -m AUC
compare --cases {cases} --truth y --a s --b t -m AP --groups g
decisions {decided} --truth y --predicted a --baselines
decisions {decided} --truth y --predicted a --confusion
compare --decisions {decided} --truth y --a a --b b -m F1 --interval
compare --decisions {decided} --truth y --a a --b b -m Accuracy -m MCC
null --items 100 --relevant 10 --ap .4 --recall --at 10
null --items 200 --relevant 20 --rprec --auc .62 --ndcg
power --difference 0.02 --deviation 0.1
power --topics 50 --deviation 0.1
power --only-a 0.15 --only-b 0.05
power {digits}/digits.qrels {digits}/components.run {digits}/pixels.run -m AP --difference 0.02
report {digits}/digits.qrels {digits}/components.run {digits}/pixels.run -m AP -m P@5 -o {page}
report --from {page}
report --cases {cases} --label y --score s --score t -o {page}
report --from {page}
""".strip().splitlines()  # noqa: E501


def tables(folder: Path) -> dict[str, str]:
    """Files that commands read, made of a fixed seed."""
    rng = np.random.default_rng(5)
    size = 600
    label = rng.random(size) < 0.2
    s, t = (np.round(rng.normal(size=size) + shift * label, 2) for shift in (1.2, 0.9))
    cases, decided = folder / "cases.csv", folder / "decided.csv"
    with cases.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(["y", "s", "t", "w", "g"])
        weight, group = rng.integers(1, 4, size), rng.integers(0, 30, size)
        writer.writerows(zip(label.astype(int), s, t, weight, group, strict=True))
    with decided.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(["y", "a", "b"])
        writer.writerows(
            zip(*((column > 0.8).astype(int) for column in (label, s, t)), strict=True)
        )
    return {
        "cases": str(cases),
        "decided": str(decided),
        "data": str(DATA),
        "digits": str(DIGITS),
        "page": str(folder / "page.html"),
    }


def of_commands() -> Iterator[tuple[str, Any]]:
    """Each command's JSON."""
    before = ""
    with tempfile.TemporaryDirectory() as name:
        places = tables(Path(name))
        for line in COMMANDS:
            words = [word.format_map(places) for word in line.split()]
            out, err = io.StringIO(), io.StringIO()
            is_page = "{page}" in line and "--from" not in line
            with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
                code = run(words if is_page else [*words, "--format", "json"])
            assert code == 0, f"{line}: {err.getvalue()}"
            if not is_page:
                title = f"{before} | {line}" if "--from" in line else line
                yield f"precall {title}", json.loads(out.getvalue())
            before = line


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument(
        "--against", metavar="FILE", help="digests to compare with; those that differ are named"
    )
    asked = parser.parse_args()
    os.environ["SOURCE_DATE_EPOCH"] = "0"
    with warnings.catch_warnings(), contextlib.redirect_stdout(sys.stderr):
        warnings.simplefilter("ignore")
        home = Path.cwd()
        with tempfile.TemporaryDirectory() as name:
            os.chdir(name)
            found = {name: digest(value) for name, value in (*of_examples(), *of_commands())}
            os.chdir(home)
    lines = {name: f"{digest} {count}" for name, (digest, count) in found.items() if count}
    if asked.against is None:
        print(json.dumps(lines, indent=0))
        return 0
    before = json.loads(Path(asked.against).read_text(encoding="utf-8"))
    lost, new = (
        _by_function(before) - _by_function(lines),
        _by_function(lines) - _by_function(before),
    )
    for function, value in sorted(lost.elements()):
        print(f"{function}: no call gives {value} any more")
    for function, value in sorted(new.elements()):
        print(f"{function}: new {value}")
    print(f"{len(lines)} digests, {lost.total()} lost, {new.total()} new")
    return bool(lost)


def _by_function(lines: Mapping[str, str]) -> Counter[tuple[str, str]]:
    """Digests without the numbers of the calls: an example more changes the numbers of those behind
    it.
    """
    return Counter((name.partition(" #")[0], value) for name, value in lines.items())


if __name__ == "__main__":
    sys.exit(main())
