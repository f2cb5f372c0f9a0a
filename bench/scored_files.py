"""Parquet files of scored cases of any size, written a row group at a time."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

#: Cases of one row group.
ROWS = 1 << 20


def write_cases(path: Path, cases: int, share: float, kind: Any, rows: int = ROWS) -> None:
    """Labels, of which about this share is relevant, and normal scores of a kind; of float64 each
    tenth is rounded.
    """
    import pyarrow as pa
    from pyarrow import parquet

    rng = np.random.default_rng(1)
    schema = pa.schema([("label", pa.bool_()), ("score", pa.from_numpy_dtype(kind))])
    with parquet.ParquetWriter(path, schema, compression="zstd") as file:
        for begin in range(0, cases, rows):
            size = min(rows, cases - begin)
            label = rng.random(size, np.float32) < share
            score = rng.standard_normal(size, kind) + label
            if kind is np.float64:
                score[::10] = score[::10].round(3)
            file.write_table(
                pa.table({"label": label, "score": score}, schema=schema), row_group_size=rows
            )
