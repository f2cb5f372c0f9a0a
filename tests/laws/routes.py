"""All ways from scored cases to a curve: in batches, in buckets on disk, from files. Each has to
give the same bits.
"""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np
from hypothesis import strategies as st

import precall as pc
from precall import ScoredCases
from precall.cases.intervals import interval_of_curve

#: What a curve of scanned cases will be asked for.
ASKED: dict[str, Any] = {"thresholds": [0.5], "accept": [7]}
_SCORES = st.sampled_from([-np.inf, -2.0, -0.0, 0.0, 0.25, 0.5, 1.0, 1.5, 3.0, np.inf]) | st.floats(
    -3, 3
)


@st.composite
def cases(draw: st.DrawFn, size: int = 50) -> tuple[Any, Any, Any]:
    """Labels, of both kinds, scores of float32 or float64, most of them tied, and which part each
    case is in.
    """
    rows = draw(
        st.lists(st.tuples(st.booleans(), _SCORES, st.integers(0, 5)), min_size=8, max_size=size)
    )
    truth = np.array([row[0] for row in rows])
    truth[:2] = [True, False]
    order = np.array(draw(st.permutations(range(len(rows)))))
    dtype = draw(st.sampled_from([np.float32, np.float64]))
    score = np.array([row[1] for row in rows], np.float64).astype(dtype)
    return truth[order], score[order], np.array([row[2] for row in rows])[order]


def numbers(curve: Any) -> list[Any]:
    """What depends on counts at and between relevant scores, as texts that tell all digits."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", pc.PrecallWarning)
        values = [
            curve.average_precision(),
            curve.area_under_roc(),
            curve.areas().to_dict(),
            curve.eleven_point().tolist(),
            curve.break_even(),
            curve.max_f(),
            curve.at(max="MCC"),
            curve.at(threshold=0.5),
            curve.at(accept=7),
            curve.measured(pc.measure("Rprec"), "expected"),
            interval_of_curve(curve, "AP", level=0.95, rng=0, method="logit"),
        ]
    return list(map(repr, values))


@contextmanager
def by(kernel: Any) -> Iterator[None]:
    """Counted by this kernel."""
    from precall.cases import tally

    before, tally.kernel = tally.kernel, lambda: kernel
    try:
        yield
    finally:
        tally.kernel = before


def scanned(truth: Any, score: Any, part: Any, folder: Path) -> Iterator[tuple[str, Any]]:
    """The curve of each route of one machine that this place has; files are for float64, as texts
    have no other scores.
    """
    batches = [(truth[part == each], score[part == each]) for each in np.unique(part)]
    yield "batches", ScoredCases.scan(batches, **ASKED).curve()
    yield "the other way round", ScoredCases.scan(batches[::-1], **ASKED).curve()
    yield "spooled", ScoredCases.scan(iter(batches), **ASKED).curve()
    yield "buckets on disk", ScoredCases.scan(batches, memory=1, **ASKED).curve()
    columns: dict[str, Any] = {"label": "y", "score": "s"}
    if score.dtype == np.float64:
        path = folder / "cases.csv"
        path.write_text(
            "y,s\n" + "".join(f"{y:d},{s!r}\n" for y, s in zip(truth, score.tolist(), strict=True)),
            encoding="utf-8",
        )
        yield "CSV", ScoredCases.scan(path, **columns, **ASKED).curve()
    try:
        import polars
    except ImportError:
        pass
    else:
        polars.DataFrame({"y": truth, "s": score}).write_parquet(
            folder / "cases.parquet", row_group_size=9
        )
        yield "Parquet", ScoredCases.scan(folder / "cases.parquet", **columns, **ASKED).curve()
