"""Every exception and warning of precall."""

from __future__ import annotations

import errno
import re
from collections.abc import Callable, Collection, Hashable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from importlib import import_module
from types import ModuleType
from typing import Any, Literal, NamedTuple, Self

from precall.core.spelling import OPTIONS, Style, option, protect, spell_arguments
from precall.core.text import (
    as_text,
    listing,
    many,
    printable,
    short_repr,
    shorten,
    shorten_quotations,
    visible,
)

#: At most this many problems of one file are reported together.
PROBLEM_LIMIT = 20


class _NOTHING:
    """Stands for an argument that was not given; it is a class because pickle preserves the
    identity of classes.
    """


class PrecallError(Exception):
    """Base of every error that precall raises on purpose.

    Examples
    --------
    >>> import precall as pc
    >>> try:
    ...     pc.curve([1, 0], [0.5])
    ... except pc.PrecallError as error:
    ...     print(error)
    relevant and score: must be of equal length, got 2 labels and 1 score
    """

    @property
    def marked(self) -> str:
        """What is wrong and what to do, with marked arguments, for use inside another error."""
        return super().__str__()

    def words(self, style: Style = "python") -> str:
        """What is wrong, and what to do.

        Parameters
        ----------
        style : "python" names arguments, "command" the options of the command line.
        """
        # Messages are shown on terminals and quote names of files, columns and measures, which may
        # have any length.
        return visible(shorten_quotations(spell_arguments(self.marked, style)))

    def __str__(self) -> str:
        return self.words()

    def __repr__(self) -> str:
        return f"{type(self).__name__}({str(self)!r})"


def key_error(message: str, *keys: object) -> KeyError:
    """The error that a mapping has no such keys; long ones are cut, as in every message.

    Examples
    --------
    >>> key_error("there are AP, AUC", "P@5")
    KeyError("'P@5': there are AP, AUC")
    """
    return KeyError(visible(shorten_quotations(f"{', '.join(map(short_repr, keys))}: {message}")))


class Fact:
    """A text about a value that messages show instead of the value, which would be too long or not
    to the point.
    """

    def __init__(self, value: object) -> None:
        self.value = value

    def __str__(self) -> str:
        """The text that messages show, neither quoted nor cut."""
        return str(self.value)

    def __reduce__(self) -> tuple[object, ...]:
        # The value may be any object, and pickle may not accept it.
        return Fact, (str(self),)


class Kind(Fact):
    """The type of a value.

    Examples
    --------
    >>> str(Kind(3))
    'int'
    """

    def __str__(self) -> str:
        return type(self.value).__name__


class Shape(Fact):
    """The shape of an array.

    Examples
    --------
    >>> str(Shape((2, 3)))
    'an array of shape (2, 3)'
    """

    def __str__(self) -> str:
        return f"an array of shape {self.value}"


class NoArray(Fact):
    """Why a value is no array: its first entries of unlike length, or the error of NumPy.

    Parameters
    ----------
    value : the value.
    error : the error that NumPy raised.

    Examples
    --------
    >>> str(NoArray([[1, 2], [3]], ValueError("...")))
    'lists of unlike length: entry [0] has 2 values, [1] has 1'
    >>> str(NoArray([[1, 2], 3], ValueError("...")))
    'a list as entry [0] and none as [1]'
    """

    def __init__(self, value: object, error: Exception) -> None:
        super().__init__(value)
        self.error: str = str(error)

    def __str__(self) -> str:
        kind = type(self.value).__name__
        return _unlike_entries(self.value, "") or f"{kind} ({shorten(self.error)})"

    def __reduce__(self) -> tuple[object, ...]:
        return Fact, (str(self),)


