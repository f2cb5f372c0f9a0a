"""Scored cases: labels, scores and weights from the user, checked and converted to arrays.

Scores are never transformed and their direction is never guessed. float32 stays float32, so ties
are those of the input. Integers, fractions and longer floats become float64 if that is exact;
otherwise they are refused. Texts and decimals are read as in files, to the nearest float64.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from numbers import Number
from typing import Any, TypeAlias, TypeGuard, TypeVar

import numpy as np
import numpy.typing as npt

from precall.core.arguments import (
    as_array_like,
    check_choice,
    check_rows,
    is_whole,
    one_label,
    refuse_mask,
    refuse_set,
    refuse_struct,
    single_column,
    validate_arrow,
)
from precall.core.errors import (
    NAN,
    PROBLEM_LIMIT,
    DataError,
    Fact,
    Kind,
    Labels,
    Mistake,
    NoArray,
    Several,
    Shape,
    UsageError,
)
from precall.core.ragged import Bool, Int64, by_name, encode_labels
from precall.core.text import listing, many
from precall.native.literals import NUMBER
from precall.read import values
from precall.read.binary_labels import BOTH, RELEVANT, as_numbers, binary_text
from precall.read.positive_label import gaps_among_numbers, refuse_gaps, say_groups, tell_others
from precall.read.times import cells_of_times, plain_times
from precall.read.unlike_labels import are_scores, no_yes_or_no
from precall.read.values import plain_label
from precall.read.weights import (
    FINITE,
    LEAST,
    MOST,
    counts_or_real,
    too_heavy,
    total_weight,
    unfit_weights,
)

Scores: TypeAlias = npt.NDArray[np.float32] | npt.NDArray[np.float64]
Weights: TypeAlias = npt.NDArray[np.int64] | npt.NDArray[np.float64]
T = TypeVar("T")

#: Integers up to this are exact in float64; counts and whole weights may sum to no more.
EXACT = 2**53
_FLOATS = (np.dtype(np.float64), np.dtype(np.float32))
_TRUTHS = (np.dtype(np.bool_),)
_NUMBER = bool | int | float | np.bool_ | np.number


def check_cases(
    relevant: object,
    score: object,
    positive: object = None,
    higher_is_better: bool = True,
    part: dict[str, Any] | None = None,
) -> tuple[Bool, Scores]:
    """Labels and scores of equally many cases, both checked; for `part` see `tell_others`.

    Raises
    ------
    DataError
        A label is missing or not allowed.
    UsageError
        No label is `positive`, scores and labels are swapped, a score is not a number, or lengths
        or rows differ.
    """
    relevant, score = as_array_like(relevant), as_array_like(score)
    if not isinstance(score, np.ndarray):  # an array has no names of rows to compare
        check_rows(relevant=relevant, score=score)
    try:
        truth = labels(relevant, positive, part)
    except (DataError, UsageError):
        if _look_swapped(relevant, score, positive):
            raise UsageError(
                "relevant and score are swapped: relevant holds scores and score holds labels",
                remedy="pass the labels first",
            ) from None
        raise
    value = scores(score, higher_is_better)
    if len(truth) != len(value):
        raise UsageError(
            argument="relevant and score",
            allowed="of equal length",
            got=Fact(f"{many(len(truth), 'label')} and {many(len(value), 'score')}"),
        )
    return truth, value


def _is_plain(given: object, kinds: tuple[np.dtype[Any], ...]) -> TypeGuard[npt.NDArray[Any]]:
    """Whether it is a plain array of one of these types, one value a case, of which nothing else
    need be asked.
    """
    return type(given) is np.ndarray and given.ndim == 1 and given.dtype in kinds


def _look_swapped(relevant: object, score: object, positive: object) -> bool:
    """Whether labels and scores were swapped: the labels, which are not allowed, would do as
    scores, and the scores are labels or texts.
    """
    try:
        if _holds_texts(column(relevant, "relevant")):
            return False
        if np.isnan(scores(relevant)).any():  # labels are missing
            return False
        return _holds_texts(column(score, "score")) or bool(len(labels(score, positive)))
    except (DataError, UsageError):
        return False


def _holds_texts(given: npt.NDArray[Any]) -> bool:
    return given.dtype.kind in "UST" or (
        given.dtype == object and all(isinstance(cell, str) for cell in given)
    )


def labels(relevant: object, positive: object = None, part: dict[str, Any] | None = None) -> Bool:
    """Which cases are relevant: bool, 0/1, ±1, also as texts, or equality with `positive`.
    `positive` must occur, except in a `part` of the cases.
    """
    if positive is None and _is_plain(relevant, _TRUTHS):
        return relevant
    positive = None if positive is None else plain_label(one_label("positive", positive))
    array = column(relevant, "relevant")
    refuse_mask(array, "relevant")
    array = single_column(array, "relevant", relevant, "labels")
    if array.dtype.kind in "OMm":
        array = np.fromiter(plain_times(cells_of_times(array)), object, len(array))
    if array.dtype.kind == "b" and positive is None:
        return array
    if array.dtype == object or (positive is not None and array.dtype.kind == "f"):
        refuse_missing(array)
    if positive is not None:
        truth = _equal(array, positive)
        if len(truth) and part is None and not truth.any():
            raise never(positive, {repr(label): label for label in array.tolist()})
        tell_others(array, truth, positive, part)
        return truth
    return _ones(_binary_numbers(array))


def _ones(labels: npt.NDArray[Any]) -> Bool:
    """Which labels are 1, provided that all others are 0 or all others are -1."""
    if labels.dtype == object and all(
        isinstance(label, Number | np.bool_) and not isinstance(label, complex) for label in labels
    ):
        try:
            labels = labels.astype(np.float64)  # some libraries hold columns of numbers as objects
        except OverflowError:
            raise _unknown_label(labels) from None
    if labels.dtype.kind in "iuf" and len(labels):
        truth = np.asarray(labels == 1)
        rest = len(labels) - np.count_nonzero(truth)
        if rest in (np.count_nonzero(labels == 0), np.count_nonzero(labels == -1)):
            return truth
        if labels.dtype.kind == "f":
            refuse_missing(labels)  # before NaN is reported as an unknown label
    if len(labels):
        raise _unknown_label(labels)
    return np.zeros(0, np.bool_)


class OtherLabel:
    """The label of cases that are not relevant, which must be the same in all batches: 0, or -1."""

    def __init__(self) -> None:
        self.text: str | None = None

    def see(self, label: object, relevant: Bool) -> None:
        """Check the labels of one more batch; DataError if they differ from those of an earlier
        one.
        """
        if relevant.all():
            return
        labels = label if isinstance(label, list | tuple | np.ndarray) else np.asarray(label)
        cell = np.ravel(labels[int(np.argmin(relevant))])[0]
        self.agree(binary_text(cell.item() if isinstance(cell, np.generic) else cell))

    def agree(self, text: str | None) -> None:
        """Check the label that another instance has seen."""
        if text in (None, "false"):
            return
        self.text = self.text or text
        if text != self.text:
            raise BOTH.error("relevant")


def _binary_numbers(given: npt.NDArray[Any]) -> npt.NDArray[Any]:
    """Texts that are all 0/1, -1/1 or false/true, as numbers, as in files; other labels
    unchanged.
    """
    if not len(given) or given.dtype.kind == "S" or not _holds_texts(given):
        return given
    texts, code = encode_labels(given.tolist())
    numbers = as_numbers(texts)
    return given if numbers is None else np.array([numbers[text] for text in texts])[code]


def never(positive: object, known: Mapping[str, object]) -> UsageError:
    """The error that no label is the positive one; it lists the labels that occur."""
    return UsageError(
        "no label is {got}",
        argument="positive",
        got=positive,
        allowed=Labels("the labels are", known.values()),
    )


def refuse_missing(given: npt.NDArray[Any], name: str = "relevant") -> None:
    """Raise, naming the first case, if a label is None, NaN, NaT or pandas' NA."""
    if given.dtype == object:
        missing = np.fromiter(
            (not values.has_value(label) for label in given), np.bool_, len(given)
        )
    else:
        missing = np.asarray(given != given)
    if np.any(missing):
        remedy = (
            "give every case a label; pc.judge.cases takes gaps if a judge labelled all, and "
            "pc.extremes.cases gives bounds over all labels"
        )
        raise _first_case(name, missing, Mistake("is missing", remedy), "")


