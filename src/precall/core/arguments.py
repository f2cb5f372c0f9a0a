"""Checks of arguments, and columns of other libraries as NumPy arrays.

The error of a failed check says what was given, what is allowed and what to do.
"""

from __future__ import annotations

import itertools
import math
import re
from collections import Counter
from collections.abc import (
    Collection,
    Hashable,
    KeysView,
    Mapping,
    Sequence,
    Set,
    Sized,
    ValuesView,
)
from enum import Enum
from os import PathLike
from typing import Any, NamedTuple, TypeGuard, TypeVar, overload

import numpy as np
import numpy.typing as npt

from precall.core.errors import (
    Among,
    Cause,
    Fact,
    Kind,
    Mistake,
    NoArray,
    Shape,
    UsageError,
)
from precall.core.levels import levels_instead
from precall.core.notes import suggest, warn
from precall.core.notes.of_reading import LowLevel, TableAsColumn
from precall.core.ragged import Float64
from precall.core.text import listing, many

T = TypeVar("T")

#: Beyond these weights of recall, their squares times counts overflow or vanish in float64.
_LEAST, _MOST = 1e-100, 1e100
#: Beyond this value cubes overflow float64; skewness is computed from cubes.
HUGE = 1e100
#: Greater counts than the first are not exact in float64. Beyond the second even the formulas of
#: null distributions fail.
_EXACT, _SIZE = 2**53, 10**50
_BY_POSITION = "or pass arrays (.to_numpy()) to match them by position"
#: Tuples instead of unions: each check would build the union again, which takes longer than the
#: check.
_NUMBERS, _WHOLE, _NOT_WHOLE = (int, float, np.number), (int, np.integer), (bool, np.timedelta64)
BETA = f"0, or a number from {_LEAST:g} to {_MOST:g}"


def is_number(value: object) -> bool:
    """Whether a value is a number of Python or NumPy; truth values are not."""
    return isinstance(value, _NUMBERS) and not isinstance(value, bool)


def is_whole(value: object) -> TypeGuard[int]:
    """Whether a value is an integer of Python or NumPy.

    Truth values are not, nor are time differences, which NumPy counts as integers.
    """
    return isinstance(value, _WHOLE) and not isinstance(value, _NOT_WHOLE)


def check_choice(name: str, value: Any, allowed: Collection[object]) -> None:
    """Refuse a value that is not one of those allowed.

    Examples
    --------
    >>> check_choice("ties", "best", ("best", "worst"))
    >>> check_choice("ties", "all", ("best", "worst"))
    Traceback (most recent call last):
        ...
    precall.core.errors.UsageError: ties: got 'all', allowed are best, worst
    """
    # What has no hash is no choice; arrays and columns are compared cell by cell.
    if not isinstance(value, Hashable) or value not in tuple(allowed):
        raise UsageError(argument=name, got=value, allowed=allowed)


def check_exists(name: str, value: object, existing: Collection[object], noun: str) -> None:
    """Refuse a name that does not exist; `noun` says what it names, such as "system".

    Examples
    --------
    >>> check_exists("points", "b", ["a"], "system")
    Traceback (most recent call last):
        ...
    precall.core.errors.UsageError: points: no system 'b'; there are a
    """
    if value not in existing:
        message = " ".join(filter(None, ["no", noun, repr(value)]))
        raise UsageError(message, argument=name, allowed=Among("there are", existing))


def check_some(name: str, collection: Sized, remedy: str = "name at least one") -> None:
    """Refuse an empty collection."""
    if not collection:
        raise UsageError("none given", argument=name, remedy=remedy)


@overload
def check_kind(name: str, value: object, kind: type[T], what: str) -> T: ...
@overload
def check_kind(name: str, value: object, kind: object, what: str) -> Any: ...
def check_kind(name: str, value: object, kind: Any, what: str) -> Any:
    """The argument; refused unless it is an instance of `kind`, a class or several.

    `what` names the allowed values in the message.
    """
    if not isinstance(value, kind):
        raise UsageError(argument=name, allowed=what, got=Kind(value))
    return value


