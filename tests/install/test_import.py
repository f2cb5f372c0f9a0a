"""What `import precall` costs and what it drags in."""

from __future__ import annotations

import json
import subprocess
import sys
from functools import partial

import pytest

from tests.processor import leasts, of_command

HEAVY = {
    "scipy",
    "pandas",
    "polars",
    "pyarrow",
    "duckdb",
    "matplotlib",
    "sklearn",
    "statsmodels",
    "narwhals",
    "jinja2",
    "rich",
}
#: What every name of the front page needs, beyond which `import precall` is lazy.
EVERYTHING = "import precall\nfor name in precall.__all__: getattr(precall, name)\n"
#: The same but for intervals, comparisons and laws, which are many modules and wait until they are
#: asked for.
MEASURING = (
    "import precall\nfor name in precall.__all__:\n"
    "    if name not in {'compare', 'Comparison', 'Comparisons', 'interval', 'Interval', 'judge', "
    "'extremes', 'null'}: "
    "getattr(precall, name)\n"
)


def loaded(code: str) -> set[str]:
    report = (
        "\nimport sys, json; print(json.dumps([name.partition('.')[0] for name in sys.modules]))"
    )
    done = subprocess.run(
        [sys.executable, "-W", "error", "-c", code + report], capture_output=True, check=True
    )
    return set(json.loads(done.stdout.splitlines()[-1]))


@pytest.mark.nightly
def test_import_is_silent() -> None:
    done = subprocess.run(
        [sys.executable, "-W", "error", "-c", EVERYTHING],
        capture_output=True,
        text=True,
        check=True,
    )
    assert (done.stdout, done.stderr) == ("", "")


@pytest.mark.nightly
def test_import_loads_nothing_heavy() -> None:
    assert not loaded(EVERYTHING) & HEAVY
    assert "numpy" not in loaded("import precall")


@pytest.mark.nightly
def test_evaluating_dicts_loads_nothing_heavy() -> None:
    code = "import precall\nprecall.evaluate({'q': {'a': 1}}, {'q': {'a': 1.0}}, ['AP', 'nDCG@10'])"
    assert not loaded(code) & HEAVY


@pytest.mark.nightly
def test_means_without_intervals_draw_nothing() -> None:
    # An alias of types imported what draws numbers, a tenth of the start.
    code = (
        "import precall\nprecall.evaluate({'q': {'a': 1}}, {'q': {'a': 1.0}}, ['AP', 'nDCG@10'])\n"
        "import sys; assert 'numpy.random' not in sys.modules"
    )
    assert "numpy" in loaded(code)


@pytest.mark.nightly
@pytest.mark.parametrize(
    "code", ["import numpy, precall", "import numpy\n" + MEASURING], ids=["lazy", "measuring"]
)
def test_import_takes_60_ms_above_numpy(code: str) -> None:
    # A slow machine gets a limit by its NumPy, which takes some 0.06 s where the 60 ms were set.
    # Where NumPy takes .086 s, the dearest of ours takes .088 s, and on another day .100 beside
    # .085; in turns, two versions a day apart take the same. A limit of NumPy's very time was one
    # of luck, and so was 1.15 times it.
    def short(numpy: float, ours: float) -> bool:
        return ours - numpy <= max(0.060, 1.3 * numpy)

    alone, with_ours = (
        partial(of_command, [sys.executable, "-c", text]) for text in ("import numpy", code)
    )
    numpy, ours = leasts(alone, with_ours, short)
    assert short(numpy, ours), f"numpy {numpy:.3f} s, with precall {ours:.3f} s"