def _equal(given: npt.NDArray[Any], positive: object) -> Bool:
    if given.dtype.kind in "OT":
        truth = np.fromiter((label == positive for label in given.tolist()), np.bool_, len(given))
    else:
        try:
            truth = np.asarray(given == positive)
        except (ValueError, OverflowError):  # a frame, and an integer beyond the type of the labels
            truth = np.zeros((), np.bool_)
    if len(given) and isinstance(positive, _NUMBER) and _holds_texts(given):
        labels = list(dict.fromkeys(given.tolist()))
        raise UsageError(
            argument="positive", got=positive, why=f"but the labels are texts: {listing(labels)}"
        )
    if truth.shape != given.shape:  # NumPy returns a single False for values of unlike kinds
        kind = f"{given.dtype}, such as {given[0]!r}"
        raise UsageError(argument="positive", got=positive, why=f"but the labels are {kind}")
    return truth


def _unknown_label(given: npt.NDArray[Any]) -> DataError:
    labels = given.tolist()
    # Not a set, as labels that are lists or dicts have no hash.
    allowed = [0, 1] if any(label == 0 for label in labels) else [-1, 1]
    wrong = np.fromiter((label not in allowed for label in labels), np.bool_, len(labels))
    case = int(np.argmax(wrong))
    if wrong.all() and _are_few_words(labels):
        return no_yes_or_no(labels, Several(list(dict.fromkeys(labels)))).error("relevant")
    mistake = no_yes_or_no(labels, labels[case], case)
    return mistake.with_count(int(np.count_nonzero(wrong)), len(wrong), "others").error("relevant")