def _unlike_entries(value: object, within: str) -> str:
    """The first two entries of lists in lists that differ in length, or of which one is no list;
    empty if there are none. Texts have a length, but are values.
    """
    if not isinstance(value, list | tuple) or not value:
        return ""
    sizes = [
        len(entry) if hasattr(entry, "__len__") and not isinstance(entry, str | bytes) else None
        for entry in value
    ]
    first = sizes[0]
    other = next((at for at, size in enumerate(sizes) if size != first), None)
    if other is None:
        places = (f"{within}[{at}]" for at in range(len(value)))
        return next(filter(None, map(_unlike_entries, value, places)), "")
    if first is None or sizes[other] is None:
        listed, single = (other, 0) if first is None else (0, other)
        return f"a list as entry {within}[{listed}] and none as {within}[{single}]"
    values = f"{first} value{'s' * (first != 1)}"
    return (
        f"lists of unlike length: entry {within}[0] has {values}, "
        f"{within}[{other}] has {sizes[other]}"
    )


#: Not a number, as messages call it.
NAN = Fact("NaN")


class Many(Fact):
    """A number of things.

    Examples
    --------
    >>> str(Many(1, "cell")), str(Many(3, "cell"))
    ('1 cell', '3 cells')
    """

    def __init__(self, value: float, noun: str) -> None:
        super().__init__(value)
        self.noun: str = noun

    def __str__(self) -> str:
        return many(self.value, self.noun)  # type: ignore[arg-type]


class Cause(Fact):
    """The text of another library's error, on one line and cut if it is long."""

    def __str__(self) -> str:
        return shorten(" ".join(str(self.value).split())) or type(self.value).__name__


class Several(Fact):
    """Several values in a sentence, each as Python writes it; only the first ones if there are
    many.

    Parameters
    ----------
    values : the values.
    mark : what stands between them.

    Examples
    --------
    >>> str(Several(["a", "b"])), str(Several(["a", 1], " and no column "))
    ("'a', 'b'", "'a' and no column 1")
    """

    def __init__(self, values: Sequence[object], mark: str = ", ") -> None:
        super().__init__(values)
        self.mark: str = mark

    def __str__(self) -> str:
        return listing(self.value, _written, self.mark)  # type: ignore[arg-type]


class FirstOf(Several):
    """The first three of several values, and the number of the others.

    Examples
    --------
    >>> str(FirstOf(["a", "b"])), str(FirstOf("abcde"))
    ("'a', 'b'", "'a', 'b', 'c' and 2 more")
    """

    def __str__(self) -> str:
        values: Sequence[object] = self.value  # type: ignore[assignment]
        more = f" and {len(values) - 3} more" if len(values) > 3 else ""
        return f"{listing(values[:3], _written)}{more}"


def quote_name(name: object) -> str:
    """A name that people gave, for a sentence: quoted if it is empty or has spaces, commas or line
    ends.

    Examples
    --------
    >>> quote_name("bm25"), quote_name("x, y"), quote_name("")
    ('bm25', "'x, y'", "''")
    """
    text = as_text(name)
    is_plain = text and text.isprintable() and not any(mark in text for mark in " ,;:")
    return text if is_plain else short_repr(text)


class Among(tuple[object, ...]):
    """All allowed values, and the words that introduce them.

    Parameters
    ----------
    words : the words before the values.
    values : the values.

    Examples
    --------
    >>> str(Among("the runs are", ["a", "b"]))
    'the runs are a, b'
    """

    words: str

    def __new__(cls, words: str, values: Iterable[object]) -> Self:
        """A tuple of the values, with the words."""
        among = super().__new__(cls, values)
        among.words = words
        return among

    def __str__(self) -> str:
        return f"{self.words} {', '.join(protect(as_text(value)) for value in self)}"

    def __reduce__(self) -> tuple[object, ...]:
        return type(self), (self.words, tuple(map(as_text, self)))


class Labels(Among):
    """Labels as allowed values, as Python writes them; only the first ones if there are many."""

    def __str__(self) -> str:
        return f"{self.words} {protect(listing(self, _written))}"

    def __reduce__(self) -> tuple[object, ...]:
        return type(self), (self.words, tuple(self))


class Names(Among):
    """Names that people gave, as allowed values; a name that would break up a list is quoted."""

    def __str__(self) -> str:
        return f"{self.words} {', '.join(protect(quote_name(value)) for value in self)}"


