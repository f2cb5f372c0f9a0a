"""The table of scored cases that were collected in batches: its columns, and reading it back."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any, NamedTuple

import numpy as np

from precall.cases.score_counts import (
    LOW_SCORE,
    SCORE,
    WEIGHTS,
    Counted,
    count_of,
    names_of_counts,
)
from precall.cases.scored_cases import scores
from precall.core.errors import (
    Among,
    Cause,
    Fact,
    Kind,
    Mistake,
    UsageError,
    require_module,
)
from precall.read.frames import is_table
from precall.read.problems import no_column
from precall.read.sources import is_path
from precall.results.sheets import Table

_SOURCE = "scored cases"
_FROM = "pass what `table` or `to_parquet` gave"


class Stored(NamedTuple):
    """Content of a table: its rows, which may name a score twice, and the number of relevant items
    without a score.
    """

    counts: Counted
    missed: int
    weighted: bool
    higher_is_better: bool


def names_of(columns: Collection[str]) -> tuple[str, ...]:
    """The columns to read, from those that the table has."""
    high = SCORE in columns or LOW_SCORE not in columns
    return names_of_counts(high, set(WEIGHTS) <= set(columns))


def read_counts(source: object) -> Stored:
    """The content of a Parquet file, or of any object with Arrow data or columns by name."""
    columns = _columns(source)
    first, *names = names_of(columns)
    high, weighted = first == SCORE, names == list(WEIGHTS)
    score = scores(columns[first], high).astype(np.float64)
    counts = [np.asarray(columns[name]) for name in names]
    for name, cells in zip(names, counts, strict=True):
        wrong = cells.dtype.kind not in ("iuf" if weighted else "iu")
        bad = ~(np.isfinite(cells) & (cells >= 0)) if not wrong else np.zeros(0, np.bool_)
        if wrong or bad.any():
            raise Mistake(
                "column {column} holds {got}",
                "check the file",
                got=Fact(cells.dtype) if wrong else cells[int(np.argmax(bad))],
                allowed=Among("allowed are", ["counts >= 0"]),
                column=name,
            ).error(_SOURCE)
    missing = np.isnan(score)
    if counts[1][missing].any():
        raise Mistake(
            "there are other cases without a score; only relevant ones can be missed",
            "give each a score, or remove the row",
        ).error(_SOURCE)
    if not weighted:
        count_of(counts[0], count_of(counts[1]))
    positive, negative = (
        column[~missing].astype(np.float64 if column.dtype.kind == "f" else np.int64)
        for column in counts
    )
    return Stored(
        (score[~missing], positive, negative), int(counts[0][missing].sum()), weighted, high
    )


def _columns(source: object) -> dict[str, Any]:
    if isinstance(source, Table):
        return dict(source.columns)
    polars = require_module("polars", "from_table() needs Polars")
    if not (is_path(source) or is_table(source)):
        raise UsageError(argument="source", allowed="a table or the path of one", got=Kind(source))
    try:
        frame = polars.read_parquet(source) if is_path(source) else polars.DataFrame(source)
    except (polars.exceptions.PolarsError, TypeError, ValueError, OverflowError) as error:
        mistake = Mistake("no table can be made of it: {got}", _FROM, got=Cause(error))
        raise mistake.error(_SOURCE) from None
    names = names_of(list(frame.columns))
    lacking = set(names) - set(frame.columns)
    if lacking:
        raise no_column(sorted(lacking), frame.columns, _FROM).error(_SOURCE)
    return {name: frame[name].to_numpy() for name in names}
