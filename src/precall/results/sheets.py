"""What all results share: tables of columns, and every form of their sheets."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, fields, is_dataclass, replace
from functools import partial, wraps
from inspect import signature as signature_of
from typing import TYPE_CHECKING, Any, ClassVar, ParamSpec

from precall.core.conventions import describe_conventions, signature
from precall.core.errors import Among, UsageError, require_module
from precall.core.hooks import hook
from precall.core.methods import Method
from precall.core.notes import Note, iterate_notes
from precall.core.text import (
    encode_utf8,
    many,
    printable,
    python_scalar,
    snake_case,
    table,
)
from precall.results.blocks import (
    GOOD_SIDE,
    SHORT,
    Block,
    Cell,
    FullNumber,
    Paper,
    Row,
    Threshold,
    block_of_rows,
    block_of_values,
    good_side,
    names_in,
    rows_of,
    word_of,
)

if TYPE_CHECKING:
    from os import PathLike

    import numpy.typing as npt
    import pandas
    import polars
    import pyarrow

    from precall.results.layout import Layout

P = ParamSpec("P")
#: Tables with more rows than the first number show the first rows only, as many as the second.
_MOST_ROWS, _FIRST_ROWS = 15, 10


class MissingName(AttributeError):
    """Error for a name that a result lacks. Its message is made only when somebody reads it,
    because `hasattr` asks for many names.
    """

    def __str__(self) -> str:
        kind: Any = type(self.obj)
        name = str(self.name)
        text = f"{kind.__name__!r} object has no attribute {name!r}"
        instead = None if name.startswith("_") else kind._way_to(name)
        return text if instead is None else f"{text}; write {instead}"


def way_to(kind: Any, name: str) -> str | None:
    """What to write instead of a name that results of a kind lack; None if nothing is known."""
    own = snake_case(name)  # libraries of Java have names in camel case
    if own != name and hasattr(kind, own):
        return way_of(kind, own)
    instead: str | None = kind._instead.get(name) or hook("way to a measure")(kind, name)
    return instead


def way_of(kind: type, name: str) -> str:
    """How a result gives what its class has by this name."""
    value = getattr(kind, name)
    if not callable(value):
        return f".{name}"
    needed = [
        each.name for each in signature_of(value).parameters.values() if each.default is each.empty
    ]
    return f".{name}({', '.join(needed[1:])})"


def _without_path(form: Callable[P, str], name: str = "") -> Callable[P, str]:
    """A method that returns a text. It refuses arguments that methods of that name take in other
    libraries, such as a file.
    """
    parameters = signature_of(form).parameters
    options = [each.name for each in parameters.values() if each.kind is each.KEYWORD_ONLY]
    size = sum(each.kind is each.POSITIONAL_OR_KEYWORD for each in parameters.values())
    takes = f"only {', '.join(f'{option}=' for option in options)}" if options else "nothing"

    @wraps(form)
    def text_of(*given: P.args, **named: P.kwargs) -> str:
        others = [*given[size:], *(option for option in named if option not in options)]
        if others:
            raise UsageError(
                argument=f"{name or form.__name__}()",
                what=f"takes {takes} and returns a text",
                got=others[0],
                remedy="to write a file, use .save(path); its ending sets the form",
            )
        return form(*given, **named)

    return text_of


class Presented:
    """A result that can be printed, shown in notebooks, exported and saved. Every form is made from
    its sheet.

    Each form of `precall --format` is also a method: `to_NAME()`.
    """

    __slots__ = ()
    #: Names that people look for in this result → what to use instead. For measures the error gives
    #: the advice without an entry here.
    _instead: ClassVar[Mapping[str, str]] = {}

    @classmethod
    def _way_to(cls, name: str) -> str | None:
        return way_to(cls, name)

    def sheet(self, *, all: bool = False, notes: bool = False, **choices: Any) -> Sheet:
        """The content of the result, for people and for programs. A sheet has all forms as well.

        Parameters
        ----------
        all : whether forms for readers show every table and every note. By default they show the
            short answer, and say what else there is. json and csv always have everything.
        notes : whether they show every note, but only the tables of the short answer.
        choices : of reports `per_topic` and `intervals`; of curves `at`, `ties`; of decisions and
            categories `undefined` and `baselines`; of decisions `measures`; of categories `policy`,
            `fit_on`, `tune` and `pivot`; of comparisons `report`, to add its topics.
        """
        sheet = sheet_of(self, **choices)
        return sheet.sheet(all=all, all_notes=notes) if all or notes else sheet

    def __str__(self) -> str:
        return self._text("table").rstrip("\n")

    def print(self) -> None:
        """Print the result, as `print(result)` does."""
        print(self)  # noqa: T201 - what it is for

    def _repr_html_(self) -> str:
        return str(hook("html")(self))

    def to_dict(self) -> dict[str, Any]:
        """The result as plain data, like its JSON; numbers that do not exist are None."""
        from precall.results import forms

        return forms.to_plain_data(self.sheet())

    @_without_path
    def to_json(self) -> str:
        """The result as JSON, with conventions, notes and every digit."""
        return self._text("json")

    @_without_path
    def to_csv(self) -> str:
        """The result as CSV, one row per value, with every digit."""
        return self._text("csv")

    @_without_path
    def to_html(self) -> str:
        """The result as a page, as `precall report` writes it."""
        return self._text("html")

    @_without_path
    def to_markdown(
        self,
        *,
        digits: int | None = None,
        caption: str | None = None,
        names: Mapping[str, str] | None = None,
        order: Sequence[str] | None = None,
        columns: Sequence[str] | None = None,
    ) -> str:
        """The result as tables in Markdown; runs and comparisons become one table, as in LaTeX.

        Parameters
        ----------
        digits : decimals of values; see `to_latex`.
        caption : the caption, in Markdown. The caption that precall writes follows it.
        names : what to print instead of a name; see `to_latex`.
        order : all systems, in the order of their rows.
        columns : the measures to show, in their order.
        """
        return self._text(
            "markdown", digits=digits, caption=caption, names=names, order=order, columns=columns
        )

    @_without_path
    def to_latex(
        self,
        *,
        digits: int | None = None,
        caption: str | None = None,
        label: str | None = None,
        names: Mapping[str, str] | None = None,
        order: Sequence[str] | None = None,
        columns: Sequence[str] | None = None,
    ) -> str:
        r"""The result as tables in LaTeX, with booktabs; runs and comparisons become one table with
        a caption, ready for a paper.

        Parameters
        ----------
        digits : decimals of values; None is four. Thresholds and p values keep their digits.
        caption : the caption, in LaTeX. The caption that precall writes is then a comment, from
            which the meaning of marks can be copied.
        label : the label, for ``\ref``. By default it has the kind of the result and its measures.
        names : what to print instead of the name of a system or measure, such as
            ``{"AP": "MAP", "run1": "BM25"}``; also in the caption that precall writes.
        order : all systems, in the order of their rows.
        columns : the measures, or other columns, to show, in their order. If measures are rows, as
            those of a curve are, they become columns.

        Raises
        ------
        UsageError
            The result has no such name; the message lists those that it has.

        Examples
        --------
        >>> from precall import evaluate
        >>> runs = {"run1": {"q1": {"a": 1.0, "b": 2.0}}, "run2": {"q1": {"a": 2.0, "b": 1.0}}}
        >>> report = evaluate({"q1": {"a": 1}}, runs, ["AP", "nDCG@10"])
        >>> text = report.to_latex(digits=2, names={"AP": "MAP", "run1": "BM25"}, label="tab:main")
        >>> print(text[text.rindex("run &") : text.rindex("run2")])
        run & MAP & nDCG@10 \\
        \midrule
        BM25 & 0.50 & 0.63 \\
        """
        return self._text(
            "latex",
            digits=digits,
            caption=caption,
            label=label,
            names=names,
            order=order,
            columns=columns,
        )

    if not TYPE_CHECKING:
        # Type checkers know the methods above; any other name must be an error to them.
        def __getattr__(self, name: str) -> Callable[[], str]:
            from precall.results import forms

            form = name.removeprefix("to_")
            if form == name or form not in forms.FORMS:
                raise MissingName(name=name, obj=self)
            return partial(_without_path(type(self)._text, name), self, form)

    def to_pandas(self) -> pandas.DataFrame:
        """The result as a pandas data frame: its `table` if it has one, else one row per value."""
        return self._columns().to_pandas()

    def to_polars(self) -> polars.DataFrame:
        """The result as a Polars data frame, with the rows of `to_pandas`."""
        return self._columns().to_polars()

    def to_arrow(self) -> pyarrow.Table:
        """The result as a PyArrow table, with the rows of `to_pandas`."""
        reader = require_module("pyarrow", "to_arrow() needs PyArrow").RecordBatchReader
        table: pyarrow.Table = reader.from_stream(self).read_all()
        return table

    def __arrow_c_stream__(self, requested_schema: object = None) -> object:
        """The result as an Arrow stream for any Arrow library, with the rows of `to_pandas`."""
        return self._columns().__arrow_c_stream__(requested_schema)

    def flat(self) -> dict[str, float]:
        """The result as numbers by name, for MLflow and other experiment logs.

        `precall.results.flat.flat_name` makes the names of measures: `ndcg_at_10` is nDCG@10.
        `pc.measure` knows a measure by that name if it has no parameters; `{flat_name(name): name
        for name in report.heads}` maps all of them back. Suffixes name the other numbers:
        `ndcg_at_10_low` and `_high` are the ends of an interval, `_p` is a p value. If there are
        several runs, scores or categories, their name and a slash come first: `bm25/ndcg_at_10`.

        Returns
        -------
        dict[str, float]
            In the order of `to_csv`. Undefined values are NaN; missing values are left out. All
            names are different: the second of two equal names ends in `_2`.

        Raises
        ------
        UsageError
            The result is a table whose rows have no names, such as the points of a curve.

        Examples
        --------
        >>> from precall import evaluate
        >>> evaluate({"q1": {"a": 1}}, {"q1": {"a": 1.0, "b": 2.0}}, ["AP", "nDCG@10"]).flat()
        {'ap': 0.5, 'ndcg_at_10': 0.6309297535714575}
        """
        from precall.results.flat import flat

        return flat(self.sheet())

    def save(self, path: str | PathLike[str]) -> None:
        """Write a file in the form that its ending selects, such as .csv or .tex; .html is a page,
        as `pc.report` writes it.

        Raises
        ------
        UsageError
            No form has this ending; the message lists the allowed ones.

        Examples
        --------
        >>> from precall import interval
        >>> interval.precision(30, 10).save("precision.docx")
        Traceback (most recent call last):
            ...
        precall.core.errors.UsageError: precision.docx: the name must end in .txt, ...
        """
        from precall.results import forms

        forms.save(self.sheet(), path)

    def _columns(self) -> Table:
        table = getattr(self, "table", None)
        if isinstance(table, Table):
            return table
        sheet = self.sheet()
        return Table.of_rows(sheet.columns, sheet.tidy)

    def _text(self, form: str, **layout: Any) -> str:
        from precall.results import forms
        from precall.results.layout import Layout

        return forms.render(self.sheet(), form, layout=Layout.of(**layout))


def curve_in(given: object) -> Any:
    """The curve of an object that holds a single ranking; any other object unchanged."""
    curve = getattr(given, "curve", None)
    return curve if hasattr(curve, "tp") else given


class Columns(Mapping[str, Any]):
    """Columns of a given number of rows, by name. Some are made when they are first read, because
    texts of many rows take long.

    Examples
    --------
    >>> columns = Columns(2, {"topic": lambda: ["q1", "q2"], "value": [0.5, 1.0]})
    >>> len(Table(columns)), columns["topic"]
    (2, ['q1', 'q2'])
    """

    def __init__(self, rows: int, columns: Mapping[str, object]) -> None:
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
    higher_is_better: bool = True
    """False if the thresholds among the columns accept low scores; every form states this."""
    noticed: tuple[Note, ...] | Callable[[], tuple[Note, ...]] = ()
    """The notes of the result that it was made of, or what reads them."""

    @classmethod
    def of_rows(cls, names: Sequence[str], rows: Iterable[Sequence[object]]) -> Table:
        """Rows as columns: a column of texts if any of its cells is a text (None becomes ""), else
        of numbers (None becomes NaN).

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
                all_integers = bool(cells) and all(type(cell) is int for cell in cells)
                columns[name] = np.array(cells, np.int64 if all_integers else np.float64)
        return cls(columns)

    @property
    def notes(self) -> tuple[Note, ...]:
        """What was noticed about the data that it was made of."""
        return self.noticed() if callable(self.noticed) else self.noticed

    def __len__(self) -> int:
        return (
            self.columns.rows
            if isinstance(self.columns, Columns)
            else len(next(iter(self.columns.values()), ()))
        )

    def __getitem__(self, name: str) -> list[str] | npt.NDArray[Any]:
        key: object = name
        if not isinstance(key, str) or key not in self.columns:
            for column in self.columns:
                if word_of(column) == name:
                    return self.columns[column]
            own = hook("name among names of measures")(name, list(self.columns))
            if own is not None:
                return self.columns[own]
            raise UsageError("no column {got}", got=name, allowed=Among("there are", self.columns))
        return self.columns[name]

    def __repr__(self) -> str:
        return printable(
            f"<Table: {many(len(self), 'row')} of {', '.join(map(word_of, self.columns))}>"
        )

    def __str__(self) -> str:
        """The first rows as an aligned table. Columns of texts that come before the numbers are
        repeated in every block of columns.
        """
        if not self.columns:
            return ""
        most = len(self) if len(self) <= _MOST_ROWS else _FIRST_ROWS
        first = (column[:most] for column in self.columns.values())
        rows = zip(
            *(column if isinstance(column, list) else column.tolist() for column in first),
            strict=True,
        )
        left = names_in(self.columns)
        block = block_of_rows(tuple(self.columns), rows, left)
        cells, _ = rows_of(block, str, "{}")
        lines = table(block.heading, cells, left=left)
        left_out = len(self) - most
        return "\n".join(lines + [f"... {many(left_out, 'more row')}"] * bool(left_out))

    def to_dict(self) -> dict[str, list[Any]]:
        """The columns as lists of Python values, by name."""
        return {
            name: column if isinstance(column, list) else column.tolist()
            for name, column in self.columns.items()
        }

    def to_pandas(self) -> pandas.DataFrame:
        """The table as a pandas data frame."""
        frame: pandas.DataFrame = self._frame("pandas", "pandas")
        return frame

    def to_polars(self) -> polars.DataFrame:
        """The table as a Polars data frame."""
        frame: polars.DataFrame = self._frame("polars", "Polars")
        return frame

    def _frame(self, module: str, library: str) -> Any:
        return require_module(module, f"to_{module}() needs {library}").DataFrame(self._encodable())

    def _encodable(self) -> dict[str, list[str] | npt.NDArray[Any]]:
        """The columns with names that UTF-8 can encode, because other libraries hold no halves of
        surrogate pairs. A last column is added if low scores are good.
        """
        import numpy as np

        columns = {
            name: [encode_utf8(cell).decode() for cell in column]
            if isinstance(column, list)
            else column
            for name, column in self.columns.items()
        }
        if not self.higher_is_better:
            columns[GOOD_SIDE] = np.zeros(len(self), np.int64)
        return columns

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
            # Numbers are read from contiguous memory; other values are copied one by one.
            listed = isinstance(column, list) or column.dtype.kind == "b"
            arrays.append(
                nanoarrow.c_array(list(column) if listed else np.ascontiguousarray(column), kind)
            )
        struct = nanoarrow.struct(schema)
        batch = nanoarrow.c_array_from_buffers(struct, len(self), [None], children=arrays)
        # A requested schema is only a wish: this stream keeps its types, and the reader may cast.
        return nanoarrow.c_array_stream(batch).__arrow_c_stream__()


