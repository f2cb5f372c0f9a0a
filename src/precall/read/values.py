"""Ids and numbers as Python objects: cells of frames, JSON and rows, by the rules for dicts.

Ids are strings or whole numbers, which are written as integers. Scores are numbers, and texts and
decimals that are numbers under the rules for files; integers, fractions and long doubles only if
float64 holds them; complex numbers and times are not scores. Grades are whole numbers, or numbers
above 0 with a fraction, and texts of them under the same rules. Booleans, also those of NumPy, are
the grades 0 and 1, but neither ids nor scores.

Labels of cases and names of groups are texts, numbers and booleans; dates, times and bytes are
labels as they are printed.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from datetime import date, time, timedelta
from enum import Enum
from functools import cache
from math import isfinite, isinf
from operator import index
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from precall.core.arguments import as_shown, is_relation_of_one, is_whole, widen
from precall.core.errors import Fact
from precall.core.ragged import Float64, Int64
from precall.core.text import as_text, is_encodable
from precall.core.text import short_repr as short_repr
from precall.native import literals
from precall.native.literals import EXACT, GRADE_HIGH, GRADE_LOW, Value
from precall.read.grades import Grades, grade_of, grades_of
from precall.read.times import finer_cells, is_lost, plain_time

#: Types of labels that are called as they are printed.
_PRINTED = (int, date, time, timedelta, bytes, np.timedelta64)
#: Truth values as grades, as pandas writes them.
_GRADES = {"true": "1", "false": "0"}
#: Types of texts that print their own letters, and types of bytes.
_TEXTS = ({str, np.str_}, {bytes, np.bytes_})


class Beyond:
    """A number of JSON that float64 does not hold, kept as it was written."""

    def __init__(self, text: str) -> None:
        self.text = text

    def __repr__(self) -> str:
        return self.text

    def __float__(self) -> float:
        # The kernels call this: it is a number, but too great.
        raise OverflowError(self.text)


def json_number(text: str) -> float | Beyond:
    """A number of JSON with a point or an exponent."""
    number = float(text)
    return Beyond(text) if isinf(number) else number


def describe_value(value: object) -> str:
    """A value and its type, in a message."""
    kind = float if isinstance(value, Beyond) else type(value)
    return f"{short_repr(value)} ({kind.__name__})"


class Typed(Fact):
    """A value with its type."""

    def __str__(self) -> str:
        return describe_value(self.value)


def is_missing(value: object) -> bool:
    """Whether a value is None, or NA or NaT of pandas."""
    return value is None or type(value).__name__ in ("NAType", "NaTType")


def is_there(label: object) -> bool:
    """Whether a name is present: neither missing nor an empty text, which text tables write for a
    missing one.
    """
    return label != "" if isinstance(label, str) else has_value(label)


def has_value(label: object) -> bool:
    """Whether a label is present: not None, NaN, NaT or NA of pandas."""
    try:
        return label is not None and bool(label == label)
    except (TypeError, ValueError):
        return False  # comparing NA raises


def as_list(column: Any) -> list[Any]:
    """A column as a list of Python objects; iterating over one of PyArrow or Polars may give their
    own objects.

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
            # Categories of older pandas warn of `to_list`.
            method = "tolist" if hasattr(column, "tolist") else name
            listed: list[Any] = getattr(column, method)()
            return listed
    return list(column)


def _fails_in_numpy(kind: type) -> bool:
    """Whether NumPy makes no labels of this type: it splits members of an Enum whose values are
    bytes or tuples into their parts, and reads other kinds of bytes as integers.
    """
    if issubclass(kind, Enum):
        # Not hasattr: the class of an Enum has a length itself.
        has_parts = any("__len__" in vars(base) for base in kind.__mro__)
        return has_parts and not issubclass(kind, str)
    return issubclass(kind, bytes) and kind not in (bytes, np.bytes_)


