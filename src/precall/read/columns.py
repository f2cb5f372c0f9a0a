"""Runs and qrels as columns grouped by topic; what is to be read, and how.

Strings are kept as one blob of bytes and offsets, so that seven million item ids cost seven million
offsets and no Python objects.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import wraps
from itertools import pairwise
from typing import TYPE_CHECKING, Any, NamedTuple, NoReturn, TypeVar

import numpy as np
import numpy.typing as npt

from precall.core.arguments import check_choice
from precall.core.conventions import DUPLICATES, SCORE_DTYPES
from precall.core.errors import Among, UsageError
from precall.core.notes import Note, warn
from precall.core.notes.of_reading import LowestIsBest
from precall.core.ragged import Bytes, Int64, offsets, pack_texts, take_texts
from precall.core.text import many, printable, short_repr
from precall.native import kernel, thread_count
from precall.read.grades import Grades

if TYPE_CHECKING:
    from precall.location import Located

#: Names of columns, by what they hold; if a table has several of them, the first one is meant.
NAMES = {
    "topic": "topic topicid queryid qid questionid query question userid",
    "item": (
        "item itemid corpusid docno docid documentid did pid passageid chunkid doc movieid "
        "productid"
    ),
    "score": "score scores similarity sim prediction",
    "subtopic": "subtopic subtopicid iteration intent",
    "grade": "grade relevance relevant isrelevant label rel judgment judgement rating gain score",
    "rank": "rank ranking position",
    "query": "queryid qid questionid topic topicid query question userinput userid id",
    "retrieved": (
        "retrieved retrievedids retrieveddocids retrievedcontextids results ranking predictions "
        "predicted contexts"
    ),
    "gold": (
        "gold goldids relevant relevantids expected expectedids referencecontextids reference "
        "groundtruth groundtruths positives retrievalgt"
    ),
    "grades": "grades grade relevance",
    "group": "group groups groupid",
    "weight": "weight weights topicweight",
    "run": "run runid runname tag",
    "system": "system systemid systemname model modelname method",
    "value": "value mean score",
}

#: A function from the names of all columns to the names of the wanted ones.
Choice = Callable[[list[str]], list[str]]

ROLES = ("topic", "item", "score", "grade", "subtopic")
#: Roles of columns in tables whose cells are lists.
LIST_ROLES = ("query", "retrieved", "gold", "grades")
#: Roles of columns in tables of the groups or weights of topics, and of the systems of runs or
#: their values.
GROUP_ROLES = ("group", "weight", "run", "system", "value")
#: Patterns of names of columns whose lowest value is the best, by what such columns hold.
_LOWEST = {
    "rank": "ranks?|ranking|position",
    "distance": "distances?|dists?",
    "loss": "loss|losses|nll",
    "measure of error": "errors?|r?mse|mae|mape|rmsle",
    "cost": "costs?",
    "perplexity": "perplexity|ppl",
    "energy": "energy|energies",
    "p-value": "p[-_ ]?values?|pvals?",
}


def fields_of(source: object) -> Sequence[str] | None:
    """The names of the fields of an array of records, such as `to_records()` gives; None for
    anything else.
    """
    return getattr(getattr(source, "dtype", None), "names", None)


#: Bytes of ids that are whole numbers.
_MINUS, _ZERO, _ONE, _NINE = b"-019"
_SMALL, _NO_ROWS = 1 << 16, np.zeros(0, np.int64)
#: Scores of padding are ±3.4028235e38; files may have rounded them.
_END_OF_FLOAT32 = 3.4e38


@dataclass(frozen=True, slots=True, eq=False)
class Ids:
    """Identifiers: UTF-8 text `data`; id i lies from `start[i]` to `start[i + 1]`."""

    data: Bytes
    start: Int64

    @classmethod
    def of(cls, texts: Sequence[str | bytes]) -> Ids:
        """The ids of Python strings, or of any bytes."""
        if set(map(type, texts)) == {str}:
            joined = "".join(texts)  # type: ignore[arg-type]
            if joined.isascii():  # characters are bytes, so texts need not be encoded one by one
                sizes = np.fromiter(map(len, texts), np.int64, len(texts))
                return cls(np.frombuffer(joined.encode(), np.uint8), offsets(sizes))
        return cls(
            *pack_texts([text if isinstance(text, bytes) else text.encode() for text in texts])
        )

    @classmethod
    def of_objects(cls, cells: Any) -> Ids | None:
        """The ids of a list or a column of objects that are all texts; else None."""
        packed = kernel().texts_of_lists([cells], False)
        return None if packed is None else cls(*packed[:2])

    @classmethod
    def concatenate(cls, parts: Sequence[Ids]) -> Ids:
        """The ids of all parts, one after another; a single part is not copied."""
        texts = [ids.data[ids.start[0] : ids.start[-1]] for ids in parts]
        if len(parts) == 1 and len(texts[0]) == len(parts[0].data):
            return parts[0]
        start, row = np.zeros(1 + sum(map(len, parts)), np.int64), 0
        for ids in parts:
            end = row + len(ids)
            np.add(ids.start[1:], start[row] - ids.start[0], out=start[row + 1 : end + 1])
            row = end
        return cls(np.concatenate([np.zeros(0, np.uint8), *texts]), start)

    def __len__(self) -> int:
        return len(self.start) - 1

    def __getitem__(self, index: int) -> str:
        return self.data[self.start[index] : self.start[index + 1]].tobytes().decode()

    def __iter__(self) -> Iterator[str]:
        return iter(self.tolist())

    def rows(self, begin: int, end: int) -> Ids:
        """The ids of the rows from `begin` to before `end`, without copying."""
        return Ids(self.data, self.start[begin : end + 1])

    def take(self, chosen: Int64) -> Ids:
        """The ids with these indices, in this order."""
        return Ids(*take_texts(self.data, self.start, chosen))

    def join(self, other: Ids) -> Ids:
        """These ids, then the others."""
        return Ids.concatenate((self, other))

    def empty(self) -> Int64:
        """The rows of empty texts, which are not ids."""
        return np.flatnonzero(self.start[1:] == self.start[:-1])

    def padding(self, score: npt.NDArray[Any] | None = None) -> Int64:
        """The rows of the id -1, if all other ids are whole numbers from 0, or else those whose
        `score` is an end of float32: FAISS writes both where it found nothing.

        Examples
        --------
        >>> (
        ...     Ids.of(["7", "-1", "12"]).padding(),
        ...     Ids.of(["7", "-1", "-2"]).padding(),
        ...     Ids.of(["a", "-1"]).padding(),
        ... )
        (array([1]), array([], dtype=int64), array([], dtype=int64))
        """
        rows = self.minus_one()
        if len(rows):
            text = self.data[self.start[0] : self.start[-1]]
            digits = (text >= _ZERO) & (text <= _NINE)
            if np.count_nonzero(~digits) > len(rows):
                is_end = np.zeros(0) if score is None else np.abs(score[rows]) >= _END_OF_FLOAT32
                rows = rows[np.flatnonzero(is_end)]
        return np.asarray(rows, np.int64)

    def minus_one(self) -> Int64:
        """The rows of the id -1."""
        # For few ids, searching for the two characters is fastest.
        if len(self.data) < _SMALL and b"-1" not in self.data.tobytes():
            return _NO_ROWS
        found = [_NO_ROWS]
        # By parts that stay in a cache.
        for first in range(0, len(self), _SMALL):
            start = self.start[first : first + _SMALL + 1]
            short = np.flatnonzero(start[1:] - start[:-1] == 2)
            begin = start[short]
            is_it = (self.data[begin] == _MINUS) & (self.data[begin + 1] == _ONE)
            found.append(short[is_it] + first)
        return np.concatenate(found)

    def bytes_of_each(self) -> list[bytes]:
        """The bytes of each id."""
        blob, start = self.data.tobytes(), self.start.tolist()
        return [blob[a:b] for a, b in pairwise(start)]

    def tolist(self) -> list[str]:
        """All ids as Python strings."""
        blob, start = self.data.tobytes(), self.start.tolist()
        if blob.isascii():
            text = blob.decode()
            return [text[a:b] for a, b in pairwise(start)]
        return [blob[a:b].decode() for a, b in pairwise(start)]


_Made = TypeVar("_Made", bound=type)


#: What ranx calls its makers of runs and qrels.
_MAKERS = ("from_dict", "from_file", "from_df", "from_parquet", "from_ir_datasets")


class _Columns(type):
    """The class of classes that only columns can make: of the makers of other libraries, which they
    do not have, the error names the reader.
    """

    if not TYPE_CHECKING:

        def __getattr__(cls, name: str) -> NoReturn:
            problem = f"{cls.__name__} has no {name!r}"
            reader = f"; pc.read_{cls.__name__.lower()}(...) reads dicts, files and frames"
            raise AttributeError(problem + reader * (name in _MAKERS), name=name, obj=cls)


def _of_columns(reader: str) -> Callable[[_Made], _Made]:
    """A decorator for classes that only columns can make: a user who passes a dict or a path, as in
    other libraries, gets advice.
    """

    def decorate(kind: _Made) -> _Made:
        make: Any = kind.__init__  # type: ignore[misc]

        @wraps(make)
        def init(self: object, *columns: Any, **keywords: Any) -> None:
            if len(columns) == 1 and not keywords and not isinstance(columns[0], Ids):
                message = f"{kind.__name__} holds columns that were read"
                raise UsageError(
                    f"{message}: pc.{reader}(...) makes one of dicts, files and frames"
                )
            make(self, *columns, **keywords)

        kind.__init__ = init  # type: ignore[misc]
        return kind

    return decorate


@_of_columns("read_run")
@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Run(metaclass=_Columns):
    """Scores by topic and item, as they were given.

    Rows of one topic stand together, in the order of the input; topics in the order of their
    first appearance. Row j of topic i: `row_start[i] <= j < row_start[i + 1]`.
    """

    topics: Ids
    row_start: Int64
    items: Ids
    score: npt.NDArray[np.float64]
    name: str = "run"
    source: str = "run"
    dropped: int = 0
    """Rows that a `duplicates` policy dropped."""
    score_dtype: str = "float64"
    tag: str = ""
    """Last field of the last row of TREC text: what trec_eval calls the run's id."""
    located: dict[tuple[int, bool], tuple[Qrels, Located]] = field(default_factory=dict, repr=False)
    """Last results of `locate`, so that a repeated evaluation need not match items again."""
    notes: tuple[Note, ...] = ()
    """Assumptions made while reading, such as which columns hold what."""
    listed: bool = False
    """Whether it was given as lists of ids."""
    lower_is_better: bool = False
    """Whether the lowest score is the best."""
    ranked: bool = False
    """Whether no scores were given, and these are negatives of places."""

    @property
    def sort_key(self) -> npt.NDArray[np.float64]:
        """The scores as rankings are sorted by them, the highest first."""
        return 0.0 - self.score if self.lower_is_better else self.score

    def __len__(self) -> int:
        return len(self.topics)

    def __repr__(self) -> str:
        return printable(
            f"<Run {self.name}: {many(len(self.topics), 'topic')}, {many(len(self.score), 'item')}>"
        )

    def first_item(self, topic: int) -> str:
        """The first item of the topic with this index."""
        return self.items[int(self.row_start[topic])]


