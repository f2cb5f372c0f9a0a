"""Data frames of all libraries, the Arrow capsule interface, and files of columns."""

from __future__ import annotations

import io
from datetime import datetime
from decimal import Decimal
from pathlib import Path

import numpy as np
import pytest

import precall as pc
from precall.core.errors import DataError, MissingExtra, UsageError
from precall.native.literals import NUMBER

DATA = {
    "topic": ["q1", "q2", "q1", "q2"],
    "item": ["007", "é", "b", "x y"],
    "score": [1.5, float("-inf"), 2.0, 0.1],
    "grade": [1, 0, -1, 2],
    "more": [None, "a", "b", "c"],
}
NO_ORDER = (
    "score is NaN, which has no place in an order; give a number (inf and -inf are allowed) or "
    "remove it"
)


def polars(data):
    return pytest.importorskip("polars").DataFrame(data)


def lazy(data):
    return polars(data).lazy()


def pandas(data):
    return pytest.importorskip("pandas").DataFrame(data)


def pyarrow(data):
    return pytest.importorskip("pyarrow").table(data)


def batch(data):
    return pytest.importorskip("pyarrow").RecordBatch.from_pydict(data)


def reader(data):
    return pyarrow(data).to_reader(max_chunksize=3)


def duckdb(data):
    module = pytest.importorskip("duckdb")
    return module.from_arrow(pyarrow(data))


def narwhals(data):
    return pytest.importorskip("narwhals").from_native(polars(data))


def nanoarrow(data):
    return pytest.importorskip("nanoarrow").ArrayStream(pyarrow(data))


FRAMES = [polars, lazy, pandas, pyarrow, batch, reader, duckdb, narwhals, nanoarrow]


def message(source: object, read=pc.read_run, **options: object) -> str:
    with pytest.raises(DataError) as caught:
        read(source, **options)
    return str(caught.value)


def columns(run: pc.Run | pc.Qrels) -> tuple[object, ...]:
    value = run.score if isinstance(run, pc.Run) else run.grade
    return run.topics.tolist(), run.row_start.tolist(), run.items.tolist(), value.tolist()


@pytest.mark.parametrize("frame", FRAMES)
def test_frames(frame):
    run = pc.read_run(frame(DATA))
    assert columns(run) == (
        ["q1", "q2"],
        [0, 2, 4],
        ["007", "b", "é", "x y"],
        [1.5, 2.0, -np.inf, 0.1],
    )
    assert (run.source, run.name, run.tag) == ("frame", "run", "")
    assert columns(pc.read_qrels(frame(DATA)))[-1] == [1, -1, 0, 2]


@pytest.mark.parametrize("frame", FRAMES)
def test_columns_may_be_called_otherwise(frame):
    data = {"qid": ["q"], "docid": [7], "s": [3]}
    names = {"topic": "qid", "item": "docid", "score": "s", "grade": "s"}
    for read in (pc.read_run, pc.read_qrels):
        assert columns(read(frame(data), columns=names)) == (["q"], [0, 1], ["7"], [3])


@pytest.mark.parametrize("frame", FRAMES)
def test_a_column_that_is_not_there(frame):
    data = {"topic": ["q"], "song": ["a"], "score": [1.0]}
    assert message(frame(data)) == (
        "frame: no column 'item', the columns are 'topic', 'song', 'score'; "
        'name them with columns={"topic": ..., "item": ..., "score": ...}'
    )


@pytest.mark.parametrize("frame", FRAMES)
def test_values_that_are_missing(frame):
    data = DATA | {"item": ["a", None, "b", "c"], "score": [1.0, 2.0, 3.0, None]}
    lines = message(frame(data), name="bm25").splitlines()
    assert (
        lines[0] == "frame 'bm25', row 2: no value in column 'item'; fill it in or remove the row"
    )
    # pandas knows no missing float but NaN.
    assert lines[1] in (
        "frame 'bm25', row 4: no value in column 'score'; fill it in or remove the row",
        f"frame 'bm25', row 4: {NO_ORDER}",
    )
    assert len(lines) == 2


@pytest.mark.parametrize("frame", FRAMES)
def test_scores_that_are_not_numbers(frame):
    data = DATA | {"score": [1.0, float("nan"), 2.0, float("nan")]}
    assert message(frame(data)).splitlines() == [
        f"frame, row 2: {NO_ORDER}",
        f"frame, row 4: {NO_ORDER}",
    ]


