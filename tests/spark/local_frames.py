"""A DataFrame and a session within this process, with as much of the interface as curves of cases
use: for many examples.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from typing import Any

import pyarrow as pa


@dataclass
class LocalFrame:
    """Partitions, each a table of Arrow, given to workers in batches of some rows."""

    partitions: list[Any]
    rows: int = 7

    @cached_property
    def columns(self) -> list[str]:
        return list(self.partitions[0].column_names)

    def selectExpr(self, *texts: str) -> LocalFrame:  # noqa: N802
        names = [re.fullmatch(r"`(.+)` AS (\w+)", text).groups() for text in texts]  # type: ignore[union-attr]
        return LocalFrame(
            [pa.table({new: part[old] for old, new in names}) for part in self.partitions],
            self.rows,
        )

    def mapInArrow(self, function: Any, shape: str) -> LocalFrame:  # noqa: N802
        made = [
            list(function(iter(part.to_batches(max_chunksize=self.rows))))
            for part in self.partitions
        ]
        return LocalFrame(
            [pa.Table.from_batches(batches) for batches in made if batches], self.rows
        )

    def where(self, text: str) -> LocalFrame:
        column, kinds = text.split()[0], re.findall(r"'(\w+)'", text)
        kept = [
            part.filter(pa.compute.is_in(part[column], pa.array(kinds))) for part in self.partitions
        ]
        return LocalFrame(kept, self.rows)

    def groupBy(self, *names: str) -> Grouped:  # noqa: N802
        return Grouped(self, names)

    def agg(self, sums: dict[str, str]) -> LocalFrame:
        ((name, _),) = sums.items()
        return LocalFrame(
            [
                pa.table(
                    {name: [sum(row[name] for part in self.partitions for row in part.to_pylist())]}
                )
            ]
        )

    def orderBy(self, *names: str) -> LocalFrame:  # noqa: N802
        whole = pa.concat_tables(self.partitions)
        return LocalFrame([whole.sort_by([(name, "ascending") for name in names])], self.rows)

    def collect(self) -> list[tuple[Any, ...]]:
        return [tuple(row.values()) for part in self.partitions for row in part.to_pylist()]

    def toLocalIterator(self, prefetchPartitions: bool = False) -> Iterator[tuple[Any, ...]]:  # noqa: N802, N803
        return iter(self.collect())

    def persist(self) -> LocalFrame:
        return self

    def unpersist(self) -> None:
        """Nothing is kept."""


@dataclass
class Grouped:
    """Rows of equal keys."""

    frame: LocalFrame
    names: tuple[str, ...]

    def agg(self, sums: dict[str, str]) -> LocalFrame:
        ((name, _),) = sums.items()
        totals: dict[Any, Any] = {}
        for row in (row for part in self.frame.partitions for row in part.to_pylist()):
            key = tuple(row[each] for each in self.names)
            totals[key] = totals.get(key, 0) + row[name]
        return LocalFrame(
            [
                pa.Table.from_pylist(
                    [
                        dict(zip(self.names, key, strict=True), **{name: each})
                        for key, each in totals.items()
                    ]
                )
            ]
        )

    def applyInArrow(self, function: Any, shape: str) -> LocalFrame:  # noqa: N802
        groups: dict[Any, list[Any]] = {}
        whole = pa.concat_tables(self.frame.partitions)
        for place, row in enumerate(whole.to_pylist()):
            groups.setdefault(tuple(row[name] for name in self.names), []).append(place)
        return LocalFrame([function(whole.take(places)) for places in groups.values()])


class LocalSession:
    """What lists files and numbers tasks."""

    def createDataFrame(self, rows: list[tuple[str]], shape: str) -> LocalFrame:  # noqa: N802
        return LocalFrame([pa.table({"path": [path]}) for (path,) in rows])

    def range(self, start: int, end: int, step: int, parts: int) -> LocalFrame:
        cuts = [start + (end - start) * part // parts for part in range(parts + 1)]
        numbers = [range(*ends) for ends in pairwise(cuts)]
        return LocalFrame([pa.table({"id": pa.array(own, pa.int64())}) for own in numbers])