@_of_columns("read_qrels")
@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Qrels(metaclass=_Columns):
    """Judgements by topic and item; laid out like a `Run`.

    Attributes
    ----------
    topics : ids of the topics, in the order of their first appearance.
    row_start : the first row of each topic, and the end.
    items : the id of each row.
    grade : the grade of each row: integers, or float64 if one of them has a fraction.
    source : what messages call it.
    dropped : repeated judgements that were dropped (equal ones, or by a `duplicates` policy).
    notes : what was assumed in reading, such as which columns hold what.
    listed : whether it was given as lists of ids.
    """

    topics: Ids
    row_start: Int64
    items: Ids
    grade: Grades
    source: str = "qrels"
    dropped: int = 0
    notes: tuple[Note, ...] = ()
    listed: bool = False

    def __len__(self) -> int:
        return len(self.topics)

    def __repr__(self) -> str:
        return printable(
            f"<Qrels {self.source}: {many(len(self.topics), 'topic')}, "
            f"{many(len(self.grade), 'judgement')}>"
        )


class Subject(NamedTuple):
    """What is read, a run or qrels: its words in messages, and the column of its values."""

    value: str
    plural: str
    line: str
    layout: str
    fields: int

    @property
    def columns(self) -> tuple[str, str, str]:
        """The columns of a table that holds it."""
        return "topic", "item", self.value


