"""Data sets that have a name: `irds:NAME` is one of ir_datasets."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from precall.core.errors import DataError, Problem, UsageError, imported


def rows_of(source: Any, of_run: bool) -> Iterable[Any]:
    """The judgements, or the scored items, of a data set of ir_datasets or of its name."""
    data, label = source, "source"
    if isinstance(source, str):
        label = source
        known = imported("ir_datasets", f"reading {source} needs ir_datasets")
        try:
            data = known.load(source.removeprefix("irds:"))
        except KeyError:
            todo = "see https://ir-datasets.com for their names"
            raise UsageError(
                argument=source, what="ir_datasets has no data set of that name", remedy=todo
            ) from None
    has, iterate = ("has_scoreddocs", "scoreddocs_iter") if of_run else ("has_qrels", "qrels_iter")
    if not getattr(data, has, lambda: False)():
        what = "run" if of_run else "qrels"
        raise UsageError(
            argument=label,
            what=f"this data set has no {what}",
            remedy="name a part of it that has, or a file",
        )
    return _loaded(getattr(data, iterate)(), label)


def _loaded(rows: Iterable[Any], label: str) -> Iterator[Any]:
    """The rows; that they cannot be had, as they are downloaded first, is an error of the input."""
    try:
        yield from rows
    except (OSError, RuntimeError) as error:
        what = f"ir_datasets cannot load it ({' '.join(str(error).split()):.160})"
        raise DataError(
            [Problem(label, None, what, "get its files as ir_datasets says, or name files")]
        ) from error
