"""Ids and numbers as Python objects: cells of frames, JSON and rows, by the rules of dicts.

One rule for all of them: ids are strings or whole numbers, which are written as integers; scores
are numbers, and texts and decimals that say one by the rules of files; integers, fractions and long
doubles only as float64 holds them, and neither complex numbers nor times; grades are whole numbers,
and texts that say one by the same rules. Booleans, NumPy's too, are the grades 0 and 1, but neither
ids nor scores.

Labels of cases and names of groups are texts, numbers and booleans; dates, times and bytes are
called as they are printed.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from datetime import date, time, timedelta
from enum import Enum
from functools import cache
from math import isinf
from operator import index
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from precall.core.arguments import is_relation_of_one, is_whole, widen
from precall.core.ragged import Float64, Int64
from precall.core.text import as_text, is_encodable
from precall.core.text import written as written
from precall.native import literals
from precall.native.literals import EXACT, GRADE_HIGH, GRADE_LOW, Value
from precall.read.times import finer_cells, is_lost, plain_time

#: Labels that are called as they are printed.
_PRINTED = (int, date, time, timedelta, bytes, np.timedelta64)
#: Grades that are a yes or no, as pandas writes them.
_GRADES = {"true": "1", "false": "0"}
#: Texts that print their own letters, and bytes.
_TEXTS = ({str, np.str_}, {bytes, np.bytes_})


class Beyond:
    """A number of JSON that float64 does not hold, kept as it was written."""

    def __init__(self, text: str) -> None:
        self.text = text

    def __repr__(self) -> str:
        return self.text

    def __float__(self) -> float:
        # The kernels ask for it: it is a number, and too great a one.
        raise OverflowError(self.text)


def json_number(text: str) -> float | Beyond:
    """A number of JSON with a point or an exponent."""
    number = float(text)
    return Beyond(text) if isinf(number) else number


def describe_value(value: object) -> str:
    """A value with its type."""
    kind = float if isinstance(value, Beyond) else type(value)
    return f"{written(value)} ({kind.__name__})"


def is_missing(value: object) -> bool:
    """None, or pandas' NA and NaT."""
    return value is None or type(value).__name__ in ("NAType", "NaTType")


def is_there(label: Any) -> bool:
    """Whether a name is there: neither missing nor an empty text, which is how tables of text write
    a missing one.
    """
    return label != "" if isinstance(label, str) else is_known(label)


def is_known(label: Any) -> bool:
    """Whether a label is there: not None, NaN, NaT or pandas' NA."""
    try:
        return label is not None and bool(label == label)
    except (TypeError, ValueError):
        return False  # NA equals nothing, and says so


def as_list(column: Any) -> list[Any]:
    """A column as Python has it; iteration over one of PyArrow or Polars may give objects of
    theirs.

    Raises
    ------
    TypeError
        It is no column.
    ValueError
        Python has no such times.
    """
    if (cells := finer_cells(column)) is not None:
        return cells
    for name in ("to_pylist", "to_list"):
        if hasattr(column, name):
            listed: list[Any] = getattr(column, name)()
            return listed
    return list(column)


def _is_apart(label: Any) -> bool:
    """Whether it is a member of an Enum that NumPy would take apart, as it is made of bytes or a
    tuple.
    """
    return isinstance(label, Enum) and hasattr(label, "__len__") and not isinstance(label, str)


def array_of(column: Any) -> npt.NDArray[Any]:
    """A column as NumPy has it; of integers of 128 bits, which it does not know, those of 64 bits
    or of Python; of times in a zone, which it does not know either, those of Python.

    Texts are whole and plain: in cells of one width NumPy cuts off what members of an Enum print,
    and zeros at the end.
    """
    if is_lost(column):
        return _of_objects(as_list(column))
    kind = getattr(column, "dtype", None)
    if _holds_structs(kind):  # NumPy has their values without names, as it has lists
        return _of_objects(column.to_list())
    if isinstance(column, list | tuple) and column and _is_apart(column[0]):
        members = np.empty(len(column), object)
        for place, member in enumerate(column):
            members[place] = member
        return members
    if kind is None or not _is_wide(kind):
        return plain_texts(widen(np.asarray(column)), column)
    cells = column.to_list()
    try:
        return np.array(cells, np.int64)
    except (TypeError, OverflowError):  # with a gap, or beyond
        return np.array(cells, object)


