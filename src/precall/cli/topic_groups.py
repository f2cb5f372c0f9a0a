"""`--by FILE|COLUMN`: the groups of topics, from a file or from a column of the inputs."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from precall.core.errors import DataError, Labels, UsageError
from precall.core.text import file_name, is_folder

if TYPE_CHECKING:
    from precall.cli.inputs import Inputs

_COLUMN = "column:"
_STANDARD = "-"
_UNSEEN = ", which is no standard input, as that is read only once"


@dataclass(frozen=True, slots=True)
class TopicGroups:
    """Where the groups of topics are.

    Attributes
    ----------
    inputs : the qrels and runs.
    file : the file that has them, if they have one.
    column : the column that has them, of the file or else of a table among the inputs.
    typed : the option as it was typed; None if it was not.
    """

    inputs: Inputs
    file: str | None = None
    column: str | None = None
    typed: str | None = None

    @property
    def files(self) -> list[str]:
        """The files to be read beside the inputs."""
        return [] if self.file is None else [self.file]

    def read(self) -> dict[str, str] | None:
        """The group of each topic; None if `--by` was not given."""
        if self.file is None:
            return None if self.column is None else self._of_inputs(self.column)
        from precall.read.group_tables import read_groups

        return read_groups(self.file, column=self.column)

    def _of_inputs(self, column: str) -> dict[str, str]:
        """The groups in a column of the first input that has it."""
        from precall.read.group_tables import TOPICS, read_group_column

        paths = self.inputs.paths
        seen: dict[str, None] = {}
        for path in paths:
            reading = self.inputs.reading(path)
            choice = _Choice(path, column, reading.get("columns") or {}, bool(self.inputs.lists))
            if _is_table(path, reading.get("format")):
                try:
                    return read_group_column(path, choice, TOPICS, reading.get("format"))
                except DataError:
                    if choice.is_there:
                        raise
            seen |= dict.fromkeys(choice.names)
        raise UsageError(
            argument="--by",
            what="{got} is no file and no column",
            got=self.typed,
            allowed=Labels("the columns are", list(seen)) if seen else "",
            remedy="name a file with a topic and its group on each line, or a column of a table "
            f"among the inputs{_UNSEEN * (_STANDARD in paths)}",
        )


@dataclass(slots=True)
class _Choice:
    """Chooses the columns of topics and of groups among those of an input."""

    path: str
    column: str
    columns: Mapping[str, str]
    of_lists: bool
    names: list[str] = field(default_factory=list)
    is_there: bool = False

    def __call__(self, names: list[str]) -> list[str]:
        from precall.read.column_names import column_of
        from precall.read.select_columns import choose_by_name
        from precall.read.sources import label_of

        self.names = names
        self.is_there = self.column in names
        role, label = "query" if self.of_lists else "topic", label_of(self.path)
        topic = self.columns.get(role) or column_of(role, names, label) or role
        return choose_by_name([("by", topic), ("by", self.column)], label)(names)


def groups_for(by: str | None, inputs: Inputs) -> TopicGroups:
    """Where `--by` says that the groups are. A file has precedence over a column of its name; then
    `column:NAME` means the column.
    """
    if by is None:
        return TopicGroups(inputs)
    return TopicGroups(inputs, *_file_and_column(by), by)


def files_of_groups(by: str | None) -> list[str]:
    """The file that `--by` names, if it names one, before the inputs are known."""
    file = None if by is None else _file_and_column(by)[0]
    return [] if file is None else [file]


def _file_and_column(by: str) -> tuple[str | None, str | None]:
    if by == _STANDARD or _exists(by):
        return by, None
    if by.startswith(_COLUMN):
        return None, by.removeprefix(_COLUMN)
    file, _, column = by.rpartition(":")
    return (file, column) if file and column and _exists(file) else (None, by)


def _exists(path: str) -> bool:
    return os.path.exists(file_name(path))  # noqa: PTH110


def _is_table(path: str, format: Any) -> bool:
    """Whether an input is a table that can be read again."""
    from precall.read.formats import TABLES
    from precall.read.sources import format_of

    return path != _STANDARD and (is_folder(path) or format_of(path, format) in TABLES)
