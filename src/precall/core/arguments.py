"""Checks of arguments: what was got, what is allowed, what to do; and columns as other libraries
hold them, made NumPy's.
"""

from __future__ import annotations

import itertools
import math
import re
from collections import Counter
from collections.abc import Collection, KeysView, Mapping, Sequence, Set, Sized, ValuesView
from enum import Enum
from os import PathLike
from typing import Any, TypeGuard

import numpy as np
import numpy.typing as npt

from precall.core.errors import Among, DataError, Fact, Kind, Problem, Shape, UsageError
from precall.core.levels import level_refused
from precall.core.notes import ask, warn
from precall.core.notes.of_reading import LowLevel, TableAsColumn
from precall.core.ragged import Float64
from precall.core.text import listing, printable, written

#: Squares of smaller and greater weights of recall, times counts, leave float64.
_LEAST, _MOST = 1e-100, 1e100
#: So do the cubes of greater values, of which skewness is made.
HUGE = 1e100
#: Greater counts float64 does not hold exactly; of greater sizes not even the formulas of null
#: distributions hold.
_EXACT, _SIZE = 2**53, 10**50
_BY_POSITION = "or pass arrays (.to_numpy()) to match them by position"
#: As tuples: unions are made anew by each check, which takes longer than the check.
_NUMBERS, _WHOLE, _NOT_WHOLE = (int, float, np.number), (int, np.integer), (bool, np.timedelta64)
#: What is looked up in no table: it has no hash, or is compared cell by cell.
_NO_NAMES = (list, dict, set, np.ndarray)
BETA = f"0, or a number from {_LEAST:g} to {_MOST:g}"


def is_number(value: Any) -> bool:
    """Whether it is a number of Python or NumPy; truth values are none."""
    return isinstance(value, _NUMBERS) and not isinstance(value, bool)


def is_whole(value: Any) -> TypeGuard[int]:
    """Whether it is an integer of Python or NumPy; truth values are none, nor are time differences,
    which to NumPy are.
    """
    return isinstance(value, _WHOLE) and not isinstance(value, _NOT_WHOLE)


def check_choice(name: str, value: Any, allowed: Collection[Any]) -> None:
    """Refuse an argument that is none of those allowed.

    Examples
    --------
    >>> check_choice("ties", "best", ("best", "worst"))
    >>> check_choice("ties", "all", ("best", "worst"))
    Traceback (most recent call last):
        ...
    precall.core.errors.UsageError: ties: got 'all', allowed are best, worst
    """
    if isinstance(value, _NO_NAMES) or value not in allowed:
        raise UsageError(argument=name, got=value, allowed=allowed)


def check_known(name: str, value: Any, known: Collection[Any], noun: str) -> None:
    """Refuse what is not among those that there are, such as systems; `noun` says what they are.

    Examples
    --------
    >>> check_known("points", "b", ["a"], "system")
    Traceback (most recent call last):
        ...
    precall.core.errors.UsageError: points: no system 'b'; there are a
    """
    if value not in known:
        what = " ".join(filter(None, ["no", noun, repr(value)]))
        raise UsageError(what, argument=name, allowed=Among("there are", known))


def check_some(name: str, given: Sized, todo: str = "name at least one") -> None:
    """Refuse a collection of none."""
    if not given:
        raise UsageError("none given", argument=name, remedy=todo)


def check_kind(name: str, value: Any, kind: Any, what: str) -> Any:
    """An argument that is of the class asked for, or of one of several; `what` says what that is,
    or where one is from.
    """
    if not isinstance(value, kind):
        raise UsageError(argument=name, allowed=what, got=Kind(value))
    return value


def check_path(path: Any, name: str = "path") -> Any:
    """A path: a text, or an object that is one."""
    return check_kind(name, path, (str, bytes, PathLike), "a path")


#: What names of choices are made of beside the word itself.
_AROUND = "^paired|(tests?|corrections?|corrected|averaged?|averaging|avg)$"