class Levels(NamedTuple):
    """The labels that a column may have, as its type declares them; and whether that says in which
    order, too.
    """

    names: tuple[Any, ...]
    ordered: bool


def levels_of(column: Any) -> Levels | None:
    """The levels of a Categorical, an Enum of Polars or DuckDB or a dictionary of Arrow, of lists,
    too; None if there are none.

    Unordered ones are sorted where they are used: Arrow, and files read by pandas, number labels as
    they come. A Categorical of Polars has no levels of its own.

    Examples
    --------
    >>> import pandas
    >>> levels_of(pandas.Categorical(["b"], ["b", "a"], ordered=True))
    Levels(names=('b', 'a'), ordered=True)
    """
    column = column.to_native() if type(column).__module__.startswith("narwhals.") else column
    kind: Any = getattr(column, "dtype", None)
    kind = getattr(kind, "inner", kind)  # of lists of labels
    if type(kind).__name__ in ("CategoricalDtype", "Enum"):
        return _levels(kind.categories, bool(getattr(kind, "ordered", True)))
    if is_relation_of_one(column):
        # DuckDB's children of a type are pairs of a name and what it is called by: of an ENUM its
        # values, in order.
        (kind,) = column.types
        kind = kind.children[0][1] if kind.id in ("list", "array") else kind
        return _levels(dict(kind.children)["values"], True) if kind.id == "enum" else None
    if hasattr(kind, "pyarrow_dtype"):  # of pandas
        column = getattr(column, "array", column).__arrow_array__()
    return _of_arrow(column) if hasattr(column, "type") else None


def _of_arrow(column: Any) -> Levels | None:
    """Those of a dictionary, or of lists of labels that are in one."""
    chunks, kind = column.chunks if hasattr(column, "chunks") else [column], column.type
    if hasattr(kind, "value_field"):
        chunks, kind = [chunk.flatten() for chunk in chunks], kind.value_type
    if not hasattr(kind, "index_type"):
        return None
    names = dict.fromkeys(name for chunk in chunks for name in chunk.dictionary.to_pylist())
    return _levels(names, bool(kind.ordered))


def _levels(names: Any, ordered: bool) -> Levels:
    known = (plain_label(name) for name in as_list(names) if not is_missing(name))
    return Levels(tuple(name for name in known if name == name), ordered)


def plain_texts(array: npt.NDArray[Any], given: Any) -> npt.NDArray[Any]:
    """An array with texts of subclasses as plain ones; with the texts that were given, if the
    array's are not these.

    Examples
    --------
    >>> names = ["a", "a\\0"]
    >>> np.array(names).tolist(), plain_texts(np.array(names), names).tolist()
    (['a', 'a'], ['a', 'a\\x00'])
    """
    if array.dtype.kind in "US" and array is not given and not _is_array(given):
        cells = list(_flat(given)) if array.ndim > 1 else list(given)
        kinds = set(map(type, cells))
        if any(kinds <= alike for alike in _TEXTS) and sum(map(len, cells)) == int(
            np.strings.str_len(array).sum()
        ):
            return array
        array = _of_objects(cells).reshape(array.shape)
    if array.dtype == object and any(map(_is_disguised, set(map(type, array.flat)))):
        return _of_objects(
            [as_text(cell) if isinstance(cell, str) else cell for cell in array.flat]
        ).reshape(array.shape)
    return array


def _is_array(given: Any) -> bool:
    """Whether texts came in cells of one width already."""
    return getattr(getattr(given, "dtype", None), "kind", "") in ("U", "S")


def _flat(given: Any) -> Iterator[Any]:
    for part in given:
        if isinstance(part, str | bytes) or not hasattr(part, "__iter__"):
            yield part
        else:
            yield from _flat(part)


def _of_objects(cells: list[Any]) -> npt.NDArray[Any]:
    return np.fromiter(cells, object, len(cells))


