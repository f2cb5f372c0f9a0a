"""DataFrames of runs and qrels as one DataFrame; columns are recognised by their usual names."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from precall.core.conventions import Conventions
from precall.core.errors import Among, Kind, Malformed, Mistake, UsageError
from precall.core.notes import Note
from precall.core.text import as_text, letters
from precall.read.column_names import recognise_columns
from precall.read.columns import QRELS, RUN, Request, Subject, request
from precall.read.problems import data_error
from precall.read.run_columns import SURE
from precall.read.tables import column_indexes

_WHOLE = ("tinyint", "smallint", "int", "bigint")
_NUMBERS = (*_WHOLE, "float", "double", "decimal")


@dataclass(frozen=True, slots=True)
class RankedRows:
    """The rows of runs and qrels: topic, item, value and judged; also run, if a column names it."""

    frame: Any
    """All rows; those of a topic are adjacent."""
    qrels: Any
    """The rows of judgements alone."""
    name: str | None
    """The name of the run; None if a column names one or several."""
    whole: bool
    """Whether scores were integers that float64 may not hold exactly."""
    said: tuple[Note, ...]
    """Notes on the columns that were recognised in the runs and in the qrels."""
    judged_said: tuple[Note, ...]


def ranked_rows(
    runs: object, qrels: object, conventions: Conventions, run: str | None
) -> RankedRows:
    """All rows by topic; within a topic in the order of each DataFrame, if the order matters."""
    from pyspark.sql import functions as F  # noqa: N812

    several = _frames_by_name(runs, run)
    requests = {name: _request(frame, RUN, "run", conventions) for name, frame in several.items()}
    about = _request(qrels, QRELS, "qrels", conventions)
    systems = {name: run or _system_of(each) for name, each in requests.items()}
    alone = len(several) == 1 and (isinstance(runs, Mapping) or not any(systems.values()))
    ordered = conventions.ties == "input" or conventions.duplicates in ("first", "last")
    judged = _rows(qrels, about, ordered, F.lit(None), judged=True)
    frame = judged
    for name, run_frame in several.items():
        label = F.lit(name) if isinstance(runs, Mapping) or alone else _column(str(systems[name]))
        frame = frame.unionAll(_rows(run_frame, requests[name], ordered, label, judged=False))
    frame = frame.drop("run") if alone else frame
    frame = (
        frame.repartition("topic").sortWithinPartitions("topic", *["place"] * ordered).drop("place")
    )
    kinds = [_kind(several[name], each.names[2]) for name, each in requests.items()]
    has_integers = any(
        kind == "bigint" or (kind.startswith("decimal") and kind.endswith(",0)")) for kind in kinds
    )
    notes = tuple(dict.fromkeys(text for each in requests.values() for text in each.notes))
    return RankedRows(
        frame, judged, next(iter(several)) if alone else None, has_integers, notes, about.notes
    )


def _frames_by_name(runs: object, run: str | None) -> dict[str, Any]:
    """The DataFrames of runs by name."""
    if not isinstance(runs, Mapping):
        return {"run": runs}
    if run is not None or not runs:
        raise UsageError(
            argument="runs",
            what="give {name: DataFrame}, or one DataFrame with a column of names, run=",
            remedy="not both",
        )
    return {as_text(name): frame for name, frame in runs.items()}


def _request(frame: Any, subject: Subject, label: str, conventions: Conventions) -> Request:
    """The columns by role; raises if one is missing or has the wrong type."""
    if not (hasattr(frame, "mapInArrow") and hasattr(frame, "sortWithinPartitions")):
        remedy = "pc.evaluate takes all others"
        raise UsageError(
            argument=label,
            got=Kind(frame),
            allowed=Among("allowed is", ["a DataFrame of Spark"]),
            remedy=remedy,
        )
    columns = request(
        subject,
        label,
        conventions.duplicates,
        1,
        conventions.score_dtype,
        conventions.columns,
        conventions.lower_is_better,
    )
    columns = recognise_columns(frame.columns, columns)
    if columns.valueless and subject is RUN:
        raise Mistake(
            "no column of scores, and the rows of a DataFrame have no order",
            'name one with ⟨columns={"score": ...}⟩',
        ).error(label)
    column_indexes(frame.columns, columns)
    topic, item, *value = columns.names
    wrong: list[tuple[str, tuple[str, ...], str]] = [
        (name, ("string", *_WHOLE), "strings or integers") for name in (topic, item)
    ]
    wrong += [
        (name, _NUMBERS, "numbers")
        if subject is RUN
        else (name, (*_NUMBERS, "boolean"), "integers")
        for name in value
    ]
    facts: list[Any] = [
        (0, "column", name, kind, allowed)
        for name, kinds, allowed in wrong
        if (kind := _kind(frame, name)).partition("(")[0].partition(" ")[0] not in kinds
    ]
    if facts:
        raise data_error(Malformed(facts, len(facts)), columns, "row")
    return columns


def _rows(frame: Any, known: Request, ordered: bool, run: Any, judged: bool) -> Any:
    """The rows of one DataFrame; ids as texts, values as float64, the highest being the best."""
    from pyspark.sql import functions as F  # noqa: N812

    topic, item, *values = known.names
    value = _column(values[0]).cast("double") if values else F.lit(1.0)
    value = F.lit(0.0) - value if known.lowest_first and not judged else value
    columns = [
        _column(topic).cast("string").alias("topic"),
        _column(item).cast("string").alias("item"),
        value.alias("value"),
        F.lit(judged).alias("judged"),
        run.cast("string").alias("run"),
    ]
    return frame.select(*columns, *[F.monotonically_increasing_id().alias("place")] * ordered)


def _column(name: str) -> Any:
    """The column of a name, which may contain dots and other signs."""
    from pyspark.sql import functions as F  # noqa: N812

    return F.col("`" + name.replace("`", "``") + "`")


def _kind(frame: Any, name: str) -> str:
    return str(frame.schema[name].dataType.simpleString())


def greatest_grade(rows: RankedRows, duplicates: str) -> int:
    """The greatest grade of all judgements that are kept, for measures that use it; else 0."""
    from pyspark.sql import functions as F  # noqa: N812

    kept = rows.qrels
    if duplicates in ("first", "last"):
        choose = F.min_by if duplicates == "first" else F.max_by
        kept = kept.groupBy("topic", "item").agg(choose("value", "place").alias("value"))
    top = kept.where(~F.isnan("value")).agg(F.max("value")).collect()[0][0]
    return 0 if top is None else int(min(max(top, -(2.0**31)), 2.0**31 - 1))


def _system_of(request: Request) -> str | None:
    """The column that tells runs apart, if there is one."""
    sure = [name for name in request.systems if letters(name) in SURE]
    return sure[0] if len(sure) == 1 else None