@dataclass(frozen=True, slots=True, repr=False)
class Sheet(Presented):
    """The content of a result, for readers (`verdict`, `blocks`) and for programs (`body`,
    `tidy`).
    """

    format: str
    conventions: dict[str, str]
    blocks: tuple[Block, ...]
    notes: tuple[Note, ...]
    body: Mapping[str, Any]
    columns: tuple[str, ...]
    tidy: Collection[Row]
    verdict: str = ""
    """The conclusion, in a sentence or a line for each measure; it is printed first."""
    source: Any = field(default=None, compare=False)
    """The result itself, for forms that show more of it: its charts, its layout in trec_eval."""
    all: bool = False
    """Whether forms for readers show every block and every note."""
    all_notes: bool = False
    """Whether they show every note."""
    paper: Callable[[Layout], Paper] | None = field(default=None, compare=False)
    """Makes the table that LaTeX and Markdown show instead of the blocks, in a layout."""

    def sheet(self, **choices: Any) -> Sheet:
        """The sheet itself, perhaps with other fields."""
        return replace(self, **choices) if choices else self

    @property
    def signature(self) -> str:
        """The conventions in one line."""
        return signature(self.conventions)

    def short(self) -> Sheet:
        """The sheet without its details and their legends; the sheet itself if all is wanted."""
        details = [] if self.all else [block for block in self.blocks if block.detail]
        if not details and not self._more_rows():
            return self
        kept = tuple(block.short() for block in self.blocks if not block.detail)
        hidden = {note for block in details for note in block.legends}
        hidden -= {note for block in kept for note in block.legends}
        notes = tuple(note for note in self.notes if note not in hidden)
        return replace(self, blocks=kept, notes=notes)

    def details(self) -> list[str]:
        """What the short sheet leaves out, in words."""
        words = () if self.all else (block.detail for block in self.blocks)
        more = self._more_rows()
        return [*[many(more, "more row")] * bool(more), *dict.fromkeys(filter(None, words))]

    def _more_rows(self) -> int:
        """Number of rows that the short sheet leaves out of the tables that it shows."""
        if self.all:
            return 0
        return sum(block.more_rows for block in self.blocks if not block.detail)

    def printed(self, layout: Layout | None = None) -> Paper:
        """The tables of a document, with their caption if they have one. Tables of many lines have
        no other form.

        Parameters
        ----------
        layout : which columns and rows they have, and under which names; None is all.
        """
        from precall.core.arguments import check_kind
        from precall.results.layout import PLAIN, Layout

        layout = PLAIN if layout is None else check_kind("layout", layout, Layout, "a layout")
        # Columns that are named may be among the details.
        blocks = self.blocks if layout.columns is not None else self.short().blocks
        if layout:
            shown = self.blocks if self.paper is None else (*self.paper(PLAIN).blocks, *self.blocks)
            layout = layout.in_names_of(shown)
        paper = Paper("", blocks)
        if self.paper is not None:
            paper = self.paper(layout)
            long = (block for block in blocks if block.long)
            paper = paper._replace(blocks=(*paper.blocks, *long))
        return paper._replace(blocks=layout.arrange(paper.blocks))

    def __repr__(self) -> str:
        return f"<Sheet: {self.format}, {len(self.blocks)} tables>"


