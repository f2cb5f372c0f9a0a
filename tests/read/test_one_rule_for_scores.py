"""A score is read by one rule at every door: dicts, rows, frames, streams, files, cases and curves.

Integers beyond 2^53 were rounded in runs and refused in curves, texts the other way round; a score
beyond float32 became infinite. Bytes were scores in lists and objects of pandas, and none in
columns of bytes; weights had a rule of their own, which rounded. The old tests looked at one door
each, and asked each for what it did.
"""

from __future__ import annotations

from collections.abc import Callable
from decimal import Decimal
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import precall as pc
from precall.cli.main import run as command
from precall.compat.sklearn import average_precision_score, roc_curve
from precall.core.errors import DataError, UsageError
from precall.read.cases import Reader, read_columns
from precall.read.select_columns import choose_by_name
from tests.fuzz.arrow_streams import Speaker

ITEMS = {"topic": ["q", "q"], "item": ["a", "b"]}


def _frame(value: Any) -> Any:
    pandas = pytest.importorskip("pandas")
    return pandas.DataFrame(ITEMS | {"score": pandas.Series([value, 0.5], dtype=object)})


def _column(value: Any) -> Any:
    polars = pytest.importorskip("polars")
    return polars.DataFrame(
        ITEMS
        | {"score": polars.Series([value, b"0" if isinstance(value, bytes) else type(value)(0)])}
    )


def _has_column(value: Any) -> bool:
    """Whether Polars has a column of such values, and makes no others of them."""
    if isinstance(value, int):
        return abs(value) < 2**63
    return isinstance(
        value, str | bytes | np.unsignedinteger | np.float32 | np.int64
    ) and not isinstance(value, np.timedelta64)


def _cases(path: Path, score: str) -> float:
    def first(reader: Reader) -> float:
        numbers = reader.numbers(score, "-")
        reader.check()
        return float(numbers[0])

    return read_columns(str(path), choose_by_name([("--score", score)], "x"), first)


#: Python objects come in by these ways.
DOORS: dict[str, Callable[[Any], float]] = {
    "dict": lambda value: float(pc.read_run({"q": {"a": value, "b": 0.5}}).score[0]),
    "rows": lambda value: float(pc.read_run([("q", "a", value), ("q", "b", 0.5)]).score[0]),
    "frame of objects": lambda value: float(pc.read_run(_frame(value)).score[0]),
    "frame": lambda value: float(pc.read_run(_column(value)).score[0]),
    "stream": lambda value: float(pc.read_run(Speaker(_column(value))).score[0]),
    "curve": lambda value: float(pc.curve([1, 0], np.array([value, -1e9], object)).threshold[1]),
}
#: Doors that are columns of one type.
TYPED = ("frame", "stream")
#: And texts by these too.
FILES: dict[str, Callable[[str, Path], float]] = {
    "trec": lambda text, path: _read(path / "x.run", f"q Q0 a 1 {text} x\n"),
    "csv": lambda text, path: _read(path / "x.csv", f"topic,item,score\nq,a,{text}\n"),
    "jsonl": lambda text, path: _read(
        path / "x.jsonl", f'{{"topic": "q", "item": "a", "score": "{text}"}}\n'
    ),
    "cases of csv": lambda text, path: _cases(_written(path / "c.csv", f"s\n{text}\n"), "s"),
    "cases of jsonl": lambda text, path: _cases(
        _written(path / "c.jsonl", f'{{"s": "{text}"}}\n'), "s"
    ),
}
KEPT: list[tuple[Any, float]] = [
    (2**53 + 2, 2.0**53 + 2),
    (np.uint64(2**63), 2.0**63),
    (np.float32(0.1), float(np.float32(0.1))),
    (Decimal("0.1"), 0.1),
    (Decimal("1e300"), 1e300),
    (Fraction(1, 4), 0.25),
    (np.longdouble(1.5), 1.5),
    ("12.5", 12.5),
    ("-3e-4", -3e-4),
    ("9007199254740993.0", 2.0**53),
    ("18014398509481984", 2.0**54),
    ("1e300", 1e300),
    (b"12.5", 12.5),
    (b"18014398509481984", 2.0**54),
]
REFUSED: list[Any] = [
    2**53 + 1,
    10**300,
    10**400,
    np.int64(2**53 + 1),
    np.uint64(2**63 + 1),
    "9007199254740993",
    "1e309",
    "1_0",
    " 1",
    "",
    "x",
    Decimal(2**53 + 1),
    Decimal("1e999"),
    Decimal("sNaN"),
    Fraction(1, 3),
    np.longdouble("0.1"),
    1j,
    [1.0],
    {},
    np.datetime64("2020-01-01"),
    np.datetime64("NaT", "s"),
    np.timedelta64(1, "s"),
    float("nan"),
    "nan",
    b"9007199254740993",
    b"x",
    b"",
    bytearray(b"1"),
]