RUN = Subject(
    "score", "a run has", "a line of a run", "topic, ignored, item, ignored, score, tag", 6
)
QRELS = Subject("grade", "qrels have", "a judgement", "topic, ignored, item, grade", 4)


class Parsed(NamedTuple):
    """The result of every reader: columns grouped by topic."""

    topics: Ids
    row_start: Int64
    items: Ids
    value: npt.NDArray[Any]
    dropped: int = 0
    tag: bytes = b""
    notes: tuple[Note, ...] = ()
    listed: bool = False
    ranked: bool = False
    """Whether there were no scores, and these are the negative ranks."""
    negated: bool = False
    """Whether scores were negated, as the lowest was the best."""
    ascends: bool = False
    """For TREC text, whether the lines of each topic are in the order of their ranks."""
    has_ranks: bool = False
    """Whether there are ranks beside the scores; then the order of the rows does not matter."""
    apart: Mapping[str, Parsed] | None = None
    """The runs by name, if a column tells several apart; then all other fields are empty."""

    @classmethod
    def of(
        cls,
        topics: Bytes,
        topic_start: Int64,
        row_start: Int64,
        items: Bytes,
        item_start: Int64,
        *rest: Any,
    ) -> Parsed:
        """The columns that a kernel returns."""
        return cls(Ids(topics, topic_start), row_start, Ids(items, item_start), *rest)