def sheet_of(result: object, **choices: Any) -> Sheet:
    """The sheet of a result. A result without a sheet of its own becomes one table, of its columns
    or its fields.
    """
    for kind in type(result).__mro__:
        make = hook(f"sheet of {kind.__name__}") if kind.__module__.startswith("precall.") else None
        if make is not None:
            _refuse_choices(choices, make)
            sheet: Sheet = make(result, **choices)
            break
    else:
        columns = result if isinstance(result, Table) else getattr(result, "table", None)
        sheet = table_sheet(result, columns) if isinstance(columns, Table) else facts_sheet(result)
    return sheet if sheet.source is not None else sheet.sheet(source=result)


def _refuse_choices(choices: Mapping[str, object], make: Callable[..., Sheet]) -> None:
    """Refuse choices that the sheet of a result does not have."""
    if not choices:
        return
    allowed_names = [
        name
        for name, parameter in signature_of(make).parameters.items()
        if parameter.default is not parameter.empty
    ]
    for name, value in choices.items():
        if name not in allowed_names:
            allowed = f"allowed are {', '.join(allowed_names)}" if allowed_names else "leave it out"
            message = "the sheet of this result has no such choice"
            raise UsageError(argument=name, what=message, got=value, remedy=allowed)


def _format(result: object) -> str:
    """Format of a result: `OperatingPoint` becomes "precall.operating-point/2"."""
    return f"precall.{re.sub('(?<=[a-z])(?=[A-Z])', '-', type(result).__name__).lower()}/2"


