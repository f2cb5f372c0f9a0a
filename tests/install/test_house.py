"""House rules that a program can check."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

import precall

ROOT = Path(__file__).resolve().parents[2]
PACKAGE = ROOT / "src" if (ROOT / "src").is_dir() else Path(precall.__file__).parent
FILES = sorted(
    path
    for folder in (PACKAGE, *(ROOT / name for name in ("tests", "bench", "examples")))
    for path in folder.rglob("*")
    if path.suffix in (".py", ".cpp", ".hpp", ".sh") and "data" not in path.relative_to(folder).parts
)
PYTHON = [path for path in FILES if path.suffix == ".py"]
NOT_NAMES = {"utils", "util", "helpers", "helper", "common", "base", "misc"}
# With brackets, or this file would find itself.
UNFINISHED = re.compile("TO[D]O|FIX[M]E|X[X]X|NotImplemented[E]rror")


def short(path: Path) -> str:
    return str(path.relative_to(ROOT if path.is_relative_to(ROOT) else PACKAGE))


def functions(path: Path) -> Iterator[tuple[str, int]]:
    """Name and length of each function, its docstring not counted."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            first = node.body[0]
            prose = isinstance(first, ast.Expr) and isinstance(first.value, ast.Constant)
            assert node.end_lineno is not None and first.end_lineno is not None
            yield node.name, node.end_lineno - node.lineno + 1 - prose * (first.end_lineno - first.lineno + 1)


@pytest.mark.parametrize("path", FILES, ids=short)
def test_file(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    assert text.count("\n") < 400
    assert not UNFINISHED.findall(text)
    assert path.stem not in NOT_NAMES


@pytest.mark.parametrize("path", PYTHON, ids=short)
def test_functions_are_short(path: Path) -> None:
    assert not [(name, length) for name, length in functions(path) if length >= 40]


@pytest.mark.parametrize("path", [path for path in PYTHON if PACKAGE in path.parents], ids=short)
def test_modules_begin_with_prose(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    tree = ast.parse(text)
    assert ast.get_docstring(tree) or not text.strip()
    if any(isinstance(node, ast.FunctionDef) for node in ast.walk(tree)):
        assert "from __future__ import annotations" in text


#: Names of files that stand for one thing in each folder that has them.
SHARED_NAMES = {
    "__init__": "what a package is",
    "areas": "areas under curves: measured, given intervals",
    "catalogue": "the list of measures and their explanations: as texts, as commands",
    "cases": "scored cases: read, checked, given intervals",
    "categories": "scores and decisions of several categories: as a sheet, as a command",
    "comparisons": "comparisons of systems: the results, their sheet",
    "confusion": "confusion matrices: of decisions, their sheet, their picture, under scikit-learn's names",
    "counts": "tp, fp, fn, tn: the table, the measures of it",
    "curves": "curves of scored cases: their sheet, their pictures",
    "distribution": "a null distribution: what each has, its picture",
    "operating_points": "operating points as a table: its columns, its sheet",
    "power": "the power of comparisons: computed, asked for by a command",
    "ranked_items": "one ranking of ids: measured, its sheet, its command",
    "scored": "scored cases of several scores: on the page, their intervals",
    "thresholds": "thresholds of scores: what was learned, the picture of measures along them",
    "views": "views of a curve: their tables, what is drawn of them, their pictures",
    "systems": "several systems beside each other: on the page, as a picture",
}


def test_a_file_name_means_one_thing() -> None:
    places: dict[str, list[str]] = {}
    for path in PYTHON:
        if PACKAGE in path.parents:
            places.setdefault(path.stem, []).append(short(path))
    several = {name: found for name, found in places.items() if len(found) > 1}
    assert not {name: found for name, found in several.items() if name not in SHARED_NAMES}