def _written(path: Path, text: str) -> Path:
    path.write_text(text, encoding="utf-8")
    return path


def _read(path: Path, text: str) -> float:
    return float(pc.read_run(str(_written(path, text))).score[0])


@pytest.mark.parametrize(
    ("door", "given", "score"),
    [(door, *pair) for door in DOORS for pair in KEPT if door not in TYPED or _has_column(pair[0])],
    ids=repr,
)
def test_what_is_kept(door: str, given: Any, score: float) -> None:
    assert DOORS[door](given).hex() == score.hex()


@pytest.mark.parametrize(
    ("door", "given"),
    [
        (door, given)
        for door in DOORS
        for given in REFUSED
        if door not in TYPED or _has_column(given)
    ],
    ids=repr,
)
def test_what_is_refused(door: str, given: Any) -> None:
    with pytest.raises((DataError, UsageError)):
        DOORS[door](given)


@pytest.mark.parametrize("door", DOORS)
def test_a_yes_or_no_is_a_score_of_a_case_and_of_no_ranking(door: str) -> None:
    if door == "curve":
        assert DOORS[door](True) == 1.0
        return
    with pytest.raises(DataError):
        DOORS[door](True)


@pytest.mark.parametrize("file", FILES)
def test_texts_of_files(file: str, tmp_path: Path) -> None:
    for given, score in KEPT:
        if isinstance(given, str):
            assert FILES[file](given, tmp_path).hex() == score.hex()
    for given in REFUSED:
        if isinstance(given, str) and given.strip() == given:
            with pytest.raises(DataError):
                FILES[file](given, tmp_path)


def test_numbers_of_json_are_texts(tmp_path: Path) -> None:
    line = '{"topic": "q", "item": "a", "score": %s}\n'
    assert _read(tmp_path / "x.jsonl", line % "9007199254740993.0") == 2.0**53
    with pytest.raises(DataError, match="score '9007199254740993' is not exact as float64"):
        _read(tmp_path / "x.jsonl", line % "9007199254740993")


def test_a_column_of_integers() -> None:
    for library in ("polars", "pandas"):
        frames = pytest.importorskip(library)
        for kind in (np.int64, np.uint64):
            good = np.array([2**53 + 2, 7], kind)
            assert pc.read_run(frames.DataFrame(ITEMS | {"score": good})).score.tolist() == [
                2.0**53 + 2,
                7.0,
            ]
            with pytest.raises(
                DataError,
                match="row 1: score '9007199254740993' is not exact as float64; give ranks",
            ):
                pc.read_run(frames.DataFrame(ITEMS | {"score": good - kind(1)}))


def test_a_column_of_texts() -> None:
    polars = pytest.importorskip("polars")
    frame = polars.DataFrame(ITEMS | {"score": ["1e3", "2"]})
    assert pc.read_run(frame).score.tolist() == [1000.0, 2.0]
    with pytest.raises(DataError, match=r"row 2: score 'x' \(str\) is not a number"):
        pc.read_run(frame.with_columns(score=polars.Series(["1", "x"])))


