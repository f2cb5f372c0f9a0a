"""What results have in common: tables of columns, and every form of their sheets."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial, wraps
from importlib import import_module
from inspect import signature
from typing import TYPE_CHECKING, Any

from precall.core.errors import Among, UsageError, imported
from precall.core.text import encoded, many, printable, table

if TYPE_CHECKING:
    from os import PathLike

    import numpy.typing as npt
    import pandas
    import polars
    import pyarrow

    from precall.results.sheet import Sheet

#: More rows of a table than these are not printed.
_ROWS = 60
#: Names in data that are printed by our word; columns are found by both. LingPipe's stays in data
#: for those who read it.
_PRINTED = {"rejection_recall": "specificity"}


#: What people look for in results, and what it is here; of measures the error says so by itself.
_INSTEAD = {
    "Curve": {
        "thresholds": ".threshold",
        "tpr": ".recall",
        "best_threshold": ".at(max='F1').threshold",
        "plot": "pc.plot.ROC.from_curve(curve).plot()",
    },
    "Decisions": {
        "confusion_matrix": ".table; of pairs of labels: confusion_matrix of precall.compat.sklearn"
    },
}


def word_of(name: str) -> str:
    """How a name in data is printed.

    Examples
    --------
    >>> word_of("rejection_recall"), word_of("recall")
    ('specificity', 'recall')
    """
    return _PRINTED.get(name, name)


class Absent(AttributeError):
    """A name that a result lacks. What to write is told when somebody reads it: `hasattr` asks for
    many names.
    """

    def __str__(self) -> str:
        kind, name = type(self.obj), str(self.name)
        text = f"{kind.__name__!r} object has no attribute {name!r}"
        instead = _INSTEAD.get(kind.__name__, {}).get(name)
        if instead is None and not name.startswith("_"):
            instead = _of_measure(kind, name)
        return text if instead is None else f"{text}; write {instead}"


def _of_measure(kind: type, name: str) -> str | None:
    """How a result gives the measure of this name; None where it does not, or there is none."""
    way = next((way for way in ("of", "value") if callable(getattr(kind, way, None))), None)
    try:
        measure = import_module("precall.measures").measure(name) if way else None
    except UsageError:
        return None
    if measure is None:
        return None
    declared, plain = (
        measure.declaration,
        measure.parameters.get("grade", 1) == 1 and not measure.judged_only,
    )
    of_counts = declared.of.__name__ == "Counts" and not (measure.average and way == "of")
    if kind.__name__ != "Curve":
        return f".{way}({measure.name!r})" if of_counts else None
    if of_counts:
        return None if measure.average else f"pc.measure({measure.name!r})(curve)"
    of_cases = declared.of.__name__ == "Hits" and not declared.graded and plain
    return f".value({measure.name!r})" if of_cases else None


def _without_path(form: Callable[..., str], name: str = "") -> Callable[..., str]:
    """A method that gives a text, with an error for what methods of that name take elsewhere, such
    as a file.
    """
    size = len(signature(form).parameters)

    @wraps(form)
    def text_of(*given: Any, **named: Any) -> str:
        others = [*given[size:], *named]
        if others:
            raise UsageError(
                argument=f"{name or form.__name__}()",
                what="takes nothing and gives a text",
                got=others[0],
                remedy="to write a file, .save(path), whose ending says the form",
            )
        return form(*given)

    return text_of


class Presented:
    """What prints itself, shows itself in notebooks, and is exported and saved: every form is made
    of its sheet.

    A form that `precall --format` knows is a method here, too: `to_NAME()`.
    """

    # Sheets and the page lie above everything that they show, so they are found by name when they
    # are asked for (decision 0005).

    __slots__ = ()

    def sheet(self, **choices: Any) -> Sheet:
        """What there is to say, for people and for programs; it has all forms, too.

        Parameters
        ----------
        choices : of reports `per_topic` and `intervals`; of curves `at`, `ties`; of decisions and
            categories `undefined` and `baselines`, of the former `measures`, of the latter
            `policy`, `fit_on`, `tune` and `pivot`; of comparisons `report`, to add its topics.
        """
        made: Sheet = import_module("precall.results.sheet").sheet_of(self, **choices)
        return made

    def __str__(self) -> str:
        return self._text("table").rstrip("\n")

    def print(self) -> None:
        """Print it, as `print(result)` does."""
        print(self)  # noqa: T201 - what it is for

    def _repr_html_(self) -> str:
        return str(import_module("precall.page.presentations").html(self))

    def to_dict(self) -> dict[str, Any]:
        """As plain data, as JSON has it; numbers that do not exist are None."""
        return dict(_forms().plain(self.sheet()))

    @_without_path
    def to_json(self) -> str:
        """As JSON, with conventions, notes and every digit."""
        return self._text("json")

    @_without_path
    def to_csv(self) -> str:
        """As CSV, one row per value, with every digit."""
        return self._text("csv")

    @_without_path
    def to_markdown(self) -> str:
        """As tables in Markdown; of runs and comparisons one table, as in LaTeX."""
        return self._text("markdown")

    @_without_path
    def to_latex(self) -> str:
        """As tables in LaTeX, with booktabs; of runs and comparisons one table with a caption, as
        papers have it.
        """
        return self._text("latex")

    if not TYPE_CHECKING:
        # Type checkers know the methods above; to them any other name shall be an error.
        def __getattr__(self, name: str) -> Callable[[], str]:
            form = name.removeprefix("to_")
            if form == name or form not in _forms().FORMS:
                raise Absent(name=name, obj=self)
            return partial(_without_path(type(self)._text, name), self, form)

    def to_pandas(self) -> pandas.DataFrame:
        """As a pandas data frame: `table` where there is one, else one row per value."""
        return self._columns().to_pandas()

    def to_polars(self) -> polars.DataFrame:
        """As a Polars data frame, likewise."""
        return self._columns().to_polars()

    def to_arrow(self) -> pyarrow.Table:
        """As a table of PyArrow, likewise."""
        reader = imported("pyarrow", "to_arrow() needs PyArrow").RecordBatchReader
        made: pyarrow.Table = reader.from_stream(self).read_all()
        return made

    def __arrow_c_stream__(self, requested_schema: object = None) -> object:
        """As an Arrow stream, likewise, for any library of Arrow."""
        return self._columns().__arrow_c_stream__(requested_schema)

    def flat(self) -> dict[str, float]:
        """As numbers by name, as MLflow and other logs of experiments take them.

        A measure is called by `precall.results.flat.flat_name`: `ndcg_at_10` is nDCG@10, and
        `pc.measure` knows it by that name as far as it has no parameters;
        `{flat_name(name): name for name in report.heads}` leads back from all. Behind it stands
        what else there is: `ndcg_at_10_low` and `_high` are the ends of an interval, `_p` is a p.
        Where there are several runs, scores or categories, the name of each and a slash stand
        before: `bm25/ndcg_at_10`.

        Returns
        -------
        dict[str, float]
            In the order of `to_csv`. Undefined values are NaN; what does not exist is left out. No
            two names are alike: where two would be, the second has `_2` behind it.

        Raises
        ------
        UsageError
            It is a table whose rows have no names, such as the points of a curve.

        Examples
        --------
        >>> from precall import evaluate
        >>> evaluate({"q1": {"a": 1}}, {"q1": {"a": 1.0, "b": 2.0}}, ["AP", "nDCG@10"]).flat()
        {'ap': 0.5, 'ndcg_at_10': 0.6309297535714575}
        """
        named: dict[str, float] = import_module("precall.results.flat").flat(self.sheet())
        return named

    def save(self, path: str | PathLike[str]) -> None:
        """Write a file whose form is told by its ending, such as .csv or .tex.

        Raises
        ------
        UsageError
            No form has this ending; the message lists those that there are.

        Examples
        --------
        >>> from precall import interval
        >>> interval.precision(30, 10).save("precision.docx")
        Traceback (most recent call last):
            ...
        precall.core.errors.UsageError: precision.docx: the name must end in .txt, ...
        """
        _forms().save(self.sheet(), path)

    def _columns(self) -> Table:
        table = getattr(self, "table", None)
        if isinstance(table, Table):
            return table
        sheet = self.sheet()
        return Table.of_rows(sheet.columns, sheet.tidy)

    def _text(self, form: str) -> str:
        return str(_forms().rendered(self.sheet(), form))


class Columns(Mapping[str, Any]):
    """Columns of so many rows by name, some of which are made when they are first asked for: texts
    of many rows take long.

    Examples
    --------
    >>> columns = Columns(2, {"topic": lambda: ["q1", "q2"], "value": [0.5, 1.0]})
    >>> len(Table(columns)), columns["topic"]
    (2, ['q1', 'q2'])
    """

    def __init__(self, rows: int, columns: Mapping[str, Any]) -> None:
        self.rows = rows
        self._columns = dict(columns)

    def __getitem__(self, name: str) -> Any:
        column = self._columns[name]
        if callable(column):
            column = self._columns[name] = column()
        return column

    def __iter__(self) -> Iterator[str]:
        return iter(self._columns)

    def __len__(self) -> int:
        return len(self._columns)


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Table(Presented):
    """Columns of equal length; other libraries read it through the Arrow PyCapsule interface.

    Examples
    --------
    >>> import numpy as np
    >>> Table({"topic": ["q1", "q2"], "value": np.array([0.5, 1.0])}).to_dict()
    {'topic': ['q1', 'q2'], 'value': [0.5, 1.0]}
    """

    columns: Mapping[str, list[str] | npt.NDArray[Any]]

    @classmethod
    def of_rows(cls, names: Sequence[str], rows: Iterable[Sequence[Any]]) -> Table:
        """Rows as columns: of texts if there is one among the cells (none is empty), else of
        numbers (none is NaN).

        Examples
        --------
        >>> Table.of_rows(("name", "value"), [("a", 0.5), (None, None)]).to_dict()
        {'name': ['a', ''], 'value': [0.5, nan]}
        """
        import numpy as np

        columns: dict[str, Any] = {}
        for name, cells in zip(
            names, list(zip(*rows, strict=True)) or [()] * len(names), strict=True
        ):
            if any(isinstance(cell, str) for cell in cells):
                columns[name] = ["" if cell is None else str(cell) for cell in cells]
            else:
                whole = bool(cells) and all(type(cell) is int for cell in cells)
                columns[name] = np.array(cells, np.int64 if whole else np.float64)
        return cls(columns)

    def __len__(self) -> int:
        return (
            self.columns.rows
            if isinstance(self.columns, Columns)
            else len(next(iter(self.columns.values()), ()))
        )

    def __getitem__(self, name: str) -> list[str] | npt.NDArray[Any]:
        if name not in self.columns:
            for column in self.columns:
                if word_of(column) == name:
                    return self.columns[column]
            own = import_module("precall.results.report").name_among(name, list(self.columns))
            if own is not None:
                return self.columns[own]
            raise UsageError(f"no column {name!r}", allowed=Among("there are", self.columns))
        return self.columns[name]

    def __repr__(self) -> str:
        return printable(
            f"<Table: {many(len(self), 'row')} of {', '.join(map(word_of, self.columns))}>"
        )

    def __str__(self) -> str:
        """The first rows as tables have them: columns of texts before the numbers stand in every
        block of columns.
        """
        if not self.columns:
            return ""
        sheets = import_module("precall.results.sheet")
        first = (column[:_ROWS] for column in self.columns.values())
        rows = zip(
            *(column if isinstance(column, list) else column.tolist() for column in first),
            strict=True,
        )
        left = sheets.names_in(self.columns)
        block = sheets.block_of_rows(tuple(self.columns), rows, left)
        cells, _ = sheets.rows_of(block, str, "{}")
        lines = table(block.heading, cells, left=left)
        return "\n".join(
            lines + [f"... {many(len(self) - _ROWS, 'more row')}"] * (len(self) > _ROWS)
        )

    def to_dict(self) -> dict[str, list[Any]]:
        """Column name → list of Python values."""
        return {
            name: column if isinstance(column, list) else column.tolist()
            for name, column in self.columns.items()
        }

    def to_pandas(self) -> pandas.DataFrame:
        """As a pandas data frame."""
        frame: pandas.DataFrame = self._frame("pandas", "pandas")
        return frame

    def to_polars(self) -> polars.DataFrame:
        """As a Polars data frame."""
        frame: polars.DataFrame = self._frame("polars", "Polars")
        return frame

    def _frame(self, module: str, library: str) -> Any:
        return imported(module, f"to_{module}() needs {library}").DataFrame(self._encodable())

    def _encodable(self) -> dict[str, list[str] | npt.NDArray[Any]]:
        """The columns with names that UTF-8 can encode: other libraries hold no halves of
        characters.
        """
        return {
            name: [encoded(cell).decode() for cell in column]
            if isinstance(column, list)
            else column
            for name, column in self.columns.items()
        }

    def __arrow_c_stream__(self, requested_schema: object = None) -> object:
        """The table as an Arrow stream, for any library that reads the PyCapsule interface."""
        import nanoarrow
        import numpy as np

        kinds = {
            "f4": nanoarrow.float32(),
            "f8": nanoarrow.float64(),
            "i8": nanoarrow.int64(),
            "b1": nanoarrow.bool_(),
        }
        arrays, schema = [], {}
        for name, column in self._encodable().items():
            kind = nanoarrow.string() if isinstance(column, list) else kinds[column.dtype.str[1:]]
            schema[name] = kind
            # Numbers are read from memory, one behind the other; the rest one by one.
            listed = isinstance(column, list) or column.dtype.kind == "b"
            arrays.append(
                nanoarrow.c_array(list(column) if listed else np.ascontiguousarray(column), kind)
            )
        whole = nanoarrow.struct(schema)
        batch = nanoarrow.c_array_from_buffers(whole, len(self), [None], children=arrays)
        # A requested schema is a wish; this stream is what it is, and the reader may cast.
        return nanoarrow.c_array_stream(batch).__arrow_c_stream__()


def _forms() -> Any:
    return import_module("precall.results.forms")