class UsageError(PrecallError, ValueError):
    """An argument or option is not allowed; the message says what is allowed.

    Parameters
    ----------
    what : what is wrong; empty if `got` and `allowed` say it. `{got}` in it stands for what was
        got, which otherwise follows. If it has commas, it may end in a semicolon, and `got` follows
        that.
    argument : name of the argument; empty if the error is not about one.
    got : the value of the argument, or a `Fact` about it.
    why : why the value is not allowed; continues `got`, for example "but the labels are texts".
    allowed : words that follow "must be", which may also end in a semicolon; or all allowed values.
    remedy : what to do.

    Examples
    --------
    >>> import precall as pc
    >>> pc.curve([1, 0], [0.9, 0.8], missed=-1)
    Traceback (most recent call last):
    precall.core.errors.UsageError: missed: must be a count >= 0, got -1
    """

    def __init__(
        self,
        what: str = "",
        *,
        argument: str = "",
        got: object = _NOTHING,
        why: str = "",
        allowed: str | Collection[object] | Among = "",
        remedy: str = "",
    ) -> None:
        self.what: str = what
        self.argument: str = argument
        self.got: object = got
        self.why: str = why
        self.remedy: str = remedy
        self.allowed: str | Among = (
            allowed if isinstance(allowed, str | Among) else Among("allowed are", allowed)
        )
        super().__init__(what)

    def __reduce__(self) -> tuple[object, ...]:
        # The value may be large, or pickle may not accept it, so another process gets its text.
        return _usage_error, (type(self), {**vars(self), "got": _plain_got(self.got)})

    def about(self, argument: str) -> Self:
        """The same error about the argument that contains the faulty one."""
        error = type(self)(self.marked if self.argument else self.what)
        if not self.argument:
            vars(error).update(vars(self))
        error.argument = argument
        return error

    @property
    def marked(self) -> str:
        """See `PrecallError.marked`."""
        # An argument may be an option with a path, and a path may have line ends.
        return _join(": ", printable(self.argument), self._message)

    @property
    def _message(self) -> str:
        """What is wrong and what to do, without the argument."""
        what, got = self.what, self.got
        if got is not _NOTHING and "{got}" in what:
            what, got = fill_template(what, {"got": got}), _NOTHING
        wrong = _wrong(what, got, self.allowed, self.why)
        return _join("; ", wrong, self.remedy)

    def words(self, style: Style = "python") -> str:
        """What is wrong with which argument, and what to do; see `PrecallError.words`."""
        is_option = style == "command" and self.argument in OPTIONS
        marked = f"{option(self.argument)}: {self._message}" if is_option else self.marked
        return visible(shorten_quotations(spell_arguments(marked, style)))


#: Types of values that an error keeps if it is pickled for another process.
_PLAIN = str | int | float | Fact | None


def _plain_got(got: object) -> object:
    """What was got, as another process gets it."""
    is_plain = got is _NOTHING or isinstance(got, _PLAIN)
    return got if is_plain else Fact(_written(got))


def _wrong(
    what: str, got: object, allowed: str | Among, why: str = "", is_said: bool = False
) -> str:
    """What is wrong: what was got, unless `what` says it, and what is allowed."""
    after = "" if got is _NOTHING or is_said else f"got {_as_got(got)}"
    is_listed = isinstance(allowed, Among)
    must = f"must be {allowed}" if allowed and not is_listed else ""
    wrong = _join(", ", what, must)
    wrong = _join(" " if wrong.endswith((";", ":")) else ", ", wrong, after)
    wrong = _join(", ", wrong, why)
    if is_listed:
        wrong = _join(", " if (after or is_said) and not why else "; ", wrong, str(allowed))
    return wrong


def _as_got(got: object) -> str:
    return protect(printable(str(got)) if isinstance(got, Fact) else _written(got))


def _written(value: object) -> str:
    """A value as Python writes it, and a number or text of NumPy without its type; long ones are
    cut.
    """
    kind = getattr(getattr(value, "dtype", None), "kind", "")
    if isinstance(kind, str) and kind and getattr(value, "ndim", None) == 0:
        if kind in "biuf":
            return str(value)
        value = str(value) if kind == "U" else value
    return short_repr(value)