def _are_few_words(labels: list[Any]) -> bool:
    """Whether labels are a few different ones, which can all be named: neither scores nor texts of
    allowed labels.
    """
    try:
        distinct = set(labels)
    except TypeError:
        return False
    few = 1 < len(distinct) <= PROBLEM_LIMIT and RELEVANT.keys().isdisjoint(distinct)
    return few and not are_scores(distinct)


def scores(score: object, higher_is_better: bool = True) -> Scores:
    """The scores as float32 or float64, oriented so that high is good; `refuse_nan` refuses NaN
    later.
    """
    check_choice("higher_is_better", higher_is_better, (False, True))
    return orient(numbers(score, "score"), higher_is_better)


def orient(score: T, higher_is_better: bool) -> T:
    """Scores as given → scores whose best is the highest, and back: their negatives if low scores
    are good.

    Examples
    --------
    >>> (
    ...     orient(np.array([0.0, 8.0]), True),
    ...     orient(np.array([0.0, 8.0]), False),
    ...     orient(-np.inf, False),
    ... )
    (array([0., 8.]), array([ 0., -8.]), inf)
    """
    # Not -score, which would turn 0 into -0.
    return score if higher_is_better else 0.0 - score  # type: ignore[operator, return-value]


def numbers(listed: object, name: str) -> Scores:
    """Scores or weights as float32 or float64; an error if they are not exactly representable
    numbers.
    """
    if _is_plain(listed, _FLOATS):
        return listed
    listed = as_array_like(listed)
    array = column(listed, name)
    if array is not listed:
        refuse_inexact_lists(listed, array, name)
    refuse_mask(array, name)
    array = single_column(array, name, listed)
    return array if array.dtype in _FLOATS else _convert(array, name)