def _is_disguised(kind: type) -> bool:
    """Whether it is a type of texts that may print other letters than its own."""
    return issubclass(kind, str) and kind is not str


def matrix_of(frame: Any) -> npt.NDArray[Any]:
    """A frame of Narwhals as NumPy has it, integers of 128 bits and times in a zone as `array_of`
    has them; beside floats integers stay exact.
    """
    if any(
        _is_wide(column.dtype) or _holds_structs(column.dtype) or is_lost(column)
        for column in frame.iter_columns()
    ):
        columns = [array_of(column) for column in frame.iter_columns()]
        alike = len({column.dtype for column in columns}) == 1
        return np.array(columns, columns[0].dtype if alike else object).T
    matrix: npt.NDArray[Any] = frame.to_numpy()
    if is_rounded(matrix):
        return np.array([column.to_list() for column in frame.iter_columns()], object).T
    return matrix


def beside(columns: list[Any]) -> npt.NDArray[Any]:
    """Columns side by side; as they are, where floats beside them would change them."""
    cells = np.array(columns)
    if is_rounded(cells):
        listed = [column if isinstance(column, list) else column.tolist() for column in columns]
        cells = np.array(listed, object)
    return cells.T


def is_rounded(cells: npt.NDArray[Any]) -> bool:
    """Whether there may be integers that became other floats, because other columns hold floats."""
    return cells.dtype == np.float64 and bool(np.any(np.abs(cells) >= EXACT))


def _holds_structs(kind: Any) -> bool:
    """Whether a type of Polars or Narwhals is that of structs, or of lists of them."""
    while type(kind).__name__ in ("List", "Array"):
        kind = kind.inner
    return type(kind).__name__ == "Struct"


def _is_wide(kind: Any) -> bool:
    """Whether a type of Polars or Narwhals is that of integers of 128 bits."""
    return str(kind) in ("Int128", "UInt128")


def is_decimal(cell: Any) -> bool:
    """Whether it is one of Python's decimals, which few columns hold: `decimal` is not imported to
    ask.
    """
    return type(cell).__name__ == "Decimal" and type(cell).__module__ in ("decimal", "_pydecimal")


def plain_label(label: Any) -> Any:
    """A label as it is known everywhere: a text of a subclass as its letters, a decimal as the
    number that it is, a time of any library as that of Python.

    Examples
    --------
    >>> from decimal import Decimal
    >>> plain_label(Decimal("1.0")), plain_label(Decimal("0.5")), plain_label("a")
    (1, 0.5, 'a')
    """
    if isinstance(label, str):
        return as_text(label)
    if is_decimal(label) and label.is_finite():
        return int(label) if label == label.to_integral_value() else float(label)
    return plain_time(label)


def label_text(cell: Any) -> str | None:
    """A label as text; booleans are true and false; whole floats, as pandas makes of integers with
    gaps, are integers.

    Examples
    --------
    >>> label_text(2.0), label_text(0.5), label_text(True), label_text(float("nan"))
    ('2', '0.5', 'true', None)
    >>> label_text(date(2020, 1, 31)), label_text(b"a")
    ('2020-01-31', "b'a'")
    """
    cell = plain_label(cell)
    if isinstance(cell, str):
        return cell
    if isinstance(cell, float | np.floating):
        if cell.is_integer():
            return str(int(cell))
        return str(cell) if np.isfinite(cell) else None
    if isinstance(cell, bool | np.bool_):
        return str(cell).lower()
    if is_missing(cell) or cell != cell:
        return None
    if isinstance(cell, np.datetime64):
        return str(cell).replace("T", " ")  # as Python and pandas write it
    return str(cell) if isinstance(cell, _PRINTED) else None


def group_name(cell: Any) -> str:
    """What a group is called: as labels are written, else as it is printed."""
    text = label_text(cell)
    return as_text(cell if text is None else text)


def is_whole_float(value: Any) -> bool:
    """Whether it is a float, or a decimal, that stands for one integer only."""
    if not (isinstance(value, float | np.floating) or (is_decimal(value) and value.is_finite())):
        return False
    number = float(value)
    return abs(number) < EXACT and bool(value == int(number))