def _notes(result: object) -> tuple[Note, ...]:
    return tuple(iterate_notes(getattr(result, "notes", ())))


def sheet_of_rows(
    format: str,
    columns: tuple[str, ...],
    rows: Sequence[Row],
    body: dict[str, Any],
    notes: tuple[Note, ...] = (),
    left: int = 1,
    conventions: Mapping[str, str] | None = None,
) -> Sheet:
    """A sheet with one table, whose rows are also those of csv. The first `left` columns
    are names.
    """
    block = block_of_rows(columns, rows, left)
    return Sheet(
        format, describe_conventions(**conventions or {}), (block,), notes, body, columns, rows
    )


def table_sheet(result: object, table: Table) -> Sheet:
    """The sheet of a table of columns."""
    columns = table.to_dict()
    rows = tuple(zip(*columns.values(), strict=True))
    sheet = sheet_of_rows(
        _format(result),
        tuple(columns),
        rows,
        {"columns": columns},
        _notes(result),
        names_in(table.columns),
        getattr(result, "conventions", None) or good_side(table.higher_is_better),
    )
    if len(rows) > _MOST_ROWS:
        (block,) = sheet.blocks
        sheet = sheet.sheet(blocks=(replace(block, first=_FIRST_ROWS),))
    if table.higher_is_better:
        return sheet
    return sheet.sheet(columns=(*columns, GOOD_SIDE), tidy=tuple((*row, 0) for row in rows))