def array_of(column: Any) -> npt.NDArray[Any]:
    """A column as a NumPy array. Integers of 128 bits become those of 64 bits or of Python, and
    times in a zone those of Python, as NumPy has neither.

    Texts are complete and plain: in cells of fixed width NumPy would cut off what members of an
    Enum print, and zeros at the end.
    """
    if is_lost(column):
        return _of_objects(as_list(column))
    kind = getattr(column, "dtype", None)
    if _holds_structs(kind):  # NumPy would have their values without names, like lists
        return _of_objects(column.to_list())
    if isinstance(column, list | tuple) and any(map(_fails_in_numpy, set(map(type, column)))):
        members = np.empty(len(column), object)
        for index, member in enumerate(column):
            members[index] = member
        return members
    if kind is None or not _is_wide(kind):
        return plain_texts(widen(np.asarray(column)), column)
    cells = column.to_list()
    try:
        return np.array(cells, np.int64)
    except (TypeError, OverflowError):  # with a gap, or beyond
        return np.array(cells, object)


class Levels(NamedTuple):
    """The labels that the type of a column declares, and whether it declares their order."""

    names: tuple[Any, ...]
    ordered: bool


def levels_of(column: Any) -> Levels | None:
    """The levels of a Categorical, an Enum of Polars or DuckDB, or an Arrow dictionary, or of lists
    of these; None if there are none.

    Unordered levels are sorted later: Arrow, and files read by pandas, number labels in the order
    of appearance. A Categorical of Polars has no levels.

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
        # The children of a DuckDB type are pairs of a name and a value; those of an ENUM hold its
        # values in order.
        (kind,) = column.types
        kind = kind.children[0][1] if kind.id in ("list", "array") else kind
        return _levels(dict(kind.children)["values"], True) if kind.id == "enum" else None
    if hasattr(kind, "pyarrow_dtype"):  # of pandas
        column = getattr(column, "array", column).__arrow_array__()
    return _of_arrow(column) if hasattr(column, "type") else None


def _of_arrow(column: Any) -> Levels | None:
    """The levels of a dictionary column, or of lists of labels in a dictionary."""
    chunks, kind = column.chunks if hasattr(column, "chunks") else [column], column.type
    if hasattr(kind, "value_field"):
        chunks, kind = [chunk.flatten() for chunk in chunks], kind.value_type
    if not hasattr(kind, "index_type"):
        return None
    names = dict.fromkeys(name for chunk in chunks for name in chunk.dictionary.to_pylist())
    return _levels(names, bool(kind.ordered))


def _levels(names: object, ordered: bool) -> Levels | None:
    """The levels; None if they are sets of labels, as tuples are, whose parts are the labels."""
    labels = [plain_label(name) for name in as_list(names) if not is_missing(name)]
    if any(isinstance(label, tuple | frozenset) for label in labels):
        return None
    return Levels(tuple(name for name in labels if name == name), ordered)


def plain_texts(array: npt.NDArray[Any], source: Any) -> npt.NDArray[Any]:
    """An array with plain texts instead of subclasses; with the texts that were given, if those of
    the array differ.

    Examples
    --------
    >>> names = ["a", "a\\0"]
    >>> np.array(names).tolist(), plain_texts(np.array(names), names).tolist()
    (['a', 'a'], ['a', 'a\\x00'])
    """
    if array.dtype.kind in "US" and array is not source and not _has_fixed_width(source):
        cells = list(_flat_cells(source)) if array.ndim > 1 else list(source)
        kinds = set(map(type, cells))
        if any(kinds <= alike for alike in _TEXTS) and sum(map(len, cells)) == int(
            np.strings.str_len(array).sum()
        ):
            return array
        array = _of_objects(cells).reshape(array.shape)
    if array.dtype == object and any(map(_is_text_subclass, set(map(type, array.flat)))):
        return _of_objects(
            [as_text(cell) if isinstance(cell, str) else cell for cell in array.flat]
        ).reshape(array.shape)
    return array


def _has_fixed_width(source: object) -> bool:
    """Whether texts came in cells of fixed width."""
    return getattr(getattr(source, "dtype", None), "kind", "") in ("U", "S")


def _flat_cells(nested: Any) -> Iterator[Any]:
    for cell in nested:
        if isinstance(cell, str | bytes) or not hasattr(cell, "__iter__"):
            yield cell
        else:
            yield from _flat_cells(cell)


def _of_objects(cells: list[Any]) -> npt.NDArray[Any]:
    return np.fromiter(cells, object, len(cells))


def _is_text_subclass(kind: type) -> bool:
    """Whether it is a type of texts that may print other letters than its own."""
    return issubclass(kind, str) and kind is not str


def matrix_of(frame: Any) -> npt.NDArray[Any]:
    """A frame of Narwhals as a NumPy matrix, with columns as in `array_of`; integers beside floats
    stay exact.
    """
    if any(
        _is_wide(column.dtype) or _holds_structs(column.dtype) or is_lost(column)
        for column in frame.iter_columns()
    ):
        columns = [array_of(column) for column in frame.iter_columns()]
        alike = len({column.dtype for column in columns}) == 1
        return np.array(columns, columns[0].dtype if alike else object).T
    matrix: npt.NDArray[Any] = frame.to_numpy()
    if may_lose_digits(matrix):
        return np.array([column.to_list() for column in frame.iter_columns()], object).T
    return matrix


def stack_columns(columns: list[Any]) -> npt.NDArray[Any]:
    """Columns side by side; as objects, if integers would change beside floats."""
    cells = np.array(columns)
    if may_lose_digits(cells):
        listed = [column if isinstance(column, list) else column.tolist() for column in columns]
        cells = np.array(listed, object)
    return cells.T


def may_lose_digits(cells: npt.NDArray[Any]) -> bool:
    """Whether some integers may have been changed by a conversion to floats, because other columns
    hold floats.
    """
    return cells.dtype == np.float64 and bool(np.any(np.abs(cells) >= EXACT))


def _holds_structs(kind: Any) -> bool:
    """Whether a type of Polars or Narwhals is a struct, or a list of structs."""
    while type(kind).__name__ in ("List", "Array"):
        kind = kind.inner
    return type(kind).__name__ == "Struct"


def _is_wide(kind: object) -> bool:
    """Whether a type of Polars or Narwhals is an integer of 128 bits."""
    return str(kind) in ("Int128", "UInt128")


def is_decimal(cell: object) -> bool:
    """Whether it is a decimal of Python. `decimal` is not imported for this check, as few columns
    hold decimals.
    """
    return type(cell).__name__ == "Decimal" and type(cell).__module__ in ("decimal", "_pydecimal")


def plain_label(label: Any) -> Any:
    """A label in its common form: the letters of a text of a subclass, the number of a decimal, and
    a time of any library as one of Python.

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