@pytest.mark.parametrize("frame", [polars, pandas, pyarrow, duckdb, narwhals])
@pytest.mark.parametrize(
    ("column", "cells", "read", "expected"),
    [
        (
            "score",
            [datetime(2020, 1, day) for day in (1, 2, 3, 4)],
            pc.read_run,
            "allowed are numbers; cast it to numbers",
        ),
        (
            "grade",
            [datetime(2020, 1, day) for day in (1, 2, 3, 4)],
            pc.read_qrels,
            "allowed are numbers; cast it to numbers",
        ),
        (
            "topic",
            [True, True, False, True],
            pc.read_run,
            "allowed are strings or integers; cast it to strings or",
        ),
    ],
)
def test_columns_of_the_wrong_type(frame, column, cells, read, expected):
    said = message(frame(DATA | {column: cells}), read)
    assert said.startswith(f"frame: column '{column}' holds ") and expected in said
    assert len(said.splitlines()) == 1


@pytest.mark.parametrize("frame", FRAMES)
def test_duplicates_and_no_rows(frame):
    data = {"topic": ["q", "q"], "item": ["a", "a"], "score": [1.0, 2.0], "grade": [1, 2]}
    assert message(frame(data)) == (
        "frame, row 2: topic 'q' has item 'a' twice (first at row 1); "
        'remove one or pass duplicates="first", "last" or "best"'
    )
    assert message(frame(data), pc.read_qrels) == (
        "frame, row 2: topic 'q' has item 'a' with grade 2, and at row 1 with grade 1; "
        'remove one or pass duplicates="first", "last" or "best"'
    )
    assert pc.read_run(frame(data), duplicates="last").score.tolist() == [2.0]
    none = {name: cells[:0] for name, cells in data.items()}
    assert (
        message(frame(none))
        == "frame: no data row, a run has at least one; check that it was written"
    )


def test_float32_keeps_its_values_and_float64_may_be_rounded():
    score = np.array([0.1, 0.2, 0.3, 1e30], np.float32)
    for frame in (polars, pandas, pyarrow):
        run = pc.read_run(frame(DATA | {"score": score}))
        assert run.score.tolist() == [
            float(score[0]),
            float(score[2]),
            float(score[1]),
            float(score[3]),
        ]
    run = pc.read_run(polars(DATA | {"score": [0.1, -np.inf, 1.0, 2.0]}), score_dtype="float32")
    assert run.score.tolist() == [float(np.float32(0.1)), 1.0, -np.inf, 2.0]
    with pytest.raises(
        DataError,
        match=r"^frame, row 2: score '1e\+300' is beyond float32 .*; pass score_dtype=\"float64\"$",
    ):
        pc.read_run(polars(DATA | {"score": [0.1, 1e300, 1.0, 2.0]}), score_dtype="float32")


def test_integers_of_all_kinds():
    pl = pytest.importorskip("polars")
    for kind in (pl.Int8, pl.Int16, pl.Int32, pl.Int64, pl.UInt8, pl.UInt16, pl.UInt32, pl.UInt64):
        frame = polars(DATA | {"grade": [1, 2, 0, 3], "item": [4, 5, 6, 7]})
        frame = frame.with_columns(pl.col("grade", "item").cast(kind))
        assert columns(pc.read_qrels(frame)) == (
            ["q1", "q2"],
            [0, 2, 4],
            ["4", "6", "5", "7"],
            [1, 0, 2, 3],
        )
        assert pc.read_run(frame, columns={"score": "grade"}).score.tolist() == [1.0, 0.0, 2.0, 3.0]
    for value in (2**31, 2**63):
        frame = polars(
            {"topic": ["q"], "item": ["a"], "grade": pl.Series([value], dtype=pl.UInt64)}
        )
        assert message(frame, pc.read_qrels).startswith(
            f"frame, row 1: grade '{value}' is beyond 32 bits"
        )


def test_other_types_of_cells():
    pl = pytest.importorskip("polars")
    frame = polars(
        DATA | {"score": [Decimal("0.1"), Decimal("2.0"), Decimal("3.0"), Decimal("4.0")]}
    )
    frame = frame.with_columns(
        pl.col("topic").cast(pl.Categorical), pl.col("item").cast(pl.Enum(DATA["item"]))
    )
    assert columns(pc.read_run(frame)) == (
        ["q1", "q2"],
        [0, 2, 4],
        ["007", "b", "é", "x y"],
        [0.1, 3.0, 2.0, 4.0],
    )
    boolean = frame.with_columns(pl.Series("grade", [True, False, True, True]))
    assert pc.read_qrels(boolean).grade.tolist() == [1, 1, 0, 1]


