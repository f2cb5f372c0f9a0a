"""Student's t of many degrees of freedom is computed here, so that large lists do not wait for SciPy's import."""

from __future__ import annotations

import subprocess
import sys

import pytest

from precall.infer import quantiles

LEVELS = [0.1, 0.5, 0.9, 0.95, 0.99, 0.9999, 1 - 1e-9, 1 - 1e-14]


@pytest.mark.parametrize("freedom", [9_999, 10_000, 12_345.5, 10**5, 10**6, 10**9])
@pytest.mark.parametrize("level", LEVELS)
def test_t_is_scipys(level: float, freedom: float) -> None:
    special = pytest.importorskip("scipy.special")
    expected = -special.stdtrit(freedom, (1 - level) / 2)
    assert quantiles.t(level, freedom) == pytest.approx(expected, rel=3e-15)


def test_levels_beyond_its_range_are_scipys() -> None:
    special = pytest.importorskip("scipy.special")
    tail = (1 - (1 - 2**-53)) / 2
    assert quantiles.t(1 - 2**-53, 10_000) == -special.stdtrit(10_000, tail)


def test_intervals_of_a_large_list_do_not_import_scipy() -> None:
    code = (
        "import sys, numpy as np, precall as pc\n"
        "label = np.arange(40_000) % 3 == 0\n"
        "pc.interval.average_precision(label, label + np.arange(40_000) % 7)\n"
        "print('scipy' in sys.modules)"
    )
    printed = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout
    assert printed.strip() == "False"