def check_path(path: object, name: str = "path") -> Any:
    """The argument; refused unless it is a path: text, bytes or a path object."""
    return check_kind(name, path, (str, bytes, PathLike), "a path")


#: Words that names of choices may contain besides the choice itself.
_AROUND = "^paired|(tests?|corrections?|corrected|averaged?|averaging|avg)$"


def choose(
    name: str,
    value: object,
    allowed: Collection[object],
    elsewhere: Mapping[str, Sequence[str]] | None = None,
    instead: Mapping[str, str] | None = None,
) -> Any:
    """The allowed choice that a value means, in any spelling; else an error as by `check_choice`.

    `elsewhere` maps names that other libraries use to the choices that they may mean here. Its keys
    have only small letters and digits, and no "test", "correction" or "average". `instead` maps
    words without any counterpart here to advice on what to use instead.

    Examples
    --------
    >>> (
    ...     choose("test", "Paired t-test", ("t", "sign")),
    ...     choose("test", "binomial", ("t", "sign"), {"binomial": ["sign"]}),
    ... )
    ('t', 'sign')
    """
    if value is None and "none" in allowed:
        return "none"
    if not isinstance(value, str) or value in allowed:
        check_choice(name, value, allowed)
        return value
    letters = _only_letters(value)
    word = re.sub(_AROUND, "", letters)
    spelled = {
        _only_letters(spelling): spelling for spelling in allowed if isinstance(spelling, str)
    }
    for spelling in (letters, word):
        candidates = [spelled.get(spelling), *(elsewhere or {}).get(spelling, ())]
        for choice in candidates:
            if choice is not None and choice in allowed:
                return choice
    others = (word, *(elsewhere or {}).get(word, ()))
    hint = next(
        (instead[other] for other in others if instead and other in instead), ""
    ) or _suggest_choice(word, spelled, elsewhere or {})
    raise UsageError(argument=name, got=value, allowed=allowed, remedy=hint)


def _only_letters(text: str) -> str:
    """The letters and digits of a name, in lower case; other characters do not matter in the name
    of a choice.
    """
    return re.sub("[^a-z0-9]", "", text.lower())


def _suggest_choice(
    word: str, spelled: Mapping[str, str], elsewhere: Mapping[str, Sequence[str]]
) -> str:
    """A question that names the choice with the most similar spelling; empty if none is similar."""
    from difflib import get_close_matches

    choices = {
        other: next((choice for choice in ones if choice in spelled.values()), "")
        for other, ones in elsewhere.items()
    }
    choices |= spelled
    near = [choices[close] for close in get_close_matches(word, choices, 1, 0.7) if choices[close]]
    return f"did you mean {near[0]!r}?" if near else ""


def check_whole(name: str, value: object, least: int, most: int | None = None) -> int:
    """A whole number from `least` to `most`; truth values are refused."""
    if not is_whole(value) or not least <= int(value) <= (_SIZE if most is None else most):
        # An upper limit near 2^63 is mentioned only if the value exceeds it.
        is_open = most is None or (most > 2**62 and not (is_whole(value) and value > most))
        allowed = f">= {least}" if is_open else f"in {least}..{most}"
        allowed += (
            ", and at most 10^50" if most is None and is_whole(value) and value > _SIZE else ""
        )
        raise UsageError(argument=name, allowed=f"an integer {allowed}", got=value)
    return int(value)


def check_beta(beta: object, least: float = _LEAST, most: float = _MOST) -> float:
    """The weight of recall in F: 0, for which F is precision, or a number > 0 whose square fits
    float64.

    Callers that allow a wider range pass their own `least` and `most`.
    """
    value = _number(beta)
    if value != 0 and not least <= value <= most:
        raise UsageError(
            argument="beta",
            allowed=f"0, or a number from {least:g} to {most:g}",
            got=beta,
            remedy="F is precision for 0, and nearly recall for large values",
        )
    return value


