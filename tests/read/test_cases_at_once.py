"""Tables of cases and of decisions, read at once: what comes of them is what comes of them cell by
cell, errors too.
"""

from __future__ import annotations

import json
import random
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any
from unittest.mock import patch

import numpy as np
import pytest

from precall.cases.table import read_cases
from precall.core import text as texts
from precall.core.errors import DataError, Malformed
from precall.hard_decisions.table_io import read_decisions, read_status
from precall.native import kernel_name
from precall.read import select_columns, sources

LABELS = [
    ["0", "1"],
    ["-1", "1"],
    ["true", "false"],
    ["TRUE", "False"],
    ["spam", "ham"],
    ["1.0", "0"],
    ["0", "1", "-1"],
    ["a", "b", "c"],
    ["é", "x"],
    ["", "1", "0"],
    ["a;b", "b", "", "c; a"],
    ['q"u', "v,w"],
]
NUMBERS = [
    [".5", "1", "2e3", "-7"],
    ["0", "1"],
    ["1", "1.0", "0"],
    ["nan", "1"],
    ["x", "y"],
    ["", "1"],
    ["1e999", "2"],
    ["inf", "-inf", "0"],
    ["9007199254740993", "1"],
    ["0.25", "0.75"],
]
FORMATS = ["csv", "tsv", "jsonl", "parquet"]


def columns(draw: random.Random, odd: bool) -> dict[str, list[str]]:
    rows = draw.randrange(1, 14)
    labels = draw.choice(LABELS)
    kinds = {
        "y": labels,
        "z": draw.choice(LABELS) if odd else labels,
        "s": draw.choice(NUMBERS) if odd else NUMBERS[0],
        "t": NUMBERS[0],
        "g": ["1", "2", "10", ""] if odd else ["1", "2", "10", "b"],
        "w": ["-1", "x", "2", ""] if odd else ["1", "2", "0", "1.5"],
    }
    names = draw.sample(list(kinds), len(kinds))
    return {name: [draw.choice(kinds[name]) for _ in range(rows)] for name in names}


def typed(draw: random.Random, cells: list[str]) -> list[Any]:
    """Texts as another format may hold them."""
    kinds: list[Callable[[str], Any]] = [int, float] if draw.random() < 0.6 else [float]
    for kind in kinds:
        try:
            return [kind(cell) for cell in cells]
        except ValueError:
            pass
    if set(cells) <= {"true", "false"}:
        return [cell == "true" for cell in cells]
    return [None if cell == "" and draw.random() < 0.5 else cell for cell in cells]


def quoted(cell: str, separator: str, always: bool) -> str:
    must = always or separator in cell or cell[:1] == '"'
    return f'"{cell.replace(chr(34), chr(34) * 2)}"' if must else cell


def write(path: Path, draw: random.Random, table: dict[str, list[str]]) -> None:
    if path.suffix in (".csv", ".tsv"):
        separator, always = {".csv": ",", ".tsv": "\t"}[path.suffix], draw.random() < 0.2
        rows = [list(table), *map(list, zip(*table.values(), strict=True))]
        lines = [separator.join(quoted(cell, separator, always) for cell in row) for row in rows]
        if draw.random() < 0.05:
            lines.insert(draw.randrange(len(lines) + 1), draw.choice(["", "x", '"a']))
        text = (
            draw.choice(["", "\ufeff"])
            + draw.choice(["\n", "\r\n"]).join(lines)
            + draw.choice(["", "\n"])
        )
        path.write_bytes(text.encode())
        return
    made = {name: typed(draw, cells) for name, cells in table.items()}
    if path.suffix == ".jsonl":
        rows_of = (dict(zip(made, row, strict=True)) for row in zip(*made.values(), strict=True))
        path.write_text("\n".join(map(json.dumps, rows_of)))
        return
    polars = pytest.importorskip("polars")
    frame = polars.DataFrame(made, strict=False)
    narrow = {polars.String: polars.Categorical, polars.Float64: polars.Float32}
    for name in frame.columns:
        if frame[name].dtype in narrow and draw.random() < 0.3:
            frame = frame.with_columns(polars.col(name).cast(narrow[frame[name].dtype]))
    frame.write_parquet(path)


def flat(value: Any) -> Any:
    """A result in a form in which equal means equal bits."""
    if isinstance(value, np.ndarray):
        return value.dtype.str, value.tolist() if value.dtype == object else value.tobytes()
    if isinstance(value, dict):
        return [(key, flat(part)) for key, part in value.items()]
    if isinstance(value, list | tuple):
        return [flat(part) for part in value]
    if hasattr(value, "__dataclass_fields__"):
        return [flat(getattr(value, name)) for name in value.__dataclass_fields__]
    return repr(value)


def outcome(read: Callable[[], Any]) -> Any:
    try:
        return flat(read())
    except ValueError as error:
        return type(error), str(error)


def asked(path: str, draw: random.Random, labels: list[str], odd: bool) -> list[Callable[[], Any]]:
    known = set(labels) <= {"0", "1", "-1", "true", "false", "TRUE", "False", "1.0"}
    positive = draw.choice([None, "1", "spam", "zz"]) if odd else None if known else labels[0]
    label = draw.choice(["y", "y", "s", "nope"]) if odd else "y"
    scores = draw.choice([["s"], ["s", "t"], ["y"], ["s", "g"]] if odd else [["s"], ["s", "t"]])
    group = draw.choice([None, "g", "y", "s"] if odd else [None, "g"])
    weight = draw.choice([None, None, "w"])
    missed, separator, pattern = (
        draw.choice([0, 2]),
        draw.choice([None, ";"]),
        draw.choice(["*", "s*", "[st]*"]),
    )
    return [
        lambda: read_cases(
            path, label, scores, positive=positive, group=group, weight=weight, missed=missed
        ),
        lambda: read_decisions(path, "y", "z", positive=positive, separator=separator),
        lambda: read_status(path, "y", pattern, separator=separator),
        lambda: read_status(path, "y", "s*"),
    ]