def test_types_that_only_pandas_has():
    pd = pytest.importorskip("pandas")
    frame = pandas(DATA).astype(
        {"topic": "category", "item": object, "score": "Float64", "grade": "Int64"}
    )
    frame.index = [5, 5, 6, 7]
    assert columns(pc.read_run(frame)) == columns(pc.read_run(DATA_ROWS))
    assert pc.read_qrels(frame).grade.tolist() == [1, -1, 0, 2]
    frame["grade"] = pd.array([1, None, 2, 3], dtype="Int64")
    assert (
        message(frame, pc.read_qrels)
        == "frame, row 2: no value in column 'grade'; fill it in or remove the row"
    )
    mixed = pandas(DATA | {"item": ["a", 7, None, 1.5], "score": [1, "2,5", 3.5, None]}).astype(
        {"score": object}
    )
    assert message(mixed).splitlines() == [
        f"frame, row 2: score '2,5' (str) is not a number; {NUMBER}",
        "frame, row 3: no value in column 'item'; fill it in or remove the row",
        (
            "frame, row 4: column 'item' holds 1.5 (float), an id is a string or an integer; "
            "write it as a string"
        ),
    ]


DATA_ROWS = list(zip(DATA["topic"], DATA["item"], DATA["score"], strict=True))


@pytest.mark.nightly
def test_many_rows_go_in_batches():
    n = 150_000
    data = {"topic": ["q"] * n, "item": list(range(n)), "score": np.arange(n) / 4}
    for frame in (polars(data), pyarrow(data).to_reader(max_chunksize=100_000)):
        run = pc.read_run(frame)
        assert run.items.tolist() == [str(i) for i in range(n)]
        assert np.array_equal(run.score, data["score"])
    data["score"][[3, n - 2]] = np.nan
    assert [line.partition(": ")[0] for line in message(polars(data)).splitlines()] == [
        "frame, row 4",
        f"frame, row {n - 1}",
    ]


def test_what_is_no_frame():
    pl = pytest.importorskip("polars")
    with pytest.raises(
        UsageError, match="source: got Series, which is no table; pass a data frame"
    ):
        pc.read_run(pl.Series([1]))
    with pytest.raises(UsageError, match=r"source: got .*, which is no table; pass a data frame"):
        pc.read_run(pl.col("a"))


def test_duckdb_without_pyarrow(monkeypatch):
    source = duckdb(DATA)

    def absent(*_: object, **__: object) -> None:
        raise ModuleNotFoundError("No module named 'pyarrow'")

    import narwhals as nw

    monkeypatch.setattr(nw.LazyFrame, "collect", absent)
    assert columns(pc.read_run(source)) == columns(pc.read_run(DATA_ROWS))


# Files of columns.

WRITERS = {
    "x.parquet": "write_parquet",
    "x.arrow": "write_ipc",
    "x.feather": "write_ipc",
    "x.ipc": "write_ipc_stream",
}


def packed(name: str, data=DATA) -> bytes:
    file = io.BytesIO()
    getattr(polars(data), WRITERS[name])(file)
    return file.getvalue()


@pytest.mark.parametrize("name", WRITERS)
def test_files_of_columns(tmp_path, name):
    import gzip

    data = packed(name)
    (tmp_path / name).write_bytes(data)
    (tmp_path / f"{name}.gz").write_bytes(gzip.compress(data))
    for path in (tmp_path / name, tmp_path / f"{name}.gz"):
        run = pc.read_run(path)
        assert columns(run) == columns(pc.read_run(DATA_ROWS))
        assert (run.name, run.source) == ("x", str(path))
        assert pc.read_qrels(path).grade.tolist() == [1, -1, 0, 2]