def choose(
    name: str,
    value: Any,
    allowed: Collection[Any],
    elsewhere: Mapping[str, Sequence[str]] | None = None,
    instead: Mapping[str, str] | None = None,
) -> Any:
    """The one of those allowed that is meant, spelled in another way or called as `elsewhere`; or
    the error of `check_choice`.

    `elsewhere` has small letters and digits only, "test", "correction" and "average" left out, and
    what each may be here; `instead` has words for which there is nothing here, and what to take.

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
    whole = _only_letters(value)
    word = re.sub(_AROUND, "", whole)
    spelled = {_only_letters(known): known for known in allowed if isinstance(known, str)}
    for known in (whole, word):
        meant = [spelled.get(known), *(elsewhere or {}).get(known, ())]
        for choice in meant:
            if choice is not None and choice in allowed:
                return choice
    others = (word, *(elsewhere or {}).get(word, ()))
    hint = next((instead[other] for other in others if instead and other in instead), "") or _meant(
        word, spelled, elsewhere or {}
    )
    raise UsageError(argument=name, got=value, allowed=allowed, remedy=hint)


def _only_letters(text: str) -> str:
    """Small letters and digits: brackets, too, say nothing in a name of a choice."""
    return re.sub("[^a-z0-9]", "", text.lower())


def _meant(word: str, spelled: Mapping[str, str], elsewhere: Mapping[str, Sequence[str]]) -> str:
    """The choice that is spelled most alike, as a question; nothing where none is."""
    from difflib import get_close_matches

    known = {
        other: next((choice for choice in ones if choice in spelled.values()), "")
        for other, ones in elsewhere.items()
    }
    known |= spelled
    near = [known[close] for close in get_close_matches(word, known, 1, 0.7) if known[close]]
    return f"did you mean {near[0]!r}?" if near else ""


def check_whole(name: str, value: Any, least: int, most: int | None = None) -> int:
    """A whole number from `least` on, to `most`; truth values are none."""
    if not is_whole(value) or not least <= int(value) <= (_SIZE if most is None else most):
        # A whole number from `least` on, as counts in 64 bits are: their end says nothing to
        # people, unless it is passed.
        is_open = most is None or (most > 2**62 and not (is_whole(value) and value > most))
        allowed = f">= {least}" if is_open else f"in {least}..{most}"
        allowed += (
            ", and at most 10^50" if most is None and is_whole(value) and value > _SIZE else ""
        )
        raise UsageError(argument=name, allowed=f"an integer {allowed}", got=value)
    return int(value)


def check_beta(beta: Any, least: float = _LEAST, most: float = _MOST) -> float:
    """The weight of recall in F: 0, of which F is precision, or a number > 0 whose square float64
    holds.

    `least` and `most` are for conventions that take any size, and say what becomes of it.
    """
    value = _number(beta)
    if value != 0 and not least <= value <= most:
        raise UsageError(
            argument="beta",
            allowed=f"0, or a number from {least:g} to {most:g}",
            got=beta,
            remedy="F of 0 is precision, of ever greater ones recall",
        )
    return value


def check_share(name: str, value: Any, *, nonzero: bool = False, below_one: bool = False) -> float:
    """A number in 0..1, such as a recall that is to be reached; `nonzero`: 0 is none, `below_one`:
    1 is none.
    """
    share = _number(value)
    if not 0 <= share <= 1 or (nonzero and not share) or (below_one and share == 1):
        allowed = (
            "in (0, 1]" if nonzero else "0 or more and less than 1" if below_one else "in 0..1"
        )
        number = "" if is_number(value) else "a number "
        raise UsageError(argument=name, allowed=f"{number}{allowed}", got=value)
    return share


def check_level(level: Any, name: str = "level", example: float = 0.95) -> float:
    """The nominal coverage of an interval, or another chance: a number between 0 and 1, next to
    neither.
    """
    number = _number(level)
    if why := level_refused(number, written(level), example):
        raise UsageError(argument=name, what=why)
    if number < 0.5 and name == "level":
        ask(LowLevel("", number, 1 - number))
    return number


def check_number(name: str, value: Any, least: float = -math.inf) -> float:
    """A finite number, from `least` on."""
    number = _number(value)
    if not least <= number or math.isinf(number):
        allowed = "a finite number" if math.isinf(least) else f"a number >= {least:g}"
        raise UsageError(argument=name, allowed=allowed, got=value)
    return number


def check_numbers(name: str, given: Any) -> Float64:
    """A number, or an array of numbers, of any shape, as float64."""
    try:
        return np.asarray(given, np.float64)
    except (TypeError, ValueError, OverflowError) as error:
        raise UsageError(
            argument=name, allowed="a number, or an array of them", got=given
        ) from error


def check_positive(most: float = math.inf, /, **given: Any) -> None:
    """Refuse what is no finite number above 0, and what is beyond `most`."""
    for name, value in given.items():
        if not 0 < _number(value) < math.inf or value > most:
            allowed = "> 0" + f" and <= {most:g}" * (most < math.inf)
            raise UsageError(argument=name, allowed=f"a number {allowed}", got=value)


def check_blocks(given: Any, total: int) -> npt.NDArray[np.int64]:
    """Sizes of blocks: whole numbers >= 1 that add up to `total`."""
    try:
        values = np.asarray(given)
    except ValueError:  # lists of unequal length
        values = np.zeros(())
    if values.ndim != 1 or values.dtype.kind not in "iu" or not len(values) or values.min() < 1:
        raise UsageError(argument="blocks", allowed="a list of integers >= 1", got=given)
    if values.sum() != total:
        raise UsageError(
            f"must add up to the {total} items", argument="blocks", got=int(values.sum())
        )
    return values.astype(np.int64)


def check_count(name: str, value: Any) -> int:
    """A count as an int; whole floats are counts, too."""
    whole = is_whole(value) or (not isinstance(value, complex) and _number(value).is_integer())
    if not whole or value < 0:
        raise UsageError(argument=name, allowed="a count >= 0", got=value)
    if value > _EXACT:
        raise UsageError(
            argument=name,
            allowed="at most 2**53, beyond which counts are not exact",
            got=value,
        )
    return int(value)


def plain(given: Any) -> Any:
    """What NumPy reads by itself, as it is; tensors and columns of DuckDB as arrays, generators and
    values of dicts as lists.

    A generator yields its values once, so whoever looks at them twice asks for this first.

    Examples
    --------
    >>> plain(2 * cell for cell in (1, 2))
    [2, 4]
    """
    if isinstance(given, np.ndarray):
        # A matrix of NumPy stays one whatever is taken of it: its rows are no lists.
        return widen(np.asarray(given) if isinstance(given, np.matrix) else given)
    if isinstance(given, list | tuple):
        if given and _is_tensor(given[0]):
            return [_of_tensor(part)[()] for part in given]
        return [_of_scalar(part) for part in given] if given and _is_scalar(given[0]) else given
    if _is_tensor(given):
        return _of_tensor(given)
    if hasattr(given, "__next__") or isinstance(given, ValuesView):
        return plain(list(given))
    return _of_relation(given) if is_relation_of_one(given) else given


def refuse_set(name: str, given: Any, allowed: str = "a list of them") -> None:
    """Refuse a set where what is given has an order: that of a set is another in each process."""
    if isinstance(given, Set) and not isinstance(given, KeysView):
        raise UsageError(argument=name, allowed=allowed, got=Kind(given), why="which has no order")


def refuse_struct(name: str, given: Any, allowed: str) -> None:
    """Refuse a column of Arrow, pandas or Polars whose cells are structs: NumPy makes lists of
    them, or a table.
    """
    kind: Any = getattr(given, "dtype", None)
    # Of pandas, of PyArrow, or of Polars.
    kind = getattr(kind, "pyarrow_dtype", getattr(given, "type", kind))
    if type(kind).__name__ not in ("Struct", "StructType"):
        return
    names = [field.name for field in getattr(kind, "fields", kind)]
    raise UsageError(
        argument=name,
        allowed=allowed,
        got=Fact(f"a column of structs with {listing(names)}"),
        remedy="pass one of their fields",
    )


def one_label(name: str, given: Any) -> Any:
    """One label, as arrays and tensors without a dimension and PyArrow's cells hold one, too;
    several are refused.
    """
    label = _of_scalar(given)
    if _is_tensor(label) or isinstance(label, np.ndarray):
        label = plain(label)[()]
    several = hasattr(type(label), "__len__") and not isinstance(
        label, str | bytes | Enum | np.generic
    )
    if several or hasattr(label, "__next__") or is_relation_of_one(label):
        raise UsageError(argument=name, allowed="one label", got=Kind(given))
    return label


#: Types of DuckDB that NumPy has as they are; of others it has other numbers, as float64 of
#: HUGEINT, or their codes, or none.
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


def _of_relation(relation: Any) -> Any:
    """The column of a relation of DuckDB by Arrow; without PyArrow by NumPy, or by Python where
    that has no such type.
    """
    try:
        return relation.to_arrow_table().column(0)
    except ImportError:
        pass
    if relation.types[0].id in _KEPT:
        return next(iter(relation.fetchnumpy().values()))
    return [cell for (cell,) in relation.fetchall()]


def is_relation_of_one(given: Any) -> bool:
    """Whether it is a relation of DuckDB that has one column, as `relation["score"]` has."""
    return (
        type(given).__module__.partition(".")[0] == "duckdb"
        and len(getattr(given, "columns", ())) == 1
    )


def widen(array: npt.NDArray[Any]) -> npt.NDArray[Any]:
    """Numbers narrower than NumPy's own (bfloat16, float8, int4: ml_dtypes) as those that hold them
    exactly.
    """
    kind = array.dtype.type
    if kind.__module__.partition(".")[0] != "ml_dtypes":
        return array
    return array.astype(np.int8 if "int" in kind.__name__ else np.float32)


def _is_tensor(given: Any) -> bool:
    return hasattr(type(given), "detach") and hasattr(type(given), "numpy")


def _is_scalar(given: Any) -> bool:
    """Whether it is a cell as PyArrow has it, of which a list of a column is made."""
    return hasattr(type(given), "as_py")


def _of_scalar(given: Any) -> Any:
    return given.as_py() if _is_scalar(given) else given


def _of_tensor(given: Any) -> npt.NDArray[Any]:
    """Its numbers, wherever they lie and whether or not gradients go through them."""
    try:
        numbers = given.detach()
        try:
            array: npt.NDArray[Any] = numbers.numpy(force=True)
        except TypeError:  # bfloat16 and narrower: NumPy has no such types, and float32 holds them
            array = numbers.float().numpy(force=True)
    except (TypeError, RuntimeError) as error:  # sparse, nested, quantized, of the device "meta"
        what = printable(str(error).partition("\n")[0])
        raise UsageError(
            f"a tensor has no numbers to read ({what})", remedy="pass a dense one that has"
        ) from None
    return array


def sound(given: Any, label: str) -> Any:
    """Tables and columns, or a list of them, as NumPy reads them; those of PyArrow made safe to
    use.

    If their buffers do not fit they are refused: PyArrow trusts them, and crashes. Dictionaries in
    several chunks become the values that they stand for: PyArrow forgets which of them are missing
    when NumPy asks.
    """
    given = plain(given)
    if isinstance(given, list | tuple):
        return [sound(part, label) for part in given] if given and _is_arrow(given[0]) else given
    if not (_is_arrow(given) and hasattr(given, "validate")):
        return given
    try:
        given.validate(full=True)
    except ValueError as error:  # of which PyArrow's own is one
        what = f"the Arrow data is broken: {printable(str(error).partition(chr(10))[0])}"
        raise DataError([Problem(label, None, what, "write it anew")]) from None
    if hasattr(given, "schema") and hasattr(given, "itercolumns"):
        for place, field in enumerate(given.schema):
            if _is_coded(field):
                given = given.set_column(place, field.name, sound(given.column(place), label))
        return given
    return given.cast(given.type.value_type) if _is_coded(given) else given


def _is_coded(column: Any) -> bool:
    return hasattr(getattr(column, "type", None), "index_type")


def _is_arrow(given: Any) -> bool:
    return type(given).__module__.partition(".")[0] == "pyarrow"


def refuse_masked(given: Any, name: str, kind: str = "case") -> None:
    """Raise, naming the first case, if NumPy's masked array hides a value: what lies under a mask
    is no value.
    """
    is_own = isinstance(given, np.ndarray) and type(given) is not np.ndarray
    if is_own and np.any(hidden := getattr(given, "mask", False)):
        what, todo = (
            f"{kind} {int(np.argmax(hidden))} is masked",
            f"remove the {kind}, or unmask it",
        )
        raise DataError([Problem(name, None, what, todo)])


def single(
    array: npt.NDArray[Any], name: str, given: Any = None, what: str = "numbers"
) -> npt.NDArray[Any]:
    """One column; a table of one column is taken for it, which is said. Others are refused; `given`
    is what the user passed.
    """
    if array.ndim == 1:
        return array
    if array.ndim == 2 and array.shape[1] == 1:
        warn(TableAsColumn(name, array.shape))
        return array[:, 0]
    why, todo = taking(array, given, of_classes=name in ("score", "relevant"))
    raise UsageError(
        argument=name, allowed=f"one column of {what}", got=Shape(array.shape), why=why, remedy=todo
    )


def taking(array: npt.NDArray[Any], given: Any = None, of_classes: bool = True) -> tuple[str, str]:
    """What the columns are, which may be those of classes, and how to take one; nothing where that
    is not what there is.
    """
    if array.ndim != 2 or not array.size:
        return "", ""
    rows, columns = array.shape
    if rows == 1:
        return "", "take its row, [0]"
    by_place = isinstance(given, list | tuple)
    take = (
        "[row[{}] for row in ...]"
        if by_place
        else ".iloc[:, {}]"
        if hasattr(given, "iloc")
        else "[:, {}]"
    )
    if columns == 2 or not of_classes:
        which = "the column of the relevant class" if of_classes else "or another column"
        return "", f"take {take.format(1)}, {which}"
    todo = f"take that of one, such as {take.format(1)}, or pass all to pc.categorize"
    return "a column per class", todo


def check_column(name: str, values: Any) -> Float64:
    """One column of numbers as float64: one per topic, undefined ones included."""
    refuse_struct(name, values, "numbers, one per topic")
    values = sound(values, name)
    refuse_masked(values, name, "value")
    try:
        given = np.asarray(values)
        if given.dtype.kind in "mM":
            raise TypeError("dates and times are none")
        column = given.astype(np.float64, copy=False)
    except (TypeError, ValueError, OverflowError) as error:
        raise UsageError(argument=name, allowed=f"numbers, one per topic ({error})") from None
    if np.count_nonzero(huge := (np.abs(column) > HUGE) & np.isfinite(column)):
        raise UsageError(
            argument=name,
            what=f"{column[huge][0]:g} is beyond {HUGE:g}",
            remedy="divide all by one number",
        )
    return single(column, name, values)


def _number(value: Any) -> float:
    """NaN for what is no number: it is in no range."""
    try:
        return float(value) if is_number(value) else math.nan
    except OverflowError:
        return math.inf if value > 0 else -math.inf


def check_rows(**given: Any) -> None:
    """Refuse pandas columns that name the same rows in another order, or other rows: they would be
    paired by position.

    Rows that pandas numbered itself (0, 1, 2, ...) have no names, unless the others are these
    numbers in another order; what is of no pandas has none.
    """
    indexes = {
        name: column.index for name, column in given.items() if hasattr(type(column), "iloc")
    }
    for (name, index), (other, second) in itertools.combinations(indexes.items(), 2):
        if len(index) != len(second) or index.equals(second):
            continue
        rows, others = Counter(index.tolist()), Counter(second.tolist())
        if rows == others:
            what = (
                f"both name the rows {listing(index.tolist()[:5])}, in another order; put them in "
                "one"
            )
            raise UsageError(
                argument=f"{name} and {other}",
                what=f"{what} (.reindex({name}.index)), {_BY_POSITION}",
            )
        if not (is_numbered(index) or is_numbered(second)):
            a, b = next(iter(rows - others)), next(iter(others - rows))
            what = (
                f"they name other rows: only {name} has {a!r}, only {other} has {b!r}; select the "
                "same"
            )
            raise UsageError(argument=f"{name} and {other}", what=f"{what}, {_BY_POSITION}")


def is_numbered(index: Any) -> bool:
    """Whether rows or columns of a pandas frame are called 0, 1, 2, ... by pandas itself, and so
    have no names.
    """
    return type(index).__name__ == "RangeIndex" and (index.start, index.step) == (0, 1)


def refuse_alike(categories: Sequence[Any]) -> None:
    """Refuse categories of two types that are written alike, as 1 and "1": results name them by
    their text.
    """
    if len(set(map(type, categories))) < 2:
        return
    first: dict[str, Any] = {}
    for name in categories:
        if (other := first.setdefault(str(name), name)) is not name:
            kinds = f"{type(other).__name__} and as {type(name).__name__}"
            raise UsageError(
                f"category {str(name)!r} is there as {kinds}", remedy="write all labels as one type"
            )
