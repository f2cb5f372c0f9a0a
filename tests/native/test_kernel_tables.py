"""Tables read at once: the kernels agree, and give what reading row by row gives, or leave it to
that.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from decimal import Decimal
from pathlib import Path
from random import Random
from types import ModuleType
from typing import Any
from unittest.mock import patch

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from precall.core.errors import DataError
from precall.native import twin
from precall.read import tables
from precall.read.readers import read_qrels, read_run
from tests.native.kernels import ABSENT, bits, native, table

NAMES = [
    "q",
    "a b",
    "é",
    "",
    "007",
    "-0",
    "0",
    "12",
    'say "a"',
    "x,y",
    "x\ty",
    "a\rb",
    "a\nb",
    '"',
    "#",
    "\ufeff",
    "nan",
]
NUMBERS = [
    "1",
    "0.5",
    "-0",
    "-0.0",
    "+1",
    ".5",
    "1e5",
    "1.",
    "inf",
    "nan",
    "1e999",
    "1E400",
    "9007199254740993",
    "9" * 25,
]
NUMBERS += ["01", "x", "", "2147483648", " 1", "1 ", "1_0", "true", "3.5e38"]
LINES = [
    "",
    "\r",
    " ",
    "x",
    ",",
    '""',
    '"',
    'a"b,c,1',
    '"a"b,c,1',
    '"a\nb",c,1',
    "a,b,1,",
    "a,b,1\r",
    "\0,b,1",
    "{}",
    "[]",
]
OBJECTS = [
    '{"t":"q","i":"a","v":1,}',
    '{"t":"q","t":"r","i":"a","v":1}',
    '{"t":"q","i":"a","v":[1]}',
    "null",
    "\v",
]
OBJECTS += [
    '{"t":"\\u0041","i":"a","v":1}',
    '{"t":"q","i":"a","v":1} {}',
    '{"t":"q","i":"a","v":01}',
    '{"t":"q" "i":1}',
]
OBJECTS += [
    '{"t":"q","i":"a","v":1,"o":NaN}',
    '{"t":"q","i":"a","v":-Infinity}',
    '{"t":"q","i":"a","v":1,"o":"\x01"}',
]
OBJECTS += [
    '{"t":"\\ud83d\\ude00\\/","i":"\\u00e9\\n\\"","v":1}',
    '{"\\u0074":"q","i":"\\u0000","v":1}',
    '{"t":"\\ud83d","i":"a","v":1}',
    '{"t":"\\ud83d\\u0041","i":"a","v":1}',
    '{"t":"q","i":"\\x","v":1}',
    '{"t":"q","i":"\\u00g0","v":1}',
    '{"t":"q","i":"a","v":1,"o":{"x":[1,{"y":"\\b"}],"z":{}},"p":[]}',
    '{"t":"q","i":"a","v":1,"o":[1,]}',
    '{"t":"q","i":"a","v":1,"o":{"x"}}',
    '{"t":"q","i":"a","v":1,"o":"\\udc00"}',
    *('{"t":"q","i":"a","v":1,"o":' + "[" * deep + "]" * deep + "}" for deep in (32, 33, 100)),
]
DUPLICATES = st.sampled_from(["error", "first", "last", "best"])
ENDS = st.sampled_from(["\n", "\n", "\r\n", "\r"])
CHUNKS = st.sampled_from([0, 1, 7, 64])


def _cell(text: str, quoted: bool, separator: str) -> str:
    must = text[:1] == '"' or any(mark in text for mark in f"{separator}\r\n")
    return f'"{text.replace(chr(34), chr(34) * 2)}"' if quoted or must else text


@st.composite
def cells(draw: st.DrawFn) -> tuple[str, bytes]:
    """A separator, and a table with columns t, i, v and another; in half of them anything may
    stand.
    """
    odd = draw(st.booleans())
    separator, end = draw(st.sampled_from([",", "\t"])), draw(ENDS)
    names = st.sampled_from(NAMES if odd else NAMES[:9]) | st.integers(0, 9).map(str)
    numbers = (
        st.sampled_from(NUMBERS if odd else NUMBERS[:9])
        | st.integers(-9, 9).map(str)
        | st.floats(-9, 9).map(repr)
    )
    quoted = st.booleans() if draw(st.booleans()) else st.just(False)

    def row() -> str:
        parts = [draw(names), draw(numbers), draw(names), draw(names)]
        return separator.join(_cell(part, draw(quoted), separator) for part in parts)

    kinds = st.lists(st.sampled_from([None] * 9 + (LINES if odd else LINES[:2])), max_size=12)
    lines = [row() if kind is None else kind for kind in draw(kinds)]
    header = separator.join(["t", "v", "o", "i"])
    return separator, (end.join([header, *lines]) + draw(st.sampled_from(["", end]))).encode()


@st.composite
def objects(draw: st.DrawFn) -> bytes:
    """Lines of JSON with keys t, i, v and perhaps others; in half of them anything may stand."""
    odd = draw(st.booleans())
    ids = (
        st.sampled_from(NAMES[:5])
        | st.integers(0, 30)
        | (st.sampled_from(NAMES) | st.booleans() | st.none() if odd else st.just("a"))
    )
    values = (
        st.integers(-9, 9)
        | st.floats(-9, 9)
        | (st.sampled_from([None, True, "1", 2**53 + 1, 2**31, [1]]) if odd else st.just(0))
    )
    nested = st.recursive(
        values | ids,
        lambda part: st.lists(part) | st.dictionaries(ids.map(str), part),
        max_leaves=3,
    )
    others = st.dictionaries(st.sampled_from(["o", "p"]), nested)
    ascii_only = draw(st.booleans())

    def line() -> str:
        pairs = [*{"t": draw(ids), "i": draw(ids), "v": draw(values), **draw(others)}.items()]
        return json.dumps(dict(draw(st.permutations(pairs))), ensure_ascii=ascii_only)

    kinds = st.lists(
        st.sampled_from([None] * 9 + (OBJECTS + LINES if odd else LINES[:3])), max_size=12
    )
    return (
        draw(ENDS)
        .join(line() if kind is None else kind for kind in draw(kinds))
        .encode("utf-8", "surrogatepass")
    )


def flat(result: Any) -> Any:
    """What comes of a table, in a form in which equal means equal bits."""
    if result is None:
        return None
    return [bits(part) if isinstance(part, tuple) else bits((part,)) for part in result]


def agree(name: str, *given: Any, **seams: int) -> Any:
    """Both kernels give the same."""
    result = flat(getattr(twin, name)(*given, **seams))
    assert result == flat(getattr(native, name)(*given, **seams))
    return result


@ABSENT
@given(
    cells(),
    st.booleans(),
    DUPLICATES,
    st.integers(1, 3),
    CHUNKS,
    st.lists(st.sampled_from("sc"), min_size=4, max_size=4),
)
def test_kernels_agree_about_cells(
    given: tuple[str, bytes],
    float32: bool,
    duplicates: str,
    threads: int,
    chunk: int,
    kinds: list[str],
) -> None:
    separator, data = given
    places = data.find(b"\n") + 1, separator, 4
    agree("run_from_table", data, *places, [0, 3, 1], float32, duplicates, threads, chunk=chunk)
    agree("qrels_from_table", data, *places, [0, 3, 1], duplicates, threads, chunk=chunk)
    agree("columns_from_table", data, *places, [2, 1, 0, 3], "".join(kinds), chunk=chunk)


@pytest.mark.nightly
@ABSENT
@given(objects() | st.binary(max_size=60), st.booleans(), DUPLICATES, st.integers(1, 3), CHUNKS)
@example(b'{"t":"q","i":"a","v":-0.0}\n {"v":1e-5 , "t":1,"i":2}\r', False, "error", 1, 0)
def test_kernels_agree_about_objects(
    data: bytes, float32: bool, duplicates: str, threads: int, chunk: int
) -> None:
    keys = ["t", "i", "v"]
    agree("run_from_table", data, 0, "", 0, keys, float32, duplicates, threads, chunk=chunk)
    agree("qrels_from_table", data, 0, "", 0, keys, duplicates, threads, chunk=chunk)
    agree("columns_from_table", data, 0, "", 0, keys, "ccs" if float32 else "csc", chunk=chunk)


@ABSENT
@given(
    st.text(',"\n\r\t\0aé1-.', max_size=40).map(str.encode) | st.binary(max_size=40),
    st.integers(1, 3),
    st.sampled_from("sc"),
)
def test_kernels_agree_about_anything(data: bytes, width: int, kind: str) -> None:
    agree("columns_from_table", data, 0, ",", width, [width - 1], kind)


COLUMNS = {"topic": "t", "item": "i", "score": "v", "grade": "v"}


@pytest.fixture(autouse=True)
def at_once_with_either_kernel() -> Iterator[None]:
    """The twin gains nothing by reading at once, and gives the same."""
    with patch.object(tables, "gains", lambda: True):
        yield


def _outcome(read: Callable[..., Any], path: Path, options: dict[str, Any]) -> Any:
    try:
        made = read(path, columns=COLUMNS, **options)
    except DataError as error:
        return str(error)
    value = made.score if read is read_run else made.grade
    return bits(
        (
            made.topics.data,
            made.topics.start,
            made.row_start,
            made.items.data,
            made.items.start,
            value,
        )
    ), made.dropped


def _same_either_way(path: Path, **options: Any) -> None:
    for read in (read_run, read_qrels):
        own = options if read is read_run else {"duplicates": options["duplicates"]}
        with patch.object(tables, "_read_at_once", lambda *_: None):
            slow = _outcome(read, path, own)
        assert _outcome(read, path, own) == slow


@pytest.mark.nightly
@given(
    data=cells(),
    mark=st.booleans(),
    dtype=st.sampled_from(["float64", "float32"]),
    duplicates=DUPLICATES,
)
@example(data=(",", b"t,v,o,i\nq,1,,a\nr,2,,b\n"), mark=True, dtype="float64", duplicates="error")
def test_cells_read_at_once_are_those_read_row_by_row(
    tmp_path_factory: pytest.TempPathFactory,
    data: tuple[str, bytes],
    mark: bool,
    dtype: str,
    duplicates: str,
) -> None:
    path = tmp_path_factory.mktemp("tables") / f"x.{'csv' if data[0] == ',' else 'tsv'}"
    path.write_bytes(b"\xef\xbb\xbf" * mark + data[1])
    _same_either_way(path, score_dtype=dtype, duplicates=duplicates)


@pytest.mark.nightly
@given(
    data=objects(),
    mark=st.booleans(),
    dtype=st.sampled_from(["float64", "float32"]),
    duplicates=DUPLICATES,
)
def test_objects_read_at_once_are_those_read_line_by_line(
    tmp_path_factory: pytest.TempPathFactory, data: bytes, mark: bool, dtype: str, duplicates: str
) -> None:
    path = tmp_path_factory.mktemp("tables") / "x.jsonl"
    path.write_bytes(b"\xef\xbb\xbf" * mark + data)
    _same_either_way(path, score_dtype=dtype, duplicates=duplicates)


@pytest.fixture(
    params=[pytest.param(twin, id="twin"), pytest.param(native, id="native", marks=ABSENT)]
)
def kernel(request: pytest.FixtureRequest) -> ModuleType:
    """Each of the kernels."""
    kernel: ModuleType = request.param
    return kernel


def run(kernel: ModuleType, data: bytes, separator: str = ",", wanted: Any = (0, 1, 2)) -> Any:
    return kernel.run_from_table(data, 0, separator, 3, list(wanted), False, "error", 1)


#: What a window must not hold, to be taken as a whole, and what then becomes of the table.
ODD_LINES = {
    "nothing": b"",
    "an empty line": b"\n",
    "quotes": b'"0",1.5,"x"\n',
    "a letter beyond ASCII": b"0,1.5,\xc3\xa9\n",
    "too few cells": b"0,1\n",
    "cells that add up": b"0\n0,1,2,3,4\n",
    "no number": b"0,x,1\n",
    "a NUL": b"0,1,\0\n",
    "no UTF-8": b"0,1,\xff\n",
    "a carriage return": b"0,1,a\rb\n",
    "one at an end": b"0,1,a\r\n",
}


@pytest.mark.parametrize("end", [b"\n", b"\r\n"])
@pytest.mark.parametrize("odd", ODD_LINES)
@ABSENT
def test_windows_are_taken_as_rows_are(odd: str, end: bytes, tmp_path: Path) -> None:
    # Some windows of 32 KiB, the odd line within the second.
    rng = np.random.default_rng(4)
    lines = [
        b"%d,%s,%s" % (label, repr(score).encode(), rest)
        for label, score, rest in zip(
            rng.integers(0, 2, 6000).tolist(),
            rng.standard_normal(6000).tolist(),
            [b"abc", b"", b"12345678"] * 2000,
            strict=True,
        )
    ]
    head, tail = (end.join([*part, b""]) for part in ([b"y,s,o", *lines[:3000]], lines[3000:]))
    text, layout = head + ODD_LINES[odd] + tail, (5 + len(end), ",", 3, [1, 0, 2], "scc")
    expected = flat(twin.columns_from_table(text, *layout))
    for chunk in (0, 1, 5000):
        assert flat(native.columns_from_table(text, *layout, chunk=chunk)) == expected
    path = tmp_path / "x.csv"
    path.write_bytes(text)
    for kernel in (native, twin):
        assert flat(kernel.columns_from_table(str(path), *layout)) == expected


@pytest.mark.nightly(keep=1)
@pytest.mark.parametrize("seed", range(6))
@ABSENT
def test_long_numbers_are_rounded_once(seed: int) -> None:
    draw = Random(seed)
    digits = "0123456789"

    def number() -> str:
        kind = draw.random()
        if kind < 0.3:
            return repr(draw.gauss(0, 1) * 10.0 ** draw.randint(-9, 3))
        if kind < 0.6:
            whole = "".join(draw.choices(digits, k=draw.randint(1, 8)))
            behind = "".join(draw.choices(digits, k=draw.randint(8, 23)))
            return f"{draw.choice(['', '-', '+'])}{whole}.{behind}"
        if kind < 0.7:
            return f"0.{'0' * draw.randint(0, 12)}{draw.randint(1, 10**19)}"
        if kind < 0.8:
            return f"{draw.randint(0, 9)}.{draw.randint(0, 10**18)}e-{draw.randint(1, 60)}"
        # Half way between two doubles, or next to it.
        half = (draw.getrandbits(53) | 1 << 52) * 2 + 1
        exact = Decimal(half) / Decimal(2) ** draw.randint(1, 60)
        return f"{exact:f}" if draw.random() < 0.5 else f"{exact:.{draw.randint(5, 20)}f}"

    texts = [number() for _ in range(20_000)]
    data = "".join(f"0,{text}\n" for text in texts).encode() + b"0,1\n" * 9
    (scores,) = native.columns_from_table(data, 0, ",", 2, [1], "s")
    assert scores[: len(texts)].tolist() == list(map(float, texts))


def test_what_is_ordinary(kernel: ModuleType) -> None:
    quoted = b'q,"a ""b""",1\r\n\r\n\n"q",a"c,"+.5"\n"\xc3\xa9","x,y",-inf'
    assert table(run(kernel, quoted)) == {
        "q": [('a "b"', 1.0), ('a"c', 0.5)],
        "é": [("x,y", -np.inf)],
    }
    lines = b' {"v": 1e1, "i": 7,"t":"q"}\r\n\n{"t":"","i":"7 ","v":-2,"x":null}'
    assert table(run(kernel, lines, "", ("t", "i", "v"))) == {
        "q": [("7", 10.0)],
        "": [("7 ", -2.0)],
    }


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"\n",
        b"q,a",
        b"q,a,1,",
        b"q,a,x",
        b"q,,1",
        b'q,a,1\n"q,b,1',
        b'"q"x,a,1',
        b'q,"a\nb",1',
        b"q,a,1\r",
        b"q,\0,1",
        b"q,\xff,1",
        b"q,a,nan",
        b"q,a,1\nq,a,1",
        b"q,a,1\rq,b,1",
        b"q," + b"a" * 140_000 + b",1",
    ],
)
def test_what_is_not(kernel: ModuleType, data: bytes) -> None:
    assert run(kernel, data) is None


