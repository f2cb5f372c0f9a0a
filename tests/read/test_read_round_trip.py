"""What was written is what is read, whatever the ids and numbers, in every form that can hold
them.
"""

from __future__ import annotations

import csv
import io
import json
import math
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import precall as pc
from precall.core.errors import DataError

# Any text that UTF-8 can encode; ids of TREC text hold no blanks, line ends or NUL.
TEXT = st.text(
    st.characters(exclude_categories=["Cs"], exclude_characters="\0"), min_size=1, max_size=8
)
FIELD = st.text(
    st.characters(exclude_categories=["Cs"], exclude_characters="\0 \t\r\n"), min_size=1, max_size=8
).filter(lambda text: text[0] not in "#\ufeff")
SCORE = st.floats(allow_nan=False)
GRADE = st.integers(-(2**31), 2**31 - 1)


def collections(ids, values):
    return st.dictionaries(
        ids, st.dictionaries(ids, values, min_size=1, max_size=5), min_size=1, max_size=4
    )


def back(columns: pc.Run | pc.Qrels) -> list[tuple[str, str, float]]:
    value = (columns.score if isinstance(columns, pc.Run) else columns.grade).tolist()
    items, bounds = columns.items.tolist(), columns.row_start.tolist()
    return [
        (topic, item, number)
        for topic, a, b in zip(columns.topics.tolist(), bounds[:-1], bounds[1:], strict=True)
        for item, number in zip(items[a:b], value[a:b], strict=True)
    ]


def rows(collection):
    return [
        (topic, item, value) for topic, inner in collection.items() for item, value in inner.items()
    ]


@pytest.fixture(scope="module")
def folder(tmp_path_factory) -> Path:
    return tmp_path_factory.mktemp("round")


def same(got, expected) -> bool:
    # -0.0 is not 0.0 here: a reader changes no bit.
    return [(t, i, v, math.copysign(1, v)) for t, i, v in got] == [
        (t, i, v, math.copysign(1, v)) for t, i, v in expected
    ]


@pytest.mark.nightly
@given(run=collections(FIELD, SCORE), qrels=collections(FIELD, GRADE))
def test_trec_text(folder, run, qrels):
    path = folder / "x.run"
    path.write_bytes("".join(f"{t} Q0\t{i}  1 {s!r} tag \r\n" for t, i, s in rows(run)).encode())
    assert same(back(pc.read_run(path)), rows(run))
    path.write_bytes("\n".join(f"{t} 0 {i} {g}" for t, i, g in rows(qrels)).encode())
    assert same(back(pc.read_qrels(path)), rows(qrels))


@pytest.mark.nightly
@given(run=collections(TEXT, SCORE), qrels=collections(TEXT, GRADE))
@pytest.mark.parametrize(("name", "separator"), [("x.csv", ","), ("x.tsv", "\t")])
def test_cells(folder, name, separator, run, qrels):
    for collection, value, read in ((run, "score", pc.read_run), (qrels, "grade", pc.read_qrels)):
        text = io.StringIO(newline="")
        writer = csv.writer(text, delimiter=separator)
        writer.writerow(["topic", "item", value])
        writer.writerows((t, i, repr(v)) for t, i, v in rows(collection))
        (folder / name).write_bytes(text.getvalue().encode())
        assert same(back(read(folder / name)), rows(collection))


@pytest.mark.nightly
@given(run=collections(TEXT, SCORE), qrels=collections(TEXT, GRADE), ascii=st.booleans())
def test_json_lines(folder, run, qrels, ascii):
    for collection, value, read in ((run, "score", pc.read_run), (qrels, "grade", pc.read_qrels)):
        lines = [
            json.dumps({"topic": t, "item": i, value: v}, ensure_ascii=ascii)
            for t, i, v in rows(collection)
        ]
        (folder / "x.jsonl").write_bytes("\n".join(lines).encode())
        assert same(back(read(folder / "x.jsonl")), rows(collection))


@pytest.mark.nightly
@given(run=collections(TEXT, SCORE), qrels=collections(TEXT, GRADE))
def test_objects(run, qrels):
    for collection, value, read in ((run, "score", pc.read_run), (qrels, "grade", pc.read_qrels)):
        expected = rows(collection)
        assert same(back(read(collection)), expected)
        assert same(back(read(expected)), expected)
        columns = dict(
            zip(("topic", "item", value), map(list, zip(*expected, strict=True)), strict=True)
        )
        for library in ("polars", "pyarrow"):
            module = pytest.importorskip(library)
            frame = module.DataFrame(columns) if library == "polars" else module.table(columns)
            assert same(back(read(frame)), expected)


@pytest.mark.nightly
@given(data=st.binary(max_size=60))
@pytest.mark.parametrize("name", ["x.run", "x.csv", "x.tsv", "x.jsonl", "x.gz", "x.zst"])
def test_any_bytes_are_read_or_refused(folder, name, data):
    for read, value in ((pc.read_run, b"score"), (pc.read_qrels, b"grade")):
        for head in (
            b"",
            b"topic,item," + value + b"\n",
            b'{"topic": "q", "item": "a", "' + value + b'": ',
        ):
            (folder / name).write_bytes(head + data)
            said = _said(read, folder / name)
            assert all(line.isprintable() for line in said)


def _said(read, path: Path) -> list[str]:
    try:
        assert len(read(path)) > 0
    except DataError as error:
        return str(error).split("\n")
    return []
