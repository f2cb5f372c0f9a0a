"""`Conventions`: every choice that the values of runs depend on, in one object.

It is built once, from the keywords of `evaluate` or the options of a command. It is checked once,
and printed once, as the signature of a report. Each field holds the help text of its command-line
option; `precall.cli.options` makes the options of `eval`, `compare` and `report` from the fields. A
new choice is therefore a field here and a keyword of `evaluate`; it is printed if it differs from
its default.

Neither NumPy nor click is imported here: help must not wait for NumPy, and the library does not
need click.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, fields
from typing import Any, TypedDict

from precall.core.spelling import OPTIONS
from precall.core.text import percent, shorten
from precall.core.vocabulary import vocabulary_of
from precall.version import __version__

#: How items of equal score are ordered; see `precall.locate`.
ORDERS = ("docno", "input", "expected", "best", "worst", "random")
#: Or items of equal score stay one block, which few measures accept.
TIES = (*ORDERS, "block")
TOPICS = ("both", "qrels", "run", "answerable")
UNDEFINED = ("zero", "omit", "error")
AGGREGATES = ("mean", "geometric", "sum")
DUPLICATES = ("error", "first", "last", "best")
#: Floor of the geometric mean, as in trec_eval: otherwise one topic with value 0 would decide it.
FLOOR = 1e-5
SCORE_DTYPES = ("float64", "float32")
#: Fields that say only how files are read; a report has its scores in words of its own.
_OF_READING = ("score_dtype", "columns", "run_column")


def _choice(
    default: object, allowed: tuple[str, ...], help: str, typed: tuple[str, ...] = ()
) -> Any:
    """A field with a list of allowed names; the command line allows those of `typed`, if any are
    given.
    """
    return field(
        default=default, metadata={"help": help, "allowed": allowed, "typed": typed or allowed}
    )


def _whole(default: object, help: str) -> Any:
    return field(default=default, metadata={"help": help, "least": 1})


def _plain(number: Any) -> float:
    """The number as Python prints it: 2 of 2.0, and the decimal that a float32 shows."""
    from precall.core.arguments import as_shown

    return int(number) if number == int(number) else float(as_shown(number))


@dataclass(frozen=True, slots=True, kw_only=True)
class Conventions:
    """How runs are read, cut, ordered and averaged; see `evaluate`.

    Raises
    ------
    UsageError
        A field has a value that is not allowed.

    Examples
    --------
    >>> Conventions(ties="random", depth=100).describe(seed=3)["ties"]
    'random (seed 3)'
    """

    ties: str = _choice(
        "docno",
        TIES,
        (
            "Items of equal score: by id, greatest first, as trec_eval does (docno); in the order "
            "of the file (input); the mean over all their orders (expected); relevant ones first "
            "or last (best, worst); or shuffled (random)."
        ),
        ORDERS,
    )
    topics: str | None = _choice(
        None,
        TOPICS,
        (
            "Topics to average: those of both (the default), of the qrels (missing ones count as "
            "empty; the default for lists), of the run, or of the qrels if an item is relevant "
            "(answerable)."
        ),
    )
    undefined: str = _choice(
        "zero", UNDEFINED, "Averages count topics with an undefined value as 0, omit them, or fail."
    )
    grade: float = field(
        default=1, metadata={"help": "Least grade that is relevant, such as 2 or 3.5.", "above": 0}
    )
    judged_only: bool = field(
        default=False, metadata={"help": "Remove unjudged items from the rankings first."}
    )
    drop_self: bool = field(
        default=False,
        metadata={"help": "Remove items that are the query itself, as BEIR and MTEB do."},
    )
    depth: int | None = _whole(None, "Cut rankings after this many items.")
    aggregate: str | None = _choice(None, AGGREGATES, "How to average topics, for all measures.")
    duplicates: str = _choice(
        "error", DUPLICATES, "Which row to keep if several have the same topic and item."
    )
    score_dtype: str = _choice("float64", SCORE_DTYPES, "Precision of scores.")
    lower_is_better: bool = field(
        default=False,
        metadata={"help": "Low scores are good, as distances are."},
    )
    columns: Mapping[str, str] | None = field(
        default=None, metadata={"help": "Columns of tables, such as topic=qid,item=docid,score=s."}
    )
    run_column: str | None = field(
        default=None,
        metadata={
            "help": "Column with the names of runs, if a table has several; in TREC text, tag.",
            "column": True,
        },
    )

    def __post_init__(self) -> None:
        from precall.core.arguments import check_choice, check_kind, check_positive, check_whole

        for choice in self.__dataclass_fields__.values():
            value = getattr(self, choice.name)
            if value is choice.default:
                continue
            if "allowed" in choice.metadata:
                check_choice(choice.name, value, choice.metadata["allowed"])
            elif "least" in choice.metadata:
                check_whole(choice.name, value, choice.metadata["least"])
            elif "above" in choice.metadata:
                check_positive(**{choice.name: value})
                object.__setattr__(self, choice.name, _plain(value))
            elif isinstance(choice.default, bool):
                check_choice(choice.name, value, (False, True))
            elif "column" in choice.metadata:
                check_kind(choice.name, value, str, "the name of a column")
            else:
                check_kind(choice.name, value, Mapping, "{what it holds: the name of the column}")

    def keywords(self) -> dict[str, Any]:
        """The fields by name, as keywords of `evaluate`."""
        return {choice.name: getattr(self, choice.name) for choice in fields(self)}

    def with_topics(self, listed: bool) -> Conventions:
        """The conventions with their default for `topics` filled in: "qrels" for lists, else
        "both".
        """
        if self.topics:
            return self
        # `replace` would check all fields again.
        copy = object.__new__(Conventions)
        for name in Conventions.__slots__:
            object.__setattr__(copy, name, getattr(self, name))
        object.__setattr__(copy, "topics", "qrels" if listed else "both")
        return copy

    def describe(self, seed: int) -> dict[str, str]:
        """The conventions by name, as they are printed with numbers: the usual ones always, others
        if they differ from the default.
        """
        described = {
            "ties": f"random (seed {seed})" if self.ties == "random" else self.ties,
            "topics": self.topics or "both",
            "undefined": self.undefined,
            "grade": f">={self.grade}",
        }
        if kept := ["judged only"] * bool(self.judged_only) + ["not the query itself"] * bool(
            self.drop_self
        ):
            described["items"] = ", ".join(kept)
        if self.lower_is_better:
            described["best"] = "lowest score"
        for choice in fields(self):
            value = getattr(self, choice.name)
            is_said = choice.name in (
                *described,
                "judged_only",
                "drop_self",
                "lower_is_better",
                *_OF_READING,
            )
            if not is_said and value != choice.default:
                described[choice.name.replace("_", " ")] = str(value)
        return described


class ConventionOptions(TypedDict, total=False):
    """The same fields as keywords, for type checkers of functions that hand them on."""

    ties: str
    topics: str | None
    undefined: str
    grade: float
    judged_only: bool
    drop_self: bool
    depth: int | None
    aggregate: str | None
    duplicates: str
    score_dtype: str
    lower_is_better: bool
    columns: Mapping[str, str] | None
    run_column: str | None


# Commands have an option for each.
OPTIONS.update(choice.name for choice in fields(Conventions))


def describe_conventions(**more: object) -> dict[str, str]:
    """The conventions behind numbers by name, as they are printed; values of None are left out."""
    described = {
        name.replace("_", " "): str(value) for name, value in more.items() if value is not None
    }
    return {"precall": __version__, **described}


def describe_ties(ties: str, measures: Iterable[str] = ()) -> str:
    """How a curve treats equal scores: as one block, except for measures that need an order.

    Examples
    --------
    >>> describe_ties("expected", ["R-precision", "P@2"]), describe_ties("block", ["P@2"])
    ('block (R-precision, P@2: expected)', 'block')
    """
    names = ", ".join(dict.fromkeys(measures))
    return f"block ({names}: {ties})" if names and ties != "block" else "block"


def describe_classes(relevant: int, others: int) -> str:
    """The numbers of cases of both classes, with the other words for them.

    Examples
    --------
    >>> describe_classes(58, 142)
    '58 relevant (positives), 142 other (negatives)'
    """
    return f"{relevant:,} relevant (positives), {others:,} other (negatives)"


def good_scores(higher_is_better: bool) -> str:
    """Which scores are good, in words."""
    return "high scores" if higher_is_better else "low scores"


def describe_intervals(method: str | None, level: float, seed: int | None) -> str | None:
    """The conventions behind intervals: `method` is that of AP; the other intervals have their own.

    Examples
    --------
    >>> describe_intervals("bca", 0.9, None)
    '90 % (AP by bca, seed 0)'
    """
    return None if method is None else f"{percent(level)} (AP by {method}, seed {seed or 0})"


def signature(conventions: Mapping[str, str]) -> str:
    """The conventions behind numbers, in one line, in the words of what was evaluated.

    Examples
    --------
    >>> signature({"precall": "1.0", "truth": "y", "cases": "2 relevant, 3 other"})
    'precall 1.0 | label y | cases 2 relevant, 3 other'
    """
    return " | ".join(parts_of_signature(conventions))


def parts_of_signature(conventions: Mapping[str, str]) -> list[str]:
    """The conventions of a signature, one by one."""
    described = vocabulary_of(conventions).describe(conventions)
    if "cases" in described:
        # Compared cases have labels, as those of curves; their JSON has kept the older name.
        names = ("label" if name == "truth" else name for name in described)
        described = dict(zip(names, described.values(), strict=True))
    # Names of columns and paths may have any length; JSON has them whole.
    return [f"{name} {shorten(text)}" for name, text in described.items()]
