"""Weights repeat cases if they are integers as they are written, and are sampling weights if one is
not: at every door, whole or in batches.
"""

from __future__ import annotations

from decimal import Decimal
from pathlib import Path
from typing import Any
from unittest.mock import patch

import numpy as np
import pytest

import precall as pc
from precall.cases.scored_cases import weight
from precall.cases.table import read_cases
from precall.core import text as texts
from precall.hard_decisions.table_io import compare_cases
from precall.read import table_batches
from precall.read.weights import repeat_cases
from tests.doors.forms import FILES, FRAMES, SERIES, Form, of_rows
from tests.doors.subject import command

Y = [1, 0, 1, 1, 0, 0, 1, 0] * 5
S = [0.9, 0.8, 0.7, 0.6, 0.5, 0.4, 0.3, 0.2] * 5
T = S[::-1]
WHOLE = [1 if y else 20 for y in Y]
#: The same weights, and whether they are sampling weights.
WRITTEN: dict[str, tuple[list[Any], bool]] = {
    "integers": (WHOLE, False),
    "floats": ([float(w) for w in WHOLE], True),
    "texts of integers": ([str(w) for w in WHOLE], False),
    "texts of floats": ([f"{w:.1f}" for w in WHOLE], True),
    "texts, the last one with a point": ([*map(str, WHOLE[:-1]), f"{WHOLE[-1]}.0"], True),
    "texts, the last one with an exponent": ([*map(str, WHOLE[:-1]), f"{WHOLE[-1]}e0"], True),
    "texts, the first one with a point": ([f"{WHOLE[0]}.", *map(str, WHOLE[1:])], True),
}


def columns(written: str) -> dict[str, list[Any]]:
    return {"y": Y, "s": S, "t": T, "w": WRITTEN[written][0]}


def made(form: Form, written: str, folder: Path) -> Any:
    return of_rows(form)(columns(written), folder)


@pytest.mark.nightly(keep=28)
@pytest.mark.parametrize("written", WRITTEN)
@pytest.mark.parametrize("kind", FILES)
@pytest.mark.parametrize("part", [1 << 18, 60])
def test_of_a_file(kind: str, written: str, part: int, tmp_path: Path) -> None:
    path = made(FILES[kind], written, tmp_path)
    small = part <= 1000
    with (
        patch.multiple(table_batches, BYTES=part, ROWS=3 if small else 1 << 20),
        patch.object(texts, "_SMALL", 0 if small else 1 << 20),
    ):
        cases = read_cases(path, "y", ["s"], weight="w")
        scanned = pc.ScoredCases.scan(path, label="y", score="s", weight="w")
    assert cases.weights is not None
    kinds = {cases.weights.dtype.kind, scanned.curve().tp.dtype.kind}
    assert kinds == {"f" if WRITTEN[written][1] else "i"}


@pytest.mark.parametrize("written", WRITTEN)
@pytest.mark.parametrize("library", FRAMES)
def test_of_a_table_in_memory(library: str, written: str, tmp_path: Path) -> None:
    if library == "NumPy fields":
        table: Any = {name: np.array(cells, object) for name, cells in columns(written).items()}
    else:
        table = made(FRAMES[library], written, tmp_path)
    scanned = pc.ScoredCases.scan(table, label="y", score="s", weight="w")
    assert scanned.curve().tp.dtype.kind == ("f" if WRITTEN[written][1] else "i")


@pytest.mark.parametrize("written", WRITTEN)
@pytest.mark.parametrize("library", [*SERIES, "objects"])
def test_of_a_column(library: str, written: str) -> None:
    cells, real = WRITTEN[written]
    if library == "pandas Series, nullable" and written == "floats":
        pytest.skip("pandas makes them integers")
    column = np.array(cells, object) if library == "objects" else SERIES[library](cells)
    assert weight(column, len(Y)).dtype.kind == ("f" if real else "i")


@pytest.mark.parametrize("written", WRITTEN)
@pytest.mark.filterwarnings("ignore::precall.PrecallWarning")
def test_commands_have_the_intervals_of_python(written: str, tmp_path: Path) -> None:
    expected = pc.interval.average_precision(Y, S, weights=WRITTEN[written][0])
    path = made(FILES["CSV"], written, tmp_path)
    asked = ("--label", "y", "--score", "s", "--weight", "w", "--interval")
    (shown,) = command("curve", path, *asked)["scores"].values()
    assert shown["interval"]["AP low"] == expected.low
    assert shown["interval"]["AP high"] == expected.high


@pytest.mark.parametrize("written", WRITTEN)
@pytest.mark.filterwarnings("ignore::precall.PrecallWarning")
def test_two_scores_in_a_file(written: str, tmp_path: Path) -> None:
    path = made(FILES["CSV"], written, tmp_path)
    (pair,) = compare_cases(path, "y", "s", "t", measures=["AP"], weight="w").pairs
    expected = pc.compare.cases(Y, S, T, "AP", weights=WRITTEN[written][0])
    assert (pair.p, pair.low, pair.test) == (expected.p, expected.low, expected.test)


def test_the_types_of_other_weights() -> None:
    assert repeat_cases(np.array([True])) and repeat_cases([True, np.int8(2), np.bool_(True)])
    assert repeat_cases(np.array([b"2"])) and repeat_cases(["+2", "007"])
    for real in (Decimal(2), np.float32(2), "2.", " 2", "2e0", "inf", "²"):
        assert not repeat_cases([1, real])


def test_a_sum_that_is_no_longer_exact_is_one_of_reals() -> None:
    assert weight([2**53, 0], 2).dtype.kind == "i"
    assert weight([2**53, 2], 2).dtype.kind == "f"
    assert weight(np.array([2**52, 2**52, 2], object), 3).dtype.kind == "f"
