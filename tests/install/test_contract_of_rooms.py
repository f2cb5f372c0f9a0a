"""The contract of rooms: it holds, and an import that goes up breaks it, wherever in a module it
stands. `make layers` runs this; the linter is of the tools for that, which `make test` lacks.
"""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

pytest.importorskip("importlinter", reason="of `make lint`")

ROOT = Path(__file__).parents[2]
UPWARDS = {
    "at the top": ("core/text.py", "import precall.page\n"),
    "in a function": ("stats/quantiles.py", "\n\ndef f():\n    from precall.cases import curve\n"),
    "between two verbs": ("evaluation/api.py", "\n\ndef f():\n    import precall.intervals\n"),
    "a room of no layer": ("attic/__init__.py", "import precall.core.text\n"),
    "a leaf": ("plot/files.py", "\n\ndef f():\n    import precall.testing\n"),
    "a leaf of another": ("page/axes.py", "\n\ndef f():\n    import precall.compat\n"),
}


def lint(root: Path) -> subprocess.CompletedProcess[str]:
    code = "from importlinter.cli import lint_imports_command as main; main()"
    return subprocess.run(
        [sys.executable, "-c", code, "--no-cache"],
        cwd=root,
        env={"PYTHONPATH": "src", "PYTHONDONTWRITEBYTECODE": "1"},
        capture_output=True,
        text=True,
        check=False,
    )


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    shutil.copy(ROOT / "pyproject.toml", tmp_path)
    shutil.copytree(ROOT / "src", tmp_path / "src", ignore=shutil.ignore_patterns("*.pyc", "*.?pp"))
    return tmp_path


def test_it_holds(checkout: Path) -> None:
    done = lint(checkout)
    assert done.returncode == 0, done.stdout
    assert "1 kept, 0 broken" in done.stdout


@pytest.mark.nightly(keep=1)
@pytest.mark.parametrize("case", UPWARDS)
def test_an_import_upwards_breaks_it(case: str, checkout: Path) -> None:
    name, line = UPWARDS[case]
    module = checkout / "src/precall" / name
    module.parent.mkdir(exist_ok=True)
    module.write_text((module.read_text() if module.exists() else "") + line)
    done = lint(checkout)
    assert done.returncode == 1, done.stdout
    assert name.partition("/")[0] in done.stdout