def test_texts_of_which_there_are_many(kernel: ModuleType) -> None:
    data = b"".join(b"%d,%d\n" % (i % 1000, i) for i in range(5000))
    (codes, texts, start), scores = kernel.columns_from_table(data, 0, ",", 2, [0, 1], "cs")
    assert codes.tolist() == [i % 1000 for i in range(5000)] and codes.dtype == np.int32
    assert texts.tobytes() == b"".join(b"%d" % i for i in range(1000)) and len(start) == 1001
    assert scores.tolist() == list(range(5000))


BAD_LAYOUTS: list[tuple[Any, ...]] = [
    (9, ",", 3, [0, 1, 2]),
    (-1, ",", 3, [0, 1, 2]),
    (0, ";", 3, [0, 1, 2]),
    (0, ",", 3, [0, 1]),
    (0, ",", 3, [0, 0, 1]),
    (0, ",", 3, [0, 1, 3]),
    (0, ",", 0, [0, 1, 2]),
]


@pytest.mark.parametrize("layout", BAD_LAYOUTS, ids=range(len(BAD_LAYOUTS)))
def test_what_is_asked_is_checked(kernel: ModuleType, layout: tuple[Any, ...]) -> None:
    with pytest.raises(ValueError, match="must be|outside"):
        kernel.run_from_table(b"q,a,1\n", *layout, False, "error", 1)
    with pytest.raises(ValueError, match="kinds"):
        kernel.columns_from_table(b"q,a,1\n", 0, ",", 3, [0, 1], "sx")