#: A field of a template, with the format of a number or of a word of ours.
_FIELD = re.compile(r"\{(\w+)(?::([\w,.]+))?\}")


def fill_template(template: str, values: Mapping[str, object]) -> str:
    """A template with its values, which are shown as `got` is, or in the format of their field."""

    def show(field: re.Match[str]) -> str:
        name, form = field.groups()
        if name not in values:
            return field[0]
        return _as_got(values[name]) if form is None else protect(format(values[name], form))

    return _FIELD.sub(show, template)


def _join(mark: str, *texts: str) -> str:
    return mark.join(filter(None, texts))


def _usage_error(kind: type[UsageError], facts: Mapping[str, Any]) -> UsageError:
    """An error as it was before it was pickled."""
    error = kind(facts["what"])
    vars(error).update(facts)
    return error


class MeasureError(UsageError):
    """A measure's name or parameter is unknown or not allowed.

    Parameters
    ----------
    what, argument, got, why, allowed, remedy : see `UsageError`.
    measure : name of the measure that the error is about, as it was given; empty if there is none.
    parameter : the parameter of the measure that is not allowed; empty if there is none.

    Examples
    --------
    >>> import precall as pc
    >>> pc.measure("nDGC@10")
    Traceback (most recent call last):
    precall.core.errors.MeasureError: no measure 'nDGC@10'; did you mean nDCG? `precall measures` lists all
    """  # noqa: E501

    def __init__(
        self,
        what: str = "",
        *,
        argument: str = "",
        measure: str = "",
        parameter: str = "",
        got: object = _NOTHING,
        why: str = "",
        allowed: str | Collection[object] | Among = "",
        remedy: str = "",
    ) -> None:
        self.measure: str = measure
        self.parameter: str = parameter
        super().__init__(what, argument=argument, got=got, why=why, allowed=allowed, remedy=remedy)

    @property
    def _message(self) -> str:
        return _join(
            ": ", protect(self.measure), _join(" ", protect(self.parameter), super()._message)
        )

    fault: Literal["", "unknown", "form", "cutoff"] = ""
    """What is wrong with a name: "unknown", no measure has it; "form", it cannot be a name of a
    measure; "cutoff", its measure takes no such cutoff. Empty for all other faults."""

    def because(self, fault: Literal["unknown", "form", "cutoff"]) -> Self:
        """The error itself, after `fault` was set."""
        self.fault = fault
        return self


class Problem(NamedTuple):
    """One problem of an input: where it is, what is wrong, and what to do.

    Parameters
    ----------
    source : the name of the input.
    line : the line, if the input has lines.
    what : what is wrong, as a template without values of the input: `{name}` stands for one of
        `values`, and `{got}` for what was got, which otherwise follows. `{name:,}` formats a
        number, `{name:s}` is a word of ours, without quotes.
    todo : what to do.
    row : the row, if the input has rows.
    kind : equal for problems that differ only in their lines, rows and values; None for a problem
        unlike all others, such as a missing column.
    got : the value that is wrong, or a `Fact` about it.
    allowed : words that follow "must be", or all allowed values, as of `UsageError`.
    values : all other values that `what` shows, such as the topic.

    Examples
    --------
    >>> kinds = Among("allowed are", ["a", "b"])
    >>> print(Problem("x.json", None, "no such kind", "correct it", got="c", allowed=kinds))
    x.json: no such kind, got 'c', allowed are a, b; correct it
    >>> print(
    ...     Problem("x.csv", 3, "score {got} of {topic} is no number", "correct it", got="c",
    ...             values={"topic": "q1"})
    ... )  # fmt: skip
    x.csv:3: score 'c' of 'q1' is no number; correct it
    """

    source: str
    line: int | None
    what: str
    todo: str
    row: int | None = None
    kind: Hashable = None
    got: object = _NOTHING
    allowed: str | Among = ""
    values: Mapping[str, object] = {}

    @property
    def wrong(self) -> str:
        """What is wrong, with what was got and what is allowed."""
        return spell_arguments(self._marked, "python")

    @property
    def _marked(self) -> str:
        has_got = self.got is not _NOTHING
        values = {**self.values, "got": self.got} if has_got else self.values
        is_said = has_got and "{got" in self.what
        return _wrong(fill_template(self.what, values), self.got, self.allowed, is_said=is_said)

    @property
    def place(self) -> str:
        """Where the problem is: the source, with its line or row."""
        if self.row is not None:
            return f"{self.source}, row {self.row}"
        return self.source if self.line is None else f"{self.source}:{self.line}"

    @property
    def remedy(self) -> str:
        """What to do."""
        return self.todo

    def words(self, style: Style = "python", others: str = "") -> str:
        """The problem in one line; see `PrecallError.words`.

        Parameters
        ----------
        style : see `PrecallError.words`.
        others : where similar problems are.
        """
        more = f" ({others})" if others else ""
        marked = f"{protect(self.place)}: {self._marked}{more}; {self.todo}"
        return visible(shorten_quotations(spell_arguments(marked, style)))

    def __str__(self) -> str:
        return self.words()

    def plain(self) -> Problem:
        """The problem with values that pickle accepts."""
        values = {name: _plain_got(value) for name, value in self.values.items()}
        return self._replace(got=_plain_got(self.got), values=values)