def check_share(
    name: str, value: object, *, nonzero: bool = False, below_one: bool = False
) -> float:
    """A number in 0..1, such as a recall to reach; `nonzero` excludes 0, `below_one` excludes 1."""
    share = _number(value)
    if not 0 <= share <= 1 or (nonzero and not share) or (below_one and share == 1):
        allowed = (
            "above 0 and below 1"
            if nonzero and below_one
            else "in (0, 1]"
            if nonzero
            else "0 or more and less than 1"
            if below_one
            else "in 0..1"
        )
        number = "" if is_number(value) else "a number "
        raise UsageError(argument=name, allowed=f"{number}{allowed}", got=value)
    return share


#: Floats of fewer bits than those of Python.
SHORT_FLOATS = (np.float32, np.float16)


def as_shown(number: Any) -> Any:
    """A float of fewer bits as the decimal that it shows; another number unchanged.

    Examples
    --------
    >>> float(np.float32(0.7)), as_shown(np.float32(0.7))
    (0.699999988079071, 0.7)
    """
    return float(str(number)) if isinstance(number, SHORT_FLOATS) else number


def check_level(level: object, name: str = "level", example: float = 0.95) -> float:
    """The nominal coverage of an interval, or another probability: a number between 0 and 1, not
    too close to either.
    """
    number = _number(as_shown(level))
    if allowed := levels_instead(number, example):
        raise UsageError(argument=name, allowed=allowed, got=level)
    if number < 0.5 and name == "level":
        suggest(LowLevel("", number, 1 - number))
    return number


def check_number(name: str, value: object, least: float = -math.inf) -> float:
    """A finite number, at least `least`."""
    number = _number(value)
    if not least <= number or math.isinf(number):
        allowed = "a finite number" if math.isinf(least) else f"a number >= {least:g}"
        raise UsageError(argument=name, allowed=allowed, got=value)
    return number


def check_numbers(name: str, numbers: object) -> Float64:
    """A number, or an array of numbers of any shape, as float64."""
    try:
        return np.asarray(numbers, np.float64)
    except (TypeError, ValueError, OverflowError) as error:
        raise UsageError(
            argument=name, allowed="a number, or an array of them", got=numbers
        ) from error


def check_positive(most: float = math.inf, /, **arguments: Any) -> None:
    """Refuse every argument that is not a finite number above 0 and at most `most`."""
    for name, value in arguments.items():
        if not 0 < _number(value) < math.inf or value > most:
            allowed = "> 0" + f" and <= {most:g}" * (most < math.inf)
            raise UsageError(argument=name, allowed=f"a number {allowed}", got=value)


def check_blocks(sizes: object, total: int) -> npt.NDArray[np.int64]:
    """Sizes of blocks: whole numbers >= 1 that add up to `total`."""
    try:
        values = np.asarray(sizes)
    except ValueError:  # lists of unequal length
        values = np.zeros(())
    if values.ndim != 1 or values.dtype.kind not in "iu" or not len(values) or values.min() < 1:
        raise UsageError(argument="blocks", allowed="a list of integers >= 1", got=sizes)
    if values.sum() != total:
        raise UsageError(
            f"must add up to {many(total, 'item')}", argument="blocks", got=int(values.sum())
        )
    return values.astype(np.int64)


def check_count(name: str, value: Any) -> int:
    """A count as an int; whole floats are allowed."""
    is_count = is_whole(value) or (not isinstance(value, complex) and _number(value).is_integer())
    if not is_count or value < 0:
        raise UsageError(argument=name, allowed="a count >= 0", got=value)
    if value > _EXACT:
        raise UsageError(
            argument=name,
            allowed="at most 2**53, beyond which counts are not exact",
            got=value,
        )
    return int(value)


def as_array_like(source: Any) -> Any:
    """A column in a form that NumPy reads: tensors and columns of DuckDB as arrays, generators and
    values of dicts as lists, everything else unchanged.

    A generator yields its values only once, so code that reads them twice calls this first.

    Examples
    --------
    >>> as_array_like(2 * cell for cell in (1, 2))
    [2, 4]
    """
    if isinstance(source, np.ndarray):
        # Every slice of a NumPy matrix is a matrix again, so its rows are not one-dimensional.
        return widen(np.asarray(source) if isinstance(source, np.matrix) else source)
    if isinstance(source, list | tuple):
        if source and _is_tensor(source[0]):
            return [_array_of_tensor(tensor)[()] for tensor in source]
        return (
            [_value_of_cell(tensor) for tensor in source]
            if source and _is_arrow_cell(source[0])
            else source
        )
    if _is_tensor(source):
        return _array_of_tensor(source)
    if hasattr(source, "__next__") or isinstance(source, ValuesView):
        return as_array_like(list(source))
    return _column_of_relation(source) if is_relation_of_one(source) else source