def refuse_inexact_lists(listed: object, numbers: npt.NDArray[Any], name: str = "score") -> None:
    """Raise if NumPy rounded integers of a list: next to a float it converts them to floats. Rows
    may be lists.
    """
    if not isinstance(listed, list | tuple) or numbers.dtype != np.float64:
        return
    large = np.abs(numbers) >= EXACT
    for position in np.argwhere(large).tolist() if large.any() else ():
        cell: Any = listed
        for index in position:
            cell = cell[index]
        if isinstance(cell, int | np.integer) and int(cell) != numbers[*position].item():
            raise _large(name)


def _large(name: str) -> UsageError:
    return UsageError(
        "integers beyond 2**53 are not exact as float64",
        argument=name,
        remedy=f"{_INSTEAD[name]} them first",
    )


def _convert(given: npt.NDArray[Any], name: str) -> Scores:
    kind = given.dtype.kind
    if given.dtype == np.float16:
        return given.astype(np.float32)
    if kind == "c" or (kind == "O" and any(isinstance(cell, complex) for cell in given)):
        raise UsageError(
            argument=name, allowed="real numbers", got=Fact(f"{given.dtype} with complex ones")
        )
    if kind not in "biufOUST":
        raise UsageError(argument=name, allowed="numbers", got=Fact(given.dtype))
    types = set(map(type, given.tolist())) if kind == "O" else set()
    if kind in "UST" or not types <= {int, float, bool}:
        return _read(given.tolist(), name)
    try:
        with np.errstate(over="ignore"):
            converted = given.astype(np.float64)
    except OverflowError:  # an integer; the caller refuses it and names its case
        return _read(given.tolist(), name)
    except (TypeError, ValueError) as error:
        raise UsageError(
            argument=name, allowed="numbers", got=Fact(f"{given.dtype} ({error})")
        ) from None
    if int in types or _exceeds_float64(given):
        _refuse_inexact(given, converted, name)
    return converted


def _exceeds_float64(given: npt.NDArray[Any]) -> bool:
    """Whether numbers of this type or size may lie outside float64."""
    if given.dtype.kind in "iu":
        return len(given) > 0 and max(int(given.max()), -int(given.min())) > EXACT
    return given.dtype.kind == "f" and given.dtype.itemsize > 8


def _refuse_inexact(given: npt.NDArray[Any], converted: Scores, name: str) -> None:
    """Raise for the first number that float64 does not hold exactly."""
    for row, (cell, number) in enumerate(zip(given.tolist(), converted.tolist(), strict=True)):
        # Python compares integers with floats exactly.
        if cell != number and number == number:
            if isinstance(cell, int):
                raise _large(name)
            raise _no_number(name, cell, row, "inexact")


def _read(given: list[Any], name: str) -> npt.NDArray[np.float64]:
    """Texts and decimals by the rules of files; other numbers if float64 holds them exactly."""
    cells = [_number(cell) for cell in given]
    wrong = [case for case, cell in enumerate(cells) if isinstance(cell, str)]
    if wrong:
        raise _no_number(
            name, given[wrong[0]], wrong[0], cells[wrong[0]], _share(len(wrong), len(given), "none")
        )
    return np.array(cells, np.float64)


def _number(given: object) -> float | str:
    """A number, or a text that says what is wrong with it."""
    number = ("nan",) if values.is_missing(given) else values.score_of_case(given)
    if not isinstance(number, tuple):
        return number
    return math.nan if number == ("nan",) else str(number[0])


def _no_number(name: str, given: object, case: int, why: object, share: str = "") -> UsageError:
    return UsageError(
        argument=name,
        allowed="numbers",
        got=Fact(f"{values.short_repr(given)} for case {case}{share}"),
        remedy=_ADVICE[name][why],
    )