def label_text(cell: object) -> str | None:
    """A label as text: booleans are true and false; whole floats, which pandas makes of integers
    with gaps, are integers.

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


def texts_of_labels(cells: list[Any]) -> list[str] | None:
    """Labels as texts; None if a cell is missing, empty or no label.

    Examples
    --------
    >>> texts_of_labels(["a", 2.0]), texts_of_labels([1, 2]), texts_of_labels(["a", None])
    (['a', '2'], ['1', '2'], None)
    """
    kinds = set(map(type, cells))
    if kinds == {str}:
        texts: list[Any] = cells
    elif all(issubclass(kind, int | np.integer) and kind is not bool for kind in kinds):
        texts = list(map(str, cells))
    else:
        texts = list(map(label_text, cells))
    return texts if all(texts) else None


def group_name(cell: object) -> str:
    """The name of a group: as labels are written, or as it is printed."""
    text = label_text(cell)
    return as_text(cell if text is None else text)


def is_whole_float(value: Any) -> bool:
    """Whether it is a float or a decimal that stands for exactly one integer."""
    if not (isinstance(value, float | np.floating) or (is_decimal(value) and value.is_finite())):
        return False
    number = float(value)
    return abs(number) < EXACT and bool(value == int(number))


def identifier(value: Any, column: str) -> str | tuple[object, ...]:
    """An id, or what is wrong with it. Whole numbers are written as integers: 7.0, which pandas
    makes of 7 in a column with gaps, is 7.

    An empty text is a missing id, like an empty cell in a text file.
    """
    if isinstance(value, str):
        if not value:
            return "missing", column
        return as_text(value) if is_encodable(value) else ("surrogate", column, short_repr(value))
    # pandas uses NaN for a missing string.
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
    # Imported late, as `fractions` and `decimal` take 3 ms; columns of plain numbers do not need
    # them.
    from precall.native.twin_mappings import score_of

    return score_of


def score(value: object) -> Value:
    """A score, or what is wrong with it."""
    if isinstance(value, Beyond):
        return "score-range", value.text
    number = _score_of()(value)
    if not isinstance(number, str):
        return number
    if number == "nan":
        return (number,)
    if number == "dict-score":
        return "value", describe_value(value)
    # A text is quoted where it is shown, as that of a file is.
    return number, value if isinstance(value, str) else short_repr(value)


def score_of_case(value: object) -> Value:
    """The score of a case, or what is wrong with it: a truth value may score cases, but gives no
    order of a run.
    """
    return float(value) if isinstance(value, bool | np.bool_) else score(value)


def grade_of_text(text: str) -> Value:
    """The grade that a text states, or what is wrong with it."""
    text = _GRADES.get(text.lower(), text)
    whole = literals.grade(text)
    if not isinstance(whole, tuple) or whole[0] != "grade":
        return whole
    number = literals.score(text)
    if isinstance(number, tuple):
        return ("grade-range", text) if number[0] in ("score-range", "inexact") else whole
    return grade_of(number, text) if isfinite(number) else whole


def grades_of_texts(texts: list[str]) -> Grades | None:
    """All grades at once, if each text is an ordinary number, true or false; else None."""
    texts = [_GRADES.get(text.lower(), text) for text in texts]
    whole = literals.grades(texts)
    if whole is not None:
        return whole
    numbers = literals.scores(texts)
    return None if numbers is None else grades_of(numbers)


def grade(value: Any) -> Value:
    """A grade, or what is wrong with it."""
    is_whole_number = isinstance(value, np.bool_) or is_whole_float(value)
    if isinstance(value, str | bytes) or (is_decimal(value) and not is_whole_number):
        return grade_of_text(
            value.decode("latin-1") if isinstance(value, bytes) else as_text(value)
        )
    try:
        whole = int(value) if is_whole_number else index(value)
    except Exception:
        return _grade_of_other(value)
    return whole if GRADE_LOW <= whole <= GRADE_HIGH else ("grade-range", short_repr(whole))


def _grade_of_other(value: Any) -> Value:
    """The grade of a number that is not known to be whole, by the rule for scores."""
    number = score(as_shown(value))
    if isinstance(number, tuple):
        beyond = number[0] == "score-range"
        return ("grade-range", number[1]) if beyond else ("value", describe_value(value))
    if not isfinite(number):
        return "value", describe_value(value)
    return grade_of(number, short_repr(float(value)))


def scores(values: list[Any]) -> Float64 | None:
    """All scores at once, if each is an ordinary number; else None."""
    if not set(map(type, values)) <= {float, int}:
        return None
    try:
        numbers = np.fromiter(values, np.float64, len(values))
    except OverflowError:
        return None
    # Greater integers are checked one by one.
    return None if np.isnan(numbers).any() or np.any(np.abs(numbers) >= EXACT) else numbers


def round_to_float32(numbers: Float64) -> tuple[Float64, Int64]:
    """Scores rounded to float32, and the indexes of those that it rounds to infinity."""
    with np.errstate(over="ignore"):
        narrow = numbers.astype(np.float32).astype(np.float64)
    return narrow, np.flatnonzero(np.isinf(narrow) & (narrow != numbers))


def grades(values: list[Any]) -> Grades | None:
    """All grades at once, if each is an ordinary number within range; else None."""
    kinds = set(map(type, values))
    if kinds == {str}:
        return grades_of_texts(values)
    if not kinds <= {int, float}:
        return None
    try:
        if float in kinds:
            return grades_of(np.fromiter(values, np.float64, len(values)))
        numbers = np.fromiter(values, np.int64, len(values))
    except OverflowError:
        return None
    inside = np.all((numbers >= GRADE_LOW) & (numbers <= GRADE_HIGH))
    return numbers if inside else None