def refuse_set(name: str, column: object, allowed: str = "a list of them") -> None:
    """Refuse a set for an argument whose order matters: the order of a set differs between
    processes.
    """
    if isinstance(column, Set) and not isinstance(column, KeysView):
        raise UsageError(argument=name, allowed=allowed, got=Kind(column), why="which has no order")


def refuse_struct(name: str, column: object, allowed: str) -> None:
    """Refuse a column of Arrow, pandas or Polars whose cells are structs: NumPy would make lists or
    a table of them.
    """
    kind: Any = getattr(column, "dtype", None)
    # pandas, PyArrow and Polars have the type in different attributes.
    kind = getattr(kind, "pyarrow_dtype", getattr(column, "type", kind))
    if type(kind).__name__ not in ("Struct", "StructType"):
        return
    names = [field.name for field in getattr(kind, "fields", kind)]
    raise UsageError(
        argument=name,
        allowed=allowed,
        got=Fact(f"a column of structs with {listing(names)}"),
        remedy="pass one of their fields",
    )


def refuse_mapping(name: str, values: object, allowed: str) -> None:
    """Refuse a mapping where NumPy would take it for one object."""
    if isinstance(values, Mapping):
        remedy = "pass its values, list(d.values())"
        raise UsageError(argument=name, allowed=allowed, got=Kind(values), remedy=remedy)


def one_label(name: str, value: object) -> object:
    """The one label that a value holds; several labels are refused.

    The value may be an array or tensor without dimensions, or a cell of PyArrow.
    """
    label = _value_of_cell(value)
    if _is_tensor(label) or isinstance(label, np.ndarray):
        label = as_array_like(label)[()]
    is_several = hasattr(type(label), "__len__") and not isinstance(
        label, str | bytes | Enum | np.generic
    )
    if is_several or hasattr(label, "__next__") or is_relation_of_one(label):
        raise UsageError(argument=name, allowed="one label", got=Kind(value))
    return label


#: Types of DuckDB that NumPy also has. For other types NumPy gets different numbers, such as
#: float64 for HUGEINT, or codes, or nothing.
_KEPT = {
    "boolean",
    "tinyint",
    "smallint",
    "integer",
    "bigint",
    "utinyint",
    "usmallint",
    "uinteger",
    "ubigint",
    "float",
    "double",
    "varchar",
    "enum",
}


def _column_of_relation(relation: Any) -> Any:
    """The column of a DuckDB relation: through Arrow; without PyArrow through NumPy, or through
    Python if NumPy has no such type.
    """
    try:
        return relation.to_arrow_table().column(0)
    except ImportError:
        pass
    if relation.types[0].id in _KEPT:
        return next(iter(relation.fetchnumpy().values()))
    return [cell for (cell,) in relation.fetchall()]


def is_relation_of_one(value: object) -> bool:
    """Whether a value is a DuckDB relation with one column, such as `relation["score"]`."""
    return (
        type(value).__module__.partition(".")[0] == "duckdb"
        and len(getattr(value, "columns", ())) == 1
    )


def widen(array: npt.NDArray[Any]) -> npt.NDArray[Any]:
    """Numbers of the narrow types of ml_dtypes (bfloat16, float8, int4) in a NumPy type that holds
    them exactly; other arrays unchanged.
    """
    if array.dtype.isbuiltin == 1:
        return array
    kind = array.dtype.type
    if kind.__module__.partition(".")[0] != "ml_dtypes":
        return array
    return array.astype(np.int8 if "int" in kind.__name__ else np.float32)


def _is_tensor(value: object) -> bool:
    return hasattr(type(value), "detach") and hasattr(type(value), "numpy")


def _is_arrow_cell(value: object) -> bool:
    """Whether a value is a cell of a PyArrow column."""
    return hasattr(type(value), "as_py")