#: Members of results that are shown elsewhere than in their tables.
_NO_CELLS = ("notes", "table")


def facts_sheet(result: object) -> Sheet:
    """The sheet of a few numbers and words: the fields of a dataclass or tuple, and the properties
    of its class.
    """
    names = (
        [field.name for field in fields(result)]
        if is_dataclass(result)
        else list(getattr(result, "_fields", ()))
    )
    if not names:
        raise TypeError(f"{type(result).__name__} has no table")
    names += [name for name, member in vars(type(result)).items() if isinstance(member, property)]
    names = [name for name in names if not name.startswith("_")]
    held = {name: getattr(result, name) for name in names if name not in _NO_CELLS}
    # People read methods in words, from `how`; programs get their fields.
    methods = {name: value.to_dict() for name, value in held.items() if isinstance(value, Method)}
    cells = {name: _cell(value) for name, value in held.items() if name not in methods}
    facts = {
        word_of(key): (Threshold if key in SHORT else FullNumber)(cell)
        if isinstance(cell, float)
        else cell
        for key, cell in cells.items()
    }
    rows = tuple(
        (name, int(cell) if isinstance(cell, bool) else cell) for name, cell in cells.items()
    )
    return Sheet(
        _format(result),
        describe_conventions(),
        (block_of_values(("", "value"), facts),),
        _notes(result),
        cells | methods,
        ("name", "value"),
        rows,
    )


def _cell(value: object) -> Cell:
    if isinstance(value, tuple):
        return ", ".join(map(str, value))
    value = python_scalar(value)
    return value if value is None or isinstance(value, float | int | str) else str(value)