def unusual(*_: Any) -> Any:
    raise select_columns.Unusual


@pytest.mark.nightly
@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("odd", [False, True])
@pytest.mark.parametrize("kind", FORMATS)
def test_what_is_read_at_once_is_what_is_read_cell_by_cell(
    tmp_path: Path, kind: str, odd: bool
) -> None:
    draw, good = random.Random(f"{kind}{odd}"), 0
    path = tmp_path / f"x.{kind}"
    for _ in range(40):
        table = columns(draw, odd)
        write(path, draw, table)
        for read in asked(str(path), draw, table["y"], odd):
            made = outcome(read)
            with patch.multiple(
                select_columns, _read_text_at_once=unusual, _read_frame_at_once=unusual
            ):
                assert outcome(read) == made, (table, made)
            with patch.object(texts, "_SMALL", 0):
                assert outcome(read) == made, (table, made)
            good += isinstance(made, list)
    assert odd or good > 15


@pytest.mark.skipif(kernel_name() == "twin", reason="the twin gains nothing by it")
@pytest.mark.parametrize("kind", FORMATS)
def test_ordinary_tables_are_read_at_once(tmp_path: Path, kind: str) -> None:
    path = tmp_path / f"x.{kind}"
    table = {
        "y": ["1", "0", "1"],
        "s": ["2.5", "1", "-4e3"],
        "g": ["b", "a", "b"],
        "w": ["1", "2", "3"],
    }
    write(path, random.Random(3), table)
    with patch.multiple(select_columns, _read_text_cells=unusual, _read_frame_cells=unusual):
        cases = read_cases(str(path), "y", ["s"], group="g", weight="w")
    assert cases.relevant.tolist() == [True, False, True] and cases.scores["s"].tolist() == [
        2.5,
        1.0,
        -4000.0,
    ]
    assert {name: rows.tolist() for name, rows in (cases.groups or {}).items()} == {
        "a": [1],
        "b": [0, 2],
    }


def test_a_bad_cell_is_named_by_its_line(tmp_path: Path) -> None:
    path = tmp_path / "x.csv"
    path.write_text("y,s\n1,2\n\n0,x\n")
    with pytest.raises(DataError, match=r"x\.csv:4: column 's': score 'x' is not a number"):
        read_cases(str(path), "y", ["s"])


@pytest.mark.skipif(kernel_name() == "twin", reason="the twin gains nothing by it")
@pytest.mark.parametrize("kind", ["csv", "tsv", "jsonl"])
def test_a_large_file_of_text_is_read_by_the_kernel(tmp_path: Path, kind: str) -> None:
    path = tmp_path / f"x.{kind}"
    groups = [f"g{number // 7}" for number in range(100)][::-1]
    table = {
        "y": ["0", "1"] * 50,
        "s": list(map(str, range(100))),
        "g": groups,
        "w": ["1", "2"] * 50,
    }
    write(path, random.Random(3), table)
    with (
        patch.multiple(select_columns, _read_text_cells=unusual, contents=unusual),
        patch.object(texts, "_SMALL", 0),
    ):
        cases = read_cases(str(path), "y", ["s"], group="g", weight="w")
    assert cases.relevant.tolist() == [False, True] * 50 and cases.scores["s"].tolist() == list(
        range(100)
    )
    assert cases.weights is not None and cases.weights.tolist() == [1, 2] * 50
    assert {name: len(rows) for name, rows in (cases.groups or {}).items()} == {
        f"g{number}": 7 if number < 14 else 2 for number in range(15)
    }


@pytest.mark.parametrize("kind", ["csv", "jsonl"])
def test_what_is_wrong_in_a_large_file_has_its_line(tmp_path: Path, kind: str) -> None:
    path = tmp_path / f"x.{kind}"
    if kind == "csv":
        rows = ["y,s", *(f"{number % 2},{number}" for number in range(60)), "1,x", *["0,1"] * 60]
        line, said = 62, "'x' is not a number"
    else:
        rows = [f'{{"y": {number % 2}, "s": {number}}}' for number in range(60)]
        rows[50:] = ['{"y": 1}'] * 10
        line, said = 51, "no 's'"
    path.write_text("\n".join(rows) + "\n")
    with patch.object(texts, "_SMALL", 0), pytest.raises(DataError) as caught:
        read_cases(str(path), "y", ["s"])
    assert caught.value.problems[0].line == line and said in str(caught.value)


@pytest.mark.skipif(kernel_name() == "twin", reason="the twin gains nothing by it")
@pytest.mark.parametrize("wrote", ["before the kernel reads", "while it reads"])
def test_a_large_file_that_changes_is_refused(tmp_path: Path, wrote: str) -> None:
    path = tmp_path / "x.csv"
    path.write_text("y,s\n" + "0,1\n1,2\n" * 20)
    kernel = select_columns.kernel()

    def columns_from_table(*given: Any) -> Any:
        if wrote == "while it reads":
            raise Malformed([(0, "changed")], 1)
        with path.open("a") as file:
            file.write("0,3\n")
        return kernel.columns_from_table(*given)

    changing = SimpleNamespace(columns_from_table=columns_from_table)
    with (
        patch.object(texts, "_SMALL", 0),
        patch.object(select_columns, "kernel", lambda: changing),
        pytest.raises(DataError) as caught,
    ):
        read_cases(str(path), "y", ["s"])
    assert caught.value.problems[0].what == sources.CHANGED.what