class Mistake:
    """What is wrong with data, and what to do, before it is known where.

    Parameters
    ----------
    what, todo, got, allowed, **values : see `Problem`.

    Examples
    --------
    >>> mistake = Mistake("item {got} is there twice", "remove one", got="d1")
    >>> print(mistake.prefix("topic {topic}: ", topic="q1").of("x.csv", line=3))
    x.csv:3: topic 'q1': item 'd1' is there twice; remove one
    """

    def __init__(
        self,
        what: str,
        todo: str,
        *,
        got: object = _NOTHING,
        allowed: str | Among = "",
        **values: object,
    ) -> None:
        self.what = what
        self.todo = todo
        self.got = got
        self.allowed = allowed
        self.values: dict[str, object] = values

    def prefix(self, what: str, **values: object) -> Mistake:
        """The same mistake inside something: a template that stands before it, and its values."""
        return Mistake(
            what + self.what,
            self.todo,
            got=self.got,
            allowed=self.allowed,
            **values,
            **self.values,
        )

    def suffix(self, what: str, **values: object) -> Mistake:
        """The same mistake with a template that stands after it, and its values."""
        return Mistake(
            self.what + what,
            self.todo,
            got=self.got,
            allowed=self.allowed,
            **self.values,
            **values,
        )

    def with_count(self, wrong: int, total: int, kind: str = "so") -> Mistake:
        """The same mistake, of the first of several; says how many of all have it."""
        if wrong < 2:
            return self
        share = " ({wrong} of {total} are {kind:s})" if kind else " ({wrong} of {total} are)"
        return self.suffix(share, wrong=wrong, total=total, kind=kind)

    def advise(self, todo: str) -> Mistake:
        """The same mistake with other advice."""
        return Mistake(self.what, todo, got=self.got, allowed=self.allowed, **self.values)

    def of(
        self, source: str, line: int | None = None, row: int | None = None, kind: Hashable = None
    ) -> Problem:
        """The problem of an input that has this mistake."""
        return Problem(
            source, line, self.what, self.todo, row, kind, self.got, self.allowed, self.values
        )

    def error(self, source: str) -> DataError:
        """The error that this is the only mistake of an input."""
        return DataError([self.of(source)])


class DataError(PrecallError, ValueError):
    """The input itself is bad.

    Parameters
    ----------
    problems : the problems, in the order of the input; the first `PROBLEM_LIMIT` are kept. In the
        message, problems that differ only in place and values share one line, with their lines or
        rows and their number.
    total : the number of all problems (default: the number of `problems`).

    Examples
    --------
    >>> import precall as pc
    >>> pc.curve([1, 0], [0.9, float("nan")])
    Traceback (most recent call last):
    precall.core.errors.DataError: score: case 1 is NaN; remove the case, or count it with missed=
    """

    def __init__(self, problems: list[Problem], total: int | None = None) -> None:
        self.problems: tuple[Problem, ...] = tuple(problems[:PROBLEM_LIMIT])
        self.total: int = len(problems) if total is None else total
        super().__init__("\n".join(_lines(self.problems, self.total, "python")))

    def words(self, style: Style = "python") -> str:
        """A line for each problem; see `PrecallError.words`."""
        return "\n".join(_lines(self.problems, self.total, style))

    def __reduce__(self) -> tuple[object, ...]:
        return type(self), ([problem.plain() for problem in self.problems], self.total)