@pytest.mark.parametrize("name", WRITERS)
def test_problems_of_files_of_columns(tmp_path, name):
    path = tmp_path / name
    path.write_bytes(packed(name, DATA | {"score": [1.0, None, float("nan"), 2.0]}))
    assert message(path).splitlines() == [
        f"{path}, row 2: no value in column 'score'; fill it in or remove the row",
        f"{path}, row 3: {NO_ORDER}",
    ]
    assert message(path, columns={"item": "docid"}) == (
        f"{path}: no column 'docid', the columns are 'topic', 'item', 'score', 'grade', 'more'; "
        'name them with columns={"topic": ..., "item": ..., "score": ...}'
    )
    path.write_bytes(b"this is something else")
    said = message(path)
    assert said.startswith(f"{path}: not a") and said.endswith(
        "; write it again, or name its true format"
    )


@pytest.mark.nightly
@pytest.mark.parametrize("name", ["x.parquet", "x.arrow", "x.ipc"])
def test_files_that_lie_are_errors_not_crashes(tmp_path, name):
    """Changed bytes hit lengths, offsets and counts of rows: any outcome but a crash or another
    exception.
    """
    data = packed(name)
    rng = np.random.default_rng(7)
    path = tmp_path / name
    outcomes = set()
    for _ in range(150):
        changed = np.frombuffer(data, np.uint8).copy()
        place = rng.integers(len(changed), size=rng.integers(1, 6))
        changed[place] = rng.choice([0, 1, 127, 128, 255], size=len(place))
        path.write_bytes(
            changed[: rng.integers(1, len(changed) + 1)].tobytes()
            if rng.random() < 0.1
            else changed
        )
        try:
            pc.read_run(path)
            outcomes.add("read")
        except DataError:
            outcomes.add("refused")
    assert outcomes == {"read", "refused"}


@pytest.mark.parametrize("name", ["x.arrow", "x.ipc"])
def test_a_file_that_claims_more_rows_than_it_has(tmp_path, name):
    rows = 11
    data = packed(name, {"topic": ["q"] * rows, "item": list(range(rows)), "score": [0.5] * rows})
    count = rows.to_bytes(8, "little")
    refused = 0
    for place in range(len(data)):
        if data[place : place + 8] == count:
            for claim in (2**31, 2**40, 2**63 - 1, -1):
                lie = claim.to_bytes(8, "little", signed=True)
                (tmp_path / name).write_bytes(data[:place] + lie + data[place + 8 :])
                refused += _is_refused(tmp_path / name, rows)
    assert refused


def _is_refused(path: Path, rows: int) -> bool:
    try:
        run = pc.read_run(path)
    except DataError as error:
        return "not an Arrow file or stream that Polars can read" in str(error)
    # Some counts Polars does not look at.
    assert len(run.score) == rows
    return False


def test_files_of_columns_need_polars(tmp_path, monkeypatch):
    import sys

    monkeypatch.setitem(sys.modules, "polars", None)
    for format in ("parquet", "arrow"):
        with pytest.raises(
            MissingExtra, match=rf"reading {format} needs Polars: pip install polars"
        ):
            pc.read_run(tmp_path / "x", format=format)


# One collection, in every form there is.


def test_all_forms_say_the_same(tmp_path: Path):
    run = {"q1": {"007": 1.5, "b": -2e-300}, "q2": {"é": float("inf"), "c": 0.1}}
    rows = [(topic, item, score) for topic, inner in run.items() for item, score in inner.items()]
    data = dict(zip(("topic", "item", "score"), map(list, zip(*rows, strict=True)), strict=True))
    expected = columns(pc.read_run(run))
    texts = {
        "x.run": "".join(f"{t} Q0 {i} 1 {s!r} tag\n" for t, i, s in rows),
        "x.csv": "topic,item,score\n" + "".join(f"{t},{i},{s!r}\n" for t, i, s in rows),
        "x.tsv": "topic\titem\tscore\n" + "".join(f"{t}\t{i}\t{s!r}\n" for t, i, s in rows),
        "x.jsonl": "".join(
            f'{{"topic": "{t}", "item": "{i}", "score": {repr(s).replace("inf", "Infinity")}}}\n'
            for t, i, s in rows
        ),
    }
    for name, text in texts.items():
        (tmp_path / name).write_text(text, encoding="utf-8")
        assert columns(pc.read_run(tmp_path / name)) == expected
    assert columns(pc.read_run(rows)) == expected
    for frame in FRAMES:
        assert columns(pc.read_run(frame(data))) == expected
    for name in WRITERS:
        (tmp_path / name).write_bytes(packed(name, data))
        assert columns(pc.read_run(tmp_path / name)) == expected