def _value_of_cell(value: Any) -> Any:
    return value.as_py() if _is_arrow_cell(value) else value


def _array_of_tensor(tensor: Any) -> npt.NDArray[Any]:
    """The numbers of a tensor, on any device, with or without gradients."""
    try:
        numbers = tensor.detach()
        try:
            array: npt.NDArray[Any] = numbers.numpy(force=True)
        except TypeError:  # NumPy has no bfloat16 and narrower types; float32 holds them
            array = numbers.float().numpy(force=True)
    except (TypeError, RuntimeError) as error:  # sparse, nested, quantized, of the device "meta"
        raise UsageError(
            f"a tensor has no numbers to read ({Cause(error)})",
            remedy="pass a dense one that has",
        ) from None
    return array


def validate_arrow(data: Any, label: str) -> Any:
    """Tables and columns, or a list of them, in a form that NumPy reads; those of PyArrow are
    validated.

    PyArrow trusts its buffers and crashes if they do not fit, so broken ones are refused.
    Dictionaries in several chunks are replaced by their values, as PyArrow loses missing values
    when it converts such columns for NumPy.
    """
    data = as_array_like(data)
    if isinstance(data, list | tuple):
        return (
            [validate_arrow(column, label) for column in data]
            if data and _is_arrow(data[0])
            else data
        )
    if not (_is_arrow(data) and hasattr(data, "validate")):
        return data
    try:
        data.validate(full=True)
    except ValueError as error:  # PyArrow's own error is a subclass
        mistake = Mistake("the Arrow data is broken: {got}", "write it anew", got=Cause(error))
        raise mistake.error(label) from None
    if hasattr(data, "schema") and hasattr(data, "itercolumns"):
        for index, field in enumerate(data.schema):
            if _is_dictionary(field):
                data = data.set_column(index, field.name, validate_arrow(data.column(index), label))
        return data
    return data.cast(data.type.value_type) if _is_dictionary(data) else data


def _is_dictionary(column: object) -> bool:
    return hasattr(getattr(column, "type", None), "index_type")


def _is_arrow(value: object) -> bool:
    return type(value).__module__.partition(".")[0] == "pyarrow"


def refuse_mask(column: object, name: str, kind: str = "case") -> None:
    """Raise an error that names the first case if a masked array of NumPy hides a value: the value
    under a mask is unknown.
    """
    is_own = isinstance(column, np.ndarray) and type(column) is not np.ndarray
    if is_own and np.any(hidden := getattr(column, "mask", False)):
        raise Mistake(
            "{kind:s} {index} is masked",
            f"remove the {kind}, or unmask it",
            kind=kind,
            index=int(np.argmax(hidden)),
        ).error(name)


def single_column(
    array: npt.NDArray[Any], name: str, source: object = None, what: str = "numbers"
) -> npt.NDArray[Any]:
    """The array as one column; a table of one column is accepted with a note, other tables are
    refused.

    `source` is the object that the user passed.
    """
    if array.ndim == 1:
        return array
    if array.ndim == 2 and array.shape[1] == 1:
        warn(TableAsColumn(name, array.shape))
        return array[:, 0]
    why, remedy = advice_on_columns_of_table(
        array, source, of_classes=name in ("score", "relevant")
    )
    raise UsageError(
        argument=name,
        allowed=f"one column of {what}",
        got=Shape(array.shape),
        why=why,
        remedy=remedy,
    )


def advice_on_columns_of_table(
    array: npt.NDArray[Any], source: object = None, of_classes: bool = True
) -> tuple[str, str]:
    """The meaning of a table's columns, and advice on how to take one; empty texts if the array is
    no table with cells.

    The columns may be those of classes if `of_classes`.
    """
    if array.ndim != 2 or not array.size:
        return "", ""
    rows, columns = array.shape
    if rows == 1:
        return "", "take its row, [0]"
    is_list = isinstance(source, list | tuple)
    take = (
        "[row[{}] for row in ...]"
        if is_list
        else ".iloc[:, {}]"
        if hasattr(source, "iloc")
        else "[:, {}]"
    )
    names = list(getattr(source, "columns", ()))
    if columns == 2 and names and all(isinstance(name, str) for name in names):
        return "", f"take one of its columns by its name, such as table[{names[0]!r}]"
    if columns == 2 or not of_classes:
        which = "the column of the relevant class" if of_classes else "or another column"
        return "", f"take {take.format(1)}, {which}"
    remedy = f"take that of one, such as {take.format(1)}, or pass all to pc.categorize"
    return "a column per class", remedy


