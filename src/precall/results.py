"""What evaluation returns: frozen, not iterable, and able to print itself."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from importlib import import_module
from typing import TYPE_CHECKING, Any, cast

import numpy as np
import numpy.typing as npt

from precall.errors import MissingExtra, UsageError
from precall.text import encoded, printable, table

if TYPE_CHECKING:
    import pandas
    import polars
    from _typeshed import DataclassInstance

_UNLIKE = (
    "runs are averaged over different topics and cannot be compared; pass topics='qrels' (--topics qrels)"
)

Float64 = npt.NDArray[np.float64]
_UNDEFINED = ("undefined",)


class Presented:
    """What shows itself in notebooks as a table with a chart, by `precall.page.presentations`.

    The page lies above everything that it shows, so it is found by its name when a notebook asks (decision 0005).
    """

    __slots__ = ()

    def _repr_html_(self) -> str:
        html: str = import_module("precall.page.presentations").html(self)
        return html


class Equal:
    """Equality by fields, where an undefined value (NaN) equals another: dataclasses compare NaN with itself
    by identity up to Python 3.12, and as unequal from 3.13 on."""

    __slots__ = ()

    def _compared(self) -> tuple[object, ...]:
        values = (getattr(self, one.name) for one in fields(cast("DataclassInstance", self)))
        return tuple(_UNDEFINED if isinstance(one, float) and one != one else one for one in values)

    def __eq__(self, other: object) -> bool:
        return self._compared() == other._compared() if type(other) is type(self) else NotImplemented

    def __hash__(self) -> int:
        return hash(self._compared())


@dataclass(frozen=True, slots=True, eq=False)
class Table:
    """Columns of equal length; other libraries read it through the Arrow PyCapsule interface.

    Examples
    --------
    >>> Table({"topic": ["q1", "q2"], "value": np.array([0.5, 1.0])}).to_dict()
    {'topic': ['q1', 'q2'], 'value': [0.5, 1.0]}
    """

    columns: Mapping[str, list[str] | npt.NDArray[Any]]

    def __len__(self) -> int:
        return len(next(iter(self.columns.values()), ()))

    def __getitem__(self, name: str) -> list[str] | npt.NDArray[Any]:
        if name not in self.columns:
            raise UsageError(f"no column {name!r}; there are {', '.join(self.columns)}")
        return self.columns[name]

    def __repr__(self) -> str:
        return printable(f"<Table: {len(self)} rows of {', '.join(self.columns)}>")

    def to_dict(self) -> dict[str, list[Any]]:
        """Column name → list of Python values."""
        return {
            name: column if isinstance(column, list) else column.tolist()
            for name, column in self.columns.items()
        }

    def to_pandas(self) -> pandas.DataFrame:
        """As a pandas data frame."""
        try:
            import pandas
        except ImportError as error:
            raise MissingExtra("to_pandas() needs pandas: pip install pandas") from error
        return pandas.DataFrame(self._encodable())

    def to_polars(self) -> polars.DataFrame:
        """As a Polars data frame."""
        try:
            import polars
        except ImportError as error:
            raise MissingExtra("to_polars() needs Polars: pip install polars") from error
        return polars.DataFrame(self._encodable())

    def _encodable(self) -> dict[str, list[str] | npt.NDArray[Any]]:
        """The columns with names that UTF-8 can encode: other libraries hold no halves of characters."""
        return {
            name: [encoded(one).decode() for one in column] if isinstance(column, list) else column
            for name, column in self.columns.items()
        }

    def __arrow_c_stream__(self, requested_schema: object = None) -> object:
        """The table as an Arrow stream, for any library that reads the PyCapsule interface."""
        import nanoarrow

        kinds = {
            "f4": nanoarrow.float32(), "f8": nanoarrow.float64(), "i8": nanoarrow.int64(), "b1": nanoarrow.bool_(),
        }  # fmt: skip
        arrays, schema = [], {}
        for name, column in self._encodable().items():
            kind = nanoarrow.string() if isinstance(column, list) else kinds[column.dtype.str[1:]]
            schema[name] = kind
            # Numbers are read from memory, one behind the other; the rest one by one.
            listed = isinstance(column, list) or column.dtype.kind == "b"
            arrays.append(nanoarrow.c_array(list(column) if listed else np.ascontiguousarray(column), kind))
        whole = nanoarrow.struct(schema)
        batch = nanoarrow.c_array_from_buffers(whole, len(self), [None], children=arrays)
        # A requested schema is a wish; this stream is what it is, and the reader may cast.
        return nanoarrow.c_array_stream(batch).__arrow_c_stream__()


@dataclass(frozen=True, slots=True)
class Counts:
    """What was averaged and what was not, for one run.

    Parameters
    ----------
    topics : topics averaged.
    missing : topics of the qrels that the run lacks.
    unjudged : topics of the run that the qrels lack.
    without_relevant : averaged topics that have no relevant item.
    tied : averaged topics in which the order of equal scores may change a measure.
    dropped : rows of the run dropped as duplicates, by the chosen policy.
    judgements_dropped : judgements dropped as repeated: equal ones, or others by the chosen policy.
    """

    topics: int
    missing: int
    unjudged: int
    without_relevant: int
    tied: int
    dropped: int
    judgements_dropped: int = 0


@dataclass(frozen=True, slots=True, eq=False)
class RunValues:
    """The values of one run: a line per measure, a column per averaged topic; NaN is undefined."""

    name: str
    topics: list[str]
    values: Float64
    mean: Float64
    undefined: tuple[int, ...]
    """Per measure: in how many averaged topics it is undefined."""
    counts: Counts
    said: tuple[str, ...] = ()
    """What was warned of."""


class Means(Mapping[Any, float]):
    """Averages over topics, by measure (one run) or by (run, measure).

    A measure is found by its canonical name and by the name it was asked for.
    """

    def __init__(
        self, runs: tuple[RunValues, ...], measures: tuple[str, ...], asked: Mapping[str, str]
    ) -> None:
        self._asked = dict(asked)
        self._names = list(measures)
        self._values = {
            (run.name, name): float(value)
            for run in runs
            for name, value in zip(measures, run.mean, strict=True)
        }  # fmt: skip
        self._single = runs[0].name if len(runs) == 1 else None

    def _key(self, key: object) -> tuple[str, str]:
        if isinstance(key, str):
            if self._single is None:
                raise KeyError(f"{key!r}: there are several runs; ask for mean[run, measure]")
            key = (self._single, key)
        if not isinstance(key, tuple) or len(key) != 2:
            raise KeyError(f"{key!r}: ask for mean[measure] or mean[run, measure]")
        run, name = str(key[0]), str(key[1])
        return run, self._asked.get(name, name)

    def __getitem__(self, key: object) -> float:
        found = self._key(key)
        if found not in self._values:
            known = sorted({run for run, _ in self._values})
            raise KeyError(f"{key!r}: runs are {', '.join(known)}; measures are {', '.join(self._names)}")
        return self._values[found]

    def __iter__(self) -> Any:
        return iter([name if self._single is not None else (run, name) for run, name in self._values])

    def __len__(self) -> int:
        return len(self._values)

    def __repr__(self) -> str:
        return repr(dict(self))


@dataclass(frozen=True, slots=True, eq=False)
class Report(Presented):
    """The result of `evaluate`: values by run, topic and measure, and what they rest on.

    Examples
    --------
    >>> from precall import evaluate
    >>> report = evaluate({"q1": {"a": 1}}, {"q1": {"a": 1.0, "b": 2.0}}, ["AP", "P@2"])
    >>> report.mean["AP"], report.mean["P@2"]
    (0.5, 0.5)
    """

    runs: tuple[RunValues, ...]
    measures: tuple[str, ...]
    aggregates: tuple[str, ...]
    conventions: Mapping[str, str]
    """Every choice that the numbers depend on, by name."""
    asked: Mapping[str, str] = field(default_factory=dict)
    best: tuple[int, ...] = ()
    """Per measure: 1 where high is good, -1 where low is, 0 where neither."""

    @property
    def mean(self) -> Means:
        """Averages over topics (sums and geometric means for the measures that say so)."""
        return Means(self.runs, self.measures, self.asked)

    @property
    def per_topic(self) -> Table:
        """One row per run, topic and measure; undefined values are NaN."""
        run: list[str] = []
        topic: list[str] = []
        measure: list[str] = []
        for part in self.runs:
            run += [part.name] * part.values.size
            topic += [name for name in part.topics for _ in self.measures]
            measure += list(self.measures) * len(part.topics)
        blocks = [part.values.T.ravel() for part in self.runs]
        value = np.concatenate(blocks) if blocks else np.empty(0)
        return Table({"run": run, "topic": topic, "measure": measure, "value": value})

    @property
    def signature(self) -> str:
        """The conventions in one line, to be printed beside the numbers."""
        return " | ".join(f"{key} {value}" for key, value in self.conventions.items())

    def __repr__(self) -> str:
        return f"<Report: {len(self.runs)} runs, {len(self.measures)} measures>"

    def __str__(self) -> str:
        rows = [
            [part.name, *map(shown, part.mean.tolist(), self.aggregates), str(part.counts.topics)]
            for part in self.runs
        ]
        lines = table(["run", *self.measures, "topics"], rows)
        return "\n".join([*lines, "", *map(printable, (*self.notes(), self.signature))])

    def notes(self) -> list[str]:
        """What a reader of the numbers should know, one line each: missing, unjudged, tied, undefined, not comparable."""
        lines = [f"{part.name}: {text}" for part in self.runs for text in part.said]
        for part in self.runs:
            count = part.counts
            said = [
                _many(count.missing, "topic", "of the qrels missing"),
                _many(count.unjudged, "topic", "not in the qrels"),
                _many(count.without_relevant, "topic", "without relevant items"),
                _many(count.tied, "topic", "with ties that matter"),
                _many(count.dropped, "duplicate", "dropped"),
                _many(count.judgements_dropped, "repeated judgement", "dropped"),
            ]
            names: dict[int, list[str]] = {}
            for name, times in zip(self.measures, part.undefined, strict=True):
                names.setdefault(times, []).append(name)
            done = {"zero": ", counted as 0", "omit": ", left out"}.get(
                self.conventions.get("undefined", ""), ""
            )
            undefined = [f"{', '.join(names[n])} undefined in {_many(n, 'topic')}{done}" for n in names if n]
            text = "; ".join([line for line in [*said, *undefined] if line])
            if text:
                lines.append(f"{part.name}: {text}")
        return lines if self.comparable else [*lines, _UNLIKE]

    @property
    def comparable(self) -> bool:
        """Whether all runs are averaged over the same topics."""
        return len({frozenset(run.topics) for run in self.runs}) <= 1


def _many(count: int, noun: str, rest: str = "") -> str:
    return f"{count} {noun}{'' if count == 1 else 's'} {rest}".rstrip() if count else ""


def shown(value: float, aggregate: str) -> str:
    """An average as it is printed: sums of counts without decimals."""
    return counted(value) if aggregate == "sum" else number(value)


def counted(value: float) -> str:
    """A count, or a sum of weights.

    Examples
    --------
    >>> counted(1234567), counted(0.25)
    ('1234567', '0.2500')
    """
    return f"{value:.0f}" if float(value).is_integer() else number(value)


def number(value: float) -> str:
    """A value in four decimals; whole numbers of 100 and more without any."""
    if value != value:
        return "undef"
    return f"{value:.0f}" if value.is_integer() and abs(value) >= 100 else f"{value:.4f}"