_RANGE, _ROUNDED = "beyond float64 (about 1.8e308)", "float64 does not hold it exactly"
#: Advice by what is wrong with a number: scores may be infinite, weights may not.
_ADVICE: dict[str, dict[object, str]] = {
    "score": {
        "value": NUMBER,
        "score-range": f"{_RANGE}: write inf or -inf if that is meant",
        "inexact": f"{_ROUNDED}, so rank the scores first",
    },
    "weights": {
        "value": FINITE,
        "score-range": f"{_RANGE}: {FINITE}",
        "inexact": f"{_ROUNDED}, so round the weights first",
    },
}
_INSTEAD = {"score": "rank", "weights": "round"}


def refuse_nan(score: Scores) -> None:
    """Raise, naming the first index, if a score is NaN."""
    missing = np.isnan(score)
    if missing.any():
        mistake = Mistake("is {got}", "remove the case, or count it with ⟨missed=⟩", got=NAN)
        raise _first_case("score", missing, mistake, "")


def weight(weights: object, length: int) -> Weights:
    """Weights as int64, which repeat cases, or as float64: read like scores, finite and not
    negative. `counts_or_real` decides which of the two.
    """
    weights = as_array_like(weights)
    array = column(weights, "weights")
    if array.ndim == 2:
        array = single_column(array, "weights", weights)
    if array.shape != (length,):
        raise UsageError(
            argument="weights", allowed=f"one per case ({length})", got=Shape(array.shape)
        )
    refuse_inexact_lists(weights, array, "weights")
    cells = counts_or_real(numbers(array, "weights").astype(np.float64), array)
    if unfit := unfit_weights(cells):
        mistake = unfit.mistake("is {got}", cells[int(np.argmax(unfit.cases))])
        raise _first_case("weights", unfit.cases, mistake)
    refuse_heavy(total_weight(cells))
    return cells


def refuse_heavy(total: float) -> None:
    """Raise if the sum of all weights exceeds what is allowed."""
    if (wrong := too_heavy(total)) is not None:
        raise UsageError(wrong.what, argument="weights", got=total, remedy=wrong.todo)


def missed_count(missed: Any, weighted: bool) -> int | float:
    """The number of relevant items that were never scored, checked."""
    if type(missed) is int and 0 <= missed <= EXACT:
        return missed
    is_integer = is_whole(missed)
    real = weighted and isinstance(missed, float | np.floating) and float(missed) == missed
    if is_integer and missed > EXACT:
        raise UsageError(argument="missed", allowed="at most 2**53", got=missed)
    if not (is_integer or real) or not 0 <= missed < MOST:
        raise UsageError(argument="missed", allowed="a count >= 0", got=missed)
    if 0 < missed < LEAST:
        raise UsageError(argument="missed", allowed=f"0 or at least {LEAST:g}", got=missed)
    return int(missed) if is_integer else float(missed)


def column(given: Any, name: str) -> npt.NDArray[Any]:
    """The values as an array; texts, and numbers, None and NaN among texts, stay as they are."""
    if isinstance(given, np.ndarray):
        given = as_array_like(given)
        return values.plain_texts(given, given)
    refuse_set(name, given, "one column of values")
    refuse_struct(name, given, "one column of values")
    if isinstance(given, Mapping):
        keys = list(given)
        got = Fact(f"a dict of {listing(keys)}")
        advice = f"pass each column by itself, such as {name}[{keys[0]!r}]" if keys else ""
        raise UsageError(argument=name, allowed="one column of values", got=got, remedy=advice)
    given = validate_arrow(given, name)
    try:
        array = values.array_of(given)
    except (TypeError, ValueError) as error:
        parts = isinstance(given, list | tuple) and all(
            isinstance(piece, list | tuple | np.ndarray) for piece in given
        )
        remedy = "join the parts, as by np.concatenate" * parts
        raise UsageError(
            argument=name, allowed="one column of values", got=NoArray(given, error), remedy=remedy
        ) from None
    if array.ndim == 0:
        raise UsageError(
            argument=name,
            allowed="one column of values",
            got=Kind(given),
            remedy="pass a list or an array",
        )
    return array