#: From this number on, similar problems share one line.
_ALIKE = 3


def _lines(problems: Sequence[Problem], total: int, style: Style) -> list[str]:
    """The lines of a message: one for each kind of problem, and the number of problems that are not
    listed.
    """
    kinds: dict[Hashable, list[int]] = {}
    for position, problem in enumerate(problems):
        kind = position if problem.kind is None else (problem.source, problem.kind)
        kinds.setdefault(kind, []).append(position)
    lines = {
        position: problems[position].words(style)
        for positions in kinds.values()
        if len(positions) < _ALIKE
        for position in positions
    }
    unlisted = total - len(problems)
    for positions in kinds.values():
        if len(positions) >= _ALIKE:
            alike = [problems[position] for position in positions]
            # The kinds of problems that are not listed are unknown, unless all are of one kind.
            count = (
                f"; {total:,} problems in all"
                if len(kinds) == 1
                else f"; {len(alike)} in all" * (not unlisted)
            )
            lines[positions[0]] = alike[0].words(style, _others(alike) + count)
    has_total = len(kinds) == 1 and len(problems) >= _ALIKE
    return [lines[position] for position in sorted(lines)] + [
        f"... and {unlisted:,} more problems"
    ] * (unlisted > 0 and not has_total)


def _others(alike: list[Problem]) -> str:
    """Where the other problems are, as ranges of lines or rows."""
    numbers = [problem.line if problem.row is None else problem.row for problem in alike[1:]]
    numbers_in_order = sorted({number for number in numbers if number is not None})
    if not numbers_in_order:
        return f"so are {len(alike) - 1} more"
    runs: list[list[int]] = []
    for line_number in numbers_in_order:
        if runs and line_number == runs[-1][-1] + 1:
            runs[-1].append(line_number)
        else:
            runs.append([line_number])
    texts = [f"{run[0]} to {run[-1]}" if len(run) > 2 else ", ".join(map(str, run)) for run in runs]
    return f"as on {'lines' if alike[0].row is None else 'rows'} {', '.join(texts)}"


@contextmanager
def map_problems(change: Callable[[Problem], Problem]) -> Iterator[None]:
    """Apply `change` to each problem of a DataError that is raised inside."""
    try:
        yield
    except DataError as error:
        raise DataError(list(map(change, error.problems)), error.total) from None


class NoCommonTopic(DataError):
    """Run and qrels share no topic, so there is nothing to measure.

    Examples
    --------
    >>> import precall as pc
    >>> pc.evaluate({"q1": {"a": 1}}, {"1": {"a": 0.5}})
    Traceback (most recent call last):
    precall.core.errors.NoCommonTopic: dict: no topic of the run is in the qrels dict (run: '1'; qrels: 'q1')...
    """  # noqa: E501


class TiesUnresolved(PrecallError):
    """A location inside a block of equal scores is needed: choose `ties=` first.

    Examples
    --------
    >>> import precall as pc
    >>> pc.locate({"q": {"a": 1}}, {"q": {"a": 1.0, "b": 1.0}}, ties="block").hits().location
    Traceback (most recent call last):
    precall.core.errors.TiesUnresolved: the location of a hit inside a block of equal scores is not determined...
    """  # noqa: E501


class MissingExtra(PrecallError, ImportError):
    """An optional dependency is not installed: the message says what to install.

    Examples
    --------
    It is also an `ImportError`, so that code can do without optional parts:

    >>> import precall as pc
    >>> try:
    ...     significant = pc.compare.paired([0.5, 0.6, 0.7], [0.4, 0.6, 0.5], test="t").p < 0.05
    ... except pc.MissingExtra as missing:
    ...     print(missing)
    """


