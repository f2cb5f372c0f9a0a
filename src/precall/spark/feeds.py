"""Where the cases of a task come from: a data frame of Spark, or row groups of Parquet files that
the worker reads itself.

Spark's way from Parquet to Arrow takes much longer than counting the cases.
"""

from __future__ import annotations

import glob
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeAlias

import pyarrow as pa
import pyarrow.fs
import pyarrow.parquet

from precall.core.errors import DataError, Problem, UsageError
from precall.core.text import listing
from precall.read.folders import NONE, columns_of, is_data
from precall.spark.carrying import SHAPE, Row, batches_of, packed, unpacked
from precall.spark.given_rows import CASES, Wanted
from precall.spark.passes import Pass, worker
from precall.spark.running import collected, is_remote, told

#: A task has one row group, or neighbours, of one file or several, of at most so many scores and
#: such a part of all cases: a task in Python costs Spark what a million cases cost to count.
_SCORES, _PARTS = 1 << 24, 8
#: Row groups of files: each a path and which of its groups.
Groups: TypeAlias = list[tuple[str, list[int]]]


@dataclass(frozen=True, slots=True)
class FrameFeed:
    """The rows of a data frame."""

    frame: Any
    name: str = "data frame"

    @property
    def remote(self) -> bool:
        """Whether by Spark Connect."""
        return is_remote(self.frame)

    def rows(self, task: Pass) -> Any:
        """What a pass makes of all partitions."""
        with told():
            # By place from here on: mapInArrow itself does not know names with a full stop.
            quoted = [f"`{name.replace('`', '``')}`" for name in task.wanted.names]
            chosen = self.frame.selectExpr(*(f"{name} AS c{at}" for at, name in enumerate(quoted)))
            return chosen.mapInArrow(worker(task), SHAPE)


def of_frame(frame: Any, wanted: Wanted) -> FrameFeed:
    """The columns of a data frame, if it has them."""
    _refuse_lacking(wanted, frame.columns)
    return FrameFeed(frame)


@dataclass(frozen=True, slots=True)
class FileFeed:
    """Row groups of Parquet files, by task."""

    session: Any
    plan: list[Groups]
    name: str

    @property
    def remote(self) -> bool:
        """Whether by Spark Connect."""
        return is_remote(self.session)

    def rows(self, task: Pass) -> Any:
        """What a pass makes of all files."""
        with told():
            tasks = self.session.range(0, len(self.plan), 1, max(len(self.plan), 1))
            return tasks.mapInArrow(worker(task, _Groups(self.plan, task.wanted.names)), SHAPE)


@dataclass(frozen=True, slots=True)
class _Groups:
    """Reads the row groups of the tasks whose numbers it is given."""

    plan: list[Groups]
    names: list[str]

    def __call__(self, given: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        for batch in given:
            for number in batch.column(0).to_pylist():
                for path, groups in self.plan[number]:
                    yield from self._of_file(path, groups)

    def _of_file(self, path: str, groups: list[int]) -> Iterator[pa.RecordBatch]:
        with _opened(path) as file:
            inside = [name for name in self.names if name in file.schema_arrow.names]
            told = columns_of(path)
            for cases in file.iter_batches(
                CASES, row_groups=groups, columns=inside, use_threads=False
            ):
                columns = [
                    cases.column(name)
                    if name in inside
                    else pa.repeat(pa.scalar(told[name]), len(cases))
                    for name in self.names
                ]
                yield pa.RecordBatch.from_arrays(columns, self.names)


def of_paths(session: Any, paths: list[str], wanted: Wanted) -> FileFeed:
    """The row groups of files, folders and patterns of Parquet; workers look them up, as the driver
    may not see them.
    """
    with told():
        given = session.createDataFrame([(path,) for path in paths], "path string")
    files = sorted(collected(given.mapInArrow(_looked_up, SHAPE)), key=lambda row: row.score)
    problems = [
        Problem(row.score, None, *unpacked(row.state)) for row in files if row.kind == "problem"
    ]
    if problems:
        raise DataError(problems)
    sizes: dict[str, list[int]] = {}
    for row in files:
        names, sizes[row.score] = unpacked(row.state)
        _refuse_lacking(wanted, names, row.score)
    most = min(_SCORES // len(wanted.scores), sum(row.size for row in files) // _PARTS)
    name = paths[0] if len(paths) == 1 else f"{len(paths)} paths"
    return FileFeed(session, list(_together(sizes, most)), name)


def _together(sizes: Mapping[str, list[int]], most: int) -> Iterator[Groups]:
    """Neighbouring row groups of at most so many rows."""
    task: dict[str, list[int]] = {}
    rows = 0
    for path, number, size in (
        (path, *group) for path, known in sizes.items() for group in enumerate(known)
    ):
        if task and rows + size > most:
            yield list(task.items())
            task, rows = {}, 0
        task.setdefault(path, []).append(number)
        rows += size
    if task:
        yield list(task.items())


def _looked_up(given: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
    """Each file with its columns and the size of its row groups, or what is wrong with it."""
    for batch in given:
        for path in batch.column(0).to_pylist():
            yield from batches_of(_files(path))


def _files(path: str) -> Iterator[Row]:
    todo = (
        "name Parquet files, folders or patterns that every worker sees; of other data see "
        "precall.spark.curve"
    )
    try:
        names = _expanded(path)
        if not names:
            yield Row("problem", path, "", 0, 0, packed(NONE, todo))
        for name in names:
            with _opened(name) as file:
                about = file.metadata
                sizes = [about.row_group(number).num_rows for number in range(about.num_row_groups)]
                columns = [*file.schema_arrow.names, *columns_of(name)]
                yield Row("file", name, "", 0, about.num_rows, packed(columns, sizes))
    except (OSError, pa.ArrowException) as error:
        yield Row("problem", path, "", 0, 0, packed(" ".join(str(error).split()), todo))


def _expanded(path: str) -> list[str]:
    if "://" not in path and glob.has_magic(path) and not Path(path).exists():
        # Not by Path.glob, which takes no absolute pattern.
        return sorted(glob.glob(path, recursive=True))  # noqa: PTH207
    system, inner = _system(path)
    if system.get_file_info(inner).type != pa.fs.FileType.Directory:
        return [path]
    found = system.get_file_info(pa.fs.FileSelector(inner, recursive=True))
    names = [
        info.path for info in found if info.is_file and is_data(info.path[len(inner) :].lstrip("/"))
    ]
    scheme = path.partition("://")[0] + "://" if "://" in path else ""
    return sorted(scheme + name for name in names)


def _system(path: str) -> tuple[Any, str]:
    return (
        pa.fs.FileSystem.from_uri(path)
        if "://" in path
        else (pa.fs.LocalFileSystem(), str(Path(path).absolute()))
    )


def _opened(path: str) -> Any:
    system, inner = _system(path)
    return pa.parquet.ParquetFile(inner, filesystem=system, memory_map=False)


def _refuse_lacking(wanted: Wanted, names: list[str], source: str = "") -> None:
    lacking = [name for name in wanted.names if name not in names]
    if lacking:
        where = f"{source}: " * bool(source)
        raise UsageError(f"{where}no column {lacking[0]!r}, the columns are {listing(names)}")
