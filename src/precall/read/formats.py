"""The formats of files for runs, qrels, cases and items, each declared once.

A text table needs only its declaration; a format that Polars reads also has a function in
`precall.read.frame_files.FRAMES`. NumPy is not imported here, as the help lists the formats.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class FileFormat:
    """A format of files.

    Attributes
    ----------
    name : what `format=` and `--input-format` take.
    noun : what a sentence calls a file of it.
    endings : of the names of such files, in lower case.
    separator : what parts the cells of a line, if the format is a table of text.
    is_table : whether it has rows and named columns.
    has_lists : whether a cell may hold a list.
    begins : with one of these bytes a file of columns begins; only such formats have any.
    """

    name: str
    noun: str
    endings: tuple[str, ...]
    separator: str = ""
    is_table: bool = True
    has_lists: bool = False
    begins: tuple[bytes, ...] = ()


_FORMATS = (
    FileFormat("trec", "a file of TREC text", (".run", ".txt", ".trec", ".qrels"), is_table=False),
    FileFormat("csv", "a CSV file", (".csv",), separator=","),
    FileFormat("tsv", "a TSV file", (".tsv",), separator="\t"),
    FileFormat("jsonl", "a file of JSON lines", (".jsonl", ".ndjson"), has_lists=True),
    FileFormat("json", "a JSON file", (".json",), has_lists=True),
    FileFormat(
        "parquet", "a Parquet file", (".parquet", ".parq"), has_lists=True, begins=(b"PAR1",)
    ),
    FileFormat(
        "arrow",
        "an Arrow file or stream",
        (".arrow", ".feather", ".ipc"),
        has_lists=True,
        begins=(b"ARROW1", b"\xff\xff\xff\xff"),
    ),
)
#: Formats by name. A file whose name has none of the endings is of the first one.
BY_NAME = {declared.name: declared for declared in _FORMATS}
FORMATS = tuple(BY_NAME)
TABLES = tuple(declared.name for declared in _FORMATS if declared.is_table)
WITH_LISTS = tuple(declared.name for declared in _FORMATS if declared.has_lists)
#: Formats that Polars reads, column by column.
OF_COLUMNS = tuple(declared.name for declared in _FORMATS if declared.begins)
BEGINNINGS = tuple(start for declared in _FORMATS for start in declared.begins)
#: The table that is one JSON document, without lines.
DOCUMENT = "json"
#: What parts cells of CSV where numbers have decimal commas.
SEMICOLON = ";"
SEPARATOR = {declared.name: declared.separator for declared in _FORMATS if declared.separator}
BY_ENDING = {ending: declared.name for declared in _FORMATS for ending in declared.endings}
#: Endings of other files that hold tables or arrays, and what to do with them.
NOT_READ = {
    **dict.fromkeys((".xlsx", ".xls", ".xlsm", ".xlsb", ".ods"), "save the sheet as CSV"),
    **dict.fromkeys(
        (".npy", ".npz"),
        "⟨give the arrays themselves, np.load(...)¦write its columns as CSV or Parquet⟩",
    ),
    **dict.fromkeys(
        (".pkl", ".pickle"),
        "loading a pickle can run any program: if you trust it, load it in Python and "
        "⟨pass what it holds¦save what it holds as JSON, CSV or Parquet⟩",
    ),
}
