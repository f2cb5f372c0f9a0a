"""scikit-learn's own tests of the names that `precall.compat.sklearn` has, run against ours.

    python -m tests.parity.sklearn_suite

puts our functions and displays in the place of scikit-learn's while its test modules are imported,
runs them, and compares the tests that do not pass with `sklearn-1.9.1.txt`, which names each of
them with a reason; docs/why/verification.md tells how many there are. Tests that never call
anything of ours are not counted.
"""

from __future__ import annotations

import functools
import inspect
import json
import os
import subprocess
import sys
import tempfile
from collections import Counter
from pathlib import Path
from typing import Any

MODULES = (
    "tests.test_classification",
    "tests.test_ranking",
    "tests.test_common",
    "_plot.tests.test_common_curve_display",
    "_plot.tests.test_precision_recall_display",
    "_plot.tests.test_roc_curve_display",
    "_plot.tests.test_det_curve_display",
    "_plot.tests.test_confusion_matrix_display",
)
#: Tests that do not pass, a reason before those that share it.
KNOWN = Path(__file__).parent / "sklearn-1.9.1.txt"
_RESULTS = "PRECALL_SKLEARN_RESULTS"


class Substitution:
    """Ours for theirs while tests are collected; and which tests call them."""

    def __init__(self, results: str) -> None:
        self.results = results
        self.theirs: dict[str, Any] = {}
        self.called = False
        self.outcomes: dict[str, str] = {}

    def begin(self) -> None:
        """Put ours in their place."""
        import sklearn.metrics

        from precall.compat import sklearn as ours

        for name in ours.__all__:
            if hasattr(sklearn.metrics, name):
                self.theirs[name] = getattr(sklearn.metrics, name)
                setattr(sklearn.metrics, name, self._noted(getattr(ours, name)))

    def _noted(self, ours: Any) -> Any:
        if inspect.isclass(ours):
            return ours

        @functools.wraps(ours)
        def noted(*args: Any, **options: Any) -> Any:
            self.called = True
            return ours(*args, **options)

        return noted

    def pytest_collection_finish(self) -> None:
        """Estimators call scikit-learn's own again."""
        import sklearn.metrics

        for name, function in self.theirs.items():
            setattr(sklearn.metrics, name, function)

    def pytest_runtest_setup(self, item: Any) -> None:
        self.called = False

    def pytest_runtest_logreport(self, report: Any) -> None:
        # Pictures are no functions, so tests of them tell by their names.
        name = report.nodeid.rpartition("sklearn/metrics/")[2]
        pictures = "_display.py" in name and "_common_" not in name
        common = any(display in name for display in self.theirs if display.endswith("Display"))
        if (self.called or pictures or common) and (report.when == "call" or report.failed):
            self.outcomes[name] = report.outcome

    def pytest_sessionfinish(self) -> None:
        Path(self.results).write_text(json.dumps(self.outcomes), encoding="utf-8")


def pytest_configure(config: Any) -> None:
    """Of the tests' own process, where this module is a plugin."""
    if results := os.environ.get(_RESULTS):
        substitution = Substitution(results)
        substitution.begin()
        config.pluginmanager.register(substitution)


def outcomes(modules: tuple[str, ...] = MODULES, *more: str) -> dict[str, str]:
    """Test → "passed", "failed" or "skipped"."""
    with tempfile.TemporaryDirectory() as folder:
        place = Path(folder) / "results.json"
        command = [
            sys.executable,
            "-m",
            "pytest",
            "-q",
            "-p",
            "tests.parity.sklearn_suite",
            "-p",
            "no:cacheprovider",
        ]
        # None of our own settings: warnings are no errors there.
        command += [
            "-c",
            os.devnull,
            "--tb=line",
            "--pyargs",
            *(f"sklearn.metrics.{name}" for name in modules),
            *more,
        ]
        environment = os.environ | {_RESULTS: str(place), "MPLBACKEND": "agg"}
        done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
        if not place.exists():
            raise RuntimeError(done.stdout[-3000:] + done.stderr[-3000:])
        found: dict[str, str] = json.loads(place.read_text(encoding="utf-8"))
        return found


def known() -> dict[str, str]:
    """Test that does not pass → the reason."""
    reason, tests = "", {}
    for line in KNOWN.read_text(encoding="utf-8").splitlines() if KNOWN.exists() else ():
        if line.startswith("# "):
            reason = line[2:]
        elif line:
            tests[line] = reason
    return tests


def main() -> int:
    """Run them, and say which do not pass."""
    found, documented = outcomes(), known()
    failed = {name for name, outcome in found.items() if outcome == "failed"}
    counts = Counter(found.values())
    print(  # noqa: T201
        f"{counts['passed']} passed, {len(failed & set(documented))} documented, "
        f"{len(failed - set(documented))} failed, {counts['skipped']} skipped"
    )
    for name in sorted(failed - set(documented)):
        print("failed:", name)  # noqa: T201
    for name in sorted(set(documented) - failed):
        print("passes, but is listed:", name)  # noqa: T201
    return int(failed != set(documented))


if __name__ == "__main__":
    sys.exit(main())