def _first_case(name: str, cases: Bool, mistake: Mistake, kind: str = "so") -> DataError:
    """One problem for all marked cases; it names the first of them and their number."""
    of_case = mistake.prefix("case {case} ", case=int(np.argmax(cases)))
    return of_case.with_count(int(np.count_nonzero(cases)), len(cases), kind).error(name)


def _share(count: int, size: int, kind: str) -> str:
    """How many more cases have the same problem as the one that is named, if any."""
    return f" ({count} of {size} are{f' {kind}' * bool(kind)})" if count > 1 else ""


def members(groups: object, length: int, argument: str = "groups") -> Int64:
    """The index of each case's group, in the order of the groups' names; every case must have a
    group.
    """
    return by_name(*group_indexes(groups, length, argument))


def group_indexes(groups: object, length: int, argument: str = "groups") -> tuple[list[Any], Int64]:
    """The names of the groups, and the index of each case's group."""
    refuse_set(argument, groups, "one per item")
    refuse_struct(argument, groups, "one per item")
    labels = validate_arrow(groups, argument)
    if hasattr(labels, "columns"):
        labels = column(labels, argument)
    if not isinstance(labels, np.ndarray):
        try:
            labels = values.as_list(labels)
        except TypeError:
            raise UsageError(argument=argument, allowed="one per item", got=Kind(groups)) from None
    if isinstance(groups, list) and groups and isinstance(groups[0], list):
        labels = column(labels, argument)  # rows of a table
    refuse_mask(labels, argument)
    if isinstance(labels, np.ndarray) and labels.ndim == 2:
        labels = single_column(labels, argument, groups, "values")
    shape = labels.shape if isinstance(labels, np.ndarray) else (len(labels),)
    if shape != (length,):
        raise UsageError(argument=argument, allowed=f"one per item ({length})", got=Shape(shape))
    if isinstance(labels, np.ndarray) and labels.dtype.kind in "iub":
        names, code = np.unique(labels, return_inverse=True)
        return names.tolist(), np.asarray(code, np.int64)
    code_by_label: dict[Any, int] = {}
    code = np.empty(length, np.int64)
    cells = plain_times(cells_of_times(labels) if isinstance(labels, np.ndarray) else labels)
    for case, label in enumerate(cells):
        if not values.is_there(label):
            unknown = np.fromiter((not values.is_there(cell) for cell in cells), np.bool_, length)
            mistake = Mistake("has none ({got})", "give every case one", got=label)
            raise _first_case(argument, unknown, mistake)
        try:
            code[case] = code_by_label.setdefault(label, len(code_by_label))
        except TypeError:
            raise UsageError(
                argument=argument,
                allowed="numbers or texts",
                got=Fact(f"{values.short_repr(label)} for case {case}"),
            ) from None
    refuse_gaps(
        argument,
        "case",
        gaps_among_numbers(code_by_label),
        lambda label: np.asarray(code == code_by_label[label]),
    )
    called = [label.item() if isinstance(label, np.generic) else label for label in code_by_label]
    say_groups(called)
    return _group_by_text(called, code)


def _group_by_text(names: list[Any], code: Int64) -> tuple[list[Any], Int64]:
    """Groups in which a number and a text written alike are one, as in files."""
    if len({isinstance(name, str) for name in names}) < 2:
        return names, code
    written = list(map(values.group_name, names))
    first = dict(zip(reversed(written), reversed(names), strict=True))
    texts, index = encode_labels(written)
    return [first[text] for text in texts], index[code]