@pytest.mark.parametrize("given", [1e39, -1e300, 2**128, "3.5e38", Decimal("1e40")])
def test_float32_makes_no_score_infinite(given: Any, tmp_path: Path) -> None:
    says = r"is beyond float32 \(about 3.4e38\); pass score_dtype=\"float64\""
    for source in ({"q": {"a": given}}, [("q", "a", given)], _frame(given)):
        with pytest.raises(DataError, match=says):
            pc.read_run(source, score_dtype="float32")
    assert pc.read_run(
        {"q": {"a": "inf", "b": 16777217}}, score_dtype="float32"
    ).score.tolist() == [
        np.inf,
        2.0**24,
    ]


def test_float32_of_files(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    _written(tmp_path / "x.qrels", "q 0 a 1\n")
    for name, text in (("x.run", "q Q0 a 1 1e39 x\n"), ("x.csv", "topic,item,score\nq,a,1e39\n")):
        path = _written(tmp_path / name, text)
        assert (
            command(["eval", str(tmp_path / "x.qrels"), str(path), "--score-dtype", "float32"]) == 2
        )
        assert (
            "is beyond float32 (about 3.4e38); pass --score-dtype float64"
            in capsys.readouterr().err
        )
        assert command(["eval", str(tmp_path / "x.qrels"), str(path)]) == 0
        capsys.readouterr()


@pytest.mark.parametrize(
    "mixed",
    [
        [2**53 + 1, 2**53, 0.5],
        (np.int64(2**53 + 1), 0.5, 2**53),
        [np.uint64(2**63 + 1), np.int64(5), 0.5],
    ],
)
def test_integers_beside_a_float(mixed: Any) -> None:
    # NumPy makes floats of all of a list that has one, so two scores became equal; the old tests
    # had integers alone.
    for measured in (pc.area_under_roc, pc.average_precision, pc.curve):
        with pytest.raises(pc.UsageError, match="not exact as float64"):
            measured([1, 0, 1], mixed)
    assert pc.area_under_roc([1, 0, 1], [2**53, 2.0**60, 0.5]) == 0.0


WEIGHTS: list[tuple[Any, list[float]]] = [
    ([Decimal("0.5"), 2], [0.5, 2.0]),
    ([Fraction(1, 4), 1], [0.25, 1.0]),
    (["1.5", "2"], [1.5, 2.0]),
    ([b"1.5", b"2"], [1.5, 2.0]),
    (np.array([1.5, 2], np.longdouble), [1.5, 2.0]),
    ([2**53, 1], [2.0**53, 1.0]),
    ([True, 2], [1, 2]),
    ([3, 1], [3, 1]),
]


@pytest.mark.parametrize(("given", "kept"), WEIGHTS, ids=repr)
def test_weights_that_are_kept(given: Any, kept: list[float]) -> None:
    curve = pc.curve([1, 0], [2, 1], weights=given)
    assert [curve.tp[-1], curve.fp[-1]] == kept
    assert roc_curve([1, 0], [2, 1], sample_weight=given)[0].tolist() == [0.0, 0.0, 1.0]


@pytest.mark.parametrize(
    "given",
    [
        [2**53 + 1, 0],
        [2**53 + 1, 0.5],
        (0.5, 2**53 + 1),
        np.array([2**53 + 1, 1]),
        np.array([2**63 + 1, 1], np.uint64),
        [Fraction(1, 3), 1],
        np.array(["0.1", "1"]).astype(np.longdouble),
        ["x", "1"],
        [Decimal(2**53 + 1), 1],
        [1j, 1],
        np.array([1, 2], "m8[s]"),
        np.array([1, 2], "M8[s]"),
        [10**400, 1],
    ],
    ids=repr,
)
def test_weights_that_are_refused(given: Any) -> None:
    for asked in (
        lambda: pc.curve([1, 0], [2, 1], weights=given),
        lambda: average_precision_score([1, 0], [2, 1], sample_weight=given),
    ):
        with pytest.raises(UsageError, match="weights: (must be|integers beyond)"):
            asked()