def turn_scores(parsed: Parsed, request: Request) -> Parsed:
    """Columns with negated scores if the lowest was the best, so that the highest is; else
    unchanged.
    """
    return (
        parsed._replace(value=0.0 - parsed.value, negated=True) if request.lowest_first else parsed
    )


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Request:
    """How a source is to be read; checked once, before anything is opened."""

    subject: Subject
    label: str
    """What messages call the source."""
    duplicates: str
    threads: int
    float32: bool = False
    columns: Mapping[str, str] | None = None
    lowest_first: bool = False
    """Whether the lowest score is the best."""
    recognised: bool = False
    """Whether `columns` is complete: missing roles were recognised by the names of columns."""
    valueless: bool = False
    """Whether there is no column of values: then rows are in the order of scores, and all grades
    are 1.
    """
    notes: tuple[Note, ...] = ()
    """Assumptions made."""
    rank: str | None = None
    """A column of ranks beside the scores, read to check whether both agree."""

    systems: tuple[str, ...] = ()
    """Columns that may tell several runs apart, or the one that does."""
    run_column: str | None = None
    """The column that tells several runs apart, if there are such."""
    seeks_runs: bool = False
    """Whether any other column may be one, as an item is twice in a topic, or ranks contradict
    scores: then `PartsRuns` tells which one is.
    """

    @property
    def extra_columns(self) -> tuple[str, ...]:
        """The additional columns that are read: that of ranks, and those of names of runs."""
        return (*([] if self.rank is None else [self.rank]), *self.systems)

    @property
    def read(self) -> tuple[str, ...]:
        """All columns of a table that are read."""
        return (*self.names, *self.extra_columns)

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the columns of topics, of items and, if there is one, of values."""
        roles = self.subject.columns[: 2 if self.valueless else 3]
        return tuple(dict(self.columns or {}).get(role, role) for role in roles)


def request(
    subject: Subject,
    label: str,
    duplicates: str,
    threads: int | None,
    score_dtype: str = "float64",
    columns: Mapping[str, str] | None = None,
    lowest_first: bool = False,
    run_column: str | None = None,
) -> Request:
    """A request with checked options."""
    check_choice("duplicates", duplicates, DUPLICATES)
    check_choice("score_dtype", score_dtype, SCORE_DTYPES)
    if columns is not None:
        _check_columns(subject, columns, lowest_first)
    return Request(
        subject,
        label,
        duplicates,
        thread_count(threads),
        score_dtype == "float32",
        columns,
        bool(lowest_first),
        run_column=run_column,
    )


def _check_columns(subject: Subject, columns: object, lowest_first: bool) -> None:
    if not isinstance(columns, Mapping):
        raise UsageError(
            argument="columns",
            got=columns,
            allowed=Among("allowed is", ["a mapping such as {'topic': 'qid'}"]),
        )
    for role, name in columns.items():
        # Both score and grade are allowed: one mapping may serve the run and the qrels.
        check_choice("columns", role, ROLES)
        if not isinstance(name, str):
            raise UsageError(f"the name for {role} must be a str", argument="columns", got=name)
        if (
            role == "score"
            and subject is RUN
            and not lowest_first
            and (kind := lowest_is_best(name))
        ):
            article = "an" if kind == "energy" else "a"
            raise UsageError(
                argument="columns",
                what=(
                    f"{{got}} looks like {article} {kind}, whose lowest value is the best; as "
                    "scores it would reverse every ranking"
                ),
                got=name,
                remedy=(
                    f"pass ⟨lower_is_better=True⟩, or name a column of scores, such as the {kind} "
                    "negated"
                ),
            )


def lowest_is_best(name: str) -> str | None:
    """What a column holds, by its name, if its lowest value is the best, as of ranks and distances;
    else None.

    Examples
    --------
    >>> [lowest_is_best(name) for name in ("rank", "Rank_bm25", "l2-dist", "score", "pagerank")]
    ['rank', 'rank', 'distance', None, None]
    """
    for kind, words in _LOWEST.items():
        if re.search(f"(?:^|[^a-z])(?:{words})(?:$|[^a-z])", name, re.IGNORECASE):
            return kind
    return None


def warn_of_lowest(names: Iterable[str]) -> None:
    """Warn of columns of scores whose lowest value is the best, by their names."""
    for name in names:
        if kind := lowest_is_best(name):
            warn(LowestIsBest("", name, kind))


def refuse_columns(request: Request) -> None:
    """Raise if columns are named for data without names of columns."""
    if request.columns is not None:
        raise UsageError(
            argument="columns",
            what="only tables and frames have named columns",
            remedy="leave it out",
        )


def columns_of(text: str) -> dict[str, str]:
    """The mapping that a text such as `topic=qid,item=docid` describes.

    Parameters
    ----------
    text : pairs `column=name in the file`, separated by commas; columns are topic, item, score,
        grade and subtopic, and of lists query, retrieved, gold and grades.

    Raises
    ------
    UsageError
        The text is not of that form, or names a column twice.

    Examples
    --------
    >>> columns_of("topic=qid,item=docid,score=s")
    {'topic': 'qid', 'item': 'docid', 'score': 's'}
    """
    names: dict[str, str] = {}
    for pair in text.split(","):
        role, equals, name = (piece.strip() for piece in pair.partition("="))
        if not equals or not name or role not in (*ROLES, *LIST_ROLES):
            *first, last = (f"{role}=NAME" for role in ROLES)
            raise UsageError(
                argument="columns", got=pair, allowed=(*first, f"{last}, separated by commas")
            )
        if role in names:
            raise UsageError(
                argument="columns",
                what=f"{role} is named twice, {short_repr(names[role])} and {{got}}",
                got=name,
                remedy="name it once",
            )
        names[role] = name
    return names