def identifier(value: Any, column: str) -> str | tuple[object, ...]:
    """An id, or what is wrong with it. Whole numbers are written as integers: 7.0, as pandas makes
    of 7 with gaps, is 7.

    An empty text is a missing id, as in files of text it is an empty cell.
    """
    if isinstance(value, str):
        if not value:
            return "missing", column
        return as_text(value) if is_encodable(value) else ("surrogate", column, written(value))
    # NaN stands for a missing string in pandas.
    if is_missing(value) or (isinstance(value, float) and value != value):
        return "missing", column
    if is_whole(value) or is_whole_float(value):
        try:
            return str(int(value))
        except ValueError:  # thousands of digits
            pass
    if isinstance(value, list | np.ndarray):
        return "list", column
    return "id", column, describe_value(value)


@cache
def _score_of() -> Callable[[Any], float | str]:
    # Imported late for the sake of `fractions` and `decimal`, which take 3 ms; columns of plain
    # numbers never come here.
    from precall.native.twin_mappings import score_of

    return score_of


def score(value: Any) -> Value:
    """A score, or what is wrong with it."""
    if isinstance(value, Beyond):
        return "score-range", value.text
    number = _score_of()(value)
    if not isinstance(number, str):
        return number
    if number == "nan":
        return (number,)
    return ("value", describe_value(value)) if number == "dict-score" else (number, written(value))


def score_of_case(value: Any) -> Value:
    """The score of a case, or what is wrong with it: cases may be scored by a yes or no, which is
    no order of a run.
    """
    return float(value) if isinstance(value, bool | np.bool_) else score(value)


def grade_of_text(text: str) -> Value:
    """The grade that a text says, or what is wrong with it."""
    return literals.grade(_GRADES.get(text.lower(), text))


def grades_of_texts(texts: list[str]) -> Int64 | None:
    """All of them at once when each is an ordinary integer, true or false, else None."""
    return literals.grades([_GRADES.get(text.lower(), text) for text in texts])


def grade(value: Any) -> Value:
    """A grade, or what is wrong with it."""
    whole = isinstance(value, np.bool_) or is_whole_float(value)
    if isinstance(value, str | bytes) or (is_decimal(value) and not whole):
        return grade_of_text(
            value.decode("latin-1") if isinstance(value, bytes) else as_text(value)
        )
    try:
        number = int(value) if whole else index(value)
    except Exception:
        return "value", describe_value(value)
    return number if GRADE_LOW <= number <= GRADE_HIGH else ("grade-range", written(number))


def scores(values: list[Any]) -> Float64 | None:
    """All of them at once when each is an ordinary number, else None."""
    if not set(map(type, values)) <= {float, int}:
        return None
    try:
        numbers = np.fromiter(values, np.float64, len(values))
    except OverflowError:
        return None
    # Greater integers are looked at one by one.
    return None if np.isnan(numbers).any() or np.any(np.abs(numbers) >= EXACT) else numbers


def narrowed(numbers: Float64) -> tuple[Float64, Int64]:
    """Scores as float32 holds them, and the places of those that it rounds to infinity."""
    with np.errstate(over="ignore"):
        narrow = numbers.astype(np.float32).astype(np.float64)
    return narrow, np.flatnonzero(np.isinf(narrow) & (narrow != numbers))


def grades(values: list[Any]) -> Int64 | None:
    """All of them at once when each is an ordinary integer within range, else None."""
    kinds = set(map(type, values))
    if kinds == {str}:
        return grades_of_texts(values)
    if not kinds <= {int} and kinds != {float}:
        return None
    try:
        given = np.fromiter(values, np.int64 if kinds <= {int} else np.float64, len(values))
    except OverflowError:
        return None
    if kinds == {float} and not np.all(np.abs(given) <= GRADE_HIGH):  # NaN too
        return None
    numbers = given.astype(np.int64)
    if np.any(numbers != given):
        return None
    inside = np.all((numbers >= GRADE_LOW) & (numbers <= GRADE_HIGH))
    return numbers if inside else None
