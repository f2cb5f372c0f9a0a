"""What `compare(...)` is given that is no report: two curves, two decisions, labels and two columns, or values per topic.

Each is told by what it is, and is what one of the functions of `compare` takes; what could be two things is refused.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping
from itertools import chain
from typing import Any, NamedTuple

import numpy as np

from precall.checks import is_number, plain
from precall.contingency import Decisions, Status
from precall.contingency.distinct_labels import has_order, known_categories
from precall.contingency.membership import Membership
from precall.curves import Curve
from precall.curves.accumulation import ScoredCases
from precall.curves.cases import column
from precall.curves.tally import is_unchanged, oriented_cases
from precall.declare.bound import find
from precall.errors import DataError, Problem, UsageError
from precall.infer.compare.comparisons import Comparison
from precall.measures import Measure
from precall.text import as_text, many, written

_COLUMNS = "pass labels and two columns, compare(y, a, b)"
_ORDER = "make both of the same items in the same order"


class Pair(NamedTuple):
    """The function of `compare` that takes two systems as they were given, what it takes, and the measure that was named.

    `settled` are options that are settled by what was given, and `known` what some of them are. `columns` are labels and what
    two systems say.
    """

    function: str
    arguments: tuple[Any, ...]
    measure: Any = None
    settled: tuple[str, ...] = ()
    columns: bool = False
    known: Mapping[str, Any] = {}


#: What says nothing of two systems: they are one pair, of which no topic is missing unless they have topics.
_SILENT = {"correction": "holm", "unpaired": "error"}


def compare_pair(
    compare: Any, first: Any, second: Any, third: Any, asked: Mapping[str, Any]
) -> Comparison | None:
    """The comparison of two systems by the function of `compare` that takes them; None where they are none.

    `asked` are the options of `compare(...)`: those that are None were not given.
    """
    (first, second, third), names = named_pair(first, second, third)
    pair = read_two_systems(first, second, third)
    if pair is None:
        return None
    asked = {**asked, "names": names} if names else asked
    if pair.columns and pair.measure is None and _is_measure(asked.get("test")):
        # In `compare(y, a, b, "AUC")` the measure comes after the columns.
        pair, asked = pair._replace(measure=asked["test"]), {**asked, "test": None}
    function: Callable[..., Comparison] = getattr(compare, pair.function)
    given = {"measure": pair.measure, **asked}
    given = {name: value for name, value in given.items() if value is not None and _SILENT.get(name) != value}
    parameters = inspect.signature(function).parameters.items()
    known = [name for name, part in parameters if part.default is not part.empty and name not in pair.settled]
    for name, value in given.items():
        if name not in known:
            what = f"got {value!r}, which two systems by themselves do not take"
            raise UsageError(argument=name, what=f"{what}; allowed are {', '.join(known)}")
    return function(*pair.arguments, **given, **pair.known)


def read_two_systems(first: Any, second: Any, third: Any) -> Pair | None:
    """What the three first arguments of `compare(...)` are, if they are two systems; None for reports, and qrels and runs."""
    if isinstance(first, Curve) and isinstance(second, Curve):
        return _curves(first, second, _measure(third))
    if isinstance(first, Decisions) and isinstance(second, Decisions):
        return _decisions(first, second, _measure(third))
    if isinstance(first, Curve | Decisions) or isinstance(second, Curve | Decisions):
        got = f"got {type(first).__name__} and {type(second).__name__}"
        raise UsageError(
            argument="compare", what=f"{got}; pass two of one kind, or {_COLUMNS.removeprefix('pass ')}"
        )
    if isinstance(first, Status) or isinstance(second, Status):
        got, decided = (
            f"got {type(first).__name__} and {type(second).__name__}",
            "compare(a.decide(...), b.decide(...))",
        )
        todo = "compare(truth == category, scores_a, scores_b, 'AUC')"
        raise UsageError(
            argument="compare",
            what=f"{got}; pass what both decide, {decided}, or the scores of one category, {todo}",
        )
    if isinstance(first, ScoredCases) or isinstance(second, ScoredCases):
        raise UsageError(
            argument="compare",
            what=f"ScoredCases know how many cases have a score, not which ones; {_COLUMNS}",
        )
    if _is_values(first) and _is_values(second):
        return Pair("paired", (first, second), _measure(third))
    if isinstance(first, Mapping) and isinstance(second, Mapping):
        _refuse_gaps(first, second)
    if not (_is_column(first) and _is_column(second)):
        return None  # judgements, of lists too
    if not _is_column(third):
        raise UsageError(
            argument="compare",
            what="got two columns, not three; pass labels and what two systems say, compare(y, a, b); one value per topic "
            "of each system to compare.paired(a, b)",
        )
    return _columns(first, plain(second), plain(third))


def named_pair(first: Any, second: Any, third: Any) -> tuple[tuple[Any, Any, Any], tuple[str, str] | None]:
    """Two curves or decisions in a list or by names, and labels with two named columns, each by itself; and the names."""
    first, second, third = (
        plain(given) if hasattr(given, "__next__") else given for given in (first, second, third)
    )
    names = tuple(
        map(as_text, first if isinstance(first, Mapping) else second if isinstance(second, Mapping) else ())
    )
    if isinstance(first, Mapping | list | tuple):
        parts = [*first.values()] if isinstance(first, Mapping) else [*first]
        if parts and all(isinstance(part, Curve | Decisions) for part in parts):
            _check_two(len(parts), "compare(a, b)")
            return (parts[0], parts[1], second if third is None else third), names or None  # type: ignore[return-value]
    if isinstance(second, Mapping) and third is None and _is_column(first) and not np.ndim(_first(first)):
        parts = [plain(part) for part in second.values()]
        if parts and all(_is_column(part) and np.ndim(_first(part)) == 0 for part in parts):
            _check_two(len(parts), "compare(y, a, b)")
            return (first, parts[0], parts[1]), names  # type: ignore[return-value]
    return (first, second, third), None


def _check_two(size: int, call: str) -> None:
    if size != 2:
        raise UsageError(
            argument="compare",
            what=f"got {size} system{'s' * (size != 1)}; two are compared at a time, {call}",
        )


def _first(given: Any) -> Any:
    """The first cell of a column."""
    return next(iter(given.to_pylist() if hasattr(given, "to_pylist") else given), None)


def _is_measure(name: Any) -> bool:
    """Whether what stands where tests do is the name of a measure."""
    if not isinstance(name, str):
        return isinstance(name, Measure)
    try:
        find(name)
    except UsageError:
        return False
    return True


def _measure(given: Any) -> Any:
    """The one measure that two systems are compared by; a list may hold it."""
    if isinstance(given, list | tuple) and len(given) == 1:
        given = given[0]
    if given is None or isinstance(given, str | Measure):
        return given
    got = f"{len(given)} of them" if isinstance(given, list | tuple) else f"{type(given).__name__}"
    raise UsageError(
        argument="measures",
        what=f"got {got}, and two systems are compared by one; pass its name, compare(a, b, 'AP')",
    )


def _refuse_gaps(*systems: Mapping[Any, Any]) -> None:
    """Say which topic has no value, where others have one: grades and rankings are no numbers."""
    if not all(any(map(_is_value, values.values())) for values in systems):
        return
    for name, values in zip("ab", systems, strict=True):
        for topic, value in values.items():
            if not _is_value(value):
                what = f"topic {topic!r} holds {written(value)}, allowed are numbers"
                todo = "give it a value, or leave it out of both"
                raise DataError([Problem(name, None, what, todo)])


def _curves(a: Curve, b: Curve, measure: Any) -> Pair:
    if a.weighted or b.weighted:
        todo = "pass labels, two columns and weights= to compare.cases"
        raise UsageError(argument="compare", what=f"a curve has weights, and does not keep them; {todo}")
    if a.missed != b.missed:
        raise UsageError(
            argument="compare", what=f"the curves have {a.missed} and {b.missed} missed cases; {_ORDER}"
        )
    for each in (a, b):
        _check_cases(each)
    known: dict[str, Any] = {"missed": int(a.missed)} if a.missed else {}
    settled = ["positive", "higher_is_better", "missed"]
    if a.higher_is_better == b.higher_is_better:
        (truth, first), (other, second) = a.cases, b.cases  # type: ignore[misc]
        known |= {"higher_is_better": a.higher_is_better}
    else:
        # One threshold cannot be meant from both sides.
        (truth, first), (other, second) = map(oriented_cases, (a, b))
        settled.append("threshold")
    if not np.array_equal(truth, other):
        raise UsageError(argument="compare", what=f"the curves have other labels; {_ORDER}")
    return Pair("cases", (truth, first, second), measure, tuple(settled), known=known)


def _check_cases(curve: Curve) -> None:
    """Refuse a curve that does not know the labels and scores that it was made of, or whose arrays have changed."""
    if curve.cases is None:
        raise UsageError(
            argument="compare",
            what=f"a curve made of counts does not know which case has which score; {_COLUMNS}",
        )
    if not is_unchanged(curve):
        raise UsageError(
            argument="compare",
            what="the labels or scores of a curve have changed since it was made; make it again",
        )


def _decisions(a: Decisions, b: Decisions, measure: Any) -> Pair:
    """With the truth of both, and with the categories of either."""
    if (a.truth.kind, a.truth.items) != (b.truth.kind, b.truth.items):
        got = ", ".join(f"{many(each.truth.items, 'item')}, {each.truth.kind}" for each in (a, b))
        raise UsageError(
            argument="compare", what=f"the decisions are of other items or another form: {got}; {_ORDER}"
        )
    known = a.categories
    if b.categories != known:
        known = known_categories(chain(a.categories, b.categories))
    first, second = ([_among(part, known) for part in (each.truth, each.predicted)] for each in (a, b))
    truth, other = first[0], second[0]
    if not np.array_equal(truth.keys, other.keys):
        width = len(known)
        item = int(np.setxor1d(truth.keys, other.keys)[0] // width)
        what = f"item {item} does not truly belong to the same categories in both"
        raise DataError([Problem("decisions", None, what, _ORDER)])
    return Pair("decisions", (truth, first[1], second[1]), measure, ("categories",))


def _among(part: Membership, known: tuple[Any, ...]) -> Membership:
    """The same, its categories among others."""
    place = {name: index for index, name in enumerate(known)}
    moved = np.array([place[name] for name in part.categories], np.int64)
    ordered = part.ordered and (part.categories == known or has_order(known))
    keys = np.sort(part.item * len(known) + moved[part.category])
    return Membership(part.items, known, keys, part.kind, ordered)


def _is_values(given: Any) -> bool:
    """Whether it is {topic: value}; a hit or none is a value."""
    return isinstance(given, Mapping) and bool(given) and all(map(_is_value, given.values()))


def _is_value(given: Any) -> bool:
    return is_number(given) or isinstance(given, bool | np.bool_)


def _is_column(given: Any) -> bool:
    """Whether it holds one thing per item: numbers, texts, sets of labels, or a line of a matrix. Rows of a table are none."""
    if isinstance(given, np.ndarray):
        return given.ndim > 0 and given.dtype.names is None
    if isinstance(given, list | tuple):
        return (
            bool(given)
            and not isinstance(given[0], list | tuple | Mapping)
            and not hasattr(given[0], "__fspath__")
        )
    if isinstance(given, str | bytes | Mapping) or hasattr(type(given), "columns"):
        return False
    # Series, Arrow's columns and tensors; runs, qrels and reports have no type of values.
    return hasattr(given, "dtype") or hasattr(given, "to_pylist") or hasattr(given, "tocoo")


def _columns(truth: Any, a: Any, b: Any) -> Pair:
    known = _labels(truth)
    kinds = [_kind(part, known) for part in (a, b)]
    if kinds[0] != kinds[1]:
        got = " and ".join(kind or "whole floats" for kind in kinds)
        raise UsageError(
            argument="compare", what=f"the two columns hold {got}; pass two of decisions or two of scores"
        )
    if not kinds[0]:
        raise UsageError(
            argument="compare",
            what="whole floats that are labels, too, may be decisions or scores; say which they are by "
            "compare.decisions(y, a, b) or compare.cases(y, a, b)",
        )
    return Pair("decisions" if kinds[0] == "decisions" else "cases", (truth, a, b), columns=True)


def _labels(truth: Any) -> set[Any] | None:
    """The labels that there are; None for sets of them and matrices."""
    if hasattr(truth, "tocoo") or isinstance(next(iter(truth), None), set | frozenset):
        return None
    cells = column(plain(truth), "y")
    return set(cells.ravel().tolist()) if cells.ndim == 1 or cells.shape[1:] == (1,) else None


def _kind(given: Any, known: set[Any] | None) -> str:
    """Whether a column holds "decisions" or "scores" of items of these labels; nothing where it may be either."""
    if known is None or hasattr(given, "tocoo"):
        return "decisions"
    cells = column(given, "a column")
    if cells.dtype.kind in "bUST" or (cells.dtype == object and not all(map(is_number, cells.flat))):
        return "decisions"
    distinct = set(np.unique(cells.astype(np.float64)).tolist())
    if not distinct <= {label for label in known if isinstance(label, int | float)}:
        # Of more than two labels a whole number is a label, if one that never occurs.
        return "decisions" if cells.dtype.kind in "iu" and len(known) > 2 else "scores"
    return "decisions" if cells.dtype.kind in "iu" else ""
