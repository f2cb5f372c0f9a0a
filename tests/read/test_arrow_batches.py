"""Arrow files and streams in batches: every way of writing them, and what is damaged."""

from __future__ import annotations

import gzip
import io
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import precall as pc
from precall import ScoredCases
from precall.read import table_batches
from precall.read.arrow_batches import arrow_batches

KINDS = ["file", "stream", "lz4", "zstd", "old", "polars", "polars stream"]


def cases() -> tuple[Any, Any, Any]:
    rng = np.random.default_rng(3)
    truth = rng.random(900) < 0.2
    return truth, np.round(rng.normal(size=900) + truth, 2), rng.choice(["a", "b", "c"], 900)


def written(kind: str) -> bytes:
    """The cases in batches of 200 rows, groups by a dictionary."""
    truth, score, group = cases()
    out = io.BytesIO()
    if kind.startswith("polars"):
        polars = pytest.importorskip("polars")
        frame = polars.DataFrame({"y": truth, "s": score, "g": group}).with_columns(
            polars.col("g").cast(polars.Categorical)
        )
        getattr(frame, "write_ipc_stream" if kind.endswith("stream") else "write_ipc")(out)
        return out.getvalue()
    arrow = pytest.importorskip("pyarrow")
    pytest.importorskip("polars")
    table = arrow.table({"y": truth, "s": score, "g": arrow.array(group).dictionary_encode()})
    options = arrow.ipc.IpcWriteOptions(
        compression=kind if kind in ("lz4", "zstd") else None, use_legacy_format=kind == "old"
    )
    make = arrow.ipc.new_file if kind in ("file", "lz4") else arrow.ipc.new_stream
    with make(out, table.schema, options=options) as writer:
        for batch in table.to_batches(max_chunksize=200):
            writer.write_batch(batch)
    return out.getvalue()


@pytest.mark.nightly(keep=5)
@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("ending", ["", ".gz"])
def test_every_way_of_writing(
    kind: str, ending: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(table_batches, "ROWS", 150)
    path = tmp_path / f"c.arrow{ending}"
    data = written(kind)
    path.write_bytes(gzip.compress(data) if ending else data)
    truth, score, group = cases()
    scanned = ScoredCases.scan(path, label="y", score="s", group="g")
    for name in "abc":
        whole = pc.curve(truth[group == name], score[group == name])
        assert scanned.curve(group=name).average_precision() == whole.average_precision()
    if not ending and not kind.startswith("polars"):
        assert [len(frame) for frame in arrow_batches(str(path), "c")] == [200, 200, 200, 200, 100]


@pytest.mark.nightly(keep=1)
@pytest.mark.parametrize("kind", ["file", "stream", "polars"])
def test_what_is_cut_short_or_damaged_is_an_error_and_no_crash(kind: str, tmp_path: Path) -> None:
    data, path = written(kind), tmp_path / "c.arrow"
    draw = np.random.default_rng(0)
    ends = [0, 3, 8, 11, *draw.integers(12, len(data) - 9, 6).tolist()]
    for end in ends:
        path.write_bytes(data[:end])
        with pytest.raises(pc.DataError, match="Arrow"):
            ScoredCases.scan(path, label="y", score="s")
    for _ in range(15):
        changed = bytearray(data)
        changed[int(draw.integers(len(data)))] ^= 1 << int(draw.integers(8))
        path.write_bytes(changed)
        try:
            ScoredCases.scan(path, label="y", score="s")
        except pc.PrecallError:
            continue
