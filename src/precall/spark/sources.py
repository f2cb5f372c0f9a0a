"""Sources of a task's cases: a data frame of Spark, or row groups of Parquet files.

Workers read the files themselves, because Spark's conversion from Parquet to Arrow takes much
longer than counting the cases.
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

from precall.core.errors import Cause, DataError, Labels, Mistake, UsageError
from precall.read.folders import NONE, columns_of, is_data
from precall.spark.jobs import collect, is_remote, translate_errors
from precall.spark.passes import Pass, worker
from precall.spark.serialize import SHAPE, Row, batches_of, pack, unpack
from precall.spark.validate import CASES, Wanted

#: A task has one row group or several neighbouring ones, of one or more files: at most _SCORES
#: scores, and at most 1 / _PARTS of all cases. Tasks should not be small: starting one in Python
#: costs as much as counting a million cases.
_SCORES, _PARTS = 1 << 24, 8
#: Row groups of files: paths, each with the numbers of its groups.
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
        """The rows that a pass makes of all partitions."""
        with translate_errors():
            # Columns are numbered from here on: mapInArrow fails for names with a full stop.
            quoted = [f"`{name.replace('`', '``')}`" for name in task.wanted.names]
            chosen = self.frame.selectExpr(*(f"{name} AS c{at}" for at, name in enumerate(quoted)))
            return chosen.mapInArrow(worker(task), SHAPE)


def of_frame(frame: Any, wanted: Wanted) -> FrameFeed:
    """The source for a data frame; raises if it lacks a column."""
    _refuse_lacking(wanted, frame.columns)
    return FrameFeed(frame)


@dataclass(frozen=True, slots=True)
class FileFeed:
    """Row groups of Parquet files, grouped by task."""

    session: Any
    plan: list[Groups]
    name: str

    @property
    def remote(self) -> bool:
        """Whether by Spark Connect."""
        return is_remote(self.session)

    def rows(self, task: Pass) -> Any:
        """The rows that a pass makes of all files."""
        with translate_errors():
            tasks = self.session.range(0, len(self.plan), 1, max(len(self.plan), 1))
            return tasks.mapInArrow(worker(task, _RowGroups(self.plan, task.wanted.names)), SHAPE)


@dataclass(frozen=True, slots=True)
class _RowGroups:
    """A function that reads the row groups of tasks, given the tasks' numbers."""

    plan: list[Groups]
    names: list[str]

    def __call__(self, batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        for batch in batches:
            for number in batch.column(0).to_pylist():
                for path, groups in self.plan[number]:
                    yield from self._of_file(path, groups)

    def _of_file(self, path: str, groups: list[int]) -> Iterator[pa.RecordBatch]:
        with _open(path) as file:
            inside = [name for name in self.names if name in file.schema_arrow.names]
            name_by_column = columns_of(path)
            for cases in file.iter_batches(
                CASES, row_groups=groups, columns=inside, use_threads=False
            ):
                columns = [
                    cases.column(name)
                    if name in inside
                    else pa.repeat(pa.scalar(name_by_column[name]), len(cases))
                    for name in self.names
                ]
                yield pa.RecordBatch.from_arrays(columns, self.names)


def of_paths(session: Any, paths: list[str], wanted: Wanted) -> FileFeed:
    """The source for Parquet files, folders and patterns.

    Workers look the paths up, because the driver may not see them.
    """
    with translate_errors():
        path_frame = session.createDataFrame([(path,) for path in paths], "path string")
    files = sorted(collect(path_frame.mapInArrow(_looked_up, SHAPE)), key=lambda row: row.score)
    problems = [
        mistake.of(row.score)
        for row in files
        if row.kind == "problem"
        for mistake in unpack(row.state)
    ]
    if problems:
        raise DataError(problems)
    sizes: dict[str, list[int]] = {}
    for row in files:
        names, sizes[row.score] = unpack(row.state)
        _refuse_lacking(wanted, names, row.score)
    most = min(_SCORES // len(wanted.scores), sum(row.size for row in files) // _PARTS)
    name = paths[0] if len(paths) == 1 else f"{len(paths)} paths"
    return FileFeed(session, list(_together(sizes, most)), name)


def _together(sizes: Mapping[str, list[int]], most: int) -> Iterator[Groups]:
    """Groups of neighbouring row groups with at most `most` rows."""
    task: dict[str, list[int]] = {}
    rows = 0
    for path, number, size in (
        (path, *group) for path, group_sizes in sizes.items() for group in enumerate(group_sizes)
    ):
        if task and rows + size > most:
            yield list(task.items())
            task, rows = {}, 0
        task.setdefault(path, []).append(number)
        rows += size
    if task:
        yield list(task.items())


def _looked_up(batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
    """Each file with its columns and the sizes of its row groups, or with its error."""
    for batch in batches:
        for path in batch.column(0).to_pylist():
            yield from batches_of(_files(path))


def _files(path: str) -> Iterator[Row]:
    remedy = (
        "name Parquet files, folders or patterns that every worker sees; of other data see "
        "precall.spark.curve"
    )
    try:
        names = _expand(path)
        if not names:
            yield Row("problem", path, "", 0, 0, pack(Mistake(NONE, remedy)))
        for name in names:
            with _open(name) as file:
                about = file.metadata
                sizes = [about.row_group(number).num_rows for number in range(about.num_row_groups)]
                columns = [*file.schema_arrow.names, *columns_of(name)]
                yield Row("file", name, "", 0, about.num_rows, pack(columns, sizes))
    except (OSError, pa.ArrowException) as error:
        mistake = Mistake("{got}", remedy, got=Cause(error))
        yield Row("problem", path, "", 0, 0, pack(mistake))


def _expand(path: str) -> list[str]:
    if "://" not in path and glob.has_magic(path) and not Path(path).exists():
        # Path.glob takes no absolute pattern.
        return sorted(glob.glob(path, recursive=True))  # noqa: PTH207
    system, inner = _system(path)
    if system.get_file_info(inner).type != pa.fs.FileType.Directory:
        return [path]
    entries = system.get_file_info(pa.fs.FileSelector(inner, recursive=True))
    names = [
        info.path
        for info in entries
        if info.is_file and is_data(info.path[len(inner) :].lstrip("/"))
    ]
    scheme = path.partition("://")[0] + "://" if "://" in path else ""
    return sorted(scheme + name for name in names)


def _system(path: str) -> tuple[Any, str]:
    return (
        pa.fs.FileSystem.from_uri(path)
        if "://" in path
        else (pa.fs.LocalFileSystem(), str(Path(path).absolute()))
    )


def _open(path: str) -> Any:
    system, inner = _system(path)
    return pa.parquet.ParquetFile(inner, filesystem=system, memory_map=False)


def _refuse_lacking(wanted: Wanted, names: list[str], source: str = "") -> None:
    lacking = [name for name in wanted.names if name not in names]
    if lacking:
        where = f"{source}: " * bool(source)
        raise UsageError(
            f"{where}no column {{got}}", got=lacking[0], allowed=Labels("the columns are", names)
        )