def check_column(name: str, values: object) -> Float64:
    """One column of numbers as float64, one per topic; undefined values stay NaN."""
    refuse_mapping(name, values, "numbers, one per topic")
    refuse_struct(name, values, "numbers, one per topic")
    values = validate_arrow(values, name)
    refuse_mask(values, name, "value")
    try:
        array = np.asarray(values)
        if array.dtype.kind in "mM":
            raise TypeError("dates and times are none")
        column = array.astype(np.float64, copy=False)
    except (TypeError, ValueError, OverflowError) as error:
        raise UsageError(
            argument=name, allowed="numbers, one per topic", got=NoArray(values, error)
        ) from None
    if np.count_nonzero(huge := (np.abs(column) > HUGE) & np.isfinite(column)):
        raise UsageError(
            argument=name,
            what=f"{column[huge][0]:g} is beyond {HUGE:g}",
            remedy="divide all by one number",
        )
    return single_column(column, name, values)


def _number(value: Any) -> float:
    """The value as a float; NaN if it is not a number, as NaN is in no range."""
    try:
        return float(value) if is_number(value) else math.nan
    except OverflowError:
        return math.inf if value > 0 else -math.inf


class RowNames(NamedTuple):
    """The names that pandas columns gave to rows, kept for other columns of the same rows."""

    index: Any


def row_names(*columns: Any) -> RowNames | None:
    """The names of the rows of the first column of pandas, or that were kept of one; None if there
    is none.
    """
    for column in columns:
        if isinstance(column, RowNames):
            return column
        if hasattr(type(column), "iloc"):
            return RowNames(column.index)
    return None


def check_rows(**columns: Any) -> None:
    """Refuse pandas columns whose indexes have the same names in another order, or other names:
    they would be paired by position.

    Rows that pandas numbered itself (0, 1, 2, ...) have no names, unless the other column has these
    numbers in another order. Columns of other libraries have no row names.
    """
    indexes = {
        name: named.index
        for name, column in columns.items()
        if (named := row_names(column)) is not None
    }
    for (name, index), (other, second) in itertools.combinations(indexes.items(), 2):
        if len(index) != len(second) or index.equals(second):
            continue
        rows, others = Counter(index.tolist()), Counter(second.tolist())
        if rows == others:
            message = (
                f"both name the rows {listing(index.tolist()[:5])}, in another order; put them in "
                "one"
            )
            raise UsageError(
                argument=f"{name} and {other}",
                what=f"{message} (.reindex({name}.index)), {_BY_POSITION}",
            )
        if not (has_default_index(index) or has_default_index(second)):
            a, b = next(iter(rows - others)), next(iter(others - rows))
            message = (
                f"they name other rows: only {name} has {a!r}, only {other} has {b!r}; select the "
                "same"
            )
            raise UsageError(argument=f"{name} and {other}", what=f"{message}, {_BY_POSITION}")


def has_default_index(index: Any) -> bool:
    """Whether pandas itself numbered the rows or columns of a frame (0, 1, 2, ...), so that they
    have no names.
    """
    return type(index).__name__ == "RangeIndex" and (index.start, index.step) == (0, 1)


def refuse_alike(categories: Sequence[object], noun: str = "category") -> None:
    """Refuse categories of different types with the same text, such as 1 and "1": results name
    categories by their text.

    Parameters
    ----------
    noun : what they are.
    """
    if len(set(map(type, categories))) < 2:
        return
    first: dict[str, Any] = {}
    for name in categories:
        if (other := first.setdefault(str(name), name)) is not name:
            kinds = f"{type(other).__name__} and as {type(name).__name__}"
            raise UsageError(
                f"{noun} {{got}} is there as {kinds}",
                got=str(name),
                remedy="write all of them as one type",
            )