#: Libraries that an extra of precall installs.
_EXTRAS = {"scipy": "'precall[stats]'", "lz4": "'precall[lz4]'"}


def require_module(module: str, need: str, instead: str = "") -> ModuleType:
    """An optional module; if it is missing, an error says what needs it and what to install."""
    try:
        return import_module(module)
    except ImportError as error:
        library = module.partition(".")[0]
        raise MissingExtra(
            f"{need}: pip install {_EXTRAS.get(library, library)}{instead}"
        ) from error


class KernelMissing(PrecallError, ImportError):
    """The native kernel was demanded (PRECALL_KERNEL=native) but is missing.

    Examples
    --------
    Without that demand the twin in NumPy computes the same numbers; pc.about() says which kernel is
    in use:

    >>> import precall as pc
    >>> pc.about()["kernel"].split()[0] in ("native", "twin")
    True
    """


class Malformed(Exception):
    """The faults that a kernel found, as facts: `problems` are tuples (line, kind, *details)."""

    def __init__(self, problems: list[tuple[object, ...]], total: int) -> None:
        super().__init__(problems, total)
        self.problems: list[tuple[object, ...]] = problems
        self.total: int = total


class PrecallWarning(UserWarning):
    """There is something that a reader should know about a returned number.

    Examples
    --------
    >>> import warnings
    >>> import precall as pc
    >>> with warnings.catch_warnings(record=True) as caught:
    ...     warnings.simplefilter("always")
    ...     value = pc.average_precision([0, 0], [0.9, 0.8])
    >>> value, str(caught[0].message)
    (nan, 'average precision is undefined (NaN): nothing is relevant')
    """

    @property
    def note(self) -> Any:
        """The `Note` that the warning carries: its kind and values."""
        return self.args[0] if self.args else ""

    def __str__(self) -> str:
        return visible(shorten_quotations(super().__str__()))


@contextmanager
def name_file_in_errors(name: str) -> Iterator[None]:
    """Add the name of this file to an OSError that is raised inside and names no file.

    Errors of reading and writing name no file.
    """
    try:
        yield
    except OSError as error:
        if error.filename is not None or error.errno is None:
            raise
        raise OSError(error.errno, error.strerror, name) from error


#: Error numbers of a full disk, or of a folder that cannot be written to.
_NO_ROOM = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.ENOENT, errno.EACCES, errno.EROFS)


@contextmanager
def spooling(content: str) -> Iterator[None]:
    """Turn an error of a full disk, or of a missing folder, into one that says what was written and
    what to do.
    """
    try:
        yield
    except OSError as error:
        if error.errno not in _NO_ROOM:
            raise
        raise spooling_error(error, content) from error


def spooling_error(error: OSError, content: str) -> OSError:
    """An OSError that says what could not be written to a temporary file, and what to do."""
    import tempfile  # it imports many modules, and is rarely needed

    text = f"{error.strerror or error}, spooling {content}; set TMPDIR to a folder with room"
    return OSError(error.errno, text, tempfile.gettempdir())


#: Advice on how to read scanned cases into memory; commands have an option for that.
READ_WHOLE = "⟨give them to pc.curve or more memory= to cases_of¦raise --memory⟩"
SCANNED = "needs all cases in memory, and they were scanned"


def empty_path(argument: str = "", stream: str = "standard input") -> UsageError:
    """The error about an empty path; `stream` is the meaning of "-"."""
    return UsageError("empty path", argument=argument, remedy=f"name a file, or - for {stream}")


def read_again(times: int) -> UsageError:
    """The error about standard input that would have to be read several times."""
    return UsageError(f"- (standard input) was given {times} times", remedy="it can be read once")


def needs_cases_in_memory(name: str, of: str = "", todo: str = READ_WHOLE) -> UsageError:
    """The error about an argument that needs the single cases, while a scan keeps only counts.

    `of` names what the argument belongs to.
    """
    return UsageError(f"{of}{SCANNED}", argument=name, remedy=f"{todo}, or leave it out")
