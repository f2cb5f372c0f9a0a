"""Data sets by name: `irds:NAME` is a data set of ir_datasets."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from precall.core.errors import Cause, Mistake, UsageError, require_module


def rows_of(source: object, of_run: bool) -> Iterable[Any]:
    """The judgements or scored items of a data set of ir_datasets, given itself or by name."""
    data, label = source, "source"
    if isinstance(source, str):
        label = source
        ir_datasets = require_module("ir_datasets", f"reading {source} needs ir_datasets")
        try:
            data = ir_datasets.load(source.removeprefix("irds:"))
        except KeyError:
            remedy = "see https://ir-datasets.com for their names"
            raise UsageError(
                argument=source, what="ir_datasets has no data set of that name", remedy=remedy
            ) from None
    has, iterate = ("has_scoreddocs", "scoreddocs_iter") if of_run else ("has_qrels", "qrels_iter")
    if not getattr(data, has, lambda: False)():
        subject = "run" if of_run else "qrels"
        raise UsageError(
            argument=label,
            what=f"this data set has no {subject}",
            remedy="name a part of it that has, or a file",
        )
    return _load_rows(getattr(data, iterate)(), label)


def _load_rows(rows: Iterable[object], label: str) -> Iterator[Any]:
    """The rows; a failed download is an error of the input."""
    try:
        yield from rows
    except (OSError, RuntimeError) as error:
        raise Mistake(
            "ir_datasets cannot load it ({got})",
            "get its files as ir_datasets explains, or name files",
            got=Cause(error),
        ).error(label) from error
