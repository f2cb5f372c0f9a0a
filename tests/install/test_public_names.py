"""The public names, by name: adding or losing one is a decision."""

from __future__ import annotations

import importlib
import pkgutil
from pathlib import Path

import precall
from tests.install import public_names, public_text

STORED = Path(__file__).parents[1] / "data" / "public-names.txt"

NAMES = {
    "Bounds",
    "Comparison",
    "Comparisons",
    "Curve",
    "DataError",
    "Decisions",
    "Example",
    "Hits",
    "Interval",
    "KernelMissing",
    "Located",
    "Measure",
    "MeasureError",
    "MissingExtra",
    "NoCommonTopic",
    "OperatingPoint",
    "PrecallError",
    "PrecallWarning",
    "Qrels",
    "Ranking",
    "Report",
    "Run",
    "ScannedCases",
    "ScoredCases",
    "ScoredCategories",
    "Status",
    "Subtopics",
    "Thresholds",
    "TiesUnresolved",
    "UsageError",
    "__version__",
    "about",
    "area_under_roc",
    "average_precision",
    "categorize",
    "compare",
    "curve",
    "decisions",
    "detections",
    "evaluate",
    "extremes",
    "f_versus_break_even",
    "interval",
    "judge",
    "locate",
    "locate_subtopics",
    "measure",
    "null",
    "ranking",
    "read_lists",
    "read_qrels",
    "read_run",
    "read_thresholds",
    "report",
}


def test_names() -> None:
    assert set(precall.__all__) == set(dir(precall)) == NAMES
    assert all(getattr(precall, name) is not None for name in NAMES)


def test_every_public_name_and_its_parameters_are_as_stored() -> None:
    stored, there = STORED.read_text(encoding="utf-8").splitlines(), public_text.lines()
    lost, new = (
        [line for line in stored if line not in there],
        [line for line in there if line not in stored],
    )
    assert (lost, new) == ([], []), (
        "renew it: python -m tests.install.public_text > tests/data/public-names.txt"
    )
    assert stored == there


def test_no_module_is_named_like_a_public_name() -> None:
    assert not NAMES & {found.name for found in pkgutil.iter_modules(precall.__path__)}


def test_functions_and_errors_have_prose() -> None:
    for name in NAMES - {"__version__"}:
        assert getattr(precall, name).__doc__, name


def test_the_example_a_type_checker_reads_also_runs(tmp_path: Path) -> None:
    assert public_names.steps() == public_names.together() == 0.75
    assert public_names.scored() == 1.0 and public_names.decided() == 0.5
    assert public_names.compared() == 1.0
    assert public_names.gated(tmp_path / "base.json")
    assert public_names.worth() > 1  # around .75
    assert public_names.chance() == 1 / 36
    assert public_names.shown(tmp_path / "page.html").exists()
    assert len(public_names.errors()) == 9
    assert public_names.version()[0] == importlib.import_module("precall.version").__version__
